//! From an append to a decided review: the main job in a few lines.

use crate::world::{World, turn_with};

#[test]
fn a_proposed_fact_becomes_a_review_that_a_human_approves() {
    let mut world = World::new();
    let answer = world.append("hermes-carlo", &turn_with("Vento unterstützt Telegram"));
    let review = answer["reviews_created"][0].as_str().unwrap().to_owned();
    let approve = ["review", "approve", &review, "--evidence", "commit 4f2a91c", "--yes"];
    // The session is still open.
    world.run(&approve).exits(4);
    world.at("2026-05-21T17:00:00Z").run(&approve).exits(0);
    let shown = world.run(&["review", "show", &review, "--json"]).exits(0).json();
    assert_eq!(shown["status"], "approved");
    assert_eq!(shown["fact_status"], "verified");
}
