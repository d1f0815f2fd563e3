//! `migrate plan | run | verify | undo | list`

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::Outcome;
use crate::app::migrate::{self, Kind, Reading, Source};
use crate::app::{Error, Operation, Refusal};
use crate::cli::progress::Progress;
use crate::cli::prompt::Prompter as _;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::migration::Action;
use crate::domain::zone::Zone;
use crate::mask::Masked;

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
    /// Files and folders; they are read only, and their form is told from what is in them
    ///
    /// memory: lines or YAML documents, JSON, JSON lines, CSV, variables, SQLite tables, entries between lines that hold
    /// only a section sign, notes in Markdown (with `[kind]` and relations, or named for a day), knowledge graphs, memory
    /// lists and their zip archives, agent files; the home of a Hermes Agent with its profiles, an OpenClaw workspace, a
    /// folder of notes. Hidden files and links are left out.
    #[arg(value_name = "SOURCE", required = true, value_hint = clap::ValueHint::AnyPath)]
    pub sources: Vec<PathBuf>,
    /// Whose memories they are, where that can't be told from the content
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(Kind::ALL.map(Kind::word)))]
    pub from: Option<String>,
    /// The zone of times that name none: a name such as Europe/Berlin, an offset such as +02:00, UTC or local
    #[arg(long, value_name = "ZONE", default_value = "local")]
    pub assume_tz: Zone,
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
            let sources = args.open()?;
            let mut seen = report::migrate::Seen::new(&session.ui);
            let mut steps = Steps::new("plan", &sources, session);
            let plan = migrate::plan(&ctx, &sources, &args.reading(), |entry| {
                steps.step();
                seen.see(entry);
            })?;
            drop(steps);
            report::migrate::planned(&plan, &seen, &mut session.ui);
            Ok(Exit::Done)
        }
        MigrateCommand::Run(args) => {
            let ctx = session.context()?;
            let sources = args.open()?;
            let mut seen = report::migrate::Seen::new(&session.ui);
            let mut steps = Steps::new("migrate", &sources, session);
            let start = std::time::Instant::now();
            let done = migrate::run(&ctx, &sources, &args.reading(), |entry| {
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
    let find = |nth: usize, path: &Masked, reading: &Reading| {
        let path = args.source.get(nth).map_or_else(|| Path::new(path.as_str()), PathBuf::as_path);
        Source::open(path, reading.from).ok()
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

impl Sources {
    fn reading(&self) -> Reading {
        Reading { from: self.from.as_deref().and_then(|word| word.parse().ok()), zone: self.assume_tz }
    }

    fn open(&self) -> Result<Vec<Source>, Failure> {
        let from = self.reading().from;
        self.sources.iter().map(|path| Ok(Source::open(path, from)?)).collect()
    }
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
        let of = if progress.is_wanted() { sources.iter().map(Source::lines).sum() } else { 0 };
        Self { progress, done: 0, of }
    }

    fn step(&mut self) {
        self.done += 1;
        self.progress.step(self.done, self.of.max(self.done));
    }
}
