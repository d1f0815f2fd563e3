//! A review: one proposed fact on its way to a human decision, and which change of its status is allowed.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::block::BlockId;
use super::doc::{Doc, Safe};
use super::ids::{ReviewId, SessionId};
use super::time::{DAY, Timestamp};
use crate::mask::Masked;

/// A pending review expires this long after its creation (retention table, SESSION_MEMORY_ARCHITECTURE).
pub const EXPIRES_AFTER: i64 = 14 * DAY;
/// A rejection is remembered this long when the same fact comes again.
pub const REMEMBERED_FOR: i64 = 90 * DAY;

/// Where a review is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Waits for a human.
    Pending,
    /// A human has approved it; the page is not written yet.
    Approved,
    /// A human has written it into the vault.
    Transferred,
    /// A human has rejected it.
    Rejected,
    /// Nobody decided in time.
    Expired,
    /// The vault said so already.
    Discarded,
}

impl Status {
    /// All of them, in the order of a review's life.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Approved, Self::Transferred, Self::Rejected, Self::Expired, Self::Discarded];

    /// The word that files and options use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Transferred => "transferred",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Discarded => "discarded",
        }
    }

    /// The status of that name; `auto_rejected` is an older word for `expired`.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "auto_rejected" {
            return Some(Self::Expired);
        }
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Whether the file belongs into `archived/`.
    pub const fn is_finished(self) -> bool {
        !matches!(self, Self::Pending | Self::Approved)
    }

    /// Whether a human, or time, may make `next` of it.
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Pending, Self::Approved | Self::Rejected | Self::Expired | Self::Discarded)
                | (Self::Approved, Self::Transferred)
                // Only by `undo`, the last decision taken back:
                | (Self::Approved | Self::Rejected | Self::Discarded, Self::Pending)
                | (Self::Transferred, Self::Approved)
        )
    }
}

/// What a review is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A statement about the world; approving it needs evidence.
    #[default]
    Fact,
    /// A decision with a consequence.
    Decision,
    /// A task that is done.
    Task,
    /// A structured memory block.
    Block,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Fact, Self::Decision, Self::Task, Self::Block];

    /// The word that files and options use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Decision => "decision",
            Self::Task => "task",
            Self::Block => "block",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether approving it needs a proof of source.
    pub const fn needs_evidence(self) -> bool {
        matches!(self, Self::Fact | Self::Block)
    }
}

/// How a fact is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FactStatus {
    /// The user has said so.
    UserStated,
    /// The agent has concluded it.
    Inferred,
    /// A human has verified it. Set by `review approve` alone.
    Verified,
    /// Refuted or turned down.
    Rejected,
}

impl FactStatus {
    /// The word that files and options use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserStated => "user_stated",
            Self::Inferred => "inferred",
            Self::Verified => "verified",
            Self::Rejected => "rejected",
        }
    }

    /// The status of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::UserStated, Self::Inferred, Self::Verified, Self::Rejected].into_iter().find(|s| s.name() == name)
    }
}

/// How sure the proposer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Nothing backs it.
    #[default]
    Unverified,
    /// Little backs it.
    Low,
    /// Something backs it.
    Medium,
    /// Much backs it.
    High,
}

impl Confidence {
    /// All of them, rising.
    pub const ALL: [Self; 4] = [Self::Unverified, Self::Low, Self::Medium, Self::High];

    /// The word that files and options use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unverified => "unverified",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The confidence of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|confidence| confidence.name() == name)
    }
}

/// Something a reviewer has to see before deciding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// The vault says otherwise.
    Conflict,
    /// It reads like an instruction to a model, or holds invisible characters.
    Suspicious,
    /// A conjecture, plan or intention.
    Hedged,
    /// The same fact was rejected in the last 90 days.
    PreviouslyRejected,
}

impl Flag {
    /// All of them, the gravest first.
    pub const ALL: [Self; 4] = [Self::Conflict, Self::Suspicious, Self::Hedged, Self::PreviouslyRejected];

    /// The word that files and options use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Suspicious => "suspicious",
            Self::Hedged => "hedged",
            Self::PreviouslyRejected => "previously_rejected",
        }
    }

    /// The flag of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flag| flag.name() == name)
    }
}

/// A review file.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// Its id, which is the file's name.
    pub id: ReviewId,
    /// Its fields.
    pub doc: Doc,
}

