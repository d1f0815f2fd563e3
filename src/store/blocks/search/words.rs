//! From text to the terms that blocks are found by.
//!
//! A word is folded (case, accents, and the spellings of an umlaut: `ü`, `ue` and `u` are one) and cut to its German and its
//! English stem; both are terms, since nobody says which language a memory is in.

use std::collections::BTreeSet;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Said;

/// The longest word that is a term, in characters: longer ones are cut. Nobody types more of one.
const WORD_MAX: usize = 40;
/// How many terms a block can have: a value of megabytes is found by its beginning.
const TERMS_MAX: usize = 4000;

/// Words that say nothing about what a text is about, folded.
const STOP: [&str; 125] = [
    "aber", "all", "alle", "als", "also", "am", "an", "and", "any", "are", "as", "at", "auch", "auf", "aus", "be",
    "bei", "beim", "bin", "bis", "but", "by", "can", "da", "das", "dass", "dem", "den", "der", "des", "die", "dies",
    "diese", "dieser", "dieses", "do", "does", "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "er",
    "es", "for", "from", "fur", "gibt", "had", "has", "hat", "have", "he", "her", "ich", "if", "ihr", "im", "in",
    "into", "is", "ist", "it", "its", "kann", "me", "mein", "mit", "my", "nach", "noch", "nur", "ob", "oder", "of",
    "on", "or", "our", "she", "sich", "sie", "sind", "so", "than", "that", "the", "their", "them", "then", "there",
    "they", "this", "to", "um", "und", "uns", "unser", "us", "vom", "von", "wann", "war", "was", "we", "welche",
    "wenn", "wer", "were", "what", "when", "where", "which", "who", "wie", "wir", "wird", "with", "wo", "you", "zu",
    "zum", "zur",
];

/// The stems of one word: what it is indexed by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The folded word.
    pub(super) folded: String,
    /// Its stems, one or two.
    pub(super) stems: Vec<String>,
}

/// Cuts texts into words and stems.
pub(super) struct Words {
    german: Stemmer,
    english: Stemmer,
}

impl Words {
    pub(super) fn new() -> Self {
        Self { german: Stemmer::create(Algorithm::German), english: Stemmer::create(Algorithm::English) }
    }

    /// The words of a text in their order; stop words only where there is nothing else.
    pub(super) fn of(&self, text: &str) -> Vec<Word> {
        let mut words = Vec::new();
        let mut stops = Vec::new();
        for part in parts(text) {
            let folded = fold(&part);
            if folded.is_empty() {
                continue;
            }
            let list = if STOP.binary_search(&folded.as_str()).is_ok() { &mut stops } else { &mut words };
            list.push(folded);
        }
        let kept = if words.is_empty() { stops } else { words };
        kept.into_iter().map(|folded| self.word(folded)).collect()
    }

    fn word(&self, folded: String) -> Word {
        let mut stems = vec![self.german.stem(&folded).into_owned()];
        let english = self.english.stem(&folded);
        if stems.first().is_none_or(|german| *german != english) {
            stems.push(english.into_owned());
        }
        Word { folded, stems }
    }

    /// The terms of a block: of its key, value and entities.
    pub(super) fn terms(&self, said: &Said<'_>) -> BTreeSet<String> {
        let words = [said.key, said.value].into_iter().chain(said.entities).flat_map(|text| self.of(text.as_str()));
        words.flat_map(|word| word.stems).take(TERMS_MAX).collect()
    }
}

/// The parts of a text that are words: letters and digits, with what joins digits (`1.5`), and `camelCase` apart.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut last = ' ';
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        let joins = matches!(ch, '.' | ',') && last.is_ascii_digit() && chars.peek().is_some_and(char::is_ascii_digit);
        let is_hump = ch.is_uppercase() && last.is_lowercase();
        if is_hump || !(ch.is_alphanumeric() || joins || is_combining_mark(ch)) {
            parts.push(std::mem::take(&mut part));
        }
        if ch.is_alphanumeric() || joins || is_combining_mark(ch) {
            part.push(ch);
        }
        last = ch;
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Case, accents and the spellings of umlauts away.
pub(super) fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for ch in word.nfd().filter(|ch| !is_combining_mark(*ch)).flat_map(char::to_lowercase) {
        match ch {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push('a'),
            'ø' | 'œ' => folded.push('o'),
            // `ae`, `oe` and `ue` are how an umlaut is written where there is none.
            'e' if folded.ends_with(['a', 'o', 'u']) => {}
            _ => folded.push(ch),
        }
    }
    match folded.char_indices().nth(WORD_MAX) {
        Some((end, _)) => folded.get(..end).unwrap_or_default().to_owned(),
        None => folded,
    }
}

/// The trigrams of a term, with its ends marked.
pub(super) fn grams(term: &str) -> BTreeSet<String> {
    let chars: Vec<char> = std::iter::once('^').chain(term.chars()).chain(std::iter::once('$')).collect();
    chars.windows(3).map(|window| window.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str) -> Vec<String> {
        Words::new().of(text).into_iter().flat_map(|word| word.stems).collect()
    }

    #[test]
    fn spellings_and_inflections_of_a_word_share_a_stem() {
        for (one, other) in [
            ("Überweisung", "ueberweisungen"),
            ("Straße", "strasse"),
            ("Rechnungen", "Rechnung"),
            ("deployments", "deployment"),
            ("prefers", "prefer"),
            ("täglich", "taeglich"),
            ("SERVER", "Servern"),
            ("Café", "cafe"),
            ("Gro\u{0308}ße", "Groesse"),
        ] {
            let (one_stems, other_stems) = (stems(one), stems(other));
            assert!(
                one_stems.iter().any(|stem| other_stems.contains(stem)),
                "{one} {one_stems:?}, {other} {other_stems:?}"
            );
        }
    }

    #[test]
    fn words_are_cut_where_people_cut_them() {
        let words = |text: &str| Words::new().of(text).into_iter().map(|word| word.folded).collect::<Vec<_>>();
        assert_eq!(
            words("table_style: maxRetries 1.5, der Port 8645"),
            ["table", "style", "max", "retries", "1.5", "port", "8645"]
        );
        assert_eq!(words("wie ist das"), ["wie", "ist", "das"], "only stop words: they are all there is");
        assert_eq!(words("— … !"), [""; 0]);
    }

    #[test]
    fn stop_words_are_sorted_and_folded() {
        assert!(STOP.is_sorted());
        assert!(STOP.iter().all(|word| fold(word) == *word || word.contains(['a', 'o', 'u'])));
    }
}
