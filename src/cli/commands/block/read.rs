//! `block get | list | search | about | latest | history | export | stats`

use clap::{Args, ValueEnum};

use crate::app::blocks;
use crate::cli::args::{Since, since};
use crate::cli::commands::Outcome;
use crate::cli::commands::review::Format;
use crate::cli::{Exit, Session, complete, report};
use crate::domain::block::{BlockStatus, BlockType, Category, Confidence};
use crate::domain::time::Timestamp;
use crate::store::StoreError;
use crate::store::blocks::{BlockQuery, BlockSort};

/// Which blocks.
#[derive(Clone, Debug, Default, Args)]
pub struct Filters {
    /// Only of these types
    #[arg(long = "type", value_name = "TYPE", value_parser = super::block_type(), value_delimiter = ',')]
    pub types: Vec<BlockType>,
    /// Only of these categories
    #[arg(long, value_name = "CATEGORY", value_parser = super::category(), value_delimiter = ',')]
    pub category: Vec<Category>,
    /// Only at least this sure, such as 0.8
    #[arg(long, value_name = "0..1", value_parser = super::confidence)]
    pub min_confidence: Option<Confidence>,
    /// Only with these statuses [default: all but rejected]
    #[arg(long, value_name = "STATUS", value_parser = super::status(), value_delimiter = ',')]
    pub status: Vec<BlockStatus>,
    /// Only said since: a span such as 7d, a date, or RFC 3339
    #[arg(long, value_name = "WHEN", value_parser = since)]
    pub since: Option<Since>,
    /// What held at that time: a date (its end), a span such as 30d, or RFC 3339
    #[arg(long, value_name = "WHEN", value_parser = as_of)]
    pub as_of: Option<Since>,
}

/// Reads a moment of the past: a date means its last second, so that what was said on it counts.
fn as_of(text: &str) -> Result<Since, String> {
    let at = since(text)?;
    Ok(match at {
        Since::At(at) if text.len() == 10 => Since::At(at.plus(crate::domain::time::DAY - 1)),
        other => other,
    })
}

/// About whom or what.
#[derive(Clone, Debug, Default, Args)]
pub struct EntityArg {
    /// Only about this entity, in any spelling; several must all fit
    #[arg(long = "entity", value_name = "NAME", add = clap_complete::ArgValueCompleter::new(complete::entities))]
    pub entities: Vec<String>,
}

impl Filters {
    /// The query for blocks about these entities.
    pub fn query(self, entities: Vec<String>, now: Timestamp) -> BlockQuery {
        BlockQuery {
            types: self.types,
            categories: self.category,
            entities,
            min_confidence: self.min_confidence,
            statuses: self.status,
            since: self.since.map(|since| since.resolve(now)),
            as_of: self.as_of.map(|at| at.resolve(now)),
            ..BlockQuery::default()
        }
    }
}

/// An order on the command line.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum SortArg {
    /// What was said last first
    #[default]
    Updated,
    /// What was first known last first
    Created,
    /// The surest first
    Confidence,
    /// The most read first
    Access,
    /// By key
    Key,
}

impl From<SortArg> for BlockSort {
    fn from(sort: SortArg) -> Self {
        match sort {
            SortArg::Updated => Self::Updated,
            SortArg::Created => Self::Created,
            SortArg::Confidence => Self::Confidence,
            SortArg::Access => Self::Access,
            SortArg::Key => Self::Key,
        }
    }
}

/// How one block is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OneFormat {
    /// For reading
    #[default]
    Text,
    /// One document, as --json
    Json,
    /// As ADR-001 writes it
    Yaml,
}

/// Whether a reading counts.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct PeekArg {
    /// Do not count the reading
    #[arg(long)]
    pub peek: bool,
}

/// Arguments of `block get`.
#[derive(Debug, Args)]
pub struct GetArgs {
    /// The block: its id, a unique part of it, or its key
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::blocks))]
    pub id: String,
    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: OneFormat,
    /// Whether it counts
    #[command(flatten)]
    pub peek: PeekArg,
}

