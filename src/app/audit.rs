//! Reading the audit log.

use super::Context;
use super::error::Result;
use crate::domain::time::Timestamp;
use crate::store::audit::{Head, Line, Report};

/// Which entries to show.
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// At or after this.
    pub since: Option<Timestamp>,
    /// Whose actor is this.
    pub actor: Option<String>,
    /// Whose operation is this, or begins with it (`review` or `review.approve`).
    pub op: Option<String>,
    /// Whose target holds this.
    pub target: Option<String>,
    /// Only the last so many.
    pub limit: Option<usize>,
}

/// The entries asked for, oldest first.
///
/// # Errors
/// When the log can't be read.
pub fn show(ctx: &Context, query: &AuditQuery) -> Result<Vec<Line<'static>>> {
    let mut found = std::collections::VecDeque::new();
    ctx.store.audit_lines(|line| {
        if query.lets(line) {
            if query.limit.is_some_and(|limit| found.len() >= limit) {
                found.pop_front();
            }
            if query.limit != Some(0) {
                found.push_back(line.to_owned_line());
            }
        }
        true
    })?;
    Ok(found.into())
}

impl AuditQuery {
    fn lets(&self, line: &Line<'_>) -> bool {
        let is_op =
            |op: &String| line.op == *op || line.op.strip_prefix(op.as_str()).is_some_and(|rest| rest.starts_with('.'));
        let since = |since| Timestamp::parse(&line.ts).is_ok_and(|at| at >= since);
        self.since.is_none_or(since)
            && self.actor.as_ref().is_none_or(|actor| line.actor == *actor)
            && self.op.as_ref().is_none_or(is_op)
            && self
                .target
                .as_ref()
                .is_none_or(|part| line.target.as_ref().is_some_and(|target| target.contains(part.as_str())))
    }
}

/// Checks the whole chain; `expected_head` is a hash that was kept elsewhere.
///
/// # Errors
/// When the log can't be read.
pub fn verify(ctx: &Context, expected_head: Option<&str>) -> Result<Report> {
    Ok(ctx.store.audit_verify(expected_head)?)
}

/// The end of the chain.
///
/// # Errors
/// When the log can't be read.
pub fn head(ctx: &Context) -> Result<Head> {
    Ok(ctx.store.audit_head()?)
}
