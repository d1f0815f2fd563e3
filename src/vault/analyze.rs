//! From text to [`Statement`]: words, numbers, clauses.

mod builder;
mod cues;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use builder::Builder;
use cues::{is_adjective, is_ending};

use super::lex::{Item, items};
use super::lexicon::{Lexicon, Role, Sense};
use super::statement::Statement;
use super::words::{Lang, Rolling, Stems, hash, language};

/// Most words of one statement that are looked at; what follows is left out.
const MAX_TERMS: usize = 400;

/// One part of a word as the vocabulary sees it.
#[derive(Clone)]
struct Part {
    stems: [u32; 3],
    senses: Vec<Sense>,
    /// Ends as an English participle does.
    participle: bool,
}

/// What is known of a word: one part, or the two of a compound.
struct Info {
    parts: Vec<Part>,
    begins_phrase: bool,
}

/// Takes statements apart. Remembers words it has seen, so one should serve many texts of a thread.
pub(super) struct Analyzer<'l> {
    lexicon: &'l Lexicon,
    stems: Stems,
    /// By language, in the order of [`Lang`].
    seen: [RefCell<HashMap<String, Rc<Info>>>; 3],
}

impl<'l> Analyzer<'l> {
    pub(super) fn new(lexicon: &'l Lexicon) -> Self {
        Self { lexicon, stems: Stems::default(), seen: Default::default() }
    }

