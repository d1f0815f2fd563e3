//! Runs of a migration: what each source's entries became, and how to take that back.
//!
//! A run notes the blocks it made, and of each block that was there before and that it changed, how that was and how it is
//! now. Taking it back removes the former and puts the latter back, unless somebody has changed them since.

use rusqlite::{OptionalExtension, Row};

use super::{BlockWriter, Blocks, query, schema};
use crate::domain::block::BlockId;
use crate::domain::migration::{Action, RunId};
use crate::domain::time::Timestamp;
use crate::mask::Masked;
use crate::store::StoreError;

/// The tables. Ids of blocks are kept as the 16 bytes that they are: there may be a million a run.
pub(super) const TABLES: &str = "
    CREATE TABLE runs (
        run INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        by TEXT NOT NULL,
        undone_at INTEGER,
        undone_by TEXT
    ) STRICT;
    CREATE TABLE run_sources (
        run INTEGER NOT NULL REFERENCES runs,
        source INTEGER NOT NULL,
        path TEXT NOT NULL,
        form TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        PRIMARY KEY (run, source)
    ) STRICT, WITHOUT ROWID;
    -- Each entry of a source, by its number, and what it became; the block that holds it, or why there is none.
    CREATE TABLE run_entries (
        run INTEGER NOT NULL,
        source INTEGER NOT NULL,
        nth INTEGER NOT NULL,
        action TEXT NOT NULL,
        block BLOB,
        place TEXT,
        reason TEXT,
        PRIMARY KEY (run, source, nth),
        FOREIGN KEY (run, source) REFERENCES run_sources
    ) STRICT, WITHOUT ROWID;
    -- Blocks of before that a run changed: as they were, and as the run left them.
    CREATE TABLE run_touched (
        run INTEGER NOT NULL REFERENCES runs,
        block INTEGER NOT NULL REFERENCES blocks ON DELETE CASCADE,
        status TEXT NOT NULL, updated_at INTEGER NOT NULL, confidence REAL NOT NULL, valid_to INTEGER, extra TEXT,
        new_status TEXT, new_updated_at INTEGER, new_confidence REAL, new_valid_to INTEGER, new_extra TEXT,
        PRIMARY KEY (run, block)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX run_touched_by_block ON run_touched (block);
";

/// From this version on runs are kept.
const KEPT_SINCE: u64 = 3;

/// A file that a run takes over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSource {
    /// Its path.
    pub path: Masked,
    /// Its form.
    pub form: Masked,
    /// Its size, in bytes.
    pub bytes: u64,
    /// Its SHA-256 sum, in hex.
    pub sha256: String,
}

/// What an entry became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEntry {
    /// What was done with it.
    pub action: Action,
    /// The block that holds what it says.
    pub block: Option<BlockId>,
    /// Where it stands and why it was refused; `None` for the others.
    pub refused: Option<(Masked, Masked)>,
}

/// A run, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// When it was.
    pub at: Timestamp,
    /// Who did it.
    pub by: Masked,
    /// When and by whom it was taken back.
    pub undone: Option<(Timestamp, Masked)>,
    /// Its sources, in order.
    pub sources: Vec<RunSource>,
    number: i64,
}

/// What taking a run back did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    /// Blocks that it had made, and that are gone.
    pub removed: u64,
    /// Blocks of before that are again as they were.
    pub restored: u64,
    /// Blocks that stay: somebody has confirmed, decided on or changed them since.
    pub kept: u64,
}

/// A source whose entries are being noted.
#[derive(Clone, Copy, Debug)]
pub struct Noting {
    run: i64,
    source: i64,
}

impl Blocks {
    fn keeps_runs(&self) -> Result<bool, StoreError> {
        Ok(schema::version(self)? >= KEPT_SINCE)
    }

