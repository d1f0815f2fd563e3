//! Bad input of every kind, on every reader of outside bytes: a clear error in bounded time, and nothing written.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::screen::Screen;
use crate::world::{Ran, World, turn, turn_with};

/// No command may take longer, on a busy machine and a debug build.
const PATIENCE: Duration = Duration::from_secs(20);
/// No error needs more bytes than this: it tells what is wrong and does not repeat the input.
const ERROR_MAX: usize = 4096;

const APPEND: [&str; 4] = ["session", "append", "--agent", "carlo"];

/// Runs a command on hostile input: whatever it answers, it does so soon, in few words and without a panic.
#[track_caller]
pub(crate) fn run(world: &World, args: &[&str], input: &[u8]) -> Ran {
    let start = Instant::now();
    let ran = world.run_with(args, input);
    let begin: String = String::from_utf8_lossy(input.get(..80).unwrap_or(input)).into_owned();
    assert!(start.elapsed() < PATIENCE, "{args:?} {begin}: {:?}", start.elapsed());
    assert!(ran.code.is_some_and(|code| code != 101), "{args:?} {begin}: {ran}");
    assert!(ran.err.len() < ERROR_MAX, "{args:?} {begin}: an error of {} bytes", ran.err.len());
    ran
}

/// The same, for input that has to be refused with this status and nothing written.
#[track_caller]
fn refused(world: &World, args: &[&str], input: &[u8], code: i32) -> Ran {
    let before = world.content();
    let ran = run(world, args, input);
    let begin: String = String::from_utf8_lossy(input.get(..80).unwrap_or(input)).into_owned();
    assert_eq!(ran.code, Some(code), "{args:?} {begin}: {ran}");
    assert!(ran.err.starts_with("error: "), "{args:?} {begin}: {ran}");
    assert!(world.content() == before, "{args:?} {begin}: something was written");
    ran
}

/// Bytes that are no JSON document that anybody wants, each with a part of what is said about it.
pub(crate) fn no_documents() -> Vec<(Vec<u8>, &'static str)> {
    vec![
        (b"".to_vec(), "ends too early"),
        (b" \n".to_vec(), "ends too early"),
        (vec![0; 1000], "no valid JSON"),
        (b"{\"fact\":\"a\xffb\"}".to_vec(), "not UTF-8"),
        ("{\"fact\":\"Gr\u{fc}\"}".encode_utf16().flat_map(u16::to_le_bytes).collect(), ""),
        (b"{\"fact\":\"a\0b\"}".to_vec(), "control character"),
        (b"{\"fact\":\"a\",\"fact\":\"b\"}".to_vec(), "stands twice"),
        (b"{\"fact\":\"\\ud800\"}".to_vec(), "no valid JSON"),
        ("[".repeat(100_000).into_bytes(), "nested deeper than 128"),
        ("{\"a\":".repeat(100_000).into_bytes(), "nested deeper than 128"),
        (format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)).into_bytes(), "nested deeper than 128"),
        (b"{} {}".to_vec(), "something follows"),
        (b"null".to_vec(), "must be"),
        (b"[]".to_vec(), "must be"),
        (b"\"text\"".to_vec(), "must be"),
        (b"1e999999999".to_vec(), "must be"),
        (b"NaN".to_vec(), "no valid JSON"),
        (b"{\"$serde_json::private::Number\":\"1\"}".to_vec(), "must be"),
        (b"{\"$serde_json::private::Number\":\"x\"}".to_vec(), ""),
        (b"{\"$serde_json::private::RawValue\":\"{\"}".to_vec(), ""),
        (vec![b' '; (64 << 20) + 1], "larger than the limit of 67108864 bytes"),
    ]
}

#[test]
fn append_and_create_refuse_what_is_no_document() {
    let world = World::new();
    for (input, said) in no_documents() {
        for args in [&APPEND[..], &["review", "create", "--file", "-"]] {
            let ran = refused(&world, args, &input, 4);
            assert!(ran.err.contains(said), "{said}: {ran}");
        }
    }
}

