//! `migrate plan | run | verify | undo | list`

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::Outcome;
use crate::app::migrate::{self, Source};
use crate::app::{Error, Operation, Refusal};
use crate::cli::progress::Progress;
use crate::cli::prompt::Prompter as _;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::migration::Action;
use crate::mask::Masked;
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
    /// entries were refused, each with its reason; the rest is kept. `migrate undo` takes a run back.
    Run(Sources),
    /// Read the sources of a run again, and show that every entry is accounted for
    ///
    /// Exit status 6: a source is another file now, or a block does not say what stands there.
    Verify(VerifyArgs),
    /// Take a run back: the blocks it made go, those it closed hold again (operators only)
    ///
    /// Blocks that somebody has confirmed, decided on or changed since stay.
    Undo(UndoArgs),
    /// List the runs
    List,
}

/// What to take over.
#[derive(Debug, Args)]
pub struct Sources {
    /// The files; they are read only, and their form is told from what is in them
    ///
    /// memory: lines or YAML documents, JSON, JSON lines, CSV, variables, entries between lines that hold only a section
    /// sign, notes in Markdown (with `[kind]` and relations, or named for a day), knowledge graphs, memory lists, agent
    /// files. Times without a zone are taken for UTC.
    #[arg(value_name = "FILE", required = true, value_hint = clap::ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
}

/// Arguments of `migrate verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The run: its id, a part of it, or `latest`
    #[arg(value_name = "RUN", add = clap_complete::ArgValueCompleter::new(complete::runs))]
    pub run: String,
    /// Where its sources lie now, in the order of the run [default: where they lay]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub source: Vec<PathBuf>,
}

/// Arguments of `migrate undo`.
#[derive(Debug, Args)]
pub struct UndoArgs {
    /// The run: its id, a part of it, or `latest`
    #[arg(value_name = "RUN", add = clap_complete::ArgValueCompleter::new(complete::runs))]
    pub run: String,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

/// Runs a migration command.
pub(super) fn run(command: &MigrateCommand, session: &mut Session) -> Outcome {
    match command {
        MigrateCommand::Plan(args) => {
            let ctx = session.context()?;
            let sources = sources(args)?;
            let mut seen = report::migrate::Seen::new(&session.ui);
            let mut steps = Steps::new("plan", &sources, session);
            let plan = migrate::plan(&ctx, &sources, |entry| {
                steps.step();
                seen.see(entry);
            })?;
            drop(steps);
            report::migrate::planned(&plan, &seen, &mut session.ui);
            Ok(Exit::Done)
        }
        MigrateCommand::Run(args) => {
            let ctx = session.context()?;
            let sources = sources(args)?;
            let mut seen = report::migrate::Seen::new(&session.ui);
            let mut steps = Steps::new("migrate", &sources, session);
            let start = std::time::Instant::now();
            let done = migrate::run(&ctx, &sources, |entry| {
                steps.step();
                seen.see(entry);
            })?;
            drop(steps);
            report::migrate::done(&done, &seen, start.elapsed(), &mut session.ui);
            Ok(if done.count(Action::Refuse) > 0 { Exit::Partly } else { Exit::Done })
        }
        MigrateCommand::Verify(args) => verify(args, session),
        MigrateCommand::Undo(args) => undo(args, session),
        MigrateCommand::List => {
            let ctx = session.context()?;
            report::migrate::listed(&migrate::list(&ctx)?, ctx.now(), &mut session.ui);
            Ok(Exit::Done)
        }
    }
}

fn verify(args: &VerifyArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let run = migrate::resolve(&ctx, &args.run)?;
    let find = |nth: usize, path: &Masked| {
        let path = args.source.get(nth).map_or_else(|| Path::new(path.as_str()), PathBuf::as_path);
        source(path).ok()
    };
    let checked = migrate::verify(&ctx, run, find)?;
    report::migrate::verified(&checked, &mut session.ui);
    Ok(if checked.faults.is_empty() { Exit::Done } else { Exit::Integrity })
}

fn undo(args: &UndoArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    ctx.audited(&Operation::new("migrate.undo"), || migrate::may_undo(&ctx))?;
    let run = migrate::resolve(&ctx, &args.run)?;
    if !args.yes && run.undone.is_none() {
        if !session.can_ask() {
            let command = format!("hermes-mem migrate undo {} --yes", run.id);
            let refusal = Refusal::NoTerminal { question: "taking a run back asks first".to_owned(), command };
            ctx.record(&Operation::new("migrate.undo"), "refused");
            return Err(Error::Refused(refusal).into());
        }
        let mut prompter = session.prompter();
        let listed = migrate::list(&ctx)?.into_iter().find(|listed| listed.run.id == run.id);
        let made = listed.iter().flat_map(|listed| &listed.counts).find(|(action, _)| *action == Action::Migrate);
        let number = made.map_or(0, |(_, number)| *number);
        if !prompter.confirm(&format!("Take {} back, with the {number} blocks it made?", run.id))? {
            return Err(Failure::new(Exit::Refused, "declined", "nothing was taken back"));
        }
    }
    let taken = migrate::undo(&ctx, run.id.as_str())?;
    report::migrate::undone(&taken, &mut session.ui);
    Ok(Exit::Done)
}

fn sources(args: &Sources) -> Result<Vec<Source>, Failure> {
    args.files.iter().map(|file| source(file)).collect()
}

fn source(file: &Path) -> Result<Source, Failure> {
    let bytes = read_input(file, SOURCE_MAX).map_err(Error::from)?;
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    Ok(Source { name: file.display().to_string(), path: path.display().to_string(), bytes })
}

/// How far the entries have come. How many there are is not known before: at most one a line in most forms.
struct Steps {
    progress: Progress,
    done: usize,
    of: usize,
}

impl Steps {
    fn new(what: &'static str, sources: &[Source], session: &Session) -> Self {
        let progress = Progress::new(what, session);
        let lines = |source: &Source| source.bytes.split(|byte| *byte == b'\n').count();
        let of = if progress.is_wanted() { sources.iter().map(lines).sum() } else { 0 };
        Self { progress, done: 0, of }
    }

    fn step(&mut self) {
        self.done += 1;
        self.progress.step(self.done, self.of.max(self.done));
    }
}
