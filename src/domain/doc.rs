//! A JSON document of the tree: read as it is, changed only with values that may be written, unknown fields kept.

use serde_json::{Map, Value};

use super::block::BlockId;
use super::ids::{ReviewId, SessionId};
use super::time::Timestamp;
use crate::mask::{Masked, Masker};

/// The version of session and review files that this program writes.
pub const SCHEMA_VERSION: u64 = 1;

/// A JSON value that may be written: made of masked text, ids, times, numbers and the program's own words.
#[derive(Clone, Debug, PartialEq)]
pub struct Safe(Value);

impl Safe {
    /// A word of the program's own.
    pub fn word(word: &'static str) -> Self {
        Self(Value::String(word.to_owned()))
    }

    /// JSON `null`.
    pub fn null() -> Self {
        Self(Value::Null)
    }

    /// An object with the fields in this order.
    pub fn object(fields: impl IntoIterator<Item = (&'static str, Self)>) -> Self {
        Self(Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value.0)).collect()))
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = impl Into<Self>>) -> Self {
        Self(Value::Array(items.into_iter().map(|item| item.into().0).collect()))
    }

    /// A reviewer's name: a login id of `[a-z0-9._-]`, which stays as it is (law 3). Any other text is left empty.
    pub fn login(name: &str) -> Self {
        let good =
            name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-'));
        Self(Value::String(if good { name.to_owned() } else { String::new() }))
    }

    /// A value of the same document, put elsewhere in it.
    pub(crate) fn kept(value: Value) -> Self {
        Self(value)
    }

    /// Any JSON, its texts and keys masked as one record.
    pub fn masked(mut value: Value, masker: &Masker) -> Self {
        masker.mask_json(&mut value);
        Self(value)
    }

    /// The value.
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

macro_rules! safe_from {
    ($($from:ty => |$value:ident| $json:expr),+ $(,)?) => {
        $(impl From<$from> for Safe {
            fn from($value: $from) -> Self {
                Self($json)
            }
        })+
    };
}

safe_from! {
    Masked => |value| Value::String(value.into_string()),
    &Masked => |value| Value::String(value.as_str().to_owned()),
    &SessionId => |value| Value::String(value.as_str().to_owned()),
    &BlockId => |value| Value::String(value.as_str().to_owned()),
    &ReviewId => |value| Value::String(value.as_str().to_owned()),
    Timestamp => |value| Value::String(value.to_string()),
    bool => |value| Value::Bool(value),
    u64 => |value| Value::from(value),
    f64 => |value| Value::from(value),
}

impl<T: Into<Safe>> From<Option<T>> for Safe {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Self::null, Into::into)
    }
}

/// A document of the tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doc(Map<String, Value>);

impl Doc {
    /// An empty document of this program's version.
    pub fn new() -> Self {
        let mut doc = Self::default();
        doc.set("schema_version", SCHEMA_VERSION);
        doc
    }

    /// A document as the tree holds it. A file that was not written by this program (it carries no `schema_version`) is
    /// masked on the way in, so that a later write puts nothing unmasked on the disk again.
    pub fn from_tree(fields: Map<String, Value>, masker: &Masker) -> Self {
        if fields.contains_key("schema_version") { Self(fields) } else { Self::masked(fields, masker) }
    }

    /// A document with every text and key in it masked, whoever wrote it.
    pub fn masked(fields: Map<String, Value>, masker: &Masker) -> Self {
        let mut value = Value::Object(fields);
        masker.mask_json(&mut value);
        match value {
            Value::Object(masked) => Self(masked),
            _ => Self::default(),
        }
    }

    /// The `schema_version`; 0 where there is none.
    pub fn schema_version(&self) -> u64 {
        match self.0.get("schema_version") {
            None => 0,
            Some(version) => version.as_u64().unwrap_or(u64::MAX),
        }
    }

    /// Whether this program knows the version well enough to write the document.
    pub fn is_writable(&self) -> bool {
        self.schema_version() <= SCHEMA_VERSION
    }

    /// Sets a field; a new one comes last.
    pub fn set(&mut self, key: &'static str, value: impl Into<Safe>) {
        self.0.insert(key.to_owned(), value.into().0);
    }

    /// Removes a field.
    pub fn remove(&mut self, key: &str) {
        self.0.shift_remove(key);
    }

