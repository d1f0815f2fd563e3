#!/usr/bin/env python3
"""Collects the words of the name lists from Faker (PyPI) and @faker-js/faker (npm), both MIT; see NOTICE.

usage: build.py FAKER_JS_PACKAGE_DIR | cargo run --release --example build_names -- data/names/words.fst

Needs Faker installed for this Python, Node, and an unpacked `npm pack @faker-js/faker`. Prints `word<TAB>flags`, where the
word is in lower case and the flags say in which lists it stands:
  1 first name     2 surname     4 first name usual in German or English     8 surname usual in German or English
  16 town in Germany, Austria or Switzerland     32 everyday word
"""
import importlib, json, pkgutil, re, subprocess, sys, unicodedata
from collections import defaultdict

FIRST, LAST, NEAR_FIRST, NEAR_LAST, TOWN, WORD = 1, 2, 4, 8, 16, 32
NEAR = {"de", "en"}
JS = """
import { allLocales } from '%s/dist/index.js';
const flat = (o) => !o ? [] : Array.isArray(o) ? o.map((e) => e.value ?? e) : Object.values(o).flatMap(flat);
const out = [];
for (const [locale, l] of Object.entries(allLocales)) {
  const person = l.person ?? {}, word = l.word ?? {};
  out.push({ locale, first: flat(person.first_name), last: flat(person.last_name), towns: flat(l.location?.city_name),
             words: ['noun', 'verb', 'adjective', 'adverb', 'preposition', 'conjunction'].flatMap((k) => flat(word[k])) });
}
console.log(JSON.stringify(out));
"""
LATIN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*$")
flags = defaultdict(int)


def keep(word):
    return len(word) > 1 and LATIN.match(word) and all("LATIN" in unicodedata.name(c, "") for c in word if c.isalpha())


def add(entries, flag):
    for entry in entries:
        # A name of several words counts word by word, but not its particles.
        for word in str(entry).split():
            if keep(word) and word[0].isupper():
                word = word.lower()
                flags[word] |= flag
                for part in re.split("-", word):
                    if len(part) > 2:
                        flags[part] |= flag


def names(locale, first, last):
    near = locale[:2] in NEAR
    add(first, FIRST | (NEAR_FIRST if near else 0))
    add(last, LAST | (NEAR_LAST if near else 0))


def values(provider, kind):
    for name in dir(provider):
        if re.fullmatch(rf"{kind}_names?(_\w+)?|{kind}s?_names?(_\w+)?", name) and "romanized" not in name.replace("_romanized", ""):
            value = getattr(provider, name)
            if isinstance(value, (list, tuple, dict)):
                yield from value


def main():
    persons = importlib.import_module("faker.providers.person")
    for module in pkgutil.iter_modules(persons.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        names(module.name, values(provider, "first"), values(provider, "last"))
    for locale in ("de_DE", "de_AT", "de_CH"):
        provider = importlib.import_module(f"faker.providers.address.{locale}").Provider
        for attribute in ("cities", "city_names"):
            towns(getattr(provider, attribute, ()))
    for locale in ("de_DE", "de_AT", "en_US"):
        provider = importlib.import_module(f"faker.providers.lorem.{locale}").Provider
        words(provider.word_list)
    script = JS % sys.argv[1]
    rows = json.loads(subprocess.run(["node", "--input-type=module", "-e", script], check=True, capture_output=True).stdout)
    for row in rows:
        names(row["locale"], row["first"], row["last"])
        if row["locale"].startswith("de"):
            towns(row["towns"])
        if row["locale"][:2] in NEAR:
            words(row["words"])
    for word in sorted(flags, key=lambda w: w.encode()):
        print(word, flags[word], sep="\t")


def towns(entries):
    for entry in entries:
        for word in re.split(r"[\s/]+", str(entry)):
            if keep(word) and word[0].isupper():
                flags[word.lower()] |= TOWN


def words(entries):
    for word in entries:
        if keep(word):
            flags[word.lower()] |= WORD


main()
