//! A fact against one claim: what is covered, what disagrees, and whether that is enough for a verdict.
//!
//! A verdict needs a structure that carries it. *Identical*: the claim covers every word and number of the fact, with the
//! same polarity and mood. *Contradicts*: the fact is covered but for one slot, and in that slot stands something that
//! can't be true beside the claim. All else is nearness.

mod bench;
mod numbers;
mod slots;
mod values;

use super::analyze::Analyzer;
use super::claims::{Claim, Mood, Sheet};
use super::fact::Fact;
use super::lexicon::{Role, Sense, State};
use super::quantity::Kind;
use super::statement::{Match, Statement, Term};
use super::words::Lang;

/// What a comparison came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// The claim says the same.
    Identical,
    /// The claim says otherwise.
    Contradicts,
    /// No verdict.
    Near,
}

/// The guard of a comparison that found the fact's words with the other polarity, though not enough of them.
pub(super) const OPPOSED: &str = "opposed";

/// The outcome of one comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// What it came to.
    pub(super) relation: Relation,
    /// The structure that carried it, a stable word.
    pub(super) guard: &'static str,
    /// Nearness, 0 to 1.
    pub(super) score: f64,
    /// Whether the claim is about what the fact is about.
    pub(super) about: bool,
    /// Whether it begins with what the fact begins with, and has no number that the fact has: another event of one thing.
    pub(super) opens: bool,
}

/// Where a word of the fact was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Body(usize, Match),
    Key,
    Row,
    Extra,
    Context,
    Missing,
}

/// Where a number of the fact was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Equal(usize),
    Elsewhere,
    Former,
    Conflict(usize),
    Missing,
}

/// Compares facts with claims of pages. `weight` tells how much a word says in this vault.
pub(super) struct Comparer<'a, 'l> {
    pub(super) analyzer: &'a Analyzer<'l>,
    pub(super) weight: &'a dyn Fn(&Term) -> f64,
}

/// All that is known of one comparison while the verdict is found.
struct Bench<'b> {
    fact: &'b Fact,
    sheet: &'b Sheet,
    claim: &'b Claim,
    places: Vec<Place>,
    found: Vec<Found>,
    /// The clause of the claim that the fact speaks to.
    best: usize,
    about: bool,
    /// Senses of "supports": in a short clause they add nothing to what is supported.
    support: Vec<Sense>,
    /// Senses of "moved" and "changed".
    change: Vec<Sense>,
}

impl Comparer<'_, '_> {
    /// Compares the fact with one claim.
    pub(super) fn compare(&self, fact: &Fact, sheet: &Sheet, claim: &Claim) -> Outcome {
        let best = best_clause(&fact.statement, &claim.body);
        let context = context(sheet, claim);
        let places: Vec<Place> =
            fact.statement.terms.iter().map(|term| place(term, claim, best, &context, &sheet.subjects)).collect();
        let found: Vec<Found> =
            (0..fact.statement.amounts.len()).map(|at| self.number(fact, sheet, claim, at, best)).collect();
        let support = self.senses("unterstutzt");
        let change = ["umzug", "gewechselt", "geandert"].iter().flat_map(|word| self.senses(word)).collect();
        let mut bench = Bench { fact, sheet, claim, places, found, best, about: false, support, change };
        bench.about = Self::about(&bench);
        let score = self.score(&bench);
        let (relation, guard) = if fact.placeholder
            || fact.code
            || fact.announces
            || fact.statement.any(|clause| clause.question)
            || fact.statement.is_empty()
        {
            (Relation::Near, "none")
        } else {
            self.verdict(&bench).unwrap_or((Relation::Near, "none"))
        };
        let opens = Self::opens(&bench);
        Outcome { relation, guard, score, about: bench.about, opens }
    }

    fn senses(&self, word: &str) -> Vec<Sense> {
        let mut senses = Vec::new();
        self.analyzer.lexicon().lookup(super::words::hash(word.as_bytes()), Lang::Either, &mut senses);
        senses
    }

    fn role(&self, group: u16) -> Role {
        self.analyzer.lexicon().role(group)
    }

    fn has_state(&self, term: &Term, wanted: State) -> bool {
        term.senses.iter().any(|sense| self.role(sense.group) == Role::State(wanted))
    }

