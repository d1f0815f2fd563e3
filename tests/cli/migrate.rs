//! Taking over what other programs kept.

use serde_json::{Value, json};

use crate::world::World;

fn migrate(world: &World, what: &str, file: &str, code: i32) -> Value {
    let path = world.dir().join(file);
    world.run(&["migrate", what, path.to_str().unwrap(), "--json"]).exits(code).json()
}

/// The counts of an answer, after a look at whether they add up.
fn counts(answer: &Value) -> [u64; 4] {
    let counts = ["migrated", "merged", "known", "refused"].map(|name| answer["counts"][name].as_u64().unwrap());
    assert_eq!(answer["counts"]["entries"], json!(counts.iter().sum::<u64>()), "{answer}");
    assert_eq!(answer["entries"].as_array().unwrap().len() as u64, counts.iter().sum::<u64>());
    counts
}

fn export(world: &World) -> String {
    world.run(&["block", "export"]).exits(0).out
}

const MEMORY: &str = "User mag Tabellen\n§\nGateway auf Port 8645.\n §\nUser mag Tabellen\n§\n[BLOCKED: x]\n§\n\n";

#[test]
fn a_plan_writes_nothing_and_a_run_does_what_it_says() {
    let world = World::new();
    world.write("MEMORY.md", MEMORY);
    let plan = migrate(&world, "plan", "MEMORY.md", 0);
    assert_eq!(counts(&plan), [2, 1, 0, 2]);
    assert_eq!((plan["changed"].clone(), export(&world)), (json!(false), String::new()));
    assert!(world.audit().is_empty());
    let done = migrate(&world, "run", "MEMORY.md", 3);
    assert_eq!(done["entries"], plan["entries"]);
    assert_eq!(done["changed"], true);
    let entry = world.audit().pop().unwrap();
    assert_eq!((&entry["op"], &entry["counts"]["created"]), (&json!("migrate.run"), &json!(2)));
    let blocks = export(&world);
    // Of one second's blocks the export's order is that of their ids, which are random.
    let first = blocks.lines().find(|line| line.contains("MEMORY.md, line 1, MIGRATION-2026")).expect(&blocks);
    let first: Value = serde_json::from_str(first).unwrap();
    assert_eq!((&first["status"], &first["value"]), (&json!("user_stated"), &json!("User mag Tabellen")));
}

#[test]
fn a_second_run_changes_nothing() {
    let mut world = World::new();
    world.write(
        "kv.jsonl",
        "{\"key\":\"editor\",\"value\":\"vim\"}\n{\"key\":\"editor\",\"value\":\"neovim\"}\nnot json\n",
    );
    assert_eq!(counts(&migrate(&world, "run", "kv.jsonl", 3)), [2, 0, 0, 1]);
    let before = (export(&world), world.audit());
    assert_eq!(before.0.lines().count(), 2);
    world.at("2026-08-01T10:00:00Z");
    let again = migrate(&world, "run", "kv.jsonl", 3);
    assert_eq!((counts(&again), again["changed"].clone()), ([0, 0, 2, 1], json!(false)));
    assert_eq!((export(&world), world.audit()), before);
    assert_eq!(world.json(&["block", "get", "editor", "--peek"])["value"], "neovim");
}

#[test]
fn an_older_value_that_comes_later_becomes_history() {
    let world = World::new();
    world.write("kv.csv", "key,value,updated\nstyle,neu,2026-05-10\nstyle,alt,2026-01-01\n");
    assert_eq!(counts(&migrate(&world, "run", "kv.csv", 0)), [2, 0, 0, 0]);
    assert_eq!(world.json(&["block", "get", "style", "--peek"])["value"], "neu");
    assert_eq!(export(&world).lines().count(), 2);
}

