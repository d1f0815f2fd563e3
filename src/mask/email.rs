//! E-mail addresses, plain and spelt out (`name (at) host (dot) org`).

use super::Kind;
use super::line::{Line, is_blank};
use super::overlap::Span;

/// The longest local part that RFC 5321 allows, in bytes.
const MAX_LOCAL: usize = 64;
/// The longest domain that RFC 5321 allows, in bytes.
const MAX_DOMAIN: usize = 255;
/// Endings that are file types rather than top-level domains.
const FILE_TYPES: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "bmp", "tiff", "pdf", "css", "js", "mjs", "ts", "tsx",
    "json", "html", "txt", "md", "yml", "yaml", "toml", "lock", "tgz", "gz", "tar",
];
/// Accounts that clones and logins use, with hosts after them.
const LOGINS: &[&str] = &["git", "hg", "svn", "root", "ubuntu", "ec2-user", "deploy", "admin"];
/// The ways an address spells `@`, in the order they are tried.
const SPELT_AT: &[&str] = &["(at)", "[at]", "{at}", "<at>", "(a)", "(ät)", "_at_", "-at-"];
const SPELT_DOT: &[&str] = &["(dot)", "[dot]", "{dot}", "<dot>", "(punkt)", "[punkt]", "(.)", "[.]", "."];

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    for (at, _) in line.text().match_indices('@') {
        out.extend(plain(line, at));
    }
    for (at, c) in line.text().match_indices(['(', '[', '{', '<', '_']) {
        if let Some(spelt) =
            SPELT_AT.iter().find(|spelt| spelt.starts_with(c) && line.from(at).to_lowercase_prefix(spelt))
        {
            out.extend(obfuscated(line, at, at + spelt.len()));
        }
    }
    // ` at … dot … `: only with both words, since "at" alone is English.
    if line.text().contains(" at ") || line.text().contains(" AT ") {
        for (at, _) in line.text().match_indices([' ']) {
            if line.has_at(at, " at ") {
                out.extend(worded(line, at));
            }
        }
    }
}

trait LowercasePrefix {
    fn to_lowercase_prefix(&self, prefix: &str) -> bool;
}

impl LowercasePrefix for str {
    /// Whether the text starts with `prefix`, which is in lower case, whatever the text's case.
    fn to_lowercase_prefix(&self, prefix: &str) -> bool {
        let mut text = self.chars();
        prefix.chars().all(|p| text.next().is_some_and(|c| c == p || c.to_lowercase().eq(std::iter::once(p))))
    }
}

fn is_local(c: char) -> bool {
    c.is_alphabetic()
        || c.is_ascii_digit()
        || matches!(c, '.' | '_' | '%' | '+' | '-' | '\'' | '#' | '&' | '~' | '!' | '=' | '?' | '$' | '*' | '^' | '|')
}

/// The start of the local part that ends at `end`.
fn local_start(line: Line<'_>, end: usize) -> Option<usize> {
    let mut start = end;
    for (i, c) in line.to(end).char_indices().rev() {
        if !is_local(c) {
            break;
        }
        if end - i > MAX_LOCAL {
            return None;
        }
        start = i;
    }
    // Signs that are allowed within stand for something else at the start: quotes, assignments, list marks.
    let local = line.slice(start..end);
    let after_sign = local.rfind(['=', '?', '\'', '|', '&', '*', '~', '!', '$', '^', '#']).map_or(0, |i| i + 1);
    let local = local.get(after_sign..).unwrap_or("");
    let trimmed = local.trim_start_matches(['.', '-', '%', '+']);
    let fits = !trimmed.is_empty() && !trimmed.ends_with('.') && !trimmed.contains("..");
    fits.then(|| end - trimmed.len())
}

/// The end of the domain that starts at `start`, with its top-level domain.
fn domain_end(line: Line<'_>, start: usize) -> Option<usize> {
    let mut end = start;
    for (i, c) in line.from(start).char_indices() {
        let fits = c.is_alphabetic() || c.is_ascii_digit() || matches!(c, '.' | '-');
        if !fits {
            break;
        }
        end = start + i + c.len_utf8();
        if end - start > MAX_DOMAIN {
            return None;
        }
    }
    let domain = line.slice(start..end).trim_end_matches(['.', '-']);
    let domain = domain.split("..").next().unwrap_or("").trim_end_matches('-');
    let (rest, tld) = domain.rsplit_once('.')?;
    let tld_fits = tld.chars().count() >= 2 && tld.chars().all(char::is_alphabetic) || tld.starts_with("xn--");
    let labels_fit = domain.split('.').all(|label| !label.is_empty() && !label.starts_with('-'));
    if !tld_fits || !labels_fit || rest.is_empty() {
        return None;
    }
    let versioned = rest.starts_with(|c: char| c.is_ascii_digit())
        && rest.split('.').nth(1).is_some_and(|label| label.starts_with(|c: char| c.is_ascii_digit()));
    let file = FILE_TYPES.iter().any(|ext| tld.eq_ignore_ascii_case(ext));
    (!versioned && !file).then_some(start + domain.len())
}

