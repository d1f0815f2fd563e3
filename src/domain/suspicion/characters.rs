//! Characters nobody sees, and those that turn the reading direction.

use std::ops::Range;

use super::{MAX_FINDINGS, Suspicion};

const INVISIBLE: &str = "invisible-character";
const BIDI: &str = "bidi-control";
const TAG: &str = "tag-character";
const VARIATION: &str = "variation-selector";
const CONTROL: &str = "control-character";

const ZERO_WIDTH_JOINER: char = '\u{200D}';
const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';

/// Runs of characters that should not be there.
pub(super) fn find(text: &str) -> Vec<Suspicion> {
    let mut found: Vec<Suspicion> = Vec::new();
    if text.bytes().all(|byte| (b' '..0x7F).contains(&byte)) {
        return found;
    }
    // Where the tags of a flag end; up to there they are part of an emoji.
    let mut flag_end = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c == BLACK_FLAG {
            flag_end = end + flag_tags(text.get(end..).unwrap_or_default());
        }
        let next = || text.get(end..).and_then(|rest| rest.chars().next());
        if let Some(name) = name(c).filter(|_| at >= flag_end && !is_in_place(c, before, next)) {
            push(&mut found, name, at..end);
            if found.len() > MAX_FINDINGS {
                break;
            }
        }
        before = Some(c);
    }
    found
}

/// Adds a finding, or lets the last one grow where this follows on it.
fn push(found: &mut Vec<Suspicion>, name: &'static str, range: Range<usize>) {
    match found.last_mut() {
        Some(last) if last.name == name && last.range.end == range.start => last.range.end = range.end,
        _ => found.push(Suspicion { name, range }),
    }
}

fn name(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{AD}'
        | '\u{34F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200D}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1D173}'..='\u{1D17A}' => INVISIBLE,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => BIDI,
        '\u{E0000}'..='\u{E007F}' => TAG,
        '\u{180B}'..='\u{180D}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => VARIATION,
        '\t' | '\n' | '\r' => return None,
        _ if c.is_control() => CONTROL,
        _ => return None,
    })
}

/// Whether a character does its lawful work between its neighbours.
fn is_in_place(c: char, before: Option<char>, next: impl Fn() -> Option<char>) -> bool {
    let Some(before) = before else { return false };
    match c {
        ZERO_WIDTH_JOINER => {
            let joins_emoji = is_emoji(before) || before == '\u{FE0F}';
            joins_emoji && next().is_some_and(is_emoji) || needs_joiners(before)
        }
        '\u{200C}' => needs_joiners(before),
        '\u{FE0F}' | '\u{FE0E}' => {
            is_emoji(before) || matches!(before, '0'..='9' | '#' | '*') && next() == Some('\u{20E3}')
        }
        '\u{FE00}'..='\u{FE0D}' | '\u{E0100}'..='\u{E01EF}' => {
            matches!(before, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
        }
        '\u{180B}'..='\u{180D}' => matches!(before, '\u{1800}'..='\u{18AF}'),
        _ => false,
    }
}

/// How many bytes of tags make the rest of a flag such as Scotland's: two to six, then the end tag; else none.
fn flag_tags(rest: &str) -> usize {
    let tags =
        rest.chars().take(7).take_while(|c| matches!(c, '\u{E0061}'..='\u{E007A}' | '\u{E0030}'..='\u{E0039}')).count();
    let ends = rest.chars().nth(tags) == Some(CANCEL_TAG);
    if (2..=6).contains(&tags) && ends { (tags + 1) * CANCEL_TAG.len_utf8() } else { 0 }
}

fn is_emoji(c: char) -> bool {
    matches!(c,
        '©' | '®' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{24C2}'
        | '\u{25A0}'..='\u{27BF}' | '\u{2934}' | '\u{2935}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{1F000}'..='\u{1FAFF}')
}

/// Letters of scripts that are spelled with joiners: Arabic, Syriac, the scripts of India, Khmer, Mongolian.
fn needs_joiners(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8FF}' | '\u{900}'..='\u{DFF}' | '\u{1780}'..='\u{18AF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}')
}
