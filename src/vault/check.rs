//! The vault as the rest of the program sees it: open, check, search, list.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::analyze::Analyzer;
use super::claims::{Sheet, sheet};
use super::compare::{Comparer, OPPOSED, Outcome, Relation};
use super::fact::Fact;
use super::files::{self, Found, VaultError, hex};
use super::index::{Cached, Entry, Index, Wanted, keys};
use super::lexicon::Lexicon;
use super::page;
use super::statement::{Match, Term};
use super::words::{fold, hash};
use super::{Check, Passage, Query, Settings, Verdict};

/// Most pages read for one check.
const PAGES_READ: usize = 12;
/// Most passages an answer carries.
const PASSAGES: usize = 3;
/// From this nearness on a passage is shown. 0 to 1.
const SHOWN: f64 = 0.2;
/// From this nearness on a passage about the same thing makes *similar* of *absent*. 0 to 1.
const SIMILAR: f64 = 0.5;

/// A page as `vault pages` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageInfo {
    /// Relative to the vault, `/` as the separator.
    pub name: String,
    /// Bytes.
    pub size: u64,
}

/// Answers the cache kept from the last time, if there is one.
pub type Loader = Box<dyn Fn() -> Option<Vec<u8>> + Send + Sync>;

/// An Obsidian vault, open for reading.
///
/// Opening looks at the folder only. A check that names a page reads that page first, and the rest of the vault only when
/// that page settles nothing.
pub struct Vault {
    settings: Settings,
    lexicon: Lexicon,
    cache: Loader,
    index: OnceLock<(Index, bool)>,
    warnings: Mutex<Vec<String>>,
}

/// One claim's outcome.
struct Hit {
    sheet: usize,
    claim: usize,
    outcome: Outcome,
}

impl Vault {
    /// Opens the vault. `cache` is what [`Vault::cache_bytes`] once returned; a damaged or old one is ignored.
    ///
    /// # Errors
    /// The folder is missing, is no folder, or can't be listed: the caller's `no_vault`.
    pub fn open(settings: &Settings, cache: Option<&[u8]>) -> Result<Self, VaultError> {
        let bytes = cache.map(<[u8]>::to_vec);
        Self::open_with(settings, Box::new(move || bytes.clone()))
    }

    /// Opens the vault; the cache is asked for when the whole vault has to be looked at, which a named page often saves.
    ///
    /// # Errors
    /// As [`Vault::open`].
    pub fn open_with(settings: &Settings, cache: Loader) -> Result<Self, VaultError> {
        files::probe(&settings.path)?;
        Ok(Self {
            settings: settings.clone(),
            lexicon: Lexicon::new(settings),
            cache,
            index: OnceLock::new(),
            warnings: Mutex::default(),
        })
    }

    /// Checks a fact against the vault.
    pub fn check(&self, query: &Query<'_>) -> Check {
        self.check_but(query, None)
    }

    /// Checks a fact against the page it is proposed for and no other; `None` when the query names no page of the vault.
    pub fn check_page_only(&self, query: &Query<'_>) -> Option<Check> {
        let analyzer = Analyzer::new(&self.lexicon);
        let sheet = self.hinted(&analyzer, query)?;
        let fact = Fact::new(&analyzer, query, Some(sheet.name.clone()));
        Some(self.answer(&analyzer, &fact, &[sheet], &HashMap::new(), None))
    }

