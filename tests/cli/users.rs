//! Real Unix users: who may write, who may decide, and to whom the files belong (law 3, SPEC §2).
//!
//! The tests run as root and become other users by `setpriv`. The users are those that every Debian has.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::world::{Ran, World, finish, has_tool, skip, turn, turn_with};

/// Owns the tree.
const SERVICE: &str = "games";
/// The agent's.
const AGENT: &str = "www-data";
/// A reviewer's, whose name as a reviewer is `anna`.
const REVIEWER: &str = "nobody";
/// A second person's, whom the configuration does not name.
const OTHER: &str = "daemon";
/// A group that several users share.
const GROUP: &str = "users";

const CONFIG: &str = "[[agent]]\nname = \"carlo\"\nuser = \"www-data\"\n[[reviewer]]\nname = \"anna\"\nuser = \"nobody\"\n\
                      [[reviewer]]\nname = \"anna.m\"\nuser = \"nobody\"\n";

/// Every command that decides; `REVIEW` stands for an id.
const DECISIONS: [&[&str]; 7] = [
    &["review", "approve", "REVIEW", "--evidence", "commit 1", "--yes"],
    &["review", "reject", "REVIEW", "--reason", "veraltet"],
    &["review", "edit", "REVIEW", "--fact", "anders"],
    &["review", "transferred", "REVIEW", "--unchecked"],
    &["review", "undo", "REVIEW"],
    &["review", "batch", "--apply", "-", "--yes"],
    &["review", "walk"],
];

fn uid(user: &str) -> u32 {
    uzers::get_user_by_name(user).unwrap().uid()
}

fn gid(group: &str) -> u32 {
    uzers::get_group_by_name(group).unwrap().gid()
}

/// Whether users can be changed here; says so where not.
fn can_change_users() -> bool {
    let known = [SERVICE, AGENT, REVIEWER, OTHER].iter().all(|user| uzers::get_user_by_name(user).is_some());
    let can = rustix::process::geteuid().is_root() && has_tool("setpriv") && known;
    if !can {
        skip("it takes root, setpriv and Debian's own users");
    }
    can
}

/// The program at a place that every user reaches, whatever folder it was built in.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| {
        let dir = tempfile::TempDir::new().unwrap();
        let program = dir.path().join("hermes-mem");
        std::fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_hermes-mem"), &program).unwrap();
        (dir, program)
    });
    program
}

