//! The built-in vocabulary (`lexicon.txt`, packed into `lexicon.bin`) and what the operator has added to it.

use std::collections::HashMap;

use super::Settings;
use super::words::{Lang, Stems, fold, hash};

/// What a group of words is to the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// No meaning of its own: articles, prepositions, auxiliaries.
    Stop,
    /// May be left out.
    Light,
    /// A plain meaning.
    Concept,
    /// An attribute that has one value at a time.
    Key,
    /// An attribute whose one value is a person.
    Person,
    /// An attribute that often has several values.
    Multi,
    /// One value of the numbered class; two of a class exclude each other where one is asked for.
    Class(u8),
    /// A word for a state.
    State(State),
}

/// The states a thing can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Finished.
    Done,
    /// Not finished, and said so.
    Open,
    /// Intended.
    Planned,
    /// Being worked on.
    Progress,
    /// Running, in use.
    Active,
    /// Stopped, for now or for good.
    Inactive,
    /// Turned down.
    Rejected,
    /// Put off.
    Postponed,
    /// A state of the operator's own, by the number of its group.
    Custom(u8),
}

/// One meaning of a word: its group, and whether it stands on the opposite side of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sense {
    /// The number of the group.
    pub(super) group: u16,
    /// On the far side of `|`.
    pub(super) opposite: bool,
}

/// Marks a word with which a phrase of the vocabulary begins.
const PHRASE_HEAD: u16 = u16::MAX;
/// Most meanings kept of one word.
pub(super) const MAX_SENSES: usize = 4;

static BINARY: &[u8] = include_bytes!("lexicon.bin");
const ENTRY: usize = 8;

/// The vocabulary in force.
#[derive(Default)]
pub(super) struct Lexicon {
    extra: HashMap<u32, Vec<Sense>>,
    extra_heads: Vec<u32>,
    extra_roles: Vec<Role>,
    functional: Vec<u32>,
}

impl Lexicon {
    /// The built-in vocabulary with the operator's words on top.
    pub(super) fn new(settings: &Settings) -> Self {
        let stems = Stems::default();
        let mut lexicon = Self::default();
        for group in &settings.synonyms {
            let known = group.iter().find_map(|word| {
                let mut senses = Vec::new();
                lexicon.lookup(hash(fold(word).as_bytes()), Lang::Either, &mut senses);
                senses.first().copied().filter(|sense| !matches!(lexicon.role(sense.group), Role::Stop | Role::Light))
            });
            let sense = known.unwrap_or_else(|| lexicon.fresh(Role::Concept));
            for word in group {
                lexicon.teach(&stems, word, sense);
            }
        }
        for (number, group) in (0_u8..=u8::MAX).zip(&settings.state_words) {
            let known = group.iter().find_map(|word| {
                let mut senses = Vec::new();
                lexicon.lookup(hash(fold(word).as_bytes()), Lang::Either, &mut senses);
                senses.into_iter().find(|sense| matches!(lexicon.role(sense.group), Role::State(_)))
            });
            let sense = known.unwrap_or_else(|| lexicon.fresh(Role::State(State::Custom(number))));
            for word in group {
                lexicon.teach(&stems, word, sense);
            }
        }
        for key in &settings.functional_keys {
            let folded = fold(key);
            for word in folded.split([' ', '-']).filter(|word| !word.is_empty()) {
                lexicon.functional.push(hash(stems.de(word).as_bytes()));
                lexicon.functional.push(hash(stems.en(word).as_bytes()));
            }
        }
        lexicon
    }

    fn fresh(&mut self, role: Role) -> Sense {
        self.extra_roles.push(role);
        Sense {
            group: u16::try_from(group_count() + self.extra_roles.len() - 1).unwrap_or(PHRASE_HEAD - 1),
            opposite: false,
        }
    }

