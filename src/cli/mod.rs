//! The command line: the only layer that knows clap, a terminal or the environment.

pub mod args;
pub mod commands;
pub mod complete;
pub mod env;
mod error;
pub mod examples;
pub mod panic;
mod progress;
pub mod prompt;
mod report;
pub mod sanitize;
mod setup;
pub mod table;
mod ui;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};

pub use error::{Exit, Failure};
pub use setup::Session;

use args::Cli;
use env::Environment;
use ui::{ColorWhen, Manner, Ui};

use crate::mask::Masker;

/// Runs the program and answers its exit status.
pub fn run(args: Vec<OsString>, env: Environment) -> u8 {
    let wants_json = args.iter().any(|arg| arg == "--json");
    // Only a page of help needs the examples.
    let wants_help = args.iter().any(|arg| arg == "--help");
    let command = if wants_help { examples::command() } else { Cli::command() };
    let parsed = command.try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return explain(&error, &env, wants_json),
    };
    let mut session = Session::new(cli.global, env);
    let outcome = commands::run(cli.command, &mut session);
    session.finish(outcome)
}

/// Tells what is wrong with the command line, or shows the help that was asked for.
fn explain(error: &clap::Error, env: &Environment, json: bool) -> u8 {
    let mut ui = Ui::new(env, Manner { json, color: ColorWhen::Auto, ..Manner::default() });
    if !error.use_stderr() {
        let text = error.render();
        ui.text(&if ui.screen().color { text.ansi().to_string() } else { text.to_string() });
        return if ui.flush().is_ok() { Exit::Done as u8 } else { Exit::Failed as u8 };
    }
    let text = error.render().to_string();
    let text = text.trim_end().strip_prefix("error: ").unwrap_or(text.trim_end());
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let headline = lines.next().unwrap_or("the command line is wrong").to_owned();
    let details = lines.map(|line| line.trim_start().to_owned());
    Failure::new(Exit::Usage, "usage", headline).details(details).tell(&ui, &Masker::default());
    Exit::Usage as u8
}
