//! The one integration binary: the program as its users run it.
#![allow(clippy::disallowed_methods, reason = "tests make, read and damage files as anybody may")]

#[cfg(test)]
mod first;
#[cfg(test)]
mod prompt;
#[cfg(test)]
mod world;
