//! From what went wrong to what a person reads and a program gets: headline, hints, code and exit status. The only such place.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::prompt::PromptError;
use super::report::local;
use super::sanitize;
use super::ui::Ui;
use crate::app::{BackupWhy, BlockWhy, Error, NotFound, Refusal, Why};
use crate::domain::append::Problem;
use crate::domain::block::read::BadInput;
use crate::domain::extract::turns::BadText;
use crate::domain::retention::ClockJump;
use crate::mask::Masker;
use crate::store::StoreError;

/// The exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Failed.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Some items failed, the rest is done.
    Partly = 3,
    /// A rule refused it; a human, a flag or other input is needed.
    Refused = 4,
    /// Not found, or ambiguous.
    NotFound = 5,
    /// A damaged file, chain, archive or backup.
    Integrity = 6,
    /// No store at the root.
    NoStore = 10,
    /// Locked by another process.
    Locked = 11,
    /// Interrupted.
    Interrupted = 130,
}

/// Something that went wrong, ready to be told.
#[derive(Clone, Debug)]
pub struct Failure {
    /// A stable word for programs.
    pub code: &'static str,
    /// One line.
    pub headline: String,
    /// Further lines.
    pub details: Vec<String>,
    /// At most two, each a command that can be pasted or a thing to do.
    pub hints: Vec<String>,
    /// The exit status.
    pub exit: Exit,
    /// The two lines an agent prints where its memory could not be written.
    pub evidence: Vec<String>,
}

impl Failure {
    /// A failure with its headline.
    pub fn new(exit: Exit, code: &'static str, headline: impl Into<String>) -> Self {
        Self { code, headline: headline.into(), details: Vec::new(), hints: Vec::new(), exit, evidence: Vec::new() }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The same with further lines.
    #[must_use]
    pub fn details(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(lines);
        self
    }

    /// As programs get it, masked: what an error repeats of its input may hold anything.
    pub fn to_json(&self, masker: &Masker) -> Value {
        let lines = |lines: &[String]| lines.iter().map(|line| clean(line, masker)).collect::<Vec<_>>();
        let message = [lines(std::slice::from_ref(&self.headline)), lines(&self.details)].concat().join("\n");
        let mut error =
            json!({"code": self.code, "message": message, "hints": lines(&self.hints), "exit": self.exit as u8});
        if let (Some(fields), false) = (error.as_object_mut(), self.evidence.is_empty()) {
            fields.insert("evidence".to_owned(), json!(self.evidence));
        }
        error
    }

    /// Tells it on stderr, masked.
    pub fn tell(&self, ui: &Ui, masker: &Masker) {
        let hints: Vec<String> = self.hints.iter().map(|hint| ui.pasteable(hint)).collect();
        if ui.json() {
            let failure = Self { hints, ..self.clone() };
            ui.err(&json!({"error": failure.to_json(masker)}).to_string());
            return;
        }
        let clean = |text: &str| clean(text, masker);
        let mut text = format!("{}: {}", ui.paint("error", "31"), clean(&self.headline));
        for line in &self.details {
            let _ = write!(text, "\n  {}", clean(line));
        }
        for hint in &hints {
            let _ = write!(text, "\n{}: {}", ui.paint("hint", "36"), clean(hint));
        }
        ui.err(&text);
    }
}

fn clean(text: &str, masker: &Masker) -> String {
    sanitize::line(masker.mask(text).text.as_str()).into_owned()
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(error) => store(&error),
            Error::Refused(refusal) => refused(refusal),
            Error::NotFound(not_found) => missing(not_found),
            Error::NoAgent => Self::new(Exit::Usage, "no_agent", "no agent is named")
                .hint("name one with --agent hermes-carlo, or set HERMES_MEM_AGENT"),
            Error::Config { file, problems } => {
                Self::new(Exit::Failed, "bad_config", format!("the configuration {} is wrong", file.display()))
                    .details(problems.iter().map(ToString::to_string))
                    .hint("hermes-mem config show lists every key")
            }
            Error::NoGroup(name) => {
                Self::new(Exit::Failed, "no_group", format!("the group {name} of [tree] group does not exist"))
                    .hint("make it with groupadd, or name another")
            }
            Error::NoVault(None) => Self::new(Exit::NotFound, "no_vault", "no vault is configured")
                .hint("name its folder in config.toml: [vault] path = \"/srv/vault\""),
            Error::NoVault(Some(why)) => Self::new(Exit::Failed, "no_vault", format!("the vault can't be read: {why}"))
                .hint("look at [vault] path in config.toml, and at its rights"),
            Error::Integrity(what) => Self::new(Exit::Integrity, "integrity", what),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        store(&error)
    }
}

