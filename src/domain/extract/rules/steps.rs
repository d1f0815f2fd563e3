//! How something is done, and what was learned. Only what reads like steps counts: an infinitive, "must", an imperative.

use super::Rule;
use crate::domain::extract::Subject::{Lesson, Step};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "de-um-zu",
        subject: Step,
        key: "",
        confidence: 0.75,
        patterns: &[
            "^ um <topic> zu <any> , { <rest> }",
            "^ zum|zur|fuers <topic> { muss|musst man|du <rest> }",
            "^ { vor|nach jedem|jeder|dem|der|einem|einer <topic> erst|zuerst|immer <rest> }",
            "^ { vor|nach jedem|jeder|dem|der|einem|einer <topic> den|die|das <rest> }",
            "^ { vor|nach jedem|jeder|dem|der|einem|einer <topic> muss man|du <rest> }",
        ],
        takes: &[
            ("Um ein Release zu bauen, make release ausführen.", "make release ausführen"),
            ("Nach dem Import den Index neu bauen.", "Nach dem Import den Index neu bauen"),
        ],
        leaves: &["Um ehrlich zu sein, war das Wetter schlecht.", "Nach dem Essen gehen wir spazieren."],
    },
    Rule {
        name: "de-ablauf",
        subject: Step,
        key: "",
        confidence: 0.85,
        patterns: &[
            "^ so geht|laeuft <topic> : { <rest> }",
            "<topic> geht|laeuft so : { <rest> }",
            "^ *ablauf|ablauf|anleitung|vorgehen : { <rest> }",
            "^ { erst|zuerst <any> , dann <rest> }",
            "^ { erst|zuerst <any> und dann <rest> }",
        ],
        takes: &[
            (
                "Deployment geht so: docker compose pull, dann docker compose up -d.",
                "docker compose pull, dann docker compose up -d",
            ),
            ("Release-Ablauf: erst Tag setzen, dann pushen.", "erst Tag setzen, dann pushen"),
        ],
        leaves: &["Wie geht der Export?", "Erst war ich skeptisch, dann begeistert."],
    },
    Rule {
        name: "en-to-run",
        subject: Step,
        key: "",
        confidence: 0.8,
        patterns: &[
            "^ to <any> , { first? @imperative <rest> }",
            "^ { first ,? @imperative <any> , then <rest> }",
            "^ { always @imperative <any> before|after <rest> }",
            "^ { before|after <any> , always|first? @imperative <rest> }",
            "^ how to <any> : { <rest> }",
        ],
        takes: &[
            ("To build a release, run make release.", "run make release"),
            ("First run git pull, then restart the service.", "First run git pull, then restart the service"),
            ("Before committing, run cargo fmt.", "Before committing, run cargo fmt"),
        ],
        leaves: &[
            "To be honest, I forgot to run the tests.",
            "First I was afraid, then I was petrified.",
            "How do I deploy this?",
        ],
    },
    Rule {
        name: "de-gelernt",
        subject: Lesson,
        key: "",
        confidence: 0.8,
        patterns: &[
            "^ gelernt|merke|erkenntnis|lektion|lehre|gemerkt : { <rest> }",
            "es hat sich gezeigt|herausgestellt ,? dass { <rest> }",
            "die ursache|fehlerursache war|ist { <rest> }",
        ],
        takes: &[("Gelernt: Staging braucht einen eigenen Schlüssel.", "Staging braucht einen eigenen Schlüssel")],
        leaves: &["Merkst du was?", "Ist die Ursache der Cache?"],
    },
    Rule {
        name: "en-lesson",
        subject: Lesson,
        key: "",
        confidence: 0.8,
        patterns: &[
            "^ lesson|lessons learned|learnt : { <rest> }",
            "it turns|turned out ,? that? { the|a|our|we|you|this <rest> }",
            "root cause was|is { <rest> }",
        ],
        takes: &[("It turns out the memory limit was too low.", "the memory limit was too low")],
        leaves: &["It turned out fine.", "What is the root cause?"],
    },
];
