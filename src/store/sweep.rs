//! Going through the tree file by file, in a memory that does not grow with it, and reading what may have to go.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Shelf, Skipped, Store, StoreError, Tree, fs, layout, sessions};
use crate::domain::doc::Doc;
use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::json;
use crate::domain::review::Review;
use crate::domain::session::{Session, State};

/// A folder that is gone through, in the order in which that is done: against the flow of the files, so that one that was
/// moved on is not looked at again. The archives come last all the same: a file system is slow to make new files where many
/// were just removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// The sessions of a state.
    Sessions(State),
    /// The reviews of a shelf.
    Reviews(Shelf),
}

impl Folder {
    /// All folders, in order.
    pub const ALL: [Self; 6] = [
        Self::Sessions(State::Closed),
        Self::Sessions(State::Idle),
        Self::Sessions(State::Active),
        Self::Reviews(Shelf::Archived),
        Self::Reviews(Shelf::Queue),
        Self::Sessions(State::Archived),
    ];

    /// All folders with the flow of the files: one that moves meanwhile is seen at least once.
    pub const WITH_THE_FLOW: [Self; 6] = [
        Self::Sessions(State::Active),
        Self::Sessions(State::Idle),
        Self::Sessions(State::Closed),
        Self::Sessions(State::Archived),
        Self::Reviews(Shelf::Queue),
        Self::Reviews(Shelf::Archived),
    ];

    /// Whether files can come into it from a folder later in the flow: an idle session that is spoken in again, a review whose
    /// decision is taken back.
    pub const fn is_young(self) -> bool {
        matches!(self, Self::Sessions(State::Active | State::Idle) | Self::Reviews(Shelf::Queue))
    }

    /// The folder, relative to the root.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Sessions(state) => layout::session_folder(state),
            Self::Reviews(shelf) => shelf.folder(),
        }
    }
}

/// A file of the tree that is the program's own, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A session.
    Session(SessionId, State),
    /// A review.
    Review(ReviewId, Shelf),
}

impl Item {
    /// The file, relative to the root.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Session(id, state) => layout::session_file(id, *state),
            Self::Review(id, shelf) => layout::review_file(id, *shelf),
        }
    }

    /// The id.
    pub fn id(&self) -> &str {
        match self {
            Self::Session(id, _) => id.as_str(),
            Self::Review(id, _) => id.as_str(),
        }
    }

    pub(super) fn of(folder: Folder, name: &str) -> Option<Self> {
        match folder {
            Folder::Sessions(state) => {
                let id = layout::session_id(name)?;
                // The ending says where it belongs.
                let is_at_home = name.strip_prefix(id.as_str()) == Some(layout::session_ending(state));
                is_at_home.then_some(Self::Session(id, state))
            }
            Folder::Reviews(shelf) => Some(Self::Review(layout::review_id(name)?, shelf)),
        }
    }
}

/// A file's contents, unpacked, and what it takes on the disk.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The contents.
    pub bytes: Vec<u8>,
    /// The file's size, in bytes.
    pub size: u64,
    packed: Vec<u8>,
}

impl Store {
    /// Hands each entry of a folder on to `see`: an item, or what is none and why.
    ///
    /// # Errors
    /// When the folder can't be listed, and what `see` answers.
    pub fn walk<E: From<StoreError>>(
        &self,
        folder: Folder,
        mut see: impl FnMut(Result<Item, Skipped>) -> Result<(), E>,
    ) -> Result<(), E> {
        let relative = folder.path();
        fs::each(&self.path(relative), |name, kind| {
            let known = name.to_str().and_then(|name| Item::of(folder, name));
            let is_own_folder = folder == Folder::Reviews(Shelf::Queue) && kind.is_dir() && name == "archived";
            let why = match known {
                _ if is_own_folder => return Ok(()),
                Some(item) if kind.is_file() => return see(Ok(item)),
                _ if kind.is_symlink() => "it is a symbolic link, which is not followed",
                _ if kind.is_dir() => "it is a folder, where only files belong",
                _ if !kind.is_file() => "it is no regular file",
                None => "its name is none of the program's own",
                Some(_) => "it can't be told what it is",
            };
            let path = Path::new(relative).join(name);
            let why = format!("{} was left alone: {why}", self.path(&path).display());
            see(Err(Skipped { path, why }))
        })
    }

    /// What lies in quarantine, relative to the root.
    ///
    /// # Errors
    /// When it can't be listed.
    pub fn quarantined(&self) -> Result<Vec<PathBuf>, StoreError> {
        let folder = PathBuf::from(layout::QUARANTINE);
        let names = fs::list(&self.path(&folder))?;
        Ok(names.into_iter().map(|(name, _)| folder.join(name)).collect())
    }

