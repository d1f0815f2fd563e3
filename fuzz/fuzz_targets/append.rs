//! What an agent appends or proposes: any bytes are read or refused.
#![no_main]

use hermes_mem::domain::append::{UserInputPolicy, read_fact, read_turn};
use hermes_mem::domain::json::parse_strict;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(value) = parse_strict(bytes) else { return };
    for policy in [UserInputPolicy::Summary, UserInputPolicy::Masked] {
        match read_turn(value.clone(), policy) {
            Ok(turn) => assert!(!turn.texts().is_empty()),
            Err(problems) => assert!(!problems.is_empty()),
        }
    }
    drop(read_fact(value));
});
