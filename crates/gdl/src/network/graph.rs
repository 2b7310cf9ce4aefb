//! Gates that are equal are one gate.
//!
//! Every gate is a conjunction of signals, each perhaps negated; a disjunction is a negated conjunction of negations. A
//! gate is made through [`Graph::all`], which knows that a role does exactly one move in a step, that it is a legal
//! one, and which facts exclude each other, and leaves out what follows from the rest.

use rustc_hash::FxHashMap;

use crate::Signal;

/// What is known about the inputs of a graph, beside what its gates say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// The first move of each role, and behind the last role the first number that is no move.
    pub(crate) first_move: Vec<u32>,
    /// What must hold for a move to be legal, sorted; by move. Empty until it is known.
    pub(crate) implied: Vec<Box<[Signal]>>,
    /// The group of facts, by fact number (counted from 1), of which at most one holds; 0 stands for none.
    pub(crate) group: Vec<u32>,
    /// Moves that are never legal, by number.
    pub(crate) impossible: Vec<bool>,
}

impl Knowledge {
    /// The role that a signal's move belongs to, if it is a move.
    fn role(&self, number: u32) -> Option<usize> {
        let (first, last) = (self.first_move.first()?, self.first_move.last()?);
        if number < *first || number >= *last {
            return None;
        }
        Some(self.first_move.partition_point(|&start| start <= number) - 1)
    }

    fn implied(&self, number: u32) -> &[Signal] {
        let first = self.first_move.first().copied().unwrap_or(0);
        self.implied.get((number - first) as usize).map_or(&[], |implied| implied)
    }

    fn group(&self, number: u32) -> u32 {
        self.group.get(number as usize).copied().unwrap_or(0)
    }

    fn possible(&self, number: u32) -> bool {
        !self.impossible.get(number as usize).copied().unwrap_or(false)
    }

    /// Do these two inputs exclude each other?
    fn excludes(&self, one: u32, other: u32) -> bool {
        if one == other {
            return false;
        }
        let group = self.group(one);
        if group != 0 && group == self.group(other) {
            return true;
        }
        matches!((self.role(one), self.role(other)), (Some(one), Some(other)) if one == other)
    }
}

/// A graph of gates that grows.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// How many numbers are the constant and the inputs.
    inputs: u32,
    /// Where the signals of each gate end.
    ends: Vec<u32>,
    signals: Vec<Signal>,
    known: FxHashMap<Box<[Signal]>, u32>,
    pub(crate) knowledge: Knowledge,
}

/// Gates with more inputs than this are not looked into when they stand in another gate.
const WIDEST_INSPECTED: usize = 24;

impl Graph {
    /// A graph with no gates; `inputs` counts the constant too.
    pub(crate) fn new(inputs: u32, knowledge: Knowledge) -> Graph {
        Graph { inputs, ends: Vec::new(), signals: Vec::new(), known: FxHashMap::default(), knowledge }
    }

    /// The first number that is a gate.
    pub(crate) fn first_gate(&self) -> u32 {
        self.inputs
    }

    /// One past the last gate.
    pub(crate) fn end(&self) -> u32 {
        self.inputs + self.ends.len() as u32
    }

    /// The conjunction that a gate stands for; empty for an input.
    pub(crate) fn gate(&self, number: u32) -> &[Signal] {
        if number < self.inputs {
            return &[];
        }
        let index = (number - self.inputs) as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.signals[start..self.ends[index] as usize]
    }

    /// Any of the signals.
    pub(crate) fn any(&mut self, signals: &[Signal]) -> Signal {
        let mut negated: Vec<Signal> = signals.iter().map(|signal| signal.negated()).collect();
        self.conjunction(&mut negated).negated()
    }

    /// All of the signals.
    pub(crate) fn all(&mut self, signals: &[Signal]) -> Signal {
        self.conjunction(&mut signals.to_vec())
    }

    fn conjunction(&mut self, signals: &mut Vec<Signal>) -> Signal {
        if !self.tidy(signals) {
            return Signal::FALSE;
        }
        // What one signal says about another may change it, which may say something about a third: twice is enough in
        // practice, and stopping early is only a lost chance.
        for _ in 0..2 {
            let mut changed = false;
            match self.complement_moves(signals) {
                Some(true) => changed = true,
                Some(false) => {}
                None => return Signal::FALSE,
            }
            match self.drop_implied(signals) {
                Some(dropped) => changed |= dropped,
                None => return Signal::FALSE,
            }
            if !changed {
                break;
            }
            if !self.tidy(signals) {
                return Signal::FALSE;
            }
        }
        self.intern(signals)
    }

