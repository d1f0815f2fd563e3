//! Builds a statement from items: clauses, their marks, and the words in them.

use super::cues::{is_auxiliary, is_hedge, is_particle, is_preposition};
use super::{Analyzer, Part};
use crate::vault::lex::Item;
use crate::vault::lexicon::{Role, Sense, State};
use crate::vault::statement::{Amount, Clause, Slot, Statement, Term};
use crate::vault::words::{Lang, hash};

impl<'a, 'l> Builder<'a, 'l> {
    /// An empty one, for text of one language.
    pub(super) fn new(analyzer: &'a Analyzer<'l>, lang: Lang) -> Self {
        Self { analyzer, lang, segments: vec![Segment::default()], place: 0, replaced: false, slot: None }
    }
}

/// How a word hangs on the one before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    None,
    /// Right behind it.
    Beside,
    /// By a hyphen, or as the second half of a compound.
    Tight,
}

/// A stretch between two separators, before short ones are joined to clauses.
#[expect(clippy::struct_excessive_bools, reason = "independent marks of a stretch of text, not a state")]
#[derive(Default)]
struct Segment {
    terms: Vec<Term>,
    amounts: Vec<Amount>,
    marks: Clause,
    /// Ends a sentence, or a strong conjunction stood before it.
    hard: bool,
    /// "And" or "or" stood before it.
    joined: bool,
    /// Has a verb, as far as can be seen.
    finite: bool,
    /// Verbs that a particle at the end may belong to: the term's number and the word.
    verbs: Vec<(usize, String)>,
    negated: bool,
    must: bool,
    still: bool,
    /// Where the words after "from" begin, and where those before "to" end.
    from: Option<usize>,
    origin: Option<(usize, usize)>,
    first_word: Option<String>,
    last_word: Option<String>,
}

impl Segment {
    fn weight(&self) -> usize {
        self.terms.iter().filter(|term| !term.light).count() + self.amounts.len()
    }
}

pub(super) struct Builder<'a, 'l> {
    analyzer: &'a Analyzer<'l>,
    lang: Lang,
    segments: Vec<Segment>,
    place: usize,
    /// After "statt", until something that ends its reach.
    replaced: bool,
    /// What the last preposition makes of the words behind it.
    slot: Option<Slot>,
}

impl Builder<'_, '_> {
    pub(super) fn read(&mut self, items: &[Item]) {
        let mut at = 0;
        let mut joined = Tie::None;
        while let Some(item) = items.get(at) {
            match item {
                Item::Number { quantity, former } => {
                    let former = *former || self.replaced;
                    self.place += 1;
                    let place = self.place;
                    self.segment().amounts.push(Amount { quantity: quantity.clone(), former, clause: 0, place });
                    joined = Tie::None;
                    self.replaced = false;
                }
                Item::Break(hard) => {
                    self.cut(*hard);
                    joined = Tie::None;
                }
                Item::Question => {
                    self.segment().marks.question = true;
                    self.cut(true);
                    joined = Tie::None;
                }
                Item::Word { folded, capital, start, hyphen } => {
                    let ahead: Vec<&str> = items.iter().skip(at + 1).map_while(Item::word).take(2).collect();
                    let used = self.word(folded, *capital, *start, joined, &ahead);
                    at += used.saturating_sub(1);
                    let hyphen = match items.get(at) {
                        Some(Item::Word { hyphen, .. }) => *hyphen,
                        _ => *hyphen,
                    };
                    joined = if hyphen {
                        Tie::Tight
                    } else if used > 0 {
                        Tie::Beside
                    } else {
                        Tie::None
                    };
                }
            }
            at += 1;
        }
    }

    /// "Muss noch", "still has to": the segment's work is still to be done.
    fn duty(&mut self, folded: &str) {
        let segment = self.segment();
        match folded {
            "muss" | "mussen" | "must" | "needs" | "need" | "to" | "zu" if segment.still => segment.marks.open = true,
            "muss" | "mussen" | "must" | "needs" | "need" => segment.must = true,
            "noch" | "still" | "yet" => {
                segment.still = true;
                segment.marks.open |= segment.must;
            }
            _ => {}
        }
    }

