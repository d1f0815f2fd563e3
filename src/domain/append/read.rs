//! Reading an input from JSON: each field by its rule, and what is left over by what it tries to be.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    ANSWER_MAX, CHANGE_MAX, Decision, LIST_MAX, NAME_MAX, Problem, ProposedFact, QUESTION_MAX, REQUEST_ID_MAX,
    Retrieval, SENTENCE_MAX, TurnInput, USER_INPUT_MAX, UserInputPolicy, join,
};
use crate::domain::review::{Confidence, FactStatus};
use crate::domain::time::Timestamp;
use crate::mask::Raw;

/// Reads a turn from JSON.
///
/// # Errors
/// All problems of the input, in the order of its fields.
pub fn read_turn(value: Value, policy: UserInputPolicy) -> Result<TurnInput<Raw>, Vec<Problem>> {
    let mut problems = Vec::new();
    let Value::Object(fields) = value else {
        return Err(vec![problem("input", "wrong_type", "must be one JSON object")]);
    };
    let mut reader = Reader::new("", fields, &mut problems);
    let user_input_summary = reader.required_text("user_input_summary", QUESTION_MAX);
    let conversation_summary = reader.required_text("conversation_summary", ANSWER_MAX);
    let user_input = match policy {
        UserInputPolicy::Masked => reader.text("user_input", USER_INPUT_MAX),
        UserInputPolicy::Summary => None,
    };
    let retrieval = reader.retrieval();
    let pending_tasks = reader.texts("pending_tasks", SENTENCE_MAX);
    let decisions = reader.decisions();
    let proposed_facts = reader.proposed_facts();
    let request_id = reader.text("request_id", REQUEST_ID_MAX);
    reader.finish();
    match (user_input_summary, conversation_summary) {
        (Some(user_input_summary), Some(conversation_summary)) if problems.is_empty() => Ok(TurnInput {
            user_input_summary,
            user_input,
            conversation_summary,
            retrieval,
            pending_tasks,
            decisions,
            proposed_facts,
            request_id,
        }),
        _ => Err(problems),
    }
}

/// Reads one proposed fact from JSON, as `review create` takes it.
///
/// # Errors
/// All problems of the input, in the order of its fields.
pub fn read_fact(value: Value) -> Result<ProposedFact<Raw>, Vec<Problem>> {
    let mut problems = Vec::new();
    let fact = proposed_fact("", value, &mut problems);
    match fact {
        Some(fact) if problems.is_empty() => Ok(fact),
        _ => Err(problems),
    }
}

/// Checks a page that an input names: relative to the vault, no way out of it.
///
/// # Errors
/// Why it can't be a page of the vault.
pub fn check_page(page: &str) -> Result<(), &'static str> {
    let way_out = page.starts_with(['/', '\\', '~'])
        || page.split(['/', '\\']).any(|part| part == "..")
        || page.chars().nth(1) == Some(':')
        || page.contains("://");
    if way_out {
        return Err("must be a page's path relative to the vault, such as 03-Projekte/LP-VENTO.md");
    }
    if page.chars().any(char::is_control) {
        return Err("holds a control character; give the page's path as it is in the vault");
    }
    Ok(())
}

