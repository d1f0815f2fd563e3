//! The folder that backups lie in: their names, what is known of each, and which of them go.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::keys::{Opener, Witness};
use super::reader::{self, Checked, Key};
use crate::domain::time::{DAY, Timestamp};
use crate::store::StoreError;
use crate::store::fs::{self, outside};

/// How long a backup is kept, in seconds (SPEC §6: 7 days rolling).
pub const KEPT: i64 = 7 * DAY;
const ENDING: &str = ".tar.zst.pgp";
/// The largest record, in bytes.
const RECORD_MAX: u64 = 64 << 10;

/// The name of a backup: `memory-20260521T030000Z.tar.zst.pgp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(Timestamp);

impl Name {
    /// The name of a backup of that moment.
    pub const fn of(at: Timestamp) -> Self {
        Self(at)
    }

    /// Reads a file's name.
    pub fn parse(name: &str) -> Option<Self> {
        let stamp = name.strip_prefix("memory-")?.strip_suffix(ENDING)?;
        let (date, time) = stamp.strip_suffix('Z')?.split_once('T')?;
        let pair = |text: &str, at: usize| text.get(at..at + 2).map(ToOwned::to_owned);
        let clock = format!("{}:{}:{}", pair(time, 0)?, pair(time, 2)?, pair(time, 4)?);
        let day = format!("{}-{}-{}", date.get(..4)?, pair(date, 4)?, pair(date, 6)?);
        let name_of = Timestamp::parse(&format!("{day}T{clock}Z")).ok().map(Self)?;
        (name_of.to_string() == name).then_some(name_of)
    }

    /// The moment of the backup.
    pub const fn at(self) -> Timestamp {
        self.0
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "memory-{}T{}Z{ENDING}", self.0.compact_date(), self.0.compact_time())
    }
}

/// What is known of a backup without opening it. It lies beside it, and within it as far as it was known then.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The version of this form.
    pub schema: u64,
    /// When the backup was made.
    pub created_at: String,
    /// The program's version.
    pub program: String,
    /// How many files of the tree are in it.
    pub files: u64,
    /// How many bytes these have.
    pub bytes: u64,
    /// How many files could not be read and are missing.
    pub left_out: u64,
    /// The last entry of the audit log that is in it.
    pub audit_seq: u64,
    /// That entry's hash.
    pub audit_head: String,
    /// The id of the key that opens it; `None` for a passphrase.
    pub key_id: Option<String>,
    /// The size of the backup, in bytes; 0 within it.
    #[serde(default)]
    pub size: u64,
    /// The SHA-256 sum of the backup, in hex; empty within it.
    #[serde(default)]
    pub sha256: String,
    /// When it was last read from end to end and found whole.
    #[serde(default)]
    pub verified_at: Option<Timestamp>,
}

impl Record {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

/// A backup as it lies there.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub name: Name,
    /// Its file.
    pub path: PathBuf,
    /// Its size, in bytes.
    pub size: u64,
    /// What is known of it; `None` where that was lost, or is another file's.
    pub record: Option<Record>,
    /// The ids of the keys that open it.
    pub key_ids: Vec<String>,
}

impl Listed {
    /// When it was last found whole, if it was.
    pub fn verified_at(&self) -> Option<Timestamp> {
        self.record.as_ref()?.verified_at
    }

    /// Whether it was found whole, and holds all that there was.
    pub fn is_good(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.verified_at.is_some() && record.left_out == 0)
    }
}

/// The folder of the backups.
#[derive(Clone, Debug)]
pub struct Target {
    folder: PathBuf,
}

impl Target {
    /// The target at a folder that need not be there yet.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder unless it is there, removes what a run that died has left, and sees that files can be made.
    ///
    /// # Errors
    /// When it can't be made or written.
    pub fn prepare(&self) -> Result<(), StoreError> {
        outside::make_own_dir(&self.folder)?;
        fs::check_writable(&self.folder)?;
        for (name, kind) in fs::list(&self.folder)? {
            if kind.is_file() && is_leftover(&name) {
                fs::remove(&self.folder.join(name))?;
            }
        }
        Ok(())
    }

