//! The tree's guards where no command reaches them: what a crash or other hands may leave.
#![allow(clippy::disallowed_methods, reason = "tests make, read and damage files as anybody may")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::audit::Entry;
use super::{Change, Modes, ReviewQuery, Shelf, Store, StoreError, layout};
use crate::domain::agent::AgentId;
use crate::domain::doc::Safe;
use crate::domain::ids::SessionId;
use crate::domain::session::{Session, State};
use crate::domain::time::Timestamp;
use crate::mask::Masker;

const ID: &str = "SESSION-carlo-20260521-a3f7b2";
const REVIEW: &str = "REVIEW-20260521-143022-vento-telegram";
/// A user that is not root.
const OTHER: u32 = 5;

struct World {
    _dir: TempDir,
    root: PathBuf,
    store: Store,
}

impl World {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let root = dir.path().join("memory");
        Store::init(&root, Modes::default()).unwrap();
        let store = open(&root).unwrap();
        Self { _dir: dir, root, store }
    }

    fn commit(&self, change: Change) -> Result<(), StoreError> {
        self.store.lock(Duration::ZERO).unwrap().commit(change)
    }

    fn staged(&self) -> Vec<String> {
        let names = fs::read_dir(self.root.join(layout::STAGING)).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).filter(|name| name != "journal").collect()
    }

    fn log(&self) -> PathBuf {
        self.root.join("audit/2026-05.jsonl")
    }

    fn faults(&self) -> Vec<String> {
        self.store.audit_verify(None).unwrap().faults.into_iter().map(|fault| fault.what).collect()
    }

    /// Appends an entry to the log.
    fn enter(&self) {
        self.commit(audited("carlo")).unwrap();
    }
}

fn open(root: &Path) -> Result<Store, StoreError> {
    Store::open(root, Modes::default(), Masker::default())
}

fn now() -> Timestamp {
    Timestamp::parse("2026-05-21T14:30:00Z").unwrap()
}

fn session() -> Session {
    let agent = AgentId::parse("carlo").unwrap();
    Session::new(SessionId::parse(ID).unwrap(), &agent, now(), &Masker::default())
}

fn entry(target: &str) -> Entry {
    Entry {
        ts: now(),
        actor: "anna".to_owned(),
        via: "cli",
        op: "session.new",
        target: Some(target.to_owned()),
        outcome: "ok",
        counts: BTreeMap::new(),
    }
}

fn audited(target: &str) -> Change {
    let mut change = Change::new();
    change.audit(entry(target));
    change
}

