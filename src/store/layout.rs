//! Where things lie under the root.

use std::path::PathBuf;

use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::session::State;

/// Session files, one folder a state.
pub const SESSIONS: &str = "sessions";
/// Reviews that wait for a human.
pub const REVIEWS: &str = "review-queue";
/// Reviews that are decided and done.
pub const REVIEWS_ARCHIVED: &str = "review-queue/archived";
/// The structured memory blocks: a database, made at the first write.
pub const BLOCKS: &str = "blocks.db";
/// The audit log.
pub const AUDIT: &str = "audit";
/// The configuration, where the tree has one of its own.
pub const CONFIG: &str = "config.toml";
/// What `doctor --repair` could not read.
pub const QUARANTINE: &str = "quarantine";
/// Lock files.
pub const LOCKS: &str = ".locks";
/// Files on their way into the tree, and the record of the change they belong to.
pub const STAGING: &str = ".staging";
/// The lock that every change of the tree takes.
pub const TREE_LOCK: &str = ".locks/tree.lock";
/// The lock that a retention run holds from its beginning to its end.
pub const RETENTION_LOCK: &str = ".locks/retention.lock";
/// The lock that a backup holds from its beginning to its end.
pub const BACKUP_LOCK: &str = ".locks/backup.lock";
/// A copy of the blocks on its way into a backup.
pub const BLOCKS_COPY: &str = ".staging/backup-blocks.db";
/// How the name of a folder begins in which a restore unpacks.
pub const RESTORING: &str = ".restoring-";
/// The record of the change under way; empty when there is none.
pub const JOURNAL: &str = ".staging/journal";
/// What can be made anew at any time.
pub const CACHE: &str = ".cache";
/// Text that is open in a reviewer's editor, where there is no runtime folder for it: a private folder a user, by id.
pub const EDITING: &str = ".editing";

/// Every folder of a tree, outer ones first.
pub const FOLDERS: [&str; 11] = [
    SESSIONS,
    "sessions/active",
    "sessions/idle",
    "sessions/closed",
    "sessions/archived",
    REVIEWS,
    REVIEWS_ARCHIVED,
    AUDIT,
    QUARANTINE,
    STAGING,
    // Last: a tree that has it is whole.
    LOCKS,
];

/// Files that a tree always has, empty at first.
pub const FIXED_FILES: [&str; 4] = [JOURNAL, TREE_LOCK, RETENTION_LOCK, BACKUP_LOCK];

/// Which half of the review queue a file lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// `review-queue/`: pending, or approved and not yet transferred.
    Queue,
    /// `review-queue/archived/`: finished.
    Archived,
}

impl Shelf {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Queue, Self::Archived];

    /// Its folder.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Queue => REVIEWS,
            Self::Archived => REVIEWS_ARCHIVED,
        }
    }
}

/// The folder of the sessions in a state.
pub const fn session_folder(state: State) -> &'static str {
    match state {
        State::Active => "sessions/active",
        State::Idle => "sessions/idle",
        State::Closed => "sessions/closed",
        State::Archived => "sessions/archived",
    }
}

/// How the name of a session's file ends: plain JSON, gzip in `archived/`.
pub fn session_ending(state: State) -> &'static str {
    if state == State::Archived { ".json.gz" } else { ".json" }
}

/// A session's file.
pub fn session_file(id: &SessionId, state: State) -> PathBuf {
    [session_folder(state), "/", id.as_str(), session_ending(state)].concat().into()
}

/// A review's file.
pub fn review_file(id: &ReviewId, shelf: Shelf) -> PathBuf {
    [shelf.folder(), "/", id.as_str(), ".json"].concat().into()
}

/// The id in a session file's name.
pub fn session_id(name: &str) -> Option<SessionId> {
    let stem = name.strip_suffix(".json").or_else(|| name.strip_suffix(".json.gz"))?;
    SessionId::parse(stem).ok()
}

/// The id in a review file's name.
pub fn review_id(name: &str) -> Option<ReviewId> {
    ReviewId::parse(name.strip_suffix(".json")?).ok()
}

/// Whether a name is that of a month of the audit log.
pub fn is_audit_file(name: &str) -> bool {
    name.strip_suffix(".jsonl").is_some_and(|month| {
        month.len() == 7
            && month.bytes().enumerate().all(|(at, byte)| if at == 4 { byte == b'-' } else { byte.is_ascii_digit() })
    })
}
