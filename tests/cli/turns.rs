//! Which session a turn goes to, how it is stored there, and what an agent reads back: lookup and context.

use serde_json::{Value, json};

use crate::world::{World, turn, turn_with};

fn id_of(answer: &Value) -> String {
    answer["session_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_turn_goes_to_the_agents_newest_open_session() {
    let mut world = World::new();
    let first = world.append("carlo", &turn());
    assert_eq!((&first["created_session"], &first["turn_id"]), (&json!(true), &json!(1)));
    // Active, then idle to its last second, each append beginning the time anew.
    for (now, number) in [("2026-05-21T14:59:59Z", 2), ("2026-05-21T15:40:00Z", 3), ("2026-05-21T17:40:00Z", 4)] {
        let answer = world.at(now).append("hermes-carlo", &turn());
        assert_eq!((id_of(&answer), &answer["turn_id"]), (id_of(&first), &json!(number)), "{now}");
        assert_eq!(answer["created_session"], false);
    }
    assert_ne!(id_of(&world.append("mari", &turn())), id_of(&first));
    // Closed by time, swept or not.
    let next = world.at("2026-05-21T19:40:01Z").append("carlo", &turn());
    assert_ne!(id_of(&next), id_of(&first));
    assert_eq!((&next["created_session"], &next["turn_id"]), (&json!(true), &json!(1)));
}

#[test]
fn new_closes_the_open_session_and_opens_another() {
    let world = World::new();
    let first = world.append("carlo", &turn());
    let second = world.try_append(&["--new"], &turn()).exits(0).json();
    assert_ne!(id_of(&first), id_of(&second));
    assert_eq!(second["created_session"], true);
    let closed = world.json(&["session", "show", &id_of(&first)]);
    assert_eq!(
        (&closed["status"], &closed["closed_at"], &closed["closed_by"]),
        (&json!("closed"), &json!(world.now()), &json!("hermes-carlo"))
    );
    let third = world.json(&["session", "new", "--agent", "carlo"]);
    assert_eq!(third["closed"], second["session_id"]);
    assert_eq!(world.json(&["session", "list", "--state", "active"])["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn a_named_session_that_cant_go_on_is_answered_with_a_new_one_and_a_warning() {
    let mut world = World::new();
    let closed = id_of(&world.append("carlo", &turn()));
    world.run(&["session", "close", &closed]).exits(0);
    let old = id_of(&world.append("carlo", &turn()));
    world.at("2026-06-21T14:30:00Z");
    for (given, why) in [
        (closed.as_str(), "is closed"),
        (&old, "is closed"),
        ("SESSION-carlo-20260521-ffffff", "is unknown"),
        ("nonsense", "is unknown"),
        ("../../etc/passwd", "is unknown"),
    ] {
        let answer = world.try_append(&["--session", given], &turn()).exits(0).json();
        assert_eq!(answer["created_session"], true, "{given}");
        assert!(answer["warnings"].to_string().contains(why), "{given}: {answer}");
        assert_eq!(answer["turn_id"], 1);
    }
    // An open one is taken, by any unique part of its id too.
    let open = id_of(&world.try_append(&["--new"], &turn()).exits(0).json());
    for given in [open.as_str(), open.rsplit('-').next().unwrap()] {
        assert_eq!(id_of(&world.try_append(&["--session", given], &turn()).exits(0).json()), open);
    }
}

#[test]
fn another_agents_session_is_refused() {
    let world = World::new();
    let session = id_of(&world.append("mari", &turn()));
    let before = world.records();
    // Whether it exists or not.
    for given in [session.as_str(), "SESSION-mari-20260521-ffffff"] {
        let error = world.try_append(&["--session", given], &turn()).exits(4).error();
        assert_eq!(error["code"], "other_agents_session", "{given}");
    }
    assert_eq!(world.error(&["session", "close", "--agent", "carlo", &session], 4)["code"], "other_agents_session");
    assert_eq!(world.records(), before);
}

#[test]
fn a_session_closed_by_time_says_when_whoever_asks_later() {
    let mut world = World::new();
    let session = id_of(&world.append("carlo", &turn()));
    let again = world.at("2026-05-22T09:00:00Z").json(&["session", "close", &session]);
    assert_eq!((&again["already_closed"], &again["closed_at"]), (&json!(true), &json!("2026-05-21T16:30:00Z")));
}

#[test]
fn a_turn_is_stored_under_its_inputs_names() {
    let world = World::new();
    let mut given = turn_with("Vento nutzt Redis");
    given["retrieval_meta"] = json!({"query": "Stand", "project": "Vento", "obsidian_sources": 1, "graphiti_facts": 10,
                                     "confidence": "medium", "source_paths": ["03-Projekte/LP-VENTO.md"]});
    given["pending_tasks"] = json!(["Redis prüfen"]);
    given["decisions"] = json!([{"text": "Wir nehmen n8n", "decided_on": "2026-05-20"}, "Es bleibt dabei"]);
    given["proposed_facts"][0]["requires"] = json!("Nachweis");
    let answer = world.append("carlo", &given);
    let session = world.json(&["session", "show", &id_of(&answer)]);
    let stored = &session["turns"][0];
    assert_eq!((&stored["turn_id"], &stored["timestamp"]), (&json!(1), &json!(world.now())));
    for field in ["user_input_summary", "retrieval_meta", "conversation_summary", "pending_tasks", "decisions"] {
        assert_eq!(stored[field], given[field], "{field}");
    }
    let fact = json!({
        "fact": "Vento nutzt Redis", "status": "user_stated", "confidence": "unverified", "requires": "Nachweis",
        "review_id": answer["reviews_created"][0],
    });
    assert_eq!(stored["proposed_facts"], json!([fact]));
    assert_eq!(session["review_queue"], answer["reviews_created"]);
    assert_eq!(
        session["accumulated_context"],
        json!({
            "active_projects": ["Vento"], "open_tasks": ["Redis prüfen"],
            "decisions_this_session": ["Wir nehmen n8n", "Es bleibt dabei"], "user_stated_facts": ["Vento nutzt Redis"],
        })
    );
}

#[test]
fn a_turns_number_is_never_used_again() {
    let world = World::new();
    let turns = json!([{"turn_id": 7, "timestamp": "2026-05-21T14:00:00Z"}, {"turn_id": 2, "timestamp": "2026-05-21T14:01:00Z"}]);
    let session = json!({"agent_id": "hermes-carlo", "last_active": world.now(), "turns": turns});
    world.write("memory/sessions/active/SESSION-carlo-20260521-a3f7b2.json", session.to_string());
    assert_eq!(world.append("carlo", &turn())["turn_id"], 8);
}

#[test]
fn the_same_request_is_answered_again_and_writes_nothing() {
    let world = World::new();
    let mut request = turn_with("Vento nutzt Redis");
    request["request_id"] = json!("anfrage-1");
    let first = world.append("carlo", &request);
    let before = world.files("memory");
    assert_eq!(world.append("carlo", &request), first);
    // Even where it says something else by now.
    request["conversation_summary"] = json!("Etwas anderes.");
    assert_eq!(world.append("carlo", &request), first);
    assert_eq!(world.files("memory"), before);
    // Another id, or another session, is another turn.
    request["request_id"] = json!("anfrage-2");
    assert_eq!(world.append("carlo", &request)["turn_id"], 2);
    request["request_id"] = json!("anfrage-1");
    assert_eq!(world.append("mari", &request)["turn_id"], 1);
}

#[test]
fn a_retrieval_is_found_again_for_less_than_five_minutes() {
    let mut world = World::new();
    let mut asked = turn();
    asked["retrieval_meta"]["query"] = json!("Aktueller Stand Vento?");
    let answer = world.append("carlo", &asked);
    let lookup = |query| ["session", "lookup", "--agent", "carlo", "--query", query];
    world.at("2026-05-21T14:34:59Z");
    for query in ["Aktueller Stand Vento?", "aktueller  STAND vento?", "User fragt nach dem Stand von Vento"] {
        let hit = world.json(&lookup(query));
        assert_eq!((&hit["session_id"], &hit["turn_id"]), (&answer["session_id"], &json!(1)), "{query}");
        assert_eq!(hit["retrieval_meta"], asked["retrieval_meta"]);
    }
    assert_eq!(world.error(&lookup("Stand Waldseilgarten"), 5)["code"], "no_retrieval");
    world.at("2026-05-21T14:35:00Z");
    assert_eq!(world.error(&lookup("Aktueller Stand Vento?"), 5)["code"], "no_retrieval");
    // Only within the session, and only where something was retrieved.
    world.run(&["session", "new", "--agent", "carlo"]).exits(0);
    let mut unavailable = turn();
    unavailable["retrieval_meta"] = Value::Null;
    unavailable["retrieval_unavailable"] = json!(true);
    world.append("carlo", &unavailable);
    assert_eq!(world.error(&lookup("User fragt nach dem Stand von Vento"), 5)["code"], "no_retrieval");
}

#[test]
fn a_task_is_completed_by_number_text_or_part() {
    let world = World::new();
    let mut tasks = turn();
    tasks["pending_tasks"] = json!(["Redis prüfen", "Redis prüfen lassen", "Ports dokumentieren", "n8n aktualisieren"]);
    let session = id_of(&world.append("carlo", &tasks));
    let open = || world.json(&["session", "show", &session])["accumulated_context"]["open_tasks"].clone();
    // Several fit, none fits, out of range: the turn is not stored.
    let before = world.records();
    for given in ["redis", "Kafka", "0", "5"] {
        assert_eq!(
            world.try_append(&["--complete-task", given], &turn()).exits(4).error()["code"],
            "no_task",
            "{given}"
        );
    }
    assert_eq!(world.records(), before);
    world.try_append(&["--complete-task", "ports"], &turn()).exits(0);
    assert_eq!(open(), json!(["Redis prüfen", "Redis prüfen lassen", "n8n aktualisieren"]));
    // A whole text goes before the parts of others; numbers count the tasks that are open.
    world.try_append(&["--complete-task", "redis PRÜFEN", "--complete-task", "3"], &turn()).exits(0);
    assert_eq!(open(), json!(["Redis prüfen lassen"]));
}

#[test]
fn context_keeps_to_its_size() {
    let mut world = World::new();
    for nth in 0..12 {
        let mut turn = turn_with(&format!("Vento nutzt 📦 Port 86{nth:02}"));
        turn["retrieval_meta"]["project"] = json!(format!("Projekt {nth}"));
        turn["pending_tasks"] = json!([format!("Port 86{nth:02} prüfen")]);
        turn["decisions"] = json!([format!("Wir nehmen „Port 86{nth:02}“")]);
        world.at(&format!("2026-05-21T14:{:02}:00Z", 30 + nth)).append("carlo", &turn);
    }
    let whole = world.run(&["session", "context", "--agent", "carlo", "--max-chars", "100000"]).exits(0).out;
    assert!(!whole.contains("left out"), "{whole}");
    let mut lengths = [Vec::new(), Vec::new()];
    for max in (0..400).step_by(57).chain((400..6000).step_by(431)) {
        for (json, lengths) in [&[][..], &["--json"]].into_iter().zip(&mut lengths) {
            let max_chars = max.to_string();
            let ran =
                world.run(&[&["session", "context", "--agent", "carlo", "--max-chars", &max_chars], json].concat());
            if ran.code == Some(4) {
                assert!(max < 500, "--max-chars {max} {json:?}: {ran}");
                continue;
            }
            let ran = ran.exits(0);
            let length = ran.out.chars().count();
            assert!(length <= max, "{length} characters for --max-chars {max} {json:?}");
            lengths.push(length);
            if !json.is_empty() {
                assert_eq!(ran.json()["schema"], 1);
            }
        }
    }
    for lengths in lengths {
        // More room, more context.
        assert!(lengths.is_sorted() && lengths.len() > 12, "{lengths:?}");
    }
    // The newest goes last.
    let small = world.run(&["session", "context", "--agent", "carlo", "--max-chars", "1500"]).exits(0).out;
    assert!(small.contains("12. User fragt nach dem Stand von Vento") && !small.contains("\n- 1. User"), "{small}");
}

#[test]
fn context_holds_what_the_next_answer_needs_and_verifies_nothing() {
    let world = World::new();
    let mut said = turn();
    said["proposed_facts"] = json!([
        {"fact": "Vento nutzt Redis", "status": "verified"},
        {"fact": "Vento nutzt n8n", "status": "user_stated"},
        {"fact": "Vento nutzt MySQL", "status": "rejected"},
    ]);
    let session = id_of(&world.append("carlo", &said));
    let context = world.json(&["session", "context", &session]);
    assert_eq!(
        context["facts"],
        json!([
            {"fact": "Vento nutzt Redis", "status": "inferred", "verified": false},
            {"fact": "Vento nutzt n8n", "status": "user_stated", "verified": false},
        ])
    );
    assert_eq!(
        context["turns"],
        json!([{"turn_id": 1, "asked": said["user_input_summary"], "answered": said["conversation_summary"]}])
    );
    let text = world.run(&["session", "context", "--agent", "carlo"]).exits(0).out;
    assert!(text.contains("Vento nutzt n8n [user_stated, unverified]"), "{text}");
}
