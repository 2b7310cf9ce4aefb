//! Implications between the signals of a conjunction, and what can be dropped because of them.

use super::Graph;
use crate::Signal;

/// Nested gates with more inputs than this are not inspected.
const WIDEST_INSPECTED: usize = 24;

impl Graph {
    /// Drops signals that the others imply. `None` if they contradict each other.
    pub(super) fn drop_implied(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
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
        // Disjunctions, shortened or settled by the rest. They are negated; what is not negated stays as it is.
        let plain: Vec<Signal> = signals.iter().copied().filter(|signal| !signal.is_negated()).collect();
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
            rest.retain(|&part| match self.follows(part, signals, index, &plain) {
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

    /// What a signal, if it holds, implies for the others of a conjunction, which is sorted; `None` if nothing.
    fn judge_others(&self, signal: Signal, signals: &[Signal]) -> Option<Vec<Verdict>> {
        if signal.is_negated() {
            return None;
        }
        let number = signal.atom();
        let inputs_known = self.knowledge.role(number).is_some() || self.knowledge.group(number) != 0;
        if number < self.inputs && !inputs_known {
            return None;
        }
        let parts = self.gate(number);
        if number >= self.inputs && parts.len() < signals.len() {
            // A disjunction of thousands of gates: its few parts are looked up, not each of the others in the parts.
            let mut verdicts = None;
            for &part in parts {
                for (wanted, verdict) in [(part, Verdict::Holds), (part.negated(), Verdict::Fails)] {
                    if let Ok(place) = signals.binary_search(&wanted) {
                        verdicts.get_or_insert_with(|| vec![Verdict::Open; signals.len()])[place] = verdict;
                    }
                }
            }
            return verdicts;
        }
        let verdicts: Vec<Verdict> = signals
            .iter()
            .map(|&other| if other == signal { Verdict::Open } else { self.consequence(signal, other) })
            .collect();
        verdicts.iter().any(|&verdict| verdict != Verdict::Open).then_some(verdicts)
    }

    /// What one signal implies for another.
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

    /// What a conjunction without the signal at `except` implies for a signal. `plain` has those of its signals that
    /// are not negated: the others imply only themselves.
    fn follows(&self, asked: Signal, signals: &[Signal], except: usize, plain: &[Signal]) -> Verdict {
        let (before, rest) = signals.split_at(except);
        for others in [before, &rest[1..]] {
            if others.contains(&asked) {
                return Verdict::Holds;
            }
            if others.contains(&asked.negated()) {
                return Verdict::Fails;
            }
        }
        let mut verdicts = plain.iter().map(|&signal| self.consequence(signal, asked));
        verdicts.find(|&verdict| verdict != Verdict::Open).unwrap_or(Verdict::Open)
    }
}

/// What is known about a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Holds,
    Fails,
    Open,
}
