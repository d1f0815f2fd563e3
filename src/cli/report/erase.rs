//! The outcome of `erase`.

use std::collections::BTreeMap;

use serde_json::json;

use super::{count, retention, time};
use crate::app::Context;
use crate::app::erase::{Erased, Hit, Part};
use crate::cli::table::{Cell, Column, Screen, Table, Tone};
use crate::cli::ui::Ui;

/// What of an entry is, or would be, removed.
fn part(hit: &Hit) -> String {
    let number = hit.count;
    match hit.part {
        Part::Fields => count(number, "field", "fields"),
        Part::Session => "the session".to_owned(),
        Part::Review => "the review".to_owned(),
        Part::Block if number > 1 => format!("the block, {number} values"),
        Part::Block => "the block".to_owned(),
    }
}

fn table(erased: &Erased, verb: &str, screen: Screen) -> String {
    let mut table = Table::new([Column::id("entry"), Column::short("what")]);
    for hit in &erased.hits {
        let what = format!("{verb}{}", part(hit));
        table.row(vec![Cell::new(hit.target.clone()).tone(Tone::Strong), Cell::new(what)]);
    }
    table.render(&screen)
}

fn counts(erased: &Erased) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for hit in &erased.hits {
        *counts.entry(hit.part.name()).or_insert(0) += hit.count;
    }
    counts
}

fn document(erased: &Erased, changed: bool, ui: &mut Ui) {
    let actions: Vec<_> = erased
        .hits
        .iter()
        .map(|hit| json!({"action": hit.part.name(), "target": hit.target, "reason": part(hit), "count": hit.count}))
        .collect();
    let skipped: Vec<_> =
        erased.skipped.named.iter().map(|file| json!({"path": file.path, "reason": file.why})).collect();
    ui.document(json!({
        "actions": actions,
        "counts": counts(erased),
        "changed": changed && !erased.hits.is_empty(),
        "backups_until": erased.backups_until,
        "left_alone": erased.skipped.count,
        "skipped": skipped,
    }));
}

/// What would be erased.
pub(crate) fn found(erased: &Erased, ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        return document(erased, false, ui);
    }
    let text = table(erased, "would remove ", *ui.screen());
    ui.text(&text);
    ui.line(if erased.hits.is_empty() { "nothing holds it; nothing was changed" } else { "nothing was changed" });
    rest(erased, ctx, ui);
}

/// The same, to be shown before the question.
pub(crate) fn to_erase(erased: &Erased, screen: Screen) -> String {
    if erased.hits.is_empty() { "Nothing holds it as things are.\n".to_owned() } else { table(erased, "", screen) }
}

/// What was erased.
pub(crate) fn erased(erased: &Erased, ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        return document(erased, true, ui);
    }
    let text = table(erased, "removed ", *ui.screen());
    ui.text(&text);
    if erased.hits.is_empty() {
        ui.line("nothing holds it");
    }
    rest(erased, ctx, ui);
}

fn rest(erased: &Erased, ctx: &Context, ui: &mut Ui) {
    if let Some(until) = erased.backups_until {
        ui.line(&format!("a backup made before may hold it until {}", time::until(until, ctx.now())));
    }
    retention::skipped(&erased.skipped, ui);
}
