//! The language in which rules are written, and how it is matched.
//!
//! A pattern is a row of items between blanks:
//!
//! | item | matches |
//! | --- | --- |
//! | `mag\|will` | one of these words; `lieblings*` one that begins so, `*ablauf` one that ends so |
//! | `bitte?` | the same, or nothing |
//! | `, : %` | that mark |
//! | `@imperative` | one of a list of words, [`super::names::list`] |
//! | `^`, `$` | the beginning of the sentence or of what follows a comma or a colon; the end of the clause |
//! | `<n>` | a number |
//! | `<any>` | one to eight words, as few as will do |
//! | `<rest>` | everything up to the end of the clause, at least one word |
//! | `<topic>` | one to six words that name a thing; `<who>` a person or role; `<tool>` something to work with |
//! | `{ … }` | what stands between is the value |
//!
//! Words are in the spelling of [`super::words::spelling`]. A match costs a bounded number of steps, whatever the sentence.

use std::ops::Range;

use super::names;
use super::words::Sentence;

/// How many steps a match may take before it is given up.
const STEPS_MAX: u32 = 4000;
/// How many words `<any>` and `<topic>` span at most.
const ANY_MAX: usize = 8;
const TOPIC_MAX: usize = 6;
const NAME_MAX: usize = 4;

/// What stands for words that a pattern does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Any,
    Rest,
    Topic,
    Who,
    Tool,
    Number,
}

#[derive(Clone, Debug)]
enum Item {
    Words { alternatives: Vec<String>, is_optional: bool },
    Slot(Slot),
    Begin,
    End,
    Open,
    Close,
}

/// A pattern that has been read.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    items: Vec<Item>,
}

/// Where a pattern matched, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Match {
    /// All of it.
    pub(super) whole: Range<usize>,
    /// The value.
    pub(super) value: Range<usize>,
    /// The thing it is about.
    pub(super) topic: Option<Range<usize>>,
}

impl Pattern {
    /// Reads a pattern.
    pub(super) fn new(text: &str) -> Self {
        let items = text.split_whitespace().map(|item| match item {
            "^" => Item::Begin,
            "$" => Item::End,
            "{" => Item::Open,
            "}" => Item::Close,
            "<any>" => Item::Slot(Slot::Any),
            "<rest>" => Item::Slot(Slot::Rest),
            "<topic>" => Item::Slot(Slot::Topic),
            "<who>" => Item::Slot(Slot::Who),
            "<tool>" => Item::Slot(Slot::Tool),
            "<n>" => Item::Slot(Slot::Number),
            words => {
                let bare = words.strip_suffix('?').unwrap_or(words);
                let named = bare.split('|').flat_map(|word| match word.strip_prefix('@') {
                    Some(list) => names::list(list).split_whitespace().map(str::to_owned).collect(),
                    None => vec![word.to_owned()],
                });
                Item::Words { alternatives: named.collect(), is_optional: bare.len() < words.len() }
            }
        });
        Self { items: items.collect() }
    }

    /// A group of words of which one has to stand in every sentence that matches; empty where there is no such group.
    pub(super) fn needs(&self) -> &[String] {
        let groups = self.items.iter().filter_map(|item| match item {
            Item::Words { alternatives, is_optional: false } if !alternatives.iter().any(|word| word.contains('*')) => {
                Some(alternatives.as_slice())
            }
            _ => None,
        });
        // Words tell more than marks, and few more than many.
        let is_mark = |group: &[String]| group.iter().all(|word| !word.contains(char::is_alphanumeric));
        groups.min_by_key(|group| (is_mark(group), group.len())).unwrap_or_default()
    }

    /// The first match in a sentence.
    pub(super) fn find(&self, sentence: &Sentence<'_>) -> Option<Match> {
        let mut search = Search { sentence, steps: STEPS_MAX, found: Match::default() };
        (0..sentence.words.len()).find_map(|start| {
            search.found = Match { whole: start..start, ..Match::default() };
            let end = search.step(&self.items, start)?;
            search.found.whole.end = end;
            Some(search.found.clone())
        })
    }
}

struct Search<'a> {
    sentence: &'a Sentence<'a>,
    steps: u32,
    found: Match,
}

