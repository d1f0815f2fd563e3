//! The demo: both documents' Vento/Telegram scenario, made with the program's own use cases, and a small vault.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::blocks::AddRequest;
use super::clock::Clock;
use super::config::{Config, DEFAULT_ROOT};
use super::error::{Refusal, Result};
use super::reviews::{self, ApproveRequest};
use super::sessions::{self, AppendRequest};
use super::{Context, blocks, init};
use crate::domain::agent::AgentId;
use crate::domain::ids::ReviewId;
use crate::domain::time::{DAY, HOUR, MINUTE, Timestamp};
use crate::mask::{Masker, Raw};
use crate::store::{Store, StoreError, new_config, new_folder};

/// What was made.
#[derive(Clone, Debug)]
pub struct Demo {
    /// The tree.
    pub root: PathBuf,
    /// The vault.
    pub vault: PathBuf,
    /// How many reviews wait.
    pub pending: usize,
}

/// The vault's pages: where, and what.
const PAGES: [(&str, &str); 3] = [
    ("03-Projekte/LP-VENTO.md", include_str!("demo/LP-VENTO.md")),
    ("03-Projekte/LP-WALDSEILGARTEN.md", include_str!("demo/LP-WALDSEILGARTEN.md")),
    ("10-Entscheidungen/Entscheidungslog.md", include_str!("demo/Entscheidungslog.md")),
];

/// Makes a demo tree at `root` and a demo vault beside it, both of which must not exist yet.
///
/// # Errors
/// When one of them exists, or can't be made.
pub fn make(root: &Path, now: Timestamp, sudo_uid: Option<u32>) -> Result<Demo> {
    let vault = beside(root);
    for path in [root, &vault] {
        if path.symlink_metadata().is_ok() || path == Path::new(DEFAULT_ROOT) {
            return Err(Refusal::DemoExists { path: path.to_owned() }.into());
        }
    }
    new_folder(&vault, &PAGES)?;
    Store::init(root, init::modes(&Config::default())?)?;
    let config_text = format!(
        "# The demo's configuration; `hermes-mem config show` explains every key.\n\n[vault]\npath = {}\n\n\
         [mask]\nallow = [\"Vento\", \"Waldseilgarten\"]\n",
        toml::Value::from(vault.display().to_string())
    );
    let config = Config::parse(&config_text).unwrap_or_default();
    new_config(root, &config_text, init::modes(&config)?)?;
    let scene = Scene { root, config, now, sudo_uid };
    scene.play()?;
    let ctx = scene.at(0)?;
    Ok(Demo { root: root.to_owned(), vault, pending: reviews::remind(&ctx)?.pending.len() })
}

/// `<root>.vault`.
fn beside(root: &Path) -> PathBuf {
    let mut name = root.as_os_str().to_owned();
    name.push(".vault");
    name.into()
}

struct Scene<'a> {
    root: &'a Path,
    config: Config,
    now: Timestamp,
    sudo_uid: Option<u32>,
}

