//! Masking as a filter. It needs no tree.

use serde_json::{Value, json};

use crate::mask::{Masker, Masking, char_ranges};

/// The outcome of masking a text, with offsets in characters of the input.
pub fn to_json(raw: &str, masking: &Masking) -> Value {
    let ranges = char_ranges(raw, &masking.findings);
    let findings: Vec<Value> = masking
        .findings
        .iter()
        .zip(ranges)
        .map(|(finding, range)| {
            json!({"kind": finding.kind.name(), "rule": finding.rule, "start": range.start, "end": range.end})
        })
        .collect();
    json!({"text": masking.text.as_str(), "findings": findings})
}

/// Masks one text.
pub fn mask(masker: &Masker, raw: &str) -> Masking {
    masker.mask(raw)
}
