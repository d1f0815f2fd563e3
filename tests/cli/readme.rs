//! Every command of README.md is run, in order, by one shell in a folder of its own, and what it shows is compared with what
//! the program says. `UPDATE=1 cargo test readme` rewrites the outputs.
//!
//! - `sh`: commands, which have to succeed; a `text` block right after is what they say, standard error included.
//! - `console`: lines after `$ `, gone on after `> `, each followed by what it says. One that fails has to say `error:`.
//! - `toml`: a configuration, which has to be fine. `cron` and `ini`: lines that call the program. `sudoers`: rules.

use std::fmt::Write as _;
use std::path::Path;

use regex::{Captures, Regex};

use crate::world::{World, is_updating, without};

/// The folder that the README's reader has cloned into.
const CLONE: &str = "/home/anna/hermes-mem";
/// The README's reader.
const READER: &str = "anna";

/// One command, and where its output stands.
struct Step {
    /// The lines to run.
    command: String,
    /// The lines of README.md that hold the output; `None` where none is shown.
    output: Option<std::ops::Range<usize>>,
    /// Whether it may fail, saying `error:`.
    may_fail: bool,
}

struct Block<'a> {
    language: &'a str,
    /// Its first and one past its last line.
    body: std::ops::Range<usize>,
}

fn blocks<'a>(lines: &[&'a str]) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for (at, line) in lines.iter().enumerate() {
        match (open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((at + 1, language)),
            (Some((from, language)), Some("")) => {
                blocks.push(Block { language, body: from..at });
                open = None;
            }
            _ => {}
        }
    }
    assert!(open.is_none(), "a block of README.md is not closed");
    blocks
}

fn steps(lines: &[&str]) -> Vec<Step> {
    let blocks = blocks(lines);
    let mut steps = Vec::new();
    for (nth, block) in blocks.iter().enumerate() {
        match block.language {
            "sh" => {
                let output = blocks
                    .get(nth + 1)
                    .filter(|next| next.language == "text" && next.body.start <= block.body.end + 3)
                    .map(|next| next.body.clone());
                steps.push(Step { command: lines[block.body.clone()].join("\n"), output, may_fail: false });
            }
            "console" => {
                let mut at = block.body.start;
                while at < block.body.end {
                    let first = lines[at].strip_prefix("$ ").unwrap_or_else(|| panic!("no command: {}", lines[at]));
                    let mut command = first.to_owned();
                    at += 1;
                    while let Some(more) = lines[at].strip_prefix("> ") {
                        command += "\n";
                        command += more;
                        at += 1;
                    }
                    let from = at;
                    while at < block.body.end && !lines[at].starts_with("$ ") {
                        at += 1;
                    }
                    steps.push(Step { command, output: Some(from..at), may_fail: true });
                }
            }
            "text" | "toml" | "cron" | "ini" | "sudoers" | "json" => {}
            other => panic!("README.md has a block that no test knows: {other:?}"),
        }
    }
    steps
}

