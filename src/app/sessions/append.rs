//! Appending a turn: the only way in which one is written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::manage::{close_now, open_new, owned_by};
use super::record::{Record, fresh_decisions};
use crate::app::context::count_findings;
use crate::app::error::{Error, Refusal, Result};
use crate::app::extract::{self, Found, Keeping, KeptBlock, Said};
use crate::app::mask::credential_warnings;
use crate::app::reviews::filing::{FactKey, Filed, Filing};
use crate::app::{Context, Operation, resolve, vault};
use crate::domain::agent::AgentId;
use crate::domain::append::{Decision, ProposedFact, TurnInput, UserInputPolicy, read_turn};
use crate::domain::extract::turns::Role;
use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::review::{Confidence, FactStatus, Kind, Proposal};
use crate::domain::session::{Session, State, Turn};
use crate::mask::{Finding, Masked, Masker, Masking, Raw};
use crate::store::blocks::BlockWriter;
use crate::store::{Change, SessionFile, Tree};

/// The line that stands for the retrieval when there was none (AGENT_ORCHESTRATION_PROTOCOL, step 1).
const NO_RETRIEVAL: &str = "📦 Retrieval nicht verfügbar. Antwort kann nicht garantiert werden.";
/// The line that stands for the memory when it could not be written (AGENT_ORCHESTRATION_PROTOCOL, step 5).
const NO_MEMORY: &str = "⚠️ Memory: nicht verfügbar — Session-Kontext nicht gespeichert";

/// What an agent is told that claims to have verified something (AGENT_ORCHESTRATION_PROTOCOL, step 4).
pub(crate) const LOWERED: &str = "status verified was lowered to inferred: only a human verifies";

/// What to append, and to which session.
pub struct Request {
    /// The agent.
    pub agent: AgentId,
    /// The session, as it was named; else the agent's newest open one.
    pub session: Option<String>,
    /// Close the open session and begin another ("neue session starten").
    pub new: bool,
    /// The turn.
    pub input: Value,
    /// Open tasks that are done: their text, a unique part of it, or their number counted from 1.
    pub complete: Vec<String>,
}

/// What was appended: the answer to the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appended {
    /// The session the turn is in.
    pub session_id: String,
    /// The turn's number.
    pub turn_id: u64,
    /// Whether the session was opened for it.
    pub created_session: bool,
    /// How many facts were proposed.
    pub proposed_facts: u64,
    /// The reviews that were filed and wait.
    pub reviews_created: Vec<String>,
    /// The reviews that were filed as discarded: the vault says so already.
    pub reviews_discarded: Vec<String>,
    /// The reviews among the created ones that contradict the vault.
    pub reviews_conflicting: Vec<String>,
    /// How many proposals the full queue turned away; 0 when all is done.
    #[serde(default)]
    pub reviews_refused: u64,
    /// The blocks that were made of the turn; `None` unless `[extract] on_append` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extracted: Option<Vec<KeptBlock>>,
    /// How much was masked, by kind.
    pub masked: BTreeMap<String, u64>,
    /// What the agent should know.
    pub warnings: Vec<String>,
    /// The two lines that close the agent's answer.
    pub evidence: Vec<String>,
}

/// Appends a turn. The tree is unchanged unless the turn is in it.
///
/// # Errors
/// When the input, the agent or the session is refused, or the tree can't be written.
pub fn append(ctx: &Context, request: &Request) -> Result<Appended> {
    let operation = Operation::new("session.append").by(&request.agent);
    ctx.audited(&operation, || {
        let mut turn = read_turn(request.input.clone(), ctx.config.store_user_input)
            .map_err(|problems| Error::Refused(Refusal::Input(problems)))?;
        let request_id = turn.request_id.take().map(|id| ctx.masker().mask(id.expose()));
        let (turn, mut masking) = mask_turn(turn, ctx.masker());
        // Masked, it could be the same as another's; as a hash it could be guessed. So it is not kept at all.
        let request_id = request_id.and_then(|id| {
            id.findings.is_empty().then_some(id.text).or_else(|| {
                masking.warnings.push("the request_id held personal data or a credential and was not kept".to_owned());
                None
            })
        });
        let tree = ctx.lock()?;
        Appending { ctx, request, turn, request_id, masking, operation: operation.clone() }.run(&tree)
    })
}

