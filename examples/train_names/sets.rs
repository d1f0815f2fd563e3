//! The labelled sets, as rows to learn from and to be judged on.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

use flate2::Crc;
use flate2::read::GzDecoder;
use hermes_mem::mask::training::samples;

use crate::{FOLDS, Failure};

const SETS: [&str; 5] = ["germeval14_dev", "ler_all", "btc", "wnut17_train", "presidio_large"];

/// A text with the names in it.
pub(crate) struct Row {
    pub(crate) set: &'static str,
    /// The fifth it belongs to; none for notes, which are all learned from.
    pub(crate) fold: Option<u32>,
    /// Whether it is learned from.
    pub(crate) learned: bool,
    pub(crate) text: String,
    /// In the text's bytes.
    pub(crate) names: Vec<Range<usize>>,
    pub(crate) lines: Vec<Labelled>,
}

/// A line as the trainer wants it: per token its features, and whether it begins a name (1), goes on with one (2) or neither (0).
pub(crate) struct Labelled {
    pub(crate) features: Vec<Vec<u32>>,
    pub(crate) labels: Vec<u8>,
}

#[derive(serde::Deserialize)]
struct Entry {
    #[serde(default)]
    id: String,
    text: String,
    spans: Vec<Span>,
}

#[derive(serde::Deserialize)]
struct Span {
    start: usize,
    end: usize,
    kind: String,
}

pub(crate) fn read(data: &str, notes: &str) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for set in SETS {
        let file = File::open(Path::new(data).join(format!("{set}.jsonl.gz")))?;
        for line in BufReader::new(GzDecoder::new(file)).lines() {
            let entry: Entry = serde_json::from_str(&line?)?;
            let mut crc = Crc::new();
            crc.update(entry.id.as_bytes());
            let sum = crc.sum();
            // Court decisions without a person in them are many and alike: one in four of them will do.
            let learned =
                set != "ler_all" || entry.spans.iter().any(|s| s.kind == "NAME") || (sum / FOLDS).is_multiple_of(4);
            rows.push(row(set, Some(sum % FOLDS), learned, entry));
        }
    }
    for line in BufReader::new(File::open(notes)?).lines() {
        rows.push(row("notes", None, true, serde_json::from_str(&line?)?));
    }
    Ok(rows)
}

fn row(set: &'static str, fold: Option<u32>, learned: bool, entry: Entry) -> Row {
    let Entry { text, spans, .. } = entry;
    let byte_at = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    let names = spans.iter().filter(|span| span.kind == "NAME");
    let names: Vec<_> = names.map(|span| byte_at(span.start)..byte_at(span.end)).collect();
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if learned {
            lines.push(labelled(&text, start, line.trim_end_matches('\n'), &names));
        }
        start += line.len();
    }
    Row { set, fold, learned, text, names, lines }
}

fn labelled(text: &str, start: usize, line: &str, names: &[Range<usize>]) -> Labelled {
    let mut last = None;
    let mut labelled = Labelled { features: Vec::new(), labels: Vec::new() };
    for sample in samples(line) {
        let at = sample.bytes.start + start;
        let name = names.iter().position(|name| name.contains(&at));
        // Handles are no names of persons, and what the program gives no features can't be part of a name.
        let name = name.filter(|&i| !is_handle(text, names[i].start) && !sample.features.is_empty());
        labelled.labels.push(match name {
            None => 0,
            Some(_) if name == last => 2,
            Some(_) => 1,
        });
        last = name;
        labelled.features.push(sample.features);
    }
    labelled
}

fn is_handle(text: &str, at: usize) -> bool {
    text[..at].trim_end().ends_with('@') || text[at..].starts_with('@')
}
