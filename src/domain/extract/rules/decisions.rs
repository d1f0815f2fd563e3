//! Decisions of "us": the team, the household, the project. What others decide is news, and left.

use super::Rule;
use crate::domain::extract::Subject::Decision;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "de-entschieden",
        subject: Decision,
        key: "",
        confidence: 0.9,
        patterns: &[
            "wir haben heute|gestern|gemeinsam|jetzt|nun|also? entschieden|beschlossen|festgelegt|vereinbart ,? dass? { <rest> }",
            "haben wir gemeinsam|jetzt|nun? entschieden|beschlossen|festgelegt|vereinbart ,? dass? { <rest> }",
            "wir haben uns heute|gestern|jetzt|nun? { fuer|gegen <any> entschieden }",
            "haben wir uns { fuer|gegen <any> entschieden }",
            "wir haben uns darauf? geeinigt|verstaendigt ,? dass? { <rest> }",
            "wir haben uns auf { <any> } geeinigt|verstaendigt",
            "es wurde entschieden|beschlossen|vereinbart ,? dass? { <rest> }",
            "^ entscheidung|beschluss|beschlossen|entschieden|vereinbart|vereinbarung : { <rest> }",
            "^ { <any> } , das|so ist|wurde beschlossen|entschieden",
            "die wahl|entscheidung fiel|faellt auf { <rest> }",
            "wir { setzen auf <rest> }",
        ],
        takes: &[
            ("Wir haben entschieden, SQLite zu nehmen.", "SQLite zu nehmen"),
            ("Wir haben uns gegen Docker entschieden.", "gegen Docker entschieden"),
            ("Entscheidung: WhatsApp wird der erste Kanal.", "WhatsApp wird der erste Kanal"),
            ("Wir haben uns darauf geeinigt, die Preise nicht zu ändern.", "die Preise nicht zu ändern"),
        ],
        leaves: &[
            "Wir haben noch nicht entschieden, ob wir SQLite nehmen.",
            "Wer hat das entschieden?",
            "Er hat sich für das rote Auto entschieden.",
            "Die Entscheidung steht noch aus.",
        ],
    },
    Rule {
        name: "de-nehmen-statt",
        subject: Decision,
        key: "",
        confidence: 0.75,
        patterns: &["wir nehmen|verwenden|nutzen { <any> statt|anstelle|anstatt <rest> }", "es bleibt bei { <rest> }"],
        takes: &[
            ("Wir nehmen Caddy statt nginx.", "Caddy statt nginx"),
            ("Es bleibt bei GitHub Actions.", "GitHub Actions"),
        ],
        leaves: &["Wir nehmen den Bus um acht.", "Eventuell nehmen wir Caddy statt nginx."],
    },
    Rule {
        name: "en-decided",
        subject: Decision,
        key: "",
        confidence: 0.9,
        patterns: &[
            "we|we've|team have|has|finally|just|jointly? decided|agreed|opted|chose { to|on|against|for|that <rest> }",
            "we|we've have? settled on { <rest> }",
            "we|we've have|finally? chose|chosen|picked|selected { <rest> }",
            "it was decided|agreed { to|that <rest> }",
            "^ decision|decided|agreed : { <rest> }",
        ],
        takes: &[
            ("We decided to move to Hetzner.", "to move to Hetzner"),
            ("We chose Tailwind over Bootstrap.", "Tailwind over Bootstrap"),
            ("It was decided to drop Signal support.", "to drop Signal support"),
        ],
        leaves: &[
            "We haven't decided on a hosting provider yet.",
            "We have to decide whether to use Postgres.",
            "The court decided to dismiss the case.",
            "I wish we had chosen Tailwind.",
        ],
    },
    Rule {
        name: "en-go-with",
        subject: Decision,
        key: "",
        confidence: 0.85,
        patterns: &["we'll|we will? go|stick|stay with { <rest> }", "we're|we are? going|sticking with { <rest> }"],
        takes: &[("We'll go with Postgres.", "Postgres")],
        leaves: &[
            "We could go with Postgres.",
            "Should we go with Postgres?",
            "If we go with Stripe, the fees will rise.",
        ],
    },
];
