//! Backups as an operator meets them: one encrypted file that Debian's gpg and tar open, checked before it counts, restored
//! whole or not at all.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::thread::scope;

use serde_json::Value;

use crate::world::{Mounted, World, has_tool, say, skip, turn_with};

impl World {
    /// A world whose tree is backed up to `target`, with a pair of keys beside it.
    fn backed_up() -> Self {
        let world = Self::demo_with_keys();
        world.run(&["backup", "run"]).exits(0);
        world
    }

    fn demo_with_keys() -> Self {
        let world = Self::demo();
        world.make_backup_keys();
        world
    }

    /// Makes a pair of keys and names the certificate in the configuration.
    pub(crate) fn make_backup_keys(&self) {
        self.run(&["backup", "keygen", "--public", "backup.asc", "--secret", "backup.key"]).exits(0);
        self.back_up_to("backup.asc");
    }

    /// Names a certificate in the configuration.
    pub(crate) fn back_up_to(&self, certificate: &str) {
        self.encrypt_to("recipient", certificate);
    }

    /// Names the target and a file in `[backup]`.
    fn encrypt_to(&self, key: &str, file: &str) {
        self.name_in_config(&[(key, file)]);
    }

    fn name_in_config(&self, keys: &[(&str, &str)]) {
        let path = self.root().join("config.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("\n[backup]").next().unwrap();
        let mut text = format!("{text}\n[backup]\ntarget = {:?}\n", self.target());
        for (key, file) in keys {
            writeln!(text, "{key} = {:?}", self.dir().join(file)).unwrap();
        }
        std::fs::write(path, text).unwrap();
    }

    fn target(&self) -> PathBuf {
        self.dir().join("target")
    }

    /// The names in the target.
    pub(crate) fn in_target(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.target())
            .map(|entries| entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect())
            .unwrap_or_default();
        names.sort();
        names
    }

    pub(crate) fn backups(&self) -> Vec<String> {
        self.in_target().into_iter().filter(|name| name.strip_suffix(".pgp").is_some()).collect()
    }

    fn newest(&self) -> PathBuf {
        self.target().join(self.backups().pop().unwrap())
    }

    /// What a tree holds that a backup holds too, but for the audit log, which goes on.
    fn kept(&self, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let part = |path: &std::path::Path| {
            (path.starts_with("sessions") || path.starts_with("review-queue") || path.ends_with("config.toml"))
                && !path.starts_with(".staging")
        };
        self.files(folder).into_iter().filter(|(path, _)| part(path)).collect()
    }

    fn blocks_of(&self, root: &str) -> String {
        let root = self.dir().join(root);
        self.run(&["--root", root.to_str().unwrap(), "block", "export"]).exits(0).out
    }
}

const VERIFY: [&str; 4] = ["backup", "verify", "--secret-key", "backup.key"];

fn restore(to: &str) -> [&str; 7] {
    ["backup", "restore", "latest", "--secret-key", "backup.key", "--to", to]
}

#[test]
fn without_a_key_nothing_is_written() {
    let world = World::demo();
    world.name_in_config(&[]);
    let ran = world.run(&["backup", "run"]).exits(4);
    assert!(ran.err.contains("backup keygen") && ran.err.contains("[backup] recipient"), "{ran}");
    assert_eq!(world.in_target(), [""; 0]);
}

