//! The settings of `joint-tree`.

use super::mixing::NashMethod;
use super::selection::JointSelection;
use super::sides::JointChoice;
use crate::Budget;

/// How the value of a node is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JointBackup {
    /// The mean of its playouts.
    Mean,
    /// The value of its table of estimates, in games that have values.
    Value,
}

/// The settings of the search.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeSettings {
    /// How a node selects a joint action.
    pub selection: JointSelection,
    /// The fraction of uniform play of regret matching+ where the root is large.
    pub exploration: f64,
    /// See [`JointSelection::RegretPlus`], where the root is large.
    pub shrink: f64,
    /// How mixed strategies are computed, in nodes and at the end.
    pub nash: NashMethod,
    /// The most that a player may gain by deviating from a computed mix.
    pub tolerance: f64,
    /// How the value of a node is computed.
    pub backup: JointBackup,
    /// How the final action is chosen.
    pub choice: JointChoice,
    /// A node gets a table when it is reached after at least this many playouts.
    pub threshold: u32,
    /// Mixes and values of a node are recomputed when its visits have grown by this fraction.
    pub refresh: f64,
    /// Whether positions of equal value share a node.
    pub share: bool,
    /// Whether values that are cheap to see are used.
    pub certain: bool,
    /// The fraction of the budget that may go into solving the root, and nodes of the tree after it.
    pub solve: f64,
    /// The fraction for solving nodes of the tree; what an attempt at the root has spent counts.
    pub solve_nodes: f64,
    /// How cautious the final equilibrium is after few playouts; 0: not at all.
    pub hedge: f64,
    /// In the final average strategy, actions whose share is less than this fraction of the greatest are dropped; 0:
    /// none. The fraction is smaller after few playouts, by [`TreeSettings::hedge`].
    pub purify: f64,
    /// If the root has more joint actions than this, it is searched by regret matching+ with the average strategy; 0:
    /// never.
    pub large: usize,
    /// With a learned value: how often the other is assumed to choose at random, in the final strategy.
    pub careless: f64,
    /// The most joint actions stored, 16 bytes each; beyond, no node gets a table.
    pub cap: usize,
    /// Its own budget; if it sets no limit, the seat's budget applies.
    pub budget: Budget,
}

impl Default for TreeSettings {
    fn default() -> Self {
        TreeSettings {
            selection: JointSelection::Decoupled { c: 0.5, near: 0.01 },
            nash: NashMethod::Program,
            tolerance: 0.02,
            backup: JointBackup::Mean,
            choice: JointChoice::Equilibrium,
            threshold: 1,
            refresh: 0.1,
            share: true,
            certain: true,
            solve: 0.0,
            solve_nodes: 0.0,
            hedge: 0.0,
            purify: 0.0,
            large: 0,
            exploration: 0.1,
            shrink: 4.0,
            careless: 0.0,
            cap: 16_000_000,
            budget: Budget::default(),
        }
    }
}

impl TreeSettings {
    /// The settings for a root with many joint actions: regret matching+ with the mean of playouts and the average
    /// strategy, and half as much for solving nodes of the tree.
    ///
    /// The equilibrium of a large table relies on cells that were tried once or never, and a linear program costs as
    /// much as hundreds of playouts there.
    pub(super) fn for_large(&self) -> TreeSettings {
        TreeSettings {
            selection: JointSelection::RegretPlus { exploration: self.exploration, shrink: self.shrink },
            backup: JointBackup::Mean,
            choice: JointChoice::Average,
            solve_nodes: 0.5 * self.solve,
            ..self.clone()
        }
    }
}
