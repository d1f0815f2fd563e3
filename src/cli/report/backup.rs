//! Outcomes of `backup`.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::time::{ago, old, past};
use super::{count, size};
use crate::app::Context;
use crate::app::backup::{InPlace, Made, Pair, Restored, State, Verified};
use crate::app::retention::Skip;
use crate::cli::error::{Failure, clock_says};
use crate::cli::sanitize;
use crate::cli::table::{Cell, Column, KeyValues, Table, Tone};
use crate::cli::ui::Ui;
use crate::store::backup::Listed;

/// How many files that could not be read are named on stderr; the JSON names up to a thousand.
const NAMED: usize = 20;

/// A backup was made. From cron it says nothing, unless something was left out or the clock is doubted.
pub(crate) fn made(made: &Made, is_watched: bool, ui: &mut Ui) {
    if ui.json() {
        ui.document(made_fields(made));
        return;
    }
    let record = &made.record;
    if is_watched || ui.verbose() {
        ui.line(&format!(
            "made and read back {}: {} with {}, {} encrypted",
            made.path.display(),
            count(record.files, "file", "files"),
            size(record.bytes),
            size(record.size)
        ));
        if !made.removed.is_empty() {
            ui.line(&format!("removed {} of over 7 days", count(made.removed.len(), "backup", "backups")));
        }
    }
    left_out(&made.skipped, ui);
    if let Some(jump) = made.clock {
        ui.warning(&format!("{}: no old backup was removed", clock_says(jump)));
        ui.hint("look at the clock (timedatectl); where it is right, run this once with --accept-clock");
    }
}

fn made_fields(made: &Made) -> Value {
    let record = &made.record;
    json!({
        "backup": made.name.to_string(),
        "path": made.path,
        "files": record.files,
        "bytes": record.bytes,
        "size": record.size,
        "sha256": record.sha256,
        "verified_at": record.verified_at,
        "key_id": record.key_id,
        "audit_head": record.audit_head,
        "removed": made.removed.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "clock": made.clock.map(clock_says),
        "left_out": made.skipped.count,
        "skipped": skipped_json(&made.skipped),
    })
}

fn skipped_json(skipped: &Skip) -> Vec<Value> {
    skipped.named.iter().map(|file| json!({"path": file.path, "reason": file.why})).collect()
}

fn left_out(skipped: &Skip, ui: &Ui) {
    for file in skipped.named.iter().take(NAMED) {
        ui.warning(&sanitize::line(&format!("left out: {}", file.why)));
    }
    let more = skipped.count.saturating_sub(NAMED as u64);
    if more > 0 {
        ui.warning(&format!("and {} more", count(more, "file", "files")));
    }
}

/// The backups that there are.
pub(crate) fn list(listed: &[Listed], ctx: &Context, ui: &mut Ui) {
    if ui.json() {
        let rows = listed.iter().map(|one| {
            json!({
                "backup": one.name.to_string(),
                "path": one.path,
                "created_at": one.name.at(),
                "size": one.size,
                "files": one.record.as_ref().map(|record| record.files),
                "bytes": one.record.as_ref().map(|record| record.bytes),
                "left_out": one.record.as_ref().map(|record| record.left_out),
                "verified_at": one.verified_at(),
                "sha256": one.record.as_ref().map(|record| &record.sha256),
                "key_ids": one.key_ids,
            })
        });
        ui.rows("backups", rows, &Map::new());
        return;
    }
    let now = ctx.now();
    let mut table = Table::new([
        Column::id("backup"),
        Column::short("age"),
        Column::number("size"),
        Column::number("files"),
        Column::short("verified"),
        Column::short("key"),
    ]);
    for one in listed {
        let verified = match (one.verified_at(), one.is_good()) {
            (Some(at), true) => Cell::new(past(at, now)).tone(Tone::Good),
            (Some(_), false) => Cell::new("lacks files").tone(Tone::Warn),
            (None, _) => Cell::new("never").tone(Tone::Warn),
        };
        let key = if one.key_ids.is_empty() { "passphrase".to_owned() } else { one.key_ids.join(", ") };
        table.row(vec![
            Cell::new(one.name.to_string()).tone(Tone::Strong),
            Cell::new(old(one.name.at(), now)),
            Cell::new(size(one.size)),
            Cell::new(one.record.as_ref().map(|record| record.files.to_string()).unwrap_or_default()),
            verified,
            Cell::new(key),
        ]);
    }
    let text = table.render(ui.screen());
    ui.text(&text);
    let folder = ctx.config.backup.target.display();
    ui.status(&match listed.len() {
        0 => format!("no backups in {folder}"),
        number => format!("{} in {folder}", count(number, "backup", "backups")),
    });
}

