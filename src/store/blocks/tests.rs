#![allow(clippy::disallowed_methods, reason = "tests make, read and damage files as anybody may")]

use std::collections::BTreeMap;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::domain::block::{Block, BlockId, BlockStatus, BlockType, Category, Confidence, NewBlock};
use crate::domain::doc::Safe;
use crate::domain::time::Timestamp;
use crate::mask::{Masked, Masker};
use crate::store::audit::Entry;
use crate::store::{Change, Modes};

/// A tree with its blocks, and ids that count.
struct Home {
    _dir: TempDir,
    store: Store,
    next: std::cell::Cell<u128>,
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(&format!("2026-{text}T12:00:00Z")).unwrap()
}

fn masked(text: &str) -> Masked {
    Masker::default().mask(text).text
}

fn state(value: &str) -> NewBlock {
    let mut new = NewBlock::new(BlockType::ProjectState, Category::Project, masked("stand"), masked(value));
    new.entities = vec![masked("Vento")];
    new
}

fn entry(now: Timestamp) -> Entry {
    Entry {
        ts: now,
        actor: "carlo".into(),
        via: "cli",
        op: "block.add",
        target: None,
        outcome: "ok",
        counts: BTreeMap::new(),
    }
}

impl Home {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let root = dir.path().join("memory");
        Store::init(&root, Modes::default()).unwrap();
        let store = Store::open(&root, Modes::default(), Masker::default()).unwrap();
        Self { _dir: dir, store, next: 0.into() }
    }

    fn id(&self) -> BlockId {
        self.next.set(self.next.get() + 1);
        BlockId::random(self.next.get() << 96)
    }

    fn change<T>(&self, now: Timestamp, work: impl FnOnce(&mut BlockWriter<'_>) -> T) -> T {
        let tree = self.store.lock(Duration::ZERO).unwrap();
        let mut writer = tree.blocks().unwrap();
        let outcome = work(&mut writer);
        let mut change = Change::new();
        change.audit(entry(now));
        tree.commit_blocks(change, writer).unwrap();
        outcome
    }

    fn add(&self, new: &NewBlock, now: Timestamp) -> Added {
        let id = self.id();
        self.change(now, |writer| writer.add(new, id, now).unwrap())
    }

    fn db(&self) -> Blocks {
        self.store.blocks().unwrap().unwrap()
    }

    fn list(&self, query: &BlockQuery) -> Vec<String> {
        self.db().list(query).unwrap().into_iter().map(|block| block.value.into_string()).collect()
    }

    /// The values with the days between which they held.
    fn line(&self, id: &BlockId) -> Vec<(String, String)> {
        let day = |at: Timestamp| at.to_string()[5..10].to_owned();
        let span =
            |block: &Block| format!("{}..{}", day(block.valid_from), block.valid_to.map(day).unwrap_or_default());
        self.db().history(id).unwrap().iter().map(|block| (block.value.to_string(), span(block))).collect()
    }
}

fn spans(line: &[(String, String)]) -> Vec<String> {
    line.iter().map(|(value, span)| format!("{value} {span}")).collect()
}

#[test]
fn nothing_is_made_by_looking() {
    let home = Home::new();
    assert!(home.store.blocks().unwrap().is_none());
    assert!(!home.store.root().join("blocks.db").exists());
}

