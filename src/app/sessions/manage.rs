//! Opening, closing, listing, showing and looking up sessions.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::app::error::{Error, NotFound, Refusal, Result};
use crate::app::{Context, Operation, clock, resolve};
use crate::domain::agent::AgentId;
use crate::domain::doc::Safe;
use crate::domain::fold::fold;
use crate::domain::ids::SessionId;
use crate::domain::session::{Header, Session, State};
use crate::domain::time::{MINUTE, Timestamp};
use crate::store::{Change, SessionFile, Skipped};

/// The same question within this time uses the retrieval it got before (Dublettenstrategie, SESSION_MEMORY_ARCHITECTURE).
const LOOKUP_WITHIN: i64 = 5 * MINUTE;

/// A session that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The new session.
    pub id: SessionId,
    /// The session that was closed for it.
    pub closed: Option<SessionId>,
}

/// Closes the agent's open session, if there is one, and opens another ("neue session starten").
///
/// # Errors
/// When the tree can't be written.
pub fn new(ctx: &Context, agent: &AgentId) -> Result<Opened> {
    let operation = Operation::new("session.new").by(agent);
    let tree = ctx.lock()?;
    let mut change = Change::new();
    let open = match ctx.store.open_session(agent, ctx.now())? {
        Some(id) => ctx.store.session(&id)?,
        None => None,
    };
    let mut closed = None;
    if let Some(SessionFile { session, folder }) = open {
        closed = Some(session.id.clone());
        close_now(ctx, session, folder, &operation, &mut change)?;
    }
    let session = open_new(ctx, agent, &change);
    change.put_session(&session, None, State::Active)?;
    change.audit(ctx.entry(&operation.on(&session.id), "ok", BTreeMap::new()));
    tree.commit(change)?;
    Ok(Opened { id: session.id, closed })
}

/// A new session under an id that nobody has. Call it under the lock; it is not written yet.
pub(super) fn open_new(ctx: &Context, agent: &AgentId, change: &Change) -> Session {
    loop {
        let id = SessionId::new(agent, ctx.now(), clock::random());
        if !ctx.store.has_session(&id) && !change.puts_session(&id) {
            return Session::new(id, agent, ctx.now(), ctx.masker());
        }
    }
}

/// Adds to a change that a session is closed now.
pub(super) fn close_now(
    ctx: &Context,
    mut session: Session,
    folder: State,
    operation: &Operation,
    change: &mut Change,
) -> Result<()> {
    let entry =
        ctx.entry(&Operation { op: "session.close", ..operation.clone() }.on(&session.id), "ok", BTreeMap::new());
    session.doc.set("status", Safe::word(State::Closed.name()));
    session.doc.set("closed_at", ctx.now());
    session.doc.set("closed_by", Safe::login(&entry.actor));
    change.put_session(&session, Some(folder), State::Closed)?;
    change.audit(entry);
    Ok(())
}

/// The outcome of closing a session.
#[derive(Clone, Debug)]
pub struct Closed {
    /// The session.
    pub id: SessionId,
    /// Since when it is closed.
    pub at: Timestamp,
    /// Whether it was closed before.
    pub already: bool,
}

/// Closes a session by hand. One that is closed already stays as it is.
///
/// # Errors
/// When it is not found, belongs to another agent than the one that asks, or the tree can't be written.
pub fn close(ctx: &Context, given: &str, agent: Option<&AgentId>) -> Result<Closed> {
    let id = resolve::session(ctx, given)?;
    let mut operation = Operation::new("session.close").on(&id);
    operation.agent = agent.cloned();
    ctx.audited(&operation, || {
        let tree = ctx.lock()?;
        let SessionFile { session, folder } = found(ctx, &id)?;
        if let Some(agent) = agent {
            owned_by(agent, &id, session.agent())?;
        }
        if let Some(at) = session.closed_at(ctx.now()) {
            return Ok(Closed { id: id.clone(), at, already: true });
        }
        let mut change = Change::new();
        close_now(ctx, session, folder, &operation, &mut change)?;
        tree.commit(change)?;
        Ok(Closed { id: id.clone(), at: ctx.now(), already: false })
    })
}

/// Which sessions to list.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    /// Only this agent's.
    pub agent: Option<AgentId>,
    /// Only in these states; empty: in any.
    pub states: Vec<State>,
    /// Only those about a project whose name holds this, whatever the case.
    pub project: Option<String>,
    /// Only with an interaction at or after this.
    pub since: Option<Timestamp>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// How many headers a list keeps: of those that come after them it knows the order, and reads them again.
const KEPT_MAX: usize = 10_000;

/// A list of sessions, the newest interaction first.
#[derive(Debug)]
pub struct Listed {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    last_active: Option<Timestamp>,
    id: SessionId,
    folder: State,
    header: Option<Box<Header>>,
}

