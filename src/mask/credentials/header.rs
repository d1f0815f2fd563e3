//! Credentials in headers and on command lines: `Authorization: Basic …`, `Bearer …`, `-u user:password`.

use super::super::Kind;
use super::super::line::{Line, is_blank};
use super::super::overlap::Span;
use super::value::{has_digit, has_lower, has_upper, is_reference};

const SCHEMES: &[&str] = &[
    "bearer ",
    "basic ",
    "token ",
    "apikey ",
    "digest ",
    "bot ",
    "negotiate ",
    "ntlm ",
    "genie-key ",
    "ssws ",
    "klaviyo-api-key ",
    "aws4-hmac-sha256 ",
];

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(step) = line
        .text()
        .as_bytes()
        .get(at..)
        .and_then(|rest| rest.iter().position(|b| matches!(b, b'B' | b'b' | b'a' | b'A' | b'-')))
    {
        let here = at + step;
        at = here + 1;
        let found = match line.byte(here) {
            b'-' => user_option(line, here).map(Ok),
            _ if !line.starts_word(here) => None,
            b'a' | b'A' => authorization(line, here),
            _ => bearer(line, here),
        };
        match found {
            Some(Ok(span)) => {
                at = span.range.end;
                out.push(span);
            }
            // What was read and is no credential is not read again.
            Some(Err(read)) => at = read.max(at),
            None => {}
        }
    }
}

fn token_end(line: Line<'_>, start: usize) -> usize {
    line.run(start, |b| {
        b.is_ascii_alphanumeric()
            || matches!(b, b'-' | b'_' | b'.' | b'~' | b'+' | b'/' | b'=' | b':' | b'|' | b'%' | b'!')
    })
}

/// `Authorization: Basic …`, `"authorization": "Bearer …"`.
fn authorization(line: Line<'_>, at: usize) -> Option<Result<Span, usize>> {
    const NAME: &str = "authorization";
    if !line.has_at(at, NAME) {
        return None;
    }
    let mut start =
        line.run(at + NAME.len(), |b| is_blank(b) || matches!(b, b':' | b'=' | b'"' | b'\'' | b',' | b'\\' | b'>'));
    if start - at - NAME.len() < 2 {
        return None;
    }
    let scheme = SCHEMES.iter().find(|scheme| line.has_at(start, scheme));
    start = line.skip_blanks(start + scheme.map_or(0, |s| s.len()));
    let end = token_end(line, start);
    let value = line.slice(start..end).trim_end_matches(['.', ':']);
    let fits = if scheme.is_some() { value.len() >= 6 } else { value.len() >= 12 && has_digit(value) };
    let believed = fits && !is_reference(value, true);
    let span = Span::new(start..start + value.len(), Kind::Credential, "authorization-header");
    Some(if believed { Ok(span) } else { Err(end) })
}

/// `Bearer eyJ…` wherever it stands.
fn bearer(line: Line<'_>, at: usize) -> Option<Result<Span, usize>> {
    const NAME: &str = "bearer ";
    let basic = line.has_at(at, "basic ") && line.char(at) == Some('B');
    if !line.has_at(at, NAME) && !basic {
        return None;
    }
    let start = line.skip_blanks(at + if basic { "basic ".len() } else { NAME.len() });
    let end = token_end(line, start);
    let value = line.slice(start..end).trim_end_matches(['.', ':']);
    let mixed = has_digit(value) && (has_lower(value) || has_upper(value))
        || has_lower(value) && has_upper(value) && !value.starts_with(char::is_uppercase);
    let long = if basic {
        value.len() >= 16 && (value.ends_with('=') || has_digit(value) && has_upper(value) && has_lower(value))
    } else {
        value.len() >= 10
    };
    let believed = long && mixed && !value.contains("://") && !is_reference(value, false);
    let span = Span::new(start..start + value.len(), Kind::Credential, "bearer-token");
    Some(if believed { Ok(span) } else { Err(end) })
}

/// `curl -u user:password`, `--user user:password`.
fn user_option(line: Line<'_>, at: usize) -> Option<Span> {
    let name =
        ["-u ", "--user ", "--user=", "--proxy-user "].iter().find(|name| line.slice(at..at + name.len()) == **name)?;
    if !line.char_before(at).is_none_or(char::is_whitespace) {
        return None;
    }
    let start = line.run(at + name.len(), |b| matches!(b, b' ' | b'"' | b'\''));
    let end = line.run(start, |b| !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\''));
    let (user, password) = line.slice(start..end).split_once(':')?;
    let starts = start + user.len() + 1;
    let host = password.bytes().all(|b| b.is_ascii_digit());
    (password.len() >= 3 && !host && !password.starts_with('$') && !is_reference(password, true) && !user.contains('/'))
        .then(|| Span::new(starts..end, Kind::Credential, "user-option"))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn header_values_go_and_their_names_stay() {
        assert_masked(&[
            ("Authorization: Basic QWxhZGRpbjpPcGVu", "Authorization: Basic [CREDENTIAL]"),
            ("\"authorization\": \"Bearer abc.def-123456\"", "\"authorization\": \"Bearer [CREDENTIAL]\""),
            ("mit Bearer a1b2c3d4e5f6 aufrufen", "mit Bearer [CREDENTIAL] aufrufen"),
            ("curl -u anna:geheim1 https://example.com", "curl -u anna:[CREDENTIAL] https://example.com"),
        ]);
    }

    #[test]
    fn references_and_words_stay() {
        assert_kept(&[
            "Authorization: Basic $AUTH",
            "Authorization: Bearer ${TOKEN}",
            "the Bearer token expires",
            "Basic Authentication",
            "docker run -u 1000:1000 x",
            "Header: Authorization fehlt",
        ]);
    }
}
