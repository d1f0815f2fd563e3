//! From text to items: words, numbers with their units and bounds, and the breaks between clauses.

use super::quantity::{Bound, Date, Kind, Quantity, month, number_at, ordinal, unit, with_unit, word_number};
use super::words::fold;

/// One piece of a text.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A word.
    Word {
        /// Folded spelling.
        folded: String,
        /// Written with a capital letter, or holding a digit.
        capital: bool,
        /// At the beginning of a sentence.
        start: bool,
        /// Tied to the next word by a hyphen.
        hyphen: bool,
    },
    /// A number.
    Number {
        /// The number with its unit.
        quantity: Quantity,
        /// The value before a change.
        former: bool,
    },
    /// The end of a clause; hard at the end of a sentence.
    Break(bool),
    /// A question mark.
    Question,
}

impl Item {
    /// The folded word.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word { folded, .. } => Some(folded),
            _ => None,
        }
    }

    fn number(&self) -> Option<&Quantity> {
        match self {
            Self::Number { quantity, .. } => Some(quantity),
            _ => None,
        }
    }
}

/// Cuts a text into items. `german` decides how `1.500` is read.
pub(super) fn items(text: &str, german: bool) -> Vec<Item> {
    join(&raw(text, german))
}

/// Words, bare numbers and signs, in order. A dash that may be a range is a word of its own.
#[expect(clippy::too_many_lines, reason = "one grammar, read from top to bottom")]
fn raw(text: &str, german: bool) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::new();
    let mut rest = text;
    let mut start = true;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let boundary = !before.is_alphanumeric();
        let versioned = matches!(c, 'v' | 'V') && boundary && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        let from = usize::from(versioned);
        if versioned {
            let digits: String = rest.chars().skip(1).take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            let number = digits.trim_end_matches('.');
            let tail = rest.get(1 + number.len()..).unwrap_or_default();
            if !tail.starts_with(char::is_alphabetic) {
                let parts: Vec<u32> = number.split('.').filter_map(|part| part.parse().ok()).collect();
                out.push(Item::Number {
                    quantity: Quantity { kind: Kind::Version, parts, ..plain(0.0) },
                    former: false,
                });
                before = '0';
                rest = tail;
                start = false;
                continue;
            }
        }
        if (c.is_ascii_digit() || versioned)
            && let Some((mut quantity, len)) = number_at(rest.get(from..).unwrap_or_default(), german)
        {
            let tail = rest.get(from + len..).unwrap_or_default();
            // "Version 1.3." at the end of a sentence is no first of March, nor is "Debian 12.4.".
            let after_name = tail.trim_end().is_empty()
                && matches!(out.last(), Some(Item::Word { capital: true, start: false, folded, .. }) if month(folded).is_none());
            let named = after_name || matches!(out.last().and_then(Item::word), Some("version" | "release"));
            if named && quantity.kind == Kind::Date && quantity.date.year == 0 {
                let parts = vec![u32::from(quantity.date.day), u32::from(quantity.date.month)];
                quantity = Quantity { kind: Kind::Version, parts, ..plain(0.0) };
            }
            let letters: String = tail.chars().take_while(|c| c.is_alphabetic() || matches!(c, '²' | '³')).collect();
            let suffix = fold(&letters);
            let ordinal_suffix =
                matches!(suffix.as_str(), "st" | "nd" | "rd" | "th" | "x" | "er" | "ten" | "ter" | "te");
            let mut used = from + len;
            if versioned {
                if quantity.kind == Kind::Plain && quantity.parts.is_empty() && quantity.low.fract() == 0.0 {
                    quantity.parts = format!("{}", quantity.low).parse().into_iter().collect();
                }
                quantity.kind = Kind::Version;
            }
            if !letters.is_empty() {
                if let Some((kind, factor)) = unit(&suffix).or_else(|| unit(&letters.to_lowercase())) {
                    with_unit(&mut quantity, kind, factor);
                    used += letters.len();
                } else if ordinal_suffix {
                    used += letters.len();
                } else {
                    // `3D`, `2fa`: a word.
                    let word: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
                    rest = rest.get(word.len()..).unwrap_or_default();
                    before = word.chars().last().unwrap_or(' ');
                    let hyphen = tied(rest);
                    out.push(Item::Word { folded: fold(&word), capital: true, start, hyphen });
                    start = false;
                    continue;
                }
            }
            // "SHA-256", "COVID-19": the number is part of the name.
            if quantity.kind == Kind::Plain
                && let Some(Item::Word { folded, hyphen, capital, .. }) = out.last_mut()
                && *hyphen
                && before == '-'
            {
                folded.push('-');
                folded.push_str(rest.get(..used).unwrap_or_default());
                *hyphen = false;
                *capital = true;
                before = '0';
                rest = rest.get(used..).unwrap_or_default();
                continue;
            }
            out.push(Item::Number { quantity, former: false });
            before = '0';
            rest = rest.get(used..).unwrap_or_default();
            start = false;
            continue;
        }
        if c.is_alphanumeric() {
            let mut len = 0;
            let mut last = ' ';
            for (at, ch) in rest.char_indices() {
                let inner = matches!(ch, '.' | '\'' | '’' | '_' | '&')
                    && rest.get(at + ch.len_utf8()..).and_then(|tail| tail.chars().next()).is_some_and(|next| {
                        next.is_alphanumeric() && (ch != '.' || next.is_lowercase() || next.is_ascii_digit())
                    });
                let sign = matches!(ch, '+' | '#') && at > 0;
                let mark = ('\u{300}'..='\u{36f}').contains(&ch);
                if !(ch.is_alphanumeric() || inner || sign || mark) {
                    break;
                }
                len = at + ch.len_utf8();
                last = ch;
            }
            let word = rest.get(..len).unwrap_or_default();
            rest = rest.get(len..).unwrap_or_default();
            let hyphen = tied(rest);
            // In capitals it is the licence, not the preposition.
            let folded = if word == "MIT" { "mitlizenz".to_owned() } else { fold(word) };
            let capital = c.is_uppercase() || word.chars().any(|c| c.is_ascii_digit() || c.is_uppercase());
            out.push(Item::Word { folded, capital, start, hyphen });
            before = last;
            start = false;
            continue;
        }
        let next = rest.get(c.len_utf8()..).and_then(|tail| tail.chars().next());
        match c {
            '%' | '€' | '$' | '£' | '°' => {
                let celsius = c == '°' && matches!(next, Some('C' | 'c'));
                let sign = if celsius { "°c".to_owned() } else { c.to_string() };
                out.push(Item::Word { folded: sign, capital: false, start, hyphen: false });
                if celsius {
                    rest = rest.get(c.len_utf8() + 1..).unwrap_or_default();
                    before = 'C';
                    continue;
                }
            }
            '–' | '—' | '-' => {
                let spaced = before.is_whitespace() || before == ' ';
                let digit = next.is_some_and(|c| c.is_ascii_digit()) || next == Some(' ');
                if before == '0' && digit || spaced && next.is_some_and(char::is_whitespace) || c == '—' {
                    out.push(Item::Word { folded: "–".to_owned(), capital: false, start: false, hyphen: false });
                }
            }
            '~' if next.is_some_and(|c| c.is_ascii_digit()) => {
                out.push(Item::Word { folded: "ca".to_owned(), capital: false, start, hyphen: false });
            }
            ',' | '(' | ')' | '/' | '|' | '„' | '“' | '"' | '→' if !matches!(c, '„' | '“' | '"' | '/') => {
                out.push(Item::Break(c == '|'));
            }
            ';' | ':' => out.push(Item::Break(c == ';')),
            '.' | '!' => {
                // An abbreviation's dot and the dot of a day break nothing.
                let ends =
                    next.is_none_or(char::is_whitespace) && !abbreviated(&out, rest.get(1..).unwrap_or_default());
                if ends {
                    out.push(Item::Break(true));
                    start = true;
                }
            }
            '?' => {
                out.push(Item::Question);
                start = true;
            }
            _ => {}
        }
        before = c;
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

