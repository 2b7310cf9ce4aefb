//! Everything that can be set about the search, beside the playouts.

use super::amaf::Rave;
use super::selection::{FirstPlay, Selection, TotalCount};
use super::widening::Widening;
use crate::{Budget, FinalChoice};

/// The parts that make up a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Its own budget; where it sets no limit, the seat's counts.
    pub budget: Budget,
    /// Which edge is taken where players choose.
    pub selection: Selection,
    /// Are the means of edges mixed with what their actions brought anywhere below?
    pub rave: Option<Rave>,
    /// Do nodes begin with few edges and get more? Not where AMAF means are mixed in.
    pub widening: Option<Widening>,
    /// Whose payoff the players are taken to want.
    pub opponents: Opponents,
    /// A leaf gets its children when it is reached and had more playouts than this.
    pub threshold: u32,
    /// What is left, after one step, of a share's distance from 1/2: below 1, an early win is worth more than a late
    /// one, and a late loss more than an early one.
    pub discount: f64,
    /// How the action is chosen in the end; `None`: most visits for a lone mover, in proportion to visits at a joint
    /// move.
    pub choice: Option<FinalChoice>,
    /// Is the part of the tree below the state that was reached kept from one decision to the next?
    pub reuse: bool,
    /// Do equal states share a node?
    pub transpositions: bool,
    /// Are results proven where one player chooses at a time? Proven values know no discount.
    pub solver: bool,
    /// Is the best line of a playout remembered and played? `None`: where one player plays alone and nature keeps out, which
    /// is the only place where it can be.
    pub remember: Option<bool>,
    /// The most nodes held. There are at most [`EDGES_PER_NODE`](crate::EDGES_PER_NODE) times as many edges, beside
    /// those of the node made last.
    pub node_cap: u32,
}

/// Whose payoff the players are taken to want.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponents {
    /// Each wants its own.
    Own,
    /// All want that of the player who searches. Unsound where others can do harm; the program behind paper 000 (§4.2)
    /// searches like this.
    Searcher,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            budget: Budget::default(),
            // On Connect Four at 500 and 3,000 playouts (200 matches each, standard error 0.035) 0.35, 0.5 and
            // 0.7 cannot be told apart; against 0.7, 0.15 scores 0.21 and 0.15, 1.0 scores 0.41 and 0.42.
            selection: Selection::Ucb1 { c: 0.5, total: TotalCount::Node, first_play: FirstPlay::Random },
            rave: None,
            widening: None,
            opponents: Opponents::Own,
            threshold: 0,
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