#[test]
fn a_block_comes_back_as_it_was_kept() {
    let home = Home::new();
    let mut new = NewBlock::new(
        BlockType::UserPreference,
        Category::Formatting,
        masked("table_style"),
        masked("compact with │ separators"),
    );
    new.source = Some(masked("session_2026-06-03"));
    new.confidence = Confidence::new(0.95).unwrap();
    new.entities = vec![masked("Flo"), masked("waldseilgarten-crm")];
    new.extra = Safe::masked(serde_json::from_str(r#"{"zeta": 1.50, "alpha": [null]}"#).unwrap(), &Masker::default());
    let added = home.add(&new, at("06-03"));
    assert_eq!((added.outcome, added.changed), (Outcome::Created, true));
    let block = home.db().get(&added.id).unwrap().unwrap();
    assert_eq!((block.block_type, block.category), (new.block_type, new.category));
    assert_eq!((&block.key, &block.value, &block.source), (&new.key, &new.value, &new.source));
    assert_eq!((block.confidence, &block.entities), (new.confidence, &new.entities));
    assert_eq!((block.created_at, block.updated_at, block.valid_from), (at("06-03"), at("06-03"), at("06-03")));
    assert_eq!((block.valid_to, block.access_count, block.last_accessed), (None, 0, None));
    assert_eq!(serde_json::to_string(&block.extra).unwrap(), r#"{"zeta":1.50,"alpha":[null]}"#);
}

#[test]
fn another_value_closes_the_old_one_and_the_same_one_is_said_again() {
    let home = Home::new();
    let first = home.add(&state("90 %"), at("05-01"));
    let second = home.add(&state("95 %"), at("05-10"));
    assert_eq!(second.outcome, Outcome::Replaced);
    assert_eq!(second.replaced, Some((first.id.clone(), BlockStatus::UserStated)));
    let again = home.add(&state("95 %"), at("05-20"));
    assert_eq!((again.outcome, again.id == second.id), (Outcome::Repeated, true));
    assert_eq!(spans(&home.line(&first.id)), ["90 % 05-01..05-10", "95 % 05-10.."]);
    assert_eq!(home.db().get(&second.id).unwrap().unwrap().updated_at, at("05-20"));
    // Another key, category or entity is another thing.
    let mut other = state("0 %");
    other.entities = vec![masked("LORO")];
    assert_eq!(home.add(&other, at("05-20")).outcome, Outcome::Created);
    other.key = masked("budget");
    assert_eq!(home.add(&other, at("05-20")).outcome, Outcome::Created);
}

#[test]
fn an_older_value_that_comes_later_goes_into_history() {
    let home = Home::new();
    let mut old = state("50 %");
    old.created_at = Some(at("04-01"));
    let newest = home.add(&state("95 %"), at("05-10"));
    assert_eq!(home.add(&old, at("05-11")).outcome, Outcome::Past);
    let mut between = state("70 %");
    between.created_at = Some(at("04-15"));
    assert_eq!(home.add(&between, at("05-12")).outcome, Outcome::Past);
    assert_eq!(spans(&home.line(&newest.id)), ["50 % 04-01..04-15", "70 % 04-15..05-10", "95 % 05-10.."]);
    // A second time it changes nothing.
    let again = home.add(&old, at("05-13"));
    assert_eq!((again.outcome, again.changed), (Outcome::Repeated, false));
    // What was said again since a time was never overtaken by a value of that time.
    home.add(&state("95 %"), at("05-20"));
    let mut late = state("80 %");
    late.created_at = Some(at("05-15"));
    assert_eq!(home.add(&late, at("05-21")).outcome, Outcome::Past);
    assert_eq!(home.list(&BlockQuery::default()), ["95 %"]);
}

#[test]
fn the_past_is_what_held_then() {
    let home = Home::new();
    home.add(&state("90 %"), at("05-01"));
    home.add(&state("95 %"), at("05-10"));
    for (day, want) in [("04-30", vec![]), ("05-01", vec!["90 %"]), ("05-09", vec!["90 %"]), ("05-10", vec!["95 %"])] {
        let query = BlockQuery { as_of: Some(at(day)), entities: vec!["VENTO".into()], ..BlockQuery::default() };
        assert_eq!(home.list(&query), want, "{day}");
    }
}

#[test]
fn what_was_rejected_leaves_the_time_line_and_comes_back() {
    let home = Home::new();
    let first = home.add(&state("90 %"), at("05-01"));
    let second = home.add(&state("95 %"), at("05-10"));
    let by = Some((Masked::literal("flo"), at("05-11")));
    let rejected = Standing { status: BlockStatus::Rejected, by, evidence: None };
    assert!(home.change(at("05-11"), |writer| writer.set_standing(&second.id, &rejected, at("05-11")).unwrap()));
    assert_eq!(home.list(&BlockQuery::default()), ["90 %"]);
    assert_eq!(spans(&home.line(&first.id)), ["90 % 05-01..", "95 % 05-10..05-10"]);
    let again = home.add(&state("95 %"), at("05-12"));
    assert_eq!((again.outcome, again.changed), (Outcome::Rejected, false));
    let open = Standing { status: BlockStatus::Inferred, by: None, evidence: None };
    home.change(at("05-13"), |writer| writer.set_standing(&second.id, &open, at("05-13")).unwrap());
    assert_eq!(spans(&home.line(&first.id)), ["90 % 05-01..05-10", "95 % 05-10.."]);
}

#[test]
fn what_is_forgotten_is_gone_from_the_files_and_what_it_closed_holds_again() {
    let home = Home::new();
    home.change(at("05-01"), |writer| {
        for nth in 0..3000 {
            let mut new = state(&format!("Stand {nth} {}", "x".repeat(nth % 900)));
            new.key = masked(&format!("stand-{nth}"));
            writer
                .add(
                    &new,
                    BlockId::random((nth as u128 + 7).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)),
                    at("05-01"),
                )
                .unwrap();
        }
    });
    home.add(&state("90 %"), at("05-01"));
    let mut secret = state("Zwiebelkuchen");
    secret.source = Some(masked("Apfelstrudel"));
    let added = home.add(&secret, at("05-02"));
    let ids = [added.id.clone()];
    assert_eq!(home.change(at("05-03"), |writer| writer.forget(&ids).unwrap()), 1);
    assert_eq!(home.change(at("05-03"), |writer| writer.forget(&ids).unwrap()), 0);
    assert_eq!(home.db().faults().unwrap(), [""; 0]);
    let query = BlockQuery { key: Some("Stand".into()), ..BlockQuery::default() };
    assert_eq!(home.list(&query), ["90 %"]);
    for file in ["blocks.db", "blocks.db-wal", "blocks.db-shm"] {
        let bytes = std::fs::read(home.store.root().join(file)).unwrap_or_default();
        for word in ["Zwiebelkuchen", "Apfelstrudel", added.id.as_str()] {
            assert!(!bytes.windows(word.len()).any(|part| part == word.as_bytes()), "{word} in {file}");
        }
    }
}

#[test]
fn the_newest_of_a_type_about_an_entity_is_a_walk_along_an_index() {
    let home = Home::new();
    home.add(&state("90 %"), at("05-01"));
    let db = home.db();
    let plan = "EXPLAIN QUERY PLAN SELECT b.id FROM links l CROSS JOIN blocks b ON b.block = l.block
        WHERE l.entity = 1 AND l.type IN ('project_state') AND b.valid_to IS NULL
        ORDER BY l.updated_at DESC, l.block DESC LIMIT 50";
    let mut steps = db.conn.prepare(plan).unwrap();
    let steps: Vec<String> = steps.query_map([], |row| row.get(3)).unwrap().map(Result::unwrap).collect();
    assert!(steps.iter().all(|step| !step.contains("SCAN") && !step.contains("TEMP B-TREE")), "{steps:?}");
}

#[test]
fn filters_and_orders() {
    let home = Home::new();
    let mut sure = state("a");
    sure.key = masked("a");
    let mut unsure = NewBlock { confidence: Confidence::new(0.4).unwrap(), ..state("b") };
    unsure.key = masked("b");
    unsure.status = BlockStatus::Inferred;
    unsure.entities.push(masked("Flo"));
    let mut taste = NewBlock::new(BlockType::UserPreference, Category::Formatting, masked("c"), masked("c"));
    taste.confidence = Confidence::new(0.8).unwrap();
    for (new, day) in [(&sure, "05-01"), (&unsure, "05-02"), (&taste, "05-03")] {
        home.add(new, at(day));
    }
    let all = BlockQuery::default;
    assert_eq!(home.list(&all()), ["c", "b", "a"]);
    assert_eq!(home.list(&BlockQuery { limit: Some(2), ..all() }), ["c", "b"]);
    assert_eq!(home.list(&BlockQuery { sort: BlockSort::Confidence, ..all() }), ["a", "c", "b"]);
    assert_eq!(home.list(&BlockQuery { sort: BlockSort::Key, limit: Some(1), ..all() }), ["a"]);
    assert_eq!(home.list(&BlockQuery { types: vec![BlockType::ProjectState], ..all() }), ["b", "a"]);
    assert_eq!(home.list(&BlockQuery { categories: vec![Category::Formatting], ..all() }), ["c"]);
    assert_eq!(home.list(&BlockQuery { statuses: vec![BlockStatus::Inferred], ..all() }), ["b"]);
    assert_eq!(home.list(&BlockQuery { min_confidence: Confidence::new(0.8).ok(), ..all() }), ["c", "a"]);
    assert_eq!(home.list(&BlockQuery { since: Some(at("05-02")), ..all() }), ["c", "b"]);
    assert_eq!(home.list(&BlockQuery { entities: vec!["vento".into()], ..all() }), ["b", "a"]);
    assert_eq!(home.list(&BlockQuery { entities: vec!["flo".into(), "Vento".into()], ..all() }), ["b"]);
    assert_eq!(home.list(&BlockQuery { entities: vec!["nobody".into()], ..all() }), [""; 0]);
    assert_eq!(home.list(&BlockQuery { key: Some(" A ".into()), ..all() }), ["a"]);
    assert_eq!(home.db().unconfirmed_before(at("05-02")).unwrap().len(), 1);
    assert_eq!(home.db().unconfirmed_before(at("05-02").plus(-1)).unwrap().len(), 0);
}

#[test]
fn reads_are_counted_and_never_in_the_way() {
    let home = Home::new();
    let added = home.add(&state("90 %"), at("05-01"));
    let db = home.db();
    assert!(db.count_access(&[added.id.clone(), added.id.clone()], at("05-02")));
    let block = db.get(&added.id).unwrap().unwrap();
    assert_eq!((block.access_count, block.last_accessed), (2, Some(at("05-02"))));
    let tree = home.store.lock(Duration::ZERO).unwrap();
    let writer = tree.blocks().unwrap();
    assert!(!db.count_access(std::slice::from_ref(&added.id), at("05-03")));
    drop(writer);
    assert!(db.count_access(&[added.id], at("05-03")));
}

#[test]
fn a_transaction_that_is_dropped_has_changed_nothing() {
    let home = Home::new();
    home.add(&state("90 %"), at("05-01"));
    let tree = home.store.lock(Duration::ZERO).unwrap();
    let mut writer = tree.blocks().unwrap();
    writer.add(&state("95 %"), home.id(), at("05-02")).unwrap();
    assert_eq!(writer.read().count().unwrap(), 2);
    drop(writer);
    assert_eq!(home.db().count().unwrap(), 1);
}

#[test]
fn foreign_damaged_and_newer_databases_are_refused_and_left_alone() {
    let put = |make: &dyn Fn(&Path)| {
        let home = Home::new();
        let path = home.store.root().join("blocks.db");
        make(&path);
        let before = std::fs::read(&path).unwrap();
        let read = home.store.blocks().map(drop);
        let tree = home.store.lock(Duration::ZERO).unwrap();
        let written = tree.blocks().map(drop);
        assert_eq!(std::fs::read(&path).unwrap(), before);
        (read.unwrap_err(), written.unwrap_err())
    };
    let of_another = put(&|path| {
        Connection::open(path).unwrap().execute_batch("CREATE TABLE t (x); PRAGMA user_version = 1").unwrap();
    });
    let with_id = put(&|path| Connection::open(path).unwrap().execute_batch("PRAGMA application_id = 7").unwrap());
    let no_database = put(&|path| std::fs::write(path, "no database at all, whatever it is called").unwrap());
    for (read, written) in [of_another, with_id, no_database] {
        assert!(matches!(read, StoreError::Damaged { .. }), "{read}");
        assert!(matches!(written, StoreError::Damaged { .. }), "{written}");
    }
    let (read, written) = put(&|path| {
        let sql = format!("PRAGMA application_id = {}; PRAGMA user_version = 99", schema::APPLICATION_ID);
        Connection::open(path).unwrap().execute_batch(&sql).unwrap();
    });
    assert!(matches!(read, StoreError::Newer { version: 99, .. }), "{read}");
    assert!(matches!(written, StoreError::Newer { version: 99, .. }), "{written}");
}

#[test]
fn an_empty_file_is_a_database_that_was_begun() {
    let home = Home::new();
    std::fs::write(home.store.root().join("blocks.db"), "").unwrap();
    assert!(home.store.blocks().unwrap().is_none());
    home.add(&state("90 %"), at("05-01"));
    assert_eq!(home.db().count().unwrap(), 1);
    let version: usize = home
        .db()
        .conn
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .map(|version: i64| usize::try_from(version).unwrap())
        .unwrap();
    assert_eq!(version, schema::VERSION);
}

#[test]
fn entities_go_with_their_last_block_and_answer_to_every_name() {
    let home = Home::new();
    let mut new = state("90 %");
    new.entities = vec![masked("Waldseilgarten CRM"), masked("waldseilgarten-crm"), masked("Flo")];
    let added = home.add(&new, at("05-01"));
    assert!(
        home.change(at("05-01"), |writer| { writer.add_alias(&masked("waldseilgarten_crm"), &masked("CRM")).unwrap() })
    );
    let linked = home.db().linked("crm").unwrap().unwrap();
    assert_eq!((linked.name.as_str(), linked.aliases), ("Waldseilgarten CRM", vec!["CRM".to_owned()]));
    assert_eq!(linked.beside, [EntityCount { name: "Flo".into(), blocks: 1 }]);
    // One entity in two spellings is one thing.
    new.entities = vec![masked("Flo"), masked("crm")];
    assert_eq!(home.add(&new, at("05-02")).outcome, Outcome::Repeated);
    home.change(at("05-03"), |writer| writer.forget(std::slice::from_ref(&added.id)).unwrap());
    assert!(home.db().linked("CRM").unwrap().is_none());
    assert_eq!(home.db().stats().unwrap().entities, 0);
}
