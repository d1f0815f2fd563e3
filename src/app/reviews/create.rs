//! Proposing a fact outside of a turn.

use std::collections::BTreeMap;

use serde_json::Value;

use super::filing::{Filed, Filing};
use crate::app::context::count_findings;
use crate::app::error::{Error, Refusal, Result};
use crate::app::mask::credential_warnings;
use crate::app::sessions::{LOWERED, owned_by};
use crate::app::{Context, Operation, resolve, vault};
use crate::domain::agent::AgentId;
use crate::domain::append::{ProposedFact, is_date, read_fact};
use crate::domain::ids::SessionId;
use crate::domain::review::{FactStatus, Kind, Proposal};
use crate::mask::{Masked, Raw};
use crate::store::Change;

/// What to propose.
pub struct CreateRequest {
    /// The fact with its fields, as an entry of `proposed_facts`.
    pub input: Value,
    /// What it is about.
    pub kind: Kind,
    /// The agent that proposes; `None`: a person.
    pub agent: Option<AgentId>,
    /// The session it comes from.
    pub session: Option<String>,
    /// The turn it comes from.
    pub turn: Option<u64>,
    /// What follows from a decision.
    pub consequence: Option<Raw>,
    /// When a decision was made.
    pub decided_on: Option<Raw>,
}

/// What was proposed.
#[derive(Clone, Debug)]
pub struct Created {
    /// What became of it; `None`: a rejected fact, of which no review is made.
    pub filed: Option<Filed>,
    /// How much was masked, by kind.
    pub masked: BTreeMap<&'static str, u64>,
    /// What the proposer should know.
    pub warnings: Vec<String>,
}

/// Files a proposal.
///
/// # Errors
/// When the input is refused, nothing is left of it after masking, or the queue is full.
pub fn create(ctx: &Context, request: CreateRequest) -> Result<Created> {
    let mut operation = Operation::new("review.create");
    operation.agent.clone_from(&request.agent);
    ctx.audited(&operation, || {
        let fact = read_fact(request.input).map_err(|problems| Error::Refused(Refusal::Input(problems)))?;
        if request.decided_on.as_ref().is_some_and(|day| !is_date(day.expose())) {
            return Err(Refusal::Input(vec![crate::domain::append::Problem {
                field: "decided_on".to_owned(),
                code: "bad_value",
                what: "must be a date such as 2026-05-21, or a time in RFC 3339".to_owned(),
            }])
            .into());
        }
        let session = request.session.as_deref().map(|given| resolve::session(ctx, given)).transpose()?;
        if let (Some(session), Some(agent)) = (&session, &request.agent) {
            owned_by(agent, session, session.agent())?;
        }
        let extra = Extra { consequence: request.consequence, decided_on: request.decided_on };
        let mut created = Created { filed: None, masked: BTreeMap::new(), warnings: Vec::new() };
        if fact.was_verified {
            created.warnings.push(LOWERED.to_owned());
        }
        let mut findings = Vec::new();
        let (mut proposal, extra) = {
            let mut texts: Vec<&str> = Vec::new();
            fact.as_ref().map("", &mut |_, raw: &Raw| texts.push(raw.expose()));
            texts.extend([&extra.consequence, &extra.decided_on].into_iter().flatten().map(Raw::expose));
            let mut masked = ctx.masker().mask_record(&texts).into_iter();
            let mut next = |field: &str, raw: Raw| {
                let masking = masked.next().unwrap_or_else(|| ctx.masker().mask(raw.expose()));
                created.warnings.extend(credential_warnings(&masking.findings, Some(field)));
                findings.extend(masking.findings);
                masking.text
            };
            let proposal =
                proposal(fact.map("", &mut next), request.kind, request.agent.as_ref(), session, request.turn);
            let consequence = extra.consequence.map(|text| next("consequence", text));
            let decided_on = extra.decided_on.map(|text| next("decided_on", text));
            (proposal, (consequence, decided_on))
        };
        (proposal.consequence, proposal.decided_on) = extra;
        for finding in &findings {
            *created.masked.entry(finding.kind.name()).or_insert(0) += 1;
        }
        if proposal.fact_status == FactStatus::Rejected {
            created
                .warnings
                .push("a fact with the status rejected makes no review and counts for nothing later".to_owned());
            let counts = count_findings(&findings);
            if !counts.is_empty() {
                let tree = ctx.lock()?;
                let mut change = Change::new();
                change.audit(ctx.entry(&operation, "ok", counts));
                tree.commit(change)?;
            }
            return Ok(created);
        }
        let tree = ctx.lock()?;
        created.warnings.extend(vault::problem(ctx).map(|why| format!("the vault check was left out: {why}")));
        let mut filing = Filing::begin(ctx, &operation)?;
        match filing.file(&proposal, false)? {
            Filed::NothingLeft => return Err(Refusal::NothingLeft.into()),
            Filed::QueueFull { max } => {
                let agent = request.agent.as_ref().map(ToString::to_string).unwrap_or_default();
                return Err(Refusal::QueueFull { agent, max }.into());
            }
            filed => created.filed = Some(filed),
        }
        let mut change = Change::new();
        for mut entry in filing.finish(&mut change)? {
            entry.counts.extend(count_findings(&findings));
            change.audit(entry);
        }
        tree.commit(change)?;
        Ok(created)
    })
}

/// Records in the audit log that an input was refused which was no JSON at all.
pub fn refuse_input(ctx: &Context, agent: Option<&AgentId>) {
    let mut operation = Operation::new("review.create");
    operation.agent = agent.cloned();
    ctx.record(&operation, "refused");
}

struct Extra {
    consequence: Option<Raw>,
    decided_on: Option<Raw>,
}

fn proposal(
    fact: ProposedFact<Masked>,
    kind: Kind,
    agent: Option<&AgentId>,
    session: Option<SessionId>,
    turn: Option<u64>,
) -> Proposal {
    Proposal {
        fact: fact.fact,
        kind,
        fact_status: fact.status,
        confidence: fact.confidence,
        project: fact.project,
        page: fact.page,
        change: fact.change,
        requires: fact.requires,
        consequence: None,
        decided_on: None,
        agent: agent.map(|agent| Masked::trusted(agent.full())),
        session,
        turn,
    }
}
