//! Retention as cron and an operator meet it: what is due goes, all else stays, and what went wrong is told.

use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::thread::scope;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::tree::texts;
use crate::world::{World, finish, has_tool, say, skip, turn, turn_with};

/// A session with a turn of the documents' first shape.
pub(crate) fn session(id: &str, last_active: &str) -> Value {
    json!({
        "session_id": id, "agent_id": "hermes-carlo", "created_at": last_active, "last_active": last_active,
        "status": "active",
        "turns": [{"turn_id": 1, "timestamp": last_active, "user_input": "Was ist der Status?",
                   "retrieval": {"query": "Status", "obsidian_sources": 1}, "agent_response_summary": "90 %",
                   "new_facts_detected": [{"fact": "Telegram"}], "decisions": ["Redis"], "open_tasks": ["prüfen"]}],
    })
}

impl World {
    /// Puts a file into a folder of the sessions; one that is archived is packed.
    pub(crate) fn put_session(&self, folder: &str, id: &str, value: &Value) {
        let (path, bytes) = if folder == "archived" {
            let mut packer = GzEncoder::new(Vec::new(), flate2::Compression::default());
            packer.write_all(value.to_string().as_bytes()).unwrap();
            (format!("memory/sessions/archived/{id}.json.gz"), packer.finish().unwrap())
        } else {
            (format!("memory/sessions/{folder}/{id}.json"), value.to_string().into_bytes())
        };
        self.write(path, bytes);
    }

    /// An archive, unpacked.
    fn unpacked(&self, id: &str) -> Value {
        let bytes = std::fs::read(self.root().join(format!("sessions/archived/{id}.json.gz"))).unwrap();
        let mut text = String::new();
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// The counts of a plan.
    fn due(&self) -> Value {
        self.json(&["retention", "plan"])["counts"].clone()
    }
}

#[test]
fn a_session_passes_through_its_life_by_runs_alone() {
    let mut world = World::new();
    let answer = world.append("carlo", &turn_with("Vento unterstützt Telegram"));
    let id = answer["session_id"].as_str().unwrap().to_owned();
    let life: [(&str, &str, Value); 8] = [
        ("2026-05-21T14:59:59Z", "active", json!({})),
        ("2026-05-21T15:00:00Z", "idle", json!({"idle": 1})),
        ("2026-05-21T16:30:00Z", "idle", json!({})),
        ("2026-05-21T16:30:01Z", "closed", json!({"close": 1, "remove_facts": 1})),
        ("2026-05-28T14:30:00Z", "closed", json!({"remove_text": 1})),
        ("2026-05-28T16:30:00Z", "archived", json!({"archive": 1})),
        ("2026-06-27T16:29:59Z", "archived", json!({"expire_review": 1})),
        ("2026-06-27T16:30:00Z", "", json!({"delete_session": 1})),
    ];
    for (at, folder, counts) in life {
        world.at(at);
        assert_eq!(world.due(), counts, "{at}");
        let ran = world.run(&["retention", "run"]).exits(0);
        assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""), "silent at {at}");
        let found: Vec<String> = ["active", "idle", "closed", "archived"]
            .into_iter()
            .filter(|state| world.names(&format!("sessions/{state}")).iter().any(|name| name.starts_with(&id)))
            .map(str::to_owned)
            .collect();
        assert_eq!(found.join(" "), folder, "{at}");
        // A second run right after changes nothing.
        let before = world.content();
        world.run(&["retention", "run"]).exits(0);
        assert_eq!(world.content(), before, "{at}");
        assert_eq!(world.due(), json!({}));
    }
    world.run(&["audit", "verify"]).exits(0);
}

