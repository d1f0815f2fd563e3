//! What a person or program sees of the main commands on a pipe, whole: exit, answer and messages together.

use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::json;

use crate::world::{NOW, Ran, World, finish, steady, turn_with};

/// A world with a closed session, two pending reviews and one approved.
pub(crate) fn lived_in() -> World {
    let mut world = World::new();
    world.configure("[[reviewer]]\nname = \"flo\"\nuser = \"uid-54321\"\n");
    let mut turn = turn_with("Vento unterstützt Telegram");
    turn["retrieval_meta"]["project"] = json!("Vento");
    turn["pending_tasks"] = json!(["Telegram prüfen"]);
    turn["decisions"] = json!(["Wir warten auf den Nachweis"]);
    world.at("2026-05-21T10:00:00Z").append("carlo", &turn);
    world.at("2026-05-21T12:00:00Z").propose("Vento soll im Juli live gehen", &["--project", "Vento"]);
    world.at("2026-05-21T13:00:00Z").propose("Vento nutzt Port 8645", &["--page", "03-Projekte/LP-VENTO.md"]);
    as_flo(&world, &["review", "approve", "8645", "--evidence", "commit 4f2a91c", "--yes"]).exits(0);
    world.at(NOW);
    world
}

/// Runs as somebody whose login is the same everywhere.
fn as_flo(world: &World, args: &[&str]) -> Ran {
    let mut command = world.command(args);
    command.env("SUDO_UID", "54321").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(command.spawn().unwrap(), b"")
}

/// Exit, stdout and stderr of a run, as a snapshot holds them.
fn seen(world: &World, args: &str) -> String {
    let args: Vec<&str> = args.split(' ').collect();
    let ran = as_flo(world, &args);
    let text = steady(&ran.to_string(), world);
    regex::Regex::new(r"\b[0-9a-f]{64}\b").unwrap().replace_all(&text, "HASH").into_owned()
}

