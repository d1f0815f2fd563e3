//! Addresses in the order of other countries: English, French, Italian, Spanish, Portuguese, Dutch and Polish ones.

use super::super::Kind;
use super::super::line::Line;
use super::super::names::lists::{self, Flags};
use super::super::overlap::Span;
use super::super::protect::is_date;
use super::lists::{CITIES, ENGLISH_STREETS};
use super::street::{address_cue, before_postcode, closes, house_number_end};
use super::words::{Words, is_capital};

/// Words that a street's name follows, in lower case.
const PREFIXES: &[&str] = &[
    "viale",
    "piazza",
    "vicolo",
    "calle",
    "avenida",
    "avda",
    "rua",
    "praça",
    "rue",
    "avenue",
    "boulevard",
    "chemin",
    "quai",
    "impasse",
    "ul",
    "ulica",
    "aleja",
];
/// Such words that mean something else as well: a listed name, a postcode or a cue has to speak for them.
const SHARED_PREFIXES: &[&str] = &["via", "corso", "largo", "plaza", "paseo", "place", "route", "allée"];
/// What stands between the house number and the name in French, in lower case.
const FRENCH: &[&str] = &["rue", "avenue", "av", "boulevard", "bd", "chemin", "allée", "quai", "impasse"];
/// The same, only where they are written small.
const FRENCH_SMALL: &[&str] = &["place", "route", "cours"];
/// Small words within a street's name.
const PARTICLES: &[&str] =
    &["de", "la", "le", "les", "du", "des", "del", "della", "delle", "dei", "degli", "da", "do", "dos", "di", "y", "e"];
/// What a dwelling within a house is called, in lower case.
const UNITS: &[&str] = &["apt", "apartment", "suite", "ste", "unit", "flat", "floor"];
const DIRECTIONS: &[&str] = &["N", "S", "E", "W", "NW", "NE", "SW", "SE"];
/// The states of the USA, with the District of Columbia (USPS).
const STATES: &[&str] = &[
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY", "LA",
    "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR",
    "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY",
];
/// Those of them that are words or abbreviations of their own.
const STATES_LIKE_WORDS: &[&str] = &["ID", "IN", "OR", "OK", "ME", "HI", "DE", "PA", "CO", "AL", "MS", "MD", "CT"];

/// An address that starts with the figure at `first`.
pub(super) fn by_number(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    french(line, words, first).or_else(|| english(line, words, first))
}

/// An address that starts with the word at `first`.
pub(super) fn by_word(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let boxed = || box_number(line, words, first).or_else(|| german_box(line, words, first));
    prefixed(line, words, first).or_else(boxed).or_else(|| flat(line, words, first)).or_else(|| {
        let start = words.list.get(first)?.start;
        let end = locality(line, words, first, start, false)?;
        Some(Span::new(start..end, Kind::Address, "postcode-and-town"))
    })
}

/// `742 Evergreen Terrace`, `12 Main St`, with flat, town and postcode if they follow.
fn english(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let number = *words.list.get(first)?;
    let text = line.slice(number.start..number.end);
    let figures = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if !(1..=5).contains(&figures.len())
        || text.len() > figures.len() + 1
        || !figures.bytes().all(|b| b.is_ascii_digit())
        || is_date(text)
        || matches!(line.byte_before(number.start), b'.' | b',' | b'/' | b'$' | b':' | b'-')
    {
        return None;
    }
    for count in 1..=4 {
        let word = words.next(line, first + count)?;
        let text = line.slice(word.start..word.end);
        if !is_capital(text) {
            return None;
        }
        if count > 1 && ENGLISH_STREETS.contains(&text.to_lowercase().as_str()) {
            let end = tail(line, words, first + count + 1, word.end);
            return Some(Span::new(number.start..end, Kind::Address, "street-and-number"));
        }
    }
    None
}

/// `14 rue de la Paix`, `35 bis boulevard Voltaire`.
fn french(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let number = *words.list.get(first)?;
    if house_number_end(line, number.start)? != number.end || !line.starts_word(number.start) {
        return None;
    }
    let text = |index: usize| words.next(line, index).map_or("", |word| line.slice(word.start..word.end));
    let at = first + 1 + usize::from(matches!(text(first + 1), "bis" | "ter"));
    let kind = text(at);
    if !FRENCH.contains(&kind.to_lowercase().as_str()) && !FRENCH_SMALL.contains(&kind) {
        return None;
    }
    let (next, end) = street_name(line, words, at + 1)?;
    Some(Span::new(number.start..tail(line, words, next, end), Kind::Address, "street-and-number"))
}

