//! The memory layer of the Hermes agents.

pub mod app;
pub mod cli;
pub mod domain;
pub mod mask;
pub mod store;
pub mod vault;
