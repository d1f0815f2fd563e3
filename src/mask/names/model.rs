//! A linear-chain model that marks names: features of a token and its neighbours, weights from a file, Viterbi's best path.
//!
//! `data/names/train.sh` makes the weights; NOTICE says from what.

use std::ops::Range;
use std::sync::OnceLock;

use super::lists::Flags;
use super::token::{Shape, Token, hash};

/// Outside a name, its first token, a further one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Label {
    #[default]
    Outside,
    Begin,
    Inside,
}

const LABELS: [Label; 3] = [Label::Outside, Label::Begin, Label::Inside];

/// The weights: a header, then an open-addressed table.
///
/// Header, 16 bytes: nine transitions (`i8`, from × to), what Begin gets at the start of a line (`i8`), then padding. Table: 2^n
/// slots of four bytes: a tag of 16 bits (little endian, 0 for a free slot), then what the feature adds to Begin and to Inside
/// against Outside (`i8`). All weights are in the same steps.
static WEIGHTS: &[u8] = include_bytes!("../../../data/names/model.bin");
pub(super) const HEADER: usize = 16;
pub(super) const SLOT: usize = 4;
/// The most slots that are looked at for one feature.
pub(super) const PROBES: usize = 32;

/// The weights in use: those of the program, or others that are being tried.
#[derive(Clone, Copy, Debug)]
pub(in crate::mask) struct Model(&'static [u8]);

impl Model {
    pub(in crate::mask) fn of(weights: &'static [u8]) -> Self {
        Self(weights)
    }

    /// A weight of the header.
    fn weight(self, at: usize) -> i32 {
        i32::from(self.0.get(at).copied().unwrap_or(0).cast_signed())
    }
}

impl Default for Model {
    fn default() -> Self {
        Self(WEIGHTS)
    }
}

/// What a line is like as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tone {
    language: Language,
    /// How many of its words have a capital, in quarters.
    capitals: u8,
}

/// The language of a line, by its small words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Language {
    Unknown,
    German,
    English,
}

/// Calls `emit` with the hash of each feature of the token at `at`.
pub(super) fn features(tokens: &[Token], at: usize, tone: Tone, mut emit: impl FnMut(u32)) {
    let near = |offset: isize| at.checked_add_signed(offset).and_then(|i| tokens.get(i));
    let word = |offset: isize| near(offset).map_or(1, |t| t.word);
    let shape = |offset: isize| near(offset).map_or(9_u8, |t| t.shape as u8);
    let flags = |offset: isize| near(offset).map_or(64_u8, |t| t.flags.bits());
    let affix = |offset: isize, which: usize| near(offset).and_then(|t| t.affixes.get(which)).copied().unwrap_or(1);
    let Some(token) = near(0) else { return };
    let mut feature = |template: u8, parts: &[u32]| {
        emit(hash_parts(u32::from(template) << 16, parts));
    };
    let (s, f, language) = (u32::from(shape(0)), u32::from(flags(0)), u32::from(tone.language as u8));
    let style = language | u32::from(tone.capitals) << 8;
    let pair = |a: u8, b: u8| u32::from(a) | u32::from(b) << 8;
    let triple = |a: u8, b: u8, c: u8| pair(a, b) | u32::from(c) << 16;

    feature(1, &[word(0)]);
    feature(2, &[word(-1), s]);
    feature(3, &[word(1), s]);
    feature(4, &[word(-2), s]);
    feature(5, &[word(2), s]);
    feature(6, &[word(-1), f]);
    feature(7, &[word(1), f]);
    feature(8, &[s, f, language]);
    feature(9, &[triple(shape(-1), shape(0), shape(1)), language]);
    feature(10, &[triple(shape(-2), shape(-1), shape(0)), language]);
    feature(11, &[triple(shape(0), shape(1), shape(2)), language]);
    feature(12, &[pair(flags(-1), flags(0)), pair(shape(-1), shape(0))]);
    feature(13, &[pair(flags(0), flags(1)), pair(shape(0), shape(1))]);
    feature(14, &[triple(flags(-1), flags(0), flags(1))]);
    feature(15, &[affix(0, 0), s]);
    feature(16, &[affix(0, 1), s]);
    feature(17, &[affix(0, 2), s]);
    feature(18, &[affix(0, 3), s]);
    feature(19, &[affix(-1, 2), s]);
    feature(20, &[affix(1, 2), s]);
    feature(21, &[u32::from(token.hyphened), u32::from(token.len.min(12)), s]);
    feature(22, &[u32::from(at == 0), f, s]);
    feature(23, &[affix(0, 2), f]);
    feature(24, &[u32::from(token.spaced), word(-1)]);
    feature(25, &[word(-1), word(1)]);
    feature(26, &[triple(flags(-2), flags(-1), flags(0))]);
    feature(27, &[triple(flags(0), flags(1), flags(2))]);
    feature(28, &[style, s, f]);
    feature(29, &[word(0), word(1)]);
    feature(30, &[word(-1), word(0)]);
    feature(31, &[word(1), word(2)]);
    feature(32, &[word(-2), word(-1)]);
    feature(33, &[affix(0, 1), affix(1, 1), s]);
    feature(34, &[affix(-1, 1), affix(0, 1), s]);
    feature(35, &[style, pair(flags(0), flags(1)), pair(shape(0), shape(1))]);
}

