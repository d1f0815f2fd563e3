//! `session …`

mod append;
mod read;

use clap::{Args, Subcommand};

use super::Outcome;
use crate::app::{Context, Operation, sessions};
use crate::cli::args::AgentArg;
use crate::cli::complete;
use crate::cli::{Exit, Failure, Session, report};
use crate::domain::agent::AgentId;

/// Writing and reading conversation memory.
#[derive(Debug, Subcommand)]
pub enum SessionCommand {
    /// Close the agent's open session and open another
    New(AgentArg),
    /// Append a turn: one JSON object
    Append(append::AppendArgs),
    /// Show a session with its turns
    Show(read::ShowArgs),
    /// List sessions, the newest interaction first
    List(read::ListArgs),
    /// Close a session by hand
    Close(CloseArgs),
    /// Find the retrieval of the same question, asked less than 5 minutes ago
    Lookup(read::LookupArgs),
    /// Print what the agent may load for its next answer
    Context(read::ContextArgs),
    /// Print a session as JSON or Markdown
    Export(read::ExportArgs),
}

/// Arguments of `session close`.
#[derive(Debug, Args)]
pub struct CloseArgs {
    /// The session, or any unique part of its id
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub id: String,
    /// Close it as this agent
    #[command(flatten)]
    pub agent: AgentArg,
}

/// The agent that acts; that it is another than the user's own is audited.
fn acting(ctx: &Context, session: &Session, op: &'static str, given: Option<AgentId>) -> Result<AgentId, Failure> {
    let named = session.named_agent(given)?;
    Ok(ctx.audited(&Operation::new(op), || ctx.actor().agent(&ctx.config, named))?)
}

/// Runs a session command.
pub(super) fn run(command: SessionCommand, session: &mut Session) -> Outcome {
    match command {
        SessionCommand::New(args) => {
            let ctx = session.context()?;
            let agent = acting(&ctx, session, "session.new", args.agent)?;
            let opened = sessions::new(&ctx, &agent)?;
            report::session::opened(&opened, &mut session.ui);
            Ok(Exit::Done)
        }
        SessionCommand::Append(args) => append::run(args, session),
        SessionCommand::Show(args) => read::show(&args, session),
        SessionCommand::List(args) => read::list(args, session),
        SessionCommand::Close(args) => {
            let ctx = session.context()?;
            let agent = session.agent_if_any(&ctx, "session.close", args.agent.agent)?;
            let closed = sessions::close(&ctx, &args.id, agent.as_ref())?;
            report::session::closed(&closed, &ctx, &mut session.ui);
            Ok(Exit::Done)
        }
        SessionCommand::Lookup(args) => read::lookup(args, session),
        SessionCommand::Context(args) => read::context(args, session),
        SessionCommand::Export(args) => read::export(&args, session),
    }
}
