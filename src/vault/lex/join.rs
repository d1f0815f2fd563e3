//! Joins bare numbers, units and words to quantities: ranges, dates in words, bounds.

use super::{Item, plain};
use crate::vault::quantity::{Bound, Date, Kind, Quantity, month, ordinal, unit, with_unit, word_number};

/// Joins numbers with months, units, ranges and bounds.
pub(super) fn join(raw: &[Item]) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(item) = raw.get(at) {
        if let Some((mut quantity, used)) = quantity(raw, at, out.last().and_then(Item::word)) {
            let mut end = at + used;
            let mut former = false;
            let between =
                out.iter().rev().filter_map(Item::word).take(2).any(|word| matches!(word, "zwischen" | "between"));
            let link = raw.get(end).and_then(Item::word).unwrap_or_default();
            if matches!(link, "–" | "bis" | "to" | "until" | "till" | "auf") || between && matches!(link, "und" | "and")
            {
                let after = end + 1 + usize::from(matches!(raw.get(end + 1).and_then(Item::word), Some("zu")));
                if let Some((mut second, more)) = self::quantity(raw, after, Some(link)) {
                    if quantity.kind == Kind::Plain && second.kind != Kind::Plain && second.kind != Kind::Date {
                        let factor = factor_of(raw, after, more);
                        with_unit(&mut quantity, second.kind, factor);
                    }
                    if second.kind == Kind::Plain && quantity.kind == Kind::Clock {
                        with_unit(&mut second, Kind::Clock, 60.0);
                    }
                    if link == "auf" || link == "to" && changes(raw, at) {
                        former = quantity.kind == second.kind;
                    } else if quantity.kind == second.kind && !matches!(quantity.kind, Kind::Version | Kind::Ip) {
                        if quantity.kind == Kind::Date {
                            bound(&mut quantity, &out);
                            out.push(Item::Number { quantity, former: false });
                            out.push(Item::Number { quantity: second, former: false });
                        } else {
                            quantity.high = second.low;
                            out.push(Item::Number { quantity, former: false });
                        }
                        at = after + more;
                        continue;
                    }
                }
            }
            bound(&mut quantity, &out);
            out.push(Item::Number { quantity, former });
            end = end.max(at + 1);
            at = end;
            continue;
        }
        match item {
            Item::Word { folded, .. } if folded == "–" => out.push(Item::Break(true)),
            other => out.push(other.clone()),
        }
        at += 1;
    }
    out
}

/// Whether the words near a number speak of a change.
fn changes(raw: &[Item], at: usize) -> bool {
    let from = at.saturating_sub(6);
    raw.iter().skip(from).take(14).filter_map(Item::word).any(|word| {
        [
            "increas", "decreas", "rais", "lower", "reduc", "extend", "chang", "upgrad", "updat", "mov", "grew",
            "drop", "bump", "switch", "migrat", "erhoh", "gesenkt",
        ]
        .iter()
        .any(|stem| word.starts_with(stem))
    })
}

fn factor_of(raw: &[Item], at: usize, used: usize) -> f64 {
    raw.iter().skip(at).take(used).filter_map(Item::word).find_map(unit).map_or(1.0, |(_, factor)| factor)
}

