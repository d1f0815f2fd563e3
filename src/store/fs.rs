//! The primitives: reading without following links, and durable steps that [`super::Change`] is made of.
#![allow(clippy::disallowed_methods, reason = "this is the one file that opens, makes, moves and removes files")]

mod input;
pub(super) mod outside;

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, BufRead, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{IFlags, OFlags};

pub use input::{InputFile, list_input};

use super::StoreError;

/// What is said of a link where none may be.
const LINK: &str = "it is a symbolic link, which is not followed";

/// The largest file of the tree that is read, unpacked, in bytes; none is written that is larger.
pub(super) const FILE_MAX: u64 = 64 << 20;

/// Which rights new files and folders get, and to whom they belong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modes {
    /// The group that shares the tree, by id; `None`: the service user's own.
    pub group: Option<u32>,
    /// Root gives what it makes to this user and group: the owner of the root folder.
    owner: Option<(u32, u32)>,
}

impl Modes {
    /// Rights for a tree that is shared by `group`, if given.
    pub fn new(group: Option<u32>) -> Self {
        Self { group, owner: None }
    }

    /// The same, with the owner that files made by root under `root` are given to.
    pub(super) fn for_root(self, root: &Path) -> Result<Self, StoreError> {
        if !rustix::process::geteuid().is_root() {
            return Ok(self);
        }
        let meta = fs::metadata(root).map_err(|error| StoreError::io("look at", root, error))?;
        Ok(Self { owner: (meta.uid() != 0).then_some((meta.uid(), meta.gid())), ..self })
    }

    const fn file(self) -> u32 {
        if self.group.is_some() { 0o660 } else { 0o640 }
    }

    const fn folder(self) -> u32 {
        if self.group.is_some() { 0o2770 } else { 0o750 }
    }

    /// Whether root has a file before it that is not yet its owner's: it died between making it and handing it over. A file
    /// with a second name may be another's altogether.
    fn is_foreign(self, meta: &fs::Metadata) -> bool {
        self.owner.is_some_and(|(uid, _)| meta.is_file() && meta.nlink() == 1 && meta.uid() != uid)
    }

    /// Gives a new file or folder its owner and, in a shared tree, its rights whatever the umask.
    fn hand_over(self, file: &File, mode: u32) -> io::Result<()> {
        if self.owner.is_some() || self.group.is_some() {
            let (uid, gid) = (self.owner.map(|owner| owner.0), self.group.or(self.owner.map(|owner| owner.1)));
            std::os::unix::fs::fchown(file, uid, gid)?;
        }
        if self.group.is_some() {
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(())
    }
}

/// Makes the tree's own folder unless it is there; answers whether it was made. It alone may be a link to a folder.
pub(super) fn make_root(path: &Path, modes: Modes) -> Result<bool, StoreError> {
    if path.is_dir() { Ok(false) } else { make_dir(path, modes) }
}

/// Makes a folder unless it is there; answers whether it was made.
pub(super) fn make_dir(path: &Path, modes: Modes) -> Result<bool, StoreError> {
    let fail = |error| StoreError::io("make the folder", path, error);
    match DirBuilder::new().mode(modes.folder()).create(path) {
        Ok(()) => {
            let dir = open_plain(path).map_err(fail)?;
            modes.hand_over(&dir, modes.folder()).map_err(fail)?;
            if let Some(parent) = path.parent() {
                sync_dir(parent)?;
            }
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let meta = fs::symlink_metadata(path).map_err(fail)?;
            match meta.is_dir() {
                true => Ok(false),
                false if meta.is_symlink() => Err(StoreError::damaged(path, LINK)),
                false => Err(StoreError::damaged(path, "it is no folder")),
            }
        }
        Err(error) => Err(fail(error)),
    }
}

/// Makes an empty file unless it is there.
pub(super) fn make_empty_file(path: &Path, modes: Modes) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("make", path, error);
    let made = OpenOptions::new().write(true).create_new(true).mode(modes.file()).open(path);
    match made {
        Ok(file) => {
            modes.hand_over(&file, modes.file()).map_err(fail)?;
            path.parent().map_or(Ok(()), sync_dir)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let meta = fs::symlink_metadata(path).map_err(fail)?;
            if meta.is_symlink() {
                return Err(StoreError::damaged(path, LINK));
            }
            if modes.is_foreign(&meta) {
                modes.hand_over(&open_plain(path).map_err(fail)?, modes.file()).map_err(fail)?;
            }
            Ok(())
        }
        Err(error) => Err(fail(error)),
    }
}

