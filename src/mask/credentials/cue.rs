//! Which names announce a secret.

/// How sure a name makes it that a secret follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cue {
    /// It may: only a value that a machine has drawn counts ("key", "access", a provider's name).
    Weak,
    /// It should: a value with figures or signs counts ("token", "secret", "API key").
    Secret,
    /// It does: any value that is no reference counts ("password").
    Password,
    /// A short number: "PIN", "PUK", "TAN".
    Pin,
}

/// Parts of names that say "password", in lower case.
const PASSWORD: &[&str] = &[
    "password",
    "passwort",
    "passwd",
    "passwrd",
    "pswd",
    "pswrd",
    "pwrd",
    "pwd",
    "kennwort",
    "passphrase",
    "passcode",
    "paßwort",
    "zugangscode",
    "losungswort",
    "passvar",
    "contraseña",
    "mot_de_passe",
];
/// Parts of names that say "secret" or "token", in lower case and without joins.
const SECRET: &[&str] = &[
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "appkey",
    "authkey",
    "secretkey",
    "sensitivekey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "credential",
    "schlüssel",
    "zugangsdaten",
    "accountkey",
    "sharedkey",
    "servicekey",
    "storagekey",
    "licensekey",
    "applicationkey",
    "clientkey",
    "serverkey",
    "sshkey",
    "webhookkey",
    "oauth",
    "authcode",
    "awskey",
    "recoverycode",
    "backupcode",
    "securitycode",
    "sessionkey",
    "hmackey",
    "cookiekey",
    "sastoken",
];
/// Parts of a name that make it speak about a secret rather than hold it, when they stand after the cue.
const ABOUT: &[&str] = &[
    "length",
    "len",
    "min",
    "max",
    "policy",
    "changed",
    "expires",
    "expiry",
    "expiration",
    "reset",
    "url",
    "uri",
    "file",
    "path",
    "field",
    "hint",
    "name",
    "label",
    "count",
    "counts",
    "type",
    "prompt",
    "input",
    "form",
    "required",
    "strength",
    "age",
    "days",
    "ttl",
    "usage",
    "limit",
    "limits",
    "budget",
    "endpoint",
    "manager",
    "store",
    "rotation",
    "size",
    "version",
    "format",
    "algorithm",
    "hash",
    "hashing",
    "scope",
    "scopes",
    "status",
    "provider",
    "ring",
    "bytes",
    "bits",
    "at",
    "on",
    "enabled",
    "validation",
    "validator",
    "dir",
    "folder",
    "ref",
    "env",
    "var_name",
    "board",
    "word",
    "words",
    "erized",
    "izer",
    "ized",
    "ization",
    "länge",
    "ablauf",
    "regel",
    "richtlinie",
    "datei",
    "pfad",
    "anzahl",
    "wechsel",
    "änderung",
    "created",
    "updated",
    "issued",
    "lifetime",
];
/// Words that, before "key" or "token", make it no secret: a column, a count, a public half.
const NOT_SECRET: &[&str] = &[
    "public",
    "primary",
    "foreign",
    "partition",
    "sort",
    "cache",
    "idempotency",
    "unique",
    "issue",
    "row",
    "object",
    "s3",
    "map",
    "group",
    "index",
    "hot",
    "short",
    "foreignkey",
    "input",
    "output",
    "total",
    "max",
    "prompt",
    "completion",
    "csrf",
    "key-value",
    "arrow",
    "function",
    "musical",
    "answer",
    "turn",
    "session",
    "tastatur",
    "json",
    "dict",
    "hash",
    "translation",
    "i18n",
    "memory",
];

