//! The configuration: every key, its default, and where its value came from.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::domain::agent::AgentId;
use crate::domain::append::{UserInputPolicy, quoted};
use crate::domain::retention::{MAX_CLOCK_JUMP, Policy, UNCONFIRMED_BLOCKS};
use crate::domain::span::Span;

/// Where the tree is unless something else is said.
pub const DEFAULT_ROOT: &str = "/opt/struktur/memory";
/// The file that is read when there is none in the tree.
pub const SYSTEM_FILE: &str = "/etc/hermes-mem/config.toml";
/// The largest configuration file, in bytes.
pub const FILE_MAX: u64 = 1 << 20;

/// A person or agent and the Unix user they come as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name that reviews or sessions carry.
    pub name: String,
    /// The Unix user's login.
    pub user: String,
}

/// The values in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The tree's folder, `root`; only a file outside the tree can set it.
    pub root: Option<PathBuf>,
    /// The group that shares the tree, `[tree] group`.
    pub group: Option<String>,
    /// Whether the full user input may be stored, `[policy] store_user_input`.
    pub store_user_input: UserInputPolicy,
    /// Who may decide, `[[reviewer]]`; nobody named: every user who is no agent's.
    pub reviewers: Vec<Person>,
    /// Which users are agents', `[[agent]]`.
    pub agents: Vec<Person>,
    /// Names that are not masked, `[mask] allow`.
    pub mask_allow: Vec<String>,
    /// How many open proposals an agent may have, `[review] max_pending`.
    pub max_pending: u64,
    /// How sure what is extracted has to be to be kept, in thousandths, `[extract] min_confidence`.
    pub extract_min_thousandths: u32,
    /// Whether every append extracts blocks too, `[extract] on_append`.
    pub extract_on_append: bool,
    /// How long a block is kept that no human confirmed, `[retention] unconfirmed_blocks`.
    pub unconfirmed_blocks: Span,
    /// How far the clock may be ahead of the last retention run, `[retention] max_clock_jump`.
    pub max_clock_jump: Span,
    /// Backups, `[backup]`.
    pub backup: BackupConfig,
    /// The vault's folder, `[vault] path`.
    pub vault_path: Option<PathBuf>,
    /// Groups of words that mean the same, `[vault] synonyms`.
    pub vault_synonyms: Vec<Vec<String>>,
    /// Keys that can have only one value, `[vault] functional_keys`.
    pub vault_functional_keys: Vec<String>,
    /// Groups of words for one state each, `[vault] state_words`.
    pub vault_state_words: Vec<Vec<String>>,
    /// The keys that the file sets.
    pub set: Vec<&'static str>,
}

/// Where backups go, and which keys they want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupConfig {
    /// Their folder, `[backup] target`.
    pub target: PathBuf,
    /// The certificate to which they are encrypted, `[backup] recipient`.
    pub recipient: Option<PathBuf>,
    /// The file with the passphrase that they are encrypted with, `[backup] passphrase_file`.
    pub passphrase_file: Option<PathBuf>,
    /// The secret key that signs them, `[backup] signing_key`.
    pub signing_key: Option<PathBuf>,
    /// The certificate whose signature they must have, `[backup] signer`.
    pub signer: Option<PathBuf>,
    /// How old the newest may be before `status` and `doctor` tell of it, `[backup] max_age`.
    pub max_age: Span,
}

/// Where backups go unless something else is said.
pub const DEFAULT_TARGET: &str = "/opt/backup/memory";

impl Default for BackupConfig {
    fn default() -> Self {
        Self {
            target: DEFAULT_TARGET.into(),
            recipient: None,
            passphrase_file: None,
            signing_key: None,
            signer: None,
            max_age: Span::from_hours(50),
        }
    }
}

