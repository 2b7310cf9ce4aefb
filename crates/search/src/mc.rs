//! Flat Monte Carlo: many playouts of every own action, then the best one. No tree.
//!
//! This covers every class of game. In a joint move the playout policy picks the others' simultaneous actions: the
//! decision is a best response to that policy, not an equilibrium.
//!
//! If only time is limited, games that support batches run a batch at a time: a number of playouts of every action, or
//! of the next action. Playouts may learn from each other like those of a tree search.

use tesuji_core::{Game, Rng, Turn};

use crate::arithmetic::ln_count;
use crate::final_choice::{Tried, candidates, decide, forced};
use crate::pace::Pace;
use crate::{Agent, Budget, Decision, Failure, FinalChoice, Seat, Simulation, Thought};

/// Which action gets the next playout.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Allocation {
    /// Each in turn: pure Monte Carlo.
    Uniform,
    /// The greatest mean + c·√(ln N / n), where N counts all playouts and n those of the action; each is tried once
    /// first.
    Ucb1 {
        /// The exploration constant.
        c: f64,
    },
}

/// The agent `mc`.
pub struct Mc<G: Game> {
    /// Which action gets the next playout.
    pub allocation: Allocation,
    /// How a state is evaluated.
    pub simulation: Simulation<G>,
    /// How the final action is chosen.
    pub choice: FinalChoice,
    /// Its own budget; if it sets no limit, the seat's budget applies. Every playout counts as a node.
    pub budget: Budget,
}

