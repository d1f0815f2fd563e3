//! The memory layer of the Hermes agents.

pub mod mask;
pub mod vault;
