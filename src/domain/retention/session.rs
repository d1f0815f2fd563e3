//! What is due for a session: its fields by the time of their turns, its folder and its end by its last interaction.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Action, Aged, Due, Fate, Policy, is_ahead};
use crate::domain::append::RAW_DIALOGUE;
use crate::domain::doc::{Doc, Safe};
use crate::domain::fold::fingerprint;
use crate::domain::session::{ARCHIVED_AFTER, Closing, Session, State, Turn, closed_at, state, text_of};
use crate::domain::time::Timestamp;

/// How long a field of a turn is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// User text, retrieval metadata, answer summary: [`Policy::text`].
    Text,
    /// Proposed facts: until the session closes.
    Facts,
    /// Decisions and tasks: [`Policy::decisions`].
    Decisions,
    /// Its number and time, and what nobody here knows: as long as the session.
    Kept,
}

impl Class {
    /// The class of a turn's field, in this program's shape or an earlier tool's.
    pub(super) fn of(field: &str) -> Self {
        match field {
            "turn_id" | "timestamp" => Self::Kept,
            "user_input_summary"
            | "conversation_summary"
            | "agent_response_summary"
            | "retrieval_meta"
            | "retrieval"
            | "retrieval_unavailable"
            | "request_id"
            | "answer" => Self::Text,
            "proposed_facts" | "new_facts_detected" => Self::Facts,
            "decisions" | "pending_tasks" | "open_tasks" | "completed_tasks" => Self::Decisions,
            other if RAW_DIALOGUE.contains(&other) => Self::Text,
            _ => Self::Kept,
        }
    }
}

/// The lists of `accumulated_context` that age, with the class they age as.
pub(super) const LISTS: [(&str, Class); 4] = [
    ("active_projects", Class::Text),
    ("user_stated_facts", Class::Facts),
    ("open_tasks", Class::Decisions),
    ("decisions_this_session", Class::Decisions),
];

/// A field that should hold a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stamp {
    /// It is not there, or `null`.
    #[default]
    Missing,
    /// It holds something else.
    Bad,
    /// A time.
    At(Timestamp),
}

impl Stamp {
    pub(super) fn parse(text: &str) -> Self {
        Timestamp::parse(text).map_or(Self::Bad, Self::At)
    }

    pub(super) fn of(value: Option<&Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Missing,
            Some(Value::String(text)) => Self::parse(text),
            Some(_) => Self::Bad,
        }
    }

    pub(super) const fn time(self) -> Option<Timestamp> {
        match self {
            Self::At(at) => Some(at),
            Self::Missing | Self::Bad => None,
        }
    }
}

/// The times of a session that decide on it as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    pub(super) last_active: Stamp,
    pub(super) created_at: Stamp,
    pub(super) closed_at: Stamp,
    /// The newest turn's.
    pub(super) newest_turn: Option<Timestamp>,
    pub(super) has_turns: bool,
}

/// What follows from them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Life {
    /// No turn is later than this, where it is known.
    pub(super) last: Option<Timestamp>,
    /// Since when it is closed, if it is.
    pub(super) closed: Option<Timestamp>,
    /// The state it is in, where that can be told.
    pub(super) state: Option<State>,
    pub(super) doubt: Option<&'static str>,
}

impl Times {
    pub(super) fn life(self, status: Option<&str>, now: Timestamp) -> Life {
        let by_hand = self.closed_at.time();
        // A turn later than `last_active` makes it later: nothing goes before its time.
        let last = match self.last_active {
            Stamp::At(at) => Some(at).max(self.newest_turn),
            Stamp::Bad => None,
            Stamp::Missing if self.newest_turn.is_some() || by_hand.is_some() => self.newest_turn.max(by_hand),
            Stamp::Missing if self.has_turns => None,
            Stamp::Missing => self.created_at.time(),
        };
        let closing = Closing::from_fields(status, by_hand);
        let doubt = match last {
            None if self.last_active == Stamp::Bad => Some("its last_active is no time in RFC 3339"),
            None => Some("it does not tell the time of its last interaction"),
            Some(last) if is_ahead(last, now) || by_hand.is_some_and(|at| is_ahead(at, now)) => {
                Some("a time in it lies ahead of the clock")
            }
            Some(_) => None,
        };
        let closed = last.and_then(|last| closed_at(last, closing, now));
        Life { last, closed, state: last.map(|last| state(last, closing, now)), doubt }
    }
}

/// Whether a point is as old as a figure or older.
pub(super) fn is_due(at: Timestamp, kept: i64, now: Timestamp) -> bool {
    now.since(at) >= kept
}

