//! Outcomes of `session`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::time::{ago, local};
use super::{count, skipped, skipped_fields};
use crate::app::Context;
use crate::app::sessions::{Appended, Closed, Listed, Lookup, Opened, Pack};
use crate::cli::sanitize;
use crate::cli::table::{Cell, Column, KeyValues, Table, Tone};
use crate::cli::ui::Ui;
use crate::domain::session::{Session, State, Turn};
use crate::store::Skipped;

/// A turn was appended.
pub(crate) fn appended(appended: &Appended, ui: &mut Ui) {
    if ui.json() {
        let mut document = serde_json::to_value(appended).unwrap_or_default();
        if let (Some(fields), 0) = (document.as_object_mut(), appended.reviews_refused) {
            fields.shift_remove("reviews_refused");
        }
        ui.document(document);
        return;
    }
    for line in &appended.evidence {
        ui.line(line);
    }
    for warning in &appended.warnings {
        ui.warning(&sanitize::line(warning));
    }
    if ui.verbose() {
        ui.status(&format!("session {}", appended.session_id));
        for id in appended.reviews_created.iter().chain(&appended.reviews_discarded) {
            ui.status(&format!("review {id}"));
        }
    }
}

/// A session was opened.
pub(crate) fn opened(opened: &Opened, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"session_id": opened.id, "closed": opened.closed}));
        return;
    }
    ui.line(opened.id.as_str());
    if let Some(closed) = &opened.closed {
        ui.status(&format!("closed {closed}"));
    }
}

/// A session was closed.
pub(crate) fn closed(closed: &Closed, ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"session_id": closed.id, "closed_at": closed.at, "already_closed": closed.already}));
        return;
    }
    let when = ago(closed.at, ctx.now());
    if closed.already {
        ui.line(&format!("{} was closed already, {when}", closed.id));
    } else {
        ui.line(&format!("closed {}", closed.id));
    }
}

/// A retrieval that can be used again.
pub(crate) fn lookup(hit: &Lookup, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({"session_id": hit.session, "turn_id": hit.turn, "timestamp": hit.at, "retrieval_meta": hit.retrieval}));
        return;
    }
    let mut page = KeyValues::new();
    page.pair("session", hit.session.as_str());
    page.pair("turn", hit.turn.map(|turn| turn.to_string()).unwrap_or_default());
    retrieval(&mut page, &hit.retrieval);
    let text = page.render(ui.screen());
    ui.text(&text);
}

/// What an agent may load, as it is printed.
pub(crate) fn context(pack: &Pack, json: bool) -> String {
    if json {
        let mut document = json!({"schema": 1});
        if let (Some(document), Value::Object(fields)) = (document.as_object_mut(), pack.to_json()) {
            document.extend(fields);
        }
        return format!("{}\n", serde_json::to_string_pretty(&document).unwrap_or_default());
    }
    let mut text = format!("Session {} ({})\n", pack.session_id, pack.status.name());
    let mut list = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = write!(text, "\n{title}:\n");
            for line in lines {
                let _ = writeln!(text, "- {}", sanitize::line(&line));
            }
        }
    };
    list("Projects", pack.active_projects.clone());
    list("Open tasks", pack.open_tasks.clone());
    list("Decisions of this session", pack.decisions.clone());
    let facts = pack.facts.iter().map(|fact| format!("{} [{}, unverified]", fact.fact, fact.status));
    list("Facts that were said, none of them verified", facts.collect());
    let turns = pack.turns.iter().map(|turn| format!("{}. {} → {}", turn.turn_id, turn.asked, turn.answered));
    list("Last turns", turns.collect());
    if pack.left_out > 0 {
        let _ = write!(text, "\n({} left out)\n", count(pack.left_out, "entry", "entries"));
    }
    text
}

