//! A page cut into units: front matter keys, sentences, list items, task boxes, table rows, with the headings above them.

mod text;

pub(super) use text::{leading_date, split_key, without_marks};

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::frontmatter::front_matter;
use super::quantity::{Date, whole_date};
use super::words::fold;
use crate::domain::sentences::sentences;

/// A passage that can say something.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    /// Line, from 1.
    pub(super) line: u32,
    /// The wording without markup.
    pub(super) text: String,
    /// What stands before the colon, for `key: value` and its kin.
    pub(super) key: Option<String>,
    /// Targets of links whose alias stands in the text.
    pub(super) links: Vec<String>,
    /// Header and cell of each column, for a table row.
    pub(super) cells: Vec<(String, String)>,
    /// Open or done, for a task box.
    pub(super) task: Option<bool>,
    /// What stood before the text: a log line's day, as written.
    pub(super) lead: String,
    /// The day of a log entry.
    pub(super) date: Option<Date>,
    /// The list items this one hangs under.
    pub(super) parents: Vec<String>,
    /// The heading above, by number.
    pub(super) heading: Option<usize>,
    /// From the front matter.
    pub(super) property: bool,
}

impl Unit {
    /// The unit as it is shown to a person.
    pub(super) fn shown(&self) -> String {
        if self.cells.is_empty() {
            return match &self.key {
                Some(key) => format!("{}{key}: {}", self.lead, self.text),
                None => format!("{}{}", self.lead, self.text),
            };
        }
        let cells: Vec<&str> = self.cells.iter().map(|(_, cell)| cell.as_str()).collect();
        format!("| {} |", cells.join(" | "))
    }
}

/// A heading, or the title of a callout.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    /// Without markup and date.
    pub(super) text: String,
    /// Pages it links to.
    pub(super) links: Vec<String>,
    /// The day it names.
    pub(super) date: Option<Date>,
    /// It begins with a version.
    pub(super) version: bool,
    /// 1 to 6; callouts 7.
    level: usize,
    /// The heading it stands under.
    pub(super) above: Option<usize>,
}

/// A page, read.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// Title, aliases, file name: what the page is about when a sentence doesn't say.
    pub(super) subjects: Vec<String>,
    /// Headings in order.
    pub(super) headings: Vec<Heading>,
    /// What it says, in order.
    pub(super) units: Vec<Unit>,
}

