//! Masking: text in, masked text and findings out. Every string from outside goes through here before it is written.
//!
//! [`Masked`] is the only text the store takes, and only this module makes it from outside text, so that an unmasked
//! write does not compile. What is written where is the store's business; which fields form one record is the caller's.
//!
//! A text goes line by line: a view of the line, the places in it that are protected, what each detector wants, and which
//! of these win. A line in which something was masked is read again with that as a barrier, until nothing more is found; so
//! masking twice changes nothing. At the end the parts of the full names found are looked for in the whole record.

mod address;
mod booking;
mod card;
mod coordinates;
mod credentials;
mod email;
mod iban;
mod json;
mod line;
mod masked;
mod names;
mod overlap;
mod phone;
mod protect;
mod raw;
mod record;
mod view;

use std::collections::HashSet;
use std::ops::Range;

pub use json::JsonFinding;
pub use masked::Masked;
#[doc(hidden)]
pub use names::training;
pub use raw::Raw;

/// The kinds of personal data and secrets that are removed, each with its own placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Kind {
    /// A person's full name.
    Name,
    /// A telephone number.
    Phone,
    /// An e-mail address.
    Email,
    /// Street with number, or postcode with town.
    Address,
    /// A pair of geographic coordinates.
    Coordinates,
    /// An international bank account number with a valid checksum.
    Iban,
    /// A payment card number with a valid checksum.
    Card,
    /// A customer, booking, order or invoice number.
    Booking,
    /// A password, key or token.
    Credential,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Name,
        Self::Phone,
        Self::Email,
        Self::Address,
        Self::Coordinates,
        Self::Iban,
        Self::Card,
        Self::Booking,
        Self::Credential,
    ];

    /// The text that stands in for a finding of this kind, brackets included.
    pub const fn placeholder(self) -> &'static str {
        match self {
            Self::Name => "[NAME]",
            Self::Phone => "[PHONE]",
            Self::Email => "[EMAIL]",
            Self::Address => "[ADDRESS]",
            Self::Coordinates => "[COORDINATES]",
            Self::Iban => "[IBAN]",
            Self::Card => "[CARD]",
            Self::Booking => "[BOOKING]",
            Self::Credential => "[CREDENTIAL]",
        }
    }

    /// The name without brackets, as findings and counts carry it.
    pub fn name(self) -> &'static str {
        self.placeholder().trim_matches(['[', ']'])
    }
}

/// One masked place. It says where and why, never what stood there.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// What was found.
    pub kind: Kind,
    /// The name of the rule that found it, a stable `kebab-case` word.
    pub rule: &'static str,
    /// Where it stood in the input: bytes, end exclusive.
    #[serde(skip)]
    pub bytes: Range<usize>,
}

/// The outcome of masking one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masking {
    /// The text with a placeholder for each finding; all else byte for byte as it was.
    pub text: Masked,
    /// What was replaced, in the order of the input, without overlaps.
    pub findings: Vec<Finding>,
}

/// The masker, set up once per process with the names that may stay.
#[derive(Clone, Debug, Default)]
pub struct Masker {
    allow: HashSet<String>,
    model: names::Model,
}

impl Masker {
    /// A masker that leaves `allow` alone: names of projects, agents and hosts, compared as whole words in exact case.
    pub fn new(allow: impl IntoIterator<Item = String>) -> Self {
        Self { allow: allow.into_iter().filter(|name| !name.is_empty()).collect(), model: names::Model::default() }
    }

    /// The same with another name model: for cross-validation.
    #[doc(hidden)]
    #[must_use]
    pub fn with_model(self, weights: &'static [u8]) -> Self {
        Self { model: names::Model::of(weights), ..self }
    }

    /// Masks one text. Masking the result again changes nothing.
    pub fn mask(&self, raw: &str) -> Masking {
        record::mask(self, &[raw]).pop().unwrap_or_else(|| Masking { text: Masked::default(), findings: Vec::new() })
    }

