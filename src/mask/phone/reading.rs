//! The groups of digits that may be a telephone number, with what stands between them.

use super::super::line::{Line, is_blank};

/// The longest number without its `+` (ITU-T E.164), in digits.
pub(super) const MAX_DIGITS: usize = 15;

/// A number read group by group.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Digits of each group, with the group's end in the line.
    pub(super) groups: Vec<(usize, usize)>,
    /// The signs between the groups: the weightiest one of each gap.
    pub(super) gaps: Vec<u8>,
    pub(super) digits: usize,
    brackets: bool,
}

impl Reading {
    /// Reads groups of digits from `start` on, past blanks, slashes, hyphens, dots and brackets between them.
    pub(super) fn of(line: Line<'_>, start: usize) -> Self {
        let mut reading = Self::default();
        let mut at = start;
        if line.byte(at) == b'+' {
            at += 1;
        }
        let mut open = false;
        let mut gap = 0;
        loop {
            if line.byte(at) == b'(' && !open && (line.byte(at + 1).is_ascii_digit() || line.byte(at + 1) == b'+') {
                open = true;
                reading.brackets = true;
                at += 1;
                if line.byte(at) == b'+' && reading.groups.is_empty() {
                    at += 1;
                }
                continue;
            }
            let end = line.run(at, |b| b.is_ascii_digit());
            if end == at || reading.digits + (end - at) > MAX_DIGITS + 5 {
                break;
            }
            if !reading.groups.is_empty() {
                reading.gaps.push(gap);
            }
            reading.digits += end - at;
            reading.groups.push((end - at, end));
            at = end;
            if open && line.byte(at) == b')' {
                open = false;
                at += 1;
                if let Some(last) = reading.groups.last_mut() {
                    last.1 = at;
                }
                // "(0)40"
                if line.byte(at).is_ascii_digit() {
                    gap = b' ';
                    continue;
                }
            }
            let Some((next, sign)) = separator(line, at) else { break };
            gap = sign;
            at = next;
        }
        if open {
            // A bracket that never closes belongs to the text.
            let unclosed = reading.groups.iter().position(|&(digits, end)| line.byte_before(end - digits) == b'(');
            if let Some(first) = unclosed.filter(|&i| i > 0) {
                while reading.groups.len() > first {
                    reading.drop_last();
                }
            }
        }
        reading
    }

    pub(super) fn end(&self) -> usize {
        self.groups.last().map_or(0, |&(_, end)| end)
    }

    pub(super) fn drop_last(&mut self) {
        if let Some((digits, _)) = self.groups.pop() {
            self.digits -= digits;
            self.gaps.pop();
        }
    }

    pub(super) fn sizes(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().map(|&(digits, _)| digits)
    }
}

/// Past the signs between two groups, and the weightiest of them.
fn separator(line: Line<'_>, at: usize) -> Option<(usize, u8)> {
    let blank_end = line.run(at, is_blank);
    if blank_end - at > 2 {
        return None;
    }
    let (mark, len) = match line.char(blank_end) {
        Some(c @ ('/' | '-' | '.')) => (u8::try_from(c).unwrap_or(b'-'), 1),
        Some(c @ ('–' | '·' | '—')) => (b'-', c.len_utf8()),
        _ => (b' ', 0),
    };
    let after = line.run(blank_end + len, is_blank);
    let digit =
        |at: usize| line.byte(at).is_ascii_digit() || line.byte(at) == b'(' && line.byte(at + 1).is_ascii_digit();
    let spaced = blank_end > at || after > blank_end + len;
    let fits = digit(after) && after > at && after - blank_end - len <= 1 && !(mark == b'.' && spaced)
        || after == at && line.byte(at) == b'(' && digit(at);
    fits.then_some((after, if len == 0 { b' ' } else { mark }))
}
