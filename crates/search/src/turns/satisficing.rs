//! Satisficing search: alpha-beta over the own turn and the reply to it, pruned until that is feasible.
//!
//! It follows the strongest published TUBSTAP program, with its three forward prunings:
//! - the pieces of a side act in a fixed order: those that can attack first, the best attack by the evaluation before
//!   others;
//! - a piece has few actions: the representatives that the game names (in TUBSTAP one attack for each target and one
//!   move for each set of enemies that can attack the cell);
//! - a side has a limited number of active pieces; the others follow the quiet policy (own side) or do nothing (other
//!   side).
//!
//! Our own: in the reply only attacks and one other action of each piece are searched, since nothing follows that a
//! move could prepare. The search is repeated with 1, 2, 3, … actions per piece until the budget ends, keeping the best
//! turn, so that it can be stopped at any time.
//!
//! For two players with opposite interests: the searcher maximises the evaluation, the other minimises it.

use tesuji_core::{Evaluation, Game, Player, Policy, Rng, Tactics, Turn};

use super::{Plan, Planner, acts, finish_turn};
use crate::cold_sort::{cold_sort, cold_sort_descending};
use crate::pace::Pace;
use crate::{Budget, Seat, Thought};

/// The planner of `satisficing`.
pub struct Satisficing<G: Game> {
    /// The game's tactics: pieces and attacks.
    pub tactics: &'static dyn Tactics<G>,
    /// The most active pieces of a side.
    pub active: usize,
    /// Evaluates the end of the reply.
    pub evaluation: Box<dyn Evaluation<G>>,
    /// Moves own pieces that are not active.
    pub routine: Box<dyn Policy<G>>,
}

/// A running search.
struct Search<'a, 's, G: Game> {
    game: &'a G,
    seat: &'s mut Seat<'a, G>,
    player: Player,
    planner: &'s mut Satisficing<G>,
    rng: &'s mut Rng,
    pace: Pace,
    /// Leaves evaluated, and states created.
    leaves: u64,
    nodes: u64,
    /// The most actions of an own piece in this round.
    width: usize,
    /// Whether an action was omitted because of the width.
    narrowed: bool,
    stopped: bool,
    /// The actions of the own turn so far, and the best turn with its value.
    line: Vec<G::Action>,
    best: Option<(Vec<G::Action>, f64)>,
    first: Vec<(G::Action, u64, f64)>,
}

