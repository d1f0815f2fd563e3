//! Candidates for memory blocks, found in text by rules, without a model: German and English.
//!
//! A sentence goes through the table of rules (`rules`), whose patterns are in a small language (`pattern`). A rule gives
//! the value and what it is about; what speaks against the sentence (`doubt`) lowers the confidence; key and entities are
//! chosen so that the store's history works (`keys`). Questions yield nothing. The text is masked already: a placeholder is
//! neither a person nor a thing. The cost is linear in the text, since sentences beyond a bound are not looked at.

mod doubt;
mod keys;
mod names;
mod pattern;
mod rules;
pub mod turns;
mod words;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

pub use doubt::Doubt;
pub use rules::{Rule, all as rules};

use pattern::{Match, Pattern};
use words::Sentence;

use super::block::{BlockType, Category};
use super::sentences::sentences;

/// The longest value, in characters; the program's own bound. Longer ones are no note.
pub const VALUE_MAX: usize = 300;

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// What the user likes or wants done.
    Preference,
    /// What was decided.
    Decision,
    /// How something stands.
    State,
    /// What something is built with or runs on.
    Tool,
    /// Who does what.
    Person,
    /// How something is done.
    Step,
    /// What was learned.
    Lesson,
}

impl Subject {
    /// The type of block it makes.
    pub const fn block_type(self) -> BlockType {
        match self {
            Self::Preference => BlockType::UserPreference,
            Self::Decision | Self::State | Self::Tool => BlockType::ProjectState,
            Self::Person => BlockType::EntityRelationship,
            Self::Step => BlockType::Procedural,
            Self::Lesson => BlockType::LearnedPattern,
        }
    }

    /// Whether a human has to look at it: what is said about a project, and decisions.
    pub const fn is_reviewed(self) -> bool {
        matches!(self, Self::Decision | Self::State | Self::Tool)
    }
}

/// A block that may be made of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What it is about.
    pub subject: Subject,
    /// The block's category.
    pub category: Category,
    /// The block's key.
    pub key: String,
    /// The block's value.
    pub value: String,
    /// Whom or what it concerns.
    pub entities: Vec<String>,
    /// The sentence.
    pub sentence: String,
    /// The rule's name.
    pub rule: &'static str,
    /// How sure it is, 0 to 1, two decimals.
    pub confidence: f64,
    /// What lowers that.
    pub doubts: Vec<Doubt>,
    /// Where the sentence begins in the text, in bytes.
    pub at: usize,
}

/// Patterns with their rule, and where to look for those that need a word.
struct Table {
    patterns: Vec<(&'static Rule, Pattern)>,
    by_word: HashMap<String, Vec<usize>>,
    always: Vec<usize>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let patterns: Vec<(&Rule, Pattern)> =
        rules().flat_map(|rule| rule.patterns.iter().map(move |text| (rule, Pattern::new(text)))).collect();
    let mut by_word: HashMap<String, Vec<usize>> = HashMap::new();
    let mut always = Vec::new();
    for (at, (_, pattern)) in patterns.iter().enumerate() {
        let needs = pattern.needs();
        if needs.is_empty() {
            always.push(at);
        }
        for word in needs {
            by_word.entry(word.clone()).or_default().push(at);
        }
    }
    Table { patterns, by_word, always }
});

/// The candidates of a masked text, in its order.
pub fn extract(text: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut at = 0;
    // A line is a paragraph of its own in notes; a sentence that goes on over lines is joined by nobody.
    for line in text.split_inclusive('\n') {
        let bare = without_marks(line);
        let offset = at + (line.len() - bare.len());
        for range in sentences(bare.trim_end()) {
            let sentence = bare.get(range.clone()).unwrap_or_default();
            of_sentence(sentence, offset + range.start, &mut found);
        }
        at += line.len();
    }
    found
}

/// A line without the mark of a list, a heading or a quotation in front.
fn without_marks(line: &str) -> &str {
    let mut rest = line.trim_start();
    for mark in ["- [x] ", "- [X] ", "- ", "* ", "• ", "+ "] {
        if let Some(behind) = rest.strip_prefix(mark) {
            rest = behind.trim_start();
            break;
        }
    }
    rest
}

fn of_sentence(text: &str, at: usize, found: &mut Vec<Candidate>) {
    // Quoted lines are what others wrote, headings and open tasks say nothing that is so.
    if text.starts_with(['>', '|', '#', '<', '`']) || text.starts_with("[ ]") {
        return;
    }
    let Some(sentence) = Sentence::new(text) else { return };
    let mut chosen: Vec<(Candidate, Range<usize>)> = Vec::new();
    for at_pattern in candidates_for(&sentence) {
        let Some((rule, pattern)) = TABLE.patterns.get(at_pattern) else { continue };
        let Some(matched) = pattern.find(&sentence) else { continue };
        let Some(candidate) = candidate(rule, &sentence, &matched, at) else { continue };
        // Of rules that see the same words the surest is taken, then the one with the longer value.
        let rank = |one: &Candidate| (one.confidence, one.value.len());
        let beats = |other: &Candidate| rank(&candidate) > rank(other);
        let overlapping = |(_, range): &&(Candidate, Range<usize>)| {
            range.start < matched.whole.end && matched.whole.start < range.end
        };
        if chosen.iter().filter(overlapping).all(|(other, _)| beats(other)) {
            chosen.retain(|(_, range)| !(range.start < matched.whole.end && matched.whole.start < range.end));
            chosen.push((candidate, matched.whole));
        }
    }
    chosen.sort_by_key(|(_, range)| range.start);
    found.extend(chosen.into_iter().map(|(candidate, _)| candidate));
}

