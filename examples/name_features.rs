//! Prints the training lines of labelled JSON lines (`{"text", "spans"}`, offsets in characters) for `data/names/train.py`:
//! per token its label and the hashes of its features, and an empty line after each text.

use std::io::{BufWriter, Write, stdin, stdout};

use hermes_mem::mask::training::samples;

type Failure = Box<dyn std::error::Error>;

#[derive(serde::Deserialize)]
struct Labelled {
    text: String,
    spans: Vec<Name>,
}

#[derive(serde::Deserialize)]
struct Name {
    start: usize,
    end: usize,
    kind: String,
}

fn main() -> Result<(), Failure> {
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lines() {
        let labelled: Labelled = serde_json::from_str(&line?)?;
        for (start, line) in lines(&labelled.text) {
            let names = labelled.spans.iter().filter(|span| span.kind == "NAME");
            let names: Vec<_> =
                names.map(|span| (byte_at(&labelled.text, span.start), byte_at(&labelled.text, span.end))).collect();
            let mut last = None;
            for sample in samples(line) {
                let at = sample.bytes.start + start;
                let name = names.iter().position(|&(from, to)| from <= at && at < to);
                // Handles are no names of persons.
                let name = name.filter(|&i| names.get(i).is_some_and(|&(from, _)| !is_handle(&labelled.text, from)));
                let label = match name {
                    None => "O",
                    Some(_) if name == last => "I",
                    Some(_) => "B",
                };
                last = name;
                write!(out, "{label}")?;
                for feature in sample.features {
                    write!(out, "\t{feature:08x}")?;
                }
                writeln!(out)?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches('\n'))
    })
}

fn byte_at(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at)
}

fn is_handle(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or("").trim_end();
    before.ends_with('@') || text.get(at..).is_some_and(|rest| rest.starts_with('@'))
}
