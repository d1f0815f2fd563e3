//! Disks that can't be written: read-only, full, or not ours.

use std::process::Command;

use crate::world::{Mounted, World, skip, turn, turn_with};

#[test]
fn a_read_only_tree_is_read_and_refuses_every_change_by_its_path() {
    let world = World::new();
    let review = world.review_of("Vento unterstützt Telegram");
    let block = ["block", "add", "--type", "procedural", "--category", "skill", "--key", "k", "--value", "v"];
    world.run(&block).exits(0);
    let root = world.root();
    let Some(_bind) = Mounted::try_new(&world.root(), &["--bind", root.to_str().unwrap()]) else {
        return skip("no right to mount");
    };
    let read_only = Command::new("mount").args(["-o", "remount,bind,ro"]).arg(&root).status().unwrap();
    assert!(read_only.success());
    let before = world.files("memory");
    let turn = turn().to_string();
    for (args, input) in [
        (vec!["session", "append", "--agent", "carlo"], turn.as_str()),
        (vec!["review", "approve", &review, "--evidence", "commit 1", "--yes"], ""),
        (vec!["review", "reject", &review, "--reason", "veraltet"], ""),
        (vec!["retention", "run"], ""),
        (vec!["erase", "--match", "Telegram", "--yes"], ""),
        ([&block[..8], &["--value", "w"]].concat(), ""),
        (vec!["block", "forget", "k"], ""),
    ] {
        let ran = world.run_with(&args, input).exits(1);
        assert!(ran.err.contains(root.to_str().unwrap()) && ran.err.contains("mount it writable"), "{ran}");
    }
    world.run(&["review", "pending"]).exits(0);
    world.run(&["retention", "plan"]).exits(0);
    world.run(&["block", "get", "k"]).exits(0);
    world.run(&["block", "list"]).exits(0);
    world.run(&["audit", "verify"]).exits(0);
    assert_eq!(world.files("memory"), before);
}

#[test]
fn blocks_without_a_log_are_read_where_none_can_be_made() {
    let world = World::new();
    world.run(&["block", "add", "--type", "procedural", "--category", "skill", "--key", "k", "--value", "v"]).exits(0);
    let root = world.root();
    for file in ["blocks.db-wal", "blocks.db-shm"] {
        std::fs::remove_file(root.join(file)).unwrap();
    }
    let Some(_bind) = Mounted::try_new(&world.root(), &["--bind", root.to_str().unwrap()]) else {
        return skip("no right to mount");
    };
    let read_only = Command::new("mount").args(["-o", "remount,bind,ro"]).arg(&root).status().unwrap();
    assert!(read_only.success());
    assert!(world.run(&["block", "get", "k", "--json"]).exits(0).out.contains("\"v\""));
    let ran = world.run(&["block", "forget", "k"]).exits(1);
    assert!(ran.err.contains(root.to_str().unwrap()), "{ran}");
}

#[test]
fn a_full_disk_refuses_and_loses_nothing() {
    let world = World::bare();
    std::fs::create_dir(world.root()).unwrap();
    let Some(_disk) = Mounted::try_new(&world.root(), &["-t", "tmpfs", "-o", "size=256k", "tmpfs"]) else {
        return skip("no right to mount");
    };
    world.run(&["init"]).exits(0);
    let mut acknowledged = 0;
    let full = loop {
        let mut turn = turn_with(&format!("Vento hat {acknowledged} Nutzer"));
        turn["conversation_summary"] = "Vento läuft. ".repeat(70).into();
        let ran = world.run_with(&["session", "append", "--agent", "carlo"], turn.to_string());
        if ran.code != Some(0) {
            break ran;
        }
        acknowledged += 1;
    };
    assert!(acknowledged > 0, "{full}");
    let full = full.exits(1);
    assert!(full.err.contains(world.root().to_str().unwrap()) && full.err.contains("free some space"), "{full}");
    assert!(full.out.contains("⚠️ Memory: nicht verfügbar"), "{full}");
    // With room again, all that was acknowledged is there, and nothing half.
    let grown = Command::new("mount").args(["-o", "remount,size=4m"]).arg(world.root()).status().unwrap();
    assert!(grown.success());
    let next = world.append("carlo", &turn());
    assert_eq!(next["turn_id"], acknowledged + 1);
    assert_eq!(world.files("memory/.staging").len(), 1);
    world.run(&["audit", "verify"]).exits(0);
}
