//! Makes a network smaller without changing its outputs in any reachable state.
//!
//! Each pass copies the needed gates into a new graph that knows more than the last one: what a move's legality
//! implies, which facts never change. Passes repeat until one gains nothing.

use crate::network::build::Outputs;
use crate::network::graph::{Graph, Knowledge};
use crate::network::turn::{self, Turns};
use crate::{Ground, Signal};

/// More passes than this have not helped in any sheet.
const MOST_PASSES: usize = 8;

/// Simplifies a network.
pub(crate) fn simplify(graph: Graph, outputs: Outputs, ground: &Ground) -> (Graph, Outputs, Option<Turns>) {
    let (mut graph, mut outputs) = (graph, outputs);
    let mut constant: Vec<Option<bool>> = vec![None; ground.facts.len() + 1];
    let mut size = usize::MAX;
    for _ in 0..MOST_PASSES {
        let known = find_constants(&outputs, ground, &mut constant);
        let mut knowledge = knowledge(&graph, &outputs);
        if knowledge.turns.is_none() {
            // Only turns in which nobody can pass imply that some move bound to a turn is always made.
            let found = turn::find(&graph, &outputs, ground, &knowledge.implied);
            knowledge.turns = found.filter(|turns| turns.strict);
        }
        let (smaller, new_outputs) = copy(&graph, &outputs, knowledge, &constant);
        (graph, outputs) = (smaller, new_outputs);
        let new_size = weight(&graph, &outputs);
        if new_size >= size && !known {
            break;
        }
        size = size.min(new_size);
    }
    let known = graph.knowledge.turns.clone();
    let turns = known.or_else(|| turn::find(&graph, &outputs, ground, &knowledge(&graph, &outputs).implied));
    (graph, outputs, turns)
}

/// The number of gate inputs that the outputs depend on.
pub(crate) fn weight(graph: &Graph, outputs: &Outputs) -> usize {
    let needed = needed(graph, outputs.signals());
    (graph.first_gate()..graph.end()).filter(|&gate| needed[gate as usize]).map(|gate| graph.gate(gate).len()).sum()
}

/// The numbers that some signals depend on.
pub(crate) fn needed(graph: &Graph, signals: impl Iterator<Item = Signal>) -> Vec<bool> {
    let mut needed = vec![false; graph.end() as usize];
    signals.for_each(|signal| needed[signal.atom() as usize] = true);
    for gate in (graph.first_gate()..graph.end()).rev() {
        if needed[gate as usize] {
            graph.gate(gate).iter().for_each(|signal| needed[signal.atom() as usize] = true);
        }
    }
    needed
}

/// Finds facts that hold initially and in every next state, or never. Returns whether there are new ones.
fn find_constants(outputs: &Outputs, ground: &Ground, constant: &mut [Option<bool>]) -> bool {
    let mut found = false;
    for (fact, &next) in outputs.next.iter().enumerate() {
        let initial = ground.initial[fact];
        let same =
            next == if initial { Signal::TRUE } else { Signal::FALSE } || next == Signal::of(ground.fact_atom(fact));
        if same && constant[fact + 1].is_none() {
            constant[fact + 1] = Some(initial);
            found = true;
        }
    }
    found
}

/// What the legality of each move implies.
fn knowledge(graph: &Graph, outputs: &Outputs) -> Knowledge {
    let mut implied = Vec::new();
    for &legal in outputs.legal.iter().flatten() {
        let mut all = Vec::new();
        let mut open = vec![legal];
        while let Some(signal) = open.pop() {
            if all.len() < 64 && signal != Signal::TRUE && !all.contains(&signal) {
                all.push(signal);
                if !signal.is_negated() {
                    open.extend_from_slice(graph.gate(signal.atom()));
                }
            }
        }
        all.sort_unstable();
        implied.push(all.into_boxed_slice());
    }
    let mut impossible = vec![false; graph.first_gate() as usize];
    let first = graph.knowledge.first_move.first().map_or(impossible.len(), |&first| first as usize);
    for (impossible, &legal) in impossible[first..].iter_mut().zip(outputs.legal.iter().flatten()) {
        *impossible = legal == Signal::FALSE;
    }
    Knowledge { implied, impossible, ..graph.knowledge.clone() }
}

