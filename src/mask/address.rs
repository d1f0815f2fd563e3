//! Postal addresses: street with number, postcode with town. German first, English street lines as well.

use super::Kind;
use super::line::Line;
use super::names::lists::{self, Flags};
use super::overlap::Span;
use super::protect::is_date;

/// Endings of German street names that hardly anything else has, in lower case.
const SURE: &[&str] = &[
    "straße",
    "strasse",
    "str.",
    "str",
    "gasse",
    "allee",
    "chaussee",
    "promenade",
    "stieg",
    "stiege",
    "weg",
    "platz",
    "ufer",
    "damm",
    "twiete",
    "gässchen",
    "gässle",
    "gäßchen",
];
/// Endings that other words share: they need a house number that ends the phrase, or a postcode after it.
const SHARED: &[&str] = &[
    "ring", "wall", "graben", "steig", "pfad", "hof", "markt", "berg", "park", "tor", "brücke", "garten", "feld",
    "kamp", "zeile", "winkel", "wiese", "kai", "höhe", "rain", "blick", "grund", "hang", "anger", "bogen", "steg",
    "siedlung", "wiesen", "gärten", "mühle", "schanze", "leite", "halde", "aue", "heide", "bleiche", "terrasse",
    "dorf", "deich", "brook", "redder", "wende",
];
/// Words that end like a street and are none, in lower case.
const NO_STREETS: &[&str] = &[
    "weg",
    "platz",
    "arbeitsplatz",
    "marktplatz-app",
    "umweg",
    "ausweg",
    "rückweg",
    "lösungsweg",
    "rechtsweg",
    "dienstweg",
    "stellplatz",
    "speicherplatz",
    "parkplatz",
    "monitoring",
    "string",
    "rollout-ring",
    "engineering",
    "bahnsteig",
    "ausstieg",
    "einstieg",
    "anstieg",
    "abstieg",
    "umstieg",
    "aufstieg",
    "vertrag",
    "sitzplatz",
    "listenplatz",
    "tabellenplatz",
    "steckplatz",
    "startplatz",
    "spielplatz",
    "campingplatz",
    "sportplatz",
    "zeltplatz",
    "bauplatz",
    "ring",
    "hof",
    "berg",
    "markt",
    "park",
    "tor",
    "feld",
    "wall",
    "hang",
    "grund",
    "pfad",
    "dateipfad",
    "textfeld",
    "eingabefeld",
    "datenfeld",
    "umfeld",
    "suchfeld",
    "pflichtfeld",
    "supermarkt",
    "arbeitsmarkt",
    "aktienmarkt",
    "flohmarkt",
    "zusammenhang",
    "anhang",
    "vorhang",
    "umhang",
    "hintergrund",
    "vordergrund",
    "untergrund",
    "grundstück",
    "fuhrpark",
    "freizeitpark",
    "friedhof",
    "bahnhof",
    "flughafen",
    "gerichtshof",
    "bundesgerichtshof",
    "verwaltungsgerichtshof",
    "autor",
    "motor",
    "reaktor",
    "faktor",
    "monitor",
    "vektor",
    "sektor",
    "traktor",
    "direktor",
    "doktor",
    "rektor",
    "editor",
    "operator",
    "administrator",
    "moderator",
    "indikator",
    "generator",
    "kalender",
    "blick",
    "überblick",
    "einblick",
    "ausblick",
    "rückblick",
    "augenblick",
    "zeile",
    "kopfzeile",
    "fußzeile",
    "höhe",
    "kommandozeile",
    "befehlszeile",
    "zeitraum",
    "fehlerhöhe",
    "miethöhe",
    "anfang",
    "umfang",
    "eingang",
    "ausgang",
    "vorgang",
    "zugang",
    "bogen",
    "fragebogen",
    "erhebungsbogen",
    "dorf",
    "strategie",
    "wende",
    "energiewende",
    "jahreswende",
    "bring",
    "spring",
    "frühling",
];
/// How a German street name of several words starts, in lower case.
const LEADS: &[&str] = &[
    "am",
    "an der",
    "an den",
    "an dem",
    "im",
    "in der",
    "in den",
    "in dem",
    "zum",
    "zur",
    "zu den",
    "auf dem",
    "auf der",
    "auf den",
    "unter den",
    "unter der",
    "unterm",
    "hinter der",
    "hinter dem",
    "hinterm",
    "vor dem",
    "vor der",
    "vorm",
    "beim",
    "bei der",
    "bei den",
    "bei dem",
    "über der",
    "neben der",
    "um die",
    "op de",
    "achtern",
];
/// Capitalised words that a number follows though they are no street, in lower case: times and things that are counted.
const COUNTED: &[&str] = &[
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonnabend",
    "sonntag",
    "januar",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
    "jahr",
    "jahre",
    "jahren",
    "quartal",
    "monat",
    "kw",
    "tag",
    "tagen",
    "uhr",
    "abschnitt",
    "kapitel",
    "absatz",
    "artikel",
    "seite",
    "seiten",
    "zeile",
    "punkt",
    "schritt",
    "teil",
    "port",
    "version",
    "sprint",
    "ticket",
    "issue",
    "raum",
    "zimmer",
    "termin",
    "stand",
    "phase",
    "level",
    "stufe",
    "tabelle",
    "abbildung",
    "anlage",
    "nummer",
    "nr",
    "gate",
    "gleis",
    "block",
    "turn",
    "februrar",
    "alter",
    "frühjahr",
    "sommer",
    "herbst",
    "winter",
    "wert",
    "preis",
    "vergleich",
    "schnitt",
    "durchschnitt",
    "mittel",
    "turm",
    "projekt",
    "release",
    "build",
    "server",
    "cluster",
    "test",
    "fall",
    "wesentlichen",
    "übrigen",
    "rahmen",
    "randnummer",
    "ende",
    "anfang",
    "bereich",
    "fenster",
];
/// Nouns after a five-digit number that make it a count, in lower case.
const NO_TOWNS: &[&str] = &[
    "euro",
    "eur",
    "usd",
    "chf",
    "dollar",
    "franken",
    "stück",
    "zeilen",
    "nutzer",
    "user",
    "nutzern",
    "einträge",
    "einträgen",
    "personen",
    "menschen",
    "einwohner",
    "einwohnern",
    "kilometer",
    "meter",
    "tonnen",
    "mb",
    "gb",
    "kb",
    "datensätze",
    "datensätzen",
    "dateien",
    "tokens",
    "token",
    "requests",
    "anfragen",
    "zeichen",
    "mitarbeiter",
    "mitarbeitern",
    "besucher",
    "zuschauer",
    "exemplare",
    "quadratmeter",
    "hektar",
    "mal",
    "prozent",
    "punkte",
    "punkten",
    "mitglieder",
    "mitgliedern",
    "kunden",
    "artikel",
    "seiten",
    "bytes",
    "stunden",
    "tage",
    "jahre",
    "mark",
    "soldaten",
    "studenten",
    "studierende",
    "zuschauern",
    "pfund",
    "rubel",
    "yen",
    "kronen",
    "aktien",
    "stellen",
    "wohnungen",
    "fälle",
    "opfer",
    "tote",
    "stimmen",
    "wörter",
    "knoten",
    "elemente",
    "objekte",
    "zugriffe",
    "aufrufe",
    "sessions",
    "reviews",
    "blöcke",
    "commits",
    "tests",
    "arbeitsplätze",
    "patienten",
    "gäste",
    "uhr",
    "watt",
    "grad",
    "jahren",
    "tagen",
];
/// Endings of town names in the German-speaking countries, in lower case.
const TOWN_ENDINGS: &[&str] = &[
    "burg", "berg", "stadt", "dorf", "heim", "hausen", "ingen", "furt", "kirchen", "bach", "felde", "itz", "walde",
    "brück", "brücken", "münde", "haven", "rode", "leben", "ried", "hofen", "stetten", "weiler", "stein", "tal",
    "thal", "hafen", "werder", "büttel", "born", "hagen", "horst", "moos", "münster", "zell", "kirch", "ow", "hain",
    "lar", "beck", "bek", "lohe", "scheid", "bronn", "brunn", "nitz", "witz", "eck", "egg", "kum", "reuth", "roth",
    "trop", "wedel", "broich", "rath", "hörn", "büren", "lage", "siel", "tin", "zin",
];
/// What stands before a postcode for its country.
const COUNTRIES: &[&str] = &["DE-", "AT-", "CH-", "D-", "A-", "L-", "FL-"];
const ENGLISH_STREETS: &[&str] = &[
    "street",
    "st",
    "st.",
    "avenue",
    "ave",
    "ave.",
    "road",
    "rd",
    "rd.",
    "lane",
    "ln",
    "drive",
    "dr",
    "dr.",
    "boulevard",
    "blvd",
    "blvd.",
    "court",
    "ct",
    "way",
    "place",
    "pl",
    "square",
    "sq",
    "terrace",
    "highway",
    "hwy",
    "parkway",
    "pkwy",
    "circle",
    "trail",
    "crescent",
    "close",
    "row",
    "gardens",
];

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    if !line.text().bytes().any(|b| b.is_ascii_digit()) {
        return;
    }
    let words = Words::of(line);
    let mut found: Vec<Span> = Vec::new();
    let mut first = 0;
    while let Some(word) = words.list.get(first) {
        let text = line.slice(word.start..word.end);
        let free_from = found.last().map_or(0, |span| span.range.end);
        let hit = if word.start < free_from {
            None
        } else if text.starts_with(|c: char| c.is_ascii_digit()) {
            postcode(line, &words, first, found.last()).or_else(|| english(line, &words, first))
        } else {
            street(line, &words, first)
        };
        if let Some(span) = hit {
            join(line, &mut found, span);
        }
        first += 1;
    }
    out.extend(found);
}

