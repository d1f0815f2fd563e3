//! Taking over what other programs kept: what each legacy entry would become, and doing it.
//!
//! A plan reads only. A run takes one source after the other, each in one transaction, through the same door as `block add`,
//! so that masking, history, rejections and the audit log are the same.

mod classify;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::blocks::{self, AddRequest};
use crate::app::error::{Refusal, Result};
use crate::app::{Context, Operation};
use crate::domain::append::Problem;
use crate::domain::block::read::record;
use crate::domain::block::{BlockStatus, BlockType, Category};
use crate::domain::slug::slug;
use crate::legacy::{self, Entry, Legacy};
use crate::mask::Masked;
use crate::store::blocks::Blocks;

/// How many blocks of one key are looked at for a value that is there already.
const SAME_KEY_MAX: u32 = 100;

/// A file to take over.
pub struct Source {
    /// Its path, as it was named.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What becomes of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// It becomes a block.
    Migrate,
    /// The source says the same before.
    Merge,
    /// There is such a block already.
    Known,
    /// It can't become one.
    Refuse,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Migrate, Self::Merge, Self::Known, Self::Refuse];

    /// The word for it in answers: what happened, or would.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Migrate => "migrated",
            Self::Merge => "merged",
            Self::Known => "known",
            Self::Refuse => "refused",
        }
    }
}

/// What an entry becomes.
#[derive(Clone, Debug)]
pub struct Becomes {
    /// Its type.
    pub block_type: BlockType,
    /// Its category.
    pub category: Category,
    /// Its key.
    pub key: Masked,
    /// Its value.
    pub value: Masked,
    /// Whom or what it concerns.
    pub entities: Vec<Masked>,
    /// How sure the type is.
    pub confidence: f64,
    /// Something in it was masked.
    pub is_masked: bool,
}

/// One entry of a source, and what becomes of it.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The source's path, masked.
    pub source: Masked,
    /// Where it stands in there.
    pub place: Masked,
    /// What becomes of it.
    pub action: Action,
    /// Why: how its type was told, or what stands in the way.
    pub reason: String,
    /// As what; `None` where it is refused.
    pub becomes: Option<Becomes>,
}

/// What becomes of all entries.
#[derive(Clone, Debug, Default)]
pub struct Migration {
    /// The entries, in the order in which they stand.
    pub entries: Vec<Planned>,
    /// What the operator should know of blocks that were kept.
    pub warnings: Vec<String>,
}

impl Migration {
    /// How many entries there are of each action. They add up to all entries.
    pub fn counts(&self) -> BTreeMap<Action, u64> {
        let mut counts: BTreeMap<Action, u64> = Action::ALL.into_iter().map(|action| (action, 0)).collect();
        for entry in &self.entries {
            *counts.entry(entry.action).or_insert(0) += 1;
        }
        counts
    }

    /// How many entries have something in them that is masked.
    pub fn masked(&self) -> usize {
        self.entries.iter().filter(|entry| entry.becomes.as_ref().is_some_and(|becomes| becomes.is_masked)).count()
    }
}

/// Tells what would become of each entry. Nothing is written.
///
/// # Errors
/// When a source has no form that is known, or the blocks can't be read.
pub fn plan(ctx: &Context, sources: &[Source]) -> Result<Migration> {
    let mut migration = Migration::default();
    let mut planner = Planner { ctx, blocks: ctx.store.blocks()?, said: HashMap::new() };
    for (source, legacy) in read(sources)? {
        planner.source(source, legacy, &mut migration)?;
    }
    Ok(migration)
}

/// Takes the entries over, each source in one transaction. An operator's to do: what comes in counts as said by a person.
///
/// # Errors
/// When the caller may not, a source has no form that is known (then nothing is written), or the tree can't be written.
pub fn run(ctx: &Context, sources: &[Source]) -> Result<Migration> {
    let operation = Operation::new("migrate.run");
    let read = ctx.audited(&operation, || {
        ctx.actor().may_operate(&ctx.config, "migrate memories")?;
        read(sources)
    })?;
    let mut migration = Migration::default();
    for (source, legacy) in read {
        let mut planner = Planner { ctx, blocks: ctx.store.blocks()?, said: HashMap::new() };
        let documents = planner.source(source, legacy, &mut migration)?;
        let documents = Box::new(documents.into_iter().map(Ok));
        let added = blocks::add_as(ctx, AddRequest { documents, as_kept: false, agent: None }, &operation)?;
        migration.warnings.extend(added.warnings);
    }
    Ok(migration)
}

fn read(sources: &[Source]) -> Result<Vec<(&Source, Legacy)>> {
    let mut read = Vec::new();
    let mut problems = Vec::new();
    for source in sources {
        match legacy::read(&source.name, &source.bytes) {
            Ok(legacy) => read.push((source, legacy)),
            Err(why) => {
                problems.push(Problem { field: source.name.clone(), code: "unknown_form", what: why.to_string() });
            }
        }
    }
    if problems.is_empty() { Ok(read) } else { Err(Refusal::Input(problems).into()) }
}

