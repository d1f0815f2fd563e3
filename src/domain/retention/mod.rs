//! Retention: what is kept how long, and what is due now (SPEC §6; retention tables of SESSION_MEMORY_ARCHITECTURE).
//!
//! All of it is a pure function of an entry, the policy and the clock. What is due is the same for `retention plan`, which
//! shows it, and for `retention run`, which asks again for each file under the lock.

mod clock;
mod mark;
mod review;
mod session;
#[cfg(test)]
mod tests;

use crate::domain::review::EXPIRES_AFTER;
use crate::domain::session::{ARCHIVED_AFTER, CLOSED_AFTER, IDLE_AFTER};
use crate::domain::span::Span;
use crate::domain::time::{DAY, MINUTE, Timestamp};

pub use clock::{ClockFacts, ClockJump, TOLERANCE, judge};
pub use mark::{ReviewMark, SessionMark};
pub use review::age_review;
pub use session::age_session;

/// How long what is kept, in seconds. Due is what is as old or older.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// A turn's user text, retrieval metadata and answer summary, from the turn.
    pub text: i64,
    /// A turn's decisions and tasks, from the turn.
    pub decisions: i64,
    /// An archived session, from archiving, which is [`ARCHIVED_AFTER`] its closing whenever the run comes.
    pub archived: i64,
    /// A finished review, from its end.
    pub finished: i64,
    /// An extracted block that no human has confirmed, `[retention] unconfirmed_blocks`.
    pub unconfirmed_blocks: Span,
    /// How far the clock may be ahead of the last completed run, `[retention] max_clock_jump`.
    pub max_clock_jump: Span,
}

/// `[retention] unconfirmed_blocks` unless the configuration says otherwise.
pub const UNCONFIRMED_BLOCKS: Span = Span::from_days(30);
/// `[retention] max_clock_jump` unless the configuration says otherwise.
pub const MAX_CLOCK_JUMP: Span = Span::from_days(60);

impl Default for Policy {
    fn default() -> Self {
        Self {
            text: 7 * DAY,
            decisions: 30 * DAY,
            archived: 30 * DAY,
            finished: 90 * DAY,
            unconfirmed_blocks: UNCONFIRMED_BLOCKS,
            max_clock_jump: MAX_CLOCK_JUMP,
        }
    }
}

/// A line of the policy, for people and programs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Rule {
    /// What it is about.
    pub what: &'static str,
    /// How long it is kept, such as `7d` or `120m`; `None`: until something happens.
    pub kept: Option<String>,
    /// From when the span counts, or until what happens.
    pub from: &'static str,
    /// What happens then.
    pub then: &'static str,
    /// The configuration key that sets the figure, if one does.
    pub key: Option<&'static str>,
}

impl Policy {
    /// The rules in force.
    pub fn rules(&self) -> Vec<Rule> {
        // In days, as the documents have it, where a span by itself would speak of weeks.
        let span = |seconds: i64| {
            let days = seconds / DAY;
            Some(if days > 0 && seconds % DAY == 0 { format!("{days}d") } else { format!("{}m", seconds / MINUTE) })
        };
        let rule = |what, kept, from, then| Rule { what, kept, from, then, key: None };
        vec![
            rule("active session", span(IDLE_AFTER), "its last interaction", "idle"),
            rule("idle session", span(CLOSED_AFTER), "its last interaction, or until it is closed by hand", "closed"),
            rule("closed session", span(ARCHIVED_AFTER), "its closing", "compressed, into archived"),
            rule("archived session", span(self.archived), "its archiving", "deleted"),
            rule(
                "a turn's user text, retrieval metadata, answer summary",
                span(self.text),
                "the turn",
                "removed from the file",
            ),
            rule("a turn's proposed facts", None, "until the session closes", "removed from the file"),
            rule("a turn's decisions and tasks", span(self.decisions), "the turn", "removed from the file"),
            rule("pending review", span(EXPIRES_AFTER), "its creation", "expired, into archived"),
            rule("finished review", span(self.finished), "its end", "deleted"),
            rule("approved review", None, "until a human transfers or undoes it", "kept"),
            Rule {
                key: Some("retention.unconfirmed_blocks"),
                ..rule(
                    "block that no human confirmed",
                    span(self.unconfirmed_blocks.signed_seconds()),
                    "its creation",
                    "deleted",
                )
            },
            rule("audit log", None, "it holds no content", "kept"),
        ]
    }
}

/// Something that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// An active session has become idle.
    Idle,
    /// A session is closed by time, or its file lies where open ones do.
    Close,
    /// A closed session is compressed.
    Archive,
    /// User text, retrieval metadata and answer summaries of turns go.
    RemoveText,
    /// Proposed facts of a closed session go; their reviews carry them on.
    RemoveFacts,
    /// Decisions and tasks of turns go.
    RemoveDecisions,
    /// An archived session goes.
    DeleteSession,
    /// A pending review has had its time.
    ExpireReview,
    /// A finished review lies where open ones do.
    FileReview,
    /// A finished review goes.
    DeleteReview,
    /// A block that nobody confirmed goes.
    DeleteBlock,
}

impl Action {
    /// All of them, in the order of a report.
    pub const ALL: [Self; 11] = [
        Self::Idle,
        Self::Close,
        Self::Archive,
        Self::RemoveText,
        Self::RemoveFacts,
        Self::RemoveDecisions,
        Self::DeleteSession,
        Self::ExpireReview,
        Self::FileReview,
        Self::DeleteReview,
        Self::DeleteBlock,
    ];

    /// The word that reports and the audit log use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Close => "close",
            Self::Archive => "archive",
            Self::RemoveText => "remove_text",
            Self::RemoveFacts => "remove_facts",
            Self::RemoveDecisions => "remove_decisions",
            Self::DeleteSession => "delete_session",
            Self::ExpireReview => "expire_review",
            Self::FileReview => "file_review",
            Self::DeleteReview => "delete_review",
            Self::DeleteBlock => "delete_block",
        }
    }
}

/// One action on one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// What.
    pub action: Action,
    /// Why, in the program's own words and figures; never content.
    pub reason: String,
    /// How many bytes it is about: of a file, or of the fields that go.
    pub bytes: u64,
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate<Place> {
    /// Nothing is due.
    Stays,
    /// It is written anew, there.
    Goes(Place),
    /// It is deleted.
    Deleted,
}

impl<Place> Fate<Place> {
    /// The same with the place as others name it.
    pub fn map<Other>(self, name: impl FnOnce(Place) -> Other) -> Fate<Other> {
        match self {
            Self::Stays => Fate::Stays,
            Self::Goes(place) => Fate::Goes(name(place)),
            Self::Deleted => Fate::Deleted,
        }
    }

    /// Where it is written; `None`: nowhere.
    pub const fn place(&self) -> Option<&Place> {
        match self {
            Self::Goes(place) => Some(place),
            Self::Stays | Self::Deleted => None,
        }
    }
}

/// What is due for one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aged<Place> {
    /// What becomes of it.
    pub fate: Fate<Place>,
    /// The actions.
    pub due: Vec<Due>,
    /// Why something in it can't be told, and is kept.
    pub doubt: Option<&'static str>,
}

impl<Place> Aged<Place> {
    /// Nothing is due.
    fn stays(doubt: Option<&'static str>) -> Self {
        Self { fate: Fate::Stays, due: Vec::new(), doubt }
    }
}

/// Whether a point lies so far ahead of the clock that no two clocks' disagreement explains it.
fn is_ahead(at: Timestamp, now: Timestamp) -> bool {
    at.since(now) > TOLERANCE
}
