//! Outcomes of `migrate`.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::count;
use super::time::past;
use crate::app::migrate::{Checked, Listed, Migration, Planned, Taken};
use crate::cli::sanitize;
use crate::cli::table::{Cell, Column, Table, Tone};
use crate::cli::ui::Ui;
use crate::domain::migration::Action;
use crate::domain::time::Timestamp;
use crate::mask::Masked;

/// How many entries a table shows, and how many refusals are named one by one. JSON has them all.
const SHOWN_MAX: usize = 1000;
const REFUSED_MAX: usize = 50;

/// The entries that an answer shows: all of them as JSON, the first ones in a table.
pub(crate) struct Seen {
    is_json: bool,
    shown: Vec<Planned>,
    refused: Vec<Planned>,
    json: Vec<Value>,
}

impl Seen {
    pub(crate) fn new(ui: &Ui) -> Self {
        Self { is_json: ui.json(), shown: Vec::new(), refused: Vec::new(), json: Vec::new() }
    }

    pub(crate) fn see(&mut self, entry: Planned) {
        if self.is_json {
            self.json.push(to_json(&entry));
            return;
        }
        if entry.action == Action::Refuse && self.refused.len() < REFUSED_MAX {
            self.refused.push(entry.clone());
        }
        if self.shown.len() < SHOWN_MAX {
            self.shown.push(entry);
        }
    }
}

