//! Sessions and reviews: each file read as the program reads it, and as it lies there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{ASIDE, Doctor, MENDED, Mend, Trouble, What, set_aside};
use crate::app::error::{Error, Result};
use crate::app::{Context, Operation, scan};
use crate::domain::doc::Safe;
use crate::domain::ids::SessionId;
use crate::domain::retention::Policy;
use crate::domain::review::Review;
use crate::domain::session::{ARCHIVED_AFTER, CLOSED_AFTER, Session, State};
use crate::domain::time::DAY;
use crate::store::{Change, Contents, Folder, Item, Oddity, Place, StoreError, Tree};

/// A file as it was read.
enum Read {
    Session(Session),
    Review(Review),
}

impl<F: FnMut()> Doctor<'_, F> {
    /// Every session and review. The names of one folder are listed before any of them is touched.
    pub(super) fn items(&mut self) -> Result<()> {
        let ctx = self.ctx;
        let mut contents = Contents::default();
        for folder in Folder::WITH_THE_FLOW {
            let mut found = Vec::new();
            ctx.store.walk(folder, |entry| {
                match entry {
                    // What is in order is told apart at once, so that only trouble is kept in mind.
                    Ok(item) => {
                        (self.step)();
                        self.checkup.looked += 1;
                        let troubles = look(ctx, &item, &mut contents);
                        found.extend(troubles.into_iter().map(|trouble| (item.clone(), trouble)));
                    }
                    Err(foreign) => {
                        let path = foreign.path.display().to_string();
                        self.note(Trouble::Foreign, path, foreign.why, Mend::ByHand);
                    }
                }
                Ok::<_, Error>(())
            })?;
            for (item, trouble) in found {
                self.item(&item, trouble);
            }
        }
        Ok(())
    }

    fn item(&mut self, item: &Item, trouble: Found) {
        let ctx = self.ctx;
        let path = item.path();
        match trouble {
            Found::Odd(odd, oddity) => self.odd(&odd, &oddity),
            Found::OutOfReach(error) => {
                let target = path.display().to_string();
                self.checkup.note(Trouble::Unreadable, target, What::Error(error.into()), Mend::ByHand);
            }
            Found::Torn(why) => self.mending(Trouble::Unreadable, &path, why, ASIDE, |tree| {
                // Again, under the lock: somebody may have mended it.
                match read(ctx, item, &mut Contents::default()) {
                    Err(StoreError::Damaged { .. }) => set_aside(ctx, tree, &path),
                    _ => Ok(()),
                }
            }),
            Found::Twice(later) => {
                let what = format!("it is in {} too", later.path().display());
                self.mending(Trouble::Twice, &path, what, ASIDE, |tree| {
                    let both = [item, &later].map(|one| read(ctx, one, &mut Contents::default()).ok());
                    // The one that holds less goes aside; where neither can be told to, the one that was to move on.
                    let lesser = match both {
                        [Some(one), Some(other)] if weight(&one) > weight(&other) => &later,
                        [Some(_), None] => &later,
                        _ => item,
                    };
                    set_aside(ctx, tree, &lesser.path())
                });
            }
            Found::Misplaced(true_state, why) => {
                self.mending(Trouble::Misplaced, &path, why, MENDED, |tree| put_right(ctx, tree, item, true_state));
            }
            Found::Dangling(session) => {
                let what = format!("its session {session} is not there, though it should be by its age");
                self.note(Trouble::Dangling, path.display().to_string(), what, Mend::ByHand);
            }
            Found::Unmasked(kinds) => self.unmasked(&path, &kinds),
        }
    }
}

