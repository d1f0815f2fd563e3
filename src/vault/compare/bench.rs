//! What can be read off one comparison: coverage, polarity, order.

use super::{Bench, Comparer, Found, Place, all_found, context, finds, finds_any};
use crate::vault::quantity::Kind;
use crate::vault::statement::{Match, Term};

impl Bench<'_> {
    pub(super) fn missing(&self) -> impl Iterator<Item = &Term> {
        self.fact
            .statement
            .terms
            .iter()
            .zip(&self.places)
            .filter(|(term, place)| !term.light && **place == Place::Missing)
            .map(|(term, _)| term)
    }

    pub(super) fn body_hits(&self) -> usize {
        self.fact
            .statement
            .terms
            .iter()
            .zip(&self.places)
            .filter(|(term, place)| !term.light && matches!(place, Place::Body(..)))
            .count()
    }

    pub(super) fn equal(&self) -> usize {
        self.found.iter().filter(|found| matches!(found, Found::Equal(_))).count()
    }

    /// Words that stand on opposite sides, in the clause the fact speaks to.
    pub(super) fn opposites(&self) -> usize {
        let here = |at: usize| self.claim.body.terms.get(at).is_some_and(|term| term.clause == self.best);
        // "Published" is no opposite of the "unpublish" that the fact has, too.
        let said = |at: usize| self.places.contains(&Place::Body(at, Match::Same));
        let opposite = |place: &&Place| matches!(place, Place::Body(at, Match::Opposite) if here(*at) && !said(*at));
        self.places.iter().filter(opposite).count()
    }

    /// Whether the fact names what the heading right above the claim is about.
    pub(super) fn headed(&self) -> bool {
        self.sheet.path(self.claim).next().is_some_and(|section| {
            all_found(&section.words.terms, |term| {
                finds(&self.fact.statement.terms, term) || finds(&self.fact.project, term)
            })
        })
    }

    /// Whether the fact says more than the heading, and that is in the claim.
    pub(super) fn beyond_heading(&self) -> bool {
        let heading = self.sheet.path(self.claim).next();
        let said = self.fact.statement.terms.iter().zip(&self.places);
        said.filter(|(term, place)| !term.light && matches!(place, Place::Body(..)))
            .any(|(term, _)| heading.is_none_or(|section| !finds(&section.words.terms, term)))
    }

    /// The fact's clause that speaks to the claim most.
    pub(super) fn fact_clause(&self) -> usize {
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
    pub(super) fn local_denials(&self) -> bool {
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
    pub(super) fn clauses_differ(&self, comparer: &Comparer<'_, '_>, f_open: bool) -> bool {
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
    pub(super) fn claim_coverage(&self) -> f64 {
        // A link's target said instead of its alias.
        let silent = |at: &usize| self.claim.body.terms.get(*at).is_some_and(|term| term.silent);
        if self.places.iter().any(|place| matches!(place, Place::Body(at, _) if silent(at))) {
            return 1.0;
        }
        let context = context(self.sheet, self.claim);
        let side = self.side_of_change();
        let (mut all, mut hit) = (0_u32, 0_u32);
        for (at, term) in self.claim.body.terms.iter().enumerate() {
            if term.clause != self.best || term.light || term.silent {
                continue;
            }
            let said = self.places.iter().any(|place| matches!(place, Place::Body(index, _) if *index == at))
                || finds_any(&self.fact.statement.terms, std::slice::from_ref(term));
            // Of a change the fact tells one side.
            if !said && side.is_some_and(|former| self.is_former(term) != former || self.is_change(term)) {
                continue;
            }
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

    /// A word that a change left behind, or that stands in place of another's.
    fn is_former(&self, term: &Term) -> bool {
        term.denied != self.claim.body.clause(term.clause).denied
    }

    pub(super) fn is_change(&self, term: &Term) -> bool {
        term.senses.iter().any(|sense| self.change.contains(sense))
    }

    /// Where the claim's clause tells of a change, whether the fact speaks of what was before it; `None` without one.
    pub(super) fn side_of_change(&self) -> Option<bool> {
        let body = &self.claim.body;
        let here = |term: &&Term| term.clause == self.best && !term.light && !term.silent;
        if !body.terms.iter().filter(here).any(|term| self.is_former(term)) {
            return None;
        }
        let hit = |place: &Place| match place {
            Place::Body(at, _) => body.terms.get(*at).filter(here),
            _ => None,
        };
        Some(self.places.iter().filter_map(hit).any(|term| self.is_former(term)))
    }

    /// Whether a word of the fact stands in a later clause of the claim that has the other polarity: "weekly, not monthly".
    pub(super) fn crosses(&self, f_denied: bool) -> bool {
        // In a long enumeration the next "no" is about something else.
        self.claim.body.clauses.len() <= 3
            && self.fact.statement.terms.iter().zip(&self.places).any(|(term, place)| match place {
                Place::Body(at, Match::Same) if !term.light => self.claim.body.terms.get(*at).is_some_and(|other| {
                    let first = self.claim.body.clause(self.best).denied;
                    other.clause > self.best && other.denied != first && !f_denied && term.clause == self.fact_clause()
                }),
                _ => false,
            })
    }

    /// Whether one clause of the fact is put together from several of the claim: "Alpha is green, Beta is red" says
    /// nothing of a green Beta. A clause may only borrow the subject with which the first one begins.
    pub(super) fn stitched(&self) -> bool {
        let body = &self.claim.body;
        (0..self.fact.statement.clauses.len()).any(|number| {
            let hits: Vec<usize> = self
                .fact
                .statement
                .terms
                .iter()
                .zip(&self.places)
                .filter_map(|(term, place)| match place {
                    Place::Body(at, _) if term.clause == number && !term.light => Some(*at),
                    _ => None,
                })
                .filter(|at| body.terms.get(*at).is_some_and(|term| !term.light && !term.silent))
                .collect();
            // A list belongs to the clause it goes on with.
            let head = |clause: usize| (0..=clause).rev().find(|at| !body.clause(*at).list).unwrap_or_default();
            let clause = |at: &usize| body.terms.get(*at).map_or(0, |term| head(term.clause));
            let Some(last) = hits.iter().map(clause).max() else { return false };
            let numbered =
                self.found.iter().zip(&self.fact.statement.amounts).filter_map(|(found, mine)| match found {
                    Found::Equal(at) if mine.clause == number => {
                        body.amounts.get(*at).map(|amount| head(amount.clause))
                    }
                    _ => None,
                });
            let last = numbered.max().unwrap_or_default().max(last);
            let opening = |at: &usize| {
                let before = body.terms.iter().take(*at).filter(|term| !term.light && !term.silent);
                clause(at) == 0 && before.clone().all(|term| term.narrows)
            };
            hits.iter().any(|at| clause(at) != last && !opening(at))
        })
    }

    /// Whether the fact covers enough of the claim's clause, and drops no word that narrows another down.
    pub(super) fn fits(&self, open: bool) -> bool {
        let enough = if open { 0.3 } else { 0.55 };
        self.claim_coverage() >= enough && self.tight()
    }

    /// Whether no word was dropped that narrows down one the fact uses.
    pub(super) fn tight(&self) -> bool {
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

    /// Whether the claim has a verb or adjective of its own and the fact speaks of none of them: "das WLAN ist getrennt" is
    /// not said by "das WLAN hängt im Netz". Where the fact names a state (`stated`), that stands for the verb.
    pub(super) fn predicate_dropped(&self, stated: bool) -> bool {
        if stated || self.equal() > 0 || self.claim.row.is_some() || self.claim.key.full().next().is_some() {
            return false;
        }
        let body = &self.claim.body;
        let said = |at: usize| self.places.iter().any(|place| matches!(place, Place::Body(index, _) if *index == at));
        let changed = self.side_of_change() == Some(false);
        let (mut dropped, mut kept) = (false, false);
        for (at, term) in body.terms.iter().enumerate() {
            if term.clause != self.best || term.light || term.silent || term.narrows || !term.verbal {
                continue;
            }
            // "Moved from A to B" says where it is now.
            if changed && self.is_change(term) {
                continue;
            }
            kept |= said(at) || finds_any(&self.fact.statement.terms, std::slice::from_ref(term));
            dropped |= !term.senses.iter().any(|sense| self.support.contains(sense));
        }
        dropped && !kept
    }

    /// "bis zu 40" is not "mindestens 40".
    pub(super) fn bounds_differ(&self) -> bool {
        use crate::vault::quantity::Bound::{AtLeast, AtMost};
        self.found.iter().zip(&self.fact.statement.amounts).any(|(found, mine)| match found {
            Found::Equal(at) => self.claim.body.amounts.get(*at).is_some_and(|theirs| {
                matches!((mine.quantity.bound, theirs.quantity.bound), (AtLeast, AtMost) | (AtMost, AtLeast))
            }),
            _ => false,
        })
    }

    /// "11 von 16" is not "16 von 11".
    pub(super) fn out_of_order(&self) -> bool {
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