/// One multiplication a part, and two more to spread what is in the high bits.
fn hash_parts(seed: u32, parts: &[u32]) -> u32 {
    let h = parts.iter().fold(seed, |h, part| (h.rotate_left(5) ^ part).wrapping_mul(0x9E37_79B1));
    let h = (h ^ h >> 15).wrapping_mul(0x85EB_CA6B);
    (h ^ h >> 13).wrapping_mul(0xC2B2_AE35)
}

/// What the line is like.
pub(super) fn tone(tokens: &[Token]) -> Tone {
    const GERMAN: [&str; 24] = [
        "der", "die", "das", "und", "ist", "nicht", "mit", "von", "den", "dem", "ein", "eine", "für", "auf", "im",
        "zu", "wird", "hat", "bei", "wegen", "wg", "am", "an", "ruft",
    ];
    const ENGLISH: [&str; 24] = [
        "the", "and", "of", "to", "is", "for", "with", "you", "that", "on", "at", "my", "it", "are", "this", "be",
        "have", "i", "me", "your", "was", "we", "has", "from",
    ];
    static HASHES: OnceLock<[Vec<u32>; 2]> = OnceLock::new();
    let hashes =
        HASHES.get_or_init(|| [GERMAN, ENGLISH].map(|words| words.iter().map(|word| hash(0, word.bytes())).collect()));
    let [german, english] = hashes;
    let small = || tokens.iter().take(200).filter(|token| token.len <= 5 && token.shape != Shape::Sign);
    let count = |words: &[u32]| small().filter(|token| words.contains(&token.word)).count();
    let language = match (count(german), count(english)) {
        (de, en) if de > en => Language::German,
        (de, en) if en > de => Language::English,
        _ => Language::Unknown,
    };
    let words = tokens.iter().filter(|token| !matches!(token.shape, Shape::Sign | Shape::Number | Shape::Barrier));
    let (capitals, all) = words.fold((0, 0), |(n, all), token| (n + usize::from(token.shape != Shape::Lower), all + 1));
    Tone { language, capitals: u8::try_from(capitals * 4 / all.max(1)).unwrap_or(4) }
}

/// What a token's features add up to, for Begin and Inside against Outside.
fn score(model: Model, tokens: &[Token], at: usize, tone: Tone) -> [i32; 3] {
    let table = model.0.get(HEADER..).unwrap_or(&[]);
    let slots = table.len() / SLOT;
    let mut sum = [0_i32; 3];
    if slots == 0 {
        return sum;
    }
    features(tokens, at, tone, |feature| {
        let tag = tag(feature);
        let mut slot = feature as usize & (slots - 1);
        for _ in 0..PROBES {
            let Some(&[low, high, begin, inside]) = table.get(slot * SLOT..slot * SLOT + SLOT) else { return };
            match u16::from_le_bytes([low, high]) {
                0 => return,
                found if found == tag => {
                    sum[1] += i32::from(begin.cast_signed());
                    sum[2] += i32::from(inside.cast_signed());
                    return;
                }
                _ => slot = (slot + 1) & (slots - 1),
            }
        }
    });
    sum
}

/// What tells a feature from the others in its slot; never 0.
pub(super) fn tag(feature: u32) -> u16 {
    u16::try_from(feature >> 16).unwrap_or(0).max(1)
}

