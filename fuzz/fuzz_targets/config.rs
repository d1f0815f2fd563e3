//! The configuration: any text is read or refused.
#![no_main]

use hermes_mem::app::config::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Config::parse(text) {
        Ok(config) => drop(config.values()),
        Err(problems) => assert!(!problems.is_empty()),
    }
});
