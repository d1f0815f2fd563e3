//! Which passages may be about a fact: hashed words of every unit of the vault, and the cache that keeps them.
//!
//! The cache holds no text: page names as hashes, words as hashed stems, line numbers, and what tells a changed file. It
//! only saves reading; every answer is made from the pages themselves.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::analyze::Analyzer;
use super::claims::Sheet;
use super::files::Stamp;
use super::lexicon::Role;
use super::statement::Term;

const MAGIC: &[u8; 8] = b"hmvault1";
/// A page changed this shortly before the newest one is read again: its stamp may not show a later change. Nanoseconds.
const RACY: i128 = 2_000_000_000;

/// The words of one page, hashed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    /// What the file looked like.
    pub(super) stamp: Stamp,
    /// SHA-256 of the file.
    pub(super) hash: [u8; 32],
    /// Words of title, aliases and headings.
    pub(super) context: Vec<u32>,
    /// For each unit its line and where its words end in `keys`.
    pub(super) units: Vec<(u32, u32)>,
    /// The units' words.
    pub(super) keys: Vec<u32>,
}

/// The keys under which a word is filed.
pub(super) fn keys(analyzer: &Analyzer<'_>, term: &Term, out: &mut Vec<u32>) {
    if term.light {
        return;
    }
    let before = out.len();
    for sense in &term.senses {
        if !matches!(analyzer.lexicon().role(sense.group), Role::Stop | Role::Light) {
            out.push(super::words::hash(&sense.group.to_le_bytes()));
        }
    }
    if out.len() == before {
        for stem in term.stems {
            if !out.iter().skip(before).any(|key| *key == stem) {
                out.push(stem);
            }
        }
    }
}

impl Entry {
    /// Files a page.
    pub(super) fn new(analyzer: &Analyzer<'_>, sheet: &Sheet, stamp: Stamp) -> Self {
        let mut entry = Self { stamp, hash: sheet.hash, ..Self::default() };
        let context =
            sheet.subjects.iter().flatten().chain(sheet.sections.iter().flat_map(|section| &section.words.terms));
        for term in context {
            keys(analyzer, term, &mut entry.context);
        }
        entry.context.sort_unstable();
        entry.context.dedup();
        let mut unit_keys = Vec::new();
        let mut claims = sheet.claims.iter().peekable();
        while let Some(claim) = claims.next() {
            let row = claim.row.iter().chain(&claim.extra).flat_map(|statement| &statement.terms);
            for term in claim.key.terms.iter().chain(&claim.body.terms).chain(row) {
                keys(analyzer, term, &mut unit_keys);
            }
            if claims.peek().is_none_or(|next| next.unit != claim.unit) {
                unit_keys.sort_unstable();
                unit_keys.dedup();
                entry.keys.append(&mut unit_keys);
                let line = sheet.units.get(claim.unit).map_or(0, |unit| unit.line);
                entry.units.push((line, u32::try_from(entry.keys.len()).unwrap_or(u32::MAX)));
            }
        }
        entry
    }
}

/// The words of a query, each with the keys it may be filed under.
pub(super) struct Wanted {
    terms: Vec<Vec<u32>>,
    filter: Box<[u64; 64]>,
}

impl Wanted {
    /// At most 64 words are looked for.
    pub(super) fn new<'t>(analyzer: &Analyzer<'_>, words: impl Iterator<Item = &'t Term>) -> Self {
        let mut terms = Vec::new();
        let mut filter = Box::new([0_u64; 64]);
        for term in words.filter(|term| !term.light).take(64) {
            let mut found = Vec::new();
            keys(analyzer, term, &mut found);
            for key in &found {
                if let Some(slot) = filter.get_mut(slot(*key)) {
                    *slot |= 1 << (key & 63);
                }
            }
            terms.push(found);
        }
        Self { terms, filter }
    }

    fn mask(&self, keys: &[u32]) -> u64 {
        let mut mask = 0;
        for key in keys {
            if self.filter.get(slot(*key)).is_some_and(|slot| slot & (1 << (key & 63)) != 0) {
                for (bit, term) in self.terms.iter().enumerate() {
                    if term.contains(key) {
                        mask |= 1 << bit;
                    }
                }
            }
        }
        mask
    }
}