    /// Looks for the very words of the fact on the page it is proposed for. Finds what no check may call identical: a plan,
    /// or what another line of the page speaks against.
    pub fn find_verbatim(&self, query: &Query<'_>) -> Option<Check> {
        let analyzer = Analyzer::new(&self.lexicon);
        let sheet = self.hinted(&analyzer, query)?;
        let words = |text: &str| {
            let folded = fold(text);
            folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let fact = words(query.fact);
        // A fact of several sentences stands on one line as several statements.
        let line = |number: u32| {
            let units = sheet.units.iter().filter(|unit| unit.line == number);
            units.map(|unit| words(&unit.shown())).collect::<Vec<_>>().join(" ")
        };
        let unit = sheet.units.iter().find(|unit| words(&unit.shown()) == fact || line(unit.line) == fact)?;
        let passage = Passage { page: sheet.name.clone(), line: unit.line, sentence: unit.shown(), score: 1.0 };
        (!fact.is_empty()).then(|| Check {
            verdict: Verdict::Identical,
            guard: Some("verbatim"),
            passages: vec![passage],
            page_hash: Some(hex(&sheet.hash)),
            warnings: self.warnings(),
        })
    }

    /// Checks a page's own statement against the rest of that page: what the line says is left out. For measuring false
    /// alarms.
    pub fn check_without(&self, query: &Query<'_>, line: u32) -> Option<Check> {
        let analyzer = Analyzer::new(&self.lexicon);
        let sheet = self.hinted(&analyzer, query)?;
        let fact = Fact::new(&analyzer, query, Some(sheet.name.clone()));
        Some(self.answer(&analyzer, &fact, &[sheet], &HashMap::new(), Some(line)))
    }

    fn check_but(&self, query: &Query<'_>, without: Option<u32>) -> Check {
        let analyzer = Analyzer::new(&self.lexicon);
        let first = self.hinted(&analyzer, query);
        let page = first.as_ref().map(|sheet| sheet.name.clone());
        let fact = Fact::new(&analyzer, query, page);
        let mut sheets = Vec::new();
        if let Some(sheet) = first {
            sheets.push(sheet);
            let check = self.answer(&analyzer, &fact, &sheets, &HashMap::new(), without);
            if matches!(check.verdict, Verdict::Identical | Verdict::Contradicts) {
                return check;
            }
        }
        let wanted = Wanted::new(&analyzer, fact.statement.terms.iter().chain(&fact.project));
        let candidates = self.index(&analyzer).candidates(&wanted, PAGES_READ);
        for name in &candidates.pages {
            if sheets.iter().all(|sheet| sheet.name != *name) {
                sheets.extend(self.load(&analyzer, name));
            }
        }
        self.answer(&analyzer, &fact, &sheets, &candidates.rarity, without)
    }

    /// The passages nearest to a query, best first.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Passage> {
        let analyzer = Analyzer::new(&self.lexicon);
        let fact = Fact::new(&analyzer, &Query { fact: query, page: None, project: None }, None);
        let wanted = Wanted::new(&analyzer, fact.statement.terms.iter());
        let candidates = self.index(&analyzer).candidates(&wanted, PAGES_READ.max(limit));
        let sheets: Vec<Sheet> = candidates.pages.iter().filter_map(|name| self.load(&analyzer, name)).collect();
        let hits = Self::hits(&analyzer, &fact, &sheets, &candidates.rarity, None);
        passages(&sheets, &hits, limit, 0.05)
    }

    /// All pages, by name.
    pub fn pages(&self) -> Vec<PageInfo> {
        let mut warnings = Vec::new();
        let found = files::walk(&self.settings.path, &mut warnings);
        self.warn(warnings);
        found.into_iter().map(|found| PageInfo { name: found.name, size: found.stamp.size }).collect()
    }

    /// What a page says, statement by statement, as they are shown to a person.
    pub fn statements(&self, name: &str) -> Vec<Passage> {
        match files::page(&self.settings.path, name) {
            Ok(Some((_, text))) => {
                let page = page::read(name, &text.text);
                page.units
                    .iter()
                    .map(|unit| Passage { page: name.to_owned(), line: unit.line, sentence: unit.shown(), score: 1.0 })
                    .collect()
            }
            Ok(None) => Vec::new(),
            Err(warning) => {
                self.warn([warning]);
                Vec::new()
            }
        }
    }

