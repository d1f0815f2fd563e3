//! `review approve | reject | transferred | undo`

use clap::Args;
use serde_json::{Value, json};

use crate::app::reviews::{self, Approval, ApproveRequest};
use crate::app::{Context, Error, Operation, Refusal, Why, resolve, sessions};
use crate::cli::args::ReviewerArg;
use crate::cli::commands::Outcome;
use crate::cli::prompt::Prompter;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::ids::ReviewId;
use crate::mask::Raw;

/// Arguments of `review approve`.
#[derive(Debug, Args)]
pub struct ApproveArgs {
    /// The reviews, or any unique part of their ids
    #[arg(value_name = "ID", required = true, add = clap_complete::ArgValueCompleter::new(complete::pending_reviews))]
    pub ids: Vec<String>,
    /// The proof of source: text, URL, commit or path
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub evidence: Option<String>,
    /// Why it holds although the vault contradicts it, or although it reads like a plan
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub resolve: Option<String>,
    /// You have seen that it reads like an instruction to a model
    #[arg(long)]
    pub acknowledge: bool,
    /// Do not ask for a last yes
    #[arg(long)]
    pub yes: bool,
    /// As whom
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

/// What a reviewer has said about an approval so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) evidence: Option<String>,
    pub(super) resolve: Option<String>,
    pub(super) acknowledge: bool,
    pub(super) yes: bool,
}

/// Approves reviews.
pub(super) fn approve(args: ApproveArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let reviewer = allowed(&ctx, "review.approve", &args.reviewer)?;
    let said = Said { evidence: args.evidence, resolve: args.resolve, acknowledge: args.acknowledge, yes: args.yes };
    let can_ask = session.can_ask();
    let mut prompter = session.prompter();
    each(&ctx, &args.ids, session, |given, session| {
        let id = resolve::review(&ctx, given)?;
        let approval = if can_ask {
            let shown = report::review::say_show(&ctx, &id, session, &mut prompter)?;
            ask_and_approve(&ctx, &id, &reviewer, said.clone(), &shown, &mut prompter)?
        } else {
            approve_as_said(&ctx, &id, &reviewer, &said, None)?
        };
        Ok(report::review::approved(&approval, session))
    })
}

/// Checks that the caller may decide at all; a refusal is audited.
pub(in crate::cli::commands) fn allowed(ctx: &Context, op: &'static str, arg: &ReviewerArg) -> Result<String, Failure> {
    let operation = crate::app::Operation::new(op);
    Ok(ctx.audited(&operation, || ctx.actor().reviewer(&ctx.config, arg.reviewer.as_deref()))?)
}

/// Approves with what the flags say, for want of a terminal. `shown`: the mark of what a list showed, where it has one.
pub(super) fn approve_as_said(
    ctx: &Context,
    id: &ReviewId,
    reviewer: &str,
    said: &Said,
    shown: Option<&str>,
) -> Result<Approval, Failure> {
    let request = request(reviewer, said, shown);
    if !said.yes {
        let obstacles = reviews::obstacles(ctx, id, &request)?;
        let operation = Operation::new("review.approve").on(id).reviewed_by(reviewer);
        if let Some(why) = obstacles.into_iter().find(|why| !matches!(why, Why::NoEvidence)) {
            return Err(audited(ctx, &operation, refusal(id, why)));
        }
        let evidence = if said.evidence.is_some() { "" } else { " --evidence \"…\"" };
        let command = format!("hermes-mem review approve {id}{evidence} --yes");
        return Err(audited(ctx, &operation, no_terminal("approving asks for evidence and a last yes", command)));
    }
    Ok(reviews::approve(ctx, id, &request)?)
}

