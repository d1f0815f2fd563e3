//! Keeping blocks: what an agent or a person says, and what was exported before.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::app::context::count_findings;
use crate::app::error::{Refusal, Result};
use crate::app::mask::credential_warnings;
use crate::app::sessions::LOWERED;
use crate::app::{Context, Operation, clock};
use crate::domain::agent::AgentId;
use crate::domain::append::Problem;
use crate::domain::block::read::{Documents, Record, record};
use crate::domain::block::{BlockId, BlockStatus, BlockType, NewBlock};
use crate::domain::doc::Safe;
use crate::mask::{Finding, Kind, Masked, Masker, Masking, Raw};
use crate::store::blocks::{BlockWriter, Kept, Outcome};
use crate::store::{Change, Tree};

/// What to keep.
pub struct AddRequest {
    /// The records, each with the name by which a complaint calls it ([`crate::domain::block::read::documents`]).
    pub documents: Documents,
    /// They were exported: their ids, times, counts and rejections stand.
    pub as_kept: bool,
    /// The agent that says so; `None`: a person.
    pub agent: Option<AgentId>,
}

/// One block that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedBlock {
    /// The block that holds the value.
    pub id: BlockId,
    /// Its type.
    pub block_type: BlockType,
    /// Its key.
    pub key: Masked,
    /// What became of it.
    pub outcome: Outcome,
    /// The block it closed.
    pub replaced: Option<BlockId>,
}

/// How many blocks and warnings an answer names.
const NAMED_MAX: usize = 10_000;

/// How many records are masked before they are kept.
const AT_ONCE: usize = 1000;

/// How many problems an answer names.
const PROBLEMS_MAX: usize = 100;

/// What was kept.
#[derive(Clone, Debug, Default)]
pub struct AddedBlocks {
    /// The blocks, in the order in which they came; of more than ten thousand the first ones.
    pub blocks: Vec<AddedBlock>,
    /// How many there were of each outcome.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// How much was masked, by kind.
    pub masked: BTreeMap<&'static str, u64>,
    /// What the writer should know.
    pub warnings: Vec<String>,
}

/// Keeps blocks: all of them, or none where one is wrong.
///
/// # Errors
/// When an input is refused, with everything that is wrong with each; or the tree can't be written.
pub fn add(ctx: &Context, request: AddRequest) -> Result<AddedBlocks> {
    let mut operation = Operation::new(if request.as_kept { "block.import" } else { "block.add" });
    operation.agent.clone_from(&request.agent);
    ctx.audited(&operation, || {
        let lock = OnceCell::new();
        let mut adding = Adding { ctx, as_kept: request.as_kept, writer: None, added: AddedBlocks::default() };
        let mut counts = BTreeMap::new();
        let mut problems = Vec::new();
        let mut waiting = Vec::new();
        // Little by little, since there may be a million. After the first problem nothing more is kept, only looked at.
        for document in request.documents {
            let (name, value) = document.map_err(Refusal::Blocks)?;
            let record = match record(&name, value, request.as_kept) {
                Ok(record) => record,
                Err(found) => {
                    problems.extend(found);
                    if problems.len() > PROBLEMS_MAX {
                        break;
                    }
                    continue;
                }
            };
            let mut warnings: Vec<String> = record.was_verified.then(|| named(&name, LOWERED)).into_iter().collect();
            let mut findings = Vec::new();
            let record = mask(record, &name, ctx.masker(), &mut findings, &mut warnings);
            adding.warn(warnings);
            if record.value.is_only_placeholders() || record.key.is_only_placeholders() {
                problems.push(nothing_left(&name, record.value.is_only_placeholders()));
            }
            for finding in &findings {
                *adding.added.masked.entry(finding.kind.name()).or_insert(0) += 1;
            }
            for (kind, number) in count_findings(&findings) {
                *counts.entry(kind).or_insert(0) += number;
            }
            if problems.is_empty() {
                waiting.push((name, record));
            }
            if waiting.len() >= AT_ONCE {
                adding.keep_all(&lock, std::mem::take(&mut waiting))?;
            }
        }
        if !problems.is_empty() {
            return Err(Refusal::Input(problems).into());
        }
        adding.keep_all(&lock, waiting)?;
        let Adding { writer, added, .. } = adding;
        let (Some(tree), Some(writer)) = (lock.get(), writer) else { return Ok(added) };
        // What changes nothing is not recorded, but that something was removed from it is.
        if writer.has_changed() || !added.masked.is_empty() {
            let mut change = Change::new();
            counts.extend(added.outcomes.iter().map(|(outcome, number)| (outcome.word(), *number)));
            let operation = match added.blocks.as_slice() {
                [one] => operation.clone().on(&one.id),
                _ => operation.clone(),
            };
            change.audit(ctx.entry(&operation, "ok", counts));
            tree.commit_blocks(change, writer)?;
        }
        Ok(added)
    })
}

