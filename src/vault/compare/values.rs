//! One slot that differs: states, numbers, and words where the claim has another value.

use super::{Bench, Comparer, Found, Place, Relation, all_found, context, finds, finds_any};
use crate::vault::claims::{Claim, Mood, state};
use crate::vault::lexicon::{Role, State};
use crate::vault::quantity::Kind;
use crate::vault::statement::{Match, Statement, Term};
use crate::vault::words::Lang;

/// Of these classes (weekdays, frequencies) a sentence without a key names one value; of others it may name several.
const UNKEYED: u8 = 2;

impl Comparer<'_, '_> {
    /// A key's words are all in the fact, or its value shows what is meant.
    pub(super) fn key_covered(&self, bench: &Bench<'_>) -> bool {
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
            self.analyzer.lexicon().lookup(crate::vault::words::hash(word.as_bytes()), Lang::Either, &mut senses);
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
        price
            || version
            || opening
            || Self::only_of_its_kind(bench)
            || Self::named_value(bench)
            || self.shared_class(bench).is_some() && single
            || self.implied(bench)
    }

    /// A value of a name and its number ("Windows 11") whose name the fact says: no need to say what it is of.
    fn named_value(bench: &Bench<'_>) -> bool {
        let Bench { fact, claim, .. } = bench;
        claim.body.amounts.len() == 1
            && fact.statement.amounts.len() == 1
            && claim.body.full().next().is_some()
            && claim.body.full().all(|term| term.name && finds(&fact.statement.terms, term))
    }

    /// A number whose kind no other cell of the row has, and that is the fact's only one: its column needs no name.
    fn only_of_its_kind(bench: &Bench<'_>) -> bool {
        let Bench { fact, claim, .. } = bench;
        let [mine] = fact.statement.amounts.as_slice() else { return false };
        let kind = mine.quantity.kind;
        let of_kind = |statement: &Statement| statement.amounts.iter().filter(|a| a.quantity.kind == kind).count();
        claim.row.is_some()
            && !matches!(kind, Kind::Plain | Kind::Version)
            && of_kind(&claim.body) == 1
            && claim.extra.iter().all(|cell| of_kind(cell) == 0)
    }

