//! Numbers as people write them: amounts with units, dates, times, versions, ranges, and numbers in words.

mod spelled;

pub(super) use spelled::{month, ordinal, unit, with_unit, word_number};

use super::words::fold;

/// What a number is a number of. Only numbers of one kind can agree or disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No unit; what is counted is the word beside it.
    Plain,
    /// Money; the code tells the currency.
    Money(u8),
    /// Per cent.
    Percent,
    /// Seconds.
    Duration,
    /// Bytes.
    Bytes,
    /// Metres.
    Length,
    /// Square metres.
    Area,
    /// Litres.
    Volume,
    /// Grams.
    Mass,
    /// Degrees Celsius.
    Temperature,
    /// Watts.
    Power,
    /// Watt hours.
    Energy,
    /// Hertz.
    Frequency,
    /// Minutes since midnight.
    Clock,
    /// A calendar date; unknown parts are absent.
    Date,
    /// Dotted numbers.
    Version,
    /// An IP address.
    Ip,
}

/// How the text bounds the number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bound {
    /// Just the number.
    #[default]
    Exact,
    /// "ca.", "about".
    Approx,
    /// "bis zu", "at most".
    AtMost,
    /// "mindestens", "at least", "ab".
    AtLeast,
}

/// A calendar date as far as it was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date {
    /// The year, four digits; 0 when it was left out.
    pub(super) year: u16,
    /// The month, 1 to 12; 0 when it was left out.
    pub(super) month: u8,
    /// The day, 1 to 31; 0 when it was left out.
    pub(super) day: u8,
}

impl Date {
    /// Whether both can be the same day, month or year.
    pub(super) fn fits(self, other: Self) -> bool {
        fn part(a: u16, b: u16) -> bool {
            a == 0 || b == 0 || a == b
        }
        part(self.year, other.year)
            && part(self.month.into(), other.month.into())
            && part(self.day.into(), other.day.into())
    }

    /// Whether this says at least as much as `other`.
    pub(super) fn covers(self, other: Self) -> bool {
        self.fits(other)
            && (self.year != 0 || other.year == 0)
            && (self.month != 0 || other.month == 0)
            && (self.day != 0 || other.day == 0)
    }
}

/// A number found in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    /// What it is a number of.
    pub(super) kind: Kind,
    /// The value, or the lower end of a range.
    pub(super) low: f64,
    /// The upper end; equal to `low` for a single number.
    pub(super) high: f64,
    /// Another reading of the same digits: `1.500` is 1500 in German and 1.5 in English.
    pub(super) other: Option<f64>,
    /// The date, for [`Kind::Date`]; the last day of a range is not kept.
    pub(super) date: Date,
    /// The parts of a version or address.
    pub(super) parts: Vec<u32>,
    /// How it is bounded.
    pub(super) bound: Bound,
}

impl Quantity {
    fn new(kind: Kind, value: f64) -> Self {
        Self {
            kind,
            low: value,
            high: value,
            other: None,
            date: Date::default(),
            parts: Vec::new(),
            bound: Bound::Exact,
        }
    }

    /// A date.
    pub(super) fn of_date(date: Date) -> Self {
        Self { date, ..Self::new(Kind::Date, 0.0) }
    }

    /// Whether it is a range.
    pub(super) fn is_range(&self) -> bool {
        (self.high - self.low).abs() > f64::EPSILON
    }

    /// Whether the two can be compared at all.
    pub(super) fn comparable(&self, other: &Self) -> bool {
        self.kind == other.kind
            || matches!((self.kind, other.kind), (Kind::Version, Kind::Plain) | (Kind::Plain, Kind::Version))
    }

