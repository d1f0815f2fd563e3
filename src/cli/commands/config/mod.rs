//! `config …`

use clap::Subcommand;

use super::Outcome;
use crate::app::init;
use crate::cli::{Exit, Session, report};

/// Showing and checking the configuration.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Show every value in force and where it came from
    Show,
    /// Check the configuration file
    Check,
}

/// Runs a configuration command.
pub(super) fn run(command: &ConfigCommand, session: &mut Session) -> Outcome {
    let loaded = session.load()?;
    match command {
        ConfigCommand::Show => report::config::show(&loaded, &mut session.ui),
        ConfigCommand::Check => {
            init::modes(&loaded.config)?;
            report::config::checked(&loaded, &mut session.ui);
        }
    }
    Ok(Exit::Done)
}