/// `Via Roma 15`, `Rue de Rivoli 12`, `ul. Zuchów 65`.
fn prefixed(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let prefix = *words.list.get(first)?;
    let text = line.slice(prefix.start..prefix.end);
    let lower = text.to_lowercase();
    let shared = SHARED_PREFIXES.contains(&lower.as_str());
    let dotted = lower == "ul" && line.byte(prefix.end) == b'.';
    if !(PREFIXES.contains(&lower.as_str()) || shared) || !(is_capital(text) || dotted) {
        return None;
    }
    let name_at = words.list.get(first + 1)?.start;
    if !matches!(line.slice(prefix.end..name_at), " " | ". ") {
        return None;
    }
    let (next, name_end) = street_name(line, words, first + 1)?;
    let number = words.list.get(next)?;
    let end = house_number_end(line, number.start)?;
    let gap = matches!(line.slice(name_end..number.start), " " | ", " | " nº " | " n. ");
    let listed = line.slice(name_at..name_end).split([' ', '\'', '’']).any(|word| {
        lists::flags(&word.to_lowercase()).any(Flags::FIRST | Flags::LAST | Flags::TOWN)
            || CITIES.contains(&word.to_lowercase().as_str())
    });
    let vouched = before_postcode(line, end) || address_cue(line, prefix.start) || !shared || listed;
    let ends = closes(line, end) || before_postcode(line, end);
    (gap && ends && vouched)
        .then(|| Span::new(prefix.start..tail(line, words, next + 1, end), Kind::Address, "street-and-number"))
}

/// Past the name of a street, particles and capitalised words: the next word's index, and where the name ends.
fn street_name(line: Line<'_>, words: &Words, first: usize) -> Option<(usize, usize)> {
    let mut found = None;
    for index in first..first + 6 {
        let Some(word) = words.list.get(index) else { break };
        let joined = index == first || words.next(line, index).is_some();
        let text = line.slice(word.start..word.end);
        let elided = ["d'", "l'", "d’", "l’"].iter().any(|elided| text.starts_with(elided));
        if joined && (elided || is_capital(text)) {
            found = Some((index + 1, word.end));
        } else if !joined || !PARTICLES.contains(&text) {
            break;
        }
    }
    found
}

/// `PO Box 1234`.
fn box_number(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let start = words.list.get(first)?.start;
    let lead = ["PO Box ", "P.O. Box ", "P. O. Box ", "POBox "].iter().find(|lead| line.has_at(start, lead))?;
    let number = start + lead.len();
    let end = line.run(number, |b| b.is_ascii_digit());
    let next = words.list.iter().skip(first).position(|word| word.start >= end).map_or(words.list.len(), |i| first + i);
    ((1..=6).contains(&(end - number)) && line.ends_word(end))
        .then(|| Span::new(start..tail(line, words, next, end), Kind::Address, "post-office-box"))
}

/// `Postfach 10 12 34`: figures enough to be no mailbox of somebody's, or a postcode behind them.
fn german_box(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let word = words.list.get(first).filter(|word| line.slice(word.start..word.end) == "Postfach")?;
    let mut end = word.end;
    let mut figures = 0;
    for group in words.list.iter().skip(first + 1).take(3) {
        let text = line.slice(group.start..group.end);
        let paired = figures == 0 || text.len() == 2;
        if line.slice(end..group.start) != " " || !paired || text.len() > 6 || !text.bytes().all(|b| b.is_ascii_digit())
        {
            break;
        }
        figures += text.len();
        end = group.end;
    }
    let year = matches!(line.slice(word.end..end).get(..3), Some(" 19" | " 20")) && figures == 4;
    let sure = (4..=6).contains(&figures) && !year || figures > 0 && before_postcode(line, end);
    (sure && (closes(line, end) || before_postcode(line, end)))
        .then(|| Span::new(word.start..end, Kind::Address, "post-office-box"))
}

/// `Apt. 698`, and what else a flat is called where it has a line of its own.
fn flat(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let unit = *words.list.get(first)?;
    let number = words.list.get(first + 1)?;
    let text = line.slice(number.start..number.end);
    let numbered = text.starts_with(|c: char| c.is_ascii_digit()) && text.len() <= 5;
    let gap = line.slice(unit.end..number.start);
    let name = line.slice(unit.start..unit.end);
    let dotted = gap == ". " && name.eq_ignore_ascii_case("apt");
    let alone = first == 0 && words.list.len() == 2;
    let named = gap == " " && ["suite", "apartment", "apt"].iter().any(|one| name.eq_ignore_ascii_case(one)) && alone;
    (numbered && (dotted || named)).then(|| Span::new(unit.start..number.end, Kind::Address, "flat"))
}

/// `1015 CJ Amsterdam`.
pub(super) fn dutch_postcode(line: Line<'_>, words: &Words, first: usize, after_street: bool) -> Option<Span> {
    let code = *words.list.get(first)?;
    let digits = line.slice(code.start..code.end);
    let letters = words.next(line, first + 1)?;
    let town = words.next(line, first + 2)?;
    let pair = line.slice(letters.start..letters.end);
    let name = line.slice(town.start..town.end);
    let shaped = digits.len() == 4
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !digits.starts_with('0')
        && pair.len() == 2
        && pair.bytes().all(|b| b.is_ascii_uppercase())
        && is_capital(name)
        && line.starts_word(code.start);
    let known = CITIES.contains(&name.to_lowercase().as_str());
    (shaped && (after_street || known)).then(|| Span::new(code.start..town.end, Kind::Address, "postcode-and-town"))
}

