//! The memory layer of the Hermes agents: masked, short-lived conversation memory, and a queue in which a person decides
//! what may become lasting knowledge.
//!
//! # The modules
//!
//! Each may use those to its right, never those to its left: `cli → app → {store, vault, legacy} → {mask, domain}`.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`cli`] | the command line: the only layer that knows clap, a terminal or the environment |
//! | [`app`] | the use cases: a [`Context`](app::Context) and a request in, an outcome or an error out; nothing is printed |
//! | [`store`] | the tree on disk: where things lie, atomic changes, the lock, the audit log, blocks and backups |
//! | [`vault`] | the Obsidian vault, read only: pages into claims, search, and whether a fact is there or contradicted |
//! | [`legacy`] | what other programs kept: bytes into entries with their place, and what could not be read |
//! | [`mask`] | personal data and credentials: text in, masked text and findings out |
//! | [`domain`] | data and rules: ids, times, sessions, reviews, what an agent may append; no I/O and no clock |
//!
//! # The files
//!
//! | below the root | what it holds |
//! | --- | --- |
//! | `sessions/{active,idle,closed}/SESSION-….json` | a session with its turns; the folder is the state at the last write |
//! | `sessions/archived/SESSION-….json.gz` | one that has been closed for 7 days |
//! | `review-queue/REVIEW-….json` | a review that waits, or is approved and not yet in the vault |
//! | `review-queue/archived/REVIEW-….json` | one that is decided and done |
//! | `audit/YYYY-MM.jsonl` | the audit log, chained by hashes |
//! | `blocks.db` | the memory blocks, once there are any |
//! | `config.toml` | the configuration, where there is one |
//! | `.locks/tree.lock` | the lock that every writer takes |
//! | `.staging/` | new files on their way, and the journal of the change under way |
//! | `.editing/` | text that is open in a reviewer's editor, where there is no runtime folder for it |
//! | `.cache/` | what can be made anew at any time |
//! | `quarantine/` | what `doctor --repair` could not read, as it was |
//!
//! `ARCHITECTURE.md` tells how a change comes about and how to add to the program.

pub mod app;
pub mod cli;
pub mod domain;
pub mod legacy;
pub mod mask;
pub mod store;
pub mod vault;
