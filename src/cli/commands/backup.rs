//! `backup …`

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};

use super::Outcome;
use crate::app::actor::Actor;
use crate::app::backup::{self, RunRequest};
use crate::app::{Context, Error, Operation, Refusal};
use crate::cli::progress::Progress;
use crate::cli::prompt::Prompter as _;
use crate::cli::setup::Loaded;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::store::backup::{NewPair, Opener, Target};
use crate::store::folder_owner;

/// Encrypted backups.
#[derive(Debug, Subcommand)]
pub enum BackupCommand {
    /// Make a backup, read it back, and remove those that are over seven days old; silent where all goes well, for cron
    ///
    /// One file: tar, zstd, OpenPGP with AES-256. It holds sessions, reviews, the audit log, the configuration and the memory
    /// blocks. Without a key in the configuration there is none. A file that can't be read is named and left out: exit 3, and
    /// then no older backup goes.
    Run(RunArgs),
    /// Show the backups that there are, the newest first
    List,
    /// Read backups from end to end: every file against its sum, nothing altered, nothing behind the end
    Verify(VerifyArgs),
    /// Unpack a backup into an empty folder, or into the tree's place
    ///
    /// What is read before the end is not known to be whole: it is unpacked aside, and put in place once all of it was read.
    /// In the tree's place it goes after a fresh backup of what is there, and retention runs afterwards, so that nothing
    /// comes back that should be gone. The audit log stays where it goes on from the backup's.
    Restore(RestoreArgs),
    /// Make a pair of keys: a certificate for this machine, and a secret key that is kept elsewhere
    Keygen(KeygenArgs),
}

/// Arguments of `backup run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The clock is right, although it contradicts the tree: remove old backups by it
    #[arg(long)]
    pub accept_clock: bool,
}

/// What opens a backup.
#[derive(Debug, Args)]
pub struct KeyArg {
    /// The secret key [default: the passphrase of the configuration]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub secret_key: Option<PathBuf>,
}

/// Arguments of `backup verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A file, or a part of a backup's name [default: the newest]
    #[arg(value_name = "BACKUP", conflicts_with = "all", add = clap_complete::ArgValueCompleter::new(complete::backups))]
    pub backup: Option<String>,
    /// All that there are
    #[arg(long)]
    pub all: bool,
    /// What opens it
    #[command(flatten)]
    pub key: KeyArg,
}

/// Arguments of `backup restore`.
#[derive(Debug, Args)]
#[command(override_usage = "hermes-mem backup restore BACKUP <--to DIR|--in-place> [OPTIONS]")]
pub struct RestoreArgs {
    /// A file, a part of a backup's name, or `latest`
    #[arg(value_name = "BACKUP", add = clap_complete::ArgValueCompleter::new(complete::backups))]
    pub backup: String,
    /// Where to
    #[command(flatten)]
    pub place: Place,
    /// Only files whose path or name is like this: * stands for anything, ? for one character
    #[arg(long, value_name = "PATTERN", conflicts_with = "in_place")]
    pub only: Option<String>,
    /// What opens it
    #[command(flatten)]
    pub key: KeyArg,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

/// Where a backup is unpacked: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Place {
    /// Into this folder, which is empty or does not exist
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub to: Option<PathBuf>,
    /// Into the tree's place: what is there goes, after a fresh backup of it
    #[arg(long)]
    pub in_place: bool,
}

/// Arguments of `backup keygen`.
#[derive(Debug, Args)]
#[command(override_usage = "hermes-mem backup keygen --public FILE --secret FILE [OPTIONS]")]
pub struct KeygenArgs {
    /// Where the certificate goes
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub public: PathBuf,
    /// Where the secret key goes, 0600; neither in the tree nor beside the backups
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub secret: PathBuf,
    /// Protect the secret key by a passphrase, which is asked for
    #[arg(long, conflicts_with = "signing")]
    pub passphrase: bool,
    /// Make a key that this machine signs its backups with
    #[arg(long)]
    pub signing: bool,
}

/// Runs a backup command.
pub(super) fn run(command: BackupCommand, session: &mut Session) -> Outcome {
    match command {
        BackupCommand::Run(args) => make(&args, session),
        BackupCommand::List => {
            let ctx = session.context()?;
            let listed = backup::list(&ctx)?;
            report::backup::list(&listed, &ctx, &mut session.ui);
            Ok(Exit::Done)
        }
        BackupCommand::Verify(args) => verify(&args, session),
        BackupCommand::Restore(args) if args.place.in_place => restore_in_place(&args, session),
        BackupCommand::Restore(args) => restore_to(&args, session),
        BackupCommand::Keygen(args) => keygen(args, session),
    }
}

fn request(session: &Session, accept_clock: bool) -> RunRequest {
    let wait = session.global.wait.map_or(Duration::ZERO, |wait| Duration::from_secs(wait.seconds()));
    RunRequest { accept_clock, wait }
}

fn make(args: &RunArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let mut bar = Counting::new("backup", session, &ctx)?;
    let made = backup::run(&ctx, request(session, args.accept_clock), || bar.one_more())?;
    drop(bar);
    let is_watched = session.env.stdout_tty && !session.global.quiet;
    report::backup::made(&made, is_watched, &mut session.ui);
    Ok(match (made.clock, made.skipped.count) {
        (Some(_), _) => Exit::Refused,
        (None, 1..) => Exit::Partly,
        (None, 0) => Exit::Done,
    })
}

/// A bar over the files of the tree.
struct Counting {
    progress: Progress,
    done: usize,
    of: usize,
}

impl Counting {
    fn new(what: &'static str, session: &Session, ctx: &Context) -> Result<Self, Failure> {
        let progress = Progress::new(what, session);
        let of = if progress.is_wanted() { crate::app::retention::entries(ctx)? } else { 0 };
        Ok(Self { progress, done: 0, of })
    }

