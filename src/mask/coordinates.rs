//! Pairs of geographic coordinates, decimal or in degrees.

use super::Kind;
use super::line::{Line, is_blank};
use super::overlap::Span;

/// How many decimals make a number a place rather than a measurement: four are about ten metres.
const MIN_DECIMALS: usize = 4;
/// Words near a pair that say what it is, in lower case.
const CUES: &[&str] = &[
    "koordinate",
    "coordinate",
    "gps",
    "geo",
    "lat",
    "lon",
    "lng",
    "breite",
    "länge",
    "standort",
    "position",
    "location",
    "maps",
    "wgs84",
];

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    let bytes = line.text().as_bytes();
    let mut at = 0;
    let mut previous: Option<Reading> = None;
    while let Some(step) = bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
        let digit = at + step;
        let reading = read(line, digit);
        at = reading.as_ref().map_or_else(|| line.run(digit, |b| b.is_ascii_digit()), |r| r.end);
        let Some(reading) = reading else {
            previous = None;
            continue;
        };
        if let Some(first) = &previous
            && let Some(span) = pair(line, first, &reading)
        {
            out.push(span);
            previous = None;
        } else {
            previous = Some(reading);
        }
    }
}

/// One angle.
#[derive(Debug)]
struct Reading {
    start: usize,
    end: usize,
    whole: u32,
    decimals: usize,
    comma: bool,
    /// It has a degree sign or a point of the compass.
    degrees: bool,
}

fn read(line: Line<'_>, digit: usize) -> Option<Reading> {
    let mut start = digit;
    if matches!(line.byte_before(start), b'-' | b'+') && !line.byte_before(start - 1).is_ascii_alphanumeric() {
        start -= 1;
    }
    if matches!(line.byte_before(start), b'N' | b'S' | b'E' | b'W' | b'O') && line.starts_word(start - 1) {
        start -= 1;
    } else if line.byte_before(start) == b' '
        && matches!(line.byte_before(start - 1), b'N' | b'S' | b'E' | b'W' | b'O')
        && line.starts_word(start.saturating_sub(2))
    {
        start -= 2;
    }
    let joined = matches!(line.char_before(start), Some('.' | ',' | '_' | '/'))
        && line.byte_before(start.saturating_sub(1)).is_ascii_digit();
    if joined && line.byte_before(start) != b',' && line.byte_before(start) != b'/'
        || line.char_before(start).is_some_and(char::is_alphabetic)
    {
        return None;
    }
    let whole_end = line.run(digit, |b| b.is_ascii_digit());
    let whole = line.slice(digit..whole_end).parse::<u32>().ok().filter(|&n| n <= 180)?;
    let mut end = whole_end;
    let mut decimals = 0;
    let mut comma = false;
    if matches!(line.byte(end), b'.' | b',') && line.byte(end + 1).is_ascii_digit() {
        comma = line.byte(end) == b',';
        let stop = line.run(end + 1, |b| b.is_ascii_digit());
        decimals = stop - end - 1;
        end = stop;
    }
    let mut degrees = line.byte_before(digit).is_ascii_uppercase() || start + 1 < digit;
    if let Some(after) = line.from(end).trim_start_matches(' ').strip_prefix(['°', 'º', '˚']) {
        degrees = true;
        end = line.len() - after.len();
        end = minutes(line, end);
    }
    let compass = line.skip_blanks(end);
    if matches!(line.byte(compass), b'N' | b'S' | b'E' | b'W' | b'O')
        && line.ends_word(compass + 1)
        && (degrees || decimals >= MIN_DECIMALS)
    {
        degrees = true;
        end = compass + 1;
    }
    let tail_fits = line.ends_word(end) && !(line.byte(end) == b'.' && line.byte(end + 1).is_ascii_digit());
    tail_fits.then_some(Reading { start, end, whole, decimals, comma, degrees })
}

