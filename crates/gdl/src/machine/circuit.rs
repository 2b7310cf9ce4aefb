//! Gates that are kept up to date together, before they are numbered for speed.

use std::ops::Range;

use super::leaves::Leaf;
use crate::Signal;

/// Gates, each a conjunction, with the signals that are read from them.
///
/// Numbers are the constant 0, then the inputs, then the gates, each after those it depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Circuit {
    /// The first number that is a gate.
    pub(super) first_gate: u32,
    pub(super) gates: Vec<Vec<Signal>>,
    /// The signals that are read, each with its bit among the outputs.
    pub(super) outputs: Vec<(Signal, usize)>,
    /// Conjunctions that are outputs and nothing else. They have no numbers.
    pub(super) leaves: Vec<Leaf>,
    /// The words of outputs that may have leaves.
    pub(super) leaf_words: Range<usize>,
    /// The number of words of outputs.
    pub(super) words: usize,
}

impl Circuit {
    /// One past the last number.
    pub(super) fn end(&self) -> u32 {
        self.first_gate + self.gates.len() as u32
    }

    /// By gate: its depth, at least 1.
    pub(super) fn levels(&self) -> Vec<u32> {
        let mut levels: Vec<u32> = Vec::with_capacity(self.gates.len());
        for parts in &self.gates {
            let gates = parts.iter().filter_map(|part| part.atom().checked_sub(self.first_gate));
            let deepest = gates.map(|gate| levels[gate as usize]).max().unwrap_or(0);
            levels.push(deepest + 1);
        }
        levels
    }

    /// By number: how many gates have it as a part. Leaves do not count.
    pub(super) fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.end() as usize];
        self.gates.iter().flatten().for_each(|part| uses[part.atom() as usize] += 1);
        uses
    }

    /// Of the gates in `kept` (by number), keeps those that the outputs or others (`read`) need through kept gates.
    /// There must be no leaves.
    pub(super) fn keep_needed(&self, kept: &mut [bool], read: &[bool]) {
        let mut needed = read.to_vec();
        self.outputs.iter().for_each(|(signal, _)| needed[signal.atom() as usize] = true);
        for number in (self.first_gate..self.end()).rev() {
            kept[number as usize] &= needed[number as usize];
            if kept[number as usize] {
                let parts = &self.gates[(number - self.first_gate) as usize];
                parts.iter().for_each(|part| needed[part.atom() as usize] = true);
            }
        }
    }

    /// The part of the circuit that `wanted` selects by number, with the new number of everything it contains.
    ///
    /// Selected gates stay gates. Whatever else they, the outputs and others (`read`, by number) need becomes an input.
    /// Numbers below `fixed` stay what they are.
    pub(super) fn part(
        &self,
        wanted: &[bool],
        fixed: u32,
        read: &[bool],
        outputs: Vec<(Signal, usize)>,
        words: usize,
    ) -> (Circuit, Vec<u32>) {
        let is_gate = |number: u32| number >= self.first_gate && wanted[number as usize];
        let mut needed = read.to_vec();
        needed.resize(self.end() as usize, false);
        needed[..fixed as usize].fill(true);
        let kept = (self.first_gate..self.end()).filter(|&number| is_gate(number));
        let parts = kept.clone().flat_map(|number| &self.gates[(number - self.first_gate) as usize]);
        let signals = parts.copied().chain(outputs.iter().map(|&(signal, _)| signal));
        signals.for_each(|signal| needed[signal.atom() as usize] = true);
        needed[0] = true;
        let inputs: Vec<u32> = (0..self.end()).filter(|&number| needed[number as usize] && !is_gate(number)).collect();
        let first_gate = inputs.len() as u32;
        let mut places = vec![0; self.end() as usize];
        inputs.into_iter().chain(kept.clone()).zip(0..).for_each(|(number, new)| places[number as usize] = new);
        let placed = |signal: Signal| placed(signal, &places);
        let gates = kept
            .map(|number| self.gates[(number - self.first_gate) as usize].iter().map(|&part| placed(part)).collect())
            .collect();
        let outputs = outputs.into_iter().map(|(signal, bit)| (placed(signal), bit)).collect();
        (Circuit { first_gate, gates, outputs, words, ..Circuit::default() }, places)
    }
}

/// A signal with its number replaced.
pub(super) fn placed(signal: Signal, places: &[u32]) -> Signal {
    Signal(places[signal.atom() as usize] << 1 | u32::from(signal.is_negated()))
}
