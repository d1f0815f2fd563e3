//! Appends, decisions, retention and backups against each other, each of them killed again and again.

use std::process::Stdio;
use std::thread::scope;
use std::time::Duration;

use serde_json::json;

use crate::crash::{Random, kills};
use crate::world::{World, say, turn};

/// Runs a command so many times and kills each at some moment; answers those that ended well by themselves.
fn under_fire(times: usize, mut random: Random, start: impl Fn(usize) -> std::process::Command) -> Vec<usize> {
    let mut done = Vec::new();
    for nth in 0..times {
        let mut command = start(nth);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(random.up_to(Duration::from_millis(60)));
        // Killed, unless it has ended.
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            done.push(nth);
        }
    }
    done
}

#[test]
fn appends_decisions_retention_and_backups_that_are_killed_lose_nothing_that_was_acknowledged() {
    let mut world = World::new();
    world.make_backup_keys();
    for nth in 0..60 {
        let id = format!("SESSION-mari-20260512-{nth:06x}");
        world.put_session("closed", &id, &crate::retention::session(&id, "2026-05-12T12:00:00Z"));
    }
    world.at("2026-05-21T14:30:00Z");
    let times = kills();
    let reviews: Vec<String> = (0..times)
        .map(|nth| {
            let fact = format!("Vento hat {nth} Kanäle");
            let answer = world.json(&["review", "create", "--fact", &fact]);
            answer["review_id"].as_str().unwrap().to_owned()
        })
        .collect();
    for nth in 0..times {
        let mut turn = turn();
        turn["conversation_summary"] = json!(format!("Antwort {nth}."));
        world.write(format!("turn-{nth}"), turn.to_string());
    }
    let mut random = Random::new();
    let [append, approve, retain, back_up] = [(); 4].map(|()| random.branch());
    let (appended, approved, retained, backed_up) = scope(|scope| {
        let world = &world;
        let reviews = &reviews;
        let appending = scope.spawn(move || {
            under_fire(times, append, |nth| {
                let mut command = world.command(&["session", "append", "--agent", "carlo"]);
                command.stdin(std::fs::File::open(world.dir().join(format!("turn-{nth}"))).unwrap());
                command
            })
        });
        let approving = scope.spawn(move || {
            under_fire(times, approve, |nth| {
                world.command(&["review", "approve", &reviews[nth], "--evidence", "commit 4f2a91c", "--yes"])
            })
        });
        let retaining =
            scope.spawn(move || under_fire(times, retain, |_| world.command(&["retention", "run", "--wait", "5s"])));
        let backing_up = scope.spawn(move || {
            under_fire(times, back_up, |nth| {
                // One a second, as their names are.
                let now = format!("2026-05-21T14:3{}:{:02}Z", nth / 60 % 5, nth % 60);
                world.command(&["backup", "run", "--wait", "5s", "--now", &now])
            })
        });
        let [one, two, three, four] =
            [appending, approving, retaining, backing_up].map(|thread| thread.join().unwrap());
        (one, two, three, four)
    });
    // Whoever comes next finishes what was left half way.
    world.run_with(&["session", "append", "--agent", "probe"], "{}").exits(4);
    world.run(&["retention", "run", "--accept-clock"]).exits(0);
    let said: Vec<String> = world.json(&["session", "list", "--agent", "carlo"])["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|session| {
            let shown = world.json(&["session", "show", session["session_id"].as_str().unwrap()]);
            shown["turns"].as_array().unwrap().clone()
        })
        .map(|turn| turn["conversation_summary"].as_str().unwrap().to_owned())
        .collect();
    for nth in 0..times {
        let times = said.iter().filter(|text| **text == format!("Antwort {nth}.")).count();
        assert!(times == 1 || times == 0 && !appended.contains(&nth), "turn {nth} is there {times} times");
    }
    for nth in &approved {
        assert_eq!(world.status_of(&reviews[*nth]), "approved", "{}", reviews[*nth]);
    }
    assert_eq!(world.names("sessions/archived").len(), 60);
    world.run(&["backup", "run", "--now", "2026-05-21T14:35:01Z"]).exits(0);
    assert!(world.in_target().iter().all(|name| !name.starts_with('.')), "{:?}", world.in_target());
    assert!(world.backups().len() > backed_up.len());
    world.run(&["backup", "verify", "--all", "--secret-key", "backup.key"]).exits(0);
    world.run(&["audit", "verify"]).exits(0);
    world.run(&["doctor", "--repair"]).exits(0);
    world.run(&["doctor"]).exits(0);
    say(&format!(
        "{} killed, acknowledged {} turns, {} decisions, {} retention runs, {} backups, 0 lost",
        4 * times - appended.len() - approved.len() - retained.len() - backed_up.len(),
        appended.len(),
        approved.len(),
        retained.len(),
        backed_up.len()
    ));
}
