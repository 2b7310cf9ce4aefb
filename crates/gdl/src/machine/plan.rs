//! Plans what the machine keeps up to date and what it computes on demand.
//!
//! A guard that most moves of a role share (that it is the role's turn) is removed from the gates, because its changes
//! would touch all of them in every step; it is evaluated together with the legal moves. Gates that only payoffs need
//! are computed when payoffs are requested.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::circuit::{Circuit, placed};
use super::effects::{Effects, Gates, work_out};
use super::ending::Ending;
use super::leaves::Leaf;
use super::tables::Tables;
use crate::{Network, Signal};

/// The legal moves of one role among the outputs.
#[derive(Clone, Debug)]
pub(crate) struct LegalSpan {
    /// Its words among those of legal moves.
    pub(crate) first_word: usize,
    pub(crate) words: usize,
    /// An additional condition for the moves in `guarded`.
    pub(crate) guard: Signal,
    pub(crate) guarded: Vec<u64>,
    /// The words that have other moves, with those moves.
    pub(crate) free: Vec<(u32, u64)>,
}

/// What a machine keeps up to date and what it computes on demand.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The gates that are kept up to date. Its inputs are the facts and moves, numbered as in the network; its outputs
    /// the next facts, then the legal moves without their guards, then the end.
    pub(super) circuit: Circuit,
    /// The gates that only payoffs need. Its outputs are the goals.
    pub(super) late: Circuit,
    /// By input of `late`, from 1 on: its number in `circuit`.
    pub(super) sources: Vec<u32>,
    /// One bit for each fact that stays as it is or flips, unless `effects` say otherwise: it has no output.
    pub(super) steady: Vec<u64>,
    /// One bit for each fact that flips, such as whose turn it is.
    pub(super) flipping: Vec<u64>,
    pub(super) legal: Vec<LegalSpan>,
    /// The words of outputs that are legal moves.
    pub(super) moves: Range<usize>,
    pub(super) terminal_bit: usize,
    /// The effects of moves, if one move decides every step: then the next facts among the outputs are the usual ones.
    pub(super) effects: Option<Effects>,
    /// What is evaluated to find out whether the match is over; if `None`, an output of the circuit says it.
    pub(super) ending: Option<Ending>,
    /// Gates that are looked up; what they say are inputs of `circuit`, after the moves.
    pub(super) tables: Tables,
}

