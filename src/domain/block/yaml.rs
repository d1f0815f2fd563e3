//! ADR-001's notation of a block: a YAML document with `memory_block:`.

use std::borrow::Cow;
use std::fmt::Write as _;

use saphyr::Scalar;
use saphyr_parser::{Event, Parser};
use serde_json::{Map, Number, Value};

/// The deepest nesting that is read.
const DEPTH_MAX: usize = 32;

/// Why a text is no YAML that is read here. It says where, not what stands there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no usable YAML at line {line}: {reason}")]
pub struct BadYaml {
    /// Counted from 1.
    pub line: usize,
    /// What is in the way.
    pub reason: &'static str,
}

/// What is being built: a list, or an object with the key whose value comes next.
enum Open {
    List(Vec<Value>),
    Object(Map<String, Value>, Option<String>),
}

/// Reads the documents of a YAML text. Anchors and aliases are refused: a few lines of them could stand for gigabytes.
///
/// Where a value is a choice of quoted words, as `type` and `category` in the decision record's own example
/// (`"a" | "b"`), the first is taken.
///
/// # Errors
/// See [`BadYaml`].
pub fn parse(text: &str) -> Result<Vec<Value>, BadYaml> {
    let text: String = text.strip_prefix('\u{feff}').unwrap_or(text).lines().fold(String::new(), |mut all, line| {
        all.push_str(first_choice(line));
        all.push('\n');
        all
    });
    let mut documents = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut last_line = 1;
    for event in Parser::new_from_str(&text) {
        let (event, span) =
            event.map_err(|error| BadYaml { line: error.marker().line(), reason: "it can't be parsed" })?;
        let bad = |reason| BadYaml { line: span.start.line(), reason };
        last_line = span.start.line();
        let value = match event {
            Event::Alias(_) => return Err(bad("aliases are not read; write the value out")),
            Event::MappingStart(..) | Event::SequenceStart(..) if open.len() >= DEPTH_MAX => {
                return Err(bad("it is nested deeper than 32 levels"));
            }
            Event::MappingStart(..) => {
                open.push(Open::Object(Map::new(), None));
                continue;
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::Scalar(text, style, _, tag) => match open.last_mut() {
                Some(Open::Object(fields, key @ None)) => {
                    if fields.contains_key(text.as_ref()) {
                        return Err(bad("the same key stands twice"));
                    }
                    *key = Some(text.into_owned());
                    continue;
                }
                _ => scalar(Scalar::parse_from_cow_and_metadata(text.clone(), style, tag.as_ref()).as_ref(), text),
            },
            Event::MappingEnd | Event::SequenceEnd => match open.pop() {
                Some(Open::Object(fields, None)) => Value::Object(fields),
                Some(Open::List(items)) => Value::Array(items),
                _ => return Err(bad("a key has no value")),
            },
            _ => continue,
        };
        match open.last_mut() {
            None => documents.push(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Object(fields, key)) => match key.take() {
                Some(key) => drop(fields.insert(key, value)),
                None => return Err(bad("a key is no text")),
            },
        }
    }
    if open.is_empty() { Ok(documents) } else { Err(BadYaml { line: last_line, reason: "it ends too early" }) }
}

fn scalar(scalar: Option<&Scalar<'_>>, text: Cow<'_, str>) -> Value {
    match scalar {
        Some(Scalar::Null) => Value::Null,
        Some(Scalar::Boolean(value)) => Value::Bool(*value),
        Some(Scalar::Integer(value)) => Value::from(*value),
        // As it was written: 0.50 stays 0.50.
        Some(Scalar::FloatingPoint(value)) => {
            text.parse::<Number>().map_or_else(|_| Value::from(value.into_inner()), Value::Number)
        }
        _ => Value::String(text.into_owned()),
    }
}

/// A line without all but the first of a choice of quoted words.
fn first_choice(line: &str) -> &str {
    let Some((key, value)) = line.split_once(": ") else { return line };
    let words: Vec<&str> = value.trim().split(" | ").collect();
    let is_word = |word: &&str| {
        let inner = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inner.is_some_and(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
    };
    match words.first() {
        Some(first) if words.len() > 1 && words.iter().all(is_word) => {
            let end = key.len() + 2 + value.len() - value.trim_start().len() + first.len();
            line.get(..end).unwrap_or(line)
        }
        _ => line,
    }
}

/// A record as ADR-001 writes it: texts quoted, lists on one line.
pub fn write(record: &Map<String, Value>) -> String {
    let mut text = "memory_block:\n".to_owned();
    for (key, value) in record {
        let _ = writeln!(text, "  {}: {}", key_text(key), inline(value));
    }
    text
}

fn key_text(key: &str) -> Cow<'_, str> {
    let is_plain = key.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&key.to_lowercase().as_str());
    if is_plain { key.into() } else { quoted(key).into() }
}

/// JSON's escapes are YAML's; what JSON leaves and YAML does not print goes as an escape.
fn quoted(text: &str) -> String {
    let json = Value::from(text).to_string();
    json.chars().fold(String::with_capacity(json.len()), |mut text, ch| {
        match ch {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                let _ = write!(text, "\\u{:04x}", u32::from(ch));
            }
            _ => text.push(ch),
        }
        text
    })
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{}: {}", quoted(key), inline(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let record: Value = serde_json::from_str(
            r#"{"id": "x", "value": "a: \"b\" # c\n\u0085 │", "n": 0.50, "whole": 3, "none": null, "yes": true,
                "list": ["- a", ""], "deep": {"a b": [1]}, "no": "~"}"#,
        )
        .unwrap();
        let text = write(record.as_object().unwrap());
        let read = parse(&text).unwrap();
        assert_eq!(read, [serde_json::json!({"memory_block": record})], "{text}");
    }

    proptest::proptest! {
        #[test]
        fn any_texts_come_back(key in "[ -~]{1,12}", text in "\\PC*", other in proptest::prelude::any::<String>()) {
            let record = serde_json::json!({key.clone(): text, "x-list": [other, {"a": key}]});
            let read = parse(&write(record.as_object().unwrap())).unwrap();
            proptest::prop_assert_eq!(&read, &[serde_json::json!({"memory_block": record})]);
        }

        #[test]
        fn any_text_is_read_or_refused(text in proptest::prelude::any::<String>()) {
            drop(parse(&text));
        }
    }

    #[test]
    fn several_documents_and_the_decision_records_choices() {
        let text = "---\ntype: \"a_b\" | \"c\"\nplain: a | b\n---\n- 1\n- x: [y]\n";
        assert_eq!(
            parse(text).unwrap(),
            [serde_json::json!({"type": "a_b", "plain": "a | b"}), serde_json::json!([1, {"x": ["y"]}])]
        );
    }

    #[test]
    fn bad_yaml_says_where_and_never_what() {
        let deep = "[".repeat(100_000);
        for (text, line) in
            [("a: &x 1\nb: *x", 2), ("a: 1\na: hunter2", 2), ("a: \"hunter2", 1), ("[1]: x", 1), (deep.as_str(), 1)]
        {
            let error = parse(text).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
            assert!(error.line >= 1 && error.line <= line + 1, "{error}");
        }
    }
}