    /// Masks the texts of one record together: a full name in one of them also masks its parts in the others.
    /// The answer has one entry per text, in the same order.
    pub fn mask_record(&self, texts: &[&str]) -> Vec<Masking> {
        record::mask(self, texts)
    }

    /// Masks every string and every object key of a JSON value, as one record. A string under a name that announces a secret
    /// (`{"password": "…"}`) goes whole. Keys that become equal are told apart by a number, so that no entry is lost.
    pub fn mask_json(&self, value: &mut serde_json::Value) -> Vec<JsonFinding> {
        json::mask(self, value)
    }
}

/// The findings' places in characters (Unicode scalar values) of `raw`, in the same order. One pass over the text.
pub fn char_ranges(raw: &str, findings: &[Finding]) -> Vec<Range<usize>> {
    let mut chars = 0;
    let mut at = 0;
    let mut count_to = |byte: usize| {
        chars += raw.get(at..byte).map_or(0, |text| text.chars().count());
        at = byte;
        chars
    };
    findings.iter().map(|finding| count_to(finding.bytes.start)..count_to(finding.bytes.end)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mask(raw: &str) -> Masking {
        Masker::default().mask(raw)
    }

    /// Each input with what it must become; checks the laws on the way.
    pub(super) fn assert_masked(cases: &[(&str, &str)]) {
        for (raw, expected) in cases {
            let masking = mask(raw);
            assert_eq!(masking.text.as_str(), *expected, "from {raw:?}, by {:?}", masking.findings);
            assert_laws(raw);
        }
    }

    pub(super) fn assert_kept(cases: &[&str]) {
        for raw in cases {
            assert_masked(&[(*raw, *raw)]);
        }
    }

    /// Masking is idempotent, and the text is the input with exactly the findings replaced.
    fn assert_laws(raw: &str) {
        let masking = mask(raw);
        let mut rebuilt = String::new();
        let mut at = 0;
        for finding in &masking.findings {
            assert!(
                finding.bytes.start >= at && finding.bytes.end > finding.bytes.start,
                "{:?} in {raw:?}",
                masking.findings
            );
            rebuilt.push_str(&raw[at..finding.bytes.start]);
            rebuilt.push_str(finding.kind.placeholder());
            at = finding.bytes.end;
            let value = &raw[finding.bytes.clone()];
            assert!(value.contains("PRIVATE KEY") || !value.contains(['\n', '\r']), "{value:?} crosses a line break");
        }
        rebuilt.push_str(&raw[at..]);
        assert_eq!(masking.text.as_str(), rebuilt);
        let again = mask(masking.text.as_str());
        assert_eq!(again.text, masking.text, "masked again, from {raw:?}: {:?}", again.findings);
        assert_eq!(again.findings, []);
        let chars = char_ranges(raw, &masking.findings);
        for (range, finding) in chars.iter().zip(&masking.findings) {
            let by_chars: String = raw.chars().skip(range.start).take(range.len()).collect();
            assert_eq!(by_chars, raw[finding.bytes.clone()]);
        }
    }

    #[test]
    fn placeholders_are_opaque() {
        assert_kept(&[
            "API_KEY=${VAR}[CREDENTIAL]",
            "[NAME] [PHONE], [EMAIL] und [ADDRESS]",
            "password=[CREDENTIAL]",
            "Herr [NAME]",
            "[[NAME]]",
            "[NAME",
        ]);
    }

    #[test]
    fn what_cannot_be_seen_hides_nothing() {
        assert_masked(&[
            ("email: alice@\u{200B}example.com", "email: [EMAIL]"),
            ("mail an mu\u{308}ller@example.de", "mail an [EMAIL]"),
            ("\u{FF0B}49 171 1234567", "[PHONE]"),
            ("DE89\u{AD}3704\u{AD}0044 0532 0130 00", "[IBAN]"),
        ]);
    }

    #[test]
    fn own_ids_and_machine_words_stay() {
        assert_kept(&[
            "SESSION-carlo-20260521-a3f7b2 fortgesetzt",
            "REVIEW-20260521-143022-vento-telegram",
            "SESSION-mari-20260521-4915112",
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "27b94442-e2a2-40dd-ab55-4384702273e4",
            "2026-05-21T14:30:00Z v1.2.3 10.0.0.1:8080",
            "03-Projekte/LP-VENTO.md",
        ]);
    }

    #[test]
    fn allowed_names_stay_whole_words_in_exact_case() {
        let masker = Masker::new(["Anna Meier".to_owned(), "Huber".to_owned()]);
        assert_eq!(
            masker.mask("Projekt Anna Meier, Kundin Eva Schmidt").text.as_str(),
            "Projekt Anna Meier, Kundin [NAME]"
        );
        assert_eq!(masker.mask("Herr Huber und Herr Hubermann").text.as_str(), "Herr Huber und Herr [NAME]");
    }

    #[test]
    fn a_full_name_also_masks_its_parts_in_the_record() {
        let masker = Masker::default();
        let maskings =
            masker.mask_record(&["Anruf von Anna Meier.", "Anna ruft zurück", "Frau Meier wünscht es so, für Anna"]);
        let texts: Vec<_> = maskings.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(texts, ["Anruf von [NAME].", "[NAME] ruft zurück", "Frau [NAME] wünscht es so, für [NAME]"]);
        assert_eq!(mask("Anna ruft zurück").text.as_str(), "Anna ruft zurück");
    }

    #[test]
    fn json_is_masked_with_its_keys() {
        let mut value = serde_json::json!({"von": "Anna Meier", "anna@example.de": ["Anna", 1, null], "eva@example.de": {"password": "sonne"}});
        let findings = Masker::default().mask_json(&mut value);
        assert_eq!(
            value,
            serde_json::json!({"von": "[NAME]", "[EMAIL]": ["[NAME]", 1, null], "[EMAIL] 2": {"password": "[CREDENTIAL]"}})
        );
        let pointers: Vec<_> = findings.iter().map(|f| (f.pointer.as_str(), f.kind)).collect();
        assert!(
            pointers.contains(&("/von", Kind::Name)) && pointers.contains(&("/[EMAIL] 2/password", Kind::Credential)),
            "{pointers:?}"
        );
    }

    #[test]
    fn hostile_input_is_read_in_linear_time() {
        const SIZE: usize = 1 << 18;
        let units = [
            "7",
            "0171 ",
            "a@",
            "a@a.de",
            "((((",
            "Anna ",
            "Anna Meier ",
            "password=",
            "token=",
            "-----BEGIN RSA PRIVATE KEY-----",
            "://a:",
            "\u{200B}",
            "\u{202E}a",
            "e\u{301}",
            "[NAME]",
            "[NAM",
            "1-",
            "+1",
            "x",
            "A.",
            "Herr ",
            "(at)",
            "4111 ",
            "DE89 ",
            "sk-",
            "eyJ",
            "Straße ",
            "12345 Bad ",
            "48.1234,",
            "\"",
            "'",
            "ß",
            "der ",
            "Passwort ist ",
            "a.",
            "key ",
            "${",
            "von ",
            "key: token: password: ",
            "Passwort lautet Passwort: ",
            "\u{200B}\u{202E}\u{2066}",
            "\u{D7FF}\u{FFFD}",
            "anna meier ",
            "Postfach 12 ",
            "Suite 1 ",
            "785 8949-",
            "call 12 34 ",
            ":D. ",
        ];
        for unit in units {
            let raw = unit.repeat(SIZE / unit.len());
            let start = std::time::Instant::now();
            let masking = mask(&raw);
            let took = start.elapsed();
            assert!(took.as_secs() < 20, "{unit:?} took {took:?}");
            assert_eq!(mask(masking.text.as_str()).findings, [], "{unit:?}");
        }
    }

    /// Zero-width signs, and those that turn the direction of writing.
    const HIDDEN: [char; 8] =
        ['\u{200B}', '\u{200C}', '\u{200D}', '\u{FEFF}', '\u{AD}', '\u{202E}', '\u{2066}', '\u{2069}'];

    fn fragments() -> impl Strategy<Value = String> {
        let fragment = prop::sample::select(vec![
            "Anna Meier",
            "Herr ",
            "Müller",
            "Meier, Anna",
            "A. ",
            "ANNA MEIER",
            "[NAME]",
            "[CREDENTIAL]",
            "[",
            "]",
            "0171/1234567",
            "+49 (0) 89 123-456",
            "0",
            "anna@example.de",
            "@",
            "(at)",
            " (dot) ",
            "DE89370400440532013000",
            "4111 1111 1111 1111",
            "Hauptstraße 5",
            ", 80331 München",
            "48.13743, 11.57549",
            "Buchung ",
            "48213",
            "password=",
            "Das Passwort lautet ",
            "hunter2!",
            "token: ",
            "abc123def456ghi789",
            "\n",
            "\r\n",
            " ",
            "  ",
            ", ",
            ".",
            ": ",
            "\"",
            "'",
            "\u{200B}",
            "\u{308}",
            "u\u{308}",
            "\u{A0}",
            "von ",
            "und ",
            "Dr. ",
            "SESSION-carlo-20260521-a3f7b2",
            "-",
            "/",
            "${VAR}",
            "https://u:p4ss@h.de/",
            "-----BEGIN RSA PRIVATE KEY-----",
            "-----END RSA PRIVATE KEY-----",
            "<Password>",
            "</Password>",
            "key ",
            "Vento",
            "Telegram",
            "Der ",
            "Kunde ",
            "Familie ",
            "s ",
            "ß",
            "日本",
            "\t",
            "Bearer ",
            "x",
            "1",
        ]);
        prop::collection::vec(fragment, 0..14).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn laws_hold_for_any_text(raw in any::<String>()) {
            assert_laws(&raw);
        }

        #[test]
        fn laws_hold_where_findings_meet(raw in fragments()) {
            assert_laws(&raw);
        }

        #[test]
        fn what_cannot_be_seen_hides_nothing_wherever_it_stands(
            what in prop::sample::select(vec![
                ("anna@example.de", "[EMAIL]"),
                ("0171/1234567", "[PHONE]"),
                ("DE89370400440532013000", "[IBAN]"),
                ("4111 1111 1111 1111", "[CARD]"),
                ("Hauptstraße 5, 80331 München", "[ADDRESS]"),
                ("Anna Meier", "[NAME]"),
            ]),
            hidden in prop::collection::vec((0_usize..30, prop::sample::select(HIDDEN.to_vec())), 0..6),
        ) {
            let mut chars: Vec<char> = what.0.chars().collect();
            for (at, sign) in hidden {
                chars.insert(at % chars.len().max(2), sign);
            }
            let raw = format!("Notiz: {} usw.", chars.into_iter().collect::<String>());
            assert_laws(&raw);
            let seen: String = mask(&raw).text.as_str().chars().filter(|c| !HIDDEN.contains(c)).collect();
            prop_assert_eq!(seen, format!("Notiz: {} usw.", what.1), "from {:?}", raw);
        }

        #[test]
        fn records_are_masked_once(texts in prop::collection::vec(fragments(), 1..4)) {
            let masker = Masker::new(["Vento".to_owned(), "Anna".to_owned()]);
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let once = masker.mask_record(&texts);
            let masked: Vec<&str> = once.iter().map(|m| m.text.as_str()).collect();
            let twice = masker.mask_record(&masked);
            for (a, b) in once.iter().zip(&twice) {
                prop_assert_eq!(&a.text, &b.text);
            }
        }
    }
}