    fn is_state(&self, term: &Term) -> bool {
        term.senses.iter().any(|sense| matches!(self.role(sense.group), Role::State(_)))
    }

    /// Whether the claim is about the fact's subject: named in the fact, or meant by the page or project it came with.
    fn about(bench: &Bench<'_>) -> bool {
        let Bench { fact, sheet, claim, .. } = bench;
        let said = &fact.statement.terms;
        let covered = |terms: &[Term]| all_found(terms, |term| finds(said, term) || finds(&fact.project, term));
        let hinted = fact.page.as_deref() == Some(sheet.name.as_str());
        if let Some(row) = &claim.row {
            let numbers = row
                .amounts
                .iter()
                .all(|theirs| fact.statement.amounts.iter().any(|mine| mine.quantity.equals(&theirs.quantity)));
            let named = row.full().next().is_some() && covered(&row.terms);
            if !named || !numbers && row.full().count() < 2 {
                return false;
            }
        }
        let mut parent = claim.parents.iter().filter(|term| !term.light).peekable();
        if parent.peek().is_some() && !parent.any(|term| finds(said, term) || finds(&fact.project, term)) {
            return false;
        }
        for section in sheet.path(claim) {
            // What only one section speaks of needs no naming of the section.
            let plain = hinted && !claim.shared && claim.row.is_none() && !claim.inverse && fact.project.is_empty();
            if section.named
                && !plain
                && !covered(&section.words.terms)
                && !section
                    .words
                    .full()
                    .filter(|term| term.name)
                    .any(|term| finds(said, term) || finds(&fact.project, term))
            {
                let subject =
                    sheet.subjects.iter().any(|subject| all_found(subject, |term| finds(&section.words.terms, term)));
                let linked = section.words.full().any(|term| finds(said, term));
                if !subject && !linked {
                    return false;
                }
            }
        }
        let partly = |subject: &[Term]| {
            let plain = subject.iter().filter(|term| !term.name && !term.light);
            plain.clone().count() >= 2
                && subject.first().is_some_and(|term| !term.name)
                && plain.clone().all(|term| finds(said, term))
        };
        let named =
            sheet.subjects.iter().any(|subject| all_found(subject, |term| finds(said, term)) || partly(subject))
                || sheet.path(claim).any(|section| all_found(&section.words.terms, |term| finds(said, term)))
                || sheet
                    .path(claim)
                    .any(|section| section.named && section.words.full().any(|term| term.name && finds(said, term)))
                || sheet.subjects.iter().flatten().any(|term| term.name && finds(said, term));
        if named {
            return true;
        }
        if fact.project.iter().any(|term| !term.light) {
            let here = |terms: &[Term]| all_found(&fact.project, |term| finds(terms, term));
            let matched = sheet.subjects.iter().any(|subject| here(subject))
                || sheet.subjects.iter().any(|subject| all_found(subject, |term| finds(&fact.project, term)))
                || sheet.path(claim).any(|section| {
                    here(&section.words.terms) || section.words.full().any(|term| finds(&fact.project, term))
                })
                || claim.extra.iter().any(|cell| here(&cell.terms))
                || here(&claim.body.terms)
                || claim.row.as_ref().is_some_and(|row| here(&row.terms));
            if matched {
                return true;
            }
            let known = sheet
                .claims
                .iter()
                .any(|other| here(&other.body.terms) || other.row.as_ref().is_some_and(|row| here(&row.terms)))
                || sheet.sections.iter().any(|section| section.words.full().any(|term| finds(&fact.project, term)));
            return hinted && !known;
        }
        if hinted {
            return true;
        }
        // A row or sentence that names its own subject.
        claim.row.is_some()
            || claim.body.full().any(|term| term.name && finds(said, term))
            || claim.extra.iter().any(|cell| cell.full().any(|term| term.name && finds(said, term)))
    }

    fn opens(bench: &Bench<'_>) -> bool {
        let mut mine = bench.fact.statement.full();
        let mut theirs = bench.claim.body.full();
        let short = bench.fact.statement.full().filter(|term| !term.narrows).count() <= 2;
        // A compound's first part alone names another thing.
        while let (Some(mine), Some(theirs)) = (mine.next(), theirs.next()) {
            if mine.matches(theirs) != Some(Match::Same) {
                return false;
            }
            if !mine.narrows {
                return short;
            }
        }
        false
    }

