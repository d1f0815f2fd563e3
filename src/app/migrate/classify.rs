//! What kind of memory a legacy entry is: told by its tags, else by rules over its text, German and English.

use crate::domain::block::{BlockType, Category};
use crate::domain::extract::{Candidate, extract};
use crate::legacy::Entry;

/// What an entry was taken for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    pub(super) block_type: BlockType,
    pub(super) category: Category,
    pub(super) confidence: f64,
    pub(super) reason: String,
}

/// Words that other programs use for ADR-001's.
const TAGS: [(&[&str], BlockType, Category); 6] = [
    (&["preference", "preferences", "ui", "style"], BlockType::UserPreference, Category::Formatting),
    (&["status", "todo", "project", "decision"], BlockType::ProjectState, Category::Project),
    (&["tech", "stack", "tool", "repo"], BlockType::LearnedPattern, Category::TechStack),
    (&["person", "contact", "people"], BlockType::EntityRelationship, Category::Contact),
    (&["howto", "procedure", "workflow"], BlockType::Procedural, Category::Workflow),
    (&["lesson", "learning", "insight", "skill"], BlockType::LearnedPattern, Category::Skill),
];

/// Cues in the text and key, in lower case, each at the beginning of a word; the first row that fits decides.
const CUES: [(&[&str], BlockType, Category); 7] = [
    (
        &[
            "prefer",
            "bevorzug",
            "favorit",
            "favourit",
            "mag ",
            "mögen ",
            "likes ",
            "dislikes ",
            "loves ",
            "hates ",
            "liebt ",
            "hasst ",
            "möchte",
            "wünscht",
            "lieber",
            "immer auf",
            "style",
            "theme",
            "language",
            "sprache",
            "tonfall",
            "anrede",
            "ansprechen",
            "duzen",
            "siezen",
        ],
        BlockType::UserPreference,
        Category::Formatting,
    ),
    (
        &["editor", "timezone", "zeitzone", "time zone", "arbeitszeit", "working hours", "keyboard", "tastatur"],
        BlockType::UserPreference,
        Category::Workflow,
    ),
    (
        &[
            "ansprechpartner",
            "contact for",
            "works with",
            "works at",
            "works for",
            "arbeitet mit",
            "arbeitet bei",
            "arbeitet an",
            "kollege",
            "kollegin",
            "colleague",
            "zuständig für",
            "responsible for",
            "chefin",
            "married",
            "verheiratet",
        ],
        BlockType::EntityRelationship,
        Category::Contact,
    ),
    (
        &["gelernt", "learned", "learnt", "lesson", "lektion", "erkenntnis", "merke", "gotcha", "fallstrick"],
        BlockType::LearnedPattern,
        Category::Skill,
    ),
    (
        &[
            "immer erst",
            "immer zuerst",
            "nie ohne",
            "niemals",
            "always ",
            "never ",
            "backup",
            "zuerst ",
            "first run",
            "before deploy",
            "vor jedem",
            "before every",
            "schritt 1",
            "step 1",
            "how to",
            "anleitung",
        ],
        BlockType::Procedural,
        Category::Workflow,
    ),
    (
        &["stack", "framework", "datenbank", "database", "bibliothek", "library", "toolchain", "compiler"],
        BlockType::ProjectState,
        Category::TechStack,
    ),
    (
        &[
            "status",
            "fertig",
            "done",
            "live",
            "läuft auf",
            "runs on",
            "port ",
            "projekt",
            "project",
            "blocker",
            "blocked",
            "deploy",
            "entscheid",
            "entschied",
            "decision",
            "decided",
            "release",
            "version",
            "deadline",
            "milestone",
            "meilenstein",
            "gateway",
            "server",
        ],
        BlockType::ProjectState,
        Category::Project,
    ),
];

/// What the extraction is less sure of is left to the cues.
const SURE: f64 = 0.6;
/// Longer texts are not looked through sentence by sentence: what kind of memory they are is not said in one. Bytes.
const SENTENCES_MAX: usize = 2000;

