//! Customer, booking, order and invoice numbers after their cue word.

use super::Kind;
use super::line::{Line, is_word};
use super::overlap::Span;
use super::protect::is_date;

/// The stems of words that such a number follows, in lower case, and whether the stem alone is as good as "…number".
const STEMS: &[(&str, bool)] = &[
    ("buchung", false),
    ("bestell", false),
    ("auftrag", false),
    ("rechnung", false),
    ("kunden", false),
    ("kunde", false),
    ("kd", false),
    ("reservierung", false),
    ("vorgang", false),
    ("vertrag", false),
    ("mitglied", false),
    ("beleg", false),
    ("police", false),
    ("gutschein", false),
    ("sendung", false),
    ("booking", false),
    ("order", false),
    ("invoice", false),
    ("customer", false),
    ("reservation", false),
    ("confirmation", false),
    ("policy", false),
    ("membership", false),
    ("client", false),
    ("account", false),
    ("pnr", true),
    ("reference", false),
    ("purchase", false),
    ("receipt", false),
    ("angebot", false),
    ("storno", false),
    ("lieferschein", false),
    ("schadens", false),
    ("versicherung", false),
    ("tracking", false),
    ("filekey", true),
];
/// The endings of a word, or the next word, that make it name a number.
const NUMBER_WORDS: &[&str] = &[
    "nr",
    "nummer",
    "no",
    "number",
    "num",
    "code",
    "id",
    "ref",
    "reference",
    "referenz",
    "kennung",
    "kennzeichen",
    "numbers",
    "nrs",
    "#",
    "№",
];
/// What may stand between cue and number.
const FILLERS: &[&str] =
    &["ist", "is", "lautet", "war", "was", "mit", "with", "der", "die", "das", "the", "unter", "neue", "new"];

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    if !line.text().bytes().any(|b| b.is_ascii_digit()) {
        return;
    }
    let mut at = 0;
    while at < line.len() {
        let start = at + line.from(at).find(char::is_alphabetic).unwrap_or(line.len() - at);
        let end = line.run_chars(start, |c| is_word(c) || c == '-');
        if end == start {
            break;
        }
        at = end;
        if let Some(span) = after_cue(line, start, end) {
            at = span.range.end;
            out.push(span);
        }
    }
}

fn after_cue(line: Line<'_>, start: usize, end: usize) -> Option<Span> {
    let word = line.slice(start..end);
    if word.len() > 40 {
        return None;
    }
    let lower = word.to_lowercase();
    // "Buchung-4711": the number hangs on the word.
    let (lower, mut at) = match lower.find(|c: char| c.is_ascii_digit()) {
        Some(digit) => {
            let head = lower.get(..digit)?.trim_end_matches(['-', '_']);
            (head.to_owned(), start + head.len())
        }
        None => (lower, end),
    };
    let (stem, strong) = STEMS.iter().find(|(stem, _)| lower.starts_with(stem))?;
    let tail = lower
        .get(stem.len()..)?
        .trim_start_matches(['s', 'n', 'e', 'g', 'u', '-', '_', 'r'])
        .trim_end_matches(['-', '_']);
    let tail_whole = lower.get(stem.len()..)?;
    let mut named = *strong
        || NUMBER_WORDS.iter().any(|number| {
            tail_whole.trim_end_matches(['-', '_']).ends_with(number) && tail_whole.len() <= number.len() + 4
        });
    let plural = ["", "en", "s", "ung", "ungs", "ungen", "snr", "es", "n", "ing"].contains(&tail_whole);
    if !named && !plural && !tail.is_empty() {
        return None;
    }
    // Signs and words up to the number.
    let limit = at + 40;
    for _ in 0..4 {
        at = line.run(at, |b| {
            matches!(
                b,
                b' ' | b'\t' | b':' | b'.' | b'#' | b'=' | b'-' | b'_' | b'(' | b'"' | b'\'' | b'*' | b'/' | b'['
            )
        });
        let next_end = line.run_chars(at, char::is_alphabetic);
        let next = line.slice(at..next_end).to_lowercase();
        if line.slice(end..at).contains('#') {
            named = true;
        }
        if NUMBER_WORDS.contains(&next.as_str()) && !line.byte(next_end).is_ascii_digit() {
            named = true;
        } else if !FILLERS.contains(&next.as_str()) {
            break;
        }
        at = next_end;
    }
    if at > limit {
        return None;
    }
    let stop = line.run(at, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'/' | b'.' | b'_'));
    let value = line.slice(at..stop).trim_end_matches(['.', '-', '/', '_']);
    let stop = at + value.len();
    (is_number(value, named) && fits_after(line, stop)).then(|| Span::new(at..stop, Kind::Booking, "booking-after-cue"))
}

