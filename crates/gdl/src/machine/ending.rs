//! The end of the match, evaluated on demand.
//!
//! A sheet may say that the match is over when a player has no legal move. Kept up to date, such a condition costs more
//! than the moves. Here it is evaluated from the top, and only if no legal move already refutes it. A condition that no
//! move of a kind is legal is read from the words of legal moves; it does not keep the moves from being leaves.

use std::ops::Range;

use super::circuit::{Circuit, placed};
use crate::Signal;

/// With fewer parts of gates than this, keeping them up to date costs little.
const FEWEST_PARTS_IN_ALL: usize = 24;

/// A gate that several others need is evaluated for each of them. With more evaluations than this the condition is kept
/// up to date.
const MOST_EVALUATIONS: usize = 4_000;

/// A gate with fewer parts than this is evaluated without a look at the legal moves.
const FEWEST_PARTS: usize = 8;

/// Gates that only the end needs.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    /// The first number that is one of these gates; smaller ones are kept up to date.
    first: u32,
    gates: Vec<Vec<Signal>>,
    /// By gate: words of legal moves that refute it. It does not hold while one of them is legal.
    refuted_by: Vec<Vec<(u32, u64)>>,
    over: Signal,
}

impl Ending {
    /// Takes the gates out of a circuit that only the output `bit` needs. `moves` are the output bits of legal moves,
    /// `read` says by number what else is read.
    /// Returns them, the circuit that remains, and the new number of everything in it. `None` if it is not worth it.
    pub(super) fn split(
        circuit: &Circuit,
        bit: usize,
        moves: Range<usize>,
        read: &[bool],
    ) -> Option<(Ending, Circuit, Vec<u32>)> {
        let (ends, others): (Vec<_>, Vec<_>) = circuit.outputs.iter().copied().partition(|&(_, output)| output == bit);
        let [(over, _)] = ends[..] else { return None };
        let without = Circuit { outputs: others, ..circuit.clone() };
        let mut kept = vec![true; circuit.end() as usize];
        without.keep_needed(&mut kept, read);
        let mut own = vec![true; circuit.end() as usize];
        circuit.keep_needed(&mut own, read);
        let is_own = |number: u32| number >= circuit.first_gate && own[number as usize] && !kept[number as usize];
        let gates: Vec<u32> = (circuit.first_gate..circuit.end()).filter(|&number| is_own(number)).collect();
        let parts = |gate: u32| &circuit.gates[(gate - circuit.first_gate) as usize];
        let mut read = read.to_vec();
        gates.iter().flat_map(|&gate| parts(gate)).for_each(|part| read[part.atom() as usize] |= !is_own(part.atom()));
        let (rest, places) = circuit.part(&kept, circuit.first_gate, &read, without.outputs, circuit.words);
        let mut evaluations = vec![1usize; circuit.end() as usize];
        for &gate in &gates {
            let inner = parts(gate).iter().filter(|part| is_own(part.atom()));
            evaluations[gate as usize] = inner.map(|part| evaluations[part.atom() as usize]).sum::<usize>() + 1;
        }
        let parts_in_all: usize = gates.iter().map(|&gate| parts(gate).len()).sum();
        if parts_in_all < FEWEST_PARTS_IN_ALL
            || !is_own(over.atom())
            || evaluations[over.atom() as usize] > MOST_EVALUATIONS
        {
            return None;
        }
        let mut is_move = vec![false; circuit.end() as usize];
        for &(signal, _) in circuit.outputs.iter().filter(|(signal, bit)| moves.contains(bit) && !signal.is_negated()) {
            is_move[signal.atom() as usize] = true;
        }
        let refuted_by = refutations(circuit, &gates, moves);
        let mut local = places.clone();
        gates.iter().zip(rest.end()..).for_each(|(&gate, number)| local[gate as usize] = number);
        let gates = gates.iter().map(|&gate| {
            // The legal moves that refute a wide gate include its own parts.
            let wide = parts(gate).len() >= FEWEST_PARTS;
            let read = |part: &&Signal| !(wide && part.is_negated() && is_move[part.atom() as usize]);
            let mut own: Vec<Signal> = parts(gate).iter().filter(read).map(|&part| placed(part, &local)).collect();
            // What is known at once is looked at first.
            own.sort_by_key(|part| part.atom() >= rest.end());
            own
        });
        let ending = Ending { first: rest.end(), gates: gates.collect(), refuted_by, over: placed(over, &local) };
        Some((ending, rest, places))
    }

