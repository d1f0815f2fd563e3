//! A world of a test's own: a temporary tree, a fixed clock, no environment but its own.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The moment at which most tests take place: the documents' own day.
pub(crate) const NOW: &str = "2026-05-21T14:30:00Z";

/// What a run of the program left behind.
pub(crate) struct Ran {
    /// The exit status; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    /// The JSON document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("no JSON ({error}): {self}"))
    }

    /// The error object on standard error.
    #[track_caller]
    pub(crate) fn error(&self) -> Value {
        let text: Value = serde_json::from_str(&self.err).unwrap_or_else(|error| panic!("no JSON ({error}): {self}"));
        text["error"].clone()
    }

    /// The same run, which has to have ended with this status.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or_else(|| "signal".to_owned(), |code| code.to_string());
        write!(f, "exit {code}")?;
        for (name, text) in [("stdout", &self.out), ("stderr", &self.err)] {
            if !text.is_empty() {
                write!(f, "\n--- {name}\n{text}")?;
            }
        }
        Ok(())
    }
}

/// A world with a tree in it.
pub(crate) struct World {
    dir: TempDir,
    now: String,
}

impl World {
    /// A world with an empty tree.
    pub(crate) fn new() -> Self {
        let world = Self::bare();
        world.run(&["init"]).exits(0);
        world
    }

    /// A world without a tree.
    pub(crate) fn bare() -> Self {
        Self { dir: TempDir::new().unwrap(), now: NOW.to_owned() }
    }

    /// A world with the demo in it.
    pub(crate) fn demo() -> Self {
        let world = Self::bare();
        world.run(&["init", "--demo"]).exits(0);
        world
    }

    /// The folder that everything of this world is in.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The tree.
    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("memory")
    }

    /// Sets the clock.
    pub(crate) fn at(&mut self, now: &str) -> &mut Self {
        now.clone_into(&mut self.now);
        self
    }

    /// The clock.
    pub(crate) fn now(&self) -> &str {
        &self.now
    }

    /// A command of the program in this world: the tree, the clock, an empty environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hermes-mem"));
        command
            .args(args)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("TZ", "UTC")
            .env("HERMES_MEM_ROOT", self.root())
            .env("HERMES_MEM_NOW", &self.now)
            .current_dir(self.dir());
        command
    }

    /// A line for bash in this world, in which `hermes-mem` is the program.
    pub(crate) fn shell(&self, line: &str) -> Command {
        self.shell_of("bash", line)
    }

    /// A line for another shell.
    pub(crate) fn shell_of(&self, shell: &str, line: &str) -> Command {
        let bin = Path::new(env!("CARGO_BIN_EXE_hermes-mem")).parent().unwrap();
        let mut command = Command::new(shell);
        command
            .args(["-c", line])
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .env("TZ", "UTC")
            .env("LC_ALL", "C.UTF-8")
            .env("HERMES_MEM_ROOT", self.root())
            .env("HERMES_MEM_NOW", &self.now)
            .stdin(Stdio::null())
            .current_dir(self.dir());
        command
    }

    /// Runs the program without input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "")
    }

    /// Runs the program with this on standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
        finish(self.start(args), input.as_ref())
    }

    /// Starts the program, its standard input, output and error piped.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Appends a turn as an agent and answers the JSON document.
    #[track_caller]
    pub(crate) fn append(&self, agent: &str, turn: &Value) -> Value {
        self.run_with(&["session", "append", "--agent", agent, "--json"], turn.to_string()).exits(0).json()
    }

    /// Writes a file in this world, folders included.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.dir().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Makes a review that can be approved and answers its id; its session is closed.
    #[track_caller]
    pub(crate) fn review_of(&self, fact: &str) -> String {
        let answer = self.append("hermes-carlo", &turn_with(fact));
        self.run(&["session", "close", answer["session_id"].as_str().unwrap()]).exits(0);
        answer["reviews_created"][0].as_str().unwrap().to_owned()
    }

    /// A review's status, as the program has it.
    #[track_caller]
    pub(crate) fn status_of(&self, review: &str) -> String {
        let shown = self.run(&["review", "show", review, "--json"]).exits(0).json();
        shown["status"].as_str().unwrap().to_owned()
    }

    /// The tree but for the audit log, which records refusals.
    pub(crate) fn content(&self) -> Vec<(PathBuf, Vec<u8>)> {
        self.files("memory").into_iter().filter(|(path, _)| !path.starts_with("audit")).collect()
    }

    /// Every file below a folder, with its contents, by its path relative to it.
    pub(crate) fn files(&self, below: impl AsRef<Path>) -> Vec<(PathBuf, Vec<u8>)> {
        let base = self.dir().join(below);
        let mut files: Vec<_> = walkdir::WalkDir::new(&base)
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| (entry.path().strip_prefix(&base).unwrap().to_owned(), std::fs::read(entry.path()).unwrap()))
            .collect();
        files.sort();
        files
    }
}

