//! Changing blocks within a transaction: adding with history, standing, forgetting.

use rusqlite::{OptionalExtension, Row, ToSql};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::BlockWriter;
use crate::domain::block::{Block, BlockId, BlockStatus, NewBlock, fold_entity};
use crate::domain::doc::Safe;
use crate::domain::ids::ReviewId;
use crate::domain::time::Timestamp;
use crate::mask::Masked;
use crate::store::StoreError;

/// What became of a block that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// It is the first value of its type, category, key and entities.
    Created,
    /// It closed another value, which is history now.
    Replaced,
    /// The same value holds already: it was said again.
    Repeated,
    /// A newer value is known: it went into history.
    Past,
    /// A human has rejected the same value, which stays rejected.
    Rejected,
}

impl Outcome {
    /// The word for it in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Replaced => "replaced",
            Self::Repeated => "repeated",
            Self::Past => "past",
            Self::Rejected => "rejected",
        }
    }
}

/// A block that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The block that holds the value now: a new one, or the one that held it already.
    pub id: BlockId,
    /// What became of it.
    pub outcome: Outcome,
    /// The block it closed, and how far that could be trusted.
    pub replaced: Option<(BlockId, BlockStatus)>,
    /// Whether anything changed.
    pub changed: bool,
}

impl Added {
    /// A new row that holds until `to`; it closed `replaced`.
    fn new(id: BlockId, to: Option<i64>, replaced: Option<(BlockId, BlockStatus)>) -> Self {
        let outcome = match (&replaced, to) {
            (_, Some(_)) => Outcome::Past,
            (Some(_), None) => Outcome::Replaced,
            (None, None) => Outcome::Created,
        };
        Self { id, outcome, replaced, changed: true }
    }
}

/// How far a block is to be trusted, and who says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The status.
    pub status: BlockStatus,
    /// The human who decided, and when; none where a decision was taken back.
    pub by: Option<(Masked, Timestamp)>,
    /// The proof of source.
    pub evidence: Option<Masked>,
}

/// What an exported record says of its own life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// When it was last said, confirmed or decided on; else when it was first known.
    pub updated_at: Option<Timestamp>,
    /// Since when it holds; else when it was first known.
    pub valid_from: Option<Timestamp>,
    /// Until when it held, where it does not hold any more.
    pub valid_to: Option<Timestamp>,
}

/// One row of a slot's time line.
struct Version {
    block: i64,
    id: String,
    value: String,
    status: BlockStatus,
    confidence: f64,
    updated_at: i64,
    valid_from: i64,
    valid_to: Option<i64>,
    extra: Option<String>,
}

const VERSION: &str = "block, id, value, status, confidence, updated_at, valid_from, valid_to, extra";

impl Version {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            block: row.get(0)?,
            id: row.get(1)?,
            value: row.get(2)?,
            status: row.get_ref(3)?.as_str()?.parse().unwrap_or(BlockStatus::Inferred),
            confidence: row.get(4)?,
            updated_at: row.get(5)?,
            valid_from: row.get(6)?,
            valid_to: row.get(7)?,
            extra: row.get(8)?,
        })
    }

    fn id(&self, writer: &BlockWriter<'_>) -> Result<BlockId, StoreError> {
        BlockId::parse(&self.id).map_err(|_| StoreError::damaged(writer.db.path(), "a block's id is no UUID"))
    }
}

/// Names one thing that can have one value at a time.
type Slot = [u8; 16];

