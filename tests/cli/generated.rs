//! The man pages, made from the command line itself and compared with what is committed; `UPDATE=1` rewrites them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::CommandFactory;
use clap_mangen::Man;
use hermes_mem::cli::args::Cli;
use hermes_mem::cli::examples;

use crate::world::{World, is_updating, turn_with, without};

/// The pages' date: that of the last change worth one, so that they come out the same every day.
const DATE: &str = "2026-05-21";

const EXIT: &[(&str, &str)] = &[
    ("0", "Done."),
    ("1", "Failed."),
    ("2", "The command line is wrong."),
    ("3", "Partly done: some items failed, the rest is done."),
    (
        "4",
        "Refused by a rule: a human, a flag or other input is needed. Also the answer of a check that found something.",
    ),
    ("5", "Not found, or ambiguous."),
    ("6", "Integrity: a damaged file, or a broken audit chain."),
    ("10", "No memory tree at the root."),
    ("11", "Locked by another process for longer than --wait."),
    ("130", "Interrupted."),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("HERMES_MEM_ROOT", "The memory tree, where --root is not given."),
    ("HERMES_MEM_CONFIG", "The configuration, where --config is not given."),
    ("HERMES_MEM_AGENT", "The agent that acts, where --agent is not given."),
    ("HERMES_MEM_NOW", "The moment to take for the present, where --now is not given. RFC 3339."),
    ("VISUAL, EDITOR", "The editor of review edit and review batch, the first of them that is set."),
    (
        "XDG_RUNTIME_DIR",
        "Where text lies while it is open in the editor; without it, in a folder of the tree that only its owner may enter.",
    ),
    ("NO_COLOR, CLICOLOR_FORCE", "No colours, or colours where there is no terminal either. --color comes first."),
    ("TERM", "When it is dumb there are no colours, and nothing is asked."),
    ("COLUMNS", "The width of the output, instead of the terminal's."),
    ("SUDO_UID", "Who acts, when the program runs by sudo as the owner of the tree."),
];

const FILES: &[(&str, &str)] = &[
    ("/opt/struktur/memory", "The memory tree, unless another is named."),
    (
        "<root>/config.toml, /etc/hermes-mem/config.toml",
        "The configuration: the first that exists. hermes-mem config show explains its keys.",
    ),
    ("<root>/sessions/{active,idle,closed,archived}/", "A session each, JSON; gzip in archived."),
    ("<root>/review-queue/", "A review each, JSON: those that wait, and those approved but not yet in the vault."),
    ("<root>/review-queue/archived/", "Reviews that are decided and done."),
    (
        "<root>/.locks/, .staging/, .editing/, .cache/",
        "The writers' lock, changes under way, text open in an editor, what can be made anew.",
    ),
    (
        "<root>/audit/YYYY-MM.jsonl",
        "What was changed or refused, by whom; each line is chained to the one before by its hash.",
    ),
];

/// Every page: its file name and its text.
fn pages() -> BTreeMap<String, String> {
    let mut command = Cli::command();
    command.build();
    let mut pages = BTreeMap::new();
    add(&command, "", &mut pages);
    pages
}

fn add(command: &clap::Command, words: &str, pages: &mut BTreeMap<String, String>) {
    for inner in command.get_subcommands() {
        add(inner, format!("{words} {}", inner.get_name()).trim_start(), pages);
    }
    let name = format!("hermes-mem {words}").trim_end().replace(' ', "-");
    let man = Man::new(command.clone())
        .title(name.to_uppercase())
        .date(DATE)
        .source(concat!("hermes-mem ", env!("CARGO_PKG_VERSION")))
        .manual("hermes-mem manual");
    let mut page = Vec::new();
    man.render_title(&mut page).unwrap();
    man.render_name_section(&mut page).unwrap();
    man.render_synopsis_section(&mut page).unwrap();
    man.render_description_section(&mut page).unwrap();
    man.render_options_section(&mut page).unwrap();
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page).unwrap();
    }
    let mut page = String::from_utf8(page).unwrap();
    for (title, entries) in [("EXIT STATUS", EXIT), ("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)] {
        writeln!(page, ".SH \"{title}\"").unwrap();
        for (term, text) in entries {
            writeln!(page, ".TP\n{}\n{}", roff(term), roff(text)).unwrap();
        }
    }
    page += ".SH EXAMPLES\n";
    for (nth, example) in examples::of(words).iter().enumerate() {
        let paragraph = if nth == 0 { "" } else { ".PP\n" };
        let (about, line) = (roff(example.about), roff(example.line));
        writeln!(page, "{paragraph}{about}\n.PP\n.RS 4\n.nf\n{line}\n.fi\n.RE").unwrap();
    }
    let other = if words.is_empty() { "hermes-mem-review" } else { "hermes-mem" };
    writeln!(page, ".SH \"SEE ALSO\"\n.BR {} (1)", roff(other)).unwrap();
    // No line ends in blanks, and a blank line between two breaks, which the linter dislikes, is one space.
    let page = page.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n";
    let page = page.replace("\n.br\n\n.br\n", "\n.sp\n");
    pages.insert(format!("{name}.1"), page);
}

