//! Structured memory blocks (ADR-001): keeping, finding, deciding, forgetting.
//!
//! Whoever writes holds the tree's lock, and hands blocks, files and audit lines to one commit. Only a human confirms,
//! verifies (by `review approve`), rejects or forgets.

mod add;
mod decide;
mod forget;
mod read;

pub use add::{AddRequest, AddedBlock, AddedBlocks, add, refuse_input};
pub(in crate::app) use add::{block_of, mask};
pub use decide::{Confirmed, Proposed, confirm, propose};
pub(in crate::app) use decide::{follow, proposal, standing_in_the_way};
pub use forget::{Forgotten, forget, forgettable};
pub use read::{About, about, all, get, history, latest, list, resolve, search, stats};
