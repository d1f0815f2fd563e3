//! The readers, on small texts with the traps that were seen in the wild.
#![allow(clippy::disallowed_methods, reason = "a test reads the files that it made")]

use super::*;

#[derive(Debug, Default, PartialEq)]
struct Held {
    entries: Vec<Entry>,
    unread: Vec<Unread>,
}

fn read(name: &str, bytes: &[u8]) -> Result<Held, Unknown> {
    let mut held = Held::default();
    open(&Source::file(name, bytes.to_vec()), &Reading { from: None, zone: "UTC".parse().unwrap() })?.each(
        &mut |found| match found {
            Ok(entry) => held.entries.push(entry),
            Err(unread) => held.unread.push(unread),
        },
    );
    Ok(held)
}

fn values(name: &str, bytes: &[u8]) -> Vec<(Option<String>, String)> {
    read(name, bytes).unwrap().entries.into_iter().map(|entry| (entry.key, entry.value)).collect()
}

fn said(name: &str, text: &str) -> Vec<String> {
    values(name, text.as_bytes()).into_iter().map(|(_, value)| value).collect()
}

#[test]
fn entries_of_the_decision_record_are_read_in_every_spelling() {
    let text = "\u{feff}memory: \"Mag Tabellen\"\r\nmemory: ohne Zeichen\r\n# nichts\r\nmemory = \"a: \\\"b\\\"\"\r\n";
    assert_eq!(said("m.txt", text), ["Mag Tabellen", "ohne Zeichen", "a: \"b\""]);
    assert_eq!(values("m.txt", b"memory: \"Gr\xfc\xdfe\"\n"), [(None, "Grüße".to_owned())]);
    let yaml = "memory: 'CRM l\u{e4}uft'\ntags: [project_state, crm]\n---\nmemory: |\n  Erst Staging,\n  dann live.\n---\nmemory: \"\"\n";
    let read = read("m.yaml", yaml.as_bytes()).unwrap();
    assert_eq!(read.entries[0].tags, ["project_state", "crm"]);
    assert_eq!(read.entries[1].value, "Erst Staging,\ndann live.");
    assert_eq!(read.unread, [Unread { place: "line 8".to_owned(), why: "it is empty" }]);
}

