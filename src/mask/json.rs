//! Masking of JSON values: foreign fields that are kept without being understood.

use serde_json::{Map, Value};

use super::{Kind, Masked, Masker, credentials};

/// One masked place in a JSON value.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct JsonFinding {
    /// Where: an RFC 6901 pointer to the value, or to the entry whose key it was, made of the masked keys.
    pub pointer: Masked,
    /// What was found.
    pub kind: Kind,
    /// The name of the rule that found it.
    pub rule: &'static str,
}

/// The rule that masks a string for the name it stands under.
const NAMED: &str = "secret-field";

pub(super) fn mask(masker: &Masker, value: &mut Value) -> Vec<JsonFinding> {
    let mut texts = Vec::new();
    collect(value, None, &mut texts);
    let borrowed: Vec<&str> = texts.iter().map(|text| if text.named { "" } else { text.raw.as_str() }).collect();
    let maskings = masker.mask_record(&borrowed);
    let restored = texts.iter().zip(maskings).map(|(text, masking)| {
        if text.named {
            (Kind::Credential.placeholder().to_owned(), vec![(Kind::Credential, NAMED)])
        } else {
            (masking.text.into_string(), masking.findings.into_iter().map(|f| (f.kind, f.rule)).collect())
        }
    });
    let mut restore = Restore { masked: restored.collect::<Vec<_>>().into_iter(), findings: Vec::new() };
    restore.value(value, "");
    restore.findings
}

#[derive(Debug)]
struct Text {
    raw: String,
    /// It goes whole, for its name.
    named: bool,
}

/// Every string and key, in the order in which [`Restore`] puts them back. The depth is bounded by the parser's.
fn collect(value: &Value, name: Option<&str>, texts: &mut Vec<Text>) {
    match value {
        Value::String(text) => {
            let named =
                name.is_some_and(|name| credentials::is_named(name, text)) && text != Kind::Credential.placeholder();
            texts.push(Text { raw: text.clone(), named });
        }
        // A card number needs no quotes.
        Value::Number(number) => texts.push(Text { raw: number.to_string(), named: false }),
        Value::Array(items) => items.iter().for_each(|item| collect(item, name, texts)),
        Value::Object(fields) => {
            for (key, value) in fields {
                texts.push(Text { raw: key.clone(), named: false });
                collect(value, Some(key), texts);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

struct Restore<I> {
    masked: I,
    findings: Vec<JsonFinding>,
}

impl<I: Iterator<Item = (String, Vec<(Kind, &'static str)>)>> Restore<I> {
    fn next(&mut self) -> (String, Vec<(Kind, &'static str)>) {
        self.masked.next().unwrap_or_default()
    }

    fn report(&mut self, pointer: &str, findings: Vec<(Kind, &'static str)>) {
        let pointer = Masked::trusted(pointer.to_owned());
        self.findings.extend(findings.into_iter().map(|(kind, rule)| JsonFinding {
            pointer: pointer.clone(),
            kind,
            rule,
        }));
    }

    fn value(&mut self, value: &mut Value, pointer: &str) {
        match value {
            Value::String(text) => {
                let (masked, findings) = self.next();
                *text = masked;
                self.report(pointer, findings);
            }
            Value::Number(_) => {
                let (masked, findings) = self.next();
                if !findings.is_empty() {
                    *value = Value::String(masked);
                    self.report(pointer, findings);
                }
            }
            Value::Array(items) => {
                for (i, item) in items.iter_mut().enumerate() {
                    self.value(item, &format!("{pointer}/{i}"));
                }
            }
            Value::Object(fields) => {
                let mut restored = Map::with_capacity(fields.len());
                for (_, mut value) in std::mem::take(fields) {
                    let (masked, findings) = self.next();
                    let key = free_key(&restored, masked);
                    let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                    self.report(&pointer, findings);
                    self.value(&mut value, &pointer);
                    restored.insert(key, value);
                }
                *fields = restored;
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

/// The key, with a number after it where it is taken.
fn free_key(fields: &Map<String, Value>, key: String) -> String {
    if !fields.contains_key(&key) {
        return key;
    }
    let numbered = (2..=fields.len() + 2).map(|n| format!("{key} {n}")).find(|numbered| !fields.contains_key(numbered));
    numbered.unwrap_or(key)
}
