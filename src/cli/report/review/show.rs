//! One review, whole.

use serde_json::{Value, json};

use super::{flags, tone, until};
use crate::app::Context;
use crate::app::reviews::{self, Shown};
use crate::cli::prompt::Prompter;
use crate::cli::report::session::show_turn;
use crate::cli::report::time::ago;
use crate::cli::report::vault;
use crate::cli::table::{Cell, KeyValues, Screen, Tone};
use crate::cli::ui::Ui;
use crate::cli::{Failure, Session};
use crate::domain::ids::ReviewId;
use crate::domain::review::{Flag, Status};
use crate::domain::session::Turn;
use crate::domain::time::Timestamp;

/// Shows a review.
pub(crate) fn show(shown: &Shown, ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        let mut fields = shown.review.doc.fields().clone();
        fields.insert("status".to_owned(), json!(shown.status));
        fields.insert("fact_status".to_owned(), json!(shown.review.fact_status()));
        fields.insert("turn".to_owned(), json!(shown.turn));
        fields.insert("session_state".to_owned(), json!(shown.session_state));
        fields.insert("vault_now".to_owned(), vault::to_json(&shown.check, ctx));
        ui.document(Value::Object(fields));
        return;
    }
    let text = page(shown, ctx, *ui.screen());
    ui.text(&text);
}

/// Shows a review to someone who is about to decide, and answers the mark of what was shown.
pub(crate) fn say_show(
    ctx: &Context,
    id: &ReviewId,
    session: &Session,
    prompter: &mut dyn Prompter,
) -> Result<String, Failure> {
    let shown = reviews::show(ctx, id)?;
    prompter.say(&format!("{}\n", page(&shown, ctx, *session.ui.err_screen())))?;
    Ok(shown.review.mark())
}

/// Shows a review in short, with where in the queue it stands, and answers the mark of what was shown.
pub(crate) fn say_short(
    ctx: &Context,
    id: &ReviewId,
    (at, of): (usize, usize),
    session: &Session,
    prompter: &mut dyn Prompter,
) -> Result<String, Failure> {
    let shown = reviews::show(ctx, id)?;
    let mut page = KeyValues::new();
    page.section(format!("{at}/{of}  {id}"));
    what(&mut page, &shown);
    page.pair("flags", flags(&shown.review.flags()));
    page.pair("expires", expires(&shown, ctx.now()));
    vault::section(&mut page, &shown.check, ctx);
    prompter.say(&format!("\n{}", page.render(session.ui.err_screen())))?;
    Ok(shown.review.mark())
}

fn page(shown: &Shown, ctx: &Context, screen: Screen) -> String {
    let now = ctx.now();
    let review = &shown.review;
    let doc = &review.doc;
    let mut page = KeyValues::new();
    page.section(review.id.as_str());
    what(&mut page, shown);
    let status = match shown.status {
        Status::Approved if review.block().is_none() || doc.text("proposed_obsidian_page").is_some() => {
            "approved, not yet in the vault"
        }
        status => status.name(),
    };
    page.pair("status", status);
    page.pair("fact status", review.fact_status().name());
    page.pair("confidence", doc.text("confidence").unwrap_or_default());
    page.pair("verified by", doc.text("verified_by").unwrap_or_default());
    page.pair("evidence", doc.text("evidence").unwrap_or_default());
    page.pair("created", review.created_at().map(|at| ago(at, now)).unwrap_or_default());
    page.pair("expires", expires(shown, now));
    page.pair(
        "seen",
        doc.number("seen_count").filter(|seen| *seen > 1).map(|seen| format!("{seen} times")).unwrap_or_default(),
    );
    marks(&mut page, shown);
    vault::section(&mut page, &shown.check, ctx);
    page.section("Source");
    page.pair("agent", review.agent().unwrap_or_default());
    let state = shown.session_state.map(|state| format!(" ({})", state.name())).unwrap_or_default();
    page.pair("session", doc.text("source_session").map(|id| format!("{id}{state}")).unwrap_or_default());
    match (&shown.turn, doc.number("source_turn")) {
        (Some(turn), _) => show_turn(&mut page, Turn(turn)),
        (None, Some(number)) => drop(page.pair("turn", format!("{number} (no longer on disk)"))),
        (None, None) => {}
    }
    history(&mut page, shown, now);
    page.render(&screen)
}

fn what(page: &mut KeyValues, shown: &Shown) {
    let doc = &shown.review.doc;
    let text = |key: &str| doc.text(key).unwrap_or_default().to_owned();
    page.pair("fact", Cell::block(shown.review.fact()).tone(Tone::Strong));
    page.pair("kind", shown.review.kind().name());
    page.pair("block", text("block_id"));
    page.pair("project", text("project"));
    page.pair("page", text("proposed_obsidian_page"));
    page.pair("change", Cell::block(text("proposed_change")));
    page.pair("requires", Cell::block(text("requires")));
    page.pair("consequence", Cell::block(text("consequence")));
    page.pair("decided on", text("decided_on"));
}

fn expires(shown: &Shown, now: Timestamp) -> String {
    let at = shown.review.expires_at().filter(|_| shown.status == Status::Pending);
    at.map(|at| until(at, now)).unwrap_or_default()
}

/// The flags, each with what it is about.
fn marks(page: &mut KeyValues, shown: &Shown) {
    let doc = &shown.review.doc;
    page.section("Look out");
    for flag in shown.review.flags() {
        let why = match flag {
            Flag::Conflict => "the vault says otherwise".to_owned(),
            Flag::Suspicious => {
                let found: Vec<&str> = doc.texts("suspicious").collect();
                format!("reads like an instruction to a model, or hides characters: {}", found.join(", "))
            }
            Flag::Hedged => format!("a conjecture, plan or intention: \"{}\"", doc.text("hedged").unwrap_or_default()),
            Flag::PreviouslyRejected => {
                let before = doc.get("previously_rejected");
                let word = |key: &str| before.and_then(|before| before.get(key)?.as_str()).unwrap_or_default();
                format!("{} rejected the same on {}: {}", word("by"), word("at"), word("reason"))
            }
        };
        page.pair(flag.name(), Cell::new(why).tone(tone(flag)));
    }
}

fn history(page: &mut KeyValues, shown: &Shown, now: Timestamp) {
    page.section("History");
    for entry in shown.review.doc.list("history") {
        let word = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let when = Timestamp::parse(word("at")).map(|at| ago(at, now)).unwrap_or_default();
        let mut text = format!("{} by {}", word("action"), word("by"));
        for (key, label) in [("evidence", "evidence"), ("reason", "reason"), ("resolve", "although")] {
            if !word(key).is_empty() {
                text.extend(["; ", label, ": ", word(key)]);
            }
        }
        if let Some(before) = entry.get("before").and_then(Value::as_object) {
            for (field, old) in before {
                text.extend(["\n", field, " was: ", old.as_str().unwrap_or("–")]);
            }
        }
        page.pair(when, Cell::block(text));
    }
}
