//! Looking for what should have been masked in everything that is in the tree already.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::error::Result;
use super::{Context, Operation};
use crate::domain::block::Block;
use crate::mask::Masked;
use crate::store::layout::BLOCKS;
use crate::store::{Change, Place, Skipped};

/// What a scan found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scan {
    /// How many documents were looked at.
    pub documents: usize,
    /// The documents in which something was found.
    pub findings: Vec<Found>,
    /// How many findings of each kind there are in all.
    pub by_kind: BTreeMap<&'static str, u64>,
    /// How many documents were masked.
    pub masked: usize,
    /// Files that could not be read or written.
    #[serde(skip)]
    pub skipped: Vec<Skipped>,
}

impl Scan {
    fn note(&mut self, found: Found) {
        for (kind, number) in &found.kinds {
            *self.by_kind.entry(kind).or_insert(0) += number;
        }
        self.findings.push(found);
    }
}

/// A document in which something was found.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// The file, relative to the root.
    pub path: PathBuf,
    /// How many findings of each kind.
    pub kinds: BTreeMap<&'static str, u64>,
    /// Whether it was masked.
    pub masked: bool,
}

/// Looks through sessions, archives, reviews, blocks and the audit log; `fix` masks what it finds, but never rewrites the audit log.
///
/// # Errors
/// When the tree can't be listed. A file that can't be read or written is named, and the rest is done.
pub fn scan(ctx: &Context, fix: bool, mut step: impl FnMut(usize, usize)) -> Result<Scan> {
    let places = ctx.store.places()?;
    let mut scan = Scan::default();
    let blocks = look_at_blocks(ctx, fix, &mut scan);
    match blocks {
        Ok(()) => {}
        Err(super::Error::Store(error)) => {
            scan.skipped.push(Skipped { path: BLOCKS.into(), why: error.to_string() });
        }
        Err(error) => return Err(error),
    }
    for (nth, place) in places.iter().enumerate() {
        step(nth, places.len());
        match look(ctx, place, fix) {
            Ok(None) => {}
            Ok(Some(found)) => {
                scan.masked += usize::from(found.masked);
                scan.note(found);
            }
            // Moved or removed since the listing: whoever did that wrote it masked.
            Err(super::Error::Store(error)) if error.is_missing() => {}
            Err(super::Error::Store(error)) => {
                scan.skipped.push(Skipped { path: place.path(), why: error.to_string() });
            }
            Err(error) => return Err(error),
        }
        scan.documents += 1;
    }
    Ok(scan)
}

/// Looks through the blocks, history included; each is a document of its own.
///
/// # Errors
/// When they can't be read or written.
pub fn look_at_blocks(ctx: &Context, fix: bool, scan: &mut Scan) -> Result<()> {
    let Some(db) = ctx.store.blocks()? else { return Ok(()) };
    let mut unmasked = Vec::new();
    db.all(|block| {
        scan.documents += 1;
        let (_, kinds) = masked_block(ctx, block.clone());
        if !kinds.is_empty() {
            unmasked.push((block.id, kinds));
        }
        Ok(())
    })?;
    drop(db);
    let mut masked = BTreeSet::new();
    if fix && !unmasked.is_empty() {
        // Again, under the lock: they may have changed meanwhile.
        let tree = ctx.lock()?;
        let mut writer = tree.blocks()?;
        let mut change = Change::new();
        for (id, kinds) in &unmasked {
            let Some(block) = writer.read().get(id)? else { continue };
            let (block, _) = masked_block(ctx, block);
            writer.rewrite(&block)?;
            let counts = BTreeMap::from([("masked", kinds.values().sum())]);
            change.audit(ctx.entry(&Operation::new("mask.fix").on(id), "ok", counts));
            masked.insert(id.clone());
        }
        tree.commit_blocks(change, writer)?;
    }
    scan.masked += masked.len();
    for (id, kinds) in unmasked {
        // One that was forgotten between the two looks is not there to be masked.
        scan.note(Found { path: format!("{BLOCKS}:{id}").into(), kinds, masked: masked.contains(&id) });
    }
    Ok(())
}

/// A block with its texts masked as one record, and what was found in it.
fn masked_block(ctx: &Context, mut block: Block) -> (Block, BTreeMap<&'static str, u64>) {
    let mut kinds = BTreeMap::new();
    let mut texts: Vec<&mut Masked> = vec![&mut block.key, &mut block.value];
    texts.extend(&mut block.source);
    texts.extend(&mut block.evidence);
    texts.extend(&mut block.entities);
    let raw: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
    let maskings = ctx.masker().mask_record(&raw);
    for (text, masking) in texts.into_iter().zip(maskings) {
        for finding in &masking.findings {
            *kinds.entry(finding.kind.name()).or_insert(0) += 1;
        }
        if !masking.findings.is_empty() {
            *text = masking.text;
        }
    }
    let mut extra = Value::Object(std::mem::take(&mut block.extra));
    for finding in ctx.masker().mask_json(&mut extra) {
        *kinds.entry(finding.kind.name()).or_insert(0) += 1;
    }
    if let Value::Object(fields) = extra {
        block.extra = fields;
    }
    (block, kinds)
}

fn look(ctx: &Context, place: &Place, fix: bool) -> Result<Option<Found>> {
    let kinds = kinds(ctx, place)?;
    if kinds.is_empty() {
        return Ok(None);
    }
    let mut found = Found { path: place.path(), kinds, masked: false };
    if let Place::Item(item) = place
        && fix
    {
        // Again, under the lock: it may have changed meanwhile.
        let tree = ctx.lock()?;
        let mut change = Change::new();
        for value in ctx.store.values(place)? {
            found.masked |= change.put_masked(place, value, ctx.masker())?;
        }
        let counts = BTreeMap::from([("masked", found.kinds.values().sum())]);
        change.audit(ctx.entry(&Operation::new("mask.fix").on(&item.id()), "ok", counts));
        tree.commit(change)?;
    }
    Ok(Some(found))
}

/// How many findings of each kind a document has that lies in the tree.
///
/// # Errors
/// When it can't be read.
pub fn kinds(ctx: &Context, place: &Place) -> Result<BTreeMap<&'static str, u64>> {
    let mut kinds = BTreeMap::new();
    for mut value in ctx.store.values(place)? {
        for finding in ctx.masker().mask_json(&mut value) {
            *kinds.entry(finding.kind.name()).or_insert(0) += 1;
        }
    }
    Ok(kinds)
}
