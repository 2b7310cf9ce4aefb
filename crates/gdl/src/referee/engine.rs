//! Referees for the network's engines: the machine, and one lane.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tesuji_core::InputError;

use super::{Referee, View, tidy};
use crate::{EngineKind, Ground, Lane, Machine, Network, Symbols, place_of};

/// A network engine that follows one match in its own numbers.
pub trait Follow {
    /// The name of the engine.
    const NAME: &'static str;

    /// Goes to a state, one bit per fact.
    fn load(&mut self, facts: &[u64]);
    /// The current state, one bit per fact.
    fn facts(&self) -> &[u64];
    /// Whether the match is over.
    fn is_terminal(&self) -> bool;
    /// The legal moves of a role.
    fn legal(&self, role: usize) -> Vec<usize>;
    /// The goals that hold, as role and value.
    fn goals(&mut self) -> Vec<(usize, i32)>;
    /// Makes one move for each role.
    fn advance(&mut self, joint: &[usize]);
}

macro_rules! follow {
    ($engine:ident $name:expr) => {
        impl Follow for $engine {
            const NAME: &'static str = $name;

            fn load(&mut self, facts: &[u64]) {
                $engine::load(self, facts);
            }

            fn facts(&self) -> &[u64] {
                $engine::facts(self)
            }

            fn is_terminal(&self) -> bool {
                $engine::is_terminal(self)
            }

            fn legal(&self, role: usize) -> Vec<usize> {
                $engine::legal(self, role).collect()
            }

            fn goals(&mut self) -> Vec<(usize, i32)> {
                $engine::goals(self).collect()
            }

            fn advance(&mut self, joint: &[usize]) {
                $engine::advance(self, joint);
            }
        }
    };
}

/// The name of the lanes: not an engine, but a way to run many playouts on the network at once. A match followed there
/// is one of the lanes.
pub const LANES: &str = "lanes";

follow!(Machine EngineKind::Network.name());
follow!(Lane LANES);

/// A machine as a referee.
pub type MachineReferee = EngineReferee<Machine>;

/// A lane as a referee.
pub type LaneReferee = EngineReferee<Lane>;

/// An engine that follows one match, with the texts of its facts and moves.
pub struct EngineReferee<E> {
    engine: E,
    start: Vec<u64>,
    roles: Vec<String>,
    facts: Vec<String>,
    moves: Vec<Vec<String>>,
    /// By role: the number of a move by its lower-case text.
    numbers: Vec<FxHashMap<String, usize>>,
}

impl EngineReferee<Machine> {
    /// Follows a match from the initial state.
    pub fn new(ground: &Ground, network: Arc<Network>, symbols: &Symbols) -> EngineReferee<Machine> {
        EngineReferee::with(Machine::new(network), ground, symbols)
    }
}

impl EngineReferee<Lane> {
    /// Follows a match from the initial state.
    pub fn new(ground: &Ground, network: &Network, symbols: &Symbols) -> EngineReferee<Lane> {
        EngineReferee::with(Lane::new(network), ground, symbols)
    }
}

impl<E: Follow> EngineReferee<E> {
    fn with(engine: E, ground: &Ground, symbols: &Symbols) -> EngineReferee<E> {
        let texts = |terms: &[crate::GroundTerm]| -> Vec<String> {
            terms.iter().map(|&term| ground.terms.text(term, symbols)).collect()
        };
        let moves: Vec<Vec<String>> = ground.moves.iter().map(|moves| texts(moves)).collect();
        let number = |moves: &Vec<String>| moves.iter().enumerate().map(|(n, text)| (text.clone(), n)).collect();
        EngineReferee {
            start: engine.facts().to_vec(),
            engine,
            roles: texts(&ground.roles),
            facts: texts(&ground.facts),
            numbers: moves.iter().map(number).collect(),
            moves,
        }
    }
}

impl<E: Follow> Referee for EngineReferee<E> {
    fn engine(&self) -> &str {
        E::NAME
    }

    fn roles(&self) -> Vec<String> {
        self.roles.clone()
    }

    fn restart(&mut self) -> Result<(), InputError> {
        self.engine.load(&self.start);
        Ok(())
    }

    fn view(&mut self) -> Result<View, InputError> {
        let bits = self.engine.facts();
        let holds = |fact: usize| bits[fact / 64] >> (fact % 64) & 1 == 1;
        let mut facts: Vec<String> =
            self.facts.iter().enumerate().filter(|(fact, _)| holds(*fact)).map(|(_, text)| text.clone()).collect();
        facts.sort_unstable();
        let terminal = self.engine.is_terminal();
        let mut legal = vec![Vec::new(); self.roles.len()];
        if !terminal {
            for (role, legal) in legal.iter_mut().enumerate() {
                legal.extend(self.engine.legal(role).into_iter().map(|number| self.moves[role][number].clone()));
                legal.sort_unstable();
            }
        }
        let mut goals = vec![Vec::new(); self.roles.len()];
        for (role, value) in self.engine.goals() {
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
        for ((text, known), moves) in joint.iter().zip(&self.numbers).zip(&self.moves) {
            let tidied = tidy(text);
            let number = known.get(&tidied).copied().or_else(|| place_of(&tidied, moves));
            numbers.push(number.ok_or_else(|| InputError::new(format!("`{text}` is nothing that these rules know")))?);
        }
        self.engine.advance(&numbers);
        Ok(())
    }
}
