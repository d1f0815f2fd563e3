//! Listing and showing reviews.

use serde_json::{Map, Value};

use super::filing::{set_flags, wording};
use crate::app::error::{NotFound, Result};
use crate::app::{Context, vault};
use crate::domain::agent::AgentId;
use crate::domain::append::check_page;
use crate::domain::doc::Safe;
use crate::domain::fold::fold;
use crate::domain::ids::ReviewId;
use crate::domain::review::{Flag, Kind, Review, Status};
use crate::domain::session::State;
use crate::domain::time::Timestamp;
use crate::store::{ReviewQuery, Shelf, Skipped, StoreError, Summary};
use crate::vault::{Check, Query};

/// In which order reviews are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Conflicts first, then what expires soonest.
    #[default]
    Urgency,
    /// What expires soonest first.
    Expires,
    /// The oldest first.
    Age,
    /// By project, then age.
    Project,
    /// By page, then age.
    Page,
}

/// Which reviews to list.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    /// Only with these statuses; empty: with any.
    pub statuses: Vec<Status>,
    /// Only of a project whose name holds this, whatever the case.
    pub project: Option<String>,
    /// Only this agent's.
    pub agent: Option<AgentId>,
    /// Only for a page whose path holds this, whatever the case.
    pub page: Option<String>,
    /// Only those that the vault contradicts.
    pub conflict: bool,
    /// Only of these kinds; empty: of any.
    pub kinds: Vec<Kind>,
    /// Only filed so many seconds ago or longer.
    pub older_than: Option<i64>,
    /// Only filed at or after this.
    pub since: Option<Timestamp>,
    /// Only whose fact, project or page holds these words, in any order and case.
    pub search: Option<String>,
    /// The order.
    pub sort: Sort,
    /// At most so many.
    pub limit: Option<usize>,
}

/// The reviews asked for and the files that could not be read.
///
/// # Errors
/// When the queue can't be listed.
pub fn list(ctx: &Context, query: &ListQuery) -> Result<(Vec<Summary>, Vec<Skipped>)> {
    let now = ctx.now();
    let has = |status| query.statuses.is_empty() || query.statuses.contains(&status);
    let archived = Status::ALL.into_iter().filter(|status| status.is_finished()).any(has);
    // An overdue review lies in the queue until the sweep, whatever its status.
    let reads = ReviewQuery { queue: true, archived_since: archived.then_some(None), now };
    let (mut found, skipped) = ctx.store.review_summaries(reads)?;
    let filter = Filter::new(query, now);
    found.retain(|summary| has(summary.status) && filter.lets(summary));
    sort(&mut found, query.sort);
    found.truncate(query.limit.unwrap_or(usize::MAX));
    Ok((found, skipped))
}

/// The reviews asked for, each with the mark of its texts as they are listed ([`Review::mark`]); what can't be read is
/// left out.
///
/// # Errors
/// When the queue can't be listed.
pub fn list_marked(ctx: &Context, query: &ListQuery) -> Result<Vec<(Summary, String)>> {
    let (found, _) = list(ctx, query)?;
    let marked = |mut summary: Summary| {
        let (review, _) = load(ctx, &summary.id).ok()?;
        // Of one reading: what is listed is what the mark is of.
        review.fact().clone_into(&mut summary.fact);
        summary.page = review.doc.text("proposed_obsidian_page").map(str::to_owned);
        let mark = review.mark();
        summary.flags = worded(review).flags();
        Some((summary, mark))
    };
    Ok(found.into_iter().filter_map(marked).collect())
}

struct Filter<'a> {
    query: &'a ListQuery,
    now: Timestamp,
    project: Option<String>,
    page: Option<String>,
    words: Vec<String>,
}

impl<'a> Filter<'a> {
    fn new(query: &'a ListQuery, now: Timestamp) -> Self {
        let lower = |text: &Option<String>| text.as_deref().map(str::to_lowercase);
        let words = query.search.as_deref().map(fold).unwrap_or_default();
        let words = words.split_whitespace().map(str::to_owned).collect();
        Self { query, now, project: lower(&query.project), page: lower(&query.page), words }
    }

    fn lets(&self, summary: &Summary) -> bool {
        let query = self.query;
        let holds = |text: Option<&String>, part: &str| text.is_some_and(|text| text.to_lowercase().contains(part));
        let agent = |name: &str| query.agent.as_ref() == AgentId::parse(name).ok().as_ref();
        self.project.as_ref().is_none_or(|part| holds(summary.project.as_ref(), part))
            && self.page.as_ref().is_none_or(|part| holds(summary.page.as_ref(), part))
            && (query.agent.is_none() || summary.agent.as_deref().is_some_and(agent))
            && (!query.conflict || summary.is_conflict())
            && (query.kinds.is_empty() || query.kinds.contains(&summary.kind))
            && query.since.is_none_or(|since| summary.created_at >= Some(since))
            && query.older_than.is_none_or(|age| summary.created_at.is_some_and(|at| self.now.since(at) >= age))
            && self.finds(summary)
    }

