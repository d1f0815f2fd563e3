//! Deciding: what only a human does. Each decision is checked again under the lock, whatever was shown before.

use serde_json::Value;

use super::filing::{is_on_page, set_flags, wording, write_check};
use super::list::{check_now, check_writable, load, query, worded};
use crate::app::context::count_findings;
use crate::app::error::{Error, Refusal, Result, Why};
use crate::app::mask::credential_warnings;
use crate::app::{Context, Operation, blocks, vault};
use crate::domain::block::BlockId;
use crate::domain::doc::Safe;
use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::review::{EXPIRES_AFTER, FactStatus, Flag, Kind, Review, Status};
use crate::domain::session::CLOSED_AFTER;
use crate::domain::time::Timestamp;
use crate::mask::{Finding, Masked, Raw};
use crate::store::{Change, Shelf};
use crate::vault::{Check, Verdict};

/// How a review is approved.
#[derive(Default)]
pub struct ApproveRequest {
    /// The reviewer's name, one of the user's own.
    pub reviewer: String,
    /// The proof of source: text, URL, commit or path.
    pub evidence: Option<Raw>,
    /// Why it holds although the vault contradicts it, or it reads like a plan.
    pub resolve: Option<Raw>,
    /// That it reads like an instruction to a model has been seen.
    pub acknowledge: bool,
    /// The mark of what the reviewer was shown ([`Review::mark`], or the start of it); a text changed since is not approved.
    pub shown: Option<String>,
}

impl ApproveRequest {
    /// The evidence; blanks are none.
    fn evidence(&self) -> Option<&Raw> {
        self.evidence.as_ref().filter(|text| !text.expose().trim().is_empty())
    }

    /// Why it holds all the same; blanks are no reason.
    fn reason(&self) -> Option<&Raw> {
        self.resolve.as_ref().filter(|text| !text.expose().trim().is_empty())
    }
}

/// A review that was approved.
#[derive(Clone, Debug)]
pub struct Approval {
    /// The review.
    pub id: ReviewId,
    /// The block to put into the page.
    pub paste: Paste,
    /// The memory block that is verified with it.
    pub verified: Option<BlockId>,
    /// What the reviewer should know.
    pub warnings: Vec<String>,
}

/// What a human writes into the vault; nothing else writes there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paste {
    /// The page.
    pub page: Option<String>,
    /// What to change there.
    pub change: Option<String>,
    /// The text to paste.
    pub block: String,
}

/// What stands between a review and its approval with this request, that first against which no flag helps.
///
/// # Errors
/// When the review is not found, or can't be read.
pub fn obstacles(ctx: &Context, id: &ReviewId, request: &ApproveRequest) -> Result<Vec<Why>> {
    let (review, _) = load(ctx, id)?;
    let check = check_now(ctx, &review);
    let evidence = request.evidence().map(|text| ctx.masker().mask(text.one_line().expose()).text);
    all_whys(ctx, &review, &check, request, evidence.as_ref())
}

fn all_whys(
    ctx: &Context,
    review: &Review,
    check: &Check,
    request: &ApproveRequest,
    evidence: Option<&Masked>,
) -> Result<Vec<Why>> {
    let review = &worded(review.clone());
    let status = review.status(ctx.now());
    let mut whys = Vec::new();
    if !status.may_become(Status::Approved) || status != Status::Pending {
        whys.push(Why::Status { status, decided: decided(review) });
    }
    if request.shown.as_deref().is_some_and(|shown| !review.mark().starts_with(shown)) {
        whys.push(Why::Changed);
    }
    whys.extend(blocks::standing_in_the_way(ctx, review)?);
    let fields = review.masked_fields();
    if !fields.is_empty() {
        whys.push(Why::PersonalData { fields });
    }
    if let Some(session) = review.session()
        && let Some(closes_at) = open_until(ctx, &session)?
    {
        whys.push(Why::SessionOpen { session, closes_at });
    }
    let has_reason = request.reason().is_some();
    if is_conflict(review, check) && !has_reason {
        let passage = check.passages.first().filter(|_| check.verdict == Verdict::Contradicts);
        let noted = || {
            let check = review.doc.get("vault_check")?;
            Some(format!("{}:{}", check.get("page")?.as_str()?, check.get("line")?.as_u64()?))
        };
        let place = passage.map(|passage| format!("{}:{}", passage.page, passage.line)).or_else(noted);
        whys.push(Why::Conflict { place });
    }
    if review.has(Flag::Suspicious) && !request.acknowledge {
        whys.push(Why::Suspicious { found: review.doc.texts("suspicious").map(str::to_owned).collect() });
    }
    if review.has(Flag::Hedged) && !has_reason {
        whys.push(Why::Hedged { word: review.doc.text("hedged").map(str::to_owned) });
    }
    match evidence {
        None if review.kind().needs_evidence() => whys.push(Why::NoEvidence),
        Some(text) if !says_something(text) && review.kind().needs_evidence() => whys.push(Why::EmptyEvidence),
        _ => {}
    }
    Ok(whys)
}

