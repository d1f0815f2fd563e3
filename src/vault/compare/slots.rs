//! Plain sentences without a key that say of one thing another material, place or person.

use super::{Bench, Comparer, Found, Relation, finds};
use crate::vault::lexicon::Role;
use crate::vault::statement::{Match, Slot, Term};

impl Comparer<'_, '_> {
    /// The fact says of the claim's subject the same but for what stands in one slot: "aus Holz", "im Keller", "by Derek".
    pub(super) fn other_slot(&self, bench: &Bench<'_>, missing: &[&Term]) -> Option<(Relation, &'static str)> {
        let Bench { fact, claim, .. } = bench;
        let clause = claim.body.clause(bench.best);
        let plain = fact.sentence
            && fact.statement.clauses.len() == 1
            && claim.row.is_none()
            && !claim.inverse
            && !claim.several
            && claim.key.full().next().is_none()
            && !clause.denied
            && !clause.also
            && !fact.statement.any(|clause| clause.denied || clause.also || clause.only)
            && bench.found.iter().all(|found| matches!(found, Found::Equal(_) | Found::Elsewhere));
        if !plain || bench.side_of_change().is_some() {
            return None;
        }
        let body: Vec<&Term> = claim.body.full().filter(|term| term.clause == bench.best).collect();
        let slot = missing.first().and_then(|term| term.slot);
        let (rivals, subject): (Vec<&Term>, Vec<&Term>) = match slot {
            Some(_) => body.iter().copied().partition(|term| term.slot == slot),
            None => body.iter().copied().partition(|term| term.name),
        };
        let mine = missing.iter().all(|term| term.slot == slot);
        let said = |term: &Term| finds(&fact.statement.terms, term);
        if !mine
            || rivals.is_empty()
            || rivals.len() > 3
            || rivals.iter().any(|term| said(term))
            || subject.is_empty()
            || !subject.iter().all(|term| said(term))
            || !same_start(fact.statement.full().next(), &body)
        {
            return None;
        }
        let numbers = claim.body.amounts.iter().any(|amount| amount.clause == bench.best);
        let fits = match slot {
            Some(Slot::Stuff) => !numbers,
            Some(Slot::Spot) => !numbers && self.stands(&fact.statement.terms) && self.stands(&claim.body.terms),
            Some(Slot::Agent) => missing.iter().chain(&rivals).all(|term| term.name),
            None => missing.iter().all(|term| term.name) && !numbers && self.names_person(&subject, &claim.body.terms),
        };
        let guard = if matches!(slot, Some(Slot::Stuff | Slot::Spot)) { "other-value" } else { "other-person" };
        (fits && bench.tight()).then_some((Relation::Contradicts, guard))
    }

    /// Whether a verb of standing, lying or hanging somewhere is among the words.
    fn stands(&self, terms: &[Term]) -> bool {
        let senses = self.senses("befindet");
        terms.iter().any(|term| term.light && term.senses.iter().any(|sense| senses.contains(sense)))
    }

    /// Whether the sentence gives a role its one name: "Ansprechpartner ist Rasmus", "die Putzhilfe heißt Danuta".
    fn names_person(&self, subject: &[&Term], terms: &[Term]) -> bool {
        let called = ["heisst", "called"].iter().flat_map(|word| self.senses(word)).collect::<Vec<_>>();
        let role = |term: &Term| term.senses.iter().any(|sense| self.role(sense.group) == Role::Person);
        subject.iter().any(|term| role(term))
            || terms.iter().any(|term| term.senses.iter().any(|sense| called.contains(sense)))
    }
}

/// Whether both begin with the same word.
fn same_start(mine: Option<&Term>, body: &[&Term]) -> bool {
    mine.zip(body.first()).is_some_and(|(mine, theirs)| mine.matches(theirs) == Some(Match::Same))
}
