//! A line of text while it is being typed.

use unicode_width::UnicodeWidthStr;

use super::keys::Key;
use crate::cli::sanitize;

/// The text on both sides of the cursor.
#[derive(Debug, Default)]
pub(super) struct Editor {
    before: String,
    after: String,
}

impl Editor {
    /// Whether nothing is typed.
    pub(super) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// The text, without blanks at both ends.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.before, self.after).trim().to_owned()
    }

    /// Changes the text or moves the cursor. Keys that do neither are ignored.
    pub(super) fn press(&mut self, key: Key) {
        match key {
            Key::Char(ch) => self.before.push(ch),
            Key::Paste(text) => self.paste(&text),
            Key::Backspace => drop(self.before.pop()),
            Key::Delete => drop(take_first(&mut self.after)),
            Key::Left => {
                if let Some(ch) = self.before.pop() {
                    self.after.insert(0, ch);
                }
            }
            Key::Right => self.before.extend(take_first(&mut self.after)),
            Key::Home => self.after.insert_str(0, &std::mem::take(&mut self.before)),
            Key::End => self.before.push_str(&std::mem::take(&mut self.after)),
            Key::EraseBefore => self.before.clear(),
            Key::EraseAfter => self.after.clear(),
            Key::EraseWord => {
                let kept = self.before.trim_end().rfind(char::is_whitespace).map_or(0, |at| at + 1);
                // `rfind` gives the start of a blank, which may be wider than a byte.
                let kept = self.before.ceil_char_boundary(kept);
                self.before.truncate(kept);
            }
            Key::Enter | Key::Escape | Key::EndOfInput | Key::HungUp | Key::Resumed | Key::Other => {}
        }
    }

    /// Puts a blank where a line break was pasted, one for a run of them.
    pub(super) fn join(&mut self) {
        if !self.before.ends_with(' ') {
            self.before.push(' ');
        }
    }

    /// Line breaks become blanks, tabs too, other controls go; all else is kept as it is.
    fn paste(&mut self, text: &str) {
        for ch in text.trim_end_matches(['\r', '\n']).chars() {
            match ch {
                '\r' | '\n' => self.join(),
                '\t' => self.before.push(' '),
                _ if ch.is_control() => {}
                _ => self.before.push(ch),
            }
        }
    }

    /// The part of the text to show in `room` columns, the cursor always in sight, and the cursor's column in it.
    pub(super) fn view(&self, room: usize) -> (String, usize) {
        let mut left = sanitize::line(&self.before).into_owned();
        while left.width() >= room.max(1) && take_first(&mut left).is_some() {}
        let cursor = left.width();
        let mut right = sanitize::line(&self.after).into_owned();
        while cursor + right.width() >= room.max(1) && right.pop().is_some() {}
        (left + &right, cursor)
    }
}

fn take_first(text: &mut String) -> Option<char> {
    let first = text.chars().next()?;
    text.drain(..first.len_utf8());
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: impl IntoIterator<Item = Key>) -> Editor {
        let mut editor = Editor::default();
        keys.into_iter().for_each(|key| editor.press(key));
        editor
    }

    fn text(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    #[test]
    fn keys_edit_the_line() {
        let cases = [
            (vec![Key::Backspace], "Größ"),
            (vec![Key::Left, Key::Left, Key::Backspace], "Grße"),
            (vec![Key::Home, Key::Delete], "röße"),
            (vec![Key::Left, Key::EraseBefore], "e"),
            (vec![Key::Left, Key::EraseAfter], "Größ"),
            (vec![Key::Home, Key::Right, Key::Char('-'), Key::End, Key::Char('!')], "G-röße!"),
            (vec![Key::Char(' '), Key::Char('x'), Key::EraseWord], "Größe"),
            (vec![Key::EraseWord, Key::EraseWord], ""),
            (vec![Key::Char('\u{2003}'), Key::Char('x'), Key::EraseWord, Key::Char('y')], "Größe\u{2003}y"),
            (vec![Key::Left, Key::Paste("a\r\nb\tc\x1b[d\n".to_owned())], "Größa b c[de"),
        ];
        for (keys, expected) in cases {
            let editor = typed(text("Größe").into_iter().chain(keys.clone()));
            assert_eq!(editor.text(), expected, "{keys:?}");
        }
    }

    #[test]
    fn a_long_line_scrolls_with_the_cursor() {
        let mut editor = typed(text("0123456789"));
        assert_eq!(editor.view(20), ("0123456789".to_owned(), 10));
        assert_eq!(editor.view(6), ("56789".to_owned(), 5));
        editor.press(Key::Home);
        assert_eq!(editor.view(6), ("01234".to_owned(), 0));
        assert_eq!(typed(text("日本語")).view(5), ("本語".to_owned(), 4));
        assert_eq!(typed(text("a\u{202e}b")).view(9), ("a\u{fffd}b".to_owned(), 3));
    }
}
