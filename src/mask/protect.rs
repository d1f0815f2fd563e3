//! What looks like personal data to a scanner and is none: ids, hashes, dates, versions, addresses of machines, paths.

use std::ops::Range;

use super::Kind;
use super::line::Line;
use super::overlap::Span;

/// The protected places of a line.
#[derive(Debug, Default)]
pub(super) struct Protected {
    /// Safe from every kind but CREDENTIAL. Sorted, without overlap.
    ids: Vec<Range<usize>>,
    /// Safe from every kind but CREDENTIAL and NAME. Sorted, without overlap.
    paths: Vec<Range<usize>>,
}

impl Protected {
    pub(super) fn find(line: Line<'_>) -> Self {
        let mut protected = Self::default();
        let mut at = 0;
        while at < line.len() {
            let start = at + line.from(at).find(|c: char| !c.is_whitespace()).unwrap_or(line.len() - at);
            let end = start + line.from(start).find(char::is_whitespace).unwrap_or(line.len() - start);
            protected.chunk(line, start..end);
            at = end.max(at + 1);
        }
        protected
    }

    /// Whether a finding may not be made.
    pub(super) fn forbids(&self, span: &Span) -> bool {
        match span.kind {
            Kind::Credential => false,
            Kind::Name => overlaps(&self.ids, &span.range),
            // Their own shape is proof enough: a checksum, a domain. Parts of them may well look like a hash.
            Kind::Iban | Kind::Email => overlaps(&self.paths, &span.range),
            _ => overlaps(&self.ids, &span.range) || overlaps(&self.paths, &span.range),
        }
    }

    /// Looks at one run of characters between white space.
    fn chunk(&mut self, line: Line<'_>, chunk: Range<usize>) {
        let text = line.slice(chunk.clone());
        if is_path(text) {
            self.paths.push(chunk.clone());
        }
        if !text.bytes().any(|b| b.is_ascii_digit()) && text.len() < 32 {
            return;
        }
        // The parts that ids are made of: words with the signs that join them.
        let joins = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':' | b'+' | b'/');
        let mut at = chunk.start;
        while at < chunk.end {
            let end = line.run(at, joins).min(chunk.end);
            if end > at {
                self.word(line, at..end);
            }
            at = end + 1;
            while at < chunk.end && !line.text().is_char_boundary(at) {
                at += 1;
            }
        }
    }

    fn word(&mut self, line: Line<'_>, word: Range<usize>) {
        let text = line.slice(word.clone());
        let trimmed = text.trim_end_matches(['.', ':', '-', '/', '_', '+']);
        let trimmed = trimmed.trim_start_matches(['.', ':', '-', '/', '_']);
        if trimmed.is_empty() {
            return;
        }
        if is_own_id(trimmed)
            || is_digest(trimmed)
            || is_uuid(trimmed)
            || is_hash(trimmed)
            || is_date(trimmed)
            || is_version_or_ip(trimmed)
        {
            self.ids.push(word);
            return;
        }
        // A date with a time, an id before a dot, a uuid in a path: look at the pieces, too.
        let mut start = word.start;
        for piece in text.split(['/', ':', '.', '_', '+']) {
            let range = start..start + piece.len();
            if piece.len() >= 7 && (is_uuid(piece) || is_own_id(piece) || is_hash(piece) || is_date(piece)) {
                self.ids.push(range);
            }
            start += piece.len() + 1;
        }
    }
}

fn overlaps(ranges: &[Range<usize>], range: &Range<usize>) -> bool {
    let next = ranges.partition_point(|r| r.end <= range.start);
    ranges.get(next).is_some_and(|r| r.start < range.end)
}

/// `SESSION-carlo-20260521-a3f7b2`, `REVIEW-20260521-143022-vento-telegram`.
fn is_own_id(text: &str) -> bool {
    let rest = text.strip_prefix("SESSION-").or_else(|| text.strip_prefix("REVIEW-"));
    rest.is_some_and(|rest| rest.len() > 7 && rest.bytes().any(|b| b.is_ascii_digit()))
}

/// `sha256:…`, `sha512-…`, `md5:…`, `sha1-…`.
fn is_digest(text: &str) -> bool {
    let head = text.as_bytes();
    let named = |name: &[u8]| head.get(..name.len()).is_some_and(|h| h.eq_ignore_ascii_case(name));
    text.len() > 20 && [&b"sha"[..], b"md5", b"blake", b"crc"].into_iter().any(named) && text.contains([':', '-'])
}

pub(super) fn is_uuid(text: &str) -> bool {
    let mut groups = text.split('-');
    [8, 4, 4, 4, 12]
        .into_iter()
        .all(|len| groups.next().is_some_and(|g| g.len() == len && g.bytes().all(|b| b.is_ascii_hexdigit())))
        && groups.next().is_none()
}

/// A hexadecimal run as hash functions and Git print them, with both letters and figures: 7 digits or more in lower case, 32 in
/// upper case (shorter ones are booking codes).
pub(super) fn is_hash(text: &str) -> bool {
    let bytes = text.as_bytes();
    let text_is_hex = bytes.len() >= 7 && bytes.iter().all(u8::is_ascii_hexdigit);
    text_is_hex
        && bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().any(u8::is_ascii_alphabetic)
        && (!bytes.iter().any(u8::is_ascii_uppercase) || bytes.len() >= 32 && !bytes.iter().any(u8::is_ascii_lowercase))
}

