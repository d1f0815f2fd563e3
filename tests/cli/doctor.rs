//! The check-up: each trouble of a tree made, told, and mended or set aside without loss.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::world::{World, turn, turn_with};

impl World {
    /// The findings of a check-up, as `kind target repair`.
    #[track_caller]
    fn findings(&self, repair: bool) -> Vec<String> {
        let args: &[&str] = if repair { &["doctor", "--repair", "--json"] } else { &["doctor", "--json"] };
        let ran = self.run(args);
        let told = ran.json();
        let list = told["findings"].as_array().unwrap();
        let open = list.iter().any(|one| !["done", "set_aside"].contains(&one["repair"].as_str().unwrap()));
        assert_eq!(ran.code, Some(if open { 6 } else { 0 }), "{ran}");
        assert_eq!(told["clean"], !open);
        let text = |one: &Value, field: &str| one[field].as_str().unwrap().to_owned();
        list.iter()
            .map(|one| format!("{} {} {}", text(one, "kind"), text(one, "target"), text(one, "repair")))
            .collect()
    }

    /// A closed session and a pending review from it; the session's file and the review's.
    fn lived(&self) -> (PathBuf, PathBuf) {
        let review = self.review_of("Vento unterstützt Telegram");
        let session =
            self.run(&["session", "list", "--json"]).json()["sessions"][0]["session_id"].as_str().unwrap().to_owned();
        (format!("sessions/closed/{session}.json").into(), format!("review-queue/{review}.json").into())
    }

    fn mode(&self, path: impl AsRef<Path>, mode: u32) {
        std::fs::set_permissions(self.root().join(path), PermissionsExt::from_mode(mode)).unwrap();
    }

    fn move_file(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) {
        std::fs::rename(self.root().join(from), self.root().join(to)).unwrap();
    }

    fn json_of(&self, path: impl AsRef<Path>) -> Value {
        serde_json::from_slice(&std::fs::read(self.root().join(path)).unwrap()).unwrap()
    }
}

#[test]
fn a_tree_in_use_is_clean_and_a_check_up_changes_nothing() {
    let world = World::demo();
    world.append("hermes-carlo", &turn());
    // But for the audit log, which records a repair, and for what SQLite keeps beside the blocks.
    let kept = || -> Vec<_> {
        let files = world.content().into_iter();
        files.filter(|(path, _)| !path.to_str().unwrap().starts_with("blocks.db-")).collect()
    };
    let before = kept();
    let ran = world.run(&["doctor"]).exits(0);
    assert!(ran.out.ends_with("all is as it should be\n"), "{ran}");
    assert!(kept() == before);
    world.run(&["doctor", "--repair"]).exits(0);
    assert!(kept() == before);
}

#[test]
fn what_can_not_be_understood_goes_into_quarantine_as_it_is() {
    let world = World::new();
    let (session, review) = world.lived();
    let archived = "sessions/archived/SESSION-carlo-20260501-aaaaaa.json.gz";
    world.write(Path::new("memory").join(archived), b"\x1f\x8bno gzip");
    world.mode(archived, 0o640);
    world.write(Path::new("memory").join(&session), b"{\"session_id\": \"SESSION-");
    let mut other = world.json_of(&review);
    other["review_id"] = json!("REVIEW-20260101-000000-other");
    world.write(Path::new("memory").join(&review), other.to_string());
    let wanted: Vec<String> =
        [&session, Path::new(archived), &review].iter().map(|path| format!("unreadable {} ", path.display())).collect();
    let told = |repair: &str| wanted.iter().map(|line| format!("{line}{repair}")).collect::<Vec<_>>();
    assert_eq!(world.findings(false), told("can_set_aside"));
    let before: Vec<Vec<u8>> = [&session, Path::new(archived), &review]
        .iter()
        .map(|path| std::fs::read(world.root().join(path)).unwrap())
        .collect();
    assert_eq!(world.findings(true), told("set_aside"));
    for (path, bytes) in [&session, Path::new(archived), &review].iter().zip(before) {
        let aside = world.root().join("quarantine").join(path.display().to_string().replace('/', "__"));
        assert_eq!(std::fs::read(aside).unwrap(), bytes);
        assert!(!world.root().join(path).exists());
    }
    assert_eq!(world.findings(false), [""; 0]);
    // The same name again finds a free one.
    world.write(Path::new("memory").join(&session), b"torn again");
    world.mode(&session, 0o640);
    assert_eq!(world.findings(true).len(), 1);
    assert_eq!(world.files("memory/quarantine").len(), 4);
    let entries = world.run(&["audit", "show", "--op", "doctor", "--json"]).exits(0).json();
    assert_eq!(entries["entries"].as_array().unwrap().len(), 4);
}

