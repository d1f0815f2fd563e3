//! A masked turn as the session file holds it.

use std::collections::HashSet;

use serde_json::Value;

use crate::domain::append::{Decision, ProposedFact, Retrieval, TurnInput};
use crate::domain::doc::{Doc, Safe};
use crate::domain::fold::fingerprint;
use crate::domain::ids::ReviewId;
use crate::domain::review::FactStatus;
use crate::domain::session::{Session, Turn, text_of};
use crate::domain::time::Timestamp;
use crate::mask::Masked;

/// A turn that is about to be stored.
pub(super) struct Record<'a> {
    /// Its number.
    pub(super) number: u64,
    /// When it is.
    pub(super) now: Timestamp,
    /// What the agent handed over.
    pub(super) turn: &'a TurnInput<Masked>,
    /// The `request_id` as it is stored.
    pub(super) request_id: Option<Masked>,
    /// The open tasks that this turn completes.
    pub(super) completed: &'a [String],
    /// The review that each proposed fact is in.
    pub(super) reviews: &'a [(Masked, ReviewId)],
    /// The answer, kept where the same request may come again.
    pub(super) answer: Option<Value>,
}

impl Record<'_> {
    /// Adds the turn to the session and brings the `accumulated_context` up to date.
    pub(super) fn store(self, session: &mut Session) {
        let fresh = fresh_decisions(session, &self.turn.decisions);
        let entry = self.entry(&fresh);
        let Self { turn, completed, now, .. } = self;
        // A clock that went back does not make the session older than it was.
        let last_active = session.last_active().map_or(now, |last| last.max(now));
        let doc = &mut session.doc;
        doc.push("turns", entry);
        doc.set("last_active", last_active);
        doc.within("accumulated_context", |context| {
            let projects = turn.retrieval.iter().filter_map(|retrieval| retrieval.project.as_ref());
            let projects = projects.chain(turn.proposed_facts.iter().filter_map(|fact| fact.project.as_ref()));
            add_new(context, "active_projects", projects);
            complete(context, completed);
            add_new(context, "open_tasks", &turn.pending_tasks);
            add_new(context, "decisions_this_session", fresh.iter().map(|decision| &decision.text));
            let stated = turn.proposed_facts.iter().filter(|fact| fact.status == FactStatus::UserStated);
            add_new(context, "user_stated_facts", stated.map(|fact| &fact.fact));
        });
    }

    fn entry(&self, decisions: &[&Decision<Masked>]) -> Safe {
        let turn = self.turn;
        let mut fields = vec![
            ("turn_id", Safe::from(self.number)),
            ("timestamp", self.now.into()),
            ("user_input_summary", (&turn.user_input_summary).into()),
        ];
        fields.extend(turn.user_input.as_ref().map(|text| ("user_input", text.into())));
        fields.push(("retrieval_meta", turn.retrieval.as_ref().map_or_else(Safe::null, retrieval)));
        if turn.retrieval.is_none() {
            fields.push(("retrieval_unavailable", true.into()));
        }
        fields.push(("conversation_summary", (&turn.conversation_summary).into()));
        fields.push(("pending_tasks", Safe::list(&turn.pending_tasks)));
        fields.push(("decisions", Safe::list(decisions.iter().copied().map(decision))));
        fields.push(("proposed_facts", Safe::list(turn.proposed_facts.iter().map(|fact| self.proposed_fact(fact)))));
        if !self.completed.is_empty() {
            let completed = self.completed.iter().map(|task| Masked::trusted(task.clone()));
            fields.push(("completed_tasks", Safe::list(completed)));
        }
        fields.extend(self.request_id.as_ref().map(|id| ("request_id", id.into())));
        fields.extend(self.answer.clone().map(|answer| ("answer", Safe::kept(answer))));
        Safe::object(fields)
    }

    fn proposed_fact(&self, fact: &ProposedFact<Masked>) -> Safe {
        let mut fields = vec![
            ("fact", (&fact.fact).into()),
            ("status", Safe::word(fact.status.name())),
            ("confidence", Safe::word(fact.confidence.name())),
        ];
        let optional = [
            ("proposed_obsidian_page", &fact.page),
            ("proposed_change", &fact.change),
            ("requires", &fact.requires),
            ("project", &fact.project),
        ];
        fields.extend(optional.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?.into()))));
        let review =
            self.reviews.iter().find(|(text, _)| *text == fact.fact).filter(|_| fact.status != FactStatus::Rejected);
        fields.extend(review.map(|(_, id)| ("review_id", id.into())));
        Safe::object(fields)
    }
}

fn retrieval(retrieval: &Retrieval<Masked>) -> Safe {
    let mut fields = Vec::new();
    fields.extend(retrieval.query.as_ref().map(|query| ("query", query.into())));
    fields.extend(retrieval.project.as_ref().map(|project| ("project", project.into())));
    fields.push(("obsidian_sources", retrieval.obsidian_sources.into()));
    fields.push(("graphiti_facts", retrieval.graphiti_facts.into()));
    fields.push(("confidence", Safe::word(retrieval.confidence.name())));
    if !retrieval.source_paths.is_empty() {
        fields.push(("source_paths", Safe::list(&retrieval.source_paths)));
    }
    Safe::object(fields)
}

fn decision(decision: &Decision<Masked>) -> Safe {
    if !decision.is_object {
        return (&decision.text).into();
    }
    let mut fields = vec![("text", (&decision.text).into())];
    fields.extend(decision.consequence.as_ref().map(|text| ("consequence", text.into())));
    fields.extend(decision.decided_on.as_ref().map(|text| ("decided_on", text.into())));
    Safe::object(fields)
}

/// The decisions that the session does not hold yet, each once (Dublettenstrategie, SESSION_MEMORY_ARCHITECTURE).
pub(super) fn fresh_decisions<'a>(session: &Session, decisions: &'a [Decision<Masked>]) -> Vec<&'a Decision<Masked>> {
    let mut seen: HashSet<String> = session.turns().flat_map(Turn::decisions).map(fingerprint).collect();
    decisions.iter().filter(|decision| seen.insert(fingerprint(decision.text.as_str()))).collect()
}

/// Adds to a list of texts what it does not hold yet, however it is spelled.
fn add_new<'a>(context: &mut Doc, list: &'static str, texts: impl IntoIterator<Item = &'a Masked>) {
    let mut seen: Option<HashSet<String>> = None;
    for text in texts {
        let seen = seen.get_or_insert_with(|| context.list(list).iter().filter_map(text_of).map(fingerprint).collect());
        if seen.insert(fingerprint(text.as_str())) {
            context.push(list, text);
        }
    }
}

fn complete(context: &mut Doc, completed: &[String]) {
    if completed.is_empty() {
        return;
    }
    let left = context
        .list("open_tasks")
        .iter()
        .filter(|task| !text_of(task).is_some_and(|text| completed.iter().any(|done| done == text)));
    let left: Vec<Safe> = left.cloned().map(Safe::kept).collect();
    context.set("open_tasks", Safe::list(left));
}
