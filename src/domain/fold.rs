//! When two texts count as the same: the folded form, and its fingerprint.
//!
//! Decisions and facts that are the same after "case, white-space and punctuation folding" are stored once
//! (Dublettenstrategie, `SESSION_MEMORY_ARCHITECTURE`). Folding away a difference that matters loses a fact, keeping one
//! that does not costs a second look, so in doubt the difference stays:
//!
//! - Folded: case; runs of white space and control characters; invisible characters; the two ways to write `ü` (NFC);
//!   full-width forms; the shapes of hyphen, minus and apostrophe; quotation marks, brackets, full stops, commas, colons,
//!   semicolons, exclamation marks, ellipses and bold asterisks at the edge of a word.
//! - Kept: everything inside a word (`1.5`, `v1.2`, `n8n.io`); signs that mean something (`C++`, `C#`, `100%`, `-5`,
//!   `--force`, `/etc`, `.env`, `!x`, `A-`, `5"`); words that are all signs (`!=`, `*`); `10²`, which NFKC would make
//!   `102`; and the spelling of umlauts: `ü` is not `ue`, `Maße` are not `Masse`.
//! - A question mark is dropped where the text opens with a question word. Elsewhere it alone tells a question from a
//!   statement, and stays.

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// How many hex digits of the SHA-256 make a fingerprint: 128 bits.
const FINGERPRINT_DIGITS: usize = 32;

/// Words that open a question, so that its question mark adds nothing.
const QUESTION_WORDS: [&str; 30] = [
    "was", "wer", "wen", "wem", "wessen", "wie", "wieso", "wieviel", "wo", "woher", "wohin", "womit", "wofür", "wann",
    "warum", "weshalb", "welche", "welcher", "welches", "welchen", "what", "who", "whom", "whose", "how", "when",
    "where", "why", "which", "what's",
];

/// The form in which texts are compared. Folding twice gives the same as folding once.
pub fn fold(text: &str) -> String {
    let canonical = canonical(text);
    let words: Vec<Word> = canonical.split(is_blank).filter_map(Word::new).collect();
    let is_question = words.iter().find(|word| !word.is_dash()).is_some_and(|word| QUESTION_WORDS.contains(&word.core));

    let mut folded = String::with_capacity(canonical.len());
    for (index, word) in words.iter().enumerate() {
        let is_range = || {
            folded.ends_with(|c: char| c.is_numeric())
                && words.get(index + 1).is_some_and(|next| next.core.starts_with(|c: char| c.is_numeric()))
        };
        if word.is_dash() && !is_range() {
            continue;
        }
        if !word.core.is_empty() {
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.push_str(word.core);
        }
        if word.asks && !is_question && !folded.is_empty() && !folded.ends_with('?') {
            folded.push('?');
        }
    }
    folded
}

/// The first 32 hex digits, lower case, of the SHA-256 of the folded text.
pub fn fingerprint(text: &str) -> String {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digest = Sha256::digest(fold(text).as_bytes());
    let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    nibbles.filter_map(|nibble| HEX.get(usize::from(nibble))).take(FINGERPRINT_DIGITS).collect()
}

/// One way to write each character: visible ones only, composed, in lower case, with plain hyphens and apostrophes.
fn canonical(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().filter(|c| !is_invisible(*c)).nfc().map(plain).flat_map(char::to_lowercase).nfc().collect()
}

fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2013}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{02BC}' => '\'',
        '\u{FF01}'..='\u{FF5E}' => u32::from(c).checked_sub(0xFEE0).and_then(char::from_u32).unwrap_or(c),
        _ => c,
    }
}

/// Characters nobody sees. The joiners stay: in emoji and in some scripts they change what is seen.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FE0F}' | '\u{FEFF}')
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// One word without the punctuation at its edges.
struct Word<'a> {
    core: &'a str,
    /// Whether a question mark was among what was dropped behind it.
    asks: bool,
}

impl<'a> Word<'a> {
    /// `None` for punctuation without a meaning of its own.
    fn new(raw: &'a str) -> Option<Self> {
        if !raw.chars().any(char::is_alphanumeric) {
            if raw == "-" || !raw.chars().all(|c| c == '-' || is_closing(c) || is_opening(c)) {
                return Some(Self { core: raw, asks: false });
            }
            return raw.contains('?').then_some(Self { core: "", asks: true });
        }
        let tail = without_opening(raw);
        let is_quoted = raw.len() > tail.len() && raw.starts_with(['"', '\'']);
        let core = without_closing(tail, is_quoted);
        let dropped = tail.get(core.len()..).unwrap_or_default();
        Some(Self { core, asks: dropped.contains('?') })
    }

    fn is_dash(&self) -> bool {
        self.core == "-"
    }
}

fn without_opening(mut word: &str) -> &str {
    loop {
        let bare = word.trim_start_matches(is_opening);
        let bold = bare.strip_prefix("**").filter(|rest| rest.starts_with(char::is_alphanumeric));
        let dots = bare.trim_start_matches('.');
        let next = match bare.len() - dots.len() {
            0 => bold.unwrap_or(bare),
            1 if dots.starts_with(char::is_alphanumeric) => return bare,
            _ => dots,
        };
        if next.len() == word.len() {
            return word;
        }
        word = next;
    }
}

fn without_closing(mut word: &str, is_quoted: bool) -> &str {
    loop {
        let bare = word.strip_suffix(is_closing).or_else(|| {
            word.strip_suffix("**").filter(|rest| rest.ends_with(|c: char| c.is_alphanumeric() || is_closing(c)))
        });
        let Some(bare) = bare else { return word };
        // Inches and feet, unless the word opened with a quotation mark.
        if !is_quoted && word.ends_with(['"', '\'']) && bare.ends_with(|c: char| c.is_numeric()) {
            return word;
        }
        word = bare;
    }
}

