//! The audit log: one line an operation, each chained to the one before by its hash.
//!
//! A line is `{"seq", "ts", "actor", "via", "op", "target", "outcome", "counts", "prev", "hash"}`. `hash` is the SHA-256, in
//! lower-case hex, of the line's bytes before `,"hash"`; `prev` is the hash of the line before, 64 zeros for the first.
//! Nothing in an entry is free text, so none can carry content.

mod verify;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use base16ct::lower::encode_string;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Store, StoreError, fs, layout};
use crate::domain::time::Timestamp;

pub use verify::{Fault, Report};

/// The longest line, in bytes; the last one is looked for in as much of the file's end.
const LINE_MAX: usize = 64 << 10;
/// The hash before the first line.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// An operation to be recorded.
#[derive(Clone, Debug)]
pub struct Entry {
    /// When.
    pub ts: Timestamp,
    /// Who: a reviewer's or user's login, or an agent as `hermes-carlo`.
    pub actor: String,
    /// By which way in: `cli`, or `sudo`.
    pub via: &'static str,
    /// What, such as `session.append`.
    pub op: &'static str,
    /// On what: an id, which is a name and no content.
    pub target: Option<String>,
    /// `ok`, `refused` or another of the program's own words.
    pub outcome: &'static str,
    /// How many of what.
    pub counts: BTreeMap<&'static str, u64>,
}

/// A line as it stands in the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line<'a> {
    /// Counts from 1, without gaps.
    pub seq: u64,
    /// When, RFC 3339.
    #[serde(borrow)]
    pub ts: Cow<'a, str>,
    /// Who.
    #[serde(borrow)]
    pub actor: Cow<'a, str>,
    /// By which way in.
    #[serde(borrow)]
    pub via: Cow<'a, str>,
    /// What.
    #[serde(borrow)]
    pub op: Cow<'a, str>,
    /// On what.
    #[serde(borrow)]
    pub target: Option<Cow<'a, str>>,
    /// How it ended.
    #[serde(borrow)]
    pub outcome: Cow<'a, str>,
    /// How many of what.
    #[serde(default)]
    pub counts: BTreeMap<Cow<'a, str>, u64>,
    /// The hash of the line before.
    #[serde(borrow)]
    pub prev: Cow<'a, str>,
    /// The hash of this line.
    #[serde(borrow)]
    pub hash: Cow<'a, str>,
}

impl Line<'_> {
    /// Whether these bytes, which the line was read from, are the text that its hash is of, then the hash and nothing more.
    fn seals(&self, bytes: &[u8]) -> bool {
        let end = format!(",\"hash\":\"{}\"}}", self.hash);
        bytes.strip_suffix(end.as_bytes()).is_some_and(|hashed| encode_string(&Sha256::digest(hashed)) == self.hash)
    }

    /// The same line, on its own.
    pub fn to_owned_line(&self) -> Line<'static> {
        let own = |text: &Cow<'_, str>| Cow::Owned(text.clone().into_owned());
        Line {
            seq: self.seq,
            ts: own(&self.ts),
            actor: own(&self.actor),
            via: own(&self.via),
            op: own(&self.op),
            target: self.target.as_ref().map(own),
            outcome: own(&self.outcome),
            counts: self.counts.iter().map(|(name, count)| (own(name), *count)).collect(),
            prev: own(&self.prev),
            hash: own(&self.hash),
        }
    }
}

/// Lines ready to be written at one place of one file; writing them again changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Prepared {
    /// The file, relative to the root.
    pub(super) file: PathBuf,
    /// Where they begin, in bytes.
    offset: u64,
    /// The lines, line ends included.
    lines: String,
}

/// The end of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The last line's number; 0 for an empty log.
    pub seq: u64,
    /// The last line's hash.
    pub hash: String,
    /// When the last line was written, as it says.
    pub ts: Option<String>,
}

struct End {
    head: Head,
    file: PathBuf,
    len: u64,
    /// Bytes of a last line that was never finished.
    torn: u64,
    /// The last line is whole but for its line end.
    is_open: bool,
}

