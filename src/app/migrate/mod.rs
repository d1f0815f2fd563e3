//! Taking over what other programs kept: what each legacy entry would become, doing it, proving it, and taking it back.
//!
//! A plan reads only. A run takes one source after the other, each in one transaction, and notes what became of every entry.

mod classify;
mod planner;
mod runs;
mod sources;

use std::collections::BTreeMap;

pub use crate::legacy::{Kind, Reading};
pub use runs::{Checked, Listed, Taken, list, may_undo, resolve, undo, verify};
pub use sources::Source;

use crate::app::context::count_findings;
use crate::app::error::{Refusal, Result};
use crate::app::{Context, Operation, clock};
use crate::domain::append::Problem;
use crate::domain::block::{BlockId, BlockType, Category};
use crate::domain::migration::{Action, RunId};
use crate::legacy::{self, Entry, Readable, Unread};
use crate::mask::{Finding, Masked};
use crate::store::blocks::{BlockWriter, Noting, Outcome, RunEntry, RunSource};
use crate::store::{Change, Tree};
use planner::{Judged, Planner};

/// What an entry becomes.
#[derive(Clone, Debug)]
pub struct Becomes {
    /// Its type.
    pub block_type: BlockType,
    /// Its category.
    pub category: Category,
    /// Its key.
    pub key: Masked,
    /// Its value.
    pub value: Masked,
    /// Whom or what it concerns.
    pub entities: Vec<Masked>,
    /// How sure the type is.
    pub confidence: f64,
    /// Something in it was masked.
    pub is_masked: bool,
}

/// One entry of a source, and what becomes of it.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The source's path, masked.
    pub source: Masked,
    /// Where it stands in there.
    pub place: Masked,
    /// What becomes of it.
    pub action: Action,
    /// Why: how its type was told, or what stands in the way.
    pub reason: String,
    /// As what; `None` where it is refused.
    pub becomes: Option<Becomes>,
}

/// What became of all entries.
#[derive(Clone, Debug, Default)]
pub struct Migration {
    /// The run; `None` for a plan, and where nothing was new.
    pub run: Option<RunId>,
    /// How many entries there are of each action. They add up to all entries.
    pub counts: BTreeMap<Action, u64>,
    /// How many entries have something in them that is masked.
    pub masked: u64,
    /// What the operator should know of what was kept.
    pub warnings: Vec<String>,
}

/// How many warnings an answer holds.
const WARNINGS_MAX: usize = 1000;

impl Migration {
    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.counts.values().sum()
    }

    /// How many there are of one action.
    pub fn count(&self, action: Action) -> u64 {
        self.counts.get(&action).copied().unwrap_or(0)
    }

    fn add(&mut self, planned: &Planned, warnings: Vec<String>) {
        *self.counts.entry(planned.action).or_insert(0) += 1;
        self.masked += u64::from(planned.becomes.as_ref().is_some_and(|becomes| becomes.is_masked));
        let room = WARNINGS_MAX.saturating_sub(self.warnings.len());
        self.warnings.extend(warnings.into_iter().take(room));
    }
}

/// Tells what would become of each entry, in their order. Nothing is written.
///
/// # Errors
/// When a source has no form that is known, or the blocks can't be read.
pub fn plan(ctx: &Context, sources: &[Source], reading: &Reading, mut see: impl FnMut(Planned)) -> Result<Migration> {
    let mut migration = Migration::default();
    let mut planner = Planner::new(ctx, None)?;
    for (source, readable) in readable(sources, reading)? {
        planner.begin(source);
        each(readable, &mut |found| {
            let Judged { planned, warnings, .. } = planner.judge(found)?;
            migration.add(&planned, warnings);
            see(planned);
            Ok(())
        })?;
    }
    Ok(migration)
}

/// Takes the entries over, each source in one transaction. An operator's to do: what comes in counts as said by a person.
///
/// # Errors
/// When the caller may not, a source has no form that is known (then nothing is written), or the tree can't be written.
pub fn run(ctx: &Context, sources: &[Source], reading: &Reading, mut see: impl FnMut(Planned)) -> Result<Migration> {
    let operation = Operation::new("migrate.run");
    let readable = ctx.audited(&operation, || {
        ctx.actor().may_operate(&ctx.config, "migrate memories")?;
        readable(sources, reading)
    })?;
    let mut migration = Migration::default();
    let id = free_id(ctx)?;
    for (source, readable) in readable {
        let tree = ctx.lock()?;
        // What is there before: a reader of its own does not see what this source adds.
        let mut planner = Planner::new(ctx, Some(&id))?;
        planner.begin(source);
        let about = RunSource {
            path: ctx.masker().mask(&source.path).text,
            form: form_name(&readable, reading, ctx),
            bytes: source.bytes(),
            sha256: source.sum(),
        };
        let mut taking = Taking {
            ctx,
            tree: &tree,
            run: &id,
            about,
            writer: None,
            waiting: Vec::new(),
            nth: 0,
            counts: BTreeMap::new(),
        };
        each(readable, &mut |found| {
            let mut judged = planner.judge(found)?;
            if let Some(block) = taking.take(&mut judged)? {
                planner.holds(&judged, block);
            }
            migration.add(&judged.planned, judged.warnings);
            see(judged.planned);
            Ok(())
        })?;
        // Its reader keeps SQLite's index of the log: where a commit fails, what stands is told by reading the log anew.
        drop(planner);
        if taking.finish(&operation)? {
            migration.run = Some(id.clone());
        }
    }
    Ok(migration)
}

