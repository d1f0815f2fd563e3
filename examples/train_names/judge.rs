//! Precision and recall of names as the acceptance counts them: recall over full names (two words or more), precision over every
//! finding against every name.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use hermes_mem::mask::{Kind, Masker};

use crate::sets::Row;

/// The names found in a text, in its bytes.
pub(crate) struct Found(Vec<(Range<usize>, &'static str)>);

impl Found {
    pub(crate) fn masked(masker: &Masker, text: &str) -> Self {
        let findings = masker.mask(text).findings;
        Self(findings.into_iter().filter(|f| f.kind == Kind::Name).map(|f| (f.bytes, f.rule)).collect())
    }

    /// By line; only full names.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a str>, names: impl Fn(&'a str) -> Vec<Range<usize>>) -> Self {
        let mut at = 0;
        let mut found = Vec::new();
        for line in lines {
            let full = names(line).into_iter().filter(|name| line[name.clone()].split_whitespace().count() > 1);
            found.extend(full.map(|name| (name.start + at..name.end + at, "model")));
            at += line.len() + 1;
        }
        Self(found)
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    gold: u32,
    hit: u32,
    found: u32,
    right: u32,
}

/// Counts by what was used and by set.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<(&'static str, &'static str), Counts>);

impl Tally {
    pub(crate) fn add(&mut self, row: &Row, with: &'static str, found: &Found) {
        let overlap = |a: &Range<usize>, b: &Range<usize>| a.end.min(b.end).saturating_sub(a.start.max(b.start));
        let pooled = matches!(row.set, "germeval14_dev" | "ler_all").then_some("germeval14_dev + ler_all");
        for set in [Some(row.set), pooled].into_iter().flatten() {
            let counts = self.0.entry((with, set)).or_default();
            for name in row.names.iter().filter(|name| row.text[(*name).clone()].split_whitespace().count() > 1) {
                counts.gold += 1;
                counts.hit += u32::from(found.0.iter().any(|(f, _)| overlap(f, name) * 2 >= name.len()));
            }
            for (finding, _) in &found.0 {
                counts.found += 1;
                counts.right += u32::from(row.names.iter().any(|name| overlap(finding, name) > 0));
            }
        }
        for (finding, rule) in &found.0 {
            let counts = self.0.entry((with, rule)).or_default();
            counts.found += 1;
            counts.right += u32::from(row.names.iter().any(|name| overlap(finding, name) > 0));
        }
    }

    pub(crate) fn join(&mut self, other: Self) {
        for (key, counts) in other.0 {
            let sum = self.0.entry(key).or_default();
            sum.gold += counts.gold;
            sum.hit += counts.hit;
            sum.found += counts.found;
            sum.right += counts.right;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((with, set), counts) in &self.0 {
            let share = |part: u32, whole: u32| if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) };
            let (p, r) = (share(counts.right, counts.found), share(counts.hit, counts.gold));
            let f1 = if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 };
            writeln!(
                f,
                "{with:16} {set:26} gold {:5} found {:5}  P {p:.3}  R {r:.3}  F1 {f1:.3}",
                counts.gold, counts.found
            )?;
        }
        Ok(())
    }
}
