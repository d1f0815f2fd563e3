//! The power goes: a file system of its own is shut down by force while the program writes, and what it had acknowledged is
//! there afterwards. XFS, since its defaults show what others hide.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::scope;
use std::time::Duration;

use serde_json::json;

use crate::world::{Mounted, World, has_tool, say, turn};

/// How often the power goes; `HERMES_MEM_TESTS_LONG` makes it more.
fn cuts() -> u64 {
    if std::env::var_os("HERMES_MEM_TESTS_LONG").is_some() { 60 } else { 3 }
}

fn done(program: &str, args: &[&str]) -> bool {
    Command::new(program)
        .args(args)
        .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
        .output()
        .is_ok_and(|ran| ran.status.success())
}

/// A disk in a file, mounted.
fn disk(world: &World) -> Option<(PathBuf, PathBuf)> {
    let (image, folder) = (world.dir().join("disk.img"), world.dir().join("disk"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::File::create(&image).unwrap().set_len(320 << 20).unwrap();
    let made = has_tool("mkfs.xfs") && has_tool("xfs_io") && done("mkfs.xfs", &["-q", image.to_str().unwrap()]);
    made.then_some((image, folder))
}

fn mount(image: &Path, folder: &Path) -> Option<Mounted> {
    Mounted::try_new(folder, &["-o", "loop", image.to_str().unwrap()])
}

/// All that was acknowledged before a cut is there after it: turns, decisions, blocks.
#[track_caller]
fn check(world: &World, root: &str, cut: u64, [turns, decided, kept]: [&[String]; 3]) {
    let ran = world.run(&["--root", root, "doctor", "--repair"]);
    assert_eq!(ran.code, Some(0), "cut {cut}: {ran}");
    let listed = world.run(&["--root", root, "session", "list", "--json"]).exits(0).json();
    let mut there = String::new();
    for session in listed["sessions"].as_array().unwrap() {
        let id = session["session_id"].as_str().unwrap();
        there += &world.run(&["--root", root, "session", "show", id, "--json"]).exits(0).out;
    }
    for text in turns {
        assert_eq!(there.matches(&format!("\"{text}\"")).count(), 1, "cut {cut}: the turn {text}");
    }
    let rejected =
        world.run(&["--root", root, "review", "list", "--status", "rejected", "--format", "ids"]).exits(0).out;
    assert!(decided.iter().all(|id| rejected.contains(id.as_str())), "cut {cut}: a decision is lost");
    let blocks = world.run(&["--root", root, "block", "list", "--format", "csv"]).exits(0).out;
    assert!(kept.iter().all(|key| blocks.contains(&format!(",{key},"))), "cut {cut}: a block is lost");
}

#[test]
fn a_power_cut_loses_nothing_that_was_acknowledged() {
    let world = World::bare();
    // Only root on a machine with loop devices can do that; elsewhere it is said, and is no failure.
    let Some((image, folder)) = disk(&world) else { return say("left out: no mkfs.xfs or xfs_io") };
    let Some(mut mounted) = mount(&image, &folder) else { return say("left out: no right to mount a file") };
    let root = folder.join("memory");
    let root = root.to_str().unwrap();
    world.run(&["--root", root, "init"]).exits(0);
    let mut turns: Vec<String> = Vec::new();
    let (mut decided, mut kept): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for cut in 0..cuts() {
        let is_over = AtomicBool::new(false);
        let (told, reviews, blocks) = scope(|threads| {
            let (world, is_over) = (&world, &is_over);
            let on = move || !is_over.load(Ordering::Relaxed);
            let append = threads.spawn(move || {
                let mut told = Vec::new();
                for nth in 0.. {
                    let mut turn = turn();
                    let text = format!("Antwort {cut}-{nth}");
                    turn["conversation_summary"] = json!(text);
                    let ran =
                        world.run_with(&["--root", root, "session", "append", "--agent", "carlo"], turn.to_string());
                    if ran.code == Some(0) {
                        told.push(text);
                    }
                    if !on() {
                        return told;
                    }
                }
                told
            });
            let decide = threads.spawn(move || {
                let mut told = Vec::new();
                for nth in 0.. {
                    let fact = format!("Vento hat {cut}{nth} Kanäle");
                    let made = world.run(&["--root", root, "review", "create", "--fact", &fact, "--json"]);
                    if made.code == Some(0) {
                        let id = made.json()["review_id"].as_str().unwrap().to_owned();
                        let ran = world.run(&["--root", root, "review", "reject", &id, "--reason", "nicht so"]);
                        if ran.code == Some(0) {
                            told.push(id);
                        }
                    }
                    if !on() {
                        return told;
                    }
                }
                told
            });
            let keep = threads.spawn(move || {
                let mut told = Vec::new();
                for nth in 0.. {
                    let key = format!("k{cut}-{nth}");
                    let args = ["--type", "procedural", "--category", "skill", "--value", "wert", "--key", &key];
                    let ran = world.run(&[&["--root", root, "block", "add"], &args[..]].concat());
                    if ran.code == Some(0) {
                        told.push(key);
                    }
                    if !on() {
                        return told;
                    }
                }
                told
            });
            std::thread::sleep(Duration::from_millis(400 + 137 * (cut % 7)));
            // Without a word to the log: what lies in memory only is gone.
            assert!(done("xfs_io", &["-x", "-c", "shutdown", folder.to_str().unwrap()]));
            is_over.store(true, Ordering::Relaxed);
            (append.join().unwrap(), decide.join().unwrap(), keep.join().unwrap())
        });
        turns.extend(told);
        decided.extend(reviews);
        kept.extend(blocks);
        drop(mounted);
        // Lazily unmounted: the device is free once the last process has gone.
        let again = (0..100).find_map(|_| {
            std::thread::sleep(Duration::from_millis(50));
            mount(&image, &folder)
        });
        mounted = again.expect("the disk comes back");
        check(&world, root, cut, [&turns, &decided, &kept]);
    }
    say(&format!(
        "{} power cuts, acknowledged: {} turns, {} decisions, {} blocks; lost turns 0, lost decisions 0, lost blocks 0, trees that \
         doctor could not mend 0",
        cuts(),
        turns.len(),
        decided.len(),
        kept.len()
    ));
}
