//! A line as words, the way addresses are written: letters, figures and hyphens, with the point of an abbreviation.

use super::super::line::Line;
use super::lists::COUNTRIES;

/// The words of a line: letters, figures and hyphens, with the point of an abbreviation.
pub(super) struct Words {
    pub(super) list: Vec<Word>,
}

#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Words {
    pub(super) fn of(line: Line<'_>) -> Self {
        let mut list = Vec::new();
        let mut at = 0;
        while at < line.len() {
            let mut start = at + line.from(at).find(char::is_alphanumeric).unwrap_or(line.len() - at);
            // The country before a postcode is read from the postcode.
            let country = COUNTRIES.iter().find(|country| {
                line.from(start).starts_with(**country) && line.byte(start + country.len()).is_ascii_digit()
            });
            start += country.map_or(0, |country| country.len());
            let mut end = line.run_chars(start, |c| c.is_alphanumeric() || c == '-' || c == '\'' || c == '’');
            if end == start {
                break;
            }
            while line.byte_before(end) == b'-' {
                end -= 1;
            }
            // "Hauptstr." keeps its point, and "Prof.-Dr.-Weg" its middle ones.
            while line.byte(end) == b'.'
                && (line.byte(end + 1) == b'-' && line.char(end + 2).is_some_and(char::is_alphabetic))
            {
                end = line.run_chars(end + 2, |c| c.is_alphanumeric() || c == '-');
            }
            if line.byte(end) == b'.'
                && ends_with_any(&line.slice(start..end).to_lowercase(), &["str", "st", "ave", "rd", "blvd", "dr"])
            {
                end += 1;
            }
            list.push(Word { start, end });
            at = end;
        }
        Self { list }
    }

    /// The word at `index`, when nothing but one or two blanks is between it and the one before.
    pub(super) fn next(&self, line: Line<'_>, index: usize) -> Option<Word> {
        let word = *self.list.get(index)?;
        let before = self.list.get(index.checked_sub(1)?)?;
        let gap = line.slice(before.end..word.start);
        ((gap.is_empty() && line.byte_before(before.end) == b'.')
            || (1..=2).contains(&gap.len()) && gap.bytes().all(|b| b == b' '))
        .then_some(word)
    }
}

pub(super) fn ends_with_any(word: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| word.ends_with(ending))
}

pub(super) fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}