impl From<PromptError> for Failure {
    fn from(error: PromptError) -> Self {
        match error {
            PromptError::Interrupted => {
                Self::new(Exit::Interrupted, "interrupted", "interrupted; nothing more was decided")
            }
            PromptError::Aborted => {
                Self::new(Exit::Refused, "unanswered", "the question was left unanswered; nothing was decided")
            }
            PromptError::NoTerminal => Self::new(Exit::Refused, "no_terminal", "there is no terminal to ask on"),
            PromptError::Io(error) => Self::new(Exit::Failed, "terminal", format!("the terminal failed: {error}")),
        }
    }
}

fn store(error: &StoreError) -> Failure {
    match error {
        StoreError::NoStore { root } => Failure::new(Exit::NoStore, "no_store", error.to_string())
            .hint(format!("make one: hermes-mem --root {} init", root.display()))
            .hint("or name another with --root DIR or HERMES_MEM_ROOT"),
        StoreError::Locked { .. } => {
            Failure::new(Exit::Locked, "locked", error.to_string()).hint("try again, or wait longer with --wait 60s")
        }
        StoreError::Damaged { .. } => {
            Failure::new(Exit::Integrity, "damaged", error.to_string()).hint("the file was left as it is")
        }
        StoreError::Key { .. } => Failure::new(Exit::Refused, "bad_key", error.to_string())
            .hint("make a pair: hermes-mem backup keygen --public FILE --secret FILE"),
        StoreError::TooLarge { .. } => {
            Failure::new(Exit::Refused, "too_large", error.to_string()).hint("nothing was written; send less")
        }
        StoreError::Newer { .. } => Failure::new(Exit::Refused, "newer_schema", error.to_string())
            .hint("it can be shown, not changed; use the newer hermes-mem"),
        StoreError::Unfinished { .. } => Failure::new(Exit::Failed, "unfinished", error.to_string())
            .hint("nothing is lost: the next command that writes finishes it"),
        StoreError::Io { source, path, .. } => {
            let failure = Failure::new(Exit::Failed, "io", error.to_string());
            match source.kind() {
                std::io::ErrorKind::PermissionDenied => failure.hint(format!(
                    "the tree belongs to its service user; run as that user, or look at the rights of {}",
                    path.display()
                )),
                std::io::ErrorKind::StorageFull => failure.hint("free some space; nothing was changed"),
                std::io::ErrorKind::ReadOnlyFilesystem => failure.hint("mount it writable; nothing was changed"),
                _ => failure,
            }
        }
    }
}

fn missing(not_found: NotFound) -> Failure {
    match not_found {
        NotFound::Id { noun, given, nearest } => {
            let failure = Failure::new(Exit::NotFound, "not_found", format!("no {noun} matches `{}`", short(&given)));
            match nearest {
                Some(nearest) => failure.hint(format!("the nearest is {nearest}")),
                None if noun == "entity" => failure.hint("see who and what is known: hermes-mem block stats"),
                None => failure.hint(format!("list them: hermes-mem {} list", group(noun))),
            }
        }
        NotFound::Ambiguous { noun, given, candidates } => {
            let first = candidates.first().and_then(|line| line.split(' ').next()).unwrap_or_default().to_owned();
            let verb = match noun {
                "block" => "get",
                "migration" => "verify",
                _ => "show",
            };
            let more = candidates.len() > 10;
            let listed = candidates.into_iter().take(10);
            Failure::new(Exit::NotFound, "ambiguous", format!("no single {noun} matches `{}`", short(&given)))
                .details(listed)
                .details(more.then(|| "and more".to_owned()))
                .hint(format!("name one: hermes-mem {} {verb} {first}", group(noun)))
        }
        NotFound::OpenSession { agent } => {
            Failure::new(Exit::NotFound, "no_open_session", format!("{agent} has no open session"))
                .hint("name one with --session ID; the next append opens one")
        }
        NotFound::Retrieval => Failure::new(
            Exit::NotFound,
            "no_retrieval",
            "the question was not asked in this session within the last 5 minutes: retrieve anew",
        ),
    }
}

