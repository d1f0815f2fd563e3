//! The review queue as it is read: order, filters, formats, ids, the reminder and the figures. Deciding is in `review`.

use serde_json::{Value, json};

use crate::world::{World, turn_with};

/// A queue with something for every filter, filed on five days. The names say what each is.
///
/// | day | id ends with | what |
/// | --- | --- | --- |
/// | 10 | `redis` | by a person, for the Vento page |
/// | 12 | `kassenzeiten` | the vault contradicts it |
/// | 13 | `n8n` | by Mari's agent |
/// | 15 | `sommer` | a decision |
/// | 20 | `kiosk` | for another page |
fn queue() -> World {
    let mut world = World::new();
    let vento = ["--project", "Vento", "--page", "03-Projekte/LP-VENTO.md"];
    let garten = ["--project", "Waldseilgarten", "--page", "03-Projekte/LP-WALDSEILGARTEN.md"];
    let mut file = |day: &str, args: &[&str]| {
        world.at(&format!("2026-05-{day}T10:00:00Z"));
        world.run(&[&["review", "create"], args].concat()).exits(0);
    };
    file("10", &[&["--fact", "Vento nutzt Redis"], &vento[..]].concat());
    file("13", &[&["--agent", "mari", "--fact", "Vento nutzt n8n"], &vento[..]].concat());
    file("15", &[&["--kind", "decision", "--fact", "Die Sommerpause entfällt"], &garten[..2]].concat());
    file("20", &[&["--fact", "Der Kiosk verkauft Gutscheine"], &garten[..]].concat());
    let conflict = json!({
        "schema_version": 1, "review_id": "REVIEW-20260512-100000-kassenzeiten", "agent": "carlo", "kind": "fact",
        "project": "Waldseilgarten", "proposed_fact": "Die Kasse öffnet um 9 Uhr", "fact_status": "user_stated", "confidence": "low",
        "proposed_obsidian_page": "03-Projekte/LP-WALDSEILGARTEN.md", "created_at": "2026-05-12T10:00:00Z",
        "expires_at": "2026-05-26T10:00:00Z", "status": "pending", "conflict": true, "flags": ["conflict"]
    });
    world.write("memory/review-queue/REVIEW-20260512-100000-kassenzeiten.json", conflict.to_string());
    world.at("2026-05-21T14:30:00Z");
    world
}

/// The last words of the ids that a list answers.
#[track_caller]
fn listed(world: &World, args: &str) -> Vec<String> {
    let args: Vec<&str> = args.split(' ').chain(["--format", "ids"]).collect();
    let out = world.run(&args).exits(0).out;
    out.lines().map(|id| id.rsplit('-').next().unwrap().to_owned()).collect()
}

#[test]
fn conflicts_come_first_and_then_what_expires_soonest() {
    let world = queue();
    assert_eq!(listed(&world, "review pending"), ["kassenzeiten", "redis", "n8n", "sommerpause", "gutscheine"]);
}

#[test]
fn a_list_can_be_sorted() {
    let world = queue();
    for order in ["expires", "age"] {
        let found = listed(&world, &format!("review pending --sort {order}"));
        assert_eq!(found, ["redis", "kassenzeiten", "n8n", "sommerpause", "gutscheine"], "{order}");
    }
    assert_eq!(
        listed(&world, "review pending --sort project"),
        ["redis", "n8n", "kassenzeiten", "sommerpause", "gutscheine"]
    );
    assert_eq!(
        listed(&world, "review pending --sort page"),
        ["sommerpause", "redis", "n8n", "kassenzeiten", "gutscheine"]
    );
}

#[test]
fn each_filter_lets_through_what_it_names() {
    let world = queue();
    let cases: [(&str, &[&str]); 16] = [
        ("--project vento", &["redis", "n8n"]),
        ("--project garten", &["kassenzeiten", "sommerpause", "gutscheine"]),
        ("--agent hermes-mari", &["n8n"]),
        ("--agent carlo", &["kassenzeiten"]),
        ("--page lp-vento", &["redis", "n8n"]),
        ("--conflict", &["kassenzeiten"]),
        ("--kind decision", &["sommerpause"]),
        ("--kind fact,decision", &["kassenzeiten", "redis", "n8n", "sommerpause", "gutscheine"]),
        ("--kind task", &[]),
        ("--older-than 7d", &["kassenzeiten", "redis", "n8n"]),
        ("--since 7d", &["sommerpause", "gutscheine"]),
        ("--since 2026-05-13", &["n8n", "sommerpause", "gutscheine"]),
        ("--since 2026-05-13T10:00:01Z", &["sommerpause", "gutscheine"]),
        ("--search REDIS", &["redis"]),
        ("--limit 2", &["kassenzeiten", "redis"]),
        ("--project vento --agent mari --limit 1", &["n8n"]),
    ];
    for (filter, want) in cases {
        assert_eq!(listed(&world, &format!("review pending {filter}")), want, "{filter}");
    }
    let found = world.run(&["review", "pending", "--search", "nutzt vento", "--format", "ids"]).exits(0).out;
    assert_eq!(found.lines().count(), 2, "words in any order: {found}");
    for bad in ["--older-than soon", "--since yesterday", "--kind idea", "--sort size", "--limit -1"] {
        let args: Vec<&str> = ["review", "pending"].into_iter().chain(bad.split(' ')).collect();
        world.run(&args).exits(2);
    }
}

