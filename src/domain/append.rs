//! What an agent may append: the protocol's fields and no others, each within its limit.
//!
//! Reading finds every problem of an input at once and writes nothing. Masking is the caller's next step.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::review::{Confidence, FactStatus};
use super::time::Timestamp;
use crate::mask::Raw;

/// The longest `user_input_summary` in characters, both ends included (AGENT_ORCHESTRATION_PROTOCOL, step 4).
pub const QUESTION_MAX: usize = 500;
/// The longest `conversation_summary` in characters (AGENT_ORCHESTRATION_PROTOCOL, step 4).
pub const ANSWER_MAX: usize = 1000;
/// The longest `user_input` in characters, where the policy lets it in; the program's own bound.
pub const USER_INPUT_MAX: usize = 20_000;
/// The longest fact, task, decision, consequence, query or requirement in characters; the program's own bound.
pub const SENTENCE_MAX: usize = 500;
/// The longest proposed change in characters; the program's own bound.
pub const CHANGE_MAX: usize = 1000;
/// The longest project, page or source path in characters; the program's own bound.
pub const NAME_MAX: usize = 300;
/// The longest list; the program's own bound.
pub const LIST_MAX: usize = 100;
/// The longest `request_id` in characters; the program's own bound.
pub const REQUEST_ID_MAX: usize = 128;

/// Whether the full user input may be stored, `[policy] store_user_input`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UserInputPolicy {
    /// Only its summary; `user_input` is refused.
    #[default]
    Summary,
    /// Also `user_input`, masked, kept for 7 days.
    Masked,
}

/// Something wrong with an input: the field, what is wrong, and the way out. It never repeats a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct Problem {
    /// The field, as a path such as `proposed_facts[0].fact`.
    pub field: String,
    /// A stable word for programs.
    pub code: &'static str,
    /// The limit and the actual figure, or the allowed values, and the fix.
    pub what: String,
}

/// A turn as an agent hands it over. `T` is [`Raw`] before masking and `Masked` after.
pub struct TurnInput<T> {
    /// The question, summed up.
    pub user_input_summary: T,
    /// The question in full, where the policy lets it in.
    pub user_input: Option<T>,
    /// The answer, summed up.
    pub conversation_summary: T,
    /// What was retrieved; `None` only when retrieval was not available.
    pub retrieval: Option<Retrieval<T>>,
    /// What is left to do.
    pub pending_tasks: Vec<T>,
    /// What was decided.
    pub decisions: Vec<Decision<T>>,
    /// What might become lasting knowledge.
    pub proposed_facts: Vec<ProposedFact<T>>,
    /// The caller's own id for this call.
    pub request_id: Option<T>,
}

/// The retrieval's metadata.
pub struct Retrieval<T> {
    /// How many Obsidian sources it found.
    pub obsidian_sources: u64,
    /// How many Graphiti facts it found.
    pub graphiti_facts: u64,
    /// `high`, `medium` or `low`.
    pub confidence: Confidence,
    /// What was asked for.
    pub query: Option<T>,
    /// In which project.
    pub project: Option<T>,
    /// Which pages it found.
    pub source_paths: Vec<T>,
}

/// A decision.
pub struct Decision<T> {
    /// What was decided.
    pub text: T,
    /// What follows from it; makes a review.
    pub consequence: Option<T>,
    /// The day or moment, as it was given.
    pub decided_on: Option<T>,
    /// Whether it came as an object, and is stored as one.
    pub is_object: bool,
}

/// A proposed fact.
pub struct ProposedFact<T> {
    /// What is proposed.
    pub fact: T,
    /// How it is known; `verified` has been lowered to `inferred`.
    pub status: FactStatus,
    /// Whether the input said `verified`.
    pub was_verified: bool,
    /// How sure the agent is.
    pub confidence: Confidence,
    /// The page it should go to.
    pub page: Option<T>,
    /// What to change there.
    pub change: Option<T>,
    /// What a human should ask for first.
    pub requires: Option<T>,
    /// The project.
    pub project: Option<T>,
}