#[test]
fn an_archive_holds_only_what_may_still_be_kept() {
    let mut world = World::new();
    let id = "SESSION-carlo-20260501-a3f7b2";
    world.put_session("active", id, &session(id, "2026-05-01T12:00:00+02:00"));
    world.at("2026-05-21T14:30:00Z").run(&["retention", "run"]).exits(0);
    let kept = world.unpacked(id);
    assert_eq!(
        kept["turns"],
        json!([{"turn_id": 1, "timestamp": "2026-05-01T12:00:00+02:00", "decisions": ["Redis"], "open_tasks": ["prüfen"]}])
    );
    assert_eq!((&kept["status"], &kept["closed_at"]), (&json!("archived"), &json!("2026-05-01T12:00:00Z")));
    assert_eq!(kept["archived_at"], "2026-05-08T12:00:00Z");
    // Fields go inside of archives too.
    world.at("2026-05-31T10:00:00Z").run(&["retention", "run"]).exits(0);
    assert_eq!(world.unpacked(id)["turns"][0], json!({"turn_id": 1, "timestamp": "2026-05-01T12:00:00+02:00"}));
    world.at("2026-06-07T12:00:00Z").run(&["retention", "run"]).exits(0);
    assert_eq!(world.names("sessions/archived"), [""; 0]);
    let batch = world.audit().into_iter().rfind(|entry| entry["op"] == "retention.batch").unwrap();
    assert_eq!((&batch["target"], &batch["counts"]), (&json!(id), &json!({"delete_session": 1})));
}

#[test]
fn one_bad_file_never_stops_the_rest() {
    let world = World::new();
    let good = "SESSION-carlo-20260401-aaaaaa";
    for (name, bytes) in [
        ("active/SESSION-carlo-20260401-bbbbbb.json", &b"{\"session_id\": "[..]),
        ("active/SESSION-carlo-20260401-cccccc.json", b"[]"),
        ("active/SESSION-carlo-20260401-dddddd.json", b""),
        ("closed/SESSION-carlo-20260401-eeeeee.json", b"\xff\xfe"),
        ("archived/SESSION-carlo-20260401-ffffff.json.gz", b"no gzip"),
        ("closed/SESSION-carlo-20260401-abcabc.json", b"{\"session_id\": \"SESSION-carlo-20260401-defdef\"}"),
        ("idle/SESSION-carlo-20260401-ababab.json", b"{\"last_active\": \"neulich\"}"),
    ] {
        world.write(Path::new("memory/sessions").join(name), bytes);
    }
    world.write("memory/review-queue/REVIEW-20260401-100000-x.json", "null");
    world.put_session("active", good, &session(good, "2026-04-01T12:00:00Z"));
    let before = world.records().len();
    let ran = world.run(&["retention", "run"]).exits(3);
    assert_eq!(ran.err.lines().filter(|line| line.starts_with("warning: ")).count(), 8, "{ran}");
    for part in ["bbbbbb", "cccccc", "dddddd", "eeeeee", "ffffff", "abcabc", "ababab", "REVIEW-20260401-100000-x"] {
        assert!(ran.err.contains(part), "{part}: {ran}");
    }
    assert_eq!(world.records().len(), before - 1, "only the good one was due, and went");
    let entry = world.audit().pop().unwrap();
    assert_eq!((&entry["op"], &entry["outcome"]), (&json!("retention.run"), &json!("partly")));
    assert_eq!(entry["counts"], json!({"delete_session": 1, "left_alone": 8}));
    let told = world.run(&["retention", "plan", "--json"]).exits(3).json();
    assert_eq!((&told["left_alone"], told["skipped"].as_array().unwrap().len()), (&json!(8), 8));
}

