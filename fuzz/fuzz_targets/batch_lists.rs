//! To-do and check-box lists: any text is read or refused, and nobody is decided about twice.
#![no_main]

use std::collections::BTreeSet;

use hermes_mem::app::reviews::batch::{parse_markdown, parse_todo};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for parsed in [parse_todo(text), parse_markdown(text)] {
        match parsed {
            Ok(tasks) => {
                let ids: BTreeSet<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
                assert_eq!(ids.len(), tasks.len());
            }
            Err(bad) => assert!(!bad.is_empty()),
        }
    }
});
