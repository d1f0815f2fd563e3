//! The index: which terms a block has, kept up to date with it.

use std::collections::HashMap;

use rusqlite::OptionalExtension;

use super::Said;
use super::words::{Words, grams};
use crate::store::StoreError;
use crate::store::blocks::{BlockWriter, Blocks};

/// What a writer keeps in mind of the index until it commits.
pub(in crate::store::blocks) struct Pending {
    words: Words,
    /// The numbers of terms that were asked for.
    known: HashMap<String, i64>,
    /// How many blocks more, or fewer, have a term.
    counts: HashMap<i64, i64>,
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("counts", &self.counts.len()).finish_non_exhaustive()
    }
}

impl Default for Pending {
    fn default() -> Self {
        Self { words: Words::new(), known: HashMap::new(), counts: HashMap::new() }
    }
}

/// The most terms that a writer remembers the numbers of.
const KNOWN_MAX: usize = 1 << 20;

impl Pending {
    /// Lets a block be found.
    fn put(&mut self, db: &Blocks, block: i64, said: &Said<'_>) -> rusqlite::Result<()> {
        for text in self.words.terms(said) {
            let term = self.term(db, text)?;
            let mut insert = db.conn.prepare_cached("INSERT OR IGNORE INTO postings (term, block) VALUES (?1, ?2)")?;
            if insert.execute((term, block))? > 0 {
                *self.counts.entry(term).or_insert(0) += 1;
            }
        }
        Ok(())
    }

    fn term(&mut self, db: &Blocks, text: String) -> rusqlite::Result<i64> {
        if let Some(term) = self.known.get(&text) {
            return Ok(*term);
        }
        let mut find = db.conn.prepare_cached("SELECT term FROM terms WHERE text = ?1")?;
        let found: Option<i64> = find.query_row([&text], |row| row.get(0)).optional()?;
        let term = if let Some(term) = found {
            term
        } else {
            let reverse: String = text.chars().rev().collect();
            let mut insert = db.conn.prepare_cached("INSERT INTO terms (text, reverse, blocks) VALUES (?1, ?2, 0)")?;
            insert.execute((&text, &reverse))?;
            let term = db.conn.last_insert_rowid();
            let mut insert = db.conn.prepare_cached("INSERT INTO grams (gram, term) VALUES (?1, ?2)")?;
            for gram in grams(&text) {
                insert.execute((gram, term))?;
            }
            term
        };
        if self.known.len() >= KNOWN_MAX {
            self.known.clear();
        }
        self.known.insert(text, term);
        Ok(term)
    }

    /// Takes a block out of the index, as it was put in.
    fn remove(&mut self, db: &Blocks, block: i64, said: &Said<'_>) -> rusqlite::Result<()> {
        for text in self.words.terms(said) {
            let mut find = db.conn.prepare_cached("SELECT term FROM terms WHERE text = ?1")?;
            let Some(term) = find.query_row([&text], |row| row.get::<_, i64>(0)).optional()? else { continue };
            let mut delete = db.conn.prepare_cached("DELETE FROM postings WHERE term = ?1 AND block = ?2")?;
            if delete.execute((term, block))? > 0 {
                *self.counts.entry(term).or_insert(0) -= 1;
            }
        }
        Ok(())
    }

    /// Writes the counts; terms that no block has any more go, each by its keys, so that forgetting one block does not go
    /// through the whole vocabulary. A term that came and went within the change is among them.
    fn flush(&mut self, db: &Blocks) -> rusqlite::Result<()> {
        let mut update =
            db.conn.prepare_cached("UPDATE terms SET blocks = blocks + ?2 WHERE term = ?1 RETURNING text, blocks")?;
        let mut delete_gram = db.conn.prepare_cached("DELETE FROM grams WHERE gram = ?1 AND term = ?2")?;
        let mut delete = db.conn.prepare_cached("DELETE FROM terms WHERE term = ?1")?;
        for (term, change) in self.counts.drain() {
            let (text, blocks): (String, i64) =
                update.query_row((term, change), |row| Ok((row.get(0)?, row.get(1)?)))?;
            if blocks > 0 {
                continue;
            }
            for gram in grams(&text) {
                delete_gram.execute((gram, term))?;
            }
            delete.execute([term])?;
            self.known.remove(&text);
        }
        Ok(())
    }
}

impl BlockWriter<'_> {
    /// Lets a block be found by what it says.
    pub(in crate::store::blocks) fn find_by<'a>(
        &self,
        block: i64,
        said: impl Into<Said<'a>>,
    ) -> Result<(), StoreError> {
        let put = self.pending.borrow_mut().put(&self.db, block, &said.into());
        put.map_err(|error| self.db.failure("write", error))
    }

    /// Lets a block not be found any more by what it said.
    pub(in crate::store::blocks) fn find_no_more_by<'a>(
        &self,
        block: i64,
        said: impl Into<Said<'a>>,
    ) -> Result<(), StoreError> {
        let removed = self.pending.borrow_mut().remove(&self.db, block, &said.into());
        removed.map_err(|error| self.db.failure("write", error))
    }

    /// Writes what was kept in mind of the index: before a commit.
    pub(in crate::store::blocks) fn flush_index(&self) -> Result<(), StoreError> {
        let flushed = self.pending.borrow_mut().flush(&self.db);
        flushed.map_err(|error| self.db.failure("write", error))
    }
}

/// Puts all blocks into an index that is empty: for databases of before.
pub(in crate::store::blocks) fn fill(db: &Blocks) -> Result<(), StoreError> {
    let fail = |error| db.failure("write", error);
    let mut pending = Pending::default();
    let mut after = 0;
    loop {
        // Some at a time: they are read while the index is written.
        let mut some = Vec::new();
        let mut find = db
            .conn
            .prepare_cached("SELECT block FROM blocks WHERE block > ?1 ORDER BY block LIMIT 1000")
            .map_err(fail)?;
        let rows = find.query_map([after], |row| row.get::<_, i64>(0)).map_err(fail)?;
        for row in rows {
            some.push(row.map_err(fail)?);
        }
        let Some(last) = some.last() else { break };
        after = *last;
        for block in some {
            let found = db.numbered(block)?;
            if let Some(found) = found {
                pending.put(db, block, &Said::from(&found)).map_err(fail)?;
            }
        }
    }
    pending.flush(db).map_err(fail)
}
