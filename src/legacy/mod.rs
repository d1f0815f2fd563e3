//! Memories that other programs kept: bytes from outside into entries, each with its place, and into what couldn't be read.
//!
//! The form is told from the content. Nothing is masked, judged or kept here; that is `app/migrate`'s.

mod json;
mod text;

use std::borrow::Cow;

use crate::domain::json::strip_bom;
use crate::domain::time::Timestamp;

/// One memory as it was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands, such as `line 3`.
    pub place: String,
    /// Its key, where it has one.
    pub key: Option<String>,
    /// What it says.
    pub value: String,
    /// When it was last said.
    pub at: Option<Timestamp>,
    /// When it stopped to count.
    pub expires: Option<Timestamp>,
    /// Its tags, categories and kinds.
    pub tags: Vec<String>,
    /// Whom or what it names as being about.
    pub entities: Vec<String>,
    /// It links two things.
    pub is_relation: bool,
}

/// A part that is no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Where it stands.
    pub place: String,
    /// Why it is none; never what stands there.
    pub why: &'static str,
}

/// Where entries go as they are read, and what could not be read, in their order.
pub type Take<'a> = dyn FnMut(Result<Entry, Unread>) + 'a;

/// Entries on their way out.
struct Legacy<'a>(&'a mut Take<'a>);

impl Legacy<'_> {
    fn unread(&mut self, place: &str, why: &'static str) {
        (self.0)(Err(Unread { place: place.to_owned(), why }));
    }

    /// Hands an entry on, unless it says nothing.
    fn push(&mut self, entry: Entry) {
        if entry.value.trim().is_empty() {
            self.unread(&entry.place, "it is empty");
        } else if entry.value.trim_start().starts_with("[BLOCKED:") {
            self.unread(&entry.place, "the program that kept it had blocked it");
        } else {
            (self.0)(Ok(Entry { value: entry.value.trim().to_owned(), ..entry }));
        }
    }
}

/// Why a file is none of the forms that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// An SQLite database.
    #[error("it is an SQLite database, which is not read: export its table as CSV")]
    Sqlite,
    /// A zip archive.
    #[error("it is a zip archive, which is not read: unpack it and name the files in it")]
    Zip,
    /// Anything else.
    #[error("no known form of memories was found in it")]
    Other,
}

/// A file of a form that is known.
pub struct Readable<'a> {
    name: &'a str,
    text: Cow<'a, str>,
    form: Form,
}

/// The forms, as their readers know them.
enum Form {
    Empty,
    Json(json::Form),
    Text(text::Form),
}

/// Tells a file's form from its content. `name` tells a daily note's day.
///
/// # Errors
/// When it is no form that is known.
pub fn open<'a>(name: &'a str, bytes: &'a [u8]) -> Result<Readable<'a>, Unknown> {
    if bytes.starts_with(b"SQLite format 3\0") {
        return Err(Unknown::Sqlite);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Err(Unknown::Zip);
    }
    let mut text = decode(strip_bom(bytes));
    if text.contains("\r\n") {
        text = text.replace("\r\n", "\n").into();
    }
    let is_json = |c: char| matches!(c, '{' | '[' | '"');
    let form = match text.trim_start().chars().next() {
        None => Some(Form::Empty),
        Some(c) => {
            let json = if is_json(c) { json::form(&text) } else { None };
            json.map(Form::Json).or_else(|| text::form(&text).map(Form::Text))
        }
    };
    Ok(Readable { name, form: form.ok_or(Unknown::Other)?, text })
}

impl Readable<'_> {
    /// The form's name.
    pub const fn form(&self) -> &'static str {
        match &self.form {
            Form::Empty => "empty",
            Form::Json(form) => form.name(),
            Form::Text(form) => form.name(),
        }
    }

    /// Hands on what is in it.
    pub fn each(self, take: &mut Take<'_>) {
        let mut hand_on = |found| take(found);
        let mut legacy = Legacy(&mut hand_on);
        match self.form {
            Form::Empty => {}
            Form::Json(form) => json::read(form, &self.text, &mut legacy),
            Form::Text(form) => text::read(&form, self.name, &self.text, &mut legacy),
        }
    }
}

