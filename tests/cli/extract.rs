//! Extraction: what is shown, what is kept, who may, and that a second run changes nothing.

use serde_json::{Value, json};

use crate::world::World;

const NOTES: &str = "# Notizen\n\nIch mag lieber kompakte Tabellen. Magst du Kaffee?\n\n- Das CRM ist zu 90 % fertig.\n\
                     - Wir haben entschieden, SQLite zu nehmen.\n- Das Portal ist fertig, glaube ich.\n";

fn turn(asked: &str, answered: &str) -> String {
    json!({"user_input_summary": asked, "conversation_summary": answered, "retrieval_meta": null, "retrieval_unavailable": true})
        .to_string()
}

impl World {
    #[track_caller]
    fn extract(&self, args: &[&str], input: &str) -> Value {
        self.run_with(&[&["extract", "--json"], args].concat(), input).exits(0).json()
    }

    /// Everything that a second run must leave as it is.
    fn everything(&self) -> (String, String, String) {
        let of = |args: &[&str]| self.run(args).out;
        (of(&["block", "export"]), of(&["review", "list", "--json"]), of(&["audit", "show", "--json"]))
    }

    fn said(&self, agent: &str, asked: &str, answered: &str) -> Value {
        self.run_with(&["session", "append", "--agent", agent, "--json"], turn(asked, answered)).exits(0).json()
    }
}

fn texts(answer: &Value, field: &str) -> Vec<String> {
    answer["candidates"].as_array().unwrap().iter().map(|one| one[field].as_str().unwrap_or("-").to_owned()).collect()
}

#[test]
fn without_apply_nothing_is_written() {
    let world = World::new();
    let before = world.everything();
    let answer = world.extract(&[], NOTES);
    assert_eq!(texts(&answer, "key"), ["table_style", "progress", "decision_database", "status"]);
    assert_eq!(answer["candidates"][0]["line"], 3);
    assert_eq!(answer["candidates"][1]["line"], 5);
    assert_eq!(answer["candidates"][1]["entities"], json!(["CRM"]));
    assert_eq!(answer["candidates"][3]["is_sure"], false);
    assert_eq!(answer["candidates"][3]["doubts"][0], "hypothetical");
    let shown = world.run_with(&["extract"], NOTES).exits(0);
    assert!(shown.out.contains("line 3: Ich mag lieber kompakte Tabellen."), "{shown}");
    assert!(shown.out.contains("would keep 3 blocks, 1 below 0.6; nothing was changed"), "{shown}");
    assert_eq!(world.everything(), before);
    assert!(!world.root().join("blocks.db").exists());
}

#[test]
fn applied_it_keeps_inferred_blocks_files_reviews_and_a_second_run_changes_nothing() {
    let mut world = World::new();
    let answer = world.extract(&["--apply"], NOTES);
    assert_eq!(answer["counts"], json!({"created": 3, "to review": 2}));
    let blocks = world.json(&["block", "list"]);
    let blocks = blocks["blocks"].as_array().unwrap();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        assert_eq!(block["status"], "inferred");
        assert!(block["source"].as_str().unwrap().starts_with("text "), "{block}");
        assert_eq!(block["review_id"].is_null(), block["type"] == "user_preference", "{block}");
    }
    let after = world.everything();
    world.at("2026-05-22T09:00:00Z");
    let again = world.extract(&["--apply"], NOTES);
    assert_eq!(again["counts"], json!({"repeated": 3}));
    assert_eq!(world.everything().0, after.0);
    assert_eq!(world.everything().2, after.2);
}

#[test]
fn another_value_closes_the_one_before_and_the_review_verifies_the_block() {
    let world = World::new();
    world.extract(&["--apply"], "Das CRM ist zu 40 % fertig.");
    let answer = world.extract(&["--apply"], "Das CRM ist zu 90 % fertig.");
    let one = &answer["candidates"][0];
    assert_eq!(one["outcome"], "replaced");
    let review = one["review_id"].as_str().unwrap();
    world.run(&["review", "approve", review, "--evidence", "Bericht 12", "--yes"]).exits(0);
    let block = world.json(&["block", "get", one["id"].as_str().unwrap(), "--peek"]);
    assert_eq!(block["status"], "verified");
    // Said again it stays verified.
    world.extract(&["--apply"], "Das CRM ist zu 90 % fertig.");
    assert_eq!(world.json(&["block", "get", one["id"].as_str().unwrap(), "--peek"])["status"], "verified");
}

