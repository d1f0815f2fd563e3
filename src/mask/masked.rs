//! Text that has been through the masker.

use std::fmt;

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

    /// stub
    pub fn is_only_placeholders(&self) -> bool {
        false
    }
    /// stub
    pub fn has_placeholder(&self) -> bool {
        self.0.contains("[EMAIL]")
    }

    /// The text, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
