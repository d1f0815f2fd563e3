//! The laws that no flag overrides: the vault is never written, only a human verifies, what is not understood is kept, and
//! every operation that changes or refuses something is audited. Law 2 is in `canaries`, law 4 in the tests of crashes.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::tree::{keys, marks, texts};
use crate::world::{World, turn, turn_with};

/// The login of whoever runs the tests, as the program sees it.
fn login() -> String {
    let output = std::process::Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Words on a command line; `_` stands for a blank within one.
fn words(line: &str) -> Vec<String> {
    line.split(' ').map(|word| word.replace('_', " ")).collect()
}

/// A life of the tree in which every command has its part, in an order in which each has something to do.
const EVERY_COMMAND: [&str; 44] = [
    "init",
    "session new --agent carlo",
    "session append --agent carlo",
    "session append --agent carlo --new",
    "session append --agent mari --json",
    "session append --agent carlo --session SESSION-carlo-20260101-ffffff",
    "session list",
    "session list --json",
    "session show --json mari",
    "session lookup --agent mari --query User_fragt_nach_dem_Stand_von_Vento",
    "session context --agent mari",
    "session export mari --format markdown",
    "session close mari",
    "review create --fact Vento_nutzt_Port_8645 --page 03-Projekte/LP-VENTO.md",
    "review create --fact Vento_nutzt_Redis --page 03-Projekte/LP-VENTO.md",
    "review create --fact Vento_ist_live --page 03-Projekte/LP-VENTO.md",
    "review create --fact Vento_kennt_SMS --page 03-Projekte/LP-VENTO.md",
    "review pending",
    "review list --format csv",
    "review show port-8645",
    "review edit port-8645 --fact Vento_nutzt_den_Port_8646 --change Technik",
    "review approve port-8645 --evidence commit_4f2a91c --yes",
    "review transferred port-8645",
    "review transferred port-8645 --unchecked",
    "review undo port-8645",
    "review approve redis --yes",
    "review approve redis --evidence commit_4f2a91c --yes --resolve neu --acknowledge",
    "review undo redis",
    "review reject redis --reason kein_Beleg",
    "review walk",
    "review batch --export batch.md",
    "review batch --apply batch.md --yes",
    "review remind",
    "review stats",
    "status",
    "retention policy",
    "retention plan",
    "retention run",
    "audit show",
    "audit verify",
    "audit head",
    "config show",
    "config check",
    "mask --check",
];

#[test]
fn the_vault_is_untouched_after_every_command() {
    let world = World::new();
    let vault = world.with_vault("");
    let before = marks(&vault);
    for line in EVERY_COMMAND {
        let args = words(line);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let input = if line.starts_with("session append") {
            turn_with("Vento ist eingestellt").to_string()
        } else {
            String::new()
        };
        let ran = world.run_with(&args, input);
        assert!(matches!(ran.code, Some(0 | 3 | 4)), "{line}: {ran}");
        assert_eq!(marks(&vault), before, "after {line}");
    }
    // The life was one: it left a session and reviews on both shelves.
    assert!(!world.names("review-queue").is_empty() && !world.names("review-queue/archived").is_empty());
    assert!(!world.names("sessions/closed").is_empty());
}

#[test]
fn a_vault_that_exists_is_never_a_demo() {
    let world = World::bare();
    world.write("memory.vault/Notiz.md", "meine");
    let before = marks(&world.dir().join("memory.vault"));
    world.run(&["init", "--demo"]).exits(4);
    assert_eq!(marks(&world.dir().join("memory.vault")), before);
    assert!(!world.root().exists());
}

#[test]
fn verified_in_input_is_lowered_with_a_warning() {
    let world = World::new();
    let mut claim = turn();
    claim["proposed_facts"] = json!([{"fact": "Vento nutzt Redis", "status": "verified", "confidence": "high"}]);
    let appended = world.append("carlo", &claim);
    let created =
        world.json(&["review", "create", "--agent", "carlo", "--fact", "Vento nutzt n8n", "--status", "verified"]);
    for warnings in [&appended["warnings"], &created["warnings"]] {
        assert_eq!(*warnings, json!(["status verified was lowered to inferred: only a human verifies"]));
    }
    for id in [&appended["reviews_created"][0], &created["review_id"]] {
        assert_eq!(world.review(id.as_str().unwrap())["fact_status"], "inferred");
    }
    for (path, bytes) in world.records() {
        let record: Value = serde_json::from_slice(&bytes).unwrap();
        assert!(!texts(&record["turns"]).contains(&"verified"), "{}", path.display());
        assert_ne!(record["fact_status"], "verified", "{}", path.display());
    }
}

#[test]
fn approval_alone_verifies_with_the_reviewers_name_and_the_evidence() {
    let world = World::new();
    world.configure(&format!("[[reviewer]]\nname = \"carlo\"\nuser = \"{}\"\n", login()));
    let id = world.propose("Vento nutzt Redis", &[]);
    world.run(&["review", "approve", &id, "--evidence", "commit 4f2a91c", "--yes"]).exits(0);
    let review = world.review(&id);
    assert_eq!(review["fact_status"], "verified");
    assert_eq!((&review["verified_by"], &review["verified_at"]), (&json!("carlo"), &json!(world.now())));
    assert_eq!(review["evidence"], "commit 4f2a91c");
    let decision = json!({"at": world.now(), "by": "carlo", "action": "approve", "from": "pending", "to": "approved",
                          "evidence": "commit 4f2a91c", "fact_status_before": "user_stated"});
    assert_eq!(review["history"], json!([decision]));
    // Taken back, it is as unverified as before.
    world.run(&["review", "undo", &id]).exits(0);
    let review = world.review(&id);
    assert_eq!(review["fact_status"], "user_stated");
    assert!(["verified_by", "verified_at", "evidence"].iter().all(|field| review.get(field).is_none()), "{review}");
}

#[test]
fn the_reviewer_flag_chooses_among_the_callers_own_names() {
    let world = World::new();
    let me = login();
    let id = world.propose("Vento nutzt Redis", &[]);
    let rejecting = ["review", "reject", &id, "--reason", "kein Beleg"];
    let as_whom = |name| [&rejecting[..], &["--reviewer", name]].concat();
    // Without any [[reviewer]] the login is the one name.
    assert_eq!(world.error(&as_whom("carlo"), 4)["code"], "not_your_name");
    world.run(&rejecting).exits(0);
    assert_eq!(world.review(&id)["history"][0]["by"], json!(me));
    world.run(&["review", "undo", &id]).exits(0);
    // With some, the caller's own ones; the first unless another is chosen.
    let person = |name: &str, user: &str| format!("[[reviewer]]\nname = \"{name}\"\nuser = \"{user}\"\n");
    world.configure(&[person("flo", "somebody-else"), person("carlo", &me), person("carlo.m", &me)].concat());
    for name in ["flo", "mari", me.as_str()] {
        assert_eq!(world.error(&as_whom(name), 4)["code"], "not_your_name", "{name}");
    }
    world.run(&as_whom("carlo.m")).exits(0);
    world.run(&["review", "undo", &id]).exits(0);
    let history = &world.review(&id)["history"];
    assert_eq!((&history[2]["by"], &history[3]["by"]), (&json!("carlo.m"), &json!("carlo")));
    // With none of one's own, nothing is decided.
    world.configure(&person("flo", "somebody-else"));
    assert_eq!(world.error(&rejecting, 4)["code"], "no_reviewer");
}

#[test]
fn an_agents_user_decides_nothing_whatever_flags_it_gives() {
    let world = World::new();
    let id = world.propose("Vento nutzt Redis", &[]);
    let approved = world.propose("Vento nutzt n8n", &[]);
    world.run(&["review", "approve", &approved, "--evidence", "commit 4f2a91c", "--yes"]).exits(0);
    world.write("batch.todo", format!("reject {id} kein Beleg\n"));
    let me = login();
    // Even where the same user is a reviewer too.
    world.configure(&format!(
        "[[agent]]\nname = \"carlo\"\nuser = \"{me}\"\n[[reviewer]]\nname = \"{me}\"\nuser = \"{me}\"\n"
    ));
    let before = world.records();
    let deciding = [
        vec!["approve", &id, "--evidence", "x", "--yes", "--acknowledge", "--resolve", "x"],
        vec!["reject", &id, "--reason", "x"],
        vec!["edit", &id, "--fact", "x"],
        vec!["transferred", &approved, "--unchecked"],
        vec!["undo", &approved],
        vec!["batch", "--apply", "batch.todo", "--yes"],
        vec!["walk"],
    ];
    for deciding in &deciding {
        for more in [&[][..], &["--reviewer", &me], &["--reviewer", "flo", "--no-input"]] {
            let args = [&["review"], deciding.as_slice(), more].concat();
            assert_eq!(world.error(&args, 4)["code"], "agent_decides", "{args:?}");
        }
    }
    assert_eq!(world.records(), before);
    let refused = world.audit().into_iter().filter(|entry| entry["outcome"] == "refused").count();
    assert_eq!(refused, 3 * deciding.len());
    // It is that agent without saying so, and no other.
    assert!(world.json(&["session", "new"])["session_id"].as_str().unwrap().starts_with("SESSION-carlo-"));
    assert_eq!(world.error(&["session", "new", "--agent", "mari"], 4)["code"], "other_agent");
}

#[test]
fn under_sudo_the_caller_acts_and_the_audit_says_so() {
    let world = World::new();
    world.configure("[[reviewer]]\nname = \"carlo\"\nuser = \"uid-54321\"\n");
    let id = world.propose("Vento nutzt Redis", &[]);
    let mut command = world.command(&["review", "reject", &id, "--reason", "kein Beleg"]);
    assert!(command.env("SUDO_UID", "54321").output().unwrap().status.success());
    assert_eq!(world.review(&id)["history"][0]["by"], "carlo");
    let entry = world.audit().pop().unwrap();
    assert_eq!((&entry["actor"], &entry["via"]), (&json!("carlo"), &json!("sudo")));
}

#[test]
fn unknown_fields_survive_every_decision() {
    let mut world = World::new();
    let id = world.propose("Vento nutzt Redis", &[]);
    let file = format!("memory/review-queue/{id}.json");
    let mut review = world.review(&id);
    review["dashboard"] = json!({"z": [1, null], "a": "b"});
    review["history"] = json!([{"at": "2026-05-21T14:00:00Z", "by": "gateway", "action": "noted", "why": ["x"]}]);
    world.write(&file, review.to_string().replace("[1,null]", "[1.50,null]"));
    for (hour, decision) in [
        (15, "edit REDIS --requires Nachweis"),
        (16, "approve REDIS --evidence commit --yes"),
        (17, "transferred REDIS --unchecked"),
        (18, "undo REDIS"),
        (19, "undo REDIS"),
        (20, "reject REDIS --reason nein"),
    ] {
        let line = format!("review {}", decision.replace("REDIS", &id));
        let args = words(&line);
        world.at(&format!("2026-05-21T{hour}:00:00Z"));
        world.run(&args.iter().map(String::as_str).collect::<Vec<_>>()).exits(0);
        let written = world.review(&id);
        assert_eq!(written["dashboard"].to_string(), r#"{"z":[1.50,null],"a":"b"}"#, "{line}");
        assert_eq!(written["history"][0], review["history"][0], "{line}");
        let known: Vec<_> = keys(&written).into_iter().filter(|key| review.get(key).is_some()).collect();
        assert_eq!(known, keys(&review), "{line}");
    }
}

#[test]
fn foreign_files_and_symlinks_are_left_alone_and_not_followed() {
    let world = World::new();
    let review = json!({"review_id": "REVIEW-20260521-100000-outside", "proposed_fact": "von draußen"});
    world.write("outside/REVIEW-20260521-100000-outside.json", review.to_string());
    world.write("outside/SESSION-carlo-20260521-0a0a0a.json", json!({"last_active": world.now()}).to_string());
    for (folder, name) in [
        ("review-queue", "REVIEW-20260521-100000-outside.json"),
        ("sessions/active", "SESSION-carlo-20260521-0a0a0a.json"),
    ] {
        symlink(world.dir().join("outside").join(name), world.root().join(folder).join(name)).unwrap();
        world.write(format!("memory/{folder}/Notiz.txt"), "nicht von hier");
        world.write(format!("memory/{folder}/unterordner/x.json"), "{}");
    }
    let outside = marks(&world.dir().join("outside"));
    let notes = world.names("review-queue");
    assert_eq!(world.json(&["review", "list"])["reviews"], json!([]));
    assert_eq!(world.json(&["session", "list"])["sessions"], json!([]));
    assert_ne!(world.run(&["review", "reject", "outside", "--reason", "x"]).code, Some(0));
    assert_eq!(world.append("carlo", &turn())["created_session"], true);
    assert_ne!(world.run(&["session", "close", "0a0a0a"]).code, Some(0));
    assert_eq!(world.names("review-queue"), notes);
    assert_eq!(marks(&world.dir().join("outside")), outside);
    let noted: Vec<_> = world
        .records()
        .into_iter()
        .filter(|(path, _)| path.ends_with("Notiz.txt") || path.ends_with("x.json"))
        .collect();
    assert_eq!(noted.len(), 4);
}

#[test]
fn an_unparseable_file_is_reported_and_left_alone() {
    let world = World::new();
    let good = world.propose("Vento nutzt Redis", &[]);
    let broken = ["review-queue/REVIEW-20260521-100000-cut.json", "sessions/active/SESSION-carlo-20260521-0a0a0a.json"];
    for path in broken {
        world.write(format!("memory/{path}"), "{\"status\": \"pend");
    }
    for (args, id) in
        [(["review", "list"], "REVIEW-20260521-100000-cut"), (["session", "list"], "SESSION-carlo-20260521-0a0a0a")]
    {
        let listed = world.run(&[&args[..], &["--json"]].concat()).exits(3).json();
        assert_eq!(listed["skipped"].as_array().unwrap().len(), 1, "{listed}");
        assert!(listed["skipped"][0].to_string().contains(id), "{listed}");
        assert!(world.run(&args).exits(3).err.contains(id));
        assert_eq!(world.error(&[args[0], "show", id], 6)["code"], "damaged");
    }
    // It keeps nobody from the rest.
    world.run(&["review", "reject", &good, "--reason", "kein Beleg"]).exits(0);
    assert_eq!(world.append("carlo", &turn())["created_session"], true);
    assert_eq!(world.error(&["review", "reject", "100000-cut", "--reason", "x"], 6)["code"], "damaged");
    for path in broken {
        assert_eq!(std::fs::read(world.root().join(path)).unwrap(), b"{\"status\": \"pend");
    }
}

#[test]
fn a_newer_file_is_shown_and_never_written() {
    let world = World::new();
    let (session, review) = ("SESSION-carlo-20260521-0a0a0a", "REVIEW-20260521-100000-newer");
    let newer = json!({"schema_version": 2, "session_id": session, "agent_id": "hermes-carlo", "last_active": world.now(), "status": "active", "turns": []});
    world.write(format!("memory/sessions/active/{session}.json"), newer.to_string());
    let newer = json!({"schema_version": 2, "review_id": review, "proposed_fact": "Vento nutzt Redis", "created_at": world.now(), "status": "pending"});
    world.write(format!("memory/review-queue/{review}.json"), newer.to_string());
    let before = world.records();
    assert_eq!(world.json(&["session", "show", session])["schema_version"], 2);
    assert_eq!(world.json(&["review", "show", review])["proposed_fact"], "Vento nutzt Redis");
    assert_eq!(world.json(&["review", "pending"])["reviews"][0]["review_id"], review);
    for args in [
        vec!["session", "close", session],
        vec!["review", "approve", review, "--evidence", "commit", "--yes"],
        vec!["review", "reject", review, "--reason", "x"],
        vec!["review", "edit", review, "--fact", "x"],
        vec!["review", "undo", review],
    ] {
        assert_eq!(world.error(&args, 4)["code"], "newer_schema", "{args:?}");
    }
    assert_eq!(world.records(), before);
    // The turn is kept all the same: in a session of its own.
    for more in [&["--session", session][..], &[]] {
        let answer = world.try_append(more, &turn()).exits(0).json();
        assert_ne!(answer["session_id"], json!(session));
    }
    assert!(before.iter().all(|file| world.records().contains(file)));
}
