//! Text that is open in a reviewer's editor: a file that only this user may read, gone when the editor is closed.
//!
//! It is the one place where text may lie unmasked (law 2). It lies in the user's runtime folder, which is in memory; else in
//! a private folder under the root. A file whose program has died is removed by the next run.

use std::path::{Path, PathBuf};

use super::{Store, StoreError, fs, layout};

const PREFIX: &str = "hermes-mem-edit-";

/// A file for an editor; removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
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
        if let Some(folder) = self.path.parent().filter(|folder| folder.ends_with(layout::EDITING)) {
            fs::remove_empty_dir(folder);
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
        let folder = if let Some(runtime) = runtime.filter(own) {
            runtime.to_owned()
        } else {
            let folder = self.path(layout::EDITING);
            fs::make_private_dir(&folder)?;
            folder
        };
        let pid = std::process::id();
        let path = (0..1000)
            .map(|nth| folder.join(format!("{PREFIX}{pid}-{nth}.{extension}")))
            .find(|path| !fs::exists(path))
            .ok_or_else(|| StoreError::damaged(&folder, "it is full"))?;
        let scratch = Scratch { path };
        fs::write_private(&scratch.path, text.as_bytes())?;
        Ok(scratch)
    }

    /// Removes files of editors whose program has died, from `runtime` and from under the root.
    pub fn sweep_scratch(&self, runtime: Option<&Path>) {
        for folder in runtime.map(Path::to_owned).into_iter().chain([self.path(layout::EDITING)]) {
            for (name, kind) in fs::list(&folder).unwrap_or_default() {
                let path = folder.join(&name);
                let own = fs::owner(&path) == Some(rustix::process::geteuid().as_raw());
                if kind.is_file() && own && pid_in(&name).is_some_and(|pid| !fs::is_alive(pid)) {
                    drop(fs::remove(&path));
                }
            }
        }
        fs::remove_empty_dir(&self.path(layout::EDITING));
    }

    /// Writes a file that a user asked for, which must not exist yet.
    ///
    /// # Errors
    /// When it exists, or can't be written.
    pub fn export(&self, path: &Path, text: &crate::mask::Masked) -> Result<PathBuf, StoreError> {
        fs::export(path, text.as_str().as_bytes())
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
