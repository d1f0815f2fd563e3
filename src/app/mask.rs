//! What masking a text answers, for front ends.

use serde_json::{Value, json};

use crate::mask::{Masking, char_ranges};

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
