//! Restoring a backup: into a folder of its own, or in the tree's place.

use std::path::Path;

use super::run::{Made, RunRequest, run};
use super::{recorded, witness};
use crate::app::actor::Actor;
use crate::app::config::Config;
use crate::app::error::{BackupWhy, Result};
use crate::app::retention::{self, Report};
use crate::app::{Context, Operation, init};
use crate::store::backup::{Opener, Restore};

pub use crate::store::backup::Restored;

/// Whether the user may restore.
///
/// # Errors
/// When it is an agent's.
pub fn may_restore(actor: &Actor, config: &Config) -> Result<()> {
    actor.may_operate(config, "restore backups")
}

/// Restores into a folder that is empty or does not exist. There need be no tree any more: `modes` are those of the new one.
///
/// # Errors
/// When the folder holds something or lies in the vault, or the backup can't be opened or is not whole; then nothing is left there.
pub fn to_folder(
    config: &Config,
    backup: &Path,
    opener: &Opener,
    folder: &Path,
    only: Option<&str>,
) -> Result<Restored> {
    crate::app::vault::check_outside(config, folder)?;
    let witness = witness(config)?;
    let restore = Restore { backup, opener, witness: witness.as_ref(), only };
    Ok(restore.to(folder, init::modes(config)?)?)
}

/// What was done in the tree's place.
#[derive(Debug)]
pub struct InPlace {
    /// The fresh backup of what was there before.
    pub before: Made,
    /// What was restored.
    pub restored: Restored,
    /// What retention removed afterwards, or why it did not run.
    pub retention: Result<Report>,
}

/// Restores in the tree's place: after a fresh backup, and with a retention run afterwards, so that nothing comes back that
/// should be gone.
///
/// # Errors
/// When the fresh backup fails or lacks files, or the backup is not whole: then the tree is as it was.
pub fn in_place(
    ctx: &Context,
    backup: &Path,
    opener: &Opener,
    request: RunRequest,
    mut see: impl FnMut(),
) -> Result<InPlace> {
    let operation = Operation::new("backup.restore");
    ctx.audited(&operation, || {
        may_restore(ctx.actor(), &ctx.config)?;
        let witness = witness(&ctx.config)?;
        let restore = Restore { backup, opener, witness: witness.as_ref(), only: None };
        // First unpacked, then backed up: what can't be restored changes nothing, the target's backups included.
        let prepared = ctx.store.prepare_restore(&restore)?;
        let before = run(ctx, request, &mut see)?;
        if before.skipped.count > 0 {
            return Err(BackupWhy::Partial { left_out: before.skipped.count }.into());
        }
        let files = prepared.restored.files;
        let restored = ctx.lock()?.put_in_place(prepared)?;
        recorded(ctx, &operation, "ok", vec![("files", files)])?;
        let retention = retention::run(ctx, retention::RunRequest { accept_clock: true, wait: ctx.wait }, |_| ());
        Ok(InPlace { before, restored, retention })
    })
}
