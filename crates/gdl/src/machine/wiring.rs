//! Who must be told when a value changes.
//!
//! Every gate counts those of its parts that do not hold; it holds itself when none is left. A guard that most moves of a
//! role share (that it is the role's turn) is taken out of the gates, for its changes would touch all of them every
//! step; it is asked for with the legal moves.

use rustc_hash::FxHashMap;

use super::effects::{Effects, Gates, work_out};
use crate::{Network, Signal};

/// The legal moves of one role among the outputs.
#[derive(Clone, Debug)]
pub(crate) struct LegalSpan {
    /// The words of output bits.
    pub(crate) first_word: usize,
    pub(crate) words: usize,
    /// What must hold besides for the moves in `guarded`.
    pub(crate) guard: Signal,
    pub(crate) guarded: Vec<u64>,
}

/// The connections of a network.
#[derive(Clone, Debug)]
pub(crate) struct Wiring {
    /// One past the last number.
    pub(crate) end: u32,
    /// By number: where its listeners begin. A listener is a gate's number, doubled, plus 1 if it hears the negation.
    pub(crate) listener_starts: Vec<u32>,
    pub(crate) listeners: Vec<u32>,
    /// By number: where its outputs begin. An output is the number of a bit.
    pub(crate) output_starts: Vec<u32>,
    pub(crate) outputs: Vec<u32>,
    /// How many parts of each gate do not hold when no input does, by number.
    pub(crate) initial_missing: Vec<u32>,
    /// Does the number hold when no input does?
    pub(crate) initial_values: Vec<bool>,
    /// The output bits when no input holds.
    pub(crate) initial_outputs: Vec<u64>,
    pub(crate) legal: Vec<LegalSpan>,
    pub(crate) terminal_bit: usize,
    /// The gates that only payoffs need, with what they are: computed when they are asked for.
    pub(crate) late: Vec<(u32, Box<[Signal]>)>,
    /// What moves do, where one decides every step: then the next facts among the outputs are the usual ones.
    pub(crate) effects: Option<Effects>,
}

impl Wiring {
    pub(crate) fn new(network: &Network) -> Wiring {
        let first_gate = network.first_gate();
        let mut gates = Gates::of(network);
        let mut word = network.words();
        let mut bit_of: Vec<(Signal, usize)> = Vec::new();
        let mut legal = Vec::new();
        for role in 0..network.roles() {
            let guard = guard(network, role);
            let words = network.moves(role).div_ceil(64);
            let mut span = LegalSpan { first_word: word, words, guard, guarded: vec![0; words] };
            for (number, &signal) in network.legal(role).iter().enumerate() {
                let mut signal = signal;
                let parts = own_parts(network, signal);
                if guard != Signal::TRUE && (signal == guard || parts.contains(&guard)) {
                    span.guarded[number / 64] |= 1 << (number % 64);
                    let rest: Vec<Signal> = parts.iter().copied().filter(|&part| part != guard).collect();
                    signal = gates.all(rest);
                }
                bit_of.push((signal, word * 64 + number));
            }
            word += words;
            legal.push(span);
        }
        let terminal_bit = word * 64;
        bit_of.push((network.terminal(), terminal_bit));
        let made = gates.end();
        let worked = work_out(network, &mut gates);
        let guards: Vec<Signal> = legal.iter().map(|span: &LegalSpan| span.guard).collect();
        let always = |gates: &Gates, next: &[Signal]| {
            let wanted = bit_of.iter().map(|&(signal, _)| signal).chain(guards.iter().copied());
            needed(first_gate, &gates.list, wanted.chain(next.iter().copied()).collect())
        };
        let effects = worked.and_then(|worked| {
            let kept = always(&gates, &worked.usual);
            worked.compile(&mut gates, made, &kept)
        });
        let (effects, next) = match effects {
            Some((effects, usual)) => (Some(effects), usual),
            None => {
                gates.forget_from(made);
                (None, network.next().to_vec())
            }
        };
        let always = always(&gates, &next);
        bit_of.extend(next.iter().enumerate().map(|(fact, &signal)| (signal, fact)));
        let late = needed(first_gate, &gates.list, network.goals().iter().map(|goal| goal.when).collect());
        Wiring { effects, ..Wiring::connect(first_gate, &gates.list, &always, &late, &bit_of, legal, terminal_bit) }
    }