impl BackupConfig {
    /// Whether a key is named, without which there is no backup.
    pub const fn has_key(&self) -> bool {
        self.recipient.is_some() || self.passphrase_file.is_some()
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            root: None,
            group: None,
            store_user_input: UserInputPolicy::Summary,
            reviewers: Vec::new(),
            agents: Vec::new(),
            mask_allow: Vec::new(),
            max_pending: 200,
            extract_min_thousandths: 600,
            extract_on_append: false,
            unconfirmed_blocks: UNCONFIRMED_BLOCKS,
            max_clock_jump: MAX_CLOCK_JUMP,
            backup: BackupConfig::default(),
            vault_path: None,
            vault_synonyms: Vec::new(),
            vault_functional_keys: Vec::new(),
            vault_state_words: Vec::new(),
            set: Vec::new(),
        }
    }
}

/// A key of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name with the table it stands in, such as `review.max_pending`.
    pub name: &'static str,
    /// What it does, one line.
    pub about: &'static str,
    /// A value, as TOML.
    pub example: &'static str,
}

/// Every key there is.
pub const KEYS: [Key; 23] = [
    Key { name: "root", about: "the tree's folder; only in a file outside the tree", example: "\"/srv/memory\"" },
    Key {
        name: "tree.group",
        about: "the group that shares the tree; folders 2770, files 0660",
        example: "\"memory\"",
    },
    Key {
        name: "policy.store_user_input",
        about: "\"summary\", or \"masked\" to keep the masked user_input for 7 days",
        example: "\"summary\"",
    },
    Key {
        name: "reviewer.name",
        about: "[[reviewer]]: a name under which a person decides, [a-z0-9._-]+",
        example: "\"carlo\"",
    },
    Key { name: "reviewer.user", about: "[[reviewer]]: that person's Unix user", example: "\"carlo\"" },
    Key { name: "agent.name", about: "[[agent]]: an agent's name", example: "\"hermes-carlo\"" },
    Key { name: "agent.user", about: "[[agent]]: its Unix user, who can decide nothing", example: "\"hermes\"" },
    Key { name: "mask.allow", about: "names that are not masked: whole words, exact case", example: "[\"Vento\"]" },
    Key { name: "review.max_pending", about: "how many open proposals an agent may have", example: "200" },
    Key {
        name: "extract.min_confidence",
        about: "how sure what is extracted has to be to be kept, 0 to 1",
        example: "0.6",
    },
    Key { name: "extract.on_append", about: "extract blocks from every turn that is appended", example: "false" },
    Key {
        name: "retention.unconfirmed_blocks",
        about: "how long a block is kept that no human confirmed",
        example: "\"30d\"",
    },
    Key {
        name: "retention.max_clock_jump",
        about: "how far the clock may be ahead of the last retention run before nothing is deleted any more",
        example: "\"60d\"",
    },
    Key { name: "backup.target", about: "the folder of the backups", example: "\"/opt/backup/memory\"" },
    Key {
        name: "backup.recipient",
        about: "the certificate that backups are encrypted to; its secret key stays elsewhere",
        example: "\"/etc/hermes-mem/backup.asc\"",
    },
    Key {
        name: "backup.passphrase_file",
        about: "instead of a recipient: a 0600 file whose first line is the passphrase",
        example: "\"/etc/hermes-mem/passphrase\"",
    },
    Key {
        name: "backup.signing_key",
        about: "a 0600 secret key that backups are signed with",
        example: "\"/etc/hermes-mem/signing.key\"",
    },
    Key {
        name: "backup.signer",
        about: "the certificate whose signature verify and restore want to see",
        example: "\"/etc/hermes-mem/signing.asc\"",
    },
    Key {
        name: "backup.max_age",
        about: "how old the newest backup may be before status and doctor tell of it",
        example: "\"50h\"",
    },
    Key { name: "vault.path", about: "the Obsidian vault, read only", example: "\"/srv/vault\"" },
    Key {
        name: "vault.synonyms",
        about: "groups of words that mean the same",
        example: "[[\"Hosting\", \"läuft auf\"]]",
    },
    Key { name: "vault.functional_keys", about: "keys that can have only one value", example: "[\"Anbieter\"]" },
    Key { name: "vault.state_words", about: "groups of words for one state each", example: "[[\"scharf\", \"live\"]]" },
];

