//! Values that a machine has drawn, beside a provider's name or where no name explains them.

use super::super::Kind;
use super::super::line::Line;
use super::super::overlap::Span;
use super::super::protect::{is_hash, is_uuid};
use super::assign::{MAX_VALUE, MIN_RANDOM, longest_part};
use super::value::{entropy, has_digit, has_lower, has_upper, is_random, is_reference};

/// Where a value is drawn at random and no secret: names before it, in lower case.
const PUBLIC_NAMES: &[&str] = &[
    "integrity",
    "checksum",
    "hash",
    "sha",
    "sha1",
    "sha256",
    "sha384",
    "sha512",
    "md5",
    "digest",
    "etag",
    "commit",
    "rev",
    "revision",
    "id",
    "uuid",
    "guid",
    "data",
    "image",
    "img",
    "src",
    "href",
    "url",
    "uri",
    "link",
    "path",
    "file",
    "filename",
    "version",
    "tag",
    "ref",
    "fingerprint",
    "nonce",
    "base64",
    "content",
    "body",
    "text",
    "query",
    "q",
    "name",
    "class",
    "style",
    "model",
    "branch",
    "build",
    "trace",
    "traceid",
    "spanid",
    "request",
    "requestid",
    "session",
    "turn",
    "review",
    "block",
    "blob",
    "tree",
    "parent",
    "object",
    "asset",
    "location",
    "host",
    "server",
    "bucket",
    "resource",
    "arn",
    "page",
    "slug",
];

/// Machine-drawn values beside a provider's name, and those that no name explains.
pub(super) fn drawn(line: Line<'_>, out: &mut Vec<Span>) {
    let bytes = line.text().as_bytes();
    let in_value = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+' | b'/' | b'.' | b'~' | b'%');
    let mut at = 0;
    while let Some(step) = bytes.get(at..).and_then(|rest| rest.iter().position(|&b| b.is_ascii_alphanumeric())) {
        let start = at + step;
        let end = line.run(start, in_value);
        at = end;
        if end - start < 16 || end - start > MAX_VALUE {
            continue;
        }
        let value = line.slice(start..end).trim_end_matches(['.', '-', '/', '%']);
        let padded = start + value.len() + line.from(start + value.len()).bytes().take_while(|&b| b == b'=').count();
        if !is_random(value, MIN_RANDOM) || is_reference(value, false) {
            continue;
        }
        let sign_end =
            line.run_back(start, |b| matches!(b, b' ' | b':' | b'=' | b'"' | b'\'' | b'-' | b'>' | b'(' | b'`'));
        let sign = line.slice(sign_end..start);
        let name = line.word_before(sign_end);
        if sign.is_empty() || name.is_empty() || sign.len() > 6 {
            continue;
        }
        let lower: String = name.to_lowercase().chars().filter(|&c| c != '_').collect();
        let assigned = sign.contains('=') || sign.contains(':');
        let by_provider = super::providers::is_provider(&lower)
            && (is_hash(value) && value.len() >= 32 || is_uuid(value) || longest_part(value) >= 16);
        let unexplained = assigned
            && value.len() >= 32
            && !is_hash(value)
            && !is_uuid(value)
            && longest_part(value) >= 24
            && !PUBLIC_NAMES.iter().any(|public| lower.ends_with(public))
            && !value.starts_with("sha")
            && !value.contains('.')
            && value.matches('/').count() <= 3
            && has_upper(value)
            && has_lower(value)
            && has_digit(value)
            && entropy(value) > 4.0;
        if by_provider || unexplained {
            let rule = if by_provider { "provider-and-value" } else { "high-entropy-assignment" };
            out.push(Span::new(start..padded, Kind::Credential, rule));
        }
    }
}
