//! A linear-chain CRF, trained with FTRL-proximal: most weights end at nothing, so that the file stays small.

use std::collections::HashMap;

use hermes_mem::mask::training::Weights;

use crate::sets::Row;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) epochs: usize,
    pub(crate) rate: f32,
    pub(crate) l1: f32,
    pub(crate) l2: f32,
    /// How often a feature must occur.
    pub(crate) least: u32,
    /// What is taken off Begin in the end.
    pub(crate) reluctance: f32,
}

/// Steps per unit of weight in the file.
const STEPS: f32 = 16.0;
const OUTSIDE: usize = 0;
const BEGIN: usize = 1;
const INSIDE: usize = 2;
const NEVER: f32 = -1e4;

/// A weight as FTRL-proximal keeps it.
#[derive(Clone, Copy, Default)]
struct Weight {
    z: f32,
    n: f32,
}

impl Weight {
    fn value(self, s: Settings, l1: f32) -> f32 {
        if self.z.abs() <= l1 {
            return 0.0;
        }
        -(self.z - self.z.signum() * l1) / ((1.0 + self.n.sqrt()) / s.rate + s.l2)
    }

    fn step(&mut self, s: Settings, l1: f32, gradient: f32) {
        let squared = gradient * gradient;
        let sigma = ((self.n + squared).sqrt() - self.n.sqrt()) / s.rate;
        self.z += gradient - sigma * self.value(s, l1);
        self.n += squared;
    }
}

struct Line {
    /// Per token the numbers of its features.
    features: Vec<Vec<u32>>,
    labels: Vec<usize>,
}

struct Trainer {
    settings: Settings,
    transitions: [[Weight; 3]; 3],
    start: Weight,
    /// Per feature what it adds to Begin and to Inside.
    features: Vec<[Weight; 2]>,
}

pub(crate) fn train(rows: &[&Row], settings: Settings) -> Weights {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    let labelled = || rows.iter().flat_map(|row| &row.lines).filter(|line| line.features.iter().any(|f| !f.is_empty()));
    for feature in labelled().flat_map(|line| &line.features).flatten() {
        *counts.entry(*feature).or_default() += 1;
    }
    let mut known: Vec<u32> = counts.into_iter().filter(|&(_, n)| n >= settings.least).map(|(f, _)| f).collect();
    known.sort_unstable();
    let numbers: HashMap<u32, u32> = known.iter().copied().zip(0..).collect();
    let number = |features: &Vec<u32>| features.iter().filter_map(|f| numbers.get(f).copied()).collect();
    let mut lines: Vec<Line> = labelled()
        .map(|line| Line {
            features: line.features.iter().map(number).collect(),
            labels: line.labels.iter().map(|&l| usize::from(l)).collect(),
        })
        .collect();
    let mut trainer = Trainer {
        settings,
        transitions: Default::default(),
        start: Weight::default(),
        features: vec![Default::default(); known.len()],
    };
    let mut seed = 1_u64;
    for _ in 0..settings.epochs {
        // The same order every time the program runs.
        for i in (1..lines.len()).rev() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let j = usize::try_from(seed >> 33).unwrap_or(0) % (i + 1);
            lines.swap(i, j);
        }
        for line in &lines {
            trainer.learn(line);
        }
    }
    trainer.weights(&known)
}

impl Trainer {
    fn transition(&self, from: usize, to: usize) -> f32 {
        if (from, to) == (OUTSIDE, INSIDE) { NEVER } else { self.transitions[from][to].value(self.settings, 0.0) }
    }

    /// One step along the gradient of a line's likelihood.
    fn learn(&mut self, line: &Line) {
        let (s, l1) = (self.settings, self.settings.l1);
        let transitions =
            [OUTSIDE, BEGIN, INSIDE].map(|from| [OUTSIDE, BEGIN, INSIDE].map(|to| self.transition(from, to)));
        let own: Vec<[f32; 3]> = line
            .features
            .iter()
            .map(|features| {
                if features.is_empty() {
                    return [0.0, NEVER, NEVER];
                }
                let mut sum = [0.0; 3];
                for &feature in features {
                    let [begin, inside] = self.features[feature as usize];
                    sum[BEGIN] += begin.value(s, l1);
                    sum[INSIDE] += inside.value(s, l1);
                }
                sum
            })
            .collect();
        let len = own.len();
        let mut ahead = vec![[0.0_f32; 3]; len];
        let mut behind = vec![[0.0_f32; 3]; len];
        for at in 0..len {
            for to in 0..3 {
                ahead[at][to] = own[at][to]
                    + if at == 0 {
                        [0.0, self.start.value(s, 0.0), NEVER][to]
                    } else {
                        log_sum([0, 1, 2].map(|from| ahead[at - 1][from] + transitions[from][to]))
                    };
            }
        }
        for at in (0..len.saturating_sub(1)).rev() {
            for from in 0..3 {
                behind[at][from] =
                    log_sum([0, 1, 2].map(|to| transitions[from][to] + own[at + 1][to] + behind[at + 1][to]));
            }
        }
        let Some(last) = ahead.last() else { return };
        let total = log_sum(*last);
        let truth = |at: usize, label: usize| f32::from(u8::from(line.labels[at] == label));
        for at in 0..len {
            let gradient =
                [OUTSIDE, BEGIN, INSIDE].map(|l| (ahead[at][l] + behind[at][l] - total).exp() - truth(at, l));
            if at == 0 {
                self.start.step(s, 0.0, gradient[BEGIN]);
            } else {
                for from in 0..3 {
                    for to in 0..3 {
                        let seen = truth(at - 1, from) * truth(at, to);
                        let guess = ahead[at - 1][from] + transitions[from][to] + own[at][to] + behind[at][to] - total;
                        self.transitions[from][to].step(s, 0.0, guess.exp() - seen);
                    }
                }
            }
            if gradient[BEGIN].abs().max(gradient[INSIDE].abs()) < 1e-4 {
                continue;
            }
            for &feature in &line.features[at] {
                let [begin, inside] = &mut self.features[feature as usize];
                begin.step(s, l1, gradient[BEGIN]);
                inside.step(s, l1, gradient[INSIDE]);
            }
        }
    }

    fn weights(&self, known: &[u32]) -> Weights {
        let (s, l1) = (self.settings, self.settings.l1);
        let mut weights = Weights::default();
        for from in 0..3 {
            for to in 0..3 {
                let reluctance = if to == BEGIN { s.reluctance } else { 0.0 };
                weights.transitions[from * 3 + to] = stepped(self.transition(from, to) - reluctance);
            }
        }
        weights.start = stepped(self.start.value(s, 0.0) - s.reluctance);
        let features = known.iter().zip(&self.features);
        let features =
            features.map(|(&f, [begin, inside])| (f, stepped(begin.value(s, l1)), stepped(inside.value(s, l1))));
        weights.features = features.filter(|&(_, begin, inside)| begin != 0 || inside != 0).collect();
        weights
    }
}

fn log_sum(terms: [f32; 3]) -> f32 {
    let top = terms.into_iter().fold(f32::NEG_INFINITY, f32::max);
    top + terms.into_iter().map(|term| (term - top).exp()).sum::<f32>().ln()
}

#[allow(clippy::cast_possible_truncation, reason = "within the range of an i8")]
fn stepped(weight: f32) -> i8 {
    (weight * STEPS).round().clamp(-127.0, 127.0) as i8
}