impl Search<'_> {
    /// Matches the items from a word on, and answers where they end.
    fn step(&mut self, items: &[Item], at: usize) -> Option<usize> {
        self.steps = self.steps.checked_sub(1)?;
        let Some((item, rest)) = items.split_first() else { return Some(at) };
        match item {
            Item::Begin => self.begins(at).then(|| self.step(rest, at))?,
            Item::End => self.ends(at).then(|| self.step(rest, at))?,
            Item::Open => {
                let end = self.step(rest, at)?;
                self.found.value.start = at;
                Some(end)
            }
            Item::Close => {
                let end = self.step(rest, at)?;
                self.found.value.end = at;
                Some(end)
            }
            Item::Words { alternatives, is_optional } => {
                let word = self.sentence.spelling(at);
                let fits = !word.is_empty() && alternatives.iter().any(|alternative| is_like(alternative, word));
                if fits && let Some(end) = self.step(rest, at + 1) {
                    return Some(end);
                }
                is_optional.then(|| self.step(rest, at))?
            }
            Item::Slot(slot) => self.slot(*slot, rest, at),
        }
    }

    fn slot(&mut self, slot: Slot, rest: &[Item], at: usize) -> Option<usize> {
        let limit = match slot {
            Slot::Number => {
                let is_number = self.sentence.spelling(at).starts_with(|c: char| c.is_ascii_digit());
                return is_number.then(|| self.step(rest, at + 1))?;
            }
            Slot::Rest => {
                let end = self.clause_end(at);
                return (end > at).then(|| self.step(rest, end))?;
            }
            Slot::Any => ANY_MAX,
            Slot::Topic => TOPIC_MAX,
            Slot::Who | Slot::Tool => NAME_MAX,
        };
        // A name at the end of a pattern takes as much as it can, one in between as little as will do.
        let is_last = rest.iter().all(|item| matches!(item, Item::Close));
        let mut lengths: Vec<usize> = (1..=limit).take_while(|len| self.may_go_on(at + len - 1, slot)).collect();
        if is_last {
            lengths.reverse();
        }
        for len in lengths {
            let range = at..at + len;
            if !self.is_a(slot, &range) {
                continue;
            }
            if let Some(end) = self.step(rest, at + len) {
                if slot == Slot::Topic {
                    self.found.topic = Some(range);
                }
                return Some(end);
            }
        }
        None
    }

    fn may_go_on(&self, at: usize, slot: Slot) -> bool {
        let Some(word) = self.sentence.words.get(at) else { return false };
        match word.spelling.as_str() {
            "," | "-" | "/" | "&" | "\"" | "„" | "“" | "”" | "`" => slot == Slot::Any,
            _ => !word.is_mark() || matches!(word.spelling.as_str(), "%" | "+"),
        }
    }

    fn is_a(&self, slot: Slot, range: &Range<usize>) -> bool {
        match slot {
            Slot::Topic => names::is_topic(self.sentence, range),
            Slot::Who => names::is_who(self.sentence, range),
            Slot::Tool => names::is_tool(self.sentence, range),
            Slot::Any | Slot::Rest | Slot::Number => true,
        }
    }

    fn begins(&self, at: usize) -> bool {
        let before = |by: usize| at.checked_sub(by).map(|before| self.sentence.spelling(before));
        match before(1) {
            None => true,
            Some(word) => matches!(word, "," | ":" | ";" | "-" | "*" | "•" | "und" | "and" | ">" | "[x]"),
        }
    }

    fn ends(&self, at: usize) -> bool {
        matches!(self.sentence.spelling(at), "" | "." | "!" | ";" | "," | ")" | "-" | "(")
    }

    /// Where the clause ends that `at` is in: before its full stop, a bracket, a dash, or what gives a reason or an objection.
    fn clause_end(&self, at: usize) -> usize {
        let mut end = at;
        while let Some(word) = self.sentence.words.get(end) {
            let next = self.sentence.spelling(end + 1);
            let stops = match word.spelling.as_str() {
                "." | "!" => next.is_empty() || !next.contains(char::is_alphanumeric),
                ";" | "(" | ")" | "?" | "…" => true,
                "," => end == at || next.is_empty() || names::CLAUSE_OPENERS.contains(&next),
                "weil" | "because" | "damit" | "denn" => end > at,
                "-" => self.stands_alone(end),
                _ => false,
            };
            if stops {
                break;
            }
            end += 1;
        }
        end
    }

    /// Whether blanks surround a mark, so that it is a dash and no hyphen or option.
    fn stands_alone(&self, at: usize) -> bool {
        let Some(mark) = self.sentence.words.get(at) else { return false };
        let behind = self.sentence.text.get(mark.range.end..).unwrap_or_default();
        behind.starts_with(char::is_whitespace)
    }
}

fn is_like(pattern: &str, word: &str) -> bool {
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        (Some(beginning), _) if !beginning.is_empty() => word.starts_with(beginning),
        (_, Some(ending)) if !ending.is_empty() => word.ends_with(ending),
        _ => pattern == word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(pattern: &str, text: &str) -> Option<String> {
        let sentence = Sentence::new(text)?;
        let found = Pattern::new(pattern).find(&sentence)?;
        Some(sentence.text_of(&found.value).to_owned())
    }

    #[test]
    fn patterns_match_as_the_table_says() {
        for (pattern, text, found) in [
            ("ich mag lieber { <rest> }", "Ich mag lieber Tee, weil er wärmt.", Some("Tee")),
            ("ich mag lieber { <rest> }", "Ich mag Tee.", None),
            ("ich mag|will bitte? { <rest> }", "Heute will ich nicht, ich will bitte Tee", Some("Tee")),
            ("{ <any> bitte immer <rest> }", "Zahlen bitte immer in Tabellen!", Some("Zahlen bitte immer in Tabellen")),
            ("^ { kein|keine <any> } ,? bitte $", "Keine Witze, bitte.", Some("Keine Witze")),
            ("<topic> ist { zu <n> % fertig }", "Das CRM ist zu 90 % fertig.", Some("zu 90 % fertig")),
            ("*ablauf : { <rest> }", "Release-Ablauf: erst Tag, dann Push.", Some("erst Tag, dann Push")),
            ("^ nie { <rest> }", "Das habe ich nie gesagt.", None),
        ] {
            assert_eq!(value(pattern, text).as_deref(), found, "{pattern} – {text}");
        }
    }

    #[test]
    fn a_match_that_takes_too_long_is_given_up() {
        let text = "a ".repeat(70);
        assert_eq!(value("<any> <any> <any> <any> <any> { <any> } zzz", &text), None);
    }
}
