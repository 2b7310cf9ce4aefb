//! Pairs: two signals that many gates have in common become a gate of their own.
//!
//! A jump in draughts needs an enemy's piece and an empty square behind it; hundreds of double and triple jumps contain
//! it. With a gate for the pair, a change of the square notifies one gate instead of all of them, and the pair itself
//! changes rarely.

use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::circuit::Circuit;
use super::values::Heat;
use crate::Signal;

/// Gates with more parts than this have no pairs: they have too many.
const MOST_PARTS: usize = 12;

/// With more gates than this it would take too long.
const MOST_GATES: usize = 20_000;

/// A pair that fewer gates have is not worth a gate.
const FEWEST_GATES: usize = 4;

type Pair = (Signal, Signal);

/// Gates whose pairs are counted.
struct Pairs<'a> {
    gates: Vec<Vec<Signal>>,
    first_gate: u32,
    heat: Vec<u64>,
    users: FxHashMap<Pair, FxHashSet<u32>>,
    best: BinaryHeap<(u64, Pair)>,
    circuit: &'a Circuit,
}

/// The circuit with gates for pairs, and the new number of everything in the old one. `None` if there is no pair worth
/// a gate.
pub(super) fn shared(circuit: &Circuit, heat: &Heat) -> Option<(Circuit, Vec<u32>)> {
    if circuit.gates.len() > MOST_GATES {
        return None;
    }
    let mut pairs = Pairs {
        gates: circuit.gates.clone(),
        first_gate: circuit.first_gate,
        heat: heat.changes.iter().map(|&changes| u64::from(changes)).collect(),
        users: FxHashMap::default(),
        best: BinaryHeap::new(),
        circuit,
    };
    pairs.heat.truncate(circuit.end() as usize);
    for gate in 0..circuit.gates.len() as u32 {
        pairs.count(gate, None);
    }
    let all: Vec<Pair> = pairs.users.keys().copied().collect();
    all.into_iter().for_each(|pair| pairs.rate(pair));
    while let Some((gain, pair)) = pairs.best.pop() {
        // A pair that has lost users since it was rated was rated again.
        if gain == pairs.gain(pair) {
            pairs.extract(pair);
        }
    }
    (pairs.gates.len() > circuit.gates.len()).then(|| pairs.ordered())
}

impl Pairs<'_> {
    /// Counts the pairs of a gate, or only those with a given signal.
    fn count(&mut self, gate: u32, only: Option<Signal>) {
        let parts = self.gates[gate as usize].clone();
        if parts.len() > MOST_PARTS {
            return;
        }
        for pair in pairs_of(&parts, only) {
            self.users.entry(pair).or_default().insert(gate);
        }
    }

    /// How many notifications a gate for the pair saves, about.
    fn gain(&self, pair: Pair) -> u64 {
        let users = self.users.get(&pair).map_or(0, FxHashSet::len) as u64;
        if users < FEWEST_GATES as u64 {
            return 0;
        }
        let (one, other) = (self.heat[pair.0.atom() as usize], self.heat[pair.1.atom() as usize]);
        // A gate costs as much as three notifications each time a part changes.
        ((users - 1) * (one + other)).saturating_sub(users * one.min(other) / 2 + 3 * (one + other))
    }

    fn rate(&mut self, pair: Pair) {
        let gain = self.gain(pair);
        if gain > 0 {
            self.best.push((gain, pair));
        }
    }

    /// Replaces a pair by a gate.
    fn extract(&mut self, pair: Pair) {
        let number = self.first_gate + self.gates.len() as u32;
        let mut users: Vec<u32> = self.users.remove(&pair).unwrap_or_default().into_iter().collect();
        users.sort_unstable();
        self.gates.push(vec![pair.0, pair.1]);
        self.heat.push(self.heat[pair.0.atom() as usize].min(self.heat[pair.1.atom() as usize]) / 2);
        let mut touched = FxHashSet::default();
        for gate in users {
            let parts = self.gates[gate as usize].clone();
            for signal in [pair.0, pair.1] {
                for other in pairs_of(&parts, Some(signal)) {
                    if let Some(users) = self.users.get_mut(&other) {
                        users.remove(&gate);
                        touched.insert(other);
                    }
                }
            }
            let rest = &mut self.gates[gate as usize];
            rest.retain(|&part| part != pair.0 && part != pair.1);
            rest.push(Signal::of(number));
            self.count(gate, Some(Signal::of(number)));
            touched.extend(pairs_of(&self.gates[gate as usize], Some(Signal::of(number))));
        }
        let mut touched: Vec<Pair> = touched.into_iter().collect();
        touched.sort_unstable();
        touched.into_iter().for_each(|pair| self.rate(pair));
    }

    /// The gates in an order in which each follows its parts, and the new numbers.
    fn ordered(self) -> (Circuit, Vec<u32>) {
        let Pairs { gates, first_gate, circuit, .. } = self;
        let mut places: Vec<u32> = (0..first_gate + gates.len() as u32).collect();
        let mut placed = vec![false; gates.len()];
        let mut order: Vec<u32> = Vec::with_capacity(gates.len());
        let mut open: Vec<u32> = (0..gates.len() as u32).rev().collect();
        while let Some(&gate) = open.last() {
            let waiting = gates[gate as usize].iter().filter_map(|part| part.atom().checked_sub(first_gate));
            let before = open.len();
            if !placed[gate as usize] {
                open.extend(waiting.filter(|&part| !placed[part as usize]));
            }
            if open.len() == before {
                open.pop();
                if !std::mem::replace(&mut placed[gate as usize], true) {
                    places[(first_gate + gate) as usize] = first_gate + order.len() as u32;
                    order.push(gate);
                }
            }
        }
        let place = |signal: Signal| super::circuit::placed(signal, &places);
        let new = Circuit {
            first_gate,
            gates: order.iter().map(|&gate| gates[gate as usize].iter().map(|&part| place(part)).collect()).collect(),
            outputs: circuit.outputs.iter().map(|&(signal, bit)| (place(signal), bit)).collect(),
            leaves: Vec::new(),
            words: circuit.words,
        };
        (new, places)
    }
}

/// The pairs of a gate's parts, or only those with a given signal, the smaller signal first.
fn pairs_of(parts: &[Signal], only: Option<Signal>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (place, &one) in parts.iter().enumerate() {
        for &other in &parts[place + 1..] {
            if only.is_none_or(|only| one == only || other == only) {
                pairs.push((one.min(other), one.max(other)));
            }
        }
    }
    pairs
}
