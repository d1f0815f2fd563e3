//! The figures at their boundaries, to the second.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::domain::doc::Doc;
use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::review::Review;
use crate::domain::session::{Session, State};
use crate::domain::time::{HOUR, MINUTE};
use crate::mask::Masker;

const ID: &str = "SESSION-carlo-20260521-a3f7b2";
const REVIEW: &str = "REVIEW-20260521-143022-vento-telegram";

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn doc(value: &Value) -> Doc {
    Doc::from_tree(value.as_object().unwrap().clone(), &Masker::default())
}

/// What is due for a session in a folder; the light look must not rule out what the whole look finds.
fn aged(value: &Value, folder: State, now: Timestamp) -> (Aged<State>, Value) {
    let policy = Policy::default();
    let mut session = Session { id: SessionId::parse(ID).unwrap(), doc: doc(value) };
    let aged = age_session(&mut session, folder, 1000, &policy, now);
    let mark = SessionMark::read(value.to_string().as_bytes());
    let is_seen = mark.is_none_or(|mark| mark.may_be_due(folder, &policy, now));
    assert!(is_seen || (aged.due.is_empty() && aged.doubt.is_none()), "{now}: {aged:?}\n{value}");
    (aged, Value::Object(session.doc.fields().clone()))
}

fn actions<Place>(aged: &Aged<Place>) -> Vec<&'static str> {
    aged.due.iter().map(|due| due.action.name()).collect()
}

fn review(value: &Value, is_archived: bool, now: Timestamp) -> (Aged<bool>, Value) {
    let policy = Policy::default();
    let mut review = Review { id: ReviewId::parse(REVIEW).unwrap(), doc: doc(value) };
    let aged = age_review(&mut review, is_archived, 1000, &policy, now);
    let mark = ReviewMark::read(value.to_string().as_bytes());
    let is_seen = mark.is_none_or(|mark| mark.may_be_due(is_archived, &policy, now));
    assert!(is_seen || (aged.due.is_empty() && aged.doubt.is_none()), "{now}: {aged:?}\n{value}");
    (aged, Value::Object(review.doc.fields().clone()))
}

/// A session with one turn in which everything stands that ages.
fn full(at: &str) -> Value {
    json!({
        "schema_version": 1, "session_id": ID, "agent_id": "hermes-carlo", "created_at": at, "last_active": at,
        "status": "active",
        "turns": [{
            "turn_id": 1, "timestamp": at, "user_input_summary": "Stand?", "user_input": "Wie steht es?",
            "retrieval_meta": {"project": "Vento", "confidence": "medium"}, "conversation_summary": "90 %",
            "pending_tasks": ["prüfen"], "decisions": ["Redis"], "completed_tasks": ["alt"],
            "proposed_facts": [{"fact": "Vento kennt Telegram", "status": "user_stated"}], "own_field": 1,
        }],
        "accumulated_context": {
            "active_projects": ["Vento"], "open_tasks": ["prüfen"], "decisions_this_session": ["Redis"],
            "user_stated_facts": ["Vento kennt Telegram"], "own_list": ["x"],
        },
        "review_queue": ["REVIEW-20260521-143022-vento-telegram"], "own": {"a": 1},
    })
}

