//! Packs `word<TAB>flags` lines, sorted by bytes, into the word list that `mask` embeds. Fed by `data/names/build.py`.

use std::fs::OpenOptions;
use std::io::{BufWriter, stdin};

use fst::MapBuilder;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("usage: build_names OUT.fst < words.tsv")?;
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
