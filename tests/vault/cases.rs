//! The hard cases, one table each: a page, facts, and the verdict each must get.

use hermes_mem::vault::Verdict::{self, Absent, Contradicts, Identical, Similar};
use hermes_mem::vault::{Query, Settings, Vault};

/// Checks facts against a vault of one page; `None` stands for "no verdict": similar or absent.
fn table(page: &str, facts: &[(&str, Option<Verdict>)]) {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "Pegel.md", page);
    let vault = Vault::open(&Settings { path: dir.path().to_owned(), ..Settings::default() }, None).unwrap();
    for (fact, want) in facts {
        let check = vault.check(&Query { fact, page: Some("Pegel.md"), project: None });
        let right = match want {
            Some(want) => check.verdict == *want,
            None => matches!(check.verdict, Similar | Absent),
        };
        assert!(right, "{fact:?}: {:?} by {:?}, wanted {want:?}; {:?}", check.verdict, check.guard, check.passages);
    }
}

#[expect(clippy::disallowed_methods, reason = "tests write the vaults they read")]
pub(crate) fn put(dir: &std::path::Path, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(dir.join(name), text).unwrap();
}

const SAME: Option<Verdict> = Some(Identical);
const OTHER: Option<Verdict> = Some(Contradicts);
const NONE: Option<Verdict> = None;

#[test]
fn not_only_is_no_negation() {
    table(
        "Pegel unterstützt nicht nur Matrix, sondern auch Telegram.",
        &[("Pegel unterstützt Telegram.", SAME), ("Pegel unterstützt Telegram nicht.", OTHER)],
    );
}

#[test]
fn hardly_is_neither_yes_nor_no() {
    table(
        "Der Sensor wird kaum benutzt.",
        &[("Der Sensor wird benutzt.", NONE), ("Der Sensor wird nicht benutzt.", NONE)],
    );
}

#[test]
fn double_negation_affirms() {
    table(
        "Die Übertragung ist nicht unverschlüsselt.",
        &[("Die Übertragung ist verschlüsselt.", SAME), ("Die Übertragung ist unverschlüsselt.", OTHER)],
    );
}

#[test]
fn questions_and_plans_settle_nothing() {
    table(
        "Unterstützt Pegel Telegram?\n\nSMS-Versand ist geplant.\n\nDer Umzug soll im Mai stattfinden.\n\nDie Wartung wird evtl. ausgelagert.\n",
        &[
            ("Pegel unterstützt Telegram.", NONE),
            ("Pegel unterstützt Telegram nicht.", NONE),
            ("Der SMS-Versand ist freigeschaltet.", NONE),
            ("Der Umzug fand im Mai statt.", NONE),
            ("Die Wartung wurde ausgelagert.", NONE),
        ],
    );
}

#[test]
fn the_newest_log_line_holds() {
    let log = "- 2026-03-10: Wartezeit auf 60 Sekunden erhöht\n- 2026-01-05: Wartezeit auf 20 Sekunden gesetzt\n";
    table(
        log,
        &[
            ("Die Wartezeit beträgt 60 Sekunden.", SAME),
            ("Die Wartezeit beträgt 20 Sekunden.", OTHER),
            ("2026-02-01: Wartezeit auf 30 Sekunden gesetzt", NONE),
        ],
    );
}

#[test]
fn another_row_or_project_is_another_thing() {
    table(
        "| Dienst | Port |\n|---|---|\n| Alpha | 8001 |\n| Beta | 8002 |\n",
        &[
            ("Alpha läuft auf Port 8001.", SAME),
            ("Alpha läuft auf Port 8002.", OTHER),
            ("Gamma läuft auf Port 8002.", NONE),
        ],
    );
    table(
        "## Kranich\n\n- Leitung: Undine\n- Port: 9100\n\n## Dohle\n\n- Leitung: Falk\n- Port: 9200\n",
        &[
            ("Kranich läuft auf Port 9100.", SAME),
            ("Kranich läuft auf Port 9200.", OTHER),
            ("Elster läuft auf Port 9100.", NONE),
        ],
    );
}

#[test]
fn numbers_agree_in_any_dress() {
    table(
        "Speicherlimit: 1,5 GB\n\nVersion: 1.2.0\n\nRabatt: fünf Prozent\n\nStart: 1. Juni 2026\n\nAufbewahrung: 14 Tage\n\nPreis: 18.500 Euro\n",
        &[
            ("Das Speicherlimit beträgt 1500 MB.", SAME),
            ("Das Speicherlimit beträgt 2 GB.", OTHER),
            ("Pegel hat die Version v1.2.", SAME),
            ("Pegel hat die Version 1.3.", OTHER),
            ("Der Rabatt beträgt 5 %.", SAME),
            ("Der Start ist am 01.06.2026.", SAME),
            ("Der Start ist am 15. Juni 2026.", OTHER),
            ("Start ab 1.6.", SAME),
            ("Die Aufbewahrung beträgt zwei Wochen.", SAME),
            ("Der Preis beträgt 18500 €.", SAME),
            ("Der Preis beträgt 18,50 €.", OTHER),
        ],
    );
}

