//! Text: `memory:` lines and documents, variables, tables, entries between `§`.

use serde_json::Value;

use super::source::{Kind, is_markdown};
use super::time::time;
use super::{Entry, Legacy, notes};
use crate::domain::block::read::documents;
use crate::domain::zone::Zone;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Separated,
    Memories,
    Table {
        delimiter: u8,
        has_names: bool,
    },
    Variables,
    Notes,
    /// It is one entry.
    Whole,
}

impl Form {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Separated => "entries between §",
            Self::Memories => "memory entries",
            Self::Table { .. } => "CSV",
            Self::Variables => "variables",
            Self::Notes => "notes",
            Self::Whole => "one entry",
        }
    }
}

/// What a text is; `None` where it is none of the forms.
pub(super) fn form(name: &str, text: &str, from: Option<Kind>) -> Option<Form> {
    match from {
        Some(Kind::OpenClaw | Kind::BasicMemory) => return Some(Form::Notes),
        Some(Kind::Hermes) if is_separated(text) => return Some(Form::Separated),
        _ => {}
    }
    let file = name.rsplit('/').next().unwrap_or(name);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "));
    let first = lines.next().unwrap_or_default();
    let is_memory = |line: &str| memory(line).is_some();
    if is_memory(first) || matches!(first, "---") && !is_markdown(file) && text.lines().any(is_memory) {
        Some(Form::Memories)
    } else if is_separated(text) {
        Some(Form::Separated)
    } else if let Some(table) = table_of(first, file) {
        Some(table)
    } else if variable(first).is_some() {
        Some(Form::Variables)
    } else if text.lines().any(is_memory) && !is_markdown(file) {
        Some(Form::Memories)
    } else if notes::is(text) {
        Some(Form::Notes)
    } else {
        // Hermes Agent parts entries by `§`: without one there is one.
        let is_hermes =
            from == Some(Kind::Hermes) || ["MEMORY.md", "USER.md"].iter().any(|name| file.starts_with(name));
        is_hermes.then_some(Form::Whole)
    }
}

/// Reads it. `name` tells a daily note's day.
pub(super) fn read(form: Form, name: &str, text: &str, legacy: &mut Legacy<'_>) {
    match form {
        Form::Separated => separated(text, legacy),
        Form::Memories => memories(text, legacy),
        Form::Table { delimiter, has_names } => table(text, delimiter, has_names, legacy),
        Form::Variables => variables(text, legacy),
        Form::Notes => notes::read(name, text, legacy),
        Form::Whole => between(1, &text.lines().collect::<Vec<_>>(), legacy),
    }
}

/// What a `memory:` line says.
fn memory(line: &str) -> Option<&str> {
    let line = line.strip_prefix("- ").unwrap_or(line);
    Some(line.strip_prefix("memory")?.trim_start().strip_prefix([':', '='])?.trim())
}

fn memories(text: &str, legacy: &mut Legacy<'_>) {
    let is_yaml = |line: &str| {
        line.trim_end() == "---"
            || line.starts_with([' ', '\t']) && !line.trim().is_empty()
            || line.starts_with("tags:")
            || memory(line).is_some_and(|value| value.starts_with(['|', '>']))
    };
    if text.lines().any(is_yaml) {
        return yaml(text, legacy);
    }
    for (at, line) in text.lines().enumerate() {
        let place = format!("line {}", at + 1);
        match memory(line.trim()) {
            Some(value) => legacy.push(Entry { place, value: unquoted(value), ..Entry::default() }),
            None if line.trim().is_empty() || line.trim_start().starts_with('#') => {}
            None => legacy.unread(&place, "it is no entry"),
        }
    }
}

/// YAML documents. Where one holds several entries, each is read by itself; so is one that is not quite YAML.
fn yaml(text: &str, legacy: &mut Legacy<'_>) {
    let mut lines: Vec<&str> = Vec::new();
    let mut from = 1;
    for (at, line) in text.lines().enumerate() {
        let is_entry = memory(line).is_some();
        let is_end = line.trim_end() == "---";
        if is_end || is_entry && lines.iter().any(|line| memory(line).is_some()) {
            document(from, &lines, legacy);
            lines.clear();
            from = if is_end { at + 2 } else { at + 1 };
        }
        if !is_end {
            if lines.is_empty() && (line.trim().is_empty() || line.starts_with('#')) {
                from = at + 2;
                continue;
            }
            lines.push(line);
        }
    }
    document(from, &lines, legacy);
}

