//! Erasure on request: whatever holds a text, is about an entity or comes from a session goes for good, history included.

use std::collections::BTreeMap;

use serde_json::Value;

use super::error::{Error, NotFound, Result};
use super::retention::Skip;
use super::{Context, Operation, resolve};
use crate::domain::block::BlockId;
use crate::domain::erase::{Needle, prune};
use crate::domain::ids::SessionId;
use crate::domain::json;
use crate::domain::time::{DAY, Timestamp};
use crate::store::blocks::Blocks;
use crate::store::{Change, Contents, Folder, Item, Skipped, StoreError, Tree};

/// How many files are changed in one step.
const BATCH: usize = 512;
/// How often the tree is gone through at most, until nothing is found any more: a file may move while that is done.
const PASSES: usize = 8;
/// A backup is kept so long (retention table, SESSION_MEMORY_ARCHITECTURE), in seconds.
const BACKUP_KEPT: i64 = 7 * DAY;

/// What is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// What holds a text.
    Text(Needle),
    /// What names an entity: as whole words, and the blocks about it by any of its names.
    Entity(Needle, String),
    /// A session, the reviews it caused, and the blocks that came from it.
    Session(SessionId),
}

impl Selector {
    /// The session that was named by a part of its id. One that is gone may have left reviews and blocks: then its whole id.
    ///
    /// # Errors
    /// When none or several fit.
    pub fn session(ctx: &Context, given: &str) -> Result<Self> {
        match (resolve::session(ctx, given), SessionId::parse(given)) {
            (Ok(id), _) | (Err(Error::NotFound(NotFound::Id { .. })), Ok(id)) => Ok(Self::Session(id)),
            (Err(error), _) => Err(error),
        }
    }
}

/// What is done to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Fields of a session, and entries of its lists.
    Fields,
    /// A whole session.
    Session,
    /// A whole review.
    Review,
    /// A block, with every value it has had.
    Block,
}

impl Part {
    /// The word that reports and the audit log use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fields => "erase_fields",
            Self::Session => "erase_session",
            Self::Review => "erase_review",
            Self::Block => "erase_block",
        }
    }
}

/// One entry that is, or was, found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What is done.
    pub part: Part,
    /// To which id.
    pub target: String,
    /// How many fields or values.
    pub count: u64,
}

/// What an erasure found, and removed.
#[derive(Clone, Debug, Default)]
pub struct Erased {
    /// The entries.
    pub hits: Vec<Hit>,
    /// Files that could not be looked through.
    pub skipped: Skip,
    /// When the last backup that may hold it goes.
    pub backups_until: Option<Timestamp>,
}

/// What would be erased. Nothing is changed.
///
/// # Errors
/// When the tree can't be listed.
pub fn find(ctx: &Context, selector: &Selector) -> Result<Erased> {
    let mut erased = Erased { backups_until: Some(backups_until(ctx)), ..Erased::default() };
    let mut skipped = Skip::default();
    for_each_hit(ctx, selector, &mut skipped, |_, hit| {
        erased.hits.push(hit);
        Ok(())
    })?;
    erased.skipped = skipped;
    let blocks = found_blocks(ctx, selector, &mut erased.skipped)?.unwrap_or_default();
    erased.hits.extend(blocks.iter().map(|id| block_hit(id, 1)));
    Ok(erased)
}

/// Erases what is found, and looks again until nothing is.
///
/// # Errors
/// When an agent's user asks, or the tree can't be written: what was done until then is done.
pub fn erase(ctx: &Context, selector: &Selector) -> Result<Erased> {
    let mut operation = Operation::new("erase");
    if let Selector::Session(id) = selector {
        operation = operation.on(id);
    }
    ctx.audited(&operation, || {
        may_erase(ctx)?;
        let mut erased = Erased::default();
        for _ in 0..PASSES {
            let mut skipped = Skip::default();
            let found = pass(ctx, selector, &operation, &mut skipped)?;
            erased.skipped = skipped;
            if found.is_empty() {
                break;
            }
            erased.hits.extend(found);
        }
        erased.hits.extend(erase_blocks(ctx, selector, &operation, &mut erased.skipped)?);
        erased.backups_until = Some(backups_until(ctx));
        Ok(erased)
    })
}

