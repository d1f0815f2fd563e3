//! Erasure on request: everything that holds it goes, and nothing else.

use serde_json::{Value, json};

use crate::screen::Screen;
use crate::world::{World, turn, turn_with};

/// Whether a text is in any file of the tree, archives unpacked, whatever its case.
fn is_anywhere(world: &World, text: &str) -> bool {
    let own = ["sessions", "review-queue", "audit", "quarantine", "blocks.db", "blocks.db-wal", ".staging"];
    world.files("memory").into_iter().filter(|(path, _)| own.iter().any(|own| path.starts_with(own))).any(
        |(path, bytes)| {
            let mut plain = Vec::new();
            let bytes = if path.extension().is_some_and(|ending| ending == "gz") {
                std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes.as_slice()), &mut plain).unwrap();
                plain
            } else {
                bytes
            };
            String::from_utf8_lossy(&bytes).to_lowercase().contains(text)
        },
    )
}

/// A world in which a word stands in a session of each state, in reviews on both shelves, in their history and in blocks.
fn world() -> World {
    let mut world = World::new();
    let say = |world: &World, agent: &str| {
        let mut said = turn_with("Der Name lautet zwiebelkuchen");
        said["pending_tasks"] = json!(["Zwiebelkuchen backen", "prüfen"]);
        said["decisions"] = json!(["Es gibt Zwiebelkuchen", "Es gibt Redis"]);
        said["user_input_summary"] = json!("Frage nach Zwiebelkuchen");
        world.append(agent, &said)
    };
    world.at("2026-05-10T10:00:00Z");
    say(&world, "carlo");
    world.run(&["retention", "run"]).exits(0);
    world.at("2026-05-18T13:00:00Z").run(&["retention", "run"]).exits(0);
    assert_eq!(world.names("sessions/archived").len(), 1);
    world.at("2026-05-20T10:00:00Z");
    say(&world, "mari");
    world.at("2026-05-21T14:30:00Z").run(&["retention", "run"]).exits(0);
    say(&world, "flo");
    let other = world.append("gast", &turn_with("Vento nutzt Redis"));
    assert_eq!(other["turn_id"], 1);
    let edited = world.propose("Vento heißt Zwiebelkuchen", &[]);
    world.run(&["review", "edit", &edited, "--fact", "Vento heißt anders"]).exits(0);
    let rejected = world.propose("Das ZWIEBELKUCHEN-Projekt ruht", &[]);
    world.run(&["review", "reject", &rejected, "--reason", "nein"]).exits(0);
    let block = ["block", "add", "--agent", "carlo", "--type", "user_preference", "--category", "formatting", "--key"];
    world.run(&[&block[..], &["essen", "--value", "Zwiebelkuchen"]].concat()).exits(0);
    world.run(&[&block[..], &["essen", "--value", "Salat"]].concat()).exits(0);
    world.run(&[&block[..], &["sprache", "--value", "Deutsch"]].concat()).exits(0);
    world
}

#[test]
fn a_text_goes_from_everything_and_nothing_else_does() {
    let world = world();
    let before = (world.records(), world.audit());
    let found = world.json(&["erase", "--match", "zwiebelKUCHEN", "--dry-run"]);
    assert_eq!((world.records(), world.audit()), before);
    assert_eq!(found["changed"], false);
    let erased = world.json(&["erase", "--match", "zwiebelKUCHEN", "--yes"]);
    assert_eq!(erased["actions"].as_array().unwrap().len(), found["actions"].as_array().unwrap().len());
    assert_eq!(erased["counts"]["erase_fields"], found["counts"]["erase_fields"]);
    // Its reviews' ids, whose slugs are names, stay in the log alone.
    let log: String =
        world.files("memory/audit").into_iter().map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect();
    assert!(log.contains("zwiebelkuchen"));
    std::fs::rename(world.root().join("audit"), world.dir().join("audit")).unwrap();
    assert!(!is_anywhere(&world, "zwiebelkuchen"));
    std::fs::rename(world.dir().join("audit"), world.root().join("audit")).unwrap();
    assert_eq!(erased["backups_until"], "2026-05-28T14:30:00Z");
    // What else the same turns and lists hold is there still.
    let mut kept = 0;
    for session in world.json(&["session", "list"])["sessions"].as_array().unwrap() {
        let shown = world.json(&["session", "show", session["session_id"].as_str().unwrap()]);
        kept += usize::from(shown["turns"][0]["decisions"] == json!(["Es gibt Redis"]));
        assert_eq!(shown["turns"][0]["turn_id"], 1);
    }
    assert_eq!(kept, 3);
    assert_eq!(world.json(&["review", "pending"])["reviews"].as_array().unwrap().len(), 1);
    assert_eq!(world.json(&["block", "list"])["blocks"].as_array().unwrap().len(), 1);
    let entries: Vec<Value> = world.audit().into_iter().filter(|entry| entry["op"] == "erase").collect();
    assert!(entries.iter().all(|entry| entry["target"] == Value::Null && entry["outcome"] == "ok"), "{entries:?}");
    world.run(&["audit", "verify"]).exits(0);
    let again = world.run(&["erase", "--match", "zwiebelkuchen", "--yes"]).exits(0);
    assert!(again.out.starts_with("nothing holds it\n"), "{again}");
}

