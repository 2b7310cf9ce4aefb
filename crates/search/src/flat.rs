//! Flat Monte Carlo: play every own action out many times, keep the best. No tree.
//!
//! Covers every class of game. In a joint move the others' simultaneous actions are picked by the playout policy, as
//! though they knew nothing: the answer is a best reply to that policy, not an equilibrium.

use tesuji_core::{Game, Rng, Turn};

use crate::arithmetic::ln_count;
use crate::final_choice::{Tried, candidates, decide, forced};
use crate::pace::Pace;
use crate::{Agent, Budget, Decision, FinalChoice, Seat, Simulation, Thought};

/// Which action gets the next playout.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Allocation {
    /// Each in turn: pure Monte Carlo.
    Uniform,
    /// The greatest mean + c·√(ln N / n), N being all playouts and n those of the action; each is tried once first.
    Ucb1 {
        /// How much the unknown attracts.
        c: f64,
    },
}

/// The agent.
pub struct FlatMonteCarlo<G: Game> {
    /// Which action gets the next playout.
    pub allocation: Allocation,
    /// How a state is judged.
    pub simulation: Simulation<G>,
    /// How the action is chosen in the end.
    pub choice: FinalChoice,
    /// Its own budget; where it sets no limit, the seat's counts. Every playout counts as a node.
    pub budget: Budget,
}

impl<G: Game + 'static> Default for FlatMonteCarlo<G> {
    fn default() -> Self {
        FlatMonteCarlo {
            allocation: Allocation::Uniform,
            simulation: Simulation::default(),
            choice: FinalChoice::Mean,
            budget: Budget::default(),
        }
    }
}

impl Allocation {
    fn next(self, tried: &[Tried], playouts: u64) -> usize {
        let untried = tried.len() as u64;
        match self {
            Allocation::Uniform => (playouts % untried) as usize,
            Allocation::Ucb1 { .. } if playouts < untried => playouts as usize,
            Allocation::Ucb1 { c } => {
                let log = ln_count(u32::try_from(playouts).unwrap_or(u32::MAX));
                let score = |tried: &Tried| tried.mean() + c * (log / tried.visits as f64).sqrt();
                (1..tried.len())
                    .fold(0, |best, index| if score(&tried[index]) > score(&tried[best]) { index } else { best })
            }
        }
    }
}

impl<G: Game> Agent<G> for FlatMonteCarlo<G> {
    fn choose(&mut self, mut seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let (game, player) = (seat.game, seat.player);
        let mut actions = Vec::new();
        game.legal(seat.state, player, &mut actions);
        if let [only] = actions[..] {
            return forced(only);
        }
        let spec = game.spec();
        let movers = game.turn(seat.state).movers();
        let budget = if self.budget.is_limited() { self.budget } else { *budget };
        let mut pace = Pace::start(budget);
        let mut tried = vec![Tried::default(); actions.len()];
        let mut shares = vec![0.0; spec.players.len()];
        let mut joint = Vec::new();
        let mut playouts = 0;
        let think = |playouts, time| Thought { depth: 1, playouts, time, ..Thought::default() };
        while pace.allows(playouts, playouts, &mut seat.watcher, |time| {
            let policy = self.choice.policy(&tried);
            Thought { candidates: candidates(spec, &actions, &tried, &policy), ..think(playouts, time) }
        }) {
            let index = self.allocation.next(&tried, playouts);
            joint.clear();
            for mover in movers {
                let own = mover == player;
                joint.push(if own {
                    actions[index]
                } else {
                    self.simulation.policy.pick(game, seat.state, mover, rng)
                });
            }
            let mut state = seat.state.clone();
            game.apply(&mut state, &joint);
            self.simulation.run(game, &mut state, rng, &mut shares);
            tried[index].visits += 1;
            tried[index].total += shares[player.index()];
            playouts += 1;
        }
        let mut decision = decide(spec, self.choice, &actions, &tried, think(playouts, pace.elapsed()), rng);
        if matches!(game.turn(seat.state), Turn::Player(_)) {
            decision.thought.line = vec![vec![decision.action]];
        }
        decision
    }
}
