//! The `hermes-mem` program: everything is in the library.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::CompleteEnv;
use hermes_mem::cli::{self, args::Cli, env::Environment};

fn main() -> ExitCode {
    cli::panic::install();
    CompleteEnv::with_factory(Cli::command).complete();
    ExitCode::from(cli::run(std::env::args_os().collect(), Environment::read()))
}
