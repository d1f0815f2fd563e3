//! Text from outside made harmless for a terminal.
//!
//! Agents write what people read before they decide, so nothing in it may move the cursor, change a colour, hide a
//! word, turn its order round or pose as a link. One rule per character, no parsing of sequences, so that no malformed
//! sequence slips by:
//!
//! | character | shown as |
//! | --- | --- |
//! | ESC, BEL, backspace, carriage return and the other C0 controls, DEL | their control picture: `␛`, `␇`, `␈`, `␍` … |
//! | C1 controls (the 8-bit CSI and OSC among them) | `�` |
//! | bidi controls, tag characters, interlinear annotations: what can hide or reorder text | `�`, one for each run |
//! | zero-width space, joiners, variation selectors, soft hyphen, BOM and the like: what shapes text only | dropped |
//! | fillers and separators that look like nothing | a blank |
//! | line feed and tab | a blank, one for each run ([`line()`]); kept, and four blanks ([`block`]) |
//!
//! An escape sequence therefore stays readable (`␛[31m`) and without effect. Emoji lose their joiners and variation
//! selectors: a family shows as its members. Terminals disagree about the width of joined emoji, which breaks tables,
//! and variation selectors can carry whole hidden messages. JSON output keeps the true characters.

use std::borrow::Cow;

/// The mark that stands where something was that can deceive.
const MARK: char = '\u{fffd}';

/// Makes `text` harmless for one line of a terminal. Borrowed when there is nothing to do.
///
/// Each run of line feeds, CR LF pairs and tabs becomes one blank.
pub fn line(text: &str) -> Cow<'_, str> {
    clean(text, false)
}

/// Makes `text` harmless for a terminal but keeps its lines, ended by a line feed each. Borrowed when there is nothing
/// to do.
///
/// CR LF becomes a line feed; a carriage return alone is shown, since it would overwrite what stands before it.
pub fn block(text: &str) -> Cow<'_, str> {
    clean(text, true)
}

/// What becomes of one character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Keep,
    Drop,
    Mark,
    Blank,
    Picture,
}

fn clean(text: &str, keep_lines: bool) -> Cow<'_, str> {
    let harmless = |byte: u8| matches!(byte, 0x20..=0x7e) || (keep_lines && byte == b'\n');
    if text.bytes().all(harmless) {
        return Cow::Borrowed(text);
    }
    let first = text.char_indices().find(|&(_, ch)| !(keep_lines && ch == '\n') && fate(ch) != Fate::Keep);
    let Some((start, _)) = first else { return Cow::Borrowed(text) };
    let (head, tail) = text.split_at(start);

    let mut out = String::with_capacity(text.len());
    out.push_str(head);
    let mut chars = tail.chars().peekable();
    let mut marked = false;
    let mut in_break = false;
    while let Some(ch) = chars.next() {
        let ends_line = ch == '\n' || (ch == '\r' && chars.peek() == Some(&'\n')) || is_line_separator(ch);
        if ends_line || ch == '\t' {
            if ch == '\r' {
                chars.next();
            }
            match (keep_lines, ends_line) {
                (true, true) => out.push('\n'),
                (true, false) => out.push_str("    "),
                (false, _) if !in_break => out.push(' '),
                (false, _) => {}
            }
            (marked, in_break) = (false, true);
            continue;
        }
        let fate = fate(ch);
        match fate {
            Fate::Keep => out.push(ch),
            // A dropped character ends no run: else a joiner between marks would multiply them.
            Fate::Drop => continue,
            Fate::Mark if marked => {}
            Fate::Mark => out.push(MARK),
            Fate::Blank => out.push(' '),
            Fate::Picture => out.push(picture(ch)),
        }
        (marked, in_break) = (fate == Fate::Mark, false);
    }
    Cow::Owned(out)
}

