//! A structured memory block: its words, its bounds, and what is handed to the store to keep.
//!
//! The words are those of ADR-001. What the database looks like is `store`'s business, who may verify a block is `app`'s.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::time::Timestamp;
use crate::mask::Masked;

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
}
