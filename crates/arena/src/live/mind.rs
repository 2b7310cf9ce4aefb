//! Agents that think beside their match, and what they are asked.

use tesuji_core::{InputError, Player, Rng};
use tesuji_search::Budget;

use super::Occupant;
use crate::{AnyGame, DecisionText, Listener, Table};

/// The agents of a match with what they remember, at a table of their own.
pub struct Mind {
    table: Box<dyn Table>,
    steps: Vec<Vec<String>>,
}

/// What one agent has to think about.
pub struct Task {
    pub(super) player: Player,
    pub(super) budget: Budget,
    pub(super) rng: Rng,
    pub(super) steps: Vec<Vec<String>>,
    /// How often the match had been taken back when it was asked.
    pub(super) undone: u64,
}

impl Task {
    /// Who has to choose.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The steps made before the position in question.
    pub fn step(&self) -> usize {
        self.steps.len()
    }
}

impl Mind {
    /// Seats the agents at a table of their own.
    pub(super) fn new(game: &dyn AnyGame, seats: &[Occupant]) -> Result<Mind, InputError> {
        let mut table = game.table(None)?;
        for (player, occupant) in game.spec().seats().zip(seats) {
            if let Occupant::Agent { agent, .. } = occupant {
                table.seat(player, agent)?;
            }
        }
        Ok(Mind { table, steps: Vec::new() })
    }

    /// Thinks about a task. The listener hears the thought grow and answers whether to go on.
    pub fn think(&mut self, task: &mut Task, listener: Option<&mut dyn Listener>) -> Result<DecisionText, InputError> {
        let common = self.steps.iter().zip(&task.steps).take_while(|(one, two)| one == two).count();
        while self.steps.len() > common {
            self.steps.pop();
            self.table.undo();
        }
        for joint in &task.steps[common..] {
            self.table.step(joint)?;
            self.steps.push(joint.clone());
        }
        self.table.think_aloud(task.player, &task.budget, &mut task.rng, listener)
    }
}
