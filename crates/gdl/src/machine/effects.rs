//! Precomputed effects of moves, for steps that a single move decides.
//!
//! In most games one role chooses while each of the others has a single move (and perhaps the role whose turn it is can
//! pass). Then a move fixes the whole joint move, and the next state can be worked out for it in advance: most facts
//! follow as they would under any move (`usual`), a few are exceptions. A step then reads the usual facts, which the
//! machine keeps up to date, and the exceptions of the move; no gate that depends on moves is ever evaluated.
//!
//! If several roles choose at once there are no effects, and the machine propagates the moves through its gates. It
//! does the same if the exceptions cost more than propagation, as in sheets of Hex that store chains of stones as
//! facts.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Network, Signal};

/// With more work than this, moves are propagated instead: some seconds, reached by chess-like sheets only.
const MOST_WORK: usize = 60_000_000;

/// With more new gates than this per move, there will certainly be too many conditions.
const MOST_GATES_A_MOVE: u32 = 600;

/// With more conditions than this in all exceptions together, moves are propagated instead (about 64 MB).
const MOST_CONDITIONS: usize = 16_000_000;

/// If the exceptions take more words of code than this per move on average, moves are propagated instead: a step of a
/// large sheet touches about as much.
const MOST_CODE_A_MOVE: usize = 2_000;

/// Gates that are added while effects are worked out; equal gates are shared.
pub(super) struct Gates {
    first: u32,
    pub(super) list: Vec<Vec<Signal>>,
    known: FxHashMap<Vec<Signal>, u32>,
}

impl Gates {
    pub(super) fn of(network: &Network) -> Gates {
        let first = network.first_gate();
        let list: Vec<Vec<Signal>> = (first..network.end()).map(|number| network.gate(number).to_vec()).collect();
        let known = list.iter().zip(first..).map(|(gate, number)| (gate.clone(), number)).collect();
        Gates { first, list, known }
    }

    /// The conjunction of signals that are sorted, distinct and free of contradictions.
    pub(super) fn all(&mut self, parts: Vec<Signal>) -> Signal {
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
    pub(super) fn forget_from(&mut self, number: u32) {
        self.list.truncate((number - self.first) as usize);
    }

    /// One past the last number.
    pub(super) fn end(&self) -> u32 {
        self.first + self.list.len() as u32
    }

    fn parts(&self, number: u32) -> &[Signal] {
        if number < self.first { &[] } else { &self.list[(number - self.first) as usize] }
    }
}

/// What is computed and set in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The range of its conditions in `code`.
    code: (u32, u32),
    /// The range of its outcomes.
    outcomes: (u32, u32),
}

/// The effects of all moves that decide a step.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    first_move: u32,
    /// By move: its entry; 0 for moves that decide nothing.
    entry_of: Vec<u32>,
    /// Deviations from the usual facts: when nobody decides; then, by role, whenever the role decides; then what each
    /// move adds.
    entries: Vec<Entry>,
    /// Values computed for one entry only, in runs of conjunctions with equally many parts: the number of parts, the
    /// number of conjunctions, then for each the slot of its value and the parts.
    code: Vec<u32>,
    outcomes: Vec<(u32, Signal)>,
    /// The first slot of values computed for an entry.
    first_slot: u32,
    /// The most values computed for an entry. They follow those of the gates.
    pub(crate) slots: usize,
}

impl Effects {
    /// Whether this move decides the step.
    #[inline(always)]
    pub(crate) fn decides(&self, number: u32) -> bool {
        self.entry_of[(number - self.first_move) as usize] != 0
    }

    /// The same effects with signals renumbered; the values computed for an entry begin at `first_slot`.
    pub(super) fn renumbered(&self, places: &[u32], first_slot: u32) -> Effects {
        let place = |number: u32| match number.checked_sub(self.first_slot) {
            Some(slot) => Signal::of(first_slot + slot),
            None => Signal::of(places[number as usize]),
        };
        let mut code = self.code.clone();
        let mut at = 0;
        while at < code.len() {
            let (parts, count) = (code[at] as usize, code[at + 1] as usize);
            at += 2;
            for item in code[at..at + count * (parts + 1)].chunks_exact_mut(parts + 1) {
                item[0] = place(item[0]).atom();
                item[1..].iter_mut().for_each(|part| *part = placed(Signal(*part), place).0);
            }
            at += count * (parts + 1);
        }
        let outcomes = self.outcomes.iter().map(|&(fact, signal)| (fact, placed(signal, place))).collect();
        Effects { code, outcomes, first_slot, ..self.clone() }
    }