/// Brings a session to what may be kept of it at `now`, and tells what that took. `folder` is where its file lies, `size` the
/// file's size in bytes.
pub fn age_session(session: &mut Session, folder: State, size: u64, policy: &Policy, now: Timestamp) -> Aged<State> {
    if !session.doc.is_writable() {
        return Aged::stays(Some("it was written by a newer version, and is not changed"));
    }
    let life = times(session).life(session.doc.text("status"), now);
    if let Some(closed) = life.closed {
        let archived = closed.plus(ARCHIVED_AFTER);
        if is_due(archived, policy.archived, now) {
            let due = Due { action: Action::DeleteSession, reason: format!("archived {archived}"), bytes: size };
            return Aged { fate: Fate::Deleted, due: vec![due], doubt: life.doubt };
        }
    }
    let mut due = Vec::new();
    let to = life.state.map_or(folder, |state| state.max(folder));
    due.extend(moved(session, folder, to, life, size));
    due.extend(strip(session, life, policy, now));
    if due.is_empty() {
        return Aged::stays(life.doubt);
    }
    if life.state == Some(to) {
        note_state(&mut session.doc, to, life.closed);
    }
    Aged { fate: Fate::Goes(to), due, doubt: life.doubt }
}

fn times(session: &Session) -> Times {
    Times {
        last_active: Stamp::of(session.doc.get("last_active")),
        created_at: Stamp::of(session.doc.get("created_at")),
        closed_at: Stamp::of(session.doc.get("closed_at")),
        newest_turn: session.turns().filter_map(Turn::time).max(),
        has_turns: !session.doc.list("turns").is_empty(),
    }
}

/// The move to the folder of the state, or the status that has to follow it.
fn moved(session: &Session, folder: State, to: State, life: Life, size: u64) -> Option<Due> {
    let is_told = life.state != Some(to) || session.doc.text("status") == Some(to.name());
    if to == folder && is_told {
        return None;
    }
    let (action, since, at) = match to {
        State::Active => return None,
        State::Idle => (Action::Idle, "last interaction", life.last),
        State::Closed => (Action::Close, "closed", life.closed),
        State::Archived => (Action::Archive, "closed", life.closed),
    };
    let at = at.map_or_else(|| "at an unknown time".to_owned(), |at| at.to_string());
    Some(Due { action, reason: format!("{since} {at}"), bytes: size })
}

fn note_state(doc: &mut Doc, state: State, closed: Option<Timestamp>) {
    doc.set("status", Safe::word(state.name()));
    if doc.time("closed_at").is_none()
        && let Some(closed) = closed
    {
        doc.set("closed_at", closed);
    }
    if state == State::Archived
        && let Some(closed) = closed
    {
        doc.set("archived_at", closed.plus(ARCHIVED_AFTER));
    }
}

/// What goes of one class.
#[derive(Default)]
struct Gone {
    turns: usize,
    oldest: Option<Timestamp>,
    entries: usize,
    bytes: u64,
}

impl Gone {
    fn is_empty(&self) -> bool {
        self.turns == 0 && self.entries == 0
    }

    fn due(self, action: Action) -> Option<Due> {
        if self.is_empty() {
            return None;
        }
        let reason = match (self.turns, self.oldest) {
            (0, _) => "of the accumulated context".to_owned(),
            (1, Some(oldest)) => format!("1 turn, of {oldest}"),
            (turns, Some(oldest)) => format!("{turns} turns, the oldest of {oldest}"),
            (turns, None) => format!("{turns} turns"),
        };
        Some(Due { action, reason, bytes: self.bytes })
    }
}

/// Which classes of a turn's fields are due.
#[derive(Clone, Copy, Default)]
struct Classes {
    text: bool,
    facts: bool,
    decisions: bool,
}

impl Classes {
    fn at(at: Option<Timestamp>, closed: bool, policy: &Policy, now: Timestamp) -> Self {
        let is_due = |kept| at.is_some_and(|at| is_due(at, kept, now));
        Self { text: is_due(policy.text), facts: closed, decisions: is_due(policy.decisions) }
    }

    const fn has(self, class: Class) -> bool {
        match class {
            Class::Text => self.text,
            Class::Facts => self.facts,
            Class::Decisions => self.decisions,
            Class::Kept => false,
        }
    }
}

