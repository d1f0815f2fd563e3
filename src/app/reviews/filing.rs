//! Filing a review: what is checked before a proposal joins the queue, whoever brings it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use crate::app::error::Result;
use crate::app::{Context, Operation, vault};
use crate::domain::agent::AgentId;
use crate::domain::doc::Safe;
use crate::domain::fold::fingerprint;
use crate::domain::hedge::hedge;
use crate::domain::ids::ReviewId;
use crate::domain::review::{Flag, Proposal, REMEMBERED_FOR, Review, Status};
use crate::domain::slug::slug;
use crate::domain::suspicion::suspicions;
use crate::domain::time::Timestamp;
use crate::mask::Masked;
use crate::store::audit::Entry;
use crate::store::{Change, ReviewQuery, Shelf, StoreError, Summary};
use crate::vault::{Check, Query, Verdict};

/// What became of a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filed {
    /// A review waits in the queue.
    Created {
        /// The review.
        id: ReviewId,
        /// Whether the vault says otherwise.
        is_conflict: bool,
    },
    /// The same fact is pending already; that review was seen once more.
    Seen {
        /// The review.
        id: ReviewId,
    },
    /// The vault says the same on the proposed page; filed as discarded.
    Discarded {
        /// The review.
        id: ReviewId,
    },
    /// The same fact was proposed in this session before, and is not pending any more.
    Repeated,
    /// Nothing was left after masking.
    NothingLeft,
    /// The agent has as many open proposals as it may have.
    QueueFull {
        /// How many that is.
        max: u64,
    },
}

impl Filed {
    /// The review that the fact is in now.
    pub fn review(&self) -> Option<&ReviewId> {
        match self {
            Self::Created { id, .. } | Self::Seen { id } | Self::Discarded { id } => Some(id),
            Self::Repeated | Self::NothingLeft | Self::QueueFull { .. } => None,
        }
    }
}

/// What makes two proposals the same: the fact, and the project where both name one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactKey {
    fact: String,
    project: Option<String>,
}

impl FactKey {
    /// The key of a fact about a project.
    pub fn new(fact: &str, project: Option<&str>) -> Self {
        Self { fact: fingerprint(fact), project: project.map(fingerprint) }
    }

    /// The key of a proposal.
    pub fn of(proposal: &Proposal) -> Self {
        Self::new(proposal.fact.as_str(), proposal.project.as_ref().map(Masked::as_str))
    }

    /// Whether both are the same fact.
    pub fn is_same(&self, other: &Self) -> bool {
        let of_one_project = match (&self.project, &other.project) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        self.fact == other.fact && of_one_project
    }
}

/// A filing under way, under the lock: several proposals that join the queue in one change.
pub struct Filing<'a> {
    ctx: &'a Context,
    operation: Operation,
    now: Timestamp,
    queue: Vec<Known>,
    /// Reviews that change, with the shelf they were on.
    touched: Vec<(Review, Option<Shelf>, Shelf)>,
    rejected: OnceCell<Vec<Summary>>,
    entries: Vec<Entry>,
}

/// A pending review of the queue.
struct Known {
    id: ReviewId,
    key: FactKey,
    agent: Option<String>,
}

impl<'a> Filing<'a> {
    /// Begins a filing for an operation. Call it under the lock.
    ///
    /// # Errors
    /// When the queue can't be listed.
    pub fn begin(ctx: &'a Context, operation: &Operation) -> Result<Self> {
        let now = ctx.now();
        let (found, _) = ctx.store.review_summaries(ReviewQuery::queue(now))?;
        let queue = found
            .into_iter()
            .filter(|summary| summary.status == Status::Pending)
            .map(|summary| Known { key: key_of(&summary), agent: summary.agent, id: summary.id })
            .collect();
        let operation = Operation { op: "review.create", ..operation.clone() };
        Ok(Self { ctx, operation, now, queue, touched: Vec::new(), rejected: OnceCell::new(), entries: Vec::new() })
    }

