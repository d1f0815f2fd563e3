//! Outcomes of `vault`, and what a review shows of the vault. Passages are masked: agents read this, too.

use serde_json::{Value, json};

use super::count;
use crate::app::Context;
use crate::cli::sanitize;
use crate::cli::table::{Cell, Column, KeyValues, Table, Tone};
use crate::cli::ui::Ui;
use crate::vault::{Check, PageInfo, Passage, Verdict};

/// What the vault says about a fact.
pub(crate) fn check(check: &Check, ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        let mut document = to_json(check, ctx);
        if let Some(fields) = document.as_object_mut() {
            fields.insert("warnings".to_owned(), json!(check.warnings));
        }
        ui.document(document);
        return;
    }
    let mut page = KeyValues::new();
    section(&mut page, check, ctx);
    if check.verdict == Verdict::NoVault {
        page.text("no_vault: there is no vault to look in");
    }
    let text = page.render(ui.screen());
    ui.text(&text);
    warn(&check.warnings, ui);
}

/// A check as JSON: the verdict, its evidence, and up to three passages.
pub(super) fn to_json(check: &Check, ctx: &Context) -> Value {
    let passages: Vec<Value> = check.passages.iter().map(|passage| passage_json(passage, ctx)).collect();
    let mut document = json!({"verdict": check.verdict, "guard": check.guard});
    if let Some(fields) = document.as_object_mut() {
        let evidence = passages.first().and_then(Value::as_object);
        for key in ["page", "line", "sentence", "score"] {
            fields.insert(key.to_owned(), evidence.and_then(|evidence| evidence.get(key)).cloned().unwrap_or_default());
        }
        fields.insert("passages".to_owned(), Value::Array(passages));
    }
    document
}

fn passage_json(passage: &Passage, ctx: &Context) -> Value {
    json!({
        "page": ctx.masker().mask(&passage.page).text,
        "line": passage.line,
        "sentence": ctx.masker().mask(&passage.sentence).text,
        "score": (passage.score * 1000.0).round() / 1000.0,
    })
}

/// A check as a section of a page; nothing where there is no vault.
pub(super) fn section(page: &mut KeyValues, check: &Check, ctx: &Context) {
    let (title, tone) = match check.verdict {
        Verdict::NoVault => return,
        Verdict::Identical => ("identical: the vault says the same", Tone::Good),
        Verdict::Contradicts => ("contradicts: the vault says otherwise", Tone::Bad),
        Verdict::Similar => ("similar: the nearest in the vault", Tone::Plain),
        Verdict::Absent => ("absent: the vault says nothing about it", Tone::Dim),
    };
    page.section(title);
    if check.passages.is_empty() {
        page.text(Cell::new("no passage is near").tone(Tone::Dim));
    }
    let is_verdict = matches!(check.verdict, Verdict::Identical | Verdict::Contradicts);
    for (nth, passage) in check.passages.iter().enumerate() {
        let sentence = ctx.masker().mask(&passage.sentence).text;
        let label = ctx.masker().mask(&format!("{}:{}", passage.page, passage.line)).text;
        let is_evidence = nth == 0 && is_verdict;
        let mark = if is_evidence { "▶ " } else { "" };
        page.text(Cell::new(label.as_str()).tone(Tone::Dim));
        page.text(Cell::new(format!("  {mark}{sentence}")).tone(if is_evidence { tone } else { Tone::Plain }));
    }
}

/// Passages that were found.
pub(crate) fn passages(found: &[Passage], ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        let passages: Vec<Value> = found.iter().map(|passage| passage_json(passage, ctx)).collect();
        ui.document(json!({"passages": passages}));
        return;
    }
    if found.is_empty() {
        ui.status("no passage is near");
    }
    let mut page = KeyValues::new();
    for passage in found {
        let label = ctx.masker().mask(&format!("{}:{}", passage.page, passage.line)).text;
        page.pair(label.as_str(), ctx.masker().mask(&passage.sentence).text.as_str());
    }
    let text = page.render(ui.screen());
    ui.text(&text);
}

/// The pages that are read.
pub(crate) fn pages(pages: &[PageInfo], warnings: &[String], ctx: &Context, ui: &mut Ui) {
    let name = |page: &PageInfo| ctx.masker().mask(&page.name).text;
    if ui.json() {
        let pages: Vec<Value> = pages.iter().map(|page| json!({"page": name(page), "bytes": page.size})).collect();
        ui.document(json!({"pages": pages, "warnings": warnings}));
        return;
    }
    let mut table = Table::new([Column::id("page"), Column::number("bytes")]);
    for page in pages {
        table.row(vec![Cell::new(name(page).as_str()).tone(Tone::Strong), Cell::new(page.size.to_string())]);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    ui.status(&count(pages.len(), "page", "pages"));
    warn(warnings, ui);
}

fn warn(warnings: &[String], ui: &Ui) {
    for warning in warnings {
        ui.warning(&sanitize::line(warning));
    }
}
