//! The reminder, and how the queue is doing.

use serde_json::json;

use super::count;
use crate::app::Context;
use crate::app::reviews::{Reminder, Stats};
use crate::cli::report::chart;
use crate::cli::report::time::left;
use crate::cli::ui::Ui;
use crate::domain::span::{Span, age};

/// What waits for people: for a mail from cron, so it goes to stdout even where it is short.
pub(crate) fn reminder(reminder: &Reminder, ctx: &Context, ui: &mut Ui) {
    let ids = |summaries: &[crate::store::Summary]| summaries.iter().map(|s| s.id.to_string()).collect::<Vec<_>>();
    if ui.json() {
        ui.document(json!({
            "pending": reminder.pending.len(),
            "conflicts": reminder.conflicts,
            "expiring": ids(&reminder.expiring),
            "approved": ids(&reminder.approved),
        }));
        return;
    }
    if reminder.is_empty() {
        return;
    }
    let conflicts = match reminder.conflicts {
        0 => String::new(),
        number => format!(", {}", count(number, "contradicts the vault", "contradict the vault")),
    };
    ui.line(&format!("{} for a decision{conflicts}.", count(reminder.pending.len(), "review waits", "reviews wait")));
    let mut section = |title: String, lines: Vec<String>| {
        if !lines.is_empty() {
            ui.line("");
            ui.line(&title);
            for line in &lines {
                ui.line(&format!("  {line}"));
            }
        }
    };
    let soon = reminder.expiring.iter().map(|summary| {
        let time_left = summary.expires_at.map(|at| left(at, ctx.now())).unwrap_or_default();
        format!("{}  {time_left}", summary.id)
    });
    section(format!("{} within 7 days:", count(reminder.expiring.len(), "expires", "expire")), soon.collect());
    let approved =
        format!("{} and not yet in the vault:", count(reminder.approved.len(), "is approved", "are approved"));
    section(approved, ids(&reminder.approved));
    ui.line("");
    ui.line("Decide: hermes-mem review walk");
}

/// How the queue is doing.
pub(crate) fn stats(stats: &Stats, older_than: Option<Span>, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!(stats));
        return;
    }
    let pending = stats.pending_by_age.iter().map(|(name, number)| ((*name).to_owned(), *number));
    chart("pending, by age", "reviews", pending.collect(), ui);
    let by_status = stats.by_status.iter().map(|(name, number)| ((*name).to_owned(), *number));
    chart("all, by status", "reviews", by_status.collect(), ui);
    let decisions = stats
        .decisions
        .iter()
        .flat_map(|(by, weeks)| weeks.iter().map(move |(week, number)| (format!("{week} {by}"), *number)));
    chart("decisions, by week and reviewer", "reviews", decisions.collect(), ui);
    if let Some(median) = stats.median_seconds_to_decision {
        let median = if median < 60 { "under 1 min".to_owned() } else { age(median) };
        ui.line(&format!("median time to a decision: {median}"));
    }
    if let Some(rate) = stats.expiry_rate {
        ui.line(&format!("expired undecided: {:.0} %", rate * 100.0));
    }
    if let Some(span) = older_than {
        ui.line(&format!("pending for {span} or longer: {}", stats.older));
    }
}
