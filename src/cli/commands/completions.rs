//! `completions`

use clap::{Args, ValueEnum};

use super::Outcome;
use crate::cli::{Exit, Session};

/// A shell that completions exist for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Shell {
    /// Put it into `~/.local/share/bash-completion/completions/hermes-mem`
    Bash,
    /// Put it into `~/.config/fish/completions/hermes-mem.fish`
    Fish,
    /// Put it as `_hermes-mem` into a folder of `$fpath`
    Zsh,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that will source it
    #[arg(value_enum)]
    pub shell: Shell,
}

#[allow(clippy::unnecessary_wraps, reason = "every command answers alike")]
/// Prints the completion script of a shell: a stub that asks the program itself, so that ids complete too.
pub(super) fn run(args: &CompletionsArgs, session: &mut Session) -> Outcome {
    session.ui.text(match args.shell {
        Shell::Bash => include_str!("../../../completions/hermes-mem.bash"),
        Shell::Fish => include_str!("../../../completions/hermes-mem.fish"),
        Shell::Zsh => include_str!("../../../completions/_hermes-mem"),
    });
    Ok(Exit::Done)
}
