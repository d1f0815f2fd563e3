//! Checking the chain: which line was edited, removed, inserted or cut off.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{GENESIS, LINE_MAX, Line, is_sealed};
use crate::store::{Store, StoreError, fs};

/// One broken place of the chain.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Fault {
    /// The file, relative to the root.
    pub file: PathBuf,
    /// The line in it, counted from 1.
    pub line: u64,
    /// What is wrong there.
    pub what: String,
}

/// What checking the whole log found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many good lines there are.
    pub lines: u64,
    /// The last line's hash.
    pub head: String,
    /// The broken places, oldest first.
    pub faults: Vec<Fault>,
}

/// How long a last line without its end is given to get one.
const WRITING: Duration = Duration::from_millis(10);

struct Walk {
    report: Report,
    seq: u64,
    /// A torn line waits for the `recovered` entry that closes it.
    torn: Option<Fault>,
}

impl Store {
    /// Checks every line of the log against its own hash and the line before.
    ///
    /// Whole lines missing at the very end can't be seen without a hash that was kept elsewhere: `expected_head` is one.
    ///
    /// # Errors
    /// When a file can't be read.
    pub fn audit_verify(&self, expected_head: Option<&str>) -> Result<Report, StoreError> {
        self.verify_waiting(expected_head, || std::thread::sleep(WRITING))
    }

    /// The same; `wait` is called before a last line that seems torn is looked at again, since it may be being written.
    pub(in crate::store) fn verify_waiting(
        &self,
        expected_head: Option<&str>,
        wait: impl FnOnce(),
    ) -> Result<Report, StoreError> {
        let mut wait = Some(wait);
        let report = Report { lines: 0, head: GENESIS.to_owned(), faults: Vec::new() };
        let mut walk = Walk { report, seq: 0, torn: None };
        let mut seen_head = expected_head.is_none_or(|head| head == GENESIS);
        let files = self.audit_files()?;
        for file in &files {
            let is_newest = files.last() == Some(file);
            let (mut at, mut offset) = (0, 0);
            loop {
                let mut seems_torn = false;
                fs::lines(&self.path(file), offset, LINE_MAX, |line| {
                    offset = line.offset;
                    seems_torn = is_newest && !line.is_ended && !is_sealed(line.bytes) && wait.is_some();
                    if !seems_torn {
                        at += 1;
                        walk.line(file, at, line.bytes);
                        seen_head |= expected_head.is_some_and(|head| head == walk.report.head);
                    }
                    !seems_torn
                })?;
                match wait.take_if(|_| seems_torn) {
                    Some(wait) => wait(),
                    None => break,
                }
            }
        }
        walk.report.faults.extend(walk.torn.take());
        if !seen_head {
            let file = files.last().cloned().unwrap_or_default();
            let what = "the hash kept elsewhere is not in the log: lines are missing at its end, or all were rewritten";
            walk.report.faults.push(Fault { file, line: walk.report.lines, what: what.to_owned() });
        }
        Ok(walk.report)
    }
}

impl Walk {
    fn line(&mut self, file: &Path, at: u64, bytes: &[u8]) {
        let fault = |what: String| Fault { file: file.to_owned(), line: at, what };
        let Ok(line) = serde_json::from_slice::<Line<'_>>(bytes) else {
            if let Some(torn) = self.torn.replace(fault("is torn or no audit entry".to_owned())) {
                self.report.faults.push(torn);
            }
            return;
        };
        if let Some(torn) = self.torn.take()
            && line.op != "audit.recover"
        {
            self.report.faults.push(torn);
        }
        if !line.seals(bytes) {
            self.report.faults.push(fault(format!("entry {} was edited: its hash does not fit its text", line.seq)));
        } else if line.prev != self.report.head {
            let (want, got) = (self.seq + 1, line.seq);
            self.report.faults.push(fault(match got.cmp(&want) {
                std::cmp::Ordering::Greater if got == want + 1 => format!("entry {want} before it is missing"),
                std::cmp::Ordering::Greater => format!("entries {want} to {} before it are missing", got - 1),
                std::cmp::Ordering::Less => format!("entry {got} stands again, or in another place"),
                std::cmp::Ordering::Equal => {
                    format!("entry {got} does not follow the line before, which was changed or inserted")
                }
            }));
        } else if line.seq != self.seq + 1 {
            self.report.faults.push(fault(format!("entry {} should have the number {}", line.seq, self.seq + 1)));
        }
        self.seq = line.seq;
        self.report.lines += 1;
        self.report.head = line.hash.into_owned();
    }
}
