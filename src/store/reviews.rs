//! Review files: finding, reading and listing them, on both shelves.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Shelf, Skipped, Store, StoreError, fs, layout};
use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::json;
use crate::domain::review::{EXPIRES_AFTER, Flag, Kind, Review, Status, true_status};
use crate::domain::time::Timestamp;

/// What a list shows of a review, read without its history.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The id.
    pub id: ReviewId,
    /// Where the file lies.
    pub shelf: Shelf,
    /// The status that holds now.
    pub status: Status,
    /// What it is about.
    pub kind: Kind,
    /// What is proposed; masked, as all texts here.
    pub fact: String,
    /// How the fact is known, the file's word.
    pub fact_status: String,
    /// The proposer's confidence, the file's word.
    pub confidence: String,
    /// The project.
    pub project: Option<String>,
    /// The page.
    pub page: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// The session it comes from, as the file names it.
    pub session: Option<String>,
    /// When it was filed.
    pub created_at: Option<Timestamp>,
    /// When it expires, while pending.
    pub expires_at: Option<Timestamp>,
    /// What a reviewer has to see, the gravest first.
    pub flags: Vec<Flag>,
    /// How often the fact was proposed.
    pub seen: u64,
}

impl Summary {
    /// Whether nothing is left to be done once it is approved: a memory block that no page was proposed for.
    pub fn is_in_place(&self) -> bool {
        self.kind == Kind::Block && self.page.is_none()
    }

    /// Whether the vault says otherwise.
    pub fn is_conflict(&self) -> bool {
        self.flags.contains(&Flag::Conflict)
    }
}

/// Which reviews to read.
#[derive(Clone, Copy, Debug)]
pub struct ReviewQuery {
    /// Those in the queue.
    pub queue: bool,
    /// Those in the archive, filed on this day or later.
    pub archived_since: Option<Option<Timestamp>>,
    /// The moment that statuses hold for.
    pub now: Timestamp,
}

impl ReviewQuery {
    /// The queue alone.
    pub fn queue(now: Timestamp) -> Self {
        Self { queue: true, archived_since: None, now }
    }

    /// Both shelves.
    pub fn all(now: Timestamp) -> Self {
        Self { queue: true, archived_since: Some(None), now }
    }
}

impl Store {
    /// The ids of all reviews with the shelf they lie on; one on both (a move that was cut short) counts as archived.
    ///
    /// # Errors
    /// When a folder can't be listed.
    pub fn review_ids(&self) -> Result<BTreeMap<ReviewId, Shelf>, StoreError> {
        let mut ids = BTreeMap::new();
        for shelf in [Shelf::Queue, Shelf::Archived] {
            for (name, kind) in fs::list(&self.path(shelf.folder()))? {
                if let Some(id) = layout::review_id(&name).filter(|_| kind.is_file()) {
                    ids.insert(id, shelf);
                }
            }
        }
        Ok(ids)
    }

    /// Whether an id is taken.
    pub fn has_review(&self, id: &ReviewId) -> bool {
        [Shelf::Queue, Shelf::Archived].iter().any(|shelf| fs::exists(&self.path(layout::review_file(id, *shelf))))
    }

    /// Whether a session id is taken.
    pub fn has_session(&self, id: &SessionId) -> bool {
        crate::domain::session::State::ALL.iter().any(|state| fs::exists(&self.path(layout::session_file(id, *state))))
    }

