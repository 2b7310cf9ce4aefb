//! Draws a uniformly random legal move in every lane at once.
//!
//! Numbers are stored as bit planes: the first block holds the lowest bit of every lane's number, and so on. The legal
//! moves of a role are counted in planes. Then a number below the count is drawn (random bits below the next power of
//! two, redrawn in lanes where the number is too high, so that every move is exactly equally likely). The number is
//! counted down over the legal moves; the move at which it falls below zero is chosen.
//!
//! Guided playouts list better moves first, and count down the lowest of several numbers: the best of several moves
//! drawn independently.

use pulp::Simd;

use crate::lanes::block::{Block, Dice, GROUP, Values, any};
use crate::lanes::program::Choice;

/// [`Lanes::new`](crate::Lanes::new) refuses roles with 2 to this power or more moves.
pub(crate) const MOST_PLANES: usize = 24;

/// The numbers of legal moves minus one, as planes.
#[derive(Clone, Debug)]
pub(crate) struct Counts<const W: usize> {
    planes: [[u64; W]; MOST_PLANES],
    /// The number of planes that are not empty.
    used: usize,
    /// The lanes without any legal move.
    pub(crate) none: Block<W>,
}

impl<const W: usize> Counts<W> {
    pub(crate) const EMPTY: Counts<W> = Counts { planes: [[0; W]; MOST_PLANES], used: 0, none: Block::ALL };

    /// The lanes with two or more legal moves.
    pub(crate) fn choosing(&self) -> Block<W> {
        self.planes[..self.used].iter().fold(Block::NONE, |choosing, &plane| choosing.or(Block(plane)))
    }
}

/// Sum and carry of three bits.
#[inline(always)]
fn add<S: Simd>(simd: S, one: S::u64s, two: S::u64s, three: S::u64s) -> (S::u64s, S::u64s) {
    let half = simd.xor_u64s(one, two);
    let carry = simd.or_u64s(simd.and_u64s(one, two), simd.and_u64s(half, three));
    (simd.xor_u64s(half, three), carry)
}

/// Counts the legal moves of a role in every lane.
#[inline(always)]
pub(crate) fn count<S: Simd, const W: usize>(values: &Values<S>, choices: &[Choice], counts: &mut Counts<W>) {
    let simd = values.simd;
    let most = (usize::BITS - choices.len().leading_zeros()) as usize;
    counts.used = 0;
    for vector in 0..values.each {
        let mut planes = [simd.splat_u64s(0); MOST_PLANES];
        let eights = choices.chunks_exact(8);
        let rest = eights.remainder();
        let (mut ones, mut twos, mut fours) = (planes[0], planes[1], planes[2]);
        for eight in eights {
            let legal = |index: usize| values.read(eight[index].legal, vector);
            let (sum, first) = add(simd, ones, legal(0), legal(1));
            let (sum, second) = add(simd, sum, legal(2), legal(3));
            let (sum, third) = add(simd, sum, legal(4), legal(5));
            let (sum, fourth) = add(simd, sum, legal(6), legal(7));
            ones = sum;
            let (sum, fifth) = add(simd, twos, first, second);
            let (sum, sixth) = add(simd, sum, third, fourth);
            twos = sum;
            let (sum, mut over) = add(simd, fours, fifth, sixth);
            fours = sum;
            for plane in &mut planes[3..most.max(3)] {
                let sum = simd.xor_u64s(*plane, over);
                over = simd.and_u64s(*plane, over);
                *plane = sum;
            }
        }
        (planes[0], planes[1], planes[2]) = (ones, twos, fours);
        for choice in rest {
            let mut over = values.read(choice.legal, vector);
            for plane in &mut planes[..most] {
                let sum = simd.xor_u64s(*plane, over);
                over = simd.and_u64s(*plane, over);
                *plane = sum;
            }
        }
        // Subtracts one, with a borrow that runs through the zeros; if it runs out, there was no move.
        let mut borrow = simd.splat_u64s(!0);
        for plane in &mut planes[..most] {
            let less = simd.xor_u64s(*plane, borrow);
            borrow = simd.and_u64s(borrow, simd.not_u64s(*plane));
            *plane = less;
        }
        S::as_mut_simd_u64s(&mut counts.none.0).0[vector] = borrow;
        for (index, plane) in planes[..most].iter().enumerate() {
            let plane = simd.and_u64s(*plane, simd.not_u64s(borrow));
            S::as_mut_simd_u64s(&mut counts.planes[index]).0[vector] = plane;
            if index >= counts.used && any::<S>(plane) {
                counts.used = index + 1;
            }
        }
    }
}

