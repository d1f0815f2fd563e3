//! Comma-separated values, RFC 4180.

use crate::cli::sanitize;

/// A field after RFC 4180, harmless for a terminal. A text that a spreadsheet would take for a formula gets an apostrophe before it.
pub(super) fn field(text: &str) -> String {
    let text = sanitize::block(text);
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.into_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
