//! What a full name does beyond itself: its parts mask themselves elsewhere in the record, and allowed names are taken out.

use std::collections::HashSet;
use std::ops::Range;

use super::super::Kind;
use super::super::line::{BARRIER, Line, is_word};
use super::super::overlap::Span;
use super::cues::{self, is_in};
use super::lists::{self, Flags};

/// The rule of a bare part of a name that the record shows in full elsewhere.
pub(in crate::mask) const PART: &str = "name-part";

/// The words of a full name that mask themselves elsewhere in the record: those with a capital, without titles.
pub(in crate::mask) fn parts(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !(c.is_alphabetic() || matches!(c, '-' | '\'' | '’')));
    words.filter(|word| is_part(word)).map(str::to_owned).collect()
}

fn is_part(word: &str) -> bool {
    let lower = word.to_lowercase();
    let flags = lists::flags(&lower);
    word.chars().count() > 1
        && word.starts_with(char::is_uppercase)
        && !is_in(cues::TITLES, word)
        && !is_in(cues::OPENERS, word)
        && !is_in(cues::HONORIFICS, word)
        && !is_in(cues::MONTHS, word)
        && flags.any(Flags::FIRST | Flags::LAST)
        && (!flags.any(Flags::WORD | Flags::TOWN) || flags.any(Flags::NEAR_LAST))
}

/// Finds the words in `parts`, standing alone or in the genitive.
pub(in crate::mask) fn find_parts(line: Line<'_>, parts: &HashSet<String>, out: &mut Vec<Span>) {
    let mut at = 0;
    while at < line.len() {
        let start = at + line.from(at).find(is_word).unwrap_or(line.len() - at);
        let end = line.run_chars(start, |c| is_word(c) || matches!(c, '-' | '\'' | '’'));
        if end == start {
            break;
        }
        let word = line.slice(start..end).trim_end_matches(['-', '\'', '’']);
        let stem = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
        if parts.contains(stem) || stem.strip_suffix('s').is_some_and(|stem| parts.contains(stem)) {
            out.push(Span::new(start..start + stem.len(), Kind::Name, PART));
        }
        at = end;
    }
}

/// Takes the allowed names out of the findings: a finding of another kind goes when it lies within one, a name loses the
/// allowed words and goes when what is left is no listed name.
pub(in crate::mask) fn allowed(line: Line<'_>, spans: Vec<Span>, allow: &HashSet<String>) -> Vec<Span> {
    let mut places: Vec<Range<usize>> = Vec::new();
    for name in allow {
        for (at, text) in line.text().match_indices(name.as_str()) {
            let end = at + text.len();
            if line.starts_word(at) && line.ends_word(end) {
                places.push(at..end);
            }
        }
    }
    places.sort_by_key(|place| place.start);
    if places.is_empty() {
        return spans;
    }
    let mut kept = Vec::new();
    for span in spans {
        let touching = places.iter().filter(|place| place.start < span.range.end && span.range.start < place.end);
        match span.kind {
            Kind::Credential => kept.push(span),
            Kind::Name => {
                let mut rest = vec![span.range.clone()];
                let mut touched = false;
                for place in touching {
                    touched = true;
                    rest = rest
                        .into_iter()
                        .flat_map(|r| {
                            [r.start..place.start.clamp(r.start, r.end), place.end.clamp(r.start, r.end)..r.end]
                        })
                        .collect();
                }
                if !touched {
                    kept.push(span);
                    continue;
                }
                for range in rest {
                    let text = line.slice(range.clone());
                    let word = text.trim_matches(|c: char| !c.is_alphanumeric());
                    let start = range.start + text.find(word).unwrap_or(0);
                    if !word.is_empty()
                        && !word.contains(BARRIER)
                        && lists::flags(&word.to_lowercase()).any(Flags::LAST)
                    {
                        kept.push(Span { range: start..start + word.len(), ..span.clone() });
                    }
                }
            }
            _ => {
                if !touching.clone().any(|place| place.start <= span.range.start && span.range.end <= place.end) {
                    kept.push(span);
                }
            }
        }
    }
    kept
}