/// Adds a finding, as one with the one before it where only a comma or a blank is between them.
fn join(line: Line<'_>, found: &mut Vec<Span>, span: Span) {
    if let Some(last) = found.last_mut() {
        let between = line.slice(last.range.end..span.range.start);
        if between.len() <= 4
            && between.chars().all(|c| matches!(c, ' ' | ',' | '\t' | '/' | '-' | '–' | '|' | '·' | ';'))
        {
            last.range.end = span.range.end;
            return;
        }
    }
    found.push(span);
}

/// The words of a line: letters, figures and hyphens, with the point of an abbreviation.
struct Words {
    list: Vec<Word>,
}

#[derive(Clone, Copy)]
struct Word {
    start: usize,
    end: usize,
}

impl Words {
    fn of(line: Line<'_>) -> Self {
        let mut list = Vec::new();
        let mut at = 0;
        while at < line.len() {
            let mut start = at + line.from(at).find(char::is_alphanumeric).unwrap_or(line.len() - at);
            // The country before a postcode is read from the postcode.
            let country = COUNTRIES.iter().find(|country| {
                line.from(start).starts_with(**country) && line.byte(start + country.len()).is_ascii_digit()
            });
            start += country.map_or(0, |country| country.len());
            let mut end = line.run_chars(start, |c| c.is_alphanumeric() || c == '-' || c == '\'' || c == '’');
            if end == start {
                break;
            }
            while line.byte_before(end) == b'-' {
                end -= 1;
            }
            // "Hauptstr." keeps its point, and "Prof.-Dr.-Weg" its middle ones.
            while line.byte(end) == b'.'
                && (line.byte(end + 1) == b'-' && line.char(end + 2).is_some_and(char::is_alphabetic))
            {
                end = line.run_chars(end + 2, |c| c.is_alphanumeric() || c == '-');
            }
            if line.byte(end) == b'.'
                && ends_with_any(&line.slice(start..end).to_lowercase(), &["str", "st", "ave", "rd", "blvd", "dr"])
            {
                end += 1;
            }
            list.push(Word { start, end });
            at = end;
        }
        Self { list }
    }