fn plain(line: Line<'_>, at: usize) -> Option<Span> {
    let start = local_start(line, at)?;
    let end = domain_end(line, at + 1)?;
    let local = line.slice(start..at);
    let scheme = line.to(start).ends_with("//");
    let remote = line.byte(end) == b':'
        && (line.byte(end + 1).is_ascii_alphanumeric() || matches!(line.byte(end + 1), b'/' | b'~'));
    let path = remote && {
        let path = line.slice(end + 1..line.run_within(end + 1, MAX_DOMAIN, |b| !is_blank(b)));
        path.contains('/') || path.bytes().all(|b| b.is_ascii_digit())
    };
    if scheme || path || remote && LOGINS.contains(&local) || local == "git" {
        return None;
    }
    // `self.value@other.name(`: code.
    let called = line.byte(end) == b'(';
    (!called).then(|| Span::new(start..end, Kind::Email, "email"))
}

/// `anna (at) example (dot) org`, `anna[at]example.org`.
fn obfuscated(line: Line<'_>, at: usize, after: usize) -> Option<Span> {
    let end_of_local = line.run_back(at, is_blank);
    let start = local_start(line, end_of_local)?;
    let end = spelt_domain(line, line.skip_blanks(after))?;
    Some(Span::new(start..end, Kind::Email, "email-spelt-out"))
}

/// Labels joined by a spelt-out or plain dot, at least two.
fn spelt_domain(line: Line<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    let mut end = None;
    for labels in 0..8 {
        let label_end = line.run_chars(at, |c| c.is_alphabetic() || c.is_ascii_digit() || c == '-');
        let label = line.slice(at..label_end);
        if label.is_empty() || label.len() > 63 {
            break;
        }
        if labels > 0 && label.chars().count() >= 2 && label.chars().all(char::is_alphabetic) {
            end = Some(label_end);
        }
        let mark = line.skip_blanks(label_end);
        let rest = line.from(mark);
        let dot = SPELT_DOT.iter().find(|dot| rest.to_lowercase_prefix(dot) && (**dot != "." || mark == label_end));
        let worded = ["dot ", "punkt "].iter().find(|dot| mark > label_end && rest.to_lowercase_prefix(dot));
        let Some(dot) = dot.or(worded) else { break };
        at = line.skip_blanks(mark + dot.len());
        if *dot == "." && at > mark + 1 {
            break;
        }
    }
    end
}

/// `anna at example dot org`.
fn worded(line: Line<'_>, at: usize) -> Option<Span> {
    let start = local_start(line, at)?;
    let domain = line.skip_blanks(at + 4);
    let end = spelt_domain(line, domain)?;
    let spelt = line.slice(domain..end);
    (spelt.contains(" dot ") || spelt.contains(" DOT ") || spelt.contains("(dot)") || spelt.contains(" punkt "))
        .then(|| Span::new(start..end, Kind::Email, "email-spelt-out"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn addresses_are_found_in_all_their_dress() {
        assert_masked(&[
            ("Mail an anna.meier@example.de.", "Mail an [EMAIL]."),
            ("<a+b@x-y.co.uk>, b_c@sub.example.org;", "<[EMAIL]>, [EMAIL];"),
            ("mailto:anna@example.de?subject=x", "mailto:[EMAIL]?subject=x"),
            ("anna (at) example (dot) org", "[EMAIL]"),
            ("anna[at]example.org schreibt", "[EMAIL] schreibt"),
            ("write to anna at example dot org please", "write to [EMAIL] please"),
            ("info@müller-bau.de", "[EMAIL]"),
            ("user='anna@example.de'", "user='[EMAIL]'"),
            ("a3f7b2c@example.com", "[EMAIL]"),
            ("?email=anna@example.de&x=1", "?email=[EMAIL]&x=1"),
        ]);
    }

    #[test]
    fn what_only_has_an_at_sign_stays() {
        assert_kept(&[
            "git clone git@github.com:acme/foo.git",
            "npm i pkg@1.2.3 react@18.3.0-rc.1 @types/node@20.1.0",
            "logo@2x.png",
            "ssh deploy@host.example.com:/srv/app",
            "scp x root@srv1.example.com:backup/",
            "ssh://git@git.example.com/acme/foo.git",
            "@mention und #tag",
            "let x = a@b;",
            "we met at noon. dot com was a bubble",
            "a@a@a@a@",
        ]);
    }
}
