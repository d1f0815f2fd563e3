//! How well `block search` finds what is meant: memories among 20,000 others, asked for in other words than they are
//! written in. Plain FTS5 (`unicode61`, any word, bm25) answers the same questions beside it.
//!
//! `cargo test --test search -- --nocapture` prints the figures.
#![allow(clippy::disallowed_methods, reason = "tests make files as anybody may")]

#[cfg(test)]
mod noise;

#[cfg(test)]
mod figures {
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

    use hermes_mem::domain::block::{BlockId, BlockType, Category, NewBlock};
    use hermes_mem::domain::time::Timestamp;
    use hermes_mem::mask::Masker;
    use hermes_mem::store::blocks::BlockQuery;
    use hermes_mem::store::{Change, Modes, Store};

    use crate::noise;

    const NOISE: usize = 20_000;
    const BEST: usize = 5;

    struct Memory {
        key: String,
        value: String,
        entities: Vec<String>,
    }

    struct Question {
        kind: String,
        text: String,
        key: String,
    }

    fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').map(str::to_owned).collect())
    }

    fn memories() -> Vec<Memory> {
        let told = rows(include_str!("memories.tsv")).map(|row| Memory {
            key: row[0].clone(),
            value: row[1].clone(),
            entities: vec![row[2].clone()],
        });
        let mut all: Vec<Memory> = told.collect();
        all.extend(noise::memories(NOISE).map(|(key, value, entity)| Memory { key, value, entities: vec![entity] }));
        all
    }

    fn questions() -> Vec<Question> {
        rows(include_str!("queries.tsv"))
            .map(|row| Question { kind: row[0].clone(), text: row[1].clone(), key: row[2].clone() })
            .collect()
    }

    /// How often what is meant is among the best five, in all, by kind, and of the questions that were held out.
    fn recall(mut find: impl FnMut(&str) -> Vec<String>) -> BTreeMap<String, (u32, u32)> {
        let mut counts: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        for (nth, question) in questions().into_iter().enumerate() {
            let found = find(&question.text);
            let is_found = found.contains(&question.key);
            if !is_found && std::env::var_os("SHOW_MISSES").is_some() && nth % 3 != 2 {
                println!("missed: {} ({}) {found:?}", question.text, question.key);
            }
            let held = if nth % 3 == 2 { "held out" } else { "seen" };
            for name in [question.kind.as_str(), "all", held] {
                let count = counts.entry(name.to_owned()).or_default();
                count.0 += u32::from(is_found);
                count.1 += 1;
            }
        }
        counts
    }

    fn ratio(counts: &BTreeMap<String, (u32, u32)>, name: &str) -> f64 {
        let (found, of) = counts[name];
        f64::from(found) / f64::from(of)
    }

    #[test]
    fn what_is_meant_is_among_the_best_five_of_twenty_thousand() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("memory");
        Store::init(&root, Modes::default()).unwrap();
        let masker = Masker::default();
        let store = Store::open(&root, Modes::default(), masker.clone()).unwrap();
        let now = Timestamp::parse("2026-05-21T14:30:00Z").unwrap();
        let all = memories();
        assert!(questions().len() >= 80);
        let start = Instant::now();
        {
            let tree = store.lock(Duration::ZERO).unwrap();
            let mut writer = tree.blocks().unwrap();
            for (nth, memory) in all.iter().enumerate() {
                let mut new = NewBlock::new(
                    BlockType::LearnedPattern,
                    Category::Project,
                    masker.mask(&memory.key).text,
                    masker.mask(&memory.value).text,
                );
                new.entities = memory.entities.iter().map(|name| masker.mask(name).text).collect();
                let id = BlockId::parse(&format!("00000000-0000-4000-8000-{nth:012x}")).unwrap();
                writer.add(&new, id, now).unwrap();
            }
            tree.commit_blocks(Change::new(), writer).unwrap();
        }
        let load = start.elapsed();
        let db = store.blocks().unwrap().unwrap();
        let query = BlockQuery { limit: Some(BEST), ..BlockQuery::default() };
        let start = Instant::now();
        let ours = recall(|text| {
            let hits = db.search(text, &query, now).unwrap();
            hits.into_iter().map(|hit| hit.block.key.as_str().to_owned()).collect()
        });
        let each = start.elapsed() / u32::try_from(questions().len()).unwrap();

        let plain = rusqlite::Connection::open_in_memory().unwrap();
        plain
            .execute_batch("CREATE VIRTUAL TABLE memories USING fts5(key, value, entities, tokenize = 'unicode61')")
            .unwrap();
        for memory in &all {
            plain
                .execute(
                    "INSERT INTO memories VALUES (?1, ?2, ?3)",
                    (&memory.key, &memory.value, memory.entities.join(" ")),
                )
                .unwrap();
        }
        let fts = recall(|text| {
            let words: Vec<String> = text
                .split(|ch: char| !ch.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(|word| format!("\"{word}\""))
                .collect();
            let mut find = plain
                .prepare_cached("SELECT key FROM memories WHERE memories MATCH ?1 ORDER BY bm25(memories) LIMIT 5")
                .unwrap();
            let rows = find.query_map([words.join(" OR ")], |row| row.get(0)).unwrap();
            rows.map(Result::unwrap).collect()
        });

        println!("{:12}{:>8}{:>8}{:>8}", "recall@5", "of", "ours", "FTS5");
        for (name, (_, of)) in &ours {
            println!("{name:12}{of:8}{:8.2}{:8.2}", ratio(&ours, name), ratio(&fts, name));
        }
        println!("{} memories in {load:.1?}, {each:.1?} a search", all.len());
        assert!(ratio(&ours, "all") >= 0.75, "{ours:?}");
        assert!(ratio(&ours, "held out") >= 0.70, "{ours:?}");
        assert!(ratio(&ours, "all") > ratio(&fts, "all"));
    }
}
