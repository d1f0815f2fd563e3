//! A table on a narrow terminal: a small block for each row. First the id and the short cells, as many to a line as fit;
//! then each text under its label.

use std::borrow::Cow;

use super::{Cell, Column, Kind, Table, Tone, page, text};

/// Between two short cells.
const SEPARATOR: &str = " · ";

/// Before everything but the first line of a block.
const INDENT: usize = 2;

pub(super) fn render(table: &Table, width: usize, color: bool) -> String {
    let head = table.columns.iter().position(|column| column.kind == Kind::Id).unwrap_or(0);
    let labels = table.columns.iter().enumerate().filter(|&(at, column)| at != head && column.kind == Kind::Text);
    let label_width = labels.map(|(_, column)| text::width(column.title)).max().unwrap_or(0);

    let mut out = String::new();
    for (number, row) in table.rows.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let cells = || table.columns.iter().zip(row).enumerate().filter(|(_, (_, cell))| !cell.text.is_empty());
        let mut first = Line { out: &mut out, width, color, used: 0, pieces: 0 };
        if let Some((_, (_, cell))) = cells().find(|&(at, _)| at == head) {
            first.head(cell, table.columns.get(head));
        }
        for (_, (column, cell)) in cells().filter(|&(at, (column, _))| at != head && column.kind != Kind::Text) {
            first.piece(column, cell);
        }
        first.end();
        for (_, (column, cell)) in cells().filter(|&(at, (column, _))| at != head && column.kind == Kind::Text) {
            let labelled = page::Labelled { indent: INDENT, label_width, width: Some(width), color };
            labelled.write(&mut out, column.title, &Cell { text: cell.flat().into_owned(), tone: cell.tone });
        }
    }
    out
}

/// The first line of a block, with its following lines where it is too long.
struct Line<'a> {
    out: &'a mut String,
    width: usize,
    color: bool,
    /// Columns used on the current line.
    used: usize,
    /// Short cells on the current line.
    pieces: usize,
}

impl Line<'_> {
    /// The id: whole, however long. A table without one is headed by its first column, which wraps.
    fn head(&mut self, cell: &Cell, column: Option<&Column>) {
        let tone = if cell.tone == Tone::Plain { Tone::Strong } else { cell.tone };
        let content = cell.flat();
        if column.is_some_and(|column| column.kind == Kind::Id) {
            return self.write(&content, tone);
        }
        for (number, line) in text::wrap(&content, self.width).iter().enumerate() {
            if number > 0 {
                self.out.push('\n');
                self.used = 0;
            }
            self.write(line, tone);
        }
    }

    fn piece(&mut self, column: &Column, cell: &Cell) {
        let content = match column.kind {
            Kind::Number => Cow::Owned(format!("{} {}", column.title, cell.flat())),
            Kind::Id | Kind::Short | Kind::Text => cell.flat(),
        };
        let separator = if self.pieces == 0 { "  " } else { SEPARATOR };
        if self.used > 0 && self.used + text::width(separator) + text::width(&content) <= self.width {
            self.write(separator, Tone::Dim);
            self.write(&content, cell.tone);
            self.pieces += 1;
            return;
        }
        let lines = if column.kind == Kind::Id {
            vec![content.into_owned()]
        } else {
            text::wrap(&content, self.width.saturating_sub(INDENT))
        };
        for line in lines {
            self.end();
            text::pad(self.out, INDENT);
            self.used = INDENT;
            self.write(&line, cell.tone);
        }
        self.pieces = 1;
    }

    fn write(&mut self, content: &str, tone: Tone) {
        text::paint(self.out, content, tone, self.color);
        self.used += text::width(content);
    }

    /// Ends the line if anything stands on it.
    fn end(&mut self) {
        if self.used > 0 {
            self.out.push('\n');
        }
        (self.used, self.pieces) = (0, 0);
    }
}
