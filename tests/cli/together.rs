//! Many processes at once: nothing acknowledged is lost, nothing is decided twice, nobody waits for ever.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread::scope;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::world::{Ran, World, finish, say, turn, turn_with};

/// How many processes run at once (SPEC §13).
const PROCESSES: usize = 16;
/// How many turns each appends.
const TURNS: usize = 4;

/// Appends as an agent, the text in the turn's summary; answers what was acknowledged.
fn append(world: &World, agent: &str, text: &str) -> Value {
    let mut turn = turn();
    turn["conversation_summary"] = json!(text);
    turn["proposed_facts"] = json!([{"fact": format!("Die Antwort lautet {text}"), "status": "user_stated"}]);
    world.append(agent, &turn)
}

/// The sessions of a tree, as they lie on the disk.
fn sessions(world: &World) -> Vec<Value> {
    world.files("memory/sessions").iter().map(|(_, bytes)| serde_json::from_slice(bytes).unwrap()).collect()
}

/// Checks that a session holds each acknowledged turn once, under the number that was acknowledged.
#[track_caller]
fn check_turns(session: &Value, acknowledged: &[(String, Value)]) {
    let turns = session["turns"].as_array().unwrap();
    assert_eq!(turns.len(), acknowledged.len());
    for (at, turn) in turns.iter().enumerate() {
        assert_eq!(turn["turn_id"], at + 1, "turns stand in order");
    }
    for (text, answer) in acknowledged {
        let number = answer["turn_id"].as_u64().unwrap();
        let turn = &turns[usize::try_from(number).unwrap() - 1];
        assert_eq!(turn["conversation_summary"], **text, "turn {number} is another than the one acknowledged");
        let line = format!("💾 Memory: Turn {number} gespeichert | 1 proposed_facts | 1 Reviews erstellt");
        assert_eq!(answer["evidence"][1], line);
    }
}

#[test]
fn sixteen_appending_to_one_session_keep_every_turn_once_and_in_order() {
    let world = World::new();
    let acknowledged = Mutex::new(Vec::new());
    scope(|scope| {
        for process in 0..PROCESSES {
            let (world, acknowledged) = (&world, &acknowledged);
            scope.spawn(move || {
                let mut last = 0;
                for nth in 0..TURNS {
                    let text = format!("p{process}t{nth}");
                    let answer = append(world, "hermes-carlo", &text);
                    let number = answer["turn_id"].as_u64().unwrap();
                    assert!(number > last, "a process's own turns stand in the order in which it appended them");
                    last = number;
                    acknowledged.lock().unwrap().push((text, answer));
                }
            });
        }
    });
    let acknowledged = acknowledged.into_inner().unwrap();
    let sessions = sessions(&world);
    assert_eq!(sessions.len(), 1, "the first to come opens the session, the others find it");
    assert_eq!(acknowledged.iter().filter(|(_, answer)| answer["created_session"] == true).count(), 1);
    check_turns(&sessions[0], &acknowledged);
    let reviews: BTreeSet<&str> =
        acknowledged.iter().map(|(_, answer)| answer["reviews_created"][0].as_str().unwrap()).collect();
    assert_eq!(reviews.len(), PROCESSES * TURNS, "every review has an id of its own");
    assert_eq!(world.files("memory/review-queue").len(), PROCESSES * TURNS);
    world.run(&["audit", "verify"]).exits(0);
    say(&format!("{PROCESSES} processes, {} acknowledged turns in one session, 0 lost", acknowledged.len()));
}

#[test]
fn sixteen_appending_to_their_own_sessions_do_not_mix() {
    let world = World::new();
    scope(|scope| {
        for process in 0..PROCESSES {
            let world = &world;
            scope.spawn(move || {
                let agent = format!("agent-{process}");
                let acknowledged: Vec<_> = (0..TURNS)
                    .map(|nth| format!("p{process}t{nth}"))
                    .map(|text| (text.clone(), append(world, &agent, &text)))
                    .collect();
                let id = acknowledged[0].1["session_id"].as_str().unwrap();
                let file = world.root().join(format!("sessions/active/{id}.json"));
                check_turns(&serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap(), &acknowledged);
            });
        }
    });
    assert_eq!(sessions(&world).len(), PROCESSES);
    world.run(&["audit", "verify"]).exits(0);
}

