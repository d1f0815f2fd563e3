//! The conditions under which a cue hedges, each a function of the text and the cue's first and last word.

use super::text::Text;

/// Whether the cue from its first to its last word is a hedge here.
pub(super) type Guard = fn(&Text<'_>, usize, usize) -> bool;

/// How far a date or a regularity is looked for, in words to each side.
const REACH: usize = 24;

/// What takes back the cue behind it.
#[rustfmt::skip]
const DENIALS: &[&str] = &[
    "nicht", "not", "never", "kein", "keine", "keinen", "keinem", "nie", "niemals", "isn't", "aren't", "wasn't", "no",
];

/// Those whose word is no source.
#[rustfmt::skip]
const PERSONS: &[&str] = &[
    "user", "users", "nutzer", "nutzerin", "kunde", "kunden", "kundin", "kundschaft", "kollege", "kollegin",
    "kollegen", "chef", "chefin", "name", "he", "she", "they", "er", "sie", "customer", "client", "colleague", "boss",
    "manager", "someone", "somebody", "jemand", "anwender", "mitarbeiter", "mitarbeiterin", "gast", "gaeste",
];

/// What makes an English noun of the word behind it.
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "a", "an", "this", "that", "each", "every", "our", "your", "their", "its", "his", "her", "my", "power",
    "free", "pro", "per", "any", "one",
];

/// What stands before the month of May.
#[rustfmt::skip]
const MONTH_NEIGHBOURS: &[&str] = &[
    "in", "of", "since", "until", "by", "early", "late", "mid", "from", "before", "after", "during", "till",
];

/// What makes the English future a rule or a commitment.
#[rustfmt::skip]
const REGULARITIES: &[&str] = &[
    "every", "each", "daily", "nightly", "hourly", "weekly", "monthly", "always", "automatically", "if", "when",
    "whenever", "unless", "once", "after", "before", "until", "on", "not", "only", "never", "jede", "jeden", "jedes", "taeglich", "nachts", "automatisch", "immer", "sobald", "wenn", "falls",
];

/// Names of months, German and English, that are nothing else.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "januar", "februar", "april", "juni", "juli", "august", "september", "oktober", "november", "dezember", "january",
    "february", "march", "june", "july", "october", "december", "mai",
];

/// German infinitives that are no participles too, so that "wird" with them is the future.
#[rustfmt::skip]
const INFINITIVES: &[&str] = &[
    "abloesen", "abschalten", "abschaffen", "aendern", "anbieten", "anbinden", "ausliefern", "auslaufen", "ausrollen",
    "bauen", "bekommen", "bereitstellen", "bieten", "brauchen", "bringen", "deployen", "einfuehren", "einstellen",
    "ersetzen", "erweitern", "finden", "fuehren", "geben", "gehen", "haben", "hinzufuegen", "kommen", "koennen",
    "kosten", "kuendigen", "kuemmern", "laufen", "liefern", "loeschen", "machen", "migrieren", "muessen", "nutzen",
    "releasen", "schalten", "schliessen", "schicken", "sein", "senden", "starten", "stehen", "stellen", "testen",
    "umbauen", "umstellen", "umsteigen", "umziehen", "unterstuetzen", "uebernehmen", "verwenden", "wechseln",
    "werden", "wegfallen", "ziehen", "zusammenlegen",
];

/// What tells that a plan has an outcome.
#[rustfmt::skip]
const OUTCOMES: &[&str] = &[
    "umgesetzt", "gebaut", "eingefuehrt", "realisiert", "implementiert", "ausgerollt", "geworden", "erledigt",
    "implemented", "built", "shipped", "done", "instead", "stattdessen", "tatsaechlich",
];

/// The cue means the same in any case; denied right before, it is none.
pub(super) fn adverb(text: &Text<'_>, first: usize, _: usize) -> bool {
    !is_denied(text, first)
}

/// A capital inside the sentence makes another word of it: a noun, a name.
pub(super) fn verb(text: &Text<'_>, first: usize, _: usize) -> bool {
    !text.has_capital(first) || text.opens_sentence(first)
}

/// "soll", but not "das Soll", "Soll und Haben", nor the condition "Sollte der Job scheitern, …".
pub(super) fn soll(text: &Text<'_>, first: usize, last: usize) -> bool {
    let is_noun = text.word(first) == "soll" && matches!(text.after(first, 1), "und" | "ist" | "haben");
    verb(text, first, last)
        && !(text.opens_sentence(first) && text.has_capital(first) && is_noun)
        && !opens_condition(text, first)
}

