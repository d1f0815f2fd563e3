//! A file that is read while it is still being written.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt as _;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How far the writer is.
#[derive(Debug, Default)]
struct State {
    len: u64,
    is_ended: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }
}

/// An empty file, to be written and to be read behind the writer.
pub(super) fn follow(file: File) -> io::Result<(Written, Following)> {
    let again = file.try_clone()?;
    let shared = Arc::<Shared>::default();
    Ok((Written { file, shared: Arc::clone(&shared) }, Following { file: again, at: 0, shared }))
}

/// The end that writes. Dropped before [`Written::end`], the file ends for the reader where it is.
#[derive(Debug)]
pub(super) struct Written {
    file: File,
    shared: Arc<Shared>,
}

impl Written {
    /// Makes it durable, and only then lets the reader come to its end.
    pub(super) fn end(self) -> io::Result<()> {
        self.file.sync_all()
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        self.shared.change(|state| state.is_ended = true);
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.shared.change(|state| state.len += count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The end that reads: it waits where the writer is not further yet.
#[derive(Debug)]
pub(super) struct Following {
    file: File,
    at: u64,
    shared: Arc<Shared>,
}

impl Following {
    /// Where it will end.
    pub(super) fn end(&self) -> End {
        End(Arc::clone(&self.shared))
    }
}

/// Where the writer ends.
#[derive(Debug)]
pub(super) struct End(Arc<Shared>);

impl End {
    /// How long the file is; it waits for the writer's end.
    pub(super) fn len(&self) -> u64 {
        let state = self.0.changed.wait_while(self.0.state(), |state| !state.is_ended);
        state.unwrap_or_else(PoisonError::into_inner).len
    }
}

impl Read for Following {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let at = self.at;
        let state = self.shared.changed.wait_while(self.shared.state(), |state| state.len <= at && !state.is_ended);
        let left = state.unwrap_or_else(PoisonError::into_inner).len.saturating_sub(at);
        let len = into.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.file.read_at(into.get_mut(..len).unwrap_or_default(), at)?;
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_gets_what_is_written_and_ends_with_the_writer() {
        let (mut written, mut following) = follow(tempfile::tempfile().unwrap()).unwrap();
        let reader = std::thread::spawn(move || {
            let mut got = Vec::new();
            following.read_to_end(&mut got).unwrap();
            (got, following.end().len())
        });
        let bytes: Vec<u8> = (0..300_000_u32).map(|nth| nth.to_le_bytes()[0]).collect();
        for part in bytes.chunks(70_001) {
            written.write_all(part).unwrap();
        }
        written.end().unwrap();
        assert!(reader.join().unwrap() == (bytes, 300_000));

        // One that gives up lets the reader end, too.
        let (mut written, mut following) = follow(tempfile::tempfile().unwrap()).unwrap();
        written.write_all(b"half").unwrap();
        drop(written);
        let mut got = String::new();
        following.read_to_string(&mut got).unwrap();
        assert_eq!((got.as_str(), following.end().len()), ("half", 4));
    }
}
