//! A network compiled to a list of instructions over slots, where each slot is a block of lanes.
//!
//! There are three sections: what every state needs (legal moves, the end), what the end needs (payoffs), and what a
//! move needs (the next facts). Within a section gates are sorted by level and shape, so that long runs of equal
//! instructions need no branch. A slot is reused after the last use of its value. A conjunction of two signals that
//! only one disjunction needs is computed inside the disjunction.

use crate::{Goal, Network, Signal};

/// A slot with a sign, encoded like signals: twice its number, plus 1 if it is negated. Slot 0 is always true.
pub(crate) type Operand = u32;

/// A run of equal instructions. Each has a target, then `plain` operands that must hold, then `pairs` of operands that
/// must not hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) plain: u32,
    pub(crate) pairs: u32,
    pub(crate) count: u32,
}

/// Instructions in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    pub(crate) runs: Vec<Run>,
    pub(crate) code: Vec<u32>,
}

/// A possible move: the slot that says whether it is legal, and the slot that says whether it is made, if anything
/// needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) legal: Operand,
    pub(crate) done: Option<u32>,
}

/// The whole program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) slots: usize,
    pub(crate) state: Section,
    pub(crate) goal: Section,
    pub(crate) next: Section,
    /// The moves of each role.
    pub(crate) choices: Vec<Vec<Choice>>,
    /// The numbers of these moves in the network.
    pub(crate) numbers: Vec<Vec<u32>>,
    pub(crate) terminal: Operand,
    /// The payoffs of each role.
    pub(crate) goals: Vec<Vec<(i32, Operand)>>,
    /// The facts that matter, with their slots.
    pub(crate) facts: Vec<(u32, u32)>,
    /// Where next facts are copied from and to: first from inputs to spare slots, then to the facts.
    pub(crate) spare: Vec<(Operand, u32)>,
    pub(crate) moved: Vec<(Operand, u32)>,
}

/// When a gate is needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Time {
    State,
    Goal,
    Next,
}

/// Compiles the program for playouts, without facts on which nothing depends.
pub(crate) fn compile(network: &Network) -> Program {
    compile_facts(network, live_facts(network))
}

/// Compiles the program with all facts.
pub(crate) fn compile_all_facts(network: &Network) -> Program {
    compile_facts(network, vec![true; network.facts()])
}

