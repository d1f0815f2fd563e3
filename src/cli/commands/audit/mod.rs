//! `audit …`

use clap::{Args, Subcommand};

use super::Outcome;
use crate::app::audit::{self, AuditQuery};
use crate::cli::args::{Since, since};
use crate::cli::{Exit, Session, report};

/// Reading and checking the audit log.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Show entries, oldest first
    Show(ShowArgs),
    /// Check the chain: which line was edited, removed, inserted or cut off
    Verify(VerifyArgs),
    /// Print the last entry's hash, to be kept elsewhere
    Head,
}

/// Arguments of `audit show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Only since: a span such as 7d, a date, or RFC 3339
    #[arg(long, value_name = "WHEN", value_parser = since)]
    pub since: Option<Since>,
    /// Only of this actor
    #[arg(long, value_name = "NAME")]
    pub actor: Option<String>,
    /// Only this operation, or a group of them (review, review.approve)
    #[arg(long, value_name = "OP")]
    pub op: Option<String>,
    /// Only on targets that hold this
    #[arg(long, value_name = "ID")]
    pub target: Option<String>,
    /// Only the last N
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// Arguments of `audit verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A hash that `audit head` printed before and that was kept elsewhere
    #[arg(long, value_name = "HASH")]
    pub expect: Option<String>,
}

/// Runs an audit command.
pub(super) fn run(command: AuditCommand, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    match command {
        AuditCommand::Show(args) => {
            let query = AuditQuery {
                since: args.since.map(|since| since.resolve(ctx.now())),
                actor: args.actor,
                op: args.op,
                target: args.target,
                limit: args.limit,
            };
            let entries = audit::show(&ctx, &query)?;
            report::audit::entries(&entries, &mut session.ui);
            Ok(Exit::Done)
        }
        AuditCommand::Verify(args) => {
            let verified = audit::verify(&ctx, args.expect.as_deref())?;
            report::audit::verified(&verified, &mut session.ui);
            Ok(if verified.faults.is_empty() { Exit::Done } else { Exit::Integrity })
        }
        AuditCommand::Head => {
            let head = audit::head(&ctx)?;
            report::audit::head(&head, &mut session.ui);
            Ok(Exit::Done)
        }
    }
}
