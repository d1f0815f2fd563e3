//! Secrets by the words beside them: assignments in code and configuration, XML, calls, options, and prose in two languages.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::super::Kind;
use super::super::line::{BARRIER, Line, is_blank};
use super::super::overlap::Span;
use super::super::protect::{is_date, is_hash, is_uuid};
use super::cue::{self, Cue};
use super::drawn::drawn;
use super::prose::{login, prose, user_and_password};
use super::value::{
    has_digit, has_sign, has_upper, is_letter_run, is_plain_word, is_random, is_reference, names_a_secret,
};

/// The longest value that is read, in bytes.
pub(super) const MAX_VALUE: usize = 8192;
/// How far is looked for the end of what may be one, in bytes.
const SAMPLE: usize = 256;
/// The shortest machine-drawn value that a weak cue is believed for, in bytes.
pub(super) const MIN_RANDOM: usize = 16;
/// What every cue contains: lines without any of these are done.
const STEMS: &[&str] = &[
    "pass",
    "paß",
    "pw",
    "psw",
    "kennwort",
    "secret",
    "token",
    "tkn",
    "key",
    "cred",
    "schlüssel",
    "zugang",
    "login",
    "auth",
    "pin",
    "puk",
    "tan",
    "access",
    "private",
    "sas",
    "pat",
    "jwt",
    "dsn",
    "sessionid",
    "sessid",
    "bearer",
    "webhook",
    "code",
];
/// How a value is joined to its cue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// `=`, `:`, `==`, `=>`.
    Equals,
    /// `:=`, as in Go and Pascal, where a bare word is a variable.
    Walrus,
    /// `<Password>…</Password>`.
    Element,
    /// `<Password value="…"`.
    Attribute,
    /// `setPassword("…")`, `env('KEY', "…")`.
    Call,
    /// `--password …`.
    Option,
    /// Nothing but blanks.
    Blank,
}

/// A value, and whether quotes or tags say where it ends.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) range: Range<usize>,
    pub(super) quoted: bool,
}

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    cued(line, out);
    drawn(line, out);
}

/// Whether `value` is a credential because of the name it stands under.
pub(super) fn is_named(name: &str, value: &str) -> bool {
    cue::of(name).is_some_and(|cue| accepts(cue, value, true, Join::Equals))
}

pub(super) fn stems() -> Option<&'static AhoCorasick> {
    static STEMS_AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    // A DFA would take longer to build than most texts take to read.
    let kind = Some(AhoCorasickKind::ContiguousNFA);
    let build = || AhoCorasick::builder().kind(kind).ascii_case_insensitive(true).build(STEMS).ok();
    STEMS_AUTOMATON.get_or_init(build).as_ref()
}

/// Looks at every name that may announce a secret.
fn cued(line: Line<'_>, out: &mut Vec<Span>) {
    let Some(stems) = stems() else { return };
    let mut seen = 0;
    for stem in stems.find_iter(line.text()) {
        if stem.start() < seen {
            continue;
        }
        let name = name_around(line, stem.range());
        seen = name.end;
        if let Some(value) = inner_value(line, &name) {
            seen = value.end;
            out.push(Span::new(value, Kind::Credential, "secret-in-name"));
            continue;
        }
        let text = line.slice(name.clone());
        let Some(cue) = cue::of(text) else {
            if let Some(value) = login(line, &name) {
                seen = value.end;
                out.push(Span::new(value, Kind::Credential, "login"));
            }
            continue;
        };
        match after_cue(line, &name, cue) {
            Ok((value, rule)) => {
                seen = value.end;
                out.push(Span::new(value, Kind::Credential, rule));
            }
            // A long value that is none is not read again for each cue in it.
            Err(read) if read > name.end + 256 => seen = read,
            Err(_) => {}
        }
    }
}

fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.') || b >= 0x80
}

