//! What is wrong with the database, for `doctor`: SQLite's own checks, and the rules that its tables can't express.

use super::Blocks;
use crate::store::StoreError;

/// The most faults that one check names.
const NAMED: usize = 20;

/// Questions that have no answer in a sound database: each row is a fault, named by its one column.
const RULES: [(&str, &str); 5] = [
    (
        "two values hold at once for the same type, category, key and entities",
        "SELECT min(id) FROM blocks WHERE valid_to IS NULL AND status <> 'rejected' GROUP BY slot HAVING count(*) > 1",
    ),
    ("a value ends before it begins", "SELECT id FROM blocks WHERE valid_to < valid_from"),
    ("an alias has no entity", "SELECT alias FROM aliases WHERE entity NOT IN (SELECT entity FROM entities)"),
    (
        "an entity has no name that it is found by",
        "SELECT name FROM entities WHERE entity NOT IN (SELECT entity FROM aliases)",
    ),
    (
        "a link to an entity has another type or time than its block",
        "SELECT b.id FROM links l JOIN blocks b USING (block) WHERE l.type <> b.type OR l.updated_at <> b.updated_at",
    ),
];

impl Blocks {
    /// What is wrong with the database; nothing in a sound one. Names ids and tables, never content.
    ///
    /// # Errors
    /// When it can't be read at all.
    pub fn faults(&self) -> Result<Vec<String>, StoreError> {
        let mut faults = Vec::new();
        let sound = self.column(&format!("PRAGMA integrity_check({NAMED})"))?;
        if sound.as_slice() != ["ok"] {
            faults.extend(sound.into_iter().map(|fault| format!("SQLite says: {fault}")));
            // What the other questions would find can't be believed.
            return Ok(faults);
        }
        let strays =
            self.column("SELECT \"table\" || ' row ' || coalesce(rowid, '?') FROM pragma_foreign_key_check")?;
        faults.extend(strays.into_iter().take(NAMED).map(|row| format!("{row} points at a row that is not there")));
        for (what, question) in RULES {
            // An alias is a name: what it says is content.
            let shows = !question.contains("alias") && !question.contains("name");
            let found = self.column(question)?;
            let told = found.iter().take(NAMED).map(|id| if shows { format!("{what}: {id}") } else { what.to_owned() });
            faults.extend(told);
        }
        Ok(faults)
    }

    fn column(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let fail = |error| self.failure("read", error);
        let mut statement = self.conn.prepare(sql).map_err(fail)?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).map_err(fail)?;
        rows.collect::<rusqlite::Result<_>>().map_err(fail)
    }
}