/// What stands between two marks of the shell's output, and the exit status.
fn run(world: &World, steps: &[Step]) -> Vec<(String, i32)> {
    let mut script = String::from(
        // The program is built already, and the tests are running.
        "exec 2>&1\n\
         cargo() { case \"$1\" in run) while [ \"$1\" != -- ]; do shift; done; shift; hermes-mem \"$@\";; test|install) ;; \
         *) echo \"no such command here: cargo $1\"; return 101;; esac; }\n",
    );
    for (nth, step) in steps.iter().enumerate() {
        writeln!(script, "echo '@begin {nth}'\n{}\necho \"@end {nth} $?\"", step.command).unwrap();
    }
    world.write("hermes-mem/script", &script);
    let mut shell = world.shell("source ./script");
    let output = shell.env_remove("HERMES_MEM_ROOT").current_dir(world.dir().join("hermes-mem")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (0..steps.len())
        .map(|nth| {
            let rest = said.split_once(&format!("@begin {nth}\n")).unwrap_or_else(|| panic!("step {nth}: {said}")).1;
            let (text, rest) = rest.split_once(&format!("@end {nth} ")).unwrap_or_else(|| panic!("step {nth}: {said}"));
            (text.to_owned(), rest.lines().next().unwrap().parse().unwrap())
        })
        .collect()
}

/// What differs from run to run and from reader to reader, made the same: random parts of ids and the hashes that follow from
/// them, in the order in which they come; the folder; the reader.
fn steady(texts: Vec<(String, i32)>, world: &World) -> Vec<(String, i32)> {
    let random = Regex::new("(SESSION-[a-z0-9-]+-[0-9]{8}-)([0-9a-f]{6})").unwrap();
    let hash = Regex::new("[0-9a-f]{64}").unwrap();
    let login = uzers::get_current_username().unwrap().into_string().unwrap();
    let by = Regex::new(&format!(r"\bby {login}\b")).unwrap();
    let in_table = Regex::new(&format!(r"\b{login}( {{2,}})([^/ –])")).unwrap();
    let (mut ids, mut hashes) = (Vec::new(), Vec::new());
    let known = ["a3f7b2", "91be04", "5c20d8", "e7714a", "0b9f63", "c48e15", "7d02ba", "f3a690"];
    texts
        .into_iter()
        .map(|(text, code)| {
            let text = text.replace(world.dir().join("hermes-mem").to_str().unwrap(), CLONE);
            let text = random
                .replace_all(&text, |found: &Captures| format!("{}{}", &found[1], known[index(&mut ids, &found[2])]));
            let text = hash.replace_all(&text, |found: &Captures| {
                format!("{:02x}", 0x5d + 0x1b * index(&mut hashes, &found[0])).repeat(32)
            });
            let text = by.replace_all(&text, format!("by {READER}"));
            let text = in_table.replace_all(&text, |found: &Captures| {
                let width = (login.len() + found[1].len()).max(READER.len() + 2);
                format!("{READER:<width$}{}", &found[2])
            });
            // The page has no blanks at the ends of its lines, and no blank line at the end of a block.
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            (lines.join("\n").trim_end().to_owned(), code)
        })
        .collect()
}

/// Where a text stands among those that came before; the end, where it is new.
fn index(seen: &mut Vec<String>, text: &str) -> usize {
    seen.iter().position(|other| other == text).unwrap_or_else(|| {
        seen.push(text.to_owned());
        seen.len() - 1
    })
}

fn readme() -> (std::path::PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

#[test]
fn readme_shows_what_the_program_says() {
    let (path, text) = readme();
    let lines: Vec<&str> = text.lines().collect();
    let steps = steps(&lines);
    assert!(steps.iter().any(|step| step.command.trim() == "cargo test"), "no block is the tests' command alone");
    let world = World::bare();
    let said = steady(run(&world, &steps), &world);
    let mut fresh = lines.clone();
    for (step, (said, code)) in steps.iter().zip(&said).rev() {
        let failed_aloud = step.may_fail && said.lines().any(|line| line.starts_with("error:"));
        assert!(*code == 0 || failed_aloud, "exit {code}: {}\n{said}", step.command);
        let Some(at) = step.output.clone() else { continue };
        let shown: Vec<&str> = said.lines().collect();
        if !is_updating() {
            let there = lines[at.clone()].join("\n");
            assert_eq!(there, *said, "README.md shows another output (UPDATE=1 rewrites it): {}", step.command);
        }
        fresh.splice(at, shown);
    }
    if is_updating() {
        std::fs::write(path, fresh.join("\n") + "\n").unwrap();
    }
}

#[test]
fn readme_configurations_are_fine() {
    let (_, text) = readme();
    let lines: Vec<&str> = text.lines().collect();
    let group = Regex::new("group = \".*\"").unwrap();
    for block in blocks(&lines).iter().filter(|block| block.language == "toml") {
        let world = World::bare();
        // Only the group has to exist on the machine that checks.
        let config = group.replace(&lines[block.body.clone()].join("\n"), "group = \"root\"").into_owned();
        world.write("config.toml", config);
        world.run(&["config", "check", "--config", "config.toml"]).exits(0);
    }
}

#[test]
fn readme_timers_call_commands_that_exist() {
    let (_, text) = readme();
    let lines: Vec<&str> = text.lines().collect();
    let world = World::demo();
    world.make_backup_keys();
    let call = Regex::new(r"/usr/local/bin/hermes-mem ([^|&]*)").unwrap();
    let mut calls = 0;
    for block in blocks(&lines).iter().filter(|block| ["cron", "ini"].contains(&block.language)) {
        for line in &lines[block.body.clone()] {
            let Some(found) = call.captures(line) else { continue };
            let args: Vec<&str> = found[1].split_whitespace().collect();
            let ran = world.run(&args);
            assert!(matches!(ran.code, Some(0 | 4)) && ran.err.is_empty(), "{line}: {ran}");
            calls += 1;
        }
    }
    assert!(calls >= 2, "README.md has no timers");
}

#[test]
fn readme_sudo_rules_parse() {
    if without("visudo") {
        return;
    }
    let (_, text) = readme();
    let lines: Vec<&str> = text.lines().collect();
    for block in blocks(&lines).iter().filter(|block| block.language == "sudoers") {
        let world = World::bare();
        world.write("rules", lines[block.body.clone()].join("\n") + "\n");
        let checked = world.shell("PATH=$PATH:/usr/sbin visudo -c -f rules").output().unwrap();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }
}

#[test]
fn documents_link_to_files_and_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let link = Regex::new(r"\]\(([^)#:]+)\)").unwrap();
    for document in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"] {
        let text = std::fs::read_to_string(root.join(document)).unwrap();
        for found in link.captures_iter(&text) {
            assert!(root.join(&found[1]).exists(), "{document} links to {}", &found[1]);
        }
    }
    let sources: String = ["src", "tests"]
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(root.join(folder)))
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let (_, text) = readme();
    let promises = text.split_once("## What it promises").unwrap().1.split_once("\n## ").unwrap().0;
    let named = Regex::new("`([a-z]+_[a-z_0-9]+)`").unwrap();
    let tests: Vec<_> = named.captures_iter(promises).map(|found| found[1].to_owned()).collect();
    assert!(!tests.is_empty());
    for test in tests {
        assert!(sources.contains(&format!("fn {test}()")), "README.md names a test that is gone: {test}");
    }
    // Files that ARCHITECTURE.md names in passing.
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    for found in
        Regex::new(r"`((?:cli|app|store|vault|mask|domain)/[a-z_/]+(?:\.rs|/)?)`").unwrap().captures_iter(&text)
    {
        assert!(
            root.join("src").join(&found[1]).exists() || root.join(format!("src/{}.rs", &found[1])).exists(),
            "{}",
            &found[1]
        );
    }
}

#[test]
fn architecture_shows_how_to_check_the_audit_chain() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let block = blocks(&lines).into_iter().find(|block| block.language == "sh").unwrap();
    let world = World::demo();
    let output = world.shell(&lines[block.body].join("\n")).current_dir(world.root()).output().unwrap();
    let computed = String::from_utf8(output.stdout).unwrap();
    let log = std::fs::read_to_string(world.root().join("audit/2026-05.jsonl")).unwrap();
    let stored: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["hash"].as_str().unwrap().to_owned())
        .collect();
    assert!(!stored.is_empty());
    assert_eq!(computed.lines().map(|line| line.trim_end_matches("  -")).collect::<Vec<_>>(), stored);
}
