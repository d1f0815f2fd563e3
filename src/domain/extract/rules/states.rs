//! How things stand in a project: done, live, blocked, so many percent, due.

use super::Rule;
use crate::domain::extract::Subject::State;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "de-stand",
        subject: State,
        key: "status",
        confidence: 0.8,
        patterns: &[
            "<topic> ist|sind|wurde|wurden @jetzt? { @zustand <rest> }",
            "<topic> ist|sind|wurde|wurden @jetzt? { @zustand }",
            "<topic> ist|sind|laeuft @jetzt? { seit <any> @zustand }",
            "<topic> ist|sind|wurde|wurden @jetzt? { auf|fuer|durch|von <any> @zustand }",
            "<topic> ist|sind noch|gerade|aktuell? { in arbeit|entwicklung|pruefung|vorbereitung|umsetzung <rest> }",
            "<topic> ist|sind noch|gerade|aktuell? { in arbeit|entwicklung|pruefung|vorbereitung|umsetzung }",
            "^ <topic> { live|online|offline seit <rest> }",
        ],
        takes: &[
            ("Das Waldseilgarten-CRM ist fertig.", "fertig"),
            ("Vento ist seit dem 12. Mai live.", "seit dem 12. Mai live"),
            ("Buchungssystem live seit 3. März.", "live seit 3. März"),
        ],
        leaves: &[
            "Das CRM ist nicht fertig.",
            "Das Essen ist fertig.",
            "Sobald das CRM fertig ist, melde ich mich.",
            "Das CRM wird wohl im Juni fertig.",
        ],
    },
    Rule {
        name: "de-wartet",
        subject: State,
        key: "blocked_by",
        confidence: 0.8,
        patterns: &["<topic> { wartet|warten @jetzt? auf <rest> }", "<topic> { haengt an|am <rest> }"],
        takes: &[("Vento wartet auf die Telegram-Freigabe.", "wartet auf die Telegram-Freigabe")],
        leaves: &["Wir warten auf den Bus.", "Wartet Vento auf die Freigabe?"],
    },
    Rule {
        name: "prozent",
        subject: State,
        key: "progress",
        confidence: 0.85,
        patterns: &[
            "<topic> ist|sind|steht|stehen|liegt @jetzt? { zu|bei etwa|ca? <n> %|prozent <rest> }",
            "<topic> ist|sind|steht|stehen|liegt @jetzt? { zu|bei etwa|ca? <n> %|prozent }",
            "^ fortschritt|stand <topic> : { <n> %|prozent }",
            "<topic> is|are @now? about|roughly|around? { <n> %|percent done|complete|finished|ready|there }",
        ],
        takes: &[
            ("Das CRM ist zu 90 % fertig.", "zu 90 % fertig"),
            ("The importer is 40 percent done.", "40 percent done"),
            ("Fortschritt Relaunch: 75 %.", "75 %"),
        ],
        leaves: &[
            "Ich bin zu 90 % sicher.",
            "Die Wahrscheinlichkeit liegt bei 90 %.",
            "90 % of users never read the manual.",
        ],
    },
    Rule {
        name: "version",
        subject: State,
        key: "version",
        confidence: 0.75,
        patterns: &[
            "<topic> ist|laeuft|liegt|is|runs @jetzt? { in|auf|bei|at|on version <n> <rest> }",
            "<topic> ist|laeuft|liegt|is|runs @jetzt? { in|auf|bei|at|on version <n> }",
        ],
        takes: &[("Die App läuft jetzt auf Version 3.2.", "auf Version 3.2")],
        leaves: &["Welche Version läuft?", "Die App läuft nicht auf Version 3.2."],
    },
    Rule {
        name: "termin",
        subject: State,
        key: "deadline",
        confidence: 0.75,
        patterns: &[
            "deadline|frist|abgabe|abgabetermin fuer|von <topic> ist|bleibt { <rest> }",
            "deadline for|of <topic> is { <rest> }",
        ],
        takes: &[
            ("Die Deadline für den Prospekt ist der 15. Juni.", "der 15. Juni"),
            ("The deadline for the grant is June 30.", "June 30"),
        ],
        leaves: &["Wann ist die Deadline für den Prospekt?", "Die Deadline ist mir egal."],
    },
    Rule {
        name: "start",
        subject: State,
        key: "launch",
        confidence: 0.7,
        patterns: &["<topic> geht|gehen { am|im|ab <any> live|online }", "<topic> { goes live on|in <rest> }"],
        takes: &[("Das Buchungsportal geht am 1. Oktober live.", "am 1. Oktober live")],
        leaves: &["Das Portal soll am 1. Oktober live gehen.", "Geht das Portal am Montag live?"],
    },
    Rule {
        name: "en-state",
        subject: State,
        key: "status",
        confidence: 0.8,
        patterns: &[
            "<topic> is|are @now? { @state <rest> }",
            "<topic> is|are @now? { @state }",
            "<topic> has|have been? @now? { shipped|launched|landed|finished|released|merged|deployed <rest> }",
            "<topic> has|have been? @now? { shipped|launched|landed|finished|released|merged|deployed }",
            "<topic> { went live <rest> }",
            "<topic> was|were { released|merged|deployed|shipped|launched on|in|to <rest> }",
            "<topic> is|are @now? { on hold <rest> }",
            "<topic> is|are @now? { on hold }",
            "<topic> is|are @now? { in progress|review|testing|production|staging }",
        ],
        takes: &[
            ("The migration is finished.", "finished"),
            ("Version 1.8 of the CLI has shipped.", "shipped"),
            ("The redesign is in progress.", "in progress"),
        ],
        leaves: &[
            "The importer is not finished.",
            "If the importer is finished, ping me.",
            "I'm done with this nonsense.",
            "Dinner is done.",
            "I think the importer is done.",
        ],
    },
    Rule {
        name: "en-blocked",
        subject: State,
        key: "blocked_by",
        confidence: 0.85,
        patterns: &["<topic> is|are @now? { blocked by|on <rest> }", "<topic> is|are @now? { waiting for|on <rest> }"],
        takes: &[("Vento is blocked by the API review.", "blocked by the API review")],
        leaves: &["The road is blocked by snow.", "Is the release blocked by anything?", "We are waiting for the bus."],
    },
];
