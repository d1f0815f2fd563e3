//! Ids of sessions and reviews. An id that parses holds no path, so it can name a file.

use std::fmt;

use super::agent::{self, AgentId};
use super::time::{HOUR, MINUTE, Timestamp};

/// The longest slug in characters, without the `-2` that tells equal ids apart.
pub const SLUG_MAX: usize = 40;

/// A text is no id of the kind wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadId {
    /// No session id.
    #[error("a session id looks like SESSION-carlo-20260521-a3f7b2")]
    Session,
    /// No review id.
    #[error("a review id looks like REVIEW-20260521-143022-vento-telegram")]
    Review,
}

/// `SESSION-{agent}-{YYYYMMDD}-{6 lower-case hex}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(Box<str>);

impl SessionId {
    /// Reads an id in its strict pattern.
    ///
    /// # Errors
    /// When the text has another shape.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        let rest = text.strip_prefix("SESSION-").ok_or(BadId::Session)?;
        let (rest, hex) = rest.rsplit_once('-').ok_or(BadId::Session)?;
        let (agent, date) = rest.rsplit_once('-').ok_or(BadId::Session)?;
        let good = agent::valid(agent)
            && hex.len() == 6
            && hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
            && digits(date, 8)
            && Timestamp::from_compact_date(date).is_some();
        if good { Ok(Self(text.into())) } else { Err(BadId::Session) }
    }

    /// The id for an agent's session begun at `now`; `random` gives the six digits.
    pub fn new(agent: &AgentId, now: Timestamp, random: u128) -> Self {
        Self(format!("SESSION-{}-{}-{:06x}", agent.short(), now.compact_date(), random & 0x00ff_ffff).into())
    }

    /// The agent's name without its prefix.
    pub fn agent(&self) -> &str {
        let rest = self.0.strip_prefix("SESSION-").unwrap_or(&self.0);
        rest.rsplitn(3, '-').nth(2).unwrap_or(rest)
    }

    /// Midnight UTC of the day in the id: the session can't be older.
    pub fn day(&self) -> Option<Timestamp> {
        Timestamp::from_compact_date(self.0.rsplit('-').nth(1)?)
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// `REVIEW-{YYYYMMDD}-{HHMMSS}-{slug}`, with `-2`, `-3`, … where one second made equal ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReviewId(String);

impl ReviewId {
    /// Reads an id in its strict pattern.
    ///
    /// # Errors
    /// When the text has another shape.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        let rest = text.strip_prefix("REVIEW-").ok_or(BadId::Review)?;
        let mut parts = rest.splitn(3, '-');
        let (Some(date), Some(time), Some(slug)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(BadId::Review);
        };
        let good = digits(date, 8)
            && digits(time, 6)
            && slug.len() <= SLUG_MAX + 8
            && slug
                .split('-')
                .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
        if good { Ok(Self(text.to_owned())) } else { Err(BadId::Review) }
    }

    /// The id for a review filed at `now`; `nth` counts from 1 and tells apart ids that would be equal.
    pub fn new(now: Timestamp, slug: &str, nth: u32) -> Self {
        let base = format!("REVIEW-{}-{}-{slug}", now.compact_date(), now.compact_time());
        Self(if nth > 1 { format!("{base}-{nth}") } else { base })
    }

    /// Midnight UTC of the day in the id.
    pub fn day(&self) -> Option<Timestamp> {
        Timestamp::from_compact_date(self.0.split('-').nth(1)?)
    }

    /// The moment in the id, UTC.
    pub fn time(&self) -> Option<Timestamp> {
        let mut pair = self.0.split('-').nth(2)?.as_bytes().chunks(2);
        let mut next = || std::str::from_utf8(pair.next()?).ok()?.parse::<i64>().ok();
        let (hours, minutes, seconds) = (next()?, next()?, next()?);
        Some(self.day()?.plus(hours * HOUR + minutes * MINUTE + seconds))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

macro_rules! id_traits {
    ($id:ident) => {
        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $id {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }
    };
}

id_traits!(SessionId);
id_traits!(ReviewId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_ids_parse() {
        let session = SessionId::parse("SESSION-carlo-20260521-a3f7b2").unwrap();
        assert_eq!(session.agent(), "carlo");
        assert_eq!(session.day().unwrap().to_string(), "2026-05-21T00:00:00Z");
        assert_eq!(SessionId::parse("SESSION-my-bot-2-20260521-a3f7b2").unwrap().agent(), "my-bot-2");
        let review = ReviewId::parse("REVIEW-20260521-143022-vento-telegram").unwrap();
        assert_eq!(review.time().unwrap().to_string(), "2026-05-21T14:30:22Z");
        assert!(ReviewId::parse("REVIEW-20260521-143022-vento-telegram-2").is_ok());
    }

    #[test]
    fn what_could_name_a_path_is_no_id() {
        for bad in [
            "SESSION-../../etc-20260521-a3f7b2",
            "SESSION-carlo-20260521-A3F7B2",
            "SESSION-carlo-20261321-a3f7b2",
            "SESSION-carlo-20260521-a3f7b2\n",
            "SESSION--20260521-a3f7b2",
            "SESSION-carlo-20260521-",
            "",
        ] {
            assert_eq!(SessionId::parse(bad), Err(BadId::Session), "{bad:?}");
        }
        for bad in [
            "REVIEW-20260521-143022-",
            "REVIEW-20260521-143022-../x",
            "REVIEW-20260521-143022-a--b",
            "REVIEW-20260521-143022-A",
            "REVIEW-20260521-vento",
            &format!("REVIEW-20260521-143022-{}", "a".repeat(60)),
        ] {
            assert_eq!(ReviewId::parse(bad), Err(BadId::Review), "{bad:?}");
        }
    }

    #[test]
    fn new_ids_parse_back() {
        let now = Timestamp::parse("2026-05-21T14:30:22Z").unwrap();
        let agent = AgentId::parse("hermes-carlo").unwrap();
        let session = SessionId::new(&agent, now, u128::MAX);
        assert_eq!(session.as_str(), "SESSION-carlo-20260521-ffffff");
        assert_eq!(SessionId::parse(session.as_str()), Ok(session.clone()));
        let review = ReviewId::new(now, "vento-telegram", 2);
        assert_eq!(ReviewId::parse(review.as_str()), Ok(review.clone()));
    }
}