    /// A preposition opens a slot; a verb and any other preposition close it.
    fn slot(&mut self, folded: &str) {
        self.slot = match folded {
            "aus" => Some(Slot::Stuff),
            "in" | "im" | "ins" | "am" | "an" | "auf" | "at" | "on" => Some(Slot::Spot),
            "by" => Some(Slot::Agent),
            word if is_auxiliary(word) || is_preposition(word) => None,
            _ => self.slot,
        };
    }

    fn segment(&mut self) -> &mut Segment {
        if self.segments.is_empty() {
            self.segments.push(Segment::default());
        }
        let last = self.segments.len() - 1;
        // `last` exists: the list was filled above.
        #[expect(clippy::indexing_slicing, reason = "the list is never empty here")]
        &mut self.segments[last]
    }

    fn cut(&mut self, hard: bool) {
        self.replaced = false;
        self.slot = None;
        self.segments.push(Segment { hard, ..Segment::default() });
    }

    /// Reads one word and returns how many items it took (a phrase takes several); 0 when it carries no meaning.
    #[expect(clippy::match_same_arms, clippy::too_many_lines, reason = "each arm is one way of speaking")]
    fn word(&mut self, folded: &str, capital: bool, start: bool, joined: Tie, ahead: &[&str]) -> usize {
        let next = ahead.first().copied().unwrap_or_default();
        let lang = self.lang;
        {
            let segment = self.segment();
            if segment.first_word.is_none() {
                segment.first_word = Some(folded.to_owned());
            }
            segment.last_word = Some(folded.to_owned());
        }
        self.duty(folded);
        self.slot(folded);
        match folded {
            "und" | "and" | "oder" | "or" | "sowie" => {
                self.cut(false);
                self.segment().joined = true;
            }
            word if is_auxiliary(word) => self.segment().finite = true,
            "sondern" | "but" if matches!(next, "auch" | "also") => self.cut(false),
            "aber" | "but" | "sondern" | "while" | "wahrend" | "weil" | "because" | "denn" | "jedoch" | "however" => {
                self.cut(true);
            }
            "nicht" | "not"
                if matches!(next, "nur" | "only" | "just" | "bloss" | "allein" | "zuletzt" | "merely" | "solely") =>
            {
                self.segment().marks.also = true;
                return 2;
            }
            "nicht" | "not"
                if matches!(
                    next,
                    "immer"
                        | "ganz"
                        | "unbedingt"
                        | "always"
                        | "quite"
                        | "necessarily"
                        | "alle"
                        | "all"
                        | "every"
                        | "jeder"
                        | "jede"
                ) =>
            {
                self.segment().marks.weak = true;
                return 1;
            }
            "nicht" | "not" | "nie" | "niemals" | "niemand" | "nichts" | "weder" | "nirgends" | "never" | "none"
            | "nobody" | "nothing" | "neither" | "cannot" | "nein" => {
                self.negate();
                return 0;
            }
            "left" if next == "out" => {
                self.negate();
                return 2;
            }
            "verzichtet" | "verzichten" | "ausgelassen" | "weggelassen" | "ausgenommen" => {
                self.negate();
                return 0;
            }
            "no" if lang != Lang::De => {
                self.negate();
                return 0;
            }
            word if word.starts_with("kein") && word.len() <= 7 => {
                self.negate();
                return 0;
            }
            word if word.ends_with("n't") => {
                self.negate();
                return 0;
            }
            "kaum" | "selten" | "hardly" | "rarely" | "barely" | "scarcely" | "seldom" => {
                self.segment().marks.weak = true;
                return 0;
            }
            "nur" | "only" | "ausschliesslich" | "exclusively" | "solely" | "lediglich" | "bloss" | "einzige"
            | "allein" | "alleine" | "alone" | "einziger" | "einziges" | "einzigen" | "sole" => {
                self.segment().marks.only = true;
                return 0;
            }
            "auch" | "zusatzlich" | "ausserdem" | "ebenfalls" | "too" | "additionally" => {
                self.segment().marks.also = true;
            }
            "also" if lang == Lang::En => self.segment().marks.also = true,
            "wenn" | "falls" | "sofern" | "sobald" | "if" | "unless" | "solange" => {
                self.segment().marks.conditional = true;
            }
            "damals" | "ehemals" | "ehemalige" | "ehemaliger" | "vormals" | "ursprunglich" | "bisher" | "bislang"
            | "bisherige" | "formerly" | "previously" | "originally" | "former" => {
                self.segment().marks.past = true;
            }
            "used" if next == "to" => self.segment().marks.past = true,
            "from" | "von" | "vom" => {
                let segment = self.segment();
                segment.from = Some(segment.terms.len());
            }
            "to" | "auf" | "nach" | "zu" | "zum" | "zur" => {
                let segment = self.segment();
                segment.origin = segment.origin.or(segment.from.take().map(|from| (from, segment.terms.len())));
            }
            "statt" | "anstatt" | "anstelle" | "instead" | "ohne" | "without" => {
                self.replaced = true;
                return 0;
            }
            // "Now Korbinian, before that Alois".
            "vorher" | "zuvor" | "davor" | "fruher" if self.opens_segment() => {
                self.replaced = true;
                return 0;
            }
            // "Statt wie früher": what is replaced is past, the clause is not.
            "fruher" if (!capital || start) && !self.replaced => self.segment().marks.past = true,
            "rather" if next == "than" => {
                self.replaced = true;
                return 2;
            }
            "may" if lang != Lang::De && !capital => self.segment().marks.hedged = true,
            "prufen" if next != "ob" && !next.is_empty() => {}
            word if is_hedge(word) => self.segment().marks.hedged = true,
            _ => {}
        }
        self.term(folded, capital, start, joined, ahead)
    }

