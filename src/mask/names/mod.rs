//! Full names of persons, by lists, cues and a small model.
//!
//! The model reads the sentence and knows both lists; the rules know the notes it was not made for. A bare first name is no
//! finding of either; a bare surname is one after a form of address.

mod cues;
mod firms;
mod joined;
pub(super) mod lists;
mod model;
mod parts;
mod token;
#[doc(hidden)]
pub mod training;

use std::ops::Range;

use super::Kind;
use super::line::Line;
use super::overlap::Span;
use cues::is_in;
use lists::Flags;
pub(super) use model::Model;
use model::{Label, Reading};
pub(super) use parts::{PART, allowed, find_parts, parts};
use token::{Shape, Token};

/// How far the model may doubt a name that the lists vouch for, in its steps.
const DOUBT: i32 = 40;
/// The same for an initial and a surname: "I. Anders" is a sentence.
const DOUBT_OF_INITIALS: i32 = 24;

pub(super) fn find(line: Line<'_>, model: Model, out: &mut Vec<Span>) {
    if !has_candidate(line) {
        return;
    }
    let tokens = token::tokens(line);
    let words = Words { line, tokens: &tokens, reading: model::read(model, &tokens) };
    let mut at = 0;
    while at < tokens.len() {
        let found = words
            .addressed(at)
            .or_else(|| words.customer(at))
            .or_else(|| words.joined(at))
            .or_else(|| words.listed(at))
            .or_else(|| words.small_listed(at))
            .or_else(|| words.modelled(at));
        match found {
            Some(found) if words.is_firm(&found) => at = found.0.end,
            Some((range, rule)) => {
                at = range.end;
                if let (Some(first), Some(last)) = (tokens.get(range.start), tokens.get(range.end - 1)) {
                    out.push(Span::new(first.range.start..last.range.end, Kind::Name, rule));
                }
            }
            None => at += 1,
        }
    }
}

/// Whether there are two words: the cheap look before the dear one.
fn has_candidate(line: Line<'_>) -> bool {
    let mut words = line.text().split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.nth(1).is_some()
}

type Found = (Range<usize>, &'static str);

struct Words<'a> {
    line: Line<'a>,
    tokens: &'a [Token],
    reading: Reading,
}

