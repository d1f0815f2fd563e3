//! Keys and entities, chosen so that the same thing said again with another value lands in the same place.
//!
//! A preference has the key of its topic: "compact tables" and "wide tables" are both `table_style`. Where no topic is
//! known, the key is made of the word that stands for the thing, never of the whole value.

use super::Subject;
use super::words::spelling;
use crate::domain::block::Category;
use crate::domain::block::fold_entity;

/// Topics: the key, the category, and the beginnings of the words that stand for it. The first that fits is taken.
const TOPICS: &[(&str, Category, &str)] = &[
    ("commit_style", Category::Workflow, "commit squash"),
    ("table_style", Category::Formatting, "tabelle table spalte column"),
    ("comment_style", Category::Formatting, "kommentar kommentier comment"),
    ("date_format", Category::Formatting, "datum date iso-datum iso-format datumsangabe"),
    ("time_format", Category::Formatting, "uhrzeit 24-hour 12-hour 24-stunden times"),
    ("units", Category::Formatting, "einheit unit metri imperial zoll"),
    ("language", Category::Formatting, "deutsch englisch english german spelling sprache language british french"),
    ("emoji", Category::Formatting, "emoji smiley"),
    ("punctuation", Category::Formatting, "ausrufezeichen exclamation fussnote footnote semikolon"),
    ("list_style", Category::Formatting, "stichpunkt bullet liste list aufzaehlung"),
    ("indentation", Category::Formatting, "tabs spaces einrueckung indent"),
    ("address_form", Category::Formatting, "duzen siezen anrede"),
    ("sources", Category::Formatting, "quelle source beleg citation"),
    ("examples", Category::Formatting, "beispiel example"),
    ("tone", Category::Formatting, "smalltalk jargon floskel tonfall tone"),
    ("file_format", Category::Formatting, "pdf markdown html csv docx excel"),
    (
        "answer_style",
        Category::Formatting,
        "antwort answer knapp kurz short brief concise ausfuehrlich detailed einleitung",
    ),
    ("theme", Category::TechStack, "dark light helle dunkle theme design darkmode farbschema"),
    ("editor", Category::TechStack, "editor vim emacs helix vscode lieblingseditor"),
    ("shell", Category::TechStack, "shell bash zsh fish terminal"),
    ("meetings", Category::Workflow, "termin meeting besprechung vormittag morning calendar kalender"),
    ("contact_channel", Category::Workflow, "telefon anruf phone call mail nachricht message slack"),
    ("notifications", Category::Workflow, "benachrichtigung notification push-nachricht"),
    ("deployments", Category::Workflow, "deploy release"),
    ("testing", Category::Workflow, "test"),
    ("planning", Category::Workflow, "plan woche week"),
    ("working_time", Category::Workflow, "arbeitszeit office homeoffice remote"),
];

/// Topics of decisions and tools: the key, and the beginnings of words.
const MATTERS: &[(&str, &str)] = &[
    ("database", "datenbank database postgres mysql mariadb sqlite mongodb oracle"),
    ("cache", "cache redis memcached"),
    ("hosting", "hosting hetzner netcup aws heroku vercel strato ionos cloud server"),
    ("web_server", "nginx caddy apache traefik webserver"),
    ("language", "rust python golang typescript javascript java kotlin programmiersprache"),
    ("frontend", "frontend react vue svelte angular tailwind bootstrap"),
    ("mobile", "flutter mobile app"),
    ("payments", "payment zahlung stripe paypal"),
    ("ci", "actions jenkins ci"),
    ("containers", "docker podman kubernetes container"),
    ("monitoring", "monitoring grafana prometheus dashboard"),
    ("error_tracking", "sentry error fehlererfassung"),
    ("backup", "backup sicherung borg restic"),
    ("issue_tracking", "issue ticket linear jira"),
    ("automation", "automat n8n zapier"),
    ("licence", "licen lizenz mit-lizenz"),
    ("channel", "whatsapp telegram signal kanal channel sms"),
    ("newsletter", "newsletter mailing"),
    ("repository", "monorepo repository repo"),
    ("releases", "release sprint auslieferung"),
    ("pricing", "preis price gebuehr fee rabatt"),
    ("approval", "freigabe approval"),
    ("infrastructure", "infrastruct terraform ansible"),
];

