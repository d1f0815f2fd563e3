//! Small words and endings by which clauses are told apart.

/// What follows a stem to make another form or another part of speech of it.
pub(super) fn is_ending(rest: &str) -> bool {
    ["ier", "lich", "isch", "ung", "heit", "keit", "schaft", "end", "bar", "sam", "los", "haft", "innen", "isier"]
        .iter()
        .any(|ending| rest.starts_with(ending))
}

/// Comparatives and inflected adjectives end as nouns do.
pub(super) fn is_adjective(word: &str) -> bool {
    word.ends_with("iger") || word.ends_with("licher") || word.ends_with("ischer") || word.ends_with("eller")
}

pub(super) fn is_auxiliary(word: &str) -> bool {
    matches!(
        word,
        "ist"
            | "sind"
            | "war"
            | "waren"
            | "wird"
            | "werden"
            | "wurde"
            | "wurden"
            | "hat"
            | "haben"
            | "hatte"
            | "kann"
            | "konnen"
            | "muss"
            | "mussen"
            | "darf"
            | "durfen"
            | "is"
            | "are"
            | "was"
            | "were"
            | "has"
            | "have"
            | "had"
            | "can"
            | "must"
    )
}

/// What a German verb may leave at the end of its clause.
pub(super) fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "auf"
            | "zu"
            | "an"
            | "ab"
            | "aus"
            | "ein"
            | "um"
            | "vor"
            | "nach"
            | "mit"
            | "her"
            | "hin"
            | "los"
            | "weg"
            | "zuruck"
            | "fest"
            | "frei"
            | "weiter"
            | "durch"
            | "raus"
            | "rein"
            | "bei"
    )
}

pub(super) fn is_hedge(word: &str) -> bool {
    matches!(
        word,
        "soll"
            | "sollen"
            | "sollte"
            | "sollten"
            | "will"
            | "wollen"
            | "mochte"
            | "mochten"
            | "wurde@"
            | "konnte"
            | "konnten"
            | "evtl"
            | "eventuell"
            | "vielleicht"
            | "moglicherweise"
            | "vermutlich"
            | "wahrscheinlich"
            | "voraussichtlich"
            | "angeblich"
            | "denkbar"
            | "angedacht"
            | "plant"
            | "planen"
            | "uberlegt"
            | "uberlegen"
            | "uberlegung"
            | "wunsch"
            | "wunschen"
            | "idee"
            | "ggf"
            | "gegebenenfalls"
            | "notfalls"
            | "angefragt"
            | "diskutiert"
            | "prufen"
            | "might"
            | "could"
            | "should"
            | "maybe"
            | "perhaps"
            | "probably"
            | "possibly"
            | "likely"
            | "presumably"
            | "tentative"
            | "tentatively"
            | "plans"
            | "planning"
            | "considering"
            | "wants"
            | "hopefully"
            | "idea"
            | "intend"
            | "intends"
            | "tbd"
            | "proposed"
            | "wollte"
            | "wollten"
            | "consider"
            | "unklar"
            | "unclear"
            | "erwogen"
    )
}

/// Prepositions that say nothing of a place or a material.
pub(super) fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "mit"
            | "nach"
            | "von"
            | "vom"
            | "zu"
            | "zum"
            | "zur"
            | "fur"
            | "um"
            | "seit"
            | "bis"
            | "per"
            | "durch"
            | "bei"
            | "neben"
            | "unter"
            | "uber"
            | "wegen"
            | "for"
            | "from"
            | "to"
            | "with"
            | "since"
            | "until"
            | "of"
            | "after"
            | "before"
            | "near"
    )
}