    fn score(&self, bench: &Bench<'_>) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (term, place) in bench.fact.statement.terms.iter().zip(&bench.places) {
            let weight = (self.weight)(term) * if term.light { 0.15 } else { 1.0 };
            total += weight;
            sum += weight
                * match place {
                    Place::Body(..) | Place::Key | Place::Row => 1.0,
                    Place::Extra => 0.8,
                    Place::Context => 0.6,
                    Place::Missing
                        if self.class_of(term).is_some_and(|class| {
                            bench.claim.body.full().any(|other| self.class_of(other) == Some(class))
                        }) =>
                    {
                        0.6
                    }
                    Place::Missing => 0.0,
                };
        }
        for found in &bench.found {
            total += 2.0;
            sum += match found {
                Found::Equal(_) => 2.0,
                Found::Elsewhere => 1.4,
                Found::Former => 1.6,
                Found::Conflict(_) => 1.2,
                Found::Missing => 0.0,
            };
        }
        if total <= 0.0 {
            return 0.0;
        }
        // Of two claims that cover as much, the one that says less besides.
        let length = bench.claim.body.full().count() + bench.claim.body.amounts.len();
        let hits = bench.body_hits() + bench.equal();
        let density = if length == 0 {
            0.0
        } else {
            f64::from(u32::try_from(hits).unwrap_or(0)) / f64::from(u32::try_from(length.max(hits)).unwrap_or(1))
        };
        ((sum / total) * (0.92 + 0.08 * density)).clamp(0.0, 1.0)
    }

    #[expect(clippy::too_many_lines, reason = "one chain of guards, read from top to bottom")]
    fn verdict(&self, bench: &Bench<'_>) -> Option<(Relation, &'static str)> {
        let Bench { fact, sheet, claim, .. } = bench;
        if !bench.about {
            return None;
        }
        if let Some(outcome) = self.by_state(bench) {
            return outcome;
        }
        let clause = claim.body.clause(bench.best);
        let missing: Vec<&Term> = bench.missing().filter(|term| !self.is_spent(bench, term)).collect();
        let f_open = fact.statement.any(|clause| clause.open)
            || fact.statement.terms.iter().any(|term| self.has_state(term, State::Open));
        let f_stated = fact.statement.terms.iter().any(|term| self.has_state(term, State::Done));
        let c_open = clause.open
            || claim.body.terms.iter().any(|term| term.clause == bench.best && self.has_state(term, State::Open))
            || sheet.task(claim) == Some(false);
        let mood = sheet.path(claim).map(|section| section.mood).find(|mood| *mood != Mood::Plain).unwrap_or_default();
        let f_soft = fact.statement.any(|clause| clause.hedged || clause.weak || clause.conditional);
        let c_hedged = clause.hedged
            || sheet.units.get(claim.unit).is_some_and(|unit| unit.text.ends_with(':'))
            || clause.question
            || clause.weak
            || clause.conditional
            || claim.key.any(|clause| clause.hedged || clause.question)
            || mood == Mood::Open;
        let c_past = clause.past || mood == Mood::Past || claim.key.any(|clause| clause.past);
        let f_past = fact.statement.any(|clause| clause.past);
        let key_ok = self.key_covered(bench);
        let hits = bench.body_hits();
        // A value of nothing but light words ("noch nicht entschieden") counts as one.
        let bare = usize::from(
            claim.body.full().next().is_none() && bench.places.iter().any(|p| matches!(p, Place::Body(..))),
        );
        let own = hits + bench.equal() + bare;
        let keyed = claim.key.full().next().is_some() || claim.row.is_some();
        let f_clause = bench.fact_clause();
        let f_denied = fact.statement.clause(f_clause).denied ^ f_open;
        let key_denied = claim.key.any(|clause| clause.denied);
        let opposite = bench.opposites() % 2 == 1;
        let c_denied = clause.denied ^ key_denied ^ c_open;
        let local = bench.local_denials();
        let cross = bench.crosses(f_denied);
        let disagree = f_denied ^ c_denied ^ opposite;
        let all_numbers = bench.found.iter().all(|found| matches!(found, Found::Equal(_) | Found::Elsewhere));
        let coverage = bench.claim_coverage();
        let size = claim.body.full().filter(|term| term.clause == bench.best).count();
        let alone = own >= 1
            && coverage >= 1.0
            && fact.sentence
            && (c_denied && size <= 2 && claim.body.full().count() <= 8 || bench.headed() && bench.beyond_heading());
        let strong = alone || if keyed || claim.inverse { own >= 1 && (key_ok || own >= 3) } else { own >= 2 };

        let limited = fact.statement.any(|clause| clause.only) && !clause.only;
        if limited && missing.is_empty() && all_numbers && own >= 1 && !disagree && !local {
            return if f_soft || c_hedged || c_open || c_past || f_past { None } else { Self::only(bench, key_ok) };
        }
        if cross {
            let sure = missing.is_empty() && all_numbers && own >= 2 && !disagree && !local && bench.tight();
            let soft = f_soft || c_hedged || c_open || c_past || f_past || fact.dated_otherwise(sheet.date(claim));
            return (sure && !soft && fact.statement.clauses.len() == 1).then_some((Relation::Contradicts, "opposite"));
        }
        if missing.is_empty() && all_numbers && strong && bench.fits(f_open || c_open) {
            let other_clauses = bench.clauses_differ(self, f_open);
            if !disagree && !local {
                if f_soft || c_hedged || (c_open && !f_open && !f_denied) {
                    return None;
                }
                if c_past != f_past || other_clauses {
                    return None;
                }
                if bench.bounds_differ() || bench.out_of_order() || bench.stitched() {
                    return None;
                }
                if bench.predicate_dropped(f_open || f_stated) || self.states_exclude(bench) {
                    return None;
                }
                return Some((Relation::Identical, if keyed { "same-value" } else { "same-statement" }));
            }
            if f_soft
                || c_hedged
                || c_open
                || c_past
                || f_past
                || fact.dated_otherwise(sheet.date(claim))
                || other_clauses
            {
                return None;
            }
            if disagree != local
                && fact.sentence
                && coverage >= if size > 3 { 0.75 } else { 0.6 }
                && (Self::polar(bench) || alone)
            {
                return Some((Relation::Contradicts, if f_open { "state" } else { "opposite" }));
            }
            // No verdict by itself, but a later line of this kind takes an earlier one back.
            return (disagree != local).then_some((Relation::Near, OPPOSED));
        }
        if missing.is_empty() && all_numbers && own >= 2 && disagree != local && !c_hedged {
            return Some((Relation::Near, OPPOSED));
        }
        if f_soft || c_hedged || c_past || f_past || fact.dated_otherwise(sheet.date(claim)) {
            return None;
        }
        if !missing.is_empty() && missing.len() <= 2 {
            let held = !disagree && !local && !c_open && sheet.date(claim).is_none();
            return self
                .other_value(bench, &missing, key_ok, disagree)
                .or_else(|| held.then(|| self.other_slot(bench, &missing)).flatten());
        }
        if missing.is_empty() && !disagree && !local && !c_open {
            // "Grows from 20 to 35" takes back an earlier "20" even where it is no contradiction by itself.
            let former = bench.found.contains(&Found::Former) && hits >= 2;
            return self.other_number(bench, key_ok, coverage).or(former.then_some((Relation::Near, OPPOSED)));
        }
        None
    }

    /// A difference in polarity needs a predicate in common, not only a name.
    fn polar(bench: &Bench<'_>) -> bool {
        let said = bench.fact.statement.terms.iter().zip(&bench.places);
        said.filter(|(term, place)| !term.light && matches!(place, Place::Body(..) | Place::Key)).count() >= 2
    }

    /// A state word of the fact that the claim's own state settles, so that it needs no counterpart in the wording.
    fn is_spent(&self, bench: &Bench<'_>, term: &Term) -> bool {
        if self.has_state(term, State::Open) {
            return true;
        }
        if self.prices(bench, term) {
            return true;
        }
        self.has_state(term, State::Done) && (bench.sheet.task(bench.claim).is_some() || bench.body_hits() > 0)
    }
}