    /// The vocabulary behind it.
    pub(super) fn lexicon(&self) -> &'l Lexicon {
        self.lexicon
    }

    /// Takes one statement apart. `fallback` is the language of what surrounds it.
    pub(super) fn statement(&self, text: &str, fallback: Lang) -> Statement {
        let mut items = items(text, fallback != Lang::En);
        let lang = language(items.iter().filter_map(Item::word), fallback);
        if lang == Lang::En && fallback != Lang::En {
            items = super::lex::items(text, false);
        }
        items.truncate(MAX_TERMS * 2);
        let mut builder = Builder::new(self, lang);
        builder.read(&items);
        builder.finish()
    }

    fn info(&self, folded: &str, lang: Lang) -> Rc<Info> {
        let [either, de, en] = &self.seen;
        let seen = match lang {
            Lang::Either => either,
            Lang::De => de,
            Lang::En => en,
        };
        if let Some(info) = seen.borrow().get(folded) {
            return Rc::clone(info);
        }
        let info = Rc::new(self.look_up(folded, lang));
        seen.borrow_mut().insert(folded.to_owned(), Rc::clone(&info));
        info
    }

    fn part(&self, folded: &str, lang: Lang) -> Part {
        let bare = folded.strip_suffix("'s").unwrap_or(folded).trim_end_matches('\'');
        let surface = hash(bare.as_bytes());
        let de = hash(self.stems.de(bare).as_bytes());
        let en = hash(self.stems.en(bare).as_bytes());
        let verb = if lang == Lang::En { None } else { self.stems.verb(bare).map(|stem| hash(stem.as_bytes())) };
        // "Pächterin" is a "Pächter".
        let verb = verb.or_else(|| {
            let man = bare.strip_suffix("erinnen").or_else(|| bare.strip_suffix("erin"))?;
            (lang != Lang::En && man.len() >= 3).then(|| hash(self.stems.de(&format!("{man}er")).as_bytes()))
        });
        let mut senses = Vec::new();
        self.lexicon.lookup(surface, lang, &mut senses);
        if senses.is_empty() {
            let order = if lang == Lang::En { [en, de] } else { [de, en] };
            for stem in order {
                self.lexicon.lookup(stem, lang, &mut senses);
                if !senses.is_empty() {
                    break;
                }
            }
            // A noun made of a light word is none: "Meister" is not "meist".
            if ["er", "erin", "ung", "ungen", "schaft"].iter().any(|ending| bare.ends_with(ending))
                && !is_adjective(bare)
            {
                senses.retain(|sense| !matches!(self.lexicon.role(sense.group), Role::Stop | Role::Light));
            }
        }
        if let Some(verb) = verb.filter(|_| senses.is_empty()) {
            self.lexicon.lookup(verb, lang, &mut senses);
        }
        let participle = bare.len() > 4 && ["ed", "en", "ing"].iter().any(|ending| bare.ends_with(ending));
        Part { stems: [de, en, verb.unwrap_or(de)], senses, participle }
    }

    fn look_up(&self, folded: &str, lang: Lang) -> Info {
        let whole = self.part(folded, lang);
        let begins_phrase = self.lexicon.begins_phrase(hash(folded.as_bytes()))
            || whole.stems.iter().any(|stem| self.lexicon.begins_phrase(*stem));
        if whole.senses.is_empty()
            && let Some((left, right)) = self.split(folded)
        {
            return Info { parts: vec![self.part(left, lang), self.part(right, lang)], begins_phrase };
        }
        if whole.senses.is_empty()
            && let Some(rest) =
                folded.strip_prefix("un").or_else(|| folded.strip_prefix("non")).filter(|rest| rest.len() >= 5)
        {
            let mut positive = self.part(rest.trim_start_matches('-'), lang);
            positive.senses.retain(|sense| self.lexicon.role(sense.group) == Role::Concept);
            if !positive.senses.is_empty() {
                let senses =
                    positive.senses.iter().map(|sense| Sense { opposite: !sense.opposite, ..*sense }).collect();
                return Info { parts: vec![Part { senses, ..whole }], begins_phrase };
            }
        }
        Info { parts: vec![whole], begins_phrase }
    }

    /// Cuts a compound in two where the vocabulary knows both halves, else where it knows one that is long enough.
    fn split<'w>(&self, word: &'w str) -> Option<(&'w str, &'w str)> {
        if word.len() < 7 || word.len() > 40 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return None;
        }
        let stem = self.stems.de(word);
        let mut prefix = Rolling::default();
        let mut known = Vec::with_capacity(word.len());
        for byte in word.bytes() {
            prefix.push(byte);
            known.push(self.lexicon.knows(prefix.finish()));
        }
        let left_end = |cut: usize| {
            let ends = |len: usize| len >= 3 && known.get(len - 1).copied().unwrap_or_default();
            let before = word.get(..cut)?;
            let linked = ["s", "n", "en", "er", "es"]
                .iter()
                .find(|link| before.ends_with(*link) && cut >= link.len() + 3 && ends(cut - link.len()));
            if ends(cut) { Some(cut) } else { linked.map(|link| cut - link.len()) }
        };
        let mut half = None;
        for cut in 3..word.len().saturating_sub(2) {
            let rest = stem.get(cut..).unwrap_or_default();
            let right = rest.len() >= 3 && self.lexicon.knows(hash(rest.as_bytes()))
                || word.len() - cut >= 3 && self.lexicon.knows(hash(word.get(cut..)?.as_bytes()));
            let left = left_end(cut);
            match (left, right) {
                (Some(end), true) => return Some((word.get(..end)?, word.get(cut..)?)),
                (None, true) if cut >= 4 && word.len() - cut >= 4 && half.is_none() => {
                    half = Some((word.get(..cut)?, word.get(cut..)?));
                }
                (Some(end), false)
                    if end >= 5 && word.len() - cut >= 5 && !is_ending(word.get(cut..)?) && half.is_none() =>
                {
                    half = Some((word.get(..end)?, word.get(cut..)?));
                }
                _ => {}
            }
        }
        half
    }

    /// Whether the meanings are those of "made of".
    fn is_material(&self, senses: &[Sense]) -> bool {
        let mut wanted = Vec::new();
        self.lexicon.lookup(hash(b"werkstoff"), Lang::Either, &mut wanted);
        senses.iter().any(|sense| wanted.contains(sense))
    }

    /// The meanings of a phrase of several words.
    fn phrase(&self, words: &[&str], lang: Lang) -> Vec<Sense> {
        let mut senses = Vec::new();
        let keys = [
            words.join(" "),
            words.iter().map(|w| self.stems.de(w)).collect::<Vec<_>>().join(" "),
            words.iter().map(|w| self.stems.en(w)).collect::<Vec<_>>().join(" "),
        ];
        for key in keys {
            self.lexicon.lookup(hash(key.as_bytes()), lang, &mut senses);
        }
        senses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::statement::Clause;

    fn clause(text: &str) -> Clause {
        let lexicon = Lexicon::default();
        let statement = Analyzer::new(&lexicon).statement(text, Lang::Either);
        statement.clauses.last().copied().unwrap()
    }

    #[test]
    fn negation_is_counted_and_not_only_is_none() {
        for (text, denied) in [
            ("Der Bot unterstützt Telegram nicht", true),
            ("Der Bot unterstützt nicht nur Telegram", false),
            ("Es gibt keinen Fall, der nicht dokumentiert ist", false),
            ("The bot doesn't support Telegram", true),
            ("The bot supports not only Telegram", false),
            ("Der Bot unterstützt Telegram kaum", false),
            ("Das Fest fand noch nicht statt", true),
        ] {
            assert_eq!(clause(text).denied, denied, "{text}");
        }
        assert!(clause("Der Bot unterstützt Telegram kaum").weak);
        assert!(clause("Sie wird selten benutzt").weak);
    }

    #[test]
    fn plans_questions_and_conditions_are_marked() {
        assert!(clause("Der Umzug soll im Mai stattfinden").hedged);
        assert!(clause("SMS: evtl. später").hedged);
        assert!(clause("The move might happen in May").hedged);
        assert!(clause("Brauchen wir eine zweite Kasse?").question);
        assert!(
            clause("Falls es regnet, fällt der Lauf aus").conditional
                || clause("Der Lauf fällt aus, falls es regnet").conditional
        );
    }

    #[test]
    fn compounds_split_into_known_halves() {
        let lexicon = Lexicon::default();
        let analyzer = Analyzer::new(&lexicon);
        let joined = analyzer.statement("Hofladen", Lang::De);
        let apart = analyzer.statement("farm shop", Lang::En);
        assert_eq!(joined.terms.len(), 2);
        for (a, b) in joined.terms.iter().zip(&apart.terms) {
            assert!(a.matches(b).is_some());
        }
    }
}
