//! Keys and certificates: who can read a backup, who signs it, and how a pair is made.
//!
//! RSA is refused for both directions: the one implementation in Rust leaks, by its timing, what it works on.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use pgp::composed::{
    ArmorOptions, Deserializable, DetachedSignature, EncryptionCaps, KeyType, SecretKeyParamsBuilder, SignedPublicKey,
    SignedPublicSubKey, SignedSecretKey, SubkeyParamsBuilder,
};
use pgp::crypto::ecc_curve::ECCCurve;
use pgp::crypto::hash::HashAlgorithm;
use pgp::crypto::public_key::PublicKeyAlgorithm;
use pgp::crypto::sym::SymmetricKeyAlgorithm;
use pgp::packet::{Signature, SignatureType};
use pgp::ser::Serialize;
use pgp::types::{KeyDetails, Password};
use rand::rngs::OsRng;
use zeroize::Zeroizing;

use crate::domain::time::Timestamp;
use crate::store::fs::outside;
use crate::store::{Store, StoreError};

/// The largest file with a key or certificate in it, in bytes.
const KEY_MAX: u64 = 1 << 20;
/// The largest signature, in bytes.
const SIGNATURE_MAX: u64 = 64 << 10;
/// The shortest passphrase that protects a backup, in characters.
const PASSPHRASE_MIN: usize = 12;

/// A passphrase; it shows itself to nobody, and is wiped when it goes.
#[derive(Clone)]
pub struct Passphrase(Zeroizing<String>);

impl Passphrase {
    /// Takes a passphrase over.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    pub(super) fn password(&self) -> Password {
        self.0.as_str().into()
    }
}

impl std::fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Passphrase(..)")
    }
}

/// To whom a backup is encrypted.
#[derive(Clone, Debug)]
pub enum Recipient {
    /// Whoever has the secret key of this certificate's encryption key.
    Certificate(Box<SignedPublicSubKey>),
    /// Whoever knows the passphrase.
    Passphrase(Passphrase),
}

/// What opens a backup.
#[derive(Debug)]
pub enum Opener {
    /// A secret key, and the passphrase that protects it, empty where none does.
    SecretKey(Box<SignedSecretKey>, Password),
    /// The passphrase of the backup.
    Passphrase(Password),
}

/// A key that backups are signed with.
#[derive(Debug)]
pub struct Signer(Box<SignedSecretKey>);

/// A certificate whose signatures are believed.
#[derive(Debug)]
pub struct Witness(Box<SignedPublicKey>);

fn bad(path: &Path, why: impl Into<String>) -> StoreError {
    StoreError::Key { path: path.to_owned(), why: why.into() }
}

impl Recipient {
    /// Reads a certificate, armored or not, and picks the newest of its keys that encrypts and holds at `now`.
    ///
    /// # Errors
    /// When it can't be read or has no such key, or only RSA ones.
    pub fn read(path: &Path, now: Timestamp) -> Result<Self, StoreError> {
        let bytes = outside::read_key(path, KEY_MAX)?;
        let certificate = match SignedPublicKey::from_reader_single(bytes.as_slice()) {
            Ok((certificate, _)) => certificate,
            Err(_) if SignedSecretKey::from_reader_single(bytes.as_slice()).is_ok() => {
                return Err(bad(path, "it is a secret key: name the certificate, and keep the secret key elsewhere"));
            }
            Err(_) => return Err(bad(path, "it holds no OpenPGP certificate")),
        };
        certificate.verify_bindings().map_err(|_| bad(path, "its own signatures do not fit"))?;
        if certificate.details.revocation_signatures.iter().any(|signature| signature.typ().is_some()) {
            return Err(bad(path, "it is revoked"));
        }
        let primary = certificate.details.users.iter().flat_map(|user| &user.signatures);
        let primary = primary.chain(&certificate.details.direct_signatures);
        if !holds(newest(primary), certificate.primary_key.created_at(), now) {
            return Err(bad(path, "it has expired"));
        }
        let mut is_rsa = false;
        let mut best: Option<SignedPublicSubKey> = None;
        for subkey in certificate.public_subkeys {
            let binding =
                newest(subkey.signatures.iter().filter(|one| one.typ() == Some(SignatureType::SubkeyBinding)));
            let revoked = subkey.signatures.iter().any(|one| one.typ() == Some(SignatureType::SubkeyRevocation));
            let encrypts =
                binding.is_some_and(|one| one.key_flags().encrypt_comms() || one.key_flags().encrypt_storage());
            if !encrypts || revoked || !holds(binding, subkey.created_at(), now) {
                continue;
            }
            if matches!(subkey.algorithm(), PublicKeyAlgorithm::RSA | PublicKeyAlgorithm::RSAEncrypt) {
                is_rsa = true;
            } else if best.as_ref().is_none_or(|best| best.created_at() <= subkey.created_at()) {
                best = Some(subkey);
            }
        }
        match best {
            Some(key) => Ok(Self::Certificate(Box::new(key))),
            None if is_rsa => Err(bad(path, "it encrypts with RSA, which is refused: make one with backup keygen")),
            None => Err(bad(path, "it has no key that encrypts and holds now")),
        }
    }

