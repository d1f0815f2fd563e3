//! The vault check where proposals are filed and decided: what it discards, flags and answers, and that it never writes
//! into the vault nor keeps a word of it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::tree::marks;
use crate::world::{World, finish, turn, turn_with};

const PAGE: &str = "Technik/Pegelwacht.md";
const TEXT: &str = "# Pegelwacht\n\n- Port: 8450\n- Host: seeadler\n- Pegelwacht unterstützt kein Telegram.\n\
                    - [ ] Zaunfeld ausmessen\n\n## Log\n\n\
                    - 2026-03-10: Wartezeit auf 60 Sekunden erhöht\n- 2026-01-05: Wartezeit auf 20 Sekunden gesetzt\n";

/// A world whose vault holds the page.
fn world() -> World {
    let world = World::new();
    world.write(Path::new("vault").join(PAGE), TEXT);
    world.configure(&format!("[vault]\npath = {}\n", json!(world.dir().join("vault"))));
    world
}

/// Proposes a fact for the page in a turn and answers the whole answer.
fn propose(world: &World, fact: &str, page: Option<&str>) -> Value {
    let mut turn = turn_with(fact);
    turn["proposed_facts"][0]["proposed_obsidian_page"] = json!(page);
    let answer = world.append("carlo", &turn);
    world.run(&["session", "close", answer["session_id"].as_str().unwrap()]).exits(0);
    answer
}

fn first<'a>(answer: &'a Value, list: &str) -> &'a str {
    answer[list][0].as_str().unwrap_or_else(|| panic!("{list}: {answer}"))
}

const APPROVE: [&str; 3] = ["--evidence", "commit 4f2a91c", "--yes"];

#[test]
fn what_the_proposed_page_says_is_discarded_and_brought_back_by_undo() {
    let world = world();
    let answer = propose(&world, "Pegelwacht läuft auf Port 8450.", Some(PAGE));
    let id = first(&answer, "reviews_discarded");
    assert_eq!(answer["reviews_created"], json!([]));
    let review = world.review(id);
    assert_eq!(review["status"], "discarded");
    let check = &review["vault_check"];
    assert_eq!((&check["verdict"], &check["page"], &check["line"]), (&json!("identical"), &json!(PAGE), &json!(3)));
    assert_eq!(check["page_hash"].as_str().unwrap().len(), 64);
    assert_eq!(world.json(&["review", "pending"])["reviews"], json!([]));
    world.run(&["review", "undo", id]).exits(0);
    assert_eq!(world.json(&["review", "pending"])["reviews"][0]["review_id"], id);
    assert_eq!(world.review(id)["expires_at"], "2026-06-04T14:30:00Z");
}

#[test]
fn elsewhere_the_same_is_shown_and_not_discarded() {
    let world = world();
    for page in [None, Some("Technik/Anderes.md")] {
        let fact = if page.is_some() { "Pegelwacht hat den Port 8450" } else { "Der Port von Pegelwacht ist 8450" };
        let answer = propose(&world, fact, page);
        let review = world.review(first(&answer, "reviews_created"));
        assert_eq!(review["vault_check"]["verdict"], "identical");
        assert_eq!(review["vault_check"]["page"], PAGE);
    }
}

#[test]
fn a_conflict_comes_first_names_its_sentence_and_needs_a_reason() {
    let world = world();
    propose(&world, "Die Boje ist gelb gestrichen", None);
    let answer = propose(&world, "Pegelwacht läuft auf Port 9100.", Some(PAGE));
    let id = first(&answer, "reviews_conflicting");
    let pending = world.json(&["review", "pending"]);
    assert_eq!(pending["reviews"][0]["review_id"], id);
    assert_eq!(pending["reviews"].as_array().unwrap().len(), 2);
    let review = world.review(id);
    assert_eq!(review["conflict"], true);
    assert_eq!(review["vault_check"]["page"], PAGE);
    assert_eq!(review["vault_check"]["line"], 3);
    assert_eq!(review["vault_check"]["sentence"], "Port: 8450");
    assert_eq!(world.error(&[&["review", "approve", id], &APPROVE[..]].concat(), 4)["code"], "conflict");
    world.run(&[&["review", "approve", id], &APPROVE[..], &["--resolve", "die Seite ist alt"]].concat()).exits(0);
    assert_eq!(world.review(id)["history"][0]["resolve"], "die Seite ist alt");
}

#[test]
fn the_vault_is_read_again_at_approval() {
    let world = world();
    let before = propose(&world, "Pegelwacht läuft auf Port 9100.", Some(PAGE));
    let id = first(&before, "reviews_conflicting");
    world.write(Path::new("vault").join(PAGE), TEXT.replace("8450", "9100"));
    world.run(&[&["review", "approve", id], &APPROVE[..]].concat()).exits(0);
    assert_eq!(world.review(id)["conflict"], Value::Null);
    assert_eq!(world.review(id)["vault_check"]["verdict"], "identical");
    // And the other way round: what fitted when it was proposed.
    let later = propose(&world, "Host von Pegelwacht ist kormoran", None);
    let id = first(&later, "reviews_created");
    world.write(Path::new("vault").join(PAGE), TEXT.replace("kein Telegram", "Telegram"));
    world.run(&["review", "show", id]).exits(0);
}

#[test]
fn a_line_that_a_later_one_replaced_stands_in_nobodys_way() {
    let world = world();
    let answer = propose(&world, "Pegelwacht: Die Wartezeit beträgt 60 Sekunden.", None);
    let id = answer["reviews_created"][0].as_str().unwrap();
    assert_eq!(answer["reviews_conflicting"], json!([]));
    world.run(&[&["review", "approve", id], &APPROVE[..]].concat()).exits(0);
}

