//! Whether the clock can be believed before anything is deleted by it.

use crate::domain::span::Span;
use crate::domain::time::{MINUTE, Timestamp};

/// How far, in seconds, the clock may lie behind the newest change on record, or a file's time ahead of the clock: two
/// machines never agree to the second.
pub const TOLERANCE: i64 = 5 * MINUTE;

/// What the tree tells of the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockFacts {
    /// The newest change since the last completed run, that run included. Refused operations count for nothing.
    pub newest_change: Option<Timestamp>,
    /// When the last completed retention run was.
    pub last_run: Option<Timestamp>,
    /// The newest time in the tree that is not ahead of the clock; asked for where there has been no run yet.
    pub newest_in_tree: Option<Timestamp>,
}

/// The clock contradicts the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockJump {
    /// It is earlier than a change that has been recorded.
    Back {
        /// What the clock says.
        now: Timestamp,
        /// The newest change.
        newest: Timestamp,
    },
    /// It is much later than the last completed run.
    SinceRun {
        /// What the clock says.
        now: Timestamp,
        /// The last run.
        last: Timestamp,
        /// How much later it may be.
        max: Span,
    },
    /// There has been no run, and it is much later than anything in the tree.
    SinceNewest {
        /// What the clock says.
        now: Timestamp,
        /// The newest time in the tree.
        newest: Timestamp,
        /// How much later it may be.
        max: Span,
    },
}

/// Whether `now` may be believed: it is at most five minutes earlier than the newest change, and at most `max` later than the
/// last completed run, or before the first one than the newest time in the tree.
///
/// # Errors
/// The contradiction.
pub fn judge(now: Timestamp, facts: ClockFacts, max: Span) -> Result<(), ClockJump> {
    let newest = facts.newest_change.max(facts.last_run);
    if let Some(newest) = newest.filter(|newest| newest.since(now) > TOLERANCE) {
        return Err(ClockJump::Back { now, newest });
    }
    let is_far = |past: &Timestamp| now.since(*past) > max.signed_seconds();
    match (facts.last_run, facts.newest_in_tree) {
        (Some(last), _) if is_far(&last) => Err(ClockJump::SinceRun { now, last, max }),
        (None, Some(newest)) if is_far(&newest) => Err(ClockJump::SinceNewest { now, newest, max }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::DAY;

    const MAX: Span = Span::from_days(60);

    fn now() -> Timestamp {
        Timestamp::parse("2026-05-21T14:30:00Z").unwrap()
    }

    fn ago(seconds: i64) -> Timestamp {
        now().plus(-seconds)
    }

    #[test]
    fn five_minutes_behind_the_newest_change_are_believed_and_no_second_more() {
        for (newest_change, last_run, is_good) in [
            (Some(ago(-TOLERANCE)), Some(ago(DAY)), true),
            (Some(ago(-TOLERANCE - 1)), Some(ago(DAY)), false),
            (None, Some(ago(-TOLERANCE - 1)), false),
            (Some(ago(-TOLERANCE - 1)), None, false),
            (None, None, true),
        ] {
            let facts = ClockFacts { newest_change, last_run, newest_in_tree: None };
            assert_eq!(judge(now(), facts, MAX).is_ok(), is_good, "{facts:?}");
        }
    }

    #[test]
    fn sixty_days_after_the_last_run_are_believed_and_no_second_more() {
        let far = 60 * DAY;
        for (last_run, newest_in_tree, is_good) in [
            (Some(ago(far)), None, true),
            (Some(ago(far + 1)), None, false),
            // Where there was a run, what is in the tree does not count: its times may come from the same clock.
            (Some(ago(far + 1)), Some(ago(0)), false),
            (Some(ago(far)), Some(ago(far + 1)), true),
            (None, Some(ago(far)), true),
            (None, Some(ago(far + 1)), false),
        ] {
            let facts = ClockFacts { newest_change: Some(ago(0)), last_run, newest_in_tree };
            assert_eq!(judge(now(), facts, MAX).is_ok(), is_good, "{facts:?}");
        }
    }
}