impl<'a> Words<'a> {
    fn token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at)
    }

    fn text(&self, at: usize) -> &'a str {
        self.token(at).map_or("", |token| self.line.slice(token.range.clone()))
    }

    fn label(&self, at: usize) -> Label {
        self.reading.labels.get(at).copied().unwrap_or_default()
    }

    fn is_sign(&self, at: usize, sign: &str) -> bool {
        self.token(at).is_some_and(|token| token.shape == Shape::Sign) && self.text(at) == sign
    }

    /// A word with a capital that may be part of a name.
    fn capital(&self, at: usize) -> Option<&'a Token> {
        self.token(at).filter(|token| token.is_capital())
    }

    /// Past `A.` or `A.-B.` or `A` when the token at `at` is an initial.
    fn initial(&self, at: usize) -> Option<usize> {
        let token = self.token(at).filter(|token| token.shape == Shape::Initial)?;
        let dotted =
            self.is_sign(at + 1, ".") && self.token(at + 1).is_some_and(|dot| dot.range.start == token.range.end);
        dotted.then_some(at + 2)
    }

    /// Whether the words at `at` are joined to the one before by one blank, and nothing else.
    fn follows(&self, at: usize) -> bool {
        let (Some(before), Some(token)) = (at.checked_sub(1).and_then(|i| self.token(i)), self.token(at)) else {
            return false;
        };
        let gap = self.line.slice(before.range.end..token.range.start);
        (1..=2).contains(&gap.len()) && gap.bytes().all(|b| b == b' ')
            || gap.is_empty() && (self.text(at - 1) == "." || self.text(at) == ".")
    }

    /// The end of a name that the model begins at `at` or goes on with there.
    fn model_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        while self.label(end) == Label::Inside {
            end += 1;
        }
        end
    }

    /// Whether the model, where it sees no name, leaves room for one that the lists vouch for.
    fn plausible(&self, name: Range<usize>) -> bool {
        self.reading.odds(name) > -DOUBT
    }

    /// "Herr Müller", "Dr. h.c. Karl von der Heyde", "Familie Huber": the name after a form of address.
    fn addressed(&self, at: usize) -> Option<Found> {
        if !self.token(at)?.is_capital() || !is_in(cues::HONORIFICS, self.text(at)) {
            return None;
        }
        let mut next = at + 1;
        if self.is_sign(next, ".") {
            next += 1;
        } else if is_in(cues::POINTED, self.text(at)) {
            return None;
        }
        // Further titles, with their points and hyphens.
        for _ in 0..12 {
            let text = self.text(next);
            let title = is_in(cues::TITLES, text) || text.starts_with("Dipl") && text.contains('-');
            let point = matches!(text, "." | "-") && self.token(next)?.shape == Shape::Sign;
            let role = is_in(cues::ROLES, text) && self.capital(next + 1).is_some() && self.capital(next).is_some();
            let dotted = self.is_sign(next + 1, ".") || !matches!(self.token(next)?.shape, Shape::Initial);
            if !(point || title && dotted || role) {
                break;
            }
            next += 1;
        }
        let start = next;
        let end = self.withheld(start).or_else(|| self.name_end(start, true))?;
        Some((start..end, "name-after-title"))
    }

    /// "Kunde Huber": a bare surname after what somebody is to us, if it can be nothing else.
    fn customer(&self, at: usize) -> Option<Found> {
        let surname = self.capital(at + 1)?;
        let sure = surname.is(Flags::NEAR_LAST) && !surname.is(Flags::FIRST | Flags::WORD | Flags::TOWN);
        let next = self.token(at + 2);
        let alone = next.is_none_or(|next| !next.is_capital() && next.shape != Shape::Initial);
        (is_in(cues::CUSTOMERS, self.text(at)) && sure && alone && self.follows(at + 1))
            .then_some((at + 1..at + 2, "surname-after-role"))
    }

    /// Past a name of which only the first letter is given: "B …", "B. …".
    fn withheld(&self, at: usize) -> Option<usize> {
        self.token(at).filter(|token| token.shape == Shape::Initial)?;
        let dots = at + 1 + usize::from(self.is_sign(at + 1, ".") && self.token(at + 2).is_some_and(|t| t.spaced));
        if self.is_sign(dots, "…") {
            return Some(dots + 1);
        }
        (dots..dots + 3).all(|i| self.is_sign(i, ".")).then_some(dots + 3)
    }

    /// The end of a name that starts at `start`: initials and first names, particles, a surname.
    fn name_end(&self, start: usize, addressed: bool) -> Option<usize> {
        let mut at = start;
        let mut end = None;
        let mut last_first = false;
        for _ in 0..6 {
            if at > start && !self.follows(at) && self.text(at) != "." {
                break;
            }
            if let Some(past) = self.initial(at) {
                at = past;
                continue;
            }
            if let Some(token) = self.capital(at) {
                let first = token.is(Flags::FIRST);
                let last = token.is(Flags::LAST);
                let continues = match end {
                    None => addressed || first || last,
                    Some(_) => {
                        last_first
                            && (last
                                || self.label(at) == Label::Inside
                                || !token.is(Flags::WORD) && token.flags.bits() != 0)
                    }
                };
                let word = is_in(cues::ROLES, self.text(at))
                    || end.is_none()
                        && addressed
                        && token.flags.bits() == Flags::WORD
                        && self.label(at) == Label::Outside;
                if !continues || word {
                    break;
                }
                at += 1;
                end = Some(at);
                last_first = first || !last && self.label(at) == Label::Inside;
                continue;
            }
            // Particles only lead on to a capital.
            let particles = (at..at + 3)
                .take_while(|&i| {
                    self.token(i).is_some_and(|t| t.shape == Shape::Lower)
                        && is_in(cues::PARTICLES, self.text(i))
                        && self.text(i) != "und"
                })
                .count();
            if particles == 0
                || matches!(self.text(at), "der" | "den")
                || self.capital(at + particles).is_none()
                || !self.follows(at + particles)
                || end.is_some() && !last_first
            {
                break;
            }
            at += particles + 1;
            end = Some(at);
            last_first = false;
        }
        end
    }

    /// Names that the lists vouch for: "Anna Meier", "A. Meier", "Meier, Anna", "ANNA MEIER".
    fn listed(&self, at: usize) -> Option<Found> {
        let token = self.token(at)?;
        if let Some(past) = self.initial(at) {
            return if self.is_emoticon(at) { None } else { self.initialled(at, past) };
        }
        if !token.is_capital()
            || !token.is(Flags::FIRST | Flags::LAST)
            || is_in(cues::OPENERS, self.text(at))
            || is_in(cues::HONORIFICS, self.text(at))
        {
            return None;
        }
        if token.is(Flags::LAST) && self.is_sign(at + 1, ",") {
            return self.reversed(at);
        }
        if !token.is(Flags::FIRST) || token.genitive {
            return None;
        }
        if self.is_thing(at) {
            return None;
        }
        let sure = |token: &Token| !token.is(Flags::WORD | Flags::TOWN);
        let near = token.is(Flags::NEAR_FIRST) && sure(token);
        let end = self.name_end(at, false).filter(|&end| end > at + 1)?;
        let last = self.token(end - 1)?;
        let surname = last.is(Flags::LAST) && sure(last) || last.is(Flags::NEAR_LAST) && near;
        // The model has seen the sentence; without its word, both parts must be usual.
        let agreed = self.label(at) == Label::Begin && self.model_end(at) >= end;
        let vouched = near && surname && !is_in(cues::OPENERS, self.text(at + 1)) && self.plausible(at..end);
        (agreed || vouched).then_some((
            at..self.model_end(at).max(end).min(if self.label(at) == Label::Begin { usize::MAX } else { end }),
            "name-in-lists",
        ))
    }

    /// "Rosa Button": a first name, or what looks like one, before a thing.
    fn is_thing(&self, at: usize) -> bool {
        is_in(cues::THINGS, self.text(at + 1)) && self.follows(at + 1)
    }

    /// `:D. Hope`: what looks like an initial is a face.
    fn is_emoticon(&self, at: usize) -> bool {
        let eyes = at.checked_sub(1).filter(|&eyes| matches!(self.text(eyes), ":" | ";"));
        let glued = self.token(at).is_some_and(|token| !token.spaced);
        eyes.is_some_and(|eyes| glued && self.token(eyes).is_some_and(|token| token.spaced))
            && matches!(self.text(at), "D" | "P" | "O" | "X" | "S")
    }

    /// "A. Meier", "A. B. von Meier".
    fn initialled(&self, at: usize, past: usize) -> Option<Found> {
        // "z. B. Koch" is no Mr Koch.
        let abbreviation = at >= 2 && self.is_sign(at - 1, ".") && self.token(at - 2).is_some_and(|t| t.len == 1);
        if abbreviation && self.label(at) == Label::Outside || at > 0 && self.is_sign(at - 1, "/") {
            return None;
        }
        let mut next = past;
        while let Some(further) = self.initial(next) {
            next = further;
        }
        let end = self.name_end(next, false)?;
        if is_in(cues::OPENERS, self.text(next)) {
            return None;
        }
        let surname = self.token(end - 1)?;
        let vouched = surname.is(Flags::LAST)
            && (!surname.is(Flags::WORD) || surname.is(Flags::NEAR_LAST))
            && surname.len > 2
            && self.follows(next)
            && self.reading.odds(at..end) > -DOUBT_OF_INITIALS;
        let agreed = self.label(at) == Label::Begin && self.model_end(at) >= end;
        (vouched || agreed).then_some((at..end, "name-with-initial"))
    }

    /// "Meier, Anna": at the start of a line or after a cue, so that it is no list of names.
    fn reversed(&self, at: usize) -> Option<Found> {
        let first = self.capital(at + 2)?;
        let opened = at == 0
            || matches!(self.text(at - 1), ":" | ";" | "|" | "-" | "–" | "(" | "•" | "*" | "\"" | ",")
            || is_in(cues::OPENERS, self.text(at - 1))
            || is_in(cues::HONORIFICS, self.text(at - 1));
        let surname = self.token(at)?;
        let given = first.is(Flags::FIRST) && first.is(Flags::NEAR_FIRST) && !first.is(Flags::WORD);
        let next = self.token(at + 3);
        let closed =
            next.is_none_or(|t| matches!(t.shape, Shape::Sign | Shape::Lower | Shape::Number | Shape::Barrier));
        let plain = !is_in(cues::OPENERS, self.text(at)) && surname.is(Flags::NEAR_LAST | Flags::LAST);
        let list = self.is_sign(at + 3, ",") && self.capital(at + 4).is_some_and(|t| t.is(Flags::FIRST));
        (opened && given && closed && plain && !list && !surname.is(Flags::TOWN) && self.plausible(at..at + 3))
            .then_some((at..at + 3, "name-reversed"))
    }

    /// Whether the words are a name that somebody wrote without its capitals.
    fn small_name(&self, name: Range<usize>) -> bool {
        let tokens = self.tokens.get(name).unwrap_or_default();
        let [first, .., last] = tokens else { return false };
        first.is(Flags::FIRST)
            && !last.is(Flags::WORD)
            && tokens.len() <= 3
            && tokens.iter().any(|token| token.shape == Shape::Lower && token.is(Flags::FIRST | Flags::LAST))
            && tokens.iter().all(|token| matches!(token.shape, Shape::Lower | Shape::Capital) && token.len > 1)
    }

    /// "justin meier": usual names that can be nothing else, without their capitals.
    fn small_listed(&self, at: usize) -> Option<Found> {
        let (first, last) = (self.token(at)?, self.token(at + 1)?);
        let sure = |token: &Token, list, other| {
            token.is(list) && !token.is(other | Flags::WORD | Flags::TOWN) && !token.genitive && token.len > 2
        };
        let alone = self.token(at + 2).is_none_or(|next| !next.is_capital());
        let small = first.shape == Shape::Lower && last.shape == Shape::Lower;
        (small && alone && self.follows(at + 1))
            .then_some(())
            .filter(|()| sure(first, Flags::NEAR_FIRST, Flags::LAST) && sure(last, Flags::NEAR_LAST, Flags::FIRST))
            .filter(|()| self.plausible(at..at + 2))
            .map(|()| (at..at + 2, "name-in-small-letters"))
    }

    /// Names that the model sees, if they are full: two words or more.
    fn modelled(&self, at: usize) -> Option<Found> {
        if self.label(at) != Label::Begin {
            return None;
        }
        let mut start = at;
        let mut end = self.model_end(at);
        // Signs at the edges belong to the sentence, small words only lead to a capital; but "B …" and "M. N." are how courts
        // name people.
        let small = self.small_name(start..end);
        let edge = |i: usize| self.token(i).is_some_and(|t| t.is_capital() || t.shape == Shape::Initial || small);
        while end > start && !edge(end - 1) {
            end -= 1;
        }
        while start < end && !edge(start) {
            start += 1;
        }
        if let Some(withheld) = self.withheld(start).filter(|&past| past >= end) {
            return Some((start..withheld, "name-withheld"));
        }
        if end > start + 1 && self.initial(end - 1).is_some() {
            end += 1;
        }
        let words = (start..end)
            .filter(|&i| self.token(i).is_some_and(|t| t.is_capital() || t.shape == Shape::Initial))
            .count();
        let capitals = (start..end).filter(|&i| self.capital(i).is_some()).count();
        if small {
            return Some((start..end, "name-in-small-letters"));
        }
        let last = self.token(end.saturating_sub(1))?;
        // A first name before a noun, and places that are called like persons.
        let noun = last.flags.bits() & !Flags::WORD == 0 && is_noun(self.text(end - 1));
        let place = is_in(cues::PLACES, self.text(start)) || self.is_thing(start);
        let month = is_in(cues::MONTHS, self.text(end.saturating_sub(1)));
        // "Annas Idee" is no full name.
        let owned = words == 2 && self.token(start).is_some_and(|t| t.genitive);
        (words >= 2 && (capitals >= 1 || end - start == 4) && !noun && !place && !owned && !month)
            .then_some((start..end, "name-in-sentence"))
    }
}