fn slot(key: u32) -> usize {
    (key >> 26) as usize
}

/// The vault's pages by name, and their hashed words.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Sorted by name.
    pub(super) pages: Vec<(String, Entry)>,
}

/// What the index found: how rare each wanted word is, and the pages to read, best first.
pub(super) struct Candidates {
    /// Inverse document frequency of each wanted word's keys.
    pub(super) rarity: HashMap<u32, f64>,
    /// Names of pages.
    pub(super) pages: Vec<String>,
}

impl Index {
    /// The pages that hold the most telling words of the query in one unit.
    pub(super) fn candidates(&self, wanted: &Wanted, limit: usize) -> Candidates {
        let mut frequency = vec![0_u32; wanted.terms.len()];
        let mut hits: Vec<(usize, u64, u64)> = Vec::new();
        let mut units = 0_u32;
        for (number, (_, entry)) in self.pages.iter().enumerate() {
            let context = wanted.mask(&entry.context);
            let mut start = 0;
            let mut any = false;
            for (_, end) in &entry.units {
                units = units.saturating_add(1);
                let own = wanted.mask(entry.keys.get(start..*end as usize).unwrap_or_default());
                start = *end as usize;
                if own != 0 {
                    any = true;
                    hits.push((number, own, context));
                    for (bit, count) in frequency.iter_mut().enumerate() {
                        *count += u32::from(own & (1 << bit) != 0);
                    }
                }
            }
            if !any && context != 0 {
                hits.push((number, 0, context));
            }
        }
        let rarity: Vec<f64> =
            frequency.iter().map(|count| (1.0 + f64::from(units) / (1.0 + f64::from(*count))).ln()).collect();
        let sum = |mask: u64| {
            rarity.iter().enumerate().filter(|(bit, _)| mask & (1 << bit) != 0).map(|(_, weight)| weight).sum::<f64>()
        };
        let mut best: HashMap<usize, f64> = HashMap::new();
        for (number, own, context) in hits {
            let score = sum(own) + 0.5 * sum(context & !own);
            let place = best.entry(number).or_default();
            *place = place.max(score);
        }
        let mut order: Vec<(usize, f64)> = best.into_iter().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let pages = order
            .iter()
            .take(limit)
            .filter_map(|(number, _)| self.pages.get(*number))
            .map(|(name, _)| name.clone())
            .collect();
        let rarity = wanted
            .terms
            .iter()
            .zip(&rarity)
            .flat_map(|(keys, weight)| keys.iter().map(|key| (*key, *weight)))
            .collect();
        Candidates { rarity, pages }
    }

    /// The index as bytes for the cache. `fingerprint` tells the vocabulary it was made with.
    pub(super) fn to_bytes(&self, fingerprint: u64) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(MAGIC);
        out.extend(fingerprint.to_le_bytes());
        out.extend(u32::try_from(self.pages.len()).unwrap_or(u32::MAX).to_le_bytes());
        for (name, entry) in &self.pages {
            out.extend(name_hash(name));
            out.extend(entry.stamp.size.to_le_bytes());
            out.extend(entry.stamp.modified.to_le_bytes());
            out.extend(entry.stamp.changed.to_le_bytes());
            out.extend(entry.hash);
            for (count, width) in [(entry.context.len(), 1), (entry.units.len(), 2), (entry.keys.len(), 1)] {
                out.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
                let _ = width;
            }
            for key in
                entry.context.iter().chain(entry.units.iter().flat_map(|(line, end)| [line, end])).chain(&entry.keys)
            {
                out.extend(key.to_le_bytes());
            }
        }
        let sum = checksum(&out);
        out.extend(sum);
        out
    }
}

/// Entries of a cache by the hash of their page's name; what changed too recently to trust its stamp is left out.
#[derive(Debug, Default)]
pub(super) struct Cached {
    entries: HashMap<[u8; 16], Entry>,
    newest: i128,
}

impl Cached {
    /// Reads a cache. Anything wrong with it makes it empty: the pages are there to be read.
    pub(super) fn from_bytes(bytes: &[u8], fingerprint: u64) -> Self {
        Self::parse(bytes, fingerprint).unwrap_or_default()
    }