/// A world that every user can enter, with a tree of the service user's.
fn world(config: &str) -> World {
    let world = World::bare();
    std::fs::set_permissions(world.dir(), Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(world.root()).unwrap();
    std::fs::set_permissions(world.root(), Permissions::from_mode(0o750)).unwrap();
    chown(world.root(), Some(uid(SERVICE)), Some(gid(SERVICE))).unwrap();
    world.run(&["init"]).exits(0);
    world.write("memory/config.toml", config);
    world
}

/// A run as another user.
struct As<'a> {
    world: &'a World,
    user: &'a str,
    groups: Option<&'a str>,
    env: Vec<(&'a str, String)>,
}

impl<'a> As<'a> {
    fn new(world: &'a World, user: &'a str) -> Self {
        Self { world, user, groups: None, env: Vec::new() }
    }

    /// As the tree's owner, called by `user` through sudo.
    fn sudo(world: &'a World, user: &'a str) -> Self {
        Self::new(world, SERVICE).env("SUDO_UID", uid(user).to_string())
    }

    fn in_group(self, group: &'a str) -> Self {
        Self { groups: Some(group), ..self }
    }

    fn env(mut self, name: &'a str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    fn run(&self, args: &[&str], input: &str) -> Ran {
        let plain = self.world.command(args);
        let user = uzers::get_user_by_name(self.user).unwrap();
        let groups =
            self.groups.map_or_else(|| "--clear-groups".to_owned(), |group| format!("--groups={}", gid(group)));
        let mut command = Command::new("setpriv");
        command
            .args([format!("--reuid={}", user.uid()), format!("--regid={}", user.primary_group_id()), groups])
            .arg(program())
            .args(args)
            .env_clear()
            .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .envs(self.env.iter().map(|(name, value)| (*name, value)))
            .current_dir("/");
        finish(
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap(),
            input.as_bytes(),
        )
    }

    /// Appends a turn that proposes a fact and answers its review's id.
    #[track_caller]
    fn propose(&self, agent: &str, fact: &str) -> String {
        let ran = self.run(&["session", "append", "--agent", agent, "--json"], &turn_with(fact).to_string()).exits(0);
        ran.json()["reviews_created"][0].as_str().unwrap().to_owned()
    }

    /// Tries everything that decides.
    fn decide_all(&self, review: &str) -> Vec<Ran> {
        let list = format!("reject {review} veraltet");
        let run = |args: &&[&str]| {
            let args: Vec<&str> = args.iter().map(|arg| if *arg == "REVIEW" { review } else { arg }).collect();
            self.run(&[args.as_slice(), &["--json"]].concat(), &list)
        };
        DECISIONS.iter().map(run).collect()
    }
}

/// What the audit log says last.
fn last_audited(world: &World) -> serde_json::Value {
    let (_, log) = world.files("memory/audit").pop().unwrap();
    serde_json::from_str(String::from_utf8(log).unwrap().lines().last().unwrap()).unwrap()
}

/// What an agent's user is told that tries to decide.
const AGENTS_ANSWERS: [&str; 2] = ["agent_decides", "agents_configuration"];

#[test]
fn an_agents_user_appends_and_decides_nothing_whatever_it_says() {
    if !can_change_users() {
        return;
    }
    let mut world = world(CONFIG);
    let review = As::sudo(&world, AGENT).propose("carlo", "Vento unterstützt Telegram");
    world.at("2026-05-21T17:00:00Z");
    let before = world.content();
    // Configurations of the agent's own making.
    world.write("mine.toml", "[[reviewer]]\nname = \"me\"\nuser = \"www-data\"\n");
    world.write("none.toml", "");
    let file = |name: &str| world.dir().join(name).to_str().unwrap().to_owned();
    let ways = [
        As::sudo(&world, AGENT),
        As::sudo(&world, AGENT).env("USER", "nobody").env("LOGNAME", "nobody").env("SUDO_USER", "nobody"),
        As::sudo(&world, AGENT).env("HERMES_MEM_CONFIG", file("mine.toml")),
        As::sudo(&world, AGENT).env("HERMES_MEM_CONFIG", file("none.toml")),
    ];
    for way in &ways {
        for ran in way.decide_all(&review) {
            let ran = ran.exits(4);
            assert!(AGENTS_ANSWERS.contains(&ran.error()["code"].as_str().unwrap()), "{:?}: {ran}", way.env);
        }
    }
    // With a configuration of its own it may not even append: that says what is masked.
    let turn = turn_with("Vento nutzt Redis").to_string();
    let own = As::sudo(&world, AGENT).env("HERMES_MEM_CONFIG", file("none.toml"));
    let ran = own.run(&["session", "append", "--agent", "carlo", "--json"], &turn).exits(4);
    assert_eq!(ran.error()["code"], "agents_configuration");
    // Flags, and the same tree by another name.
    std::os::unix::fs::symlink(world.root(), world.dir().join("link")).unwrap();
    for more in [["--reviewer", "anna"], ["--config", &file("mine.toml")], ["--root", &file("link")]] {
        let args = [["review", "reject", &review, "--reason", "x", "--json"].as_slice(), &more].concat();
        let code = As::sudo(&world, AGENT).run(&args, "").exits(4).error()["code"].clone();
        assert!(AGENTS_ANSWERS.contains(&code.as_str().unwrap()), "{more:?}: {code}");
    }
    // A tree of the agent's own with the real queue hung in.
    std::fs::create_dir_all(world.dir().join("fake/.locks")).unwrap();
    std::os::unix::fs::symlink(world.root().join("review-queue"), world.dir().join("fake/review-queue")).unwrap();
    let fake = ["review", "reject", &review, "--reason", "x", "--root", &file("fake")];
    As::sudo(&world, AGENT).run(&fake, "").exits(6);
    assert_eq!(world.content(), before);
    let last = last_audited(&world);
    assert_eq!((&last["actor"], &last["outcome"]), (&AGENT.into(), &"refused".into()));
}

#[test]
fn a_forged_sudo_uid_counts_only_from_the_trees_owner() {
    if !can_change_users() {
        return;
    }
    // The worst case: the agent's user shares the tree's group, and claims to have been called by the reviewer.
    let world = world(&format!("[tree]\ngroup = \"{GROUP}\"\n{CONFIG}"));
    world.run(&["init"]).exits(0);
    share(&world);
    let review = As::sudo(&world, AGENT).in_group(GROUP).propose("carlo", "Vento unterstützt Telegram");
    let before = world.content();
    let forger = As::new(&world, AGENT).in_group(GROUP).env("SUDO_UID", uid(REVIEWER).to_string());
    for ran in forger.decide_all(&review) {
        let ran = ran.exits(4);
        assert_eq!(ran.error()["code"], "agent_decides", "{ran}");
    }
    assert_eq!(world.content(), before);
}

#[test]
fn the_configuration_maps_users_to_reviewers() {
    if !can_change_users() {
        return;
    }
    let mut world = world(CONFIG);
    let review = As::sudo(&world, AGENT).propose("carlo", "Vento unterstützt Telegram");
    world.at("2026-05-21T17:00:00Z");
    let reject = |way: &As<'_>, more: &[&str]| {
        way.run(&[&["review", "reject", &review, "--reason", "veraltet", "--json"], more].concat(), "")
    };
    for (way, more, code) in [
        (As::new(&world, SERVICE), vec![], "no_reviewer"),
        (As::sudo(&world, OTHER), vec![], "no_reviewer"),
        (As::sudo(&world, OTHER), vec!["--reviewer", "anna"], "no_reviewer"),
        (As::sudo(&world, REVIEWER), vec!["--reviewer", "carlo"], "not_your_name"),
    ] {
        assert_eq!(reject(&way, &more).exits(4).error()["code"], code);
    }
    reject(&As::sudo(&world, REVIEWER), &["--reviewer", "anna.m"]).exits(0);
    let last = last_audited(&world);
    assert_eq!(
        (&last["actor"], &last["via"], &last["op"]),
        (&"anna.m".into(), &"sudo".into(), &"review.reject".into())
    );
    As::sudo(&world, REVIEWER).run(&["review", "undo", &review], "").exits(0);
    assert_eq!(last_audited(&world)["actor"], "anna", "the first of several names, where none is asked for");
}