fn slot(new: &NewBlock, entities: &[i64]) -> Slot {
    let mut hash = Sha256::new();
    for text in [new.block_type.word(), new.category.word(), &new.key.as_str().trim().to_lowercase()] {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    let mut sorted = entities.to_vec();
    sorted.sort_unstable();
    for entity in sorted {
        hash.update(entity.to_le_bytes());
    }
    let mut slot = Slot::default();
    for (to, from) in slot.iter_mut().zip(hash.finalize()) {
        *to = from;
    }
    slot
}

impl BlockWriter<'_> {
    /// Keeps a block. `id` is taken where a new row is made. A value that holds already is not kept twice; another value of
    /// the same type, category, key and entities closes it, or goes into history where it is older (`created_at`).
    ///
    /// The status is taken as it is given: that nothing verified comes from outside is the caller's to see to (law 3).
    ///
    /// # Errors
    /// When the database can't be written, or holds the id already.
    pub fn add(&mut self, new: &NewBlock, id: BlockId, now: Timestamp) -> Result<Added, StoreError> {
        let entities = self.entities(&new.entities)?;
        let slot = slot(new, &entities);
        let from = new.created_at.unwrap_or(now).unix();
        if self.version("slot = ?1", &[&slot])?.is_none() {
            // Most are new: one look is enough.
            let is_rejected = new.status == BlockStatus::Rejected;
            let block = self.insert(new, &id, &slot, from, is_rejected.then_some(from))?;
            self.link(block, new, &entities, from)?;
            self.changes += 1;
            return Ok(Added::new(id, is_rejected.then_some(from), None));
        }
        if let Some(refused) = self.version(
            "slot = ?1 AND status = 'rejected' AND confirmed_by IS NOT NULL AND value = ?2 ORDER BY valid_from DESC",
            &[&slot, &new.value.as_str()],
        )? {
            return Ok(Added { id: refused.id(self)?, outcome: Outcome::Rejected, replaced: None, changed: false });
        }
        let before = self.before(&slot, from)?;
        if let Some(same) = before
            .as_ref()
            .filter(|before| before.value == new.value.as_str() && before.valid_to.is_none_or(|to| to > from))
        {
            let changed = self.say_again(same, new, from)?;
            return Ok(Added { id: same.id(self)?, outcome: Outcome::Repeated, replaced: None, changed });
        }
        let after = self.after(&slot, from)?;
        let is_rejected = new.status == BlockStatus::Rejected;
        // Said again since: it had been overtaken when it came in.
        let overtaken = before.as_ref().is_some_and(|before| before.valid_to.is_none() && before.updated_at > from);
        let to = match &after {
            _ if is_rejected || overtaken => Some(from),
            Some(after) => Some(after.valid_from),
            None => None,
        };
        let replaced = self.close(before.filter(|_| !is_rejected && !overtaken), from, to)?;
        let block = self.insert(new, &id, &slot, from, to)?;
        self.link(block, new, &entities, from)?;
        self.changes += 1;
        Ok(Added::new(id, to, replaced))
    }

    /// Keeps a block that was exported, with its times as they were. One that held goes on to hold, unless a newer value
    /// of the same thing is known; what is known already is not kept twice.
    ///
    /// # Errors
    /// When the database can't be written, or holds the id already.
    pub fn restore(&mut self, new: &NewBlock, id: BlockId, kept: &Kept, now: Timestamp) -> Result<Added, StoreError> {
        let created = new.created_at.unwrap_or(now);
        let from = kept.valid_from.unwrap_or(created).unix();
        let updated = kept.updated_at.unwrap_or(created).unix();
        let ends = match kept.valid_to {
            None if new.status == BlockStatus::Rejected => Some(from),
            to => to.map(Timestamp::unix),
        };
        let entities = self.entities(&new.entities)?;
        let slot = slot(new, &entities);
        let same = self.version(
            "slot = ?1 AND value = ?2 AND (valid_from = ?3 OR ?4 IS NULL AND valid_to IS NULL) ORDER BY valid_from DESC",
            &[&slot, &new.value.as_str(), &from, &ends],
        )?;
        if let Some(same) = same {
            return Ok(Added { id: same.id(self)?, outcome: Outcome::Repeated, replaced: None, changed: false });
        }
        let mut to = ends;
        let mut replaced = None;
        if ends.is_none() {
            to = self.after(&slot, from)?.map(|after| after.valid_from);
            replaced = self.close(self.before(&slot, from)?, from, to)?;
        }
        let block = self.insert(new, &id, &slot, from, to)?;
        self.execute(
            "UPDATE blocks SET created_at = ?2, updated_at = ?3 WHERE block = ?1",
            &[&block, &created.unix(), &updated],
        )?;
        self.link(block, new, &entities, updated)?;
        self.changes += 1;
        Ok(Added::new(id, to, replaced))
    }

    /// Sets how often a block was read, and when last: for one that brings its counts along.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn set_accesses(&mut self, id: &BlockId, count: u64, last: Timestamp) -> Result<(), StoreError> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let sql = "INSERT OR REPLACE INTO accesses SELECT block, ?2, ?3 FROM blocks WHERE id = ?1";
        let number = self.execute(sql, &[&id.as_str(), &count, &last.unix()])?;
        self.changes += number as u64;
        Ok(())
    }

    fn insert(&self, new: &NewBlock, id: &BlockId, slot: &Slot, from: i64, to: Option<i64>) -> Result<i64, StoreError> {
        let sql = "INSERT INTO blocks (id, slot, type, category, key, value, source, confidence, entities, status,
                created_at, updated_at, valid_from, valid_to, extra)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?11, ?12, ?13)";
        self.execute(
            sql,
            &[
                &id.as_str(),
                slot,
                &new.block_type.word(),
                &new.category.word(),
                &new.key.as_str(),
                &new.value.as_str(),
                &new.source.as_ref().map(Masked::as_str),
                &new.confidence.get(),
                &names_of(new),
                &new.status.word(),
                &from,
                &to,
                &extra_of(new),
            ],
        )?;
        let block = self.db.conn.last_insert_rowid();
        self.find_by(block, new)?;
        Ok(block)
    }

    fn link(&self, block: i64, new: &NewBlock, entities: &[i64], at: i64) -> Result<(), StoreError> {
        for entity in entities {
            self.execute(
                "INSERT OR IGNORE INTO links (entity, type, updated_at, block) VALUES (?1, ?2, ?3, ?4)",
                &[entity, &new.block_type.word(), &at, &block],
            )?;
        }
        Ok(())
    }

    /// The same value, said once more: later, surer, or by the user where it was concluded only.
    fn say_again(&mut self, same: &Version, new: &NewBlock, at: i64) -> Result<bool, StoreError> {
        let status = match (same.status, new.status) {
            (BlockStatus::Inferred, BlockStatus::UserStated) => BlockStatus::UserStated,
            (status, _) => status,
        };
        let updated_at = same.updated_at.max(at);
        let confidence = same.confidence.max(new.confidence.get());
        let extra = merged(same.extra.as_deref(), new.extra.as_value());
        let is_surer = confidence > same.confidence;
        if (status, updated_at) == (same.status, same.updated_at) && !is_surer && extra.is_none() {
            return Ok(false);
        }
        self.execute(
            "UPDATE blocks SET status = ?2, updated_at = ?3, confidence = ?4, extra = coalesce(?5, extra) WHERE block = ?1",
            &[&same.block, &status.word(), &updated_at, &confidence, &extra],
        )?;
        self.move_links(same.block, updated_at)?;
        self.changes += 1;
        Ok(true)
    }

    /// Sets a block's status, and who decided. One that is rejected leaves the time line: what it had closed holds again.
    /// One whose rejection is taken back enters it again. Answers whether the block is there.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn set_standing(&mut self, id: &BlockId, standing: &Standing, now: Timestamp) -> Result<bool, StoreError> {
        let Some(version) = self.version("id = ?1", &[&id.as_str()])? else { return Ok(false) };
        let was_out = version.status == BlockStatus::Rejected;
        let is_out = standing.status == BlockStatus::Rejected;
        self.execute(
            "UPDATE blocks SET status = ?2, confirmed_by = ?3, confirmed_at = ?4, evidence = ?5, updated_at = ?6
             WHERE block = ?1",
            &[
                &version.block,
                &standing.status.word(),
                &standing.by.as_ref().map(|(name, _)| name.as_str()),
                &standing.by.as_ref().map(|(_, at)| at.unix()),
                &standing.evidence.as_ref().map(Masked::as_str),
                &now.unix(),
            ],
        )?;
        self.move_links(version.block, now.unix())?;
        if is_out && !was_out {
            self.heal(&version)?;
            self.set_valid_to(version.block, Some(version.valid_from))?;
        } else if was_out && !is_out {
            self.enter(&version)?;
        }
        self.changes += 1;
        Ok(true)
    }

    /// Notes the review in which a block was proposed, or that there is none any more. Answers whether the block is there.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn set_review(&mut self, id: &BlockId, review: Option<&ReviewId>) -> Result<bool, StoreError> {
        let number = self.execute(
            "UPDATE blocks SET review_id = ?2 WHERE id = ?1",
            &[&id.as_str(), &review.map(ReviewId::as_str)],
        )?;
        self.changes += u64::from(number > 0);
        Ok(number > 0)
    }

    /// Removes blocks for good, and entities that nothing is about any more. What one of them had closed holds again.
    /// Answers how many there were.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn forget(&mut self, ids: &[BlockId]) -> Result<u64, StoreError> {
        let mut gone = 0;
        for id in ids {
            let Some(version) = self.version("id = ?1", &[&id.as_str()])? else { continue };
            if version.status != BlockStatus::Rejected {
                self.heal(&version)?;
            }
            self.unlink(version.block)?;
            if let Some(old) = self.db.numbered(version.block)? {
                self.find_no_more_by(version.block, &old)?;
            }
            self.execute("DELETE FROM accesses WHERE block = ?1", &[&version.block])?;
            self.execute("DELETE FROM blocks WHERE block = ?1", &[&version.block])?;
            gone += 1;
        }
        self.changes += gone;
        self.forgets |= gone > 0;
        Ok(gone)
    }

    /// Puts other texts into a block that is there already: key, value, source, entities, evidence and unknown fields are
    /// taken, all else stays. For masking what was written otherwise. Answers whether the block is there.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn rewrite(&mut self, block: &Block) -> Result<bool, StoreError> {
        let Some(version) = self.version("id = ?1", &[&block.id.as_str()])? else { return Ok(false) };
        let new = NewBlock {
            source: block.source.clone(),
            entities: block.entities.clone(),
            extra: Safe::kept(Value::Object(block.extra.clone())),
            ..NewBlock::new(block.block_type, block.category, block.key.clone(), block.value.clone())
        };
        self.unlink(version.block)?;
        if let Some(old) = self.db.numbered(version.block)? {
            self.find_no_more_by(version.block, &old)?;
        }
        self.find_by(version.block, &new)?;
        let entities = self.entities(&new.entities)?;
        let slot = slot(&new, &entities);
        self.execute(
            "UPDATE blocks SET slot = ?2, key = ?3, value = ?4, source = ?5, entities = ?6, evidence = ?7, extra = ?8
             WHERE block = ?1",
            &[
                &version.block,
                &slot,
                &new.key.as_str(),
                &new.value.as_str(),
                &new.source.as_ref().map(Masked::as_str),
                &names_of(&new),
                &block.evidence.as_ref().map(Masked::as_str),
                &extra_of(&new),
            ],
        )?;
        self.link(version.block, &new, &entities, version.updated_at)?;
        // Masked, it may be about the same as another that holds: the newer one goes on to.
        let twin = "slot = ?1 AND block <> ?2 AND valid_to IS NULL ORDER BY valid_from DESC";
        if let Some(twin) = self.version(twin, &[&slot, &version.block])?.filter(|_| version.valid_to.is_none()) {
            let (old, until) = if twin.valid_from > version.valid_from {
                (version.block, twin.valid_from)
            } else {
                (twin.block, version.valid_from)
            };
            self.set_valid_to(old, Some(until))?;
        }
        self.changes += 1;
        self.forgets = true;
        Ok(true)
    }

    /// Takes a block's links away, and entities that nothing is about then.
    fn unlink(&self, block: i64) -> Result<(), StoreError> {
        self.known.borrow_mut().clear();
        let about = self.entities_of(block)?;
        self.execute("DELETE FROM links WHERE block = ?1", &[&block])?;
        for entity in about {
            self.execute(
                "DELETE FROM entities WHERE entity = ?1 AND NOT EXISTS (SELECT 1 FROM links WHERE entity = ?1)",
                &[&entity],
            )?;
        }
        Ok(())
    }

    /// The blocks of the same type, category, key and entities as this one, itself among them, oldest first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn versions_of(&self, id: &BlockId) -> Result<Vec<BlockId>, StoreError> {
        Ok(self.db.history(id)?.into_iter().map(|block| block.id).collect())
    }

    /// Gives an entity another name by which it is found. Answers whether the name was free or the entity's already.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn add_alias(&mut self, entity: &Masked, alias: &Masked) -> Result<bool, StoreError> {
        let Some(entity) = self.db.entity(entity.as_str())? else { return Ok(false) };
        let folded = fold_entity(alias.as_str());
        if folded.is_empty() {
            return Ok(false);
        }
        if let Some(other) = self.db.entity(alias.as_str())? {
            return Ok(other == entity);
        }
        self.execute("INSERT INTO aliases VALUES (?1, ?2, ?3)", &[&folded, &alias.as_str(), &entity])?;
        self.changes += 1;
        Ok(true)
    }

    /// The numbers of entities, made where they are new; without doubles. Names without a letter or figure are none.
    fn entities(&self, names: &[Masked]) -> Result<Vec<i64>, StoreError> {
        let mut entities = Vec::with_capacity(names.len());
        for name in names {
            let folded = fold_entity(name.as_str());
            // A placeholder is nobody: all whose names were masked would become one.
            if folded.is_empty() || name.is_only_placeholders() {
                continue;
            }
            let known = self.known.borrow().get(&folded).copied();
            let found = known.map_or_else(|| self.db.folded_entity(&folded), |entity| Ok(Some(entity)))?;
            let entity = if let Some(entity) = found {
                entity
            } else {
                self.execute("INSERT INTO entities (name) VALUES (?1)", &[&name.as_str()])?;
                let entity = self.db.conn.last_insert_rowid();
                self.execute("INSERT INTO aliases VALUES (?1, ?2, ?3)", &[&folded, &name.as_str(), &entity])?;
                entity
            };
            if known.is_none() {
                self.known.borrow_mut().insert(folded, entity);
            }
            if !entities.contains(&entity) {
                entities.push(entity);
            }
        }
        Ok(entities)
    }

    fn entities_of(&self, block: i64) -> Result<Vec<i64>, StoreError> {
        let fail = |error| self.db.failure("read", error);
        let mut found = self.db.conn.prepare_cached("SELECT entity FROM links WHERE block = ?1").map_err(fail)?;
        let rows = found.query_map([block], |row| row.get(0)).map_err(fail)?;
        rows.collect::<Result<_, _>>().map_err(fail)
    }

    /// The version in force at a time, or the last one before.
    fn before(&self, slot: &Slot, at: i64) -> Result<Option<Version>, StoreError> {
        self.version(
            "slot = ?1 AND valid_from <= ?2 AND status <> 'rejected' ORDER BY valid_from DESC, block DESC",
            &[slot, &at],
        )
    }

    /// The first version that began after a time.
    fn after(&self, slot: &Slot, at: i64) -> Result<Option<Version>, StoreError> {
        self.version("slot = ?1 AND valid_from > ?2 AND status <> 'rejected' ORDER BY valid_from, block", &[slot, &at])
    }

    /// Lets what a version had closed hold until that version would have ended: for one that goes.
    fn heal(&self, gone: &Version) -> Result<(), StoreError> {
        if gone.valid_to == Some(gone.valid_from) {
            return Ok(());
        }
        let closed = self.version(
            "slot = (SELECT slot FROM blocks WHERE block = ?1) AND valid_to = ?2 AND block <> ?1 AND status <> 'rejected'
             ORDER BY valid_from DESC, block DESC",
            &[&gone.block, &gone.valid_from],
        )?;
        closed.map_or(Ok(()), |closed| self.set_valid_to(closed.block, gone.valid_to))
    }

    /// Puts a version back into the time line, at the time since which it held.
    fn enter(&self, version: &Version) -> Result<(), StoreError> {
        let slot: Slot = self
            .db
            .conn
            .query_row("SELECT slot FROM blocks WHERE block = ?1", [version.block], |row| row.get(0))
            .map_err(|error| self.db.failure("read", error))?;
        let closed = self.version(
            "slot = ?1 AND valid_from <= ?2 AND block <> ?3 AND status <> 'rejected' AND (valid_to IS NULL OR valid_to > ?2)
             ORDER BY valid_from DESC, block DESC",
            &[&slot, &version.valid_from, &version.block],
        )?;
        if let Some(closed) = closed {
            self.set_valid_to(closed.block, Some(version.valid_from))?;
        }
        let after = self.after(&slot, version.valid_from)?;
        self.set_valid_to(version.block, after.map(|after| after.valid_from))
    }

    /// Closes a version that still held at `from`, for one that holds from then until `to`. The answer is what it replaced:
    /// nothing where that one is history itself.
    fn close(
        &self,
        before: Option<Version>,
        from: i64,
        to: Option<i64>,
    ) -> Result<Option<(BlockId, BlockStatus)>, StoreError> {
        let Some(before) = before.filter(|before| before.valid_to.is_none_or(|to| to > from)) else { return Ok(None) };
        self.set_valid_to(before.block, Some(from))?;
        to.is_none().then(|| before.id(self).map(|id| (id, before.status))).transpose()
    }

    fn set_valid_to(&self, block: i64, to: Option<i64>) -> Result<(), StoreError> {
        self.execute("UPDATE blocks SET valid_to = ?2 WHERE block = ?1", &[&block, &to]).map(drop)
    }

    pub(super) fn move_links(&self, block: i64, at: i64) -> Result<(), StoreError> {
        self.execute("UPDATE links SET updated_at = ?2 WHERE block = ?1 AND updated_at <> ?2", &[&block, &at]).map(drop)
    }

    fn version(&self, clause: &str, values: &[&dyn ToSql]) -> Result<Option<Version>, StoreError> {
        let fail = |error| self.db.failure("read", error);
        let sql = format!("SELECT {VERSION} FROM blocks WHERE {clause} LIMIT 1");
        let mut found = self.db.conn.prepare_cached(&sql).map_err(fail)?;
        found.query_row(values, Version::read).optional().map_err(fail)
    }

    pub(super) fn execute(&self, sql: &str, values: &[&dyn ToSql]) -> Result<usize, StoreError> {
        let fail = |error| self.db.failure("write", error);
        self.db.conn.prepare_cached(sql).map_err(fail)?.execute(values).map_err(fail)
    }
}

/// A block's entities as the table holds them, a JSON list in its writer's spelling.
fn names_of(new: &NewBlock) -> String {
    serde_json::to_string(&new.entities).unwrap_or_else(|_| "[]".to_owned())
}

/// A block's unknown fields as the table holds them, a JSON object; `None` where there are none.
fn extra_of(new: &NewBlock) -> Option<String> {
    let fields = new.extra.as_value().as_object().filter(|fields| !fields.is_empty())?;
    serde_json::to_string(fields).ok()
}

/// The unknown fields of both, the first one's where both have them; `None` where nothing is added.
fn merged(old: Option<&str>, new: &Value) -> Option<String> {
    let new = new.as_object().filter(|fields| !fields.is_empty())?;
    let mut fields: Map<String, Value> = old.and_then(|old| serde_json::from_str(old).ok()).unwrap_or_default();
    let known = fields.len();
    for (name, value) in new {
        if !fields.contains_key(name) {
            fields.insert(name.clone(), value.clone());
        }
    }
    (fields.len() > known).then(|| serde_json::to_string(&fields).ok()).flatten()
}
