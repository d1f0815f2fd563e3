//! A text cut into sentences, German and English.

use std::ops::Range;

/// The sentences of a text, as byte ranges.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    let mut word_start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_whitespace() {
            word_start = at + c.len_utf8();
        }
        let next = chars.peek().map(|(_, next)| *next);
        if matches!(c, '.' | '!' | '?') && next.is_some_and(char::is_whitespace) {
            let word = text.get(word_start..at).unwrap_or_default();
            let ahead = text.get(at + 1..).unwrap_or_default().trim_start().chars().next();
            let continues = ahead.is_none_or(char::is_lowercase);
            let numbered = c == '.'
                && before.is_ascii_digit()
                && word.len() <= 5
                && word.chars().all(|c| c.is_ascii_digit() || c == '.');
            let short = c == '.' && (word.chars().count() <= 1 || is_abbreviation(&word.to_lowercase()));
            if (!continues || c != '.') && !numbered && !short {
                out.push(start..at + 1);
                start = at + 1;
            }
        }
        before = c;
    }
    out.push(start..text.len());
    out.into_iter()
        .filter_map(|range| {
            let part = text.get(range.clone())?;
            let lead = part.len() - part.trim_start().len();
            let trimmed = part.trim();
            (!trimmed.is_empty()).then(|| range.start + lead..range.start + lead + trimmed.len())
        })
        .collect()
}

/// Whether a word in lower case, without its last dot, is an abbreviation whose dot ends no sentence.
pub fn is_abbreviation(folded: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_they_end() {
        for (text, parts) in [
            ("Das CRM ist fertig. Vento wartet.", vec!["Das CRM ist fertig.", "Vento wartet."]),
            ("Live seit 3. März, ca. 40 Nutzer. Gut!", vec!["Live seit 3. März, ca. 40 Nutzer.", "Gut!"]),
            ("Wirklich? ja.", vec!["Wirklich?", "ja."]),
            ("Version 1.2.3 läuft.  ", vec!["Version 1.2.3 läuft."]),
            ("  ", vec![]),
        ] {
            let found: Vec<&str> = sentences(text).into_iter().filter_map(|range| text.get(range)).collect();
            assert_eq!(found, parts);
        }
    }
}
