//! A structured memory block: its words, its bounds, and what is handed to the store to keep.
//!
//! The words are those of ADR-001. What the database looks like is `store`'s business, who may verify a block is `app`'s.

pub mod read;
pub mod yaml;

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use super::doc::Safe;
use super::ids::ReviewId;
use super::slug::spelled_out;
use super::time::Timestamp;
use crate::mask::{Masked, Raw};

/// A value that is none of a field's.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BlockError {
    /// A word that is not one of the field's.
    #[error("`{field}` is none of {}", allowed.join(", "))]
    Word {
        /// The field.
        field: &'static str,
        /// The words it may hold.
        allowed: &'static [&'static str],
    },
    /// A confidence that is no number from 0 to 1.
    #[error("`confidence` is no number from 0 to 1")]
    Confidence,
    /// An id that is no UUID.
    #[error("`id` is no UUID")]
    Id,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $field:literal, $($(#[$variant_meta:meta])* $variant:ident => $word:literal),+ $(,)?) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_meta])* $variant),+
        }

        impl $name {
            /// All of them, in the order of ADR-001.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
            /// The words for them.
            pub const WORDS: &[&'static str] = &[$($word),+];

            /// The word that stands in files, answers and flags.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }

        impl FromStr for $name {
            type Err = BlockError;

            fn from_str(text: &str) -> Result<Self, BlockError> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(BlockError::Word { field: $field, allowed: Self::WORDS }),
                }
            }
        }
    };
}

words! {
    /// What kind of memory a block is (`type`, ADR-001).
    BlockType, "type",
    /// What the user likes or wants done.
    UserPreference => "user_preference",
    /// How things stand in a project.
    ProjectState => "project_state",
    /// What was learned from doing.
    LearnedPattern => "learned_pattern",
    /// How two things or people belong together.
    EntityRelationship => "entity_relationship",
    /// How something is done, step by step.
    Procedural => "procedural",
}

words! {
    /// What a block is about (`category`, ADR-001).
    Category, "category",
    /// The looks of an answer or a document.
    Formatting => "formatting",
    /// How work is done.
    Workflow => "workflow",
    /// Tools, languages, hosts, services.
    TechStack => "tech_stack",
    /// Who someone is and how they belong.
    Contact => "contact",
    /// A project's matters.
    Project => "project",
    /// What someone or something is able to do.
    Skill => "skill",
}

words! {
    /// How far a block can be trusted.
    BlockStatus, "status",
    /// The user said so; nobody has checked it.
    UserStated => "user_stated",
    /// A program concluded it.
    Inferred => "inferred",
    /// A human confirmed it (law 3).
    Verified => "verified",
    /// A human refused it.
    Rejected => "rejected",
}

