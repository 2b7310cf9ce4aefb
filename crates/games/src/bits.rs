//! Sets of cells in machine words.

use tesuji_core::Rng;

/// A one in each byte of a word: multiplying by it adds up the bytes below and including each byte.
const LOW: u64 = u64::MAX / 0xff;
/// The highest bit of each byte.
const HIGH: u64 = LOW << 7;

/// In byte `i`: how many bits of `word` are set in bytes 0 to `i`. The highest byte holds the count of them all.
#[inline]
fn counts_by_byte(word: u64) -> u64 {
    let pairs = word - ((word >> 1) & (LOW * 0x55));
    let nibbles = (pairs & (LOW * 0x33)) + ((pairs >> 2) & (LOW * 0x33));
    ((nibbles + (nibbles >> 4)) & (LOW * 0x0f)).wrapping_mul(LOW)
}

/// The place of the set bit of a byte that has `rank` set bits below it, by byte and rank.
const PLACE_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut rank) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[byte][rank] = place as u8;
                rank += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

/// The place of the set bit of `word` that has `rank` set bits below it. `rank` must be below the number of set bits.
#[inline]
pub(crate) fn select(word: u64, rank: usize) -> u32 {
    debug_assert!(rank < word.count_ones() as usize);
    let (counts, rank) = (counts_by_byte(word), rank as u64);
    // A byte keeps its high bit where `rank` is at least its count: the bit sought lies in a later byte. Counts are at
    // most 64, so no byte borrows from the next.
    let passed = (((rank * LOW) | HIGH) - counts) & HIGH;
    let shift = ((passed >> 7).wrapping_mul(LOW) >> 56) as u32 * 8;
    let below = (counts << 8) >> shift & 0xff;
    let byte = (word >> shift & 0xff) as usize;
    shift + u32::from(PLACE_IN_BYTE[byte][(rank - below) as usize & 7])
}

/// A set bit of `word`, each equally likely. `word` must not be 0.
#[inline]
pub(crate) fn random_bit(word: u64, rng: &mut Rng) -> u32 {
    // `select` needs the same counts: the compiler takes them once, where `count_ones` would cost as much again.
    let count = counts_by_byte(word) >> 56;
    select(word, rng.below(count as usize))
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
        let mut rng = Rng::new(1);
        for word in (0..1000).map(|_| rng.bits() & rng.bits()).chain([u64::MAX, 1, 1 << 63]) {
            let selected = (0..word.count_ones() as usize).map(|rank| select(word, rank));
            assert!(selected.eq(ones(word)), "{word:x}");
        }
    }

    #[test]
    fn a_random_bit_is_a_draw_by_rank() {
        let (mut fast, mut slow) = (Rng::new(2), Rng::new(2));
        for _ in 0..1000 {
            let word = fast.bits();
            assert_eq!(slow.bits(), word);
            let expected = ones(word).nth(slow.below(word.count_ones() as usize));
            assert_eq!(Some(random_bit(word, &mut fast)), expected);
        }
    }
}
