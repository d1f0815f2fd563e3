//! Lists of reviews, in every format.

use serde_json::{Value, json};

use super::{count, flags, skipped, skipped_fields};
use crate::app::Context;
use crate::cli::commands::review::Format;
use crate::cli::report::csv::field as csv_field;
use crate::cli::report::time::{left, old};
use crate::cli::table::{Cell, Column, Table, Tone};
use crate::cli::ui::Ui;
use crate::domain::review::Status;
use crate::domain::time::Timestamp;
use crate::store::{Skipped, Summary};

/// A list of reviews.
pub(crate) fn list(
    found: &[Summary],
    unread: &[Skipped],
    is_pending: bool,
    format: Format,
    ctx: &Context,
    ui: &mut Ui,
) {
    match format {
        Format::Table => table(found, is_pending, ctx.now(), ui),
        Format::Json => ui.rows("reviews", found.iter().map(to_json), &skipped_fields(unread)),
        Format::Jsonl => found.iter().for_each(|summary| ui.line(&to_json(summary).to_string())),
        Format::Csv => csv(found, ui),
        Format::Ids => found.iter().for_each(|summary| ui.line(summary.id.as_str())),
    }
    skipped(unread, ui);
}

fn table(found: &[Summary], is_pending: bool, now: Timestamp, ui: &mut Ui) {
    if found.is_empty() {
        ui.status(if is_pending { "nothing is pending" } else { "no reviews" });
        return;
    }
    let mut columns = vec![Column::id("id")];
    if !is_pending {
        columns.push(Column::short("status"));
    }
    columns.extend([
        Column::short("age"),
        Column::short("time left"),
        Column::text("project"),
        Column::text("page"),
        Column::text("fact"),
        Column::short("fact status"),
        Column::text("flags"),
    ]);
    let mut table = Table::new(columns);
    for summary in found {
        let mut cells = vec![Cell::new(summary.id.as_str()).tone(Tone::Strong)];
        if !is_pending {
            cells.push(status(summary));
        }
        let time_left = summary.expires_at.filter(|_| summary.status == Status::Pending).map(|at| left(at, now));
        cells.extend([
            Cell::new(summary.created_at.map(|at| old(at, now)).unwrap_or_default()),
            Cell::new(time_left.unwrap_or_default()),
            Cell::new(summary.project.as_deref().unwrap_or_default()),
            Cell::new(summary.page.as_deref().unwrap_or_default()),
            Cell::new(summary.fact.as_str()),
            Cell::new(summary.fact_status.as_str()),
            flags(&summary.flags),
        ]);
        table.row(cells);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    let conflicts = found.iter().filter(|summary| summary.is_conflict()).count();
    let conflicts =
        if conflicts == 0 { String::new() } else { format!(", {}", count(conflicts, "conflict", "conflicts")) };
    ui.status(&format!("{}{conflicts}", count(found.len(), "review", "reviews")));
}

fn status(summary: &Summary) -> Cell {
    let status = summary.status;
    match status {
        Status::Approved if summary.is_in_place() => Cell::new(status.name()).tone(Tone::Good),
        Status::Approved => Cell::new("approved, not yet in the vault").tone(Tone::Warn),
        Status::Transferred => Cell::new(status.name()).tone(Tone::Good),
        Status::Pending => Cell::new(status.name()),
        Status::Rejected | Status::Expired | Status::Discarded => Cell::new(status.name()).tone(Tone::Dim),
    }
}

fn to_json(summary: &Summary) -> Value {
    json!({
        "review_id": summary.id,
        "status": summary.status,
        "kind": summary.kind,
        "project": summary.project,
        "proposed_fact": summary.fact,
        "fact_status": summary.fact_status,
        "confidence": summary.confidence,
        "proposed_obsidian_page": summary.page,
        "agent": summary.agent,
        "source_session": summary.session,
        "created_at": summary.created_at,
        "expires_at": summary.expires_at,
        "flags": summary.flags,
        "conflict": summary.is_conflict(),
        "seen_count": summary.seen,
    })
}

const CSV_FIELDS: [&str; 11] = [
    "review_id",
    "status",
    "kind",
    "project",
    "proposed_fact",
    "fact_status",
    "confidence",
    "proposed_obsidian_page",
    "created_at",
    "expires_at",
    "flags",
];

fn csv(found: &[Summary], ui: &mut Ui) {
    ui.text(&format!("{}\r\n", CSV_FIELDS.join(",")));
    for summary in found {
        let value = to_json(summary);
        let fields = CSV_FIELDS.iter().map(|field| match value.get(*field) {
            Some(Value::String(text)) => csv_field(text),
            Some(Value::Array(list)) => csv_field(&list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
            _ => String::new(),
        });
        let line = fields.collect::<Vec<_>>().join(",");
        ui.text(&format!("{line}\r\n"));
    }
}
