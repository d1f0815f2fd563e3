//! A crash loses nothing: the program is killed, or its system calls fail, at every point at which it changes a file.
//!
//! The clock is fixed, so the new state of a command is known to the byte. Whatever happens to it, each file is the old or
//! the new one, and after the next command that writes the whole tree is the old or the new one.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::world::{Ran, World, finish, has_tool, say, skip, turn, turn_with};

/// The system calls that change files.
const CHANGING: &str =
    "write,pwrite64,rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync,ftruncate,fchmod,fchown,link,linkat";

/// The files of a tree but for those that every command touches: the audit log, and what is on its way.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A command, the tree before it and the tree after it.
struct Scene {
    world: World,
    args: Vec<String>,
    input: String,
    /// What the audit log calls it.
    op: &'static str,
    old: Files,
    new: Files,
    /// How many lines of the operation the audit log has before.
    audited: usize,
    /// Whether one thing that fails does not keep the command from the others: it names it, and ends with a status of its own.
    goes_on: bool,
    /// Whether the tree is in order before, so that a check-up has nothing to say afterwards that it can't mend.
    is_sound: bool,
}

impl Scene {
    /// Takes the tree as it is for the old state, and plays the command once on a copy.
    fn new(world: World, op: &'static str, args: &[&str], input: &str) -> Self {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        copy(&world.root(), &world.dir().join("before"));
        let old = files(&world);
        let audited = count(&world, op);
        let mut scene = Self {
            world,
            args,
            input: input.to_owned(),
            op,
            new: old.clone(),
            old,
            audited,
            goes_on: false,
            is_sound: true,
        };
        scene.run(&mut scene.world.command(&scene.args())).exits(0);
        scene.new = files(&scene.world);
        assert_ne!(scene.old, scene.new);
        scene
    }

    /// The same for a command that goes on when one thing fails.
    fn going_on(self) -> Self {
        Self { goes_on: true, ..self }
    }

    /// The same for a tree with trouble in it that only a person mends.
    fn with_trouble(self) -> Self {
        Self { is_sound: false, ..self }
    }

    fn args(&self) -> Vec<&str> {
        self.args.iter().map(String::as_str).collect()
    }

    /// Puts the tree back to the old state.
    fn reset(&self) {
        std::fs::remove_dir_all(self.world.root()).unwrap();
        copy(&self.world.dir().join("before"), &self.world.root());
    }

    fn run(&self, command: &mut Command) -> Ran {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        finish(child, self.input.as_bytes())
    }