    /// What was left out so far and why, one line each.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone();
        warnings.sort_unstable();
        warnings.dedup();
        warnings
    }

    fn warn(&self, more: impl IntoIterator<Item = String>) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).extend(more);
    }

    /// The cache to keep, when the vault was read and something in it had changed.
    pub fn cache_bytes(&self) -> Option<Vec<u8>> {
        self.index.get().filter(|(_, changed)| *changed).map(|(index, _)| index.to_bytes(self.fingerprint()))
    }

    /// Tells caches made with another vocabulary apart.
    fn fingerprint(&self) -> u64 {
        let Settings { synonyms, functional_keys, state_words, .. } = &self.settings;
        let words = format!("{synonyms:?}{functional_keys:?}{state_words:?}");
        u64::from(hash(words.as_bytes())) << 32 | u64::from(Lexicon::version())
    }

    /// The page the query names, with or without its ending.
    fn hinted(&self, analyzer: &Analyzer<'_>, query: &Query<'_>) -> Option<Sheet> {
        let name = query.page?.trim_start_matches("./");
        self.load(analyzer, name).or_else(|| self.load(analyzer, &format!("{name}.md")))
    }

    fn load(&self, analyzer: &Analyzer<'_>, name: &str) -> Option<Sheet> {
        match files::page(&self.settings.path, name) {
            Ok(found) => found.map(|(_, text)| sheet(analyzer, name, text.hash, page::read(name, &text.text))),
            Err(warning) => {
                self.warn([warning]);
                None
            }
        }
    }

    fn index(&self, analyzer: &Analyzer<'_>) -> &Index {
        &self.index.get_or_init(|| self.build(analyzer)).0
    }

    /// Reads what the cache doesn't know. Two threads share the work when there is enough of it.
    fn build(&self, analyzer: &Analyzer<'_>) -> (Index, bool) {
        let mut warnings = Vec::new();
        let found = files::walk(&self.settings.path, &mut warnings);
        let mut cached = (self.cache)().map(|bytes| Cached::from_bytes(&bytes, self.fingerprint())).unwrap_or_default();
        let mut changed = cached.len() != found.len();
        let mut pages = Vec::with_capacity(found.len());
        let mut stale = Vec::new();
        for page in found {
            match cached.fresh(&page.name, page.stamp) {
                Some(entry) => pages.push((page.name, entry)),
                None => stale.push(page),
            }
        }
        let cached = &cached;
        let read = |analyzer: &Analyzer<'_>, part: &[Found]| {
            let (mut entries, mut warnings, mut changed) = (Vec::new(), Vec::new(), false);
            for found in part {
                match files::page(&self.settings.path, &found.name) {
                    Ok(Some((stamp, text))) => {
                        let entry = if let Some((entry, same)) = cached.same(&found.name, stamp, text.hash) {
                            changed |= !same;
                            entry
                        } else {
                            changed = true;
                            Entry::new(
                                analyzer,
                                &sheet(analyzer, &found.name, text.hash, page::read(&found.name, &text.text)),
                                stamp,
                            )
                        };
                        entries.push((found.name.clone(), entry));
                    }
                    Ok(None) => {}
                    Err(warning) => warnings.push(warning),
                }
            }
            (entries, warnings, changed)
        };
        let parts = if stale.len() < 64 {
            vec![read(analyzer, &stale)]
        } else {
            let (left, right) = stale.split_at(stale.len() / 2);
            std::thread::scope(|scope| {
                let other = scope.spawn(|| read(&Analyzer::new(&self.lexicon), right));
                let mut parts = vec![read(analyzer, left)];
                parts.extend(other.join());
                parts
            })
        };
        for (entries, more, differs) in parts {
            pages.extend(entries);
            warnings.extend(more);
            changed |= differs;
        }
        pages.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        self.warn(warnings);
        (Index { pages }, changed)
    }

    fn hits(
        analyzer: &Analyzer<'_>,
        fact: &Fact,
        sheets: &[Sheet],
        rarity: &HashMap<u32, f64>,
        without: Option<u32>,
    ) -> Vec<Hit> {
        let weight = |term: &Term| {
            let mut filed = Vec::new();
            keys(analyzer, term, &mut filed);
            filed
                .iter()
                .filter_map(|key| rarity.get(key))
                .copied()
                .fold(None, |best: Option<f64>, next| Some(best.map_or(next, |best| best.min(next))))
                .unwrap_or(2.0)
        };
        let comparer = Comparer { analyzer, weight: &weight };
        let mut hits = Vec::new();
        for (number, sheet) in sheets.iter().enumerate() {
            for (at, claim) in sheet.claims.iter().enumerate() {
                if without.is_some() && sheet.units.get(claim.unit).map(|unit| unit.line) == without {
                    continue;
                }
                hits.push(Hit { sheet: number, claim: at, outcome: comparer.compare(fact, sheet, claim) });
            }
        }
        hits.sort_by(|a, b| {
            b.outcome.score.total_cmp(&a.outcome.score).then(a.sheet.cmp(&b.sheet)).then(a.claim.cmp(&b.claim))
        });
        hits
    }

    fn answer(
        &self,
        analyzer: &Analyzer<'_>,
        fact: &Fact,
        sheets: &[Sheet],
        rarity: &HashMap<u32, f64>,
        without: Option<u32>,
    ) -> Check {
        let hits = Self::hits(analyzer, fact, sheets, rarity, without);
        let (verdict, chosen, guard) = resolve(fact, sheets, &hits);
        let mut order: Vec<Hit> = Vec::new();
        if let Some(first) = chosen.and_then(|at| hits.get(at)) {
            order.push(Hit { outcome: Outcome { score: first.outcome.score.max(SHOWN), ..first.outcome }, ..*first });
        }
        order.extend(hits.into_iter().filter(|hit| hit.outcome.score >= SHOWN).take(60));
        let page_hash = order.first().and_then(|hit| sheets.get(hit.sheet)).map(|sheet| hex(&sheet.hash));
        Check {
            verdict,
            guard,
            passages: passages(sheets, &order, PASSAGES, SHOWN),
            page_hash,
            warnings: self.warnings(),
        }
    }
}

