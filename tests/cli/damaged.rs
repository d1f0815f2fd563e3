//! Files of the tree that others have damaged, or put something else in the place of: reported, and left as they are.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::hostile::{no_documents, run};
use crate::world::{World, turn, turn_with};

const SESSION: &str = "SESSION-carlo-20260521-a3f7b2";
const REVIEW: &str = "REVIEW-20260521-143022-vento-telegram";

/// Contents of a session or review file that nobody can use, or only in part.
fn bad_files(id_field: &str, id: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = no_documents().into_iter().map(|(bytes, _)| bytes).collect();
    let fields = [
        "agent_id",
        "turns",
        "status",
        "last_active",
        "created_at",
        "accumulated_context",
        "review_queue",
        "history",
        "flags",
        "proposed_fact",
        "seen_count",
        "expires_at",
        "vault_check",
        "kind",
        "source_session",
        "conflict",
    ];
    for value in [json!(5), json!([[], 1, {}]), json!({"x": []}), json!("x"), json!(null)] {
        let mut file = json!({"schema_version": 1, id_field: id});
        for field in fields {
            file[field] = value.clone();
        }
        files.push(file.to_string().into_bytes());
    }
    files.push(json!({"schema_version": 1, id_field: "REVIEW-20260521-143022-other"}).to_string().into_bytes());
    files
        .push(json!({id_field: id, "turns": [{"turn_id": u64::MAX}], "seen_count": u64::MAX}).to_string().into_bytes());
    files.push(json!({id_field: id, "proposed_fact": "x".repeat(10_000_000)}).to_string().into_bytes());
    files
}

/// Runs every command that may meet the file; none may change it, and the others' work goes on.
#[track_caller]
fn live_with(world: &World, path: &str, commands: &[&[&str]]) {
    let file = world.root().join(path);
    let bytes = || std::fs::read(&file).ok();
    let before = bytes();
    for args in commands {
        let ran = run(world, args, turn_with("Vento läuft").to_string().as_bytes());
        assert!(ran.code.is_some_and(|code| [0, 3, 4, 5, 6].contains(&code)), "{path} {args:?}: {ran}");
    }
    assert!(before == bytes(), "{path} was changed");
    // An agent goes on in whatever session it can.
    run(world, &["session", "append", "--agent", "mari"], turn().to_string().as_bytes()).exits(0);
}

#[test]
fn a_damaged_session_is_reported_and_left_alone() {
    let world = World::new();
    let path = format!("sessions/active/{SESSION}.json");
    for bytes in bad_files("session_id", SESSION) {
        world.write(format!("memory/{path}"), bytes);
        live_with(
            &world,
            &path,
            &[&["session", "list"], &["session", "show", SESSION], &["session", "context", SESSION], &["status"]],
        );
    }
}

#[test]
fn a_damaged_review_is_reported_and_left_alone() {
    let world = World::new();
    let path = format!("review-queue/{REVIEW}.json");
    for bytes in bad_files("review_id", REVIEW) {
        world.write(format!("memory/{path}"), bytes);
        let commands: [&[&str]; 4] =
            [&["review", "pending"], &["review", "show", REVIEW], &["review", "stats"], &["review", "remind"]];
        live_with(&world, &path, &commands);
    }
}

#[test]
fn an_archive_that_does_not_unpack_is_reported_and_left_alone() {
    let world = World::new();
    let path = format!("sessions/archived/{SESSION}.json.gz");
    let gzip = |bytes: &[u8], times: usize| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        (0..times).for_each(|_| encoder.write_all(bytes).unwrap());
        encoder.finish().unwrap()
    };
    let good = gzip(b"{\"schema_version\":1}", 1);
    let bomb = gzip(&vec![b' '; 1 << 20], 256);
    for bytes in [b"".to_vec(), b"\x1f\x8b".to_vec(), good[..good.len() - 4].to_vec(), bomb, gzip(b"\0", 10)] {
        world.write(format!("memory/{path}"), bytes);
        live_with(&world, &path, &[&["session", "list"], &["session", "show", SESSION]]);
        run(&world, &["session", "show", SESSION], b"").exits(6);
    }
}

#[test]
fn links_pipes_and_folders_in_the_tree_are_not_followed() {
    let world = World::new();
    world.write("outside.json", json!({"session_id": SESSION, "review_id": REVIEW}).to_string());
    for path in [format!("sessions/active/{SESSION}.json"), format!("review-queue/{REVIEW}.json")] {
        let full = world.root().join(&path);
        let commands: [&[&str]; 6] = [
            &["session", "list"],
            &["session", "show", SESSION],
            &["review", "list"],
            &["review", "show", REVIEW],
            &["review", "reject", REVIEW, "--reason", "x"],
            &["session", "close", SESSION],
        ];
        symlink(world.dir().join("outside.json"), &full).unwrap();
        live_with(&world, &path, &commands);
        assert!(full.is_symlink());
        std::fs::remove_file(&full).unwrap();
        assert!(Command::new("mkfifo").arg(&full).status().unwrap().success());
        for args in commands {
            run(&world, args, b"");
        }
        std::fs::remove_file(&full).unwrap();
        std::fs::create_dir(&full).unwrap();
        live_with(&world, &path, &commands);
        std::fs::remove_dir(&full).unwrap();
    }
    assert_eq!(
        std::fs::read(world.dir().join("outside.json")).unwrap(),
        json!({"session_id": SESSION, "review_id": REVIEW}).to_string().into_bytes()
    );
}
