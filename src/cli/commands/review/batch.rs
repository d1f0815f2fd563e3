//! `review batch`

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::decide::{Said, Tally, allowed, approve_as_said, audited, no_terminal};
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
    let pending = || reviews::list_marked(&ctx, &ListQuery { statuses: vec![Status::Pending], ..ListQuery::default() });
    if let Some(file) = &args.export {
        let found = pending()?;
        crate::app::vault::check_outside(&ctx.config, file)?;
        ctx.store.export(file, &batch::markdown(&found))?;
        report::review::exported(file, found.len(), &mut session.ui);
        return Ok(Exit::Done);
    }
    let reviewer = allowed(&ctx, "review.batch", &args.reviewer)?;
    let operation = Operation::new("review.batch").reviewed_by(&reviewer);
    // Only a rule's no is audited, not a file or an id that is missing.
    let refused = |failure: Failure| match failure.exit {
        Exit::Refused => audited(&ctx, &operation, failure),
        _ => failure,
    };
    let text = match &args.apply {
        Some(file) => read(file).map_err(refused)?,
        None if session.can_ask() => {
            let found = pending()?;
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
    let planned = plan(&ctx, tasks).map_err(refused)?;
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
    apply(&ctx, &planned, &reviewer, session)
}

fn read(file: &Path) -> Result<String, Failure> {
    String::from_utf8(read_input(file, INPUT_MAX)?)
        .map_err(|_| Failure::new(Exit::Refused, "bad_encoding", "the list is not UTF-8; nothing was decided"))
}

/// The tasks with the reviews they mean; one that is meant twice, by whatever part of its id, stops the whole list.
fn plan(ctx: &Context, tasks: Vec<Task>) -> Result<Vec<(Task, ReviewId)>, Failure> {
    let mut seen = HashSet::new();
    let mut planned = Vec::new();
    let mut bad = Vec::new();
    for task in tasks.into_iter().filter(|task| task.verb != Verb::Skip) {
        let id = resolve::review(ctx, &task.id)?;
        if seen.insert(id.clone()) {
            planned.push((task, id));
        } else {
            bad.push(BadLine { line: task.line, what: "names a review a second time" });
        }
    }
    if bad.is_empty() { Ok(planned) } else { Err(refuse(&bad)) }
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

fn apply(ctx: &Context, planned: &[(Task, ReviewId)], reviewer: &str, session: &mut Session) -> Outcome {
    let tally = Tally::of(planned, session, |(task, id), session| {
        let words = task.words.as_ref().map(|words| words.expose().to_owned());
        let shown = task.mark.as_deref();
        match task.verb {
            Verb::Approve => {
                let said = Said { evidence: words, yes: true, ..Said::default() };
                let approval = approve_as_said(ctx, id, reviewer, &said, shown)?;
                Ok(report::review::approved(&approval, session))
            }
            Verb::Reject => {
                reviews::reject(ctx, id, reviewer, &Raw::new(words.unwrap_or_default()), shown)?;
                Ok(report::review::rejected(id, session))
            }
            // The editor opens with what the review says now. A skip is never planned.
            Verb::Edit | Verb::Skip if session.can_ask() => {
                Ok(report::review::edited(&in_editor(ctx, session, id, reviewer)?, session))
            }
            Verb::Edit | Verb::Skip => {
                let operation = Operation::new("review.edit").on(id).reviewed_by(reviewer);
                let command = format!("hermes-mem review edit {id} --fact \"…\"");
                Err(audited(ctx, &operation, no_terminal("editing opens an editor", command)))
            }
        }
    })?;
    let exit = tally.exit();
    if session.ui.json() {
        let failed = tally.failed.iter().map(|(at, failure)| {
            let mut told = failure.to_json(ctx.masker());
            if let (Some(fields), Some((task, id))) = (told.as_object_mut(), planned.get(*at)) {
                fields.insert("review_id".to_owned(), json!(id));
                fields.insert("line".to_owned(), json!(task.line));
            }
            told
        });
        let failed: Vec<_> = failed.collect();
        session.ui.document(json!({"reviews": tally.done, "failed": failed}));
    } else {
        session.ui.status(&format!("{} done, {} failed", tally.done.len(), tally.failed.len()));
    }
    Ok(exit)
}