#[test]
fn what_is_none_of_the_programs_own_is_told_of_and_left_alone() {
    let world = World::new();
    let old = session("SESSION-carlo-20260401-aaaaaa", "2026-04-01T12:00:00Z").to_string();
    world.write("outside.json", &old);
    let foreign = [
        "active/SESSION-Carlo-20260401-aaaaaa.json",
        "active/session-carlo-20260401-aaaaaa.json",
        "active/SESSION-carlo-20260401-aaaaaa.JSON",
        "active/SESSION-carlo-20260401-aaaaaa .json",
        "active/SESSION-carlo-20260401-aaaaaa.json.gz",
        "active/SESSION-carlo-20260401-aaaaaa.json.bak",
        "archived/SESSION-carlo-20260401-aaaaaa.json",
        "closed/notes.txt",
        "idle/.hidden",
    ];
    for name in foreign {
        world.write(Path::new("memory/sessions").join(name), &old);
    }
    let root = world.root();
    let link = root.join("sessions/active/SESSION-carlo-20260401-000001.json");
    symlink(world.dir().join("outside.json"), &link).unwrap();
    let hard = root.join("sessions/active/SESSION-carlo-20260401-000002.json");
    std::fs::hard_link(world.dir().join("outside.json"), &hard).unwrap();
    let folder = root.join("sessions/closed/SESSION-carlo-20260401-000003.json");
    std::fs::create_dir(&folder).unwrap();
    let reviews = root.join("review-queue/REVIEW-20260101-100000-x.json");
    std::fs::create_dir(&reviews).unwrap();
    std::fs::write(root.join("sessions/active").join(std::ffi::OsStr::new("caf\u{e9}")), "x").unwrap();
    let before = world.records();
    let ran = world.run(&["retention", "run", "--json"]).exits(3);
    let told = ran.json();
    assert_eq!(told["counts"], json!({}), "{ran}");
    assert_eq!(told["left_alone"], foreign.len() + 5, "{ran}");
    let paths = texts(&told["skipped"]);
    for name in foreign.iter().map(|name| format!("sessions/{name}")) {
        assert!(paths.contains(&name.as_str()), "{name}: {ran}");
    }
    assert!(told["skipped"].to_string().contains("it has a second name (a hard link)"), "{ran}");
    assert_eq!(world.records(), before);
    assert!(link.is_symlink() && folder.is_dir() && reviews.is_dir());
}

#[test]
fn a_session_in_two_folders_is_left_to_doctor() {
    let world = World::new();
    let id = "SESSION-carlo-20260401-aaaaaa";
    for folder in ["active", "closed"] {
        world.put_session(folder, id, &session(id, "2026-05-12T12:00:00Z"));
    }
    let before = world.content();
    let ran = world.run(&["retention", "run"]).exits(3);
    assert!(ran.err.contains(&format!("sessions/closed/{id}.json is there too")), "{ran}");
    assert_eq!(world.content(), before);
}

#[test]
fn something_in_the_place_of_an_archive_blocks_nobody() {
    let world = World::new();
    let id = "SESSION-carlo-20260512-aaaaaa";
    world.put_session("closed", id, &session(id, "2026-05-12T12:00:00Z"));
    std::fs::create_dir(world.root().join(format!("sessions/archived/{id}.json.gz"))).unwrap();
    world.run(&["retention", "run"]).exits(3);
    assert_eq!(world.names("sessions/closed").len(), 1);
    world.append("carlo", &turn());
}

#[test]
fn a_file_that_cannot_be_changed_blocks_nobody() {
    let world = World::new();
    let (id, other) = ("SESSION-carlo-20260401-aaaaaa", "SESSION-carlo-20260401-bbbbbb");
    for id in [id, other] {
        world.put_session("closed", id, &session(id, "2026-04-01T12:00:00Z"));
    }
    let file = world.root().join(format!("sessions/closed/{id}.json"));
    let mark = |flag: &str| std::process::Command::new("chattr").arg(flag).arg(&file).output();
    if !has_tool("chattr") || !mark("+i").is_ok_and(|done| done.status.success()) {
        return skip("no file can be marked as unchangeable here");
    }
    let ran = world.run(&["retention", "run"]);
    let next = world.run_with(&["session", "append", "--agent", "carlo"], turn().to_string());
    let left = world.names("sessions/closed");
    mark("-i").unwrap();
    assert!(ran.err.contains("marked as unchangeable"), "{ran}");
    assert_eq!((ran.code, next.code), (Some(3), Some(0)), "{ran}\n{next}");
    assert_eq!(left, [format!("{id}.json")]);
}