/// Past minutes and seconds: `08'14.0"`, `08′ 14″`.
fn minutes(line: Line<'_>, mut end: usize) -> usize {
    for _ in 0..2 {
        let figures = line.skip_blanks(end);
        let stop = line.run(figures, |b| b.is_ascii_digit() || b == b'.' || b == b',');
        let Some(mark) = line.char(stop).filter(|c| matches!(c, '\'' | '′' | '’' | '"' | '″' | '”')) else {
            return end;
        };
        if stop == figures || stop - figures > 12 {
            return end;
        }
        end = stop + mark.len_utf8();
        if mark == '\'' && line.byte(end) == b'\'' {
            end += 1;
        }
    }
    end
}

fn pair(line: Line<'_>, first: &Reading, second: &Reading) -> Option<Span> {
    let between = line.slice(first.end..second.start);
    let words = between.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '/' | ':' | '=' | '"' | '\'' | '|' | '&' | '(' | ')' | '{' | '}')
    });
    let labelled = matches!(
        words.to_lowercase().as_str(),
        "lon" | "lng" | "long" | "longitude" | "längengrad" | "länge" | "und" | "and"
    );
    if between.len() > 24 || !(words.is_empty() || labelled) {
        return None;
    }
    let in_range = first.whole <= 90 && second.whole <= 180 || second.whole <= 90 && first.degrees && second.degrees;
    let places = first.decimals >= MIN_DECIMALS && second.decimals >= MIN_DECIMALS;
    let cue = has_cue(line, first.start) || labelled && words.len() > 2 && words != "und" && words != "and";
    let rough = cue && first.decimals >= 1 && second.decimals >= 1 && !between.is_empty();
    let dms = first.degrees && second.degrees;
    let alone = dms
        || cue
        || (first.whole > 0 && second.whole > 0 && !in_list(line, first.start, second.end) && !between.is_empty());
    let comma_clash = first.comma != second.comma || first.comma && between.trim() == "," && !cue;
    (in_range && (places || rough || dms) && alone && !comma_clash).then(|| {
        let rule = if dms { "coordinates-degrees" } else { "coordinates-decimal" };
        Span::new(first.start..second.end, Kind::Coordinates, rule)
    })
}

fn has_cue(line: Line<'_>, start: usize) -> bool {
    let tail = line.tail_before(start, 32).to_lowercase();
    CUES.iter().any(|cue| tail.contains(cue)) || tail.ends_with('@')
}

/// Whether the pair is part of a longer list of numbers, as vectors and measurements are.
fn in_list(line: Line<'_>, start: usize, end: usize) -> bool {
    let next = line.run(end, |b| is_blank(b) || matches!(b, b',' | b';'));
    let before = line.run_back(start, |b| is_blank(b) || matches!(b, b',' | b';'));
    line.byte(next).is_ascii_digit() && next > end || line.byte_before(before).is_ascii_digit() && before < start
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn pairs_are_found() {
        assert_masked(&[
            ("Treffpunkt 48.13743, 11.57549 um 9", "Treffpunkt [COORDINATES] um 9"),
            ("GPS: 48.1374 11.5755", "GPS: [COORDINATES]"),
            ("48°08'14.0\"N 11°34'31.0\"E", "[COORDINATES]"),
            ("N 48.13743 E 11.57549", "[COORDINATES]"),
            ("maps/@48.1374301,11.5754815,17z", "maps/@[COORDINATES],17z"),
            ("Koordinaten 48,13743 / 11,57549", "Koordinaten [COORDINATES]"),
            ("geo:48.1374,11.5755", "geo:[COORDINATES]"),
            ("-33.86882, 151.20930", "[COORDINATES]"),
        ]);
    }

    #[test]
    fn other_numbers_stay() {
        assert_kept(&[
            "[0.1234, 0.5678, 0.9123]",
            "0.12345, 0.56789",
            "Version 48.1, 11.5",
            "1.2345 2.3456 3.4567",
            "48.1374",
            "loss 0.0012, acc 0.9876",
            "20°C bis 25°C",
        ]);
    }
}
