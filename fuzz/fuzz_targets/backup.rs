//! Backup containers: any bytes are a backup that is whole, or are refused; nothing is written but beside them.
//!
//! Start from containers of `gpg --symmetric --s2k-count 1024` with the passphrase below: those of the program itself are
//! hashed so often that a run would do little else.
#![no_main]

use std::sync::LazyLock;

use hermes_mem::domain::time::Timestamp;
use hermes_mem::store::backup::{Opener, Target};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().unwrap());

fuzz_target!(|bytes: &[u8]| {
    let path = FOLDER.path().join("memory-20260521T143000Z.tar.zst.pgp");
    std::fs::write(&path, bytes).unwrap();
    let target = Target::at(FOLDER.path());
    let now = Timestamp::parse("2026-05-21T14:30:00Z").unwrap();
    if let Ok(checked) = target.verify(&path, &Opener::Passphrase("fuzz".into()), None, now) {
        assert_eq!(checked.size, bytes.len() as u64);
    }
    let _ = target.list();
});
