//! Secrets by the words beside them: assignments in code and configuration, XML, calls, options, and prose in two languages.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::super::Kind;
use super::super::line::{BARRIER, Line, is_blank};
use super::super::overlap::Span;
use super::super::protect::{is_date, is_hash, is_uuid};
use super::cue::{self, Cue};
use super::value::{
    entropy, has_digit, has_lower, has_sign, has_upper, is_letter_run, is_plain_word, is_random, is_reference,
    names_a_secret,
};

/// The longest value that is read, in bytes.
const MAX_VALUE: usize = 8192;
/// How far is looked for the end of what may be one, in bytes.
const SAMPLE: usize = 256;
/// The shortest machine-drawn value that a weak cue is believed for, in bytes.
const MIN_RANDOM: usize = 16;
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
/// Verbs between a cue and its value in prose, in lower case.
const VERBS: &[&str] = &[
    "ist", "lautet", "heißt", "heisst", "war", "wäre", "is", "was", "equals", "reads", "=", ":", "->", "→", "lauten",
    "sind", "are",
];
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

/// How a value is joined to its cue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
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
struct Value {
    range: Range<usize>,
    quoted: bool,
}

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    cued(line, out);
    drawn(line, out);
}

/// Whether `value` is a credential because of the name it stands under.
pub(super) fn is_named(name: &str, value: &str) -> bool {
    cue::of(name).is_some_and(|cue| accepts(cue, value, true, Join::Equals))
}

