//! Passwords in addresses: `scheme://user:password@host`, of which only the password is masked.

use super::super::Kind;
use super::super::line::{BARRIER, Line};
use super::super::overlap::Span;
use super::value::is_reference;

/// How far the `@` may be from the scheme, in bytes.
const MAX_USERINFO: usize = 512;

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    let mut seen = 0;
    for (at, mark) in line.text().match_indices("://") {
        if at < seen {
            continue;
        }
        let start = at + mark.len();
        let authority = authority(line, start);
        seen = authority;
        out.extend(password(line, start, authority));
    }
    // Oracle's own: `jdbc:oracle:thin:user/password@host`.
    for (at, mark) in line.text().match_indices("jdbc:oracle:thin:") {
        let start = at + mark.len();
        let end = line.run_within(start, MAX_USERINFO, |b| !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\''));
        let Some(slash) = line.slice(start..end).find('/').map(|i| start + i) else { continue };
        let Some(at_sign) = line.slice(slash..end).rfind('@').map(|i| slash + i) else { continue };
        if slash > start && at_sign > slash + 1 {
            out.push(Span::new(slash + 1..at_sign, Kind::Credential, "url-password"));
        }
    }
}

/// The end of what may be `user:password@host` at `start`.
fn authority(line: Line<'_>, start: usize) -> usize {
    let window = line.window(start, MAX_USERINFO);
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | BARRIER);
    let reach = window.get(..window.find(ends).unwrap_or(window.len())).unwrap_or("");
    let stop = reach.find(['<', '>', '/']).unwrap_or(reach.len());
    let (authority, rest) = reach.split_at(stop);
    // A password may hold the signs that end an authority, as long as the host comes after them.
    match rest.find('@') {
        Some(at) if authority.contains(':') && !authority.contains('@') && !port_first(authority) => {
            let host = start + stop + at + 1;
            line.run_within(host, MAX_USERINFO, |b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b','))
        }
        _ => start + stop,
    }
}

/// `host:443/…`: what follows the colon is a port.
fn port_first(authority: &str) -> bool {
    authority
        .rsplit_once(':')
        .is_some_and(|(host, port)| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) && host.contains('.'))
        || authority.starts_with("localhost:")
}

fn password(line: Line<'_>, start: usize, end: usize) -> Option<Span> {
    let authority = line.slice(start..end);
    let colon = authority.find(':')?;
    let at_sign = authority.rfind('@').filter(|&at| at > colon)?;
    // More than one `@` before the first comma or slash: the last one is the host's.
    let password = start + colon + 1..start + at_sign;
    let text = line.slice(password.clone());
    let variable = text.starts_with('$')
        || text.starts_with("{{")
        || text.starts_with("%(")
        || text.starts_with('<')
        || text.starts_with('{') && text.ends_with('}');
    let starred = text.contains('*') && is_reference(text, true);
    (!text.is_empty() && !variable && !starred).then(|| Span::new(password, Kind::Credential, "url-password"))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn only_the_password_of_an_address_goes() {
        assert_masked(&[
            ("postgres://app:s3cr3t@db.example.com:5432/x", "postgres://app:[CREDENTIAL]@db.example.com:5432/x"),
            ("redis://:hunter2@cache:6379", "redis://:[CREDENTIAL]@cache:6379"),
            ("mongodb+srv://u:p%40ss@c0.example.net/?w=1", "mongodb+srv://u:[CREDENTIAL]@c0.example.net/?w=1"),
            (
                "https://anna:t0p%40Secret@intern.example.org/login",
                "https://anna:[CREDENTIAL]@intern.example.org/login",
            ),
            ("amqp://u:pa/ss@mq/", "amqp://u:[CREDENTIAL]@mq/"),
        ]);
    }

    #[test]
    fn addresses_without_one_stay() {
        assert_kept(&[
            "https://example.com:443/repo/@scope/pkg",
            "postgres://app:${DB_PASS}@db/x",
            "postgres://$USER:$PASS@db/x",
            "https://example.com/a:b@c",
            "http://localhost:8645/x@y",
        ]);
    }
}
