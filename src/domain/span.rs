//! Spans of time: `30m` and the like as people type them, and elapsed or remaining time as people read it.
//!
//! Moments in time are chrono's business; this file knows lengths only.

use std::fmt;
use std::str::FromStr;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;

/// The units from the largest to the smallest: letter and seconds.
const UNITS: [(char, u64); 5] = [('w', WEEK), ('d', DAY), ('h', HOUR), ('m', MINUTE), ('s', 1)];

/// A length of time in whole seconds, written as a number and one unit: `45s`, `30m`, `12h`, `7d`, `2w`.
///
/// At most [`Span::MAX`], so that adding it to a moment of our age or taking it away cannot overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Span(u64);

/// Why a text is no span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// Not a number with one unit.
    #[error("not a span of time: give a whole number and one of s, m, h, d, w, such as 30m, 12h, 7d or 2w")]
    Form,
    /// Longer than [`Span::MAX`].
    #[error("span of time too long: the limit is {}", Span::MAX)]
    TooLong,
}

impl Span {
    /// The longest span: 10,000 weeks, about 191 years.
    pub const MAX: Self = Self(10_000 * WEEK);

    /// A span of so many seconds; [`Span::MAX`] where that would be exceeded.
    pub const fn from_seconds(seconds: u64) -> Self {
        if seconds > Self::MAX.0 { Self::MAX } else { Self(seconds) }
    }

    /// A span of so many minutes; [`Span::MAX`] where that would be exceeded.
    pub const fn from_minutes(minutes: u64) -> Self {
        Self::from_seconds(minutes.saturating_mul(MINUTE))
    }

    /// A span of so many hours; [`Span::MAX`] where that would be exceeded.
    pub const fn from_hours(hours: u64) -> Self {
        Self::from_seconds(hours.saturating_mul(HOUR))
    }

    /// A span of so many days; [`Span::MAX`] where that would be exceeded.
    pub const fn from_days(days: u64) -> Self {
        Self::from_seconds(days.saturating_mul(DAY))
    }

    /// The length in seconds.
    pub const fn seconds(self) -> u64 {
        self.0
    }

    /// The length in seconds, signed, for arithmetic with moments.
    pub const fn signed_seconds(self) -> i64 {
        self.0.cast_signed()
    }
}

impl FromStr for Span {
    type Err = SpanError;

    /// Reads a number and one unit, in lower case and without blanks or sign.
    fn from_str(text: &str) -> Result<Self, SpanError> {
        let unit = text.chars().next_back().ok_or(SpanError::Form)?;
        let (_, seconds) = UNITS.into_iter().find(|(letter, _)| *letter == unit).ok_or(SpanError::Form)?;
        let digits = text.strip_suffix(unit).ok_or(SpanError::Form)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SpanError::Form);
        }
        // Digits alone can fail in one way: by being too many.
        let number: u64 = digits.parse().map_err(|_| SpanError::TooLong)?;
        let span = number.checked_mul(seconds).map(Self).ok_or(SpanError::TooLong)?;
        if span > Self::MAX { Err(SpanError::TooLong) } else { Ok(span) }
    }
}

impl fmt::Display for Span {
    /// Writes the span in the largest unit that divides it: seven days are `1w`, ninety minutes `90m`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |seconds: u64| self.0 > 0 && self.0.is_multiple_of(seconds);
        let (letter, seconds) = UNITS.into_iter().find(|(_, seconds)| fits(*seconds)).unwrap_or(('s', 1));
        write!(f, "{}{letter}", self.0 / seconds)
    }
}

impl TryFrom<String> for Span {
    type Error = SpanError;

    fn try_from(text: String) -> Result<Self, SpanError> {
        text.parse()
    }
}

impl From<Span> for String {
    fn from(span: Span) -> Self {
        span.to_string()
    }
}

/// How long ago, for people: `just now`, `5 min`, `3 h`, `2 d`, `5 w`.
///
/// Rounded down. Days run up to 13, then weeks. What lies ahead, as a clock that was set back makes it, is `just now`.
pub fn age(seconds: i64) -> String {
    largest_unit(u64::try_from(seconds).unwrap_or(0)).unwrap_or_else(|| "just now".to_owned())
}

/// How much time is left, for people: `3 d left`, `12 h left`, `< 1 min left`, and `overdue` from zero down.
///
/// Rounded down, so that it never promises more than there is.
pub fn time_left(seconds: i64) -> String {
    match u64::try_from(seconds) {
        Err(_) | Ok(0) => "overdue".to_owned(),
        Ok(seconds) => largest_unit(seconds).map_or_else(|| "< 1 min left".to_owned(), |time| format!("{time} left")),
    }
}

