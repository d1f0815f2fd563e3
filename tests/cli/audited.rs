//! Law 6: every operation that changes or refuses something leaves its entries, with who, what, when and outcome, and
//! never with content. Reading leaves none.

use serde_json::{Value, json};

use crate::screen::Screen;
use crate::world::{World, turn, turn_with};

/// The entries that a run adds, as `actor op target outcome`; ids are cut to their noun.
fn added(world: &World, args: &[&str], input: &str, code: i32) -> Vec<String> {
    let before = world.audit().len();
    world.run_with(args, input).exits(code);
    let entries = world.audit().split_off(before);
    let word = |entry: &Value, field: &str| entry[field].as_str().unwrap_or("none").to_owned();
    let noun = |id: String| id.split_once('-').map_or(id.clone(), |(noun, _)| noun.to_owned());
    entries
        .iter()
        .inspect(|entry| assert_eq!(entry["ts"], world.now(), "{entry}"))
        .map(|entry| {
            format!(
                "{} {} {} {}",
                word(entry, "actor"),
                word(entry, "op"),
                noun(word(entry, "target")),
                word(entry, "outcome")
            )
        })
        .collect()
}

/// A world whose caller decides as `flo`.
fn world() -> World {
    let world = World::new();
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    world.configure(&format!("[review]\nmax_pending = 6\n[[reviewer]]\nname = \"flo\"\nuser = \"{}\"\n", user.trim()));
    world
}

#[test]
fn each_change_leaves_exactly_its_entries() {
    let world = world();
    let append = ["session", "append", "--agent", "carlo"];
    let two = {
        let mut turn = turn_with("Vento nutzt Redis");
        turn["decisions"] = json!([{"text": "Wir nehmen Redis", "consequence": "n8n wird angepasst"}]);
        turn.to_string()
    };
    let plain = turn().to_string();
    let review = "hermes-carlo review.create REVIEW ok";
    let turn_kept = "hermes-carlo session.append SESSION ok";
    let closed = "hermes-carlo session.close SESSION ok";
    let me = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let [batch, run] = ["batch SESSION", "run none"].map(|what| format!("{} retention.{what} ok", me.trim()));
    let cases: [(&[&str], &str, &[&str]); 16] = [
        (&["session", "new", "--agent", "carlo"], "", &["hermes-carlo session.new SESSION ok"]),
        (&["session", "new", "--agent", "carlo"], "", &[closed, "hermes-carlo session.new SESSION ok"]),
        (&append, &two, &[turn_kept, review, review]),
        (&append, &plain, &[turn_kept]),
        (&[&append[..], &["--new"]].concat(), &plain, &[closed, turn_kept]),
        (&["session", "close", "--agent", "carlo", "SESSION"], "", &[closed]),
        (&["review", "create", "--agent", "carlo", "--fact", "Vento nutzt n8n"], "", &[review]),
        (
            &["review", "create", "--agent", "mari", "--fact", "vento nutzt N8N"],
            "",
            &["hermes-mari review.create REVIEW seen_again"],
        ),
        (&["review", "edit", "n8n", "--change", "Technik"], "", &["flo review.edit REVIEW ok"]),
        (&["review", "approve", "n8n", "--yes", "--evidence", "commit 4f2"], "", &["flo review.approve REVIEW ok"]),
        (&["review", "transferred", "n8n"], "", &["flo review.transferred REVIEW ok"]),
        (&["review", "undo", "vento-n8n"], "", &["flo review.undo REVIEW ok"]),
        (&["review", "undo", "vento-n8n"], "", &["flo review.undo REVIEW ok"]),
        (&["review", "reject", "vento-n8n", "--reason", "nein"], "", &["flo review.reject REVIEW ok"]),
        (&["review", "batch", "--apply", "-", "--yes"], "reject vento-redis nein\n", &["flo review.reject REVIEW ok"]),
        // The proposed facts of the session that was closed, and that the run came to its end.
        (&["retention", "run"], "", &[batch.as_str(), run.as_str()]),
    ];
    for (args, input, want) in cases {
        let open = world.json(&["session", "list", "--state", "active"])["sessions"][0]["session_id"].clone();
        let args: Vec<&str> =
            args.iter().map(|arg| if *arg == "SESSION" { open.as_str().unwrap() } else { arg }).collect();
        assert_eq!(added(&world, &args, input, 0), want, "{args:?}");
    }
}

