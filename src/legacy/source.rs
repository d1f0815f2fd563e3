//! A source as a whole: a file or a folder, what kind of memory it is, and which of its files are read how.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;

use super::{Legacy, Take, Unknown, hermes, json, sqlite, text, zip};
use crate::domain::json::strip_bom;
use crate::domain::zone::Zone;

/// The programs whose memories are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Keys and values, or `memory:` entries.
    Kv,
    /// Hermes Agent.
    Hermes,
    /// The reference memory server of MCP, and what descends from it.
    Mcp,
    /// mem0 and `OpenMemory`.
    Mem0,
    /// OpenClaw.
    OpenClaw,
    /// Letta.
    Letta,
    /// Basic Memory.
    BasicMemory,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Kv, Self::Hermes, Self::Mcp, Self::Mem0, Self::OpenClaw, Self::Letta, Self::BasicMemory];

    /// Its word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kv => "kv",
            Self::Hermes => "hermes",
            Self::Mcp => "mcp",
            Self::Mem0 => "mem0",
            Self::OpenClaw => "openclaw",
            Self::Letta => "letta",
            Self::BasicMemory => "basic-memory",
        }
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|kind| kind.word() == word).ok_or(())
    }
}

/// How to read a source.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// Whose it is, where that is not to be told from the content.
    pub from: Option<Kind>,
    /// The zone of times that name none.
    pub zone: Zone,
}

/// A file of a source.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Its path in the folder, with `/`; empty for a source that is this one file.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// What an SQLite database has yet to take from the log beside it.
    pub wal: Option<Vec<u8>>,
    /// Why it was not opened.
    pub barred: Option<&'static str>,
}

/// A file or folder to take over.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Its path, as it was named.
    pub name: String,
    /// Its files.
    pub parts: Vec<Part>,
    /// What its files are to each other; `None` for a file.
    pub layout: Option<Layout>,
}

impl Source {
    /// A source that is one file.
    pub fn file(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        let part = Part { bytes, ..Part::default() };
        Self { name: name.into(), parts: vec![part], layout: None }
    }
}

/// What the files of a folder are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The home of a Hermes Agent, or the folder of its memories.
    Hermes,
    /// The workspace of an OpenClaw agent.
    OpenClaw,
    /// Files, each by itself.
    Files,
}

impl Layout {
    /// Tells it from the paths in a folder.
    pub fn of(names: &[String], from: Option<Kind>) -> Self {
        let is_there = |test: &dyn Fn(&str) -> bool| names.iter().any(|name| test(name));
        match from {
            Some(Kind::Hermes) => return Self::Hermes,
            Some(Kind::OpenClaw) => return Self::OpenClaw,
            Some(_) => return Self::Files,
            None => {}
        }
        let is_openclaw = |name: &str| {
            hermes_free(name) && (daily(name).is_some() || matches!(name, "SOUL.md" | "AGENTS.md" | "IDENTITY.md"))
        };
        if is_there(&|name| hermes::role(name).is_some_and(hermes::Role::is_home)) {
            Self::Hermes
        } else if is_there(&|name| name == "MEMORY.md") && is_there(&is_openclaw)
            || is_there(&|name| daily(name).is_some())
        {
            Self::OpenClaw
        } else if is_there(&|name| matches!(name, "MEMORY.md" | "USER.md")) {
            Self::Hermes
        } else {
            Self::Files
        }
    }

    /// Whether a file of it may hold memories. Others are not opened.
    pub fn holds(self, name: &str) -> bool {
        let file = name.rsplit('/').next().unwrap_or(name);
        match self {
            Self::Hermes => hermes::role(name).is_some(),
            Self::OpenClaw => {
                matches!(file, "MEMORY.md" | "memory.md")
                    || is_markdown(file) && name.split('/').any(|folder| folder == "memory")
            }
            Self::Files => !is_log(file),
        }
    }
}

fn hermes_free(name: &str) -> bool {
    !name.starts_with("memories/")
}

fn is_log(file: &str) -> bool {
    ["-wal", "-shm", "-journal", ".lock"].iter().any(|end| file.ends_with(end))
}

/// Hermes Agent and OpenClaw keep what they know of the user apart.
fn is_about_user(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|file| file.starts_with("USER.md"))
}

pub(super) fn is_markdown(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("md") || end.eq_ignore_ascii_case("markdown"))
}

/// The day of a daily note that lies in a folder `memory`.
fn daily(name: &str) -> Option<&str> {
    let (folder, file) = name.rsplit_once('/')?;
    let day = file.get(..10).filter(|day| chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok());
    day.filter(|_| is_markdown(file) && folder.split('/').any(|folder| folder == "memory"))
}

/// A source of a form that is known.
pub struct Readable<'a> {
    source: &'a Source,
    reading: Reading,
    /// The form and text of the one file; those of a folder are told one by one.
    file: Option<(Form, Cow<'a, str>)>,
}

/// The forms, as their readers know them.
pub enum Form {
    /// Nothing is in it.
    Empty,
    /// JSON or JSON lines.
    #[expect(private_interfaces, reason = "what the form looks like inside is for its reader alone")]
    Json(json::Form),
    /// Text.
    #[expect(private_interfaces, reason = "what the form looks like inside is for its reader alone")]
    Text(text::Form),
    /// An SQLite database.
    Sqlite,
    /// A zip archive.
    Zip,
}

/// Tells a source's form.
///
/// # Errors
/// When it is no form that is known.
pub fn open<'a>(source: &'a Source, reading: &Reading) -> Result<Readable<'a>, Unknown> {
    let file = match (source.layout, source.parts.as_slice()) {
        (None, [part]) => {
            let name = if part.name.is_empty() { &source.name } else { &part.name };
            Some(form(name, part, reading.from)?)
        }
        _ => None,
    };
    Ok(Readable { source, reading: *reading, file })
}

