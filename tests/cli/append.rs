//! What `session append` takes and refuses, and what it makes of facts and decisions. Which session it goes to, and what
//! is read from there later, is in `turns`.

use serde_json::{Value, json};

use crate::world::{World, turn, turn_with};

/// Refused with exit 4, and no session or review is another than before. Answers the error.
#[track_caller]
fn refused(world: &World, args: &[&str], turn: &Value) -> Value {
    let before = world.records();
    let error = world.try_append(args, turn).exits(4).error();
    assert_eq!(world.records(), before, "{turn}");
    error
}

/// The smallest turn with another value in a field, given as a JSON pointer; `Null` removes it.
fn with(pointer: &str, value: Value) -> Value {
    let mut turn = turn();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let parent = turn.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    if value.is_null() {
        parent.shift_remove(field);
    } else {
        parent.insert(field.to_owned(), value);
    }
    turn
}

fn fact(more: &Value) -> Value {
    let mut fact = json!({"fact": "Vento nutzt Redis", "status": "user_stated"});
    fact.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    with("/proposed_facts", json!([fact]))
}

#[test]
fn a_text_may_be_as_long_as_its_limit_and_no_longer() {
    for (pointer, limit) in
        [("/user_input_summary", 500), ("/conversation_summary", 1000), ("/retrieval_meta/query", 500)]
    {
        let world = World::new();
        // Characters are counted, not bytes.
        for letter in ["a", "ü", "📦"] {
            world.try_append(&[], &with(pointer, json!(letter.repeat(limit)))).exits(0);
            let error = refused(&world, &[], &with(pointer, json!(letter.repeat(limit + 1))));
            let field = pointer[1..].replace('/', ".");
            assert_eq!(error["code"], "text_too_long");
            for said in [field, format!("{limit}"), format!("{}", limit + 1)] {
                assert!(error["message"].as_str().unwrap().contains(&said), "{said} is missing: {error}");
            }
        }
    }
}

#[test]
fn limits_count_what_was_sent_not_what_masking_leaves() {
    let world = World::new();
    let address = ["kontakt.buero.lang", "@", "kunde-nord.de "].concat();
    let text = address.repeat(500 / address.len() + 1);
    assert!(text.len() > 500 && text.len() < 560);
    assert_eq!(refused(&world, &[], &with("/user_input_summary", json!(text)))["code"], "text_too_long");
}

