//! Questions to a person.
//!
//! [`Terminal`] asks on a real terminal, [`Scripted`] answers from a list in tests. Nothing is ever answered on the
//! person's behalf: there are no defaults, Enter alone decides nothing, and where nobody can be asked every question
//! fails with [`PromptError::NoTerminal`]. What is asked, and what to run instead, is the commands' business.

mod editor;
mod keys;
mod scripted;
mod terminal;

pub use keys::Lent;
pub use scripted::{Answer, Scripted};
pub use terminal::Terminal;

/// Someone to ask.
pub trait Prompter {
    /// Asks for yes or no: `y` or `n` and Enter. Enter alone asks again.
    ///
    /// # Errors
    /// See [`PromptError`]; Esc and Ctrl-D are [`PromptError::Aborted`].
    fn confirm(&mut self, question: &str) -> Result<bool, PromptError>;

    /// Asks for one line of free text, blanks trimmed at both ends. Enter alone is `None`; if the text is `required`,
    /// it asks again.
    ///
    /// # Errors
    /// See [`PromptError`]; Esc, and Ctrl-D on an empty line, are [`PromptError::Aborted`].
    fn line(&mut self, question: &str, required: bool) -> Result<Option<String>, PromptError>;

    /// Asks for a passphrase: a line that is not shown. Enter alone asks again.
    ///
    /// # Errors
    /// See [`PromptError`]; Esc, and Ctrl-D on an empty line, are [`PromptError::Aborted`].
    fn secret(&mut self, question: &str) -> Result<String, PromptError>;

    /// Asks to pick one of `options`, each a name and a description, by number or name; answers its place, from 0.
    /// Nothing is picked beforehand: Enter alone asks again.
    ///
    /// # Errors
    /// See [`PromptError`]; Esc, Ctrl-D and an empty list are [`PromptError::Aborted`].
    fn choose(&mut self, question: &str, options: &[(&str, &str)]) -> Result<usize, PromptError>;

    /// Asks for a single key of `keys`, each with its meaning, without Enter. `?` lists the meanings and asks again, as
    /// does any other key. Upper and lower case differ.
    ///
    /// # Errors
    /// See [`PromptError`]; Esc and Ctrl-D are [`PromptError::Aborted`].
    fn key(&mut self, question: &str, keys: &[(char, &str)]) -> Result<char, PromptError>;

    /// Shows `text` to the person, on standard error, also where nobody can be asked. It goes out as it is, colours
    /// included: what came from outside has to be sanitized before.
    ///
    /// # Errors
    /// [`PromptError::Io`] if it can't be written.
    fn say(&mut self, text: &str) -> Result<(), PromptError>;
}

/// Why a question has no answer. None of these is a "no".
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// Nobody can be asked: standard input or standard error is no terminal, or asking was forbidden.
    #[error("there is no terminal to ask on")]
    NoTerminal,
    /// Ctrl-C, or SIGINT from elsewhere.
    #[error("interrupted")]
    Interrupted,
    /// The person left the question open: Esc, Ctrl-D, or the terminal went away.
    #[error("the question was left unanswered")]
    Aborted,
    /// The terminal can't be read or written.
    #[error("the terminal failed: {0}")]
    Io(#[from] std::io::Error),
}

/// What a typed word means as an answer to yes or no.
fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

/// The option a typed number (from 1) or name means.
fn picked(text: &str, options: &[(&str, &str)]) -> Option<usize> {
    let text = text.trim();
    let named = || options.iter().position(|(name, _)| !text.is_empty() && *name == text);
    let numbered = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).filter(|&at| at < options.len());
    named().or(numbered)
}

/// The meanings of the keys, a line each.
fn help(keys: &[(char, &str)]) -> String {
    let known = keys.iter().filter(|(key, _)| *key != '?').map(|(key, meaning)| format!("  {key}  {meaning}\n"));
    known.chain(["  ?  show this help\n".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_words_are_yes_or_no() {
        for (text, expected) in [
            ("y", Some(true)),
            (" YES ", Some(true)),
            ("n", Some(false)),
            ("No", Some(false)),
            ("", None),
            ("yy", None),
        ] {
            assert_eq!(yes_or_no(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_option_is_picked_by_number_or_name() {
        let options = [("all", "every one"), ("2", "a name that is a number"), ("none", "")];
        for (text, expected) in [
            ("1", Some(0)),
            ("2", Some(1)),
            ("3", Some(2)),
            ("none", Some(2)),
            ("0", None),
            ("4", None),
            ("", None),
            ("-1", None),
        ] {
            assert_eq!(picked(text, &options), expected, "{text:?}");
        }
    }
}
