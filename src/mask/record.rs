//! Masking the texts of one record: line by line until nothing more is found, then the parts of the names found.

use std::collections::HashSet;
use std::ops::Range;

use super::line::Line;
use super::overlap::{Span, resolve};
use super::protect::Protected;
use super::view::View;
use super::{Finding, Kind, Masked, Masker, Masking};
use super::{address, booking, card, coordinates, credentials, email, iban, names, phone};

/// After so many readings of one line its findings grow to the barriers around them, so that it comes to rest.
const PATIENCE: usize = 6;
/// After so many, to the whole line.
const LAST_PATIENCE: usize = 12;

pub(super) fn mask(masker: &Masker, texts: &[&str]) -> Vec<Masking> {
    let mut drafts: Vec<Draft<'_>> = texts.iter().map(|raw| Draft::new(raw)).collect();
    for draft in &mut drafts {
        draft.settle(masker, 0..draft.lines.len());
    }
    let mut known = HashSet::new();
    loop {
        let parts: HashSet<String> = drafts
            .iter()
            .flat_map(Draft::name_parts)
            .filter(|part| !masker.allow.contains(part) && known.insert(part.clone()))
            .collect();
        if parts.is_empty() {
            break;
        }
        for draft in &mut drafts {
            draft.mask_parts(masker, &parts);
        }
    }
    drafts.into_iter().map(Draft::finish).collect()
}

/// A text on its way to being masked.
#[derive(Debug)]
struct Draft<'a> {
    raw: &'a str,
    lines: Vec<DraftLine>,
}

/// A line, without its break, and what is masked in it: in the input's bytes, sorted, without overlap.
#[derive(Debug)]
struct DraftLine {
    range: Range<usize>,
    masked: Vec<Span>,
}

impl<'a> Draft<'a> {
    fn new(raw: &'a str) -> Self {
        let keys = if raw.contains("-----BEGIN ") { credentials::pem::find(raw) } else { Vec::new() };
        let mut keys = keys.into_iter().peekable();
        let mut lines = Vec::new();
        let mut line = DraftLine { range: 0..0, masked: Vec::new() };
        // A private key counts as part of the line it starts on, whatever breaks are in it.
        for (at, len) in breaks(raw) {
            while let Some(key) = keys.next_if(|key| key.start < at) {
                line.masked.push(Span::new(key, Kind::Credential, "private-key"));
            }
            if line.masked.last().is_some_and(|key| at < key.range.end) {
                continue;
            }
            line.range.end = at;
            lines.push(std::mem::replace(&mut line, DraftLine { range: at + len..at + len, masked: Vec::new() }));
        }
        line.masked.extend(keys.map(|key| Span::new(key, Kind::Credential, "private-key")));
        line.range.end = raw.len();
        lines.push(line);
        Self { raw, lines }
    }

    fn settle(&mut self, masker: &Masker, lines: Range<usize>) {
        let mut announced = false;
        for line in self.lines.get_mut(lines).unwrap_or_default() {
            if announced {
                line.settle_alone(self.raw);
            }
            line.settle(self.raw, masker);
            // A blank line or a fence between a cue and its value changes nothing.
            let text = self.raw.get(line.range.clone()).unwrap_or("").trim();
            announced = announced && (text.is_empty() || text.starts_with("```"))
                || credentials::announces(line.view(self.raw).line());
        }
    }

    /// The words of the full names found so far.
    fn name_parts(&self) -> impl Iterator<Item = String> {
        let names = self
            .lines
            .iter()
            .flat_map(|line| &line.masked)
            .filter(|span| span.kind == Kind::Name && span.rule != names::PART);
        names.flat_map(|span| names::parts(self.raw.get(span.range.clone()).unwrap_or("")))
    }

    /// Masks the words in `parts` wherever they stand alone.
    fn mask_parts(&mut self, masker: &Masker, parts: &HashSet<String>) {
        for line in &mut self.lines {
            let view = line.view(self.raw);
            let text = view.line();
            let mut spans = Vec::new();
            names::find_parts(text, parts, &mut spans);
            if spans.is_empty() {
                continue;
            }
            let spans = resolve(text, spans, &Protected::find(text));
            let found: Vec<Span> =
                spans.into_iter().filter_map(|span| Some(Span { range: view.raw(&span.range)?, ..span })).collect();
            if !found.is_empty() {
                line.add(found);
                line.settle(self.raw, masker);
            }
        }
    }