    /// Runs the command under strace, with further arguments for it.
    fn traced(&self, with: &[&str]) -> Ran {
        let plain = self.world.command(&self.args());
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "trace", "-e", &format!("trace={CHANGING}")]).args(with);
        command.arg(plain.get_program()).args(plain.get_args()).current_dir(self.world.dir()).env_clear();
        command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        self.run(&mut command)
    }

    /// How often the command makes each of the calls.
    fn calls(&self) -> BTreeMap<String, usize> {
        self.reset();
        self.traced(&[]).exits(0);
        let mut calls = BTreeMap::new();
        for line in std::fs::read_to_string(self.world.dir().join("trace")).unwrap().lines() {
            let call = line.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == ' ').split_once('(');
            if let Some((call, _)) = call.filter(|(call, _)| CHANGING.split(',').any(|known| known == *call)) {
                *calls.entry(call.to_owned()).or_insert(0) += 1;
            }
        }
        calls
    }

    /// Checks the tree after an accident and answers whether the change is in it.
    #[track_caller]
    fn check(&self, ran: &Ran, point: &str) -> bool {
        for (path, bytes) in files(&self.world) {
            let whole = [&self.old, &self.new].iter().any(|state| state.get(&path) == Some(&bytes));
            assert!(whole, "{point}: {} is neither old nor new\n{ran}", path.display());
        }
        // A command that is refused changes nothing but the audit log; under the lock it cleans up.
        self.world.run_with(&["session", "append", "--agent", "probe"], "{}").exits(4);
        let state = files(&self.world);
        let is_new = state == self.new;
        assert!(is_new || state == self.old, "{point}: the tree is neither old nor new\n{ran}");
        let left: Vec<_> =
            self.world.files("memory/.staging").into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
        assert!(left.is_empty(), "{point}: left behind: {left:?}");
        assert_eq!(self.world.files("memory/.staging").len(), 1, "{point}: only the empty journal stays");
        self.world.run(&["audit", "verify"]).exits(0);
        assert_eq!(count(&self.world, self.op) - self.audited, usize::from(is_new), "{point}: the audit log\n{ran}");
        assert!(is_new || ran.code != Some(0), "{point}: an acknowledged change is lost\n{ran}");
        if self.is_sound {
            let ran = self.world.run(&["doctor", "--repair"]);
            assert_eq!(ran.code, Some(0), "{point}: doctor can't mend the tree\n{ran}");
        }
        is_new
    }

    /// Kills the command before each call, then lets each call fail with each error.
    fn play(&self) {
        let calls = self.calls();
        let (mut points, mut kept) = (0, 0);
        for (call, count) in &calls {
            for nth in 1..=*count {
                for what in ["signal=KILL", "error=ENOSPC", "error=EIO"] {
                    let point = format!("{} {what} at {call} {nth}/{count}", self.op);
                    self.reset();
                    let ran = self.traced(&["-e", &format!("inject={call}:{what}:when={nth}")]);
                    let is_new = self.check(&ran, &point);
                    points += 1;
                    kept += usize::from(is_new);
                    if what != "signal=KILL" {
                        self.check_error(&ran, is_new, &point);
                    }
                }
            }
        }
        say(&format!(
            "1 command, {} calls, {points} injection points and runs: {kept} with the new state, {} with the old; lost turns 0, lost \
             decisions 0, trees that doctor could not mend 0",
            calls.values().sum::<usize>(),
            points - kept
        ));
    }

    /// An error is told, with the path, and says truly whether the change is in the tree.
    #[track_caller]
    fn check_error(&self, ran: &Ran, is_new: bool, point: &str) {
        if ran.code == Some(0) {
            // What failed was not needed: a hint on stderr, a file that was cleared away.
            return;
        }
        if self.goes_on && matches!(ran.code, Some(3 | 4 | 6)) {
            let said = format!("{}{}", ran.out, ran.err);
            assert!(said.contains(self.world.root().to_str().unwrap()), "{point}: no path in what is said\n{ran}");
            return;
        }
        assert_eq!(ran.code, Some(1), "{point}\n{ran}");
        let says_new =
            ["begun and not finished", "the answer could not be written"].iter().any(|said| ran.err.contains(said));
        assert_eq!(says_new, is_new, "{point}: the error does not say what happened\n{ran}");
        let names_path = ran.err.contains(self.world.root().to_str().unwrap()) || ran.err.contains("the answer");
        assert!(names_path, "{point}: no path in the error\n{ran}");
    }
}

/// The blocks are what an export says: which bytes the database has them in is SQLite's business.
fn files(world: &World) -> Files {
    let is_database = |path: &Path| path.to_str().is_some_and(|path| path.starts_with("blocks.db"));
    let own = |path: &Path| path.starts_with("audit") || path.starts_with(".staging") || is_database(path);
    let mut files: Files = world.files("memory").into_iter().filter(|(path, _)| !own(path)).collect();
    if world.root().join("blocks.db").exists() {
        let exported = world.run(&["block", "export"]).exits(0).out;
        if !exported.is_empty() {
            // Ids that the program draws are others each time, and so is their order.
            let id = regex::Regex::new("\"id\":\"[0-9a-f-]{36}\"").unwrap();
            let mut lines: Vec<_> = exported.lines().map(|line| id.replace(line, "")).collect();
            lines.sort();
            files.insert("blocks".into(), lines.join("\n").into_bytes());
        }
    }
    files
}

/// How many lines of an operation that went well the audit log has.
fn count(world: &World, op: &str) -> usize {
    let log: String =
        world.files("memory/audit").into_iter().map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect();
    let op = format!("\"op\":\"{op}\"");
    log.lines().filter(|line| line.contains(&op) && line.contains("\"outcome\":\"ok\"")).count()
}

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(done.success());
}

