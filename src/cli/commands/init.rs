//! `init`

use clap::Args;

use super::Outcome;
use crate::app::{demo, init, vault};
use crate::cli::{Exit, Session, report};

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Make a new tree with a small scenario in it to try things on, and a small vault beside it
    #[arg(long)]
    pub demo: bool,
}

/// Makes a tree, or what is missing of one.
pub(super) fn run(args: &InitArgs, session: &mut Session) -> Outcome {
    let loaded = session.load()?;
    if args.demo {
        let clock = session.clock()?;
        let made = demo::make(&loaded.root, clock.now(), session.env.sudo_uid)?;
        report::init::demo(&made, &mut session.ui);
        return Ok(Exit::Done);
    }
    vault::check_outside(&loaded.config, &loaded.root)?;
    let made = init::init(&loaded.root, &loaded.config)?;
    report::init::made(&made, &mut session.ui);
    Ok(Exit::Done)
}
