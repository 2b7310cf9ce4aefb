//! Several methods nominate, Monte Carlo decides: the proposal of paper 003, §6.4.
//!
//! Each nominator names the action it would play. Flat Monte Carlo then plays out the distinct nominees, each equally
//! often, and the best mean wins. If all agree, nothing is left to decide.
//!
//! This covers what its nominators cover, where one player acts at a time. The budget belongs to the Monte Carlo
//! decision; nominators have their own, or get the seat's.

use tesuji_core::{Game, Rng};

use crate::final_choice::{Tried, decide, forced};
use crate::pace::Pace;
use crate::{Agent, Budget, Decision, Failure, FinalChoice, Seat, Simulation, Thought};

/// The agent `nominate`.
pub struct Nominate<G: Game> {
    /// The nominators.
    pub nominators: Vec<Box<dyn Agent<G>>>,
    /// How nominees are played out.
    pub simulation: Simulation<G>,
    /// Its own budget for the playouts; if it sets no limit, the seat's budget applies.
    pub budget: Budget,
}

impl<G: Game> Agent<G> for Nominate<G> {
    fn begin(&mut self) {
        self.nominators.iter_mut().for_each(|nominator| nominator.begin());
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
        let mut pace = Pace::start(if self.budget.is_limited() { self.budget } else { *budget });
        let mut nominees: Vec<usize> = Vec::new();
        let mut nodes = 0;
        for nominator in &mut self.nominators {
            let own = Seat { game, state: seat.state, player, history: seat.history, watcher: None };
            let decision = nominator.choose(own, budget, rng)?;
            nodes += decision.thought.nodes;
            let index = actions.iter().position(|&action| action == decision.action);
            nominees.extend(index.filter(|index| !nominees.contains(index)));
        }
        let mut tried = vec![Tried::default(); actions.len()];
        let mut shares = vec![0.0; game.spec().players.len()];
        let mut playouts = 0;
        let think = |playouts, time| Thought { depth: 1, nodes, playouts, time, ..Thought::default() };
        while nominees.len() > 1 && pace.allows(playouts, playouts, &mut seat.watcher, |time| think(playouts, time)) {
            let index = nominees[(playouts % nominees.len() as u64) as usize];
            let mut state = seat.state.clone();
            game.apply(&mut state, &[actions[index]]);
            self.simulation.run(game, &mut state, rng, &mut shares);
            tried[index].visits += 1;
            tried[index].total += shares[player.index()];
            playouts += 1;
        }
        let thought = Thought { limit: pace.limit(), ..think(playouts, pace.elapsed()) };
        if playouts == 0 {
            // Unanimous, or no budget: the first nominator decides.
            let chosen = nominees.first().copied().unwrap_or(0);
            let refuted = |index: usize| Tried {
                visits: u64::from(index == chosen),
                total: 0.5,
                refuted: index != chosen,
                prior: None,
            };
            let tried: Vec<Tried> = (0..actions.len()).map(refuted).collect();
            let mut decision = decide(game.spec(), FinalChoice::Visits, &actions, &tried, thought, rng);
            decision.value = None;
            for candidate in &mut decision.thought.candidates {
                (candidate.visits, candidate.value) = (0, None);
            }
            return Ok(decision);
        }
        let mut decision = decide(game.spec(), FinalChoice::Mean, &actions, &tried, thought, rng);
        decision.thought.line = vec![vec![decision.action]];
        Ok(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny_games::{Nim, first_decision};

    /// Always takes this many.
    struct Takes(u8);

    impl Agent<Nim> for Takes {
        fn choose(&mut self, _: Seat<'_, Nim>, _: &Budget, _: &mut Rng) -> Result<Decision<u8>, Failure> {
            Ok(Decision::pure(self.0))
        }
    }

    fn agent(takes: &[u8]) -> Nominate<Nim> {
        Nominate {
            nominators: takes.iter().map(|&takes| Box::new(Takes(takes)) as Box<dyn Agent<Nim>>).collect(),
            simulation: Simulation::default(),
            budget: Budget::default(),
        }
    }

    #[test]
    fn only_nominees_are_played_out_and_the_best_wins() {
        let decision = first_decision(&Nim::new(3), &mut agent(&[1, 3, 1]), 0, 100, 1);
        assert_eq!((decision.action, decision.thought.playouts, decision.value), (3, 100, Some(1.0)));
        let visits =
            |action: u8| decision.thought.candidates.iter().find(|other| other.action == action).unwrap().visits;
        assert_eq!([1, 2, 3].map(visits), [50, 0, 50]);
    }

    #[test]
    fn where_all_agree_nothing_is_played_out() {
        let decision = first_decision(&Nim::new(7), &mut agent(&[2, 2]), 0, 100, 1);
        assert_eq!((decision.action, decision.thought.playouts), (2, 0));
        assert_eq!(decision.policy, [(2, 1.0)]);
    }
}
