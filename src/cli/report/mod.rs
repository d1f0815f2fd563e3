//! What outcomes look like: one file a group, each with the text for people and the JSON for programs.

pub(super) mod audit;
pub(super) mod block;
pub(super) mod config;
mod csv;
pub(super) mod erase;
pub(super) mod init;
pub(super) mod mask;
pub(super) mod retention;
pub(super) mod review;
pub(super) mod session;
pub(super) mod status;
mod time;
pub(super) mod vault;

pub(super) use time::local;

use super::sanitize;
use super::ui::Ui;
use crate::store::Skipped;

/// `1 review`, `2 reviews`.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
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
