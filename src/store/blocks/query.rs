//! Looking: one block, lists, what is linked, counts.

use std::collections::BTreeMap;

use rusqlite::types::ToSql;
use rusqlite::{OptionalExtension, Params};

use super::{Blocks, row};
use crate::domain::block::{Block, BlockId, BlockStatus, BlockType, Category, Confidence, fold_entity};
use crate::domain::ids::ReviewId;
use crate::domain::time::Timestamp;
use crate::store::StoreError;

/// In which order blocks are listed. Of two that are equal the one that was kept later comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockSort {
    /// What was said last first.
    #[default]
    Updated,
    /// What was first known last first.
    Created,
    /// The surest first.
    Confidence,
    /// The most read first.
    Access,
    /// By key, then by what was said last.
    Key,
}

/// Which blocks to list. An empty list of words lets all through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockQuery {
    /// Only of these types.
    pub types: Vec<BlockType>,
    /// Only of these categories.
    pub categories: Vec<Category>,
    /// Only about all of these entities, in any spelling.
    pub entities: Vec<String>,
    /// Only with this key, whatever the case.
    pub key: Option<String>,
    /// Only at least as sure as this.
    pub min_confidence: Option<Confidence>,
    /// Only with these statuses; empty: all but rejected.
    pub statuses: Vec<BlockStatus>,
    /// Only said at or after this.
    pub since: Option<Timestamp>,
    /// What held at this time; `None`: what holds now.
    pub as_of: Option<Timestamp>,
    /// What has held as well.
    pub with_history: bool,
    /// The order.
    pub sort: BlockSort,
    /// At most so many.
    pub limit: Option<usize>,
}

/// An entity and how many blocks that hold are about it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct EntityCount {
    /// Its name, as it was first written.
    pub name: String,
    /// How many blocks.
    pub blocks: u64,
}

/// An entity with what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Its name, as it was first written.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Entities that share blocks with it, the most shared first.
    pub beside: Vec<EntityCount>,
}

/// What the database holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Blocks that hold.
    pub current: u64,
    /// Values that have held, and rejected ones.
    pub past: u64,
    /// Blocks that hold, by type.
    pub by_type: BTreeMap<String, u64>,
    /// Blocks that hold, by category.
    pub by_category: BTreeMap<String, u64>,
    /// All blocks, by status.
    pub by_status: BTreeMap<String, u64>,
    /// How many entities there are.
    pub entities: u64,
    /// The most linked entities.
    pub top_entities: Vec<EntityCount>,
    /// How often blocks were read.
    pub accesses: u64,
    /// The size of the database, in bytes.
    pub bytes: u64,
}

/// Conditions with their values.
#[derive(Default)]
struct Clause {
    conditions: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl Clause {
    fn add(&mut self, condition: &str, value: impl ToSql + 'static) {
        self.values.push(Box::new(value));
        self.conditions.push(condition.replace('?', &format!("?{}", self.values.len())));
    }

    fn plain(&mut self, condition: &str) {
        self.conditions.push(condition.to_owned());
    }

    fn words(&mut self, column: &str, words: impl Iterator<Item = &'static str>) {
        let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
        if !words.is_empty() {
            self.conditions.push(format!("{column} IN ({})", words.join(", ")));
        }
    }

    fn sql(&self) -> String {
        if self.conditions.is_empty() { "true".to_owned() } else { self.conditions.join(" AND ") }
    }
}

impl Blocks {
    /// The block of an id.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn get(&self, id: &BlockId) -> Result<Option<Block>, StoreError> {
        Ok(self.blocks_where("b.id = ?1", [id.as_str()])?.pop())
    }

