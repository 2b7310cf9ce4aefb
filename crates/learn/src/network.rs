//! The network: a sum of rows for the active features, then two small dense layers.
//!
//! ```text
//! x = clip(bias + sum of the rows of active features)    hidden units, integers: the sum is exact in any order
//! y = clip(dense bias + dense · x)                       second units
//! share = logistic(out bias + out · y)
//! ```
//!
//! `clip` limits to 0 to 1. The dense layers add in a fixed order without fused operations, so that a share is the same
//! on every machine, with and without vectors.

use pulp::{Arch, Simd, WithSimd};
use tesuji_core::InputError;

use crate::Lineage;
use crate::arithmetic::logistic;

/// What 1 is among the integers of the first layer.
pub(crate) const ONE: i16 = 256;
/// The number of hidden units is a multiple of this: the 16-bit numbers of the widest vectors.
const BLOCK: usize = 32;
/// The most hidden units.
const MOST_HIDDEN: usize = 256;
/// The most numbers of the first layer.
const MOST_NUMBERS: usize = 1 << 24;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Inputs: the size of the feature set.
    pub inputs: usize,
    /// Units of the first layer: a multiple of 32, at most 256.
    pub hidden: usize,
    /// Units of the second layer: 16 or 32.
    pub second: usize,
}

impl Shape {
    /// Refuses sizes that no network has.
    pub fn check(self) -> Result<Shape, InputError> {
        let Shape { inputs, hidden, second } = self;
        if hidden == 0 || !hidden.is_multiple_of(BLOCK) || hidden > MOST_HIDDEN {
            return Err(InputError::new(format!("{hidden} hidden units"))
                .with_help(format!("a multiple of {BLOCK} from {BLOCK} to {MOST_HIDDEN}")));
        }
        if ![16, 32].contains(&second) {
            return Err(InputError::new(format!("{second} units in the second layer")).with_help("16 or 32"));
        }
        if inputs == 0 || inputs > MOST_NUMBERS / hidden {
            return Err(InputError::new(format!("{inputs} inputs to {hidden} hidden units"))
                .with_help(format!("1 to {} inputs", MOST_NUMBERS / hidden)));
        }
        Ok(self)
    }
}

/// A network that evaluates states by their active features.
pub struct Network {
    pub(crate) lineage: Lineage,
    pub(crate) shape: Shape,
    /// One row of `hidden` numbers for each input.
    pub(crate) rows: Vec<i16>,
    pub(crate) bias: Vec<i16>,
    /// One row of `second` numbers for each hidden unit.
    pub(crate) dense: Vec<f32>,
    pub(crate) dense_bias: Vec<f32>,
    pub(crate) out: Vec<f32>,
    pub(crate) out_bias: f32,
    pub(crate) arch: Arch,
}

impl Network {
    /// Where it comes from.
    pub fn lineage(&self) -> &Lineage {
        &self.lineage
    }

    /// Its size.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The share of the payoff range, 0 to 1, that the viewer of these features can expect.
    ///
    /// # Panics
    /// If a feature is not below the number of inputs.
    // Not inline: compiled here, it is optimised for vectors, whoever calls it.
    #[inline(never)]
    pub fn share(&self, active: &[u32]) -> f32 {
        self.arch.dispatch(Forward { network: self, active })
    }

    /// Checks that the sum of the first layer cannot overflow with `most_active` features, and that all numbers are
    /// finite.
    pub(crate) fn check(&self) -> Result<(), String> {
        let hidden = self.shape.hidden;
        let most_active = i64::try_from(self.lineage.features.most_active).unwrap_or(i64::MAX);
        let greatest = self.rows.iter().map(|number| i64::from(number.unsigned_abs())).max().unwrap_or(0);
        let bias = self.bias.iter().map(|number| i64::from(number.unsigned_abs())).max().unwrap_or(0);
        if greatest.saturating_mul(most_active).saturating_add(bias) > i64::from(i16::MAX) {
            return Err("sums of the first layer can overflow".to_owned());
        }
        let floats = self.dense.iter().chain(&self.dense_bias).chain(&self.out).chain([&self.out_bias]);
        // Greater numbers come from a damaged file and could make a share that is not a number.
        if floats.into_iter().any(|number| !number.is_finite() || number.abs() > 1e6) {
            return Err(format!("a number of the dense layers ({hidden} units) is not finite or too great"));
        }
        Ok(())
    }
}

/// The features of one state on their way through a network.
struct Forward<'a> {
    network: &'a Network,
    active: &'a [u32],
}

impl WithSimd for Forward<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        match self.network.shape.second {
            16 => forward::<S, 16>(simd, self.network, self.active),
            _ => forward::<S, 32>(simd, self.network, self.active),
        }
    }
}

#[inline(always)]
fn forward<S: Simd, const SECOND: usize>(simd: S, network: &Network, active: &[u32]) -> f32 {
    let hidden = network.shape.hidden;
    let (mut sums, mut units) = ([0; MOST_HIDDEN], [0.0; MOST_HIDDEN]);
    let (sums, units) = (&mut sums[..hidden], &mut units[..hidden]);
    add_rows(simd, network, active, sums);
    for (unit, sum) in units.iter_mut().zip(&*sums) {
        *unit = f32::from((*sum).clamp(0, ONE)) * (1.0 / ONE as f32);
    }
    let mut second = [0.0; SECOND];
    second.copy_from_slice(&network.dense_bias);
    for (unit, weights) in units.iter().zip(network.dense.as_chunks::<SECOND>().0) {
        for (to, weight) in second.iter_mut().zip(weights) {
            *to += unit * weight;
        }
    }
    // Four sums side by side, added in a fixed order.
    let mut sums = [0.0; 4];
    for (units, weights) in second.as_chunks::<4>().0.iter().zip(network.out.as_chunks::<4>().0) {
        for lane in 0..4 {
            sums[lane] += units[lane].clamp(0.0, 1.0) * weights[lane];
        }
    }
    logistic(network.out_bias + ((sums[0] + sums[1]) + (sums[2] + sums[3])))
}

/// The bias and the rows of the active features, added up. Two vectors of sums stay in registers meanwhile.
#[inline(always)]
fn add_rows<S: Simd>(simd: S, network: &Network, active: &[u32], sums: &mut [i16]) {
    let (bias, _) = S::as_simd_i16s(&network.bias);
    let (sums, _) = S::as_mut_simd_i16s(sums);
    for first in (0..bias.len()).step_by(2) {
        let last = (first + 1).min(bias.len() - 1);
        let (mut one, mut other) = (bias[first], bias[last]);
        for &feature in active {
            let start = feature as usize * network.shape.hidden;
            let (row, _) = S::as_simd_i16s(&network.rows[start..start + network.shape.hidden]);
            one = simd.add_i16s(one, row[first]);
            other = simd.add_i16s(other, row[last]);
        }
        (sums[first], sums[last]) = (one, other);
    }
}
