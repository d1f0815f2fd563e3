//! What `examples/train_names.rs` needs of this module: a line's tokens and their features exactly as the model sees them, the
//! model's file, and what the model says without the rules.

use std::ops::Range;

use super::super::line::Line;
use super::model::{self, HEADER, Label, Model, PROBES, SLOT};
use super::token;

/// A token of a line, in the bytes of the line, with the hashes of its features.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Where the token stands.
    pub bytes: Range<usize>,
    /// The hashes of its features; empty for a token that no name can have.
    pub features: Vec<u32>,
}

/// The tokens of a line.
pub fn samples(line: &str) -> Vec<Sample> {
    let tokens = token::tokens(Line::new(line));
    let tone = model::tone(&tokens);
    let sample = |(at, token): (usize, &token::Token)| {
        let mut features = Vec::new();
        if model::may_name(&tokens, at) {
            model::features(&tokens, at, tone, |feature| features.push(feature));
        }
        Sample { bytes: token.range.clone(), features }
    };
    tokens.iter().enumerate().map(sample).collect()
}

/// The names of a line, one word or more, by the model alone.
pub fn modelled(weights: &'static [u8], line: &str) -> Vec<Range<usize>> {
    let tokens = token::tokens(Line::new(line));
    let mut names: Vec<Range<usize>> = Vec::new();
    for (token, label) in tokens.iter().zip(model::read(Model::of(weights), &tokens).labels) {
        match (label, names.last_mut()) {
            (Label::Outside, _) => {}
            (Label::Inside, Some(name)) => name.end = token.range.end,
            (Label::Begin | Label::Inside, _) => names.push(token.range.clone()),
        }
    }
    names
}

/// What goes into a model's file, in its steps.
#[derive(Debug, Default)]
pub struct Weights {
    /// From × to, in the order outside, begin, inside.
    pub transitions: [i8; 9],
    /// For a name that begins a line.
    pub start: i8,
    /// Each feature's hash with what it adds to begin and to inside.
    pub features: Vec<(u32, i8, i8)>,
}

impl Weights {
    /// The file, with 2^`bits` slots. Should there be more features than fit, the lightest go.
    pub fn pack(mut self, bits: u32) -> Vec<u8> {
        let slots = 1_usize << bits;
        let mut table = vec![0_u8; slots * SLOT];
        let weight = |&(feature, begin, inside): &(u32, i8, i8)| {
            (u8::MAX - begin.unsigned_abs().max(inside.unsigned_abs()), feature)
        };
        self.features.sort_by_key(weight);
        for (feature, begin, inside) in self.features.into_iter().take(slots / 4 * 3) {
            let [low, high] = model::tag(feature).to_le_bytes();
            let entry = [low, high, begin.cast_unsigned(), inside.cast_unsigned()];
            let places = (0..PROBES).map(|step| (feature as usize + step) & (slots - 1));
            for slot in places {
                let Some(place) = table.get_mut(slot * SLOT..(slot + 1) * SLOT) else { break };
                if place.starts_with(&[0, 0]) {
                    place.copy_from_slice(&entry);
                    break;
                }
            }
        }
        let mut file = vec![0_u8; HEADER];
        for (byte, weight) in file.iter_mut().zip(self.transitions.into_iter().chain([self.start])) {
            *byte = weight.cast_unsigned();
        }
        file.extend(table);
        file
    }
}