#[test]
fn a_refusal_names_the_field_and_writes_nothing() {
    let world = World::new();
    world.append("carlo", &turn_with("Vento nutzt n8n"));
    let cases = [
        // Missing.
        (with("/user_input_summary", Value::Null), "missing_field", "user_input_summary"),
        (with("/conversation_summary", Value::Null), "missing_field", "conversation_summary"),
        (with("/retrieval_meta", Value::Null), "missing_field", "retrieval_meta"),
        (with("/retrieval_meta/confidence", Value::Null), "missing_field", "retrieval_meta.confidence"),
        (with("/retrieval_meta/obsidian_sources", Value::Null), "missing_field", "retrieval_meta.obsidian_sources"),
        (with("/proposed_facts", json!([{"fact": "x"}])), "missing_field", "proposed_facts[0].status"),
        // Raw dialogue.
        (with("/user_input", json!("x")), "raw_dialogue", "user_input"),
        (with("/agent_response", json!("x")), "raw_dialogue", "agent_response"),
        (with("/messages", json!([])), "raw_dialogue", "messages"),
        (with("/raw", json!({})), "raw_dialogue", "raw"),
        // Write targets.
        (with("/obsidian_path", json!("x")), "write_target", "obsidian_path"),
        (with("/graphiti_write", json!(true)), "write_target", "graphiti_write"),
        (with("/obsidian_write_allowed", json!(true)), "write_target", "obsidian_write_allowed"),
        (fact(&json!({"graphiti_write_allowed": true})), "write_target", "proposed_facts[0].graphiti_write_allowed"),
        // Unknown.
        (with("/mood", json!("x")), "unknown_field", "mood"),
        (with("/retrieval_meta/rerank", json!(1)), "unknown_field", "retrieval_meta.rerank"),
        (fact(&json!({"mood": 1})), "unknown_field", "proposed_facts[0].mood"),
        (with("/decisions", json!([{"text": "x", "mood": 1}])), "unknown_field", "decisions[0].mood"),
        // Wrong values.
        (with("/retrieval_meta/obsidian_sources", json!(-1)), "bad_value", "retrieval_meta.obsidian_sources"),
        (with("/retrieval_meta/graphiti_facts", json!(1.5)), "bad_value", "retrieval_meta.graphiti_facts"),
        (with("/retrieval_meta/graphiti_facts", json!("1")), "bad_value", "retrieval_meta.graphiti_facts"),
        (with("/retrieval_meta/confidence", json!("unverified")), "bad_value", "retrieval_meta.confidence"),
        (fact(&json!({"status": "true"})), "bad_value", "proposed_facts[0].status"),
        (fact(&json!({"confidence": "sure"})), "bad_value", "proposed_facts[0].confidence"),
        (
            fact(&json!({"proposed_obsidian_page": "../draußen.md"})),
            "bad_value",
            "proposed_facts[0].proposed_obsidian_page",
        ),
        (
            fact(&json!({"proposed_obsidian_page": "/etc/passwd"})),
            "bad_value",
            "proposed_facts[0].proposed_obsidian_page",
        ),
        (with("/decisions", json!([{"text": "x", "decided_on": "gestern"}])), "bad_value", "decisions[0].decided_on"),
        // Wrong types.
        (with("/user_input_summary", json!(1)), "wrong_type", "user_input_summary"),
        (with("/pending_tasks", json!("x")), "wrong_type", "pending_tasks"),
        (with("/pending_tasks", json!([1])), "wrong_type", "pending_tasks[0]"),
        (with("/proposed_facts", json!(["x"])), "wrong_type", "proposed_facts[0]"),
        (json!([turn()]), "wrong_type", "input"),
    ];
    for (turn, code, field) in cases {
        let error = refused(&world, &[], &turn);
        assert_eq!(error["code"], code, "{error}");
        let named = error["message"].as_str().unwrap().lines().any(|line| line.starts_with(&format!("{field}: ")));
        assert!(named, "{field} is not named: {error}");
    }
    // What says that nothing is to be written is no write target.
    world.try_append(&[], &with("/obsidian_write_allowed", json!(false))).exits(0);
}

#[test]
fn all_problems_are_named_at_once() {
    let world = World::new();
    let mut turn = fact(&json!({"status": "x", "mood": 1}));
    turn["raw"] = json!("x");
    turn["user_input_summary"] = json!("ü".repeat(501));
    let message = refused(&world, &[], &turn)["message"].as_str().unwrap().to_owned();
    for field in ["user_input_summary", "proposed_facts[0].status", "proposed_facts[0].mood", "raw"] {
        assert!(message.contains(&format!("\n{field}: ")), "{field}: {message}");
    }
}

#[test]
fn what_is_no_json_is_refused_with_the_place() {
    let world = World::new();
    let before = world.records();
    let text = turn().to_string();
    let cases: [(Vec<u8>, &str); 7] = [
        (b"".to_vec(), "line 1"),
        (text.as_bytes()[..text.len() - 1].to_vec(), "ends too early"),
        (format!("{text}\n{text}").into_bytes(), "line 2"),
        (text.replacen('{', "{\"user_input_summary\": \"x\",", 1).into_bytes(), "the same key stands twice"),
        (b"{\"user_input_summary\": \"\xff\"}".to_vec(), "not UTF-8"),
        (b"{\"user_input_summary\": \"a\0b\"}".to_vec(), "control character"),
        ([b"[".repeat(100_000), b"]".repeat(100_000)].concat(), "nested"),
    ];
    for (bytes, said) in cases {
        let ran = world.run_with(&["session", "append", "--agent", "carlo", "--json"], bytes).exits(4);
        let error = ran.error();
        assert_eq!(error["code"], "bad_json");
        assert!(error["message"].as_str().unwrap().contains(said), "{said}: {error}");
    }
    assert_eq!(world.records(), before);
    for good in [format!("\u{feff}{text}"), text.replace("\",\"", "\",\r\n\"")] {
        world.run_with(&["session", "append", "--agent", "carlo"], good).exits(0);
    }
}

