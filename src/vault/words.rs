//! Words as the check compares them: folded spelling, stems, hashes.
//!
//! Folding makes `ü`, `ue` and `u` one, `ß` and `ss` one, and drops case and accents, so that a page and a fact may
//! spell a word each in its own way.

use rust_stemmers::{Algorithm, Stemmer};

/// The language of a statement, as far as its small words give it away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Lang {
    /// Too short to tell.
    #[default]
    Either,
    /// German.
    De,
    /// English.
    En,
}

/// Lower case, no accents, umlauts in one spelling.
pub(super) fn fold(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'a'..='z' | '0'..='9' | '-' | '.' | '+' | '#' | '/' | ' ' | '\'' => plain.push(c),
            'A'..='Z' => plain.push(c.to_ascii_lowercase()),
            'ä' | 'Ä' => plain.push('a'),
            'ö' | 'Ö' => plain.push('o'),
            'ü' | 'Ü' => plain.push('u'),
            'ß' | 'ẞ' => plain.push_str("ss"),
            '’' | '‘' => plain.push('\''),
            '\u{300}'..='\u{36f}' => {}
            other => match deunicode::deunicode_char(other) {
                Some(ascii) => plain.extend(ascii.chars().map(|a| a.to_ascii_lowercase())),
                None => plain.extend(other.to_lowercase()),
            },
        }
    }
    if plain.contains("ae") || plain.contains("oe") || plain.contains("ue") { fold_digraphs(&plain) } else { plain }
}

/// `ae`, `oe`, `ue` to the bare vowel where they stand for an umlaut: not after a vowel or `q`, not at the end of a word.
fn fold_digraphs(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut before = ' ';
    let mut rest = word.chars().peekable();
    while let Some(c) = rest.next() {
        out.push(c);
        if matches!(c, 'a' | 'o' | 'u') && !matches!(before, 'a' | 'e' | 'o' | 'q') && rest.peek() == Some(&'e') {
            let mut ahead = rest.clone();
            ahead.next();
            let next = ahead.next();
            let after = ahead.next();
            let ends = match next {
                None => true,
                Some('s' | 'd' | 'n' | 'r') => after.is_none(),
                Some(letter) => !letter.is_alphabetic(),
            };
            if !ends {
                rest.next();
            }
        }
        before = c;
    }
    out
}

/// A 32-bit hash that is the same on every machine and in every run (FNV-1a, finished so that short words spread).
pub(super) fn hash(bytes: &[u8]) -> u32 {
    let mut state = Rolling::default();
    for byte in bytes {
        state.push(*byte);
    }
    state.finish()
}

/// The hash of a text that grows byte by byte.
#[derive(Clone, Copy)]
pub(super) struct Rolling(u64);

impl Default for Rolling {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Rolling {
    pub(super) fn push(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    pub(super) fn finish(self) -> u32 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        u32::try_from(mixed >> 32).unwrap_or_default()
    }
}

/// The two Snowball stemmers.
pub(super) struct Stems {
    de: Stemmer,
    en: Stemmer,
}

impl Default for Stems {
    fn default() -> Self {
        Self { de: Stemmer::create(Algorithm::German), en: Stemmer::create(Algorithm::English) }
    }
}

impl Stems {
    /// The German stem of a folded word.
    pub(super) fn de(&self, folded: &str) -> String {
        self.de.stem(folded).into_owned()
    }

    /// The English stem of a folded word.
    pub(super) fn en(&self, folded: &str) -> String {
        self.en.stem(folded).into_owned()
    }

    /// The German stem of the verb behind a participle or a finite form: `getestet`, `testet` → `test`; `eingebaut` → `einbau`.
    pub(super) fn verb(&self, folded: &str) -> Option<String> {
        const PREFIXES: &[&str] = &[
            "ein", "aus", "an", "auf", "ab", "zu", "vor", "nach", "um", "hin", "her", "mit", "weiter", "los", "durch",
            "fest", "vorbei",
        ];
        let bare = folded.strip_suffix('t')?;
        if bare.len() < 4 || !folded.is_ascii() {
            return None;
        }
        let bare = bare.strip_suffix("et").or_else(|| bare.strip_suffix('e')).unwrap_or(bare);
        if let Some(stem) = bare.strip_prefix("ge").filter(|stem| stem.len() >= 3) {
            return Some(self.de(stem));
        }
        for prefix in PREFIXES {
            if let Some(stem) =
                bare.strip_prefix(prefix).and_then(|rest| rest.strip_prefix("ge")).filter(|stem| stem.len() >= 2)
            {
                return Some(self.de(&format!("{prefix}{stem}")));
            }
        }
        Some(self.de(bare))
    }
}

/// Guesses the language from small words; `fallback` when they say nothing.
pub(super) fn language<'a>(words: impl Iterator<Item = &'a str>, fallback: Lang) -> Lang {
    const DE: &[&str] = &[
        "der", "das", "und", "ist", "nicht", "ein", "eine", "einen", "einem", "einer", "wird", "werden", "mit", "von",
        "vom", "auf", "im", "den", "dem", "zu", "zum", "zur", "bei", "beim", "sind", "wurde", "nur", "kein", "keine",
        "auch", "fur", "uber", "nach", "seit", "aus", "sich", "noch", "des", "hat", "kann", "wir", "es", "als", "bis",
        "um", "pro", "statt", "oder", "ab", "jede", "jeden", "alle", "soll", "einmal",
    ];
    const EN: &[&str] = &[
        "the", "and", "is", "of", "to", "with", "for", "not", "on", "at", "by", "are", "it", "its", "has", "have",
        "from", "only", "a", "this", "that", "be", "can", "no", "every", "per", "does", "we", "or", "an", "their",
        "they", "been", "were", "until", "since", "our",
    ];
    let (mut de, mut en) = (0_u32, 0_u32);
    for word in words {
        de += u32::from(DE.contains(&word));
        en += u32::from(EN.contains(&word));
    }
    match de.cmp(&en) {
        std::cmp::Ordering::Greater => Lang::De,
        std::cmp::Ordering::Less => Lang::En,
        std::cmp::Ordering::Equal => fallback,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn umlauts_fold_to_one_spelling() {
        for (a, b) in [
            ("Öffnung", "Oeffnung"),
            ("Schlüssel", "Schluessel"),
            ("Straße", "Strasse"),
            ("fürs", "fuers"),
            ("Café", "cafe"),
        ] {
            assert_eq!(fold(a), fold(b));
        }
        assert_eq!(fold("neue"), "neue");
        assert_eq!(fold("values"), "values");
        assert_eq!(fold("Queue"), "queue");
    }

    #[test]
    fn participles_lead_back_to_the_verb() {
        let stems = Stems::default();
        for (form, verb) in
            [("getestet", "testen"), ("eingebaut", "einbauen"), ("lauscht", "lauschen"), ("gesetzt", "setzen")]
        {
            assert_eq!(stems.verb(form).unwrap(), stems.de(verb), "{form}");
        }
    }
}
