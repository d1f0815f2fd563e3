//! Everyday words of this field that mean the same in German and English. A block that holds one is found by another, at a
//! lower weight. Words stand as people write them; they are folded and stemmed like all others.

/// Groups of words; each word stands in one group only.
pub(super) const GROUPS: &[&[&str]] = &[
    &["backup", "sicherung", "datensicherung", "sicherungskopie"],
    &["fehler", "bug", "error", "defekt", "störung", "problem", "issue"],
    &["kunde", "kundin", "customer", "client", "auftraggeber"],
    &["rechnung", "invoice", "faktura"],
    &["angebot", "offerte", "quote"],
    &["sprache", "language"],
    &["deutsch", "german"],
    &["englisch", "english"],
    &["antwort", "answer", "reply", "response"],
    &["frage", "question"],
    &["kurz", "knapp", "bündig", "brief", "short", "concise"],
    &["tabelle", "table"],
    &["liste", "list", "aufzählung", "bullet"],
    &["datum", "date"],
    &["termin", "appointment", "meeting", "besprechung", "treffen"],
    &["frist", "deadline", "abgabe", "stichtag"],
    &["passwort", "kennwort", "password"],
    &["benutzer", "nutzer", "anwender", "user"],
    &["einstellung", "konfiguration", "configuration", "config", "setting"],
    &["veröffentlichen", "release", "publish", "ausliefern", "deploy", "deployment", "rollout"],
    &["prüfen", "testen", "test", "check"],
    &["fertig", "abgeschlossen", "erledigt", "done", "finished", "complete"],
    &["offen", "ausstehend", "pending", "open"],
    &["gestoppt", "eingestellt", "pausiert", "paused", "stopped"],
    &["blockiert", "hängt", "blocked", "stuck"],
    &["schnell", "fast", "rasch", "zügig"],
    &["langsam", "slow", "träge"],
    &["mag", "bevorzugt", "lieber", "prefer", "likes", "preference", "vorliebe"],
    &["entscheidung", "beschluss", "decision", "entschieden"],
    &["speicher", "memory", "storage"],
    &["datenbank", "database", "db"],
    &["schnittstelle", "interface", "api"],
    &["netzwerk", "network", "netz"],
    &["verschlüsselung", "encryption", "verschlüsselt"],
    &["anmeldung", "login", "sign-in", "einloggen"],
    &["adresse", "address", "anschrift"],
    &["telefon", "phone", "handy", "mobil"],
    &["mail", "email", "nachricht", "message"],
    &["zahlung", "bezahlung", "payment", "überweisung"],
    &["preis", "kosten", "price", "cost"],
    &["vertrag", "contract", "vereinbarung"],
    &["mitarbeiter", "kollege", "colleague", "employee", "team"],
    &["chef", "leiter", "leitung", "manager", "boss", "verantwortlich"],
    &["urlaub", "ferien", "vacation", "holiday"],
    &["farbe", "color", "colour"],
    &["schrift", "font"],
    &["bild", "foto", "image", "picture", "photo"],
    &["druck", "drucken", "print"],
    &["seite", "page"],
    &["ordner", "verzeichnis", "folder", "directory"],
    &["datei", "file"],
    &["neustart", "restart", "reboot"],
    &["absturz", "crash", "abgestürzt"],
    &["täglich", "daily"],
    &["wöchentlich", "weekly"],
    &["monatlich", "monthly"],
    &["morgens", "früh", "vormittags", "morning"],
    &["abends", "abend", "evening"],
    &["stunde", "hour"],
    &["woche", "week"],
    &["ort", "standort", "location", "place"],
    &["werkzeug", "tool"],
    &["aufgabe", "task", "todo"],
    &["schritt", "step"],
    &["anleitung", "howto", "guide", "instructions"],
    &["umzug", "migration", "umstellung", "umziehen"],
    &["version", "ausgabe", "stand", "status"],
    &["vorlage", "template", "muster"],
    &["bericht", "report", "auswertung"],
    &["zusammenfassung", "summary", "überblick"],
    &["löschen", "entfernen", "delete", "remove"],
    &["kaufen", "bestellen", "bestellung", "order", "buy"],
    &["lieferung", "versand", "delivery", "shipping"],
    &["essen", "food", "mahlzeit"],
    &["kaffee", "coffee"],
    &["auto", "wagen", "car"],
    &["zug", "bahn", "train"],
    &["wohnung", "apartment", "flat"],
    &["schlüssel", "key"],
    &["dunkel", "dark"],
    &["hell", "light"],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_means_one_thing() {
        let mut all: Vec<&str> = GROUPS.iter().flat_map(|group| group.iter().copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
