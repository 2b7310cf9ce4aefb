//! Blocks of lanes: a bit a lane, `W` words of 64.
//!
//! All is written as loops over the words of a block, which the compiler turns into the widest vectors of the machine that
//! the code is compiled for. Every lane sees the same operations whatever the width, so results are the same everywhere.

use tesuji_core::Rng;

use crate::lanes::program::{Operand, Section};

/// A bit for each lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
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

/// The value of an operand.
#[inline(always)]
pub(crate) fn read<const W: usize>(values: &[Block<W>], operand: Operand) -> Block<W> {
    let sign = 0u64.wrapping_sub(u64::from(operand & 1));
    let value = &values[(operand >> 1) as usize];
    Block(std::array::from_fn(|word| value.0[word] ^ sign))
}

/// Computes the gates of a section.
#[inline(always)]
pub(crate) fn evaluate<const W: usize>(values: &mut [Block<W>], section: &Section) {
    let mut code = &section.code[..];
    for run in &section.runs {
        let (plain, pairs) = (run.plain as usize, run.pairs as usize);
        let (instructions, rest) = code.split_at(run.count as usize * (1 + plain + 2 * pairs));
        code = rest;
        match (plain, pairs) {
            (2, 0) => {
                for instruction in instructions.chunks_exact(3) {
                    let value = read(values, instruction[1]).and(read(values, instruction[2]));
                    values[instruction[0] as usize] = value;
                }
            }
            (3, 0) => {
                for instruction in instructions.chunks_exact(4) {
                    let value = read(values, instruction[1]).and(read(values, instruction[2]));
                    values[instruction[0] as usize] = value.and(read(values, instruction[3]));
                }
            }
            (1, 1) => {
                for instruction in instructions.chunks_exact(4) {
                    let pair = read(values, instruction[2]).and(read(values, instruction[3]));
                    values[instruction[0] as usize] = read(values, instruction[1]).without(pair);
                }
            }
            (0, 2) => {
                for instruction in instructions.chunks_exact(5) {
                    let pair = read(values, instruction[1]).and(read(values, instruction[2]));
                    let other = read(values, instruction[3]).and(read(values, instruction[4]));
                    values[instruction[0] as usize] = Block::ALL.without(pair.or(other));
                }
            }
            (_, 0) => {
                for instruction in instructions.chunks_exact(1 + plain) {
                    let mut value = read(values, instruction[1]);
                    for &operand in &instruction[2..] {
                        value = value.and(read(values, operand));
                    }
                    values[instruction[0] as usize] = value;
                }
            }
            _ => {
                for instruction in instructions.chunks_exact(1 + plain + 2 * pairs) {
                    let (single, double) = instruction[1..].split_at(plain);
                    let mut value = Block::ALL;
                    for &operand in single {
                        value = value.and(read(values, operand));
                    }
                    for pair in double.chunks_exact(2) {
                        value = value.without(read(values, pair[0]).and(read(values, pair[1])));
                    }
                    values[instruction[0] as usize] = value;
                }
            }
        }
    }
}

/// Random bits for a block: a generator for each word (xoroshiro128+, Blackman and Vigna 2018).
#[derive(Clone, Debug)]
pub(crate) struct Dice<const W: usize> {
    low: Block<W>,
    high: Block<W>,
}

impl<const W: usize> Dice<W> {
    pub(crate) fn new(rng: &mut Rng) -> Dice<W> {
        // All zeros would stay so; one bit that is always set rules it out.
        let low = Block(std::array::from_fn(|_| rng.bits() | 1));
        let high = Block(std::array::from_fn(|_| rng.bits()));
        Dice { low, high }
    }

    #[inline(always)]
    pub(crate) fn bits(&mut self) -> Block<W> {
        let result = self.low.map(self.high, u64::wrapping_add);
        let mixed = self.high.xor(self.low);
        self.low = self.low.map(mixed, |low, mixed| low.rotate_left(24) ^ mixed ^ (mixed << 16));
        self.high = mixed.map(mixed, |mixed, _| mixed.rotate_left(37));
        result
    }
}