    /// Adds to the end of a list, which is made where it is missing or no list.
    pub fn push(&mut self, key: &'static str, value: impl Into<Safe>) {
        push(&mut self.0, key, value.into());
    }

    /// The object in a field, made where it is missing or no object, handed to `change`.
    pub fn within(&mut self, key: &'static str, change: impl FnOnce(&mut Self)) {
        let mut inner = match self.0.get_mut(key) {
            Some(Value::Object(map)) => Self(std::mem::take(map)),
            _ => Self::default(),
        };
        change(&mut inner);
        self.0.insert(key.to_owned(), Value::Object(inner.0));
    }

    /// Keeps of the objects in a list only the fields that `keep` lets through, by the object's place and the field's name.
    pub fn retain_fields(&mut self, list: &str, mut keep: impl FnMut(usize, &str) -> bool) {
        let Some(Value::Array(entries)) = self.0.get_mut(list) else { return };
        for (nth, entry) in entries.iter_mut().enumerate() {
            if let Value::Object(fields) = entry {
                fields.retain(|field, _| keep(nth, field));
            }
        }
    }

    /// Keeps only the entries of a list that `keep` lets through, by their place.
    pub fn retain_entries(&mut self, list: &str, mut keep: impl FnMut(usize) -> bool) {
        let Some(Value::Array(entries)) = self.0.get_mut(list) else { return };
        let mut nth = 0;
        entries.retain(|_| {
            nth += 1;
            keep(nth - 1)
        });
    }

    /// A field.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// A field's text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(Value::as_str)
    }

    /// A field's text as masked text: it stands in the tree already.
    pub fn masked_text(&self, key: &str) -> Option<Masked> {
        self.text(key).map(|text| Masked::trusted(text.to_owned()))
    }

    /// A field's time.
    pub fn time(&self, key: &str) -> Option<Timestamp> {
        self.text(key).and_then(|text| Timestamp::parse(text).ok())
    }

    /// A field's whole number.
    pub fn number(&self, key: &str) -> Option<u64> {
        self.0.get(key).and_then(Value::as_u64)
    }

    /// Whether a field holds `true`.
    pub fn is_set(&self, key: &str) -> bool {
        self.0.get(key).and_then(Value::as_bool) == Some(true)
    }

    /// A field's list; empty where there is none.
    pub fn list(&self, key: &str) -> &[Value] {
        self.0.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The texts of a field's list; entries of other types are left out.
    pub fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        self.list(key).iter().filter_map(Value::as_str)
    }

    /// All fields, in the file's order.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The document as it is written: two blanks of indent and a line end, to be readable in an editor.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(&self.0).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

fn push(map: &mut Map<String, Value>, key: &str, value: Safe) {
    match map.get_mut(key) {
        Some(Value::Array(list)) => list.push(value.0),
        _ => {
            map.insert(key.to_owned(), Value::Array(vec![value.0]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(text: &str) -> Doc {
        Doc::from_tree(serde_json::from_str(text).unwrap(), &Masker::default())
    }

    #[test]
    fn unknown_fields_and_their_order_survive_a_change() {
        let mut doc = doc(r#"{"zeta": 1.50, "status": "pending", "alpha": {"x": [null]}}"#);
        doc.set("status", Safe::word("approved"));
        doc.push("history", Safe::object([("by", Safe::login("carlo"))]));
        doc.within("accumulated_context", |context| context.push("open_tasks", Masked::literal("x")));
        let text = String::from_utf8(doc.to_bytes()).unwrap();
        let compact: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            compact.to_string(),
            r#"{"zeta":1.50,"status":"approved","alpha":{"x":[null]},"history":[{"by":"carlo"}],"accumulated_context":{"open_tasks":["x"]}}"#
        );
    }

    #[test]
    fn a_newer_file_is_not_writable() {
        assert!(doc("{}").is_writable());
        assert!(doc(r#"{"schema_version": 1}"#).is_writable());
        assert!(!doc(r#"{"schema_version": 2}"#).is_writable());
        assert!(!doc(r#"{"schema_version": "next"}"#).is_writable());
    }

    #[test]
    fn a_login_can_carry_no_content() {
        assert_eq!(Safe::login("anna.meier_2").as_value(), "anna.meier_2");
        assert_eq!(Safe::login("Anna Meier").as_value(), "");
    }
}
