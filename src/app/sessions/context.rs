//! What an agent may load for its next answer: never more than it asks for, and never as verified.

use std::collections::HashSet;

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
    let whole = Pack::of(&session, session.state(ctx.now()));
    let fits = |left_out: usize| render(&whole.without(left_out)).chars().count() <= max_chars;
    // The more is left out the shorter it gets, so the least that has to go is found by halving.
    let (mut too_few, mut enough) = (0, whole.entries());
    if fits(0) {
        return Ok(Some(whole));
    }
    if !fits(enough) {
        return Ok(None);
    }
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if fits(middle) { enough = middle } else { too_few = middle }
    }
    Ok(Some(whole.without(enough)))
}

impl Pack {
    fn of(session: &Session, status: State) -> Self {
        let list = |name| session.accumulated(name).map(str::to_owned).collect::<Vec<_>>();
        let mut facts: Vec<Fact> = Vec::new();
        let mut seen = HashSet::new();
        for (fact, status) in session.turns().flat_map(crate::domain::session::Turn::facts) {
            if status != "rejected" && seen.insert(fact) {
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

    /// How many entries there are.
    fn entries(&self) -> usize {
        self.turns.len() + self.facts.len() + self.decisions.len() + self.active_projects.len() + self.open_tasks.len()
    }

    /// The same without the `count` entries that are missed least. The last turn is worth more than old facts: it says what
    /// "it" means.
    fn without(&self, count: usize) -> Self {
        let mut pack = self.clone();
        let mut left = count;
        let last_turn = usize::from(!pack.turns.is_empty());
        let old_turns = pack.turns.len() - last_turn;
        drop_first(&mut pack.turns, old_turns, &mut left);
        drop_first(&mut pack.facts, usize::MAX, &mut left);
        drop_first(&mut pack.decisions, usize::MAX, &mut left);
        drop_first(&mut pack.turns, last_turn, &mut left);
        drop_first(&mut pack.active_projects, usize::MAX, &mut left);
        drop_first(&mut pack.open_tasks, usize::MAX, &mut left);
        pack.left_out = count - left;
        pack
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

/// Drops up to `left` entries from the front, at most `most`, and counts them off.
fn drop_first<T>(list: &mut Vec<T>, most: usize, left: &mut usize) {
    let count = (*left).min(most).min(list.len());
    list.drain(..count);
    *left -= count;
}
