//! Looking for what should have been masked in everything that is in the tree already.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::error::Result;
use super::{Context, Operation};
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

/// Looks through sessions, archives, reviews and the audit log; `fix` masks what it finds, but never rewrites the audit log.
///
/// # Errors
/// When the tree can't be listed. A file that can't be read or written is named, and the rest is done.
pub fn scan(ctx: &Context, fix: bool, mut step: impl FnMut(usize, usize)) -> Result<Scan> {
    let places = ctx.store.places()?;
    let mut scan = Scan::default();
    for (nth, place) in places.iter().enumerate() {
        step(nth, places.len());
        match look(ctx, place, fix) {
            Ok(None) => {}
            Ok(Some(found)) => {
                for (kind, number) in &found.kinds {
                    *scan.by_kind.entry(kind).or_insert(0) += number;
                }
                scan.masked += usize::from(found.masked);
                scan.findings.push(found);
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

fn look(ctx: &Context, place: &Place, fix: bool) -> Result<Option<Found>> {
    let kinds = kinds(ctx, place)?;
    if kinds.is_empty() {
        return Ok(None);
    }
    let mut found = Found { path: place.path(), kinds, masked: false };
    if fix && !matches!(place, Place::Audit(_)) {
        // Again, under the lock: it may have changed meanwhile.
        let tree = ctx.lock()?;
        let mut change = Change::new();
        for value in ctx.store.values(place)? {
            found.masked |= change.put_masked(place, value, ctx.masker())?;
        }
        let target = match place {
            Place::Session(id, _) => id.to_string(),
            Place::Review(id, _) => id.to_string(),
            Place::Audit(_) => String::new(),
        };
        let counts = BTreeMap::from([("masked", found.kinds.values().sum())]);
        change.audit(ctx.entry(&Operation::new("mask.fix").on(&target), "ok", counts));
        tree.commit(change)?;
    }
    Ok(Some(found))
}

fn kinds(ctx: &Context, place: &Place) -> Result<BTreeMap<&'static str, u64>> {
    let mut kinds = BTreeMap::new();
    for mut value in ctx.store.values(place)? {
        for finding in ctx.masker().mask_json(&mut value) {
            *kinds.entry(finding.kind.name()).or_insert(0) += 1;
        }
    }
    Ok(kinds)
}
