//! Extraction on labelled sentences of our own: precision and recall that must hold.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests fail by panicking")]

#[path = "sets.rs"]
mod sets;

#[test]
fn figures_hold_on_every_set() {
    for set in sets::SETS {
        let figures = sets::measure(set);
        assert!(figures.precision() >= set.precision, "{}: {figures}\n{}", set.file, figures.wrong.join("\n"));
        assert!(figures.recall() >= set.recall, "{}: {figures}\n{}", set.file, figures.missed.join("\n"));
        assert!(figures.traps * 100 >= figures.sentences * 48, "{}: {figures}", set.file);
    }
}
