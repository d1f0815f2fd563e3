//! Text in the reviewer's own editor.

use std::path::Path;
use std::process::Command;

use crate::app::Context;
use crate::cli::prompt::{Lent, PromptError};
use crate::cli::{Exit, Failure, Session};

/// The editor where neither `VISUAL` nor `EDITOR` names one.
const DEFAULT_EDITOR: &str = "vi";

/// Opens `text` in the reviewer's editor and answers what was saved. The file is private, and gone afterwards.
///
/// # Errors
/// When the editor can't be run or fails: then nothing of the text is taken.
pub(super) fn edit(ctx: &Context, session: &Session, extension: &str, text: &str) -> Result<String, Failure> {
    ctx.store.sweep_scratch(ctx.runtime_dir.as_deref());
    // Before the file is made, so that the file goes before a signal ends the program.
    let lent = Lent::new()?;
    let scratch = ctx.store.scratch(ctx.runtime_dir.as_deref(), extension, text)?;
    let edited = run(session, scratch.path());
    if lent.was_interrupted() && edited.is_err() {
        return Err(PromptError::Interrupted.into());
    }
    edited?;
    Ok(scratch.read()?)
}

fn run(session: &Session, path: &Path) -> Result<(), Failure> {
    let editor = session.env.editor.clone().unwrap_or_else(|| DEFAULT_EDITOR.into());
    // By the shell, since an editor may come with arguments (`code --wait`).
    let status =
        Command::new("sh").arg("-c").arg("exec $EDITOR \"$1\"").arg("sh").arg(path).env("EDITOR", &editor).status();
    let fail = |what: String| {
        Failure::new(
            Exit::Failed,
            "editor",
            format!("the editor {} {what}; nothing was changed", editor.to_string_lossy()),
        )
        .hint("name another in VISUAL or EDITOR")
    };
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(fail(format!("ended with {status}"))),
        Err(error) => Err(fail(format!("can't be run: {error}"))),
    }
}