#[test]
fn ages_are_counted_to_the_second() {
    let mut world = World::new();
    world.propose("Vento nutzt Redis", &[]);
    for (now, older, since) in
        [("2026-05-28T14:29:59Z", 0, 1), ("2026-05-28T14:30:00Z", 1, 1), ("2026-05-28T14:30:01Z", 1, 0)]
    {
        world.at(now);
        assert_eq!(listed(&world, "review pending --older-than 7d").len(), older, "{now}");
        assert_eq!(listed(&world, "review pending --since 7d").len(), since, "{now}");
    }
}

#[test]
fn an_overdue_review_counts_as_expired_before_any_sweep() {
    let mut world = queue();
    world.at("2026-05-24T10:00:00Z");
    assert_eq!(listed(&world, "review pending"), ["kassenzeiten", "n8n", "sommerpause", "gutscheine"]);
    assert_eq!(listed(&world, "review list --status expired"), ["redis"]);
    assert_eq!(world.json(&["review", "show", "redis"])["status"], "expired");
    for args in [
        vec!["review", "approve", "redis", "--evidence", "commit", "--yes"],
        vec!["review", "reject", "redis", "--reason", "nein"],
        vec!["review", "edit", "redis", "--fact", "Vento nutzt MySQL"],
        vec!["review", "transferred", "redis"],
    ] {
        let error = world.error(&args, 4);
        assert_eq!(error["code"], "wrong_status", "{args:?}");
        assert!(error["hints"][0].as_str().unwrap().contains("propose it again"), "{error}");
    }
    // The same fact, proposed again, is a new review.
    let answer = world.append("carlo", &turn_with("Vento nutzt Redis"));
    assert_eq!(answer["reviews_created"].as_array().unwrap().len(), 1, "{answer}");
}

#[test]
fn every_status_can_be_listed() {
    let mut world = queue();
    world.run(&["review", "reject", "n8n", "--reason", "nein"]).exits(0);
    world.run(&["review", "approve", "gutscheine", "sommerpause", "--evidence", "Aushang", "--yes"]).exits(0);
    world.run(&["review", "transferred", "gutscheine", "--unchecked"]).exits(0);
    world.at("2026-05-24T10:00:00Z");
    for (status, want) in [
        ("pending", &["kassenzeiten"][..]),
        ("approved", &["sommerpause"]),
        ("transferred", &["gutscheine"]),
        ("rejected", &["n8n"]),
        ("expired", &["redis"]),
        ("discarded", &[]),
        ("rejected,expired", &["redis", "n8n"]),
    ] {
        assert_eq!(listed(&world, &format!("review list --status {status}")), want, "{status}");
    }
    assert_eq!(listed(&world, "review list").len(), 5);
    let table = world.run(&["review", "list", "--status", "approved"]).exits(0).out;
    assert!(table.contains("approved, not yet in the vault"), "{table}");
}

#[test]
fn csv_is_quoted_and_harmless_in_a_spreadsheet() {
    let world = World::new();
    world.propose("Vento sagt \"ja\", dann\nnein", &["--project", "=1+1"]);
    let out = world.run(&["review", "pending", "--format", "csv"]).exits(0).out;
    let (head, row) = out.split_once("\r\n").unwrap();
    assert!(head.starts_with("review_id,status,kind,project,proposed_fact,"), "{head}");
    assert!(row.contains(",pending,fact,'=1+1,\"Vento sagt \"\"ja\"\", dann nein\",user_stated,"), "{row}");
    assert!(row.ends_with("\r\n"));
}

#[test]
fn the_formats_agree() {
    let world = queue();
    let whole = world.json(&["review", "pending"]);
    assert_eq!(whole["schema"], 1);
    let reviews = whole["reviews"].as_array().unwrap();
    let lines = world.run(&["review", "pending", "--format", "jsonl"]).exits(0).out;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, *reviews);
    assert_eq!(world.run(&["review", "pending", "--format", "json"]).exits(0).json(), whole);
    let csv = world.run(&["review", "pending", "--format", "csv"]).exits(0).out;
    let table = world.run(&["review", "pending"]).exits(0).out;
    for (review, line) in reviews.iter().zip(csv.lines().skip(1)) {
        let id = review["review_id"].as_str().unwrap();
        assert!(line.starts_with(id) && table.contains(id), "{id}");
    }
}