    /// The word at `index`, when nothing but one or two blanks is between it and the one before.
    fn next(&self, line: Line<'_>, index: usize) -> Option<Word> {
        let word = *self.list.get(index)?;
        let before = self.list.get(index.checked_sub(1)?)?;
        let gap = line.slice(before.end..word.start);
        ((gap.is_empty() && line.byte_before(before.end) == b'.')
            || (1..=2).contains(&gap.len()) && gap.bytes().all(|b| b == b' '))
        .then_some(word)
    }
}

fn ends_with_any(word: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| word.ends_with(ending))
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// A German street with its number, whose first word is at `first`.
fn street(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let start = words.list.get(first)?.start;
    let text = |word: Word| line.slice(word.start..word.end);
    let opening = text(*words.list.get(first)?);
    // "Adresse Kirchgasse 3": the word for it is no part of it.
    let label = ["adresse", "anschrift", "lieferadresse", "rechnungsadresse", "neue", "alte"]
        .contains(&opening.to_lowercase().as_str())
        && words.list.len() > first + 2;
    if !is_capital(opening) || label && !opening.starts_with('N') && !opening.starts_with("Alte") {
        return None;
    }
    // "An der Alten Mühle 7", "Unter den Linden 5": a lead of one or two words, then one or two more.
    let one = opening.to_lowercase();
    let two = words.next(line, first + 1).map(|word| format!("{one} {}", text(word).to_lowercase()));
    let lead = if two.as_deref().is_some_and(|two| LEADS.contains(&two)) {
        2
    } else {
        usize::from(LEADS.contains(&one.as_str()))
    };
    let mut sure = false;
    let mut shared = false;
    let mut index = first;
    for count in 0..5 {
        let word = if count == 0 { *words.list.get(index)? } else { words.next(line, index)? };
        let lower = text(word).to_lowercase();
        let standing_alone = count > 0;
        let is_street = |endings: &[&str]| {
            endings.iter().any(|e| lower.ends_with(e) && (lower.len() > e.len() + 2 || standing_alone))
                && (standing_alone && SURE.contains(&lower.as_str()) || !NO_STREETS.contains(&lower.as_str()))
        };
        sure |= count >= lead && is_capital(text(word)) && is_street(SURE) && (lower != "weg" || standing_alone);
        shared |= count >= lead && is_capital(text(word)) && is_street(SHARED);
        index += 1;
        if let Some(number) = words.next(line, index)
            && let Some(end) = house_number(line, number)
        {
            let by_lead = lead > 0 && count >= lead && is_capital(text(word)) && !COUNTED.contains(&lower.as_str());
            let phrase_ends = closes(line, end) && !COUNTED.contains(&lower.as_str());
            let cue = address_cue(line, start);
            let postcode = before_postcode(line, end);
            let fits = sure && (count == 0 || lead > 0 || is_street(SURE))
                || (shared && is_street(SHARED) || by_lead)
                    && (postcode || cue || phrase_ends && (shared || lead > 0 && count > 1));
            return (fits && !figure_follows(line, end))
                .then(|| Span::new(start..end, Kind::Address, "street-and-number"));
        }
        // "Straße des 17. Juni 135".
        if count == 0 && matches!(lower.as_str(), "straße" | "strasse" | "platz") && line.has_at(word.end, " des ") {
            return named_after_day(line, start, word.end);
        }
        // Between the words of a street name there are only its own: adjectives, names, "der".
        let joins = is_capital(text(word))
            || matches!(lower.as_str(), "der" | "den" | "dem" | "des" | "de" | "von" | "zu" | "an" | "d" | "la");
        if !joins || is_street(SURE) && count > 0 || lead == 0 && count == 0 && !street_opener(&lower) && !sure {
            return None;
        }
    }
    None
}