/// Rebuilds the gates that the outputs depend on.
fn copy(graph: &Graph, outputs: &Outputs, knowledge: Knowledge, constant: &[Option<bool>]) -> (Graph, Outputs) {
    let needed = needed(graph, outputs.signals());
    let mut uses = vec![0u32; graph.end() as usize];
    outputs.signals().for_each(|signal| uses[signal.atom() as usize] += 1);
    for gate in graph.first_gate()..graph.end() {
        if needed[gate as usize] {
            graph.gate(gate).iter().for_each(|signal| uses[signal.atom() as usize] += 1);
        }
    }
    let mut new = Graph::new(graph.first_gate(), Knowledge { implied: Vec::new(), ..knowledge.clone() });
    let mut places: Vec<Signal> = (0..graph.first_gate()).map(Signal::of).collect();
    for (place, constant) in places.iter_mut().zip(constant) {
        match constant {
            Some(true) => *place = Signal::TRUE,
            Some(false) => *place = Signal::FALSE,
            None => {}
        }
    }
    places.resize(graph.end() as usize, Signal::FALSE);
    if let Some(turns) = &knowledge.turns {
        let facts: Vec<u32> = turns.facts.iter().copied().filter(|&fact| fact != 0).collect();
        if let [one, other] = facts[..] {
            places[other as usize] = Signal::of(one).negated();
        }
    }
    for (role, legal) in outputs.legal.iter().enumerate() {
        let first = knowledge.first_move[role] as usize;
        let possible = legal.iter().filter(|&&legal| legal != Signal::FALSE).count();
        for (place, &legal) in places[first..].iter_mut().zip(legal) {
            if legal == Signal::FALSE {
                *place = Signal::FALSE;
            } else if possible == 1 {
                *place = Signal::TRUE;
            }
        }
    }
    // First the gates that need no move, so that legality is known in the new graph's numbers before it is used.
    let depends = depends_on_moves(graph);
    for with_moves in [false, true] {
        if with_moves {
            new.knowledge.implied = translate(&knowledge, &places);
        }
        for gate in graph.first_gate()..graph.end() {
            if !needed[gate as usize] || depends[gate as usize] != with_moves {
                continue;
            }
            let mut flat = Vec::new();
            flatten(graph, gate, &uses, &mut flat);
            let parts: Vec<Signal> = flat.iter().map(|&signal| placed(&places, signal)).collect();
            places[gate as usize] = if is_disjunction(&flat, graph, &uses) {
                let terms = flat.iter().zip(&parts).map(|(&old, &part)| {
                    let single = old.is_negated() && uses[old.atom() as usize] == 1;
                    let inner = if single && part.is_negated() { new.gate(part.atom()) } else { &[] };
                    if inner.is_empty() { vec![part.negated()] } else { inner.to_vec() }
                });
                let terms = terms.collect();
                new.any_of_all(terms).negated()
            } else {
                new.all(&parts)
            };
        }
    }
    let outputs = outputs.map(|signal| placed(&places, signal));
    (new, outputs)
}

/// The parts of a gate, where gates that only it uses are replaced by their parts.
fn flatten(graph: &Graph, gate: u32, uses: &[u32], flat: &mut Vec<Signal>) {
    for &signal in graph.gate(gate) {
        let inner = !signal.is_negated() && signal.atom() >= graph.first_gate() && uses[signal.atom() as usize] == 1;
        if inner {
            flatten(graph, signal.atom(), uses, flat);
        } else {
            flat.push(signal);
        }
    }
}

/// Whether a conjunction is better seen as a negated disjunction of conjunctions that nothing else uses.
fn is_disjunction(parts: &[Signal], graph: &Graph, uses: &[u32]) -> bool {
    let inner = |signal: &&Signal| {
        signal.is_negated() && signal.atom() >= graph.first_gate() && uses[signal.atom() as usize] == 1
    };
    parts.len() > 1 && parts.iter().filter(inner).count() > 1
}

/// The numbers that depend on a move.
pub(crate) fn depends_on_moves(graph: &Graph) -> Vec<bool> {
    let mut depends = vec![false; graph.end() as usize];
    if let (Some(&first), Some(&last)) = (graph.knowledge.first_move.first(), graph.knowledge.first_move.last()) {
        depends[first as usize..last as usize].fill(true);
    }
    for gate in graph.first_gate()..graph.end() {
        depends[gate as usize] = graph.gate(gate).iter().any(|signal| depends[signal.atom() as usize]);
    }
    depends
}

/// What legality implies, in the signals of a new graph.
fn translate(knowledge: &Knowledge, places: &[Signal]) -> Vec<Box<[Signal]>> {
    let all = knowledge.implied.iter().map(|implied| {
        let mut new: Vec<Signal> = implied.iter().map(|&signal| placed(places, signal)).collect();
        new.retain(|signal| signal.atom() != 0);
        new.sort_unstable();
        new.dedup();
        new.into_boxed_slice()
    });
    all.collect()
}

fn placed(places: &[Signal], signal: Signal) -> Signal {
    let known = places[signal.atom() as usize];
    if signal.is_negated() { known.negated() } else { known }
}
