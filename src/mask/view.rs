//! The detection view: the line as a reader sees it, with a way back to the bytes it came from.
//!
//! Zero-width and format characters are dropped, full-width forms and special blanks folded, letters with combining marks
//! composed, and every placeholder or earlier finding is one [`BARRIER`]. Most lines need none of this and are borrowed.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::char::compose;

use super::Kind;
use super::line::{BARRIER, Line};

/// A line's text for detection, and where each part of it stands in the input.
#[derive(Debug)]
pub(super) struct View<'a> {
    text: Cow<'a, str>,
    /// Where the input starts, for a view that is the input itself; else the stretches the view is made of, in order.
    map: Map,
}

#[derive(Debug)]
enum Map {
    Same { offset: usize },
    Stretches(Vec<Stretch>),
}

/// A part of the view: either copied byte for byte, or one character made from other bytes.
#[derive(Clone, Debug)]
struct Stretch {
    view: Range<usize>,
    raw: Range<usize>,
    copied: bool,
}

impl<'a> View<'a> {
    /// The view of `raw[line]`, in which `masked` (sorted, within the line) are already masked.
    pub(super) fn new(raw: &'a str, line: Range<usize>, masked: impl Iterator<Item = Range<usize>>) -> Self {
        let text = raw.get(line.clone()).unwrap_or("");
        let mut masked = masked.peekable();
        if masked.peek().is_none() && is_plain(text) {
            return Self { text: Cow::Borrowed(text), map: Map::Same { offset: line.start } };
        }
        let mut builder = Builder::default();
        let mut at = line.start;
        for span in masked {
            builder.push_text(raw, at..span.start);
            builder.push_barrier(span.clone());
            at = span.end;
        }
        builder.push_text(raw, at..line.end);
        Self { text: Cow::Owned(builder.text), map: Map::Stretches(builder.stretches) }
    }

    pub(super) fn line(&self) -> Line<'_> {
        Line::new(&self.text)
    }

    /// The input's bytes behind a range of the view. `None` for an empty range.
    pub(super) fn raw(&self, range: &Range<usize>) -> Option<Range<usize>> {
        if range.is_empty() {
            return None;
        }
        match &self.map {
            Map::Same { offset } => Some(range.start + offset..range.end + offset),
            Map::Stretches(stretches) => {
                let find = |at: usize| stretches.get(stretches.partition_point(|s| s.view.end <= at));
                let first = find(range.start)?;
                let last = find(range.end - 1)?;
                let start = first.raw.start + if first.copied { range.start - first.view.start } else { 0 };
                let end = if last.copied { last.raw.start + (range.end - last.view.start) } else { last.raw.end };
                Some(start..end)
            }
        }
    }
}

/// Whether the view of `text` is `text`: nothing to drop, fold or compose, and no placeholder.
fn is_plain(text: &str) -> bool {
    if text.is_ascii() {
        return !text.contains('[') || !has_placeholder(text);
    }
    !text.chars().any(|c| c >= '\u{A0}' && fold(c) != Fold::Keep) && !has_placeholder(text)
}

fn has_placeholder(text: &str) -> bool {
    text.match_indices('[').any(|(at, _)| placeholder_at(text, at).is_some())
}

/// The length of the placeholder that starts at `at`.
pub(super) fn placeholder_at(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    Kind::ALL.iter().map(|kind| kind.placeholder()).find(|placeholder| rest.starts_with(placeholder)).map(str::len)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    Keep,
    Drop,
    Mark,
    /// A letter of another script that looks like a Latin one.
    LookAlike,
    To(char),
}

/// What becomes of a character beyond ASCII.
fn fold(c: char) -> Fold {
    match c {
        '\u{00AD}'
        | '\u{034F}'
        | '\u{061C}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E01EF}' => Fold::Drop,
        '\u{00A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => Fold::To(' '),
        '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{FE63}' => Fold::To('-'),
        '\u{FE6B}' => Fold::To('@'),
        '\u{2024}' | '\u{3002}' => Fold::To('.'),
        // Full-width forms of ASCII stand in ASCII's order.
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).map_or(Fold::Keep, Fold::To),
        '\u{0300}'..='\u{036F}' => Fold::Mark,
        _ if look_alike(c).is_some() => Fold::LookAlike,
        _ => Fold::Keep,
    }
}

/// The Latin letter that a Cyrillic or Greek one can't be told from.
fn look_alike(c: char) -> Option<char> {
    const ALIKE: &[(char, char)] = &[
        ('Α', 'A'),
        ('Β', 'B'),
        ('Ε', 'E'),
        ('Ζ', 'Z'),
        ('Η', 'H'),
        ('Ι', 'I'),
        ('Κ', 'K'),
        ('Μ', 'M'),
        ('Ν', 'N'),
        ('Ο', 'O'),
        ('Ρ', 'P'),
        ('Τ', 'T'),
        ('Υ', 'Y'),
        ('Χ', 'X'),
        ('ι', 'i'),
        ('ν', 'v'),
        ('ο', 'o'),
        ('ρ', 'p'),
        ('Ѕ', 'S'),
        ('І', 'I'),
        ('Ј', 'J'),
        ('А', 'A'),
        ('В', 'B'),
        ('Е', 'E'),
        ('К', 'K'),
        ('М', 'M'),
        ('Н', 'H'),
        ('О', 'O'),
        ('Р', 'P'),
        ('С', 'C'),
        ('Т', 'T'),
        ('У', 'Y'),
        ('Х', 'X'),
        ('а', 'a'),
        ('е', 'e'),
        ('о', 'o'),
        ('р', 'p'),
        ('с', 'c'),
        ('у', 'y'),
        ('х', 'x'),
        ('ѕ', 's'),
        ('і', 'i'),
        ('ј', 'j'),
        ('һ', 'h'),
    ];
    if !('\u{370}'..='\u{4FF}').contains(&c) {
        return None;
    }
    ALIKE.iter().find(|(alike, _)| *alike == c).map(|(_, latin)| *latin)
}