/// "should", but not the condition "Should the job fail, …".
pub(super) fn should(text: &Text<'_>, first: usize, last: usize) -> bool {
    verb(text, first, last) && !opens_condition(text, first)
}

/// German "plant", not the English one: "the plant", "power plant", "plants".
pub(super) fn plant(text: &Text<'_>, first: usize, last: usize) -> bool {
    verb(text, first, last) && !text.opens_sentence(first) && !ARTICLES.contains(&text.before(first, 1))
}

/// "geplant", unless it went "wie geplant", is denied, or the sentence tells the outcome.
pub(super) fn planned(text: &Text<'_>, first: usize, last: usize) -> bool {
    adverb(text, first, last)
        && !matches!(text.before(first, 1), "wie" | "as" | "than" | "als")
        && !matches!((text.before(first, 2), text.before(first, 1)), ("no", "longer") | ("nicht", "mehr"))
        && !text.around(first, REACH).any(|word| OUTCOMES.contains(&word))
}

/// "we plan to", not "a plan to" nor "the Pro plan to".
pub(super) fn plan_to(text: &Text<'_>, first: usize, last: usize) -> bool {
    plant(text, first, last)
        && matches!(text.before(first, 1), "we" | "they" | "i" | "to" | "users" | "developers" | "you" | "and" | "also")
}

/// "Der Plan ist, …", not "Der Plan ist kostenlos"; "es heißt, …", not "es heißt Vento".
pub(super) fn before_comma(text: &Text<'_>, _: usize, last: usize) -> bool {
    text.gap_after(last).starts_with([',', ':'])
}

/// "hat vor, …" and "hat vor.", not "hat vor zwei Wochen".
pub(super) fn ends_or_comma(text: &Text<'_>, _: usize, last: usize) -> bool {
    text.after(last, 1).is_empty() || text.gap_after(last).starts_with(',')
}

/// "is going to move", not "is going to port 80" nor "going to the proxy".
pub(super) fn going_to(text: &Text<'_>, first: usize, last: usize) -> bool {
    let next = text.after(last, 1);
    let is_place = ARTICLES.contains(&next) || next == "port" || next.starts_with(|c: char| c.is_ascii_digit());
    adverb(text, first, last) && !next.is_empty() && !is_place && !text.has_capital(last + 1)
}

/// "will": German always, English unless dated, regular or denied. "Will" is a name.
pub(super) fn will(text: &Text<'_>, first: usize, _: usize) -> bool {
    if text.has_capital(first) || matches!(text.before(first, 1), "at" | "free" | "the" | "his" | "her" | "good") {
        return false;
    }
    !is_english(text, first) || !is_committed(text, first)
}

/// "it'll", unless dated or regular.
pub(super) fn contracted_will(text: &Text<'_>, first: usize, _: usize) -> bool {
    !is_committed(text, first)
}

/// "wird … unterstützen", not "wird unterstützt"; "wird … umgestellt werden". Not where the sentence names a date.
pub(super) fn werden(text: &Text<'_>, first: usize, last: usize) -> bool {
    let is_future = |next: usize| {
        let is_last = text.after(next, 1).is_empty() || text.gap_after(next).starts_with([',', ')']);
        is_last && !text.has_capital(next) && INFINITIVES.contains(&text.word(next))
    };
    verb(text, first, last)
        && (first + 1..=first + REACH).take_while(|next| text.same_sentence(first, *next)).any(is_future)
        && !is_committed(text, first)
}

/// "morgen", not "heute morgen" nor "jeden morgen".
pub(super) fn tomorrow(text: &Text<'_>, first: usize, _: usize) -> bool {
    !text.has_capital(first) && !matches!(text.before(first, 1), "heute" | "gestern" | "jeden" | "am" | "guten")
}

/// "für Q3 vorgesehen", "scheduled for June", not "für Namen vorgesehen" nor "scheduled at 3 am".
pub(super) fn dated(text: &Text<'_>, first: usize, last: usize) -> bool {
    let is_date = |word: &str| {
        MONTHS.contains(&word)
            || matches!(
                word,
                "q1" | "q2" | "q3" | "q4" | "naechste" | "naechsten" | "naechstes" | "next" | "herbst" | "sommer"
            )
            || word.starts_with("20") && word.len() == 4
    };
    adverb(text, first, last) && text.around(first, REACH).any(is_date)
}

/// "bald", not "bald darauf", which is past.
pub(super) fn bald(text: &Text<'_>, first: usize, last: usize) -> bool {
    verb(text, first, last) && !matches!(text.after(first, 1), "darauf" | "danach" | "nach" | "nachdem")
}

