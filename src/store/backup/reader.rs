//! Reading a backup: every byte of it, each file against its sum, in a memory that does not grow with it.
//!
//! What comes out before the end is not known to be whole: whoever unpacks does so into a folder that nobody uses yet.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use base16ct::lower::encode_string;
use pgp::composed::{DecryptionOptions, Esk, Message, PlainSessionKey, TheRing};
use pgp::types::Seipdv1ReadMode;
use sha2::{Digest, Sha256};

use super::follow::Following;
use super::keys::Opener;
use super::member::{Member, is_known_folder};
use super::pipe::{Inlet, pipe};
use super::sums::{Summed, Sums};
use crate::store::StoreError;

/// How much is read at a time, in bytes.
pub(super) const PIECE: usize = 64 << 10;
/// What is said of a backup that opens, and holds no archive.
const UNREADABLE: &str = "its contents can't be unpacked";

/// What opens the container.
pub(super) enum Key<'a> {
    /// What whoever wrote it still holds.
    Session(PlainSessionKey),
    /// A secret key or passphrase.
    Opener(&'a Opener),
}

/// What was read, and found to be whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many files of the tree.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// The size of the backup itself, in bytes.
    pub size: u64,
    /// Its SHA-256 sum, in hex.
    pub sha256: String,
    /// What it says of itself.
    pub info: Vec<u8>,
}

