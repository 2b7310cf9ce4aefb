//! One playout: down the tree, out to the end, and the result back up.

use tesuji_core::{Game, Player, Rng, Turn};

use super::proof::PROVEN;
use super::settings::{Opponents, Settings};
use super::tree::{Edge, Joint, JointPlace, NONE, ROOT, Tree};
use super::widening;
use crate::Simulation;
use crate::simulation::final_shares;

/// The buffers of a playout, kept from one to the next.
pub(super) struct Descent<A> {
    /// The edges taken, from the root.
    path: Vec<Visit>,
    /// What each player got.
    shares: Vec<f64>,
    joint: Vec<A>,
    /// Playouts so far, as marks on nodes.
    mark: u32,
}

/// An edge taken.
#[derive(Clone, Copy)]
struct Visit {
    node: u32,
    edge: u32,
    /// Steps from the root.
    depth: u32,
    /// Whose share is added to the edge.
    player: Player,
}

/// What stays the same during one decision.
pub(super) struct Frame<'a, G: Game> {
    pub game: &'a G,
    pub root: &'a G::State,
    pub searcher: Player,
    pub settings: &'a Settings,
}

impl<G: Game> Frame<'_, G> {
    /// Whose payoff counts when `mover` chooses.
    #[inline]
    fn wants(&self, mover: Player) -> Player {
        match self.settings.opponents {
            Opponents::Own => mover,
            Opponents::Searcher => self.searcher,
        }
    }
}

impl<A: Copy> Descent<A> {
    /// Buffers for a game with that many players.
    pub fn new(players: usize) -> Descent<A> {
        Descent { path: Vec::new(), shares: vec![0.0; players], joint: Vec::new(), mark: 0 }
    }

    /// One playout; returns the steps made inside the tree. At most one node is added, none unless `grow`.
    pub fn run<G: Game<Action = A>>(
        &mut self,
        frame: &Frame<'_, G>,
        tree: &mut Tree<G>,
        simulation: &mut Simulation<G>,
        grow: bool,
        rng: &mut Rng,
    ) -> u32 {
        let Frame { game, settings, .. } = *frame;
        let root_visits = tree.nodes[ROOT as usize].visits;
        let mut state = frame.root.clone();
        let mut at = ROOT;
        let mut depth = 0;
        let mut proven = false;
        self.path.clear();
        self.mark = self.mark.wrapping_add(1);
        let played = loop {
            let node = &mut tree.nodes[at as usize];
            let node_visits = node.visits;
            node.visits += 1;
            node.mark = self.mark;
            let link = match node.turn {
                Turn::Player(player) => {
                    let span = tree.span(at);
                    let edge = span.range().start + pick(settings, tree.edges(span), node_visits, root_visits, rng);
                    self.take(at, edge, depth, frame.wants(player));
                    game.apply(&mut state, &[tree.edges[edge].action]);
                    Link::Edge(edge)
                }
                Turn::Chance => {
                    let span = tree.span(at);
                    let weights = tree.edges(span).iter().map(|edge| f64::from(edge.weight));
                    let edge = span.range().start + rng.weighted(weights);
                    self.take(at, edge, depth, frame.searcher);
                    game.apply(&mut state, &[tree.edges[edge].action]);
                    Link::Edge(edge)
                }
                Turn::Simultaneous(movers) => {
                    self.joint.clear();
                    let mut place = JointPlace::default();
                    for (rank, mover) in movers.enumerate() {
                        let span = tree.group(at, rank);
                        let index = pick(settings, tree.edges(span), node_visits, root_visits, rng);
                        let edge = span.range().start + index;
                        place.add(index, span);
                        self.take(at, edge, depth, frame.wants(mover));
                        self.joint.push(tree.edges[edge].action);
                    }
                    game.apply(&mut state, &self.joint);
                    place.number().map_or(Link::Lost, |number| Link::Joint((at, number)))
                }
                Turn::Over => unreachable!("a node for a match that is over: {state:?}"),
            };
            depth += 1;
            let (visits, mut next) = link.visit(tree);
            if next == NONE {
                if game.turn(&state) == Turn::Over {
                    final_shares(game, &state, &mut self.shares);
                    if settings.solver {
                        let end = tree.proofs.proof_of(&self.shares);
                        link.lead_to(tree, PROVEN + end);
                        proven = true;
                    }
                    break 0;
                }
                if grow && visits > settings.threshold {
                    next = tree.node_of(game, &state, rng);
                    link.lead_to(tree, next);
                }
            }
            if settings.solver
                && let Some(proof) = tree.proof(next)
            {
                self.shares.copy_from_slice(tree.proofs.shares(proof));
                proven = true;
                break 0;
            }
            // A node met twice on one way: play leads in a circle, which the tree cannot tell from a leaf.
            if next == NONE || tree.nodes[next as usize].mark == self.mark {
                break simulation.run(game, &mut state, rng, &mut self.shares);
            }
            at = next;
        };
        self.back_up(tree, settings.discount, played);
        if proven {
            self.conclude(tree);
        }
        depth
    }

