//! Which of several overlapping spans are masked.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Kind;
use super::line::{BARRIER, Line};
use super::protect::Protected;

/// A place a detector wants masked, in the view's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    pub(super) rule: &'static str,
}

impl Span {
    pub(super) fn new(range: Range<usize>, kind: Kind, rule: &'static str) -> Self {
        Self { range, kind, rule }
    }
}

/// The spans that win, in order and without overlap: credentials first, then the longer one, then the earlier one.
///
/// What is left of a loser isn't looked at here: the line is read again with the winners as barriers.
pub(super) fn resolve(line: Line<'_>, mut spans: Vec<Span>, protected: &Protected) -> Vec<Span> {
    spans.retain(|span| {
        let text = line.slice(span.range.clone());
        text.chars().any(char::is_alphanumeric) && !text.contains(BARRIER) && !protected.forbids(span)
    });
    spans.sort_by_key(|span| (span.kind != Kind::Credential, usize::MAX - span.range.len(), span.range.start));
    let mut winners: BTreeMap<usize, Span> = BTreeMap::new();
    for span in spans {
        let before = winners.range(..span.range.end).next_back();
        if before.is_none_or(|(_, other)| other.range.end <= span.range.start) {
            winners.insert(span.range.start, span);
        }
    }
    winners.into_values().collect()
}
