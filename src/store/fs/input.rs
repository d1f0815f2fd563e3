//! Folders that a user names to be read: what lies in them. Nothing in there is changed, and no link is followed.

use std::path::{Path, PathBuf};

use crate::store::StoreError;

/// The most files that are listed: beyond it somebody has named the wrong folder.
const FILES_MAX: usize = 1_000_000;

/// A file in such a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Its path in the folder, with `/`.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// It is a file, neither a link nor a pipe, and its folder can be read.
    pub is_regular: bool,
}

/// The files below a folder, by name; those that are hidden are left out. `None`: it is no folder.
///
/// # Errors
/// When it can't be read, or holds more than a million files.
pub fn list_input(folder: &Path) -> Result<Option<Vec<InputFile>>, StoreError> {
    let meta = std::fs::metadata(folder).map_err(|error| StoreError::io("read", folder, error))?;
    if !meta.is_dir() {
        return Ok(None);
    }
    let is_shown =
        |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(folder).into_iter().filter_entry(is_shown) {
        let (path, is_regular) = match entry {
            Ok(entry) if entry.file_type().is_dir() => continue,
            Ok(entry) => (entry.path().to_owned(), entry.file_type().is_file()),
            Err(error) if error.depth() == 0 => return Err(StoreError::io("list", folder, error.into())),
            Err(error) => (error.path().unwrap_or(folder).to_owned(), false),
        };
        if files.len() == FILES_MAX {
            return Err(StoreError::damaged(folder, "it holds more than a million files"));
        }
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        files.push(InputFile { name, path, is_regular });
    }
    files.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    Ok(Some(files))
}