fn stems() -> Option<&'static AhoCorasick> {
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
fn name_around(line: Line<'_>, stem: Range<usize>) -> Range<usize> {
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

fn longest_part(value: &str) -> usize {
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
fn value(line: Line<'_>, at: usize, join: Join) -> Option<Value> {
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
fn bare_end(line: Line<'_>, start: usize) -> usize {
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

/// Values in running text: "Das Passwort für den Server lautet hunter2!", "token abc123…", "PIN 4711".
fn prose(line: Line<'_>, name: &Range<usize>, cue: Cue) -> Option<(Range<usize>, &'static str)> {
    let start = line
        .run(name.end, |b| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'`' | b':' | b'*' | b'-' | b'=' | b'(' | b'>'));
    let next = bare_end(line, start);
    let text = line.slice(start..next);
    let direct = match cue {
        Cue::Pin => text.bytes().all(|b| b.is_ascii_digit()) && (4..=8).contains(&text.len()) && !is_year(text),
        Cue::Password => {
            chosen(text)
                && text.len() >= 6
                && has_digit(text)
                && !text.starts_with(|c: char| c.is_ascii_digit())
                && !text.contains('-')
                && !is_date(text)
        }
        Cue::Secret => is_random(text, MIN_RANDOM) && longest_part(text) >= 8 || is_letter_run(text),
        Cue::Weak => {
            is_random(text, MIN_RANDOM)
                && !is_uuid(text)
                && (!is_hash(text) || text.len() >= 32)
                && longest_part(text) >= 12
                || is_letter_run(text) && (text.len() >= 24 || line.slice(name.clone()).chars().any(char::is_uppercase))
        }
    };
    if direct && !is_reference(text, false) {
        return Some((start..next, "secret-after-cue"));
    }
    if cue == Cue::Weak {
        return None;
    }
    // On to the verb, within the sentence and a few words.
    let mut at = name.end;
    for _ in 0..8 {
        let word_start = line.run_chars(at, |c| c.is_whitespace() || matches!(c, '"' | '\'' | '*' | '(' | ')' | ','));
        let word_end = line.run_chars(word_start, |c| !c.is_whitespace());
        let word = line.slice(word_start..word_end);
        if word.is_empty()
            || word.ends_with(['.', '!', '?', ';']) && word.len() > 1
            || word.contains(BARRIER)
            || word_end - name.end > 80
        {
            return None;
        }
        let lower = word.to_lowercase();
        let colon = word.len() > 1 && word.ends_with(':');
        let verb = VERBS.contains(&lower.trim_end_matches(':'));
        if verb || colon {
            return told(
                line,
                word_end,
                cue,
                matches!(lower.trim_end_matches(':'), "lautet" | "heißt" | "heisst" | "reads"),
            );
        }
        at = word_end;
    }
    None
}

/// The value after the verb; `strictly` when the verb is only ever followed by the value.
fn told(line: Line<'_>, at: usize, cue: Cue, strictly: bool) -> Option<(Range<usize>, &'static str)> {
    const FILLERS: &[&str] = &[
        "jetzt",
        "nun",
        "now",
        "ab",
        "sofort",
        "aktuell",
        "currently",
        "still",
        "immer",
        "noch",
        "weiterhin",
        "wie",
        "folgt",
        "the",
        "das",
        "der",
        "die",
        "also",
        "set",
        "to",
        "gleich",
        "neu",
    ];
    let mut start = at;
    for _ in 0..3 {
        start = line.run_chars(start, |c| c.is_whitespace() || c == ':');
        let end = line.run_chars(start, |c| !c.is_whitespace());
        if !FILLERS.contains(&line.slice(start..end).to_lowercase().as_str()) {
            break;
        }
        start = end;
    }
    let value = value(line, start, Join::Blank)?;
    let text = line.slice(value.range.clone());
    if text.is_empty() || is_reference(text, value.quoted) || is_date(text) || text.contains(BARRIER) {
        return None;
    }
    let after = line.from(value.range.end).trim_start_matches(['"', '\'', '.', '!', '`', '“']);
    let ends_clause =
        after.trim().is_empty() || line.byte(value.range.end) == b'.' || after.starts_with(['.', ',', ';', ')']);
    let fits = match cue {
        Cue::Pin => (4..=8).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()),
        Cue::Password if value.quoted => !text.contains(char::is_whitespace) && text.len() >= 4,
        Cue::Password => {
            chosen(text) && text.len() >= 4
                || strictly
                    && ends_clause
                    && text.chars().count() >= 5
                    && !TOLD_OTHERWISE.contains(&text.to_lowercase().as_str())
        }
        _ => {
            text.len() >= 8
                && has_digit(text)
                && (has_lower(text) || has_upper(text))
                && !text.contains(char::is_whitespace)
                && !counted(text)
                || is_random(text, MIN_RANDOM)
                || is_letter_run(text)
        }
    };
    fits.then_some((value.range, "secret-in-prose"))
}

/// What "lautet" may be followed by without being told, in lower case.
const TOLD_OTHERWISE: &[&str] = &[
    "anders",
    "folgendermaßen",
    "unverändert",
    "ähnlich",
    "genauso",
    "ebenso",
    "identisch",
    "gleich",
    "differently",
    "verschieden",
    "niemals",
    "immer",
    "standardmäßig",
];

/// Whether a word looks chosen as a password: figures or signs amid letters, and no count, measure or ordinal.
fn chosen(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let inner = text.trim_end_matches(['!', '?', '.', ',']);
    let signed =
        has_sign(inner) && !inner.ends_with(['%', '+', '€', '$']) && !inner.starts_with('#') && !inner.starts_with('@');
    let bang = text.ends_with('!') && has_digit(text);
    letters >= 2
        && (has_digit(text) || signed || bang)
        && !counted(text)
        && !text.contains("://")
        && !text.contains('/')
        || letters == 0 && text.len() >= 5 && text.bytes().all(|b| b.is_ascii_digit()) && !is_year(text)
}

/// `12-stellig`, `8x`, `90d`, `2FA-geschützt`, `v1.2`, `1.2.3`.
fn counted(text: &str) -> bool {
    let tail = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let counts = tail.len() < text.len()
        && (tail.starts_with('-')
            || tail.chars().count() <= 3 && tail.chars().all(char::is_alphabetic)
            || tail.starts_with("FA")
            || tail.is_empty() && text.contains('.'));
    counts || text.strip_prefix('v').is_some_and(|v| v.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && (text.starts_with("19") || text.starts_with("20"))
}

/// "Login: admin / Geheim123", "Zugangsdaten admin:Geheim123".
fn login(line: Line<'_>, name: &Range<usize>) -> Option<Range<usize>> {
    let lower = line.slice(name.clone()).to_lowercase();
    if !(lower.ends_with("login")
        || lower.ends_with("zugang")
        || lower.ends_with("zugangsdaten")
        || lower.ends_with("logindaten")
        || lower.ends_with("credentials")
        || lower.ends_with("creds"))
    {
        return None;
    }
    user_and_password(line, name.end)
}

fn user_and_password(line: Line<'_>, at: usize) -> Option<Range<usize>> {
    let user = line.run(at, |b| is_blank(b) || matches!(b, b':' | b'=' | b'"' | b'\''));
    let user_end = line.run_chars(user, |c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '@'));
    let blank = line.skip_blanks(user_end);
    if user_end == user || !matches!(line.byte(blank), b'/' | b':' | b'|') {
        return None;
    }
    let start = line.skip_blanks(blank + 1);
    let end = bare_end(line, start);
    let text = line.slice(start..end);
    (text.len() >= 5 && chosen(text) && !is_reference(text, false) && !is_date(text)).then_some(start..end)
}

/// Machine-drawn values beside a provider's name, and those that no name explains.
fn drawn(line: Line<'_>, out: &mut Vec<Span>) {
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
        ]);
    }
}
