//! The proposed fact, cleaned of markup and taken apart.

use super::Query;
use super::analyze::Analyzer;
use super::page::{leading_date, without_marks};
use super::quantity::Date;
use super::statement::{Statement, Term};
use super::words::Lang;

/// Longer facts are cut: what is proposed is one or a few sentences. Bytes.
const MAX_FACT: usize = 16 * 1024;

/// A fact ready for comparison.
#[expect(clippy::struct_excessive_bools, reason = "independent marks of a fact, not a state")]
pub(super) struct Fact {
    /// What it says.
    pub(super) statement: Statement,
    /// The words of the project it came with.
    pub(super) project: Vec<Term>,
    /// The page it is proposed for.
    pub(super) page: Option<String>,
    /// It holds a placeholder of the masker.
    pub(super) placeholder: bool,
    /// The day it begins with, as a log line does.
    date: Option<Date>,
    /// A sentence, as far as can be seen: three words or more, and no bare `key: value`.
    pub(super) sentence: bool,
    /// A line of a program, as far as can be seen.
    pub(super) code: bool,
    /// Only announces what follows it.
    pub(super) announces: bool,
}

impl Fact {
    pub(super) fn new(analyzer: &Analyzer<'_>, query: &Query<'_>, page: Option<String>) -> Self {
        let mut end = query.fact.len().min(MAX_FACT);
        while !query.fact.is_char_boundary(end) {
            end -= 1;
        }
        let clean = without_markup(query.fact.get(..end).unwrap_or_default());
        let (date, text) = leading_date(&clean);
        let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
        let sentence = words >= 3 && super::page::split_key(text).is_none();
        let code = ["('", "(\"", "({", "()", "=>", "; }"].iter().any(|sign| text.contains(sign));
        let announces = text.trim_end().ends_with(':');
        let statement = analyzer.statement(text, Lang::Either);
        let project =
            query.project.map(|project| analyzer.statement(project, statement.lang).terms).unwrap_or_default();
        Self { statement, project, page, placeholder: has_placeholder(query.fact), date, sentence, code, announces }
    }

    /// Whether the fact is a log line of another day than the claim: two events, not two views of one.
    pub(super) fn dated_otherwise(&self, claim: Option<Date>) -> bool {
        self.date.is_some_and(|mine| claim.is_none_or(|theirs| !mine.fits(theirs)))
    }
}

/// Whether a text holds a placeholder such as `[NAME]`.
fn has_placeholder(text: &str) -> bool {
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        rest = rest.get(open + 1..).unwrap_or_default();
        let letters = rest.bytes().take_while(u8::is_ascii_uppercase).count();
        if letters >= 3 && rest.as_bytes().get(letters) == Some(&b']') {
            return true;
        }
    }
    false
}

/// Without list marks, emphasis, link brackets, struck-through text and comments.
fn without_markup(fact: &str) -> String {
    let mut text = fact.trim().to_owned();
    for fence in ["~~", "%%"] {
        while let Some(start) = text.find(fence) {
            let Some(len) = text.get(start + 2..).and_then(|rest| rest.find(fence)) else { break };
            text.replace_range(start..start + len + 4, " ");
        }
    }
    while let Some(start) = text.find("[[") {
        let Some(len) = text.get(start..).and_then(|rest| rest.find("]]")) else { break };
        let inner = text.get(start + 2..start + len).unwrap_or_default().to_owned();
        let shown = inner.rsplit('|').next().unwrap_or_default().to_owned();
        text.replace_range(start..start + len + 2, &shown);
    }
    let mut lead = text.trim_start_matches(['>', ' ', '\t']);
    for mark in ["- [ ] ", "- [x] ", "- [X] ", "* [ ] ", "* [x] ", "- ", "* ", "+ "] {
        if let Some(rest) = lead.strip_prefix(mark) {
            lead = rest;
            break;
        }
    }
    let lead = lead.trim_start_matches('#').trim_start();
    let text = lead.replace("**", "").replace("__", "").replace('`', "").replace(":: ", ": ");
    without_marks(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_seen() {
        assert!(has_placeholder("Der Vertrag liegt bei [NAME]."));
        assert!(!has_placeholder("Siehe [Doku] und [[Seite]]."));
    }

    #[test]
    fn markup_is_dropped() {
        assert_eq!(without_markup("- [ ] **Port:** `80` ~~81~~ [[A|b]] #tag"), "Port: 80 b");
    }
}
