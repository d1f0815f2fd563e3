//! What outcomes look like: one file a group, each with the text for people and the JSON for programs.

pub(super) mod audit;
pub(super) mod backup;
pub(super) mod block;
pub(super) mod config;
mod csv;
pub(super) mod doctor;
pub(super) mod erase;
pub(super) mod extract;
pub(super) mod init;
pub(super) mod mask;
pub(super) mod migrate;
pub(super) mod retention;
pub(super) mod review;
pub(super) mod schedule;
pub(super) mod session;
pub(super) mod status;
mod time;
pub(super) mod vault;

pub(super) use time::local;

use std::fmt::Display;

use serde_json::{Map, Value, json};

use super::sanitize;
use super::table::{Cell, Column, Table, bars};
use super::ui::Ui;
use crate::store::Skipped;

/// The widest bar of a chart, in columns.
const BAR: u16 = 30;

/// `1 review`, `2 reviews`.
fn count<N: Copy + Display + PartialEq + From<bool>>(number: N, one: &str, many: &str) -> String {
    format!("{number} {}", if number == N::from(true) { one } else { many })
}

/// Bytes for people: `812 B`, `1.4 kB`, `23 MB`; powers of ten.
fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 4] = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)];
    let Some((unit, one)) = UNITS.into_iter().find(|(_, one)| bytes >= *one) else { return format!("{bytes} B") };
    let tenths = bytes / (one / 10);
    if tenths < 100 { format!("{}.{} {unit}", tenths / 10, tenths % 10) } else { format!("{} {unit}", tenths / 10) }
}

/// Named numbers with a bar each, the longest for the largest; nothing where there are none.
fn chart(title: &'static str, unit: &'static str, rows: Vec<(String, u64)>, ui: &mut Ui) {
    let max = rows.iter().map(|(_, number)| *number).max().unwrap_or(0);
    let mut table = Table::new([Column::short(title), Column::number(unit), Column::short("")]);
    for (name, number) in rows {
        table.row(vec![Cell::new(name), Cell::new(number.to_string()), Cell::new(bars(number, max, BAR))]);
    }
    let text = table.render(ui.screen());
    if !text.is_empty() {
        ui.text(&text);
        ui.line("");
    }
}

/// Files that could not be read, as the fields of a list in JSON.
fn skipped_fields(skipped: &[Skipped]) -> Map<String, Value> {
    let skipped: Vec<_> = skipped.iter().map(|file| json!({"path": file.path, "reason": file.why})).collect();
    Map::from_iter([("skipped".to_owned(), skipped.into())])
}

/// Warns of files that could not be read.
fn skipped(skipped: &[Skipped], ui: &Ui) {
    for file in skipped.iter().take(5) {
        ui.warning(&sanitize::line(&file.why));
    }
    if skipped.len() > 5 {
        ui.warning(&format!("and {} more files that can't be read", skipped.len() - 5));
    }
}
