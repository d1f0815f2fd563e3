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
    let first = blocks.lines().find(|line| line.contains("MEMORY.md, line 1, migration 2026")).expect(&blocks);
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
    assert!(ran.err.contains("export its table as CSV"), "{ran}");
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