#[test]
fn no_key_that_stands_twice_swallows_another() {
    let read =
        values("a.json", br#"{"editor": "vim", "editor": "neovim", "n": {"zone": "Berlin"}, "tags": ["a", "b"]}"#);
    let read: Vec<_> = read.iter().map(|(key, value)| (key.as_deref().unwrap(), value.as_str())).collect();
    assert_eq!(read, [("editor", "vim"), ("editor", "neovim"), ("n.zone", "Berlin"), ("tags", "a, b")]);
}

#[test]
fn a_bad_line_costs_that_line_alone() {
    let text = "{\"key\":\"a\",\"value\":\"1\",\"updated_at\":\"2026-05-02\"}\nnot json\n{\"memory\":\"b\",\"timestamp\":1780497000}\n{\"mem";
    let read = read("l.jsonl", text.as_bytes()).unwrap();
    assert_eq!(read.entries.len(), 2);
    assert_eq!(read.entries[0].at.unwrap().to_string(), "2026-05-02T00:00:00Z");
    assert_eq!(read.entries[1].at.unwrap().unix(), 1_780_497_000);
    assert_eq!(read.unread.iter().map(|unread| unread.place.as_str()).collect::<Vec<_>>(), ["line 2", "line 4"]);
}

#[test]
fn tables_and_variables_are_pairs() {
    let csv = "key,value,created\nstyle,\"compact, wide\",2026-05-02\ngreeting,\"eins\nzwei\",2026-05-03\n";
    assert_eq!(said("p.csv", csv), ["compact, wide", "eins\nzwei"]);
    let env = "# hand\nstyle=compact\nEDITOR=\"neovim\"\nexport LANGUAGE='de'\nEMPTY=\n";
    let read = read("p.env", env.as_bytes()).unwrap();
    assert_eq!(read.entries.iter().map(|entry| entry.value.as_str()).collect::<Vec<_>>(), ["compact", "neovim", "de"]);
    assert_eq!(read.unread[0].place, "line 5");
}

#[test]
fn a_separator_parts_entries_only_on_a_line_of_its_own_outside_of_code() {
    let text = "Das § trennt nicht\n § \nBeispiel:\n```\n§\n```\nEnde";
    assert_eq!(said("MEMORY.md", text), ["Das § trennt nicht", "Beispiel:\n```\n§\n```\nEnde"]);
}

#[test]
fn notes_keep_their_day_their_kinds_and_their_links() {
    let day =
        read("memory/2026-05-20.md", "# 2026-05-20\n- 10:15 Deploy verschoben\n- [ ] Telegram prüfen\n".as_bytes());
    let day = day.unwrap();
    assert_eq!(day.entries[0].at.unwrap().to_string(), "2026-05-20T10:15:00Z");
    assert_eq!(day.entries[1].at.unwrap().to_string(), "2026-05-20T00:00:00Z");
    assert_eq!(
        (day.entries[1].value.as_str(), day.entries[1].tags.as_slice()),
        ("Telegram prüfen", &["todo".to_owned()][..])
    );
    let note =
        "---\ntitle: Vento\n---\n- [status] 90% fertig #vento (Stand März)\n- relates_to [[Waldseilgarten CRM]]\n";
    let note = read("vento.md", note.as_bytes()).unwrap();
    assert_eq!(
        (note.entries[0].tags.as_slice(), note.entries[0].entities.as_slice()),
        (&["status".to_owned(), "vento".to_owned()][..], &["Vento".to_owned()][..])
    );
    assert!(note.entries[1].is_relation);
    assert_eq!(note.entries[1].entities, ["Vento", "Waldseilgarten CRM"]);
}

#[test]
fn graphs_lists_and_agents_are_read_by_their_shape() {
    let graph = concat!(
        r#"{"type":"entity","name":"Vento","entityType":"project","observations":["90% fertig",{"text":"live"}]}"#,
        "\n",
        r#"{"type":"relation","from":"Flo","to":"Vento","relationType":"arbeitet an"}"#,
        "\n",
        r#"{"type":"entity","name":"A","observations":[]}"#,
        "\n"
    );
    assert_eq!(said("g.jsonl", graph), ["90% fertig", "live", "Flo arbeitet an Vento"]);
    let list = r#"{"results":[{"id":"1","memory":"Mag Dunkles","categories":["preferences"]},{"data":"Nutzt FastAPI"}],"next":null}"#;
    assert_eq!(said("e.json", list), ["Mag Dunkles", "Nutzt FastAPI"]);
    let agent = r#"{"agents":[],"blocks":[{"label":"human","value":"Flo"},{"label":"human","value":"Zweiter"},{"label":"persona","value":""}]}"#;
    let twice = serde_json::to_string(agent).unwrap();
    for text in [agent, twice.as_str()] {
        assert_eq!(values("a.af", text.as_bytes()), [(None, "Flo".to_owned()), (None, "Zweiter".to_owned())]);
    }
}

#[test]
fn what_is_no_memory_is_not_taken_for_one() {
    assert_eq!(read("a", b"SQLite format 3\0..."), Err(Unknown::Sqlite));
    assert_eq!(read("a", b"PK\x03\x04"), Err(Unknown::Zip));
    assert_eq!(read("a", b"just some words"), Err(Unknown::Other));
    assert_eq!(read("a", b"").unwrap(), Held::default());
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_it_fail(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200), kind in 0..8_usize) {
        sound("x.md", bytes, Kind::ALL.get(kind).copied())?;
    }

    #[test]
    fn no_pieces_of_what_is_read_make_it_fail(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..12),
        name in proptest::sample::select(&["x.md", "memory/2026-05-20.md", "a.csv", "a.jsonl", "USER.md.bak.1"][..]),
        kind in 0..8_usize,
    ) {
        sound(name, pieces.concat().into_bytes(), Kind::ALL.get(kind).copied())?;
    }
}

