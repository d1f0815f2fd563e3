//! A line as words, figures and signs, each with what the name rules ask of it.

use std::ops::Range;

use super::super::line::{BARRIER, Line};
use super::lists::{self, Flags};

/// What a token looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) enum Shape {
    /// Only small letters.
    Lower,
    /// A capital, then small letters.
    Capital,
    /// Only capitals, two or more.
    Upper,
    /// One capital letter.
    Initial,
    /// Capitals within: `McDonald`, `GmbH`, `Anna-Lena`.
    Mixed,
    /// Starts with a figure.
    Number,
    /// One sign.
    #[default]
    Sign,
    /// Something that is masked already.
    Barrier,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    pub(super) shape: Shape,
    /// The lists the word stands in; for a genitive, those of the name without its `s`.
    pub(super) flags: Flags,
    /// Hash of the word in lower case.
    pub(super) word: u32,
    /// Hashes of the first three letters, and the last two, three and four.
    pub(super) affixes: [u32; 4],
    /// Whether white space stands before it.
    pub(super) spaced: bool,
    pub(super) hyphened: bool,
    /// Only without its `s` it stands in a list.
    pub(super) genitive: bool,
    /// Characters.
    pub(super) len: u8,
}

impl Token {
    /// Whether the token may be part of a name by its looks: a word with a capital at its start.
    pub(super) fn is_capital(&self) -> bool {
        matches!(self.shape, Shape::Capital | Shape::Upper | Shape::Mixed)
    }

    pub(super) fn is(&self, lists: u8) -> bool {
        self.flags.any(lists)
    }
}

/// FNV-1a, 32 bits.
pub(super) fn hash(seed: u32, bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes.into_iter().fold(seed ^ 0x811C_9DC5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

/// Reads a line into tokens.
pub(super) fn tokens(line: Line<'_>) -> Vec<Token> {
    let text = line.text();
    let mut list = Vec::with_capacity(text.len() / 5 + 1);
    let mut lower = String::new();
    let mut spaced = true;
    let mut at = 0;
    while let Some(c) = line.char(at) {
        if c.is_whitespace() {
            spaced = true;
            at += c.len_utf8();
            continue;
        }
        let token = if c.is_alphabetic() { word(line, at, &mut lower) } else { other(line, at, c) };
        at = token.range.end;
        list.push(Token { spaced: std::mem::take(&mut spaced), ..token });
    }
    list
}

/// A word: letters with hyphens and apostrophes between them. An English genitive's `'s` stays outside.
fn word(line: Line<'_>, start: usize, lower: &mut String) -> Token {
    lower.clear();
    let (mut len, mut capitals, mut first_capital, mut hyphened) = (0_u32, 0_u32, false, false);
    let mut end = start;
    let mut chars = line.from(start).char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let here = start + i;
        if c.is_alphabetic() || is_mark(c) {
            len += 1;
            if c.is_uppercase() {
                capitals += 1;
                first_capital |= len == 1;
            }
            if c.is_ascii() {
                lower.push(c.to_ascii_lowercase());
            } else {
                lower.extend(c.to_lowercase());
            }
        } else if matches!(c, '-' | '\'' | '’') && chars.peek().is_some_and(|(_, next)| next.is_alphabetic()) {
            let rest = line.from(here + c.len_utf8());
            let genitive =
                c != '-' && rest.starts_with(['s', 'S']) && !rest.chars().nth(1).is_some_and(char::is_alphabetic);
            if genitive {
                break;
            }
            hyphened |= c == '-';
            lower.push(c);
        } else {
            break;
        }
        end = here + c.len_utf8();
    }
    let shape = match (capitals, len) {
        (0, _) => Shape::Lower,
        (1, 1) => Shape::Initial,
        (n, len) if n == len => Shape::Upper,
        (1, _) if first_capital => Shape::Capital,
        _ => Shape::Mixed,
    };
    let mut flags = lists::flags(lower);
    let mut genitive = false;
    if flags.bits() == 0
        && let Some(stem) = lower.strip_suffix('s').filter(|stem| stem.len() > 2)
    {
        flags = lists::flags(stem);
        genitive = flags.bits() != 0;
    }
    let tail = |count: usize| {
        lower.char_indices().rev().nth(count - 1).map_or(lower.as_str(), |(i, _)| lower.get(i..).unwrap_or("")).bytes()
    };
    let head = lower.char_indices().nth(3).map_or(lower.as_str(), |(i, _)| lower.get(..i).unwrap_or("")).bytes();
    let affixes = [hash(1, head), hash(2, tail(2)), hash(3, tail(3)), hash(4, tail(4))];
    Token {
        range: start..end,
        shape,
        flags,
        word: hash(0, lower.bytes()),
        affixes,
        spaced: false,
        hyphened,
        genitive,
        len: u8::try_from(len).unwrap_or(u8::MAX),
    }
}

/// Combining marks that the view could not compose stay in their word.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

fn other(line: Line<'_>, start: usize, c: char) -> Token {
    let (shape, end) = if c == BARRIER {
        (Shape::Barrier, start + c.len_utf8())
    } else if c.is_numeric() {
        (Shape::Number, line.run_chars(start, |c| c.is_alphanumeric() || c == '_'))
    } else {
        (Shape::Sign, start + c.len_utf8())
    };
    // Figures are alike by their count, signs by themselves.
    let word = if shape == Shape::Number {
        hash(5, [u8::try_from((end - start).min(9)).unwrap_or(9)])
    } else {
        hash(0, line.slice(start..end).bytes())
    };
    Token {
        range: start..end,
        shape,
        flags: Flags::default(),
        word,
        affixes: [0; 4],
        spaced: false,
        hyphened: false,
        genitive: false,
        len: u8::try_from(end - start).unwrap_or(u8::MAX),
    }
}
