//! Rules without variables: what the grounder makes and the network is built from.

use crate::{GroundTerm, Terms};

/// An atom with a sign: twice the atom's number, plus 1 where it is negated. Atom 0 is true always.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Signal(pub u32);

impl Signal {
    /// Always.
    pub const TRUE: Signal = Signal(0);
    /// Never.
    pub const FALSE: Signal = Signal(1);

    /// The atom of that number, as it is.
    pub const fn of(atom: u32) -> Signal {
        Signal(atom << 1)
    }

    /// The opposite.
    pub const fn negated(self) -> Signal {
        Signal(self.0 ^ 1)
    }

    /// The atom's number.
    pub const fn atom(self) -> u32 {
        self.0 >> 1
    }

    /// Is the atom negated?
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A payoff with the condition for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Whose, by the order of role statements.
    pub role: u32,
    /// How much.
    pub value: i32,
    /// When.
    pub when: Signal,
}

/// A game without variables.
///
/// Atoms are numbered: 0 is true always; then one for each fact (does it hold in the current state?), one for each move
/// (does its role do it in this step?), then the derived ones, which the rules define. A derived atom holds if one of its
/// rules does: the least fixed point where rules go in circles. No circle goes through a negation.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The terms that the numbers below stand for.
    pub terms: Terms,
    /// The roles, in the order of their statements.
    pub roles: Vec<GroundTerm>,
    /// Everything that can ever hold in a state, a superset of what does.
    pub facts: Vec<GroundTerm>,
    /// Everything that each role can ever do, a superset of what it can.
    pub moves: Vec<Vec<GroundTerm>>,
    /// Does the fact hold in the first state? By fact.
    pub initial: Vec<bool>,
    /// How many derived atoms there are.
    pub derived: u32,
    /// What defines the derived atoms.
    pub rules: GroundRules,
    /// When each move is legal, by role and move.
    pub legal: Vec<Vec<Signal>>,
    /// When each fact holds in the next state, by fact.
    pub next: Vec<Signal>,
    /// When the match is over.
    pub terminal: Signal,
    /// The payoffs.
    pub goals: Vec<Goal>,
}

impl Ground {
    /// The atom that says that a fact holds.
    pub fn fact_atom(&self, fact: usize) -> u32 {
        1 + fact as u32
    }

    /// The atom that says that a role does a move.
    pub fn move_atom(&self, role: usize, number: usize) -> u32 {
        let before: usize = self.moves[..role].iter().map(Vec::len).sum();
        (1 + self.facts.len() + before + number) as u32
    }

    /// The first derived atom.
    pub fn first_derived(&self) -> u32 {
        (1 + self.facts.len() + self.moves.iter().map(Vec::len).sum::<usize>()) as u32
    }
}

/// Rules for derived atoms, one after the other in one array.
#[derive(Clone, Debug, Default)]
pub struct GroundRules {
    heads: Vec<u32>,
    ends: Vec<u32>,
    body: Vec<Signal>,
}

impl GroundRules {
    /// Adds a rule: `head`, a derived atom, holds if all of `body` does.
    pub fn push(&mut self, head: u32, body: impl IntoIterator<Item = Signal>) {
        self.heads.push(head);
        self.body.extend(body);
        self.ends.push(self.body.len() as u32);
    }

    /// All rules, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[Signal])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let spans = starts.zip(&self.ends).map(|(start, &end)| &self.body[start as usize..end as usize]);
        self.heads.iter().copied().zip(spans)
    }

    /// How many rules there are.
    pub fn count(&self) -> usize {
        self.heads.len()
    }

    /// How many conditions they have together.
    pub fn conditions(&self) -> usize {
        self.body.len()
    }
}
