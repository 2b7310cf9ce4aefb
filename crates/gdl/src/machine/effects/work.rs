//! Works out what each deciding move does, before any match.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Network, Signal};

/// With more work than this, moves are propagated instead: some seconds, reached by chess-like sheets only.
const MOST_WORK: usize = 60_000_000;

/// With more new gates than this per move, there will certainly be too many conditions.
const MOST_GATES_A_MOVE: u32 = 600;

/// Gates that are added while effects are worked out; equal gates are shared.
pub(in crate::machine) struct Gates {
    pub(super) first: u32,
    pub(in crate::machine) list: Vec<Vec<Signal>>,
    known: FxHashMap<Vec<Signal>, u32>,
}

impl Gates {
    pub(in crate::machine) fn of(network: &Network) -> Gates {
        let first = network.first_gate();
        let list: Vec<Vec<Signal>> = (first..network.end()).map(|number| network.gate(number).to_vec()).collect();
        let known = list.iter().zip(first..).map(|(gate, number)| (gate.clone(), number)).collect();
        Gates { first, list, known }
    }

    /// The conjunction of signals that are sorted, distinct and free of contradictions.
    pub(in crate::machine) fn all(&mut self, parts: Vec<Signal>) -> Signal {
        match parts[..] {
            [] => Signal::TRUE,
            [only] => only,
            _ => Signal::of(*self.known.entry(parts).or_insert_with_key(|parts| {
                self.list.push(parts.clone());
                self.first + self.list.len() as u32 - 1
            })),
        }
    }

    /// Removes the gates from a number on. No gate may be added afterwards.
    pub(in crate::machine) fn forget_from(&mut self, number: u32) {
        self.list.truncate((number - self.first) as usize);
    }

    /// One past the last number.
    pub(in crate::machine) fn end(&self) -> u32 {
        self.first + self.list.len() as u32
    }

    pub(super) fn parts(&self, number: u32) -> &[Signal] {
        if number < self.first { &[] } else { &self.list[(number - self.first) as usize] }
    }
}

/// The usual next facts, and what moves change about them.
pub(in crate::machine) struct Worked {
    /// By fact: a signal that depends on no move.
    pub(in crate::machine) usual: Vec<Signal>,
    /// By entry: the facts that differ.
    pub(super) exceptions: Vec<Vec<(u32, Signal)>>,
    pub(super) entry_of: Vec<u32>,
    pub(super) first_move: u32,
}

