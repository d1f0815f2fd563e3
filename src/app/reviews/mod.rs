//! The review queue: filing proposals, and what people decide about them.

pub mod batch;
mod create;
mod decide;
mod edit;
pub mod filing;
mod list;
mod stats;

pub use create::{CreateRequest, Created, create, refuse_input};
pub use decide::{
    Approval, ApproveRequest, Paste, Rejected, Transfer, Undone, approve, obstacles, reject, transferred, undo,
};
pub use edit::{Edit, Editable, Edited, edit};
pub use filing::Filed;
pub use list::{ListQuery, Shown, Sort, list, list_marked, load, show};
pub(in crate::app) use stats::reminder;
pub use stats::{Reminder, Stats, StatsQuery, remind, stats};