/// Builds the lines for entries, in order, after the last line of the log.
pub(super) fn prepare(store: &Store, entries: &[Entry]) -> Result<Option<Prepared>, StoreError> {
    let Some(first) = entries.first() else { return Ok(None) };
    let end = end(store)?;
    let mut lines = String::new();
    let Head { mut seq, hash: mut prev, .. } = end.head;
    if end.torn > 0 || end.is_open {
        lines.push('\n');
    }
    if end.torn > 0 {
        let recovered = Entry {
            op: "audit.recover",
            target: None,
            outcome: "recovered",
            counts: BTreeMap::from([("torn_bytes", end.torn)]),
            ..first.clone()
        };
        write_line(&mut lines, &recovered, &mut seq, &mut prev);
    }
    for entry in entries {
        write_line(&mut lines, entry, &mut seq, &mut prev);
    }
    // A clock that goes back never reopens an older file, and a torn line is closed where it stands.
    let month = PathBuf::from(layout::AUDIT).join(format!("{}.jsonl", first.ts.month()));
    let stays = end.torn > 0 || end.is_open || end.file >= month;
    let (file, offset) = if stays { (end.file, end.len) } else { (month, 0) };
    Ok(Some(Prepared { file, offset, lines }))
}

fn write_line(lines: &mut String, entry: &Entry, seq: &mut u64, prev: &mut String) {
    *seq += 1;
    let line = Line {
        seq: *seq,
        ts: entry.ts.to_string().into(),
        actor: entry.actor.as_str().into(),
        via: entry.via.into(),
        op: entry.op.into(),
        target: entry.target.as_deref().map(Cow::from),
        outcome: entry.outcome.into(),
        counts: entry.counts.iter().map(|(name, count)| (Cow::from(*name), *count)).collect(),
        prev: prev.as_str().into(),
        hash: "".into(),
    };
    let text = serde_json::to_string(&line).unwrap_or_default();
    let hashed = text.strip_suffix(",\"hash\":\"\"}").unwrap_or(&text);
    let hash = encode_string(&Sha256::digest(hashed.as_bytes()));
    let _ = writeln!(lines, "{hashed},\"hash\":\"{hash}\"}}");
    *prev = hash;
}

/// Writes prepared lines durably.
pub(super) fn write(store: &Store, prepared: &Prepared) -> Result<(), StoreError> {
    fs::write_at(&store.path(&prepared.file), prepared.offset, prepared.lines.as_bytes(), store.modes)
}

/// Writes lines of a change that was begun, unless the log has gone on since.
pub(super) fn write_again(store: &Store, prepared: &Prepared) -> Result<(), StoreError> {
    let (bytes, len) = fs::tail(&store.path(&prepared.file), u64::MAX)?;
    let written = usize::try_from(prepared.offset).ok().and_then(|start| bytes.get(start..)).unwrap_or_default();
    let lines = prepared.lines.as_bytes();
    if len < prepared.offset || !lines.starts_with(written) {
        // Longer, or other lines: this change's are in, or the log was changed by other hands, which `verify` finds.
        return Ok(());
    }
    write(store, prepared)
}

/// Takes lines back that were written for a change that did not happen.
pub(super) fn take_back(store: &Store, prepared: &Prepared) {
    let path = store.path(&prepared.file);
    if fs::tail(&path, 0).is_ok_and(|(_, len)| len > prepared.offset) {
        drop(fs::cut(&path, prepared.offset));
    }
}

impl Store {
    /// The number and hash of the last whole line.
    ///
    /// # Errors
    /// When the log can't be read, or its last line is none.
    pub fn audit_head(&self) -> Result<Head, StoreError> {
        Ok(end(self)?.head)
    }

