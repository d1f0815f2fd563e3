//! Questions on a real terminal: read from standard input, written to standard error.
//!
//! Keys are read by [`super::keys`] rather than by a prompt library: those leave the terminal's mode between two keys,
//! hide the cursor, take no notice of Ctrl-D, and let pasted text answer several questions. What happens here instead:
//!
//! - What was typed before a question is shown is thrown away, and so is what is left when it is answered.
//! - Pasted text never presses a key and never confirms. A line takes it, line breaks turned into blanks.
//! - Terminals that do not mark pasted text are caught by time: keys that come at once with others decide nothing
//!   (a key with its Enter does), and an Enter with more behind it is a blank in the line.

use std::io::{self, Write as _};

use unicode_width::UnicodeWidthStr;

use super::editor::Editor;
use super::keys::{Key, Raw};
use super::{PromptError, Prompter, help, picked, yes_or_no};
use crate::cli::sanitize;

/// Taken for the terminal's width where it does not tell.
const WIDTH: usize = 80;

/// The least room for typing beside a question; with less, the text is typed below it.
const TYPING_MIN: usize = 24;

/// Asks on the terminal, or refuses where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    usable: bool,
    color: bool,
}

impl Terminal {
    /// A prompter that asks only if standard input and standard error are both terminals and asking is not forbidden.
    pub fn new(stdin_tty: bool, stderr_tty: bool, no_input: bool) -> Self {
        Self { usable: stdin_tty && stderr_tty && !no_input, color: false }
    }

    /// Whether questions may be set off by weight.
    #[must_use]
    pub fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    /// Opens the terminal for one question, and leaves the cursor on a fresh line if it stays open.
    fn ask<T>(self, question: impl FnOnce(&Asking) -> Result<T, PromptError>) -> Result<T, PromptError> {
        if !self.usable {
            return Err(PromptError::NoTerminal);
        }
        let asking = Asking { raw: Raw::enter()?, color: self.color };
        let answer = question(&asking);
        if answer.is_err() {
            let _ = write("\n");
        }
        answer
    }
}

impl Prompter for Terminal {
    fn confirm(&mut self, question: &str) -> Result<bool, PromptError> {
        self.ask(|asking| {
            loop {
                match asking.typed(&format!("{question} [y/n]"), Paste::Refuse)? {
                    None => asking.note("pasted text decides nothing: type y or n, then Enter")?,
                    Some(text) => match yes_or_no(&text) {
                        Some(answer) => return Ok(answer),
                        None => asking.note("type y or n, then Enter")?,
                    },
                }
            }
        })
    }

    fn line(&mut self, question: &str, required: bool) -> Result<Option<String>, PromptError> {
        self.ask(|asking| {
            loop {
                let text = asking.typed(question, Paste::Take)?.filter(|text| !text.is_empty());
                if text.is_some() || !required {
                    return Ok(text);
                }
                asking.note("this can't be left empty; Esc to leave")?;
            }
        })
    }

    fn secret(&mut self, question: &str) -> Result<String, PromptError> {
        self.ask(|asking| {
            loop {
                match asking.entered(question, Paste::Take, Echo::Nothing)?.filter(|text| !text.is_empty()) {
                    Some(text) => return Ok(text),
                    None => asking.note("this can't be left empty; Esc to leave")?,
                }
            }
        })
    }

    fn choose(&mut self, question: &str, options: &[(&str, &str)]) -> Result<usize, PromptError> {
        self.ask(|asking| {
            if options.is_empty() {
                return Err(PromptError::Aborted);
            }
            let name_width = options.iter().map(|(name, _)| sanitize::line(name).width()).max().unwrap_or(0);
            let mut list = format!("{}\n", sanitize::block(question));
            for (number, (name, meaning)) in (1..).zip(options) {
                let (name, meaning) = (sanitize::line(name), sanitize::line(meaning));
                let gap = " ".repeat(name_width - name.width() + 2);
                list += format!("  {number:>2}  {name}{gap}{meaning}").trim_end();
                list.push('\n');
            }
            write(&list)?;
            let numbers = format!("number [1-{}]", options.len());
            loop {
                match asking.typed(&numbers, Paste::Refuse)?.and_then(|text| picked(&text, options)) {
                    Some(at) => return Ok(at),
                    None => asking.note("type one of the numbers, then Enter")?,
                }
            }
        })
    }

    fn key(&mut self, question: &str, keys: &[(char, &str)]) -> Result<char, PromptError> {
        let known: Vec<String> = keys.iter().map(|(key, _)| *key).filter(|key| *key != '?').map(String::from).collect();
        let question = format!("{question} [{},?]", known.join(","));
        self.ask(|asking| {
            let (before, prefix) = asking.split(&question);
            write(&before)?;
            loop {
                write(&prefix)?;
                let key = asking.single()?;
                match key {
                    Pressed::Key('?') => asking.note(&help(keys))?,
                    Pressed::Key(key) if keys.iter().any(|(known, _)| *known == key) => {
                        write(&format!("{key}\n"))?;
                        return Ok(key);
                    }
                    Pressed::Key(_) => asking.note("no such key; ? lists them")?,
                    Pressed::Enter => asking.note("Enter decides nothing; ? lists the keys")?,
                    Pressed::Several => asking.note("several keys came at once: none was taken")?,
                    Pressed::Resumed => write("\r")?,
                }
            }
        })
    }

