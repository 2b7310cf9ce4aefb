//! Wiring: which gates must be notified when a value changes.
//!
//! Every gate has a guard, one of its parts, and counts its other parts that do not hold. It is ready when that count
//! is zero, open while its guard holds, and true when it is both. Changes of the other parts are propagated one by one.
//! Changes of the guard reach all its gates at once, 64 in a word, and affect only those that are ready. So the part
//! that changes most often becomes the guard: where a move, a turn or a step counter feeds thousands of gates, nearly
//! all of them are not ready and cost next to nothing. Random play counts in advance how often each value changes
//! (`groups`).

use super::effects::Effects;
use super::groups::{Groups, Heat};
use super::plan::{LegalSpan, Plan};
use crate::{Goal, Signal};

/// The state of 64 gates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Word {
    /// Whether all parts except the guard hold.
    pub(crate) ready: u64,
    /// Whether the guard holds.
    pub(crate) open: u64,
    /// Whether the value has changed and the change is not yet propagated.
    pub(crate) changed: u64,
}

/// Gates of one word that a number guards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guarded {
    pub(crate) word: u32,
    pub(crate) gates: u64,
}

/// Where the lists of a number begin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub(crate) outputs: u32,
    pub(crate) guarded: u32,
    pub(crate) listeners: u32,
}

/// The connections of a machine. Constant, facts and moves are numbered as in the network, gates in the machine's own
/// order.
#[derive(Clone, Debug)]
pub(crate) struct Wiring {
    /// One past the last number.
    pub(crate) end: u32,
    /// By number, plus one entry: where its lists begin; the next entry says where they end.
    pub(crate) spans: Vec<Span>,
    /// The numbers of output bits.
    pub(crate) outputs: Vec<u32>,
    pub(crate) guarded: Vec<Guarded>,
    /// A listener is a gate's number, doubled, plus 1 if it listens to the negation.
    pub(crate) listeners: Vec<u32>,
    /// By number: how many parts of a gate except its guard do not hold when no input does.
    pub(crate) initial_missing: Vec<u32>,
    pub(crate) initial_words: Vec<Word>,
    /// Whether the number holds when no input does.
    pub(crate) initial_values: Vec<bool>,
    /// The output bits when no input holds.
    pub(crate) initial_outputs: Vec<u64>,
    /// One bit for each fact that stays as it is.
    pub(crate) steady: Vec<u64>,
    pub(crate) legal: Vec<LegalSpan>,
    pub(crate) terminal_bit: usize,
    /// The gates that only payoffs need, computed on demand: number, number of parts, the parts.
    pub(crate) late: Vec<u32>,
    pub(crate) goals: Vec<Goal>,
    pub(crate) effects: Option<Effects>,
}

