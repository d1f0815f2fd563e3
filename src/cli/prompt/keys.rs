//! The keyboard, one key at a time, and the terminal's mode while a question is open.
//!
//! [`Raw`] holds the terminal in a mode without echo and line buffering for the whole of one question. Typed-ahead
//! input is thrown away at both ends, so that an answer can only be given to a question that has been seen. The cursor
//! is never hidden. Ctrl-C arrives as a key; SIGINT, SIGTERM and SIGHUP from elsewhere wake the wait through a pipe,
//! and find the terminal as it was before the question. Between questions these signals act as if nobody handled them.
//!
//! Bracketed paste is switched on, so that pasted text arrives as one event and not as keys that decide.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{self, InputModes, LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::{flag, low_level};

use super::PromptError;

/// How long the rest of an escape sequence may take; after that, Esc was a key of its own.
const SEQUENCE: Duration = Duration::from_millis(50);

/// How long the next byte of a paste may take; after that, its end got lost.
const PASTE: Duration = Duration::from_secs(1);

/// The most a paste may hold, in bytes. What is beyond is thrown away.
const PASTE_MAX: usize = 64 * 1024;

/// Input that follows a key within this time was not typed after it, but came with it.
const BURST: Duration = Duration::from_millis(10);

/// What came from the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// A character to be taken as it is.
    Char(char),
    /// Text that was pasted, with its control characters.
    Paste(String),
    Enter,
    Backspace,
    Delete,
    Left,
    Right,
    Home,
    End,
    /// Ctrl-U: away with what stands before the cursor.
    EraseBefore,
    /// Ctrl-K: away with what stands behind the cursor.
    EraseAfter,
    /// Ctrl-W: away with the word before the cursor.
    EraseWord,
    Escape,
    /// Ctrl-D.
    EndOfInput,
    /// The terminal is gone.
    HungUp,
    /// The screen may have changed: the program was stopped and goes on.
    Resumed,
    /// Any other key.
    Other,
}

/// The terminal while a question is open. Dropping it puts everything back.
pub(super) struct Raw {
    saved: Termios,
    signals: Signals,
}

impl Raw {
    /// Opens the terminal for one question. Only one can be open at a time.
    pub(super) fn enter() -> Result<Self, PromptError> {
        let signals = Signals::catch()?;
        let saved = termios::tcgetattr(io::stdin()).map_err(io::Error::from)?;
        let raw = Self { saved, signals };
        raw.set()?;
        Ok(raw)
    }