const PIECES: &[&str] = &[
    "\n",
    "§",
    " ",
    "---\n",
    "- ",
    "# ",
    "[x] ",
    "[[A]]",
    "memory: ",
    "\"",
    "'",
    "|\n  ",
    "tags: [a]\n",
    "a=b",
    "${x}",
    "```\n",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"memory\":\"a\"",
    "\"key\":1,\"value\":2",
    "\"observations\":[1]",
    "\"from\":\"a\",\"to\":\"b\"",
    "key,value\n",
    "ü",
    "\u{0}",
    "2026-05-20",
    "10:15 ",
    "\"a\":{\"a\":1,\"a\":2}",
];

/// Reads it, if it can be read: no entry is empty, and each part has its place.
fn sound(name: &str, bytes: Vec<u8>, from: Option<Kind>) -> Result<(), proptest::test_runner::TestCaseError> {
    let mut found = Vec::new();
    let reading = Reading { from, ..Reading::default() };
    if let Ok(readable) = open(&Source::file(name, bytes), &reading) {
        readable.each(&mut |one| found.push(one));
    }
    for one in found {
        match one {
            Ok(entry) => proptest::prop_assert!(!entry.value.trim().is_empty() && !entry.place.is_empty()),
            Err(unread) => proptest::prop_assert!(!unread.place.is_empty()),
        }
    }
    Ok(())
}

/// Everything in a source: entries as `place: value`, and what could not be read as `place! why`.
fn all(source: &Source, from: Option<Kind>) -> Vec<String> {
    let mut found = Vec::new();
    let reading = Reading { from, zone: "Europe/Berlin".parse().unwrap() };
    open(source, &reading).unwrap().each(&mut |one| {
        found.push(match one {
            Ok(entry) => format!("{}: {}", entry.place, entry.value),
            Err(unread) => format!("{}! {}", unread.place, unread.why),
        });
    });
    found
}

fn folder(files: &[(&str, &str)]) -> Source {
    let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let layout = Layout::of(&names, None);
    let part = |(name, text): &(&str, &str)| Part {
        name: (*name).to_owned(),
        bytes: text.as_bytes().to_vec(),
        ..Part::default()
    };
    let parts = files.iter().filter(|(name, _)| layout.holds(name)).map(part).collect();
    Source { name: "folder".to_owned(), parts, layout: Some(layout) }
}

fn database(sql: &str) -> Vec<u8> {
    let mut database = rusqlite::Connection::open_in_memory().unwrap();
    database.execute_batch(sql).unwrap();
    database.serialize("main").unwrap().to_vec()
}

#[test]
fn tables_of_databases_are_read_and_others_are_named() {
    let bytes = database(
        "CREATE TABLE memory(key TEXT, value TEXT, updated_at TEXT); CREATE TABLE other(a, b, c, d);
         INSERT INTO memory VALUES ('editor', 'neovim', NULL), ('editor', x'76696d', '2026-01-01'), ('n', 3, 1780497000);",
    );
    let source = Source::file("m.db", bytes);
    assert_eq!(
        all(&source, None),
        [
            "table memory, row 1: neovim",
            "table memory, row 2: vim",
            "table memory, row 3: 3",
            "table other! it has no column that holds memories",
        ]
    );
    let mut entries = Vec::new();
    let reading = Reading { from: None, zone: "Europe/Berlin".parse().unwrap() };
    open(&source, &reading).unwrap().each(&mut |one| entries.extend(one.ok()));
    assert_eq!(entries[0].key.as_deref(), Some("editor"));
    assert_eq!(
        entries.iter().map(|entry| entry.at.map(|at| at.to_string())).collect::<Vec<_>>(),
        [None, Some("2025-12-31T23:00:00Z".to_owned()), Some("2026-06-03T14:30:00Z".to_owned())]
    );
    let pairs = database("CREATE TABLE kv(a, b); INSERT INTO kv VALUES ('style', 'compact');");
    assert_eq!(all(&Source::file("kv.db", pairs), None), ["table kv, row 1: compact"]);
    for (sql, why) in [("CREATE TABLE t(a, b, c, d)", Unknown::NoTable), ("", Unknown::NoTable)] {
        let mut bytes = database(sql);
        if bytes.is_empty() {
            bytes = b"SQLite format 3\0".to_vec();
        }
        let reading = Reading::default();
        let found = open(&Source::file("x.db", bytes.clone()), &reading).err();
        let why = if bytes.len() < 100 { Unknown::Sqlite } else { why };
        assert_eq!(found, Some(why));
    }
}