#[test]
fn a_clock_that_jumped_deletes_nothing_unless_a_human_says_it_is_right() {
    let mut world = World::new();
    world.append("carlo", &turn());
    world.run(&["retention", "run"]).exits(0);
    for at in ["2026-07-20T14:30:01Z", "2036-01-01T00:00:00Z", "2026-05-21T14:24:59Z", "1970-01-01T00:00:00Z"] {
        world.at(at);
        let before = world.content();
        let error = world.error(&["retention", "run"], 4);
        assert_eq!(error["code"], "clock", "{at}");
        assert!(error["hints"][0].as_str().unwrap().contains("--accept-clock"), "{error}");
        assert_eq!(world.content(), before, "{at}");
        assert_eq!(world.audit().pop().unwrap()["outcome"], "refused");
        // A plan answers what would be, and says that a run would not do it.
        let told = world.run(&["retention", "plan", "--json"]).json();
        assert!(told["clock"].as_str().is_some_and(|said| said.starts_with("the clock says")), "{told}");
    }
    for at in ["2026-07-20T14:30:00Z", "2026-05-21T14:25:00Z"] {
        world.at(at);
        assert_eq!(world.json(&["retention", "plan"])["clock"], Value::Null, "{at}");
    }
    world.at("2026-07-20T14:30:01Z").run(&["retention", "run", "--accept-clock"]).exits(0);
    assert_eq!(world.names("sessions/active"), [""; 0]);
    let run = world.audit().pop().unwrap();
    assert_eq!(run["counts"], json!({"clock_accepted": 1, "delete_session": 1}));
    // From then on that run is what the clock is measured by.
    world.at("2026-09-18T14:30:01Z").run(&["retention", "run"]).exits(0);
}

#[test]
fn before_the_first_run_the_newest_time_in_the_tree_counts() {
    let mut world = World::new();
    let id = "SESSION-carlo-20260401-aaaaaa";
    world.put_session("active", id, &session(id, "2026-04-01T12:00:00Z"));
    let future = "SESSION-carlo-20990401-bbbbbb";
    world.put_session("active", future, &session(future, "2099-04-01T12:00:00Z"));
    assert_eq!(world.at("2026-05-31T12:00:01Z").error(&["retention", "run"], 4)["code"], "clock");
    assert_eq!(world.names("sessions/active").len(), 2);
    let ran = world.at("2026-05-31T12:00:00Z").run(&["retention", "run"]).exits(3);
    assert!(ran.err.contains(future) && ran.err.contains("lies ahead of the clock"), "{ran}");
    assert_eq!(world.names("sessions/active"), [format!("{future}.json")]);
}

#[test]
fn an_agents_user_cannot_accept_a_clock() {
    let world = World::new();
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    world.configure(&format!("[[agent]]\nname = \"carlo\"\nuser = \"{}\"\n", user.trim()));
    assert_eq!(world.error(&["retention", "run", "--accept-clock"], 4)["code"], "not_for_agents");
    world.run(&["retention", "run"]).exits(0);
}

#[test]
fn of_two_runs_at_once_the_second_is_told() {
    let world = World::new();
    let id = "SESSION-carlo-20260401-aaaaaa";
    world.put_session("active", id, &session(id, "2026-04-01T12:00:00Z"));
    let lock = std::fs::File::open(world.root().join(".locks/retention.lock")).unwrap();
    lock.lock().unwrap();
    let start = Instant::now();
    world.run(&["retention", "run"]).exits(11);
    assert!(start.elapsed() < Duration::from_secs(2));
    world.run(&["retention", "run", "--wait", "1s"]).exits(11);
    assert!(start.elapsed() >= Duration::from_secs(1));
    world.run(&["retention", "plan"]).exits(0);
    // An append is not kept waiting by it.
    world.append("mari", &turn());
    drop(lock);
    world.run(&["retention", "run"]).exits(0);
    assert_eq!(world.names("sessions/active").len(), 1);
}

