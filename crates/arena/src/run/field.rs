//! The games and pairings of an experiment, ready to play.

use std::sync::Arc;
use std::time::Duration;

use tesuji_core::{InputError, Spec};

use crate::experiment::{Experiment, Pairing};
use crate::{AnyGame, Entrant, Ring};

/// A decision forfeits its match when it takes longer than twice its time budget plus this, because machines pause.
const OVERTIME_GRACE: Duration = Duration::from_secs(1);

/// The rings of a thread, one for each pairing.
pub(super) type Rings = Vec<Option<Box<dyn Ring>>>;

/// The games and pairings of an experiment.
pub(crate) struct Field {
    pub games: Vec<Arc<dyn AnyGame>>,
    pub pairings: Vec<Pairing>,
    /// The seat plans of each pairing.
    pub seatings: Vec<Vec<Vec<usize>>>,
    entrants: Vec<Entrant>,
}

impl Field {
    /// Refuses agents that cannot play.
    pub(crate) fn new(experiment: &Experiment) -> Result<Field, InputError> {
        let games = experiment.games.iter().map(|entered| Arc::clone(&entered.game)).collect();
        let pairings = experiment.pairings_in_games();
        let entrants: Vec<Entrant> = experiment
            .agents
            .iter()
            .map(|agent| Entrant {
                address: agent.name.address.clone(),
                budget: agent.budget,
                start: experiment.start,
                limit: experiment.overtime.or(agent.budget.time.map(|time| time * 2 + OVERTIME_GRACE)),
            })
            .collect();
        let mut field = Field { games, pairings, seatings: Vec::new(), entrants };
        for pairing in &field.pairings {
            let ring = field.games[pairing.game].ring(&field.entrants_of(pairing))?;
            field.seatings.push(ring.seatings().to_vec());
        }
        Ok(field)
    }

    fn entrants_of(&self, pairing: &Pairing) -> Vec<Entrant> {
        pairing.agents.iter().map(|&agent| self.entrants[agent].clone()).collect()
    }

    /// The ring of a pairing on this thread, built when it is first needed.
    pub(super) fn ring<'a>(&self, rings: &'a mut Rings, pairing: u32) -> Result<&'a mut Box<dyn Ring>, InputError> {
        match &mut rings[pairing as usize] {
            Some(ring) => Ok(ring),
            slot => {
                let pairing = &self.pairings[pairing as usize];
                Ok(slot.insert(self.games[pairing.game].ring(&self.entrants_of(pairing))?))
            }
        }
    }

    /// The game of a pairing.
    pub(crate) fn spec(&self, pairing: u32) -> &Spec {
        self.games[self.pairings[pairing as usize].game].spec()
    }
}
