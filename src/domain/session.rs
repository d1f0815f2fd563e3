//! A session: its state as a function of the file and the clock, and reading what it holds, whoever wrote it.

use serde_json::{Map, Value};

use super::agent::AgentId;
use super::doc::{Doc, Safe};
use super::ids::SessionId;
use super::time::{DAY, MINUTE, Timestamp};
use crate::mask::{Masked, Masker};

/// A session is `active` while its last interaction is younger than this (SESSION_MEMORY_ARCHITECTURE, Lebenszeit).
pub const IDLE_AFTER: i64 = 30 * MINUTE;
/// A session is `closed` when its last interaction is older than this; at exactly this age it is still `idle`.
pub const CLOSED_AFTER: i64 = 120 * MINUTE;
/// A session is `archived` this long after it was closed.
pub const ARCHIVED_AFTER: i64 = 7 * DAY;

/// Where a session is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Last interaction less than 30 minutes ago.
    Active,
    /// Last interaction 30 to 120 minutes ago, both included.
    Idle,
    /// Last interaction more than 120 minutes ago, or closed by hand.
    Closed,
    /// Closed 7 days ago or longer.
    Archived,
}

impl State {
    /// All states, in the order in which a session passes through them.
    pub const ALL: [Self; 4] = [Self::Active, Self::Idle, Self::Closed, Self::Archived];

    /// The state's name, which is its folder's name too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Idle => "idle",
            Self::Closed => "closed",
            Self::Archived => "archived",
        }
    }

    /// The state of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether a turn may still be added.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Active | Self::Idle)
    }
}

/// The state of a session at `now`.
///
/// `closed_at` is set where the file says that it was closed; where only its `status` says so, closing is taken to be when
/// time would have closed it.
pub fn state(last_active: Timestamp, closed: Closing, now: Timestamp) -> State {
    match closed_at(last_active, closed, now) {
        Some(at) if now.since(at) >= ARCHIVED_AFTER => State::Archived,
        Some(_) => State::Closed,
        None if now.since(last_active) < IDLE_AFTER => State::Active,
        None => State::Idle,
    }
}

/// When the session was closed, if it is: by hand, or by time 120 minutes after its last interaction.
pub fn closed_at(last_active: Timestamp, closed: Closing, now: Timestamp) -> Option<Timestamp> {
    let by_time = last_active.plus(CLOSED_AFTER);
    match closed {
        // Of a file that contradicts itself the later time counts: what is kept too long can still go.
        Closing::At(at) => Some(at.max(last_active)),
        Closing::Unknown => Some(by_time),
        Closing::Open if now.since(last_active) > CLOSED_AFTER => Some(by_time),
        Closing::Open => None,
    }
}

/// What a file says of its closing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// Nothing: time alone closes it.
    Open,
    /// Closed at this moment.
    At(Timestamp),
    /// Closed, it does not say when.
    Unknown,
}

impl Closing {
    /// Reads the two fields that tell.
    pub fn from_fields(status: Option<&str>, closed_at: Option<Timestamp>) -> Self {
        match (closed_at, status) {
            (Some(at), _) => Self::At(at),
            (None, Some("closed" | "archived")) => Self::Unknown,
            _ => Self::Open,
        }
    }
}

/// A session file.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its id, which is the file's name.
    pub id: SessionId,
    /// Its fields.
    pub doc: Doc,
}

impl Session {
    /// A new session without turns.
    pub fn new(id: SessionId, agent: &AgentId, now: Timestamp, masker: &Masker) -> Self {
        let mut doc = Doc::new();
        doc.set("session_id", &id);
        doc.set("agent_id", masker.mask(&agent.full()).text);
        doc.set("created_at", now);
        doc.set("last_active", now);
        doc.set("status", Safe::word(State::Active.name()));
        doc.set("turns", Safe::list(Vec::<Safe>::new()));
        doc.within("accumulated_context", |context| {
            for list in ["active_projects", "open_tasks", "decisions_this_session", "user_stated_facts"] {
                context.set(list, Safe::list(Vec::<Safe>::new()));
            }
        });
        doc.set("review_queue", Safe::list(Vec::<Safe>::new()));
        Self { id, doc }
    }

    /// The last interaction: `last_active`, else the newest turn, else the beginning, else the day in the id.
    pub fn last_active(&self) -> Option<Timestamp> {
        self.doc
            .time("last_active")
            .or_else(|| self.turns().filter_map(Turn::time).max())
            .or_else(|| self.doc.time("created_at"))
            .or_else(|| self.id.day())
    }

    /// What the file says of its closing.
    pub fn closing(&self) -> Closing {
        Closing::from_fields(self.doc.text("status"), self.doc.time("closed_at"))
    }