/// Whether a hyphen ties this to the next word.
fn tied(rest: &str) -> bool {
    let mut chars = rest.chars();
    matches!(chars.next(), Some('-' | '‑')) && chars.next().is_some_and(char::is_alphanumeric)
}

fn abbreviated(out: &[Item], rest: &str) -> bool {
    let next = rest.trim_start().chars().next();
    match out.last() {
        Some(Item::Word { folded, .. }) => {
            folded.chars().count() == 1
                || is_abbreviation(folded)
                || next.is_some_and(|c| c.is_lowercase() && !rest.is_empty())
        }
        Some(Item::Number { quantity, .. }) => {
            let word: String = rest.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
            quantity.kind == Kind::Plain
                && quantity.low <= 31.0
                && (month(&fold(&word)).is_some() || next.is_some_and(char::is_lowercase))
        }
        _ => false,
    }
}

/// Abbreviations whose dot ends no sentence.
pub(super) fn is_abbreviation(folded: &str) -> bool {
    matches!(
        folded,
        "z.b"
            | "d.h"
            | "u.a"
            | "ca"
            | "bzw"
            | "usw"
            | "etc"
            | "nr"
            | "dr"
            | "evtl"
            | "ggf"
            | "inkl"
            | "exkl"
            | "max"
            | "min"
            | "mind"
            | "str"
            | "tel"
            | "vgl"
            | "st"
            | "jan"
            | "feb"
            | "mrz"
            | "apr"
            | "jun"
            | "jul"
            | "aug"
            | "sep"
            | "sept"
            | "okt"
            | "oct"
            | "nov"
            | "dez"
            | "dec"
            | "e.g"
            | "i.e"
            | "vs"
            | "approx"
            | "no"
            | "mr"
            | "mrs"
            | "prof"
            | "hr"
            | "fr"
            | "abs"
            | "zzgl"
            | "std"
            | "sek"
            | "a.m"
            | "p.m"
            | "o.a"
    )
}