#[test]
fn the_first_minute() {
    let world = World::bare();
    assert_snapshot!(seen(&world, "status"), @r"
    exit 10
    --- stderr
    error: no memory tree at WORLD/memory
    hint: make one: hermes-mem --root WORLD/memory init
    hint: or name another with --root DIR or HERMES_MEM_ROOT
    ");
    assert_snapshot!(seen(&world, "init"), @r"
    exit 0
    --- stdout
    made 12 folders of the tree at WORLD/memory
    put a configuration there to fill in, all of it commented out: WORLD/memory/config.toml
    ");
    assert_snapshot!(seen(&world, "init"), @r"
    exit 0
    --- stdout
    WORLD/memory is complete; nothing was changed
    ");
    assert_snapshot!(seen(&world, "review pending"), @r"
    exit 0
    --- stderr
    nothing is pending
    ");
    assert_snapshot!(seen(&world, "session list"), @r"
    exit 0
    --- stderr
    no sessions
    ");
    assert_snapshot!(seen(&world, "audit verify"), @r"
    exit 0
    --- stdout
    0 entries, an unbroken chain up to HASH
    ");
}

#[test]
fn an_append_on_a_pipe() {
    let world = World::new();
    let mut turn = turn_with("Vento nutzt Redis");
    turn["proposed_facts"][0]["status"] = json!("verified");
    let ran = world.run_with(&["session", "append", "--agent", "carlo"], turn.to_string());
    assert_snapshot!(steady(&ran.to_string(), &world), @r"
    exit 0
    --- stdout
    📦 Retrieval: 1 Obsidian-Quellen, 10 Graphiti-Facts — Confidence: medium
    💾 Memory: Turn 1 gespeichert | 1 proposed_facts | 1 Reviews erstellt

    --- stderr
    warning: status verified was lowered to inferred: only a human verifies
    ");
    turn["mood"] = json!("gut");
    turn["conversation_summary"] = json!("ü".repeat(1001));
    let ran = world.run_with(&["session", "append", "--agent", "carlo"], turn.to_string());
    assert_snapshot!(steady(&ran.to_string(), &world), @r"
    exit 4
    --- stderr
    error: the input was refused; nothing was written
      conversation_summary: 1001 characters; the limit is 1000. Shorten it by 1
      mood: is not a field of the protocol. Leave it out
    ");
    let ran = world.run_with(&["session", "append", "--agent", "carlo", "--json"], turn.to_string());
    assert_snapshot!(steady(&ran.to_string(), &world), @r#"
    exit 4
    --- stderr
    {"error":{"code":"text_too_long","message":"the input was refused; nothing was written\nconversation_summary: 1001 characters; the limit is 1000. Shorten it by 1\nmood: is not a field of the protocol. Leave it out","hints":[],"exit":4}}
    "#);
}

#[test]
fn sessions_on_a_pipe() {
    let world = lived_in();
    assert_snapshot!(seen(&world, "session list"), @r"
    exit 0
    --- stdout
    id                             state   last active                 turns  reviews  projects
    SESSION-carlo-20260521-xxxxxx  closed  2026-05-21 10:00 (4 h ago)      1        1  Vento
    ");
    assert_snapshot!(seen(&world, "session show carlo"), @r"
    exit 0
    --- stdout
    SESSION-carlo-20260521-xxxxxx
      agent        hermes-carlo
      state        closed
      created      2026-05-21 10:00 (4 h ago)
      last active  2026-05-21 10:00 (4 h ago)
      closed       2026-05-21 12:00 (2 h ago)
      projects     Vento
      open tasks   Telegram prüfen
      decisions    Wir warten auf den Nachweis
      reviews      REVIEW-20260521-100000-vento-telegram

    Turn 1  2026-05-21 10:00
      asked        User fragt nach dem Stand von Vento
      answered     Vento 90 % fertig, nicht live.
      project      Vento
      retrieval    1 Obsidian sources, 10 Graphiti facts, confidence medium
      tasks        Telegram prüfen
      decisions    Wir warten auf den Nachweis
      facts        Vento unterstützt Telegram (user_stated, unverified)
    ");
    assert_snapshot!(seen(&world, "session list --json"), @r#"
    exit 0
    --- stdout
    {
      "schema": 1,
      "sessions": [
        {
          "session_id": "SESSION-carlo-20260521-xxxxxx",
          "agent_id": "hermes-carlo",
          "status": "closed",
          "created_at": "2026-05-21T10:00:00Z",
          "last_active": "2026-05-21T10:00:00Z",
          "closed_at": "2026-05-21T12:00:00Z",
          "turns": 1,
          "active_projects": [
            "Vento"
          ],
          "reviews": 1
        }
      ],
      "skipped": []
    }
    "#);
    assert_snapshot!(seen(&world, "session context carlo"), @r"
    exit 0
    --- stdout
    Session SESSION-carlo-20260521-xxxxxx (closed)

    Projects:
    - Vento

    Open tasks:
    - Telegram prüfen

    Decisions of this session:
    - Wir warten auf den Nachweis

    Facts that were said, none of them verified:
    - Vento unterstützt Telegram [user_stated, unverified]

    Last turns:
    - 1. User fragt nach dem Stand von Vento → Vento 90 % fertig, nicht live.
    ");
}

#[test]
fn reviews_on_a_pipe() {
    let world = lived_in();
    assert_snapshot!(seen(&world, "review pending"), @r"
    exit 0
    --- stdout
    id                                     age  time left  project  page  fact                           fact status  flags
    REVIEW-20260521-100000-vento-telegram  4 h  13 d left  Vento          Vento unterstützt Telegram     user_stated
    REVIEW-20260521-120000-vento-juli      2 h  13 d left  Vento          Vento soll im Juli live gehen  user_stated  hedged

    --- stderr
    2 reviews
    ");
    assert_snapshot!(seen(&world, "review list --status approved"), @r"
    exit 0
    --- stdout
    id                                      status                          age  time left  project  page                     fact                   fact status  flags
    REVIEW-20260521-130000-vento-port-8645  approved, not yet in the vault  1 h                      03-Projekte/LP-VENTO.md  Vento nutzt Port 8645  verified

    --- stderr
    1 review
    ");
    assert_snapshot!(seen(&world, "review show telegram"), @r"
    exit 0
    --- stdout
    REVIEW-20260521-100000-vento-telegram
      fact         Vento unterstützt Telegram
      kind         fact
      project      Vento
      status       pending
      fact status  user_stated
      confidence   unverified
      created      2026-05-21 10:00 (4 h ago)
      expires      2026-06-04 10:00 (13 d left)

    Source
      agent        hermes-carlo
      session      SESSION-carlo-20260521-xxxxxx (closed)

    Turn 1  2026-05-21 10:00
      asked        User fragt nach dem Stand von Vento
      answered     Vento 90 % fertig, nicht live.
      project      Vento
      retrieval    1 Obsidian sources, 10 Graphiti facts, confidence medium
      tasks        Telegram prüfen
      decisions    Wir warten auf den Nachweis
      facts        Vento unterstützt Telegram (user_stated, unverified)
    ");
    assert_snapshot!(seen(&world, "review pending --limit 1 --json"), @r#"
    exit 0
    --- stdout
    {
      "schema": 1,
      "reviews": [
        {
          "review_id": "REVIEW-20260521-100000-vento-telegram",
          "status": "pending",
          "kind": "fact",
          "project": "Vento",
          "proposed_fact": "Vento unterstützt Telegram",
          "fact_status": "user_stated",
          "confidence": "unverified",
          "proposed_obsidian_page": null,
          "agent": "hermes-carlo",
          "source_session": "SESSION-carlo-20260521-xxxxxx",
          "created_at": "2026-05-21T10:00:00Z",
          "expires_at": "2026-06-04T10:00:00Z",
          "flags": [],
          "conflict": false,
          "seen_count": 1
        }
      ],
      "skipped": []
    }
    "#);
    assert_snapshot!(seen(&world, "review remind"), @r"
    exit 0
    --- stdout
    2 reviews wait for a decision.

    1 is approved and not yet in the vault:
      REVIEW-20260521-130000-vento-port-8645

    Decide: hermes-mem review walk
    ");
}

#[test]
fn decisions_on_a_pipe() {
    let world = lived_in();
    assert_snapshot!(seen(&world, "review approve telegram --evidence commit_4f2a91c --yes"), @r"
    exit 0
    --- stdout
    Approved REVIEW-20260521-100000-vento-telegram
      page  the page that fits

    Paste this:

    - Vento unterstützt Telegram
      - source: commit_4f2a91c
      - verified: 2026-05-21 by flo (REVIEW-20260521-100000-vento-telegram)


    --- stderr
    hint: once it is in the page: hermes-mem review transferred REVIEW-20260521-100000-vento-telegram
    ");
    assert_snapshot!(seen(&world, "review approve juli --evidence Abnahme --yes"), @r#"
    exit 4
    --- stderr
    error: REVIEW-20260521-120000-vento-juli reads like a conjecture, plan or intention ("soll"); the vault takes none
    hint: where it is a fact by now, say why: --resolve "…"
    hint: or put it plainly: hermes-mem review edit REVIEW-20260521-120000-vento-juli
    "#);
    assert_snapshot!(seen(&world, "review reject juli --reason Termin_offen"), @r"
    exit 0
    --- stdout
    rejected REVIEW-20260521-120000-vento-juli
    ");
    assert_snapshot!(seen(&world, "review transferred telegram"), @r"
    exit 0
    --- stdout
    transferred REVIEW-20260521-100000-vento-telegram: no vault to look in
    ");
    assert_snapshot!(seen(&world, "review undo telegram"), @r"
    exit 0
    --- stdout
    took back: transfer REVIEW-20260521-100000-vento-telegram; it is approved
    ");
    assert_snapshot!(seen(&world, "review edit telegram --fact x"), @r"
    exit 4
    --- stderr
    error: REVIEW-20260521-100000-vento-telegram is approved, decided by flo on 2026-05-21 14:30
    hint: take that back first: hermes-mem review undo REVIEW-20260521-100000-vento-telegram
    ");
}

#[test]
fn the_state_of_things_on_a_pipe() {
    let world = lived_in();
    assert_snapshot!(seen(&world, "status"), @r"
    exit 0
    --- stdout
    Review queue
      pending   2 reviews wait
      approved  1 is not yet in the vault

    Sessions
      by state  0 active, 0 idle, 1 closed, 0 archived

    Retention
      due       close 1 session, remove proposed facts from 1 session
      last run  never

    Backup
      last      not configured

    Tree
      root      WORLD/memory
      audit     5 entries, an unbroken chain
    ");
    assert_snapshot!(seen(&world, "audit show --op review"), @r"
    exit 0
    --- stdout
    seq  time              actor         via   operation       outcome  target                                  counts
      2  2026-05-21 10:00  hermes-carlo  cli   review.create   ok       REVIEW-20260521-100000-vento-telegram
      3  2026-05-21 12:00  hermes-carlo  cli   review.create   ok       REVIEW-20260521-120000-vento-juli
      4  2026-05-21 13:00  hermes-carlo  cli   review.create   ok       REVIEW-20260521-130000-vento-port-8645
      5  2026-05-21 13:00  flo           sudo  review.approve  ok       REVIEW-20260521-130000-vento-port-8645
    ");
    assert_snapshot!(seen(&world, "audit show --op review.approve --json"), @r#"
    exit 0
    --- stdout
    {
      "schema": 1,
      "entries": [
        {
          "seq": 5,
          "ts": "2026-05-21T13:00:00Z",
          "actor": "flo",
          "via": "sudo",
          "op": "review.approve",
          "target": "REVIEW-20260521-130000-vento-port-8645",
          "outcome": "ok",
          "counts": {},
          "prev": "HASH",
          "hash": "HASH"
        }
      ]
    }
    "#);
}

#[test]
fn errors_name_what_is_wrong_and_the_way_out() {
    let world = lived_in();
    assert_snapshot!(seen(&world, "review show vento"), @r"
    exit 5
    --- stderr
    error: no single review matches `vento`
      REVIEW-20260521-100000-vento-telegram
      REVIEW-20260521-120000-vento-juli
      REVIEW-20260521-130000-vento-port-8645
    hint: name one: hermes-mem review show REVIEW-20260521-100000-vento-telegram
    ");
    assert_snapshot!(seen(&world, "review show telegrm"), @r"
    exit 5
    --- stderr
    error: no review matches `telegrm`
    hint: the nearest is REVIEW-20260521-100000-vento-telegram
    ");
    assert_snapshot!(seen(&world, "review aprove x"), @r"
    exit 2
    --- stderr
    error: unrecognized subcommand 'aprove'
      tip: a similar subcommand exists: 'approve'
      Usage: hermes-mem review [OPTIONS] <COMMAND>
      For more information, try '--help'.
    ");
    assert_snapshot!(seen(&world, "review show telegrm --json"), @r#"
    exit 5
    --- stderr
    {"error":{"code":"not_found","message":"no review matches `telegrm`","hints":["the nearest is REVIEW-20260521-100000-vento-telegram"],"exit":5}}
    "#);
}
