//! Retention: the plan of what is due, and the run that carries it out, file by file, each looked at again under the lock.

use std::collections::BTreeMap;
use std::time::Duration;

use super::error::{Error, Refusal, Result};
use super::{Context, Operation, guard};
use crate::domain::block::BlockId;
use crate::domain::retention::{
    Action, Aged, ClockJump, Due, Fate, Policy, ReviewMark, SessionMark, TOLERANCE, age_review, age_session,
};
use crate::domain::review::EXPIRES_AFTER;
use crate::domain::session::State;
use crate::domain::span::Span;
use crate::domain::time::{DAY, Timestamp};
use crate::store::audit::RETENTION_RUN;
use crate::store::{Change, Contents, Folder, Item, Shelf, Skipped, StoreError, layout};

/// How many files are changed in one step: between two steps others get the lock.
const BATCH: usize = 512;
/// How many bytes of new contents are kept for one step, at most about.
const BATCH_BYTES: usize = 16 << 20;
/// How many of the files that were left alone are named; all of them are counted.
const NAMED: usize = 1000;
/// A run does not take longer than this by a clock that can be believed.
const LONGEST_RUN: Span = Span::from_days(1);

/// How much of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many times.
    pub count: u64,
    /// How many bytes it was about: of whole files, or of the fields that went.
    pub bytes: u64,
}

/// How much of each action; those that are nil are left out.
pub type Tallies = BTreeMap<Action, Tally>;

/// What is due, or was done.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How much of what.
    pub tallies: Tallies,
    /// Files that were left alone: they should not be there, can't be read, or don't tell what is due.
    pub skipped: Skip,
    /// What speaks against the clock, if something does: a plan is made all the same, a run refuses.
    pub clock: Option<ClockJump>,
}

impl Report {
    /// How often an action is due.
    pub fn count(&self, action: Action) -> u64 {
        self.tallies.get(&action).map_or(0, |tally| tally.count)
    }

    fn skip(&mut self, item: &Item, why: &impl ToString) {
        self.skipped.leave(Skipped { path: item.path(), why: why.to_string() });
    }
}

/// Files that were left alone, however many they are.
#[derive(Clone, Debug, Default)]
pub struct Skip {
    /// How many.
    pub count: u64,
    /// The first thousand of them.
    pub named: Vec<Skipped>,
}

impl Skip {
    /// Notes that the blocks can't be read, where that is so: then there is no answer, and the rest goes on.
    pub(super) fn blocks<T>(&mut self, read: std::result::Result<T, StoreError>) -> Result<Option<T>> {
        match read {
            Err(error @ (StoreError::Damaged { .. } | StoreError::Newer { .. })) => {
                self.leave(Skipped { path: layout::BLOCKS.into(), why: error.to_string() });
                Ok(None)
            }
            read => Ok(Some(read?)),
        }
    }

    pub(super) fn leave(&mut self, skipped: Skipped) {
        self.count += 1;
        if self.named.len() < NAMED {
            self.named.push(skipped);
        }
    }
}

fn add(tallies: &mut Tallies, due: &Due) {
    let tally = tallies.entry(due.action).or_default();
    tally.count += 1;
    tally.bytes += due.bytes;
}

/// What a plan or run tells while it is under way.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// One more entry was looked at.
    Looked,
    /// An action is due, or done: on which id, and why.
    Action(Action, &'a str, &'a str),
}