/// Blocks on their way in.
struct Adding<'a> {
    ctx: &'a Context,
    as_kept: bool,
    /// Opened with the first that are kept, so that a refused input leaves no database behind.
    writer: Option<BlockWriter<'a>>,
    added: AddedBlocks,
}

impl<'a> Adding<'a> {
    fn keep_all(&mut self, lock: &'a OnceCell<Tree<'a>>, records: Vec<(String, Record<Masked>)>) -> Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        let tree = if let Some(tree) = lock.get() {
            tree
        } else {
            let tree = self.ctx.lock()?;
            lock.get_or_init(|| tree)
        };
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => tree.blocks()?,
        };
        for (name, record) in records {
            let mut warnings = Vec::new();
            let block = keep(self.ctx, &mut writer, record, &name, self.as_kept, &mut warnings)?;
            self.warn(warnings);
            *self.added.outcomes.entry(block.outcome).or_insert(0) += 1;
            if self.added.blocks.len() < NAMED_MAX {
                self.added.blocks.push(block);
            }
        }
        self.writer = Some(writer);
        Ok(())
    }

    fn warn(&mut self, mut warnings: Vec<String>) {
        if self.added.warnings.len() < NAMED_MAX {
            self.added.warnings.append(&mut warnings);
        }
    }
}

fn keep(
    ctx: &Context,
    writer: &mut BlockWriter<'_>,
    record: Record<Masked>,
    name: &str,
    as_kept: bool,
    warnings: &mut Vec<String>,
) -> Result<AddedBlock> {
    let (block_type, key) = (record.block_type, record.key.clone());
    let given = record.id.clone();
    if let Some(id) = &given
        && let Some(known) = writer.read().get(id)?
    {
        if known.value != record.value || known.key != record.key || known.block_type != record.block_type {
            return Err(Refusal::Input(vec![problem(name, "id", "taken", "is another block's already")]).into());
        }
        if as_kept {
            let outcome = Outcome::Repeated;
            return Ok(AddedBlock { id: known.id, block_type, key, outcome, replaced: None });
        }
    }
    let id = given.unwrap_or_else(|| BlockId::random(clock::random()));
    let kept = as_kept.then_some(Kept {
        updated_at: record.updated_at,
        valid_from: record.valid_from,
        valid_to: record.valid_to,
    });
    let accesses = (record.access_count, record.last_accessed);
    let new = block_of(record);
    let added = match &kept {
        Some(kept) => writer.restore(&new, id, kept, ctx.now())?,
        None => writer.add(&new, id, ctx.now())?,
    };
    if added.changed && accesses.0 > 0 && !matches!(added.outcome, Outcome::Repeated) {
        writer.set_accesses(&added.id, accesses.0, accesses.1.unwrap_or_else(|| ctx.now()))?;
    }
    match (&added.replaced, added.outcome) {
        (Some((id, BlockStatus::Verified)), _) => {
            warnings.push(named(name, &format!("it closed the verified block {id}")));
        }
        (_, Outcome::Rejected) => {
            warnings.push(named(name, &format!("a human has rejected this value; {} stays rejected", added.id)));
        }
        _ => {}
    }
    Ok(AddedBlock { id: added.id, block_type, key, outcome: added.outcome, replaced: added.replaced.map(|(id, _)| id) })
}

