//! Making a backup: tar, zstd and OpenPGP in one stream, then reading it back before it gets its name.
//!
//! Several threads work at once: this one reads and packs, one sums, one compresses, encrypts and writes, and one reads back
//! what is written, and comes to its end once that is durable.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use pgp::composed::{MessageBuilder, PlainSessionKey};
use pgp::crypto::hash::HashAlgorithm;
use pgp::crypto::sym::SymmetricKeyAlgorithm;
use pgp::types::StringToKey;
use rand::RngCore;
use rand::rngs::OsRng;
use zstd::stream::read::Encoder;

use super::follow::follow;
use super::keys::{Recipient, Signer};
use super::member::Member;
use super::pipe::{Inlet, pipe};
use super::reader::{self, Checked, Key};
use super::sums::{Lines, Summed, Sums};
use super::target::{Name, Record, Target};
use crate::domain::time::Timestamp;
use crate::store::StoreError;
use crate::store::fs::{self, outside};

/// AES-256, which every OpenPGP program knows.
const CIPHER: SymmetricKeyAlgorithm = SymmetricKeyAlgorithm::AES256;
/// zstd's level: its own default, fast and good.
const LEVEL: i32 = 3;
/// The size of OpenPGP's pieces, in bytes: a power of two.
const PIECE: u32 = 512 << 10;
/// How often a passphrase is hashed, in OpenPGP's coding: 65 million bytes, as gpg has it at most.
const HASHED: u8 = 255;

/// A backup being written. Dropped before [`Writer::finish`], it leaves nothing.
pub struct Writer<'a> {
    target: &'a Target,
    name: Name,
    key_id: Option<String>,
    staged: Staged,
    tar: tar::Builder<Inlet>,
    /// The other thread, until it is asked how it went.
    sealer: Option<Sealer>,
    /// Reads back what the other has written.
    checker: JoinHandle<Result<Checked, StoreError>>,
    /// The sums of the files, until the last one is in it.
    sums: Sums<SumsFile>,
    /// How many files are in it, and how many bytes they have.
    files: u64,
    bytes: u64,
}

type Sealer = JoinHandle<Result<(), StoreError>>;

/// A file on its way, removed unless it is kept.
struct Staged(Option<PathBuf>);

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            drop(fs::remove(path));
        }
    }
}

/// The lines of [`Member::Sums`], in a file that has no name any more.
struct SumsFile {
    file: BufWriter<File>,
    len: u64,
}

impl SumsFile {
    fn new(path: &Path) -> Result<Self, StoreError> {
        let file = outside::create_private(path)?;
        // Its name goes at once: it goes itself with this process.
        fs::remove(path)?;
        Ok(Self { file: BufWriter::new(file), len: 0 })
    }

    /// All of it, to be read.
    fn reopened(self) -> io::Result<(File, u64)> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok((file, self.len))
    }
}

impl Lines for SumsFile {
    fn add(&mut self, line: &str) -> io::Result<()> {
        self.len += line.len() as u64;
        self.file.write_all(line.as_bytes())
    }
}

impl<'a> Writer<'a> {
    /// Begins a backup of that moment in the target.
    ///
    /// # Errors
    /// When there is one of that second already, or nothing can be written there.
    pub fn new(target: &'a Target, at: Timestamp, recipient: &Recipient) -> Result<Self, StoreError> {
        let name = Name::of(at);
        let path = target.path(&name);
        if fs::exists(&path) {
            return Err(StoreError::damaged(&path, "there is a backup of this second already"));
        }
        let staged = target.staged(&name);
        let file = outside::create_private(&staged)?;
        let guard = Staged(Some(staged.clone()));
        let sums = Sums::new(SumsFile::new(&target.sums(&name))?);
        let (inlet, outlet) = pipe();
        let mut secret = [0; 32];
        OsRng.fill_bytes(&mut secret);
        let session = PlainSessionKey::V3_4 { sym_alg: CIPHER, key: secret.as_slice().into() };
        let recipient_key = recipient.clone();
        let packed = Encoder::with_buffer(outlet, LEVEL).map_err(|error| StoreError::io("write", &staged, error))?;
        let (written, following) = follow(file).map_err(|error| StoreError::io("write", &staged, error))?;
        let path = staged.clone();
        let sealer = std::thread::spawn(move || {
            let mut out = BufWriter::with_capacity(256 << 10, written);
            seal(packed, &recipient_key, secret, &mut out).map_err(|error| sealing(&path, error))?;
            let written = out.into_inner().map_err(|error| StoreError::io("write", &path, error.into_error()))?;
            written.end().map_err(|error| StoreError::io("write", &path, error))
        });
        let path = staged.clone();
        let checker = std::thread::spawn(move || reader::check(following, &path, &Key::Session(session)));
        let tar = tar::Builder::new(inlet);
        let key_id = recipient.key_id();
        Ok(Self { target, name, key_id, staged: guard, tar, sealer: Some(sealer), checker, sums, files: 0, bytes: 0 })
    }

    /// Adds a file whose contents are in memory.
    ///
    /// # Errors
    /// When the backup can't be written.
    pub fn add(&mut self, member: &Member, bytes: &[u8]) -> Result<(), StoreError> {
        self.append(member, bytes.len() as u64, bytes)?;
        self.sums.update(bytes);
        self.added(member, bytes.len() as u64);
        Ok(())
    }

