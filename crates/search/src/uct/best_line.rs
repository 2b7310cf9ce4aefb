//! Best line of a single-player game: the best playout found so far is remembered and played.
//!
//! If nobody else acts and there is no chance, a playout can be repeated and pays the same. A mean says how good a
//! state is for a player who continues as the search does; the best playout says what is certain. So the agent plays
//! the best line found in the match so far unless the tree's own choice has a better mean (which only proofs and
//! evaluations can give it), as single-player searches do since Schadd and others, "Single-Player Monte-Carlo Tree
//! Search" (2008). A line with the greatest possible payoff ends the search.

use tesuji_core::{Features, Game, History, Spec};

use crate::final_choice::{Tried, choose_instead};
use crate::{Decision, Learner};

/// The best line found, from the root.
pub(super) struct BestLine<A> {
    pub share: f64,
    pub actions: Vec<A>,
}

/// Whether lines can be repeated in this game.
pub(super) fn repeats(spec: &Spec) -> bool {
    spec.players.len() == 1 && !spec.features.contains(Features::CHANCE)
}

impl<A: Copy + PartialEq> BestLine<A> {
    /// Keeps the last playout if it is better than all before.
    #[inline]
    pub(super) fn improve<G: Game<Action = A>>(best: &mut Option<BestLine<A>>, learner: &Learner<G>, share: f64) {
        if best.as_ref().is_none_or(|best| share > best.share) {
            let actions = learner.trace().choices.iter().map(|choice| choice.action).collect();
            *best = Some(BestLine { share, actions });
        }
    }

    /// The rest of the line after the steps of `history` from `steps` on; `None` if play deviated.
    pub(super) fn after(mut self, history: &History<A>, steps: usize) -> Option<BestLine<A>> {
        let played = history.len().checked_sub(steps)?;
        let follows = played < self.actions.len()
            && (0..played).all(|index| history.step(steps + index) == [self.actions[index]]);
        follows.then(|| {
            self.actions.drain(..played);
            self
        })
    }

    /// Replaces `decision` by the line, unless the decision promises more.
    pub(super) fn replace(&self, spec: &Spec, actions: &[A], tried: &[Tried], decision: &mut Decision<A>) {
        let worth = spec.denormalise(self.share);
        if decision.value.is_some_and(|value| value > worth) {
            return;
        }
        choose_instead(spec, (actions, tried), (self.actions[0], Some(worth)), decision);
        decision.thought.line = self.actions.iter().map(|&action| vec![action]).collect();
    }
}