/// How sure a block is: 0 to 1, both inclusive (ADR-001).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// As sure as can be.
    pub const FULL: Self = Self(1.0);

    /// A confidence.
    ///
    /// # Errors
    /// [`BlockError::Confidence`] outside of 0 to 1, and for what is no number.
    pub fn new(value: f64) -> Result<Self, BlockError> {
        if (0.0..=1.0).contains(&value) { Ok(Self(value)) } else { Err(BlockError::Confidence) }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl FromStr for Confidence {
    type Err = BlockError;

    fn from_str(text: &str) -> Result<Self, BlockError> {
        text.parse().map_err(|_| BlockError::Confidence).and_then(Self::new)
    }
}

/// A block's id: a UUID in lower case with hyphens (ADR-001).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct BlockId(String);

impl BlockId {
    /// A version 4 UUID of 128 random bits.
    pub fn random(bits: u128) -> Self {
        Self(uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid().to_string())
    }

    /// Reads a UUID in any of its spellings.
    ///
    /// # Errors
    /// [`BlockError::Id`] for any other text.
    pub fn parse(text: &str) -> Result<Self, BlockError> {
        uuid::Uuid::try_parse(text.trim()).map(|id| Self(id.to_string())).map_err(|_| BlockError::Id)
    }

    /// The id of that many bits.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(uuid::Uuid::from_bytes(bytes).to_string())
    }

    /// The id's bits.
    pub fn to_bytes(&self) -> [u8; 16] {
        uuid::Uuid::try_parse(&self.0).unwrap_or_default().into_bytes()
    }

    /// The id as it stands in files and answers.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The form in which entities are compared: `Waldseilgarten CRM` is `waldseilgarten-crm`, `Grüne Hütte` is `gruene-huette`.
/// Lower case, umlauts as `ae oe ue ss`, runs of anything but letters, digits, `+`, `#` and inner full stops as one `-`
/// (`C++` is not `C#`). Empty for a text without any of these.
pub fn fold_entity(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for ch in name.trim().trim_end_matches(['.', ':', ',', ';', '!', '?']).nfc().flat_map(char::to_lowercase) {
        if let Some(letters) = spelled_out(ch) {
            folded.push_str(letters);
            continue;
        }
        match ch {
            _ if ch.is_alphanumeric() || matches!(ch, '+' | '#') => folded.push(ch),
            '.' if !folded.is_empty() && !folded.ends_with('-') => folded.push(ch),
            _ if !folded.is_empty() && !folded.ends_with('-') => folded.push('-'),
            _ => {}
        }
    }
    folded.truncate(folded.trim_end_matches(['-', '.']).len());
    folded
}

/// A block to be kept: what its writer knows of it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBlock {
    /// What kind of memory it is.
    pub block_type: BlockType,
    /// What it is about.
    pub category: Category,
    /// What names it among those of its type, category and entities.
    pub key: Masked,
    /// What it says.
    pub value: Masked,
    /// Where it comes from: a session, or a file with line and run.
    pub source: Option<Masked>,
    /// How sure it is.
    pub confidence: Confidence,
    /// Whom or what it concerns.
    pub entities: Vec<Masked>,
    /// How far it can be trusted; never [`BlockStatus::Verified`] from outside (law 3).
    pub status: BlockStatus,
    /// When it was first known, where the writer says so; else the present.
    pub created_at: Option<Timestamp>,
    /// Fields that the program does not know, kept as they came (law 5). An object, or `null` for none.
    pub extra: Safe,
}

impl NewBlock {
    /// A block that the user has stated and is sure of, about nobody in particular.
    pub fn new(block_type: BlockType, category: Category, key: Masked, value: Masked) -> Self {
        Self {
            block_type,
            category,
            key,
            value,
            source: None,
            confidence: Confidence::FULL,
            entities: Vec::new(),
            status: BlockStatus::UserStated,
            created_at: None,
            extra: Safe::null(),
        }
    }
}

/// A block as the store holds it: one value of what its type, category, key and entities name, while it held.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its id; another value has another.
    pub id: BlockId,
    /// What kind of memory it is.
    pub block_type: BlockType,
    /// What it is about.
    pub category: Category,
    /// What names it among those of its type, category and entities.
    pub key: Masked,
    /// What it says.
    pub value: Masked,
    /// Where it comes from.
    pub source: Option<Masked>,
    /// How sure it is.
    pub confidence: Confidence,
    /// Whom or what it concerns, in the order and spelling of its writer.
    pub entities: Vec<Masked>,
    /// When it was first known.
    pub created_at: Timestamp,
    /// When it was last said, confirmed or decided on.
    pub updated_at: Timestamp,
    /// How often it was read by `get`, `search` and `about`.
    pub access_count: u64,
    /// When it was read last.
    pub last_accessed: Option<Timestamp>,
    /// How far it can be trusted.
    pub status: BlockStatus,
    /// The review it was proposed in.
    pub review_id: Option<ReviewId>,
    /// The human who confirmed, verified or rejected it.
    pub confirmed_by: Option<Masked>,
    /// When that was.
    pub confirmed_at: Option<Timestamp>,
    /// The proof of source with which it was verified.
    pub evidence: Option<Masked>,
    /// Since when it holds.
    pub valid_from: Timestamp,
    /// Until when it held, not included; `None`: it holds.
    pub valid_to: Option<Timestamp>,
    /// Fields of its record that the program does not know.
    pub extra: Map<String, Value>,
}

