//! The outcome of `extract`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::count;
use crate::app::extract::{Extracted, Found};
use crate::cli::sanitize;
use crate::cli::table::{Cell, KeyValues, Tone};
use crate::cli::ui::Ui;
use crate::mask::Masked;

/// What was found, and what became of it.
pub(crate) fn extracted(extracted: &Extracted, min: f64, applied: bool, ui: &mut Ui) {
    if ui.json() {
        ui.document(document(extracted, min, applied));
        return;
    }
    let sure = extracted.found.iter().filter(|one| one.confidence >= min).count();
    for one in &extracted.found {
        let text = page(one, min, applied).render(ui.screen());
        ui.text(&text);
    }
    for warning in extracted.warnings.iter().take(20) {
        ui.warning(&sanitize::line(warning));
    }
    if extracted.warnings.len() > 20 {
        ui.warning(&format!("and {} more", extracted.warnings.len() - 20));
    }
    let below = extracted.found.len() - sure;
    let left = if below > 0 { format!(", {below} below {min}") } else { String::new() };
    if applied {
        let counts: Vec<String> = counts(extracted).iter().map(|(word, number)| format!("{number} {word}")).collect();
        let tally = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        ui.line(&format!("{} kept{tally}{left}", count(kept(extracted), "block", "blocks")));
    } else {
        ui.line(&format!("would keep {}{left}; nothing was changed", count(sure, "block", "blocks")));
        if sure > 0 {
            ui.hint("keep them with --apply");
        }
    }
}

fn kept(extracted: &Extracted) -> usize {
    extracted.found.iter().filter(|one| one.kept.is_some()).count()
}

fn counts(extracted: &Extracted) -> BTreeMap<&str, u64> {
    let mut counts = BTreeMap::new();
    for one in extracted.found.iter().filter_map(|one| one.kept.as_ref()) {
        *counts.entry(one.outcome.as_str()).or_insert(0) += 1;
        if one.review_id.is_some() {
            *counts.entry("to review").or_insert(0) += 1;
        }
    }
    counts
}

fn names(entities: &[Masked]) -> String {
    entities.iter().map(Masked::as_str).collect::<Vec<_>>().join(", ")
}

fn page(one: &Found, min: f64, applied: bool) -> KeyValues {
    let is_sure = one.confidence >= min;
    let mut page = KeyValues::new();
    let place = match (one.turn, one.line) {
        (Some(turn), _) => format!("turn {turn}"),
        (None, Some(line)) => format!("line {line}"),
        (None, None) => String::new(),
    };
    page.section(format!("{place}: {}", sanitize::line(one.sentence.as_str())));
    let about = if one.entities.is_empty() { String::new() } else { format!(" ({})", names(&one.entities)) };
    let says = Cell::new(format!("{}: {}{about}", one.key, one.value));
    page.pair("block", says.tone(if is_sure { Tone::Strong } else { Tone::Dim }));
    page.pair("kind", format!("{} / {}", one.subject.block_type(), one.category));
    let doubts: Vec<&str> = one.doubts.iter().map(|doubt| doubt.word()).collect();
    let but = if doubts.is_empty() { String::new() } else { format!(", {}", doubts.join(", ")) };
    let sure = Cell::new(format!("{} by {}{but}", one.confidence, one.rule));
    page.pair("sure", sure.tone(if is_sure { Tone::Good } else { Tone::Warn }));
    match &one.kept {
        Some(kept) => {
            page.pair("kept", format!("{} ({})", kept.id, kept.outcome));
            page.pair("review", kept.review_id.clone().unwrap_or_default());
        }
        None if applied && is_sure => {
            page.pair("kept", "no: the text says something newer about it");
        }
        None => {}
    }
    page
}

fn document(extracted: &Extracted, min: f64, applied: bool) -> Value {
    let candidates: Vec<Value> = extracted
        .found
        .iter()
        .map(|one| {
            let mut fields = json!({
                "type": one.subject.block_type().word(),
                "category": one.category.word(),
                "key": one.key,
                "value": one.value,
                "entities": one.entities,
                "sentence": one.sentence,
                "rule": one.rule,
                "confidence": one.confidence,
                "doubts": one.doubts.iter().map(|doubt| doubt.word()).collect::<Vec<_>>(),
                "turn": one.turn,
                "line": one.line,
                "is_sure": one.confidence >= min,
            });
            if let (Some(fields), Some(kept)) = (fields.as_object_mut(), &one.kept) {
                fields.insert("id".to_owned(), json!(kept.id));
                fields.insert("outcome".to_owned(), json!(kept.outcome));
                fields.insert("review_id".to_owned(), json!(kept.review_id));
            }
            fields
        })
        .collect();
    let mut document = Map::new();
    document.insert("session_id".to_owned(), json!(extracted.session));
    document.insert("candidates".to_owned(), Value::Array(candidates));
    document.insert("min_confidence".to_owned(), json!(min));
    document.insert("applied".to_owned(), json!(applied));
    document.insert("counts".to_owned(), json!(counts(extracted)));
    document.insert("reviews_refused".to_owned(), json!(extracted.reviews_refused));
    document.insert("masked".to_owned(), json!(extracted.masked));
    document.insert("warnings".to_owned(), json!(extracted.warnings));
    Value::Object(document)
}
