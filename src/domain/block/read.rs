//! Reading records from outside: what ADR-001 and this program write, field by field.

use serde_json::{Map, Value};

use super::yaml;
use super::{BlockId, BlockStatus, BlockType, Category, Confidence};
use crate::domain::append::Problem;
use crate::domain::json::{BadJson, parse_strict, strip_bom};
use crate::domain::time::Timestamp;
use crate::mask::Raw;

/// The longest key or entity name, in characters.
pub const NAME_MAX: usize = 200;
/// The most entities that a block is about.
pub const ENTITIES_MAX: usize = 100;
/// How sure a concluded block is whose writer does not say.
const INFERRED_CONFIDENCE: f64 = 0.5;

/// A record as it came in. `T` is [`Raw`] before masking and `Masked` after.
pub struct Record<T> {
    /// Its id, where it names one that is a UUID.
    pub id: Option<BlockId>,
    /// `type`.
    pub block_type: BlockType,
    /// `category`.
    pub category: Category,
    /// `key`.
    pub key: T,
    /// `value`.
    pub value: T,
    /// `source`.
    pub source: Option<T>,
    /// `confidence`; else 1 for what the user stated, 0.5 for what was concluded.
    pub confidence: Confidence,
    /// `entities`.
    pub entities: Vec<T>,
    /// `status`: how far it can be trusted; `verified` is lowered (law 3).
    pub status: BlockStatus,
    /// It said `verified`.
    pub was_verified: bool,
    /// `created_at`.
    pub created_at: Option<Timestamp>,
    /// `updated_at`.
    pub updated_at: Option<Timestamp>,
    /// `access_count`.
    pub access_count: u64,
    /// `last_accessed`.
    pub last_accessed: Option<Timestamp>,
    /// `valid_from`.
    pub valid_from: Option<Timestamp>,
    /// `valid_to`.
    pub valid_to: Option<Timestamp>,
    /// All other fields.
    pub extra: Map<String, Value>,
}

/// Fields that say who decided on a block: never taken from outside (law 3).
const DECIDED: [&str; 4] = ["review_id", "confirmed_by", "confirmed_at", "evidence"];

/// Why a text holds no records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadInput {
    /// It begins as JSON and is none.
    Json(BadJson),
    /// It is no YAML.
    Yaml(yaml::BadYaml),
    /// There is nothing in it.
    Empty,
}

/// The documents of an input, one by one, each with the name by which a complaint calls it.
pub type Documents = Box<dyn Iterator<Item = Result<(String, Value), BadInput>>>;

/// Reads an input: one JSON object, a list of them, JSON lines, or YAML documents. Lines are read when they are asked for.
///
/// # Errors
/// See [`BadInput`]; a bad line is an error in its place.
pub fn documents(mut bytes: Vec<u8>) -> Result<Documents, BadInput> {
    let bom = bytes.len() - strip_bom(&bytes).len();
    bytes.drain(..bom);
    let text = String::from_utf8(bytes)
        .map_err(|error| BadInput::Json(BadJson::Encoding(error.utf8_error().valid_up_to())))?;
    match text.trim_start().chars().next() {
        None => Err(BadInput::Empty),
        Some('{' | '[') if begins_with_lines(&text) => Ok(Box::new(Lines { text, at: 0, number: 0 })),
        Some('{' | '[') => match parse_strict(text.as_bytes()).map_err(BadInput::Json)? {
            Value::Array(values) => named(values),
            value => named(vec![value]),
        },
        Some(_) => named(yaml::parse(&text).map_err(BadInput::Yaml)?.into_iter().flat_map(flat).collect()),
    }
}

fn named(values: Vec<Value>) -> Result<Documents, BadInput> {
    if values.is_empty() {
        return Err(BadInput::Empty);
    }
    let is_one = values.len() == 1;
    let name = move |at: usize| if is_one { String::new() } else { format!("[{at}]") };
    Ok(Box::new(values.into_iter().enumerate().map(move |(at, value)| Ok((name(at), value)))))
}

fn flat(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        Value::Null => Vec::new(),
        value => vec![value],
    }
}

/// Whether several lines follow and the first is a document by itself: else it is one document, however it is laid out.
fn begins_with_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    lines.next().is_some() && parse_strict(first.as_bytes()).is_ok()
}

/// JSON lines.
struct Lines {
    text: String,
    /// Where the next line begins.
    at: usize,
    /// The number of the last line.
    number: usize,
}

