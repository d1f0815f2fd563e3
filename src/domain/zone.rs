//! The zone in which a time without one is meant.

use std::str::FromStr;

use chrono::{FixedOffset, Local, NaiveDateTime, TimeDelta, TimeZone};

use super::time::Timestamp;

/// A zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// That of this machine.
    #[default]
    Local,
    /// So far from UTC.
    Fixed(FixedOffset),
    /// One by its name, summer time included.
    Named(chrono_tz::Tz),
}

/// A text is no zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time zone: use a name such as Europe/Berlin, an offset such as +02:00, UTC or local")]
pub struct BadZone;

impl Zone {
    /// The moment at which a clock on the wall shows this. Of two the earlier one; where summer time leaves it out, as if
    /// the clock had not been put forward.
    pub fn at(self, wall: NaiveDateTime) -> Option<Timestamp> {
        match self {
            Self::Local => moment(&Local, wall),
            Self::Fixed(offset) => moment(&offset, wall),
            Self::Named(zone) => moment(&zone, wall),
        }
    }
}

fn moment<Z: TimeZone>(zone: &Z, wall: NaiveDateTime) -> Option<Timestamp> {
    let seconds = |wall: NaiveDateTime| Some(zone.from_local_datetime(&wall).earliest()?.timestamp());
    let hour = TimeDelta::hours(1);
    let found = seconds(wall).or_else(|| Some(seconds(wall.checked_sub_signed(hour)?)? + hour.num_seconds()));
    found.and_then(Timestamp::from_unix)
}

impl FromStr for Zone {
    type Err = BadZone;

    fn from_str(text: &str) -> Result<Self, BadZone> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("local") {
            return Ok(Self::Local);
        }
        if let Ok(zone) = text.parse() {
            return Ok(Self::Named(zone));
        }
        let offset = if text.eq_ignore_ascii_case("z") { "+00:00" } else { text };
        offset.parse().map(Self::Fixed).map_err(|_| BadZone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_on_the_wall_is_a_moment_in_its_zone() {
        for (zone, wall, moment) in [
            ("Europe/Berlin", "2026-01-05 12:00", "2026-01-05T11:00:00Z"),
            ("Europe/Berlin", "2026-07-05 12:00", "2026-07-05T10:00:00Z"),
            // The hour that is left out, and the one that comes twice.
            ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
            ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
            ("+05:30", "2026-01-05 12:00", "2026-01-05T06:30:00Z"),
            ("-08:00", "2026-01-05 12:00", "2026-01-05T20:00:00Z"),
            ("UTC", "2026-01-05 12:00", "2026-01-05T12:00:00Z"),
            ("Z", "2026-01-05 12:00", "2026-01-05T12:00:00Z"),
        ] {
            let wall = NaiveDateTime::parse_from_str(wall, "%Y-%m-%d %H:%M").unwrap();
            assert_eq!(zone.parse::<Zone>().unwrap().at(wall).unwrap().to_string(), moment, "{zone}, {wall}");
        }
        assert_eq!("local".parse(), Ok(Zone::Local));
        for bad in ["", "Berlin", "Mars/Base", "2", "+99:00"] {
            assert_eq!(bad.parse::<Zone>(), Err(BadZone), "{bad}");
        }
    }
}
