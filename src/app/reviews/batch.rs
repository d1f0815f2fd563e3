//! Many reviews as one text: a to-do list for an editor, or a Markdown check-box list to take elsewhere.

use crate::domain::suspicion::{Suspicion, suspicions};
use crate::mask::{Masked, Raw};
use crate::store::Summary;

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Approve; what follows the id is the evidence.
    Approve,
    /// Reject; what follows the id is the reason.
    Reject,
    /// Leave it pending.
    Skip,
    /// Open it in the editor.
    Edit,
}

impl Verb {
    const ALL: [Self; 4] = [Self::Approve, Self::Reject, Self::Skip, Self::Edit];

    /// The word in the text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Skip => "skip",
            Self::Edit => "edit",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        // One letter will do, as in `git rebase -i`.
        Self::ALL.into_iter().find(|verb| verb.name() == name || verb.name().get(..1) == Some(name))
    }
}

/// One line's task.
pub struct Task {
    /// Where it stands in the text, counted from 1.
    pub line: usize,
    /// What to do.
    pub verb: Verb,
    /// The review, as it was named.
    pub id: String,
    /// Evidence or reason.
    pub words: Option<Raw>,
    /// The start of the mark of what the list shows of the review ([`crate::domain::review::Review::mark`]).
    pub mark: Option<String>,
}

/// A line that says nothing to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct BadLine {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: &'static str,
}

/// How many digits of a mark stand in a list.
const MARK_DIGITS: usize = 8;

fn short(mark: &str) -> &str {
    mark.get(..MARK_DIGITS).unwrap_or(mark)
}

/// A mark that a list carries; anything else is none.
fn read_mark(text: &str) -> Option<String> {
    let is_digit = |b: u8| b.is_ascii_digit() || matches!(b, b'a'..=b'f');
    (text.len() == MARK_DIGITS && text.bytes().all(is_digit)).then(|| text.to_owned())
}

/// The to-do list for an editor. Each review comes with its mark.
pub fn todo(reviews: &[(Summary, String)]) -> Masked {
    let mut text = String::new();
    for (review, mark) in reviews {
        text.extend(["skip ", review.id.as_str(), " # @", short(mark), " ", &one_line(&describe(review)), "\n"]);
    }
    text += "\n# approve ID EVIDENCE   the proof of source: text, URL, commit or path\n\
             # reject ID REASON      the reason is kept\n\
             # edit ID               opens the review in the editor\n\
             # skip ID               leaves it pending; so does a line that is removed\n\
             #\n\
             # One letter will do: a, r, e, s. What follows a lone # is a comment.\n\
             # An empty file decides nothing.\n";
    Masked::trusted(text)
}

/// The check-box list in Markdown. Each review comes with its mark.
pub fn markdown(reviews: &[(Summary, String)]) -> Masked {
    let mut text = "# Open reviews\n\nTick one box of each review, write the evidence or reason behind it, and apply the file with \
                    `hermes-mem review batch --apply FILE`. A review without a tick stays pending.\n"
        .to_owned();
    for (review, mark) in reviews {
        text.extend([
            "\n## ",
            review.id.as_str(),
            " <!-- ",
            short(mark),
            " -->\n\n> ",
            &code(&describe(review)),
            "\n\n",
        ]);
        text += "- [ ] approve, evidence:\n- [ ] reject, reason:\n";
    }
    Masked::trusted(text)
}

fn describe(review: &Summary) -> String {
    let mut text = review.fact.clone();
    let flags: Vec<&str> = review.flags.iter().map(|flag| flag.name()).collect();
    if !flags.is_empty() {
        text = format!("[{}] {text}", flags.join(", "));
    }
    if let Some(page) = &review.page {
        text.extend([" → ", page]);
    }
    text
}

/// A text on one line, without what a terminal or an editor would act on.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hidden: Vec<_> = suspicions(&line).into_iter().filter(Suspicion::is_character).collect();
    for found in hidden.into_iter().rev() {
        line.replace_range(found.range, "\u{fffd}");
    }
    line.replace(|ch: char| ch.is_control(), "\u{fffd}")
}

/// The same as code, so that Markdown shows it and nothing more.
fn code(text: &str) -> String {
    format!("`{}`", one_line(text).replace('`', "'"))
}

/// Reads a to-do list.
///
/// # Errors
/// All lines that say nothing to do; then nothing of the list should be applied.
pub fn parse_todo(text: &str) -> Result<Vec<Task>, Vec<BadLine>> {
    let mut tasks = Vec::new();
    let mut bad = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (at, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        let (line, comment) = split_comment(line);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let mut words = line.splitn(3, char::is_whitespace);
        let verb = words.next().and_then(Verb::from_name);
        let id = words.next().map(str::trim).filter(|id| !id.is_empty());
        match (verb, id) {
            (Some(verb), Some(id)) => {
                let mark = comment.trim().strip_prefix('@').and_then(|said| read_mark(said.split_whitespace().next()?));
                let rest = words.next().map(str::trim).filter(|rest| !rest.is_empty());
                tasks.push(Task { line: at, verb, id: id.to_owned(), words: rest.map(Raw::new), mark });
            }
            (None, _) => bad.push(BadLine { line: at, what: "does not begin with approve, reject, edit or skip" }),
            (_, None) => bad.push(BadLine { line: at, what: "names no review" }),
        }
    }
    finish(tasks, bad)
}

/// What stands before and behind a `#` that has a blank (or the line's start) before it and a blank behind it.
fn split_comment(line: &str) -> (&str, &str) {
    if line.trim_start().starts_with('#') {
        return ("", "");
    }
    line.split_once(" # ").or_else(|| line.split_once("\t# ")).unwrap_or((line, ""))
}

