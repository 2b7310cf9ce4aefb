//! Leaves: legal moves that are conjunctions and that nothing else needs, 64 at a time.
//!
//! The parts of leaves are stored in planes: words with one bit for each move. Each part of a leaf has its bit in
//! another plane, so a leaf holds if its bits of all planes do. A change of a value flips bits of planes and is not
//! passed on; the planes are combined when all changes are known.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::circuit::{Circuit, placed};
use crate::Signal;

/// The most parts of a leaf, and so the most planes.
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

/// Bits of a plane that a number flips.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flips {
    pub(super) bits: u64,
    /// The word among those of all planes.
    pub(super) place: u32,
}

impl Leaf {
    /// The leaf when everything has a new number.
    pub(super) fn placed(&self, places: &[u32]) -> Leaf {
        Leaf { parts: self.parts.iter().map(|&part| placed(part, places)).collect(), bit: self.bit }
    }

    /// Turns gates of a circuit into leaves, if their output is in the words `moves`. `read` says by number what others
    /// than the circuit's gates and outputs read. Returns the circuit with its leaves, and the new number of everything
    /// that remains.
    pub(super) fn split(circuit: &Circuit, moves: Range<usize>, read: &[bool]) -> Option<(Circuit, Vec<u32>)> {
        let mut uses = circuit.uses();
        let parts = |gate: u32| &circuit.gates[(gate - circuit.first_gate) as usize];
        // A gate that is another output too, or whose negation is, stays a gate.
        let mut other = vec![false; circuit.end() as usize];
        for &(signal, bit) in &circuit.outputs {
            other[signal.atom() as usize] |= signal.is_negated() || !moves.contains(&(bit / 64));
        }
        let (outputs, others): (Vec<_>, Vec<_>) = circuit.outputs.iter().copied().partition(|&(signal, _)| {
            let gate = signal.atom();
            gate >= circuit.first_gate
                && !other[gate as usize]
                && uses[gate as usize] == 0
                && !read[gate as usize]
                && parts(gate).len() <= MOST_PARTS
        });
        if outputs.is_empty() {
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
        Some((Circuit { leaves, leaf_words: moves, ..rest }, places))
    }
}

/// The planes of all leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Planes {
    /// The words of all planes, one plane after the other.
    pub(super) words: Vec<u64>,
    /// What each number flips, ascending.
    pub(super) flips: Vec<(u32, Flips)>,
}

impl Planes {
    /// The planes of leaves whose outputs are in the given words, when signals hold as given.
    pub(super) fn new(leaves: &[Leaf], words: Range<usize>, holds: impl Fn(Signal) -> bool) -> Planes {
        if leaves.is_empty() {
            return Planes::default();
        }
        let mut sorted: Vec<&Leaf> = leaves.iter().collect();
        sorted.sort_by_key(|leaf| leaf.bit);
        // Word by word: the plane of each part of each leaf.
        let mut chosen: Vec<(usize, Signal, usize)> = Vec::new();
        for word in sorted.chunk_by(|one, other| one.bit / 64 == other.bit / 64) {
            let preferred = preferred(word);
            for leaf in word {
                let mut taken = [false; MOST_PARTS + 1];
                for part in &leaf.parts {
                    let free = |&plane: &usize| !taken[plane];
                    let plane = Some(preferred[part]).filter(free).or_else(|| (0..MOST_PARTS).find(free));
                    let plane = plane.unwrap_or(MOST_PARTS);
                    taken[plane] = true;
                    chosen.push((plane, *part, leaf.bit - words.start * 64));
                }
            }
        }
        let planes = chosen.iter().map(|&(plane, ..)| plane + 1).max().unwrap_or(1);
        let mut planes = Planes { words: vec![u64::MAX; planes * words.len()], flips: Vec::new() };
        planes.words[..words.len()].fill(0);
        sorted.iter().for_each(|leaf| planes.words[leaf.bit / 64 - words.start] |= 1 << (leaf.bit % 64));
        let mut flips: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        for (plane, part, bit) in chosen {
            let place = plane * words.len() + bit / 64;
            if !holds(part) {
                planes.words[place] &= !(1 << (bit % 64));
            }
            *flips.entry((part.atom(), place as u32)).or_default() |= 1 << (bit % 64);
        }
        planes.flips = flips.into_iter().map(|((number, place), bits)| (number, Flips { bits, place })).collect();
        planes.flips.sort_unstable_by_key(|(number, flips)| (*number, flips.place));
        planes
    }
}