#[test]
fn rows_that_are_still_in_the_log_beside_a_database_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE memory(key, value);
             INSERT INTO memory VALUES ('a', 'eins'); PRAGMA wal_checkpoint(TRUNCATE);
             INSERT INTO memory VALUES ('b', 'zwei'); UPDATE memory SET value = 'drei' WHERE key = 'a';",
        )
        .unwrap();
    let [bytes, log] = ["m.db", "m.db-wal"].map(|name| std::fs::read(dir.path().join(name)).unwrap());
    let read = |wal: Option<Vec<u8>>| {
        let mut source = Source::file("m.db", bytes.clone());
        source.parts[0].wal = wal;
        all(&source, None)
    };
    assert_eq!(read(Some(log.clone())), ["table memory, row 1: drei", "table memory, row 2: zwei"]);
    assert_eq!(read(None), ["table memory, row 1: eins"]);
    // A log that was cut off holds what was committed before the cut; one that was damaged, nothing behind the damage.
    let cut = log[..log.len() - 100].to_vec();
    assert_eq!(read(Some(cut)), ["table memory, row 1: eins", "table memory, row 2: zwei"]);
    let mut damaged = log;
    damaged[60] ^= 1;
    assert_eq!(read(Some(damaged)), ["table memory, row 1: eins"]);
}