impl Iterator for Lines {
    type Item = Result<(String, Value), BadInput>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            let len = rest.find('\n').map_or(rest.len(), |end| end + 1);
            let line = rest.get(..len).unwrap_or(rest).trim();
            self.at += len;
            self.number += 1;
            if line.is_empty() {
                continue;
            }
            let number = self.number;
            return Some(match parse_strict(line.as_bytes()) {
                Ok(value) => Ok((format!("line {number}"), value)),
                Err(BadJson::Syntax { column, reason, .. }) => {
                    Err(BadInput::Json(BadJson::Syntax { line: number, column, reason }))
                }
                Err(BadJson::DuplicateKey { column, .. }) => {
                    Err(BadInput::Json(BadJson::DuplicateKey { line: number, column }))
                }
                Err(error) => Err(BadInput::Json(error)),
            });
        }
    }
}

/// Reads one record: the fields themselves, or one object `memory_block` around them. `name` goes before the fields in a
/// complaint. `as_kept`: it is one that was exported, whose `rejected` and times of validity count.
///
/// # Errors
/// All that is wrong with it.
pub fn record(name: &str, value: Value, as_kept: bool) -> Result<Record<Raw>, Vec<Problem>> {
    let Value::Object(mut fields) = value else {
        let what = "must be an object with type, category, key and value".to_owned();
        let field = if name.is_empty() { "the input".to_owned() } else { name.to_owned() };
        return Err(vec![Problem { field, code: "bad_value", what }]);
    };
    if let (Some(Value::Object(_)), 1) = (fields.get("memory_block"), fields.len())
        && let Some(Value::Object(inner)) = fields.remove("memory_block")
    {
        fields = inner;
    }
    let mut reader = Reader { name, fields, problems: Vec::new() };
    // What `--json` puts around a record.
    if reader.fields.get("schema").and_then(Value::as_u64) == Some(1) {
        reader.fields.shift_remove("schema");
    }
    let id = reader.id();
    let block_type = reader.word("type", BlockType::WORDS, None);
    let category = reader.word("category", Category::WORDS, None);
    let key = reader.required("key", Some(NAME_MAX));
    let value = reader.required("value", None);
    let source = reader.text("source", Some(NAME_MAX * 10));
    let status = reader.status(as_kept);
    let confidence = reader.confidence(status.0);
    let entities = reader.entities();
    let [created_at, updated_at, last_accessed, valid_from, valid_to] =
        ["created_at", "updated_at", "last_accessed", "valid_from", "valid_to"].map(|field| reader.time(field));
    let access_count = reader.count("access_count");
    for field in DECIDED {
        reader.fields.shift_remove(field);
    }
    if let (Some(from), Some(to)) = (valid_from.or(created_at), valid_to)
        && to < from
    {
        reader.complain("valid_to", "bad_value", "must not lie before the time since which it holds");
    }
    let Reader { fields, problems, .. } = reader;
    let (Some(block_type), Some(category), Some(key), Some(value), true) =
        (block_type, category, key, value, problems.is_empty())
    else {
        return Err(problems);
    };
    Ok(Record {
        id,
        block_type,
        category,
        key,
        value,
        source,
        confidence,
        entities,
        status: status.0,
        was_verified: status.1,
        created_at,
        updated_at,
        access_count,
        last_accessed,
        valid_from: valid_from.filter(|_| as_kept),
        valid_to: valid_to.filter(|_| as_kept),
        extra: fields,
    })
}