#[test]
fn the_tree_belongs_to_its_owner_and_to_nobody_else() {
    if !can_change_users() {
        return;
    }
    let mut world = world(CONFIG);
    // Root's own turn, then the service user's.
    world.append("mari", &turn_with("Vento läuft auf Port 8080"));
    let review = As::sudo(&world, AGENT).propose("carlo", "Vento unterstützt Telegram");
    world.at("2026-05-21T17:00:00Z");
    As::sudo(&world, REVIEWER).run(&["review", "reject", &review, "--reason", "veraltet"], "").exits(0);
    check_tree(&world, 0o750, 0o640, gid(SERVICE), &[uid(SERVICE)]);
}

/// Checks the rights and owners of everything in the tree.
#[track_caller]
fn check_tree(world: &World, folder: u32, file: u32, group: u32, owners: &[u32]) {
    for entry in walkdir::WalkDir::new(world.root()).min_depth(1).into_iter().map(Result::unwrap) {
        let meta = entry.metadata().unwrap();
        let mode = if meta.is_dir() { folder } else { file };
        let path = entry.path().display();
        assert_eq!(format!("{:o}", meta.mode() & 0o7777), format!("{mode:o}"), "{path}");
        assert_eq!(meta.gid(), group, "{path}");
        assert!(owners.contains(&meta.uid()), "{path} belongs to {}", meta.uid());
    }
}

