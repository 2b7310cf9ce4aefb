//! A game cut at a depth: beyond it, the value of a state is the mean of its playouts.

use tesuji_core::{Game, Rng, Turn, final_shares};

use super::sides::{Sides, both};
use crate::Simulation;

/// The root is always the first node.
pub(super) const ROOT: usize = 0;

/// What follows in a state.
pub(super) enum Form<A> {
    /// Not expanded yet, or beyond the cut, or over.
    Leaf,
    /// A chance node: probabilities and nodes.
    Chance(Vec<(f64, usize)>),
    /// Players choose.
    Joint(Box<Table<A>>),
}

/// The joint actions of a state, with the data of regret minimisation.
pub(super) struct Table<A> {
    pub sides: Sides<A>,
    pub counts: [usize; 2],
    /// The regrets of each player's actions.
    pub regrets: [Vec<f64>; 2],
    /// The weighted sums of each player's strategies.
    pub sums: [Vec<f64>; 2],
    /// The visits and total share of each action.
    pub tried: [Vec<(u64, f64)>; 2],
    /// The node after each joint action, row by row; `None` if it was never reached.
    pub children: Vec<Option<usize>>,
}

/// A state of the cut game.
pub(super) struct CutNode<S, A> {
    pub state: S,
    /// The number of choices before it.
    pub depth: u32,
    pub form: Form<A>,
    playouts: u32,
    totals: [f64; 2],
}

/// The explored part of the game.
pub(super) struct CutGame<'a, G: Game> {
    game: &'a G,
    pub nodes: Vec<CutNode<G::State, G::Action>>,
    shares: Vec<f64>,
    joint: Vec<G::Action>,
}

impl<'a, G: Game> CutGame<'a, G> {
    /// The game from a state that is not over.
    pub(super) fn new(game: &'a G, root: &G::State) -> CutGame<'a, G> {
        let shares = vec![0.0; game.spec().players.len()];
        let mut cut = CutGame { game, nodes: Vec::new(), shares, joint: Vec::new() };
        cut.push(root.clone(), 0);
        cut
    }

    fn push(&mut self, state: G::State, depth: u32) -> usize {
        self.nodes.push(CutNode { state, depth, form: Form::Leaf, playouts: 0, totals: [0.0; 2] });
        self.nodes.len() - 1
    }

    /// Expands a state above the cut; a state beyond it or over stays a leaf.
    pub(super) fn open(&mut self, node: usize, cut: u32) {
        let CutNode { state, depth, form: Form::Leaf, .. } = &self.nodes[node] else { return };
        let depth = *depth;
        match self.game.turn(state) {
            Turn::Over => {}
            Turn::Chance => {
                let (state, mut outcomes) = (state.clone(), Vec::new());
                self.game.chance(&state, &mut outcomes);
                let children = outcomes.into_iter().map(|(outcome, probability)| {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[outcome]);
                    (probability, self.push(next, depth))
                });
                let children = children.collect();
                self.nodes[node].form = Form::Chance(children);
            }
            _ if depth >= cut => {}
            _ => {
                let sides = Sides::of(self.game, state);
                let counts = [0, 1].map(|side| sides.count(side));
                self.nodes[node].form = Form::Joint(Box::new(Table {
                    sides,
                    counts,
                    regrets: counts.map(|count| vec![0.0; count]),
                    sums: counts.map(|count| vec![0.0; count]),
                    tried: counts.map(|count| vec![(0, 0.0); count]),
                    children: vec![None; counts[0] * counts[1]],
                }));
            }
        }
    }

    /// The node after a joint action of `node`, whose table is `table`.
    pub(super) fn child(&mut self, node: usize, table: &mut Table<G::Action>, cell: [usize; 2]) -> usize {
        let place = cell[0] * table.counts[1] + cell[1];
        if let Some(known) = table.children[place] {
            return known;
        }
        let mut next = self.nodes[node].state.clone();
        table.sides.joint(cell, &mut self.joint);
        self.game.apply(&mut next, &self.joint);
        let child = self.push(next, self.nodes[node].depth + 1);
        table.children[place] = Some(child);
        child
    }

    /// Whether the match is over there.
    pub(super) fn is_over(&self, node: usize) -> bool {
        self.game.turn(&self.nodes[node].state) == Turn::Over
    }

    /// The number of playouts from a leaf.
    pub(super) fn playouts(&self, node: usize) -> u32 {
        self.nodes[node].playouts
    }

    /// Makes one more playout from a leaf.
    pub(super) fn play(&mut self, node: usize, simulation: &mut Simulation<G>, rng: &mut Rng) {
        let mut state = self.nodes[node].state.clone();
        simulation.run(self.game, &mut state, rng, &mut self.shares);
        let shares = both(&self.shares);
        let leaf = &mut self.nodes[node];
        leaf.playouts += 1;
        leaf.totals[0] += shares[0];
        leaf.totals[1] += shares[1];
    }

    /// The value of a leaf: its payoffs, or the mean of its playouts, or an even share if there are none.
    pub(super) fn worth(&mut self, node: usize) -> [f64; 2] {
        if self.is_over(node) {
            final_shares(self.game, &self.nodes[node].state, &mut self.shares);
            return both(&self.shares);
        }
        let leaf = &self.nodes[node];
        if leaf.playouts == 0 { [0.5; 2] } else { leaf.totals.map(|total| total / f64::from(leaf.playouts)) }
    }

    /// Expands everything above the deepest cut, up to `depth`, that leaves at most `most` leaves; at least one step.
    /// Returns the leaves.
    pub(super) fn grow(&mut self, depth: u32, most: usize) -> Vec<usize> {
        let mut leaves = vec![ROOT];
        for cut in 1..=depth {
            let widths = leaves.iter().map(|&node| self.width(node, cut));
            let width = widths.fold(0usize, usize::saturating_add);
            if cut > 1 && (width > most || width == leaves.len()) {
                break;
            }
            let mut next = Vec::new();
            for node in leaves {
                self.open(node, cut);
                match std::mem::replace(&mut self.nodes[node].form, Form::Leaf) {
                    Form::Joint(mut table) => {
                        for place in 0..table.children.len() {
                            let cell = [place / table.counts[1], place % table.counts[1]];
                            let child = self.child(node, &mut table, cell);
                            self.settle(child, &mut next);
                        }
                        self.nodes[node].form = Form::Joint(table);
                    }
                    _ => next.push(node),
                }
            }
            leaves = next;
        }
        leaves
    }

    /// Appends a node, or what the chance nodes there lead to: chance costs no depth.
    fn settle(&mut self, node: usize, out: &mut Vec<usize>) {
        self.open(node, 0);
        match &self.nodes[node].form {
            Form::Chance(children) => {
                let children: Vec<usize> = children.iter().map(|(_, child)| *child).collect();
                children.into_iter().for_each(|child| self.settle(child, out));
            }
            _ => out.push(node),
        }
    }

    /// The number of leaves that replace a leaf when it is expanded, counting a chance node as one.
    fn width(&self, node: usize, cut: u32) -> usize {
        let CutNode { state, depth, .. } = &self.nodes[node];
        match self.game.turn(state) {
            Turn::Over | Turn::Chance => 1,
            _ if *depth >= cut => 1,
            _ => {
                let sides = Sides::of(self.game, state);
                sides.count(0).saturating_mul(sides.count(1))
            }
        }
    }

    /// The table of the root, once it is expanded.
    pub(super) fn root_table(&self) -> Option<&Table<G::Action>> {
        match &self.nodes[ROOT].form {
            Form::Joint(table) => Some(table),
            _ => None,
        }
    }
}
