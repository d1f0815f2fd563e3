//! How the backups are: for `status` at a glance, for `doctor` in full.

use super::target;
use crate::app::Context;
use crate::app::error::{Error, Result};
use crate::domain::span::Span;
use crate::domain::time::Timestamp;
use crate::store::backup::{Listed, Signer};

/// The backups at a glance.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// How many there are.
    pub count: usize,
    /// When the newest was made that was found whole, if one was.
    pub newest_good: Option<Timestamp>,
    /// Whether it is older than it may be, or there is none: told only where backups are configured.
    pub is_overdue: bool,
}

/// Something wrong with the backups.
#[derive(Debug)]
pub enum Problem {
    /// The target can't be used, and why.
    Target(Error),
    /// There is none that was found whole.
    None,
    /// The newest good one was made then, longer ago than `max_age`.
    Old {
        /// When it was made.
        at: Timestamp,
        /// How old it may be.
        max: Span,
    },
    /// A backup that was never found whole, or is not what was found so.
    Unverified {
        /// Its name.
        name: String,
    },
    /// A key or certificate of the configuration can't be used, and why.
    Key(Error),
}

/// The backups at a glance.
///
/// # Errors
/// When the target lies where no backup may, or can't be listed.
pub fn state(ctx: &Context) -> Result<State> {
    let listed = target(ctx)?.list()?;
    let newest = listed.iter().find(|one| one.is_good()).map(|one| one.name.at());
    let is_overdue = ctx.config.backup.has_key() && newest.is_none_or(|at| is_old(ctx, at));
    Ok(State { count: listed.len(), newest_good: newest, is_overdue })
}

fn is_old(ctx: &Context, at: Timestamp) -> bool {
    ctx.now().since(at) >= ctx.config.backup.max_age.signed_seconds()
}

/// All that is wrong with the backups; nothing where none are configured and none are there.
pub fn problems(ctx: &Context) -> Vec<Problem> {
    let config = &ctx.config.backup;
    let listed = match target(ctx).and_then(|target| Ok(target.list()?)) {
        Ok(listed) => listed,
        Err(error) if config.has_key() => return vec![Problem::Target(error)],
        Err(_) => return Vec::new(),
    };
    let mut found: Vec<Problem> = keys(ctx).into_iter().map(Problem::Key).collect();
    if !config.has_key() && listed.is_empty() {
        return found;
    }
    match listed.iter().find(|one| one.is_good()) {
        None => found.push(Problem::None),
        Some(newest) if is_old(ctx, newest.name.at()) => {
            found.push(Problem::Old { at: newest.name.at(), max: config.max_age });
        }
        Some(_) => {}
    }
    let unverified = listed.iter().filter(|one| one.verified_at().is_none());
    found.extend(unverified.map(|one: &Listed| Problem::Unverified { name: one.name.to_string() }));
    found
}

/// What is wrong with the keys that the configuration names.
fn keys(ctx: &Context) -> Vec<Error> {
    let config = &ctx.config.backup;
    let key = if config.has_key() { super::recipient(ctx).map(drop) } else { Ok(()) };
    let signing = config.signing_key.as_deref().map_or(Ok(()), |path| Signer::read(path).map(drop));
    let signer = super::witness(&ctx.config).map(drop);
    [key, signing.map_err(Error::from), signer].into_iter().filter_map(Result::err).collect()
}
