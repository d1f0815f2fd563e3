//! Finding blocks. Reads are counted (`access_count`) unless the caller only peeks.

use crate::app::Context;
use crate::app::error::{NotFound, Result};
use crate::domain::block::{Block, BlockId, BlockType, fold_entity};
use crate::store::StoreError;
use crate::store::blocks::{BlockQuery, Blocks, EntityCount, Hit, Stats};

/// How many candidates an answer names.
const CANDIDATES_MAX: u32 = 11;
/// The shortest beginning or part of an id that names a block.
const PART_MIN: usize = 3;

/// What is known about an entity.
#[derive(Clone, Debug)]
pub struct About {
    /// Its name, as it was first written.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its blocks, by type in ADR-001's order, and what was said last first.
    pub blocks: Vec<(BlockType, Vec<Block>)>,
    /// Entities that share blocks with it, the most shared first.
    pub beside: Vec<EntityCount>,
}

fn open(ctx: &Context) -> Result<Option<Blocks>> {
    Ok(ctx.store.blocks()?)
}

fn none(given: &str) -> NotFound {
    NotFound::Id { noun: "block", given: given.to_owned(), nearest: None }
}

/// The block that `given` names: its id, a unique part of one, or the key of a single block that holds.
///
/// # Errors
/// When none or several fit.
pub fn resolve(ctx: &Context, given: &str) -> Result<BlockId> {
    let db = open(ctx)?.ok_or_else(|| none(given))?;
    resolve_in(&db, given)
}

pub(super) fn resolve_in(db: &Blocks, given: &str) -> Result<BlockId> {
    if let Ok(id) = BlockId::parse(given) {
        return if db.get(&id)?.is_some() { Ok(id) } else { Err(none(given).into()) };
    }
    let mut found = db.ids_of_key(given, CANDIDATES_MAX)?;
    if found.is_empty() && given.len() >= PART_MIN {
        found = db.ids_like(given, CANDIDATES_MAX)?;
    }
    match found.as_slice() {
        [] => Err(none(given).into()),
        [one] => Ok(one.clone()),
        several => {
            let mut candidates = Vec::new();
            for id in several {
                let statement = db.get(id)?.map(|block| block.statement().cut(60)).unwrap_or_default();
                candidates.push(format!("{id}  {statement}"));
            }
            Err(NotFound::Ambiguous { noun: "block", given: given.to_owned(), candidates }.into())
        }
    }
}

/// One block.
///
/// # Errors
/// When none or several fit.
pub fn get(ctx: &Context, given: &str, peek: bool) -> Result<Block> {
    let db = open(ctx)?.ok_or_else(|| none(given))?;
    let id = resolve_in(&db, given)?;
    let block = db.get(&id)?.ok_or_else(|| none(given))?;
    count(ctx, &db, [&block], peek);
    Ok(block)
}

/// Counts a reading of blocks, as far as no writer is in the way.
fn count<'a>(ctx: &Context, db: &Blocks, blocks: impl IntoIterator<Item = &'a Block>, peek: bool) {
    // A clock that was set is for questions.
    if !peek {
        let ids: Vec<BlockId> = blocks.into_iter().map(|block| block.id.clone()).collect();
        db.count_access(&ids, ctx.now());
    }
}

/// The blocks of a query.
///
/// # Errors
/// When they can't be read.
pub fn list(ctx: &Context, query: &BlockQuery) -> Result<Vec<Block>> {
    open(ctx)?.map_or(Ok(Vec::new()), |db| Ok(db.list(query)?))
}

/// The blocks that fit a text, the best first.
///
/// # Errors
/// When they can't be read, or a database of before can't be given its index.
pub fn search(ctx: &Context, text: &str, query: &BlockQuery, peek: bool) -> Result<Vec<Hit>> {
    let Some(mut db) = open(ctx)? else { return Ok(Vec::new()) };
    if !db.has_index()? {
        drop(db);
        // Opening it for a change brings it to this version.
        drop(ctx.lock()?.blocks()?);
        let Some(indexed) = open(ctx)? else { return Ok(Vec::new()) };
        db = indexed;
    }
    let hits = db.search(text, query, ctx.now())?;
    count(ctx, &db, hits.iter().map(|hit| &hit.block), peek);
    Ok(hits)
}

