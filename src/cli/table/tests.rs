use std::time::Instant;

use proptest::prelude::*;

use super::*;

/// The reviewers' table, as `review pending` shows it.
fn reviews() -> Table {
    let mut table = Table::new([
        Column::id("id"),
        Column::short("age"),
        Column::short("left"),
        Column::short("project"),
        Column::text("page"),
        Column::text("fact"),
        Column::short("status"),
        Column::short("flags"),
        Column::number("seen"),
    ]);
    table.row(vec![
        Cell::new("REVIEW-20260521-143022-vento-telegram"),
        Cell::new("3 d"),
        Cell::new("11 d").tone(Tone::Warn),
        Cell::new("vento"),
        Cell::new("Projekte/Vento/Telegram.md"),
        Cell::new("Der Telegram-Kanal für Störungen läuft über Bot B; Größe der Gruppe: 12 Leute, gepflegt von der Leitstelle."),
        Cell::new("confirmed"),
        Cell::new("conflict").tone(Tone::Bad),
        Cell::new("2"),
    ]);
    table.row(vec![
        Cell::new("REVIEW-20260522-090000-日本"),
        Cell::new("2 d"),
        Cell::new("12 d"),
        Cell::new("kyoto"),
        Cell::new(""),
        Cell::new("会議は毎週月曜日 👍 \x1b[31mrot\x1b[0m\nzweite Zeile"),
        Cell::new("likely"),
        Cell::new(""),
        Cell::new("104"),
    ]);
    table
}

fn page() -> KeyValues {
    let mut page = KeyValues::new();
    page.pair("review", Cell::new("REVIEW-20260521-143022-vento-telegram").tone(Tone::Strong));
    page.pair("status", Cell::new("pending").tone(Tone::Good)).pair("conflict", "");
    page.section("Fact").text("Der Telegram-Kanal für Störungen läuft über Bot B, nicht mehr über Bot A.");
    page.section("Nothing here");
    page.section("Source").pair("session", "SESSION-20260521-vento").pair(
        "turn",
        Cell::block(
            "Bitte merken: der Kanal ist umgezogen, und zwar auf den neuen Bot.\r\n\r\nGruß aus der Leitstelle",
        ),
    );
    page
}

fn screen(width: u16) -> Screen {
    Screen { width: Some(width), color: false }
}

const PIPE: Screen = Screen { width: None, color: false };

