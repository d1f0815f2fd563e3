//! What every use case works with.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::actor::Actor;
use super::clock::Clock;
use super::config::{Config, DEFAULT_ROOT};
use super::error::{Error, Refusal, Result};
use super::vault::{self, Opened};
use crate::domain::agent::AgentId;
use crate::domain::time::Timestamp;
use crate::mask::{Finding, Kind, Masker};
use crate::store::audit::Entry;
use crate::store::{Change, Store, Tree};

/// The tree, the clock, the rules and who acts.
pub struct Context {
    /// The tree.
    pub store: Store,
    /// The clock.
    pub clock: Clock,
    /// The configuration in force.
    pub config: Config,
    /// How long a writer waits for the lock.
    pub wait: Duration,
    /// The user's runtime folder, for text that is open in an editor.
    pub runtime_dir: Option<PathBuf>,
    /// The id of the user who called sudo, if that was how.
    pub sudo_uid: Option<u32>,
    actor: OnceCell<Actor>,
    vault: OnceCell<Opened>,
}

/// An operation under way: what the audit log will call it.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Such as `session.append`.
    pub op: &'static str,
    /// The agent that acts, where it is one.
    pub agent: Option<AgentId>,
    /// The reviewer who acts, where it is one.
    pub reviewer: Option<String>,
    /// What it is done to.
    pub target: Option<String>,
}

impl Operation {
    /// An operation of the user's own.
    pub fn new(op: &'static str) -> Self {
        Self { op, agent: None, reviewer: None, target: None }
    }

    /// The same, done by an agent.
    #[must_use]
    pub fn by(mut self, agent: &AgentId) -> Self {
        self.agent = Some(agent.clone());
        self
    }

    /// The same, done by a reviewer.
    #[must_use]
    pub fn reviewed_by(mut self, reviewer: &str) -> Self {
        self.reviewer = Some(reviewer.to_owned());
        self
    }

    /// The same, done to an id.
    #[must_use]
    pub fn on(mut self, target: &impl ToString) -> Self {
        self.target = Some(target.to_string());
        self
    }
}

impl Context {
    /// A context around an open tree.
    pub fn new(store: Store, clock: Clock, config: Config) -> Self {
        Self {
            store,
            clock,
            config,
            wait: Duration::from_secs(10),
            runtime_dir: None,
            sudo_uid: None,
            actor: OnceCell::new(),
            vault: OnceCell::new(),
        }
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The masker.
    pub fn masker(&self) -> &Masker {
        self.store.masker()
    }

    /// Who runs the program; looked up when first asked for.
    pub fn actor(&self) -> &Actor {
        self.actor.get_or_init(|| Actor::current(self.sudo_uid, self.store.owner()))
    }

    /// The vault; opened when first asked for.
    pub(super) fn vault(&self) -> Option<&std::result::Result<crate::vault::Vault, crate::vault::VaultError>> {
        self.vault.get_or_init(|| vault::open(self)).as_ref()
    }

    /// Takes the lock for a command that writes.
    ///
    /// # Errors
    /// When the clock was set on the live tree, the lock is held, or the tree can't be written.
    pub fn lock(&self) -> Result<Tree<'_>> {
        let same = |one: &Path, other: &Path| {
            one.canonicalize().ok().is_some_and(|one| other.canonicalize().ok() == Some(one))
        };
        let live = Path::new(DEFAULT_ROOT);
        if self.clock.is_set() && (self.store.root() == live || same(self.store.root(), live)) {
            return Err(Refusal::NowOnLiveTree.into());
        }
        Ok(self.store.lock(self.wait)?)
    }

    /// An audit entry for an operation.
    pub fn entry(&self, operation: &Operation, outcome: &'static str, counts: BTreeMap<&'static str, u64>) -> Entry {
        let agent = operation.agent.as_ref().map(AgentId::full);
        let actor = operation.reviewer.clone().or(agent).unwrap_or_else(|| self.actor().login.clone());
        Entry {
            ts: self.now(),
            actor,
            via: self.actor().via,
            op: operation.op,
            target: operation.target.clone(),
            outcome,
            counts,
        }
    }

    /// Runs an operation, and records in the audit log when a rule refuses it.
    ///
    /// # Errors
    /// Those of `run`. That the refusal could not be recorded (a tree that can't be written) does not hide it.
    pub fn audited<T>(&self, operation: &Operation, run: impl FnOnce() -> Result<T>) -> Result<T> {
        let outcome = run();
        if outcome.as_ref().is_err_and(Error::is_refusal) {
            self.record(operation, "refused");
        }
        outcome
    }

    /// Records an operation that changed nothing, as far as the tree can be written.
    pub fn record(&self, operation: &Operation, outcome: &'static str) {
        if let Ok(tree) = self.lock() {
            let mut change = Change::new();
            change.audit(self.entry(operation, outcome, BTreeMap::new()));
            drop(tree.commit(change));
        }
    }
}

/// Counts findings for the audit log, by kind.
pub(super) fn count_findings<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        let name = match finding.kind {
            Kind::Name => "masked_name",
            Kind::Phone => "masked_phone",
            Kind::Email => "masked_email",
            Kind::Address => "masked_address",
            Kind::Coordinates => "masked_coordinates",
            Kind::Iban => "masked_iban",
            Kind::Card => "masked_card",
            Kind::Booking => "masked_booking",
            Kind::Credential => "credentials_removed",
        };
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}
