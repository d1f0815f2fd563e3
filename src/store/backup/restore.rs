//! Restoring: into a folder that nobody uses yet, and only what was read to its end and found whole is put in place.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::keys::{Opener, Witness};
use super::member::Member;
use super::reader::{self, Broken, Checked, Key, PIECE};
use super::target::{Record, check_signature, open};
use crate::domain::session::State;
use crate::store::fs::{self, Modes, outside};
use crate::store::{Item, Store, StoreError, Tree, layout};

/// What is restored, and how it is opened.
#[derive(Debug)]
pub struct Restore<'a> {
    /// The backup.
    pub backup: &'a Path,
    /// What opens it.
    pub opener: &'a Opener,
    /// Whose signature it must have.
    pub witness: Option<&'a Witness>,
    /// Only files whose path, or a part of it, is like that: `*` stands for anything, `?` for one character.
    pub only: Option<&'a str>,
}

/// What was restored.
#[derive(Clone, Debug, Default)]
pub struct Restored {
    /// The backup as it was read.
    pub checked: Checked,
    /// How many files were put in place, and how many bytes they have.
    pub files: u64,
    /// How many bytes these have.
    pub bytes: u64,
    /// Whether the tree kept its own audit log, since it goes on from the backup's.
    pub kept_audit: bool,
}

impl Restored {
    /// What the backup says of itself.
    pub fn record(&self) -> Option<Record> {
        serde_json::from_slice(&self.checked.info).ok()
    }
}

/// A folder on its way, removed with all in it unless it is kept.
struct Unpacked(PathBuf);

impl Drop for Unpacked {
    fn drop(&mut self) {
        drop(outside::remove_all(&self.0));
    }
}

impl Restore<'_> {
    /// Restores into a folder that is empty or does not exist.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the folder holds something, or the backup is not whole; then nothing is left there.
    pub fn to(&self, folder: &Path, modes: Modes) -> Result<Restored, StoreError> {
        let is_new = !fs::is_dir(folder)?;
        if !is_new && !outside::is_empty(folder)? {
            return Err(StoreError::damaged(folder, "it is not empty, and nothing is restored over what is there"));
        }
        // Before a folder is made: what can't be opened leaves nothing.
        check_signature(self.backup, self.witness)?;
        outside::make_own_dir(folder)?;
        let restored = self.unpack_to(folder, modes);
        if restored.is_err() && is_new {
            fs::remove_empty_dir(folder);
        }
        restored
    }

    fn unpack_to(&self, folder: &Path, modes: Modes) -> Result<Restored, StoreError> {
        let modes = modes.for_root(folder)?;
        let unpacked = Unpacked(folder.join(format!("{}{}", layout::RESTORING, std::process::id())));
        let restored = self.unpack(&unpacked.0, modes)?;
        for (name, _) in fs::list(&unpacked.0)? {
            fs::rename(&unpacked.0.join(&name), &folder.join(&name))?;
        }
        outside::share_dir(folder, modes)?;
        drop(unpacked);
        fs::sync_dir(folder)?;
        Ok(restored)
    }

    /// Unpacks into a folder that does not exist yet, and makes it durable.
    fn unpack(&self, into: &Path, modes: Modes) -> Result<Restored, StoreError> {
        outside::make_own_dir(into)?;
        if self.only.is_none() {
            Store::init(into, modes)?;
        }
        let mut restored = Restored::default();
        let mut piece = vec![0; PIECE];
        restored.checked =
            reader::read(open(self.backup)?, self.backup, &Key::Opener(self.opener), |member, data, len| {
                let path = member.path();
                if self.only.is_some_and(|pattern| !is_like(&path.to_string_lossy(), pattern)) {
                    return reader::each_piece(data, &mut piece, |_| Ok(()));
                }
                self.put(into, member, data, &mut piece, modes)?;
                restored.files += 1;
                restored.bytes += len;
                Ok(())
            })?;
        fs::sync_all_under(into)?;
        Ok(restored)
    }

    fn put(
        &self,
        into: &Path,
        member: &Member,
        data: &mut dyn Read,
        piece: &mut [u8],
        modes: Modes,
    ) -> Result<(), Broken> {
        let relative = member.path();
        let path = into.join(&relative);
        if self.only.is_some() {
            make_parents(into, &relative, modes).map_err(Broken::Away)?;
        }
        let mut file = outside::create_of_tree(&path, modes).map_err(Broken::Away)?;
        let away = |error| Broken::Away(StoreError::io("write", &path, error));
        reader::each_piece(data, piece, |part| file.write_all(part).map_err(away))?;
        match member {
            Member::Item(item) => drop_earlier(into, item).map_err(Broken::Away),
            _ => Ok(()),
        }
    }
}

/// A session or review that moved on while the backup was made is in it twice: the later one holds.
fn drop_earlier(into: &Path, item: &Item) -> Result<(), StoreError> {
    let others: Vec<PathBuf> = match item {
        Item::Session(id, _) => State::ALL.map(|state| layout::session_file(id, state)).to_vec(),
        Item::Review(id, _) => crate::store::Shelf::ALL.map(|shelf| layout::review_file(id, shelf)).to_vec(),
    };
    let own = item.path();
    others.iter().filter(|other| **other != own).try_for_each(|other| fs::remove(&into.join(other)))
}

