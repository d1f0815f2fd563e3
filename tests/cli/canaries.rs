//! Law 2: nothing unmasked reaches a disk, nor a terminal, a pipe or a log by way of an answer or an error.
//!
//! One canary for each kind of personal data and credential goes into every place where text comes in. It is put together
//! when the test runs, so that no scanner takes this file for a leak.

use std::io::Read;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::world::{Ran, World, finish, has_tool, skip, turn};

/// Text that must not stay: what it is put in as, its kind's placeholder, and the part to look for.
struct Canary {
    text: String,
    placeholder: &'static str,
    needle: String,
    /// Whether it is masked within a path too, which is protected from every kind but these.
    in_paths: bool,
}

fn canaries() -> Vec<Canary> {
    let canary = |parts: &[&str], placeholder, needle: &[&str]| Canary {
        text: parts.concat(),
        placeholder,
        needle: needle.concat().to_lowercase(),
        in_paths: matches!(placeholder, "[NAME]" | "[CREDENTIAL]"),
    };
    let token = ["gh", "p_", "x7Qd2LmVt9", "Rk4WbYs8Hn", "3ZcJf6PgUa", "5TeK1o"];
    vec![
        canary(&["Annegret", " Sonn", "leitner"], "[NAME]", &["sonn", "leitner"]),
        canary(&["+49 171 ", "23", "45678"], "[PHONE]", &["23", "45678"]),
        canary(&["a.sonntag", "@", "kunde-nord.de"], "[EMAIL]", &["a.sonntag", "@"]),
        canary(&["Linden", "straße 17, 80331 ", "München"], "[ADDRESS]", &["lindenstraße", " 17"]),
        canary(&["48.13", "743, 11.57", "549"], "[COORDINATES]", &["13743, ", "11.57"]),
        canary(&["DE89 3704 ", "0044 0532 ", "0130 00"], "[IBAN]", &["0044 ", "0532"]),
        canary(&["4111 1111", " 1111 1111"], "[CARD]", &["4111", " 1111"]),
        canary(&["Buchung ", "48", "11-2277"], "[BOOKING]", &["48", "11-2277"]),
        canary(&token, "[CREDENTIAL]", &[token[2], token[3]]),
        canary(&["pass", "word=", "Tr0ub4dor", "&3x9"], "[CREDENTIAL]", &["tr0ub4", "dor"]),
        canary(&["https://bot:", "k9Xw2Lq8", "@git.example/repo"], "[CREDENTIAL]", &["k9xw2", "lq8"]),
    ]
}

/// A world that has had visitors: an open session with a task, and reviews in every state.
fn world() -> World {
    let mut world = World::new();
    for (fact, hour) in
        [("Vento nutzt Port 8645", 8), ("Vento nutzt n8n", 9), ("Vento nutzt FastAPI", 10), ("Vento nutzt Redis", 11)]
    {
        world.at(&format!("2026-05-21T{hour:02}:00:00Z")).propose(fact, &[]);
    }
    world.at("2026-05-21T14:30:00Z");
    world.run(&["review", "approve", "port-8645", "--evidence", "commit 4f2a91c", "--yes"]).exits(0);
    let mut turn = turn();
    turn["pending_tasks"] = json!(["Ports prüfen"]);
    world.append("carlo", &turn);
    world
}

/// A turn with this text in every field that holds free text.
fn full_turn(text: &str) -> Value {
    json!({
        "user_input_summary": format!("User fragt nach {text}"),
        "user_input": format!("Was ist mit {text} los?"),
        "retrieval_meta": {
            "query": format!("Stand zu {text}"), "project": text, "obsidian_sources": 1, "graphiti_facts": 10,
            "confidence": "low", "source_paths": [format!("Notiz {text}")]
        },
        "conversation_summary": format!("Es geht um {text}."),
        "pending_tasks": [format!("Rückruf wegen {text}")],
        "decisions": [
            format!("Wir nehmen {text}"),
            {"text": format!("Es bleibt bei {text}"), "consequence": format!("Dann gilt {text}"), "decided_on": "2026-05-21"}
        ],
        "proposed_facts": [
            {"fact": format!("Vento kennt {text} seit Montag"), "status": "user_stated", "proposed_obsidian_page": "03-Projekte/LP-VENTO.md",
             "proposed_change": format!("Kontakt: {text}"), "requires": format!("Nachweis von {text}"), "project": text},
            {"fact": text, "status": "inferred"}
        ],
        "request_id": format!("anfrage {text}")
    })
}