/// Title, aliases, headings, list items above.
fn context<'c>(sheet: &'c Sheet, claim: &'c Claim) -> Vec<&'c Term> {
    let sections = sheet.path(claim).flat_map(|section| &section.words.terms);
    sheet.subjects.iter().flatten().chain(sections).chain(&claim.parents).collect()
}

fn finds(terms: &[Term], wanted: &Term) -> bool {
    terms.iter().any(|term| term.matches(wanted) == Some(Match::Same))
}

fn finds_any(terms: &[Term], wanted: &[Term]) -> bool {
    wanted.iter().any(|wanted| terms.iter().any(|term| term.matches(wanted).is_some()))
}

/// Whether the test holds for all words that count, of which there is at least one.
fn all_found(terms: &[Term], test: impl Fn(&Term) -> bool) -> bool {
    let mut some = false;
    for term in terms.iter().filter(|term| !term.light && !term.silent) {
        if !test(term) {
            return false;
        }
        some = true;
    }
    some
}

/// The clause of the claim that holds most of the fact; of equals the one that holds the fact's later word.
fn best_clause(fact: &Statement, body: &Statement) -> usize {
    let clauses = body.clauses.len();
    (0..clauses)
        .max_by_key(|clause| {
            let mut hits = 0_i32;
            let mut last = 0;
            for term in fact.full() {
                if body
                    .terms
                    .iter()
                    .any(|other| other.clause == *clause && !other.light && other.matches(term).is_some())
                {
                    hits += 2;
                    last = last.max(term.place);
                }
            }
            let own = |term: &&Term| term.clause == *clause && !term.light && !term.silent;
            if *clause > 0
                && let Some(first) = body.terms.iter().find(|term| term.clause == 0 && !term.light && !term.silent)
                && fact.full().any(|term| term.matches(first).is_some())
                && !body.terms.iter().filter(own).any(|term| term.matches(first).is_some())
            {
                // The first clause's subject goes on.
                hits += 1;
            }
            let mut words = body.terms.iter().filter(own).peekable();
            while let Some(word) = words.next() {
                let said = |word: &Term| fact.full().any(|term| term.matches(word).is_some());
                if word.narrows && !said(word) && words.peek().is_some_and(|next| said(next)) {
                    hits -= 2;
                }
            }
            for amount in &fact.amounts {
                if body.amounts.iter().any(|other| other.clause == *clause && other.quantity.equals(&amount.quantity)) {
                    hits += 2;
                    last = last.max(amount.place);
                } else if body
                    .amounts
                    .iter()
                    .any(|other| other.clause == *clause && other.quantity.comparable(&amount.quantity))
                {
                    hits += 1;
                }
            }
            (hits, last, std::cmp::Reverse(*clause))
        })
        .unwrap_or_default()
}