    /// The runs, oldest first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        if !self.keeps_runs()? {
            return Ok(Vec::new());
        }
        let fail = |error| self.failure("read", error);
        let mut found = self
            .conn
            .prepare_cached("SELECT run, id, at, by, undone_at, undone_by FROM runs ORDER BY run")
            .map_err(fail)?;
        let rows = found.query_map([], read_run).map_err(fail)?;
        let mut runs = Vec::new();
        for run in rows {
            let mut run = run.map_err(fail)?.ok_or_else(|| StoreError::damaged(self.path(), "a run's id is none"))?;
            run.sources = self.sources_of(run.number)?;
            runs.push(run);
        }
        Ok(runs)
    }

    fn sources_of(&self, run: i64) -> Result<Vec<RunSource>, StoreError> {
        let fail = |error| self.failure("read", error);
        let sql = "SELECT path, form, bytes, sha256 FROM run_sources WHERE run = ?1 ORDER BY source";
        let mut found = self.conn.prepare_cached(sql).map_err(fail)?;
        let rows = found.query_map([run], |row| {
            Ok(RunSource {
                path: Masked::trusted(row.get(0)?),
                form: Masked::trusted(row.get(1)?),
                bytes: query::unsigned(row.get(2)?),
                sha256: row.get(3)?,
            })
        });
        rows.map_err(fail)?.collect::<Result<_, _>>().map_err(fail)
    }

    /// How many entries of a run there were of an action.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn run_counts(&self, run: &Run) -> Result<Vec<(Action, u64)>, StoreError> {
        let fail = |error| self.failure("read", error);
        let sql = "SELECT count(*) FROM run_entries WHERE run = ?1 AND action = ?2";
        let mut found = self.conn.prepare_cached(sql).map_err(fail)?;
        let count = |action: Action| {
            let number = found.query_row((run.number, action.word()), |row| row.get(0)).map_err(fail)?;
            Ok((action, query::unsigned(number)))
        };
        Action::ALL.into_iter().map(count).collect()
    }

    /// Hands on what became of the entries of a run's source, in their order. `source` counts from 0.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn each_run_entry(
        &self,
        run: &Run,
        source: usize,
        mut take: impl FnMut(u64, RunEntry) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let fail = |error| self.failure("read", error);
        let sql =
            "SELECT nth, action, block, place, reason FROM run_entries WHERE run = ?1 AND source = ?2 ORDER BY nth";
        let mut found = self.conn.prepare_cached(sql).map_err(fail)?;
        let mut rows = found.query((run.number, i64::try_from(source).unwrap_or(i64::MAX))).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let (nth, entry) = read_entry(row).map_err(fail)?;
            let entry =
                entry.ok_or_else(|| StoreError::damaged(self.path(), "an entry of a run can't be understood"))?;
            take(nth, entry)?;
        }
        Ok(())
    }
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<Option<Run>> {
    let id: String = row.get(1)?;
    let (undone_at, undone_by): (Option<i64>, Option<String>) = (row.get(4)?, row.get(5)?);
    let undone = undone_at.and_then(Timestamp::from_unix).zip(undone_by.map(Masked::trusted));
    let by = Masked::trusted(row.get(3)?);
    let number = row.get(0)?;
    let at = Timestamp::from_unix(row.get(2)?);
    Ok(RunId::parse(&id).zip(at).map(|(id, at)| Run { id, at, by, undone, sources: Vec::new(), number }))
}

fn read_entry(row: &Row<'_>) -> rusqlite::Result<(u64, Option<RunEntry>)> {
    let nth = query::unsigned(row.get(0)?);
    let Some(action) = Action::parse(row.get_ref(1)?.as_str()?) else { return Ok((nth, None)) };
    let block: Option<[u8; 16]> = row.get(2)?;
    let (place, reason): (Option<String>, Option<String>) = (row.get(3)?, row.get(4)?);
    let refused = place.map(Masked::trusted).zip(reason.map(Masked::trusted));
    Ok((nth, Some(RunEntry { action, block: block.map(BlockId::from_bytes), refused })))
}

