//! From text to items: words, numbers with their units and bounds, and the breaks between clauses.

mod join;

use join::join;

use super::quantity::{Bound, Date, Kind, Quantity, month, number_at, unit, with_unit};
use super::words::fold;
use crate::domain::sentences::is_abbreviation;

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