/// A tree of its own: every moment at which something of a session becomes due, one second before and at it.
fn boundaries(last: &str) {
    let begin = at(last);
    let mut value = full(last);
    for (after, folder, before, then) in [
        (30 * MINUTE, State::Active, &[][..], &["idle"][..]),
        (120 * MINUTE + 1, State::Active, &["idle"], &["close", "remove_facts"]),
        (120 * MINUTE + 1, State::Idle, &[], &["close", "remove_facts"]),
    ] {
        value["status"] = json!(folder.name());
        assert_eq!(actions(&aged(&value, folder, begin.plus(after - 1)).0), before, "{last} + {after} - 1");
        assert_eq!(actions(&aged(&value, folder, begin.plus(after)).0), then, "{last} + {after}");
    }
    // Step by step, each from what the one before has left.
    let (step, closed) = aged(&value, State::Idle, begin.plus(120 * MINUTE + 1));
    assert_eq!(step.fate, Fate::Goes(State::Closed));
    assert_eq!(closed["closed_at"], begin.plus(120 * MINUTE).to_string());
    assert_eq!(closed["status"], "closed");
    let text = begin.plus(7 * DAY);
    assert_eq!(actions(&aged(&closed, State::Closed, text.plus(-1)).0), [""; 0]);
    let (step, stripped) = aged(&closed, State::Closed, text);
    assert_eq!((step.fate, actions(&step)), (Fate::Goes(State::Closed), vec!["remove_text"]));
    let archive = begin.plus(120 * MINUTE + 7 * DAY);
    assert_eq!(actions(&aged(&stripped, State::Closed, archive.plus(-1)).0), [""; 0]);
    let (step, archived) = aged(&stripped, State::Closed, archive);
    assert_eq!((step.fate, actions(&step)), (Fate::Goes(State::Archived), vec!["archive"]));
    assert_eq!(archived["archived_at"], archive.to_string());
    let decisions = begin.plus(30 * DAY);
    assert_eq!(actions(&aged(&archived, State::Archived, decisions.plus(-1)).0), [""; 0]);
    let (step, bare) = aged(&archived, State::Archived, decisions);
    assert_eq!((step.fate, actions(&step)), (Fate::Goes(State::Archived), vec!["remove_decisions"]));
    let end = archive.plus(30 * DAY);
    assert_eq!(actions(&aged(&bare, State::Archived, end.plus(-1)).0), [""; 0]);
    let (step, _) = aged(&bare, State::Archived, end);
    assert_eq!((step.fate, actions(&step)), (Fate::Deleted, vec!["delete_session"]));
    // Whenever the run comes, the end is the same: from any folder, and with all fields still there.
    for folder in State::ALL {
        assert_ne!(aged(&value, folder, end.plus(-1)).0.fate, Fate::Deleted);
        assert_eq!(aged(&value, folder, end).0.fate, Fate::Deleted);
    }
    // What is left at the end: number and time, and what is not ours.
    assert_eq!(bare["turns"], json!([{"turn_id": 1, "timestamp": last, "own_field": 1}]));
    let empty = json!({"active_projects": [], "open_tasks": [], "decisions_this_session": [], "user_stated_facts": [],
                       "own_list": ["x"]});
    assert_eq!(bare["accumulated_context"], empty);
    assert_eq!((&bare["own"], &bare["review_queue"]), (&value["own"], &value["review_queue"]));
}

#[test]
fn a_sessions_life_to_the_second() {
    for begin in [
        "2026-05-21T14:30:00Z",
        // The nights in which clocks in Europe are changed, a leap day, a year's end.
        "2026-03-29T00:59:59Z",
        "2026-03-22T01:30:00+01:00",
        "2026-10-25T02:30:00+02:00",
        "2026-10-18T02:30:00+02:00",
        "2028-02-29T23:59:59Z",
        "2028-01-30T12:00:00Z",
        "2026-12-31T23:59:59Z",
        // Zones of other tools, to the quarter of an hour, and fractions.
        "2026-05-21T20:15:00+05:45",
        "2026-05-21T02:30:00-12:00",
        "2026-05-22T04:30:00.999+14:00",
    ] {
        boundaries(begin);
    }
}

#[test]
fn a_session_closed_by_hand_counts_from_its_closing() {
    let mut value = full("2026-05-21T12:00:00Z");
    value["status"] = json!("closed");
    value["closed_at"] = json!("2026-05-21T12:05:00Z");
    let closed = at("2026-05-21T12:05:00Z");
    let (step, now_closed) = aged(&value, State::Closed, closed.plus(1));
    assert_eq!(actions(&step), ["remove_facts"]);
    assert_eq!(now_closed["closed_at"], "2026-05-21T12:05:00Z");
    assert_ne!(aged(&now_closed, State::Closed, closed.plus(7 * DAY - 1)).0.fate, Fate::Goes(State::Archived));
    assert_eq!(aged(&now_closed, State::Closed, closed.plus(7 * DAY)).0.fate, Fate::Goes(State::Archived));
    assert_eq!(aged(&now_closed, State::Closed, closed.plus(37 * DAY)).0.fate, Fate::Deleted);
    assert_ne!(aged(&now_closed, State::Closed, closed.plus(37 * DAY - 1)).0.fate, Fate::Deleted);
}

