//! The vault check as a step of filing and approving, and on its own.

use super::Context;
use std::path::Path;

use super::config::Config;
use super::error::{Error, Refusal, Result};
use crate::vault::{Check, PageInfo, Passage, Query, Settings, Vault, VaultError, Verdict};

/// The name of the index that is kept under the memory root; it holds hashed stems and line numbers, no text.
const CACHE: &str = "vault-index";

/// A vault that was opened, or why it could not be; `None` where none is configured.
pub(super) type Opened = Option<std::result::Result<Vault, VaultError>>;

/// Opens the configured vault with the index kept from the last time.
pub(super) fn open(ctx: &Context) -> Opened {
    let config = &ctx.config;
    let settings = Settings {
        path: config.vault_path.clone()?,
        synonyms: config.vault_synonyms.clone(),
        functional_keys: config.vault_functional_keys.clone(),
        state_words: config.vault_state_words.clone(),
    };
    let store = ctx.store.clone();
    Some(Vault::open_with(&settings, Box::new(move || store.read_cache(CACHE))))
}

/// What the vault says about a fact; `no_vault` where there is none, or it can't be read.
pub fn check(ctx: &Context, query: Query<'_>) -> Check {
    let Some(Ok(vault)) = ctx.vault() else {
        let warnings = problem(ctx).into_iter().collect();
        return Check { verdict: Verdict::NoVault, guard: None, passages: Vec::new(), page_hash: None, warnings };
    };
    let check = vault.check(&query);
    keep_index(ctx, vault);
    check
}

/// Whether a fact has been written into the vault: on the page it was meant for, in these words or others, else anywhere.
pub fn check_written(ctx: &Context, query: Query<'_>) -> Check {
    if let Some(Ok(vault)) = ctx.vault() {
        if let Some(check) = vault.check_page_only(&query).filter(|check| check.verdict == Verdict::Identical) {
            return check;
        }
        if let Some(check) = vault.find_verbatim(&query) {
            return check;
        }
    }
    check(ctx, query)
}

/// Why a vault that is configured can't be looked into.
pub fn problem(ctx: &Context) -> Option<String> {
    match ctx.vault() {
        Some(Err(error)) => Some(error.to_string()),
        _ => None,
    }
}

/// Refuses a path in the configured vault (law 1): nothing of this program's lies there.
///
/// # Errors
/// When it does.
pub fn check_outside(config: &Config, path: &Path) -> Result<()> {
    let Some(vault) = config.vault_path.as_ref().and_then(|vault| vault.canonicalize().ok()) else { return Ok(()) };
    // A file that does not exist yet lies where the nearest folder that does lies.
    let place = path
        .ancestors()
        .find_map(|part| if part.as_os_str().is_empty() { Path::new(".") } else { part }.canonicalize().ok());
    if place.is_some_and(|place| place.starts_with(&vault)) {
        return Err(Refusal::InVault { path: path.to_owned() }.into());
    }
    Ok(())
}

/// The passages nearest to a query, best first.
///
/// # Errors
/// When there is no vault, or it can't be read.
pub fn search(ctx: &Context, query: &str, limit: usize) -> Result<Vec<Passage>> {
    let vault = opened(ctx)?;
    let found = vault.search(query, limit);
    keep_index(ctx, vault);
    Ok(found)
}

/// The vault's pages, and what was left out and why.
///
/// # Errors
/// When there is no vault, or it can't be read.
pub fn pages(ctx: &Context) -> Result<(Vec<PageInfo>, Vec<String>)> {
    let vault = opened(ctx)?;
    let pages = vault.pages();
    keep_index(ctx, vault);
    Ok((pages, vault.warnings()))
}

fn opened(ctx: &Context) -> Result<&Vault> {
    match ctx.vault() {
        Some(Ok(vault)) => Ok(vault),
        Some(Err(error)) => Err(Error::NoVault(Some(error.to_string()))),
        None => Err(Error::NoVault(None)),
    }
}

/// Keeps the index for the next time. It is never needed for a right answer, so one that can't be kept is no failure.
fn keep_index(ctx: &Context, vault: &Vault) {
    if let Some(bytes) = vault.cache_bytes() {
        ctx.store.write_cache(CACHE, &bytes);
    }
}
