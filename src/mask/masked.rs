//! Text that has been through the masker.

use std::fmt;

use super::Kind;
use super::view::placeholder_at;

/// Text that holds nothing the masker would replace. Made by [`super::Masker`]; the store's write functions take nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct Masked(String);

impl Masked {
    /// Wraps text that is known to be masked. For the masker itself, and for the store when it hands on what it has read
    /// from the tree (`mask scan` looks after what was put there by others).
    pub(crate) fn trusted(text: String) -> Self {
        Self(text)
    }

    /// A text of the program's own.
    pub fn literal(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether something was masked in it.
    pub fn has_placeholder(&self) -> bool {
        self.0.match_indices('[').any(|(at, _)| placeholder_at(&self.0, at).is_some())
    }

    /// The text, owned.
    pub fn into_string(self) -> String {
        self.0
    }

    /// The first `max_chars` characters at most. A placeholder that would be cut is left out whole.
    #[must_use]
    pub fn cut(&self, max_chars: usize) -> Self {
        let Some((limit, _)) = self.0.char_indices().nth(max_chars) else { return self.clone() };
        let mut end = limit;
        // Only a bracket this close before the limit can open a placeholder that reaches past it.
        let longest = Kind::ALL.iter().map(|kind| kind.placeholder().len()).max().unwrap_or(0);
        for (at, _) in self.0.match_indices('[') {
            if at < limit && at + longest > limit && placeholder_at(&self.0, at).is_some_and(|len| at + len > limit) {
                end = at;
            }
        }
        Self(self.0.get(..end).unwrap_or_default().to_owned())
    }

    /// Whether nothing but placeholders, white space and punctuation is left, and at least one placeholder is.
    pub fn is_only_placeholders(&self) -> bool {
        let mut any = false;
        let mut at = 0;
        while let Some(c) = self.0.get(at..).and_then(|rest| rest.chars().next()) {
            if let Some(len) = placeholder_at(&self.0, at) {
                any = true;
                at += len;
            } else if c.is_alphanumeric() {
                return false;
            } else {
                at += c.len_utf8();
            }
        }
        any
    }
}

impl fmt::Display for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> Masked {
        Masked::trusted(text.to_owned())
    }

    #[test]
    fn cut_never_splits_a_placeholder() {
        let text = masked("Grüße [NAME], ok");
        assert_eq!(text.cut(100), text);
        assert_eq!(text.cut(12).as_str(), "Grüße [NAME]");
        for max in 6..12 {
            assert_eq!(text.cut(max).as_str(), "Grüße ", "{max}");
        }
        assert_eq!(text.cut(3).as_str(), "Grü");
        assert_eq!(masked("a[b]c").cut(3).as_str(), "a[b");
    }

    #[test]
    fn only_placeholders_needs_one_and_nothing_else() {
        assert!(masked("[NAME], [PHONE] …").is_only_placeholders());
        assert!(!masked("Anruf [NAME]").is_only_placeholders());
        assert!(!masked("…").is_only_placeholders());
        assert!(!masked("").is_only_placeholders());
    }
}