#[test]
fn everything_is_masked_and_the_source_stays_as_it_was() {
    let world = World::new();
    let text = "{\"phone_note\": \"Mari ist unter 0171 123 45 67 da\", \"only\": \"0171 123 45 67\"}";
    world.write("flat.json", text);
    let path = world.dir().join("flat.json");
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    let done = migrate(&world, "run", "flat.json", 3);
    assert_eq!((counts(&done), &done["counts"]["masked"]), ([1, 0, 0, 1], &json!(1)));
    assert!(!done.to_string().contains("0171") && !export(&world).contains("0171"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[test]
fn a_file_of_no_known_form_stops_all_of_them() {
    let world = World::new();
    world.write("good.txt", "memory: Mag Tabellen\n");
    world.write("bad.db", b"SQLite format 3\0");
    let [good, bad] = ["good.txt", "bad.db"].map(|name| world.dir().join(name).to_str().unwrap().to_owned());
    let ran = world.run(&["migrate", "run", &good, &bad]).exits(4);
    assert!(ran.err.contains("can't be read"), "{ran}");
    assert_eq!(export(&world), "");
}

#[test]
fn an_agent_may_not_migrate() {
    let world = World::new();
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    world.configure(&format!("[[agent]]\nname = \"hermes-carlo\"\nuser = \"{}\"\n", user.trim()));
    world.write("good.txt", "memory: Mag Tabellen\n");
    let path = world.dir().join("good.txt");
    world.run(&["migrate", "run", path.to_str().unwrap()]).exits(4);
    assert_eq!(export(&world), "");
}

fn run(world: &World, args: &[&str], code: i32) -> Value {
    world.run(&[&["migrate"], args, &["--json"]].concat()).exits(code).json()
}

#[test]
fn a_run_can_be_taken_back_and_leaves_nothing() {
    let mut world = World::new();
    world.write("old.jsonl", "{\"key\":\"editor\",\"value\":\"vim\"}\n{\"key\":\"shell\",\"value\":\"bash\"}\n");
    migrate(&world, "run", "old.jsonl", 0);
    world
        .run(&[
            "block",
            "add",
            "--type",
            "user_preference",
            "--category",
            "formatting",
            "--key",
            "zone",
            "--value",
            "Berlin",
        ])
        .exits(0);
    let before = export(&world);
    world.at("2026-07-01T10:00:00Z");
    // One that closes a value, one that comes before another, a new thing about somebody new, one that is known.
    world.write(
        "new.jsonl",
        concat!(
            "{\"key\":\"editor\",\"value\":\"neovim\"}\n{\"key\":\"editor\",\"value\":\"helix\"}\n",
            "{\"key\":\"shell\",\"value\":\"sh\",\"updated_at\":\"2020-01-01\"}\n",
            "{\"key\":\"shell\",\"value\":\"bash\"}\n",
            "{\"memory\":\"Nutzt FastAPI\",\"tags\":[\"project_state\",\"Vento\"]}\nnot json\n",
        ),
    );
    let done = migrate(&world, "run", "new.jsonl", 3);
    assert_eq!(counts(&done), [4, 0, 1, 1]);
    assert_ne!(export(&world), before);
    let id = done["run"].as_str().unwrap();
    assert!(world.run(&["block", "search", "FastAPI"]).exits(0).out.contains("FastAPI"));
    let undone = run(&world, &["undo", id, "--yes"], 0);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(4), &json!(0)));
    assert_eq!(export(&world), before);
    assert!(!world.run(&["block", "search", "FastAPI"]).out.contains("FastAPI"));
    assert!(!world.run(&["block", "stats"]).exits(0).out.contains("Vento"));
    let entry = world.audit().pop().unwrap();
    assert_eq!((&entry["op"], &entry["target"]), (&json!("migrate.undo"), &json!(id)));
    // Once only, and then it can be done anew.
    let ran = world.run(&["migrate", "undo", id, "--yes"]).exits(4);
    assert!(ran.err.contains("was taken back on"), "{ran}");
    world.run(&["migrate", "verify", id]).exits(4);
    assert_eq!(counts(&migrate(&world, "run", "new.jsonl", 3)), [4, 0, 1, 1]);
    assert!(world.run(&["doctor"]).exits(0).err.is_empty());
}

#[test]
fn what_people_did_since_stays_when_a_run_is_taken_back() {
    let mut world = World::new();
    world.write("kv.jsonl", "{\"key\":\"editor\",\"value\":\"vim\"}\n{\"key\":\"shell\",\"value\":\"bash\"}\n{\"key\":\"a\",\"value\":\"b\"}\n");
    migrate(&world, "run", "kv.jsonl", 0);
    world.at("2026-07-01T10:00:00Z");
    let id = world.json(&["block", "get", "editor", "--peek"])["id"].as_str().unwrap().to_owned();
    world.run(&["block", "confirm", &id]).exits(0);
    let shell = world.json(&["block", "get", "shell", "--peek"]);
    let [block_type, category] = ["type", "category"].map(|name| shell[name].as_str().unwrap());
    world
        .run(&["block", "add", "--type", block_type, "--category", category, "--key", "shell", "--value", "fish"])
        .exits(0);
    let undone = run(&world, &["undo", "latest", "--yes"], 0);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(2), &json!(1)));
    let left = export(&world);
    assert!(left.contains("vim") && left.contains("fish") && !left.contains("bash"), "{left}");
    assert_eq!(left.lines().count(), 2);
}