/// Words that say nothing about what a text is about.
const EMPTY: &str = " der die das den dem des ein eine einen einem einer kein keine keinen the a an no of in im auf mit ohne als \
    for fuer to zu zum zur und and or oder immer nie never always stets grundsaetzlich only nur bitte please use don't \
    hasse hate like mag more better lieber besser than als statt over instead ich i me mir mich my mein meine meinen will want \
    on at bei by from von aus that dass is ist wird werden be es it not nicht gern gerne haben hab kann leiden at ";

/// The word that a text is about, in the spelling of keys: the first noun of German, the last of English that says something.
fn head(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')'))
        .filter(|word| !word.starts_with('['))
        .collect();
    let says = |word: &&&str| !word.is_empty() && !EMPTY.contains(&format!(" {} ", spelling(word)));
    let noun =
        words.iter().enumerate().filter(|(at, word)| *at > 0 || words.len() == 1 || word.contains(char::is_uppercase));
    let noun = noun.map(|(_, word)| word).filter(says).find(|word| word.starts_with(char::is_uppercase));
    let word = noun.or_else(|| words.iter().find(says)).copied().unwrap_or_default();
    fold_entity(word).chars().take(40).collect::<String>().replace('-', "_")
}

fn topic_of(words: &str) -> Option<(&'static str, Category)> {
    let fits = |stems: &str, word: &str| stems.split_whitespace().any(|stem| word.starts_with(stem));
    let words: Vec<&str> = words.split_whitespace().collect();
    TOPICS.iter().find(|(_, _, stems)| words.iter().any(|word| fits(stems, word))).map(|(key, of, _)| (*key, *of))
}

fn matter_of(words: &str) -> Option<&'static str> {
    let words: Vec<&str> = words.split(|c: char| c.is_whitespace() || c == '-').collect();
    let fits =
        |stem: &str| words.iter().any(|word| if stem.len() < 4 { *word == stem } else { word.starts_with(stem) });
    MATTERS.iter().find(|(_, stems)| stems.split_whitespace().any(fits)).map(|(key, _)| *key)
}

/// Category and key of what a rule found. `fixed`: the rule's own key.
pub(super) fn category_and_key(
    subject: Subject,
    fixed: &str,
    value: &str,
    topic: &str,
    whole: &str,
) -> (Category, String) {
    let plain = |text: &str| {
        spelling(text)
            .replace(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '+' | '#' | '.')), " ")
            .replace(". ", " ")
    };
    let named =
        |prefix: &str, rest: String| if rest.is_empty() { prefix.to_owned() } else { format!("{prefix}_{rest}") };
    match subject {
        Subject::Preference => match topic_of(&plain(value)).or_else(|| topic_of(&plain(whole))) {
            Some((key, category)) => (category, key.to_owned()),
            None => (Category::Workflow, named("preference", head(value))),
        },
        Subject::Decision => {
            let key = matter_of(&plain(value)).map_or_else(|| head(value), str::to_owned);
            (Category::Project, named("decision", key))
        }
        Subject::State => (Category::Project, fixed.to_owned()),
        Subject::Tool if !fixed.is_empty() => {
            let key = if fixed == "tool" {
                matter_of(&plain(value)).map_or_else(|| named("tool", head(value)), str::to_owned)
            } else {
                fixed.to_owned()
            };
            (Category::TechStack, key)
        }
        Subject::Tool => {
            (Category::TechStack, matter_of(&plain(topic)).map_or_else(|| named("tool", head(topic)), str::to_owned))
        }
        Subject::Person => (Category::Contact, fixed.to_owned()),
        Subject::Step => (Category::Workflow, named("howto", head(if topic.is_empty() { whole } else { topic }))),
        Subject::Lesson => (Category::Skill, named("lesson", head(value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_preference_has_the_same_key_whatever_its_value() {
        for (one, other, key) in [
            ("kompakte Tabellen", "breite Tabellen mit Rahmen", "table_style"),
            ("immer auf Deutsch antworten", "Antworten bitte immer auf Englisch", "language"),
            ("tabs", "use spaces than tabs", "indentation"),
            ("grünen Tee", "schwarzen Tee", "preference_tee"),
        ] {
            for value in [one, other] {
                let (_, found) = category_and_key(Subject::Preference, "", value, "", value);
                assert_eq!(found, key, "{value}");
            }
        }
        let decision = |value| category_and_key(Subject::Decision, "", value, "", value).1;
        assert_eq!(decision("SQLite zu nehmen"), decision("to use Postgres"));
    }
}
