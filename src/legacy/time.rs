//! Times as programs write them.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use crate::domain::time::Timestamp;
use crate::domain::zone::Zone;

/// How times without a zone are written, and days with words for nothing.
const WALL: [&str; 7] = [
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%Y%m%d%H%M%S",
];

/// A time with a zone, without one (then in `zone`), a day alone (its beginning), or seconds, milli-, micro- or nanoseconds
/// since 1970.
pub(super) fn time(text: &str, zone: Zone) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = Timestamp::parse(text).or_else(|_| Timestamp::parse(&text.replacen(' ', "T", 1))) {
        return Some(at);
    }
    // As Postgres and Python write an offset.
    for format in ["%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f %#z"] {
        if let Ok(at) = chrono::DateTime::parse_from_str(text, format) {
            return Timestamp::from_unix(at.timestamp());
        }
    }
    let utc = text.strip_suffix(" UTC").and_then(|text| wall(text)?.and_utc().timestamp().into());
    if let Some(seconds) = utc {
        return Timestamp::from_unix(seconds);
    }
    // Fourteen digits may be a day and a time, but not seconds since 1970.
    wall(text).and_then(|wall| zone.at(wall)).or_else(|| day(text, zone)).or_else(|| since_1970(text))
}

fn wall(text: &str) -> Option<NaiveDateTime> {
    WALL.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
}

/// The beginning of a day.
pub(super) fn day(text: &str, zone: Zone) -> Option<Timestamp> {
    let day =
        ["%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d"].iter().find_map(|format| NaiveDate::parse_from_str(text, format).ok())?;
    zone.at(day.and_time(NaiveTime::MIN))
}

/// A time of that day, such as `10:15`.
pub(super) fn time_of_day(day: &str, clock: &str, zone: Zone) -> Option<Timestamp> {
    let clock = NaiveTime::parse_from_str(clock, "%H:%M").ok()?;
    zone.at(NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?.and_time(clock))
}

fn since_1970(text: &str) -> Option<Timestamp> {
    let whole = text.split('.').next().unwrap_or(text);
    let number: i64 = whole.parse().ok()?;
    // From 1973 to 5138 in each of them.
    let seconds = match number {
        100_000_000..100_000_000_000 => number,
        100_000_000_000..100_000_000_000_000 => number / 1000,
        100_000_000_000_000..100_000_000_000_000_000 => number / 1_000_000,
        100_000_000_000_000_000.. => number / 1_000_000_000,
        _ => return None,
    };
    Timestamp::from_unix(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_programs_write_them() {
        let berlin: Zone = "Europe/Berlin".parse().unwrap();
        for (text, moment) in [
            ("2026-05-02T09:00:00Z", "2026-05-02T09:00:00Z"),
            ("2026-02-01T00:00:00-08:00", "2026-02-01T08:00:00Z"),
            ("2026-02-01 00:00:00.123456+00", "2026-02-01T00:00:00Z"),
            ("2026-02-01 00:00:00+0200", "2026-01-31T22:00:00Z"),
            ("2026-02-01 10:00:00 UTC", "2026-02-01T10:00:00Z"),
            ("2026-05-02T09:00:00", "2026-05-02T07:00:00Z"),
            ("2026-05-02 09:00:00.5", "2026-05-02T07:00:00Z"),
            ("2026-05-02 09:00", "2026-05-02T07:00:00Z"),
            ("2026-05-02", "2026-05-01T22:00:00Z"),
            ("02.05.2026", "2026-05-01T22:00:00Z"),
            ("1780497000", "2026-06-03T14:30:00Z"),
            ("1780497000.25", "2026-06-03T14:30:00Z"),
            ("1780497000123", "2026-06-03T14:30:00Z"),
            ("1780497000123456", "2026-06-03T14:30:00Z"),
            ("1780497000123456789", "2026-06-03T14:30:00Z"),
        ] {
            assert_eq!(time(text, berlin).map(|at| at.to_string()).as_deref(), Some(moment), "{text}");
        }
        for text in ["", "gestern", "8645", "2026-13-01", "2026", "-5"] {
            assert_eq!(time(text, berlin), None, "{text}");
        }
    }
}
