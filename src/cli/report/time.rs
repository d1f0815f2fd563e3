//! Times for people: local, with the relative age.

use chrono::Local;

use crate::domain::span::{age, time_left};
use crate::domain::time::Timestamp;

/// `2026-05-21 16:30 (3 d ago)`, in local time.
pub(super) fn ago(at: Timestamp, now: Timestamp) -> String {
    let seconds = now.since(at);
    let relative = match seconds {
        0.. => age(seconds),
        _ => format!("in {}", age(-seconds)),
    };
    let relative = if seconds >= 60 { format!("{relative} ago") } else { relative };
    format!("{} ({relative})", local(at))
}

/// `2026-06-04 16:30 (11 d left)`, in local time.
pub(super) fn until(at: Timestamp, now: Timestamp) -> String {
    format!("{} ({})", local(at), time_left(at.since(now)))
}

/// `2026-05-21 16:30`, in local time.
pub(in crate::cli) fn local(at: Timestamp) -> String {
    at.as_chrono().with_timezone(&Local).format("%Y-%m-%d %H:%M").to_string()
}

/// `3 d`.
pub(super) fn old(at: Timestamp, now: Timestamp) -> String {
    age(now.since(at).max(0))
}

/// `3 d ago`, or `just now`.
pub(super) fn past(at: Timestamp, now: Timestamp) -> String {
    if now.since(at) < 60 { "just now".to_owned() } else { format!("{} ago", old(at, now)) }
}

/// `11 d left`.
pub(super) fn left(at: Timestamp, now: Timestamp) -> String {
    time_left(at.since(now))
}
