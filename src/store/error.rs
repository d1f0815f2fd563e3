//! What can go wrong with the tree. An I/O error always names its path.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An error of the tree.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no tree at the root.
    #[error("no memory tree at {}", root.display())]
    NoStore {
        /// Where it was looked for.
        root: PathBuf,
    },
    /// The operating system refused something.
    #[error("can't {action} {}: {source}", path.display())]
    Io {
        /// What was tried, a verb.
        action: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process holds the lock.
    #[error("another process is changing the tree (waited {} s)", waited.as_secs())]
    Locked {
        /// How long this process waited.
        waited: Duration,
    },
    /// A file can't be understood.
    #[error("{} can't be used: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong; never content.
        why: String,
    },
    /// A key or certificate can't be used.
    #[error("the key {} can't be used: {why}", path.display())]
    Key {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// An input holds more than is read, or a file of the tree would.
    #[error("{} {}the limit of {max} bytes", path.display(), larger(*size))]
    TooLarge {
        /// The file; `-` for standard input.
        path: PathBuf,
        /// How much it would have, in bytes, where that is known.
        size: Option<u64>,
        /// The limit, in bytes.
        max: u64,
    },
    /// A file was written by a newer version.
    #[error("{} has schema_version {version}, newer than this program knows ({known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version; `u64::MAX` where it is no number.
        version: u64,
        /// The newest version this program writes.
        known: u64,
    },
    /// A change was begun and could not be finished; the next command that writes finishes it.
    #[error("a change was begun and not finished: {cause}")]
    Unfinished {
        /// What stopped it.
        cause: Box<StoreError>,
    },
}

fn larger(size: Option<u64>) -> String {
    size.map_or_else(|| "is larger than ".to_owned(), |size| format!("would have {size} bytes, more than "))
}

impl StoreError {
    /// An I/O error with its path.
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// A damaged file.
    pub(crate) fn damaged(path: &Path, why: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), why: why.into() }
    }

    /// Whether the file was not there.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