/// Whether the letter at `at` is in a word of Latin letters and look-alikes: one of another script stays as it is.
fn stands_among_latin(text: &str, at: usize) -> bool {
    /// How far is looked on either side, in characters.
    const REACH: usize = 24;
    let word = |c: &char| c.is_alphabetic();
    let after = text.get(at..).unwrap_or("").chars().take(REACH).take_while(word);
    let before = text.get(..at).unwrap_or("").chars().rev().take(REACH).take_while(word);
    let mut latin = false;
    for c in after.chain(before) {
        let is_latin = c < '\u{250}' || ('\u{1E00}'..='\u{1EFF}').contains(&c);
        if !is_latin && look_alike(c).is_none() {
            return false;
        }
        latin |= is_latin;
    }
    latin
}

#[derive(Default)]
struct Builder {
    text: String,
    stretches: Vec<Stretch>,
}

impl Builder {
    fn push_text(&mut self, raw: &str, range: Range<usize>) {
        let Some(text) = raw.get(range.clone()) else { return };
        let mut skip_to = 0;
        for (at, c) in text.char_indices() {
            if at < skip_to {
                continue;
            }
            let here = range.start + at;
            let span = here..here + c.len_utf8();
            if c == '['
                && let Some(len) = placeholder_at(text, at)
            {
                self.push_barrier(here..here + len);
                skip_to = at + len;
                continue;
            }
            match if c.is_ascii() { Fold::Keep } else { fold(c) } {
                Fold::Keep => self.push_char(c, span),
                Fold::To(folded) => self.push_char(folded, span),
                Fold::Drop => {}
                Fold::Mark => self.push_mark(c, span),
                Fold::LookAlike => {
                    let latin = look_alike(c).filter(|_| stands_among_latin(text, at));
                    self.push_char(latin.unwrap_or(c), span);
                }
            }
        }
    }

    fn push_barrier(&mut self, span: Range<usize>) {
        self.push_char(BARRIER, span);
    }

    fn push_char(&mut self, c: char, raw: Range<usize>) {
        let start = self.text.len();
        self.text.push(c);
        let view = start..self.text.len();
        let copied = c != BARRIER && view.len() == raw.len();
        if let Some(last) = self.stretches.last_mut()
            && copied
            && last.copied
            && last.raw.end == raw.start
        {
            last.view.end = view.end;
            last.raw.end = raw.end;
            return;
        }
        self.stretches.push(Stretch { view, raw, copied });
    }

    /// A combining mark: one character with the letter before it, where Unicode has one; else a character of its own.
    fn push_mark(&mut self, mark: char, raw: Range<usize>) {
        let composed = self.text.chars().next_back().and_then(|base| compose(base, mark).map(|c| (base, c)));
        let Some((base, composed)) = composed else { return self.push_char(mark, raw) };
        let Some(last) = self.stretches.last_mut() else { return };
        let base_view = self.text.len() - base.len_utf8();
        let base_raw = if last.copied && last.view.len() > base.len_utf8() {
            let start = last.raw.end - base.len_utf8();
            last.view.end = base_view;
            last.raw.end = start;
            start
        } else {
            let start = last.raw.start;
            self.stretches.pop();
            start
        };
        self.text.truncate(base_view);
        let start = self.text.len();
        self.text.push(composed);
        self.stretches.push(Stretch { view: start..self.text.len(), raw: base_raw..raw.end, copied: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(raw: &str) -> View<'_> {
        View::new(raw, 0..raw.len(), std::iter::empty())
    }

    #[test]
    fn plain_lines_are_borrowed() {
        assert!(matches!(view("Grüße an Anna [x]").text, Cow::Borrowed(_)));
    }

    #[test]
    fn what_a_reader_does_not_see_is_gone_and_found_again() {
        let raw = "a\u{200B}b @\u{FF41}\u{A0}u\u{308}x [NAME]!";
        let view = view(raw);
        assert_eq!(view.line().text(), format!("ab @a üx {BARRIER}!"));
        let at = view.line().text().find('ü').unwrap();
        let raw_span = view.raw(&(at..at + 'ü'.len_utf8())).unwrap();
        assert_eq!(&raw[raw_span], "u\u{308}");
        assert_eq!(&raw[view.raw(&(0..2)).unwrap()], "a\u{200B}b");
        let at = view.line().text().find(BARRIER).unwrap();
        assert_eq!(&raw[view.raw(&(at..at + 4)).unwrap()], "[NAME]");
        let end = view.line().len();
        assert_eq!(&raw[view.raw(&(end - 1..end)).unwrap()], "!");
    }

    #[test]
    fn look_alikes_are_read_as_latin_only_among_latin_letters() {
        for (raw, read) in
            [("\u{410}nna", "Anna"), ("p\u{430}ssw\u{43E}rd", "password"), ("Москва", "Москва"), ("Тор", "Тор")]
        {
            assert_eq!(view(raw).line().text(), read);
        }
    }

    #[test]
    fn earlier_findings_are_barriers() {
        let raw = "x secret y";
        let view = View::new(raw, 0..raw.len(), std::iter::once(2..8));
        assert_eq!(view.line().text(), format!("x {BARRIER} y"));
        let end = view.line().len();
        assert_eq!(&raw[view.raw(&(end - 1..end)).unwrap()], "y");
    }
}
