//! Extraction: blocks out of a session's turns or a text, by rules. Without `apply` nothing is written.
//!
//! What is found at or above the minimum is kept as `inferred`; project facts and decisions wait in the review queue, linked
//! with their block. A second run over the same changes nothing: a block knows where it comes from, and when it was said.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::app::blocks::proposal;
use crate::app::context::count_findings;
use crate::app::error::{NotFound, Result};
use crate::app::reviews::filing::{Filed, Filing};
use crate::app::sessions::owned_by;
use crate::app::{Context, Operation, clock, resolve, vault};
use crate::domain::agent::AgentId;
use crate::domain::block::{Block, BlockId, BlockStatus, Category, Confidence, NewBlock, fold_entity};
use crate::domain::doc::Safe;
use crate::domain::extract::turns::{Piece, Role};
use crate::domain::extract::{Candidate, Doubt, Subject, extract};
use crate::domain::ids::{ReviewId, SessionId};
use crate::domain::time::Timestamp;
use crate::mask::{Finding, Kind, Masked, Masker};
use crate::store::Change;
use crate::store::blocks::{BlockWriter, Outcome};

/// A candidate with its place, every text of it masked.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it is about; says the type.
    pub subject: Subject,
    /// The block's category.
    pub category: Category,
    /// The block's key.
    pub key: Masked,
    /// The block's value.
    pub value: Masked,
    /// Whom or what it concerns.
    pub entities: Vec<Masked>,
    /// The sentence.
    pub sentence: Masked,
    /// The rule.
    pub rule: &'static str,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// What lowers that.
    pub doubts: Vec<Doubt>,
    /// The turn it was said in.
    pub turn: Option<u64>,
    /// The line of the input it begins on.
    pub line: Option<u64>,
    /// When it was said, where that is known.
    pub said_at: Option<Timestamp>,
    /// What became of it.
    pub kept: Option<KeptBlock>,
}

/// A block that was made of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptBlock {
    /// The block.
    pub id: String,
    /// Its key.
    pub key: String,
    /// `created`, `replaced`, `repeated`, `past` or `rejected`.
    pub outcome: String,
    /// The review that was filed for it.
    pub review_id: Option<String>,
}

/// What was extracted.
#[derive(Clone, Debug, Default)]
pub struct Extracted {
    /// Everything that was found, in the order of the text.
    pub found: Vec<Found>,
    /// The session it comes from.
    pub session: Option<SessionId>,
    /// How much was masked, by kind.
    pub masked: BTreeMap<&'static str, u64>,
    /// For the audit log.
    findings: BTreeMap<&'static str, u64>,
    /// How many reviews the full queue turned away.
    pub reviews_refused: u64,
    /// What the caller should know.
    pub warnings: Vec<String>,
    /// What names the text among texts: a digest of it, masked.
    digest: String,
}

/// A text that is masked, and where it stands.
pub(in crate::app) struct Said<'a> {
    pub(in crate::app) text: &'a str,
    pub(in crate::app) role: Option<Role>,
    pub(in crate::app) turn: Option<u64>,
    pub(in crate::app) line: Option<u64>,
    pub(in crate::app) at: Option<Timestamp>,
}

/// Looks through pieces of text from outside.
pub fn from_pieces(pieces: &[Piece], masker: &Masker, mut step: impl FnMut(usize, usize)) -> Extracted {
    let mut extracted = Extracted::default();
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.expose()).collect();
    let mut digest = Sha256::new();
    for (at, (piece, masking)) in pieces.iter().zip(masker.mask_record(&texts)).enumerate() {
        for finding in &masking.findings {
            *extracted.masked.entry(finding.kind.name()).or_insert(0) += 1;
        }
        let credentials = masking.findings.iter().filter(|finding| finding.kind == Kind::Credential);
        extracted.warnings.extend(credentials.map(|finding| format!("credential removed (rule {})", finding.rule)));
        for (kind, number) in count_findings(&masking.findings) {
            *extracted.findings.entry(kind).or_insert(0) += number;
        }
        digest.update(masking.text.as_str());
        let said = Said { text: masking.text.as_str(), role: piece.role, turn: piece.turn, line: piece.line, at: None };
        let mut found = look(&said, masker);
        if piece.turn.is_none() {
            let lost = lost_lines(piece.text.expose(), &masking.findings);
            for one in &mut found {
                one.line = one.line.map(|line| line + lost_before(&lost, line));
            }
        }
        extracted.found.extend(found);
        step(at + 1, pieces.len());
    }
    for byte in digest.finalize().iter().take(6) {
        extracted
            .digest
            .extend([byte >> 4, byte & 0xf].into_iter().filter_map(|digit| char::from_digit(digit.into(), 16)));
    }
    extracted
}

