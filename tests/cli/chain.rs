//! The audit log as a chain: what `audit verify` finds, how a torn line is closed, and where lines go when the clock
//! turns a month or goes back.

use serde_json::{Value, json};

use crate::world::World;

const MAY: &str = "memory/audit/2026-05.jsonl";

/// A world with five entries in its log.
fn five() -> World {
    let world = World::new();
    for agent in ["a", "b", "c", "d", "e"] {
        world.run(&["session", "new", "--agent", agent]).exits(0);
    }
    assert_eq!(lines(&world).len(), 5);
    world
}

fn lines(world: &World) -> Vec<String> {
    std::fs::read_to_string(world.dir().join(MAY)).unwrap().lines().map(str::to_owned).collect()
}

/// What `audit verify` finds after the log was changed so: the lines it names, and what it says of the first.
fn damaged(change: impl FnOnce(&mut Vec<String>)) -> (Vec<u64>, String) {
    let world = five();
    let mut lines = lines(&world);
    change(&mut lines);
    world.write(MAY, lines.join("\n") + "\n");
    let report = world.run(&["audit", "verify", "--json"]).exits(6).json();
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().all(|finding| finding["file"] == "audit/2026-05.jsonl"), "{report}");
    let named = findings.iter().map(|finding| finding["line"].as_u64().unwrap()).collect();
    // The same for people, who are also told in `status`.
    assert_eq!(world.run(&["audit", "verify"]).exits(6).out.lines().count(), findings.len() + 1);
    world.run(&["status"]).exits(4);
    (named, findings[0]["what"].as_str().unwrap().to_owned())
}

#[test]
fn a_whole_chain_is_fine_and_its_head_is_the_last_hash() {
    let world = five();
    let last: Value = serde_json::from_str(&lines(&world)[4]).unwrap();
    let head = world.run(&["audit", "head"]).exits(0).out;
    assert_eq!(head.trim(), last["hash"]);
    assert_eq!(world.json(&["audit", "head"]), json!({"schema": 1, "seq": 5, "hash": last["hash"], "ts": world.now()}));
    let report = world.json(&["audit", "verify", "--expect", head.trim()]);
    assert_eq!((&report["entries"], &report["findings"]), (&json!(5), &json!([])));
}

#[test]
fn an_edited_line_is_found() {
    let (named, what) = damaged(|lines| lines[2] = lines[2].replace("hermes-c", "hermes-x"));
    assert_eq!(named, [3]);
    assert!(what.contains("entry 3 was edited"), "{what}");
}

#[test]
fn a_removed_line_is_found() {
    let (named, what) = damaged(|lines| drop(lines.remove(2)));
    assert_eq!(named, [3]);
    assert!(what.contains("entry 3 before it is missing"), "{what}");
    let (_, what) = damaged(|lines| drop(lines.drain(1..3)));
    assert!(what.contains("entries 2 to 3 before it are missing"), "{what}");
    let (named, _) = damaged(|lines| drop(lines.remove(0)));
    assert_eq!(named, [1]);
}

#[test]
fn an_inserted_line_is_found() {
    let (named, what) = damaged(|lines| lines.insert(3, lines[1].clone()));
    assert!(named.starts_with(&[4]), "{named:?}");
    assert!(what.contains("entry 2 stands again"), "{what}");
    let (named, what) = damaged(|lines| lines.insert(3, "von Hand".to_owned()));
    assert_eq!(named, [4]);
    assert!(what.contains("no audit entry"), "{what}");
}

#[test]
fn two_lines_that_changed_places_are_found() {
    let (named, _) = damaged(|lines| lines.swap(1, 2));
    assert!(named.starts_with(&[2]), "{named:?}");
}