/// Whether anything is left of a text after masking: a letter or digit outside of the placeholders.
fn says_something(text: &Masked) -> bool {
    !text.is_only_placeholders() && text.as_str().contains(char::is_alphanumeric)
}

/// Sets the flags that follow from a check and from the wording.
pub(super) fn flag_anew(review: &mut Review, check: &Check) {
    let mut flags = wording(review);
    flags.extend(is_conflict(review, check).then_some(Flag::Conflict));
    flags.extend(review.has(Flag::PreviouslyRejected).then_some(Flag::PreviouslyRejected));
    set_flags(review, &flags);
}

/// Whether the vault contradicts it: by the check made now, else by the flag it was filed with.
fn is_conflict(review: &Review, check: &Check) -> bool {
    match check.verdict {
        Verdict::Contradicts => true,
        Verdict::NoVault => review.has(Flag::Conflict),
        Verdict::Identical | Verdict::Similar | Verdict::Absent => false,
    }
}

/// When a session that is still open closes by itself; `None`: it is not open, or gone.
fn open_until(ctx: &Context, session: &SessionId) -> Result<Option<Timestamp>> {
    let Some(found) = ctx.store.session(session)? else { return Ok(None) };
    let is_open = found.session.state(ctx.now()).is_open();
    Ok(found.session.last_active().filter(|_| is_open).map(|last| last.plus(CLOSED_AFTER)))
}

/// Approves a review: sets it, and it alone, to `verified` where there is evidence.
///
/// # Errors
/// The first obstacle there is, or that the tree can't be written.
pub fn approve(ctx: &Context, id: &ReviewId, request: &ApproveRequest) -> Result<Approval> {
    decision(ctx, "review.approve", id, &request.reviewer, |deciding| {
        let check = check_now(ctx, &deciding.review);
        let evidence = request.evidence().map(|text| deciding.take_in("evidence", text));
        let resolve = request.reason().map(|text| deciding.take_in("resolve", text));
        let whys = all_whys(ctx, &deciding.review, &check, request, evidence.as_ref())?;
        if let Some(why) = whys.into_iter().next() {
            return Err(deciding.refuse(why));
        }
        let review = &mut deciding.review;
        let mut warnings = Vec::new();
        if review.kind() == Kind::Decision && review.doc.text("decided_on").is_none() {
            warnings.push("the decision carries no date (decided_on); the page should name one".to_owned());
        }
        if check.verdict == Verdict::Identical {
            warnings.push("the vault says so already".to_owned());
        }
        if check.verdict != Verdict::NoVault {
            write_check(review, &check, ctx, ctx.now());
        }
        flag_anew(review, &check);
        let mut extra = Vec::new();
        if let Some(evidence) = &evidence {
            extra.push(("evidence", Safe::from(evidence)));
        }
        extra.extend(resolve.map(|resolve| ("resolve", resolve.into())));
        if request.acknowledge {
            extra.push(("acknowledged", true.into()));
        }
        extra.push(("fact_status_before", Safe::word(review.fact_status().name())));
        if let Some(evidence) = &evidence {
            review.doc.set("fact_status", Safe::word(FactStatus::Verified.name()));
            review.doc.set("verified_by", Safe::login(&request.reviewer));
            review.doc.set("verified_at", ctx.now());
            review.doc.set("evidence", evidence);
        }
        deciding.become_(Status::Approved, "approve", extra);
        let paste = paste(&deciding.review, &request.reviewer, evidence.as_ref(), ctx.now());
        warnings.append(&mut deciding.warnings);
        Ok(Approval { id: id.clone(), paste, verified: deciding.review.block(), warnings })
    })
}

fn paste(review: &Review, reviewer: &str, evidence: Option<&Masked>, now: Timestamp) -> Paste {
    let day = now.to_string().chars().take(10).collect::<String>();
    let verb = if evidence.is_some() { "verified" } else { "approved" };
    // A file made by hand may hold several lines, of which only the first would be this review's.
    let fact = Raw::new(review.fact()).one_line();
    let mut block = format!("- {}", fact.expose());
    let mut detail = |label: &str, text: &str| block.extend(["\n  - ", label, ": ", text]);
    let details = [
        ("consequence", review.doc.text("consequence")),
        ("decided on", review.doc.text("decided_on")),
        ("source", evidence.map(Masked::as_str)),
    ];
    for (label, text) in details {
        if let Some(text) = text {
            detail(label, text);
        }
    }
    detail(verb, &format!("{day} by {reviewer} ({})", review.id));
    Paste {
        page: review.doc.text("proposed_obsidian_page").map(str::to_owned),
        change: review.doc.text("proposed_change").map(str::to_owned),
        block,
    }
}