#[test]
fn an_agents_name_is_plain() {
    let world = World::new();
    for bad in ["", "Carlo", "-carlo", "car lo", "../carlo", "carlö", &"a".repeat(33)] {
        world.run_with(&["session", "append", "--agent", bad], turn().to_string()).exits(2);
    }
    assert_eq!(world.records(), []);
    assert_eq!(
        world.run_with(&["session", "append", "--json"], turn().to_string()).exits(2).error()["code"],
        "no_agent"
    );
    for good in ["carlo", "hermes-carlo"] {
        let id = world.append(good, &turn())["session_id"].clone();
        assert!(id.as_str().unwrap().starts_with("SESSION-carlo-20260521-"), "{id}");
    }
    assert_eq!(world.json(&["session", "list"])["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn the_evidence_lines_are_the_protocols_to_the_character() {
    let world = World::new();
    let mut second = with("/retrieval_meta", json!({"obsidian_sources": 0, "graphiti_facts": 1, "confidence": "low"}));
    second["proposed_facts"] = json!([{"fact": "Vento nutzt Redis", "status": "inferred"}, {"fact": "Vento nutzt MySQL", "status": "rejected"}]);
    let mut third = with("/retrieval_meta", Value::Null);
    third["retrieval_unavailable"] = json!(true);
    let append = ["session", "append", "--agent", "carlo"];
    for (turn, lines) in [
        (
            turn(),
            "📦 Retrieval: 1 Obsidian-Quellen, 10 Graphiti-Facts — Confidence: medium\n\
                  💾 Memory: Turn 1 gespeichert | 0 proposed_facts | 0 Reviews erstellt\n",
        ),
        (
            second,
            "📦 Retrieval: 0 Obsidian-Quellen, 1 Graphiti-Facts — Confidence: low\n\
                  💾 Memory: Turn 2 gespeichert | 2 proposed_facts | 1 Reviews erstellt\n",
        ),
        (
            third,
            "📦 Retrieval nicht verfügbar. Antwort kann nicht garantiert werden.\n\
                 💾 Memory: Turn 3 gespeichert | 0 proposed_facts | 0 Reviews erstellt\n",
        ),
    ] {
        assert_eq!(world.run_with(&append, turn.to_string()).exits(0).out, lines);
    }
}

#[test]
fn a_missing_retrieval_has_to_be_said() {
    let world = World::new();
    let mut both = turn();
    both["retrieval_unavailable"] = json!(true);
    assert_eq!(refused(&world, &[], &both)["code"], "bad_value");
    let mut neither = with("/retrieval_meta", Value::Null);
    neither["retrieval_unavailable"] = json!(false);
    assert_eq!(refused(&world, &[], &neither)["code"], "missing_field");
    neither["retrieval_unavailable"] = json!(true);
    neither["retrieval_meta"] = Value::Null;
    world.try_append(&[], &neither).exits(0);
}

#[test]
fn the_full_user_input_is_taken_only_where_the_policy_says_so() {
    let world = World::new();
    let turn = with("/user_input", json!("Was ist der Stand?\nUnd wann geht es weiter?"));
    assert_eq!(refused(&world, &[], &turn)["code"], "raw_dialogue");
    world.configure("[policy]\nstore_user_input = \"masked\"\n");
    let session = world.append("carlo", &turn)["session_id"].clone();
    let shown = world.json(&["session", "show", session.as_str().unwrap()]);
    assert_eq!(shown["turns"][0]["user_input"], turn["user_input"]);
    for field in ["agent_response", "messages"] {
        assert_eq!(refused(&world, &[], &with(&format!("/{field}"), json!("x")))["code"], "raw_dialogue");
    }
}

#[test]
fn the_first_two_kinds_of_facts_make_a_review_each_and_a_rejected_one_none() {
    let mut world = World::new();
    let facts = json!([
        {"fact": "Vento nutzt Redis", "status": "user_stated"},
        {"fact": "Vento nutzt n8n", "status": "inferred", "confidence": "high", "project": "Vento"},
        {"fact": "Vento nutzt MySQL", "status": "rejected"},
    ]);
    let answer = world.append("carlo", &with("/proposed_facts", facts));
    assert_eq!(answer["proposed_facts"], 3);
    let ids: Vec<_> = answer["reviews_created"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    let told: Vec<_> = ids
        .iter()
        .map(|id| world.review(id))
        .map(|review| {
            ["proposed_fact", "fact_status", "confidence", "kind"]
                .map(|field| review[field].as_str().unwrap().to_owned())
                .join(" | ")
        })
        .collect();
    assert_eq!(
        told,
        ["Vento nutzt Redis | user_stated | unverified | fact", "Vento nutzt n8n | inferred | high | fact"]
    );
    // The agent's own rejection counts for nothing later.
    world.at("2026-05-22T10:00:00Z");
    let id = world.append("carlo", &turn_with("Vento nutzt MySQL"))["reviews_created"][0].clone();
    assert!(world.review(id.as_str().unwrap()).get("previously_rejected").is_none());
}

#[test]
fn the_same_fact_is_filed_once_and_counted() {
    let mut world = World::new();
    let first = world.append("carlo", &turn_with("Vento nutzt Redis."));
    let id = first["reviews_created"][0].as_str().unwrap();
    // In the session, in another agent's, and outside of any.
    world.at("2026-05-21T14:31:00Z");
    for agent in ["carlo", "mari"] {
        let again = world.append(agent, &turn_with("vento nutzt  redis"));
        assert_eq!(again["reviews_created"], json!([]));
        assert!(again["warnings"].to_string().contains(id), "{again}");
        assert!(again["evidence"][1].as_str().unwrap().ends_with("| 1 proposed_facts | 0 Reviews erstellt"));
    }
    assert_eq!(world.json(&["review", "create", "--fact", "Vento nutzt Redis"])["outcome"], "seen");
    let review = world.review(id);
    assert_eq!(review["seen_count"], 4);
    let sources: Vec<_> =
        review["seen_again"].as_array().unwrap().iter().map(|source| source["agent"].clone()).collect();
    assert_eq!(sources, [json!("hermes-carlo"), json!("hermes-mari"), Value::Null]);
    assert_eq!(world.names("review-queue").len(), 1);
    // Decided, it is not made again by the session that proposed it.
    world.run(&["review", "reject", id, "--reason", "kein Beleg"]).exits(0);
    let again = world.append("carlo", &turn_with("Vento nutzt Redis"));
    assert_eq!(again["reviews_created"], json!([]));
}

#[test]
fn a_rejection_is_remembered_for_90_days() {
    for (now, flagged) in
        [("2026-05-22T10:00:00Z", true), ("2026-08-19T14:29:59Z", true), ("2026-08-19T14:30:00Z", false)]
    {
        let mut world = World::new();
        let id = world.propose("Vento nutzt Redis", &[]);
        world.run(&["review", "reject", &id, "--reason", "kein Beleg"]).exits(0);
        let again = world.at(now).append("carlo", &turn_with("vento nutzt redis"))["reviews_created"][0].clone();
        let review = world.review(again.as_str().unwrap());
        assert_eq!(review["flags"] == json!(["previously_rejected"]), flagged, "{now}: {review}");
        if flagged {
            assert_eq!(review["previously_rejected"]["reason"], "kein Beleg");
            assert_eq!(review["previously_rejected"]["review_id"], json!(id));
        }
    }
}

#[test]
fn a_fact_of_nothing_but_personal_data_makes_no_review() {
    let world = World::new();
    let address = ["a.sonntag", "@", "kunde-nord.de"].concat();
    let answer = world.append("carlo", &turn_with(&address));
    assert_eq!((&answer["reviews_created"], &answer["turn_id"]), (&json!([]), &json!(1)));
    assert!(answer["warnings"].to_string().contains("nothing but personal data"), "{answer}");
    assert_eq!(world.error(&["review", "create", "--fact", &address], 4)["code"], "nothing_left");
    assert_eq!(world.names("review-queue"), [""; 0]);
}

#[test]
fn a_full_queue_turns_proposals_away_and_keeps_the_turn() {
    let world = World::new();
    world.configure("[review]\nmax_pending = 2\n");
    let facts: Vec<_> =
        (1..=3).map(|nth| json!({"fact": format!("Vento nutzt Port 860{nth}"), "status": "inferred"})).collect();
    let answer = world.try_append(&[], &with("/proposed_facts", json!(facts))).exits(3).json();
    assert_eq!(answer["reviews_created"].as_array().unwrap().len(), 2);
    assert_eq!((&answer["reviews_refused"], &answer["turn_id"]), (&json!(1), &json!(1)));
    assert!(answer["warnings"].to_string().contains("max_pending"), "{answer}");
    assert_eq!(
        world.error(&["review", "create", "--agent", "carlo", "--fact", "Vento nutzt SMS"], 4)["code"],
        "queue_full"
    );
    // Another agent's proposals, and a person's, are their own; a decision makes room.
    world.append("mari", &turn_with("Vento nutzt SMS"));
    world.run(&["review", "create", "--fact", "Vento nutzt Kafka"]).exits(0);
    world.run(&["review", "reject", "port-8601", "--reason", "nein"]).exits(0);
    world.propose("Vento nutzt MySQL", &[]);
}

#[test]
fn the_same_decision_is_stored_once() {
    let world = World::new();
    let decide = |decisions: Value| world.append("carlo", &with("/decisions", decisions))["session_id"].clone();
    decide(json!(["Wir nehmen Redis.", "wir  nehmen Redis"]));
    let session = decide(json!([{"text": "WIR NEHMEN REDIS!"}, "Wir nehmen n8n"]));
    let shown = world.json(&["session", "show", session.as_str().unwrap()]);
    assert_eq!(shown["turns"][0]["decisions"], json!(["Wir nehmen Redis."]));
    assert_eq!(shown["turns"][1]["decisions"], json!(["Wir nehmen n8n"]));
    assert_eq!(shown["accumulated_context"]["decisions_this_session"], json!(["Wir nehmen Redis.", "Wir nehmen n8n"]));
    assert_eq!(world.names("review-queue"), [""; 0]);
}

#[test]
fn a_decision_with_a_consequence_makes_a_review() {
    let world = World::new();
    let decision = json!({"text": "Wir nehmen Redis", "consequence": "n8n wird angepasst", "decided_on": "2026-05-21"});
    let answer = world.append("carlo", &with("/decisions", json!([decision])));
    let id = answer["reviews_created"][0].as_str().unwrap();
    let review = world.review(id);
    assert_eq!((&review["kind"], &review["proposed_fact"]), (&json!("decision"), &decision["text"]));
    for field in ["consequence", "decided_on"] {
        assert_eq!(review[field], decision[field]);
    }
    assert_eq!((&review["source_session"], &review["source_turn"]), (&answer["session_id"], &json!(1)));
    assert_eq!(answer["proposed_facts"], 0);
    // Mentioned again, it makes none.
    assert_eq!(world.append("carlo", &with("/decisions", json!([decision])))["reviews_created"], json!([]));
}

#[test]
fn a_blank_completes_no_task() {
    let world = World::new();
    let mut said = turn();
    said["pending_tasks"] = json!(["Ports prüfen"]);
    world.append("carlo", &said);
    for blank in ["", " \t", "…"] {
        let error: Value = world.try_append(&["--complete-task", blank], &turn()).exits(4).error();
        assert_eq!(error["code"], "no_task", "{blank:?}: {error}");
    }
}
