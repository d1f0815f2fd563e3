//! Both source documents: their JSON examples read, aged and written back, and their test scenarios played to the letter.

use std::path::Path;

use serde_json::{Value, json};

use crate::tree::{PAGE, VENTO_PAGE, keys, marks, texts};
use crate::world::{World, turn};

/// The session file of `SESSION_MEMORY_ARCHITECTURE`, byte for byte.
const SESSION: &str = include_str!("../fixtures/session.json");
/// The third turn of its scenario.
const TURN: &str = include_str!("../fixtures/turn.json");
/// The review file of its scenario.
const REVIEW: &str = include_str!("../fixtures/review.json");
/// The append of the scenario in `AGENT_ORCHESTRATION_PROTOCOL`.
const APPEND: &str = include_str!("../fixtures/append.json");

const SESSION_ID: &str = "SESSION-carlo-20260521-a3f7b2";
const REVIEW_ID: &str = "REVIEW-20260521-143022-vento-telegram";

fn parse(fixture: &str) -> Value {
    serde_json::from_str(fixture).unwrap()
}

/// A world with the architecture document's session in it.
fn with_session(text: &str) -> World {
    let mut world = World::new();
    world.write(format!("memory/sessions/active/{SESSION_ID}.json"), text);
    world.at("2026-05-21T15:12:00Z");
    world
}

/// A world with the architecture document's review in it.
fn with_review(text: &str) -> World {
    let mut world = World::new();
    world.write(format!("memory/review-queue/{REVIEW_ID}.json"), text);
    world.at("2026-05-21T15:12:00Z");
    world
}

/// The document's session as two turns, so that the next is the scenario's third.
fn two_turns() -> String {
    let mut session = parse(SESSION);
    let mut second = session["turns"][0].clone();
    second["turn_id"] = json!(2);
    session["turns"].as_array_mut().unwrap().push(second);
    session.to_string()
}

#[test]
fn the_documents_session_is_listed_shown_and_left_as_it_is() {
    let world = with_session(SESSION);
    let before = world.records();
    let listed = world.json(&["session", "list"]);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    let listed = &listed["sessions"][0];
    assert_eq!(listed["session_id"], SESSION_ID);
    assert_eq!((&listed["status"], &listed["turns"]), (&json!("active"), &json!(1)));
    assert_eq!(listed["active_projects"], json!(["Vento"]));
    // Every field as in the file; the rest is the answer's own.
    let mut shown = world.json(&["session", "show", "a3f7b2"]);
    assert_eq!(shown.as_object_mut().unwrap().shift_remove("schema"), Some(json!(1)));
    assert_eq!(shown.to_string(), parse(SESSION).to_string());
    let text = world.run(&["session", "show", "a3f7b2"]).exits(0).out;
    for said in ["Was ist der Status von Vento?", "Blocker: Mario", "10 Graphiti facts", PAGE] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
    assert_eq!(world.records(), before);
}

#[test]
fn the_documents_session_ages_by_the_clock() {
    let mut world = with_session(SESSION);
    for (now, state, closed_at) in [
        ("2026-05-21T15:41:59Z", "active", None),
        ("2026-05-21T15:42:00Z", "idle", None),
        ("2026-05-21T17:12:00Z", "idle", None),
        ("2026-05-21T17:12:01Z", "closed", Some("2026-05-21T17:12:00Z")),
        ("2026-05-28T17:11:59Z", "closed", Some("2026-05-21T17:12:00Z")),
        ("2026-05-28T17:12:00Z", "archived", Some("2026-05-21T17:12:00Z")),
    ] {
        let shown = world.at(now).json(&["session", "show", SESSION_ID]);
        assert_eq!(shown["status"], state, "{now}");
        assert_eq!(shown.get("closed_at").and_then(Value::as_str), closed_at, "{now}");
        assert_eq!(world.json(&["session", "list"])["sessions"][0]["status"], state, "{now}");
    }
}