fn put(was: Option<State>, to: State) -> Change {
    let mut change = audited(ID);
    change.put_session(&session(), was, to).unwrap();
    change
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn a_tree_with_a_link_for_a_folder_is_refused_and_the_link_named() {
    for name in layout::FOLDERS.into_iter().chain(layout::FIXED_FILES) {
        let world = World::new();
        let path = world.root.join(name);
        let outside = world.root.parent().unwrap().join("outside");
        fs::rename(&path, &outside).unwrap();
        symlink(&outside, &path).unwrap();
        for refused in [open(&world.root).map(drop), Store::init(&world.root, Modes::default()).map(drop)] {
            let told = matches!(&refused, Err(StoreError::Damaged { path: named, .. }) if *named == path);
            assert!(told, "{name}: {refused:?}");
        }
    }
    // The root alone may be one.
    let world = World::new();
    let link = world.root.parent().unwrap().join("link");
    symlink(&world.root, &link).unwrap();
    open(&link).unwrap();
    Store::init(&link, Modes::default()).unwrap();
}

#[test]
fn a_session_that_could_not_be_read_again_is_not_written() {
    let mut session = session();
    session.doc.set("notes", Safe::word(Box::leak("x".repeat(64 << 20).into_boxed_str())));
    for state in [State::Active, State::Archived] {
        let said = Change::new().put_session(&session, None, state).unwrap_err().to_string();
        assert!(said.contains(ID) && said.contains("671") && said.contains("67108864"), "{said}");
    }
}

#[test]
fn while_the_journal_cannot_be_read_nothing_is_taken_back() {
    let world = World::new();
    let tree = world.store.lock(Duration::ZERO).unwrap();
    let journal = world.root.join(layout::JOURNAL);
    fs::remove_file(&journal).unwrap();
    fs::create_dir(&journal).unwrap();
    let failed = tree.commit(put(None, State::Active)).unwrap_err();
    assert!(matches!(failed, StoreError::Unfinished { .. }), "{failed}");
    assert_eq!(world.staged().len(), 1);
}

/// A tree in which a writer has died with its journal written, to move the session from `active` to `idle`.
fn half_way(world: &World) -> String {
    world.commit(put(None, State::Active)).unwrap();
    let tree = world.store.lock(Duration::ZERO).unwrap();
    tree.begin_only(put(Some(State::Active), State::Idle)).unwrap();
    let staged = world.staged();
    assert_eq!(staged.len(), 1, "{staged:?}");
    staged[0].clone()
}

#[test]
fn recovery_removes_no_original_whose_new_content_is_lost() {
    let world = World::new();
    let staged = half_way(&world);
    fs::remove_file(world.root.join(layout::STAGING).join(staged)).unwrap();
    drop(world.store.lock(Duration::ZERO).unwrap());
    let found = world.store.session(&SessionId::parse(ID).unwrap()).unwrap().unwrap();
    assert_eq!(found.folder, State::Active);
    assert!(!world.store.is_half_way());
}

#[test]
fn recovery_moves_only_the_content_that_was_staged() {
    let world = World::new();
    let staged = half_way(&world);
    // Left by a change that never got as far as its journal.
    fs::write(world.root.join(layout::STAGING).join(staged), "{\"another\": true}").unwrap();
    drop(world.store.lock(Duration::ZERO).unwrap());
    let found = world.store.session(&SessionId::parse(ID).unwrap()).unwrap().unwrap();
    assert_eq!(found.folder, State::Active);
    assert_eq!(world.staged(), [""; 0]);
    // The same change whole is finished.
    let world = World::new();
    half_way(&world);
    drop(world.store.lock(Duration::ZERO).unwrap());
    let found = world.store.session(&SessionId::parse(ID).unwrap()).unwrap().unwrap();
    assert_eq!(found.folder, State::Idle);
}

#[test]
fn a_change_whose_journal_could_not_be_read_is_not_begun() {
    let world = World::new();
    let mut change = put(None, State::Active);
    change.audit(entry(&"x".repeat(17 << 20)));
    let failed = world.commit(change).unwrap_err();
    assert!(failed.to_string().contains("16777216"), "{failed}");
    assert_eq!(world.staged(), [""; 0]);
    assert!(!world.log().exists() && !world.store.is_half_way());
}

#[test]
fn text_behind_a_lines_hash_is_found() {
    for (end, edited) in [("\"}", "\",\"x\":1}"), ("\"}", "\"} "), ("\"}", "\" }"), ("\",\"hash\"", "\", \"hash\"")] {
        let world = World::new();
        world.enter();
        let line = fs::read_to_string(world.log()).unwrap();
        let (before, after) = line.rsplit_once(end).unwrap();
        fs::write(world.log(), format!("{before}{edited}{after}")).unwrap();
        let faults = world.faults();
        assert!(faults.len() == 1 && faults[0].contains("was edited"), "{edited}: {faults:?}");
    }
}

#[test]
fn a_line_torn_before_its_line_end_is_whole() {
    let world = World::new();
    world.enter();
    world.enter();
    let log = fs::read(world.log()).unwrap();
    fs::write(world.log(), &log[..log.len() - 1]).unwrap();
    assert_eq!(world.store.audit_head().unwrap().seq, 2);
    world.enter();
    assert_eq!(world.faults(), [""; 0]);
    assert_eq!(world.store.audit_head().unwrap().seq, 3);
    assert!(fs::read(world.log()).unwrap().starts_with(&log));
}

#[test]
fn a_last_line_that_is_being_written_is_no_torn_one() {
    let world = World::new();
    world.enter();
    let first = fs::read(world.log()).unwrap();
    world.enter();
    let whole = fs::read(world.log()).unwrap();
    fs::write(world.log(), &whole[..first.len() + 20]).unwrap();
    let log = world.log();
    let report = world.store.verify_waiting(None, || fs::write(&log, &whole).unwrap()).unwrap();
    assert_eq!((report.lines, report.faults), (2, Vec::new()));
}

#[test]
fn a_line_without_end_is_passed_over_in_bounded_memory() {
    let world = World::new();
    world.enter();
    let line = fs::read(world.log()).unwrap();
    let file = fs::OpenOptions::new().append(true).open(world.log()).unwrap();
    file.set_len(300 << 20).unwrap();
    std::io::Write::write_all(&mut &file, &[b"\n", line.as_slice()].concat()).unwrap();
    let mut longest = 0;
    super::fs::lines(&world.log(), 0, 1 << 16, |line| {
        longest = longest.max(line.bytes.len());
        true
    })
    .unwrap();
    assert!(longest <= (1 << 16) + 1, "{longest}");
    let mut seen = 0;
    world
        .store
        .audit_lines(|_| {
            seen += 1;
            true
        })
        .unwrap();
    assert_eq!(seen, 2);
    assert_eq!(world.faults().len(), 2);
}

#[test]
fn what_root_left_half_made_is_handed_over_later() {
    if !is_root() {
        return;
    }
    let world = World::new();
    for entry in [""].into_iter().chain(layout::FOLDERS) {
        chown(world.root.join(entry), Some(OTHER), Some(OTHER)).unwrap();
    }
    let store = open(&world.root).unwrap();
    let owner = |path: &Path| fs::metadata(path).unwrap().uid();
    let (journal, lock) = (world.root.join(layout::JOURNAL), world.root.join(layout::TREE_LOCK));
    assert_eq!((owner(&journal), owner(&lock)), (0, 0));
    store.lock(Duration::ZERO).unwrap().commit(put(None, State::Active)).unwrap();
    assert_eq!(owner(&journal), OTHER);
    chown(world.log(), Some(0), Some(0)).unwrap();
    store.lock(Duration::ZERO).unwrap().commit(audited("x")).unwrap();
    assert_eq!(owner(&world.log()), OTHER);
    Store::init(&world.root, Modes::default()).unwrap();
    assert_eq!(owner(&lock), OTHER);
}

#[test]
fn another_users_editor_is_in_nobodys_way() {
    let world = World::new();
    let theirs = world.root.join(layout::EDITING).join(OTHER.to_string());
    fs::create_dir_all(&theirs).unwrap();
    fs::set_permissions(&theirs, fs::Permissions::from_mode(0o700)).unwrap();
    if is_root() {
        chown(&theirs, Some(OTHER), Some(OTHER)).unwrap();
    }
    let scratch = world.store.scratch(None, "txt", "text").unwrap();
    let folder = scratch.path().parent().unwrap().to_owned();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    assert_ne!(folder, theirs);
    drop(scratch);
    assert!(!folder.exists() && theirs.exists());
    fs::remove_dir(&theirs).unwrap();
    drop(world.store.scratch(None, "txt", "text").unwrap());
    assert!(!world.root.join(layout::EDITING).exists());
}

#[test]
fn a_skipped_review_is_named_and_a_repeated_key_is_none() {
    let world = World::new();
    for shelf in [Shelf::Queue, Shelf::Archived] {
        let path = Path::new(shelf.folder()).join(format!("{REVIEW}.json"));
        fs::write(world.root.join(&path), "{").unwrap();
        let (_, skipped) = world.store.review_summaries(ReviewQuery::all(now())).unwrap();
        assert_eq!(skipped.iter().map(|file| &file.path).collect::<Vec<_>>(), [&path]);
        let twice = "{\"schema_version\":1,\"proposed_fact\":\"a\",\"proposed_fact\":\"b\"}";
        fs::write(world.root.join(&path), twice).unwrap();
        let (found, skipped) = world.store.review_summaries(ReviewQuery::all(now())).unwrap();
        assert_eq!((found.len(), skipped.len()), (1, 0), "{skipped:?}");
        assert_eq!(found[0].fact, "b");
        fs::remove_file(world.root.join(&path)).unwrap();
    }
    let twice =
        "{\"schema_version\":1,\"last_active\":\"2026-05-21T14:30:00Z\",\"status\":\"a\",\"status\":\"active\"}";
    fs::write(world.root.join(format!("sessions/active/{ID}.json")), twice).unwrap();
    let (headers, skipped) = world.store.session_headers(|_, _| true).unwrap();
    assert_eq!((headers.len(), skipped.len()), (1, 0), "{skipped:?}");
}
