//! How the queue is doing: for the weekly reminder and for monitoring.

use std::collections::BTreeMap;

use chrono::Datelike;
use serde::Serialize;
use serde_json::Value;

use super::list::{ListQuery, Sort, list, load, sort};
use crate::app::Context;
use crate::app::error::Result;
use crate::domain::review::Status;
use crate::domain::time::{DAY, Timestamp};
use crate::store::{ReviewQuery, Summary};

/// What expires within this is named by a reminder.
const SOON: i64 = 7 * DAY;

/// What waits for people.
#[derive(Clone, Debug)]
pub struct Reminder {
    /// All that is pending, the most urgent first.
    pub pending: Vec<Summary>,
    /// How many of them the vault contradicts.
    pub conflicts: usize,
    /// Those that expire within 7 days.
    pub expiring: Vec<Summary>,
    /// Those approved and not yet in the vault.
    pub approved: Vec<Summary>,
}

impl Reminder {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.approved.is_empty()
    }
}

/// What waits for people now.
///
/// # Errors
/// When the queue can't be listed.
pub fn remind(ctx: &Context) -> Result<Reminder> {
    let query = ListQuery { statuses: vec![Status::Pending, Status::Approved], ..ListQuery::default() };
    let (found, _) = list(ctx, &query)?;
    Ok(reminder(found, ctx.now()))
}

/// A reminder of the reviews that are still open.
pub(in crate::app) fn reminder(mut open: Vec<Summary>, now: Timestamp) -> Reminder {
    sort(&mut open, Sort::Urgency);
    let (pending, approved): (Vec<_>, Vec<_>) = open.into_iter().partition(|summary| summary.status == Status::Pending);
    // A verified block is where it belongs, unless it was to go into a page as well.
    let approved = approved.into_iter().filter(|summary| !summary.is_in_place()).collect();
    let soon = |summary: &&Summary| summary.expires_at.is_some_and(|at| at.since(now) <= SOON);
    Reminder {
        conflicts: pending.iter().filter(|summary| summary.is_conflict()).count(),
        expiring: pending.iter().filter(soon).cloned().collect(),
        approved,
        pending,
    }
}

/// What to count.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatsQuery {
    /// Counts pending reviews that are at least this old, in seconds.
    pub older_than: Option<i64>,
}

/// Figures of the queue and of all decisions whose files are kept.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stats {
    /// Reviews by status.
    pub by_status: BTreeMap<&'static str, u64>,
    /// Pending reviews by age: the name of the range and how many.
    pub pending_by_age: Vec<(&'static str, u64)>,
    /// Decisions by reviewer and ISO week, `2026-W21`.
    pub decisions: BTreeMap<String, BTreeMap<String, u64>>,
    /// The median time from filing to the first decision, in seconds.
    pub median_seconds_to_decision: Option<i64>,
    /// Expired, as a part of all that are no longer pending, 0 to 1.
    pub expiry_rate: Option<f64>,
    /// Pending reviews at least as old as was asked.
    pub older: u64,
}

/// The ranges of ages: name, and the end in seconds, not included.
const AGES: [(&str, i64); 4] = [("under 1 d", DAY), ("1–3 d", 3 * DAY), ("3–7 d", 7 * DAY), ("7–14 d", i64::MAX)];

/// Figures of the queue now.
///
/// # Errors
/// When the queue can't be listed.
pub fn stats(ctx: &Context, query: StatsQuery) -> Result<Stats> {
    let now = ctx.now();
    let (found, _) = ctx.store.review_summaries(ReviewQuery::all(now))?;
    let mut stats = Stats { pending_by_age: AGES.iter().map(|(name, _)| (*name, 0)).collect(), ..Stats::default() };
    for status in Status::ALL {
        stats.by_status.insert(status.name(), 0);
    }
    let mut times = Vec::new();
    for summary in &found {
        *stats.by_status.entry(summary.status.name()).or_insert(0) += 1;
        let age = summary.created_at.map_or(0, |at| now.since(at));
        match summary.status {
            Status::Pending => {
                let range = AGES.iter().position(|(_, end)| age < *end).and_then(|at| stats.pending_by_age.get_mut(at));
                if let Some((_, count)) = range {
                    *count += 1;
                }
                stats.older += u64::from(query.older_than.is_some_and(|least| age >= least));
            }
            Status::Expired => {}
            _ => stats.count_decisions(ctx, summary, &mut times),
        }
    }
    times.sort_unstable();
    stats.median_seconds_to_decision = times.get(times.len() / 2).copied();
    let count = |status: Status| stats.by_status.get(status.name()).copied().unwrap_or(0);
    let ended = found.len() as u64 - count(Status::Pending);
    #[allow(clippy::cast_precision_loss, reason = "counts of files are far below 2^52")]
    let rate = (ended > 0).then(|| count(Status::Expired) as f64 / ended as f64);
    stats.expiry_rate = rate;
    Ok(stats)
}

impl Stats {
    fn count_decisions(&mut self, ctx: &Context, summary: &Summary, times: &mut Vec<i64>) {
        // A file that is gone or unreadable has no decisions to count; `doctor` names it.
        let Ok((review, _)) = load(ctx, &summary.id) else { return };
        let mut first = None;
        for entry in review.doc.list("history") {
            let word = |key: &str| entry.get(key).and_then(Value::as_str);
            let (Some(by), Some(action), Some(at)) = (word("by"), word("action"), word("at")) else { continue };
            let Ok(at) = Timestamp::parse(at) else { continue };
            if !matches!(action, "approve" | "reject") {
                continue;
            }
            first = first.or(Some(at));
            let week = at.as_chrono().iso_week();
            let week = format!("{}-W{:02}", week.year(), week.week());
            *self.decisions.entry(by.to_owned()).or_default().entry(week).or_insert(0) += 1;
        }
        times.extend(first.zip(summary.created_at).map(|(at, created)| at.since(created)));
    }
}