impl<T> TurnInput<T> {
    /// Makes another text of each text, in one fixed order, told the field it stands in.
    pub fn map<U>(self, f: &mut impl FnMut(&str, T) -> U) -> TurnInput<U> {
        let list = |name: &str, items: Vec<T>, f: &mut dyn FnMut(&str, T) -> U| -> Vec<U> {
            items.into_iter().enumerate().map(|(i, item)| f(&format!("{name}[{i}]"), item)).collect()
        };
        TurnInput {
            user_input_summary: f("user_input_summary", self.user_input_summary),
            user_input: self.user_input.map(|text| f("user_input", text)),
            conversation_summary: f("conversation_summary", self.conversation_summary),
            retrieval: self.retrieval.map(|retrieval| Retrieval {
                obsidian_sources: retrieval.obsidian_sources,
                graphiti_facts: retrieval.graphiti_facts,
                confidence: retrieval.confidence,
                query: retrieval.query.map(|text| f("retrieval_meta.query", text)),
                project: retrieval.project.map(|text| f("retrieval_meta.project", text)),
                source_paths: list("retrieval_meta.source_paths", retrieval.source_paths, f),
            }),
            pending_tasks: list("pending_tasks", self.pending_tasks, f),
            decisions: self
                .decisions
                .into_iter()
                .enumerate()
                .map(|(i, decision)| Decision {
                    text: f(&format!("decisions[{i}].text"), decision.text),
                    consequence: decision.consequence.map(|text| f(&format!("decisions[{i}].consequence"), text)),
                    decided_on: decision.decided_on.map(|text| f(&format!("decisions[{i}].decided_on"), text)),
                    is_object: decision.is_object,
                })
                .collect(),
            proposed_facts: self
                .proposed_facts
                .into_iter()
                .enumerate()
                .map(|(i, fact)| fact.map(&format!("proposed_facts[{i}]"), f))
                .collect(),
            request_id: self.request_id.map(|text| f("request_id", text)),
        }
    }

    /// The same turn with its texts borrowed, to look at all of them before they are made into others.
    pub fn texts(&self) -> Vec<&T> {
        let mut all = Vec::new();
        let borrowed = TurnInput {
            user_input_summary: &self.user_input_summary,
            user_input: self.user_input.as_ref(),
            conversation_summary: &self.conversation_summary,
            retrieval: self.retrieval.as_ref().map(|retrieval| Retrieval {
                obsidian_sources: retrieval.obsidian_sources,
                graphiti_facts: retrieval.graphiti_facts,
                confidence: retrieval.confidence,
                query: retrieval.query.as_ref(),
                project: retrieval.project.as_ref(),
                source_paths: retrieval.source_paths.iter().collect(),
            }),
            pending_tasks: self.pending_tasks.iter().collect(),
            decisions: self
                .decisions
                .iter()
                .map(|decision| Decision {
                    text: &decision.text,
                    consequence: decision.consequence.as_ref(),
                    decided_on: decision.decided_on.as_ref(),
                    is_object: decision.is_object,
                })
                .collect(),
            proposed_facts: self.proposed_facts.iter().map(ProposedFact::as_ref).collect(),
            request_id: self.request_id.as_ref(),
        };
        borrowed.map(&mut |_, text| all.push(text));
        all
    }
}

impl<T> ProposedFact<T> {
    /// Makes another text of each text; `path` is where the fact stands in its input.
    pub fn map<U>(self, path: &str, f: &mut impl FnMut(&str, T) -> U) -> ProposedFact<U> {
        ProposedFact {
            fact: f(&join(path, "fact"), self.fact),
            status: self.status,
            was_verified: self.was_verified,
            confidence: self.confidence,
            page: self.page.map(|text| f(&join(path, "proposed_obsidian_page"), text)),
            change: self.change.map(|text| f(&join(path, "proposed_change"), text)),
            requires: self.requires.map(|text| f(&join(path, "requires"), text)),
            project: self.project.map(|text| f(&join(path, "project"), text)),
        }
    }

