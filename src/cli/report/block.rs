//! Outcomes of `block`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::csv::field as csv_field;
use super::time::{ago, local, past};
use super::{chart, count};
use crate::app::Context;
use crate::app::blocks::{About, AddedBlocks, Confirmed, Forgotten, Proposed};
use crate::cli::commands::block::OneFormat;
use crate::cli::commands::review::Format;
use crate::cli::sanitize;
use crate::cli::table::{Cell, Column, KeyValues, Screen, Table, Tone};
use crate::cli::ui::Ui;
use crate::domain::block::{Block, BlockStatus};
use crate::domain::time::Timestamp;
use crate::mask::Masked;
use crate::store::blocks::{EntityCount, Outcome, Stats};

/// Blocks were kept.
pub(crate) fn added(added: &AddedBlocks, ui: &mut Ui) {
    if ui.json() {
        ui.document(added_json(added));
        return;
    }
    for block in &added.blocks {
        ui.line(block.id.as_str());
    }
    warnings(&added.warnings, ui);
    if let [one] = added.blocks.as_slice() {
        let what = match (&one.outcome, &one.replaced) {
            (_, Some(replaced)) => format!("kept; it closed {replaced}"),
            (Outcome::Created | Outcome::Replaced, None) => "kept".to_owned(),
            (Outcome::Repeated, _) => "known already; said again".to_owned(),
            (Outcome::Past, _) => "kept as history: a newer value is known".to_owned(),
            (Outcome::Rejected, _) => "not kept".to_owned(),
        };
        ui.status(&what);
    } else {
        ui.status(&tally(added));
    }
}

/// Blocks were read in.
pub(crate) fn imported(added: &AddedBlocks, ui: &mut Ui) {
    if ui.json() {
        ui.document(added_json(added));
        return;
    }
    warnings(&added.warnings, ui);
    ui.line(&tally(added));
}

fn warnings(warnings: &[String], ui: &Ui) {
    for warning in warnings.iter().take(20) {
        ui.warning(&sanitize::line(warning));
    }
    if warnings.len() > 20 {
        ui.warning(&format!("and {} more", warnings.len() - 20));
    }
}

fn tally(added: &AddedBlocks) -> String {
    let parts: Vec<String> =
        added.outcomes.iter().map(|(outcome, number)| format!("{number} {}", outcome.word())).collect();
    let number: u64 = added.outcomes.values().sum();
    format!("{}: {}", count(number, "block", "blocks"), parts.join(", "))
}

fn added_json(added: &AddedBlocks) -> Value {
    let blocks: Vec<Value> = added
        .blocks
        .iter()
        .map(|block| {
            json!({
                "id": block.id,
                "type": block.block_type.word(),
                "key": block.key,
                "outcome": block.outcome.word(),
                "replaced": block.replaced,
            })
        })
        .collect();
    let mut document = Map::new();
    if let [one] = added.blocks.as_slice() {
        document.insert("id".to_owned(), json!(one.id));
        document.insert("outcome".to_owned(), json!(one.outcome.word()));
    }
    document.insert("blocks".to_owned(), Value::Array(blocks));
    let counts: Map<String, Value> =
        added.outcomes.iter().map(|(outcome, number)| (outcome.word().to_owned(), json!(number))).collect();
    document.insert("counts".to_owned(), Value::Object(counts));
    document.insert("masked".to_owned(), json!(added.masked));
    document.insert("warnings".to_owned(), json!(added.warnings));
    Value::Object(document)
}

fn records<'a>(blocks: impl IntoIterator<Item = &'a Block>) -> Vec<Value> {
    blocks.into_iter().map(|block| Value::Object(block.record())).collect()
}

/// One block.
pub(crate) fn one(block: &Block, format: OneFormat, ctx: &Context, ui: &mut Ui) {
    match format {
        OneFormat::Json => ui.document(Value::Object(block.record())),
        OneFormat::Yaml => ui.text(&sanitize::block(&block.to_yaml())),
        OneFormat::Text => {
            let text = page(block, ctx.now()).render(ui.screen());
            ui.text(&text);
        }
    }
}

fn names(entities: &[Masked]) -> String {
    entities.iter().map(Masked::as_str).collect::<Vec<_>>().join(", ")
}