/// A backup's file: how long it is in the end, and its bytes.
pub(super) trait Container {
    /// Takes it apart.
    fn parts(self) -> io::Result<(impl FnOnce() -> u64 + Send, impl Read + Send + 'static)>;
}

impl Container for File {
    fn parts(self) -> io::Result<(impl FnOnce() -> u64 + Send, impl Read + Send + 'static)> {
        let len = self.metadata()?.len();
        Ok((move || len, self))
    }
}

/// One that is still being written.
impl Container for Following {
    fn parts(self) -> io::Result<(impl FnOnce() -> u64 + Send, impl Read + Send + 'static)> {
        let end = self.end();
        Ok((move || end.len(), self))
    }
}

/// Reads a backup from end to end.
pub(super) fn check(file: impl Container, path: &Path, key: &Key<'_>) -> Result<Checked, StoreError> {
    let mut piece = vec![0; PIECE];
    read(file, path, key, |_, data, _| each_piece(data, &mut piece, |_| Ok(())))
}

/// Reads something to its end, a piece at a time.
pub(super) fn each_piece(
    mut data: impl Read,
    piece: &mut [u8],
    mut take: impl FnMut(&[u8]) -> Result<(), Broken>,
) -> Result<(), Broken> {
    loop {
        match data.read(piece) {
            Ok(0) => return Ok(()),
            Ok(count) => take(piece.get(..count).unwrap_or_default())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(Broken::Data),
        }
    }
}

/// Why a file of a backup could not be taken.
pub(super) enum Broken {
    /// It could not be read.
    Data,
    /// What was read of it could not be put away.
    Away(StoreError),
}

/// Reads a backup from end to end and hands each file of the tree on to `take`, with its length, which has to read all of it.
pub(super) fn read(
    file: impl Container,
    path: &Path,
    key: &Key<'_>,
    mut take: impl FnMut(&Member, &mut dyn Read, u64) -> Result<(), Broken>,
) -> Result<Checked, StoreError> {
    let (size, file) = file.parts().map_err(|error| StoreError::io("read", path, error))?;
    let source = Source::new(file);
    let (used, digest) = (Arc::clone(&source.used), Arc::clone(&source.digest));
    let message = Message::from_bytes(source).map_err(|_| damaged(path, "it is no OpenPGP message"))?;
    let message = open(message, path, key)?;
    let (inlet, outlet) = pipe();
    std::thread::scope(|scope| {
        let opening = scope.spawn(move || open_up(message, inlet));
        let mut seen = Seen::default();
        let unpacked = unpack(outlet, &mut seen, &mut take);
        let opened = opening.join().unwrap_or_else(|_| Err("reading it broke off".to_owned()));
        // Which of the two was the cause: a stream that was cut or altered also ends the unpacking.
        match (opened, unpacked) {
            (_, Err(Fault::Away(error))) => Err(error),
            (Err(why), _) | (Ok(()), Err(Fault::Bad(why))) => Err(damaged(path, &why)),
            (Ok(()), Ok(())) => Ok(()),
        }?;
        let size = size();
        if used.load(Ordering::Relaxed) != size {
            return Err(damaged(path, "bytes follow its end"));
        }
        let sum = digest.lock().map(|digest| digest.clone().finalize()).unwrap_or_default();
        Ok(Checked { files: seen.files, bytes: seen.bytes, size, sha256: encode_string(&sum), info: seen.info })
    })
}

/// The ids of the keys that a backup is encrypted to, as `gpg` shows them; none for a passphrase.
pub(super) fn key_ids(file: File) -> Vec<String> {
    let Ok(Message::Encrypted { esk, .. }) = Message::from_bytes(Source::new(file)) else { return Vec::new() };
    let ids = esk.iter().filter_map(|esk| match esk {
        Esk::PublicKeyEncryptedSessionKey(key) => key.id().ok().map(|id| id.to_string().to_uppercase()),
        Esk::SymKeyEncryptedSessionKey(_) => None,
    });
    ids.collect()
}

fn damaged(path: &Path, why: &str) -> StoreError {
    StoreError::damaged(path, why)
}

fn open<'a>(message: Message<'a>, path: &Path, key: &Key<'_>) -> Result<Message<'a>, StoreError> {
    let Message::Encrypted { esk, .. } = &message else { return Err(damaged(path, "it is not encrypted")) };
    let is_for_passphrase = esk.iter().any(|esk| matches!(esk, Esk::SymKeyEncryptedSessionKey(_)));
    let is_for_key = esk.iter().any(|esk| matches!(esk, Esk::PublicKeyEncryptedSessionKey(_)));
    let options = DecryptionOptions::new().set_seipdv1_read_mode(Seipdv1ReadMode::Streaming);
    let mut ring = TheRing { decrypt_options: options, ..TheRing::default() };
    match key {
        Key::Session(session) => ring.session_keys = vec![session.clone()],
        Key::Opener(Opener::SecretKey(..)) if !is_for_key => {
            return Err(damaged(path, "a passphrase opens it, no key"));
        }
        Key::Opener(Opener::Passphrase(_)) if !is_for_passphrase => {
            return Err(damaged(path, "a secret key opens it, no passphrase"));
        }
        Key::Opener(Opener::SecretKey(secret, passphrase)) => {
            ring.secret_keys = vec![secret];
            ring.key_passwords = vec![passphrase];
        }
        Key::Opener(Opener::Passphrase(passphrase)) => ring.message_password = vec![passphrase],
    }
    let opened = message.decrypt_the_ring(ring, true);
    let (message, _) = opened.map_err(|_| damaged(path, "this key does not open it, or it is altered"))?;
    let message = if message.is_compressed() { message.decompress() } else { Ok(message) };
    match message {
        Ok(message) if message.is_literal() => Ok(message),
        _ => Err(damaged(path, "there is no data in it, or it is altered")),
    }
}

/// Decrypts and decompresses to the very end, where OpenPGP tells whether anything was altered.
fn open_up(message: Message<'_>, inlet: Inlet) -> Result<(), String> {
    let mut sealed = Sealed { message, is_altered: false };
    let opened = zstd::Decoder::new(&mut sealed).and_then(|mut plain| inlet.take_all(&mut plain));
    // Where nobody wanted more of it, the rest is read all the same: whether it is whole matters first.
    if !sealed.is_altered {
        drop(each_piece(&mut sealed, &mut vec![0; PIECE], |_| Ok(())));
    }
    if sealed.is_altered {
        return Err("it is altered or cut off".to_owned());
    }
    opened.map_err(|_| UNREADABLE.to_owned())
}

/// The sum of a file of that length.
fn digest_of(data: impl Read, len: u64, piece: &mut [u8]) -> Result<Vec<u8>, Fault> {
    let mut digest = Sha256::new();
    let mut count = 0;
    each_piece(data, piece, |part| {
        digest.update(part);
        count += part.len() as u64;
        Ok(())
    })?;
    if count == len { Ok(digest.finalize().to_vec()) } else { Err(Fault::Bad("its sums are cut off".to_owned())) }
}

/// What is within the encryption; it remembers that something was wrong with that.
struct Sealed<'a> {
    message: Message<'a>,
    is_altered: bool,
}

impl Read for Sealed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.message.read(into).inspect_err(|error| self.is_altered |= error.kind() != io::ErrorKind::Interrupted)
    }
}

enum Fault {
    Bad(String),
    Away(StoreError),
}

impl From<Broken> for Fault {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Data => Self::Bad(UNREADABLE.to_owned()),
            Broken::Away(error) => Self::Away(error),
        }
    }
}

#[derive(Default)]
struct Seen {
    files: u64,
    bytes: u64,
    info: Vec<u8>,
}

