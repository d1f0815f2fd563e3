use proptest::prelude::*;

use super::HedgeKind::{Conjecture, Hearsay, Intention, Plan, Question, Wish};
use super::*;

const HEDGED: &[(&str, HedgeKind, &str)] = &[
    // Conjecture, German.
    ("Vento unterstützt vielleicht Telegram", Conjecture, "vielleicht"),
    ("Vielleicht unterstützt Vento Telegram", Conjecture, "vielleicht"),
    ("VIELLEICHT LÄUFT VENTO", Conjecture, "vielleicht"),
    ("Vento läuft evtl. auf Port 80", Conjecture, "evtl"),
    ("Vento nutzt eventuell Redis", Conjecture, "eventuell"),
    ("Wahrscheinlich liegt es am DNS", Conjecture, "wahrscheinlich"),
    ("DNS ist die wahrscheinliche Ursache", Conjecture, "wahrscheinliche"),
    ("Vermutlich läuft n8n auf dem VPS", Conjecture, "vermutlich"),
    ("Das liegt möglicherweise am Cache", Conjecture, "moeglicherweise"),
    ("Das liegt mo\u{308}glicherweise am Cache", Conjecture, "moeglicherweise"),
    ("Das liegt moeglicherweise am Cache", Conjecture, "moeglicherweise"),
    ("Vento ist womöglich schon live", Conjecture, "womoeglich"),
    ("Der Umzug könnte im Mai sein", Conjecture, "koennte"),
    ("Das Zertifikat dürfte abgelaufen sein", Conjecture, "duerfte"),
    ("Das Backup müsste laufen", Conjecture, "muesste"),
    ("Das würde den Server entlasten", Conjecture, "wuerde"),
    ("Carlo denkt, dass Vento live ist", Conjecture, "denkt dass"),
    ("Ich glaube Vento ist live", Conjecture, "glaube"),
    ("Mari meint, das reicht", Conjecture, "meint"),
    ("Es kann sein, dass der Port wechselt", Conjecture, "kann sein dass"),
    ("Es ist unklar, wer den Schlüssel hat", Conjecture, "unklar"),
    ("Anscheinend fehlt der Index", Conjecture, "anscheinend"),
    ("Der Index fehlt wohl", Conjecture, "wohl"),
    ("Der Dienst scheint zu laufen", Conjecture, "scheint"),
    ("Soweit ich weiß läuft es auf Debian", Conjecture, "soweit ich weiss"),
    ("Telegram wäre ein guter Kanal", Conjecture, "waere"),
    ("Telegram ist im Gespräch", Conjecture, "im gespraech"),
    ("Ich gehe davon aus, dass es läuft", Conjecture, "gehe davon aus"),
    // Conjecture, English.
    ("Vento might support Telegram", Conjecture, "might"),
    ("Maybe Vento supports Telegram", Conjecture, "maybe"),
    ("It's probably the DNS", Conjecture, "probably"),
    ("Perhaps the cache is stale", Conjecture, "perhaps"),
    ("Vento may support Telegram", Conjecture, "may"),
    ("The outage is likely caused by DNS", Conjecture, "likely"),
    ("Vento could run on the VPS", Conjecture, "could"),
    ("It would need a proxy", Conjecture, "would"),
    ("I think Vento is live", Conjecture, "i think"),
    ("The job seems stuck", Conjecture, "seems"),
    ("It looks like the key expired", Conjecture, "looks like"),
    ("The team is considering Postgres", Conjecture, "is considering"),
    ("I'm not sure it runs", Conjecture, "not sure"),
    ("Port: TBD", Conjecture, "tbd"),
    // Plan.
    ("Vento soll Telegram unterstützen", Plan, "soll"),
    ("Vento sollte Telegram unterstützen", Plan, "sollte"),
    ("Die Daten sollen auf den VPS", Plan, "sollen"),
    ("Das Feature soll nicht kommen", Plan, "soll"),
    ("Soll bis Mai fertig sein", Plan, "soll"),
    ("Mario plant den Umzug", Plan, "plant"),
    ("Wir planen den Umzug", Plan, "planen"),
    ("Der Umzug ist geplant", Plan, "geplant"),
    ("Der geplante Umzug auf den VPS", Plan, "geplante"),
    ("Der Umzug war für März geplant", Plan, "geplant"),
    ("Telegram kommt demnächst", Plan, "demnaechst"),
    ("Telegram kommt bald", Plan, "bald"),
    ("Telegram ist in Planung", Plan, "in planung"),
    ("Der Plan ist, Telegram anzubinden", Plan, "plan ist"),
    ("Vento geht voraussichtlich im Juni live", Plan, "voraussichtlich"),
    ("Vento geht nächste Woche live", Plan, "naechste woche"),
    ("Vento wird Telegram unterstützen", Plan, "wird"),
    ("Die Datenbank wird umgestellt werden", Plan, "wird"),
    ("Vento plans to support Telegram", Plan, "plans to"),
    ("We plan to move", Plan, "plan to"),
    ("The move is planned for June", Plan, "planned"),
    ("Vento is going to support Telegram", Plan, "going to"),
    ("Vento should support Telegram", Plan, "should"),
    ("Telegram is coming soon", Plan, "soon"),
    ("Vento will support Telegram", Intention, "will"),
    ("Telegram is on the roadmap", Plan, "on the roadmap"),
    ("The release is supposed to fix it", Plan, "supposed to"),
    ("Man überlegt, auf Postgres zu wechseln", Conjecture, "ueberlegt"),
    ("Es wird über eine Migration nachgedacht", Conjecture, "nachgedacht"),
    ("Es sieht nach einem DNS-Fehler aus", Conjecture, "sieht nach"),
    ("Telegram ist für Q3 vorgesehen", Plan, "vorgesehen"),
    ("The migration is scheduled for June", Plan, "scheduled"),
    ("We're planning a move", Plan, "we're planning"),
    ("Let’s move to Postgres", Plan, "let's"),
    ("TODO: Telegram", Plan, "todo"),
    ("Der Umzug ist morgen", Plan, "morgen"),
    ("It'll support Telegram", Intention, "it'll"),
    // Intention and wish.
    ("Mario will Telegram einführen", Intention, "will"),
    ("Mario will am 1. Juni 2026 Telegram einführen", Intention, "will"),
    ("Wir wollen auf Postgres wechseln", Intention, "wollen"),
    ("Carlo beabsichtigt den Wechsel", Intention, "beabsichtigt"),
    ("Carlo hat vor, den Server zu wechseln", Intention, "hat vor"),
    ("Ziel ist es, live zu gehen", Intention, "ziel ist es"),
    ("Carlo intends to move", Intention, "intends to"),
    ("Carlo möchte Telegram", Wish, "moechte"),
    ("Carlo wünscht sich Telegram", Wish, "wuenscht"),
    ("Hoffentlich hält das Backup", Wish, "hoffentlich"),
    ("Carlo wants to move", Wish, "wants to"),
    ("Hopefully it works", Wish, "hopefully"),
    ("Carlo would like Telegram", Wish, "would like"),
    // Hearsay.
    ("Angeblich ist Vento live", Hearsay, "angeblich"),
    ("Der User hat gesagt, Vento ist live", Hearsay, "hat gesagt"),
    ("Laut Kunde ist Vento live", Hearsay, "laut"),
    ("Laut dem Nutzer ist Vento live", Hearsay, "laut"),
    ("According to the customer it is live", Hearsay, "according to"),
    ("The user says Vento is live", Hearsay, "says"),
    ("Der Kunde behauptet, es läuft", Hearsay, "behauptet"),
    ("Vento is supposedly live", Hearsay, "supposedly"),
    ("Allegedly the key leaked", Hearsay, "allegedly"),
    ("Es heißt, Vento sei live", Hearsay, "es heisst"),
    // Question.
    ("Unterstützt Vento Telegram?", Question, "?"),
    ("Does Vento support Telegram??", Question, "?"),
    ("Port 80 (?)", Question, "?"),
    ("Vento läuft ?", Question, "?"),
    ("Läuft Vento? Das Backup läuft.", Question, "?"),
    ("Der Nutzer: \"Läuft Vento?\"", Question, "?"),
    ("Carlo fragt, ob Vento live ist", Question, "fragt ob"),
    ("He wonders whether it runs", Question, "wonders whether"),
    // Speech and whole quotations count.
    ("\"Vento soll umziehen\"", Plan, "soll"),
    ("Notiz: „Vento soll bald auf den VPS umziehen“", Plan, "soll"),
    ("- vielleicht Redis", Conjecture, "vielleicht"),
    ("-vielleicht Redis", Conjecture, "vielleicht"),
    ("viel\u{200B}leicht Redis", Conjecture, "vielleicht"),
    ("**vielleicht** Redis", Conjecture, "vielleicht"),
    ("Vento nutzt Redis. Vielleicht auch Kafka.", Conjecture, "vielleicht"),
];

