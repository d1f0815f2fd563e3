//! Telephone numbers in the ways German and English notes write them, and none of the other figures those notes are full of.
//!
//! A number is read group by group. What makes it one is its start (`+49`, `0049`, a trunk `0`, `(089)`), a North American
//! grouping, or a cue before it ("Tel.", "Durchwahl", "mobile"); what unmakes it is what it is joined to.

mod reading;
mod words;

use super::Kind;
use super::line::{Line, digits};
use super::overlap::Span;
use reading::{MAX_DIGITS, Reading};
use words::{CUES, LABELS, OTHER_CUES, UNITS};

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    let bytes = line.text().as_bytes();
    let mut at = 0;
    while let Some(step) =
        bytes.get(at..).and_then(|rest| rest.iter().position(|&b| b.is_ascii_digit() || b == b'+' || b == b'('))
    {
        let start = at + step;
        let first = line.byte(start);
        let found = if first == b'(' && !(line.byte(start + 1).is_ascii_digit() || line.byte(start + 1) == b'+')
            || !fits_before(line, start)
        {
            None
        } else {
            number_at(line, start)
        };
        at = match found {
            Some((end, rule)) => {
                out.push(Span::new(start..end, Kind::Phone, rule));
                end
            }
            None if first.is_ascii_digit() => line.run(start, |b| b.is_ascii_digit()),
            None => start + 1,
        };
    }
}

/// Whether a number may start here: not inside a word, an id, a decimal, a path or an amount.
fn fits_before(line: Line<'_>, start: usize) -> bool {
    let Some(before) = line.char_before(start) else { return true };
    let sign = start - before.len_utf8();
    let earlier = line.char_before(sign);
    match before {
        '-' | '_' | '.' | '/' | ',' | ':' | '\\' | '=' | '~' | '+' | '–' => match earlier {
            // "Tel.:0171…", "Tel.0171…", "phone=0171…", "Mobil/0171…", "p:0171…".
            Some(c) if c.is_alphabetic() => matches!(before, ':' | '=' | '.' | '/' | '-') && cue_before(line, sign),
            Some(c) if c.is_ascii_digit() => before == ',' && line.byte(start) == b'+',
            Some('.' | ')' | '"' | '\'') => before == ':',
            Some('/') => false,
            _ => before != '\\',
        },
        '#' | '$' | '€' | '£' | '@' | '%' | '&' | '^' => false,
        c => !c.is_alphanumeric(),
    }
}

/// Whether a word behind `end` says that a telephone number has ended there: `785 8949 office`, `96 228011-Fax`.
fn label_after(line: Line<'_>, end: usize) -> bool {
    let gap = usize::from(matches!(line.byte(end), b' ' | b'-'));
    gap == 1 && LABELS.iter().any(|label| line.has_at(end + gap, label) && line.ends_word(end + gap + label.len()))
}

/// Whether the number may end at `end`: what follows doesn't make it something else.
fn fits_after(line: Line<'_>, end: usize) -> bool {
    if label_after(line, end) {
        return true;
    }
    let next = line.char(end);
    let after = next.and_then(|c| line.char(end + c.len_utf8()));
    match next {
        Some('-' | '_' | '/' | '\\' | '@' | '=') => !after.is_some_and(char::is_alphanumeric),
        Some('.' | ',' | ':') => !after.is_some_and(|c| c.is_ascii_digit() || next == Some('.') && c.is_alphabetic()),
        // An extension: `x442`.
        Some('x' | 'X') if after.is_some_and(|c| c.is_ascii_digit()) => true,
        Some(c) if c.is_alphanumeric() || matches!(c, '%' | '€' | '$' | '£' | '°') => false,
        Some(' ') => {
            let rest = line.from(end + 1);
            let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or("").to_lowercase();
            !rest.starts_with(['€', '$', '%', '°']) && !UNITS.contains(&word.as_str())
        }
        _ => true,
    }
}