    /// How many entries the folders have that are gone through.
    ///
    /// # Errors
    /// When one can't be listed.
    pub fn count_entries(&self) -> Result<usize, StoreError> {
        let mut count = 0;
        for folder in Folder::ALL {
            fs::each(&self.path(folder.path()), |_, _| {
                count += 1;
                Ok::<_, StoreError>(())
            })?;
        }
        Ok(count)
    }

    /// Reads an item's contents into a buffer that is used again and again. A file with a second name is refused: what is
    /// done to it would be done to another's.
    ///
    /// # Errors
    /// When it can't be read or unpacked, is no regular file, or has a second name.
    pub fn contents(&self, item: &Item, into: &mut Contents) -> Result<(), StoreError> {
        let path = self.path(item.path());
        if matches!(item, Item::Session(_, State::Archived)) {
            into.size = fs::read_only_name(&path, fs::FILE_MAX, &mut into.packed)?;
            return sessions::unpack(&path, &into.packed, &mut into.bytes);
        }
        into.size = fs::read_only_name(&path, fs::FILE_MAX, &mut into.bytes)?;
        Ok(())
    }

    /// An item's file as it lies there, packed or not.
    ///
    /// # Errors
    /// When it can't be read, or is no regular file.
    pub fn packed<'c>(&self, item: &Item, into: &'c mut Contents) -> Result<&'c [u8], StoreError> {
        fs::read_file_into(&self.path(item.path()), fs::FILE_MAX, &mut into.packed)?;
        Ok(&into.packed)
    }

    /// A small file of the tree as it lies there; `relative` is its path under the root.
    ///
    /// # Errors
    /// When it can't be read, or is no regular file.
    pub fn bytes_of(&self, relative: &str) -> Result<Vec<u8>, StoreError> {
        fs::read_file(&self.path(relative), fs::FILE_MAX)
    }

    /// How long a file is, in bytes.
    ///
    /// # Errors
    /// When it is no regular file, or can't be read.
    pub fn len_of(&self, path: &Path) -> Result<u64, StoreError> {
        fs::outside::open_of_tree(path).map(|(_, len)| len)
    }

    /// The session in contents that were read.
    ///
    /// # Errors
    /// When they can't be understood, or are another session's.
    pub fn session_of(&self, id: &SessionId, folder: State, contents: &Contents) -> Result<Session, StoreError> {
        let path = self.path(layout::session_file(id, folder));
        let doc = self.doc_of(&path, &contents.bytes, "session_id", id.as_str())?;
        Ok(Session { id: id.clone(), doc })
    }

    /// The review in contents that were read.
    ///
    /// # Errors
    /// When they can't be understood, or are another review's.
    pub fn review_of(&self, id: &ReviewId, shelf: Shelf, contents: &Contents) -> Result<Review, StoreError> {
        let path = self.path(layout::review_file(id, shelf));
        let doc = self.doc_of(&path, &contents.bytes, "review_id", id.as_str())?;
        Ok(Review { id: id.clone(), doc })
    }

    /// A document of the tree: its field for the id has to say what its name says, where it says anything.
    pub(super) fn doc_of(&self, path: &Path, bytes: &[u8], field: &str, id: &str) -> Result<Doc, StoreError> {
        let value = json::parse_tree(bytes).map_err(|error| StoreError::damaged(path, error.to_string()))?;
        let Value::Object(fields) = value else {
            return Err(StoreError::damaged(path, "it is no JSON object"));
        };
        let doc = Doc::from_tree(fields, self.masker());
        if doc.text(field).is_some_and(|inside| inside != id) {
            return Err(StoreError::damaged(path, format!("its {field} is not the one in its name")));
        }
        Ok(doc)
    }
}

impl Tree<'_> {
    /// Whether something keeps an item from being moved to `to`, or from being replaced or deleted where it lies: another
    /// file of that id, or a mark that makes it unchangeable. A change that met that half way could not be finished.
    ///
    /// # Errors
    /// What stands in the way.
    pub fn check_free(&self, item: &Item, to: Option<&Item>) -> Result<(), StoreError> {
        let own = item.path();
        let others = match item {
            Item::Session(id, _) => State::ALL.map(|state| Some(layout::session_file(id, state))).to_vec(),
            Item::Review(id, _) => {
                [Shelf::Queue, Shelf::Archived].map(|shelf| Some(layout::review_file(id, shelf))).to_vec()
            }
        };
        let to = to.map(Item::path);
        for other in others.into_iter().flatten().chain(to).filter(|other| *other != own) {
            let path = self.store.path(&other);
            if fs::exists(&path) {
                return Err(StoreError::damaged(&self.store.path(&own), format!("{} is there too", other.display())));
            }
        }
        self.check_changeable(item)
    }

    /// Whether a mark on the file, or a second name, keeps it from being replaced or deleted.
    ///
    /// # Errors
    /// That one does, or that the file can't be opened.
    pub fn check_changeable(&self, item: &Item) -> Result<(), StoreError> {
        fs::check_changeable(&self.store.path(item.path()))
    }
}