#[test]
fn each_turn_ages_by_its_own_time() {
    let mut value = full("2026-05-21T12:00:00Z");
    let mut second = value["turns"][0].clone();
    second["turn_id"] = json!(2);
    second["timestamp"] = json!("2026-05-21T13:00:00Z");
    second["pending_tasks"] = json!(["nachfassen"]);
    second["decisions"] = json!([]);
    value["turns"].as_array_mut().unwrap().push(second);
    value["last_active"] = json!("2026-05-21T13:00:00Z");
    value["accumulated_context"]["open_tasks"] = json!(["prüfen", "Nachfassen.", "von Hand"]);
    let (step, left) = aged(&value, State::Closed, at("2026-05-28T12:30:00Z"));
    assert_eq!(actions(&step), ["close", "remove_text", "remove_facts"]);
    assert_eq!(left["turns"][0]["conversation_summary"], Value::Null);
    assert_eq!(left["turns"][1]["conversation_summary"], "90 %");
    // A later turn speaks of the project still.
    assert_eq!(left["accumulated_context"]["active_projects"], json!(["Vento"]));
    let (_, left) = aged(&left, State::Archived, at("2026-06-20T12:30:00Z"));
    // The first turn's is gone; what no turn holds ages with the last interaction.
    assert_eq!(left["accumulated_context"]["open_tasks"], json!(["Nachfassen.", "von Hand"]));
    assert_eq!(left["accumulated_context"]["decisions_this_session"], json!([]));
    assert_eq!(left["turns"][1]["pending_tasks"], json!(["nachfassen"]));
    let (_, left) = aged(&left, State::Archived, at("2026-06-20T13:00:00Z"));
    assert_eq!(left["accumulated_context"]["open_tasks"], json!([]));
}

#[test]
fn an_earlier_tools_fields_age_the_same_way() {
    let value = json!({
        "session_id": ID, "agent_id": "hermes-carlo", "created_at": "2026-05-21T16:30:00+02:00",
        "last_active": "2026-05-21T17:12:00+02:00", "status": "active",
        "turns": [
            {"turn_id": 1, "timestamp": "2026-05-21T16:30:05+02:00", "user_input": "Was?", "retrieval": {"query": "Was?"},
             "agent_response_summary": "90 %", "new_facts_detected": [{"fact": "x"}], "decisions": ["y"], "open_tasks": ["z"],
             "messages": ["a", "b"]},
            // The document's own third turn tells no time: it is no later than the last interaction.
            {"turn_id": 3, "user_input": "Telegram", "new_facts_detected": [{"fact": "w"}]},
        ],
    });
    let seven = at("2026-05-28T14:30:05Z");
    assert_eq!(actions(&aged(&value, State::Archived, seven.plus(-1)).0), ["remove_facts"]);
    let (step, left) = aged(&value, State::Archived, seven);
    assert_eq!(actions(&step), ["remove_text", "remove_facts"]);
    assert_eq!(
        left["turns"][0],
        json!({"turn_id": 1, "timestamp": "2026-05-21T16:30:05+02:00", "decisions": ["y"],
                                        "open_tasks": ["z"]})
    );
    assert_eq!(left["turns"][1], json!({"turn_id": 3, "user_input": "Telegram"}));
    let (_, left) = aged(&left, State::Archived, at("2026-05-28T15:12:00Z"));
    assert_eq!(left["turns"][1], json!({"turn_id": 3}));
    let (_, left) = aged(&left, State::Archived, at("2026-06-20T14:30:05Z"));
    assert_eq!(left["turns"][0], json!({"turn_id": 1, "timestamp": "2026-05-21T16:30:05+02:00"}));
}

#[test]
fn what_cannot_be_told_is_kept_and_told_of() {
    let now = at("2027-01-01T00:00:00Z");
    let mut bad = full("2026-05-21T12:00:00Z");
    bad["last_active"] = json!("gestern");
    let mut zoneless = full("2026-05-21T12:00:00Z");
    zoneless["last_active"] = json!("2026-05-21T12:00:00");
    let silent = json!({"session_id": ID, "turns": [{"turn_id": 1, "user_input": "x"}]});
    let mut newer = full("2026-05-21T12:00:00Z");
    newer["schema_version"] = json!(2);
    for (value, said) in [
        (&bad, "its last_active is no time"),
        (&zoneless, "its last_active is no time"),
        (&silent, "it does not tell the time of its last interaction"),
        (&newer, "it was written by a newer version"),
        (&json!({}), "it does not tell the time of its last interaction"),
    ] {
        let (step, _) = aged(value, State::Closed, now);
        assert_ne!(step.fate, Fate::Deleted, "{value}");
        assert!(step.doubt.is_some_and(|doubt| doubt.starts_with(said)), "{step:?}");
    }
    // Of the first two a turn's own time still tells about its fields.
    assert_eq!(actions(&aged(&bad, State::Closed, now).0), ["remove_text", "remove_decisions"]);
    // Turns that are no objects, fields that are no lists: nothing breaks, and the end comes in time.
    let odd = json!({"session_id": ID, "last_active": "2026-05-21T12:00:00Z", "status": 7, "turns": ["roh", 5, null, []],
                     "accumulated_context": {"open_tasks": "x", "active_projects": [1, null]}});
    assert_eq!(aged(&odd, State::Idle, now).0.fate, Fate::Deleted);
    let odd = json!({"last_active": "2026-05-21T12:00:00Z", "turns": {"a": 1}, "accumulated_context": []});
    assert_eq!(aged(&odd, State::Idle, now).0.fate, Fate::Deleted);
}

