//! What a human decides about blocks, and what a review's decision means for its block.

use std::collections::BTreeMap;

use super::read::resolve_in;
use crate::app::error::{NotFound, Refusal, Result, Why};
use crate::app::reviews::filing::{Filed, Filing};
use crate::app::{Context, Operation};
use crate::domain::agent::AgentId;
use crate::domain::block::{Block, BlockId, BlockStatus};
use crate::domain::doc::Safe;
use crate::domain::ids::ReviewId;
use crate::domain::review::{Confidence, FactStatus, Kind, Proposal, Review, Status};
use crate::mask::Masked;
use crate::store::blocks::{BlockWriter, Standing};
use crate::store::{Change, Tree};

/// A block that a human confirmed.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The block, as it is now.
    pub block: Block,
    /// It was confirmed, or verified, already.
    pub already: bool,
}

/// Confirms a block: a human says that it is so, and it stays. It is `user_stated` then; `verified`, with evidence, it
/// becomes by its review alone.
///
/// # Errors
/// When the caller may not decide, no single block fits, or it was rejected.
pub fn confirm(ctx: &Context, given: &str, reviewer: Option<&str>) -> Result<Confirmed> {
    let operation = Operation::new("block.confirm");
    let reviewer = ctx.audited(&operation, || ctx.actor().reviewer(&ctx.config, reviewer))?;
    let operation = operation.reviewed_by(&reviewer);
    ctx.audited(&operation, || {
        let tree = ctx.lock()?;
        let mut writer = tree.blocks()?;
        let (id, block) = find(writer.read(), given)?;
        if block.status == BlockStatus::Rejected {
            return Err(Refusal::Block { id, why: crate::app::BlockWhy::Rejected }.into());
        }
        if block.status == BlockStatus::Verified || block.confirmed_by.is_some() {
            return Ok(Confirmed { block, already: true });
        }
        let by = Some((Masked::trusted(reviewer.clone()), ctx.now()));
        let standing = Standing { status: BlockStatus::UserStated, by, evidence: None };
        writer.set_standing(&id, &standing, ctx.now())?;
        let block = writer.read().get(&id)?.unwrap_or(block);
        let mut change = Change::new();
        change.audit(ctx.entry(&operation.clone().on(&id), "ok", BTreeMap::new()));
        tree.commit_blocks(change, writer)?;
        Ok(Confirmed { block, already: false })
    })
}

fn find(db: &crate::store::blocks::Blocks, given: &str) -> Result<(BlockId, Block)> {
    let id = resolve_in(db, given)?;
    let block = db.get(&id)?;
    let none = || NotFound::Id { noun: "block", given: given.to_owned(), nearest: None };
    Ok((id, block.ok_or_else(none)?))
}

/// A block that was proposed for verification.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// The block.
    pub id: BlockId,
    /// The review.
    pub review: ReviewId,
    /// The review waits already.
    pub already: bool,
    /// What the proposer should know.
    pub warnings: Vec<String>,
}

/// Files a review for a block. Approving that one verifies the block, rejecting it rejects the block.
///
/// # Errors
/// When no single block fits, it is verified or rejected, or the agent's queue is full.
pub fn propose(ctx: &Context, given: &str, agent: Option<&AgentId>) -> Result<Proposed> {
    let mut operation = Operation::new("block.propose");
    operation.agent = agent.cloned();
    ctx.audited(&operation, || {
        let tree = ctx.lock()?;
        let mut writer = tree.blocks()?;
        let (id, block) = find(writer.read(), given)?;
        let why = match block.status {
            BlockStatus::Verified => Some(crate::app::BlockWhy::Verified),
            BlockStatus::Rejected => Some(crate::app::BlockWhy::Rejected),
            _ => (!block.is_current()).then_some(crate::app::BlockWhy::Past),
        };
        if let Some(why) = why {
            return Err(Refusal::Block { id, why }.into());
        }
        if let Some(review) = &block.review_id
            && let Some((waiting, _)) = ctx.store.review(review)?
            && waiting.status(ctx.now()) == Status::Pending
        {
            return Ok(Proposed { id, review: review.clone(), already: true, warnings: Vec::new() });
        }
        let warnings =
            crate::app::vault::problem(ctx).map(|why| format!("the vault check was left out: {why}")).into_iter();
        let warnings = warnings.collect();
        let mut filing = Filing::begin(ctx, &operation)?;
        let filed = filing.file(&proposal(&block, agent), false)?;
        let review = match &filed {
            Filed::Created { id: review, .. } | Filed::Seen { id: review } | Filed::Discarded { id: review } => {
                review.clone()
            }
            Filed::QueueFull { max } => {
                let agent = agent.map(ToString::to_string).unwrap_or_default();
                return Err(Refusal::QueueFull { agent, max: *max }.into());
            }
            Filed::NothingLeft | Filed::Repeated => return Err(Refusal::NothingLeft.into()),
        };
        filing.set_block(&review, &id);
        writer.set_review(&id, Some(&review))?;
        let mut change = Change::new();
        for entry in filing.finish(&mut change)? {
            change.audit(entry);
        }
        change.audit(ctx.entry(&operation.clone().on(&id), "ok", BTreeMap::new()));
        tree.commit_blocks(change, writer)?;
        Ok(Proposed { id, review, already: false, warnings })
    })
}

