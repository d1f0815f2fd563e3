//! Outcomes of `review`.

mod list;
mod show;
mod stats;

use std::path::Path;

use serde_json::{Value, json};

use super::time::until;
use super::{count, skipped, skipped_fields};
use crate::app::Context;
use crate::app::reviews::{Approval, Created, Edited, Filed, Transfer, Undone};
use crate::cli::Session;
use crate::cli::sanitize;
use crate::cli::table::{Cell, KeyValues, Screen, Tone};
use crate::cli::ui::Ui;
use crate::domain::ids::ReviewId;
use crate::domain::review::Flag;
use crate::vault::Verdict;

pub(crate) use list::list;
pub(crate) use show::{say_short, say_show, show};
pub(crate) use stats::{reminder, stats};

/// A fact was proposed.
pub(crate) fn created(created: &Created, ui: &mut Ui) {
    let (id, outcome) = match &created.filed {
        Some(Filed::Created { id, is_conflict: true }) => (Some(id), "created, and it contradicts the vault"),
        Some(Filed::Created { id, .. }) => (Some(id), "created"),
        Some(Filed::Seen { id }) => (Some(id), "the same fact is pending already"),
        Some(Filed::Discarded { id }) => (Some(id), "discarded: the vault says so already"),
        Some(Filed::Repeated | Filed::NothingLeft | Filed::QueueFull { .. }) | None => (None, "no review was made"),
    };
    if ui.json() {
        let conflict = matches!(created.filed, Some(Filed::Created { is_conflict: true, .. }));
        let word = match created.filed {
            Some(Filed::Created { .. }) => "created",
            Some(Filed::Seen { .. }) => "seen",
            Some(Filed::Discarded { .. }) => "discarded",
            Some(Filed::Repeated | Filed::NothingLeft | Filed::QueueFull { .. }) | None => "none",
        };
        ui.document(json!({
            "review_id": id, "outcome": word, "conflict": conflict, "masked": created.masked, "warnings": created.warnings,
        }));
        return;
    }
    match id {
        Some(id) => {
            ui.line(id.as_str());
            ui.status(outcome);
        }
        None => ui.status(outcome),
    }
    for warning in &created.warnings {
        ui.warning(&sanitize::line(warning));
    }
}

/// A review was approved: what to write where.
pub(crate) fn approved(approval: &Approval, session: &mut Session) -> Value {
    if !session.ui.json() {
        let text = paste(approval, *session.ui.screen());
        session.ui.text(&text);
        for warning in &approval.warnings {
            session.ui.warning(warning);
        }
        if !is_in_place(approval) {
            session.ui.hint(&format!("once it is in the page: hermes-mem review transferred {}", approval.id));
        }
    }
    json!({
        "review_id": approval.id,
        "status": "approved",
        "page": approval.paste.page,
        "change": approval.paste.change,
        "block": approval.paste.block,
        "block_id": approval.verified,
        "warnings": approval.warnings,
    })
}

/// Whether it was a memory block that no page was proposed for: there is nothing to paste.
fn is_in_place(approval: &Approval) -> bool {
    approval.verified.is_some() && approval.paste.page.is_none()
}

/// The block to paste into the page, and where.
pub(crate) fn paste(approval: &Approval, screen: Screen) -> String {
    let mut page = KeyValues::new();
    page.section(format!("Approved {}", approval.id));
    page.pair("verified", approval.verified.as_ref().map(ToString::to_string).unwrap_or_default());
    if is_in_place(approval) {
        return page.render(&screen);
    }
    page.pair(
        "page",
        Cell::new(approval.paste.page.clone().unwrap_or_else(|| "the page that fits".to_owned())).tone(Tone::Strong),
    );
    page.pair("change", approval.paste.change.clone().unwrap_or_default());
    let head = page.render(&screen);
    // The block stands flush left and unwrapped, so that it can be copied as it is.
    format!("{head}\nPaste this:\n\n{}\n\n", sanitize::block(&approval.paste.block))
}

/// A review was rejected.
pub(crate) fn rejected(id: &ReviewId, session: &mut Session) -> Value {
    if !session.ui.json() {
        session.ui.line(&format!("rejected {id}"));
    }
    json!({"review_id": id, "status": "rejected"})
}

/// A fact is in the vault.
pub(crate) fn transferred(transfer: &Transfer, session: &mut Session) -> Value {
    let checked = match transfer.check.verdict {
        Verdict::Identical => "the page says it now",
        Verdict::NoVault => "no vault to look in",
        _ => "not looked for, as you said",
    };
    if !session.ui.json() {
        session.ui.line(&format!("transferred {}: {checked}", transfer.id));
    }
    json!({"review_id": transfer.id, "status": "transferred", "verdict": transfer.check.verdict})
}

/// A decision was taken back.
pub(crate) fn undone(undone: &Undone, ctx: &Context, session: &mut Session) -> Value {
    if !session.ui.json() {
        let expires = undone.expires_at.map(|at| format!(", expires {}", until(at, ctx.now()))).unwrap_or_default();
        session.ui.line(&format!(
            "took back: {} {}; it is {}{expires}",
            undone.action,
            undone.id,
            undone.status.name()
        ));
    }
    json!({"review_id": undone.id, "undone": undone.action, "status": undone.status, "expires_at": undone.expires_at})
}

/// A review's texts were changed, or not.
pub(crate) fn edited(edited: &Edited, session: &mut Session) -> Value {
    let answer = json!({"review_id": edited.id, "changed": edited.changed, "flags": edited.flags});
    if session.ui.json() {
        return answer;
    }
    if edited.changed.is_empty() {
        session.ui.line(&format!("{} is as it was", edited.id));
    } else {
        session.ui.line(&format!("changed {} of {}", edited.changed.join(", "), edited.id));
    }
    if !edited.flags.is_empty() {
        let names: Vec<&str> = edited.flags.iter().map(|flag| flag.name()).collect();
        session.ui.warning(&format!("it is flagged: {}", names.join(", ")));
    }
    answer
}

/// The queue was written into a file.
pub(crate) fn exported(file: &Path, reviews: usize, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"file": file, "reviews": reviews}));
        return;
    }
    ui.line(&format!("wrote {} to {}", count(reviews, "review", "reviews"), file.display()));
}

/// A flag's tone.
fn tone(flag: Flag) -> Tone {
    match flag {
        Flag::Conflict | Flag::Suspicious => Tone::Bad,
        Flag::Hedged | Flag::PreviouslyRejected => Tone::Warn,
    }
}

fn flags(flags: &[Flag]) -> Cell {
    let names: Vec<&str> = flags.iter().map(|flag| flag.name()).collect();
    let tone = flags.first().map_or(Tone::Plain, |flag| tone(*flag));
    Cell::new(names.join(", ")).tone(tone)
}
