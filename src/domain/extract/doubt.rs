//! What speaks against taking a sentence at its word: asked, supposed, quoted, denied, past, in jest, or heard from others.

use super::Subject;
use super::pattern::Match;
use super::words::Sentence;
use crate::domain::hedge::{HedgeKind, hedge};
use crate::domain::suspicion::suspicions;

/// Why a candidate is less sure than its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// Somebody else said so, or it was only mentioned.
    Quoted,
    /// A condition, a supposition, a wish.
    Hypothetical,
    /// A conjecture, a plan, hearsay ([`crate::domain::hedge`]).
    Hedged,
    /// It is denied.
    Negated,
    /// It was so once.
    Past,
    /// Not meant seriously.
    Joke,
    /// It reads like an instruction to a model ([`crate::domain::suspicion`]).
    Suspicious,
}

impl Doubt {
    /// The word for it in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Quoted => "quoted",
            Self::Hypothetical => "hypothetical",
            Self::Hedged => "hedged",
            Self::Negated => "negated",
            Self::Past => "past",
            Self::Joke => "joke",
            Self::Suspicious => "suspicious",
        }
    }

    /// By what a rule's confidence is multiplied: every doubt alone takes it below the usual minimum.
    pub const fn factor(self) -> f64 {
        match self {
            Self::Hedged | Self::Suspicious => 0.6,
            Self::Hypothetical | Self::Past => 0.5,
            Self::Quoted | Self::Negated | Self::Joke => 0.4,
        }
    }
}

/// Supposed, conditional, uncertain: wherever it stands in the sentence.
const HYPOTHETICAL: [&str; 49] = [
    "wenn",
    "falls",
    "sofern",
    "sobald",
    "angenommen",
    "haetten",
    "haettest",
    "waere",
    "waeren",
    "wuerde",
    "wuerden",
    "koennte",
    "koennten",
    "muesste",
    "muessten",
    "sollte",
    "sollten",
    "duerfte",
    "ob",
    "glaube",
    "wohl",
    "eigentlich",
    "if",
    "suppose",
    "supposing",
    "whether",
    "unless",
    "once",
    "could",
    "should",
    "might",
    "may",
    "wish",
    "maybe",
    "perhaps",
    "probably",
    "until",
    "think",
    "guess",
    "we'd",
    "they'd",
    "hopefully",
    "vielleicht",
    "eventuell",
    "vermutlich",
    "fast",
    "beinahe",
    "nearly",
    "bis",
];
/// Less than a supposition where something is said to be preferred or done.
const HARMLESS_IN_STEPS: [&str; 8] = ["wenn", "falls", "if", "sobald", "once", "until", "bis", "should"];

/// Denied.
const NEGATION: [&str; 26] = [
    "nicht", "kein", "keine", "keinen", "keinem", "keiner", "nie", "niemals", "niemand", "nichts", "weder", "not",
    "no", "never", "nobody", "none", "neither", "nor", "cannot", "nix", "without", "ohne", "unable", "refuses",
    "lehnt", "weigert",
];

/// Over.
const PAST: [&str; 18] = [
    "frueher",
    "damals",
    "ehemals",
    "einst",
    "vormals",
    "ehemalige",
    "ehemaliger",
    "former",
    "formerly",
    "previously",
    "used",
    "once",
    "gewesen",
    "ago",
    "war",
    "waren",
    "was",
    "were",
];

/// Phrases, in the spelling of [`super::words::spelling`]; in a text with single blanks.
const PAST_PHRASES: [&str; 8] =
    ["nicht mehr", "no longer", "back in the day", "letztes jahr", "last year", "used to", "any more", "in 20"];
const JOKES: [&str; 24] = [
    "haha",
    "hihi",
    "lol",
    "rofl",
    ";-)",
    ";)",
    ":)",
    ":-)",
    ":d",
    "xd",
    "😂",
    "🤣",
    "😉",
    "😜",
    "scherz",
    "just kidding",
    "joking",
    "joked",
    "ironie",
    "/s",
    "obviously",
    "spass beiseite",
    "lacht",
    "april, april",
];

