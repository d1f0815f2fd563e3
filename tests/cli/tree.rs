//! What a test looks at besides an answer: the tree's files, the audit log, and a vault beside the tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::world::{Ran, World};

/// Files by their path relative to a folder, with their contents.
pub(crate) type Files = Vec<(PathBuf, Vec<u8>)>;

/// The page that both documents' scenarios are about, as it was before anybody spoke of Telegram.
pub(crate) const VENTO_PAGE: &str = "---\nprojekt: Vento\n---\n# LP-VENTO\n\n## Status\n\n90% fertig, nicht live (Stand 2026-03-31)\n\n\
                                     ## Technik\n\n- FastAPI, n8n\n- WhatsApp Business API\n";
/// Where that page lies in the vault.
pub(crate) const PAGE: &str = "03-Projekte/LP-VENTO.md";

impl World {
    /// The answer of a command that has to succeed, as JSON.
    #[track_caller]
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        self.run(&[args, &["--json"]].concat()).exits(0).json()
    }

    /// The error object of a command that has to end so.
    #[track_caller]
    pub(crate) fn error(&self, args: &[&str], code: i32) -> Value {
        self.run(&[args, &["--json"]].concat()).exits(code).error()
    }

    /// Appends a turn as Carlo's agent, with further arguments.
    pub(crate) fn try_append(&self, args: &[&str], turn: &Value) -> Ran {
        self.run_with(&[&["session", "append", "--agent", "carlo", "--json"], args].concat(), turn.to_string())
    }

    /// Files a review as Carlo's agent, with further arguments, and answers its id.
    #[track_caller]
    pub(crate) fn propose(&self, fact: &str, args: &[&str]) -> String {
        let answer = self.json(&[&["review", "create", "--agent", "carlo", "--fact", fact], args].concat());
        assert_eq!(answer["outcome"], "created", "{answer}");
        answer["review_id"].as_str().unwrap().to_owned()
    }

    /// The sessions and reviews of the tree: all but the audit log and what only writers use.
    pub(crate) fn records(&self) -> Files {
        let mut files = self.files("memory");
        files.retain(|(path, _)| path.starts_with("sessions") || path.starts_with("review-queue"));
        files
    }

    /// The names of the files in a folder of the tree.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root().join(folder)).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| !entry.file_type().unwrap().is_dir());
        let mut names: Vec<_> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A JSON file of the tree.
    #[track_caller]
    pub(crate) fn read(&self, path: &str) -> Value {
        let bytes = fs::read(self.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The review file of an id, on whichever shelf it lies.
    #[track_caller]
    pub(crate) fn review(&self, id: &str) -> Value {
        let archived = format!("review-queue/archived/{id}.json");
        if self.root().join(&archived).exists() {
            self.read(&archived)
        } else {
            self.read(&format!("review-queue/{id}.json"))
        }
    }

    /// The audit log, oldest entry first.
    pub(crate) fn audit(&self) -> Vec<Value> {
        self.json(&["audit", "show"])["entries"].as_array().unwrap().clone()
    }

    /// Writes the tree's configuration.
    pub(crate) fn configure(&self, toml: &str) {
        self.write("memory/config.toml", toml);
    }

    /// Makes a vault with the Vento page and names it in the configuration, which gets `more` besides.
    pub(crate) fn with_vault(&self, more: &str) -> PathBuf {
        let vault = self.dir().join("vault");
        self.write(Path::new("vault").join(PAGE), VENTO_PAGE);
        self.write("vault/.obsidian/app.json", "{}");
        self.configure(&format!("[vault]\npath = {}\n[mask]\nallow = [\"Vento\"]\n{more}", json!(vault)));
        vault
    }
}

/// One file or folder as a change to it would show: name, size, time of the last change, contents.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    path: PathBuf,
    size: u64,
    modified: SystemTime,
    contents: Option<Vec<u8>>,
}

/// The marks of a folder and all below it.
pub(crate) fn marks(folder: &Path) -> Vec<Mark> {
    let mut marks: Vec<_> = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(|entry| {
            let path = entry.unwrap().into_path();
            let seen = path.symlink_metadata().unwrap();
            let contents = seen.is_file().then(|| fs::read(&path).unwrap());
            Mark { size: seen.len(), modified: seen.modified().unwrap(), contents, path }
        })
        .collect();
    marks.sort();
    marks
}

/// The keys of an object, in its order.
pub(crate) fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Every text anywhere in a value.
pub(crate) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().flat_map(texts).collect(),
        Value::Object(map) => map.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
