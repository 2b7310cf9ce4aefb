//! A uniform legal move in every lane at once.
//!
//! Numbers are kept as planes: the first block holds the lowest bit of every lane's number, and so on. The legal moves of
//! a role are counted in planes; a number below the count is drawn (random bits below the next power of two, again in
//! lanes where it came out too high, so that every move is exactly equally likely); then it is counted down over the
//! legal moves, and where it falls below zero, that is the move.

use crate::lanes::block::{Block, Dice, read};
use crate::lanes::program::Choice;

/// More moves than two to this power are refused by [`Lanes::new`](crate::Lanes::new).
pub(crate) const MOST_PLANES: usize = 24;

/// The numbers of legal moves less one, as planes.
#[derive(Clone, Debug)]
pub(crate) struct Counts<const W: usize> {
    planes: [Block<W>; MOST_PLANES],
    /// How many planes are not empty.
    used: usize,
    /// The lanes without any legal move.
    pub(crate) none: Block<W>,
}

impl<const W: usize> Counts<W> {
    pub(crate) const EMPTY: Counts<W> = Counts { planes: [Block::NONE; MOST_PLANES], used: 0, none: Block::ALL };
}

/// Sum and carry of three bits.
#[inline(always)]
fn add<const W: usize>(one: Block<W>, two: Block<W>, three: Block<W>) -> (Block<W>, Block<W>) {
    let half = one.xor(two);
    (half.xor(three), one.and(two).or(half.and(three)))
}

/// Counts the legal moves of a role in every lane.
#[inline(always)]
pub(crate) fn count<const W: usize>(values: &[Block<W>], choices: &[Choice], counts: &mut Counts<W>) {
    let planes = &mut counts.planes;
    let most = (usize::BITS - choices.len().leading_zeros()) as usize;
    planes[..most.max(3)].fill(Block::NONE);
    let (mut ones, mut twos, mut fours) = (Block::NONE, Block::NONE, Block::NONE);
    let eights = choices.chunks_exact(8);
    let rest = eights.remainder();
    for eight in eights {
        let legal = |index: usize| read(values, eight[index].legal);
        let carry_one;
        let carry_two;
        let carry_three;
        let carry_four;
        (ones, carry_one) = add(ones, legal(0), legal(1));
        (ones, carry_two) = add(ones, legal(2), legal(3));
        let (sum, carry) = add(twos, carry_one, carry_two);
        (ones, carry_three) = add(ones, legal(4), legal(5));
        (ones, carry_four) = add(ones, legal(6), legal(7));
        let (sum, other) = add(sum, carry_three, carry_four);
        twos = sum;
        let (sum, mut over) = add(fours, carry, other);
        fours = sum;
        for plane in &mut planes[3..most.max(3)] {
            let sum = plane.xor(over);
            over = plane.and(over);
            *plane = sum;
        }
    }
    (planes[0], planes[1], planes[2]) = (ones, twos, fours);
    for choice in rest {
        let mut over = read(values, choice.legal);
        for plane in &mut planes[..most] {
            let sum = plane.xor(over);
            over = plane.and(over);
            *plane = sum;
        }
    }
    // One less, by a borrow that runs through the zeros; where it runs out there was no move.
    let mut borrow = Block::ALL;
    counts.used = 0;
    for (index, plane) in planes[..most].iter_mut().enumerate() {
        let less = plane.xor(borrow);
        borrow = borrow.without(*plane);
        *plane = less;
        if less.without(borrow).any() {
            counts.used = index + 1;
        }
    }
    counts.none = borrow;
    let used = planes[..most].iter().rposition(|plane| plane.without(borrow).any());
    counts.used = used.map_or(0, |plane| plane + 1);
}

/// Draws a move for a role in every lane and writes which it is.
#[inline(always)]
pub(crate) fn choose<const W: usize>(
    values: &mut [Block<W>],
    choices: &[Choice],
    counts: &Counts<W>,
    dice: &mut Dice<W>,
) {
    match counts.used {
        0 => copy(values, choices),
        1 => choose_among::<W, 1>(values, choices, counts, dice),
        2 => choose_among::<W, 2>(values, choices, counts, dice),
        3 => choose_among::<W, 3>(values, choices, counts, dice),
        4 => choose_among::<W, 4>(values, choices, counts, dice),
        5 => choose_among::<W, 5>(values, choices, counts, dice),
        6 => choose_among::<W, 6>(values, choices, counts, dice),
        7 => choose_among::<W, 7>(values, choices, counts, dice),
        8 => choose_among::<W, 8>(values, choices, counts, dice),
        9..=12 => choose_among::<W, 12>(values, choices, counts, dice),
        _ => choose_among::<W, MOST_PLANES>(values, choices, counts, dice),
    }
}

/// What is legal is done: there is one legal move in every lane.
#[inline(always)]
fn copy<const W: usize>(values: &mut [Block<W>], choices: &[Choice]) {
    for choice in choices {
        if let Some(done) = choice.done {
            values[done as usize] = read(values, choice.legal);
        }
    }
}

#[inline(always)]
fn choose_among<const W: usize, const M: usize>(
    values: &mut [Block<W>],
    choices: &[Choice],
    counts: &Counts<W>,
    dice: &mut Dice<W>,
) {
    let mut number = draw::<W, M>(counts, dice);
    for choice in choices {
        let mut borrow = read(values, choice.legal);
        for plane in &mut number {
            let less = plane.xor(borrow);
            borrow = borrow.without(*plane);
            *plane = less;
        }
        if let Some(done) = choice.done {
            values[done as usize] = borrow;
        }
    }
}

/// A number from 0 to the count less one, in every lane.
#[inline(always)]
fn draw<const W: usize, const M: usize>(counts: &Counts<W>, dice: &mut Dice<W>) -> [Block<W>; M] {
    let mut mask = [Block::NONE; M];
    let mut above = Block::NONE;
    for plane in (0..M).rev() {
        above = above.or(counts.planes[plane].without(counts.none));
        mask[plane] = above;
    }
    let mut number = [Block::NONE; M];
    let mut open = Block::ALL;
    while open.any() {
        let mut too_high = Block::NONE;
        let mut drawn = [Block::NONE; M];
        for plane in 0..M {
            let bits = dice.bits().and(mask[plane]);
            let limit = counts.planes[plane];
            too_high = bits.without(limit).or(too_high.without(bits.xor(limit)));
            drawn[plane] = bits;
        }
        let settled = open.without(too_high);
        for plane in 0..M {
            number[plane] = number[plane].or(drawn[plane].and(settled));
        }
        open = open.and(too_high);
    }
    number
}