    /// Reads the passphrase in a file: its first line.
    ///
    /// # Errors
    /// When it can't be read, others may read it, or it is too short.
    pub fn passphrase(path: &Path) -> Result<Self, StoreError> {
        passphrase_in(path).map(Self::Passphrase)
    }

    /// The id of the key that opens the backup, as `gpg` shows it; `None` for a passphrase.
    pub fn key_id(&self) -> Option<String> {
        match self {
            Self::Certificate(key) => Some(key.legacy_key_id().to_string().to_uppercase()),
            Self::Passphrase(_) => None,
        }
    }
}

/// The newest of some signatures.
fn newest<'a>(signatures: impl Iterator<Item = &'a Signature>) -> Option<&'a Signature> {
    signatures.max_by_key(|one| one.created())
}

/// Whether a key that was made at `made` holds at `now` by what its signature says; one without an end always does.
fn holds(signature: Option<&Signature>, made: pgp::types::Timestamp, now: Timestamp) -> bool {
    let Some(signature) = signature else { return false };
    let span = signature.key_expiration_time().map_or(0, pgp::types::Duration::as_secs);
    span == 0 || i64::from(made.as_secs()) + i64::from(span) > now.unix()
}

/// The first line of a file that this user alone may read.
fn passphrase_in(path: &Path) -> Result<Passphrase, StoreError> {
    outside::check_secret(path)?;
    let bytes = outside::read_key(path, KEY_MAX)?;
    let line = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let Ok(text) = std::str::from_utf8(line) else { return Err(bad(path, "its passphrase is no UTF-8")) };
    let count = text.chars().count();
    if count < PASSPHRASE_MIN {
        return Err(bad(path, format!("its passphrase has {count} characters; the least is {PASSPHRASE_MIN}")));
    }
    Ok(Passphrase::new(text.to_owned()))
}

impl Opener {
    /// Reads a secret key, armored or not.
    ///
    /// # Errors
    /// When it can't be read, or others may read it.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        Ok(Self::SecretKey(Box::new(secret_key(path)?), Password::empty()))
    }

    /// Reads the passphrase of backups from a file: its first line.
    ///
    /// # Errors
    /// When it can't be read, others may read it, or it is too short.
    pub fn passphrase_file(path: &Path) -> Result<Self, StoreError> {
        passphrase_in(path).map(|passphrase| Self::Passphrase(passphrase.password()))
    }

    /// Whether a passphrase protects the secret key itself, so that it has to be asked for.
    pub fn is_locked(&self) -> bool {
        let Self::SecretKey(key, _) = self else { return false };
        key.primary_key.secret_params().is_encrypted()
            || key.secret_subkeys.iter().any(|subkey| subkey.key.secret_params().is_encrypted())
    }

    /// The same with the passphrase that protects the secret key.
    #[must_use]
    pub fn unlocked_by(self, passphrase: &Passphrase) -> Self {
        match self {
            Self::SecretKey(key, _) => Self::SecretKey(key, passphrase.password()),
            other @ Self::Passphrase(_) => other,
        }
    }
}

fn secret_key(path: &Path) -> Result<SignedSecretKey, StoreError> {
    outside::check_secret(path)?;
    let bytes = outside::read_key(path, KEY_MAX)?;
    match SignedSecretKey::from_reader_single(bytes.as_slice()) {
        Ok((key, _)) => Ok(key),
        Err(_) if SignedPublicKey::from_reader_single(bytes.as_slice()).is_ok() => {
            Err(bad(path, "it is a certificate: the secret key is wanted"))
        }
        Err(_) => Err(bad(path, "it holds no OpenPGP secret key")),
    }
}

impl Signer {
    /// Reads the key that backups are signed with. It is used by cron, so that no passphrase can protect it.
    ///
    /// # Errors
    /// When it can't be read or is protected, or others may read it.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let key = secret_key(path)?;
        if key.primary_key.secret_params().is_encrypted() {
            return Err(bad(path, "a passphrase protects it, which nobody could type at night"));
        }
        if matches!(key.primary_key.algorithm(), PublicKeyAlgorithm::RSA | PublicKeyAlgorithm::RSASign) {
            return Err(bad(path, "it signs with RSA, which is refused: make one with backup keygen --signing"));
        }
        Ok(Self(Box::new(key)))
    }

    /// A detached signature over what there is to read.
    pub(super) fn sign(&self, path: &Path, data: impl Read) -> Result<Vec<u8>, StoreError> {
        let key = &self.0.primary_key;
        DetachedSignature::sign_binary_data(OsRng, key, &Password::empty(), HashAlgorithm::Sha256, data)
            .and_then(|signature| signature.to_bytes())
            .map_err(|error| bad(path, format!("it could not be signed: {error}")))
    }
}