impl Plan {
    pub(crate) fn new(network: &Network) -> Plan {
        let first_gate = network.first_gate();
        let mut gates = Gates::of(network);
        let mut word = network.words();
        let mut bit_of: Vec<(Signal, usize)> = Vec::new();
        let mut legal = Vec::new();
        for role in 0..network.roles() {
            let guard = guard(network, role);
            let words = network.moves(role).div_ceil(64);
            let mut span = LegalSpan {
                first_word: word - network.words(),
                words,
                guard,
                guarded: vec![0; words],
                free: Vec::new(),
            };
            let mut possible = vec![0; words];
            for (number, &signal) in network.legal(role).iter().enumerate() {
                possible[number / 64] |= u64::from(signal != Signal::FALSE) << (number % 64);
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
            let free = (0..words).map(|place| (place as u32, !span.guarded[place])).zip(possible);
            span.free = free.map(|((place, free), possible)| (place, free & possible)).collect();
            span.free.retain(|&(_, free)| free != 0);
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
        let mut steady = vec![0; network.words()];
        let mut flipping = vec![0; network.words()];
        let opposite = opposite(network);
        for (fact, &signal) in next.iter().enumerate() {
            let own = Signal::of(1 + fact as u32);
            if signal == own {
                steady[fact / 64] |= 1 << (fact % 64);
            } else if signal == own.negated() || opposite == Some((own, signal)) {
                steady[fact / 64] |= 1 << (fact % 64);
                flipping[fact / 64] |= 1 << (fact % 64);
            } else {
                bit_of.push((signal, fact));
            }
        }
        let all = Circuit { first_gate, gates: gates.list, ..Circuit::default() };
        // The guards of legal moves are read by number: they stay numbered, though they have no output.
        let (circuit, places) = all.part(&always, first_gate, &[], bit_of, terminal_bit / 64 + 1);
        let goals: Vec<(Signal, usize)> = network.goals().iter().map(|goal| goal.when).zip(0..).collect();
        let mut late = needed(first_gate, &all.gates, goals.iter().map(|&(signal, _)| signal).collect());
        late.iter_mut().zip(&always).for_each(|(late, &always)| *late &= !always);
        let words = goals.len().div_ceil(64);
        let (late, late_places) = all.part(&late, 1, &[], goals, words);
        let mut sources = vec![0; late.first_gate as usize - 1];
        for (number, &place) in late_places.iter().enumerate().skip(1) {
            if (1..late.first_gate).contains(&place) {
                sources[place as usize - 1] = places[number];
            }
        }
        for span in &mut legal {
            span.guard = placed(span.guard, &places);
        }
        let effects = effects.map(|effects| effects.renumbered(&places, circuit.end() + 1));
        Plan {
            circuit,
            late,
            sources,
            steady,
            flipping,
            legal,
            moves: network.words()..terminal_bit / 64,
            terminal_bit,
            effects,
            ending: None,
            tables: Tables::default(),
        }
    }

    /// The same plan with tables for groups of gates; `None` if there is no group worth one. `facts` is the number of
    /// facts.
    pub(super) fn with_tables(&self, facts: usize) -> Option<Plan> {
        let (tables, circuit, places) = Tables::split(&self.circuit, facts, &self.read())?;
        Some(Plan { tables, ..self.renumbered(circuit, &places) })
    }

    /// The same plan with the end of the match evaluated on demand; `None` if it is not worth it.
    pub(super) fn with_ending(&self) -> Option<Plan> {
        let moves = self.moves.start * 64..self.moves.end * 64;
        let (ending, circuit, places) = Ending::split(&self.circuit, self.terminal_bit, moves, &self.read())?;
        Some(Plan { ending: Some(ending), ..self.renumbered(circuit, &places) })
    }

    /// The same plan with leaves. Nothing else may follow.
    pub(super) fn with_leaves(&self) -> Plan {
        match Leaf::split(&self.circuit, self.moves.clone(), &self.read()) {
            Some((circuit, places)) => self.renumbered(circuit, &places),
            None => self.clone(),
        }
    }

    /// By number: whether something else than the circuit reads it.
    fn read(&self) -> Vec<bool> {
        let mut read = vec![false; self.circuit.end() as usize];
        let guards = self.legal.iter().map(|span| span.guard.atom());
        let ending = self.ending.iter().flat_map(Ending::reads);
        let others = self.sources.iter().copied().chain(guards).chain(ending);
        others.chain(self.effects.iter().flat_map(Effects::reads)).for_each(|number| read[number as usize] = true);
        read
    }

    /// The plan with another circuit, in which everything that is read has a new number.
    fn renumbered(&self, circuit: Circuit, places: &[u32]) -> Plan {
        let legal = self.legal.iter().map(|span| LegalSpan { guard: placed(span.guard, places), ..span.clone() });
        Plan {
            legal: legal.collect(),
            sources: self.sources.iter().map(|&number| places[number as usize]).collect(),
            effects: self.effects.as_ref().map(|effects| effects.renumbered(places, circuit.end() + 1)),
            ending: self.ending.as_ref().map(|ending| ending.renumbered(places, circuit.end())),
            circuit,
            ..self.clone()
        }
    }
}

/// If exactly one of two facts holds in every state, because one of two players is on turn: the second and the first.
fn opposite(network: &Network) -> Option<(Signal, Signal)> {
    let facts: Vec<u32> = network.turns()?.facts.iter().copied().filter(|&fact| fact != 0).collect();
    match facts[..] {
        [one, other] => Some((Signal::of(other), Signal::of(one))),
        _ => None,
    }
}

/// The parts of a positive gate; any other signal is its own only part.
fn own_parts(network: &Network, signal: Signal) -> Vec<Signal> {
    if signal.is_negated() || signal.atom() < network.first_gate() {
        return vec![signal];
    }
    network.gate(signal.atom()).to_vec()
}

/// The signal that most of a role's moves need, if there are more than a few such moves.
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
