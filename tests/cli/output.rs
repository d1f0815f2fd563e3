//! How every command answers: exit codes, error objects, JSON documents, and what becomes of output that has nowhere to go.

use std::fs::OpenOptions;
use std::process::Stdio;

use serde_json::json;

use crate::surface::lived_in;
use crate::world::{World, finish, turn, turn_with};

#[test]
fn each_exit_code_and_its_error_object() {
    let world = lived_in();
    world.write("memory/review-queue/REVIEW-20260521-100000-cut.json", "{");
    let bare = World::bare();
    for (world, args, code, word) in [
        (&world, "mask nirgends.txt", 1, "io"),
        (&world, "review pending --limit viele", 2, "usage"),
        (&world, "session new", 2, "no_agent"),
        (&world, "review reject telegram", 4, "no_reviewer"),
        (&world, "review show nirgends", 5, "not_found"),
        (&world, "review show 100000-cut", 6, "damaged"),
        (&bare, "status", 10, "no_store"),
    ] {
        let args: Vec<&str> = args.split(' ').chain(["--json"]).collect();
        let ran = world.run(&args).exits(code);
        assert_eq!(ran.out, "", "{args:?}");
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {ran}");
        let error = ran.error();
        assert_eq!((&error["code"], &error["exit"]), (&json!(word), &json!(code)), "{args:?}");
        assert!(error["message"].is_string() && error["hints"].is_array(), "{error}");
    }
    // Partly done: the answer is there, and what is missing.
    assert_eq!(world.run(&["review", "pending", "--json"]).exits(3).json()["skipped"].as_array().unwrap().len(), 1);
    world.run(&["status", "--json"]).exits(4);
    world.run(&["--version"]).exits(0);
}

#[test]
fn every_json_answer_is_one_document_with_its_schema() {
    let world = lived_in();
    for args in [
        "init",
        "status",
        "session list",
        "session show carlo",
        "session export carlo",
        "session context carlo",
        "session new --agent mari",
        "session close mari",
        "review pending",
        "review list",
        "review show telegram",
        "review remind",
        "review stats",
        "review create --fact x",
        "audit show",
        "audit verify",
        "audit head",
        "config show",
        "config check",
    ] {
        let args: Vec<&str> = args.split(' ').chain(["--json"]).collect();
        let ran = world.run(&args).exits(0);
        assert_eq!((&ran.json()["schema"], ran.err.as_str()), (&json!(1), ""), "{args:?}: {ran}");
    }
}

#[test]
fn a_pipe_gets_no_ansi_whatever_the_text_holds() {
    let world = lived_in();
    let mut turn = turn_with("Vento \u{1b}[31mnutzt\u{1b}[0m \u{1b}]8;;https://x.example\u{7}Redis\u{9b}2J");
    turn["pending_tasks"] = json!(["\u{1b}[2J löschen"]);
    let answer = world.append("mari", &turn);
    let id = answer["reviews_created"][0].as_str().unwrap();
    for args in [
        "status",
        "session list",
        "session show mari",
        "session context mari",
        "review pending",
        "review show ID",
        "review pending --format csv",
    ] {
        let args: Vec<&str> = args.split(' ').map(|word| if word == "ID" { id } else { word }).collect();
        let ran = world.run(&args).exits(0);
        let text = format!("{}{}", ran.out, ran.err);
        assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{7}']), "{args:?}: {text:?}");
    }
    // JSON keeps the true characters, escaped.
    assert!(world.json(&["review", "show", id])["proposed_fact"].as_str().unwrap().contains("\u{1b}[31m"));
}

#[test]
fn a_closed_pipe_is_quiet_and_the_change_is_made() {
    let world = World::new();
    for args in [&["session", "new", "--agent", "carlo"][..], &["audit", "show"], &["--help"]] {
        let mut child = world.start(args);
        drop(child.stdout.take());
        let ran = finish(child, b"");
        assert_eq!(ran.err, "", "{args:?}: {ran}");
    }
    assert_eq!(world.names("sessions/active").len(), 1);
}

#[test]
fn a_full_device_is_an_error_and_the_change_is_made() {
    let world = World::new();
    let on_full = |args: &[&str]| {
        let mut command = world.command(args);
        command
            .stdin(Stdio::piped())
            .stdout(OpenOptions::new().write(true).open("/dev/full").unwrap())
            .stderr(Stdio::piped());
        finish(command.spawn().unwrap(), turn().to_string().as_bytes()).exits(1)
    };
    for args in [&["session", "append", "--agent", "carlo"][..], &["session", "list"], &["--help"], &["--version"]] {
        let ran = on_full(args);
        assert!(!ran.err.contains("panicked"), "{ran}");
    }
    assert!(on_full(&["session", "append", "--agent", "carlo"]).err.contains("could not be written"));
    let listed = world.json(&["session", "list"]);
    assert_eq!(listed["sessions"][0]["turns"], 2);
}