/// Whether a capitalised word can open a street name of several words ("Lange Straße", "Karl Marx Allee").
fn street_opener(lower: &str) -> bool {
    let adjective = ["e", "er", "en", "es"].iter().any(|e| lower.ends_with(e)) && lower.len() > 3;
    adjective || lists::flags(lower).any(Flags::FIRST | Flags::LAST | Flags::TOWN) || lower.ends_with("str.")
}

fn named_after_day(line: Line<'_>, start: usize, at: usize) -> Option<Span> {
    let day = line.run(at + 5, |b| b.is_ascii_digit());
    let month = line.run_chars(line.skip_blanks(day + 1), char::is_alphabetic);
    let number = line.skip_blanks(month);
    let end = house_number_end(line, number)?;
    (day > at + 5 && line.byte(day) == b'.').then(|| Span::new(start..end, Kind::Address, "street-and-number"))
}

/// The end of the house number that the word is or starts: `5`, `5a`, `5-7`, `5/7`, `5 a`.
fn house_number(line: Line<'_>, word: Word) -> Option<usize> {
    house_number_end(line, word.start)
}

fn house_number_end(line: Line<'_>, start: usize) -> Option<usize> {
    let digit = |b: u8| b.is_ascii_digit();
    let mut end = line.run(start, digit);
    if !(1..=4).contains(&(end - start)) || line.byte(start) == b'0' {
        return None;
    }
    if line.byte(end).is_ascii_alphabetic() && line.ends_word(end + 1) {
        end += 1;
    } else if line.byte(end) == b' '
        && line.byte(end + 1).is_ascii_lowercase()
        && line.ends_word(end + 2)
        && line.byte(end + 2) != b'.'
    {
        end += 2;
    }
    if matches!(line.byte(end), b'-' | b'/' | b'+') || line.from(end).starts_with('–') {
        let next = end + if line.byte(end).is_ascii() { 1 } else { '–'.len_utf8() };
        let stop = line.run(next, digit);
        if (1..=4).contains(&(stop - next)) {
            end = if line.byte(stop).is_ascii_lowercase() && line.ends_word(stop + 1) { stop + 1 } else { stop };
        }
    }
    line.ends_word(end).then_some(end)
}

