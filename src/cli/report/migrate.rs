//! Outcomes of `migrate`.

use serde_json::{Map, Value, json};

use super::count;
use crate::app::migrate::{Action, Migration, Planned};
use crate::cli::sanitize;
use crate::cli::table::{Cell, Column, Table, Tone};
use crate::cli::ui::Ui;
use crate::mask::Masked;

/// What would become of each entry.
pub(crate) fn planned(plan: &Migration, ui: &mut Ui) {
    if ui.json() {
        return document(plan, false, ui);
    }
    let mut table = Table::new([
        Column::short("would be"),
        Column::short("place"),
        Column::short("type"),
        Column::text("key and value"),
        Column::text("why"),
    ]);
    let mut source = None;
    let is_one =
        plan.entries.iter().all(|entry| Some(&entry.source) == plan.entries.first().map(|first| &first.source));
    for entry in &plan.entries {
        let place = if is_one { entry.place.as_str().to_owned() } else { format!("{}, {}", entry.source, entry.place) };
        source.get_or_insert(&entry.source);
        let becomes = entry.becomes.as_ref();
        let what = becomes.map(|becomes| format!("{}: {}", becomes.key, becomes.value)).unwrap_or_default();
        let tone = if entry.action == Action::Migrate { Tone::Strong } else { Tone::Plain };
        table.row(vec![
            Cell::new(entry.action.word()).tone(tone),
            Cell::new(place),
            Cell::new(becomes.map(|becomes| becomes.block_type.word()).unwrap_or_default()),
            Cell::new(what),
            Cell::new(entry.reason.clone()),
        ]);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    ui.line(&tally(plan));
    ui.line("nothing was changed");
}

/// What became of them: those that were refused one by one, the others as counts.
pub(crate) fn done(done: &Migration, ui: &mut Ui) {
    if ui.json() {
        return document(done, true, ui);
    }
    for warning in done.warnings.iter().take(20) {
        ui.warning(&sanitize::line(warning));
    }
    for entry in done.entries.iter().filter(|entry| entry.action == Action::Refuse) {
        ui.warning(&sanitize::line(&format!("{}, {}: refused: {}", entry.source, entry.place, entry.reason)));
    }
    ui.line(&tally(done));
}

fn tally(migration: &Migration) -> String {
    let counts = migration.counts();
    let parts: Vec<String> = counts.iter().map(|(action, number)| format!("{number} {}", action.word())).collect();
    let number = migration.entries.len() as u64;
    format!("{}: {}; {} with something masked", count(number, "entry", "entries"), parts.join(", "), migration.masked())
}

fn document(migration: &Migration, is_done: bool, ui: &mut Ui) {
    let entries: Vec<Value> = migration.entries.iter().map(entry).collect();
    let mut counts: Map<String, Value> =
        migration.counts().iter().map(|(action, number)| (action.word().to_owned(), json!(number))).collect();
    let changed = is_done && migration.entries.iter().any(|entry| entry.action == Action::Migrate);
    counts.insert("entries".to_owned(), json!(migration.entries.len()));
    counts.insert("masked".to_owned(), json!(migration.masked()));
    ui.document(json!({
        "entries": entries,
        "counts": counts,
        "changed": changed,
        "warnings": migration.warnings,
    }));
}

fn entry(entry: &Planned) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    set("source", json!(entry.source));
    set("place", json!(entry.place));
    set("action", json!(entry.action.word()));
    set("reason", json!(entry.reason));
    if let Some(becomes) = &entry.becomes {
        set("type", json!(becomes.block_type.word()));
        set("category", json!(becomes.category.word()));
        set("key", json!(becomes.key));
        set("value", json!(becomes.value));
        set("entities", json!(becomes.entities.iter().map(Masked::as_str).collect::<Vec<_>>()));
        set("confidence", json!(becomes.confidence));
        set("masked", json!(becomes.is_masked));
    }
    Value::Object(fields)
}
