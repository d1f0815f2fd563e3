//! Full-text search over the blocks: German and English, inflected, in any spelling of an umlaut, parts of compounds, and
//! with typing errors where a word is not known otherwise.
//!
//! A word of the query is looked up in the vocabulary of the store itself: as it is (its stems) with the weight 1; as the
//! beginning or end of a compound, .8; by the parts that it is made of, .5; by a word of the same meaning, .6; and only
//! where there is nothing of the first three, by a word that is spelled alike, .6. Of all these the best counts for a block, weighted by how rare
//! the word is, and added up over the query's words. Among what fits about as well, what is newer, surer and more often read comes first.
#![allow(clippy::cast_precision_loss, reason = "counts stay far below 2^52, and a score is no account")]

mod index;
mod synonyms;
mod words;

use std::collections::{HashMap, HashSet};

use rusqlite::OptionalExtension;

pub(in crate::store::blocks) use index::{Pending, fill};
use words::{Word, Words, fold, grams};

use super::{BlockQuery, Blocks};
use crate::domain::block::{Block, NewBlock};
use crate::domain::time::{DAY, Timestamp};
use crate::mask::Masked;
use crate::store::StoreError;

/// The tables of the index.
pub(super) const TABLES: &str = "
    -- Every stem that a block has, how many have it, and its letters backwards: what a compound ends in is found so.
    CREATE TABLE terms (
        term INTEGER PRIMARY KEY,
        text TEXT NOT NULL UNIQUE,
        reverse TEXT NOT NULL,
        blocks INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX terms_by_reverse ON terms (reverse);
    CREATE TABLE postings (
        term INTEGER NOT NULL,
        block INTEGER NOT NULL,
        PRIMARY KEY (term, block)
    ) STRICT, WITHOUT ROWID;
    -- Three letters each, for words that are spelled otherwise than any that is known.
    CREATE TABLE grams (
        gram TEXT NOT NULL,
        term INTEGER NOT NULL,
        PRIMARY KEY (gram, term)
    ) STRICT, WITHOUT ROWID;
";

/// The weights of the ways in which a word is found.
const EXACT: f64 = 1.0;
const COMPOUND: f64 = 0.8;
const MEANING: f64 = 0.6;
const ALIKE: f64 = 0.6;
const PARTS: f64 = 0.5;
/// The least letters of a part of a compound.
const PART_MIN: usize = 4;
/// How many words of the vocabulary one way leads to at the most.
const TERMS_MAX: usize = 40;
/// A term that more blocks have than this tells little: it adds to what other words found.
const COMMON: i64 = 4000;
/// How many blocks of a common term are looked at where there is nothing else: the newest.
const COMMON_MAX: usize = 4000;
/// How many words of a query count.
const QUERY_MAX: usize = 32;
/// How many of the best are ranked by age, confidence and use.
const RANKED: usize = 400;

/// What a block says, as far as it is found by it.
pub(super) struct Said<'a> {
    key: &'a Masked,
    value: &'a Masked,
    entities: &'a [Masked],
}

impl<'a> From<&'a NewBlock> for Said<'a> {
    fn from(new: &'a NewBlock) -> Self {
        Self { key: &new.key, value: &new.value, entities: &new.entities }
    }
}

impl<'a> From<&'a Block> for Said<'a> {
    fn from(block: &'a Block) -> Self {
        Self { key: &block.key, value: &block.value, entities: &block.entities }
    }
}

/// A block that was found, and why.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The block.
    pub block: Block,
    /// By what it is ordered: the match, raised by up to a quarter.
    pub score: f64,
    /// How well it fits, 0 to 1: 1 where it has every word as it was asked for.
    pub matched: f64,
    /// What age, confidence and use add, 0 to 1 each.
    pub recency: f64,
    /// See [`Hit::recency`]: its own confidence.
    pub confidence: f64,
    /// See [`Hit::recency`]: how often it was read.
    pub used: f64,
    /// Each word of the query that it was found by.
    pub words: Vec<Found>,
}

/// How a word of the query was found in a block.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Found {
    /// The word, folded.
    pub word: String,
    /// How: `word`, `compound`, `parts`, `meaning`, `alike`.
    pub how: &'static str,
    /// The stem that the block has.
    pub term: String,
}

/// A way from a word of the query to a term.
struct Way {
    term: i64,
    text: String,
    blocks: i64,
    weight: f64,
    how: &'static str,
}

/// How well blocks fit, word by word.
type Scores = HashMap<i64, Vec<Option<(f64, usize)>>>;