fn no_follow() -> i32 {
    i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits()).unwrap_or(0)
}

fn open_plain(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(no_follow()).open(path)
}

/// Opens a regular file for reading, and tells its length; a link or a pipe is refused.
fn open_regular(path: &Path) -> Result<(File, u64), StoreError> {
    open_with_meta(path).map(|(file, meta)| (file, meta.len()))
}

fn open_with_meta(path: &Path) -> Result<(File, fs::Metadata), StoreError> {
    let fail = |error: io::Error| {
        if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
            return StoreError::damaged(path, LINK);
        }
        StoreError::io("read", path, error)
    };
    let file = open_plain(path).map_err(fail)?;
    let meta = file.metadata().map_err(fail)?;
    if meta.is_file() { Ok((file, meta)) } else { Err(StoreError::damaged(path, "it is no regular file")) }
}

/// Reads a regular file whole; a link, a pipe or a file over `max` bytes is refused.
pub(super) fn read_file(path: &Path, max: u64) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    read_file_into(path, max, &mut bytes)?;
    Ok(bytes)
}

/// Reads a regular file into a buffer that is used again and again.
pub(super) fn read_file_into(path: &Path, max: u64, bytes: &mut Vec<u8>) -> Result<(), StoreError> {
    let (file, len) = open_regular(path)?;
    read_open(path, &file, len, max, bytes)
}

/// Reads a regular file that has this name alone, and answers its length; one with a second name is refused.
pub(super) fn read_only_name(path: &Path, max: u64, bytes: &mut Vec<u8>) -> Result<u64, StoreError> {
    let (file, meta) = open_with_meta(path)?;
    check_only_name(path, &meta)?;
    read_open(path, &file, meta.len(), max, bytes)?;
    Ok(meta.len())
}

fn check_only_name(path: &Path, meta: &fs::Metadata) -> Result<(), StoreError> {
    if meta.nlink() > 1 { Err(StoreError::damaged(path, "it has a second name (a hard link)")) } else { Ok(()) }
}

/// Refuses a file that its file system keeps from being changed or removed, or that has a second name.
pub(super) fn check_changeable(path: &Path) -> Result<(), StoreError> {
    let (file, meta) = open_with_meta(path)?;
    check_only_name(path, &meta)?;
    match rustix::fs::ioctl_getflags(&file) {
        Ok(flags) if flags.intersects(IFlags::IMMUTABLE | IFlags::APPEND) => {
            Err(StoreError::damaged(path, "it is marked as unchangeable (chattr)"))
        }
        // Not every file system knows such marks.
        _ => Ok(()),
    }
}

fn read_open(path: &Path, file: &File, len: u64, max: u64, bytes: &mut Vec<u8>) -> Result<(), StoreError> {
    bytes.clear();
    let fail = |error: io::Error| StoreError::io("read", path, error);
    if len > max {
        return Err(StoreError::damaged(path, format!("it has {len} bytes; the limit is {max}")));
    }
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    bytes.try_reserve(len).map_err(|error| fail(error.into()))?;
    // Files of the tree are replaced and never grow, so that all of it is what it had when it was opened.
    while bytes.len() < len {
        match rustix::io::read(file, rustix::buffer::spare_capacity(bytes)) {
            Ok(0) => break,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(fail(error.into())),
        }
    }
    bytes.truncate(len);
    Ok(())
}

/// Reads a file that a user names, or standard input for `-`, up to `max` bytes.
///
/// # Errors
/// When it can't be read, or is larger.
pub fn read_input(path: &Path, max: u64) -> Result<Vec<u8>, StoreError> {
    let fail = |error| StoreError::io("read", path, error);
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(max + 1).read_to_end(&mut bytes).map_err(fail)?;
    } else {
        File::open(path).map_err(fail)?.take(max + 1).read_to_end(&mut bytes).map_err(fail)?;
    }
    if bytes.len() as u64 > max {
        return Err(StoreError::TooLarge { path: path.to_owned(), size: None, max });
    }
    Ok(bytes)
}

