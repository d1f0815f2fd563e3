//! JSON and JSON lines: flat and nested pairs, lists of memories; knowledge graphs and agent files are `graph`'s.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::{Entry, Legacy, Standing, graph, hermes};
use crate::domain::json::{BadJson, parse_strict};
use crate::domain::time::Timestamp;

/// The place of what is all of a file.
pub(super) const WHOLE: &str = "the document";
/// How often one document may hold another as a text.
const WRAPPED_MAX: usize = 3;
/// Fields that hold what a memory says.
const SAYS: [&str; 5] = ["memory", "content", "text", "data", "fact"];
/// Fields that hold when it was said, the latest first.
const TIMES: [&str; 9] =
    ["updated_at", "updatedAt", "created_at", "createdAt", "timestamp", "ts", "created", "_savedAt", "date"];
/// Fields that say what sort of memory it is.
const TAGS: [&str; 4] = ["tags", "type", "category", "categories"];
/// What `serde_json` calls a number that it hands on digit by digit.
const NUMBER: &str = "$serde_json::private::Number";

/// How a text is JSON.
pub(super) enum Form {
    /// It is one document.
    Document(Value),
    /// It is one in which keys stand twice.
    Twice(Node),
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

/// How a text is JSON; `None` where none of its lines is.
pub(super) fn form(text: &str) -> Option<Form> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_one_line = first.len() == text.trim().len();
    // Of a million lines the first one tells enough.
    let is_lines = !is_one_line && first.trim_start().starts_with('{') && is_json(first);
    if !is_lines {
        match parse_strict(text.as_bytes()) {
            Ok(value) => return Some(Form::Document(unwrap(value))),
            Err(BadJson::DuplicateKey { .. }) => {
                if let Ok(node) = serde_json::from_str(text) {
                    return Some(Form::Twice(node));
                }
            }
            Err(_) => {}
        }
    }
    let is_document = |line: &str| line.trim_start().starts_with(['{', '[', '"']) && is_json(line);
    text.lines().any(is_document).then_some(Form::Lines)
}

fn is_json(line: &str) -> bool {
    matches!(parse_strict(line.as_bytes()), Ok(_) | Err(BadJson::DuplicateKey { .. }))
}