    fn finish(self) -> Masking {
        let mut text = String::with_capacity(self.raw.len());
        let mut findings = Vec::new();
        let mut at = 0;
        for span in self.lines.into_iter().flat_map(|line| line.masked) {
            text.push_str(self.raw.get(at..span.range.start).unwrap_or(""));
            text.push_str(span.kind.placeholder());
            at = span.range.end;
            findings.push(Finding { kind: span.kind, rule: span.rule, bytes: span.range });
        }
        text.push_str(self.raw.get(at..).unwrap_or(""));
        Masking { text: Masked::trusted(text), findings }
    }
}

impl DraftLine {
    fn view<'a>(&self, raw: &'a str) -> View<'a> {
        View::new(raw, self.range.clone(), self.masked.iter().map(|span| span.range.clone()))
    }

    /// Masks the secret that the line before announced, if the line is nothing else.
    fn settle_alone(&mut self, raw: &str) {
        let view = self.view(raw);
        let alone = credentials::alone(view.line());
        let alone = alone.and_then(|span| Some(Span { range: view.raw(&span.range)?, ..span }));
        self.add(alone.into_iter().collect());
    }

    /// Reads the line until there is nothing more to mask.
    fn settle(&mut self, raw: &str, masker: &Masker) {
        for reading in 0.. {
            let view = self.view(raw);
            let line = view.line();
            let found = scan(line, masker);
            if found.is_empty() {
                return;
            }
            let found = found.into_iter().map(|span| match reading {
                0..PATIENCE => span,
                PATIENCE..LAST_PATIENCE => Span { range: between_barriers(line, &span.range), ..span },
                _ => Span { range: 0..line.len(), ..span },
            });
            let mut found: Vec<Span> =
                found.filter_map(|span| Some(Span { range: view.raw(&span.range)?, ..span })).collect();
            if reading >= PATIENCE {
                found.dedup_by(|next, last| next.range.start < last.range.end);
            }
            if reading >= LAST_PATIENCE {
                self.masked.clear();
            }
            self.add(found);
        }
    }

    fn add(&mut self, found: Vec<Span>) {
        self.masked.extend(found);
        self.masked.sort_by_key(|span| span.range.start);
    }
}

/// What is to be masked in a line, in order and without overlap.
fn scan(line: Line<'_>, masker: &Masker) -> Vec<Span> {
    let mut spans = Vec::new();
    // A line without a single letter or figure holds nothing.
    if line.len() < 3 {
        return spans;
    }
    let digits = line.text().bytes().any(|b| b.is_ascii_digit());
    email::find(line, &mut spans);
    credentials::find(line, &mut spans);
    if digits {
        phone::find(line, &mut spans);
        iban::find(line, &mut spans);
        card::find(line, &mut spans);
        coordinates::find(line, &mut spans);
        booking::find(line, &mut spans);
        address::find(line, &mut spans);
    }
    names::find(line, masker.model, &mut spans);
    if spans.is_empty() {
        return spans;
    }
    if !masker.allow.is_empty() {
        spans = names::allowed(line, spans, &masker.allow);
    }
    resolve(line, spans, &Protected::find(line))
}

/// The stretch between the barriers around `range`.
fn between_barriers(line: Line<'_>, range: &Range<usize>) -> Range<usize> {
    let barrier = super::line::BARRIER;
    let start = line.to(range.start).rfind(barrier).map_or(0, |at| at + barrier.len_utf8());
    let end = line.from(range.end).find(barrier).map_or(line.len(), |at| range.end + at);
    start..end
}

/// Where lines break, and how many bytes the break has.
fn breaks(raw: &str) -> impl Iterator<Item = (usize, usize)> {
    let found = raw.match_indices(['\n', '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}']);
    found.map(|(at, text)| (at, text.len()))
}