fn is_opening(c: char) -> bool {
    is_bracket_or_quote(c) || matches!(c, ',' | ';' | ':' | '?' | '¿' | '¡' | '…' | '—' | '―' | '•' | '·')
}

fn is_closing(c: char) -> bool {
    is_bracket_or_quote(c) || matches!(c, '.' | ',' | ';' | ':' | '?' | '!' | '…' | '—' | '―' | '·')
}

fn is_bracket_or_quote(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'' | '`' | '„' | '“' | '”' | '‚' | '«' | '»' | '‹' | '›')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn same_fact_folds_the_same() {
        for (left, right) in [
            ("Vento unterstützt Telegram", "vento UNTERSTÜTZT telegram."),
            ("Vento unterstützt Telegram", "  Vento\tunterstützt\n Telegram!  "),
            ("nicht!", "nicht"),
            ("Vento u\u{308}ber Telegram", "Vento über Telegram"),
            ("„Vento“ läuft", "\"Vento\" läuft"),
            ("»Vento« läuft", "Vento läuft"),
            ("Vento (live)", "Vento live"),
            ("Vento — live", "Vento live"),
            ("- Vento - live", "Vento live"),
            ("Vento: live", "Vento live"),
            ("Vento: live...", "Vento: live…"),
            ("**Vento** ist live.", "Vento ist live"),
            ("**Vento ist live.**", "Vento ist live"),
            ("`Vento` ist live", "Vento ist live"),
            ("Ven\u{200B}to ist\u{FEFF} live", "Vento ist live"),
            ("Ven\u{AD}to", "Vento"),
            ("Vento\u{A0}live", "Vento live"),
            ("Ｖｅｎｔｏ", "Vento"),
            ("10–12 Uhr", "10-12 Uhr"),
            ("−5 Grad", "-5 Grad"),
            ("that’s it", "that's it"),
            ("MASSE", "Masse"),
            ("GROẞ", "groß"),
            ("⚠️ Achtung", "⚠ Achtung"),
            ("Was ist der Status von Vento?", "was ist der status von vento"),
            ("„Wie läuft Vento?“", "Wie läuft Vento"),
            ("Läuft Vento ??", "Läuft Vento?"),
        ] {
            assert_eq!(fold(left), fold(right), "{left:?} and {right:?}");
            assert_eq!(fingerprint(left), fingerprint(right), "{left:?} and {right:?}");
        }
    }

    #[test]
    fn different_facts_stay_different() {
        for (left, right) in [
            ("1.5", "15"),
            ("1,5", "15"),
            ("v1.2", "v12"),
            ("C++", "C#"),
            ("C++", "C"),
            ("C#", "C"),
            ("-5", "5"),
            ("–5", "5"),
            ("+5", "5"),
            (".5", "5"),
            (".env", "env"),
            (".NET", "net"),
            ("/etc", "etc"),
            ("--force", "force"),
            ("A+", "A-"),
            ("A-", "A"),
            ("100%", "100"),
            ("100 €", "100 $"),
            ("10²", "102"),
            ("½", "12"),
            ("a != b", "a = b"),
            ("a < b", "a > b"),
            ("!enabled", "enabled"),
            ("0 3 * * *", "0 * 3 * *"),
            ("src/**", "src/"),
            ("*.rs", ".rs"),
            ("5 - 3", "5 3"),
            ("5\"", "5'"),
            ("5\"", "5"),
            ("[x] Deploy", "[ ] Deploy"),
            ("Maße", "Masse"),
            ("fürs", "fuers"),
            ("schon", "schön"),
            ("nicht live", "live"),
            ("Vento live", "Ventolive"),
            ("Vento läuft?", "Vento läuft."),
            ("@vento", "vento"),
            ("#vento", "vento"),
            ("~5", "5"),
            ("👍", "👎"),
        ] {
            assert_ne!(fold(left), fold(right), "{left:?} and {right:?}");
            assert_ne!(fingerprint(left), fingerprint(right), "{left:?} and {right:?}");
        }
    }

    #[test]
    fn folded_form_is_readable() {
        for (text, folded) in [
            ("", ""),
            (" . ", ""),
            ("?!", ""),
            (
                "Vento unterstützt Telegram als Kanal (zusätzlich zu WhatsApp).",
                "vento unterstützt telegram als kanal zusätzlich zu whatsapp",
            ),
            ("Läuft das, wirklich?", "läuft das wirklich?"),
            ("von 5 - 7 Uhr", "von 5 - 7 uhr"),
            ("...nein", "nein"),
        ] {
            assert_eq!(fold(text), folded, "{text:?}");
        }
    }

    #[test]
    fn fingerprint_is_the_start_of_the_sha_256() {
        // printf 'vento' | sha256sum
        assert_eq!(fingerprint("Vento!"), fingerprint("vento"));
        assert_eq!(fingerprint("").len(), 32);
        assert_eq!(fingerprint(""), "e3b0c44298fc1c149afbf4c8996fb924");
    }

    #[test]
    fn a_megabyte_takes_no_time() {
        for hostile in ["(", "?", "- ", "5 - ", "a\u{308}", "**", ".", "\"", "u\u{308}\u{323}"] {
            let text = hostile.repeat(1_000_000 / hostile.len());
            let start = std::time::Instant::now();
            let _ = fold(&text);
            assert!(start.elapsed().as_secs() < 5, "{hostile:?} took {:?}", start.elapsed());
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in ".*") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn folding_punctuation_twice_changes_nothing(text in "[ a?!.,:5*\"'()—–…#+-]{0,24}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
