//! What a secret's value looks like, and what stands in its place without being one.

use super::super::line::BARRIER;
use super::super::protect::{is_date, is_hash, is_uuid};

/// Words that are never a secret, in lower case: they say that there is none, or what sort.
const NO_VALUES: &[&str] = &[
    "null",
    "none",
    "nil",
    "undefined",
    "true",
    "false",
    "empty",
    "required",
    "optional",
    "string",
    "str",
    "text",
    "hidden",
    "redacted",
    "masked",
    "removed",
    "secret",
    "password",
    "passwort",
    "geheim",
    "unknown",
    "unbekannt",
    "tbd",
    "todo",
    "n/a",
    "na",
    "changeme",
    "change_me",
    "your_password",
    "example",
    "default",
    "bearer",
    "basic",
    "token",
    "invalid",
    "missing",
    "wrong",
    "username",
    "number",
    "object",
    "any",
    "bytes",
    "int",
    "2fa",
    "mfa",
    "totp",
    "sso",
    "oauth2",
    "oauth",
    "utf-8",
    "base64",
    "sha256",
    "sha-256",
    "sha1",
    "md5",
    "bcrypt",
    "argon2",
    "argon2id",
    "aes-256",
    "aes256",
    "aes-128",
    "aes-256-gcm",
    "ed25519",
    "rsa-2048",
    "rsa-4096",
    "hs256",
    "rs256",
    "es256",
    "x509",
    "x.509",
    "http2",
    "pbkdf2",
    "scrypt",
    "len=",
];

/// Whether `value` refers to a secret that is kept elsewhere, or stands for one: a variable, a template, a call, a path, stars.
pub(super) fn is_reference(value: &str, quoted: bool) -> bool {
    let lower = value.to_lowercase();
    if NO_VALUES.contains(&lower.as_str()) || value.contains(BARRIER) {
        return true;
    }
    // Stars, dots and crosses in a secret's place.
    let first = value.chars().next().unwrap_or(' ');
    if value.chars().all(|c| {
        matches!(c, '*' | '.' | '•' | '●' | '…' | '-' | '_' | '#' | '?' | '=' | '/' | '\\' | '|' | ':' | ' ' | '+')
    }) || matches!(first, 'x' | 'X') && value.chars().all(|c| c == first)
        || value.contains("****")
        || value.contains("...")
        || value.ends_with('…')
    {
        return true;
    }
    is_variable(value)
        || is_path(value)
        || lower.starts_with("http://")
        || lower.starts_with("https://")
        || !quoted && is_code(value)
        || is_own_id(value)
}

fn is_own_id(value: &str) -> bool {
    value.starts_with("SESSION-") || value.starts_with("REVIEW-")
}

/// `${VAR}`, `$VAR`, `$(cmd)`, `#{var}`, `{{ var }}`, `{var}`, `%VAR%`, `%%VAR%%`, `<token>`, `[token]`, `@Var@`.
fn is_variable(value: &str) -> bool {
    const BRACKETS: &[(&str, &str)] = &[
        ("${", "}"),
        ("$(", ")"),
        ("#{", "}"),
        ("{{", "}}"),
        ("{", "}"),
        ("%%", "%%"),
        ("%", "%"),
        ("<", ">"),
        ("[", "]"),
        ("`", "`"),
        ("__", "__"),
        ("@@", "@@"),
        ("$[", "]"),
        ("!{", "}"),
        ("(", ")"),
    ];
    let value = value.trim().trim_end_matches([';', ',', ')']);
    let whole = if value.ends_with(['}', ']', '%', '>', '`', '_', '@']) {
        value
    } else {
        value.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '}' | ']' | ')' | '%' | '>' | '`' | '_'))
    };
    let bracketed = BRACKETS.iter().any(|(open, close)| {
        let inner = whole.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).or_else(|| match *open {
            // `${VAR}` may be followed by more of its kind, `$(…)` by a blank and the rest of the command.
            "${" | "#{" | "{{" => whole.strip_prefix(open).filter(|rest| rest.contains(close)),
            "$(" => whole.strip_prefix(open),
            _ => None,
        });
        inner.is_some_and(|inner| {
            !inner.is_empty()
                && (matches!(*open, "${" | "#{" | "{{" | "$(" | "%%" | "<" | "[")
                    || inner
                        .chars()
                        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | ' ' | '$' | '(' | ')')))
        })
    });
    let dollar = value.strip_prefix('$').or_else(|| value.strip_prefix("$env:")).or_else(|| value.strip_prefix("@"));
    // `$PASSWORD` is a variable, `$uperStr0ng` a password: figures give it away.
    let named = value.starts_with('$')
        && dollar.is_some_and(|name| {
            let name = name.trim_end_matches([';', ',']);
            name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name
                    .chars()
                    .all(|c| c.is_alphabetic() || matches!(c, '_' | '.' | ':' | '-' | '>' | '[' | ']' | '\'' | '"'))
                || name.len() > 3 && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        });
    bracketed || named
}

