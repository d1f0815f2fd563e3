//! `vault …`

use clap::{Args, Subcommand};

use super::Outcome;
use crate::app::vault;
use crate::cli::{Exit, Session, report};
use crate::vault::Query;

/// Asking the vault.
#[derive(Debug, Subcommand)]
pub enum VaultCommand {
    /// Say whether the vault holds a fact, or its opposite
    Check(CheckArgs),
    /// Find the passages nearest to some words
    Search(SearchArgs),
    /// List the pages that are read
    Pages,
}

/// Arguments of `vault check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The fact, one sentence
    #[arg(value_name = "FACT")]
    pub fact: String,
    /// The page it is proposed for, relative to the vault
    #[arg(long, value_name = "PAGE")]
    pub page: Option<String>,
    /// The project it is about
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
}

/// Arguments of `vault search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// The words
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// At most N passages
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,
}

/// Runs a vault command.
pub(super) fn run(command: VaultCommand, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    match command {
        VaultCommand::Check(args) => {
            let query = Query { fact: &args.fact, page: args.page.as_deref(), project: args.project.as_deref() };
            let check = vault::check(&ctx, query);
            report::vault::check(&check, &ctx, &mut session.ui);
        }
        VaultCommand::Search(args) => {
            let found = vault::search(&ctx, &args.query, args.limit)?;
            report::vault::passages(&found, &ctx, &mut session.ui);
        }
        VaultCommand::Pages => {
            let (pages, warnings) = vault::pages(&ctx)?;
            report::vault::pages(&pages, &warnings, &ctx, &mut session.ui);
        }
    }
    Ok(Exit::Done)
}
