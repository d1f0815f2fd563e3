//! Candidates for ids. Completing never prompts, locks, writes or fails aloud.

use std::ffi::OsStr;

use clap_complete::engine::CompletionCandidate;

use super::args::Global;
use super::env::Environment;
use super::setup::Session;
use crate::app::Context;
use crate::app::reviews::{self, ListQuery};
use crate::domain::block::Block;
use crate::domain::review::Status;
use crate::domain::session::State;
use crate::store::blocks::BlockQuery;

/// How many candidates are offered at the most.
const MAX: usize = 200;

fn context() -> Option<Context> {
    let global = Global { quiet: true, ..Global::default() };
    let env = Environment::read();
    Session::new(global, env).context().ok()
}

fn matching(current: &OsStr, ids: impl Iterator<Item = (String, Option<String>)>) -> Vec<CompletionCandidate> {
    let part = current.to_string_lossy().to_lowercase();
    ids.filter(|(id, _)| id.to_lowercase().contains(&part))
        .take(MAX)
        .map(|(id, help)| CompletionCandidate::new(id).help(help.map(Into::into)))
        .collect()
}

fn reviews_with(current: &OsStr, statuses: &[Status]) -> Vec<CompletionCandidate> {
    let Some(ctx) = context() else { return Vec::new() };
    let query = ListQuery { statuses: statuses.to_vec(), ..ListQuery::default() };
    let found = reviews::list(&ctx, &query).map(|(found, _)| found).unwrap_or_default();
    let help = |fact: String| super::sanitize::line(&fact).chars().take(60).collect::<String>();
    matching(current, found.into_iter().map(|summary| (summary.id.to_string(), Some(help(summary.fact)))))
}

/// Reviews that wait for a decision.
pub fn pending_reviews(current: &OsStr) -> Vec<CompletionCandidate> {
    reviews_with(current, &[Status::Pending])
}

/// Reviews that wait to be written into the vault.
pub fn approved_reviews(current: &OsStr) -> Vec<CompletionCandidate> {
    reviews_with(current, &[Status::Approved])
}

/// All reviews.
pub fn all_reviews(current: &OsStr) -> Vec<CompletionCandidate> {
    reviews_with(current, &[])
}

/// Backups, the newest first.
pub fn backups(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(ctx) = context() else { return Vec::new() };
    let listed = crate::app::backup::list(&ctx).unwrap_or_default();
    matching(current, listed.into_iter().map(|one| (one.name.to_string(), None)))
}

/// Blocks, what was said last first.
pub fn blocks(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(ctx) = context() else { return Vec::new() };
    let query = BlockQuery { limit: Some(MAX), ..BlockQuery::default() };
    let found = crate::app::blocks::list(&ctx, &query).unwrap_or_default();
    let help = |block: &Block| super::sanitize::line(block.statement().as_str()).chars().take(60).collect::<String>();
    matching(current, found.into_iter().map(|block| (block.id.to_string(), Some(help(&block)))))
}

/// Entities that blocks are about, the most linked first.
pub fn entities(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(ctx) = context() else { return Vec::new() };
    let found = ctx.store.blocks().ok().flatten().and_then(|db| db.entities(Some(MAX)).ok()).unwrap_or_default();
    matching(current, found.into_iter().map(|entity| (entity.name, None)))
}

/// Sessions, those that are still on disk as they were first.
pub fn sessions(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(ctx) = context() else { return Vec::new() };
    let mut ids: Vec<_> = ctx.store.session_ids().unwrap_or_default().into_iter().collect();
    ids.sort_by_key(|(_, folder)| *folder == State::Archived);
    matching(current, ids.into_iter().map(|(id, folder)| (id.to_string(), Some(folder.name().to_owned()))))
}

/// Migration runs that can be taken back, the newest first.
pub fn runs(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(ctx) = context() else { return Vec::new() };
    let listed = crate::app::migrate::list(&ctx).unwrap_or_default();
    let open = listed.into_iter().rev().filter(|listed| listed.run.undone.is_none());
    matching(current, open.map(|listed| (listed.run.id.to_string(), None)))
}
