//! Ground rules (without variables): the output of the grounder, from which the network is built.

use crate::{GroundTerm, Terms};

/// An atom with a sign: twice the atom's number, plus 1 if it is negated. Atom 0 is always true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Signal(pub u32);

impl Signal {
    /// Always true.
    pub const TRUE: Signal = Signal(0);
    /// Always false.
    pub const FALSE: Signal = Signal(1);

    /// The positive signal of an atom.
    pub const fn of(atom: u32) -> Signal {
        Signal(atom << 1)
    }

    /// The negation.
    pub const fn negated(self) -> Signal {
        Signal(self.0 ^ 1)
    }

    /// The atom's number.
    pub const fn atom(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the atom is negated.
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A goal value and the condition for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The role, by the order of role statements.
    pub role: u32,
    /// The value.
    pub value: i32,
    /// The condition.
    pub when: Signal,
}

/// A game as ground rules.
///
/// Atoms are numbered: 0 is always true; then one for each fact (it holds in the current state), one for each move (its
/// role makes it in this step), then the derived atoms, which the rules define. A derived atom holds if one of its
/// rules does; recursive rules mean the least fixed point. No cycle goes through a negation. The rules assume that
/// every role makes exactly one move in a step; otherwise `next` is undefined.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The terms used below.
    pub terms: Terms,
    /// The roles, in the order of their statements.
    pub roles: Vec<GroundTerm>,
    /// All facts that can ever hold: a superset of those that do.
    pub facts: Vec<GroundTerm>,
    /// All moves that each role can ever make: a superset of those it does.
    pub moves: Vec<Vec<GroundTerm>>,
    /// By fact: whether it holds in the initial state.
    pub initial: Vec<bool>,
    /// The number of derived atoms.
    pub derived: u32,
    /// The rules that define the derived atoms.
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
    /// The atom of a fact.
    pub fn fact_atom(&self, fact: usize) -> u32 {
        1 + fact as u32
    }

    /// The atom of a role's move.
    pub fn move_atom(&self, role: usize, number: usize) -> u32 {
        let before: usize = self.moves[..role].iter().map(Vec::len).sum();
        (1 + self.facts.len() + before + number) as u32
    }

    /// The first derived atom.
    pub fn first_derived(&self) -> u32 {
        (1 + self.facts.len() + self.moves.iter().map(Vec::len).sum::<usize>()) as u32
    }
}

/// Rules for derived atoms, stored in one array.
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

    /// The number of rules.
    pub fn count(&self) -> usize {
        self.heads.len()
    }

    /// The total number of conditions.
    pub fn conditions(&self) -> usize {
        self.body.len()
    }
}
