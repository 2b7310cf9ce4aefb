//! Gates that are equal are one gate.
//!
//! Every gate is a conjunction of signals, each perhaps negated; a disjunction is a negated conjunction of negations. A
//! gate is made through [`Graph::all`], which knows that a role does exactly one move in a step, that it is a legal
//! one, and which facts exclude each other, and leaves out what follows from the rest.

use rustc_hash::FxHashMap;

use crate::Signal;
use crate::network::turn::Turns;

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
    /// Whose turn it is, if that was proved.
    pub(crate) turns: Option<Turns>,
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
        if self.in_turn(one) && self.in_turn(other) {
            return true;
        }
        matches!((self.role(one), self.role(other)), (Some(one), Some(other)) if one == other)
    }

    /// Can the move only be done in its role's turn? No two such moves are done in one step, but always one is.
    fn in_turn(&self, number: u32) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.moves.get(number as usize).copied().unwrap_or(false))
    }

    /// The possible moves of a role that are not bound to its turn.
    fn out_of_turn(&self, role: usize) -> impl Iterator<Item = u32> + '_ {
        (self.first_move[role]..self.first_move[role + 1]).filter(|&move_| self.possible(move_) && !self.in_turn(move_))
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
            changed |= self.merge_turns(signals);
            match self.complement_nested(signals) {
                Some(complemented) => changed |= complemented,
                None => return Signal::FALSE,
            }
            for complement in [Graph::complement_turn, Graph::complement_moves] {
                match complement(self, signals) {
                    Some(complemented) => changed |= complemented,
                    None => return Signal::FALSE,
                }
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
            if signals[from..to].iter().any(|signal| !self.knowledge.possible(signal.atom())) {
                continue;
            }
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

    /// The same over the moves of all roles that can only be done in turn, for one of them is done in every step.
    fn complement_turn(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
        let Some(turns) = &self.knowledge.turns else { return Some(false) };
        let bound = |signal: &Signal| self.knowledge.in_turn(signal.atom());
        let excluded = signals.iter().filter(|signal| bound(signal)).count();
        if 2 * excluded <= turns.count || signals.iter().any(|signal| bound(signal) && !signal.is_negated()) {
            return Some(false);
        }
        let moves = (0..turns.moves.len() as u32).filter(|&number| turns.moves[number as usize]);
        let others: Vec<Signal> = moves
            .filter(|&number| self.knowledge.possible(number))
            .map(|number| Signal::of(number).negated())
            .filter(|signal| signals.binary_search(signal).is_err())
            .collect();
        if others.is_empty() {
            return None;
        }
        signals.retain(|signal| !self.knowledge.in_turn(signal.atom()));
        let one = self.intern(&others).negated();
        signals.push(one);
        signals.sort_unstable();
        Some(true)
    }

    /// The moves that a signal excludes, if that is all it says; through gates within gates.
    fn excluded(&self, signal: Signal, moves: &mut Vec<u32>) -> bool {
        let number = signal.atom();
        if number < self.inputs {
            moves.push(number);
            return signal.is_negated() && self.knowledge.role(number).is_some();
        }
        !signal.is_negated()
            && moves.len() < 1 << 16
            && self.gate(number).iter().all(|&part| self.excluded(part, moves))
    }

    /// Where gates within gates exclude all moves but a few, one of the few is done. `None` if none is left.
    fn complement_nested(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
        if !signals.iter().any(|signal| signal.atom() >= self.inputs && !signal.is_negated()) {
            return Some(false);
        }
        let mut moves = Vec::new();
        let mut pure = Vec::new();
        for &signal in signals.iter() {
            let before = moves.len();
            if self.excluded(signal, &mut moves) {
                pure.push(signal);
            } else {
                moves.truncate(before);
            }
        }
        moves.sort_unstable();
        moves.dedup();
        let Some(&first) = moves.first() else { return Some(false) };
        let family: Vec<u32> = if moves.iter().all(|&number| self.knowledge.in_turn(number)) {
            let turns = self.knowledge.turns.as_ref().map_or(&[][..], |turns| &turns.moves);
            (0..turns.len() as u32).filter(|&number| turns[number as usize]).collect()
        } else {
            let role = self.knowledge.role(first).filter(|_| {
                let roles = moves.iter().map(|&number| self.knowledge.role(number));
                roles.collect::<Vec<_>>().windows(2).all(|pair| pair[0] == pair[1])
            });
            let Some(role) = role else { return Some(false) };
            (self.knowledge.first_move[role]..self.knowledge.first_move[role + 1]).collect()
        };
        let left = family.into_iter().filter(|number| moves.binary_search(number).is_err());
        let left: Vec<u32> = left.filter(|&number| self.knowledge.possible(number)).collect();
        if left.is_empty() {
            return None;
        }
        if left.len() > pure.len() {
            return Some(false);
        }
        let others: Vec<Signal> = left.iter().map(|&number| Signal::of(number).negated()).collect();
        signals.retain(|signal| pure.binary_search(signal).is_err());
        let one = self.intern(&others).negated();
        signals.push(one);
        signals.sort_unstable();
        Some(true)
    }

    /// Any of some moves of one role and any of some of another: one of the two moves is bound to its turn and the other
    /// is what its role does meanwhile. Where that is among the moves, the first alone says it.
    fn merge_turns(&mut self, signals: &mut Vec<Signal>) -> bool {
        let Some(turns) = &self.knowledge.turns else { return false };
        if turns.facts.iter().filter(|&&fact| fact != 0).count() != 2 {
            return false;
        }
        let moves_of = |signal: Signal| {
            let parts = if signal.is_negated() { self.gate(signal.atom()) } else { &[] };
            let role = self.knowledge.role(parts.first()?.atom())?;
            let own = |part: &Signal| part.is_negated() && self.knowledge.role(part.atom()) == Some(role);
            (turns.facts[role] != 0 && parts.iter().all(own)).then_some((role, parts))
        };
        let mut found: Vec<(usize, usize, &[Signal])> = Vec::new();
        for (index, &signal) in signals.iter().enumerate() {
            if let Some((role, parts)) = moves_of(signal)
                && found.iter().all(|&(_, other, _)| other != role)
            {
                found.push((index, role, parts));
            }
        }
        let [(one_index, one_role, one), (other_index, other_role, other)] = found[..] else { return false };
        let has_all = |role: usize, parts: &[Signal]| {
            let has = |number: u32| parts.binary_search(&Signal::of(number).negated()).is_ok();
            let (mut any, mut all) = (false, true);
            self.knowledge.out_of_turn(role).for_each(|number| (any, all) = (any | has(number), all & has(number)));
            if any == all { Some(all) } else { None }
        };
        let (Some(one_rests), Some(other_rests)) = (has_all(one_role, one), has_all(other_role, other)) else {
            return false;
        };
        let bound = |part: &&Signal| self.knowledge.in_turn(part.atom());
        let mut merged: Vec<Signal> = Vec::new();
        if other_rests {
            merged.extend(one.iter().filter(bound));
        }
        if one_rests {
            merged.extend(other.iter().filter(bound));
        }
        merged.sort_unstable();
        signals.remove(one_index.max(other_index));
        signals.remove(one_index.min(other_index));
        let any = self.intern(&merged).negated();
        signals.push(any);
        signals.sort_unstable();
        true
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
