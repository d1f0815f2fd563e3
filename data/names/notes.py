#!/usr/bin/env python3
"""Makes short notes about invented people, labelled, for the name model: the kind of text that an assistant's memory holds.

usage: notes.py COUNT SEED < words.tsv > notes.jsonl

The names come from the lists of build.py, the sentences are this file's own. A third of the notes has no name in it; bare first
names are in many and are no finding.
"""
import json, random, sys

FIRST, LAST, NEAR_FIRST, NEAR_LAST, TOWN, WORD = 1, 2, 4, 8, 16, 32
PEOPLE = [
    "Anruf von {N} wg. Rechnung", "Anruf {N}, Rückruf {D}", "{N} hat angerufen", "Rückruf an {N} bis {D}", "Termin mit {N} am {D}", "Kunde: {R}", "Kunde {N} wartet auf Angebot",
    "Kundin {N} möchte stornieren", "Gast {N} reist {D} ab", "Gast Familie {L} reist an", "Familie {L} bucht zwei Zimmer", "Herr {L} ruft {D} zurück", "Frau {L} wünscht Rückruf", "{H} {N} bittet um Rückmeldung",
    "Mit {H} {L} vereinbart: {T} bis {D}", "Laut {N} ist {T} fertig", "laut {H} {L} kommt {T} später", "{N}: {T} prüfen", "{N} - {T}", "- {N} ({T})", "* {N}, {T}", "Ansprechpartner: {N}, Tel. folgt",
    "Ansprechpartnerin ist {N} vom {T}", "Mail von {N} an {N}", "Mail an {N} geschickt", "Gespräch mit {N} und {N} über {T}", "{N} und {N} übernehmen {T}", "Teilnehmer: {N}, {N}, {N}", "anwesend: {N}; {N}",
    "{A} hat {T} bestätigt", "{A} ruft zurück", "Notiz von {A}: {T} offen", "{U} hat storniert", "{U}, {T}", "Beschwerde von {N} wegen {T}", "Der Kunde {N} zahlt bar.", "Die Patientin {N} kommt {D}.",
    "Mieter {N} meldet Schaden", "Vertrag mit {N} läuft aus", "Absender {N}", "Angebot für {N} schreiben", "{G} Angebot liegt vor", "{G} Termin verschoben", "Viele Grüße, {N}", "Mit freundlichen Grüßen {N}", "LG {N}",
    "Gruß {N}", "Dr. {L} übernimmt", "Dr. {N} hat {T} freigegeben", "Prof. Dr. {N} hält Vortrag", "Zuständig: {R} ({T})", "Name: {R}", "{R} - {T}", "{R}: Rückruf {D}", "Nachricht für {N} hinterlassen",
    "Rechnung von {N} bezahlt", "Bitte {N} informieren", "{N} fragt nach {T}", "Wer ist {N}?", "{N} hat am {D} Geburtstag", "Bewerbung {N} eingegangen", "Notfallkontakt {N}", "{N} ist bis {D} im Urlaub", "User erwähnt {N} als {T}",
    "Entscheidung: {N} macht {T}", "Vento: {N} prüft {T}", "Hermes soll {N} erinnern", "{F} sagt, {N} macht das", "Hallo {N},", "Liebe Frau {L},", "Sehr geehrter Herr {L},", "call from {N} about the invoice", "{N} called, call back {D}",
    "Meeting with {N} on {D}", "ask {N} about {T}", "My name is {N}.", "{N} will join us", "Email from {N}", "Mr. {L} wants a refund", "Mrs. {L} called", "Contact: {N}", "{N}'s order is late", "Thanks, {N}", "Hi, this is {N} from {T}", "{A} approved the {T}",
    "Vermieter {N}, Kaution offen", "Übergabe an {N} {D}", "Tisch für {N}, 4 Personen", "Reservierung auf {N}", "Buchung {N}, {D}", "Lieferung an {N}", "Zahlung {N} eingegangen", "Handwerker {N} kommt {D}", "Hausmeister {N} hat den Schlüssel", "{N} (Vertrieb) hat {T} angefragt", "Frage von {N}: wo ist {T}?",
]
EMPTY = [
    "{F} {T} {V}", "{F} {T} {V}", "{F} {T} {V}", "{F} {T} {V}", "{F} {T}", "{F}: {T}", "{X} {T} {V}", "{X} {T} war {V}", "{X} {T}", "{F} {T} {T} {V}", "{F} {P} {T} {V}", "{P} {T} {V}", "{P} {T}", "{P} {P} {V}", "{P} {P} und {P} {P} {V}", "{W} {T} {V}", "{T} {T} {V}", "{T} {F} {V}", "{T} mit {F} {V}", "{Y} {T} {V}", "{Y} {T} kaufen",
    "{F} prüft {T}", "{F} und {F} machen {T}", "Blocker: {F} ({T})", "{F}: {T} bis {D}", "Mit {F} über {T} gesprochen", "Entscheidung von {F}: {T}", "{F} {T} prüfen", "{T} {T} prüfen", "{T} für {T} offen", "Rechnung {T} am {D}", "{T} läuft auf {P}",
    "{P} {T} einrichten", "{P} unterstützt {P}", "Status von {P} {P}?", "Neue {T} für {P}", "{T} nach {P} umziehen", "Umzug nach {W} am {D}", "Meeting in {W} über {T}", "{W} {T} Termin", "{P} Memory ist {T}", "{T} und {T} im Projekt {P}", "Rückruf {D}", "Sehr geehrte Damen und Herren",
    "{T}: {P} {P} testen", "{P} Gateway {T}", "{T} Review Queue prüfen", "Server in {W} neu starten", "{P} {P} Integration fertig", "Die {T} der {T} ist offen.", "Hallo {F}, {T} ist fertig", "Danke {F}!", "Thanks {F}, the {P} {T} is done", "{F} likes {P}", "Deploy {P} to {P} {P}", "{T} {W} {D}",
    "Deutsche {T} in {W}", "New {T} for {P} {P}", "Max. {T} erreicht", "{T} Nord {W} Süd", "Frau und Kind in {W}", "Herr des {T}", "Familie und {T}", "{W} Hauptbahnhof {D}", "Hotel {P} in {W}", "Straße in {W} gesperrt", "{P} GmbH zahlt {T}", "Firma {P} AG schickt {T}", "Gasthof {P} {W}",
]
THINGS = "Rechnung Angebot Termin Projekt Vertrag Buchung Lieferung Deployment Telegram Integration Workflow Dokumentation Heizung Küche Server Backup Datenbank Website Newsletter Support Vertrieb Einkauf Zahlung Urlaub Schlüssel Wohnung Kaution Reparatur Bestellung Retoure Feedback Konzept Präsentation Budget Steuer Versicherung Migration Freigabe Abnahme Technik Marketing Buchhaltung Hosting Rückruf Schulung Onboarding Ticket Status Blocker Session Agent Review Dialogfehler Status Monitoring Protokoll Meeting Release".split()
# Nouns that no list of names has, for what stands after a first name without being one; their compounds are made below.
NOUNS = """Abend Ablage Absage Abschluss Abstimmung Aktion Alarm Analyse Anbindung Anfrage Anhang Anlage Anleitung Anmeldung Ansatz Ansicht
Antrag Antwort Anzeige Arbeit Archiv Artikel Aufgabe Aufnahme Auftrag Ausgabe Auslastung Auswertung Bearbeitung Bedarf Befehl Beitrag
Beleg Bericht Bescheid Beschreibung Besuch Betrieb Bild Blatt Brief Buch Büro Client Code Daten Dashboard Datei Debugging Dienst
Display Dokument Drucker Druck Eingabe Einladung Einrichtung Einsatz Eintrag Entwicklung Entwurf Ergebnis Erinnerung Export Faktor Fehler Feier
Fenster Filiale Filter Film Firma Folie Format Formular Forum Frage Funktion Fußboden Garten Gebühr Gerät Geschichte Gruppe Gutschein Hafen
Handbuch Haus Hinweis Idee Import Index Inhalt Installation Kabel Kalender Kanal Karte Katalog Kiste Klasse Knopf Kommentar
Konto Kontrolle Kopie Kosten Kurs Kunde Lager Lampe Laptop Leistung Leiter Liste Lizenz Log Lösung Maschine Maßnahme Material
Mitteilung Modell Modul Monat Motor Nachricht Netz Notiz Nummer Objekt Ordner Paket Papier Party Passage Pause Plan Plattform Preis
Problem Programm Prozess Prüfung Punkt Quelle Rabatt Raum Regal Regel Reise Rolle Runde Sache Schalter Schema Schicht Schrift Schritt
Seite Sensor Signal Sitzung Skript Software Speicher Spiel Sprache Stand Standort Stelle Stil Strategie Struktur Stunde Suche System Tabelle
Tafel Tarif Tasche Taste Teil Test Text Thema Tool Transport Treffen Tür Turnier Übersicht Umbau Umfrage Unterlagen Update Upload
Variante Verbindung Vergleich Verlag Version Verwaltung Video Vorlage Vorschlag Vorstellung Wagen Wartung Wechsel Werbung Werkzeug Wert
Woche Wunsch Zahl Zeit Zeitung Zelle Zentrale Zentrum Ziel Zimmer Zugang Zugriff Zusage Zustand Zweck Account Adapter Alert App Batch Bug
Call Check Container Demo Design Draft Event Feature Feed Fix Framework Hook Host Job Key Layout Link Mail Mapping Merge Node Note
Output Patch Pipeline Plugin Policy Pool Post Prompt Queue Queries Refactoring Report Request Roadmap Rollout Router Script Service Setup
Snapshot Sprint Stack Story Stream Style Sync Tag Task Template Thread Token Tracker Trigger Tutorial User View Widget Wizard Workshop""".split()
VERBS = "prüfen starten offen fertig läuft fehlt verschoben erledigt gelöst gebaut bestellt testen anlegen löschen umbenannt fragen planen war gut schicken kaufen hängt geplant besprochen abgesagt statt klären ist da neu kaputt defekt rot grün".split()
PRODUCTS = "Vento Hermes Graphiti Obsidian Telegram WhatsApp Docker Kubernetes Postgres Redis Grafana Prometheus Nextcloud Hetzner Stripe Slack Notion Figma GitHub GitLab Jira Confluence Python Rust Claude Gemini Linux Debian Ubuntu Windows Azure Google Microsoft Amazon Netflix Spotify Apple Adobe SAP Siemens Bosch Telekom Vodafone Sparkasse Commerzbank Lufthansa Visual Studio Business API Cloud Manager Server Memory Layer Core Hub Flow Desk Suite Paperless Homematic Sonos Zigbee Fritz Box Synology Proxmox Traefik Caddy Waldseilgarten".split()
DAYS = "Di Mi Montag Dienstag Freitag morgen heute 3.6. 12.05.2026 KW32 14:30 nächste nachmittags Juni".split() + ["nächste Woche", "am 3.6.", "um 9 Uhr"]
HONORIFICS = "Herr Frau Herrn Dr. Hr. Fr.".split() + ["Frau Dr.", "Herr Prof.", "Herr Dr."]


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    lists = [line.rstrip("\n").split("\t") for line in sys.stdin]
    lists = [(word, int(flags)) for word, flags in lists]
    near_first = [w for w, f in lists if f & NEAR_FIRST and not f & WORD and len(w) > 2]
    first = [w for w, f in lists if f & FIRST and not f & WORD and len(w) > 2]
    near_last = [w for w, f in lists if f & NEAR_LAST and len(w) > 2]
    last = [w for w, f in lists if f & LAST and not f & WORD and len(w) > 2]
    towns = [w for w, f in lists if f & TOWN and len(w) > 3]
    title = lambda w: "-".join(part[:1].upper() + part[1:] for part in w.split("-"))
    pick_first = lambda: title(rng.choice(near_first if rng.random() < 0.7 else first))
    pick_last = lambda: title(rng.choice(near_last if rng.random() < 0.7 else last))

    def given():
        name = pick_first()
        if rng.random() < 0.07:
            name += rng.choice("- ") + pick_first()
        return name

    def surname():
        if rng.random() < 0.12:
            # A surname that no list has.
            a, b = pick_last(), pick_last().lower()
            return a[: max(2, len(a) // 2)] + b[-max(3, len(b) // 2):]
        name = pick_last()
        if rng.random() < 0.07:
            name += "-" + pick_last()
        if rng.random() < 0.05:
            name = rng.choice(["von ", "van ", "von der ", "de ", "zu ", "van den "]) + name
        return name

    initial = lambda: rng.choice("ABCDEFGHIJKLMNOPRSTUVW") + "."
    makers = {
        "N": lambda: f"{given()} {surname()}" if rng.random() < 0.93 else f"{given()} {initial()} {surname()}",
        "R": lambda: f"{surname()}, {given()}", "A": lambda: f"{initial()} {surname()}", "U": lambda: f"{given()} {surname()}".upper(),
        "L": surname, "G": lambda: f"{given()} {surname()}" + "s",
        # The title is outside the name.
    }

    def noun():
        word = rng.choice(THINGS if rng.random() < 0.4 else NOUNS)
        if rng.random() < 0.2:
            word += rng.choice(["", "s"]) + rng.choice(NOUNS).lower()
        return word

    plain = {"T": noun, "V": lambda: rng.choice(VERBS), "X": lambda: given() + "s", "Y": surname, "P": lambda: rng.choice(PRODUCTS), "D": lambda: rng.choice(DAYS), "W": lambda: title(rng.choice(towns)), "H": lambda: rng.choice(HONORIFICS), "F": given}
    for _ in range(count):
        template = rng.choice(PEOPLE if rng.random() < 0.55 else EMPTY)
        text, spans, at = "", [], 0
        while at < len(template):
            if template[at] == "{":
                key = template[at + 1]
                value = (makers.get(key) or plain[key])()
                if key in makers:
                    spans.append({"start": len(text), "end": len(text) + len(value) - (key == "G"), "kind": "NAME"})
                elif key == "F":
                    spans.append({"start": len(text), "end": len(text) + len(value), "kind": "NAME"})
                text += value
                at += 3
            else:
                text += template[at]
                at += 1
        if rng.random() < 0.15:
            text += rng.choice([".", "!", " (offen)", ", siehe Notiz", " – dringend"])
        print(json.dumps({"text": text, "spans": spans}, ensure_ascii=False))


main()
