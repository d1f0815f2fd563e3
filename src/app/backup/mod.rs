//! Backups: made, listed, checked and restored. The container is the store's business.

mod restore;
mod run;
mod state;

use std::path::{Path, PathBuf};

pub use restore::{InPlace, Restored, in_place, may_restore, to_folder};
pub use run::{Made, RunRequest, run};
pub use state::{Problem, State, problems, state};

use super::config::Config;
use super::error::{BackupWhy, Error, NotFound, Result};
use super::vault::check_outside;
use super::{Context, Operation};
use crate::domain::time::Timestamp;
use crate::store::backup::{Checked, Listed, NewPair, Opener, Passphrase, Recipient, Target, Witness};
use crate::store::{Change, StoreError};

/// The folder of the backups.
///
/// # Errors
/// When it lies in the tree or in the vault.
pub fn target(ctx: &Context) -> Result<Target> {
    let folder = &ctx.config.backup.target;
    check_outside(&ctx.config, folder)?;
    if ctx.store.holds_path(folder) {
        return Err(BackupWhy::InTree { path: folder.clone(), what: "a backup" }.into());
    }
    Ok(Target::at(folder))
}

fn recipient(ctx: &Context) -> Result<Recipient> {
    let config = &ctx.config.backup;
    match (&config.recipient, &config.passphrase_file) {
        (Some(_), Some(_)) => Err(BackupWhy::TwoKeys.into()),
        (Some(path), None) => Ok(Recipient::read(path, ctx.now())?),
        (None, Some(path)) => Ok(Recipient::passphrase(path)?),
        (None, None) => Err(BackupWhy::NoKey.into()),
    }
}

fn witness(config: &Config) -> Result<Option<Witness>> {
    config.backup.signer.as_deref().map(Witness::read).transpose().map_err(Error::from)
}

/// All backups, the newest first.
///
/// # Errors
/// When the folder can't be listed.
pub fn list(ctx: &Context) -> Result<Vec<Listed>> {
    Ok(target(ctx)?.list()?)
}

/// The backup that is meant: `latest`, a file, or a part of the name of one in the target.
///
/// # Errors
/// When there is none, or several are meant.
pub fn found(target: &Target, given: &str) -> Result<PathBuf> {
    let path = Path::new(given);
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let listed = target.list()?;
    let missing = || NotFound::Id { noun: "backup", given: given.to_owned(), nearest: None };
    if given == "latest" {
        return listed.first().map(|one| one.path.clone()).ok_or_else(|| missing().into());
    }
    let fitting: Vec<&Listed> = listed.iter().filter(|one| one.name.to_string().contains(given)).collect();
    match fitting.as_slice() {
        [] => Err(missing().into()),
        [one] => Ok(one.path.clone()),
        several => Err(NotFound::Ambiguous {
            noun: "backup",
            given: given.to_owned(),
            candidates: several.iter().map(|one| one.name.to_string()).collect(),
        }
        .into()),
    }
}

/// What opens backups: the secret key that is named, else the configured passphrase.
///
/// # Errors
/// When neither is there, or it can't be read.
pub fn opener(config: &Config, secret_key: Option<&Path>) -> Result<Opener> {
    match (secret_key, &config.backup.passphrase_file) {
        (Some(path), _) => Ok(Opener::read(path)?),
        (None, Some(path)) => Ok(Opener::passphrase_file(path)?),
        (None, None) => Err(BackupWhy::NoSecretKey.into()),
    }
}

/// A backup that was read from end to end.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Its file.
    pub path: PathBuf,
    /// What was found in it; or why it is not whole.
    pub outcome: std::result::Result<Checked, String>,
}

/// Reads backups from end to end. One that is not whole does not keep the others from being read.
///
/// # Errors
/// When an agent's user asks for it, or a key can't be used.
pub fn verify(ctx: &Context, paths: &[PathBuf], opener: &Opener, mut see: impl FnMut(usize)) -> Result<Vec<Verified>> {
    let operation = Operation::new("backup.verify");
    ctx.audited(&operation, || ctx.actor().may_operate(&ctx.config, "open backups"))?;
    let (target, witness) = (target(ctx)?, witness(&ctx.config)?);
    let mut all = Vec::new();
    for (nth, path) in paths.iter().enumerate() {
        see(nth);
        let outcome = match target.verify(path, opener, witness.as_ref(), ctx.now()) {
            Ok(checked) => Ok(checked),
            Err(StoreError::Damaged { why, .. }) => Err(why),
            Err(error) => return Err(error.into()),
        };
        all.push(Verified { path: path.clone(), outcome });
    }
    let is_whole = all.iter().all(|one| one.outcome.is_ok());
    ctx.record(&operation, if is_whole { "ok" } else { "damaged" });
    Ok(all)
}

/// A pair of keys that was made.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Where the certificate is.
    pub public: PathBuf,
    /// Where the secret key is.
    pub secret: PathBuf,
    /// The fingerprint.
    pub fingerprint: String,
    /// Whether it is for signing.
    pub is_for_signing: bool,
}

/// Makes a pair of keys. The secret key may lie neither in the tree nor beside the backups, which it opens. There need be no
/// tree at `root` yet.
///
/// # Errors
/// When a place won't do, or a file exists or can't be written; then nothing was made.
pub fn keygen(config: &Config, root: &Path, pair: &NewPair, now: Timestamp) -> Result<Pair> {
    let within = |path: &Path, folder: &Path| {
        let place = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let place = place.ancestors().skip(1).find_map(|part| part.canonicalize().ok());
        folder.canonicalize().is_ok_and(|folder| place.is_some_and(|place| place.starts_with(folder)))
    };
    for path in [&pair.public, &pair.secret] {
        check_outside(config, path)?;
    }
    if [root, &config.backup.target].into_iter().any(|folder| within(&pair.secret, folder)) {
        return Err(BackupWhy::InTree { path: pair.secret.clone(), what: "a secret key" }.into());
    }
    if pair.public == pair.secret {
        return Err(
            StoreError::Key { path: pair.secret.clone(), why: "both files have the same name".to_owned() }.into()
        );
    }
    let fingerprint = pair.make(now)?;
    // As the configuration wants them.
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    Ok(Pair {
        public: whole(&pair.public),
        secret: whole(&pair.secret),
        fingerprint,
        is_for_signing: pair.is_for_signing,
    })
}

fn recorded(
    ctx: &Context,
    operation: &Operation,
    outcome: &'static str,
    counts: Vec<(&'static str, u64)>,
) -> Result<()> {
    let mut change = Change::new();
    change.audit(ctx.entry(operation, outcome, counts.into_iter().collect()));
    Ok(ctx.lock()?.commit(change)?)
}

/// The passphrase as it was typed.
pub fn passphrase(text: String) -> Passphrase {
    Passphrase::new(text)
}
