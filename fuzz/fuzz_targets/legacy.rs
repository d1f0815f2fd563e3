//! Older memories: any bytes are read as any kind or refused; no entry is empty, and each has a place.
#![no_main]

use hermes_mem::legacy::{Kind, Reading, Source, open};
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 6] = ["MEMORY.md", "memory/2026-05-20.md", "kv.csv", "m.jsonl", "p.env", "MEMORY.md.bak.1780000000"];

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let from = Kind::ALL.get(usize::from(choice >> 4)).copied();
    let name = NAMES[usize::from(choice & 0xf) % NAMES.len()];
    let reading = Reading { from, zone: "UTC".parse().unwrap() };
    let source = Source::file(name, bytes.to_vec());
    if let Ok(readable) = open(&source, &reading) {
        readable.each(&mut |found| match found {
            Ok(entry) => assert!(!entry.value.trim().is_empty() && !entry.place.is_empty()),
            Err(unread) => assert!(!unread.why.is_empty()),
        });
    }
});