    /// The numbers that it reads, some several times.
    pub(super) fn reads(&self) -> impl Iterator<Item = u32> + '_ {
        self.gates.iter().flatten().map(|part| part.atom()).filter(|&number| number < self.first)
    }

    /// The same gates when what is kept up to date, up to `end`, has new numbers.
    pub(super) fn renumbered(&self, places: &[u32], end: u32) -> Ending {
        let place = |signal: Signal| match signal.atom().checked_sub(self.first) {
            Some(gate) => Signal((end + gate) << 1 | u32::from(signal.is_negated())),
            None => placed(signal, places),
        };
        let gates = self.gates.iter().map(|parts| parts.iter().map(|&part| place(part)).collect());
        Ending { first: end, gates: gates.collect(), refuted_by: self.refuted_by.clone(), over: place(self.over) }
    }

    /// Whether the match is over, given the values that are kept up to date and the legal moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_over(&self, holds: &[u8], legal: &[u64]) -> bool {
        self.value(self.over, holds, legal)
    }

    fn value(&self, signal: Signal, holds: &[u8], legal: &[u64]) -> bool {
        let held = match signal.atom().checked_sub(self.first) {
            Some(gate) => {
                let refuted =
                    self.refuted_by[gate as usize].iter().any(|&(word, moves)| legal[word as usize] & moves != 0);
                !refuted && self.gates[gate as usize].iter().all(|&part| self.value(part, holds, legal))
            }
            None => holds[signal.atom() as usize] == 1,
        };
        held != signal.is_negated()
    }
}

/// By gate of `gates`: the legal moves among the outputs that refute it, as words.
///
/// If a move is legal, all parts of its conjunction hold, and what follows from them holds as well. A gate that has a
/// part which then does not hold is refuted.
fn refutations(circuit: &Circuit, gates: &[u32], moves: Range<usize>) -> Vec<Vec<(u32, u64)>> {
    let mut users: Vec<Vec<(u32, bool)>> = vec![Vec::new(); circuit.end() as usize];
    for (parts, gate) in circuit.gates.iter().zip(circuit.first_gate..) {
        parts.iter().for_each(|part| users[part.atom() as usize].push((gate, part.is_negated())));
    }
    let mut known = Known { values: vec![None; circuit.end() as usize], holding: vec![0; circuit.end() as usize] };
    let mut refuted_by: Vec<Vec<(u32, u64)>> = vec![Vec::new(); gates.len()];
    let mut outputs = circuit.outputs.clone();
    outputs.sort_unstable_by_key(|&(_, bit)| bit);
    for (legal, bit) in outputs.into_iter().filter(|(_, bit)| moves.contains(bit)) {
        let touched = known.suppose(circuit, &users, legal);
        for (place, &gate) in gates.iter().enumerate() {
            let wide = circuit.gates[(gate - circuit.first_gate) as usize].len() >= FEWEST_PARTS;
            if wide && known.values[gate as usize] == Some(false) {
                let (word, leaf) = (((bit - moves.start) / 64) as u32, 1 << (bit % 64));
                match refuted_by[place].last_mut() {
                    Some((last, moves)) if *last == word => *moves |= leaf,
                    _ => refuted_by[place].push((word, leaf)),
                }
            }
        }
        known.forget(&users, touched);
    }
    refuted_by
}

/// What follows from a supposition.
struct Known {
    values: Vec<Option<bool>>,
    /// By number: how many parts of a gate are known to hold.
    holding: Vec<u32>,
}

