//! Postal addresses: street with number, postcode with town. German first, those of the neighbours and English ones as well.

mod foreign;
mod lists;
mod street;
mod town;
mod words;

use super::line::Line;
use super::overlap::Span;
use street::street;
use town::postcode;
use words::Words;

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
            let after_street = found.last().is_some_and(|last| word.start - last.range.end <= 2);
            foreign::dutch_postcode(line, &words, first, after_street)
                .or_else(|| postcode(line, &words, first, found.last()))
                .or_else(|| foreign::by_number(line, &words, first))
        } else {
            street(line, &words, first).or_else(|| foreign::by_word(line, &words, first))
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
            ("ruft aus 1010 Wien an", "ruft aus [ADDRESS] an"),
            ("Filiale 3011 Bern schließt", "Filiale [ADDRESS] schließt"),
            ("Sie zieht nach 5020 Salzburg", "Sie zieht nach [ADDRESS]"),
            ("Postfach 10 12 34, 20095 Hamburg", "[ADDRESS]"),
            ("an Postfach 4711", "an [ADDRESS]"),
            ("Postfach 12, 80331 München", "[ADDRESS]"),
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
            "2010 Wien besucht, 2025 Hamburg",
            "1500 Wiener Würstchen",
            "Brigade 3, Regata 5, Dekade 2",
        ]);
    }
}
