//! What an agent may load for its next answer: never more than it asks for, and never as verified.

use serde::Serialize;
use serde_json::{Value, json};

use super::manage::named_or_open;
use crate::app::Context;
use crate::app::error::Result;
use crate::domain::agent::AgentId;
use crate::domain::session::{Session, State};
use crate::store::SessionFile;

/// A fact that was said in the session; nobody has verified it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What was said.
    pub fact: String,
    /// `user_stated` or `inferred`.
    pub status: String,
    /// Always `false`: memory holds no canonical facts.
    pub verified: bool,
}

/// A turn in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TurnSummary {
    /// Its number.
    pub turn_id: u64,
    /// What was asked.
    pub asked: String,
    /// What was answered.
    pub answered: String,
}

/// What an agent may load, cut to a size: the oldest turns go first, then the oldest facts, decisions, projects and tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    /// The session.
    pub session_id: String,
    /// Its state.
    pub status: State,
    /// Tasks that are open.
    pub open_tasks: Vec<String>,
    /// Decisions of this session.
    pub decisions: Vec<String>,
    /// Facts that were said, unverified.
    pub facts: Vec<Fact>,
    /// The projects it is about.
    pub active_projects: Vec<String>,
    /// The last turns, oldest first.
    pub turns: Vec<TurnSummary>,
    /// How many entries were left out to keep to the size.
    pub left_out: usize,
}

/// The context of the session named, else of the agent's open one; `None` where even the empty frame is larger than
/// `max_chars`. `render` says how it will be shown, since that is what the size counts.
///
/// # Errors
/// When there is no such session, or it can't be read.
pub fn context(
    ctx: &Context,
    given: Option<&str>,
    agent: Option<&AgentId>,
    max_chars: usize,
    render: impl Fn(&Pack) -> String,
) -> Result<Option<Pack>> {
    let SessionFile { session, .. } = named_or_open(ctx, given, agent)?;
    let mut pack = Pack::of(&session, session.state(ctx.now()));
    while render(&pack).chars().count() > max_chars {
        if !pack.shrink() {
            return Ok(None);
        }
    }
    Ok(Some(pack))
}

impl Pack {
    fn of(session: &Session, status: State) -> Self {
        let list = |name| session.accumulated(name).map(str::to_owned).collect::<Vec<_>>();
        let mut facts: Vec<Fact> = Vec::new();
        for (fact, status) in session.turns().flat_map(crate::domain::session::Turn::facts) {
            if status != "rejected" && !facts.iter().any(|known| known.fact == fact) {
                let status = if status == "verified" { "inferred" } else { status };
                facts.push(Fact { fact: fact.to_owned(), status: status.to_owned(), verified: false });
            }
        }
        let turns = session.turns().filter_map(|turn| {
            let summary = TurnSummary {
                turn_id: turn.number()?,
                asked: turn.asked().unwrap_or_default().to_owned(),
                answered: turn.answered().unwrap_or_default().to_owned(),
            };
            // Of a turn whose content has aged out nothing is left to load.
            (!summary.asked.is_empty() || !summary.answered.is_empty()).then_some(summary)
        });
        Self {
            session_id: session.id.to_string(),
            status,
            open_tasks: list("open_tasks"),
            decisions: list("decisions_this_session"),
            facts,
            active_projects: list("active_projects"),
            turns: turns.collect(),
            left_out: 0,
        }
    }

    /// Leaves out the entry that is missed least. `false` where nothing is left.
    fn shrink(&mut self) -> bool {
        let Self { open_tasks, decisions, facts, active_projects, turns, .. } = self;
        // The last turn is worth more than old facts: it says what "it" means.
        if turns.len() > 1 {
            turns.remove(0);
        } else if !facts.is_empty() {
            facts.remove(0);
        } else if !decisions.is_empty() {
            decisions.remove(0);
        } else if !turns.is_empty() {
            turns.remove(0);
        } else if !active_projects.is_empty() {
            active_projects.remove(0);
        } else if !open_tasks.is_empty() {
            open_tasks.remove(0);
        } else {
            return false;
        }
        self.left_out += 1;
        true
    }

    /// The pack as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "session_id": self.session_id,
            "status": self.status,
            "open_tasks": self.open_tasks,
            "decisions": self.decisions,
            "facts": self.facts,
            "active_projects": self.active_projects,
            "turns": self.turns,
            "left_out": self.left_out,
        })
    }
}