impl Known {
    /// Supposes that a signal holds. Returns the numbers whose value follows.
    fn suppose(&mut self, circuit: &Circuit, users: &[Vec<(u32, bool)>], signal: Signal) -> Vec<u32> {
        let mut touched = Vec::new();
        let mut open = vec![(signal.atom(), !signal.is_negated())];
        while let Some((number, value)) = open.pop() {
            if self.values[number as usize].is_some() {
                continue;
            }
            self.values[number as usize] = Some(value);
            touched.push(number);
            if value && number >= circuit.first_gate {
                let parts = &circuit.gates[(number - circuit.first_gate) as usize];
                open.extend(parts.iter().map(|part| (part.atom(), !part.is_negated())));
            }
            for &(gate, negated) in &users[number as usize] {
                if value == negated {
                    open.push((gate, false));
                } else {
                    self.holding[gate as usize] += 1;
                    if self.holding[gate as usize] as usize == circuit.gates[(gate - circuit.first_gate) as usize].len()
                    {
                        open.push((gate, true));
                    }
                }
            }
        }
        touched
    }

    /// Forgets what followed.
    fn forget(&mut self, users: &[Vec<(u32, bool)>], touched: Vec<u32>) {
        for number in touched {
            let value = self.values[number as usize].take();
            for &(gate, negated) in &users[number as usize] {
                self.holding[gate as usize] -= u32::from(value == Some(!negated));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Ten facts, gates of two or more parts, and an end that needs many of them not to hold.
    fn circuits() -> impl Strategy<Value = Circuit> {
        let parts = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 2..4);
        let refuted = prop::collection::vec(any::<prop::sample::Index>(), 6..20);
        (prop::collection::vec(parts, 20..40), refuted, any::<bool>()).prop_map(|(gates, refuted, negated)| {
            let mut circuit = Circuit { first_gate: 11, words: 3, ..Circuit::default() };
            for parts in gates {
                let signal = |(index, negated): (prop::sample::Index, bool)| {
                    Signal(index.index(circuit.end() as usize) as u32 * 2 + u32::from(negated))
                };
                circuit.gates.push(parts.into_iter().map(signal).collect());
            }
            // Every second gate is a legal move, from the second word on.
            let end = circuit.end();
            circuit.outputs = (11..end).step_by(2).map(Signal::of).zip(64..).collect();
            let refuted =
                refuted.into_iter().map(|index| Signal::of(1 + index.index(end as usize - 1) as u32).negated());
            let mut refuted: Vec<Signal> = refuted.collect();
            refuted.sort_unstable();
            refuted.dedup();
            circuit.gates.push(refuted);
            circuit.gates.push(vec![Signal::of(end).negated(), Signal::of(1)]);
            circuit.outputs.push((Signal((end + 1) << 1 | u32::from(negated)), 128));
            circuit
        })
    }

    proptest! {
        #[test]
        fn the_end_is_what_the_gates_say(circuit in circuits(), states in prop::collection::vec(0..1u32 << 11, 8)) {
            let read = vec![false; circuit.end() as usize];
            let Some((ending, rest, places)) = Ending::split(&circuit, 128, 64..128, &read) else { return Ok(()) };
            for facts in states {
                let mut values: Vec<bool> = (0..11).map(|fact| fact == 0 || facts >> fact & 1 == 1).collect();
                for parts in &circuit.gates {
                    let all = parts.iter().all(|part| values[part.atom() as usize] != part.is_negated());
                    values.push(all);
                }
                let value = |signal: Signal| values[signal.atom() as usize] != signal.is_negated();
                let mut holds = vec![2; rest.end() as usize];
                holds[0] = 1;
                for (&place, &value) in places.iter().zip(&values).filter(|(place, _)| **place < rest.end()) {
                    if place != 0 {
                        holds[place as usize] = u8::from(value);
                    }
                }
                let mut legal = [0];
                let outputs = circuit.outputs.iter().filter(|&&(_, bit)| bit < 128);
                outputs.for_each(|&(signal, bit)| legal[0] |= u64::from(value(signal)) << (bit - 64));
                let over = circuit.outputs.iter().find(|&&(_, bit)| bit == 128).is_some_and(|&(over, _)| value(over));
                prop_assert_eq!(ending.is_over(&holds, &legal), over);
            }
        }
    }
}