/// A list of sessions.
pub(crate) fn list(listed: Listed, unread: &[Skipped], ctx: &Context, ui: &mut Ui) {
    let now = ctx.now();
    if ui.json() {
        let sessions = listed.headers(ctx).map(|header| {
            json!({
                "session_id": header.id,
                "agent_id": header.agent,
                "status": header.state(now),
                "created_at": header.created_at,
                "last_active": header.last_active,
                "closed_at": header.closed_at(now),
                "turns": header.turns,
                "active_projects": header.projects,
                "reviews": header.reviews,
            })
        });
        ui.rows("sessions", sessions, &skipped_fields(unread));
        return;
    }
    let mut table = Table::new([
        Column::id("id"),
        Column::short("state"),
        Column::short("last active"),
        Column::number("turns"),
        Column::number("reviews"),
        Column::text("projects"),
    ]);
    for header in listed.headers(ctx) {
        let state = header.state(now);
        let tone = if state == State::Active { Tone::Good } else { Tone::Plain };
        let projects: Vec<&str> = header.projects.iter().map(crate::mask::Masked::as_str).collect();
        table.row(vec![
            Cell::new(header.id.as_str()).tone(Tone::Strong),
            Cell::new(state.name()).tone(tone),
            Cell::new(header.last_active.map(|at| ago(at, now)).unwrap_or_default()),
            Cell::new(header.turns.to_string()),
            Cell::new(header.reviews.to_string()),
            Cell::new(projects.join(", ")),
        ]);
    }
    if table.is_empty() {
        ui.status("no sessions");
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    skipped(unread, ui);
}

/// A session, for people or as JSON.
pub(crate) fn show(session: &Session, ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        show_json(session, ctx, ui);
        return;
    }
    let now = ctx.now();
    let mut page = KeyValues::new();
    page.section(session.id.as_str());
    page.pair("agent", session.agent());
    page.pair("state", session.state(now).name());
    page.pair("created", session.doc.time("created_at").map(|at| ago(at, now)).unwrap_or_default());
    page.pair("last active", session.last_active().map(|at| ago(at, now)).unwrap_or_default());
    page.pair("closed", session.closed_at(now).map(|at| ago(at, now)).unwrap_or_default());
    page.pair("closed by", session.doc.text("closed_by").unwrap_or_default());
    page.pair("projects", session.accumulated("active_projects").collect::<Vec<_>>().join(", "));
    page.pair("open tasks", lines(session.accumulated("open_tasks")));
    page.pair("decisions", lines(session.accumulated("decisions_this_session")));
    page.pair("reviews", lines(session.doc.texts("review_queue")));
    for turn in session.turns() {
        show_turn(&mut page, turn);
    }
    let text = page.render(ui.screen());
    ui.text(&text);
}

/// A session's fields, with its true state.
pub(crate) fn show_json(session: &Session, ctx: &Context, ui: &mut Ui) {
    let mut fields = session.doc.fields().clone();
    fields.insert("status".to_owned(), json!(session.state(ctx.now())));
    if let Some(at) = session.closed_at(ctx.now()) {
        fields.insert("closed_at".to_owned(), json!(at));
    }
    ui.document(Value::Object(fields));
}

/// A session as a Markdown page.
pub(crate) fn markdown(session: &Session, ctx: &Context) -> String {
    let mut text = format!("# {}\n\n", session.id);
    let _ = writeln!(text, "- agent: {}", sanitize::line(session.agent()));
    let _ = writeln!(text, "- state: {}", session.state(ctx.now()).name());
    for (name, at) in [("created", session.doc.time("created_at")), ("last active", session.last_active())] {
        if let Some(at) = at {
            let _ = writeln!(text, "- {name}: {at}");
        }
    }
    for turn in session.turns() {
        let number = turn.number().unwrap_or(0);
        let _ = write!(text, "\n## Turn {number}\n\n");
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(text, "- {name}: {}", sanitize::line(value));
        };
        turn.time().iter().for_each(|at| field("time", &at.to_string()));
        turn.asked().iter().for_each(|asked| field("asked", asked));
        turn.answered().iter().for_each(|answered| field("answered", answered));
        turn.tasks().for_each(|task| field("task", task));
        turn.decisions().for_each(|decision| field("decision", decision));
        turn.facts().for_each(|(fact, status)| field(&format!("fact ({status}, unverified)"), fact));
    }
    text
}

fn lines<'a>(texts: impl Iterator<Item = &'a str>) -> Cell {
    Cell::block(texts.collect::<Vec<_>>().join("\n"))
}

/// A turn as a section of a page.
pub(super) fn show_turn(page: &mut KeyValues, turn: Turn<'_>) {
    let number = turn.number().map(|number| number.to_string()).unwrap_or_default();
    page.section(format!("Turn {number}  {}", turn.time().map(local).unwrap_or_default()));
    page.pair("asked", turn.asked().unwrap_or_default());
    page.pair("answered", turn.answered().unwrap_or_default());
    if let Some(meta) = turn.retrieval() {
        retrieval(page, meta);
    }
    page.pair("tasks", lines(turn.tasks()));
    page.pair("decisions", lines(turn.decisions()));
    let facts: Vec<String> = turn.facts().map(|(fact, status)| format!("{fact} ({status}, unverified)")).collect();
    page.pair("facts", Cell::block(facts.join("\n")));
}

fn retrieval(page: &mut KeyValues, meta: &serde_json::Map<String, Value>) {
    let text = |key: &str| meta.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = |key: &str| meta.get(key).and_then(Value::as_u64).unwrap_or(0);
    page.pair("query", text("query"));
    page.pair("project", text("project"));
    page.pair(
        "retrieval",
        format!(
            "{} Obsidian sources, {} Graphiti facts, confidence {}",
            number("obsidian_sources"),
            number("graphiti_facts"),
            text("confidence")
        ),
    );
    let paths = meta.get("source_paths").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    page.pair("sources", lines(paths));
}
