//! Postcodes with their towns.

use super::super::Kind;
use super::super::line::Line;
use super::super::names::lists::{self, Flags};
use super::super::overlap::Span;
use super::lists::{CITIES, FOUR_FIGURES, NO_TOWNS, TOWN_ENDINGS};
use super::street::address_cue;
use super::words::{Word, Words, ends_with_any, is_capital};

/// A postcode with its town, the postcode being the word at `first`.
pub(super) fn postcode(line: Line<'_>, words: &Words, first: usize, previous: Option<&Span>) -> Option<Span> {
    let code = *words.list.get(first)?;
    let digits = line.slice(code.start..code.end);
    let after_street = previous.is_some_and(|span| {
        line.slice(span.range.end..code.start)
            .chars()
            .all(|c| matches!(c, ' ' | ',' | 'D' | 'A' | '-' | '/' | '|' | ';'))
            && code.start - span.range.end <= 5
    });
    let (start, country) = match line.to(code.start).rsplit_once(|c: char| !c.is_alphanumeric() && c != '-') {
        _ if line.to(code.start).ends_with("D-")
            || line.to(code.start).ends_with("A-")
            || line.to(code.start).ends_with("L-") =>
        {
            (code.start - 2, true)
        }
        _ if ["DE-", "AT-", "CH-"].iter().any(|prefix| line.to(code.start).ends_with(prefix)) => (code.start - 3, true),
        _ => (code.start, false),
    };
    let five = digits.len() == 5 && digits.bytes().all(|b| b.is_ascii_digit()) && ("01001".."99999").contains(&digits);
    let four = digits.len() == 4
        && digits.bytes().all(|b| b.is_ascii_digit())
        && digits >= "1000"
        && (country || after_street || four_figures(line, words, first, code.start));
    let joined = matches!(line.byte_before(start), b'-' | b'_' | b'.' | b',' | b'/' | b'#' | b'+' | b':')
        && line.char_before(start.saturating_sub(1)).is_some_and(char::is_alphanumeric);
    if !(five || four) || joined && !after_street || !line.starts_word(start) {
        return None;
    }
    let (end, sure) = town(line, words, first + 1)?;
    let cue = address_cue(line, start)
        || line.tail_before(start, 12).to_lowercase().trim_end().ends_with("plz")
        || line.tail_before(start, 12).to_lowercase().trim_end().ends_with(" in");
    (sure || four || after_street || country || cue).then(|| Span::new(start..end, Kind::Address, "postcode-and-town"))
}

/// Whether the four figures before `at` belong to a town that is known to have as many, and can't be a year.
fn four_figures(line: Line<'_>, words: &Words, first: usize, at: usize) -> bool {
    let year = matches!(line.slice(at..at + 2), "19" | "20");
    let town = words.next(line, first + 1).map(|word| line.slice(word.start..word.end));
    // "St. Gallen" has its name in the second word.
    let second = words.list.get(first + 2).map_or("", |word| line.slice(word.start..word.end));
    town.is_some_and(|town| {
        is_capital(town)
            && (FOUR_FIGURES.contains(&town.to_lowercase().as_str())
                || matches!(town, "St" | "St." | "Sankt") && FOUR_FIGURES.contains(&second.to_lowercase().as_str()))
    }) && (!year || postal_cue(line, at))
}

fn postal_cue(line: Line<'_>, at: usize) -> bool {
    address_cue(line, at) || line.tail_before(at, 12).to_lowercase().trim_end().ends_with("plz")
}