/// Draws `draws` moves for a role in every lane and writes which is the first of them in `choices`.
#[inline(always)]
pub(crate) fn choose<S: Simd, const W: usize>(
    values: &mut Values<S>,
    choices: &[Choice],
    counts: &Counts<W>,
    draws: u32,
    dice: &mut Dice<W>,
) {
    match counts.used {
        0 => copy(values, choices),
        1 => choose_among::<S, W, 1>(values, choices, counts, draws, dice),
        2 => choose_among::<S, W, 2>(values, choices, counts, draws, dice),
        3 => choose_among::<S, W, 3>(values, choices, counts, draws, dice),
        4 => choose_among::<S, W, 4>(values, choices, counts, draws, dice),
        5 => choose_among::<S, W, 5>(values, choices, counts, draws, dice),
        6 => choose_among::<S, W, 6>(values, choices, counts, draws, dice),
        7 => choose_among::<S, W, 7>(values, choices, counts, draws, dice),
        8 => choose_among::<S, W, 8>(values, choices, counts, draws, dice),
        _ => choose_among::<S, W, MOST_PLANES>(values, choices, counts, draws, dice),
    }
}

/// Makes the only legal move in every lane.
#[inline(always)]
fn copy<S: Simd>(values: &mut Values<S>, choices: &[Choice]) {
    for choice in choices {
        if let Some(done) = choice.done {
            for vector in 0..values.each {
                let legal = values.read(choice.legal, vector);
                values.write(done, vector, legal);
            }
        }
    }
}

#[inline(always)]
fn choose_among<S: Simd, const W: usize, const M: usize>(
    values: &mut Values<S>,
    choices: &[Choice],
    counts: &Counts<W>,
    draws: u32,
    dice: &mut Dice<W>,
) {
    let simd = values.simd;
    let group = GROUP / S::U64_LANES;
    for first in (0..values.each).step_by(group) {
        let mut numbers = draw::<S, W, M>(simd, first, counts, dice);
        for _ in 1..draws {
            let others = draw::<S, W, M>(simd, first, counts, dice);
            for (number, other) in numbers[..group].iter_mut().zip(&others) {
                lower(simd, number, other);
            }
        }
        for (offset, number) in numbers[..group].iter().enumerate() {
            let vector = first + offset;
            let mut number = *number;
            for choice in choices {
                let mut borrow = values.read(choice.legal, vector);
                for plane in &mut number {
                    let less = simd.xor_u64s(*plane, borrow);
                    borrow = simd.and_u64s(borrow, simd.not_u64s(*plane));
                    *plane = less;
                }
                if let Some(done) = choice.done {
                    values.write(done, vector, borrow);
                }
            }
        }
    }
}

/// Replaces a number by another one in the lanes where that is lower.
#[inline(always)]
fn lower<S: Simd, const M: usize>(simd: S, number: &mut [S::u64s; M], other: &[S::u64s; M]) {
    let mut below = simd.splat_u64s(0);
    for (&own, &other) in number.iter().zip(other) {
        let differ = simd.xor_u64s(own, other);
        below = simd.or_u64s(simd.and_u64s(own, differ), simd.and_u64s(below, simd.not_u64s(differ)));
    }
    for (own, &other) in number.iter_mut().zip(other) {
        *own = simd.xor_u64s(*own, simd.and_u64s(below, simd.xor_u64s(*own, other)));
    }
}

/// A number from 0 to the count minus one, in every lane of a group of words.
///
/// All words of a group draw until all are settled, so that the random numbers do not depend on the vector width.
#[inline(always)]
fn draw<S: Simd, const W: usize, const M: usize>(
    simd: S,
    first: usize,
    counts: &Counts<W>,
    dice: &mut Dice<W>,
) -> [[S::u64s; M]; GROUP] {
    let group = GROUP / S::U64_LANES;
    let none = simd.splat_u64s(0);
    let limit = |plane: usize, vector: usize| S::as_simd_u64s(&counts.planes[plane]).0[vector];
    let mut mask = [[none; M]; GROUP];
    let mut open = [none; GROUP];
    for offset in 0..group {
        let mut above = none;
        for plane in (0..M).rev() {
            above = simd.or_u64s(above, limit(plane, first + offset));
            mask[offset][plane] = above;
        }
        open[offset] = simd.splat_u64s(!0);
    }
    let mut number = [[none; M]; GROUP];
    loop {
        let mut too_high = [none; GROUP];
        let mut drawn = [[none; M]; GROUP];
        for plane in 0..M {
            dice.throw(first * S::U64_LANES);
            for offset in 0..group {
                let bits = simd.and_u64s(dice.drawn::<S>(offset), mask[offset][plane]);
                let differ = simd.xor_u64s(bits, limit(plane, first + offset));
                let above = simd.and_u64s(bits, differ);
                too_high[offset] = simd.or_u64s(above, simd.and_u64s(too_high[offset], simd.not_u64s(differ)));
                drawn[offset][plane] = bits;
            }
        }
        let mut left = none;
        for offset in 0..group {
            let settled = simd.and_u64s(open[offset], simd.not_u64s(too_high[offset]));
            for plane in 0..M {
                let bits = simd.and_u64s(drawn[offset][plane], settled);
                number[offset][plane] = simd.or_u64s(number[offset][plane], bits);
            }
            open[offset] = simd.and_u64s(open[offset], too_high[offset]);
            left = simd.or_u64s(left, open[offset]);
        }
        if !any::<S>(left) {
            return number;
        }
    }
}
