//! The check-up of a tree: everything in it that is not as it should be, and mending what can be mended without loss.
//!
//! Nothing is deleted but what a command that died had left on its way. What can't be read goes into `quarantine/`, under a
//! name that tells where it came from.

mod items;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::{Error, Result};
use super::{Context, Operation, backup, scan};
use crate::store::{Change, Oddity, StoreError, Tree, layout};

/// How many findings are named; all of them are counted.
const NAMED: usize = 1000;

/// What kind of trouble it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// A change was cut short.
    HalfWay,
    /// A command that died has left files on their way.
    Leftover,
    /// A folder of the tree is missing.
    Missing,
    /// Others may do more with it than they should.
    Rights,
    /// A file that can't be read or understood, does not unpack, or whose id is not that of its name.
    Unreadable,
    /// A session in two folders, or a review on two shelves.
    Twice,
    /// A session lies in a folder that its file contradicts.
    Misplaced,
    /// A review's session is not there, though it should be.
    Dangling,
    /// A file, link or folder that is none of the program's.
    Foreign,
    /// Personal data or a credential that should have been masked.
    Unmasked,
    /// An agent and a reviewer share a Unix user.
    SharedUser,
    /// The audit chain is broken.
    Audit,
    /// The memory blocks.
    Blocks,
    /// The backups.
    Backup,
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mend {
    /// `--repair` would mend it.
    Can,
    /// `--repair` would move it into quarantine.
    CanSetAside,
    /// It was mended.
    Done,
    /// It was moved into quarantine.
    SetAside,
    /// Only a person can.
    ByHand,
    /// Mending it failed.
    Failed,
}

impl Mend {
    /// Whether it is as it should be now.
    pub const fn is_done(self) -> bool {
        matches!(self, Self::Done | Self::SetAside)
    }
}

/// What is said of trouble that a repair mends: before, and after.
const MENDED: (Mend, Mend) = (Mend::Can, Mend::Done);
/// The same for what it moves into quarantine.
const ASIDE: (Mend, Mend) = (Mend::CanSetAside, Mend::SetAside);

/// Something that is not as it should be.
#[derive(Debug)]
pub struct Finding {
    /// What kind of trouble it is.
    pub trouble: Trouble,
    /// What it is about: a path relative to the root, a name, a key.
    pub target: String,
    /// What is wrong.
    pub what: What,
    /// What becomes of it.
    pub mend: Mend,
}

/// What is wrong, and where there is one, the way out for a person.
#[derive(Debug)]
pub enum What {
    /// Said already.
    Text(String),
    /// An error, which has words of its own.
    Error(Error),
    /// The backups have trouble.
    Backup(backup::Problem),
}

/// How much of a kind of trouble there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// How often it was found.
    pub found: u64,
    /// How often it was mended.
    pub mended: u64,
}

/// The outcome of a check-up.
#[derive(Debug, Default)]
pub struct Checkup {
    /// The first thousand findings.
    pub findings: Vec<Finding>,
    /// How many of each kind there are in all.
    pub counts: BTreeMap<Trouble, Count>,
    /// How many files were looked at.
    pub looked: u64,
    /// What lies in quarantine, relative to the root.
    pub quarantine: Vec<PathBuf>,
}

impl Checkup {
    /// Whether all is as it should be now.
    pub fn is_clean(&self) -> bool {
        self.counts.values().all(|count| count.found == count.mended)
    }

    /// How many findings are not named.
    pub fn unnamed(&self) -> u64 {
        self.counts.values().map(|count| count.found).sum::<u64>() - self.findings.len() as u64
    }

    fn note(&mut self, trouble: Trouble, target: impl Into<String>, what: What, mend: Mend) {
        let count = self.counts.entry(trouble).or_default();
        count.found += 1;
        count.mended += u64::from(mend.is_done());
        if self.findings.len() < NAMED {
            self.findings.push(Finding { trouble, target: target.into(), what, mend });
        }
    }
}

/// Looks at everything; `repair` mends what can be mended without loss. `step` is told of each file.
///
/// # Errors
/// When an agent's user wants to repair, or the tree can't be listed or, for a repair, locked.
pub fn doctor(ctx: &Context, repair: bool, step: impl FnMut()) -> Result<Checkup> {
    let operation = Operation::new("doctor.repair");
    if repair {
        ctx.audited(&operation, || ctx.actor().may_operate(&ctx.config, "repair the tree"))?;
    }
    let mut doctor = Doctor { ctx, repair, checkup: Checkup::default(), step };
    doctor.half_way()?;
    doctor.fixed()?;
    doctor.items()?;
    doctor.blocks()?;
    doctor.audit()?;
    doctor.people();
    for problem in backup::problems(ctx) {
        let target = ctx.config.backup.target.display().to_string();
        doctor.checkup.note(Trouble::Backup, target, What::Backup(problem), Mend::ByHand);
    }
    doctor.checkup.quarantine = ctx.store.quarantined()?;
    Ok(doctor.checkup)
}

struct Doctor<'a, F> {
    ctx: &'a Context,
    repair: bool,
    checkup: Checkup,
    step: F,
}