    /// Whether both state the same.
    pub(super) fn equals(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (Kind::Date, Kind::Date) => {
                self.date.fits(other.date) && (self.date != Date::default() || self.date == other.date)
            }
            (Kind::Version | Kind::Plain, Kind::Version) | (Kind::Version, Kind::Plain) => {
                same_version(&self.digits(), &other.digits())
            }
            (Kind::Ip, Kind::Ip) => self.parts == other.parts,
            (a, b) if a == b => {
                let tolerance = if a == Kind::Bytes { 0.075 } else { 1e-6 };
                let near = |x: f64, y: f64| (x - y).abs() <= tolerance * x.abs().max(y.abs()) + 1e-9;
                let ends = near(self.low, other.low) && near(self.high, other.high);
                let single = !self.is_range() && !other.is_range();
                let second = |value: Option<f64>, single: f64| value.is_some_and(|value| near(value, single));
                ends || single && (second(self.other, other.low) || second(other.other, self.low))
            }
            _ => false,
        }
    }

    /// Whether both can't be true of the same thing: other numbers, and neither lies within what the other leaves open.
    pub(super) fn excludes(&self, page: &Self) -> bool {
        if !self.comparable(page) || self.equals(page) {
            return false;
        }
        match page.kind {
            Kind::Date => return !self.date.fits(page.date),
            Kind::Ip => return true,
            // 1.9 may be any 1.9.x.
            Kind::Version => return !self.leads(page) && !page.leads(self),
            _ if self.kind == Kind::Version => return !self.leads(page) && !page.leads(self),
            _ => {}
        }
        let span = |q: &Self| match q.bound {
            Bound::Exact => (q.low, q.high),
            Bound::Approx => (q.low * 0.85, q.high * 1.15),
            Bound::AtMost => (f64::NEG_INFINITY, q.high),
            Bound::AtLeast => (q.low, f64::INFINITY),
        };
        let (mine, theirs) = (span(self), span(page));
        if mine.0 > theirs.1 || mine.1 < theirs.0 {
            return true;
        }
        self.bound == page.bound && self.bound != Bound::Approx && !self.is_range() && !page.is_range()
            || self.is_range() && page.is_range()
    }

    /// Whether this version is the shorter name of the other.
    fn leads(&self, other: &Self) -> bool {
        let (short, long) = (self.digits(), other.digits());
        short.len() > 1 && long.len() > short.len() && long.starts_with(&short)
    }

    fn digits(&self) -> Vec<u32> {
        if self.parts.is_empty() {
            let text = format!("{}", self.low);
            return text.split('.').filter_map(|part| part.parse().ok()).collect();
        }
        self.parts.clone()
    }
}

fn same_version(a: &[u32], b: &[u32]) -> bool {
    let trim = |parts: &[u32]| {
        let end = parts.iter().rposition(|part| *part != 0).map_or(1, |last| last + 1);
        parts.iter().take(end).copied().collect::<Vec<_>>()
    };
    trim(a) == trim(b)
}