/// Plays a scene at every point, if strace is there.
fn at_every_point(make: impl FnOnce() -> Scene) {
    if !has_tool("strace") {
        return skip("strace is missing");
    }
    make().play();
}

/// A world with a session of two turns and a review; later its session is closed by time.
fn world() -> (World, String, String) {
    let world = World::new();
    let answer = world.append("hermes-carlo", &turn_with("Vento unterstützt Telegram"));
    world.append("hermes-carlo", &turn());
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    (world, text(&answer["session_id"]), text(&answer["reviews_created"][0]))
}

fn append() -> Scene {
    let (world, ..) = world();
    let turn = turn_with("Vento läuft auf Port 8080").to_string();
    Scene::new(world, "session.append", &["session", "append", "--agent", "hermes-carlo", "--json"], &turn)
}

fn approve() -> Scene {
    let (mut world, _, review) = world();
    world.at("2026-05-21T17:00:00Z");
    Scene::new(world, "review.approve", &["review", "approve", &review, "--evidence", "commit 4f2a91c", "--yes"], "")
}

/// A record with an id, so that the new state is known.
fn record() -> String {
    let mut record = json!({"type": "project_state", "category": "project", "key": "stand", "value": "90 % fertig"});
    record["id"] = "0d5c3f5e-6f1a-4c57-9d0b-0000000000a1".into();
    record["entities"] = json!(["Vento"]);
    record.to_string()
}

/// A world with a block that is proposed.
fn proposed() -> World {
    let mut world = World::new();
    world.run_with(&["block", "add", "--agent", "hermes-carlo"], record()).exits(0);
    world.run(&["block", "propose", "stand", "--agent", "hermes-carlo"]).exits(0);
    world.at("2026-05-21T17:00:00Z");
    world
}

#[test]
fn the_first_block_is_whole_or_not_at_all() {
    at_every_point(|| Scene::new(World::new(), "block.add", &["block", "add", "--agent", "hermes-carlo"], &record()));
}

#[test]
fn a_block_that_closes_another_is_whole_or_not_at_all() {
    at_every_point(|| {
        let other = record().replace("a1\"", "b2\"").replace("90", "95");
        let mut world = proposed();
        world.at("2026-05-21T18:00:00Z");
        Scene::new(world, "block.add", &["block", "add"], &other)
    });
}

#[test]
fn a_proposal_of_a_block_is_whole_or_not_at_all() {
    at_every_point(|| {
        let world = World::new();
        world.run_with(&["block", "add"], record()).exits(0);
        Scene::new(world, "block.propose", &["block", "propose", "stand"], "")
    });
}

#[test]
fn a_review_and_its_block_are_verified_both_or_neither() {
    at_every_point(|| {
        let args = ["review", "approve", "stand", "--evidence", "commit 4f2a91c", "--yes"];
        Scene::new(proposed(), "review.approve", &args, "")
    });
}

#[test]
fn a_block_is_forgotten_or_not() {
    at_every_point(|| Scene::new(proposed(), "block.forget", &["block", "forget", "stand"], ""));
}

/// A world in which a memory of before says something else.
fn old_memory() -> (World, String) {
    let mut world = World::new();
    let path = world.dir().join("old.jsonl");
    std::fs::write(&path, "{\"key\":\"editor\",\"value\":\"vim\"}\n").unwrap();
    world.run(&["migrate", "run", path.to_str().unwrap()]).exits(0);
    world.at("2026-05-22T14:30:00Z");
    std::fs::write(&path, "{\"key\":\"editor\",\"value\":\"neovim\"}\n").unwrap();
    (world, path.to_str().unwrap().to_owned())
}

#[test]
fn a_memory_is_taken_over_or_not() {
    at_every_point(|| {
        let (world, path) = old_memory();
        Scene::new(world, "migrate.run", &["migrate", "run", &path], "")
    });
}

