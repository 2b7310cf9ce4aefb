//! Follows one match with the instructions of the lanes, all lanes alike, to compare the lanes with other engines.

use pulp::Scalar;

use crate::Network;
use crate::lanes::block::Values;
use crate::lanes::program::{Operand, Program, compile_all_facts};

/// The lanes' program with a current state.
pub struct Lane {
    program: Program,
    words: Vec<u64>,
    facts: Vec<u64>,
    /// By role and move: its index among the program's choices.
    places: Vec<Vec<Option<usize>>>,
}

impl Lane {
    /// A lane in the initial state of the network's game.
    pub fn new(network: &Network) -> Lane {
        let program = compile_all_facts(network);
        let places = (0..network.roles()).map(|role| {
            let mut count = 0;
            let place = |&legal: &crate::Signal| {
                let possible = legal != crate::Signal::FALSE;
                count += usize::from(possible);
                possible.then_some(count - usize::from(possible))
            };
            network.legal(role).iter().map(place).collect()
        });
        let places = places.collect();
        let words = vec![0; program.slots];
        let mut lane = Lane { program, words, facts: Vec::new(), places };
        lane.load(network.initial());
        lane
    }

    /// Goes to a state, one bit per fact.
    pub fn load(&mut self, facts: &[u64]) {
        self.facts = facts.to_vec();
        self.words[0] = !0;
        for &(fact, slot) in &self.program.facts {
            let bit = facts[fact as usize / 64] >> (fact % 64) & 1;
            self.words[slot as usize] = 0u64.wrapping_sub(bit);
        }
        let mut values = Values::new(Scalar::new(), &mut self.words, 1);
        values.evaluate(&self.program.state);
        values.evaluate(&self.program.goal);
    }

    /// The current state, one bit per fact.
    pub fn facts(&self) -> &[u64] {
        &self.facts
    }

    /// Whether the match is over.
    pub fn is_terminal(&self) -> bool {
        self.holds(self.program.terminal)
    }

    /// The legal moves of a role, ascending.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = usize> + '_ {
        let places = self.places[role].iter().enumerate();
        let legal = move |place: usize| self.holds(self.program.choices[role][place].legal);
        places.filter(move |(_, place)| place.is_some_and(legal)).map(|(number, _)| number)
    }

    /// The goals that hold in the current state, as role and value.
    pub fn goals(&self) -> impl Iterator<Item = (usize, i32)> + '_ {
        let goals = self.program.goals.iter().enumerate();
        let goals = goals.flat_map(|(role, goals)| goals.iter().map(move |&(value, when)| (role, value, when)));
        goals.filter(|&(_, _, when)| self.holds(when)).map(|(role, value, _)| (role, value))
    }

    /// Makes one legal move for each role, in order.
    pub fn advance(&mut self, joint: &[usize]) {
        for ((choices, places), &number) in self.program.choices.iter().zip(&self.places).zip(joint) {
            for (place, choice) in choices.iter().enumerate() {
                if let Some(done) = choice.done {
                    self.words[done as usize] = if places[number] == Some(place) { !0 } else { 0 };
                }
            }
        }
        let mut values = Values::new(Scalar::new(), &mut self.words, 1);
        values.evaluate(&self.program.next);
        for &(from, to) in self.program.spare.iter().chain(&self.program.moved) {
            let value = values.read(from, 0);
            values.write(to, 0, value);
        }
        let mut facts = vec![0; self.facts.len()];
        for &(fact, slot) in &self.program.facts {
            facts[fact as usize / 64] |= (self.words[slot as usize] & 1) << (fact % 64);
        }
        self.load(&facts);
    }

    fn holds(&self, operand: Operand) -> bool {
        (self.words[(operand >> 1) as usize] & 1 == 1) != (operand & 1 == 1)
    }
}
