//! The little of a file that tells whether anything in it can be due, read without keeping its texts.
//!
//! A mark errs on one side alone: where it says that nothing is due, nothing is.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::session::{Class, LISTS, Life, Stamp, Times, is_due};
use super::{Policy, is_ahead};
use crate::domain::doc::SCHEMA_VERSION;
use crate::domain::json;
use crate::domain::review::{EXPIRES_AFTER, Status};
use crate::domain::session::{ARCHIVED_AFTER, State};
use crate::domain::time::Timestamp;

/// Of a session: its times, and which turns hold what ages.
#[derive(Debug, Default)]
pub struct SessionMark {
    times: Times,
    status: Option<State>,
    is_newer: bool,
    turns: Vec<TurnMark>,
    /// Which of [`LISTS`] hold anything.
    lists: [bool; 4],
}

#[derive(Clone, Copy, Debug, Default)]
struct TurnMark {
    at: Stamp,
    text: bool,
    facts: bool,
    decisions: bool,
}

impl SessionMark {
    /// Reads a session's bytes; `None` where only the whole file can tell, or nothing can.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let raw: RawSession = serde_json::from_slice(json::strip_bom(bytes)).ok()?;
        let RawLists { active_projects, user_stated_facts, open_tasks, decisions_this_session } =
            raw.accumulated_context;
        Some(Self {
            times: Times {
                last_active: raw.last_active,
                created_at: raw.created_at,
                closed_at: raw.closed_at,
                newest_turn: raw.turns.iter().filter_map(|turn| turn.at.time()).max(),
                has_turns: !raw.turns.is_empty(),
            },
            status: raw.status.0,
            is_newer: raw.schema_version.is_some_and(|version| version > SCHEMA_VERSION),
            turns: raw.turns,
            lists: [active_projects, user_stated_facts, open_tasks, decisions_this_session].map(|list| list.0),
        })
    }

    /// Whether anything may be due, or has to be told, of a session that lies in `folder`.
    pub fn may_be_due(&self, folder: State, policy: &Policy, now: Timestamp) -> bool {
        let life = self.times.life(self.status.map(State::name), now);
        if self.is_newer || life.doubt.is_some() {
            return true;
        }
        let Some(state) = life.state else { return true };
        state > folder
            || (state == folder && self.status != Some(state))
            || life.closed.is_some_and(|closed| is_due(closed.plus(ARCHIVED_AFTER), policy.archived, now))
            || self.holds_due_fields(life, policy, now)
    }

    fn holds_due_fields(&self, life: Life, policy: &Policy, now: Timestamp) -> bool {
        let is_closed = life.closed.is_some();
        let old = |at: Option<Timestamp>, kept| at.is_some_and(|at| is_due(at, kept, now));
        let (mut old_text, mut old_decisions) = (old(life.last, policy.text), old(life.last, policy.decisions));
        for turn in &self.turns {
            let at = turn.at.time().or(life.last);
            let (text, decisions) = (old(at, policy.text), old(at, policy.decisions));
            if (turn.text && text) || (turn.facts && is_closed) || (turn.decisions && decisions) {
                return true;
            }
            old_text |= text;
            old_decisions |= decisions;
        }
        LISTS.iter().zip(self.lists).any(|((_, class), holds)| {
            holds
                && match class {
                    Class::Text => old_text,
                    Class::Facts => is_closed,
                    Class::Decisions => old_decisions,
                    Class::Kept => false,
                }
        })
    }

    /// The newest time it tells that is not ahead of the clock.
    pub fn newest_time(&self, now: Timestamp) -> Option<Timestamp> {
        let times = [self.times.last_active, self.times.created_at, self.times.closed_at].into_iter();
        let turns = self.turns.iter().map(|turn| turn.at);
        times.chain(turns).filter_map(Stamp::time).filter(|at| !is_ahead(*at, now)).max()
    }
}

/// Of a review: its status and times.
#[derive(Debug, Default)]
pub struct ReviewMark {
    status: Option<Status>,
    is_newer: bool,
    created_at: Stamp,
    expires_at: Stamp,
    finished_at: Stamp,
}

