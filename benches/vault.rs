//! The vault check on generated vaults: `cargo bench --bench vault`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a bench makes the vault it reads"
)]

use std::fmt::Write as _;
use std::path::Path;

use divan::Bencher;
use hermes_mem::vault::{Query, Settings, Vault};

fn main() {
    divan::main();
}

/// Writes a vault of `pages` pages of about 2 KB: front matter, sentences, lists, a table, a log.
fn vault(dir: &Path, pages: u32) {
    const THINGS: [&str; 8] = ["Pumpe", "Sensor", "Zaun", "Server", "Garten", "Ofen", "Boot", "Keller"];
    for number in 0..pages {
        let thing = THINGS[(number % 8) as usize];
        let mut page = format!(
            "---\nstatus: aktiv\nport: {}\nowner: Person{}\n---\n# {thing} {number}\n\n",
            8000 + number,
            number % 97
        );
        for line in 0_u32..12 {
            let _ = writeln!(
                page,
                "Die {thing}anlage {number} braucht {} Watt und wird am {}. Mai gewartet.",
                line * 7 + number % 13,
                line + 1
            );
            let _ =
                writeln!(page, "- The {thing} number {line} is checked every {} days by the team.", line + number % 5);
        }
        page.push_str("\n| Teil | Preis | Lager |\n|---|---|---|\n");
        for row in 0_u32..8 {
            let _ = writeln!(page, "| Teil{row} | {},50 € | Regal {} |", row + number % 17, row);
        }
        for day in 1_u32..9 {
            let _ = writeln!(page, "- 2026-01-{day:02}: Filter {} gewechselt", day + number % 11);
        }
        std::fs::write(dir.join(format!("{thing} {number}.md")), page).unwrap();
    }
}

fn query(page: Option<&str>) -> Query<'_> {
    Query { fact: "Die Pumpenanlage 64 braucht 99 Watt.", page, project: None }
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5, sample_size = 1)]
fn cold(bencher: Bencher<'_, '_>, pages: u32) {
    let dir = tempfile::tempdir().unwrap();
    vault(dir.path(), pages);
    let settings = Settings { path: dir.path().to_owned(), ..Settings::default() };
    bencher.bench(|| Vault::open(&settings, None).unwrap().check(&query(None)));
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5, sample_size = 1)]
fn from_cache(bencher: Bencher<'_, '_>, pages: u32) {
    let dir = tempfile::tempdir().unwrap();
    vault(dir.path(), pages);
    let settings = Settings { path: dir.path().to_owned(), ..Settings::default() };
    // The last page is written later, so that the stamps of the others can be trusted.
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    std::fs::write(dir.path().join("Neu.md"), "neu").unwrap();
    let first = Vault::open(&settings, None).unwrap();
    first.check(&query(None));
    let cache = first.cache_bytes();
    bencher.bench(|| Vault::open(&settings, cache.as_deref()).unwrap().check(&query(None)));
}

#[divan::bench(args = [1_000], sample_count = 20, sample_size = 1)]
fn one_page(bencher: Bencher<'_, '_>, pages: u32) {
    let dir = tempfile::tempdir().unwrap();
    vault(dir.path(), pages);
    let settings = Settings { path: dir.path().to_owned(), ..Settings::default() };
    bencher.bench(|| Vault::open(&settings, None).unwrap().check_page_only(&query(Some("Pumpe 64.md"))));
}
