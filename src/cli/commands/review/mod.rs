//! `review …`

mod batch;
mod create;
mod decide;
mod edit;
mod editor;
mod list;
mod stats;
mod walk;

use clap::Subcommand;

pub(super) use decide::allowed;
pub use list::Format;

use super::Outcome;
use crate::cli::Session;

/// Proposing facts, and deciding about them.
#[derive(Debug, Subcommand)]
pub enum ReviewCommand {
    /// List what waits for a decision: conflicts first, then what expires soonest
    Pending(list::PendingArgs),
    /// List reviews of any status
    List(list::ListArgs),
    /// Show a review with its source turn and what the vault says
    Show(list::ShowArgs),
    /// Approve reviews, with a proof of source
    Approve(decide::ApproveArgs),
    /// Reject reviews, with a reason
    Reject(decide::RejectArgs),
    /// Change a pending review's texts
    Edit(edit::EditArgs),
    /// Mark an approved fact as written into the vault
    Transferred(decide::TransferredArgs),
    /// Take the last decision back
    Undo(decide::UndoArgs),
    /// Go through the queue one by one
    Walk(walk::WalkArgs),
    /// Decide many in an editor, or in a file taken elsewhere
    Batch(batch::BatchArgs),
    /// Say what waits for people; silent where nothing does
    Remind(stats::RemindArgs),
    /// Show how old the queue is and how fast it is decided
    Stats(stats::StatsArgs),
    /// Propose a fact outside of a turn
    Create(create::CreateArgs),
}

/// Runs a review command.
pub(super) fn run(command: ReviewCommand, session: &mut Session) -> Outcome {
    match command {
        ReviewCommand::Pending(args) => list::pending(args, session),
        ReviewCommand::List(args) => list::list(args, session),
        ReviewCommand::Show(args) => list::show(&args, session),
        ReviewCommand::Approve(args) => decide::approve(args, session),
        ReviewCommand::Reject(args) => decide::reject(&args, session),
        ReviewCommand::Edit(args) => edit::run(args, session),
        ReviewCommand::Transferred(args) => decide::transferred(&args, session),
        ReviewCommand::Undo(args) => decide::undo(&args, session),
        ReviewCommand::Walk(args) => walk::run(args, session),
        ReviewCommand::Batch(args) => batch::run(&args, session),
        ReviewCommand::Remind(args) => stats::remind(&args, session),
        ReviewCommand::Stats(args) => stats::stats(&args, session),
        ReviewCommand::Create(args) => create::run(args, session),
    }
}
