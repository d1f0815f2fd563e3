//! Runs that were: listing them, proving that nothing was lost, and taking one back.

use std::collections::BTreeMap;

use super::planner::Planner;
use super::{Source, each, operator, reading_of};
use crate::app::error::{NotFound, Refusal, Result};
use crate::app::{Context, Operation};
use crate::domain::migration::Action;
use crate::legacy::{self, Reading};
use crate::mask::Masked;
use crate::store::Change;
use crate::store::blocks::{Blocks, Run, RunEntry, Undone};

/// A run, with what became of its entries.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The run.
    pub run: Run,
    /// How many entries there were of each action.
    pub counts: Vec<(Action, u64)>,
}

/// The runs, oldest first.
///
/// # Errors
/// When the blocks can't be read.
pub fn list(ctx: &Context) -> Result<Vec<Listed>> {
    let Some(blocks) = ctx.store.blocks()? else { return Ok(Vec::new()) };
    let listed = |run| Ok(Listed { counts: blocks.run_counts(&run)?, run });
    blocks.runs()?.into_iter().map(listed).collect()
}

/// The run that is meant: an id, a unique part of one, or `latest`.
///
/// # Errors
/// When there is none, or several.
pub fn resolve(ctx: &Context, given: &str) -> Result<Run> {
    let runs = ctx.store.blocks()?.map(|blocks| blocks.runs()).transpose()?.unwrap_or_default();
    resolve_in(runs, given)
}

fn resolve_in(mut runs: Vec<Run>, given: &str) -> Result<Run> {
    let noun = "migration";
    let is_meant = |run: &Run| given == run.id.as_str();
    if runs.iter().any(is_meant) {
        runs.retain(is_meant);
    } else if given == "latest" {
        runs.drain(..runs.len().saturating_sub(1));
    } else {
        let part = given.to_uppercase();
        runs.retain(|run| !part.is_empty() && run.id.as_str().contains(&part));
    }
    if runs.len() > 1 {
        let candidates = runs.iter().map(|run| run.id.to_string()).collect();
        return Err(NotFound::Ambiguous { noun, given: given.to_owned(), candidates }.into());
    }
    runs.pop().ok_or_else(|| NotFound::Id { noun, given: given.to_owned(), nearest: None }.into())
}

/// What a look after a run found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The run.
    pub run: Run,
    /// How many entries there are of each action, as the sources have them now.
    pub counts: BTreeMap<Action, u64>,
    /// Entries whose block is gone since: forgotten, erased, or too old.
    pub gone: u64,
    /// What does not fit.
    pub faults: Vec<String>,
    /// The entries that were refused: source, place and reason.
    pub refused: Vec<(Masked, Masked, Masked)>,
}

/// How many faults and refusals an answer names.
const NAMED_MAX: usize = 10_000;

/// Reads the sources of a run again and looks for what became of each entry. `find` gives a source by its place in the run
/// and the path that is known of it; `None`: it can't be read.
///
/// # Errors
/// When the run was taken back, or the blocks can't be read.
pub fn verify(
    ctx: &Context,
    run: Run,
    mut find: impl FnMut(usize, &Masked, &Reading) -> Option<Source>,
) -> Result<Checked> {
    if let Some((at, by)) = &run.undone {
        return Err(Refusal::TakenBack { run: run.id.to_string(), at: at.to_string(), by: by.to_string() }.into());
    }
    let blocks = ctx.store.blocks()?.ok_or_else(|| NotFound::Id {
        noun: "migration",
        given: run.id.to_string(),
        nearest: None,
    })?;
    let mut checked = Checked { run, counts: BTreeMap::new(), gone: 0, faults: Vec::new(), refused: Vec::new() };
    for nth in 0..checked.run.sources.len() {
        let Some(about) = checked.run.sources.get(nth).cloned() else { continue };
        let path = &about.path;
        let Some(source) = find(nth, path, &reading_of(&about.form)) else {
            checked.fault(format!("{path}: it can't be read any more; name where it lies now with --source"));
            continue;
        };
        if source.sum() != about.sha256 {
            checked.fault(format!("{path}: it is another file than the one that was taken over"));
            continue;
        }
        check_source(ctx, &blocks, nth, &source, &reading_of(&about.form), &mut checked)?;
    }
    Ok(checked)
}

