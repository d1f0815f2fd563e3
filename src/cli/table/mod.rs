//! The one table style, and the style of pages that show one thing.
//!
//! A [`Table`] has three shapes, chosen by [`Table::render`] from the screen and the content: plain lines for a pipe,
//! rows for a wide terminal, a stacked block for each row on a narrow one. Nothing is ever cut off. All text is
//! sanitized on its way into a [`Cell`]; what a cell means and which columns a list has is the reports' business.

mod page;
mod plain;
mod rows;
mod stacked;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;

pub use page::KeyValues;
pub use text::bars;

use super::sanitize;

/// Below this many columns a table with running text is stacked: rows would be read like newspaper columns.
const ROWS_FROM: u16 = 110;

/// Where the output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Columns of the terminal; `None` when the output is no terminal: then nothing is wrapped or styled.
    pub width: Option<u16>,
    /// Whether tones are shown as colours and weights.
    pub color: bool,
}

/// The weight of a text. Everything reads the same without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As it comes.
    #[default]
    Plain,
    /// Bold: what the eye looks for first.
    Strong,
    /// Faint: labels and side matters.
    Dim,
    /// Green: fine, done.
    Good,
    /// Yellow: look here.
    Warn,
    /// Red: conflict, failure.
    Bad,
}

/// One piece of text with its tone, harmless for a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    text: String,
    tone: Tone,
}

impl Cell {
    /// A cell of one line; line breaks in `text` become blanks, those at its end go.
    pub fn new(text: impl Into<String>) -> Self {
        Self::cleaned(text.into(), sanitize::line)
    }

    /// A cell that keeps its line breaks, for [`KeyValues`]. A table takes the breaks for blanks.
    pub fn block(text: impl Into<String>) -> Self {
        Self::cleaned(text.into(), sanitize::block)
    }

    fn cleaned(raw: String, clean: fn(&str) -> Cow<'_, str>) -> Self {
        let mut text = match clean(&raw) {
            Cow::Owned(cleaned) => cleaned,
            Cow::Borrowed(_) => raw,
        };
        text.truncate(text.trim_end().len());
        Self { text, tone: Tone::Plain }
    }

    /// The same text in another tone.
    #[must_use]
    pub fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    /// The text as it will be shown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text on one line.
    fn flat(&self) -> Cow<'_, str> {
        sanitize::line(&self.text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

/// How a column behaves when space is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Id,
    Short,
    Text,
    Number,
}

/// A column: its title and how it behaves when space is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    title: &'static str,
    kind: Kind,
}

impl Column {
    /// A column never wrapped nor cut, since its text is there to be copied. It heads a stacked block.
    pub const fn id(title: &'static str) -> Self {
        Self { title, kind: Kind::Id }
    }

    /// A column of a word or two, kept whole; stacked, it stands without its title.
    pub const fn short(title: &'static str) -> Self {
        Self { title, kind: Kind::Short }
    }

    /// A column of running text: it takes the space that is left, and wraps.
    pub const fn text(title: &'static str) -> Self {
        Self { title, kind: Kind::Text }
    }

    /// A right-aligned column of numbers; stacked, it stands behind its title.
    pub const fn number(title: &'static str) -> Self {
        Self { title, kind: Kind::Number }
    }
}

/// Rows under titled columns.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row: one cell for each column, in order. Missing cells are empty, further ones are left out.
    pub fn row(&mut self, mut cells: Vec<Cell>) {
        cells.resize_with(self.columns.len(), Cell::default);
        self.rows.push(cells);
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as text, each line ended by a line feed; nothing at all when there is no row.
    ///
    /// Without a width: a header and one line per row, columns aligned with two blanks between them, nothing wrapped.
    /// On at least 110 columns, if ids and short columns leave each text column 16 or what it needs: rows,
    /// wrapped to the width. A table without text columns stands in rows wherever it fits. Else: a block per row. No
    /// line is wider than the screen, except for a single id that is.
    pub fn render(&self, screen: &Screen) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let Some(width) = screen.width else { return plain::render(self, screen.color) };
        let running_text = self.columns.iter().any(|column| column.kind == Kind::Text);
        if (width >= ROWS_FROM || !running_text)
            && let Some(widths) = rows::fit(self, usize::from(width))
        {
            return rows::render(self, &widths, screen.color);
        }
        stacked::render(self, usize::from(width), screen.color)
    }

    /// The width each column needs to show its title and every cell whole.
    fn natural_widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|column| text::width(column.title)).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(text::width(&cell.text));
            }
        }
        widths
    }
}
