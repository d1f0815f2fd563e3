//! Megabytes per second of the masker, on German prose, chat text and JSON of this file's own making.

use divan::Bencher;
use divan::counter::BytesCount;
use hermes_mem::mask::Masker;

fn main() {
    divan::main();
}

const PROSE: &str = "Die Gemeinde hat im vergangenen Jahr den alten Bahnhof gekauft und lässt ihn nun umbauen. Zuständig ist der \
    Architekt Jonas Lehmann, der schon die Schule am Marktplatz geplant hat. Der Umbau soll bis zum 30. Juni 2027 dauern \
    und rund 1.250.000 Euro kosten; die Hälfte davon zahlt das Land. Wer Fragen hat, erreicht das Bauamt vormittags.\n";
const CHAT: &str = "hast du schon von Anna Meier gehört?\nja, sie ruft morgen an, 0171/1234567\nok, dann schick ich ihr das \
    Angebot an anna.meier@example.de\nund die Rechnung 2026-00815?\nliegt bei Mario, Status ist 90% fertig, nicht live\n";
const JSON: &str = "{\"turn_id\": 3, \"timestamp\": \"2026-05-21T14:30:05Z\", \"user_input_summary\": \"Status von Vento\", \
    \"retrieval_meta\": {\"obsidian_sources\": 1, \"graphiti_facts\": 10, \"source_paths\": [\"03-Projekte/LP-VENTO.md\"]}, \
    \"api_key\": \"a1b2c3d4e5f6\", \"session\": \"SESSION-carlo-20260521-a3f7b2\"}\n";

fn run(bencher: Bencher<'_, '_>, unit: &str, size: usize) {
    let text = unit.repeat(size.div_ceil(unit.len()));
    let masker = Masker::default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| masker.mask(divan::black_box(&text)));
}

#[divan::bench(args = [1 << 10, 1 << 20])]
fn german_prose(bencher: Bencher<'_, '_>, size: usize) {
    run(bencher, PROSE, size);
}

#[divan::bench(args = [1 << 10, 1 << 20])]
fn chat(bencher: Bencher<'_, '_>, size: usize) {
    run(bencher, CHAT, size);
}

#[divan::bench(args = [1 << 10, 1 << 20])]
fn json(bencher: Bencher<'_, '_>, size: usize) {
    run(bencher, JSON, size);
}