#[test]
fn a_backup_is_silent_and_lists_checks_and_restores_all_there_is() {
    let world = World::demo_with_keys();
    let ran = world.run(&["backup", "run"]).exits(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    assert_eq!(world.backups(), ["memory-20260521T143000Z.tar.zst.pgp"]);
    let listed = world.run(&["backup", "list", "--json"]).exits(0).json();
    let one = &listed["backups"][0];
    assert_eq!(one["created_at"], "2026-05-21T14:30:00Z");
    assert_eq!(one["verified_at"], "2026-05-21T14:30:00Z");
    assert_eq!(one["key_ids"].as_array().unwrap().len(), 1);
    let files = world.kept("memory").len() as u64 + 2;
    assert_eq!(one["files"], files, "{listed}");
    let checked = world.run(&[&VERIFY[..], &["--json"]].concat()).exits(0).json();
    assert_eq!(checked["backups"][0]["whole"], true);
    assert_eq!(checked["backups"][0]["files"], files);
    let before = world.blocks_of("memory");
    let ran = world.run(&restore("again")).exits(0);
    assert_eq!(ran.out, format!("restored {files} files with {} to again\n", human(&listed)));
    assert_eq!(world.kept("again"), world.kept("memory"));
    assert_eq!(world.blocks_of("again"), before);
    // What was restored is a tree: its audit chain is unbroken, and it goes on.
    world.run(&["--root", "again", "audit", "verify"]).exits(0);
    world.run(&["--root", "again", "retention", "run"]).exits(0);
    // Nothing of what is in it can be read in it, and nobody else may look.
    for name in world.in_target() {
        let bytes = std::fs::read(world.target().join(&name)).unwrap();
        assert!(!bytes.windows(5).any(|part| part == b"Vento"), "{name}");
        let mode = std::fs::metadata(world.target().join(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

/// The bytes of the first backup of a list, as they are told to people.
fn human(listed: &Value) -> String {
    format!("{} kB", listed["backups"][0]["bytes"].as_u64().unwrap() / 1000)
}

#[test]
fn gpg_and_tar_alone_restore_a_backup_of_either_kind() {
    if ["gpg", "tar", "zstd", "sha256sum"].into_iter().any(|tool| !has_tool(tool)) {
        return skip("no gpg, tar or zstd");
    }
    for kind in ["recipient", "passphrase_file"] {
        let world = World::demo_with_keys();
        if kind == "passphrase_file" {
            world.write("pass", "correct horse battery\n");
            std::fs::set_permissions(world.dir().join("pass"), PermissionsExt::from_mode(0o600)).unwrap();
            world.encrypt_to("passphrase_file", "pass");
        }
        world.run(&["backup", "run"]).exits(0);
        world.run(if kind == "recipient" { &VERIFY } else { &VERIFY[..2] }).exits(0);
        let script = format!(
            "set -euo pipefail; export GNUPGHOME=$PWD/gnupg; mkdir -m 700 gnupg out; gpg --batch -q --import backup.key; \
             gpg --batch -q --pinentry-mode loopback --passphrase-file {} --decrypt {} | tar --zstd -x -C out; \
             cd out; sha256sum -c --quiet --strict SHA256SUMS; gpgconf --kill all",
            if kind == "recipient" { "/dev/null" } else { "pass" },
            world.newest().display()
        );
        let ran = world.shell(&script).output().unwrap();
        assert!(ran.status.success(), "{kind}: {}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(world.kept("out"), world.kept("memory"));
        let info: Value = serde_json::from_slice(&std::fs::read(world.dir().join("out/BACKUP.json")).unwrap()).unwrap();
        let shown = world.run(&["audit", "show", "--json"]).exits(0).json();
        let seq = info["audit_seq"].as_u64().unwrap();
        let entry = &shown["entries"].as_array().unwrap().iter().find(|entry| entry["seq"] == seq).unwrap();
        assert_eq!(entry["hash"], info["audit_head"]);
    }
}

#[test]
fn whatever_is_done_to_a_backup_is_noticed_and_nothing_is_written() {
    let world = World::backed_up();
    let path = world.newest();
    let whole = std::fs::read(&path).unwrap();
    let len = whole.len();
    let mut tried = 0;
    let mut try_out = |bytes: &[u8], what: &str| {
        std::fs::write(&path, bytes).unwrap();
        let ran = world.run(&VERIFY).exits(6);
        assert!(ran.out.contains("can't be used") && ran.err.is_empty(), "{what}: {ran}");
        let ran = world.run(&restore("never")).exits(6);
        assert!(ran.err.contains("can't be used: "), "{what}: {ran}");
        assert!(!world.dir().join("never").exists(), "{what}");
        tried += 1;
    };
    // One bit at places all over: the key packet, the first and last blocks, and what lies between.
    for at in (0..120).step_by(9).chain((120..len).step_by(len / 25)).chain(len - 24..len) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        try_out(&bytes, &format!("bit at {at}"));
    }
    for cut in [0, 1, 50, 100, 150, len / 2, len - 22, len - 1] {
        try_out(&whole[..cut], &format!("cut at {cut}"));
    }
    try_out(&[&whole[..], b"x"].concat(), "a byte more");
    try_out(&[&whole[..], &whole[..]].concat(), "twice");
    try_out(b"no backup at all", "text");
    assert!(tried > 60, "{tried}");
    std::fs::write(&path, whole).unwrap();
    world.run(&VERIFY).exits(0);
}

#[test]
fn the_wrong_key_opens_nothing_and_says_so() {
    let world = World::backed_up();
    world.run(&["backup", "keygen", "--public", "p2", "--secret", "s2"]).exits(0);
    let ran = world.run(&["backup", "verify", "--secret-key", "s2"]).exits(6);
    assert!(ran.out.contains("this key does not open it"), "{ran}");
    let ran = world.run(&["backup", "restore", "latest", "--secret-key", "s2", "--to", "x"]).exits(6);
    assert!(ran.err.contains("this key does not open it") && !world.dir().join("x").exists(), "{ran}");
    for (key, said) in [("backup.asc", "the secret key is wanted"), ("memory/config.toml", "others may read it")] {
        let path = world.dir().join(key);
        if key == "backup.asc" {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        }
        let ran = world.run(&["backup", "verify", "--secret-key", key]);
        assert!(ran.err.contains(said) && ran.code != Some(0), "{ran}");
    }
    let ran = world.run(&["backup", "verify"]).exits(4);
    assert!(ran.err.contains("--secret-key FILE"), "{ran}");
}

#[test]
fn an_rsa_certificate_or_a_secret_key_is_no_recipient() {
    let world = World::demo_with_keys();
    world.encrypt_to("recipient", "backup.key");
    let ran = world.run(&["backup", "run"]).exits(4);
    assert!(ran.err.contains("name the certificate"), "{ran}");
    world.encrypt_to("recipient", "memory/config.toml");
    assert!(world.run(&["backup", "run"]).exits(4).err.contains("no OpenPGP certificate"));
    if !has_tool("gpg") {
        return skip("no gpg");
    }
    let script = "set -e; export GNUPGHOME=$PWD/gnupg; mkdir -m 700 gnupg; \
        gpg --batch -q --pinentry-mode loopback --passphrase '' --quick-gen-key old@example.com rsa2048 encr 2>&1; \
        gpg --batch -q --export old@example.com > rsa.pgp; \
        gpg --batch -q --pinentry-mode loopback --passphrase '' --quick-gen-key new@example.com future-default default 2020-01-01 2>/dev/null || true; \
        gpgconf --kill all";
    let ran = world.shell(script).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    world.encrypt_to("recipient", "rsa.pgp");
    let ran = world.run(&["backup", "run"]).exits(4);
    assert!(ran.err.contains("has no key that encrypts") || ran.err.contains("RSA"), "{ran}");
    assert_eq!(world.in_target(), [""; 0]);
}

#[test]
fn a_signed_backup_is_believed_and_a_planted_one_is_not() {
    let world = World::demo_with_keys();
    world.run(&["backup", "keygen", "--signing", "--public", "sign.asc", "--secret", "sign.key"]).exits(0);
    world.name_in_config(&[("recipient", "backup.asc"), ("signing_key", "sign.key"), ("signer", "sign.asc")]);
    world.run(&["backup", "run"]).exits(0);
    world.run(&VERIFY).exits(0);
    let signature = world.target().join(format!("{}.sig", world.backups()[0]));
    if has_tool("gpg") {
        let script = format!(
            "set -e; export GNUPGHOME=$PWD/gnupg; mkdir -m 700 gnupg; gpg --batch -q --import sign.asc; \
             gpg --batch -q --verify {} {}; gpgconf --kill all",
            signature.display(),
            world.newest().display()
        );
        assert!(world.shell(&script).output().unwrap().status.success());
    }
    let kept = std::fs::read(&signature).unwrap();
    std::fs::remove_file(&signature).unwrap();
    let ran = world.run(&restore("x")).exits(6);
    assert!(ran.err.contains("it is not signed") && !world.dir().join("x").exists(), "{ran}");
    // Whole and readable by the right key, but somebody else's.
    std::fs::write(&signature, &kept[..kept.len() - 1]).unwrap();
    assert!(world.run(&VERIFY).exits(6).out.contains("its signature is not that of"));
    world.name_in_config(&[("recipient", "backup.asc")]);
    world.at_once("2026-05-21T15:30:00Z").run(&["backup", "run"]).exits(0);
    std::fs::copy(&signature, world.target().join(format!("{}.sig", world.backups()[1]))).unwrap();
    world.name_in_config(&[("recipient", "backup.asc"), ("signer", "sign.asc")]);
    assert!(world.run(&VERIFY).exits(6).out.contains("its signature is not that of"));
}

#[test]
fn keys_are_made_private_and_never_over_what_is_there_or_beside_the_backups() {
    let world = World::demo_with_keys();
    let mode = std::fs::metadata(world.dir().join("backup.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let before = world.files("");
    for (public, secret, code) in [
        ("backup.asc", "other", 1),
        ("other", "backup.key", 1),
        ("other", "memory/secret", 4),
        ("other", "target/secret", 4),
        ("other", "memory/../memory/secret", 4),
        ("same", "same", 4),
        ("no/such/folder", "other", 1),
    ] {
        std::fs::create_dir_all(world.target()).unwrap();
        world.run(&["backup", "keygen", "--public", public, "--secret", secret]).exits(code);
    }
    assert_eq!(world.files(""), before);
    let ran = world.run(&["backup", "keygen", "--public", "p", "--secret", "s", "--passphrase"]).exits(4);
    assert!(ran.err.contains("no terminal to ask on"), "{ran}");
}

#[test]
fn a_target_in_the_tree_or_the_vault_is_refused() {
    let world = World::demo_with_keys();
    let config = world.root().join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    for (target, said) in [("memory/backups", "the memory tree"), ("memory.vault/backups", "lies in the vault")] {
        std::fs::write(&config, text.replace("/target\"", &format!("/{target}\""))).unwrap();
        let ran = world.run(&["backup", "run"]).exits(4);
        assert!(ran.err.contains(said), "{ran}");
        assert!(!world.dir().join(target).exists());
    }
}

#[test]
fn old_backups_go_after_seven_days_once_a_newer_one_was_read_back() {
    let mut world = World::demo_with_keys();
    for day in ["2026-05-21", "2026-05-22", "2026-05-28", "2026-05-29"] {
        world.at(&format!("{day}T14:30:00Z")).run(&["backup", "run"]).exits(0);
    }
    let names = |days: &[&str]| -> Vec<String> {
        days.iter().map(|day| format!("memory-202605{day}T143000Z.tar.zst.pgp")).collect()
    };
    assert_eq!(world.backups(), names(&["28", "29"]));
    assert_eq!(world.in_target().len(), 4, "no record stays without its backup");
    // A run that fails removes nothing: here the certificate is gone.
    std::fs::rename(world.dir().join("backup.asc"), world.dir().join("away")).unwrap();
    world.at("2026-06-20T14:30:00Z").run(&["backup", "run"]).exits(1);
    assert_eq!(world.backups(), names(&["28", "29"]));
    // A clock that jumped removes nothing either, and the backup is made all the same.
    std::fs::rename(world.dir().join("away"), world.dir().join("backup.asc")).unwrap();
    world.at("2027-05-20T14:30:00Z");
    let ran = world.run(&["backup", "run"]).exits(4);
    assert!(ran.err.contains("no old backup was removed") && ran.err.contains("--accept-clock"), "{ran}");
    assert_eq!(world.backups().len(), 3);
    world.at("2027-05-20T14:31:00Z").run(&["backup", "run", "--accept-clock"]).exits(0);
    assert_eq!(world.backups().len(), 2);
}

#[test]
fn a_backup_that_lacks_a_file_says_so_and_lets_older_ones_be() {
    let mut world = World::backed_up();
    let active = world.root().join("sessions/active");
    let session = std::fs::read_dir(&active).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(&session).unwrap();
    std::fs::File::create(&session).unwrap().set_len(65 << 20).unwrap();
    world.at("2026-05-30T14:30:00Z");
    let ran = world.run(&["backup", "run", "--json"]).exits(3);
    assert_eq!(ran.json()["left_out"], 1);
    let ran = world.at("2026-05-30T14:31:00Z").run(&["backup", "run"]).exits(3);
    assert!(ran.err.contains(session.to_str().unwrap()), "{ran}");
    assert_eq!(world.backups().len(), 3);
    assert!(world.run(&["backup", "list"]).exits(0).out.contains("lacks files"));
}

#[test]
fn two_at_once_and_one_killed_leave_nothing_half_made() {
    let world = World::demo_with_keys();
    let lock = std::fs::File::open(world.root().join(".locks/backup.lock")).unwrap();
    lock.lock().unwrap();
    world.run(&["backup", "run"]).exits(11);
    drop(lock);
    // Killed at some moment: what it leaves is no backup, and the next run takes it away.
    for delay in [1, 5, 10, 20, 40] {
        let mut child = world.start(&["backup", "run"]);
        std::thread::sleep(std::time::Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        for name in world.backups() {
            let path = world.target().join(name);
            world.run(&["backup", "verify", path.to_str().unwrap(), "--secret-key", "backup.key"]).exits(0);
        }
    }
    let later = world.at_once("2026-05-21T15:00:00Z");
    later.run(&["backup", "run"]).exits(0);
    assert!(world.in_target().iter().all(|name| name.strip_suffix(".new").is_none()), "{:?}", world.in_target());
    assert!(!world.root().join(".staging/backup-blocks.db").exists());
}

#[test]
fn a_full_or_read_only_target_leaves_no_partial_file() {
    let world = World::backed_up();
    let before = world.in_target();
    std::fs::set_permissions(world.target(), PermissionsExt::from_mode(0o500)).unwrap();
    let later = world.at_once("2026-05-21T15:00:00Z");
    if !rustix::process::geteuid().is_root() {
        let ran = later.run(&["backup", "run"]).exits(1);
        assert!(ran.err.contains(world.target().to_str().unwrap()), "{ran}");
    }
    std::fs::set_permissions(world.target(), PermissionsExt::from_mode(0o700)).unwrap();
    assert_eq!(world.in_target(), before);
    // A file that is too large for what is left: the limit on file sizes stands for the full disk.
    let line = "ulimit -f 4; trap '' XFSZ; hermes-mem backup run";
    let ran = later.shell(line).output().unwrap();
    assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(world.in_target(), before);
    if let Some(_small) = Mounted::try_new(&world.target(), &["-t", "tmpfs", "-o", "size=64k", "tmpfs"]) {
        let ran = later.run(&["backup", "run"]);
        let names: Vec<_> = world.backups();
        assert!(ran.code == Some(1) && names.is_empty() || ran.code == Some(0) && names.len() == 1, "{ran}");
    }
}

#[test]
fn restoring_takes_only_what_a_tree_knows_and_only_into_an_empty_folder() {
    let world = World::backed_up();
    world.write("full/x", "x");
    let ran = world.run(&restore("full")).exits(6);
    assert!(ran.err.contains("it is not empty"), "{ran}");
    assert_eq!(world.files("full").len(), 1);
    let ran = world.run(&[&restore("some")[..], &["--only", "*telegram*"]].concat()).exits(0);
    assert!(ran.out.starts_with("restored 1 file "), "{ran}");
    assert_eq!(world.files("some").len(), 1);
    world.run(&[&restore("none")[..], &["--only", "nothing-like-it"]].concat()).exits(5);
    if !has_tool("gpg") || !has_tool("zstd") {
        return skip("no gpg or zstd");
    }
    // An archive made by other hands: links, devices, paths that lead out, foreign names.
    for (nth, make) in [
        "mkdir -p e/sessions; ln -s /etc e/sessions/active",
        "mkdir -p e/audit; ln -s /etc/passwd e/config.toml",
        "mkdir -p e; echo x > e/x.txt",
        "mkdir -p e; mkfifo e/config.toml",
        "mkdir -p e/audit; echo x > e/audit/2026-05.jsonl; (cd e; tar -cPf ../t.tar --transform 's,^,../,' audit/2026-05.jsonl)",
        "mkdir -p e/.locks; echo x > e/.locks/tree.lock",
    ]
    .into_iter()
    .enumerate()
    {
        let script = format!(
            "set -euo pipefail; rm -rf e t.tar g; export GNUPGHOME=$PWD/g; mkdir -m 700 g; {make}; \
             [ -e t.tar ] || tar -cf t.tar -C e .; zstd -q -c t.tar > t.zst; gpg --batch -q --import backup.asc; \
             gpg --batch -q --yes --trust-model always --rfc4880 -r 'hermes-mem backup' -z 0 -o planted.pgp -e t.zst; gpgconf --kill all"
        );
        let made = world.shell(&script).output().unwrap();
        assert!(made.status.success(), "{nth}: {}", String::from_utf8_lossy(&made.stderr));
        let ran = world
            .run(&["backup", "restore", "planted.pgp", "--secret-key", "backup.key", "--to", "out"])
            .exits(6);
        assert!(ran.err.contains("can't be used"), "{nth}: {ran}");
        assert!(!world.dir().join("out").exists(), "{nth}");
    }
}

#[test]
fn a_backup_taken_while_sixteen_write_restores_to_a_tree_with_every_turn() {
    let world = World::demo_with_keys();
    for nth in 0..16 {
        world.append(&format!("agent-{nth}"), &turn_with(&format!("Anfang {nth}")));
    }
    let acknowledged = |agent: usize| {
        let world = &world;
        move || {
            (0..12)
                .map(|turn| {
                    let answer =
                        world.append(&format!("agent-{agent}"), &turn_with(&format!("Fakt {turn} von {agent}")));
                    (answer["session_id"].as_str().unwrap().to_owned(), answer["turn_id"].as_u64().unwrap())
                })
                .collect::<Vec<_>>()
        }
    };
    scope(|threads| {
        let writers: Vec<_> = (0..16).map(|agent| threads.spawn(acknowledged(agent))).collect();
        world.run(&["backup", "run"]).exits(0);
        for writer in writers {
            assert_eq!(writer.join().unwrap().len(), 12);
        }
    });
    world.run(&restore("again")).exits(0);
    let ids: Vec<String> = world.run(&["--root", "again", "session", "list", "--json"]).exits(0).json()["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| session["session_id"].as_str().unwrap().to_owned())
        .collect();
    // Each session once, each with turns that have no gap, and a chain that holds.
    let agents = ids.iter().filter(|id| id.contains("-agent-")).count();
    assert_eq!(agents, 16, "{ids:?}");
    for id in ids.iter().filter(|id| id.contains("-agent-")) {
        let session = world.run(&["--root", "again", "session", "show", id, "--json"]).exits(0).json();
        let turns: Vec<u64> =
            session["turns"].as_array().unwrap().iter().map(|turn| turn["turn_id"].as_u64().unwrap()).collect();
        assert!(!turns.is_empty() && turns == (1..=turns.len() as u64).collect::<Vec<_>>(), "{id}: {turns:?}");
    }
    world.run(&["--root", "again", "audit", "verify"]).exits(0);
}

#[test]
fn in_its_place_a_tree_comes_back_as_it_was_and_old_things_stay_gone() {
    let mut world = World::backed_up();
    let before = world.kept("memory");
    world.at("2026-05-21T15:00:00Z");
    world.append("hermes-carlo", &turn_with("Etwas Späteres"));
    world.run(&["block", "forget", "table_style"]).exits(0);
    let place = ["backup", "restore", "20260521T143000Z", "--secret-key", "backup.key", "--in-place"];
    let ran = world.run(&place).exits(4);
    assert!(ran.err.contains("--in-place --yes"), "{ran}");
    let ran = world.run(&[&place[..], &["--yes"]].concat()).exits(0);
    assert!(ran.out.contains("what was there is in ") && ran.out.contains("retention: "), "{ran}");
    assert_eq!(world.backups().len(), 2);
    // Retention has run: what had been due was done, so states moved on; nothing else differs.
    assert_eq!(world.kept("memory").len(), before.len());
    world.run(&["block", "get", "table_style", "--peek"]).exits(0);
    world.run(&["audit", "verify"]).exits(0);
    let shown = world.run(&["audit", "show", "--op", "session.append", "--json"]).exits(0).json();
    assert!(!shown["entries"].as_array().unwrap().is_empty(), "the log keeps what was done since");
    assert!(world.files("memory").iter().all(|(path, _)| !path.to_str().unwrap().contains("restoring")));
    // Much later the same backup brings back nothing that should be gone.
    world.at("2026-07-15T14:30:00Z").run(&[&place[..], &["--yes"]].concat()).exits(0);
    let sessions = world.run(&["session", "list", "--json"]).exits(0).json();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 0, "{sessions}");
}

#[test]
fn an_agents_user_makes_and_opens_no_backups() {
    let world = World::backed_up();
    let user = Command::new("id").arg("-un").output().unwrap();
    let user = String::from_utf8(user.stdout).unwrap();
    let config = world.root().join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let agent = format!("[[agent]]\nname = \"hermes-carlo\"\nuser = {:?}\n", user.trim());
    std::fs::write(&config, format!("{text}\n{agent}")).unwrap();
    for args in
        [&["backup", "run"][..], &VERIFY, &restore("x"), &[&restore("x")[..5], &["--in-place", "--yes"]].concat()]
    {
        let ran = world.run(args).exits(4);
        assert!(ran.err.contains("is an agent's user"), "{ran}");
    }
    assert!(!world.dir().join("x").exists());
}

#[test]
fn cron_lines_and_units_name_the_tree_and_hold_no_rights_they_do_not_need() {
    let world = World::new();
    let cron = world.run(&["init", "--cron"]).exits(0).out;
    for command in ["retention run", "backup run", "review remind"] {
        assert_eq!(cron.matches(&format!("--root {} {command}\n", world.root().display())).count(), 1, "{cron}");
    }
    let units = world.run(&["init", "--systemd"]).exits(0).out;
    let mut files: Vec<PathBuf> = Vec::new();
    for part in units.split("# /etc/systemd/system/").skip(1) {
        let (name, text) = part.split_once('\n').unwrap();
        let path = world.dir().join("units").join(name);
        world.write(&path, text);
        files.push(path);
    }
    assert_eq!(files.len(), 6);
    let Some(analyze) =
        ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].into_iter().find(|path| PathBuf::from(path).exists())
    else {
        return say("left out: no systemd-analyze");
    };
    let ran = Command::new(analyze).arg("verify").args(&files).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    let ours: Vec<&str> = said.lines().filter(|line| line.contains("hermes-mem")).collect();
    assert!(ours.is_empty(), "{said}");
}

impl World {
    /// The same world at another moment, for one command.
    fn at_once<'a>(&'a self, now: &'a str) -> At<'a> {
        At { world: self, now }
    }
}

/// A world at a moment.
struct At<'a> {
    world: &'a World,
    now: &'a str,
}

impl At<'_> {
    fn run(&self, args: &[&str]) -> crate::world::Ran {
        self.world.run(&[args, &["--now", self.now]].concat())
    }

    fn shell(&self, line: &str) -> Command {
        let mut command = self.world.shell(line);
        command.env("HERMES_MEM_NOW", self.now);
        command
    }
}

#[test]
fn status_tells_of_the_last_backup_and_when_one_is_due() {
    let world = World::demo_with_keys();
    assert!(world.run(&["status"]).out.contains("none yet"));
    world.run(&["backup", "run"]).exits(0);
    assert!(world.run(&["status"]).out.contains("read back and whole"));
    let late = world.at_once("2026-05-23T16:30:00Z").run(&["status", "--json"]);
    assert_eq!(late.json()["backups"]["overdue"], true, "{late}");
}

#[test]
fn what_is_said_of_a_backup_is_about_the_file_that_is_there() {
    let world = World::demo_with_keys();
    // By the real clock, which goes on while a backup is made.
    for _ in 0..3 {
        let mut command = world.command(&["backup", "run", "--json"]);
        let ran = command.env_remove("HERMES_MEM_NOW").output().unwrap();
        let told: Value = serde_json::from_slice(&ran.stdout).unwrap_or_default();
        let Some(path) = told["path"].as_str() else { continue };
        assert!(PathBuf::from(path).is_file(), "{told}");
        let size = std::fs::metadata(path).unwrap().len();
        assert_eq!(told["size"], size);
    }
    assert!(!world.backups().is_empty());
}