/// Reads a file of settings, up to `max` bytes; links are followed. A pipe is refused: nobody may ever write to it.
///
/// # Errors
/// When it can't be read, is larger, or is a pipe.
pub fn read_settings(path: &Path, max: u64) -> Result<Vec<u8>, StoreError> {
    let meta = fs::metadata(path).map_err(|error| StoreError::io("read", path, error))?;
    if meta.file_type().is_fifo() {
        return Err(StoreError::damaged(path, "it is a pipe"));
    }
    read_input(path, max)
}

/// The names in a folder with what they are; links are not followed. A folder that is missing has none.
pub(super) fn list(path: &Path) -> Result<Vec<(String, fs::FileType)>, StoreError> {
    let fail = |error| StoreError::io("list", path, error);
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(fail(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(fail)?;
        let kind = entry.file_type().map_err(fail)?;
        if let Ok(name) = entry.file_name().into_string() {
            names.push((name, kind));
        }
    }
    Ok(names)
}

/// Hands each name in a folder on to `see`, with what it is, without keeping them; links are not followed. A folder that is
/// missing has none.
pub(super) fn each<E: From<StoreError>>(
    path: &Path,
    mut see: impl FnMut(&OsStr, fs::FileType) -> Result<(), E>,
) -> Result<(), E> {
    let fail = |error| StoreError::io("list", path, error);
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(fail)?,
    };
    for entry in entries {
        let entry = entry.map_err(fail)?;
        match entry.file_type() {
            Ok(kind) => see(&entry.file_name(), kind)?,
            // Gone since it was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(fail(error).into()),
        }
    }
    Ok(())
}

/// Whether something stands at the path, a dangling link included.
pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Refuses a link; that this user may not look is for those to say who need what is there.
pub(super) fn no_link(path: &Path) -> Result<(), StoreError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => Err(StoreError::damaged(path, LINK)),
        _ => Ok(()),
    }
}

/// Whether a folder stands at the path; a link is none, and refused. That this user may not look is an error, and no "no".
pub(super) fn is_dir(path: &Path) -> Result<bool, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => Err(StoreError::damaged(path, LINK)),
        Ok(meta) => Ok(meta.is_dir()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(StoreError::io("look at", path, error)),
        Err(_) => Ok(false),
    }
}

/// Writes a new file durably; what was there under that name is replaced.
pub(super) fn write_new(path: &Path, bytes: &[u8], modes: Modes) -> Result<(), StoreError> {
    write_unsynced(path, bytes, modes)?.sync_data().map_err(|error| StoreError::io("write", path, error))
}

/// Writes a new file without waiting for the disk; see [`sync_all_under`].
pub(super) fn write_unsynced(path: &Path, bytes: &[u8], modes: Modes) -> Result<File, StoreError> {
    let fail = |error| StoreError::io("write", path, error);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(modes.file()).custom_flags(no_follow());
    let mut file = options.open(path).map_err(fail)?;
    modes.hand_over(&file, modes.file()).map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    Ok(file)
}

/// Makes everything durable that was written to the file system of a folder: for many small files one call instead of many.
pub(super) fn sync_all_under(folder: &Path) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("sync", folder, error);
    let dir = File::open(folder).map_err(fail)?;
    rustix::fs::syncfs(&dir).map_err(|error| fail(error.into()))
}

/// Whether this user may put files into a folder and take them out.
pub(super) fn check_writable(folder: &Path) -> Result<(), StoreError> {
    use rustix::fs::Access;
    rustix::fs::accessat(rustix::fs::CWD, folder, Access::WRITE_OK | Access::EXEC_OK, rustix::fs::AtFlags::EACCESS)
        .map_err(|error| StoreError::io("change files in", folder, error.into()))
}

/// Puts `bytes` at `offset` of a file and makes them durable; bytes that stood behind them go.
pub(super) fn write_at(path: &Path, offset: u64, bytes: &[u8], modes: Modes) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("write", path, error);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(modes.file()).custom_flags(no_follow());
    let is_new = !exists(path);
    let file = options.open(path).map_err(fail)?;
    if is_new || modes.is_foreign(&file.metadata().map_err(fail)?) {
        modes.hand_over(&file, modes.file()).map_err(fail)?;
    }
    if is_new {
        path.parent().map_or(Ok(()), sync_dir)?;
    }
    file.write_all_at(bytes, offset).map_err(fail)?;
    let end = offset + bytes.len() as u64;
    if file.metadata().map_err(fail)?.len() > end {
        file.set_len(end).map_err(fail)?;
    }
    file.sync_data().map_err(fail)
}

