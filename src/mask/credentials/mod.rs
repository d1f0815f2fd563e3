//! Passwords, keys and tokens: by the issuer's format, by the place they stand in, and by the words beside them.

mod assign;
mod cue;
mod drawn;
mod formats;
mod header;
pub(super) mod pem;
mod prose;
mod providers;
mod tokens;
mod url;
mod value;

use super::line::Line;
use super::overlap::Span;

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    tokens::find(line, out);
    url::find(line, out);
    header::find(line, out);
    assign::find(line, out);
}

/// Whether `value` is a credential because of the name it stands under, as in `{"password": "…"}`.
pub(super) fn is_named(name: &str, value: &str) -> bool {
    assign::is_named(name, value)
}

/// Whether the line ends with the cue of a secret that is on the line below.
pub(super) fn announces(line: Line<'_>) -> bool {
    prose::announces(line)
}

/// The secret that stands alone on a line, after one that announces it.
pub(super) fn alone(line: Line<'_>) -> Option<Span> {
    prose::alone(line)
}