impl Witness {
    /// Reads the certificate whose signatures are believed.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let bytes = outside::read_key(path, KEY_MAX)?;
        let (certificate, _) = SignedPublicKey::from_reader_single(bytes.as_slice())
            .map_err(|_| bad(path, "it holds no OpenPGP certificate"))?;
        Ok(Self(Box::new(certificate)))
    }

    /// Refuses a file without this certificate's signature beside it.
    pub(super) fn check(&self, file: File, path: &Path, signature: &Path) -> Result<(), StoreError> {
        let bytes = match outside::read_key(signature, SIGNATURE_MAX) {
            Err(error) if error.is_missing() => {
                return Err(StoreError::damaged(path, "it is not signed, and [backup] signer wants that"));
            }
            bytes => bytes?,
        };
        let unfit = || StoreError::damaged(path, "its signature is not that of [backup] signer");
        let (signature, _) = DetachedSignature::from_reader_single(bytes.as_slice()).map_err(|_| unfit())?;
        let data = std::io::BufReader::with_capacity(1 << 20, file);
        signature.signature.verify(&self.0.primary_key, data).map_err(|_| unfit())
    }
}

/// A pair of keys to be made.
#[derive(Debug)]
pub struct NewPair {
    /// Where the certificate goes.
    pub public: PathBuf,
    /// Where the secret key goes, 0600.
    pub secret: PathBuf,
    /// What protects the secret key, if anything does.
    pub passphrase: Option<Passphrase>,
    /// Whether it is for signing backups, not for encrypting them.
    pub is_for_signing: bool,
}

impl NewPair {
    /// Makes the pair: v4, Ed25519 and X25519 in the forms that gpg 2.2 reads. Answers the fingerprint.
    ///
    /// # Errors
    /// When one of the files exists or can't be written: then neither is there.
    pub fn make(&self, now: Timestamp) -> Result<String, StoreError> {
        let key = self.generate(now).map_err(|error| bad(&self.secret, format!("it could not be made: {error}")))?;
        let armor = |error: pgp::errors::Error| bad(&self.secret, format!("it could not be written: {error}"));
        let secret = key.to_armored_bytes(ArmorOptions::default()).map_err(armor)?;
        let public = key.to_public_key();
        let certificate = public.to_armored_bytes(ArmorOptions::default()).map_err(armor)?;
        outside::write_once(&self.secret, &secret, 0o600)?;
        outside::write_once(&self.public, &certificate, 0o644).inspect_err(|_| {
            drop(crate::store::fs::remove(&self.secret));
        })?;
        Ok(public.fingerprint().to_string().to_uppercase())
    }

    fn generate(&self, now: Timestamp) -> Result<SignedSecretKey, pgp::errors::Error> {
        let made = pgp::types::Timestamp::from_secs(u32::try_from(now.unix()).unwrap_or(u32::MAX));
        let fail = |error: String| pgp::errors::Error::Message { message: error, backtrace: None };
        let mut params = SecretKeyParamsBuilder::default();
        let name = if self.is_for_signing { "hermes-mem backup signing" } else { "hermes-mem backup" };
        params
            .key_type(KeyType::Ed25519Legacy)
            .can_certify(true)
            .can_sign(self.is_for_signing)
            .can_encrypt(EncryptionCaps::None)
            .created_at(made)
            .preferred_symmetric_algorithms([SymmetricKeyAlgorithm::AES256].into_iter().collect())
            .preferred_hash_algorithms([HashAlgorithm::Sha256].into_iter().collect())
            .passphrase(self.passphrase.as_ref().map(|passphrase| passphrase.0.to_string()))
            .primary_user_id(name.to_owned());
        if !self.is_for_signing {
            let mut subkey = SubkeyParamsBuilder::default();
            subkey
                .key_type(KeyType::ECDH(ECCCurve::Curve25519Legacy))
                .can_encrypt(EncryptionCaps::All)
                .created_at(made)
                .passphrase(self.passphrase.as_ref().map(|passphrase| passphrase.0.to_string()));
            params.subkey(subkey.build().map_err(|error| fail(error.to_string()))?);
        }
        params.build().map_err(|error| fail(error.to_string()))?.generate(OsRng)
    }
}

impl Store {
    /// Whether a file would lie in the tree.
    pub fn holds_path(&self, path: &Path) -> bool {
        let root = self.root().canonicalize().unwrap_or_else(|_| self.root().to_owned());
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let place = path.ancestors().find_map(|part| part.canonicalize().ok());
        place.is_some_and(|place| place.starts_with(&root))
    }
}
