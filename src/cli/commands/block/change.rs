//! `block confirm | propose | forget`

use clap::Args;

use crate::app::blocks;
use crate::cli::args::{AgentArg, ReviewerArg};
use crate::cli::commands::Outcome;
use crate::cli::commands::review::allowed;
use crate::cli::prompt::Prompter as _;
use crate::cli::{Exit, Failure, Session, complete, report};

/// Arguments of `block confirm`.
#[derive(Debug, Args)]
pub struct ConfirmArgs {
    /// The block: its id, a unique part of it, or its key
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::blocks))]
    pub id: String,
    /// Who confirms it
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

/// Confirms a block.
pub(super) fn confirm(args: &ConfirmArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let confirmed = blocks::confirm(&ctx, &args.id, args.reviewer.reviewer.as_deref())?;
    report::block::confirmed(&confirmed, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `block propose`.
#[derive(Debug, Args)]
pub struct ProposeArgs {
    /// The block: its id, a unique part of it, or its key
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::blocks))]
    pub id: String,
    /// Who proposes it
    #[command(flatten)]
    pub agent: AgentArg,
}

/// Files a review for a block.
pub(super) fn propose(args: ProposeArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let agent = session.agent_if_any(&ctx, "block.propose", args.agent.agent)?;
    let proposed = blocks::propose(&ctx, &args.id, agent.as_ref())?;
    report::block::proposed(&proposed, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `block forget`.
#[derive(Debug, Args)]
pub struct ForgetArgs {
    /// The blocks: ids, unique parts of them, or keys
    #[arg(value_name = "ID", required = true, add = clap_complete::ArgValueCompleter::new(complete::blocks))]
    pub ids: Vec<String>,
    /// Show what would go, and leave it
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask, where there is a terminal to ask on
    #[arg(long)]
    pub yes: bool,
    /// Who removes it
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

/// Removes blocks for good.
pub(super) fn forget(args: &ForgetArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    if args.dry_run {
        let found = blocks::forgettable(&ctx, &args.ids)?;
        report::block::would_forget(&found, &ctx, &mut session.ui);
        return Ok(Exit::Done);
    }
    let reviewer = allowed(&ctx, "block.forget", &args.reviewer)?;
    // Who names an id in a script knows what it is; at a terminal it is shown first.
    if !args.yes && session.can_ask() {
        let found = blocks::forgettable(&ctx, &args.ids)?;
        let mut prompter = session.prompter();
        prompter.say(&report::block::to_forget(&found, &ctx, *session.ui.err_screen()))?;
        if !prompter.confirm("Remove that for good?")? {
            return Err(Failure::new(Exit::Refused, "declined", "nothing was removed"));
        }
    }
    let forgotten = blocks::forget(&ctx, &args.ids, Some(&reviewer))?;
    report::block::forgotten(&forgotten, &mut session.ui);
    Ok(Exit::Done)
}