/// The patterns that may match a sentence, in the table's order.
fn candidates_for(sentence: &Sentence<'_>) -> Vec<usize> {
    let words = sentence.words.iter().filter_map(|word| TABLE.by_word.get(&word.spelling)).flatten();
    let mut fitting: Vec<usize> = words.chain(&TABLE.always).copied().collect();
    fitting.sort_unstable();
    fitting.dedup();
    fitting
}

fn candidate(rule: &'static Rule, sentence: &Sentence<'_>, matched: &Match, at: usize) -> Option<Candidate> {
    let value = trimmed(sentence.text_of(&matched.value));
    let topic = matched.topic.as_ref().map_or("", |range| names::without_articles(sentence.text_of(range)));
    if !says_something(rule.subject, value, sentence, matched) {
        return None;
    }
    let doubts = doubt::doubts(sentence, matched, rule.subject)?;
    let confidence = doubts.iter().fold(rule.confidence, |sure, doubt| sure * doubt.factor());
    let (category, key) = keys::category_and_key(rule.subject, rule.key, value, topic, sentence.text);
    // What a tool is for is in the key already; what it is a part of has a name.
    let is_about = match rule.subject {
        Subject::State | Subject::Person => true,
        Subject::Tool => !rule.key.is_empty(),
        _ => false,
    };
    let entities = if is_about && !topic.is_empty() { vec![topic.to_owned()] } else { Vec::new() };
    Some(Candidate {
        subject: rule.subject,
        category,
        key,
        value: value.to_owned(),
        entities,
        sentence: sentence.text.to_owned(),
        rule: rule.name,
        confidence: (confidence * 100.0).round() / 100.0,
        doubts,
        at,
    })
}

fn trimmed(value: &str) -> &str {
    let value = value.trim().trim_end_matches([',', '.', '!', ':', ';']);
    let value = value.strip_suffix("please").or_else(|| value.strip_suffix("bitte")).unwrap_or(value);
    value.trim().trim_end_matches(',').trim_end()
}

/// Whether a value is worth keeping: not too long, no bare pronoun, more than what was masked in it.
fn says_something(subject: Subject, value: &str, sentence: &Sentence<'_>, matched: &Match) -> bool {
    // Nothing by themselves; behind an article stands a thing, so that alone is what counts.
    const HOLLOW: [&str; 20] = [
        "it", "them", "es", "him", "her", "you", "ihn", "ihm", "dich", "keines", "nichts", "anything", "nothing",
        "either", "neither", "not", "beide", "beides", "both", "if",
    ];
    const ALONE: [&str; 10] = ["das", "this", "that", "dies", "so", "keine", "keinen", "etwas", "something", "when"];
    let words: Vec<&words::Word> =
        sentence.words.get(matched.value.clone()).unwrap_or_default().iter().filter(|word| !word.is_mark()).collect();
    let first = words.first().map_or("", |word| word.spelling.as_str());
    let last = words.last().map_or("", |word| word.spelling.as_str());
    if value.chars().count() > VALUE_MAX || words.iter().all(|word| word.is_placeholder) {
        return false;
    }
    match subject {
        Subject::Preference => {
            let is_pronoun = |word: &str| HOLLOW.contains(&word) || ALONE.contains(&word);
            let alone = words.len() == 1 && ALONE.contains(&first);
            !(alone || HOLLOW.contains(&first) || (is_pronoun(last) && words.len() <= 3))
        }
        Subject::Decision | Subject::Lesson => !HOLLOW.contains(&first) || words.len() > 2,
        Subject::Tool => {
            let shows = names::is_surely_tool(value);
            shows
                || (sentence.words.get(matched.value.start).is_some_and(|word| word.has_capital)
                    && !is_german_noun_risk(matched, sentence))
        }
        Subject::Step => is_step(&words),
        Subject::State | Subject::Person => true,
    }
}

/// Whether a capital says nothing, since the sentence is German and every noun has one.
fn is_german_noun_risk(matched: &Match, sentence: &Sentence<'_>) -> bool {
    let cues = ["ist", "laeuft", "laufen", "liegt", "liegen", "wir", "sind", "wird", "wurde", "bleibt", "basiert"];
    sentence
        .words
        .get(matched.whole.clone())
        .unwrap_or_default()
        .iter()
        .any(|word| cues.contains(&word.spelling.as_str()))
}

/// Whether words read like steps: an infinitive at the end, "must", an imperative; and nobody tells a story.
fn is_step(words: &[&words::Word]) -> bool {
    const TELLS: [&str; 22] = [
        "ich", "wir", "er", "sie", "ihr", "i", "we", "he", "she", "they", "was", "were", "war", "waren", "ging",
        "gingen", "hatte", "had", "went", "wurde", "steht", "ist",
    ];
    let imperatives = names::list("imperative");
    let has_imperative = words.iter().any(|word| imperatives.split_whitespace().any(|one| one == word.spelling));
    let must = words.iter().any(|word| matches!(word.spelling.as_str(), "muss" | "musst"));
    let is_infinitive = |word: &&&words::Word| {
        let spelling = word.spelling.as_str();
        !word.has_capital && spelling.len() > 4 && ["en", "ern", "eln"].iter().any(|ending| spelling.ends_with(ending))
    };
    let ends = words.last().as_ref().is_some_and(is_infinitive);
    let several = words.iter().filter(is_infinitive).count() > 1;
    let commands = words.iter().any(|word| word.spelling.starts_with("--") || word.spelling == "docker");
    let tells = words.iter().any(|word| TELLS.contains(&word.spelling.as_str()));
    words.len() >= 2 && !tells && (has_imperative || must || ends || commands || several)
}

#[cfg(test)]
mod tests;