#[test]
fn a_pipe_gets_one_line_per_row() {
    insta::assert_snapshot!(reviews().render(&PIPE), @"
    id                                     age  left  project  page                        fact                                                                                                         status     flags     seen
    REVIEW-20260521-143022-vento-telegram  3 d  11 d  vento    Projekte/Vento/Telegram.md  Der Telegram-Kanal für Störungen läuft über Bot B; Größe der Gruppe: 12 Leute, gepflegt von der Leitstelle.  confirmed  conflict     2
    REVIEW-20260522-090000-日本            2 d  12 d  kyoto                                会議は毎週月曜日 👍 ␛[31mrot␛[0m zweite Zeile                                                                likely                104
    ");
}

#[test]
fn rows_at_160() {
    insta::assert_snapshot!(reviews().render(&screen(160)), @"
    id                                     age  left  project  page                        fact                                            status     flags     seen
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    REVIEW-20260521-143022-vento-telegram  3 d  11 d  vento    Projekte/Vento/Telegram.md  Der Telegram-Kanal für Störungen läuft über     confirmed  conflict     2
                                                                                           Bot B; Größe der Gruppe: 12 Leute, gepflegt
                                                                                           von der Leitstelle.
    REVIEW-20260522-090000-日本            2 d  12 d  kyoto                                会議は毎週月曜日 👍 ␛[31mrot␛[0m zweite Zeile   likely                104
    ");
}

#[test]
fn rows_at_120() {
    insta::assert_snapshot!(reviews().render(&screen(120)), @"
    id                                     age  left  project  page              fact              status     flags     seen
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    REVIEW-20260521-143022-vento-telegram  3 d  11 d  vento    Projekte/Vento/   Der               confirmed  conflict     2
                                                               Telegram.md       Telegram-Kanal
                                                                                 für Störungen
                                                                                 läuft über Bot
                                                                                 B; Größe der
                                                                                 Gruppe: 12
                                                                                 Leute, gepflegt
                                                                                 von der
                                                                                 Leitstelle.
    REVIEW-20260522-090000-日本            2 d  12 d  kyoto                      会議は毎週月曜日  likely                104
                                                                                 👍 ␛[31mrot␛[0m
                                                                                 zweite Zeile
    ");
}

#[test]
fn blocks_at_100() {
    insta::assert_snapshot!(reviews().render(&screen(100)), @"
    REVIEW-20260521-143022-vento-telegram  3 d · 11 d · vento · confirmed · conflict · seen 2
      page  Projekte/Vento/Telegram.md
      fact  Der Telegram-Kanal für Störungen läuft über Bot B; Größe der Gruppe: 12 Leute, gepflegt von
            der Leitstelle.

    REVIEW-20260522-090000-日本  2 d · 12 d · kyoto · likely · seen 104
      fact  会議は毎週月曜日 👍 ␛[31mrot␛[0m zweite Zeile
    ");
}

#[test]
fn blocks_at_72() {
    insta::assert_snapshot!(reviews().render(&screen(72)), @"
    REVIEW-20260521-143022-vento-telegram  3 d · 11 d · vento · confirmed
      conflict · seen 2
      page  Projekte/Vento/Telegram.md
      fact  Der Telegram-Kanal für Störungen läuft über Bot B; Größe der
            Gruppe: 12 Leute, gepflegt von der Leitstelle.

    REVIEW-20260522-090000-日本  2 d · 12 d · kyoto · likely · seen 104
      fact  会議は毎週月曜日 👍 ␛[31mrot␛[0m zweite Zeile
    ");
}

#[test]
fn blocks_at_40() {
    insta::assert_snapshot!(reviews().render(&screen(40)), @"
    REVIEW-20260521-143022-vento-telegram
      3 d · 11 d · vento · confirmed
      conflict · seen 2
      page  Projekte/Vento/Telegram.md
      fact  Der Telegram-Kanal für Störungen
            läuft über Bot B; Größe der
            Gruppe: 12 Leute, gepflegt von
            der Leitstelle.

    REVIEW-20260522-090000-日本  2 d · 12 d
      kyoto · likely · seen 104
      fact  会議は毎週月曜日 👍 ␛[31mrot␛[0m
            zweite Zeile
    ");
}

#[test]
fn counts_stand_in_rows_wherever_they_fit() {
    let mut table = Table::new([Column::short("reviewer"), Column::number("decided"), Column::short("")]);
    table.row(vec![Cell::new("jörg"), Cell::new("12"), Cell::new(bars(12, 12, 8))]);
    table.row(vec![Cell::new("mia"), Cell::new("5"), Cell::new(bars(5, 12, 8))]);
    insta::assert_snapshot!(table.render(&screen(40)), @"
    reviewer  decided
    ───────────────────────────
    jörg           12  ████████
    mia             5  ███▍
    ");
}

#[test]
fn a_page_on_a_pipe() {
    insta::assert_snapshot!(page().render(&PIPE), @"
    review   REVIEW-20260521-143022-vento-telegram
    status   pending

    Fact
      Der Telegram-Kanal für Störungen läuft über Bot B, nicht mehr über Bot A.

    Source
      session  SESSION-20260521-vento
      turn     Bitte merken: der Kanal ist umgezogen, und zwar auf den neuen Bot.

               Gruß aus der Leitstelle
    ");
}

#[test]
fn a_page_at_72() {
    insta::assert_snapshot!(page().render(&screen(72)), @"
    review   REVIEW-20260521-143022-vento-telegram
    status   pending

    Fact
      Der Telegram-Kanal für Störungen läuft über Bot B, nicht mehr über Bot
      A.

    Source
      session  SESSION-20260521-vento
      turn     Bitte merken: der Kanal ist umgezogen, und zwar auf den neuen
               Bot.

               Gruß aus der Leitstelle
    ");
}

#[test]
fn a_page_at_20() {
    insta::assert_snapshot!(page().render(&screen(20)), @"
    review
      REVIEW-20260521-14
      3022-vento-telegra
      m
    status
      pending

    Fact
      Der Telegram-Kanal
      für Störungen
      läuft über Bot B,
      nicht mehr über
      Bot A.

    Source
      session
        SESSION-20260521
        -vento
      turn
        Bitte merken:
        der Kanal ist
        umgezogen, und
        zwar auf den
        neuen Bot.

        Gruß aus der
        Leitstelle
    ");
}

#[test]
fn colour_changes_nothing_but_colour() {
    for width in [20, 40, 72, 100, 120, 160, 300] {
        let colored = Screen { width: Some(width), color: true };
        for (with, without) in [
            (reviews().render(&colored), reviews().render(&screen(width))),
            (page().render(&colored), page().render(&screen(width))),
        ] {
            assert!(with.contains("\x1b["), "{width}");
            assert!(!without.contains('\x1b'), "{width}");
            assert_eq!(without_ansi(&with), without, "{width}");
        }
    }
    assert!(!reviews().render(&PIPE).contains('\x1b'));
    assert!(!page().render(&PIPE).contains('\x1b'));
}

#[test]
fn an_empty_table_is_no_text() {
    for screen in [PIPE, screen(120), screen(40)] {
        assert_eq!(Table::new([Column::id("id")]).render(&screen), "");
        assert_eq!(KeyValues::new().render(&screen), "");
    }
}

#[test]
fn short_and_long_rows_are_evened_out() {
    let mut table = Table::new([Column::id("id"), Column::text("fact")]);
    table.row(vec!["a".into()]);
    table.row(vec!["b".into(), "c".into(), "d".into()]);
    assert_eq!((table.len(), table.is_empty()), (2, false));
    assert_eq!(table.render(&PIPE), "id  fact\na\nb   c\n");
}

/// Ten thousand rows of nine columns, for a pipe: 6 to 8 ms in a release build. The bound leaves room for a busy machine.
#[test]
fn a_long_list_is_quick() {
    let mut table = Table::new(reviews().columns);
    for number in 0..10_000 {
        let mut cells = reviews().rows.swap_remove(number % 2);
        cells[0] = Cell::new(format!("REVIEW-20260521-143022-vento-{number}"));
        table.row(cells);
    }
    let started = Instant::now();
    let text = table.render(&PIPE);
    let took = started.elapsed();
    assert_eq!(text.lines().count(), 10_001);
    println!("10,000 rows, {} bytes: {took:?}", text.len());
    assert!(cfg!(debug_assertions) || took.as_millis() <= 40, "{took:?}");
}

fn without_ansi(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        out.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    out + rest
}

fn words() -> impl Strategy<Value = String> {
    prop::collection::vec("[a-z]{1,12}|[äöüß]{1,6}|[日本語]{1,8}|👍|e\u{301}|[ -~]{0,40}|\\PC{0,6}", 0..8)
        .prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_line_is_wider_than_the_screen(
        rows in prop::collection::vec(("[A-Z0-9-]{1,14}", words(), words(), "[0-9]{0,4}", words()), 1..5),
        width in 8u16..170,
    ) {
        let mut table = Table::new([
            Column::id("id"), Column::short("état"), Column::text("fact"), Column::number("seen"), Column::text("page"),
        ]);
        let mut page = KeyValues::new();
        let ids: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
        for (id, short, fact, seen, text) in rows {
            page.section(&id).pair("short", short.as_str()).text(fact.as_str());
            table.row(vec![id.into(), short.into(), fact.into(), seen.into(), text.into()]);
        }
        for color in [false, true] {
            let screen = Screen { width: Some(width), color };
            for line in (table.render(&screen) + &page.render(&screen)).lines() {
                let shown = without_ansi(line);
                let fits = unicode_width::UnicodeWidthStr::width(shown.as_str()) <= usize::from(width);
                prop_assert!(fits || ids.contains(&shown), "{shown:?}");
            }
        }
        let plain = table.render(&PIPE);
        prop_assert_eq!(plain.lines().count(), table.len() + 1);
        prop_assert!(plain.lines().all(|line| !line.ends_with(' ')));
    }
}
