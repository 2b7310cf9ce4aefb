//! Sets of cells in machine words.

use tesuji_core::Rng;

/// The place of the set bit of `word` that has `rank` set bits below it. `rank` must be below the number of set bits.
#[inline]
pub(crate) fn select(word: u64, rank: usize) -> u32 {
    debug_assert!(rank < word.count_ones() as usize);
    let mut rest = word;
    for _ in 0..rank {
        rest &= rest - 1;
    }
    rest.trailing_zeros()
}

/// A set bit of `word`, each equally likely. `word` must not be 0.
#[inline]
pub(crate) fn random_bit(word: u64, rng: &mut Rng) -> u32 {
    select(word, rng.below(word.count_ones() as usize))
}

/// The places of the set bits, lowest first.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let place = word.trailing_zeros();
            word &= word - 1;
            place
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_finds_each_set_bit_in_order() {
        let word = 0x8000_0100_0010_0013u64;
        let selected: Vec<u32> = (0..word.count_ones() as usize).map(|rank| select(word, rank)).collect();
        assert_eq!(selected, ones(word).collect::<Vec<_>>());
        assert_eq!(selected, [0, 1, 4, 20, 40, 63]);
    }
}
