//! Blocks of lanes: one bit per lane, `W` words of 64.
//!
//! Frequent operations work on vectors of words, as wide as the machine supports; operations done once per pass work on
//! words. Every lane sees the same operations whatever the width, so results are the same on every machine.

// Iterators are not always inlined, and code that is not inlined does not use vectors: that halves the speed of small
// games.
#![allow(clippy::needless_range_loop)]

use pulp::Simd;
use tesuji_core::Rng;

use crate::lanes::program::{Operand, Section};

/// The number of words that share their random draws: the widest vector.
pub(crate) const GROUP: usize = 8;

/// One bit for each lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Block<W> {
    pub(crate) const NONE: Block<W> = Block([0; W]);
    pub(crate) const ALL: Block<W> = Block([!0; W]);

    #[inline(always)]
    pub(crate) fn map(self, other: Block<W>, operation: impl Fn(u64, u64) -> u64) -> Block<W> {
        let mut result = [0; W];
        for word in 0..W {
            result[word] = operation(self.0[word], other.0[word]);
        }
        Block(result)
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

    /// The lanes of this block that are not in the other.
    #[inline(always)]
    pub(crate) fn without(self, other: Block<W>) -> Block<W> {
        self.map(other, |one, two| one & !two)
    }

    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        let mut any = 0;
        for word in 0..W {
            any |= self.0[word];
        }
        any != 0
    }

    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        let mut count = 0;
        for word in 0..W {
            count += self.0[word].count_ones();
        }
        count
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

/// The values of all slots as vectors; the vectors of one slot are adjacent.
pub(crate) struct Values<'a, S: Simd> {
    pub(crate) simd: S,
    vectors: &'a mut [S::u64s],
    /// Vectors per slot.
    pub(crate) each: usize,
}

impl<'a, S: Simd> Values<'a, S> {
    /// Views words as values, `width` words per slot.
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

    /// The value of an operand in every lane.
    #[inline(always)]
    pub(crate) fn block<const W: usize>(&self, operand: Operand) -> Block<W> {
        let sign = 0u64.wrapping_sub(u64::from(operand & 1));
        let start = (operand >> 1) as usize * self.each;
        let words: &[u64] = pulp::bytemuck::cast_slice(&self.vectors[start..start + self.each]);
        let mut block = [0; W];
        for word in 0..W {
            block[word] = words[word] ^ sign;
        }
        Block(block)
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

/// Whether any bit is set.
#[inline(always)]
pub(crate) fn any<S: Simd>(vector: S::u64s) -> bool {
    let words: &[u64] = pulp::bytemuck::cast_slice(std::slice::from_ref(&vector));
    let mut any = 0;
    for &word in words {
        any |= word;
    }
    any != 0
}

/// Random bits for a block: a generator for each word (xoroshiro128+, Blackman and Vigna 2018).
#[derive(Clone, Debug)]
pub(crate) struct Dice<const W: usize> {
    low: [u64; W],
    high: [u64; W],
    drawn: [u64; GROUP],
}

impl<const W: usize> Dice<W> {
    pub(crate) fn new(rng: &mut Rng) -> Dice<W> {
        // All zeros would stay zero; one bit that is always set prevents that.
        let low = std::array::from_fn(|_| rng.bits() | 1);
        let high = std::array::from_fn(|_| rng.bits());
        Dice { low, high, drawn: [0; GROUP] }
    }

    /// Draws for one group of words, starting at `first`.
    #[inline(always)]
    pub(crate) fn throw(&mut self, first: usize) {
        let low = &mut self.low[first..first + GROUP];
        let high = &mut self.high[first..first + GROUP];
        for word in 0..GROUP {
            self.drawn[word] = low[word].wrapping_add(high[word]);
            let mixed = high[word] ^ low[word];
            low[word] = low[word].rotate_left(24) ^ mixed ^ (mixed << 16);
            high[word] = mixed.rotate_left(37);
        }
    }

    /// A vector of the random bits.
    #[inline(always)]
    pub(crate) fn drawn<S: Simd>(&self, vector: usize) -> S::u64s {
        S::as_simd_u64s(&self.drawn).0[vector]
    }
}