#[test]
fn a_field_of_ten_million_characters_is_refused_by_its_name_limit_and_length() {
    let world = World::new();
    let huge = "ä".repeat(10_000_000);
    for (field, limit) in [("user_input_summary", 500), ("conversation_summary", 1000), ("request_id", 128)] {
        let mut turn = turn();
        turn[field] = json!(huge);
        let said = format!("{field}: 10000000 characters; the limit is {limit}");
        let ran = refused(&world, &APPEND, turn.to_string().as_bytes(), 4);
        assert!(ran.err.contains(&said), "{ran}");
    }
    let mut named = turn();
    named[&huge] = json!(1);
    refused(&world, &APPEND, named.to_string().as_bytes(), 4);
    let mut listed = turn();
    listed["pending_tasks"] = json!(vec!["x"; 1_000_000]);
    let ran = refused(&world, &APPEND, listed.to_string().as_bytes(), 4);
    assert!(ran.err.contains("pending_tasks: 1000000 entries; the limit is 100"), "{ran}");
    let fact = json!({"fact": huge, "status": "inferred"}).to_string();
    refused(&world, &["review", "create", "--file", "-"], fact.as_bytes(), 4);
}

#[test]
fn a_byte_order_mark_and_crlf_do_no_harm() {
    let world = World::new();
    let pretty = serde_json::to_string_pretty(&turn_with("Vento unterstützt Telegram")).unwrap();
    let dressed = format!("\u{feff}{}\r\n", pretty.replace('\n', "\r\n"));
    run(&world, &APPEND, dressed.as_bytes()).exits(0);
    // The same in a file of the tree, put there by other hands.
    let (path, bytes) = world.files("memory/review-queue").pop().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    world.write(PathBuf::from("memory/review-queue").join(path), format!("\u{feff}{}", text.replace('\n', "\r\n")));
    let listed = run(&world, &["review", "list", "--json"], b"").exits(0).json();
    assert_eq!(listed["reviews"].as_array().unwrap().len(), 1);
    world.write("memory/config.toml", "\u{feff}[review]\r\nmax_pending = 5\r\n");
    run(&world, &["config", "check"], b"").exits(0);
}

#[test]
fn values_of_a_wrong_type_or_size_are_stored_or_refused_but_never_half_taken() {
    let world = World::new();
    let raw = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let values = [
        json!(true),
        json!(-1),
        json!(1.5),
        json!("x"),
        json!([]),
        json!({}),
        json!([[]]),
        json!([{}]),
        json!([1, "x"]),
        json!({"text": 5}),
        json!([{"fact": [], "status": {}}]),
        raw("1e400"),
        raw("123456789012345678901234567890"),
        raw("-0"),
        json!("\u{0}"),
        json!("\u{202e}"),
        json!("../../etc/passwd"),
    ];
    let fields = [
        "user_input_summary",
        "conversation_summary",
        "retrieval_meta",
        "retrieval_meta.obsidian_sources",
        "retrieval_meta.confidence",
        "retrieval_meta.source_paths",
        "pending_tasks",
        "decisions",
        "proposed_facts",
        "request_id",
        "retrieval_unavailable",
    ];
    for field in fields {
        for value in &values {
            let mut turn = turn_with("Vento unterstützt Telegram");
            match field.split_once('.') {
                Some((outer, inner)) => turn[outer][inner] = value.clone(),
                None => turn[field] = value.clone(),
            }
            let before = world.content();
            let ran = run(&world, &APPEND, turn.to_string().as_bytes());
            match ran.code {
                Some(0) => {}
                Some(4) => assert!(world.content() == before && ran.err.contains(field), "{field} {value}: {ran}"),
                _ => panic!("{field} {value}: {ran}"),
            }
        }
    }
    world.run(&["audit", "verify"]).exits(0);
}

#[test]
fn an_id_can_name_no_path() {
    let world = World::new();
    run(&world, &APPEND, turn_with("Vento unterstützt Telegram").to_string().as_bytes()).exits(0);
    world.write("outside.json", "{}");
    for id in ["../../outside", "../outside.json", "/etc/passwd", "SESSION-../../x-20260521-a3f7b2", "..", "\n", "*"] {
        for args in [
            vec!["session", "show", id],
            vec!["session", "close", id],
            vec!["review", "show", id],
            vec!["review", "reject", id, "--reason", "x"],
            vec!["review", "undo", id],
        ] {
            refused(&world, &args, b"", 5);
        }
        refused(&world, &["session", "append", "--agent", id], turn().to_string().as_bytes(), 2);
        // The protocol wants the turn kept: it goes to a session of its own.
        let args = ["session", "append", "--agent", "mari", "--new", "--session", id, "--json"];
        run(&world, &args, turn().to_string().as_bytes()).exits(0);
    }
    assert_eq!(world.files("").iter().filter(|(path, _)| !path.starts_with("memory")).count(), 1);
}