fn number_at(line: Line<'_>, start: usize) -> Option<(usize, &'static str)> {
    let mut reading = Reading::of(line, start);
    let cue = cue_before(line, start);
    let other = !cue && other_cue_before(line, start);
    // Groups that belong to what follows (a time, a date, a count) are given back one by one.
    while reading.groups.len() > 1 && !fits_after(line, reading.end()) {
        reading.drop_last();
    }
    loop {
        let end = extension(line, reading.end());
        if reading.groups.is_empty() || !fits_after(line, reading.end()) {
            return None;
        }
        let labelled =
            !other && reading.digits >= 6 && !is_span_of_years(line, start, &reading) && label_after(line, end);
        let called = reading.digits >= 7 && reading.groups.len() > 1 && called_before(line, start);
        if let Some(rule) = judge(line, start, &reading, cue || labelled || called, other) {
            return Some((end, rule));
        }
        if reading.groups.len() == 1 {
            return None;
        }
        reading.drop_last();
    }
}

/// `2024-2025`, `1998 2003`.
fn is_span_of_years(line: Line<'_>, start: usize, reading: &Reading) -> bool {
    reading.sizes().eq([4, 4])
        && line
            .slice(start..reading.end())
            .split(['-', ' ', '/', '.', '\u{2013}'])
            .filter(|part| !part.is_empty())
            .all(is_year_like)
}

fn judge(line: Line<'_>, start: usize, reading: &Reading, cue: bool, other: bool) -> Option<&'static str> {
    let text = line.slice(start..reading.end());
    let plain: String = text.chars().filter(char::is_ascii_digit).collect();
    let international = text.starts_with('+') || text.starts_with("(+");
    let sizes: Vec<usize> = reading.sizes().collect();
    let grouped = sizes.len() > 1;
    // A group of one digit is a trunk zero, a country code, or the start of something else; two in a row are a list.
    let ones = sizes.iter().skip(1).filter(|&&n| n == 1).count().saturating_sub(text.contains("(0)").into());
    if ones > 1 {
        return None;
    }
    if international {
        let fits = (8..=MAX_DIGITS).contains(&plain.len().saturating_sub(text.contains("(0)").into()))
            && !plain.starts_with('0');
        return (fits && max_national(&plain) >= plain.len()).then_some("phone-international");
    }
    if let Some(rest) = plain.strip_prefix("00")
        && !rest.starts_with('0')
        && (9..=MAX_DIGITS).contains(&rest.len())
        && !other
        && (cue
            || grouped
            || ["49", "43", "41", "44", "33", "39", "31", "32", "34", "45", "48", "420", "352", "1"]
                .iter()
                .any(|cc| rest.starts_with(cc)))
        && sizes.first().is_some_and(|&n| n >= 4 || n == 2 || text.starts_with("00"))
    {
        return Some("phone-international");
    }
    if sizes == [3, 2, 4] && !cue && reading.gaps.iter().all(|&gap| gap == b'-') {
        // An American social security number.
        return None;
    }
    if plain.starts_with('0') && plain.as_bytes().get(1).is_some_and(|b| b.is_ascii_digit() && *b != b'0') {
        return national(text, &plain, &sizes, reading, cue, other);
    }
    if north_american(text, &plain, &sizes, reading, cue) && (!other || text.starts_with('(')) {
        return Some("phone-north-american");
    }
    // "Tel. 4711-23": a local number, after its cue only.
    let local = cue
        && !other
        && (3..=12).contains(&plain.len())
        && (plain.len() >= 4 || durchwahl(line, start))
        && !is_year_like(text)
        && reading.gaps.iter().all(|g| *g != b'.');
    local.then_some("phone-after-cue")
}

/// The longest plausible length of an international number, by what is known of its country.
fn max_national(plain: &str) -> usize {
    match plain.as_bytes() {
        [b'1', ..] => 11,
        [b'4', b'9', ..] => 2 + 13,
        [b'4', b'1', ..] => 2 + 10,
        _ => MAX_DIGITS,
    }
}

/// A German, Austrian or Swiss number with its trunk zero.
fn national(
    text: &str,
    plain: &str,
    sizes: &[usize],
    reading: &Reading,
    cue: bool,
    other: bool,
) -> Option<&'static str> {
    let mobile = ["015", "016", "017", "06", "07"].iter().any(|prefix| plain.starts_with(prefix));
    let service = ["0800", "0900", "0180", "0137", "0700"].iter().any(|prefix| plain.starts_with(prefix));
    // No other code starts with 01 but Vienna's.
    let vienna = sizes.first() == Some(&2) && (cue || text.starts_with('(') || reading.gaps.first() == Some(&b'/'));
    if british(plain, sizes, cue) || french(plain, sizes, reading) {
        return (!other || cue).then_some("phone-national");
    }
    if plain.starts_with("01") && !mobile && !service && !vienna {
        return None;
    }
    // "0 89 / 12 34 56": the trunk zero may stand apart from the area code, if that ends in a sign.
    if let [1, area @ 2..=4, rest @ ..] = sizes {
        let ends = matches!(reading.gaps.get(1), Some(b'/' | b'-')) || cue || text.starts_with('(');
        let enough = !rest.is_empty() && plain.len() - area > 4 && (7..=12).contains(&plain.len());
        return (ends && enough && (!other || cue)).then_some("phone-national");
    }
    let most = if plain.starts_with("01") { 12 } else { 13 };
    let first = sizes.first().copied().unwrap_or(0);
    if !(7..=most).contains(&plain.len()) || other && !cue && sizes.len() == 1 {
        return None;
    }
    if sizes.len() == 1 {
        let whole = if plain.starts_with("01") {
            (10..=12).contains(&plain.len()) && (mobile || service)
        } else {
            (9..=12).contains(&plain.len())
        };
        return (cue || whole && (!other || mobile && plain.len() >= 11)).then_some("phone-national");
    }
    // The area code stands alone, in 2 to 6 digits; "02 03 2026" and "07-09-12" are dates.
    let paired = sizes.iter().all(|&n| n == 2);
    if paired && counts_up(plain) && !cue {
        return None;
    }
    let short = first <= 2 && !(paired && sizes.len() == 5);
    let dotted = reading.gaps.contains(&b'.');
    let swiss_or_french = first == 2 && paired;
    let dates = sizes.len() == 3 && first <= 2 && sizes.iter().all(|&n| n <= 2 || n == 4);
    let area = (3..=6).contains(&first)
        || (cue
            || vienna
            || swiss_or_french
            || first == 2 && text.starts_with("(0") && sizes.get(1).is_some_and(|&n| n >= 4))
            && !dates;
    let subscriber = plain.len() - first;
    let enough = subscriber >= 4 || cue && subscriber >= 3;
    let slashes = reading.gaps.iter().skip(1).filter(|&&g| g == b'/').count();
    let fits = area && enough && !dates && (!short || cue || swiss_or_french || first == 2) && slashes == 0;
    (fits && (!dotted || !sizes.iter().all(|&n| n <= 2)) && (!other || mobile)).then_some("phone-national")
}

