//! `mask`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::Outcome;
use crate::app::mask;
use crate::cli::{Exit, Failure, Session};
use crate::domain::json::parse_strict;
use crate::mask::{Kind, Masker};
use crate::store::read_input;

/// The largest text that is masked in one go, in bytes.
const INPUT_MAX: u64 = 1 << 30;

/// Arguments of `mask`.
#[derive(Debug, Args)]
pub struct MaskArgs {
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

/// Masks a text.
pub(super) fn run(args: &MaskArgs, session: &mut Session) -> Outcome {
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
    let masking = mask::mask(&masker, &text);
    let credentials = masking.findings.iter().filter(|finding| finding.kind == Kind::Credential);
    if args.check {
        for finding in &masking.findings {
            let line = text.get(..finding.bytes.start).unwrap_or_default().matches('\n').count() + 1;
            session.ui.line(&format!("line {line}: {} (rule {})", finding.kind.name(), finding.rule));
        }
        return Ok(if masking.findings.is_empty() { Exit::Done } else { Exit::Refused });
    }
    if session.ui.json() {
        session.ui.document(mask::to_json(&text, &masking));
        return Ok(Exit::Done);
    }
    for finding in credentials {
        session.ui.warning(&format!("credential removed (rule {})", finding.rule));
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
        let answer = mask::to_json(text, &mask::mask(masker, text));
        session.ui.line(&json!(answer).to_string());
    }
    Ok(Exit::Done)
}
