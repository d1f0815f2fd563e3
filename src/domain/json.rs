//! JSON from outside, read strictly: one document, no key twice, no depth that could exhaust the stack.

use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Why bytes are no acceptable JSON document. It says where, not what stands there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadJson {
    /// The bytes are not UTF-8.
    #[error("not UTF-8 from byte {0} on")]
    Encoding(usize),
    /// No JSON syntax, or cut off.
    #[error("no valid JSON at line {line}, column {column}: {reason}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What the parser missed.
        reason: &'static str,
    },
    /// A key stands twice in one object.
    #[error("the same key stands twice in one object, at line {line}, column {column}")]
    DuplicateKey {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
    },
}

const DUPLICATE: &str = "duplicate key";

/// Reads one JSON document. A byte order mark before it is skipped.
///
/// # Errors
/// See [`BadJson`]; nesting deeper than 128 is a syntax error.
pub fn parse_strict(bytes: &[u8]) -> Result<Value, BadJson> {
    let text = std::str::from_utf8(bytes).map_err(|error| BadJson::Encoding(error.valid_up_to()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str::<Strict>(text).map(|strict| strict.0).map_err(|error| describe(&error))
}

/// Reads one JSON document as the tree holds it, with a key's last value where one stands twice.
///
/// # Errors
/// See [`BadJson`].
pub fn parse_tree(bytes: &[u8]) -> Result<Value, BadJson> {
    let text = std::str::from_utf8(bytes).map_err(|error| BadJson::Encoding(error.valid_up_to()))?;
    serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| describe(&error))
}

/// The bytes behind a byte order mark, if there is one.
pub fn strip_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Whether a derived reader refused a key that stands twice, which [`parse_tree`] takes.
pub fn repeats_key(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("duplicate field")
}

/// What a JSON parser's error says without repeating the input.
pub fn describe(error: &serde_json::Error) -> BadJson {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    if message.starts_with(DUPLICATE) {
        return BadJson::DuplicateKey { line, column };
    }
    let reason = match error.classify() {
        serde_json::error::Category::Eof => "it ends too early",
        _ if message.starts_with("recursion limit") => "it is nested deeper than 128 levels",
        _ if message.starts_with("trailing characters") => "something follows the document",
        _ if message.contains("control character") => "a control character stands unescaped in a string",
        _ if message.contains("surrogate") || message.contains("unicode code point") => "an escape names no character",
        serde_json::error::Category::Data => "a value is of another type than wanted",
        _ => "a character is out of place",
    };
    BadJson::Syntax { line, column, reason }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(StrictSeed.deserialize(deserializer)?))
    }
}

#[derive(Clone, Copy)]
struct StrictSeed;

impl<'de> DeserializeSeed<'de> for StrictSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictSeed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element_seed(self)? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            // With `arbitrary_precision` serde_json hands a number over as a map with one reserved key.
            if key == "$serde_json::private::Number" {
                let digits: String = entries.next_value()?;
                return digits.parse::<Number>().map(Value::Number).map_err(de::Error::custom);
            }
            if map.contains_key(&key) {
                return Err(de::Error::custom(DUPLICATE));
            }
            let value = entries.next_value_seed(self)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_json_is_read_whole() {
        let text = "\u{feff}{\"a\": 1, \"b\": [1.50, -3, 123456789012345678901234567890, null, true, \"x\"]}\r\n";
        let value = parse_strict(text.as_bytes()).unwrap();
        assert_eq!(value.to_string(), r#"{"a":1,"b":[1.50,-3,123456789012345678901234567890,null,true,"x"]}"#);
    }

    #[test]
    fn bad_json_says_where_and_never_what() {
        let deep = "[".repeat(100_000);
        for (text, start) in [
            ("", "no valid JSON at line 1, column 0: it ends too early"),
            ("{\"a\":1,\"a\":2}", "the same key stands twice"),
            ("{\"a\":{\"b\":1,\"b\":2}}", "the same key stands twice"),
            ("{\"a\":1} hunter2", "no valid JSON at line 1, column 9: something follows"),
            ("{\"a\":\n hunter2}", "no valid JSON at line 2"),
            ("{\"a\":\"\\ud800\"}", "no valid JSON"),
            ("{\"a\":\"\u{1}\"}", "no valid JSON at line 1, column 7: a control character"),
            (&deep, "no valid JSON at line 1, column 128: it is nested deeper"),
        ] {
            let said = parse_strict(text.as_bytes()).unwrap_err().to_string();
            assert!(said.starts_with(start), "{said}");
            assert!(!said.contains("hunter2"));
        }
        assert_eq!(parse_strict(b"{\"a\":\"\xff\"}"), Err(BadJson::Encoding(6)));
    }
}
