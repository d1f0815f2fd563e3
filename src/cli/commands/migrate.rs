//! `migrate plan | run`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Outcome;
use crate::app::Error;
use crate::app::migrate::{self, Action, Source};
use crate::cli::{Exit, Failure, Session, report};
use crate::store::read_input;

/// The largest source, in bytes.
const SOURCE_MAX: u64 = 1 << 30;

/// Taking over what other programs kept.
#[derive(Debug, Subcommand)]
pub enum MigrateCommand {
    /// Show what each entry would become, and why; reads only
    Plan(Sources),
    /// Keep the entries as blocks, each file in one transaction (operators only)
    ///
    /// Entries that are there already are left as they are, so that a second run changes nothing. Exit status 3: some
    /// entries were refused, each with its reason; the rest is kept.
    Run(Sources),
}

/// What to take over.
#[derive(Debug, Args)]
pub struct Sources {
    /// The files; they are read only, and their form is told from what is in them
    ///
    /// memory: lines or YAML documents, JSON, JSON lines, CSV, variables, entries between lines that hold only a section
    /// sign, notes in Markdown (with [kind] and relations, or named for a day), knowledge graphs, memory lists, agent
    /// files. Times without a zone are taken for UTC.
    #[arg(value_name = "FILE", required = true, value_hint = clap::ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
}

/// Runs a migration command.
pub(super) fn run(command: &MigrateCommand, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    match command {
        MigrateCommand::Plan(args) => {
            let plan = migrate::plan(&ctx, &sources(args)?)?;
            report::migrate::planned(&plan, &mut session.ui);
            Ok(Exit::Done)
        }
        MigrateCommand::Run(args) => {
            let done = migrate::run(&ctx, &sources(args)?)?;
            report::migrate::done(&done, &mut session.ui);
            let is_partly = done.entries.iter().any(|entry| entry.action == Action::Refuse);
            Ok(if is_partly { Exit::Partly } else { Exit::Done })
        }
    }
}

fn sources(args: &Sources) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for file in &args.files {
        let bytes = read_input(file, SOURCE_MAX).map_err(Error::from)?;
        sources.push(Source { name: file.display().to_string(), bytes });
    }
    Ok(sources)
}