/// "soon", not "as soon as".
pub(super) fn soon(text: &Text<'_>, first: usize, _: usize) -> bool {
    text.after(first, 1) != "as" && text.after(first, 1) != "after"
}

/// "eventually", not "eventually consistent".
pub(super) fn eventually(text: &Text<'_>, first: usize, _: usize) -> bool {
    !matches!(text.after(first, 1), "consistent" | "consistency")
}

/// "wohl", not "sich wohl fühlen" nor "wohl aber".
pub(super) fn wohl(text: &Text<'_>, first: usize, last: usize) -> bool {
    verb(text, first, last)
        && !matches!(text.before(first, 1), "sich" | "sehr" | "mich" | "dich" | "uns" | "gleich" | "so")
        && !matches!(text.after(first, 1), "aber" | "fuehlt" | "fuehlen" | "als")
}

/// The verb "might", not "the might".
pub(super) fn might(text: &Text<'_>, first: usize, last: usize) -> bool {
    verb(text, first, last) && !ARTICLES.contains(&text.before(first, 1))
}

/// The verb "may", not the month.
pub(super) fn may(text: &Text<'_>, first: usize, last: usize) -> bool {
    let is_dated = text.after(first, 1).starts_with(|c: char| c.is_ascii_digit());
    let follows_day = text.before(first, 1).starts_with(|c: char| c.is_ascii_digit());
    let stands_alone = text.has_capital(first) && text.after(first, 1).is_empty();
    let is_month = is_dated || follows_day || stands_alone || MONTH_NEIGHBOURS.contains(&text.before(first, 1));
    might(text, first, last) && !is_month
}

/// "could", not "could not", which tells what was.
pub(super) fn could(text: &Text<'_>, first: usize, _: usize) -> bool {
    !matches!(text.after(first, 1), "not" | "no" | "never" | "only")
}

/// "laut Kunde", not "laut LP-VENTO.md"; "according to the user".
pub(super) fn citing(text: &Text<'_>, first: usize, last: usize) -> bool {
    let skipped =
        usize::from(matches!(text.after(last, 1), "the" | "our" | "dem" | "der" | "den" | "unserem" | "einem"));
    PERSONS.contains(&text.after(last, 1 + skipped))
        || text.word(first) == "zufolge" && PERSONS.contains(&text.before(first, 1))
}

/// "the user says", not "the manual says".
pub(super) fn person_before(text: &Text<'_>, first: usize, _: usize) -> bool {
    PERSONS.contains(&text.before(first, 1))
        || matches!(text.word(first), "said" | "claims" | "claimed") && text.after(first, 1) == "that"
}

fn is_denied(text: &Text<'_>, first: usize) -> bool {
    DENIALS.contains(&text.before(first, 1))
}

/// Whether the word opens a condition: first in its sentence, which has a comma and does not ask.
fn opens_condition(text: &Text<'_>, first: usize) -> bool {
    let mut words = (first..first + REACH).take_while(|next| text.same_sentence(first, *next));
    text.opens_sentence(first) && words.any(|next| text.gap_after(next).starts_with(','))
}

/// Whether the sentence is English rather than German, by its function words.
fn is_english(text: &Text<'_>, first: usize) -> bool {
    let (mut english, mut german) = (0, 0);
    for word in text.around(first, REACH) {
        match word {
            "the" | "a" | "an" | "be" | "to" | "of" | "by" | "and" | "for" | "with" | "it" | "on" | "is" | "at"
            | "not" | "have" | "from" | "support" | "use" | "run" | "move" | "go" | "get" | "add" | "replace"
            | "we" | "they" | "you" => english += 1,
            "der" | "die" | "das" | "den" | "dem" | "ein" | "eine" | "einen" | "und" | "auf" | "bis" | "im" | "mit"
            | "nicht" | "zu" | "von" | "er" | "sie" | "ich" | "fuer" | "nach" | "ab" | "aus" | "dass" => german += 1,
            _ => {}
        }
    }
    let ends_german = text.rest(first, REACH).last().is_some_and(|word| INFINITIVES.contains(&word));
    english > german && !ends_german
}

/// Whether the sentence names a date or a regularity: a commitment rather than a plan.
fn is_committed(text: &Text<'_>, first: usize) -> bool {
    let is_number = |word: &&str| (1..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = text.around(first, REACH).filter(is_number).count();
    let is_dated = match numbers {
        0 => false,
        1 | 2 => text.around(first, REACH).any(|word| MONTHS.contains(&word)),
        _ => true,
    };
    is_dated || text.rest(first, REACH).any(|word| REGULARITIES.contains(&word))
}
