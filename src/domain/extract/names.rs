//! Words that rules call by a list's name, and what may stand for a thing, a person or a tool.

use std::ops::Range;

use super::words::Sentence;

/// The words of a list that patterns name with `@`.
pub(super) fn list(name: &str) -> &'static str {
    match name {
        "zustand" => {
            "fertig abgeschlossen erledigt umgesetzt fertiggestellt ausgerollt getestet veroeffentlicht blockiert pausiert \
             eingefroren eingestellt abgenommen freigegeben gemerged gemergt live online offline deployt produktiv \
             betriebsbereit einsatzbereit beendet gestoppt gestrichen verschoben abgeschaltet migriert umgezogen \
             uebergeben aktiv inaktiv eingerichtet freigeschaltet ueberfaellig"
        }
        "state" => {
            "done finished complete completed ready live online offline deployed released merged shipped paused blocked \
             deprecated stable tested fixed cancelled canceled archived postponed launched implemented migrated \
             overdue closed approved"
        }
        "imperative" => {
            "run use go open click set call start stop restart clear check press type connect install delete copy edit \
             create pull push take make export import update build enter select choose add remove log unplug reboot save \
             upload download close enable disable rotate"
        }
        "jetzt" => {
            "jetzt nun endlich inzwischen bereits schon seither aktuell derzeit gerade vorerst momentan komplett"
        }
        "now" => "now already finally currently fully completely officially almost",
        _ => "",
    }
}

/// Words that open a clause of its own behind a comma: a reason, a condition, an objection.
pub(super) const CLAUSE_OPENERS: [&str; 26] = [
    "weil",
    "da",
    "damit",
    "aber",
    "denn",
    "obwohl",
    "falls",
    "wenn",
    "sodass",
    "sonst",
    "because",
    "since",
    "but",
    "so",
    "although",
    "if",
    "unless",
    "which",
    "otherwise",
    "though",
    "when",
    "while",
    "waehrend",
    "nachdem",
    "bevor",
    "das",
];

/// Words that never stand within the name of a thing.
const NO_TOPIC: [&str; 70] = [
    "ich",
    "du",
    "er",
    "wir",
    "ihr",
    "man",
    "mich",
    "mir",
    "uns",
    "euch",
    "sie",
    "es",
    "i",
    "you",
    "he",
    "she",
    "we",
    "they",
    "it",
    "this",
    "that",
    "there",
    "what",
    "who",
    "wer",
    "was",
    "wann",
    "wo",
    "wie",
    "when",
    "where",
    "why",
    "how",
    "alles",
    "nichts",
    "everything",
    "nothing",
    "something",
    "etwas",
    "jemand",
    "niemand",
    "nobody",
    "someone",
    "keiner",
    "keine",
    "kein",
    "no",
    "ist",
    "sind",
    "is",
    "are",
    "dass",
    "ob",
    "if",
    "whether",
    "wenn",
    "sobald",
    "once",
    "und",
    "dies",
    "hier",
    "here",
    "ja",
    "nein",
    "yes",
    "okay",
    "ok",
    "weil",
    "because",
    "also",
];

/// Things of daily life, and of others, that are never meant.
const EVERYDAY: [&str; 54] = [
    "essen",
    "abendessen",
    "mittagessen",
    "fruehstueck",
    "kuchen",
    "kaffee",
    "tee",
    "dinner",
    "lunch",
    "breakfast",
    "food",
    "coffee",
    "cake",
    "road",
    "strasse",
    "bus",
    "zug",
    "train",
    "konzert",
    "concert",
    "film",
    "movie",
    "spiel",
    "game",
    "wetter",
    "weather",
    "waesche",
    "laundry",
    "bad",
    "kueche",
    "kitchen",
    "zeit",
    "time",
    "tap",
    "wasserhahn",
    "leben",
    "life",
    "urlaub",
    "brief",
    "letter",
    "wahrscheinlichkeit",
    "probability",
    "chance",
    "competitor",
    "competitors",
    "konkurrent",
    "konkurrenz",
    "mitbewerber",
    "nachbar",
    "neighbour",
    "neighbor",
    "luft",
    "sky",
    "himmel",
];

/// Articles and possessives, which are no part of a name.
const ARTICLES: [&str; 34] = [
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "the", "a", "an", "our", "my",
    "unser", "unsere", "unseren", "unserem", "unserer", "mein", "meine", "meinen", "your", "dein", "deine", "its",
    "alle", "all", "jede", "jeder", "jedes", "each",
];

/// Names that begin with a capital like any name, and are none.
const NO_WHO: [&str; 40] = [
    "wer", "who", "ich", "du", "er", "sie", "es", "wir", "ihr", "man", "jemand", "niemand", "keiner", "jeder", "i",
    "you", "he", "she", "it", "we", "they", "nobody", "someone", "somebody", "everyone", "no", "das", "this", "that",
    "was", "what", "es", "there", "hier", "heute", "today", "dann", "then", "so", "amt",
];