/// A review that was rejected.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The review.
    pub id: ReviewId,
    /// What the reviewer should know.
    pub warnings: Vec<String>,
}

/// Rejects a review, with the reason kept. `shown`: the mark of what the reviewer was shown, where there is one.
///
/// # Errors
/// When there is no reason, the review is not pending or was changed since it was shown, or the tree can't be written.
pub fn reject(ctx: &Context, id: &ReviewId, reviewer: &str, reason: &Raw, shown: Option<&str>) -> Result<Rejected> {
    decision(ctx, "review.reject", id, reviewer, |deciding| {
        deciding.require(Status::Rejected)?;
        if shown.is_some_and(|shown| !deciding.review.mark().starts_with(shown)) {
            return Err(deciding.refuse(Why::Changed));
        }
        if !reason.says_something() {
            return Err(deciding.refuse(Why::NoReason));
        }
        let before = deciding.review.fact_status();
        deciding.review.doc.set("fact_status", Safe::word(FactStatus::Rejected.name()));
        let reason = deciding.take_in("reason", reason);
        let extra = vec![("reason", reason.into()), ("fact_status_before", Safe::word(before.name()))];
        deciding.become_(Status::Rejected, "reject", extra);
        Ok(Rejected { id: id.clone(), warnings: std::mem::take(&mut deciding.warnings) })
    })
}

/// A review whose fact is in the vault now.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The review.
    pub id: ReviewId,
    /// What the vault says: [`Verdict::Identical`], unless it was not to be looked at or there is none.
    pub check: Check,
    /// Whether the reviewer has said that it stands there in other words.
    pub unchecked: bool,
}

/// Marks an approved review as written into the vault, after reading the page again.
///
/// # Errors
/// When it is not approved, or the page does not say it and `unchecked` is not set.
pub fn transferred(ctx: &Context, id: &ReviewId, reviewer: &str, unchecked: bool) -> Result<Transfer> {
    decision(ctx, "review.transferred", id, reviewer, |deciding| {
        deciding.require(Status::Transferred)?;
        let check = vault::check_written(ctx, query(&deciding.review));
        let page = deciding.review.doc.masked_text("proposed_obsidian_page");
        let is_there = match check.verdict {
            Verdict::NoVault => true,
            // On another page it may be a note of the conversation itself.
            Verdict::Identical => page.is_none() || is_on_page(&check, page.as_ref()),
            _ => false,
        };
        if !is_there && !unchecked {
            let page = deciding.review.doc.text("proposed_obsidian_page").map(str::to_owned);
            return Err(deciding.refuse(Why::NotInVault { page }));
        }
        if check.verdict != Verdict::NoVault {
            write_check(&mut deciding.review, &check, ctx, ctx.now());
        }
        if check.verdict == Verdict::Identical {
            let mut flags = deciding.review.flags();
            flags.retain(|flag| *flag != Flag::Conflict);
            set_flags(&mut deciding.review, &flags);
        }
        let extra = vec![("unchecked", Safe::from(check.verdict != Verdict::Identical))];
        deciding.become_(Status::Transferred, "transfer", extra);
        Ok(Transfer { id: id.clone(), check, unchecked })
    })
}

/// A decision that was taken back.
#[derive(Clone, Debug)]
pub struct Undone {
    /// The review.
    pub id: ReviewId,
    /// The decision that was taken back, a verb.
    pub action: String,
    /// The status the review has now.
    pub status: Status,
    /// When it expires now, where it is pending again.
    pub expires_at: Option<Timestamp>,
}