fn check_source(
    ctx: &Context,
    blocks: &Blocks,
    nth: usize,
    source: &Source,
    reading: &Reading,
    checked: &mut Checked,
) -> Result<()> {
    let path = ctx.masker().mask(&source.path).text;
    let mut noted: Vec<Option<RunEntry>> = Vec::new();
    let run = checked.run.clone();
    blocks.each_run_entry(&run, nth, |number, entry| {
        let at = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
        // Numbers go up by one; where one is missing, it is missing here too.
        noted.resize_with(at, || None);
        noted.push(Some(entry));
        Ok(())
    })?;
    let Ok(readable) = legacy::open(&source.inside, reading) else {
        checked.fault(format!("{path}: its form is not known any more"));
        return Ok(());
    };
    let mut planner = Planner::new(ctx, None)?;
    planner.begin(source);
    let mut noted = noted.into_iter();
    let mut number = 0_u64;
    each(readable, &mut |found| {
        number += 1;
        let judged = planner.judge(found)?;
        let place = judged.planned.place;
        let Some(entry) = noted.next().flatten() else {
            checked.fault(format!("{path}, {place}: nothing is noted of what became of it"));
            return Ok(());
        };
        *checked.counts.entry(entry.action).or_insert(0) += 1;
        if let Some((place, reason)) = entry.refused {
            if checked.refused.len() < NAMED_MAX {
                checked.refused.push((path.clone(), place, reason));
            }
            return Ok(());
        }
        let held = entry.block.as_ref().map(|id| blocks.get(id)).transpose()?.flatten();
        match (held, judged.planned.becomes) {
            (None, _) => checked.gone += 1,
            (Some(block), Some(becomes)) if block.value == becomes.value => {}
            (Some(block), _) => {
                checked.fault(format!("{path}, {place}: block {} does not say what stands there", block.id));
            }
        }
        Ok(())
    })?;
    let left = noted.count();
    if left > 0 {
        checked.fault(format!("{path}: {left} more entries are noted than it has"));
    }
    Ok(())
}

impl Checked {
    fn fault(&mut self, what: String) {
        if self.faults.len() < NAMED_MAX {
            self.faults.push(what);
        }
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.counts.values().sum()
    }
}

/// A run that was taken back.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The run.
    pub run: Run,
    /// What that did.
    pub undone: Undone,
}

/// Takes a run back, in one transaction: the blocks it made go with their search entries, those that it closed hold again.
/// An operator's to do.
///
/// # Errors
/// When the caller may not, there is no such run, it was taken back before, or the tree can't be written.
pub fn undo(ctx: &Context, given: &str) -> Result<Taken> {
    let operation = Operation::new("migrate.undo");
    ctx.audited(&operation, || {
        may_undo(ctx)?;
        let tree = ctx.lock()?;
        let run = resolve(ctx, given)?;
        if let Some((at, by)) = &run.undone {
            return Err(Refusal::TakenBack { run: run.id.to_string(), at: at.to_string(), by: by.to_string() }.into());
        }
        let mut writer = tree.blocks()?;
        let undone = writer.undo_run(&run, &operator(ctx), ctx.now())?;
        let counts =
            BTreeMap::from([("removed", undone.removed), ("restored", undone.restored), ("kept", undone.kept)]);
        let mut change = Change::new();
        change.audit(ctx.entry(&operation.clone().on(&run.id), "ok", counts));
        tree.commit_blocks(change, writer)?;
        Ok(Taken { run, undone })
    })
}

/// Whether the caller may take a run back: to be asked before anything else is.
///
/// # Errors
/// When it is an agent's user.
pub fn may_undo(ctx: &Context) -> Result<()> {
    ctx.actor().may_operate(&ctx.config, "take a migration back")
}
