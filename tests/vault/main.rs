//! The vault check on pages and facts of our own: figures that must hold, and the hard cases one by one.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod cases;
mod figures;
mod reading;