/// Reads it.
pub(super) fn read(form: Form, text: &str, legacy: &mut Legacy<'_>) {
    match form {
        Form::Document(value) => document(WHOLE, value, legacy),
        Form::Twice(found) => node(WHOLE, found, legacy),
        Form::Lines => {
            for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                let place = format!("line {}", at + 1);
                match parse_strict(line.as_bytes()) {
                    Ok(value) => document(&place, value, legacy),
                    Err(BadJson::DuplicateKey { .. }) => match serde_json::from_str(line) {
                        Ok(found) => node(&place, found, legacy),
                        Err(_) => legacy.unread(&place, "a key stands twice in one object"),
                    },
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

/// A document that keeps all pairs of an object, those with the same key too.
pub(super) enum Node {
    Pairs(Vec<(String, Node)>),
    Items(Vec<Node>),
    Leaf(Value),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeReader)
    }
}

struct NodeReader;

impl<'de> Visitor<'de> for NodeReader {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut pairs: Vec<(String, Node)> = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        if let [(name, Node::Leaf(Value::String(digits)))] = pairs.as_slice()
            && name == NUMBER
        {
            return Ok(Node::Leaf(digits.parse::<Number>().map_or(Value::Null, Value::Number)));
        }
        Ok(Node::Pairs(pairs))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut found = Vec::new();
        while let Some(item) = items.next_element()? {
            found.push(item);
        }
        Ok(Node::Items(found))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Leaf(text.into()))
    }

    fn visit_bool<E>(self, is: bool) -> Result<Node, E> {
        Ok(Node::Leaf(is.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Leaf(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Node, E> {
        Ok(Node::Leaf(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Node, E> {
        Ok(Node::Leaf(number.into()))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Null))
    }
}

impl Node {
    /// The same as a value, unless a key stands twice somewhere in it.
    fn plain(self) -> Result<Value, Self> {
        if self.is_twice() {
            return Err(self);
        }
        Ok(self.value())
    }

    fn is_twice(&self) -> bool {
        match self {
            Self::Pairs(pairs) => !is_unique(pairs) || pairs.iter().any(|(_, node)| node.is_twice()),
            Self::Items(items) => items.iter().any(Self::is_twice),
            Self::Leaf(_) => false,
        }
    }

    fn value(self) -> Value {
        match self {
            Self::Pairs(pairs) => Value::Object(pairs.into_iter().map(|(key, node)| (key, node.value())).collect()),
            Self::Items(items) => Value::Array(items.into_iter().map(Self::value).collect()),
            Self::Leaf(value) => value,
        }
    }
}

fn is_unique(pairs: &[(String, Node)]) -> bool {
    let keys: HashSet<&str> = pairs.iter().map(|(key, _)| key.as_str()).collect();
    keys.len() == pairs.len()
}

/// Reads a document in which keys stand twice: pairs are entries, each by itself; of a memory nobody can tell what it says.
fn node(place: &str, found: Node, legacy: &mut Legacy<'_>) {
    match found.plain() {
        Ok(value) => document(place, value, legacy),
        Err(Node::Items(items)) => {
            for (at, item) in items.into_iter().enumerate() {
                node(&item_place(place, at), item, legacy);
            }
        }
        Err(Node::Pairs(pairs)) => {
            let is_memory = |(key, _): &(String, Node)| {
                SAYS.contains(&key.as_str()) || matches!(key.as_str(), "key" | "observations")
            };
            if !is_unique(&pairs) && pairs.iter().any(is_memory) {
                return legacy.unread(place, "a key stands twice in one object");
            }
            for (key, value) in pairs {
                node_pair(place, &key, value, legacy);
            }
        }
        Err(Node::Leaf(_)) => {}
    }
}

fn node_pair(place: &str, key: &str, found: Node, legacy: &mut Legacy<'_>) {
    match found.plain() {
        Ok(value) => pair(place, key, value, legacy),
        Err(Node::Pairs(pairs)) => {
            for (name, value) in pairs {
                node_pair(place, &format!("{key}.{name}"), value, legacy);
            }
        }
        Err(found) => node(&key_place(place, key), found, legacy),
    }
}

fn document(place: &str, value: Value, legacy: &mut Legacy<'_>) {
    match value {
        Value::Array(items) => list(place, items, legacy),
        Value::Object(fields) => object(place, fields, legacy),
        Value::String(text) => legacy.push(Entry { place: place.to_owned(), value: text, ..Entry::default() }),
        _ => legacy.unread(place, "it is neither an object, a list nor a text"),
    }
}

pub(super) fn list(place: &str, items: Vec<Value>, legacy: &mut Legacy<'_>) {
    for (at, item) in items.into_iter().enumerate() {
        document(&item_place(place, at), item, legacy);
    }
}

fn item_place(place: &str, at: usize) -> String {
    if place == WHOLE { format!("item {}", at + 1) } else { format!("{place}, item {}", at + 1) }
}

fn key_place(place: &str, key: &str) -> String {
    if place == WHOLE { format!("key {key}") } else { format!("{place}, key {key}") }
}

fn object(place: &str, mut fields: Map<String, Value>, legacy: &mut Legacy<'_>) {
    for name in ["results", "memories", "entities", "relations"] {
        let is_list = |items: &[Value]| {
            !items.is_empty()
                && (items.iter().all(Value::is_object) || name == "memories" && items.iter().all(Value::is_string))
        };
        if let Some(Value::Array(items)) = fields.get_mut(name)
            && is_list(items)
        {
            let items = std::mem::take(items);
            fields.shift_remove(name);
            list(place, items, legacy);
            // What stands beside a list of memories is about the list. Of a search mem0 gives relations too.
            if matches!(name, "results" | "memories") {
                fields.retain(|name, _| name == "relations");
            }
        }
    }
    if fields.is_empty() {
        return;
    }
    if let Some(Value::Object(payload)) = fields.get("payload").filter(|_| !fields.contains_key("subsystem"))
        && SAYS.iter().any(|name| payload.contains_key(*name))
    {
        // A vector database's record.
        return memory(place, payload, legacy);
    }
    let key = fields.get("key").and_then(scalar);
    if fields.contains_key("payload") && fields.contains_key("subsystem") {
        hermes::pending(place, &fields, legacy);
    } else if fields.contains_key("entry") && fields.contains_key("action") {
        hermes::archived(place, &fields, legacy);
    } else if graph::is_agent(&fields) {
        graph::agent(&fields, legacy);
    } else if let Some(observations) = fields.get("observations") {
        graph::entity(place, &fields, observations, legacy);
    } else if let Some(relation) = graph::relation(place, &fields, legacy) {
        legacy.push(relation);
    } else if fields.contains_key("labels") && fields.contains_key("properties") {
        graph::thing(place, &fields, legacy);
    } else if let (Some(key), Some(value)) = (key, fields.get("value")) {
        match scalar(value) {
            Some(value) => legacy.push(Entry { key: Some(key), value, ..common(place, &fields, legacy) }),
            None => pair(place, &key, value.clone(), legacy),
        }
    } else if SAYS.iter().any(|name| fields.get(*name).is_some_and(Value::is_string)) {
        memory(place, &fields, legacy);
    } else {
        for (key, value) in fields {
            pair(place, &key, value, legacy);
        }
    }
}

/// A memory of a list: its text, and what became of it.
fn memory(place: &str, fields: &Map<String, Value>, legacy: &mut Legacy<'_>) {
    let Some(value) = first(fields, &SAYS) else { return legacy.unread(place, "it has no text") };
    if let (Some(seen), Some(id)) = (&mut legacy.seen, first(fields, &["id"]))
        && !seen.insert((id, value.clone()))
    {
        return;
    }
    let is_set = |name: &str| fields.get(name).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)));
    let state = first(fields, &["state", "status"]).unwrap_or_default();
    if state == "deleted" || is_set("deleted_at") || is_set("is_deleted") {
        return legacy.unread(place, "it was deleted where it was kept");
    }
    let mut entry = Entry { value, ..common(place, fields, legacy) };
    if state == "archived" || is_set("archived_at") {
        let until = fields.get("archived_at").and_then(scalar).and_then(|text| legacy.time(&text));
        entry.standing = Standing::Past(until.or(entry.at));
    }
    legacy.push(entry);
}

/// The first of some fields that is a text.
pub(super) fn first(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| fields.get(*name)?.as_str()).map(ToOwned::to_owned)
}

/// When it was said.
pub(super) fn when(fields: &Map<String, Value>, legacy: &Legacy<'_>) -> Option<Timestamp> {
    TIMES.iter().find_map(|name| legacy.time(&scalar(fields.get(*name)?)?))
}

/// What any memory may say beside its text.
pub(super) fn common(place: &str, fields: &Map<String, Value>, legacy: &Legacy<'_>) -> Entry {
    let mut tags: Vec<String> = Vec::new();
    let inner = fields.get("metadata").and_then(Value::as_object);
    for fields in [Some(fields), inner].into_iter().flatten() {
        for name in TAGS {
            match fields.get(name) {
                Some(Value::String(tag)) => tags.extend(tag.split(',').map(|tag| tag.trim().to_owned())),
                Some(Value::Array(many)) => tags.extend(many.iter().filter_map(Value::as_str).map(ToOwned::to_owned)),
                _ => {}
            }
        }
    }
    tags.retain(|tag| !tag.is_empty() && !matches!(tag.as_str(), "entity" | "relation"));
    let names = fields.get("entities").and_then(Value::as_array).into_iter().flatten();
    let entities = names.filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    let expires = first(fields, &["expiration_date", "expires_at"]).and_then(|text| legacy.time(&text));
    let at = when(fields, legacy).or_else(|| inner.and_then(|inner| when(inner, legacy)));
    Entry { place: place.to_owned(), at, expires, tags, entities, ..Entry::default() }
}

/// A text, number or yes or no, as it is written.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is) => Some(is.to_string()),
        _ => None,
    }
}

