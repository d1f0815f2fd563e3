//! Which of the claims' outcomes carries the verdict: the newest line of a log, and never one of several values side by side.

use super::Verdict;
use super::check::Hit;
use super::claims::{Claim, Sheet};
use super::compare::{OPPOSED, Relation};
use super::fact::Fact;
use super::quantity::Date;
use super::statement::{Match, Term};

/// From this nearness on a passage about the same thing makes *similar* of *absent*. 0 to 1.
const SIMILAR: f64 = 0.5;

/// From the claims' outcomes to one verdict: which hit carries it, and by which guard.
pub(super) fn resolve(fact: &Fact, sheets: &[Sheet], hits: &[Hit]) -> (Verdict, Option<usize>, Option<&'static str>) {
    let date = |hit: &Hit| {
        sheets.get(hit.sheet).and_then(|sheet| sheet.claims.get(hit.claim).and_then(|claim| sheet.date(claim)))
    };
    let with = |relation: Relation| hits.iter().enumerate().filter(move |(_, hit)| hit.outcome.relation == relation);
    let same: Vec<(usize, &Hit)> = with(Relation::Identical).collect();
    let other: Vec<(usize, &Hit)> =
        with(Relation::Contradicts).filter(|(_, hit)| !ambiguous(sheets, hits, hit)).collect();
    // What the page repeats with other numbers is a pattern; only polarity and days still tell.
    let told = |hit: &Hit| hit.outcome.guard == "opposite" || date(hit).is_some();
    let other: Vec<(usize, &Hit)> =
        if repeated(sheets, &other) { other.into_iter().filter(|(_, hit)| told(hit)).collect() } else { other };
    let hinted =
        |hit: &Hit| sheets.get(hit.sheet).is_some_and(|sheet| fact.page.as_deref() == Some(sheet.name.as_str()));
    let best = |list: &[(usize, &Hit)]| {
        list.iter()
            .max_by(|a, b| {
                hinted(a.1).cmp(&hinted(b.1)).then(a.1.outcome.score.total_cmp(&b.1.outcome.score)).then(b.0.cmp(&a.0))
            })
            .map(|(at, hit)| (*at, hit.outcome.guard))
    };
    if !same.is_empty() {
        // In a log the newest line holds.
        let undated = same.iter().any(|(_, hit)| date(hit).is_none());
        let newest = same.iter().filter_map(|(_, hit)| date(hit)).max();
        let later: Vec<(usize, &Hit)> = other
            .iter()
            .copied()
            .filter(|(_, hit)| date(hit).is_none_or(|day| newest.is_some_and(|newest| day > newest)))
            .collect();
        let renewed = same.iter().filter(|_| !undated).find_map(|(_, hit)| successor(sheets, hits, hit));
        if let Some(at) = renewed.filter(|_| later.is_empty()) {
            return (Verdict::Contradicts, Some(at), Some("superseded"));
        }
        // A later line that says the opposite in fewer of the fact's words.
        let revoked = hits.iter().enumerate().find(|(_, hit)| {
            hit.outcome.guard == OPPOSED
                && hit.outcome.about
                && same.iter().any(|(_, same)| same.sheet == hit.sheet)
                && date(hit).is_some_and(|day| newest.is_none_or(|newest| day > newest))
        });
        if let Some((at, _)) = revoked {
            let verdict = if undated { Verdict::Similar } else { Verdict::Contradicts };
            return (verdict, Some(at), (!undated).then_some("superseded"));
        }
        // Something happened to the same thing since; what it was, is for a human to read.
        let since = hits.iter().enumerate().find(|(_, hit)| {
            hit.outcome.about
                && hit.outcome.opens
                && hit.outcome.relation == Relation::Near
                && same.iter().any(|(_, same)| same.sheet == hit.sheet)
                && date(hit).is_some_and(|day| newest.is_some_and(|newest| day > newest))
        });
        if let Some((at, _)) = since.filter(|_| !undated && later.is_empty()) {
            return (Verdict::Similar, Some(at), None);
        }
        // The newest dated line holds; a value without a day beside it is a page that has not been brought up to date.
        if !later.is_empty() && later.iter().all(|(_, hit)| date(hit).is_none()) && !undated {
            return (Verdict::Similar, best(&later).map(|(at, _)| at), None);
        }
        if undated || later.is_empty() {
            let best = best(&same);
            return (Verdict::Identical, best.map(|(at, _)| at), best.map(|(_, guard)| guard));
        }
        return (Verdict::Contradicts, best(&later).map(|(at, _)| at), Some("superseded"));
    }
    if !other.is_empty() {
        let newest = other.iter().filter_map(|(_, hit)| date(hit)).max();
        let held: Vec<(usize, &Hit)> =
            other.iter().copied().filter(|(_, hit)| date(hit) == newest || date(hit).is_none()).collect();
        let best = best(&held);
        return (Verdict::Contradicts, best.map(|(at, _)| at), best.map(|(_, guard)| guard));
    }
    let near = hits.iter().enumerate().find(|(_, hit)| hit.outcome.about && hit.outcome.score >= SIMILAR);
    match near {
        Some((at, _)) => (Verdict::Similar, Some(at), None),
        None => (Verdict::Absent, None, None),
    }
}

