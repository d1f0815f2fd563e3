//! Session and review files that others have put into the tree: any bytes are read or reported, by the quick readers and by
//! the whole ones.
#![no_main]

use std::sync::LazyLock;

use hermes_mem::domain::ids::{ReviewId, SessionId};
use hermes_mem::domain::time::Timestamp;
use hermes_mem::mask::Masker;
use hermes_mem::store::{Modes, ReviewQuery, Store};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static TREE: LazyLock<(TempDir, Store)> = LazyLock::new(|| {
    let dir = TempDir::new().unwrap();
    Store::init(dir.path(), Modes::new(None)).unwrap();
    let store = Store::open(dir.path(), Modes::new(None), Masker::default()).unwrap();
    (dir, store)
});

fuzz_target!(|bytes: &[u8]| {
    let (dir, store) = &*TREE;
    let now = Timestamp::parse("2026-05-21T14:30:00Z").unwrap();
    let session = SessionId::parse("SESSION-carlo-20260521-a3f7b2").unwrap();
    let review = ReviewId::parse("REVIEW-20260521-143022-vento-telegram").unwrap();
    std::fs::write(dir.path().join(format!("sessions/active/{session}.json")), bytes).unwrap();
    std::fs::write(dir.path().join(format!("review-queue/{review}.json")), bytes).unwrap();

    let (headers, skipped) = store.session_headers(|_, _| true).unwrap();
    assert_eq!(headers.len() + skipped.len(), 1);
    if let Ok(Some(found)) = store.session(&session) {
        let _ = (found.session.state(now), found.session.turns().count(), found.session.next_turn());
    }
    let (summaries, skipped) = store.review_summaries(ReviewQuery::all(now)).unwrap();
    assert_eq!(summaries.len() + skipped.len(), 1);
    if let Ok(Some((review, _))) = store.review(&review) {
        let _ = (review.status(now), review.flags(), review.masked_fields(), review.last_decision());
    }
});