/// Looks through a session's turns. An agent may do so with its own alone.
///
/// # Errors
/// When no single session fits, it can't be read, or it is another agent's.
pub fn from_session(ctx: &Context, given: &str, agent: Option<&AgentId>) -> Result<Extracted> {
    let mut operation = Operation::new("extract");
    operation.agent = agent.cloned();
    ctx.audited(&operation, || {
        let id = resolve::session(ctx, given)?;
        let none = || NotFound::Id { noun: "session", given: id.to_string(), nearest: None };
        let session = ctx.store.session(&id)?.ok_or_else(none)?.session;
        if let Some(agent) = agent {
            owned_by(agent, &id, session.agent())?;
        }
        let mut extracted = Extracted { session: Some(id), ..Extracted::default() };
        for turn in session.turns() {
            let texts = [(turn.asked(), Role::User), (turn.answered(), Role::Assistant)];
            for (text, role) in texts {
                let Some(text) = text else { continue };
                // A file of other hands may hold what was never masked.
                let text = ctx.masker().mask(text).text;
                let said =
                    Said { text: text.as_str(), role: Some(role), turn: turn.number(), line: None, at: turn.time() };
                extracted.found.extend(look(&said, ctx.masker()));
            }
        }
        Ok(extracted)
    })
}

/// The candidates of a masked text. What an agent says of itself in the first person is no preference of the user.
pub(in crate::app) fn look(said: &Said<'_>, masker: &Masker) -> Vec<Found> {
    let of_the_user = |one: &Candidate| {
        said.role != Some(Role::Assistant)
            || one.subject != Subject::Preference
            || one
                .sentence
                .to_lowercase()
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| matches!(word, "user" | "nutzer" | "nutzerin" | "anwender" | "anwenderin"))
    };
    let mut line = said.line;
    let mut at = 0;
    let mut found = Vec::new();
    for one in extract(said.text).into_iter().filter(of_the_user) {
        if said.turn.is_none() {
            let breaks = said.text.get(at..one.at).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count();
            line = line.map(|line| line + breaks as u64);
            at = one.at;
        }
        // Parts of a masked text, masked again: a part alone may read like more than it was.
        let mut texts = vec![one.key.as_str(), one.value.as_str(), one.sentence.as_str()];
        texts.extend(one.entities.iter().map(String::as_str));
        let mut texts = masker.mask_record(&texts).into_iter().map(|masking| masking.text);
        let (Some(key), Some(value), Some(sentence)) = (texts.next(), texts.next(), texts.next()) else { continue };
        let entities: Vec<Masked> = texts.filter(|name| !name.has_placeholder()).collect();
        if value.is_only_placeholders() || key.has_placeholder() || entities.len() < one.entities.len() {
            continue;
        }
        found.push(Found {
            subject: one.subject,
            category: one.category,
            key,
            value,
            entities,
            sentence,
            rule: one.rule,
            confidence: one.confidence,
            doubts: one.doubts,
            turn: said.turn,
            line,
            said_at: said.at,
            kept: None,
        });
    }
    found
}

/// The lines on which masking took line ends away.
fn lost_lines(raw: &str, findings: &[Finding]) -> Vec<u64> {
    let mut lost = Vec::new();
    let (mut line, mut at) = (1, 0);
    for finding in findings {
        let breaks = |range: std::ops::Range<usize>| raw.get(range).unwrap_or_default().matches('\n').count() as u64;
        if finding.bytes.start < at {
            continue;
        }
        line += breaks(at..finding.bytes.start);
        let within = breaks(finding.bytes.clone());
        lost.extend(std::iter::repeat_n(line, usize::try_from(within).unwrap_or(0)));
        line += within;
        at = finding.bytes.end;
    }
    lost
}