impl BlockWriter<'_> {
    /// Begins with a source of a run, which is made with its first one. From here to [`BlockWriter::end_source`] every
    /// change of a block that was there before is noted.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn begin_source(
        &mut self,
        run: &RunId,
        by: &Masked,
        at: Timestamp,
        source: &RunSource,
    ) -> Result<Noting, StoreError> {
        self.execute(
            "INSERT OR IGNORE INTO runs (id, at, by) VALUES (?1, ?2, ?3)",
            &[&run.as_str(), &at.unix(), &by.as_str()],
        )?;
        let run = self.number("SELECT run FROM runs WHERE id = ?1", run.as_str())?;
        let number = self.number("SELECT count(*) FROM run_sources WHERE run = ?1", run)?;
        self.execute(
            "INSERT INTO run_sources VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            &[
                &run,
                &number,
                &source.path.as_str(),
                &source.form.as_str(),
                &i64::try_from(source.bytes).unwrap_or(i64::MAX),
                &source.sha256,
            ],
        )?;
        let last = self.number("SELECT coalesce(max(block), 0) FROM blocks WHERE ?1", 1)?;
        self.db.run(&format!(
            "CREATE TEMP TRIGGER touched BEFORE UPDATE ON main.blocks WHEN old.block <= {last} BEGIN
                 INSERT OR IGNORE INTO run_touched (run, block, status, updated_at, confidence, valid_to, extra)
                 VALUES ({run}, old.block, old.status, old.updated_at, old.confidence, old.valid_to, old.extra);
             END"
        ))?;
        Ok(Noting { run, source: number })
    }

    /// Notes what became of an entry.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn note(&mut self, noting: Noting, nth: u64, entry: &RunEntry) -> Result<(), StoreError> {
        let (place, reason) = entry.refused.as_ref().map(|(place, reason)| (place.as_str(), reason.as_str())).unzip();
        self.execute(
            "INSERT INTO run_entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            &[
                &noting.run,
                &noting.source,
                &i64::try_from(nth).unwrap_or(i64::MAX),
                &entry.action.word(),
                &entry.block.as_ref().map(BlockId::to_bytes),
                &place,
                &reason,
            ],
        )?;
        self.changes += 1;
        Ok(())
    }

    /// Ends a source: notes how the blocks are that were changed.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn end_source(&mut self, noting: Noting) -> Result<(), StoreError> {
        self.db.run("DROP TRIGGER temp.touched")?;
        self.execute(
            "UPDATE run_touched SET (new_status, new_updated_at, new_confidence, new_valid_to, new_extra) =
                 (SELECT status, updated_at, confidence, valid_to, extra FROM blocks b WHERE b.block = run_touched.block)
             WHERE run = ?1",
            &[&noting.run],
        )?;
        Ok(())
    }

    /// Takes a run back: the blocks it made go, and those it changed are as they were. What somebody has confirmed,
    /// decided on or changed since stays as it is.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn undo_run(&mut self, run: &Run, by: &Masked, at: Timestamp) -> Result<Undone, StoreError> {
        let mut undone = Undone::default();
        // Before anything is removed: that changes those that it had closed.
        let untouched = self.untouched_since(run)?;
        for id in self.made_by(run)? {
            let standing: Option<(bool, String)> = self
                .db
                .conn
                .prepare_cached(
                    "SELECT confirmed_by IS NOT NULL OR status <> 'user_stated', id FROM blocks WHERE id = ?1",
                )
                .and_then(|mut found| found.query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional())
                .map_err(|error| self.db.failure("read", error))?;
            match standing {
                Some((true, _)) => undone.kept += 1,
                Some((false, _)) => undone.removed += self.forget(&[id])?,
                None => {}
            }
        }
        for block in untouched {
            let changed = self.execute(
                "UPDATE blocks SET (status, updated_at, confidence, valid_to, extra) =
                     (SELECT status, updated_at, confidence, valid_to, extra FROM run_touched WHERE run = ?1 AND block = ?2)
                 WHERE block = ?2",
                &[&run.number, &block],
            )?;
            if changed == 0 {
                // One that the run had made itself, by an earlier source: it is gone.
                continue;
            }
            let updated = self.number("SELECT updated_at FROM blocks WHERE block = ?1", block)?;
            self.move_links(block, updated)?;
            undone.restored += 1;
        }
        let touched = self.number("SELECT count(*) FROM run_touched WHERE run = ?1", run.number)?;
        undone.kept += query::unsigned(touched).saturating_sub(undone.restored);
        self.execute(
            "UPDATE runs SET undone_at = ?2, undone_by = ?3 WHERE run = ?1",
            &[&run.number, &at.unix(), &by.as_str()],
        )?;
        self.changes += 1;
        Ok(undone)
    }

    /// The blocks of before that are as the run left them.
    fn untouched_since(&self, run: &Run) -> Result<Vec<i64>, StoreError> {
        let fail = |error| self.db.failure("read", error);
        let sql = "SELECT t.block FROM run_touched t JOIN blocks b USING (block) WHERE t.run = ?1
             AND (b.status, b.updated_at, b.confidence) = (t.new_status, t.new_updated_at, t.new_confidence)
             AND b.valid_to IS t.new_valid_to AND b.extra IS t.new_extra";
        let mut found = self.db.conn.prepare_cached(sql).map_err(fail)?;
        let rows = found.query_map([run.number], |row| row.get(0)).map_err(fail)?;
        rows.collect::<Result<_, _>>().map_err(fail)
    }

    /// The blocks that a run made, the last one first: what it closed comes after what closed it.
    fn made_by(&self, run: &Run) -> Result<Vec<BlockId>, StoreError> {
        let fail = |error| self.db.failure("read", error);
        let sql = "SELECT block FROM run_entries WHERE run = ?1 AND action = 'migrated' AND block IS NOT NULL
             ORDER BY source DESC, nth DESC";
        let mut found = self.db.conn.prepare_cached(sql).map_err(fail)?;
        let rows = found.query_map([run.number], |row| row.get(0).map(BlockId::from_bytes)).map_err(fail)?;
        rows.collect::<Result<_, _>>().map_err(fail)
    }

    fn number(&self, sql: &str, of: impl rusqlite::ToSql) -> Result<i64, StoreError> {
        let fail = |error| self.db.failure("read", error);
        self.db.conn.prepare_cached(sql).map_err(fail)?.query_row([of], |row| row.get(0)).map_err(fail)
    }
}