/// Distinct units, in the order of the hits.
fn passages(sheets: &[Sheet], hits: &[Hit], limit: usize, least: f64) -> Vec<Passage> {
    let mut out: Vec<Passage> = Vec::new();
    for hit in hits.iter().filter(|hit| hit.outcome.score >= least) {
        let Some(sheet) = sheets.get(hit.sheet) else { continue };
        let Some(unit) = sheet.claims.get(hit.claim).and_then(|claim| sheet.units.get(claim.unit)) else { continue };
        if out.len() >= limit {
            break;
        }
        if out.iter().all(|passage| passage.page != sheet.name || passage.line != unit.line) {
            out.push(Passage {
                page: sheet.name.clone(),
                line: unit.line,
                sentence: unit.shown(),
                score: hit.outcome.score,
            });
        }
    }
    out
}

/// From the claims' outcomes to one verdict: which hit carries it, and by which guard.
fn resolve(fact: &Fact, sheets: &[Sheet], hits: &[Hit]) -> (Verdict, Option<usize>, Option<&'static str>) {
    let date = |hit: &Hit| {
        sheets.get(hit.sheet).and_then(|sheet| sheet.claims.get(hit.claim).and_then(|claim| sheet.date(claim)))
    };
    let with = |relation: Relation| hits.iter().enumerate().filter(move |(_, hit)| hit.outcome.relation == relation);
    let same: Vec<(usize, &Hit)> = with(Relation::Identical).collect();
    let other: Vec<(usize, &Hit)> =
        with(Relation::Contradicts).filter(|(_, hit)| !ambiguous(sheets, hits, hit)).collect();
    // What the page repeats with other numbers is a pattern; only polarity and days still tell.
    let told = |hit: &Hit| hit.outcome.guard == "opposite" || date(hit).is_some();
    let other: Vec<(usize, &Hit)> =
        if repeated(sheets, &other) { other.into_iter().filter(|(_, hit)| told(hit)).collect() } else { other };
    let hinted =
        |hit: &Hit| sheets.get(hit.sheet).is_some_and(|sheet| fact.page.as_deref() == Some(sheet.name.as_str()));
    let best = |list: &[(usize, &Hit)]| {
        list.iter()
            .max_by(|a, b| {
                hinted(a.1).cmp(&hinted(b.1)).then(a.1.outcome.score.total_cmp(&b.1.outcome.score)).then(b.0.cmp(&a.0))
            })
            .map(|(at, hit)| (*at, hit.outcome.guard))
    };
    if !same.is_empty() {
        // In a log the newest line holds.
        let undated = same.iter().any(|(_, hit)| date(hit).is_none());
        let newest = same.iter().filter_map(|(_, hit)| date(hit)).max();
        let later: Vec<(usize, &Hit)> = other
            .iter()
            .copied()
            .filter(|(_, hit)| date(hit).is_none_or(|day| newest.is_some_and(|newest| day > newest)))
            .collect();
        let renewed = same.iter().filter(|_| !undated).find_map(|(_, hit)| successor(sheets, hits, hit));
        if let Some(at) = renewed.filter(|_| later.is_empty()) {
            return (Verdict::Contradicts, Some(at), Some("superseded"));
        }
        // A later line that says the opposite in fewer of the fact's words.
        let revoked = hits.iter().enumerate().find(|(_, hit)| {
            hit.outcome.guard == OPPOSED
                && hit.outcome.about
                && same.iter().any(|(_, same)| same.sheet == hit.sheet)
                && date(hit).is_some_and(|day| newest.is_none_or(|newest| day > newest))
        });
        if let Some((at, _)) = revoked {
            let verdict = if undated { Verdict::Similar } else { Verdict::Contradicts };
            return (verdict, Some(at), (!undated).then_some("superseded"));
        }
        // Something happened to the same thing since; what it was, is for a human to read.
        let since = hits.iter().enumerate().find(|(_, hit)| {
            hit.outcome.about
                && hit.outcome.opens
                && hit.outcome.relation == Relation::Near
                && same.iter().any(|(_, same)| same.sheet == hit.sheet)
                && date(hit).is_some_and(|day| newest.is_some_and(|newest| day > newest))
        });
        if let Some((at, _)) = since.filter(|_| !undated && later.is_empty()) {
            return (Verdict::Similar, Some(at), None);
        }
        // The newest dated line holds; a value without a day beside it is a page that has not been brought up to date.
        if !later.is_empty() && later.iter().all(|(_, hit)| date(hit).is_none()) && !undated {
            return (Verdict::Similar, best(&later).map(|(at, _)| at), None);
        }
        if undated || later.is_empty() {
            let best = best(&same);
            return (Verdict::Identical, best.map(|(at, _)| at), best.map(|(_, guard)| guard));
        }
        return (Verdict::Contradicts, best(&later).map(|(at, _)| at), Some("superseded"));
    }
    if !other.is_empty() {
        let newest = other.iter().filter_map(|(_, hit)| date(hit)).max();
        let held: Vec<(usize, &Hit)> =
            other.iter().copied().filter(|(_, hit)| date(hit) == newest || date(hit).is_none()).collect();
        let best = best(&held);
        return (Verdict::Contradicts, best.map(|(at, _)| at), best.map(|(_, guard)| guard));
    }
    let near = hits.iter().enumerate().find(|(_, hit)| hit.outcome.about && hit.outcome.score >= SIMILAR);
    match near {
        Some((at, _)) => (Verdict::Similar, Some(at), None),
        None => (Verdict::Absent, None, None),
    }
}

