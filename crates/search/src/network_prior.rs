//! The value that a learned evaluation gives to each action, where a search expands a node.

use tesuji_core::{Evaluation, Game, Player, Turn};

/// A learned evaluation of the states that actions lead to.
pub struct NetworkPrior<G: Game> {
    evaluation: Box<dyn Evaluation<G>>,
    outcomes: Vec<(G::Action, f64)>,
}

impl<G: Game> NetworkPrior<G> {
    /// A prior by an evaluation whose values are shares.
    pub fn new(evaluation: Box<dyn Evaluation<G>>) -> NetworkPrior<G> {
        NetworkPrior { evaluation, outcomes: Vec::new() }
    }

    /// Clears `out` and writes the expected share of `player`, the only mover in `state`, after each of `actions`.
    pub(crate) fn judge(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
        out: &mut Vec<f32>,
    ) {
        out.clear();
        for &action in actions {
            let mut next = state.clone();
            game.apply(&mut next, &[action]);
            out.push(self.expected(game, &next, player) as f32);
        }
    }

    fn expected(&mut self, game: &G, state: &G::State, player: Player) -> f64 {
        match game.turn(state) {
            Turn::Over => game.spec().normalise(game.payoff(state, player)),
            Turn::Chance if !self.evaluation.covers_chance() => {
                let first = self.outcomes.len();
                game.chance(state, &mut self.outcomes);
                let mut sum = 0.0;
                for index in first..self.outcomes.len() {
                    let (outcome, probability) = self.outcomes[index];
                    let mut next = state.clone();
                    game.apply(&mut next, &[outcome]);
                    sum += probability * self.expected(game, &next, player);
                }
                self.outcomes.truncate(first);
                sum
            }
            _ => self.evaluation.value(game, state, player),
        }
    }
}
