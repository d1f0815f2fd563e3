//! Asks the blocks of a tree within one process: `blocks_inside ROOT`. `benches/blocks.py` runs it on trees that it has made.
#![allow(clippy::print_stdout, reason = "it prints figures")]

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use hermes_mem::domain::block::BlockType;
use hermes_mem::mask::Masker;
use hermes_mem::store::blocks::BlockQuery;
use hermes_mem::store::{Modes, Store};

/// How often each question is asked.
const RUNS: usize = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::args().nth(1).ok_or("usage: blocks_inside ROOT")?);
    let store = Store::open(&root, Modes::default(), Masker::default())?;
    let db = store.blocks()?.ok_or("no blocks there")?;
    let names: Vec<String> = (1..=20).map(|nth| format!("projekt-{nth}")).collect();
    measure("in process: list type + entity, newest 50", |nth| {
        let query = BlockQuery {
            types: vec![BlockType::ProjectState],
            entities: names.get(nth % names.len()).cloned().into_iter().collect(),
            limit: Some(50),
            ..BlockQuery::default()
        };
        Ok(db.list(&query)?.len())
    })?;
    let ids: Vec<_> = db.list(&BlockQuery { limit: Some(1000), ..BlockQuery::default() })?;
    measure("in process: get", |nth| {
        Ok(ids.get(nth % ids.len()).map(|block| db.get(&block.id)).transpose()?.is_some().into())
    })
}

fn measure(name: &str, mut ask: impl FnMut(usize) -> Result<usize, Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
    let mut times: Vec<Duration> = Vec::with_capacity(RUNS);
    for nth in 0..RUNS + 50 {
        let start = Instant::now();
        std::hint::black_box(ask(nth)?);
        if nth >= 50 {
            times.push(start.elapsed());
        }
    }
    times.sort();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default().as_secs_f64() * 1000.0;
    println!("  {name:<44} {:8.3} ms   p99 {:8.3} ms", at(50), at(99));
    Ok(())
}