impl<G: Game> Planner<G> for Satisficing<G> {
    fn plan(&mut self, seat: &mut Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Plan<G::Action> {
        let (game, player, start) = (seat.game, seat.player, seat.state.clone());
        let watcher = seat.watcher.take();
        let mut own = Seat { game, state: seat.state, player, history: seat.history, watcher };
        let mut search = Search {
            game,
            player,
            seat: &mut own,
            planner: self,
            rng,
            pace: Pace::start(*budget),
            leaves: 0,
            nodes: 0,
            width: 1,
            narrowed: true,
            stopped: false,
            line: Vec::new(),
            best: None,
            first: Vec::new(),
        };
        let order = search.order(&start, player);
        while search.narrowed && !search.stopped {
            search.narrowed = false;
            let alpha = search.best.as_ref().map_or(f64::NEG_INFINITY, |&(_, value)| value);
            search.own(&start, &order, alpha);
            search.width += 1;
        }
        let Search { best, first, leaves, nodes, pace, .. } = search;
        let (time, limit) = (pace.elapsed(), pace.limit());
        let (actions, value) = best.unwrap_or_else(|| unreachable!("the first turn looked at is the best so far"));
        Plan { actions, value, first, playouts: leaves, nodes, time, limit }
    }
}

impl<G: Game> Search<'_, '_, G> {
    /// The active pieces of `player` in the order they act.
    fn order(&mut self, state: &G::State, player: Player) -> Vec<u32> {
        let mut legal = Vec::new();
        self.game.legal(state, player, &mut legal);
        let tactics = self.planner.tactics;
        let mut pieces: Vec<(u32, f64)> = Vec::new();
        for action in legal {
            let piece = tactics.piece(self.game, state, action);
            let value = if tactics.is_attack(self.game, state, action) {
                let mut after = state.clone();
                self.game.apply(&mut after, &[action]);
                self.planner.evaluation.value(self.game, &after, player)
            } else {
                f64::NEG_INFINITY
            };
            match pieces.iter_mut().find(|(known, _)| *known == piece) {
                Some((_, best)) => *best = value.max(*best),
                None => pieces.push((piece, value)),
            }
        }
        cold_sort(&mut pieces, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        pieces.truncate(self.planner.active);
        pieces.into_iter().map(|(piece, _)| piece).collect()
    }

    /// The best value that the searcher can reach with the pieces of `order`, if it is above `alpha`.
    fn own(&mut self, state: &G::State, order: &[u32], alpha: f64) -> f64 {
        if !acts(self.game, state, self.player) {
            return self.turn_ends(state, alpha);
        }
        let Some((&piece, rest)) = order.split_first() else {
            let length = self.line.len();
            let mut state = state.clone();
            finish_turn(self.game, &mut state, self.player, &mut *self.planner.routine, &mut self.line, self.rng);
            let value = self.turn_ends(&state, alpha);
            self.line.truncate(length);
            return value;
        };
        let mut children = self.children(state, piece, self.player);
        if children.is_empty() {
            return self.own(state, rest, alpha);
        }
        self.narrowed |= children.len() > self.width;
        children.truncate(self.width);
        let mut best = f64::NEG_INFINITY;
        for (action, after, _) in children {
            self.line.push(action);
            let value = self.own(&after, rest, alpha.max(best));
            self.line.pop();
            best = best.max(value);
            if self.stopped {
                break;
            }
        }
        best
    }

    /// The value of the finished own turn after the best reply. Remembers the turn if it is the best.
    fn turn_ends(&mut self, state: &G::State, alpha: f64) -> f64 {
        let value = match self.game.turn(state) {
            Turn::Player(other) => {
                let order = self.order(state, other);
                self.reply(state, &order, other, alpha)
            }
            _ => self.leaf(state),
        };
        let Some(&action) = self.line.first() else { return value };
        // A reply cut off by `alpha` or the budget shows only that the turn is no better than another.
        let better = self.best.as_ref().is_none_or(|&(_, best)| value > best) && (!self.stopped || self.best.is_none());
        if better {
            self.best = Some((self.line.clone(), value));
        }
        match self.first.iter_mut().find(|(known, ..)| *known == action) {
            Some((_, turns, best)) => (*turns, *best) = (*turns + 1, value.max(*best)),
            None => self.first.push((action, 1, value)),
        }
        value
    }

    /// The least value to which `other` can reduce it with the pieces of `order`; stops at `alpha`.
    fn reply(&mut self, state: &G::State, order: &[u32], other: Player, alpha: f64) -> f64 {
        let (Some((&piece, rest)), true) = (order.split_first(), acts(self.game, state, other)) else {
            return self.leaf(state);
        };
        let mut children = self.children(state, piece, other);
        let mut quiet = 0;
        children.retain(|(action, ..)| {
            let attack = self.planner.tactics.is_attack(self.game, state, *action);
            quiet += u32::from(!attack);
            attack || quiet == 1
        });
        if children.is_empty() {
            return self.reply(state, rest, other, alpha);
        }
        let mut least = f64::INFINITY;
        for (_, after, _) in children {
            least = least.min(self.reply(&after, rest, other, alpha));
            if least <= alpha || self.stopped {
                break;
            }
        }
        least
    }

    /// The representatives of a piece with their successors: the most valuable for `mover` first, then in the game's
    /// order.
    fn children(&mut self, state: &G::State, piece: u32, mover: Player) -> Vec<(G::Action, G::State, f64)> {
        let mut actions = Vec::new();
        // The piece may have fallen since the order was determined.
        if !self.may_act(state, piece, mover, &mut actions) {
            return Vec::new();
        }
        actions.clear();
        self.planner.tactics.representatives(self.game, state, piece, &mut actions);
        let mut children: Vec<_> = (actions.into_iter())
            .map(|action| {
                let mut after = state.clone();
                self.game.apply(&mut after, &[action]);
                let value = self.planner.evaluation.value(self.game, &after, mover);
                (action, after, value)
            })
            .collect();
        self.nodes += children.len() as u64;
        cold_sort_descending(&mut children, |child| child.2);
        children
    }

    fn may_act(&self, state: &G::State, piece: u32, mover: Player, scratch: &mut Vec<G::Action>) -> bool {
        self.game.legal(state, mover, scratch);
        scratch.iter().any(|&action| self.planner.tactics.piece(self.game, state, action) == piece)
    }

    fn leaf(&mut self, state: &G::State) -> f64 {
        self.leaves += 1;
        let (leaves, nodes) = (self.leaves, self.nodes);
        let best = &self.best;
        self.stopped |= !self.pace.allows(leaves, nodes, &mut self.seat.watcher, |time| Thought {
            playouts: leaves,
            nodes,
            time,
            line: best.iter().flat_map(|(actions, _)| actions.iter().map(|&action| vec![action])).collect(),
            ..Thought::default()
        });
        self.planner.evaluation.value(self.game, state, self.player)
    }
}