/// The end of the town's name that starts with the word at `index`, and whether it is known or formed like one.
fn town(line: Line<'_>, words: &Words, index: usize) -> Option<(usize, bool)> {
    let first = words.next(line, index)?;
    let text = line.slice(first.start..first.end);
    let lower = text.to_lowercase();
    if !is_capital(text)
        || NO_TOWNS.contains(&lower.as_str())
        || lists::flags(&lower).any(Flags::WORD) && !lists::flags(&lower).any(Flags::TOWN)
    {
        return None;
    }
    let titled = matches!(
        lower.as_str(),
        "bad"
            | "sankt"
            | "st"
            | "st."
            | "neu"
            | "alt"
            | "groß"
            | "klein"
            | "markt"
            | "hohen"
            | "ober"
            | "unter"
            | "hann"
            | "den"
    );
    let mut end = first.end;
    let mut sure = lists::flags(&lower).any(Flags::TOWN)
        || lower.split('-').any(|part| lists::flags(part).any(Flags::TOWN))
        || CITIES.contains(&lower.as_str())
        || ends_with_any(&lower, TOWN_ENDINGS) && lower.len() > 4;
    let mut at = index + 1;
    if titled {
        if line.byte(end) == b'.' {
            end += 1;
        }
        let second = *words.list.get(at)?;
        let gap = line.slice(first.end..second.start);
        if gap.len() > 2 || !is_capital(line.slice(second.start..second.end)) {
            return Some((end, sure));
        }
        end = second.end;
        sure = true;
        at += 1;
    }
    // "Frankfurt am Main", "Rothenburg ob der Tauber", "Neustadt a. d. Weinstraße", "Halle (Saale)".
    let links = ["am", "an", "im", "in", "ob", "bei", "vor", "a", "der", "d", "i", "den", "dem", "b"];
    let mut link_seen = false;
    while let Some(word) = words.list.get(at) {
        let text = line.slice(word.start..word.end);
        let gap = line.slice(end..word.start);
        let plain_gap = matches!(gap, " " | ". " | "." | "/" | "/ ");
        if plain_gap && links.contains(&text) {
            link_seen = true;
        } else if link_seen && plain_gap && is_capital(text) && is_place_part(text) {
            end = word.end;
            sure = true;
            break;
        } else {
            break;
        }
        if at > index + 4 {
            break;
        }
        // Counted in only if a name follows.
        let probe = words.list.get(at + 1).map(|next| line.slice(word.end..next.start));
        if probe.is_none_or(|gap| gap.len() > 2) {
            break;
        }
        end = if link_seen
            && words.list.get(at + 1).is_some_and(|n| {
                is_place_part(line.slice(n.start..n.end)) || links.contains(&line.slice(n.start..n.end))
            }) {
            word.end
        } else {
            return Some((first_end(first, end, word.start), sure));
        };
        at += 1;
    }
    Some((end, sure))
}

fn first_end(first: Word, end: usize, before: usize) -> usize {
    if end < before { end.max(first.end) } else { first.end }
}

/// Rivers, lakes and hills in the names of towns.
fn is_place_part(text: &str) -> bool {
    const PARTS: &[&str] = &[
        "Main",
        "Rhein",
        "Oder",
        "Neckar",
        "Donau",
        "Inn",
        "Lech",
        "Isar",
        "Saale",
        "Elbe",
        "Weser",
        "Havel",
        "Spree",
        "Ruhr",
        "Lahn",
        "Mosel",
        "Saar",
        "Aller",
        "Leine",
        "Weinstraße",
        "Tauber",
        "Bodensee",
        "Ammersee",
        "Chiemsee",
        "Starnberger",
        "Harz",
        "Wald",
        "See",
        "Teck",
        "Steig",
        "Brenz",
        "Ilm",
        "Aisch",
        "Sand",
        "Paar",
        "Alz",
        "Vils",
        "Rems",
        "Fils",
        "Enz",
        "Nagold",
        "Alb",
        "Taunus",
        "Odenwald",
        "Allgäu",
        "Berg",
        "Glan",
        "Nahe",
        "Sieg",
        "Ems",
        "Lippe",
        "Werra",
        "Fulda",
        "Eder",
        "Glonn",
        "Amper",
        "Iller",
        "Mur",
        "Drau",
        "Enns",
        "Ybbs",
        "Steyr",
        "Attersee",
        "Wörthersee",
        "Tegernsee",
        "Schliersee",
        "Hessen",
        "Bayern",
        "Schwaben",
        "München",
        "Berlin",
        "Hamburg",
        "Köln",
        "Bremen",
    ];
    PARTS.contains(&text)
}