/// What belongs to an address after its street: direction, flat, town and postcode. `index` is the next word's.
fn tail(line: Line<'_>, words: &Words, mut index: usize, mut end: usize) -> usize {
    let text = |index: usize| words.list.get(index).map_or("", |word| line.slice(word.start..word.end));
    if DIRECTIONS.contains(&text(index)) && words.next(line, index).is_some() {
        end = words.list.get(index).map_or(end, |word| word.end);
        index += 1;
    }
    if let (Some(unit), Some(number)) = (words.list.get(index), words.list.get(index + 1))
        && matches!(line.slice(end..unit.start), " " | ", ")
        && UNITS.contains(&text(index).to_lowercase().as_str())
        && matches!(line.slice(unit.end..number.start), " " | ". " | " #")
        && text(index + 1).starts_with(|c: char| c.is_ascii_digit())
    {
        end = number.end;
        index += 2;
    }
    locality(line, words, index, end, true).unwrap_or(end)
}

/// The end of a town with a British postcode or an American state and code: "London NW1 6XE", "Austin, TX 78704".
fn locality(line: Line<'_>, words: &Words, first: usize, from: usize, after_street: bool) -> Option<usize> {
    let mut end = from;
    for index in first..first + 5 {
        let word = words.list.get(index)?;
        let gap = line.slice(end..word.start);
        if !(matches!(gap, " " | ", ") || index == first && gap.is_empty()) {
            return None;
        }
        let text = line.slice(word.start..word.end);
        if index > first || after_street {
            let next = words.next(line, index + 1);
            let code = next.map_or("", |next| line.slice(next.start..next.end));
            if is_outward(text) && is_inward(code) {
                return next.map(|next| next.end);
            }
            let state = STATES.contains(&text) && (after_street || gap == ", " && !STATES_LIKE_WORDS.contains(&text));
            if state && is_zip(code) {
                return next.map(|next| next.end);
            }
        }
        if !is_capital(text) {
            return None;
        }
        end = word.end;
    }
    None
}

/// The first half of a British postcode: `NW1`, `SW1A`.
fn is_outward(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let rest = text.as_bytes().get(letters..).unwrap_or_default();
    (1..=2).contains(&letters)
        && (1..=2).contains(&rest.len())
        && rest.first().is_some_and(u8::is_ascii_digit)
        && rest.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
}

/// The second half: `6XE`; no `8GB`.
fn is_inward(text: &str) -> bool {
    matches!(text.as_bytes(), [digit, a, b] if digit.is_ascii_digit()
        && [a, b].iter().all(|c| c.is_ascii_uppercase() && !b"CIKMOV".contains(c)))
        && !text.ends_with("GB")
        && !text.ends_with("TB")
        && !text.ends_with("HZ")
}

fn is_zip(text: &str) -> bool {
    let (code, more) = text.split_once('-').unwrap_or((text, "0000"));
    let figures = |text: &str, len: usize| text.len() == len && text.bytes().all(|b| b.is_ascii_digit());
    figures(code, 5) && figures(more, 4)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn british_and_american_addresses_are_found_whole() {
        assert_masked(&[
            ("Ship to 221B Baker Street, London NW1 6XE", "Ship to [ADDRESS]"),
            ("4521 Oak Ridge Drive, Apt 12, Austin, TX 78704", "[ADDRESS]"),
            ("at 1600 Pennsylvania Avenue NW, Washington, DC 20500-0003.", "at [ADDRESS]."),
            ("PO Box 1234, Denver, CO 80202", "[ADDRESS]"),
            ("> Apt. 698", "> [ADDRESS]"),
            ("Suite 45", "[ADDRESS]"),
            ("moved to Leeds LS1 4AP in May", "moved to [ADDRESS] in May"),
        ]);
    }

    #[test]
    fn streets_of_the_neighbours_are_found() {
        assert_masked(&[
            ("Siège: 14 rue de la Paix, 75002 Paris", "Siège: [ADDRESS]"),
            ("Rue de Rivoli 12, 75001 Paris", "[ADDRESS]"),
            ("Via Roma 15, 20121 Milano", "[ADDRESS]"),
            ("Keizersgracht 123, 1015 CJ Amsterdam", "[ADDRESS]"),
            ("17 rue du Commerce, 1204 Genève", "[ADDRESS]"),
            ("ul. Zuchów 65", "[ADDRESS]"),
            ("Calle Mayor 5", "[ADDRESS]"),
        ]);
    }

    #[test]
    fn figures_beside_capitals_stay() {
        assert_kept(&[
            "Via Telegram 3 Nachrichten",
            "Via Port 8080",
            "Apple M2 8GB",
            "Task ID 12345",
            "1500 MB Speicher, 2024 AI Summit",
            "in 3 Street Art Touren",
            "14 rue hours",
            "Place 3, Route 5",
            "Test Suite 45 failed, Suite 12 passed",
            "Postfach 3 ist voll, das Postfach 2024",
        ]);
    }
}
