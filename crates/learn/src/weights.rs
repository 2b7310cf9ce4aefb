//! The weights of a network in training: 32-bit floats, with the moments of Adam (Kingma and Ba, "Adam: A method for
//! stochastic optimization", 2015).
//!
//! The loss is the cross entropy between target and share. Rows of features that a batch does not contain are not
//! touched, neither weights nor moments.

use pulp::{Arch, Simd, WithSimd};
use tesuji_core::Rng;

use crate::arithmetic::logistic;
use crate::network::ONE;
use crate::{Lineage, Network, Samples, Shape};

/// Constants of Adam as in its paper.
const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The slope of `clip` outside 0 to 1 in training. With 0, a unit that is always outside would never come back.
const LEAK: f32 = 0.01;

/// The greatest bias of a hidden unit. With it and the limit of rows, sums of 16-bit integers cannot overflow.
const MOST_BIAS: f32 = 8.0;

/// Weights, gradients and moments. All are in one list: rows, bias, dense layer, its bias, output, its bias.
pub(crate) struct Weights {
    pub(crate) shape: Shape,
    /// The greatest weight of a row.
    most: f32,
    pub(crate) values: Vec<f32>,
    pub(crate) first_moments: Vec<f32>,
    pub(crate) second_moments: Vec<f32>,
    /// The number of updates.
    pub(crate) updates: u64,
    gradients: Vec<f32>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    arch: Arch,
}

/// The number of weights of a shape.
pub(crate) fn weight_count(shape: Shape) -> usize {
    let Shape { inputs, hidden, second } = shape;
    (inputs + 1) * hidden + hidden * second + 2 * second + 1
}

impl Weights {
    /// Random weights for at most `most_active` features.
    pub(crate) fn random(shape: Shape, most_active: usize, rng: &mut Rng) -> Weights {
        let mut weights = Weights::zero(shape, most_active);
        let Shape { inputs, hidden, second } = shape;
        let mut uniform = |values: &mut [f32], width: f64, middle: f32| {
            values.iter_mut().for_each(|value| *value = middle + (width * (2.0 * rng.unit() - 1.0)) as f32);
        };
        let (rows, rest) = weights.values.split_at_mut(inputs * hidden);
        let (bias, rest) = rest.split_at_mut(hidden);
        let (dense, rest) = rest.split_at_mut(hidden * second);
        let (dense_bias, rest) = rest.split_at_mut(second);
        // Sums start inside the clip, where gradients are not 0.
        uniform(rows, 0.7 / (most_active.max(1) as f64).sqrt(), 0.0);
        uniform(bias, 0.1, 0.4);
        uniform(dense, 1.5 / (hidden as f64).sqrt(), 0.0);
        uniform(dense_bias, 0.1, 0.4);
        uniform(&mut rest[..second], 1.0 / (second as f64).sqrt(), 0.0);
        weights
    }

    pub(crate) fn zero(shape: Shape, most_active: usize) -> Weights {
        let count = weight_count(shape);
        let sum = f32::from(i16::MAX) / f32::from(ONE) - MOST_BIAS;
        // Rounding may add half a unit to every weight.
        let most = sum / most_active.max(1) as f32 - 1.0 / f32::from(ONE);
        Weights {
            shape,
            most: most.max(0.0),
            values: vec![0.0; count],
            first_moments: vec![0.0; count],
            second_moments: vec![0.0; count],
            updates: 0,
            gradients: vec![0.0; count],
            touched: Vec::new(),
            is_touched: vec![false; shape.inputs],
            arch: Arch::new(),
        }
    }

    /// Whether all weights are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
    }

    /// Learns from the states of `samples` that `batch` names, with one step of Adam. Returns the sum of their losses.
    pub(crate) fn learn(&mut self, samples: &Samples, batch: &[u32], rate: f32) -> f64 {
        let arch = self.arch;
        arch.dispatch(Step { weights: self, samples, batch, rate })
    }

    /// The network of these weights.
    pub(crate) fn network(&self, lineage: Lineage) -> Network {
        let Shape { inputs, hidden, second } = self.shape;
        let short = |value: &f32| (value * f32::from(ONE)).round() as i16;
        let (rows, rest) = self.values.split_at(inputs * hidden);
        let (bias, rest) = rest.split_at(hidden);
        let (dense, rest) = rest.split_at(hidden * second);
        Network {
            lineage,
            shape: self.shape,
            rows: rows.iter().map(short).collect(),
            bias: bias.iter().map(short).collect(),
            dense: dense.to_vec(),
            dense_bias: rest[..second].to_vec(),
            out: rest[second..2 * second].to_vec(),
            out_bias: rest[2 * second],
            arch: self.arch,
        }
    }
}