    /// Whether the word at hand is the first after a comma, not of the text.
    fn opens_segment(&mut self) -> bool {
        let segment = self.segment();
        let first = segment.terms.is_empty() && segment.amounts.is_empty() && !segment.hard;
        first && self.segments.len() > 1
    }

    fn negate(&mut self) {
        let segment = self.segment();
        segment.marks.denied = !segment.marks.denied;
        segment.negated = true;
    }

    fn term(&mut self, folded: &str, capital: bool, start: bool, joined: Tie, ahead: &[&str]) -> usize {
        let info = self.analyzer.info(folded, self.lang);
        if info.begins_phrase {
            for len in (1..=ahead.len()).rev() {
                let words: Vec<&str> = std::iter::once(folded).chain(ahead.iter().copied().take(len)).collect();
                let senses = self.analyzer.phrase(&words, self.lang);
                if !senses.is_empty() {
                    self.segment().last_word = words.last().map(|word| (*word).to_owned());
                    let stem = hash(words.join(" ").as_bytes());
                    let stuff = !capital && self.analyzer.is_material(&senses);
                    self.push(&Part { stems: [stem; 3], senses, participle: false }, capital, joined, false);
                    if stuff {
                        // "Besteht aus", "made of": what counts is what follows.
                        self.slot = Some(Slot::Stuff);
                        if let Some(term) = self.segment().terms.last_mut() {
                            term.light = true;
                        }
                    }
                    return len + 1;
                }
            }
        }
        let last = info.parts.len().saturating_sub(1);
        let mut counted = 0;
        let label = capital && !start && folded.len() == 1 && folded != "i" && !self.segment().terms.is_empty();
        for (index, part) in info.parts.iter().enumerate() {
            let stop = part.senses.iter().any(|sense| self.analyzer.lexicon.role(sense.group) == Role::Stop);
            // "Load-in" is not "load-out", ward A not ward B.
            if stop && joined == Tie::Tight && !capital || label {
                counted = 1;
                self.push(&Part { senses: Vec::new(), ..part.clone() }, capital, Tie::Tight, false);
                continue;
            }
            if stop || folded.len() < 2 {
                if stop
                    && !matches!(
                        folded,
                        "der"
                            | "die"
                            | "das"
                            | "den"
                            | "dem"
                            | "des"
                            | "ein"
                            | "eine"
                            | "einer"
                            | "einen"
                            | "the"
                            | "a"
                            | "of"
                            | "von"
                            | "bei"
                            | "wie"
                            | "war"
                            | "waren"
                            | "was"
                            | "es"
                            | "it"
                    )
                {
                    self.replaced = false;
                }
                continue;
            }
            counted = 1;
            if !capital && last == 0 {
                let at = self.segment().terms.len();
                self.segment().verbs.push((at, folded.to_owned()));
            }
            self.push(part, capital, if index > 0 { Tie::Tight } else { joined }, index < last);
        }
        counted
    }

