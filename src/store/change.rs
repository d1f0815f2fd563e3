//! One atomic change of the tree, however many files it touches.
//!
//! 1. New contents are written to `.staging/` and made durable. 2. A record of the whole change is written to
//!    `.staging/journal` and made durable: from here on the change happens. 3. The audit lines are appended. 4. Files are
//!    moved into place, old ones removed, and their folders made durable. 5. The journal is emptied.
//!
//! A process that dies before step 2 has ended has changed nothing; one that dies later leaves the rest to the next writer,
//! who finds the journal and repeats steps 3 to 5, each of which may be repeated. An error before the first move of step 4
//! takes everything back.
//!
//! A change of many files costs one `syncfs` for all their contents. An archive is read back from the disk and unpacked before
//! the journal lets its original go.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::audit::{Entry, Prepared};
use super::blocks::BlockWriter;
use super::layout::{self, Shelf};
use super::{Item, Store, StoreError, Tree, audit, fs, sessions};
use crate::domain::doc::SCHEMA_VERSION;
use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::review::Review;
use crate::domain::session::{Session, State};

/// The largest journal, in bytes: a change of some ten thousand files.
const JOURNAL_MAX: u64 = 16 << 20;

/// From so many new files on, one sync of the whole file system is cheaper than one a file.
const MANY: usize = 8;

/// How a file on its way into the tree ends.
const STAGED: &str = ".new";

/// Changes that belong together. Built from documents, which hold masked text alone.
#[derive(Debug, Default)]
pub struct Change {
    puts: Vec<Put>,
    removes: Vec<PathBuf>,
    shifts: Vec<(PathBuf, PathBuf)>,
    entries: Vec<Entry>,
}

/// New contents of a file.
#[derive(Debug)]
struct Put {
    /// Where, relative to the root.
    to: PathBuf,
    /// What is written.
    bytes: Vec<u8>,
    /// The SHA-256 of what an archive has to unpack to.
    unpacked: Option<String>,
}

impl Change {
    /// A change that does nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a session into the folder of a state, and takes it out of the one it was in.
    ///
    /// # Errors
    /// [`StoreError::Newer`] when the file was written by a newer version, [`StoreError::TooLarge`] when it could not be read
    /// again.
    pub fn put_session(&mut self, session: &Session, was: Option<State>, to: State) -> Result<(), StoreError> {
        let path = layout::session_file(&session.id, to);
        check_version(&path, session.doc.schema_version(), session.doc.is_writable())?;
        let bytes = session.doc.to_bytes();
        check_size(&path, bytes.len(), fs::FILE_MAX)?;
        if let Some(was) = was.filter(|was| *was != to) {
            self.removes.push(layout::session_file(&session.id, was));
        }
        let put = if to == State::Archived {
            let packed = gzip(&bytes).map_err(|error| StoreError::io("compress", &path, error))?;
            Put { to: path, bytes: packed, unpacked: Some(digest(&bytes)) }
        } else {
            Put { to: path, bytes, unpacked: None }
        };
        self.puts.push(put);
        Ok(())
    }

    /// Deletes a session or a review.
    pub fn delete(&mut self, item: &Item) {
        self.removes.push(item.path());
    }

    /// Moves a file or folder as it is, whatever it holds, to a place that is free; both relative to the root.
    pub fn shift(&mut self, from: PathBuf, to: PathBuf) {
        self.shifts.push((from, to));
    }

    /// How many bytes of new contents it holds.
    pub fn size(&self) -> usize {
        self.puts.iter().map(|put| put.bytes.len()).sum()
    }

    /// Whether it touches no file.
    pub fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.removes.is_empty() && self.shifts.is_empty()
    }

    /// Puts a review on a shelf, and takes it off the one it was on.
    ///
    /// # Errors
    /// [`StoreError::Newer`] when the file was written by a newer version, [`StoreError::TooLarge`] when it could not be read
    /// again.
    pub fn put_review(&mut self, review: &Review, was: Option<Shelf>, to: Shelf) -> Result<(), StoreError> {
        let path = layout::review_file(&review.id, to);
        check_version(&path, review.doc.schema_version(), review.doc.is_writable())?;
        let bytes = review.doc.to_bytes();
        check_size(&path, bytes.len(), fs::FILE_MAX)?;
        if let Some(was) = was.filter(|was| *was != to) {
            self.removes.push(layout::review_file(&review.id, was));
        }
        self.puts.retain(|put| put.to != path);
        self.puts.push(Put { to: path, bytes, unpacked: None });
        Ok(())
    }

    /// Whether the change puts a review of this id in place.
    pub fn puts_review(&self, id: &ReviewId) -> bool {
        [Shelf::Queue, Shelf::Archived]
            .iter()
            .any(|shelf| self.puts.iter().any(|put| put.to == layout::review_file(id, *shelf)))
    }

    /// Whether the change puts a session of this id in place.
    pub fn puts_session(&self, id: &SessionId) -> bool {
        State::ALL.iter().any(|state| self.puts.iter().any(|put| put.to == layout::session_file(id, *state)))
    }

    /// Records the change in the audit log.
    pub fn audit(&mut self, entry: Entry) {
        self.entries.push(entry);
    }
}

