//! What positions are worth, as fractions where possible.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::matrix::Fraction;

/// A value, exact where fractions of 128 bits have room for it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// In floating point.
    pub value: f64,
    /// As a fraction.
    pub exact: Option<Fraction>,
}

impl Worth {
    /// 1.
    pub const ONE: Worth = Worth { value: 1.0, exact: Some(Fraction::ONE) };

    /// An exact value.
    pub fn exactly(fraction: Fraction) -> Worth {
        Worth { value: fraction.to_f64(), exact: Some(fraction) }
    }

    /// A payoff of the rules: the simple fraction it stands for.
    pub fn payoff(value: f64) -> Worth {
        Worth { value, exact: Fraction::near(value) }
    }

    /// A value with rounding.
    pub fn about(value: f64) -> Worth {
        Worth { value, exact: None }
    }

    /// What is left of `total`.
    pub(super) fn rest_of(&self, total: f64) -> Worth {
        let exact = self.exact.and_then(|exact| Fraction::near(total)?.minus(&exact));
        Worth { value: total - self.value, exact }
    }

    /// The mean under probabilities that add up to 1; exact if they do so as simple fractions.
    pub(super) fn mean(parts: &[(f64, Worth)]) -> Worth {
        let exact = || {
            let mut sum = Fraction::ZERO;
            let mut all = Fraction::ZERO;
            for (probability, worth) in parts {
                let probability = Fraction::near(*probability)?;
                all = all.plus(&probability)?;
                sum = sum.plus(&probability.times(&worth.exact?)?)?;
            }
            (all == Fraction::ONE).then_some(sum)
        };
        match exact() {
            Some(fraction) => Worth::exactly(fraction),
            None => Worth::about(parts.iter().map(|(probability, worth)| probability * worth.value).sum()),
        }
    }

    /// Which is greater.
    pub(super) fn compare(&self, other: &Worth) -> Ordering {
        match (self.exact, other.exact) {
            (Some(one), Some(two)) => one.cmp(&two),
            _ => self.value.total_cmp(&other.value),
        }
    }
}

/// A worth's place in the list.
pub(super) type WorthId = u32;

/// All different worths met: few, while positions are many.
#[derive(Debug, Default)]
pub(super) struct Worths {
    list: Vec<Worth>,
    places: FxHashMap<(Option<Fraction>, u64), WorthId>,
}

impl Worths {
    pub fn get(&self, id: WorthId) -> Worth {
        self.list[id as usize]
    }

    pub fn intern(&mut self, worth: Worth) -> WorthId {
        let next = self.list.len() as WorthId;
        let id = *self.places.entry((worth.exact, worth.value.to_bits())).or_insert(next);
        if id == next {
            self.list.push(worth);
        }
        id
    }

    pub fn payoff(&mut self, value: f64) -> WorthId {
        // Nearly every value met is one of the first few.
        match self.list.iter().take(4).position(|worth| worth.value == value && worth.exact.is_some()) {
            Some(place) => place as WorthId,
            None => self.intern(Worth::payoff(value)),
        }
    }
}
