//! Text from outside that has not been masked yet.

/// Text from outside. It has no `Debug`, `Display` or `Serialize`, so that it can't slip into a message, a log or a file.
pub struct Raw(String);

impl Raw {
    /// Takes text from outside.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the masker and for rules that only count or look.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The same on one line: a fact of several lines could pass for several. Before masking, since a name may stand across a
    /// line end.
    #[must_use]
    pub fn one_line(&self) -> Self {
        let ends_line = |ch: char| matches!(ch, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
        if !self.0.contains(ends_line) {
            return Self(self.0.clone());
        }
        Self(self.0.split(ends_line).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
    }

    /// Whether it says anything: has a letter or digit.
    pub fn says_something(&self) -> bool {
        self.0.chars().any(char::is_alphanumeric)
    }

    /// How many characters (Unicode scalar values) it has: what limits count.
    pub fn chars(&self) -> usize {
        self.0.chars().count()
    }
}
