//! Use cases: a [`Context`] and a request in, an outcome out. Nothing here knows a terminal, so that later front ends (an HTTP
//! gateway, an MCP server) stand beside `cli` on the same functions.

pub mod actor;
pub mod audit;
pub mod backup;
pub mod blocks;
pub mod clock;
pub mod config;
mod context;
pub mod demo;
pub mod doctor;
pub mod erase;
mod error;
pub mod extract;
pub mod guard;
pub mod init;
pub mod mask;
pub mod migrate;
pub mod resolve;
pub mod retention;
pub mod reviews;
pub mod scan;
pub mod sessions;
pub mod status;
pub mod vault;

pub use context::{Context, Operation};
pub use error::{BackupWhy, BlockWhy, Error, NotFound, Refusal, Result, Why};