/// Gives the root folder of a tree to the group.
fn share(world: &World) {
    chown(world.root(), None, Some(gid(GROUP))).unwrap();
    std::fs::set_permissions(world.root(), Permissions::from_mode(0o2770)).unwrap();
    let config = world.root().join("config.toml");
    chown(&config, Some(uid(SERVICE)), Some(gid(GROUP))).unwrap();
    std::fs::set_permissions(config, Permissions::from_mode(0o640)).unwrap();
}

#[test]
fn a_shared_tree_is_written_by_every_user_of_its_group() {
    if !can_change_users() {
        return;
    }
    let world = World::bare();
    std::fs::set_permissions(world.dir(), Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(world.root()).unwrap();
    chown(world.root(), Some(uid(SERVICE)), Some(gid(GROUP))).unwrap();
    world.write("memory/config.toml", format!("[tree]\ngroup = \"{GROUP}\"\n"));
    share(&world);
    world.run(&["init"]).exits(0);
    let member = |user| As::new(&world, user).in_group(GROUP);
    let first = member(SERVICE).propose("carlo", "Vento unterstützt Telegram");
    // The other user writes on in the same session, and decides about what the first one filed.
    let second = member(OTHER).propose("carlo", "Vento läuft auf Port 8080");
    member(OTHER).run(&["review", "reject", &first, "--reason", "veraltet"], "").exits(0);
    member(SERVICE).run(&["review", "reject", &second, "--reason", "veraltet"], "").exits(0);
    assert_eq!(last_audited(&world)["actor"], SERVICE);
    std::fs::remove_file(world.root().join("config.toml")).unwrap();
    check_tree(&world, 0o2770, 0o660, gid(GROUP), &[uid(SERVICE), uid(OTHER)]);
}

#[test]
fn a_user_without_rights_is_told_so_and_changes_nothing() {
    if !can_change_users() {
        return;
    }
    let world = world(CONFIG);
    let review = As::sudo(&world, AGENT).propose("carlo", "Vento unterstützt Telegram");
    let before = world.files("memory");
    let outsider = As::new(&world, OTHER);
    let turn = turn().to_string();
    for args in [
        vec!["session", "append", "--agent", "carlo"],
        vec!["review", "reject", &review, "--reason", "veraltet"],
        vec!["review", "pending"],
        vec!["status"],
        vec!["init"],
    ] {
        let ran = outsider.run(&args, &turn).exits(1);
        let root = world.root();
        assert!(ran.err.contains(root.to_str().unwrap()) && ran.err.contains("ermission denied"), "{args:?}: {ran}");
    }
    assert_eq!(world.files("memory"), before);
}

#[test]
fn folders_that_their_owner_cannot_write_refuse_every_change() {
    if !can_change_users() {
        return;
    }
    let world = world(CONFIG);
    let review = As::sudo(&world, AGENT).propose("carlo", "Vento unterstützt Telegram");
    for entry in
        walkdir::WalkDir::new(world.root()).into_iter().map(Result::unwrap).filter(|entry| entry.path().is_dir())
    {
        std::fs::set_permissions(entry.path(), Permissions::from_mode(0o550)).unwrap();
    }
    let before = world.files("memory");
    let turn = turn().to_string();
    for args in
        [vec!["session", "append", "--agent", "carlo"], vec!["review", "reject", &review, "--reason", "veraltet"]]
    {
        let ran = As::sudo(&world, REVIEWER).run(&args, &turn).exits(1);
        assert!(
            ran.err.contains(world.root().to_str().unwrap()) && ran.err.contains("ermission denied"),
            "{args:?}: {ran}"
        );
    }
    assert_eq!(world.files("memory"), before);
    As::sudo(&world, REVIEWER).run(&["review", "pending"], "").exits(0);
}
