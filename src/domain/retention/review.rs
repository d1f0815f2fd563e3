//! What is due for a review: its expiry while it waits, its end once it is finished.

use serde_json::Value;

use super::session::is_due;
use super::{Action, Aged, Due, Fate, Policy, is_ahead};
use crate::domain::doc::Safe;
use crate::domain::review::{EXPIRES_AFTER, Review, Status};
use crate::domain::time::Timestamp;

/// The name under which time decides, in a review's history.
const BY: &str = "retention";

/// Brings a review to what may be kept of it at `now`, and tells what that took. `is_archived` says on which shelf it lies
/// (the fate's place is the same), `size` is the file's size in bytes.
pub fn age_review(review: &mut Review, is_archived: bool, size: u64, policy: &Policy, now: Timestamp) -> Aged<bool> {
    if !review.doc.is_writable() {
        return Aged::stays(Some("it was written by a newer version, and is not changed"));
    }
    let stored = review.stored_status();
    let doubt = doubt(review, stored, now);
    // Its time is up from the moment it expires, whenever the run comes.
    let expired = review.expires_at().filter(|_| review.status(now) == Status::Expired && stored == Status::Pending);
    let end = expired.or_else(|| ended(review, stored));
    if let Some(end) = end.filter(|end| is_due(*end, policy.finished, now)) {
        let word = expired.map_or(stored, |_| Status::Expired).name();
        let due = Due { action: Action::DeleteReview, reason: format!("{word} {end}"), bytes: size };
        return Aged { fate: Fate::Deleted, due: vec![due], doubt };
    }
    if let Some(at) = expired {
        expire(review, at, now);
        let due = Due { action: Action::ExpireReview, reason: format!("undecided until {at}"), bytes: size };
        return Aged { fate: Fate::Goes(true), due: vec![due], doubt };
    }
    if stored.is_finished() && !is_archived {
        let reason = format!("it is {}", stored.name());
        let due = Due { action: Action::FileReview, reason, bytes: size };
        return Aged { fate: Fate::Goes(true), due: vec![due], doubt };
    }
    Aged::stays(doubt)
}

fn doubt(review: &Review, stored: Status, now: Timestamp) -> Option<&'static str> {
    let created = review.created_at();
    if created.is_some_and(|at| is_ahead(at, now))
        || (stored == Status::Pending && review.expires_at().is_some_and(|at| is_ahead(at.plus(-EXPIRES_AFTER), now)))
    {
        return Some("a time in it lies ahead of the clock");
    }
    let tells_no_end = stored.is_finished() && ended(review, stored).is_none();
    tells_no_end.then_some("it is finished and does not tell when")
}

/// When a finished review ended: the later of the time noted for it and the last decision's.
fn ended(review: &Review, stored: Status) -> Option<Timestamp> {
    if !stored.is_finished() {
        return None;
    }
    let decided = review.last_decision().and_then(|entry| entry.get("at")).and_then(Value::as_str);
    let decided = decided.and_then(|at| Timestamp::parse(at).ok());
    let noted = review.doc.time("finished_at");
    let end = if stored == Status::Expired { noted.or(decided).or(review.expires_at()) } else { noted.max(decided) };
    end.max(end.and(review.created_at()))
}

fn expire(review: &mut Review, at: Timestamp, now: Timestamp) {
    review.doc.set("status", Safe::word(Status::Expired.name()));
    review.doc.set("finished_at", at);
    review.doc.push(
        "history",
        Safe::object([
            ("at", now.into()),
            ("by", Safe::login(BY)),
            ("action", Safe::word("expire")),
            ("from", Safe::word(Status::Pending.name())),
            ("to", Safe::word(Status::Expired.name())),
            ("reason", Safe::word("nobody decided within 14 days")),
        ]),
    );
}