/// The same bytes give the same archive: no name and no time go into it.
fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Reads a staged archive back and compares what it unpacks to with what went in.
fn check_archive(path: &Path, put: &Put) -> Result<(), StoreError> {
    let Some(wanted) = &put.unpacked else { return Ok(()) };
    let packed = fs::read_file(path, fs::FILE_MAX)?;
    let mut plain = Vec::new();
    sessions::unpack(path, &packed, &mut plain)?;
    if packed == put.bytes && digest(&plain) == *wanted {
        return Ok(());
    }
    Err(StoreError::damaged(path, "the disk gives back something else than was written"))
}

fn check_version(path: &Path, version: u64, is_writable: bool) -> Result<(), StoreError> {
    if is_writable {
        return Ok(());
    }
    Err(StoreError::Newer { path: path.to_owned(), version, known: SCHEMA_VERSION })
}

/// Refuses what could be written and not read again.
fn check_size(path: &Path, size: usize, max: u64) -> Result<(), StoreError> {
    let size = size as u64;
    if size > max {
        return Err(StoreError::TooLarge { path: path.to_owned(), size: Some(size), max });
    }
    Ok(())
}

/// The record of a change: all that is needed to finish it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Journal {
    moves: Vec<(String, PathBuf)>,
    removes: Vec<PathBuf>,
    /// What is moved as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shifts: Vec<(PathBuf, PathBuf)>,
    audit: Option<Prepared>,
    /// The number of the change of the blocks that belongs to it: it stands if the database holds that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blocks: Option<u64>,
}

impl Journal {
    /// The journal's bytes: one line of JSON and one with its SHA-256.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).unwrap_or_default();
        let sum = digest(&bytes);
        bytes.push(b'\n');
        bytes.extend_from_slice(sum.as_bytes());
        bytes.push(b'\n');
        bytes
    }

    /// Step 3: the audit lines.
    fn write_audit(&self, store: &Store) -> Result<(), StoreError> {
        self.audit.as_ref().map_or(Ok(()), |prepared| audit::write(store, prepared))
    }

    /// Reads a journal; `None` where it is empty, cut off, or names a path outside the tree.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (line, sum) = text.split_once('\n')?;
        if sum.trim_end() != digest(line.as_bytes()) {
            return None;
        }
        let journal: Self = serde_json::from_str(line).ok()?;
        let inside = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
        let good = journal.moves.iter().all(|(staged, to)| inside(Path::new(staged)) && inside(to))
            && journal.removes.iter().all(|path| inside(path))
            && journal.shifts.iter().all(|(from, to)| inside(from) && inside(to))
            && journal.audit.as_ref().is_none_or(|audit| inside(&audit.file));
        good.then_some(journal)
    }
}

/// A staged file's name carries the beginning of its content's digest: names return, and a disk that lost power may hold an
/// older change's journal beside a newer one's file.
fn staged_name(nth: usize, bytes: &[u8]) -> String {
    let digest = digest(bytes);
    format!("{nth}-{}{STAGED}", digest.get(..16).unwrap_or(&digest))
}

