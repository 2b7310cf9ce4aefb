//! Features of actions, and tables of how good actions look by their features.

use crate::{Game, Named};

/// A vector of numbers for each action, from which judgements of actions are learned.
pub trait ActionFeatures<G: Game>: Send + Sync {
    /// The names of the features, in order: at least one.
    fn names(&self, game: &G) -> &'static [Named];

    /// Appends the features of `action`, as many as there are names.
    fn values(&self, game: &G, state: &G::State, action: G::Action, out: &mut Vec<f64>);

    /// The range of a feature that is a whole number: the least and the greatest. `None`: any finite number.
    fn range(&self, _game: &G, _feature: usize) -> Option<(i32, i32)> {
        None
    }

    /// The tables of memberships on offer, learned from labelled actions.
    fn tables(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The text of the table of that name, as CSV: a column for each feature, then `samples` and `membership`.
    fn table(&self, _game: &G, _name: &str) -> Option<&'static str> {
        None
    }
}
