//! Memories that other programs kept: bytes from outside into entries, each with its place, and into what couldn't be read.
//!
//! The form is told from the content, for a folder from what lies in it. Nothing is opened, masked, judged or kept here: that
//! is `store`'s and `app/migrate`'s.

mod graph;
mod hermes;
mod json;
mod notes;
mod source;
mod sqlite;
mod text;
mod time;
mod wal;
mod zip;

pub use source::{Form, Kind, Layout, Part, Readable, Reading, Source, open};

use std::collections::{HashMap, HashSet};

use crate::domain::time::Timestamp;
use crate::domain::zone::Zone;

/// One memory as it was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands, such as `line 3`; in a folder or archive after its file.
    pub place: String,
    /// Its key, where it has one.
    pub key: Option<String>,
    /// What it says.
    pub value: String,
    /// When it was last said.
    pub at: Option<Timestamp>,
    /// When it stopped to count.
    pub expires: Option<Timestamp>,
    /// Its tags, categories and kinds.
    pub tags: Vec<String>,
    /// Whom or what it names as being about.
    pub entities: Vec<String>,
    /// It links two things.
    pub is_relation: bool,
    /// It is kept about the user.
    pub is_about_user: bool,
    /// What it is to the other entries.
    pub standing: Standing,
}

/// What an entry is to the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// It holds.
    #[default]
    Holds,
    /// It held until then, or nobody knows until when.
    Past(Option<Timestamp>),
    /// It waits for a human.
    Proposed(Proposal),
}

/// A change that waits for a human.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// To remember it.
    Add,
    /// To remember it in place of this.
    Replace(String),
    /// To forget it.
    Remove,
}

/// A part that is no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Where it stands.
    pub place: String,
    /// Why it is none; never what stands there.
    pub why: &'static str,
}

/// Where entries go as they are read, and what could not be read, in their order.
pub type Take<'a> = dyn FnMut(Result<Entry, Unread>) + 'a;

/// Why a file is none of the forms that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// No reader knows it.
    #[error("no known form of memories was found in it")]
    Other,
    /// It is said to be of another form than it is.
    #[error("it is not of the form that --from names")]
    NotOfKind,
    /// Not a database after all.
    #[error("it is an SQLite database that can't be read: it is damaged or encrypted")]
    Sqlite,
    /// A database without a table of memories.
    #[error(
        "it is an SQLite database without a table of memories: one with a column named value, memory, content or text, or of two or three columns"
    )]
    NoTable,
    /// Not an archive after all.
    #[error("it is a zip archive that can't be read: it is damaged, encrypted or cut off")]
    Zip,
    /// An archive of other things.
    #[error("it is a zip archive without files of memories")]
    EmptyZip,
}

impl Unknown {
    /// The same in a report, where it stands beside the place.
    const fn why(self) -> &'static str {
        match self {
            Self::Other | Self::NotOfKind => "no known form of memories was found in it",
            Self::Sqlite => "it is a database that can't be read",
            Self::NoTable => "it is a database without a table of memories",
            Self::Zip | Self::EmptyZip => "it is an archive that can't be read",
        }
    }
}

/// Entries on their way out.
struct Legacy<'a> {
    take: &'a mut Take<'a>,
    /// The zone of times that name none.
    zone: Zone,
    /// What goes before each place: the file, where there are several.
    before: String,
    /// What is read is kept about the user.
    is_about_user: bool,
    /// What holds is past: it comes from a copy of before.
    past: Option<Standing>,
    /// Ids and texts that were read, where an archive holds them twice.
    seen: Option<HashSet<(String, String)>>,
    /// The names behind the ids of a graph.
    names: HashMap<String, String>,
}

impl Legacy<'_> {
    fn unread(&mut self, place: &str, why: &'static str) {
        let place = self.place(place);
        (self.take)(Err(Unread { place, why }));
    }

    /// Hands an entry on, unless it says nothing.
    fn push(&mut self, mut entry: Entry) {
        let value = entry.value.trim();
        if value.is_empty() {
            return self.unread(&entry.place, "it is empty");
        }
        if value.starts_with("[BLOCKED:") {
            return self.unread(&entry.place, "the program that kept it had blocked it");
        }
        if value.len() < entry.value.len() {
            let value = value.to_owned();
            entry.value = value;
        }
        if let (Some(past), Standing::Holds) = (&self.past, &entry.standing) {
            entry.standing = past.clone();
        }
        entry.is_about_user |= self.is_about_user;
        entry.place = self.place(&entry.place);
        (self.take)(Ok(entry));
    }

    fn place(&self, place: &str) -> String {
        match (self.before.as_str(), place) {
            ("", place) => place.to_owned(),
            (before, "") => before.to_owned(),
            (before, place) => format!("{before}, {place}"),
        }
    }

    fn time(&self, text: &str) -> Option<Timestamp> {
        time::time(text, self.zone)
    }
}

#[cfg(test)]
mod tests;
