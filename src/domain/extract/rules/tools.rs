//! Tools and stack: what something is built with, runs on, or is used for.

use super::Rule;
use crate::domain::extract::Subject::Tool;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "de-nutzen-fuer",
        subject: Tool,
        key: "",
        confidence: 0.8,
        patterns: &[
            "wir nutzen|verwenden|benutzen @jetzt? { <tool> } fuer|als|zum|zur <topic>",
            "wir setzen @jetzt? { <tool> } fuer|als|zum|zur <topic> ein",
            "wir setzen @jetzt? fuer|als|zum|zur <topic> { <tool> } ein",
            "fuer|als|zum|zur <topic> nutzen|verwenden|benutzen wir { <tool> }",
            "fuer|als|zum|zur <topic> setzen wir { <tool> } ein",
            "fuer|als|zum|zur <topic> kommt { <tool> } zum einsatz",
        ],
        takes: &[("Als Cache nutzen wir Redis.", "Redis"), ("Wir setzen Prometheus zum Monitoring ein.", "Prometheus")],
        leaves: &["Wir könnten Redis als Cache nutzen.", "Nutzt ihr Redis?", "Nutzen wir die Gelegenheit."],
    },
    Rule {
        name: "de-nutzen",
        subject: Tool,
        key: "tool",
        confidence: 0.7,
        patterns: &["wir nutzen|verwenden|benutzen @jetzt? { <tool> } $", "wir arbeiten mit { <tool> } $"],
        takes: &[("Wir verwenden Nextcloud.", "Nextcloud")],
        leaves: &["Wir benutzen kein Docker.", "Der Nachbar nutzt Windows."],
    },
    Rule {
        name: "de-laeuft-auf",
        subject: Tool,
        key: "hosting",
        confidence: 0.8,
        patterns: &[
            "<topic> laeuft|laufen|liegt|liegen @jetzt? bei|auf|in|unter|mit { <tool> }",
            "<topic> wird|werden bei|auf { <tool> } gehostet|betrieben",
            "<topic> wird|werden bei|auf { <tool> } gehostet",
        ],
        takes: &[("Die Website läuft bei Hetzner.", "Hetzner"), ("Unsere Notizen liegen in Obsidian.", "Obsidian")],
        leaves: &["Früher lief die Website bei Strato.", "Der Zug läuft auf Gleis 3 ein.", "Die Zeit läuft."],
    },
    Rule {
        name: "de-gebaut-mit",
        subject: Tool,
        key: "built_with",
        confidence: 0.85,
        patterns: &[
            "<topic> ist|sind|wurde|wurden mit|in|auf { <tool> } gebaut|geschrieben|entwickelt|umgesetzt|programmiert|erstellt",
            "<topic> basiert|basieren auf { <tool> }",
        ],
        takes: &[("Das Frontend ist in TypeScript geschrieben.", "TypeScript")],
        leaves: &["Die Rechnung ist in Englisch geschrieben.", "Ist das Frontend in Vue gebaut?"],
    },
    Rule {
        name: "de-ist",
        subject: Tool,
        key: "",
        confidence: 0.7,
        patterns: &["die|unsere|der|unser|das <topic> ist|bleibt { <tool> } $"],
        takes: &[("Die Datenbank ist MariaDB.", "MariaDB")],
        leaves: &["Die Hauptstadt ist Wien.", "Die Antwort ist Nein."],
    },
    Rule {
        name: "en-use-for",
        subject: Tool,
        key: "",
        confidence: 0.8,
        patterns: &["we|i use|run { <tool> } for|as <topic>", "for|as <topic> ,? we use { <tool> }"],
        takes: &[("We use Linear for issue tracking.", "Linear")],
        leaves: &[
            "We should use Terraform for this.",
            "We use the stairs for fitness.",
            "We don't use Grafana for dashboards.",
        ],
    },
    Rule {
        name: "en-use",
        subject: Tool,
        key: "tool",
        confidence: 0.7,
        patterns: &["we @now? use { <tool> } $"],
        takes: &[("We use Nextcloud.", "Nextcloud")],
        leaves: &["Competitors use SAP.", "We no longer use Jenkins.", "Maybe we use Kafka someday."],
    },
    Rule {
        name: "en-runs-on",
        subject: Tool,
        key: "hosting",
        confidence: 0.8,
        patterns: &[
            "<topic> runs|run @now? on|in|at|with|under? { <tool> }",
            "<topic> is|are @now? hosted at|on|by|with { <tool> }",
        ],
        takes: &[("The CRM runs on Postgres 16.", "Postgres 16"), ("The server runs Ubuntu 24.04.", "Ubuntu 24.04")],
        leaves: &["The tap runs on Sundays.", "Does the CRM run on Postgres?"],
    },
    Rule {
        name: "en-built-with",
        subject: Tool,
        key: "built_with",
        confidence: 0.85,
        patterns: &["<topic> is|are|was|were @now? built|written|implemented|managed|coded|made with|in|on { <tool> }"],
        takes: &[("The API is built with FastAPI.", "FastAPI")],
        leaves: &["The letter is written in French.", "Our competitor is built on Django, they say."],
    },
];