#[test]
fn lines_cut_off_at_the_end_are_found_by_a_head_kept_elsewhere() {
    let world = five();
    let head = world.run(&["audit", "head"]).exits(0).out.trim().to_owned();
    let four = lines(&world)[..4].join("\n") + "\n";
    world.write(MAY, four);
    world.run(&["audit", "verify"]).exits(0);
    let report = world.run(&["audit", "verify", "--expect", &head, "--json"]).exits(6).json();
    assert!(report["findings"][0]["what"].as_str().unwrap().contains("missing at its end"), "{report}");
    // A head that is in the log holds, however far the log has gone on.
    let world = five();
    let head = world.run(&["audit", "head"]).exits(0).out.trim().to_owned();
    world.run(&["session", "new", "--agent", "f"]).exits(0);
    world.run(&["audit", "verify", "--expect", &head]).exits(0);
}

#[test]
fn a_torn_last_line_is_named_and_closed_by_the_next_entry() {
    let world = five();
    let whole = std::fs::read_to_string(world.dir().join(MAY)).unwrap();
    world.write(MAY, &whole[..whole.len() - 40]);
    let report = world.run(&["audit", "verify", "--json"]).exits(6).json();
    assert_eq!((report["findings"].as_array().unwrap().len(), &report["findings"][0]["line"]), (1, &json!(5)));
    world.run(&["session", "new", "--agent", "f"]).exits(0);
    world.run(&["audit", "verify"]).exits(0);
    let entries = world.audit();
    let told: Vec<_> =
        entries.iter().map(|entry| (entry["seq"].as_u64().unwrap(), entry["op"].as_str().unwrap())).collect();
    assert_eq!(told[4..], [(5, "audit.recover"), (6, "session.new")]);
    assert_eq!(entries[4]["outcome"], "recovered");
    // What was torn stays where it is.
    assert!(std::fs::read_to_string(world.dir().join(MAY)).unwrap().starts_with(&whole[..whole.len() - 40]));
}

#[test]
fn a_month_has_a_file_of_its_own_and_a_clock_that_goes_back_reopens_none() {
    let mut world = five();
    let mut new = |now: &str| world.at(now).run(&["session", "new", "--agent", "x"]).exits(0);
    new("2026-06-01T00:00:00Z");
    let may = std::fs::read(world.dir().join(MAY)).unwrap();
    let mut new = |now: &str| world.at(now).run(&["session", "new", "--agent", "y"]).exits(0);
    new("2026-05-31T23:59:59Z");
    new("2026-01-01T00:00:00Z");
    new("2026-08-01T00:00:00Z");
    assert_eq!(world.names("audit"), ["2026-05.jsonl", "2026-06.jsonl", "2026-08.jsonl"]);
    assert_eq!(std::fs::read(world.dir().join(MAY)).unwrap(), may);
    world.run(&["audit", "verify"]).exits(0);
    let seqs: Vec<_> = world.audit().iter().map(|entry| entry["seq"].as_u64().unwrap()).collect();
    assert!(seqs.is_sorted() && seqs[0] == 1 && *seqs.last().unwrap() == seqs.len() as u64, "{seqs:?}");
    // A whole month gone is found.
    std::fs::remove_file(world.root().join("audit/2026-06.jsonl")).unwrap();
    world.run(&["audit", "verify"]).exits(6);
}

#[test]
fn entries_are_shown_by_what_they_are_asked_for() {
    let mut world = five();
    world.at("2026-05-22T14:30:00Z");
    let id = world.propose("Vento nutzt Redis", &[]);
    world.run(&["review", "reject", &id, "--reason", "nein"]).exits(0);
    let count = |args: &[&str]| world.json(&[&["audit", "show"], args].concat())["entries"].as_array().unwrap().len();
    for (args, want) in [
        (&["--op", "session.new"][..], 5),
        (&["--op", "session"], 5),
        (&["--op", "sess"], 0),
        (&["--op", "review"], 2),
        (&["--actor", "hermes-a"], 1),
        (&["--target", "redis"], 2),
        (&["--since", "2026-05-22"], 2),
        (&["--since", "23h"], 2),
        (&["--since", "24h"], 7),
        (&["--limit", "3"], 3),
        (&["--op", "review", "--limit", "1"], 1),
    ] {
        assert_eq!(count(args), want, "{args:?}");
    }
    assert_eq!(world.json(&["audit", "show", "--limit", "1"])["entries"][0]["op"], "review.reject");
}