fn place(term: &Term, claim: &Claim, best: usize, context: &[&Term], subjects: &[Vec<Term>]) -> Place {
    let mut found: Option<(bool, bool, usize, Match)> = None;
    for (at, other) in claim.body.terms.iter().enumerate() {
        if let Some(how) = term.matches(other) {
            let rank = (other.clause == best, how == Match::Same);
            if found.is_none_or(|(near, same, ..)| rank > (near, same)) {
                found = Some((rank.0, rank.1, at, how));
            }
        }
    }
    if let Some((_, _, at, how)) = found {
        if how == Match::Opposite && subjects.iter().any(|subject| finds(subject, term)) {
            return Place::Context;
        }
        return Place::Body(at, how);
    }
    if finds(&claim.key.terms, term) {
        return Place::Key;
    }
    if claim.row.as_ref().is_some_and(|row| finds(&row.terms, term)) {
        return Place::Row;
    }
    if claim.extra.iter().any(|cell| finds(&cell.terms, term)) {
        return Place::Extra;
    }
    // "Opens" and "closes" both belong to opening hours.
    let hours =
        claim.body.amounts.iter().any(|amount| amount.quantity.is_range() && amount.quantity.kind == Kind::Clock);
    let known = |other: &&Term| other.matches(term).is_some_and(|how| how == Match::Same || hours);
    if context.iter().any(known) { Place::Context } else { Place::Missing }
}