/// What an identifier announces. `name` may be of any case, joined by `_`, `-`, `.` or capitals.
pub(super) fn of(name: &str) -> Option<Cue> {
    let shortest = if name.eq_ignore_ascii_case("pw") { 2 } else { 3 };
    if name.len() < shortest || name.len() > 80 {
        return None;
    }
    let lower = name.to_lowercase();
    if let Some((at, word)) = PASSWORD.iter().filter_map(|word| Some((lower.rfind(word)?, *word))).max() {
        let after = lower.get(at + word.len()..).unwrap_or("").trim_start_matches(['_', '-', '.']);
        return (!speaks_about(after)).then_some(Cue::Password);
    }
    let segments: Vec<String> = segments(name);
    let last = segments.last().map_or("", String::as_str);
    if segments.iter().any(|s| s == "pass" || s == "pw")
        && !lower.starts_with("pass_through")
        && !lower.starts_with("pass-through")
    {
        let after =
            segments.iter().rev().take_while(|s| *s != "pass" && *s != "pw").map(String::as_str).collect::<String>();
        return (!speaks_about(&after) && after.len() < 8).then_some(Cue::Password);
    }
    if matches!(lower.as_str(), "pin" | "puk" | "tan") || matches!(last, "pin" | "puk") && segments.len() > 1 {
        return Some(Cue::Pin);
    }
    let squeezed: String = lower.chars().filter(|c| !matches!(c, '_' | '-' | '.')).collect();
    if let Some((at, word)) =
        SECRET.iter().filter_map(|word| Some((squeezed.rfind(word)?, *word))).max_by_key(|&(at, word)| at + word.len())
    {
        let after = squeezed.get(at + word.len()..).unwrap_or("");
        let before = squeezed.get(..at).unwrap_or("");
        let plural = after == "s" && matches!(word, "token" | "secret");
        if speaks_about(after) || plural || NOT_SECRET.iter().any(|not| before.ends_with(not)) {
            return None;
        }
        return Some(Cue::Secret);
    }
    let joined = segments.len() > 1;
    match last {
        "key" | "pat" | "auth" | "sas" | "jwt" | "dsn" | "tkn" | "creds"
            if joined || lower == "pat" || lower.starts_with('_') =>
        {
            let before = segments.iter().rev().nth(1).map_or("", String::as_str);
            (!NOT_SECRET.contains(&before)).then_some(Cue::Secret)
        }
        "key" | "private" | "access" | "auth" | "credentials" | "authtoken" | "sessionid" | "jsessionid"
        | "phpsessid" | "sid" | "signature" | "sig" | "bearer" | "webhook" => Some(Cue::Weak),
        _ => (super::providers::is_provider(&squeezed)
            || squeezed.ends_with("key")
                && squeezed.len() > 5
                && !NOT_SECRET.iter().any(|not| squeezed.strip_suffix("key") == Some(not))
                && squeezed != "monkey"
                && squeezed != "turkey"
                && squeezed != "whiskey"
                && squeezed != "hockey")
            .then_some(Cue::Weak),
    }
}

/// Whether a name goes on to say something about the secret.
fn speaks_about(after: &str) -> bool {
    ABOUT.iter().any(|word| after == *word || after.len() > word.len() && after.starts_with(word) && word.len() > 3)
}

/// The parts of an identifier, in lower case: at joins, and where a capital follows a small letter.
fn segments(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut small = false;
    for c in name.chars() {
        let starts_another = matches!(c, '_' | '-' | '.' | ':' | '/') || c.is_uppercase() && small;
        if starts_another && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if c.is_alphanumeric() {
            part.extend(c.to_lowercase());
        }
        small = c.is_lowercase() || c.is_ascii_digit();
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_weighed() {
        for (name, cue) in [
            ("DB_PASSWORD", Some(Cue::Password)),
            ("userPassword", Some(Cue::Password)),
            ("WLAN-Passwort", Some(Cue::Password)),
            ("pass", Some(Cue::Password)),
            ("pw", Some(Cue::Password)),
            ("PW", Some(Cue::Password)),
            ("db_pass", Some(Cue::Password)),
            ("overpass", None),
            ("Passenger", None),
            ("passport", None),
            ("password_length", None),
            ("api_key", Some(Cue::Secret)),
            ("apiKey", Some(Cue::Secret)),
            ("GITHUB_TOKEN", Some(Cue::Secret)),
            ("max_tokens", None),
            ("token_type", None),
            ("primary_key", None),
            ("publicKey", None),
            ("key", Some(Cue::Weak)),
            ("monkey", None),
            ("PIN", Some(Cue::Pin)),
            ("pinboard", None),
        ] {
            assert_eq!(of(name), cue, "{name}");
        }
    }
}
