//! The prompts on a real pseudo-terminal.
//!
//! The test binary starts itself there: [`asked`] does nothing in an ordinary run, and asks the question named in the
//! environment when it is started by one of the other tests.

use std::io::{IsTerminal, stderr, stdin};
use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::{Signal, WaitStatus};
use expectrl::session::OsSession;
use expectrl::{Eof, Expect, Session};
use hermes_mem::cli::prompt::{PromptError, Prompter, Terminal};

/// Names the question that [`asked`] asks.
const QUESTION: &str = "HERMES_MEM_TEST_QUESTION";

const KEYS: [(char, &str); 3] = [('a', "approve it"), ('r', "reject it"), ('q', "quit")];

#[test]
#[allow(clippy::disallowed_methods, reason = "the environment is how the other tests reach this one")]
fn asked() {
    let Ok(question) = std::env::var(QUESTION) else { return };
    let mut person = Terminal::new(stdin().is_terminal(), stderr().is_terminal(), false);
    let before = mode();
    let answer = match question.as_str() {
        "confirm" => person.confirm("Approve?").map(|yes| format!("{yes}")),
        "line" => person.line("Evidence:", true).map(|text| format!("{text:?}")),
        "optional" => person.line("Note:", false).map(|text| format!("{text:?}")),
        "choose" => person.choose("Which one?", &[("first", "the older"), ("second", "")]).map(|at| format!("{at}")),
        "key" => person.key("What now?", &KEYS).map(|key| format!("{key}")),
        "two keys" => {
            person.key("One?", &KEYS).and_then(|one| person.key("Two?", &KEYS).map(|two| format!("{one}{two}")))
        }
        "between" => person.confirm("Approve?").map(|yes| {
            eprintln!("working");
            loop {
                assert!(yes, "only a signal ends this");
                std::thread::park();
            }
        }),
        other => panic!("no such question: {other}"),
    };
    let outcome = match answer {
        Ok(answer) => format!("answer {answer}"),
        Err(PromptError::NoTerminal) => "no terminal".to_owned(),
        Err(PromptError::Interrupted) => "interrupted".to_owned(),
        Err(PromptError::Aborted) => "aborted".to_owned(),
        Err(PromptError::Io(error)) => format!("failed: {error}"),
    };
    let restored = if mode() == before { "as before" } else { "CHANGED" };
    eprintln!("<{outcome}; terminal {restored}>");
}

/// The terminal's mode, in words.
fn mode() -> String {
    rustix::termios::tcgetattr(stdin()).map_or_else(|error| error.to_string(), |mode| format!("{mode:?}"))
}

fn command(question: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "prompt::asked", "--nocapture", "--test-threads=1"]).env(QUESTION, question);
    command
}

fn ask(question: &str) -> OsSession {
    let mut session = Session::spawn(command(question)).unwrap();
    session.set_expect_timeout(Some(Duration::from_secs(20)));
    session
}

/// Plays one question: waits for each text, then types what follows it; then the outcome has to be as said.
#[track_caller]
fn play(question: &str, steps: &[(&str, &str)], outcome: &str) {
    let mut session = ask(question);
    for (shown, typed) in steps {
        session.expect(*shown).unwrap_or_else(|error| panic!("{question}: {shown:?} was not shown: {error}"));
        session.send(*typed).unwrap();
    }
    // The cursor is shown whenever a question is over.
    for text in ["\x1b[?25h", &format!("<{outcome}; terminal as before>")] {
        session.expect(text).unwrap_or_else(|error| panic!("{question} {steps:?}: {text:?} was not shown: {error}"));
    }
    session.expect(Eof).unwrap();
}

#[test]
fn yes_or_no_takes_a_word_and_enter() {
    play("confirm", &[("Approve? [y/n] ", "y\r")], "answer true");
    play("confirm", &[("Approve? [y/n] ", "n\r")], "answer false");
    play("confirm", &[("Approve? [y/n] ", "ny\x7f\r")], "answer false");
}

#[test]
fn enter_alone_and_other_words_decide_nothing() {
    play(
        "confirm",
        &[("[y/n] ", "\r"), ("type y or n", ""), ("[y/n] ", "maybe\r"), ("type y or n", ""), ("[y/n] ", "n\r")],
        "answer false",
    );
    play(
        "line",
        &[("Evidence: ", "\r"), ("left empty", ""), ("Evidence: ", "commit 4f2\r")],
        "answer Some(\"commit 4f2\")",
    );
    play(
        "choose",
        &[("[1-2] ", "\r"), ("type one of the numbers", ""), ("[1-2] ", "3\r"), ("type one", ""), ("[1-2] ", "2\r")],
        "answer 1",
    );
    play("key", &[("[a,r,q,?] ", "\r"), ("Enter decides nothing", ""), ("[a,r,q,?] ", "r")], "answer r");
    play("optional", &[("Note: ", "\r")], "answer None");
}

#[test]
fn a_key_needs_no_enter_and_may_have_one() {
    play("key", &[("What now? [a,r,q,?] ", "a")], "answer a");
    play("key", &[("What now? [a,r,q,?] ", "a\r")], "answer a");
    play(
        "key",
        &[("[a,r,q,?] ", "x"), ("no such key", ""), ("[a,r,q,?] ", "?"), ("approve it", ""), ("[a,r,q,?] ", "q")],
        "answer q",
    );
    play("key", &[("[a,r,q,?] ", "A"), ("no such key", ""), ("[a,r,q,?] ", "\x1b[Aq")], "answer q");
}