fn make_parents(root: &Path, relative: &Path, modes: Modes) -> Result<(), StoreError> {
    let Some(parent) = relative.parent() else { return Ok(()) };
    let mut folder = root.to_owned();
    for part in parent {
        folder.push(part);
        fs::make_dir(&folder, modes)?;
    }
    Ok(())
}

/// Whether a pattern fits a path, or a part of it between slashes; one without `*` and `?` may also be any part of the path.
fn is_like(path: &str, pattern: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return path.contains(pattern);
    }
    fits(path, pattern) || path.split('/').any(|part| fits(part, pattern))
}

fn fits(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut of) = (0, 0);
    // Where the last star stands, and up to where it has taken text.
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(of) {
            Some('*') => {
                star = Some((of, at));
                of += 1;
            }
            Some(one) if *one == '?' || text.get(at) == Some(one) => (at, of) = (at + 1, of + 1),
            _ => match star {
                Some((place, taken)) => {
                    star = Some((place, taken + 1));
                    (at, of) = (taken + 1, place + 1);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(of).all(|rest| *rest == '*')
}

/// A backup that is unpacked beside the tree and not yet in its place.
pub struct Prepared {
    unpacked: Unpacked,
    /// What was unpacked.
    pub restored: Restored,
}

impl Store {
    /// Unpacks a backup beside what the tree holds.
    ///
    /// # Errors
    /// When it is not whole, or can't be written; then nothing is left of it.
    pub fn prepare_restore(&self, restore: &Restore<'_>) -> Result<Prepared, StoreError> {
        check_signature(restore.backup, restore.witness)?;
        let unpacked = Unpacked(self.path(format!("{}{}", layout::RESTORING, std::process::id())));
        let restored = restore.unpack(&unpacked.0, self.modes)?;
        Ok(Prepared { unpacked, restored })
    }

    /// Folders that a restore left behind that died, relative to the root.
    ///
    /// # Errors
    /// When the root can't be listed.
    pub fn restores_left(&self) -> Result<Vec<PathBuf>, StoreError> {
        let names = fs::list(self.root())?.into_iter().map(|(name, _)| name);
        Ok(names.filter(|name| name.starts_with(layout::RESTORING)).map(PathBuf::from).collect())
    }
}

impl Tree<'_> {
    /// Puts what was unpacked in the place of what the tree holds, which goes. The audit log stays where it goes on from the
    /// backup's.
    ///
    /// # Errors
    /// When a file can't be moved: then some of the tree is the backup's and some is its own, each file whole, and the other
    /// halves lie in the folder that the error names.
    pub fn put_in_place(&self, mut prepared: Prepared) -> Result<Restored, StoreError> {
        let store = self.store;
        let beside = prepared.unpacked.0.clone();
        prepared.restored.kept_audit =
            prepared.restored.record().is_some_and(|record| store.audit_goes_on_from(&record));
        let mut swapped = vec![layout::SESSIONS, layout::REVIEWS];
        if !prepared.restored.kept_audit {
            swapped.push(layout::AUDIT);
        }
        // From here on nothing is removed before all is in its place.
        let unpacked = std::mem::replace(&mut prepared.unpacked, Unpacked(PathBuf::new()));
        let put = || -> Result<(), StoreError> {
            for name in swapped {
                outside::exchange(&beside.join(name), &store.path(name))?;
            }
            // SQLite's log first: without it the database is an older one, with another's it would be none.
            for ending in ["-wal", "-shm"] {
                let name = format!("{}{ending}", layout::BLOCKS);
                if fs::exists(&store.path(&name)) {
                    fs::rename(&store.path(&name), &beside.join(&name))?;
                }
            }
            for name in [layout::BLOCKS, layout::CONFIG] {
                match (fs::exists(&beside.join(name)), fs::exists(&store.path(name))) {
                    (true, true) => outside::exchange(&beside.join(name), &store.path(name))?,
                    (true, false) => fs::rename(&beside.join(name), &store.path(name))?,
                    (false, true) if name == layout::BLOCKS => fs::rename(&store.path(name), &beside.join(name))?,
                    (false, _) => {}
                }
            }
            fs::sync_dir(store.root())
        };
        if let Err(error) = put() {
            std::mem::forget(unpacked);
            return Err(error);
        }
        drop(unpacked);
        Ok(std::mem::take(&mut prepared.restored))
    }
}

impl Store {
    /// Whether the audit log is unbroken and holds the entry that was the backup's last.
    fn audit_goes_on_from(&self, record: &Record) -> bool {
        let mut is_there = record.audit_seq == 0;
        let read = self.audit_lines(|line| {
            is_there = is_there || (line.seq == record.audit_seq && line.hash == record.audit_head);
            !is_there
        });
        read.is_ok() && is_there && self.audit_verify(None).is_ok_and(|report| report.faults.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_whole_paths_and_their_parts() {
        let path = "sessions/closed/SESSION-carlo-20260521-a3f7b2.json";
        for (pattern, fits) in [
            ("a3f7b2", true),
            ("closed", true),
            ("SESSION-carlo-*", true),
            ("sessions/*", true),
            ("*carlo*", true),
            ("SESSION-?????-2026*", true),
            ("*.json", true),
            ("*.gz", false),
            ("carlo-*", false),
            ("SESSION-mari-*", false),
            ("sessions/?", false),
            ("**b2.json", true),
            ("*", true),
        ] {
            assert_eq!(is_like(path, pattern), fits, "{pattern}");
        }
    }
}
