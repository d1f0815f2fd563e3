//! The sums of many files, in the form of `sha256sum`, worked out by a thread of its own.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};

/// How many bytes go to the other thread at a time.
const BATCH: usize = 256 << 10;
/// How many files end in a batch at most.
const ENDS: usize = 4 << 10;
/// How many batches may wait.
const UNDER_WAY: usize = 4;

/// Where the lines go.
pub(super) trait Lines: Send + 'static {
    /// Takes the next line, with its end.
    fn add(&mut self, line: &str) -> io::Result<()>;
}

/// The lines' own sum.
impl Lines for Sha256 {
    fn add(&mut self, line: &str) -> io::Result<()> {
        self.update(line.as_bytes());
        Ok(())
    }
}

/// The bytes of files, one after the other.
#[derive(Debug, Default)]
struct Batch {
    bytes: Vec<u8>,
    /// Where a file ends in them, and its path.
    ends: Vec<(usize, String)>,
}

/// Sums what it is given.
#[derive(Debug)]
pub(super) struct Sums<L> {
    batch: Batch,
    send: SyncSender<Batch>,
    thread: JoinHandle<io::Result<L>>,
}

impl<L: Lines> Sums<L> {
    /// Begins; the lines go to `lines`, in the order of the files.
    pub(super) fn new(lines: L) -> Self {
        let (send, receive) = sync_channel(UNDER_WAY);
        Self { batch: Batch::default(), send, thread: std::thread::spawn(move || sum(&receive, lines)) }
    }

    /// The next bytes of a file.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.batch.bytes.extend_from_slice(bytes);
        self.send_if(self.batch.bytes.len() >= BATCH);
    }

    /// The end of a file.
    pub(super) fn end(&mut self, path: String) {
        self.batch.ends.push((self.batch.bytes.len(), path));
        self.send_if(self.batch.ends.len() >= ENDS);
    }

    /// Waits for the last line.
    ///
    /// # Errors
    /// When a line could not be taken.
    pub(super) fn finish(mut self) -> io::Result<L> {
        self.send_if(true);
        drop(self.send);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that sums broke off")))
    }

    fn send_if(&mut self, is_due: bool) {
        if is_due {
            // Where the other thread gave up, it says why in the end.
            let next = Batch { bytes: Vec::with_capacity(BATCH * 2), ends: Vec::new() };
            drop(self.send.send(std::mem::replace(&mut self.batch, next)));
        }
    }
}

fn sum<L: Lines>(batches: &Receiver<Batch>, mut lines: L) -> io::Result<L> {
    let mut digest = Sha256::new();
    for Batch { bytes, ends } in batches {
        let mut from = 0;
        for (end, path) in ends {
            digest.update(bytes.get(from..end).unwrap_or_default());
            from = end;
            lines.add(&[encode_string(&digest.finalize_reset()).as_str(), "  ", &path, "\n"].concat())?;
        }
        digest.update(bytes.get(from..).unwrap_or_default());
    }
    Ok(lines)
}

/// Something to read whose bytes are counted and summed on the way.
pub(super) struct Summed<'a, R, L> {
    data: R,
    sums: &'a mut Sums<L>,
    /// How many bytes came.
    pub(super) len: u64,
}

impl<'a, R, L> Summed<'a, R, L> {
    pub(super) fn new(data: R, sums: &'a mut Sums<L>) -> Self {
        Self { data, sums, len: 0 }
    }
}

impl<R: Read, L: Lines> Read for Summed<'_, R, L> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.data.read(into)?;
        self.sums.update(into.get(..count).unwrap_or_default());
        self.len += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Kept(String);

    impl Lines for Kept {
        fn add(&mut self, line: &str) -> io::Result<()> {
            self.0.push_str(line);
            Ok(())
        }
    }

    struct Full;

    impl Lines for Full {
        fn add(&mut self, _: &str) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }

    #[test]
    fn each_file_has_the_line_that_sha256sum_gives_it_wherever_batches_end() {
        let files: Vec<Vec<u8>> =
            [0, 1, BATCH - 1, 0, 2, BATCH, BATCH + 1, 3 * BATCH + 7].iter().map(|len| vec![b'x'; *len]).collect();
        let mut sums = Sums::new(Kept::default());
        let mut wanted = String::new();
        for (nth, file) in files.iter().enumerate() {
            let mut summed = Summed::new(file.as_slice(), &mut sums);
            io::copy(&mut summed, &mut io::sink()).unwrap();
            assert_eq!(summed.len, file.len() as u64);
            sums.end(format!("file-{nth}"));
            wanted.extend([encode_string(&Sha256::digest(file)).as_str(), "  file-", &nth.to_string(), "\n"]);
        }
        assert_eq!(sums.finish().unwrap().0, wanted);
        // The sum of no bytes, as everybody knows it.
        assert!(wanted.starts_with("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  file-0\n"));
    }

    #[test]
    fn many_empty_files_take_no_endless_batch_and_a_line_that_can_t_be_taken_is_told_in_the_end() {
        let mut sums = Sums::new(Kept::default());
        for nth in 0..=ENDS * 2 {
            sums.end(nth.to_string());
            assert!(sums.batch.ends.len() < ENDS);
        }
        assert_eq!(sums.finish().unwrap().0.lines().count(), ENDS * 2 + 1);

        let mut sums = Sums::new(Full);
        for nth in 0..ENDS * 20 {
            sums.end(nth.to_string());
        }
        assert_eq!(sums.finish().err().unwrap().kind(), io::ErrorKind::StorageFull);
    }
}