/// What distinguishes values that can't hold at the same time.
type Slot = (&'static str, &'static str, String, Vec<String>);

struct Planner<'a> {
    ctx: &'a Context,
    blocks: Option<Blocks>,
    /// What was said last in the sources so far, by slot.
    said: HashMap<Slot, String>,
}

impl Planner<'_> {
    /// Plans a source, and gives the records that are to be kept.
    fn source(&mut self, source: &Source, legacy: Legacy, into: &mut Migration) -> Result<Vec<(String, Value)>> {
        let name = self.ctx.masker().mask(&source.name).text;
        let mut records = Vec::new();
        for entry in legacy.entries {
            let place = self.ctx.masker().mask(&entry.place).text;
            let (action, reason, becomes, value) = self.entry(source, &entry)?;
            if action == Action::Migrate {
                records.push((format!("{name}, {place}"), value));
            }
            into.entries.push(Planned { source: name.clone(), place, action, reason, becomes });
        }
        for unread in legacy.unread {
            let place = self.ctx.masker().mask(&unread.place).text;
            let reason = unread.why.to_owned();
            into.entries.push(Planned { source: name.clone(), place, action: Action::Refuse, reason, becomes: None });
        }
        Ok(records)
    }

    fn entry(&mut self, source: &Source, entry: &Entry) -> Result<(Action, String, Option<Becomes>, Value)> {
        let refused = |why: String| Ok((Action::Refuse, why, None, Value::Null));
        let masker = self.ctx.masker();
        if let Some(at) = entry.expires.filter(|at| *at <= self.ctx.now()) {
            return refused(format!("it expired on {at}"));
        }
        let class = classify::classify(entry);
        let key = match &entry.key {
            Some(key) if !key.trim().is_empty() => key.trim().to_owned(),
            _ => own_key(&masker.mask(&entry.value).text),
        };
        let entities = classify::entities(entry);
        let run = self.ctx.now().as_chrono().format("%Y%m%dT%H%M%SZ");
        let value = json!({
            "type": class.block_type.word(),
            "category": class.category.word(),
            "key": key,
            "value": entry.value,
            "entities": entities,
            "confidence": class.confidence,
            "status": BlockStatus::UserStated.word(),
            "source": format!("{}, {}, migration {run}", source.name, entry.place),
            "created_at": entry.at.map(|at| at.to_string()),
        });
        if let Err(problems) = record("", value.clone(), false) {
            let why: Vec<String> =
                problems.iter().map(|problem| format!("{} {}", problem.field, problem.what)).collect();
            return refused(why.join("; "));
        }
        let mut texts = vec![key.as_str(), entry.value.as_str()];
        texts.extend(entities.iter().map(String::as_str));
        let mut maskings = masker.mask_record(&texts).into_iter();
        let (Some(key), Some(text)) = (maskings.next(), maskings.next()) else {
            return refused("it could not be masked".to_owned());
        };
        let names: Vec<_> = maskings.collect();
        if key.text.is_only_placeholders() || text.text.is_only_placeholders() {
            return refused("it held nothing but personal data or a credential".to_owned());
        }
        let is_masked = [&key, &text].into_iter().chain(&names).any(|masking| !masking.findings.is_empty());
        let becomes = Becomes {
            block_type: class.block_type,
            category: class.category,
            is_masked,
            key: key.text,
            value: text.text,
            entities: names.into_iter().map(|masking| masking.text).collect(),
            confidence: class.confidence,
        };
        let slot: Slot = (
            becomes.block_type.word(),
            becomes.category.word(),
            becomes.key.as_str().to_owned(),
            becomes.entities.iter().map(|name| name.as_str().to_owned()).collect(),
        );
        let is_said =
            self.said.insert(slot, becomes.value.as_str().to_owned()).as_deref() == Some(becomes.value.as_str());
        let (action, reason) = if is_said {
            (Action::Merge, "the source says it before".to_owned())
        } else if self.is_known(&becomes)? {
            (Action::Known, "there is such a block".to_owned())
        } else {
            (Action::Migrate, class.reason)
        };
        Ok((action, reason, Some(becomes), value))
    }

    /// Whether a block says it, or said it before.
    fn is_known(&self, becomes: &Becomes) -> Result<bool> {
        let Some(blocks) = &self.blocks else { return Ok(false) };
        for id in blocks.ids_of_key(becomes.key.as_str(), SAME_KEY_MAX)? {
            let is_same = |block: &crate::domain::block::Block| {
                block.block_type == becomes.block_type
                    && block.category == becomes.category
                    && block.value.as_str() == becomes.value.as_str()
                    && block.entities.iter().map(Masked::as_str).eq(becomes.entities.iter().map(Masked::as_str))
            };
            if blocks.history(&id)?.iter().any(is_same) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A key for what has none: words of it and a short hash, so that none swallows another.
fn own_key(value: &Masked) -> String {
    let mut key = slug(None, value.as_str());
    key.push('-');
    for byte in Sha256::digest(value.as_str().as_bytes()).iter().take(4) {
        let _ = write!(key, "{byte:02x}");
    }
    key
}
