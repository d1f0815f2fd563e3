//! One look at everything that may need somebody.

use std::collections::BTreeMap;

use serde::Serialize;

use super::error::Result;
use super::retention::{self, Tallies};
use super::reviews::{Reminder, reminder};
use super::{Context, backup};
use crate::domain::retention::ClockJump;
use crate::domain::review;
use crate::domain::session::State;
use crate::store::ReviewQuery;
use crate::store::audit::LastRun;

/// The state of the memory.
#[derive(Debug)]
pub struct Status {
    /// What waits for people.
    pub queue: Reminder,
    /// Overdue reviews that no sweep has moved yet.
    pub overdue_reviews: usize,
    /// Sessions by their true state.
    pub sessions: BTreeMap<&'static str, usize>,
    /// What retention would do now.
    pub due: Tallies,
    /// The last retention run that came to its end.
    pub last_retention: Option<LastRun>,
    /// What speaks against the clock: then a run deletes nothing.
    pub clock: Option<ClockJump>,
    /// The backups, or why they can't be told of.
    pub backups: Result<backup::State>,
    /// Files that could not be read.
    pub unreadable: usize,
    /// Whether a change was cut short; the next command that writes finishes it.
    pub half_way: bool,
    /// The audit chain.
    pub audit: AuditState,
}

/// The audit chain in short.
#[derive(Clone, Debug, Serialize)]
pub struct AuditState {
    /// How many entries it has.
    pub entries: u64,
    /// How many broken places it has.
    pub faults: usize,
    /// The last entry's hash.
    pub head: String,
}

impl Status {
    /// Whether somebody has to act.
    pub fn needs_action(&self) -> bool {
        self.queue.conflicts > 0
            || self.audit.faults > 0
            || self.unreadable > 0
            || self.clock.is_some()
            || self.backups.as_ref().map_or(true, |backups| backups.is_overdue)
    }
}

/// The state of the memory now.
///
/// # Errors
/// When the tree can't be read.
pub fn status(ctx: &Context) -> Result<Status> {
    let now = ctx.now();
    let mut sessions: BTreeMap<_, _> = State::ALL.iter().map(|state| (state.name(), 0)).collect();
    let ids = ctx.store.session_ids()?;
    // What is archived is counted by its file; only the others have a state to find out.
    let (headers, skipped) = ctx.store.session_headers(|_, folder| folder != State::Archived)?;
    *sessions.entry(State::Archived.name()).or_insert(0) +=
        ids.values().filter(|folder| **folder == State::Archived).count();
    for header in &headers {
        let state = header.state(now);
        *sessions.entry(state.name()).or_insert(0) += 1;
    }
    let (mut found, unreadable) = ctx.store.review_summaries(ReviewQuery::queue(now))?;
    let overdue = found.iter().filter(|summary| summary.status == review::Status::Expired).count();
    found.retain(|summary| matches!(summary.status, review::Status::Pending | review::Status::Approved));
    let report = ctx.store.audit_verify(None)?;
    let plan = retention::plan(ctx, |_| ())?;
    Ok(Status {
        queue: reminder(found, now),
        overdue_reviews: overdue,
        sessions,
        due: plan.tallies,
        last_retention: ctx.store.audit_trail()?.last_run,
        clock: plan.clock,
        backups: backup::state(ctx),
        unreadable: skipped.len() + unreadable.len(),
        half_way: ctx.store.is_half_way(),
        audit: AuditState { entries: report.lines, faults: report.faults.len(), head: report.head },
    })
}
