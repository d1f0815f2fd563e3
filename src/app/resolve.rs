//! Ids on the command line: any unique part of one will do.

use super::Context;
use super::error::{NotFound, Result};
use crate::domain::ids::{ReviewId, SessionId};

/// How many candidates an answer names.
const CANDIDATES_MAX: usize = 10;

/// The session that `given` names.
///
/// # Errors
/// When none or several fit.
pub fn session(ctx: &Context, given: &str) -> Result<SessionId> {
    if let Ok(id) = SessionId::parse(given)
        && ctx.store.has_session(&id)
    {
        return Ok(id);
    }
    pick("session", given, ctx.store.session_ids()?.into_keys(), SessionId::as_str)
}

/// The review that `given` names. One in the queue goes before archived ones.
///
/// # Errors
/// When none or several fit.
pub fn review(ctx: &Context, given: &str) -> Result<ReviewId> {
    if let Ok(id) = ReviewId::parse(given)
        && ctx.store.has_review(&id)
    {
        return Ok(id);
    }
    let (queue, archived): (Vec<_>, Vec<_>) =
        ctx.store.review_ids()?.into_iter().partition(|(_, shelf)| *shelf == crate::store::Shelf::Queue);
    let ids = |found: Vec<(ReviewId, _)>| found.into_iter().map(|(id, _)| id);
    match pick("review", given, ids(queue.clone()), ReviewId::as_str) {
        Err(super::Error::NotFound(NotFound::Id { .. })) => {
            pick("review", given, ids(queue).chain(ids(archived)), ReviewId::as_str)
        }
        found => found,
    }
}

fn pick<T>(noun: &'static str, given: &str, ids: impl Iterator<Item = T>, text: impl Fn(&T) -> &str) -> Result<T> {
    let ids: Vec<T> = ids.collect();
    let part = given.to_lowercase();
    let fits = |id: &T| !part.is_empty() && text(id).to_lowercase().contains(&part);
    let candidates: Vec<String> =
        ids.iter().filter(|id| fits(id)).take(CANDIDATES_MAX + 1).map(|id| text(id).to_owned()).collect();
    if candidates.len() > 1 {
        // A whole id may be a part of a longer one (`…-2`).
        if let Some(whole) = ids.into_iter().find(|id| text(id) == given) {
            return Ok(whole);
        }
        return Err(NotFound::Ambiguous { noun, given: given.to_owned(), candidates }.into());
    }
    if candidates.is_empty() {
        let nearest = ids
            .iter()
            .map(|id| (likeness(text(id), given), text(id)))
            .filter(|(score, _)| *score > 0.7)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, id)| id.to_owned());
        return Err(NotFound::Id { noun, given: given.to_owned(), nearest }.into());
    }
    let found = ids.into_iter().find(fits);
    found.ok_or_else(|| NotFound::Id { noun, given: given.to_owned(), nearest: None }.into())
}

/// How much an id is like what was typed, 0 to 1: all of it or, a little less, one of its words.
fn likeness(id: &str, given: &str) -> f64 {
    let (id, given) = (tail(id).to_lowercase(), tail(given).to_lowercase());
    let words = id.split('-').map(|word| strsim::jaro_winkler(word, &given) * 0.9);
    words.fold(strsim::jaro_winkler(&id, &given), f64::max)
}

/// What of an id people remember: all behind `SESSION-` or `REVIEW-` with its date and time.
fn tail(id: &str) -> &str {
    let rest = id.strip_prefix("REVIEW-").map(|rest| rest.splitn(3, '-').last().unwrap_or(rest));
    rest.or_else(|| id.strip_prefix("SESSION-")).unwrap_or(id)
}