#[test]
fn a_session_goes_with_its_reviews_and_no_other_does() {
    let world = World::new();
    let answer = world.append("carlo", &turn_with("Vento nutzt Redis"));
    let other = world.append("mari", &turn_with("Vento nutzt n8n"));
    let id = answer["session_id"].as_str().unwrap();
    world.run(&["erase", "--session", id, "--yes"]).exits(0);
    world.run(&["session", "show", id]).exits(5);
    let left: Vec<Value> = world.json(&["review", "pending"])["reviews"].as_array().unwrap().clone();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["review_id"], other["reviews_created"][0]);
    let entry = world.audit().pop().unwrap();
    assert_eq!((&entry["op"], &entry["target"]), (&json!("erase"), &json!(id)));
    assert_eq!(entry["counts"], json!({"erase_review": 1, "erase_session": 1}));
    world.run(&["erase", "--session", "SESSION-nobody", "--yes"]).exits(5);
}

#[test]
fn an_entity_is_found_as_whole_words() {
    let world = World::new();
    world.propose("Ventoseite ist fertig", &[]);
    world.propose("Der VENTO-Kanal ist offen", &[]);
    let block = ["block", "add", "--agent", "carlo", "--type", "project_state", "--category", "project", "--key"];
    world.run(&[&block[..], &["stand", "--value", "läuft", "--entity", "Vento"]].concat()).exits(0);
    world.run(&["erase", "--entity", "vento", "--yes"]).exits(0);
    let left = world.json(&["review", "pending"])["reviews"].as_array().unwrap().clone();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["proposed_fact"], "Ventoseite ist fertig");
    assert_eq!(world.json(&["block", "list"])["blocks"], json!([]));
}

#[test]
fn a_file_that_cannot_be_looked_through_is_told_of() {
    let world = World::new();
    world.append("carlo", &turn());
    world.write("memory/sessions/closed/SESSION-carlo-20260401-aaaaaa.json", "{\"user_input\": \"Zwiebel");
    world.write("memory/quarantine/x.json", "{}");
    let ran = world.run(&["erase", "--match", "Stand von Vento", "--yes"]).exits(3);
    assert!(ran.err.contains("SESSION-carlo-20260401-aaaaaa") && ran.err.contains("x.json"), "{ran}");
    assert!(!is_anywhere(&world, "stand von vento"));
}

#[test]
fn erasing_asks_first_and_a_selector_that_fits_everything_is_refused() {
    let world = World::new();
    world.append("carlo", &turn());
    let before = world.content();
    assert_eq!(world.error(&["erase", "--match", "Vento"], 4)["code"], "no_terminal");
    for bad in [&["erase"][..], &["erase", "--match", ""], &["erase", "--match", " - ", "--yes"]] {
        assert_eq!(world.run(bad).code, Some(2));
    }
    world.run(&["erase", "--match", "Vento", "--session", "carlo", "--yes"]).exits(2);
    let mut screen = Screen::open(&world, 120, &["erase", "--match", "Vento"], &[]);
    screen.answer("Erase that for good? [y/n] ", "n\r");
    screen.exits(4);
    assert_eq!(world.content(), before);
    let mut screen = Screen::open(&world, 120, &["erase", "--match", "Vento"], &[]);
    screen.answer("Erase that for good? [y/n] ", "y\r");
    screen.exits(0);
    assert!(!is_anywhere(&world, "stand von vento"));
}

#[test]
fn an_agents_user_erases_nothing() {
    let world = World::new();
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    world.append("carlo", &turn());
    world.configure(&format!("[[agent]]\nname = \"carlo\"\nuser = \"{}\"\n", user.trim()));
    let before = world.content();
    for more in [&["--yes"][..], &["--dry-run"], &[]] {
        let args = [&["erase", "--match", "Vento"][..], more].concat();
        assert_eq!(world.error(&args, 4)["code"], "not_for_agents");
        assert_eq!(world.audit().pop().unwrap()["outcome"], "refused");
    }
    assert_eq!(world.content(), before);
}
