//! A row of `blocks` as a [`Block`].

use rusqlite::types::{FromSql, FromSqlError, Type, ValueRef};
use rusqlite::{Error, Row};
use serde_json::{Map, Value};

use crate::domain::block::{Block, BlockId, Confidence};
use crate::domain::ids::ReviewId;
use crate::domain::time::Timestamp;
use crate::mask::Masked;

/// The columns, in the order in which [`read`] takes them; `b` is `blocks`, `a` is `accesses`.
pub(super) const COLUMNS: &str = "b.block, b.id, b.type, b.category, b.key, b.value, b.source, b.confidence, b.entities, \
    b.status, b.review_id, b.confirmed_by, b.confirmed_at, b.evidence, b.created_at, b.updated_at, b.valid_from, \
    b.valid_to, b.extra, a.count, a.last";

/// The tables that [`COLUMNS`] come from.
pub(super) const TABLES: &str = "blocks b LEFT JOIN accesses a ON a.block = b.block";

/// A time as it is kept.
struct Seconds(Timestamp);

impl FromSql for Seconds {
    fn column_result(value: ValueRef<'_>) -> Result<Self, FromSqlError> {
        let seconds = value.as_i64()?;
        Timestamp::from_unix(seconds).map(Self).ok_or(FromSqlError::OutOfRange(seconds))
    }
}

/// A text as it is kept: masked when it was written.
struct Text(Masked);

impl FromSql for Text {
    fn column_result(value: ValueRef<'_>) -> Result<Self, FromSqlError> {
        value.as_str().map(|text| Self(Masked::trusted(text.to_owned())))
    }
}

/// Reads a row of [`COLUMNS`].
pub(super) fn read(row: &Row<'_>) -> Result<Block, Error> {
    let text = |at| row.get::<_, Text>(at).map(|text| text.0);
    let optional = |at| row.get::<_, Option<Text>>(at).map(|text| text.map(|text| text.0));
    let time = |at| row.get::<_, Seconds>(at).map(|time| time.0);
    let moment = |at| row.get::<_, Option<Seconds>>(at).map(|time| time.map(|time| time.0));
    Ok(Block {
        id: parsed(row, 1, BlockId::parse)?,
        block_type: parsed(row, 2, str::parse)?,
        category: parsed(row, 3, str::parse)?,
        key: text(4)?,
        value: text(5)?,
        source: optional(6)?,
        confidence: Confidence::new(row.get(7)?).map_err(|error| wrong(7, Type::Real, error))?,
        entities: entities(row.get_ref(8)?.as_str()?)?,
        status: parsed(row, 9, str::parse)?,
        review_id: row.get::<_, Option<String>>(10)?.and_then(|id| ReviewId::parse(&id).ok()),
        confirmed_by: optional(11)?,
        confirmed_at: moment(12)?,
        evidence: optional(13)?,
        created_at: time(14)?,
        updated_at: time(15)?,
        valid_from: time(16)?,
        valid_to: moment(17)?,
        extra: extra(row.get_ref(18)?)?,
        access_count: row.get::<_, Option<i64>>(19)?.and_then(|count| u64::try_from(count).ok()).unwrap_or(0),
        last_accessed: moment(20)?,
    })
}

fn wrong(at: usize, kind: Type, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::FromSqlConversionFailure(at, kind, Box::new(error))
}

fn parsed<T, E: std::error::Error + Send + Sync + 'static>(
    row: &Row<'_>,
    at: usize,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, Error> {
    parse(row.get_ref(at)?.as_str()?).map_err(|error| wrong(at, Type::Text, error))
}

fn entities(json: &str) -> Result<Vec<Masked>, Error> {
    let names: Vec<String> = serde_json::from_str(json).map_err(|error| wrong(8, Type::Text, error))?;
    Ok(names.into_iter().map(Masked::trusted).collect())
}

fn extra(value: ValueRef<'_>) -> Result<Map<String, Value>, Error> {
    match value.as_str_or_null()? {
        None => Ok(Map::new()),
        Some(json) => serde_json::from_str(json).map_err(|error| wrong(18, Type::Text, error)),
    }
}
