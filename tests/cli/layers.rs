//! The layers of the source: `cli → app → {store, vault} → {mask, domain}`, never back, and what only one of them may know.

use std::path::{Path, PathBuf};

use regex::Regex;

/// A layer and the layers it may use besides itself.
const LAYERS: [(&str, &[&str]); 7] = [
    ("cli", &["app", "store", "vault", "legacy", "mask", "domain"]),
    ("app", &["store", "vault", "legacy", "mask", "domain"]),
    ("store", &["mask", "domain"]),
    ("vault", &["mask", "domain"]),
    ("legacy", &["domain"]),
    ("mask", &["domain"]),
    ("domain", &["mask"]),
];

/// What belongs to the command line and the terminal, so that another front end can stand beside `cli`.
const OF_THE_CLI: [&str; 10] = [
    "clap",
    "clap_complete",
    "comfy_table",
    "textwrap",
    "unicode_width",
    "signal_hook",
    "rustix::termios",
    "IsTerminal",
    "std::env",
    "println!",
];

/// The files outside `mask/` that may call a text masked by their word alone, each with the reason why it is.
const TRUSTED: [(&str, &str); 12] = [
    (
        "domain/doc.rs",
        "a field of a file of the tree, masked when it was written or, written by other hands, when it was read",
    ),
    ("domain/session.rs", "fields of such a document"),
    ("store/sessions.rs", "fields of a file that carries this program's schema_version; others go through the masker"),
    ("store/blocks/row.rs", "a row of the database, whose writer takes nothing but masked text"),
    ("store/blocks/runs.rs", "a row of the same database"),
    ("app/migrate/mod.rs", "an operator's name, which is a login"),
    ("domain/block.rs", "masked texts of one block, put together"),
    ("app/blocks/decide.rs", "an agent id, [a-z0-9-] and checked; and a reviewer's name, which is a login"),
    ("app/sessions/append.rs", "an agent id, [a-z0-9-] and checked; and the hash of a request_id"),
    ("app/sessions/record.rs", "open tasks as the session file holds them"),
    ("app/reviews/create.rs", "an agent id, [a-z0-9-] and checked"),
    ("app/reviews/batch.rs", "ids and facts as the review files hold them"),
];

/// The source files below a folder of `src/`, with their code: comments and the tests at the end are left out.
fn sources(below: &str) -> Vec<(PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = walkdir::WalkDir::new(src.join(below)).into_iter().map(Result::unwrap);
    let sources: Vec<_> = files
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"))
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
            let code: Vec<&str> = lines.filter(|line| !line.trim_start().starts_with("//")).collect();
            (entry.path().strip_prefix(&src).unwrap().to_owned(), code.join("\n"))
        })
        .collect();
    assert!(!sources.is_empty(), "{below} holds no source");
    sources
}

#[test]
fn no_layer_points_back() {
    let named = Regex::new(r"\bcrate::(\{|\w+)").unwrap();
    for (layer, may_use) in LAYERS {
        for (file, code) in sources(layer) {
            for used in named.captures_iter(&code).map(|found| found.get(1).unwrap().as_str()) {
                assert_ne!(
                    used,
                    "{",
                    "{}: name each layer in a `use` of its own, for this test to see",
                    file.display()
                );
                let is_layer = LAYERS.iter().any(|(name, _)| *name == used);
                assert!(
                    !is_layer || used == layer || may_use.contains(&used),
                    "{}: {layer} may not use {used}",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn the_command_line_and_the_terminal_are_known_to_cli_alone() {
    for (layer, _) in LAYERS.iter().filter(|(layer, _)| *layer != "cli") {
        for (file, code) in sources(layer) {
            for name in OF_THE_CLI {
                let used = Regex::new(&format!(r"(^|[^\w:]){}", regex::escape(name))).unwrap();
                assert!(!used.is_match(&code), "{}: {name} belongs to cli", file.display());
            }
        }
    }
}

#[test]
fn text_is_called_masked_without_the_masker_only_where_it_is() {
    for (file, code) in sources("") {
        if file.starts_with("mask") {
            continue;
        }
        let is_used = code.contains("Masked::trusted");
        let reason = TRUSTED.iter().find(|(allowed, _)| Path::new(allowed) == file);
        assert_eq!(is_used, reason.is_some(), "{}: Masked::trusted, and the list of this test", file.display());
    }
}

/// Law 1, as far as a reading of the source can tell: nothing that could open a vault file for writing.
#[test]
fn the_vault_layer_holds_no_way_to_write() {
    let ways = Regex::new(
        r"fs::(write|rename|copy|remove_\w+|create_\w+|hard_link|set_permissions)|File::(create|options)|\.(write|append|create|create_new|truncate)\(true\)|write_all|set_len|OFlags::(WRONLY|RDWR|CREATE|TRUNC)|Command::new",
    )
    .unwrap();
    for (file, code) in sources("vault") {
        if let Some(way) = ways.find(&code) {
            panic!("{}: {} in the vault layer", file.display(), way.as_str());
        }
    }
}