#[test]
fn a_time_ahead_of_the_clock_is_kept_and_told_of() {
    let now = at("2026-05-21T12:00:00Z");
    for (ahead, is_told) in [(TOLERANCE, false), (TOLERANCE + 1, true), (400 * DAY, true)] {
        let mut value = full("2026-05-01T12:00:00Z");
        value["last_active"] = json!(now.plus(ahead).to_string());
        let (step, left) = aged(&value, State::Active, now);
        assert_eq!(step.doubt.is_some(), is_told, "{ahead}");
        assert_ne!(step.fate, Fate::Deleted);
        // The turn is as old as it is.
        assert_eq!(left["turns"][0]["conversation_summary"], Value::Null);
        // A turn ahead makes the session later, whatever its last_active says.
        let mut value = full("2026-05-01T12:00:00Z");
        value["turns"][0]["timestamp"] = json!(now.plus(ahead).to_string());
        assert_eq!(aged(&value, State::Active, now.plus(0)).0.doubt.is_some(), is_told, "{ahead}");
    }
}

#[test]
fn a_second_look_finds_nothing() {
    for days in [0, 1, 7, 8, 29, 30, 31, 36] {
        let now = at("2026-05-21T12:00:00Z").plus(days * DAY + 3 * HOUR);
        for folder in State::ALL {
            let (step, left) = aged(&full("2026-05-21T12:00:00Z"), folder, now);
            if let Fate::Goes(to) = step.fate {
                let (again, same) = aged(&left, to, now);
                assert_eq!((again.fate, &same), (Fate::Stays, &left), "{days} d, {folder:?}: {again:?}");
            }
        }
    }
}

#[test]
fn a_pending_review_expires_at_fourteen_days() {
    let value = json!({"schema_version": 1, "review_id": REVIEW, "proposed_fact": "x", "status": "pending",
                       "created_at": "2026-05-21T16:30:22+02:00"});
    let end = at("2026-06-04T14:30:22Z");
    assert_eq!(review(&value, false, end.plus(-1)).0, Aged::stays(None));
    let (step, left) = review(&value, false, end);
    assert_eq!((step.fate, actions(&step)), (Fate::Goes(true), vec!["expire_review"]));
    assert_eq!((&left["status"], &left["finished_at"]), (&json!("expired"), &json!(end.to_string())));
    let entry = &left["history"][0];
    assert_eq!(
        (&entry["by"], &entry["action"], &entry["to"]),
        (&json!("retention"), &json!("expire"), &json!("expired"))
    );
    // Ninety days from its end, whether a run came in between or not.
    let gone = end.plus(90 * DAY);
    for (value, is_archived) in [(&value, false), (&left, true)] {
        assert_ne!(review(value, is_archived, gone.plus(-1)).0.fate, Fate::Deleted);
        assert_eq!(review(value, is_archived, gone).0.fate, Fate::Deleted);
    }
    // Without a time of its own, by the moment in its id; with `expires_at`, by that.
    let bare = json!({"review_id": REVIEW, "proposed_fact": "x", "status": "pending"});
    assert_eq!(review(&bare, false, end.plus(-1)).0.fate, Fate::Stays);
    assert_eq!(review(&bare, false, end).0.fate, Fate::Goes(true));
    let mut anew = value.clone();
    anew["expires_at"] = json!("2026-06-05T00:00:00Z");
    assert_eq!(review(&anew, false, end).0.fate, Fate::Stays);
}

