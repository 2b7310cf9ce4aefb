//! The tree: nodes in one vector, their edges in another.
//!
//! A node is a state whose actions are known. States at the end of the match and rarely visited leaves are edges
//! without a child. Positions are not stored but replayed from the root. There are three kinds of nodes:
//! - one player chooses: an edge for each action, which leads to a child;
//! - chance: an edge for each outcome, weighted by its probability, which leads to a child;
//! - several players choose at once (decoupled): each has its own edges, and all their choices together determine the
//!   child.

use rustc_hash::FxHashMap;
use tesuji_core::{Attacks, Game, Player, Rng, Turn};

use super::amaf::Amaf;
use super::progressive::arrange;
use super::proof::{PROVEN, Proofs};
use crate::{FuzzyJudgement, NetworkPrior};

/// No child.
pub(super) const NONE: u32 = u32::MAX;

/// The root is always the first node.
pub(super) const ROOT: u32 = 0;

/// An action or an outcome, with its statistics.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<A> {
    /// The action or outcome.
    pub action: A,
    /// The number of visits.
    pub visits: u32,
    /// The child: a node, [`NONE`], or a proof ([`PROVEN`] and its number); unused at joint moves.
    pub child: u32,
    /// The probability of a chance outcome; for an action its membership in the good ones, its learned value or its
    /// prior probability, 1 without any.
    pub weight: f32,
    /// The sum of the shares of the player who chooses here.
    pub total: f64,
}

/// A state whose actions are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Who acts; never `Over`.
    pub turn: Turn,
    /// The number of visits.
    pub visits: u32,
    /// The last playout of this decision that passed through, counted from 1, to detect a cycle.
    pub mark: u32,
    /// Its proof, or [`NONE`].
    pub proof: u32,
    /// Its AMAF statistics, or [`NONE`].
    pub row: u32,
    /// The edges; at a joint move, the groups.
    span: Span,
}

/// A range of entries in a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    first: u32,
    count: u32,
}

impl Span {
    #[inline]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// Where a joint action leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    /// The number of visits.
    pub visits: u32,
    /// The node it leads to.
    pub child: u32,
}

/// The memory of the search.
pub(super) struct Tree<G: Game> {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge<G::Action>>,
    /// The edges of each mover at the joint moves.
    groups: Vec<Span>,
    /// Children at joint moves, by node and the movers' choices as one number.
    pub joints: FxHashMap<(u32, u64), Joint>,
    /// Nodes by state, if equal states share a node.
    pub table: Option<FxHashMap<G::State, u32>>,
    /// What was proven.
    pub proofs: Proofs,
    /// The AMAF statistics.
    pub amaf: Amaf,
    /// Puts attacks first where nodes widen.
    pub attacks: Option<&'static dyn Attacks<G>>,
    /// Evaluates actions and prunes some.
    pub fuzzy: Option<FuzzyJudgement<G>>,
    /// Gives each action of a single mover its learned value.
    pub prior: Option<NetworkPrior<G>>,
    memberships: Vec<f32>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, f64)>,
}