/// A key and its value; what is nested gets a key of both names.
fn pair(place: &str, key: &str, value: Value, legacy: &mut Legacy<'_>) {
    let place_of = key_place(place, key);
    let simple = match &value {
        Value::Array(items) if !items.is_empty() => {
            items.iter().map(scalar).collect::<Option<Vec<_>>>().map(|items| items.join(", "))
        }
        value => scalar(value),
    };
    match (simple, value) {
        (Some(value), _) => {
            legacy.push(Entry { place: place_of, key: Some(key.to_owned()), value, ..Entry::default() });
        }
        (None, Value::Object(fields)) => {
            let is_beside =
                |name: &String| name == "value" || TIMES.contains(&name.as_str()) || TAGS.contains(&name.as_str());
            match fields.get("value").and_then(scalar) {
                Some(value) if fields.keys().all(is_beside) => {
                    legacy.push(Entry { key: Some(key.to_owned()), value, ..common(&place_of, &fields, legacy) });
                }
                _ if fields.is_empty() => legacy.unread(&place_of, "it is empty"),
                _ => {
                    for (name, value) in fields {
                        pair(place, &format!("{key}.{name}"), value, legacy);
                    }
                }
            }
        }
        (None, Value::Array(items)) if items.is_empty() => legacy.unread(&place_of, "it is empty"),
        (None, Value::Array(items)) => list(&place_of, items, legacy),
        (None, _) => legacy.unread(&place_of, "it is null"),
    }
}