/// Tells what kind of memory an entry is, and why.
pub(super) fn classify(entry: &Entry) -> Class {
    let class = |block_type, category, confidence, reason: String| Class { block_type, category, confidence, reason };
    let block_type = entry.tags.iter().find_map(|tag| tag.parse::<BlockType>().ok());
    let category = entry.tags.iter().find_map(|tag| tag.parse::<Category>().ok());
    if let Some(block_type) = block_type {
        let category = category.unwrap_or_else(|| usual(block_type));
        return class(block_type, category, 1.0, format!("tag {}", block_type.word()));
    }
    if entry.is_relation {
        return class(BlockType::EntityRelationship, Category::Project, 0.9, "it is a relation".to_owned());
    }
    for tag in &entry.tags {
        let tag = tag.to_lowercase();
        if let Some((words, block_type, usual)) = TAGS.iter().find(|(words, ..)| words.contains(&tag.as_str())) {
            let word = words.iter().find(|word| **word == tag).copied().unwrap_or_default();
            return class(*block_type, category.unwrap_or(*usual), 0.8, format!("tag {word}"));
        }
    }
    if let Some(found) = said(&entry.value) {
        let reason = format!("rule: {}", found.rule);
        return class(found.subject.block_type(), category.unwrap_or(found.category), found.confidence, reason);
    }
    let text = format!("{} {} ", entry.key.as_deref().unwrap_or_default(), entry.value).to_lowercase();
    for (cues, block_type, usual) in &CUES {
        if let Some(cue) = cues.iter().find(|cue| begins_a_word(&text, cue)) {
            let reason = format!("rule: {}", cue.trim());
            return class(*block_type, category.unwrap_or(*usual), 0.6, reason);
        }
    }
    if entry.is_about_user {
        let reason = "it is kept about the user".to_owned();
        return class(BlockType::UserPreference, category.unwrap_or(Category::Workflow), 0.5, reason);
    }
    class(BlockType::LearnedPattern, category.unwrap_or(Category::Workflow), 0.4, "no rule fits".to_owned())
}

/// What one of its sentences says most surely.
fn said(value: &str) -> Option<Candidate> {
    if value.len() > SENTENCES_MAX {
        return None;
    }
    extract(value).into_iter().filter(|one| one.confidence >= SURE).max_by(|one, other| {
        // Of equals the first.
        one.confidence.total_cmp(&other.confidence).then(other.at.cmp(&one.at))
    })
}

fn begins_a_word(text: &str, cue: &str) -> bool {
    text.match_indices(cue).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| !c.is_alphanumeric())
    })
}

fn usual(block_type: BlockType) -> Category {
    match block_type {
        BlockType::UserPreference => Category::Formatting,
        BlockType::ProjectState | BlockType::EntityRelationship => Category::Project,
        BlockType::LearnedPattern => Category::Skill,
        BlockType::Procedural => Category::Workflow,
    }
}

/// Whom or what it concerns: what it names, the tags that are no kinds, and the pages it links to.
pub(super) fn entities(entry: &Entry) -> Vec<String> {
    let is_kind = |tag: &str| {
        tag.parse::<BlockType>().is_ok()
            || tag.parse::<Category>().is_ok()
            || TAGS.iter().any(|(words, ..)| words.contains(&tag.to_lowercase().as_str()))
    };
    let links = entry.value.split("[[").skip(1).filter_map(|rest| rest.split_once("]]")).map(|(page, _)| page);
    let mut names: Vec<String> = Vec::new();
    let tags = entry.tags.iter().map(String::as_str).filter(|tag| !is_kind(tag));
    for name in entry.entities.iter().map(String::as_str).chain(tags).chain(links) {
        let name = name.trim();
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_come_before_rules_and_rules_before_a_guess() {
        let entry = |value: &str, tags: &[&str]| Entry {
            value: value.to_owned(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            ..Entry::default()
        };
        let cases = [
            (entry("prefers tables", &["procedural", "workflow"]), BlockType::Procedural, "tag procedural"),
            (entry("prefers tables", &["todo"]), BlockType::ProjectState, "tag todo"),
            (entry("User prefers tables", &[]), BlockType::UserPreference, "rule: en-prefer"),
            (entry("Nie ohne Rückfrage deployen", &[]), BlockType::Procedural, "rule: nie ohne"),
            (entry("Support hat einen neuen Lifestyle", &[]), BlockType::LearnedPattern, "no rule fits"),
            (entry("xyz", &[]), BlockType::LearnedPattern, "no rule fits"),
        ];
        for (entry, block_type, reason) in cases {
            let class = classify(&entry);
            assert_eq!((class.block_type, class.reason.as_str()), (block_type, reason), "{}", entry.value);
        }
        assert_eq!(entities(&entry("siehe [[CRM]]", &["project_state", "Flo"])), ["Flo", "CRM"]);
    }
}