#[test]
fn a_migration_is_taken_back_or_not() {
    at_every_point(|| {
        let (mut world, path) = old_memory();
        world.run(&["migrate", "run", &path]).exits(0);
        world.at("2026-05-23T14:30:00Z");
        Scene::new(world, "migrate.undo", &["migrate", "undo", "latest", "--yes"], "")
    });
}

#[test]
fn an_append_is_whole_or_not_at_all() {
    at_every_point(append);
}

#[test]
fn an_approval_is_whole_or_not_at_all() {
    at_every_point(approve);
}

#[test]
fn a_close_is_whole_or_not_at_all() {
    at_every_point(|| {
        let (world, session, _) = world();
        Scene::new(world, "session.close", &["session", "close", &session], "")
    });
}

#[test]
fn a_rejection_is_whole_or_not_at_all() {
    at_every_point(|| {
        let (world, _, review) = world();
        Scene::new(world, "review.reject", &["review", "reject", &review, "--reason", "veraltet"], "")
    });
}

#[test]
fn an_undo_is_whole_or_not_at_all() {
    at_every_point(|| {
        let (world, _, review) = world();
        world.run(&["review", "reject", &review, "--reason", "veraltet"]).exits(0);
        Scene::new(world, "review.undo", &["review", "undo", &review], "")
    });
}

/// A tree in which retention has something of everything to do: four sessions in each state but the last, and reviews.
fn retention() -> Scene {
    let mut world = World::new();
    for (nth, at) in ["2026-04-10T10:00:00Z", "2026-05-12T10:00:00Z", "2026-05-21T09:00:00Z", "2026-05-21T13:50:00Z"]
        .iter()
        .enumerate()
    {
        world.at(at);
        for agent in ["carlo", "mari", "flo"] {
            world.append(agent, &turn_with(&format!("Vento hat {nth} Kanäle, sagt {agent}")));
        }
    }
    world.at("2026-05-21T14:30:00Z");
    Scene::new(world, "retention.run", &["retention", "run"], "")
}

#[test]
fn a_retention_run_of_one_step_is_whole_or_not_at_all() {
    at_every_point(retention);
}

#[test]
fn an_erasure_of_one_step_is_whole_or_not_at_all() {
    at_every_point(|| {
        let (world, ..) = world();
        Scene::new(world, "erase", &["erase", "--match", "Telegram", "--yes"], "")
    });
}

#[test]
fn a_transfer_is_whole_or_not_at_all() {
    at_every_point(|| {
        let (mut world, _, review) = world();
        world.at("2026-05-21T17:00:00Z");
        world.run(&["review", "approve", &review, "--evidence", "commit 4f2a91c", "--yes"]).exits(0);
        Scene::new(world, "review.transferred", &["review", "transferred", &review, "--unchecked"], "")
    });
}

#[test]
fn a_proposal_is_filed_or_not() {
    at_every_point(|| {
        let args = ["review", "create", "--fact", "Vento läuft auf Port 8080", "--project", "Vento"];
        Scene::new(world().0, "review.create", &args, "")
    });
}

#[test]
fn a_confirmation_is_whole_or_not_at_all() {
    at_every_point(|| Scene::new(proposed(), "block.confirm", &["block", "confirm", "stand"], ""));
}

#[test]
fn an_import_is_whole_or_not_at_all() {
    at_every_point(|| {
        let exported = proposed().run(&["block", "export"]).exits(0).out;
        Scene::new(World::new(), "block.import", &["block", "import"], &exported)
    });
}

#[test]
fn a_file_is_set_aside_or_stays() {
    at_every_point(|| {
        let (world, ..) = world();
        let path = "memory/review-queue/REVIEW-20260501-120000-torn.json";
        world.write(path, "{\"review_id\":");
        std::fs::set_permissions(world.dir().join(path), PermissionsExt::from_mode(0o640)).unwrap();
        Scene::new(world, "doctor.quarantine", &["doctor", "--repair"], "").going_on()
    });
}

#[test]
fn a_misplaced_session_is_moved_or_stays() {
    at_every_point(|| {
        let (world, session, _) = world();
        let [from, to] =
            ["active", "closed"].map(|folder| world.root().join(format!("sessions/{folder}/{session}.json")));
        std::fs::rename(from, to).unwrap();
        Scene::new(world, "doctor.move", &["doctor", "--repair"], "").going_on()
    });
}