#[test]
fn of_a_session_in_two_folders_the_fuller_stays() {
    let world = World::new();
    let (closed, review) = world.lived();
    let full = std::fs::read(world.root().join(&closed)).unwrap();
    let mut less = world.json_of(&closed);
    less["turns"] = json!([]);
    let active = Path::new("sessions/active").join(closed.file_name().unwrap());
    let shelf = Path::new("review-queue/archived").join(review.file_name().unwrap());
    for (older, newer) in [(less.to_string().into_bytes(), full.clone()), (full.clone(), less.to_string().into_bytes())]
    {
        world.write(Path::new("memory").join(&active), &older);
        world.write(Path::new("memory").join(&closed), &newer);
        std::fs::copy(world.root().join(&review), world.root().join(&shelf)).unwrap();
        let found = world.findings(false);
        assert!(found.contains(&format!("twice {} can_set_aside", active.display())), "{found:?}");
        assert!(found.contains(&format!("twice {} can_set_aside", review.display())), "{found:?}");
        world.run(&["doctor", "--repair"]);
        world.run(&["doctor", "--repair"]);
        assert_eq!(world.findings(false), [""; 0]);
        let listed = world.run(&["session", "list", "--json"]).exits(0).json();
        assert_eq!(listed["sessions"][0]["turns"], 1, "{listed}");
        assert!(world.files("memory/quarantine").len() >= 2);
        if !world.root().join(&closed).exists() {
            world.write(Path::new("memory").join(&closed), &full);
        }
        if !world.root().join(&review).exists() {
            std::fs::rename(world.root().join(&shelf), world.root().join(&review)).unwrap();
        }
        let _ = std::fs::remove_file(world.root().join(&shelf));
    }
}

#[test]
fn a_session_in_a_folder_that_it_contradicts_is_moved_into_its_own() {
    let world = World::new();
    let open = world.append("hermes-mari", &turn_with("Noch offen"))["session_id"].as_str().unwrap().to_owned();
    let (closed, _) = world.lived();
    let [active, wrong] = ["active", "closed"].map(|folder| PathBuf::from(format!("sessions/{folder}/{open}.json")));
    world.move_file(&active, &wrong);
    let back = Path::new("sessions/active").join(closed.file_name().unwrap());
    world.move_file(&closed, &back);
    let wanted = |repair: &str| {
        [format!("misplaced {} {repair}", back.display()), format!("misplaced {} {repair}", wrong.display())]
    };
    assert_eq!(world.findings(false), wanted("can"));
    assert_eq!(world.findings(true), wanted("done"));
    assert!(world.root().join(&active).exists() && world.root().join(&closed).exists());
    assert_eq!(world.json_of(&active)["status"], "active");
    assert_eq!(world.findings(false), [""; 0]);
}

#[test]
fn a_review_whose_session_is_gone_too_early_is_told() {
    let mut world = World::new();
    let (session, review) = world.lived();
    std::fs::remove_file(world.root().join(session)).unwrap();
    assert_eq!(world.findings(true), [format!("dangling {} by_hand", review.display())]);
    // After its time it is no trouble that the session is gone.
    world.at("2026-07-01T00:00:00Z");
    assert_eq!(world.findings(false), [""; 0]);
}

