//! Session files: finding, reading and listing them, in the folder of any state.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Folder, Item, Skipped, Store, StoreError, fs, layout};
use crate::domain::agent::AgentId;
use crate::domain::doc::SCHEMA_VERSION;
use crate::domain::ids::SessionId;
use crate::domain::json;
use crate::domain::session::{Closing, Header, Session, State};
use crate::domain::time::Timestamp;
use crate::mask::Masked;

/// A session as it was found.
#[derive(Clone, Debug)]
pub struct SessionFile {
    /// The session.
    pub session: Session,
    /// The folder it lies in, which may lag behind its true state.
    pub folder: State,
}

impl Store {
    /// The ids of all session files with the folder they lie in; one that is in two folders (a move that was cut short) is
    /// named once, where it was going to. Foreign files are left out.
    ///
    /// # Errors
    /// When a folder can't be listed.
    pub fn session_ids(&self) -> Result<BTreeMap<SessionId, State>, StoreError> {
        let mut ids = BTreeMap::new();
        // With the flow of the files: one that moves meanwhile is seen at least once.
        for state in State::ALL {
            for (name, kind) in fs::list(&self.path(layout::session_folder(state)))? {
                let is_zipped = name.strip_suffix(".gz").is_some();
                if kind.is_file()
                    && is_zipped == (state == State::Archived)
                    && let Some(id) = layout::session_id(&name)
                {
                    ids.insert(id, state);
                }
            }
        }
        Ok(ids)
    }

