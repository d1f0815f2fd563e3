//! The masker on notes as an assistant's memory holds them: what it finds, and what it leaves alone.
//!
//! In `notes.txt` each finding that is wanted stands in braces, after a letter for its kind; nothing else may be found there, nor
//! anything at all in `harmless.txt` (counted) and `traps.txt` (not one).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may stop")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use hermes_mem::mask::{Kind, Masker};

const NOTES: &str = include_str!("notes.txt");
const HARMLESS: &str = include_str!("harmless.txt");
const MIXED: &str = include_str!("mixed.txt");
const TRAPS: &str = include_str!("traps.txt");

/// What each kind must reach, precision and recall.
const AIMS: [(Kind, f64, f64); 7] = [
    (Kind::Phone, 0.98, 0.98),
    (Kind::Address, 0.97, 0.92),
    (Kind::Name, 0.97, 0.95),
    (Kind::Email, 0.99, 0.99),
    (Kind::Iban, 1.0, 1.0),
    (Kind::Card, 0.99, 0.97),
    (Kind::Booking, 0.97, 0.95),
];

/// The same for the mixed notes, which were written before the rules for their kinds.
const MIXED_AIMS: [(Kind, f64, f64); 9] = [
    (Kind::Phone, 0.98, 0.95),
    (Kind::Address, 0.97, 0.92),
    (Kind::Name, 0.88, 0.90),
    (Kind::Email, 1.0, 1.0),
    (Kind::Iban, 1.0, 1.0),
    (Kind::Card, 1.0, 1.0),
    (Kind::Booking, 1.0, 1.0),
    (Kind::Coordinates, 1.0, 1.0),
    (Kind::Credential, 0.97, 0.90),
];

type Wanted = Vec<(Kind, Range<usize>)>;

/// A line without its braces, and what they held.
fn read(line: &str) -> (String, Wanted) {
    let mut text = String::new();
    let mut wanted = Vec::new();
    for (i, part) in line.split('{').enumerate() {
        if i == 0 {
            text.push_str(part);
            continue;
        }
        let (value, rest) = part.split_once('}').unwrap();
        let (letter, value) = value.split_once('|').unwrap();
        let kind = match letter {
            "N" => Kind::Name,
            "P" => Kind::Phone,
            "E" => Kind::Email,
            "A" => Kind::Address,
            "I" => Kind::Iban,
            "C" => Kind::Card,
            "B" => Kind::Booking,
            "G" => Kind::Coordinates,
            "K" => Kind::Credential,
            _ => panic!("no kind has the letter {letter}"),
        };
        wanted.push((kind, text.len()..text.len() + value.len()));
        text.push_str(value);
        text.push_str(rest);
    }
    (text, wanted)
}

#[derive(Default)]
struct Counts {
    wanted: f64,
    hit: f64,
    found: f64,
    right: f64,
}

#[test]
fn notes_are_masked_and_harmless_lines_stay() {
    println!("{}", judge(NOTES.lines().chain(HARMLESS.lines()), &AIMS));
}

#[test]
fn mixed_notes_of_several_countries_are_masked() {
    println!("{}", judge(MIXED.lines(), &MIXED_AIMS));
}

/// Compares what is found in the lines with what is wanted, and says how far it agrees.
fn judge<'a>(lines: impl Iterator<Item = &'a str>, aims: &[(Kind, f64, f64)]) -> String {
    let masker = Masker::default();
    let overlap = |a: &Range<usize>, b: &Range<usize>| a.end.min(b.end).saturating_sub(a.start.max(b.start));
    let mut counts: BTreeMap<Kind, Counts> = BTreeMap::new();
    let mut report = String::new();
    for (text, wanted) in lines.map(read) {
        let findings = masker.mask(&text).findings;
        for (kind, range) in &wanted {
            let hit = findings.iter().any(|f| f.kind == *kind && overlap(&f.bytes, range) * 2 >= range.len());
            let counts = counts.entry(*kind).or_default();
            counts.wanted += 1.0;
            counts.hit += f64::from(u8::from(hit));
            if !hit {
                writeln!(report, "missed {kind:?} {:?} in {text:?}", &text[range.clone()]).unwrap();
            }
        }
        for finding in &findings {
            let right = wanted.iter().any(|(kind, range)| *kind == finding.kind && overlap(&finding.bytes, range) > 0);
            let counts = counts.entry(finding.kind).or_default();
            counts.found += 1.0;
            counts.right += f64::from(u8::from(right));
            if !right {
                let value = &text[finding.bytes.clone()];
                writeln!(report, "wrong {:?} {value:?} by {} in {text:?}", finding.kind, finding.rule).unwrap();
            }
        }
    }
    let mut short = false;
    for (kind, precision, recall) in aims.iter().copied() {
        let counts = &counts[&kind];
        let (p, r) = (counts.right / counts.found, counts.hit / counts.wanted);
        short |= p < precision || r < recall;
        writeln!(
            report,
            "{kind:?}: {} wanted, {} found, P {p:.3} (aim {precision}), R {r:.3} (aim {recall})",
            counts.wanted, counts.found
        )
        .unwrap();
    }
    let others: Vec<_> = counts.keys().filter(|kind| !aims.iter().any(|(aim, ..)| aim == *kind)).collect();
    assert!(!short && others.is_empty(), "{others:?}\n{report}");
    report
}

#[test]
fn project_sentences_are_not_touched() {
    let masker = Masker::default();
    let touched: Vec<_> = TRAPS.lines().filter(|line| !masker.mask(line).findings.is_empty()).collect();
    assert!(touched.is_empty(), "{touched:#?}");
}

#[test]
fn the_sets_are_large_enough_to_say_something() {
    assert!(NOTES.lines().count() >= 200 && HARMLESS.lines().count() >= 200 && TRAPS.lines().count() >= 100);
}