/// Whether the figures just read run on: a date, a time, a decimal, an amount.
fn figure_follows(line: Line<'_>, end: usize) -> bool {
    let next = line.byte(end);
    matches!(next, b'.' | b':' | b',' | b'-') && line.byte(end + 1).is_ascii_digit() && !before_postcode(line, end)
        || matches!(next, b'%')
        || line.from(end).trim_start().starts_with(['€', '%', '$'])
}

/// Whether the phrase ends at `end`.
fn closes(line: Line<'_>, end: usize) -> bool {
    let rest = line.from(end);
    let next = rest.trim_start_matches(' ').chars().next();
    next.is_none_or(|c| matches!(c, ',' | '.' | ';' | ')' | '|' | '"' | '\'' | '/' | '<'))
}

fn before_postcode(line: Line<'_>, end: usize) -> bool {
    let at = line.run(end, |b| matches!(b, b' ' | b','));
    let at = if matches!(line.slice(at..at + 2), "D-" | "A-" | "L-") { at + 2 } else { at };
    let stop = line.run(at, |b| b.is_ascii_digit());
    (4..=5).contains(&(stop - at))
        && at > end
        && line.byte(stop) == b' '
        && line.char(stop + 1).is_some_and(char::is_uppercase)
}

fn address_cue(line: Line<'_>, start: usize) -> bool {
    let tail = line.tail_before(start, 32).to_lowercase();
    [
        "adresse",
        "anschrift",
        "wohnhaft",
        "wohnt",
        "straße:",
        "strasse:",
        "lieferung an",
        "address",
        "lebt in",
        "zieht",
        "umgezogen",
        "büro:",
        "sitz:",
        "standort:",
    ]
    .iter()
    .any(|cue| tail.contains(cue))
}

/// A postcode with its town, the postcode being the word at `first`.
fn postcode(line: Line<'_>, words: &Words, first: usize, previous: Option<&Span>) -> Option<Span> {
    let code = *words.list.get(first)?;
    let digits = line.slice(code.start..code.end);
    let after_street = previous.is_some_and(|span| {
        line.slice(span.range.end..code.start)
            .chars()
            .all(|c| matches!(c, ' ' | ',' | 'D' | 'A' | '-' | '/' | '|' | ';'))
            && code.start - span.range.end <= 5
    });
    let (start, country) = match line.to(code.start).rsplit_once(|c: char| !c.is_alphanumeric() && c != '-') {
        _ if line.to(code.start).ends_with("D-")
            || line.to(code.start).ends_with("A-")
            || line.to(code.start).ends_with("L-") =>
        {
            (code.start - 2, true)
        }
        _ if ["DE-", "AT-", "CH-"].iter().any(|prefix| line.to(code.start).ends_with(prefix)) => (code.start - 3, true),
        _ => (code.start, false),
    };
    let five = digits.len() == 5 && digits.bytes().all(|b| b.is_ascii_digit()) && ("01001".."99999").contains(&digits);
    let four = digits.len() == 4
        && digits.bytes().all(|b| b.is_ascii_digit())
        && digits >= "1000"
        && (country || after_street);
    let joined = matches!(line.byte_before(start), b'-' | b'_' | b'.' | b',' | b'/' | b'#' | b'+' | b':')
        && line.char_before(start.saturating_sub(1)).is_some_and(char::is_alphanumeric);
    if !(five || four) || joined && !after_street || !line.starts_word(start) {
        return None;
    }
    let (end, sure) = town(line, words, first + 1)?;
    let cue = address_cue(line, start)
        || line.tail_before(start, 12).to_lowercase().trim_end().ends_with("plz")
        || line.tail_before(start, 12).to_lowercase().trim_end().ends_with(" in");
    (sure || after_street || country || cue).then(|| Span::new(start..end, Kind::Address, "postcode-and-town"))
}

