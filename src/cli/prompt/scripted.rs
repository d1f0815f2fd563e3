//! A prompter for tests: answers from a list, and remembers what was asked and said.

use std::collections::VecDeque;
use std::io;

use super::{PromptError, Prompter, help, picked, yes_or_no};

/// One answer of a [`Scripted`] person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Text, then Enter: `y`, a number, a line. Empty text is Enter alone.
    Line(String),
    /// A single key.
    Key(char),
    /// Ctrl-C.
    Interrupt,
    /// Esc or Ctrl-D.
    Abort,
}

impl Answer {
    /// Text, then Enter.
    pub fn line(text: impl Into<String>) -> Self {
        Self::Line(text.into())
    }
}

/// Answers as a person at a terminal would, from a list made beforehand: what a terminal asks again takes the next
/// answer. A list that runs out, or an answer of the wrong sort, is [`PromptError::Io`] and names the question.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    answers: VecDeque<Answer>,
    said: String,
}

impl Scripted {
    /// A person who gives these answers, in order.
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self { answers: answers.into_iter().collect(), said: String::new() }
    }

    /// All that was asked, answered and said so far, a line each.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// The answers that were not asked for.
    pub fn left(&self) -> usize {
        self.answers.len()
    }

    fn next(&mut self, question: &str) -> Result<Answer, PromptError> {
        self.said += question;
        match self.answers.pop_front() {
            Some(Answer::Interrupt) => {
                self.said += " ^C\n";
                Err(PromptError::Interrupted)
            }
            Some(Answer::Abort) => {
                self.said += " ^D\n";
                Err(PromptError::Aborted)
            }
            Some(answer) => {
                match &answer {
                    Answer::Line(text) => self.said += format!(" {text}").trim_end(),
                    Answer::Key(key) => self.said.extend([' ', *key]),
                    Answer::Interrupt | Answer::Abort => {}
                }
                self.said.push('\n');
                Ok(answer)
            }
            None => Err(script_error(io::ErrorKind::UnexpectedEof, "no answer is left for", question)),
        }
    }

    fn typed(&mut self, question: &str) -> Result<String, PromptError> {
        match self.next(question)? {
            Answer::Line(text) => Ok(text),
            _ => Err(script_error(io::ErrorKind::InvalidInput, "a line is the answer to", question)),
        }
    }
}

fn script_error(kind: io::ErrorKind, why: &str, question: &str) -> PromptError {
    PromptError::Io(io::Error::new(kind, format!("{why}: {question}")))
}

impl Prompter for Scripted {
    fn confirm(&mut self, question: &str) -> Result<bool, PromptError> {
        loop {
            if let Some(answer) = yes_or_no(&self.typed(&format!("{question} [y/n]"))?) {
                return Ok(answer);
            }
        }
    }

    fn line(&mut self, question: &str, required: bool) -> Result<Option<String>, PromptError> {
        loop {
            let text = self.typed(question)?.trim().to_owned();
            if !text.is_empty() {
                return Ok(Some(text));
            }
            if !required {
                return Ok(None);
            }
        }
    }

    fn secret(&mut self, question: &str) -> Result<String, PromptError> {
        loop {
            let text = self.typed(question)?;
            if !text.is_empty() {
                return Ok(text);
            }
        }
    }

    fn choose(&mut self, question: &str, options: &[(&str, &str)]) -> Result<usize, PromptError> {
        if options.is_empty() {
            return Err(PromptError::Aborted);
        }
        let names: Vec<_> = options.iter().map(|(name, _)| *name).collect();
        loop {
            let text = self.typed(&format!("{question} [{}]", names.join(",")))?;
            if let Some(at) = picked(&text, options) {
                return Ok(at);
            }
        }
    }

    fn key(&mut self, question: &str, keys: &[(char, &str)]) -> Result<char, PromptError> {
        let known: Vec<_> = keys.iter().map(|(key, _)| *key).filter(|key| *key != '?').map(String::from).collect();
        let asked = format!("{question} [{},?]", known.join(","));
        loop {
            match self.next(&asked)? {
                Answer::Key('?') => self.said += &help(keys),
                Answer::Key(key) if keys.iter().any(|(known, _)| *known == key) => return Ok(key),
                Answer::Key(_) => {}
                _ => return Err(script_error(io::ErrorKind::InvalidInput, "a key is the answer to", question)),
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<(), PromptError> {
        self.said += text.trim_end_matches('\n');
        self.said.push('\n');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [(char, &str); 2] = [('a', "approve"), ('q', "quit")];

    #[test]
    fn a_scripted_person_is_asked_again_like_a_real_one() {
        let mut person = Scripted::new([
            Answer::line(""),
            Answer::line("y"),
            Answer::line(" "),
            Answer::line(" commit 4f2 "),
            Answer::line(""),
            Answer::line("9"),
            Answer::line("2"),
            Answer::Key('x'),
            Answer::Key('?'),
            Answer::Key('a'),
        ]);
        person.say("REVIEW-1\n").unwrap();
        assert!(person.confirm("Approve?").unwrap());
        assert_eq!(person.line("Evidence:", true).unwrap().as_deref(), Some("commit 4f2"));
        assert_eq!(person.line("Note:", false).unwrap(), None);
        assert_eq!(person.choose("Which?", &[("all", ""), ("none", "")]).unwrap(), 1);
        assert_eq!(person.key("What now?", &KEYS).unwrap(), 'a');
        assert_eq!(person.left(), 0);
        insta::assert_snapshot!(person.said(), @"
        REVIEW-1
        Approve? [y/n]
        Approve? [y/n] y
        Evidence:
        Evidence:  commit 4f2
        Note:
        Which? [all,none] 9
        Which? [all,none] 2
        What now? [a,q,?] x
        What now? [a,q,?] ?
          a  approve
          q  quit
          ?  show this help
        What now? [a,q,?] a
        ");
    }

    #[test]
    fn a_scripted_person_can_leave_and_never_makes_up_an_answer() {
        let mut person = Scripted::new([Answer::Interrupt, Answer::Abort, Answer::Key('a')]);
        assert!(matches!(person.confirm("one"), Err(PromptError::Interrupted)));
        assert!(matches!(person.key("two", &KEYS), Err(PromptError::Aborted)));
        assert!(matches!(person.line("three", false), Err(PromptError::Io(_))));
        assert!(matches!(person.confirm("four"), Err(PromptError::Io(_))));
    }
}
