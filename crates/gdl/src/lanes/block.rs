//! Blocks of lanes: a bit a lane, `W` words of 64.
//!
//! What is done often is written over vectors of words, as wide as the machine has them; what is done once a pass, over
//! the words. Every lane sees the same operations whatever the width, so results are the same everywhere.

use pulp::Simd;
use tesuji_core::Rng;

use crate::lanes::program::{Operand, Section};

/// Words that share their random draws: the widest vector.
pub(crate) const GROUP: usize = 8;

/// A bit for each lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Block<W> {
    pub(crate) const NONE: Block<W> = Block([0; W]);
    pub(crate) const ALL: Block<W> = Block([!0; W]);

    #[inline(always)]
    pub(crate) fn map(self, other: Block<W>, operation: impl Fn(u64, u64) -> u64) -> Block<W> {
        Block(std::array::from_fn(|word| operation(self.0[word], other.0[word])))
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Block<W>) -> Block<W> {
        self.map(other, |one, two| one & two)
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Block<W>) -> Block<W> {
        self.map(other, |one, two| one | two)
    }

    #[inline(always)]
    pub(crate) fn xor(self, other: Block<W>) -> Block<W> {
        self.map(other, |one, two| one ^ two)
    }

    /// This but not the other.
    #[inline(always)]
    pub(crate) fn without(self, other: Block<W>) -> Block<W> {
        self.map(other, |one, two| one & !two)
    }

    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.0.iter().fold(0, |any, &word| any | word) != 0
    }

    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The lanes, in order.
    pub(crate) fn lanes(self) -> impl Iterator<Item = usize> {
        (0..W).flat_map(move |word| {
            let mut rest = self.0[word];
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(word * 64 + bit)
            })
        })
    }

    /// The first `count` of the lanes.
    pub(crate) fn first(self, count: u64) -> Block<W> {
        if u64::from(self.count()) <= count {
            return self;
        }
        let mut taken = Block::NONE;
        for lane in self.lanes().take(count as usize) {
            taken.0[lane / 64] |= 1 << (lane % 64);
        }
        taken
    }
}

/// The values of all slots, as vectors: those of one slot stand together.
pub(crate) struct Values<'a, S: Simd> {
    pub(crate) simd: S,
    vectors: &'a mut [S::u64s],
    /// Vectors a slot.
    pub(crate) each: usize,
}