/// One update.
struct Step<'a> {
    weights: &'a mut Weights,
    samples: &'a Samples,
    batch: &'a [u32],
    rate: f32,
}

impl WithSimd for Step<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let Step { weights, samples, batch, rate } = self;
        let mut loss = 0.0;
        for &index in batch {
            let (active, target) = samples.get(index as usize);
            loss += match weights.shape.second {
                16 => backward::<16>(weights, active, target),
                _ => backward::<32>(weights, active, target),
            };
        }
        update(weights, rate, 1.0 / batch.len().max(1) as f32);
        loss
    }
}

/// Adds the gradients of one state, and returns its loss.
#[inline(always)]
fn backward<const SECOND: usize>(weights: &mut Weights, active: &[u32], target: f32) -> f64 {
    let Shape { inputs, hidden, .. } = weights.shape;
    let (rows, rest) = weights.values.split_at(inputs * hidden);
    let (bias, rest) = rest.split_at(hidden);
    let (dense, rest) = rest.split_at(hidden * SECOND);
    let (dense_bias, out) = rest.split_at(SECOND);
    let dense = dense.as_chunks::<SECOND>().0;

    // Forward.
    let mut sums = [0.0f32; 256];
    let sums = &mut sums[..hidden];
    sums.copy_from_slice(bias);
    for &feature in active {
        let row = &rows[feature as usize * hidden..][..hidden];
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    let mut second = [0.0f32; SECOND];
    second.copy_from_slice(dense_bias);
    for (sum, values) in sums.iter().zip(dense) {
        let unit = sum.clamp(0.0, 1.0);
        second.iter_mut().zip(values).for_each(|(to, value)| *to += unit * value);
    }
    let mut logit = out[SECOND];
    second.iter().zip(out).for_each(|(unit, value)| logit += unit.clamp(0.0, 1.0) * value);
    let share = logistic(logit);

    // Backward: the gradient of the cross entropy by the logit is share − target.
    let error = share - target;
    let (row_gradients, rest) = weights.gradients.split_at_mut(inputs * hidden);
    let (bias_gradients, rest) = rest.split_at_mut(hidden);
    let (dense_gradients, rest) = rest.split_at_mut(hidden * SECOND);
    let (dense_bias_gradients, out_gradients) = rest.split_at_mut(SECOND);
    out_gradients[SECOND] += error;
    let mut second_errors = [0.0f32; SECOND];
    for unit in 0..SECOND {
        out_gradients[unit] += error * second[unit].clamp(0.0, 1.0);
        second_errors[unit] = error * out[unit] * slope(second[unit]);
        dense_bias_gradients[unit] += second_errors[unit];
    }
    let mut errors = [0.0f32; 256];
    let errors = &mut errors[..hidden];
    for (unit, values) in dense.iter().enumerate() {
        let activation = sums[unit].clamp(0.0, 1.0);
        let gradients = &mut dense_gradients[unit * SECOND..(unit + 1) * SECOND];
        let mut lanes = [0.0f32; 8];
        for place in 0..SECOND {
            gradients[place] += activation * second_errors[place];
            lanes[place % 8] += values[place] * second_errors[place];
        }
        let back = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
        errors[unit] = back * slope(sums[unit]);
    }
    bias_gradients.iter_mut().zip(&*errors).for_each(|(gradient, error)| *gradient += error);
    for &feature in active {
        let feature_place = feature as usize;
        if !weights.is_touched[feature_place] {
            weights.is_touched[feature_place] = true;
            weights.touched.push(feature);
        }
        let row = &mut row_gradients[feature_place * hidden..][..hidden];
        row.iter_mut().zip(&*errors).for_each(|(gradient, error)| *gradient += error);
    }
    let (target, share) = (f64::from(target), f64::from(share).clamp(1e-9, 1.0 - 1e-9));
    -(target * share.ln() + (1.0 - target) * (1.0 - share).ln())
}

/// The slope of the clip at `sum`.
#[inline(always)]
fn slope(sum: f32) -> f32 {
    if (0.0..=1.0).contains(&sum) { 1.0 } else { LEAK }
}

/// One step of Adam with the mean gradients, which are 0 afterwards.
#[inline(always)]
fn update(weights: &mut Weights, rate: f32, share: f32) {
    weights.updates += 1;
    let Shape { inputs, hidden, .. } = weights.shape;
    let corrected = |decay: f32, updates: u64| 1.0 - decay.powi(updates.min(100_000) as i32);
    let (first, second) = (corrected(FIRST_DECAY, weights.updates), corrected(SECOND_DECAY, weights.updates));
    let rate = rate * second.sqrt() / first;
    let mut touched = std::mem::take(&mut weights.touched);
    for &feature in &touched {
        weights.is_touched[feature as usize] = false;
        let start = feature as usize * hidden;
        adam(weights, start..start + hidden, rate, share, weights.most);
    }
    touched.clear();
    weights.touched = touched;
    let bias = inputs * hidden..(inputs + 1) * hidden;
    adam(weights, bias.clone(), rate, share, MOST_BIAS);
    adam(weights, bias.end..weights.values.len(), rate, share, f32::MAX);
}

#[inline(always)]
fn adam(weights: &mut Weights, range: std::ops::Range<usize>, rate: f32, share: f32, most: f32) {
    let values = &mut weights.values[range.clone()];
    let firsts = &mut weights.first_moments[range.clone()];
    let seconds = &mut weights.second_moments[range.clone()];
    let gradients = &mut weights.gradients[range];
    for (((value, first), second), gradient) in values.iter_mut().zip(firsts).zip(seconds).zip(gradients) {
        let slope = *gradient * share;
        *gradient = 0.0;
        *first += (1.0 - FIRST_DECAY) * (slope - *first);
        *second += (1.0 - SECOND_DECAY) * (slope * slope - *second);
        *value = (*value - rate * *first / (second.sqrt() + EPSILON)).clamp(-most, most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(states: &[(&[u32], f32)]) -> Samples {
        let mut samples = Samples::default();
        for (index, (active, target)) in states.iter().enumerate() {
            samples.push(|out| out.extend_from_slice(active));
            samples.set_target(index, *target);
        }
        samples
    }

    #[test]
    fn gradients_agree_with_differences() {
        let shape = Shape { inputs: 5, hidden: 32, second: 16 };
        let mut weights = Weights::random(shape, 3, &mut Rng::new(4));
        let active = [1, 3, 3];
        let loss = |weights: &mut Weights| {
            let loss = backward::<16>(weights, &active, 0.3);
            let gradients = std::mem::replace(&mut weights.gradients, vec![0.0; weight_count(shape)]);
            weights.is_touched.fill(false);
            weights.touched.clear();
            (loss, gradients)
        };
        let (_, gradients) = loss(&mut weights);
        let step = 1e-3;
        let mut compared = 0;
        for place in (0..weight_count(shape)).step_by(7) {
            let before = weights.values[place];
            weights.values[place] = before + step;
            let above = loss(&mut weights).0;
            weights.values[place] = before - step;
            let below = loss(&mut weights).0;
            weights.values[place] = before;
            let difference = (above - below) / f64::from(2.0 * step);
            let gradient = f64::from(gradients[place]);
            // Where the clip has slope 0, training uses a small slope instead.
            if difference != 0.0 && (gradient - difference).abs() > 0.02 * difference.abs() + 2e-4 {
                panic!("weight {place}: {gradient} differs from {difference}");
            }
            compared += 1;
        }
        assert!(compared > 100);
    }

    #[test]
    fn weights_learn_a_function_that_is_not_a_sum_and_its_network_agrees() {
        // Exclusive or: no sum of single features can represent it.
        let states: [(&[u32], f32); 4] = [(&[0, 2], 0.1), (&[0, 3], 0.9), (&[1, 2], 0.9), (&[1, 3], 0.1)];
        let samples = samples(&states);
        let shape = Shape { inputs: 4, hidden: 32, second: 16 };
        let mut weights = Weights::random(shape, 2, &mut Rng::new(9));
        for _ in 0..800 {
            weights.learn(&samples, &[0, 1, 2, 3], 0.01);
        }
        let features = tesuji_core::FeatureSet { name: "xor".to_owned(), version: 1, inputs: 4, most_active: 2 };
        let lineage = Lineage {
            game: "xor".to_owned(),
            rules: 1,
            features,
            seed: 9,
            matches: 0,
            seconds: 0,
            method: String::new(),
        };
        let network = weights.network(lineage);
        assert!(network.check().is_ok());
        for (active, target) in states {
            assert!((network.share(active) - target).abs() < 0.05, "{active:?}: {}", network.share(active));
        }
    }
}
