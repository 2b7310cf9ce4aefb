//! The end of the match, evaluated on demand.
//!
//! A sheet may say that the match is over when a player has no legal move. Kept up to date, such a condition costs more
//! than the moves; evaluated from the top, the first move that is found answers it.

use super::circuit::{Circuit, placed};
use crate::Signal;

/// With fewer gates than this, keeping them up to date costs little.
const FEWEST_GATES: usize = 8;

/// A gate that several others need is evaluated for each of them. With more evaluations than this the condition is kept
/// up to date.
const MOST_EVALUATIONS: usize = 4_000;

/// A gate with fewer parts than this looks at them in order.
const FEWEST_HINTED: usize = 8;

/// Gates that only the end needs.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    /// The first number that is one of these gates; smaller ones are kept up to date.
    first: u32,
    gates: Vec<Vec<Signal>>,
    over: Signal,
}

impl Ending {
    /// Takes the gates out of a circuit that only the output `bit` needs. `read` says by number what else is read.
    /// Returns them, the circuit that remains, and the new number of everything in it. `None` if it is not worth it.
    pub(super) fn split(circuit: &Circuit, bit: usize, read: &[bool]) -> Option<(Ending, Circuit, Vec<u32>)> {
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
        if gates.len() < FEWEST_GATES || !is_own(over.atom()) || evaluations[over.atom() as usize] > MOST_EVALUATIONS {
            return None;
        }
        let mut local = places.clone();
        gates.iter().zip(rest.end()..).for_each(|(&gate, number)| local[gate as usize] = number);
        let gates = gates.iter().map(|&gate| {
            let mut own: Vec<Signal> = parts(gate).iter().map(|&part| placed(part, &local)).collect();
            // What is known at once is looked at first.
            own.sort_by_key(|part| part.atom() >= rest.end());
            own
        });
        let ending = Ending { first: rest.end(), gates: gates.collect(), over: placed(over, &local) };
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
        Ending { first: end, gates: gates.collect(), over: place(self.over) }
    }

    /// For each gate, which part to look at first: none is known yet.
    pub(super) fn hints(&self) -> Vec<u32> {
        vec![0; self.gates.len()]
    }

    /// The same as `is_over`. A gate with many parts first looks at the one that decided it last time: the piece that
    /// could move then can often move again.
    #[inline(always)]
    pub(super) fn is_over_now(&self, holds: &[u8], hints: &mut [u32]) -> bool {
        self.hinted(self.over, holds, hints)
    }

    fn hinted(&self, signal: Signal, holds: &[u8], hints: &mut [u32]) -> bool {
        let held = match signal.atom().checked_sub(self.first) {
            Some(gate) => match &self.gates[gate as usize][..] {
                parts @ [first, ..] if parts.len() >= FEWEST_HINTED => {
                    let hint = hints[gate as usize];
                    self.hinted(*first, holds, hints) && self.hinted(parts[hint as usize], holds, hints) && {
                        let failing = parts.iter().position(|&part| !self.hinted(part, holds, hints));
                        hints[gate as usize] = failing.map_or(hint, |part| part as u32);
                        failing.is_none()
                    }
                }
                parts => parts.iter().all(|&part| self.hinted(part, holds, hints)),
            },
            None => holds[signal.atom() as usize] == 1,
        };
        held != signal.is_negated()
    }

    /// Whether the match is over, given the values that are kept up to date.
    pub(super) fn is_over(&self, holds: &[u8]) -> bool {
        self.value(self.over, holds)
    }

    fn value(&self, signal: Signal, holds: &[u8]) -> bool {
        let held = match signal.atom().checked_sub(self.first) {
            Some(gate) => self.gates[gate as usize].iter().all(|&part| self.value(part, holds)),
            None => holds[signal.atom() as usize] == 1,
        };
        held != signal.is_negated()
    }
}
