//! The vault as the rest of the program sees it: open, check, search, list.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::analyze::Analyzer;
use super::claims::{Sheet, sheet};
use super::compare::{Comparer, Outcome};
use super::fact::Fact;
use super::files::{self, Found, VaultError, hex};
use super::index::{Cached, Entry, Index, Wanted, keys};
use super::lexicon::Lexicon;
use super::page;
use super::resolve::resolve;
use super::statement::Term;
use super::words::{fold, hash};
use super::{Check, Passage, Query, Settings, Verdict};

/// Most pages read for one check.
const PAGES_READ: usize = 12;
/// Most passages an answer carries.
const PASSAGES: usize = 3;
/// From this nearness on a passage is shown. 0 to 1.
const SHOWN: f64 = 0.2;

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
pub(super) struct Hit {
    /// Its page, by number.
    pub(super) sheet: usize,
    /// Its number there.
    pub(super) claim: usize,
    /// What the comparison came to.
    pub(super) outcome: Outcome,
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
