//! Large boards: the state is taken apart into local fights, each is planned on its own, and the plans are joined (what paper
//! 002, section 8, asks for).
//!
//! The game says what the parts are ([`Knowledge::fights`]): in each only pieces that may meet soon are left. A planner made for small
//! boards plans each part with a share of the budget that grows with the number of its pieces. The plans are then played one
//! after the other on the whole board. Where a part did not see a piece of another that stands in the way, the action is dropped; the
//! pieces that have not acted in the end, those in no fight among them, follow the quiet policy.

use std::time::Duration;

use tesuji_core::{Evaluation, Knowledge, Player, Policy, Rng};

use super::{Plan, Planner, acts, finish_turn, part_of_budget};
use crate::{Budget, Meter, Seat};

/// The planner that divides and joins.
pub struct Divided<G: Knowledge, P> {
    /// Plans one fight.
    pub planner: P,
    /// Acts for those in no fight.
    pub routine: Box<dyn Policy<G>>,
    /// Judges the joined plan, for reports.
    pub evaluation: Box<dyn Evaluation<G>>,
}

impl<G: Knowledge, P: Planner<G>> Planner<G> for Divided<G, P> {
    fn plan(&mut self, seat: &mut Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Plan<G::Action> {
        let meter = Meter::start(*budget);
        let (game, player) = (seat.game, seat.player);
        let mut parts: Vec<(G::State, u64)> = (game.fights(seat.state).unwrap_or_default().into_iter())
            .map(|part| {
                let pieces = count_pieces(game, &part, player);
                (part, pieces)
            })
            .collect();
        // The greatest fight first: what is planned first is disturbed least. The order of equal ones is the game's.
        parts.sort_by_key(|&(_, pieces)| std::cmp::Reverse(pieces));
        let whole: u64 = parts.iter().map(|&(_, pieces)| pieces).sum();
        let mut state = seat.state.clone();
        let mut plan =
            Plan { actions: Vec::new(), value: 0.0, first: Vec::new(), playouts: 0, nodes: 0, time: Duration::ZERO };
        let mut legal = Vec::new();
        for (part, pieces) in &parts {
            let share = part_of_budget(budget, *pieces, whole);
            let counted = budget.playouts.is_none_or(|limit| plan.playouts < limit);
            if !counted || !meter.allows(0, 0) && !plan.actions.is_empty() {
                break;
            }
            let mut local = Seat { game, state: part, player, history: seat.history, watcher: None };
            let local_plan = self.planner.plan(&mut local, &share, rng);
            plan.playouts += local_plan.playouts;
            plan.nodes += local_plan.nodes;
            for action in local_plan.actions {
                if !acts(game, &state, player) {
                    break;
                }
                legal.clear();
                game.legal(&state, player, &mut legal);
                if legal.contains(&action) {
                    game.apply(&mut state, &[action]);
                    plan.actions.push(action);
                }
            }
        }
        finish_turn(game, &mut state, player, &mut *self.routine, &mut plan.actions, rng);
        plan.value = self.evaluation.value(game, &state, player);
        plan.first.push((plan.actions[0], plan.playouts, plan.value));
        plan.time = meter.elapsed();
        plan
    }
}

/// How many pieces of `player` can act.
pub(crate) fn count_pieces<G: Knowledge>(game: &G, state: &G::State, player: Player) -> u64 {
    let mut legal = Vec::new();
    game.legal(state, player, &mut legal);
    let mut pieces: Vec<Option<u32>> = legal.into_iter().map(|action| game.piece(state, action)).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces.len() as u64
}