    fn say(&mut self, text: &str) -> Result<(), PromptError> {
        write(text)?;
        if !text.ends_with('\n') {
            write("\n")?;
        }
        Ok(())
    }
}

/// What becomes of pasted text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paste {
    /// It is part of the line.
    Take,
    /// It is no answer.
    Refuse,
}

/// What is shown of a line while it is typed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Echo {
    Text,
    Nothing,
}

/// What was pressed where a single key is asked for.
enum Pressed {
    Key(char),
    Enter,
    Several,
    Resumed,
}

/// One question while it is open.
struct Asking {
    raw: Raw,
    color: bool,
}

impl Asking {
    /// A line typed and ended with Enter; nothing if it was pasted and that is refused.
    fn typed(&self, question: &str, paste: Paste) -> Result<Option<String>, PromptError> {
        self.entered(question, paste, Echo::Text)
    }

    fn entered(&self, question: &str, paste: Paste, echo: Echo) -> Result<Option<String>, PromptError> {
        let nothing = Editor::default();
        let (before, prefix) = self.split(question);
        write(&before)?;
        let mut editor = Editor::default();
        let mut pasted = false;
        loop {
            draw(&prefix, if echo == Echo::Text { &editor } else { &nothing })?;
            match self.raw.key()? {
                Key::Enter if self.raw.more_at_once()? => {
                    pasted = true;
                    editor.join();
                }
                Key::Enter => {
                    write("\n")?;
                    Raw::flush()?;
                    return Ok((paste == Paste::Take || !pasted).then(|| editor.text()));
                }
                Key::Escape | Key::HungUp => return Err(PromptError::Aborted),
                Key::EndOfInput if editor.is_empty() => return Err(PromptError::Aborted),
                key => {
                    pasted |= matches!(key, Key::Paste(_));
                    editor.press(key);
                    pasted &= !editor.is_empty();
                }
            }
        }
    }

    /// The next key that means something here.
    fn single(&self) -> Result<Pressed, PromptError> {
        let pressed = loop {
            match self.raw.key()? {
                Key::Char(key) => break Pressed::Key(key),
                Key::Enter => break Pressed::Enter,
                Key::Paste(_) => break Pressed::Several,
                Key::Resumed => return Ok(Pressed::Resumed),
                Key::Escape | Key::EndOfInput | Key::HungUp => return Err(PromptError::Aborted),
                _ => {}
            }
        };
        let mut several = false;
        while self.raw.more_at_once()? {
            several |= !matches!(self.raw.key()?, Key::Enter);
        }
        Ok(if several { Pressed::Several } else { pressed })
    }

    /// Ends the current line and says why the question is asked again.
    fn note(&self, text: &str) -> Result<(), PromptError> {
        // A typed line has ended itself; after a single key the cursor still stands behind the question.
        write("\r\x1b[K")?;
        let text = text.trim_end();
        let text = if self.color { format!("\x1b[2m{text}\x1b[0m\n") } else { format!("{text}\n") };
        Ok(write(&text)?)
    }

    /// The question wrapped to the screen: what stands above, and the line the answer is typed on.
    fn split(&self, question: &str) -> (String, String) {
        let width = width();
        let question = sanitize::block(question);
        let mut lines: Vec<_> = textwrap::wrap(question.trim_end(), width);
        let last = match lines.pop() {
            Some(last) if last.width() + TYPING_MIN <= width => format!("{last} "),
            Some(last) => {
                lines.push(last);
                "> ".to_owned()
            }
            None => "> ".to_owned(),
        };
        let strong = |text: &str| if self.color { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() };
        (lines.iter().map(|line| strong(line) + "\n").collect(), strong(&last))
    }
}

/// Draws the line that is being typed anew.
fn draw(prefix: &str, editor: &Editor) -> io::Result<()> {
    let taken = textwrap::core::display_width(prefix);
    let (shown, cursor) = editor.view(width().saturating_sub(taken));
    let column = taken + cursor;
    let forward = if column == 0 { String::new() } else { format!("\x1b[{column}C") };
    write(&format!("\r{prefix}{shown}\x1b[K\r{forward}"))
}

fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok();
    size.map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0).unwrap_or(WIDTH)
}

fn write(text: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    stderr.write_all(text.as_bytes())?;
    stderr.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_nothing_is_asked() {
        for (stdin_tty, stderr_tty, no_input) in [(false, true, false), (true, false, false), (true, true, true)] {
            let mut nobody = Terminal::new(stdin_tty, stderr_tty, no_input);
            assert!(matches!(nobody.confirm("sure?"), Err(PromptError::NoTerminal)));
            assert!(matches!(nobody.line("why?", false), Err(PromptError::NoTerminal)));
            assert!(matches!(nobody.choose("which?", &[("a", "")]), Err(PromptError::NoTerminal)));
            assert!(matches!(nobody.key("what?", &[('a', "")]), Err(PromptError::NoTerminal)));
        }
    }
}