fn document(from: usize, lines: &[&str], legacy: &mut Legacy<'_>) {
    if lines.is_empty() {
        return;
    }
    let place = format!("line {from}");
    let parsed = documents(lines.join("\n").into_bytes()).ok().and_then(|mut found| found.next());
    let Some(Ok((_, Value::Object(fields)))) = parsed else {
        // A line such as `memory: he said: yes` is no YAML, but clear enough.
        match lines.split_first() {
            Some((line, rest)) if rest.iter().all(|line| line.trim().is_empty() || line.starts_with('#')) => {
                match memory(line) {
                    Some(value) => legacy.push(Entry { place, value: unquoted(value), ..Entry::default() }),
                    None => legacy.unread(&place, "it is no entry"),
                }
            }
            _ => legacy.unread(&place, "it is no YAML"),
        }
        return;
    };
    let base = super::json::common(&place, &fields, legacy);
    match fields.get("memory") {
        Some(Value::String(value)) => legacy.push(Entry { value: value.clone(), ..base }),
        Some(Value::Null) => legacy.unread(&place, "it is empty"),
        Some(value) if value.is_number() || value.is_boolean() => {
            legacy.push(Entry { value: value.to_string(), ..base });
        }
        _ => legacy.unread(&place, "it is no entry"),
    }
}

fn unquoted(value: &str) -> String {
    let inside = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    if let Some(inner) = inside('"') {
        return serde_json::from_str(value).unwrap_or_else(|_| inner.to_owned());
    }
    inside('\'').map_or_else(|| value.to_owned(), |inner| inner.replace("''", "'"))
}

/// What a column of a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Key,
    Says,
    Tags,
    About,
    Time,
    Expiry,
    /// Something that is no memory: a number of the row, say.
    Other,
}

/// What a column of that name holds.
pub(super) fn column(name: &str) -> Column {
    match name.trim().trim_matches('"').to_lowercase().as_str() {
        "key" | "name" | "k" | "setting" => Column::Key,
        "value" | "memory" | "content" | "text" | "data" | "fact" | "v" => Column::Says,
        "category" | "categories" | "type" | "tag" | "tags" => Column::Tags,
        "entity" | "entities" | "subject" => Column::About,
        "updated_at" | "updated" | "modified" | "created_at" | "created" | "timestamp" | "ts" | "time" | "date"
        | "at" => Column::Time,
        "expires_at" | "expires" | "expiration_date" => Column::Expiry,
        _ => Column::Other,
    }
}

impl Column {
    /// Puts a cell where it belongs.
    pub(super) fn put(self, cell: String, entry: &mut Entry, zone: Zone) {
        let words = |cell: &str| -> Vec<String> {
            let cell = cell.trim_matches(['[', ']']);
            let is_list = cell.contains([',', ';']);
            let parts = cell.split(|c: char| if is_list { matches!(c, ',' | ';') } else { c.is_whitespace() });
            parts.map(|part| part.trim().trim_matches(['"', '\'']).to_owned()).filter(|part| !part.is_empty()).collect()
        };
        match self {
            Self::Key => entry.key = Some(cell).filter(|key| !key.trim().is_empty()),
            // Of a name and a text the text comes last: `content` beside `value`.
            Self::Says if entry.value.is_empty() => entry.value = cell,
            Self::Tags => entry.tags.extend(words(&cell)),
            Self::About => entry.entities.extend(words(&cell)),
            // Of when it was made and when it was last changed, the later.
            Self::Time => entry.at = entry.at.max(time(&cell, zone)),
            Self::Expiry => entry.expires = entry.expires.or_else(|| time(&cell, zone)),
            Self::Says | Self::Other => {}
        }
    }
}

/// A line that names columns, one of which holds what a memory says; in a file that is called a table, a row of two or three.
fn table_of(line: &str, file: &str) -> Option<Form> {
    let delimiters = [b',', b';', b'\t'];
    let cells = |delimiter: u8| line.split(char::from(delimiter)).collect::<Vec<_>>();
    let named = delimiters.into_iter().find(|delimiter| {
        let columns = cells(*delimiter);
        columns.len() > 1 && columns.iter().any(|name| column(name) == Column::Says)
    });
    let is_called = [".csv", ".tsv"].iter().any(|end| file.to_lowercase().ends_with(end));
    let unnamed = || delimiters.into_iter().find(|delimiter| is_called && (2..=3).contains(&cells(*delimiter).len()));
    let table = |delimiter, has_names| Form::Table { delimiter, has_names };
    named.map(|delimiter| table(delimiter, true)).or_else(|| unnamed().map(|delimiter| table(delimiter, false)))
}

