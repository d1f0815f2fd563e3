//! Which files of a tree a backup holds, by their paths: read strictly, so that an archive can name nothing else.

use std::path::PathBuf;

use crate::store::{Folder, Item, layout};

/// A file in a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    /// A session or review.
    Item(Item),
    /// A month of the audit log.
    Audit(PathBuf),
    /// The configuration.
    Config,
    /// The memory blocks.
    Blocks,
    /// When and from what the backup was made.
    Info,
    /// The SHA-256 sum of every other file, in the form of `sha256sum`; the last one.
    Sums,
}

/// The name of [`Member::Info`].
const INFO: &str = "BACKUP.json";
/// The name of [`Member::Sums`].
const SUMS: &str = "SHA256SUMS";

impl Member {
    /// What a path in an archive names; `None` where a tree has no such file.
    pub fn parse(path: &str) -> Option<Self> {
        match path {
            layout::CONFIG => return Some(Self::Config),
            layout::BLOCKS => return Some(Self::Blocks),
            INFO => return Some(Self::Info),
            SUMS => return Some(Self::Sums),
            _ => {}
        }
        let (folder, name) = path.rsplit_once('/')?;
        if folder == layout::AUDIT {
            return layout::is_audit_file(name).then(|| Self::Audit(path.into()));
        }
        let folder = Folder::ALL.into_iter().find(|known| known.path() == folder)?;
        Item::of(folder, name).map(Self::Item)
    }

    /// The path, relative to the root.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Item(item) => item.path(),
            Self::Audit(path) => path.clone(),
            Self::Config => layout::CONFIG.into(),
            Self::Blocks => layout::BLOCKS.into(),
            Self::Info => INFO.into(),
            Self::Sums => SUMS.into(),
        }
    }

    /// Whether it belongs into a tree; the others are about the backup.
    pub const fn is_of_tree(&self) -> bool {
        !matches!(self, Self::Info | Self::Sums)
    }

    /// How large it may be, in bytes.
    pub(super) const fn max(&self) -> u64 {
        match self {
            Self::Item(_) => crate::store::fs::FILE_MAX,
            Self::Config | Self::Info => 1 << 20,
            Self::Audit(_) | Self::Blocks | Self::Sums => u64::MAX,
        }
    }
}

/// Whether an archive may hold a folder of that path: the tree has it. Restoring makes them all anyway.
pub(super) fn is_known_folder(path: &str) -> bool {
    layout::FOLDERS.contains(&path.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_member_is_what_the_layout_knows_and_nothing_else() {
        for path in [
            "sessions/active/SESSION-carlo-20260521-a3f7b2.json",
            "sessions/archived/SESSION-carlo-20260521-a3f7b2.json.gz",
            "review-queue/REVIEW-20260521-143022-vento-telegram.json",
            "review-queue/archived/REVIEW-20260521-143022-vento-telegram-2.json",
            "audit/2026-05.jsonl",
            "config.toml",
            "blocks.db",
            "BACKUP.json",
            "SHA256SUMS",
        ] {
            assert_eq!(Member::parse(path).unwrap().path(), Path::new(path));
        }
        for path in [
            "",
            "/config.toml",
            "./config.toml",
            "../config.toml",
            "sessions/../config.toml",
            "sessions//active/SESSION-carlo-20260521-a3f7b2.json",
            "sessions/active/SESSION-carlo-20260521-a3f7b2.json.gz",
            "sessions/archived/SESSION-carlo-20260521-a3f7b2.json",
            "sessions/SESSION-carlo-20260521-a3f7b2.json",
            "sessions/active/../../x.json",
            "audit/2026-05.jsonl/x",
            "audit/2026-5.jsonl",
            "audit/../config.toml",
            "blocks.db-wal",
            ".locks/tree.lock",
            ".staging/journal",
            "quarantine/x",
            "CONFIG.TOML",
        ] {
            assert_eq!(Member::parse(path), None, "{path}");
        }
    }
}
