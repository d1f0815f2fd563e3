//! Tokens by their issuers' published formats: a fixed prefix, then so many characters of an alphabet.

use super::super::Kind;
use super::super::line::Line;
use super::super::overlap::Span;
use super::formats::{Alphabet, FORMATS};
use super::value::{has_digit, has_lower, has_upper};

use Alphabet::{Alnum, Base64, Dollar, Dotted, Hex, HexAlnum, LowerAlnum, Path, Percent, Upper, Uuid, Word};

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    let bytes = line.text().as_bytes();
    if bytes.len() < 16 {
        return;
    }
    let mut skip_to = 0;
    let mut before = 0_u8;
    // No token is shorter, so most words are passed over.
    let mut long_until = 0;
    for (at, &b) in bytes.iter().enumerate() {
        let boundary = !before.is_ascii_alphanumeric();
        if before.is_ascii_whitespace() || at == 0 {
            let end = line.run(at, |b| !b.is_ascii_whitespace());
            long_until = if end - at >= SHORTEST { end } else { at };
        }
        before = b;
        if at >= long_until || at < skip_to || !boundary || !b.is_ascii_alphanumeric() {
            continue;
        }
        if let Some((end, rule)) = token_at(line, at) {
            out.push(Span::new(at..end, Kind::Credential, rule));
            skip_to = end;
        }
    }
    suffixed(line, out);
}

/// The token that starts at `at`: of the formats that fit, the one with the longest prefix.
fn token_at(line: Line<'_>, at: usize) -> Option<(usize, &'static str)> {
    let rest = line.from(at);
    let first = rest.get(..1)?;
    let from = FORMATS.partition_point(|(prefix, ..)| *prefix < first);
    let formats = FORMATS.get(from..)?.iter().take_while(|(prefix, ..)| prefix.starts_with(first));
    let fitting = formats.filter(|(prefix, ..)| rest.starts_with(prefix));
    fitting
        .filter_map(|&(prefix, alphabet, min, _)| {
            Some((body_end(line, at + prefix.len(), alphabet, min, prefix)?, prefix.len()))
        })
        .max_by_key(|&(_, prefix)| prefix)
        .map(|(end, _)| (end, "provider-token"))
}

/// The shortest token with its prefix, in bytes.
const SHORTEST: usize = 16;
/// How much of a body is looked at to tell whether it is one, in bytes.
const SAMPLE: usize = 256;

/// The end of a token's body, if it is long enough and no word.
fn body_end(line: Line<'_>, start: usize, alphabet: Alphabet, min: usize, prefix: &str) -> Option<usize> {
    let sample_end = line.run_within(start, SAMPLE, |b| alphabet.has(b));
    let body = line.slice(start..sample_end).trim_end_matches(['.', '-', '=']);
    if body.len() < min {
        return None;
    }
    let distinct = body.bytes().fold(0_u128, |set, b| set | 1 << (b & 127)).count_ones();
    let drawn = match alphabet {
        Upper => has_digit(body) || body.len() >= 16,
        Path => has_digit(body),
        Uuid => super::super::protect::is_uuid(body.get(..36).unwrap_or("")),
        // What a person writes with hyphens has no figure in it, or only its parts.
        _ if prefix.len() <= 4 => has_digit(body) && (has_lower(body) || has_upper(body)) && longest_part(body) >= 12,
        _ => has_digit(body) || has_upper(body) && has_lower(body),
    };
    if distinct < 4 || !drawn {
        return None;
    }
    let end = if sample_end - start < SAMPLE { sample_end } else { line.run(sample_end, |b| alphabet.has(b)) };
    let punctuation: &[char] = if alphabet == Base64 { &['.', '-'] } else { &['.', '-', '='] };
    let end = start + line.slice(start..end).trim_end_matches(punctuation).len();
    (alphabet != Hex || line.ends_word(end)).then_some(end)
}

fn longest_part(body: &str) -> usize {
    body.split(['-', '_', '.']).map(str::len).max().unwrap_or(0)
}

