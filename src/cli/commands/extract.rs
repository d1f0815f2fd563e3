//! `extract`

use std::path::PathBuf;

use clap::Args;

use super::Outcome;
use crate::app::{Error, Refusal, extract};
use crate::cli::args::AgentArg;
use crate::cli::commands::block::confidence;
use crate::cli::progress::Progress;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::block::Confidence;
use crate::domain::extract::turns::pieces;
use crate::store::read_input;

/// The largest text, in bytes.
const INPUT_MAX: u64 = 64 << 20;

/// Arguments of `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// The text, or turns as JSON lines, each with role and text; - is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true, value_hint = clap::ValueHint::FilePath)]
    pub file: PathBuf,
    /// Look through a session's turns instead: its id or any unique part of it; an agent's own alone
    #[arg(long, value_name = "ID", conflicts_with = "file",
        add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub session: Option<String>,
    /// Keep what is sure enough as inferred blocks, and file reviews for project facts and decisions
    #[arg(long)]
    pub apply: bool,
    /// How sure it has to be [default: `min_confidence` of the configuration, else 0.6]
    #[arg(long, value_name = "0..1", value_parser = confidence)]
    pub min_confidence: Option<Confidence>,
    /// Who extracts
    #[command(flatten)]
    pub agent: AgentArg,
}

/// Looks for candidates, and keeps them where that is wanted.
pub(super) fn run(args: &ExtractArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let agent = session.agent_if_any(&ctx, "extract", args.agent.agent.clone())?;
    let mut extracted = if let Some(given) = &args.session {
        extract::from_session(&ctx, given, agent.as_ref())?
    } else {
        let read = read_input(&args.file, INPUT_MAX).map_err(Error::from);
        let read = read.and_then(|bytes| pieces(&bytes).map_err(|error| Refusal::Text(error).into()));
        let pieces = read.inspect_err(|error| {
            if args.apply && error.is_refusal() {
                extract::refuse_input(&ctx, agent.as_ref());
            }
        })?;
        let mut progress = Progress::new("extracting", session);
        extract::from_pieces(&pieces, ctx.masker(), |done, of| progress.step(done, of))
    };
    let min = args.min_confidence.map_or(f64::from(ctx.config.extract_min_thousandths) / 1000.0, Confidence::get);
    if args.apply {
        extract::apply(&ctx, &mut extracted, min, agent.as_ref()).map_err(Failure::from)?;
    }
    report::extract::extracted(&extracted, min, args.apply, &mut session.ui);
    Ok(if extracted.reviews_refused > 0 { Exit::Partly } else { Exit::Done })
}