    /// Sets the next facts that differ from the usual ones when a role makes this deciding move, or when nobody decides
    /// (`None`).
    #[inline(always)]
    pub(crate) fn apply(&self, decided: Option<(usize, u32)>, holds: &mut [u8], next: &mut [u64]) {
        let entries = match decided {
            Some((role, number)) => [role + 1, self.entry_of[(number - self.first_move) as usize] as usize],
            None => [0, self.entries.len() - 1],
        };
        for entry in entries.map(|entry| self.entries[entry]) {
            let mut code = &self.code[entry.code.0 as usize..entry.code.1 as usize];
            while let [parts, count, rest @ ..] = code {
                let (parts, count) = (*parts as usize, *count as usize);
                let (run, rest) = rest.split_at(count * (parts + 1));
                match parts {
                    2 => evaluate::<2>(run, holds),
                    3 => evaluate::<3>(run, holds),
                    4 => evaluate::<4>(run, holds),
                    _ => {
                        for item in run.chunks_exact(parts + 1) {
                            let all = item[1..].iter().fold(1, |all, &part| all & value(holds, part));
                            holds[item[0] as usize] = all;
                        }
                    }
                }
                code = rest;
            }
            for &(fact, signal) in &self.outcomes[entry.outcomes.0 as usize..entry.outcomes.1 as usize] {
                let bit = u64::from(value(holds, signal.0)) << (fact % 64);
                let word = &mut next[fact as usize / 64];
                *word = *word & !(1 << (fact % 64)) | bit;
            }
        }
    }
}

/// Evaluates conjunctions of `PARTS` parts.
#[inline(always)]
fn evaluate<const PARTS: usize>(run: &[u32], holds: &mut [u8]) {
    for item in run.chunks_exact(PARTS + 1) {
        let mut all = 1;
        for part in 0..PARTS {
            all &= value(holds, item[part + 1]);
        }
        holds[item[0] as usize] = all;
    }
}

/// Whether a signal holds, as 1 or 0.
#[inline(always)]
fn value(holds: &[u8], signal: u32) -> u8 {
    holds[(signal >> 1) as usize] ^ (signal & 1) as u8
}

/// The usual next facts, and what moves change about them.
pub(super) struct Worked {
    /// By fact: a signal that depends on no move.
    pub(super) usual: Vec<Signal>,
    /// By entry: the facts that differ.
    exceptions: Vec<Vec<(u32, Signal)>>,
    entry_of: Vec<u32>,
    first_move: u32,
}

/// Works out the next facts for every move that decides a step. `None` if several moves decide some step together, or
/// if it takes too long.
///
/// Gates created on the way stay in `gates`, after the existing ones.
pub(super) fn work_out(network: &Network, gates: &mut Gates) -> Option<Worked> {
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
            entry_of[(input - first_move) as usize] = exceptions.len() as u32 - 1;
        }
    }
    // The last entry is empty: nothing is added if nobody decides.
    exceptions.push(Vec::new());
    Some(Worked { usual, exceptions, entry_of, first_move })
}