/// The identifier or word around a stem.
pub(super) fn name_around(line: Line<'_>, stem: Range<usize>) -> Range<usize> {
    const MAX: usize = 120;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let start = line
        .to(stem.start)
        .char_indices()
        .rev()
        .take(MAX)
        .take_while(|&(_, c)| is_name(c))
        .last()
        .map_or(stem.start, |(i, _)| i);
    let end = line
        .from(stem.end)
        .char_indices()
        .take(MAX)
        .take_while(|&(_, c)| is_name(c))
        .last()
        .map_or(stem.end, |(i, c)| stem.end + i + c.len_utf8());
    let head = line.slice(start..end);
    let trimmed = head.trim_start_matches(['-', '.']);
    let start = end - trimmed.len();
    let end = start + trimmed.trim_end_matches(['.', '-']).len();
    start..end
}

/// `capsulecrm-SECRET-abcdef…`: the value is the tail of the name.
fn inner_value(line: Line<'_>, name: &Range<usize>) -> Option<Range<usize>> {
    let end = line.run_within(name.end, SAMPLE, |b| is_name_byte(b) && b.is_ascii() || matches!(b, b'=' | b'+' | b'/'));
    let text = line.slice(name.start..name.end);
    if end - name.start < 24 {
        return None;
    }
    let joins = text.match_indices(['-', '_', '.']).take(8);
    for (at, _) in joins {
        let head = text.get(..at)?;
        let value = line.slice(name.start + at + 1..end).trim_end_matches(['.', '-']);
        if cue::of(head).is_some_and(|cue| cue >= Cue::Weak && cue != Cue::Pin)
            && longest_part(value) >= 8
            && is_random(value, MIN_RANDOM)
        {
            return Some(name.start + at + 1..name.start + at + 1 + value.len());
        }
    }
    None
}

pub(super) fn longest_part(value: &str) -> usize {
    value.split(['-', '_', '.']).map(str::len).max().unwrap_or(0)
}

/// The secret that a cue announces, with the rule; else how far was read.
fn after_cue(line: Line<'_>, name: &Range<usize>, cue: Cue) -> Result<(Range<usize>, &'static str), usize> {
    let (join, at) = join(line, name);
    if join == Join::Blank {
        return prose(line, name, cue).ok_or(name.end);
    }
    let Some(value) = value(line, at, join) else { return Err(at) };
    let text = line.slice(value.range.clone());
    if accepts(cue, text, value.quoted, join) {
        let rule = match join {
            Join::Element | Join::Attribute => "secret-in-markup",
            Join::Call => "secret-in-call",
            Join::Option => "secret-option",
            _ => "secret-assignment",
        };
        return Ok((value.range, rule));
    }
    // "Passwort: ab jetzt hunter2!", "password: the new one is hunter2".
    if join == Join::Equals
        && !value.quoted
        && let Some(found) = prose(line, name, cue)
    {
        return Ok(found);
    }
    if cue == Cue::Secret
        && join == Join::Equals
        && let Some(second) = user_and_password(line, value.range.start)
    {
        return Ok((second, "login"));
    }
    Err(value.range.end)
}

