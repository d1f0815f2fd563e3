//! The one integration binary: the program as its users run it.
#![allow(clippy::disallowed_methods, reason = "tests make, read and damage files as anybody may")]

#[cfg(test)]
mod append;
#[cfg(test)]
mod audited;
#[cfg(test)]
mod canaries;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod first;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod prompt;
#[cfg(test)]
mod queue;
#[cfg(test)]
mod review;
#[cfg(test)]
mod tree;
#[cfg(test)]
mod turns;
#[cfg(test)]
mod vault;
#[cfg(test)]
mod world;
