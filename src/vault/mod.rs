//! The Obsidian vault, read only: its pages as claims, the check of a fact against them, and search.
//!
//! Nothing here opens a file for writing. What a check finds is handed to `app`; the cache is bytes that `app` keeps.

mod analyze;
mod check;
mod claims;
mod compare;
mod fact;
mod files;
mod frontmatter;
mod index;
mod lex;
mod lexicon;
mod page;
mod quantity;
mod resolve;
mod statement;
mod words;

use std::path::PathBuf;

pub use check::{Loader, PageInfo, Vault};
pub use files::VaultError;

/// What the vault says about a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A page says the same.
    Identical,
    /// A page says the opposite, or another value.
    Contradicts,
    /// The nearest passages say something like it; no verdict.
    Similar,
    /// Nothing in the vault is about it.
    Absent,
    /// No vault is configured, or it can't be read.
    NoVault,
}

/// A passage of a page, as it stands there (not masked).
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The page, relative to the vault, `/` as the separator.
    pub page: String,
    /// The line, counted from 1, lines split at `\n`.
    pub line: u32,
    /// The sentence, list item or table row on that line.
    pub sentence: String,
    /// Nearness, 0 to 1.
    pub score: f64,
}

/// What is asked of the vault.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The fact, one or a few sentences.
    pub fact: &'a str,
    /// The page it is proposed for, relative to the vault: a hint, not a limit.
    pub page: Option<&'a str>,
    /// The project it is about: the subject may then be left out of the fact.
    pub project: Option<&'a str>,
}

/// The answer to a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The verdict.
    pub verdict: Verdict,
    /// What carried the verdict, a stable `kebab-case` word (`same-statement`, `other-number`, `opposite`, `superseded`, …).
    pub guard: Option<&'static str>,
    /// The evidence first, then the nearest others: at most three.
    pub passages: Vec<Passage>,
    /// SHA-256 of the evidence's page as read, lower-case hex.
    pub page_hash: Option<String>,
    /// Pages that were left out and why, one line each.
    pub warnings: Vec<String>,
}

/// Where the vault is and what the operator has taught it.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The vault's folder.
    pub path: PathBuf,
    /// Groups of words that mean the same, `[vault] synonyms`.
    pub synonyms: Vec<Vec<String>>,
    /// Keys that can have only one value, `[vault] functional_keys`.
    pub functional_keys: Vec<String>,
    /// Groups of state words that mean the same state; two groups exclude each other, `[vault] state_words`.
    pub state_words: Vec<Vec<String>>,
}