    /// The ids that begin with, or else hold, a part of one; `max` at most.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn ids_like(&self, part: &str, max: u32) -> Result<Vec<BlockId>, StoreError> {
        let part = part.to_lowercase();
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') {
            return Ok(Vec::new());
        }
        // `g` comes after every character of an id.
        let found = self.ids("SELECT id FROM blocks WHERE id >= ?1 AND id < ?1 || 'g' LIMIT ?2", (&part, max))?;
        if !found.is_empty() {
            return Ok(found);
        }
        self.ids("SELECT id FROM blocks WHERE instr(id, ?1) > 0 LIMIT ?2", (&part, max))
    }

    /// The ids of the blocks that hold under a key, whatever its case; `max` at most.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn ids_of_key(&self, key: &str, max: u32) -> Result<Vec<BlockId>, StoreError> {
        let lower = key.trim().to_lowercase();
        let sql = "SELECT id FROM blocks WHERE key IN (?1, ?2) AND valid_to IS NULL LIMIT ?3";
        self.ids(sql, (key.trim(), &lower, max))
    }

    /// The blocks proposed in a review.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn of_review(&self, review: &ReviewId) -> Result<Vec<Block>, StoreError> {
        self.blocks_where("b.review_id = ?1", [review.as_str()])
    }

    /// Every value that the block's type, category, key and entities have had, this one among them: oldest first, rejected
    /// ones too.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn history(&self, id: &BlockId) -> Result<Vec<Block>, StoreError> {
        let clause = "b.slot = (SELECT slot FROM blocks WHERE id = ?1) ORDER BY b.valid_from, b.block";
        self.blocks_where(clause, [id.as_str()])
    }

    /// Concluded blocks first known before a time that no human has confirmed: what retention removes.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn unconfirmed_before(&self, at: Timestamp) -> Result<Vec<BlockId>, StoreError> {
        let sql = "SELECT id FROM blocks WHERE status = 'inferred' AND confirmed_by IS NULL AND created_at <= ?1
            ORDER BY created_at, block";
        self.ids(sql, [at.unix()])
    }

    /// Every block with a text in its key, value, source, entities, evidence or unknown fields, whatever the case of
    /// letters; history included. For erasure: it looks at every row.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn with_text(&self, text: &str) -> Result<Vec<Block>, StoreError> {
        let needle = text.to_lowercase();
        let mut found = Vec::new();
        self.each("true ORDER BY b.block", [], |block| {
            let holds = |text: &str| text.to_lowercase().contains(&needle);
            let texts = [Some(&block.key), Some(&block.value), block.source.as_ref(), block.evidence.as_ref()];
            let hit = texts.into_iter().flatten().chain(&block.entities).any(|text| holds(text.as_str()))
                || (!block.extra.is_empty() && holds(&serde_json::to_string(&block.extra).unwrap_or_default()));
            if hit {
                found.push(block);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Every block about an entity, in any spelling, history included.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn with_entity(&self, name: &str) -> Result<Vec<Block>, StoreError> {
        let Some(entity) = self.entity(name)? else { return Ok(Vec::new()) };
        self.blocks_where("b.block IN (SELECT block FROM links WHERE entity = ?1) ORDER BY b.block", [entity])
    }

    /// Hands every block to `see`, history included, in a stable order: by id.
    ///
    /// # Errors
    /// When the database can't be read, or `see` fails.
    pub fn all(&self, see: impl FnMut(Block) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.each("true ORDER BY b.id", [], see)
    }

    /// How many blocks there are, history included.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.number("SELECT count(*) FROM blocks")
    }

    /// The blocks of a query.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn list(&self, query: &BlockQuery) -> Result<Vec<Block>, StoreError> {
        let mut entities = Vec::new();
        for name in &query.entities {
            match self.entity(name)? {
                Some(entity) => entities.push(entity),
                None => return Ok(Vec::new()),
            }
        }
        let walks = query.sort == BlockSort::Updated && query.limit.is_some();
        if !walks || query.with_history {
            return self.list_where(query, &query.types, &entities);
        }
        // Each type is a walk along an index, which ends at the limit.
        let types = if query.types.is_empty() { BlockType::ALL } else { &query.types };
        let mut found = Vec::new();
        for block_type in types {
            found.extend(self.list_where(query, &[*block_type], &entities)?);
        }
        if types.len() > 1 {
            found.sort_by_key(|block| std::cmp::Reverse(block.updated_at));
        }
        found.truncate(query.limit.unwrap_or(usize::MAX));
        Ok(found)
    }

    fn list_where(&self, query: &BlockQuery, types: &[BlockType], entities: &[i64]) -> Result<Vec<Block>, StoreError> {
        let mut clause = Clause::default();
        // With one entity and one type, `links` gives the order.
        let (from, newest) = if let Some(entity) = entities.first() {
            clause.add("l.entity = ?", *entity);
            clause.words("l.type", types.iter().map(|block_type| block_type.word()));
            ("links l CROSS JOIN blocks b ON b.block = l.block", "l.updated_at DESC, l.block DESC")
        } else {
            clause.words("b.type", types.iter().map(|block_type| block_type.word()));
            ("blocks b", "b.updated_at DESC, b.block DESC")
        };
        for entity in entities.iter().skip(1) {
            clause.add("EXISTS (SELECT 1 FROM links WHERE block = b.block AND entity = ?)", *entity);
        }
        clause.words("b.category", query.categories.iter().map(|category| category.word()));
        match query.statuses.as_slice() {
            [] => clause.plain("b.status <> 'rejected'"),
            statuses => clause.words("b.status", statuses.iter().map(|status| status.word())),
        }
        // Rejected ones have left the time line.
        let wants_rejected = query.statuses.contains(&BlockStatus::Rejected);
        match query.as_of {
            _ if query.with_history => {}
            Some(at) => {
                clause.add("b.valid_from <= ?", at.unix());
                clause.add("(b.valid_to IS NULL OR b.valid_to > ?)", at.unix());
            }
            None if wants_rejected => clause.plain("(b.valid_to IS NULL OR b.status = 'rejected')"),
            None => clause.plain("b.valid_to IS NULL"),
        }
        if let Some(key) = &query.key {
            clause.add("lower(b.key) = ?", key.trim().to_lowercase());
        }
        if let Some(least) = query.min_confidence {
            clause.add("b.confidence >= ?", least.get());
        }
        if let Some(since) = query.since {
            clause.add("b.updated_at >= ?", since.unix());
        }
        let order = match query.sort {
            BlockSort::Updated => newest,
            BlockSort::Created => "b.created_at DESC, b.block DESC",
            BlockSort::Confidence => "b.confidence DESC, b.updated_at DESC, b.block DESC",
            BlockSort::Access => "coalesce(a.count, 0) DESC, b.updated_at DESC, b.block DESC",
            BlockSort::Key => "b.key, b.updated_at DESC, b.block DESC",
        };
        let limit = query.limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
        let sql = format!(
            "SELECT {} FROM {from} LEFT JOIN accesses a ON a.block = b.block WHERE {} ORDER BY {order} LIMIT {limit}",
            row::COLUMNS,
            clause.sql()
        );
        let values = rusqlite::params_from_iter(clause.values);
        let mut found = Vec::new();
        self.rows(&sql, values, |block| {
            found.push(block);
            Ok(())
        })?;
        Ok(found)
    }

    /// An entity with its names and the entities that share blocks with it; `None` where there is none of that name.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn linked(&self, name: &str) -> Result<Option<Linked>, StoreError> {
        let Some(entity) = self.entity(name)? else { return Ok(None) };
        let fail = |error| self.failure("read", error);
        let name: String = self
            .conn
            .query_row("SELECT name FROM entities WHERE entity = ?1", [entity], |row| row.get(0))
            .map_err(fail)?;
        let mut aliases =
            self.conn.prepare_cached("SELECT name FROM aliases WHERE entity = ?1 ORDER BY alias").map_err(fail)?;
        let aliases = aliases.query_map([entity], |row| row.get(0)).map_err(fail)?;
        let aliases: Vec<String> = aliases.collect::<Result<_, _>>().map_err(fail)?;
        let beside = "SELECT e.name, count(*) AS shared FROM links l
            JOIN blocks b ON b.block = l.block AND b.valid_to IS NULL
            JOIN links o ON o.block = l.block AND o.entity <> ?1 JOIN entities e ON e.entity = o.entity
            WHERE l.entity = ?1 GROUP BY o.entity ORDER BY shared DESC, e.name LIMIT 50";
        let beside = self.counts(beside, [entity])?;
        Ok(Some(Linked { aliases: aliases.into_iter().filter(|alias| *alias != name).collect(), name, beside }))
    }

    /// The entities, the most linked first, with the number of blocks that hold about each; `limit` at most.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn entities(&self, limit: Option<usize>) -> Result<Vec<EntityCount>, StoreError> {
        let sql = "SELECT e.name, count(b.block) AS n FROM entities e JOIN links l ON l.entity = e.entity
            JOIN blocks b ON b.block = l.block AND b.valid_to IS NULL
            GROUP BY e.entity ORDER BY n DESC, e.name LIMIT ?1";
        self.counts(sql, [limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX))])
    }

    /// What the database holds.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let by = |column: &str, current: bool| {
            let only = if current { "WHERE valid_to IS NULL" } else { "" };
            let sql = format!("SELECT {column}, count(*) FROM blocks {only} GROUP BY 1 ORDER BY 1");
            let counts = self.counts(&sql, [])?;
            Ok::<BTreeMap<_, _>, StoreError>(counts.into_iter().map(|count| (count.name, count.blocks)).collect())
        };
        let by_type = by("type", true)?;
        let current = by_type.values().sum();
        Ok(Stats {
            current,
            past: self.count()? - current,
            by_type,
            by_category: by("category", true)?,
            by_status: by("status", false)?,
            entities: self.number("SELECT count(*) FROM entities")?,
            top_entities: self.entities(Some(10))?,
            accesses: self.number("SELECT coalesce(sum(count), 0) FROM accesses")?,
            bytes: self.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?,
        })
    }

    /// The number of an entity, in any spelling.
    pub(super) fn entity(&self, name: &str) -> Result<Option<i64>, StoreError> {
        self.folded_entity(&fold_entity(name))
    }

    pub(super) fn folded_entity(&self, folded: &str) -> Result<Option<i64>, StoreError> {
        let fail = |error| self.failure("read", error);
        let mut found = self.conn.prepare_cached("SELECT entity FROM aliases WHERE alias = ?1").map_err(fail)?;
        found.query_row([folded], |row| row.get(0)).optional().map_err(fail)
    }

    fn blocks_where(&self, clause: &str, values: impl Params) -> Result<Vec<Block>, StoreError> {
        let mut found = Vec::new();
        self.each(clause, values, |block| {
            found.push(block);
            Ok(())
        })?;
        Ok(found)
    }

    fn each(
        &self,
        clause: &str,
        values: impl Params,
        see: impl FnMut(Block) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.rows(&format!("SELECT {} FROM {} WHERE {clause}", row::COLUMNS, row::TABLES), values, see)
    }

    fn rows(
        &self,
        sql: &str,
        values: impl Params,
        mut see: impl FnMut(Block) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let fail = |error| self.failure("read", error);
        let mut found = self.conn.prepare_cached(sql).map_err(fail)?;
        let mut rows = found.query(values).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            see(row::read(row).map_err(fail)?)?;
        }
        Ok(())
    }

    fn ids(&self, sql: &str, values: impl Params) -> Result<Vec<BlockId>, StoreError> {
        let fail = |error| self.failure("read", error);
        let mut found = self.conn.prepare_cached(sql).map_err(fail)?;
        let ids = found.query_map(values, |row| row.get::<_, String>(0)).map_err(fail)?;
        let ids: Vec<String> = ids.collect::<Result<_, _>>().map_err(fail)?;
        let parse = |id: &String| BlockId::parse(id).ok();
        ids.iter().map(parse).collect::<Option<_>>().ok_or_else(|| StoreError::damaged(self.path(), "an id is no UUID"))
    }

    fn counts(&self, sql: &str, values: impl Params) -> Result<Vec<EntityCount>, StoreError> {
        let fail = |error| self.failure("read", error);
        let mut found = self.conn.prepare_cached(sql).map_err(fail)?;
        let rows = found
            .query_map(values, |row| Ok(EntityCount { name: row.get(0)?, blocks: unsigned(row.get(1)?) }))
            .map_err(fail)?;
        rows.collect::<Result<_, _>>().map_err(fail)
    }

    fn number(&self, sql: &str) -> Result<u64, StoreError> {
        self.conn.query_row(sql, [], |row| row.get(0)).map(unsigned).map_err(|error| self.failure("read", error))
    }
}

/// A count as SQLite has it.
pub(super) fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}
