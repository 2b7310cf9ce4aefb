//! The rules without variables while they are simplified: by head, with what atoms were found to be.

use super::instances::Instances;
use super::limits::{Meter, TooLarge};
use crate::Signal;

/// Rules by the atom they are for.
pub(super) struct RuleBase {
    /// The number of each relation's first atom.
    pub(super) first: Vec<u32>,
    pub(super) atoms: u32,
    /// What an atom was found to be: itself, another, or a constant.
    same: Vec<Signal>,
    heads: Vec<u32>,
    clauses: Vec<u32>,
    ends: Vec<u32>,
    body: Vec<Signal>,
    /// Rules in the order of their heads, and where each head's begin.
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

    /// Sorts the rules by head, then by body, and leaves out those that are said twice.
    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.heads.len() as u32).collect();
        order.sort_by(|&one, &other| {
            let key = |rule: u32| (self.heads[rule as usize], self.body(rule).len(), self.body(rule));
            key(one).cmp(&key(other))
        });
        order.dedup_by(|one, other| {
            self.heads[*one as usize] == self.heads[*other as usize] && self.body(*one) == self.body(*other)
        });
        let mut starts = vec![0; self.atoms as usize + 1];
        order.iter().for_each(|&rule| starts[self.heads[rule as usize] as usize + 1] += 1);
        for atom in 0..self.atoms as usize {
            starts[atom + 1] += starts[atom];
        }
        self.order = order;
        self.starts = starts;
    }

    pub(super) fn rules_of(&self, atom: u32) -> &[u32] {
        &self.order[self.starts[atom as usize] as usize..self.starts[atom as usize + 1] as usize]
    }

    pub(super) fn body(&self, rule: u32) -> &[Signal] {
        &self.body[self.ends[rule as usize] as usize..self.ends[rule as usize + 1] as usize]
    }

    pub(super) fn clause(&self, rule: u32) -> u32 {
        self.clauses[rule as usize]
    }

    /// The relation and tuple of an atom.
    pub(super) fn tuple(&self, atom: u32) -> Option<(usize, u32)> {
        // Static relations have no atoms: theirs is 0.
        let relations = self.first.iter().enumerate().filter(|(_, first)| (1..=atom).contains(*first));
        relations.max_by_key(|(_, first)| **first).map(|(relation, first)| (relation, atom - first))
    }

    /// What an atom was found to be.
    pub(super) fn resolve(&self, atom: u32) -> Signal {
        self.same[atom as usize]
    }
}
