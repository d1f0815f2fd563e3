//! A sentence as words: one spelling for each, with its place, and whether it stands in quotation marks.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use crate::domain::slug::spelled_out;

/// Longer sentences are no notes; they are left out. Words, punctuation included.
pub(super) const WORDS_MAX: usize = 80;
/// Longer sentences are not looked at. Bytes.
pub(super) const BYTES_MAX: usize = 1200;

/// A word, a number, a punctuation mark or a placeholder.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// Lower case, `ue` for `ü`, `ss` for `ß`.
    pub(super) spelling: String,
    /// Where it stands in the sentence.
    pub(super) range: Range<usize>,
    /// It begins with a capital letter.
    pub(super) has_capital: bool,
    /// What the masker left in place of something.
    pub(super) is_placeholder: bool,
    /// It stands between quotation marks.
    pub(super) is_quoted: bool,
}

impl Word {
    /// Whether it is a mark and no word.
    pub(super) fn is_mark(&self) -> bool {
        !self.spelling.contains(char::is_alphanumeric)
    }
}

/// A sentence and its words.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    /// Its text.
    pub(super) text: &'a str,
    /// Its words.
    pub(super) words: Vec<Word>,
}

impl<'a> Sentence<'a> {
    /// Takes a sentence apart; `None` where it is too long or holds no word.
    pub(super) fn new(text: &'a str) -> Option<Self> {
        if text.len() > BYTES_MAX {
            return None;
        }
        let mut words = Vec::new();
        let mut at = 0;
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = text.get(at..).unwrap_or_default();
            let len = if c.is_whitespace() {
                at += c.len_utf8();
                continue;
            } else if let Some(len) = placeholder(rest) {
                len
            } else if is_inner(c) {
                word_len(rest)
            } else {
                c.len_utf8()
            };
            let range = at..at + len;
            let source = text.get(range.clone()).unwrap_or_default();
            words.push(Word {
                spelling: spelling(source),
                has_capital: source.starts_with(char::is_uppercase),
                is_placeholder: source.starts_with('[') && len > 1,
                is_quoted: false,
                range,
            });
            if words.len() > WORDS_MAX {
                return None;
            }
            at += len;
        }
        let mut sentence = Self { text, words };
        sentence.mark_quotes();
        sentence.words.iter().any(|word| !word.is_mark()).then_some(sentence)
    }

    /// The spelling of a word; empty beyond the last.
    pub(super) fn spelling(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.spelling.as_str())
    }

    /// The text of the words from `words.start` up to `words.end`.
    pub(super) fn text_of(&self, words: &Range<usize>) -> &'a str {
        let start = self.words.get(words.start).map_or(self.text.len(), |word| word.range.start);
        let end = words.end.checked_sub(1).and_then(|last| self.words.get(last)).map_or(start, |word| word.range.end);
        self.text.get(start..end).unwrap_or_default()
    }

    /// A quotation opens with one of a pair of marks and ends with its partner; one that stays open quotes nothing.
    fn mark_quotes(&mut self) {
        let mut open: Option<(usize, &str)> = None;
        let mut quoted = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            let mark = word.spelling.as_str();
            open = match open {
                Some((from, close)) if close.contains(mark) && word.is_mark() => {
                    quoted.push(from + 1..at);
                    None
                }
                Some(open) => Some(open),
                None => match mark {
                    "\"" => Some((at, "\"")),
                    "„" => Some((at, "“”\"")),
                    "“" => Some((at, "”\"")),
                    "»" => Some((at, "«")),
                    "«" => Some((at, "»")),
                    "‚" => Some((at, "‘’")),
                    _ => None,
                },
            };
        }
        for range in quoted {
            self.words.iter_mut().take(range.end).skip(range.start).for_each(|word| word.is_quoted = true);
        }
    }
}

/// The spelling in which words are compared.
pub(super) fn spelling(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.nfc().flat_map(char::to_lowercase) {
        match (spelled_out(c), c) {
            (Some(letters), _) => out.push_str(letters),
            (None, '\u{2019}' | '\u{2018}') if word.chars().count() > 1 => out.push('\''),
            (None, '–' | '—') => out.push('-'),
            (None, c) => out.push(c),
        }
    }
    out
}

fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@' | '#' | '/' | '~')
}

/// The length of the word at the beginning: inner full stops, hyphens, apostrophes and signs belong to it, trailing ones don't.
fn word_len(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let is_joint = matches!(c, '.' | '-' | '\'' | '’' | '+' | ':' | '&' | '\\');
        if is_inner(c) {
            end = at + c.len_utf8();
        } else if !is_joint || at > end {
            break;
        }
    }
    // "12. Mai": the dot of an ordinal, where the sentence goes on.
    let is_day = end <= 2 && text.get(..end).is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let behind = text.get(end..).unwrap_or_default();
    if is_day && behind.strip_prefix(". ").is_some_and(|rest| rest.trim_start().starts_with(char::is_alphabetic)) {
        return end + 1;
    }
    // `C++` keeps its signs.
    end + if behind.starts_with("++") { 2 } else { 0 }
}

/// The length of a placeholder such as `[NAME]` at the beginning.
fn placeholder(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let len = inner.find(|c: char| !c.is_ascii_uppercase() && c != '_')?;
    (len >= 2 && inner.get(len..)?.starts_with(']')).then_some(len + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        Sentence::new(text).map_or_else(Vec::new, |s| s.words.into_iter().map(|word| word.spelling).collect())
    }

    #[test]
    fn words_keep_what_belongs_to_them() {
        assert_eq!(words("Ich mag's nicht: 90 %!"), ["ich", "mag's", "nicht", ":", "90", "%", "!"]);
        assert_eq!(words("am 12. Mai, um 12."), ["am", "12.", "mai", ",", "um", "12", "."]);
        assert_eq!(words("Node.js läuft, C++ auch."), ["node.js", "laeuft", ",", "c++", "auch", "."]);
        assert_eq!(words("[NAME] grüßt I’d"), ["[name]", "gruesst", "i'd"]);
        assert!(Sentence::new(&"wort ".repeat(WORDS_MAX + 1)).is_none());
        assert!(Sentence::new("…!").is_none());
    }

    #[test]
    fn quotations_are_marked_where_they_close() {
        let quoted = |text: &str| {
            let words = Sentence::new(text).map(|s| s.words).unwrap_or_default();
            words.iter().filter(|word| word.is_quoted).map(|word| word.spelling.clone()).collect::<Vec<_>>()
        };
        assert_eq!(quoted("Er sagte: „Ich mag Tee.“ Dann ging er."), ["ich", "mag", "tee", "."]);
        assert_eq!(quoted("\"go with Oracle\", said he"), ["go", "with", "oracle"]);
        assert!(quoted("5\" breit").is_empty());
    }
}
