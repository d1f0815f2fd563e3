//! Knowledge graphs, in the words of the reference memory server and of what descends from it; and agent files of Letta.

use serde_json::{Map, Value};

use super::json::{common, first, scalar, when};
use super::{Entry, Legacy};

/// Lists of an agent file that hold what the agent remembers.
const BLOCKS: [&str; 3] = ["blocks", "core_memory", "memory_blocks"];

/// Whether an object is an agent file, or an agent of one.
pub(super) fn is_agent(fields: &Map<String, Value>) -> bool {
    fields.get("agents").is_some_and(Value::is_array) || blocks(fields).is_some()
}

fn blocks(fields: &Map<String, Value>) -> Option<&Vec<Value>> {
    let is_block = |block: &Value| block.get("label").is_some() && block.get("value").is_some();
    BLOCKS.iter().find_map(|name| fields.get(*name)?.as_array().filter(|found| found.iter().any(is_block)))
}

/// The blocks of an agent file. Its messages are no memories.
pub(super) fn agent(fields: &Map<String, Value>, legacy: &mut Legacy<'_>) {
    let at = when(fields, legacy);
    if let Some(found) = blocks(fields) {
        of_agent("", found, at, legacy);
    }
    for (nth, inner) in fields.get("agents").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let Some(inner) = inner.as_object() else { continue };
        let memory = inner.get("memory").and_then(Value::as_object);
        for found in [Some(inner), memory].into_iter().flatten().filter_map(blocks) {
            of_agent(&format!("agent {}, ", nth + 1), found, at, legacy);
        }
    }
}

fn of_agent(before: &str, blocks: &[Value], at: Option<crate::domain::time::Timestamp>, legacy: &mut Legacy<'_>) {
    let label = |block: &Value| block.get("label").and_then(Value::as_str).unwrap_or_default().to_owned();
    for (nth, block) in blocks.iter().enumerate() {
        let place = format!("{before}block {}", nth + 1);
        let (Some(fields), Some(value)) = (block.as_object(), block.get("value").and_then(Value::as_str)) else {
            legacy.unread(&place, "it has no value");
            continue;
        };
        let label_of = label(block);
        let is_user = matches!(label_of.as_str(), "human" | "user");
        let is_alone = blocks.iter().filter(|other| label(other) == label_of).count() == 1;
        let base = common(&place, fields, legacy);
        legacy.push(Entry {
            key: Some(label_of).filter(|label| is_alone && !label.is_empty()),
            value: value.to_owned(),
            is_about_user: is_user,
            at: base.at.or(at),
            ..base
        });
    }
}

/// A thing and what is said of it.
pub(super) fn entity(place: &str, fields: &Map<String, Value>, observations: &Value, legacy: &mut Legacy<'_>) {
    let name = first(fields, &["name", "entityName", "entity_name"]);
    let kind = first(fields, &["entityType", "entity_type"]);
    remember(fields, name.as_ref(), legacy);
    let one = [observations.clone()];
    let observations: &[Value] = observations.as_array().map_or(&one, Vec::as_slice);
    if observations.is_empty() {
        legacy.unread(place, "it is a thing of which nothing is said");
    }
    let base = common(place, fields, legacy);
    for (nth, observation) in observations.iter().enumerate() {
        let place = if observations.len() > 1 { format!("{place}, observation {}", nth + 1) } else { place.to_owned() };
        let inner = observation.as_object();
        let value = inner
            .map_or_else(|| scalar(observation), |inner| first(inner, &["text", "content", "observation", "contents"]));
        let Some(value) = value else {
            legacy.unread(&place, "an observation is no text");
            continue;
        };
        let mut tags: Vec<String> = kind.iter().cloned().collect();
        tags.extend(base.tags.iter().cloned());
        legacy.push(Entry {
            place,
            value,
            at: inner.and_then(|inner| when(inner, legacy)).or(base.at),
            tags,
            entities: name.iter().cloned().collect(),
            ..base.clone()
        });
    }
}

/// A link between two things.
pub(super) fn relation(place: &str, fields: &Map<String, Value>, legacy: &Legacy<'_>) -> Option<Entry> {
    let from = first(fields, &["from", "from_entity", "from_id", "source", "fromEntity"])?;
    let to = first(fields, &["to", "to_entity", "to_id", "target", "destination", "toEntity"])?;
    let kind = first(fields, &["relationType", "relation_type", "relation", "relationship", "label"]);
    let is_said = ["type", "_type"].iter().any(|name| fields.get(*name).and_then(Value::as_str) == Some("relation"));
    if kind.is_none() && !is_said && fields.contains_key("content") {
        return None;
    }
    let name = |id: String| legacy.names.get(&id).cloned().unwrap_or(id);
    let (from, to) = (name(from), name(to));
    let value = format!("{from} {} {to}", kind.as_deref().unwrap_or("–"));
    let mut base = common(place, fields, legacy);
    base.entities = vec![from, to];
    Some(Entry { value, is_relation: true, ..base })
}

/// A thing with properties. Its name alone says nothing of it.
pub(super) fn thing(place: &str, fields: &Map<String, Value>, legacy: &mut Legacy<'_>) {
    let properties = fields.get("properties").and_then(Value::as_object);
    let name = properties.and_then(|properties| first(properties, &["name", "title"]));
    remember(fields, name.as_ref(), legacy);
    let labels = fields.get("labels").and_then(Value::as_array).into_iter().flatten();
    let tags: Vec<String> = labels.filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    let base = Entry { tags, entities: name.into_iter().collect(), ..common(place, fields, legacy) };
    let said = properties.into_iter().flatten().filter(|(key, _)| !matches!(key.as_str(), "name" | "title" | "id"));
    let mut is_any = false;
    for (key, value) in said {
        is_any = true;
        let place = format!("{place}, property {key}");
        match scalar(value) {
            Some(value) => legacy.push(Entry { place, value: format!("{key}: {value}"), ..base.clone() }),
            None => legacy.unread(&place, "a property is no text"),
        }
    }
    if !is_any {
        legacy.unread(place, "it is a thing of which nothing is said");
    }
}

/// Keeps in mind whom an id stands for: links name it.
fn remember(fields: &Map<String, Value>, name: Option<&String>, legacy: &mut Legacy<'_>) {
    if let (Some(id), Some(name)) = (first(fields, &["id"]), name) {
        legacy.names.insert(id, name.clone());
    }
}