/// How what follows a name is joined to it, and where that starts.
fn join(line: Line<'_>, name: &Range<usize>) -> (Join, usize) {
    let dashed = line.to(name.start).ends_with("--");
    let quoted = matches!(line.byte_before(name.start), b'"' | b'\'' | b'`');
    let mut at = name.end;
    // The rest of the name's own dress: quotes, brackets, Markdown stars.
    for _ in 0..4 {
        match line.byte(at) {
            b'\\' if matches!(line.byte(at + 1), b'"' | b'\'') => at += 2,
            b'"' | b'\'' | b'`' | b']' | b'*' => at += 1,
            b')' if !quoted && line.byte(line.skip_blanks(at + 1)) == b':' => at += 1,
            _ => break,
        }
    }
    let dress_end = at;
    at = line.skip_blanks(at);
    let two = line.slice(at..at + 2);
    match line.byte(at) {
        _ if two == ":=" => (Join::Walrus, at + 2),
        _ if two == "=>" || two == "==" || two == "->" => (Join::Equals, line.run(at + 2, |b| b == b'=')),
        b'=' => (Join::Equals, at + 1),
        b':' if two != "::" => (Join::Equals, at + 1),
        b'>' if line.byte_before(name.start) == b'<' => (Join::Element, at + 1),
        b'(' => (Join::Call, at + 1),
        b',' if quoted && dress_end > name.end => (Join::Call, at + 1),
        _ => {
            for attribute in ["value", "primary", "default", "content"] {
                let after = line.skip_blanks(at + attribute.len());
                if at > dress_end && line.has_at(at, attribute) && line.byte(after) == b'=' {
                    return (Join::Attribute, after + 1);
                }
            }
            if dashed { (Join::Option, at) } else { (Join::Blank, at) }
        }
    }
}

/// The value that starts after a join.
pub(super) fn value(line: Line<'_>, at: usize, join: Join) -> Option<Value> {
    let mut start = line.run(at, |b| is_blank(b) || b == b'*' && join == Join::Equals);
    if join == Join::Element {
        let end = line.slice(start..(start + MAX_VALUE).min(line.len())).find("</").map(|i| start + i)?;
        return (end > start).then_some(Value { range: start..end, quoted: true });
    }
    // A type or a marker before the quote: `: String "…"`, `@"…"`, `b'…'`.
    let word = line.run_chars(start, char::is_alphanumeric);
    let quote_after = line.skip_blanks(word);
    if word > start
        && word - start <= 12
        && quote_after > word
        && matches!(line.byte(quote_after), b'"' | b'\'')
        && join == Join::Equals
    {
        start = quote_after;
    } else if matches!(line.byte(start), b'@' | b'b' | b'r' | b'f' | b'u' | b'$')
        && matches!(line.byte(start + 1), b'"' | b'\'')
    {
        start += 1;
    }
    let open = line.char(start)?;
    let escaped = open == '\\' && matches!(line.byte(start + 1), b'"' | b'\'');
    let close = match open {
        '"' | '\'' | '`' => Some(open),
        '“' | '„' => Some(if line.from(start).contains('“') && open == '„' { '“' } else { '”' }),
        '«' => Some('»'),
        '‚' => Some('‘'),
        '\\' if escaped => Some(char::from(line.byte(start + 1))),
        _ => None,
    };
    if let Some(close) = close {
        let inner = start + if escaped { 2 } else { open.len_utf8() };
        let limit = (inner + MAX_VALUE).min(line.len());
        let text = line.text().get(inner..limit).unwrap_or_else(|| line.from(inner));
        if let Some(end) = closing(text, close, escaped).map(|i| inner + i) {
            return (end > inner).then_some(Value { range: inner..end, quoted: true });
        }
        start = inner;
    }
    if matches!(join, Join::Call) {
        return None;
    }
    Some(Value { range: start..bare_end(line, start), quoted: false })
}

/// Where the closing quote is, past escaped ones.
fn closing(text: &str, close: char, escaped: bool) -> Option<usize> {
    let mut backslash = false;
    for (i, c) in text.char_indices() {
        if c == close && backslash == escaped {
            return Some(if escaped { i - 1 } else { i });
        }
        if c == BARRIER {
            return None;
        }
        backslash = c == '\\' && !backslash;
    }
    None
}