/// Reads a page. `name` is its path in the vault.
pub(super) fn read(name: &str, text: &str) -> Page {
    let stem = name.rsplit('/').next().unwrap_or(name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let mut page = Page { subjects: vec![stem.to_owned()], ..Page::default() };
    let mut body = text.to_owned();
    if let Some((properties, length)) = front_matter(text) {
        for property in properties {
            match fold(&property.key).as_str() {
                "title" | "titel" | "alias" | "aliases" => page.subjects.extend(property.values),
                "tags" | "tag" | "cssclass" | "cssclasses" | "publish" | "template" | "banner" | "id" | "uid" => {}
                _ => page.units.push(Unit {
                    line: u32::try_from(property.line + 1).unwrap_or(u32::MAX),
                    key: Some(property.key.replace(['_', '-'], " ")),
                    text: property.values.join(", "),
                    property: true,
                    ..Unit::default()
                }),
            }
        }
        body.replace_range(..length, &blank(text.get(..length).unwrap_or_default()));
    }
    let body = without_comments(&body);
    Reader::new(&body, &mut page).run();
    page
}

/// Blanks of the same length, with the line ends kept.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// Blanks out `%%` comments, but not inside fences.
fn without_comments(text: &str) -> String {
    if !text.contains("%%") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let (mut comment, mut fence) = (false, false);
    for line in text.split_inclusive('\n') {
        let mark = line.trim_start().trim_start_matches(['>', ' ']);
        if !comment && (mark.starts_with("```") || mark.starts_with("~~~")) {
            fence = !fence;
        }
        if fence && !comment {
            out.push_str(line);
            continue;
        }
        for (at, part) in line.split("%%").enumerate() {
            if at > 0 {
                comment = !comment;
                out.push_str("  ");
            }
            if comment { out.push_str(&blank(part)) } else { out.push_str(part) }
        }
    }
    out
}

/// A text that grows while events come in, and where its parts stood in the source.
#[derive(Default)]
struct Flow {
    text: String,
    places: Vec<(usize, usize)>,
    links: Vec<String>,
}

impl Flow {
    fn push(&mut self, text: &str, source: usize) {
        self.places.push((self.text.len(), source));
        self.text.push_str(text);
    }

    /// Where the byte at `at` stood in the source.
    fn source(&self, at: usize) -> usize {
        let after = self.places.partition_point(|(plain, _)| *plain <= at);
        self.places.get(after.saturating_sub(1)).map_or(0, |(plain, source)| source + at.saturating_sub(*plain))
    }
}

struct Item {
    task: Option<bool>,
    text: Option<String>,
    date: Option<Date>,
}

struct Reader<'p, 's> {
    source: &'s str,
    page: &'p mut Page,
    lines: Vec<usize>,
    flow: Flow,
    items: Vec<Item>,
    heading: Option<usize>,
    /// The heading in force before each open block quote.
    quotes: Vec<Option<usize>>,
    level: usize,
    skipped: usize,
    header: Vec<String>,
    row: Vec<String>,
    row_at: usize,
    in_header: bool,
}

impl<'p, 's> Reader<'p, 's> {
    fn new(source: &'s str, page: &'p mut Page) -> Self {
        let lines = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
        Self {
            source,
            page,
            lines,
            flow: Flow::default(),
            items: Vec::new(),
            heading: None,
            quotes: Vec::new(),
            level: 0,
            skipped: 0,
            header: Vec::new(),
            row: Vec::new(),
            row_at: 0,
            in_header: false,
        }
    }

    fn run(mut self) {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_WIKILINKS
            | Options::ENABLE_FOOTNOTES;
        for (event, range) in Parser::new_ext(self.source, options).into_offset_iter() {
            self.event(event, &range);
        }
        self.flush();
    }

    fn line(&self, at: usize) -> u32 {
        u32::try_from(self.lines.partition_point(|end| *end < at) + 1).unwrap_or(u32::MAX)
    }

    fn event(&mut self, event: Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => self.open(&tag, range),
            Event::End(tag) => self.close(tag),
            Event::Text(text) if self.skipped == 0 => self.flow.push(&text, range.start),
            Event::Code(text) if self.skipped == 0 => self.flow.push(&text, range.start + 1),
            Event::SoftBreak | Event::HardBreak if self.skipped == 0 => self.flow.push("\n", range.start),
            Event::TaskListMarker(done) => {
                // `[-]` and `[>]` are not boxes of CommonMark; what is, is open or done.
                if let Some(item) = self.items.last_mut() {
                    item.task = Some(done);
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.level = *level as usize;
            }
            Tag::List(_) | Tag::Paragraph | Tag::Table(_) | Tag::FootnoteDefinition(_) => self.flush(),
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes.push(self.heading);
            }
            Tag::Item => {
                self.flush();
                self.items.push(Item { task: None, text: None, date: None });
                // "15. Mai: …" at the head of a line is a day, though to Markdown it is the fifteenth item of a list.
                let head = self.source.get(range.start..).unwrap_or_default();
                let digits = head.bytes().take_while(u8::is_ascii_digit).count();
                let word = head
                    .get(digits..)
                    .and_then(|rest| rest.strip_prefix(". "))
                    .and_then(|rest| rest.split([' ', ':', ',']).next());
                if (1..=2).contains(&digits) && word.is_some_and(|word| super::quantity::month(&fold(word)).is_some()) {
                    self.flow.push(head.get(..digits + 2).unwrap_or_default(), range.start);
                }
            }
            Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) => {
                self.flush();
                self.skipped += 1;
            }
            Tag::Strikethrough | Tag::Image { .. } => self.skipped += 1,
            Tag::Link { link_type: LinkType::WikiLink { .. }, dest_url, .. } => {
                let target = dest_url.split(['#', '^']).next().unwrap_or_default();
                let target = target.rsplit('/').next().unwrap_or_default();
                self.flow.links.push(target.strip_suffix(".md").unwrap_or(target).to_owned());
            }
            Tag::TableHead => {
                self.in_header = true;
                self.header.clear();
            }
            Tag::TableRow => {
                self.row.clear();
                self.row_at = range.start;
                self.flow = Flow::default();
            }
            Tag::TableCell => {
                let links = std::mem::take(&mut self.flow.links);
                self.flow = Flow { links, ..Flow::default() };
            }
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.end_heading(),
            TagEnd::Paragraph => self.flush(),
            TagEnd::Item => {
                self.flush();
                self.items.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                if let Some(heading) = self.quotes.pop() {
                    self.heading = heading;
                }
            }
            TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::MetadataBlock(_)
            | TagEnd::Strikethrough
            | TagEnd::Image => {
                self.skipped = self.skipped.saturating_sub(1);
            }
            TagEnd::TableCell => {
                let text = std::mem::take(&mut self.flow.text).replace('\n', " ").trim().to_owned();
                if self.in_header { self.header.push(text) } else { self.row.push(text) }
            }
            TagEnd::TableHead => self.in_header = false,
            TagEnd::TableRow => self.end_row(),
            TagEnd::Table => self.flow = Flow::default(),
            _ => {}
        }
    }

    fn end_heading(&mut self) {
        let flow = std::mem::take(&mut self.flow);
        let level = std::mem::take(&mut self.level);
        let mut above = self.heading;
        while let Some(candidate) = above.and_then(|number| self.page.headings.get(number)) {
            if candidate.level < level {
                break;
            }
            above = candidate.above;
        }
        let plain = without_marks(&flow.text);
        let (date, rest) = leading_date(&plain);
        let text = rest.trim().to_owned();
        if level == 1 && !self.page.headings.iter().any(|heading| heading.level == 1) && !text.is_empty() {
            self.page.subjects.push(text.clone());
        }
        let first =
            plain.split_whitespace().next().unwrap_or_default().trim_matches(['[', ']', '(', ')', 'v', 'V', ':']);
        let version = first.contains('.') && first.chars().all(|c| c.is_ascii_digit() || c == '.') && date.is_none();
        self.page.headings.push(Heading { text, links: flow.links, date, version, level, above });
        self.heading = Some(self.page.headings.len() - 1);
    }

    fn end_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        let links = std::mem::take(&mut self.flow.links);
        if row.iter().all(String::is_empty) {
            return;
        }
        let date = row.first().and_then(|cell| whole_date(cell));
        let header = self.header.iter().map(String::as_str).chain(std::iter::repeat(""));
        let cells = header.zip(row).map(|(head, cell)| (head.to_owned(), cell)).collect();
        let unit = Unit {
            line: self.line(self.row_at),
            cells,
            links,
            date,
            heading: self.heading,
            parents: self.parents(),
            ..Unit::default()
        };
        self.page.units.push(unit);
    }

    fn parents(&self) -> Vec<String> {
        self.items.iter().filter_map(|item| item.text.clone()).collect::<Vec<_>>().into_iter().rev().take(3).collect()
    }

    /// Turns the text gathered so far into units.
    fn flush(&mut self) {
        if self.level > 0 || !self.header.is_empty() && self.flow.text.is_empty() {
            return;
        }
        let flow = std::mem::take(&mut self.flow);
        if flow.text.trim().is_empty() {
            return;
        }
        let mut start = 0;
        let mut open: Option<Range<usize>> = None;
        let mut callout = !self.quotes.is_empty();
        let mut groups: Vec<Range<usize>> = Vec::new();
        for line in flow.text.split_inclusive('\n') {
            let range = start..start + line.len();
            start = range.end;
            let text = line.trim();
            if callout && text.starts_with("[!") {
                let title = text.split_once(']').map_or("", |(_, title)| title.trim_start_matches(['+', '-']).trim());
                self.page.headings.push(Heading {
                    text: title.to_owned(),
                    links: Vec::new(),
                    date: None,
                    version: false,
                    level: 7,
                    above: self.heading,
                });
                self.heading = Some(self.page.headings.len() - 1);
                callout = false;
                continue;
            }
            callout = false;
            if split_key(text).is_some() || leading_date(text).0.is_some() {
                groups.extend(open.take());
                groups.push(range);
            } else if let Some(group) = groups.last_mut().filter(|group| {
                group.end == range.start
                    && open.is_none()
                    && line_goes_on(flow.text.get((**group).clone()).unwrap_or_default())
            }) {
                group.end = range.end;
            } else {
                open = Some(open.map_or(range.start, |group| group.start)..range.end);
            }
        }
        groups.extend(open);
        for group in groups {
            self.group(&flow, group);
        }
    }

    /// One run of text: a key with its value, or sentences.
    fn group(&mut self, flow: &Flow, range: Range<usize>) {
        let Some(raw) = flow.text.get(range.clone()) else { return };
        let trimmed = raw.trim_start();
        let offset = range.start + raw.len() - trimmed.len();
        let plain = trimmed.trim_end();
        let (date, rest) = leading_date(plain);
        let lead = plain.get(..plain.len() - rest.len()).unwrap_or_default().to_owned();
        let offset = offset + plain.len() - rest.len();
        let inherited = self.items.iter().rev().find_map(|item| item.date);
        let (key, value) = match split_key(rest) {
            Some((key, value)) => (Some(key.trim().to_owned()), value),
            None => (None, rest),
        };
        let offset = offset + rest.len() - value.len();
        let task = self.items.last().and_then(|item| item.task);
        let parents = self.parents();
        if let Some(item) = self.items.last_mut()
            && item.text.is_none()
        {
            item.text = Some(key.clone().unwrap_or_else(|| rest.chars().take(160).collect()));
            item.date = date;
        }
        for sentence in sentences(value) {
            let text = value.get(sentence.clone()).unwrap_or_default();
            let line = self.line(flow.source(offset + sentence.start));
            let text = without_marks(&text.replace('\n', " "));
            if text.is_empty() {
                continue;
            }
            let unit = Unit {
                line,
                text,
                key: key.clone(),
                links: flow.links.clone(),
                task,
                lead: lead.clone(),
                date: date.or(inherited),
                parents: parents.clone(),
                heading: self.heading,
                ..Unit::default()
            };
            self.page.units.push(unit);
        }
    }
}