    #[allow(clippy::too_many_arguments)]
    fn connect(
        first_gate: u32,
        gates: &[Vec<Signal>],
        always: &[bool],
        late: &[bool],
        bit_of: &[(Signal, usize)],
        legal: Vec<LegalSpan>,
        terminal_bit: usize,
    ) -> Wiring {
        let end = first_gate + gates.len() as u32;
        let numbered = |index: usize| first_gate + index as u32;
        let mut values = vec![false; end as usize];
        values[0] = true;
        let mut missing = vec![0; end as usize];
        let mut heard: Vec<(u32, u32)> = Vec::new();
        let mut late_gates = Vec::new();
        for (index, gate) in gates.iter().enumerate() {
            let number = numbered(index);
            if always[number as usize] {
                heard.extend(gate.iter().map(|part| (part.atom(), number << 1 | u32::from(part.is_negated()))));
                let holds = |part: &&Signal| values[part.atom() as usize] != part.is_negated();
                missing[number as usize] = (gate.len() - gate.iter().filter(holds).count()) as u32;
                values[number as usize] = missing[number as usize] == 0;
            } else if late[number as usize] {
                late_gates.push((number, gate.clone().into_boxed_slice()));
            }
        }
        let (listener_starts, listeners) = by_number(end, heard);
        let mut outputs = vec![0u64; terminal_bit / 64 + 1];
        for &(signal, bit) in bit_of {
            if values[signal.atom() as usize] != signal.is_negated() {
                outputs[bit / 64] |= 1 << (bit % 64);
            }
        }
        let shown = bit_of.iter().map(|&(signal, bit)| (signal.atom(), bit as u32)).collect();
        let (output_starts, output_bits) = by_number(end, shown);
        Wiring {
            end,
            listener_starts,
            listeners,
            output_starts,
            outputs: output_bits,
            initial_missing: missing,
            initial_values: values,
            initial_outputs: outputs,
            legal,
            terminal_bit,
            late: late_gates,
            effects: None,
        }
    }
}

/// The parts of a positive gate; a signal that is none is its own only part.
fn own_parts(network: &Network, signal: Signal) -> Vec<Signal> {
    if signal.is_negated() || signal.atom() < network.first_gate() {
        return vec![signal];
    }
    network.gate(signal.atom()).to_vec()
}

/// The signal that most of a role's moves need, if it is more than a few.
fn guard(network: &Network, role: usize) -> Signal {
    let mut counts: FxHashMap<Signal, usize> = FxHashMap::default();
    for &legal in network.legal(role) {
        own_parts(network, legal).into_iter().for_each(|part| *counts.entry(part).or_default() += 1);
    }
    counts.remove(&Signal::TRUE);
    counts.remove(&Signal::FALSE);
    let best = counts.into_iter().map(|(signal, count)| (count, std::cmp::Reverse(signal))).max();
    match best {
        Some((3.., std::cmp::Reverse(signal))) => signal,
        _ => Signal::TRUE,
    }
}

fn needed(first_gate: u32, gates: &[Vec<Signal>], wanted: Vec<Signal>) -> Vec<bool> {
    let mut needed = vec![false; first_gate as usize + gates.len()];
    let mut open: Vec<u32> = wanted.into_iter().map(Signal::atom).collect();
    while let Some(number) = open.pop() {
        if !std::mem::replace(&mut needed[number as usize], true) && number >= first_gate {
            open.extend(gates[(number - first_gate) as usize].iter().map(|part| part.atom()));
        }
    }
    needed
}

/// Pairs sorted by their first number: where those of each begin, and the second numbers.
fn by_number(end: u32, mut pairs: Vec<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    pairs.sort_unstable();
    let mut starts = vec![0u32; end as usize + 1];
    pairs.iter().for_each(|&(number, _)| starts[number as usize + 1] += 1);
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    (starts, pairs.into_iter().map(|(_, second)| second).collect())
}
