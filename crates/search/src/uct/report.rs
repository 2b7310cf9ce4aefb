//! Reports what the tree knows about the root.

use tesuji_core::{Game, Player};

use super::tree::{Edge, ROOT, Span, Tree};
use crate::final_choice::Tried;

impl<G: Game> Tree<G> {
    /// The statistics of the actions of `player`, one of the root's movers.
    pub(super) fn tried(&self, player: Player) -> (Vec<G::Action>, Vec<Tried>) {
        let rank = self.nodes[ROOT as usize].turn.movers().rank(player);
        let edges = self.edges(self.spans(ROOT)[rank]);
        let proven = |edge: &Edge<G::Action>| self.proven_share(edge, player);
        let most = edges.iter().filter_map(proven).fold(f64::NEG_INFINITY, f64::max);
        let solved = self.proof(ROOT).is_some();
        let tried = |edge: &Edge<G::Action>| {
            let share = proven(edge);
            Tried {
                visits: u64::from(edge.visits),
                total: share.map_or(edge.total, |share| share * f64::from(edge.visits)),
                // Once the root is proven, no unproven action can be better than the best proven one.
                refuted: share.map_or(solved, |share| share < most),
                prior: (self.fuzzy.is_some() || self.prior.is_some()).then_some(f64::from(edge.weight)),
            }
        };
        edges.iter().map(|edge| (edge.action, tried(edge))).unzip()
    }

    /// The expected line, beginning with `action` of `player` at the root, until it leaves the tree or repeats.
    pub(super) fn line(&self, player: Player, action: G::Action) -> Vec<Vec<G::Action>> {
        let mut line = Vec::new();
        let mut way = Vec::new();
        let mut at = Some(ROOT);
        while let Some(node) = at.filter(|node| !way.contains(node)) {
            way.push(node);
            let turn = self.nodes[node as usize].turn;
            let own = (node == ROOT).then(|| turn.movers().rank(player));
            let mut joint = Vec::new();
            for (rank, &span) in self.spans(node).iter().enumerate() {
                match self.expected(node, span) {
                    _ if own == Some(rank) => joint.push(action),
                    Some(edge) => joint.push(edge.action),
                    None => return line,
                }
            }
            at = self.child(node, &joint);
            line.push(joint);
        }
        line
    }

    /// The expected choice of one mover at a node: the edge that proves the node, or else the most visited edge that is
    /// not refuted; ties in the game's order.
    fn expected(&self, node: u32, span: Span) -> Option<&Edge<G::Action>> {
        let edges = self.edges(span);
        if let Some(proof) = self.proof(node) {
            return edges.iter().find(|edge| self.proof(edge.child) == Some(proof));
        }
        let open = edges.iter().rev().filter(|edge| edge.visits > 0 && edge.total > f64::NEG_INFINITY);
        // `max_by_key` returns the last of equal elements, hence the reversal.
        open.max_by_key(|edge| edge.visits)
    }
}