impl Blocks {
    /// Whether there is an index: a database of before gets one with its next change.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn has_index(&self) -> Result<bool, StoreError> {
        Ok(super::schema::version(self)? >= super::schema::SEARCHABLE)
    }

    /// The blocks that fit a text, the best first; `query` says which of them are wanted, and how many.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn search(&self, text: &str, query: &BlockQuery, now: Timestamp) -> Result<Vec<Hit>, StoreError> {
        let fail = |error| self.failure("read", error);
        let mut seen = HashSet::new();
        let stemmer = Words::new();
        // Stemmed once for all words of the query.
        let groups: Vec<Vec<Word>> =
            synonyms::GROUPS.iter().map(|group| group.iter().flat_map(|word| stemmer.of(word)).collect()).collect();
        let mut words = stemmer.of(text);
        words.retain(|word| seen.insert(word.folded.clone()));
        words.truncate(QUERY_MAX);
        let ways: Vec<Vec<Way>> = words
            .iter()
            .map(|word| self.ways(word, &stemmer, &groups))
            .collect::<rusqlite::Result<_>>()
            .map_err(fail)?;
        let total = self.count()?.max(1);
        let (scores, best) = self.scores(&ways, total).map_err(fail)?;
        let mut ranked: Vec<(f64, i64)> = scores
            .iter()
            .map(|(block, found)| {
                let sum: f64 = found.iter().flatten().map(|(score, _)| score).sum();
                (if best > 0.0 { sum / best } else { 0.0 }, *block)
            })
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)));
        let limit = query.limit.unwrap_or(usize::MAX);
        let mut hits: Vec<Hit> = Vec::new();
        for some in ranked.chunks(RANKED.max(limit.min(10 * RANKED))) {
            let ids: Vec<i64> = some.iter().map(|(_, block)| *block).collect();
            let mut blocks = self.wanted(&ids, query)?;
            for (matched, id) in some {
                let Some(block) = blocks.remove(id) else { continue };
                let found = scores.get(id).map(|found| why(found, &words, &ways)).unwrap_or_default();
                hits.push(Hit::new(block, *matched, found, now));
            }
            if hits.len() >= limit {
                break;
            }
        }
        hits.sort_by(|one, other| {
            other.score.total_cmp(&one.score).then_with(|| one.block.id.as_str().cmp(other.block.id.as_str()))
        });
        hits.truncate(limit);
        Ok(hits)
    }

    /// For each block the best way of each word; and what a block would have that fits every word best.
    fn scores(&self, ways: &[Vec<Way>], total: u64) -> rusqlite::Result<(Scores, f64)> {
        let mut scores: Scores = HashMap::new();
        let rarity = |blocks: i64| (1.0 + total as f64 / (blocks.max(1) as f64)).ln();
        // A word that nothing is known of weighs like one that a single block has: what lacks it fits less.
        let best: f64 = ways
            .iter()
            .map(|ways| ways.iter().map(|way| rarity(way.blocks)).fold(f64::NAN, f64::max))
            .map(|most| if most.is_nan() { 0.5 * rarity(1) } else { most })
            .sum();
        let mut order: Vec<(usize, usize)> =
            ways.iter().enumerate().flat_map(|(word, ways)| (0..ways.len()).map(move |way| (word, way))).collect();
        let blocks_of =
            |(word, way): (usize, usize)| ways.get(word).and_then(|ways| ways.get(way)).map_or(0, |way| way.blocks);
        order.sort_by_key(|at| blocks_of(*at));
        let has_rare = order.iter().any(|at| blocks_of(*at) <= COMMON);
        let mut newest =
            self.conn.prepare_cached("SELECT block FROM postings WHERE term = ?1 ORDER BY block DESC LIMIT ?2")?;
        let mut has = self.conn.prepare_cached("SELECT 1 FROM postings WHERE term = ?1 AND block = ?2")?;
        for (word, nth) in order {
            let Some(way) = ways.get(word).and_then(|ways| ways.get(nth)) else { continue };
            let score = way.weight * rarity(way.blocks);
            let note = |scores: &mut Scores, block: i64| {
                let found = scores.entry(block).or_insert_with(|| vec![None; ways.len()]);
                if let Some(slot) = found.get_mut(word)
                    && slot.is_none_or(|(known, _)| known < score)
                {
                    *slot = Some((score, nth));
                }
            };
            if way.blocks > COMMON && has_rare && !scores.is_empty() {
                let candidates: Vec<i64> = scores.keys().copied().collect();
                for block in candidates {
                    if has.exists((way.term, block))? {
                        note(&mut scores, block);
                    }
                }
                continue;
            }
            let most = if way.blocks > COMMON { COMMON_MAX } else { usize::MAX };
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let mut rows = newest.query((way.term, most))?;
            while let Some(row) = rows.next()? {
                note(&mut scores, row.get(0)?);
            }
        }
        Ok((scores, best))
    }

    /// All ways from a word to terms of the store.
    fn ways(&self, word: &Word, stemmer: &Words, groups: &[Vec<Word>]) -> rusqlite::Result<Vec<Way>> {
        let mut ways = Vec::new();
        for stem in &word.stems {
            ways.extend(self.exact(stem, EXACT, "word")?);
        }
        // A number is not a part of another.
        if word.folded.chars().all(|ch| ch.is_numeric() || !ch.is_alphanumeric()) {
            return Ok(ways);
        }
        for stem in &word.stems {
            if stem.chars().count() >= PART_MIN {
                ways.extend(self.compounds(stem)?);
            }
        }
        ways.extend(self.own_parts(&word.folded, stemmer)?);
        if ways.is_empty() {
            ways.extend(self.alike(word)?);
        }
        ways.extend(self.same_meaning(word, groups)?);
        // The best way to a term is the only one.
        ways.sort_by(|one, other| one.term.cmp(&other.term).then(other.weight.total_cmp(&one.weight)));
        ways.dedup_by_key(|way| way.term);
        Ok(ways)
    }

    fn exact(&self, stem: &str, weight: f64, how: &'static str) -> rusqlite::Result<Option<Way>> {
        let mut find = self.conn.prepare_cached("SELECT term, blocks FROM terms WHERE text = ?1")?;
        find.query_row([stem], |row| {
            Ok(Way { term: row.get(0)?, text: stem.to_owned(), blocks: row.get(1)?, weight, how })
        })
        .optional()
    }

    /// Terms that begin or end with a stem.
    fn compounds(&self, stem: &str) -> rusqlite::Result<Vec<Way>> {
        let reverse: String = stem.chars().rev().collect();
        let mut ways = Vec::new();
        for (column, part) in [("text", stem), ("reverse", &reverse)] {
            // Up to, and without, the first text that does not begin so.
            let end = format!("{part}\u{10ffff}");
            let sql = format!(
                "SELECT term, text, blocks FROM terms WHERE {column} > ?1 AND {column} < ?2 ORDER BY blocks LIMIT {TERMS_MAX}"
            );
            let mut find = self.conn.prepare_cached(&sql)?;
            let rows = find.query_map((part, &end), |row| {
                Ok(Way { term: row.get(0)?, text: row.get(1)?, blocks: row.get(2)?, weight: COMPOUND, how: "compound" })
            })?;
            for way in rows {
                let way = way?;
                // What is left has to be a word's length, or an ending that the stemmer left.
                let rest = way.text.chars().count() - stem.chars().count();
                if rest >= 3 || (rest <= 2 && column == "text") {
                    ways.push(way);
                }
            }
        }
        Ok(ways)
    }

    /// Two terms of the store that a word is made of, with or without an `s` or `n` between them.
    fn own_parts(&self, word: &str, stemmer: &Words) -> rusqlite::Result<Vec<Way>> {
        let chars: Vec<char> = word.chars().collect();
        let mut ways = Vec::new();
        for at in PART_MIN..chars.len().saturating_sub(PART_MIN - 1) {
            let (left, right) = chars.split_at(at);
            let [left, right] = [left, right].map(|part| part.iter().collect::<String>());
            let known = |part: &str| -> rusqlite::Result<Option<Way>> {
                for stem in stemmer.of(part).into_iter().flat_map(|word| word.stems) {
                    if let Some(way) = self.exact(&stem, PARTS, "parts")? {
                        return Ok(Some(way));
                    }
                }
                Ok(None)
            };
            let Some(right) = known(&right)? else { continue };
            let bare = left.strip_suffix(['s', 'n']).filter(|bare| bare.chars().count() >= PART_MIN);
            let left = match known(&left)? {
                Some(left) => Some(left),
                None => bare.map(known).transpose()?.flatten(),
            };
            let Some(left) = left else { continue };
            ways.extend([left, right]);
        }
        ways.truncate(TERMS_MAX);
        Ok(ways)
    }

    /// Terms that are spelled nearly like the word.
    fn alike(&self, word: &Word) -> rusqlite::Result<Vec<Way>> {
        let mut shared: HashMap<i64, usize> = HashMap::new();
        let wanted: Vec<String> = word.stems.first().map(|stem| grams(stem)).unwrap_or_default().into_iter().collect();
        let mut find = self.conn.prepare_cached("SELECT term FROM grams WHERE gram = ?1 LIMIT 5000")?;
        for gram in &wanted {
            for term in find.query_map([gram], |row| row.get::<_, i64>(0))? {
                *shared.entry(term?).or_insert(0) += 1;
            }
        }
        let mut near: Vec<(usize, i64)> = shared
            .into_iter()
            .filter(|(_, shared)| *shared * 3 >= wanted.len())
            .map(|(term, shared)| (shared, term))
            .collect();
        near.sort_unstable_by(|one, other| other.cmp(one));
        let mut ways = Vec::new();
        let mut term = self.conn.prepare_cached("SELECT text, blocks FROM terms WHERE term = ?1")?;
        for (_, number) in near.into_iter().take(200) {
            let (text, blocks): (String, i64) = term.query_row([number], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let length = word.folded.chars().count();
            let most = if length >= 8 { 2 } else { usize::from(length >= 4) };
            let distance = word.stems.iter().map(|stem| strsim::osa_distance(stem, &text)).min().unwrap_or(usize::MAX);
            if distance <= most {
                let weight = ALIKE / (1.0 + 0.3 * (distance.saturating_sub(1)) as f64);
                ways.push(Way { term: number, text, blocks, weight, how: "alike" });
            }
        }
        ways.truncate(TERMS_MAX);
        Ok(ways)
    }

    fn same_meaning(&self, word: &Word, groups: &[Vec<Word>]) -> rusqlite::Result<Vec<Way>> {
        let mut ways = Vec::new();
        for stems in groups {
            let is_in = |of: &Word| of.folded == word.folded || of.stems.iter().any(|stem| word.stems.contains(stem));
            if !stems.iter().any(is_in) {
                continue;
            }
            for other in stems.iter().filter(|other| !is_in(other)) {
                for stem in &other.stems {
                    ways.extend(self.exact(stem, MEANING, "meaning")?);
                    if stem.chars().count() > PART_MIN {
                        let compounds = self.compounds(stem)?;
                        ways.extend(compounds.into_iter().map(|way| Way {
                            weight: MEANING * COMPOUND,
                            how: "meaning",
                            ..way
                        }));
                    }
                }
            }
        }
        ways.truncate(4 * TERMS_MAX);
        Ok(ways)
    }

    /// What is wrong with the index, for `doctor`: blocks that are not in it, counts that are not right.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn index_faults(&self) -> Result<Vec<String>, StoreError> {
        if !self.has_index()? {
            return Ok(Vec::new());
        }
        let mut faults = Vec::new();
        for (what, question) in [
            (
                "entries of the search index belong to no block",
                "SELECT count(*) FROM postings WHERE block NOT IN (SELECT block FROM blocks)",
            ),
            (
                "words of the search index have a wrong count",
                "SELECT count(*) FROM terms t WHERE blocks <> (SELECT count(*) FROM postings p WHERE p.term = t.term)",
            ),
            (
                "entries of the search index have no word",
                "SELECT count(*) FROM postings WHERE term NOT IN (SELECT term FROM terms)",
            ),
        ] {
            let number: i64 =
                self.conn.query_row(question, [], |row| row.get(0)).map_err(|error| self.failure("read", error))?;
            faults.extend((number > 0).then(|| format!("{number} {what}")));
        }
        Ok(faults)
    }
}

/// The ways by which a block was found.
fn why(found: &[Option<(f64, usize)>], words: &[Word], ways: &[Vec<Way>]) -> Vec<Found> {
    let each = found.iter().zip(words).zip(ways);
    each.filter_map(|((found, word), ways)| {
        let way = ways.get((*found)?.1)?;
        Some(Found { word: word.folded.clone(), how: way.how, term: way.text.clone() })
    })
    .collect()
}

impl Hit {
    fn new(block: Block, matched: f64, words: Vec<Found>, now: Timestamp) -> Self {
        // Half after a quarter of a year.
        let days = (now.since(block.updated_at).max(0) / DAY) as f64;
        let recency = 1.0 / (1.0 + days / 90.0);
        let confidence = block.confidence.get();
        let used = 1.0 - 1.0 / (1.0 + block.access_count as f64 / 10.0);
        let score = matched * (1.0 + 0.1 * recency + 0.1 * confidence + 0.05 * used);
        Self { block, score, matched, recency, confidence, used, words }
    }
}

/// Whether a text has anything to search for.
pub fn is_searchable(text: &str) -> bool {
    text.split_whitespace().any(|word| !fold(word).is_empty() && word.chars().any(char::is_alphanumeric))
}
