//! `doctor`

use clap::Args;

use super::Outcome;
use crate::app::{doctor, retention};
use crate::cli::progress::Progress;
use crate::cli::{Exit, Session, report};

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Mend what can be mended without loss, and move what can't be read into quarantine/; nothing is deleted
    #[arg(long)]
    pub repair: bool,
}

/// Looks at everything, and mends it if that is wanted.
pub(super) fn run(args: &DoctorArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let mut progress = Progress::new("doctor", session);
    let of = if progress.is_wanted() { retention::entries(&ctx)? } else { 0 };
    let mut looked = 0;
    let checkup = doctor::doctor(&ctx, args.repair, || {
        looked += 1;
        progress.step(looked, of);
    })?;
    drop(progress);
    let is_clean = checkup.is_clean();
    report::doctor::checkup(checkup, args.repair, &mut session.ui);
    Ok(if is_clean { Exit::Done } else { Exit::Integrity })
}
