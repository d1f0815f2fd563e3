//! A bar for what takes longer than a second, on a terminal only.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::setup::Session;

/// Work that is done sooner shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a piece of work has come.
#[derive(Debug)]
pub(super) struct Progress {
    what: &'static str,
    start: Instant,
    is_wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// The progress of a piece of work; it shows nothing yet.
    pub(super) fn new(what: &'static str, session: &Session) -> Self {
        let is_wanted = session.env.stderr_tty && !session.env.dumb && !session.global.quiet && !session.global.json;
        Self { what, start: Instant::now(), is_wanted, bar: None }
    }

    /// Whether a bar would be shown at all.
    pub(super) const fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// So many of so many are done.
    pub(super) fn step(&mut self, done: usize, of: usize) {
        if !self.is_wanted || self.start.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(of as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len} {eta}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
            bar.set_message(self.what);
            bar
        });
        bar.set_position(done as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
