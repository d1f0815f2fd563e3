//! Trains the name model, and says how good it is on text it has not seen. NOTICE names the texts it learns from.
//!
//! usage: `train_names DATA_DIR NOTES.jsonl OUT.bin`, or with `--folds` in place of `OUT.bin`
//!
//! `DATA_DIR` holds the labelled sets (`*.jsonl.gz`: `{"id", "text", "spans"}`, offsets in characters), `NOTES.jsonl` comes from
//! `data/names/notes.py`. With `--folds` every set is cut into five by the checksum of its lines' ids; each fifth is judged by a
//! model that learned from the other four, with the rules and without.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a build tool: it prints, writes the file it was asked for, and may stop"
)]

mod crf;
mod judge;
mod sets;

use std::thread;

use crf::Settings;
use hermes_mem::mask::Masker;
use hermes_mem::mask::training::modelled;
use judge::{Found, Tally};
use sets::Row;

type Failure = Box<dyn std::error::Error + Send + Sync>;

const FOLDS: u32 = 5;
/// The log of the number of slots of the model's file.
const BITS: u32 = 16;
/// What is taken off Begin, against false names.
const RELUCTANCE: f32 = 0.0;

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data, notes, out, more @ ..] = args.as_slice() else {
        return Err("usage: train_names DATA_DIR NOTES.jsonl OUT.bin|--folds".into());
    };
    let settings = settings(more)?;
    let rows = sets::read(data, notes)?;
    if out == "--folds" {
        cross_validate(&rows, settings);
    } else {
        let file = train(&rows, settings, |_| true);
        println!("{} bytes", file.len());
        std::fs::write(out, file)?;
    }
    Ok(())
}

/// `name=value`, for trying others than the ones in use.
fn settings(args: &[String]) -> Result<Settings, Failure> {
    let mut settings = Settings { epochs: 12, rate: 0.1, l1: 0.7, l2: 1.0, least: 2, reluctance: RELUCTANCE };
    for arg in args {
        let (name, value) = arg.split_once('=').ok_or("settings are name=value")?;
        match name {
            "epochs" => settings.epochs = value.parse()?,
            "rate" => settings.rate = value.parse()?,
            "l1" => settings.l1 = value.parse()?,
            "l2" => settings.l2 = value.parse()?,
            "least" => settings.least = value.parse()?,
            "reluctance" => settings.reluctance = value.parse()?,
            _ => return Err(format!("no setting is called {name}").into()),
        }
    }
    Ok(settings)
}

fn train(rows: &[Row], settings: Settings, keep: impl Fn(&Row) -> bool) -> Vec<u8> {
    // News and tweets are small sets and closest to what counts.
    let times = |row: &Row| if matches!(row.set, "germeval14_dev" | "wnut17_train") { 2 } else { 1 };
    let learned = rows.iter().filter(|row| row.learned && keep(row));
    let learned: Vec<_> = learned.flat_map(|row| std::iter::repeat_n(row, times(row))).collect();
    let weights = crf::train(&learned, settings);
    eprintln!("{} features", weights.features.len());
    weights.pack(BITS)
}

fn cross_validate(rows: &[Row], settings: Settings) {
    let masker = Masker::default();
    let fold = |fold: u32| {
        let file: &'static [u8] = Vec::leak(train(rows, settings, |row| row.fold != Some(fold)));
        let off = masker.clone().with_model(&[]);
        let both = masker.clone().with_model(file);
        let held = rows.iter().filter(|row| row.fold == Some(fold));
        let mut tally = Tally::default();
        for row in held {
            tally.add(row, "rules and model", &Found::masked(&both, &row.text));
            tally.add(row, "rules", &Found::masked(&off, &row.text));
            tally.add(row, "model", &Found::of(row.text.split('\n'), |line| modelled(file, line)));
        }
        tally
    };
    let mut tally = Tally::default();
    // Two at a time.
    for pair in (0..FOLDS).collect::<Vec<_>>().chunks(2) {
        thread::scope(|scope| {
            let threads: Vec<_> = pair.iter().map(|&number| scope.spawn(move || fold(number))).collect();
            for thread in threads {
                tally.join(thread.join().unwrap_or_default());
            }
        });
    }
    println!("{tally}");
}
