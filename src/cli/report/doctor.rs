//! The outcome of `doctor`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::count;
use super::time::local;
use crate::app::backup::Problem;
use crate::app::doctor::{Checkup, Finding, Mend, Trouble, What};
use crate::cli::error::Failure;
use crate::cli::sanitize;
use crate::cli::table::{Cell, Column, Table, Tone};
use crate::cli::ui::Ui;

/// What the kinds of trouble are called, and what a person does about those that no repair mends.
const fn words(trouble: Trouble) -> (&'static str, &'static str) {
    match trouble {
        Trouble::HalfWay => ("half way", "any command that writes finishes it"),
        Trouble::Leftover => ("left over", ""),
        Trouble::Missing => ("missing", ""),
        Trouble::Rights => ("rights", "give it to the tree's user, or run this as its owner"),
        Trouble::Unreadable => ("unreadable", "look at its rights, links and disk"),
        Trouble::Twice => ("twice", ""),
        Trouble::Misplaced => ("misplaced", ""),
        Trouble::Dangling => ("dangling", "decide on the review all the same, or reject it"),
        Trouble::Foreign => ("foreign", "move it out of the tree, if it is not meant to be there"),
        Trouble::Unmasked => ("unmasked", "hermes-mem mask scan --fix"),
        Trouble::SharedUser => ("shared user", "give each a Unix user of their own in the configuration"),
        Trouble::Audit => ("audit", "compare it with a backup: hermes-mem audit verify --expect HASH"),
        Trouble::Blocks => ("blocks", "restore blocks.db: hermes-mem backup restore latest --only blocks.db --to DIR"),
        Trouble::Backup => ("backup", "hermes-mem backup run; hermes-mem backup verify --secret-key FILE"),
    }
}

const fn done(mend: Mend) -> (&'static str, Tone) {
    match mend {
        Mend::Can => ("--repair mends it", Tone::Plain),
        Mend::CanSetAside => ("--repair moves it to quarantine/", Tone::Plain),
        Mend::Done => ("mended", Tone::Good),
        Mend::SetAside => ("moved to quarantine/", Tone::Good),
        Mend::ByHand => ("by hand", Tone::Warn),
        Mend::Failed => ("could not be mended", Tone::Bad),
    }
}

fn said(finding: Finding) -> (Trouble, String, Mend, String) {
    let Finding { trouble, target, what, mend } = finding;
    let what = match what {
        What::Text(text) => text,
        What::Error(error) => Failure::from(error).headline,
        What::Backup(problem) => backup(problem),
    };
    (trouble, target, mend, what)
}

fn backup(problem: Problem) -> String {
    match problem {
        Problem::Target(error) | Problem::Key(error) => Failure::from(error).headline,
        Problem::None => "there is no backup that was found whole".to_owned(),
        Problem::Old { at, max } => format!("the newest good one is of {}, older than {max}", local(at)),
        Problem::Unverified { name } => format!("{name} was never found whole, or is not what it was"),
    }
}

/// What was found, and what became of it.
pub(crate) fn checkup(checkup: Checkup, is_repair: bool, ui: &mut Ui) {
    let unnamed = checkup.unnamed();
    let (is_clean, looked, quarantine, counts) =
        (checkup.is_clean(), checkup.looked, checkup.quarantine, checkup.counts);
    let is_left = |finding: &&Finding| matches!(finding.mend, Mend::ByHand | Mend::Failed);
    let by_hand: BTreeSet<Trouble> = checkup.findings.iter().filter(is_left).map(|finding| finding.trouble).collect();
    let can_mend = checkup.findings.iter().any(|finding| matches!(finding.mend, Mend::Can | Mend::CanSetAside));
    let findings = checkup.findings.into_iter().map(said);
    if ui.json() {
        let rows = findings.map(|(trouble, target, mend, what)| {
            json!({"kind": trouble, "target": target, "what": sanitize::line(&what), "repair": mend})
        });
        let counts: Map<String, Value> = counts
            .iter()
            .filter_map(|(trouble, count)| Some((json!(trouble).as_str()?.to_owned(), json!(count))))
            .collect();
        let rest = Map::from_iter([
            ("counts".to_owned(), counts.into()),
            ("looked_at".to_owned(), looked.into()),
            ("clean".to_owned(), is_clean.into()),
            ("quarantine".to_owned(), json!(quarantine)),
        ]);
        ui.rows("findings", rows, &rest);
        return;
    }
    let mut table = Table::new([
        Column::short("trouble"),
        Column::id("where"),
        Column::text("what"),
        Column::short(if is_repair { "done" } else { "way out" }),
    ]);
    for (trouble, target, mend, what) in findings {
        let (mended, tone) = done(mend);
        table.row(vec![
            Cell::new(words(trouble).0),
            Cell::new(sanitize::line(&target).into_owned()).tone(Tone::Strong),
            Cell::new(sanitize::line(&what).into_owned()),
            Cell::new(mended).tone(tone),
        ]);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    if unnamed > 0 {
        ui.line(&format!("and {} more", count(unnamed, "finding", "findings")));
    }
    let files = format!(
        "looked at {} and all that belongs to them",
        count(looked, "session and review", "sessions and reviews")
    );
    let found: u64 = counts.values().map(|count| count.found).sum();
    let mended: u64 = counts.values().map(|count| count.mended).sum();
    ui.line(&match (found, mended) {
        (0, _) => format!("{files}: all is as it should be"),
        (_, 0) => format!("{files}: {}", count(found, "finding", "findings")),
        _ => format!("{files}: {}, {mended} of them mended", count(found, "finding", "findings")),
    });
    if can_mend {
        ui.hint("mend what can be mended without loss: hermes-mem doctor --repair");
    }
    for trouble in by_hand {
        let (name, way_out) = words(trouble);
        if !way_out.is_empty() {
            ui.hint(&format!("{name}: {way_out}"));
        }
    }
    if !quarantine.is_empty() {
        ui.status(&format!(
            "{} in quarantine/: look at them, and move them back or away",
            count(quarantine.len(), "file lies", "files lie")
        ));
    }
}
