//! The readable tail of a review's id, such as `vento-telegram`: what the fact is about, in one to five words.
//!
//! The project comes first, then the most telling words of the fact in their order. Function words and verbs that say
//! little never count. Words with a capital or a digit inside tell most, German nouns and names among
//! them; where the fact has none, any word will do. Once the slug has two words, the fact is read only to the end of its
//! main clause: to a comma, a bracket, or a word such as "als" or "because", since what follows only qualifies it.
//!
//! An id is taken apart by people and shells, so the result always matches `^[a-z0-9]+(-[a-z0-9]+){0,4}$`. That an id is
//! free is the store's business.

mod stop_words;

use deunicode::deunicode_char;
use unicode_normalization::UnicodeNormalization;

/// The slug of a fact that has no word to offer.
const FALLBACK: &str = "fact";
/// Longest slug, in characters (specification, ids).
const MAX_LENGTH: usize = 40;
/// Most words, hyphenated parts counted one by one (specification, ids).
const MAX_WORDS: usize = 5;
/// Most words taken from the project's name.
const MAX_PROJECT_WORDS: usize = 2;
/// How many words make a good slug; compounds count as one here.
const GOOD_LENGTH: usize = 3;

/// The slug for a fact of a project. Both must be masked already: the slug becomes part of a file name.
pub fn slug(project: Option<&str>, fact: &str) -> String {
    let project: Vec<Word> = words(project.unwrap_or_default()).flatten().take(MAX_PROJECT_WORDS).collect();
    let mut candidates: Vec<Word> = Vec::new();
    let mut was_candidate = false;
    for item in words(fact) {
        let Some(mut word) = item else {
            if project.len() + candidates.len() >= 2 {
                break;
            }
            was_candidate = false;
            continue;
        };
        if project.iter().chain(&candidates).any(|known| known.is_same(&word)) || stop_words::contains(&word.text) {
            was_candidate = false;
            continue;
        }
        // A number belongs to the word before it: "Port 8645".
        word.is_telling |= word.is_number() && was_candidate && candidates.last().is_some_and(|last| last.is_telling);
        was_candidate = true;
        candidates.push(word);
        if candidates.len() >= MAX_CANDIDATES {
            break;
        }
    }
    let telling = candidates.iter().filter(|word| word.is_telling).count();
    let mut room = GOOD_LENGTH.saturating_sub(project.len());
    // Words that tell little fill up to two, and to the full length where nothing else is there.
    let mut filling = if telling == 0 { room } else { 2_usize.saturating_sub(project.len() + telling) };
    let telling = candidates.iter().filter(|word| {
        let left = if word.is_telling { &mut room } else { &mut filling };
        let is_taken = *left > 0;
        *left = left.saturating_sub(1);
        is_taken
    });
    join(project.iter().chain(telling))
}

/// How many words of a fact are looked at: beyond, only its length grows.
const MAX_CANDIDATES: usize = 64;

/// Joins words until the limits are met; the first is cut where it alone is too long.
fn join<'a>(words: impl Iterator<Item = &'a Word>) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut length = 0;
    for part in words.flat_map(|word| word.text.split('-')) {
        let needed = part.len() + usize::from(!parts.is_empty());
        if parts.contains(&part) {
            continue;
        }
        if parts.is_empty() && part.len() > MAX_LENGTH {
            return part.chars().take(MAX_LENGTH).collect();
        }
        if parts.len() == MAX_WORDS || length + needed > MAX_LENGTH {
            break;
        }
        length += needed;
        parts.push(part);
    }
    if parts.is_empty() { FALLBACK.to_owned() } else { parts.join("-") }
}

/// A word in the letters of an id; the parts of a compound are joined by hyphens.
struct Word {
    text: String,
    is_telling: bool,
}

impl Word {
    /// `None` where nothing of the word can be written in an id.
    fn new(raw: &str) -> Option<Self> {
        let mut text = String::with_capacity(raw.len() + 4);
        let mut has_capital = false;
        let mut has_gap = false;
        for c in raw.nfc() {
            if matches!(c, '\'' | '’') || !c.is_alphanumeric() && c.is_ascii_control() {
                continue;
            }
            let start = text.len();
            push_transliterated(&mut text, c);
            if text.len() == start {
                has_gap |= !c.is_alphanumeric() && !is_mark(c);
            } else {
                has_capital |= c.is_uppercase();
                if has_gap && start > 0 {
                    text.insert(start, '-');
                }
                has_gap = false;
            }
        }
        let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
        let has_letter = text.bytes().any(|byte| byte.is_ascii_lowercase());
        (!text.is_empty()).then_some(Self { text, is_telling: has_capital || has_digit && has_letter })
    }

    fn is_number(&self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    }

    /// Whether the other is this word again, or its genitive.
    fn is_same(&self, other: &Self) -> bool {
        other.text == self.text || other.text.strip_suffix('s') == Some(&self.text)
    }
}

/// Combining marks and invisible characters: part of the letter before them.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
        || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}

/// A German letter as it is written where there is none: `ä` as `ae`, `ß` as `ss`; `None` for any other. Always lower case.
pub(super) const fn spelled_out(c: char) -> Option<&'static str> {
    match c {
        'ä' | 'Ä' => Some("ae"),
        'ö' | 'Ö' => Some("oe"),
        'ü' | 'Ü' => Some("ue"),
        'ß' | 'ẞ' => Some("ss"),
        _ => None,
    }
}

