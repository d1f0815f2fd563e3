//! `review remind | stats`

use clap::Args;

use crate::app::reviews::{self, StatsQuery};
use crate::cli::commands::Outcome;
use crate::cli::{Exit, Session, report};
use crate::domain::span::Span;

/// Arguments of `review remind`.
#[derive(Debug, Args)]
pub struct RemindArgs {}

/// Says what waits for people; nothing where nothing does.
pub(super) fn remind(_: &RemindArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let reminder = reviews::remind(&ctx)?;
    report::review::reminder(&reminder, &ctx, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `review stats`.
#[derive(Debug, Args)]
pub struct StatsArgs {
    /// Exit 4 when more than N pending reviews are older than --older-than
    #[arg(long, value_name = "N", requires = "older_than")]
    pub fail_over: Option<u64>,
    /// Count pending reviews that are at least so old, such as 7d
    #[arg(long, value_name = "SPAN")]
    pub older_than: Option<Span>,
}

/// Shows how the queue is doing.
pub(super) fn stats(args: &StatsArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let query = StatsQuery { older_than: args.older_than.map(Span::signed_seconds) };
    let stats = reviews::stats(&ctx, query)?;
    report::review::stats(&stats, args.older_than, &mut session.ui);
    let over = args.fail_over.is_some_and(|most| stats.older > most);
    Ok(if over { Exit::Refused } else { Exit::Done })
}