fn page(block: &Block, now: Timestamp) -> KeyValues {
    let mut page = KeyValues::new();
    let when = |at: Option<Timestamp>| at.map(|at| ago(at, now)).unwrap_or_default();
    page.section(block.id.as_str());
    page.pair("type", block.block_type.word());
    page.pair("category", block.category.word());
    page.pair("key", Cell::new(block.key.as_str()).tone(Tone::Strong));
    page.pair("value", Cell::block(block.value.as_str()).tone(Tone::Strong));
    page.pair("entities", names(&block.entities));
    page.pair("source", block.source.as_ref().map(Masked::as_str).unwrap_or_default());
    page.pair("confidence", block.confidence.get().to_string());
    page.pair("status", status(block.status));
    page.pair("review", block.review_id.as_ref().map(ToString::to_string).unwrap_or_default());
    if let (Some(by), Some(at)) = (&block.confirmed_by, block.confirmed_at) {
        let verb = match block.status {
            BlockStatus::Verified => "verified",
            BlockStatus::Rejected => "rejected",
            BlockStatus::UserStated | BlockStatus::Inferred => "confirmed",
        };
        page.pair(verb, format!("by {by}, {}", ago(at, now)));
    }
    page.pair("evidence", Cell::block(block.evidence.as_ref().map(Masked::as_str).unwrap_or_default()));
    page.pair("created", when(Some(block.created_at)));
    page.pair("updated", when(Some(block.updated_at)));
    if block.valid_from != block.created_at || block.valid_to.is_some() {
        page.pair("holds since", when(Some(block.valid_from)));
    }
    page.pair("held until", when(block.valid_to));
    let last = block.last_accessed.map(|at| format!(", last {}", ago(at, now))).unwrap_or_default();
    let times = block.access_count;
    page.pair("read", if times == 0 { "never".to_owned() } else { format!("{}{last}", count(times, "time", "times")) });
    for (field, value) in &block.extra {
        page.pair(sanitize::line(field), value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
    page
}

fn status(status: BlockStatus) -> Cell {
    let tone = match status {
        BlockStatus::Verified => Tone::Good,
        BlockStatus::UserStated => Tone::Plain,
        BlockStatus::Inferred => Tone::Warn,
        BlockStatus::Rejected => Tone::Dim,
    };
    Cell::new(status.word()).tone(tone)
}

/// A list of blocks, in every format.
pub(crate) fn list(found: &[Block], format: Format, ctx: &Context, ui: &mut Ui) {
    match format {
        Format::Table => {
            let text = table(found, ctx.now(), true).render(ui.screen());
            ui.text(&text);
            ui.status(&if found.is_empty() { "no blocks".to_owned() } else { count(found.len(), "block", "blocks") });
        }
        Format::Json => ui.rows("blocks", found.iter().map(|block| Value::Object(block.record())), &Map::new()),
        Format::Jsonl => records(found).iter().for_each(|record| ui.line(&record.to_string())),
        Format::Csv => csv(found, ui),
        Format::Ids => found.iter().for_each(|block| ui.line(block.id.as_str())),
    }
}

fn table(found: &[Block], now: Timestamp, with_type: bool) -> Table {
    let mut columns = vec![Column::id("id")];
    columns.extend(with_type.then(|| Column::short("type")));
    columns.extend([
        Column::text("key"),
        Column::text("value"),
        Column::text("entities"),
        Column::number("sure"),
        Column::short("status"),
        Column::short("said"),
    ]);
    let mut table = Table::new(columns);
    for block in found {
        let mut cells = vec![Cell::new(block.id.as_str()).tone(Tone::Dim)];
        cells.extend(with_type.then(|| Cell::new(block.block_type.word())));
        cells.extend([
            Cell::new(block.key.as_str()),
            Cell::new(block.value.as_str()).tone(Tone::Strong),
            Cell::new(names(&block.entities)),
            Cell::new(block.confidence.get().to_string()),
            status(block.status),
            Cell::new(past(block.updated_at, now)),
        ]);
        table.row(cells);
    }
    table
}

const CSV_FIELDS: [&str; 14] = [
    "id",
    "type",
    "category",
    "key",
    "value",
    "source",
    "confidence",
    "entities",
    "status",
    "created_at",
    "updated_at",
    "valid_to",
    "access_count",
    "review_id",
];

fn csv(found: &[Block], ui: &mut Ui) {
    ui.text(&format!("{}\r\n", CSV_FIELDS.join(",")));
    for block in found {
        let record = block.record();
        let fields = CSV_FIELDS.iter().map(|field| match record.get(*field) {
            Some(Value::String(text)) => csv_field(text),
            Some(Value::Array(list)) => {
                csv_field(&list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "))
            }
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        });
        let line = fields.collect::<Vec<_>>().join(",");
        ui.text(&format!("{line}\r\n"));
    }
}

/// What is known about an entity.
pub(crate) fn about(about: &About, ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        let types: Map<String, Value> =
            about.blocks.iter().map(|(of, blocks)| (of.word().to_owned(), Value::Array(records(blocks)))).collect();
        ui.document(json!({
            "entity": about.name,
            "aliases": about.aliases,
            "types": types,
            "linked_entities": about.beside,
        }));
        return;
    }
    let mut head = KeyValues::new();
    head.section(sanitize::line(&about.name));
    head.pair("also", about.aliases.join(", "));
    let beside = about.beside.iter().map(|entity| format!("{} ({})", entity.name, entity.blocks));
    head.pair("linked with", beside.collect::<Vec<_>>().join(", "));
    let text = head.render(ui.screen());
    ui.text(&text);
    let mut number = 0;
    for (block_type, blocks) in &about.blocks {
        ui.line("");
        ui.line(block_type.word());
        let text = table(blocks, ctx.now(), false).render(ui.screen());
        ui.text(&text);
        number += blocks.len();
    }
    ui.status(&count(number, "block", "blocks"));
}

/// The values that something has had.
pub(crate) fn history(lists: &[Vec<Block>], ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"blocks": records(lists.iter().flatten())}));
        return;
    }
    for (at, versions) in lists.iter().enumerate() {
        if at > 0 {
            ui.line("");
        }
        if let Some(first) = versions.first() {
            let mut head = KeyValues::new();
            let of = format!("{} / {} / {}", first.block_type, first.category, first.key);
            head.section(sanitize::line(&of));
            head.pair("entities", names(&first.entities));
            let text = head.render(ui.screen());
            ui.text(&text);
        }
        let mut table = Table::new([
            Column::id("id"),
            Column::text("value"),
            Column::short("since"),
            Column::short("until"),
            Column::short("status"),
        ]);
        for block in versions {
            let tone = if block.is_current() { Tone::Strong } else { Tone::Plain };
            let until = match (block.valid_to, block.status) {
                (None, _) => "now".to_owned(),
                (Some(_), BlockStatus::Rejected) => String::new(),
                (Some(at), _) => local(at),
            };
            table.row(vec![
                Cell::new(block.id.as_str()).tone(Tone::Dim),
                Cell::new(block.value.as_str()).tone(tone),
                Cell::new(local(block.valid_from)),
                Cell::new(until),
                status(block.status),
            ]);
        }
        let text = table.render(ui.screen());
        ui.text(&text);
    }
    ui.status(&count(lists.iter().map(Vec::len).sum::<usize>(), "value", "values"));
}