#[test]
fn the_documents_session_is_closed_with_every_field_kept() {
    // Fields of nobody's knowledge, at each level.
    let text = SESSION
        .replace("\"status\": \"active\",", "\"mood\": {\"z\": 1.50, \"a\": null},\n \"status\": \"active\",")
        .replace("\"confidence\": \"medium\",", "\"rerank\": [0.10],\n \"confidence\": \"medium\",");
    let world = with_session(&text);
    world.run(&["session", "close", SESSION_ID]).exits(0);
    assert_eq!(world.names("sessions/active"), [""; 0]);
    let mut written = world.read(&format!("sessions/closed/{SESSION_ID}.json"));
    let fields = written.as_object_mut().unwrap();
    assert_eq!(fields.shift_remove("closed_at"), Some(json!("2026-05-21T15:12:00Z")));
    assert!(fields.shift_remove("closed_by").is_some());
    let mut want = parse(&text);
    want["status"] = json!("closed");
    // As text: the order of the fields and the way numbers are written count too.
    assert_eq!(written.to_string(), want.to_string());
}

#[test]
fn a_turn_is_appended_to_the_documents_session() {
    let world = with_session(SESSION);
    let answer = world.append("hermes-carlo", &turn());
    assert_eq!((&answer["session_id"], &answer["turn_id"]), (&json!(SESSION_ID), &json!(2)));
    let written = world.read(&format!("sessions/active/{SESSION_ID}.json"));
    assert_eq!(keys(&written), keys(&parse(SESSION)));
    assert_eq!(written["turns"][0].to_string(), parse(SESSION)["turns"][0].to_string());
    assert_eq!(written["turns"][1]["turn_id"], 2);
    assert_eq!(written["accumulated_context"], parse(SESSION)["accumulated_context"]);
}

#[test]
fn the_documents_turn_is_shown_and_its_fact_stays_unverified() {
    let mut session = parse(SESSION);
    session["turns"].as_array_mut().unwrap().push(parse(TURN));
    let world = with_session(&session.to_string());
    let text = world.run(&["session", "show", SESSION_ID]).exits(0).out;
    assert!(text.contains("Projekt Vento hat jetzt zusätzlich Telegram-Support."), "{text}");
    assert!(text.contains("Vento unterstützt jetzt Telegram (user_stated, unverified)"), "{text}");
    let context = world.json(&["session", "context", SESSION_ID]);
    let fact = json!({"fact": "Vento unterstützt jetzt Telegram", "status": "user_stated", "verified": false});
    assert_eq!(context["facts"], json!([fact]));
}

#[test]
fn the_documents_review_is_listed_and_shown() {
    let world = with_review(REVIEW);
    let listed = world.json(&["review", "pending"]);
    let listed = &listed["reviews"][0];
    for field in
        ["review_id", "source_session", "proposed_fact", "proposed_obsidian_page", "confidence", "created_at", "status"]
    {
        assert_eq!(listed[field], parse(REVIEW)[field], "{field}");
    }
    assert_eq!(listed["expires_at"], "2026-06-04T14:30:22Z");
    let shown = world.json(&["review", "show", "vento-telegram"]);
    for (field, value) in parse(REVIEW).as_object().unwrap() {
        assert_eq!(shown[field], *value, "{field}");
    }
}

#[test]
fn the_documents_review_expires_after_14_days_to_the_second() {
    let mut world = with_review(REVIEW);
    world.at("2026-06-04T14:30:21Z").json(&["review", "show", REVIEW_ID]);
    assert_eq!(world.run(&["review", "pending", "--format", "ids"]).exits(0).out.trim(), REVIEW_ID);
    world.at("2026-06-04T14:30:22Z");
    assert_eq!(world.run(&["review", "pending", "--format", "ids"]).exits(0).out, "");
    assert_eq!(world.json(&["review", "show", REVIEW_ID])["status"], "expired");
    let refused = world.error(&["review", "approve", REVIEW_ID, "--evidence", "commit 4f2a91c", "--yes"], 4);
    assert!(refused["message"].as_str().unwrap().contains("expired"), "{refused}");
}

#[test]
fn the_documents_review_is_rejected_with_every_field_kept() {
    let text = REVIEW.replace("\"confidence\"", "\"priority\": {\"z\": 1.50, \"a\": null},\n \"confidence\"");
    let world = with_review(&text);
    world.run(&["review", "reject", REVIEW_ID, "--reason", "es gibt keinen Code dafür"]).exits(0);
    assert_eq!(world.names("review-queue"), [""; 0]);
    let written = world.read(&format!("review-queue/archived/{REVIEW_ID}.json"));
    let mut want = parse(&text);
    want["status"] = json!("rejected");
    let known: Vec<_> = keys(&written).into_iter().filter(|key| want.get(key).is_some()).collect();
    assert_eq!(known, keys(&want));
    for (field, value) in want.as_object().unwrap() {
        assert_eq!(written[field].to_string(), value.to_string(), "{field}");
    }
    assert_eq!(written["history"][0]["reason"], "es gibt keinen Code dafür");
}

