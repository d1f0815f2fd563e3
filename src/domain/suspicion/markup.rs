//! Marks of chat templates, hidden passages, pictures that carry data out, packed payloads, role headers and commands
//! piped to a shell: what is told by signs rather than by words.

use super::{MAX_FINDINGS, Suspicion};

const CHAT: &str = "chat-markup";
const ROLE: &str = "role-header";
const COMMENT: &str = "hidden-comment";
const IMAGE: &str = "image-with-query";
const ACTIVE: &str = "active-markup";
const PAYLOAD: &str = "encoded-payload";
const PIPE: &str = "shell-pipe";

/// How far behind its opening the end of a tag, a link or a line is looked for, in bytes.
const REACH: usize = 400;
/// The shortest run of base64 that may be a payload, in characters.
const PAYLOAD_LENGTH: usize = 40;

/// Roles of a chat. Those an ordinary list of details may have too count only where the line speaks to someone.
const ROLES: [&str; 8] = ["system", "assistant", "developer", "human", "user", "tool", "assistent", "benutzer"];
/// Words that speak to someone.
const ADDRESS: [&str; 36] = [
    "you",
    "your",
    "ignore",
    "always",
    "never",
    "respond",
    "answer",
    "follow",
    "act",
    "must",
    "please",
    "do",
    "dont",
    "new",
    "du",
    "dein",
    "deine",
    "deinen",
    "dir",
    "dich",
    "bist",
    "sollst",
    "musst",
    "antworte",
    "ignoriere",
    "befolge",
    "bitte",
    "override",
    "disregard",
    "forget",
    "vergiss",
    "sure",
    "approve",
    "genehmige",
    "execute",
    "i",
];
/// What unpacks a payload.
const UNPACK: [&str; 8] = ["decode", "base64", "dekodier", "atob", "entschlüssel", "decrypt", "entpack", "unpack"];
/// Tags of chat templates and of prompts, after `<` or `</`.
const CHAT_TAGS: [&str; 10] = [
    "system>",
    "assistant>",
    "user>",
    "instructions>",
    "instruction>",
    "system_prompt>",
    "prompt>",
    "tool_call>",
    "function_call>",
    "sys>",
];
/// HTML that runs or hides something.
const ACTIVE_TAGS: [&str; 6] = ["script", "iframe", "object", "embed", "svg", "meta"];
/// Programs that run what is piped to them.
const SHELLS: [&str; 10] = ["sh", "bash", "zsh", "dash", "ksh", "sudo", "python", "python3", "iex", "node"];

/// All findings told by signs.
pub(super) fn find(text: &str) -> Vec<Suspicion> {
    let mut found = Vec::new();
    let mut add = |name, start: usize, end: usize| found.push(Suspicion { name, range: start..end });
    let mut download: Option<usize> = None;
    let mut comment: Option<usize> = None;
    let mut count = 0;
    for (at, c) in text.char_indices() {
        if !matches!(c, '<' | '[' | '!' | '%' | '|' | '#' | 'c' | 'C' | 'w' | 'W' | 'i' | 'I' | 'b' | 'B' | 'j' | 'J') {
            continue;
        }
        let rest = window(text, at);
        let hit = match c {
            '<' => tag(rest),
            '[' => bracket(rest),
            '!' => image(rest).map(|length| (IMAGE, length)),
            '#' if starts_line(text, at) => heading(rest),
            'j' | 'J' => starts_with(rest, "javascript:").then_some((ACTIVE, "javascript:".len())),
            _ => None,
        };
        if let Some((name, length)) = hit {
            add(name, at, at + length);
            count += 1;
        }
        match c {
            '%' if rest.starts_with("%%") => match comment.take() {
                Some(start) if at > start + 2 => {
                    add(COMMENT, start, at + 2);
                    count += 1;
                }
                // Two signs in a row are seen twice.
                Some(start) => comment = Some(start),
                None => comment = Some(at),
            },
            'c' | 'C' | 'w' | 'W' | 'i' | 'I' if starts_word(text, at) && fetches(rest) => download = Some(at),
            'b' | 'B'
                if starts_word(text, at) && (starts_with(rest, "bash <(curl") || starts_with(rest, "bash <(wget")) =>
            {
                add(PIPE, at, at + "bash <(curl".len());
                count += 1;
            }
            '|' => {
                let shell = rest.trim_start_matches(['|', ' ']);
                if let (Some(start), Some(name)) = (download, SHELLS.iter().find(|name| is_word(shell, name))) {
                    add(PIPE, start, at + (rest.len() - shell.len()) + name.len());
                    count += 1;
                    download = None;
                }
            }
            _ => {}
        }
        if count > MAX_FINDINGS {
            break;
        }
    }
    found.extend(role_headers(text).take(MAX_FINDINGS));
    found.extend(payloads(text).take(MAX_FINDINGS));
    found
}

/// The text from a place on, as far as anything is looked for.
fn window(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    rest.get(..rest.floor_char_boundary(REACH)).unwrap_or_default()
}