/// What a new review is made of; everything in it is masked.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// What is proposed.
    pub fact: Masked,
    /// What it is about.
    pub kind: Kind,
    /// How it is known; never [`FactStatus::Verified`].
    pub fact_status: FactStatus,
    /// How sure the proposer is.
    pub confidence: Confidence,
    /// The project.
    pub project: Option<Masked>,
    /// The page it should go to, relative to the vault.
    pub page: Option<Masked>,
    /// What to change there.
    pub change: Option<Masked>,
    /// What a human should ask for first.
    pub requires: Option<Masked>,
    /// What follows from a decision.
    pub consequence: Option<Masked>,
    /// When a decision was made.
    pub decided_on: Option<Masked>,
    /// The agent that proposes.
    pub agent: Option<Masked>,
    /// The session it comes from.
    pub session: Option<SessionId>,
    /// The turn it comes from.
    pub turn: Option<u64>,
}

impl Review {
    /// A new pending review.
    pub fn new(id: ReviewId, proposal: &Proposal, now: Timestamp) -> Self {
        let mut doc = Doc::new();
        doc.set("review_id", &id);
        doc.set("source_session", proposal.session.as_ref().map(Safe::from));
        doc.set("source_turn", proposal.turn);
        doc.set("agent", proposal.agent.clone());
        doc.set("kind", Safe::word(proposal.kind.name()));
        doc.set("project", proposal.project.clone());
        doc.set("proposed_fact", &proposal.fact);
        doc.set("fact_status", Safe::word(proposal.fact_status.name()));
        doc.set("proposed_obsidian_page", proposal.page.clone());
        doc.set("proposed_change", proposal.change.clone());
        doc.set("confidence", Safe::word(proposal.confidence.name()));
        doc.set("requires", proposal.requires.clone());
        if proposal.kind == Kind::Decision {
            doc.set("consequence", proposal.consequence.clone());
            doc.set("decided_on", proposal.decided_on.clone());
        }
        doc.set("created_at", now);
        doc.set("expires_at", now.plus(EXPIRES_AFTER));
        doc.set("status", Safe::word(Status::Pending.name()));
        doc.set("flags", Safe::list(Vec::<Safe>::new()));
        doc.set("obsidian_write_allowed", false);
        doc.set("graphiti_write_allowed", false);
        doc.set("seen_count", 1);
        doc.set("history", Safe::list(Vec::<Safe>::new()));
        Self { id, doc }
    }

    /// What is proposed.
    pub fn fact(&self) -> &str {
        self.doc.text("proposed_fact").unwrap_or_default()
    }

    /// The status that the file holds, whatever the time.
    pub fn stored_status(&self) -> Status {
        match self.doc.text("status").and_then(Status::from_name) {
            // Nobody has approved it: a file that says so by itself was not made by `review approve` (law 3).
            Some(Status::Approved) if !self.is_approved_on_record() => Status::Pending,
            status => status.unwrap_or(Status::Pending),
        }
    }

    /// Whether a reviewer's approval stands in its history.
    fn is_approved_on_record(&self) -> bool {
        let mut standing = self.standing().into_iter();
        standing.any(|entry| entry.get("action").and_then(Value::as_str) == Some("approve"))
    }

    /// The true status at `now`: an overdue pending review has expired, swept or not.
    pub fn status(&self, now: Timestamp) -> Status {
        true_status(self.stored_status(), self.expires_at(), now)
    }

    /// When it was filed: `created_at`, else the moment in the id.
    pub fn created_at(&self) -> Option<Timestamp> {
        self.doc.time("created_at").or_else(|| self.id.time())
    }