#[test]
fn what_others_may_too_much_is_taken_from_them() {
    let world = World::new();
    let (session, _) = world.lived();
    for (path, mode) in [
        (Path::new(""), 0o755),
        (Path::new("sessions/closed"), 0o777),
        (session.as_path(), 0o666),
        (Path::new("config.toml"), 0o644),
        (Path::new("audit/2026-05.jsonl"), 0o604),
    ] {
        world.mode(path, mode);
    }
    let found = world.findings(false);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found.iter().all(|line| line.starts_with("rights ") && line.ends_with(" can")), "{found:?}");
    assert_eq!(world.findings(true).len(), 5);
    assert_eq!(world.findings(false), [""; 0]);
    let mode = std::fs::metadata(world.root().join(session)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    // What gives less is nobody's trouble.
    world.mode("sessions/idle", 0o700);
    assert_eq!(world.findings(false), [""; 0]);
}

#[test]
fn what_is_not_the_program_s_is_told_and_never_touched() {
    let world = World::new();
    world.lived();
    world.write("memory/notes.txt", "mine");
    world.write("memory/sessions/old/SESSION-carlo-20260501-aaaaaa.json", "{}");
    world.write("memory/sessions/closed/session-carlo-20260501-aaaaaa.json", "{}");
    world.write("memory/review-queue/REVIEW-20260501-120000-x.json.bak", "{}");
    symlink("/etc", world.root().join("review-queue/archived/link")).unwrap();
    symlink("/etc/passwd", world.root().join("audit/2026-04.jsonl")).unwrap();
    let before = world.files("memory");
    let found = world.findings(true);
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(found.iter().all(|line| line.starts_with("foreign ") && line.ends_with(" by_hand")), "{found:?}");
    assert_eq!(world.files("memory"), before);
    assert!(world.root().join("review-queue/archived/link").symlink_metadata().unwrap().is_symlink());
}

#[test]
fn a_hard_link_is_told_and_left_alone() {
    let world = World::new();
    let (session, _) = world.lived();
    std::fs::hard_link(world.root().join(&session), world.dir().join("second")).unwrap();
    assert_eq!(world.findings(true), [format!("unreadable {} by_hand", session.display())]);
    assert!(world.root().join(session).exists());
}

#[test]
fn what_a_dead_command_left_is_finished_or_swept() {
    let world = World::new();
    world.lived();
    world.write("memory/.staging/0-0123456789abcdef.new", "half");
    world.write("memory/.staging/backup-blocks.db", "half");
    world.write("memory/.restoring-77/sessions/closed/x", "of a backup");
    std::fs::remove_dir(world.root().join("sessions/idle")).unwrap();
    for path in [".staging/0-0123456789abcdef.new", ".staging/backup-blocks.db", ".restoring-77/sessions/closed/x"] {
        world.mode(path, 0o640);
    }
    let mut found = world.findings(false);
    found.sort();
    assert_eq!(
        found,
        [
            "leftover .restoring-77 can_set_aside",
            "leftover .staging/0-0123456789abcdef.new can",
            "leftover .staging/backup-blocks.db can",
            "missing sessions/idle can",
        ]
    );
    world.run(&["doctor", "--repair"]).exits(0);
    assert_eq!(world.findings(false), [""; 0]);
    assert!(world.root().join("sessions/idle").is_dir());
    assert!(world.root().join("quarantine/restoring-77/sessions/closed/x").exists());
    assert!(!world.root().join(".staging/backup-blocks.db").exists());
}

#[test]
fn unmasked_text_is_told_by_kind_and_never_by_content() {
    let world = World::new();
    let (session, _) = world.lived();
    let mut value = world.json_of(&session);
    value["turns"][0]["conversation_summary"] = json!("Anna Meier, anna.meier@example.com");
    world.write(Path::new("memory").join(&session), value.to_string());
    let ran = world.run(&["doctor"]).exits(6);
    assert!(
        ran.out.contains("EMAIL 1") && !ran.out.contains("example.com") && ran.err.contains("mask scan --fix"),
        "{ran}"
    );
    assert_eq!(world.findings(true), [format!("unmasked {} by_hand", session.display())]);
    world.run(&["mask", "scan", "--fix"]).exits(0);
    assert_eq!(world.findings(false), [""; 0]);
}

