//! Precision, recall, passages shown and false alarms on each set of pages and facts.

use std::path::{Path, PathBuf};

use hermes_mem::vault::{Query, Settings, Vault, Verdict};
use serde_json::Value;

/// A set and what must hold on it: precision and recall of *contradicts*, of *identical*, and the share of passages shown.
struct Set {
    dir: &'static str,
    facts: usize,
    contradicts: (f64, f64),
    identical: (f64, f64),
    shown: f64,
}

const SETS: &[Set] = &[
    Set { dir: "", facts: 122, contradicts: (0.97, 0.78), identical: (0.97, 0.75), shown: 0.95 },
    Set { dir: "blind-3", facts: 205, contradicts: (0.97, 0.42), identical: (0.97, 0.55), shown: 0.95 },
    Set { dir: "blind-4", facts: 69, contradicts: (0.97, 0.37), identical: (0.97, 0.5), shown: 0.95 },
    Set { dir: "tuned-5", facts: 154, contradicts: (0.95, 0.52), identical: (1.0, 0.67), shown: 0.95 },
    Set { dir: "blind-5", facts: 188, contradicts: (0.97, 0.39), identical: (0.92, 0.48), shown: 0.95 },
];

fn folder(set: &Set) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vault").join(set.dir)
}

fn open(set: &Set) -> Vault {
    Vault::open(&Settings { path: folder(set).join("pages"), ..Settings::default() }, None).unwrap()
}

fn share(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(whole.max(1)).unwrap())
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads its own set")]
fn figures_hold_on_every_set() {
    for set in SETS {
        let vault = open(set);
        let text = std::fs::read_to_string(folder(set).join("facts.jsonl")).unwrap();
        let facts: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(facts.len(), set.facts, "{}", set.dir);
        let (mut shown, mut with_evidence) = (0, 0);
        let mut outcomes = Vec::new();
        for fact in &facts {
            let text = |key: &str| fact[key].as_str();
            let query = Query { fact: text("fact").unwrap(), page: text("page"), project: text("project") };
            let check = vault.check(&query);
            let want: Verdict = serde_json::from_value(fact["verdict"].clone()).unwrap();
            outcomes.push((want, check.verdict));
            if let (Some(page), Some(line)) = (fact["evidence"]["page"].as_str(), fact["evidence"]["line"].as_u64()) {
                with_evidence += 1;
                shown += usize::from(check.passages.iter().any(|p| p.page == page && u64::from(p.line) == line));
            }
        }
        for (verdict, (precision, recall)) in
            [(Verdict::Contradicts, set.contradicts), (Verdict::Identical, set.identical)]
        {
            let right = outcomes.iter().filter(|(want, got)| *want == verdict && *got == verdict).count();
            let said = outcomes.iter().filter(|(_, got)| *got == verdict).count();
            let due = outcomes.iter().filter(|(want, _)| *want == verdict).count();
            let name = set.dir;
            assert!(share(right, said) >= precision, "{name} {verdict:?}: precision {:.3}", share(right, said));
            assert!(share(right, due) >= recall, "{name} {verdict:?}: recall {:.3}", share(right, due));
        }
        assert!(
            share(shown, with_evidence) >= set.shown,
            "{} right passage shown: {shown} of {with_evidence}",
            set.dir
        );
    }
}

#[test]
fn a_page_does_not_contradict_itself() {
    let (mut all, mut alarms) = (0, Vec::new());
    for set in SETS {
        let vault = open(set);
        for page in vault.pages() {
            for statement in vault.statements(&page.name) {
                let query = Query { fact: &statement.sentence, page: Some(&page.name), project: None };
                let check = vault.check_without(&query, statement.line).unwrap();
                all += 1;
                if check.verdict == Verdict::Contradicts {
                    alarms.push(format!("{}:{}", page.name, statement.line));
                }
            }
        }
    }
    assert!(all >= 300);
    assert!(share(alarms.len(), all) <= 0.003, "{alarms:?} of {all}");
}