/// `2026-05-21`, `2026-05-21T14:30:00Z`, `2026-W21`, `03.06.2026`, `3.6.`, `03.07.15`, `03/2015`, `14:30`, `14:30:05`.
pub(super) fn is_date(text: &str) -> bool {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let number = |s: &str, max: u32| (1..=2).contains(&s.len()) && s.parse::<u32>().is_ok_and(|n| n <= max);
    let year = |s: &str| {
        s.len() == 4 && s.parse::<u32>().is_ok_and(|n| (1800..2200).contains(&n)) || s.len() == 2 && number(s, 99)
    };
    let (date, time) = text.split_once(['T', 't']).unwrap_or((text, ""));
    if !time.is_empty()
        && !time.bytes().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.' | b'Z' | b'z' | b'+' | b'-'))
    {
        return false;
    }
    let parts = |sep: char| date.split(sep).collect::<Vec<_>>();
    match (parts('-').as_slice(), parts('.').as_slice(), parts('/').as_slice(), parts(':').as_slice()) {
        ([y, m, d], ..) if y.len() == 4 => year(y) && number(m, 12) && number(d, 31),
        ([d, m, y], ..) if y.len() == 4 => year(y) && number(m, 31) && number(d, 31),
        ([y, m], ..) if y.len() == 4 && m.len() == 2 => year(y) && number(m, 12),
        (_, [d, m, y], ..) => number(d, 31) && number(m, 12) && (y.is_empty() || year(y)),
        (_, [d, m], ..) if m.len() == 2 && d.len() == 2 => number(d, 31) && number(m, 12),
        (_, _, [d, m, y], _) => number(d, 31) && number(m, 31) && year(y) || year(d) && number(m, 12) && number(y, 31),
        (_, _, [m, y], _) if y.len() == 4 => number(m, 12) && year(y),
        (_, _, _, [h, m]) => number(h, 24) && m.len() == 2 && number(m, 59),
        (_, _, _, [h, m, s]) => number(h, 24) && number(m, 59) && s.len() == 2 && number(s, 60),
        _ => false,
    }
}

/// `1.2.3`, `v2.10`, `1.2.3-beta.4`, `10.0.0.1`, `10.0.0.1:8080`, `10.0.0.0/8`, `::1`, `fe80::1`.
fn is_version_or_ip(text: &str) -> bool {
    let numeric = text.strip_prefix(['v', 'V']).unwrap_or(text);
    let (core, tail) = match numeric.find(|c: char| !c.is_ascii_digit() && c != '.') {
        Some(at) => numeric.split_at(at),
        None => (numeric, ""),
    };
    let core = core.trim_end_matches('.');
    let groups = core.split('.').count();
    let digits = core.split('.').all(|g| !g.is_empty() && g.len() <= 5) && core.split('.').map(str::len).ne([3, 3, 4]);
    let tail_fits = tail.is_empty()
        || tail.starts_with([':', '/']) && tail.len() <= 6 && tail.bytes().skip(1).all(|b| b.is_ascii_digit())
        || tail.starts_with(['-', '+']) && tail.bytes().any(|b| b.is_ascii_alphabetic())
        || tail.bytes().next().is_some_and(|b| b.is_ascii_lowercase()) && tail.len() <= 12;
    if digits
        && tail_fits
        && !core.starts_with("00")
        && ((3..=4).contains(&groups) || numeric.len() < text.len() && groups >= 2)
    {
        // Four groups with one above 255 and none with a leading zero is still a version; phone numbers start with 0.
        return !(core.starts_with('0') && core.split('.').next().is_some_and(|g| g.len() > 1));
    }
    is_ipv6(text)
}

fn is_ipv6(text: &str) -> bool {
    text.matches(':').count() >= 2
        && (text.contains("::") || text.matches(':').count() == 7)
        && text.split(':').all(|g| g.len() <= 4 && g.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// A path of a file system, with a slash at its start or a file's extension at its end. No web address.
fn is_path(text: &str) -> bool {
    let text = text.trim_matches(|c: char| {
        matches!(c, '"' | '\'' | '`' | '(' | ')' | ',' | ';' | ':' | '*' | '<' | '>' | '[' | ']')
    });
    if !text.contains(['/', '\\']) || text.contains("://") || text.contains('@') && !text.starts_with(['/', '~', '.']) {
        return false;
    }
    let rooted = ["/", "~/", "./", "../", "\\\\"].iter().any(|root| text.starts_with(root))
        || text.as_bytes().get(1) == Some(&b':') && text.as_bytes().get(2) == Some(&b'\\');
    let last = text.rsplit(['/', '\\']).next().unwrap_or("");
    let extension = last.rsplit_once('.').is_some_and(|(stem, ext)| {
        !stem.is_empty()
            && (1..=5).contains(&ext.len())
            && ext.bytes().all(|b| b.is_ascii_alphanumeric())
            && ext.bytes().any(|b| b.is_ascii_alphabetic())
    });
    let first = text.chars().find(|c| !matches!(c, '/' | '~' | '.' | '\\'));
    (rooted && first.is_some_and(char::is_alphabetic)) || extension
}
