//! `review walk`

use clap::Args;

use super::decide::{Said, allowed, ask_and_approve, ask_reason, audited, no_terminal};
use super::edit::in_editor;
use super::list::Filters;
use crate::app::reviews;
use crate::app::{Context, Operation};
use crate::cli::args::ReviewerArg;
use crate::cli::commands::Outcome;
use crate::cli::prompt::{PromptError, Prompter};
use crate::cli::{Exit, Failure, Session, report};
use crate::domain::ids::ReviewId;
use crate::domain::review::Status;
use crate::mask::Raw;

/// Arguments of `review walk`.
#[derive(Debug, Args)]
pub struct WalkArgs {
    /// Which
    #[command(flatten)]
    pub filters: Filters,
    /// As whom
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

const KEYS: [(char, &str); 7] = [
    ('a', "approve it"),
    ('r', "reject it, with a reason"),
    ('e', "edit it"),
    ('s', "skip it: it stays pending"),
    ('v', "view everything about it"),
    ('u', "undo the last decision of this walk"),
    ('q', "quit; what was decided stays decided"),
];

/// Goes through the queue.
pub(super) fn run(args: WalkArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let reviewer = allowed(&ctx, "review.walk", &args.reviewer)?;
    if !session.can_ask() {
        let command =
            "list them with hermes-mem review pending, decide with hermes-mem review approve ID --evidence \"…\" --yes";
        let operation = Operation::new("review.walk").reviewed_by(&reviewer);
        return Err(audited(&ctx, &operation, no_terminal("walking asks about each review", command.to_owned())));
    }
    let query = args.filters.query(vec![Status::Pending], ctx.now());
    let (found, _) = reviews::list(&ctx, &query)?;
    let ids: Vec<ReviewId> = found.into_iter().map(|summary| summary.id).collect();
    let mut prompter = session.prompter();
    let mut walk = Walk { ctx: &ctx, session, reviewer: &reviewer, ids, decided: Vec::new() };
    let ended = walk.run(&mut prompter);
    walk.say_summary(&mut prompter)?;
    ended.map(|()| Exit::Done)
}

struct Walk<'a> {
    ctx: &'a Context,
    session: &'a Session,
    reviewer: &'a str,
    ids: Vec<ReviewId>,
    /// Where in `ids` a decision was made, and which.
    decided: Vec<(usize, Status)>,
}

enum Next {
    On,
    Stay,
    To(usize),
    Quit,
}

impl Walk<'_> {
    fn run(&mut self, prompter: &mut dyn Prompter) -> Result<(), Failure> {
        let mut at = 0;
        // The mark of what the reviewer has before them; `None`: it is to be shown.
        let mut shown: Option<String> = None;
        while let Some(id) = self.ids.get(at).cloned() {
            let mark = match shown.take() {
                Some(mark) => mark,
                None => report::review::say_short(self.ctx, &id, (at + 1, self.ids.len()), self.session, prompter)?,
            };
            let next = match self.one(at, &id, &mark, prompter) {
                // A rule said no: the reviewer is told, and stays with the review.
                Err(failure) if failure.exit == Exit::Refused => {
                    self.session.tell(&failure);
                    // What was changed by others has to be seen first.
                    shown = (failure.code != "changed").then_some(mark);
                    Next::Stay
                }
                next => next?,
            };
            match next {
                Next::On => at += 1,
                Next::Stay => {}
                Next::To(back) => at = back,
                Next::Quit => return Ok(()),
            }
        }
        Ok(())
    }

    fn one(&mut self, at: usize, id: &ReviewId, shown: &str, prompter: &mut dyn Prompter) -> Result<Next, Failure> {
        let question = format!("[{}/{}] approve, reject, edit, skip, view, undo, quit?", at + 1, self.ids.len());
        let key = match prompter.key(&question, &KEYS) {
            Err(PromptError::Aborted) => return Ok(Next::Quit),
            key => key?,
        };
        match key {
            'a' => {
                let approval = ask_and_approve(self.ctx, id, self.reviewer, Said::default(), shown, prompter)?;
                prompter.say(&report::review::paste(&approval, *self.session.ui.err_screen()))?;
                self.decided.push((at, Status::Approved));
                Ok(Next::On)
            }
            'r' => {
                let reason = ask_reason(id, prompter)?;
                reviews::reject(self.ctx, id, self.reviewer, &Raw::new(reason), Some(shown))?;
                self.decided.push((at, Status::Rejected));
                Ok(Next::On)
            }
            'e' => {
                in_editor(self.ctx, self.session, id, self.reviewer)?;
                Ok(Next::Stay)
            }
            'v' => {
                report::review::say_show(self.ctx, id, self.session, prompter)?;
                Ok(Next::Stay)
            }
            'u' => self.undo(prompter),
            'q' => Ok(Next::Quit),
            _ => Ok(Next::On),
        }
    }

    fn undo(&mut self, prompter: &mut dyn Prompter) -> Result<Next, Failure> {
        let Some((at, _)) = self.decided.last().copied() else {
            prompter.say("nothing was decided in this walk yet\n")?;
            return Ok(Next::Stay);
        };
        if let Some(id) = self.ids.get(at) {
            reviews::undo(self.ctx, id, self.reviewer)?;
            prompter.say(&format!("{id} is pending again\n"))?;
        }
        self.decided.pop();
        Ok(Next::To(at))
    }

    fn say_summary(&self, prompter: &mut dyn Prompter) -> Result<(), Failure> {
        let count = |status| self.decided.iter().filter(|(_, decided)| *decided == status).count();
        let (approved, rejected) = (count(Status::Approved), count(Status::Rejected));
        let left = self.ids.len() - self.decided.len();
        prompter.say(&format!("{approved} approved, {rejected} rejected, {left} left pending\n"))?;
        Ok(())
    }
}
