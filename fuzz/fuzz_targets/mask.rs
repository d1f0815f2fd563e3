//! The masker's laws for any text: no panic, masked once is masked for good, what is not found stays.
#![no_main]

use hermes_mem::mask::{Masker, char_ranges};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|raw: &str| {
    let masker = Masker::default();
    let once = masker.mask(raw);
    let mut rebuilt = String::new();
    let mut at = 0;
    for finding in &once.findings {
        rebuilt.push_str(&raw[at..finding.bytes.start]);
        rebuilt.push_str(finding.kind.placeholder());
        at = finding.bytes.end;
    }
    rebuilt.push_str(&raw[at..]);
    assert_eq!(rebuilt, once.text.as_str());
    assert_eq!(char_ranges(raw, &once.findings).len(), once.findings.len());
    let twice = masker.mask(once.text.as_str());
    assert_eq!(twice.text, once.text);
});
