//! The table of rules. Each has patterns ([`super::pattern`] has their language) and its examples, which are its tests: what
//! it must take, with the value, and what it must leave.

mod decisions;
mod people;
mod preferences;
mod states;
mod steps;
mod tools;

use super::Subject;

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name: language and cue.
    pub name: &'static str,
    /// What it finds.
    pub subject: Subject,
    /// The key of what it finds; empty: it follows from the words, by the rules of `keys`.
    pub key: &'static str,
    /// How sure it is where nothing speaks against it.
    pub confidence: f64,
    /// Any of these matches.
    pub patterns: &'static [&'static str],
    /// Sentences it takes, with the value.
    pub takes: &'static [(&'static str, &'static str)],
    /// Sentences of which nothing may come at or above the usual minimum.
    pub leaves: &'static [&'static str],
}

/// All rules; of several that fit equally well the first is taken.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [preferences::RULES, decisions::RULES, states::RULES, tools::RULES, people::RULES, steps::RULES]
        .into_iter()
        .flatten()
}