/// A configuration without live keys: every key is there as a comment, with an example.
pub fn template() -> String {
    let mut text =
        "# hermes-mem. Every key is optional; `hermes-mem config show` prints the values in force.\n".to_owned();
    let mut table = "";
    for key in KEYS.iter().filter(|key| key.name != "root") {
        let (of, name) = key.name.split_once('.').unwrap_or(("", key.name));
        if of != table {
            table = of;
            let heading = if matches!(of, "reviewer" | "agent") { format!("[[{of}]]") } else { format!("[{of}]") };
            text.extend(["\n# ", &heading, "\n"]);
        }
        text.extend(["# ", name, " = ", key.example, "  # ", key.about, "\n"]);
    }
    text
}

/// Something wrong in a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}")]
pub struct ConfigProblem {
    /// The key, or the line.
    pub key: String,
    /// What is wrong, the allowed values, and the nearest known key.
    pub what: String,
}

impl Config {
    /// Takes over who is who from a configuration that stands at a fixed place: its agents are agents in this one too, and
    /// where it names reviewers nobody else is one (law 3). Taken over from several, the last one's reviewers hold.
    pub fn keep_people(&mut self, standing: Self) {
        self.agents.extend(standing.agents);
        if !standing.reviewers.is_empty() {
            self.reviewers = standing.reviewers;
        }
    }

    /// Reads a configuration from TOML.
    ///
    /// # Errors
    /// All problems of the text.
    pub fn parse(text: &str) -> Result<Self, Vec<ConfigProblem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            vec![ConfigProblem { key: format!("line {line}"), what: format!("no valid TOML: {}", error.message()) }]
        })?;
        let mut reader = Reader { config: Self::default(), problems: Vec::new() };
        for (key, value) in table {
            reader.top(&key, value);
        }
        if reader.problems.is_empty() { Ok(reader.config) } else { Err(reader.problems) }
    }

    /// How long what is kept.
    pub fn retention(&self) -> Policy {
        Policy { unconfirmed_blocks: self.unconfirmed_blocks, max_clock_jump: self.max_clock_jump, ..Policy::default() }
    }

    /// The names that the masker leaves alone: the allowed ones, and the agents'.
    pub fn unmasked_names(&self) -> Vec<String> {
        let agents = self.agents.iter().map(|agent| agent.name.clone());
        self.mask_allow.iter().cloned().chain(agents).collect()
    }

    /// Each value in force, by key, as text; `None` where there is none.
    pub fn values(&self) -> Vec<(&'static str, Option<String>)> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let people = |people: &[Person], field: fn(&Person) -> &str| {
            (!people.is_empty()).then(|| people.iter().map(field).collect::<Vec<_>>().join(", "))
        };
        let groups = |groups: &[Vec<String>]| {
            (!groups.is_empty()).then(|| groups.iter().map(|group| group.join(" = ")).collect::<Vec<_>>().join("; "))
        };
        let list = |list: &[String]| (!list.is_empty()).then(|| list.join(", "));
        let policy = match self.store_user_input {
            UserInputPolicy::Summary => "summary",
            UserInputPolicy::Masked => "masked",
        };
        vec![
            ("root", path(&self.root)),
            ("tree.group", self.group.clone()),
            ("policy.store_user_input", Some(policy.to_owned())),
            ("reviewer.name", people(&self.reviewers, |person| &person.name)),
            ("reviewer.user", people(&self.reviewers, |person| &person.user)),
            ("agent.name", people(&self.agents, |person| &person.name)),
            ("agent.user", people(&self.agents, |person| &person.user)),
            ("mask.allow", list(&self.mask_allow)),
            ("review.max_pending", Some(self.max_pending.to_string())),
            ("extract.min_confidence", Some((f64::from(self.extract_min_thousandths) / 1000.0).to_string())),
            ("extract.on_append", Some(self.extract_on_append.to_string())),
            ("retention.unconfirmed_blocks", Some(self.unconfirmed_blocks.to_string())),
            ("retention.max_clock_jump", Some(self.max_clock_jump.to_string())),
            ("backup.target", Some(self.backup.target.display().to_string())),
            ("backup.recipient", path(&self.backup.recipient)),
            ("backup.passphrase_file", path(&self.backup.passphrase_file)),
            ("backup.signing_key", path(&self.backup.signing_key)),
            ("backup.signer", path(&self.backup.signer)),
            ("backup.max_age", Some(self.backup.max_age.to_string())),
            ("vault.path", path(&self.vault_path)),
            ("vault.synonyms", groups(&self.vault_synonyms)),
            ("vault.functional_keys", list(&self.vault_functional_keys)),
            ("vault.state_words", groups(&self.vault_state_words)),
        ]
    }
}