#[test]
fn every_entry_of_a_run_is_accounted_for_or_said_not_to_be() {
    let world = World::new();
    world.write("MEMORY.md", MEMORY);
    let id = migrate(&world, "run", "MEMORY.md", 3)["run"].as_str().unwrap().to_owned();
    let checked = run(&world, &["verify", &id], 0);
    assert_eq!((&checked["whole"], &checked["counts"]["entries"]), (&json!(true), &json!(5)));
    assert_eq!(checked["refused"].as_array().unwrap().len(), 2);
    let listed = run(&world, &["list"], 0);
    assert_eq!((&listed["runs"][0]["run"], &listed["runs"][0]["counts"]["migrated"]), (&json!(id), &json!(2)));
    // A block that is gone since is said to be; another file, or none, is no proof.
    let first = world.json(&["block", "search", "Tabellen"])["blocks"][0]["id"].as_str().unwrap().to_owned();
    world.run(&["block", "forget", &first, "--yes"]).exits(0);
    assert_eq!(run(&world, &["verify", &id], 0)["counts"]["gone"], 2);
    let path = world.dir().join("MEMORY.md");
    let moved = world.dir().join("moved.md");
    std::fs::rename(&path, &moved).unwrap();
    let checked = run(&world, &["verify", "latest"], 6);
    assert!(checked["faults"][0].as_str().unwrap().contains("--source"), "{checked}");
    run(&world, &["verify", "latest", "--source", moved.to_str().unwrap()], 0);
    world.write("MEMORY.md", "User mag Tabellen\n§\nanders");
    let checked = run(&world, &["verify", "latest"], 6);
    assert!(checked["faults"][0].as_str().unwrap().contains("another file"), "{checked}");
    world.run(&["migrate", "verify", "20"]).exits(6);
    world.run(&["migrate", "verify", "nothing"]).exits(5);
}

#[test]
fn sources_are_one_run_and_one_that_holds_nothing_new_makes_none() {
    let world = World::new();
    world.write("a.txt", "memory: Mag Tabellen\nmemory: Mag Tee\n");
    world.write("b.txt", "memory: Mag Kaffee\n");
    let [a, b] = ["a.txt", "b.txt"].map(|name| world.dir().join(name).to_str().unwrap().to_owned());
    let before = export(&world);
    let done = run(&world, &["run", &a, &b], 0);
    assert_eq!(done["counts"]["migrated"], 3);
    let listed = run(&world, &["list"], 0);
    assert_eq!(listed["runs"].as_array().unwrap().len(), 1);
    assert_eq!(listed["runs"][0]["sources"].as_array().unwrap().len(), 2);
    run(&world, &["verify", "latest"], 0);
    assert_eq!(run(&world, &["run", &a, &b], 0)["run"], Value::Null);
    assert_eq!(run(&world, &["list"], 0), listed);
    assert_eq!(run(&world, &["undo", "latest", "--yes"], 0)["removed"], 3);
    assert_eq!(export(&world), before);
}

#[test]
fn a_run_is_taken_back_by_an_operator_who_means_it() {
    let world = World::new();
    world.write("a.txt", "memory: Mag Tabellen\n");
    migrate(&world, "run", "a.txt", 0);
    let before = export(&world);
    let ran = world.run(&["migrate", "undo", "latest"]).exits(4);
    assert!(ran.err.contains("--yes"), "{ran}");
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    world.configure(&format!("[[agent]]\nname = \"hermes-carlo\"\nuser = \"{}\"\n", user.trim()));
    world.run(&["migrate", "undo", "latest", "--yes"]).exits(4);
    assert_eq!(export(&world), before);
}