impl<G: Game + 'static> Default for Mc<G> {
    fn default() -> Self {
        Mc {
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

impl<G: Game> Mc<G> {
    /// The state after the own action; at a joint move the policy picks the others' actions.
    fn after(&mut self, seat: &Seat<'_, G>, own: G::Action, joint: &mut Vec<G::Action>, rng: &mut Rng) -> G::State {
        let (game, turn) = (seat.game, seat.game.turn(seat.state));
        joint.clear();
        for mover in turn.movers() {
            joint.push(match mover == seat.player {
                true => own,
                false => self.simulation.policy.pick(game, seat.state, mover, rng),
            });
        }
        let mut state = seat.state.clone();
        self.simulation.start(game, &state);
        game.apply(&mut state, joint);
        self.simulation.note(turn, joint, &state);
        state
    }

    /// Runs a batch of playouts of one action, or of all; returns their number.
    fn run_batch(
        &mut self,
        seat: &Seat<'_, G>,
        actions: &[G::Action],
        tried: &mut [Tried],
        playouts: u64,
        rng: &mut Rng,
    ) -> u64 {
        let indices = match self.allocation {
            Allocation::Ucb1 { .. } if playouts >= tried.len() as u64 => {
                let next = self.allocation.next(tried, playouts);
                next..next + 1
            }
            _ => 0..actions.len(),
        };
        let Some(mut batch) = self.simulation.batch.take() else { return 0 };
        let of_each = batch.of_each(indices.len());
        // At a joint move the others choose again for every playout.
        let lone = matches!(seat.game.turn(seat.state), Turn::Player(_));
        let (copies, each) = if lone { (1, of_each) } else { (of_each, 1) };
        let (mut starts, mut joint) = (Vec::new(), Vec::new());
        for index in indices.clone() {
            starts.extend((0..copies).map(|_| self.after(seat, actions[index], &mut joint, rng)));
        }
        let spec = seat.game.spec();
        let players = spec.players.len();
        let mut totals = vec![0.0; starts.len() * players];
        batch.playouts.run(seat.game, &starts, each, rng, &mut totals);
        for (place, totals) in totals.chunks_exact(players).enumerate() {
            let tried = &mut tried[indices.start + place / copies as usize];
            tried.visits += u64::from(each);
            tried.total += f64::from(each) * spec.normalise(totals[seat.player.index()] / f64::from(each));
        }
        self.simulation.batch = Some(batch);
        starts.len() as u64 * u64::from(each)
    }
}

impl<G: Game> Agent<G> for Mc<G> {
    fn begin(&mut self) {
        self.simulation.begin();
    }

    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let (game, player) = (seat.game, seat.player);
        let mut actions = Vec::new();
        game.legal(seat.state, player, &mut actions);
        if let [only] = actions[..] {
            return Ok(forced(only));
        }
        let spec = game.spec();
        let budget = if self.budget.is_limited() { self.budget } else { *budget };
        let in_batches = G::BATCHES && self.simulation.runs_in_batches(&budget);
        let mut pace = Pace::start(budget);
        self.simulation.follow(&seat, false);
        let mut tried = vec![Tried::default(); actions.len()];
        let mut shares = vec![0.0; spec.players.len()];
        let mut joint = Vec::new();
        let mut playouts = 0;
        let think = |playouts, time| Thought { depth: 1, playouts, time, ..Thought::default() };
        while pace.allows(playouts, playouts, &mut seat.watcher, |time| {
            let policy = self.choice.policy(&tried);
            Thought { candidates: candidates(spec, &actions, &tried, &policy), ..think(playouts, time) }
        }) {
            if G::BATCHES && in_batches {
                playouts += self.run_batch(&seat, &actions, &mut tried, playouts, rng);
                continue;
            }
            let index = self.allocation.next(&tried, playouts);
            let mut state = self.after(&seat, actions[index], &mut joint, rng);
            self.simulation.run(game, &mut state, rng, &mut shares);
            self.simulation.observe(&shares);
            tried[index].visits += 1;
            tried[index].total += shares[player.index()];
            playouts += 1;
        }
        let mut decision = decide(spec, self.choice, &actions, &tried, think(playouts, pace.elapsed()), rng);
        decision.thought.limit = pace.limit();
        if matches!(game.turn(seat.state), Turn::Player(_)) {
            decision.thought.line = vec![vec![decision.action]];
        }
        Ok(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny_games::{Nim, Written, chance, choice, first_decision, matrix, over};

    fn agent<G: Game + 'static>(allocation: Allocation, choice: FinalChoice) -> Mc<G> {
        Mc { allocation, choice, ..Mc::default() }
    }

    #[test]
    fn uniform_allocation_splits_evenly() {
        let decision = first_decision(&Nim::new(7), &mut Mc::default(), 0, 1000, 1);
        let mut visits: Vec<u64> = decision.thought.candidates.iter().map(|candidate| candidate.visits).collect();
        visits.sort_unstable();
        assert_eq!(visits, [333, 333, 334]);
        assert_eq!(decision.thought.playouts, 1000);
    }

    #[test]
    fn ucb1_spends_more_where_it_promises_more() {
        // Taking all three wins at once; the rest is luck.
        for choice in [FinalChoice::Mean, FinalChoice::Visits] {
            let decision = first_decision(&Nim::new(3), &mut agent(Allocation::Ucb1 { c: 0.5 }, choice), 0, 1000, 1);
            let best = decision.thought.candidates[0];
            assert_eq!((best.action, best.value, decision.action), (3, Some(1.0), 3));
            assert!(best.visits > 800, "{best:?}");
        }
    }

    #[test]
    fn a_chance_is_worth_its_mean() {
        let gamble = chance([(0.7, over([30.0, 0.0])), (0.3, over([-10.0, 0.0]))]);
        let game = Written::new(2, (-10.0, 30.0), choice(0, [over([15.0, 0.0]), gamble]));
        let decision = first_decision(&game, &mut Mc::default(), 0, 4000, 1);
        assert_eq!(decision.action, 1);
        assert!((decision.value.unwrap() - 18.0).abs() < 2.0, "{:?}", decision.value);
    }

    #[test]
    fn greed_takes_the_better_average_of_a_two_step_turn() {
        let greedy = choice(0, [over([0.6, 0.4]), over([0.6, 0.4])]);
        let patient = choice(0, [over([0.0, 1.0]), over([0.0, 1.0]), over([1.0, 0.0])]);
        let game = Written::new(2, (0.0, 1.0), choice(0, [greedy, patient]));
        assert_eq!(first_decision(&game, &mut Mc::default(), 0, 2000, 1).action, 0);
    }

    #[test]
    fn others_in_a_joint_move_are_taken_to_play_at_random() {
        // Against a uniform column the value of the second row is 0.55; its worst case, 0.1, does not count here.
        let game = Written::new(2, (0.0, 1.0), matrix([[0.4, 0.6], [0.1, 1.0]]));
        let row = first_decision(&game, &mut Mc::default(), 0, 4000, 1);
        let column = first_decision(&game, &mut Mc::default(), 1, 4000, 1);
        assert_eq!((row.action, column.action), (1, 0));
        assert!((row.value.unwrap() - 0.55).abs() < 0.05, "{:?}", row.value);
    }
}
