//! A sentence taken apart: its words with their meanings, its numbers, and per clause whether it denies, limits or doubts.

use super::lexicon::Sense;
use super::quantity::Quantity;
use super::words::Lang;

/// What a preposition says of the words behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// What something is made of: "aus Holz".
    Stuff,
    /// Where something is: "im Keller".
    Spot,
    /// Who does something: "by Derek".
    Agent,
}

/// One word of a statement that carries meaning.
#[expect(clippy::struct_excessive_bools, reason = "independent marks of a word, not a state")]
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// Hashed German stem, English stem, and stem of the verb behind it.
    pub(super) stems: [u32; 3],
    /// Meanings in the vocabulary.
    pub(super) senses: Vec<Sense>,
    /// May be left out of a statement without changing it.
    pub(super) light: bool,
    /// Capitalised and in no vocabulary: a name of a person, product or place.
    pub(super) name: bool,
    /// Written with a capital letter.
    pub(super) capital: bool,
    /// Under a negation, or in the part that is being replaced ("statt X").
    pub(super) denied: bool,
    /// The clause it stands in.
    pub(super) clause: usize,
    /// Its place in the text, counted in words and numbers.
    pub(super) place: usize,
    /// As far as its form tells, a verb or an adjective.
    pub(super) verbal: bool,
    /// Narrows the next term down: the first part of a compound, or a word right before another.
    pub(super) narrows: bool,
    /// May help a match but is not part of the wording (a link's target behind its alias).
    pub(super) silent: bool,
    /// What the preposition before it makes of it.
    pub(super) slot: Option<Slot>,
}

/// How two terms relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// The same meaning.
    Same,
    /// Opposite sides of one meaning.
    Opposite,
}

impl Term {
    /// Whether the terms mean the same or the opposite.
    pub(super) fn matches(&self, other: &Self) -> Option<Match> {
        let mut opposite = false;
        for mine in &self.senses {
            for theirs in &other.senses {
                if mine.group == theirs.group {
                    if mine.opposite == theirs.opposite {
                        return Some(Match::Same);
                    }
                    opposite = true;
                }
            }
        }
        if opposite {
            return Some(Match::Opposite);
        }
        let [de, en, verb] = self.stems;
        let same = other.stems.contains(&de) || other.stems.contains(&en) || other.stems.contains(&verb);
        same.then_some(Match::Same)
    }
}

/// A number and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Amount {
    /// The number.
    pub(super) quantity: Quantity,
    /// The value before a change ("von 16 auf 32"), or the one that was not taken.
    pub(super) former: bool,
    /// The clause it stands in.
    pub(super) clause: usize,
    /// Its place in the text.
    pub(super) place: usize,
}

/// What holds for a clause as a whole.
#[expect(clippy::struct_excessive_bools, reason = "independent marks of a clause, not a state")]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clause {
    /// An odd number of negations.
    pub(super) denied: bool,
    /// "kaum", "nicht immer": neither yes nor no.
    pub(super) weak: bool,
    /// "nur", "only".
    pub(super) only: bool,
    /// "auch", "also".
    pub(super) also: bool,
    /// A question.
    pub(super) question: bool,
    /// A plan, wish or guess.
    pub(super) hedged: bool,
    /// Under a condition.
    pub(super) conditional: bool,
    /// Still to be done ("muss noch").
    pub(super) open: bool,
    /// About an earlier time.
    pub(super) past: bool,
    /// Goes on with the list of the clause before: no verb of its own.
    pub(super) list: bool,
}

/// A sentence, taken apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Statement {
    /// Its words, in order.
    pub(super) terms: Vec<Term>,
    /// Its numbers, in order.
    pub(super) amounts: Vec<Amount>,
    /// Its clauses; at least one when there are terms or numbers.
    pub(super) clauses: Vec<Clause>,
    /// Its language.
    pub(super) lang: Lang,
}

impl Statement {
    /// The words that count.
    pub(super) fn full(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(|term| !term.light && !term.silent)
    }

    /// Whether anything was found in it.
    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.amounts.is_empty()
    }

    /// Whether any clause has the property.
    pub(super) fn any(&self, property: impl Fn(&Clause) -> bool) -> bool {
        self.clauses.iter().any(property)
    }

    /// The clause by its number.
    pub(super) fn clause(&self, number: usize) -> Clause {
        self.clauses.get(number).copied().unwrap_or_default()
    }
}