struct Reader<'a> {
    name: &'a str,
    fields: Map<String, Value>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn complain(&mut self, field: &str, code: &'static str, what: impl Into<String>) {
        let field = match self.name {
            "" => field.to_owned(),
            name if name.starts_with('[') => format!("{name}.{field}"),
            name => format!("{name}, {field}"),
        };
        self.problems.push(Problem { field, code, what: what.into() });
    }

    /// Takes a field out; `null` counts as missing.
    fn take(&mut self, field: &str) -> Option<Value> {
        self.fields.shift_remove(field).filter(|value| !value.is_null())
    }

    fn id(&mut self) -> Option<BlockId> {
        match self.take("id")? {
            // The decision record's example holds the word for it.
            Value::String(text) if text == "uuid" => None,
            Value::String(text) if BlockId::parse(&text).is_ok() => BlockId::parse(&text).ok(),
            _ => {
                self.complain("id", "bad_value", "must be a UUID; leave it out to be given one");
                None
            }
        }
    }

    fn word<T: std::str::FromStr>(&mut self, field: &str, words: &[&str], default: Option<T>) -> Option<T> {
        let allowed = words.join(", ");
        match self.take(field) {
            None if default.is_some() => default,
            None => {
                self.complain(field, "missing_field", format!("is required: one of {allowed}"));
                None
            }
            Some(value) => {
                let word = value.as_str().and_then(|word| word.parse().ok());
                if word.is_none() {
                    self.complain(field, "bad_value", format!("must be one of {allowed}"));
                }
                word
            }
        }
    }

    fn status(&mut self, as_kept: bool) -> (BlockStatus, bool) {
        let status = self.word("status", BlockStatus::WORDS, Some(BlockStatus::UserStated));
        match status.unwrap_or(BlockStatus::UserStated) {
            BlockStatus::Verified => (BlockStatus::Inferred, true),
            BlockStatus::Rejected if !as_kept => {
                let what = "rejected is a human's to say, with review reject. Use user_stated or inferred";
                self.complain("status", "bad_value", what);
                (BlockStatus::Rejected, false)
            }
            status => (status, false),
        }
    }

    fn confidence(&mut self, status: BlockStatus) -> Confidence {
        let default = if status == BlockStatus::Inferred { INFERRED_CONFIDENCE } else { 1.0 };
        let given = self.take("confidence");
        let number = given.as_ref().map_or(Some(default), Value::as_f64);
        number.and_then(|number| Confidence::new(number).ok()).unwrap_or_else(|| {
            self.complain("confidence", "bad_value", "must be a number from 0 to 1, such as 0.95");
            Confidence::FULL
        })
    }

    fn required(&mut self, field: &str, max: Option<usize>) -> Option<Raw> {
        if self.fields.get(field).is_none_or(Value::is_null) {
            self.complain(field, "missing_field", "is required: a text");
            return None;
        }
        let text = self.text(field, max)?;
        if text.expose().trim().is_empty() {
            self.complain(field, "missing_field", "is required: a text that is not blank");
            return None;
        }
        Some(text)
    }

    fn text(&mut self, field: &str, max: Option<usize>) -> Option<Raw> {
        if let Value::String(text) = self.take(field)? {
            return self.checked(field, text, max);
        }
        self.complain(field, "bad_value", "must be a text");
        None
    }

    fn checked(&mut self, field: &str, text: String, max: Option<usize>) -> Option<Raw> {
        let text = Raw::new(text);
        let chars = text.chars();
        if text.expose().contains('\0') {
            self.complain(field, "bad_value", "holds a NUL character. Remove it");
        } else if let Some(max) = max.filter(|max| chars > *max) {
            self.complain(field, "too_long", format!("has {chars} characters; at most {max} are allowed"));
        } else {
            return Some(text);
        }
        None
    }

    fn entities(&mut self) -> Vec<Raw> {
        let names = match self.take("entities") {
            None => return Vec::new(),
            Some(Value::Array(names)) => names,
            Some(_) => {
                self.complain("entities", "bad_value", "must be a list of names");
                return Vec::new();
            }
        };
        if names.len() > ENTITIES_MAX {
            let what = format!("has {} names; at most {ENTITIES_MAX} are allowed", names.len());
            self.complain("entities", "too_long", what);
            return Vec::new();
        }
        let mut entities = Vec::with_capacity(names.len());
        for (at, name) in names.into_iter().enumerate() {
            let field = format!("entities[{at}]");
            match name {
                Value::String(name) if !name.trim().is_empty() => {
                    entities.extend(self.checked(&field, name, Some(NAME_MAX)));
                }
                _ => self.complain(&field, "bad_value", "must be a name: a text that is not blank"),
            }
        }
        entities
    }

    fn time(&mut self, field: &str) -> Option<Timestamp> {
        let value = self.take(field)?;
        let time = value.as_str().and_then(|text| Timestamp::parse(text).ok());
        if time.is_none() {
            self.complain(field, "bad_value", "must be a time in RFC 3339 with its zone, such as 2026-05-21T14:30:00Z");
        }
        time
    }

    fn count(&mut self, field: &str) -> u64 {
        let Some(value) = self.take(field) else { return 0 };
        value.as_u64().filter(|count| i64::try_from(*count).is_ok()).unwrap_or_else(|| {
            self.complain(field, "bad_value", "must be a whole number, 0 or more");
            0
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn good() -> Value {
        json!({"type": "user_preference", "category": "formatting", "key": "k", "value": "v"})
    }

    fn with(field: &str, value: Value) -> Value {
        let mut record = good();
        record[field] = value;
        record
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
        let mut missing = good();
        missing.as_object_mut().unwrap().remove("value");
        for (input, complaint) in [
            (
                with("type", json!("preference")),
                "type: must be one of user_preference, project_state, learned_pattern, entity_relationship, procedural",
            ),
            (
                with("category", json!("x")),
                "category: must be one of formatting, workflow, tech_stack, contact, project, skill",
            ),
            (with("confidence", json!(1.2)), "confidence: must be a number from 0 to 1, such as 0.95"),
            (with("confidence", json!("high")), "confidence: must be a number from 0 to 1, such as 0.95"),
            (
                with("created_at", json!("gestern")),
                "created_at: must be a time in RFC 3339 with its zone, such as 2026-05-21T14:30:00Z",
            ),
            (
                with("created_at", json!("2026-05-21T14:30:00")),
                "created_at: must be a time in RFC 3339 with its zone, such as 2026-05-21T14:30:00Z",
            ),
            (with("id", json!("7")), "id: must be a UUID; leave it out to be given one"),
            (with("key", json!("k".repeat(201))), "key: has 201 characters; at most 200 are allowed"),
            (with("key", json!(" ")), "key: is required: a text that is not blank"),
            (with("value", json!("a\0b")), "value: holds a NUL character. Remove it"),
            (with("entities", json!("Flo")), "entities: must be a list of names"),
            (with("entities", json!(["Flo", 1])), "entities[1]: must be a name: a text that is not blank"),
            (with("access_count", json!(-1)), "access_count: must be a whole number, 0 or more"),
            (
                with("status", json!("rejected")),
                "status: rejected is a human's to say, with review reject. Use user_stated or inferred",
            ),
            (missing, "value: is required: a text"),
            (json!("x"), "the input: must be an object with type, category, key and value"),
        ] {
            let problems = record("", input, false).err().unwrap();
            assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [complaint]);
        }
        let two = record("line 3", json!({"type": "x", "category": "skill", "key": "k"}), false).err().unwrap();
        assert_eq!(two.len(), 2);
        assert!(two[0].to_string().starts_with("line 3, type: "), "{}", two[0]);
    }

    #[test]
    fn nobody_says_of_a_record_that_it_is_verified() {
        let read = record("", with("status", json!("verified")), true).ok().unwrap();
        assert_eq!((read.status, read.was_verified), (BlockStatus::Inferred, true));
        let mut input = with("review_id", json!("REVIEW-20260521-143022-x"));
        input["confirmed_by"] = json!("flo");
        input["zeta"] = json!(1);
        let read = record("", input, true).ok().unwrap();
        assert_eq!(read.extra.keys().collect::<Vec<_>>(), ["zeta"]);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::prelude::any::<Vec<u8>>()) {
            for (name, value) in documents(bytes).into_iter().flatten().flatten() {
                drop(record(&name, value, true));
            }
        }
    }

    #[test]
    fn inputs_are_told_apart() {
        let all = |text: &[u8]| documents(text.to_vec()).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let names =
            |text: &str| -> Vec<String> { all(text.as_bytes()).unwrap().into_iter().map(|(name, _)| name).collect() };
        assert_eq!(names("{\"a\":\n1}"), [""]);
        assert_eq!(names("[{}, {}]"), ["[0]", "[1]"]);
        assert_eq!(names("{}\n\n{}\n"), ["line 1", "line 3"]);
        assert_eq!(names("\u{feff}{}\r\n{}"), ["line 1", "line 2"]);
        assert_eq!(names("\u{feff}memory_block:\n  a: 1\n"), [""]);
        assert_eq!(names("a: 1\n---\na: 2\n"), ["[0]", "[1]"]);
        assert_eq!(all(b" \n").err(), Some(BadInput::Empty));
        assert!(matches!(all(b"{}\n{x}\n"), Err(BadInput::Json(BadJson::Syntax { line: 2, .. }))));
        assert!(matches!(all(b"{\"a\":\n x}"), Err(BadInput::Json(BadJson::Syntax { line: 2, .. }))));
        assert!(matches!(all(b"a: \xff"), Err(BadInput::Json(BadJson::Encoding(3)))));
    }
}
