//! SQLite databases: tables of two or three columns, or with a column that holds what a memory says. Read from memory, so
//! that nothing is opened, locked or made beside the source.

use std::io::Read;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::text::{Column, column};
use super::{Entry, Legacy, Part, Unknown, wal};

/// The bytes of the header that tell how it is written and read: 2 with a log, 1 without.
const MODES: std::ops::Range<usize> = 18..20;

/// Whether it can be read, and holds memories.
pub(super) fn check(part: &Part) -> Result<(), Unknown> {
    let tables = open(part).and_then(|database| tables(&database)).map_err(|_| Unknown::Sqlite)?;
    if tables.iter().any(Table::is_of_memories) { Ok(()) } else { Err(Unknown::NoTable) }
}

/// Reads it.
pub(super) fn read(part: &Part, legacy: &mut Legacy<'_>) {
    let before = legacy.before.clone();
    let Ok((database, tables)) = open(part).and_then(|database| tables(&database).map(|tables| (database, tables)))
    else {
        return legacy.unread("the database", "it can't be read");
    };
    for table in &tables {
        let place = format!("table {}", table.name);
        if table.is_of_memories() {
            legacy.before = if before.is_empty() { place } else { format!("{before}, {place}") };
            if rows(&database, table, legacy).is_err() {
                legacy.unread("", "the database is damaged there: the rows that follow can't be read");
            }
            legacy.before.clone_from(&before);
        } else {
            legacy.unread(&place, "it has no column that holds memories");
        }
    }
}

fn open(part: &Part) -> rusqlite::Result<Connection> {
    let mut database = Connection::open_in_memory()?;
    let copy = part.wal.as_ref().filter(|log| !log.is_empty()).map(|log| {
        let mut copy = part.bytes.clone();
        wal::apply(&mut copy, log);
        copy
    });
    let bytes = copy.as_deref().unwrap_or(&part.bytes);
    let (head, tail) = (bytes.get(..MODES.start).unwrap_or_default(), bytes.get(MODES.end..).unwrap_or_default());
    let patched = head.chain([1, 1].as_slice()).chain(tail);
    database.deserialize_read_exact("main", patched, head.len() + MODES.len() + tail.len(), true)?;
    database.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")?;
    Ok(database)
}

struct Table {
    name: String,
    columns: Vec<Column>,
}

impl Table {
    fn is_of_memories(&self) -> bool {
        self.columns.contains(&Column::Says)
    }
}

fn tables(database: &Connection) -> rusqlite::Result<Vec<Table>> {
    let sql = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid";
    let names: Vec<String> =
        database.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    names
        .into_iter()
        .map(|name| {
            let mut found = database.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")?;
            let names: Vec<String> = found.query_map([&name], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            Ok(Table { columns: kinds(&names), name })
        })
        .collect()
}

/// What the columns hold; where none of two or three is called so, the first is the key and the second what it says.
fn kinds(names: &[String]) -> Vec<Column> {
    let mut columns: Vec<Column> = names.iter().map(|name| column(name)).collect();
    if !columns.contains(&Column::Says) && (2..=3).contains(&columns.len()) {
        columns = [Column::Key, Column::Says, Column::Time].into_iter().take(columns.len()).collect();
    }
    columns
}

fn rows(database: &Connection, table: &Table, legacy: &mut Legacy<'_>) -> rusqlite::Result<()> {
    let name = table.name.replace('"', "\"\"");
    let mut found = database.prepare(&format!("SELECT * FROM main.\"{name}\""))?;
    let mut rows = found.query([])?;
    let mut number = 0_u64;
    while let Some(row) = rows.next()? {
        number += 1;
        let mut entry = Entry { place: format!("row {number}"), ..Entry::default() };
        for (at, kind) in table.columns.iter().enumerate() {
            if let Some(cell) = cell(row, at) {
                kind.put(cell, &mut entry, legacy.zone);
            }
        }
        legacy.push(entry);
    }
    Ok(())
}

fn cell(row: &Row<'_>, at: usize) -> Option<String> {
    match row.get_ref(at).ok()? {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(super::source::decode(bytes).into_owned()),
    }
}