struct Reader {
    config: Config,
    problems: Vec<ConfigProblem>,
}

impl Reader {
    fn complain(&mut self, key: &str, what: impl Into<String>) {
        self.problems.push(ConfigProblem { key: key.to_owned(), what: what.into() });
    }

    fn top(&mut self, key: &str, value: Value) {
        match (key, value) {
            ("root", value) => self.value("root", value),
            ("reviewer" | "agent", Value::Array(people)) => self.people(key, people),
            ("reviewer" | "agent", _) => self.complain(key, format!("write it as [[{key}]] with name and user")),
            (
                "tree" | "policy" | "mask" | "review" | "extract" | "retention" | "backup" | "vault",
                Value::Table(table),
            ) => {
                for (inner, value) in table {
                    self.value(&format!("{key}.{}", quoted(&inner)), value);
                }
            }
            ("tree" | "policy" | "mask" | "review" | "extract" | "retention" | "backup" | "vault", _) => {
                self.complain(key, format!("write it as a table, [{key}]"));
            }
            (_, Value::Table(table)) if !table.is_empty() => {
                for inner in table.keys() {
                    self.unknown(&format!("{key}.{}", quoted(inner)));
                }
            }
            _ => self.unknown(&quoted(key)),
        }
    }

    fn unknown(&mut self, key: &str) {
        let nearest =
            KEYS.iter().max_by(|a, b| strsim::jaro_winkler(a.name, key).total_cmp(&strsim::jaro_winkler(b.name, key)));
        let nearest = nearest.map_or("", |nearest| nearest.name);
        self.complain(key, format!("is no known key; the nearest is {nearest}"));
    }

    fn value(&mut self, key: &str, value: Value) {
        let Some(known) = KEYS.iter().find(|known| known.name == key) else { return self.unknown(key) };
        let taken = match known.name {
            "root" => path(value).map(|path| self.config.root = Some(path)),
            "tree.group" => text(value).map(|group| self.config.group = Some(group)),
            "policy.store_user_input" => policy(&value).map(|policy| self.config.store_user_input = policy),
            "mask.allow" => texts(value).map(|allow| self.config.mask_allow = allow),
            "review.max_pending" => count(&value).map(|max| self.config.max_pending = max),
            "extract.min_confidence" => thousandths(&value).map(|min| self.config.extract_min_thousandths = min),
            "extract.on_append" => flag(&value).map(|on| self.config.extract_on_append = on),
            "retention.unconfirmed_blocks" => span(&value).map(|span| self.config.unconfirmed_blocks = span),
            "retention.max_clock_jump" => span(&value).map(|span| self.config.max_clock_jump = span),
            "backup.target" => path(value).map(|path| self.config.backup.target = path),
            "backup.recipient" => path(value).map(|path| self.config.backup.recipient = Some(path)),
            "backup.passphrase_file" => path(value).map(|path| self.config.backup.passphrase_file = Some(path)),
            "backup.signing_key" => path(value).map(|path| self.config.backup.signing_key = Some(path)),
            "backup.signer" => path(value).map(|path| self.config.backup.signer = Some(path)),
            "backup.max_age" => span(&value).map(|span| self.config.backup.max_age = span),
            "vault.path" => path(value).map(|path| self.config.vault_path = Some(path)),
            "vault.synonyms" => groups(value).map(|groups| self.config.vault_synonyms = groups),
            "vault.functional_keys" => texts(value).map(|keys| self.config.vault_functional_keys = keys),
            "vault.state_words" => groups(value).map(|groups| self.config.vault_state_words = groups),
            _ => Err("write it within [[reviewer]] or [[agent]]"),
        };
        match taken {
            Ok(()) => self.config.set.push(known.name),
            Err(what) => self.complain(key, what),
        }
    }

