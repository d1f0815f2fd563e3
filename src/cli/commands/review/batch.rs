//! `review batch`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::decide::{Said, allowed, approve_as_said, audited, no_terminal};
use super::edit::in_editor;
use super::editor;
use crate::app::reviews::batch::{self, BadLine, Task, Verb};
use crate::app::reviews::{self, ListQuery};
use crate::app::{Context, Operation, resolve};
use crate::cli::args::ReviewerArg;
use crate::cli::commands::Outcome;
use crate::cli::prompt::Prompter;
use crate::cli::{Exit, Failure, Session, report};
use crate::domain::ids::ReviewId;
use crate::domain::review::Status;
use crate::mask::Raw;
use crate::store::read_input;

/// The largest list, in bytes.
const INPUT_MAX: u64 = 16 << 20;

/// Arguments of `review batch`.
#[derive(Debug, Args)]
pub struct BatchArgs {
    /// Write the queue as a Markdown check-box list into a new file
    #[arg(long, value_name = "FILE", conflicts_with = "apply")]
    pub export: Option<PathBuf>,
    /// Apply a check-box list, or a to-do list; - is standard input
    #[arg(long, value_name = "FILE")]
    pub apply: Option<PathBuf>,
    /// Do not ask for a last yes
    #[arg(long)]
    pub yes: bool,
    /// As whom
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

/// Decides many reviews at once.
pub(super) fn run(args: &BatchArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let pending = || reviews::list(&ctx, &ListQuery { statuses: vec![Status::Pending], ..ListQuery::default() });
    if let Some(file) = &args.export {
        let (found, _) = pending()?;
        crate::app::vault::check_outside(&ctx.config, file)?;
        ctx.store.export(file, &batch::markdown(&found))?;
        report::review::exported(file, found.len(), &mut session.ui);
        return Ok(Exit::Done);
    }
    let reviewer = allowed(&ctx, "review.batch", &args.reviewer)?;
    let operation = Operation::new("review.batch").reviewed_by(&reviewer);
    let refused = |failure| audited(&ctx, &operation, failure);
    let text = match &args.apply {
        Some(file) => String::from_utf8(read_input(file, INPUT_MAX)?)
            .map_err(|_| Failure::new(Exit::Refused, "bad_encoding", "the list is not UTF-8; nothing was decided"))?,
        None if session.can_ask() => {
            let (found, _) = pending()?;
            if found.is_empty() {
                session.ui.status("nothing is pending");
                return Ok(Exit::Done);
            }
            editor::edit(&ctx, session, "todo", batch::todo(&found).as_str())?
        }
        None => {
            let command =
                "hermes-mem review batch --export FILE.md, tick, then hermes-mem review batch --apply FILE.md --yes";
            return Err(refused(no_terminal("the batch opens an editor", command.to_owned())));
        }
    };
    let is_markdown = text.lines().any(|line| line.starts_with("## "));
    let tasks = if is_markdown { batch::parse_markdown(&text) } else { batch::parse_todo(&text) }
        .map_err(|bad| refused(refuse(&bad)))?;
    let planned: Vec<(Task, ReviewId)> = tasks
        .into_iter()
        .filter(|task| task.verb != Verb::Skip)
        .map(|task| Ok((resolve::review(&ctx, &task.id)?, task)).map(|(id, task)| (task, id)))
        .collect::<Result<_, Failure>>()?;
    if planned.is_empty() {
        session.ui.status("the list decides nothing");
        return Ok(Exit::Done);
    }
    if !args.yes && !session.can_ask() {
        let file = args.apply.as_ref().map_or_else(|| "FILE".to_owned(), |file| file.display().to_string());
        let command = format!("hermes-mem review batch --apply {file} --yes");
        return Err(refused(no_terminal("applying a list asks for a last yes", command)));
    }
    confirm(&planned, args, session)?;
    Ok(apply(&ctx, &planned, &reviewer, session))
}

fn refuse(bad: &[BadLine]) -> Failure {
    Failure::new(Exit::Refused, "bad_list", "the list can't be read; nothing was decided")
        .details(bad.iter().take(20).map(ToString::to_string))
}

fn confirm(planned: &[(Task, ReviewId)], args: &BatchArgs, session: &Session) -> Result<(), Failure> {
    if args.yes {
        return Ok(());
    }
    let mut prompter = session.prompter();
    for (task, id) in planned {
        prompter.say(&format!("would {} {id}\n", task.verb.name()))?;
    }
    if prompter.confirm("Apply this?")? {
        return Ok(());
    }
    Err(Failure::new(Exit::Refused, "declined", "nothing was decided"))
}

fn apply(ctx: &Context, planned: &[(Task, ReviewId)], reviewer: &str, session: &mut Session) -> Exit {
    let mut done = Vec::new();
    let mut failed = Vec::new();
    for (task, id) in planned {
        let words = task.words.as_ref().map(|words| words.expose().to_owned());
        let outcome = match task.verb {
            Verb::Approve => {
                let said = Said { evidence: words, yes: true, ..Said::default() };
                approve_as_said(ctx, id, reviewer, &said).map(|approval| report::review::approved(&approval, session))
            }
            Verb::Reject => reviews::reject(ctx, id, reviewer, &Raw::new(words.unwrap_or_default()))
                .map_err(Failure::from)
                .map(|_| report::review::rejected(id, session)),
            Verb::Edit if session.can_ask() => {
                in_editor(ctx, session, id, reviewer).map(|edited| report::review::edited(&edited, session))
            }
            Verb::Edit => {
                Err(no_terminal("editing opens an editor", format!("hermes-mem review edit {id} --fact \"…\"")))
            }
            Verb::Skip => continue,
        };
        match outcome {
            Ok(answer) => done.push(answer),
            Err(failure) => {
                session.tell(&failure);
                failed.push(
                    json!({"review_id": id, "line": task.line, "code": failure.code, "message": failure.headline}),
                );
            }
        }
    }
    let (count, missed) = (done.len(), failed.len());
    if session.ui.json() {
        session.ui.document(json!({"reviews": done, "failed": failed}));
    } else {
        session.ui.status(&format!("{count} done, {missed} failed"));
    }
    match (count, missed) {
        (_, 0) => Exit::Done,
        (0, _) => Exit::Refused,
        _ => Exit::Partly,
    }
}
