//! The outcome of `mask scan`.

use serde_json::json;

use super::{count, skipped};
use crate::app::scan::Scan;
use crate::cli::table::{Cell, Column, Table, Tone};
use crate::cli::ui::Ui;

/// The tree was looked through.
pub(crate) fn scanned(scan: &Scan, fix: bool, ui: &mut Ui) {
    if ui.json() {
        let skipped: Vec<_> = scan.skipped.iter().map(|file| json!({"path": file.path, "reason": file.why})).collect();
        ui.document(json!({
            "documents": scan.documents,
            "findings": scan.findings,
            "by_kind": scan.by_kind,
            "masked": scan.masked,
            "skipped": skipped,
        }));
        return;
    }
    let mut table = Table::new([Column::id("file"), Column::text("found"), Column::short("")]);
    for found in &scan.findings {
        let kinds: Vec<String> = found.kinds.iter().map(|(kind, number)| format!("{kind} {number}")).collect();
        let state = match (found.masked, fix) {
            (true, _) => Cell::new("masked").tone(Tone::Good),
            (false, true) => Cell::new("left as it is").tone(Tone::Warn),
            (false, false) => Cell::new(""),
        };
        table.row(vec![
            Cell::new(found.path.display().to_string()).tone(Tone::Strong),
            Cell::new(kinds.join(", ")),
            state,
        ]);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    let documents = count(scan.documents, "document", "documents");
    if scan.findings.is_empty() {
        ui.line(&format!("{documents}, nothing to mask"));
    } else {
        let kinds: Vec<String> = scan.by_kind.iter().map(|(kind, number)| format!("{kind} {number}")).collect();
        ui.line(&format!("{documents}, {} with something to mask: {}", scan.findings.len(), kinds.join(", ")));
        if scan.masked > 0 {
            ui.line(&format!("masked {}", count(scan.masked, "document", "documents")));
        } else if !fix {
            ui.hint("mask it: hermes-mem mask scan --fix");
        }
    }
    skipped(&scan.skipped, ui);
}