impl Worked {
    /// The program of all effects, and the signals of the usual facts.
    ///
    /// A gate for which `kept` is true has its value available. Of the gates created on the way (from `made` on), only
    /// these stay; others are computed when an entry needs them. `None` if the program is too long.
    pub(super) fn compile(self, gates: &mut Gates, made: u32, kept: &[bool]) -> Option<(Effects, Vec<Signal>)> {
        let Worked { usual, exceptions, entry_of, first_move } = self;
        let mut stays: FxHashMap<u32, u32> = FxHashMap::default();
        let own = (gates.first..made).chain((made..gates.end()).filter(|&number| kept[number as usize]));
        stays.extend(own.zip(gates.first..).skip((made - gates.first) as usize));
        let end = made + stays.len() as u32;
        let most = MOST_CONDITIONS.min(MOST_CODE_A_MOVE * exceptions.len());
        let mut effects = Effects {
            first_move,
            entry_of,
            entries: Vec::new(),
            code: Vec::new(),
            outcomes: Vec::new(),
            first_slot: end,
            slots: 0,
        };
        for exceptions in exceptions {
            let mut needed: BTreeSet<u32> = BTreeSet::new();
            let mut open: Vec<u32> = exceptions.iter().map(|(_, signal)| signal.atom()).collect();
            while let Some(number) = open.pop() {
                if number >= gates.first && !kept[number as usize] && needed.insert(number) {
                    open.extend(gates.parts(number).iter().map(|part| part.atom()));
                }
            }
            effects.slots = effects.slots.max(needed.len());
            let slot_of: FxHashMap<u32, u32> = needed.iter().copied().zip(end..).collect();
            let place = |number: u32| match slot_of.get(&number) {
                Some(&slot) => Signal::of(slot),
                None => Signal::of(stays.get(&number).copied().unwrap_or(number)),
            };
            let (code, outcomes) = (effects.code.len() as u32, effects.outcomes.len() as u32);
            // Sorted by depth, then by the number of parts, in runs.
            let mut depth: FxHashMap<u32, u32> = FxHashMap::default();
            for &number in &needed {
                let deepest = gates.parts(number).iter().filter_map(|part| depth.get(&part.atom())).max();
                depth.insert(number, deepest.map_or(0, |depth| depth + 1));
            }
            let mut needed: Vec<u32> = needed.into_iter().collect();
            needed.sort_by_key(|number| (depth[number], gates.parts(*number).len(), *number));
            for run in needed.chunk_by(|one, other| {
                let key = |number: &u32| (depth[number], gates.parts(*number).len());
                key(one) == key(other)
            }) {
                effects.code.extend([gates.parts(run[0]).len() as u32, run.len() as u32]);
                for &number in run {
                    effects.code.push(slot_of[&number]);
                    effects.code.extend(gates.parts(number).iter().map(|&part| placed(part, place).0));
                }
            }
            effects.outcomes.extend(exceptions.iter().map(|&(fact, signal)| (fact, placed(signal, place))));
            if effects.code.len() + effects.outcomes.len() > most {
                return None;
            }
            effects.entries.push(Entry {
                code: (code, effects.code.len() as u32),
                outcomes: (outcomes, effects.outcomes.len() as u32),
            });
        }
        let place = |number: u32| Signal::of(stays.get(&number).copied().unwrap_or(number));
        let mut new: Vec<Vec<Signal>> = Vec::new();
        for number in (made..gates.end()).filter(|&number| kept[number as usize]) {
            new.push(gates.parts(number).iter().map(|&part| placed(part, place)).collect());
        }
        gates.forget_from(made);
        gates.list.extend(new);
        let usual = usual.into_iter().map(|signal| placed(signal, place)).collect();
        Some((effects, usual))
    }
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

fn placed(signal: Signal, look: impl Fn(u32) -> Signal) -> Signal {
    let known = look(signal.atom());
    if signal.is_negated() { known.negated() } else { known }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tesuji_core::Source;

    use crate::{Grounding, GroundingLimits, Machine, Network, SHEETS, Sheet, ground};

    #[test]
    fn moves_are_worked_out_where_one_role_chooses_at_a_time() {
        for (name, expected) in [
            ("tic-tac-toe", true),
            ("breakthrough", true),
            ("peg-solitaire", true),
            ("three-player-tic-tac-toe", true),
            ("pentago", true),
            ("rock-paper-scissors", false),
            ("tron-6x6", false),
        ] {
            let text = SHEETS.iter().find(|(bundled, _)| *bundled == name).unwrap().1;
            let sheet = Sheet::read(Source::new(name, text)).unwrap();
            let Ok(Grounding::Done(ground, _)) = ground(&sheet, &GroundingLimits::default(), &|| false) else {
                panic!("{name} does not ground")
            };
            let machine = Machine::new(Arc::new(Network::new(&ground).unwrap()));
            assert_eq!(machine.shared.effects.is_some(), expected, "{name}");
        }
    }
}
