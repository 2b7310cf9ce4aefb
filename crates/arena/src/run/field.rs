//! The games and pairings of an experiment, ready to play.

use std::sync::Arc;
use std::time::Duration;

use tesuji_core::{InputError, Spec};

use crate::experiment::{Experiment, Pairing, Unit};
use crate::store::StoredMatch;
use crate::{AnyGame, Entrant, Ring, seatings};

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
    /// Refuses numbers of agents that do not fit a game. Agents are built when they play.
    pub(crate) fn new(experiment: &Experiment) -> Result<Field, InputError> {
        let games: Vec<Arc<dyn AnyGame>> = experiment.games.iter().map(|entered| Arc::clone(&entered.game)).collect();
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
        let plans = |pairing: &Pairing| -> Result<Vec<Vec<usize>>, InputError> {
            let mut plans = seat_plans(games[pairing.game].spec(), pairing.agents.len())?;
            // The first plan is the order of the pairing.
            plans.truncate(if experiment.fixed_seats { 1 } else { plans.len() });
            Ok(plans)
        };
        let seatings = pairings.iter().map(plans).collect::<Result<_, _>>()?;
        Ok(Field { games, pairings, seatings, entrants })
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

    /// The greatest number of matches in a round.
    pub(super) fn longest_round(&self) -> u64 {
        self.seatings.iter().map(|plans| plans.len() as u64).max().unwrap_or(0)
    }

    /// How many matches a round of this pairing has.
    pub(super) fn round(&self, unit: Unit) -> u64 {
        self.seatings[unit.pairing as usize].len() as u64
    }

    /// Is a stored match one that this experiment can have? Stores without checksums may hold anything.
    pub(crate) fn check(&self, row: &StoredMatch) -> Result<(), InputError> {
        let Unit { pairing, pair } = row.unit;
        let plan = self.seatings.get(pairing as usize).and_then(|plans| plans.get(row.seating));
        let seats = plan.map_or(0, Vec::len);
        let fits = seats > 0
            && row.payoffs.len() == seats
            && row.payoffs.iter().all(|payoff| payoff.is_finite())
            && row.foul.as_ref().is_none_or(|(seat, _)| *seat < seats)
            && row.decisions.iter().all(|decision| decision.player.index() < seats);
        let message =
            || format!("match {} of pair {pair} in pairing {pairing} does not fit its experiment", row.seating);
        if fits { Ok(()) } else { Err(InputError::new(message())) }
    }
}

/// The seat plans of a round with so many agents; refuses numbers of agents that do not fit the game.
pub(crate) fn seat_plans(spec: &Spec, agents: usize) -> Result<Vec<Vec<usize>>, InputError> {
    let seats = spec.players.len();
    if agents != seats && agents != 2 {
        let message = format!("`{}` is for {seats} player(s), got {agents} agent(s)", spec.name);
        return Err(InputError::new(message).with_help(format!("one agent for each of: {}", spec.players.join(", "))));
    }
    Ok(seatings(agents, seats))
}