/// `SESSION_MEMORY_ARCHITECTURE`: „Projekt Vento hat jetzt zusätzlich Telegram-Support“.
#[test]
fn the_architecture_documents_scenario() {
    let mut world = with_session(&two_turns());
    let vault = world.with_vault("");
    let before = marks(&vault);
    world.at("2026-05-21T14:30:22Z");
    let mut third = turn();
    third["retrieval_meta"]["project"] = json!("Vento");
    let review = parse(REVIEW);
    let fact =
        ["confidence", "proposed_obsidian_page", "proposed_change", "requires"].map(|field| (field, &review[field]));
    third["proposed_facts"] = json!([{"fact": review["proposed_fact"], "status": "user_stated"}]);
    for (field, value) in fact {
        third["proposed_facts"][0][field] = value.clone();
    }
    // Was temporär gespeichert wird: for this conversation the agent knows of Telegram, as unverified.
    let answer = world.append("hermes-carlo", &third);
    assert_eq!((&answer["session_id"], &answer["turn_id"]), (&json!(SESSION_ID), &json!(3)));
    let context = world.json(&["session", "context", "--agent", "carlo"]);
    assert_eq!(context["facts"][0]["fact"], review["proposed_fact"]);
    assert_eq!(context["facts"][0]["verified"], false);
    // Was in die Review-Queue geht: the document's file, field by field, under the document's id.
    assert_eq!(answer["reviews_created"], json!([REVIEW_ID]));
    let filed = world.read(&format!("review-queue/{REVIEW_ID}.json"));
    for (field, value) in review.as_object().unwrap() {
        assert_eq!(filed[field], *value, "{field}");
    }
    assert_eq!(filed["obsidian_write_allowed"], false);
    assert_eq!(filed["graphiti_write_allowed"], false);
    assert_eq!(filed["expires_at"], "2026-06-04T14:30:22Z");
    // Nicht persistiert über Session-Ende hinaus ohne Review: the next session knows nothing of it.
    world.at("2026-05-21T17:00:00Z").run(&["session", "new", "--agent", "carlo"]).exits(0);
    assert_eq!(world.json(&["session", "context", "--agent", "carlo"])["facts"], json!([]));
    // Was dauerhaft gespeichert werden dürfte: first a technical proof …
    assert_eq!(world.error(&["review", "approve", REVIEW_ID, "--yes"], 4)["code"], "no_evidence");
    // … then a human's explicit word …
    let evidence = "commit 4f2a91c, Deployment-Log 2026-05-21";
    assert_eq!(world.error(&["review", "approve", REVIEW_ID, "--evidence", evidence], 4)["code"], "no_terminal");
    assert_eq!(world.review(REVIEW_ID)["fact_status"], "user_stated");
    let approved = world.json(&["review", "approve", REVIEW_ID, "--evidence", evidence, "--yes"]);
    assert_eq!(world.review(REVIEW_ID)["fact_status"], "verified");
    // … and then the page, by hand: until here nobody has touched it, and the review waits.
    assert_eq!(marks(&vault), before);
    assert_eq!(world.json(&["review", "list", "--status", "approved"])["reviews"][0]["review_id"], REVIEW_ID);
    let block = approved["block"].as_str().unwrap();
    assert!(block.contains(review["proposed_fact"].as_str().unwrap()) && block.contains(evidence), "{block}");
    world.write(Path::new("vault").join(PAGE), format!("{VENTO_PAGE}{block}\n"));
    world.run(&["review", "transferred", REVIEW_ID]).exits(0);
    assert_eq!(world.read(&format!("review-queue/archived/{REVIEW_ID}.json"))["status"], "transferred");
}