/// A later log line with the same words and another number than the given one.
fn successor(sheets: &[Sheet], hits: &[Hit], hit: &Hit) -> Option<usize> {
    let sheet = sheets.get(hit.sheet)?;
    let claim = sheet.claims.get(hit.claim)?;
    let day = sheet.date(claim)?;
    let words = |claim: &super::claims::Claim| claim.key.full().chain(claim.body.full()).cloned().collect::<Vec<_>>();
    let mine = words(claim);
    let numbers = claim.body.amounts.iter().filter(|amount| !amount.former);
    let mut best: Option<(super::quantity::Date, usize)> = None;
    for (at, other) in hits.iter().enumerate().filter(|(_, other)| other.sheet == hit.sheet && other.claim != hit.claim)
    {
        let Some(next) = sheet.claims.get(other.claim) else { continue };
        let Some(later) = sheet.date(next).filter(|later| *later > day) else { continue };
        let theirs = words(next);
        // The verbs of a log change ("set to", "raised to"); what they speak of does not.
        let rest = |a: &[Term], b: &[Term]| {
            a.iter()
                .filter(|term| !b.iter().any(|other| term.matches(other) == Some(Match::Same)))
                .cloned()
                .collect::<Vec<_>>()
        };
        let (gone, come) = (rest(&mine, &theirs), rest(&theirs, &mine));
        let verbs = |terms: &[Term]| terms.is_empty() || terms.len() == 1 && terms.iter().all(|term| !term.capital);
        let alike = verbs(&gone) && verbs(&come) && gone.len() < mine.len();
        let replaced = numbers
            .clone()
            .any(|amount| next.body.amounts.iter().any(|new| !new.former && amount.quantity.excludes(&new.quantity)));
        if replaced && alike && best.is_none_or(|(day, _)| later > day) {
            best = Some((later, at));
        }
    }
    best.map(|(_, at)| at)
}

