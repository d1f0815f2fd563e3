//! Migrations: what becomes of an entry of an older memory, and how a run is called.

use std::fmt;

use crate::domain::time::Timestamp;

/// What becomes of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// It becomes a block.
    Migrate,
    /// The source says the same before.
    Merge,
    /// There is such a block already.
    Known,
    /// It can't become one.
    Refuse,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Migrate, Self::Merge, Self::Known, Self::Refuse];

    /// The word for it in answers and in the database: what happened, or would.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Migrate => "migrated",
            Self::Merge => "merged",
            Self::Known => "known",
            Self::Refuse => "refused",
        }
    }

    /// The action of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.word() == word)
    }
}

/// `MIGRATION-{YYYYMMDD}-{HHMMSS}`, with `-2`, `-3`, … where one second made equal ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(String);

impl RunId {
    /// The id of a run at `now`; `nth` counts from 1 and tells apart ids that would be equal.
    pub fn new(now: Timestamp, nth: u32) -> Self {
        let base = format!("MIGRATION-{}-{}", now.compact_date(), now.compact_time());
        Self(if nth > 1 { format!("{base}-{nth}") } else { base })
    }

    /// Reads an id in its strict pattern.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("MIGRATION-")?.split('-');
        let mut is_number = |len: Option<usize>| {
            parts.next().map(|part| {
                len.is_none_or(|len| part.len() == len)
                    && !part.is_empty()
                    && part.bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        let is_good = is_number(Some(8))? && is_number(Some(6))? && is_number(None).unwrap_or(true);
        (is_good && parts.next().is_none()).then(|| Self(text.to_owned()))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_called_by_its_moment_and_nothing_else_is_an_id() {
        let now = Timestamp::parse("2026-05-21T14:30:22Z").unwrap();
        for (nth, id) in [(1, "MIGRATION-20260521-143022"), (2, "MIGRATION-20260521-143022-2")] {
            assert_eq!(RunId::new(now, nth).as_str(), id);
            assert_eq!(RunId::parse(id), Some(RunId::new(now, nth)));
        }
        for bad in [
            "",
            "MIGRATION-",
            "MIGRATION-20260521",
            "MIGRATION-20260521-1430",
            "MIGRATION-20260521-143022-",
            "MIGRATION-20260521-143022-x",
            "MIGRATION-20260521-143022-2-3",
            "REVIEW-20260521-143022",
        ] {
            assert_eq!(RunId::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_action_has_a_word_of_its_own() {
        for action in Action::ALL {
            assert_eq!(Action::parse(action.word()), Some(action));
        }
    }
}
