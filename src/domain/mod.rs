//! Data and rules: what a session, a review and their ids are, and which change of state is allowed. No I/O, no clock.

pub mod agent;
pub mod append;
pub mod block;
pub mod doc;
pub mod erase;
pub mod extract;
pub mod fold;
pub mod hedge;
pub mod ids;
pub mod json;
pub mod migration;
pub mod retention;
pub mod review;
pub mod sentences;
pub mod session;
pub mod slug;
pub mod span;
pub mod suspicion;
pub mod time;
pub mod zone;
