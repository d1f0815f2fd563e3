//! Zip archives, as `OpenMemory` exports them: `memories.jsonl.gz` and `memories.json`, or either. Unpacked in memory.

use std::collections::HashSet;
use std::io::{Cursor, Read};

use ::zip::ZipArchive;

use super::{Legacy, Unknown, json};

/// What is unpacked at most, in bytes: an archive of some kilobytes may hold any number of them.
const UNPACKED_MAX: u64 = 1 << 30;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// Whether it can be opened, and holds files of memories.
pub(super) fn check(bytes: &[u8]) -> Result<(), Unknown> {
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| Unknown::Zip)?;
    if names(&archive).iter().any(|(_, is_memory)| *is_memory) { Ok(()) } else { Err(Unknown::EmptyZip) }
}

/// Reads it. `OpenMemory` writes each memory twice; the second time is left out.
pub(super) fn read(bytes: &[u8], legacy: &mut Legacy<'_>) {
    let before = legacy.before.clone();
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else {
        return legacy.unread("the archive", "it can't be read");
    };
    let mut names = names(&archive);
    // The lines hold categories by their names, the document by their ids.
    names.sort_by_key(|(name, _)| !name.contains(".jsonl"));
    legacy.seen = Some(HashSet::new());
    for (name, is_memory) in names {
        if !is_memory {
            legacy.unread(&name, "it is no file of memories");
            continue;
        }
        let Some(bytes) = unpack(&mut archive, &name) else {
            legacy.unread(&name, "it can't be unpacked: it is damaged, encrypted or larger than 1 GiB");
            continue;
        };
        let text = super::source::decode(&bytes);
        let place = legacy.place(&name);
        let outer = std::mem::replace(&mut legacy.before, place);
        match json::form(&text) {
            Some(form) => json::read(form, &text, legacy),
            None => legacy.unread("", "no known form of memories was found in it"),
        }
        legacy.before = outer;
    }
    legacy.before = before;
    legacy.seen = None;
}

/// The files in it, and whether each may hold memories. A name that can't be read can't be asked for either.
fn names(archive: &Archive<'_>) -> Vec<(String, bool)> {
    let is_memory = |name: &str| {
        let name = name.to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        [".json", ".jsonl"].iter().any(|end| name.ends_with(end))
    };
    let files =
        archive.file_names().map(|name| name.map_or_else(|_| "a file".to_owned(), std::borrow::Cow::into_owned));
    let mut names: Vec<_> =
        files.filter(|name| !name.ends_with('/')).map(|name| (name.clone(), is_memory(&name))).collect();
    names.sort_unstable();
    names
}

fn unpack(archive: &mut Archive<'_>, name: &str) -> Option<Vec<u8>> {
    let bytes = bounded(archive.by_name(name).ok()?)?;
    if name.to_lowercase().ends_with(".gz") {
        bounded(flate2::read::MultiGzDecoder::new(bytes.as_slice()))
    } else {
        Some(bytes)
    }
}

fn bounded(from: impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(UNPACKED_MAX + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= UNPACKED_MAX).then_some(bytes)
}