impl Listed {
    /// Their headers, in order. One that is gone since is left out.
    pub fn headers(self, ctx: &Context) -> impl Iterator<Item = Header> + '_ {
        let mut buffer = Vec::new();
        self.rows.into_iter().filter_map(move |row| match row.header {
            Some(header) => Some(*header),
            None => ctx.store.session_header(&row.id, row.folder, &mut buffer).ok().flatten(),
        })
    }
}

/// The sessions asked for, and the files that could not be read.
///
/// # Errors
/// When the tree can't be listed.
pub fn list(ctx: &Context, query: &ListQuery) -> Result<(Listed, Vec<Skipped>)> {
    let now = ctx.now();
    let wanted = |id: &SessionId, _| query.agent.as_ref().is_none_or(|agent| agent.short() == id.agent());
    let project = query.project.as_deref().map(str::to_lowercase);
    let mut rows: Vec<Row> = Vec::new();
    let skipped = ctx.store.each_session_header(wanted, |header, folder| {
        let is_asked_for = (query.states.is_empty() || query.states.contains(&header.state(now)))
            && project.as_ref().is_none_or(|project| {
                header.projects.iter().any(|name| name.as_str().to_lowercase().contains(project))
            })
            && query.since.is_none_or(|since| header.last_active >= Some(since));
        if is_asked_for {
            let (last_active, id) = (header.last_active, header.id.clone());
            let header = (rows.len() < KEPT_MAX).then(|| Box::new(header));
            rows.push(Row { last_active, id, folder, header });
        }
    })?;
    // One that moved meanwhile is there twice: where it went comes after where it was.
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows.reverse();
    rows.dedup_by(|later, kept| later.id == kept.id);
    rows.sort_unstable_by(|a, b| b.last_active.cmp(&a.last_active).then_with(|| a.id.cmp(&b.id)));
    rows.truncate(query.limit.unwrap_or(usize::MAX));
    Ok((Listed { rows }, skipped))
}

/// A session, whole.
///
/// # Errors
/// When it is not found, or can't be read.
pub fn show(ctx: &Context, given: &str) -> Result<SessionFile> {
    found(ctx, &resolve::session(ctx, given)?)
}

/// The session named, else the agent's open one.
pub(super) fn named_or_open(ctx: &Context, given: Option<&str>, agent: Option<&AgentId>) -> Result<SessionFile> {
    match (given, agent) {
        (Some(given), _) => show(ctx, given),
        (None, Some(agent)) => {
            let id = ctx.store.open_session(agent, ctx.now())?;
            found(ctx, &id.ok_or_else(|| NotFound::OpenSession { agent: agent.to_string() })?)
        }
        (None, None) => Err(Error::NoAgent),
    }
}

fn found(ctx: &Context, id: &SessionId) -> Result<SessionFile> {
    ctx.store.session(id)?.ok_or_else(|| NotFound::Id { noun: "session", given: id.to_string(), nearest: None }.into())
}

/// The retrieval of a question that was asked a moment ago.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The session.
    pub session: SessionId,
    /// The turn.
    pub turn: Option<u64>,
    /// When it was.
    pub at: Timestamp,
    /// The retrieval's metadata, as stored.
    pub retrieval: Map<String, Value>,
}

/// The retrieval of the same question, asked less than five minutes ago in the session.
///
/// # Errors
/// [`NotFound::Retrieval`] when there is none.
pub fn lookup(ctx: &Context, question: &str, given: Option<&str>, agent: Option<&AgentId>) -> Result<Lookup> {
    let SessionFile { session, .. } = named_or_open(ctx, given, agent)?;
    // All of them are questions here, so that the mark at the end says nothing.
    let fold = |question: &str| fold(question.trim_end_matches(['?', ' ']));
    let wanted = fold(ctx.masker().mask(question).text.as_str());
    let now = ctx.now();
    let hit = session.turns().rev().find_map(|turn| {
        let at = turn.time()?;
        let age = now.since(at);
        let retrieval = turn.retrieval()?;
        let query = retrieval.get("query").and_then(Value::as_str);
        let same = query.into_iter().chain(turn.asked()).any(|asked| fold(asked) == wanted);
        (same && age < LOOKUP_WITHIN && age > -LOOKUP_WITHIN).then(|| Lookup {
            session: session.id.clone(),
            turn: turn.number(),
            at,
            retrieval: retrieval.clone(),
        })
    });
    hit.ok_or_else(|| NotFound::Retrieval.into())
}

/// Refuses an agent the session of another.
pub(in crate::app) fn owned_by(agent: &AgentId, session: &SessionId, owner: &str) -> Result<()> {
    if AgentId::parse(owner).as_ref() == Ok(agent) {
        return Ok(());
    }
    Err(Refusal::OtherAgentsSession { session: session.clone(), owner: owner.to_owned() }.into())
}
