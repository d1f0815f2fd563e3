//! Notes in Markdown: each point and each paragraph is an entry; headings are none, but tell a day or what it is about.

use serde_json::{Map, Value};

use super::time::{day, time_of_day};
use super::{Entry, Legacy};
use crate::domain::block::read::documents;
use crate::domain::time::Timestamp;

/// A heading of so many words at most names a thing; a longer one says something about it.
const TOPIC_WORDS: usize = 3;
/// So long is a day, such as `2026-05-20`. Bytes.
const DAY: usize = 10;

/// Whether a text has points or headings.
pub(super) fn is(text: &str) -> bool {
    text.lines().any(|line| heading(line).is_some() || bullet(line).is_some())
}

/// Reads notes. `name` may tell their day.
pub(super) fn read(name: &str, text: &str, legacy: &mut Legacy<'_>) {
    let file = name.rsplit('/').next().unwrap_or(name);
    let mut reader =
        Reader { front: None, title: None, day: None, topic: None, at: None, open: None, fence: None, legacy };
    reader.set_day(file.get(..DAY).unwrap_or_default());
    let mut body = 0;
    if let Some(front) = front(text) {
        reader.take_front(&front.0);
        body = front.1;
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        reader.title.get_or_insert_with(|| stem.to_owned());
    }
    for (at, line) in text.lines().enumerate().skip(body) {
        reader.line(at + 1, line);
    }
    reader.end();
}

/// What stands between `---` lines at the top, and after how many lines the rest begins.
fn front(text: &str) -> Option<(Map<String, Value>, usize)> {
    let mut lines = text.lines();
    (lines.next()?.trim_end() == "---").then_some(())?;
    let len = lines.position(|line| line.trim_end() == "---")?;
    let inside: Vec<&str> = text.lines().skip(1).take(len).collect();
    let fields = match documents(inside.join("\n").into_bytes()).ok().and_then(|mut found| found.next()) {
        Some(Ok((_, Value::Object(fields)))) => fields,
        _ => Map::new(),
    };
    Some((fields, len + 2))
}

struct Reader<'a, 'b> {
    front: Option<Entry>,
    title: Option<String>,
    /// The day as it is written, and its beginning.
    day: Option<(String, Timestamp)>,
    /// The heading it stands under, where that names a thing.
    topic: Option<String>,
    at: Option<Timestamp>,
    /// What is being read: a point, or lines of a paragraph.
    open: Option<(bool, Entry)>,
    /// What ends the code that is being read.
    fence: Option<&'static str>,
    legacy: &'a mut Legacy<'b>,
}

impl Reader<'_, '_> {
    fn set_day(&mut self, text: &str) {
        if let Some(at) = day(text, self.legacy.zone) {
            self.day = Some((text.to_owned(), at));
        }
    }

    fn take_front(&mut self, fields: &Map<String, Value>) {
        let mut front = super::json::common("", fields, self.legacy);
        // What sort of note it is says nothing of what stands in it.
        front.tags.retain(|tag| tag != "note");
        self.title = fields.get("title").and_then(Value::as_str).map(ToOwned::to_owned);
        self.at = front.at;
        self.front = Some(front);
    }