/// What is known about an entity.
///
/// # Errors
/// When nothing is.
pub fn about(ctx: &Context, name: &str, query: &BlockQuery, peek: bool) -> Result<About> {
    let none = || NotFound::Id { noun: "entity", given: name.to_owned(), nearest: None };
    let db = open(ctx)?.ok_or_else(none)?;
    let Some(linked) = db.linked(name)? else {
        let nearest = nearest(&db, name)?;
        return Err(NotFound::Id { noun: "entity", given: name.to_owned(), nearest }.into());
    };
    let mut query = query.clone();
    query.entities.insert(0, name.to_owned());
    let found = db.list(&query)?;
    count(ctx, &db, &found, peek);
    let mut blocks: Vec<(BlockType, Vec<Block>)> = BlockType::ALL.iter().map(|of| (*of, Vec::new())).collect();
    for block in found {
        if let Some((_, group)) = blocks.iter_mut().find(|(of, _)| *of == block.block_type) {
            group.push(block);
        }
    }
    blocks.retain(|(_, group)| !group.is_empty());
    Ok(About { name: linked.name, aliases: linked.aliases, blocks, beside: linked.beside })
}

/// The entity whose name is most like one that is not known.
fn nearest(db: &Blocks, given: &str) -> Result<Option<String>> {
    let given = fold_entity(given);
    let likeness = |name: &str| {
        let name = fold_entity(name);
        let words = name.split('-').map(|word| strsim::jaro_winkler(word, &given) * 0.95);
        words.fold(strsim::jaro_winkler(&name, &given), f64::max)
    };
    let scored = db.entities(Some(10_000))?.into_iter().map(|entity| (likeness(&entity.name), entity.name));
    Ok(scored.filter(|(score, _)| *score > 0.8).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name))
}

/// The newest blocks of each type that a query lets through, `each` of a type at most; what was said last first.
///
/// # Errors
/// When nothing fits.
pub fn latest(ctx: &Context, query: &BlockQuery, each: usize) -> Result<Vec<Block>> {
    let named = || query.entities.first().or(query.key.as_ref()).cloned().unwrap_or_default();
    let none = || NotFound::Id { noun: "block", given: named(), nearest: None };
    let db = open(ctx)?.ok_or_else(none)?;
    let types = if query.types.is_empty() { BlockType::ALL } else { &query.types };
    let mut found = Vec::new();
    for block_type in types {
        let query = BlockQuery { types: vec![*block_type], limit: Some(each), ..query.clone() };
        found.extend(db.list(&query)?);
    }
    found.sort_by_key(|block| std::cmp::Reverse(block.updated_at));
    if found.is_empty() { Err(none().into()) } else { Ok(found) }
}

/// The values that a key, or a block's type, category, key and entities, have had: one list each, oldest first.
///
/// # Errors
/// When there is none of that key, id or part of an id.
pub fn history(ctx: &Context, given: &str, entities: &[String]) -> Result<Vec<Vec<Block>>> {
    let db = open(ctx)?.ok_or_else(|| none(given))?;
    let query = BlockQuery {
        key: Some(given.to_owned()),
        entities: entities.to_vec(),
        with_history: true,
        statuses: crate::domain::block::BlockStatus::ALL.to_vec(),
        ..BlockQuery::default()
    };
    let of_key = if BlockId::parse(given).is_ok() { Vec::new() } else { db.list(&query)? };
    let mut lists: Vec<Vec<Block>> = Vec::new();
    if of_key.is_empty() {
        lists.push(db.history(&resolve_in(&db, given)?)?);
        return Ok(lists);
    }
    for block in of_key {
        if !lists.iter().flatten().any(|known| known.id == block.id) {
            lists.push(db.history(&block.id)?);
        }
    }
    Ok(lists)
}

/// Hands every block, history included, to `see`, in a stable order. Answers how many there were.
///
/// # Errors
/// When they can't be read, or `see` fails.
pub fn all(ctx: &Context, mut see: impl FnMut(Block) -> std::result::Result<(), StoreError>) -> Result<u64> {
    let mut number = 0;
    if let Some(db) = open(ctx)? {
        db.all(|block| {
            number += 1;
            see(block)
        })?;
    }
    Ok(number)
}

/// What the database holds.
///
/// # Errors
/// When it can't be read.
pub fn stats(ctx: &Context) -> Result<Stats> {
    open(ctx)?.map_or_else(|| Ok(Stats::default()), |db| Ok(db.stats()?))
}