/// Reads the number at `at`, with what belongs to it; returns it and how many items it took.
#[expect(clippy::too_many_lines, reason = "one grammar, read from top to bottom")]
fn quantity(raw: &[Item], at: usize, before: Option<&str>) -> Option<(Quantity, usize)> {
    let word = |index: usize| raw.get(index).and_then(Item::word).unwrap_or_default();
    let number = |index: usize| raw.get(index).and_then(Item::number);
    let small = |index: usize| number(index).filter(|q| q.kind == Kind::Plain && q.low <= 31.0).map(|q| q.low);
    let year = |index: usize| {
        number(index)
            .filter(|q| q.kind == Kind::Plain && q.parts.is_empty() && (1500.0..2200.0).contains(&q.low))
            .map(|q| q.low)
    };
    match raw.get(at)? {
        Item::Number { quantity, .. } => {
            let mut quantity = quantity.clone();
            let mut end = at + 1;
            if let Some(day) = small(at) {
                let skip = usize::from(word(end) == "of");
                if let Some(month) = month(word(end + skip)).filter(|_| capital(raw, end + skip)) {
                    end += 1 + skip;
                    let comma =
                        usize::from(matches!(raw.get(end), Some(Item::Break(false))) && year(end + 1).is_some());
                    let written = year(end + comma);
                    if written.is_some() {
                        end += 1 + comma;
                    }
                    return Some((Quantity::of_date(made(written.unwrap_or(0.0), month, day)), end - at));
                }
            }
            if quantity.kind == Kind::Date && quantity.date.year == 0 && year(end).is_some() {
                quantity.date = made(year(end).unwrap_or(0.0), quantity.date.month, f64::from(quantity.date.day));
                return Some((quantity, 2));
            }
            if let Some((kind, factor)) = unit(word(end)).filter(|_| quantity.kind == Kind::Plain) {
                let single = matches!(word(end), "m" | "t" | "s" | "h" | "l" | "w" | "g" | "fr" | "min");
                if !(single && capital(raw, end) && word(end) != "w") || word(end) == "min" {
                    with_unit(&mut quantity, kind, factor);
                    end += 1;
                }
            } else if quantity.kind == Kind::Clock && word(end) == "uhr" {
                end += 1;
            }
            if matches!(word(end), "am" | "pm" | "a.m" | "p.m")
                && (quantity.kind == Kind::Clock || quantity.kind == Kind::Plain && quantity.low <= 12.0)
                && !capital(raw, end)
            {
                let after_noon = word(end).starts_with('p');
                let german_am = word(end) == "am" && matches!(raw.get(end + 1), Some(Item::Word { capital: true, .. }));
                if !german_am {
                    with_unit(&mut quantity, Kind::Clock, 60.0);
                    if after_noon && quantity.low < 720.0 {
                        quantity.low += 720.0;
                        quantity.high += 720.0;
                    }
                    end += 1;
                }
            }
            if quantity.kind == Kind::Plain
                && quantity.parts.is_empty()
                && quantity.low <= 24.0
                && quantity.low.fract() == 0.0
                && matches!(before, Some("um"))
            {
                with_unit(&mut quantity, Kind::Clock, 60.0);
            }
            if quantity.kind == Kind::Plain && matches!(before, Some("$" | "£" | "€")) {
                let (kind, factor) = unit(before.unwrap_or_default())?;
                with_unit(&mut quantity, kind, factor);
            }
            if quantity.kind == Kind::Plain
                && quantity.parts.is_empty()
                && quantity.low.fract() == 0.0
                && (1900.0..2100.0).contains(&quantity.low)
                && !matches!(before, Some("port" | "nr" | "nummer"))
            {
                quantity = Quantity::of_date(made(quantity.low, 0, 0.0));
            }
            if matches!(before, Some("version" | "release")) && quantity.kind == Kind::Plain {
                quantity.kind = Kind::Version;
                if quantity.parts.is_empty() {
                    quantity.parts =
                        format!("{}", quantity.low).split('.').filter_map(|part| part.parse().ok()).collect();
                }
            }
            Some((quantity, end - at))
        }
        Item::Word { folded, capital: upper, .. } => {
            if let Some(number) = month(folded).filter(|_| {
                *upper
                    && (folded != "may"
                        || small(at + 1).is_some()
                        || year(at + 1).is_some()
                        || matches!(before, Some("in" | "on" | "since" | "until" | "by" | "from" | "of")))
            }) {
                if let Some(written) = year(at + 1) {
                    return Some((Quantity::of_date(made(written, number, 0.0)), 2));
                }
                if let Some(day) = small(at + 1).filter(|_| unit(word(at + 2)).is_none()) {
                    let comma = usize::from(matches!(raw.get(at + 2), Some(Item::Break(false))));
                    let written = year(at + 2 + comma);
                    let used = if written.is_some() { 3 + comma } else { 2 };
                    return Some((Quantity::of_date(made(written.unwrap_or(0.0), number, day)), used));
                }
                return Some((Quantity::of_date(made(0.0, number, 0.0)), 1));
            }
            let next_unit = unit(word(at + 1));
            if matches!(folded.as_str(), "pro" | "je" | "per")
                && let Some((kind, factor)) =
                    next_unit.filter(|(kind, _)| !matches!(kind, Kind::Clock | Kind::Percent | Kind::Money(_)))
            {
                // A rate: one of the unit.
                let mut quantity = plain(1.0);
                with_unit(&mut quantity, kind, factor);
                return Some((quantity, 2));
            }
            // "Zwischen zwei Wiederholungen" counts nothing.
            if matches!(before, Some("zwischen" | "between"))
                && matches!(folded.as_str(), "zwei" | "two")
                && !matches!(word(at + 1), "und" | "and")
                && next_unit.is_none()
            {
                return None;
            }
            let value = match folded.as_str() {
                "ein" | "eine" | "einer" | "einen" | "einem" | "one" | "a" | "an" => {
                    next_unit.filter(|(kind, _)| !matches!(kind, Kind::Clock)).map(|_| 1.0)?
                }
                "halbe" | "halben" | "halbes" | "half" => {
                    let skip = usize::from(matches!(word(at + 1), "an" | "a"));
                    let (kind, factor) = unit(word(at + 1 + skip))?;
                    let mut quantity = plain(0.5);
                    with_unit(&mut quantity, kind, factor);
                    return Some((quantity, 2 + skip));
                }
                "anderthalb" | "eineinhalb" => 1.5,
                "zweieinhalb" => 2.5,
                other => word_number(other).or_else(|| ordinal(other))?,
            };
            let mut quantity = plain(value);
            let mut end = at + 1;
            if value <= 31.0
                && let Some(month) = month(word(end)).filter(|_| capital(raw, end))
            {
                let written = year(end + 1);
                return Some((
                    Quantity::of_date(made(written.unwrap_or(0.0), month, value)),
                    end + 1 + usize::from(written.is_some()) - at,
                ));
            }
            if let Some((kind, factor)) = next_unit {
                with_unit(&mut quantity, kind, factor);
                end += 1;
            }
            if quantity.kind == Kind::Plain && value <= 24.0 && matches!(before, Some("um")) {
                with_unit(&mut quantity, Kind::Clock, 60.0);
            }
            if let "million" | "millions" | "millionen" = word(end) {
                quantity.low *= 1e6;
                quantity.high *= 1e6;
                end += 1;
            }
            Some((quantity, end - at))
        }
        _ => None,
    }
}