    /// The same fact with its texts borrowed.
    pub fn as_ref(&self) -> ProposedFact<&T> {
        ProposedFact {
            fact: &self.fact,
            status: self.status,
            was_verified: self.was_verified,
            confidence: self.confidence,
            page: self.page.as_ref(),
            change: self.change.as_ref(),
            requires: self.requires.as_ref(),
            project: self.project.as_ref(),
        }
    }
}

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
                decisions.extend(text.map(|text| Decision { text, consequence, decided_on, is_object: true }));
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
const RAW_DIALOGUE: [&str; 24] = [
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
    Some(ProposedFact { fact, status, was_verified, confidence, page, change, requires, project })
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

fn join(path: &str, field: &str) -> String {
    let field = quoted(field);
    if path.is_empty() { field.into_owned() } else { format!("{path}.{field}") }
}

/// A key as a path names it: in quotes where it is no plain word. Whoever masks the path later sees its edges then.
pub fn quoted(key: &str) -> Cow<'_, str> {
    let is_plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if is_plain { key.into() } else { format!("\"{key}\"").into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn minimal() -> Value {
        json!({
            "user_input_summary": "User fragt Status Vento + behauptet Telegram-Support",
            "retrieval_meta": {"obsidian_sources": 1, "graphiti_facts": 10, "confidence": "medium"},
            "conversation_summary": "Vento 90% fertig, nicht live. Telegram unbestätigt."
        })
    }

    fn codes(value: Value) -> Vec<(String, &'static str)> {
        match read_turn(value, UserInputPolicy::Summary) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|problem| (problem.field, problem.code)).collect(),
        }
    }

    fn with(field: &str, value: Value) -> Value {
        let mut turn = minimal();
        turn.as_object_mut().unwrap().insert(field.into(), value);
        turn
    }

    #[test]
    fn the_protocols_example_is_taken_whole() {
        let turn = with(
            "proposed_facts",
            json!([{"fact": "Vento unterstützt Telegram als zusätzlichen Kanal", "status": "user_stated",
                    "confidence": "unverified", "proposed_obsidian_page": "03-Projekte/LP-VENTO.md"}]),
        );
        let turn = read_turn(turn, UserInputPolicy::Summary).ok().unwrap();
        assert_eq!(turn.proposed_facts.len(), 1);
        assert_eq!(turn.texts().len(), 4);
    }

    #[test]
    fn limits_count_characters_and_include_their_figure() {
        for (field, max) in [("user_input_summary", 500), ("conversation_summary", 1000)] {
            assert_eq!(codes(with(field, json!("ü".repeat(max)))), []);
            assert_eq!(codes(with(field, json!("ü".repeat(max + 1)))), [(field.to_owned(), "text_too_long")]);
        }
        let Err(problems) = read_turn(with("user_input_summary", json!("x".repeat(612))), UserInputPolicy::Summary)
        else {
            panic!()
        };
        assert_eq!(problems[0].to_string(), "user_input_summary: 612 characters; the limit is 500. Shorten it by 112");
    }

    #[test]
    fn each_forbidden_field_is_refused_by_its_kind() {
        for (field, value, code) in [
            ("user_input", json!("x"), "raw_dialogue"),
            ("agent_response", json!("x"), "raw_dialogue"),
            ("messages", json!([]), "raw_dialogue"),
            ("raw", json!("x"), "raw_dialogue"),
            ("obsidian_path", json!("x"), "write_target"),
            ("graphiti_write", json!(true), "write_target"),
            ("obsidian_write_allowed", json!(true), "write_target"),
            ("foo_write_allowed", json!(true), "write_target"),
            ("surprise", json!(1), "unknown_field"),
        ] {
            assert_eq!(codes(with(field, value)), [(field.to_owned(), code)]);
        }
        assert_eq!(codes(with("obsidian_write_allowed", json!(false))), []);
        assert!(read_turn(with("user_input", json!("x")), UserInputPolicy::Masked).is_ok());
    }

    #[test]
    fn problems_inside_lists_name_their_place() {
        let turn = with(
            "proposed_facts",
            json!([{"fact": "x", "status": "maybe"}, {"fact": "y", "status": "inferred", "obsidian_path": "z"}, "w",
                   {"fact": "y", "status": "inferred", "proposed_obsidian_page": "../../etc/passwd"}]),
        );
        assert_eq!(
            codes(turn),
            [
                ("proposed_facts[0].status".to_owned(), "bad_value"),
                ("proposed_facts[1].obsidian_path".to_owned(), "write_target"),
                ("proposed_facts[2]".to_owned(), "wrong_type"),
                ("proposed_facts[3].proposed_obsidian_page".to_owned(), "bad_value"),
            ]
        );
    }

    #[test]
    fn an_answer_without_retrieval_is_refused_unless_retrieval_failed() {
        let mut turn = minimal();
        turn["retrieval_meta"] = Value::Null;
        assert_eq!(codes(turn.clone()), [("retrieval_meta".to_owned(), "missing_field")]);
        turn["retrieval_unavailable"] = json!(true);
        assert_eq!(codes(turn), []);
        assert_eq!(codes(with("retrieval_unavailable", json!(true)))[0].1, "bad_value");
    }

    #[test]
    fn verified_is_lowered_and_remembered() {
        let turn = with("proposed_facts", json!([{"fact": "x", "status": "verified"}]));
        let turn = read_turn(turn, UserInputPolicy::Summary).ok().unwrap();
        assert_eq!(turn.proposed_facts[0].status, FactStatus::Inferred);
        assert!(turn.proposed_facts[0].was_verified);
    }
}
