//! A page about one thing: labels on the left, wrapped text beside them, in titled sections.

use super::{Cell, Screen, Tone, sanitize, text};

/// The least room for a text beside its label; with less it goes below.
const TEXT_MIN: usize = 12;

/// Labels, texts and section titles, in the order they were added. What is empty is left out.
#[derive(Clone, Debug, Default)]
pub struct KeyValues {
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
enum Item {
    Section(String),
    Pair(String, Cell),
    Text(Cell),
}

impl KeyValues {
    /// An empty page.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a section. One without anything in it is left out.
    pub fn section(&mut self, title: impl AsRef<str>) -> &mut Self {
        self.items.push(Item::Section(sanitize::line(title.as_ref()).into_owned()));
        self
    }

    /// A label with its value; the lines of a [`Cell::block`] stay lines. An empty value is left out.
    pub fn pair(&mut self, label: impl AsRef<str>, value: impl Into<Cell>) -> &mut Self {
        let value = value.into();
        if !value.text.is_empty() {
            self.items.push(Item::Pair(sanitize::line(label.as_ref()).into_owned(), value));
        }
        self
    }

    /// A text without a label, over the full width. An empty one is left out.
    pub fn text(&mut self, text: impl Into<Cell>) -> &mut Self {
        let text = text.into();
        if !text.text.is_empty() {
            self.items.push(Item::Text(text));
        }
        self
    }

    /// The page as text, each line ended by a line feed. Sections have a blank line between them and what stands in
    /// them is indented; labels align over the whole page. Without a width nothing is wrapped.
    pub fn render(&self, screen: &Screen) -> String {
        let color = screen.color;
        let width = screen.width.map(usize::from);
        let label_width = self.items.iter().map(Item::label_width).max().unwrap_or(0);
        let mut out = String::new();
        let mut indent = 0;
        for (at, item) in self.items.iter().enumerate() {
            match item {
                Item::Section(title) => {
                    if matches!(self.items.get(at + 1), None | Some(Item::Section(_))) {
                        continue;
                    }
                    if !out.is_empty() {
                        out.push('\n');
                    }
                    write_lines(&mut out, 0, title, Tone::Strong, width, color);
                    indent = 2;
                }
                Item::Pair(label, value) => {
                    Labelled { indent, label_width, width, color }.write(&mut out, label, value);
                }
                Item::Text(cell) => write_lines(&mut out, indent, &cell.text, cell.tone, width, color),
            }
        }
        out
    }
}

impl Item {
    fn label_width(&self) -> usize {
        match self {
            Self::Pair(label, _) => text::width(label),
            Self::Section(_) | Self::Text(_) => 0,
        }
    }
}

/// How a label and its text stand beside each other.
pub(super) struct Labelled {
    /// Blanks before the label.
    pub(super) indent: usize,
    /// The width of the widest label.
    pub(super) label_width: usize,
    /// The width to wrap to.
    pub(super) width: Option<usize>,
    /// Whether to colour.
    pub(super) color: bool,
}

impl Labelled {
    /// Appends the label and the text, whose further lines stand under its first.
    pub(super) fn write(&self, out: &mut String, label: &str, cell: &Cell) {
        let column = self.indent + self.label_width + 2;
        if self.width.is_some_and(|width| width < column + TEXT_MIN) {
            write_lines(out, self.indent, label, Tone::Dim, self.width, self.color);
            return write_lines(out, self.indent + 2, &cell.text, cell.tone, self.width, self.color);
        }
        text::pad(out, self.indent);
        text::paint(out, label, Tone::Dim, self.color);
        let mut owed = self.label_width + 2 - text::width(label);
        for line in lines(&cell.text, self.width.map(|width| width - column)) {
            if !line.is_empty() {
                text::pad(out, owed);
                text::paint(out, &line, cell.tone, self.color);
            }
            out.push('\n');
            owed = column;
        }
    }
}

fn write_lines(out: &mut String, indent: usize, content: &str, tone: Tone, width: Option<usize>, color: bool) {
    for line in lines(content, width.map(|width| width.saturating_sub(indent))) {
        if !line.is_empty() {
            text::pad(out, indent);
            text::paint(out, &line, tone, color);
        }
        out.push('\n');
    }
}

fn lines(content: &str, width: Option<usize>) -> Vec<String> {
    match width {
        Some(width) => text::wrap(content, width),
        None => content.lines().map(str::to_owned).collect(),
    }
}