impl<F: FnMut()> Doctor<'_, F> {
    fn note(&mut self, trouble: Trouble, target: impl Into<String>, what: impl Into<String>, mend: Mend) {
        self.checkup.note(trouble, target, What::Text(what.into()), mend);
    }

    /// Notes something that a repair mends: by `mend` now, if this is one.
    fn mending(
        &mut self,
        trouble: Trouble,
        target: &Path,
        what: impl Into<String>,
        (can, done): (Mend, Mend),
        mend: impl FnOnce(&Tree<'_>) -> Result<()>,
    ) {
        let target = target.display().to_string();
        if !self.repair {
            return self.note(trouble, target, what, can);
        }
        match self.ctx.lock().and_then(|tree| mend(&tree)) {
            Ok(()) => self.note(trouble, target, what, done),
            Err(error) => self.checkup.note(trouble, target, What::Error(error), Mend::Failed),
        }
    }

    /// A change that was cut short: whoever takes the lock next finishes it, and sweeps what it had on its way.
    fn half_way(&mut self) -> Result<()> {
        let was_half_way = self.ctx.store.is_half_way();
        if self.repair {
            drop(self.ctx.lock()?);
        }
        if was_half_way {
            let mend = if self.repair { Mend::Done } else { Mend::Can };
            self.note(Trouble::HalfWay, layout::JOURNAL, "a change was cut short and has to be finished", mend);
        }
        Ok(())
    }

    /// All that is neither a session nor a review.
    fn fixed(&mut self) -> Result<()> {
        let ctx = self.ctx;
        let mut found = Vec::new();
        ctx.store.survey(|path, oddity| {
            found.push((path, oddity));
            Ok::<_, StoreError>(())
        })?;
        for (path, oddity) in found {
            self.odd(&path, &oddity);
        }
        Ok(())
    }

    fn odd(&mut self, path: &Path, oddity: &Oddity) {
        let ctx = self.ctx;
        match oddity {
            Oddity::Foreign => {
                let what = "it is none of the program's own; it is left alone";
                self.note(Trouble::Foreign, path.display().to_string(), what, Mend::ByHand);
            }
            Oddity::Missing => {
                self.mending(Trouble::Missing, path, "the folder is missing", MENDED, |tree| Ok(tree.complete()?));
            }
            Oddity::Wide(mode, max) => {
                let what = format!("its mode is {mode:04o}; the most is {max:04o}");
                self.mending(Trouble::Rights, path, what, MENDED, |tree| Ok(tree.narrow(path)?));
            }
            Oddity::Leftover => {
                // A backup under way has its copy there.
                let Ok(_alone) = ctx.store.lock_backup(std::time::Duration::ZERO) else { return };
                self.mending(Trouble::Leftover, path, "a command that died has left it", MENDED, |tree| {
                    Ok(tree.remove_leftover(path)?)
                });
            }
            Oddity::Restoring => {
                let Ok(_alone) = ctx.store.lock_backup(std::time::Duration::ZERO) else { return };
                let what = "a restore that died has left it: files of the backup, or of the tree before it";
                self.mending(Trouble::Leftover, path, what, ASIDE, |tree| set_aside(ctx, tree, path));
            }
        }
    }

    fn blocks(&mut self) -> Result<()> {
        let ctx = self.ctx;
        let faults = ctx.store.blocks().and_then(|db| db.map_or(Ok(Vec::new()), |db| db.faults()));
        match faults {
            Ok(faults) => {
                for fault in faults {
                    self.note(Trouble::Blocks, layout::BLOCKS, fault, Mend::ByHand);
                }
            }
            Err(error) => {
                self.checkup.note(Trouble::Blocks, layout::BLOCKS, What::Error(error.into()), Mend::ByHand);
                return Ok(());
            }
        }
        let mut found = scan::Scan::default();
        scan::look_at_blocks(ctx, false, &mut found)?;
        for one in found.findings {
            self.unmasked(&one.path, &one.kinds);
        }
        Ok(())
    }

    fn unmasked(&mut self, path: &Path, kinds: &BTreeMap<&'static str, u64>) {
        let kinds: Vec<String> = kinds.iter().map(|(kind, number)| format!("{kind} {number}")).collect();
        let what = format!("it holds what should be masked: {}", kinds.join(", "));
        self.note(Trouble::Unmasked, path.display().to_string(), what, Mend::ByHand);
    }

    fn audit(&mut self) -> Result<()> {
        for fault in self.ctx.store.audit_verify(None)?.faults {
            let target = format!("{}:{}", fault.file.display(), fault.line);
            self.note(Trouble::Audit, target, fault.what, Mend::ByHand);
        }
        for file in self.ctx.store.audit_files()? {
            let place = crate::store::Place::Audit(file);
            match scan::kinds(self.ctx, &place) {
                Ok(kinds) if kinds.is_empty() => {}
                Ok(kinds) => self.unmasked(&place.path(), &kinds),
                Err(error) => {
                    let target = place.path().display().to_string();
                    self.checkup.note(Trouble::Unreadable, target, What::Error(error), Mend::ByHand);
                }
            }
        }
        Ok(())
    }

    /// Agents decide nothing: an agent whose user is a reviewer's decides nothing either, and the reviewer neither.
    fn people(&mut self) {
        let config = &self.ctx.config;
        let mut shared: Vec<(String, String)> = Vec::new();
        for agent in &config.agents {
            for reviewer in config.reviewers.iter().filter(|reviewer| reviewer.user == agent.user) {
                let what = format!("the agent {} and the reviewer {} share it", agent.name, reviewer.name);
                shared.push((format!("user {}", agent.user), what));
            }
        }
        shared.dedup();
        for (target, what) in shared {
            self.note(Trouble::SharedUser, target, what, Mend::ByHand);
        }
    }
}

/// Moves something into quarantine as it is, with an entry in the audit log.
fn set_aside(ctx: &Context, tree: &Tree<'_>, path: &Path) -> Result<()> {
    let mut change = Change::new();
    change.shift(path.to_owned(), tree.free_in_quarantine(path));
    change.audit(ctx.entry(&Operation::new("doctor.quarantine"), "ok", BTreeMap::from([("files", 1)])));
    Ok(tree.commit(change)?)
}
