//! A text as a model would read it: words without disguise, each with its place in the text as given.

use crate::domain::slug::spelled_out;
use std::ops::Range;

/// Letters that stand alone are joined to a word from this many on.
const SPACED_LETTERS: usize = 4;

/// Shorter words are not taken apart, in bytes.
const COMPOUND_LENGTH: usize = 16;

/// The words of a text in one spelling.
pub(super) struct View {
    spellings: String,
    words: Vec<Word>,
}

struct Word {
    spelling: Range<usize>,
    source: Range<usize>,
    /// Whether a sentence, a line, a list item or a bracket opens before the word.
    opens: bool,
}

impl View {
    pub(super) fn new(text: &str) -> Self {
        let mut view = Self { spellings: String::with_capacity(text.len() + 8), words: Vec::new() };
        view.split(text);
        view.plain_digits();
        view.part_compounds();
        view.join_letters();
        view
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The spelling: lower case, `ue` for `ü`, Latin letters, without apostrophes. Empty beyond the last.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).and_then(|word| self.spellings.get(word.spelling.clone())).unwrap_or_default()
    }

    pub(super) fn opens(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.opens)
    }

    /// Where the words from `first` to `last` stand in the text.
    pub(super) fn range(&self, first: usize, last: usize) -> Range<usize> {
        let start = self.words.get(first).map_or(0, |word| word.source.start);
        start..self.words.get(last).map_or(start, |word| word.source.end)
    }

    fn split(&mut self, text: &str) {
        let mut opens = true;
        let mut in_word = false;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if is_hidden(c) {
                // A diaeresis on its own is the `e` of an umlaut.
                if c == '\u{308}' && in_word && self.spellings.ends_with(['a', 'o', 'u']) {
                    self.spell('e');
                    if let Some(word) = self.words.last_mut() {
                        word.spelling.end = self.spellings.len();
                    }
                }
                continue;
            }
            let latin = latin(c);
            if latin.is_alphanumeric()
                || in_word && matches!(latin, '@' | '$') && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric())
            {
                if !in_word {
                    let from = self.spellings.len();
                    self.words.push(Word { spelling: from..from, source: at..at, opens });
                    (in_word, opens) = (true, false);
                }
                self.spell(latin);
                if let Some(word) = self.words.last_mut() {
                    word.spelling.end = self.spellings.len();
                    word.source.end = at + c.len_utf8();
                }
            } else if !(in_word && matches!(c, '\'' | '’')) {
                in_word = false;
                let next = chars.peek().map_or(' ', |(_, next)| *next);
                let ends_sentence = matches!(c, '.' | '!' | '?' | ':' | ';' | ',' | '-' | '–' | '—' | '|' | '#');
                let opens_quote = matches!(c, '\n' | '"' | '„' | '“' | '«' | '»' | '(' | '[' | '>' | '*' | '`');
                opens |= opens_quote || ends_sentence && !next.is_alphanumeric();
            }
        }
    }

    fn spell(&mut self, c: char) {
        match spelled_out(c) {
            Some(letters) => self.spellings.push_str(letters),
            None => self.spellings.extend(c.to_lowercase()),
        }
    }

    /// Reads digits and signs among letters as the letters they stand for: `1gn0re`.
    fn plain_digits(&mut self) {
        let is_disguise = |c: char| matches!(c, '0' | '1' | '3' | '4' | '5' | '7' | '@' | '$');
        if !self.spellings.contains(is_disguise) {
            return;
        }
        let mut plain = String::with_capacity(self.spellings.len());
        for word in &self.words {
            let spelling = self.spellings.get(word.spelling.clone()).unwrap_or_default();
            let letters = spelling.chars().filter(|c| c.is_alphabetic()).count();
            let disguised = spelling.chars().any(is_disguise) && letters >= 2;
            plain.extend(spelling.chars().map(|c| match c {
                '0' if disguised => 'o',
                '1' if disguised => 'i',
                '3' if disguised => 'e',
                '4' | '@' if disguised => 'a',
                '5' | '$' if disguised => 's',
                '7' if disguised => 't',
                _ => c,
            }));
        }
        // The letters for digits and signs take one byte each as well, so every place stays.
        self.spellings = plain;
    }

    /// Takes words apart that are nothing but known words run together: `IgnorePreviousInstructions`.
    fn part_compounds(&mut self) {
        if self.words.iter().all(|word| word.spelling.len() < COMPOUND_LENGTH) {
            return;
        }
        let mut parted: Vec<Word> = Vec::with_capacity(self.words.len() + 4);
        for word in self.words.drain(..) {
            match parts(&self.spellings, &word) {
                Some(parts) => parted.extend(parts),
                None => parted.push(word),
            }
        }
        self.words = parted;
    }

    /// Makes words of letters that stand alone: `i g n o r e`. Where words run together, as in `i g n o r e a l l`, they
    /// are taken apart again by the list of words that matter.
    fn join_letters(&mut self) {
        let is_single = |word: &Word| word.spelling.len() == 1;
        if self.words.windows(SPACED_LETTERS).all(|run| !run.iter().all(is_single)) {
            return;
        }
        let mut joined: Vec<Word> = Vec::with_capacity(self.words.len());
        let mut letters: Vec<Word> = Vec::new();
        for word in self.words.drain(..) {
            if is_single(&word) {
                letters.push(word);
                continue;
            }
            close_run(&self.spellings, &mut joined, &mut letters);
            joined.push(word);
        }
        close_run(&self.spellings, &mut joined, &mut letters);
        self.words = joined;
    }
}