/// What a person typed, cut to a length that an error can repeat.
fn short(given: &str) -> String {
    if given.chars().count() <= 80 { given.to_owned() } else { given.chars().take(80).chain(['…']).collect() }
}

fn problem_lines(problems: &[Problem]) -> Vec<String> {
    let lines = problems.iter().take(20).map(|problem| format!("{}: {}", short(&problem.field), problem.what));
    let more = problems.len().saturating_sub(20);
    lines.chain((more > 0).then(|| format!("and {more} more"))).collect()
}

fn refused(refusal: Refusal) -> Failure {
    let refuse = |code, headline: String| Failure::new(Exit::Refused, code, headline);
    match refusal {
        Refusal::Json(error) => refuse("bad_json", format!("the input is no usable JSON: {error}"))
            .hint("nothing was written; send one JSON object, UTF-8"),
        Refusal::Input(problems) => {
            let code = problems.first().map_or("bad_input", |problem| problem.code);
            refuse(code, "the input was refused; nothing was written".to_owned()).details(problem_lines(&problems))
        }
        Refusal::Edit(problems) => {
            let code = problems.first().map_or("bad_input", |problem| problem.code);
            refuse(code, "the edited text was refused; nothing was changed".to_owned())
                .details(problem_lines(&problems))
        }
        Refusal::AgentDecides { user } => {
            refuse("agent_decides", format!("{user} is an agent's user: agents decide nothing about reviews"))
                .hint("a human reviewer decides, under a user of their own")
        }
        Refusal::Disguised => refuse(
            "disguised",
            "this process runs in a user namespace with other user ids, so that nobody can tell who decides".to_owned(),
        )
        .hint("decide outside of it"),
        Refusal::AgentsConfiguration { user } => {
            refuse("agents_configuration", format!("{user} is an agent's user: agents choose no configuration"))
                .hint("leave --config and HERMES_MEM_CONFIG out")
        }
        Refusal::InVault { path } => {
            refuse("in_vault", format!("{} lies in the vault, where nothing is ever written", path.display()))
                .hint("name a place outside of it")
        }
        Refusal::NoReviewer { user } => refuse("no_reviewer", format!("{user} is no reviewer in the configuration"))
            .hint("the operator adds [[reviewer]] with name and user to config.toml"),
        Refusal::NotYourName { names } => {
            refuse("not_your_name", format!("--reviewer may be one of your own names: {}", names.join(", ")))
        }
        Refusal::OtherAgent { wanted, own } => {
            refuse("other_agent", format!("this user is the agent {own}, not {wanted}"))
        }
        Refusal::OtherAgentsSession { session, owner } => {
            refuse("other_agents_session", format!("{session} belongs to {owner}"))
                .hint("leave --session out: the agent's own session is found or opened")
        }
        Refusal::Task { open } if open.is_empty() => {
            refuse("no_task", "the session has no open tasks to complete".to_owned())
        }
        Refusal::Task { open } => {
            let tasks = open.iter().enumerate().map(|(at, task)| format!("{}  {task}", at + 1));
            refuse("no_task", "--complete-task names no single open task of the session".to_owned())
                .details(tasks.collect::<Vec<_>>())
                .hint("name it by its number or by a part of its text that no other has")
        }
        Refusal::QueueFull { agent, max } => refuse(
            "queue_full",
            format!("{agent} has {max} open proposals, the most it may have ([review] max_pending)"),
        )
        .hint("a human has to decide some first: hermes-mem review walk"),
        Refusal::NothingLeft => refuse(
            "nothing_left",
            "the fact held nothing but personal data or a credential; no review was made".to_owned(),
        ),
        Refusal::Review { id, why } => review(&id.to_string(), why),
        Refusal::Clock(jump) => clock(jump),
        Refusal::NotForAgents { user, what } => {
            refuse("not_for_agents", format!("{user} is an agent's user: agents may not {what}"))
                .hint("an operator does that, under a user of their own")
        }
        Refusal::Backup(why) => backup(why),
        Refusal::Block { id, why } => block(id.as_str(), why),
        Refusal::Blocks(error) => {
            let failure = match error {
                BadInput::Json(error) => refuse("bad_json", format!("the input is no usable JSON: {error}")),
                BadInput::Yaml(error) => refuse("bad_yaml", format!("the input holds no blocks: {error}")),
                BadInput::Empty => refuse("bad_input", "the input is empty".to_owned()),
            };
            failure.hint(
                "nothing was written; send JSON with type, category, key and value, JSON lines, or memory_block: as YAML",
            )
        }
        Refusal::Text(BadText::Encoding { at }) => {
            refuse("bad_encoding", format!("the text is not UTF-8 from byte {at} on"))
                .hint("convert it first, for example with iconv -f WINDOWS-1252 -t UTF-8")
        }
        Refusal::Text(error @ BadText::Line { .. }) => refuse("bad_json", error.to_string())
            .hint("nothing was written; each line is one {\"role\": \"user\", \"text\": …}"),
        Refusal::NowOnLiveTree => {
            refuse("now_on_live_tree", "--now is for questions and tests: it can't write to the live tree".to_owned())
                .hint("leave --now and HERMES_MEM_NOW out, or use another --root")
        }
        Refusal::DemoExists { path } => {
            refuse("exists", format!("the demo needs a new folder, but {} exists", path.display()))
                .hint("name another: hermes-mem --root ./hermes-demo-2 init --demo")
        }
        Refusal::TakenBack { run, at, by } => {
            refuse("taken_back", format!("{run} was taken back on {at} by {by}")).hint("hermes-mem migrate list")
        }
        Refusal::NoTerminal { question, command } => {
            refuse("no_terminal", format!("{question}, and there is no terminal to ask on")).hint(command)
        }
    }
}