/// Shows one block.
pub(super) fn get(args: &GetArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let block = blocks::get(&ctx, &args.id, args.peek.peek)?;
    let format = if session.ui.json() { OneFormat::Json } else { args.format };
    report::block::one(&block, format, &ctx, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `block list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Which
    #[command(flatten)]
    pub filters: Filters,
    /// About whom
    #[command(flatten)]
    pub entity: EntityArg,
    /// Only with this key
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// The order of the list
    #[arg(long, value_name = "ORDER", value_enum, default_value_t)]
    pub sort: SortArg,
    /// List at most N
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// The form of the list
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: Format,
}

/// Lists blocks.
pub(super) fn list(args: ListArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let mut query = args.filters.query(args.entity.entities, ctx.now());
    query.key = args.key;
    query.sort = args.sort.into();
    query.limit = args.limit;
    let found = blocks::list(&ctx, &query)?;
    let format = if session.ui.json() { Format::Json } else { args.format };
    report::block::list(&found, format, &ctx, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `block search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// What to look for
    #[arg(value_name = "WORDS", required = true)]
    pub words: Vec<String>,
    /// Which
    #[command(flatten)]
    pub filters: Filters,
    /// About whom
    #[command(flatten)]
    pub entity: EntityArg,
    /// Only the best N
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,
    /// Say why each was found, and what its place comes from
    #[arg(long)]
    pub explain: bool,
    /// Whether it counts
    #[command(flatten)]
    pub peek: PeekArg,
    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: Format,
}

/// Finds blocks by words.
pub(super) fn search(args: SearchArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let query = BlockQuery { limit: Some(args.limit), ..args.filters.query(args.entity.entities, ctx.now()) };
    let hits = blocks::search(&ctx, &args.words.join(" "), &query, args.peek.peek)?;
    let format = if session.ui.json() { Format::Json } else { args.format };
    report::block::hits(&hits, args.explain, format, &ctx, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `block about`.
#[derive(Debug, Args)]
pub struct AboutArgs {
    /// The entity: a project, a person, a tool; any spelling will do
    #[arg(value_name = "ENTITY", add = clap_complete::ArgValueCompleter::new(complete::entities))]
    pub entity: String,
    /// Which
    #[command(flatten)]
    pub filters: Filters,
    /// Whether it counts
    #[command(flatten)]
    pub peek: PeekArg,
}

/// Shows what is known about an entity.
pub(super) fn about(args: AboutArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let query = args.filters.query(Vec::new(), ctx.now());
    let about = blocks::about(&ctx, &args.entity, &query, args.peek.peek)?;
    report::block::about(&about, &ctx, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `block latest`.
#[derive(Debug, Args)]
pub struct LatestArgs {
    /// About whom
    #[command(flatten)]
    pub entity: EntityArg,
    /// Which
    #[command(flatten)]
    pub filters: Filters,
    /// Only with this key
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// So many of each type
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub limit: usize,
}

/// Shows the last state.
pub(super) fn latest(args: LatestArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let mut query = args.filters.query(args.entity.entities, ctx.now());
    query.key = args.key;
    let found = blocks::latest(&ctx, &query, args.limit)?;
    report::block::list(&found, session_format(session), &ctx, &mut session.ui);
    Ok(Exit::Done)
}

fn session_format(session: &Session) -> Format {
    if session.ui.json() { Format::Json } else { Format::Table }
}

/// Arguments of `block history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// A key, or a block's id or a unique part of it
    #[arg(value_name = "KEY|ID", add = clap_complete::ArgValueCompleter::new(complete::blocks))]
    pub given: String,
    /// About whom
    #[command(flatten)]
    pub entity: EntityArg,
}

/// Shows every value that a key or a block has had.
pub(super) fn history(args: &HistoryArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let lists = blocks::history(&ctx, &args.given, &args.entity.entities)?;
    report::block::history(&lists, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `block export`.
#[derive(Debug, Args)]
pub struct ExportArgs {}

/// Prints all blocks as JSON lines, as they are read.
pub(super) fn export(session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let ui = &mut session.ui;
    let read = blocks::all(&ctx, |block| {
        ui.line(&serde_json::Value::Object(block.record()).to_string());
        if ui.spill() {
            return Ok(());
        }
        let source = std::io::ErrorKind::BrokenPipe.into();
        Err(StoreError::Io { action: "write", path: "standard output".into(), source })
    });
    match read {
        Ok(number) => report::block::exported(number, ui),
        // Whether that is an error is for the end of the command to say.
        Err(_) if !ui.spill() => {}
        Err(error) => return Err(error.into()),
    }
    Ok(Exit::Done)
}

/// Arguments of `block stats`.
#[derive(Debug, Args)]
pub struct StatsArgs {}

/// Shows how many blocks there are.
pub(super) fn stats(session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let stats = blocks::stats(&ctx)?;
    report::block::stats(&stats, &mut session.ui);
    Ok(Exit::Done)
}