/// A number at the start of `text`: what it is, and how many bytes it takes. The byte before it decides whether to ask.
#[expect(clippy::too_many_lines, reason = "one grammar, read from top to bottom")]
pub(super) fn number_at(text: &str, german: bool) -> Option<(Quantity, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.get(from..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count();
    let value = |from: usize, len: usize| text.get(from..from + len).and_then(|part| part.parse::<u32>().ok());
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let first = digits(0);
    if first == 0 || first > 15 {
        return None;
    }
    let head = text.get(..first)?;
    // 2026-03-22, 2026-03
    if first == 4 && byte(4) == b'-' && digits(5) == 2 {
        let (year, month) = (value(0, 4)?, value(5, 2)?);
        if byte(7) == b'-' && digits(8) == 2 {
            let mut end = 10;
            if byte(10) == b'T' && digits(11) == 2 {
                end += bytes
                    .get(10..)?
                    .iter()
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.' | b'+' | b'-'))
                    .count();
            }
            return Some((Quantity::of_date(date(year, month, value(8, 2)?)?), end));
        }
        if (1..=12).contains(&month) && !matches!(byte(7), b'-' | b'0'..=b'9') {
            return Some((Quantity::of_date(date(year, month, 0)?), 7));
        }
    }
    if byte(first) == b'.' && first <= 2 {
        let second = digits(first + 1);
        let after = first + 1 + second;
        // 24.04.2026, 24.4.26, 1.6.
        if (1..=2).contains(&second) && byte(after) == b'.' {
            let third = digits(after + 1);
            let (day, month) = (value(0, first)?, value(first + 1, second)?);
            if (third == 4 || third == 2)
                && !(byte(after + 1 + third) == b'.' && byte(after + 2 + third).is_ascii_digit())
            {
                let year = value(after + 1, third)?;
                let year = if third == 2 { year + 2000 } else { year };
                if (third == 4 && year > 1500 || second == 2 && first == 2)
                    && let Some(date) = date(year, month, day)
                {
                    return Some((Quantity::of_date(date), after + 1 + third));
                }
            }
            if third == 0
                && let Some(date) = date(0, month, day)
                && day > 0
                && month > 0
            {
                return Some((Quantity::of_date(date), after + 1));
            }
        }
    }
    // 22:30, 06:00:00
    if first <= 2 && byte(first) == b':' && digits(first + 1) == 2 {
        let (hour, minute) = (value(0, first)?, value(first + 1, 2)?);
        if hour <= 24 && minute < 60 {
            let mut end = first + 3;
            if byte(end) == b':' && digits(end + 1) == 2 {
                end += 3;
            }
            return Some((Quantity::new(Kind::Clock, f64::from(hour * 60 + minute)), end));
        }
    }
    // Dotted: version, address, thousands, decimal.
    let mut parts = vec![head];
    let mut end = first;
    while matches!(byte(end), b'.' | b',') && digits(end + 1) > 0 && parts.len() < 8 {
        let len = digits(end + 1);
        parts.push(text.get(end + 1..end + 1 + len)?);
        end += 1 + len;
    }
    let separators: Vec<u8> = text.get(..end)?.bytes().filter(|b| !b.is_ascii_digit()).collect();
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let thousands =
        parts.len() > 1 && head.len() <= 3 && head != "0" && parts.iter().skip(1).all(|part| part.len() == 3);
    let plain = |whole: &[&str], fraction: &str| format!("{}.{fraction}0", whole.concat()).parse::<f64>().ok();
    let quantity = match separators.as_slice() {
        [] => Quantity::new(Kind::Plain, head.parse().ok()?),
        [b'.', b'.', b'.'] if numbers.len() == 4 && numbers.iter().all(|n| *n < 256) => {
            Quantity { parts: numbers, ..Quantity::new(Kind::Ip, 0.0) }
        }
        [one] => {
            let decimal = plain(parts.get(..1)?, parts.get(1)?)?;
            let whole = plain(&parts, "")?;
            let grouped = thousands && (*one == b'.') == german;
            let mut quantity = Quantity::new(Kind::Plain, if grouped { whole } else { decimal });
            quantity.other = (thousands && !grouped).then_some(whole);
            if *one == b'.' && !grouped {
                quantity.parts = numbers;
            }
            quantity
        }
        same if thousands && (same.iter().all(|s| *s == b'.') || same.iter().all(|s| *s == b',')) => {
            Quantity::new(Kind::Plain, plain(&parts, "")?)
        }
        [middle @ .., last] if middle.iter().all(|s| s != last) => {
            let whole = parts.len() - 1;
            Quantity::new(Kind::Plain, plain(parts.get(..whole)?, parts.get(whole)?)?)
        }
        dots if dots.iter().all(|s| *s == b'.') => Quantity { parts: numbers, ..Quantity::new(Kind::Version, 0.0) },
        _ => {
            // A list such as 1,2,3: only the first counts.
            return Some((Quantity::new(Kind::Plain, head.parse().ok()?), first));
        }
    };
    Some((quantity, end))
}

fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    (month <= 12 && day <= 31).then_some(())?;
    Some(Date { year: u16::try_from(year).ok()?, month: u8::try_from(month).ok()?, day: u8::try_from(day).ok()? })
}

/// Reads a text that is a date and nothing else.
pub(super) fn whole_date(text: &str) -> Option<Date> {
    let text = text.trim().trim_end_matches(':').trim_matches(['*', '_', '[', ']', '(', ')']).trim();
    if let Some((quantity, len)) = number_at(text, true)
        && quantity.kind == Kind::Date
        && (len == text.len()
            || len >= 10
                && text.get(len..).is_some_and(|rest| {
                    rest.trim().len() <= 6 && rest.trim().chars().all(|c| c.is_ascii_digit() || c == ':')
                }))
    {
        return Some(quantity.date);
    }
    let words: Vec<String> = text.split([' ', ',']).filter(|word| !word.is_empty()).map(fold).collect();
    let number = |word: &str| word.trim_end_matches(['.', 't', 'h', 's', 'n', 'd', 'r']).parse::<u32>().ok();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [day, name, year] if month(name).is_some() => {
            date(number(year).filter(|y| *y > 1500)?, month(name)?.into(), number(day)?)
        }
        [name, day, year] if month(name).is_some() => {
            date(number(year).filter(|y| *y > 1500)?, month(name)?.into(), number(day)?)
        }
        [name, year] if month(name).is_some() => date(number(year).filter(|y| *y > 1500)?, month(name)?.into(), 0),
        _ => None,
    }
}
