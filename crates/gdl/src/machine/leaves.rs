//! Leaves: conjunctions that are only outputs, such as most legal moves, 64 at a time.
//!
//! Leaves count the parts that do not hold like other gates do, but their counts are three words of bits, one bit of
//! each for a leaf. A change adds 1 to, or subtracts 1 from, the counts of all leaves of a word that need it; nothing
//! is passed on.

use super::circuit::{Circuit, placed};
use crate::Signal;

/// The most parts of a leaf: the largest count of three bits.
const MOST_PARTS: usize = 7;

/// A part of a leaf that is a conjunction itself is replaced by its parts, unless more leaves than this have it.
const MOST_SHARED: u32 = 3;

/// A conjunction that is an output.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) parts: Vec<Signal>,
    /// Its bit among the outputs.
    pub(super) bit: usize,
}

/// The leaves of one word of outputs that need a signal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needing {
    pub(super) leaves: u64,
    pub(super) word: u32,
    /// 1 if they need its negation.
    pub(super) negated: u32,
}

/// For each leaf of a word: how many of its parts do not hold, bit by bit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts([u64; 3]);

impl Counts {
    /// The part of these leaves ceased to hold (1) or began to (0). Returns which leaves of the word hold now.
    #[inline(always)]
    pub(super) fn change(&mut self, leaves: u64, ceased: u32) -> u64 {
        let Counts([ones, twos, fours]) = self;
        // To subtract is to add in the complement.
        let complement = u64::from(ceased).wrapping_sub(1);
        let carry = (*ones ^ complement) & leaves;
        *ones ^= leaves;
        let second = (*twos ^ complement) & carry;
        *twos ^= carry;
        *fours ^= second;
        !(*ones | *twos | *fours)
    }
}

impl Leaf {
    /// The leaf when everything has a new number.
    pub(super) fn placed(&self, places: &[u32]) -> Leaf {
        Leaf { parts: self.parts.iter().map(|&part| placed(part, places)).collect(), bit: self.bit }
    }

    /// Turns gates of a circuit into leaves. `read` says by number what others than the circuit's gates and outputs
    /// read. Returns the circuit with its leaves, and the new number of everything that remains.
    pub(super) fn split(circuit: &Circuit, read: &[bool]) -> Option<(Circuit, Vec<u32>)> {
        let mut uses = circuit.uses();
        let parts = |gate: u32| &circuit.gates[(gate - circuit.first_gate) as usize];
        let (outputs, others): (Vec<_>, Vec<_>) = circuit.outputs.iter().copied().partition(|&(signal, _)| {
            let gate = signal.atom();
            gate >= circuit.first_gate
                && !signal.is_negated()
                && uses[gate as usize] == 0
                && !read[gate as usize]
                && parts(gate).len() <= MOST_PARTS
        });
        // A gate whose negation is an output too stays a gate.
        let is_other = |signal: Signal| others.iter().any(|&(other, _)| other.atom() == signal.atom());
        if outputs.is_empty() || outputs.iter().any(|&(signal, _)| is_other(signal)) {
            return None;
        }
        others.iter().for_each(|(signal, _)| uses[signal.atom() as usize] += 1);
        let flat = |gate: u32| {
            let mut flat = parts(gate).clone();
            let mut place = 0;
            while let Some(&part) = flat.get(place) {
                let number = part.atom();
                let inner = number >= circuit.first_gate && !part.is_negated() && !read[number as usize];
                let fits = inner && flat.len() + parts(number).len() <= MOST_PARTS + 1;
                if fits && uses[number as usize] <= MOST_SHARED {
                    flat.swap_remove(place);
                    flat.extend(parts(number));
                } else {
                    place += 1;
                }
            }
            flat.sort_unstable();
            flat.dedup();
            flat
        };
        let leaves: Vec<Leaf> = outputs.iter().map(|&(signal, bit)| Leaf { parts: flat(signal.atom()), bit }).collect();
        let mut read = read.to_vec();
        leaves.iter().flat_map(|leaf| &leaf.parts).for_each(|part| read[part.atom() as usize] = true);
        let without = Circuit { outputs: others, ..circuit.clone() };
        let mut kept = vec![true; circuit.end() as usize];
        without.keep_needed(&mut kept, &read);
        let (rest, places) = circuit.part(&kept, circuit.first_gate, &read, without.outputs, circuit.words);
        let leaves = leaves.iter().map(|leaf| leaf.placed(&places)).collect();
        Some((Circuit { leaves, ..rest }, places))
    }
}

/// What each number tells the leaves: pairs of a number and the leaves that need it.
pub(super) fn needing(leaves: &[Leaf]) -> Vec<(u32, Needing)> {
    let mut all: Vec<(u32, u32, u32, u64)> = Vec::new();
    for Leaf { parts, bit } in leaves {
        let entry = |part: &Signal| (part.atom(), (bit / 64) as u32, u32::from(part.is_negated()), 1 << (bit % 64));
        all.extend(parts.iter().map(entry));
    }
    all.sort_unstable();
    let mut merged: Vec<(u32, Needing)> = Vec::new();
    for (number, word, negated, leaf) in all {
        match merged.last_mut() {
            Some((last, needing)) if (*last, needing.word, needing.negated) == (number, word, negated) => {
                needing.leaves |= leaf;
            }
            _ => merged.push((number, Needing { leaves: leaf, word, negated })),
        }
    }
    merged
}

/// The counts of every word, and the outputs of leaves, when signals hold as given.
pub(super) fn begin(leaves: &[Leaf], words: usize, outputs: &mut [u64], holds: impl Fn(Signal) -> bool) -> Vec<Counts> {
    let mut counts = vec![Counts::default(); words];
    for Leaf { parts, bit } in leaves {
        let missing = parts.iter().filter(|&&part| !holds(part)).count() as u64;
        for (place, word) in counts[bit / 64].0.iter_mut().enumerate() {
            *word |= (missing >> place & 1) << (bit % 64);
        }
        outputs[bit / 64] |= u64::from(missing == 0) << (bit % 64);
    }
    counts
}

#[cfg(test)]
mod tests {
    use tesuji_core::Rng;

    use super::*;

    #[test]
    fn counts_are_those_of_plain_counting() {
        let mut rng = Rng::new(3);
        let mut plain = [0u32; 64];
        let mut counts = Counts::default();
        for _ in 0..2_000 {
            let ceased = rng.below(2) as u32;
            let can = |&leaf: &usize| if ceased == 1 { plain[leaf] < MOST_PARTS as u32 } else { plain[leaf] > 0 };
            let chosen = rng.bits();
            let leaves: Vec<usize> = (0..64).filter(can).filter(|leaf| chosen >> leaf & 1 == 1).collect();
            let word = leaves.iter().fold(0, |word, leaf| word | 1 << leaf);
            leaves.iter().for_each(|&leaf| plain[leaf] = if ceased == 1 { plain[leaf] + 1 } else { plain[leaf] - 1 });
            let holding = counts.change(word, ceased);
            (0..64).for_each(|leaf| assert_eq!(holding >> leaf & 1 == 1, plain[leaf] == 0, "leaf {leaf}"));
        }
    }
}
