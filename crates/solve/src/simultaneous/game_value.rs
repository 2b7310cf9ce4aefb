//! Values of positions, as fractions where possible.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::matrix::Fraction;

/// A value, exact if 128-bit fractions suffice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameValue {
    /// In floating point.
    pub value: f64,
    /// As a fraction.
    pub exact: Option<Fraction>,
}

impl GameValue {
    /// The value 1.
    pub const ONE: GameValue = GameValue { value: 1.0, exact: Some(Fraction::ONE) };

    /// An exact value.
    pub fn exactly(fraction: Fraction) -> GameValue {
        GameValue { value: fraction.to_f64(), exact: Some(fraction) }
    }

    /// A payoff of the rules, as a simple fraction.
    pub fn payoff(value: f64) -> GameValue {
        GameValue { value, exact: Fraction::near(value) }
    }

    /// A rounded value.
    pub fn about(value: f64) -> GameValue {
        GameValue { value, exact: None }
    }

    /// `total` minus the value.
    pub(super) fn rest_of(&self, total: f64) -> GameValue {
        let exact = self.exact.and_then(|exact| Fraction::near(total)?.minus(&exact));
        GameValue { value: total - self.value, exact }
    }

    /// The mean with probabilities that add up to 1; exact if they do so as simple fractions.
    pub(super) fn mean(parts: &[(f64, GameValue)]) -> GameValue {
        let exact = || {
            let mut sum = Fraction::ZERO;
            let mut all = Fraction::ZERO;
            for (probability, value) in parts {
                let probability = Fraction::near(*probability)?;
                all = all.plus(&probability)?;
                sum = sum.plus(&probability.times(&value.exact?)?)?;
            }
            (all == Fraction::ONE).then_some(sum)
        };
        match exact() {
            Some(fraction) => GameValue::exactly(fraction),
            None => GameValue::about(parts.iter().map(|(probability, value)| probability * value.value).sum()),
        }
    }

    /// Compares two values.
    pub(super) fn compare(&self, other: &GameValue) -> Ordering {
        match (self.exact, other.exact) {
            (Some(one), Some(two)) => one.cmp(&two),
            _ => self.value.total_cmp(&other.value),
        }
    }
}

/// The index of a value in the list.
pub(super) type ValueId = u32;

/// All distinct values met: few, even if positions are many.
#[derive(Debug, Default)]
pub(super) struct GameValues {
    list: Vec<GameValue>,
    places: FxHashMap<(Option<Fraction>, u64), ValueId>,
}

impl GameValues {
    pub(super) fn get(&self, id: ValueId) -> GameValue {
        self.list[id as usize]
    }

    pub(super) fn intern(&mut self, value: GameValue) -> ValueId {
        let next = self.list.len() as ValueId;
        let id = *self.places.entry((value.exact, value.value.to_bits())).or_insert(next);
        if id == next {
            self.list.push(value);
        }
        id
    }

    pub(super) fn payoff(&mut self, value: f64) -> ValueId {
        // Nearly every value met is one of the first few.
        match self.list.iter().take(4).position(|known| known.value == value && known.exact.is_some()) {
            Some(place) => place as ValueId,
            None => self.intern(GameValue::payoff(value)),
        }
    }
}
