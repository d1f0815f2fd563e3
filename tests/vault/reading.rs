//! Reading: what a vault may hold, what the cache saves, and that neither ever breaks an answer.

use hermes_mem::vault::{Query, Settings, Vault, VaultError, Verdict};
use proptest::prelude::*;

use crate::cases::put;

fn settings(dir: &std::path::Path) -> Settings {
    Settings { path: dir.to_owned(), ..Settings::default() }
}

#[test]
fn a_missing_vault_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(Vault::open(&settings(&dir.path().join("gone")), None), Err(VaultError::Missing(_))));
    put(dir.path(), "file", "x");
    assert!(matches!(Vault::open(&settings(&dir.path().join("file")), None), Err(VaultError::NotAFolder(_))));
}

#[test]
fn foreign_files_are_skipped_with_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "good.md", "\u{feff}---\nport: 80\n---\r\n");
    put(dir.path(), "binary.md", [0_u8; 4096]);
    put(dir.path(), ".hidden.md", "port: 81");
    put(dir.path(), "notes.txt", "port: 82");
    put(dir.path(), "old.md", b"T\xfcr: zu");
    std::os::unix::fs::symlink("/etc/passwd", dir.path().join("link.md")).unwrap();
    let vault = Vault::open(&settings(dir.path()), None).unwrap();
    let names: Vec<String> = vault.pages().into_iter().map(|page| page.name).collect();
    assert_eq!(names, ["binary.md", "good.md", "old.md"]);
    let check = vault.check(&Query { fact: "good runs on port 80.", page: None, project: None });
    assert_eq!(check.verdict, Verdict::Identical);
    assert_eq!(check.warnings, ["binary.md: binary, left out"]);
    assert_eq!(check.page_hash.map(|hash| hash.len()), Some(64));
}

#[test]
fn the_cache_holds_no_words_and_changes_no_answer() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "Geheimprojekt Kranich.md", "Leitung: Undine\n\nport:: 9100\n");
    put(dir.path(), "Anderes.md", "Die Scheune ist rot.\n");
    let query = Query { fact: "Kranich läuft auf Port 9200.", page: None, project: None };
    let cold = Vault::open(&settings(dir.path()), None).unwrap();
    let first = cold.check(&query);
    assert_eq!(first.verdict, Verdict::Contradicts);
    let cache = cold.cache_bytes().unwrap();
    for word in ["Kranich", "kranich", "Undine", "undin", "Scheune", ".md"] {
        assert!(!cache.windows(word.len()).any(|bytes| bytes == word.as_bytes()), "{word}");
    }
    let warm = Vault::open(&settings(dir.path()), Some(&cache)).unwrap();
    assert_eq!(warm.check(&query), first);
    assert_eq!(warm.cache_bytes(), None);
    put(dir.path(), "Geheimprojekt Kranich.md", "Leitung: Undine\n\nport:: 9200\n");
    let later = Vault::open(&settings(dir.path()), Some(&cache)).unwrap();
    assert_eq!(later.check(&query).verdict, Verdict::Identical);
    assert!(later.cache_bytes().is_some());
    for damaged in [&cache[..cache.len() / 2], b"x", b""] {
        let vault = Vault::open(&settings(dir.path()), Some(damaged)).unwrap();
        assert_eq!(vault.check(&query).verdict, Verdict::Identical);
    }
}

#[test]
fn hostile_pages_are_read_without_harm() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "line.md", "wort ".repeat(700_000));
    put(dir.path(), "nested.md", "- ".repeat(50_000));
    put(dir.path(), "quotes.md", "> ".repeat(50_000));
    put(dir.path(), "huge.md", vec![b'a'; 5 << 20]);
    put(dir.path(), "nul.md", "port: 80\0\0\n");
    let vault = Vault::open(&settings(dir.path()), None).unwrap();
    let check = vault.check(&Query { fact: "Das Wort ist wort.", page: None, project: None });
    assert!(check.warnings.iter().any(|warning| warning.starts_with("huge.md")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_page_and_no_fact_panics(page in "(?s)[-#>|*:\\[\\]% 0-9a-zäöüß.,\n]{0,300}", fact in "(?s).{0,120}") {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), "p.md", &page);
        let vault = Vault::open(&settings(dir.path()), None).unwrap();
        let check = vault.check(&Query { fact: &fact, page: Some("p.md"), project: Some("p") });
        prop_assert!(check.passages.len() <= 3);
    }

    #[test]
    fn any_cache_is_safe(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), "Pegel.md", "port: 80");
        let vault = Vault::open(&settings(dir.path()), Some(&bytes)).unwrap();
        let check = vault.check(&Query { fact: "Pegel hat Port 80.", page: None, project: None });
        prop_assert_eq!(check.verdict, Verdict::Identical);
    }
}