/// Whether a file holds the content that was staged under a name.
fn holds(path: &Path, staged: &str) -> Result<bool, StoreError> {
    let bytes = match fs::read_file(path, fs::FILE_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => return Ok(false),
        // Something else stands there, which is left as it is.
        Err(StoreError::Damaged { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    let nth = staged.split('-').next().and_then(|nth| nth.parse().ok());
    Ok(nth.is_some_and(|nth| staged == staged_name(nth, &bytes)))
}

fn digest(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}

impl Tree<'_> {
    /// Makes a change happen, all of it or nothing, and durably.
    ///
    /// # Errors
    /// When a step fails: then nothing has changed, unless the error is [`StoreError::Unfinished`].
    pub fn commit(&self, change: Change) -> Result<(), StoreError> {
        let store = self.store;
        let audit = audit::prepare(store, &change.entries)?;
        if change.is_empty() {
            return audit.map_or(Ok(()), |prepared| audit::write(store, &prepared));
        }
        self.check_folders(&change)?;
        let mut journal = Journal { removes: change.removes, shifts: change.shifts, audit, ..Journal::default() };
        let begun = self.begin(&mut journal, &change.puts).and_then(|()| journal.write_audit(store));
        if let Err(error) = begun {
            return Err(self.take_back(&journal, error));
        }
        self.finish(&journal)
    }

    /// Makes a change of files, blocks and audit log happen, all of it or nothing, and durably.
    ///
    /// The journal is written, then SQLite commits: that is the moment. A process that dies before has changed nothing; after
    /// it, whoever takes the lock next finds the journal, sees that the database holds the change, and does the rest.
    ///
    /// # Errors
    /// When a step fails: then nothing has changed, unless the error is [`StoreError::Unfinished`].
    pub fn commit_blocks(&self, change: Change, mut blocks: BlockWriter<'_>) -> Result<(), StoreError> {
        if !blocks.has_changed() {
            drop(blocks);
            return self.commit(change);
        }
        let store = self.store;
        self.check_folders(&change)?;
        let audit = audit::prepare(store, &change.entries)?;
        let generation = blocks.next_generation()?;
        let mut journal = Journal {
            removes: change.removes,
            shifts: change.shifts,
            audit,
            blocks: Some(generation),
            ..Journal::default()
        };
        if let Err(error) = self.begin(&mut journal, &change.puts) {
            drop(blocks);
            return Err(self.take_back(&journal, error));
        }
        if let Err(error) = blocks.commit() {
            // What an error of the disk has left in SQLite's log is for SQLite to say.
            drop(blocks);
            match store.has_blocks_of(generation) {
                Ok(false) => return Err(self.take_back(&journal, error)),
                Ok(true) => return self.finish_standing(&journal),
                Err(_) => return Err(StoreError::Unfinished { cause: Box::new(error) }),
            }
        }
        self.finish_standing(&journal)?;
        blocks.tidy();
        Ok(())
    }

    /// Finishes what can't be taken back any more.
    fn finish_standing(&self, journal: &Journal) -> Result<(), StoreError> {
        let store = self.store;
        journal
            .write_audit(store)
            .and_then(|()| self.place(journal, false, &mut false))
            .and_then(|()| fs::cut(&store.path(layout::JOURNAL), 0))
            .map_err(|error| StoreError::Unfinished { cause: Box::new(error) })
    }

    /// Tells of a folder that can't be written before anything is begun that could not be finished.
    fn check_folders(&self, change: &Change) -> Result<(), StoreError> {
        let shifted = change.shifts.iter().flat_map(|(from, to)| [from, to]);
        let touched = change.puts.iter().map(|put| &put.to).chain(&change.removes).chain(shifted);
        let touched = touched.filter_map(|path| path.parent());
        let touched: BTreeSet<_> = touched.collect();
        touched.into_iter().try_for_each(|folder| fs::check_writable(&self.store.path(folder)))
    }

    /// Steps 1 and 2: up to here, and with the audit lines, all can be taken back.
    fn begin(&self, journal: &mut Journal, puts: &[Put]) -> Result<(), StoreError> {
        let store = self.store;
        let moves = puts.iter().enumerate().map(|(nth, put)| (staged_name(nth, &put.bytes), put.to.clone())).collect();
        let path = store.path(layout::JOURNAL);
        // Nothing is staged before the journal is known to be one that can be read again.
        let record = Journal { moves, ..std::mem::take(journal) };
        let text = record.to_bytes();
        check_size(&path, text.len(), JOURNAL_MAX)?;
        *journal = record;
        let staging = store.path(layout::STAGING);
        for ((staged, _), put) in journal.moves.iter().zip(puts) {
            let path = staging.join(staged);
            if put.bytes.len() < 2 {
                return Err(StoreError::damaged(&path, "it would be empty"));
            }
            if puts.len() < MANY {
                fs::write_new(&path, &put.bytes, store.modes)?;
            } else {
                fs::write_unsynced(&path, &put.bytes, store.modes)?;
            }
        }
        if puts.len() >= MANY {
            fs::sync_all_under(&staging)?;
        }
        if !puts.is_empty() {
            fs::sync_dir(&staging)?;
        }
        for ((staged, _), put) in journal.moves.iter().zip(puts) {
            check_archive(&staging.join(staged), put)?;
        }
        fs::write_at(&path, 0, &text, store.modes)
    }

    /// Undoes [`Self::begin`] as far as it came, after `error`. Where the journal can't be emptied nothing is undone: the next
    /// writer finishes the change.
    fn take_back(&self, journal: &Journal, error: StoreError) -> StoreError {
        let store = self.store;
        // The journal first, and durably: while it stands, or may stand, the change stands.
        let path = store.path(layout::JOURNAL);
        let emptied = match fs::tail(&path, 0) {
            Ok((_, 0)) => Ok(()),
            Ok(_) => fs::cut_durably(&path, 0),
            Err(unread) => Err(unread),
        };
        if emptied.is_err() {
            return StoreError::Unfinished { cause: Box::new(error) };
        }
        if let Some(prepared) = &journal.audit {
            audit::take_back(store, prepared);
        }
        for (staged, _) in &journal.moves {
            // What stays is swept by the next writer.
            drop(fs::remove(&store.path(layout::STAGING).join(staged)));
        }
        error
    }

    /// Steps 4 and 5.
    fn finish(&self, journal: &Journal) -> Result<(), StoreError> {
        let store = self.store;
        let mut moved = false;
        let placed = self.place(journal, false, &mut moved);
        match placed.and_then(|()| fs::cut(&store.path(layout::JOURNAL), 0)) {
            Ok(()) => Ok(()),
            // Until the journal is empty the change may be done again, which is not to be told as one that failed.
            Err(error) if moved => Err(StoreError::Unfinished { cause: Box::new(error) }),
            Err(error) => Err(self.take_back(journal, error)),
        }
    }

    /// Moves and removes; `again` is a second pass, in which some of it may be done already.
    fn place(&self, journal: &Journal, again: bool, moved: &mut bool) -> Result<(), StoreError> {
        let store = self.store;
        let mut folders = BTreeSet::new();
        let mut is_whole = true;
        for (staged, to) in &journal.moves {
            let from = store.path(layout::STAGING).join(staged);
            if !again || holds(&from, staged)? {
                fs::rename(&from, &store.path(to))?;
                *moved = true;
            } else {
                // Moved before; or lost, with a disk that kept the journal and not the file.
                is_whole &= holds(&store.path(to), staged)?;
            }
            folders.extend(to.parent());
        }
        for (from, to) in &journal.shifts {
            let (from, to) = (store.path(from), store.path(to));
            // Moved before, or something else stands there by now, which is left as it is.
            if fs::exists(&from) && !fs::exists(&to) {
                fs::rename(&from, &to)?;
                *moved = true;
            }
        }
        for (from, to) in &journal.shifts {
            folders.extend([from.parent(), to.parent()].into_iter().flatten());
        }
        // Where new content is lost, no old content goes: twice is better than not at all.
        for path in journal.removes.iter().filter(|_| is_whole) {
            fs::remove(&store.path(path))?;
            *moved = true;
            folders.extend(path.parent());
        }
        folders.into_iter().try_for_each(|folder| fs::sync_dir(&store.path(folder)))
    }

    /// A commit that dies before the first move.
    #[cfg(test)]
    pub(super) fn begin_only(&self, change: Change) -> Result<(), StoreError> {
        let audit = audit::prepare(self.store, &change.entries)?;
        let mut journal = Journal { removes: change.removes, shifts: change.shifts, audit, ..Journal::default() };
        self.begin(&mut journal, &change.puts).and_then(|()| journal.write_audit(self.store))
    }

    /// Finishes the change of a writer that died, and sweeps what it had not begun.
    pub(super) fn recover(&self) -> Result<(), StoreError> {
        let store = self.store;
        let path = store.path(layout::JOURNAL);
        let (bytes, len) = fs::tail(&path, JOURNAL_MAX)?;
        if let Some(journal) = Journal::parse(&bytes)
            && journal.blocks.map_or(Ok(true), |generation| store.has_blocks_of(generation))?
        {
            if let Some(prepared) = &journal.audit {
                audit::write_again(store, prepared)?;
            }
            self.place(&journal, true, &mut false)?;
        }
        if len > 0 {
            fs::cut(&path, 0)?;
        }
        self.sweep()
    }

    fn sweep(&self) -> Result<(), StoreError> {
        let staging = self.store.path(layout::STAGING);
        for (name, kind) in fs::list(&staging)? {
            if kind.is_file() && name.strip_suffix(STAGED).is_some() {
                fs::remove(&staging.join(name))?;
            }
        }
        Ok(())
    }
}

impl Store {
    /// Whether a writer has died half way: the next one that takes the lock finishes its change.
    pub fn is_half_way(&self) -> bool {
        fs::tail(&self.path(layout::JOURNAL), 1).is_ok_and(|(_, len)| len > 0)
    }
}