    fn people(&mut self, kind: &str, entries: Vec<Value>) {
        for (nth, entry) in entries.into_iter().enumerate() {
            let at = format!("{kind}[{nth}]");
            let Value::Table(mut table) = entry else {
                self.complain(&at, format!("write it as [[{kind}]] with name and user"));
                continue;
            };
            let (name, user) = (table.remove("name"), table.remove("user"));
            for key in table.keys() {
                self.unknown(&format!("{kind}.{}", quoted(key)));
            }
            let (Some(Value::String(name)), Some(Value::String(user))) = (name, user) else {
                self.complain(&at, "needs name and user, both texts");
                continue;
            };
            if kind == "reviewer" && !is_login(&name) {
                self.complain(&format!("{at}.name"), "a reviewer's name is made of a-z, 0-9, '.', '_' and '-'");
            } else if kind == "agent" && AgentId::parse(&name).is_err() {
                self.complain(&format!("{at}.name"), "an agent's name is 1 to 32 of a-z, 0-9 and -");
            } else if user.is_empty() {
                self.complain(&format!("{at}.user"), "names no user");
            } else if kind == "reviewer" {
                self.config.reviewers.push(Person { name, user });
                self.config.set.extend(["reviewer.name", "reviewer.user"]);
            } else {
                self.config.agents.push(Person { name, user });
                self.config.set.extend(["agent.name", "agent.user"]);
            }
        }
    }
}

/// Whether a name has a login's shape, `[a-z0-9._-]+`.
pub fn is_login(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-'))
}

fn text(value: Value) -> Result<String, &'static str> {
    match value {
        Value::String(text) if !text.is_empty() => Ok(text),
        _ => Err("must be a text that is not empty"),
    }
}

fn path(value: Value) -> Result<PathBuf, &'static str> {
    let text = text(value)?;
    if Path::new(&text).is_absolute() { Ok(text.into()) } else { Err("must be an absolute path") }
}

fn texts(value: Value) -> Result<Vec<String>, &'static str> {
    let Value::Array(list) = value else { return Err("must be a list of texts") };
    list.into_iter().map(|entry| text(entry).map_err(|_| "must be a list of texts")).collect()
}

fn groups(value: Value) -> Result<Vec<Vec<String>>, &'static str> {
    let Value::Array(list) = value else { return Err("must be a list of lists of texts") };
    list.into_iter().map(|entry| texts(entry).map_err(|_| "must be a list of lists of texts")).collect()
}

fn count(value: &Value) -> Result<u64, &'static str> {
    value
        .as_integer()
        .and_then(|count| u64::try_from(count).ok())
        .filter(|count| *count > 0)
        .ok_or("must be a whole number, 1 or more")
}

fn thousandths(value: &Value) -> Result<u32, &'static str> {
    let number = match value {
        Value::Float(number) => Some(*number),
        Value::Integer(number) => u8::try_from(*number).ok().map(f64::from),
        _ => None,
    };
    // Counted instead of cast: there are a thousand and one of them.
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    number
        .and_then(|number| (0..=1000).find(|thousandth| f64::from(*thousandth) >= number * 1000.0 - 0.5))
        .ok_or("must be a number from 0 to 1, such as 0.6")
}

