//! Outcomes of `config`.

use serde_json::json;

use crate::app::config::KEYS;
use crate::cli::setup::{Loaded, Origin};
use crate::cli::table::{Cell, Column, Table, Tone};
use crate::cli::ui::Ui;

/// Every value in force.
pub(crate) fn show(loaded: &Loaded, ui: &mut Ui) {
    let values: Vec<_> = loaded
        .config
        .values()
        .into_iter()
        .zip(KEYS)
        .map(|((key, value), known)| {
            let origin = if loaded.config.set.contains(&key) { Origin::File } else { Origin::Default };
            match key {
                "root" => (key, Some(loaded.root.display().to_string()), loaded.root_origin, known.about),
                _ => (key, value, origin, known.about),
            }
        })
        .collect();
    if ui.json() {
        let values: Vec<_> = values
            .iter()
            .map(|(key, value, origin, about)| json!({"key": key, "value": value, "from": origin.name(), "about": about}))
            .collect();
        ui.document(json!({"file": loaded.file, "values": values}));
        return;
    }
    let mut table =
        Table::new([Column::id("key"), Column::short("value"), Column::short("from"), Column::text("what it does")]);
    for (key, value, origin, about) in values {
        let tone = if origin == Origin::Default { Tone::Dim } else { Tone::Plain };
        let value = value.unwrap_or_else(|| "–".to_owned());
        table.row(vec![
            Cell::new(key),
            Cell::new(value).tone(tone),
            Cell::new(origin.name()).tone(tone),
            Cell::new(about),
        ]);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    match &loaded.file {
        Some(file) => ui.status(&format!("read from {}", file.display())),
        None => ui.status("there is no configuration file; all values are defaults"),
    }
}

/// The file is fine.
pub(crate) fn checked(loaded: &Loaded, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"file": loaded.file, "findings": []}));
        return;
    }
    match &loaded.file {
        Some(file) => ui.line(&format!("{} is fine", file.display())),
        None => ui.line("there is no configuration file; the defaults are in force"),
    }
}
