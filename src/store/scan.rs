//! Every JSON document of the tree as it lies there, unmasked if that is how others have put it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Item, Store, StoreError, fs, sessions};
use crate::domain::doc::Doc;
use crate::domain::json;
use crate::domain::review::Review;
use crate::domain::session::Session;
use crate::mask::Masker;
use crate::store::Change;

/// A document of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A session or a review.
    Item(Item),
    /// A file of the audit log, which is never rewritten.
    Audit(PathBuf),
}

impl Place {
    /// The file, relative to the root.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Item(item) => item.path(),
            Self::Audit(path) => path.clone(),
        }
    }
}

impl Store {
    /// All documents: sessions with the flow of the files, reviews, the audit log.
    ///
    /// # Errors
    /// When a folder can't be listed.
    pub fn places(&self) -> Result<Vec<Place>, StoreError> {
        let sessions = self.session_ids()?.into_iter().map(|(id, state)| Item::Session(id, state));
        let reviews = self.review_ids()?.into_iter().map(|(id, shelf)| Item::Review(id, shelf));
        let mut places: Vec<Place> = sessions.chain(reviews).map(Place::Item).collect();
        places.extend(self.audit_files()?.into_iter().map(Place::Audit));
        Ok(places)
    }

    /// A document's values as they lie there: one, or one a line for the audit log.
    ///
    /// # Errors
    /// When it can't be read or understood.
    pub fn values(&self, place: &Place) -> Result<Vec<Value>, StoreError> {
        let path = self.path(place.path());
        match place {
            Place::Item(Item::Session(_, state)) => Ok(vec![parse(&path, &sessions::read_bytes(&path, *state)?)?]),
            Place::Item(Item::Review(..)) => Ok(vec![parse(&path, &fs::read_file(&path, fs::FILE_MAX)?)?]),
            Place::Audit(_) => {
                let bytes = fs::read_file(&path, u64::MAX)?;
                Ok(bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
            }
        }
    }
}

impl Change {
    /// Puts a session or review back where it lies, every text and key in it masked; `false` for what is never rewritten.
    ///
    /// # Errors
    /// When it was written by a newer version.
    pub fn put_masked(&mut self, place: &Place, value: Value, masker: &Masker) -> Result<bool, StoreError> {
        let Value::Object(fields) = value else { return Ok(false) };
        let doc = Doc::masked(fields, masker);
        match place {
            Place::Item(Item::Session(id, state)) => {
                self.put_session(&Session { id: id.clone(), doc }, Some(*state), *state)?;
            }
            Place::Item(Item::Review(id, shelf)) => {
                self.put_review(&Review { id: id.clone(), doc }, Some(*shelf), *shelf)?;
            }
            Place::Audit(_) => return Ok(false),
        }
        Ok(true)
    }
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Value, StoreError> {
    json::parse_tree(bytes).map_err(|error| StoreError::damaged(path, error.to_string()))
}
