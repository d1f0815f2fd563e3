//! Structured memory blocks: one SQLite database, `blocks.db`, beside the tree's files.
//!
//! Readers open it, look, and never write on opening ([`Store::blocks`]). A writer holds the tree's lock, as for every
//! change ([`Tree::blocks`]), and hands the open transaction to [`Tree::commit_blocks`], which makes it one step with the
//! tree's files and the audit log: the journal is written first, then SQLite commits, and whether the `generation` that the
//! journal names is in the database decides, after a crash, whether the rest is finished or forgotten.
//!
//! Every text that goes in is [`crate::mask::Masked`]. What a block means, and who may do what, is for others.

mod access;
mod check;
mod query;
mod row;
mod runs;
mod schema;
mod search;
mod write;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

pub use query::{BlockQuery, BlockSort, EntityCount, Linked, Stats};
pub use runs::{Noting, Run, RunEntry, RunSource, Undone};
pub use search::{Found, Hit, is_searchable};
pub use write::{Added, Kept, Outcome, Standing};

use super::{Store, StoreError, Tree, fs, layout};

/// How long SQLite waits for another process: writers wait for each other at the tree's lock, so that this is for
/// checkpoints, recovery and the counting of accesses.
const BUSY: Duration = Duration::from_secs(10);

/// What every connection is set to. Temporary tables stay in memory: they would hold content.
const SETTINGS: &str = "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF";

/// What a writer's is set to besides: nothing removed stays readable, nothing acknowledged is lost, and the indexes of a
/// load of a million blocks stay in memory (64 MiB).
const WRITER_SETTINGS: &str = "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL; \
    PRAGMA cache_size = -65536";

/// The open database, for reading.
#[derive(Debug)]
pub struct Blocks {
    pub(super) conn: Connection,
    path: PathBuf,
}

/// The open database within a transaction, while this process holds the tree's lock. Dropped without
/// [`Tree::commit_blocks`], it has changed nothing.
#[derive(Debug)]
pub struct BlockWriter<'a> {
    db: Blocks,
    changes: u64,
    /// The numbers of entities that were asked for, by their folded names.
    known: RefCell<HashMap<String, i64>>,
    /// What is to be written to the search index.
    pending: RefCell<search::Pending>,
    /// Something was removed, which must not stay in SQLite's log.
    forgets: bool,
    _tree: &'a Tree<'a>,
}

impl Store {
    /// Opens the blocks for reading; `None` where none was ever kept.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] for what is no database of this program's, [`StoreError::Newer`] for one of a newer version,
    /// and when it can't be read.
    pub fn blocks(&self) -> Result<Option<Blocks>, StoreError> {
        let path = self.path(layout::BLOCKS);
        if !is_there(&path)? {
            return Ok(None);
        }
        let mut db = open(&path)?;
        let checked = match schema::check(&db) {
            // Who may not make the log that SQLite wants beside it can read the database all the same while there is none.
            Err(StoreError::Io { .. }) if fs::reason(&path).is_some() && !has_log(&path) => {
                db = open_unchanging(&path)?;
                schema::check(&db)
            }
            checked => checked,
        };
        Ok(checked?.then_some(db))
    }

    /// Whether the database holds the change of that number.
    pub(super) fn has_blocks_of(&self, generation: u64) -> Result<bool, StoreError> {
        match self.blocks() {
            Ok(Some(db)) => Ok(db.generation()? >= generation),
            // A database that can't be read holds nothing that could be told; sessions and reviews go on without it.
            Ok(None) | Err(StoreError::Damaged { .. } | StoreError::Newer { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Tree<'_> {
    /// Opens the blocks for a change, and makes the database where there is none.
    ///
    /// # Errors
    /// As [`Store::blocks`], and when the database can't be made or written.
    pub fn blocks(&self) -> Result<BlockWriter<'_>, StoreError> {
        let path = self.store.path(layout::BLOCKS);
        if !is_there(&path)? {
            fs::make_empty_file(&path, self.store.modes)?;
        }
        let db = open(&path)?;
        db.run(WRITER_SETTINGS)?;
        schema::migrate(&db)?;
        db.run("BEGIN IMMEDIATE")?;
        Ok(BlockWriter {
            db,
            changes: 0,
            known: RefCell::default(),
            pending: RefCell::default(),
            forgets: false,
            _tree: self,
        })
    }
}

/// Whether the file is there; neither it nor what SQLite keeps beside it may be a link.
fn is_there(path: &Path) -> Result<bool, StoreError> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        fs::no_link(Path::new(&name))?;
    }
    Ok(fs::exists(path))
}

/// Whether SQLite's log holds anything that is not in the database yet.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    fs::tail(Path::new(&log), 0).is_ok_and(|(_, len)| len > 0)
}