/// What would become of each entry.
pub(crate) fn planned(plan: &Migration, seen: &Seen, ui: &mut Ui) {
    if ui.json() {
        return document(plan, seen, ui);
    }
    let mut table = Table::new([
        Column::short("would be"),
        Column::short("place"),
        Column::short("type"),
        Column::text("key and value"),
        Column::text("why"),
    ]);
    let is_one = seen.shown.iter().all(|entry| Some(&entry.source) == seen.shown.first().map(|first| &first.source));
    for entry in &seen.shown {
        let place = if is_one { entry.place.as_str().to_owned() } else { format!("{}, {}", entry.source, entry.place) };
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
    let more = plan.entries().saturating_sub(seen.shown.len() as u64);
    if more > 0 {
        ui.line(&format!("… and {more} more; --json has them all"));
    }
    ui.line(&tally(plan));
    ui.line("nothing was changed");
}

/// What became of them: those that were refused one by one, the others as counts.
pub(crate) fn done(done: &Migration, seen: &Seen, took: Duration, ui: &mut Ui) {
    if ui.json() {
        return document(done, seen, ui);
    }
    for warning in done.warnings.iter().take(REFUSED_MAX) {
        ui.warning(&sanitize::line(warning));
    }
    for entry in &seen.refused {
        ui.warning(&sanitize::line(&format!("{}, {}: refused: {}", entry.source, entry.place, entry.reason)));
    }
    let more = done.count(Action::Refuse).saturating_sub(seen.refused.len() as u64);
    if more > 0 {
        ui.warning(&format!("{more} more were refused; --json names them"));
    }
    ui.line(&tally(done));
    if took >= Duration::from_secs(1) {
        let rate = f64::from(u32::try_from(done.entries()).unwrap_or(u32::MAX)) / took.as_secs_f64();
        ui.status(&format!("{rate:.0} entries/s"));
    }
    match &done.run {
        Some(run) => {
            ui.line(&format!("run {run}"));
            ui.hint(&format!("hermes-mem migrate verify {run}; hermes-mem migrate undo {run} takes it back"));
        }
        None => ui.line("nothing was changed"),
    }
}

fn tally(migration: &Migration) -> String {
    let parts = Action::ALL.map(|action| format!("{} {}", migration.count(action), action.word()));
    let number = count(migration.entries(), "entry", "entries");
    format!("{number}: {}; {} with something masked", parts.join(", "), migration.masked)
}

fn document(migration: &Migration, seen: &Seen, ui: &mut Ui) {
    let mut counts: Map<String, Value> =
        Action::ALL.iter().map(|action| (action.word().to_owned(), json!(migration.count(*action)))).collect();
    counts.insert("entries".to_owned(), json!(migration.entries()));
    counts.insert("masked".to_owned(), json!(migration.masked));
    let mut rest = Map::new();
    rest.insert("run".to_owned(), json!(migration.run.as_ref().map(ToString::to_string)));
    rest.insert("counts".to_owned(), Value::Object(counts));
    rest.insert("changed".to_owned(), json!(migration.run.is_some()));
    rest.insert("warnings".to_owned(), json!(migration.warnings));
    ui.rows("entries", seen.json.iter().cloned(), &rest);
}

fn to_json(entry: &Planned) -> Value {
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

/// What a look after a run found.
pub(crate) fn verified(checked: &Checked, ui: &mut Ui) {
    let number = |action: Action| checked.counts.get(&action).copied().unwrap_or(0);
    if ui.json() {
        let mut counts: Map<String, Value> =
            Action::ALL.iter().map(|action| (action.word().to_owned(), json!(number(*action)))).collect();
        counts.insert("entries".to_owned(), json!(checked.entries()));
        counts.insert("gone".to_owned(), json!(checked.gone));
        let refused = checked.refused.iter();
        ui.document(json!({
            "run": checked.run.id.as_str(),
            "whole": checked.faults.is_empty(),
            "counts": counts,
            "refused": refused.map(|(source, place, reason)| json!({
                "source": source, "place": place, "reason": reason,
            })).collect::<Vec<_>>(),
            "faults": checked.faults,
        }));
        return;
    }
    for (source, place, reason) in checked.refused.iter().take(SHOWN_MAX) {
        ui.line(&sanitize::line(&format!("refused: {source}, {place}: {reason}")));
    }
    for fault in checked.faults.iter().take(SHOWN_MAX) {
        ui.line(&sanitize::line(&format!("does not fit: {fault}")));
    }
    let parts: Vec<String> =
        Action::ALL.iter().map(|action| format!("{} {}", number(*action), action.word())).collect();
    let gone = if checked.gone > 0 { format!("; {} of them gone since", checked.gone) } else { String::new() };
    let all = count(checked.entries(), "entry", "entries");
    ui.line(&format!("{}: {all}: {}{gone}", checked.run.id, parts.join(", ")));
    ui.line(if checked.faults.is_empty() {
        "every entry is accounted for"
    } else {
        "not every entry is accounted for"
    });
}

/// A run was taken back.
pub(crate) fn undone(taken: &Taken, ui: &mut Ui) {
    let undone = taken.undone;
    if ui.json() {
        ui.document(json!({
            "run": taken.run.id.as_str(), "removed": undone.removed, "restored": undone.restored, "kept": undone.kept,
        }));
        return;
    }
    let removed = count(undone.removed, "block was removed", "blocks were removed");
    ui.line(&format!("{} is taken back: {removed}, {} as before", taken.run.id, undone.restored));
    if undone.kept > 0 {
        let kept = count(undone.kept, "block stays", "blocks stay");
        ui.line(&format!("{kept}: somebody has confirmed or changed them since"));
    }
}

/// The runs.
pub(crate) fn listed(runs: &[Listed], now: Timestamp, ui: &mut Ui) {
    if ui.json() {
        let rows = runs.iter().map(|listed| {
            let run = &listed.run;
            let counts: Map<String, Value> =
                listed.counts.iter().map(|(action, number)| (action.word().to_owned(), json!(number))).collect();
            json!({
                "run": run.id.as_str(),
                "at": run.at,
                "by": run.by,
                "undone_at": run.undone.as_ref().map(|(at, _)| at),
                "undone_by": run.undone.as_ref().map(|(_, by)| by),
                "counts": counts,
                "sources": run.sources.iter().map(|source| json!({
                    "path": source.path, "form": source.form, "bytes": source.bytes, "sha256": source.sha256,
                })).collect::<Vec<_>>(),
            })
        });
        ui.rows("runs", rows, &Map::new());
        return;
    }
    let mut table = Table::new([
        Column::id("run"),
        Column::short("age"),
        Column::short("by"),
        Column::number("migrated"),
        Column::number("merged"),
        Column::number("known"),
        Column::number("refused"),
        Column::text("sources"),
    ]);
    for listed in runs {
        let run = &listed.run;
        let sources: Vec<&str> = run.sources.iter().map(|source| source.path.as_str()).collect();
        let mut row = vec![
            Cell::new(run.id.as_str()).tone(if run.undone.is_some() { Tone::Plain } else { Tone::Strong }),
            Cell::new(past(run.at, now)),
            Cell::new(run.by.as_str()),
        ];
        let number = |action| listed.counts.iter().find(|(of, _)| *of == action).map_or(0, |(_, number)| *number);
        row.extend(Action::ALL.map(|action| Cell::new(number(action).to_string())));
        let taken = run.undone.as_ref().map(|(at, by)| format!(" (taken back {} by {by})", past(*at, now)));
        row.push(Cell::new(sources.join(", ") + &taken.unwrap_or_default()));
        table.row(row);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    if runs.is_empty() {
        ui.status("no migrations yet");
    }
}