/// Everything that takes text, with the text in it: the arguments and standard input. What is refused has to be silent too.
fn inputs(text: &str) -> Vec<(Vec<String>, String)> {
    let append = "session append --agent carlo";
    let with = |args: &str, more: &[&str], input: Value| {
        let args = args.split(' ').map(str::to_owned).chain(more.iter().map(|arg| (*arg).to_owned())).collect();
        (args, if input.is_null() { String::new() } else { input.to_string() })
    };
    let told = format!("laut {text}");
    let mut refused = turn();
    refused[text] = json!(told);
    refused["retrieval_meta"][text] = json!(told);
    refused["messages"] = json!([told]);
    refused["proposed_facts"] =
        json!([{"fact": told, "status": text, "confidence": told, "proposed_obsidian_page": format!("/{told}")}]);
    refused["decisions"] = json!([{"text": told, "decided_on": told}]);
    let mut too_long = turn();
    too_long["conversation_summary"] = json!(told.repeat(200));
    let mut inputs = vec![
        with(append, &[], full_turn(text)),
        with(append, &["--json", "--new"], full_turn(text)),
        with(append, &["--json"], refused),
        with(append, &[], too_long),
        with(append, &["--session", text], turn()),
        with(append, &["--complete-task", &told], turn()),
        with(append, &["--file", &told], Value::Null),
        with("session append --agent", &[text], turn()),
        (vec!["session".into(), "append".into(), "--agent".into(), "carlo".into()], format!("{{\"{text}\": {told}")),
        with("session lookup --agent carlo --query", &[&told], Value::Null),
        with(
            "review create --agent carlo --fact",
            &[&told, "--project", text, "--change", &told, "--requires", &told],
            Value::Null,
        ),
        with("review create --fact", &[&told, "--json", "--kind", "decision", "--consequence", &told], Value::Null),
        with("review create --fact", &[text], Value::Null),
        with("review create --fact x --decided-on", &[&told], Value::Null),
        with("review create --fact x --confidence", &[&told], Value::Null),
        with("review create --agent carlo --file -", &[], full_turn(text)["proposed_facts"][0].clone()),
        with("review create --agent carlo --file -", &[], json!({text: told})),
        with("review approve fastapi --yes --evidence", &[&told, "--resolve", &told], Value::Null),
        with("review approve redis --yes --evidence", &[text], Value::Null),
        with("review reject n8n --reason", &[&told], Value::Null),
        with(
            "review edit redis --fact",
            &[&format!("Vento nutzt {text}"), "--change", &told, "--requires", &told],
            Value::Null,
        ),
        with("review edit redis --page", &[&format!("../{told}")], Value::Null),
        with("review edit redis --fact", &[&told.repeat(60)], Value::Null),
        with("review approve redis --yes --reviewer", &[text, "--evidence", &told], Value::Null),
        (
            vec!["review".into(), "batch".into(), "--yes".into(), "--apply".into(), "-".into()],
            format!("reject {text}\n{told}\n"),
        ),
        (
            vec!["review".into(), "batch".into(), "--yes".into(), "--apply".into(), "-".into()],
            format!("reject redis {told}\n"),
        ),
        with("review approve --yes --evidence x --json", &[text, "x"], Value::Null),
        with("review reject --reason x --json", &[text, &told], Value::Null),
        with("review list --status", &[text], Value::Null),
        with("review list --search", &[&told, "--project", text, "--page", text], Value::Null),
        with("review list --older-than", &[&told], Value::Null),
        with("review pending --since", &[&told], Value::Null),
        with("audit show --actor", &[text, "--op", &told, "--target", &told], Value::Null),
        with("audit verify --expect", &[text], Value::Null),
        with("status --now", &[&told], Value::Null),
        with("completions", &[text], Value::Null),
        with(text, &[], Value::Null),
        with("status", &[text], Value::Null),
        (vec!["mask".into()], told.clone()),
        (vec!["mask".into(), "--check".into()], told.clone()),
        with("mask --json", &[], Value::Null),
    ];
    for command in [
        "session show",
        "session close",
        "session context",
        "review show",
        "review approve",
        "review reject",
        "review edit",
        "review transferred",
        "review undo",
    ] {
        inputs.push(with(command, &[text], Value::Null));
        inputs.push(with(command, &[text, "--json"], Value::Null));
    }
    inputs
}