/// Asks for what an approval still needs, then for a last yes. `shown`: the mark of what the reviewer has seen.
pub(super) fn ask_and_approve(
    ctx: &Context,
    id: &ReviewId,
    reviewer: &str,
    mut said: Said,
    shown: &str,
    prompter: &mut dyn Prompter,
) -> Result<Approval, Failure> {
    loop {
        let obstacles = reviews::obstacles(ctx, id, &request(reviewer, &said, Some(shown)))?;
        let Some(why) = obstacles.into_iter().next() else { break };
        match &why {
            Why::SessionOpen { session, .. } => {
                let question = format!("Its session {session} is still open. Close the session now?");
                if !prompter.confirm(&question)? {
                    return Err(refusal(id, why));
                }
                sessions::close(ctx, session.as_str(), None)?;
            }
            Why::Conflict { .. } => {
                said.resolve = prompter.line("It contradicts the vault. Why is the vault out of date?", true)?;
            }
            Why::Hedged { word } => {
                let word = word.as_deref().map(|word| format!(" (\"{word}\")")).unwrap_or_default();
                said.resolve = prompter
                    .line(&format!("It reads like a plan or conjecture{word}. Why is it a fact by now?"), true)?;
            }
            Why::Suspicious { found } => {
                let found = found.join(", ");
                if !prompter.confirm(&format!(
                    "It reads like an instruction to a model, or hides characters ({found}). Go on?"
                ))? {
                    return Err(refusal(id, why));
                }
                said.acknowledge = true;
            }
            Why::NoEvidence | Why::EmptyEvidence => {
                said.evidence = prompter.line("Evidence (text, URL, commit or path):", true)?;
            }
            _ => {
                let operation = Operation::new("review.approve").on(id).reviewed_by(reviewer);
                return Err(audited(ctx, &operation, refusal(id, why)));
            }
        }
    }
    if !said.yes && !prompter.confirm(&format!("Approve {id}?"))? {
        return Err(Failure::new(Exit::Refused, "declined", format!("{id} stays pending")));
    }
    Ok(reviews::approve(ctx, id, &request(reviewer, &said, Some(shown)))?)
}

fn request(reviewer: &str, said: &Said, shown: Option<&str>) -> ApproveRequest {
    ApproveRequest {
        reviewer: reviewer.to_owned(),
        evidence: said.evidence.as_deref().map(Raw::new),
        resolve: said.resolve.as_deref().map(Raw::new),
        acknowledge: said.acknowledge,
        shown: shown.map(str::to_owned),
    }
}

fn refusal(id: &ReviewId, why: Why) -> Failure {
    Error::Refused(Refusal::Review { id: id.clone(), why }).into()
}

/// A refusal that is recorded here, since no use case was asked.
pub(super) fn audited(ctx: &Context, operation: &Operation, failure: Failure) -> Failure {
    ctx.record(operation, "refused");
    failure
}

pub(super) fn no_terminal(question: &str, command: String) -> Failure {
    Error::Refused(Refusal::NoTerminal { question: question.to_owned(), command }).into()
}

/// What became of several.
pub(super) struct Tally {
    pub(super) done: Vec<Value>,
    /// Which of them failed, counted from 0, and why.
    pub(super) failed: Vec<(usize, Failure)>,
}

impl Tally {
    /// Does one thing to each. Where some fail the rest is done all the same; Ctrl-C means all that is left, too.
    pub(super) fn of<T>(
        items: &[T],
        session: &mut Session,
        mut one: impl FnMut(&T, &mut Session) -> Result<Value, Failure>,
    ) -> Result<Self, Failure> {
        let mut tally = Self { done: Vec::new(), failed: Vec::new() };
        for (at, item) in items.iter().enumerate() {
            match one(item, session) {
                Ok(answer) => tally.done.push(answer),
                Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
                Err(failure) => {
                    session.tell(&failure);
                    tally.failed.push((at, failure));
                }
            }
        }
        Ok(tally)
    }

    /// The exit that says so: where nothing was done, the first failure's.
    pub(super) fn exit(&self) -> Exit {
        match self.failed.first() {
            None => Exit::Done,
            Some((_, first)) if self.done.is_empty() => first.exit,
            Some(_) => Exit::Partly,
        }
    }
}

