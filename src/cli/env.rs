//! What the program takes from its surroundings: the one place that reads environment variables and looks for a terminal.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

/// The environment, read once.
#[allow(clippy::struct_excessive_bools, reason = "each is one fact about the surroundings")]
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `HERMES_MEM_ROOT`.
    pub root: Option<PathBuf>,
    /// `HERMES_MEM_CONFIG`.
    pub config: Option<PathBuf>,
    /// `HERMES_MEM_AGENT`.
    pub agent: Option<String>,
    /// `HERMES_MEM_NOW`.
    pub now: Option<String>,
    /// `VISUAL`, else `EDITOR`.
    pub editor: Option<OsString>,
    /// `XDG_RUNTIME_DIR`.
    pub runtime_dir: Option<PathBuf>,
    /// `SUDO_UID`.
    pub sudo_uid: Option<u32>,
    /// The program's own file.
    pub program: Option<PathBuf>,
    /// `NO_COLOR` is set and not empty.
    pub no_color: bool,
    /// `CLICOLOR_FORCE` is set and not `0`.
    pub force_color: bool,
    /// `TERM` is `dumb`: no colours and no prompts.
    pub dumb: bool,
    /// Standard input is a terminal.
    pub stdin_tty: bool,
    /// Standard output is a terminal.
    pub stdout_tty: bool,
    /// Standard error is a terminal.
    pub stderr_tty: bool,
    /// The columns of the terminal that standard output, else standard error, is.
    pub width: Option<u16>,
}

impl Environment {
    /// Reads the process's environment.
    pub fn read() -> Self {
        #[allow(clippy::disallowed_methods, reason = "this is the place that reads the environment")]
        let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let text = |name: &str| var(name).and_then(|value| value.into_string().ok());
        let (stdout, stderr) = (std::io::stdout(), std::io::stderr());
        let columns = rustix::termios::tcgetwinsize(&stdout)
            .or_else(|_| rustix::termios::tcgetwinsize(&stderr))
            .ok()
            .map(|size| size.ws_col)
            .filter(|columns| *columns > 0);
        let width = text("COLUMNS").and_then(|columns| columns.parse().ok()).or(columns).or(Some(80));
        Self {
            root: var("HERMES_MEM_ROOT").map(PathBuf::from),
            config: var("HERMES_MEM_CONFIG").map(PathBuf::from),
            agent: text("HERMES_MEM_AGENT"),
            now: text("HERMES_MEM_NOW"),
            editor: var("VISUAL").or_else(|| var("EDITOR")),
            runtime_dir: var("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute()),
            sudo_uid: text("SUDO_UID").and_then(|uid| uid.parse().ok()),
            program: std::env::current_exe().ok(),
            no_color: var("NO_COLOR").is_some(),
            force_color: text("CLICOLOR_FORCE").is_some_and(|value| value != "0"),
            dumb: text("TERM").is_some_and(|term| term == "dumb"),
            stdin_tty: std::io::stdin().is_terminal(),
            stdout_tty: stdout.is_terminal(),
            stderr_tty: stderr.is_terminal(),
            width,
        }
    }
}