#[test]
fn a_home_is_one_source_and_what_was_superseded_is_history() {
    let mut world = World::new();
    world.at("2026-09-01T10:00:00Z");
    for (name, text) in [
        ("home/memories/MEMORY.md", "Gateway auf Port 8645\n§\nTee statt Kaffee"),
        ("home/memories/USER.md", "Bevorzugt kurze Antworten"),
        ("home/memories/MEMORY.md.bak.1780497000", "Gateway auf Port 8645\n§\nGateway auf Port 8644"),
        (
            "home/memories/ARCHIVE.jsonl",
            "{\"ts\":\"2026-08-03T09:12:00Z\",\"action\":\"superseded\",\"entry\":\"Gateway auf Port 8080\"}\n",
        ),
        ("home/profiles/mari/memories/MEMORY.md", "Tee statt Kaffee\n§\nVento ist blockiert"),
        ("home/config.yaml", "model: x\n"),
    ] {
        let path = world.dir().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let before = export(&world);
    let done = migrate(&world, "run", "home", 0);
    assert_eq!(counts(&done), [6, 2, 0, 0], "{done}");
    let blocks: Vec<Value> = export(&world).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let until = |value: &str| blocks.iter().find(|block| block["value"] == value).unwrap()["valid_to"].clone();
    assert_eq!(until("Gateway auf Port 8645"), Value::Null);
    assert_eq!(until("Gateway auf Port 8080"), "2026-08-03T09:12:00Z");
    assert_eq!(until("Gateway auf Port 8644"), "2026-06-03T14:30:00Z");
    let listed = world.json(&["block", "list"]).to_string();
    assert!(listed.contains("8645") && !listed.contains("8080") && !listed.contains("8644"), "{listed}");
    let id = done["run"].as_str().unwrap();
    assert_eq!(run(&world, &["verify", id], 0)["counts"]["entries"], 8);
    assert_eq!(counts(&migrate(&world, "run", "home", 0)), [0, 2, 6, 0]);
    assert!(world.run(&["doctor"]).exits(0).err.is_empty());
    run(&world, &["undo", id, "--yes"], 0);
    assert_eq!(export(&world), before);
}

#[test]
fn a_database_is_read_as_it_is_and_nothing_is_made_beside_it() {
    let world = World::new();
    let folder = world.dir().join("db");
    std::fs::create_dir(&folder).unwrap();
    let database = rusqlite::Connection::open(folder.join("m.sqlite")).unwrap();
    database
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE memory(key, value, updated_at);
             INSERT INTO memory VALUES ('editor', 'neovim', NULL), ('editor', 'vim', '2026-01-01 12:00');",
        )
        .unwrap();
    let files = || {
        let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names.into_iter().map(|path| std::fs::read(&path).map(|bytes| (path, bytes)).unwrap()).collect::<Vec<_>>()
    };
    let before = files();
    let done = migrate(&world, "run", "db/m.sqlite", 0);
    assert_eq!(counts(&done), [2, 0, 0, 0]);
    assert_eq!(files(), before);
    assert_eq!(world.json(&["block", "get", "editor", "--peek"])["value"], "neovim");
    run(&world, &["verify", "latest"], 0);
}

#[test]
fn times_without_a_zone_are_meant_in_the_one_that_is_named() {
    let world = World::new();
    world.write("kv.csv", "key,value,updated\nstyle,neu,2026-05-10 12:00\n");
    let path = world.dir().join("kv.csv");
    let path = path.to_str().unwrap();
    run(&world, &["run", path, "--assume-tz", "Europe/Berlin"], 0);
    assert_eq!(world.json(&["block", "get", "style", "--peek"])["created_at"], "2026-05-10T10:00:00Z");
    let ran = world.run(&["migrate", "plan", path, "--assume-tz", "Mars"]).exits(2);
    assert!(ran.err.contains("Europe/Berlin"), "{ran}");
}

#[test]
fn a_source_can_be_named_for_what_it_is_and_is_verified_as_such() {
    let world = World::new();
    world.write("words.txt", "Tee statt Kaffee\n\nImmer erst testen\n");
    let path = world.dir().join("words.txt");
    let path = path.to_str().unwrap();
    world.run(&["migrate", "plan", path]).exits(4);
    assert_eq!(run(&world, &["run", path, "--from", "openclaw"], 0)["counts"]["migrated"], 2);
    assert_eq!(run(&world, &["verify", "latest"], 0)["counts"]["entries"], 2);
    assert!(world.run(&["migrate", "plan", path, "--from", "letta"]).exits(4).err.contains("--from"));
}