    /// When it expires while pending: `expires_at`, else 14 days after its creation.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.doc.time("expires_at").or_else(|| Some(self.created_at()?.plus(EXPIRES_AFTER)))
    }

    /// What it is about.
    pub fn kind(&self) -> Kind {
        self.doc.text("kind").and_then(Kind::from_name).unwrap_or_default()
    }

    /// How the fact is known.
    pub fn fact_status(&self) -> FactStatus {
        match self.doc.text("fact_status").and_then(FactStatus::from_name) {
            Some(FactStatus::Verified) if !self.is_approved_on_record() => FactStatus::Inferred,
            status => status.unwrap_or(FactStatus::UserStated),
        }
    }

    /// The memory block it is about, if it is about one.
    pub fn block(&self) -> Option<BlockId> {
        let id = self.doc.text("block_id").filter(|_| self.kind() == Kind::Block)?;
        BlockId::parse(id).ok()
    }

    /// What a reviewer has to see, the gravest first.
    pub fn flags(&self) -> Vec<Flag> {
        Flag::ALL.into_iter().filter(|flag| self.has(*flag)).collect()
    }

    /// Whether a flag is set.
    pub fn has(&self, flag: Flag) -> bool {
        self.doc.texts("flags").any(|name| name == flag.name())
            || (flag == Flag::Conflict && self.doc.is_set("conflict"))
    }

    /// A mark of the texts a reviewer decides on: 64 hex digits that are others as soon as one byte of them is.
    pub fn mark(&self) -> String {
        const FIELDS: [&str; 6] =
            ["proposed_fact", "proposed_obsidian_page", "proposed_change", "requires", "consequence", "project"];
        let mut hash = Sha256::new();
        for text in FIELDS.map(|field| self.doc.text(field).unwrap_or_default()) {
            // The length goes first, so that no text can pass for the end of another.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        hash.finalize().iter().fold(String::with_capacity(64), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// The session it comes from, if the file names a well-formed one.
    pub fn session(&self) -> Option<SessionId> {
        self.doc.text("source_session").and_then(|id| SessionId::parse(id).ok())
    }

    /// The agent that proposed it: the field, else the name in the session's id.
    pub fn agent(&self) -> Option<String> {
        self.doc.text("agent").map(str::to_owned).or_else(|| Some(self.session()?.agent().to_owned()))
    }

    /// The last decision that still stands, an entry of the history with `from` and `to`. An `undo` takes one back.
    pub fn last_decision(&self) -> Option<&Map<String, Value>> {
        self.standing().pop()
    }

    /// The decisions that stand, the last one last.
    fn standing(&self) -> Vec<&Map<String, Value>> {
        let mut standing = Vec::new();
        for entry in self.doc.list("history").iter().filter_map(Value::as_object) {
            if entry.get("action").and_then(Value::as_str) == Some("undo") {
                standing.pop();
            } else if entry.contains_key("to") {
                standing.push(entry);
            }
        }
        standing
    }

    /// Fields whose text held personal data or a credential: what stands there now is a placeholder.
    pub fn masked_fields(&self) -> Vec<&'static str> {
        let holds = |field: &&str| self.doc.masked_text(field).is_some_and(|text| text.has_placeholder());
        ["proposed_fact", "proposed_change", "consequence"].into_iter().filter(holds).collect()
    }
}

/// The status that holds at `now`, given the one stored.
pub fn true_status(stored: Status, expires_at: Option<Timestamp>, now: Timestamp) -> Status {
    match expires_at {
        Some(at) if stored == Status::Pending && now >= at => Status::Expired,
        _ => stored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_life_of_a_review() {
        use Status::{Approved, Discarded, Expired, Pending, Rejected, Transferred};
        let allowed = [
            (Pending, Approved),
            (Pending, Rejected),
            (Pending, Expired),
            (Pending, Discarded),
            (Approved, Transferred),
            (Approved, Pending),
            (Rejected, Pending),
            (Discarded, Pending),
            (Transferred, Approved),
        ];
        for from in Status::ALL {
            for to in Status::ALL {
                assert_eq!(from.may_become(to), allowed.contains(&(from, to)), "{from:?} to {to:?}");
            }
            assert_eq!(Status::from_name(from.name()), Some(from));
        }
        assert!(!Approved.is_finished() && Transferred.is_finished() && Expired.is_finished());
    }

    #[test]
    fn the_mark_is_of_every_byte_of_the_texts() {
        let review = |fields: serde_json::Value| Review {
            id: ReviewId::parse("REVIEW-20260521-143022-x").unwrap(),
            doc: Doc::from_tree(fields.as_object().unwrap().clone(), &crate::mask::Masker::default()),
        };
        let first = serde_json::json!({"schema_version": 1, "proposed_fact": "Vento", "project": "a"});
        let mark = review(first.clone()).mark();
        assert_eq!((mark.len(), review(first.clone()).mark()), (64, mark.clone()));
        for (field, text) in
            [("proposed_fact", "vento"), ("proposed_fact", "Vento."), ("project", "b"), ("requires", "x")]
        {
            let mut other = first.clone();
            other[field] = text.into();
            assert_ne!(review(other).mark(), mark, "{field} {text}");
        }
        let moved = serde_json::json!({"schema_version": 1, "proposed_fact": "Vento", "consequence": "a"});
        assert_ne!(review(moved).mark(), mark);
    }

    #[test]
    fn a_review_expires_to_the_second() {
        let created = Timestamp::parse("2026-05-21T14:30:22Z").unwrap();
        let due = created.plus(EXPIRES_AFTER);
        assert_eq!(true_status(Status::Pending, Some(due), due.plus(-1)), Status::Pending);
        assert_eq!(true_status(Status::Pending, Some(due), due), Status::Expired);
        assert_eq!(true_status(Status::Approved, Some(due), due.plus(DAY)), Status::Approved);
    }
}