    /// Finds and reads a session, wherever it lies.
    ///
    /// # Errors
    /// When its file can't be read or understood. `Ok(None)`: there is none.
    pub fn session(&self, id: &SessionId) -> Result<Option<SessionFile>, StoreError> {
        // Twice: between two looks the file may have moved on to a folder that was looked into already.
        for _ in 0..2 {
            for folder in [State::Archived, State::Closed, State::Idle, State::Active] {
                match self.read_session(id, folder) {
                    Ok(session) => return Ok(Some(SessionFile { session, folder })),
                    Err(error) if error.is_missing() => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(None)
    }

    fn read_session(&self, id: &SessionId, folder: State) -> Result<Session, StoreError> {
        let path = self.path(layout::session_file(id, folder));
        let bytes = read_bytes(&path, folder)?;
        let doc = self.doc_of(&path, &bytes, "session_id", id.as_str())?;
        Ok(Session { id: id.clone(), doc })
    }

    /// The headers of all sessions that `wanted` lets through by id and folder, by their ids, and the files that could not be
    /// read.
    ///
    /// # Errors
    /// When a folder can't be listed.
    pub fn session_headers(
        &self,
        wanted: impl Fn(&SessionId, State) -> bool,
    ) -> Result<(Vec<Header>, Vec<Skipped>), StoreError> {
        let mut headers = BTreeMap::new();
        let skipped = self.each_session_header(wanted, |header, _| {
            headers.insert(header.id.clone(), header);
        })?;
        Ok((headers.into_values().collect(), skipped))
    }

    /// Hands on the header and the folder of each session that `wanted` lets through, with the flow of the files: one that
    /// moves meanwhile is seen at least once, and the last time where it went. Answers the files that could not be read.
    ///
    /// # Errors
    /// When a folder can't be listed.
    pub fn each_session_header(
        &self,
        wanted: impl Fn(&SessionId, State) -> bool,
        mut see: impl FnMut(Header, State),
    ) -> Result<Vec<Skipped>, StoreError> {
        let mut skipped = Vec::new();
        let mut buffer = Vec::new();
        for folder in State::ALL {
            self.walk(Folder::Sessions(folder), |entry| {
                // Foreign files are left out.
                let Ok(Item::Session(id, folder)) = entry else { return Ok(()) };
                if !wanted(&id, folder) {
                    return Ok(());
                }
                match self.session_header(&id, folder, &mut buffer) {
                    Ok(Some(header)) => see(header, folder),
                    Ok(None) => {}
                    Err(error) => skipped.push(skip(layout::session_file(&id, folder), &error)),
                }
                Ok::<_, StoreError>(())
            })?;
        }
        Ok(skipped)
    }

    /// The header of a session that was seen in a folder; `None` where it is gone for good.
    ///
    /// # Errors
    /// When it can't be read or understood.
    pub fn session_header(
        &self,
        id: &SessionId,
        folder: State,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<Header>, StoreError> {
        match self.read_header(id, folder, buffer) {
            Ok(header) => Ok(Some(header)),
            // It has moved since the listing: found by its id, or gone.
            Err(error) if error.is_missing() => Ok(self.session(id)?.map(|found| Header::of(&found.session))),
            Err(error) => Err(error),
        }
    }

    /// The agent's session with the newest interaction that is still open at `now`.
    ///
    /// # Errors
    /// When a folder can't be listed, or a candidate can't be read.
    pub fn open_session(&self, agent: &AgentId, now: Timestamp) -> Result<Option<SessionId>, StoreError> {
        let mut best: Option<(Timestamp, SessionId)> = None;
        let mut buffer = Vec::new();
        for folder in [State::Active, State::Idle] {
            for (name, kind) in fs::list(&self.path(layout::session_folder(folder)))? {
                let Some(id) = layout::session_id(&name).filter(|id| kind.is_file() && id.agent() == agent.short())
                else {
                    continue;
                };
                // A file that nobody can read must not keep the agent from its memory; `doctor` names it.
                let Ok(header) = self.read_header(&id, folder, &mut buffer) else { continue };
                let is_usable = header.schema_version <= SCHEMA_VERSION && header.state(now).is_open();
                let last = header.last_active.filter(|_| is_usable);
                if let Some(last) = last
                    && best.as_ref().is_none_or(|(newest, at)| (*newest, at) < (last, &id))
                {
                    best = Some((last, id));
                }
            }
        }
        Ok(best.map(|(_, id)| id))
    }

    fn read_header(&self, id: &SessionId, folder: State, buffer: &mut Vec<u8>) -> Result<Header, StoreError> {
        let path = self.path(layout::session_file(id, folder));
        if folder == State::Archived {
            *buffer = read_bytes(&path, folder)?;
        } else {
            fs::read_file_into(&path, fs::FILE_MAX, buffer)?;
        }
        let fields: Fields = match serde_json::from_slice(json::strip_bom(buffer)) {
            Ok(fields) => fields,
            Err(error) if json::repeats_key(&error) => Fields::default(),
            Err(error) => return Err(StoreError::damaged(&path, json::describe(&error).to_string())),
        };
        let plain = fields.schema_version.is_some() && fields.last_active.is_some();
        if !plain {
            // Written by other hands: the long way, through the masker.
            return Ok(Header::of(&self.read_session(id, folder)?));
        }
        let context = fields.accumulated_context.unwrap_or_default();
        Ok(Header {
            id: id.clone(),
            agent: Masked::trusted(fields.agent_id.unwrap_or_else(|| id.agent().to_owned())),
            created_at: fields.created_at.and_then(|text| Timestamp::parse(&text).ok()),
            last_active: fields.last_active.and_then(|text| Timestamp::parse(&text).ok()).or_else(|| id.day()),
            closing: Closing::from_fields(
                fields.status.as_deref(),
                fields.closed_at.and_then(|text| Timestamp::parse(&text).ok()),
            ),
            turns: fields.turns.len(),
            projects: context.active_projects.into_iter().map(Masked::trusted).collect(),
            reviews: fields.review_queue.len(),
            schema_version: fields.schema_version.unwrap_or(0),
        })
    }
}

/// The fields of a header, read without keeping the turns.
#[derive(Default, Deserialize)]
struct Fields {
    schema_version: Option<u64>,
    agent_id: Option<String>,
    created_at: Option<String>,
    last_active: Option<String>,
    status: Option<String>,
    closed_at: Option<String>,
    #[serde(default)]
    turns: Vec<IgnoredAny>,
    accumulated_context: Option<Context>,
    #[serde(default)]
    review_queue: Vec<IgnoredAny>,
}

#[derive(Default, Deserialize)]
struct Context {
    #[serde(default)]
    active_projects: Vec<String>,
}

fn skip(path: PathBuf, error: &StoreError) -> Skipped {
    Skipped { path, why: error.to_string() }
}

pub(super) fn read_bytes(path: &Path, folder: State) -> Result<Vec<u8>, StoreError> {
    let bytes = fs::read_file(path, fs::FILE_MAX)?;
    if folder != State::Archived {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    unpack(path, &bytes, &mut plain)?;
    Ok(plain)
}

/// Unpacks an archive into a buffer.
pub(super) fn unpack(path: &Path, packed: &[u8], into: &mut Vec<u8>) -> Result<(), StoreError> {
    into.clear();
    GzDecoder::new(packed)
        .take(fs::FILE_MAX + 1)
        .read_to_end(into)
        .map_err(|_| StoreError::damaged(path, "it does not unpack"))?;
    if into.len() as u64 > fs::FILE_MAX {
        return Err(StoreError::damaged(path, "it unpacks to more than the limit of 64 MiB"));
    }
    Ok(())
}
