//! What an agent may append: the protocol's fields and no others, each within its limit.
//!
//! Reading finds every problem of an input at once and writes nothing. Masking is the caller's next step.

mod read;
#[cfg(test)]
mod tests;

use super::review::{Confidence, FactStatus};

pub(crate) use read::RAW_DIALOGUE;
pub use read::{check_page, is_date, quoted, read_fact, read_turn};

/// The longest `user_input_summary` in characters, both ends included (AGENT_ORCHESTRATION_PROTOCOL, step 4).
pub const QUESTION_MAX: usize = 500;
/// The longest `conversation_summary` in characters (AGENT_ORCHESTRATION_PROTOCOL, step 4).
pub const ANSWER_MAX: usize = 1000;
/// The longest `user_input` in characters, where the policy lets it in; the program's own bound.
pub const USER_INPUT_MAX: usize = 20_000;
/// The longest fact, task, decision, consequence, query or requirement in characters; the program's own bound.
pub const SENTENCE_MAX: usize = 500;
/// The longest proposed change in characters; the program's own bound.
pub const CHANGE_MAX: usize = 1000;
/// The longest project, page or source path in characters; the program's own bound.
pub const NAME_MAX: usize = 300;
/// The longest list; the program's own bound.
pub const LIST_MAX: usize = 100;
/// The longest `request_id` in characters; the program's own bound.
pub const REQUEST_ID_MAX: usize = 128;

/// Whether the full user input may be stored, `[policy] store_user_input`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UserInputPolicy {
    /// Only its summary; `user_input` is refused.
    #[default]
    Summary,
    /// Also `user_input`, masked, kept for 7 days.
    Masked,
}

/// Something wrong with an input: the field, what is wrong, and the way out. It never repeats a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct Problem {
    /// The field, as a path such as `proposed_facts[0].fact`.
    pub field: String,
    /// A stable word for programs.
    pub code: &'static str,
    /// The limit and the actual figure, or the allowed values, and the fix.
    pub what: String,
}

/// A turn as an agent hands it over. `T` is [`crate::mask::Raw`] before masking and `Masked` after.
pub struct TurnInput<T> {
    /// The question, summed up.
    pub user_input_summary: T,
    /// The question in full, where the policy lets it in.
    pub user_input: Option<T>,
    /// The answer, summed up.
    pub conversation_summary: T,
    /// What was retrieved; `None` only when retrieval was not available.
    pub retrieval: Option<Retrieval<T>>,
    /// What is left to do.
    pub pending_tasks: Vec<T>,
    /// What was decided.
    pub decisions: Vec<Decision<T>>,
    /// What might become lasting knowledge.
    pub proposed_facts: Vec<ProposedFact<T>>,
    /// The caller's own id for this call.
    pub request_id: Option<T>,
}

/// The retrieval's metadata.
pub struct Retrieval<T> {
    /// How many Obsidian sources it found.
    pub obsidian_sources: u64,
    /// How many Graphiti facts it found.
    pub graphiti_facts: u64,
    /// `high`, `medium` or `low`.
    pub confidence: Confidence,
    /// What was asked for.
    pub query: Option<T>,
    /// In which project.
    pub project: Option<T>,
    /// Which pages it found.
    pub source_paths: Vec<T>,
}

/// A decision.
pub struct Decision<T> {
    /// What was decided.
    pub text: T,
    /// What follows from it; makes a review.
    pub consequence: Option<T>,
    /// The day or moment, as it was given.
    pub decided_on: Option<T>,
    /// Whether it came as an object, and is stored as one.
    pub is_object: bool,
}

/// A proposed fact.
pub struct ProposedFact<T> {
    /// What is proposed.
    pub fact: T,
    /// How it is known; `verified` has been lowered to `inferred`.
    pub status: FactStatus,
    /// Whether the input said `verified`.
    pub was_verified: bool,
    /// How sure the agent is.
    pub confidence: Confidence,
    /// The page it should go to.
    pub page: Option<T>,
    /// What to change there.
    pub change: Option<T>,
    /// What a human should ask for first.
    pub requires: Option<T>,
    /// The project.
    pub project: Option<T>,
}