/// Does one thing to each review that is named.
fn each(
    ctx: &Context,
    ids: &[String],
    session: &mut Session,
    mut one: impl FnMut(&str, &mut Session) -> Result<Value, Failure>,
) -> Outcome {
    if let [given] = ids {
        let answer = one(given, session)?;
        if session.ui.json() {
            session.ui.document(answer);
        }
        return Ok(Exit::Done);
    }
    let tally = Tally::of(ids, session, |given, session| one(given, session))?;
    let exit = tally.exit();
    if session.ui.json() {
        let failed: Vec<_> = tally.failed.iter().map(|(_, failure)| failure.to_json(ctx.masker())).collect();
        session.ui.document(json!({"reviews": tally.done, "failed": failed}));
    }
    Ok(exit)
}

/// Arguments of `review reject`.
#[derive(Debug, Args)]
pub struct RejectArgs {
    /// The reviews, or any unique part of their ids
    #[arg(value_name = "ID", required = true, add = clap_complete::ArgValueCompleter::new(complete::pending_reviews))]
    pub ids: Vec<String>,
    /// Why; kept, and shown when the same fact comes again
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub reason: Option<String>,
    /// As whom
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

/// Rejects reviews.
pub(super) fn reject(args: &RejectArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let reviewer = allowed(&ctx, "review.reject", &args.reviewer)?;
    let mut prompter = session.prompter();
    let can_ask = session.can_ask();
    each(&ctx, &args.ids, session, |given, session| {
        let id = resolve::review(&ctx, given)?;
        let mut shown = None;
        let reason = match &args.reason {
            Some(reason) => reason.clone(),
            None if can_ask => {
                shown = Some(report::review::say_show(&ctx, &id, session, &mut prompter)?);
                ask_reason(&id, &mut prompter)?
            }
            None => {
                let command = format!("hermes-mem review reject {id} --reason \"…\"");
                let operation = Operation::new("review.reject").on(&id).reviewed_by(&reviewer);
                return Err(audited(&ctx, &operation, no_terminal("rejecting asks for a reason", command)));
            }
        };
        let rejected = reviews::reject(&ctx, &id, &reviewer, &Raw::new(reason), shown.as_deref())?;
        Ok(report::review::rejected(&rejected.id, session))
    })
}

pub(super) fn ask_reason(id: &ReviewId, prompter: &mut dyn Prompter) -> Result<String, Failure> {
    Ok(prompter.line(&format!("Why is {id} rejected?"), true)?.unwrap_or_default())
}

/// Arguments of `review transferred`.
#[derive(Debug, Args)]
pub struct TransferredArgs {
    /// The reviews, or any unique part of their ids
    #[arg(value_name = "ID", required = true, add = clap_complete::ArgValueCompleter::new(complete::approved_reviews))]
    pub ids: Vec<String>,
    /// It stands there in other words: do not look for it
    #[arg(long)]
    pub unchecked: bool,
    /// As whom
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

/// Marks approved reviews as written into the vault.
pub(super) fn transferred(args: &TransferredArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let reviewer = allowed(&ctx, "review.transferred", &args.reviewer)?;
    each(&ctx, &args.ids, session, |given, session| {
        let id = resolve::review(&ctx, given)?;
        let transfer = reviews::transferred(&ctx, &id, &reviewer, args.unchecked)?;
        Ok(report::review::transferred(&transfer, session))
    })
}

/// Arguments of `review undo`.
#[derive(Debug, Args)]
pub struct UndoArgs {
    /// The reviews, or any unique part of their ids
    #[arg(value_name = "ID", required = true, add = clap_complete::ArgValueCompleter::new(complete::all_reviews))]
    pub ids: Vec<String>,
    /// As whom
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

/// Takes decisions back.
pub(super) fn undo(args: &UndoArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let reviewer = allowed(&ctx, "review.undo", &args.reviewer)?;
    each(&ctx, &args.ids, session, |given, session| {
        let id = resolve::review(&ctx, given)?;
        let undone = reviews::undo(&ctx, &id, &reviewer)?;
        Ok(report::review::undone(&undone, &ctx, session))
    })
}