#[test]
fn any_unique_part_of_an_id_names_it() {
    let world = queue();
    for part in ["redis", "REDIS", "20260510", "REVIEW-20260510-100000-vento-redis"] {
        assert_eq!(world.json(&["review", "show", part])["proposed_fact"], "Vento nutzt Redis", "{part}");
    }
    let error = world.error(&["review", "show", "vento"], 5);
    assert_eq!(error["code"], "ambiguous");
    for id in ["REVIEW-20260510-100000-vento-redis", "REVIEW-20260513-100000-vento-n8n"] {
        assert!(error["message"].as_str().unwrap().contains(id), "{error}");
    }
    for typo in ["vento-rediss", "REVIEW-20260510-100000-vento-rdis"] {
        let error = world.error(&["review", "show", typo], 5);
        assert_eq!((&error["code"], &error["exit"]), (&json!("not_found"), &json!(5)));
        assert!(error["hints"][0].as_str().unwrap().contains("REVIEW-20260510-100000-vento-redis"), "{error}");
    }
    for nothing in ["", "../../etc/passwd", "zzz"] {
        assert_eq!(world.error(&["review", "show", nothing], 5)["code"], "not_found", "{nothing}");
    }
}

#[test]
fn a_taken_id_gets_a_number_and_stays_nameable() {
    let world = World::new();
    let ids = ["Vento nutzt Redis", "Vento nutzt: Redis?", "Redis nutzt Vento, Vento nutzt Redis"]
        .map(|fact| world.propose(fact, &["--project", "Vento"]));
    assert_eq!(ids, ["", "-2", "-3"].map(|nth| format!("REVIEW-20260521-143000-vento-redis{nth}")));
    // The whole of the first is a part of the others.
    assert_eq!(world.json(&["review", "show", &ids[0]])["review_id"], json!(ids[0]));
}

#[test]
fn a_reminder_says_what_waits_and_nothing_where_nothing_does() {
    let world = World::new();
    let ran = world.run(&["review", "remind"]).exits(0);
    assert_eq!((ran.out, ran.err), (String::new(), String::new()));
    let world = queue();
    world.run(&["review", "approve", "n8n", "--evidence", "commit", "--yes"]).exits(0);
    let reminder = world.json(&["review", "remind"]);
    assert_eq!((&reminder["pending"], &reminder["conflicts"]), (&json!(4), &json!(1)));
    // Within 7 days of 21 May, 14:30: what was filed by the 14th.
    let expiring = json!(["REVIEW-20260512-100000-kassenzeiten", "REVIEW-20260510-100000-vento-redis"]);
    assert_eq!(reminder["expiring"], expiring);
    assert_eq!(reminder["approved"], json!(["REVIEW-20260513-100000-vento-n8n"]));
    let text = world.run(&["review", "remind"]).exits(0).out;
    for said in [
        "4 reviews wait",
        "1 contradicts the vault",
        "2 expire within 7 days",
        "1 is approved and not yet in the vault",
    ] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
}

#[test]
fn the_figures_count_ages_decisions_and_expiry() {
    let mut world = queue();
    world.at("2026-05-20T10:00:00Z").run(&["review", "reject", "n8n", "--reason", "nein"]).exits(0);
    world.run(&["review", "approve", "sommerpause", "--yes"]).exits(0);
    world.at("2026-05-24T10:00:00Z");
    let stats = world.json(&["review", "stats"]);
    let count = |status: &str| stats["by_status"][status].as_u64().unwrap();
    assert_eq!(["pending", "approved", "rejected", "expired"].map(count), [2, 1, 1, 1]);
    let decisions = stats["decisions"].as_object().unwrap().values().next().unwrap();
    assert_eq!(*decisions, json!({"2026-W21": 2}));
    // Seven days and five: the median of two is one of them, or between.
    let median = stats["median_seconds_to_decision"].as_i64().unwrap();
    assert!((5 * 86400..=7 * 86400).contains(&median), "{median}");
    let rate = stats["expiry_rate"].as_f64().unwrap();
    assert!((rate - 1.0 / 3.0).abs() < 1e-9, "{rate}");
}

#[test]
fn monitoring_is_told_by_the_exit_when_too_many_are_old() {
    let world = queue();
    for (over, code) in [("1", 4), ("2", 4), ("3", 0)] {
        world.run(&["review", "stats", "--fail-over", over, "--older-than", "7d"]).exits(code);
    }
    world.run(&["review", "stats", "--fail-over", "0"]).exits(2);
}