fn open(path: &Path) -> Result<Blocks, StoreError> {
    // A file that can't be written is opened for reading.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    set_up(path, Connection::open_with_flags(path, flags))
}

/// Opens a database that nobody changes meanwhile: without its log, and without locks.
fn open_unchanging(path: &Path) -> Result<Blocks, StoreError> {
    let name = path.as_os_str().as_encoded_bytes().iter().fold("file:".to_owned(), |mut name, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => name.push(char::from(*byte)),
            _ => {
                let _ = write!(name, "%{byte:02x}");
            }
        }
        name
    });
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    set_up(path, Connection::open_with_flags(format!("{name}?immutable=1"), flags))
}

fn set_up(path: &Path, opened: rusqlite::Result<Connection>) -> Result<Blocks, StoreError> {
    let conn = opened.map_err(|error| failure(path, "open", error))?;
    let db = Blocks { conn, path: path.to_owned() };
    db.conn.busy_timeout(BUSY).map_err(|error| db.failure("open", error))?;
    // The last one out would else take the log away, and the next reader would have to be allowed to make it anew.
    db.conn
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .map_err(|error| db.failure("open", error))?;
    db.conn.set_prepared_statement_cache_capacity(64);
    db.run(SETTINGS)?;
    Ok(db)
}

impl Blocks {
    /// The database's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.conn.execute_batch(sql).map_err(|error| self.failure("write", error))
    }

    fn failure(&self, action: &'static str, error: rusqlite::Error) -> StoreError {
        failure(&self.path, action, error)
    }

    /// The number of the last change; 0 before the first.
    fn generation(&self) -> Result<u64, StoreError> {
        self.conn
            .query_row("SELECT value FROM meta WHERE name = 'generation'", [], |row| row.get(0))
            .map(query::unsigned)
            .map_err(|error| self.failure("read", error))
    }

    /// Writes what is in the log into the database and empties the log; answers whether it is empty. Waits up to `wait`
    /// for those who read.
    fn checkpoint(&self, wait: Duration) -> bool {
        drop(self.conn.busy_timeout(wait));
        let is_busy: Result<i64, _> = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
        is_busy == Ok(0)
    }
}

impl BlockWriter<'_> {
    /// The blocks as they are within the change.
    pub fn read(&self) -> &Blocks {
        &self.db
    }

    /// Whether anything was changed.
    pub fn has_changed(&self) -> bool {
        self.changes > 0
    }

    /// Counts the change, and answers its number.
    pub(super) fn next_generation(&mut self) -> Result<u64, StoreError> {
        self.flush_index()?;
        self.db.run("UPDATE meta SET value = value + 1 WHERE name = 'generation'")?;
        self.db.generation()
    }

    /// Makes the change stand, durably.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        self.db.run("COMMIT")
    }

    /// Empties SQLite's log, as far as readers let it: none of them has to go through it.
    pub(super) fn tidy(&self) {
        self.db.checkpoint(if self.forgets { BUSY } else { Duration::ZERO });
    }
}

/// What SQLite says, as an error of the tree. Its messages name tables and fields, never values.
#[allow(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn failure(path: &Path, action: &'static str, error: rusqlite::Error) -> StoreError {
    use std::io;
    let io = |error| StoreError::io(action, path, error);
    let code = error.sqlite_error().map(|error| error.code);
    match code {
        Some(ErrorCode::DatabaseCorrupt) => {
            StoreError::damaged(path, "the database is damaged; take it from the last backup")
        }
        Some(ErrorCode::NotADatabase) => StoreError::damaged(path, "it is no SQLite database"),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked { waited: BUSY },
        Some(ErrorCode::DiskFull) => io(io::ErrorKind::StorageFull.into()),
        Some(ErrorCode::ReadOnly) if is_on_read_only(path) => io(io::ErrorKind::ReadOnlyFilesystem.into()),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => io(io::ErrorKind::PermissionDenied.into()),
        Some(ErrorCode::OutOfMemory) => io(io::ErrorKind::OutOfMemory.into()),
        Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => match fs::reason(path) {
            Some(reason) => io(reason),
            None => io(io::Error::other(error.to_string())),
        },
        Some(_) => io(io::Error::other(error.to_string())),
        // A value of another type than its column's: somebody else has written it.
        None => StoreError::damaged(path, format!("a row can't be understood ({error})")),
    }
}

fn is_on_read_only(path: &Path) -> bool {
    fs::reason(path).is_some_and(|error| error.kind() == std::io::ErrorKind::ReadOnlyFilesystem)
}