/// Cuts a file to `len` bytes, without waiting for the disk.
pub(super) fn cut(path: &Path, len: u64) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("cut", path, error);
    let file = OpenOptions::new().write(true).custom_flags(no_follow()).open(path).map_err(fail)?;
    file.set_len(len).map_err(fail)
}

/// Cuts a file to `len` bytes, and waits for the disk.
pub(super) fn cut_durably(path: &Path, len: u64) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("cut", path, error);
    let file = OpenOptions::new().write(true).custom_flags(no_follow()).open(path).map_err(fail)?;
    file.set_len(len).and_then(|()| file.sync_all()).map_err(fail)
}

/// The last `max` bytes of a file and its length; nothing for a file that is missing.
pub(super) fn tail(path: &Path, max: u64) -> Result<(Vec<u8>, u64), StoreError> {
    let fail = |error| StoreError::io("read", path, error);
    let file = match OpenOptions::new().read(true).custom_flags(no_follow()).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(fail(error)),
    };
    let len = file.metadata().map_err(fail)?.len();
    let start = len.saturating_sub(max);
    let mut bytes = vec![0; usize::try_from(len - start).unwrap_or(0)];
    file.read_exact_at(&mut bytes, start).map_err(fail)?;
    Ok((bytes, len))
}

/// A line of a file, without its line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawLine<'a> {
    /// Its bytes; of one that is longer than was asked for, its beginning.
    pub(super) bytes: &'a [u8],
    /// Where it begins in the file.
    pub(super) offset: u64,
    /// Whether it has a line end.
    pub(super) is_ended: bool,
}

/// Hands each line of a regular file from `offset` on to `see` until it answers `false`; a link or a pipe is refused. Of a
/// line longer than `max` bytes one byte more than that is kept.
pub(super) fn lines(
    path: &Path,
    mut offset: u64,
    max: usize,
    mut see: impl FnMut(RawLine<'_>) -> bool,
) -> Result<(), StoreError> {
    let (mut file, _) = open_regular(path)?;
    let fail = |error| StoreError::io("read", path, error);
    file.seek(io::SeekFrom::Start(offset)).map_err(fail)?;
    let mut reader = io::BufReader::with_capacity(64 << 10, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let (mut len, mut is_ended) = (0, false);
        while !is_ended {
            let part = reader.fill_buf().map_err(fail)?;
            if part.is_empty() {
                break;
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let text = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
            line.extend(text.iter().take(max.saturating_add(1) - line.len()));
            is_ended = end.is_some();
            let used = text.len() + usize::from(is_ended);
            reader.consume(used);
            len += used as u64;
        }
        if len == 0 || !see(RawLine { bytes: &line, offset, is_ended }) {
            return Ok(());
        }
        offset += len;
    }
}

/// Hands each line of a regular file on to `see`, the last one first and empty ones left out, until it answers `false`; answers
/// whether it never did. A line longer than `max` bytes is handed on in part.
pub(super) fn lines_back(path: &Path, max: usize, mut see: impl FnMut(&[u8]) -> bool) -> Result<bool, StoreError> {
    const BLOCK: u64 = 64 << 10;
    let (file, mut start) = open_regular(path)?;
    // What was read of the line that begins before `start`.
    let mut rest: Vec<u8> = Vec::new();
    while start > 0 {
        let from = start.saturating_sub(BLOCK);
        let mut block = vec![0; usize::try_from(start - from).unwrap_or(0)];
        file.read_exact_at(&mut block, from).map_err(|error| StoreError::io("read", path, error))?;
        block.append(&mut rest);
        while let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            let line = block.get(at + 1..).unwrap_or_default();
            if !line.is_empty() && !see(line) {
                return Ok(false);
            }
            block.truncate(at);
        }
        block.truncate(max.max(1));
        (rest, start) = (block, from);
    }
    Ok(rest.is_empty() || see(&rest))
}

/// Moves a file within the tree; what stood at `to` is replaced.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(from, to).map_err(|error| StoreError::io("put in place", to, error))
}