/// A later log line with the same words and another number than the given one.
fn successor(sheets: &[Sheet], hits: &[Hit], hit: &Hit) -> Option<usize> {
    let sheet = sheets.get(hit.sheet)?;
    let claim = sheet.claims.get(hit.claim)?;
    let day = sheet.date(claim)?;
    let words = |claim: &Claim| claim.key.full().chain(claim.body.full()).cloned().collect::<Vec<_>>();
    let mine = words(claim);
    let numbers = claim.body.amounts.iter().filter(|amount| !amount.former);
    let mut best: Option<(Date, usize)> = None;
    for (at, other) in hits.iter().enumerate().filter(|(_, other)| other.sheet == hit.sheet && other.claim != hit.claim)
    {
        let Some(next) = sheet.claims.get(other.claim) else { continue };
        let Some(later) = sheet.date(next).filter(|later| *later > day) else { continue };
        let theirs = words(next);
        // The verbs of a log change ("set to", "raised to"); what they speak of does not.
        let rest = |a: &[Term], b: &[Term]| {
            a.iter()
                .filter(|term| !b.iter().any(|other| term.matches(other) == Some(Match::Same)))
                .cloned()
                .collect::<Vec<_>>()
        };
        let (gone, come) = (rest(&mine, &theirs), rest(&theirs, &mine));
        let verbs = |terms: &[Term]| terms.is_empty() || terms.len() == 1 && terms.iter().all(|term| !term.capital);
        let alike = verbs(&gone) && verbs(&come) && gone.len() < mine.len();
        let replaced = numbers
            .clone()
            .any(|amount| next.body.amounts.iter().any(|new| !new.former && amount.quantity.excludes(&new.quantity)));
        if replaced && alike && best.is_none_or(|(day, _)| later > day) {
            best = Some((later, at));
        }
    }
    best.map(|(_, at)| at)
}

/// Whether a page says the same of several numbers or values in several places, none of them dated: a pattern of the page,
/// not a fact that another number could contradict.
fn repeated(sheets: &[Sheet], other: &[(usize, &Hit)]) -> bool {
    let place = |hit: &Hit| {
        let sheet = sheets.get(hit.sheet)?;
        let claim = sheet.claims.get(hit.claim)?;
        let word = claim.key.full().last().or_else(|| claim.body.full().next())?;
        (sheet.date(claim).is_none() && hit.outcome.guard != "opposite").then_some((hit.sheet, claim, word))
    };
    let places: Vec<_> = other.iter().filter_map(|(_, hit)| place(hit)).collect();
    let agree = |a: &Claim, b: &Claim| {
        a.body.full().any(|term| b.body.full().any(|other| term.matches(other) == Some(Match::Same)))
            && a.body
                .amounts
                .iter()
                .all(|amount| b.body.amounts.iter().any(|other| amount.quantity.equals(&other.quantity)))
    };
    places.iter().enumerate().any(|(at, (sheet, claim, word))| {
        places.iter().skip(at + 1).any(|(other_sheet, other, other_word)| {
            sheet == other_sheet
                && claim.unit != other.unit
                && word.matches(other_word) == Some(Match::Same)
                && !(agree(claim, other) || agree(other, claim))
        })
    })
}

/// Whether the page gives the same key several values side by side, so that another value contradicts nothing.
fn ambiguous(sheets: &[Sheet], hits: &[Hit], hit: &Hit) -> bool {
    let Some(sheet) = sheets.get(hit.sheet) else { return true };
    let Some(claim) = sheet.claims.get(hit.claim) else { return true };
    if sheet.date(claim).is_some() || matches!(hit.outcome.guard, "opposite" | "only") {
        return false;
    }
    let unit = |claim: &Claim| sheet.units.get(claim.unit);
    if claim.inverse {
        return hits.iter().any(|rival| {
            rival.sheet == hit.sheet
                && rival.outcome.relation == Relation::Contradicts
                && rival.outcome.guard == hit.outcome.guard
                && sheet.claims.get(rival.claim).is_some_and(|other| other.inverse && other.unit != claim.unit)
        });
    }
    if claim.key.terms.is_empty() {
        return false;
    }
    let equal = |a: &[Term], b: &[Term]| {
        let full = |terms: &[Term]| terms.iter().filter(|term| !term.light).count();
        full(a) == full(b)
            && a.iter()
                .filter(|term| !term.light)
                .all(|term| b.iter().any(|other| term.matches(other) == Some(Match::Same)))
    };
    let row = |claim: &Claim| claim.row.as_ref().map(|row| row.terms.clone()).unwrap_or_default();
    sheet.claims.iter().any(|other| {
        other.unit != claim.unit
            && !other.inverse
            && sheet.date(other).is_none()
            && !other.key.terms.is_empty()
            && equal(&other.key.terms, &claim.key.terms)
            && equal(&row(other), &row(claim))
            && other.parents.len() == claim.parents.len()
            && unit(other).map(|unit| unit.heading) == unit(claim).map(|unit| unit.heading)
            && unit(other).map(|unit| unit.line) != unit(claim).map(|unit| unit.line)
    })
}
