//! The random number generator of the whole program.
//!
//! It is xoshiro256++, seeded with SplitMix64. `rand`'s `StdRng` and its range sampling may change with any release,
//! but a stored match must always replay. So the generator is fixed, and every mapping from bits to values is written
//! here and pinned by a test.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// A random number generator with the same stream on every machine.
///
/// It is the only source of randomness below the user interfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator for `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        rand::Rng::next_u64(&mut self.0)
    }

    /// An index below `bound`, exactly uniform (Lemire's multiply and reject).
    ///
    /// # Panics
    /// If `bound` is 0 or above 2³².
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0 && bound as u64 <= 1 << 32, "below({bound}): nothing to choose from, or too much");
        let bound = bound as u64;
        let mut product = (self.bits() >> 32) * bound;
        if (product as u32 as u64) < bound {
            let threshold = (1u64 << 32) % bound;
            while (product as u32 as u64) < threshold {
                product = (self.bits() >> 32) * bound;
            }
        }
        (product >> 32) as usize
    }

    /// `COUNT` independent indices below `bound`, exactly uniform, from one draw of 64 bits.
    ///
    /// They are the first digits in base `bound` of the draw, read as a fraction. If the remainder shows that some
    /// digits would be favoured, all are drawn again (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer
    /// Generation", 2024).
    ///
    /// # Panics
    /// If `bound` or `COUNT` is 0, or `bound` above 2 to the power of 32 / `COUNT`.
    #[inline]
    pub fn each_below<const COUNT: usize>(&mut self, bound: usize) -> [usize; COUNT] {
        assert!(bound > 0 && bound <= 1 << (32 / COUNT), "{COUNT} below {bound}: nothing to choose from, or too much");
        loop {
            let mut rest = self.bits();
            let digits = std::array::from_fn(|_| {
                let product = u128::from(rest) * bound as u128;
                rest = product as u64;
                (product >> 64) as usize
            });
            if rest >> 32 != 0 || rest >= surplus(bound, COUNT) {
                return digits;
            }
        }
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with the given probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// An index drawn in proportion to `weights`, which are non-negative and not all 0.
    ///
    /// An index of weight 0 is never drawn.
    #[inline]
    pub fn weighted<W: Iterator<Item = f64> + Clone>(&mut self, weights: W) -> usize {
        let total: f64 = weights.clone().sum();
        let mut rest = self.unit() * total;
        let mut last = 0;
        for (index, weight) in weights.enumerate() {
            if weight > 0.0 {
                last = index;
                if rest < weight {
                    return index;
                }
                rest -= weight;
            }
        }
        last
    }

    /// Shuffles `items`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// 2⁶⁴ modulo `bound` to the power of `count`, which is at most 2³². Needed once in 2³² draws.
#[cold]
fn surplus(bound: usize, count: usize) -> u64 {
    let parts = (bound as u128).pow(count as u32);
    ((1 << 64) % parts) as u64
}

/// The seed of part `index` of a whole with `seed`: of match `i` of an experiment, or of seat `p` of a match.
///
/// It applies SplitMix64's finaliser to both numbers, so that neighbouring seeds are unrelated.
pub fn mix(seed: u64, index: u64) -> u64 {
    let mut z = seed ^ index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2 {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for these seeds must never change: a change breaks every stored match.
    #[test]
    fn the_stream_is_pinned() {
        let mut rng = Rng::new(1);
        let bits: Vec<u64> = (0..3).map(|_| rng.bits()).collect();
        assert_eq!(bits, [0xcfc5_d07f_6f03_c29b, 0xbf42_4132_963f_e08d, 0x19a3_7d57_57aa_f520]);
        let mut rng = Rng::new(7);
        let dice: Vec<usize> = (0..12).map(|_| rng.below(6) + 1).collect();
        assert_eq!(dice, [1, 2, 5, 3, 6, 3, 5, 2, 6, 1, 1, 2]);
        assert_eq!(mix(1, 2), 13_073_489_924_303_641_192);
    }

    #[test]
    fn below_is_uniform_and_weighted_follows_its_weights() {
        let mut rng = Rng::new(3);
        let mut counts = [0u32; 7];
        let mut weighted = [0u32; 4];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
            weighted[rng.weighted([0.0, 1.0, 0.0, 3.0].into_iter())] += 1;
        }
        // Six degrees of freedom: one seed in a thousand exceeds 22.46.
        let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 22.46, "{counts:?}");
        assert_eq!((weighted[0], weighted[2]), (0, 0));
        assert!((f64::from(weighted[3]) / 70_000.0 - 0.75).abs() < 0.01, "{weighted:?}");
    }

    #[test]
    fn indices_of_one_draw_are_uniform_and_independent() {
        assert_eq!(Rng::new(7).each_below::<4>(6), [0, 1, 5, 5]);
        let mut rng = Rng::new(9);
        let mut counts = [0u32; 125];
        for _ in 0..125_000 {
            let [one, two, three] = rng.each_below(5);
            counts[25 * one + 5 * two + three] += 1;
        }
        // 124 degrees of freedom: one seed in a thousand exceeds 178.
        let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 1_000.0).powi(2) / 1_000.0).sum();
        assert!(chi < 178.0, "{chi}: {counts:?}");
        assert_eq!((rng.each_below::<5>(1), surplus(1, 5)), ([0; 5], 0));
        assert_eq!((surplus(256, 4), surplus(40, 4), surplus(5, 1)), (0, 2_031_616, 1));
    }

    #[test]
    #[should_panic = "4 below 257"]
    fn too_many_indices_for_one_draw_are_refused() {
        Rng::new(1).each_below::<4>(257);
    }

    #[test]
    fn shuffle_reaches_every_order() {
        let mut rng = Rng::new(5);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..500 {
            let mut items = [1, 2, 3, 4];
            rng.shuffle(&mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 24);
    }
}
