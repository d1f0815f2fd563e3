use serde_json::{Value, json};

use super::*;

fn minimal() -> Value {
    json!({
        "user_input_summary": "User fragt Status Vento + behauptet Telegram-Support",
        "retrieval_meta": {"obsidian_sources": 1, "graphiti_facts": 10, "confidence": "medium"},
        "conversation_summary": "Vento 90% fertig, nicht live. Telegram unbestätigt."
    })
}

fn codes(value: Value) -> Vec<(String, &'static str)> {
    match read_turn(value, UserInputPolicy::Summary) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.into_iter().map(|problem| (problem.field, problem.code)).collect(),
    }
}

fn with(field: &str, value: Value) -> Value {
    let mut turn = minimal();
    turn.as_object_mut().unwrap().insert(field.into(), value);
    turn
}

#[test]
fn the_protocols_example_is_taken_whole() {
    let turn = with(
        "proposed_facts",
        json!([{"fact": "Vento unterstützt Telegram als zusätzlichen Kanal", "status": "user_stated",
                "confidence": "unverified", "proposed_obsidian_page": "03-Projekte/LP-VENTO.md"}]),
    );
    let turn = read_turn(turn, UserInputPolicy::Summary).ok().unwrap();
    assert_eq!(turn.proposed_facts.len(), 1);
    assert_eq!(turn.texts().len(), 4);
}

#[test]
fn limits_count_characters_and_include_their_figure() {
    for (field, max) in [("user_input_summary", 500), ("conversation_summary", 1000)] {
        assert_eq!(codes(with(field, json!("ü".repeat(max)))), []);
        assert_eq!(codes(with(field, json!("ü".repeat(max + 1)))), [(field.to_owned(), "text_too_long")]);
    }
    let Err(problems) = read_turn(with("user_input_summary", json!("x".repeat(612))), UserInputPolicy::Summary) else {
        panic!()
    };
    assert_eq!(problems[0].to_string(), "user_input_summary: 612 characters; the limit is 500. Shorten it by 112");
}

#[test]
fn each_forbidden_field_is_refused_by_its_kind() {
    for (field, value, code) in [
        ("user_input", json!("x"), "raw_dialogue"),
        ("agent_response", json!("x"), "raw_dialogue"),
        ("messages", json!([]), "raw_dialogue"),
        ("raw", json!("x"), "raw_dialogue"),
        ("obsidian_path", json!("x"), "write_target"),
        ("graphiti_write", json!(true), "write_target"),
        ("obsidian_write_allowed", json!(true), "write_target"),
        ("foo_write_allowed", json!(true), "write_target"),
        ("surprise", json!(1), "unknown_field"),
    ] {
        assert_eq!(codes(with(field, value)), [(field.to_owned(), code)]);
    }
    assert_eq!(codes(with("obsidian_write_allowed", json!(false))), []);
    assert!(read_turn(with("user_input", json!("x")), UserInputPolicy::Masked).is_ok());
}

#[test]
fn problems_inside_lists_name_their_place() {
    let turn = with(
        "proposed_facts",
        json!([{"fact": "x", "status": "maybe"}, {"fact": "y", "status": "inferred", "obsidian_path": "z"}, "w",
               {"fact": "y", "status": "inferred", "proposed_obsidian_page": "../../etc/passwd"}]),
    );
    assert_eq!(
        codes(turn),
        [
            ("proposed_facts[0].status".to_owned(), "bad_value"),
            ("proposed_facts[1].obsidian_path".to_owned(), "write_target"),
            ("proposed_facts[2]".to_owned(), "wrong_type"),
            ("proposed_facts[3].proposed_obsidian_page".to_owned(), "bad_value"),
        ]
    );
}

#[test]
fn an_answer_without_retrieval_is_refused_unless_retrieval_failed() {
    let mut turn = minimal();
    turn["retrieval_meta"] = Value::Null;
    assert_eq!(codes(turn.clone()), [("retrieval_meta".to_owned(), "missing_field")]);
    turn["retrieval_unavailable"] = json!(true);
    assert_eq!(codes(turn), []);
    assert_eq!(codes(with("retrieval_unavailable", json!(true)))[0].1, "bad_value");
}

#[test]
fn verified_is_lowered_and_remembered() {
    let turn = with("proposed_facts", json!([{"fact": "x", "status": "verified"}]));
    let turn = read_turn(turn, UserInputPolicy::Summary).ok().unwrap();
    assert_eq!(turn.proposed_facts[0].status, FactStatus::Inferred);
    assert!(turn.proposed_facts[0].was_verified);
}