    fn push(&mut self, part: &Part, capital: bool, joined: Tie, narrows: bool) {
        let verbal = !capital && !narrows && (self.lang != Lang::En || part.participle);
        let role = |sense: &Sense| self.analyzer.lexicon.role(sense.group);
        let light = part.senses.iter().any(|sense| role(sense) == Role::Light);
        if part.senses.iter().any(|sense| role(sense) == Role::State(State::Planned)) {
            self.segment().marks.hedged = true;
        }
        if light {
            self.replaced = false;
        }
        self.place += 1;
        if light {
            self.slot = None;
        }
        let slot = self.slot.filter(|_| capital || narrows || self.lang == Lang::En);
        let term = Term {
            stems: part.stems,
            senses: part.senses.clone(),
            light,
            name: capital && part.senses.is_empty() && !narrows,
            capital,
            denied: self.replaced,
            clause: 0,
            place: self.place,
            verbal,
            narrows,
            silent: false,
            slot,
        };
        let english = self.lang == Lang::En;
        let segment = self.segment();
        if let Some(before) = segment.terms.last_mut()
            && !before.light
            && (joined == Tie::Tight || joined == Tie::Beside && (english || !before.capital && capital))
        {
            before.narrows = true;
        }
        segment.terms.push(term);
        segment.finite |= light && !capital;
    }

    /// A verb's particle at the end of its clause makes one word with it: "macht … auf".
    fn particles(&mut self) {
        for segment in &mut self.segments {
            let (Some(last), true) = (segment.last_word.as_deref(), segment.terms.len() + segment.amounts.len() > 0)
            else {
                continue;
            };
            if !is_particle(last) {
                continue;
            }
            if let Some((at, verb)) = segment.verbs.iter().find(|_| self.lang != Lang::En) {
                let whole = self.analyzer.part(&format!("{last}{verb}"), Lang::De);
                let light = whole
                    .senses
                    .iter()
                    .any(|sense| matches!(self.analyzer.lexicon.role(sense.group), Role::Stop | Role::Light));
                let term = segment.terms.get_mut(*at);
                if let Some(term) = term.filter(|term| !light && (!whole.senses.is_empty() || !term.light)) {
                    term.senses = whole.senses;
                    term.stems = whole.stems;
                    term.light = false;
                    continue;
                }
            }
            if !matches!(last, "auf" | "zu") {
                continue;
            }
            if last == "zu" && segment.weight() <= 3 {
                let senses = self.analyzer.phrase(&["zu", "haben"], Lang::De);
                if let Some(term) = segment.terms.iter_mut().find(|term| term.light && !senses.is_empty()) {
                    term.senses = senses;
                    term.light = false;
                    continue;
                }
                if !senses.is_empty() {
                    let stems = [hash(b"zu haben"); 3];
                    let term = Term {
                        stems,
                        senses,
                        light: false,
                        name: false,
                        capital: false,
                        denied: false,
                        clause: 0,
                        place: self.place + 1,
                        verbal: true,
                        narrows: false,
                        silent: false,
                        slot: None,
                    };
                    segment.terms.push(term);
                }
            } else if last == "auf"
                && let Some(term) = segment.terms.iter_mut().find(|term| term.light && !term.capital)
            {
                let senses = self.analyzer.phrase(&["macht", "auf"], Lang::De);
                if !senses.is_empty()
                    && term.senses.iter().any(|sense| self.analyzer.part("macht", Lang::De).senses.contains(sense))
                {
                    term.senses = senses;
                    term.light = false;
                }
            }
        }
    }