/// Whether this user may erase: an agent's may not.
///
/// # Errors
/// When it is an agent's.
pub fn may_erase(ctx: &Context) -> Result<()> {
    ctx.actor().may_operate(&ctx.config, "erase anything")
}

/// A backup made just before may hold it; it goes when it is seven days old and a newer one was verified.
fn backups_until(ctx: &Context) -> Timestamp {
    ctx.now().plus(BACKUP_KEPT)
}

/// One way through the tree, in steps.
fn pass(ctx: &Context, selector: &Selector, operation: &Operation, skipped: &mut Skip) -> Result<Vec<Hit>> {
    let mut done = Vec::new();
    let mut stuck = Vec::new();
    let mut batch = Vec::new();
    for_each_hit(ctx, selector, skipped, |item, _| {
        batch.push(item);
        if batch.len() >= BATCH {
            done.extend(step(ctx, selector, operation, std::mem::take(&mut batch), &mut stuck)?);
        }
        Ok(())
    })?;
    if !batch.is_empty() {
        done.extend(step(ctx, selector, operation, batch, &mut stuck)?);
    }
    for file in stuck {
        skipped.leave(file);
    }
    Ok(done)
}

/// Looks at each file again under the lock, and takes out what is to go.
fn step(
    ctx: &Context,
    selector: &Selector,
    operation: &Operation,
    batch: Vec<Item>,
    stuck: &mut Vec<Skipped>,
) -> Result<Vec<Hit>> {
    let tree = ctx.lock()?;
    let mut change = Change::new();
    let mut contents = Contents::default();
    let mut hits = Vec::new();
    for item in batch {
        match add(ctx, &tree, selector, &item, &mut contents, &mut change) {
            Ok(hit) => hits.extend(hit),
            // It moved on: the next pass finds it.
            Err(Error::Store(error)) if error.is_missing() => {}
            Err(Error::Store(error)) => stuck.push(Skipped { path: item.path(), why: error.to_string() }),
            Err(error) => return Err(error),
        }
    }
    if hits.is_empty() {
        return Ok(hits);
    }
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    for hit in &hits {
        *counts.entry(hit.part.name()).or_insert(0) += hit.count;
    }
    change.audit(ctx.entry(operation, "ok", counts));
    tree.commit(change)?;
    Ok(hits)
}

fn add(
    ctx: &Context,
    tree: &Tree<'_>,
    selector: &Selector,
    item: &Item,
    contents: &mut Contents,
    change: &mut Change,
) -> Result<Option<Hit>> {
    let Some((hit, pruned)) = look(ctx, selector, item, contents)? else { return Ok(None) };
    tree.check_changeable(item)?;
    match (pruned, item) {
        (Some(fields), Item::Session(id, folder)) => {
            contents.bytes = serde_json::to_vec(&fields).unwrap_or_default();
            let session = ctx.store.session_of(id, *folder, contents)?;
            change.put_session(&session, Some(*folder), *folder)?;
        }
        _ => change.delete(item),
    }
    Ok(Some(hit))
}

/// Hands each file that holds what is looked for to `see`.
fn for_each_hit(
    ctx: &Context,
    selector: &Selector,
    skipped: &mut Skip,
    mut see: impl FnMut(Item, Hit) -> Result<()>,
) -> Result<()> {
    let mut contents = Contents::default();
    for folder in Folder::WITH_THE_FLOW {
        ctx.store.walk(folder, |entry| {
            let item = match entry {
                Ok(item) => item,
                Err(foreign) => {
                    skipped.leave(foreign);
                    return Ok(());
                }
            };
            match look(ctx, selector, &item, &mut contents) {
                Ok(Some((hit, _))) => see(item, hit),
                Ok(None) => Ok(()),
                Err(Error::Store(error)) if error.is_missing() => Ok(()),
                Err(Error::Store(error @ (StoreError::Damaged { .. } | StoreError::Io { .. }))) => {
                    skipped.leave(Skipped { path: item.path(), why: error.to_string() });
                    Ok(())
                }
                Err(error) => Err(error),
            }
        })?;
    }
    for path in ctx.store.quarantined()? {
        let why = format!("{} was not looked through", ctx.store.root().join(&path).display());
        skipped.leave(Skipped { path, why });
    }
    Ok(())
}