#[test]
fn a_plan_groups_what_would_be_and_changes_nothing() {
    let mut world = World::demo();
    world.at("2026-05-23T14:30:00Z");
    let before = (world.records(), world.audit());
    let plan = world.run(&["retention", "plan"]).exits(0);
    let dry = world.run(&["retention", "run", "--dry-run"]).exits(0);
    assert_eq!(plan.out, dry.out);
    assert!(plan.out.lines().skip(1).all(|line| line.starts_with("would ") || line == "nothing was changed"), "{plan}");
    assert!(plan.out.ends_with("nothing was changed\n"), "{plan}");
    assert_eq!((world.records(), world.audit()), before);
    // What was planned is what is done.
    let planned = world.json(&["retention", "plan"]);
    let done = world.json(&["retention", "run"]);
    assert_eq!((&planned["actions"], &planned["counts"]), (&done["actions"], &done["counts"]));
    assert!(!planned["actions"].as_array().unwrap().is_empty());
    for action in planned["actions"].as_array().unwrap() {
        let keys: Vec<_> = action.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["action", "target", "reason"]);
    }
    let said = world.at("2026-06-30T00:00:00Z").run(&["retention", "run", "-v"]).exits(0);
    assert_eq!(said.out.lines().count(), 1, "{said}");
}

#[test]
fn the_policy_shows_the_figures_in_force() {
    let world = World::new();
    world.configure("[retention]\nunconfirmed_blocks = \"10d\"\n");
    let rules = world.json(&["retention", "policy"])["rules"].as_array().unwrap().clone();
    let kept: Vec<&str> = rules.iter().filter_map(|rule| rule["kept"].as_str()).collect();
    assert_eq!(kept, ["30m", "120m", "7d", "30d", "7d", "30d", "14d", "90d", "10d"]);
}

#[test]
fn reviews_expire_on_record_and_go_at_last() {
    let mut world = World::new();
    let pending = world.propose("Vento nutzt Redis", &[]);
    let approved = world.propose("Vento nutzt n8n", &[]);
    world.run(&["review", "approve", &approved, "--evidence", "commit 4f2a91c", "--yes"]).exits(0);
    world.at("2026-06-04T14:29:59Z").run(&["retention", "run"]).exits(0);
    assert_eq!(world.names("review-queue").len(), 2);
    world.at("2026-06-05T00:00:00Z").run(&["retention", "run"]).exits(0);
    let review = world.review(&pending);
    assert_eq!((&review["status"], &review["finished_at"]), (&json!("expired"), &json!("2026-06-04T14:30:00Z")));
    assert_eq!(review["history"][0]["by"], "retention");
    assert_eq!(world.names("review-queue/archived"), [format!("{pending}.json")]);
    let expired = world.audit().into_iter().find(|entry| entry["op"] == "review.expire").unwrap();
    assert_eq!((&expired["target"], &expired["outcome"]), (&json!(pending), &json!("ok")));
    world.at("2026-08-01T00:00:00Z").run(&["retention", "run"]).exits(0);
    world.at("2026-09-02T14:29:59Z").run(&["retention", "run"]).exits(0);
    assert_eq!(world.names("review-queue/archived").len(), 1);
    world.at("2026-09-02T14:30:00Z").run(&["retention", "run"]).exits(0);
    assert_eq!(world.names("review-queue/archived"), [""; 0]);
    assert_eq!(world.names("review-queue"), [format!("{approved}.json")], "nobody has transferred it");
}

#[test]
fn a_block_that_nobody_confirmed_goes_after_thirty_days() {
    let mut world = World::new();
    let add = |world: &World, key: &str, more: &[&str]| {
        let block =
            ["block", "add", "--agent", "carlo", "--type", "project_state", "--category", "project", "--key", key];
        world.run(&[&block[..], &["--value", "Port 8645", "--status", "inferred"], more].concat()).exits(0);
    };
    add(&world, "geht", &[]);
    add(&world, "bleibt", &[]);
    world.run(&["block", "confirm", "bleibt"]).exits(0);
    world.at("2026-06-20T14:29:59Z").run(&["retention", "run"]).exits(0);
    assert_eq!(world.json(&["block", "list"])["blocks"].as_array().unwrap().len(), 2);
    world.at("2026-06-20T14:30:00Z");
    assert_eq!(world.due(), json!({"delete_block": 1}));
    let done = world.json(&["retention", "run"]);
    assert_eq!(done["counts"], json!({"delete_block": 1}));
    let left = world.json(&["block", "list"])["blocks"].as_array().unwrap().clone();
    assert_eq!((left.len(), &left[0]["key"]), (1, &json!("bleibt")));
    assert_eq!(world.due(), json!({}));
    world.run(&["audit", "verify"]).exits(0);
}

