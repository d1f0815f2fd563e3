//! What `data/names/train.py` needs of this module: a line's tokens and their features, exactly as the model sees them.

use std::ops::Range;

use super::super::line::Line;
use super::{model, token};

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
    let language = model::language(&tokens);
    let sample = |(at, token): (usize, &token::Token)| {
        let mut features = Vec::new();
        if model::may_name(&tokens, at) {
            model::features(&tokens, at, language, |feature| features.push(feature));
        }
        Sample { bytes: token.range.clone(), features }
    };
    tokens.iter().enumerate().map(sample).collect()
}
