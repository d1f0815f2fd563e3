//! Encrypted backups: one file each, tar in zstd in OpenPGP, so that `gpg --decrypt FILE | tar --zstd -x` restores one
//! without this program.
//!
//! The container is behind three doors, so that another could be added: [`Writer`] makes one, [`Target`] knows those that
//! there are and checks them, [`Restore`] unpacks one. Nobody else knows tar, zstd or OpenPGP. When a backup is made, and
//! who may, is for others.

mod follow;
mod keys;
mod member;
mod pipe;
mod reader;
mod restore;
mod sums;
mod target;
mod writer;

pub use keys::{NewPair, Opener, Passphrase, Recipient, Signer, Witness};
pub use member::Member;
pub use reader::Checked;
pub use restore::{Prepared, Restore, Restored};
pub use target::{KEPT, Listed, Name, Record, Target};
pub use writer::Writer;

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::backup::Backup;

use super::{Store, StoreError, fs, layout};

/// How many pages of the blocks are copied at a time; between two times others may write.
const PAGES: i32 = 1024;

impl Store {
    /// A copy of the blocks as they are at one moment, for a backup; `None` where none were ever kept. It goes when it is
    /// dropped.
    ///
    /// # Errors
    /// When they can't be read, or the copy can't be written.
    pub fn copy_blocks(&self) -> Result<Option<BlocksCopy>, StoreError> {
        let path = self.path(layout::BLOCKS_COPY);
        fs::remove(&path)?;
        let Some(blocks) = self.blocks()? else { return Ok(None) };
        let fail = |error: rusqlite::Error| StoreError::io("copy the blocks to", &path, std::io::Error::other(error));
        fs::make_empty_file(&path, self.modes)?;
        let copy = BlocksCopy { path: path.clone() };
        let mut into = rusqlite::Connection::open(&path).map_err(fail)?;
        let backup = Backup::new(&blocks.conn, &mut into).map_err(fail)?;
        backup.run_to_completion(PAGES, Duration::ZERO, None).map_err(fail)?;
        drop(backup);
        // The copy stands for itself: no log beside it.
        into.pragma_update(None, "journal_mode", "DELETE").map_err(fail)?;
        into.close().map_err(|(_, error)| fail(error))?;
        Ok(Some(copy))
    }
}

/// A copy of the blocks.
#[derive(Debug)]
pub struct BlocksCopy {
    path: PathBuf,
}

impl BlocksCopy {
    /// The file.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }
}

impl Drop for BlocksCopy {
    fn drop(&mut self) {
        drop(fs::remove(&self.path));
    }
}
