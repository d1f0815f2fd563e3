//! Prints precision and recall of extraction on the labelled sets: `cargo run --example extract_figures`. With `-v` also
//! what was wrong and what was missed in the sets that rules were tuned on; the others stay unseen.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::panic,
    reason = "a tool that measures"
)]

#[path = "../tests/extract/sets.rs"]
mod sets;

fn main() {
    let is_verbose = std::env::args().any(|arg| arg == "-v");
    for set in sets::SETS {
        let figures = sets::measure(set);
        println!("{}: {figures}; at least {} and {}", set.file, set.precision, set.recall);
        if is_verbose && set.file.starts_with("tuned") {
            println!("wrong:\n{}\nmissed:\n{}", figures.wrong.join("\n"), figures.missed.join("\n"));
        }
    }
}
