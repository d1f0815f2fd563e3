//! Loads and asks the blocks of a tree within one process. `benches/blocks.py` runs it on trees that it has made.
//!
//! `blocks_inside ask ROOT` asks; `blocks_inside load ROOT NUMBER` keeps so many new blocks in one change, search index
//! and all, as a migration does once its texts are masked.
#![allow(clippy::print_stdout, reason = "it prints figures")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use hermes_mem::domain::block::{BlockId, BlockType, Category, NewBlock};
use hermes_mem::domain::time::Timestamp;
use hermes_mem::mask::{Masked, Masker};
use hermes_mem::store::audit::Entry;
use hermes_mem::store::blocks::BlockQuery;
use hermes_mem::store::{Change, Modes, Store};

/// How often each question is asked.
const RUNS: usize = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["ask", root] => ask(Path::new(root)),
        ["load", root, number] => load(Path::new(root), number.parse()?),
        _ => Err("usage: blocks_inside ask ROOT | blocks_inside load ROOT NUMBER".into()),
    }
}

fn ask(root: &Path) -> Result<(), Box<dyn Error>> {
    let store = Store::open(root, Modes::default(), Masker::default())?;
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
    let id = |nth: usize| ids.get(nth % ids.len()).map(|block| &block.id);
    measure("in process: open, get, close", |nth| {
        let db = store.blocks()?.ok_or("no blocks there")?;
        Ok(id(nth).map(|id| db.get(id)).transpose()?.is_some().into())
    })?;
    measure("in process: get", |nth| Ok(id(nth).map(|id| db.get(id)).transpose()?.is_some().into()))
}

/// Numbers without order (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % end
    }
}

fn load(root: &Path, number: u32) -> Result<(), Box<dyn Error>> {
    let masker = Masker::default();
    let words = "Termin Buchung Kalender Server Abgleich Freigabe Rechnung Gutschein Dialog Fehler Bericht Vorlage Tabelle \
        Farbe Antwort Sprache Kanal Webhook Datenbank Sicherung Regel Liste Entwurf release build cache index query token \
        review branch merge deploy rollback latency budget customer invoice schedule";
    let words: Vec<&str> = words.split(' ').collect();
    let mut random = Random(7);
    let now = Timestamp::parse("2026-06-03T14:30:00Z")?;
    let mut word = || words.get(random.below(words.len())).copied().unwrap_or_default();
    let mut texts: Vec<Masked> = Vec::new();
    for nth in 0..number {
        let nine: Vec<&str> = (0..9).map(|_| word()).collect();
        texts.push(masker.mask(&format!("{} {nth}", nine.join(" "))).text);
    }
    let entities: Vec<Masked> = (0..1000).map(|nth| masker.mask(&format!("projekt-{nth}")).text).collect();
    let store = Store::open(root, Modes::default(), masker.clone())?;
    let tree = store.lock(Duration::ZERO)?;
    let start = Instant::now();
    let mut writer = tree.blocks()?;
    for (nth, value) in texts.into_iter().enumerate() {
        let block_type = BlockType::ALL.get(nth % 5).copied().unwrap_or(BlockType::Procedural);
        let category = Category::ALL.get(nth % 6).copied().unwrap_or(Category::Skill);
        let mut new = NewBlock::new(block_type, category, masker.mask(&format!("key_{nth}")).text, value);
        new.entities = entities.get(nth % 997..nth % 997 + 1 + nth % 3).unwrap_or_default().to_vec();
        let bits = (u128::from(random.0) << 64) | nth as u128;
        random.below(2);
        writer.add(&new, BlockId::random(bits), now.plus(i64::try_from(nth / 10)?))?;
    }
    let mut change = Change::new();
    change.audit(Entry {
        ts: now,
        actor: "bench".into(),
        via: "cli",
        op: "block.add",
        target: None,
        outcome: "ok",
        counts: BTreeMap::new(),
    });
    tree.commit_blocks(change, writer)?;
    let took = start.elapsed().as_secs_f64();
    println!("  in process: load of {number}{:>20.1} s   {:.0} blocks/s", took, f64::from(number) / took);
    Ok(())
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
