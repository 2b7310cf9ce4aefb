//! The settings of the search, besides its playouts.

use super::amaf::Rave;
use super::halving::RootHalving;
use super::selection::{FirstPlay, Selection, TotalCount};
use super::widening::Widening;
use crate::{Budget, FinalChoice};

/// The settings of a UCT search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Its own budget; if it sets no limit, the seat's budget applies.
    pub budget: Budget,
    /// Which edge is taken where players choose.
    pub selection: Selection,
    /// Whether playouts at the root are shared by sequential halving. Needs prior probabilities; not in batches.
    pub halving: Option<RootHalving>,
    /// Whether the means of edges are mixed with AMAF means (RAVE and GRAVE).
    pub rave: Option<Rave>,
    /// Whether nodes start with few edges and get more. Cannot be combined with AMAF means.
    pub widening: Option<Widening>,
    /// Which payoff each player is assumed to maximise.
    pub opponents: Opponents,
    /// A leaf is expanded when it is reached after more playouts than this.
    pub threshold: u32,
    /// What happens at the first visit of a leaf.
    pub first_visit: FirstVisit,
    /// The factor by which one step shrinks a share's distance from 1/2: below 1, an early win is better than a late
    /// one, and a late loss better than an early one.
    pub discount: f64,
    /// How the final action is chosen; `None`: most visits for a single mover, in proportion to visits at a joint move.
    pub choice: Option<FinalChoice>,
    /// Whether the subtree of the reached state is kept from one decision to the next.
    pub reuse: bool,
    /// Whether equal states share a node.
    pub transpositions: bool,
    /// Whether results are proven where one player chooses at a time. Proven values ignore the discount.
    pub solver: bool,
    /// Whether the best line of a playout is remembered and played. `None`: in single-player games without chance, the
    /// only place where that is possible.
    pub remember: Option<bool>,
    /// The most nodes stored. There are at most 16 times as many edges, besides
    /// those of the newest node.
    pub node_cap: u32,
}

/// Which payoff each player is assumed to maximise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponents {
    /// Its own.
    Own,
    /// The searcher's, for all players. Unsound where others can do harm; the program behind paper 000 (§4.2) searches
    /// like this.
    Searcher,
    /// Its own, but where the turn passes to another player, that player's first action is chosen for the player
    /// before. Unsound; the program that survives from paper 002's line searches like this.
    Passing,
}

/// What happens at the first visit of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstVisit {
    /// It is played out; [`Settings::threshold`] says when it is expanded.
    Playout,
    /// It is expanded at once, where one player chooses, and one of its actions, drawn at random, is played out. The
    /// visit counts for that action and for all above the leaf, but not for the leaf's own edge. N in UCB1 is then the
    /// visits of the edges. It cannot be combined with proofs and AMAF means.
    Child,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            budget: Budget::default(),
            // On Connect Four at 500 and 3,000 playouts (200 matches each, standard error 0.035) 0.35, 0.5 and 0.7 do
            // not differ significantly; against 0.7, 0.15 scores 0.21 and 0.15, 1.0 scores 0.41 and 0.42.
            selection: Selection::Ucb1 { c: 0.5, total: TotalCount::Node, first_play: FirstPlay::Random },
            halving: None,
            rave: None,
            widening: None,
            opponents: Opponents::Own,
            threshold: 0,
            first_visit: FirstVisit::Playout,
            discount: 1.0,
            choice: None,
            reuse: true,
            transpositions: false,
            solver: false,
            remember: None,
            node_cap: 1_000_000,
        }
    }
}
