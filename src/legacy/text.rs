//! Text: `memory:` lines and documents, variables, tables, entries between `§`, notes in Markdown.

use serde_json::Value;

use super::{Entry, Legacy, time};
use crate::domain::block::read::documents;

/// What a text is.
pub(super) enum Form {
    Separated,
    Memories,
    Table(u8),
    Variables,
    Notes,
}

impl Form {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Separated => "entries between §",
            Self::Memories => "memory entries",
            Self::Table(_) => "CSV",
            Self::Variables => "variables",
            Self::Notes => "notes",
        }
    }
}

/// What a text is; `None` where it is none of the forms.
pub(super) fn form(text: &str) -> Option<Form> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "));
    let first = lines.next().unwrap_or_default();
    if memory(first).is_some() || first == "---" && lines.next().and_then(memory).is_some() {
        Some(Form::Memories)
    } else if text.lines().any(|line| line.trim() == "§") {
        Some(Form::Separated)
    } else if let Some(delimiter) = header(first) {
        Some(Form::Table(delimiter))
    } else if variable(first).is_some() {
        Some(Form::Variables)
    } else {
        text.lines().any(|line| line.starts_with('#') || bullet(line).is_some()).then_some(Form::Notes)
    }
}

/// Reads it. `name` tells a daily note's day.
pub(super) fn read(form: &Form, name: &str, text: &str, legacy: &mut Legacy<'_>) {
    match form {
        Form::Separated => separated(text, legacy),
        Form::Memories => memories(text, legacy),
        Form::Table(delimiter) => table(text, *delimiter, legacy),
        Form::Variables => variables(text, legacy),
        Form::Notes => notes(name, text, legacy),
    }
}

fn memory(line: &str) -> Option<&str> {
    Some(line.strip_prefix("memory")?.trim_start().strip_prefix([':', '='])?.trim())
}

fn memories(text: &str, legacy: &mut Legacy<'_>) {
    let is_yaml = |line: &str| {
        line.trim_end() == "---"
            || line.starts_with("tags:")
            || memory(line).is_some_and(|value| value.starts_with(['|', '>']))
    };
    if !text.lines().any(is_yaml) {
        for (at, line) in text.lines().enumerate() {
            let place = format!("line {}", at + 1);
            match memory(line.trim()) {
                Some(value) => legacy.push(Entry { place, value: unquoted(value), ..Entry::default() }),
                None if line.trim().is_empty() || line.trim_start().starts_with('#') => {}
                None => legacy.unread(&place, "it is no entry"),
            }
        }
        return;
    }
    let Ok(documents) = documents(text.as_bytes().to_vec()) else {
        return legacy.unread("the document", "it is no YAML");
    };
    for (at, document) in documents.enumerate() {
        let place = format!("document {}", at + 1);
        let Ok((_, Value::Object(fields))) = document else {
            legacy.unread(&place, "it is no entry");
            continue;
        };
        let tags = match fields.get("tags") {
            Some(Value::Array(tags)) => tags.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect(),
            Some(Value::String(tag)) => vec![tag.clone()],
            _ => Vec::new(),
        };
        match fields.get("memory") {
            Some(Value::String(value)) => legacy.push(Entry { place, value: value.clone(), tags, ..Entry::default() }),
            Some(Value::Null) => legacy.unread(&place, "it is empty"),
            Some(value) if value.is_number() || value.is_boolean() => {
                legacy.push(Entry { place, value: value.to_string(), tags, ..Entry::default() });
            }
            _ => legacy.unread(&place, "it is no entry"),
        }
    }
}

fn unquoted(value: &str) -> String {
    let inside = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    if let Some(inner) = inside('"') {
        return serde_json::from_str(value).unwrap_or_else(|_| inner.to_owned());
    }
    inside('\'').map_or_else(|| value.to_owned(), |inner| inner.replace("''", "'"))
}

/// The delimiter of a line that names columns, one of which holds what a memory says.
fn header(line: &str) -> Option<u8> {
    [b',', b';', b'\t'].into_iter().find(|delimiter| {
        let columns: Vec<String> = line.split(char::from(*delimiter)).map(column).collect();
        columns.len() > 1 && columns.iter().any(|name| says(name))
    })
}

fn column(name: &str) -> String {
    name.trim().trim_matches('"').to_lowercase()
}

fn says(name: &str) -> bool {
    matches!(name, "value" | "memory" | "content" | "text")
}