/// Whether a word that no list has is formed as German forms its nouns.
fn is_noun(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ung", "heit", "keit", "schaft", "tion", "gabe", "nahme", "ment", "ität", "ismus", "bericht", "termin",
        "projekt", "konzept", "vertrag", "plan", "rechnung", "team", "server", "queue", "review",
    ];
    let lower = word.to_lowercase();
    ENDINGS.iter().any(|ending| lower.ends_with(ending) && lower.len() > ending.len() + 1)
        || lower.contains('-') && lists::flags(&lower).bits() == 0 && word.matches(char::is_uppercase).count() > 2
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn full_names_are_found() {
        assert_masked(&[
            ("Anruf von Anna Meier wg. Rechnung", "Anruf von [NAME] wg. Rechnung"),
            ("Kunde: Meier, Anna", "Kunde: [NAME]"),
            ("Rückruf A. Meier", "Rückruf [NAME]"),
            ("Hallo Herr Müller.", "Hallo Herr [NAME]."),
            ("ANNA MEIER hat bezahlt", "[NAME] hat bezahlt"),
            ("SOPHY SANTINO hat storniert", "[NAME] hat storniert"),
            ("Gast Familie Huber reist ab", "Gast Familie [NAME] reist ab"),
            ("Anna-Lena Weiß-Schröder und Dr. h.c. Karl von der Heyde", "[NAME] und Dr. h.c. [NAME]"),
            ("Mit freundlichen Grüßen, Thomas Schneider", "Mit freundlichen Grüßen, [NAME]"),
            ("Frau Dr. med. Eva Schulz", "Frau Dr. med. [NAME]"),
            ("Mag. Huber ruft an, Herr Mag Huber auch", "Mag. [NAME] ruft an, Herr Mag [NAME] auch"),
            ("Mr. Smith called, then Sarah Johnson.", "Mr. [NAME] called, then [NAME]."),
            ("07-Kontakte/Anna Meier.md", "07-Kontakte/[NAME].md"),
            ("Anna Meiers Angebot", "[NAME] Angebot"),
        ]);
    }

    #[test]
    fn first_names_and_nouns_stay() {
        assert_kept(&[
            "Blocker: Mario (VPS-Deployment), Flo und Carlo prüfen",
            "Hermes Memory ist aktuell flaches Key-Value.",
            "Der Status von Vento Telegram",
            "Frau und Kind, der Herr der Ringe",
            "Sehr geehrte Damen und Herren",
            "Mario Deployment prüfen",
            "Docker Compose und Visual Studio Code",
            "Neue Session starten",
            "Mag Tabellen lieber als Listen",
            "Heißt Flo. Mag Tabellen.",
            "Human-Review nötig, Rechnung offen",
        ]);
    }
}