    /// Which segments are items of a list: without a verb, and joined by "and" or followed by one that is.
    fn enumerated(&self) -> Vec<bool> {
        let mut lists = vec![false; self.segments.len()];
        let mut joined = false;
        for (segment, list) in self.segments.iter().zip(&mut lists).rev() {
            *list = !segment.hard && !segment.finite && !segment.negated && (segment.joined || joined);
            joined = *list;
        }
        lists
    }

    /// What a change leaves behind ("moved from A to B") no longer holds.
    fn origins(&mut self) {
        let changes: Vec<Sense> = ["umzug", "gewechselt", "geandert"]
            .iter()
            .flat_map(|word| self.analyzer.part(word, Lang::De).senses)
            .collect();
        for segment in &mut self.segments {
            let Some((from, to)) = segment.origin else { continue };
            if segment.terms.iter().any(|term| term.senses.iter().any(|sense| changes.contains(sense))) {
                for term in segment.terms.iter_mut().take(to).skip(from) {
                    term.denied = !term.denied;
                }
            }
        }
    }

    pub(super) fn finish(mut self) -> Statement {
        self.particles();
        if self.segments.iter().any(|segment| segment.origin.is_some()) {
            self.origins();
        }
        let mut statement = Statement { lang: self.lang, ..Statement::default() };
        let mut weight = 0;
        let mut before_negated = false;
        let german = self.lang != Lang::En;
        let lists = self.enumerated();
        for segment in &mut self.segments {
            // "Version 7 does not": what it does not do was said before.
            segment.marks.weak |=
                !german && matches!(segment.last_word.as_deref(), Some(word) if word == "not" || word.ends_with("n't"));
        }
        for (segment, enumerated) in self.segments.into_iter().zip(lists) {
            if segment.terms.is_empty() && segment.amounts.is_empty() && !segment.negated {
                if let Some(clause) = statement.clauses.last_mut() {
                    merge(clause, segment.marks);
                } else if segment.marks.only || segment.marks.past || segment.marks.hedged || segment.marks.question {
                    statement.clauses.push(segment.marks);
                }
                continue;
            }
            let own = segment.weight();
            let relative = segment.first_word.as_deref().is_some_and(|word| {
                matches!(word, "der" | "die" | "das" | "den" | "dem" | "which" | "that" | "who" | "dass")
                    && !segment.hard
            });
            let list = enumerated && !segment.terms.iter().any(|term| term.light || term.verbal && german);
            let splits = !statement.clauses.is_empty()
                && weight > 0
                && !(relative && own < 2)
                && (segment.hard && own > 0
                    || own >= 2 && weight >= 2
                    || segment.negated && own > 0 && weight >= 1
                    || before_negated && own > 0 && segment.terms.iter().any(|term| term.light || !term.capital));
            before_negated = segment.negated;
            if splits || statement.clauses.is_empty() {
                statement.clauses.push(Clause { list: list && !statement.clauses.is_empty(), ..segment.marks });
                weight = own;
            } else if let Some(clause) = statement.clauses.last_mut() {
                merge(clause, segment.marks);
                weight += own;
            }
            let number = statement.clauses.len().saturating_sub(1);
            statement.terms.extend(segment.terms.into_iter().map(|term| Term { clause: number, ..term }));
            statement.amounts.extend(segment.amounts.into_iter().map(|amount| Amount { clause: number, ..amount }));
        }
        let asked = statement.clauses.last().is_some_and(|clause| clause.question);
        for clause in &mut statement.clauses {
            clause.question |= asked;
        }
        for term in &mut statement.terms {
            let clause = statement.clauses.get(term.clause).copied().unwrap_or_default();
            term.denied ^= clause.denied;
        }
        statement
    }
}

fn merge(into: &mut Clause, from: Clause) {
    into.denied ^= from.denied;
    into.weak |= from.weak;
    into.only |= from.only;
    into.also |= from.also;
    into.question |= from.question;
    into.hedged |= from.hedged;
    into.conditional |= from.conditional;
    into.open |= from.open;
    into.past |= from.past;
}
