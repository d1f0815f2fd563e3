//! Secrets in running text: told by a verb, after a login, or alone on the line below their cue.

use std::ops::Range;

use super::super::Kind;
use super::super::line::{BARRIER, Line, is_blank};
use super::super::overlap::Span;
use super::super::protect::{is_date, is_hash, is_uuid};
use super::assign::{Join, MIN_RANDOM, bare_end, longest_part, name_around, stems, value};
use super::cue::{self, Cue};
use super::value::{has_digit, has_lower, has_sign, has_upper, is_letter_run, is_random, is_reference};

/// Verbs between a cue and its value in prose, in lower case.
const VERBS: &[&str] = &[
    "ist", "lautet", "heißt", "heisst", "war", "wäre", "is", "was", "equals", "reads", "=", ":", "->", "→", "lauten",
    "sind", "are",
];

/// Values in running text: "Das Passwort für den Server lautet hunter2!", "token abc123…", "PIN 4711".
pub(super) fn prose(line: Line<'_>, name: &Range<usize>, cue: Cue) -> Option<(Range<usize>, &'static str)> {
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
pub(super) fn login(line: Line<'_>, name: &Range<usize>) -> Option<Range<usize>> {
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
    // "Zugang Router: admin / …": what it is for may stand between.
    let what = line.run_chars(line.skip_blanks(name.end), |c| c.is_alphanumeric() || c == '-');
    user_and_password(line, name.end).or_else(|| (line.byte(what) == b':').then(|| user_and_password(line, what))?)
}

pub(super) fn user_and_password(line: Line<'_>, at: usize) -> Option<Range<usize>> {
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

/// Whether the line ends with the cue of a secret, whose value can only be on the line below: "Passwort:".
pub(super) fn announces(line: Line<'_>) -> bool {
    let text = line.text().trim_end();
    let text = text.trim_end_matches(['*', '_']).trim_end();
    let bare = text.trim_end_matches([':', '=']).trim_end_matches(['*', ' ', '"']);
    // Most lines end otherwise, and are done here.
    let signed = bare.len() < text.len();
    if bare.is_empty() || bare.len() > if signed { 120 } else { 32 } {
        return false;
    }
    let verb = ["ist", "lautet", "heißt", "is", "jetzt", "now", "folgt", "follows"];
    let last = line.word_before(bare.len());
    let told = verb.contains(&last.to_lowercase().as_str());
    let cued = |head: &str| {
        let end = head.trim_end().len();
        let found = stems().and_then(|stems| stems.find_iter(line.slice(0..end)).last());
        found.map(|stem| name_around(line, stem.range())).filter(|name| {
            matches!(cue::of(line.slice(name.clone())), Some(Cue::Password)) && (told || name.end == end)
        })
    };
    let Some(name) = cued(bare) else { return false };
    // Without a colon the cue has to be all that the line says, and no command.
    let word = name.len() > 3;
    signed && (!told || bare.len() - name.end < 24)
        || line.to(name.start).trim_matches(|c: char| !c.is_alphanumeric()).is_empty() && !told && word
}

/// The secret that stands alone on a line, after one that announces it.
pub(super) fn alone(line: Line<'_>) -> Option<Span> {
    let dress = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*' | '>' | '„' | '“' | '”');
    let text = line.text();
    let head = text.len() - text.trim_start_matches(|c| dress(c) || c == '-').len();
    let inner = line.from(head).trim_end_matches(dress);
    let fits = (5..=128).contains(&inner.len())
        && !inner.contains(char::is_whitespace)
        && !inner.contains([BARRIER, '{', '}', '(', ')', '<'])
        && !inner.ends_with([':', ';', ','])
        && chosen(inner)
        && (has_digit(inner) || inner.ends_with(['!', '?', '#', '$']))
        && !inner.contains("::")
        && !is_reference(inner, false)
        && !is_date(inner)
        && !is_uuid(inner);
    fits.then(|| Span::new(head..head + inner.len(), Kind::Credential, "secret-on-next-line"))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn a_secret_may_stand_on_the_line_below() {
        assert_masked(&[
            ("Passwort:\nRegen#wald9", "Passwort:\n[CREDENTIAL]"),
            ("Benutzer: hanna\nPasswort\nRegen#wald9\nGruß", "Benutzer: hanna\nPasswort\n[CREDENTIAL]\nGruß"),
            ("**Passwort:**\n\n`kaffee77`", "**Passwort:**\n\n`[CREDENTIAL]`"),
            ("the new password is:\r\nbluesky42", "the new password is:\r\n[CREDENTIAL]"),
        ]);
    }

    #[test]
    fn other_lines_below_a_cue_stay() {
        assert_kept(&[
            "password:\n  type: string",
            "Passwort:\nmuss geändert werden",
            "password:\n${DB_PASS}",
            "Passwort:\n2026-05-21",
            "password:\nrequired",
            "Das Passwort habe ich:\nserver42",
            "pwd\nproj1",
        ]);
    }
}
