//! What becomes of an entry, judged by itself, by what the source said before and by what is known.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::json;
use sha2::{Digest, Sha256};

use super::classify;
use super::{Becomes, Planned, Source};
use crate::app::Context;
use crate::app::blocks;
use crate::app::error::Result;
use crate::domain::block::read::record;
use crate::domain::block::{Block, BlockId, BlockStatus, NewBlock};
use crate::domain::migration::{Action, RunId};
use crate::domain::slug::slug;
use crate::domain::time::Timestamp;
use crate::legacy::{Entry, Standing, Unread};
use crate::mask::{Finding, Masked};
use crate::store::blocks::{Blocks, Kept};

/// How many blocks of one key are looked at for a value that is there already.
const SAME_KEY_MAX: u32 = 100;
/// The reason of [`Action::Known`].
pub(super) const KNOWN: &str = "there is such a block";

/// A short hash of something that was masked, to compare with.
type Mark = [u8; 16];

/// What was judged.
pub(super) struct Judged {
    pub(super) planned: Planned,
    /// The block that is to be kept, where one is.
    pub(super) block: Option<NewBlock>,
    /// The block that holds it already, where one does.
    pub(super) held_by: Option<BlockId>,
    /// When it held, where it is past.
    pub(super) past: Option<Kept>,
    /// What was masked in it.
    pub(super) findings: Vec<Finding>,
    /// What the operator should know.
    pub(super) warnings: Vec<String>,
    slot: Option<Mark>,
}

/// What was said last of something.
struct Said {
    value: Mark,
    held_by: Option<BlockId>,
}