    /// A backup's file.
    pub fn path(&self, name: &Name) -> PathBuf {
        self.folder.join(name.to_string())
    }

    pub(super) fn staged(&self, name: &Name) -> PathBuf {
        self.folder.join(format!(".{name}.new"))
    }

    pub(super) fn sums(&self, name: &Name) -> PathBuf {
        self.folder.join(format!(".{name}.sums.new"))
    }

    pub(super) fn signature(&self, name: &Name) -> PathBuf {
        self.folder.join(format!("{name}.sig"))
    }

    fn record(&self, name: &Name) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }

    pub(super) fn keep_record(&self, name: &Name, record: &Record) -> Result<(), StoreError> {
        outside::replace_private(&self.record(name), &record.to_bytes())
    }

    /// All backups, the newest first. A folder that is missing has none.
    ///
    /// # Errors
    /// When the folder can't be listed.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let names = fs::list(&self.folder)?.into_iter().filter(|(_, kind)| kind.is_file());
        let mut listed: Vec<Listed> =
            names.filter_map(|(name, _)| Name::parse(&name)).filter_map(|name| self.listed(name)).collect();
        listed.sort_by_key(|one| std::cmp::Reverse(one.name));
        Ok(listed)
    }

    fn listed(&self, name: Name) -> Option<Listed> {
        let path = self.path(&name);
        let size = outside::size(&path)?;
        let record = outside::read_key(&self.record(&name), RECORD_MAX).ok();
        let record = record.and_then(|bytes| serde_json::from_slice::<Record>(&bytes).ok());
        let record = record.filter(|record| record.size == size);
        let key_ids = match &record {
            Some(record) => record.key_id.iter().cloned().collect(),
            None => outside::open_named(&path).map(|(file, _)| reader::key_ids(file)).unwrap_or_default(),
        };
        Some(Listed { name, path, size, record, key_ids })
    }

    /// Removes a backup with all that lies beside it.
    pub(super) fn remove(&self, name: &Name) {
        for path in [self.path(name), self.signature(name), self.record(name)] {
            drop(fs::remove(&path));
        }
    }

    /// Removes backups that are older than seven days, but never the newest good one. Answers which went.
    ///
    /// # Errors
    /// When the folder can't be listed, or one can't be removed.
    pub fn rotate(&self, now: Timestamp) -> Result<Vec<Name>, StoreError> {
        let listed = self.list()?;
        let facts: Vec<_> = listed.iter().map(|one| (one.name, one.is_good())).collect();
        let gone = overdue(&facts, now);
        for name in &gone {
            fs::remove(&self.path(name))?;
            self.remove(name);
        }
        if !gone.is_empty() {
            fs::sync_dir(&self.folder)?;
        }
        Ok(gone)
    }

    /// Reads a backup from end to end, and remembers beside it that it is whole.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when it is not, or is not signed as it should be.
    pub fn verify(
        &self,
        path: &Path,
        opener: &Opener,
        witness: Option<&Witness>,
        now: Timestamp,
    ) -> Result<Checked, StoreError> {
        check_signature(path, witness)?;
        let checked = reader::check(open(path)?, path, &Key::Opener(opener))?;
        if let (Some(mut record), Some(name)) = (
            serde_json::from_slice::<Record>(&checked.info).ok(),
            path.file_name().and_then(|name| name.to_str()).and_then(Name::parse),
        ) && self.path(&name) == path
        {
            record.size = checked.size;
            record.sha256.clone_from(&checked.sha256);
            record.verified_at = Some(now);
            // Where nothing can be kept beside it, that it is whole is true all the same.
            drop(self.keep_record(&name, &record));
        }
        Ok(checked)
    }
}

/// Which backups go: those of over seven days, but for the newest good one, and all of them only where there is a good one
/// that is younger.
fn overdue(backups: &[(Name, bool)], now: Timestamp) -> Vec<Name> {
    let Some(newest) = backups.iter().filter(|(_, is_good)| *is_good).map(|(name, _)| *name).max() else {
        return Vec::new();
    };
    let old = |name: Name| now.since(name.at()) >= KEPT && name < newest;
    backups.iter().map(|(name, _)| *name).filter(|name| old(*name)).collect()
}