#[test]
fn transferred_looks_at_the_page() {
    let world = world();
    let answer = propose(&world, "Pegelwacht unterstützt jetzt Telegram und soll im Herbst umziehen", Some(PAGE));
    let id = answer["reviews_created"][0].as_str().or(answer["reviews_conflicting"][0].as_str()).unwrap();
    let approved = world
        .run(&[&["review", "approve", id], &APPROVE[..], &["--resolve", "seit heute", "--json"]].concat())
        .exits(0)
        .json();
    assert_eq!(world.error(&["review", "transferred", id], 4)["code"], "not_in_vault");
    // Pasted as it was printed, beside the line that says otherwise.
    world.write(Path::new("vault").join(PAGE), format!("{TEXT}\n{}\n", approved["block"].as_str().unwrap()));
    let transferred = world.json(&["review", "transferred", id]);
    assert_eq!(transferred["verdict"], "identical");
    assert_eq!(world.review(id)["status"], "transferred");
    // Said in other words.
    let answer = propose(&world, "Der Mast der Pegelwacht ist aus Lärche", Some(PAGE));
    let id = first(&answer, "reviews_created");
    world.run(&[&["review", "approve", id], &APPROVE[..]].concat()).exits(0);
    assert_eq!(world.error(&["review", "transferred", id], 4)["code"], "not_in_vault");
    world.run(&["review", "transferred", id, "--unchecked"]).exits(0);
    assert_eq!(world.review(id)["status"], "transferred");
}

#[test]
fn a_vault_that_cannot_be_read_never_fails_an_append() {
    let world = world();
    let warned = |fact: &str| {
        let answer = propose(&world, fact, Some(PAGE));
        let id = first(&answer, "reviews_created").to_owned();
        (answer["warnings"].to_string(), world.review(&id)["vault_check"]["verdict"].clone())
    };
    world.configure("[vault]\npath = \"/nonexistent/vault\"\n");
    let (warnings, verdict) = warned("Pegelwacht läuft auf Port 9100.");
    assert!(warnings.contains("does not exist"), "{warnings}");
    assert_eq!(verdict, "no_vault");
    world.write("half/file.md", "x");
    world.configure(&format!("[vault]\npath = {}\n", json!(world.dir().join("half/file.md"))));
    assert!(warned("Der Steg ist lang").0.contains("not a folder"));
    // Half synced: a binary under a page's name, a dead link, a folder nobody may read.
    let vault = world.dir().join("vault");
    world.write("vault/Technik/halb.md", [0_u8; 4096]);
    std::os::unix::fs::symlink("/nonexistent", vault.join("tot.md")).unwrap();
    std::fs::create_dir(vault.join("zu")).unwrap();
    std::fs::set_permissions(vault.join("zu"), std::fs::Permissions::from_mode(0o000)).unwrap();
    world.configure(&format!("[vault]\npath = {}\n", json!(vault)));
    let answer = propose(&world, "Pegelwacht hat Port 9200.", None);
    assert_eq!(answer["reviews_conflicting"].as_array().unwrap().len(), 1, "{answer}");
    std::fs::set_permissions(vault.join("zu"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_vault_stays_as_it_was_and_the_cache_holds_no_word_of_it() {
    let world = world();
    let vault = world.dir().join("vault");
    let before = marks(&vault);
    propose(&world, "Irgendwo steht etwas über Seeadler", None);
    world.run(&["vault", "check", "Der Zaun ist offen"]).exits(0);
    world.run(&["vault", "search", "Zaunfeld"]).exits(0);
    world.run(&["vault", "pages"]).exits(0);
    assert_eq!(marks(&vault), before);
    let cache = std::fs::read(world.root().join(".cache/vault-index")).unwrap();
    for word in ["Pegelwacht", "pegelwacht", "seeadler", "Telegram", "telegram", "Zaunfeld", "zaunfeld", "Technik"] {
        assert!(!cache.windows(word.len()).any(|bytes| bytes == word.as_bytes()), "{word}");
    }
}

#[test]
fn a_cache_that_is_damaged_or_old_changes_no_answer() {
    let world = world();
    let ask = || world.json(&["vault", "check", "Pegelwacht läuft auf Port 9100."]);
    let right = ask();
    assert_eq!(right["verdict"], "contradicts");
    let path = world.root().join(".cache/vault-index");
    let good = std::fs::read(&path).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 0x10;
    for bytes in [b"".as_slice(), b"hmvault0 what an older version left", &good[..good.len() / 3], &flipped] {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(ask(), right);
    }
    world.write(Path::new("vault").join(PAGE), TEXT.replace("8450", "9100"));
    assert_eq!(ask()["verdict"], "identical");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert_eq!(ask()["verdict"], "identical");
}

#[test]
fn eight_processes_share_the_cache() {
    let world = world();
    for number in 0..60 {
        world.write(format!("vault/Seiten/Seite {number}.md"), format!("# Seite {number}\n\nBoje {number} ist rot.\n"));
    }
    let start = |at: usize| {
        let fact = format!("Pegelwacht läuft auf Port {}.", if at.is_multiple_of(2) { 8450 } else { 9100 });
        world.start(&["vault", "check", &fact, "--json"])
    };
    for _ in 0..3 {
        let children: Vec<_> = (0..8).map(start).collect();
        for (at, child) in children.into_iter().enumerate() {
            let answer = finish(child, b"").exits(0).json();
            assert_eq!(answer["verdict"], if at.is_multiple_of(2) { "identical" } else { "contradicts" });
        }
        drop(std::fs::remove_file(world.root().join(".cache/vault-index")));
    }
    world.append("carlo", &turn());
    let left: Vec<_> = world.names(".cache").into_iter().filter(|name| name != "vault-index").collect();
    assert!(left.is_empty(), "{left:?}");
}