impl Alphabet {
    fn has(self, b: u8) -> bool {
        match self {
            Alnum => b.is_ascii_alphanumeric(),
            LowerAlnum => b.is_ascii_lowercase() || b.is_ascii_digit(),
            HexAlnum => b.is_ascii_alphanumeric() || b == b'-',
            Hex => b.is_ascii_hexdigit(),
            Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Word => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'),
            Dotted => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'),
            Base64 => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+' | b'/' | b'='),
            Dollar => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'),
            Percent => b.is_ascii_alphanumeric() || matches!(b, b'%' | b'_' | b'-'),
            Uuid => b.is_ascii_hexdigit() || b == b'-',
            Path => {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'_' | b'-' | b'.' | b'/' | b'=' | b'?' | b'&' | b'%' | b'@' | b':')
            }
        }
    }
}

/// Tokens known by what stands inside or at their end: Telegram's bots, `MaxMind`, Discord's bots, Azure's keys.
fn suffixed(line: Line<'_>, out: &mut Vec<Span>) {
    // `123456789:AA…`, 35 characters after the colon.
    for (colon, _) in line.text().match_indices(":AA") {
        let start = line.run_back_within(colon, 16, |b| b.is_ascii_digit());
        let end = line.run_within(colon + 1, 40, |b| Word.has(b));
        if (8..=10).contains(&(colon - start)) && (33..=36).contains(&(end - colon - 1)) {
            out.push(Span::new(start..end, Kind::Credential, "provider-token"));
        }
    }
    for (marker, before, after, alphabet) in INNER {
        for (at, mark) in line.text().match_indices(marker) {
            let start = line.run_back_within(at, SAMPLE, |b| alphabet.has(b));
            let end = line.run_within(at + mark.len(), SAMPLE, |b| alphabet.has(b));
            if at - start >= *before && end - at - mark.len() >= *after {
                out.push(Span::new(start..end, Kind::Credential, "provider-token"));
            }
        }
    }
}

/// Marker, and how many characters of the alphabet there are at least before and after it.
const INNER: &[(&str, usize, usize, Alphabet)] = &[
    ("_mmk", 30, 0, Word),
    (".atlasv1.", 12, 50, Dotted),
    ("JQQJ99", 40, 20, Alnum),
    ("AzFu", 40, 4, Base64),
    ("+ASt", 40, 4, Base64),
    ("+AMC", 40, 4, Base64),
    ("AIoT", 30, 6, Base64),
    ("AzSe", 40, 4, Alnum),
    ("APIMgt", 10, 6, Alnum),
    (".apps.googleusercontent.com", 20, 0, Word),
    ("8Q~", 3, 30, Dotted),
    ("7Q~", 3, 30, Dotted),
    ("_oai_", 10, 10, Word),
    ("T3BlbkFJ", 15, 15, Word),
];

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};
    use super::*;

    #[test]
    fn formats_are_sorted_and_distinct() {
        assert!(FORMATS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(FORMATS.len() > 150);
    }

    #[test]
    fn every_format_is_found_in_a_sentence() {
        for (prefix, alphabet, min, issuer) in FORMATS {
            let unit = match alphabet {
                Upper => "A7C9E2G4",
                Hex => "a1b2c3d4e5f60718",
                LowerAlnum => "a1b2c3d4e5f6g7h8",
                _ => "aB3dE5gH7jK9mN1pQ",
            };
            let body = if *alphabet == Uuid {
                "0a1b2c3d-1a2b-4c3d-8e9f-0a1b2c3d4e5f".to_owned()
            } else {
                unit.chars().cycle().take(*min).collect()
            };
            let text = format!("nimm {prefix}{body} dafür");
            assert_masked(&[(text.as_str(), "nimm [CREDENTIAL] dafür")]);
            let _ = issuer;
        }
    }

    #[test]
    fn words_with_such_a_start_stay() {
        assert_kept(&[
            "sk-learn-feature-extraction-text",
            "hf_hub_download_with_progress_bars",
            "npm_config_registry",
            "key-value-store-with-many-words",
            "pat-riot",
            "AKIAsmall",
            "task-proj-board",
            "live_view_component_for_users_42",
        ]);
    }
}