#[test]
fn a_finished_review_goes_ninety_days_after_its_end() {
    let end = at("2026-05-25T10:00:00Z");
    for status in ["rejected", "discarded", "transferred", "auto_rejected", "expired"] {
        let value = json!({"schema_version": 1, "review_id": REVIEW, "status": status, "created_at": "2026-05-21T14:30:22Z",
                           "finished_at": end.to_string()});
        assert_eq!(review(&value, true, end.plus(90 * DAY - 1)).0, Aged::stays(None), "{status}");
        assert_eq!(review(&value, true, end.plus(90 * DAY)).0.fate, Fate::Deleted, "{status}");
        // One that lies in the queue is filed; a later decision than the end noted counts, but the run that notes an expiry
        // comes when it comes.
        assert_eq!(actions(&review(&value, false, end).0), ["file_review"]);
        let mut later = value.clone();
        later["history"] = json!([{"at": "2026-05-26T10:00:00Z", "from": "pending", "to": status}]);
        if !matches!(status, "auto_rejected" | "expired") {
            assert_eq!(review(&later, true, end.plus(90 * DAY)).0.fate, Fate::Stays, "{status}");
        }
    }
    let silent = json!({"review_id": REVIEW, "status": "rejected", "created_at": "2026-05-21T14:30:22Z"});
    let (step, _) = review(&silent, true, end.plus(900 * DAY));
    assert_eq!(step, Aged::stays(Some("it is finished and does not tell when")));
}

#[test]
fn an_approved_review_stays_until_a_human_ends_it() {
    let value = json!({"schema_version": 1, "review_id": REVIEW, "status": "approved", "created_at": "2026-05-21T14:30:22Z",
                       "history": [{"at": "2026-05-22T00:00:00Z", "by": "carlo", "action": "approve", "from": "pending",
                                    "to": "approved"}]});
    assert_eq!(review(&value, false, at("2036-01-01T00:00:00Z")).0, Aged::stays(None));
    // What only says of itself that it was approved is pending.
    let mut forged = value.clone();
    forged["history"] = json!([]);
    assert_eq!(actions(&review(&forged, false, at("2026-06-05T00:00:00Z")).0), ["expire_review"]);
}

#[test]
fn a_review_from_the_future_is_told_of() {
    let value =
        json!({"schema_version": 1, "review_id": REVIEW, "status": "pending", "created_at": "2027-05-21T14:30:22Z"});
    let (step, _) = review(&value, false, at("2026-06-21T00:00:00Z"));
    assert_eq!(step, Aged::stays(Some("a time in it lies ahead of the clock")));
}

fn time() -> impl Strategy<Value = Value> {
    let base = at("2026-05-01T00:00:00Z");
    prop_oneof![
        8 => (0..60 * DAY).prop_map(move |after| json!(base.plus(after).to_string())),
        1 => Just(Value::Null),
        1 => Just(json!("gestern")),
        1 => Just(json!(17)),
    ]
}

prop_compose! {
    fn any_session()(
        last in time(), created in time(), closed in time(), turns in prop::collection::vec((time(), 0u8..16), 0..4),
        lists in 0u8..16, status in prop::sample::select(vec!["active", "closed", "archived", "x"]), has_closed: bool,
    ) -> Value {
        let turns: Vec<Value> = turns.into_iter().map(|(at, holds)| {
            let mut turn = json!({"turn_id": 1, "timestamp": at});
            for (bit, field) in ["user_input", "proposed_facts", "decisions", "retrieval"].into_iter().enumerate() {
                if holds >> bit & 1 == 1 {
                    turn[field] = json!(["a"]);
                }
            }
            turn
        }).collect();
        let list = |bit: u8| if lists >> bit & 1 == 1 { json!(["a"]) } else { json!([]) };
        let mut value = json!({
            "schema_version": 1, "last_active": last, "created_at": created, "status": status, "turns": turns,
            "accumulated_context": {"active_projects": list(0), "open_tasks": list(1), "decisions_this_session": list(2),
                                    "user_stated_facts": list(3)},
        });
        if has_closed {
            value["closed_at"] = closed;
        }
        value
    }
}

proptest! {
    #[test]
    fn the_light_look_misses_nothing_and_a_second_run_finds_nothing(
        value in any_session(), folder in prop::sample::select(State::ALL.to_vec()), after in 0..120 * DAY,
    ) {
        let now = at("2026-05-01T00:00:00Z").plus(after);
        // `aged` compares the two looks.
        let (step, left) = aged(&value, folder, now);
        if let Fate::Goes(to) = step.fate {
            prop_assert!(to >= folder);
            prop_assert_eq!(aged(&left, to, now).0.fate, Fate::Stays);
        }
    }
}