/// Records in the audit log that an input was refused which was no JSON at all.
pub fn refuse_input(ctx: &Context, agent: &AgentId) {
    let operation = Operation::new("session.append").by(agent);
    ctx.record(&operation, "refused");
}

/// The two closing lines where the memory could not be written, as far as the input can be read.
pub fn evidence_without_memory(policy: UserInputPolicy, input: Value) -> Vec<String> {
    let retrieval = read_turn(input, policy).ok().map(|turn| retrieval_line(&turn));
    retrieval.into_iter().chain([NO_MEMORY.to_owned()]).collect()
}

fn retrieval_line<T>(turn: &TurnInput<T>) -> String {
    turn.retrieval.as_ref().map_or_else(
        || NO_RETRIEVAL.to_owned(),
        |retrieval| {
            format!(
                "📦 Retrieval: {} Obsidian-Quellen, {} Graphiti-Facts — Confidence: {}",
                retrieval.obsidian_sources,
                retrieval.graphiti_facts,
                retrieval.confidence.name()
            )
        },
    )
}

/// What masking an input found.
#[derive(Default)]
struct InputMasking {
    findings: Vec<Finding>,
    warnings: Vec<String>,
}

/// Masks a turn as one record: a full name in one field masks its parts in the others.
fn mask_turn(turn: TurnInput<Raw>, masker: &Masker) -> (TurnInput<Masked>, InputMasking) {
    let texts: Vec<&str> = turn.texts().into_iter().map(Raw::expose).collect();
    let mut masked = masker.mask_record(&texts).into_iter();
    let mut found = InputMasking::default();
    let turn = turn.map(&mut |field, raw: Raw| {
        // One for each text, in the same order; were one missing, the text would be masked by itself.
        let Masking { text, findings } = masked.next().unwrap_or_else(|| masker.mask(raw.expose()));
        found.warnings.extend(credential_warnings(&findings, Some(field)));
        found.findings.extend(findings);
        text
    });
    (turn, found)
}

struct Appending<'a> {
    ctx: &'a Context,
    request: &'a Request,
    turn: TurnInput<Masked>,
    request_id: Option<Masked>,
    masking: InputMasking,
    operation: Operation,
}

/// The session a turn goes to.
struct Target {
    session: Session,
    /// The folder its file lies in; `None` for a new one.
    folder: Option<State>,
}