fn compile_facts(network: &Network, live: Vec<bool>) -> Program {
    let legal = || (0..network.roles()).flat_map(|role| network.legal(role).iter().copied());
    let goals = || network.goals().iter().map(|goal| goal.when);
    let next: Vec<(usize, Signal)> =
        network.next().iter().copied().enumerate().filter(|&(fact, _)| live[fact]).collect();
    let in_state = network.needed(legal().chain([network.terminal()]));
    let in_goal = network.needed(goals());
    let in_next = network.needed(next.iter().map(|&(_, signal)| signal));
    let end = network.end() as usize;
    let mut time: Vec<Option<Time>> = vec![None; end];
    for number in network.first_gate() as usize..end {
        time[number] = if in_state[number] {
            Some(Time::State)
        } else if in_goal[number] {
            Some(Time::Goal)
        } else if in_next[number] {
            Some(Time::Next)
        } else {
            None
        };
        // What both the payoffs and the next facts need is computed after every move; otherwise the next facts would
        // miss it.
        if !in_state[number] && in_goal[number] && in_next[number] {
            time[number] = Some(Time::State);
        }
    }
    // A promoted gate takes its inputs along.
    for number in (network.first_gate() as usize..end).rev() {
        if time[number] == Some(Time::State) {
            for part in network.gate(number as u32) {
                if time[part.atom() as usize].is_some() {
                    time[part.atom() as usize] = Some(Time::State);
                }
            }
        }
    }
    let outputs = legal().chain([network.terminal()]).chain(goals()).chain(next.iter().map(|&(_, signal)| signal));
    let gates = shapes(network, &time, outputs);
    let mut slots = Slots::new(network, &gates, &live);
    let mut sections = [Section::default(), Section::default(), Section::default()];
    for (position, gate) in gates.iter().enumerate() {
        let code = &mut sections[gate.time as usize];
        let target = slots.target(position, gate);
        code.code.push(target);
        code.code.extend(gate.plain.iter().map(|&signal| slots.operand(signal)));
        code.code.extend(gate.pairs.iter().flatten().map(|&signal| slots.operand(signal)));
        let (plain, pairs) = (gate.plain.len() as u32, gate.pairs.len() as u32);
        match code.runs.last_mut() {
            Some(run) if run.plain == plain && run.pairs == pairs => run.count += 1,
            _ => code.runs.push(Run { plain, pairs, count: 1 }),
        }
    }
    let [state, goal, next_section] = sections;
    let possible = |role: usize| network.legal(role).iter().enumerate().filter(|&(_, &legal)| legal != Signal::FALSE);
    let choices = (0..network.roles()).map(|role| {
        let choice = |(number, &legal): (usize, &Signal)| {
            let input = network.move_number(role, number);
            let done = in_next[input as usize].then(|| slots.operand(Signal::of(input)) >> 1);
            Choice { legal: slots.operand(legal), done }
        };
        possible(role).map(choice).collect()
    });
    let choices = choices.collect();
    let numbers = (0..network.roles()).map(|role| possible(role).map(|(number, _)| number as u32).collect()).collect();
    let payoffs = (0..network.roles()).map(|role| {
        let own = network.goals().iter().filter(|goal| goal.role as usize == role);
        own.map(|&Goal { value, when, .. }| (value, slots.operand(when))).collect()
    });
    let payoffs = payoffs.collect();
    let facts = (0..network.facts()).filter(|&fact| live[fact]).map(|fact| (fact as u32, slots.fact(fact))).collect();
    let (mut spare, mut moved) = (Vec::new(), Vec::new());
    for &(fact, signal) in &next {
        let target = slots.fact(fact);
        let source = slots.operand(signal);
        if source >> 1 == target && source & 1 == 0 {
            continue;
        }
        let is_fact = (1..=network.facts() as u32).contains(&signal.atom());
        if is_fact {
            let place = slots.fresh();
            spare.push((source, place));
            moved.push((place << 1, target));
        } else {
            moved.push((source, target));
        }
    }
    Program {
        slots: slots.count as usize,
        state,
        goal,
        next: next_section,
        choices,
        numbers,
        terminal: slots.operand(network.terminal()),
        goals: payoffs,
        facts,
        spare,
        moved,
    }
}