/// What else takes text: memory blocks, extraction, the vault, backups, and what looks after the tree. Erasing comes last.
fn further_inputs(text: &str) -> Vec<(Vec<String>, String)> {
    let told = format!("laut {text}");
    let block = json!({
        "type": "project_state", "category": "project", "key": format!("stand {text}"), "value": told, "source": told,
        "confidence": 0.9, "entities": ["vento", text], "status": "user_stated"
    });
    let bad_block =
        json!({"type": text, "category": told, "key": told, "confidence": told, "status": text, text: told});
    let kept = format!("Ich mag lieber {text}. Das CRM ist fertig, {told}. Wir haben entschieden, {text} zu nehmen.");
    let turns = format!("{}\n{}\n", json!({"role": "user", "text": kept}), json!({"role": text, "text": told}));
    let mut inputs: Vec<(Vec<String>, String)> = Vec::new();
    let mut with = |command: &str, texts: &[&str], input: &str| {
        for json in [&[][..], &["--json"]] {
            let words = command.split(' ').chain(texts.iter().copied()).chain(json.iter().copied());
            inputs.push((words.map(str::to_owned).collect(), input.to_owned()));
        }
    };
    with("block add", &[], &block.to_string());
    with("block add", &[], &bad_block.to_string());
    with("block add", &[], &told);
    with("block add --file", &[&told], "");
    with("block add --type project_state --category project --key stand --value", &[&told, "--source", text], "");
    with("block add --type tool_pattern --category tool --value x --key", &[text, "--entity", &told], "");
    with("block add --value x --category tool --key k --type", &[text], "");
    with("block add --type project_state --category project --key k --value x --status", &[text], "");
    with("block add --type project_state --category project --key k --value x --confidence", &[&told], "");
    with("block import", &[], &format!("{block}\n{bad_block}\n"));
    with("block import", &[&told], "");
    for read in ["get", "history", "about", "search", "search --explain", "confirm", "propose", "forget --yes"] {
        with(&format!("block {read}"), &[text], "");
    }
    with("block list --entity", &[text, "--key", &told], "");
    with("block list --since", &[&told], "");
    with("block latest --entity", &[text], "");
    for read in ["list", "export", "stats", "get stand", "history stand", "get stand --format yaml"] {
        with(&format!("block {read}"), &[], "");
    }
    with("extract", &[], &kept);
    with("extract --apply --agent carlo", &[], &kept);
    with("extract --apply --agent carlo", &[], &turns);
    with("extract", &[&told], "");
    with("extract --session", &[text], "");
    with("extract --min-confidence", &[&told], "");
    with("vault check", &[&told, "--page", text, "--project", text], "");
    with("vault search", &[&told, "--limit", text], "");
    with("mask scan", &[], "");
    with("config show", &[], "");
    with("retention plan", &[], "");
    with("retention run", &[], "");
    with("retention policy", &[], "");
    with("retention run --now", &[&told], "");
    with("backup run", &[], "");
    with("backup list", &[], "");
    with("backup verify --secret-key backup.key", &[], "");
    with("backup verify", &[text, "--secret-key", "backup.key"], "");
    with("backup restore latest --to restored --secret-key backup.key", &["--only", text], "");
    with("backup restore latest --to unpacked --secret-key backup.key", &[], "");
    with("backup restore", &[text, "--to", "elsewhere", "--secret-key", "backup.key"], "");
    with("doctor", &[], "");
    with("doctor --repair", &[], "");
    with("audit verify", &[], "");
    with("audit show", &[], "");
    for what in ["match", "entity", "session"] {
        with(&format!("erase --dry-run --{what}"), &[text], "");
        with(&format!("erase --yes --{what}"), &[text], "");
    }
    inputs
}

#[track_caller]
fn is_silent(canary: &Canary, ran: &Ran, args: &[String]) {
    for (name, text) in [("stdout", &ran.out), ("stderr", &ran.err)] {
        assert!(!text.to_lowercase().contains(&canary.needle), "{} in {name} of {args:?}:\n{ran}", canary.placeholder);
    }
}