fn table(text: &str, delimiter: u8, has_names: bool, legacy: &mut Legacy<'_>) {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .has_headers(has_names)
        .from_reader(text.as_bytes());
    let columns: Vec<Column> = match reader.headers() {
        Ok(names) if has_names => names.iter().map(column).collect(),
        Ok(first) => [Column::Key, Column::Says, Column::Time].into_iter().take(first.len()).collect(),
        Err(_) => return legacy.unread("line 1", "it names no columns"),
    };
    for record in reader.records() {
        let Ok(record) = record else {
            legacy.unread("a row", "it is no row of a table");
            continue;
        };
        let place = format!("line {}", record.position().map_or(0, csv::Position::line));
        if record.len() != columns.len() {
            legacy.unread(&place, "it has not as many cells as the table has columns");
            continue;
        }
        let mut entry = Entry { place, ..Entry::default() };
        for (kind, cell) in columns.iter().zip(record.iter()) {
            kind.put(cell.to_owned(), &mut entry, legacy.zone);
        }
        legacy.push(entry);
    }
}

fn variable(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().strip_prefix("export ").unwrap_or(line.trim()).split_once('=')?;
    let name = name.trim();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, value.trim()))
}

fn variables(text: &str, legacy: &mut Legacy<'_>) {
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let place = format!("line {}", at + 1);
        let Some((name, value)) = variable(line) else {
            if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
                legacy.unread(&place, "it is no variable");
            }
            continue;
        };
        let mut value = value.to_owned();
        // A quoted value may go on for lines, as long as they are there.
        if let Some(mark) = value.chars().next().filter(|mark| matches!(mark, '"' | '\'')) {
            let mut ahead = lines.clone();
            let mut long = value.clone();
            while !is_closed(&long, mark) {
                let Some((_, next)) = ahead.next() else { break };
                long.push('\n');
                long.push_str(next);
            }
            if is_closed(&long, mark) {
                (value, lines) = (long, ahead);
            }
        }
        if value.starts_with("${") && value.ends_with('}') {
            legacy.unread(&place, "it only refers to a value that is kept elsewhere");
            continue;
        }
        let value = of_variable(&value);
        legacy.push(Entry { place, key: Some(name.to_owned()), value, ..Entry::default() });
    }
}

fn is_closed(value: &str, mark: char) -> bool {
    closing(value, mark).is_some()
}

/// Where a quoted value ends.
fn closing(value: &str, mark: char) -> Option<usize> {
    let mut is_escaped = false;
    value.char_indices().skip(1).find_map(|(at, c)| {
        let is_end = c == mark && !is_escaped;
        is_escaped = c == '\\' && mark == '"' && !is_escaped;
        is_end.then_some(at)
    })
}

/// A variable's value without quotes and without a comment behind it.
fn of_variable(value: &str) -> String {
    let Some(mark) = value.chars().next().filter(|mark| matches!(mark, '"' | '\'')) else {
        return value.split(" #").next().unwrap_or(value).trim_end().to_owned();
    };
    let Some(end) = closing(value, mark) else { return value.to_owned() };
    let quoted = value.get(..=end).unwrap_or(value);
    let inner = value.get(1..end).unwrap_or_default();
    // JSON knows no line end within a text.
    if mark == '"' && !inner.contains('\n') { unquoted(quoted) } else { inner.to_owned() }
}

/// Lines outside of code.
fn outside_of_code(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let mut is_code = false;
    text.lines().enumerate().map(move |(at, line)| {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        (at, line, is_code)
    })
}

/// Whether a line outside of code holds only `§`.
fn is_separated(text: &str) -> bool {
    text.contains('§') && outside_of_code(text).any(|(_, line, is_code)| line.trim() == "§" && !is_code)
}

/// Entries between lines that hold only `§`, those in code left aside.
fn separated(text: &str, legacy: &mut Legacy<'_>) {
    let (mut from, mut lines) = (1, Vec::new());
    for (at, line, is_code) in outside_of_code(text) {
        if line.trim() == "§" && !is_code {
            between(from, &lines, legacy);
            lines.clear();
            from = at + 2;
        } else {
            lines.push(line);
        }
    }
    between(from, &lines, legacy);
}

fn between(from: usize, lines: &[&str], legacy: &mut Legacy<'_>) {
    legacy.push(Entry { place: format!("line {from}"), value: lines.join("\n"), ..Entry::default() });
}
