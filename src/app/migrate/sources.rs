//! Sources on the disk: opened for reading alone, whole folders too.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::app::error::{Error, Result};
use crate::legacy::{self, Kind, Layout, Part};
use crate::store::{InputFile, list_input, read_input};

/// The largest source, in bytes.
const SOURCE_MAX: u64 = 1 << 30;

/// A file or folder to take over.
pub struct Source {
    /// Where it lies, from the root of the file system.
    pub path: String,
    /// Its name as it was given, and what is in it.
    pub inside: legacy::Source,
}

impl Source {
    /// Reads a file, standard input for `-`, or a folder. `from` tells which of its files count.
    ///
    /// # Errors
    /// When it can't be read, or is larger than 1 GiB.
    pub fn open(path: &Path, from: Option<Kind>) -> Result<Self> {
        let name = path.display().to_string();
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        let is_stdin = path == Path::new("-");
        let files = if is_stdin { None } else { list_input(path).map_err(Error::from)? };
        let inside = if let Some(files) = files {
            folder(name, &files, from)?
        } else {
            let mut inside = legacy::Source::file(name, read_input(path, SOURCE_MAX).map_err(Error::from)?);
            if let Some(part) = inside.parts.first_mut() {
                part.wal = if is_stdin { None } else { log_beside(path, &part.bytes)? };
            }
            inside
        };
        Ok(Self { path: if is_stdin { "-".to_owned() } else { absolute }, inside })
    }

    /// Its size, in bytes.
    pub fn bytes(&self) -> u64 {
        self.inside.parts.iter().map(|part| part.bytes.len() as u64).sum()
    }

    /// What tells it from another: a file's own SHA-256 sum, a folder's of the names and contents.
    pub fn sum(&self) -> String {
        let mut sum = Sha256::new();
        let is_folder = self.inside.layout.is_some();
        for part in &self.inside.parts {
            if is_folder {
                sum.update((part.name.len() as u64).to_le_bytes());
                sum.update(&part.name);
                sum.update((part.bytes.len() as u64).to_le_bytes());
            }
            sum.update(&part.bytes);
            sum.update(part.wal.as_deref().unwrap_or_default());
        }
        base16ct::lower::encode_string(&sum.finalize())
    }

    /// How many lines there are: about as many entries in most forms.
    pub fn lines(&self) -> usize {
        let lines = |part: &Part| part.bytes.split(|byte| *byte == b'\n').count();
        self.inside.parts.iter().map(lines).sum()
    }
}

fn folder(name: String, files: &[InputFile], from: Option<Kind>) -> Result<legacy::Source> {
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let layout = Layout::of(&names, from);
    let mut left = SOURCE_MAX;
    let mut parts = Vec::new();
    for file in files.iter().filter(|file| layout.holds(&file.name)) {
        let mut part = Part { name: file.name.clone(), ..Part::default() };
        if file.is_regular {
            part.bytes = read_input(&file.path, left).map_err(Error::from)?;
            part.wal = log_beside(&file.path, &part.bytes)?;
            left = left.saturating_sub(part.bytes.len() as u64);
        } else {
            part.barred = Some("it is a link, a pipe or not to be read: links are not followed");
        }
        parts.push(part);
    }
    Ok(legacy::Source { name, parts, layout: Some(layout) })
}

/// The write-ahead log beside an SQLite database.
fn log_beside(path: &Path, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    if !bytes.starts_with(b"SQLite format 3\0") {
        return Ok(None);
    }
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let log = Path::new(&log);
    if !log.is_file() {
        return Ok(None);
    }
    Ok(Some(read_input(log, SOURCE_MAX).map_err(Error::from)?))
}
