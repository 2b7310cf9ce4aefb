//! The last choice before the depth limit, if the evaluation can evaluate successors without creating states.

use std::ops::Range;

use tesuji_core::{Game, Successors, Visit};

use super::Pruning;
use super::search::{Best, GREATEST, LEAST, Search};

impl<G: Game> Search<'_, '_, G> {
    /// Searches the actions from `first` on in the order of `places`, with Star1's windows at chance nodes, until
    /// `best` is settled. `false` if the evaluation cannot do this.
    pub(super) fn read_last(&mut self, state: &G::State, first: usize, places: Range<usize>, best: &mut Best) -> bool {
        let Some(evaluation) = &self.agent.evaluation else { return false };
        let (agent, spec) = (self.agent, self.game.spec());
        let order = &self.order[places];
        self.line_up.clear();
        self.line_up.extend(order.iter().map(|place| self.actions[first + usize::from(place.index())]));
        let prunes = agent.pruning != Pruning::Off;
        let (mut leaves, mut horizon_met) = (0, false);
        // The expected share of an action so far, and the probability of the rest.
        let (mut sum, mut rest) = (0.0, 1.0);
        let mut visit = |successors: Successors<'_>| {
            let [.., successor] = successors.states else { return Visit::NextState };
            if successors.states.len() == 1 {
                (sum, rest) = (0.0, 1.0);
            }
            leaves += 1;
            horizon_met |= !successor.over;
            sum += agent.expected(spec, successor);
            rest -= successor.probability;
            let (low, high) = match successors.complete {
                true => (sum, sum),
                false => (sum + rest * LEAST, sum + rest * GREATEST),
            };
            let share = match successors.complete {
                true => sum,
                false if prunes && high <= best.alpha => high,
                false if prunes && low >= best.beta => low,
                false => return Visit::NextState,
            };
            match best.is_settled_by(share, order[successors.action].index()) {
                true => Visit::Stop,
                false => Visit::NextAction,
            }
        };
        let told = evaluation.successors(self.game, state, &self.line_up, self.searcher, &mut visit);
        self.leaves += leaves;
        self.horizon_met |= horizon_met;
        told
    }
}
