//! Names as files and accounts are called: `Anna_Meier.pdf`, `Vertrag_Müller_Thomas`, "Foto Lena-Schmidt.jpg".

use super::lists::{self, Flags};
use super::token::{Shape, Token};
use super::{Found, Words};

impl Words<'_> {
    /// Two parts of a name that an underscore or a hyphen joins, each of which the lists vouch for.
    pub(super) fn joined(&self, at: usize) -> Option<Found> {
        let token = self.token(at).filter(|token| token.shape == Shape::Capital || token.hyphened)?;
        if token.hyphened {
            return self.hyphened(at);
        }
        let adjacent = |at: usize| {
            let (before, token) = (self.token(at.checked_sub(1)?)?, self.token(at)?);
            (before.range.end == token.range.start).then_some(token)
        };
        let sign = adjacent(at + 1)?;
        let other = adjacent(at + 2).filter(|other| other.shape == Shape::Capital)?;
        if self.text(at + 1) != "_" || sign.shape != Shape::Sign || self.is_handle(at) {
            return None;
        }
        (is_first(token) && is_last(other) || is_last(token) && is_first(other)).then_some((at..at + 3, "name-joined"))
    }

    /// Whether the word at `at` belongs to an account's name, `@Anna_Meier`: that is public, and no full name.
    fn is_handle(&self, at: usize) -> bool {
        const LONGEST: usize = 6;
        let mut start = at;
        for _ in 0..LONGEST {
            let Some(before) = start.checked_sub(1).filter(|_| self.token(start).is_some_and(|token| !token.spaced))
            else {
                break;
            };
            if self.is_sign(before, "@") {
                return true;
            }
            start = before;
        }
        start.checked_sub(1).is_some_and(|before| self.is_sign(before, "@"))
    }

    /// "Lena-Schmidt", but neither "Anna-Lena" nor "Weiß-Schröder".
    fn hyphened(&self, at: usize) -> Option<Found> {
        let (first, last) = self.text(at).split_once('-')?;
        let first = lists::flags(&first.to_lowercase());
        let last_flags = lists::flags(&last.to_lowercase());
        let fits = !last.contains('-')
            && last.starts_with(char::is_uppercase)
            && first.any(Flags::NEAR_FIRST)
            && !first.any(Flags::LAST | Flags::WORD | Flags::TOWN)
            && last_flags.any(Flags::NEAR_LAST)
            && !last_flags.any(Flags::FIRST | Flags::WORD | Flags::TOWN);
        fits.then_some((at..at + 1, "name-joined"))
    }
}

fn is_first(token: &Token) -> bool {
    token.is(Flags::NEAR_FIRST) && !token.genitive && !token.is(Flags::WORD | Flags::TOWN)
}

fn is_last(token: &Token) -> bool {
    token.is(Flags::NEAR_LAST) && !token.genitive && !token.is(Flags::FIRST | Flags::WORD | Flags::TOWN)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn names_in_file_names_are_found() {
        assert_masked(&[
            ("Anna_Meier.pdf liegt im Ordner", "[NAME].pdf liegt im Ordner"),
            ("Lebenslauf_Jonas_Becker.docx", "Lebenslauf_[NAME].docx"),
            ("Vertrag_Schröder_Thomas_2025.pdf", "Vertrag_[NAME]_2025.pdf"),
            ("Foto Lena-Schmidt.jpg hochgeladen", "Foto [NAME].jpg hochgeladen"),
        ]);
    }

    #[test]
    fn other_joined_words_stay() {
        assert_kept(&[
            "Release_Notes_2025.pdf",
            "New_York_Trip.md",
            "Anna-Lena kommt",
            "danke @Anna_Meier, @ Real_Anna_Meier",
            "docs/user_guide.md und src/main_loop.rs",
            "Angebot_Final_v2.docx",
        ]);
    }
}
