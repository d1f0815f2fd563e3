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

    /// How many characters (Unicode scalar values) it has: what limits count.
    pub fn chars(&self) -> usize {
        self.0.chars().count()
    }
}