/// That the canary stands in no file and no file name of the tree, and in what was made beside it.
#[track_caller]
fn is_nowhere(canary: &Canary, world: &World) {
    for entry in walkdir::WalkDir::new(world.dir()).into_iter().map(Result::unwrap) {
        let path = entry.path().strip_prefix(world.dir()).unwrap().to_string_lossy().to_lowercase();
        assert!(!path.contains(&canary.needle), "{} in the name {path}", canary.placeholder);
        if entry.file_type().is_file() {
            let mut bytes = std::fs::read(entry.path()).unwrap();
            if entry.path().extension().is_some_and(|end| end == "gz") {
                let packed = std::mem::take(&mut bytes);
                flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
            }
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            assert!(!text.contains(&canary.needle), "{} in {path}:\n{text}", canary.placeholder);
        }
    }
}

#[test]
fn nothing_unmasked_reaches_a_disk_or_an_answer() {
    for canary in canaries() {
        let world = world();
        world.configure("[policy]\nstore_user_input = \"masked\"\n[mask]\nallow = [\"Vento\"]\n");
        for (args, input) in inputs(&canary.text) {
            let args_given: Vec<&str> = args.iter().map(String::as_str).collect();
            is_silent(&canary, &world.run_with(&args_given, input), &args);
        }
        is_nowhere(&canary, &world);
        // The turn was taken, and what was put into it stands there masked, in every field.
        let records = world.records();
        let masked = records
            .iter()
            .map(|(_, bytes)| String::from_utf8_lossy(bytes).matches(canary.placeholder).count())
            .sum::<usize>();
        assert!(masked > 20, "{} stands only {masked} times in the tree", canary.placeholder);
    }
}

#[test]
fn nothing_unmasked_reaches_blocks_candidates_backups_or_a_report() {
    for canary in canaries() {
        let mut world = world();
        world.configure(
            "[policy]\nstore_user_input = \"masked\"\n[mask]\nallow = [\"Vento\"]\n[extract]\non_append = true\n",
        );
        world.make_backup_keys();
        world.run_with(&["session", "append", "--agent", "carlo"], full_turn(&canary.text).to_string()).exits(0);
        // Closed, moved on and packed: the first run archives what the second finds a week later.
        world.at("2026-05-23T14:30:00Z").run(&["retention", "run"]).exits(0);
        world.at("2026-05-31T14:30:00Z").run(&["retention", "run"]).exits(0);
        for (args, input) in further_inputs(&canary.text) {
            let args_given: Vec<&str> = args.iter().map(String::as_str).collect();
            is_silent(&canary, &world.run_with(&args_given, input), &args);
        }
        is_nowhere(&canary, &world);
        let blocks = world.run(&["block", "export"]).exits(0).out;
        assert!(blocks.matches(canary.placeholder).count() >= 3, "{} in {blocks}", canary.placeholder);
        let restored = world.files("unpacked");
        assert!(restored.iter().any(|(path, _)| path.starts_with("sessions/archived")), "{restored:?}");
    }
}

/// Every byte that a command hands to the system, whether the file stays or not, as strace saw it.
#[test]
fn no_write_to_any_file_holds_what_was_to_be_masked() {
    if !has_tool("strace") {
        return skip("strace is missing");
    }
    let canaries = canaries();
    let all: Vec<&str> = canaries.iter().map(|canary| canary.text.as_str()).collect();
    let all = all.join("; ");
    let world = world();
    world.configure("[policy]\nstore_user_input = \"masked\"\n");
    world.make_backup_keys();
    let mut turn = full_turn(&all);
    turn.as_object_mut().unwrap().remove("request_id");
    for (args, input) in [
        (&["session", "append", "--agent", "carlo"][..], turn.to_string()),
        (
            &["review", "create", "--agent", "carlo", "--fact", "Vento nutzt Neues", "--requires", &all][..],
            String::new(),
        ),
        (
            &["block", "add"][..],
            json!({"type": "project_state", "category": "project", "key": "stand", "value": all}).to_string(),
        ),
        (&["extract", "--apply", "--agent", "carlo"][..], format!("Ich mag lieber Tee. Der Stand: {all}.")),
        (&["backup", "run"][..], String::new()),
    ] {
        let plain = world.command(args);
        let mut traced = std::process::Command::new("strace");
        traced
            .args([
                "-f",
                "-qq",
                "-s",
                "10000000",
                "-e",
                "trace=write,writev,pwrite64,pwritev,sendto,sendmsg",
                "-o",
                "trace",
            ])
            .arg(plain.get_program())
            .args(plain.get_args())
            .current_dir(world.dir())
            .env_clear()
            .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let child = traced.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        finish(child, input.as_bytes()).exits(0);
        let trace = std::fs::read_to_string(world.dir().join("trace")).unwrap().to_lowercase();
        assert!(trace.lines().count() > 3, "{args:?}: {trace}");
        for canary in &canaries {
            assert!(
                !trace.contains(&as_strace_writes(&canary.needle)),
                "{} in a write of {args:?}",
                canary.placeholder
            );
            let stays = args[0] == "backup" || trace.contains(&canary.placeholder.to_lowercase());
            assert!(stays, "no {} in a write of {args:?}", canary.placeholder);
        }
    }
}