    fn one_more(&mut self) {
        self.done += 1;
        self.progress.step(self.done, self.of);
    }
}

fn verify(args: &VerifyArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let target = backup::target(&ctx)?;
    let paths = if args.all {
        target.list()?.into_iter().map(|one| one.path).collect()
    } else {
        vec![backup::found(&target, args.backup.as_deref().unwrap_or("latest"))?]
    };
    let opener = unlocked(backup::opener(&ctx.config, args.key.secret_key.as_deref())?, session)?;
    let mut progress = Progress::new("verify", session);
    let all = backup::verify(&ctx, &paths, &opener, |nth| progress.step(nth, paths.len()))?;
    drop(progress);
    report::backup::verified(&all, &mut session.ui);
    Ok(if all.iter().all(|one| one.outcome.is_ok()) { Exit::Done } else { Exit::Integrity })
}

/// Asks for the passphrase of a secret key that has one.
fn unlocked(opener: Opener, session: &Session) -> Result<Opener, Failure> {
    if !opener.is_locked() {
        return Ok(opener);
    }
    if !session.can_ask() {
        let refusal = Refusal::NoTerminal {
            question: "a passphrase protects the secret key".to_owned(),
            command: "open it elsewhere: gpg --import KEY, then gpg --decrypt BACKUP | tar --zstd -x".to_owned(),
        };
        return Err(Error::Refused(refusal).into());
    }
    let typed = session.prompter().secret("Passphrase of the secret key:")?;
    Ok(opener.unlocked_by(&backup::passphrase(typed)))
}

/// Restores without needing a tree: there may be none any more.
fn restore_to(args: &RestoreArgs, session: &mut Session) -> Outcome {
    let folder = args.place.to.clone().unwrap_or_default();
    let loaded = session.load()?;
    match session.open(session.load()?) {
        Ok(ctx) => ctx.audited(&Operation::new("backup.restore"), || backup::may_restore(ctx.actor(), &ctx.config))?,
        // Nobody's tree: whoever has the secret key may open the backup.
        Err(failure) if failure.exit == Exit::NoStore => {
            backup::may_restore(&Actor::current(session.env.sudo_uid, folder_owner(&loaded.root)), &loaded.config)?;
        }
        Err(failure) => return Err(failure),
    }
    let path = backup::found(&Target::at(&loaded.config.backup.target), &args.backup)?;
    let opener = unlocked(backup::opener(&loaded.config, args.key.secret_key.as_deref())?, session)?;
    let restored = backup::to_folder(&loaded.config, &path, &opener, &folder, args.only.as_deref())?;
    report::backup::restored(&restored, &path, &folder, &mut session.ui);
    let nothing = args.only.is_some() && restored.files == 0;
    Ok(if nothing { Exit::NotFound } else { Exit::Done })
}

fn restore_in_place(args: &RestoreArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    ctx.audited(&Operation::new("backup.restore"), || backup::may_restore(ctx.actor(), &ctx.config))?;
    let path = backup::found(&backup::target(&ctx)?, &args.backup)?;
    let opener = unlocked(backup::opener(&ctx.config, args.key.secret_key.as_deref())?, session)?;
    if !args.yes {
        confirm(&path, &ctx, session)?;
    }
    let mut bar = Counting::new("backup of what is there", session, &ctx)?;
    let done = backup::in_place(&ctx, &path, &opener, request(session, false), || bar.one_more())?;
    drop(bar);
    let is_kept = done.retention.as_ref().is_ok_and(|report| report.skipped.count == 0);
    report::backup::in_place(done, &path, &mut session.ui);
    Ok(if is_kept { Exit::Done } else { Exit::Partly })
}

fn confirm(path: &Path, ctx: &Context, session: &Session) -> Result<(), Failure> {
    if !session.can_ask() {
        let refusal = Refusal::NoTerminal {
            question: "restoring in the tree's place asks first".to_owned(),
            command: format!("hermes-mem backup restore {} --in-place --yes", path.display()),
        };
        ctx.record(&Operation::new("backup.restore"), "refused");
        return Err(Error::Refused(refusal).into());
    }
    let mut prompter = session.prompter();
    prompter.say(&format!(
        "All that is in {} is replaced by {}. A backup of what is there is made first.",
        ctx.store.root().display(),
        path.display()
    ))?;
    if !prompter.confirm("Replace it?")? {
        return Err(Failure::new(Exit::Refused, "declined", "nothing was restored"));
    }
    Ok(())
}

fn keygen(args: KeygenArgs, session: &mut Session) -> Outcome {
    let Loaded { config, root, .. } = session.load()?;
    let passphrase = if args.passphrase { Some(backup::passphrase(chosen(session)?)) } else { None };
    let pair = NewPair { public: args.public, secret: args.secret, passphrase, is_for_signing: args.signing };
    let made = backup::keygen(&config, &root, &pair, session.clock()?.now())?;
    report::backup::keygen(&made, &mut session.ui);
    Ok(Exit::Done)
}

/// Asks for a new passphrase, twice.
fn chosen(session: &Session) -> Result<String, Failure> {
    if !session.can_ask() {
        let refusal = Refusal::NoTerminal {
            question: "the passphrase is asked for".to_owned(),
            command: "make the pair on a terminal, or without --passphrase".to_owned(),
        };
        return Err(Error::Refused(refusal).into());
    }
    let mut prompter = session.prompter();
    let first = prompter.secret("New passphrase:")?;
    if prompter.secret("The same again:")? != first {
        return Err(Failure::new(Exit::Refused, "differs", "the two passphrases differ; nothing was made"));
    }
    Ok(first)
}
