//! A text taken apart for the search for hedges: words in one spelling, sentences, quotations and questions.

use crate::domain::slug::spelled_out;
use std::ops::Range;

/// Quoted stretches of at most so many words are a mention.
const MENTION_WORDS: usize = 3;
/// How far behind an opening quotation mark its partner is looked for, in bytes: three long words.
const MENTION_BYTES: usize = 120;
/// How far behind a question mark is read to see whether it ends what is said, in bytes.
const QUESTION_WINDOW: usize = 48;

/// A text and its words.
pub(super) struct Text<'a> {
    source: &'a str,
    /// The words' spellings, one after the other.
    spellings: String,
    words: Vec<Word>,
}

struct Word {
    spelling: Range<usize>,
    source: Range<usize>,
    sentence: usize,
    has_capital: bool,
    opens_sentence: bool,
    /// Part of a compound ("Soll-Wert"), or quoted as a word.
    is_mention: bool,
}

impl<'a> Text<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        let mut text = Self { source, spellings: String::with_capacity(source.len() + 8), words: Vec::new() };
        text.split();
        text.mark_mentions();
        text
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The spelling of a word: lower case, `ue` for `ü`, without invisible characters. Empty beyond the last.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).and_then(|word| self.spellings.get(word.spelling.clone())).unwrap_or_default()
    }

    /// The word `by` places before, in the same sentence; else empty.
    pub(super) fn before(&self, at: usize, by: usize) -> &str {
        at.checked_sub(by).filter(|other| self.same_sentence(*other, at)).map_or("", |other| self.word(other))
    }

    /// The word `by` places after, in the same sentence; else empty.
    pub(super) fn after(&self, at: usize, by: usize) -> &str {
        if self.same_sentence(at, at + by) { self.word(at + by) } else { "" }
    }

    pub(super) fn same_sentence(&self, left: usize, right: usize) -> bool {
        match (self.words.get(left), self.words.get(right)) {
            (Some(left), Some(right)) => left.sentence == right.sentence,
            _ => false,
        }
    }

    /// The words that follow in the sentence, at most `limit`.
    pub(super) fn rest(&self, at: usize, limit: usize) -> impl Iterator<Item = &str> {
        (at + 1..=at + limit).take_while(move |other| self.same_sentence(at, *other)).map(|other| self.word(other))
    }

    /// The words around, at most `limit` to each side, without the word itself.
    pub(super) fn around(&self, at: usize, limit: usize) -> impl Iterator<Item = &str> {
        let before = (at.saturating_sub(limit)..at).filter(move |other| self.same_sentence(at, *other));
        before.map(|other| self.word(other)).chain(self.rest(at, limit))
    }

    pub(super) fn has_capital(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.has_capital)
    }

    pub(super) fn opens_sentence(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.opens_sentence)
    }

    pub(super) fn is_mention(&self, at: usize) -> bool {
        self.words.get(at).is_none_or(|word| word.is_mention)
    }

    /// Where the words from `first` to `last` stand in the source.
    pub(super) fn range(&self, first: usize, last: usize) -> Range<usize> {
        let end = self.words.get(last).map_or(self.source.len(), |word| word.source.end);
        self.words.get(first).map_or(end, |word| word.source.start)..end
    }

    /// What stands between a word and the next.
    pub(super) fn gap_after(&self, at: usize) -> &str {
        let start = self.words.get(at).map_or(self.source.len(), |word| word.source.end);
        let end = self.words.get(at + 1).map_or(self.source.len(), |word| word.source.start);
        self.source.get(start..end).unwrap_or_default()
    }

    /// The first question mark that asks: at the end of a word or alone, and not inside a quotation that goes on.
    pub(super) fn question(&self) -> Option<Range<usize>> {
        let mut before = ' ';
        let mut word_start = 0;
        for (at, c) in self.source.char_indices() {
            if c.is_whitespace() {
                word_start = at + c.len_utf8();
            }
            if c == '?' && !matches!(before, '"' | '\'' | '`' | '„' | '“' | '‚' | '‘' | '«' | '»' | '/') {
                // A window, so that a text of question marks is read once, not once for each.
                let rest = self.source.get(at..).unwrap_or_default();
                let rest = rest.get(..rest.floor_char_boundary(QUESTION_WINDOW)).unwrap_or_default();
                let behind = rest.trim_start_matches(['?', '!', ')', '.', '*', '_']);
                let unquoted = behind.trim_start_matches(is_quote);
                let ends_word = behind.is_empty() || behind.starts_with(char::is_whitespace);
                let ends_text = unquoted.len() < behind.len() && !unquoted.contains(char::is_alphanumeric);
                let is_address = self.source.get(word_start..at).is_some_and(|word| word.contains("://"));
                if (ends_word || ends_text) && !is_address {
                    return Some(at..at + 1);
                }
            }
            before = c;
        }
        None
    }

    fn split(&mut self) {
        let mut sentence = 0;
        let mut opens_sentence = true;
        let mut start = None;
        let mut before = ' ';
        let mut chars = self.source.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map_or(' ', |(_, next)| *next);
            let joins =
                is_invisible(c) || matches!(c, '\'' | '’') && before.is_alphanumeric() && next.is_alphanumeric();
            if c.is_alphanumeric() || start.is_some() && (is_mark(c) || joins) {
                let first = *start.get_or_insert(at);
                if first == at {
                    self.words.push(Word {
                        spelling: self.spellings.len()..self.spellings.len(),
                        source: at..at,
                        sentence,
                        has_capital: c.is_uppercase(),
                        opens_sentence,
                        is_mention: before == '-' && !is_bullet(self.source, at),
                    });
                    opens_sentence = false;
                }
                self.spell(c);
                if let Some(word) = self.words.last_mut() {
                    word.spelling.end = self.spellings.len();
                    if !is_invisible(c) {
                        word.source.end = at + c.len_utf8();
                    }
                }
            } else if !is_invisible(c) {
                if start.take().is_some() && matches!(c, '-' | '/') && next.is_alphanumeric() {
                    // A slash joins too: "Soll/Ist".
                    if let Some(word) = self.words.last_mut() {
                        word.is_mention = true;
                    }
                }
                if ends_sentence(c, next) {
                    let is_abbreviation = c == '.' && self.is_abbreviation();
                    sentence += usize::from(!is_abbreviation);
                    opens_sentence |= !is_abbreviation;
                }
            }
            if !is_invisible(c) {
                before = c;
            }
        }
    }

    fn spell(&mut self, c: char) {
        if let Some(letters) = spelled_out(c) {
            self.spellings.push_str(letters);
            return;
        }
        match c {
            '\u{308}' if self.spellings.ends_with(['a', 'o', 'u']) => self.spellings.push('e'),
            '’' => self.spellings.push('\''),
            _ if is_invisible(c) || is_mark(c) => {}
            _ => self.spellings.extend(c.to_lowercase()),
        }
    }

    /// Whether the last word is one that is written with a full stop: a number, a letter, or one of the usual.
    fn is_abbreviation(&self) -> bool {
        let last = self.word(self.words.len().saturating_sub(1));
        last.len() == 1
            || last.bytes().all(|byte| byte.is_ascii_digit()) && last.len() < 3
            || matches!(last, "evtl" | "ggf" | "bzw" | "ca" | "bspw" | "inkl" | "zzgl" | "etc" | "vs" | "nr" | "vgl")
    }

    /// Marks quoted stretches of a few words, unless they are the whole text.
    fn mark_mentions(&mut self) {
        let source = self.source;
        let mut opened: Option<(usize, char)> = None;
        let mut before = ' ';
        let mut at_word = 0;
        let mut chars = source.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map_or(' ', |(_, next)| *next);
            match opened {
                Some((start, close)) if is_partner(c, close) && (c != '\'' || !next.is_alphanumeric()) => {
                    opened = None;
                    while self.words.get(at_word).is_some_and(|word| word.source.start < start) {
                        at_word += 1;
                    }
                    let inside = |word: &&mut Word| word.source.end <= at;
                    let from = self.words.get(at_word..).unwrap_or_default();
                    let count = from.iter().take_while(|word| word.source.end <= at).take(MENTION_WORDS + 1).count();
                    let is_all = count == self.words.len();
                    if count <= MENTION_WORDS && !is_all {
                        self.words.iter_mut().skip(at_word).take_while(inside).for_each(|word| word.is_mention = true);
                    }
                }
                Some((start, _)) if at - start > MENTION_BYTES => opened = None,
                None => {
                    if let Some(close) = partner(c).filter(|_| !before.is_alphanumeric()) {
                        opened = Some((at, close));
                    }
                }
                Some(_) => {}
            }
            before = c;
        }
    }
}

/// The mark that closes what this one opens.
fn partner(open: char) -> Option<char> {
    Some(match open {
        '"' | '\'' | '`' => open,
        '„' | '“' | '”' => '“',
        '‚' | '‘' => '‘',
        '«' | '»' => '«',
        _ => return None,
    })
}

fn is_partner(c: char, close: char) -> bool {
    match close {
        '“' => matches!(c, '“' | '”' | '"'),
        '‘' => matches!(c, '‘' | '’'),
        '«' => matches!(c, '«' | '»'),
        _ => c == close,
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '«' | '»')
}

/// Whether the hyphen before this place is a list's, or a dash: with nothing but a blank before it.
fn is_bullet(source: &str, at: usize) -> bool {
    let before = source.get(..at).unwrap_or_default().trim_end_matches('-');
    !before.ends_with(char::is_alphanumeric)
}

fn ends_sentence(c: char, next: char) -> bool {
    c == '\n' || matches!(c, '.' | '!' | '?' | ':' | ';' | '…') && (next.is_whitespace() || is_quote(next))
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}