/// The form of a file, and its text where it is one.
fn form<'a>(name: &str, part: &'a Part, from: Option<Kind>) -> Result<(Form, Cow<'a, str>), Unknown> {
    let none = Cow::Borrowed("");
    if part.bytes.starts_with(b"SQLite format 3\0") {
        sqlite::check(part)?;
        return Ok((Form::Sqlite, none));
    }
    if part.bytes.starts_with(b"PK\x03\x04") {
        zip::check(&part.bytes)?;
        return Ok((Form::Zip, none));
    }
    let text = decode(&part.bytes);
    let is_json = |c: char| matches!(c, '{' | '[' | '"');
    let found = match text.trim_start().chars().next() {
        None => Some(Form::Empty),
        Some(_) if text.contains('\0') => None,
        Some(c) => {
            let is_called = [".json", ".jsonl", ".ndjson"].iter().any(|end| name.to_lowercase().ends_with(end));
            let json = if is_json(c) || is_called { json::form(&text) } else { None };
            json.map(Form::Json).or_else(|| text::form(name, &text, from).map(Form::Text))
        }
    };
    let is_fitting = |form: &Form| match (from, form) {
        (None | Some(Kind::Kv), _) | (_, Form::Empty) => true,
        (Some(Kind::Letta | Kind::Mcp), form) => matches!(form, Form::Json(_)),
        (Some(Kind::Mem0), form) => matches!(form, Form::Json(_) | Form::Zip),
        (Some(Kind::OpenClaw | Kind::BasicMemory), form) => matches!(form, Form::Text(_)),
        (Some(Kind::Hermes), form) => matches!(form, Form::Text(_) | Form::Json(_)),
    };
    match found {
        Some(form) if is_fitting(&form) => Ok((form, text)),
        Some(_) => Err(Unknown::NotOfKind),
        None if from.is_some() => Err(Unknown::NotOfKind),
        None => Err(Unknown::Other),
    }
}

impl Readable<'_> {
    /// The form's name.
    pub const fn form(&self) -> &'static str {
        match (&self.file, self.source.layout) {
            (Some((form, _)), _) => match form {
                Form::Empty => "empty",
                Form::Json(form) => form.name(),
                Form::Text(form) => form.name(),
                Form::Sqlite => "SQLite table",
                Form::Zip => "zip archive",
            },
            (None, Some(Layout::Hermes)) => "Hermes home",
            (None, Some(Layout::OpenClaw)) => "OpenClaw workspace",
            (None, _) => "folder",
        }
    }

    /// Hands on what is in it.
    pub fn each(self, take: &mut Take<'_>) {
        let mut hand_on = |found| take(found);
        let zone = self.reading.zone;
        let mut legacy = Legacy {
            take: &mut hand_on,
            zone,
            before: String::new(),
            is_about_user: false,
            past: None,
            seen: None,
            names: HashMap::new(),
        };
        if let (Some((form, text)), Some(part)) = (self.file, self.source.parts.first()) {
            let name = if part.name.is_empty() { &self.source.name } else { &part.name };
            legacy.past = hermes::past(name, zone);
            legacy.is_about_user = is_about_user(name);
            read(form, name, &text, part, &mut legacy);
            return;
        }
        let is_hermes = self.source.layout == Some(Layout::Hermes);
        // What holds comes before its copies of before: those are merged where they say the same.
        let mut parts: Vec<&Part> = self.source.parts.iter().collect();
        parts.sort_by_key(|part| hermes::past(&part.name, zone).is_some());
        for part in parts {
            legacy.before.clone_from(&part.name);
            legacy.is_about_user = is_about_user(&part.name);
            legacy.past = if is_hermes { hermes::past(&part.name, zone) } else { None };
            let from = if is_hermes { Some(Kind::Hermes) } else { self.reading.from };
            if let Some(why) = part.barred {
                legacy.unread("", why);
                continue;
            }
            match form(&part.name, part, from) {
                Ok((form, text)) => read(form, &part.name, &text, part, &mut legacy),
                Err(why) => legacy.unread("", why.why()),
            }
        }
    }
}

fn read(form: Form, name: &str, text: &str, part: &Part, legacy: &mut Legacy<'_>) {
    match form {
        Form::Empty => {}
        Form::Json(form) => json::read(form, text, legacy),
        Form::Text(form) => text::read(form, name, text, legacy),
        Form::Sqlite => sqlite::read(part, legacy),
        Form::Zip => zip::read(&part.bytes, legacy),
    }
}

/// A text, line ends as `\n`: UTF-8, or else line by line Windows-1252, in which every byte means something; UTF-16 where it
/// says so.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => encoding_rs::UTF_16LE.decode_without_bom_handling(rest).0,
        [0xfe, 0xff, rest @ ..] => encoding_rs::UTF_16BE.decode_without_bom_handling(rest).0,
        bytes => narrow(strip_bom(bytes)),
    };
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text }
}

fn narrow(bytes: &[u8]) -> Cow<'_, str> {
    let Err(error) = std::str::from_utf8(bytes) else { return String::from_utf8_lossy(bytes) };
    // Only its last character is cut off: it has others of several bytes, so that it is UTF-8.
    let whole = bytes.get(..error.valid_up_to()).unwrap_or_default();
    if error.error_len().is_none() && !whole.is_ascii() {
        return String::from_utf8_lossy(whole);
    }
    let mut text = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.push_str(&encoding_rs::WINDOWS_1252.decode_without_bom_handling(line).0),
        }
    }
    text.into()
}
