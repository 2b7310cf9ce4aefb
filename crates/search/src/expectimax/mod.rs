//! Expectimax: the best action if everybody plays for itself to a depth and an evaluation is right from there on.
//!
//! Depth counts choices; dice cost none. Two players whose payoffs add up to a constant, and games for one, are searched with
//! one value, the searcher's share in [0, 1]: expectiminimax with Ballard's Star1 and Star2 ("The *-Minimax Search Procedure
//! for Trees Containing Chance Nodes", 1983), iterative deepening, a table of states met before, and move ordering (see
//! `order`). Pruning changes no value of the best action. Where payoffs are otherwise or players more, max^n without
//! pruning: each takes what is best for itself.
//!
//! - Star1: at chance, what the outcomes not yet read can add at best or at worst narrows the window of the next one.
//! - Star2: before that, one action of each outcome's state is read; it bounds that state from below (or above, where the
//!   other side chooses), which often settles the chance node at once.
//!
//! The evaluation becomes a share by a straight line: −`scale` or less is 0.001, `scale` or more 0.999; only ends are 0 and 1.

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
    /// Nothing is left out, not even at the players' nodes: plain expectiminimax.
    Off,
    /// Windows at chance nodes.
    Star1,
    /// Windows and probes.
    Star2,
}

/// The agent.
pub struct Expectimax<G: Game> {
    /// Judges the states at the depth; `None`: everybody is even there.
    pub evaluation: Option<Box<dyn Evaluation<G>>>,
    /// What the evaluation must reach to count as almost won.
    pub scale: f64,
    /// The most choices read.
    pub depth: u32,
    /// How chance nodes are pruned.
    pub pruning: Pruning,
    /// Entries of the table of states; 0: none.
    pub table: usize,
    /// Its own budget; where it sets no limit, the seat's counts. Leaves count as playouts.
    pub budget: Budget,
    /// The table, kept from one decision to the next for its memory alone.
    pub(crate) remembered: Table<G::State>,
}

/// What is known of an action at the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove<A> {
    pub action: A,
    /// The searcher's share, or a bound of it.
    pub share: f64,
    /// Leaves below it.
    pub leaves: u64,
    /// The depth it was read to.
    pub depth: u32,
}

impl<G: Game> Expectimax<G> {
    /// What a state that is not over is worth to a player.
    #[inline]
    fn share(&self, game: &G, state: &G::State, player: tesuji_core::Player) -> f64 {
        match &self.evaluation {
            Some(evaluation) => self.as_share(evaluation.value(game, state, player)),
            None => 0.5,
        }
    }

    /// What a state that may come about adds to the share to expect.
    #[inline]
    fn expected(&self, spec: &Spec, successor: &Successor) -> f64 {
        let share = if successor.over { spec.normalise(successor.value) } else { self.as_share(successor.value) };
        successor.probability * share
    }

    /// The share that a value of the evaluation stands for.
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
            // Every line has ended, or the budget has.
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
            ..Thought::default()
        };
        self.remembered = search.into_table();
        let value = (best.depth > 0).then(|| spec.denormalise(best.share));
        Ok(Decision { value, thought, ..Decision::pure(best.action) })
    }
}
