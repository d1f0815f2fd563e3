//! Text that is open in a reviewer's editor: a file that only this user may read, gone when the editor is closed.
//!
//! It is the one place where text may lie unmasked (law 2). It lies in the user's runtime folder, which is in memory; else in
//! a private folder of this user's under the root. A file whose program has died is removed by the next run.

use std::path::{Path, PathBuf};

use super::{Store, StoreError, fs, layout};

const PREFIX: &str = "hermes-mem-edit-";

/// A file for an editor; removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// The user's folder under the root, if it lies there.
    own_folder: Option<PathBuf>,
}

impl Scratch {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file holds now.
    ///
    /// # Errors
    /// When it can't be read as text.
    pub fn read(&self) -> Result<String, StoreError> {
        let bytes = fs::read_file(&self.path, fs::FILE_MAX)?;
        String::from_utf8(bytes).map_err(|_| StoreError::damaged(&self.path, "it is not UTF-8"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove(&self.path));
        if let Some(folder) = &self.own_folder {
            remove_folders(folder);
        }
    }
}

impl Store {
    /// Puts text into a new private file, in `runtime` (the user's runtime folder) if it is one of this user's.
    ///
    /// # Errors
    /// When the file can't be made.
    pub fn scratch(&self, runtime: Option<&Path>, extension: &str, text: &str) -> Result<Scratch, StoreError> {
        let own = |folder: &&Path| fs::owner(folder) == Some(rustix::process::geteuid().as_raw());
        let own_folder = if runtime.as_ref().is_some_and(own) { None } else { Some(self.make_editing()?) };
        let folder = own_folder.as_deref().or(runtime).unwrap_or(&self.root).to_owned();
        let pid = std::process::id();
        let path = (0..1000)
            .map(|nth| folder.join(format!("{PREFIX}{pid}-{nth}.{extension}")))
            .find(|path| !fs::exists(path))
            .ok_or_else(|| StoreError::damaged(&folder, "it is full"))?;
        let scratch = Scratch { path, own_folder };
        fs::write_private(&scratch.path, text.as_bytes())?;
        Ok(scratch)
    }

    /// Removes files of editors whose program has died, from `runtime` and from under the root.
    pub fn sweep_scratch(&self, runtime: Option<&Path>) {
        for folder in runtime.map(Path::to_owned).into_iter().chain([self.editing()]) {
            for (name, kind) in fs::list(&folder).unwrap_or_default() {
                let path = folder.join(&name);
                let own = fs::owner(&path) == Some(rustix::process::geteuid().as_raw());
                if kind.is_file() && own && pid_in(&name).is_some_and(|pid| !fs::is_alive(pid)) {
                    drop(fs::remove(&path));
                }
            }
        }
        remove_folders(&self.editing());
    }

    /// This user's folder for text in an editor.
    fn editing(&self) -> PathBuf {
        self.path(layout::EDITING).join(rustix::process::geteuid().as_raw().to_string())
    }

    /// Makes it. Another user's program may take the folder around it away while it is empty.
    fn make_editing(&self) -> Result<PathBuf, StoreError> {
        let folder = self.editing();
        let make = || {
            fs::make_dir(&self.path(layout::EDITING), self.modes)?;
            fs::make_private_dir(&folder)
        };
        let is_gone = |made: &Result<(), StoreError>| made.as_ref().is_err_and(StoreError::is_missing);
        let made = (0..9).map(|_| make()).find(|made| !is_gone(made)).unwrap_or_else(make);
        made.map(|()| folder)
    }

    /// Writes a file that a user asked for, which must not exist yet.
    ///
    /// # Errors
    /// When it exists, or can't be written.
    pub fn export(&self, path: &Path, text: &crate::mask::Masked) -> Result<PathBuf, StoreError> {
        fs::export(path, text.as_str().as_bytes())
    }
}

/// Removes a user's folder and the one around it, as far as they are empty.
fn remove_folders(own: &Path) {
    fs::remove_empty_dir(own);
    if let Some(around) = own.parent() {
        fs::remove_empty_dir(around);
    }
}

fn pid_in(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.split('-').next()?.parse().ok()
}

impl Store {
    /// The user id that owns the root folder; where the root is a link, the folder's and not the link's.
    pub fn owner(&self) -> Option<u32> {
        fs::folder_owner(self.root())
    }
}
