//! The program on a pseudo-terminal, as a person sees it.

use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;
use expectrl::{Eof, Expect, Session};

use crate::world::World;

/// The program on a pseudo-terminal.
pub(crate) struct Screen {
    session: OsSession,
    /// All that was shown so far.
    pub(crate) shown: String,
}

impl Screen {
    /// Starts the program on a screen so many columns wide.
    pub(crate) fn open(world: &World, columns: usize, args: &[&str], env: &[(&str, &str)]) -> Self {
        Self::script(world, columns, "exec \"$@\"", args, env)
    }

    /// Starts a shell script there, with the program and its arguments as `$@`.
    pub(crate) fn script(world: &World, columns: usize, script: &str, args: &[&str], env: &[(&str, &str)]) -> Self {
        let plain = world.command(args);
        let mut command = Command::new("sh");
        // The line it waits for comes once the pseudo-terminal is made, which gives it a width of its own.
        let script = format!("read -r _; stty cols {columns} rows 50; {script}");
        command.args(["-c", &script, "sh"]).arg(plain.get_program()).args(plain.get_args());
        command.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.envs(env.iter().copied()).env("TERM", "xterm").current_dir(world.dir());
        let mut session = Session::spawn(command).unwrap();
        session.set_expect_timeout(Some(Duration::from_secs(10)));
        session.send("\n").unwrap();
        Self { session, shown: String::new() }
    }

    /// Waits until a text is shown.
    #[track_caller]
    pub(crate) fn sees(&mut self, text: &str) {
        match self.session.expect(text) {
            Ok(found) => self.shown += &String::from_utf8_lossy(found.as_bytes()),
            Err(error) => self.give_up(&format!("{text:?} was not shown ({error})")),
        }
    }

    /// Waits for a question, then types the answer.
    #[track_caller]
    pub(crate) fn answer(&mut self, question: &str, typed: &str) {
        self.sees(question);
        self.session.send(typed).unwrap();
    }

    /// Waits for the end; answers all that was shown, and the exit status.
    #[track_caller]
    pub(crate) fn end(&mut self) -> (String, i32) {
        match self.session.expect(Eof) {
            Ok(rest) => self.shown += &String::from_utf8_lossy(rest.as_bytes()),
            Err(error) => self.give_up(&format!("it does not end ({error})")),
        }
        match self.session.get_process().wait().unwrap() {
            WaitStatus::Exited(_, code) => (self.shown.clone(), code),
            WaitStatus::Signaled(_, signal, _) => (self.shown.clone(), 128 + signal as i32),
            other => panic!("{other:?}: {}", self.shown),
        }
    }

    /// Ends the program, which waits for something else than the test does, and fails.
    #[track_caller]
    fn give_up(&mut self, why: &str) -> ! {
        let _ = self.session.get_process_mut().exit(true);
        let rest = self.session.expect(Eof).map(|rest| String::from_utf8_lossy(rest.as_bytes()).into_owned());
        panic!("{why}:\n{}{}", self.shown, rest.unwrap_or_default());
    }

    /// The end has to be with this status; answers all that was shown.
    #[track_caller]
    pub(crate) fn exits(&mut self, code: i32) -> String {
        let (shown, ended) = self.end();
        assert_eq!(ended, code, "{shown}");
        shown
    }
}
