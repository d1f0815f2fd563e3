//! Editing a pending review: masked and checked again, the old text kept in its history.

use super::decide::{decision, flag_anew};
use super::filing::write_check;
use super::list::check_now;
use crate::app::Context;
use crate::app::error::{Refusal, Result};
use crate::domain::append::{CHANGE_MAX, NAME_MAX, Problem, SENTENCE_MAX, check_page};
use crate::domain::doc::Safe;
use crate::domain::ids::ReviewId;
use crate::domain::review::{Flag, Review, Status};
use crate::mask::Raw;

/// The fields that can be edited: the name in an editor, the field in the file, and the most characters.
pub struct Editable {
    /// The name a reviewer sees.
    pub name: &'static str,
    /// The field of the review file.
    pub field: &'static str,
    /// The longest text, in characters.
    pub max: usize,
}

impl Editable {
    /// All of them, in the order in which a reviewer reads them.
    pub const ALL: [Self; 4] = [
        Self { name: "fact", field: "proposed_fact", max: SENTENCE_MAX },
        Self { name: "page", field: "proposed_obsidian_page", max: NAME_MAX },
        Self { name: "change", field: "proposed_change", max: CHANGE_MAX },
        Self { name: "requires", field: "requires", max: SENTENCE_MAX },
    ];
}

/// New texts, by the name of their field; a field that is not named stays, an empty text removes it.
#[derive(Default)]
pub struct Edit {
    /// The name of an [`Editable`] and its new text.
    pub texts: Vec<(&'static str, Raw)>,
}

/// A review that was edited.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The review.
    pub id: ReviewId,
    /// The names of the fields that changed; empty: nothing was written.
    pub changed: Vec<&'static str>,
    /// The flags it has now.
    pub flags: Vec<Flag>,
}

/// Changes texts of a pending review.
///
/// # Errors
/// When a text is over its limit, the fact is emptied, or the review is not pending.
pub fn edit(ctx: &Context, id: &ReviewId, reviewer: &str, edit: &Edit) -> Result<Edited> {
    decision(ctx, "review.edit", id, reviewer, |deciding| {
        // Only what may still be approved may be edited.
        deciding.require(Status::Approved)?;
        let problems: Vec<Problem> = edit.texts.iter().filter_map(|(name, text)| problem(name, text)).collect();
        if !problems.is_empty() {
            return Err(Refusal::Edit(problems).into());
        }
        let (changed, before) = apply(ctx, &mut deciding.review, edit);
        let review = &mut deciding.review;
        if !changed.is_empty() {
            let check = check_now(ctx, review);
            write_check(review, &check, ctx, ctx.now());
            flag_anew(review, &check);
            let entry = [
                ("at", Safe::from(ctx.now())),
                ("by", Safe::login(reviewer)),
                ("action", Safe::word("edit")),
                ("before", Safe::object(before)),
            ];
            review.doc.push("history", Safe::object(entry));
        }
        Ok(Edited { id: id.clone(), changed, flags: review.flags() })
    })
}

fn problem(name: &str, text: &Raw) -> Option<Problem> {
    let editable = Editable::ALL.iter().find(|editable| editable.name == name)?;
    let count = text.chars();
    let (code, what) = if count > editable.max {
        (
            "text_too_long",
            format!("{count} characters; the limit is {}. Shorten it by {}", editable.max, count - editable.max),
        )
    } else if name == "fact" && text.expose().trim().is_empty() {
        ("empty_text", "is empty. Reject the review if nothing of it holds".to_owned())
    } else if name == "page" && !text.expose().trim().is_empty() {
        ("bad_value", check_page(text.expose()).err()?.to_owned())
    } else {
        return None;
    };
    Some(Problem { field: name.to_owned(), code, what })
}

/// Sets the new texts, all editable fields masked as one record: a name that is told in full in one of them is one in the
/// others too.
fn apply(ctx: &Context, review: &mut Review, edit: &Edit) -> (Vec<&'static str>, Vec<(&'static str, Safe)>) {
    let texts = Editable::ALL.map(|editable| {
        let given = edit.texts.iter().find(|(name, _)| *name == editable.name);
        let stored = || review.doc.text(editable.field).unwrap_or_default();
        given.map_or_else(stored, |(_, text)| text.expose().trim()).to_owned()
    });
    let masked = ctx.masker().mask_record(&texts.each_ref().map(String::as_str));
    let mut changed = Vec::new();
    let mut before = Vec::new();
    for (editable, masking) in Editable::ALL.into_iter().zip(masked) {
        let text = masking.text;
        if text.as_str() == review.doc.text(editable.field).unwrap_or_default() {
            continue;
        }
        before.push((editable.field, Safe::from(review.doc.masked_text(editable.field))));
        if text.as_str().is_empty() {
            review.doc.set(editable.field, Safe::null());
        } else {
            review.doc.set(editable.field, text);
        }
        changed.push(editable.name);
    }
    (changed, before)
}