/// `AGENT_ORCHESTRATION_PROTOCOL`: „Was ist der aktuelle Stand von Vento? Außerdem: Vento unterstützt jetzt Telegram.“
#[test]
fn the_protocols_scenario() {
    let mut world = World::new();
    let vault = world.with_vault("");
    let before = marks(&vault);
    let outside =
        || -> Vec<_> { world.files("").into_iter().filter(|(path, _)| !path.starts_with("memory")).collect() };
    let outside_before = outside();
    // [2] Telegram schon erfasst? There is no session yet, and the agent may go on.
    assert_eq!(world.error(&["session", "context", "--agent", "hermes-carlo"], 5)["code"], "no_open_session");
    // [4]
    let append = ["session", "append", "--agent", "hermes-carlo", "--json"];
    let answer = world.run_with(&append, APPEND).exits(0).json();
    let review = answer["reviews_created"][0].as_str().unwrap();
    assert_eq!(answer["reviews_created"].as_array().unwrap().len(), 1);
    let filed = world.read(&format!("review-queue/{review}.json"));
    assert_eq!(filed["obsidian_write_allowed"], false);
    assert_eq!(filed["graphiti_write_allowed"], false);
    assert_eq!(filed["proposed_fact"], parse(APPEND)["proposed_facts"][0]["fact"]);
    assert_eq!(filed["proposed_obsidian_page"], PAGE);
    let context = world.json(&["session", "context", "--agent", "hermes-carlo"]);
    assert_eq!(context["open_tasks"], parse(APPEND)["pending_tasks"]);
    // [5] Telegram: user_stated, unverified; and the two closing lines.
    assert_eq!((&filed["fact_status"], &filed["confidence"]), (&json!("user_stated"), &json!("unverified")));
    let lines = json!([
        "📦 Retrieval: 1 Obsidian-Quellen, 10 Graphiti-Facts — Confidence: medium",
        "💾 Memory: Turn 1 gespeichert | 1 proposed_facts | 1 Reviews erstellt",
    ]);
    assert_eq!(answer["evidence"], lines);
    // Kein Write zu LP-VENTO.md, kein Write zu Graphiti: outside the tree all is as it was.
    assert_eq!(marks(&vault), before);
    assert_eq!(outside(), outside_before);
    // Kein "verified" Status für Telegram, nowhere in the tree.
    for (path, bytes) in world.records() {
        let record: Value = serde_json::from_slice(&bytes).unwrap();
        assert!(!texts(&record).contains(&"verified"), "{}: {record}", path.display());
    }
    // Kein Verlass auf Modell-Wissen statt Retrieval: without it there is nothing to store.
    let mut unfounded = parse(APPEND);
    unfounded.as_object_mut().unwrap().shift_remove("retrieval_meta");
    assert_eq!(world.run_with(&append, unfounded.to_string()).exits(4).error()["code"], "missing_field");
    unfounded["retrieval_unavailable"] = json!(true);
    let answer = world.run_with(&append, unfounded.to_string()).exits(0).json();
    assert_eq!(answer["evidence"][0], "📦 Retrieval nicht verfügbar. Antwort kann nicht garantiert werden.");
    // Review läuft ab nach 14 Tagen.
    world.at("2026-06-04T14:29:59Z");
    assert_eq!(world.json(&["review", "show", review])["status"], "pending");
    world.at("2026-06-04T14:30:00Z");
    assert_eq!(world.json(&["review", "show", review])["status"], "expired");
}

/// `AGENT_ORCHESTRATION_PROTOCOL`, step 5, "Bei Memory-Ausfall".
#[test]
fn where_memory_fails_the_agent_still_gets_its_lines() {
    let world = World::bare();
    let ran = world.run_with(&["session", "append", "--agent", "hermes-carlo"], APPEND).exits(10);
    assert_eq!(
        ran.out,
        "📦 Retrieval: 1 Obsidian-Quellen, 10 Graphiti-Facts — Confidence: medium\n\
         ⚠️ Memory: nicht verfügbar — Session-Kontext nicht gespeichert\n"
    );
}

#[test]
fn the_demo_holds_closed_sessions_open_reviews_and_a_conflict() {
    let world = World::demo();
    let vault = world.dir().join("memory.vault");
    let before = marks(&vault);
    let sessions = world.json(&["session", "list"])["sessions"].clone();
    for state in ["active", "closed"] {
        assert!(sessions.as_array().unwrap().iter().any(|session| session["status"] == state), "{state}: {sessions}");
    }
    let pending = world.json(&["review", "pending"])["reviews"].clone();
    assert_eq!(pending[0]["conflict"], true, "{pending}");
    assert!(pending.to_string().contains("Vento unterstützt Telegram als zusätzlichen Kanal"), "{pending}");
    assert!(
        world.run(&["review", "show", pending[0]["review_id"].as_str().unwrap()]).exits(0).out.contains("LP-VENTO.md")
    );
    // It is made once, and its vault is a vault like any other.
    world.run(&["init", "--demo"]).exits(4);
    assert_eq!(marks(&vault), before);
}
