//! The ground rules during simplification: by head, with what is known about atoms.

use super::instances::Instances;
use super::limits::{Meter, TooLarge};
use crate::Signal;

/// Rules by the atom they define.
pub(super) struct RuleBase {
    /// The number of each relation's first atom.
    pub(super) first: Vec<u32>,
    pub(super) atoms: u32,
    /// What an atom equals: itself, another atom, or a constant.
    pub(super) same: Vec<Signal>,
    heads: Vec<u32>,
    clauses: Vec<u32>,
    ends: Vec<u32>,
    body: Vec<Signal>,
    /// The rules in the order of their heads, and where the rules of each head begin.
    order: Vec<u32>,
    starts: Vec<u32>,
}

impl RuleBase {
    pub(super) fn new(instances: Instances, meter: &mut Meter) -> Result<RuleBase, TooLarge> {
        let Instances { first, atoms, rules, clauses } = instances;
        let mut base = RuleBase {
            first,
            atoms,
            same: (0..atoms).map(Signal::of).collect(),
            heads: Vec::new(),
            clauses,
            ends: vec![0],
            body: Vec::new(),
            order: Vec::new(),
            starts: Vec::new(),
        };
        meter.work(rules.conditions())?;
        for (head, body) in rules.iter() {
            base.heads.push(head);
            base.body.extend_from_slice(body);
            base.ends.push(base.body.len() as u32);
        }
        base.sort();
        Ok(base)
    }

    /// Sorts the rules by head, then by body, and drops duplicates.
    ///
    /// Heads are small numbers: rules are first put into the bucket of their head, in linear time. Buckets are short.
    fn sort(&mut self) {
        let mut starts = vec![0; self.atoms as usize + 1];
        self.heads.iter().for_each(|&head| starts[head as usize + 1] += 1);
        for atom in 0..self.atoms as usize {
            starts[atom + 1] += starts[atom];
        }
        let mut next: Vec<u32> = starts.clone();
        let mut order = vec![0; self.heads.len()];
        for (rule, &head) in (0..).zip(&self.heads) {
            order[next[head as usize] as usize] = rule;
            next[head as usize] += 1;
        }
        let mut kept = 0;
        for atom in 0..self.atoms as usize {
            let bucket = starts[atom] as usize..starts[atom + 1] as usize;
            starts[atom] = kept as u32;
            order[bucket.clone()].sort_by(|&one, &other| {
                let key = |rule: u32| (self.body(rule).len(), self.body(rule));
                key(one).cmp(&key(other))
            });
            let first = kept;
            for place in bucket {
                let rule = order[place];
                if kept == first || self.body(order[kept - 1]) != self.body(rule) {
                    order[kept] = rule;
                    kept += 1;
                }
            }
        }
        starts[self.atoms as usize] = kept as u32;
        order.truncate(kept);
        self.order = order;
        self.starts = starts;
    }

    pub(super) fn rules_of(&self, atom: u32) -> &[u32] {
        &self.order[self.starts[atom as usize] as usize..self.starts[atom as usize + 1] as usize]
    }

    pub(super) fn body(&self, rule: u32) -> &[Signal] {
        &self.body[self.ends[rule as usize] as usize..self.ends[rule as usize + 1] as usize]
    }

    pub(super) fn head(&self, rule: u32) -> u32 {
        self.heads[rule as usize]
    }

    /// The number of rules. Duplicates count until they are replaced.
    pub(super) fn rule_count(&self) -> usize {
        self.heads.len()
    }

    /// Replaces all rules.
    pub(super) fn replace(&mut self, draft: Draft) {
        self.heads = draft.heads;
        self.clauses = draft.clauses;
        self.body = draft.body;
        self.ends = std::iter::once(0).chain(draft.ends).collect();
        self.sort();
    }

    /// Resolves chains of names.
    pub(super) fn shorten_names(&mut self) {
        let mut seen = vec![false; self.atoms as usize];
        let mut path = Vec::new();
        for atom in 0..self.atoms {
            let mut end = atom;
            while self.same[end as usize].atom() != end && !std::mem::replace(&mut seen[end as usize], true) {
                path.push(end);
                end = self.same[end as usize].atom();
            }
            // The names after `end` are resolved already, unless they lead back into the path. Such a cycle has no
            // support but itself, so it is false.
            if path.contains(&end) {
                self.same[end as usize] = Signal::FALSE;
            }
            while let Some(named) = path.pop() {
                let next = self.same[named as usize];
                let value = self.same[next.atom() as usize];
                self.same[named as usize] = if next.is_negated() { value.negated() } else { value };
            }
        }
    }

    pub(super) fn clause(&self, rule: u32) -> u32 {
        self.clauses[rule as usize]
    }

    /// The relation and tuple of an atom.
    pub(super) fn tuple(&self, atom: u32) -> Option<(usize, u32)> {
        // Static relations have no atoms: their first number is 0.
        let relations = self.first.iter().enumerate().filter(|(_, first)| (1..=atom).contains(*first));
        relations.max_by_key(|(_, first)| **first).map(|(relation, first)| (relation, atom - first))
    }

    /// What an atom equals.
    pub(super) fn resolve(&self, atom: u32) -> Signal {
        self.same[atom as usize]
    }
}

/// Rules being collected for a [`RuleBase`].
#[derive(Default)]
pub(super) struct Draft {
    heads: Vec<u32>,
    clauses: Vec<u32>,
    ends: Vec<u32>,
    body: Vec<Signal>,
}

impl Draft {
    pub(super) fn push(&mut self, head: u32, clause: u32, body: &[Signal]) {
        self.heads.push(head);
        self.clauses.push(clause);
        self.body.extend_from_slice(body);
        self.ends.push(self.body.len() as u32);
    }
}