#[test]
fn a_session_is_read_turn_by_turn_by_its_own_agent() {
    let world = World::new();
    let session =
        world.said("hermes-carlo", "Ich bevorzuge helle Farben.", "Ich bevorzuge kurze Sätze. Das CRM ist fertig.");
    let id = session["session_id"].as_str().unwrap();
    let answer = world.extract(&["--session", id, "--agent", "hermes-carlo", "--apply"], "");
    // What the agent says of itself is no preference of the user's.
    assert_eq!(texts(&answer, "value"), ["helle Farben", "fertig"]);
    assert_eq!(answer["candidates"][1]["turn"], 1);
    let after = world.everything();
    assert_eq!(world.extract(&["--session", id, "--apply"], "")["counts"], json!({"repeated": 2}));
    assert_eq!(world.everything(), after);
    let refused = world.run(&["extract", "--session", id, "--agent", "hermes-mari", "--json"]).exits(4).error();
    assert_eq!(refused["code"], "other_agents_session", "{refused}");
}

#[test]
fn what_is_masked_reaches_neither_disk_nor_answer() {
    let world = World::new();
    let text = "Ich bevorzuge Anrufe bei Herrn Bartholomäus Quastenflosser unter 0171 2345678.\n\
                Herr Bartholomäus Quastenflosser kümmert sich um die Server.\n";
    let ran = world.run_with(&["extract", "--apply", "--json"], text).exits(0);
    assert!(!ran.out.contains("Quastenflosser") && !ran.out.contains("2345678"), "{ran}");
    assert_eq!(ran.json()["candidates"].as_array().unwrap().len(), 1, "{ran}");
    for entry in
        walkdir::WalkDir::new(world.root()).into_iter().map(Result::unwrap).filter(|one| one.file_type().is_file())
    {
        let bytes = std::fs::read(entry.path()).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("Quastenflosser"), "{}", entry.path().display());
    }
}

#[test]
fn on_append_it_runs_within_the_same_step_and_the_answer_lines_stay() {
    let world = World::new();
    let plain = world.run_with(&["session", "append", "--agent", "hermes-mari"], turn("Hallo.", "Gut.")).exits(0);
    std::fs::write(world.root().join("config.toml"), "[extract]\non_append = true\n").unwrap();
    let said = world.said("hermes-carlo", "Ich mag lieber kompakte Tabellen.", "Das CRM ist fertig.");
    let kept = said["extracted"].as_array().unwrap();
    assert_eq!(kept.len(), 2, "{said}");
    assert_eq!(said["reviews_created"], json!([]));
    let review = kept[1]["review_id"].as_str().unwrap();
    let shown = world.json(&["review", "show", review]);
    assert_eq!(shown["source_session"], said["session_id"]);
    let block = world.json(&["block", "get", kept[1]["id"].as_str().unwrap(), "--peek"]);
    assert_eq!((&block["review_id"], &block["status"]), (&json!(review), &json!("inferred")));
    let lines = world.run_with(&["session", "append", "--agent", "hermes-mari"], turn("Hallo.", "Gut.")).exits(0);
    assert_eq!(lines.out, plain.out.replace("Turn 1", "Turn 2"));
    // The session looked through later says nothing new.
    let id = said["session_id"].as_str().unwrap();
    let after = world.everything();
    world.extract(&["--session", id, "--apply"], "");
    assert_eq!(world.everything(), after);
}

#[test]
fn turns_come_as_json_lines_and_what_is_wrong_is_named() {
    let world = World::new();
    let turns = "{\"role\": \"user\", \"text\": \"Bitte immer auf Deutsch antworten.\"}\n{\"role\": \"tool\", \"text\": \"Das CRM ist fertig.\"}\n";
    let answer = world.extract(&["-"], turns);
    assert_eq!(texts(&answer, "value"), ["immer auf Deutsch antworten"]);
    assert_eq!(answer["candidates"][0]["turn"], 1);
    let before = world.everything().0;
    let error = world.run_with(&["extract", "--json", "--apply"], "{\"text\": \"a\"}\nb\n").exits(4).error();
    assert!(error["message"].as_str().unwrap().starts_with("line 2: "), "{error}");
    std::fs::write(world.dir().join("latin.txt"), b"Das CRM l\xe4uft").unwrap();
    let error = world.run(&["extract", "latin.txt", "--json"]).exits(4).error();
    assert_eq!(error["code"], "bad_encoding");
    world.run(&["extract", "missing.txt"]).exits(1);
    assert_eq!(world.everything().0, before);
}

#[test]
fn a_full_queue_is_told_and_the_next_run_files_what_is_left() {
    let world = World::new();
    std::fs::write(world.root().join("config.toml"), "[review]\nmax_pending = 1\n").unwrap();
    let text = "Das CRM ist fertig. Das Portal ist live.";
    let args = ["extract", "--apply", "--json", "--agent", "hermes-carlo"];
    let first = world.run_with(&args, text).exits(3).json();
    assert_eq!((&first["reviews_refused"], &first["counts"]["created"]), (&json!(1), &json!(2)));
    std::fs::write(world.root().join("config.toml"), "[review]\nmax_pending = 5\n").unwrap();
    assert_eq!(world.run_with(&args, text).exits(0).json()["counts"], json!({"repeated": 2, "to review": 1}));
}
