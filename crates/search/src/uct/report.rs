//! What the tree says about the root.

use tesuji_core::{Game, Player, Turn};

use super::tree::{Edge, ROOT, Span, Tree};
use crate::final_choice::Tried;

impl<G: Game> Tree<G> {
    /// What is known of the actions of `player`, one of the root's movers.
    pub fn tried(&self, player: Player) -> (Vec<G::Action>, Vec<Tried>) {
        let rank = self.nodes[ROOT as usize].turn.movers().rank(player);
        let tried = |edge: &Edge<G::Action>| Tried { visits: u64::from(edge.visits), total: edge.total };
        self.edges(self.spans(ROOT)[rank]).iter().map(|edge| (edge.action, tried(edge))).unzip()
    }

    /// The most visited way, beginning with `action` of `player` at the root; at most `longest` steps.
    pub fn line(&self, player: Player, action: G::Action, longest: u32) -> Vec<Vec<G::Action>> {
        let mut line = Vec::new();
        let mut at = Some(ROOT);
        while let Some(node) = at.filter(|_| line.len() < longest as usize) {
            let turn = self.nodes[node as usize].turn;
            let own = (node == ROOT).then(|| turn.movers().rank(player));
            let mut joint = Vec::new();
            for (rank, &span) in self.spans(node).iter().enumerate() {
                match self.most_visited(span) {
                    _ if own == Some(rank) => joint.push(action),
                    Some(edge) => joint.push(edge.action),
                    None => return line,
                }
            }
            debug_assert!(turn != Turn::Over);
            at = self.child(node, &joint);
            line.push(joint);
        }
        line
    }

    fn most_visited(&self, span: Span) -> Option<&Edge<G::Action>> {
        // Of equal ones `max_by_key` takes the last; the first in the game's order is wanted.
        self.edges(span).iter().rev().filter(|edge| edge.visits > 0).max_by_key(|edge| edge.visits)
    }
}