    /// Files one proposal. `repeated`: its session has proposed the same before.
    ///
    /// # Errors
    /// When a file of the queue can't be read.
    pub fn file(&mut self, proposal: &Proposal, repeated: bool) -> Result<Filed> {
        if proposal.fact.is_only_placeholders() {
            return Ok(Filed::NothingLeft);
        }
        let key = FactKey::of(proposal);
        if let Some(id) = self.queue.iter().find(|known| known.key.is_same(&key)).map(|known| known.id.clone()) {
            self.see_again(&id, proposal)?;
            return Ok(Filed::Seen { id });
        }
        if repeated {
            return Ok(Filed::Repeated);
        }
        let max = self.ctx.config.max_pending;
        if proposal.agent.as_ref().is_some_and(|agent| self.pending_of(agent.as_str()) >= max) {
            return Ok(Filed::QueueFull { max });
        }
        let id = self.free_id(proposal);
        let mut review = Review::new(id.clone(), proposal, self.now);
        let check = self.check_vault(proposal);
        let mut flags = Vec::new();
        if check.verdict == Verdict::Contradicts {
            flags.push(Flag::Conflict);
        }
        flags.extend(wording(&mut review));
        if let Some(rejected) = self.rejected_before(&key)? {
            review.doc.set("previously_rejected", rejected);
            flags.push(Flag::PreviouslyRejected);
        }
        write_check(&mut review, &check, self.ctx, self.now);
        set_flags(&mut review, &flags);
        let is_discarded = check.verdict == Verdict::Identical && is_on_page(&check, proposal.page.as_ref());
        let outcome = if is_discarded { "discarded" } else { "ok" };
        self.entries.push(self.ctx.entry(&self.operation.clone().on(&id), outcome, BTreeMap::new()));
        if is_discarded {
            discard(&mut review, self.now);
            self.touched.push((review, None, Shelf::Archived));
            return Ok(Filed::Discarded { id });
        }
        let agent = proposal.agent.as_ref().map(|agent| agent.as_str().to_owned());
        self.queue.push(Known { id: id.clone(), key, agent });
        self.touched.push((review, None, Shelf::Queue));
        Ok(Filed::Created { id, is_conflict: flags.contains(&Flag::Conflict) })
    }

    /// Adds all to a change, and answers the audit entries that belong to it.
    ///
    /// # Errors
    /// When a review was written by a newer version.
    pub fn finish(self, change: &mut Change) -> Result<Vec<Entry>> {
        for (review, was, to) in self.touched.iter().filter(|(review, ..)| review.doc.is_writable()) {
            change.put_review(review, *was, *to)?;
        }
        Ok(self.entries)
    }

    /// Changes a review that this filing has touched.
    pub(in crate::app) fn change(&mut self, id: &ReviewId, change: impl FnOnce(&mut Review)) {
        let touched = self.touched.iter_mut().find(|(review, ..)| review.id == *id);
        if let Some((review, ..)) = touched.filter(|(review, ..)| review.doc.is_writable()) {
            change(review);
        }
    }

    fn pending_of(&self, agent: &str) -> u64 {
        let Ok(agent) = AgentId::parse(agent) else { return 0 };
        let own =
            |known: &&Known| known.agent.as_deref().is_some_and(|name| AgentId::parse(name).as_ref() == Ok(&agent));
        self.queue.iter().filter(own).count() as u64
    }

    fn free_id(&self, proposal: &Proposal) -> ReviewId {
        let slug = slug(proposal.project.as_ref().map(Masked::as_str), proposal.fact.as_str());
        let taken =
            |id: &ReviewId| self.ctx.store.has_review(id) || self.touched.iter().any(|(review, ..)| review.id == *id);
        let mut nth = 1;
        loop {
            let id = ReviewId::new(self.now, &slug, nth);
            if !taken(&id) {
                return id;
            }
            nth += 1;
        }
    }

    fn see_again(&mut self, id: &ReviewId, proposal: &Proposal) -> Result<()> {
        let known = self.touched.iter().position(|(review, ..)| review.id == *id);
        let at = if let Some(at) = known {
            at
        } else {
            let (review, shelf) = self
                .ctx
                .store
                .review(id)?
                .ok_or_else(|| StoreError::Damaged { path: id.as_str().into(), why: "it is gone".into() })?;
            self.touched.push((review, Some(shelf), shelf));
            self.touched.len() - 1
        };
        // One that a newer version wrote is counted by nobody else.
        if let Some((review, ..)) = self.touched.get_mut(at).filter(|(review, ..)| review.doc.is_writable()) {
            let seen = review.doc.number("seen_count").unwrap_or(1).saturating_add(1);
            review.doc.set("seen_count", seen);
            review.doc.push("seen_again", source(proposal, self.now));
        }
        let counts = BTreeMap::from([("seen_again", 1)]);
        self.entries.push(self.ctx.entry(&self.operation.clone().on(id), "seen_again", counts));
        Ok(())
    }

    fn check_vault(&self, proposal: &Proposal) -> Check {
        vault::check(
            self.ctx,
            Query {
                fact: proposal.fact.as_str(),
                page: proposal.page.as_ref().map(Masked::as_str),
                project: proposal.project.as_ref().map(Masked::as_str),
            },
        )
    }

