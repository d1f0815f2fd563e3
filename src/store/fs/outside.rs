//! Files outside of the tree, and folders on their way into one: backups, keys, and what a restore unpacks.
#![allow(
    clippy::disallowed_methods,
    reason = "beside its parent the one file that opens, makes, moves and removes files"
)]

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use super::{Modes, StoreError, no_follow, open_plain, sync_dir};

/// Makes a folder of this user's own, 0700, unless it is there; its parent has to be there.
pub(in crate::store) fn make_own_dir(path: &Path) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("make the folder", path, error);
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => path.parent().map_or(Ok(()), sync_dir),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(fail(error)),
    }
}

/// Makes a new file that this user alone may read, for writing and reading back.
pub(in crate::store) fn create_private(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(no_follow())
        .open(path)
        .map_err(|error| StoreError::io("write", path, error))
}

/// Writes a new file durably; `mode` says who may read it. One that is there is not replaced.
pub(in crate::store) fn write_once(path: &Path, bytes: &[u8], mode: u32) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("write", path, error);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode).custom_flags(no_follow());
    let mut file = options.open(path).map_err(fail)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.map_err(|error| {
        drop(fs::remove_file(path));
        fail(error)
    })?;
    path.parent().map_or(Ok(()), sync_dir)
}

/// Replaces a file of this user's own, durably and as a whole.
pub(in crate::store) fn replace_private(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("write", path, error);
    let mut staged = path.as_os_str().to_owned();
    staged.push(".new");
    let staged = Path::new(&staged);
    drop(fs::remove_file(staged));
    write_once(staged, bytes, 0o600)?;
    fs::rename(staged, path).map_err(fail)?;
    path.parent().map_or(Ok(()), sync_dir)
}

/// Opens a regular file and tells its length. Links are followed: whoever names the file may mean one.
pub(in crate::store) fn open_named(path: &Path) -> Result<(File, u64), StoreError> {
    let fail = |error| StoreError::io("read", path, error);
    let nonblock = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(nonblock).open(path).map_err(fail)?;
    let meta = file.metadata().map_err(fail)?;
    if meta.is_file() { Ok((file, meta.len())) } else { Err(StoreError::damaged(path, "it is no regular file")) }
}

/// Opens a regular file of the tree for a copy of its first `len` bytes; a link is refused.
pub(in crate::store) fn open_of_tree(path: &Path) -> Result<(File, u64), StoreError> {
    super::open_regular(path)
}

/// Reads a file of up to `max` bytes that a key or certificate is in.
pub(in crate::store) fn read_key(path: &Path, max: u64) -> Result<Vec<u8>, StoreError> {
    let (file, len) = open_named(path)?;
    if len > max {
        return Err(StoreError::TooLarge { path: path.to_owned(), size: Some(len), max });
    }
    let mut bytes = Vec::new();
    file.take(max).read_to_end(&mut bytes).map_err(|error| StoreError::io("read", path, error))?;
    Ok(bytes)
}

/// Refuses a file with a secret in it that others may read, or that is another user's; root's is nobody else's business.
pub(in crate::store) fn check_secret(path: &Path) -> Result<(), StoreError> {
    let meta = fs::metadata(path).map_err(|error| StoreError::io("look at", path, error))?;
    if meta.mode() & 0o077 != 0 {
        return Err(StoreError::damaged(
            path,
            format!("others may read it (mode {:04o}): chmod 600", meta.mode() & 0o7777),
        ));
    }
    let own = rustix::process::geteuid();
    if own.is_root() || meta.uid() == own.as_raw() || meta.uid() == 0 {
        return Ok(());
    }
    Err(StoreError::damaged(path, "it belongs to another user"))
}

/// The size of a file, if there is one; links are not followed.
pub(in crate::store) fn size(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|meta| meta.len())
}

/// Whether a folder has no entries.
pub(in crate::store) fn is_empty(path: &Path) -> Result<bool, StoreError> {
    let fail = |error| StoreError::io("list", path, error);
    Ok(fs::read_dir(path).map_err(fail)?.next().is_none())
}

/// Removes a folder and all in it, without following links. One that is gone already is no error.
pub(in crate::store) fn remove_all(path: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::io("remove", path, error)),
        _ => Ok(()),
    }
}

/// Makes a new file of a tree that is being unpacked; whole, but not yet durable.
pub(in crate::store) fn create_of_tree(path: &Path, modes: Modes) -> Result<File, StoreError> {
    let fail = |error| StoreError::io("write", path, error);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(modes.file()).custom_flags(no_follow());
    let file = options.open(path).map_err(fail)?;
    modes.hand_over(&file, modes.file()).map_err(fail)?;
    Ok(file)
}

/// Gives a folder back to its owner's eyes alone, or opens it to those who share the tree.
pub(in crate::store) fn share_dir(path: &Path, modes: Modes) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("hand over", path, error);
    let dir = open_plain(path).map_err(fail)?;
    dir.set_permissions(Permissions::from_mode(modes.folder())).map_err(fail)?;
    modes.hand_over(&dir, modes.folder()).map_err(fail)
}

/// Lets two files or folders change places, in one step.
pub(in crate::store) fn exchange(one: &Path, other: &Path) -> Result<(), StoreError> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)
        .map_err(|error| StoreError::io("put in place", other, error.into()))
}

/// The mode of a file or folder and the most that it may be, where it gives others more than that; links are not followed.
pub(in crate::store) fn wider_than(path: &Path, modes: Modes) -> Option<(u32, u32)> {
    let meta = fs::symlink_metadata(path).ok().filter(|meta| !meta.is_symlink())?;
    let max = if meta.is_dir() { modes.folder() } else { modes.file() };
    let mode = meta.mode() & 0o7777;
    (mode & 0o777 & !max != 0).then_some((mode, max))
}

/// Takes from a file or folder the rights that it should not give.
pub(in crate::store) fn narrow(path: &Path, modes: Modes) -> Result<(), StoreError> {
    let Some((mode, max)) = wider_than(path, modes) else { return Ok(()) };
    let fail = |error| StoreError::io("change the rights of", path, error);
    open_plain(path).map_err(fail)?.set_permissions(Permissions::from_mode(mode & (max | 0o7000))).map_err(fail)
}

/// Whether a file has a second name (a hard link).
pub(in crate::store) fn has_second_name(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.nlink() > 1)
}