impl<T> TurnInput<T> {
    /// Makes another text of each text, in one fixed order, told the field it stands in.
    pub fn map<U>(self, f: &mut impl FnMut(&str, T) -> U) -> TurnInput<U> {
        let list = |name: &str, items: Vec<T>, f: &mut dyn FnMut(&str, T) -> U| -> Vec<U> {
            items.into_iter().enumerate().map(|(i, item)| f(&format!("{name}[{i}]"), item)).collect()
        };
        TurnInput {
            user_input_summary: f("user_input_summary", self.user_input_summary),
            user_input: self.user_input.map(|text| f("user_input", text)),
            conversation_summary: f("conversation_summary", self.conversation_summary),
            retrieval: self.retrieval.map(|retrieval| Retrieval {
                obsidian_sources: retrieval.obsidian_sources,
                graphiti_facts: retrieval.graphiti_facts,
                confidence: retrieval.confidence,
                query: retrieval.query.map(|text| f("retrieval_meta.query", text)),
                project: retrieval.project.map(|text| f("retrieval_meta.project", text)),
                source_paths: list("retrieval_meta.source_paths", retrieval.source_paths, f),
            }),
            pending_tasks: list("pending_tasks", self.pending_tasks, f),
            decisions: self
                .decisions
                .into_iter()
                .enumerate()
                .map(|(i, decision)| Decision {
                    text: f(&format!("decisions[{i}].text"), decision.text),
                    consequence: decision.consequence.map(|text| f(&format!("decisions[{i}].consequence"), text)),
                    decided_on: decision.decided_on.map(|text| f(&format!("decisions[{i}].decided_on"), text)),
                    is_object: decision.is_object,
                })
                .collect(),
            proposed_facts: self
                .proposed_facts
                .into_iter()
                .enumerate()
                .map(|(i, fact)| fact.map(&format!("proposed_facts[{i}]"), f))
                .collect(),
            request_id: self.request_id.map(|text| f("request_id", text)),
        }
    }

    /// The same turn with its texts borrowed, to look at all of them before they are made into others.
    pub fn texts(&self) -> Vec<&T> {
        let mut all = Vec::new();
        let borrowed = TurnInput {
            user_input_summary: &self.user_input_summary,
            user_input: self.user_input.as_ref(),
            conversation_summary: &self.conversation_summary,
            retrieval: self.retrieval.as_ref().map(|retrieval| Retrieval {
                obsidian_sources: retrieval.obsidian_sources,
                graphiti_facts: retrieval.graphiti_facts,
                confidence: retrieval.confidence,
                query: retrieval.query.as_ref(),
                project: retrieval.project.as_ref(),
                source_paths: retrieval.source_paths.iter().collect(),
            }),
            pending_tasks: self.pending_tasks.iter().collect(),
            decisions: self
                .decisions
                .iter()
                .map(|decision| Decision {
                    text: &decision.text,
                    consequence: decision.consequence.as_ref(),
                    decided_on: decision.decided_on.as_ref(),
                    is_object: decision.is_object,
                })
                .collect(),
            proposed_facts: self.proposed_facts.iter().map(ProposedFact::as_ref).collect(),
            request_id: self.request_id.as_ref(),
        };
        borrowed.map(&mut |_, text| all.push(text));
        all
    }
}

impl<T> ProposedFact<T> {
    /// Makes another text of each text; `path` is where the fact stands in its input.
    pub fn map<U>(self, path: &str, f: &mut impl FnMut(&str, T) -> U) -> ProposedFact<U> {
        ProposedFact {
            fact: f(&join(path, "fact"), self.fact),
            status: self.status,
            was_verified: self.was_verified,
            confidence: self.confidence,
            page: self.page.map(|text| f(&join(path, "proposed_obsidian_page"), text)),
            change: self.change.map(|text| f(&join(path, "proposed_change"), text)),
            requires: self.requires.map(|text| f(&join(path, "requires"), text)),
            project: self.project.map(|text| f(&join(path, "project"), text)),
        }
    }

    /// The same fact with its texts borrowed.
    pub fn as_ref(&self) -> ProposedFact<&T> {
        ProposedFact {
            fact: &self.fact,
            status: self.status,
            was_verified: self.was_verified,
            confidence: self.confidence,
            page: self.page.as_ref(),
            change: self.change.as_ref(),
            requires: self.requires.as_ref(),
            project: self.project.as_ref(),
        }
    }
}

/// A field's path: `path.field`, or the field alone at the top.
fn join(path: &str, field: &str) -> String {
    let field = quoted(field);
    if path.is_empty() { field.into_owned() } else { format!("{path}.{field}") }
}