    /// A key such as "Messintervall", whose dimension the fact gives as a number with its unit and whose rest it names.
    pub(super) fn implied(&self, bench: &Bench<'_>) -> bool {
        let Bench { fact, claim, .. } = bench;
        let said = &fact.statement.terms;
        let has = |kind: fn(Kind) -> bool| {
            fact.statement.amounts.iter().any(|amount| kind(amount.quantity.kind))
                && claim.body.amounts.iter().any(|amount| kind(amount.quantity.kind))
        };
        let dimension = |term: &Term| {
            let is = |word: &str| {
                let mut senses = Vec::new();
                self.analyzer.lexicon().lookup(crate::vault::words::hash(word.as_bytes()), Lang::Either, &mut senses);
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
    pub(super) fn shared_class(&self, bench: &Bench<'_>) -> Option<u8> {
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
    #[expect(clippy::option_option, reason = "outside: whether a status settles it; inside: the verdict, if any")]
    pub(super) fn by_state(&self, bench: &Bench<'_>) -> Option<Option<(Relation, &'static str)>> {
        let Bench { fact, claim, sheet, .. } = bench;
        let mut status = Vec::new();
        self.analyzer.lexicon().lookup(crate::vault::words::hash(b"status"), Lang::Either, &mut status);
        let keyed = claim.key.full().next().is_some()
            && claim.key.full().all(|term| term.senses.iter().any(|sense| status.contains(sense)));
        let (theirs, c_denied) = state(self.analyzer, &claim.body, None)?;
        let short = claim.body.full().count() <= 2;
        if !keyed && (!short || claim.key.is_empty()) {
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

    /// "Costs" beside an amount of money, where the fact names the column or no other holds one.
    pub(super) fn prices(&self, bench: &Bench<'_>, term: &Term) -> bool {
        let Bench { fact, claim, .. } = bench;
        let money = |statement: &Statement| matches!(statement.amounts.as_slice(), [only] if matches!(only.quantity.kind, Kind::Money(_)));
        let prices = self.senses("preis");
        let named =
            claim.key.full().next().is_some() && all_found(&claim.key.terms, |key| finds(&fact.statement.terms, key));
        claim.row.is_some()
            && money(&fact.statement)
            && money(&claim.body)
            && term.senses.iter().any(|sense| prices.contains(sense))
            && named
    }

    /// Whether another cell of the claim's row names a state that the fact's excludes.
    pub(super) fn states_exclude(&self, bench: &Bench<'_>) -> bool {
        !bench.claim.extra.is_empty()
            && state(self.analyzer, &bench.fact.statement, None).is_some_and(|(mine, f_denied)| {
                bench.claim.extra.iter().filter(|cell| cell.full().count() <= 2).any(|cell| {
                    state(self.analyzer, cell, None)
                        .is_some_and(|(theirs, c_denied)| relate(mine, f_denied, theirs, c_denied) == Some(false))
                })
            })
    }

    /// "nur X" against a list that holds more.
    pub(super) fn only(bench: &Bench<'_>, key_ok: bool) -> Option<(Relation, &'static str)> {
        let Bench { fact, claim, .. } = bench;
        let limited = fact.statement.any(|clause| clause.only);
        let keyed = claim.key.full().next().is_some() && key_ok;
        let listed = claim
            .body
            .full()
            .filter(|term| term.clause == bench.best && !term.denied)
            .filter(|term| !finds(&fact.statement.terms, term))
            .count();
        // The list goes on with what the fact leaves out: "online and at the shop" against "only online".
        let goes_on = claim.body.clauses.iter().enumerate().any(|(number, clause)| {
            let mut words = claim.body.full().filter(|term| term.clause == number).peekable();
            clause.list
                && !clause.denied
                && words.peek().is_some()
                && !words.any(|term| finds(&fact.statement.terms, term))
        });
        if limited
            && goes_on
            && bench.body_hits() >= 2
            && claim.body.amounts.is_empty()
            && claim.body.clauses.len() == 2
        {
            return Some((Relation::Contradicts, "only"));
        }
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
    pub(super) fn other_number(
        &self,
        bench: &Bench<'_>,
        key_ok: bool,
        coverage: f64,
    ) -> Option<(Relation, &'static str)> {
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
            let attribute = self.is_attribute(&claim.key)
                || claim.row.is_some()
                || sheet.units.get(claim.unit).is_some_and(|unit| unit.property);
            let plain = bench
                .found
                .iter()
                .zip(&fact.statement.amounts)
                .any(|(found, amount)| matches!(found, Found::Conflict(_)) && amount.quantity.kind == Kind::Plain);
            // "Kaffeeseife: 35 Stück": what is counted stands beside the number on both sides.
            let counted = fact.sentence
                && claim.key.full().count() >= 2
                && claim.row.is_none()
                && all_found(&claim.key.terms, |term| finds(&fact.statement.terms, term))
                || fact.sentence && bench.places.iter().any(|place| matches!(place, Place::Body(..)));
            return (key_ok && (attribute || !event && (!plain || counted) && claim.row.is_none()) && bench.tight())
                .then_some((Relation::Contradicts, if former { "former-value" } else { "other-number" }));
        }
        let same_event = !event || self.has_attribute(&claim.body, bench);
        // "Er hat 1.850 Abonnenten" under a heading that the fact names.
        let enough = hits >= 2 && coverage >= 0.7
            || hits >= 1 && coverage >= 1.0 && fact.sentence && bench.headed()
            || hits >= 1 && coverage >= 0.65 && fact.sentence && Self::same_verb(bench);
        (enough && same_event && bench.tight())
            .then_some((Relation::Contradicts, if former { "former-value" } else { "other-number" }))
    }

    /// A short claim with one number whose subject and verb the fact repeats: "Gutscheine gelten drei Jahre ab Kauf".
    fn same_verb(bench: &Bench<'_>) -> bool {
        let Bench { fact, claim, .. } = bench;
        let at = |wanted: usize| {
            bench.places.iter().any(|place| matches!(place, Place::Body(at, Match::Same) if *at == wanted))
        };
        let verb = |term: &Term| term.light && !term.capital;
        claim.body.amounts.len() == 1
            && fact.statement.amounts.len() == 1
            && claim.body.clauses.len() == 1
            && at(0)
            && claim.body.terms.iter().enumerate().any(|(number, term)| verb(term) && at(number))
    }

    pub(super) fn is_attribute(&self, key: &Statement) -> bool {
        key.full().last().is_some_and(|term| {
            term.senses.iter().any(|sense| matches!(self.role(sense.group), Role::Key | Role::Person))
                || term.stems.iter().any(|stem| self.analyzer.lexicon().is_functional(*stem))
        })
    }

    pub(super) fn has_attribute(&self, body: &Statement, bench: &Bench<'_>) -> bool {
        body.full().any(|term| {
            term.senses.iter().any(|sense| matches!(self.role(sense.group), Role::Key | Role::Person))
                && finds(&bench.fact.statement.terms, term)
        })
    }

    /// The fact is covered but for a word or two, which stand where the claim has another value.
    #[expect(clippy::too_many_lines, reason = "one chain of guards, read from top to bottom")]
    pub(super) fn other_value(
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
        // "Runs on" asks for a host only where the word is there, too: "runs on empty" names none.
        let hosts = self.senses("host");
        let by_verb = |term: &Term| term.light && term.senses.iter().any(|sense| hosts.contains(sense));
        let asks_host = claim.key.full().any(|term| term.senses.iter().any(|sense| hosts.contains(sense)));
        if sheet.task(claim).is_some() || asks_host && fact.statement.terms.iter().any(by_verb) {
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

    pub(super) fn is_place(&self, claim: &Claim) -> bool {
        let mut senses = Vec::new();
        self.analyzer.lexicon().lookup(crate::vault::words::hash(b"standort"), Lang::Either, &mut senses);
        claim.key.full().all(|term| term.senses.iter().any(|sense| senses.contains(sense)))
    }

    pub(super) fn class_of(&self, term: &Term) -> Option<u8> {
        term.senses.iter().find_map(|sense| match self.role(sense.group) {
            Role::Class(class) => Some(class),
            _ => None,
        })
    }
}

/// How two states relate: the same, excluding each other, or neither.
fn relate(mine: State, f_denied: bool, theirs: State, c_denied: bool) -> Option<bool> {
    use State::{Active, Custom, Done, Inactive, Open, Postponed, Progress, Rejected};
    if mine == theirs {
        return Some(f_denied == c_denied);
    }
    if f_denied || c_denied {
        return match (mine, theirs) {
            (Active, Inactive) | (Inactive, Active) | (Done, Open) | (Open, Done) if f_denied != c_denied => Some(true),
            _ => None,
        };
    }
    match (mine, theirs) {
        (Active | Progress | Done, Inactive | Rejected)
        | (Inactive | Rejected, Active)
        | (Inactive, Progress)
        | (Rejected, Done | Progress)
        | (Open | Postponed, Done) => Some(false),
        (Custom(a), Custom(b)) => (a != b).then_some(false),
        _ => None,
    }
}