#[test]
fn an_option_is_picked_by_number_or_name() {
    play("choose", &[("1  first   the older", ""), ("2  second\r\n", ""), ("number [1-2] ", "1\r")], "answer 0");
    play("choose", &[("number [1-2] ", "second\r")], "answer 1");
}

#[test]
fn ctrl_c_interrupts_every_question() {
    for question in ["confirm", "line", "choose", "key"] {
        let prompt = if question == "line" { "Evidence: " } else { "] " };
        play(question, &[(prompt, "\x03")], "interrupted");
    }
    play("line", &[("Evidence: ", "half a li"), ("half a li", "\x03")], "interrupted");
}

#[test]
fn escape_and_end_of_input_leave_the_question_open() {
    for question in ["confirm", "line", "choose", "key"] {
        let prompt = if question == "line" { "Evidence: " } else { "] " };
        for typed in ["\x1b", "\x04"] {
            play(question, &[(prompt, typed)], "aborted");
        }
    }
    play("line", &[("Evidence: ", "text"), ("text", "\x04 more\r")], "answer Some(\"text more\")");
}

#[test]
fn sigint_from_elsewhere_interrupts_too() {
    let mut session = ask("key");
    session.expect("[a,r,q,?] ").unwrap();
    session.get_process_mut().signal(Signal::SIGINT).unwrap();
    session.expect("\x1b[?25h").unwrap();
    session.expect("<interrupted; terminal as before>").unwrap();
    session.expect(Eof).unwrap();
}

#[test]
fn sigterm_ends_the_program_with_the_terminal_in_order() {
    let mut session = ask("line");
    session.expect("Evidence: ").unwrap();
    session.get_process_mut().signal(Signal::SIGTERM).unwrap();
    session.expect("\x1b[?2004l\x1b[?25h").unwrap();
    session.expect(Eof).unwrap();
    let status = session.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Signaled(_, Signal::SIGTERM, _)), "{status:?}");
}

#[test]
fn between_questions_ctrl_c_ends_the_program_as_ever() {
    let mut session = ask("between");
    session.expect("Approve? [y/n] ").unwrap();
    session.send("y\r").unwrap();
    session.expect("working").unwrap();
    session.send("\x03").unwrap();
    session.expect(Eof).unwrap();
    let status = session.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Signaled(_, Signal::SIGINT, _)), "{status:?}");
}

#[test]
fn a_stopped_question_is_asked_on() {
    let mut session = ask("line");
    session.expect("Evidence: ").unwrap();
    session.send("abc").unwrap();
    session.expect("abc").unwrap();
    session.send("\x1a").unwrap();
    session.expect("\x1b[?2004l\x1b[?25h").unwrap();
    session.set_expect_timeout(Some(Duration::from_millis(100)));
    // A signal to go on that comes before the stop has no effect: it is sent until it has one.
    let resumed = (0..200).any(|_| {
        session.get_process_mut().signal(Signal::SIGCONT).unwrap();
        session.expect("Evidence: abc").is_ok()
    });
    assert!(resumed);
    session.set_expect_timeout(Some(Duration::from_secs(20)));
    session.send("d\r").unwrap();
    session.expect("<answer Some(\"abcd\"); terminal as before>").unwrap();
}

#[test]
fn pasted_text_decides_nothing_but_fills_a_line() {
    let paste = |text: &str| format!("\x1b[200~{text}\x1b[201~");
    play(
        "confirm",
        &[("[y/n] ", &paste("y\ny\n")), ("y y", "\r"), ("decides nothing", ""), ("[y/n] ", "n\r")],
        "answer false",
    );
    play("key", &[("[a,r,q,?] ", &paste("a")), ("several keys", ""), ("[a,r,q,?] ", "q")], "answer q");
    play(
        "line",
        &[("Evidence: ", &paste("https://x.example\r\nline two\n")), ("two", "\r")],
        "answer Some(\"https://x.example line two\")",
    );
    // Taken back, it is as if it had not been pasted.
    play("confirm", &[("[y/n] ", &paste("no")), ("no", "\x15y\r")], "answer true");
    // Terminals that do not mark what is pasted.
    play("confirm", &[("[y/n] ", "y\ry\r"), ("decides nothing", ""), ("[y/n] ", "n\r")], "answer false");
    play("key", &[("[a,r,q,?] ", "aaa"), ("several keys", ""), ("[a,r,q,?] ", "q")], "answer q");
    play("line", &[("Evidence: ", "one\rtwo\r")], "answer Some(\"one two\")");
}

#[test]
fn one_burst_never_answers_two_questions() {
    play(
        "two keys",
        &[("One? [a,r,q,?] ", "ar"), ("several keys", ""), ("One? [a,r,q,?] ", "a"), ("Two? [a,r,q,?] ", "r")],
        "answer ar",
    );
    play("two keys", &[("One? [a,r,q,?] ", "a\r\r\r"), ("Two? [a,r,q,?] ", "q")], "answer aq");
}

#[test]
fn what_is_typed_is_edited_in_place() {
    play("line", &[("Evidence: ", "Grüße 日本x\x7f"), ("日本", "\x01\x1b[C\x0b\r")], "answer Some(\"G\")");
}

#[test]
fn without_a_terminal_it_is_said_at_once() {
    let output = command("confirm").stdin(std::process::Stdio::piped()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("<no terminal; terminal as before>"), "{stderr}");
}