/// The end of the town's name that starts with the word at `index`, and whether it is known or formed like one.
fn town(line: Line<'_>, words: &Words, index: usize) -> Option<(usize, bool)> {
    let first = words.next(line, index)?;
    let text = line.slice(first.start..first.end);
    let lower = text.to_lowercase();
    if !is_capital(text)
        || NO_TOWNS.contains(&lower.as_str())
        || lists::flags(&lower).any(Flags::WORD) && !lists::flags(&lower).any(Flags::TOWN)
    {
        return None;
    }
    let titled = matches!(
        lower.as_str(),
        "bad"
            | "sankt"
            | "st"
            | "st."
            | "neu"
            | "alt"
            | "groß"
            | "klein"
            | "markt"
            | "hohen"
            | "ober"
            | "unter"
            | "hann"
            | "den"
    );
    let mut end = first.end;
    let mut sure = lists::flags(&lower).any(Flags::TOWN)
        || lower.split('-').any(|part| lists::flags(part).any(Flags::TOWN))
        || ends_with_any(&lower, TOWN_ENDINGS) && lower.len() > 4;
    let mut at = index + 1;
    if titled {
        if line.byte(end) == b'.' {
            end += 1;
        }
        let second = *words.list.get(at)?;
        let gap = line.slice(first.end..second.start);
        if gap.len() > 2 || !is_capital(line.slice(second.start..second.end)) {
            return Some((end, sure));
        }
        end = second.end;
        sure = true;
        at += 1;
    }
    // "Frankfurt am Main", "Rothenburg ob der Tauber", "Neustadt a. d. Weinstraße", "Halle (Saale)".
    let links = ["am", "an", "im", "in", "ob", "bei", "vor", "a", "der", "d", "i", "den", "dem", "b"];
    let mut link_seen = false;
    while let Some(word) = words.list.get(at) {
        let text = line.slice(word.start..word.end);
        let gap = line.slice(end..word.start);
        let plain_gap = matches!(gap, " " | ". " | "." | "/" | "/ ");
        if plain_gap && links.contains(&text) {
            link_seen = true;
        } else if link_seen && plain_gap && is_capital(text) && is_place_part(text) {
            end = word.end;
            sure = true;
            break;
        } else {
            break;
        }
        if at > index + 4 {
            break;
        }
        // Counted in only if a name follows.
        let probe = words.list.get(at + 1).map(|next| line.slice(word.end..next.start));
        if probe.is_none_or(|gap| gap.len() > 2) {
            break;
        }
        end = if link_seen
            && words.list.get(at + 1).is_some_and(|n| {
                is_place_part(line.slice(n.start..n.end)) || links.contains(&line.slice(n.start..n.end))
            }) {
            word.end
        } else {
            return Some((first_end(first, end, word.start), sure));
        };
        at += 1;
    }
    Some((end, sure))
}

fn first_end(first: Word, end: usize, before: usize) -> usize {
    if end < before { end.max(first.end) } else { first.end }
}

