//! The commands: each reads its arguments, builds a request, calls `app`, and hands the outcome to `report`.

pub mod audit;
pub mod backup;
pub mod block;
pub mod completions;
pub mod config;
pub mod doctor;
pub mod erase;
pub mod extract;
pub mod init;
pub mod mask;
pub mod migrate;
pub mod retention;
pub mod review;
pub mod session;
pub mod status;
pub mod vault;

use super::args::Command;
use super::{Exit, Failure, Session};

/// What a command answers.
pub type Outcome = Result<Exit, Failure>;

/// Runs a command.
pub(super) fn run(command: Command, session: &mut Session) -> Outcome {
    match command {
        Command::Init(args) => init::run(&args, session),
        Command::Status(args) => status::run(&args, session),
        Command::Session(command) => session::run(command, session),
        Command::Review(command) => review::run(command, session),
        Command::Retention(command) => retention::run(&command, session),
        Command::Erase(args) => erase::run(&args, session),
        Command::Backup(command) => backup::run(command, session),
        Command::Block(command) => block::run(command, session),
        Command::Extract(args) => extract::run(&args, session),
        Command::Migrate(command) => migrate::run(&command, session),
        Command::Vault(command) => vault::run(command, session),
        Command::Mask(args) => mask::run(&args, session),
        Command::Audit(command) => audit::run(command, session),
        Command::Doctor(args) => doctor::run(&args, session),
        Command::Config(command) => config::run(&command, session),
        Command::Completions(args) => completions::run(&args, session),
    }
}