/// A path to a file that holds the secret.
fn is_path(value: &str) -> bool {
    let rooted = [
        "/",
        "~/",
        "./",
        "../",
        "file:",
        "\\\\",
        "vault:",
        "secret/",
        "op://",
        "arn:",
        "projects/",
        "kv/",
        "sops:",
        "ssm:",
        "keyring:",
    ]
    .iter()
    .any(|root| value.starts_with(root));
    let drive = value.as_bytes().get(1) == Some(&b':') && matches!(value.as_bytes().get(2), Some(b'\\' | b'/'));
    let segments = value.split('/').count();
    let words = segments >= 2
        && value.split('/').all(|segment| {
            !segment.is_empty() && segment.chars().all(|c| c.is_lowercase() || matches!(c, '_' | '-' | '.'))
        });
    let file = value.rsplit_once('.').is_some_and(|(stem, ext)| {
        stem.len() > 1
            && [
                "pem", "key", "txt", "json", "yml", "yaml", "env", "crt", "p12", "pfx", "jks", "md", "conf", "ini",
                "toml", "gpg", "age", "pub", "kdbx", "php", "html", "js", "py", "rs", "ts",
            ]
            .contains(&ext)
    });
    rooted
        && !(value.starts_with('/')
            && value.len() > 20
            && !value.contains('.')
            && segments < 4
            && has_digit(value)
            && has_upper(value))
        || drive
        || words
        || file
}

/// `getPassword()`, `credentials.password`, `os.environ["X"]`, `new Foo(`, `&str`.
fn is_code(value: &str) -> bool {
    let dotted = value.contains('.')
        && value.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphabetic() || c == '_'));
    let call = value.find('(').is_some_and(|open| {
        open > 0
            && value.get(..open).is_some_and(|name| {
                name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '>' | '$' | '!' | '?'))
                    && name.starts_with(char::is_alphabetic)
            })
    });
    let index = value.find('[').is_some_and(|open| {
        open > 2
            && value.get(..open).is_some_and(|name| name.chars().all(|c| c.is_alphabetic() || matches!(c, '_' | '.')))
    });
    dotted
        || call
        || index
        || value.starts_with('&') && value.len() < 12
        || value.contains("->")
        || value.contains("=>")
        || value.starts_with('(')
}

pub(super) fn has_digit(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit())
}

pub(super) fn has_upper(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_uppercase())
}

pub(super) fn has_lower(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_lowercase())
}

/// A sign that words and identifiers don't have.
pub(super) fn has_sign(value: &str) -> bool {
    value.bytes().any(|b| {
        b.is_ascii_punctuation()
            && !matches!(
                b,
                b'_' | b'-'
                    | b'.'
                    | b','
                    | b':'
                    | b';'
                    | b'/'
                    | b'('
                    | b')'
                    | b'\''
                    | b'"'
                    | b'['
                    | b']'
                    | b'<'
                    | b'>'
                    | b'`'
                    | b'{'
                    | b'}'
                    | b'*'
                    | b'\\'
            )
    })
}

/// A name for a secret rather than a secret: a word or identifier without figures or signs.
pub(super) fn is_plain_word(value: &str) -> bool {
    value.chars().all(|c| c.is_alphabetic() || matches!(c, '_' | '-' | '.' | ' ' | ','))
}

/// A plain word that speaks of secrets, as placeholders in examples do.
pub(super) fn names_a_secret(value: &str) -> bool {
    let lower = value.to_lowercase();
    is_plain_word(value)
        && [
            "password", "passwort", "secret", "key", "token", "variable", "value", "passwd", "pwd", "your", "replace",
            "example", "insert", "enter", "here",
        ]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether a value could only have been drawn by a machine: long, and neither words nor a date nor an identifier.
pub(super) fn is_random(value: &str, min: usize) -> bool {
    let len = value.len();
    let fits = value.bytes().all(|b| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'_' | b'-'
                    | b'+'
                    | b'/'
                    | b'='
                    | b'.'
                    | b'~'
                    | b'%'
                    | b':'
                    | b'!'
                    | b'$'
                    | b'#'
                    | b'@'
                    | b'&'
                    | b'*'
                    | b'^'
            )
    });
    if len < min || !fits || is_own_id(value) || is_date(value) {
        return false;
    }
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    if is_uuid(value) || is_hash(value) {
        return true;
    }
    let wordy = value.split(['-', '_', '.', '/', ':', '=']).all(|part| {
        part.is_empty()
            || part.bytes().all(|b| b.is_ascii_lowercase())
            || part.bytes().all(|b| b.is_ascii_digit()) && part.len() <= 8
            || part.bytes().skip(1).all(|b| b.is_ascii_lowercase())
            || part.bytes().all(|b| b.is_ascii_uppercase()) && part.len() < 16
    });
    let parts = value.split(['-', '_', '.', '/', ':', '=']).filter(|part| !part.is_empty()).count();
    if parts > 1 && wordy {
        return false;
    }
    digits >= 2 && letters >= 2 || digits >= 1 && has_upper(value) && has_lower(value) || letters == 0 && digits >= 20
}

/// Single-case runs of letters that no language has: long, and with no hyphen.
pub(super) fn is_letter_run(value: &str) -> bool {
    value.len() >= 20
        && (value.bytes().all(|b| b.is_ascii_lowercase()) || value.bytes().all(|b| b.is_ascii_uppercase()))
        || value.len() >= 16 && value.bytes().all(|b| b.is_ascii_alphabetic()) && mixed_within(value)
}

/// Upper and lower case mixed as in no camel case: three or more changes to upper case.
fn mixed_within(value: &str) -> bool {
    value
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
        .count()
        >= 4
}

/// Bits per character, by the value's own distribution.
pub(super) fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for b in value.bytes() {
        if let Some(count) = counts.get_mut(usize::from(b)) {
            *count += 1;
        }
    }
    let len = f64::from(counts.iter().sum::<u32>().max(1));
    counts.iter().filter(|&&n| n > 0).map(|&n| f64::from(n) / len).map(|p| -p * p.log2()).sum()
}