    /// The gate of exactly these signals, sorted and without contradictions.
    fn intern(&mut self, signals: &[Signal]) -> Signal {
        match signals {
            [] => Signal::TRUE,
            [only] => *only,
            _ => {
                if let Some(&number) = self.known.get(signals) {
                    return Signal::of(number);
                }
                let number = self.end();
                self.signals.extend_from_slice(signals);
                self.ends.push(self.signals.len() as u32);
                self.known.insert(signals.into(), number);
                Signal::of(number)
            }
        }
    }

    /// Sorts and leaves out doubles; false if it finds a contradiction.
    fn tidy(&self, signals: &mut Vec<Signal>) -> bool {
        signals.sort_unstable();
        signals.dedup();
        if signals.first() == Some(&Signal::TRUE) {
            signals.remove(0);
        }
        if signals.first() == Some(&Signal::FALSE) {
            return false;
        }
        signals.windows(2).all(|pair| pair[0].atom() != pair[1].atom())
    }

    /// Where most moves of a role are excluded, one of the others is done: the shorter list is kept. `None` if nothing is
    /// left to do.
    fn complement_moves(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
        let mut changed = false;
        for role in 0..self.knowledge.first_move.len().saturating_sub(1) {
            let (first, end) = (self.knowledge.first_move[role], self.knowledge.first_move[role + 1]);
            let from = signals.partition_point(|signal| signal.atom() < first);
            if signals.get(from).is_none_or(|signal| signal.atom() >= end) {
                continue;
            }
            let to = signals.partition_point(|signal| signal.atom() < end);
            let excluded = signals[from..to].iter().filter(|signal| signal.is_negated()).count();
            let all = (first..end).filter(|&number| self.knowledge.possible(number)).count();
            if excluded != to - from || excluded == 0 || 2 * excluded <= all {
                continue;
            }
            if excluded >= all {
                return None;
            }
            let others = (first..end).filter(|&number| self.knowledge.possible(number));
            let mut others: Vec<Signal> = others.map(|number| Signal::of(number).negated()).collect();
            others.retain(|signal| signals[from..to].binary_search(signal).is_err());
            signals.drain(from..to);
            let one = self.intern(&others).negated();
            signals.push(one);
            signals.sort_unstable();
            changed = true;
        }
        Some(changed)
    }

    /// Leaves out signals that the others imply. `None` if they contradict each other.
    fn drop_implied(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
        let before = signals.len();
        if before < 2 {
            return Some(false);
        }
        let mut changed = false;
        // What follows from each signal alone.
        let mut index = 0;
        while index < signals.len() {
            let signal = signals[index];
            if let Some(verdicts) = self.judge_others(signal, signals) {
                let mut verdicts = verdicts.into_iter();
                let mut contradiction = false;
                let mut kept_before = 0;
                let mut position = 0;
                signals.retain(|_| {
                    let verdict = verdicts.next().unwrap_or(Verdict::Open);
                    contradiction |= verdict == Verdict::Fails;
                    let keep = verdict != Verdict::Holds;
                    kept_before += usize::from(keep && position < index);
                    position += 1;
                    keep
                });
                if contradiction {
                    return None;
                }
                index = kept_before;
            }
            index += 1;
        }
        changed |= signals.len() != before;
        // Disjunctions, shortened or settled by the rest.
        for index in 0..signals.len() {
            let signal = signals[index];
            if !signal.is_negated() || signal.atom() < self.inputs {
                continue;
            }
            if self.gate(signal.atom()).len() > WIDEST_INSPECTED {
                continue;
            }
            let parts = self.gate(signal.atom()).to_vec();
            let mut rest = parts.clone();
            let mut settled = false;
            rest.retain(|&part| match self.follows(part, signals, index) {
                Verdict::Holds => false,
                Verdict::Fails => {
                    settled = true;
                    false
                }
                Verdict::Open => true,
            });
            if settled {
                signals[index] = Signal::TRUE;
                changed = true;
            } else if rest.len() < parts.len() {
                if rest.is_empty() {
                    return None;
                }
                let shorter = self.intern(&rest);
                signals[index] = shorter.negated();
                changed = true;
            }
        }
        Some(changed)
    }