/// A text as roff takes it: a line of it is no macro, a hyphen stays one, and what is not ASCII is named.
fn roff(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        match char {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            char if char.is_ascii() => out.push(char),
            char => write!(out, "\\[u{:04X}]", char as u32).unwrap(),
        }
    }
    if out.starts_with(['.', '\'']) { format!("\\&{out}") } else { out }
}

fn man_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("man")
}

#[test]
fn man_pages_are_those_of_the_command_line() {
    let pages = pages();
    let dir = man_dir();
    if is_updating() {
        drop(std::fs::remove_dir_all(&dir));
        std::fs::create_dir(&dir).unwrap();
        for (name, page) in &pages {
            std::fs::write(dir.join(name), page).unwrap();
        }
    }
    let committed: BTreeMap<String, String> = std::fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap()))
        .collect();
    let differ: Vec<_> =
        pages.keys().chain(committed.keys()).filter(|name| pages.get(*name) != committed.get(*name)).collect();
    assert!(differ.is_empty(), "run UPDATE=1 cargo test man_pages; these differ: {differ:?}");
}

#[test]
fn man_pages_pass_the_linter() {
    if without("mandoc") {
        return;
    }
    let mut lint = Command::new("mandoc");
    lint.args(["-T", "lint", "-W", "warning"]).current_dir(man_dir()).args(pages().keys());
    let output = lint.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

#[test]
fn every_command_has_examples_and_each_of_them_runs() {
    for (name, page) in pages() {
        let words =
            name.trim_start_matches("hermes-mem").trim_end_matches(".1").trim_start_matches('-').replace('-', " ");
        assert!(!examples::of(&words).is_empty(), "{name} has no examples:\n{page}");
        let world = World::demo();
        world.write("turn.json", turn_with("Vento unterstützt Signal").to_string());
        world.write("block.yaml", include_str!("../fixtures/block.yaml"));
        world.write("MEMORY.md", "- Mag Tabellen mit │\n");
        world.write("notes.md", "Der Stand von Vento.\n");
        world.run(&["review", "batch", "--export", "queue-of-before.md"]).exits(0);
        if words.starts_with("backup") && words != "backup keygen" {
            world.make_backup_keys();
        }
        if words.starts_with("backup ") && !["backup keygen", "backup run"].contains(&words.as_str()) {
            world.run(&["backup", "run"]).exits(0);
        }
        if ["migrate verify", "migrate undo"].contains(&words.as_str()) {
            world.run(&["migrate", "run", "MEMORY.md"]).exits(0);
        }
        if words == "review batch" {
            // The second example takes what the first one wrote.
            let first = examples::of(&words)[0].line;
            run(&world, first);
            let list = std::fs::read_to_string(world.dir().join("queue.md")).unwrap();
            std::fs::write(world.dir().join("queue.md"), list.replacen("[ ] reject:", "[x] reject: not so", 1))
                .unwrap();
        }
        for example in examples::of(&words).iter().skip(usize::from(words == "review batch")) {
            run(&world, example.line);
        }
    }
}

/// Runs a line as a shell does. Without a terminal, what asks refuses; a check may say no; a question may be a new one.
#[track_caller]
fn run(world: &World, line: &str) {
    let output = world.shell(line).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let is_question = ["review walk", "review approve vento-telegram", "review edit vento-telegram"]
        .iter()
        .any(|words| line.strip_prefix("hermes-mem ").is_some_and(|rest| rest.starts_with(words)));
    let fine = match output.status.code() {
        Some(0) => true,
        Some(4) => line.contains("status") || (is_question && stderr.contains("hint:")),
        Some(5) => line.contains("lookup"),
        _ => false,
    };
    assert!(fine, "{line}: {}\n{stderr}{}", output.status, String::from_utf8_lossy(&output.stdout));
}

#[test]
fn help_fits_a_narrow_terminal_and_ends_with_the_examples() {
    for name in pages().keys() {
        let words =
            name.trim_start_matches("hermes-mem").trim_end_matches(".1").trim_start_matches('-').replace('-', " ");
        let world = World::bare();
        let mut args: Vec<&str> = words.split_whitespace().collect();
        args.push("--help");
        for width in [72, 100] {
            let output = world.command(&args).env("COLUMNS", width.to_string()).output().unwrap();
            let help = String::from_utf8(output.stdout).unwrap();
            let (told, shown) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{words}: {help}"));
            for line in told.lines() {
                assert!(line.chars().count() <= width, "{words} at {width}: {line}");
            }
            // Long lines are broken between words.
            let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            for example in examples::of(&words) {
                assert!(shown.contains(example.line), "{words}: {shown}");
            }
        }
    }
}