#[test]
fn a_step_of_many_files_is_as_whole_as_one_of_few() {
    let world = World::new();
    let ids: Vec<String> = (0..600).map(|nth| format!("SESSION-carlo-20260512-{nth:06x}")).collect();
    for id in &ids {
        world.put_session("closed", id, &session(id, "2026-05-12T12:00:00Z"));
    }
    let done = world.json(&["retention", "run"]);
    assert_eq!(done["counts"], json!({"archive": 600, "remove_facts": 600, "remove_text": 600}));
    assert_eq!(done["actions"].as_array().unwrap().len(), 1800);
    assert_eq!(world.names("sessions/archived").len(), 600);
    for id in ids.iter().step_by(97) {
        assert_eq!(world.unpacked(id)["session_id"], json!(id));
    }
    let batches = world.audit().into_iter().filter(|entry| entry["op"] == "retention.batch").count();
    assert_eq!(batches, 2);
    world.run(&["audit", "verify"]).exits(0);
}

#[test]
fn runs_that_are_killed_lose_no_acknowledged_turn() {
    let mut world = World::new();
    // What the runs have to do: sessions of days ago, more than one step of them.
    for nth in 0..400 {
        let id = format!("SESSION-mari-20260512-{nth:06x}");
        world.put_session("closed", &id, &session(&id, "2026-05-12T12:00:00Z"));
    }
    world.at("2026-05-21T14:30:00Z");
    let (runs, turns) = (30, 60);
    let mut killed = 0;
    scope(|scope| {
        let world = &world;
        let appending = scope.spawn(move || {
            (0..turns)
                .map(|nth| {
                    let mut turn = turn();
                    turn["conversation_summary"] = json!(format!("Antwort {nth}"));
                    world.append("carlo", &turn)["turn_id"].as_u64().unwrap()
                })
                .collect::<Vec<_>>()
        });
        for nth in 0..runs {
            let mut run = world.start(&["retention", "run"]);
            std::thread::sleep(Duration::from_millis(nth * 3));
            run.kill().unwrap();
            killed += usize::from(run.wait().unwrap().code().is_none());
        }
        let acknowledged = appending.join().unwrap();
        assert_eq!(acknowledged, (1..=turns).collect::<Vec<u64>>());
    });
    world.run(&["retention", "run"]).exits(0);
    let open = world.json(&["session", "list", "--agent", "carlo"])["sessions"].as_array().unwrap().clone();
    assert_eq!(open.len(), 1, "{open:?}");
    let shown = world.json(&["session", "show", open[0]["session_id"].as_str().unwrap()]);
    for (at, turn) in shown["turns"].as_array().unwrap().iter().enumerate() {
        assert_eq!(turn["conversation_summary"], json!(format!("Antwort {at}")));
    }
    assert_eq!(world.names("sessions/archived").len(), 400);
    assert_eq!(world.names("sessions/closed"), [""; 0]);
    world.run(&["audit", "verify"]).exits(0);
    say(&format!("{runs} runs, {killed} killed, {turns} appends beside them, 0 turns lost"));
}

#[test]
fn many_appending_while_retention_runs_in_a_loop_keep_every_turn() {
    let world = World::new();
    let (processes, turns) = (16, 3);
    scope(|scope| {
        let world = &world;
        let appending: Vec<_> = (0..processes)
            .map(|process| {
                scope.spawn(move || {
                    for nth in 0..turns {
                        let mut turn = turn();
                        turn["conversation_summary"] = json!(format!("p{process}t{nth}"));
                        world.append("carlo", &turn);
                    }
                })
            })
            .collect();
        while appending.iter().any(|thread| !thread.is_finished()) {
            let ran = finish(world.start(&["retention", "run"]), b"");
            assert!(matches!(ran.code, Some(0)), "{ran}");
        }
    });
    let sessions = world.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    assert_eq!(sessions.len(), 1);
    assert_eq!(sessions[0]["turns"], processes * turns);
    world.run(&["audit", "verify"]).exits(0);
}
