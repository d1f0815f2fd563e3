//! The one integration binary: the program as its users run it.
#![allow(clippy::disallowed_methods, reason = "tests make, read and damage files as anybody may")]

#[cfg(test)]
mod again;
#[cfg(test)]
mod append;
#[cfg(test)]
mod audited;
#[cfg(test)]
mod backup;
#[cfg(test)]
mod block;
#[cfg(test)]
mod canaries;
#[cfg(test)]
mod chain;
#[cfg(test)]
mod completions;
#[cfg(test)]
mod config;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod damaged;
#[cfg(test)]
mod disk;
#[cfg(test)]
mod doctor;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod erase;
#[cfg(test)]
mod extract;
#[cfg(test)]
mod fire;
#[cfg(test)]
mod first;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod migrate;
#[cfg(test)]
mod output;
#[cfg(test)]
mod passphrase;
#[cfg(test)]
mod power;
#[cfg(test)]
mod prompt;
#[cfg(test)]
mod queue;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod retention;
#[cfg(test)]
mod review;
#[cfg(test)]
mod screen;
#[cfg(test)]
mod surface;
#[cfg(test)]
mod together;
#[cfg(test)]
mod tree;
#[cfg(test)]
mod turns;
#[cfg(test)]
mod users;
#[cfg(test)]
mod vault;
#[cfg(test)]
mod walk;
#[cfg(test)]
mod world;