/// Joins numbers with months, units, ranges and bounds.
fn join(raw: &[Item]) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(item) = raw.get(at) {
        if let Some((mut quantity, used)) = quantity(raw, at, out.last().and_then(Item::word)) {
            let mut end = at + used;
            let mut former = false;
            let between =
                out.iter().rev().filter_map(Item::word).take(2).any(|word| matches!(word, "zwischen" | "between"));
            let link = raw.get(end).and_then(Item::word).unwrap_or_default();
            if matches!(link, "–" | "bis" | "to" | "until" | "till" | "auf") || between && matches!(link, "und" | "and")
            {
                let after = end + 1 + usize::from(matches!(raw.get(end + 1).and_then(Item::word), Some("zu")));
                if let Some((mut second, more)) = self::quantity(raw, after, Some(link)) {
                    if quantity.kind == Kind::Plain && second.kind != Kind::Plain && second.kind != Kind::Date {
                        let factor = factor_of(raw, after, more);
                        with_unit(&mut quantity, second.kind, factor);
                    }
                    if second.kind == Kind::Plain && quantity.kind == Kind::Clock {
                        with_unit(&mut second, Kind::Clock, 60.0);
                    }
                    if link == "auf" || link == "to" && changes(raw, at) {
                        former = quantity.kind == second.kind;
                    } else if quantity.kind == second.kind && !matches!(quantity.kind, Kind::Version | Kind::Ip) {
                        if quantity.kind == Kind::Date {
                            bound(&mut quantity, &out);
                            out.push(Item::Number { quantity, former: false });
                            out.push(Item::Number { quantity: second, former: false });
                        } else {
                            quantity.high = second.low;
                            out.push(Item::Number { quantity, former: false });
                        }
                        at = after + more;
                        continue;
                    }
                }
            }
            bound(&mut quantity, &out);
            out.push(Item::Number { quantity, former });
            end = end.max(at + 1);
            at = end;
            continue;
        }
        match item {
            Item::Word { folded, .. } if folded == "–" => out.push(Item::Break(true)),
            other => out.push(other.clone()),
        }
        at += 1;
    }
    out
}

/// Whether the words near a number speak of a change.
fn changes(raw: &[Item], at: usize) -> bool {
    let from = at.saturating_sub(6);
    raw.iter().skip(from).take(14).filter_map(Item::word).any(|word| {
        [
            "increas", "decreas", "rais", "lower", "reduc", "extend", "chang", "upgrad", "updat", "mov", "grew",
            "drop", "bump", "switch", "migrat", "erhoh", "gesenkt",
        ]
        .iter()
        .any(|stem| word.starts_with(stem))
    })
}