    /// Draws the conclusions from what was proven of the last edge taken, as far up as they reach.
    fn conclude<G: Game<Action = A>>(&self, tree: &mut Tree<G>) {
        for visit in self.path.iter().rev() {
            if tree.conclude(visit.node, visit.player).is_none() {
                return;
            }
        }
    }

    #[inline]
    fn take(&mut self, node: u32, edge: usize, depth: u32, player: Player) {
        self.path.push(Visit { node, edge: edge as u32, depth, player });
    }

    /// Adds the shares to the edges taken; `played` steps lie between the last of them and the end.
    #[inline]
    fn back_up<G: Game<Action = A>>(&mut self, tree: &mut Tree<G>, discount: f64, played: u32) {
        if discount == 1.0 {
            for visit in &self.path {
                let edge = &mut tree.edges[visit.edge as usize];
                edge.visits += 1;
                edge.total += self.shares[visit.player.index()];
            }
            return;
        }
        // An edge's own step is not counted: a win by this very step is worth 1.
        let mut kept = (0..played).fold(1.0, |kept, _| kept * discount);
        let mut depth = self.path.last().map_or(0, |visit| visit.depth);
        for visit in self.path.iter().rev() {
            if visit.depth < depth {
                kept *= discount;
                depth = visit.depth;
            }
            let edge = &mut tree.edges[visit.edge as usize];
            edge.visits += 1;
            edge.total += 0.5 + (self.shares[visit.player.index()] - 0.5) * kept;
        }
    }
}

/// The index of the edge to take: one of those the widening opens, the untried first, where there is one.
#[inline]
fn pick<A>(settings: &Settings, edges: &[Edge<A>], node_visits: u32, root_visits: u32, rng: &mut Rng) -> usize {
    if !settings.widening {
        return settings.selection.pick(edges, node_visits, root_visits, rng);
    }
    let open = &edges[..widening::open(node_visits, edges.len())];
    let untried = open.iter().position(|edge| edge.visits == 0);
    untried.unwrap_or_else(|| settings.selection.pick(open, node_visits, root_visits, rng))
}

/// What leads from a node to its child.
#[derive(Clone, Copy)]
enum Link {
    Edge(usize),
    Joint((u32, u64)),
    /// A joint action whose number is too great to be kept.
    Lost,
}

impl Link {
    /// How often it was taken before, and its child. Edges are counted on the way back, joint actions here.
    #[inline]
    fn visit<G: Game>(self, tree: &mut Tree<G>) -> (u32, u32) {
        match self {
            Link::Edge(edge) => (tree.edges[edge].visits, tree.edges[edge].child),
            Link::Joint(key) => {
                let joint = tree.joints.entry(key).or_insert(Joint { visits: 0, child: NONE });
                joint.visits += 1;
                (joint.visits - 1, joint.child)
            }
            Link::Lost => (0, NONE),
        }
    }

    fn lead_to<G: Game>(self, tree: &mut Tree<G>, child: u32) {
        match self {
            Link::Edge(edge) => tree.edges[edge].child = child,
            Link::Joint(key) => {
                if let Some(joint) = tree.joints.get_mut(&key) {
                    joint.child = child;
                }
            }
            Link::Lost => {}
        }
    }
}
