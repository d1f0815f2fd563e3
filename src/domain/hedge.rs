//! Conjectures, plans, intentions, wishes, hearsay and questions: what the vault must not take for a fact.
//!
//! "Vermutungen, Pläne, Absichten ohne Commitment" never enter the vault (`SESSION_MEMORY_ARCHITECTURE`). A missed one
//! comes near it, a false one costs the reviewer a flag. The words are in `cues`, the conditions on them in
//! `guards`; this file takes the text apart. Decisions:
//!
//! - **Future.** German "will" is an intention, always. English "will" is one too, and German "wird" with an infinitive
//!   a plan, unless the sentence names a date or a regularity ("will expire on 2026-08-01", "will restart nightly").
//! - **Planned.** "geplant" and "planned" are plans, also in the past, but not "wie geplant", "nicht geplant", nor where
//!   the sentence says what became of it ("geplant war X, umgesetzt ist Y").
//! - **Conditions** are not hedges: "Sollte der Job scheitern, …", "wenn", "ggf.". Neither is an approximation ("ca.").
//! - **Denial** takes a cue back where it stands right before it ("nicht vielleicht"), but "soll nicht" stays a plan.
//! - **Quotation.** One to three quoted words are mentioned, not said. A longer quotation is speech and counts.
//! - **Compounds** ("Soll-Wert", "Pro-Plan", "Sollte-Zustand") and nouns ("das Soll", "der Plan", "May 2026") are no cues.
//! - **Citing** a page or a law ("laut LP-VENTO.md") is a source; citing a person ("laut Kunde") is hearsay.

mod cues;
mod guards;
mod text;

use std::ops::Range;

use text::Text;

/// What makes a text something other than a plain statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HedgeKind {
    /// Held possible: "vielleicht", "might".
    Conjecture,
    /// To come: "soll", "geplant", "soon".
    Plan,
    /// Someone means to: "will einführen", "intends to".
    Intention,
    /// Someone would like to: "möchte", "hopefully".
    Wish,
    /// Someone said so: "angeblich", "hat gesagt".
    Hearsay,
    /// Asked, not said.
    Question,
}

/// The first hedge of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Hedge {
    /// What kind it is.
    pub kind: HedgeKind,
    /// The cue in the spelling of the word list: lower case, `ue` for `ü`. For a question without one, `?`.
    pub cue: &'static str,
    /// Where the cue stands, in bytes of the text.
    pub range: Range<usize>,
}

/// The first hedge of a text, German or English; `None` for a plain statement.
pub fn hedge(text: &str) -> Option<Hedge> {
    let text = Text::new(text);
    let said = (0..text.len()).find_map(|at| {
        let (cue, last) = cues::at(&text, at)?;
        Some(Hedge { kind: cue.kind, cue: cue.words, range: text.range(at, last) })
    });
    let asked = text.question().map(|range| Hedge { kind: HedgeKind::Question, cue: "?", range });
    match (said, asked) {
        (Some(said), Some(asked)) => Some(if asked.range.start < said.range.start { asked } else { said }),
        (said, asked) => said.or(asked),
    }
}

#[cfg(test)]
mod tests;