    /// Adds the first `len` bytes of a file.
    ///
    /// # Errors
    /// When it can't be read that far, or the backup can't be written.
    pub fn add_file(&mut self, member: &Member, path: &Path, len: u64) -> Result<(), StoreError> {
        let (file, _) = outside::open_of_tree(path)?;
        let mut data = Summed::new(file.take(len), &mut self.sums);
        let appended = append(&mut self.tar, self.name.at(), member, len, &mut data);
        let count = data.len;
        appended.map_err(|error| self.why(error))?;
        if count != len {
            return Err(StoreError::damaged(&member.path(), "it became shorter while it was read"));
        }
        self.added(member, len);
        Ok(())
    }

    fn append(&mut self, member: &Member, len: u64, data: impl Read) -> Result<(), StoreError> {
        append(&mut self.tar, self.name.at(), member, len, data).map_err(|error| self.why(error))
    }

    /// Notes that a file is in it, whole.
    fn added(&mut self, member: &Member, len: u64) {
        self.sums.end(member.path().to_string_lossy().into_owned());
        self.files += u64::from(member.is_of_tree());
        self.bytes += if member.is_of_tree() { len } else { 0 };
    }

    /// Why something could not be written: the other thread knows, where it was the one that gave up.
    fn why(&mut self, error: io::Error) -> StoreError {
        match self.sealer.take().filter(|_| error.kind() == io::ErrorKind::BrokenPipe).map(joined) {
            Some(Err(error)) => error,
            _ => StoreError::io("write", &self.target.staged(&self.name), error),
        }
    }

    /// Ends the backup: makes it durable, reads it back, signs it, and gives it its name.
    ///
    /// # Errors
    /// When one of these fails; then there is no backup.
    pub fn finish(mut self, mut record: Record, signer: Option<&Signer>) -> Result<Record, StoreError> {
        record.files = self.files;
        record.bytes = self.bytes;
        record.key_id.clone_from(&self.key_id);
        self.add(&Member::Info, &record.to_bytes())?;
        let path = self.target.staged(&self.name);
        let Self { target, name, mut staged, mut tar, sealer, checker, sums, files, bytes, .. } = self;
        let ended = sums.finish().and_then(SumsFile::reopened).and_then(|(file, len)| {
            append(&mut tar, name.at(), &Member::Sums, len, io::BufReader::with_capacity(1 << 18, file))?;
            tar.into_inner()?.end()
        });
        let sealed = sealer.map_or_else(|| Err(StoreError::damaged(&path, "it broke off")), joined);
        match (ended, sealed) {
            // Where the pipe broke, the other end knows why.
            (Err(error), _) if error.kind() != io::ErrorKind::BrokenPipe => {
                return Err(StoreError::io("write", &path, error));
            }
            (_, Err(error)) => return Err(error),
            (Err(error), _) => return Err(StoreError::io("write", &path, error)),
            (Ok(()), Ok(())) => {}
        }
        let checked = joined(checker)?;
        if (checked.files, checked.bytes) != (files, bytes) {
            return Err(StoreError::damaged(&path, "what was read back is not what was written"));
        }
        record.size = checked.size;
        record.sha256 = checked.sha256;
        record.verified_at = Some(name.at());
        if let Some(signer) = signer {
            let (file, _) = outside::open_of_tree(&path)?;
            let signature = signer.sign(&path, io::BufReader::with_capacity(1 << 20, file))?;
            outside::replace_private(&target.signature(&name), &signature)?;
        }
        let done = target.path(&name);
        let kept = fs::rename(&path, &done).and_then(|()| target.keep_record(&name, &record));
        if let Err(error) = kept {
            target.remove(&name);
            return Err(error);
        }
        staged.0 = None;
        Ok(record)
    }
}

fn append(tar: &mut tar::Builder<Inlet>, at: Timestamp, member: &Member, len: u64, data: impl Read) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(len);
    header.set_mode(0o640);
    header.set_mtime(u64::try_from(at.unix()).unwrap_or(0));
    tar.append_data(&mut header, member.path(), data)
}

/// Encrypts all that comes.
fn seal(packed: impl Read, recipient: &Recipient, secret: [u8; 32], out: impl Write) -> Result<(), pgp::errors::Error> {
    let mut message = MessageBuilder::from_reader("", packed).seipd_v1(OsRng, CIPHER);
    message.partial_chunk_size(PIECE)?.set_session_key(secret.as_slice().into())?;
    match recipient {
        Recipient::Certificate(key) => message.encrypt_to_key(OsRng, key.as_ref())?,
        Recipient::Passphrase(passphrase) => {
            let hashed = StringToKey::new_iterated(OsRng, HashAlgorithm::Sha256, HASHED);
            message.encrypt_with_password(hashed, &passphrase.password())?
        }
    };
    message.to_writer(OsRng, out)
}

fn joined<T>(thread: JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
    thread.join().unwrap_or_else(|_| Err(StoreError::damaged(Path::new("the backup"), "a thread of it broke off")))
}

fn sealing(path: &Path, error: pgp::errors::Error) -> StoreError {
    match error {
        pgp::errors::Error::IO { source, .. } => StoreError::io("write", path, source),
        error => StoreError::io("write", path, io::Error::other(error.to_string())),
    }
}