/// Reads a check-box list.
///
/// # Errors
/// All reviews with more than one tick, and ticks that belong to no review; then nothing should be applied.
pub fn parse_markdown(text: &str) -> Result<Vec<Task>, Vec<BadLine>> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut bad = Vec::new();
    let mut id: Option<(&str, Option<String>)> = None;
    let mut has_tick = false;
    for (at, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line.trim())) {
        if let Some(heading) = line.strip_prefix("## ") {
            let (named, mark) = heading.split_once("<!--").unwrap_or((heading, ""));
            id = Some((named.trim(), read_mark(mark.trim().trim_end_matches("-->").trim())));
            has_tick = false;
            continue;
        }
        let tick = ["- [x] ", "- [X] ", "* [x] ", "* [X] "].iter().find_map(|tick| line.strip_prefix(tick));
        let Some(tick) = tick else { continue };
        let (verb, words) = tick.split_once(':').unwrap_or((tick, ""));
        let verb = verb.split([',', ' ']).next().and_then(Verb::from_name);
        match (&id, verb) {
            (None, _) => bad.push(BadLine { line: at, what: "is ticked, but stands under no review" }),
            (_, None) => bad.push(BadLine { line: at, what: "is ticked, but is neither approve nor reject" }),
            (Some(_), Some(_)) if has_tick => bad.push(BadLine { line: at, what: "is a second tick for one review" }),
            (Some((id, mark)), Some(verb)) => {
                has_tick = true;
                let words = words.trim();
                let words = (!words.is_empty()).then(|| Raw::new(words));
                tasks.push(Task { line: at, verb, id: (*id).to_owned(), words, mark: mark.clone() });
            }
        }
    }
    finish(tasks, bad)
}

fn finish(tasks: Vec<Task>, mut bad: Vec<BadLine>) -> Result<Vec<Task>, Vec<BadLine>> {
    let mut seen = std::collections::HashSet::new();
    for task in &tasks {
        if !seen.insert(task.id.as_str()) {
            bad.push(BadLine { line: task.line, what: "names a review a second time" });
        }
    }
    if bad.is_empty() { Ok(tasks) } else { Err(bad) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(parsed: Result<Vec<Task>, Vec<BadLine>>) -> Vec<(usize, Verb, String, Option<String>)> {
        let words = |task: &Task| task.words.as_ref().map(|words| words.expose().to_owned());
        parsed.unwrap_or_default().iter().map(|task| (task.line, task.verb, task.id.clone(), words(task))).collect()
    }

    #[test]
    fn a_todo_list_is_read_line_by_line() {
        let text = "approve REVIEW-1 https://git.example/c/1#L10 # Vento # x\r\n\n# a comment\nr vento-status  out of date\n\
                    skip b # c\n  e d\n";
        assert_eq!(
            tasks(parse_todo(text)),
            [
                (1, Verb::Approve, "REVIEW-1".into(), Some("https://git.example/c/1#L10".into())),
                (4, Verb::Reject, "vento-status".into(), Some("out of date".into())),
                (5, Verb::Skip, "b".into(), None),
                (6, Verb::Edit, "d".into(), None),
            ]
        );
    }

    #[test]
    fn marks_are_read_where_a_list_has_them() {
        let marks = |parsed: Result<Vec<Task>, Vec<BadLine>>| -> Vec<Option<String>> {
            parsed.unwrap_or_default().into_iter().map(|task| task.mark).collect()
        };
        let mark = || Some("1a2b3c4d".to_owned());
        let todo =
            "approve a x # @1a2b3c4d Vento\nreject b no  # @1a2b3c4d\nskip c # Vento\nskip d\nskip e # @1A2B3C4D x\n";
        assert_eq!(marks(parse_todo(todo)), [mark(), mark(), None, None, None]);
        let list = "## a <!-- 1a2b3c4d -->\n- [x] approve: x\n## b\n- [x] approve: x\n## c  <!--1a2b3c4d-->\n- [x] approve: x\n";
        assert_eq!(marks(parse_markdown(list)), [mark(), None, mark()]);
        let ids: Vec<_> = tasks(parse_markdown(list)).into_iter().map(|(.., id, _)| id).collect();
        assert_eq!(ids, ["a", "b", "c"]);
    }

    #[test]
    fn a_bad_line_stops_the_whole_list() {
        let bad = parse_todo("approve\napprov x\nskip a\nskip a").err().unwrap();
        let said: Vec<_> = bad.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "line 1: names no review",
                "line 2: does not begin with approve, reject, edit or skip",
                "line 4: names a review a second time"
            ]
        );
    }

    #[test]
    fn ticks_of_a_check_box_list_are_read() {
        let text = "# Open reviews\n\n## REVIEW-1\n\n> fact\n\n- [x] approve, evidence: commit: abc\n- [ ] reject, reason:\n\n\
                    ## REVIEW-2\n- [ ] approve, evidence:\n- [X] reject, reason: no\n## REVIEW-3\n- [ ] approve, evidence:\n";
        assert_eq!(
            tasks(parse_markdown(text)),
            [
                (7, Verb::Approve, "REVIEW-1".into(), Some("commit: abc".into())),
                (12, Verb::Reject, "REVIEW-2".into(), Some("no".into())),
            ]
        );
        let bad =
            parse_markdown("- [x] approve\n## R\n- [x] approve, evidence: a\n- [x] reject, reason: b\n").err().unwrap();
        assert_eq!(bad.len(), 2);
    }
}
