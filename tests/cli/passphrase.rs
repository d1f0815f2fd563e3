//! What backups ask for on a terminal: passphrases, which are never shown, and a yes before a tree is replaced.

use crate::screen::Screen;
use crate::world::World;

const SECRET: &str = "vier-Worte-und-eins";

fn protected() -> World {
    let world = World::demo();
    let args = ["backup", "keygen", "--public", "backup.asc", "--secret", "backup.key", "--passphrase"];
    let mut screen = Screen::open(&world, 100, &args, &[]);
    screen.answer("New passphrase: ", &format!("{SECRET}\r"));
    screen.answer("The same again: ", &format!("{SECRET}\r"));
    let shown = screen.exits(0);
    assert!(!shown.contains(SECRET) && !shown.contains("Worte"), "{shown}");
    world.back_up_to("backup.asc");
    world.run(&["backup", "run"]).exits(0);
    world
}

#[test]
fn a_passphrase_is_asked_for_twice_never_shown_and_opens_what_it_protects() {
    let world = protected();
    let args = ["backup", "verify", "--secret-key", "backup.key"];
    let mut screen = Screen::open(&world, 100, &args, &[]);
    screen.answer("Passphrase of the secret key: ", &format!("{SECRET}\r"));
    let shown = screen.exits(0);
    assert!(shown.contains("is whole") && !shown.contains(SECRET), "{shown}");

    let mut screen = Screen::open(&world, 100, &args, &[]);
    screen.answer("Passphrase of the secret key: ", "another\r");
    let shown = screen.end();
    assert!(shown.1 != 0 && !shown.0.contains("another") && !shown.0.contains("is whole"), "{shown:?}");

    // Left with Esc, or without a terminal, nothing is opened.
    let mut screen = Screen::open(&world, 100, &args, &[]);
    screen.answer("Passphrase of the secret key: ", "\x1b");
    assert_ne!(screen.end().1, 0);
    let ran = world.run(&args).exits(4);
    assert!(ran.err.contains("no terminal to ask on"), "{ran}");
}

#[test]
fn two_passphrases_that_differ_make_no_keys() {
    let world = World::demo();
    let args = ["backup", "keygen", "--public", "backup.asc", "--secret", "backup.key", "--passphrase"];
    let mut screen = Screen::open(&world, 100, &args, &[]);
    screen.answer("New passphrase: ", "\r");
    screen.sees("can't be left empty");
    screen.answer("New passphrase: ", "eins\r");
    screen.answer("The same again: ", "zwei\r");
    let shown = screen.exits(4);
    assert!(shown.contains("nothing was made"), "{shown}");
    assert!(!world.dir().join("backup.asc").exists() && !world.dir().join("backup.key").exists());
}

#[test]
fn a_tree_is_replaced_only_after_a_yes() {
    let world = World::demo();
    world.make_backup_keys();
    world.run(&["backup", "run"]).exits(0);
    let args = ["backup", "restore", "latest", "--in-place", "--secret-key", "backup.key"];
    let before = world.content();
    let mut screen = Screen::open(&world, 100, &args, &[("HERMES_MEM_NOW", "2026-05-21T14:40:00Z")]);
    screen.sees("is replaced by");
    screen.answer("Replace it? [y/n] ", "n\r");
    screen.exits(4);
    assert_eq!(world.content(), before);
    assert_eq!(world.backups().len(), 1, "no backup before the yes");

    let closed = world.json(&["session", "list"])["sessions"][0]["session_id"].as_str().unwrap().to_owned();
    world.run(&["session", "close", &closed]);
    let mut screen = Screen::open(&world, 100, &args, &[("HERMES_MEM_NOW", "2026-05-21T14:41:00Z")]);
    screen.answer("Replace it? [y/n] ", "y\r");
    screen.exits(0);
    assert_eq!(world.backups().len(), 2, "a fresh backup was made first");
    world.run(&["doctor"]).exits(0);
}