#[test]
fn each_refusal_leaves_exactly_one_entry() {
    let world = world();
    let open = world.append("carlo", &turn_with("Vento nutzt Redis"));
    let session = open["session_id"].as_str().unwrap();
    world.propose("Vento nutzt n8n", &[]);
    let append = ["session", "append", "--agent", "mari"];
    let refused = |entry: &str| format!("{entry} refused");
    let cases: [(&[&str], &str, &str); 21] = [
        (&append, "{}", "hermes-mari session.append none"),
        (&append, "no JSON", "hermes-mari session.append none"),
        (&[&append[..], &["--session", session]].concat(), &turn().to_string(), "hermes-mari session.append none"),
        (&[&append[..], &["--complete-task", "x"]].concat(), &turn().to_string(), "hermes-mari session.append none"),
        (&["session", "close", "--agent", "mari", session], "", "hermes-mari session.close SESSION"),
        (&["review", "create", "--agent", "mari", "--fact", ""], "", "hermes-mari review.create none"),
        (&["review", "create", "--agent", "mari", "--file", "-"], "no JSON", "hermes-mari review.create none"),
        (
            &["review", "create", "--agent", "mari", "--session", session, "--fact", "x"],
            "",
            "hermes-mari review.create none",
        ),
        (&["review", "approve", "redis", "--yes", "--evidence", "x"], "", "flo review.approve REVIEW"),
        (&["review", "approve", "n8n", "--yes"], "", "flo review.approve REVIEW"),
        (&["review", "approve", "n8n"], "", "flo review.approve REVIEW"),
        (&["review", "reject", "n8n", "--reason", " "], "", "flo review.reject REVIEW"),
        (&["review", "edit", "n8n", "--fact", ""], "", "flo review.edit REVIEW"),
        (&["review", "transferred", "n8n"], "", "flo review.transferred REVIEW"),
        (&["review", "undo", "n8n"], "", "flo review.undo REVIEW"),
        // What would be asked, with nobody there to ask.
        (&["review", "approve", "n8n", "--evidence", "x"], "", "flo review.approve REVIEW"),
        (&["review", "reject", "n8n"], "", "flo review.reject REVIEW"),
        (&["review", "edit", "n8n"], "", "flo review.edit REVIEW"),
        (&["review", "walk"], "", "flo review.walk none"),
        (&["review", "batch", "--apply", "-"], "reject n8n nein", "flo review.batch none"),
        (&["review", "batch", "--apply", "-", "--yes"], "remove n8n", "flo review.batch none"),
    ];
    let before = world.records();
    for (args, input, want) in cases {
        assert_eq!(added(&world, args, input, 4), [refused(want)], "{args:?}");
    }
    assert_eq!(world.records(), before);
}

#[test]
fn the_full_queue_is_audited_where_it_refuses() {
    let world = world();
    for nth in 1..=6 {
        world.propose(&format!("Vento nutzt Port 860{nth}"), &[]);
    }
    assert_eq!(
        added(&world, &["review", "create", "--agent", "carlo", "--fact", "Vento nutzt Port 8607"], "", 4),
        ["hermes-carlo review.create none refused"]
    );
    let append = ["session", "append", "--agent", "carlo"];
    world.run_with(&append, turn_with("Vento nutzt Port 8607").to_string()).exits(3);
    let entry = world.audit().pop().unwrap();
    assert_eq!((&entry["op"], &entry["counts"]["reviews_refused"]), (&json!("session.append"), &json!(1)));
}

#[test]
fn reading_leaves_no_entry() {
    let world = world();
    world.append("carlo", &turn_with("Vento nutzt Redis"));
    let before = (world.audit(), world.files("memory"));
    for line in [
        "init",
        "status",
        "session list",
        "session show carlo",
        "session context --agent carlo",
        "session export carlo",
        "session lookup --agent carlo --query User_fragt_nach_dem_Stand_von_Vento",
        "review pending",
        "review list",
        "review show redis",
        "review remind",
        "review stats",
        "retention plan",
        "retention run --dry-run",
        "retention policy",
        "audit show",
        "audit verify",
        "audit head",
        "config show",
        "config check",
    ] {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('_', " ")).collect();
        world.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(0);
    }
    assert_eq!((world.audit(), world.files("memory")), before);
}