/// Takes the last decision back, a human's or the vault check's. A review that is pending again has 14 days anew.
///
/// # Errors
/// When there is none, or the tree can't be written.
pub fn undo(ctx: &Context, id: &ReviewId, reviewer: &str) -> Result<Undone> {
    decision(ctx, "review.undo", id, reviewer, |deciding| {
        let stored = deciding.review.stored_status();
        let taken = deciding.review.last_decision().and_then(|entry| {
            let word = |key: &str| entry.get(key).and_then(Value::as_str);
            let (from, to) = (Status::from_name(word("from")?)?, Status::from_name(word("to")?)?);
            let before = word("fact_status_before").and_then(FactStatus::from_name);
            (to == stored && to.may_become(from))
                .then(|| (word("action").unwrap_or("decision").to_owned(), from, before))
        });
        let Some((action, status, fact_status)) = taken else {
            return Err(deciding.refuse(Why::NothingToUndo));
        };
        let doc = &mut deciding.review.doc;
        if let Some(fact_status) = fact_status {
            doc.set("fact_status", Safe::word(fact_status.name()));
        }
        if status == Status::Pending {
            for field in ["verified_by", "verified_at", "evidence"] {
                doc.remove(field);
            }
            doc.set("expires_at", ctx.now().plus(EXPIRES_AFTER));
        }
        deciding.become_(status, "undo", []);
        let expires_at = deciding.review.expires_at().filter(|_| status == Status::Pending);
        Ok(Undone { id: id.clone(), action, status, expires_at })
    })
}

/// A decision under way, under the lock.
pub(super) struct Deciding<'a> {
    ctx: &'a Context,
    reviewer: &'a str,
    pub(super) review: Review,
    /// What was masked in what the reviewer said.
    findings: Vec<Finding>,
    warnings: Vec<String>,
}

impl Deciding<'_> {
    /// Takes in what a reviewer says, on one line and masked; a credential in it is warned of.
    fn take_in(&mut self, field: &str, text: &Raw) -> Masked {
        let masking = self.ctx.masker().mask(text.one_line().expose());
        self.warnings.extend(credential_warnings(&masking.findings, Some(field)));
        self.findings.extend(masking.findings);
        masking.text
    }

    pub(super) fn refuse(&self, why: Why) -> Error {
        Refusal::Review { id: self.review.id.clone(), why }.into()
    }

    /// Refuses unless the review may become `next` now.
    pub(super) fn require(&self, next: Status) -> Result<()> {
        let status = self.review.status(self.ctx.now());
        if status.may_become(next) {
            return Ok(());
        }
        Err(self.refuse(Why::Status { status, decided: decided(&self.review) }))
    }

    /// Sets the status and writes the decision into the history.
    fn become_(&mut self, next: Status, action: &'static str, extra: impl IntoIterator<Item = (&'static str, Safe)>) {
        let now = self.ctx.now();
        let from = self.review.stored_status();
        let mut entry = vec![
            ("at", Safe::from(now)),
            ("by", Safe::login(self.reviewer)),
            ("action", Safe::word(action)),
            ("from", Safe::word(from.name())),
            ("to", Safe::word(next.name())),
        ];
        entry.extend(extra);
        let doc = &mut self.review.doc;
        doc.set("status", Safe::word(next.name()));
        doc.push("history", Safe::object(entry));
        if next.is_finished() {
            doc.set("finished_at", now);
        } else {
            doc.remove("finished_at");
        }
    }
}

/// Makes one decision: who may, then the lock, the review as it is now, the rule, and one change with its audit entry.
pub(super) fn decision<T>(
    ctx: &Context,
    op: &'static str,
    id: &ReviewId,
    reviewer: &str,
    decide: impl FnOnce(&mut Deciding<'_>) -> Result<T>,
) -> Result<T> {
    let operation = Operation::new(op).on(id);
    // Whoever calls, the user's right to decide is looked at here.
    let reviewer = ctx.audited(&operation, || ctx.actor().reviewer(&ctx.config, Some(reviewer)))?;
    let operation = operation.reviewed_by(&reviewer);
    ctx.audited(&operation, || {
        let tree = ctx.lock()?;
        let (review, shelf) = load(ctx, id)?;
        check_writable(&review)?;
        let mut deciding =
            Deciding { ctx, reviewer: &reviewer, review: review.clone(), findings: Vec::new(), warnings: Vec::new() };
        let outcome = decide(&mut deciding)?;
        if deciding.review == review {
            return Ok(outcome);
        }
        let to = if deciding.review.stored_status().is_finished() { Shelf::Archived } else { Shelf::Queue };
        let mut change = Change::new();
        change.put_review(&deciding.review, Some(shelf), to)?;
        change.audit(ctx.entry(&operation, "ok", count_findings(&deciding.findings)));
        // A block is what its review says of it, in the same step.
        match blocks::follow(ctx, &tree, &review, &deciding.review, &reviewer)? {
            Some(writer) => tree.commit_blocks(change, writer)?,
            None => tree.commit(change)?,
        }
        Ok(outcome)
    })
}

/// Who decided last, and when.
fn decided(review: &Review) -> Option<(String, Option<Timestamp>)> {
    let entry = review.last_decision()?;
    let at = entry.get("at").and_then(Value::as_str).and_then(|at| Timestamp::parse(at).ok());
    Some((entry.get("by")?.as_str()?.to_owned(), at))
}