/// `0161 496 0345`, `01632 960001`: eleven figures in the groups that Britain writes.
fn british(plain: &str, sizes: &[usize], cue: bool) -> bool {
    let grouped = matches!(sizes, [4, 3, 4] | [5, 6] | [5, 3, 3] | [3, 4, 4]) || cue && sizes.len() == 1;
    plain.len() == 11 && plain.starts_with("01") && grouped
}

/// `01 42 68 53 00`: five pairs, and no row of counted-up ones.
fn french(plain: &str, sizes: &[usize], reading: &Reading) -> bool {
    let alike = reading.gaps.windows(2).all(|gaps| matches!(gaps, [a, b] if a == b));
    sizes == [2; 5] && !counts_up(plain) && alike && reading.gaps.first() != Some(&b'/')
}

/// `01 02 03 04`: pairs that are a row of numbers.
fn counts_up(plain: &str) -> bool {
    let pair = |pair: &[u8]| pair.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0'));
    let pairs: Vec<u32> = plain.as_bytes().chunks(2).map(pair).collect();
    pairs.windows(2).all(|pair| matches!(pair, [a, b] if a + 1 == *b))
}

/// `(555) 123-4567`, `555-123-4567`, `1-800-555-0199`.
fn north_american(text: &str, plain: &str, sizes: &[usize], reading: &Reading, cue: bool) -> bool {
    let (area, rest) = match sizes {
        [1, 3, 3, 4] if plain.starts_with('1') => (plain.get(1..4), plain.get(4..)),
        [3, 3, 4] => (plain.get(..3), plain.get(3..)),
        [10] | [3, 7] | [6, 4] if cue => (plain.get(..3), plain.get(3..)),
        _ => return false,
    };
    let plausible = |part: Option<&str>| part.is_some_and(|p| p.starts_with(|c: char| ('2'..='9').contains(&c)));
    // Blanks alone also separate plain numbers.
    let joined = text.starts_with('(') || reading.gaps.iter().any(|g| matches!(g, b'-' | b'.')) || cue;
    joined && plausible(area) && rest.is_some()
}