#[test]
fn an_archive_that_says_everything_twice_is_read_once() {
    use std::io::Write as _;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed
        .write_all(
            "{\"id\":\"1\",\"content\":\"Mag Tee\",\"categories\":[\"preferences\"],\"state\":\"active\"}\n".as_bytes(),
        )
        .unwrap();
    let document = r#"{"user":{"user_id":"flo"},"memories":[{"id":"1","content":"Mag Tee","state":"active"},
        {"id":"2","content":"Mag Kaffee","state":"deleted"},
        {"id":"3","content":"Mag Kakao","state":"archived","archived_at":1780497000}],"apps":[]}"#;
    let mut writer = ::zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = ::zip::write::SimpleFileOptions::default().compression_method(::zip::CompressionMethod::Stored);
    for (name, bytes) in [
        ("memories.json", document.as_bytes()),
        ("memories.jsonl.gz", &packed.finish().unwrap()),
        ("readme.txt", b"x".as_slice()),
    ] {
        writer.start_file(name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    assert_eq!(
        all(&Source::file("export.zip", bytes.clone()), None),
        [
            "memories.jsonl.gz, the document: Mag Tee",
            "memories.json, item 2! it was deleted where it was kept",
            "memories.json, item 3: Mag Kakao",
            "readme.txt! it is no file of memories",
        ]
    );
    let cut = bytes[..bytes.len() / 2].to_vec();
    assert_eq!(open(&Source::file("export.zip", cut), &Reading::default()).err(), Some(Unknown::Zip));
}

#[test]
fn a_home_is_read_with_its_profiles_its_copies_and_what_was_superseded() {
    let home = folder(&[
        ("config.yaml", "model: x"),
        (
            "memories/ARCHIVE.jsonl",
            "{\"ts\":\"2026-08-03T09:12:00Z\",\"action\":\"superseded\",\"entry\":\"Port 8080\"}\n",
        ),
        ("memories/MEMORY.md", "Port 8645\n§\nNeu"),
        ("memories/MEMORY.md.bak.1780497000", "Port 8645\n§\nAlt"),
        ("memories/USER.md", "Nur ein Eintrag"),
        (
            "pending/memory/1.json",
            "{\"subsystem\":\"memory\",\"created_at\":1780497000,\"payload\":{\"action\":\"batch\",\"operations\":[{\"action\":\"add\",\"content\":\"Neues\"},{\"action\":\"remove\",\"old_text\":\"Altes\"}]}}",
        ),
        ("profiles/mari/memories/MEMORY.md", "Mari hier"),
        ("skills/notes.md", "- no memory"),
    ]);
    assert_eq!(home.layout, Some(Layout::Hermes));
    let mut found = Vec::new();
    open(&home, &Reading::default()).unwrap().each(&mut |one| {
        let entry = one.unwrap();
        found.push((format!("{}: {}", entry.place, entry.value), entry.standing));
    });
    let at = |text: &str| Timestamp::parse(text).ok();
    let expected = [
        ("memories/ARCHIVE.jsonl, the document: Port 8080", Standing::Past(at("2026-08-03T09:12:00Z"))),
        ("memories/MEMORY.md, line 1: Port 8645", Standing::Holds),
        ("memories/MEMORY.md, line 3: Neu", Standing::Holds),
        ("memories/USER.md, line 1: Nur ein Eintrag", Standing::Holds),
        ("pending/memory/1.json, operation 1: Neues", Standing::Proposed(Proposal::Add)),
        ("pending/memory/1.json, operation 2: Altes", Standing::Proposed(Proposal::Remove)),
        ("profiles/mari/memories/MEMORY.md, line 1: Mari hier", Standing::Holds),
        ("memories/MEMORY.md.bak.1780497000, line 1: Port 8645", Standing::Past(at("2026-06-03T14:30:00Z"))),
        ("memories/MEMORY.md.bak.1780497000, line 3: Alt", Standing::Past(at("2026-06-03T14:30:00Z"))),
    ];
    assert_eq!(found, expected.map(|(what, standing)| (what.to_owned(), standing)));
}

#[test]
fn a_folder_is_told_from_what_lies_in_it() {
    for (files, layout) in [
        (vec!["memories/USER.md"], Layout::Hermes),
        (vec!["profiles/a/memories/MEMORY.md"], Layout::Hermes),
        (vec!["MEMORY.md", "USER.md"], Layout::Hermes),
        (vec!["MEMORY.md", "USER.md", "SOUL.md"], Layout::OpenClaw),
        (vec!["MEMORY.md", "memory/2026-05-20.md"], Layout::OpenClaw),
        (vec!["memory/notes.md", "vento.md"], Layout::Files),
        (vec!["a.json", "b.csv"], Layout::Files),
    ] {
        let names: Vec<String> = files.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(Layout::of(&names, None), layout, "{files:?}");
    }
    let mixed =
        folder(&[("a.json", "{\"k\": \"v\"}"), ("b.bin", "\u{0}\u{1}"), ("c.md", "# T\n- eins\n  weiter\n- zwei")]);
    assert_eq!(
        all(&mixed, None),
        [
            "a.json, key k: v",
            "b.bin! no known form of memories was found in it",
            "c.md, line 2: eins\nweiter",
            "c.md, line 4: zwei",
        ]
    );
}

#[test]
fn a_name_given_for_a_source_counts_more_than_its_looks() {
    let text = "Ein Satz.\n\nNoch einer.";
    let plain = Source::file("x.txt", text.as_bytes().to_vec());
    assert_eq!(open(&plain, &Reading::default()).err(), Some(Unknown::Other));
    assert_eq!(all(&plain, Some(Kind::Hermes)), ["line 1: Ein Satz.\n\nNoch einer."]);
    assert_eq!(all(&plain, Some(Kind::OpenClaw)), ["line 1: Ein Satz.", "line 3: Noch einer."]);
    let reading = Reading { from: Some(Kind::Letta), ..Reading::default() };
    assert_eq!(open(&plain, &reading).err(), Some(Unknown::NotOfKind));
}

#[test]
fn notes_keep_code_together_and_say_under_what_they_stand() {
    let text = "# Notizen\n## Vento\n- Status: fertig\n\n```sh\n# kein Titel\n- kein Punkt\n```\n## 2026-05-20\n- 10:15 Deploy\n---\n<!-- x -->\nSatz\n";
    let mut entries = Vec::new();
    let source = Source::file("n.md", text.as_bytes().to_vec());
    let reading = Reading { from: None, zone: "Europe/Berlin".parse().unwrap() };
    open(&source, &reading).unwrap().each(&mut |one| entries.push(one.unwrap()));
    let said: Vec<&str> = entries.iter().map(|entry| entry.value.as_str()).collect();
    assert_eq!(said, ["Status: fertig", "```sh\n# kein Titel\n- kein Punkt\n```", "10:15 Deploy", "Satz"]);
    assert_eq!(entries[0].entities, ["Vento"]);
    assert_eq!(entries[2].at.unwrap().to_string(), "2026-05-20T08:15:00Z");
    assert_eq!(entries[3].at.unwrap().to_string(), "2026-05-19T22:00:00Z");
}

#[test]
fn keys_that_stand_twice_deep_inside_are_entries_each() {
    let text = r#"{"a": {"editor": "vim", "editor": "neovim", "n": 3}, "b": [{"x": 1, "x": 2}], "c": "d"}"#;
    assert_eq!(
        all(&Source::file("a.json", text.as_bytes().to_vec()), None),
        [
            "key a.editor: vim",
            "key a.editor: neovim",
            "key a.n: 3",
            "key b, item 1, key x: 1",
            "key b, item 1, key x: 2",
            "key c: d"
        ]
    );
    let lines = "{\"memory\":\"a\",\"memory\":\"b\"}\n{\"editor\":\"vim\",\"editor\":\"neovim\"}\n";
    assert_eq!(
        all(&Source::file("a.jsonl", lines.as_bytes().to_vec()), None),
        ["line 1! a key stands twice in one object", "line 2, key editor: vim", "line 2, key editor: neovim"]
    );
}

#[test]
fn bytes_are_text_in_more_than_one_encoding() {
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("memory: Grüße\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(all(&Source::file("m.txt", utf16), None), ["line 1: Grüße"]);
    // One line of another encoding costs nothing of the others; what is cut off within a character ends before it.
    assert_eq!(
        all(&Source::file("m.txt", b"memory: Gr\xc3\xbc\xc3\x9fe\nmemory: Gr\xfc\xdfe\n".to_vec()), None),
        ["line 1: Grüße", "line 2: Grüße"]
    );
    assert_eq!(all(&Source::file("m.txt", b"memory: \xc3\xbcb\xc3".to_vec()), None), ["line 1: üb"]);
    assert_eq!(all(&Source::file("m.txt", b"memory: caf\xe9".to_vec()), None), ["line 1: café"]);
}

#[test]
fn variables_may_be_quoted_long_and_commented() {
    let text = "A=\"eins\nzwei\" # kommt\nB=drei # vier\nC='mit # darin'\nTOKEN=${VAULT:x}\nD=\"offen\n";
    assert_eq!(
        all(&Source::file("p.env", text.as_bytes().to_vec()), None),
        [
            "line 1: eins\nzwei",
            "line 3: drei",
            "line 4: mit # darin",
            "line 5! it only refers to a value that is kept elsewhere",
            "line 6: \"offen",
        ]
    );
}