fn push_transliterated(text: &mut String, c: char) {
    if let Some(letters) = spelled_out(c) {
        text.push_str(letters);
        return;
    }
    match c {
        'a'..='z' | '0'..='9' => text.push(c),
        'A'..='Z' => text.push(c.to_ascii_lowercase()),
        _ if c.is_alphanumeric() => {
            let latin = deunicode_char(c).unwrap_or_default();
            text.extend(latin.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
        }
        _ => {}
    }
}

/// The words of a text; `None` stands for the end of a clause.
fn words(text: &str) -> impl Iterator<Item = Option<Word>> {
    text.split_whitespace().flat_map(|raw| {
        let bare = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let opens = raw.starts_with(['(', '–', '—']);
        let ends = raw.ends_with([',', ';', '.', '!', '?', ')']) && !raw.ends_with("),");
        let word = if is_placeholder(raw) { None } else { Word::new(bare) };
        let breaks = opens || word.as_ref().is_some_and(|word| stop_words::ends_clause(&word.text));
        [breaks.then_some(None), word.map(Some), ends.then_some(None)].into_iter().flatten()
    })
}

/// Whether a word is what masking leaves, such as `[NAME]`, `([PHONE])` or `[NAME]s`.
fn is_placeholder(raw: &str) -> bool {
    let inner = raw.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(inner, _)| inner);
    inner.is_some_and(|inner| inner.len() > 1 && inner.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_well_formed(slug: &str) -> bool {
        let words: Vec<&str> = slug.split('-').collect();
        slug.len() <= MAX_LENGTH
            && words.len() <= MAX_WORDS
            && words.iter().all(|word| {
                !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            })
    }

    #[test]
    fn slug_names_what_the_fact_is_about() {
        for (project, fact, expected) in [
            // The documents' own.
            (Some("Vento"), "Vento unterstützt Telegram als Kanal (zusätzlich zu WhatsApp)", "vento-telegram"),
            (Some("Vento"), "Vento unterstützt jetzt Telegram", "vento-telegram"),
            (Some("Vento"), "Vento unterstützt Telegram als zusätzlichen Kanal", "vento-telegram"),
            (None, "Vento unterstützt Telegram als Kanal (zusätzlich zu WhatsApp)", "vento-telegram"),
            (None, "Vento unterstützt jetzt Telegram", "vento-telegram"),
            (Some("Vento"), "Projekt Vento hat jetzt zusätzlich Telegram-Support.", "vento-telegram-support"),
            // German.
            (Some("Vento"), "Vento läuft auf Port 8645", "vento-port-8645"),
            (Some("Vento"), "Vento 90% fertig, nicht live.", "vento-90-fertig"),
            (Some("Vento"), "Die Technik von Vento ist FastAPI mit n8n", "vento-technik-fastapi"),
            (Some("Vento"), "Ventos Datenbank ist PostgreSQL 16", "vento-datenbank-postgresql"),
            (None, "Der Größenwächter prüft Bäume", "groessenwaechter-baeume"),
            (None, "Das Backup läuft täglich um 3 Uhr", "backup-uhr"),
            (None, "Straße gesperrt", "strasse-gesperrt"),
            (Some("Waldseilgarten CRM"), "Das CRM nutzt Laravel", "waldseilgarten-crm-laravel"),
            (Some("waldseilgarten-crm"), "Rechnungen gehen per Mail raus", "waldseilgarten-crm-rechnungen-mail"),
            // English.
            (Some("Vento"), "vento supports telegram as a second channel", "vento-telegram"),
            (Some("Vento"), "Vento now also supports Telegram because customers asked", "vento-telegram"),
            (None, "the nightly backup uses restic", "nightly-backup-restic"),
            (None, "Retention for archived sessions is 30 days", "retention-archived"),
            (None, "we don't log passwords", "log-passwords"),
            // Masked, foreign, empty.
            (Some("Vento"), "[NAME] betreut Vento unter [PHONE]", "vento-betreut"),
            (Some("[NAME]"), "[NAME]s Server heißt Athene", "server-athene"),
            (None, "Кафе Москва", "kafe-moskva"),
            (None, "北京 office", "beijing-office"),
            (None, "Ünïcödé Çafé", "uenicoede-cafe"),
            (None, "u\u{308}ber Ta\u{308}ler", "taeler"),
            (None, "v1.2 ist da", "v1-2"),
            (None, "Vento Vento vento VENTO", "vento"),
            (None, "es ist so", "fact"),
            (None, "", "fact"),
            (None, "[NAME] [EMAIL]", "fact"),
            (None, "🎉 !!! ---", "fact"),
            (Some(""), "…", "fact"),
            (Some("Vento"), "", "vento"),
        ] {
            assert_eq!(slug(project, fact), expected, "{project:?}: {fact:?}");
        }
    }

    #[test]
    fn long_words_are_left_out_whole_or_cut_alone() {
        let long = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz";
        assert_eq!(slug(Some("Vento"), long), "vento");
        assert_eq!(slug(None, long).len(), MAX_LENGTH);
        assert!(is_well_formed(&slug(None, long)));
    }

    #[test]
    fn a_megabyte_takes_no_time() {
        for hostile in ["a", "A-", "ist ", "[", "(", "ü'", "x, ", "北"] {
            let text = hostile.repeat(1_000_000 / hostile.len());
            let start = std::time::Instant::now();
            assert!(is_well_formed(&slug(Some(&text), &text)), "{hostile:?}");
            assert!(start.elapsed().as_secs() < 5, "{hostile:?} took {:?}", start.elapsed());
        }
    }

    proptest! {
        #[test]
        fn slug_is_always_well_formed(project in proptest::option::of(".*"), fact in ".*") {
            let slug = slug(project.as_deref(), &fact);
            prop_assert!(is_well_formed(&slug), "{}", slug);
        }

        #[test]
        fn slug_of_words_is_well_formed(fact in "[A-Za-zäöüß0-9.,()\\[\\]' -]{0,120}") {
            let slug = slug(None, &fact);
            prop_assert!(is_well_formed(&slug), "{}", slug);
        }
    }
}