/// What is due now. Nothing is changed.
///
/// # Errors
/// When a folder can't be listed.
pub fn plan(ctx: &Context, mut see: impl FnMut(Event<'_>)) -> Result<Report> {
    let mut report = Report { clock: guard::jump(ctx)?, ..Report::default() };
    let policy = ctx.config.retention();
    let mut contents = Contents::default();
    for folder in Folder::ALL {
        ctx.store.walk(folder, |entry| {
            see(Event::Looked);
            let Some(item) = worth_a_look(ctx, entry, &policy, &mut contents, &mut report) else { return Ok(()) };
            match Judged::of(ctx, &item, &contents, &policy) {
                Ok(judged) => {
                    if let Some(doubt) = judged.doubt {
                        report.skip(&item, &doubtful(ctx, &item, doubt));
                    }
                    for due in &judged.due {
                        add(&mut report.tallies, due);
                        see(Event::Action(due.action, item.id(), &due.reason));
                    }
                }
                Err(error) => report.skip(&item, &error),
            }
            Ok::<_, Error>(())
        })?;
    }
    for id in due_blocks(ctx, &policy, &mut report)? {
        let due = block_due(&policy);
        add(&mut report.tallies, &due);
        see(Event::Action(due.action, id.as_str(), &due.reason));
    }
    Ok(report)
}

/// The blocks that nobody confirmed in time. A database that can't be read is reported.
fn due_blocks(ctx: &Context, policy: &Policy, report: &mut Report) -> Result<Vec<BlockId>> {
    let before = ctx.now().plus(-policy.unconfirmed_blocks.signed_seconds());
    let found = ctx.store.blocks().and_then(|db| db.map_or(Ok(Vec::new()), |db| db.unconfirmed_before(before)));
    Ok(report.skipped.blocks(found)?.unwrap_or_default())
}

fn block_due(policy: &Policy) -> Due {
    let reason = format!("not confirmed within {}", policy.unconfirmed_blocks);
    Due { action: Action::DeleteBlock, reason, bytes: 0 }
}

/// How many entries a plan or run has to look at.
///
/// # Errors
/// When a folder can't be listed.
pub fn entries(ctx: &Context) -> Result<usize> {
    Ok(ctx.store.count_entries()?)
}

/// How a run is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunRequest {
    /// A human's word that the clock is right.
    pub accept_clock: bool,
    /// How long to wait for another run to end.
    pub wait: Duration,
}

/// Does what is due.
///
/// # Errors
/// When the clock can't be believed, another run is under way, or the tree can't be written. A file that can't be read or told
/// about is left alone and named, and the rest is done.
pub fn run(ctx: &Context, request: RunRequest, see: impl FnMut(Event<'_>)) -> Result<Report> {
    let operation = Operation::new(RETENTION_RUN);
    ctx.audited(&operation, || {
        let _alone = ctx.store.lock_retention(request.wait)?;
        let report = Report { clock: guard::check(ctx, request.accept_clock)?, ..Report::default() };
        let run = Run { ctx, policy: ctx.config.retention(), start: ctx.now(), report, batch: Vec::new(), see };
        run.all(&operation)
    })
}

struct Run<'a, F> {
    ctx: &'a Context,
    policy: Policy,
    start: Timestamp,
    report: Report,
    batch: Vec<Item>,
    see: F,
}