/// Next line, line separator and paragraph separator: line ends outside ASCII.
fn is_line_separator(ch: char) -> bool {
    matches!(ch, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The visible picture of a C0 control or DEL, from the block U+2400.
fn picture(ch: char) -> char {
    match ch {
        '\u{7f}' => '\u{2421}',
        _ => char::from_u32(0x2400 + u32::from(ch)).unwrap_or(MARK),
    }
}

/// The rule for one character. Line ends and tabs are the caller's.
fn fate(ch: char) -> Fate {
    // Nearly all there is, first: German and English letters, digits, punctuation.
    if matches!(ch, ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{2ff}') {
        return Fate::Keep;
    }
    match ch {
        '\u{00}'..='\u{1f}' | '\u{7f}' => Fate::Picture,
        // C1 controls.
        '\u{80}'..='\u{9f}'
        // Bidi: Arabic letter mark, the two marks, embeddings and overrides, isolates.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Deprecated format characters, interlinear annotation.
        | '\u{206a}'..='\u{206f}' | '\u{fff0}'..='\u{fffb}'
        // Tag characters, and the unassigned rest of their plane that is set aside to be invisible.
        | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}' => Fate::Mark,
        // Separators that end a line, and letters that draw nothing.
        '\u{2028}' | '\u{2029}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' => Fate::Blank,
        // Soft hyphen, grapheme joiner, Khmer and Mongolian vowel and variation marks.
        '\u{ad}' | '\u{34f}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        // Zero-width space and joiners, word joiner, invisible operators, BOM.
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}'
        // Variation selectors.
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'
        // Shorthand and musical format controls.
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => Fate::Drop,
        _ => Fate::Keep,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_line_shows_or_drops_what_could_harm() {
        let cases = [
            ("plain", "plain"),
            ("Größe 日本 é 👍", "Größe 日本 é 👍"),
            ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
            ("\x1b]8;;https://evil.example\x1b\\text\x1b]8;;\x07", "␛]8;;https://evil.example␛\\text␛]8;;␇"),
            ("\u{9b}31mred", "�31mred"),
            ("\u{9d}0;title\u{9c}", "�0;title�"),
            ("approve\rREJECT", "approve␍REJECT"),
            ("safe\u{8}\u{8}\u{8}\u{8}evil", "safe␈␈␈␈evil"),
            ("a\0b\x7fc", "a␀b␡c"),
            ("one\ntwo", "one two"),
            ("one\r\n\r\n\ttwo", "one two"),
            ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"),
            ("user\u{202e}txt.exe\u{202c}", "user�txt.exe�"),
            ("\u{2066}\u{2067}\u{200b}\u{2068}x\u{2069}", "�x�"),
            ("zero\u{200b}width\u{feff}\u{ad}", "zerowidth"),
            ("x\u{e0041}\u{e0042}\u{e0043}y", "x�y"),
            ("heart ❤\u{fe0f}, family 👩\u{200d}👧", "heart ❤, family 👩👧"),
            ("h\u{e0101}i", "hi"),
            ("fill\u{3164}er", "fill er"),
        ];
        for (text, expected) in cases {
            assert_eq!(line(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_block_keeps_its_lines() {
        let cases = [
            ("one\ntwo\n", "one\ntwo\n"),
            ("one\r\n\r\ntwo", "one\n\ntwo"),
            ("a\rb", "a␍b"),
            ("\tindented", "    indented"),
            ("a\u{2029}b", "a\nb"),
            ("\x1b[2J\nrest", "␛[2J\nrest"),
        ];
        for (text, expected) in cases {
            assert_eq!(block(text), expected, "{text:?}");
        }
    }

    #[test]
    fn clean_text_is_borrowed() {
        for text in ["", "plain", "Größe 日本 👍"] {
            assert!(matches!(line(text), Cow::Borrowed(_)), "{text:?}");
        }
        assert!(matches!(block("one\nzwölf"), Cow::Borrowed(_)));
    }

    /// Written from the Unicode lists anew, so that a gap in the rules above does not hide itself.
    fn can_harm(ch: char) -> bool {
        ch.is_control()
            || matches!(u32::from(ch),
                0xad | 0x61c | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfe00..=0xfe0f
                | 0xfff9..=0xfffb | 0xe0000..=0xe0fff)
    }

    fn hostile() -> impl Strategy<Value = String> {
        let ch = prop_oneof![
            any::<char>(),
            (0u32..0xa0).prop_filter_map("char", char::from_u32),
            (0x2000u32..0x2070).prop_filter_map("char", char::from_u32),
            (0xe0000u32..0xe0200).prop_filter_map("char", char::from_u32),
            prop::sample::select(vec!['\r', '\n', '\t', '\x1b', 'a', ' ', 'ü', '\u{feff}', '\u{ad}']),
        ];
        prop::collection::vec(ch, 0..60).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn nothing_harmful_gets_through(text in hostile()) {
            let shown = line(&text);
            prop_assert!(!shown.chars().any(can_harm), "{shown:?}");
            let shown = block(&text);
            prop_assert!(!shown.chars().any(|ch| ch != '\n' && can_harm(ch)), "{shown:?}");
        }

        #[test]
        fn cleaning_twice_changes_nothing(text in hostile()) {
            let shown = line(&text);
            prop_assert_eq!(line(&shown), shown.as_ref());
            let shown = block(&text);
            prop_assert_eq!(block(&shown), shown.as_ref());
        }
    }
}
