//! Who does what. The value is who; the thing is what it is about, so that another person for the same thing replaces them.

use super::Rule;
use crate::domain::extract::Subject::Person;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "de-zustaendig",
        subject: Person,
        key: "responsible",
        confidence: 0.85,
        patterns: &[
            "{ <who> } kuemmert|kuemmern sich um <topic>",
            "um <topic> kuemmert|kuemmern sich { <who> }",
            "{ <who> } ist|sind fuer <topic> zustaendig|verantwortlich",
            "fuer <topic> ist|sind { <who> } zustaendig|verantwortlich",
            "{ <who> } ist|sind zustaendig|verantwortlich fuer <topic>",
            "zustaendig|verantwortlich fuer <topic> ist|sind|:? { <who> }",
        ],
        takes: &[
            ("Der Steuerberater kümmert sich um die Buchhaltung.", "Der Steuerberater"),
            ("Zuständig für den Newsletter: die Agentur.", "die Agentur"),
        ],
        leaves: &[
            "Wer kümmert sich um die Server?",
            "Jemand müsste sich um die Backups kümmern.",
            "Das Amt ist nicht zuständig.",
        ],
    },
    Rule {
        name: "de-ansprechpartner",
        subject: Person,
        key: "contact",
        confidence: 0.85,
        patterns: &[
            "{ <who> } ist der|die|unser|unsere|mein|meine? ansprechpartner|ansprechpartnerin|kontakt|kontaktperson fuer|bei|im|in <topic>",
            "ansprechpartner|ansprechpartnerin|kontakt|kontaktperson fuer|bei|im|in <topic> ist|: { <who> }",
        ],
        takes: &[("Ansprechpartner für den Waldseilgarten ist Flo.", "Flo")],
        leaves: &["Wer ist der Ansprechpartner für Vento?", "Ich suche einen Ansprechpartner für Vento."],
    },
    Rule {
        name: "de-uebernimmt",
        subject: Person,
        key: "responsible",
        confidence: 0.75,
        patterns: &["{ <who> } uebernimmt|betreut|leitet|verantwortet|pflegt|macht|prueft|wartet <topic> $"],
        takes: &[("Die Agentur macht das Design.", "Die Agentur")],
        leaves: &["Flo könnte das Onboarding übernehmen.", "Wer macht das Design?"],
    },
    Rule {
        name: "en-responsible",
        subject: Person,
        key: "responsible",
        confidence: 0.85,
        patterns: &[
            "{ <who> } is|are responsible for <topic>",
            "{ <who> } is|are in charge of <topic>",
            "{ <who> } takes|take care of <topic>",
            "{ <who> } looks after <topic>",
            "{ <who> } maintains|handles|owns|leads|manages <topic> $",
            "responsible for <topic> : { <who> }",
        ],
        takes: &[
            ("The agency handles the invoices.", "The agency"),
            ("Jonas is responsible for the backups.", "Jonas"),
        ],
        leaves: &[
            "Who maintains the deploy scripts?",
            "Nobody is in charge of support.",
            "Anna used to handle the invoices.",
        ],
    },
    Rule {
        name: "en-contact",
        subject: Person,
        key: "contact",
        confidence: 0.85,
        patterns: &[
            "contact|contact-person for|at <topic> is { <who> }",
            "{ <who> } is the|our? contact for|at <topic>",
        ],
        takes: &[("The contact for Vento is Carlo.", "Carlo")],
        leaves: &["Who is the contact for Vento?", "There is no contact for Vento."],
    },
];
