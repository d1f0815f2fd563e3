//! What can be made anew at any time: kept in `.cache/`, replaced as a whole, lost without harm.

use std::path::Path;

use super::{Store, fs, layout};

/// The largest cache that is read, in bytes.
const CACHE_MAX: u64 = 512 << 20;

impl Store {
    /// What is kept under a name, if anything.
    pub fn read_cache(&self, name: &str) -> Option<Vec<u8>> {
        fs::read_file(&self.path(layout::CACHE).join(name), CACHE_MAX).ok()
    }

    /// Keeps bytes under a name, for as long as nobody else does. Where the tree can't be written nothing is kept.
    pub fn write_cache(&self, name: &str, bytes: &[u8]) {
        let folder = self.path(layout::CACHE);
        // Two processes may do this at once: each writes a file of its own, and the later rename wins.
        let own = folder.join(format!("{name}.{}.new", std::process::id()));
        let kept = fs::make_dir(&folder, self.modes)
            .and_then(|_| fs::write_new(&own, bytes, self.modes))
            .and_then(|()| fs::rename(&own, &folder.join(name)));
        if kept.is_err() {
            drop(fs::remove(&own));
        }
        Self::sweep_cache(&folder);
    }

    /// Removes what processes left that have died.
    fn sweep_cache(folder: &Path) {
        for (name, kind) in fs::list(folder).unwrap_or_default() {
            let pid = name.strip_suffix(".new").and_then(|rest| rest.rsplit('.').next()?.parse().ok());
            if kind.is_file() && pid.is_some_and(|pid| !fs::is_alive(pid)) {
                drop(fs::remove(&folder.join(name)));
            }
        }
    }
}
