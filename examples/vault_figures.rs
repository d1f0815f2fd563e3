//! Measures the vault check: `cargo run --release --example vault_figures -- VAULT_DIR [FACTS.jsonl] [-v]`.
//!
//! Prints precision and recall per verdict and language, how often the right passage is among the first three, and how
//! many of the pages' own statements come out as contradicting the rest of their page. With `-v` each miss, too.
//! Facts are JSON lines of `id, fact, page, project, verdict, evidence {page, line}, lang`; further lines that carry the
//! same verdict may stand beside the file in `evidence_alt.jsonl` (`id, also`).

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool for people, not part of the program"
)]

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::Path;

use hermes_mem::vault::{Query, Settings, Vault, Verdict};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let verbose = args.iter().any(|arg| arg == "-v");
    let mut paths = args.iter().filter(|arg| !arg.starts_with('-'));
    let Some(root) = paths.next() else {
        return Err("usage: vault_figures VAULT_DIR [FACTS.jsonl] [-v]".into());
    };
    let vault = Vault::open(&Settings { path: root.into(), ..Settings::default() }, None)?;
    if let Some(facts) = paths.next() {
        verdicts(&vault, Path::new(facts), verbose)?;
    }
    leave_one_out(&vault, verbose);
    for warning in vault.warnings() {
        eprintln!("warning: {warning}");
    }
    Ok(())
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Identical => "identical",
        Verdict::Contradicts => "contradicts",
        Verdict::Similar => "similar",
        Verdict::Absent => "absent",
        Verdict::NoVault => "no_vault",
    }
}

fn read_lines(path: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
    std::fs::read_to_string(path)?
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| Ok(serde_json::from_str(line)?))
        .collect()
}

fn verdicts(vault: &Vault, path: &Path, verbose: bool) -> Result<(), Box<dyn Error>> {
    let mut also: HashMap<String, Vec<(String, u64)>> = HashMap::new();
    let place = |value: &Value| Some((value.get("page")?.as_str()?.to_owned(), value.get("line")?.as_u64()?));
    let beside = path.with_file_name("evidence_alt.jsonl");
    if beside.exists() {
        for line in read_lines(&beside)? {
            let id = line.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
            also.insert(
                id,
                line.get("also").and_then(Value::as_array).into_iter().flatten().filter_map(place).collect(),
            );
        }
    }
    let mut table: BTreeMap<(String, &str), [u32; 3]> = BTreeMap::new();
    let (mut shown, mut with_evidence) = (0_u32, 0_u32);
    for fact in read_lines(path)? {
        let text = |key: &str| fact.get(key).and_then(Value::as_str);
        let query = Query { fact: text("fact").unwrap_or_default(), page: text("page"), project: text("project") };
        let check = vault.check(&query);
        let (want, got) = (text("verdict").unwrap_or_default(), name(check.verdict));
        let lang = text("lang").unwrap_or_default().to_owned();
        let id = text("id").unwrap_or_default();
        for lang in [lang.clone(), "all".to_owned()] {
            for verdict in ["identical", "contradicts", "similar", "absent"] {
                let [hit, wrong, missed] = table.entry((lang.clone(), verdict)).or_default();
                match (want == verdict, got == verdict) {
                    (true, true) => *hit += 1,
                    (false, true) => *wrong += 1,
                    (true, false) => *missed += 1,
                    _ => {}
                }
            }
        }
        let right: Vec<(String, u64)> =
            fact.get("evidence").and_then(place).into_iter().chain(also.remove(id).unwrap_or_default()).collect();
        let found =
            check.passages.iter().any(|passage| right.contains(&(passage.page.clone(), u64::from(passage.line))));
        if !right.is_empty() {
            with_evidence += 1;
            shown += u32::from(found);
        }
        if verbose && (want != got || !right.is_empty() && !found) {
            let wrong = matches!(got, "identical" | "contradicts") && want != got;
            println!(
                "{} {id} {lang} want {want}, got {got} ({}){}",
                if wrong { "WRONG" } else { "miss " },
                check.guard.unwrap_or("-"),
                if found { "" } else { " NOT SHOWN" }
            );
            println!("      {} [{} | {}]", query.fact, query.page.unwrap_or("-"), query.project.unwrap_or("-"));
            println!("      right: {right:?}");
            for passage in &check.passages {
                println!("      {:.2} {}:{} {}", passage.score, passage.page, passage.line, passage.sentence);
            }
        }
    }
    println!("lang verdict      precision  recall   (hit, wrong, missed)");
    for ((lang, verdict), [hit, wrong, missed]) in &table {
        println!(
            "{lang:4} {verdict:12} {:>9} {:>8}   ({hit}, {wrong}, {missed})",
            rate(*hit, hit + wrong),
            rate(*hit, hit + missed)
        );
    }
    println!("right passage among the first three: {} ({shown} of {with_evidence})", rate(shown, with_evidence));
    Ok(())
}

fn rate(part: u32, whole: u32) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.3}", f64::from(part) / f64::from(whole)) }
}

fn leave_one_out(vault: &Vault, verbose: bool) {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut all = 0_u32;
    for page in vault.pages() {
        for statement in vault.statements(&page.name) {
            let query = Query { fact: &statement.sentence, page: Some(&page.name), project: None };
            let Some(check) = vault.check_without(&query, statement.line) else { continue };
            all += 1;
            *counts.entry(name(check.verdict)).or_default() += 1;
            if verbose && check.verdict == Verdict::Contradicts {
                println!(
                    "ALARM {}:{} {} ({})",
                    page.name,
                    statement.line,
                    statement.sentence,
                    check.guard.unwrap_or("-")
                );
                if let Some(passage) = check.passages.first() {
                    println!("      against {}: {}", passage.line, passage.sentence);
                }
            }
        }
    }
    let alarms = counts.get("contradicts").copied().unwrap_or_default();
    println!(
        "leave one out: {alarms} of {all} statements contradict their page ({:.2} %); {counts:?}",
        100.0 * f64::from(alarms) / f64::from(all.max(1))
    );
}
