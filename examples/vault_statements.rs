//! Prints what the vault layer reads from a page: `cargo run --example vault_statements -- VAULT_DIR PAGE`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool for people, not part of the program"
)]

use hermes_mem::vault::{Settings, Vault};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(root), Some(page)) = (args.next(), args.next()) else {
        return Err("usage: vault_statements VAULT_DIR PAGE".into());
    };
    let vault = Vault::open(&Settings { path: root.into(), ..Settings::default() }, None)?;
    for passage in vault.statements(&page) {
        println!("{:>5}  {}", passage.line, passage.sentence);
    }
    Ok(())
}