impl<'a> Appending<'a> {
    fn run(mut self, tree: &Tree<'_>) -> Result<Appended> {
        let ctx = self.ctx;
        let now = ctx.now();
        let mut change = Change::new();
        let mut warnings = std::mem::take(&mut self.masking.warnings);
        let request_id = self.request_id.take();
        let found = self.found(&mut warnings)?;
        // Before anything is closed or opened: the same call again changes nothing.
        let first = found.as_ref().zip(request_id.as_ref()).and_then(|(found, id)| first_answer(&found.session, id));
        if let Some(first) = first {
            return Ok(first);
        }
        let Target { mut session, folder } = self.target(found, &mut change)?;
        let completed = self.completed(&session)?;
        let number = session.next_turn();
        let lowered = self.turn.proposed_facts.iter().filter(|fact| fact.was_verified);
        warnings.extend(lowered.map(|_| LOWERED.to_owned()));
        let mut filing = None;
        let mut filed = self.file(&session, number, &mut filing, &mut warnings)?;
        let mut found = self.look(number);
        let blocks = self.keep(&mut found, &session, tree, &mut filing, &mut filed, &mut warnings)?;
        if let Some(filing) = filing {
            filed.entries = filing.finish(&mut change)?;
        }
        let facts = self.turn.proposed_facts.len() as u64;
        let created = filed.created.len();
        let mut answer = Appended {
            session_id: session.id.to_string(),
            turn_id: number,
            created_session: folder.is_none(),
            proposed_facts: facts,
            reviews_created: ids(&filed.created),
            reviews_discarded: ids(&filed.discarded),
            reviews_conflicting: ids(&filed.conflicting),
            reviews_refused: filed.refused,
            extracted: ctx.config.extract_on_append.then(|| found.iter().filter_map(|one| one.kept.clone()).collect()),
            masked: BTreeMap::new(),
            warnings,
            evidence: vec![
                retrieval_line(&self.turn),
                format!("💾 Memory: Turn {number} gespeichert | {facts} proposed_facts | {created} Reviews erstellt"),
            ],
        };
        for finding in &self.masking.findings {
            *answer.masked.entry(finding.kind.name().to_owned()).or_insert(0) += 1;
        }
        let record = Record {
            number,
            now,
            turn: &self.turn,
            answer: request_id.as_ref().and_then(|_| serde_json::to_value(&answer).ok()),
            request_id,
            completed: &completed,
            reviews: &filed.by_fact,
        };
        record.store(&mut session);
        for id in filed.created.iter().chain(&filed.discarded) {
            session.doc.push("review_queue", id);
        }
        session.doc.set("status", crate::domain::doc::Safe::word(State::Active.name()));
        change.put_session(&session, folder, State::Active)?;
        let mut counts = count_findings(&self.masking.findings);
        counts.insert("turn", number);
        counts.insert("proposed_facts", facts);
        counts.insert("reviews_created", created as u64);
        counts.extend(extract::outcomes(&found));
        if filed.refused > 0 {
            counts.insert("reviews_refused", filed.refused);
        }
        change.audit(ctx.entry(&self.operation.clone().on(&session.id), "ok", counts));
        for entry in filed.entries.drain(..) {
            change.audit(entry);
        }
        match blocks {
            Some(blocks) => tree.commit_blocks(change, blocks)?,
            None => tree.commit(change)?,
        }
        Ok(answer)
    }

    /// The open session that is meant: the one named, else the agent's.
    fn found(&self, warnings: &mut Vec<String>) -> Result<Option<SessionFile>> {
        let ctx = self.ctx;
        let named = match &self.request.session {
            Some(given) => self.named(given, warnings)?,
            None => None,
        };
        // "neue session starten" closes the agent's open one, whatever else was named.
        if named.is_some() || (self.request.session.is_some() && !self.request.new) {
            return Ok(named);
        }
        match ctx.store.open_session(&self.request.agent, ctx.now())? {
            Some(id) => Ok(ctx.store.session(&id)?),
            None => Ok(None),
        }
    }

    /// The session the turn goes to: the open one that is meant, or a new one.
    fn target(&self, found: Option<SessionFile>, change: &mut Change) -> Result<Target> {
        let ctx = self.ctx;
        match found {
            Some(SessionFile { session, folder }) if !self.request.new => Ok(Target { session, folder: Some(folder) }),
            found => {
                if let Some(SessionFile { session, folder }) = found {
                    close_now(ctx, session, folder, &self.operation, change)?;
                }
                Ok(Target { session: open_new(ctx, &self.request.agent, change), folder: None })
            }
        }
    }

    /// The session that was named, if a turn can be added to it. The protocol wants the turn kept, so any other name opens a
    /// new session; another agent's is refused.
    fn named(&self, given: &str, warnings: &mut Vec<String>) -> Result<Option<SessionFile>> {
        let ctx = self.ctx;
        let agent = &self.request.agent;
        let id = SessionId::parse(given).ok().map_or_else(|| resolve::session(ctx, given).ok(), Some);
        let found = match &id {
            Some(id) => ctx.store.session(id).unwrap_or_default(),
            None => None,
        };
        let owner = found.as_ref().map(|found| found.session.agent()).or_else(|| id.as_ref().map(SessionId::agent));
        if let (Some(id), Some(owner)) = (&id, owner) {
            owned_by(agent, id, owner)?;
        }
        let why = match &found {
            None => "is unknown or can't be read",
            Some(found) if !found.session.doc.is_writable() => "was written by a newer version",
            Some(found) if !found.session.state(ctx.now()).is_open() => "is closed",
            Some(_) => return Ok(found),
        };
        let name = id.map_or_else(|| "the session named".to_owned(), |id| id.to_string());
        warnings.push(format!("{name} {why}; the turn went to a new session"));
        Ok(None)
    }