/// UTF-8, or else Windows-1252, in which every byte means something.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes)
        .map_or_else(|_| encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0, Cow::Borrowed)
}

/// A time as programs write them: with a zone, without one (then UTC), a day alone, or seconds or milliseconds since 1970.
fn time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = Timestamp::parse(text) {
        return Some(at);
    }
    let zoned = format!("{}Z", text.replacen(' ', "T", 1));
    if let Ok(at) = Timestamp::parse(&zoned) {
        return Some(at);
    }
    if let Ok(at) = Timestamp::parse(&format!("{text}T00:00:00Z")) {
        return Some(at);
    }
    let whole = text.split('.').next().unwrap_or(text);
    let seconds: i64 = whole.parse().ok()?;
    match seconds {
        100_000_000..100_000_000_000 => Timestamp::from_unix(seconds),
        100_000_000_000.. => Timestamp::from_unix(seconds / 1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq)]
    struct Held {
        entries: Vec<Entry>,
        unread: Vec<Unread>,
    }

    fn read(name: &str, bytes: &[u8]) -> Result<Held, Unknown> {
        let mut held = Held::default();
        open(name, bytes)?.each(&mut |found| match found {
            Ok(entry) => held.entries.push(entry),
            Err(unread) => held.unread.push(unread),
        });
        Ok(held)
    }

    fn values(name: &str, bytes: &[u8]) -> Vec<(Option<String>, String)> {
        read(name, bytes).unwrap().entries.into_iter().map(|entry| (entry.key, entry.value)).collect()
    }

    fn said(name: &str, text: &str) -> Vec<String> {
        values(name, text.as_bytes()).into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn entries_of_the_decision_record_are_read_in_every_spelling() {
        let text =
            "\u{feff}memory: \"Mag Tabellen\"\r\nmemory: ohne Zeichen\r\n# nichts\r\nmemory = \"a: \\\"b\\\"\"\r\n";
        assert_eq!(said("m.txt", text), ["Mag Tabellen", "ohne Zeichen", "a: \"b\""]);
        assert_eq!(values("m.txt", b"memory: \"Gr\xfc\xdfe\"\n"), [(None, "Grüße".to_owned())]);
        let yaml = "memory: 'CRM l\u{e4}uft'\ntags: [project_state, crm]\n---\nmemory: |\n  Erst Staging,\n  dann live.\n---\nmemory: \"\"\n";
        let read = read("m.yaml", yaml.as_bytes()).unwrap();
        assert_eq!(read.entries[0].tags, ["project_state", "crm"]);
        assert_eq!(read.entries[1].value, "Erst Staging,\ndann live.");
        assert_eq!(read.unread, [Unread { place: "document 3".to_owned(), why: "it is empty" }]);
    }

    #[test]
    fn no_key_that_stands_twice_swallows_another() {
        let read =
            values("a.json", br#"{"editor": "vim", "editor": "neovim", "n": {"zone": "Berlin"}, "tags": ["a", "b"]}"#);
        let read: Vec<_> = read.iter().map(|(key, value)| (key.as_deref().unwrap(), value.as_str())).collect();
        assert_eq!(read, [("editor", "vim"), ("editor", "neovim"), ("n.zone", "Berlin"), ("tags", "a, b")]);
    }

    #[test]
    fn a_bad_line_costs_that_line_alone() {
        let text = "{\"key\":\"a\",\"value\":\"1\",\"updated_at\":\"2026-05-02\"}\nnot json\n{\"memory\":\"b\",\"timestamp\":1780497000}\n{\"mem";
        let read = read("l.jsonl", text.as_bytes()).unwrap();
        assert_eq!(read.entries.len(), 2);
        assert_eq!(read.entries[0].at.unwrap().to_string(), "2026-05-02T00:00:00Z");
        assert_eq!(read.entries[1].at.unwrap().unix(), 1_780_497_000);
        assert_eq!(read.unread.iter().map(|unread| unread.place.as_str()).collect::<Vec<_>>(), ["line 2", "line 4"]);
    }

    #[test]
    fn tables_and_variables_are_pairs() {
        let csv = "key,value,created\nstyle,\"compact, wide\",2026-05-02\ngreeting,\"eins\nzwei\",2026-05-03\n";
        assert_eq!(said("p.csv", csv), ["compact, wide", "eins\nzwei"]);
        let env = "# hand\nstyle=compact\nEDITOR=\"neovim\"\nexport LANGUAGE='de'\nEMPTY=\n";
        let read = read("p.env", env.as_bytes()).unwrap();
        assert_eq!(
            read.entries.iter().map(|entry| entry.value.as_str()).collect::<Vec<_>>(),
            ["compact", "neovim", "de"]
        );
        assert_eq!(read.unread[0].place, "line 5");
    }

    #[test]
    fn a_separator_parts_entries_only_on_a_line_of_its_own_outside_of_code() {
        let text = "Das § trennt nicht\n § \nBeispiel:\n```\n§\n```\nEnde";
        assert_eq!(said("MEMORY.md", text), ["Das § trennt nicht", "Beispiel:\n```\n§\n```\nEnde"]);
    }

    #[test]
    fn notes_keep_their_day_their_kinds_and_their_links() {
        let day =
            read("memory/2026-05-20.md", "# 2026-05-20\n- 10:15 Deploy verschoben\n- [ ] Telegram prüfen\n".as_bytes());
        let day = day.unwrap();
        assert_eq!(day.entries[0].at.unwrap().to_string(), "2026-05-20T00:00:00Z");
        assert_eq!(
            (day.entries[1].value.as_str(), day.entries[1].tags.as_slice()),
            ("Telegram prüfen", &["todo".to_owned()][..])
        );
        let note =
            "---\ntitle: Vento\n---\n- [status] 90% fertig #vento (Stand März)\n- relates_to [[Waldseilgarten CRM]]\n";
        let note = read("vento.md", note.as_bytes()).unwrap();
        assert_eq!(
            (note.entries[0].tags.as_slice(), note.entries[0].entities.as_slice()),
            (&["status".to_owned(), "vento".to_owned()][..], &["Vento".to_owned()][..])
        );
        assert!(note.entries[1].is_relation);
        assert_eq!(note.entries[1].entities, ["Vento", "Waldseilgarten CRM"]);
    }

    #[test]
    fn graphs_lists_and_agents_are_read_by_their_shape() {
        let graph = concat!(
            r#"{"type":"entity","name":"Vento","entityType":"project","observations":["90% fertig",{"text":"live"}]}"#,
            "\n",
            r#"{"type":"relation","from":"Flo","to":"Vento","relationType":"arbeitet an"}"#,
            "\n",
            r#"{"type":"entity","name":"A","observations":[]}"#,
            "\n"
        );
        assert_eq!(said("g.jsonl", graph), ["90% fertig", "live", "Flo arbeitet an Vento"]);
        let list = r#"{"results":[{"id":"1","memory":"Mag Dunkles","categories":["preferences"]},{"data":"Nutzt FastAPI"}],"next":null}"#;
        assert_eq!(said("e.json", list), ["Mag Dunkles", "Nutzt FastAPI"]);
        let agent = r#"{"agents":[],"blocks":[{"label":"human","value":"Flo"},{"label":"human","value":"Zweiter"},{"label":"persona","value":""}]}"#;
        let twice = serde_json::to_string(agent).unwrap();
        for text in [agent, twice.as_str()] {
            assert_eq!(values("a.af", text.as_bytes()), [(None, "Flo".to_owned()), (None, "Zweiter".to_owned())]);
        }
    }

    #[test]
    fn what_is_no_memory_is_not_taken_for_one() {
        assert_eq!(read("a", b"SQLite format 3\0..."), Err(Unknown::Sqlite));
        assert_eq!(read("a", b"PK\x03\x04"), Err(Unknown::Zip));
        assert_eq!(read("a", b"just some words"), Err(Unknown::Other));
        assert_eq!(read("a", b"").unwrap(), Held::default());
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_fail(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            drop(read("x.md", &bytes));
        }
    }
}
