//! The tree of a guided search.

use tesuji_core::{Game, Player, Rng, Turn, final_shares};

/// A tree of states in which one player acts or the match is over. The root is node 0.
pub(super) struct Tree<G: Game> {
    nodes: Vec<Node<G>>,
    exploration: f64,
    depth: u32,
}

pub(super) struct Node<G: Game> {
    pub(super) state: G::State,
    /// Empty until the node is expanded.
    pub(super) edges: Vec<Edge<G>>,
    mover: Player,
    visits: u64,
    /// The sum of shares by player.
    totals: Vec<f64>,
}

pub(super) struct Edge<G: Game> {
    pub(super) action: G::Action,
    pub(super) prior: f64,
    pub(super) visits: u64,
    /// Visits whose value is not yet known.
    pending: u64,
    pub(super) totals: Vec<f64>,
    /// The states that were reached, one for each outcome of chance that was met.
    children: Vec<usize>,
}

/// The end of a descent.
pub(super) struct Leaf {
    pub(super) node: usize,
    /// Whether the match is over there.
    pub(super) over: bool,
    /// The nodes on the way and the edges taken.
    path: Vec<(usize, usize)>,
}

impl<G: Game> Tree<G> {
    pub(super) fn new(state: G::State, exploration: f64) -> Tree<G> {
        let mut tree = Tree { nodes: Vec::new(), exploration, depth: 0 };
        tree.add(state);
        tree
    }

    fn add(&mut self, state: G::State) -> usize {
        self.nodes.push(Node { state, edges: Vec::new(), mover: Player(0), visits: 0, totals: Vec::new() });
        self.nodes.len() - 1
    }

    pub(super) fn node(&self, node: usize) -> &Node<G> {
        &self.nodes[node]
    }

    pub(super) fn len(&self) -> u64 {
        self.nodes.len() as u64
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether not even the root is expanded.
    pub(super) fn is_bare(&self) -> bool {
        self.nodes[0].edges.is_empty()
    }

    /// Follows the most promising edges to a node that is not expanded. Its visit is pending.
    pub(super) fn descend(&mut self, game: &G, rng: &mut Rng) -> Leaf {
        let mut path = Vec::new();
        let mut here = 0;
        while !self.nodes[here].edges.is_empty() {
            let edge = self.select(here);
            self.nodes[here].edges[edge].pending += 1;
            path.push((here, edge));
            let mut state = self.nodes[here].state.clone();
            game.apply(&mut state, &[self.nodes[here].edges[edge].action]);
            while game.turn(&state) == Turn::Chance {
                let outcome = game.random_outcome(&state, rng);
                game.apply(&mut state, &[outcome]);
            }
            let known = self.nodes[here].edges[edge].children.iter().copied();
            here = match known.into_iter().find(|&child| self.nodes[child].state == state) {
                Some(child) => child,
                None => {
                    let child = self.add(state);
                    self.nodes[here].edges[edge].children.push(child);
                    child
                }
            };
        }
        self.depth = self.depth.max(path.len() as u32);
        Leaf { node: here, over: game.turn(&self.nodes[here].state) == Turn::Over, path }
    }

    /// The edge with the greatest Q + c·P·√N / (1 + n).
    fn select(&self, node: usize) -> usize {
        let Node { edges, mover, visits, totals, .. } = &self.nodes[node];
        let player = mover.index();
        let first = totals[player] / (*visits).max(1) as f64;
        let pending: u64 = edges.iter().map(|edge| edge.pending).sum();
        let spread = self.exploration * ((visits + pending) as f64).sqrt();
        let score = |edge: &Edge<G>| {
            // Pending visits count as lost.
            let count = (edge.visits + edge.pending) as f64;
            let mean = if count > 0.0 { edge.totals[player] / count } else { first };
            mean + spread * edge.prior / (1.0 + count)
        };
        let mut best = 0;
        for place in 1..edges.len() {
            if score(&edges[place]) > score(&edges[best]) {
                best = place;
            }
        }
        best
    }

    /// Gives a leaf its edges, with priors in proportion to `weights`, and backs up its value.
    pub(super) fn expand(&mut self, leaf: &Leaf, mover: Player, legal: &[G::Action], weights: &[f64], shares: &[f64]) {
        let sum: f64 = weights.iter().sum();
        let even = 1.0 / legal.len().max(1) as f64;
        let edges = legal.iter().zip(weights).map(|(&action, &weight)| Edge {
            action,
            prior: if sum > 0.0 { weight / sum } else { even },
            visits: 0,
            pending: 0,
            totals: vec![0.0; shares.len()],
            children: Vec::new(),
        });
        let node = &mut self.nodes[leaf.node];
        node.edges = edges.collect();
        node.mover = mover;
        self.back_up(leaf, shares);
    }

    /// Backs up the payoffs of a leaf where the match is over.
    pub(super) fn finish(&mut self, game: &G, leaf: &Leaf) {
        let mut shares = vec![0.0; game.spec().players.len()];
        final_shares(game, &self.nodes[leaf.node].state, &mut shares);
        self.back_up(leaf, &shares);
    }

    /// Takes a pending visit back.
    pub(super) fn abandon(&mut self, leaf: &Leaf) {
        for &(node, edge) in &leaf.path {
            self.nodes[node].edges[edge].pending -= 1;
        }
    }

    fn back_up(&mut self, leaf: &Leaf, shares: &[f64]) {
        let count = |visits: &mut u64, totals: &mut Vec<f64>| {
            *visits += 1;
            totals.resize(shares.len(), 0.0);
            totals.iter_mut().zip(shares).for_each(|(total, share)| *total += share);
        };
        let node = &mut self.nodes[leaf.node];
        count(&mut node.visits, &mut node.totals);
        for &(node, edge) in &leaf.path {
            let node = &mut self.nodes[node];
            count(&mut node.visits, &mut node.totals);
            let edge = &mut node.edges[edge];
            edge.pending -= 1;
            count(&mut edge.visits, &mut edge.totals);
        }
    }

    /// The most visited actions from the root, as far as chance does not interfere.
    pub(super) fn line(&self) -> Vec<Vec<G::Action>> {
        let mut line = Vec::new();
        let mut here = 0;
        while let Some(edge) =
            self.nodes[here].edges.iter().max_by_key(|edge| edge.visits).filter(|edge| edge.visits > 0)
        {
            line.push(vec![edge.action]);
            match edge.children[..] {
                [child] => here = child,
                _ => break,
            }
        }
        line
    }
}
