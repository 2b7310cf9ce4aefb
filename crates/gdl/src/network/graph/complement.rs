//! Since a role makes exactly one move in a step, a long list of moves that are not made is replaced by a short list of
//! moves of which one is made.

use super::Graph;
use crate::Signal;

impl Graph {
    /// If most moves of a role are excluded, one of the others is made: keeps the shorter list. `None` if there is
    /// nothing to do.
    pub(super) fn complement_moves(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
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
            if excluded != to - from || excluded == 0 {
                continue;
            }
            // A role may have a hundred thousand moves: they are counted only as far as it matters.
            let possible = (first..end).filter(|&number| self.knowledge.possible(number));
            let all = possible.take(2 * excluded).count();
            if all == 2 * excluded {
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

    /// The same over the moves of all roles that can be made only in turn, because one of them is made in every step.
    pub(super) fn complement_turn(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
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

    /// The moves that a signal excludes, if it says nothing else; looks into nested gates.
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

    /// If nested gates exclude all moves but a few, one of the few is made. `None` if none is left.
    pub(super) fn complement_nested(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
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
        let (family, in_turn) = if moves.iter().all(|&number| self.knowledge.in_turn(number)) {
            let turns = self.knowledge.turns.as_ref().map_or(&[][..], |turns| &turns.moves);
            (0..turns.len() as u32, true)
        } else {
            let role = self.knowledge.role(first).filter(|_| {
                let roles = moves.iter().map(|&number| self.knowledge.role(number));
                roles.collect::<Vec<_>>().windows(2).all(|pair| pair[0] == pair[1])
            });
            let Some(role) = role else { return Some(false) };
            (self.knowledge.first_move[role]..self.knowledge.first_move[role + 1], false)
        };
        let family = family.filter(|&number| !in_turn || self.knowledge.in_turn(number));
        let left = family.filter(|number| moves.binary_search(number).is_err());
        // More than `pure` are not needed; there may be very many.
        let left = left.filter(|&number| self.knowledge.possible(number)).take(pure.len() + 1);
        let left: Vec<u32> = left.collect();
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

    /// Simplifies "any of some moves of one role and any of some moves of another". One of the two moves is bound to
    /// its turn, and the other is what its role does meanwhile. If that is among the moves, the first condition
    /// suffices.
    pub(super) fn merge_turns(&mut self, signals: &mut Vec<Signal>) -> bool {
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
}
