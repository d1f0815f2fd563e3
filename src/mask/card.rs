//! Payment card numbers: issuer prefix, length and Luhn's check digit.

use super::Kind;
use super::line::Line;
use super::overlap::Span;

/// Card numbers have 12 to 19 digits (ISO/IEC 7812; 12 for Maestro).
const DIGITS: std::ops::RangeInclusive<usize> = 12..=19;

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    let bytes = line.text().as_bytes();
    let mut at = 0;
    while let Some(step) = bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
        let start = at + step;
        let run_end = line.run(start, |b| b.is_ascii_digit());
        match card_at(line, start, run_end) {
            Some(end) => {
                out.push(Span::new(start..end, Kind::Card, "card"));
                at = end;
            }
            None => at = run_end,
        }
    }
}

fn card_at(line: Line<'_>, start: usize, run_end: usize) -> Option<usize> {
    if run_end - start > *DIGITS.end() || !fits_before(line, start) {
        return None;
    }
    let mut digits = Vec::with_capacity(*DIGITS.end());
    let mut groups = Vec::new();
    let mut at = start;
    let mut separator = 0;
    let mut best = None;
    loop {
        let end = line.run(at, |b| b.is_ascii_digit());
        let group = end - at;
        if group == 0 || digits.len() + group > *DIGITS.end() {
            break;
        }
        digits.extend(line.slice(at..end).bytes().map(|b| b - b'0'));
        groups.push(group);
        if fits_after(line, end) && is_card(&digits, &groups) {
            best = Some(end);
        }
        let next = line.byte(end);
        if !matches!(next, b' ' | b'-' | b'.') || separator != 0 && next != separator {
            break;
        }
        separator = next;
        at = end + 1;
    }
    best
}

fn fits_before(line: Line<'_>, start: usize) -> bool {
    let before = line.byte_before(start);
    let joined = matches!(before, b'-' | b'_' | b'.' | b',' | b'/' | b'+')
        && line.char_before(start - 1).is_some_and(char::is_alphanumeric);
    line.starts_word(start) && !joined && !matches!(before, b'+' | b'$')
}

fn fits_after(line: Line<'_>, end: usize) -> bool {
    let joined =
        matches!(line.byte(end), b'-' | b'_' | b'.' | b',' | b'/') && line.byte(end + 1).is_ascii_alphanumeric();
    // A mistyped letter at the end, `4111…1111x`, makes it no other number.
    let stray = line.byte(end).is_ascii_lowercase() && line.ends_word(end + 1);
    (line.ends_word(end) || stray) && !joined || matches!(line.byte(end), b' ' | b'-')
}

fn is_card(digits: &[u8], groups: &[usize]) -> bool {
    let grouped = match groups {
        // In one; American Express and Diners; four by four, and the rests of longer numbers.
        [_] | [4, 6, 4 | 5] => true,
        [4, 4, 4, last] => *last <= 4,
        [4, 4, 4, 4, last] => *last <= 3,
        _ => false,
    };
    grouped
        && DIGITS.contains(&digits.len())
        && digits.iter().any(|&d| Some(&d) != digits.first())
        && has_issuer(digits)
        && luhn(digits)
}

/// Whether the prefix is an issuer's, with the lengths that it gives out.
fn has_issuer(digits: &[u8]) -> bool {
    let prefix = |count: usize| digits.iter().take(count).fold(0_u32, |n, &d| n * 10 + u32::from(d));
    let len = digits.len();
    match prefix(1) {
        4 => matches!(len, 13 | 16 | 19),
        5 => {
            matches!(len, 16) && matches!(prefix(2), 51..=55)
                || matches!(prefix(2), 50 | 56..=58) && (12..=19).contains(&len)
        }
        2 => len == 16 && (2221..=2720).contains(&prefix(4)) || len == 15 && matches!(prefix(4), 2014 | 2149 | 2131),
        3 => match prefix(2) {
            34 | 37 => len == 15,
            36 | 38 | 39 => (14..=19).contains(&len),
            30 => matches!(prefix(3), 300..=305 | 309) && (14..=19).contains(&len),
            35 => (3528..=3589).contains(&prefix(4)) && (16..=19).contains(&len),
            _ => false,
        },
        6 => match prefix(2) {
            60 | 64 | 65 | 62 => (16..=19).contains(&len),
            61 | 63 | 66 | 67 | 68 | 69 => {
                matches!(prefix(4), 6304 | 6390 | 6759 | 6761..=6763) && (12..=19).contains(&len)
            }
            _ => false,
        },
        1 => prefix(4) == 1800 && len == 15,
        _ => false,
    }
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, &d)| {
            let d = u32::from(d);
            if i % 2 == 0 { d } else { d * 2 / 10 + d * 2 % 10 }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn cards_are_found_bare_and_grouped() {
        assert_masked(&[
            ("Karte 4111111111111111 abgelaufen", "Karte [CARD] abgelaufen"),
            ("4111 1111 1111 1111", "[CARD]"),
            ("5500-0000-0000-0004.", "[CARD]."),
            ("4111 1111 1111 1111x, 4111111111111111x", "[CARD]x, [CARD]x"),
            ("Amex 3782 822463 10005", "Amex [CARD]"),
        ]);
    }

    #[test]
    fn numbers_of_other_kinds_stay() {
        assert_kept(&[
            "4111111111111112",
            "Zeit 1716297000005 ms",
            "20260521143022",
            "0.4111111111111111",
            "4111 1111",
            "0000000000000000",
            "id_4111111111111111",
        ]);
    }
}
