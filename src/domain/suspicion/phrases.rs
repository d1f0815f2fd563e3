//! Instructions to a model, as rows of words with little between them.

use super::view::View;
use super::words::class::{
    ALL, APPROVE, APPROVED, AS, COMMAND, DENIED, DROP, DROPPED, EARLIER, EVERYTHING, FOLLOW, FOLLOWING, HIDE, INTO,
    LEAD, LIMITS, MARK, MARKED, NEW, NOT, NOTHING, ORDERS, PEOPLE, PROPOSAL, REVEAL, RUN, SECRET, SEND, TELL, TELLING,
    THIS, VAULT, VERIFIED, WITHOUT, WRITE, WRITTEN, YOUR,
};
use super::words::{PHRASES, STATES, WORDS};
use super::{MAX_FINDINGS, Suspicion};

/// How many words before a demand are read for what denies it.
const DENIAL_REACH: usize = 6;
/// The longest word of [`WORDS`], in bytes.
const LONGEST_WORD: usize = 24;

/// A row of words that makes an instruction.
struct Rule {
    name: &'static str,
    /// Whether the first word must open a sentence, or follow a word such as "please" or "und".
    needs_imperative: bool,
    /// Whether "never", "nur" and the like shortly before make a statement of it.
    yields_to_denial: bool,
    /// Classes of the words, and how many places behind the one before each may stand.
    steps: &'static [(u64, usize)],
}

#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule { name: "ignore-instructions", needs_imperative: false, yields_to_denial: false, steps: &[(DROP, 0), (EARLIER, 4), (ORDERS, 4)] },
    Rule { name: "ignore-instructions", needs_imperative: true, yields_to_denial: false, steps: &[(DROP, 0), (EARLIER, 4), (LIMITS, 4)] },
    Rule { name: "ignore-instructions", needs_imperative: false, yields_to_denial: false, steps: &[(DROP, 0), (ALL, 3), (ORDERS, 4)] },
    Rule { name: "ignore-instructions", needs_imperative: true, yields_to_denial: false, steps: &[(DROP, 0), (ORDERS, 2), (EARLIER, 3)] },
    Rule { name: "ignore-instructions", needs_imperative: true, yields_to_denial: false, steps: &[(DROP, 0), (EVERYTHING, 2), (EARLIER, 4)] },
    Rule { name: "ignore-instructions", needs_imperative: false, yields_to_denial: true, steps: &[(EARLIER, 0), (ORDERS | LIMITS, 3), (DROPPED, 5)] },
    Rule { name: "ignore-instructions", needs_imperative: true, yields_to_denial: false, steps: &[(DROPPED, 0), (ALL | EARLIER, 3), (ORDERS, 4)] },
    Rule { name: "ignore-instructions", needs_imperative: true, yields_to_denial: false, steps: &[(NOT, 0), (FOLLOW, 1), (EARLIER | ALL, 2), (ORDERS, 3)] },
    Rule { name: "ignore-instructions", needs_imperative: true, yields_to_denial: false, steps: &[(FOLLOW, 0), (EARLIER, 2), (ORDERS, 3), (NOT, 2)] },
    Rule { name: "force-approval", needs_imperative: true, yields_to_denial: false, steps: &[(APPROVE, 0), (EVERYTHING, 1)] },
    Rule { name: "hide-from-people", needs_imperative: true, yields_to_denial: false, steps: &[(NOT, 0), (TELL, 2), (PEOPLE, 4)] },
    Rule { name: "hide-from-people", needs_imperative: true, yields_to_denial: false, steps: &[(TELL, 0), (PEOPLE, 3), (NOTHING, 6)] },
    Rule { name: "hide-from-people", needs_imperative: true, yields_to_denial: false, steps: &[(TELL, 0), (NOTHING, 4)] },
    Rule { name: "hide-from-people", needs_imperative: true, yields_to_denial: false, steps: &[(HIDE, 0), (PEOPLE, 6)] },
    Rule { name: "hide-from-people", needs_imperative: false, yields_to_denial: true, steps: &[(WITHOUT, 0), (TELLING, 2), (PEOPLE, 3)] },
    Rule { name: "hide-from-people", needs_imperative: false, yields_to_denial: true, steps: &[(WITHOUT, 0), (PEOPLE, 3), (TELLING, 3)] },
    Rule { name: "force-approval", needs_imperative: true, yields_to_denial: false, steps: &[(APPROVE, 0), (THIS | ALL, 2), (PROPOSAL, 3)] },
    Rule { name: "force-approval", needs_imperative: false, yields_to_denial: true, steps: &[(APPROVE, 0), (THIS, 1), (PROPOSAL, 2)] },
    Rule { name: "force-approval", needs_imperative: false, yields_to_denial: true, steps: &[(THIS, 0), (PROPOSAL, 2), (APPROVED, 3)] },
    Rule { name: "force-approval", needs_imperative: true, yields_to_denial: false, steps: &[(DROP, 0), (PROPOSAL, 3)] },
    Rule { name: "force-verified", needs_imperative: false, yields_to_denial: true, steps: &[(MARK, 0), (AS, 5), (VERIFIED, 2)] },
    Rule { name: "force-verified", needs_imperative: false, yields_to_denial: true, steps: &[(AS, 0), (VERIFIED, 1), (MARKED, 1)] },
    Rule { name: "write-to-vault", needs_imperative: true, yields_to_denial: true, steps: &[(WRITE, 0), (INTO, 8), (VAULT, 3)] },
    Rule { name: "write-to-vault", needs_imperative: false, yields_to_denial: true, steps: &[(INTO, 0), (VAULT, 2), (WRITTEN, 2)] },
    Rule { name: "run-command", needs_imperative: false, yields_to_denial: true, steps: &[(RUN, 0), (FOLLOWING, 2), (COMMAND, 3)] },
    Rule { name: "reveal-prompt", needs_imperative: false, yields_to_denial: true, steps: &[(REVEAL, 0), (YOUR, 3), (ORDERS, 4)] },
    Rule { name: "send-secrets", needs_imperative: true, yields_to_denial: true, steps: &[(SEND, 0), (SECRET, 5)] },
    Rule { name: "new-instructions", needs_imperative: true, yields_to_denial: false, steps: &[(YOUR, 0), (NEW, 1), (ORDERS, 2)] },
];

