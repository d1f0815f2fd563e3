//! `mask`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::Outcome;
use crate::app::{mask, scan};
use crate::cli::progress::Progress;
use crate::cli::{Exit, Failure, Session, report};
use crate::domain::json::parse_strict;
use crate::mask::Masker;
use crate::store::read_input;

/// The largest text that is masked in one go, in bytes.
const INPUT_MAX: u64 = 1 << 30;

/// Arguments of `mask`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MaskArgs {
    /// What to do instead of masking a text
    #[command(subcommand)]
    pub command: Option<MaskCommand>,
    /// The text; - is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub file: PathBuf,
    /// Say what would be masked, and exit 4 where something would
    #[arg(long, conflicts_with_all = ["json", "jsonl"])]
    pub check: bool,
    /// Read one {"text": …} a line, and answer one {"text", "findings"} a line, in order
    #[arg(long, conflicts_with = "json")]
    pub jsonl: bool,
}

/// What `mask` can do beside masking a text.
#[derive(Debug, Subcommand)]
pub enum MaskCommand {
    /// Look through everything in the tree for what should be masked
    Scan(ScanArgs),
}

/// Arguments of `mask scan`.
#[derive(Debug, Args)]
pub struct ScanArgs {
    /// Mask what is found; the audit log is never rewritten
    #[arg(long)]
    pub fix: bool,
}

/// Masks a text, or looks through the tree.
pub(super) fn run(args: &MaskArgs, session: &mut Session) -> Outcome {
    match &args.command {
        Some(MaskCommand::Scan(scan)) => run_scan(scan, session),
        None => run_mask(args, session),
    }
}

fn run_scan(args: &ScanArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let mut progress = Progress::new("scanning", session);
    let found = scan::scan(&ctx, args.fix, |done, of| progress.step(done, of))?;
    drop(progress);
    report::mask::scanned(&found, args.fix, &mut session.ui);
    let left = found.findings.iter().any(|found| !found.masked);
    Ok(match (left, found.skipped.is_empty()) {
        (true, _) => Exit::Refused,
        (false, false) => Exit::Partly,
        (false, true) => Exit::Done,
    })
}

fn run_mask(args: &MaskArgs, session: &mut Session) -> Outcome {
    let masker = session.masker()?;
    let bytes = read_input(&args.file, INPUT_MAX)?;
    if args.jsonl {
        return jsonl(&bytes, &masker, session);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::new(Exit::Refused, "bad_encoding", format!("the text is not UTF-8 from byte {at} on"))
            .hint("convert it first, for example with iconv -f WINDOWS-1252 -t UTF-8")
    })?;
    let masking = masker.mask(&text);
    if args.check {
        let (mut line, mut at) = (1, 0);
        for finding in &masking.findings {
            line += text.get(at..finding.bytes.start).unwrap_or_default().matches('\n').count();
            at = at.max(finding.bytes.start);
            session.ui.line(&format!("line {line}: {} (rule {})", finding.kind.name(), finding.rule));
        }
        return Ok(if masking.findings.is_empty() { Exit::Done } else { Exit::Refused });
    }
    if session.ui.json() {
        session.ui.document(mask::to_json(&text, &masking));
        return Ok(Exit::Done);
    }
    for warning in mask::credential_warnings(&masking.findings, None) {
        session.ui.warning(&warning);
    }
    session.ui.text(masking.text.as_str());
    Ok(Exit::Done)
}

fn jsonl(bytes: &[u8], masker: &Masker, session: &mut Session) -> Outcome {
    let lines = bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|byte| *byte == b'\n');
    for (at, line) in lines.enumerate().filter(|_| !bytes.is_empty()) {
        let bad = |what: String| {
            Failure::new(Exit::Refused, "bad_json", format!("line {}: {what}", at + 1))
                .hint("each line is one {\"text\": …}")
        };
        let value = parse_strict(line).map_err(|error| bad(error.to_string()))?;
        let Some(text) = value.get("text").and_then(Value::as_str) else {
            return Err(bad("has no text field".to_owned()));
        };
        let answer = mask::to_json(text, &masker.mask(text));
        session.ui.line(&json!(answer).to_string());
    }
    Ok(Exit::Done)
}
