//! Turn detection: finds facts, one per role, of which exactly one holds in every state and without which the role has
//! no choice.
//!
//! The proof is by induction. Exactly one of the facts holds initially. If exactly one holds and nothing is known about
//! all other facts, three-valued evaluation (true, false or unknown, gate by gate) shows that exactly one holds next.
//! Where it depends on the state whether the turn passes on, as after a jump in draughts, the conditions of two such
//! facts must be each other's negation (`Remainder`).

use rustc_hash::FxHashMap;

use crate::network::build::Outputs;
use crate::network::graph::Graph;
use crate::{Ground, Signal};

/// Turns that were proved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    /// By role: the number of the fact that says it is the role's turn; 0 for a role that never has one.
    pub(crate) facts: Vec<u32>,
    /// By number: whether it is a move that a role can make only in its turn.
    pub(crate) moves: Vec<bool>,
    /// The number of such moves.
    pub(crate) count: usize,
    /// Whether a role in its turn always makes such a move. Otherwise it may pass, as in Reversi.
    pub(crate) strict: bool,
}

/// The turns of a game, if they can be proved. `implied` is what each move's legality implies.
pub(crate) fn find(graph: &Graph, outputs: &Outputs, ground: &Ground, implied: &[Box<[Signal]>]) -> Option<Turns> {
    let first_move = &graph.knowledge.first_move;
    let mut turns = Turns {
        facts: vec![0; outputs.legal.len()],
        moves: vec![false; graph.first_gate() as usize],
        count: 0,
        strict: true,
    };
    let of_role = |role: usize| {
        let before = (first_move[role] - first_move[0]) as usize;
        outputs.legal[role]
            .iter()
            .zip(&implied[before..])
            .enumerate()
            .filter(|(_, (legal, _))| **legal != Signal::FALSE)
    };
    for (role, &first) in first_move[..outputs.legal.len()].iter().enumerate() {
        if of_role(role).count() < 2 {
            continue;
        }
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        for (_, (_, implied)) in of_role(role) {
            let facts = implied.iter().filter(|signal| !signal.is_negated());
            let facts = facts.map(|signal| signal.atom()).filter(|&number| number as usize <= ground.facts.len());
            facts.for_each(|fact| *counts.entry(fact).or_default() += 1);
        }
        let best = counts.into_iter().map(|(fact, count)| (count, std::cmp::Reverse(fact))).max();
        let (_, std::cmp::Reverse(fact)) = best?;
        if turns.facts.contains(&fact) {
            return None;
        }
        turns.facts[role] = fact;
        for (number, (_, implied)) in of_role(role) {
            if implied.binary_search(&Signal::of(fact)).is_ok() {
                turns.moves[first as usize + number] = true;
                turns.count += 1;
            }
        }
    }
    let facts: Vec<u32> = turns.facts.iter().copied().filter(|&fact| fact != 0).collect();
    let at_first = facts.iter().filter(|&&fact| ground.initial[fact as usize - 1]).count();
    if facts.len() < 2 || at_first != 1 {
        return None;
    }
    let mut strict = true;
    for (role, &fact) in turns.facts.iter().enumerate().filter(|&(_, &fact)| fact != 0) {
        let told = Told::new(graph, outputs, &facts, fact);
        let next_of = |&fact: &u32| outputs.next[fact as usize - 1];
        let next: Vec<Option<bool>> = facts.iter().map(|fact| told.value(next_of(fact))).collect();
        let known = next.iter().all(Option::is_some) && next.iter().filter(|&&next| next == Some(true)).count() == 1;
        if !known && !Remainder::new(graph, &told).are_opposite(&facts.iter().map(next_of).collect::<Vec<_>>()) {
            return None;
        }
        let others = outputs.legal[role].iter().enumerate();
        let mut others = others.filter(|&(number, _)| !turns.moves[first_move[role] as usize + number]);
        strict &= others.all(|(_, &legal)| told.value(legal) == Some(false));
    }
    Some(Turns { strict, ..turns })
}

/// Three-valued knowledge of every number.
struct Told {
    values: Vec<Option<bool>>,
}

impl Told {
    /// One of `facts` holds, the others do not, everything else is unknown.
    fn new(graph: &Graph, outputs: &Outputs, facts: &[u32], holding: u32) -> Told {
        let mut told = Told { values: vec![None; graph.end() as usize] };
        told.values[0] = Some(true);
        facts.iter().for_each(|&fact| told.values[fact as usize] = Some(fact == holding));
        told.spread(graph);
        for (role, legal) in outputs.legal.iter().enumerate() {
            let first = graph.knowledge.first_move[role] as usize;
            let possible: Vec<usize> =
                (0..legal.len()).filter(|&number| told.value(legal[number]) != Some(false)).collect();
            told.values[first..first + legal.len()].fill(Some(false));
            for &number in &possible {
                told.values[first + number] = if possible.len() == 1 { Some(true) } else { None };
            }
        }
        told.spread(graph);
        told
    }

    fn spread(&mut self, graph: &Graph) {
        for gate in graph.first_gate()..graph.end() {
            let mut value = Some(true);
            for &part in graph.gate(gate) {
                match self.value(part) {
                    Some(true) => {}
                    Some(false) => {
                        value = Some(false);
                        break;
                    }
                    None => value = None,
                }
            }
            self.values[gate as usize] = value;
        }
    }

    fn value(&self, signal: Signal) -> Option<bool> {
        self.values[signal.atom() as usize].map(|value| value != signal.is_negated())
    }
}

/// What remains of every gate when everything known is put in.
struct Remainder {
    /// By number.
    signals: Vec<Signal>,
}

impl Remainder {
    fn new(graph: &Graph, told: &Told) -> Remainder {
        let mut signals: Vec<Signal> = Vec::with_capacity(graph.end() as usize);
        let mut known: FxHashMap<Vec<Signal>, Signal> = FxHashMap::default();
        for number in 0..graph.end() {
            let signal = match told.values[number as usize] {
                Some(true) => Signal::TRUE,
                Some(false) => Signal::FALSE,
                None if number < graph.first_gate() => Signal::of(number),
                None => {
                    // No part is known to be false, or the gate would be.
                    let parts = graph.gate(number).iter().map(|&part| resolved(&signals, part));
                    let mut parts: Vec<Signal> = parts.filter(|&part| part != Signal::TRUE).collect();
                    parts.sort_unstable();
                    parts.dedup();
                    match parts[..] {
                        [only] => only,
                        _ => *known.entry(parts).or_insert(Signal::of(number)),
                    }
                }
            };
            signals.push(signal);
        }
        Remainder { signals }
    }

    /// Whether there are two signals, one the negation of the other.
    fn are_opposite(&self, signals: &[Signal]) -> bool {
        matches!(signals, [one, other] if resolved(&self.signals, *one) == resolved(&self.signals, *other).negated())
    }
}

fn resolved(signals: &[Signal], signal: Signal) -> Signal {
    let known = signals[signal.atom() as usize];
    if signal.is_negated() { known.negated() } else { known }
}
