//! The tables of `blocks.db`, as numbered steps on `user_version`.

use super::{Blocks, runs, search};
use crate::store::StoreError;

/// "HMEM": what tells this program's databases from others.
pub(super) const APPLICATION_ID: i64 = 0x484D_454D;

/// The steps: what stands at index N takes a database from version N to N + 1. A step that was released is never changed.
const STEPS: &[Step] = &[
    Step { sql: BLOCKS, fill: None },
    Step { sql: search::TABLES, fill: Some(search::fill) },
    Step { sql: runs::TABLES, fill: None },
];

/// From this version on there is a search index.
pub(super) const SEARCHABLE: u64 = 2;

/// Fills new tables from those that are there.
type Fill = fn(&Blocks) -> Result<(), StoreError>;

/// One step: statements, and what fills the new tables from those that are there.
struct Step {
    sql: &'static str,
    fill: Option<Fill>,
}

/// Words and times are kept as ADR-001 has them in all but their form: times are seconds since 1970.
const BLOCKS: &str = "
    CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO meta VALUES ('generation', 0);

    -- One row a value, with the time in which it held. `slot`: a hash of type, category, key and entities; of the rows of
    -- one slot at most one has no `valid_to`.
    CREATE TABLE blocks (
        block INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        slot BLOB NOT NULL,
        type TEXT NOT NULL,
        category TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        source TEXT,
        confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
        entities TEXT NOT NULL,
        status TEXT NOT NULL,
        review_id TEXT,
        confirmed_by TEXT,
        confirmed_at INTEGER,
        evidence TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        valid_from INTEGER NOT NULL,
        valid_to INTEGER,
        extra TEXT
    ) STRICT;
    CREATE INDEX blocks_by_slot ON blocks (slot, valid_from);
    CREATE INDEX blocks_by_type ON blocks (type, updated_at) WHERE valid_to IS NULL;
    CREATE INDEX blocks_by_key ON blocks (key);
    CREATE INDEX blocks_inferred ON blocks (created_at) WHERE status = 'inferred';
    CREATE INDEX blocks_by_review ON blocks (review_id) WHERE review_id IS NOT NULL;

    -- Whom and what blocks are about. Every spelling, the entity's own name too, is an alias, by its folded form.
    CREATE TABLE entities (entity INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE TABLE aliases (
        alias TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        entity INTEGER NOT NULL REFERENCES entities ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX aliases_by_entity ON aliases (entity);

    -- `newest of a type about an entity` is a walk along the primary key.
    CREATE TABLE links (
        entity INTEGER NOT NULL REFERENCES entities,
        type TEXT NOT NULL,
        updated_at INTEGER NOT NULL,
        block INTEGER NOT NULL REFERENCES blocks ON DELETE CASCADE,
        PRIMARY KEY (entity, type, updated_at, block)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX links_by_block ON links (block);

    -- Counted by readers, and let go where a writer is at work.
    CREATE TABLE accesses (
        block INTEGER PRIMARY KEY REFERENCES blocks ON DELETE CASCADE,
        count INTEGER NOT NULL,
        last INTEGER NOT NULL
    ) STRICT;
";

fn number(db: &Blocks, pragma: &str) -> Result<i64, StoreError> {
    db.conn.query_row(pragma, [], |row| row.get(0)).map_err(|error| db.failure("read", error))
}

/// Answers whether there are tables; refuses what is another program's, or a newer version's.
pub(super) fn check(db: &Blocks) -> Result<bool, StoreError> {
    let version = number(db, "PRAGMA user_version")?;
    let application = number(db, "PRAGMA application_id")?;
    if application != APPLICATION_ID && (application != 0 || version != 0 || has_tables(db)?) {
        return Err(StoreError::damaged(
            db.path(),
            format!("it is another program's database (application_id {application}, not {APPLICATION_ID})"),
        ));
    }
    let known = STEPS.len() as u64;
    let version = u64::try_from(version).unwrap_or(u64::MAX);
    if version > known {
        return Err(StoreError::Newer { path: db.path().to_owned(), version, known });
    }
    Ok(version > 0)
}

/// The version of a database.
pub(super) fn version(db: &Blocks) -> Result<u64, StoreError> {
    Ok(u64::try_from(number(db, "PRAGMA user_version")?).unwrap_or(u64::MAX))
}

fn has_tables(db: &Blocks) -> Result<bool, StoreError> {
    Ok(number(db, "SELECT count(*) FROM sqlite_schema")? > 0)
}

/// Brings the database to this program's version. Each step is a transaction of its own.
pub(super) fn migrate(db: &Blocks) -> Result<(), StoreError> {
    check(db)?;
    let version = usize::try_from(number(db, "PRAGMA user_version")?).unwrap_or(usize::MAX);
    let Some(steps) = STEPS.get(version..).filter(|steps| !steps.is_empty()) else { return Ok(()) };
    if version == 0 {
        db.run(&format!("PRAGMA application_id = {APPLICATION_ID}"))?;
        let mode: String = db
            .conn
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
            .map_err(|error| db.failure("write", error))?;
        if mode != "wal" {
            return Err(StoreError::damaged(db.path(), "it can't be kept in WAL mode on this file system"));
        }
    }
    for (step, to) in steps.iter().zip(version + 1..) {
        db.run(&format!("BEGIN IMMEDIATE; {}; PRAGMA user_version = {to}", step.sql))?;
        step.fill.map_or(Ok(()), |fill| fill(db))?;
        db.run("COMMIT")?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) const VERSION: usize = STEPS.len();
