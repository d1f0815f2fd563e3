//! Streets with their house numbers, in the German order: the number after the name.

use super::super::Kind;
use super::super::line::Line;
use super::super::names::lists::{self, Flags};
use super::super::overlap::Span;
use super::lists::{COUNTED, LEADS, NO_STREETS, SHARED, SURE};
use super::words::{Word, Words, is_capital};

/// A German street with its number, whose first word is at `first`.
pub(super) fn street(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let start = words.list.get(first)?.start;
    let text = |word: Word| line.slice(word.start..word.end);
    let opening = text(*words.list.get(first)?);
    // "Adresse Kirchgasse 3": the word for it is no part of it.
    let label = ["adresse", "anschrift", "lieferadresse", "rechnungsadresse", "neue", "alte"]
        .contains(&opening.to_lowercase().as_str())
        && words.list.len() > first + 2;
    if !is_capital(opening) || label && !opening.starts_with('N') && !opening.starts_with("Alte") {
        return None;
    }
    // "An der Alten Mühle 7", "Unter den Linden 5": a lead of one or two words, then one or two more.
    let one = opening.to_lowercase();
    let two = words.next(line, first + 1).map(|word| format!("{one} {}", text(word).to_lowercase()));
    let lead = if two.as_deref().is_some_and(|two| LEADS.contains(&two)) {
        2
    } else {
        usize::from(LEADS.contains(&one.as_str()))
    };
    let mut sure = false;
    let mut shared = false;
    let mut index = first;
    for count in 0..5 {
        let word = if count == 0 { *words.list.get(index)? } else { words.next(line, index)? };
        let lower = text(word).to_lowercase();
        let standing_alone = count > 0;
        let is_street = |endings: &[&str]| {
            endings.iter().any(|e| lower.ends_with(e) && (lower.len() > e.len() + 2 || standing_alone))
                && (standing_alone && SURE.contains(&lower.as_str()) || !NO_STREETS.contains(&lower.as_str()))
        };
        sure |= count >= lead && is_capital(text(word)) && is_street(SURE) && (lower != "weg" || standing_alone);
        shared |= count >= lead && is_capital(text(word)) && is_street(SHARED);
        index += 1;
        if let Some(number) = words.next(line, index)
            && let Some(end) = house_number(line, number)
        {
            let by_lead = lead > 0 && count >= lead && is_capital(text(word)) && !COUNTED.contains(&lower.as_str());
            let phrase_ends = closes(line, end) && !COUNTED.contains(&lower.as_str());
            let cue = address_cue(line, start);
            let postcode = before_postcode(line, end);
            let fits = sure && (count == 0 || lead > 0 || is_street(SURE))
                || (shared && is_street(SHARED) || by_lead)
                    && (postcode || cue || phrase_ends && (shared || lead > 0 && count > 1));
            return (fits && !figure_follows(line, end))
                .then(|| Span::new(start..end, Kind::Address, "street-and-number"));
        }
        // "Straße des 17. Juni 135".
        if count == 0 && matches!(lower.as_str(), "straße" | "strasse" | "platz") && line.has_at(word.end, " des ") {
            return named_after_day(line, start, word.end);
        }
        // Between the words of a street name there are only its own: adjectives, names, "der".
        let joins = is_capital(text(word))
            || matches!(lower.as_str(), "der" | "den" | "dem" | "des" | "de" | "von" | "zu" | "an" | "d" | "la");
        if !joins || is_street(SURE) && count > 0 || lead == 0 && count == 0 && !street_opener(&lower) && !sure {
            return None;
        }
    }
    None
}

/// Whether a capitalised word can open a street name of several words ("Lange Straße", "Karl Marx Allee").
fn street_opener(lower: &str) -> bool {
    let adjective = ["e", "er", "en", "es"].iter().any(|e| lower.ends_with(e)) && lower.len() > 3;
    adjective || lists::flags(lower).any(Flags::FIRST | Flags::LAST | Flags::TOWN) || lower.ends_with("str.")
}

fn named_after_day(line: Line<'_>, start: usize, at: usize) -> Option<Span> {
    let day = line.run(at + 5, |b| b.is_ascii_digit());
    let month = line.run_chars(line.skip_blanks(day + 1), char::is_alphabetic);
    let number = line.skip_blanks(month);
    let end = house_number_end(line, number)?;
    (day > at + 5 && line.byte(day) == b'.').then(|| Span::new(start..end, Kind::Address, "street-and-number"))
}

/// The end of the house number that the word is or starts: `5`, `5a`, `5-7`, `5/7`, `5 a`.
fn house_number(line: Line<'_>, word: Word) -> Option<usize> {
    house_number_end(line, word.start)
}

pub(super) fn house_number_end(line: Line<'_>, start: usize) -> Option<usize> {
    let digit = |b: u8| b.is_ascii_digit();
    let mut end = line.run(start, digit);
    if !(1..=4).contains(&(end - start)) || line.byte(start) == b'0' {
        return None;
    }
    if line.byte(end).is_ascii_alphabetic() && line.ends_word(end + 1) {
        end += 1;
    } else if line.byte(end) == b' '
        && line.byte(end + 1).is_ascii_lowercase()
        && line.ends_word(end + 2)
        && line.byte(end + 2) != b'.'
    {
        end += 2;
    }
    if matches!(line.byte(end), b'-' | b'/' | b'+') || line.from(end).starts_with('–') {
        let next = end + if line.byte(end).is_ascii() { 1 } else { '–'.len_utf8() };
        let stop = line.run(next, digit);
        if (1..=4).contains(&(stop - next)) {
            end = if line.byte(stop).is_ascii_lowercase() && line.ends_word(stop + 1) { stop + 1 } else { stop };
        }
    }
    line.ends_word(end).then_some(end)
}

/// Whether the figures just read run on: a date, a time, a decimal, an amount.
fn figure_follows(line: Line<'_>, end: usize) -> bool {
    let next = line.byte(end);
    matches!(next, b'.' | b':' | b',' | b'-') && line.byte(end + 1).is_ascii_digit() && !before_postcode(line, end)
        || matches!(next, b'%')
        || line.from(end).trim_start().starts_with(['€', '%', '$'])
}

/// Whether the phrase ends at `end`.
pub(super) fn closes(line: Line<'_>, end: usize) -> bool {
    let rest = line.from(end);
    let next = rest.trim_start_matches(' ').chars().next();
    next.is_none_or(|c| matches!(c, ',' | '.' | ';' | ')' | '|' | '"' | '\'' | '/' | '<'))
}

pub(super) fn before_postcode(line: Line<'_>, end: usize) -> bool {
    let at = line.run(end, |b| matches!(b, b' ' | b','));
    let at = if matches!(line.slice(at..at + 2), "D-" | "A-" | "L-") { at + 2 } else { at };
    let stop = line.run(at, |b| b.is_ascii_digit());
    (4..=5).contains(&(stop - at))
        && at > end
        && line.byte(stop) == b' '
        && line.char(stop + 1).is_some_and(char::is_uppercase)
}

pub(super) fn address_cue(line: Line<'_>, start: usize) -> bool {
    let tail = line.tail_before(start, 32).to_lowercase();
    [
        "adresse",
        "anschrift",
        "wohnhaft",
        "wohnt",
        "straße:",
        "strasse:",
        "lieferung an",
        "address",
        "lebt in",
        "zieht",
        "umgezogen",
        "büro:",
        "sitz:",
        "standort:",
    ]
    .iter()
    .any(|cue| tail.contains(cue))
}