impl ReviewMark {
    /// Reads a review's bytes; `None` where only the whole file can tell, or nothing can.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let raw: RawReview = serde_json::from_slice(json::strip_bom(bytes)).ok()?;
        Some(Self {
            status: raw.status.0,
            is_newer: raw.schema_version.is_some_and(|version| version > SCHEMA_VERSION),
            created_at: raw.created_at,
            expires_at: raw.expires_at,
            finished_at: raw.finished_at,
        })
    }

    /// Whether anything may be due, or has to be told, of a review on one of the shelves.
    pub fn may_be_due(&self, is_archived: bool, policy: &Policy, now: Timestamp) -> bool {
        let (Some(status), Some(created)) = (self.status, self.created_at.time()) else { return true };
        if self.is_newer || is_ahead(created, now) {
            return true;
        }
        match status {
            Status::Pending => match self.expires_at {
                Stamp::At(at) => now >= at || is_ahead(at.plus(-EXPIRES_AFTER), now),
                _ => now >= created.plus(EXPIRES_AFTER),
            },
            // Its history has to bear that out.
            Status::Approved => true,
            _ => !is_archived || self.finished_at.time().is_none_or(|at| is_due(at, policy.finished, now)),
        }
    }

    /// The newest time it tells that is not ahead of the clock.
    pub fn newest_time(&self, now: Timestamp) -> Option<Timestamp> {
        [self.created_at, self.finished_at].into_iter().filter_map(Stamp::time).filter(|at| !is_ahead(*at, now)).max()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawSession {
    schema_version: Option<u64>,
    last_active: Stamp,
    created_at: Stamp,
    closed_at: Stamp,
    status: Word<State>,
    turns: Vec<TurnMark>,
    accumulated_context: RawLists,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawLists {
    active_projects: Content,
    user_stated_facts: Content,
    open_tasks: Content,
    decisions_this_session: Content,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawReview {
    schema_version: Option<u64>,
    status: Word<Status>,
    created_at: Stamp,
    expires_at: Stamp,
    finished_at: Stamp,
}

/// A word of the program's own; `None` for any other text.
struct Word<T>(Option<T>);

impl<T> Default for Word<T> {
    fn default() -> Self {
        Self(None)
    }
}

/// Whether a field holds anything.
#[derive(Default)]
struct Content(bool);

/// A field's name within a turn.
enum Name {
    Time,
    Other(Class),
}

/// A [`Visitor`] that makes something of a text.
struct OfText<T>(&'static str, fn(&str) -> T);

impl<T: Default> Visitor<'_> for OfText<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok((self.1)(text))
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfText("a time", Stamp::parse))
    }
}

impl<'de> Deserialize<'de> for Word<State> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfText("a state", |text| Self(State::from_name(text))))
    }
}

impl<'de> Deserialize<'de> for Word<Status> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfText("a status", |text| Self(Status::from_name(text))))
    }
}

impl Default for Name {
    fn default() -> Self {
        Self::Other(Class::Kept)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = |text: &str| if text == "timestamp" { Self::Time } else { Self::Other(Class::of(text)) };
        deserializer.deserialize_str(OfText("a name", name))
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            fn visit_unit<E>(self) -> Result<Content, E> {
                Ok(Content(false))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Content, E> {
                Ok(Content(true))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Content, E> {
                Ok(Content(true))
            }

            fn visit_u64<E>(self, _: u64) -> Result<Content, E> {
                Ok(Content(true))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Content, E> {
                Ok(Content(true))
            }

            fn visit_str<E>(self, text: &str) -> Result<Content, E> {
                Ok(Content(!text.is_empty()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content, A::Error> {
                let mut any = false;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    any = true;
                }
                Ok(Content(any))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content, A::Error> {
                let mut any = false;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    any = true;
                }
                Ok(Content(any))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl<'de> Deserialize<'de> for TurnMark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = TurnMark;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a turn")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TurnMark, A::Error> {
                let mut turn = TurnMark::default();
                while let Some(name) = map.next_key::<Name>()? {
                    match name {
                        Name::Time => turn.at = map.next_value()?,
                        Name::Other(Class::Text) => turn.text |= map.next_value::<Content>()?.0,
                        Name::Other(Class::Facts) => turn.facts |= map.next_value::<Content>()?.0,
                        Name::Other(Class::Decisions) => turn.decisions |= map.next_value::<Content>()?.0,
                        Name::Other(Class::Kept) => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(turn)
            }
        }
        deserializer.deserialize_map(Fields)
    }
}