/// A text as it stands in a trace: what is no ASCII as octal bytes.
fn as_strace_writes(text: &str) -> String {
    text.bytes().map(|b| if b.is_ascii() { char::from(b).to_string() } else { format!("\\{b:o}") }).collect()
}

#[test]
fn an_append_masks_every_field_and_says_what_it_masked() {
    for canary in canaries() {
        let world = World::new();
        world.configure("[policy]\nstore_user_input = \"masked\"\n");
        let answer = world.append("carlo", &full_turn(&canary.text));
        let kind = canary.placeholder.trim_matches(['[', ']']);
        assert!(answer["masked"][kind].as_u64().unwrap_or(0) >= 15, "{kind}: {}", answer["masked"]);
        let warnings = answer["warnings"].to_string();
        assert_eq!(warnings.contains("credential removed (rule "), kind == "CREDENTIAL", "{warnings}");
        // Where a cue stays ("Buchung [BOOKING]") there is something left to review.
        let is_all = world.run_with(&["mask"], &canary.text).out.trim() == canary.placeholder;
        assert_eq!(warnings.contains("nothing but personal data or a credential"), is_all, "{warnings}");
        let stored = &world.json(&["session", "show", answer["session_id"].as_str().unwrap()])["turns"][0];
        for field in [
            "user_input_summary",
            "user_input",
            "retrieval_meta",
            "conversation_summary",
            "pending_tasks",
            "decisions",
            "proposed_facts",
        ] {
            assert!(stored[field].to_string().contains(canary.placeholder), "{field} {}", stored[field]);
        }
        is_nowhere(&canary, &world);
    }
}