/// The plane that each part of a word's leaves should have, so that no leaf has two parts in one plane: frequent parts
/// choose first, the smallest plane that is free.
fn preferred(leaves: &[&Leaf]) -> FxHashMap<Signal, usize> {
    let mut counts: FxHashMap<Signal, usize> = FxHashMap::default();
    let mut beside: FxHashMap<Signal, FxHashSet<Signal>> = FxHashMap::default();
    for leaf in leaves {
        for &part in &leaf.parts {
            *counts.entry(part).or_default() += 1;
            beside.entry(part).or_default().extend(leaf.parts.iter().copied().filter(|&other| other != part));
        }
    }
    let mut parts: Vec<Signal> = counts.keys().copied().collect();
    parts.sort_unstable_by_key(|part| (std::cmp::Reverse(counts[part]), *part));
    let mut planes: FxHashMap<Signal, usize> = FxHashMap::default();
    for part in parts {
        let taken: FxHashSet<usize> = beside[&part].iter().filter_map(|other| planes.get(other)).copied().collect();
        let plane = (0..MOST_PARTS).find(|plane| !taken.contains(plane)).unwrap_or(0);
        planes.insert(part, plane);
    }
    planes
}

/// The legal moves: the leaves that hold in all planes, and the outputs of gates.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn combine(planes: &[u64], outputs: &[u64], legal: &mut [u64]) {
    if planes.is_empty() {
        legal.copy_from_slice(outputs);
        return;
    }
    let (first, rest) = planes.split_at(legal.len());
    legal.copy_from_slice(first);
    for plane in rest.chunks_exact(legal.len()) {
        legal.iter_mut().zip(plane).for_each(|(legal, plane)| *legal &= plane);
    }
    legal.iter_mut().zip(outputs).for_each(|(legal, output)| *legal |= output);
}

#[cfg(test)]
mod tests {
    use tesuji_core::Rng;

    use super::*;

    #[test]
    fn planes_say_what_plain_conjunctions_say() {
        let mut rng = Rng::new(3);
        for _ in 0..20 {
            // Moves in the words 2 to 4; some are no leaves.
            let mut leaves = Vec::new();
            for bit in (128..300).filter(|bit| bit % 5 != 0) {
                let mut parts: Vec<Signal> =
                    (0..1 + rng.below(MOST_PARTS)).map(|_| Signal(2 + rng.below(40) as u32)).collect();
                parts.sort_unstable();
                parts.dedup();
                leaves.push(Leaf { parts, bit });
            }
            let mut values = [false; 21];
            let holds = |values: &[bool], signal: Signal| values[signal.atom() as usize] != signal.is_negated();
            let mut planes = Planes::new(&leaves, 2..5, |signal| holds(&values, signal));
            let outputs = [1, 0, 0];
            for _ in 0..100 {
                let number = 1 + rng.below(20);
                values[number] = !values[number];
                for (_, flips) in planes.flips.iter().filter(|&&(of, _)| of as usize == number) {
                    planes.words[flips.place as usize] ^= flips.bits;
                }
                let mut legal = [0; 3];
                combine(&planes.words, &outputs, &mut legal);
                let mut plain = outputs;
                for leaf in leaves.iter().filter(|leaf| leaf.parts.iter().all(|&part| holds(&values, part))) {
                    plain[leaf.bit / 64 - 2] |= 1 << (leaf.bit % 64);
                }
                assert_eq!(legal, plain);
            }
        }
    }
}
