//! The one clock and the one source of randomness of the program.

use crate::domain::time::Timestamp;

/// Where the present comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A moment that a person has set with `--now`.
    Fixed(Timestamp),
}

impl Clock {
    /// The present.
    pub fn now(self) -> Timestamp {
        match self {
            #[allow(clippy::disallowed_methods, reason = "this is the clock")]
            Self::System => {
                let now = chrono::Utc::now().timestamp();
                Timestamp::from_unix(now).unwrap_or(Timestamp::EPOCH)
            }
            Self::Fixed(now) => now,
        }
    }

    /// Whether a person has set it.
    pub const fn is_set(self) -> bool {
        matches!(self, Self::Fixed(_))
    }
}

/// A random number of 128 bits.
#[allow(clippy::disallowed_methods, reason = "this is the source of randomness")]
pub fn random() -> u128 {
    uuid::Uuid::new_v4().as_u128()
}
