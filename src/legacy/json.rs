//! JSON and JSON lines: flat and nested pairs, lists of memories, knowledge graphs, agent files.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::{Entry, Legacy, time};
use crate::domain::json::{BadJson, parse_strict};

/// How often one document may hold another as a text.
const WRAPPED_MAX: usize = 3;
/// Fields that hold what a memory says.
const SAYS: [&str; 5] = ["memory", "content", "text", "data", "fact"];
/// Fields that hold when it was said, the latest first.
const TIMES: [&str; 9] =
    ["updated_at", "updatedAt", "created_at", "createdAt", "timestamp", "ts", "created", "_savedAt", "date"];

/// How a text is JSON.
pub(super) enum Form {
    /// It is one document.
    Document(Value),
    /// It is an object in which keys stand twice.
    Twice(Vec<(String, Value)>),
    /// Each line is a document.
    Lines,
}

impl Form {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Document(_) | Self::Twice(_) => "JSON",
            Self::Lines => "JSON lines",
        }
    }
}

/// How a text that begins as JSON does is JSON; `None` where none of its lines is.
pub(super) fn form(text: &str) -> Option<Form> {
    match parse_strict(text.as_bytes()) {
        Ok(value) => return Some(Form::Document(unwrap(value))),
        Err(BadJson::DuplicateKey { .. }) => {
            if let Ok(Pairs(pairs)) = serde_json::from_str::<Pairs>(text) {
                return Some(Form::Twice(pairs));
            }
        }
        Err(_) => {}
    }
    text.lines().any(|line| parse_strict(line.as_bytes()).is_ok()).then_some(Form::Lines)
}

/// Reads it.
pub(super) fn read(form: Form, text: &str, legacy: &mut Legacy<'_>) {
    match form {
        Form::Document(value) => document("the document", value, legacy),
        Form::Twice(pairs) if is_unique(&pairs) => {
            legacy.unread("the document", "a key stands twice in one of its inner objects");
        }
        Form::Twice(pairs) => {
            for (key, value) in pairs {
                pair("the document", &key, value, legacy);
            }
        }
        Form::Lines => {
            for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                let place = format!("line {}", at + 1);
                match parse_strict(line.as_bytes()) {
                    Ok(value) => document(&place, value, legacy),
                    Err(BadJson::DuplicateKey { .. }) => legacy.unread(&place, "a key stands twice in one object"),
                    Err(_) => legacy.unread(&place, "it is no JSON, or cut off"),
                }
            }
        }
    }
}

/// A document that was written as a text into another.
fn unwrap(mut value: Value) -> Value {
    for _ in 0..WRAPPED_MAX {
        match value.as_str().and_then(|text| parse_strict(text.as_bytes()).ok()) {
            Some(inner) => value = inner,
            None => break,
        }
    }
    value
}

/// The pairs of an object, those with the same key too.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

fn is_unique(pairs: &[(String, Value)]) -> bool {
    let keys: std::collections::BTreeSet<&str> = pairs.iter().map(|(key, _)| key.as_str()).collect();
    keys.len() == pairs.len()
}

fn document(place: &str, value: Value, legacy: &mut Legacy<'_>) {
    match value {
        Value::Array(items) => list(place, items, legacy),
        Value::Object(fields) => object(place, fields, legacy),
        Value::String(text) => legacy.push(Entry { place: place.to_owned(), value: text, ..Entry::default() }),
        _ => legacy.unread(place, "it is neither an object, a list nor a text"),
    }
}

fn list(place: &str, items: Vec<Value>, legacy: &mut Legacy<'_>) {
    for (at, item) in items.into_iter().enumerate() {
        let place =
            if place == "the document" { format!("item {}", at + 1) } else { format!("{place}, item {}", at + 1) };
        document(&place, item, legacy);
    }
}

fn object(place: &str, mut fields: Map<String, Value>, legacy: &mut Legacy<'_>) {
    for name in ["results", "memories", "entities", "relations"] {
        if let Some(Value::Array(items)) = fields.get_mut(name)
            && items.iter().all(Value::is_object)
            && !items.is_empty()
        {
            list(place, std::mem::take(items), legacy);
            fields.shift_remove(name);
            if name == "results" || name == "memories" {
                return;
            }
        }
    }
    if fields.is_empty() {
        return;
    }
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    if fields.contains_key("payload") && fields.contains_key("subsystem") {
        legacy.unread(place, "it is a change that still waits: decide it where it waits");
    } else if fields.contains_key("entry") && fields.contains_key("action") {
        legacy.unread(place, "it was superseded or evicted where it was kept");
    } else if let Some(Value::Array(blocks)) = fields.get("blocks") {
        agent(blocks, legacy);
    } else if let Some(observations) = fields.get("observations") {
        entity(place, &fields, observations, legacy);
    } else if let Some((from, to)) = ends(&fields) {
        let kind = first(&fields, &["relationType", "relation_type", "relation"]).unwrap_or_else(|| "–".to_owned());
        let value = format!("{from} {kind} {to}");
        let entry = Entry { value, entities: vec![from, to], is_relation: true, ..common(place, &fields) };
        legacy.push(entry);
    } else if fields.contains_key("labels") && fields.contains_key("properties") {
        legacy.unread(place, "it is a thing of which nothing is said");
    } else if let (Some(key), Some(value)) = (text("key"), fields.get("value")) {
        match scalar(value) {
            Some(value) => legacy.push(Entry { key: Some(key), value, ..common(place, &fields) }),
            None => pair(place, &key, value.clone(), legacy),
        }
    } else if let Some(value) = SAYS.iter().find_map(|name| text(name)) {
        legacy.push(Entry { value, ..common(place, &fields) });
    } else {
        fields.into_iter().for_each(|(key, value)| pair(place, &key, value, legacy));
    }
}

