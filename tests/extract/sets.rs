//! The labelled sets and how they are measured; for the test and for the example that prints the figures.
//!
//! A line is `type | words | sentence`. What is found at or above a confidence of 0.6 is right where it has that type and
//! each of the words, separated by blanks, stands in the value, whatever the case. Anything else that is found is wrong; a
//! sentence of which nothing right is found is missed. Of a trap, `- | -`, anything found is wrong. Sentences are masked
//! first, with the household's own names allowed, as a configuration would have them.

use std::fmt;
use std::path::Path;

use hermes_mem::domain::extract::extract;
use hermes_mem::mask::Masker;

/// A set and what must hold on it.
pub(crate) struct Set {
    pub(crate) file: &'static str,
    pub(crate) sentences: usize,
    pub(crate) precision: f64,
    pub(crate) recall: f64,
}

pub(crate) const SETS: &[Set] = &[
    Set { file: "tuned.txt", sentences: 250, precision: 0.9, recall: 0.6 },
    Set { file: "held-out.txt", sentences: 100, precision: 0.9, recall: 0.6 },
    // Harder on purpose, and bad: what was measured, so that it gets no worse.
    Set { file: "blind.txt", sentences: 100, precision: 0.35, recall: 0.07 },
];

/// The names that are not masked.
const OURS: [&str; 5] = ["Anna", "Carlo", "Flo", "Jonas", "Mari"];

#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) sentences: usize,
    pub(crate) traps: usize,
    pub(crate) right: usize,
    pub(crate) wrong: Vec<String>,
    pub(crate) missed: Vec<String>,
}

impl Figures {
    pub(crate) fn precision(&self) -> f64 {
        share(self.right, self.right + self.wrong.len())
    }

    pub(crate) fn recall(&self) -> f64 {
        share(self.right, self.right + self.missed.len())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sentences, traps, right, wrong, missed } = self;
        write!(
            f,
            "{sentences} sentences, {traps} of them traps: precision {:.3} ({right} right, {} wrong), recall {:.3} ({} missed)",
            self.precision(),
            wrong.len(),
            self.recall(),
            missed.len()
        )
    }
}

fn share(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(whole.max(1)).unwrap())
}

/// Measures a set.
pub(crate) fn measure(set: &Set) -> Figures {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extract").join(set.file);
    let text = std::fs::read_to_string(file).unwrap();
    let masker = Masker::new(OURS.map(str::to_owned));
    let mut figures = Figures::default();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let parts: Vec<&str> = line.splitn(3, " | ").collect();
        assert_eq!(parts.len(), 3, "no label: {line}");
        let (wanted, words, sentence) = (parts[0], parts[1], parts[2]);
        figures.sentences += 1;
        figures.traps += usize::from(wanted == "-");
        let masked = masker.mask(sentence).text;
        let mut is_found = false;
        for one in extract(masked.as_str()).into_iter().filter(|one| one.confidence >= 0.6) {
            let value = one.value.to_lowercase();
            let is_right =
                one.subject.block_type().word() == wanted && words.split(' ').all(|word| value.contains(word));
            if is_right && !is_found {
                is_found = true;
                figures.right += 1;
            } else {
                figures.wrong.push(format!(
                    "  {line}\n    {} {}: {} ({})",
                    one.subject.block_type(),
                    one.key,
                    one.value,
                    one.rule
                ));
            }
        }
        if wanted != "-" && !is_found {
            figures.missed.push(format!("  {line}"));
        }
    }
    assert!(figures.sentences >= set.sentences, "{}: {figures}", set.file);
    figures
}