    /// The open tasks that `--complete-task` names.
    fn completed(&self, session: &Session) -> Result<Vec<String>> {
        let open: Vec<String> = session.accumulated("open_tasks").map(str::to_owned).collect();
        let mut done = Vec::new();
        for given in &self.request.complete {
            let by_number = given.parse::<usize>().ok().and_then(|nth| open.get(nth.checked_sub(1)?));
            let masked = self.ctx.masker().mask(given).text;
            let folded = crate::domain::fold::fold(masked.as_str());
            if folded.is_empty() {
                return Err(Refusal::Task { open }.into());
            }
            let mut by_text = open.iter().filter(|task| crate::domain::fold::fold(task).contains(&folded));
            let exact = open.iter().find(|task| crate::domain::fold::fold(task) == folded);
            let task = exact.or(by_number).or_else(|| by_text.next().filter(|_| by_text.next().is_none()));
            match task {
                Some(task) => done.push(task.clone()),
                None => return Err(Refusal::Task { open }.into()),
            }
        }
        Ok(done)
    }

    /// What rules find in the turn, where `[extract] on_append` wants that.
    fn look(&self, turn: u64) -> Vec<Found> {
        if !self.ctx.config.extract_on_append {
            return Vec::new();
        }
        let texts = [(&self.turn.user_input_summary, Role::User), (&self.turn.conversation_summary, Role::Assistant)];
        let of = |(text, role): (&Masked, Role)| {
            let said =
                Said { text: text.as_str(), role: Some(role), turn: Some(turn), line: None, at: Some(self.ctx.now()) };
            extract::look(&said, self.ctx.masker())
        };
        texts.into_iter().flat_map(of).collect()
    }