/// What of a file is to go; for a session of which something stays, its fields without it.
fn look(
    ctx: &Context,
    selector: &Selector,
    item: &Item,
    contents: &mut Contents,
) -> Result<Option<(Hit, Option<Value>)>> {
    let hit = |part, count| Hit { part, target: item.id().to_owned(), count };
    if let (Selector::Session(wanted), Item::Session(id, _)) = (selector, item) {
        // By its name alone: it goes also where it can't be read.
        return Ok((wanted == id).then(|| (hit(Part::Session, 1), None)));
    }
    ctx.store.contents(item, contents)?;
    let path = ctx.store.root().join(item.path());
    // As it lies there, not as the masker would have it.
    let mut value =
        json::parse_tree(&contents.bytes).map_err(|error| StoreError::Damaged { path, why: error.to_string() })?;
    let needle = match selector {
        Selector::Text(needle) | Selector::Entity(needle, _) => needle,
        Selector::Session(wanted) => {
            let is_its = value.get("source_session").and_then(Value::as_str) == Some(wanted.as_str());
            return Ok(is_its.then(|| (hit(Part::Review, 1), None)));
        }
    };
    match item {
        Item::Review(..) => Ok(needle.is_within(&value).then(|| (hit(Part::Review, 1), None))),
        Item::Session(..) => {
            let Some(fields) = value.as_object_mut() else { return Ok(None) };
            let gone = prune(fields, needle);
            Ok((gone > 0).then(|| (hit(Part::Fields, gone), Some(value))))
        }
    }
}

fn block_hit(id: &BlockId, count: u64) -> Hit {
    Hit { part: Part::Block, target: id.as_str().to_owned(), count }
}

/// Where blocks join in: those that are to go. `None`: there are none at all, or they can't be read, which is told of.
fn found_blocks(ctx: &Context, selector: &Selector, skipped: &mut Skip) -> Result<Option<Vec<BlockId>>> {
    let db = skipped.blocks(ctx.store.blocks())?.flatten();
    Ok(db.map(|db| blocks_in(&db, selector)).transpose()?)
}

/// The blocks that hold a text, are about an entity or name it, or come from a session.
fn blocks_in(db: &Blocks, selector: &Selector) -> std::result::Result<Vec<BlockId>, StoreError> {
    let holds = |needle: &Needle| {
        let mut ids = Vec::new();
        db.all(|block| {
            if needle.is_within(&Value::Object(block.record())) {
                ids.push(block.id);
            }
            Ok(())
        })?;
        Ok(ids)
    };
    match selector {
        Selector::Text(needle) => holds(needle),
        Selector::Session(id) => Needle::name(id.as_str()).map_or(Ok(Vec::new()), |needle| holds(&needle)),
        Selector::Entity(needle, name) => {
            let mut ids = holds(needle)?;
            for block in db.with_entity(name)? {
                if !ids.contains(&block.id) {
                    ids.push(block.id);
                }
            }
            Ok(ids)
        }
    }
}

/// Removes the blocks with all values they have had.
fn erase_blocks(ctx: &Context, selector: &Selector, operation: &Operation, skipped: &mut Skip) -> Result<Vec<Hit>> {
    let mut hits = Vec::new();
    if found_blocks(ctx, selector, skipped)?.is_none_or(|ids| ids.is_empty()) {
        return Ok(hits);
    }
    let tree = ctx.lock()?;
    let mut writer = tree.blocks()?;
    for id in blocks_in(writer.read(), selector)? {
        let versions = writer.versions_of(&id)?;
        let gone = writer.forget(&versions)?;
        // Else it was another value of one that went before.
        if gone > 0 {
            hits.push(block_hit(&id, gone));
        }
    }
    let values = hits.iter().map(|hit| hit.count).sum();
    let mut change = Change::new();
    change.audit(ctx.entry(operation, "ok", BTreeMap::from([(Part::Block.name(), values)])));
    tree.commit_blocks(change, writer)?;
    Ok(hits)
}