/// Says aloud that a test can't be run here, and why; where `HERMES_MEM_TESTS_STRICT` is set, that is a failure.
pub(crate) fn skip(why: &str) {
    assert!(std::env::var_os("HERMES_MEM_TESTS_STRICT").is_none(), "can't be run here: {why}");
    // Past the harness, which swallows what a test prints.
    let _ = writeln!(std::io::stderr(), "skipped {}: {why}", std::thread::current().name().unwrap_or_default());
}

/// Says a test's figures, past the harness.
pub(crate) fn say(figures: &str) {
    let _ = writeln!(std::io::stderr(), "{}: {figures}", std::thread::current().name().unwrap_or_default());
}

/// Something mounted over a folder; unmounted when dropped.
pub(crate) struct Mounted(PathBuf);

impl Mounted {
    /// Mounts, if this user and system can.
    pub(crate) fn try_new(folder: &Path, args: &[&str]) -> Option<Self> {
        let can = rustix::process::geteuid().is_root() && has_tool("mount");
        let done = can && Command::new("mount").args(args).arg(folder).output().unwrap().status.success();
        done.then(|| Self(folder.to_owned()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Whether a program of the system is there.
pub(crate) fn has_tool(name: &str) -> bool {
    ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].iter().any(|folder| Path::new(folder).join(name).exists())
}

/// Feeds a child and waits for it.
pub(crate) fn finish(mut child: Child, input: &[u8]) -> Ran {
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // From a thread of its own: a program that does not read all must not block the test.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The smallest turn that is taken.
pub(crate) fn turn() -> Value {
    json!({
        "user_input_summary": "User fragt nach dem Stand von Vento",
        "retrieval_meta": {"obsidian_sources": 1, "graphiti_facts": 10, "confidence": "medium"},
        "conversation_summary": "Vento 90 % fertig, nicht live."
    })
}

/// The smallest turn that proposes a fact.
pub(crate) fn turn_with(fact: &str) -> Value {
    let mut turn = turn();
    turn["proposed_facts"] = json!([{"fact": fact, "status": "user_stated"}]);
    turn
}

/// A text in which what differs from run to run is replaced: the random part of a session's id, and the world's folder.
pub(crate) fn steady(text: &str, world: &World) -> String {
    let text = text.replace(world.dir().to_str().unwrap(), "WORLD");
    regex::Regex::new("(SESSION-[a-z0-9-]+-[0-9]{8})-[0-9a-f]{6}").unwrap().replace_all(&text, "$1-xxxxxx").into_owned()
}

/// Whether what is generated is to be rewritten: `UPDATE=1`.
pub(crate) fn is_updating() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// Whether a program that a test needs is missing; the test says aloud that it skips.
pub(crate) fn without(program: &str) -> bool {
    let is_missing = !has_tool(program);
    if is_missing {
        skip(&format!("{program} is not installed"));
    }
    is_missing
}
