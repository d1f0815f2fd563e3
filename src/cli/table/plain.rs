//! A table for a pipe: one line per row, for `grep` and `cut -c`. Written straight into one string, since a list of ten
//! thousand reviews has to come out in milliseconds.

use super::{Kind, Table, Tone, text};

/// Between two columns.
const GAP: usize = 2;

pub(super) fn render(table: &Table, color: bool) -> String {
    // Measured once: it costs as much as the writing.
    let titles = table.columns.iter().map(|column| column.title);
    let cells = || table.rows.iter().flatten().map(|cell| cell.text.as_str());
    let measured: Vec<usize> = titles.clone().chain(cells()).map(text::width).collect();
    let count = table.columns.len().max(1);
    let mut widths = vec![0; count];
    for row in measured.chunks(count) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(*cell);
        }
    }

    let line_length: usize = widths.iter().map(|width| width + GAP).sum();
    let mut out = String::with_capacity((table.rows.len() + 1) * line_length);
    let mut owed = 0;
    let tones = table.columns.iter().map(|_| Tone::Dim).chain(table.rows.iter().flatten().map(|cell| cell.tone));
    for (at, ((content, used), tone)) in titles.chain(cells()).zip(&measured).zip(tones).enumerate() {
        let column = at % count;
        if column == 0 && at > 0 {
            out.push('\n');
            owed = 0;
        }
        let width = widths.get(column).copied().unwrap_or(0);
        if content.is_empty() {
            owed += width + GAP;
            continue;
        }
        let free = width.saturating_sub(*used);
        let right = table.columns.get(column).is_some_and(|column| column.kind == Kind::Number);
        let (before, after) = if right { (free, 0) } else { (0, free) };
        // Blanks are written only once something follows them: no line ends in blanks.
        text::pad(&mut out, owed + before);
        if color {
            let mut flat = String::with_capacity(content.len());
            push_flat(&mut flat, content);
            text::paint(&mut out, &flat, tone, color);
        } else {
            push_flat(&mut out, content);
        }
        owed = after + GAP;
    }
    out.push('\n');
    out
}

/// Cells are sanitized already: a line feed is all that is left to flatten, and it takes no more columns than a blank.
fn push_flat(out: &mut String, content: &str) {
    if !content.as_bytes().contains(&b'\n') {
        return out.push_str(content);
    }
    let mut parts = content.split('\n');
    out.extend(parts.next());
    for part in parts {
        out.push(' ');
        out.push_str(part);
    }
}