fn agent(blocks: &[Value], legacy: &mut Legacy<'_>) {
    let label = |block: &Value| block.get("label").and_then(Value::as_str).unwrap_or_default().to_owned();
    for (at, block) in blocks.iter().enumerate() {
        let place = format!("block {}", at + 1);
        let label = label(block);
        let is_alone =
            blocks.iter().filter(|other| other.get("label").and_then(Value::as_str) == Some(&label)).count() == 1;
        match block.get("value").and_then(Value::as_str) {
            Some(value) => legacy.push(Entry {
                place,
                key: Some(label.clone()).filter(|label| is_alone && !label.is_empty()),
                value: value.to_owned(),
                ..Entry::default()
            }),
            None => legacy.unread(&place, "it has no value"),
        }
    }
}

fn entity(place: &str, fields: &Map<String, Value>, observations: &Value, legacy: &mut Legacy<'_>) {
    let name = first(fields, &["name", "entityName", "entity_name"]);
    let kind = first(fields, &["entityType", "entity_type"]);
    let one = [observations.clone()];
    let observations: &[Value] = observations.as_array().map_or(&one, Vec::as_slice);
    if observations.is_empty() {
        legacy.unread(place, "it is a thing of which nothing is said");
    }
    for observation in observations {
        let base = common(place, fields);
        let inner = observation.as_object();
        let value =
            inner.map_or_else(|| scalar(observation), |inner| first(inner, &["text", "content", "observation"]));
        let at = inner.and_then(when).or(base.at);
        let Some(value) = value else {
            legacy.unread(place, "an observation is no text");
            continue;
        };
        legacy.push(Entry {
            value,
            at,
            tags: kind.iter().cloned().collect(),
            entities: name.iter().cloned().collect(),
            ..base
        });
    }
}

fn ends(fields: &Map<String, Value>) -> Option<(String, String)> {
    let from = first(fields, &["from", "from_entity", "from_id", "source"])?;
    let to = first(fields, &["to", "to_entity", "to_id", "target"])?;
    Some((from, to))
}

fn first(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| fields.get(*name)?.as_str()).map(ToOwned::to_owned)
}

fn when(fields: &Map<String, Value>) -> Option<crate::domain::time::Timestamp> {
    TIMES.iter().find_map(|name| time(&scalar(fields.get(*name)?)?))
}

/// What any memory may say beside its text.
fn common(place: &str, fields: &Map<String, Value>) -> Entry {
    let mut tags = Vec::new();
    let inner = fields.get("metadata").and_then(Value::as_object);
    for fields in [Some(fields), inner].into_iter().flatten() {
        for name in ["tags", "type", "category", "categories"] {
            match fields.get(name) {
                Some(Value::String(tag)) => tags.push(tag.clone()),
                Some(Value::Array(many)) => tags.extend(many.iter().filter_map(Value::as_str).map(ToOwned::to_owned)),
                _ => {}
            }
        }
    }
    tags.retain(|tag| !matches!(tag.as_str(), "entity" | "relation"));
    let expires = first(fields, &["expiration_date", "expires_at"]).and_then(|text| time(&text));
    Entry { place: place.to_owned(), at: when(fields), expires, tags, ..Entry::default() }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is) => Some(is.to_string()),
        _ => None,
    }
}

/// A key and its value; what is nested gets a key of both names.
fn pair(place: &str, key: &str, value: Value, legacy: &mut Legacy<'_>) {
    let place_of = if place == "the document" { format!("key {key}") } else { format!("{place}, key {key}") };
    let simple = match &value {
        Value::Array(items) => items.iter().map(scalar).collect::<Option<Vec<_>>>().map(|items| items.join(", ")),
        value => scalar(value),
    };
    match (simple, value) {
        (Some(value), _) => {
            legacy.push(Entry { place: place_of, key: Some(key.to_owned()), value, ..Entry::default() });
        }
        (None, Value::Object(fields)) => {
            fields.into_iter().for_each(|(name, value)| pair(place, &format!("{key}.{name}"), value, legacy));
        }
        (None, Value::Array(items)) => list(&place_of, items, legacy),
        (None, _) => legacy.unread(&place_of, "it is null"),
    }
}
