#!/usr/bin/env python3
"""Trains the name model and writes data/names/model.bin. Needs python-crfsuite; NOTICE names the texts it learns from.

usage: train.py DATA_DIR NOTES.jsonl FEATURES_BIN OUT.bin [--fold K --held-out DIR]

DATA_DIR holds the labelled sets (`*.jsonl.gz`), NOTES.jsonl comes from notes.py, FEATURES_BIN is the example `name_features`.
With `--fold K` (0 to 4) one fifth of every set is left out and written to DIR, to be scored with a program built from OUT.bin.
"""
import argparse, gzip, json, os, random, subprocess, sys, tempfile, zlib

import pycrfsuite

SETS = ["germeval14_dev", "ler_all", "btc", "wnut17_train", "presidio_large"]
LABELS = ["O", "B", "I"]
STEPS = 16  # per unit of weight
SLOTS = 1 << 16


def fold(row):
    return zlib.crc32(row["id"].encode()) % 5


def rows(args):
    rng = random.Random(1)
    for name in SETS:
        with gzip.open(f"{args.data}/{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            all_rows = [json.loads(line) for line in file]
        if args.fold is not None:
            held = [row for row in all_rows if fold(row) == args.fold]
            all_rows = [row for row in all_rows if fold(row) != args.fold]
            os.makedirs(args.held_out, exist_ok=True)
            with gzip.open(f"{args.held_out}/{name}.jsonl.gz", "wt", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in held)
        # Court decisions without a person in them are many and alike.
        keep = 0.15 if name == "ler_all" else 1.0
        for row in all_rows:
            if keep == 1.0 or any(s["kind"] == "NAME" for s in row["spans"]) or rng.random() < keep:
                # The news set is small and closest to the prose that counts.
                for _ in range(2 if name == "germeval14_dev" else 1):
                    yield row
    with open(args.notes, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def sequences(args):
    data = "".join(json.dumps({"text": r["text"], "spans": r["spans"]}, ensure_ascii=False) + "\n" for r in rows(args))
    out = subprocess.run([args.features], input=data.encode(), check=True, capture_output=True).stdout.decode()
    for block in out.split("\n\n"):
        items, labels = [], []
        for line in block.split("\n"):
            if line:
                label, *features = line.split("\t")
                items.append(features)
                # A token that the program gives no features can't be part of a name there either.
                labels.append(label if features else "O")
        if any(items):
            yield items, [l if l != "I" or i and labels[i - 1] != "O" else "B" for i, l in enumerate(labels)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("notes")
    parser.add_argument("features")
    parser.add_argument("out")
    parser.add_argument("--fold", type=int)
    parser.add_argument("--held-out")
    parser.add_argument("--iterations", type=int, default=120)
    args = parser.parse_args()
    trainer = pycrfsuite.Trainer(verbose=False)
    count = 0
    for items, labels in sequences(args):
        trainer.append(items, labels)
        count += 1
    trainer.set_params({"c1": 0.25, "c2": 0.05, "max_iterations": args.iterations, "feature.minfreq": 3, "feature.possible_transitions": False})
    with tempfile.NamedTemporaryFile(suffix=".crfsuite") as file:
        trainer.train(file.name)
        tagger = pycrfsuite.Tagger()
        tagger.open(file.name)
        info = tagger.info()
        write(args.out, info, count)


def write(path, info, count):
    clamp = lambda value: max(-127, min(127, round(value * STEPS)))
    header = bytearray(16)
    for i, a in enumerate(LABELS):
        for j, b in enumerate(LABELS):
            weight = info.transitions.get((a, b))
            # Every step takes one transition: the same off all of them changes nothing and keeps the heaviest in range.
            header[i * 3 + j] = (clamp(weight - 4) if weight is not None else (-127 if (a, b) == ("O", "I") else 0)) & 0xFF
    weights = {}
    for (feature, label), weight in info.state_features.items():
        weights.setdefault(feature, {})[label] = weight
    table = bytearray(SLOTS * 4)
    rows = []
    for feature, by_label in weights.items():
        base = by_label.get("O", 0.0)
        begin, inside = clamp(by_label.get("B", 0.0) - base), clamp(by_label.get("I", 0.0) - base)
        if begin or inside:
            rows.append((max(abs(begin), abs(inside)), int(feature, 16), begin, inside))
    # Should there be more than fit, the lightest go.
    rows.sort(reverse=True)
    kept = 0
    for _, feature, begin, inside in rows[: SLOTS * 3 // 4]:
        slot, tag = feature & (SLOTS - 1), max(1, feature >> 16)
        for _ in range(32):
            at = slot * 4
            if not table[at] and not table[at + 1]:
                table[at : at + 4] = bytes([tag & 0xFF, tag >> 8, begin & 0xFF, inside & 0xFF])
                kept += 1
                break
            slot = (slot + 1) & (SLOTS - 1)
    with open(path, "wb") as file:
        file.write(header + table)
    print(f"{count} lines, {len(rows)} features, {kept} kept, transitions {info.transitions}", file=sys.stderr)


main()