    fn set(&self) -> io::Result<()> {
        let mut mode = self.saved.clone();
        mode.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN);
        mode.input_modes.remove(InputModes::IXON);
        mode.special_codes[SpecialCodeIndex::VMIN] = 1;
        mode.special_codes[SpecialCodeIndex::VTIME] = 0;
        termios::tcsetattr(io::stdin(), OptionalActions::Flush, &mode)?;
        io::stderr().write_all(b"\x1b[?2004h")
    }

    fn restore(&self) {
        // The mode first: it matters most, and a failing write must not prevent it.
        let _ = termios::tcsetattr(io::stdin(), OptionalActions::Flush, &self.saved);
        let _ = io::stderr().write_all(b"\x1b[?2004l\x1b[?25h");
    }

    /// Throws away what was typed so far.
    pub(super) fn flush() -> io::Result<()> {
        Ok(termios::tcflush(io::stdin(), QueueSelector::IFlush)?)
    }

    /// Whether more input came together with the last key, as from a paste the terminal does not mark.
    pub(super) fn more_at_once(&self) -> Result<bool, PromptError> {
        self.wait(Some(BURST))
    }

    /// Waits for the next key.
    pub(super) fn key(&self) -> Result<Key, PromptError> {
        let Some(byte) = self.byte(None)? else { return Ok(Key::HungUp) };
        Ok(match byte {
            0x03 => return Err(PromptError::Interrupted),
            0x04 => Key::EndOfInput,
            0x1a => self.suspend()?,
            0x1b => self.sequence()?,
            b'\r' | b'\n' => Key::Enter,
            0x7f | 0x08 => Key::Backspace,
            0x01 => Key::Home,
            0x05 => Key::End,
            0x0b => Key::EraseAfter,
            0x15 => Key::EraseBefore,
            0x17 => Key::EraseWord,
            0x00..=0x1f => Key::Other,
            _ => self.character(byte)?,
        })
    }

    /// The character that begins with `first`, in UTF-8.
    fn character(&self, first: u8) -> Result<Key, PromptError> {
        let mut bytes = vec![first];
        let length = match first {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => 1,
        };
        while bytes.len() < length {
            let Some(byte) = self.byte(Some(SEQUENCE))? else { return Ok(Key::Other) };
            bytes.push(byte);
        }
        let text = std::str::from_utf8(&bytes).ok();
        Ok(text.and_then(|text| text.chars().next()).filter(|ch| !ch.is_control()).map_or(Key::Other, Key::Char))
    }

    /// What follows an ESC. A sequence that is not known is one key that means nothing, so that its letters decide
    /// nothing either.
    fn sequence(&self) -> Result<Key, PromptError> {
        match self.byte(Some(SEQUENCE))? {
            None | Some(0x1b) => return Ok(Key::Escape),
            Some(b'[' | b'O') => {}
            Some(_) => return Ok(Key::Other),
        }
        let mut code = Vec::new();
        while let Some(byte) = self.byte(Some(SEQUENCE))? {
            code.push(byte);
            if matches!(byte, 0x40..=0x7e) || code.len() > 32 {
                break;
            }
        }
        Ok(match code.as_slice() {
            b"C" => Key::Right,
            b"D" => Key::Left,
            b"H" | b"1~" | b"7~" => Key::Home,
            b"F" | b"4~" | b"8~" => Key::End,
            b"3~" => Key::Delete,
            b"200~" => self.paste()?,
            _ => Key::Other,
        })
    }

    fn paste(&self) -> Result<Key, PromptError> {
        const END: &[u8] = b"\x1b[201~";
        let mut bytes = Vec::new();
        let mut tail = Vec::new();
        while let Some(byte) = self.byte(Some(PASTE))? {
            tail.push(byte);
            if tail.ends_with(END) {
                tail.truncate(tail.len() - END.len());
                break;
            }
            // Only the last bytes have to be looked at; the rest is the paste, as far as there is room for it.
            if tail.len() >= 2 * END.len() {
                let rest = tail.split_off(END.len());
                if bytes.len() < PASTE_MAX {
                    bytes.append(&mut tail);
                }
                tail = rest;
            }
        }
        bytes.append(&mut tail);
        Ok(Key::Paste(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Ctrl-Z: the terminal goes back to the shell, and is taken again when the program goes on.
    fn suspend(&self) -> Result<Key, PromptError> {
        self.restore();
        low_level::emulate_default_handler(SIGTSTP)?;
        self.set()?;
        Ok(Key::Resumed)
    }

    /// The next byte, or nothing if none came in time or none will come any more.
    fn byte(&self, time: Option<Duration>) -> Result<Option<u8>, PromptError> {
        let mut buffer = [0];
        while self.wait(time)? {
            match rustix::io::read(io::stdin(), &mut buffer) {
                Ok(0) | Err(Errno::IO) => return Ok(None),
                Ok(_) => {
                    let [byte] = buffer;
                    return Ok(Some(byte));
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(io::Error::from(error).into()),
            }
        }
        Ok(None)
    }

    /// Waits until there is input, at most `time`. A signal ends the wait and the question.
    fn wait(&self, time: Option<Duration>) -> Result<bool, PromptError> {
        let time = time.and_then(|time| Timespec::try_from(time).ok());
        loop {
            let stdin = io::stdin();
            let mut sources =
                [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.signals.caught.wake, PollFlags::IN)];
            let ready = match poll(&mut sources, time.as_ref()) {
                Ok(ready) => ready,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(io::Error::from(error).into()),
            };
            let [input, signal] = sources;
            if !signal.revents().is_empty() {
                self.signalled()?;
                continue;
            }
            return Ok(ready > 0 && !input.revents().is_empty());
        }
    }

    /// Acts on a signal: SIGINT is the person's word, the others end the program as they always do, once the terminal
    /// is in order.
    fn signalled(&self) -> Result<(), PromptError> {
        let number = self.signals.caught.take()?;
        match i32::try_from(number).unwrap_or(SIGINT) {
            0 => Ok(()),
            SIGINT => Err(PromptError::Interrupted),
            other => {
                self.restore();
                low_level::emulate_default_handler(other)?;
                Err(PromptError::Interrupted)
            }
        }
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        self.restore();
    }
}

/// The terminal while another program has it, such as an editor. A signal meanwhile is that program's to act on; this one
/// waits for its end, to clean up behind it. Dropping it lets signals act again, also one that came meanwhile.
pub struct Lent(Signals);

impl Lent {
    /// Lends the terminal.
    ///
    /// # Errors
    /// When signals can't be caught.
    pub fn new() -> Result<Self, PromptError> {
        Ok(Self(Signals::catch()?))
    }

    /// Whether there was a Ctrl-C meanwhile.
    pub fn was_interrupted(&self) -> bool {
        let Signals { caught } = &self.0;
        let number = caught.take().unwrap_or(0);
        let is_interrupt = i32::try_from(number) == Ok(SIGINT);
        if !is_interrupt {
            // Any other waits until this is dropped.
            caught.last.store(number, Ordering::SeqCst);
        }
        is_interrupt
    }
}

/// Where the handlers leave a signal. It is set up with the first question and stays: handlers can't be taken back.
struct Caught {
    /// Readable once a signal came.
    wake: UnixStream,
    /// The last signal, 0 for none.
    last: Arc<AtomicUsize>,
    /// While no question is open, signals do what they do by default.
    idle: Arc<AtomicBool>,
}

/// Set with the first question.
static CAUGHT: Mutex<Option<Arc<Caught>>> = Mutex::new(None);

impl Caught {
    fn install() -> io::Result<Self> {
        let (wake, waker) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let last = Arc::new(AtomicUsize::new(0));
        let idle = Arc::new(AtomicBool::new(true));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // In this order: the default ends the program before the rest is reached.
            flag::register_conditional_default(signal, Arc::clone(&idle))?;
            flag::register_usize(signal, Arc::clone(&last), usize::try_from(signal).unwrap_or(0))?;
            low_level::pipe::register(signal, waker.try_clone()?)?;
        }
        Ok(Self { wake, last, idle })
    }

    /// The signal that came, 0 for none; the wake-up is used up.
    fn take(&self) -> io::Result<usize> {
        let mut bytes = [0; 64];
        match (&self.wake).read(&mut bytes) {
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
            _ => {}
        }
        Ok(self.last.swap(0, Ordering::SeqCst))
    }
}

/// Signals are caught as long as this lives.
struct Signals {
    caught: Arc<Caught>,
}

impl Signals {
    fn catch() -> io::Result<Self> {
        let mut place = CAUGHT.lock().unwrap_or_else(PoisonError::into_inner);
        let caught = match place.as_ref() {
            Some(caught) => Arc::clone(caught),
            None => Arc::clone(place.insert(Arc::new(Caught::install()?))),
        };
        caught.take()?;
        caught.idle.store(false, Ordering::SeqCst);
        Ok(Self { caught })
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.caught.idle.store(true, Ordering::SeqCst);
        // One that came after the answer was given is not lost.
        if let Some(signal @ 1..) = self.caught.take().ok().and_then(|number| i32::try_from(number).ok()) {
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}