#[test]
fn of_two_that_decide_at_once_one_wins_and_the_other_is_told() {
    let world = World::new();
    let reviews: Vec<String> = (0..6).map(|nth| world.review_of(&format!("Vento hat {nth} Module"))).collect();
    for review in &reviews {
        let approve = ["review", "approve", review, "--evidence", "commit 4f2a91c", "--yes"];
        let reject = ["review", "reject", review, "--reason", "veraltet"];
        let both = [world.start(&approve), world.start(&reject)].map(|child| finish(child, b""));
        let (won, lost): (Vec<&Ran>, Vec<&Ran>) = both.iter().partition(|ran| ran.code == Some(0));
        assert_eq!(won.len(), 1, "{}\n{}", both[0], both[1]);
        assert_eq!(lost[0].code, Some(4), "{}", lost[0]);
        let status = world.status_of(review);
        assert!(lost[0].err.contains(&format!("{review} is {status}, decided by ")), "{}", lost[0]);
        let decided = if both[0].code == Some(0) { "approved" } else { "rejected" };
        assert_eq!(status, decided);
    }
    world.run(&["audit", "verify"]).exits(0);
}

/// Runs commands until each has been run `times` times, and checks each exit status.
fn repeat(world: &World, times: usize, args: &[&str], input: &str, allowed: &[i32]) {
    for _ in 0..times {
        let ran = world.run_with(args, input);
        assert!(ran.code.is_some_and(|code| allowed.contains(&code)), "{args:?}: {ran}");
    }
}

#[test]
fn writers_and_readers_in_each_others_way_see_whole_files_and_finish() {
    let world = World::new();
    let reviews: Vec<String> = (0..4).map(|nth| world.review_of(&format!("Vento hat {nth} Module"))).collect();
    let acknowledged = Mutex::new(0);
    scope(|scope| {
        let world = &world;
        for agent in ["carlo", "mari"] {
            let acknowledged = &acknowledged;
            scope.spawn(move || {
                for nth in 0..12 {
                    let turn = turn_with(&format!("{agent} sah {nth} Dinge"));
                    world.append(agent, &turn);
                    *acknowledged.lock().unwrap() += 1;
                }
            });
        }
        for review in &reviews {
            scope.spawn(move || {
                for _ in 0..3 {
                    repeat(world, 1, &["review", "approve", review, "--evidence", "commit 1", "--yes"], "", &[0]);
                    repeat(world, 1, &["review", "undo", review], "", &[0]);
                }
                repeat(world, 1, &["review", "reject", review, "--reason", "veraltet"], "", &[0]);
            });
        }
        // Exit 3 would say that a file could not be read.
        scope.spawn(move || repeat(world, 12, &["review", "list", "--json"], "", &[0]));
        scope.spawn(move || repeat(world, 12, &["session", "list", "--json"], "", &[0]));
        scope.spawn(move || repeat(world, 6, &["audit", "verify"], "", &[0]));
        // The agent's open session, closed under its hands: the next turn opens another.
        scope.spawn(move || repeat(world, 6, &["session", "close", "SESSION-mari"], "", &[0, 4, 5]));
    });
    let turns: usize = sessions(&world)
        .iter()
        .filter(|session| {
            session["turns"][0]["proposed_facts"][0]["fact"].as_str().is_some_and(|fact| fact.contains(" sah "))
        })
        .map(|session| session["turns"].as_array().unwrap().len())
        .sum();
    assert_eq!(turns, acknowledged.into_inner().unwrap());
    for review in &reviews {
        assert_eq!(world.status_of(review), "rejected");
    }
    world.run(&["audit", "verify"]).exits(0);
}

#[test]
fn a_writer_waits_for_the_lock_as_long_as_it_is_told_and_a_reader_never() {
    let world = World::new();
    let lock = std::fs::File::open(world.root().join(".locks/tree.lock")).unwrap();
    lock.lock().unwrap();
    let before = world.files("memory");
    let start = Instant::now();
    let args = ["session", "append", "--agent", "carlo", "--wait", "1s"];
    let ran = world.run_with(&args, turn().to_string()).exits(11);
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert!(ran.err.contains("another process is changing the tree (waited 1 s)"), "{ran}");
    assert!(ran.out.contains("⚠️ Memory: nicht verfügbar — Session-Kontext nicht gespeichert"), "{ran}");
    world.run(&["review", "pending"]).exits(0);
    world.run(&["session", "list"]).exits(0);
    assert_eq!(world.files("memory"), before);
    // One that waits gets its turn once the lock is free.
    let waiting = world.start(&["session", "append", "--agent", "carlo"]);
    drop(lock);
    finish(waiting, turn().to_string().as_bytes()).exits(0);
}