/// The end of a value without quotes.
pub(super) fn bare_end(line: Line<'_>, start: usize) -> usize {
    let limit = start + MAX_VALUE;
    let mut depth = 0_usize;
    let mut end = start;
    for (i, c) in line.from(start).char_indices() {
        let here = start + i;
        let stop = c.is_whitespace() && depth == 0
            || matches!(c, '"' | '\'' | '`' | '<' | '|' | BARRIER) && !(c == '<' && i == 0)
            || depth == 0 && matches!(c, ',' | ';' | '&' | '>' | '“' | '”');
        // `Pa&lt;x`: the entity belongs to the value.
        let entity = matches!(c, '&')
            && ["&lt;", "&gt;", "&amp;", "&quot;", "&apos;"].iter().any(|e| line.has_at(here, e))
            || c == ';' && line.tail_before(here, 5.min(i)).rfind('&').is_some();
        if stop && !entity || here >= limit {
            break;
        }
        match c {
            '{' if i <= 2
                && line.window(here, SAMPLE).split_whitespace().next().is_some_and(|rest| rest.contains('}')) =>
            {
                depth += 1;
            }
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        end = here + c.len_utf8();
    }
    // Punctuation that belongs to the sentence or the code around.
    let text = line.slice(start..end);
    let mut trimmed = text.trim_end_matches(['.', ':', '\\']);
    for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
        if !trimmed.contains(open) {
            trimmed = trimmed.strip_suffix(close).unwrap_or(trimmed);
        }
    }
    start + trimmed.trim_end_matches(['.', ':']).len()
}