    fn finds(&self, summary: &Summary) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let texts = [Some(&summary.fact), summary.project.as_ref(), summary.page.as_ref()];
        let text = texts.into_iter().flatten().map(|text| fold(text)).collect::<Vec<_>>().join(" ");
        self.words.iter().all(|word| text.contains(word))
    }
}

pub(super) fn sort(found: &mut [Summary], sort: Sort) {
    let expires = |summary: &Summary| summary.expires_at.map_or(i64::MAX, Timestamp::unix);
    let age = |summary: &Summary| summary.created_at.map_or(i64::MAX, Timestamp::unix);
    match sort {
        Sort::Urgency => {
            found.sort_by(|a, b| (!a.is_conflict(), expires(a), &a.id).cmp(&(!b.is_conflict(), expires(b), &b.id)));
        }
        Sort::Expires => found.sort_by(|a, b| (expires(a), &a.id).cmp(&(expires(b), &b.id))),
        Sort::Age => found.sort_by(|a, b| (age(a), &a.id).cmp(&(age(b), &b.id))),
        Sort::Project => found.sort_by(|a, b| (&a.project, age(a), &a.id).cmp(&(&b.project, age(b), &b.id))),
        Sort::Page => found.sort_by(|a, b| (&a.page, age(a), &a.id).cmp(&(&b.page, age(b), &b.id))),
    }
}

/// Everything about one review.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The review.
    pub review: Review,
    /// Its true status.
    pub status: Status,
    /// The turn it comes from, if that still exists.
    pub turn: Option<Map<String, Value>>,
    /// The state of the session it comes from, if that still exists.
    pub session_state: Option<State>,
    /// What the vault says now.
    pub check: Check,
}

/// A review with all that a decision needs.
///
/// # Errors
/// When it is not found, or can't be read.
pub fn show(ctx: &Context, id: &ReviewId) -> Result<Shown> {
    let (review, _) = load(ctx, id)?;
    let session = match review.session() {
        // A source that can't be read is no reason not to show the review.
        Some(session) => ctx.store.session(&session).ok().flatten(),
        None => None,
    };
    let turn = session.as_ref().and_then(|found| {
        let number = review.doc.number("source_turn")?;
        found.session.turn(number).map(|turn| turn.0.clone())
    });
    let check = check_now(ctx, &review);
    let review = worded(review);
    Ok(Shown {
        status: review.status(ctx.now()),
        turn,
        session_state: session.map(|found| found.session.state(ctx.now())),
        check,
        review,
    })
}

/// What the vault says about a review's fact now.
pub(super) fn check_now(ctx: &Context, review: &Review) -> Check {
    vault::check(ctx, query(review))
}

/// What a review asks of the vault.
pub(super) fn query(review: &Review) -> Query<'_> {
    Query {
        fact: review.fact(),
        page: review.doc.text("proposed_obsidian_page").filter(|page| check_page(page).is_ok()),
        project: review.doc.text("project"),
    }
}

/// A review with the flags that its wording calls for, besides those that its file carries: a file made by hand or by an
/// earlier version may carry none.
pub(super) fn worded(mut review: Review) -> Review {
    let mut read = review.clone();
    let found = wording(&mut read);
    let mut flags = review.flags();
    for (flag, field) in [(Flag::Suspicious, "suspicious"), (Flag::Hedged, "hedged")] {
        if found.contains(&flag) {
            review.doc.set(field, Safe::kept(read.doc.get(field).cloned().unwrap_or_default()));
            if !flags.contains(&flag) {
                flags.push(flag);
                set_flags(&mut review, &flags);
            }
        }
    }
    review
}

/// A review and the shelf it lies on.
///
/// # Errors
/// When it is not found, or can't be read.
pub fn load(ctx: &Context, id: &ReviewId) -> Result<(Review, Shelf)> {
    let found = ctx.store.review(id)?;
    found.ok_or_else(|| NotFound::Id { noun: "review", given: id.to_string(), nearest: None }.into())
}

/// A review that a newer version wrote is shown and never written.
pub(super) fn check_writable(review: &Review) -> Result<()> {
    if review.doc.is_writable() {
        return Ok(());
    }
    let path = format!("{}.json", review.id).into();
    let known = crate::domain::doc::SCHEMA_VERSION;
    Err(StoreError::Newer { path, version: review.doc.schema_version(), known }.into())
}
