//! Plays the best action by the game's own evaluation of actions, looking one or two actions ahead within the turn.
//!
//! - Length 1, best single action (paper 000, section 3.1): the action with the greatest value.
//! - Length 2, action-pair evaluation (section 3.2): maximises the action's value plus the greatest value of an action
//!   that may follow in the same turn. The second action is not played yet; it is chosen again when its time comes.
//!
//! Ties are broken at random. With length 2, an action that ends the match counts by its payoff. This covers games
//! without chance and joint moves.

use tesuji_core::{ActionEvaluation, Game, Rng, Turn};

use crate::cold_sort::cold_order;
use crate::final_choice::forced;
use crate::pace::Pace;
use crate::{Agent, Budget, Candidate, Decision, Failure, Seat, Thought};

/// The value of the end of the match: more than any evaluation of an action.
const DECIDED: f64 = 1e9;

/// The agent `best-action`.
pub struct BestAction<G: Game> {
    /// The evaluation of actions.
    pub evaluation: Box<dyn ActionEvaluation<G>>,
    /// Whether pairs of actions are evaluated instead of single ones.
    pub pairs: bool,
    /// Its own budget; if it sets no limit, the seat's budget applies. Each first action whose successors are evaluated
    /// counts as a playout.
    pub budget: Budget,
}

impl<G: Game> Agent<G> for BestAction<G> {
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
        let mut values = Vec::new();
        self.evaluation.values(game, seat.state, player, &actions, &mut values);
        let order = cold_order(actions.len(), &|a, b| values[b].total_cmp(&values[a]));
        // Sums of the actions whose successors were evaluated. While the budget lasts, no other action is better.
        let mut sums = vec![f64::NEG_INFINITY; actions.len()];
        let (mut playouts, mut nodes) = (0, 0);
        if self.pairs {
            let (mut replies, mut reply_values) = (Vec::new(), Vec::new());
            for &index in &order {
                if !pace.allows(playouts, nodes, &mut seat.watcher, |time| Thought {
                    playouts,
                    nodes,
                    time,
                    ..Thought::default()
                }) && playouts > 0
                {
                    break;
                }
                let mut state = seat.state.clone();
                game.apply(&mut state, &[actions[index]]);
                playouts += 1;
                nodes += 1;
                sums[index] = values[index]
                    + match game.turn(&state) {
                        Turn::Player(next) if next == player => {
                            replies.clear();
                            game.legal(&state, player, &mut replies);
                            self.evaluation.values(game, &state, player, &replies, &mut reply_values);
                            reply_values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
                        }
                        Turn::Over => (game.spec().normalise(game.payoff(&state, player)) - 0.5) * DECIDED,
                        _ => 0.0,
                    };
            }
        } else {
            playouts = 1;
            sums.copy_from_slice(&values);
        }
        let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let equal: Vec<usize> = (0..actions.len()).filter(|&index| sums[index] == most).collect();
        let chosen = equal[rng.below(equal.len())];
        let by_sum = |a: usize, b: usize| (b == chosen).cmp(&(a == chosen)).then(sums[b].total_cmp(&sums[a]));
        let ranked = cold_order(actions.len(), &by_sum);
        let candidate = |index: usize| Candidate {
            action: actions[index],
            visits: u64::from(sums[index] > f64::NEG_INFINITY),
            value: None,
            prior: None,
            probability: f64::from(u8::from(index == chosen)),
        };
        let thought = Thought {
            candidates: ranked.into_iter().map(candidate).collect(),
            line: vec![vec![actions[chosen]]],
            depth: if self.pairs { 2 } else { 1 },
            nodes,
            playouts,
            time: pace.elapsed(),
            limit: pace.limit(),
            ..Thought::default()
        };
        Ok(Decision { thought, ..Decision::pure(actions[chosen]) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Knowledge;

    use crate::tiny_games::first_decision;
    use crate::tiny_games::skirmish::Skirmish;

    fn agent(game: &Skirmish, pairs: bool) -> BestAction<Skirmish> {
        BestAction {
            evaluation: game.heuristics().unwrap().action_evaluation(game, "harm").unwrap(),
            pairs,
            budget: Budget::default(),
        }
    }

    #[test]
    fn two_actions_are_looked_at_together_in_pairs() {
        // The first piece does most damage to the second enemy; but if it removes the first one, the second piece can
        // attack the third.
        let game = Skirmish::new([[5, 5, 5], [1, 2, 5]], [[3, 5, 0], [1, 1, 1]]);
        let single = first_decision(&game, &mut agent(&game, false), 0, 1000, 1);
        assert_eq!((single.action.1, single.thought.depth), (Some(1), 1));
        let pair = first_decision(&game, &mut agent(&game, true), 0, 1000, 1);
        assert_eq!((pair.action, pair.thought.depth), ((0, Some(0)), 2));
        assert_eq!(pair.thought.playouts, 9);
    }

    #[test]
    fn equal_actions_are_drawn_from_and_a_win_is_taken() {
        let game = Skirmish::new([[5, 5, 5], [5, 5, 5]], [[1, 1, 1], [1, 1, 1]]);
        let choice = |seed| first_decision(&game, &mut agent(&game, false), 0, 1000, seed).action;
        let mut seen: Vec<_> = (0..60).map(choice).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 6, "two targets for each of three pieces");
        let won = Skirmish::new([[5, 5, 0], [0, 1, 0]], [[1, 1, 1], [1, 1, 1]]);
        assert_eq!(first_decision(&won, &mut agent(&won, true), 0, 1000, 1).action.1, Some(1));
    }

    #[test]
    fn a_small_budget_looks_behind_the_most_valuable_first() {
        let game = Skirmish::new([[5, 5, 5], [9, 9, 9]], [[1, 7, 1], [1, 1, 1]]);
        let decision = first_decision(&game, &mut agent(&game, true), 0, 1, 1);
        assert_eq!((decision.action.0, decision.thought.playouts), (1, 1));
    }
}
