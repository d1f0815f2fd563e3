//! Removing blocks for good.

use std::collections::BTreeMap;

use super::read::resolve_in;
use crate::app::error::{NotFound, Result};
use crate::app::{Context, Operation};
use crate::domain::block::{Block, BlockId};
use crate::store::Change;

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// The blocks that were named.
    pub ids: Vec<BlockId>,
    /// How many values went, history included.
    pub values: u64,
}

/// What `forget` would remove: the named blocks with every value that their type, category, key and entities have had.
///
/// # Errors
/// When one of them can't be found.
pub fn forgettable(ctx: &Context, given: &[String]) -> Result<Vec<Block>> {
    let mut blocks: Vec<Block> = Vec::new();
    for given in given {
        let none = || NotFound::Id { noun: "block", given: given.clone(), nearest: None };
        let db = ctx.store.blocks()?.ok_or_else(none)?;
        for block in db.history(&resolve_in(&db, given)?)? {
            if !blocks.iter().any(|known| known.id == block.id) {
                blocks.push(block);
            }
        }
    }
    Ok(blocks)
}

/// Removes blocks with their history, search entries and access counts; the audit log keeps that it was done. All that are
/// named, or none. A human's to do: what an agent may remove, it could remove before a human has seen it.
///
/// # Errors
/// When the caller may not decide, one of them can't be found, or the tree can't be written.
pub fn forget(ctx: &Context, given: &[String], reviewer: Option<&str>) -> Result<Forgotten> {
    let operation = Operation::new("block.forget");
    let reviewer = ctx.audited(&operation, || ctx.actor().reviewer(&ctx.config, reviewer))?;
    let operation = operation.reviewed_by(&reviewer);
    ctx.audited(&operation, || {
        let tree = ctx.lock()?;
        let mut writer = tree.blocks()?;
        let mut ids: Vec<BlockId> = Vec::new();
        for given in given {
            let id = resolve_in(writer.read(), given)?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        let mut values = 0;
        let mut change = Change::new();
        for id in &ids {
            let versions = writer.versions_of(id)?;
            let gone = writer.forget(&versions)?;
            values += gone;
            change.audit(ctx.entry(&operation.clone().on(id), "ok", BTreeMap::from([("values", gone)])));
        }
        tree.commit_blocks(change, writer)?;
        Ok(Forgotten { ids, values })
    })
}