/// Removes the fields that are due.
fn strip(session: &mut Session, life: Life, policy: &Policy, now: Timestamp) -> Vec<Due> {
    let is_closed = life.closed.is_some();
    let context = due_entries(session, life, policy, now);
    let mut gone: [Gone; 3] = Default::default();
    // By number in the list: entries that are no objects hold nothing that could be told apart.
    let classes: Vec<Classes> = session
        .doc
        .list("turns")
        .iter()
        .map(|turn| {
            let Some(fields) = turn.as_object() else { return Classes::default() };
            let at = Turn(fields).time().or(life.last);
            let classes = Classes::at(at, is_closed, policy, now);
            count(fields, classes, at, &mut gone);
            classes
        })
        .collect();
    for (list, class) in LISTS {
        for bytes in context.iter().filter(|(of, ..)| *of == list).map(|(_, _, bytes)| bytes) {
            if let Some(gone) = slot(&mut gone, class) {
                gone.entries += 1;
                gone.bytes += bytes;
            }
        }
    }
    if gone.iter().all(Gone::is_empty) {
        return Vec::new();
    }
    let untouched: Vec<bool> = gone.iter().map(Gone::is_empty).collect();
    session.doc.retain_fields("turns", |nth, field| {
        let class = Class::of(field);
        let is_due = classes.get(nth).is_some_and(|classes| classes.has(class));
        // Where a class has nothing to lose, its empty lists stay too: the file is not changed for them.
        !(is_due && place(class).and_then(|at| untouched.get(at)) == Some(&false))
    });
    if !context.is_empty() {
        session.doc.within("accumulated_context", |doc| {
            for (list, _) in LISTS {
                doc.retain_entries(list, |nth| !context.iter().any(|(of, at, _)| *of == list && *at == nth));
            }
        });
    }
    let actions = [Action::RemoveText, Action::RemoveFacts, Action::RemoveDecisions];
    gone.into_iter().zip(actions).filter_map(|(gone, action)| gone.due(action)).collect()
}

const fn place(class: Class) -> Option<usize> {
    match class {
        Class::Text => Some(0),
        Class::Facts => Some(1),
        Class::Decisions => Some(2),
        Class::Kept => None,
    }
}

fn slot(gone: &mut [Gone; 3], class: Class) -> Option<&mut Gone> {
    gone.get_mut(place(class)?)
}

/// Counts what a turn loses.
fn count(fields: &Map<String, Value>, classes: Classes, at: Option<Timestamp>, gone: &mut [Gone; 3]) {
    let mut touched = [false; 3];
    for (field, value) in fields {
        let class = Class::of(field);
        if !classes.has(class) || !has_content(value) {
            continue;
        }
        if let Some((gone, touched)) = slot(gone, class).zip(place(class).and_then(|at| touched.get_mut(at))) {
            gone.bytes += (field.len() + serde_json::to_string(value).map_or(0, |text| text.len())) as u64;
            *touched = true;
        }
    }
    for (gone, _) in gone.iter_mut().zip(touched).filter(|(_, touched)| *touched) {
        gone.turns += 1;
        gone.oldest = match (gone.oldest, at) {
            (Some(oldest), Some(at)) => Some(oldest.min(at)),
            (oldest, at) => oldest.or(at),
        };
    }
}

/// Whether a value holds anything.
pub(super) fn has_content(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// The entries of the `accumulated_context` that are due: the list, the place in it, the bytes. An entry is as old as the
/// newest turn it was taken from; one that no turn holds, as the session's last interaction.
fn due_entries(session: &Session, life: Life, policy: &Policy, now: Timestamp) -> Vec<(&'static str, usize, u64)> {
    let Some(context) = session.doc.get("accumulated_context").and_then(Value::as_object) else { return Vec::new() };
    let is_closed = life.closed.is_some();
    let oldest = session.turns().filter_map(Turn::time).min().or(life.last);
    let mut due = Vec::new();
    for (list, class) in LISTS {
        let entries = context.get(list).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        // No entry can be older than the oldest turn, so that most files need no look at their turns' texts.
        if entries.is_empty() || !Classes::at(oldest, is_closed, policy, now).has(class) {
            continue;
        }
        let origins = origins(session, list, life);
        for (nth, entry) in entries.iter().enumerate() {
            let origin = text_of(entry).and_then(|text| origins.get(&fingerprint(text)).copied());
            if Classes::at(origin.or(life.last), is_closed, policy, now).has(class) {
                due.push((list, nth, serde_json::to_string(entry).map_or(0, |text| text.len()) as u64));
            }
        }
    }
    due
}

/// For each text that an entry of a list can come from, the newest turn's time.
fn origins(session: &Session, list: &str, life: Life) -> HashMap<String, Timestamp> {
    let mut origins: HashMap<String, Timestamp> = HashMap::new();
    for turn in session.turns() {
        let Some(at) = turn.time().or(life.last) else { continue };
        let mut note = |text: &str| {
            let newest = origins.entry(fingerprint(text)).or_insert(at);
            *newest = at.max(*newest);
        };
        match list {
            "open_tasks" => turn.tasks().for_each(&mut note),
            "decisions_this_session" => turn.decisions().for_each(&mut note),
            "active_projects" => turn.projects().for_each(&mut note),
            // They go with the session's end, whichever turn they come from.
            _ => {}
        }
    }
    origins
}
