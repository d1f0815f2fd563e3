//! Every rule's examples, the pipeline's conduct, and its cost on hostile text.

use std::time::Instant;

use proptest::prelude::*;

use super::*;

/// The usual `[extract] min_confidence`.
const MIN: f64 = 0.6;

fn kept(text: &str) -> Vec<Candidate> {
    extract(text).into_iter().filter(|candidate| candidate.confidence >= MIN).collect()
}

#[test]
fn every_rule_takes_and_leaves_its_examples() {
    let mut wrong = Vec::new();
    for rule in rules() {
        assert!(!rule.takes.is_empty() && !rule.leaves.is_empty(), "{}", rule.name);
        for (sentence, value) in rule.takes {
            let found = kept(sentence);
            if !found.iter().any(|candidate| candidate.rule == rule.name && candidate.value == *value) {
                wrong.push(format!("{} should take: {sentence}\n  found {found:?}", rule.name));
            }
        }
        for sentence in rule.leaves {
            let found = kept(sentence);
            if !found.is_empty() {
                wrong.push(format!("{} should leave: {sentence}\n  found {found:?}", rule.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_have_names_of_their_own() {
    let mut names: Vec<&str> = rules().map(|rule| rule.name).collect();
    names.sort_unstable();
    let number = names.len();
    names.dedup();
    assert_eq!(names.len(), number);
}

#[test]
fn the_same_thing_said_again_lands_in_the_same_place() {
    for (one, other) in [
        ("Ich mag lieber kompakte Tabellen.", "I prefer wide tables."),
        ("Das CRM ist fertig.", "The CRM is blocked."),
        ("Das CRM ist zu 40 % fertig.", "Das CRM ist zu 90 % fertig."),
        ("Wir haben entschieden, SQLite zu nehmen.", "We decided to use Postgres."),
        ("Die Website läuft bei Hetzner.", "Die Website läuft bei Netcup."),
        ("Die Agentur macht das Design.", "Der Praktikant macht das Design."),
        ("Als Cache nutzen wir Redis.", "We use Memcached as cache."),
    ] {
        let place = |text: &str| {
            let found = kept(text);
            let [only] = found.as_slice() else { panic!("{text}: {found:?}") };
            let entities: Vec<String> =
                only.entities.iter().map(|name| crate::domain::block::fold_entity(name)).collect();
            (only.subject.block_type(), only.category, only.key.clone(), entities)
        };
        assert_eq!(place(one), place(other), "{one} – {other}");
    }
}

#[test]
fn doubts_lower_the_confidence_and_questions_yield_nothing() {
    for (text, doubt) in [
        ("Das CRM ist fertig, die App nicht.", Doubt::Negated),
        ("Wenn alles klappt: Das CRM ist live.", Doubt::Hypothetical),
        ("Er sagte: „Das CRM ist fertig.“", Doubt::Quoted),
        ("Das CRM ist fertig, haha.", Doubt::Joke),
        ("Damals, so sagt das Protokoll: Der Shop ist live.", Doubt::Past),
        ("Angeblich: Das CRM ist fertig.", Doubt::Hedged),
    ] {
        let found = extract(text);
        assert!(found.iter().any(|one| one.doubts.contains(&doubt)), "{text}: {found:?}");
        assert!(found.iter().all(|one| one.confidence < MIN), "{text}: {found:?}");
    }
    assert_eq!(extract("Ist das CRM fertig? Ich mag lieber Tabellen, ok?"), []);
}

#[test]
fn what_was_masked_is_neither_a_person_nor_a_thing_nor_a_value() {
    for text in [
        "[NAME] kümmert sich um die Server.",
        "[NAME] ist fertig.",
        "Ich mag lieber [NAME].",
        "Wir nutzen [NAME] als Cache.",
    ] {
        assert_eq!(kept(text), [], "{text}");
    }
    let found = kept("Ich mag lieber Anrufe von [NAME].");
    assert_eq!(found.first().map(|one| one.value.as_str()), Some("Anrufe von [NAME]"));
}

#[test]
fn a_place_is_where_the_sentence_begins() {
    let text = "# Notizen\n\n- Hallo. Das CRM ist fertig.\r\n> Das Portal ist fertig.\n- [ ] Der Shop ist fertig.\n";
    let found = kept(text);
    let places: Vec<&str> = found.iter().filter_map(|one| text.get(one.at..)?.get(..7)).collect();
    assert_eq!(places, ["Das CRM"]);
}

#[test]
fn hostile_text_costs_no_more_than_its_length() {
    // Ten million bytes each. A cost that grows with the square would take hours, so the bound need not be tight.
    for piece in [
        "a ",
        "wir ",
        "ich mag lieber ",
        "„ich mag ",
        "\"",
        ".",
        ". ",
        "? ! ",
        "[NAME] ",
        "\n",
        "- ",
        "ist ist ",
        "<any> { ",
        "{ ",
        "Das CRM ist fertig. ",
        "um zu um zu , ",
        "to , ",
        "ä\u{308}",
        "\u{202e}x ",
        "bitte immer bitte immer. ",
        "1.2.3.4 ",
    ] {
        let text = piece.repeat(10_000_000 / piece.len());
        let begin = Instant::now();
        let found = extract(&text);
        assert!(begin.elapsed().as_secs() < 120, "{piece:?} took {:?}", begin.elapsed());
        assert!(found.len() <= text.len());
    }
}

proptest! {
    #[test]
    fn any_text_is_taken_without_a_panic_and_values_are_parts_of_it(
        words in proptest::collection::vec(
            prop_oneof![
                "\\PC{0,8}",
                proptest::sample::select(vec![
                    "ich", "mag", "lieber", "wir", "haben", "entschieden", ",", ".", "ist", "fertig", "Das", "CRM", "zu",
                    "90", "%", "„", "“", "\"", "bitte", "immer", "I", "prefer", "to", "run", "[NAME]", "\n", ":", "?",
                ]).prop_map(str::to_owned),
            ],
            0..60,
        )
    ) {
        let text = words.join(" ");
        for one in extract(&text) {
            prop_assert!(text.contains(&one.value));
            prop_assert!(text.get(one.at..).is_some_and(|rest| rest.starts_with(&one.sentence)));
            prop_assert!((0.0..=1.0).contains(&one.confidence));
            prop_assert!(!one.key.is_empty() && one.key.chars().count() <= 60);
        }
    }
}
