//! What text comes in as: turns as JSON lines, or plain text.

use serde_json::Value;

use crate::domain::json::{parse_strict, strip_bom};
use crate::mask::Raw;

/// A piece of text from outside and where it stands.
pub struct Piece {
    /// The turn's number, counted from 1; `None` for plain text.
    pub turn: Option<u64>,
    /// Who said it.
    pub role: Option<Role>,
    /// What was said.
    pub text: Raw,
    /// The line of the input on which it begins, counted from 1; `None` where there are no lines.
    pub line: Option<u64>,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The user.
    User,
    /// The agent.
    Assistant,
}

/// Why a text from outside can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadText {
    /// It is not UTF-8 from this byte on.
    #[error("the text is not UTF-8 from byte {at} on")]
    Encoding {
        /// The byte, counted from 0.
        at: usize,
    },
    /// A line that is no turn, among lines that are.
    #[error("line {line}: {what}")]
    Line {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
}

/// The pieces of an input. It is taken for turns where its first line that is not empty is a JSON object with a `text`.
///
/// Turns of other roles than `user` and `assistant` (`agent`), such as what a tool answered, are left out.
///
/// # Errors
/// When the bytes are not UTF-8, or a line among turns is none.
pub fn pieces(bytes: &[u8]) -> Result<Vec<Piece>, BadText> {
    let bytes = strip_bom(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| BadText::Encoding { at: error.valid_up_to() })?;
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_turn = first.trim_start().starts_with('{')
        && parse_strict(first.as_bytes()).is_ok_and(|turn| turn.get("text").is_some());
    if !is_turn {
        return Ok(vec![Piece { turn: None, role: None, text: Raw::new(text), line: Some(1) }]);
    }
    let mut pieces = Vec::new();
    let mut turn = 0;
    for (line, at) in text.lines().zip(1..) {
        if line.trim().is_empty() {
            continue;
        }
        turn += 1;
        let bad = |what: &str| BadText::Line { line: at, what: what.to_owned() };
        let value = parse_strict(line.as_bytes()).map_err(|error| bad(&error.to_string()))?;
        let said = value.get("text").and_then(Value::as_str).ok_or_else(|| bad("a turn needs a `text`, a string"))?;
        let role = match value.get("role").map(Value::as_str) {
            None => None,
            Some(Some("user" | "human")) => Some(Role::User),
            Some(Some("assistant" | "agent" | "model")) => Some(Role::Assistant),
            Some(Some(_)) => continue,
            Some(None) => return Err(bad("`role` must be a string such as user or assistant")),
        };
        pieces.push(Piece { turn: Some(turn), role, text: Raw::new(said), line: Some(at) });
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = (Option<u64>, Option<Role>, String, Option<u64>);

    fn read(input: &[u8]) -> Result<Vec<Read>, String> {
        let all = pieces(input).map_err(|error| error.to_string())?;
        Ok(all.into_iter().map(|one| (one.turn, one.role, one.text.expose().to_owned(), one.line)).collect())
    }

    #[test]
    fn turns_and_plain_text_are_told_apart() {
        let plain = "Hallo.\n{\"text\": \"x\"}\n";
        assert_eq!(read(plain.as_bytes()), Ok(vec![(None, None, plain.to_owned(), Some(1))]));
        let turns = "\u{feff}\n{\"role\": \"user\", \"text\": \"a\"}\r\n\n{\"role\": \"tool\", \"text\": \"b\"}\n{\"role\": \"agent\", \"text\": \"c\"}\n{\"text\": \"d\"}";
        assert_eq!(
            read(turns.as_bytes()),
            Ok(vec![
                (Some(1), Some(Role::User), "a".to_owned(), Some(2)),
                (Some(3), Some(Role::Assistant), "c".to_owned(), Some(5)),
                (Some(4), None, "d".to_owned(), Some(6)),
            ])
        );
        assert_eq!(read(b"{\"a\": 1}").map(|all| all.len()), Ok(1));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (input, said) in [
            (&b"ab\xff"[..], "the text is not UTF-8 from byte 2 on"),
            (b"{\"text\": \"a\"}\n{\"role\": \"user\"}", "line 2: a turn needs a `text`, a string"),
            (b"{\"text\": \"a\"}\nHallo", "line 2: "),
            (b"{\"text\": \"a\", \"role\": 1}", "line 1: `role` must be a string such as user or assistant"),
            (b"{\"text\": 5}", "line 1: a turn needs a `text`, a string"),
        ] {
            let error = read(input).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
