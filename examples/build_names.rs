//! Packs `word<TAB>flags` lines, sorted by bytes, into the word list that `mask` embeds (fed by `data/names/build.py`), or prints
//! the lines of such a list (for `data/names/notes.py`).

use std::fs::{self, OpenOptions};
use std::io::{BufWriter, Write, stdin, stdout};

use fst::{Map, MapBuilder, Streamer};

type Failure = Box<dyn std::error::Error>;

const USAGE: &str = "usage: build_names OUT.fst < words.tsv, or build_names --print WORDS.fst";

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--print", path] => print(path),
        [path] => pack(path),
        _ => Err(USAGE.into()),
    }
}

fn pack(path: &str) -> Result<(), Failure> {
    #[allow(
        clippy::disallowed_methods,
        reason = "a build tool writes the file it was asked for, outside any memory tree"
    )]
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    let mut map = MapBuilder::new(BufWriter::new(file))?;
    for line in stdin().lines() {
        let line = line?;
        let (word, flags) = line.split_once('\t').ok_or("a line without a tab")?;
        map.insert(word, flags.parse()?)?;
    }
    map.finish()?;
    Ok(())
}

#[allow(clippy::disallowed_methods, reason = "a build tool reads the list it was asked for")]
fn print(path: &str) -> Result<(), Failure> {
    let map = Map::new(fs::read(path)?)?;
    let mut out = BufWriter::new(stdout().lock());
    let mut words = map.stream();
    while let Some((word, flags)) = words.next() {
        out.write_all(word)?;
        writeln!(out, "\t{flags}")?;
    }
    Ok(())
}
