//! Looking at everything in the tree that is neither a session nor a review, and at the rights of all: for `doctor`.

use std::path::{Path, PathBuf};

use super::fs::outside;
use super::{Item, Shelf, Store, StoreError, Tree, fs, layout};
use crate::domain::session::State;

/// Something that should not be as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// Nothing of the program's: a foreign file, a link, a folder where none belongs.
    Foreign,
    /// A folder of the tree that is missing.
    Missing,
    /// Others may do more with it than they should: its mode, and the most it may be.
    Wide(u32, u32),
    /// What a command that died has left: nobody needs it.
    Leftover,
    /// What a restore that died has left: another tree's files, or the ones that were here before.
    Restoring,
}

/// Folders and files of the root that are not in [`layout::FOLDERS`].
const OF_ROOT: [&str; 7] = [
    layout::CONFIG,
    layout::BLOCKS,
    "blocks.db-wal",
    "blocks.db-shm",
    "blocks.db-journal",
    layout::CACHE,
    layout::EDITING,
];

impl Store {
    /// Hands each oddity on to `see`, by its path relative to the root, but for sessions and reviews: those are for
    /// [`Store::walk`].
    ///
    /// # Errors
    /// When a folder can't be listed, and what `see` answers.
    pub fn survey<E: From<StoreError>>(&self, mut see: impl FnMut(PathBuf, Oddity) -> Result<(), E>) -> Result<(), E> {
        self.look_at_mode(Path::new(""), &mut see)?;
        for folder in layout::FOLDERS {
            let folder = Path::new(folder);
            if fs::exists(&self.path(folder)) {
                self.look_at_mode(folder, &mut see)?;
            } else {
                see(folder.to_owned(), Oddity::Missing)?;
            }
        }
        for folder in ["", layout::SESSIONS, layout::AUDIT, layout::STAGING, layout::LOCKS] {
            let relative = Path::new(folder);
            fs::each(&self.path(relative), |name, kind| {
                let path = relative.join(name);
                let Some(name) = name.to_str() else { return see(path, Oddity::Foreign) };
                let is_folder = layout::FOLDERS.iter().any(|known| Path::new(known) == path);
                let known = match folder {
                    "" => is_folder && kind.is_dir() || OF_ROOT.contains(&name) && !kind.is_symlink(),
                    layout::SESSIONS => is_folder && kind.is_dir(),
                    layout::AUDIT => kind.is_file() && layout::is_audit_file(name),
                    _ => kind.is_file() && layout::FIXED_FILES.iter().any(|known| Path::new(known) == path),
                };
                if known {
                    let is_private = path == Path::new(layout::CACHE) || path == Path::new(layout::EDITING);
                    return if is_folder || is_private { Ok(()) } else { self.look_at_mode(&path, &mut see) };
                }
                let is_restore = folder.is_empty() && kind.is_dir() && name.starts_with(layout::RESTORING);
                let is_left = path == Path::new(layout::BLOCKS_COPY)
                    || folder == layout::STAGING && name.strip_suffix(".new").is_some();
                match (is_restore, is_left && kind.is_file()) {
                    (true, _) => see(path, Oddity::Restoring),
                    (_, true) => see(path, Oddity::Leftover),
                    _ => see(path, Oddity::Foreign),
                }
            })?;
        }
        Ok(())
    }

    /// Tells of a file or folder whose mode gives more than the tree's.
    ///
    /// # Errors
    /// What `see` answers.
    pub fn look_at_mode<E>(
        &self,
        relative: &Path,
        see: &mut impl FnMut(PathBuf, Oddity) -> Result<(), E>,
    ) -> Result<(), E> {
        match outside::wider_than(&self.path(relative), self.modes) {
            Some((mode, max)) => see(relative.to_owned(), Oddity::Wide(mode, max)),
            None => Ok(()),
        }
    }

    /// Another file with an item's id: where the files of its flow go to from its folder.
    pub fn later_copy(&self, item: &Item) -> Option<Item> {
        let others: Vec<Item> = match item {
            Item::Session(id, here) => {
                let later = State::ALL.into_iter().skip_while(|state| state != here).skip(1);
                later.map(|state| Item::Session(id.clone(), state)).collect()
            }
            Item::Review(id, Shelf::Queue) => vec![Item::Review(id.clone(), Shelf::Archived)],
            Item::Review(_, Shelf::Archived) => Vec::new(),
        };
        others.into_iter().find(|other| self.has(other))
    }

    /// Whether a session or review lies there.
    pub fn has(&self, item: &Item) -> bool {
        fs::exists(&self.path(item.path()))
    }

    /// Whether a file of the program's own has a second name, or can't be read: then it is left as it is, whatever it holds.
    pub fn is_out_of_reach(&self, item: &Item) -> bool {
        outside::has_second_name(&self.path(item.path())) || self.packed(item, &mut super::Contents::default()).is_err()
    }
}

impl Tree<'_> {
    /// A place in the quarantine that is free, named for where the file comes from.
    pub fn free_in_quarantine(&self, from: &Path) -> PathBuf {
        let name = from.to_string_lossy().trim_start_matches('.').replace('/', "__");
        let folder = Path::new(layout::QUARANTINE);
        let numbered = (2..).map(|nth| format!("{name}.{nth}"));
        std::iter::once(name.clone())
            .chain(numbered)
            .map(|name| folder.join(name))
            .find(|path| !fs::exists(&self.store.path(path)))
            .unwrap_or_else(|| folder.join(name))
    }

    /// Takes from a file or folder the rights that it should not give.
    ///
    /// # Errors
    /// When it is not this user's.
    pub fn narrow(&self, relative: &Path) -> Result<(), StoreError> {
        outside::narrow(&self.store.path(relative), self.store.modes)
    }

    /// Removes a file that a command that died has left on its way.
    ///
    /// # Errors
    /// When it can't be removed.
    pub fn remove_leftover(&self, relative: &Path) -> Result<(), StoreError> {
        fs::remove(&self.store.path(relative))
    }

    /// Makes the folders and fixed files of the tree that are missing.
    ///
    /// # Errors
    /// When one can't be made.
    pub fn complete(&self) -> Result<(), StoreError> {
        Store::init(self.store.root(), self.store.modes).map(drop)
    }
}
