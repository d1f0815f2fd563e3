//! Precision, recall, passages shown and false alarms on `pages/` and `facts.jsonl`.

use std::path::{Path, PathBuf};

use hermes_mem::vault::{Query, Settings, Vault, Verdict};
use serde_json::Value;

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vault/pages")
}

fn open() -> Vault {
    Vault::open(&Settings { path: pages(), ..Settings::default() }, None).unwrap()
}

fn share(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(whole.max(1)).unwrap())
}

#[test]
fn figures_hold_on_our_own_facts() {
    let vault = open();
    let facts: Vec<Value> =
        include_str!("facts.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(facts.len() >= 100);
    let (mut shown, mut with_evidence) = (0, 0);
    let mut outcomes = Vec::new();
    for fact in &facts {
        let text = |key: &str| fact[key].as_str();
        let check = vault.check(&Query { fact: text("fact").unwrap(), page: text("page"), project: text("project") });
        let want: Verdict = serde_json::from_value(fact["verdict"].clone()).unwrap();
        outcomes.push((want, check.verdict));
        if let (Some(page), Some(line)) = (fact["evidence"]["page"].as_str(), fact["evidence"]["line"].as_u64()) {
            with_evidence += 1;
            shown += usize::from(check.passages.iter().any(|p| p.page == page && u64::from(p.line) == line));
        }
    }
    for (verdict, precision, recall) in [(Verdict::Contradicts, 0.95, 0.75), (Verdict::Identical, 0.96, 0.75)] {
        let right = outcomes.iter().filter(|(want, got)| *want == verdict && *got == verdict).count();
        let said = outcomes.iter().filter(|(_, got)| *got == verdict).count();
        let due = outcomes.iter().filter(|(want, _)| *want == verdict).count();
        assert!(share(right, said) >= precision, "{verdict:?}: precision {:.3}", share(right, said));
        assert!(share(right, due) >= recall, "{verdict:?}: recall {:.3}", share(right, due));
    }
    assert!(share(shown, with_evidence) >= 0.9, "right passage shown: {shown} of {with_evidence}");
}

#[test]
fn a_page_does_not_contradict_itself() {
    let vault = open();
    let (mut all, mut alarms) = (0, Vec::new());
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
    assert!(all >= 140);
    assert!(share(alarms.len(), all) <= 0.003, "{alarms:?} of {all}");
}
