//! `block …`

mod add;
mod change;
mod read;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

pub use read::OneFormat;

use super::Outcome;
use crate::cli::Session;
use crate::domain::block::{BlockStatus, BlockType, Category, Confidence};

/// Keeping and finding typed memories.
#[derive(Debug, Subcommand)]
pub enum BlockCommand {
    /// Keep a memory, or many: from flags, JSON, JSON lines or ADR-001's YAML
    Add(add::AddArgs),
    /// Show one, by its id, a part of it, or its key
    Get(read::GetArgs),
    /// List what holds, what was said last first
    List(read::ListArgs),
    /// Find by words: inflected, in any spelling of an umlaut, parts of compounds, German and English
    ///
    /// Ordered by match, and among what fits about as well by age, confidence and use. A word that nothing has is looked for
    /// in other spellings.
    Search(read::SearchArgs),
    /// Show what is known about an entity: a project, a person, a tool
    About(read::AboutArgs),
    /// Show the last state: the newest of each type
    Latest(read::LatestArgs),
    /// Show every value that a key or a block has had
    History(read::HistoryArgs),
    /// Say that it is so (humans only): it is kept beyond 30 days
    Confirm(change::ConfirmArgs),
    /// File a review for it; approving that verifies it
    Propose(change::ProposeArgs),
    /// Remove it for good, its history included (humans only)
    Forget(change::ForgetArgs),
    /// Print all of them as JSON lines, history included, in a stable order
    Export(read::ExportArgs),
    /// Read in what was exported, or ADR-001's YAML
    Import(add::ImportArgs),
    /// Show how many there are, of which kinds, about whom
    Stats(read::StatsArgs),
}

/// Runs a block command.
pub(super) fn run(command: BlockCommand, session: &mut Session) -> Outcome {
    match command {
        BlockCommand::Add(args) => add::run(args, session),
        BlockCommand::Get(args) => read::get(&args, session),
        BlockCommand::List(args) => read::list(args, session),
        BlockCommand::Search(args) => read::search(args, session),
        BlockCommand::About(args) => read::about(args, session),
        BlockCommand::Latest(args) => read::latest(args, session),
        BlockCommand::History(args) => read::history(&args, session),
        BlockCommand::Confirm(args) => change::confirm(&args, session),
        BlockCommand::Propose(args) => change::propose(args, session),
        BlockCommand::Forget(args) => change::forget(&args, session),
        BlockCommand::Export(_) => read::export(session),
        BlockCommand::Import(args) => add::import(args, session),
        BlockCommand::Stats(_) => read::stats(session),
    }
}

/// Reads one of ADR-001's types.
pub(super) fn block_type() -> impl TypedValueParser<Value = BlockType> {
    PossibleValuesParser::new(BlockType::WORDS).try_map(|word| word.parse::<BlockType>())
}

/// Reads one of ADR-001's categories.
pub(super) fn category() -> impl TypedValueParser<Value = Category> {
    PossibleValuesParser::new(Category::WORDS).try_map(|word| word.parse::<Category>())
}

/// Reads a status.
pub(super) fn status() -> impl TypedValueParser<Value = BlockStatus> {
    PossibleValuesParser::new(BlockStatus::WORDS).try_map(|word| word.parse::<BlockStatus>())
}

/// Reads a confidence.
pub(super) fn confidence(text: &str) -> Result<Confidence, String> {
    text.parse().map_err(|_| "must be a number from 0 to 1, such as 0.8".to_owned())
}