    fn teach(&mut self, stems: &Stems, word: &str, sense: Sense) {
        let folded = fold(word.trim()).replace('-', " ");
        let words: Vec<&str> = folded.split_whitespace().collect();
        for key in forms(stems, &words) {
            self.extra.entry(key).or_default().push(sense);
        }
        if let [head, _, ..] = words.as_slice() {
            self.extra_heads.extend(forms(stems, &[head]));
        }
    }

    /// Changes whenever the built-in vocabulary does.
    pub(super) fn version() -> u32 {
        hash(BINARY)
    }

    /// Adds to `out` the meanings filed under a hashed form.
    pub(super) fn lookup(&self, key: u32, lang: Lang, out: &mut Vec<Sense>) {
        if let Some(senses) = self.extra.get(&key) {
            for sense in senses {
                add(out, *sense);
            }
        }
        for (group, opposite, tongue) in entries(key) {
            let fits = match (tongue, lang) {
                (0, _) | (_, Lang::Either) => true,
                (1, lang) => lang == Lang::De,
                (_, lang) => lang == Lang::En,
            };
            if group != PHRASE_HEAD && fits {
                add(out, Sense { group, opposite });
            }
        }
    }

    /// Whether a phrase begins with this form.
    pub(super) fn begins_phrase(&self, key: u32) -> bool {
        self.extra_heads.contains(&key) || entries(key).any(|(group, ..)| group == PHRASE_HEAD)
    }

    /// Whether some meaning is filed under this form.
    pub(super) fn knows(&self, key: u32) -> bool {
        self.extra.contains_key(&key)
            || entries(key)
                .any(|(group, ..)| group != PHRASE_HEAD && !matches!(self.role(group), Role::Stop | Role::Light))
    }

    /// What the group is.
    pub(super) fn role(&self, group: u16) -> Role {
        let index = usize::from(group);
        if let Some(extra) = index.checked_sub(group_count()) {
            return self.extra_roles.get(extra).copied().unwrap_or(Role::Concept);
        }
        let at = 8 + index * 2;
        match BINARY.get(at..at + 2) {
            Some([kind, arg]) => decode(*kind, *arg),
            _ => Role::Concept,
        }
    }

    /// Whether the operator has named this stem as a key with one value.
    pub(super) fn is_functional(&self, stem: u32) -> bool {
        self.functional.contains(&stem)
    }
}

fn add(out: &mut Vec<Sense>, sense: Sense) {
    if out.len() < MAX_SENSES && !out.contains(&sense) {
        out.push(sense);
    }
}

/// The hashed forms of a word or phrase: as spelt, German stems, English stems.
fn forms(stems: &Stems, words: &[&str]) -> Vec<u32> {
    let join =
        |f: &dyn Fn(&str) -> String| hash(words.iter().map(|word| f(word)).collect::<Vec<_>>().join(" ").as_bytes());
    let mut keys = vec![join(&|word| word.to_owned()), join(&|word| stems.de(word)), join(&|word| stems.en(word))];
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn number(at: usize) -> usize {
    BINARY.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
}

fn group_count() -> usize {
    number(4)
}

/// All entries of the packed table under one key.
fn entries(key: u32) -> impl Iterator<Item = (u16, bool, u8)> {
    let table = BINARY.get(8 + group_count() * 2..).unwrap_or_default();
    let count = number(0);
    let at = move |index: usize| table.get(index * ENTRY..(index + 1) * ENTRY);
    let key_at = move |index: usize| match at(index) {
        Some([a, b, c, d, ..]) => u32::from_le_bytes([*a, *b, *c, *d]),
        _ => u32::MAX,
    };
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        if key_at(middle) < key { low = middle + 1 } else { high = middle }
    }
    (low..count).take_while(move |index| key_at(*index) == key).filter_map(move |index| match at(index) {
        Some([_, _, _, _, g, h, side, tongue]) => Some((u16::from_le_bytes([*g, *h]), *side == 1, *tongue)),
        _ => None,
    })
}