/// What the model makes of a line.
#[derive(Debug)]
pub(super) struct Reading {
    /// The most probable labels.
    pub(super) labels: Vec<Label>,
    model: Model,
    /// What each token's features say, by label.
    own: Vec<[i32; 3]>,
}

impl Reading {
    /// How much better than nothing the tokens in `range` are as one name; as good as certain without a model.
    pub(super) fn odds(&self, range: Range<usize>) -> i32 {
        if self.own.is_empty() {
            return i32::MAX;
        }
        let mut from = 0;
        let mut sum = 0_i32;
        for at in range.clone() {
            let to = if at == range.start { 1 } else { 2 };
            let own = self.own.get(at).and_then(|own| own.get(to)).copied().unwrap_or(0);
            // A sign within it, which the model gives nothing, is no reason against a name.
            let own = own.max(-1_000);
            let step = match at {
                0 => self.model.weight(9),
                _ => self.model.weight(from * 3 + to) - self.model.weight(0),
            };
            sum = sum.saturating_add(own + step);
            from = to;
        }
        sum.saturating_add(self.model.weight(from * 3) - self.model.weight(0))
    }
}

/// Reads a line.
pub(super) fn read(model: Model, tokens: &[Token]) -> Reading {
    if model.0.len() <= HEADER {
        return Reading { labels: vec![Label::Outside; tokens.len()], model, own: Vec::new() };
    }
    let tone = tone(tokens);
    let transition = |from: usize, to: usize| model.weight(from * 3 + to);
    let mut owns = Vec::with_capacity(tokens.len());
    let mut best = [0_i32, 0, i32::MIN / 2];
    let mut back: Vec<[u8; 3]> = Vec::with_capacity(tokens.len());
    for at in 0..tokens.len() {
        // A small word, a figure or a sign away from any capital is outside; most tokens are.
        let own = if may_name(tokens, at) { score(model, tokens, at, tone) } else { [0, -10_000, -10_000] };
        owns.push(own);
        let mut next = [0_i32; 3];
        let mut from = [0_u8; 3];
        for (to, (value, origin)) in next.iter_mut().zip(&mut from).enumerate() {
            let step = |f: usize| best.get(f).copied().unwrap_or(0) + if at == 0 { 0 } else { transition(f, to) };
            let choice = (0..3).max_by_key(|&f| (step(f), 3 - f)).unwrap_or(0);
            *value = step(choice) + own.get(to).copied().unwrap_or(0);
            *origin = u8::try_from(choice).unwrap_or(0);
        }
        if at == 0 {
            next[1] += model.weight(9);
            next[2] = i32::MIN / 2;
        }
        // Only differences matter: keep the sums small however long the line.
        let top = next.into_iter().max().unwrap_or(0);
        best = next.map(|value| (value - top).max(i32::MIN / 4));
        back.push(from);
    }
    let mut label = (0..3).max_by_key(|&l| (best.get(l).copied().unwrap_or(0), 3 - l)).unwrap_or(0);
    let mut path = vec![Label::Outside; tokens.len()];
    for (slot, from) in path.iter_mut().zip(&back).rev() {
        *slot = LABELS.get(label).copied().unwrap_or_default();
        label = from.get(label).copied().map_or(0, usize::from);
    }
    Reading { labels: path, model, own: owns }
}

/// Whether a token can be part of a name at all.
pub(super) fn may_name(tokens: &[Token], at: usize) -> bool {
    let capital = |token: Option<&Token>| token.is_some_and(|t| t.is_capital() || t.shape == Shape::Initial);
    let token = tokens.get(at);
    match token.map(|t| t.shape) {
        None | Some(Shape::Barrier | Shape::Number) => false,
        Some(Shape::Lower | Shape::Sign) => {
            capital(at.checked_sub(1).and_then(|i| tokens.get(i)))
                || capital(tokens.get(at + 1))
                || token.is_some_and(|t| t.is(Flags::FIRST))
                // "anna meier": what follows a first name.
                || token.is_some_and(|t| t.shape == Shape::Lower)
                    && at.checked_sub(1).and_then(|i| tokens.get(i)).is_some_and(|t| t.is(Flags::FIRST))
        }
        Some(_) => true,
    }
}