/// Whether a key line's value goes on in the next line: it ends without a full stop and is long enough to have wrapped.
fn line_goes_on(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with(',') || line.chars().count() > 70 && !line.ends_with(['.', '!', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<(u32, String)> {
        read("Seite.md", text).units.iter().map(|unit| (unit.line, unit.shown())).collect()
    }

    #[test]
    fn what_people_write_becomes_units_with_lines() {
        let text = "---\nstatus: live\n---\n# Titel\n\nEin Satz, z. B. so. Noch einer am 1. Mai.\nport:: 80\n\n- [x] fertig\n- **Key:** Wert eins. Wert zwei.\n  - tiefer\n\n| A | B |\n|---|---|\n| x | 1 |\n\n> [!note] Kopf\n> Im Kasten.\n\n%% weg %%\n~~auch weg~~ bleibt [[Ziel|Alias]] #tag\n\n```\ncode\n```\n<!-- weg -->\n";
        let want = [
            (2, "status: live"),
            (6, "Ein Satz, z. B. so."),
            (6, "Noch einer am 1. Mai."),
            (7, "port: 80"),
            (9, "fertig"),
            (10, "Key: Wert eins."),
            (10, "Key: Wert zwei."),
            (11, "tiefer"),
            (15, "| x | 1 |"),
            (18, "Im Kasten."),
            (21, "bleibt Alias"),
        ];
        assert_eq!(units(text), want.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn log_lines_carry_their_day() {
        for text in [
            "- 2026-03-22: Text",
            "- 22.03.2026 – Text",
            "- **2026-03-22** Text",
            "- [2026-03-22] Text",
            "- 22. März 2026: Text",
        ] {
            let page = read("x.md", text);
            assert_eq!(page.units[0].date, Some(Date { year: 2026, month: 3, day: 22 }), "{text}");
            assert_eq!(page.units[0].text, "Text", "{text}");
        }
    }

    #[test]
    fn hostile_pages_are_read_in_time() {
        for text in [
            "> ".repeat(50_000),
            "- ".repeat(50_000),
            "[[".repeat(50_000),
            "a".repeat(1_000_000),
            "*a_ ".repeat(100_000),
            "|a".repeat(50_000),
        ] {
            let _ = read("x.md", &text);
        }
    }
}
