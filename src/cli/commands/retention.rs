//! `retention …`

use std::time::Duration;

use clap::{Args, Subcommand};

use super::Outcome;
use crate::app::Context;
use crate::app::retention::{self, Event, Report, RunRequest};
use crate::cli::progress::Progress;
use crate::cli::{Exit, Failure, Session, report};

/// What is kept how long.
#[derive(Debug, Subcommand)]
pub enum RetentionCommand {
    /// Do what is due; silent where all goes well, for cron
    ///
    /// Sessions are moved on, compressed and deleted, fields of turns removed, reviews expired and deleted, all by the
    /// times in the files. A file that can't be read, or does not tell what is due, is named and left alone: exit 3, with
    /// all else done. Nothing is deleted by a clock that the tree contradicts.
    Run(RunArgs),
    /// Show what is due, and change nothing
    Plan,
    /// Print the rules in force
    Policy,
}

/// Arguments of `retention run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Show what is due, and change nothing: the same as plan
    #[arg(long)]
    pub dry_run: bool,
    /// The clock is right, although it contradicts the tree
    #[arg(long)]
    pub accept_clock: bool,
}

/// Runs a retention command.
pub(super) fn run(command: &RetentionCommand, session: &mut Session) -> Outcome {
    match command {
        RetentionCommand::Run(args) if !args.dry_run => do_due(args, session),
        RetentionCommand::Run(_) | RetentionCommand::Plan => plan(session),
        RetentionCommand::Policy => {
            let rules = session.context()?.config.retention().rules();
            report::retention::policy(&rules, &mut session.ui);
            Ok(Exit::Done)
        }
    }
}

fn plan(session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let told = watched(session, &ctx, "planning", |see| retention::plan(&ctx, see))?;
    report::retention::planned(&told, &mut session.ui);
    Ok(exit(&told))
}

fn do_due(args: &RunArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    // Another run is not waited for unless that is asked; other writers are, as by everybody.
    let wait = session.global.wait.map_or(Duration::ZERO, |wait| Duration::from_secs(wait.seconds()));
    let request = RunRequest { accept_clock: args.accept_clock, wait };
    let told = watched(session, &ctx, "retention", |see| retention::run(&ctx, request, see))?;
    let is_watched = session.env.stdout_tty && !session.global.quiet;
    report::retention::done(&told, is_watched, &mut session.ui);
    Ok(exit(&told))
}

const fn exit(report: &Report) -> Exit {
    if report.skipped.count > 0 { Exit::Partly } else { Exit::Done }
}

/// Does something that goes through the tree: with a bar on a terminal, and as JSON with each action as it comes.
fn watched<'a>(
    session: &mut Session,
    ctx: &Context,
    what: &'static str,
    work: impl FnOnce(&mut dyn FnMut(Event<'_>)) -> crate::app::Result<Report> + 'a,
) -> Result<Report, Failure> {
    let mut progress = Progress::new(what, session);
    let of = if progress.is_wanted() { retention::entries(ctx)? } else { 0 };
    let mut looked = 0;
    let mut actions = report::retention::Actions::default();
    let ui = &mut session.ui;
    let outcome = work(&mut |event| match event {
        Event::Looked => {
            looked += 1;
            progress.step(looked, of);
        }
        Event::Action(action, target, reason) => actions.add(action, target, reason, ui),
    });
    drop(progress);
    // What was told until an error came was done: the answer is ended as it should be.
    actions.finish(outcome.as_ref().ok(), what == "planning", ui);
    Ok(outcome?)
}
