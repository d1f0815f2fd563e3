//! stub
/// stub
pub fn fold(text: &str) -> String { text.to_lowercase() }
/// stub
pub fn fingerprint(text: &str) -> String { fold(text) }