/// Rivers, lakes and hills in the names of towns.
fn is_place_part(text: &str) -> bool {
    const PARTS: &[&str] = &[
        "Main",
        "Rhein",
        "Oder",
        "Neckar",
        "Donau",
        "Inn",
        "Lech",
        "Isar",
        "Saale",
        "Elbe",
        "Weser",
        "Havel",
        "Spree",
        "Ruhr",
        "Lahn",
        "Mosel",
        "Saar",
        "Aller",
        "Leine",
        "Weinstraße",
        "Tauber",
        "Bodensee",
        "Ammersee",
        "Chiemsee",
        "Starnberger",
        "Harz",
        "Wald",
        "See",
        "Teck",
        "Steig",
        "Brenz",
        "Ilm",
        "Aisch",
        "Sand",
        "Paar",
        "Alz",
        "Vils",
        "Rems",
        "Fils",
        "Enz",
        "Nagold",
        "Alb",
        "Taunus",
        "Odenwald",
        "Allgäu",
        "Berg",
        "Glan",
        "Nahe",
        "Sieg",
        "Ems",
        "Lippe",
        "Werra",
        "Fulda",
        "Eder",
        "Glonn",
        "Amper",
        "Iller",
        "Mur",
        "Drau",
        "Enns",
        "Ybbs",
        "Steyr",
        "Attersee",
        "Wörthersee",
        "Tegernsee",
        "Schliersee",
        "Hessen",
        "Bayern",
        "Schwaben",
        "München",
        "Berlin",
        "Hamburg",
        "Köln",
        "Bremen",
    ];
    PARTS.contains(&text)
}

/// `742 Evergreen Terrace`, `12 Main St`, the number being the word at `first`.
fn english(line: Line<'_>, words: &Words, first: usize) -> Option<Span> {
    let number = *words.list.get(first)?;
    let text = line.slice(number.start..number.end);
    let figures = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if !(1..=5).contains(&figures.len())
        || text.len() > figures.len() + 1
        || !figures.bytes().all(|b| b.is_ascii_digit())
        || is_date(text)
        || matches!(line.byte_before(number.start), b'.' | b',' | b'/' | b'$' | b':' | b'-')
    {
        return None;
    }
    for count in 1..=4 {
        let word = words.next(line, first + count)?;
        let text = line.slice(word.start..word.end);
        if !is_capital(text) {
            return None;
        }
        if count > 1 && ENGLISH_STREETS.contains(&text.to_lowercase().as_str()) {
            return Some(Span::new(number.start..word.end, Kind::Address, "street-and-number"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn german_addresses_are_found() {
        assert_masked(&[
            ("Hauptstraße 5, 80331 München", "[ADDRESS]"),
            ("wohnt Goethestr. 12a in 60313 Frankfurt am Main.", "wohnt [ADDRESS] in [ADDRESS]."),
            ("Am Markt 3, 99423 Weimar", "[ADDRESS]"),
            ("Unter den Linden 77", "[ADDRESS]"),
            ("Lieferung an Lange Straße 4-6", "Lieferung an [ADDRESS]"),
            ("Karl-Marx-Allee 10, Berlin", "[ADDRESS], Berlin"),
            ("Schillerplatz 1", "[ADDRESS]"),
            ("Anschrift: An der Alten Mühle 7, 21335 Lüneburg", "Anschrift: [ADDRESS]"),
            ("Straße des 17. Juni 135", "[ADDRESS]"),
            ("D-10115 Berlin", "[ADDRESS]"),
            ("Bahnhofstr.5", "[ADDRESS]"),
            ("Prof.-Dr.-Stolte-Str. 8", "[ADDRESS]"),
            ("61348 Bad Homburg", "[ADDRESS]"),
            ("Mariahilfer Straße 12, 1060 Wien", "[ADDRESS]"),
            ("15230 Frankfurt (Oder)", "[ADDRESS] (Oder)"),
        ]);
    }

    #[test]
    fn english_street_lines_are_found() {
        assert_masked(&[
            ("742 Evergreen Terrace", "[ADDRESS]"),
            ("lives at 12 North Main St. now", "lives at [ADDRESS] now"),
        ]);
    }

    #[test]
    fn counts_and_dates_stay() {
        assert_kept(&[
            "12345 Euro und 50000 Nutzer",
            "10000 Zeilen",
            "Am Montag 5 Anrufe",
            "Im Mai 12 Termine",
            "Platz 3 im Ranking",
            "Der Weg 2 ist kürzer",
            "Speicherplatz 5 GB",
            "am Bahnhof 5 Minuten warten",
            "Monitoring 2 Server",
            "Straße gesperrt",
            "Im Jahr 2024",
            "Auf dem Server 3",
            "Absatz 2 Satz 1",
        ]);
    }
}