#[test]
fn a_document_is_masked_or_stays() {
    at_every_point(|| {
        let (world, session, _) = world();
        let path = world.root().join(format!("sessions/active/{session}.json"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, text.replacen("Vento", "anna.meier@example.com", 1)).unwrap();
        Scene::new(world, "mask.fix", &["mask", "scan", "--fix"], "").going_on().with_trouble()
    });
}

#[test]
fn a_backup_is_whole_or_not_at_all() {
    if !has_tool("strace") {
        return skip("strace is missing");
    }
    let (mut world, ..) = world();
    world.make_backup_keys();
    world.run(&["backup", "run"]).exits(0);
    copy(&world.dir().join("target"), &world.dir().join("target-before"));
    let before = world.root();
    copy(&before, &world.dir().join("before"));
    world.at("2026-05-21T15:30:00Z");
    let old = files(&world);
    let scene = Scene {
        args: ["backup", "run"].map(str::to_owned).to_vec(),
        input: String::new(),
        op: "backup.run",
        audited: count(&world, "backup.run"),
        new: old.clone(),
        old,
        world,
        goes_on: false,
        is_sound: true,
    };
    let target = scene.world.dir().join("target");
    let afresh = || {
        std::fs::remove_dir_all(&target).unwrap();
        copy(&scene.world.dir().join("target-before"), &target);
    };
    let calls = scene.calls();
    let (mut points, mut made) = (0, 0);
    for (call, count) in &calls {
        for nth in 1..=*count {
            for what in ["signal=KILL", "error=ENOSPC", "error=EIO"] {
                let point = format!("backup {what} at {call} {nth}/{count}");
                scene.reset();
                afresh();
                let ran = scene.traced(&["-e", &format!("inject={call}:{what}:when={nth}")]);
                let names = scene.world.backups();
                assert!(names.len() == 2 || names.len() == 1 && ran.code != Some(0), "{point}: {names:?}\n{ran}");
                let verified = scene.world.run(&["backup", "verify", "--all", "--secret-key", "backup.key"]);
                assert_eq!(verified.code, Some(0), "{point}: {verified}\n{ran}");
                if what != "signal=KILL" && ran.code != Some(0) {
                    assert!(ran.code == Some(1) && ran.err.contains('/'), "{point}: {ran}");
                }
                // The next run takes away what was left and makes its own.
                scene.world.run(&["backup", "run", "--now", "2026-05-21T16:30:00Z"]).exits(0);
                let left = scene.world.in_target().into_iter().filter(|name| name.starts_with('.')).count();
                assert_eq!(left, 0, "{point}");
                scene.world.run(&["doctor", "--repair", "--now", "2026-05-21T16:30:00Z"]).exits(0);
                points += 1;
                made += names.len() - 1;
            }
        }
    }
    say(&format!(
        "1 command, {} calls, {points} injection points and runs: {made} with the new backup, {} without; lost turns 0, lost decisions 0, \
         trees that doctor could not mend 0",
        calls.values().sum::<usize>(),
        points - made
    ));
}

#[test]
fn many_blocks_under_fire_are_kept_as_acknowledged() {
    let (mut random, kills) = (Random::new(), kills());
    let world = World::new();
    let keep = |nth: usize| {
        let value = format!("Wert {nth}");
        let record = json!({"type": "procedural", "category": "skill", "key": format!("k{nth}"), "value": value});
        world.write("input", record.to_string());
        let mut command = world.command(&["block", "add"]);
        command.stdin(std::fs::File::open(world.dir().join("input")).unwrap());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let whole = duration(|| drop(keep(kills).wait()));
    let mut acknowledged = vec![kills];
    for nth in 0..kills {
        let mut child = keep(nth);
        std::thread::sleep(random.up_to(whole * 2));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            acknowledged.push(nth);
        }
    }
    world.run_with(&["session", "append", "--agent", "probe"], "{}").exits(4);
    let kept = world.json(&["block", "list", "--sort", "key"]);
    let kept: Vec<&str> =
        kept["blocks"].as_array().unwrap().iter().map(|block| block["value"].as_str().unwrap()).collect();
    for nth in &acknowledged {
        assert!(kept.contains(&format!("Wert {nth}").as_str()), "{nth} was acknowledged and is lost");
    }
    assert_eq!(count(&world, "block.add"), kept.len(), "each block has its audit line, and each line its block");
    world.run(&["audit", "verify"]).exits(0);
    say(&format!("{kills} adds killed, {} acknowledged, {} kept, 0 lost", acknowledged.len(), kept.len()));
}

/// Numbers without order (xorshift), from a seed.
pub(crate) struct Random(u64);

impl Random {
    /// From `HERMES_MEM_TESTS_SEED`, else from the process's id; said, so that a failure can be repeated.
    pub(crate) fn new() -> Self {
        let given = std::env::var("HERMES_MEM_TESTS_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| u64::from(std::process::id()));
        say(&format!("HERMES_MEM_TESTS_SEED={seed}"));
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Others, from these.
    pub(crate) fn branch(&mut self) -> Self {
        self.up_to(Duration::ZERO);
        Self(self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn up_to(&mut self, longest: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        longest * u32::try_from(self.0 % 1000).unwrap() / 1000
    }
}

/// How long something takes.
fn duration(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// How often a command is killed at a random moment; `HERMES_MEM_TESTS_LONG` makes it twenty times as many.
pub(crate) fn kills() -> usize {
    if std::env::var_os("HERMES_MEM_TESTS_LONG").is_some() { 800 } else { 40 }
}

#[test]
fn a_kill_at_a_random_moment_leaves_the_old_or_the_new_state() {
    let (mut random, kills) = (Random::new(), kills());
    for scene in [append(), approve(), retention()] {
        let (mut killed, mut kept) = (0, 0);
        scene.reset();
        let whole = duration(|| drop(scene.run(&mut scene.world.command(&scene.args()))));
        for nth in 0..kills {
            scene.reset();
            let delay = random.up_to(whole);
            let mut command = scene.world.command(&scene.args());
            // In a file, so that nothing has to feed the process that is about to die.
            scene.world.write("input", &scene.input);
            command.stdin(std::fs::File::open(scene.world.dir().join("input")).unwrap());
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(delay);
            child.kill().unwrap();
            let status = child.wait().unwrap();
            killed += usize::from(status.signal().is_some());
            let ran = Ran { code: status.code(), out: String::new(), err: String::new() };
            kept += usize::from(scene.check(&ran, &format!("kill {nth} after {delay:?}")));
        }
        say(&format!(
            "{}: {killed} of {kills} killed, {kept} with the new state, 0 acknowledged changes lost",
            scene.op
        ));
    }
}

#[test]
fn many_appends_under_fire_keep_every_acknowledged_turn() {
    let (mut random, kills) = (Random::new(), kills());
    let world = World::new();
    let whole = duration(|| drop(world.append("hermes-carlo", &turn())));
    let mut acknowledged = Vec::new();
    for nth in 0..kills {
        let mut turn = turn();
        turn["conversation_summary"] = json!(format!("Antwort {nth}"));
        world.write("input", turn.to_string());
        let mut command = world.command(&["session", "append", "--agent", "hermes-carlo"]);
        command.stdin(std::fs::File::open(world.dir().join("input")).unwrap());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(random.up_to(whole * 2));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            acknowledged.push(format!("Antwort {nth}"));
        }
    }
    world.append("hermes-carlo", &turn());
    let (_, bytes) = world.files("memory/sessions/active").pop().unwrap();
    let session: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let turns = session["turns"].as_array().unwrap();
    for (at, turn) in turns.iter().enumerate() {
        assert_eq!(turn["turn_id"], at + 1);
    }
    for text in &acknowledged {
        assert_eq!(turns.iter().filter(|turn| turn["conversation_summary"] == *text).count(), 1, "{text}");
    }
    world.run(&["audit", "verify"]).exits(0);
    say(&format!("{kills} appends killed, {} acknowledged, 0 lost", acknowledged.len()));
}