impl Wiring {
    /// The connections for values that change as often as `heat` says, by the plan's numbers. Without heat no gate has
    /// a guard and all keep their numbers.
    pub(crate) fn new(plan: &Plan, heat: Option<&Heat>) -> Wiring {
        let first = plan.first_gate as usize;
        let end = first + plan.gates.len();
        let groups = Groups::new(plan, heat);
        let guards = &groups.guards;
        let order = groups.order(plan);
        let mut place: Vec<u32> = (0..end as u32).collect();
        order.iter().zip(first as u32..).for_each(|(&number, new)| place[number] = new);
        let placed = |signal: Signal| Signal(place[signal.atom() as usize] << 1 | u32::from(signal.is_negated()));

        let kept = order.iter().filter(|&&number| plan.always[number]).map(|&number| place[number] as usize + 1);
        let words = kept.max().unwrap_or(first).div_ceil(64);
        let mut wiring = Wiring {
            end: end as u32,
            spans: Vec::new(),
            outputs: Vec::new(),
            guarded: Vec::new(),
            listeners: Vec::new(),
            initial_missing: vec![0; end],
            initial_words: vec![Word::default(); words],
            initial_values: vec![false; end],
            initial_outputs: vec![0; plan.terminal_bit / 64 + 1],
            steady: plan.steady.clone(),
            legal: plan.legal.iter().map(|span| LegalSpan { guard: placed(span.guard), ..span.clone() }).collect(),
            terminal_bit: plan.terminal_bit,
            late: Vec::new(),
            goals: plan.goals.iter().map(|goal| Goal { when: placed(goal.when), ..*goal }).collect(),
            effects: plan.effects.as_ref().map(|effects| effects.renumbered(placed)),
        };
        wiring.initial_values[0] = true;
        let mut heard: Vec<(u32, u32)> = Vec::new();
        let mut guarding: Vec<(u32, u32)> = Vec::new();
        for &number in &order {
            let parts = &plan.gates[number - first];
            if plan.always[number] {
                let guard = guards[number - first];
                let gate = place[number];
                let mut rest = parts.iter().filter(|&&part| part != guard).map(|&part| placed(part));
                rest.clone().for_each(|part| heard.push((part.atom(), gate << 1 | u32::from(part.is_negated()))));
                if guard != Signal::TRUE {
                    guarding.push((placed(guard).atom(), gate));
                }
                wiring.begin(gate as usize, placed(guard), &mut rest);
            } else if plan.late[number] {
                wiring.late.extend([place[number], parts.len() as u32]);
                wiring.late.extend(parts.iter().map(|&part| placed(part).0));
            }
        }
        for &(signal, bit) in &plan.bit_of {
            wiring.initial_outputs[bit / 64] |= u64::from(wiring.holds(placed(signal))) << (bit % 64);
        }
        let mut shown: Vec<(u32, u32)> =
            plan.bit_of.iter().map(|&(signal, bit)| (placed(signal).atom(), bit as u32)).collect();
        shown.sort_unstable();
        guarding.sort_unstable();
        heard.sort_unstable();
        wiring.connect(&shown, &guarding, &heard);
        wiring
    }

    fn holds(&self, signal: Signal) -> bool {
        self.initial_values[signal.atom() as usize] != signal.is_negated()
    }

    /// Sets a gate to its state when no input holds. Its inputs must have been set before.
    fn begin(&mut self, gate: usize, guard: Signal, rest: &mut dyn Iterator<Item = Signal>) {
        let missing = rest.filter(|&part| !self.holds(part)).count() as u32;
        let open = self.holds(guard);
        self.initial_missing[gate] = missing;
        self.initial_values[gate] = open && missing == 0;
        let word = &mut self.initial_words[gate / 64];
        word.open |= u64::from(open) << (gate % 64);
        word.ready |= u64::from(missing == 0) << (gate % 64);
    }

    /// Builds the lists by number from sorted pairs of a number and its listener.
    fn connect(&mut self, shown: &[(u32, u32)], guarding: &[(u32, u32)], heard: &[(u32, u32)]) {
        let (mut shown, mut guarding, mut heard) = (shown, guarding, heard);
        for number in 0..self.end {
            self.spans.push(self.lists_end());
            self.outputs.extend(take(&mut shown, number));
            let from = self.guarded.len();
            for gate in take(&mut guarding, number) {
                let bit = 1 << (gate % 64);
                match self.guarded[from..].last_mut() {
                    Some(last) if last.word == gate / 64 => last.gates |= bit,
                    _ => self.guarded.push(Guarded { word: gate / 64, gates: bit }),
                }
            }
            self.listeners.extend(take(&mut heard, number));
        }
        self.spans.push(self.lists_end());
    }

    fn lists_end(&self) -> Span {
        Span {
            outputs: self.outputs.len() as u32,
            guarded: self.guarded.len() as u32,
            listeners: self.listeners.len() as u32,
        }
    }
}

/// Takes the pairs of a number off the front.
fn take<'a>(pairs: &mut &'a [(u32, u32)], number: u32) -> impl Iterator<Item = u32> + use<'a> {
    let (own, rest) = pairs.split_at(pairs.partition_point(|&(first, _)| first <= number));
    *pairs = rest;
    own.iter().map(|&(_, second)| second)
}
