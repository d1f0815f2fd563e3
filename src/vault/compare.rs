//! A fact against one claim: what is covered, what disagrees, and whether that is enough for a verdict.
//!
//! A verdict needs a structure that carries it. *Identical*: the claim covers every word and number of the fact, with the
//! same polarity and mood. *Contradicts*: the fact is covered but for one slot, and in that slot stands something that
//! can't be true beside the claim. All else is nearness.

use super::analyze::Analyzer;
use super::claims::{Claim, Mood, Sheet, state};
use super::fact::Fact;
use super::lexicon::{Role, Sense, State};
use super::quantity::Kind;
use super::statement::{Match, Statement, Term};
use super::words::Lang;

/// Of these classes (weekdays, frequencies) a sentence without a key names one value; of others it may name several.
const UNKEYED: u8 = 2;

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
}

impl Comparer<'_, '_> {
    /// Compares the fact with one claim.
    pub(super) fn compare(&self, fact: &Fact, sheet: &Sheet, claim: &Claim) -> Outcome {
        let best = best_clause(&fact.statement, &claim.body);
        let context = context(sheet, claim);
        let places: Vec<Place> = fact.statement.terms.iter().map(|term| place(term, claim, best, &context)).collect();
        let found: Vec<Found> =
            (0..fact.statement.amounts.len()).map(|at| self.number(fact, sheet, claim, at, best)).collect();
        let mut bench =
            Bench { fact, sheet, claim, places, found, best, about: false, support: self.senses("unterstutzt") };
        bench.about = self.about(&bench);
        let score = self.score(&bench);
        let (relation, guard) = if fact.placeholder
            || fact.announces
            || fact.statement.any(|clause| clause.question)
            || fact.statement.is_empty()
        {
            (Relation::Near, "none")
        } else {
            self.verdict(&bench).unwrap_or((Relation::Near, "none"))
        };
        Outcome { relation, guard, score, about: bench.about }
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

    fn number(&self, fact: &Fact, sheet: &Sheet, claim: &Claim, at: usize, best: usize) -> Found {
        let Some(mine) = fact.statement.amounts.get(at) else { return Found::Missing };
        let body = &claim.body;
        let side = self.side(fact, mine.clause);
        let equal = |theirs: &super::statement::Amount| {
            if mine.quantity.equals(&theirs.quantity) {
                return true;
            }
            // One end of a range, where the fact says which: "opens at 8".
            theirs.quantity.is_range() && !mine.quantity.is_range() && mine.quantity.kind == theirs.quantity.kind && {
                let near = |end: f64| (mine.quantity.low - end).abs() < 0.001 * end.abs().max(1.0);
                match side {
                    Some(true) => near(theirs.quantity.low),
                    Some(false) => near(theirs.quantity.high),
                    None => false,
                }
            }
        };
        let mut order: Vec<usize> = (0..body.amounts.len()).collect();
        order.sort_by_key(|index| body.amounts.get(*index).is_none_or(|amount| amount.clause != best));
        let amount = |index: &usize| body.amounts.get(*index);
        if let Some(index) =
            order.iter().find(|index| amount(index).is_some_and(|theirs| theirs.former == mine.former && equal(theirs)))
        {
            return Found::Equal(*index);
        }
        let mut beside = claim
            .extra
            .iter()
            .chain(claim.row.iter())
            .chain(std::iter::once(&claim.key))
            .flat_map(|statement| &statement.amounts);
        if beside.any(equal) {
            return Found::Elsewhere;
        }
        let dated = mine.quantity.kind == Kind::Date;
        if dated && sheet.date(claim).is_some_and(|date| date.covers(mine.quantity.date)) {
            return Found::Elsewhere;
        }
        if sheet.path(claim).flat_map(|section| &section.words.amounts).any(equal) {
            return Found::Elsewhere;
        }
        if order.iter().any(|index| amount(index).is_some_and(|theirs| theirs.former && equal(theirs))) {
            return Found::Former;
        }
        let conflict = |theirs: &super::statement::Amount| {
            if theirs.quantity.is_range()
                && !mine.quantity.is_range()
                && side.is_some()
                && mine.quantity.kind == theirs.quantity.kind
            {
                return true;
            }
            mine.quantity.excludes(&theirs.quantity)
        };
        let rivals: Vec<usize> = order
            .iter()
            .copied()
            .filter(|index| {
                amount(index).is_some_and(|theirs| !theirs.former && theirs.quantity.comparable(&mine.quantity))
            })
            .collect();
        match rivals.as_slice() {
            [only] if amount(only).is_some_and(conflict) && !mine.former => Found::Conflict(*only),
            [] | [_] => Found::Missing,
            several => {
                // Several of a kind: the one beside the same word.
                let near = |statement: &Statement, place: usize| {
                    statement
                        .terms
                        .iter()
                        .filter(|term| term.place.abs_diff(place) == 1 && !term.light)
                        .cloned()
                        .collect::<Vec<_>>()
                };
                let mine_near = near(&fact.statement, mine.place);
                let beside = several.iter().find(|index| {
                    amount(index).is_some_and(|theirs| {
                        near(body, theirs.place)
                            .iter()
                            .any(|a| mine_near.iter().any(|b| a.matches(b) == Some(Match::Same)))
                    })
                });
                match beside {
                    Some(index) if amount(index).is_some_and(conflict) && !mine.former => Found::Conflict(*index),
                    _ => Found::Missing,
                }
            }
        }
    }

    /// Whether a clause speaks of a beginning (`true`) or an end (`false`).
    fn side(&self, fact: &Fact, clause: usize) -> Option<bool> {
        use super::quantity::Bound::AtLeast;
        let from = |amount: &&super::statement::Amount| {
            amount.clause == clause && amount.quantity.kind == Kind::Clock && amount.quantity.bound == AtLeast
        };
        if fact.statement.amounts.iter().any(|amount| from(&amount)) {
            return Some(true);
        }
        let lexicon = self.analyzer.lexicon();
        let knows = |word: &str, opposite: bool| {
            let mut senses = Vec::new();
            lexicon.lookup(super::words::hash(word.as_bytes()), Lang::Either, &mut senses);
            fact.statement.terms.iter().any(|term| {
                term.clause == clause
                    && term.senses.iter().any(|sense| {
                        senses.iter().any(|other| other.group == sense.group && (sense.opposite == opposite))
                    })
            })
        };
        if knows("geoffnet", true) || knows("ende", false) {
            return Some(false);
        }
        (knows("geoffnet", false)
            && fact
                .statement
                .amounts
                .iter()
                .filter(|amount| amount.clause == clause && !amount.quantity.is_range())
                .count()
                > 0
            || knows("beginn", false))
        .then_some(true)
    }

    /// Whether the claim is about the fact's subject: named in the fact, or meant by the page or project it came with.
    fn about(&self, bench: &Bench<'_>) -> bool {
        let Bench { fact, sheet, claim, .. } = bench;
        let said = &fact.statement.terms;
        let covered = |terms: &[Term]| all_found(terms, |term| finds(said, term) || finds(&fact.project, term));
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
            if section.named
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
        let hinted = fact.page.as_deref() == Some(sheet.name.as_str());
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
        let own = hits + bench.equal();
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
            && (c_denied && claim.body.full().count() <= 8 || bench.headed());
        let strong = alone || if keyed || claim.inverse { own >= 1 && (key_ok || own >= 3) } else { own >= 2 };

        let limited = fact.statement.any(|clause| clause.only) && !clause.only;
        if limited && missing.is_empty() && all_numbers && own >= 1 && !disagree && !local {
            return if f_soft || c_hedged || c_open || c_past || f_past { None } else { self.only(bench, key_ok) };
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
                if bench.bounds_differ() || bench.out_of_order() {
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
                && (self.polar(bench, own) || alone)
            {
                return Some((Relation::Contradicts, if f_open { "state" } else { "opposite" }));
            }
            return None;
        }
        if f_soft || c_hedged || c_past || f_past || fact.dated_otherwise(sheet.date(claim)) {
            return None;
        }
        if !missing.is_empty() && missing.len() <= 2 {
            return self.other_value(bench, &missing, key_ok, disagree);
        }
        if missing.is_empty() && !disagree && !local && !c_open {
            return self.other_number(bench, key_ok, coverage);
        }
        None
    }

    /// A difference in polarity needs a predicate in common, not only a name.
    fn polar(&self, bench: &Bench<'_>, own: usize) -> bool {
        let nouns = bench
            .fact
            .statement
            .terms
            .iter()
            .zip(&bench.places)
            .filter(|(term, place)| !term.light && matches!(place, Place::Body(..) | Place::Key))
            .count();
        own >= 1 && nouns >= 1 && (bench.claim.body.full().count() >= 2 || nouns >= 2 || !bench.claim.key.is_empty())
    }

    /// A state word of the fact that the claim's own state settles, so that it needs no counterpart in the wording.
    fn is_spent(&self, bench: &Bench<'_>, term: &Term) -> bool {
        if self.has_state(term, State::Open) {
            return true;
        }
        self.has_state(term, State::Done) && (bench.sheet.task(bench.claim).is_some() || bench.body_hits() > 0)
    }

    /// A key's words are all in the fact, or its value shows what is meant.
    fn key_covered(&self, bench: &Bench<'_>) -> bool {
        let Bench { fact, claim, .. } = bench;
        if claim.key.full().next().is_none() {
            return claim.key.terms.is_empty() || !claim.key.is_empty();
        }
        let said = &fact.statement.terms;
        if all_found(&claim.key.terms, |term| finds(said, term)) {
            return true;
        }
        if claim.inverse {
            return claim
                .extra
                .iter()
                .any(|cell| cell.full().next().is_some() && all_found(&cell.terms, |term| finds(said, term)));
        }
        // A money amount asks for a price, a class word for its class.
        let group = |word: &str| {
            let mut senses = Vec::new();
            self.analyzer.lexicon().lookup(super::words::hash(word.as_bytes()), Lang::Either, &mut senses);
            senses
        };
        let single = claim.key.full().count() == 1;
        let is = |word: &str| {
            single && claim.key.full().all(|term| term.senses.iter().any(|sense| group(word).contains(sense)))
        };
        let price =
            is("preis") && fact.statement.amounts.iter().any(|amount| matches!(amount.quantity.kind, Kind::Money(_)));
        let version =
            is("version") && fact.statement.amounts.iter().any(|amount| amount.quantity.kind == Kind::Version);
        let opening =
            is("offnungszeiten") && fact.statement.amounts.iter().any(|amount| amount.quantity.kind == Kind::Clock);
        price || version || opening || self.shared_class(bench).is_some() && single || self.implied(bench)
    }

    /// A key such as "Messintervall", whose dimension the fact gives as a number with its unit and whose rest it names.
    fn implied(&self, bench: &Bench<'_>) -> bool {
        let Bench { fact, claim, .. } = bench;
        let said = &fact.statement.terms;
        let has = |kind: fn(Kind) -> bool| {
            fact.statement.amounts.iter().any(|amount| kind(amount.quantity.kind))
                && claim.body.amounts.iter().any(|amount| kind(amount.quantity.kind))
        };
        let dimension = |term: &Term| {
            let is = |word: &str| {
                let mut senses = Vec::new();
                self.analyzer.lexicon().lookup(super::words::hash(word.as_bytes()), Lang::Either, &mut senses);
                term.senses.iter().any(|sense| senses.contains(sense))
            };
            is("intervall") && has(|kind| kind == Kind::Duration)
                || is("dauer") && has(|kind| kind == Kind::Duration)
                || is("preis") && has(|kind| matches!(kind, Kind::Money(_)))
                || is("gewicht") && has(|kind| kind == Kind::Mass)
                || is("temperatur") && has(|kind| kind == Kind::Temperature)
                || is("verbrauch") && has(|kind| matches!(kind, Kind::Power | Kind::Energy))
                || is("flache") && has(|kind| kind == Kind::Area)
                || is("lange") && has(|kind| kind == Kind::Length)
        };
        let (mut named, mut implied) = (0, 0);
        for term in claim.key.full() {
            if finds(said, term) {
                named += 1;
            } else if dimension(term) {
                implied += 1;
            } else {
                return false;
            }
        }
        named >= 1 && implied >= 1 || implied == 1 && claim.row.is_some()
    }

    /// A class of which both the fact and the claim name a value.
    fn shared_class(&self, bench: &Bench<'_>) -> Option<u8> {
        let classes = |terms: &[Term]| {
            terms
                .iter()
                .flat_map(|term| term.senses.iter())
                .filter_map(|sense| match self.role(sense.group) {
                    Role::Class(class) => Some(class),
                    _ => None,
                })
                .collect::<Vec<_>>()
        };
        let theirs = classes(&bench.claim.body.terms);
        classes(&bench.fact.statement.terms).into_iter().find(|class| theirs.contains(class))
    }

    /// A status against a status.
    fn by_state(&self, bench: &Bench<'_>) -> Option<Option<(Relation, &'static str)>> {
        let Bench { fact, claim, sheet, .. } = bench;
        let mut status = Vec::new();
        self.analyzer.lexicon().lookup(super::words::hash(b"status"), Lang::Either, &mut status);
        let keyed = claim.key.full().next().is_some()
            && claim.key.full().all(|term| term.senses.iter().any(|sense| status.contains(sense)));
        let (theirs, c_denied) = state(self.analyzer, &claim.body, None)?;
        let short = claim.body.full().count() <= 2;
        if !keyed && !(short && !claim.key.is_empty()) {
            return None;
        }
        let (mine, f_denied) = state(self.analyzer, &fact.statement, None)?;
        let rest = bench.missing().filter(|term| !self.is_state(term)).count();
        let numbers = bench.found.iter().all(|found| matches!(found, Found::Equal(_) | Found::Elsewhere));
        if rest > 0 || !keyed && !all_found(&claim.key.terms, |term| finds(&fact.statement.terms, term)) {
            return Some(None);
        }
        let soft = fact.statement.any(|clause| clause.hedged && mine != State::Planned || clause.past || clause.weak)
            || sheet.path(claim).any(|section| section.mood != Mood::Plain);
        let claim_soft =
            claim.body.any(|clause| clause.weak || clause.question || clause.hedged && theirs != State::Planned);
        if soft || claim_soft {
            return Some(None);
        }
        let only_light = fact.statement.terms.iter().any(|term| self.is_state(term) && term.light)
            && !finds_any(&fact.statement.terms, &claim.key.terms);
        Some(match relate(mine, f_denied, theirs, c_denied) {
            Some(true) if numbers && !only_light && bench.fits(true) => Some((Relation::Identical, "same-state")),
            Some(false) if !only_light && numbers && !fact.dated_otherwise(sheet.date(claim)) => {
                Some((Relation::Contradicts, "state"))
            }
            _ => None,
        })
    }

    /// "nur X" against a list that holds more.
    fn only(&self, bench: &Bench<'_>, key_ok: bool) -> Option<(Relation, &'static str)> {
        let Bench { fact, claim, .. } = bench;
        let limited = fact.statement.any(|clause| clause.only);
        let keyed = claim.key.full().next().is_some() && key_ok;
        let listed = claim
            .body
            .full()
            .filter(|term| term.clause == bench.best && !term.denied)
            .filter(|term| !finds(&fact.statement.terms, term))
            .count();
        let narrowing = claim.body.full().any(|term| term.clause == bench.best && term.narrows);
        (limited
            && keyed
            && listed >= 1
            && !narrowing
            && claim.body.full().count() >= 2
            && claim.body.amounts.is_empty())
        .then_some((Relation::Contradicts, "only"))
    }

    /// The fact is covered, but a number differs.
    fn other_number(&self, bench: &Bench<'_>, key_ok: bool, coverage: f64) -> Option<(Relation, &'static str)> {
        let Bench { fact, claim, sheet, .. } = bench;
        let differs = bench.found.iter().filter(|found| matches!(found, Found::Conflict(_) | Found::Former)).count();
        let fine = bench.found.iter().all(|found| !matches!(found, Found::Missing));
        if differs != 1 || !fine || fact.statement.any(|clause| clause.also) {
            return None;
        }
        if sheet.path(claim).any(|section| section.version) {
            return None;
        }
        let former = bench.found.contains(&Found::Former);
        // Dates and times of day tell one event from another; they contradict only where a key asks for them.
        let event = bench
            .found
            .iter()
            .zip(&fact.statement.amounts)
            .any(|(found, amount)| matches!(found, Found::Conflict(_)) && amount.quantity.kind == Kind::Date);
        let keyed = claim.key.full().next().is_some() || claim.row.is_some();
        let hits = bench.body_hits();
        if keyed {
            let attribute = self.is_attribute(&claim.key) || claim.row.is_some();
            let plain = bench
                .found
                .iter()
                .zip(&fact.statement.amounts)
                .any(|(found, amount)| matches!(found, Found::Conflict(_)) && amount.quantity.kind == Kind::Plain);
            return (key_ok && (attribute || !event && !plain && claim.row.is_none()) && bench.tight())
                .then_some((Relation::Contradicts, if former { "former-value" } else { "other-number" }));
        }
        let same_event = !event || self.has_attribute(&claim.body, bench);
        (hits >= 2 && coverage >= 0.7 && same_event && bench.tight())
            .then_some((Relation::Contradicts, if former { "former-value" } else { "other-number" }))
    }

    fn is_attribute(&self, key: &Statement) -> bool {
        key.full().last().is_some_and(|term| {
            term.senses.iter().any(|sense| matches!(self.role(sense.group), Role::Key | Role::Person))
                || term.stems.iter().any(|stem| self.analyzer.lexicon().is_functional(*stem))
        })
    }

    fn has_attribute(&self, body: &Statement, bench: &Bench<'_>) -> bool {
        body.full().any(|term| {
            term.senses.iter().any(|sense| matches!(self.role(sense.group), Role::Key | Role::Person))
                && finds(&bench.fact.statement.terms, term)
        })
    }

    /// The fact is covered but for a word or two, which stand where the claim has another value.
    fn other_value(
        &self,
        bench: &Bench<'_>,
        missing: &[&Term],
        key_ok: bool,
        disagree: bool,
    ) -> Option<(Relation, &'static str)> {
        let Bench { fact, claim, sheet, .. } = bench;
        if bench.found.iter().any(|found| !matches!(found, Found::Equal(_) | Found::Elsewhere))
            || fact.statement.any(|clause| clause.also)
        {
            return None;
        }
        let keyed = claim.key.full().next().is_some() || claim.inverse;
        // A class: another weekday, colour, database.
        let classed = missing.iter().find(|term| self.class_of(term).is_some());
        let others_plain = missing
            .iter()
            .all(|term| self.class_of(term).is_some() || !term.name && (!term.capital || term.place == 1) && key_ok);
        if let Some(term) = classed
            && let Some(class) = self.class_of(term)
        {
            if disagree || !others_plain || missing.iter().filter(|term| self.class_of(term).is_some()).count() > 1 {
                return None;
            }
            let rivals: Vec<&Term> = claim.body.full().filter(|other| self.class_of(other) == Some(class)).collect();
            if let [rival] = rivals.as_slice()
                && !finds(&fact.statement.terms, rival)
                && !rival.denied
                && !term.denied
                && sheet.task(claim) != Some(false)
            {
                let others =
                    claim.body.full().filter(|other| other.clause == rival.clause && !std::ptr::eq(*other, *rival));
                let (mut all, mut hit) = (0, 0);
                for other in others {
                    all += 1;
                    hit += usize::from(
                        finds(&fact.statement.terms, other)
                            || context(sheet, claim).iter().any(|term| term.matches(other) == Some(Match::Same)),
                    );
                }
                let enough = if keyed {
                    key_ok || self.is_attribute(&claim.key) && all == hit
                } else {
                    class <= UNKEYED && fact.sentence && hit >= 1 && hit * 4 >= all * 3
                };
                if enough && bench.tight() {
                    return Some((Relation::Contradicts, "other-value"));
                }
            }
            return None;
        }
        if !keyed
            || !key_ok
            || disagree
            || claim.several
            || fact.statement.any(|clause| clause.denied || clause.only)
            || claim.body.any(|clause| clause.denied)
        {
            return None;
        }
        let body: Vec<&Term> = claim.body.full().filter(|term| term.clause == 0).collect();
        if body.is_empty()
            || body.len() > 3
            || claim.body.amounts.iter().any(|amount| amount.clause == 0)
            || body.iter().any(|term| finds(&fact.statement.terms, term))
        {
            return None;
        }
        if sheet.task(claim).is_some() {
            return None;
        }
        // A word that narrows down one of the subject's describes it and is no value.
        if fact
            .statement
            .terms
            .iter()
            .zip(&bench.places)
            .zip(fact.statement.terms.iter().zip(&bench.places).skip(1))
            .any(|((term, place), (_, next))| {
                !term.light && *place == Place::Missing && term.narrows && *next != Place::Missing
            })
        {
            return None;
        }
        let person = claim.inverse
            || claim.key.full().any(|term| term.senses.iter().any(|sense| self.role(sense.group) == Role::Person));
        let value_like = if person {
            missing.len() == 1 && missing.iter().all(|term| term.name) && body.iter().all(|term| term.name)
        } else {
            let english = fact.statement.lang == Lang::En;
            self.is_attribute(&claim.key)
                && missing.iter().all(|term| term.capital || english && self.is_place(claim))
                && missing.iter().all(|term| !self.is_state(term))
        };
        if !value_like {
            return None;
        }
        if claim.inverse {
            let asks = |term: &Term| {
                term.senses.iter().any(|sense| {
                    self.role(sense.group) == Role::Person
                        || self.senses("name").contains(sense)
                        || self.senses("person").contains(sense)
                })
            };
            if !claim.key.terms.iter().any(asks) {
                return None;
            }
            // Who does it: the row must be pinned down by its other cells, and no other row may share them.
            let pinned = claim
                .extra
                .iter()
                .filter(|cell| {
                    cell.full().next().is_some()
                        && all_found(&cell.terms, |term| {
                            finds(&fact.statement.terms, term) || finds(&fact.project, term)
                        })
                })
                .count();
            return (pinned >= 1 && bench.places.contains(&Place::Extra))
                .then_some((Relation::Contradicts, "other-person"));
        }
        Some((Relation::Contradicts, if person { "other-person" } else { "other-value" }))
    }

    fn is_place(&self, claim: &Claim) -> bool {
        let mut senses = Vec::new();
        self.analyzer.lexicon().lookup(super::words::hash(b"standort"), Lang::Either, &mut senses);
        claim.key.full().all(|term| term.senses.iter().any(|sense| senses.contains(sense)))
    }

    fn class_of(&self, term: &Term) -> Option<u8> {
        term.senses.iter().find_map(|sense| match self.role(sense.group) {
            Role::Class(class) => Some(class),
            _ => None,
        })
    }
}

impl Bench<'_> {
    fn missing(&self) -> impl Iterator<Item = &Term> {
        self.fact
            .statement
            .terms
            .iter()
            .zip(&self.places)
            .filter(|(term, place)| !term.light && **place == Place::Missing)
            .map(|(term, _)| term)
    }

    fn body_hits(&self) -> usize {
        self.fact
            .statement
            .terms
            .iter()
            .zip(&self.places)
            .filter(|(term, place)| !term.light && matches!(place, Place::Body(..)))
            .count()
    }

    fn equal(&self) -> usize {
        self.found.iter().filter(|found| matches!(found, Found::Equal(_))).count()
    }

    /// Whether the fact names what the heading right above the claim is about.
    /// Words that stand on opposite sides, in the clause the fact speaks to.
    fn opposites(&self) -> usize {
        let here = |at: usize| self.claim.body.terms.get(at).is_some_and(|term| term.clause == self.best);
        self.places.iter().filter(|place| matches!(place, Place::Body(at, Match::Opposite) if here(*at))).count()
    }

    fn headed(&self) -> bool {
        self.sheet.path(self.claim).next().is_some_and(|section| {
            all_found(&section.words.terms, |term| {
                finds(&self.fact.statement.terms, term) || finds(&self.fact.project, term)
            })
        })
    }

    /// The fact's clause that speaks to the claim most.
    fn fact_clause(&self) -> usize {
        let clauses = self.fact.statement.clauses.len();
        let hits = |clause: usize| {
            let at = |place: &Place| match place {
                Place::Body(at, _) => self.claim.body.terms.get(*at),
                _ => None,
            };
            let found = self
                .fact
                .statement
                .terms
                .iter()
                .zip(&self.places)
                .filter(|(term, _)| term.clause == clause && !term.light)
                .filter_map(|(_, place)| at(place));
            let (mut near, mut all) = (0, 0);
            for other in found {
                all += 1;
                near += usize::from(other.clause == self.best);
            }
            (near, all)
        };
        (0..clauses).max_by_key(|clause| (hits(*clause), std::cmp::Reverse(*clause))).unwrap_or_default()
    }

    /// A word denied by itself on one side only ("statt X", "ohne X").
    fn local_denials(&self) -> bool {
        self.fact.statement.terms.iter().zip(&self.places).any(|(term, place)| match place {
            Place::Body(at, how) => self.claim.body.terms.get(*at).is_some_and(|other| {
                let mine = term.denied ^ self.fact.statement.clause(term.clause).denied;
                let theirs = other.denied ^ self.claim.body.clause(other.clause).denied;
                let clauses =
                    self.fact.statement.clause(term.clause).denied ^ self.claim.body.clause(other.clause).denied;
                *how == Match::Same && other.clause == self.best && mine != theirs && !clauses
            }),
            _ => false,
        })
    }

    /// Whether another clause of the fact has a polarity that the claim's clause for it does not.
    fn clauses_differ(&self, comparer: &Comparer<'_, '_>, f_open: bool) -> bool {
        let main = self.fact_clause();
        self.fact.statement.clauses.iter().enumerate().any(|(number, clause)| {
            if number == main || f_open {
                return false;
            }
            let mut hits = self.fact.statement.terms.iter().zip(&self.places).filter_map(|(term, place)| match place {
                Place::Body(at, how) if term.clause == number && !term.light => {
                    self.claim.body.terms.get(*at).map(|other| (other, *how))
                }
                _ => None,
            });
            let _ = comparer;
            hits.any(|(other, how)| {
                let theirs = self.claim.body.clause(other.clause).denied
                    ^ (other.denied ^ self.claim.body.clause(other.clause).denied);
                (clause.denied ^ theirs) ^ (how == Match::Opposite)
            })
        })
    }

    /// How much of the claim's clause the fact speaks of, 0 to 1.
    fn claim_coverage(&self) -> f64 {
        let context = context(self.sheet, self.claim);
        let (mut all, mut hit) = (0_u32, 0_u32);
        for (at, term) in self.claim.body.terms.iter().enumerate() {
            if term.clause != self.best || term.light || term.silent {
                continue;
            }
            let said = self.places.iter().any(|place| matches!(place, Place::Body(index, _) if *index == at))
                || finds_any(&self.fact.statement.terms, std::slice::from_ref(term));
            if !said && self.claim.body.terms.len() <= 3 && term.senses.iter().any(|sense| self.support.contains(sense))
            {
                continue;
            }
            if !said
                && (context.iter().any(|other| other.matches(term) == Some(Match::Same))
                    || finds(&self.fact.project, term))
            {
                continue;
            }
            all += 1;
            hit += u32::from(said);
        }
        for (at, amount) in self.claim.body.amounts.iter().enumerate() {
            if amount.clause == self.best && !amount.former {
                all += 1;
                hit += u32::from(self.found.iter().any(|found| {
                    matches!(found, Found::Equal(index) | Found::Conflict(index) if *index == at)
                        || *found == Found::Former
                }));
            }
        }
        if all == 0 { 1.0 } else { f64::from(hit) / f64::from(all) }
    }

    /// Whether a word of the fact stands in a later clause of the claim that has the other polarity: "weekly, not monthly".
    fn crosses(&self, f_denied: bool) -> bool {
        self.fact.statement.terms.iter().zip(&self.places).any(|(term, place)| match place {
            Place::Body(at, Match::Same) if !term.light => self.claim.body.terms.get(*at).is_some_and(|other| {
                let first = self.claim.body.clause(self.best).denied;
                other.clause > self.best && other.denied != first && !f_denied && term.clause == self.fact_clause()
            }),
            _ => false,
        })
    }

    /// Whether the fact covers enough of the claim's clause, and drops no word that narrows another down.
    fn fits(&self, open: bool) -> bool {
        let enough = if open { 0.3 } else { 0.55 };
        self.claim_coverage() >= enough && self.tight()
    }

    /// Whether no word was dropped that narrows down one the fact uses.
    fn tight(&self) -> bool {
        let context = context(self.sheet, self.claim);
        let said = |term: &Term| {
            finds_any(&self.fact.statement.terms, std::slice::from_ref(term))
                || context.iter().any(|other| other.matches(term) == Some(Match::Same))
                || finds(&self.fact.project, term)
        };
        let mut terms = self.claim.body.terms.iter().filter(|term| !term.silent).peekable();
        while let Some(term) = terms.next() {
            if let Some(next) = terms.peek()
                && term.narrows
                && !term.light
                && term.clause == self.best
                && !said(term)
                && finds(&self.fact.statement.terms, next)
            {
                return false;
            }
        }
        true
    }

    /// "bis zu 40" is not "mindestens 40".
    fn bounds_differ(&self) -> bool {
        use super::quantity::Bound::{AtLeast, AtMost};
        self.found.iter().zip(&self.fact.statement.amounts).any(|(found, mine)| match found {
            Found::Equal(at) => self.claim.body.amounts.get(*at).is_some_and(|theirs| {
                matches!((mine.quantity.bound, theirs.quantity.bound), (AtLeast, AtMost) | (AtMost, AtLeast))
            }),
            _ => false,
        })
    }

    /// "11 von 16" is not "16 von 11".
    fn out_of_order(&self) -> bool {
        let mut last = None;
        for (found, mine) in self.found.iter().zip(&self.fact.statement.amounts) {
            if let Found::Equal(at) = found
                && mine.quantity.kind == Kind::Plain
            {
                if last.is_some_and(|last| *at < last) {
                    return true;
                }
                last = Some(*at);
            }
        }
        false
    }
}

/// How two states relate: the same, excluding each other, or neither.
fn relate(mine: State, f_denied: bool, theirs: State, c_denied: bool) -> Option<bool> {
    use State::{Active, Custom, Done, Inactive, Open, Planned, Postponed, Progress, Rejected};
    if mine == theirs {
        return Some(f_denied == c_denied);
    }
    if f_denied || c_denied {
        return match (mine, theirs) {
            (Active, Inactive) | (Inactive, Active) if f_denied != c_denied => Some(true),
            (Done, Open) | (Open, Done) if f_denied != c_denied => Some(true),
            _ => None,
        };
    }
    match (mine, theirs) {
        (Active | Progress | Done, Inactive | Rejected)
        | (Inactive | Rejected, Active)
        | (Rejected, Done | Progress)
        | (Open, Done)
        | (Postponed, Done) => Some(false),
        (Inactive, Progress) => Some(false),
        (Custom(a), Custom(b)) => (a != b).then_some(false),
        (Planned, Active | Done) => None,
        _ => None,
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

fn place(term: &Term, claim: &Claim, best: usize, context: &[&Term]) -> Place {
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