#[test]
fn an_agent_that_shares_its_user_with_a_reviewer_is_told() {
    let world = World::new();
    let config = "[[reviewer]]\nname = \"flo\"\nuser = \"flo\"\n[[agent]]\nname = \"hermes-carlo\"\nuser = \"flo\"\n";
    world.write("memory/config.toml", config);
    world.mode("config.toml", 0o640);
    assert_eq!(world.findings(false), ["shared_user user flo by_hand"]);
}

#[test]
fn a_broken_chain_is_told_by_its_line() {
    let world = World::new();
    world.lived();
    let log = world.root().join("audit/2026-05.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, text.replacen("session.append", "session.close ", 1)).unwrap();
    let found = world.findings(true);
    assert!(!found.is_empty() && found.iter().all(|line| line.starts_with("audit audit/2026-05.jsonl:")), "{found:?}");
}

#[test]
fn a_damaged_database_is_told_and_left_alone() {
    let world = World::demo();
    let db = world.root().join("blocks.db");
    let whole = std::fs::read(&db).unwrap();
    for ending in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{ending}", db.display()));
    }
    let sql = "UPDATE blocks SET valid_to = valid_from - 1 WHERE block = 1; \
               PRAGMA foreign_keys = OFF; INSERT INTO accesses VALUES (9999, 1, 1);";
    if crate::world::has_tool("sqlite3") {
        let ran = world.shell(&format!("sqlite3 memory/blocks.db \"{sql}\"")).output().unwrap();
        assert!(ran.status.success());
        let found = world.findings(true);
        assert_eq!(found.len(), 2, "{found:?}");
    }
    let mut torn = whole.clone();
    torn[4096..].iter_mut().for_each(|byte| *byte ^= 0x55);
    std::fs::write(&db, &torn).unwrap();
    let found = world.findings(true);
    assert!(!found.is_empty() && found.iter().all(|line| line.starts_with("blocks blocks.db")), "{found:?}");
    std::fs::write(&db, b"no database at all, but long enough to be looked at as one, which it is not").unwrap();
    assert_eq!(world.findings(true), ["blocks blocks.db by_hand"]);
}

#[test]
fn backups_that_are_too_old_or_not_whole_are_told() {
    let mut world = World::demo();
    world.make_backup_keys();
    assert_eq!(world.findings(false).len(), 1, "there is none yet");
    world.run(&["backup", "run"]).exits(0);
    assert_eq!(world.findings(false), [""; 0]);
    let target = world.dir().join("target");
    let name = std::fs::read_dir(&target)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().unwrap() == "pgp");
    let bytes = std::fs::read(name.as_ref().unwrap()).unwrap();
    std::fs::write(name.unwrap(), &bytes[..bytes.len() / 2]).unwrap();
    let ran = world.run(&["doctor"]).exits(6);
    assert!(ran.out.contains("never found whole, or is not what it was"), "{ran}");
    world.at("2026-05-21T15:00:00Z").run(&["backup", "run"]).exits(0);
    world.at("2026-05-25T15:00:00Z");
    let ran = world.run(&["doctor"]).exits(6);
    assert!(ran.out.contains("older than 50h"), "{ran}");
    std::fs::remove_file(world.dir().join("backup.asc")).unwrap();
    assert!(world.run(&["doctor"]).exits(6).out.contains("backup.asc"));
}

#[test]
fn an_agents_user_repairs_nothing() {
    let world = World::new();
    let user = String::from_utf8(std::process::Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let config = format!("[[agent]]\nname = \"hermes-carlo\"\nuser = {:?}\n", user.trim());
    world.write("memory/config.toml", config);
    world.mode("config.toml", 0o640);
    world.run(&["doctor"]).exits(0);
    assert!(world.run(&["doctor", "--repair"]).exits(4).err.contains("is an agent's user"));
}