/// A block was confirmed.
pub(crate) fn confirmed(confirmed: &Confirmed, ui: &mut Ui) {
    let block = &confirmed.block;
    if ui.json() {
        let mut record = block.record();
        record.insert("already".to_owned(), json!(confirmed.already));
        ui.document(Value::Object(record));
        return;
    }
    let verb = if confirmed.already { "was confirmed already" } else { "confirmed" };
    ui.line(&format!("{} {verb}", block.id));
    if block.status != BlockStatus::Verified {
        ui.hint(&format!("verify it with evidence: hermes-mem block propose {}", block.id));
    }
}

/// A block was proposed.
pub(crate) fn proposed(proposed: &Proposed, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({
            "id": proposed.id,
            "review_id": proposed.review,
            "already": proposed.already,
            "warnings": proposed.warnings,
        }));
        return;
    }
    ui.line(proposed.review.as_str());
    warnings(&proposed.warnings, ui);
    if proposed.already {
        ui.status("it waits for a decision already");
    }
    ui.hint(&format!("a human decides: hermes-mem review approve {}", proposed.review));
}

/// What would be removed.
pub(crate) fn would_forget(found: &[Block], ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        let actions: Vec<Value> =
            found.iter().map(|block| json!({"action": "forget", "target": block.id, "reason": "named"})).collect();
        ui.document(json!({"actions": actions, "counts": {"forget": found.len()}}));
        return;
    }
    let text = table(found, ctx.now(), true).render(ui.screen());
    ui.text(&text);
    ui.line(&format!("would remove {}; nothing was changed", count(found.len(), "value", "values")));
}

/// What is about to be removed, for the person who is asked.
pub(crate) fn to_forget(found: &[Block], ctx: &Context, screen: Screen) -> String {
    table(found, ctx.now(), true).render(&screen)
}

/// Blocks were removed.
pub(crate) fn forgotten(forgotten: &Forgotten, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"ids": forgotten.ids, "values": forgotten.values}));
        return;
    }
    for id in &forgotten.ids {
        ui.line(&format!("removed {id}"));
    }
    if forgotten.values > forgotten.ids.len() as u64 {
        ui.status(&format!("{} in all, history included", count(forgotten.values, "value", "values")));
    }
    ui.hint("backups hold it until they go: hermes-mem backup list");
}

/// All blocks were printed.
pub(crate) fn exported(number: u64, ui: &Ui) {
    ui.status(&count(number, "block", "blocks"));
}

/// What the database holds.
pub(crate) fn stats(stats: &Stats, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({
            "current": stats.current,
            "past": stats.past,
            "by_type": stats.by_type,
            "by_category": stats.by_category,
            "by_status": stats.by_status,
            "entities": stats.entities,
            "top_entities": stats.top_entities,
            "accesses": stats.accesses,
            "bytes": stats.bytes,
        }));
        return;
    }
    if stats.current + stats.past == 0 {
        ui.status("no blocks");
        return;
    }
    let counts = |counts: &BTreeMap<String, u64>| counts.iter().map(|(name, n)| (name.clone(), *n)).collect::<Vec<_>>();
    chart("by type", "blocks", counts(&stats.by_type), ui);
    chart("by category", "blocks", counts(&stats.by_category), ui);
    chart("by status", "blocks", counts(&stats.by_status), ui);
    let top = |entity: &EntityCount| (entity.name.clone(), entity.blocks);
    chart("most linked", "blocks", stats.top_entities.iter().map(top).collect(), ui);
    ui.line(&format!(
        "{} hold, {} past; about {}; read {}; {} KiB",
        stats.current,
        count(stats.past, "value is", "values are"),
        count(stats.entities, "entity", "entities"),
        count(stats.accesses, "time", "times"),
        stats.bytes.div_ceil(1024),
    ));
}