impl Block {
    /// Its record: ADR-001's fields in their order, then what the program adds where it says something, then the unknown
    /// ones. What goes out can be read in again.
    pub fn record(&self) -> Map<String, Value> {
        let mut record = Map::new();
        let mut set = |field: &str, value: Value| drop(record.insert(field.to_owned(), value));
        let text = |text: Option<&Masked>| text.map_or(Value::Null, |text| text.as_str().into());
        let time = |time: Option<Timestamp>| time.map_or(Value::Null, |time| time.to_string().into());
        set("id", self.id.as_str().into());
        set("type", self.block_type.word().into());
        set("category", self.category.word().into());
        set("key", self.key.as_str().into());
        set("value", self.value.as_str().into());
        set("source", text(self.source.as_ref()));
        set("confidence", self.confidence.get().into());
        set("entities", self.entities.iter().map(Masked::as_str).collect());
        set("created_at", time(Some(self.created_at)));
        set("updated_at", time(Some(self.updated_at)));
        set("access_count", self.access_count.into());
        set("last_accessed", time(self.last_accessed));
        let further = [
            ("status", Value::from(self.status.word())),
            ("review_id", self.review_id.as_ref().map_or(Value::Null, |id| id.as_str().into())),
            ("confirmed_by", text(self.confirmed_by.as_ref())),
            ("confirmed_at", time(self.confirmed_at)),
            ("evidence", text(self.evidence.as_ref())),
            ("valid_from", time(Some(self.valid_from))),
            ("valid_to", time(self.valid_to)),
        ];
        for (field, value) in further {
            set(field, value);
        }
        for (field, value) in &self.extra {
            if !record.contains_key(field) {
                record.insert(field.clone(), value.clone());
            }
        }
        record
    }

    /// Its record in ADR-001's own notation: of the fields that the program adds, those alone that say something.
    pub fn to_yaml(&self) -> String {
        let mut record = self.record();
        if self.status == BlockStatus::UserStated {
            record.shift_remove("status");
        }
        if self.valid_from == self.created_at {
            record.shift_remove("valid_from");
        }
        let added = ["review_id", "confirmed_by", "confirmed_at", "evidence", "valid_to"];
        record.retain(|field, value| !(value.is_null() && added.contains(&field.as_str())));
        yaml::write(&record)
    }

    /// What it says, in one sentence for a reviewer: `table_style: compact (Flo)`.
    pub fn statement(&self) -> Masked {
        let mut text = format!("{}: {}", self.key, self.value);
        if !self.entities.is_empty() {
            let names: Vec<&str> = self.entities.iter().map(Masked::as_str).collect();
            text = format!("{text} ({})", names.join(", "));
        }
        Masked::trusted(Raw::new(text).one_line().expose().to_owned())
    }

    /// Whether it is what holds now.
    pub fn is_current(&self) -> bool {
        self.valid_to.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_decision_record() {
        for block_type in BlockType::ALL {
            assert_eq!(block_type.word().parse(), Ok(*block_type));
        }
        assert_eq!(
            BlockType::WORDS.join(" "),
            "user_preference project_state learned_pattern entity_relationship procedural"
        );
        assert_eq!(Category::WORDS.join(" "), "formatting workflow tech_stack contact project skill");
        let refused = "preference".parse::<BlockType>().map_err(|error| error.to_string());
        assert_eq!(
            refused,
            Err("`type` is none of user_preference, project_state, learned_pattern, entity_relationship, procedural"
                .into())
        );
    }

    #[test]
    fn confidence_lies_between_0_and_1() {
        for (text, good) in [
            ("0", true),
            ("1", true),
            ("0.95", true),
            ("-0.1", false),
            ("1.01", false),
            ("NaN", false),
            ("high", false),
            ("inf", false),
        ] {
            assert_eq!(text.parse::<Confidence>().is_ok(), good, "{text}");
        }
    }

    #[test]
    fn entities_are_the_same_in_any_usual_spelling() {
        for (name, folded) in [
            ("waldseilgarten-crm", "waldseilgarten-crm"),
            ("Waldseilgarten CRM", "waldseilgarten-crm"),
            ("waldseilgarten_crm.", "waldseilgarten-crm"),
            ("Grüne  Hütte", "gruene-huette"),
            ("GRU\u{308}NE HU\u{308}TTE", "gruene-huette"),
            ("Straße", "strasse"),
            ("C++", "c++"),
            ("C#", "c#"),
            ("Node.js", "node.js"),
            ("n8n", "n8n"),
            ("[[Vento]]", "vento"),
            ("…", ""),
        ] {
            assert_eq!(fold_entity(name), folded, "{name}");
            assert_eq!(fold_entity(folded), folded, "{folded}");
        }
    }

    #[test]
    fn an_id_is_a_uuid() {
        let id = BlockId::random(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
        assert_eq!(id.as_str(), "01234567-89ab-4def-8123-456789abcdef");
        assert_eq!(BlockId::parse(&id.as_str().to_uppercase()), Ok(id));
        assert_eq!(BlockId::parse("uuid"), Err(BlockError::Id));
    }
}