/// What a run that died leaves: a file on its way.
fn is_leftover(name: &str) -> bool {
    let inner = name.strip_suffix(".new").and_then(|name| name.strip_prefix('.'));
    let of_backup = inner.is_some_and(|name| Name::parse(name.strip_suffix(".sums").unwrap_or(name)).is_some());
    let beside = name.strip_suffix(".new").and_then(|name| name.strip_suffix(".json").or(name.strip_suffix(".sig")));
    of_backup || beside.is_some_and(|name| Name::parse(name).is_some())
}

/// Opens a backup.
pub(super) fn open(path: &Path) -> Result<File, StoreError> {
    outside::open_named(path).map(|(file, _)| file)
}

/// Refuses a backup that is not signed by the witness, if there is one.
pub(super) fn check_signature(path: &Path, witness: Option<&Witness>) -> Result<(), StoreError> {
    let Some(witness) = witness else { return Ok(()) };
    let mut signature = path.as_os_str().to_owned();
    signature.push(".sig");
    witness.check(open(path)?, path, Path::new(&signature))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Name {
        Name::of(Timestamp::parse(text).unwrap())
    }

    #[test]
    fn a_name_reads_back_and_nothing_else_is_one() {
        let name = at("2026-05-21T03:00:00Z");
        assert_eq!(name.to_string(), "memory-20260521T030000Z.tar.zst.pgp");
        assert_eq!(Name::parse(&name.to_string()), Some(name));
        for other in [
            "memory-20260521T030000.tar.zst.pgp",
            "memory-20260521T030000Z.tar.zst.pgp.sig",
            "memory-20261321T030000Z.tar.zst.pgp",
            "memory-2026052T0300000Z.tar.zst.pgp",
            "memory-ä260521T030000Z.tar.zst.pgp",
            "memory-.tar.zst.pgp",
            "memory-20260521T0300000Z.tar.zst.pgp",
        ] {
            assert_eq!(Name::parse(other), None, "{other}");
        }
    }

    #[test]
    fn what_a_dead_run_leaves_is_told_from_what_is_another_s() {
        let name = at("2026-05-21T03:00:00Z");
        for left in
            [format!(".{name}.new"), format!(".{name}.sums.new"), format!("{name}.json.new"), format!("{name}.sig.new")]
        {
            assert!(is_leftover(&left), "{left}");
        }
        for other in [
            name.to_string(),
            format!("{name}.json"),
            format!("{name}.sig"),
            ".x.new".to_owned(),
            "x.json.new".to_owned(),
        ] {
            assert!(!is_leftover(&other), "{other}");
        }
    }

    #[test]
    fn the_newest_good_backup_never_goes_and_the_others_go_after_seven_days() {
        let now = Timestamp::parse("2026-05-21T03:00:00Z").unwrap();
        let seven = at("2026-05-14T03:00:00Z");
        let just_under = at("2026-05-14T03:00:01Z");
        let old = at("2026-04-01T03:00:00Z");
        let today = Name::of(now);
        for (there, gone) in [
            (vec![(today, true), (seven, true), (old, true)], vec![seven, old]),
            (vec![(today, true), (just_under, true)], vec![]),
            // Not found whole: it vouches for nothing.
            (vec![(today, false), (seven, true), (old, true)], vec![old]),
            (vec![(today, false), (seven, false), (old, false)], vec![]),
            (vec![(seven, true)], vec![]),
            (vec![(old, true)], vec![]),
            (vec![(seven, false), (old, true)], vec![]),
            (vec![(today, true), (seven, false)], vec![seven]),
            // Ahead of the clock.
            (vec![(at("2026-06-01T00:00:00Z"), true), (old, true)], vec![old]),
            (vec![], vec![]),
        ] {
            assert_eq!(overdue(&there, now), gone, "{there:?}");
        }
    }
}