fn factor_of(raw: &[Item], at: usize, used: usize) -> f64 {
    raw.iter().skip(at).take(used).filter_map(Item::word).find_map(unit).map_or(1.0, |(_, factor)| factor)
}

/// Reads the number at `at`, with what belongs to it; returns it and how many items it took.
#[expect(clippy::too_many_lines, reason = "one grammar, read from top to bottom")]
fn quantity(raw: &[Item], at: usize, before: Option<&str>) -> Option<(Quantity, usize)> {
    let word = |index: usize| raw.get(index).and_then(Item::word).unwrap_or_default();
    let number = |index: usize| raw.get(index).and_then(Item::number);
    let small = |index: usize| number(index).filter(|q| q.kind == Kind::Plain && q.low <= 31.0).map(|q| q.low);
    let year = |index: usize| {
        number(index)
            .filter(|q| q.kind == Kind::Plain && q.parts.is_empty() && (1500.0..2200.0).contains(&q.low))
            .map(|q| q.low)
    };
    match raw.get(at)? {
        Item::Number { quantity, .. } => {
            let mut quantity = quantity.clone();
            let mut end = at + 1;
            if let Some(day) = small(at) {
                let skip = usize::from(word(end) == "of");
                if let Some(month) = month(word(end + skip)).filter(|_| capital(raw, end + skip)) {
                    end += 1 + skip;
                    let comma =
                        usize::from(matches!(raw.get(end), Some(Item::Break(false))) && year(end + 1).is_some());
                    let written = year(end + comma);
                    if written.is_some() {
                        end += 1 + comma;
                    }
                    return Some((Quantity::of_date(made(written.unwrap_or(0.0), month, day)), end - at));
                }
            }
            if quantity.kind == Kind::Date && quantity.date.year == 0 && year(end).is_some() {
                quantity.date = made(year(end).unwrap_or(0.0), quantity.date.month, f64::from(quantity.date.day));
                return Some((quantity, 2));
            }
            if let Some((kind, factor)) = unit(word(end)).filter(|_| quantity.kind == Kind::Plain) {
                let single = matches!(word(end), "m" | "t" | "s" | "h" | "l" | "w" | "g" | "fr" | "min");
                if !(single && capital(raw, end) && word(end) != "w") || word(end) == "min" {
                    with_unit(&mut quantity, kind, factor);
                    end += 1;
                }
            } else if quantity.kind == Kind::Clock && word(end) == "uhr" {
                end += 1;
            }
            if matches!(word(end), "am" | "pm" | "a.m" | "p.m")
                && (quantity.kind == Kind::Clock || quantity.kind == Kind::Plain && quantity.low <= 12.0)
                && !capital(raw, end)
            {
                let after_noon = word(end).starts_with('p');
                let german_am = word(end) == "am" && matches!(raw.get(end + 1), Some(Item::Word { capital: true, .. }));
                if !german_am {
                    with_unit(&mut quantity, Kind::Clock, 60.0);
                    if after_noon && quantity.low < 720.0 {
                        quantity.low += 720.0;
                        quantity.high += 720.0;
                    }
                    end += 1;
                }
            }
            if quantity.kind == Kind::Plain
                && quantity.parts.is_empty()
                && quantity.low <= 24.0
                && quantity.low.fract() == 0.0
                && matches!(before, Some("um"))
            {
                with_unit(&mut quantity, Kind::Clock, 60.0);
            }
            if quantity.kind == Kind::Plain && matches!(before, Some("$" | "£" | "€")) {
                let (kind, factor) = unit(before.unwrap_or_default())?;
                with_unit(&mut quantity, kind, factor);
            }
            if quantity.kind == Kind::Plain
                && quantity.parts.is_empty()
                && quantity.low.fract() == 0.0
                && (1900.0..2100.0).contains(&quantity.low)
                && !matches!(before, Some("port" | "nr" | "nummer"))
            {
                quantity = Quantity::of_date(made(quantity.low, 0, 0.0));
            }
            if matches!(before, Some("version" | "release")) && quantity.kind == Kind::Plain {
                quantity.kind = Kind::Version;
                if quantity.parts.is_empty() {
                    quantity.parts =
                        format!("{}", quantity.low).split('.').filter_map(|part| part.parse().ok()).collect();
                }
            }
            Some((quantity, end - at))
        }
        Item::Word { folded, capital: upper, .. } => {
            if let Some(number) = month(folded).filter(|_| {
                *upper
                    && (folded != "may"
                        || small(at + 1).is_some()
                        || year(at + 1).is_some()
                        || matches!(before, Some("in" | "on" | "since" | "until" | "by" | "from" | "of")))
            }) {
                if let Some(written) = year(at + 1) {
                    return Some((Quantity::of_date(made(written, number, 0.0)), 2));
                }
                if let Some(day) = small(at + 1).filter(|_| unit(word(at + 2)).is_none()) {
                    let comma = usize::from(matches!(raw.get(at + 2), Some(Item::Break(false))));
                    let written = year(at + 2 + comma);
                    let used = if written.is_some() { 3 + comma } else { 2 };
                    return Some((Quantity::of_date(made(written.unwrap_or(0.0), number, day)), used));
                }
                return Some((Quantity::of_date(made(0.0, number, 0.0)), 1));
            }
            let next_unit = unit(word(at + 1));
            if matches!(folded.as_str(), "pro" | "je" | "per")
                && let Some((kind, factor)) =
                    next_unit.filter(|(kind, _)| !matches!(kind, Kind::Clock | Kind::Percent | Kind::Money(_)))
            {
                // A rate: one of the unit.
                let mut quantity = plain(1.0);
                with_unit(&mut quantity, kind, factor);
                return Some((quantity, 2));
            }
            // "Zwischen zwei Wiederholungen" counts nothing.
            if matches!(before, Some("zwischen" | "between"))
                && matches!(folded.as_str(), "zwei" | "two")
                && !matches!(word(at + 1), "und" | "and")
                && next_unit.is_none()
            {
                return None;
            }
            let value = match folded.as_str() {
                "ein" | "eine" | "einer" | "einen" | "einem" | "one" | "a" | "an" => {
                    next_unit.filter(|(kind, _)| !matches!(kind, Kind::Clock)).map(|_| 1.0)?
                }
                "halbe" | "halben" | "halbes" | "half" => {
                    let skip = usize::from(matches!(word(at + 1), "an" | "a"));
                    let (kind, factor) = unit(word(at + 1 + skip))?;
                    let mut quantity = plain(0.5);
                    with_unit(&mut quantity, kind, factor);
                    return Some((quantity, 2 + skip));
                }
                "anderthalb" | "eineinhalb" => 1.5,
                "zweieinhalb" => 2.5,
                other => word_number(other).or_else(|| ordinal(other))?,
            };
            let mut quantity = plain(value);
            let mut end = at + 1;
            if value <= 31.0
                && let Some(month) = month(word(end)).filter(|_| capital(raw, end))
            {
                let written = year(end + 1);
                return Some((
                    Quantity::of_date(made(written.unwrap_or(0.0), month, value)),
                    end + 1 + usize::from(written.is_some()) - at,
                ));
            }
            if let Some((kind, factor)) = next_unit {
                with_unit(&mut quantity, kind, factor);
                end += 1;
            }
            if quantity.kind == Kind::Plain && value <= 24.0 && matches!(before, Some("um")) {
                with_unit(&mut quantity, Kind::Clock, 60.0);
            }
            if let "million" | "millions" | "millionen" = word(end) {
                quantity.low *= 1e6;
                quantity.high *= 1e6;
                end += 1;
            }
            Some((quantity, end - at))
        }
        _ => None,
    }
}