fn is_year_like(text: &str) -> bool {
    text.len() == 4 && (text.starts_with("19") || text.starts_with("20"))
}

/// Past an extension: `x442`, ` ext. 12`, ` App. 3`, `-Durchwahl 5`.
fn extension(line: Line<'_>, end: usize) -> usize {
    let at = line.skip_blanks(end);
    let word = ["ext.", "ext", "x", "durchwahl", "dw", "app."].iter().find(|word| line.has_at(at, word));
    let Some(word) = word else { return end };
    let figures = line.skip_blanks(at + word.len());
    let stop = line.run(figures, |b| b.is_ascii_digit());
    if (1..=6).contains(&(stop - figures)) && line.ends_word(stop) { stop } else { end }
}

fn durchwahl(line: Line<'_>, start: usize) -> bool {
    let tail = line.tail_before(start, 16).to_lowercase();
    ["durchwahl", "dw", "ext"].iter().any(|cue| tail.contains(cue))
}

/// Whether one of the words just before `start` says that a telephone number follows.
fn cue_before(line: Line<'_>, start: usize) -> bool {
    let tail = line.tail_before(start, 40).to_lowercase();
    let mut words = tail.rsplit(|c: char| !(c.is_alphabetic() || c.is_ascii_digit())).filter(|word| !word.is_empty());
    let Some(last) = words.next() else { return false };
    let near = |word: &str| CUES.contains(&word);
    let whose = ["neue", "alte", "meine", "deine", "seine", "ihre", "private", "andere"];
    if last == "nummer" && words.clone().next().is_some_and(|word| whose.contains(&word)) {
        return true;
    }
    let single = matches!(last, "t" | "f" | "m" | "p" | "ruf" | "call" | "signal");
    if single {
        return tail.trim_end().ends_with([':', '.'])
            && tail.trim_end_matches([' ', ':', '.']).len() < tail.trim_end().len();
    }
    if near(last) {
        return true;
    }
    let filler = [
        "nr",
        "nummer",
        "unter",
        "no",
        "number",
        "privat",
        "dienstlich",
        "geschäftlich",
        "tagsüber",
        "abends",
        "ist",
        "is",
        "lautet",
        "der",
        "die",
        "neue",
        "new",
        "at",
        "on",
        "oder",
        "und",
        "or",
        "home",
        "work",
        "me",
        "her",
        "him",
    ];
    filler.contains(&last) && words.take(2).any(|word| CUES.contains(&word) && word.len() > 1)
}

/// "You can call": a cue for what is written as a telephone number alone, for calls are counted, too.
fn called_before(line: Line<'_>, start: usize) -> bool {
    let tail = line.tail_before(start, 8);
    ["call ", "dial ", "ring "].iter().any(|cue| tail.to_ascii_lowercase().ends_with(cue))
}

