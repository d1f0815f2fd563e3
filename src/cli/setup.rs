//! From flags, environment and configuration to a context to work with.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::args::Global;
use super::env::Environment;
use super::error::{Exit, Failure};
use super::prompt::Terminal;
use super::ui::Ui;
use crate::app::actor::Actor;
use crate::app::clock::Clock;
use crate::app::config::{Config, DEFAULT_ROOT, FILE_MAX, SYSTEM_FILE};
use crate::app::{Context, Error, Operation, init, vault};
use crate::domain::agent::AgentId;
use crate::domain::time::Timestamp;
use crate::mask::Masker;
use crate::store::{Store, folder_owner, read_settings};

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Flag,
    /// The environment.
    Environment,
    /// The configuration file.
    File,
    /// Nobody has set it.
    Default,
}

impl Origin {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File => "file",
            Self::Default => "default",
        }
    }
}

/// The configuration as it was found.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The values.
    pub config: Config,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// The tree's folder.
    pub root: PathBuf,
    /// Where the root came from.
    pub root_origin: Origin,
}

/// One run of the program: its surroundings, and where its answer goes.
#[derive(Debug)]
pub struct Session {
    /// What applies to every command.
    pub global: Global,
    /// The environment.
    pub env: Environment,
    /// The output.
    pub ui: Ui,
    masker: Masker,
}

impl Session {
    /// A run with these flags.
    pub(super) fn new(global: Global, env: Environment) -> Self {
        let manner =
            super::ui::Manner { json: global.json, color: global.color, quiet: global.quiet, verbose: global.verbose };
        let ui = Ui::new(&env, manner).with_root(global.root.as_deref());
        Self { global, env, ui, masker: Masker::default() }
    }

    /// Finds and reads the configuration: the file that is named, else the tree's, else the system's. Who is who comes from
    /// the tree's and the system's, whatever is named.
    ///
    /// # Errors
    /// When the file that was named is missing or may not be named by this user, or a file is wrong.
    pub fn load(&self) -> Result<Loaded, Failure> {
        let named = match self.global.config.clone().or_else(|| self.env.config.clone()) {
            Some(file) => Some((read_config(&file, true)?, file)),
            None => None,
        };
        let system = read_standing(SYSTEM_FILE.into())?;
        let (root, root_origin) = self.root([&named, &system]);
        let of_tree = read_standing(root.join("config.toml"))?;
        if let Some((_, file)) = of_tree.as_ref().filter(|(config, _)| config.root.is_some()) {
            let problem = crate::app::config::ConfigProblem {
                key: "root".to_owned(),
                what: "can't be set by the file in the tree itself; use HERMES_MEM_ROOT or /etc/hermes-mem/config.toml"
                    .to_owned(),
            };
            return Err(Error::Config { file: file.clone(), problems: vec![problem] }.into());
        }
        let is_named = named.is_some();
        let (mut config, file) = match named.or_else(|| of_tree.clone()).or_else(|| system.clone()) {
            Some((config, file)) => (config, Some(file)),
            None => (Config::default(), None),
        };
        let mut standing = Config::default();
        for (other, _) in of_tree.into_iter().chain(system) {
            standing.keep_people(other);
        }
        if is_named {
            let actor = Actor::current(self.env.sudo_uid, folder_owner(&root));
            actor.may_choose_the_configuration(&standing)?;
        }
        config.keep_people(standing);
        Ok(Loaded { config, file, root, root_origin })
    }

    /// The tree's folder: the flag, the environment, a file outside the tree, else the default.
    fn root(&self, files: [&Option<(Config, PathBuf)>; 2]) -> (PathBuf, Origin) {
        let in_file = || files.into_iter().flatten().find_map(|(config, _)| config.root.clone());
        let (root, origin) = match (&self.global.root, &self.env.root, in_file()) {
            (Some(root), ..) => (root.clone(), Origin::Flag),
            (None, Some(root), _) => (root.clone(), Origin::Environment),
            (None, None, Some(root)) => (root, Origin::File),
            (None, None, None) => (DEFAULT_ROOT.into(), Origin::Default),
        };
        (std::path::absolute(&root).unwrap_or(root), origin)
    }

    /// The clock: the flag, the environment, else the system's.
    ///
    /// # Errors
    /// When the environment holds no time.
    pub fn clock(&self) -> Result<Clock, Failure> {
        match (self.global.now, &self.env.now) {
            (Some(now), _) => Ok(Clock::Fixed(now)),
            (None, Some(text)) => Timestamp::parse(text)
                .map(Clock::Fixed)
                .map_err(|error| Failure::new(Exit::Usage, "usage", format!("HERMES_MEM_NOW is {error}"))),
            (None, None) => Ok(Clock::System),
        }
    }

    /// Opens the tree.
    ///
    /// # Errors
    /// When there is none, or the configuration is wrong.
    pub fn context(&mut self) -> Result<Context, Failure> {
        let loaded = self.load()?;
        self.open(loaded)
    }