fn table(text: &str, delimiter: u8, legacy: &mut Legacy<'_>) {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let Ok(names) = reader.headers().map(|names| names.iter().map(column).collect::<Vec<_>>()) else {
        return legacy.unread("line 1", "it names no columns");
    };
    for record in reader.records() {
        let Ok(record) = record else {
            legacy.unread("a row", "it is no row of a table");
            continue;
        };
        let mut entry =
            Entry { place: format!("line {}", record.position().map_or(0, csv::Position::line)), ..Entry::default() };
        for (name, cell) in names.iter().zip(record.iter()) {
            match name.as_str() {
                name if says(name) => cell.clone_into(&mut entry.value),
                "key" | "name" => entry.key = Some(cell.to_owned()).filter(|key| !key.trim().is_empty()),
                "category" | "type" | "tag" | "tags" => {
                    entry.tags.extend(cell.split_whitespace().map(ToOwned::to_owned));
                }
                _ => entry.at = entry.at.or_else(|| time(cell)),
            }
        }
        if record.len() == names.len() {
            legacy.push(entry);
        } else {
            legacy.unread(&entry.place, "it has not as many cells as the table has columns");
        }
    }
}

fn variable(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().strip_prefix("export ").unwrap_or(line.trim()).split_once('=')?;
    let name = name.trim();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, value.trim()))
}

fn variables(text: &str, legacy: &mut Legacy<'_>) {
    for (at, line) in text.lines().enumerate() {
        let place = format!("line {}", at + 1);
        match variable(line) {
            Some((name, value)) => {
                legacy.push(Entry { place, key: Some(name.to_owned()), value: unquoted(value), ..Entry::default() });
            }
            None if line.trim().is_empty() || line.trim_start().starts_with('#') => {}
            None => legacy.unread(&place, "it is no variable"),
        }
    }
}

/// Entries between lines that hold only `§`, those in code left aside.
fn separated(text: &str, legacy: &mut Legacy<'_>) {
    let mut is_code = false;
    let (mut from, mut lines) = (1, Vec::new());
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
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

fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).map(str::trim)
}

/// Notes: each point and each paragraph is an entry; headings are none.
fn notes(name: &str, text: &str, legacy: &mut Legacy<'_>) {
    let stem = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".md");
    let day = stem.get(..10).and_then(time);
    let mut title = None;
    let mut is_front = false;
    let mut paragraph: Option<(usize, Vec<&str>)> = None;
    let end = |paragraph: &mut Option<(usize, Vec<&str>)>, legacy: &mut Legacy<'_>| {
        if let Some((from, lines)) = paragraph.take() {
            let entry = Entry { place: format!("line {from}"), value: lines.join("\n"), at: day, ..Entry::default() };
            legacy.push(entry);
        }
    };
    for (at, line) in text.lines().enumerate() {
        if line.trim_end() == "---" && (at == 0 || is_front) {
            is_front = at == 0;
            continue;
        }
        if is_front {
            title = title.or_else(|| line.strip_prefix("title:").map(|title| unquoted(title.trim())));
            continue;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            end(&mut paragraph, legacy);
        } else if let Some(point) = bullet(line) {
            end(&mut paragraph, legacy);
            let entry = Entry { place: format!("line {}", at + 1), at: day, ..Entry::default() };
            legacy.push(of_point(point, title.as_deref(), entry));
        } else {
            paragraph.get_or_insert_with(|| (at + 1, Vec::new())).1.push(line);
        }
    }
    end(&mut paragraph, legacy);
}

/// A point: a task, an observation (`[kind] text #tag`) or a relation (`word [[Page]]`).
fn of_point(point: &str, title: Option<&str>, mut entry: Entry) -> Entry {
    entry.entities.extend(title.map(ToOwned::to_owned));
    let mut value = point;
    if let Some((kind, rest)) = point.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        match kind {
            " " => entry.tags.push("todo".to_owned()),
            "x" | "X" => {}
            kind => entry.tags.push(kind.to_owned()),
        }
        value = rest;
        let tags = rest.split_whitespace().filter_map(|word| word.strip_prefix('#')).filter(|tag| !tag.is_empty());
        entry.tags.extend(tags.map(ToOwned::to_owned));
    }
    if let (Some(title), Some((word, page))) = (title, value.split_once(" [["))
        && let Some(page) = page.strip_suffix("]]")
        && !word.contains(char::is_whitespace)
    {
        entry.value = format!("{title} {word} {page}");
        entry.entities.push(page.to_owned());
        entry.is_relation = true;
        return entry;
    }
    value.clone_into(&mut entry.value);
    entry
}