/// The instructions in a text.
pub(super) fn find(view: &View) -> Vec<Suspicion> {
    let classes: Vec<u64> = (0..view.len()).map(|at| classes_of(view.word(at))).collect();
    let mut found = Vec::new();
    for at in 0..view.len() {
        if found.len() > MAX_FINDINGS {
            break;
        }
        let first = classes.get(at).copied().unwrap_or_default();
        let rules = RULES.iter().filter(|rule| rule.steps.first().is_some_and(|(class, _)| first & class != 0));
        found.extend(rules.filter_map(|rule| {
            let last = end_of_rule(rule, &classes, at)?;
            let holds = (!rule.needs_imperative || is_imperative(view, &classes, at))
                && !(rule.yields_to_denial && is_denied(view, &classes, at));
            holds.then(|| Suspicion { name: rule.name, range: view.range(at, last) })
        }));
        found.extend(phrase(view, at));
    }
    found
}

/// The length of the longest word of the list with which a run of letters begins.
pub(super) fn known_word_at_start(run: &str) -> Option<usize> {
    let is_known = |length: &usize| run.get(..*length).is_some_and(|word| classes_of(word) != 0);
    (2..=LONGEST_WORD.min(run.len())).rev().find(is_known)
}

fn classes_of(word: &str) -> u64 {
    let place = WORDS.binary_search_by(|(known, _)| (*known).cmp(word)).ok();
    place.and_then(|place| WORDS.get(place)).map_or(0, |(_, classes)| *classes)
}

/// The place of the rule's last word, where its words follow from here.
fn end_of_rule(rule: &Rule, classes: &[u64], at: usize) -> Option<usize> {
    rule.steps.iter().skip(1).try_fold(at, |last, (class, reach)| {
        (last + 1..=last + reach).find(|next| classes.get(*next).is_some_and(|classes| classes & class != 0))
    })
}

fn is_imperative(view: &View, classes: &[u64], at: usize) -> bool {
    let is_lead = |before: usize| classes.get(before).is_some_and(|classes| classes & LEAD != 0);
    let is_do = |before: &usize| view.word(*before) == "do";
    let Some(before) = at.checked_sub(1).filter(|_| !view.opens(at)) else { return true };
    // "do not": what stands before the "do" counts.
    let before = match before.checked_sub(1) {
        Some(lead) if is_do(&before) && !view.opens(before) => lead,
        _ if is_do(&before) => return true,
        _ => before,
    };
    is_lead(before)
}

fn is_denied(view: &View, classes: &[u64], at: usize) -> bool {
    let mut place = at;
    for _ in 0..DENIAL_REACH {
        if view.opens(place) || place == 0 {
            return false;
        }
        place -= 1;
        if classes.get(place).is_some_and(|classes| classes & DENIED != 0) {
            return true;
        }
    }
    false
}

/// The phrase that begins here.
fn phrase(view: &View, at: usize) -> Option<Suspicion> {
    let word = view.word(at);
    let from = PHRASES.partition_point(|(phrase, _)| first_word(phrase) < word);
    let mut same = PHRASES.get(from..)?.iter().take_while(|(phrase, _)| first_word(phrase) == word);
    same.find_map(|(phrase, name)| {
        let mut last = at;
        for (offset, word) in phrase.split(' ').enumerate() {
            last = at + offset;
            if view.word(last) != word {
                return None;
            }
        }
        let is_state = phrase.ends_with(" now") | phrase.ends_with(" jetzt") | phrase.ends_with(" nun");
        let is_plain = is_state && STATES.contains(&view.word(last + 1));
        (!is_plain).then(|| Suspicion { name, range: view.range(at, last) })
    })
}

fn first_word(phrase: &str) -> &str {
    phrase.split_once(' ').map_or(phrase, |(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(WORDS.is_sorted_by(|(a, _), (b, _)| a < b));
        assert!(
            WORDS.iter().all(|(word, _)| word.len() <= LONGEST_WORD && word.bytes().all(|b| b.is_ascii_lowercase()))
        );
        assert!(PHRASES.is_sorted_by_key(|(phrase, _)| (first_word(phrase), *phrase)));
    }
}
