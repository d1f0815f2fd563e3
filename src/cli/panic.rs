//! What is told of a panic: where it was, and never its message, which may hold a piece of the input.

use std::fmt;
use std::io::Write;
use std::panic::PanicHookInfo;

/// Makes every panic of this process tell its place alone. The exit status stays what it is.
pub fn install() {
    std::panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let place = info.location().map(|at| Place { file: at.file(), line: at.line() });
        // Not by `eprintln!`, which panics itself where nobody reads.
        let _ = writeln!(std::io::stderr(), "{}", told(place));
    }));
}

/// A place in the source.
struct Place<'a> {
    file: &'a str,
    line: u32,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Of a file elsewhere on the machine it was built on, the end will do.
        let file = match self.file.rmatch_indices(['/', '\\']).nth(2) {
            Some((at, _)) if self.file.starts_with('/') => self.file.get(at + 1..).unwrap_or_default(),
            _ => self.file,
        };
        write!(f, "{file}:{}", self.line)
    }
}

fn told(place: Option<Place<'_>>) -> String {
    match place {
        Some(place) => format!("error: internal error at {place}; nothing more is known"),
        None => "error: internal error; nothing more is known".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_tells_its_place_alone() {
        let said = |file, line| told(Some(Place { file, line }));
        assert_eq!(said("src/mask/mod.rs", 12), "error: internal error at src/mask/mod.rs:12; nothing more is known");
        assert_eq!(
            said("/home/x/deps/index/thing-1.0/src/lib.rs", 7),
            "error: internal error at thing-1.0/src/lib.rs:7; nothing more is known"
        );
        assert_eq!(told(None), "error: internal error; nothing more is known");
    }
}
