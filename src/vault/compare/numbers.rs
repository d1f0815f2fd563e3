//! Where a number of the fact stands in a claim, or which of the claim's it disagrees with.

use super::{Comparer, Found};
use crate::vault::claims::{Claim, Sheet};
use crate::vault::fact::Fact;
use crate::vault::quantity::Kind;
use crate::vault::statement::{Match, Statement};
use crate::vault::words::Lang;

impl Comparer<'_, '_> {
    pub(super) fn number(&self, fact: &Fact, sheet: &Sheet, claim: &Claim, at: usize, best: usize) -> Found {
        let Some(mine) = fact.statement.amounts.get(at) else { return Found::Missing };
        let body = &claim.body;
        let side = self.side(fact, mine.clause);
        let equal = |theirs: &crate::vault::statement::Amount| {
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
        let conflict = |theirs: &crate::vault::statement::Amount| {
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
    pub(super) fn side(&self, fact: &Fact, clause: usize) -> Option<bool> {
        use crate::vault::quantity::Bound::AtLeast;
        let from = |amount: &&crate::vault::statement::Amount| {
            amount.clause == clause && amount.quantity.kind == Kind::Clock && amount.quantity.bound == AtLeast
        };
        if fact.statement.amounts.iter().any(|amount| from(&amount)) {
            return Some(true);
        }
        let lexicon = self.analyzer.lexicon();
        let knows = |word: &str, opposite: bool| {
            let mut senses = Vec::new();
            lexicon.lookup(crate::vault::words::hash(word.as_bytes()), Lang::Either, &mut senses);
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
}
