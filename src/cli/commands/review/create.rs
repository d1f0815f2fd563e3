//! `review create`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use super::list::KindArg;
use crate::app::reviews::{self, CreateRequest};
use crate::app::{Error, Refusal};
use crate::cli::args::AgentArg;
use crate::cli::commands::Outcome;
use crate::cli::{Exit, Session, complete, report};
use crate::domain::json::parse_strict;
use crate::mask::Raw;
use crate::store::read_input;

/// The largest input, in bytes.
const INPUT_MAX: u64 = 64 << 20;

/// Arguments of `review create`.
#[derive(Debug, Args)]
pub struct CreateArgs {
    /// What is proposed; without it, one JSON object is read from --file, in the shape of an entry of `proposed_facts`
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub fact: Option<String>,
    /// Read the proposal as JSON; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "fact")]
    pub file: Option<PathBuf>,
    /// What it is about
    #[arg(long, value_name = "KIND", value_enum, default_value_t)]
    pub kind: KindArg,
    /// How the fact is known
    #[arg(long, value_name = "STATUS", value_enum, default_value_t)]
    pub status: FactStatusArg,
    /// How sure the proposer is: unverified, low, medium, high
    #[arg(long, value_name = "LEVEL")]
    pub confidence: Option<String>,
    /// The project it belongs to
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The page it should go to, relative to the vault
    #[arg(long, value_name = "PAGE")]
    pub page: Option<String>,
    /// What to change there
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub change: Option<String>,
    /// What a human should have seen before approving
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub requires: Option<String>,
    /// What follows from a decision
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub consequence: Option<String>,
    /// When a decision was made, such as 2026-05-21
    #[arg(long, value_name = "DATE")]
    pub decided_on: Option<String>,
    /// The session it comes from
    #[arg(long, value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub session: Option<String>,
    /// The turn it comes from
    #[arg(long, value_name = "N", requires = "session")]
    pub turn: Option<u64>,
    /// The agent that proposes
    #[command(flatten)]
    pub agent: AgentArg,
}

/// How a fact is known, on the command line.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum FactStatusArg {
    /// The user has said so
    #[default]
    UserStated,
    /// The agent has concluded it
    Inferred,
    /// Taken for inferred: only a human verifies, with review approve
    Verified,
    /// Turned down; makes no review
    Rejected,
}

/// Proposes a fact.
pub(super) fn run(args: CreateArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    // An agent's user proposes as that agent; anybody else may propose in their own name.
    let agent = session.agent_if_any(&ctx, "review.create", args.agent.agent.clone())?;
    let input = match (&args.fact, &args.file) {
        (Some(fact), _) => from_flags(fact, &args),
        (None, file) => {
            let file = file.clone().unwrap_or_else(|| "-".into());
            let input = read_input(&file, INPUT_MAX).map_err(Error::from);
            let input = input.and_then(|bytes| parse_strict(&bytes).map_err(|error| Refusal::Json(error).into()));
            match input {
                Ok(input) => input,
                Err(error) => {
                    if error.is_refusal() {
                        reviews::refuse_input(&ctx, agent.as_ref());
                    }
                    return Err(error.into());
                }
            }
        }
    };
    let request = CreateRequest {
        input,
        kind: args.kind.into(),
        agent,
        session: args.session,
        turn: args.turn,
        consequence: args.consequence.map(Raw::new),
        decided_on: args.decided_on.map(Raw::new),
    };
    let created = reviews::create(&ctx, request)?;
    report::review::created(&created, &mut session.ui);
    Ok(Exit::Done)
}

fn from_flags(fact: &str, args: &CreateArgs) -> Value {
    let status = match args.status {
        FactStatusArg::UserStated => "user_stated",
        FactStatusArg::Inferred => "inferred",
        FactStatusArg::Verified => "verified",
        FactStatusArg::Rejected => "rejected",
    };
    let mut fields = Map::new();
    fields.insert("fact".to_owned(), fact.into());
    fields.insert("status".to_owned(), status.into());
    let optional = [
        ("confidence", &args.confidence),
        ("project", &args.project),
        ("proposed_obsidian_page", &args.page),
        ("proposed_change", &args.change),
        ("requires", &args.requires),
    ];
    for (name, text) in optional {
        if let Some(text) = text {
            fields.insert(name.to_owned(), text.as_str().into());
        }
    }
    Value::Object(fields)
}
