//! Lines taken apart: marks, days, keys, sentences.

use crate::vault::quantity::{Date, whole_date};

/// Without tags, block ids and highlight marks.
pub(in crate::vault) fn without_marks(text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let tag = word.strip_prefix('#').is_some_and(|rest| rest.chars().next().is_some_and(char::is_alphabetic));
        let block = word
            .strip_prefix('^')
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
        if !tag && !block {
            words.push(word);
        }
    }
    let joined = words.join(" ");
    if joined.contains("==") { joined.replace("==", "") } else { joined }
}

/// Cuts `2026-03-22: text`, `22.03.2026 – text`, `[2026-03-22] text` into day and text.
pub(in crate::vault) fn leading_date(text: &str) -> (Option<Date>, &str) {
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '[' | '(' | '*'))
        && !text.starts_with(char::is_alphabetic)
    {
        return (None, text);
    }
    let mut best = None;
    for separator in [": ", " – ", " - ", " — ", "] ", ") ", " "] {
        if let Some((before, after)) = text.split_once(separator)
            && before.len() <= 24
            && let Some(date) = whole_date(before)
            && (date.year != 0 || separator != " ")
        {
            best = Some((Some(date), after.trim_start_matches([':', '–', '-', '—', ' '])));
            break;
        }
    }
    best.or_else(|| whole_date(text).filter(|date| date.year != 0 && date.day != 0).map(|date| (Some(date), "")))
        .unwrap_or((None, text))
}

/// Cuts `key: value`, `key:: value`, `[key:: value]` in two.
pub(in crate::vault) fn split_key(line: &str) -> Option<(&str, &str)> {
    let inline = line.starts_with('[') || line.starts_with('(');
    let bare = if inline && line.contains(":: ") {
        line.trim_start_matches(['[', '(']).trim_end_matches([']', ')'])
    } else {
        line
    };
    let colon = bare.find(':')?;
    let key = bare.get(..colon)?;
    let rest = bare.get(colon + 1..)?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let spaced = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let words = key.split_whitespace().count();
    let plain = !key.contains(['.', '?', '!', ';', '"', '„', '|', '`'])
        && key.chars().count() <= 48
        && (1..=6).contains(&words);
    let lettered = key.chars().any(char::is_alphabetic);
    (spaced && plain && lettered && !rest.trim().is_empty()).then(|| (key, rest.trim_start()))
}
