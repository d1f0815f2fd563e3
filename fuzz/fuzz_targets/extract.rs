//! Extraction: any text or turns are looked through or refused, and what is found are parts of the text.
#![no_main]

use hermes_mem::domain::extract::extract;
use hermes_mem::domain::extract::turns::pieces;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for piece in pieces(bytes).into_iter().flatten() {
        let text = piece.text.expose();
        for one in extract(text) {
            assert!(text.contains(&one.value) && !one.key.is_empty());
            assert!(text[one.at..].starts_with(&one.sentence));
            assert!((0.0..=1.0).contains(&one.confidence));
        }
    }
});
