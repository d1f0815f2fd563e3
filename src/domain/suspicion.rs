//! Text that reads like an instruction to a model, and characters nobody sees: what a reviewer must look at twice.
//!
//! Facts are read by models and by people. A fact that speaks to the model, or that looks different from what it is,
//! is filed as `suspicious` (specification, "Before a review is filed"); nothing is removed or refused here.
//!
//! Instructions are looked for in a view of the text: invisible characters dropped, look-alike letters of other scripts
//! and digits inside words read as the letters they stand for, letters that stand alone joined to words. The ranges
//! are always those of the text as given. Statements about instructions ("Der Agent ignoriert leere Zeilen", "agents
//! never write to the vault") are no findings: what counts is the imperative, or a demand on what the reader is to do.

mod characters;
mod markup;
mod phrases;
mod view;
mod words;

use std::ops::Range;

/// More findings than this say no more; the rest is left out.
pub const MAX_FINDINGS: usize = 64;

/// One finding in a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Suspicion {
    /// What was found, a stable name in kebab-case such as `ignore-instructions` or `bidi-control`.
    pub name: &'static str,
    /// Where, in bytes of the text.
    pub range: Range<usize>,
}

impl Suspicion {
    /// Whether it is a character that is not seen, or that changes how others are seen.
    pub fn is_character(&self) -> bool {
        const NAMES: [&str; 5] =
            ["invisible-character", "bidi-control", "tag-character", "variation-selector", "control-character"];
        NAMES.contains(&self.name)
    }
}

/// All findings in order of their place, at most [`MAX_FINDINGS`]; findings of one name never overlap.
pub fn suspicions(text: &str) -> Vec<Suspicion> {
    let mut found = characters::find(text);
    found.extend(markup::find(text));
    found.extend(phrases::find(&view::View::new(text)));
    found.sort_by_key(|finding| (finding.range.start, finding.range.end, finding.name));
    let mut kept: Vec<Suspicion> = Vec::new();
    for finding in found {
        if kept.len() == MAX_FINDINGS {
            break;
        }
        match kept.iter_mut().rev().find(|known| known.name == finding.name) {
            Some(known) if known.range.end > finding.range.start => {
                known.range.end = known.range.end.max(finding.range.end);
            }
            _ => kept.push(finding),
        }
    }
    kept
}

#[cfg(test)]
mod tests;
