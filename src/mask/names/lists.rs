//! The word lists: which words are first names, surnames, towns and everyday words. Made by `data/names/build.py`.

use std::sync::OnceLock;

use fst::Map;

/// The lists a word stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::mask) struct Flags(u8);

impl Flags {
    pub(in crate::mask) const FIRST: u8 = 1;
    pub(in crate::mask) const LAST: u8 = 2;
    /// A first name usual in German or English.
    pub(in crate::mask) const NEAR_FIRST: u8 = 4;
    /// A surname usual in German or English.
    pub(in crate::mask) const NEAR_LAST: u8 = 8;
    pub(in crate::mask) const TOWN: u8 = 16;
    pub(in crate::mask) const WORD: u8 = 32;

    /// Whether the word stands in one of these lists.
    pub(in crate::mask) fn any(self, lists: u8) -> bool {
        self.0 & lists != 0
    }

    /// The lists as bits.
    pub(in crate::mask) fn bits(self) -> u8 {
        self.0
    }
}

/// The lists that a word in lower case stands in. For a word with hyphens that is in none: the lists that all its parts share.
pub(in crate::mask) fn flags(lower: &str) -> Flags {
    static LISTS: OnceLock<Option<Map<&'static [u8]>>> = OnceLock::new();
    let lists = LISTS.get_or_init(|| Map::new(&include_bytes!("../../../data/names/words.fst")[..]).ok());
    let Some(lists) = lists else { return Flags::default() };
    let look_up = |word: &str| lists.get(word).and_then(|bits| u8::try_from(bits).ok()).unwrap_or(0);
    let whole = look_up(lower);
    if whole != 0 || !lower.contains('-') || lower.len() > 64 {
        return Flags(whole);
    }
    Flags(lower.split('-').map(look_up).fold(u8::MAX, |shared, part| shared & part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_know_their_words() {
        assert!(flags("anna").any(Flags::FIRST));
        assert!(flags("meier").any(Flags::LAST));
        assert!(flags("weiß-schröder").any(Flags::LAST));
        assert!(flags("münchen").any(Flags::TOWN));
        assert_eq!(flags("telegram-integration").bits(), 0);
    }
}
