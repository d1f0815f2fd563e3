//! What an erasure looks for, and taking it out of a document.

use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization as _;

/// A text that is looked for, whatever the case of its letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    folded: String,
    /// It has to stand as whole words.
    is_name: bool,
}

/// A text says too little to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is to be erased needs three letters or digits at least")]
pub struct TooShort;

/// How many letters and digits a text needs that is looked for: two would be in everything.
const SHORTEST: usize = 3;

impl Needle {
    /// Looks for a text anywhere.
    ///
    /// # Errors
    /// When it has fewer than three letters or digits.
    pub fn text(text: &str) -> Result<Self, TooShort> {
        Self::new(text, false)
    }

    /// Looks for a name, as whole words.
    ///
    /// # Errors
    /// When it has fewer than three letters or digits.
    pub fn name(text: &str) -> Result<Self, TooShort> {
        Self::new(text, true)
    }

    fn new(text: &str, is_name: bool) -> Result<Self, TooShort> {
        let folded = fold(text.trim());
        let says = folded.chars().filter(|ch| ch.is_alphanumeric()).count();
        if says < SHORTEST { Err(TooShort) } else { Ok(Self { folded, is_name }) }
    }

    /// Whether a text holds it.
    pub fn is_in(&self, text: &str) -> bool {
        let text = fold(text);
        let mut hits = text.match_indices(&self.folded);
        if !self.is_name {
            return hits.next().is_some();
        }
        hits.any(|(at, hit)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + hit.len()..).and_then(|after| after.chars().next());
            [before, after].into_iter().flatten().all(|ch| !ch.is_alphanumeric())
        })
    }

    /// Whether it stands anywhere in a value, names of fields included.
    pub fn is_within(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.is_in(text),
            Value::Number(number) => self.is_in(&number.to_string()),
            Value::Array(list) => list.iter().any(|entry| self.is_within(entry)),
            Value::Object(fields) => fields.iter().any(|(name, value)| self.is_in(name) || self.is_within(value)),
            Value::Null | Value::Bool(_) => false,
        }
    }
}

/// Composed, and in lower case.
fn fold(text: &str) -> String {
    text.nfc().flat_map(char::to_lowercase).collect()
}

/// Fields by which a session is found and aged; they hold ids and times, and stay.
const KEPT: [&str; 10] = [
    "schema_version",
    "session_id",
    "agent_id",
    "created_at",
    "last_active",
    "status",
    "closed_at",
    "archived_at",
    "turn_id",
    "timestamp",
];

/// Takes out of a session's fields what holds the text: of a turn or the whole the field, of a list the entry. Answers how
/// many fields and entries went.
pub fn prune(fields: &mut Map<String, Value>, needle: &Needle) -> u64 {
    let mut gone = 0;
    fields.retain(|name, value| {
        if KEPT.contains(&name.as_str()) || !(needle.is_in(name) || needle.is_within(value)) {
            return true;
        }
        let before = gone;
        match value {
            Value::Array(entries) if name == "turns" => {
                for turn in entries.iter_mut().filter_map(Value::as_object_mut) {
                    gone += prune(turn, needle);
                }
                // What is no turn at all, and holds it.
                gone += keep_without(entries, needle, Value::is_object);
            }
            Value::Array(entries) => gone += keep_without(entries, needle, |_| false),
            Value::Object(inner) if name == "accumulated_context" => gone += prune(inner, needle),
            _ => {}
        }
        // Where it is still in it, or in its name, the field goes whole.
        let stays = gone > before && !needle.is_in(name) && !is_left(name, value, needle);
        gone += u64::from(!stays);
        stays
    });
    gone
}

/// Whether the text is still in a field whose entries were looked through; a turn's number and time stay.
fn is_left(name: &str, value: &Value, needle: &Needle) -> bool {
    name != "turns" && needle.is_within(value)
}

fn keep_without(entries: &mut Vec<Value>, needle: &Needle, is_kept: impl Fn(&Value) -> bool) -> u64 {
    let before = entries.len();
    entries.retain(|entry| is_kept(entry) || !needle.is_within(entry));
    (before - entries.len()) as u64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_is_found_in_any_case_and_a_name_as_whole_words() {
        let text = Needle::text("müller").unwrap();
        let name = Needle::name("Vento").unwrap();
        assert!(text.is_in("Frau MU\u{308}LLERin") && !text.is_in("Mueller"));
        assert!(name.is_in("Stand von VENTO?") && name.is_in("Vento") && !name.is_in("Ventoseite"));
        assert!(name.is_in("Ventoseite, Vento"));
        for short in ["", "  ", "ab", "—…!", "a b"] {
            assert!(Needle::text(short).is_err() && Needle::name(short).is_err(), "{short:?}");
        }
    }

    #[test]
    fn what_holds_the_text_goes_and_the_rest_stays() {
        let mut value = json!({
            "session_id": "SESSION-mara-20260521-a3f7b2", "agent_id": "hermes-mara", "title": "über Mara",
            "turns": [
                {"turn_id": 1, "timestamp": "2026-05-21T14:30:00Z", "user_input": "Mara kommt", "decisions": ["Redis", "mit Mara"],
                 "retrieval": {"query": {"q": ["Mara"]}}, "conversation_summary": "ok"},
                {"turn_id": 2, "user_input": "anderes", "Mara": 1},
                "Mara, roh",
            ],
            "accumulated_context": {"open_tasks": ["Mara anrufen", "prüfen"], "x": "Mara"},
        });
        let needle = Needle::text("mara").unwrap();
        let gone = prune(value.as_object_mut().unwrap(), &needle);
        assert_eq!(gone, 8);
        assert_eq!(
            value,
            json!({
                "session_id": "SESSION-mara-20260521-a3f7b2", "agent_id": "hermes-mara",
                "turns": [
                    {"turn_id": 1, "timestamp": "2026-05-21T14:30:00Z", "decisions": ["Redis"], "conversation_summary": "ok"},
                    {"turn_id": 2, "user_input": "anderes"},
                ],
                "accumulated_context": {"open_tasks": ["prüfen"]},
            })
        );
        assert_eq!(prune(value.as_object_mut().unwrap(), &needle), 0);
    }
}