    fn parse(bytes: &[u8], fingerprint: u64) -> Option<Self> {
        let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        if checksum(body) != sum {
            return None;
        }
        let mut rest = Bytes(body);
        if rest.take(8)? != MAGIC || rest.u64()? != fingerprint {
            return None;
        }
        let mut cached = Self::default();
        for _ in 0..rest.u32()? {
            let name: [u8; 16] = rest.take(16)?.try_into().ok()?;
            let stamp = Stamp { size: rest.u64()?, modified: rest.i128()?, changed: rest.i128()? };
            let hash = rest.take(32)?.try_into().ok()?;
            let (context, units, keys) = (rest.u32()?, rest.u32()?, rest.u32()?);
            let context = rest.numbers(context)?.collect();
            let units = rest
                .numbers(units.checked_mul(2)?)?
                .collect::<Vec<_>>()
                .chunks_exact(2)
                .filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)))
                .collect();
            let keys = rest.numbers(keys)?.collect();
            cached.newest = cached.newest.max(stamp.changed);
            cached.entries.insert(name, Entry { stamp, hash, context, units, keys });
        }
        rest.0.is_empty().then_some(cached)
    }

    /// The entry of a page that has not changed since.
    pub(super) fn fresh(&mut self, name: &str, stamp: Stamp) -> Option<Entry> {
        let entry = self.entries.get(&name_hash(name))?;
        if entry.stamp != stamp || stamp.changed + RACY > self.newest {
            return None;
        }
        self.entries.remove(&name_hash(name))
    }

    /// The entry of a page whose bytes are the same, though its stamp may not be.
    pub(super) fn same(&self, name: &str, stamp: Stamp, hash: [u8; 32]) -> Option<(Entry, bool)> {
        let entry = self.entries.get(&name_hash(name)).filter(|entry| entry.hash == hash)?;
        Some((Entry { stamp, ..entry.clone() }, entry.stamp == stamp))
    }

    /// How many pages it knew.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

fn name_hash(name: &str) -> [u8; 16] {
    let digest = Sha256::digest(name.as_bytes());
    digest.first_chunk::<16>().copied().unwrap_or_default()
}

/// Eight bytes that change with any byte of the body: torn writes and bit rot, not forgery.
fn checksum(body: &[u8]) -> [u8; 8] {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ body.len() as u64;
    let mut words = body.chunks_exact(8);
    for word in &mut words {
        let word = word.try_into().map(u64::from_le_bytes).unwrap_or_default();
        state = (state ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
    }
    for byte in words.remainder() {
        state = (state ^ u64::from(*byte)).wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(31);
    }
    (state ^ (state >> 32)).wrapping_mul(0xc4ce_b9fe_1a85_ec53).to_le_bytes()
}

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn i128(&mut self) -> Option<i128> {
        self.take(16)?.try_into().ok().map(i128::from_le_bytes)
    }

    fn numbers(&mut self, count: u32) -> Option<impl Iterator<Item = u32> + use<'b>> {
        let bytes = self.take((count as usize).checked_mul(4)?)?;
        Some(bytes.chunks_exact(4).filter_map(|chunk| chunk.try_into().ok()).map(u32::from_le_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_cache_is_no_cache() {
        let stamp = Stamp { size: 3, modified: 1, changed: 1 };
        let entry = Entry { stamp, hash: [7; 32], context: vec![1, 2], units: vec![(1, 2)], keys: vec![5, 6] };
        let newer = Entry { stamp: Stamp { changed: 1 + RACY, ..stamp }, ..entry.clone() };
        let index = Index { pages: vec![("a.md".to_owned(), entry.clone()), ("b.md".to_owned(), newer)] };
        let bytes = index.to_bytes(9);
        assert_eq!(Cached::from_bytes(&bytes, 9).fresh("a.md", stamp), Some(entry));
        assert!(Cached::from_bytes(&bytes, 8).fresh("a.md", stamp).is_none(), "another vocabulary");
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert_eq!(Cached::from_bytes(&bad, 9).len(), 0, "byte {at}");
            assert_eq!(Cached::from_bytes(&bytes[..at], 9).len(), 0, "cut at {at}");
        }
    }
}