/// The facts on which legality, the end or a payoff depends, now or later.
fn live_facts(network: &Network) -> Vec<bool> {
    let mut live = vec![false; network.facts()];
    let always = (0..network.roles()).flat_map(|role| network.legal(role).iter().copied());
    let always = always.chain([network.terminal()]).chain(network.goals().iter().map(|goal| goal.when));
    let mut needed = network.needed(always);
    loop {
        let mut changed = false;
        for fact in 0..live.len() {
            if needed[fact + 1] && !live[fact] {
                live[fact] = true;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
        let next = network.next().iter().enumerate().filter(|&(fact, _)| live[fact]).map(|(_, &signal)| signal);
        let more = network.needed(next);
        needed.iter_mut().zip(more).for_each(|(needed, more)| *needed |= more);
    }
}

/// A gate to be computed.
struct Gate {
    number: u32,
    time: Time,
    plain: Vec<Signal>,
    pairs: Vec<[Signal; 2]>,
}

/// The gates to compute, in order; pairs that only one gate needs are inside it.
fn shapes(network: &Network, time: &[Option<Time>], outputs: impl Iterator<Item = Signal>) -> Vec<Gate> {
    let first = network.first_gate();
    let mut uses = vec![0u32; time.len()];
    outputs.for_each(|signal| uses[signal.atom() as usize] += 2);
    for number in first..network.end() {
        if time[number as usize].is_some() {
            network.gate(number).iter().for_each(|signal| uses[signal.atom() as usize] += 1);
        }
    }
    let inner = |signal: Signal, user: Time| {
        let number = signal.atom();
        signal.is_negated()
            && number >= first
            && uses[number as usize] == 1
            && time[number as usize] == Some(user)
            && network.gate(number).len() == 2
    };
    let mut level = vec![0u32; time.len()];
    let mut swallowed = vec![false; time.len()];
    let mut swallows = vec![false; time.len()];
    let mut gates = Vec::new();
    for number in first..network.end() {
        let Some(user) = time[number as usize] else { continue };
        let mut gate = Gate { number, time: user, plain: Vec::new(), pairs: Vec::new() };
        let mut deepest = 0;
        for &signal in network.gate(number) {
            if inner(signal, user) && !swallows[signal.atom() as usize] {
                swallowed[signal.atom() as usize] = true;
                swallows[number as usize] = true;
                let pair = network.gate(signal.atom());
                gate.pairs.push([pair[0], pair[1]]);
                // Its own level is one higher than that of its parts.
                deepest = deepest.max(level[signal.atom() as usize].saturating_sub(1));
            } else {
                gate.plain.push(signal);
                deepest = deepest.max(level[signal.atom() as usize]);
            }
        }
        level[number as usize] = deepest + 1;
        gates.push(gate);
    }
    gates.retain(|gate| !swallowed[gate.number as usize]);
    gates.sort_by_key(|gate| (gate.time, level[gate.number as usize], gate.plain.len(), gate.pairs.len(), gate.number));
    gates
}

/// The allocation of slots.
struct Slots {
    place: Vec<u32>,
    free: Vec<u32>,
    count: u32,
    /// The gates whose last use is at a position.
    ending: Vec<Vec<u32>>,
}

impl Slots {
    fn new(network: &Network, gates: &[Gate], live: &[bool]) -> Slots {
        const NOWHERE: u32 = u32::MAX;
        let first = network.first_gate();
        let mut place = vec![NOWHERE; network.end() as usize];
        place[0] = 0;
        let mut count = 1;
        for fact in (0..live.len()).filter(|&fact| live[fact]) {
            place[fact + 1] = count;
            count += 1;
        }
        for number in 1 + live.len() as u32..first {
            place[number as usize] = count;
            count += 1;
        }
        let mut last = vec![None; network.end() as usize];
        for (position, gate) in gates.iter().enumerate() {
            for signal in gate.plain.iter().chain(gate.pairs.iter().flatten()) {
                last[signal.atom() as usize] = Some(position);
            }
        }
        // Outputs are read between sections or at the end, so they are kept.
        let legal = (0..network.roles()).flat_map(|role| network.legal(role).iter().copied());
        let goals = network.goals().iter().map(|goal| goal.when);
        let outputs = legal.chain([network.terminal()]).chain(goals).chain(network.next().iter().copied());
        outputs.for_each(|signal| last[signal.atom() as usize] = None);
        let mut ending = vec![Vec::new(); gates.len()];
        for number in first..network.end() {
            if let Some(position) = last[number as usize] {
                ending[position].push(number);
            }
        }
        Slots { place, free: Vec::new(), count, ending }
    }

    fn fresh(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    fn target(&mut self, position: usize, gate: &Gate) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        self.place[gate.number as usize] = slot;
        for number in std::mem::take(&mut self.ending[position]) {
            self.free.push(self.place[number as usize]);
        }
        slot
    }

    fn operand(&self, signal: Signal) -> Operand {
        self.place[signal.atom() as usize] << 1 | u32::from(signal.is_negated())
    }

    fn fact(&self, fact: usize) -> u32 {
        self.place[fact + 1]
    }
}
