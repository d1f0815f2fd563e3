//! Outcomes of `init`.

use serde_json::json;

use super::count;
use crate::app::demo::Demo;
use crate::app::init::Initialized;
use crate::cli::ui::Ui;

/// A tree was made, or was there.
pub(crate) fn made(made: &Initialized, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"root": made.root, "made": made.made, "new_config": made.has_new_config}));
        return;
    }
    let root = made.root.display();
    if made.made.is_empty() {
        ui.line(&format!("{root} is complete; nothing was changed"));
    } else {
        ui.line(&format!("made {} of the tree at {root}", count(made.made.len(), "folder", "folders")));
    }
    if made.has_new_config {
        ui.line(&format!("put a configuration there to fill in, all of it commented out: {root}/config.toml"));
    }
}

/// The demo was made.
pub(crate) fn demo(demo: &Demo, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"root": demo.root, "vault": demo.vault, "reviews": demo.pending}));
        return;
    }
    let root = demo.root.display();
    ui.line(&format!("made a demo tree at {root} and a demo vault at {}", demo.vault.display()));
    ui.line(&format!("{} for a decision; look at them with", count(demo.pending, "review waits", "reviews wait")));
    ui.line("");
    ui.line(&format!("  hermes-mem --root {root} review pending"));
    ui.line(&format!("  hermes-mem --root {root} review walk"));
}
