//! The command line's shape, and the arguments that several commands share.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::commands::{
    audit, backup, block, completions, config, doctor, erase, extract, init, mask, migrate, retention, review, session,
    status, vault,
};
use super::ui::ColorWhen;
use crate::domain::agent::AgentId;
use crate::domain::append::is_date;
use crate::domain::span::Span;
use crate::domain::time::Timestamp;

/// The memory layer of the Hermes agents.
///
/// Agents append what they hear, masked, to short-lived sessions. Facts they propose wait in a review queue until a human
/// approves or rejects them. Nothing is ever written to the vault.
#[derive(Debug, Parser)]
#[command(
    name = "hermes-mem",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    infer_subcommands = false
)]
pub struct Cli {
    /// What applies to every command.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// What applies to every command.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[allow(rustdoc::invalid_html_tags, reason = "the texts are the help, which writes <root> so")]
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The memory tree [env: HERMES_MEM_ROOT] [default: /opt/struktur/memory]
    #[arg(long, value_name = "DIR", global = true, value_hint = clap::ValueHint::DirPath)]
    pub root: Option<PathBuf>,
    /// The configuration [env: HERMES_MEM_CONFIG] [default: <root>/config.toml, /etc/hermes-mem/config.toml]
    #[arg(long, value_name = "FILE", global = true, value_hint = clap::ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Take this moment for the present, to see what would be then [env: HERMES_MEM_NOW]
    #[arg(long, value_name = "RFC3339", global = true, value_parser = timestamp)]
    pub now: Option<Timestamp>,
    /// Answer with one JSON document
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, value_enum, default_value_t)]
    pub color: ColorWhen,
    /// Never ask; refuse instead, naming the command to use
    #[arg(long, global = true)]
    pub no_input: bool,
    /// How long to wait for another writer, such as 30s or 2m [default: 10s]
    #[arg(long, value_name = "SPAN", global = true)]
    pub wait: Option<Span>,
    /// Say only what is asked for, and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more about what is done
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a memory tree, or what is missing of one
    Init(init::InitArgs),
    /// Show on one screen how things are; exit 4 where somebody has to act
    Status(status::StatusArgs),
    /// Write and read conversation memory
    #[command(subcommand)]
    Session(session::SessionCommand),
    /// List, decide and propose what may become knowledge
    #[command(subcommand)]
    Review(review::ReviewCommand),
    /// Say what is kept how long, and remove what is due
    #[command(subcommand)]
    Retention(retention::RetentionCommand),
    /// Remove on request what holds a text, is about an entity, or comes from a session
    ///
    /// Of sessions and archives the fields and list entries go that hold it, in the form in which the tree has it: a name
    /// that was masked is not there to be found. Reviews and blocks go whole, with their history. The audit log keeps
    /// counts. The answer names the day on which the last backup that may hold it goes.
    Erase(erase::EraseArgs),
    /// Make, check and restore encrypted backups
    #[command(subcommand)]
    Backup(backup::BackupCommand),
    /// Keep and find typed memories: preferences, project states, patterns, relations, procedures
    #[command(subcommand)]
    Block(block::BlockCommand),
    /// Find memories in a text or a session by rules: preferences, decisions, project states, tools, people, steps
    ///
    /// Each candidate shows its sentence, the rule and how sure that is; a hedge, a condition, a quotation, a denial, the past
    /// or a joke takes it below the minimum, a question yields nothing. Without --apply nothing is written.
    Extract(extract::ExtractArgs),
    /// Take over what other programs kept: plan it, then run it
    #[command(subcommand)]
    Migrate(migrate::MigrateCommand),
    /// Search the vault, and check facts against it; read only
    #[command(subcommand)]
    Vault(vault::VaultCommand),
    /// Mask personal data and credentials in a text
    Mask(mask::MaskArgs),
    /// Read and check the audit log
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Look for everything in the tree that is not as it should be; exit 6 where there is something
    ///
    /// Every file is read: what can't be understood, lies in two folders or in the wrong one, gives others too many rights,
    /// is none of the program's, or should have been masked; what a command that died has left; the audit chain, the memory
    /// blocks, the backups, and who is who in the configuration.
    Doctor(doctor::DoctorArgs),
    /// Show and check the configuration
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Print a shell's completion script
    Completions(completions::CompletionsArgs),
}

/// Which agent acts.
#[derive(Clone, Debug, Args)]
pub struct AgentArg {
    /// The agent, such as hermes-carlo [env: HERMES_MEM_AGENT]
    #[arg(long, value_name = "NAME")]
    pub agent: Option<AgentId>,
}

/// Whose entries are listed.
#[derive(Clone, Debug, Args)]
pub struct OnlyAgent {
    /// Only this agent's, such as hermes-carlo
    #[arg(long, value_name = "NAME")]
    pub agent: Option<AgentId>,
}

/// Which of the caller's own reviewer names decides.
#[derive(Clone, Debug, Default, Args)]
pub struct ReviewerArg {
    /// Decide under this one of your own reviewer names
    #[arg(long, value_name = "NAME")]
    pub reviewer: Option<String>,
}

/// Reads a moment.
pub fn timestamp(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).map_err(|error| error.to_string())
}

/// A point in the past: a span before now, a date, or a moment.
#[derive(Clone, Copy, Debug)]
pub enum Since {
    /// So long ago.
    Span(Span),
    /// At this moment; a date means its beginning, UTC.
    At(Timestamp),
}

impl Since {
    /// The point, seen from `now`.
    pub fn resolve(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Span(span) => now.plus(-span.signed_seconds()),
            Self::At(at) => at,
        }
    }
}

/// Reads a point in the past: `7d`, `2026-05-21` or RFC 3339.
pub fn since(text: &str) -> Result<Since, String> {
    if let Ok(span) = text.parse() {
        return Ok(Since::Span(span));
    }
    let moment = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    if is_date(text)
        && let Ok(at) = Timestamp::parse(&moment)
    {
        return Ok(Since::At(at));
    }
    Err("not a point in the past: give a span such as 7d, a date such as 2026-05-21, or RFC 3339".to_owned())
}