    /// The log's files, oldest first, relative to the root.
    ///
    /// # Errors
    /// When the folder can't be listed.
    pub fn audit_files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut files: Vec<_> = fs::list(&self.path(layout::AUDIT))?
            .into_iter()
            .filter(|(name, kind)| kind.is_file() && layout::is_audit_file(name))
            .map(|(name, _)| PathBuf::from(layout::AUDIT).join(name))
            .collect();
        files.sort();
        Ok(files)
    }

    /// Hands each readable line of the log to `see`, oldest first, until it answers `false`.
    ///
    /// # Errors
    /// When a file can't be read.
    pub fn audit_lines(&self, mut see: impl FnMut(&Line<'_>) -> bool) -> Result<(), StoreError> {
        for file in self.audit_files()? {
            let mut goes_on = true;
            fs::lines(&self.path(&file), 0, LINE_MAX, |line| {
                goes_on = serde_json::from_slice::<Line<'_>>(line.bytes).map_or(true, |line| see(&line));
                goes_on
            })?;
            if !goes_on {
                break;
            }
        }
        Ok(())
    }
}

/// What the log tells of the time and of retention.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The last retention run that came to its end.
    pub last_run: Option<LastRun>,
    /// The newest time of a change since then, that run included. What was refused changed nothing.
    pub newest_change: Option<Timestamp>,
}

/// A retention run that came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastRun {
    /// When.
    pub at: Timestamp,
    /// `ok`, or `partly` where something was reported and left alone.
    pub outcome: String,
    /// How many of what.
    pub counts: BTreeMap<String, u64>,
}

/// What the log calls a whole retention run.
pub const RETENTION_RUN: &str = "retention.run";

impl Store {
    /// Reads the log from its end back to the last completed retention run.
    ///
    /// # Errors
    /// When a file can't be read.
    pub fn audit_trail(&self) -> Result<Trail, StoreError> {
        let mut trail = Trail::default();
        for file in self.audit_files()?.iter().rev() {
            let goes_on = fs::lines_back(&self.path(file), LINE_MAX, |bytes| {
                let Ok(line) = serde_json::from_slice::<Line<'_>>(bytes) else { return true };
                let Ok(at) = Timestamp::parse(&line.ts) else { return true };
                if line.outcome != "refused" {
                    trail.newest_change = trail.newest_change.max(Some(at));
                }
                if line.op == RETENTION_RUN && matches!(&*line.outcome, "ok" | "partly") {
                    let counts = line.counts.iter().map(|(name, count)| (name.to_string(), *count)).collect();
                    trail.last_run = Some(LastRun { at, outcome: line.outcome.to_string(), counts });
                }
                trail.last_run.is_none()
            })?;
            if !goes_on {
                break;
            }
        }
        Ok(trail)
    }
}

fn end(store: &Store) -> Result<End, StoreError> {
    let empty = Head { seq: 0, hash: GENESIS.to_owned(), ts: None };
    let mut files = store.audit_files()?;
    let Some(newest) = files.pop() else {
        return Ok(End { head: empty, file: PathBuf::new(), len: 0, torn: 0, is_open: false });
    };
    let (bytes, len) = fs::tail(&store.path(&newest), LINE_MAX as u64)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let is_open = is_sealed(bytes.get(whole..).unwrap_or_default());
    let whole = if is_open { bytes.len() } else { whole };
    let torn = (bytes.len() - whole) as u64;
    let head = last_line(bytes.get(..whole).unwrap_or_default());
    let head = match head {
        Some(head) => head,
        // A month's first line was torn: the chain goes on from the month before.
        None if whole == 0 => match files.pop() {
            Some(older) => {
                let (bytes, _) = fs::tail(&store.path(&older), LINE_MAX as u64)?;
                last_line(&bytes).ok_or_else(|| StoreError::damaged(&older, "its last line is no audit entry"))?
            }
            None => empty,
        },
        None => {
            return Err(StoreError::damaged(&newest, "its last line is no audit entry; see `hermes-mem audit verify`"));
        }
    };
    Ok(End { head, file: newest, len, torn, is_open })
}

/// Whether bytes are a line with its hash, whole.
fn is_sealed(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Line<'_>>(bytes).is_ok_and(|line| line.seals(bytes))
}

fn last_line(bytes: &[u8]) -> Option<Head> {
    let line = bytes.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty())?;
    let line: Line<'_> = serde_json::from_slice(line).ok()?;
    Some(Head { seq: line.seq, hash: line.hash.into_owned(), ts: Some(line.ts.into_owned()) })
}