/// Works out the next facts for every move that decides a step. `None` if several moves decide some step together, or
/// if it takes too long.
///
/// Gates created on the way stay in `gates`, after the existing ones.
pub(in crate::machine) fn work_out(network: &Network, gates: &mut Gates) -> Option<Worked> {
    let deciders = Deciders::find(network)?;
    let first_move = network.move_number(0, 0);
    let own_gates = network.end();
    let mut hearers: Vec<Vec<u32>> = vec![Vec::new(); own_gates as usize];
    let mut depends = vec![false; own_gates as usize];
    depends[first_move as usize..network.first_gate() as usize].fill(true);
    for gate in network.first_gate()..own_gates {
        depends[gate as usize] = network.gate(gate).iter().any(|part| depends[part.atom() as usize]);
        if depends[gate as usize] {
            let hear = network.gate(gate).iter().filter(|part| depends[part.atom() as usize]);
            hear.for_each(|part| hearers[part.atom() as usize].push(gate));
        }
    }
    let made = gates.end();
    let mut work = 0;
    let mut usual = Vec::new();
    let mut exceptions = vec![Vec::new(); network.roles() + 1];
    let mut entry_of = vec![0; (network.first_gate() - first_move) as usize];
    let mut decided_by = vec![usize::MAX; exceptions.len()];
    let none = FxHashSet::default();
    let deciding = (0..network.roles()).filter(|&role| !deciders.moves[role].is_empty()).map(Some);
    let resting = deciders.only.iter().all(Option::is_some).then_some(None);
    for role in deciding.chain(resting) {
        // The value of everything while the role decides but makes no move, or while nobody decides.
        let mut base: Vec<Signal> = (0..own_gates).map(Signal::of).collect();
        base[first_move as usize..network.first_gate() as usize].fill(Signal::FALSE);
        for (other, &only) in deciders.only.iter().enumerate().filter(|&(other, _)| Some(other) != role) {
            base[network.move_number(other, only?) as usize] = Signal::TRUE;
        }
        for gate in (network.first_gate()..own_gates).filter(|&gate| depends[gate as usize]) {
            work += network.gate(gate).len();
            base[gate as usize] = residue(gates, network.gate(gate), &none, |part| base[part as usize]);
        }
        let next: Vec<Signal> =
            network.next().iter().map(|&signal| placed(signal, |number| base[number as usize])).collect();
        if usual.is_empty() {
            usual.clone_from(&next);
        }
        let unlike = next.iter().zip(&usual).enumerate().filter(|(_, (next, usual))| next != usual);
        exceptions[role.map_or(0, |role| role + 1)] =
            unlike.map(|(fact, (&signal, _))| (fact as u32, signal)).collect();
        let Some(role) = role else { break };
        for &number in &deciders.moves[role] {
            let input = network.move_number(role, number);
            let implied = implied(network, network.legal(role)[number]);
            let mut changed: FxHashMap<u32, Signal> = FxHashMap::default();
            changed.insert(input, Signal::TRUE);
            let mut open: BTreeSet<u32> = hearers[input as usize].iter().copied().collect();
            while let Some(gate) = open.pop_first() {
                work += network.gate(gate).len() + 8;
                if work > MOST_WORK || gates.end() - made > MOST_GATES_A_MOVE * (exceptions.len() as u32 + 8) {
                    return None;
                }
                let look = |part: u32| changed.get(&part).copied().unwrap_or(base[part as usize]);
                let signal = residue(gates, network.gate(gate), &implied, look);
                if signal != base[gate as usize] {
                    changed.insert(gate, signal);
                    open.extend(&hearers[gate as usize]);
                }
            }
            let of_fact = |(fact, &signal): (usize, &Signal)| {
                let now = *changed.get(&signal.atom())?;
                Some((fact as u32, if signal.is_negated() { now.negated() } else { now }))
            };
            exceptions.push(network.next().iter().enumerate().filter_map(of_fact).collect());
            work += network.facts();
            decided_by.push(role);
            entry_of[(input - first_move) as usize] = exceptions.len() as u32 - 1;
        }
    }
    keep_steady(&mut usual, &mut exceptions, &decided_by);
    // The last entry is empty: nothing is added if nobody decides.
    exceptions.push(Vec::new());
    Some(Worked { usual, exceptions, entry_of, first_move })
}

/// Makes it usual for a fact to stay as it is if it does so under most moves: that costs nothing.
///
/// `decided_by` is the role of each entry that belongs to a move.
fn keep_steady(usual: &mut [Signal], exceptions: &mut [Vec<(u32, Signal)>], decided_by: &[usize]) {
    let first = decided_by.iter().take_while(|&&role| role == usize::MAX).count();
    let moves = decided_by.len() - first;
    let mut stays = vec![0; usual.len()];
    for &(fact, signal) in exceptions[first..].iter().flatten() {
        stays[fact as usize] += usize::from(signal == Signal::of(fact + 1));
    }
    let is_own = |fact: u32, signal: Signal| signal == Signal::of(fact + 1);
    let changed: Vec<u32> = (0..usual.len() as u32)
        .filter(|&fact| !is_own(fact, usual[fact as usize]) && 2 * stays[fact as usize] > moves)
        .collect();
    if changed.is_empty() {
        return;
    }
    let value = |entry: &[(u32, Signal)], fact: u32| {
        let found = entry.binary_search_by_key(&fact, |&(fact, _)| fact).ok();
        found.map(|place| entry[place].1)
    };
    let (general, of_moves) = exceptions.split_at_mut(first);
    for (entry, &role) in of_moves.iter_mut().zip(&decided_by[first..]) {
        for &fact in &changed {
            if value(entry, fact).is_none() {
                let signal = value(&general[role + 1], fact).unwrap_or(usual[fact as usize]);
                let place = entry.partition_point(|&(other, _)| other < fact);
                entry.insert(place, (fact, signal));
            }
        }
        entry.retain(|&(fact, signal)| !(is_own(fact, signal) && changed.binary_search(&fact).is_ok()));
    }
    for (number, entry) in general.iter_mut().enumerate() {
        let added: Vec<(u32, Signal)> = match number {
            0 => changed.iter().map(|&fact| (fact, value(entry, fact).unwrap_or(usual[fact as usize]))).collect(),
            _ => Vec::new(),
        };
        entry.retain(|(fact, _)| changed.binary_search(fact).is_err());
        entry.extend(added);
        entry.sort_unstable_by_key(|&(fact, _)| fact);
    }
    changed.into_iter().for_each(|fact| usual[fact as usize] = Signal::of(fact + 1));
}

