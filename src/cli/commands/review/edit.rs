//! `review edit`

use std::fmt::Write as _;

use clap::Args;

use super::decide::{allowed, audited, no_terminal};
use super::editor;
use crate::app::reviews::{self, Edit, Editable, Edited};
use crate::app::{Context, Operation, resolve};
use crate::cli::args::ReviewerArg;
use crate::cli::commands::Outcome;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::ids::ReviewId;
use crate::domain::review::Review;
use crate::mask::Raw;

/// Arguments of `review edit`.
#[derive(Debug, Args)]
pub struct EditArgs {
    /// The review, or any unique part of its id
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::pending_reviews))]
    pub id: String,
    /// The fact, instead of an editor
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub fact: Option<String>,
    /// The page, instead of an editor; empty removes it
    #[arg(long, value_name = "PAGE")]
    pub page: Option<String>,
    /// The change, instead of an editor; empty removes it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub change: Option<String>,
    /// What to ask for first, instead of an editor; empty removes it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub requires: Option<String>,
    /// As whom
    #[command(flatten)]
    pub reviewer: ReviewerArg,
}

/// Changes a pending review's texts.
pub(super) fn run(args: EditArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let reviewer = allowed(&ctx, "review.edit", &args.reviewer)?;
    let id = resolve::review(&ctx, &args.id)?;
    let given = [("fact", args.fact), ("page", args.page), ("change", args.change), ("requires", args.requires)];
    let texts: Vec<_> = given.into_iter().filter_map(|(name, text)| Some((name, Raw::new(text?)))).collect();
    let edited = if !texts.is_empty() {
        reviews::edit(&ctx, &id, &reviewer, &Edit { texts })?
    } else if session.can_ask() {
        in_editor(&ctx, session, &id, &reviewer)?
    } else {
        let command = format!("hermes-mem review edit {id} --fact \"…\"");
        let operation = Operation::new("review.edit").on(&id).reviewed_by(&reviewer);
        return Err(audited(&ctx, &operation, no_terminal("editing opens an editor", command)));
    };
    let answer = report::review::edited(&edited, session);
    if session.ui.json() {
        session.ui.document(answer);
    }
    Ok(Exit::Done)
}

/// Opens a review's texts in the editor, and takes what was saved.
pub(super) fn in_editor(ctx: &Context, session: &Session, id: &ReviewId, reviewer: &str) -> Result<Edited, Failure> {
    let (review, _) = reviews::load(ctx, id)?;
    let saved = editor::edit(ctx, session, "txt", &page(&review))?;
    let texts = parse(&saved)?;
    Ok(reviews::edit(ctx, id, reviewer, &Edit { texts })?)
}

fn page(review: &Review) -> String {
    let mut text = format!(
        "# {}\n# Change what stands below the headings. An empty part is removed; the fact can't be.\n\
         # Save and close to take it, or make the editor fail (:cq) to leave all as it is.\n",
        review.id
    );
    for editable in Editable::ALL {
        let _ = write!(text, "\n[{}]\n{}\n", editable.name, review.doc.text(editable.field).unwrap_or_default());
    }
    text
}

fn parse(saved: &str) -> Result<Vec<(&'static str, Raw)>, Failure> {
    let mut texts: Vec<(&'static str, String)> = Vec::new();
    for line in saved.lines() {
        let heading = line.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let editable = heading.and_then(|name| Editable::ALL.into_iter().find(|editable| editable.name == name));
        let is_second = |name: &str| texts.iter().any(|(known, _)| *known == name);
        if let Some(editable) = editable.as_ref().filter(|editable| is_second(editable.name)) {
            return Err(bad(&format!("[{}] stands twice", editable.name)));
        }
        match (editable, texts.last_mut()) {
            (Some(editable), _) => texts.push((editable.name, String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) if line.trim().is_empty() || line.starts_with('#') => {}
            (None, None) => return Err(bad("text stands before the first heading")),
        }
    }
    Ok(texts.into_iter().map(|(name, text)| (name, Raw::new(text.trim().to_owned()))).collect())
}

fn bad(what: &str) -> Failure {
    Failure::new(Exit::Refused, "bad_edit", format!("the saved text can't be taken: {what}; nothing was changed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_editor_saves_is_read_by_its_headings() {
        let texts = parse("# x\n\n[fact]\nVento kann [NAME]\n# kein Kommentar\n\n[page]\n\n[change]\n a \n").unwrap();
        let texts: Vec<_> = texts.iter().map(|(name, text)| (*name, text.expose())).collect();
        assert_eq!(texts, [("fact", "Vento kann [NAME]\n# kein Kommentar"), ("page", ""), ("change", "a")]);
        assert!(parse("hello\n[fact]\nx").is_err());
        assert!(parse("[fact]\nx\n[fact]\ny").is_err());
    }
}
