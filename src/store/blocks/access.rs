//! Counting reads, as far as no writer is in the way.

use std::time::Duration;

use super::{BUSY, Blocks};
use crate::domain::block::BlockId;
use crate::domain::time::Timestamp;

/// How long a reader waits to be counted.
const PATIENCE: Duration = Duration::from_millis(5);

impl Blocks {
    /// Counts an access to each of the blocks; answers whether they were counted. Under contention, or where this user
    /// may not write, they are not.
    pub fn count_access(&self, ids: &[BlockId], now: Timestamp) -> bool {
        if ids.is_empty() || !self.conn.is_readonly("main").is_ok_and(|is_readonly| !is_readonly) {
            return false;
        }
        drop(self.conn.busy_timeout(PATIENCE));
        let counted = self.try_count(ids, now);
        if counted.is_err() && !self.conn.is_autocommit() {
            drop(self.conn.execute_batch("ROLLBACK"));
        }
        drop(self.conn.busy_timeout(BUSY));
        counted.is_ok()
    }

    fn try_count(&self, ids: &[BlockId], now: Timestamp) -> rusqlite::Result<()> {
        // A count that a power cut takes back is no loss; a wait for the disk would be. The log stays short, since each
        // process that opens the database goes through it.
        self.conn.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 100; BEGIN IMMEDIATE")?;
        let mut count = self.conn.prepare_cached(
            "INSERT INTO accesses SELECT block, 1, ?2 FROM blocks WHERE id = ?1
             ON CONFLICT (block) DO UPDATE SET count = count + 1, last = max(last, excluded.last)",
        )?;
        for id in ids {
            count.execute((id.as_str(), now.unix()))?;
        }
        self.conn.execute_batch("COMMIT")
    }
}