    fn line(&mut self, number: usize, line: &str) {
        let trimmed = line.trim_start();
        let fence = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence));
        match (self.fence, fence) {
            (Some(open), Some(found)) if open == found => self.fence = None,
            (None, Some(found)) => self.fence = Some(found),
            (Some(_), _) => {}
            (None, None) => return self.outside_of_code(number, line),
        }
        self.continued(number, line);
    }

    fn outside_of_code(&mut self, number: usize, line: &str) {
        let is_rule = line.len() >= 3 && ["-", "*", "_"].iter().any(|mark| line.trim().replace(mark, "").is_empty());
        if line.trim().is_empty() || is_rule || is_comment(line) {
            self.end();
        } else if let Some((level, text)) = heading(line) {
            self.end();
            self.topic = None;
            let before = self.day.clone();
            self.set_day(text.get(..DAY).unwrap_or_default());
            let is_topic = level > 1 && self.day == before && text.split_whitespace().count() <= TOPIC_WORDS;
            self.topic = is_topic.then(|| text.to_owned());
        } else if let Some(point) = bullet(line) {
            self.end();
            let entry = self.point(point, number);
            self.open = Some((true, entry));
        } else {
            // What is not indented ends a point; indented, it goes on.
            if matches!(self.open, Some((true, _))) && !line.starts_with([' ', '\t']) {
                self.end();
            }
            self.continued(number, line);
        }
    }

    fn continued(&mut self, number: usize, line: &str) {
        if let Some((is_point, entry)) = &mut self.open {
            entry.value.push('\n');
            entry.value.push_str(if *is_point { line.trim() } else { line });
        } else {
            let entry = Entry { value: line.to_owned(), ..self.base(number) };
            self.open = Some((false, entry));
        }
    }

    fn end(&mut self) {
        if let Some((_, entry)) = self.open.take() {
            self.legacy.push(entry);
        }
    }

    /// What anything on that line has in common with the rest of the note.
    fn base(&self, number: usize) -> Entry {
        let mut entry = self.front.clone().unwrap_or_default();
        entry.place = format!("line {number}");
        entry.at = self.day.as_ref().map(|day| day.1).or(self.at);
        entry.entities.extend(self.title.clone());
        entry.entities.extend(self.topic.clone());
        entry
    }

    /// A point: a task, an observation (`[kind] text #tag (context)`) or a relation (`word [[Page]]`).
    fn point(&self, point: &str, number: usize) -> Entry {
        let mut entry = self.base(number);
        if let Some((clock, _)) = point.split_once(' ')
            && let Some((day, _)) = &self.day
        {
            entry.at = time_of_day(day, clock, self.legacy.zone).or(entry.at);
        }
        let mut value = point;
        if let Some((kind, rest)) = point.strip_prefix('[').and_then(|rest| rest.split_once("] "))
            && !rest.starts_with('(')
        {
            match kind {
                "" | " " => entry.tags.insert(0, "todo".to_owned()),
                "x" | "X" => entry.tags.push("done".to_owned()),
                "-" => entry.tags.push("cancelled".to_owned()),
                // What it says of itself comes before what the note says of all.
                kind => entry.tags.insert(0, kind.to_owned()),
            }
            value = rest;
            let tags = rest.split_whitespace().filter_map(|word| word.strip_prefix('#')).filter(|tag| is_tag(tag));
            entry.tags.extend(tags.map(ToOwned::to_owned));
            if let Some((_, context)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
                let said = context.split_whitespace().find_map(|word| day(word, self.legacy.zone));
                entry.at = said.or(entry.at);
            }
        }
        if let (Some(title), Some((words, page))) = (&self.title, relation(value)) {
            entry.value = format!("{title} {words} {page}");
            entry.entities.push(page.to_owned());
            entry.is_relation = true;
        } else {
            value.clone_into(&mut entry.value);
        }
        entry
    }
}

/// `word [[Page]]`, or a link alone.
fn relation(text: &str) -> Option<(&str, &str)> {
    let (words, rest) = text.split_once("[[")?;
    let (page, rest) = rest.split_once("]]")?;
    let rest = rest.trim();
    let is_context = rest.is_empty() || rest.starts_with('(') && rest.ends_with(')');
    let words = words.trim();
    let is_kind = words.split_whitespace().count() <= TOPIC_WORDS && !words.contains([':', ',', '.']);
    let page = page.split('|').next().unwrap_or(page).trim();
    (is_context && is_kind && !page.is_empty()).then_some((if words.is_empty() { "links_to" } else { words }, page))
}

fn is_tag(tag: &str) -> bool {
    tag.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/')) && tag.chars().any(char::is_alphabetic)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("<!--") && line.ends_with("-->")
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..=6).contains(&level) && (rest.is_empty() || rest.starts_with(' '))).then(|| (level, rest.trim()))
}

/// What stands behind the mark of a point.
fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}