const PLAIN: &[&str] = &[
    "Vento unterstützt Telegram als Kanal (zusätzlich zu WhatsApp)",
    "Vento unterstützt jetzt Telegram",
    "Vento 90% fertig, nicht live. Telegram unbestätigt.",
    // Nouns, names, compounds.
    "Der Soll-Wert ist 5",
    "Soll-Wert ist 5",
    "Der Sollwert ist 5",
    "Soll und Haben sind ausgeglichen",
    "Die Buchhaltung führt Soll und Haben",
    "Das Soll ist erreicht",
    "Soll/Ist-Vergleich liegt im Wiki",
    "Der Sollte-Zustand steht in Ansible",
    "Will Smith ist Ansprechpartner",
    "Ansprechpartner ist Will Smith",
    "Der letzte Wille liegt vor",
    "Mai ist der Zeitraum",
    "Go-live war im Mai 2026",
    "Go-live was in May 2026",
    "May 2026 is the deadline",
    "Vento went live on 3 May",
    "Die Würde der Kunden zählt",
    "Vento hat einen Pro-Plan",
    "Vento nutzt den Tarifplan Basis",
    "Der Plan ist kostenlos",
    "The free plan costs nothing",
    "We added a plan to the price list",
    "Plans for teams start at 10 Euro",
    "The power plant runs on Vento",
    "The plant is in Linz",
    "Der Stundenplan liegt im Wiki",
    "Der Wahrscheinlichkeitsfilter ist aktiv",
    "Die Wahrscheinlichkeit ist 5 Prozent",
    "Der Dienst läuft am Morgen",
    "The might of the cluster is 64 cores",
    "Das Wohl der Kunden steht vorn",
    "Die Frage-Antwort-Seite ist online",
    // Past, passive, done, denied.
    "Die Planung ist abgeschlossen",
    "Geplant war Redis, umgesetzt ist Postgres",
    "Der Umzug lief wie geplant",
    "The move went as planned",
    "Ein Umzug ist nicht geplant",
    "A move is not planned",
    "A move is no longer planned",
    "Der Job konnte nicht starten",
    "Der Dienst konnte Mails senden",
    "The job could not start",
    "The job couldn't start",
    "Nicht vielleicht, sondern gewiss: Vento ist live",
    "Das ist sicher",
    "Die Verbindung ist nicht sicher",
    "Telegram wird unterstützt",
    "Die Mails werden täglich verschickt",
    "Der Server wird von Mario betrieben",
    "Die Daten wurden gelöscht",
    "Carlo hat vor zwei Wochen gewechselt",
    "Bald darauf fiel der Server aus",
    // Rules, conditions, dated commitments.
    "Sollte der Job scheitern, schickt Vento eine Mail",
    "Should the job fail, Vento sends a mail",
    "Sobald der Job fertig ist, folgt das Backup",
    "As soon as the job ends, the backup starts",
    "Falls Redis fehlt, nutzt Vento Dateien",
    "Ggf. wird der Cache geleert",
    "The certificate will expire on 2026-08-01",
    "The server will restart every night",
    "The service will not start without a key",
    "Das Zertifikat wird am 1. August 2026 auslaufen",
    "The store is eventually consistent",
    "Das Backup braucht ca. 5 Minuten",
    "Login ist mit Passkey möglich",
    "The role can be assumed by the agent",
    "The script expects bash",
    "Der Server wird jede Nacht neu starten",
    "Die Rechnung wurde heute morgen bezahlt",
    "Das Feld ist für Namen vorgesehen",
    "The job is scheduled nightly",
    "Die Pläne liegen im Wiki",
    "One day has 24 hours",
    "Es heißt Vento, nicht Ventus",
    "Das Ziel ist erreicht",
    // Sources and traffic.
    "Laut LP-VENTO.md ist Vento live",
    "Laut Vertrag gilt eine Frist von 30 Tagen",
    "According to the contract it ends in June",
    "The user manual says port 80 is open",
    "Traffic is going to port 443",
    "Traffic is going to the proxy",
    // Mentions and addresses.
    "Der Filter erkennt „vielleicht“ und „soll“",
    "The filter knows the word \"maybe\"",
    "The flag `should` is set",
    "Die Seite heißt 'Was könnte sein'",
    "Die Suche ist https://vento.example/?q=a",
    "Die Suche ist https://vento.example/suche?",
    "Die Taste \"?\" öffnet die Hilfe",
    "Die Seite „Was kostet Vento?“ ist online",
    "Das Muster a?b passt",
    // Look-alikes.
    "Sowohl Vento als auch n8n laufen",
    "Gleichwohl läuft Vento",
    "Die Gäste fühlen sich wohl",
    "Die Wolle ist verkauft",
    "Mayor Miller signed",
    "Der Sollbetrag ist 100 Euro",
    "Die Vermutungsseite ist gelöscht",
    "Um des Projekts willen ist Vento frei",
    "Möchtegern-Kunden zählen nicht",
    "Die Absichtserklärung ist unterschrieben",
    "Das Shoulder-Modul ist aktiv",
    "",
    "…",
    "!!!",
];