fn unpack(
    mut plain: impl Read,
    seen: &mut Seen,
    take: &mut impl FnMut(&Member, &mut dyn Read, u64) -> Result<(), Broken>,
) -> Result<(), Fault> {
    let bad = |why: &str| Fault::Bad(why.to_owned());
    let unreadable = |_| bad(UNREADABLE);
    let mut piece = vec![0; PIECE];
    // The lines of the sums as they have to be, summed as they come: so none has to be kept.
    let mut sums = Sums::new(Sha256::new());
    let mut said = None;
    {
        let mut archive = tar::Archive::new(&mut plain);
        for entry in archive.entries().map_err(unreadable)? {
            let mut entry = entry.map_err(unreadable)?;
            if said.is_some() {
                return Err(bad("files follow its sums"));
            }
            let name = String::from_utf8(entry.path_bytes().into_owned());
            let name = name.map_err(|_| bad("it holds a file whose name is no UTF-8"))?;
            let kind = entry.header().entry_type();
            if kind.is_dir() && is_known_folder(&name) {
                continue;
            }
            let member = kind.is_file().then(|| Member::parse(&name)).flatten();
            let Some(member) = member else {
                return Err(bad(&format!("it holds {name:?}, which is no file of a memory tree")));
            };
            let len = entry.size();
            if len > member.max() {
                return Err(bad(&format!("{name} has {len} bytes; the limit is {}", member.max())));
            }
            if member == Member::Sums {
                said = Some(digest_of(&mut entry, len, &mut piece)?);
                continue;
            }
            let mut data = Summed::new(&mut entry, &mut sums);
            if member == Member::Info {
                seen.info.clear();
                data.read_to_end(&mut seen.info).map_err(unreadable)?;
            } else {
                take(&member, &mut data, len)?;
            }
            if data.len != len {
                return Err(bad(&format!("{name} is cut off")));
            }
            sums.end(name);
            if member.is_of_tree() {
                seen.files += 1;
                seen.bytes += len;
            }
        }
    }
    let Some(said) = said else { return Err(bad("its sums are missing: it is cut off")) };
    if said != sums.finish().map_err(unreadable)?.finalize().as_slice() {
        return Err(bad("its files are not those of its sums"));
    }
    // Behind an archive's end there are blocks of zeros, up to where it was rounded.
    let mut rest = Vec::new();
    let zeros = (&mut plain).take(1 << 20).read_to_end(&mut rest).map_err(unreadable)?;
    if zeros == 1 << 20 || rest.iter().any(|byte| *byte != 0) {
        return Err(bad("something follows its archive"));
    }
    Ok(())
}

/// The container's bytes: how many of them were used, and their sum.
struct Source<R> {
    file: BufReader<R>,
    used: Arc<AtomicU64>,
    digest: Arc<Mutex<Sha256>>,
}

impl<R: Read> Source<R> {
    fn new(file: R) -> Self {
        Self { file: BufReader::with_capacity(256 << 10, file), used: Arc::default(), digest: Arc::default() }
    }
}

impl<R> std::fmt::Debug for Source<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("used", &self.used).finish_non_exhaustive()
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let part = self.fill_buf()?;
        let count = part.len().min(into.len());
        if let (Some(into), Some(part)) = (into.get_mut(..count), part.get(..count)) {
            into.copy_from_slice(part);
        }
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if let Ok(mut digest) = self.digest.lock() {
            digest.update(self.file.buffer().get(..count).unwrap_or_default());
        }
        self.used.fetch_add(count as u64, Ordering::Relaxed);
        self.file.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of two files of a tree, with its sums.
    fn archive() -> Vec<u8> {
        let mut files = vec![("config.toml", "# nothing\n"), ("audit/2026-05.jsonl", "{}\n"), ("BACKUP.json", "{}")];
        let line =
            |(path, bytes): &(&str, &str)| [encode_string(&Sha256::digest(bytes)).as_str(), "  ", path, "\n"].concat();
        let sums: String = files.iter().map(line).collect();
        files.push(("SHA256SUMS", &sums));
        let mut tar = tar::Builder::new(Vec::new());
        for (path, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            tar.append_data(&mut header, path, bytes.as_bytes()).unwrap();
        }
        tar.into_inner().unwrap()
    }

    /// What comes out of an archive, if it is whole.
    fn unpacked(archive: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
        let mut files = Vec::new();
        let mut take = |member: &Member, data: &mut dyn Read, _: u64| {
            let mut bytes = Vec::new();
            data.read_to_end(&mut bytes).map_err(|_| Broken::Data)?;
            files.push((member.path().to_str().unwrap().to_owned(), bytes));
            Ok(())
        };
        unpack(archive, &mut Seen::default(), &mut take).is_ok().then_some(files)
    }

    #[test]
    fn an_archive_gives_its_files() {
        let files = unpacked(&archive()).unwrap();
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["config.toml", "audit/2026-05.jsonl"]);
    }

    proptest::proptest! {
        #[test]
        fn an_altered_archive_gives_the_same_files_or_none(
            changes in proptest::collection::vec((proptest::num::usize::ANY, proptest::num::u8::ANY), 1..4),
            len in proptest::num::usize::ANY,
        ) {
            let whole = archive();
            let mut altered = whole.clone();
            for (at, byte) in changes {
                let at = at % altered.len();
                altered[at] = byte;
            }
            // Half of them are cut off, too.
            altered.truncate(if len % 2 == 0 { altered.len() } else { len % altered.len() });
            if let Some(files) = unpacked(&altered) {
                proptest::prop_assert_eq!(Some(files), unpacked(&whole));
            }
        }

        #[test]
        fn no_bytes_make_it_fail(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..2048)) {
            proptest::prop_assert_eq!(unpacked(&bytes), None);
        }
    }
}