#[test]
fn a_path_that_cant_be_read_is_masked_in_the_error() {
    for canary in canaries().iter().filter(|canary| canary.in_paths && !canary.text.contains("//")) {
        let world = World::new();
        let beside = format!("/nirgends/{}/x", canary.text);
        for args in [
            vec!["--root", &beside, "status"],
            vec!["--config", &beside, "status"],
            vec!["session", "append", "--agent", "carlo", "--file", &beside],
            vec!["review", "create", "--file", &beside],
            vec!["review", "batch", "--apply", &beside],
            vec!["review", "batch", "--export", &beside],
            vec!["mask", &beside],
        ] {
            for json in [&["--json"][..], &[]] {
                let args = [&args, json].concat();
                let ran = world.run(&args);
                assert_ne!(ran.code, Some(0), "{args:?}: {ran}");
                is_silent(canary, &ran, &args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn the_environment_and_the_configuration_are_masked_in_errors() {
    for canary in canaries() {
        let world = World::new();
        for name in ["HERMES_MEM_AGENT", "HERMES_MEM_NOW"] {
            let output = world.command(&["session", "new"]).env(name, &canary.text).output().unwrap();
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
            is_silent(&canary, &ran.exits(2), &[name.to_owned()]);
        }
        for toml in [
            format!("{} = 1", json!(canary.text)),
            format!("[review]\n{} = 1", json!(canary.text)),
            format!("[policy]\nstore_user_input = {}", json!(canary.text)),
            format!("[vault]\npath = {}", json!(canary.text)),
            format!("[[reviewer]]\nname = {}\nuser = \"x\"", json!(canary.text)),
            format!("[[agent]]\nname = {}\nuser = \"x\"", json!(canary.text)),
            format!("[tree]\ngroup = {}", json!(canary.text)),
            format!("root = {} oops", json!(canary.text)),
        ] {
            world.configure(&toml);
            is_silent(&canary, &world.run(&["config", "check"]).exits(1), std::slice::from_ref(&toml));
            is_silent(&canary, &world.run(&["session", "new", "--agent", "carlo", "--json"]).exits(1), &[toml]);
        }
    }
}

#[test]
fn a_file_put_there_by_other_hands_is_masked_when_it_is_shown_and_written_back() {
    for canary in canaries() {
        let world = World::new();
        let session = json!({
            "session_id": "SESSION-carlo-20260521-a3f7b2", "agent_id": "hermes-carlo", "last_active": "2026-05-21T14:20:00Z",
            "turns": [{"turn_id": 1, "user_input": format!("Rückruf wegen {}", canary.text)}],
            "accumulated_context": {"open_tasks": [format!("Rückruf wegen {}", canary.text)]}
        });
        world.write("memory/sessions/active/SESSION-carlo-20260521-a3f7b2.json", session.to_string());
        let review = json!({"proposed_fact": format!("Vento kennt {} seit Montag", canary.text), "created_at": "2026-05-21T14:20:00Z"});
        world.write("memory/review-queue/REVIEW-20260521-142000-x.json", review.to_string());
        for args in [
            "session show a3f7b2",
            "session show a3f7b2 --json",
            "session export a3f7b2 --format markdown",
            "session context a3f7b2",
            "review pending",
            "review pending --format csv",
            "review show 142000-x",
            "review show 142000-x --json",
            "session append --agent carlo --complete-task falsch",
            "session close a3f7b2",
            "review reject 142000-x --reason nein",
        ] {
            let args: Vec<&str> = args.split(' ').collect();
            let ran = world.run_with(&args, turn().to_string());
            is_silent(&canary, &ran, &args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        }
        is_nowhere(&canary, &world);
    }
}

#[test]
fn many_credentials_in_a_text_make_one_warning_for_each_rule() {
    let world = World::new();
    let text = ["pass", "word=Tr0ub4dor\n"].concat().repeat(40);
    let ran = world.run_with(&["mask"], text).exits(0);
    assert_eq!(ran.err.lines().count(), 1, "{ran}");
    assert!(ran.err.contains("credential removed (rule secret-assignment, 40 times)"), "{ran}");
}

/// Set in the process that is to panic.
const PANIC_WITH: &str = "HERMES_MEM_TESTS_PANIC";

/// Panics with a text in the message in a process of its own; by itself it does nothing.
#[test]
fn panics_where_it_is_told_to() {
    let Some(text) = std::env::var_os(PANIC_WITH) else { return };
    hermes_mem::cli::panic::install();
    panic!("{}", text.to_string_lossy());
}

#[test]
fn a_panic_tells_nothing_of_the_text_it_was_about() {
    for canary in canaries() {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["canaries::panics_where_it_is_told_to", "--exact", "--nocapture"])
            .env(PANIC_WITH, &canary.text)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert_ne!(ran.code, Some(0), "{ran}");
        assert!(ran.err.contains("internal error at ") && ran.err.contains("canaries.rs:"), "{ran}");
        is_silent(&canary, &ran, &[]);
    }
}

#[test]
fn a_scan_finds_and_masks_what_others_have_put_into_an_archive() {
    use std::io::Write;
    for canary in canaries() {
        let world = World::new();
        let session = json!({
            "session_id": "SESSION-carlo-20260520-91be04", "agent_id": "hermes-carlo", "last_active": "2026-05-20T14:20:00Z",
            "turns": [{"turn_id": 1, "timestamp": "2026-05-20T14:20:00Z", "conversation_summary": format!("Es geht um {}.", canary.text)}],
        });
        let folder = world.root().join("sessions/archived");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("SESSION-carlo-20260520-91be04.json.gz");
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(session.to_string().as_bytes()).unwrap();
        std::fs::write(&path, gz.finish().unwrap()).unwrap();
        let found = world.run(&["mask", "scan", "--json"]).exits(4).json();
        let kind = canary.placeholder.trim_matches(['[', ']']);
        assert_eq!(found["by_kind"][kind], 1, "{found}");
        assert_eq!(found["findings"][0]["path"], "sessions/archived/SESSION-carlo-20260520-91be04.json.gz");
        world.run(&["mask", "scan", "--fix"]).exits(0);
        world.run(&["mask", "scan"]).exits(0);
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
        assert!(text.contains(canary.placeholder) && !text.to_lowercase().contains(&canary.needle), "{text}");
    }
}
