//! The `hermes-mem` program.
fn main() {}