/// The length in the unit people would use; `None` below one minute.
fn largest_unit(seconds: u64) -> Option<String> {
    let (unit, length) = match seconds {
        ..MINUTE => return None,
        MINUTE..HOUR => ("min", MINUTE),
        HOUR..DAY => ("h", HOUR),
        DAY.. if seconds < 2 * WEEK => ("d", DAY),
        _ => ("w", WEEK),
    };
    Some(format!("{} {unit}", seconds / length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn number_and_unit_are_read() {
        for (text, seconds) in [
            ("45s", 45),
            ("30m", 1800),
            ("12h", 43_200),
            ("7d", 604_800),
            ("2w", 1_209_600),
            ("0s", 0),
            ("0w", 0),
            ("007m", 420),
            ("10000w", Span::MAX.seconds()),
        ] {
            assert_eq!(text.parse(), Ok(Span(seconds)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in
            ["", "m", "30", "30 m", " 30m", "30m ", "-5m", "+5m", "1.5h", "1h30m", "30M", "3y", "3mo", "٣m", "5ü"]
        {
            assert_eq!(text.parse::<Span>(), Err(SpanError::Form), "{text:?}");
        }
        for text in ["10001w", "99999999999999999999s", "18446744073709551615w"] {
            assert_eq!(text.parse::<Span>(), Err(SpanError::TooLong), "{text:?}");
        }
    }

    #[test]
    fn errors_name_the_form() {
        assert!(SpanError::Form.to_string().contains("30m, 12h, 7d or 2w"));
        assert_eq!(SpanError::TooLong.to_string(), "span of time too long: the limit is 10000w");
    }

    #[test]
    fn shown_in_the_largest_exact_unit() {
        for (seconds, text) in [
            (0, "0s"),
            (59, "59s"),
            (60, "1m"),
            (5400, "90m"),
            (7200, "2h"),
            (86_400, "1d"),
            (604_800, "1w"),
            (604_801, "604801s"),
        ] {
            assert_eq!(Span(seconds).to_string(), text);
        }
    }

    #[test]
    fn constructors_saturate() {
        assert_eq!(Span::from_minutes(120), Span::from_hours(2));
        assert_eq!(Span::from_days(14).to_string(), "2w");
        assert_eq!(Span::from_days(u64::MAX), Span::MAX);
        assert_eq!(Span::from_days(1).signed_seconds(), 86_400);
    }

    #[test]
    fn stored_as_text() {
        assert_eq!(serde_json::to_string(&Span::from_days(7)).unwrap(), r#""1w""#);
        assert_eq!(serde_json::from_str::<Span>(r#""12h""#).unwrap(), Span::from_hours(12));
        assert!(serde_json::from_str::<Span>(r#""soon""#).is_err());
    }

    #[test]
    fn age_reads_naturally() {
        for (seconds, text) in [
            (-5, "just now"),
            (0, "just now"),
            (59, "just now"),
            (60, "1 min"),
            (300, "5 min"),
            (3599, "59 min"),
            (3600, "1 h"),
            (86_399, "23 h"),
            (86_400, "1 d"),
            (13 * 86_400, "13 d"),
            (14 * 86_400, "2 w"),
            (35 * 86_400, "5 w"),
            (i64::MIN, "just now"),
        ] {
            assert_eq!(age(seconds), text, "{seconds}");
        }
    }

    #[test]
    fn time_left_never_promises_too_much() {
        for (seconds, text) in [
            (i64::MIN, "overdue"),
            (-1, "overdue"),
            (0, "overdue"),
            (1, "< 1 min left"),
            (60, "1 min left"),
            (43_200, "12 h left"),
            (86_400 * 4 - 1, "3 d left"),
            (14 * 86_400, "2 w left"),
        ] {
            assert_eq!(time_left(seconds), text, "{seconds}");
        }
        assert!(time_left(i64::MAX).ends_with(" w left"));
    }

    proptest! {
        #[test]
        fn display_round_trips(seconds in 0..=Span::MAX.seconds()) {
            prop_assert_eq!(Span(seconds).to_string().parse(), Ok(Span(seconds)));
        }

        #[test]
        fn parsing_never_panics(text in ".*") {
            let _ = text.parse::<Span>();
        }
    }
}