impl<F: FnMut(Event<'_>)> Run<'_, F> {
    fn all(mut self, operation: &Operation) -> Result<Report> {
        let mut contents = Contents::default();
        for folder in Folder::ALL {
            self.ctx.store.walk(folder, |entry| {
                (self.see)(Event::Looked);
                let item = worth_a_look(self.ctx, entry, &self.policy, &mut contents, &mut self.report);
                self.batch.extend(item);
                if self.batch.len() >= BATCH { self.apply(None) } else { Ok(()) }
            })?;
        }
        self.delete_blocks()?;
        self.apply(Some(operation))?;
        Ok(self.report)
    }

    /// Deletes the blocks that nobody confirmed in time, some hundred in a step.
    fn delete_blocks(&mut self) -> Result<()> {
        let ctx = self.ctx;
        if due_blocks(ctx, &self.policy, &mut self.report)?.is_empty() {
            return Ok(());
        }
        let due = block_due(&self.policy);
        loop {
            let tree = ctx.lock()?;
            let before = self.believed_now()?.plus(-self.policy.unconfirmed_blocks.signed_seconds());
            let mut writer = tree.blocks()?;
            // Looked for again: one of them may have been confirmed meanwhile.
            let mut ids = writer.read().unconfirmed_before(before)?;
            ids.truncate(BATCH);
            let gone = writer.forget(&ids)?;
            if gone == 0 {
                return Ok(());
            }
            let mut operation = Operation::new("retention.batch");
            if let [id] = ids.as_slice() {
                operation = operation.on(&id.as_str());
            }
            let mut change = Change::new();
            change.audit(ctx.entry(&operation, "ok", BTreeMap::from([(due.action.name(), gone)])));
            tree.commit_blocks(change, writer)?;
            for id in &ids {
                add(&mut self.report.tallies, &due);
                (self.see)(Event::Action(due.action, id.as_str(), &due.reason));
            }
        }
    }

    /// Does what is due for the files of the batch, in one step or, where they are large, several. The last step of a run
    /// carries the record that it came to its end.
    fn apply(&mut self, ends: Option<&Operation>) -> Result<()> {
        let ctx = self.ctx;
        let tree = ctx.lock()?;
        let now = self.believed_now()?;
        let mut step = Step::default();
        let mut contents = Contents::default();
        for item in std::mem::take(&mut self.batch) {
            let judged = match ctx.store.contents(&item, &mut contents) {
                Ok(()) => Judged::of_at(ctx, &item, &contents, &self.policy, now),
                // Moved or gone since it was listed: the next run finds it.
                Err(error) if error.is_missing() => continue,
                Err(error) => Err(error),
            };
            let added = judged.and_then(|judged| {
                if let Some(doubt) = judged.doubt {
                    self.report.skip(&item, &doubtful(ctx, &item, doubt));
                }
                if !judged.due.is_empty() {
                    tree.check_free(&item, judged.fate.place())?;
                    judged.add_to(&item, &mut step.change)?;
                    step.done.push((item.clone(), judged.due));
                }
                Ok(())
            });
            if let Err(error) = added {
                self.report.skip(&item, &error);
            }
            if step.change.size() >= BATCH_BYTES {
                self.commit(&tree, std::mem::take(&mut step), None)?;
            }
        }
        if ends.is_some() || !step.done.is_empty() {
            self.commit(&tree, step, ends)?;
        }
        Ok(())
    }

    fn commit(&mut self, tree: &crate::store::Tree<'_>, step: Step, ends: Option<&Operation>) -> Result<()> {
        let ctx = self.ctx;
        let Step { mut change, done } = step;
        let mut tallies = self.report.tallies.clone();
        let left_alone = self.report.skipped.count;
        let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
        for (item, due) in &done {
            for due in due {
                add(&mut tallies, due);
                *counts.entry(due.action.name()).or_insert(0) += 1;
                // Reviews are people's business: each has a line of its own.
                let own = match due.action {
                    Action::ExpireReview => Some("review.expire"),
                    Action::DeleteReview => Some("review.delete"),
                    _ => None,
                };
                if let Some(op) = own {
                    change.audit(ctx.entry(&Operation::new(op).on(&item.id()), "ok", BTreeMap::new()));
                }
            }
        }
        if !done.is_empty() {
            let mut operation = Operation::new("retention.batch");
            if let [(item, _)] = done.as_slice() {
                operation = operation.on(&item.id());
            }
            change.audit(ctx.entry(&operation, "ok", counts));
        }
        if let Some(operation) = ends {
            let mut counts: BTreeMap<_, _> =
                tallies.iter().map(|(action, tally)| (action.name(), tally.count)).collect();
            if left_alone > 0 {
                counts.insert("left_alone", left_alone);
            }
            if self.report.clock.is_some() {
                counts.insert("clock_accepted", 1);
            }
            let outcome = if left_alone > 0 { "partly" } else { "ok" };
            change.audit(ctx.entry(operation, outcome, counts));
        }
        tree.commit(change)?;
        self.report.tallies = tallies;
        for (item, due) in &done {
            for due in due {
                (self.see)(Event::Action(due.action, item.id(), &due.reason));
            }
        }
        Ok(())
    }

    /// The present, unless the clock has jumped since the run began.
    fn believed_now(&self) -> Result<Timestamp> {
        let (now, start) = (self.ctx.now(), self.start);
        let jump = match now.since(start) {
            ..0 if start.since(now) > TOLERANCE => ClockJump::Back { now, newest: start },
            passed if passed > LONGEST_RUN.signed_seconds() => {
                ClockJump::SinceRun { now, last: start, max: LONGEST_RUN }
            }
            _ => return Ok(now),
        };
        Err(Refusal::Clock(jump).into())
    }
}

/// What is done in one step.
#[derive(Default)]
struct Step {
    change: Change,
    done: Vec<(Item, Vec<Due>)>,
}

/// A file of which something may be due, or has to be told; its contents are read. What is none of the program's own, or can't
/// be read, is reported.
fn worth_a_look(
    ctx: &Context,
    entry: std::result::Result<Item, Skipped>,
    policy: &Policy,
    contents: &mut Contents,
    report: &mut Report,
) -> Option<Item> {
    let item = match entry {
        Ok(item) => item,
        Err(foreign) => {
            report.skipped.leave(foreign);
            return None;
        }
    };
    let now = ctx.now();
    if is_ruled_out(&item, policy, now) {
        return None;
    }
    match ctx.store.contents(&item, contents) {
        Ok(()) => may_be_due(&item, &contents.bytes, policy, now).then_some(item),
        Err(error) if error.is_missing() => None,
        Err(error) => {
            report.skip(&item, &error);
            None
        }
    }
}

/// Whether the day in a file's name alone says that nothing can be due: what is in the file is not older. A day is left for
/// names that were made by a local clock. A name of days ahead rules nothing out: it has to be told of.
fn is_ruled_out(item: &Item, policy: &Policy, now: Timestamp) -> bool {
    let (day, kept) = match item {
        // Whatever state they are in, something of it changes within the hour.
        Item::Session(_, State::Active | State::Idle | State::Closed) => return false,
        Item::Session(id, State::Archived) => (id.day(), policy.text),
        Item::Review(id, Shelf::Queue) => (id.day(), EXPIRES_AFTER),
        Item::Review(id, Shelf::Archived) => (id.day(), policy.finished),
    };
    day.is_some_and(|day| (-DAY..kept - DAY).contains(&now.since(day)))
}

fn may_be_due(item: &Item, bytes: &[u8], policy: &Policy, now: Timestamp) -> bool {
    match item {
        Item::Session(_, folder) => SessionMark::read(bytes).is_none_or(|mark| mark.may_be_due(*folder, policy, now)),
        Item::Review(_, shelf) => {
            ReviewMark::read(bytes).is_none_or(|mark| mark.may_be_due(*shelf == Shelf::Archived, policy, now))
        }
    }
}

fn doubtful(ctx: &Context, item: &Item, doubt: &str) -> String {
    format!("{} was left alone: {doubt}", ctx.store.root().join(item.path()).display())
}

/// What is due for one file, and the file as it is to be.
struct Judged {
    due: Vec<Due>,
    doubt: Option<&'static str>,
    fate: Fate<Item>,
    file: Kept,
}

/// A file as it is to be.
enum Kept {
    Session(crate::domain::session::Session),
    Review(crate::domain::review::Review),
}

impl Judged {
    fn of(ctx: &Context, item: &Item, contents: &Contents, policy: &Policy) -> std::result::Result<Self, StoreError> {
        Self::of_at(ctx, item, contents, policy, ctx.now())
    }

    fn of_at(
        ctx: &Context,
        item: &Item,
        contents: &Contents,
        policy: &Policy,
        now: Timestamp,
    ) -> std::result::Result<Self, StoreError> {
        match item {
            Item::Session(id, folder) => {
                let mut session = ctx.store.session_of(id, *folder, contents)?;
                let Aged { fate, due, doubt } = age_session(&mut session, *folder, contents.size, policy, now);
                let fate = fate.map(|state| Item::Session(id.clone(), state));
                Ok(Self { due, doubt, fate, file: Kept::Session(session) })
            }
            Item::Review(id, shelf) => {
                let mut review = ctx.store.review_of(id, *shelf, contents)?;
                let is_archived = *shelf == Shelf::Archived;
                let Aged { fate, due, doubt } = age_review(&mut review, is_archived, contents.size, policy, now);
                let fate = fate.map(|_| Item::Review(id.clone(), Shelf::Archived));
                Ok(Self { due, doubt, fate, file: Kept::Review(review) })
            }
        }
    }

    fn add_to(&self, item: &Item, change: &mut Change) -> std::result::Result<(), StoreError> {
        match (&self.file, item, &self.fate) {
            (_, _, Fate::Deleted) => change.delete(item),
            (Kept::Session(session), Item::Session(_, was), Fate::Goes(Item::Session(_, to))) => {
                change.put_session(session, Some(*was), *to)?;
            }
            (Kept::Review(review), Item::Review(_, was), Fate::Goes(Item::Review(_, to))) => {
                change.put_review(review, Some(*was), *to)?;
            }
            _ => {}
        }
        Ok(())
    }
}
