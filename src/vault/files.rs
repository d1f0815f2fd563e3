//! The one place that reads vault files: finding pages, bounding them, decoding them. It opens nothing for writing.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Larger pages are left out: nobody writes 4 MiB of notes by hand into one file. Bytes.
pub(super) const MAX_PAGE: u64 = 4 * 1024 * 1024;

/// Why a vault can't be read. The caller turns it into the verdict `no_vault`.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The folder isn't there.
    #[error("the vault folder {} does not exist", .0.display())]
    Missing(PathBuf),
    /// Something stands there that is no folder.
    #[error("the vault {} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The folder can't be listed.
    #[error("the vault folder {} cannot be read", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What tells a changed file from an unchanged one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Bytes.
    pub(super) size: u64,
    /// Modification time, nanoseconds since 1970.
    pub(super) modified: i128,
    /// Time of the last change of the inode, nanoseconds since 1970; no tool sets it at will.
    pub(super) changed: i128,
}

impl Stamp {
    fn of(meta: &fs::Metadata) -> Self {
        let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Self {
            size: meta.len(),
            modified: nanos(meta.mtime(), meta.mtime_nsec()),
            changed: nanos(meta.ctime(), meta.ctime_nsec()),
        }
    }
}

/// A page found in the vault.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Relative to the vault, `/` as the separator.
    pub(super) name: String,
    /// When and how large.
    pub(super) stamp: Stamp,
}

/// A page's text, ready to be parsed.
#[derive(Clone, Debug)]
pub(super) struct Text {
    /// Composed (NFC), without byte order mark, line ends `\n`. Lines are those of the file.
    pub(super) text: String,
    /// SHA-256 of the bytes as they stand in the file.
    pub(super) hash: [u8; 32],
}

/// Makes sure the vault is a folder that can be listed.
pub(super) fn probe(root: &Path) -> Result<(), VaultError> {
    let meta = fs::metadata(root).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => VaultError::Missing(root.to_owned()),
        _ => VaultError::Unreadable { path: root.to_owned(), source },
    })?;
    if !meta.is_dir() {
        return Err(VaultError::NotAFolder(root.to_owned()));
    }
    fs::read_dir(root).map(drop).map_err(|source| VaultError::Unreadable { path: root.to_owned(), source })
}

/// All pages, sorted by name; folders and files that begin with a dot and symlinks are not followed.
pub(super) fn walk(root: &Path, warnings: &mut Vec<String>) -> Vec<Found> {
    let mut pages = Vec::new();
    let visible =
        |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    for entry in walkdir::WalkDir::new(root).follow_links(false).into_iter().filter_entry(visible) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let place =
                    error.path().and_then(|path| path.strip_prefix(root).ok()).unwrap_or(Path::new("")).display();
                warnings.push(format!("{place}: cannot be read, left out"));
                continue;
            }
        };
        let markdown = entry
            .path()
            .extension()
            .is_some_and(|ext| ext.eq_ignore_ascii_case("md") || ext.eq_ignore_ascii_case("markdown"));
        if !entry.file_type().is_file() || !markdown {
            continue;
        }
        let Some(name) = entry.path().strip_prefix(root).ok().and_then(Path::to_str) else {
            warnings.push(format!("{}: the name is not UTF-8, left out", entry.path().display()));
            continue;
        };
        match entry.metadata() {
            Ok(meta) if meta.len() > MAX_PAGE => {
                warnings.push(format!("{name}: larger than {} MiB, left out", MAX_PAGE >> 20));
            }
            Ok(meta) => pages.push(Found { name: name.to_owned(), stamp: Stamp::of(&meta) }),
            Err(_) => warnings.push(format!("{name}: cannot be read, left out")),
        }
    }
    pages.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    pages
}

/// Reads one page by its name relative to the vault. `Ok(None)`: there is no such page, or the name leads elsewhere.
pub(super) fn page(root: &Path, name: &str) -> Result<Option<(Stamp, Text)>, String> {
    let safe =
        !name.is_empty() && Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !safe || name.split('/').any(|part| part.starts_with('.')) {
        return Ok(None);
    }
    // No part of the way may be a symlink: what is outside the vault is not the vault.
    let mut path = root.to_owned();
    for part in name.split('/') {
        path.push(part);
        match fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_symlink() => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(_) => return Err(format!("{name}: cannot be read, left out")),
        }
    }
    let read = || -> io::Result<Option<(Stamp, Vec<u8>)>> {
        #[expect(
            clippy::disallowed_methods,
            reason = "the vault layer's one place that reads pages, read only and bounded"
        )]
        let file = fs::OpenOptions::new().read(true).open(&path)?;
        let meta = File::metadata(&file)?;
        if !meta.is_file() || meta.len() > MAX_PAGE {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or_default());
        file.take(MAX_PAGE + 1).read_to_end(&mut bytes)?;
        Ok((bytes.len() as u64 <= MAX_PAGE).then(|| (Stamp::of(&meta), bytes)))
    };
    match read() {
        Ok(Some((stamp, bytes))) => match decode(&bytes) {
            Some(text) => Ok(Some((stamp, text))),
            None => Err(format!("{name}: binary, left out")),
        },
        Ok(None) => Err(format!("{name}: larger than {} MiB or no file, left out", MAX_PAGE >> 20)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(_) => Err(format!("{name}: cannot be read, left out")),
    }
}

/// Turns bytes into text: UTF-8 with or without mark, UTF-16 with mark, else Windows-1252. Binary is `None`.
pub(super) fn decode(bytes: &[u8]) -> Option<Text> {
    let hash = Sha256::digest(bytes).into();
    let wide = |order: fn([u8; 2]) -> u16, rest: &[u8]| {
        let units = rest.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(order);
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>()
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => wide(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => wide(u16::from_be_bytes, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => narrow(rest)?,
        _ => narrow(bytes)?,
    };
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', " ") } else { text };
    let text = if is_nfc_quick(text.chars()) == IsNormalized::Yes { text } else { text.nfc().collect() };
    Some(Text { text, hash })
}

fn narrow(bytes: &[u8]) -> Option<String> {
    let zeros = bytes.iter().take(8192).filter(|byte| **byte == 0).count();
    if zeros > 8 {
        return None;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| windows_1252(*byte)).collect(),
    };
    Some(if zeros > 0 || text.contains('\0') { text.replace('\0', " ") } else { text })
}

/// A byte of Windows-1252 as a character; the five undefined ones are kept as control characters.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    usize::from(byte).checked_sub(0x80).and_then(|at| HIGH.get(at)).copied().unwrap_or(char::from(byte))
}

/// Lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_read_and_binaries_are_not() {
        assert_eq!(decode(b"\xef\xbb\xbfa\r\nb").unwrap().text, "a\nb");
        assert_eq!(decode(b"T\xfcr \x80").unwrap().text, "Tür €");
        assert_eq!(decode("Tu\u{308}r".as_bytes()).unwrap().text, "Tür");
        assert_eq!(decode(b"\xff\xfea\0b\0").unwrap().text, "ab");
        assert!(decode(&[0; 64]).is_none());
    }

    #[test]
    fn names_cannot_leave_the_vault() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["../x.md", "/etc/passwd", ".obsidian/x.md", "a/../../x.md", ""] {
            assert!(page(dir.path(), name).unwrap().is_none(), "{name}");
        }
    }
}