#[test]
fn what_is_no_file_is_refused_where_one_is_named() {
    let world = World::new();
    let review = world.review_of("Vento unterstützt Telegram");
    std::fs::create_dir(world.dir().join("folder")).unwrap();
    symlink("nowhere", world.dir().join("dangling")).unwrap();
    symlink("loop", world.dir().join("loop")).unwrap();
    for (file, code) in [("folder", 1), ("dangling", 1), ("loop", 1), ("missing", 1), ("/dev/null", 4)] {
        refused(&world, &[&APPEND[..], &["--file", file]].concat(), b"", code);
        refused(&world, &["review", "create", "--file", file], b"", code);
    }
    for file in ["folder", "dangling", "loop", "missing"] {
        refused(&world, &["mask", file], b"", 1);
        refused(&world, &["review", "batch", "--apply", file, "--yes"], b"", 1);
    }
    for file in ["folder", "dangling", "loop", "/dev/null"] {
        refused(&world, &["review", "batch", "--export", file], b"", 1);
    }
    refused(&world, &["review", "batch", "--apply", "/dev/zero", "--yes"], b"", 4);
    assert_eq!(world.status_of(&review), "pending");
}

#[test]
fn a_bad_configuration_stops_every_command() {
    let world = World::new();
    let deep = format!("a = {}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let dotted = format!("{}a = 1", "a.".repeat(100_000));
    let table = format!("[{}a]", "a.".repeat(100_000));
    for config in [
        b"\0\0\0".as_slice(),
        b"[review]\nmax_pending = \xff",
        b"a = 1\na = 2",
        b"[review]\nmax_pending = 99999999999999999999",
        b"[review]\nmax_pending = -1",
        b"review = 5",
        b"[[reviewer]]\nname = 5\nuser = []",
        b"reviewer = [1, 2]",
        b"mask.allow = [[\"x\"]]",
        b"[tree]\ngroup = \"no-such-group\"",
        b"= = =",
        b"[vault]\npath = \"../x\"",
        deep.as_bytes(),
        dotted.as_bytes(),
        table.as_bytes(),
        &vec![b'#'; (1 << 20) + 1],
        &vec![b'x'; 1 << 20],
    ] {
        world.write("memory/config.toml", config);
        let code = if config.len() > 1 << 20 { 4 } else { 1 };
        refused(&world, &["config", "check"], b"", code);
        refused(&world, &APPEND, turn().to_string().as_bytes(), code);
    }
    std::fs::remove_file(world.root().join("config.toml")).unwrap();
    assert!(Command::new("mkfifo").arg(world.root().join("config.toml")).status().unwrap().success());
    assert_eq!(run(&world, &["config", "check"], b"").code, Some(6));
    std::fs::remove_file(world.root().join("config.toml")).unwrap();
    std::fs::create_dir(world.root().join("config.toml")).unwrap();
    refused(&world, &["config", "check"], b"", 1);
}

#[test]
fn a_bad_list_decides_nothing() {
    let world = World::new();
    let review = world.review_of("Vento unterstützt Telegram");
    let args = ["review", "batch", "--apply", "-", "--yes"];
    let good = format!("reject {review} veraltet\n");
    for (list, code) in [
        (format!("{good}approve\n").into_bytes(), 4),
        (format!("{good}tanze {review}\n").into_bytes(), 4),
        (format!("{good}{good}").into_bytes(), 4),
        (format!("{good}reject ../../outside x\n").into_bytes(), 5),
        ([good.as_bytes(), b"# \xff\n"].concat(), 4),
        ([good.as_bytes(), b"\0\n"].concat(), 4),
        (good.repeat(200_000).into_bytes(), 4),
        (vec![b'#'; (16 << 20) + 1], 4),
        (format!("- [x] approve\n## {review}\n- [x] reject, reason: x\n").into_bytes(), 4),
        (format!("## {review}\n- [x] approve, evidence: x\n- [x] reject, reason: x\n").into_bytes(), 4),
    ] {
        refused(&world, &args, &list, code);
    }
    for list in ["", "\n# nur ein Kommentar\r\n", "## x\n- [ ] approve, evidence:\n"] {
        let ran = run(&world, &args, list.as_bytes()).exits(0);
        assert!(ran.err.contains("decides nothing"), "{ran}");
    }
    assert_eq!(world.status_of(&review), "pending");
    run(&world, &args, format!("\u{feff}{}", good.replace('\n', "\r\n")).as_bytes()).exits(0);
}

#[test]
fn mask_refuses_what_it_cannot_read_and_takes_all_else() {
    let world = World::new();
    for input in [b"a\xff".as_slice(), b"\xff\xfe\0", "Größe".as_bytes().get(..3).unwrap()] {
        refused(&world, &["mask"], input, 4);
        refused(&world, &["mask", "--check"], input, 4);
    }
    for line in
        [b"{".as_slice(), b"[]", b"{\"text\": 5}", b"{\"text\":\"a\",\"text\":\"b\"}", b"{\"text\":\"a\"}\n\xff", b"\n"]
            .into_iter()
            // Half a pair of surrogates, wherever it stands, is no character; it is not passed on as it came.
            .chain([
                b"{\"text\":\"\\ud800\"}".as_slice(),
                b"{\"text\":\"Anna Meier \\udc00\"}",
                b"{\"\\ud83d\":\"\",\"text\":\"a\"}",
            ])
    {
        refused(&world, &["mask", "--jsonl"], line, 4);
    }
    refused(&world, &["mask", "--jsonl"], "[".repeat(100_000).as_bytes(), 4);
    for text in ["", "\0\0", "\u{feff}a\r\nb", "\u{202e}\u{200d}"] {
        assert_eq!(run(&world, &["mask"], text.as_bytes()).exits(0).out, text);
    }
    run(&world, &["mask"], "a".repeat(10_000_000).as_bytes()).exits(0);
}

#[test]
fn a_bad_save_in_the_editor_changes_nothing() {
    let mut world = World::new();
    let review = world.review_of("Vento unterstützt Telegram");
    world.at("2026-05-21T17:00:00Z");
    let before = world.content();
    for save in [
        "printf '' > \"$1\"",
        "printf 'Text ohne Kopf' > \"$1\"",
        "printf '[fact]\\n\\n' > \"$1\"",
        "printf '[fact]\\na\\n[fact]\\nb' > \"$1\"",
        "printf '[fact]\\na\\377b' > \"$1\"",
        "printf '[page]\\n../../x' > \"$1\"",
        "{ printf '[fact]\\n'; head -c 10000000 /dev/zero | tr '\\0' a; } > \"$1\"",
        "rm \"$1\"",
        "rm \"$1\"; mkdir \"$1\"",
        "rm \"$1\"; ln -s /etc/passwd \"$1\"",
        "rm \"$1\"; mkfifo \"$1\"",
        "exit 1",
        "kill -9 $$",
    ] {
        world.write("editor", format!("#!/bin/sh\n{save}\n"));
        std::fs::set_permissions(world.dir().join("editor"), Permissions::from_mode(0o755)).unwrap();
        let mut screen = Screen::open(&world, 100, &["review", "edit", &review], &[("EDITOR", "./editor")]);
        let (shown, code) = screen.end();
        if save.starts_with("printf ''") {
            assert_eq!(code, 0, "{save}: {shown}");
            assert!(shown.contains("is as it was"), "{save}: {shown}");
        } else {
            assert!([1, 4, 6].contains(&code) && shown.contains("error"), "{save}: {code} {shown}");
        }
        let _ = std::fs::remove_dir_all(world.root().join(".editing"));
        assert!(world.content() == before, "{save}");
    }
}

/// Any JSON, with the protocol's own field names among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec!["user_stated", "verified", "rejected", "high", "medium"]).prop_map(Value::from),
    ];
    let key = prop_oneof![
        prop::sample::select(vec![
            "fact",
            "status",
            "text",
            "consequence",
            "project",
            "query",
            "obsidian_sources",
            "$serde_json::private::Number"
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    leaf.prop_recursive(4, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(key.clone(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn few() -> ProptestConfig {
    ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() }
}

/// Appends the bytes: they are refused with nothing written, or they make a turn.
fn refused_or_stored(world: &World, bytes: &[u8]) -> Result<(), TestCaseError> {
    let before = world.content();
    let ran = run(world, &APPEND, bytes);
    match ran.code {
        Some(0) => prop_assert!(world.content() != before),
        Some(4) => prop_assert!(world.content() == before),
        _ => prop_assert!(false, "{}", ran),
    }
    Ok(())
}

#[test]
fn any_bytes_are_refused_or_stored() {
    let world = World::new();
    proptest!(few(), |(bytes in prop::collection::vec(any::<u8>(), 0..200))| refused_or_stored(&world, &bytes)?);
}

#[test]
fn any_json_is_refused_or_stored() {
    let world = World::new();
    let fields = prop::sample::select(vec![
        "user_input_summary",
        "conversation_summary",
        "retrieval_meta",
        "pending_tasks",
        "decisions",
        "proposed_facts",
        "request_id",
        "retrieval_unavailable",
        "unknown",
    ]);
    proptest!(few(), |(field in fields, value in any_json())| {
        let mut turn = turn();
        turn[field] = value.clone();
        refused_or_stored(&world, turn.to_string().as_bytes())?;
        refused_or_stored(&world, value.to_string().as_bytes())?;
    });
}