/// What speaks against a match; `None` where the sentence is a question, of which nothing is taken.
pub(super) fn doubts(sentence: &Sentence<'_>, found: &Match, subject: Subject) -> Option<Vec<Doubt>> {
    if sentence.text.trim_end_matches(['"', '“', '”', ')', ' ', '!']).ends_with('?') || is_inverted(sentence, found)
    {
        return None;
    }
    let mut doubts = Vec::new();
    let mut add = |is_so: bool, doubt: Doubt| {
        if is_so && !doubts.contains(&doubt) {
            doubts.push(doubt);
        }
    };
    // The month is no conjecture.
    let is_month = |word: &super::words::Word| word.spelling == "may" && word.has_capital;
    let words = || sentence.words.iter().map(|word| if is_month(word) { "" } else { word.spelling.as_str() });
    let before = || words().take(found.value.start.max(found.whole.start));
    let text = words().collect::<Vec<_>>().join(" ");
    let lower = sentence.text.to_lowercase();
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    let in_value = |at: usize| found.value.contains(&at);

    add(sentence.words.get(found.whole.start).is_some_and(|word| word.is_quoted), Doubt::Quoted);
    add(JOKES.iter().any(|joke| lower.contains(joke) && is_apart(&lower, joke)), Doubt::Joke);
    let supposed = |word: &str| match subject {
        Subject::Step | Subject::Lesson => HYPOTHETICAL.contains(&word) && !HARMLESS_IN_STEPS.contains(&word),
        _ => HYPOTHETICAL.contains(&word),
    };
    // A preference or decision may be about conditions; what stands before it is what counts.
    let (wide, past): (Vec<&str>, Vec<&str>) = match subject {
        Subject::Preference | Subject::Decision => (before().collect(), before().collect()),
        Subject::Step | Subject::Lesson => (before().collect(), Vec::new()),
        _ => (words().collect(), words().collect()),
    };
    add(wide.iter().any(|word| supposed(word)), Doubt::Hypothetical);
    // "I'd prefer it if you asked": a condition behind it makes it a wish.
    let trails = subject == Subject::Preference
        && words().enumerate().any(|(at, word)| !in_value(at) && matches!(word, "maybe" | "vielleicht" | "perhaps"));
    add(trails, Doubt::Hypothetical);
    // "It was decided": the verb of the decision itself.
    let is_past = |word: &&str| {
        PAST.contains(word) && !(subject == Subject::Decision && matches!(*word, "was" | "were" | "war" | "waren"))
    };
    add(past.iter().any(is_past) || has_past(subject, &text, &has), Doubt::Past);
    let denied = match subject {
        Subject::Preference | Subject::Step | Subject::Lesson => false,
        Subject::Decision => before().any(is_negation),
        _ => words().any(is_negation),
    };
    add(denied, Doubt::Negated);
    add(is_hedged(sentence.text, subject), Doubt::Hedged);
    add(!suspicions(sentence.text).is_empty(), Doubt::Suspicious);
    Some(doubts)
}

fn has_past(subject: Subject, text: &str, has: &dyn Fn(&[&str]) -> bool) -> bool {
    match subject {
        Subject::Lesson | Subject::Step => false,
        Subject::Preference => ["used to", "back in the day", "frueher"].iter().any(|phrase| text.contains(phrase)),
        _ => has(&PAST_PHRASES),
    }
}

fn is_negation(word: &str) -> bool {
    NEGATION.contains(&word) || word.ends_with("n't")
}

/// Whether a joke's mark stands by itself: "lol" and not "Apollo".
fn is_apart(text: &str, mark: &str) -> bool {
    if !mark.starts_with(char::is_alphabetic) {
        return true;
    }
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word == mark) || mark.contains(' ')
}

/// Whether the sentence begins like a question: a verb or a question word first.
fn is_inverted(sentence: &Sentence<'_>, found: &Match) -> bool {
    const OPENERS: [&str; 34] = [
        "wer", "wen", "wem", "wie", "wann", "warum", "wieso", "weshalb", "wo", "woher", "welche", "welcher", "welches",
        "who", "whom", "how", "when", "why", "where", "which", "do", "does", "did", "is", "are", "should", "would",
        "could", "can", "has", "magst", "bist", "hast", "what",
    ];
    let first = sentence.words.iter().find(|word| !word.is_mark()).map_or("", |word| word.spelling.as_str());
    OPENERS.contains(&first) && found.whole.start > 0 && sentence.spelling(found.whole.start) != first
}

/// Whether the text is hedged by a cue that the subject does not bring with it: a preference is a wish, a decision a plan.
fn is_hedged(text: &str, subject: Subject) -> bool {
    let tolerated: &[HedgeKind] = match subject {
        Subject::Preference => &[HedgeKind::Wish, HedgeKind::Intention, HedgeKind::Plan],
        Subject::Decision => &[HedgeKind::Intention, HedgeKind::Plan],
        Subject::Step | Subject::Lesson => &[HedgeKind::Plan],
        Subject::State | Subject::Tool | Subject::Person => &[],
    };
    let mut rest = text;
    // A sentence has few cues; more than these are no note.
    for _ in 0..6 {
        let Some(found) = hedge(rest) else { return false };
        if !tolerated.contains(&found.kind) {
            return true;
        }
        rest = rest.get(found.range.end..).unwrap_or_default();
    }
    true
}
