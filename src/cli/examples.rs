//! One or two real lines for each command. `--help` ends with them, the man pages have them as EXAMPLES, and a test runs
//! every one of them on the demo.

use clap::{Command, CommandFactory};

use super::args::Cli;

/// A line that can be pasted.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What it does.
    pub about: &'static str,
    /// The line.
    pub line: &'static str,
}

const fn line(about: &'static str, line: &'static str) -> Example {
    Example { about, line }
}

/// The examples of each command, by its words after `hermes-mem`.
const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "",
        &[
            line("Try it out, in a folder of its own:", "hermes-mem --root ./try init --demo"),
            line("See what waits for a decision:", "hermes-mem review pending"),
        ],
    ),
    (
        "init",
        &[
            line("Make the tree, or what is missing of it:", "hermes-mem init"),
            line("Make a tree with something in it to look at:", "hermes-mem --root ./try init --demo"),
            line("What does cron need?", "hermes-mem init --cron"),
        ],
    ),
    ("status", &[line("For monitoring: exit 4 where somebody has to act:", "hermes-mem status --json")]),
    ("session", &[line("What does the agent know just now?", "hermes-mem session context --agent hermes-carlo")]),
    ("session new", &[line("Begin afresh:", "hermes-mem session new --agent hermes-carlo")]),
    (
        "session append",
        &[
            line("Store a turn:", "hermes-mem session append --agent hermes-carlo --json < turn.json"),
            line("Store it in a new session:", "hermes-mem session append --agent hermes-carlo --new --file turn.json"),
        ],
    ),
    ("session show", &[line("Any unique part of the id will do:", "hermes-mem session show carlo-20260521")]),
    (
        "session list",
        &[line("This week's sessions of one agent:", "hermes-mem session list --agent hermes-carlo --since 7d")],
    ),
    (
        "session close",
        &[line("Close it, so that its reviews can be decided:", "hermes-mem session close carlo-20260521")],
    ),
    (
        "session lookup",
        &[line(
            "Asked a moment ago? Then take that retrieval (exit 0), else retrieve (exit 5):",
            "hermes-mem session lookup --agent hermes-carlo --query \"Wie steht Vento?\"",
        )],
    ),
    (
        "session context",
        &[line(
            "What to load, in at most 2000 characters:",
            "hermes-mem session context --agent hermes-carlo --max-chars 2000",
        )],
    ),
    ("session export", &[line("As a page to read:", "hermes-mem session export mari-20260520 --format markdown")]),
    (
        "review",
        &[
            line("See what waits:", "hermes-mem review pending"),
            line("Decide it, one by one:", "hermes-mem review walk"),
        ],
    ),
    (
        "review pending",
        &[
            line(
                "One project, what was filed a day ago or earlier:",
                "hermes-mem review pending --project vento --older-than 1d",
            ),
            line("For a script:", "hermes-mem review pending --format ids"),
        ],
    ),
    (
        "review list",
        &[line("Decided in the last month:", "hermes-mem review list --status approved,rejected --since 30d")],
    ),
    ("review show", &[line("Any unique part of the id will do:", "hermes-mem review show vento-telegram")]),
    (
        "review approve",
        &[
            line("Be asked for all that it takes:", "hermes-mem review approve vento-telegram"),
            line("Without a terminal:", "hermes-mem review approve vento-telegram --evidence \"commit 4f2a91c\" --yes"),
        ],
    ),
    (
        "review reject",
        &[line("Say why:", "hermes-mem review reject vento-live --reason \"not live, says the deployment log\"")],
    ),
    (
        "review edit",
        &[
            line("In $EDITOR:", "hermes-mem review edit vento-telegram"),
            line("Without an editor:", "hermes-mem review edit vento-telegram --page 03-Projekte/LP-VENTO.md"),
        ],
    ),
    (
        "review transferred",
        &[line("It is in the page, in other words:", "hermes-mem review transferred waldseilgarten-crm --unchecked")],
    ),
    ("review undo", &[line("It was a mistake:", "hermes-mem review undo waldseilgarten-crm-version")]),
    ("review walk", &[line("Only one project's:", "hermes-mem review walk --project vento")]),
    (
        "review batch",
        &[
            line("Tick boxes elsewhere:", "hermes-mem review batch --export queue.md"),
            line("Then apply them:", "hermes-mem review batch --apply queue.md --yes"),
        ],
    ),
    ("review remind", &[line("For a weekly mail by cron: silent when nothing is open:", "hermes-mem review remind")]),
    (
        "review stats",
        &[line(
            "For monitoring: exit 4 when more than 5 reviews are older than a week:",
            "hermes-mem review stats --fail-over 5 --older-than 7d",
        )],
    ),
    (
        "review create",
        &[line(
            "Propose a fact in your own name:",
            "hermes-mem review create --fact \"Vento unterstützt Signal\" --project Vento --page 03-Projekte/LP-VENTO.md",
        )],
    ),
    ("retention", &[line("What would go today?", "hermes-mem retention plan")]),
    (
        "retention run",
        &[
            line("Hourly, by cron: silent where all is well:", "hermes-mem retention run"),
            line("See it first:", "hermes-mem retention run --dry-run"),
        ],
    ),
    (
        "retention plan",
        &[
            line("What would go in a month?", "hermes-mem retention plan --now 2030-01-01T00:00:00Z"),
            line("Which files, and why?", "hermes-mem retention plan --json"),
        ],
    ),
    ("retention policy", &[line("The rules in force:", "hermes-mem retention policy")]),
    ("backup", &[line("Make one, and read it back:", "hermes-mem backup run -v")]),
    ("backup run", &[line("Daily, by cron: silent where all is well:", "hermes-mem backup run")]),
    ("backup list", &[line("How old is the newest, and was it read back?", "hermes-mem backup list")]),
    (
        "backup verify",
        &[
            line("Can the newest be opened, and is it whole?", "hermes-mem backup verify --secret-key backup.key"),
            line("All of them:", "hermes-mem backup verify --all --secret-key backup.key"),
        ],
    ),
    (
        "backup restore",
        &[
            line("Look into the newest:", "hermes-mem backup restore latest --to ./restored --secret-key backup.key"),
            line(
                "Only what carlo heard:",
                "hermes-mem backup restore latest --to ./carlo --only 'SESSION-carlo-*' --secret-key backup.key",
            ),
        ],
    ),
    (
        "backup keygen",
        &[
            line("A pair for backups:", "hermes-mem backup keygen --public backup.asc --secret backup.key"),
            line(
                "One that this machine signs with:",
                "hermes-mem backup keygen --signing --public signing.asc --secret signing.key",
            ),
        ],
    ),
    (
        "doctor",
        &[
            line("Is all as it should be?", "hermes-mem doctor"),
            line("Mend what can be mended without loss:", "hermes-mem doctor --repair"),
        ],
    ),
    (
        "erase",
        &[
            line("What holds it?", "hermes-mem erase --match Telegram --dry-run"),
            line("Remove it for good, without a terminal:", "hermes-mem erase --match Telegram --yes"),
        ],
    ),
    (
        "mask",
        &[
            line("As a filter:", "hermes-mem mask < notes.md"),
            line("Before a commit: exit 4 where something would be masked:", "hermes-mem mask --check notes.md"),
        ],
    ),
    (
        "mask scan",
        &[
            line("Is anything unmasked left from earlier tools?", "hermes-mem mask scan"),
            line("Mask it:", "hermes-mem mask scan --fix"),
        ],
    ),
    (
        "block",
        &[
            line("What are the user's preferences?", "hermes-mem block list --type user_preference"),
            line("What is known about a project?", "hermes-mem block about waldseilgarten-crm"),
        ],
    ),
    (
        "block add",
        &[
            line(
                "Keep a preference:",
                "hermes-mem block add --type user_preference --category formatting --key language --value \"answer in German\" --entity Flo",
            ),
            line(
                "Keep ADR-001's records, JSON or YAML, all or none:",
                "hermes-mem block add --agent hermes-carlo < block.yaml",
            ),
        ],
    ),
    (
        "block get",
        &[
            line("By its key, or any unique part of its id:", "hermes-mem block get table_style"),
            line("As ADR-001 writes it, without counting:", "hermes-mem block get table_style --format yaml --peek"),
        ],
    ),
    (
        "block list",
        &[
            line("What is known well:", "hermes-mem block list --min-confidence 0.8 --sort confidence"),
            line("What held on a day:", "hermes-mem block list --entity waldseilgarten-crm --as-of 2026-05-01"),
        ],
    ),
    (
        "block search",
        &[
            line("In other words than it was written in:", "hermes-mem block search Tabellen Stil"),
            line("Why is that found?", "hermes-mem block search --explain webhook neustart"),
        ],
    ),
    ("block about", &[line("What is known about a project?", "hermes-mem block about waldseilgarten-crm")]),
    ("block latest", &[line("The last state of a project:", "hermes-mem block latest --entity waldseilgarten-crm")]),
    ("block history", &[line("How did it come to that?", "hermes-mem block history stand")]),
    ("block confirm", &[line("Yes, it is so:", "hermes-mem block confirm n8n")]),
    ("block propose", &[line("Have it verified:", "hermes-mem block propose n8n --agent hermes-carlo")]),
    (
        "block forget",
        &[
            line("What would go?", "hermes-mem block forget deployment --dry-run"),
            line("Remove it for good:", "hermes-mem block forget deployment --yes"),
        ],
    ),
    ("block export", &[line("All of it, one record a line:", "hermes-mem block export > blocks.jsonl")]),
    ("block import", &[line("Read it in again:", "hermes-mem block export | hermes-mem block import")]),
    ("block stats", &[line("How much is there, about whom?", "hermes-mem block stats")]),
    (
        "extract",
        &[
            line("What could be remembered of a session?", "hermes-mem extract --session carlo-20260521"),
            line(
                "Keep it: inferred blocks, project facts and decisions to the review queue:",
                "hermes-mem extract notes.md --apply",
            ),
            line("From a pipe, plain text or one {\"role\", \"text\"} a line:", "hermes-mem extract --json < notes.md"),
        ],
    ),
    ("migrate", &[line("What would become of an older memory?", "hermes-mem migrate plan MEMORY.md")]),
    ("migrate plan", &[line("As JSON, with the reason for each entry:", "hermes-mem migrate plan MEMORY.md --json")]),
    ("migrate run", &[line("Take it over:", "hermes-mem migrate run MEMORY.md")]),
    (
        "migrate verify",
        &[
            line("Was every entry of the last run dealt with?", "hermes-mem migrate verify latest"),
            line("Its source lies elsewhere now:", "hermes-mem migrate verify latest --source MEMORY.md"),
        ],
    ),
    ("migrate undo", &[line("Take the last run back:", "hermes-mem migrate undo latest --yes")]),
    ("migrate list", &[line("What was taken over, and when?", "hermes-mem migrate list")]),
    ("vault", &[line("Does the vault know that already?", "hermes-mem vault check \"Vento ist live\"")]),
    (
        "vault check",
        &[line(
            "Against one page, and for a script:",
            "hermes-mem vault check \"Vento ist live\" --page 03-Projekte/LP-VENTO.md --json",
        )],
    ),
    ("vault search", &[line("Where is it written about?", "hermes-mem vault search \"WhatsApp Kanal\" --limit 3")]),
    ("vault pages", &[line("Which pages are read, and which left out?", "hermes-mem vault pages")]),
    ("audit", &[line("Is the log what was written?", "hermes-mem audit verify")]),
    ("audit show", &[line("Who decided what this week?", "hermes-mem audit show --op review --since 7d")]),
    ("audit verify", &[line("Check every line's hash:", "hermes-mem audit verify")]),
    ("audit head", &[line("Keep it on another machine, for verify --expect:", "hermes-mem audit head")]),
    ("config", &[line("What is in force?", "hermes-mem config show")]),
    ("config show", &[line("As JSON:", "hermes-mem config show --json")]),
    ("config check", &[line("Check a file before it is put in place:", "hermes-mem config check")]),
    ("completions", &[line("For this shell only:", "source <(hermes-mem completions bash)")]),
];

/// The examples of a command, by its words after `hermes-mem`.
pub fn of(words: &str) -> &'static [Example] {
    EXAMPLES.iter().find(|(of, _)| *of == words).map_or(&[], |(_, examples)| *examples)
}

/// The command line with its examples at the end of each `--help`.
pub fn command() -> Command {
    with_examples(Cli::command(), "")
}

fn with_examples(command: Command, words: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let command = names.iter().fold(command, |command, name| {
        let words = format!("{words} {name}");
        command.mut_subcommand(name, |inner| with_examples(inner, words.trim_start()))
    });
    let lines: Vec<String> =
        of(words).iter().map(|example| format!("  {}\n    {}", example.about, example.line)).collect();
    if lines.is_empty() { command } else { command.after_long_help(format!("Examples:\n{}", lines.join("\n"))) }
}