/// How many line ends were taken away before a line of the masked text.
fn lost_before(lost: &[u64], line: u64) -> u64 {
    let mut before = 0;
    for place in lost {
        if *place < line + before {
            before += 1;
        }
    }
    before
}

/// Keeps what was found at or above the minimum, and files reviews for what a human has to look at: one step.
///
/// # Errors
/// When the tree or the database can't be written.
pub fn apply(ctx: &Context, extracted: &mut Extracted, min: f64, agent: Option<&AgentId>) -> Result<()> {
    let mut operation = Operation::new("extract");
    operation.agent = agent.cloned();
    operation.target = extracted.session.as_ref().map(ToString::to_string);
    if extracted.found.iter().all(|one| one.confidence < min) {
        return Ok(());
    }
    ctx.audited(&operation, || {
        let tree = ctx.lock()?;
        let mut writer = tree.blocks()?;
        let mut filing = Filing::begin(ctx, &operation)?;
        let origin = extracted.session.as_ref().map_or_else(|| format!("text {}", extracted.digest), ToString::to_string);
        extracted.warnings.extend(vault::problem(ctx).map(|why| format!("the vault check was left out: {why}")));
        let keeping = Keeping { ctx, min, origin: &origin, agent, session: extracted.session.as_ref() };
        extracted.reviews_refused = keeping.keep(&mut extracted.found, &mut writer, &mut filing)?;
        if extracted.reviews_refused > 0 {
            let max = ctx.config.max_pending;
            extracted.warnings.push(format!("review queue full: {max} open proposals ([review] max_pending); a human has to decide some first, then run this again"));
        }
        let mut change = Change::new();
        let entries = filing.finish(&mut change)?;
        if !writer.has_changed() && entries.is_empty() {
            return Ok(());
        }
        let mut counts = extracted.findings.clone();
        counts.extend(outcomes(&extracted.found));
        counts.insert("reviews_created", entries.len() as u64);
        for entry in entries {
            change.audit(entry);
        }
        change.audit(ctx.entry(&operation, if extracted.reviews_refused > 0 { "partly" } else { "ok" }, counts));
        tree.commit_blocks(change, writer)?;
        Ok(())
    })
}

/// How many blocks there were of each outcome.
pub(in crate::app) fn outcomes(found: &[Found]) -> BTreeMap<&'static str, u64> {
    let words =
        [Outcome::Created, Outcome::Replaced, Outcome::Repeated, Outcome::Past, Outcome::Rejected].map(Outcome::word);
    let mut counts = BTreeMap::new();
    for kept in found.iter().filter_map(|one| one.kept.as_ref()) {
        if let Some(word) = words.into_iter().find(|word| *word == kept.outcome) {
            *counts.entry(word).or_insert(0) += 1;
        }
    }
    counts
}

/// Candidates on their way into the database and the queue.
pub(in crate::app) struct Keeping<'a> {
    pub(in crate::app) ctx: &'a Context,
    /// What is less sure is left.
    pub(in crate::app) min: f64,
    /// Where they come from: a session, or a text by its digest.
    pub(in crate::app) origin: &'a str,
    pub(in crate::app) agent: Option<&'a AgentId>,
    pub(in crate::app) session: Option<&'a SessionId>,
}