/// Who migrates, or takes it back: a login, which is a name and no text.
fn operator(ctx: &Context) -> Masked {
    Masked::trusted(ctx.actor().login.clone())
}

/// Sources in forms that are known: all of them, or a refusal that names each other one.
fn readable<'a>(sources: &'a [Source], reading: &Reading) -> Result<Vec<(&'a Source, Readable<'a>)>> {
    let mut known = Vec::new();
    let mut problems = Vec::new();
    for source in sources {
        match legacy::open(&source.inside, reading) {
            Ok(readable) => known.push((source, readable)),
            Err(why) => {
                problems.push(Problem {
                    field: source.inside.name.clone(),
                    code: "unknown_form",
                    what: why.to_string(),
                });
            }
        }
    }
    if problems.is_empty() { Ok(known) } else { Err(Refusal::Input(problems).into()) }
}

/// What goes before the word of `--from` in a form's name: whoever reads the source again has to read it so.
const FROM: &str = ", from ";

fn form_name(readable: &Readable<'_>, reading: &Reading, ctx: &Context) -> Masked {
    let from = reading.from.map(|kind| format!("{FROM}{}", kind.word())).unwrap_or_default();
    ctx.masker().mask(&format!("{}{from}", readable.form())).text
}

/// How a source was read whose form has that name.
fn reading_of(form: &Masked) -> Reading {
    let from = form.as_str().rsplit_once(FROM).and_then(|(_, word)| word.parse().ok());
    Reading { from, ..Reading::default() }
}

/// Hands on what is in a source, up to the first error.
fn each(readable: Readable<'_>, take: &mut dyn FnMut(std::result::Result<Entry, Unread>) -> Result<()>) -> Result<()> {
    let mut outcome = Ok(());
    readable.each(&mut |found| {
        if outcome.is_ok() {
            outcome = take(found);
        }
    });
    outcome
}

fn free_id(ctx: &Context) -> Result<RunId> {
    let runs = ctx.store.blocks()?.map(|blocks| blocks.runs()).transpose()?.unwrap_or_default();
    let is_free = |id: &RunId| !runs.iter().any(|run| run.id == *id);
    let mut nth = 1;
    while !is_free(&RunId::new(ctx.now(), nth)) {
        nth += 1;
    }
    Ok(RunId::new(ctx.now(), nth))
}

/// A source on its way in.
struct Taking<'a> {
    ctx: &'a Context,
    tree: &'a Tree<'a>,
    run: &'a RunId,
    about: RunSource,
    /// Opened with the first entry that is new, so that a run with nothing new changes nothing.
    writer: Option<(BlockWriter<'a>, Noting)>,
    /// What became of the entries before that one.
    waiting: Vec<RunEntry>,
    nth: u64,
    counts: BTreeMap<&'static str, u64>,
}

impl Taking<'_> {
    /// Takes an entry over, if it is new; answers the block that holds it.
    fn take(&mut self, judged: &mut Judged) -> Result<Option<BlockId>> {
        self.count(&judged.findings);
        if let Some(new) = judged.block.take() {
            if self.writer.is_none() {
                let mut writer = self.tree.blocks()?;
                let noting = writer.begin_source(self.run, &operator(self.ctx), self.ctx.now(), &self.about)?;
                for (entry, nth) in std::mem::take(&mut self.waiting).iter().zip(1..) {
                    writer.note(noting, nth, entry)?;
                }
                self.writer = Some((writer, noting));
            }
            if let Some((writer, _)) = &mut self.writer {
                let id = BlockId::random(clock::random());
                let added = match &judged.past {
                    Some(kept) => writer.restore(&new, id, kept, self.ctx.now())?,
                    None => writer.add(&new, id, self.ctx.now())?,
                };
                *self.counts.entry(added.outcome.word()).or_insert(0) += 1;
                if matches!(added.outcome, Outcome::Repeated | Outcome::Rejected) {
                    judged.planned.action = Action::Known;
                    planner::KNOWN.clone_into(&mut judged.planned.reason);
                }
                judged.held_by = Some(added.id);
            }
        }
        self.nth += 1;
        let planned = &judged.planned;
        let is_refused = planned.action == Action::Refuse;
        let reason = || self.ctx.masker().mask(&planned.reason).text;
        let entry = RunEntry {
            action: planned.action,
            block: judged.held_by.clone(),
            refused: is_refused.then(|| (planned.place.clone(), reason())),
        };
        match &mut self.writer {
            Some((writer, noting)) => writer.note(*noting, self.nth, &entry)?,
            None => self.waiting.push(entry),
        }
        Ok(judged.held_by.clone())
    }

    fn count(&mut self, findings: &[Finding]) {
        for (kind, number) in count_findings(findings) {
            *self.counts.entry(kind).or_insert(0) += number;
        }
    }

    /// Makes it stand; answers whether there was anything new.
    fn finish(self, operation: &Operation) -> Result<bool> {
        let Some((mut writer, noting)) = self.writer else { return Ok(false) };
        writer.end_source(noting)?;
        let mut change = Change::new();
        change.audit(self.ctx.entry(&operation.clone().on(self.run), "ok", self.counts));
        self.tree.commit_blocks(change, writer)?;
        Ok(true)
    }
}