impl<'a, S: Simd> Values<'a, S> {
    /// Words as values, `width` words a slot.
    #[inline(always)]
    pub(crate) fn new(simd: S, words: &'a mut [u64], width: usize) -> Values<'a, S> {
        let (vectors, _) = S::as_mut_simd_u64s(words);
        Values { simd, vectors, each: width / S::U64_LANES }
    }

    /// A vector of an operand.
    #[inline(always)]
    pub(crate) fn read(&self, operand: Operand, vector: usize) -> S::u64s {
        let sign = self.simd.splat_u64s(0u64.wrapping_sub(u64::from(operand & 1)));
        self.simd.xor_u64s(self.vectors[(operand >> 1) as usize * self.each + vector], sign)
    }

    /// Sets a vector of a slot.
    #[inline(always)]
    pub(crate) fn write(&mut self, slot: u32, vector: usize, value: S::u64s) {
        self.vectors[slot as usize * self.each + vector] = value;
    }

    /// An operand in every lane.
    #[inline(always)]
    pub(crate) fn block<const W: usize>(&self, operand: Operand) -> Block<W> {
        let sign = 0u64.wrapping_sub(u64::from(operand & 1));
        let start = (operand >> 1) as usize * self.each;
        let words: &[u64] = pulp::bytemuck::cast_slice(&self.vectors[start..start + self.each]);
        Block(std::array::from_fn(|word| words[word] ^ sign))
    }

    /// Computes the gates of a section.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, section: &Section) {
        let simd = self.simd;
        let mut code = &section.code[..];
        for run in &section.runs {
            let (plain, pairs) = (run.plain as usize, run.pairs as usize);
            let (instructions, rest) = code.split_at(run.count as usize * (1 + plain + 2 * pairs));
            code = rest;
            match (plain, pairs) {
                (2, 0) => {
                    for one in instructions.chunks_exact(3) {
                        for vector in 0..self.each {
                            let value = simd.and_u64s(self.read(one[1], vector), self.read(one[2], vector));
                            self.write(one[0], vector, value);
                        }
                    }
                }
                (3, 0) => {
                    for one in instructions.chunks_exact(4) {
                        for vector in 0..self.each {
                            let value = simd.and_u64s(self.read(one[1], vector), self.read(one[2], vector));
                            self.write(one[0], vector, simd.and_u64s(value, self.read(one[3], vector)));
                        }
                    }
                }
                (1, 1) => {
                    for one in instructions.chunks_exact(4) {
                        for vector in 0..self.each {
                            let pair = simd.and_u64s(self.read(one[2], vector), self.read(one[3], vector));
                            let value = simd.and_u64s(self.read(one[1], vector), simd.not_u64s(pair));
                            self.write(one[0], vector, value);
                        }
                    }
                }
                (0, 2) => {
                    for one in instructions.chunks_exact(5) {
                        for vector in 0..self.each {
                            let pair = simd.and_u64s(self.read(one[1], vector), self.read(one[2], vector));
                            let other = simd.and_u64s(self.read(one[3], vector), self.read(one[4], vector));
                            self.write(one[0], vector, simd.not_u64s(simd.or_u64s(pair, other)));
                        }
                    }
                }
                _ => {
                    for one in instructions.chunks_exact(1 + plain + 2 * pairs) {
                        let (single, double) = one[1..].split_at(plain);
                        for vector in 0..self.each {
                            let mut value = simd.splat_u64s(!0);
                            for &operand in single {
                                value = simd.and_u64s(value, self.read(operand, vector));
                            }
                            for pair in double.chunks_exact(2) {
                                let both = simd.and_u64s(self.read(pair[0], vector), self.read(pair[1], vector));
                                value = simd.and_u64s(value, simd.not_u64s(both));
                            }
                            self.write(one[0], vector, value);
                        }
                    }
                }
            }
        }
    }
}

/// Is any bit set?
#[inline(always)]
pub(crate) fn any<S: Simd>(vector: S::u64s) -> bool {
    let words: &[u64] = pulp::bytemuck::cast_slice(std::slice::from_ref(&vector));
    words.iter().fold(0, |any, &word| any | word) != 0
}

/// Random bits for a block: a generator for each word (xoroshiro128+, Blackman and Vigna 2018).
#[derive(Clone, Debug)]
pub(crate) struct Dice<const W: usize> {
    low: [u64; W],
    high: [u64; W],
}

impl<const W: usize> Dice<W> {
    pub(crate) fn new(rng: &mut Rng) -> Dice<W> {
        // All zeros would stay so; one bit that is always set rules it out.
        let low = std::array::from_fn(|_| rng.bits() | 1);
        let high = std::array::from_fn(|_| rng.bits());
        Dice { low, high }
    }

    /// The next bits of one vector.
    #[inline(always)]
    pub(crate) fn bits<S: Simd>(&mut self, simd: S, vector: usize) -> S::u64s {
        let (low, _) = S::as_mut_simd_u64s(&mut self.low);
        let (high, _) = S::as_mut_simd_u64s(&mut self.high);
        let (low, high) = (&mut low[vector], &mut high[vector]);
        let result = simd.add_u64s(*low, *high);
        let mixed = simd.xor_u64s(*high, *low);
        let shifted = simd.and_u64s(simd.rotate_left_u64s(mixed, 16), simd.splat_u64s(!0 << 16));
        *low = simd.xor_u64s(simd.xor_u64s(simd.rotate_left_u64s(*low, 24), mixed), shifted);
        *high = simd.rotate_left_u64s(mixed, 37);
        result
    }
}
