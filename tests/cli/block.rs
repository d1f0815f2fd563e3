//! Structured memory blocks: ADR-001's record, its questions, and who may do what.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread::scope;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::world::{Ran, World, has_tool, say, skip};

/// ADR-001's own example.
const EXAMPLE: &str = include_str!("../fixtures/block.yaml");

impl World {
    /// Keeps a block of a key and answers its id.
    #[track_caller]
    fn keep(&self, key: &str, value: &str, more: &[&str]) -> String {
        self.add(key, value, more).exits(0).out.trim().to_owned()
    }

    /// Adds a project's state.
    fn add(&self, key: &str, value: &str, more: &[&str]) -> Ran {
        let args = ["block", "add", "--type", "project_state", "--category", "project", "--key", key, "--value", value];
        self.run(&[&args[..], more].concat())
    }

    /// A block's record, not counted.
    #[track_caller]
    fn block(&self, id: &str) -> Value {
        self.json(&["block", "get", id, "--peek"])
    }

    /// The values of a list.
    #[track_caller]
    fn values(&self, args: &[&str]) -> Vec<String> {
        let listed = self.json(&[&["block", "list"], args].concat());
        listed["blocks"].as_array().unwrap().iter().map(|block| block["value"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn the_decision_records_example_goes_in_and_comes_out_to_the_letter() {
    let decided = EXAMPLE.lines().map(|line| line.split(" | ").next().unwrap()).collect::<Vec<_>>().join("\n") + "\n";
    for (command, input) in [("add", EXAMPLE), ("import", EXAMPLE), ("add", &decided), ("import", &decided)] {
        let world = World::new();
        let answer = world.run_with(&["block", command, "--json"], input).exits(0).json();
        let id = answer["id"].as_str().unwrap();
        let shown = world.run(&["block", "get", id, "--format", "yaml", "--peek"]).exits(0).out;
        assert_eq!(shown, decided.replace("\"uuid\"", &format!("\"{id}\"")), "{command}");
        // And in again, elsewhere.
        let other = World::new();
        other.run_with(&["block", "import"], &shown).exits(0);
        assert_eq!(other.run(&["block", "get", id, "--format", "yaml", "--peek"]).exits(0).out, shown);
    }
}

#[test]
fn what_is_bad_is_named_with_what_is_allowed_and_nothing_is_written() {
    let world = World::new();
    let good = json!({"type": "procedural", "category": "skill", "key": "k", "value": "v"});
    for (field, value, allowed) in [
        ("type", json!("x"), "user_preference, project_state, learned_pattern, entity_relationship, procedural"),
        ("category", json!("x"), "formatting, workflow, tech_stack, contact, project, skill"),
        ("confidence", json!(7), "a number from 0 to 1"),
        ("created_at", json!("gestern"), "RFC 3339"),
        ("status", json!("true"), "user_stated, inferred, verified"),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        // All or nothing: the good one before it is not kept either.
        let error = world.run_with(&["block", "add", "--json"], format!("{good}\n{bad}\n")).exits(4).error();
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(field) && message.contains(allowed) && message.contains("line 2"), "{message}");
    }
    for (flag, value) in [
        ("--type", "x"),
        ("--category", "x"),
        ("--confidence", "1.5"),
        ("--created-at", "gestern"),
        ("--status", "rejected"),
    ] {
        let args = ["block", "add", "--type", "procedural", "--category", "skill", "--key", "k", "--value", "v"];
        let mut args: Vec<&str> = args.to_vec();
        match args.iter().position(|arg| *arg == flag) {
            Some(at) => args[at + 1] = value,
            None => args.extend([flag, value]),
        }
        world.run(&args).exits(2);
    }
    for input in ["", "{", "[1]", "memory_block: x", "{\"type\":1}"] {
        world.run_with(&["block", "add"], input).exits(4);
    }
    assert!(!world.root().join("blocks.db").exists());
    assert!(world.audit().iter().all(|entry| entry["op"] == "block.add" && entry["outcome"] == "refused"));
}

#[test]
fn nothing_unmasked_is_kept_and_nothing_but_placeholders_is_refused() {
    let world = World::new();
    let mail = ["a.meier", "@", "kunde-nord.de"].concat();
    let record = json!({
        "type": "entity_relationship", "category": "contact", "key": "ansprechpartner",
        "value": format!("Anna Meier, {mail}"), "entities": ["Vento", "Anna Meier"],
        "source": format!("mail von {mail}"), "notiz": {"von": "Anna Meier"},
    });
    world.run_with(&["block", "add"], record.to_string()).exits(4);
    let mut record = record;
    record["value"] = json!(format!("Fragen an Anna Meier, {mail}"));
    let answer = world.run_with(&["block", "add", "--json"], record.to_string()).exits(0).json();
    assert_eq!(answer["masked"]["NAME"], 3);
    let kept = world.block("ansprechpartner");
    assert_eq!(kept["value"], "Fragen an [NAME], [EMAIL]");
    assert_eq!((&kept["entities"], &kept["notiz"]), (&json!(["Vento", "[NAME]"]), &json!({"von": "[NAME]"})));
    for (path, bytes) in world.files("memory") {
        for secret in ["Meier", "meier"] {
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{secret} in {}", path.display());
        }
    }
    // A placeholder is nobody: it links no two blocks.
    world.error(&["block", "about", "[NAME]"], 5);
}

#[test]
fn only_a_human_verifies_and_undo_takes_it_back() {
    let mut world = World::new();
    world.configure("[[agent]]\nname = \"carlo\"\nuser = \"nobody-here\"\n");
    let warned = world.add("stand", "90 %", &["--status", "verified", "--entity", "Vento", "--json"]);
    let answer = warned.exits(0).json();
    assert!(answer["warnings"][0].as_str().unwrap().contains("only a human verifies"), "{answer}");
    let id = answer["id"].as_str().unwrap();
    assert_eq!(world.block(id)["status"], "inferred");
    let review = world.json(&["block", "propose", id, "--agent", "carlo"])["review_id"].as_str().unwrap().to_owned();
    assert_eq!(world.json(&["block", "propose", id])["already"], true);
    assert_eq!(world.review(&review)["kind"], "block");
    world.run(&["review", "approve", &review, "--yes"]).exits(4);
    assert_eq!(world.block(id)["status"], "inferred");
    world.at("2026-05-21T15:00:00Z");
    world.run(&["review", "approve", &review, "--yes", "--evidence", "commit 4f2a91c"]).exits(0);
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let block = world.block(id);
    let told = ["status", "confirmed_by", "confirmed_at", "evidence", "review_id"].map(|field| block[field].clone());
    assert_eq!(
        told,
        [json!("verified"), json!(user.trim()), json!(world.now()), json!("commit 4f2a91c"), json!(review)]
    );
    assert_eq!(world.json(&["review", "remind"])["approved"], json!([]), "a verified block is in its place");
    // What is verified stays so when an agent says it again.
    assert_eq!(world.keep("stand", "90 %", &["--entity", "vento", "--status", "inferred"]), id);
    assert_eq!(world.block(id)["status"], "verified");
    world.error(&["block", "propose", id], 4);
    world.run(&["review", "undo", &review]).exits(0);
    let block = world.block(id);
    assert_eq!((&block["status"], &block["confirmed_by"]), (&json!("inferred"), &Value::Null));
    world.run(&["review", "reject", &review, "--reason", "stimmt nicht"]).exits(0);
    assert_eq!(world.block(id)["status"], "rejected");
    assert_eq!(world.values(&[]), [""; 0]);
    assert_eq!(world.values(&["--status", "rejected"]), ["90 %"]);
    let again = world.add("stand", "90 %", &["--entity", "Vento", "--json"]).exits(0).json();
    assert_eq!((&again["outcome"], &again["id"]), (&json!("rejected"), &json!(id)));
    world.run(&["review", "undo", &review]).exits(0);
    assert_eq!(world.values(&[]), ["90 %"]);
    world.run(&["audit", "verify"]).exits(0);
}

#[test]
fn a_review_says_nothing_about_a_block_that_says_something_else() {
    let world = World::new();
    let id = world.keep("stand", "90 %", &[]);
    let review = world.json(&["block", "propose", &id])["review_id"].as_str().unwrap().to_owned();
    world.run(&["review", "edit", &review, "--fact", "stand: 99 %"]).exits(0);
    let error = world.error(&["review", "approve", &review, "--yes", "--evidence", "commit 1"], 4);
    assert_eq!(error["code"], "block_differs");
    let other = world.keep("budget", "offen", &[]);
    let review = world.json(&["block", "propose", &other])["review_id"].as_str().unwrap().to_owned();
    world.run(&["block", "forget", &other]).exits(0);
    let error = world.error(&["review", "approve", &review, "--yes", "--evidence", "commit 1"], 4);
    assert_eq!(error["code"], "block_gone");
    world.run(&["review", "reject", &review, "--reason", "vergessen"]).exits(0);
}

#[test]
fn an_agents_user_confirms_and_forgets_nothing() {
    let world = World::new();
    let id = world.keep("stand", "90 %", &["--status", "inferred"]);
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    world.configure(&format!("[[agent]]\nname = \"carlo\"\nuser = \"{}\"\n", user.trim()));
    let before = world.run(&["block", "export"]).out;
    for args in [["block", "confirm", &id], ["block", "forget", &id]] {
        assert_eq!(world.error(&args, 4)["code"], "agent_decides");
        assert_eq!(world.audit().pop().unwrap()["outcome"], "refused");
    }
    // What it brings along as verified or confirmed is neither.
    let mine = before.replace("inferred", "verified").replace("\"confirmed_by\":null", "\"confirmed_by\":\"flo\"");
    let mine = mine.replace("90 %", "91 %").replace(&id, "0d5c3f5e-6f1a-4c57-9d0b-0000000000a1");
    world.run_with(&["block", "import"], mine).exits(0);
    let block = world.block("0d5c3f5e");
    assert_eq!((&block["status"], &block["confirmed_by"]), (&json!("inferred"), &Value::Null));
    world.configure("");
    world.run(&["block", "confirm", "0d5c3f5e"]).exits(0);
    let block = world.block("0d5c3f5e");
    assert_eq!((&block["status"], &block["confirmed_by"]), (&json!("user_stated"), &json!(user.trim())));
}

#[test]
fn each_question_of_the_decision_record_is_one_command() {
    let mut world = World::new();
    world.at("2026-05-01T12:00:00Z");
    world.keep("stand", "50 %", &["--entity", "waldseilgarten-crm", "--confidence", "0.6"]);
    world.run_with(&["block", "add"], EXAMPLE).exits(0);
    world.at("2026-05-20T12:00:00Z");
    world.keep("stand", "90 %", &["--entity", "Waldseilgarten CRM", "--confidence", "0.9"]);
    world.keep("host", "vps-02", &["--entity", "Waldseilgarten_CRM", "--entity", "vps-02"]);
    assert_eq!(world.values(&["--type", "user_preference"]), ["compact with │ separators"]);
    assert_eq!(world.values(&["--as-of", "2026-05-10", "--type", "project_state"]), ["50 %"]);
    assert_eq!(world.values(&["--min-confidence", "0.95", "--sort", "key"]), ["vps-02", "compact with │ separators"]);
    assert_eq!(world.values(&["--entity", "vps-02"]), ["vps-02"]);
    let about = world.json(&["block", "about", "WALDSEILGARTEN CRM", "--peek"]);
    assert_eq!(about["entity"], "waldseilgarten-crm");
    let types: Vec<&String> = about["types"].as_object().unwrap().keys().collect();
    assert_eq!(types, ["user_preference", "project_state"]);
    assert_eq!(about["types"]["project_state"].as_array().unwrap().len(), 2);
    let beside: BTreeSet<&str> =
        about["linked_entities"].as_array().unwrap().iter().map(|entity| entity["name"].as_str().unwrap()).collect();
    assert_eq!(beside, ["Flo", "vps-02"].into());
    let latest = world.json(&["block", "latest", "--entity", "waldseilgarten-crm", "--key", "stand"]);
    assert_eq!(latest["blocks"][0]["value"], "90 %");
    world.error(&["block", "latest", "--entity", "nobody"], 5);
    let history = world.json(&["block", "history", "stand"]);
    let values: Vec<_> = history["blocks"].as_array().unwrap().iter().map(|b| b["value"].clone()).collect();
    assert_eq!(values, [json!("50 %"), json!("90 %")]);
    assert_eq!(history["blocks"][0]["valid_to"], history["blocks"][1]["valid_from"]);
    let error = world.error(&["block", "about", "waldseilgarten-crn"], 5);
    assert!(error["hints"][0].as_str().unwrap().contains("waldseilgarten-crm"), "{error}");
}

#[test]
fn readings_are_counted_unless_they_peek() {
    let world = World::new();
    let id = world.keep("stand", "90 %", &["--entity", "Vento"]);
    world.run(&["block", "get", &id[..6]]).exits(0);
    world.run(&["block", "about", "vento"]).exits(0);
    world.run(&["block", "get", "stand", "--peek"]).exits(0);
    world.run(&["block", "about", "vento", "--peek"]).exits(0);
    world.run(&["block", "list"]).exits(0);
    let block = world.block(&id);
    assert_eq!((&block["access_count"], &block["last_accessed"]), (&json!(2), &json!(world.now())));
}

#[test]
fn an_export_read_in_elsewhere_exports_the_same() {
    let mut world = World::new();
    world.at("2026-05-01T12:00:00Z");
    world.keep("stand", "50 %", &["--entity", "Vento"]);
    world.run_with(&["block", "add"], EXAMPLE).exits(0);
    let mut odd = json!({"type": "procedural", "category": "skill", "key": "k", "value": "v", "status": "inferred"});
    odd["zeta"] = serde_json::from_str("1.50").unwrap();
    odd["alpha"] = json!([null, {"b": "ü"}]);
    world.run_with(&["block", "add"], odd.to_string()).exits(0);
    world.at("2026-05-20T12:00:00Z");
    world.keep("stand", "90 %", &["--entity", "Vento"]);
    world.run(&["block", "get", "table_style"]).exits(0);
    let exported = world.run(&["block", "export"]).exits(0).out;
    assert_eq!(exported.lines().count(), 4);
    assert!(exported.contains(r#""zeta":1.5"#) && exported.contains(r#""alpha":[null,{"b":"ü"}]"#), "{exported}");
    let other = World::new();
    let said = other.run_with(&["block", "import"], &exported).exits(0);
    assert_eq!(other.run(&["block", "export"]).exits(0).out, exported, "{said}");
    let before = other.audit().len();
    let said = other.run_with(&["block", "import"], &exported).exits(0);
    assert!(said.out.contains("4 repeated"), "{said}");
    assert_eq!((other.run(&["block", "export"]).out, other.audit().len()), (exported, before));
}

#[test]
fn what_is_forgotten_is_in_no_file_any_more() {
    let world = World::new();
    world.keep("stand", "Zwiebelkuchen", &["--entity", "Apfelstrudel"]);
    let id = world.keep("stand", "Pflaumenmus", &["--entity", "Apfelstrudel"]);
    let dry = world.json(&["block", "forget", &id, "--dry-run"]);
    assert_eq!(dry["counts"]["forget"], 2);
    assert_eq!(world.json(&["block", "forget", &id])["values"], 2);
    world.error(&["block", "get", &id], 5);
    for (path, bytes) in world.files("memory") {
        for word in ["Zwiebelkuchen", "Pflaumenmus", "Apfelstrudel"] {
            let found = bytes.windows(word.len()).any(|part| part == word.as_bytes());
            assert!(!found, "{word} in {}", path.display());
        }
    }
    let entry = world.audit().pop().unwrap();
    assert_eq!((&entry["op"], &entry["target"]), (&json!("block.forget"), &json!(id)));
}

#[test]
fn a_foreign_or_damaged_database_is_refused_and_the_rest_goes_on() {
    let world = World::new();
    let path = world.root().join("blocks.db");
    std::fs::write(
        &path,
        "this is no database, and longer than a header has to be, so that it is read as one at all........",
    )
    .unwrap();
    let before = std::fs::read(&path).unwrap();
    for args in [&["block", "list"][..], &["block", "get", "abc"], &["block", "stats"], &["block", "export"]] {
        let error = world.error(args, 6);
        assert!(error["message"].as_str().unwrap().contains(path.to_str().unwrap()), "{error}");
    }
    world.run_with(&["block", "add"], EXAMPLE).exits(6);
    world.append("carlo", &crate::world::turn());
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // Torn in the middle.
    std::fs::remove_file(&path).unwrap();
    for nth in 0..200 {
        world.keep(&format!("k{nth}"), &"lang ".repeat(100), &[]);
    }
    let mut bytes = std::fs::read(&path).unwrap();
    for byte in &mut bytes[8192..] {
        *byte = 0x5a;
    }
    std::fs::write(&path, bytes).unwrap();
    let error = world.error(&["block", "list"], 6);
    assert!(error["message"].as_str().unwrap().contains("blocks.db"), "{error}");
    world.append("carlo", &crate::world::turn());
    // A link leads nowhere.
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", &path).unwrap();
    world.error(&["block", "list"], 6);
}

#[test]
fn hostile_input_is_refused_soon_and_in_few_words() {
    let world = World::new();
    for (input, _) in crate::hostile::no_documents().iter().take(20) {
        for args in [&["block", "add"][..], &["block", "import"]] {
            let ran = crate::hostile::run(&world, args, input);
            assert_eq!(ran.code, Some(4), "{ran}");
        }
    }
    let laughs = "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n";
    for input in [laughs, "a: [", "%YAML 9", "memory_block:\n\tx: 1", "? [a]\n: b", "--- |\n text\n"] {
        crate::hostile::run(&world, &["block", "add"], input.as_bytes()).exits(4);
    }
    // A long value is kept whole; a long key is not.
    let long = "lang ".repeat(400_000);
    let mut record = json!({"type": "procedural", "category": "skill", "key": "k", "value": long});
    world.run_with(&["block", "add"], record.to_string()).exits(0);
    assert_eq!(world.block("k")["value"], record["value"]);
    record["key"] = record["value"].clone();
    crate::hostile::run(&world, &["block", "add"], record.to_string().as_bytes()).exits(4);
    for id in ["../../etc/passwd", "%", "_", "", " ", "' OR 1=1 --"] {
        crate::hostile::run(&world, &["block", "get", id], b"").exits(5);
        crate::hostile::run(&world, &["block", "about", id], b"").exits(5);
        crate::hostile::run(&world, &["block", "list", "--entity", id], b"").exits(0);
    }
}

#[test]
fn the_database_has_the_trees_rights_and_others_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    world.keep("stand", "90 %", &[]);
    for file in ["blocks.db", "blocks.db-wal", "blocks.db-shm"] {
        let mode = std::fs::metadata(world.root().join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{file}");
    }
}

#[test]
fn a_scan_finds_and_masks_what_others_have_put_into_the_database() {
    if crate::world::without("sqlite3") {
        return;
    }
    let world = World::new();
    let id = world.keep("stand", "90 %", &["--entity", "Vento"]);
    let sql = "UPDATE blocks SET value = 'Anna Meier sagt 90 %', entities = '[\"Vento\",\"Anna Meier\"]';
        INSERT INTO entities VALUES (9, 'Anna Meier'); INSERT INTO aliases VALUES ('anna-meier', 'Anna Meier', 9);
        INSERT INTO links SELECT 9, type, updated_at, block FROM blocks;";
    let done = std::process::Command::new("sqlite3").arg(world.root().join("blocks.db")).arg(sql).status().unwrap();
    assert!(done.success());
    let found = world.run(&["mask", "scan", "--json"]).exits(4).json();
    assert_eq!(found["findings"][0]["path"], format!("blocks.db:{id}"));
    assert_eq!(found["by_kind"]["NAME"], 2);
    world.run(&["mask", "scan", "--fix"]).exits(0);
    world.run(&["mask", "scan"]).exits(0);
    assert_eq!(world.block(&id)["value"], "[NAME] sagt 90 %");
    world.error(&["block", "about", "Anna Meier"], 5);
    for (path, bytes) in world.files("memory") {
        assert!(!bytes.windows(5).any(|part| part == b"Meier"), "{}", path.display());
    }
}

/// How many processes run at once.
const PROCESSES: usize = 32;
/// How long they do.
const TIME: Duration = Duration::from_secs(6);

#[test]
fn many_processes_add_read_and_list_and_nothing_is_lost() {
    let world = World::new();
    world.keep("stand", "0", &["--entity", "Vento"]);
    let acknowledged = Mutex::new(Vec::new());
    let longest = Mutex::new(Duration::ZERO);
    let end = Instant::now() + TIME;
    scope(|scope| {
        for process in 0..PROCESSES {
            let (world, acknowledged, longest) = (&world, &acknowledged, &longest);
            scope.spawn(move || {
                let mut nth = 0;
                while nth < 2 || Instant::now() < end {
                    let value = format!("p{process}n{nth}");
                    let start = Instant::now();
                    match process % 4 {
                        0 | 1 => {
                            let id = world.keep(&value, &value, &["--entity", "Vento"]);
                            acknowledged.lock().unwrap().push((id, value));
                        }
                        2 => drop(world.run(&["block", "get", "stand"]).exits(0)),
                        _ => drop(world.run(&["block", "about", "vento", "--type", "project_state"]).exits(0)),
                    }
                    let mut longest = longest.lock().unwrap();
                    *longest = (*longest).max(start.elapsed());
                    nth += 1;
                }
            });
        }
    });
    let acknowledged = acknowledged.into_inner().unwrap();
    let listed = world.json(&["block", "list"]);
    let kept: BTreeSet<(String, String)> = listed["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| (block["id"].as_str().unwrap().to_owned(), block["value"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(kept.len(), acknowledged.len() + 1);
    for block in &acknowledged {
        assert!(kept.contains(block), "{block:?} was acknowledged and is lost");
    }
    world.run(&["audit", "verify"]).exits(0);
    assert_eq!(world.audit().len(), acknowledged.len() + 1);
    say(&format!(
        "{PROCESSES} processes, {} acknowledged blocks, 0 lost, the longest wait {:?}",
        acknowledged.len(),
        longest.into_inner().unwrap()
    ));
}

#[test]
fn a_search_finds_other_words_for_the_same_and_says_why() {
    let world = World::demo();
    let found = |args: &[&str]| -> Vec<String> {
        let told = world.json(&[&["block", "search", "--peek"], args].concat());
        told["blocks"].as_array().unwrap().iter().map(|block| block["key"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(found(&["Tabellen"]).first().unwrap(), "table_style");
    assert_eq!(found(&["Webhooks nach Neustarts"]).first().unwrap(), "n8n");
    assert_eq!(found(&["Webhooks", "--type", "user_preference"]), [""; 0]);
    assert_eq!(found(&["style", "--entity", "flo"]).first().unwrap(), "table_style");
    assert_eq!(found(&["--limit", "1", "server kalender"]).len(), 1);
    let why = world.run(&["block", "search", "Tabellen", "--explain", "--peek"]).exits(0);
    assert!(
        why.out.contains("found by") && why.out.contains("by meaning (tabl") && why.out.contains("recency"),
        "{why}"
    );
    let told = world.json(&["block", "search", "Tabellen"]);
    assert_eq!(told["blocks"][0]["match"]["words"][0]["how"], "meaning");
    // A search that was not a peek counts as a reading.
    let count =
        |world: &World| world.json(&["block", "get", "table_style", "--peek"])["access_count"].as_u64().unwrap();
    let before = count(&world);
    world.run(&["block", "search", "Tabellen"]).exits(0);
    assert_eq!(count(&world), before + 1);
    for nothing in ["", " ", "!?", "🦀"] {
        assert!(world.run(&["block", "search", nothing]).exits(0).err.contains("no blocks"));
    }
    let hostile = "a'\"*() OR NEAR ".repeat(1000);
    world.run(&["block", "search", &hostile]).exits(0);
}

#[test]
fn what_is_forgotten_is_found_no_more_and_a_database_of_before_gets_its_index() {
    let world = World::demo();
    world.run(&["block", "forget", "table_style"]).exits(0);
    assert_eq!(world.json(&["block", "search", "compact separators"])["blocks"], json!([]));
    if !has_tool("sqlite3") {
        return skip("no sqlite3");
    }
    let faults = "SELECT count(*) FROM terms WHERE text LIKE 'separat%'";
    let ask = |sql: &str| {
        let ran = world.shell(&format!("sqlite3 memory/blocks.db \"{sql}\"")).output().unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    assert_eq!(ask(faults), "0\n");
    ask("DROP TABLE terms; DROP TABLE postings; DROP TABLE grams; DROP TABLE run_touched; DROP TABLE run_entries;
         DROP TABLE run_sources; DROP TABLE runs; PRAGMA user_version = 1");
    let found = world.json(&["block", "search", "Webhooks"]);
    assert_eq!(found["blocks"][0]["key"], "n8n");
    assert_eq!(ask("PRAGMA user_version"), "3\n");
    world.run(&["doctor"]).exits(0);
}
