//! The tree on disk: where things lie, how they are read, and the one way in which they change.
//!
//! Readers take no lock: every file is replaced as a whole. A writer takes the tree's lock ([`Store::lock`]), reads what it
//! decides on, builds a [`Change`] and commits it ([`Tree::commit`]): one atomic step, however many files it touches.

pub mod audit;
pub mod backup;
pub mod blocks;
mod cache;
mod change;
mod error;
mod fs;
pub mod layout;
mod lock;
mod reviews;
mod scan;
pub mod scratch;
mod sessions;
mod survey;
mod sweep;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use change::Change;
pub use error::StoreError;
pub use fs::{
    InputFile, Modes, folder_owner, is_user_namespace, list_input, new_config, new_folder, read_input, read_settings,
};
pub use layout::Shelf;
pub use lock::{Tree, WorkLock};
pub use reviews::{ReviewQuery, Summary};
pub use scan::Place;
pub use sessions::SessionFile;
pub use survey::Oddity;
pub use sweep::{Contents, Folder, Item};

use crate::mask::Masker;

/// A memory tree.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    modes: Modes,
    masker: Masker,
}

/// A file of the tree that was left alone, and why. The path is relative to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub path: PathBuf,
    /// Why it could not be used.
    pub why: String,
}

impl Store {
    /// Opens the tree at `root`. The masker is for files that others have put there.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] when there is no tree; [`StoreError::Damaged`] when something in it that must be a folder or
    /// file of its own is a link; another when this user may not look.
    pub fn open(root: &Path, modes: Modes, masker: Masker) -> Result<Self, StoreError> {
        for folder in [layout::LOCKS, layout::REVIEWS] {
            if !fs::is_dir(&root.join(folder))? {
                return Err(StoreError::NoStore { root: root.to_owned() });
            }
        }
        for name in layout::FOLDERS.into_iter().chain(layout::FIXED_FILES) {
            fs::no_link(&root.join(name))?;
        }
        Ok(Self { root: root.to_owned(), modes: modes.for_root(root)?, masker })
    }

    /// Makes what is missing of a tree at `root` and answers which folders were made, relative to the root.
    ///
    /// # Errors
    /// When a folder can't be made, or something else stands in its place.
    pub fn init(root: &Path, modes: Modes) -> Result<Vec<PathBuf>, StoreError> {
        let mut made = Vec::new();
        if fs::make_root(root, modes)? {
            made.push(PathBuf::new());
        }
        let modes = modes.for_root(root)?;
        for folder in layout::FOLDERS {
            if fs::make_dir(&root.join(folder), modes)? {
                made.push(PathBuf::from(folder));
            }
        }
        for file in layout::FIXED_FILES {
            fs::make_empty_file(&root.join(file), modes)?;
        }
        Ok(made)
    }

    /// The tree's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The masker that files of others go through.
    pub fn masker(&self) -> &Masker {
        &self.masker
    }

    fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }
}
