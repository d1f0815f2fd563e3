//! `block add | import`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value};

use crate::app::blocks::{self, AddRequest, AddedBlocks};
use crate::app::{Error, Refusal};
use crate::cli::args::{AgentArg, timestamp};
use crate::cli::commands::Outcome;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::block::read::documents;
use crate::domain::block::{BlockStatus, BlockType, Category, Confidence};
use crate::domain::time::Timestamp;
use crate::store::read_input;

/// The largest input, in bytes.
const INPUT_MAX: u64 = 1 << 30;

/// Arguments of `block add`.
#[allow(clippy::doc_markdown, reason = "the texts are the help, which writes words as they are typed")]
#[derive(Debug, Args)]
pub struct AddArgs {
    /// What kind of memory it is; without --value, records are read from --file
    #[arg(long = "type", value_name = "TYPE", value_parser = super::block_type(), requires = "value")]
    pub block_type: Option<BlockType>,
    /// What it is about
    #[arg(long, value_name = "CATEGORY", value_parser = super::category(), requires = "value")]
    pub category: Option<Category>,
    /// What names it among those of its type, category and entities, such as table_style
    #[arg(long, value_name = "KEY", requires = "value", allow_hyphen_values = true)]
    pub key: Option<String>,
    /// What it says
    #[arg(long, value_name = "TEXT", requires_all = ["block_type", "category", "key"], allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Where it comes from, such as a session
    #[arg(long, value_name = "TEXT", requires = "value")]
    pub source: Option<String>,
    /// How sure it is, 0 to 1 [default: 1, for inferred 0.5]
    #[arg(long, value_name = "0..1", value_parser = super::confidence, requires = "value")]
    pub confidence: Option<Confidence>,
    /// Whom or what it concerns: a person, a project, a tool; may stand several times
    #[arg(long = "entity", value_name = "NAME", requires = "value",
        add = clap_complete::ArgValueCompleter::new(complete::entities))]
    pub entities: Vec<String>,
    /// How it is known; verified is taken for inferred: only a human verifies, with review approve [default: user_stated]
    #[arg(long, value_name = "STATUS", value_parser = ["user_stated", "inferred", "verified"], requires = "value")]
    pub status: Option<String>,
    /// When it was first known [default: now]
    #[arg(long, value_name = "RFC3339", value_parser = timestamp, requires = "value")]
    pub created_at: Option<Timestamp>,
    /// Read records from a file instead of standard input: one JSON object, a list, JSON lines, or YAML
    #[arg(long, value_name = "FILE", conflicts_with = "value", value_hint = clap::ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Who says so
    #[command(flatten)]
    pub agent: AgentArg,
}

/// Keeps blocks.
pub(super) fn run(args: AddArgs, session: &mut Session) -> Outcome {
    let file = args.file.clone();
    let agent = args.agent.clone();
    let given = from_flags(args);
    let added = keep(given, file, false, agent, session)?;
    report::block::added(&added, &mut session.ui);
    Ok(Exit::Done)
}

/// Arguments of `block import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The file; - is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true, value_hint = clap::ValueHint::FilePath)]
    pub file: PathBuf,
    /// Who brings it
    #[command(flatten)]
    pub agent: AgentArg,
}

/// Reads blocks in, with the ids and times that they had.
pub(super) fn import(args: ImportArgs, session: &mut Session) -> Outcome {
    let added = keep(None, Some(args.file), true, args.agent, session)?;
    report::block::imported(&added, &mut session.ui);
    Ok(Exit::Done)
}

fn keep(
    given: Option<Value>,
    file: Option<PathBuf>,
    as_kept: bool,
    agent: AgentArg,
    session: &mut Session,
) -> Result<AddedBlocks, Failure> {
    let ctx = session.context()?;
    let op = if as_kept { "block.import" } else { "block.add" };
    // An agent's user keeps as that agent; anybody else may in their own name.
    let agent = session.agent_if_any(&ctx, op, agent.agent)?;
    let documents = if let Some(value) = given {
        Box::new(std::iter::once(Ok((String::new(), value))))
    } else {
        let read = read_input(&file.unwrap_or_else(|| "-".into()), INPUT_MAX).map_err(Error::from);
        let read = read.and_then(|bytes| documents(bytes).map_err(|error| Refusal::Blocks(error).into()));
        read.inspect_err(|error| {
            if error.is_refusal() {
                blocks::refuse_input(&ctx, as_kept, agent.as_ref());
            }
        })?
    };
    Ok(blocks::add(&ctx, AddRequest { documents, as_kept, agent })?)
}

fn from_flags(args: AddArgs) -> Option<Value> {
    let mut record = Map::new();
    let mut set = |field: &str, value: Option<Value>| {
        if let Some(value) = value {
            record.insert(field.to_owned(), value);
        }
    };
    set("value", Some(args.value?.into()));
    set("type", args.block_type.map(|word| word.word().into()));
    set("category", args.category.map(|word| word.word().into()));
    set("key", args.key.map(Value::from));
    set("source", args.source.map(Value::from));
    set("confidence", args.confidence.map(|confidence| confidence.get().into()));
    set("entities", Some(args.entities.into_iter().map(Value::from).collect()));
    set("status", args.status.map(Value::from).or_else(|| Some(BlockStatus::UserStated.word().into())));
    set("created_at", args.created_at.map(|at| at.to_string().into()));
    Some(Value::Object(record))
}
