//! Hermes Agent: which files of a home hold memories, what was superseded, and what waits to be remembered.

use serde_json::{Map, Value};

use super::time::time;
use super::{Entry, Legacy, Proposal, Standing};
use crate::domain::time::Timestamp;
use crate::domain::zone::Zone;

/// What a file of a home holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Memories, in `memories/`.
    Memories,
    /// Memories, in a folder of which no other name says so.
    Bare,
    /// A change that waits.
    Pending,
}

impl Role {
    /// Only a home has such a file.
    pub(super) const fn is_home(self) -> bool {
        !matches!(self, Self::Bare)
    }
}

/// What a file holds, by its path in the home; `None`: no memories.
pub(super) fn role(path: &str) -> Option<Role> {
    let mut rest = path;
    if let Some((_, inner)) = path.strip_prefix("profiles/").and_then(|inner| inner.split_once('/')) {
        rest = inner;
    }
    let (folder, file) = rest.rsplit_once('/').unwrap_or(("", rest));
    let stem = file.split(".bak").next().unwrap_or(file);
    let is_kept = stem == "ARCHIVE.jsonl" || ends(stem, "md");
    let is_named = matches!(stem, "ARCHIVE.jsonl" | "MEMORY.md" | "USER.md");
    match folder {
        "memories" if is_kept => Some(Role::Memories),
        "pending/memory" if ends(file, "json") => Some(Role::Pending),
        "" if is_named => Some(Role::Bare),
        _ => None,
    }
}

fn ends(file: &str, extension: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, end)| end == extension)
}

/// Whether a file is a copy of before, and until when it held, where its name says so: `MEMORY.md.bak.1780000000`.
pub(super) fn past(path: &str, zone: Zone) -> Option<Standing> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (_, mark) = file.split_once(".bak")?;
    Some(Standing::Past(time(mark.trim_start_matches(['.', '-', '_']), zone)))
}

/// An entry that was superseded or evicted: it is history.
pub(super) fn archived(place: &str, fields: &Map<String, Value>, legacy: &mut Legacy<'_>) {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let until = ["ts", "timestamp", "at"].iter().find_map(|name| legacy.time(text(name)?));
    let value = text("entry").unwrap_or_default().to_owned();
    let standing = Standing::Past(until);
    legacy.push(Entry { place: place.to_owned(), value, standing, ..Entry::default() });
}

/// A change that waits: one operation or several.
pub(super) fn pending(place: &str, fields: &Map<String, Value>, legacy: &mut Legacy<'_>) {
    let at =
        fields.get("created_at").and_then(|at| legacy.time(&at.as_str().map_or_else(|| at.to_string(), Into::into)));
    let Some(payload) = fields.get("payload").and_then(Value::as_object) else {
        return legacy.unread(place, "it is a change that says nothing");
    };
    match payload.get("operations").and_then(Value::as_array) {
        Some(operations) if !operations.is_empty() => {
            for (nth, one) in operations.iter().enumerate() {
                let place = format!("{}operation {}", prefix(place), nth + 1);
                match one.as_object() {
                    Some(one) => operation(&place, one, at, legacy),
                    None => legacy.unread(&place, "it is a change that says nothing"),
                }
            }
        }
        _ => operation(place, payload, at, legacy),
    }
}

fn prefix(place: &str) -> String {
    if place == super::json::WHOLE { String::new() } else { format!("{place}, ") }
}

fn operation(place: &str, fields: &Map<String, Value>, at: Option<Timestamp>, legacy: &mut Legacy<'_>) {
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (value, proposal) = match text("action").as_str() {
        "add" => (text("content"), Proposal::Add),
        "replace" => (text("content"), Proposal::Replace(text("old_text"))),
        "remove" | "delete" => (text("old_text"), Proposal::Remove),
        _ => return legacy.unread(place, "it is a change of a kind that is not known"),
    };
    let standing = Standing::Proposed(proposal);
    legacy.push(Entry { place: place.to_owned(), value, at, standing, ..Entry::default() });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_has_memories_in_known_places() {
        for (path, found) in [
            ("memories/MEMORY.md", Some(Role::Memories)),
            ("memories/USER.md.bak.1780000000", Some(Role::Memories)),
            ("memories/MEMORY.md.lock", None),
            ("profiles/mari/memories/MEMORY.md", Some(Role::Memories)),
            ("profiles/mari/pending/memory/1.json", Some(Role::Pending)),
            ("pending/memory/1.json", Some(Role::Pending)),
            ("pending/skills/1.json", None),
            ("MEMORY.md", Some(Role::Bare)),
            ("ARCHIVE.jsonl", Some(Role::Bare)),
            ("README.md", None),
            ("skills/memories/x.md", None),
        ] {
            assert_eq!(role(path), found, "{path}");
        }
    }

    #[test]
    fn a_copy_of_before_may_say_until_when_it_held() {
        let until = |path| past(path, Zone::default());
        assert_eq!(until("memories/MEMORY.md"), None);
        assert_eq!(until("memories/MEMORY.md.bak"), Some(Standing::Past(None)));
        assert_eq!(until("MEMORY.md.bak.1780000000"), Some(Standing::Past(Timestamp::from_unix(1_780_000_000))));
    }
}