#[test]
fn no_entry_carries_content() {
    let world = world();
    let marker = "Zwiebelkuchen";
    let mut said = turn();
    for field in ["user_input_summary", "conversation_summary", "request_id"] {
        said[field] = json!(marker);
    }
    said["pending_tasks"] = json!([marker]);
    said["decisions"] = json!([{"text": marker, "consequence": marker}]);
    said["retrieval_meta"]["query"] = json!(marker);
    world.append("carlo", &said);
    said["unknown"] = json!(marker);
    world.try_append(&["--session", marker], &said).exits(4);
    let id = world.propose("Vento nutzt Redis", &["--change", marker, "--requires", marker]);
    world.run(&["review", "edit", &id, "--change", &format!("{marker} neu")]).exits(0);
    world.run(&["review", "approve", &id, "--evidence", marker, "--resolve", marker, "--yes"]).exits(0);
    world.run(&["review", "undo", &id]).exits(0);
    world.run(&["review", "reject", &id, "--reason", marker]).exits(0);
    for entry in world.audit() {
        // A review's slug is made from its masked fact: ids are names.
        let entry = entry.as_object().unwrap();
        for (field, value) in entry.iter().filter(|(field, _)| *field != "target") {
            assert!(!value.to_string().to_lowercase().contains("zwiebel"), "{field}: {value}");
        }
        let fields: Vec<_> = entry.keys().map(String::as_str).collect();
        assert_eq!(fields, ["seq", "ts", "actor", "via", "op", "target", "outcome", "counts", "prev", "hash"]);
        let target = entry["target"].as_str().unwrap_or("SESSION-");
        assert!(target.starts_with("SESSION-") || target.starts_with("REVIEW-"), "{target}");
    }
}

#[test]
fn a_rules_no_on_a_terminal_is_audited_and_the_reviewers_is_not() {
    let world = world();
    let mail = ["a.sonntag", "@", "kunde-nord.de"].concat();
    let id = world.propose(&format!("Vento meldet Fehler an {mail}"), &[]);
    let before = world.audit().len();
    Screen::open(&world, 200, &["review", "approve", &id], &[]).exits(4);
    let entries = world.audit().split_off(before);
    assert_eq!(entries.len(), 1, "{entries:?}");
    let entry = (&entries[0]["actor"], &entries[0]["op"], &entries[0]["target"], &entries[0]["outcome"]);
    assert_eq!(entry, (&json!("flo"), &json!("review.approve"), &json!(id), &json!("refused")));
    let id = world.propose("Vento nutzt n8n", &[]);
    let before = world.audit().len();
    let mut screen = Screen::open(&world, 200, &["review", "approve", &id, "--evidence", "commit 1"], &[]);
    screen.answer("[y/n] ", "n\r");
    screen.exits(4);
    assert_eq!(world.audit().len(), before);
}

#[test]
fn a_file_of_a_newer_version_is_refused_on_record() {
    let world = world();
    let review = json!({"schema_version": 99, "proposed_fact": "Vento nutzt Redis", "created_at": world.now()});
    world.write("memory/review-queue/REVIEW-20260521-142000-x.json", review.to_string());
    assert_eq!(
        added(&world, &["review", "reject", "142000-x", "--reason", "nein"], "", 4),
        ["flo review.reject REVIEW refused"]
    );
}

#[test]
fn another_agents_name_is_refused_on_record() {
    let world = World::new();
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let session = world.append("carlo", &turn())["session_id"].as_str().unwrap().to_owned();
    world.configure(&format!("[[agent]]\nname = \"carlo\"\nuser = \"{}\"\n", user.trim()));
    for (args, input, op) in [
        (&["session", "new", "--agent", "mari"][..], String::new(), "session.new"),
        (&["session", "append", "--agent", "mari"], turn().to_string(), "session.append"),
        (&["session", "close", &session, "--agent", "mari"], String::new(), "session.close"),
        (&["review", "create", "--agent", "mari", "--fact", "x"], String::new(), "review.create"),
    ] {
        assert_eq!(added(&world, args, &input, 4), [format!("{} {op} none refused", user.trim())], "{args:?}");
    }
}

#[test]
fn too_large_an_input_is_refused_on_record() {
    let world = world();
    world.write("large", "");
    // Sparse: nothing of it is on the disk.
    std::fs::File::options().write(true).open(world.dir().join("large")).unwrap().set_len((64 << 20) + 1).unwrap();
    for (args, entry) in [
        (&["session", "append", "--agent", "carlo", "--file", "large"][..], "hermes-carlo session.append none refused"),
        (&["review", "create", "--agent", "carlo", "--file", "large"], "hermes-carlo review.create none refused"),
        (&["review", "batch", "--apply", "large", "--yes"], "flo review.batch none refused"),
    ] {
        assert_eq!(added(&world, args, "", 4), [entry], "{args:?}");
    }
}