impl<G: Game> Tree<G> {
    /// An empty tree.
    pub(super) fn new(transpositions: bool) -> Tree<G> {
        Tree {
            nodes: Vec::new(),
            edges: Vec::new(),
            groups: Vec::new(),
            joints: FxHashMap::default(),
            table: transpositions.then(FxHashMap::default),
            proofs: Proofs::default(),
            amaf: Amaf::default(),
            attacks: None,
            fuzzy: None,
            prior: None,
            memberships: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// Clears the tree and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.groups.clear();
        self.joints.clear();
        self.proofs.clear();
        self.amaf.clear();
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// The node of `state`: a shared one if equal states share nodes, or a new one. `state` must not be over.
    pub(super) fn node_of(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> u32 {
        if let Some(&known) = self.table.as_ref().and_then(|table| table.get(state)) {
            return known;
        }
        let id = self.nodes.len() as u32;
        let turn = game.turn(state);
        let span = match turn {
            Turn::Player(player) => {
                game.legal(state, player, &mut self.actions);
                self.push_actions(game, state, Some(player), rng)
            }
            Turn::Chance => {
                game.chance(state, &mut self.outcomes);
                let first = self.edges.len() as u32;
                let outcomes = self.outcomes.drain(..);
                self.edges.extend(outcomes.map(|(action, weight)| Edge::new(action, weight as f32)));
                Span { first, count: self.edges.len() as u32 - first }
            }
            Turn::Simultaneous(movers) => {
                let first = self.groups.len() as u32;
                for mover in movers {
                    game.legal(state, mover, &mut self.actions);
                    let group = self.push_actions(game, state, None, rng);
                    self.groups.push(group);
                }
                Span { first, count: movers.len() as u32 }
            }
            Turn::Over => unreachable!("a node for a match that is over: {state:?}"),
        };
        self.nodes.push(Node { turn, visits: 0, mark: 0, proof: NONE, row: NONE, span });
        if let Some(table) = &mut self.table {
            table.insert(state.clone(), id);
        }
        id
    }

    /// Adds the edges of the listed actions; `mover` acts alone.
    fn push_actions(&mut self, game: &G, state: &G::State, mover: Option<Player>, rng: &mut Rng) -> Span {
        if let Some(attacks) = self.attacks {
            arrange(&mut self.actions, rng, |action| attacks.is_attack(game, state, action));
        }
        let first = self.edges.len() as u32;
        match (&mut self.fuzzy, &mut self.prior, mover) {
            (None, Some(prior), Some(player)) => {
                prior.judge(game, state, player, &self.actions, &mut self.memberships);
                let judged = self.actions.drain(..).zip(&self.memberships);
                self.edges.extend(judged.map(|(action, &value)| Edge::new(action, value)));
            }
            (Some(fuzzy), ..) => {
                fuzzy.judge(game, state, &mut self.actions, &mut self.memberships);
                let judged = self.actions.drain(..).zip(&self.memberships);
                self.edges.extend(judged.map(|(action, &membership)| Edge::new(action, membership)));
            }
            (None, prior, _) => {
                let weight = prior.as_ref().map_or(1.0, |prior| prior.of_one_among(self.actions.len()));
                self.edges.extend(self.actions.drain(..).map(|action| Edge::new(action, weight)));
            }
        }
        Span { first, count: self.edges.len() as u32 - first }
    }

    /// The edges of a single mover or of chance.
    #[inline]
    pub(super) fn span(&self, node: u32) -> Span {
        debug_assert!(!matches!(self.nodes[node as usize].turn, Turn::Simultaneous(_)));
        self.nodes[node as usize].span
    }

    /// The edges of the mover of the given rank at a joint move.
    #[inline]
    pub(super) fn group(&self, node: u32, rank: usize) -> Span {
        self.groups[self.nodes[node as usize].span.first as usize + rank]
    }

    /// The edges of a span.
    #[inline]
    pub(super) fn edges(&self, span: Span) -> &[Edge<G::Action>] {
        &self.edges[span.range()]
    }

    /// The spans of a node: one, or one for each mover of a joint move.
    pub(super) fn spans(&self, node: u32) -> &[Span] {
        let node = &self.nodes[node as usize];
        match node.turn {
            Turn::Simultaneous(_) => &self.groups[node.span.range()],
            _ => std::slice::from_ref(&node.span),
        }
    }

    /// The number of edges, including joint ones.
    pub(super) fn edge_count(&self) -> usize {
        self.edges.len() + self.joints.len()
    }

    /// The child that `joint` leads to, if it is in the tree.
    pub(super) fn child(&self, node: u32, joint: &[G::Action]) -> Option<u32> {
        let mut place = JointPlace::default();
        let mut child = NONE;
        if self.spans(node).len() != joint.len() {
            return None;
        }
        for (&span, action) in self.spans(node).iter().zip(joint) {
            let index = self.edges(span).iter().position(|edge| edge.action == *action)?;
            child = self.edges(span)[index].child;
            place.add(index, span);
        }
        if matches!(self.nodes[node as usize].turn, Turn::Simultaneous(_)) {
            child = self.joints.get(&(node, place.number()?)).map_or(NONE, |joint| joint.child);
        }
        (child < PROVEN).then_some(child)
    }

    /// Makes `root` the root and keeps what is reachable from it through nodes for which `keep` is true, including
    /// `root` itself. Edges to dropped nodes keep their statistics, and what was proven about the nodes.
    ///
    /// Nodes are laid out again, breadth first.
    pub(super) fn retain(&mut self, root: u32, keep: &dyn Fn(u32) -> bool) {
        let mut joints: Vec<((u32, u64), Joint)> = self.joints.drain().collect();
        sort_by_place(&mut joints);
        let mut places = vec![NONE; self.nodes.len()];
        let mut order = vec![root];
        places[root as usize] = ROOT;
        let mut proofs = Proofs::default();
        let mut keep_proof = |proof: Option<u32>| proof.map(|proof| proofs.proof_of(self.proofs.shares(proof)));
        let mut place_of = |child: u32, order: &mut Vec<u32>, kept_proof: Option<u32>| {
            if child >= PROVEN || !keep(child) && child != root {
                return kept_proof.map_or(NONE, |proof| PROVEN + proof);
            }
            if places[child as usize] == NONE {
                places[child as usize] = order.len() as u32;
                order.push(child);
            }
            places[child as usize]
        };
        let (mut nodes, mut edges, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        let mut amaf = Amaf::default();
        let mut next = 0;
        while let Some(&old) = order.get(next) {
            let copy_span = |span: Span, edges: &mut Vec<Edge<G::Action>>| {
                let first = edges.len() as u32;
                edges.extend_from_slice(&self.edges[span.range()]);
                Span { first, count: span.count }
            };
            let mut node = Node { mark: 0, ..self.nodes[old as usize] };
            node.proof = keep_proof(self.proof(old)).unwrap_or(NONE);
            node.row = self.amaf.copy_row(node.row, &mut amaf);
            if matches!(node.turn, Turn::Simultaneous(_)) {
                let first = groups.len() as u32;
                for &span in self.spans(old) {
                    let group = copy_span(span, &mut edges);
                    groups.push(group);
                }
                node.span.first = first;
                let start = joints.partition_point(|((node, _), _)| *node < old);
                for &((_, number), joint) in joints[start..].iter().take_while(|((node, _), _)| *node == old) {
                    let child = place_of(joint.child, &mut order, None);
                    if child != NONE {
                        self.joints.insert((next as u32, number), Joint { child, ..joint });
                    }
                }
            } else {
                node.span = copy_span(node.span, &mut edges);
                for edge in &mut edges[node.span.range()] {
                    edge.child = place_of(edge.child, &mut order, keep_proof(self.proof(edge.child)));
                }
            }
            nodes.push(node);
            next += 1;
        }
        if let Some(table) = &mut self.table {
            table.retain(|_, node| {
                *node = places[*node as usize];
                *node != NONE
            });
        }
        (self.nodes, self.edges, self.groups, self.proofs, self.amaf) = (nodes, edges, groups, proofs, amaf);
    }
}

/// Sorts joint actions by node and number. Compiled once, unlike the tree.
fn sort_by_place(joints: &mut [((u32, u64), Joint)]) {
    joints.sort_unstable_by_key(|(key, _)| *key);
}

impl<A> Edge<A> {
    fn new(action: A, weight: f32) -> Edge<A> {
        Edge { action, visits: 0, child: NONE, weight, total: 0.0 }
    }
}

/// The movers' choices as one number, digit by digit.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointPlace(Option<u64>);

impl Default for JointPlace {
    fn default() -> Self {
        JointPlace(Some(0))
    }
}

impl JointPlace {
    /// Adds the choice of the next mover.
    #[inline]
    pub(super) fn add(&mut self, index: usize, span: Span) {
        self.0 = self.0.and_then(|number| number.checked_mul(u64::from(span.count))?.checked_add(index as u64));
    }

    /// The number; `None` if it does not fit 64 bits. The tree does not grow beyond such a choice.
    #[inline]
    pub(super) fn number(self) -> Option<u64> {
        self.0
    }
}
