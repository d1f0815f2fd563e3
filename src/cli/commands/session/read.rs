//! `session show | list | lookup | context | export`

use clap::{Args, ValueEnum};

use crate::app::sessions::{self, ListQuery, Pack};
use crate::cli::args::{AgentArg, OnlyAgent, Since, since};
use crate::cli::commands::Outcome;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::session::State;

/// Arguments of `session show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The session, or any unique part of its id
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub id: String,
}

/// Shows a session.
pub(super) fn show(args: &ShowArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let found = sessions::show(&ctx, &args.id)?;
    report::session::show(&found.session, &ctx, &mut session.ui);
    Ok(Exit::Done)
}

/// A state on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum StateArg {
    /// Last interaction less than 30 minutes ago
    Active,
    /// Last interaction 30 to 120 minutes ago
    Idle,
    /// Closed by time or by hand
    Closed,
    /// Closed 7 days ago or longer
    Archived,
}

impl From<StateArg> for State {
    fn from(state: StateArg) -> Self {
        match state {
            StateArg::Active => Self::Active,
            StateArg::Idle => Self::Idle,
            StateArg::Closed => Self::Closed,
            StateArg::Archived => Self::Archived,
        }
    }
}

/// Arguments of `session list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only this agent's
    #[command(flatten)]
    pub agent: OnlyAgent,
    /// Only in these states
    #[arg(long, value_name = "STATE", value_enum, value_delimiter = ',')]
    pub state: Vec<StateArg>,
    /// Only about a project whose name holds this
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// Only with an interaction since: a span such as 7d, a date, or RFC 3339
    #[arg(long, value_name = "WHEN", value_parser = since)]
    pub since: Option<Since>,
    /// List at most N
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// Lists sessions.
pub(super) fn list(args: ListArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let query = ListQuery {
        agent: args.agent.agent,
        states: args.state.into_iter().map(State::from).collect(),
        project: args.project,
        since: args.since.map(|since| since.resolve(ctx.now())),
        limit: args.limit,
    };
    let (listed, skipped) = sessions::list(&ctx, &query)?;
    report::session::list(listed, &skipped, &ctx, &mut session.ui);
    Ok(if skipped.is_empty() { Exit::Done } else { Exit::Partly })
}

/// Arguments of `session lookup`.
#[derive(Debug, Args)]
pub struct LookupArgs {
    /// The question, in the words it was asked in; upper and lower case are the same
    #[arg(long, value_name = "TEXT")]
    pub query: String,
    /// The session; else the agent's open one
    #[arg(long, value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub session: Option<String>,
    /// Whose session
    #[command(flatten)]
    pub agent: AgentArg,
}

/// Finds a retrieval that can be used again.
pub(super) fn lookup(args: LookupArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let agent = if args.session.is_some() { None } else { Some(session.agent(&ctx, args.agent.agent)?) };
    let hit = sessions::lookup(&ctx, &args.query, args.session.as_deref(), agent.as_ref())?;
    report::session::lookup(&hit, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `session context`.
#[derive(Debug, Args)]
pub struct ContextArgs {
    /// The session; else the agent's open one
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub id: Option<String>,
    /// Whose session
    #[command(flatten)]
    pub agent: AgentArg,
    /// Never print more characters than this
    #[arg(long, value_name = "N", default_value_t = 4000)]
    pub max_chars: usize,
}

/// Prints what the agent may load.
pub(super) fn context(args: ContextArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let agent = if args.id.is_some() { None } else { Some(session.agent(&ctx, args.agent.agent)?) };
    let json = session.ui.json();
    let render = |pack: &Pack| report::session::context(pack, json);
    let Some(pack) = sessions::context(&ctx, args.id.as_deref(), agent.as_ref(), args.max_chars, render)? else {
        let failure = format!("--max-chars {} has no room for any context", args.max_chars);
        return Err(
            Failure::new(Exit::Refused, "too_small", failure).hint("--max-chars 500 is the least that makes sense")
        );
    };
    session.ui.text(&render(&pack));
    Ok(Exit::Done)
}

/// How a session is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// The file's fields
    #[default]
    Json,
    /// A page to read
    Markdown,
}

/// Arguments of `session export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The session, or any unique part of its id
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub id: String,
    /// The form of the page
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: ExportFormat,
}

/// Prints a session whole.
pub(super) fn export(args: &ExportArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let found = sessions::show(&ctx, &args.id)?;
    match args.format {
        ExportFormat::Json => report::session::show_json(&found.session, &ctx, &mut session.ui),
        ExportFormat::Markdown => session.ui.text(&report::session::markdown(&found.session, &ctx)),
    }
    Ok(Exit::Done)
}
