//! The tree's lock: one writer at a time, released by the system when its process ends, however it ends.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};

use super::{Store, StoreError, fs, layout};

/// The longest nap between two tries for a lock.
const NAP_MAX: Duration = Duration::from_millis(10);

/// One of a kind of long work at a time, while the tree stays open to others.
#[derive(Debug)]
pub struct WorkLock {
    _lock: File,
}

/// The tree while this process alone may change it.
#[derive(Debug)]
pub struct Tree<'a> {
    pub(super) store: &'a Store,
    _lock: File,
}

impl Store {
    /// Takes the tree's lock, waiting up to `wait`, and finishes what a writer before may have left half way.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process holds it that long; others when the tree can't be written.
    pub fn lock(&self, wait: Duration) -> Result<Tree<'_>, StoreError> {
        let lock = acquire(self, layout::TREE_LOCK, wait)?;
        let tree = Tree { store: self, _lock: lock };
        tree.recover()?;
        Ok(tree)
    }
}

impl Store {
    /// Takes the lock of retention runs, waiting up to `wait`.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another run holds it that long; others when it can't be opened.
    pub fn lock_retention(&self, wait: Duration) -> Result<WorkLock, StoreError> {
        self.lock_work(layout::RETENTION_LOCK, wait)
    }

    /// Takes the lock of backups, waiting up to `wait`.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another one holds it that long; others when it can't be opened.
    pub fn lock_backup(&self, wait: Duration) -> Result<WorkLock, StoreError> {
        self.lock_work(layout::BACKUP_LOCK, wait)
    }

    fn lock_work(&self, name: &str, wait: Duration) -> Result<WorkLock, StoreError> {
        // A tree of an earlier version has none yet.
        fs::make_empty_file(&self.path(name), self.modes)?;
        Ok(WorkLock { _lock: acquire(self, name, wait)? })
    }
}

impl Tree<'_> {
    /// The tree that is locked.
    pub fn store(&self) -> &Store {
        self.store
    }
}

fn acquire(store: &Store, name: &str, wait: Duration) -> Result<File, StoreError> {
    let path = store.path(name);
    let file = fs::open_lock(&path)?;
    let start = Instant::now();
    let mut nap = Duration::from_micros(200);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if start.elapsed() < wait => {
                std::thread::sleep(nap.min(wait.saturating_sub(start.elapsed())));
                nap = (nap * 3 / 2).min(NAP_MAX);
            }
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked { waited: wait }),
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &path, error)),
        }
    }
}
