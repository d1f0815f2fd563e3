//! A line of text as the detectors read it: by byte position, with no way to run out of bounds.

use std::ops::Range;

/// What stands in the detection view where something has been masked. No detector reads across it.
pub(super) const BARRIER: char = '\u{10FFFD}';

/// One line, without its line break. Every accessor answers for any position: past the end there is nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    text: &'a str,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text }
    }

    pub(super) fn text(self) -> &'a str {
        self.text
    }

    pub(super) fn len(self) -> usize {
        self.text.len()
    }

    /// The byte at `at`; 0 past the end.
    pub(super) fn byte(self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The byte before `at`; 0 at the start.
    pub(super) fn byte_before(self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |at| self.byte(at))
    }

    /// The character that starts at `at`.
    pub(super) fn char(self, at: usize) -> Option<char> {
        self.from(at).chars().next()
    }

    /// The character that ends at `at`.
    pub(super) fn char_before(self, at: usize) -> Option<char> {
        self.to(at).chars().next_back()
    }

    /// The text in `range`; empty where the range is none.
    pub(super) fn slice(self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or("")
    }

    /// The text from `at` on.
    pub(super) fn from(self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or("")
    }

    /// The text up to `at`.
    pub(super) fn to(self, at: usize) -> &'a str {
        self.text.get(..at).unwrap_or("")
    }

    /// The end of the run of bytes from `at` on that `is` accepts.
    pub(super) fn run(self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or(&[]);
        at + rest.iter().position(|&b| !is(b)).unwrap_or(rest.len())
    }

    /// The start of the run of bytes up to `at` that `is` accepts.
    pub(super) fn run_back(self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        let head = self.text.as_bytes().get(..at).unwrap_or(&[]);
        head.iter().rposition(|&b| !is(b)).map_or(0, |last| last + 1)
    }

    /// At most `max` bytes of the text from `at` on, cut at a character boundary.
    pub(super) fn window(self, at: usize, max: usize) -> &'a str {
        let rest = self.from(at);
        if rest.len() <= max {
            return rest;
        }
        let mut end = max;
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        rest.get(..end).unwrap_or("")
    }

    /// The same as [`Self::run`], within `max` bytes.
    pub(super) fn run_within(self, at: usize, max: usize, is: impl Fn(u8) -> bool) -> usize {
        at + self.window(at, max).bytes().take_while(|&b| is(b)).count()
    }

    /// The same as [`Self::run_back`], within `max` bytes.
    pub(super) fn run_back_within(self, at: usize, max: usize, is: impl Fn(u8) -> bool) -> usize {
        at - self.to(at).bytes().rev().take(max).take_while(|&b| is(b)).count()
    }

    /// The end of the run of characters from `at` on that `is` accepts.
    pub(super) fn run_chars(self, at: usize, is: impl Fn(char) -> bool) -> usize {
        let rest = self.from(at);
        at + rest.find(|c| !is(c)).unwrap_or(rest.len())
    }

    /// Past the blanks from `at` on.
    pub(super) fn skip_blanks(self, at: usize) -> usize {
        self.run(at, is_blank)
    }

    /// Whether a word could start at `at`: what stands before is no letter, digit or underscore.
    pub(super) fn starts_word(self, at: usize) -> bool {
        !self.char_before(at).is_some_and(is_word)
    }

    /// Whether a word could end at `at`.
    pub(super) fn ends_word(self, at: usize) -> bool {
        !self.char(at).is_some_and(is_word)
    }

    /// Whether the text from `at` on starts with `prefix`, whatever the case of ASCII letters.
    pub(super) fn has_at(self, at: usize, prefix: &str) -> bool {
        self.text.as_bytes().get(at..at + prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix.as_bytes()))
    }

    /// The word (letters, digits, underscores) that ends at `at`.
    pub(super) fn word_before(self, at: usize) -> &'a str {
        let head = self.to(at);
        let start = head.char_indices().rev().take_while(|&(_, c)| is_word(c)).last().map_or(at, |(i, _)| i);
        self.slice(start..at)
    }

    /// The last `count` characters' worth of bytes before `at`, cut at a character boundary.
    pub(super) fn tail_before(self, at: usize, count: usize) -> &'a str {
        let head = self.to(at);
        let mut start = head.len().saturating_sub(count);
        while !head.is_char_boundary(start) {
            start += 1;
        }
        head.get(start..).unwrap_or("")
    }
}

/// Letters, digits and the underscore.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A blank within a line.
pub(super) fn is_blank(b: u8) -> bool {
    b == b' ' || b == b'\t'
}

/// How many ASCII digits `text` has.
pub(super) fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}