/// Whether a value is believed to be a secret after such a cue.
fn accepts(cue: Cue, value: &str, quoted: bool, join: Join) -> bool {
    let value = value.trim();
    let len = value.chars().count();
    let unclosed = value.starts_with(['{', '$', '#']) && value.contains('{') && !value.contains('}')
        || value.starts_with('#') && value.ends_with('}') && !value.starts_with("#{");
    let figures = has_digit(value) || has_sign(value) || unclosed;
    if len < 3 || !unclosed && is_reference(value, quoted) || is_date(value) || value.contains(BARRIER) {
        return false;
    }
    let blanks = value.matches(char::is_whitespace).count();
    match cue {
        Cue::Password => {
            if quoted && join == Join::Element {
                return blanks <= 3 && (figures || !names_a_secret(value)) && len >= 4;
            }
            if quoted {
                let sentence = blanks > 0 && !figures || blanks > 4;
                return !sentence
                    && (figures
                        || len >= 4 && !names_a_secret(value) && !matches!(join, Join::Attribute | Join::Call));
            }
            let counted = value
                .split_once('-')
                .is_some_and(|(n, word)| n.bytes().all(|b| b.is_ascii_digit()) && is_plain_word(word));
            join != Join::Walrus
                && !counted
                && (figures && len >= 5
                    || join == Join::Option && len >= 4 && !names_a_secret(value) && is_plain_word(value))
        }
        Cue::Secret => {
            let bare_variable = join == Join::Walrus && !quoted;
            if blanks > 0 || bare_variable {
                return false;
            }
            let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
            let mixed = has_digit(value) && letters >= 2
                || has_sign(value) && (has_upper(value) || has_digit(value) || letters >= 4)
                || unclosed;
            let least = if quoted { 6 } else { 8 };
            len >= least && mixed && (quoted || !value.contains('('))
                || is_random(value, MIN_RANDOM)
                || is_letter_run(value)
        }
        Cue::Weak => {
            let hash = is_uuid(value) || is_hash(value) && len < 32;
            let drawn = is_random(value, MIN_RANDOM) && longest_part(value) >= 10 && !value.contains("://");
            blanks == 0 && drawn && !hash || is_letter_run(value) && join != Join::Call
        }
        Cue::Pin => (4..=8).contains(&len) && value.bytes().all(|b| b.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn assignments_keep_their_names() {
        assert_masked(&[
            ("DB_PASSWORD=hunter2!x", "DB_PASSWORD=[CREDENTIAL]"),
            ("password: \"sonne\"", "password: \"[CREDENTIAL]\""),
            (
                "Data Source=db1;User Id=admin;Password=SecureP@ss123;",
                "Data Source=db1;User Id=admin;Password=[CREDENTIAL];",
            ),
            ("{\"api_key\": \"abc123def\"}", "{\"api_key\": \"[CREDENTIAL]\"}"),
            ("{\\\"api_key\\\": \\\"abc123def\\\"}", "{\\\"api_key\\\": \\\"[CREDENTIAL]\\\"}"),
            ("<Password>i<3unicorns!</Password>", "<Password>[CREDENTIAL]</Password>"),
            (
                "<Property Name=\"Password\" Value=\"efgh@abcd-\" />",
                "<Property Name=\"Password\" Value=\"[CREDENTIAL]\" />",
            ),
            ("c.setPassword(\"yolo123\");", "c.setPassword(\"[CREDENTIAL]\");"),
            ("mysql --password hunter2 -u x", "mysql --password [CREDENTIAL] -u x"),
            ("secret: String \"yolo123\"", "secret: String \"[CREDENTIAL]\""),
            ("?user=x&token=abc123def456&y=1", "?user=x&token=[CREDENTIAL]&y=1"),
            ("**Passwort:** Sommer2024!", "**Passwort:** [CREDENTIAL]"),
        ]);
    }

    #[test]
    fn prose_tells_secrets() {
        assert_masked(&[
            ("Das Passwort lautet hunter2!", "Das Passwort lautet [CREDENTIAL]"),
            (
                "Das Passwort für den Server ist jetzt Sommer2024.",
                "Das Passwort für den Server ist jetzt [CREDENTIAL].",
            ),
            ("the password is hunter2", "the password is [CREDENTIAL]"),
            ("Kennwort heißt sonnenschein.", "Kennwort heißt [CREDENTIAL]."),
            ("PIN 4711, PUK: 12345678", "PIN [CREDENTIAL], PUK: [CREDENTIAL]"),
            ("Login: admin / Geheim123", "Login: admin / [CREDENTIAL]"),
            ("Zugang Router: admin / Fritz!2023x", "Zugang Router: admin / [CREDENTIAL]"),
            ("pw=Sommer2024! bitte", "pw=[CREDENTIAL] bitte"),
            ("pwd: kaffee77tasse", "pwd: [CREDENTIAL]"),
            ("PW Blume_44_gruen", "PW [CREDENTIAL]"),
            ("WLAN-Passwort Sommer2024 gilt", "WLAN-Passwort [CREDENTIAL] gilt"),
            ("browshot key abcdefghijklmnopqrstuvwxyzab", "browshot key [CREDENTIAL]"),
            ("nicereply 1234567890abcdef1234567890abcdef12345678", "nicereply [CREDENTIAL]"),
        ]);
    }

    #[test]
    fn references_and_talk_stay() {
        assert_kept(&[
            "Das Passwort muss geändert werden.",
            "Passwort ist abgelaufen, das Token ist 90 Tage gültig",
            "Das Passwort ist 12-stellig und 2FA-geschützt",
            "password=${DB_PASSWORD}",
            "password = $DB_PASSWORD",
            "password: {{ vault_password }}",
            "PASSWORD=%PASS%",
            "password=getPassword()",
            "password = credentials.password",
            "password: *****",
            "password_file=/run/secrets/db_password",
            "apiKey: \"/usr/bin/local/apikey\"",
            "token: <your token>",
            "max_tokens=4096, token_count: 12000",
            "primary_key=a1b2c3d4e5f6a7b8c9d0",
            "Commit 27b9444 behebt den Key-Fehler",
            "checksum=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "\"integrity\": \"sha512-GDHVin2EJ9PGJ33VMGlqtPcvUlY+pkTbaWs4jWv8oBaEK8UUBzS5ZpEc4xi7Xp5vIXnVsCSLKNC6bgvR9X/AoQ==\"",
            "Header: x-api-key, x-agent",
            "\"key\": \"table_style\"",
            "Das Passwort lautet anders.",
            "pw reset requested, pw: siehe Tresor",
            "cd $(pwd) && ls",
            "pwd zeigt das Verzeichnis",
        ]);
    }
}
