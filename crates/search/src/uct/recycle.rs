//! Makes room for new nodes when the tree has reached its cap.

use tesuji_core::Game;

use super::tree::{ROOT, Tree};
use crate::cold_sort::cold_order;

/// The number of edges stored per node of the cap. Games with more actions reach this limit before the cap on nodes.
pub(crate) const EDGES_PER_NODE: usize = 16;

impl<G: Game> Tree<G> {
    /// Whether a node may be added.
    #[inline]
    pub(super) fn has_room(&self, node_cap: u32) -> bool {
        self.nodes.len() < node_cap as usize && self.edge_count() < node_cap as usize * EDGES_PER_NODE
    }

    /// Drops the least visited nodes until both limits are at most half used, or only the root is left. With equal
    /// visits the older node stays.
    pub(super) fn recycle(&mut self, node_cap: u32) {
        let visits = |node: usize| self.nodes[node].visits;
        let order = cold_order(self.nodes.len(), &|one, two| visits(two).cmp(&visits(one)));
        let mut keep = vec![false; self.nodes.len()];
        let mut edges = 0;
        for node in order.into_iter().map(|node| node as u32).take(node_cap as usize / 2) {
            edges += self.spans(node).iter().map(|span| span.range().len()).sum::<usize>();
            if edges > node_cap as usize * EDGES_PER_NODE / 2 {
                break;
            }
            keep[node as usize] = true;
        }
        self.retain(ROOT, &|node| keep[node as usize]);
    }
}
