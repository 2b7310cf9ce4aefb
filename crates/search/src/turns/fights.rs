//! Planning on large boards: plans the turn local fight by local fight and joins the plans (as paper 002, section 8,
//! suggests).
//!
//! The game defines the parts ([`Tactics::fights`]): in each, only a few pieces that may soon meet the same enemies can
//! act, and the others stay where they are, so that plans are evaluated on the whole board. A planner for small armies
//! plans the largest part, with a fraction of the budget that grows with the number of its pieces. Its plan is played,
//! and the next part is planned from there. Pieces in no fight are planned together at the end.

use std::time::Duration;

use tesuji_core::{Game, Player, Rng, Tactics};

use super::{Plan, Planner, acts, part_of_budget, rest_of_budget};
use crate::{Budget, Limit, Meter, Seat};

/// A planner that plans each local fight and joins the plans.
pub struct Divided<G: Game, P> {
    /// Defines the parts.
    pub tactics: &'static dyn Tactics<G>,
    /// Plans one part.
    pub planner: P,
    /// The most pieces of a fight that are planned together; not 0.
    pub most: u32,
}

impl<G: Game, P: Planner<G>> Planner<G> for Divided<G, P> {
    fn plan(&mut self, seat: &mut Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Plan<G::Action> {
        let meter = Meter::start(*budget);
        let (game, player) = (seat.game, seat.player);
        let mut state = seat.state.clone();
        let mut plan = Plan {
            actions: Vec::new(),
            value: 0.0,
            first: Vec::new(),
            playouts: 0,
            nodes: 0,
            time: Duration::ZERO,
            limit: None,
        };
        while acts(game, &state, player) {
            let rest = rest_of_budget(budget, plan.playouts, meter.elapsed());
            let part = if meter.allows(plan.playouts, plan.nodes) { self.greatest(game, &state, player) } else { None };
            let (part, share) = match part {
                Some((part, pieces)) => {
                    (part, part_of_budget(&rest, pieces, count_pieces(self.tactics, game, &state, player)))
                }
                None => (state.clone(), rest),
            };
            let mut local = Seat { game, state: &part, player, history: seat.history, watcher: None };
            let local = self.planner.plan(&mut local, &share, rng);
            if plan.actions.is_empty() {
                plan.first = local.first;
            }
            plan.playouts += local.playouts;
            plan.nodes += local.nodes;
            plan.value = local.value;
            plan.limit = plan.limit.or(local.limit.filter(|limit| matches!(limit, Limit::Settings(_))));
            local.actions.iter().for_each(|&action| game.apply(&mut state, &[action]));
            plan.actions.extend(local.actions);
        }
        plan.time = meter.elapsed();
        plan.limit = budget.reached(plan.playouts, plan.playouts, plan.time).or(plan.limit);
        plan
    }
}

impl<G: Game, P> Divided<G, P> {
    /// The part of `state` in which the most pieces can act, and their number.
    fn greatest(&self, game: &G, state: &G::State, player: Player) -> Option<(G::State, u64)> {
        let parts = self.tactics.fights(game, state, self.most).into_iter();
        let counted = parts.map(|part| {
            let pieces = count_pieces(self.tactics, game, &part, player);
            (part, pieces)
        });
        counted.reduce(|best, part| if part.1 > best.1 { part } else { best })
    }
}

/// The number of pieces of `player` that can act.
pub(crate) fn count_pieces<G: Game>(tactics: &dyn Tactics<G>, game: &G, state: &G::State, player: Player) -> u64 {
    let mut legal = Vec::new();
    game.legal(state, player, &mut legal);
    let mut pieces: Vec<u32> = legal.into_iter().map(|action| tactics.piece(game, state, action)).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces.len() as u64
}
