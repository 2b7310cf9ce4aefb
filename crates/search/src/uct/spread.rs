//! AMAF statistics of batches: what the playouts of a leaf add to the nodes above it.
//!
//! The rules are those of single playouts (`amaf`). All playouts of a leaf share its path, so an action on the path at
//! or below a node counts in all of them; another counts in the playouts in which it was taken. Results are added after
//! the playouts: virtual losses never reach these statistics.

use tesuji_core::{Game, Player, Spec, TakenAction, Turn};

use super::amaf::Rave;
use super::descent::{Frame, Visit};
use super::recycle::EDGES_PER_NODE;
use super::tree::{NONE, Tree};
use crate::learning::trace::choice_key;

/// The actions below a node in the playouts of one leaf.
#[derive(Default)]
pub(super) struct Spread {
    below: Vec<Below>,
}

/// An action in the playouts of a leaf.
#[derive(Clone, Copy)]
struct Below {
    key: u64,
    playouts: u32,
    /// The sum of its player's shares over these playouts.
    total: f64,
}

impl Spread {
    /// Adds the playouts of a leaf to the nodes of its path. `shares` are each player's mean share; `taken` are the
    /// actions below the leaf.
    pub(super) fn add<G: Game>(
        &mut self,
        frame: &Frame<'_, G>,
        rave: Rave,
        tree: &mut Tree<G>,
        path: &[Visit],
        shares: impl Fn(Player) -> f64,
        taken: &[TakenAction<G::Action>],
    ) {
        let most = frame.settings.node_cap as usize * EDGES_PER_NODE;
        let each = frame.playouts_per_visit;
        let spec = frame.game.spec();
        self.below.clear();
        self.below.extend(taken.iter().map(|taken| Below {
            key: choice_key(taken.player, &taken.action),
            playouts: taken.playouts,
            total: share_sum(spec, taken.total, taken.playouts),
        }));
        let mut above = path;
        while let Some(&Visit { node: id, depth, .. }) = above.last() {
            let own = above.iter().rev().take_while(|visit| visit.node == id && visit.depth == depth).count();
            let visits = &above[above.len() - own..];
            above = &above[..above.len() - own];
            let node = &mut tree.nodes[id as usize];
            if node.turn != Turn::Chance {
                for visit in visits {
                    let key = choice_key(visit.player, &tree.edges[visit.edge as usize].action);
                    let on_path = Below { key, playouts: each, total: f64::from(each) * shares(visit.player) };
                    match self.below.iter_mut().find(|below| below.key == key) {
                        Some(below) => *below = on_path,
                        None => self.below.push(on_path),
                    }
                }
            }
            // GRAVE reads the root's statistics until a closer ancestor has enough visits.
            if depth > 0 && !rave.keeps(node.visits) {
                continue;
            }
            if node.row == NONE {
                node.row = tree.amaf.add_row(most);
            }
            if node.row == NONE {
                continue;
            }
            for below in &self.below {
                tree.amaf.add_many(node.row, below.key, (below.playouts, below.total), most);
            }
        }
    }
}

/// The sum of the shares of `playouts` playouts whose payoffs add up to `total`.
fn share_sum(spec: &Spec, total: f64, playouts: u32) -> f64 {
    f64::from(playouts) * spec.normalise(total / f64::from(playouts))
}