#[test]
fn ranges_leave_room() {
    table(
        "Die Temperatur im Lager liegt zwischen 10 und 14 Grad.\n\nLimit: maximal 40 Nachrichten\n",
        &[
            ("Die Temperatur im Lager liegt bei 12 Grad.", NONE),
            ("Die Temperatur im Lager liegt bei 20 Grad.", OTHER),
            ("Das Limit liegt bei 30 Nachrichten.", NONE),
        ],
    );
}

#[test]
fn owners_are_first_names() {
    table(
        "Verantwortlich: Miriam\n",
        &[
            ("Miriam ist für Pegel verantwortlich.", SAME),
            ("Owner von Pegel ist Jonas.", OTHER),
            ("Der Owner ist krank.", NONE),
        ],
    );
}

#[test]
fn compounds_umlauts_and_aliases_are_seen_through() {
    table(
        "---\naliases: [Pegelwächter]\n---\nDie Türöffnung wird überwacht.\n\nhost:: [[Heimserver|nordlicht]]\n",
        &[
            ("Die Tueroeffnung wird ueberwacht.", SAME),
            ("Der Pegelwächter läuft auf nordlicht.", SAME),
            ("Pegel läuft auf dem Heimserver.", SAME),
        ],
    );
    table(
        "Pegel unterstützt Telegram.",
        &[("Telegram-Support gibt es bei Pegel.", SAME), ("Pegel hat keinen Telegram-Support.", OTHER)],
    );
}

#[test]
fn task_boxes_are_states() {
    table(
        "- [x] Zaun reparieren\n- [ ] Tor streichen\n",
        &[
            ("Der Zaun ist repariert.", SAME),
            ("Der Zaun muss noch repariert werden.", OTHER),
            ("Das Tor muss noch gestrichen werden.", SAME),
            ("Das Tor ist gestrichen.", NONE),
        ],
    );
}

#[test]
fn states_exclude_each_other() {
    table(
        "status: eingestellt\n",
        &[
            ("Pegel ist eingestellt.", SAME),
            ("Pegel ist live.", OTHER),
            ("Pegel ist nicht live.", NONE),
            ("Pegel ist geplant.", NONE),
        ],
    );
}

#[test]
fn placeholders_never_get_a_verdict() {
    table(
        "Verantwortlich: [NAME]\n\nDie Miete beträgt 500 Euro.\n",
        &[("[NAME] ist verantwortlich.", NONE), ("[NAME] zahlt 600 Euro Miete.", NONE)],
    );
}

#[test]
fn what_is_struck_out_or_commented_is_not_said() {
    table(
        "~~Port: 8080~~\n\n%% Host: alpha %%\n\n<!-- Owner: Ute -->\n\n```\nversion: 3\n```\n",
        &[
            ("Pegel läuft auf Port 8080.", NONE),
            ("Der Host ist alpha.", NONE),
            ("Owner ist Ute.", NONE),
            ("Die Version ist 4.", NONE),
        ],
    );
}

#[test]
fn the_operators_words_count() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "Pegel.md", "Wuselgrad: hoch\n\nPhase: Gärung\n");
    let settings = Settings {
        path: dir.path().to_owned(),
        synonyms: vec![vec!["Wuselgrad".into(), "Hektik".into()]],
        functional_keys: vec!["Phase".into()],
        state_words: vec![vec!["Gärung".into()], vec!["Reifung".into()]],
    };
    let vault = Vault::open(&settings, None).unwrap();
    let check = |fact| vault.check(&Query { fact, page: Some("Pegel.md"), project: None }).verdict;
    assert_eq!(check("Die Hektik ist hoch."), Identical);
    assert_eq!(check("Die Phase ist Reifung."), Contradicts);
}

#[test]
fn a_plain_sentence_has_one_material_place_and_person() {
    table(
        "Der Sensor hängt am Balkon auf der Nordseite.\n\nDas Gehäuse ist aus Holz.\n\nAnsprechpartner ist Rasmus.\n\n\
         The shed key is kept by Derek.",
        &[
            ("Der Sensor hängt im Garten.", OTHER),
            ("Der Sensor hängt auch im Garten.", NONE),
            ("Das Gehäuse ist aus Kunststoff.", OTHER),
            ("Das Gitter ist aus Kunststoff.", NONE),
            ("Ansprechpartnerin ist Mette.", OTHER),
            ("The shed key is kept by Sylvia.", OTHER),
        ],
    );
}

#[test]
fn what_was_before_a_change_no_longer_holds() {
    table(
        "The toilet was moved from the car park to the orchard.\n\nDie Daten liegen in InfluxDB, früher war es SQLite.",
        &[
            ("The toilet is in the car park.", OTHER),
            ("The toilet is in the orchard.", SAME),
            ("Die Daten liegen in SQLite.", OTHER),
        ],
    );
}

#[test]
fn a_newer_log_line_with_another_verb_leaves_no_verdict() {
    table(
        "- 2026-10-11: Regenmesser entfernt\n- 2026-09-05: Regenmesser montiert\n",
        &[("Der Regenmesser ist montiert.", NONE), ("Der Regenmesser ist entfernt.", SAME)],
    );
}