fn plain(value: f64) -> Quantity {
    Quantity {
        kind: Kind::Plain,
        low: value,
        high: value,
        other: None,
        date: Date::default(),
        parts: Vec::new(),
        bound: Bound::Exact,
    }
}

fn capital(raw: &[Item], at: usize) -> bool {
    matches!(raw.get(at), Some(Item::Word { capital: true, .. }))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the callers pass whole numbers of a calendar"
)]
fn made(year: f64, month: u8, day: f64) -> Date {
    Date { year: year as u16, month, day: day as u8 }
}

/// Takes the bound from the words before a number.
fn bound(quantity: &mut Quantity, out: &[Item]) {
    let mut before = out.iter().rev().map_while(Item::word);
    let last = before.next().unwrap_or_default();
    let earlier = before.next().unwrap_or_default();
    quantity.bound = match (earlier, last) {
        (
            _,
            "ca" | "etwa" | "rund" | "ungefahr" | "knapp" | "about" | "around" | "approximately" | "roughly" | "approx"
            | "circa" | "gegen" | "nearly" | "almost",
        ) => Bound::Approx,
        (_, "maximal" | "max" | "hochstens" | "unter" | "below" | "under")
        | ("bis", "zu")
        | ("at", "most")
        | ("up", "to")
        | ("als" | "weniger", "als")
        | ("less" | "fewer", "than") => {
            if earlier == "mehr" {
                Bound::AtLeast
            } else {
                Bound::AtMost
            }
        }
        (_, "mindestens" | "min" | "mind" | "uber" | "over" | "above" | "ab")
        | ("at", "least")
        | ("mehr", "als")
        | ("more", "than") => Bound::AtLeast,
        _ => Bound::Exact,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<Quantity> {
        let german = !text.contains(" the ");
        items(text, german).into_iter().filter_map(|item| item.number().cloned()).collect()
    }

    #[test]
    fn the_same_number_in_other_dress_is_equal() {
        for (a, b) in [
            ("1,5 GB", "1500 MB"),
            ("14 Tage", "zwei Wochen"),
            ("60 Sekunden", "eine Minute"),
            ("50 Cent", "0,50 €"),
            ("18.500 Euro", "18500 €"),
            ("v1.2", "Version 1.2.0"),
            ("3:15 Uhr", "03:15"),
            ("um acht Uhr", "8 Uhr"),
            ("15. Februar 2026", "15.02.2026"),
            ("15 February 2026", "2026-02-15"),
            ("February 15, 2026", "2026-02-15"),
            ("ab 1.6.", "1. Juni"),
            ("5 %", "fünf Prozent"),
            ("fünfundzwanzig Seiten", "25 Seiten"),
            ("dreihundert Gramm", "0,3 kg"),
            ("2 pm", "14 Uhr"),
            ("halbe Stunde", "30 Minuten"),
            ("22:30 bis 06:00 Uhr", "zwischen 22:30 und 6 Uhr"),
            ("14–18 Uhr", "von 14 bis 18 Uhr"),
        ] {
            let (x, y) = (numbers(a), numbers(b));
            assert!(x.len() == 1 && y.len() == 1 && x[0].equals(&y[0]), "{a} / {b}: {x:?} {y:?}");
        }
    }

    #[test]
    fn other_numbers_exclude_each_other_unless_the_page_leaves_room() {
        for (fact, page, excludes) in [
            ("8095", "8085", true),
            ("30 Nachrichten", "bis zu 40 Nachrichten", false),
            ("50 Nachrichten", "maximal 40 Nachrichten", true),
            ("12 Uhr", "10–14 Uhr", false),
            ("16 Uhr", "10–14 Uhr", true),
            ("480 Euro", "ca. 500 Euro", false),
            ("5 Euro", "5 kg", false),
            ("v1.3", "1.2.0", true),
            ("im Mai 2026", "15.05.2026", false),
            ("im Juni 2026", "15.05.2026", true),
        ] {
            let (x, y) = (numbers(fact), numbers(page));
            assert_eq!(x[0].excludes(&y[0]), excludes, "{fact} / {page}: {x:?} {y:?}");
        }
    }

    #[test]
    fn the_value_before_a_change_is_former() {
        let former: Vec<bool> = items("RAM von 16 auf 32 GB erweitert", true)
            .into_iter()
            .filter_map(|item| match item {
                Item::Number { former, .. } => Some(former),
                _ => None,
            })
            .collect();
        assert_eq!(former, [true, false]);
    }
}