/// What is proposed to a human who is to verify a block.
pub(in crate::app) fn proposal(block: &Block, agent: Option<&AgentId>) -> Proposal {
    let confidence = match block.confidence.get() {
        0.8.. => Confidence::High,
        0.5.. => Confidence::Medium,
        _ => Confidence::Low,
    };
    Proposal {
        fact: block.statement(),
        kind: Kind::Block,
        fact_status: match block.status {
            BlockStatus::UserStated => FactStatus::UserStated,
            _ => FactStatus::Inferred,
        },
        confidence,
        project: block.entities.first().cloned(),
        page: None,
        change: None,
        requires: None,
        consequence: None,
        decided_on: None,
        agent: agent.map(|agent| Masked::trusted(agent.full())),
        session: None,
        turn: None,
    }
}

/// What of its block stands in the way of approving a review: that it is gone, or says something else than the review.
pub(in crate::app) fn standing_in_the_way(ctx: &Context, review: &Review) -> Result<Option<Why>> {
    let Some(id) = review.block() else { return Ok(None) };
    let block = ctx.store.blocks()?.map(|db| db.get(&id)).transpose()?.flatten();
    Ok(match block {
        None => Some(Why::BlockGone { block: id }),
        Some(block) if !is_about(review, &block) => Some(Why::BlockDiffers { block: id }),
        Some(_) => None,
    })
}

/// Whether a review is the block's own, and says what the block says.
fn is_about(review: &Review, block: &Block) -> bool {
    block.review_id.as_ref() == Some(&review.id) && block.statement().as_str() == review.fact()
}

/// Lets a block follow its review: verified with the reviewer and the evidence, rejected, or as it was before. To be
/// committed together with the review.
pub(in crate::app) fn follow<'t>(
    ctx: &Context,
    tree: &'t Tree<'_>,
    before: &Review,
    after: &Review,
    reviewer: &str,
) -> Result<Option<BlockWriter<'t>>> {
    let (was, is) = (before.stored_status(), after.stored_status());
    let Some(id) = after.block().filter(|_| was != is) else { return Ok(None) };
    let status = match (was, is) {
        (_, Status::Rejected) => BlockStatus::Rejected,
        (Status::Pending, Status::Approved) => BlockStatus::Verified,
        (Status::Approved | Status::Rejected, Status::Pending) => match after.fact_status() {
            FactStatus::UserStated => BlockStatus::UserStated,
            _ => BlockStatus::Inferred,
        },
        _ => return Ok(None),
    };
    if ctx.store.blocks()?.is_none() {
        return Ok(None);
    }
    let mut writer = tree.blocks()?;
    let Some(block) = writer.read().get(&id)? else { return Ok(None) };
    if !is_about(after, &block) {
        return Ok(None);
    }
    let decides = matches!(status, BlockStatus::Verified | BlockStatus::Rejected);
    let standing = Standing {
        status,
        by: decides.then(|| (Masked::trusted(reviewer.to_owned()), ctx.now())),
        evidence: after.doc.masked_text("evidence").filter(|_| status == BlockStatus::Verified),
    };
    writer.set_standing(&id, &standing, ctx.now())?;
    Ok(Some(writer))
}

impl Filing<'_> {
    /// Writes into a review that was filed just now which block it is about.
    pub(in crate::app) fn set_block(&mut self, review: &ReviewId, block: &BlockId) {
        self.change(review, |review| review.doc.set("block_id", Safe::from(block)));
    }
}