impl Keeping<'_> {
    /// Keeps them, and answers how many reviews the full queue turned away.
    pub(in crate::app) fn keep(
        &self,
        found: &mut [Found],
        writer: &mut BlockWriter<'_>,
        filing: &mut Filing<'_>,
    ) -> Result<u64> {
        let mut refused = 0;
        for at in self.chosen(found) {
            let Some(one) = found.get_mut(at) else { continue };
            let source = self.source(one);
            let (id, outcome) = match known(one, &source, writer)? {
                Some(id) => (id, Outcome::Repeated),
                None => self.add(one, source, writer)?,
            };
            let mut review = None;
            if one.subject.is_reviewed()
                && let Some(block) = writer.read().get(&id)?
                && is_to_be_reviewed(&block)
            {
                match self.file(&block, one, filing)? {
                    Filed::Created { id: filed, .. } | Filed::Seen { id: filed } | Filed::Discarded { id: filed } => {
                        filing.set_block(&filed, &id);
                        writer.set_review(&id, Some(&filed))?;
                        review = Some(filed);
                    }
                    Filed::QueueFull { .. } => refused += 1,
                    Filed::Repeated | Filed::NothingLeft => {}
                }
            }
            one.kept = Some(KeptBlock {
                id: id.to_string(),
                key: one.key.as_str().to_owned(),
                outcome: outcome.word().to_owned(),
                review_id: review.as_ref().map(ReviewId::to_string),
            });
        }
        Ok(refused)
    }

    /// Those that are sure enough. Of several values of one thing said at one time the last one holds.
    fn chosen(&self, found: &[Found]) -> Vec<usize> {
        let place = |one: &Found| {
            let mut names: Vec<String> = one.entities.iter().map(|name| fold_entity(name.as_str())).collect();
            names.sort_unstable();
            (one.subject.block_type(), one.category, one.key.clone(), names, one.said_at)
        };
        let mut last = std::collections::HashMap::new();
        for (at, one) in found.iter().enumerate().filter(|(_, one)| one.confidence >= self.min) {
            last.insert(place(one), at);
        }
        let mut chosen: Vec<usize> = last.into_values().collect();
        chosen.sort_unstable();
        chosen
    }

    fn source(&self, one: &Found) -> Masked {
        let place = match (one.turn, one.line) {
            (Some(turn), _) => format!(", turn {turn}"),
            (None, Some(line)) => format!(", line {line}"),
            (None, None) => String::new(),
        };
        self.ctx.masker().mask(&format!("{}{place}", self.origin)).text
    }

    fn add(&self, one: &Found, source: Masked, writer: &mut BlockWriter<'_>) -> Result<(BlockId, Outcome)> {
        let new = NewBlock {
            block_type: one.subject.block_type(),
            category: one.category,
            key: one.key.clone(),
            value: one.value.clone(),
            source: Some(source),
            confidence: Confidence::new(one.confidence).unwrap_or(Confidence::FULL),
            entities: one.entities.clone(),
            status: BlockStatus::Inferred,
            created_at: one.said_at,
            extra: Safe::null(),
        };
        let added = writer.add(&new, BlockId::random(clock::random()), self.ctx.now())?;
        Ok((added.id, added.outcome))
    }

    fn file(&self, block: &Block, one: &Found, filing: &mut Filing<'_>) -> Result<Filed> {
        let mut proposal = proposal(block, self.agent);
        proposal.session = self.session.cloned();
        proposal.turn = one.turn;
        filing.file(&proposal, false)
    }
}

/// The block that this very text has made before, or that says the same just now. Only for texts without a time: where
/// there is one, the block's time line tells.
fn known(one: &Found, source: &Masked, writer: &BlockWriter<'_>) -> Result<Option<BlockId>> {
    if one.said_at.is_some() {
        return Ok(None);
    }
    let mut wanted: Vec<String> = one.entities.iter().map(|name| fold_entity(name.as_str())).collect();
    wanted.sort_unstable();
    let db = writer.read();
    let versions = if let Some(name) = one.entities.first() {
        db.with_entity(name.as_str())?
    } else {
        let mut versions = Vec::new();
        for id in db.ids_of_key(one.key.as_str(), u32::MAX)? {
            versions.extend(db.history(&id)?);
        }
        versions
    };
    let same = versions.into_iter().find(|block| {
        let mut names: Vec<String> = block.entities.iter().map(|name| fold_entity(name.as_str())).collect();
        names.sort_unstable();
        block.block_type == one.subject.block_type()
            && block.key == one.key
            && block.category == one.category
            && names == wanted
            && block.value == one.value
            && (block.is_current() || block.source.as_ref() == Some(source))
    });
    Ok(same.map(|block| block.id))
}

/// Whether a human has to look at a block and was not asked yet.
fn is_to_be_reviewed(block: &Block) -> bool {
    block.is_current() && block.review_id.is_none() && block.status == BlockStatus::Inferred
}

/// Records in the audit log that a text was refused.
pub fn refuse_input(ctx: &Context, agent: Option<&AgentId>) {
    let mut operation = Operation::new("extract");
    operation.agent = agent.cloned();
    ctx.record(&operation, "refused");
}