/// Judges entries, one after the other.
pub(super) struct Planner<'a> {
    ctx: &'a Context,
    known: Option<Blocks>,
    /// The run that it is for; `None` for a plan.
    run: Option<&'a RunId>,
    /// The source's name, and the same masked.
    source: (String, Masked),
    /// What was said last in the sources so far, by type, category, key and entities.
    said: HashMap<Mark, Said>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(ctx: &'a Context, run: Option<&'a RunId>) -> Result<Self> {
        let source = (String::new(), Masked::literal(""));
        Ok(Self { ctx, known: ctx.store.blocks()?, run, source, said: HashMap::new() })
    }

    /// Begins with a source.
    pub(super) fn begin(&mut self, source: &Source) {
        let name = &source.inside.name;
        self.source = (name.clone(), self.ctx.masker().mask(name).text);
    }

    /// Notes the block that holds what was judged.
    pub(super) fn holds(&mut self, judged: &Judged, block: BlockId) {
        if let Some(said) = judged.slot.and_then(|slot| self.said.get_mut(&slot)) {
            said.held_by = Some(block);
        }
    }

    pub(super) fn judge(&mut self, found: std::result::Result<Entry, Unread>) -> Result<Judged> {
        match found {
            Ok(entry) => self.entry(&entry),
            Err(unread) => Ok(self.refused(&unread.place, unread.why.to_owned())),
        }
    }

    fn refused(&self, place: &str, reason: String) -> Judged {
        let place = self.ctx.masker().mask(place).text;
        let planned = Planned { source: self.source.1.clone(), place, action: Action::Refuse, reason, becomes: None };
        Judged {
            planned,
            block: None,
            held_by: None,
            past: None,
            findings: Vec::new(),
            warnings: Vec::new(),
            slot: None,
        }
    }

    fn entry(&mut self, entry: &Entry) -> Result<Judged> {
        if let Some(at) = entry.expires.filter(|at| *at <= self.ctx.now()) {
            return Ok(self.refused(&entry.place, format!("it expired on {at}")));
        }
        if let Standing::Proposed(_) = entry.standing {
            let why = "it is a change that still waits: decide it where it waits".to_owned();
            return Ok(self.refused(&entry.place, why));
        }
        let past = self.past(entry);
        let masker = self.ctx.masker();
        let class = classify::classify(entry);
        let key = match &entry.key {
            Some(key) if !key.trim().is_empty() => key.trim().to_owned(),
            _ => own_key(&masker.mask(&entry.value).text),
        };
        let mut source = format!("{}, {}", self.source.0, entry.place);
        if let Some(run) = self.run {
            let _ = write!(source, ", {run}");
        }
        let value = json!({
            "type": class.block_type.word(),
            "category": class.category.word(),
            "key": key,
            "value": entry.value,
            "entities": classify::entities(entry),
            "confidence": class.confidence,
            "status": BlockStatus::UserStated.word(),
            "source": source,
            "created_at": past.map(|(from, _)| from).or(entry.at).map(|at| at.to_string()),
        });
        let record = match record("", value, false) {
            Ok(record) => record,
            Err(problems) => {
                let why = problems.iter().map(|problem| format!("{} {}", problem.field, problem.what));
                return Ok(self.refused(&entry.place, why.collect::<Vec<_>>().join("; ")));
            }
        };
        let (mut findings, mut warnings) = (Vec::new(), Vec::new());
        let name = format!("{}, {}", self.source.1, masker.mask(&entry.place).text);
        let record = blocks::mask(record, &name, masker, &mut findings, &mut warnings);
        if record.key.is_only_placeholders() || record.value.is_only_placeholders() {
            let why = "it held nothing but personal data or a credential".to_owned();
            return Ok(Judged { findings, warnings, ..self.refused(&entry.place, why) });
        }
        let block = blocks::block_of(record);
        let slot = slot(&block);
        let value = mark([block.value.as_str()]);
        let before = self.said.get(&slot);
        let (action, reason, held_by) = if let Some(said) = before.filter(|said| said.value == value) {
            (Action::Merge, "the source says it before".to_owned(), said.held_by.clone())
        } else if let Some(known) = self.known_as(&block)? {
            (Action::Known, KNOWN.to_owned(), Some(known))
        } else {
            let reason = past
                .map_or_else(|| class.reason.clone(), |(_, until)| format!("{}; it held until {until}", class.reason));
            (Action::Migrate, reason, None)
        };
        self.said.insert(slot, Said { value, held_by: held_by.clone() });
        let becomes = Becomes {
            block_type: block.block_type,
            category: block.category,
            key: block.key.clone(),
            value: block.value.clone(),
            entities: block.entities.clone(),
            confidence: class.confidence,
            is_masked: !findings.is_empty(),
        };
        let place = masker.mask(&entry.place).text;
        let planned = Planned { source: self.source.1.clone(), place, action, reason, becomes: Some(becomes) };
        let block = (action == Action::Migrate).then_some(block);
        let past = past.map(|(_, until)| Kept { updated_at: None, valid_from: None, valid_to: Some(until) });
        Ok(Judged { planned, block, held_by, past, findings, warnings, slot: Some(slot) })
    }

    /// From when to when it held, where it is past. Nobody knows since when: so long as it was there, at the least.
    fn past(&self, entry: &Entry) -> Option<(Timestamp, Timestamp)> {
        let Standing::Past(until) = entry.standing else { return None };
        let until = until.unwrap_or_else(|| self.ctx.now());
        Some((entry.at.map_or(until, |at| at.min(until)), until))
    }

    /// The block that says it, or said it before.
    fn known_as(&self, new: &NewBlock) -> Result<Option<BlockId>> {
        let Some(known) = &self.known else { return Ok(None) };
        for id in known.ids_of_key(new.key.as_str(), SAME_KEY_MAX)? {
            let is_same = |block: &Block| {
                block.block_type == new.block_type
                    && block.category == new.category
                    && block.value == new.value
                    && block.entities == new.entities
            };
            if let Some(same) = known.history(&id)?.into_iter().find(is_same) {
                return Ok(Some(same.id));
            }
        }
        Ok(None)
    }
}

/// What distinguishes values that can't hold at the same time.
fn slot(block: &NewBlock) -> Mark {
    let words = [block.block_type.word(), block.category.word(), block.key.as_str()];
    mark(words.into_iter().chain(block.entities.iter().map(Masked::as_str)))
}

fn mark<'t>(texts: impl IntoIterator<Item = &'t str>) -> Mark {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    let mut mark = Mark::default();
    mark.iter_mut().zip(hash.finalize()).for_each(|(to, from)| *to = from);
    mark
}

/// A key for what has none: words of it and a short hash, so that none swallows another.
fn own_key(value: &Masked) -> String {
    let hash = Sha256::digest(value.as_str().as_bytes());
    let short = base16ct::lower::encode_string(hash.get(..4).unwrap_or_default());
    format!("{}-{short}", slug(None, value.as_str()))
}