#[test]
fn hedges_are_found_with_their_cue() {
    for (text, kind, cue) in HEDGED.iter().copied() {
        let found = hedge(text).unwrap_or_else(|| panic!("{text:?} is not found to be hedged"));
        assert_eq!((found.kind, found.cue), (kind, cue), "{text:?}");
    }
}

#[test]
fn plain_statements_are_not_hedged() {
    for text in PLAIN.iter().copied() {
        assert_eq!(hedge(text), None, "{text:?}");
    }
}

#[test]
fn range_is_in_the_text_as_given() {
    let text = "Größe: mo\u{308}glicherweise 5";
    let range = hedge(text).unwrap().range;
    assert_eq!(text.get(range), Some("mo\u{308}glicherweise"));
    let text = "Carlo denkt , dass es läuft";
    assert_eq!(text.get(hedge(text).unwrap().range), Some("denkt , dass"));
}

#[test]
fn the_first_hedge_counts() {
    assert_eq!(hedge("Läuft Vento? Vielleicht.").unwrap().kind, Question);
    assert_eq!(hedge("Vielleicht. Läuft Vento?").unwrap().kind, Conjecture);
}

#[test]
fn a_megabyte_takes_no_time() {
    for hostile in [
        "?",
        "\"",
        "„a",
        "wird ",
        "will the ",
        "geplant umgesetzt ",
        "-",
        "a-",
        "a'",
        "a?\" ",
        "Sollte ",
        "ü\u{308}",
        "?!",
    ] {
        let text = hostile.repeat(1_000_000 / hostile.len()) + "x";
        let start = std::time::Instant::now();
        let _ = hedge(&text);
        assert!(start.elapsed().as_secs() < 5, "{hostile:?} took {:?}", start.elapsed());
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_ranges_fit(text in ".*") {
        if let Some(found) = hedge(&text) {
            prop_assert!(text.get(found.range).is_some_and(|cue| !cue.is_empty()));
        }
    }

    #[test]
    fn any_row_of_cues_is_read(text in "((soll|will|wird|geplant|may|laut|hat vor|plan|to|[\"'„“?,. -]) ?){0,20}") {
        if let Some(found) = hedge(&text) {
            prop_assert!(text.get(found.range).is_some());
        }
    }
}
