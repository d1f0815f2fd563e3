//! Words a slug does without, German and English: function words, and verbs and adverbs that say little about a fact.
//!
//! Written as a slug writes them (`ue` for `ü`), sorted for binary search.

/// Words that never enter a slug.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "ab", "aber", "about", "above", "actually", "after", "again", "aktuell", "all", "alle", "allem", "allen",
    "aller", "alles", "already", "als", "also", "although", "am", "an", "and", "andere", "anderen", "anderer",
    "anderes", "anstatt", "any", "are", "as", "at", "auch", "auf", "aus", "ausser", "ausserdem", "be", "because",
    "been", "before", "bei", "beide", "beiden", "beim", "being", "bekommen", "bekommt", "below", "benoetigen",
    "benoetigt", "benutzen", "benutzt", "bereits", "besitzt", "between", "bevor", "bieten", "bietet", "bis",
    "bleiben", "bleibt", "both", "brauchen", "braucht", "but", "by", "bzw", "ca", "can", "cannot", "could",
    "currently", "da", "dabei", "dadurch", "dafuer", "dagegen", "daher", "damit", "danach", "dann", "daran", "darauf",
    "daraus", "darf", "darin", "das", "dass", "davon", "davor", "dazu", "dein", "deine", "dem", "den", "denn", "der",
    "deren", "derzeit", "des", "deshalb", "dessen", "dich", "did", "die", "dies", "diese", "diesem", "diesen",
    "dieser", "dieses", "dir", "do", "doch", "does", "doesnt", "doing", "dont", "dort", "du", "duerfen", "durch",
    "each", "ebenfalls", "ein", "eine", "einem", "einen", "einer", "eines", "einige", "either", "else", "enthaelt",
    "er", "erfolgt", "erst", "es", "etwa", "etwas", "euer", "eure", "every", "falls", "few", "for", "from", "fuehrt",
    "fuer", "further", "ganz", "gegen", "gehen", "gehoert", "geht", "gerade", "get", "gets", "gibt", "gilt", "ginge",
    "hab", "habe", "haben", "had", "has", "hat", "hatte", "hatten", "have", "having", "he", "heisst", "her", "here",
    "hers", "heute", "hier", "him", "hin", "hinter", "his", "how", "i", "ich", "if", "ihm", "ihn", "ihnen", "ihr",
    "ihre", "ihrem", "ihren", "ihrer", "im", "immer", "in", "indem", "ins", "instead", "into", "inzwischen", "is",
    "isnt", "ist", "it", "its", "itself", "ja", "jede", "jedem", "jeden", "jeder", "jedes", "jedoch", "jene", "jetzt",
    "just", "kann", "kein", "keine", "keinem", "keinen", "keiner", "koennen", "kommen", "kommt", "konnte", "laeuft",
    "laufen", "laut", "lautet", "less", "let", "lets", "liegen", "liegt", "like", "machen", "macht", "made", "make",
    "makes", "man", "many", "may", "me", "mehr", "mein", "meine", "might", "mit", "mittels", "mittlerweile",
    "momentan", "more", "most", "much", "muessen", "muss", "must", "my", "nach", "nachdem", "neben", "need", "needs",
    "nein", "neither", "nicht", "nichts", "no", "noch", "nor", "not", "now", "nun", "nur", "nutze", "nutzen", "nutzt",
    "ob", "obwohl", "oder", "of", "off", "offers", "ohne", "on", "once", "one", "only", "onto", "or", "other", "our",
    "out", "over", "own", "per", "pro", "project", "projekt", "provides", "prueft", "raus", "really", "requires",
    "run", "running", "runs", "same", "schon", "sehr", "sein", "seine", "seinem", "seinen", "seiner", "seit", "setzt",
    "shall", "she", "should", "sich", "sie", "since", "sind", "so", "sobald", "sodass", "sofern", "solche", "soll",
    "sollen", "sollte", "sollten", "some", "somit", "sondern", "sowie", "statt", "stehen", "steht", "still", "such",
    "support", "supported", "supports", "taeglich", "than", "that", "the", "their", "them", "then", "there", "these",
    "they", "this", "those", "though", "through", "thus", "to", "too", "ueber", "um", "und", "under", "unless", "uns",
    "unser", "unsere", "unter", "unterstuetze", "unterstuetzen", "unterstuetzt", "until", "up", "upon", "us", "use",
    "used", "uses", "using", "verwenden", "verwendet", "very", "via", "vom", "von", "vor", "waehrend", "war", "waren",
    "was", "we", "weder", "wegen", "weil", "weiterhin", "welche", "welcher", "welches", "wenn", "wer", "werden",
    "were", "what", "when", "where", "whereas", "whether", "which", "while", "who", "whom", "whose", "why", "wie",
    "wieder", "will", "wir", "wird", "with", "within", "without", "wo", "wollen", "worden", "works", "would", "wurde",
    "wurden", "yet", "you", "your", "zu", "zudem", "zum", "zur", "zusaetzlich", "zusaetzliche", "zusaetzlichen",
    "zusaetzlicher", "zwar", "zwischen",
];

/// Words after which a fact only qualifies what it has said.
#[rustfmt::skip]
const CLAUSE_ENDS: &[&str] = &[
    "als", "although", "anstatt", "as", "ausser", "because", "bevor", "damit", "dass", "falls", "indem", "instead",
    "like", "nachdem", "obwohl", "since", "sodass", "sofern", "statt", "than", "that", "though", "unless", "waehrend",
    "weil", "wenn", "when", "whereas", "which", "while", "wie",
];

/// Whether a transliterated word says too little for a slug.
pub(super) fn contains(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether a transliterated word begins a part of the sentence that only qualifies the rest.
pub(super) fn ends_clause(word: &str) -> bool {
    CLAUSE_ENDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_written_as_slugs_are() {
        for list in [STOP_WORDS, CLAUSE_ENDS] {
            assert!(list.is_sorted_by(|a, b| a < b));
            assert!(list.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
        }
    }
}