    /// The rejection of the same fact within the last 90 days, as the new review will carry it.
    fn rejected_before(&self, key: &FactKey) -> Result<Option<Safe>> {
        if self.rejected.get().is_none() {
            // All of the archive: an id tells when a review was filed, which may be long before it was rejected.
            let query = ReviewQuery { queue: false, archived_since: Some(None), now: self.now };
            let (mut found, _) = self.ctx.store.review_summaries(query)?;
            found.retain(|summary| summary.status == Status::Rejected);
            drop(self.rejected.set(found));
        }
        let same = self.rejected.get().into_iter().flatten().filter(|summary| key_of(summary).is_same(key));
        let mut newest: Option<(Timestamp, Review)> = None;
        for summary in same {
            let Some((review, _)) = self.ctx.store.review(&summary.id)? else { continue };
            let at = review.last_decision().and_then(|entry| entry.get("at")?.as_str().map(Timestamp::parse));
            let Some(Ok(at)) = at else { continue };
            if self.now.since(at) < REMEMBERED_FOR && newest.as_ref().is_none_or(|(newest, _)| *newest < at) {
                newest = Some((at, review));
            }
        }
        Ok(newest.map(|(at, review)| {
            let entry = review.last_decision();
            let text = |key| Safe::kept(entry.and_then(|entry| entry.get(key)).cloned().unwrap_or_default());
            Safe::object([
                ("review_id", Safe::from(&review.id)),
                ("at", at.into()),
                ("by", text("by")),
                ("reason", text("reason")),
            ])
        }))
    }
}

fn key_of(summary: &Summary) -> FactKey {
    FactKey::new(&summary.fact, summary.project.as_deref())
}

/// Looks at a review's wording: instructions to a model and invisible characters, conjectures and plans.
pub(super) fn wording(review: &mut Review) -> Vec<Flag> {
    let mut flags = Vec::new();
    let mut found: Vec<&'static str> = Vec::new();
    for field in ["proposed_fact", "proposed_change", "requires", "project", "proposed_obsidian_page", "consequence"] {
        let names = review.doc.text(field).map(suspicions).unwrap_or_default();
        for name in names.into_iter().map(|suspicion| suspicion.name) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    review.doc.remove("suspicious");
    review.doc.remove("hedged");
    if !found.is_empty() {
        review.doc.set("suspicious", Safe::list(found.into_iter().map(Safe::word)));
        flags.push(Flag::Suspicious);
    }
    if let Some(hedge) = hedge(review.fact()) {
        review.doc.set("hedged", Safe::word(hedge.cue));
        flags.push(Flag::Hedged);
    }
    flags
}

/// Writes a vault check into a review. A page's sentence is masked, since it comes from outside.
pub(super) fn write_check(review: &mut Review, check: &Check, ctx: &Context, now: Timestamp) {
    let verdict = match check.verdict {
        Verdict::Identical => "identical",
        Verdict::Contradicts => "contradicts",
        Verdict::Similar => "similar",
        Verdict::Absent => "absent",
        Verdict::NoVault => "no_vault",
    };
    let masked = |text: &str| ctx.masker().mask(text).text;
    let mut fields = vec![("verdict", Safe::word(verdict)), ("checked_at", now.into())];
    if let Some(passage) = check.passages.first() {
        fields.push(("page", masked(&passage.page).into()));
        fields.push(("line", u64::from(passage.line).into()));
        fields.push(("sentence", masked(&passage.sentence).into()));
        fields.push(("score", passage.score.into()));
    }
    if let Some(hash) = &check.page_hash {
        fields.push(("page_hash", masked(hash).into()));
    }
    review.doc.set("vault_check", Safe::object(fields));
}

/// Writes a review's flags, and `conflict` with them: where there was no vault to ask, both stay as they were.
pub(super) fn set_flags(review: &mut Review, flags: &[Flag]) {
    if flags.contains(&Flag::Conflict) {
        review.doc.set("conflict", true);
    } else {
        review.doc.remove("conflict");
    }
    review.doc.set(
        "flags",
        Safe::list(Flag::ALL.into_iter().filter(|flag| flags.contains(flag)).map(|flag| Safe::word(flag.name()))),
    );
}

/// Whether the evidence stands on the page that was proposed.
pub(super) fn is_on_page(check: &Check, page: Option<&Masked>) -> bool {
    let evidence = check.passages.first().map(|passage| passage.page.as_str());
    page.is_some_and(|page| evidence.is_some_and(|evidence| same_page(evidence, page.as_str())))
}

fn same_page(a: &str, b: &str) -> bool {
    let name = |page: &str| page.trim_start_matches("./").trim_end_matches(".md").to_lowercase();
    name(a) == name(b)
}

fn discard(review: &mut Review, now: Timestamp) {
    review.doc.set("status", Safe::word(Status::Discarded.name()));
    review.doc.set("finished_at", now);
    review.doc.push(
        "history",
        Safe::object([
            ("at", now.into()),
            ("by", Safe::login("vault-check")),
            ("action", Safe::word("discard")),
            ("from", Safe::word(Status::Pending.name())),
            ("to", Safe::word(Status::Discarded.name())),
            ("reason", Safe::word("the proposed page says the same; see vault_check")),
        ]),
    );
}

fn source(proposal: &Proposal, now: Timestamp) -> Safe {
    Safe::object([
        ("session", proposal.session.as_ref().map_or_else(Safe::null, Safe::from)),
        ("turn", proposal.turn.into()),
        ("agent", proposal.agent.clone().into()),
        ("at", now.into()),
    ])
}
