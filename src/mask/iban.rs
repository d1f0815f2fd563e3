//! International bank account numbers, by checksum.

use iban::Iban;

use super::Kind;
use super::line::Line;
use super::overlap::Span;

/// The longest and the shortest IBAN, in characters without blanks (ISO 13616).
const LENGTHS: std::ops::RangeInclusive<usize> = 15..=34;

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    let bytes = line.text().as_bytes();
    let mut skip_to = 0;
    for (at, pair) in bytes.windows(3).enumerate() {
        let &[a, b, c] = pair else { continue };
        // Two letters and a figure, at the start of a word.
        if at < skip_to
            || !(a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && (c.is_ascii_digit() || c == b' '))
            || !line.starts_with_boundary(at)
        {
            continue;
        }
        if let Some(end) = iban_at(line, at) {
            out.push(Span::new(at..end, Kind::Iban, "iban"));
            skip_to = end;
        }
    }
}

impl Line<'_> {
    fn starts_with_boundary(self, at: usize) -> bool {
        // "IBANDE89…": the word for it may be glued to it.
        let head = self.to(at).as_bytes();
        let cue = at >= 4 && head.get(at - 4..).is_some_and(|cue| cue.eq_ignore_ascii_case(b"iban"));
        !self.byte_before(at).is_ascii_alphanumeric() || cue && self.starts_word(at - 4)
    }
}

/// The end of the IBAN that starts at `start`.
fn iban_at(line: Line<'_>, start: usize) -> Option<usize> {
    let mut compact = String::new();
    let mut ends = Vec::new();
    let mut at = start;
    while compact.len() < *LENGTHS.end() {
        let b = line.byte(at);
        if b.is_ascii_alphanumeric() {
            compact.push(b.to_ascii_uppercase().into());
            at += 1;
            if compact.len() >= *LENGTHS.start() && !line.byte(at).is_ascii_alphanumeric() {
                ends.push((compact.len(), at));
            }
        } else if matches!(b, b' ' | b'-' | b'.') && line.byte(at + 1).is_ascii_alphanumeric() && !compact.is_empty() {
            at += 1;
        } else {
            break;
        }
        // Cheap ways out: the check digits are figures.
        if compact.len() == 4 && !compact.bytes().skip(2).all(|b| b.is_ascii_digit()) {
            return None;
        }
    }
    ends.into_iter()
        .rev()
        .find(|&(len, _)| compact.get(..len).is_some_and(|text| text.parse::<Iban>().is_ok()))
        .map(|(_, end)| end)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn valid_numbers_are_found_in_every_grouping() {
        assert_masked(&[
            ("IBAN DE89370400440532013000", "IBAN [IBAN]"),
            ("IBAN: DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX", "IBAN: [IBAN], BIC COBADEFFXXX"),
            ("de89 3704 0044 0532 0130 00 bitte", "[IBAN] bitte"),
            ("AT61-1904-3002-3457-3201", "[IBAN]"),
            ("IBANDE89370400440532013000", "IBAN[IBAN]"),
            ("Konto GB82 WEST 1234 5698 7654 32.", "Konto [IBAN]."),
        ]);
    }

    #[test]
    fn a_wrong_checksum_is_no_iban() {
        assert_kept(&["DE88370400440532013000", "AB12 3456", "ID DE12345678901234567890ABC"]);
    }
}