/// Backups were read from end to end.
pub(crate) fn verified(all: &[Verified], ui: &mut Ui) {
    if ui.json() {
        let backups: Vec<_> = all
            .iter()
            .map(|one| match &one.outcome {
                Ok(checked) => json!({
                    "path": one.path, "whole": true, "files": checked.files, "bytes": checked.bytes, "size": checked.size,
                    "sha256": checked.sha256, "audit_head": audit_head(&checked.info),
                }),
                Err(why) => json!({"path": one.path, "whole": false, "reason": why}),
            })
            .collect();
        ui.document(json!({"backups": backups}));
        return;
    }
    for one in all {
        let name = one.path.display();
        match &one.outcome {
            Ok(checked) => ui.line(&format!(
                "{name} is whole: {} with {}; audit head {}",
                count(checked.files, "file", "files"),
                size(checked.bytes),
                audit_head(&checked.info).unwrap_or_else(|| "unknown".to_owned()),
            )),
            Err(why) => ui.line(&sanitize::line(&format!("{name} can't be used: {why}"))),
        }
    }
    if all.is_empty() {
        ui.status("no backups");
    }
}

fn audit_head(info: &[u8]) -> Option<String> {
    let info: Value = serde_json::from_slice(info).ok()?;
    info.get("audit_head")?.as_str().map(|head| sanitize::line(head).into_owned())
}

/// A backup was unpacked into a folder.
pub(crate) fn restored(restored: &Restored, backup: &Path, folder: &Path, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({
            "backup": backup, "to": folder, "files": restored.files, "bytes": restored.bytes,
        }));
        return;
    }
    let files = count(restored.files, "file", "files");
    ui.line(&format!("restored {files} with {} to {}", size(restored.bytes), folder.display()));
    if restored.files == 0 {
        ui.hint("see what is in it: gpg --decrypt BACKUP | tar --zstd -t");
    }
}

/// A backup was put in the tree's place.
pub(crate) fn in_place(done: InPlace, backup: &Path, ui: &mut Ui) {
    let InPlace { before, restored, retention } = done;
    let retention = retention.map_err(Failure::from);
    if ui.json() {
        ui.document(json!({
            "backup": backup,
            "files": restored.files,
            "bytes": restored.bytes,
            "kept_audit": restored.kept_audit,
            "before": made_fields(&before),
            "retention": match &retention {
                Ok(report) => super::retention::counts(&report.tallies),
                Err(failure) => json!({"error": failure.headline}),
            },
        }));
        return;
    }
    ui.line(&format!("what was there is in {}", before.path.display()));
    let files = count(restored.files, "file", "files");
    ui.line(&format!("restored {files} with {} from {}", size(restored.bytes), backup.display()));
    if !restored.kept_audit {
        ui.line("the audit log is the backup's too: the one that was there did not go on from it");
    }
    match retention {
        Ok(report) => {
            let did = super::retention::summary(&report.tallies);
            ui.line(&format!("retention: {}", if did.is_empty() { "nothing was due" } else { &did }));
            left_out(&report.skipped, ui);
        }
        Err(failure) => {
            ui.warning(&sanitize::line(&format!("retention did not run: {}", failure.headline)));
            ui.hint("hermes-mem retention run");
        }
    }
}

/// A pair of keys was made.
pub(crate) fn keygen(pair: &Pair, ui: &mut Ui) {
    if ui.json() {
        ui.document(json!({
            "public": pair.public, "secret": pair.secret, "fingerprint": pair.fingerprint, "signing": pair.is_for_signing,
        }));
        return;
    }
    let mut page = KeyValues::new();
    page.pair("certificate", pair.public.display().to_string());
    page.pair("secret key", pair.secret.display().to_string());
    page.pair("fingerprint", pair.fingerprint.clone());
    let text = page.render(ui.screen());
    ui.text(&text);
    if pair.is_for_signing {
        ui.hint(&format!("name them in config.toml: [backup] signing_key = \"{}\"", pair.secret.display()));
        ui.hint(&format!("and signer = \"{}\"", pair.public.display()));
    } else {
        ui.hint(&format!("name the certificate in config.toml: [backup] recipient = \"{}\"", pair.public.display()));
        ui.hint(
            "move the secret key off this machine: without it no backup can be opened, and whoever has it can open all",
        );
    }
}

/// The last backup, for `status`.
pub(super) fn last(state: &crate::app::Result<State>, ctx: &Context) -> Cell {
    let Ok(state) = state else { return Cell::new("can't be told: hermes-mem backup list").tone(Tone::Bad) };
    let text = match state.newest_good {
        Some(at) => format!("{}, read back and whole", ago(at, ctx.now())),
        None if state.count > 0 => "none that was found whole".to_owned(),
        None if ctx.config.backup.has_key() => "none yet".to_owned(),
        None => "not configured".to_owned(),
    };
    let tone = if state.is_overdue { Tone::Bad } else { Tone::Plain };
    Cell::new(text).tone(tone)
}