struct Reader<'a> {
    path: &'a str,
    fields: Map<String, Value>,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn new(path: &'a str, fields: Map<String, Value>, problems: &'a mut Vec<Problem>) -> Self {
        Self { path, fields, problems }
    }

    fn complain(&mut self, field: &str, code: &'static str, what: impl Into<String>) {
        self.problems.push(problem(&join(self.path, field), code, what));
    }

    fn take(&mut self, field: &str) -> Option<Value> {
        self.fields.shift_remove(field).filter(|value| !value.is_null())
    }

    fn text(&mut self, field: &str, max: usize) -> Option<Raw> {
        let value = self.take(field)?;
        text(&join(self.path, field), value, max, self.problems)
    }

    fn required_text(&mut self, field: &str, max: usize) -> Option<Raw> {
        if self.fields.get(field).is_none_or(Value::is_null) {
            self.fields.shift_remove(field);
            self.complain(field, "missing_field", format!("is required: a text of 1 to {max} characters"));
            return None;
        }
        self.text(field, max)
    }

    fn list(&mut self, field: &str) -> Vec<Value> {
        match self.take(field) {
            None => Vec::new(),
            Some(Value::Array(list)) if list.len() <= LIST_MAX => list,
            Some(Value::Array(list)) => {
                let count = list.len();
                self.complain(
                    field,
                    "list_too_long",
                    format!("{count} entries; the limit is {LIST_MAX}. Split the turn"),
                );
                Vec::new()
            }
            Some(_) => {
                self.complain(field, "wrong_type", "must be a list");
                Vec::new()
            }
        }
    }

    fn texts(&mut self, field: &str, max: usize) -> Vec<Raw> {
        let path = join(self.path, field);
        let list = self.list(field);
        list.into_iter()
            .enumerate()
            .filter_map(|(i, value)| text(&format!("{path}[{i}]"), value, max, self.problems))
            .collect()
    }

    fn word<T>(&mut self, field: &str, allowed: &'static str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = self.take(field)?;
        let parsed = value.as_str().and_then(parse);
        if parsed.is_none() {
            self.complain(field, "bad_value", format!("must be one of {allowed}"));
        }
        parsed
    }

    fn count(&mut self, field: &str) -> u64 {
        match self.take(field).map(|value| value.as_u64()) {
            Some(Some(count)) => count,
            Some(None) => {
                self.complain(field, "bad_value", "must be a whole number, 0 or more");
                0
            }
            None => {
                self.complain(field, "missing_field", "is required: a whole number, 0 or more");
                0
            }
        }
    }

    fn page(&mut self, field: &str) -> Option<Raw> {
        let page = self.text(field, NAME_MAX)?;
        if let Err(why) = check_page(page.expose()) {
            self.complain(field, "bad_value", why);
            return None;
        }
        Some(page)
    }

    fn retrieval(&mut self) -> Option<Retrieval<Raw>> {
        let unavailable = match self.take("retrieval_unavailable") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(_) => {
                self.complain("retrieval_unavailable", "wrong_type", "must be true or false");
                return None;
            }
        };
        match self.take("retrieval_meta") {
            None if unavailable => None,
            None => {
                let what = "is required: an answer without retrieval is forbidden. Where retrieval failed, send \
                            \"retrieval_meta\": null with \"retrieval_unavailable\": true";
                self.complain("retrieval_meta", "missing_field", what);
                None
            }
            Some(_) if unavailable => {
                self.complain(
                    "retrieval_unavailable",
                    "bad_value",
                    "is true, but retrieval_meta is given: send one of them",
                );
                None
            }
            Some(Value::Object(fields)) => {
                let mut reader = Reader::new("retrieval_meta", fields, self.problems);
                let retrieval = Retrieval {
                    obsidian_sources: reader.count("obsidian_sources"),
                    graphiti_facts: reader.count("graphiti_facts"),
                    confidence: reader.retrieval_confidence(),
                    query: reader.text("query", SENTENCE_MAX),
                    project: reader.text("project", NAME_MAX),
                    source_paths: reader.texts("source_paths", NAME_MAX),
                };
                reader.finish();
                Some(retrieval)
            }
            Some(_) => {
                self.complain("retrieval_meta", "wrong_type", "must be an object");
                None
            }
        }
    }

    fn retrieval_confidence(&mut self) -> Confidence {
        if self.fields.get("confidence").is_none_or(Value::is_null) {
            self.fields.shift_remove("confidence");
            self.complain("confidence", "missing_field", "is required: one of high, medium, low");
        }
        self.word("confidence", "high, medium, low", |name| {
            Confidence::from_name(name).filter(|confidence| *confidence != Confidence::Unverified)
        })
        .unwrap_or_default()
    }

    fn decisions(&mut self) -> Vec<Decision<Raw>> {
        let list = self.list("decisions");
        let mut decisions = Vec::new();
        for (i, value) in list.into_iter().enumerate() {
            let path = format!("decisions[{i}]");
            if let Value::Object(fields) = value {
                let mut reader = Reader::new(&path, fields, self.problems);
                let text = reader.required_text("text", SENTENCE_MAX);
                let consequence = reader.text("consequence", SENTENCE_MAX);
                let decided_on = reader.date("decided_on");
                reader.finish();
                let consequence = consequence.map(|text| text.one_line());
                decisions.extend(text.map(|text| Decision {
                    text: text.one_line(),
                    consequence,
                    decided_on,
                    is_object: true,
                }));
            } else {
                let text = text(&path, value, SENTENCE_MAX, self.problems);
                let plain = |text| Decision { text, consequence: None, decided_on: None, is_object: false };
                decisions.extend(text.map(plain));
            }
        }
        decisions
    }

    fn date(&mut self, field: &str) -> Option<Raw> {
        let text = self.text(field, 40)?;
        if !is_date(text.expose()) {
            self.complain(field, "bad_value", "must be a date such as 2026-05-21, or a time in RFC 3339");
            return None;
        }
        Some(text)
    }

    fn proposed_facts(&mut self) -> Vec<ProposedFact<Raw>> {
        let list = self.list("proposed_facts");
        list.into_iter()
            .enumerate()
            .filter_map(|(i, value)| proposed_fact(&format!("proposed_facts[{i}]"), value, self.problems))
            .collect()
    }

    /// What is left over was not asked for.
    fn finish(self) {
        for (field, value) in self.fields {
            let path = join(self.path, &field);
            let lower = field.to_lowercase();
            if lower.ends_with("_write_allowed") && value == Value::Bool(false) {
                continue;
            }
            self.problems.push(if is_write_target(&lower) {
                problem(
                    &path,
                    "write_target",
                    "names a write target; agents never write to the vault or the graph. Leave it out",
                )
            } else if RAW_DIALOGUE.contains(&lower.as_str()) {
                problem(&path, "raw_dialogue", "holds raw dialogue, which is not stored. Send the summaries instead")
            } else {
                problem(&path, "unknown_field", "is not a field of the protocol. Leave it out")
            });
        }
    }
}