/// Tools, languages, hosts and services that are known by name.
const KNOWN_TOOLS: &str = "\
    ansible apache asana astro aws azure bash bitwarden bootstrap borg borgbackup bun c# c++ caddy celery clickhouse \
    cloudflare confluence cypress datev debian deno discord django docker drupal elasticsearch elixir eslint excel \
    express fastapi fedora figma firebase flask flutter forgejo gatsby gcp git gitea github gitlab go golang google \
    grafana graphiti graphql hasura helix heroku hetzner hugo influxdb ionos java javascript jenkins jira joomla kafka \
    keycloak kotlin kubernetes laravel lexoffice linear linux loki mailchimp mailgun mariadb markdown mastodon \
    matomo matrix mattermost memcached mongodb mysql n8n neo4j netcup netlify next.js nextcloud nginx nix nixos node \
    node.js notion numpy nuxt obsidian odoo ollama openai opensearch oracle outlook paperless pandas perl php \
    pipedrive playwright podman postfix postgres postgresql postmark poetry powershell prometheus proxmox puppet pytest \
    python qdrant rabbitmq rails react redis restic ruby rust salesforce sap sentry sevdesk shopify signal sinatra slack \
    slim spring sqlite strapi strato stripe supabase svelte sveltekit swift symfony tailscale tailwind telegram \
    terraform todoist traefik trello twilio typescript typo3 ubuntu uv vault vento vercel vim vite vscode vue webpack \
    whatsapp windows wireguard wordpress xero yarn zammad zapier zig zoom zulip";

/// Whether the word is a tool's name that is known.
fn is_known_tool(spelling: &str) -> bool {
    let bare = spelling.split(['-', '/']).next().unwrap_or_default();
    KNOWN_TOOLS.split_whitespace().any(|known| known == spelling || known == bare)
}

/// Capitalised like a product, and none.
const NO_TOOL: [&str; 26] = [
    "englisch",
    "deutsch",
    "franzoesisch",
    "english",
    "german",
    "french",
    "spanish",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "sundays",
    "mondays",
    "gleis",
    "hochtouren",
    "deck",
];

/// Whether words may name a thing: at least one with letters, no pronoun, no thing of daily life.
pub(super) fn is_topic(sentence: &Sentence<'_>, range: &Range<usize>) -> bool {
    let words = sentence.words.get(range.clone()).unwrap_or_default();
    let bare = |word: &str| !ARTICLES.contains(&word);
    let says = words.iter().any(|word| bare(&word.spelling) && word.spelling.contains(char::is_alphabetic));
    let last = words.last().map_or("", |word| word.spelling.as_str());
    says && bare(last)
        && !words.iter().all(|word| word.is_placeholder)
        && !words.iter().any(|word| {
            let word = word.spelling.as_str();
            NO_TOPIC.contains(&word) || EVERYDAY.contains(&word)
        })
}

/// Whether words may name a person or a role: capitalised, or a role behind an article. What was masked is nobody any more.
pub(super) fn is_who(sentence: &Sentence<'_>, range: &Range<usize>) -> bool {
    let words = sentence.words.get(range.clone()).unwrap_or_default();
    let (articles, names): (Vec<_>, Vec<_>) = words.iter().partition(|word| ARTICLES.contains(&word.spelling.as_str()));
    let in_front = words.iter().take(articles.len()).all(|word| ARTICLES.contains(&word.spelling.as_str()));
    let is_english_role = articles.first().is_some_and(|word| matches!(word.spelling.as_str(), "the" | "our"));
    let is_name = |word: &&super::words::Word| {
        (word.has_capital || is_english_role || word.spelling.starts_with("hermes-"))
            && !word.is_placeholder
            && !NO_WHO.contains(&word.spelling.as_str())
    };
    in_front && articles.len() <= 1 && (1..=3).contains(&names.len()) && names.iter().all(is_name)
}

/// Whether words may name a tool: the first is known, looks made up (`n8n`, `FastAPI`), or is capitalised without an article.
pub(super) fn is_tool(sentence: &Sentence<'_>, range: &Range<usize>) -> bool {
    let words = sentence.words.get(range.clone()).unwrap_or_default();
    let Some((first, further)) = words.split_first() else { return false };
    let text = sentence.text.get(first.range.clone()).unwrap_or_default();
    let inner = text.char_indices().any(|(at, c)| at > 0 && c.is_uppercase()) || text.contains(char::is_numeric);
    let named = is_known_tool(&first.spelling) || (inner && first.spelling.contains(char::is_alphabetic));
    let fits = named || (first.has_capital && sentence.spelling(range.end) != "die");
    let goes_on = further.iter().all(|word| {
        word.has_capital
            || word.spelling.starts_with(|c: char| c.is_ascii_digit())
            || is_known_tool(&word.spelling)
            || matches!(word.spelling.as_str(), "und" | "and" | "+")
    });
    fits && goes_on
        && !first.is_placeholder
        && !NO_TOOL.contains(&first.spelling.as_str())
        && !NO_WHO.contains(&first.spelling.as_str())
}

/// Whether a tool is known by its name or looks like one, so that nothing else has to speak for it.
pub(super) fn is_surely_tool(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let inner = first.char_indices().any(|(at, c)| at > 0 && c.is_uppercase())
        || (first.contains(char::is_numeric) && first.contains(char::is_alphabetic));
    is_known_tool(&super::words::spelling(first)) || inner
}

/// A thing's name without the articles in front of it.
pub(super) fn without_articles(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some((first, behind)) = rest.split_once(char::is_whitespace) {
        if !ARTICLES.contains(&super::words::spelling(first).as_str()) {
            break;
        }
        rest = behind.trim_start();
    }
    rest
}
