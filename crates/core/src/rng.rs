//! The one random generator.
//!
//! xoshiro256++ by name, seeded by SplitMix64. `rand`'s `StdRng` and its range sampling may change with any release; a
//! stored match must replay for ever, so the generator is named and every mapping from bits to values is written here
//! and pinned by a test.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Random numbers that are the same on every machine. The only source of randomness below the surfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream that belongs to `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        rand::Rng::next_u64(&mut self.0)
    }

    /// An index below `bound`, each exactly equally likely (Lemire's multiply and reject).
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

    /// An index drawn in proportion to non-negative `weights`, at least one of them above 0.
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

    /// Puts `items` in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The seed of part `index` of a whole that has `seed`: match `i` of an experiment, seat `p` of a match.
///
/// SplitMix64's finaliser over both numbers, so that neighbours share nothing.
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

    /// The first outputs for these seeds, fixed for ever: a change here breaks every stored match.
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
        // Six degrees of freedom: 22.46 is passed once in a thousand seeds.
        let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 22.46, "{counts:?}");
        assert_eq!((weighted[0], weighted[2]), (0, 0));
        assert!((f64::from(weighted[3]) / 70_000.0 - 0.75).abs() < 0.01, "{weighted:?}");
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
