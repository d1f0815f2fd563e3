//! Private keys in PEM armour: from the first dash to the last, over all the lines between.

use std::ops::Range;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
/// The longest label between the dashes, in bytes.
const MAX_LABEL: usize = 40;

/// The longest line of key material, in bytes: a whole key with its line ends written as `\\n`.
const MAX_LINE: usize = 16 << 10;

/// The private-key blocks of a text. A block without its end reaches as far as its lines look like one.
pub(in crate::mask) fn find(raw: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    // The next END after `at`, looked up once per END and not once per BEGIN.
    let mut next_end: Option<usize> = None;
    while let Some(start) = position(raw, at, BEGIN) {
        let Some(head) = header_end(raw, start) else {
            at = start + BEGIN.len();
            continue;
        };
        if next_end.is_none_or(|end| end < head) {
            next_end = Some(position(raw, head, END).unwrap_or(raw.len()));
        }
        let end = next_end.filter(|&end| end < raw.len()).and_then(|end| Some((end, footer_end(raw, end)?)));
        let stop = match end {
            Some((footer, stop)) if position_within(raw, head..footer, BEGIN).is_none() => stop,
            _ => body_end(raw, head),
        };
        found.push(start..stop);
        at = stop;
    }
    found
}

fn position(raw: &str, from: usize, needle: &str) -> Option<usize> {
    raw.get(from..)?.find(needle).map(|at| from + at)
}

fn position_within(raw: &str, range: Range<usize>, needle: &str) -> Option<usize> {
    raw.get(range)?.find(needle)
}

/// The end of `-----BEGIN … PRIVATE KEY-----`.
fn header_end(raw: &str, start: usize) -> Option<usize> {
    let label_start = start + BEGIN.len();
    let rest = raw.get(label_start..)?;
    let label_len =
        rest.bytes().take(MAX_LABEL).position(|b| !(b.is_ascii_uppercase() || b.is_ascii_digit() || b == b' '))?;
    let label = rest.get(..label_len)?;
    let private = label.ends_with("PRIVATE KEY") || label == "PGP PRIVATE KEY BLOCK";
    (private && rest.get(label_len..)?.starts_with("-----")).then_some(label_start + label_len + 5)
}

/// The end of `-----END …-----`.
fn footer_end(raw: &str, start: usize) -> Option<usize> {
    let rest = raw.get(start + END.len()..)?;
    let label_len =
        rest.bytes().take(MAX_LABEL).position(|b| !(b.is_ascii_uppercase() || b.is_ascii_digit() || b == b' '))?;
    let dashes = rest.get(label_len..)?.bytes().take_while(|&b| b == b'-').count().min(5);
    Some(start + END.len() + label_len + dashes)
}

/// The line that begins at `at`, its line end included; none at the end, nor where it is too long for key material. Only so
/// much is looked at, so that a long line of headers is read once and not once per header.
fn line_at(raw: &str, at: usize) -> Option<&str> {
    let rest = raw.as_bytes().get(at..).filter(|rest| !rest.is_empty())?;
    let near = rest.get(..MAX_LINE).unwrap_or(rest);
    match near.iter().position(|byte| *byte == b'\n') {
        Some(end) => raw.get(at..=at + end),
        None if near.len() == rest.len() => raw.get(at..),
        None => None,
    }
}

/// The end of the key material after a header whose footer is missing.
fn body_end(raw: &str, head: usize) -> usize {
    let mut end = head;
    let mut at = head;
    while let Some(line) = line_at(raw, at) {
        let text = line.trim();
        let armour = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:"].iter().any(|field| text.starts_with(field));
        let base64 = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\\'));
        if !(text.is_empty() || armour || base64 && (text.len() >= 16 || text.ends_with('='))) {
            break;
        }
        if !text.is_empty() {
            end = at + line.trim_end().len();
        }
        at += line.len();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};

    fn armour(label: &str, body: &str) -> String {
        format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----")
    }

    #[test]
    fn a_private_key_is_one_finding() {
        for label in [
            "PRIVATE KEY",
            "RSA PRIVATE KEY",
            "OPENSSH PRIVATE KEY",
            "EC PRIVATE KEY",
            "ENCRYPTED PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
        ] {
            let text = format!("vor\n{}\nnach", armour(label, "b3BlbnNzaC1rZXk\nAAAA"));
            assert_masked(&[(text.as_str(), "vor\n[CREDENTIAL]\nnach")]);
        }
    }

    #[test]
    fn a_cut_off_key_goes_as_far_as_its_lines() {
        let text = format!("{}RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx1\nyz12345678901234==\nund Text", "-----BEGIN ");
        assert_masked(&[(text.as_str(), "[CREDENTIAL]\nund Text")]);
    }

    #[test]
    fn public_parts_stay() {
        let public = armour("CERTIFICATE", "MIIB");
        assert_kept(&[public.as_str(), "BEGIN RSA PRIVATE KEY", "----BEGIN RSA PRIVATE KEY-----"]);
    }
}
