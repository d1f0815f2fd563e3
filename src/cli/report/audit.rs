//! Outcomes of `audit`.

use serde_json::json;

use super::count;
use super::time::local;
use crate::cli::table::{Cell, Column, Table, Tone};
use crate::cli::ui::Ui;
use crate::domain::time::Timestamp;
use crate::store::audit::{Head, Line, Report};

/// Entries of the log.
pub(crate) fn entries(entries: &[Line<'_>], ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"entries": entries}));
        return;
    }
    let mut table = Table::new([
        Column::number("seq"),
        Column::short("time"),
        Column::short("actor"),
        Column::short("via"),
        Column::short("operation"),
        Column::short("outcome"),
        Column::short("target"),
        Column::text("counts"),
    ]);
    for entry in entries {
        let time = Timestamp::parse(&entry.ts).map_or_else(|_| entry.ts.to_string(), local);
        let counts: Vec<String> = entry.counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let tone = if entry.outcome == "ok" { Tone::Plain } else { Tone::Warn };
        table.row(vec![
            Cell::new(entry.seq.to_string()),
            Cell::new(time),
            Cell::new(entry.actor.as_ref()),
            Cell::new(entry.via.as_ref()),
            Cell::new(entry.op.as_ref()),
            Cell::new(entry.outcome.as_ref()).tone(tone),
            Cell::new(entry.target.as_deref().unwrap_or_default()),
            Cell::new(counts.join(", ")),
        ]);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
}

/// The chain was checked.
pub(crate) fn verified(report: &Report, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"entries": report.lines, "head": report.head, "findings": report.faults}));
        return;
    }
    let lines = report.lines;
    for fault in &report.faults {
        ui.line(&format!("{}:{}: {}", fault.file.display(), fault.line, fault.what));
    }
    if report.faults.is_empty() {
        ui.line(&format!("{}, an unbroken chain up to {}", count(lines, "entry", "entries"), report.head));
    } else {
        ui.line(&format!(
            "{}, {}",
            count(lines, "entry", "entries"),
            count(report.faults.len(), "broken place", "broken places")
        ));
    }
}

/// The end of the chain.
pub(crate) fn head(head: &Head, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"seq": head.seq, "hash": head.hash, "ts": head.ts}));
        return;
    }
    ui.line(&head.hash);
    if ui.verbose() {
        ui.status(&format!("entry {}, {}", head.seq, head.ts.as_deref().unwrap_or("none yet")));
    }
}
