//! Making a backup, and removing those that are too old once it was read back.

use std::collections::HashSet;
use std::time::Duration;

use super::{recipient, recorded, target};
use crate::app::error::{Error, Result};
use crate::app::retention::Skip;
use crate::app::{Context, Operation, guard};
use crate::domain::retention::ClockJump;
use crate::store::backup::{Member, Name, Record, Signer, Writer};
use crate::store::{Contents, Folder, Item, Skipped, StoreError, layout};

/// How a backup is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunRequest {
    /// A human's word that the clock is right.
    pub accept_clock: bool,
    /// How long to wait for another backup to end.
    pub wait: Duration,
}

/// A backup that was made, and read back.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its name.
    pub name: Name,
    /// Its file.
    pub path: std::path::PathBuf,
    /// What is known of it.
    pub record: Record,
    /// Files that could not be read, and are missing.
    pub skipped: Skip,
    /// The backups that went, since they were too old.
    pub removed: Vec<Name>,
    /// What speaks against the clock; then no backup went.
    pub clock: Option<ClockJump>,
}

/// Makes a backup. `see` is told of each file.
///
/// # Errors
/// When no key is configured, another backup is under way, the target can't be written, or what was written can't be read
/// back; then no backup was made and none was removed.
pub fn run(ctx: &Context, request: RunRequest, see: impl FnMut()) -> Result<Made> {
    let operation = Operation::new("backup.run");
    ctx.audited(&operation, || {
        ctx.actor().may_operate(&ctx.config, "make backups")?;
        if request.accept_clock {
            ctx.actor().may_operate(&ctx.config, "accept a clock that jumped")?;
        }
        let target = target(ctx)?;
        let recipient = recipient(ctx)?;
        let signer = ctx.config.backup.signing_key.as_deref().map(Signer::read).transpose()?;
        let _alone = ctx.store.lock_backup(request.wait)?;
        // A change that a writer left half way is finished first.
        drop(ctx.lock()?);
        target.prepare()?;
        // One moment for the name and what is said of it: the clock goes on meanwhile.
        let at = ctx.now();
        let mut writer = Writer::new(&target, at, &recipient)?;
        let mut packing = Packing { ctx, writer: &mut writer, skipped: Skip::default(), see };
        packing.all()?;
        let skipped = packing.skipped;
        let name = Name::of(at);
        let mut record = Record {
            schema: 1,
            created_at: at.to_string(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            left_out: skipped.count,
            ..Record::default()
        };
        add_audit(ctx, &mut writer, &mut record)?;
        let record = writer.finish(record, signer.as_ref())?;
        let mut made = Made { name, path: target.path(&name), record, skipped, removed: Vec::new(), clock: None };
        made.clock = guard::jump(ctx)?;
        // One that lacks files vouches for nothing that is older.
        if (made.clock.is_none() || request.accept_clock) && made.skipped.count == 0 {
            made.removed = target.rotate(ctx.now())?;
        }
        let mut counts = vec![("files", made.record.files), ("bytes", made.record.size)];
        counts.extend((!made.removed.is_empty()).then_some(("removed", made.removed.len() as u64)));
        counts.extend((made.skipped.count > 0).then_some(("left_out", made.skipped.count)));
        recorded(ctx, &operation, if made.skipped.count > 0 { "partly" } else { "ok" }, counts)?;
        if request.accept_clock {
            made.clock = None;
        }
        Ok(made)
    })
}

struct Packing<'a, 'w, F> {
    ctx: &'a Context,
    writer: &'a mut Writer<'w>,
    skipped: Skip,
    see: F,
}

impl<F: FnMut()> Packing<'_, '_, F> {
    /// Packs all but the audit log: with the flow of the files, so that one that moves meanwhile is seen at least once; and
    /// those folders again that a file can come back to, for what has come back.
    fn all(&mut self) -> Result<()> {
        let store = &self.ctx.store;
        let mut contents = Contents::default();
        let mut seen = HashSet::new();
        for folder in Folder::WITH_THE_FLOW {
            let comes_back = folder.is_young();
            store.walk(folder, |entry| {
                (self.see)();
                match entry {
                    Ok(item) => {
                        if comes_back {
                            seen.insert(item.id().to_owned());
                        }
                        self.add(&item, &mut contents)
                    }
                    // Foreign files are none of the tree's: `doctor` tells of them.
                    Err(_) => Ok(()),
                }
            })?;
        }
        for folder in Folder::WITH_THE_FLOW.into_iter().filter(|folder| folder.is_young()) {
            store.walk(folder, |entry| match entry {
                Ok(item) if !seen.contains(item.id()) => self.add(&item, &mut contents),
                _ => Ok::<_, Error>(()),
            })?;
        }
        self.blocks()?;
        self.config()
    }

    fn add(&mut self, item: &Item, contents: &mut Contents) -> Result<()> {
        match self.ctx.store.packed(item, contents) {
            Ok(bytes) => Ok(self.writer.add(&Member::Item(item.clone()), bytes)?),
            Err(error) if error.is_missing() => Ok(()),
            Err(error) => {
                self.skipped.leave(Skipped { path: item.path(), why: error.to_string() });
                Ok(())
            }
        }
    }

    fn blocks(&mut self) -> Result<()> {
        let copied = self.skipped.blocks(self.ctx.store.copy_blocks())?;
        let Some(copy) = copied.flatten() else { return Ok(()) };
        let len = self.ctx.store.len_of(copy.path())?;
        Ok(self.writer.add_file(&Member::Blocks, copy.path(), len)?)
    }

    fn config(&mut self) -> Result<()> {
        match self.ctx.store.bytes_of(layout::CONFIG) {
            Ok(bytes) => Ok(self.writer.add(&Member::Config, &bytes)?),
            Err(error) if error.is_missing() => Ok(()),
            Err(error) => {
                self.skipped.leave(Skipped { path: layout::CONFIG.into(), why: error.to_string() });
                Ok(())
            }
        }
    }
}

/// Adds the audit log up to an entry, and notes which. It comes last, so that it knows of every change that is in the backup.
fn add_audit(ctx: &Context, writer: &mut Writer<'_>, record: &mut Record) -> Result<()> {
    let (head, months) = {
        // Under the lock nobody is within a line.
        let _tree = ctx.lock()?;
        let months = ctx.store.audit_files()?;
        let months: std::result::Result<Vec<_>, StoreError> =
            months.into_iter().map(|month| Ok((ctx.store.len_of(&ctx.store.root().join(&month))?, month))).collect();
        (ctx.store.audit_head()?, months?)
    };
    record.audit_seq = head.seq;
    record.audit_head = head.hash;
    for (len, month) in months {
        let path = ctx.store.root().join(&month);
        writer.add_file(&Member::Audit(month), &path, len)?;
    }
    Ok(())
}
