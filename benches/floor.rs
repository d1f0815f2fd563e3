//! What the measured commands can't do without: reading every file of a folder, or the writes and fsyncs of one append.
//!
//! `floor read DIR` reads each file of a folder and counts its bytes. `floor write DIR BYTES` replaces one file of so many
//! bytes as the tree does: contents, folder, journal, audit line, rename, folder, each made durable. The bench scripts run
//! it beside the program.
#![allow(clippy::disallowed_methods, reason = "it measures the bare calls")]

use std::fs::{self, File, OpenOptions};
use std::io::{Error, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["read", dir] => read(Path::new(dir)),
        ["write", dir, bytes] => write(Path::new(dir), bytes.parse().unwrap_or(0)),
        _ => Err(Error::other("usage: floor read DIR | floor write DIR BYTES")),
    }
}

fn read(dir: &Path) -> Result<(), Error> {
    let mut total = 0;
    let mut bytes = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            bytes.clear();
            total += File::open(entry.path())?.read_to_end(&mut bytes)?;
        }
    }
    writeln!(std::io::stdout(), "{total} bytes")
}

fn write(dir: &Path, bytes: usize) -> Result<(), Error> {
    let (staged, target) = (dir.join("staged.new"), dir.join("target.json"));
    let mut file = File::create(&staged)?;
    file.write_all(&vec![b'x'; bytes])?;
    file.sync_data()?;
    File::open(dir)?.sync_all()?;
    let journal = OpenOptions::new().write(true).create(true).truncate(false).open(dir.join("journal"))?;
    journal.write_all_at(&[b'j'; 620], 0)?;
    journal.sync_data()?;
    let audit = OpenOptions::new().append(true).create(true).open(dir.join("audit"))?;
    (&audit).write_all(&[b'a'; 360])?;
    audit.sync_data()?;
    fs::rename(&staged, &target)?;
    File::open(dir)?.sync_all()?;
    journal.set_len(0)
}
