//! The outcome of `status`.

use serde_json::json;

use super::time::{ago, left};
use super::{count, retention};
use crate::app::Context;
use crate::app::status::Status;
use crate::cli::error::clock_says;
use crate::cli::table::{Cell, KeyValues, Tone};
use crate::cli::ui::Ui;
use crate::domain::retention::Action;

/// One look at everything.
pub(crate) fn status(status: &Status, ctx: &Context, ui: &mut Ui) {
    let queue = &status.queue;
    if ui.json() {
        ui.document(json!({
            "root": ctx.store.root(),
            "pending": queue.pending.len(),
            "conflicts": queue.conflicts,
            "expiring": queue.expiring.len(),
            "approved": queue.approved.len(),
            "overdue_reviews": status.overdue_reviews,
            "sessions": status.sessions,
            "sessions_due": status.due.get(&Action::Archive).map_or(0, |tally| tally.count),
            "due": retention::counts(&status.due),
            "last_retention": status.last_retention,
            "clock": status.clock.map(clock_says),
            "backups": status.backups.as_ref().ok().map(|backups| json!({
                "count": backups.count, "newest_good": backups.newest_good, "overdue": backups.is_overdue,
            })),
            "unreadable": status.unreadable,
            "half_way": status.half_way,
            "audit": status.audit,
            "needs_action": status.needs_action(),
        }));
        return;
    }
    let mut page = KeyValues::new();
    page.section("Review queue");
    page.pair("pending", Cell::new(count(queue.pending.len(), "review waits", "reviews wait")));
    if queue.conflicts > 0 {
        page.pair(
            "conflicts",
            Cell::new(count(queue.conflicts, "contradicts the vault", "contradict the vault")).tone(Tone::Bad),
        );
    }
    if let Some(next) = queue.expiring.iter().min_by_key(|summary| summary.expires_at) {
        let next_left = next.expires_at.map(|at| left(at, ctx.now())).unwrap_or_default();
        let text = format!("{} within 7 d, the first: {next_left}", count(queue.expiring.len(), "expires", "expire"));
        page.pair("expiring", Cell::new(text).tone(Tone::Warn));
    }
    if !queue.approved.is_empty() {
        page.pair(
            "approved",
            Cell::new(format!("{} not yet in the vault", count(queue.approved.len(), "is", "are"))).tone(Tone::Warn),
        );
    }
    if status.overdue_reviews > 0 {
        page.pair(
            "expired",
            count(status.overdue_reviews, "waits for the next retention run", "wait for the next retention run"),
        );
    }
    page.section("Sessions");
    let states: Vec<String> = ["active", "idle", "closed", "archived"]
        .iter()
        .map(|state| format!("{} {state}", status.sessions.get(state).copied().unwrap_or(0)))
        .collect();
    page.pair("by state", states.join(", "));
    page.section("Retention");
    let due = retention::summary(&status.due);
    page.pair("due", if due.is_empty() { "nothing".to_owned() } else { due });
    let last = status.last_retention.as_ref();
    let partly = if last.is_some_and(|run| run.outcome == "partly") { ", with files left alone" } else { "" };
    page.pair("last run", last.map_or_else(|| "never".to_owned(), |run| format!("{}{partly}", ago(run.at, ctx.now()))));
    if let Some(jump) = status.clock {
        page.pair("clock", Cell::new(format!("{}: nothing is deleted", clock_says(jump))).tone(Tone::Bad));
    }
    page.section("Backup");
    page.pair("last", super::backup::last(&status.backups, ctx));
    page.section("Tree");
    page.pair("root", ctx.store.root().display().to_string());
    if status.unreadable > 0 {
        page.pair("unreadable", Cell::new(count(status.unreadable, "file", "files")).tone(Tone::Bad));
    }
    if status.half_way {
        page.pair("half way", "a change was cut short; the next command that writes finishes it");
    }
    let audit = &status.audit;
    let chain = match audit.faults {
        0 => Cell::new(format!("{}, an unbroken chain", count(audit.entries, "entry", "entries"))).tone(Tone::Good),
        faults => Cell::new(format!("{}: hermes-mem audit verify", count(faults, "broken place", "broken places")))
            .tone(Tone::Bad),
    };
    page.pair("audit", chain);
    let text = page.render(ui.screen());
    ui.text(&text);
}
