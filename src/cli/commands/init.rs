//! `init`

use std::path::Path;

use clap::Args;

use super::Outcome;
use crate::app::{demo, init, vault};
use crate::cli::{Exit, Session, report};
use crate::store::folder_owner;

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Make a new tree with a small scenario in it to try things on, and a small vault beside it
    #[arg(long, group = "other")]
    pub demo: bool,
    /// Make nothing; print the lines for cron: retention hourly, a backup daily, a reminder weekly
    #[arg(long, group = "other")]
    pub cron: bool,
    /// Make nothing; print the units for systemd: the same, with all rights taken away that they don't need
    #[arg(long, group = "other")]
    pub systemd: bool,
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
    if args.cron || args.systemd {
        let owner = init::service_user(folder_owner(&loaded.root));
        let schedule = report::schedule::Schedule {
            program: session.env.program.as_deref().unwrap_or(Path::new("/usr/local/bin/hermes-mem")),
            root: &loaded.root,
            target: &loaded.config.backup.target,
            user: &owner,
        };
        let text = if args.cron { schedule.cron() } else { schedule.systemd() };
        session.ui.text(&text);
        return Ok(Exit::Done);
    }
    vault::check_outside(&loaded.config, &loaded.root)?;
    let made = init::init(&loaded.root, &loaded.config)?;
    report::init::made(&made, &mut session.ui);
    Ok(Exit::Done)
}