/// What begins with `<`: a template's mark, a tag, a comment.
fn tag(rest: &str) -> Option<(&'static str, usize)> {
    let inner = rest.strip_prefix('<')?;
    if let Some(mark) = inner.strip_prefix(['|', '｜']) {
        let skipped = rest.len() - mark.len();
        let mark = mark.get(..mark.floor_char_boundary(40))?;
        let close = mark.find(['|', '｜']).filter(|length| *length > 1)?;
        return mark
            .get(..close)?
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80)
            .then_some((CHAT, skipped + close + 1));
    }
    if inner.starts_with("!--") {
        return Some((COMMENT, rest.find("-->").map_or(4, |end| end + 3)));
    }
    if starts_with(inner, "<sys>>") {
        return Some((CHAT, "<<sys>>".len()));
    }
    let name = inner.trim_start_matches(['/', ' ']);
    let skipped = rest.len() - name.len();
    if let Some(tag) = CHAT_TAGS.iter().find(|tag| starts_with(name, tag)) {
        return Some((CHAT, skipped + tag.len()));
    }
    if let Some(tag) = ACTIVE_TAGS.iter().find(|tag| is_word(name, tag)) {
        return Some((ACTIVE, skipped + tag.len()));
    }
    let end = rest.find('>')?;
    let attributes = rest.get(..end)?.to_ascii_lowercase();
    if is_word(name, "img") && attributes.contains('?') && attributes.contains("://") {
        return Some((IMAGE, end + 1));
    }
    let hides = [
        "display:none",
        "display: none",
        "font-size:0",
        "font-size: 0",
        "visibility:hidden",
        "visibility: hidden",
        " onerror=",
        " onload=",
    ];
    hides.iter().any(|style| attributes.contains(style)).then_some((ACTIVE, end + 1))
}

/// What begins with `[`: Llama's marks, roles in brackets, comments in the form of a link.
fn bracket(rest: &str) -> Option<(&'static str, usize)> {
    ["[inst]", "[/inst]", "[system]", "[/system]", "[assistant]", "[system prompt]", "[system message]"]
        .iter()
        .find(|mark| starts_with(rest, mark))
        .map(|mark| (CHAT, mark.len()))
        .or_else(|| {
            let comment =
                ["[//]: #", "[comment]: #", "[//]:#", "[comment]: <>"].iter().find(|mark| starts_with(rest, mark))?;
            Some((COMMENT, rest.find('\n').unwrap_or(rest.len()).max(comment.len())))
        })
}

/// A Markdown heading as prompts have it: `### Instruction:`.
fn heading(rest: &str) -> Option<(&'static str, usize)> {
    let title = rest.trim_start_matches('#').trim_start_matches(' ');
    let marks = [
        "instruction:",
        "instructions:",
        "system:",
        "assistant:",
        "response:",
        "system prompt",
        "new instructions",
        "human:",
        "user:",
    ];
    let mark = marks.iter().find(|mark| starts_with(title, mark))?;
    Some((CHAT, rest.len() - title.len() + mark.len()))
}

/// The length of a Markdown picture from the network whose address carries a query.
fn image(rest: &str) -> Option<usize> {
    let label = rest.strip_prefix("![")?;
    let (before, target) = label.split_once("](")?;
    let end = target.find(')')?;
    let address = target.get(..end)?;
    (address.contains("://") && address.contains('?')).then(|| "![".len() + before.len() + "](".len() + end + 1)
}

/// Lines that open with a role and speak to someone, or that follow one another as a chat does.
fn role_headers(text: &str) -> impl Iterator<Item = Suspicion> {
    let mut start = 0;
    let mut other: Option<&str> = None;
    text.split_inclusive('\n').filter_map(move |line| {
        let line_start = start;
        start += line.len();
        let bare = line.trim_start_matches([' ', '\t', '>', '*', '#', '-', '\u{200B}']);
        let role = ROLES.iter().find(|role| starts_with(bare, role))?;
        let behind = bare.get(role.len()..)?.trim_start_matches(['*', ' ', '_']);
        let said = behind.strip_prefix([':', '：'])?;
        let said = said.get(..said.floor_char_boundary(REACH)).unwrap_or_default();
        let speaks = said
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty())
            .take(8)
            .any(|word| ADDRESS.iter().any(|address| word.eq_ignore_ascii_case(address)));
        let is_bare = said.trim_matches(['*', ' ', '\r', '\n']).is_empty();
        let follows = other.is_some_and(|other| other != *role);
        other = Some(role);
        let from = line_start + (line.len() - bare.len());
        (speaks || is_bare || follows).then(|| Suspicion { name: ROLE, range: from..from + role.len() + 1 })
    })
}

/// Long runs of base64, where the text says how to unpack them.
fn payloads(text: &str) -> impl Iterator<Item = Suspicion> {
    let is_packed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-');
    let has_long_run = text.split(|c| !is_packed(c)).any(|run| run.len() >= PAYLOAD_LENGTH);
    let searched = if has_long_run { text } else { "" };
    let lower = searched.to_lowercase();
    let searched = if UNPACK.iter().any(|word| lower.contains(word)) { searched } else { "" };
    let mut start = 0;
    searched.split_inclusive(move |c| !is_packed(c)).filter_map(move |piece| {
        let from = start;
        start += piece.len();
        let run = piece.trim_end_matches(|c| !is_packed(c));
        let has = |test: fn(&u8) -> bool| run.bytes().any(|byte| test(&byte));
        let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
        (run.len() >= PAYLOAD_LENGTH && is_mixed).then(|| Suspicion { name: PAYLOAD, range: from..from + run.len() })
    })
}

fn fetches(rest: &str) -> bool {
    ["curl", "wget", "iwr", "invoke-webrequest"].iter().any(|name| is_word(rest, name))
}

/// Whether a text begins with this word, and the word ends there.
fn is_word(text: &str, word: &str) -> bool {
    starts_with(text, word)
        && !text.get(word.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn starts_word(text: &str, at: usize) -> bool {
    !text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn starts_line(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
}