fn capital(raw: &[Item], at: usize) -> bool {
    matches!(raw.get(at), Some(Item::Word { capital: true, .. }))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the callers pass whole numbers of a calendar"
)]
fn made(year: f64, month: u8, day: f64) -> Date {
    Date { year: year as u16, month, day: day as u8 }
}

/// Takes the bound from the words before a number.
fn bound(quantity: &mut Quantity, out: &[Item]) {
    let mut before = out.iter().rev().map_while(Item::word);
    let last = before.next().unwrap_or_default();
    let earlier = before.next().unwrap_or_default();
    quantity.bound = match (earlier, last) {
        (
            _,
            "ca" | "etwa" | "rund" | "ungefahr" | "knapp" | "about" | "around" | "approximately" | "roughly" | "approx"
            | "circa" | "gegen" | "nearly" | "almost",
        ) => Bound::Approx,
        (_, "maximal" | "max" | "hochstens" | "unter" | "below" | "under")
        | ("bis", "zu")
        | ("at", "most")
        | ("up", "to")
        | ("als" | "weniger", "als")
        | ("less" | "fewer", "than") => {
            if earlier == "mehr" {
                Bound::AtLeast
            } else {
                Bound::AtMost
            }
        }
        (_, "mindestens" | "min" | "mind" | "uber" | "over" | "above" | "ab")
        | ("at", "least")
        | ("mehr", "als")
        | ("more", "than") => Bound::AtLeast,
        _ => Bound::Exact,
    };
}