/// Whether the word just before `start` says that something else follows.
fn other_cue_before(line: Line<'_>, start: usize) -> bool {
    let tail = line.tail_before(start, 40).to_lowercase();
    let words = tail.rsplit(|c: char| !(c.is_alphabetic())).filter(|word| !word.is_empty());
    let close = tail.trim_end_matches([' ', ':', '.', '#', '=', '(', '"', '\'']).len();
    let joined = tail.get(..close).is_some_and(|head| head.ends_with(char::is_alphabetic));
    joined && words.take(2).any(|word| OTHER_CUES.contains(&word))
        || digits(&tail) > 0 && tail.trim_end().ends_with('#')
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn german_notations_are_found() {
        assert_masked(&[
            ("Tel. 0171/1234567, Rückruf Di", "Tel. [PHONE], Rückruf Di"),
            ("+49 (0) 89 123-456", "[PHONE]"),
            ("0171 123 4567", "[PHONE]"),
            ("0171\u{A0}123\u{A0}4567", "[PHONE]"),
            ("(089) 123456", "[PHONE]"),
            ("089 / 123 45 67 anrufen", "[PHONE] anrufen"),
            ("0049 30 1234567", "[PHONE]"),
            ("+491711234567", "[PHONE]"),
            ("01711234567", "[PHONE]"),
            ("Rückruf unter 030-12345-67 bis 14:30 Uhr", "Rückruf unter [PHONE] bis 14:30 Uhr"),
            ("Handy: 0151 23456789 12:30 da", "Handy: [PHONE] 12:30 da"),
            ("Mobil 0160.1234567", "Mobil [PHONE]"),
            ("+43 1 234 56 78", "[PHONE]"),
            ("+41 44 123 45 67", "[PHONE]"),
            ("044 123 45 67", "[PHONE]"),
            ("Durchwahl -23", "Durchwahl -23"),
            ("Tel. 4711-23", "Tel. [PHONE]"),
            ("Fax: 08131/99-0", "Fax: [PHONE]"),
            ("0800 1234567", "[PHONE]"),
            ("Tel.:0171-1234567;", "Tel.:[PHONE];"),
            ("(+49) 171 1234567", "[PHONE]"),
            ("0 171 / 123 45 67", "[PHONE]"),
            ("Büro 0 89 / 12 34 56, neue Nummer 0341 / 22 33 44 5", "Büro [PHONE], neue Nummer [PHONE]"),
            ("+49-89-123456-0.", "[PHONE]."),
            ("\"phone\": \"+49 171 1234567\"", "\"phone\": \"[PHONE]\""),
        ]);
    }

    #[test]
    fn english_notations_are_found() {
        assert_masked(&[
            ("call (555) 123-4567 now", "call [PHONE] now"),
            ("555-123-4567", "[PHONE]"),
            ("+1 555 123 4567", "[PHONE]"),
            ("1-800-555-0199", "[PHONE]"),
            ("001-321-794-8268x44208", "[PHONE]"),
            ("+44 20 7946 0958", "[PHONE]"),
            ("+44 (0)20 7946 0123, 07911 123456", "[PHONE], [PHONE]"),
            ("Manchester 0161 496 0345, office 01632 960001", "Manchester [PHONE], office [PHONE]"),
            ("Paris : 01 42 68 53 00", "Paris : [PHONE]"),
            ("US line (415) 555-0132 ext. 204", "US line [PHONE]"),
            ("Wien Büro 01 / 512 34 56-12", "Wien Büro [PHONE]"),
            ("phone 555.123.4567 ext. 12", "phone [PHONE]"),
            ("455 6186 office", "[PHONE] office"),
            ("(85) 5986-8343-Office, 001-755-329-4431-Fax", "[PHONE]-Office, [PHONE]-Fax"),
            ("2813882583 mobile", "[PHONE] mobile"),
            ("You can call 73 448 266", "You can call [PHONE]"),
            ("They're not answering at (91) 5676-6953", "They're not answering at [PHONE]"),
        ]);
    }

    #[test]
    fn other_figures_stay() {
        assert_kept(&[
            "Urlaub 03.07. - 17.07.15, Stand 03/2015 – 03/2016",
            "Termin am 03.06.2026 und 05.10.1986 um 09:30",
            "hosted-eu-20260812-09",
            "SESSION-mari-20260521-4915112",
            "27b94442-e2a2-40dd-ab55-4384702273e4",
            "Port 8645, Version 1.10.2, v0.12.34",
            "epoch 1716297000, 1716297000123",
            "20260521143022",
            "Betrag 1.234.567,89 € oder 0,12345678",
            "0.123456789",
            "10.0.0.1:8080",
            "Tue 02 20:17:00 CST 2026",
            "01 02 03 04 05",
            "07-09-12 und 02 03 2026",
            "2026-05-21 14:30 bis 15:45",
            "100 000 Zeilen, 012 345 678 Bytes",
            "seit 1998 2003 2010",
            "#0171123456",
            "ISBN 978-3-16-148410-0",
            "0x0171123456",
            "Zeilen 0100-0200",
            "§ 27 Abs. 2 Satz 1, Rn. 48 ff.",
            "the 2024-2025 office plan, 12 offices, 40 fax machines",
            "social security number 060-25-2440",
            "one call 1000000 times, call 4711",
            "100000 Faxe, ticket 1234567 mobile, build 20260521 mobile",
        ]);
    }
}