fn decode(kind: u8, arg: u8) -> Role {
    match kind {
        0 => Role::Stop,
        1 => Role::Light,
        3 => Role::Key,
        4 => Role::Person,
        5 => Role::Multi,
        6 => Role::Class(arg),
        7 => Role::State(match arg {
            0 => State::Done,
            1 => State::Open,
            2 => State::Planned,
            3 => State::Progress,
            4 => State::Active,
            5 => State::Inactive,
            6 => State::Rejected,
            _ => State::Postponed,
        }),
        _ => Role::Concept,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Packs `lexicon.txt`: counts, the groups' roles, then entries sorted by hashed form.
    fn pack(text: &str) -> Vec<u8> {
        const STATES: &[&str] = &["done", "open", "planned", "progress", "active", "inactive", "rejected", "postponed"];
        let stems = Stems::default();
        let (mut roles, mut table) = (Vec::new(), Vec::new());
        let (mut kind, mut arg, mut classes) = (2_u8, 0_u8, 0_u8);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                let (name, rest) = section.split_once(' ').unwrap_or((section, ""));
                (kind, arg) = match name {
                    "stop" => (0, 0),
                    "light" => (1, 0),
                    "concept" => (2, 0),
                    "key" => (3, 0),
                    "person" => (4, 0),
                    "multi" => (5, 0),
                    "class" => {
                        classes += 1;
                        (6, classes)
                    }
                    "state" => (7, u8::try_from(STATES.iter().position(|state| *state == rest).unwrap()).unwrap()),
                    other => panic!("unknown section {other}"),
                };
                continue;
            }
            let group = u16::try_from(roles.len()).unwrap();
            roles.push([kind, arg]);
            for (side, words) in (0_u8..).zip(line.split('|')) {
                for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
                    let (word, tongue) = match word.split_once('@') {
                        Some((word, "de")) => (word, 1_u8),
                        Some((word, _)) => (word, 2),
                        None => (word, 0),
                    };
                    let folded = fold(word).replace('-', " ");
                    let parts: Vec<&str> = folded.split_whitespace().collect();
                    for key in forms(&stems, &parts) {
                        table.push((key, group, side, tongue));
                    }
                    if parts.len() > 1 {
                        for key in forms(&stems, &parts[..1]) {
                            table.push((key, PHRASE_HEAD, 0, 0));
                        }
                    }
                }
            }
        }
        table.sort_unstable();
        table.dedup();
        let mut out = Vec::new();
        out.extend(u32::try_from(table.len()).unwrap().to_le_bytes());
        out.extend(u32::try_from(roles.len()).unwrap().to_le_bytes());
        out.extend(roles.iter().flatten());
        for (key, group, side, tongue) in table {
            out.extend(key.to_le_bytes());
            out.extend(group.to_le_bytes());
            out.extend([side, tongue]);
        }
        out
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test keeps a generated file of the source tree current")]
    fn lexicon_binary_is_current() {
        let packed = pack(include_str!("lexicon.txt"));
        if std::env::var_os("UPDATE").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vault/lexicon.bin");
            std::fs::write(path, &packed).unwrap();
        } else {
            assert!(packed == BINARY, "lexicon.txt has changed: run this test with UPDATE=1");
        }
    }

    #[test]
    fn words_of_both_languages_share_a_group() {
        let lexicon = Lexicon::default();
        let senses = |word: &str| {
            let mut out = Vec::new();
            lexicon.lookup(hash(fold(word).as_bytes()), Lang::Either, &mut out);
            out
        };
        assert!(senses("verschlüsselt").iter().any(|a| senses("encrypted").contains(a)));
        let far = senses("unencrypted");
        assert!(senses("encrypted").iter().any(|a| far.iter().any(|b| a.group == b.group && a.opposite != b.opposite)));
    }

    #[test]
    fn the_operators_words_join_a_known_group() {
        let settings =
            Settings { synonyms: vec![vec!["Wuselkiste".to_owned(), "Server".to_owned()]], ..Settings::default() };
        let lexicon = Lexicon::new(&settings);
        let mut out = Vec::new();
        lexicon.lookup(hash(b"wuselkist"), Lang::De, &mut out);
        assert!(!out.is_empty());
    }
}