    /// What a signal, if it holds, says about the others of a conjunction; `None` if it says nothing.
    fn judge_others(&self, signal: Signal, signals: &[Signal]) -> Option<Vec<Verdict>> {
        if signal.is_negated() {
            return None;
        }
        let number = signal.atom();
        let inputs_known = self.knowledge.role(number).is_some() || self.knowledge.group(number) != 0;
        if number < self.inputs && !inputs_known {
            return None;
        }
        let verdicts: Vec<Verdict> = signals
            .iter()
            .map(|&other| if other == signal { Verdict::Open } else { self.consequence(signal, other) })
            .collect();
        verdicts.iter().any(|&verdict| verdict != Verdict::Open).then_some(verdicts)
    }

    /// What one signal says about another.
    fn consequence(&self, known: Signal, asked: Signal) -> Verdict {
        if known == asked {
            return Verdict::Holds;
        }
        if known == asked.negated() {
            return Verdict::Fails;
        }
        if known.is_negated() {
            return Verdict::Open;
        }
        let verdict = |holds: bool| if holds != asked.is_negated() { Verdict::Holds } else { Verdict::Fails };
        let (number, other) = (known.atom(), asked.atom());
        if number < self.inputs {
            if self.knowledge.excludes(number, other) {
                return verdict(false);
            }
            if self.knowledge.role(number).is_some() {
                let implied = self.knowledge.implied(number);
                if implied.binary_search(&asked).is_ok() {
                    return Verdict::Holds;
                }
                if implied.binary_search(&asked.negated()).is_ok() {
                    return Verdict::Fails;
                }
                if other < self.inputs && self.knowledge.group(other) != 0 {
                    let group = self.knowledge.group(other);
                    if implied.iter().any(|fact| {
                        !fact.is_negated() && fact.atom() != other && self.knowledge.group(fact.atom()) == group
                    }) {
                        return verdict(false);
                    }
                }
            }
            return Verdict::Open;
        }
        let parts = self.gate(number);
        if parts.binary_search(&asked).is_ok() {
            return Verdict::Holds;
        }
        if parts.binary_search(&asked.negated()).is_ok() {
            return Verdict::Fails;
        }
        Verdict::Open
    }

    /// What a conjunction but for the one at `except` says about a signal.
    fn follows(&self, asked: Signal, signals: &[Signal], except: usize) -> Verdict {
        for (index, &signal) in signals.iter().enumerate() {
            if index == except {
                continue;
            }
            let verdict = self.consequence(signal, asked);
            if verdict != Verdict::Open {
                return verdict;
            }
        }
        Verdict::Open
    }

    /// Any of several conjunctions, with what they share taken out of them.
    pub(crate) fn any_of_all(&mut self, mut terms: Vec<Vec<Signal>>) -> Signal {
        terms.retain_mut(|term| self.tidy(term));
        terms.sort_unstable();
        terms.dedup();
        self.factored(terms)
    }

    /// Takes out the signal that most of the conjunctions share, again and again.
    fn factored(&mut self, terms: Vec<Vec<Signal>>) -> Signal {
        let mut alternatives = Vec::new();
        let mut rest = terms;
        loop {
            if rest.iter().any(Vec::is_empty) {
                return Signal::TRUE;
            }
            let mut counts: FxHashMap<Signal, u32> = FxHashMap::default();
            if rest.len() > 1 {
                rest.iter().flatten().for_each(|&signal| *counts.entry(signal).or_default() += 1);
            }
            // Of equals the smallest number, which puts facts before moves: what is left after the facts are taken out
            // are moves only, which other facts need as well.
            let best = counts.iter().map(|(&signal, &count)| (count, std::cmp::Reverse(signal))).max();
            let Some((2.., std::cmp::Reverse(best))) = best else { break };
            let (with, without): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|term| term.binary_search(&best).is_ok());
            let quotient = with
                .into_iter()
                .map(|mut term| {
                    term.retain(|&signal| signal != best);
                    term
                })
                .collect();
            let quotient = self.factored(quotient);
            let product = self.all(&[best, quotient]);
            alternatives.push(product);
            rest = without;
        }
        for term in rest {
            let gate = self.all(&term);
            alternatives.push(gate);
        }
        self.any(&alternatives)
    }
}

/// What is known of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Holds,
    Fails,
    Open,
}
