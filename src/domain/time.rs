//! Points in time as the tree stores them: UTC, RFC 3339 with `Z`, to the second.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};

/// Seconds in a minute.
pub const MINUTE: i64 = 60;
/// Seconds in an hour.
pub const HOUR: i64 = 60 * MINUTE;
/// Seconds in a day of 24 hours; the tree knows no local days.
pub const DAY: i64 = 24 * HOUR;

/// A point in time, whole seconds, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(DateTime<Utc>);

/// A text is no RFC 3339 time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time in RFC 3339, such as 2026-05-21T14:30:00Z")]
pub struct BadTime;

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(DateTime::UNIX_EPOCH);

    /// Reads RFC 3339 with any offset; fractions of a second are dropped.
    ///
    /// # Errors
    /// When the text is anything else, a time without a zone included.
    pub fn parse(text: &str) -> Result<Self, BadTime> {
        let time = DateTime::parse_from_rfc3339(text.trim()).map_err(|_| BadTime)?;
        Self::from_unix(time.timestamp()).ok_or(BadTime)
    }

    /// The point `seconds` after 1970-01-01T00:00:00Z, if it lies in the range chrono knows.
    pub fn from_unix(seconds: i64) -> Option<Self> {
        DateTime::from_timestamp(seconds, 0).map(Self)
    }

    /// Midnight UTC of a date written `YYYYMMDD`.
    pub fn from_compact_date(date: &str) -> Option<Self> {
        if date.len() != 8 || !date.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: u32 = date.parse().ok()?;
        let day = chrono::NaiveDate::from_ymd_opt((number / 10_000).cast_signed(), number / 100 % 100, number % 100)?;
        Some(Self(day.and_hms_opt(0, 0, 0)?.and_utc()))
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    pub fn unix(self) -> i64 {
        self.0.timestamp()
    }

    /// The point `seconds` later (earlier when negative); the same point where that can't be said.
    #[must_use]
    pub fn plus(self, seconds: i64) -> Self {
        self.unix().checked_add(seconds).and_then(Self::from_unix).unwrap_or(self)
    }

    /// Seconds from `earlier` to this point; negative when this point is the earlier one.
    pub fn since(self, earlier: Self) -> i64 {
        self.unix() - earlier.unix()
    }

    /// The UTC date as `YYYYMMDD`, as ids carry it.
    pub fn compact_date(self) -> String {
        self.0.format("%Y%m%d").to_string()
    }

    /// The UTC time of day as `HHMMSS`, as review ids carry it.
    pub fn compact_time(self) -> String {
        self.0.format("%H%M%S").to_string()
    }

    /// The UTC month as `YYYY-MM`, as audit files are named.
    pub fn month(self) -> String {
        self.0.format("%Y-%m").to_string()
    }

    /// The same point as chrono has it.
    pub fn as_chrono(self) -> DateTime<Utc> {
        self.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::Secs, true))
    }
}

impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text: std::borrow::Cow<'de, str> = serde::Deserialize::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

impl std::str::FromStr for Timestamp {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<Self, BadTime> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_utc_and_fractions_go() {
        for (text, utc) in [
            ("2026-05-21T14:30:00Z", "2026-05-21T14:30:00Z"),
            ("2026-05-21T16:30:00+02:00", "2026-05-21T14:30:00Z"),
            ("2026-05-21T14:30:00.999Z", "2026-05-21T14:30:00Z"),
            ("2024-02-29T23:59:59-01:00", "2024-03-01T00:59:59Z"),
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), utc);
        }
        for bad in ["", "2026-05-21", "2026-05-21T14:30:00", "2026-02-30T00:00:00Z", "yesterday"] {
            assert_eq!(Timestamp::parse(bad), Err(BadTime), "{bad}");
        }
    }

    #[test]
    fn arithmetic_at_the_ends_of_time_stays_put() {
        let now = Timestamp::parse("2026-05-21T14:30:00Z").unwrap();
        assert_eq!(now.plus(i64::MAX), now);
        assert_eq!(now.plus(DAY).since(now), DAY);
    }
}
