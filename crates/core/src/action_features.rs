//! Features of actions, and tables that rate actions by their features.

use crate::{Game, Named};

/// Describes each action by a vector of numbers, for models that learn to rate actions.
pub trait ActionFeatures<G: Game>: Send + Sync {
    /// The names of the features, in order: at least one.
    fn names(&self, game: &G) -> &'static [Named];

    /// Appends the features of `action`: one value for each name.
    fn values(&self, game: &G, state: &G::State, action: G::Action, out: &mut Vec<f64>);

    /// The least and the greatest value of an integer feature; `None` for a feature that can be any finite number.
    fn range(&self, _game: &G, _feature: usize) -> Option<(i32, i32)> {
        None
    }

    /// The membership tables on offer, learned from labelled actions.
    fn tables(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The table called `name`, as CSV: one column for each feature, then `samples` and `membership`.
    fn table(&self, _game: &G, _name: &str) -> Option<&'static str> {
        None
    }
}