/// The known words of which a long word consists, each with the place of the whole; `None` where anything is left over.
fn parts(spellings: &str, word: &Word) -> Option<Vec<Word>> {
    let mut parts = Vec::new();
    let mut rest = word.spelling.clone();
    if rest.len() < COMPOUND_LENGTH {
        return None;
    }
    while !rest.is_empty() {
        let length = super::phrases::known_word_at_start(spellings.get(rest.clone())?)?;
        let opens = word.opens && parts.is_empty();
        parts.push(Word { spelling: rest.start..rest.start + length, source: word.source.clone(), opens });
        rest.start += length;
    }
    Some(parts)
}

/// Adds a run of single letters as words.
fn close_run(spellings: &str, words: &mut Vec<Word>, letters: &mut Vec<Word>) {
    if letters.len() < SPACED_LETTERS {
        words.append(letters);
        return;
    }
    let mut rest: &[Word] = letters;
    while let (Some(first), Some(end)) = (rest.first(), rest.last().map(|last| last.spelling.end)) {
        let run = spellings.get(first.spelling.start..end).unwrap_or_default();
        let length = super::phrases::known_word_at_start(run).unwrap_or(1).min(rest.len());
        let (word, others) = rest.split_at(length);
        if let Some(last) = word.last() {
            words.push(Word {
                spelling: first.spelling.start..last.spelling.end,
                source: first.source.start..last.source.end,
                opens: first.opens,
            });
        }
        rest = others;
    }
    letters.clear();
}

/// Characters that are not part of what is read.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}')
}

/// The Latin letter that a Cyrillic, Greek, full-width or mathematical one looks like.
fn latin(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    match c {
        'а' | 'А' | 'α' | 'Α' => 'a',
        'В' | 'Β' | 'Ь' => 'b',
        'с' | 'С' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'ε' | 'Ε' | 'ё' => 'e',
        'ɡ' => 'g',
        'һ' | 'Н' | 'Η' => 'h',
        'і' | 'І' | 'ι' | 'Ι' | 'ı' | 'ї' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' | 'κ' | 'Κ' => 'k',
        'ӏ' | 'Ӏ' => 'l',
        'м' | 'М' | 'Μ' => 'm',
        'ո' | 'Ν' | 'п' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'օ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ѕ' | 'Ѕ' => 's',
        'т' | 'Т' | 'τ' | 'Τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ѡ' | 'ω' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'γ' | 'Υ' => 'y',
        'Ζ' => 'z',
        '\u{FF01}'..='\u{FF5E}' => u32::from(c).checked_sub(0xFEE0).and_then(char::from_u32).unwrap_or(c),
        '\u{1D400}'..='\u{1D6A3}' => mathematical(c),
        _ => c,
    }
}

/// The letter of the mathematical alphabets, which follow one another by 52.
fn mathematical(c: char) -> char {
    let place = (u32::from(c) - 0x1D400) % 26;
    u8::try_from(place).map_or(c, |place| char::from(b'a' + place))
}