/// The group of commands for a kind of thing.
fn group(noun: &'static str) -> &'static str {
    if noun == "migration" { "migrate" } else { noun }
}

/// What speaks against the clock, as a sentence's beginning.
pub(super) fn clock_says(jump: ClockJump) -> String {
    match jump {
        ClockJump::Back { now, newest } => {
            format!("the clock says {now}, but the newest change on record is of {newest}")
        }
        ClockJump::SinceRun { now, last, max } => {
            format!("the clock says {now}, more than {max} after the last retention run of {last}")
        }
        ClockJump::SinceNewest { now, newest, max } => {
            format!("the clock says {now}, more than {max} after the newest time in the tree, {newest}")
        }
    }
}

fn clock(jump: ClockJump) -> Failure {
    Failure::new(Exit::Refused, "clock", format!("{}: nothing was deleted", clock_says(jump)))
        .hint("look at the clock (timedatectl); where it is right, run this once with --accept-clock")
}

fn backup(why: BackupWhy) -> Failure {
    let refuse = |code, headline: String| Failure::new(Exit::Refused, code, headline);
    match why {
        BackupWhy::NoKey => {
            refuse("no_backup_key", "no key is configured for backups, and there is no unencrypted backup".to_owned())
                .hint("make a pair: hermes-mem backup keygen --public FILE --secret FILE")
                .hint("and name the certificate in config.toml: [backup] recipient = \"/etc/hermes-mem/backup.asc\"")
        }
        BackupWhy::TwoKeys => refuse(
            "two_backup_keys",
            "[backup] names a recipient and a passphrase_file: backups are encrypted to one of them".to_owned(),
        )
        .hint("take one of the two out of the configuration"),
        BackupWhy::NoSecretKey => {
            refuse("no_secret_key", "it takes the secret key to open a backup, and none is named".to_owned())
                .hint("name it: --secret-key FILE")
        }
        BackupWhy::InTree { path, what } => refuse(
            "in_tree",
            format!("{} lies in the memory tree or beside the backups, where {what} must not lie", path.display()),
        )
        .hint("name a place elsewhere, best on another machine"),
        BackupWhy::Partial { left_out } => refuse(
            "partial_backup",
            format!("the fresh backup of what is there lacks {left_out} unreadable files; nothing was restored"),
        )
        .hint("look at them: hermes-mem doctor"),
    }
}

fn block(id: &str, why: BlockWhy) -> Failure {
    let refuse = |code, headline: String| Failure::new(Exit::Refused, code, headline);
    match why {
        BlockWhy::Verified => refuse("verified", format!("{id} is verified already")),
        BlockWhy::Rejected => refuse("rejected", format!("a human has rejected {id}")).hint(format!(
            "see its review: hermes-mem block get {id} --peek; take it back with hermes-mem review undo"
        )),
        BlockWhy::Past => refuse("past", format!("{id} is history: another value holds now"))
            .hint(format!("see which: hermes-mem block history {id}")),
    }
}

fn review(id: &str, why: Why) -> Failure {
    let refuse = |code, headline: String| Failure::new(Exit::Refused, code, headline);
    match why {
        Why::Status { status, decided } => {
            let by = decided.map_or_else(String::new, |(by, at)| {
                let at = at.map_or_else(String::new, |at| format!(" on {}", local(at)));
                format!(", decided by {by}{at}")
            });
            let failure = refuse("wrong_status", format!("{id} is {}{by}", status.name()));
            match status {
                crate::domain::review::Status::Expired => {
                    failure.hint("nobody decided within 14 days; the agent has to propose it again")
                }
                crate::domain::review::Status::Pending => {
                    failure.hint(format!("approve it first: hermes-mem review approve {id}"))
                }
                _ => failure.hint(format!("take that back first: hermes-mem review undo {id}")),
            }
        }
        Why::SessionOpen { session, closes_at } => {
            let headline = format!(
                "{id} comes from {session}, which is still open; it closes by itself after {}",
                local(closes_at)
            );
            refuse("session_open", headline).hint(format!("hermes-mem session close {session}"))
        }
        Why::Conflict { place } => {
            let place = place.map_or_else(|| "the vault".to_owned(), |place| format!("the vault ({place})"));
            refuse("conflict", format!("{id} contradicts {place}"))
                .hint("where the vault is out of date, say why: --resolve \"…\"")
                .hint(format!("look at both: hermes-mem review show {id}"))
        }
        Why::Hedged { word } => {
            let word = word.map_or_else(String::new, |word| format!(" (\"{word}\")"));
            refuse("hedged", format!("{id} reads like a conjecture, plan or intention{word}; the vault takes none"))
                .hint("where it is a fact by now, say why: --resolve \"…\"")
                .hint(format!("or put it plainly: hermes-mem review edit {id}"))
        }
        Why::Suspicious { found } => refuse(
            "suspicious",
            format!("{id} reads like an instruction to a model, or hides characters: {}", found.join(", ")),
        )
        .hint(format!("look at it: hermes-mem review show {id}"))
        .hint("and then repeat with --acknowledge"),
        Why::PersonalData { fields } => {
            refuse("personal_data", format!("{id} held personal data or a credential in {}", fields.join(", ")))
                .hint(format!("put it without: hermes-mem review edit {id}"))
                .hint(format!("or reject it: hermes-mem review reject {id} --reason \"…\""))
        }
        Why::NoEvidence => refuse("no_evidence", format!("{id} needs a proof of source"))
            .hint("--evidence \"text, URL, commit or path\""),
        Why::EmptyEvidence => refuse("no_evidence", format!("of the evidence for {id} nothing is left after masking"))
            .hint("name a document, commit or page, not a person"),
        Why::NoReason => refuse("no_reason", format!("rejecting {id} needs a reason")).hint("--reason \"…\""),
        Why::NotInVault { page } => {
            let page = page.unwrap_or_else(|| "the vault".to_owned());
            refuse("not_in_vault", format!("{page} does not say what {id} says, as far as can be told"))
                .hint("where it stands there in other words: --unchecked")
        }
        Why::Changed => refuse("changed", format!("{id} was changed since it was shown"))
            .hint(format!("look again: hermes-mem review show {id}")),
        Why::BlockGone { block } => {
            refuse("block_gone", format!("{block}, the block that {id} is about, was forgotten"))
                .hint(format!("reject it: hermes-mem review reject {id} --reason \"forgotten\""))
        }
        Why::BlockDiffers { block } => {
            refuse("block_differs", format!("{id} and its block {block} do not say the same any more"))
                .hint("add the block as it should be, propose it, and reject this review")
        }
        Why::NothingToUndo => refuse("nothing_to_undo", format!("{id} has no decision to take back")),
    }
}