    /// Finds and reads a review.
    ///
    /// # Errors
    /// When its file can't be read or understood. `Ok(None)`: there is none.
    pub fn review(&self, id: &ReviewId) -> Result<Option<(Review, Shelf)>, StoreError> {
        for _ in 0..2 {
            for shelf in [Shelf::Archived, Shelf::Queue] {
                match self.read_review(id, shelf) {
                    Ok(review) => return Ok(Some((review, shelf))),
                    Err(error) if error.is_missing() => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(None)
    }

    fn read_review(&self, id: &ReviewId, shelf: Shelf) -> Result<Review, StoreError> {
        let path = self.path(layout::review_file(id, shelf));
        let bytes = fs::read_file(&path, fs::FILE_MAX)?;
        let doc = self.doc_of(&path, &bytes, "review_id", id.as_str())?;
        Ok(Review { id: id.clone(), doc })
    }

    /// The summaries of the reviews asked for, in no order, and the files that could not be read.
    ///
    /// # Errors
    /// When a folder can't be listed.
    pub fn review_summaries(&self, query: ReviewQuery) -> Result<(Vec<Summary>, Vec<Skipped>), StoreError> {
        let mut found = Vec::new();
        let mut skipped = Vec::new();
        let mut buffer = Vec::new();
        let mut scan = |shelf: Shelf, since: Option<Timestamp>| -> Result<(), StoreError> {
            let folder = self.path(shelf.folder());
            let names = fs::list(&folder)?;
            found.reserve(names.len());
            for (name, kind) in names {
                let Some(id) = layout::review_id(&name).filter(|_| kind.is_file()) else { continue };
                if since.is_some_and(|since| id.day().is_some_and(|day| day < since)) {
                    continue;
                }
                match self.read_summary(id, &folder.join(&name), shelf, query.now, &mut buffer) {
                    Ok(summary) => found.push(summary),
                    // Decided since the listing.
                    Err(error) if error.is_missing() => {}
                    Err(error) => {
                        let path = Path::new(shelf.folder()).join(&name);
                        skipped.push(Skipped { path, why: error.to_string() });
                    }
                }
            }
            Ok(())
        };
        if query.queue {
            scan(Shelf::Queue, None)?;
        }
        if let Some(since) = query.archived_since {
            scan(Shelf::Archived, since)?;
            if query.queue {
                drop_doubles(&mut found);
            }
        }
        Ok((found, skipped))
    }

    fn read_summary(
        &self,
        id: ReviewId,
        path: &Path,
        shelf: Shelf,
        now: Timestamp,
        buffer: &mut Vec<u8>,
    ) -> Result<Summary, StoreError> {
        fs::read_file_into(path, fs::FILE_MAX, buffer)?;
        let fields: Fields = match serde_json::from_slice(json::strip_bom(buffer)) {
            Ok(fields) => fields,
            Err(error) if json::repeats_key(&error) => Fields::default(),
            Err(error) => return Err(StoreError::damaged(path, json::describe(&error).to_string())),
        };
        let claims_approval = [&fields.status, &fields.fact_status]
            .into_iter()
            .any(|word| matches!(word.as_deref(), Some("approved" | "verified")));
        if fields.schema_version.is_none() || claims_approval {
            // Written by other hands: the long way, through the masker. Or it says that it was approved, which its history
            // has to bear out.
            let review = self.read_review(&id, shelf)?;
            return Ok(summary_of(&review, shelf, now));
        }
        if fields.review_id.as_deref().is_some_and(|inside| inside != id.as_str()) {
            return Err(StoreError::damaged(path, "its review_id is not the one in its name"));
        }
        let time = |text: Option<String>| text.and_then(|text| Timestamp::parse(&text).ok());
        let created_at = time(fields.created_at).or_else(|| id.time());
        let expires_at = time(fields.expires_at).or_else(|| Some(created_at?.plus(EXPIRES_AFTER)));
        let stored = fields.status.as_deref().and_then(Status::from_name).unwrap_or(Status::Pending);
        let conflict = fields.conflict == Some(true);
        Ok(Summary {
            shelf,
            status: true_status(stored, expires_at, now),
            kind: fields.kind.as_deref().and_then(Kind::from_name).unwrap_or_default(),
            fact: fields.proposed_fact.unwrap_or_default(),
            fact_status: fields.fact_status.unwrap_or_default(),
            confidence: fields.confidence.unwrap_or_default(),
            project: fields.project,
            page: fields.proposed_obsidian_page,
            agent: fields.agent,
            session: fields.source_session,
            created_at,
            expires_at,
            flags: Flag::ALL
                .into_iter()
                .filter(|flag| {
                    fields.flags.iter().any(|name| name == flag.name()) || (*flag == Flag::Conflict && conflict)
                })
                .collect(),
            seen: fields.seen_count.unwrap_or(1),
            id,
        })
    }
}

/// A review that is on both shelves counts as archived: its move was cut short.
fn drop_doubles(found: &mut Vec<Summary>) {
    let archived: std::collections::HashSet<ReviewId> =
        found.iter().filter(|summary| summary.shelf == Shelf::Archived).map(|summary| summary.id.clone()).collect();
    found.retain(|summary| summary.shelf == Shelf::Archived || !archived.contains(&summary.id));
}

/// The summary of a whole review.
fn summary_of(review: &Review, shelf: Shelf, now: Timestamp) -> Summary {
    let text = |key: &str| review.doc.text(key).map(str::to_owned);
    Summary {
        id: review.id.clone(),
        shelf,
        status: review.status(now),
        kind: review.kind(),
        fact: review.fact().to_owned(),
        fact_status: review.fact_status().name().to_owned(),
        confidence: text("confidence").unwrap_or_default(),
        project: text("project"),
        page: text("proposed_obsidian_page"),
        agent: review.agent(),
        session: text("source_session"),
        created_at: review.created_at(),
        expires_at: review.expires_at(),
        flags: review.flags(),
        seen: review.doc.number("seen_count").unwrap_or(1),
    }
}

/// The fields of a summary; the history is passed over.
#[derive(Default, Deserialize)]
struct Fields {
    schema_version: Option<IgnoredAny>,
    review_id: Option<String>,
    source_session: Option<String>,
    agent: Option<String>,
    kind: Option<String>,
    project: Option<String>,
    proposed_fact: Option<String>,
    fact_status: Option<String>,
    proposed_obsidian_page: Option<String>,
    confidence: Option<String>,
    created_at: Option<String>,
    expires_at: Option<String>,
    status: Option<String>,
    #[serde(default)]
    flags: Vec<String>,
    conflict: Option<bool>,
    seen_count: Option<u64>,
}
