//! The clock guard: nothing is deleted by a clock that the tree contradicts. Retention and the rotation of backups ask it.

use super::error::{Refusal, Result};
use super::{Context, Error};
use crate::domain::retention::{ClockFacts, ClockJump, ReviewMark, SessionMark, judge};
use crate::domain::time::{DAY, Timestamp};
use crate::store::{Contents, Folder, Item, StoreError};

/// Refuses when the clock is earlier than the newest recorded change by over five minutes, or later than the last completed
/// retention run (before the first: than the newest time in the tree) by over `[retention] max_clock_jump`. `accept` is a
/// human's word that the clock is right: then what speaks against it is the answer, if anything does.
///
/// # Errors
/// [`Refusal::Clock`]; [`Refusal::NotForAgents`] where an agent's user accepts; others when the tree can't be read.
pub fn check(ctx: &Context, accept: bool) -> Result<Option<ClockJump>> {
    if accept {
        ctx.actor().may_operate(&ctx.config, "accept a clock that jumped")?;
    }
    match jump(ctx)? {
        Some(jump) if !accept => Err(Refusal::Clock(jump).into()),
        jump => Ok(jump),
    }
}

/// What the tree has against the clock, if anything.
///
/// # Errors
/// When the tree can't be read.
pub fn jump(ctx: &Context) -> Result<Option<ClockJump>> {
    let now = ctx.now();
    let max = ctx.config.max_clock_jump;
    let trail = ctx.store.audit_trail()?;
    let mut facts = ClockFacts {
        newest_change: trail.newest_change,
        last_run: trail.last_run.map(|run| run.at),
        newest_in_tree: trail.newest_change,
    };
    if facts.last_run.is_none() && facts.newest_in_tree.is_none_or(|at| now.since(at) > max.signed_seconds()) {
        facts.newest_in_tree = facts.newest_in_tree.max(newest_time(ctx, now, now.plus(-max.signed_seconds()))?);
    }
    Ok(judge(now, facts, max).err())
}

/// The newest time in the files of the tree that does not lie ahead of the clock. The search ends at the first file that
/// tells one of `enough` or later.
fn newest_time(ctx: &Context, now: Timestamp, enough: Timestamp) -> Result<Option<Timestamp>> {
    let mut newest = None;
    let mut contents = Contents::default();
    for folder in Folder::WITH_THE_FLOW {
        let found = ctx.store.walk(folder, |entry| {
            let Ok(item) = entry else { return Ok(()) };
            match ctx.store.contents(&item, &mut contents) {
                Ok(()) => newest = newest.max(time_in(&item, &contents.bytes, now)),
                // What can't be read tells no time.
                Err(_) => return Ok(()),
            }
            if newest >= Some(enough) { Err(Found::Enough) } else { Ok(()) }
        });
        match found {
            Ok(()) => {}
            Err(Found::Enough) => break,
            Err(Found::Failed(error)) => return Err(Error::Store(error)),
        }
    }
    Ok(newest)
}

/// Why a search ended early.
enum Found {
    Enough,
    Failed(StoreError),
}

impl From<StoreError> for Found {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

fn time_in(item: &Item, bytes: &[u8], now: Timestamp) -> Option<Timestamp> {
    let (inside, day) = match item {
        Item::Session(id, _) => (SessionMark::read(bytes).and_then(|mark| mark.newest_time(now)), id.day()),
        Item::Review(id, _) => (ReviewMark::read(bytes).and_then(|mark| mark.newest_time(now)), id.day()),
    };
    inside.max(day.filter(|day| *day <= now.plus(DAY)))
}