/// Whether `value` is a number of the kind, rather than a year, a date, an amount or a word.
fn is_number(value: &str, named: bool) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    if is_date(value) || value.len() > 40 || digits == 0 || value.contains("..") {
        return false;
    }
    // "1.234,56": the comma is out of reach, the point gives it away.
    let amount = letters == 0 && value.split_once('.').is_some_and(|(_, cents)| cents.len() <= 3);
    let lower_word = value.bytes().filter(u8::is_ascii_lowercase).count() > 4 && digits < 3;
    if amount || lower_word {
        return false;
    }
    let year = letters == 0 && value.len() == 4 && (value.starts_with("19") || value.starts_with("20"));
    if named {
        return digits + letters >= 3 && (!year || value.len() > 4);
    }
    digits >= 5
        || digits >= 3 && letters >= 1 && value.len() >= 5
        || digits >= 2 && letters >= 2 && value.len() >= 6
        || digits == 4 && letters == 0 && !year && !value.contains(['.', '/'])
}

fn fits_after(line: Line<'_>, end: usize) -> bool {
    let rest = line.from(end);
    let word: String = rest
        .trim_start_matches(' ')
        .chars()
        .take_while(|c| c.is_alphabetic())
        .take(12)
        .collect::<String>()
        .to_lowercase();
    let unit = matches!(
        word.as_str(),
        "eur"
            | "euro"
            | "usd"
            | "chf"
            | "uhr"
            | "stück"
            | "stk"
            | "personen"
            | "prozent"
            | "tage"
            | "mal"
            | "zeilen"
            | "mb"
            | "kb"
            | "gb"
            | "ms"
    );
    !unit
        && !rest.trim_start_matches(' ').starts_with(['€', '$', '%', '£'])
        && !rest.starts_with(|c: char| c == '@' || is_word(c))
        && (!rest.starts_with([',', ':']) || !rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn numbers_after_their_cue_are_found() {
        assert_masked(&[
            ("Buchung 48213 storniert", "Buchung [BOOKING] storniert"),
            ("Buchungsnr. BK-2024-0815", "Buchungsnr. [BOOKING]"),
            ("Bestellung #100345", "Bestellung #[BOOKING]"),
            ("Kundennr.: 4711", "Kundennr.: [BOOKING]"),
            ("Kunden-Nr. 12 wäre zu kurz, Kd.-Nr. 10023 nicht", "Kunden-Nr. 12 wäre zu kurz, Kd.-Nr. [BOOKING] nicht"),
            ("Rechnung RE-2024-0815 offen", "Rechnung [BOOKING] offen"),
            ("Rechnungsnummer lautet 2024/0815", "Rechnungsnummer lautet [BOOKING]"),
            ("order no. A-99812", "order no. [BOOKING]"),
            ("invoice number 77120", "invoice number [BOOKING]"),
            ("booking reference: XK4P9Q", "booking reference: [BOOKING]"),
            ("Buchungscode XK4P9Q", "Buchungscode [BOOKING]"),
        ]);
    }

    #[test]
    fn dates_amounts_and_counts_stay() {
        assert_kept(&[
            "Rechnung vom 03.06.2026",
            "Rechnung 2024",
            "Bestellung über 150,00 €",
            "Buchung 3 Personen",
            "Rechnung 1200 Euro",
            "Order 66",
            "Kunde ruft um 14:30 an",
            "border 12345",
            "Auftrag seit 2019 offen",
            "in order to 12345678",
        ]);
    }
}