/// The moves that decide a step.
struct Deciders {
    /// By role: its deciding moves.
    moves: Vec<Vec<usize>>,
    /// By role: its only move while another role decides.
    only: Vec<Option<usize>>,
}

impl Deciders {
    fn find(network: &Network) -> Option<Deciders> {
        let roles = 0..network.roles();
        let possible = |role: usize| {
            let legal = network.legal(role).iter().enumerate();
            legal.filter(|(_, legal)| **legal != Signal::FALSE).map(|(number, _)| number)
        };
        let in_turn = |role: usize, number: usize| match network.turns() {
            Some(turns) => turns.moves[network.move_number(role, number) as usize],
            // Without turns, the only role that has a choice decides.
            None => possible(role).count() > 1 || network.roles() == 1,
        };
        let moves: Vec<Vec<usize>> =
            roles.clone().map(|role| possible(role).filter(|&number| in_turn(role, number)).collect()).collect();
        let single = |role: usize| {
            let mut rest = possible(role).filter(|&number| !in_turn(role, number));
            let only = rest.next();
            if rest.next().is_some() { None } else { only }
        };
        let only: Vec<Option<usize>> = roles.clone().map(single).collect();
        let choosing = roles.clone().filter(|&role| !moves[role].is_empty()).count();
        // While one role decides, every other role has a single move.
        let settled = |role: usize| {
            let others = roles.clone().filter(|&other| other != role);
            moves[role].is_empty() || others.into_iter().all(|other| only[other].is_some())
        };
        let sound = choosing > 0 && (choosing == 1 || network.turns().is_some()) && roles.clone().all(settled);
        sound.then_some(Deciders { moves, only })
    }
}

/// The signals implied by the legality of a move.
fn implied(network: &Network, legal: Signal) -> FxHashSet<Signal> {
    let mut all = FxHashSet::default();
    let mut open = vec![legal];
    while let Some(signal) = open.pop() {
        if all.insert(signal) && !signal.is_negated() && signal.atom() >= network.first_gate() {
            open.extend_from_slice(network.gate(signal.atom()));
        }
    }
    all
}

/// The rest of a conjunction.
fn residue(gates: &mut Gates, parts: &[Signal], implied: &FxHashSet<Signal>, look: impl Fn(u32) -> Signal) -> Signal {
    let mut rest = Vec::with_capacity(parts.len());
    for &part in parts {
        let part = placed(part, &look);
        if part == Signal::FALSE || implied.contains(&part.negated()) {
            return Signal::FALSE;
        }
        if part != Signal::TRUE && !implied.contains(&part) {
            rest.push(part);
        }
    }
    rest.sort_unstable();
    rest.dedup();
    if rest.windows(2).any(|pair| pair[0].atom() == pair[1].atom()) {
        return Signal::FALSE;
    }
    gates.all(rest)
}

pub(super) fn placed(signal: Signal, look: impl Fn(u32) -> Signal) -> Signal {
    let known = look(signal.atom());
    if signal.is_negated() { known.negated() } else { known }
}