/// Whether a text is a date `YYYY-MM-DD` or an RFC 3339 time.
pub fn is_date(text: &str) -> bool {
    let day = text.len() == 10 && Timestamp::parse(&format!("{text}T00:00:00Z")).is_ok();
    day || Timestamp::parse(text).is_ok()
}

/// Fields that would carry the dialogue itself (AGENT_ORCHESTRATION_PROTOCOL, "Verboten im Memory-Write").
pub(crate) const RAW_DIALOGUE: [&str; 24] = [
    "user_input",
    "user_message",
    "user_text",
    "user_prompt",
    "agent_response",
    "agent_answer",
    "agent_message",
    "assistant_message",
    "assistant_response",
    "message",
    "messages",
    "raw",
    "raw_text",
    "raw_input",
    "raw_dialog",
    "raw_dialogue",
    "dialog",
    "dialogue",
    "transcript",
    "conversation",
    "chat",
    "chat_history",
    "full_response",
    "completion",
];

/// Fields that would make of a memory write a write somewhere else.
fn is_write_target(field: &str) -> bool {
    let place = ["obsidian", "graphiti", "vault"].iter().any(|place| field.contains(place));
    let target = ["path", "write", "page", "file", "target", "note", "episode", "node", "edge", "update", "append"]
        .iter()
        .any(|target| field.contains(target));
    (place && target)
        || field.ends_with("_write_allowed")
        || ["write_to", "write_path", "target_path", "target_file", "output_path"].contains(&field)
}

fn proposed_fact(path: &str, value: Value, problems: &mut Vec<Problem>) -> Option<ProposedFact<Raw>> {
    let Value::Object(fields) = value else {
        let at = if path.is_empty() { "input" } else { path };
        problems.push(problem(at, "wrong_type", "must be an object with at least fact and status"));
        return None;
    };
    let mut reader = Reader::new(path, fields, problems);
    let fact = reader.required_text("fact", SENTENCE_MAX);
    if reader.fields.get("status").is_none_or(Value::is_null) {
        reader.complain("status", "missing_field", "is required: one of user_stated, inferred, rejected");
    }
    let status = reader.word("status", "user_stated, inferred, rejected", FactStatus::from_name);
    let confidence =
        reader.word("confidence", "unverified, low, medium, high", Confidence::from_name).unwrap_or_default();
    let page = reader.page("proposed_obsidian_page");
    let change = reader.text("proposed_change", CHANGE_MAX);
    let requires = reader.text("requires", SENTENCE_MAX);
    let project = reader.text("project", NAME_MAX);
    reader.finish();
    let (fact, status) = (fact?, status?);
    let was_verified = status == FactStatus::Verified;
    let status = if was_verified { FactStatus::Inferred } else { status };
    let one_line = |text: Option<Raw>| text.map(|text| text.one_line());
    Some(ProposedFact {
        fact: fact.one_line(),
        status,
        was_verified,
        confidence,
        page: one_line(page),
        change,
        requires,
        project: one_line(project),
    })
}

fn text(path: &str, value: Value, max: usize, problems: &mut Vec<Problem>) -> Option<Raw> {
    let Value::String(text) = value else {
        problems.push(problem(path, "wrong_type", "must be a text"));
        return None;
    };
    let text = Raw::new(text);
    let count = text.chars();
    let what = if count > max {
        ("text_too_long", format!("{count} characters; the limit is {max}. Shorten it by {}", count - max))
    } else if text.expose().trim().is_empty() {
        ("empty_text", "is empty. Leave the field out or say something".to_owned())
    } else if text.expose().contains('\0') {
        ("bad_value", "holds a NUL character. Remove it".to_owned())
    } else {
        return Some(text);
    };
    problems.push(problem(path, what.0, what.1));
    None
}

fn problem(field: &str, code: &'static str, what: impl Into<String>) -> Problem {
    Problem { field: field.to_owned(), code, what: what.into() }
}

/// A key as a path names it: in quotes where it is no plain word. Whoever masks the path later sees its edges then.
pub fn quoted(key: &str) -> Cow<'_, str> {
    let is_plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if is_plain { key.into() } else { format!("\"{key}\"").into() }
}
