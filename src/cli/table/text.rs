//! Measuring, wrapping and colouring text; small bars.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Tone;

/// The columns `text` takes. A multi-line text counts as if it were one line.
pub(super) fn width(text: &str) -> usize {
    // Below U+0300, German and its neighbours, each character that is not a control takes one column.
    let highest = text.bytes().fold(0, u8::max);
    match highest {
        0..=0x7f => text.len(),
        0x80..=0xcb => text.bytes().filter(|byte| !matches!(byte, 0x80..=0xbf)).count(),
        _ => text.width().max(wrapped_width(text)),
    }
}

/// The columns `text` takes as the wrapping counts them, character by character: never less than a terminal needs for
/// text that is sanitized, and at times more (a skin tone counts as an emoji of its own).
fn wrapped_width(text: &str) -> usize {
    text.chars().map(|ch| ch.width().unwrap_or(0)).sum()
}

/// Cuts `text` into lines of at most `width` columns, at blanks where there are any. Line breaks stay. A width of 0
/// counts as 1.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let options = textwrap::Options::new(width.max(1))
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        // Ids and file names in a text stay whole where they fit.
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Appends `text` in its tone.
pub(super) fn paint(out: &mut String, text: &str, tone: Tone, color: bool) {
    let code = match tone {
        Tone::Plain => "",
        Tone::Strong => "\x1b[1m",
        Tone::Dim => "\x1b[2m",
        Tone::Good => "\x1b[32m",
        Tone::Warn => "\x1b[33m",
        Tone::Bad => "\x1b[31m",
    };
    if !color || code.is_empty() || text.is_empty() {
        out.push_str(text);
        return;
    }
    out.push_str(code);
    out.push_str(text);
    out.push_str("\x1b[0m");
}

/// Appends `count` blanks.
pub(super) fn pad(out: &mut String, count: usize) {
    const BLANKS: &str = "                                                                ";
    let mut left = count;
    while left > 0 {
        let some = BLANKS.get(..left).unwrap_or(BLANKS);
        out.push_str(some);
        left -= some.len();
    }
}

/// A bar for `value` on a scale from 0 to `max`, at most `width` columns, in steps of an eighth of a column.
///
/// What is not zero shows at least the thinnest bar; what exceeds `max` shows a full one. No trailing blanks.
pub fn bars(value: u64, max: u64, width: u16) -> String {
    const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    if value == 0 || max == 0 || width == 0 {
        return String::new();
    }
    let (value, max, steps) = (u128::from(value.min(max)), u128::from(max), u128::from(width) * 8);
    let filled = ((value * steps + max / 2) / max).max(1);
    let (whole, rest) = (usize::try_from(filled / 8).unwrap_or(0), usize::try_from(filled % 8).unwrap_or(0));
    let mut bar = "█".repeat(whole);
    bar.extend(rest.checked_sub(1).and_then(|at| EIGHTHS.get(at)));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion() {
        let cases = [
            (0, 10, ""),
            (1, 1_000_000, "▏"),
            (5, 10, "██"),
            (10, 10, "████"),
            (20, 10, "████"),
            (1, 3, "█▍"),
            (3, 0, ""),
            (u64::MAX, u64::MAX, "████"),
        ];
        for (value, max, expected) in cases {
            assert_eq!(bars(value, max, 4), expected, "{value} of {max}");
        }
    }

    #[test]
    fn wrapping_keeps_ids_and_breaks_what_is_too_long() {
        assert_eq!(
            wrap("siehe REVIEW-20260521-143022-vento dort", 30),
            ["siehe", "REVIEW-20260521-143022-vento", "dort"]
        );
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("日本語テキスト", 5), ["日本", "語テ", "キス", "ト"]);
        assert_eq!(wrap("a\n\nb", 9), ["a", "", "b"]);
        assert_eq!(wrap("", 9), [""]);
    }
}
