//! `session append`

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use crate::app::sessions::{self, AppendRequest};
use crate::app::{Error, Refusal};
use crate::cli::args::AgentArg;
use crate::cli::commands::Outcome;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::append::UserInputPolicy;
use crate::domain::json::parse_strict;
use crate::store::read_input;

/// The largest input, in bytes: enough to say of an over-long field by how much it is too long.
const INPUT_MAX: u64 = 64 << 20;

/// Arguments of `session append`.
#[derive(Debug, Args)]
pub struct AppendArgs {
    /// Who appends
    #[command(flatten)]
    pub agent: AgentArg,
    /// The session; else the agent's newest open one, else a new one
    #[arg(long, value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub session: Option<String>,
    /// Close the open session and append to a new one
    #[arg(long)]
    pub new: bool,
    /// Read the turn from a file instead of standard input
    #[arg(long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub file: PathBuf,
    /// Close an open task: its text, a unique part of it, or its number
    #[arg(long, value_name = "TEXT|N")]
    pub complete_task: Vec<String>,
}

/// Appends a turn.
pub(super) fn run(args: AppendArgs, session: &mut Session) -> Outcome {
    let input = match read_input(&args.file, INPUT_MAX).map_err(Failure::from) {
        Ok(bytes) => parse_strict(&bytes).map_err(|error| Failure::from(Error::Refused(Refusal::Json(error)))),
        // One that is too large is a refusal, and audited as such.
        Err(failure) if failure.exit == Exit::Refused => Err(failure),
        Err(failure) => return Err(failure),
    };
    let policy = session.load().map_or(UserInputPolicy::Summary, |loaded| loaded.config.store_user_input);
    let for_evidence = input.as_ref().ok().cloned();
    let appended = append(args, input, session);
    match appended {
        Ok(appended) => {
            report::session::appended(&appended, &mut session.ui);
            Ok(if appended.reviews_refused > 0 { Exit::Partly } else { Exit::Done })
        }
        Err(failure) => Err(without_memory(failure, for_evidence, policy, session)),
    }
}

fn append(
    args: AppendArgs,
    input: Result<Value, Failure>,
    session: &mut Session,
) -> Result<sessions::Appended, Failure> {
    let ctx = session.context()?;
    let agent = super::acting(&ctx, session, "session.append", args.agent.agent)?;
    let input = match input {
        Ok(input) => input,
        Err(failure) => {
            sessions::refuse_input(&ctx, &agent);
            return Err(failure);
        }
    };
    let request = AppendRequest { agent, session: args.session, new: args.new, input, complete: args.complete_task };
    Ok(sessions::append(&ctx, &request)?)
}

/// Where the memory could not be written, the agent still gets its two closing lines.
fn without_memory(
    mut failure: Failure,
    input: Option<Value>,
    policy: UserInputPolicy,
    session: &mut Session,
) -> Failure {
    let memory_failed = matches!(failure.exit, Exit::Failed | Exit::NoStore | Exit::Locked | Exit::Integrity);
    if let (true, Some(input)) = (memory_failed, input) {
        failure.evidence = sessions::evidence_without_memory(policy, input);
        if !session.ui.json() {
            failure.evidence.iter().for_each(|line| session.ui.line(line));
        }
    }
    failure
}