    /// Opens the tree of a configuration that was read.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(&mut self, loaded: Loaded) -> Result<Context, Failure> {
        self.masker = Masker::new(loaded.config.unmasked_names());
        vault::check_outside(&loaded.config, &loaded.root)?;
        let modes = init::modes(&loaded.config)?;
        let store = Store::open(&loaded.root, modes, self.masker.clone())?;
        // Text that an editor left behind whose program died does not stay.
        store.sweep_scratch(self.env.runtime_dir.as_deref());
        let mut ctx = Context::new(store, self.clock()?, loaded.config);
        if let Some(wait) = self.global.wait {
            ctx.wait = Duration::from_secs(wait.seconds());
        }
        ctx.runtime_dir.clone_from(&self.env.runtime_dir);
        ctx.sudo_uid = self.env.sudo_uid;
        Ok(ctx)
    }

    /// The masker for commands that need no tree.
    ///
    /// # Errors
    /// When the configuration is wrong.
    pub fn masker(&mut self) -> Result<Masker, Failure> {
        self.masker = Masker::new(self.load()?.config.unmasked_names());
        Ok(self.masker.clone())
    }

    /// Someone to ask.
    pub fn prompter(&self) -> Terminal {
        let no_input = self.global.no_input || self.env.dumb || self.global.json;
        Terminal::new(self.env.stdin_tty, self.env.stderr_tty, no_input).color(self.ui.err_screen().color)
    }

    /// Whether there is someone to ask.
    pub fn can_ask(&self) -> bool {
        self.env.stdin_tty && self.env.stderr_tty && !self.global.no_input && !self.env.dumb && !self.global.json
    }

    /// The agent that acts, if one is named or the configuration gives the user one.
    ///
    /// # Errors
    /// When the environment names none, or the user is another agent's.
    pub fn agent(&self, ctx: &Context, given: Option<AgentId>) -> Result<AgentId, Failure> {
        Ok(ctx.actor().agent(&ctx.config, self.named_agent(given)?)?)
    }

    /// The agent that acts, where the user is an agent's or one is named; `None`: a person.
    ///
    /// # Errors
    /// When the environment names none, or the user is another agent's.
    pub fn agent_if_any(
        &self,
        ctx: &Context,
        op: &'static str,
        given: Option<AgentId>,
    ) -> Result<Option<AgentId>, Failure> {
        let named = self.named_agent(given)?;
        match ctx.audited(&Operation::new(op), || ctx.actor().agent(&ctx.config, named)) {
            Ok(agent) => Ok(Some(agent)),
            Err(Error::NoAgent) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The agent that is named by flag or environment, if one is.
    ///
    /// # Errors
    /// When the environment names none.
    pub fn named_agent(&self, given: Option<AgentId>) -> Result<Option<AgentId>, Failure> {
        match (given, &self.env.agent) {
            (Some(agent), _) => Ok(Some(agent)),
            (None, Some(name)) => AgentId::parse(name)
                .map(Some)
                .map_err(|error| Failure::new(Exit::Usage, "usage", format!("HERMES_MEM_AGENT: {error}"))),
            (None, None) => Ok(None),
        }
    }

    /// Tells of something that went wrong while the rest goes on.
    pub fn tell(&self, failure: &Failure) {
        failure.tell(&self.ui, &self.masker);
    }

    /// Writes the answer, tells what went wrong, and gives the exit status.
    pub(super) fn finish(&mut self, outcome: Result<Exit, Failure>) -> u8 {
        let flushed = self.ui.flush();
        let exit = match outcome {
            Ok(exit) => exit,
            Err(failure) => {
                failure.tell(&self.ui, &self.masker);
                failure.exit
            }
        };
        if let Err(error) = flushed {
            let failure = Failure::new(Exit::Failed, "stdout", format!("the answer could not be written: {error}"))
                .hint("what the command changed, if anything, is in the tree");
            failure.tell(&self.ui, &self.masker);
            return Exit::Failed as u8;
        }
        exit as u8
    }
}

/// A file at a fixed place, if it is there.
fn read_standing(file: PathBuf) -> Result<Option<(Config, PathBuf)>, Failure> {
    if file.exists() { Ok(Some((read_config(&file, false)?, file))) } else { Ok(None) }
}

fn read_config(file: &Path, is_named: bool) -> Result<Config, Failure> {
    let bytes = match read_settings(file, FILE_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() && is_named => {
            return Err(Failure::new(
                Exit::Failed,
                "bad_config",
                format!("there is no configuration {}", file.display()),
            )
            .hint("name another with --config FILE, or unset HERMES_MEM_CONFIG"));
        }
        Err(error) => return Err(error.into()),
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes().iter().take(error.utf8_error().valid_up_to()).filter(|byte| **byte == b'\n').count() + 1;
        Failure::new(
            Exit::Failed,
            "bad_config",
            format!("the configuration {} is not UTF-8 at line {line}", file.display()),
        )
    })?;
    Config::parse(&text).map_err(|problems| Error::Config { file: file.to_owned(), problems }.into())
}