    /// Keeps what was found as blocks. A database that can't be used is no reason to lose the turn.
    fn keep<'t>(
        &self,
        found: &mut [Found],
        session: &Session,
        tree: &'t Tree<'_>,
        filing: &mut Option<Filing<'a>>,
        filed: &mut FiledAll,
        warnings: &mut Vec<String>,
    ) -> Result<Option<BlockWriter<'t>>> {
        let ctx = self.ctx;
        let min = f64::from(ctx.config.extract_min_thousandths) / 1000.0;
        if found.iter().all(|one| one.confidence < min) {
            return Ok(None);
        }
        let mut blocks = match tree.blocks() {
            Ok(blocks) => blocks,
            Err(error) => {
                warnings.push(format!("no blocks were extracted: {error}"));
                return Ok(None);
            }
        };
        let agent = Some(&self.request.agent);
        let keeping = Keeping { ctx, min, origin: session.id.as_str(), agent, session: Some(&session.id) };
        let filing = match filing {
            Some(filing) => filing,
            None => filing.insert(Filing::begin(ctx, &self.operation)?),
        };
        filed.refused += keeping.keep(found, &mut blocks, filing)?;
        Ok(blocks.has_changed().then_some(blocks))
    }

    /// Files what the turn proposes.
    fn file(
        &self,
        session: &Session,
        turn: u64,
        filing: &mut Option<Filing<'a>>,
        warnings: &mut Vec<String>,
    ) -> Result<FiledAll> {
        let mut all = FiledAll::default();
        let decisions: Vec<_> =
            fresh_decisions(session, &self.turn.decisions).into_iter().filter(|d| d.consequence.is_some()).collect();
        let facts = self.turn.proposed_facts.iter().filter(|fact| fact.status != FactStatus::Rejected);
        let mut proposals: Vec<Proposal> = facts.map(|fact| self.fact_proposal(fact, session, turn)).collect();
        proposals.extend(decisions.into_iter().map(|decision| self.decision_proposal(decision, session, turn)));
        if proposals.is_empty() {
            return Ok(all);
        }
        let known: Vec<FactKey> =
            session.turns().flat_map(Turn::reviewed_facts).map(|(fact, project)| FactKey::new(fact, project)).collect();
        warnings.extend(vault::problem(self.ctx).map(|why| format!("the vault check was left out: {why}")));
        let filing = filing.insert(Filing::begin(self.ctx, &self.operation)?);
        for proposal in &proposals {
            let key = FactKey::of(proposal);
            let again = known.iter().any(|known| known.is_same(&key));
            let filed = filing.file(proposal, again)?;
            if let Some(id) = filed.review() {
                all.by_fact.push((proposal.fact.clone(), id.clone()));
            }
            match filed {
                Filed::Created { id, is_conflict } => {
                    if is_conflict {
                        all.conflicting.push(id.clone());
                    }
                    all.created.push(id);
                }
                Filed::Seen { id } => warnings.push(format!("already proposed and pending: {id}")),
                Filed::Discarded { id } => {
                    warnings.push(format!("the vault says so already: {id} was discarded"));
                    all.discarded.push(id);
                }
                Filed::Repeated => warnings.push("already proposed in this session: no second review".to_owned()),
                Filed::NothingLeft => {
                    warnings
                        .push("a proposed fact held nothing but personal data or a credential: no review".to_owned());
                }
                Filed::QueueFull { max } => {
                    all.refused += 1;
                    if all.refused == 1 {
                        warnings.push(format!(
                            "review queue full: {} has {max} open proposals ([review] max_pending); a human has to decide some first",
                            self.request.agent
                        ));
                    }
                }
            }
        }
        Ok(all)
    }

    fn fact_proposal(&self, fact: &ProposedFact<Masked>, session: &Session, turn: u64) -> Proposal {
        let project =
            fact.project.clone().or_else(|| self.turn.retrieval.as_ref().and_then(|meta| meta.project.clone()));
        Proposal {
            fact: fact.fact.clone(),
            kind: Kind::Fact,
            fact_status: fact.status,
            confidence: fact.confidence,
            project,
            page: fact.page.clone(),
            change: fact.change.clone(),
            requires: fact.requires.clone(),
            consequence: None,
            decided_on: None,
            agent: Some(Masked::trusted(self.request.agent.full())),
            session: Some(session.id.clone()),
            turn: Some(turn),
        }
    }

    fn decision_proposal(&self, decision: &Decision<Masked>, session: &Session, turn: u64) -> Proposal {
        Proposal {
            fact: decision.text.clone(),
            kind: Kind::Decision,
            fact_status: FactStatus::UserStated,
            confidence: Confidence::Unverified,
            project: self.turn.retrieval.as_ref().and_then(|meta| meta.project.clone()),
            page: None,
            change: None,
            requires: None,
            consequence: decision.consequence.clone(),
            decided_on: decision.decided_on.clone(),
            agent: Some(Masked::trusted(self.request.agent.full())),
            session: Some(session.id.clone()),
            turn: Some(turn),
        }
    }
}

#[derive(Default)]
struct FiledAll {
    created: Vec<ReviewId>,
    discarded: Vec<ReviewId>,
    conflicting: Vec<ReviewId>,
    refused: u64,
    /// The review that each fact is in.
    by_fact: Vec<(Masked, ReviewId)>,
    entries: Vec<crate::store::audit::Entry>,
}

fn ids(ids: &[ReviewId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

fn first_answer(session: &Session, request_id: &Masked) -> Option<Appended> {
    let turn =
        session.turns().find(|turn| turn.0.get("request_id").and_then(Value::as_str) == Some(request_id.as_str()))?;
    serde_json::from_value(turn.0.get("answer")?.clone()).ok()
}