/// What is wrong with a session or review.
enum Found {
    Odd(PathBuf, Oddity),
    /// It can't be read: another's file by a second name, no right to.
    OutOfReach(StoreError),
    /// It was read, and is nothing that can be understood.
    Torn(String),
    Twice(Item),
    Misplaced(State, String),
    Dangling(SessionId),
    Unmasked(BTreeMap<&'static str, u64>),
}

fn look(ctx: &Context, item: &Item, contents: &mut Contents) -> Vec<Found> {
    let mut found = Vec::new();
    let noted = ctx.store.look_at_mode(&item.path(), &mut |path, oddity| {
        found.push(Found::Odd(path, oddity));
        Ok::<_, StoreError>(())
    });
    drop(noted);
    if let Some(later) = ctx.store.later_copy(item) {
        found.push(Found::Twice(later));
    }
    match read(ctx, item, contents) {
        Ok(Read::Session(session)) => found.extend(misplaced(ctx, item, &session)),
        Ok(Read::Review(review)) => found.extend(dangling(ctx, &review)),
        // Moved or gone since it was listed.
        Err(error) if error.is_missing() => return Vec::new(),
        Err(StoreError::Damaged { why, .. }) if !ctx.store.is_out_of_reach(item) => {
            found.push(Found::Torn(why));
            return found;
        }
        Err(error) => {
            found.push(Found::OutOfReach(error));
            return found;
        }
    }
    match scan::kinds(ctx, &Place::Item(item.clone())) {
        Ok(kinds) if !kinds.is_empty() => found.push(Found::Unmasked(kinds)),
        _ => {}
    }
    found
}

fn read(ctx: &Context, item: &Item, contents: &mut Contents) -> std::result::Result<Read, StoreError> {
    ctx.store.contents(item, contents)?;
    match item {
        Item::Session(id, state) => ctx.store.session_of(id, *state, contents).map(Read::Session),
        Item::Review(id, shelf) => ctx.store.review_of(id, *shelf, contents).map(Read::Review),
    }
}

/// How much a file holds: turns or decisions, then how far it has come.
fn weight(read: &Read) -> (usize, usize) {
    match read {
        Read::Session(session) => (session.turns().count(), session.doc.to_bytes().len()),
        Read::Review(review) => (review.doc.list("history").len(), review.doc.to_bytes().len()),
    }
}

/// A session in a folder that it has not come to yet, or that its own `status` contradicts. That it has yet to be moved on is
/// nothing wrong: retention does that.
fn misplaced(ctx: &Context, item: &Item, session: &Session) -> Option<Found> {
    let Item::Session(_, folder) = item else { return None };
    let order = |state: State| State::ALL.iter().position(|one| *one == state);
    let archives_at = session.closed_at(ctx.now()).map(|at| at.plus(ARCHIVED_AFTER));
    let state = match session.state(ctx.now()) {
        State::Closed if archives_at.is_some_and(|at| at <= ctx.now()) => State::Archived,
        state => state,
    };
    if order(*folder) > order(state) {
        let back = if state == State::Archived { State::Closed } else { state };
        return Some(Found::Misplaced(back, format!("it is {} and lies in {}/", state.name(), folder.name())));
    }
    let said = session.doc.text("status").and_then(|word| State::ALL.into_iter().find(|state| state.name() == word));
    let said = said.filter(|said| order(*said) > order(*folder))?;
    // Archiving is retention's: it takes out what may not be kept.
    let to = if said == State::Archived { State::Closed } else { said };
    let why = format!("it says that it is {} and lies in {}/", said.name(), folder.name());
    (to != *folder).then_some(Found::Misplaced(to, why))
}

/// Puts a session into the folder of its state, and says so in it.
fn put_right(ctx: &Context, tree: &Tree<'_>, item: &Item, state: State) -> Result<()> {
    let Item::Session(id, folder) = item else { return Ok(()) };
    let Ok(Read::Session(mut session)) = read(ctx, item, &mut Contents::default()) else { return Ok(()) };
    let to = Item::Session(id.clone(), state);
    tree.check_free(item, Some(&to))?;
    session.doc.set("status", Safe::word(state.name()));
    let mut change = Change::new();
    change.put_session(&session, Some(*folder), state)?;
    change.audit(ctx.entry(&Operation::new("doctor.move").on(id), "ok", BTreeMap::new()));
    Ok(tree.commit(change)?)
}

/// A review whose session is gone before its time.
fn dangling(ctx: &Context, review: &Review) -> Option<Found> {
    let session = SessionId::parse(review.doc.text("source_session")?).ok()?;
    let kept = CLOSED_AFTER + ARCHIVED_AFTER + Policy::default().archived;
    let is_young = session.day().is_some_and(|day| ctx.now().since(day) < kept - DAY);
    let is_there = || State::ALL.into_iter().any(|state| ctx.store.has(&Item::Session(session.clone(), state)));
    (is_young && !is_there()).then(|| Found::Dangling(session.clone()))
}
