//! What agents and people do with sessions.

mod append;
mod context;
mod manage;
mod record;

pub(crate) use append::LOWERED;
pub use append::{Appended, Request as AppendRequest, append, evidence_without_memory, refuse_input};
pub use context::{Fact, Pack, TurnSummary, context};
pub(in crate::app) use manage::owned_by;
pub use manage::{Closed, ListQuery, Listed, Lookup, Opened, close, list, lookup, new, show};