/// Whether a page says the same of several numbers or values in several places, none of them dated: a pattern of the page,
/// not a fact that another number could contradict.
fn repeated(sheets: &[Sheet], other: &[(usize, &Hit)]) -> bool {
    let place = |hit: &Hit| {
        let sheet = sheets.get(hit.sheet)?;
        let claim = sheet.claims.get(hit.claim)?;
        let word = claim.key.full().last().or_else(|| claim.body.full().next())?;
        (sheet.date(claim).is_none() && hit.outcome.guard != "opposite").then_some((hit.sheet, claim, word))
    };
    let places: Vec<_> = other.iter().filter_map(|(_, hit)| place(hit)).collect();
    let agree = |a: &super::claims::Claim, b: &super::claims::Claim| {
        a.body.full().any(|term| b.body.full().any(|other| term.matches(other) == Some(Match::Same)))
            && a.body
                .amounts
                .iter()
                .all(|amount| b.body.amounts.iter().any(|other| amount.quantity.equals(&other.quantity)))
    };
    places.iter().enumerate().any(|(at, (sheet, claim, word))| {
        places.iter().skip(at + 1).any(|(other_sheet, other, other_word)| {
            sheet == other_sheet
                && claim.unit != other.unit
                && word.matches(other_word) == Some(Match::Same)
                && !(agree(claim, other) || agree(other, claim))
        })
    })
}

/// Whether the page gives the same key several values side by side, so that another value contradicts nothing.
fn ambiguous(sheets: &[Sheet], hits: &[Hit], hit: &Hit) -> bool {
    let Some(sheet) = sheets.get(hit.sheet) else { return true };
    let Some(claim) = sheet.claims.get(hit.claim) else { return true };
    if sheet.date(claim).is_some() || matches!(hit.outcome.guard, "opposite" | "only") {
        return false;
    }
    let unit = |claim: &super::claims::Claim| sheet.units.get(claim.unit);
    if claim.inverse {
        return hits.iter().any(|rival| {
            rival.sheet == hit.sheet
                && rival.outcome.relation == Relation::Contradicts
                && rival.outcome.guard == hit.outcome.guard
                && sheet.claims.get(rival.claim).is_some_and(|other| other.inverse && other.unit != claim.unit)
        });
    }
    if claim.key.terms.is_empty() {
        return false;
    }
    let equal = |a: &[Term], b: &[Term]| {
        let full = |terms: &[Term]| terms.iter().filter(|term| !term.light).count();
        full(a) == full(b)
            && a.iter()
                .filter(|term| !term.light)
                .all(|term| b.iter().any(|other| term.matches(other) == Some(Match::Same)))
    };
    let row = |claim: &super::claims::Claim| claim.row.as_ref().map(|row| row.terms.clone()).unwrap_or_default();
    sheet.claims.iter().any(|other| {
        other.unit != claim.unit
            && !other.inverse
            && sheet.date(other).is_none()
            && !other.key.terms.is_empty()
            && equal(&other.key.terms, &claim.key.terms)
            && equal(&row(other), &row(claim))
            && other.parents.len() == claim.parents.len()
            && unit(other).map(|unit| unit.heading) == unit(claim).map(|unit| unit.heading)
            && unit(other).map(|unit| unit.line) != unit(claim).map(|unit| unit.line)
    })
}