impl Scene<'_> {
    /// The context of a moment before now.
    fn at(&self, before: i64) -> Result<Context> {
        let masker = Masker::new(self.config.unmasked_names());
        let store = Store::open(self.root, init::modes(&self.config)?, masker)?;
        let mut ctx = Context::new(store, Clock::Fixed(self.now.plus(-before)), self.config.clone());
        ctx.sudo_uid = self.sudo_uid;
        Ok(ctx)
    }

    fn append(&self, before: i64, agent: &str, input: Value) -> Result<Vec<String>> {
        let agent = AgentId::parse(agent).map_err(|_| super::Error::NoAgent)?;
        let request = AppendRequest { agent, session: None, new: false, input, complete: Vec::new() };
        Ok(sessions::append(&self.at(before)?, &request)?.reviews_created)
    }

    fn play(&self) -> Result<()> {
        // Twelve days ago: a fact that was approved and waits for the page, and one that was rejected.
        let old = self.append(12 * DAY, "hermes-mari", turn(
            "User fragt nach dem Stand des Waldseilgarten-CRM",
            "CRM läuft auf dem eigenen Server, Kalender wird täglich abgeglichen.",
            "Waldseilgarten",
            &json!([
                {"fact": "Das Waldseilgarten-CRM läuft auf Version 2.4", "status": "user_stated", "confidence": "medium",
                 "proposed_obsidian_page": "03-Projekte/LP-WALDSEILGARTEN.md", "proposed_change": "Technik: Version nachtragen"},
                {"fact": "Das Waldseilgarten-CRM hat eine eigene App", "status": "inferred"},
            ]),
        ))?;
        let reviewer = self.at(0)?.actor().reviewer(&self.config, None)?;
        let decided = self.at(11 * DAY)?;
        if let [approved, rejected] = old.as_slice() {
            let request = ApproveRequest {
                reviewer: reviewer.clone(),
                evidence: Some(Raw::new("Release 2.4 im Repository, Tag v2.4.0")),
                ..ApproveRequest::default()
            };
            reviews::approve(&decided, &id(approved)?, &request)?;
            reviews::reject(&decided, &id(rejected)?, &reviewer, &Raw::new("Es gibt nur die Weboberfläche"), None)?;
        }
        // Three days ago: the documents' scenario.
        self.append(
            3 * DAY + 4 * MINUTE,
            "hermes-carlo",
            turn(
                "Was ist der Status von Vento?",
                "Vento 90 % fertig, nicht live. Blocker: VPS-Deployment (Mario), 4 offene Dialogfehler.",
                "Vento",
                &json!([]),
            ),
        )?;
        let mut telegram = turn(
            "User fragt Status Vento + behauptet Telegram-Support",
            "Vento 90 % fertig, nicht live. Telegram unbestätigt.",
            "Vento",
            &json!([
                {"fact": "Vento unterstützt Telegram als zusätzlichen Kanal", "status": "user_stated", "confidence": "unverified",
                 "proposed_obsidian_page": "03-Projekte/LP-VENTO.md",
                 "proposed_change": "Technik-Sektion: Telegram-Integration ergänzen",
                 "requires": "Technische Bestätigung + Quellcode-Nachweis"},
                {"fact": "Vento ist live", "status": "user_stated",
                 "proposed_obsidian_page": "03-Projekte/LP-VENTO.md"},
            ]),
        );
        if let Some(fields) = telegram.as_object_mut() {
            fields.insert("pending_tasks".into(), json!(["Telegram-Integration in Vento technisch prüfen"]));
        }
        self.append(3 * DAY, "hermes-carlo", telegram)?;
        // Yesterday: a decision, and a plan that reads like a fact.
        let mut decision = turn(
            "User legt die Sommeröffnung fest",
            "Sommerzeiten festgehalten, Buchungssystem muss angepasst werden.",
            "Waldseilgarten",
            &json!([{"fact": "Der Waldseilgarten soll ab Juli auch Gutscheine verkaufen", "status": "user_stated",
                    "proposed_obsidian_page": "03-Projekte/LP-WALDSEILGARTEN.md"}]),
        );
        if let Some(fields) = decision.as_object_mut() {
            let day = self.now.plus(-DAY).to_string().chars().take(10).collect::<String>();
            let entry = json!({"text": "Im Sommer wird an sieben Tagen geöffnet",
                               "consequence": "Buchungssystem und Aushang werden angepasst", "decided_on": day});
            fields.insert("decisions".into(), json!([entry]));
        }
        self.append(DAY + 2 * HOUR, "hermes-mari", decision)?;
        // Ten minutes ago: a session that is still open.
        self.append(
            10 * MINUTE,
            "hermes-carlo",
            turn(
                "User meldet den Deployment-Termin",
                "Termin notiert, unbestätigt.",
                "Vento",
                &json!([{"fact": "Vento läuft auf dem VPS vps-02", "status": "user_stated",
                    "proposed_obsidian_page": "03-Projekte/LP-VENTO.md"}]),
            ),
        )?;
        self.blocks()
    }

    /// What the agents have learned: the decision record's own example, a state that has changed, and one of each type.
    fn blocks(&self) -> Result<()> {
        let of = |nth: u32, block_type: &str, category: &str, key: &str, value: &str, entities: &[&str]| {
            json!({
                "id": format!("0d5c3f5e-6f1a-4c57-9d0b-{nth:012x}"), "type": block_type, "category": category, "key": key,
                "value": value, "entities": entities,
            })
        };
        let stated = |mut block: Value, source: &str, confidence: f64| {
            if let Some(fields) = block.as_object_mut() {
                fields.insert("source".into(), json!(source));
                fields.insert("confidence".into(), json!(confidence));
            }
            block
        };
        let inferred = |mut block: Value| {
            if let Some(fields) = block.as_object_mut() {
                fields.insert("status".into(), json!("inferred"));
            }
            block
        };
        let crm = "waldseilgarten-crm";
        let first = stated(
            of(0xa1, "project_state", "project", "stand", "Kalender wird täglich abgeglichen, App fehlt", &[crm]),
            "session_2026-05-09",
            0.8,
        );
        let second = stated(
            of(0xb2, "project_state", "project", "stand", "Version 2.4 läuft auf dem eigenen Server", &[crm]),
            "session_2026-05-18",
            0.9,
        );
        let style =
            of(0xc3, "user_preference", "formatting", "table_style", "compact with │ separators", &["Flo", crm]);
        let style = stated(style, "session_2026-06-03", 0.95);
        let rest = vec![
            of(
                0xd4,
                "entity_relationship",
                "contact",
                "deployment",
                "Mario kümmert sich um das Deployment",
                &["Mario", "Vento"],
            ),
            of(0xe5, "procedural", "workflow", "deploy", "Erst Dialogtests, dann Freigabe, dann vps-02", &["Vento"]),
            inferred(of(
                0xf6,
                "learned_pattern",
                "tech_stack",
                "n8n",
                "n8n verliert Webhooks nach einem Neustart",
                &["Vento", "n8n"],
            )),
        ];
        for (before, records) in [(12 * DAY, vec![first]), (3 * DAY, vec![second, style]), (DAY, rest)] {
            let documents = Box::new(records.into_iter().map(|record| Ok((String::new(), record))));
            let agent = AgentId::parse("hermes-mari").map_err(|_| super::Error::NoAgent)?;
            blocks::add(&self.at(before)?, AddRequest { documents, as_kept: false, agent: Some(agent) })?;
        }
        Ok(())
    }
}

fn id(text: &str) -> Result<ReviewId> {
    ReviewId::parse(text).map_err(|error| StoreError::Damaged { path: text.into(), why: error.to_string() }.into())
}

fn turn(asked: &str, answered: &str, project: &str, facts: &Value) -> Value {
    json!({
        "user_input_summary": asked,
        "retrieval_meta": {"query": asked, "project": project, "obsidian_sources": 1, "graphiti_facts": 10, "confidence": "medium"},
        "conversation_summary": answered,
        "proposed_facts": facts,
    })
}