    /// The true state at `now`; `closed` where the file tells no time at all.
    pub fn state(&self, now: Timestamp) -> State {
        self.last_active().map_or(State::Closed, |last_active| state(last_active, self.closing(), now))
    }

    /// When it was closed, if it is.
    pub fn closed_at(&self, now: Timestamp) -> Option<Timestamp> {
        closed_at(self.last_active()?, self.closing(), now)
    }

    /// The agent it belongs to: the file's `agent_id`, else the name in the id.
    pub fn agent(&self) -> &str {
        self.doc.text("agent_id").unwrap_or_else(|| self.id.agent())
    }

    /// The turns, in the file's order.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = Turn<'_>> {
        self.doc.list("turns").iter().filter_map(Value::as_object).map(Turn)
    }

    /// The turn with this number.
    pub fn turn(&self, number: u64) -> Option<Turn<'_>> {
        self.turns().find(|turn| turn.number() == Some(number))
    }

    /// A number that no turn of the session has had. Turns keep their number when their content ages out.
    pub fn next_turn(&self) -> u64 {
        self.turns().filter_map(Turn::number).max().unwrap_or(0).saturating_add(1)
    }

    /// A list of the `accumulated_context`.
    pub fn accumulated(&self, list: &str) -> impl Iterator<Item = &str> {
        self.doc
            .get("accumulated_context")
            .and_then(|context| context.get(list))
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .filter_map(text_of)
    }
}

/// The text of a list entry: itself, or the `text`, `fact` or `task` of an object.
pub fn text_of(entry: &Value) -> Option<&str> {
    match entry {
        Value::String(text) => Some(text),
        Value::Object(map) => ["text", "fact", "task"].iter().find_map(|key| map.get(*key)).and_then(Value::as_str),
        _ => None,
    }
}

/// One turn, in this program's shape or the architecture document's.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a>(pub &'a Map<String, Value>);

impl<'a> Turn<'a> {
    /// Its number, counted from 1.
    pub fn number(self) -> Option<u64> {
        self.0.get("turn_id").and_then(Value::as_u64)
    }

    /// When it was.
    pub fn time(self) -> Option<Timestamp> {
        Timestamp::parse(self.field("timestamp")?).ok()
    }

    /// What the user asked: the summary, else the masked input.
    pub fn asked(self) -> Option<&'a str> {
        self.field("user_input_summary").or_else(|| self.field("user_input"))
    }

    /// What was answered.
    pub fn answered(self) -> Option<&'a str> {
        self.field("conversation_summary").or_else(|| self.field("agent_response_summary"))
    }

    /// The retrieval's metadata.
    pub fn retrieval(self) -> Option<&'a Map<String, Value>> {
        self.0.get("retrieval_meta").or_else(|| self.0.get("retrieval")).and_then(Value::as_object)
    }

    /// The facts it proposed: text and status.
    pub fn facts(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.list("proposed_facts").iter().chain(self.list("new_facts_detected")).filter_map(|fact| {
            let status = fact.get("status").or_else(|| fact.get("source")).and_then(Value::as_str);
            Some((text_of(fact)?, status.unwrap_or("user_stated")))
        })
    }

    /// The facts it proposed that a review was made of, or counted: text and project. What the queue turned away, and what an
    /// agent called rejected, is none.
    pub fn reviewed_facts(self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let of_turn = self.retrieval().and_then(|meta| meta.get("project")).and_then(Value::as_str);
        self.list("proposed_facts")
            .iter()
            .filter(|fact| fact.get("review_id").is_some())
            .filter_map(move |fact| Some((text_of(fact)?, fact.get("project").and_then(Value::as_str).or(of_turn))))
    }

    /// The projects it was about.
    pub fn projects(self) -> impl Iterator<Item = &'a str> {
        let of_turn = self.retrieval().and_then(|meta| meta.get("project"));
        let facts = self.list("proposed_facts").iter().chain(self.list("new_facts_detected"));
        of_turn.into_iter().chain(facts.filter_map(|fact| fact.get("project"))).filter_map(Value::as_str)
    }

    /// The tasks it left open.
    pub fn tasks(self) -> impl Iterator<Item = &'a str> {
        self.list("pending_tasks").iter().chain(self.list("open_tasks")).filter_map(text_of)
    }

    /// The decisions it made.
    pub fn decisions(self) -> impl Iterator<Item = &'a str> {
        self.list("decisions").iter().filter_map(text_of)
    }

    fn field(self, key: &str) -> Option<&'a str> {
        self.0.get(key).and_then(Value::as_str)
    }

    fn list(self, key: &str) -> &'a [Value] {
        self.0.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}

