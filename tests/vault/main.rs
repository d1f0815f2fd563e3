//! The vault check on pages and facts of our own: figures that must hold, and the hard cases one by one.

mod cases;
mod figures;
mod reading;
