//! Expectimax: depth-limited search in which every player maximises its own payoff, with an evaluation at the leaves.
//!
//! Depth counts choices; chance nodes do not count. Two players with a constant sum, and games for one player, are
//! searched with one value, the searcher's share in [0, 1]: expectiminimax with Ballard's Star1 and Star2 ("The
//! *-Minimax Search Procedure for Trees Containing Chance Nodes", 1983), iterative deepening, a transposition table and
//! move ordering (see `order`). Pruning never changes the value of the best action. Other payoffs or more players are
//! searched by max^n without pruning: each player maximises its own share.
//!
//! - Star1: at a chance node, the best or worst case of the remaining outcomes narrows the window of the next one.
//! - Star2: before that, one action of each outcome's state is searched. It bounds that state from below (or above, if
//!   the opponent chooses), which often settles the chance node at once.
//!
//! A linear function maps the evaluation to a share: −`scale` or less is 0.001, `scale` or more 0.999; only ends are 0
//! and 1. An evaluation whose values are shares needs no scale. If it covers states in which chance acts, they are
//! leaves at the depth limit, instead of all their outcomes.

mod chance;
mod last;
mod max_n;
mod order;
mod search;
mod table;
#[cfg(test)]
mod tests;

use tesuji_core::{Evaluation, Features, Game, Rng, Spec, Successor};

use crate::final_choice::forced;
use crate::pace::Pace;
use crate::{Agent, Budget, Candidate, Decision, Failure, Seat, Thought};
use search::Search;
use table::Table;

/// How chance nodes are pruned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pruning {
    /// No pruning, not even at the players' nodes: plain expectiminimax.
    Off,
    /// Windows at chance nodes.
    Star1,
    /// Windows and probes.
    Star2,
}

/// The agent `expectimax`.
pub struct Expectimax<G: Game> {
    /// Evaluates the states at the depth limit; `None`: all players get an even share there.
    pub evaluation: Option<Box<dyn Evaluation<G>>>,
    /// The value of the evaluation that counts as almost won.
    pub scale: f64,
    /// The greatest depth, in choices.
    pub depth: u32,
    /// How chance nodes are pruned.
    pub pruning: Pruning,
    /// Entries of the transposition table; 0 for none.
    pub table: usize,
    /// Its own budget; if it sets no limit, the seat's budget applies. Leaves count as playouts.
    pub budget: Budget,
    /// The transposition table, kept between decisions only to reuse its memory.
    pub(crate) remembered: Table<G::State>,
}

/// The statistics of an action at the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove<A> {
    pub action: A,
    /// The searcher's share, or a bound on it.
    pub share: f64,
    /// The number of leaves below it.
    pub leaves: u64,
    /// The depth to which it was searched.
    pub depth: u32,
}

impl<G: Game> Expectimax<G> {
    /// The value of a state that is not over for a player.
    #[inline]
    fn share(&self, game: &G, state: &G::State, player: tesuji_core::Player) -> f64 {
        match &self.evaluation {
            Some(evaluation) if evaluation.is_share() => evaluation.value(game, state, player).clamp(0.001, 0.999),
            Some(evaluation) => self.as_share(evaluation.value(game, state, player)),
            None => 0.5,
        }
    }

    /// What a possible successor adds to the expected share.
    #[inline]
    fn expected(&self, spec: &Spec, successor: &Successor) -> f64 {
        let share = match &self.evaluation {
            _ if successor.over => spec.normalise(successor.value),
            Some(evaluation) if evaluation.is_share() => successor.value.clamp(0.001, 0.999),
            _ => self.as_share(successor.value),
        };
        successor.probability * share
    }

    /// The share for a value of the evaluation.
    #[inline]
    fn as_share(&self, value: f64) -> f64 {
        (0.5 + value / (2.0 * self.scale)).clamp(0.001, 0.999)
    }
}

impl<G: Game> Agent<G> for Expectimax<G> {
    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, _rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let spec = seat.game.spec();
        let mut actions = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut actions);
        if let [only] = actions[..] {
            return Ok(forced(only));
        }
        let pace = Pace::start(if self.budget.is_limited() { self.budget } else { *budget });
        let players = spec.players.len();
        let mut moves: Vec<RootMove<G::Action>> =
            actions.iter().map(|&action| RootMove { action, share: 0.5, leaves: 0, depth: 0 }).collect();
        let one_value = players == 1 || players == 2 && !spec.features.contains(Features::GENERAL_SUM);
        let mut remembered = std::mem::take(&mut self.remembered);
        remembered.begin(self.table);
        let mut search = Search::new(self, seat.game, seat.player, pace, seat.watcher, remembered);
        let mut reached = 0;
        for depth in 1..=self.depth {
            search.horizon_met = false;
            let finished = if one_value {
                search.root(seat.state, depth, &mut moves)
            } else {
                search.root_max_n(seat.state, depth, &mut moves)
            };
            if finished > 0 {
                reached = depth;
            }
            // Every line has ended, or the budget is used up.
            if finished < moves.len() || !search.horizon_met {
                break;
            }
        }
        let best = moves[0];
        let candidates = moves.iter().map(|root| Candidate {
            action: root.action,
            visits: root.leaves,
            value: (root.depth > 0).then(|| spec.denormalise(root.share)),
            prior: None,
            probability: f64::from(u8::from(root.action == best.action)),
        });
        let thought = Thought {
            candidates: candidates.collect(),
            line: vec![vec![best.action]],
            depth: reached,
            nodes: search.nodes + search.leaves,
            playouts: 0,
            time: search.pace.elapsed(),
            limit: search.pace.limit(),
            ..Thought::default()
        };
        self.remembered = search.into_table();
        let value = (best.depth > 0).then(|| spec.denormalise(best.share));
        Ok(Decision { value, thought, ..Decision::pure(best.action) })
    }
}