/// The block that a record makes.
pub(in crate::app) fn block_of(record: Record<Masked>) -> NewBlock {
    NewBlock {
        block_type: record.block_type,
        category: record.category,
        key: record.key,
        value: record.value,
        source: record.source,
        confidence: record.confidence,
        entities: record.entities,
        status: record.status,
        created_at: record.created_at,
        extra: Safe::kept(Value::Object(record.extra)),
    }
}

/// Records in the audit log that an input was refused which held no records at all.
pub fn refuse_input(ctx: &Context, as_kept: bool, agent: Option<&AgentId>) {
    let mut operation = Operation::new(if as_kept { "block.import" } else { "block.add" });
    operation.agent = agent.cloned();
    ctx.record(&operation, "refused");
}

fn named(name: &str, what: &str) -> String {
    if name.is_empty() { what.to_owned() } else { format!("{name}: {what}") }
}

fn problem(name: &str, field: &str, code: &'static str, what: &str) -> Problem {
    let field = if name.is_empty() { field.to_owned() } else { format!("{name}, {field}") };
    Problem { field, code, what: what.to_owned() }
}

fn nothing_left(name: &str, is_value: bool) -> Problem {
    let field = if is_value { "value" } else { "key" };
    problem(name, field, "nothing_left", "held nothing but personal data or a credential")
}

/// Masks a record as one: a full name in one field masks its parts in the others.
pub(in crate::app) fn mask(
    record: Record<Raw>,
    name: &str,
    masker: &Masker,
    findings: &mut Vec<Finding>,
    warnings: &mut Vec<String>,
) -> Record<Masked> {
    let mut texts = vec![record.key.expose(), record.value.expose()];
    texts.extend(record.source.as_ref().map(Raw::expose));
    texts.extend(record.entities.iter().map(Raw::expose));
    let mut maskings = masker.mask_record(&texts).into_iter();
    let mut next = |field: &str, raw: &Raw| {
        // One for each text, in the same order; were one missing, the text would be masked by itself.
        let Masking { text, findings: found } = maskings.next().unwrap_or_else(|| masker.mask(raw.expose()));
        warnings.extend(credential_warnings(&found, Some(field)).iter().map(|warning| named(name, warning)));
        findings.extend(found);
        text
    };
    let key = next("key", &record.key);
    let value = next("value", &record.value);
    let source = record.source.as_ref().map(|text| next("source", text));
    let entities = record.entities.iter().map(|text| next("entities", text)).collect();
    let mut extra = Value::Object(record.extra);
    let is_empty = extra.as_object().is_some_and(Map::is_empty);
    for finding in if is_empty { Vec::new() } else { masker.mask_json(&mut extra) } {
        findings.push(Finding { kind: finding.kind, rule: finding.rule, bytes: 0..0 });
        if finding.kind == Kind::Credential {
            warnings
                .push(named(name, &format!("credential removed (rule {}, field {})", finding.rule, finding.pointer)));
        }
    }
    let extra = match extra {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    Record {
        key,
        value,
        source,
        entities,
        extra,
        id: record.id,
        block_type: record.block_type,
        category: record.category,
        confidence: record.confidence,
        status: record.status,
        was_verified: record.was_verified,
        created_at: record.created_at,
        updated_at: record.updated_at,
        access_count: record.access_count,
        last_accessed: record.last_accessed,
        valid_from: record.valid_from,
        valid_to: record.valid_to,
    }
}