/// What a list of sessions shows of one, read without keeping the turns.
#[derive(Clone, Debug)]
pub struct Header {
    /// The id.
    pub id: SessionId,
    /// The agent.
    pub agent: Masked,
    /// When it began.
    pub created_at: Option<Timestamp>,
    /// The last interaction.
    pub last_active: Option<Timestamp>,
    /// What the file says of its closing.
    pub closing: Closing,
    /// How many turns it has.
    pub turns: usize,
    /// The projects it was about.
    pub projects: Vec<Masked>,
    /// How many reviews it caused.
    pub reviews: usize,
    /// The file's `schema_version`, 0 without one.
    pub schema_version: u64,
}

impl Header {
    /// The header of a whole session.
    pub fn of(session: &Session) -> Self {
        Self {
            id: session.id.clone(),
            agent: Masked::trusted(session.agent().to_owned()),
            created_at: session.doc.time("created_at"),
            last_active: session.last_active(),
            closing: session.closing(),
            turns: session.doc.list("turns").len(),
            projects: session.accumulated("active_projects").map(|text| Masked::trusted(text.to_owned())).collect(),
            reviews: session.doc.list("review_queue").len(),
            schema_version: session.doc.schema_version(),
        }
    }

    /// The true state at `now`.
    pub fn state(&self, now: Timestamp) -> State {
        self.last_active.map_or(State::Closed, |last_active| state(last_active, self.closing, now))
    }

    /// When it was closed, if it is.
    pub fn closed_at(&self, now: Timestamp) -> Option<Timestamp> {
        closed_at(self.last_active?, self.closing, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn each_state_begins_and_ends_to_the_second() {
        let last = at("2026-05-21T12:00:00Z");
        for (now, want) in [
            ("2026-05-21T11:00:00Z", State::Active), // a clock that was ahead
            ("2026-05-21T12:00:00Z", State::Active),
            ("2026-05-21T12:29:59Z", State::Active),
            ("2026-05-21T12:30:00Z", State::Idle),
            ("2026-05-21T14:00:00Z", State::Idle),
            ("2026-05-21T14:00:01Z", State::Closed),
            ("2026-05-28T13:59:59Z", State::Closed),
            ("2026-05-28T14:00:00Z", State::Archived),
        ] {
            assert_eq!(state(last, Closing::Open, at(now)), want, "{now}");
        }
    }

    #[test]
    fn closing_by_hand_counts_from_its_moment() {
        let (last, closed) = (at("2026-05-21T12:00:00Z"), Closing::At(at("2026-05-21T12:05:00Z")));
        assert_eq!(state(last, closed, at("2026-05-21T12:06:00Z")), State::Closed);
        assert_eq!(state(last, closed, at("2026-05-28T12:04:59Z")), State::Closed);
        assert_eq!(state(last, closed, at("2026-05-28T12:05:00Z")), State::Archived);
        // Closed before its last interaction, as a clock that was wrong may leave it.
        let closed = Closing::At(at("2020-01-01T00:00:00Z"));
        assert_eq!(state(last, closed, at("2026-05-28T11:59:59Z")), State::Closed);
    }

    #[test]
    fn time_closes_at_120_minutes_whenever_one_looks() {
        let last = at("2026-05-21T12:00:00Z");
        assert_eq!(closed_at(last, Closing::Open, at("2026-05-21T14:00:00Z")), None);
        assert_eq!(closed_at(last, Closing::Open, at("2026-06-21T00:00:00Z")), Some(at("2026-05-21T14:00:00Z")));
        assert_eq!(closed_at(last, Closing::Unknown, at("2026-05-21T12:01:00Z")), Some(at("2026-05-21T14:00:00Z")));
    }

    #[test]
    fn the_architecture_documents_turn_is_read_like_ours() {
        let json: Value = serde_json::from_str(
            r#"{"turn_id": 3, "timestamp": "2026-05-21T14:30:05Z", "user_input": "Projekt Vento hat jetzt zusätzlich Telegram-Support.",
                "agent_response_summary": "ok", "open_tasks": ["a"], "decisions": [{"text": "b"}],
                "new_facts_detected": [{"fact": "Vento unterstützt jetzt Telegram", "source": "user_stated"}]}"#,
        )
        .unwrap();
        let turn = Turn(json.as_object().unwrap());
        assert_eq!(turn.number(), Some(3));
        assert_eq!(turn.asked(), Some("Projekt Vento hat jetzt zusätzlich Telegram-Support."));
        assert_eq!(turn.answered(), Some("ok"));
        assert_eq!(turn.facts().collect::<Vec<_>>(), [("Vento unterstützt jetzt Telegram", "user_stated")]);
        assert_eq!(turn.tasks().collect::<Vec<_>>(), ["a"]);
        assert_eq!(turn.decisions().collect::<Vec<_>>(), ["b"]);
    }
}
