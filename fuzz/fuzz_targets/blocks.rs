//! Records of memory blocks: any bytes are read as JSON, JSON lines or YAML, or refused.
#![no_main]

use hermes_mem::domain::block::read::{documents, record};
use hermes_mem::domain::block::yaml;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        drop(yaml::parse(text));
    }
    for (name, value) in documents(bytes.to_vec()).into_iter().flatten().flatten() {
        for as_kept in [false, true] {
            if let Err(problems) = record(&name, value.clone(), as_kept) {
                assert!(!problems.is_empty());
            }
        }
    }
});
