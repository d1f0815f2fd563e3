//! The outcomes of `retention …`.

use serde_json::{Map, Value, json};

use super::{count, sanitize, size};
use crate::app::retention::{Report, Skip, Tallies, Tally};
use crate::cli::error::clock_says;
use crate::cli::table::{Cell, Column, Table, Tone};
use crate::cli::ui::Ui;
use crate::domain::retention::{Action, Rule};

/// How many files that were left alone are named on stderr; the JSON names up to a thousand.
const NAMED: usize = 20;

/// What is done to what, as an infinitive and as done.
const fn words(action: Action) -> (&'static str, &'static str) {
    match action {
        Action::Idle => ("move to idle", "moved to idle"),
        Action::Close => ("close", "closed"),
        Action::Archive => ("compress and archive", "archived"),
        Action::RemoveText => ("remove text and retrieval from", "stripped of text and retrieval"),
        Action::RemoveFacts => ("remove proposed facts from", "stripped of proposed facts"),
        Action::RemoveDecisions => ("remove decisions and tasks from", "stripped of decisions and tasks"),
        Action::DeleteSession | Action::DeleteReview | Action::DeleteBlock => ("delete", "deleted"),
        Action::ExpireReview => ("expire", "expired"),
        Action::FileReview => ("move to archived", "moved to archived"),
    }
}

fn noun(action: Action, number: u64) -> String {
    match action {
        Action::Idle
        | Action::Close
        | Action::Archive
        | Action::RemoveText
        | Action::RemoveFacts
        | Action::RemoveDecisions
        | Action::DeleteSession => count(number, "session", "sessions"),
        Action::ExpireReview | Action::FileReview | Action::DeleteReview => count(number, "review", "reviews"),
        Action::DeleteBlock => count(number, "block", "blocks"),
    }
}

/// The list of actions of a JSON answer, written as they come.
#[derive(Debug, Default)]
pub(crate) struct Actions {
    any: bool,
}

impl Actions {
    /// One more; nothing where the answer is no JSON.
    pub(crate) fn add(&mut self, action: Action, target: &str, reason: &str, ui: &mut Ui) {
        if !ui.json() {
            return;
        }
        ui.text(if self.any { ",\n    " } else { "{\n  \"schema\": 1,\n  \"actions\": [\n    " });
        self.any = true;
        ui.text(&json!({"action": action, "target": target, "reason": reason}).to_string());
        // Where it can't be written the work goes on all the same.
        ui.spill();
    }

    /// Ends the list, and adds what the report says. Without a report nothing is answered but actions that were told of.
    pub(crate) fn finish(self, report: Option<&Report>, is_plan: bool, ui: &mut Ui) {
        if !ui.json() || (report.is_none() && !self.any) {
            return;
        }
        let mut fields = Map::new();
        let tallies = |part: fn(&Tally) -> u64| -> Value {
            let tallies = report.into_iter().flat_map(|report| &report.tallies);
            tallies.map(|(action, tally)| (action.name().to_owned(), part(tally).into())).collect::<Map<_, _>>().into()
        };
        fields.insert("counts".to_owned(), tallies(|tally| tally.count));
        fields.insert("bytes".to_owned(), tallies(|tally| tally.bytes));
        fields.insert("changed".to_owned(), (!is_plan).into());
        fields.insert("completed".to_owned(), report.is_some().into());
        if let Some(report) = report {
            let skipped: Vec<_> =
                report.skipped.named.iter().map(|file| json!({"path": file.path, "reason": file.why})).collect();
            fields.insert("left_alone".to_owned(), report.skipped.count.into());
            fields.insert("skipped".to_owned(), skipped.into());
            fields.insert("clock".to_owned(), report.clock.map(clock_says).into());
        }
        ui.text(if self.any { "\n  ],\n" } else { "{\n  \"schema\": 1,\n  \"actions\": [],\n" });
        let rest = serde_json::to_string_pretty(&Value::Object(fields)).unwrap_or_default();
        ui.text(rest.strip_prefix("{\n").unwrap_or(&rest));
        ui.text("\n");
    }
}

/// The counts of a plan, by action.
pub(super) fn counts(tallies: &Tallies) -> Value {
    tallies.iter().map(|(action, tally)| (action.name().to_owned(), tally.count.into())).collect::<Map<_, _>>().into()
}

/// A plan on one line: `archive 3 sessions, expire 1 review`.
pub(super) fn summary(tallies: &Tallies) -> String {
    let parts = tallies.iter().map(|(action, tally)| format!("{} {}", words(*action).0, noun(*action, tally.count)));
    parts.collect::<Vec<_>>().join(", ")
}

/// What is due.
pub(crate) fn planned(report: &Report, ui: &mut Ui) {
    if !ui.json() {
        let mut table = Table::new([Column::text("what"), Column::short("how many"), Column::number("size")]);
        for (action, tally) in &report.tallies {
            table.row(vec![
                Cell::new(format!("would {}", words(*action).0)),
                Cell::new(noun(*action, tally.count)).tone(Tone::Strong),
                Cell::new(size(tally.bytes)),
            ]);
        }
        let text = table.render(ui.screen());
        ui.text(&text);
        ui.line(if table.is_empty() { "nothing is due; nothing was changed" } else { "nothing was changed" });
        if let Some(jump) = report.clock {
            ui.warning(&format!("{}: a run would delete nothing and ask for --accept-clock", clock_says(jump)));
        }
    }
    left_alone(report, ui);
}

/// What was done: nothing on a pipe unless asked for.
pub(crate) fn done(report: &Report, is_watched: bool, ui: &mut Ui) {
    if !ui.json() && (is_watched || ui.verbose()) {
        let done = report
            .tallies
            .iter()
            .map(|(action, tally)| format!("{} {}", noun(*action, tally.count), words(*action).1))
            .collect::<Vec<_>>();
        ui.line(&if done.is_empty() { "nothing was due".to_owned() } else { done.join(", ") });
    }
    left_alone(report, ui);
}

fn left_alone(report: &Report, ui: &Ui) {
    skipped(&report.skipped, ui);
}

/// Warns of files that were left alone.
pub(super) fn skipped(skip: &Skip, ui: &Ui) {
    for file in skip.named.iter().take(NAMED) {
        ui.warning(&sanitize::line(&file.why));
    }
    let more = skip.count.saturating_sub(NAMED as u64);
    if more > 0 {
        ui.warning(&format!("and {more} more that were left alone"));
    }
}

/// The rules in force.
pub(crate) fn policy(rules: &[Rule], ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"rules": rules}));
        return;
    }
    let mut table =
        Table::new([Column::text("what"), Column::short("kept"), Column::text("from"), Column::text("then")]);
    for rule in rules {
        let kept = rule.kept.as_deref().unwrap_or("–");
        let key = rule.key.map_or_else(String::new, |key| format!(" ({key})"));
        table.row(vec![
            Cell::new(format!("{}{key}", rule.what)),
            Cell::new(kept).tone(Tone::Strong),
            Cell::new(rule.from),
            Cell::new(rule.then),
        ]);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
}
