//! The network engine as a referee.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tesuji_core::InputError;

use super::{Referee, View, tidy};
use crate::{Ground, Machine, Network, Symbols};

/// A machine that follows one match and knows the texts of its bits.
pub struct MachineReferee {
    machine: Machine,
    start: Vec<u64>,
    roles: Vec<String>,
    facts: Vec<String>,
    moves: Vec<Vec<String>>,
    /// The number of a move by its text in lower case, for each role.
    numbers: Vec<FxHashMap<String, usize>>,
}

impl MachineReferee {
    /// Follows a match from its first state.
    pub fn new(ground: &Ground, network: Arc<Network>, symbols: &Symbols) -> MachineReferee {
        let machine = Machine::new(network);
        let texts = |terms: &[crate::GroundTerm]| -> Vec<String> {
            terms.iter().map(|&term| ground.terms.text(term, symbols)).collect()
        };
        let moves: Vec<Vec<String>> = ground.moves.iter().map(|moves| texts(moves)).collect();
        let number = |moves: &Vec<String>| moves.iter().enumerate().map(|(n, text)| (text.to_lowercase(), n)).collect();
        MachineReferee {
            start: machine.facts().to_vec(),
            machine,
            roles: texts(&ground.roles),
            facts: texts(&ground.facts),
            numbers: moves.iter().map(number).collect(),
            moves,
        }
    }
}

impl Referee for MachineReferee {
    fn engine(&self) -> &str {
        "network"
    }

    fn roles(&self) -> Vec<String> {
        self.roles.clone()
    }

    fn restart(&mut self) -> Result<(), InputError> {
        self.machine.load(&self.start);
        Ok(())
    }

    fn view(&mut self) -> Result<View, InputError> {
        let bits = self.machine.facts();
        let holds = |fact: usize| bits[fact / 64] >> (fact % 64) & 1 == 1;
        let mut facts: Vec<String> =
            self.facts.iter().enumerate().filter(|(fact, _)| holds(*fact)).map(|(_, text)| text.clone()).collect();
        facts.sort_unstable();
        let terminal = self.machine.is_terminal();
        let mut legal = vec![Vec::new(); self.roles.len()];
        if !terminal {
            for (role, legal) in legal.iter_mut().enumerate() {
                legal.extend(self.machine.legal(role).map(|number| self.moves[role][number].clone()));
                legal.sort_unstable();
            }
        }
        let mut goals = vec![Vec::new(); self.roles.len()];
        for (role, value) in self.machine.goals() {
            goals[role].push(value);
        }
        goals.iter_mut().for_each(|goals| {
            goals.sort_unstable();
            goals.dedup();
        });
        Ok(View { facts, legal, terminal, goals })
    }

    fn step(&mut self, joint: &[String]) -> Result<(), InputError> {
        if joint.len() != self.roles.len() {
            return Err(InputError::new(format!("{} moves for {} roles", joint.len(), self.roles.len())));
        }
        let mut numbers = Vec::with_capacity(joint.len());
        for (text, known) in joint.iter().zip(&self.numbers) {
            let number = known.get(&tidy(text).to_lowercase());
            numbers.push(*number.ok_or_else(|| InputError::new(format!("`{text}` is nothing that these rules know")))?);
        }
        self.machine.advance(&numbers);
        Ok(())
    }
}
