//! A table on a wide terminal: rows under an underlined header, text columns wrapped.
//!
//! The widths are settled and the text is wrapped here, so that rows and stacked blocks wrap alike; comfy-table lays
//! the wrapped cells side by side.

use comfy_table::{Attribute, CellAlignment, Color, ColumnConstraint, ContentArrangement, TableStyle};
use comfy_table::{ContentLineStyle, LineStyle, Width};

use super::{Cell, Kind, Table, Tone, text};

/// The least a text column is wrapped to; with less than that, blocks read better.
const TEXT_MIN: usize = 16;

/// Between two columns.
const GAP: usize = 2;

const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none().junction(' '))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .content_lines(ContentLineStyle::none().junction(' '));

/// The width of each column within `width`, or nothing if they do not all get what they need.
pub(super) fn fit(table: &Table, width: usize) -> Option<Vec<usize>> {
    let mut widths = table.natural_widths();
    let is_text = |column: &super::Column| column.kind == Kind::Text;
    let gaps = widths.len().saturating_sub(1) * GAP;
    let fixed: usize = widths.iter().zip(&table.columns).filter(|(_, col)| !is_text(col)).map(|(width, _)| width).sum();
    let mut left = width.checked_sub(gaps + fixed)?;

    // The least demanding column first: what it does not use of an equal share goes to the others.
    let mut texts: Vec<&mut usize> =
        widths.iter_mut().zip(&table.columns).filter(|(_, col)| is_text(col)).map(|(width, _)| width).collect();
    texts.sort();
    let mut open = texts.len();
    for width in texts {
        let share = left / open.max(1);
        if share < (*width).min(TEXT_MIN) {
            return None;
        }
        *width = (*width).min(share);
        left -= *width;
        open -= 1;
    }
    Some(widths)
}

pub(super) fn render(table: &Table, widths: &[usize], color: bool) -> String {
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled).force_no_tty();
    if color {
        drawn.enforce_styling().style_text_only();
    }
    drawn.set_header(table.columns.iter().map(|column| shape(&Cell::new(column.title), column.kind, usize::MAX)));
    for row in &table.rows {
        let cells = row.iter().zip(&table.columns).zip(widths);
        drawn.add_row(cells.map(|((cell, column), &width)| shape(cell, column.kind, width)));
    }
    let last = widths.len().saturating_sub(1);
    for (at, (column, width)) in drawn.column_iter_mut().zip(widths).enumerate() {
        let gap = u16::from(at != last);
        column.set_padding((0, gap));
        let width = u16::try_from(*width).unwrap_or(u16::MAX).saturating_add(gap);
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
    }
    let mut out = String::new();
    for line in drawn.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// One cell as comfy-table takes it: wrapped, aligned, toned.
fn shape(cell: &Cell, kind: Kind, width: usize) -> comfy_table::Cell {
    let content = cell.flat();
    let shaped = match kind {
        Kind::Text => comfy_table::Cell::new(text::wrap(&content, width).join("\n")),
        Kind::Id | Kind::Short | Kind::Number => comfy_table::Cell::new(content),
    };
    let shaped = if kind == Kind::Number { shaped.set_alignment(CellAlignment::Right) } else { shaped };
    match cell.tone {
        Tone::Plain => shaped,
        Tone::Strong => shaped.add_attribute(Attribute::Bold),
        Tone::Dim => shaped.add_attribute(Attribute::Dim),
        Tone::Good => shaped.fg(Color::DarkGreen),
        Tone::Warn => shaped.fg(Color::DarkYellow),
        Tone::Bad => shaped.fg(Color::DarkRed),
    }
}