fn flag(value: &Value) -> Result<bool, &'static str> {
    value.as_bool().ok_or("must be true or false")
}

fn span(value: &Value) -> Result<Span, &'static str> {
    value
        .as_str()
        .and_then(|text| text.parse().ok())
        .filter(|span: &Span| span.seconds() > 0)
        .ok_or("must be a span of time, such as \"30d\" or \"12h\"")
}

fn policy(value: &Value) -> Result<UserInputPolicy, &'static str> {
    match value.as_str() {
        Some("summary") => Ok(UserInputPolicy::Summary),
        Some("masked") => Ok(UserInputPolicy::Masked),
        _ => Err("must be \"summary\" or \"masked\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_configuration_is_read() {
        let config = Config::parse(
            "[tree]\ngroup = \"memory\"\n[policy]\nstore_user_input = \"masked\"\n[[reviewer]]\nname = \"carlo\"\nuser = \"carlo\"\n\
             [[agent]]\nname = \"hermes-carlo\"\nuser = \"hermes\"\n[mask]\nallow = [\"Vento\"]\n[review]\nmax_pending = 5\n\
             [vault]\npath = \"/srv/vault\"\nsynonyms = [[\"läuft auf\", \"Hosting\"]]\n",
        )
        .unwrap();
        assert_eq!(config.max_pending, 5);
        assert_eq!(config.unmasked_names(), ["Vento", "hermes-carlo"]);
        assert_eq!(config.reviewers, [Person { name: "carlo".into(), user: "carlo".into() }]);
        let known: Vec<_> = KEYS.iter().map(|key| key.name).collect();
        assert_eq!(config.values().iter().map(|(key, _)| *key).collect::<Vec<_>>(), known);
    }

    #[test]
    fn the_template_has_no_live_keys_and_its_examples_are_right() {
        let text = template();
        assert_eq!(Config::parse(&text).unwrap(), Config::default());
        let live: Vec<&str> = text.lines().skip(1).map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
        let config = Config::parse(&live.join("\n")).unwrap();
        assert_eq!(config.set.len(), KEYS.len() - 1);
    }

    #[test]
    fn each_problem_names_its_key_and_the_way_out() {
        for (text, said) in [
            ("[review]\nmax_pendin = 5", "review.max_pendin: is no known key; the nearest is review.max_pending"),
            ("[review]\nmax_pending = 0", "review.max_pending: must be a whole number, 1 or more"),
            ("rot = \"/x\"", "rot: is no known key; the nearest is root"),
            ("[vault]\npath = \"x\"", "vault.path: must be an absolute path"),
            ("[policy]\nstore_user_input = \"raw\"", "policy.store_user_input: must be \"summary\" or \"masked\""),
            ("[[reviewer]]\nname = \"Carlo M\"\nuser = \"c\"", "reviewer[0].name: a reviewer's name is made of"),
            ("[[agent]]\nname = \"x\"", "agent[0]: needs name and user"),
            ("\n\nroot = ", "line 3: no valid TOML"),
            ("[retention]\nmax_clock_jump = 60", "retention.max_clock_jump: must be a span of time"),
            ("[retention]\nunconfirmed_blocks = \"0d\"", "retention.unconfirmed_blocks: must be a span of time"),
            ("[retention]\narchived = \"1d\"", "retention.archived: is no known key"),
            ("[extract]\nmin_confidence = 60", "extract.min_confidence: must be a number from 0 to 1"),
            ("[extract]\non_append = 1", "extract.on_append: must be true or false"),
            ("[mask]\nallow = \"Vento\"", "mask.allow: must be a list of texts"),
        ] {
            let problems = Config::parse(text).unwrap_err();
            assert!(problems[0].to_string().starts_with(said), "{}", problems[0]);
        }
    }
}
