//! What a use case can answer instead of its outcome. Data only: the words and exit codes are `cli/error.rs`'s.

use crate::app::config::ConfigProblem;
use crate::domain::append::Problem;
use crate::domain::block::BlockId;
use crate::domain::block::read::BadInput;
use crate::domain::extract::turns::BadText;
use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::json::BadJson;
use crate::domain::retention::ClockJump;
use crate::domain::review::Status;
use crate::domain::time::Timestamp;
use crate::store::StoreError;

impl From<BackupWhy> for Error {
    fn from(why: BackupWhy) -> Self {
        Self::Refused(Refusal::Backup(why))
    }
}

/// The result of a use case.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a use case has no outcome.
#[derive(Debug)]
pub enum Error {
    /// The tree.
    Store(StoreError),
    /// A rule says no; a human, a flag or other input is needed.
    Refused(Refusal),
    /// Nothing of that name, or several.
    NotFound(NotFound),
    /// No agent was named.
    NoAgent,
    /// The configuration file is wrong.
    Config {
        /// The file.
        file: std::path::PathBuf,
        /// All that is wrong.
        problems: Vec<ConfigProblem>,
    },
    /// The group of `[tree] group` does not exist.
    NoGroup(String),
    /// No vault is configured, or it can't be read.
    NoVault(Option<String>),
    /// A broken audit chain, or another damage that was found by looking for it.
    Integrity(String),
}

/// What was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// No id has this part. The nearest one may be meant.
    Id {
        /// `session` or `review`.
        noun: &'static str,
        /// What was asked for.
        given: String,
        /// The nearest id.
        nearest: Option<String>,
    },
    /// Several ids have this part.
    Ambiguous {
        /// `session` or `review`.
        noun: &'static str,
        /// What was asked for.
        given: String,
        /// The ids.
        candidates: Vec<String>,
    },
    /// The agent has no open session.
    OpenSession {
        /// The agent.
        agent: String,
    },
    /// No retrieval of that question within the last five minutes.
    Retrieval,
}

/// A rule that says no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The input is no acceptable JSON.
    Json(BadJson),
    /// Fields of the input are wrong.
    Input(Vec<Problem>),
    /// An agent's user tries to decide.
    AgentDecides {
        /// The user.
        user: String,
    },
    /// The process runs where users have other numbers than outside.
    Disguised,
    /// An agent's user names a configuration of its own.
    AgentsConfiguration {
        /// The user.
        user: String,
    },
    /// Something would be written into the vault.
    InVault {
        /// What.
        path: std::path::PathBuf,
    },
    /// The user is no configured reviewer.
    NoReviewer {
        /// The user.
        user: String,
    },
    /// `--reviewer` names somebody else.
    NotYourName {
        /// The user's own names.
        names: Vec<String>,
    },
    /// An agent's user names another agent.
    OtherAgent {
        /// The agent that was named.
        wanted: String,
        /// The user's agent.
        own: String,
    },
    /// The session is another agent's.
    OtherAgentsSession {
        /// The session.
        session: SessionId,
        /// Its agent.
        owner: String,
    },
    /// The task to be completed is not open, or not the only one.
    Task {
        /// The open tasks.
        open: Vec<String>,
    },
    /// The agent has too many open proposals.
    QueueFull {
        /// The agent.
        agent: String,
        /// How many it may have.
        max: u64,
    },
    /// Nothing is left of the fact after masking.
    NothingLeft,
    /// The review can't be decided so.
    Review {
        /// The review.
        id: ReviewId,
        /// Why.
        why: Why,
    },
    /// The clock contradicts the tree, so that nothing is deleted by it.
    Clock(ClockJump),
    /// An agent's user tries what is an operator's.
    NotForAgents {
        /// The user.
        user: String,
        /// What was tried, a verb and its object.
        what: &'static str,
    },
    /// A backup can't be made, opened or restored so.
    Backup(BackupWhy),
    /// The block can't be changed so.
    Block {
        /// The block.
        id: BlockId,
        /// Why.
        why: BlockWhy,
    },
    /// An input holds no blocks that can be read.
    Blocks(BadInput),
    /// A text can't be read.
    Text(BadText),
    /// `--now` with a command that writes to the live tree.
    NowOnLiveTree,
    /// `init --demo` at a root that exists.
    DemoExists {
        /// What exists.
        path: std::path::PathBuf,
    },
    /// A migration run was taken back already.
    TakenBack {
        /// The run.
        run: String,
        /// When.
        at: String,
        /// By whom.
        by: String,
    },
    /// A prompt is needed, and there is no terminal.
    NoTerminal {
        /// What would be asked.
        question: String,
        /// The command to use instead.
        command: String,
    },
    /// An edited text can't be taken.
    Edit(Vec<Problem>),
}

/// Why a backup can't be made, opened or restored so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupWhy {
    /// No key for backups is configured: there is no unencrypted backup.
    NoKey,
    /// A recipient and a passphrase are configured for backups.
    TwoKeys,
    /// Backups are to be opened, and no secret key is named.
    NoSecretKey,
    /// A file would lie in the tree or beside the backups, where it must not.
    InTree {
        /// Where it would lie.
        path: std::path::PathBuf,
        /// What it is, with its article.
        what: &'static str,
    },
    /// The fresh backup before a restore lacks files.
    Partial {
        /// How many.
        left_out: u64,
    },
}

/// Why a block can't be changed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockWhy {
    /// A human has verified it.
    Verified,
    /// A human has rejected it.
    Rejected,
    /// Another value holds now.
    Past,
}

/// Why a review can't be decided so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is not in a state from which that leads on.
    Status {
        /// The status it has.
        status: Status,
        /// Who decided, and when, if somebody did.
        decided: Option<(String, Option<Timestamp>)>,
    },
    /// Its session may still go on.
    SessionOpen {
        /// The session.
        session: SessionId,
        /// When time closes it.
        closes_at: Timestamp,
    },
    /// The vault says otherwise, and no reason was given why it is out of date.
    Conflict {
        /// The page and line, where known.
        place: Option<String>,
    },
    /// It is a conjecture or plan, and no reason was given why it holds.
    Hedged {
        /// The word that says so.
        word: Option<String>,
    },
    /// It reads like an instruction to a model, and nobody has acknowledged that.
    Suspicious {
        /// What was found.
        found: Vec<String>,
    },
    /// It holds personal data, or did before masking.
    PersonalData {
        /// The fields.
        fields: Vec<&'static str>,
    },
    /// No evidence was given.
    NoEvidence,
    /// Of the evidence nothing is left after masking.
    EmptyEvidence,
    /// No reason was given.
    NoReason,
    /// The page does not say it yet.
    NotInVault {
        /// The page.
        page: Option<String>,
    },
    /// Its text was changed since it was shown.
    Changed,
    /// The block that it is about was forgotten.
    BlockGone {
        /// The block.
        block: BlockId,
    },
    /// The block that it is about says something else.
    BlockDiffers {
        /// The block.
        block: BlockId,
    },
    /// There is no decision to take back.
    NothingToUndo,
}

impl Error {
    /// Whether a rule said no: such an answer is audited.
    pub const fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Store(StoreError::Newer { .. } | StoreError::TooLarge { .. }))
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<NotFound> for Error {
    fn from(not_found: NotFound) -> Self {
        Self::NotFound(not_found)
    }
}