/// Removes a file; one that is gone already is no error.
pub(super) fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::io("remove", path, error)),
    }
}

/// Removes a folder that is empty; one that is not stays.
pub(super) fn remove_empty_dir(path: &Path) {
    drop(fs::remove_dir(path));
}

/// Why a file, or its folder, can't be written, if that is so.
pub(super) fn reason(path: &Path) -> Option<io::Error> {
    let folder = path.parent().unwrap_or(path);
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(no_follow());
    options
        .open(path)
        .err()
        .or_else(|| rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).err().map(io::Error::from))
}

/// Makes a folder's entries durable.
pub(super) fn sync_dir(path: &Path) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("sync the folder", path, error);
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    File::open(path).map_err(fail)?.sync_all().map_err(fail)
}

/// Opens a file for locking.
pub(super) fn open_lock(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new()
        .read(true)
        .custom_flags(no_follow())
        .open(path)
        .map_err(|error| StoreError::io("open the lock", path, error))
}

/// Makes a folder that only this user may enter, unless it is there; refuses one of somebody else.
pub(super) fn make_private_dir(path: &Path) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("make the folder", path, error);
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let meta = fs::symlink_metadata(path).map_err(fail)?;
            if meta.is_dir() && meta.uid() == rustix::process::geteuid().as_raw() && meta.mode().trailing_zeros() >= 6 {
                return Ok(());
            }
            Err(StoreError::damaged(path, "it is no private folder of this user's"))
        }
        Err(error) => Err(fail(error)),
    }
}

/// Makes a new file that only this user may read.
pub(super) fn write_private(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("write", path, error);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(fail)?;
    file.write_all(bytes).map_err(fail)
}

/// Whether this process runs in a user namespace that gives users other numbers than outside. Where that can't be told it
/// does not.
pub fn is_user_namespace() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let mut fields = map.split_whitespace();
    let identity = [fields.next(), fields.next(), fields.next()] == [Some("0"), Some("0"), Some("4294967295")];
    !(map.is_empty() || identity && fields.next().is_none())
}

/// Whether a process of that number runs.
pub(super) fn is_alive(pid: u32) -> bool {
    exists(&PathBuf::from(format!("/proc/{pid}")))
}

/// Who owns a path, by user id; links are not followed.
pub(super) fn owner(path: &Path) -> Option<u32> {
    fs::symlink_metadata(path).ok().map(|meta| meta.uid())
}

/// Who owns a folder, by user id; a link to it is followed.
pub fn folder_owner(path: &Path) -> Option<u32> {
    fs::metadata(path).ok().map(|meta| meta.uid())
}

/// A file of a user's own choosing, made new: what a command was asked to export.
pub(super) fn export(path: &Path, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let fail = |error| StoreError::io("write", path, error);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.sync_all().map_err(fail)?;
    Ok(path.to_owned())
}

/// Makes a new folder with new files in it: where, relative to it, and what.
///
/// # Errors
/// When it exists, or can't be made.
pub fn new_folder(path: &Path, files: &[(&str, &str)]) -> Result<(), StoreError> {
    fs::create_dir(path).map_err(|error| StoreError::io("make the folder", path, error))?;
    for (name, text) in files {
        let file = path.join(name);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(|error| StoreError::io("make the folder", parent, error))?;
        }
        new_file(&file, text)?;
    }
    Ok(())
}

/// Puts a configuration into a new tree: read by those who share it, written by its owner alone.
///
/// # Errors
/// When there is one, or it can't be made.
pub fn new_config(root: &Path, text: &str, modes: Modes) -> Result<(), StoreError> {
    const MODE: u32 = 0o640;
    let modes = modes.for_root(root)?;
    let path = root.join(super::layout::CONFIG);
    new_file(&path, text)?;
    let fail = |error| StoreError::io("hand over", &path, error);
    modes.hand_over(&open_plain(&path).map_err(fail)?, MODE).map_err(fail)
}

/// Makes a new file with the program's own text in it.
///
/// # Errors
/// When it exists, or can't be made.
fn new_file(path: &Path, text: &str) -> Result<(), StoreError> {
    let fail = |error| StoreError::io("write", path, error);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o640).open(path).map_err(fail)?;
    file.write_all(text.as_bytes()).map_err(fail)?;
    file.sync_all().map_err(fail)
}
