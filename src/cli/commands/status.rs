//! `status`

use clap::Args;

use super::Outcome;
use crate::app::status;
use crate::cli::{Exit, Session, report};

/// Arguments of `status`.
#[derive(Debug, Args)]
pub struct StatusArgs {}

/// Shows what needs somebody: exit 4 where something does.
pub(super) fn run(_: &StatusArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let status = status::status(&ctx)?;
    report::status::status(&status, &ctx, &mut session.ui);
    Ok(if status.needs_action() { Exit::Refused } else { Exit::Done })
}
