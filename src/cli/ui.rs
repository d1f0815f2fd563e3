//! Where output goes: the answer to stdout, all else to stderr.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::env::Environment;
use super::table::Screen;

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to talk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// JSON on stdout, errors as JSON on stderr.
    pub json: bool,
    /// Colours.
    pub color: ColorWhen,
    /// No status lines and no hints.
    pub quiet: bool,
    /// More status lines.
    pub verbose: bool,
}

/// The program's name in a hint.
const PROGRAM: &str = "hermes-mem ";

/// The output of one command. What it answers is written at once, when the command has done its work.
#[derive(Debug)]
pub struct Ui {
    manner: Manner,
    screen: Screen,
    err_screen: Screen,
    out: String,
    /// `--root DIR` where that was given: a hint that leaves it out can't be pasted.
    root: Option<String>,
    /// Lines for stderr that follow the answer.
    notes: RefCell<Vec<String>>,
    /// What kept a part of the answer from being written.
    lost: Option<io::Error>,
}

impl Ui {
    /// The output for this environment.
    pub fn new(env: &Environment, manner: Manner) -> Self {
        let color = |tty: bool| match manner.color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => env.force_color || (tty && !env.no_color && !env.dumb),
        };
        let screen = |tty: bool| Screen { width: env.width.filter(|_| tty), color: color(tty) };
        Self {
            manner,
            screen: screen(env.stdout_tty),
            err_screen: screen(env.stderr_tty),
            out: String::new(),
            root: None,
            notes: RefCell::default(),
            lost: None,
        }
    }

    /// The same for a run in which the tree was named on the command line.
    #[must_use]
    pub fn with_root(mut self, root: Option<&Path>) -> Self {
        // A path that a shell would take apart is left to the reader.
        let plain = |ch: char| ch.is_alphanumeric() || matches!(ch, '/' | '.' | '-' | '_');
        self.root = root.map(|root| root.display().to_string()).filter(|root| root.chars().all(plain));
        self
    }

    /// A hint with the tree named in its command, if it was named on the command line.
    pub fn pasteable(&self, hint: &str) -> String {
        match &self.root {
            Some(root) if !hint.contains("--root") => hint.replace(PROGRAM, &format!("{PROGRAM}--root {root} ")),
            _ => hint.to_owned(),
        }
    }

    /// Whether the answer is JSON.
    pub fn json(&self) -> bool {
        self.manner.json
    }

    /// Whether more than the necessary is wanted.
    pub fn verbose(&self) -> bool {
        self.manner.verbose
    }

    /// What stdout can show.
    pub fn screen(&self) -> &Screen {
        &self.screen
    }

    /// What stderr can show.
    pub fn err_screen(&self) -> &Screen {
        &self.err_screen
    }

    /// Adds to the answer. Text from outside has to be sanitized before.
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Adds a line to the answer.
    pub fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Makes a JSON document the answer: its fields behind `"schema": 1`.
    pub fn document(&mut self, fields: Value) {
        let mut document = Map::new();
        document.insert("schema".to_owned(), Value::from(1));
        match fields {
            Value::Object(fields) => document.extend(fields),
            other => {
                document.insert("value".to_owned(), other);
            }
        }
        self.out.push_str(&serde_json::to_string_pretty(&document).unwrap_or_default());
        self.out.push('\n');
    }

    /// Makes a JSON document the answer that holds a list, which may be long: each row is made when it is written. The fields of
    /// `rest` follow it.
    pub fn rows(&mut self, name: &str, rows: impl Iterator<Item = Value>, rest: &Map<String, Value>) {
        let document = Rows { name, list: RefCell::new(rows), rest };
        // What can't be written is remembered where it is written.
        let _ = serde_json::to_writer_pretty(Answer(self), &document);
        self.out.push('\n');
    }

    /// Writes what there is of the answer so far, once it is long: for answers that may not fit into memory. `false`: it can't be
    /// written, so nobody wants the rest; [`flush`](Self::flush) says why.
    pub fn spill(&mut self) -> bool {
        const LONG: usize = 1 << 20;
        if self.lost.is_none() && self.out.len() >= LONG {
            self.lost = io::stdout().lock().write_all(self.out.as_bytes()).err();
            self.out.clear();
        }
        self.lost.is_none()
    }

    /// Says something about the work, behind the answer, unless it is to be quiet.
    pub fn status(&self, line: &str) {
        if !self.manner.quiet && !self.manner.json {
            self.notes.borrow_mut().push(line.to_owned());
        }
    }

    /// Warns, behind the answer. A JSON answer carries its warnings itself.
    pub fn warning(&self, line: &str) {
        if !self.manner.json {
            self.notes.borrow_mut().push(format!("{}: {line}", self.paint("warning", "33")));
        }
    }

    /// Suggests what to do next, behind the answer, unless it is to be quiet.
    pub fn hint(&self, line: &str) {
        if !self.manner.quiet && !self.manner.json {
            self.notes.borrow_mut().push(format!("{}: {}", self.paint("hint", "36"), self.pasteable(line)));
        }
    }

    /// Writes a line to stderr at once. Where that fails there is nobody left to tell.
    #[allow(clippy::unused_self, reason = "it stands beside the other ways to say something")]
    pub fn err(&self, line: &str) {
        let _ = writeln!(io::stderr().lock(), "{line}");
    }

    /// A word for stderr, in a colour where colours are used.
    pub fn paint(&self, word: &str, code: &str) -> String {
        if self.err_screen.color { format!("\u{1b}[1;{code}m{word}\u{1b}[0m") } else { word.to_owned() }
    }

    /// Writes the answer, and behind it what is said on stderr.
    ///
    /// # Errors
    /// When stdout can't be written; a pipe that was closed is no error.
    pub fn flush(&mut self) -> io::Result<()> {
        let answer = std::mem::take(&mut self.out);
        let mut stdout = io::stdout().lock();
        let whole = match self.lost.take() {
            Some(lost) => Err(lost),
            None => stdout.write_all(answer.as_bytes()).and_then(|()| stdout.flush()),
        };
        let written = match whole {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        };
        for note in std::mem::take(self.notes.get_mut()) {
            self.err(&note);
        }
        written
    }
}

/// A JSON document with a list whose rows come one by one.
struct Rows<'a, I> {
    name: &'a str,
    list: RefCell<I>,
    rest: &'a Map<String, Value>,
}

impl<I: Iterator<Item = Value>> Serialize for Rows<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &1)?;
        map.serialize_entry(self.name, &List(&self.list))?;
        for (name, value) in self.rest {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

struct List<'a, I>(&'a RefCell<I>);

impl<I: Iterator<Item = Value>> Serialize for List<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

/// The answer as something to write to.
struct Answer<'a>(&'a mut Ui);

impl Write for Answer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.0.out.push_str(text);
        if self.0.spill() { Ok(bytes.len()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
