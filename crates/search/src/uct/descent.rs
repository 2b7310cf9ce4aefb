//! One playout: descend the tree, play out to the end, and back up the result.

use std::hash::Hash;

use tesuji_core::{Game, Player, Rng, Turn};

use super::progressive::WidenedNodes;
use super::proof::PROVEN;
use super::recycle::EDGES_PER_NODE;
use super::settings::{FirstVisit, Opponents, Settings};
use super::tree::{Edge, Joint, JointPlace, NONE, ROOT, Span, Tree};
use crate::Simulation;
use crate::learning::trace::{Trace, choice_key};

/// The buffers of a playout, reused.
pub(super) struct Descent<A> {
    /// The path of edges from the root.
    pub path: Vec<Visit>,
    /// Each player's share.
    pub shares: Vec<f64>,
    joint: Vec<A>,
    /// The edge of the root that the next playout takes, if the root's own rule does not choose.
    pub first: Option<u32>,
    /// The number of playouts so far, to mark nodes.
    mark: u32,
}

/// An edge on the path.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub node: u32,
    pub edge: u32,
    /// Steps from the root.
    pub depth: u32,
    /// The player whose share is added to the edge.
    pub player: Player,
}

/// What stays constant during one decision.
pub(super) struct Frame<'a, G: Game> {
    pub game: &'a G,
    pub root: &'a G::State,
    pub searcher: Player,
    pub settings: &'a Settings,
    /// The nodes that start with few of their actions.
    pub progressive: Option<WidenedNodes>,
    /// The number of playouts that each leaf gets at once.
    pub playouts_per_visit: u32,
}

impl<G: Game> Frame<'_, G> {
    /// Whose payoff is maximised when `mover` chooses after an action of `before`.
    #[inline]
    fn wants(&self, mover: Player, before: Player) -> Player {
        match self.settings.opponents {
            Opponents::Own => mover,
            Opponents::Searcher => self.searcher,
            Opponents::Passing => before,
        }
    }
}

/// The ways to descend, compiled separately so that the plain one does not pay for the others. Plain: nothing observes
/// the playout.
pub(super) const PLAIN: u8 = 0;
/// The simulation's learner observes it.
pub(super) const TRACED: u8 = 1;
/// Leaves are played out in batches.
pub(super) const BATCHED: u8 = 2;

/// How a descent ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// At a state that must be played out.
    Leaf,
    /// At the end of the match; the shares are known.
    Over,
    /// At a node whose shares are proven.
    Proven,
}

impl<A: Copy + Hash> Descent<A> {
    /// Buffers for a game with that many players.
    pub(super) fn new(players: usize) -> Descent<A> {
        Descent { path: Vec::new(), shares: vec![0.0; players], joint: Vec::new(), first: None, mark: 0 }
    }

    /// Runs one playout; returns the steps inside the tree, and whether it was followed to the end of the match. Adds
    /// at most one node, none unless `grow`.
    pub(super) fn run<G: Game<Action = A>, const WAY: u8>(
        &mut self,
        frame: &Frame<'_, G>,
        tree: &mut Tree<G>,
        simulation: &mut Simulation<G>,
        grow: bool,
        rng: &mut Rng,
    ) -> (u32, bool) {
        let mut state = frame.root.clone();
        if WAY == TRACED {
            simulation.start(frame.game, &state);
        }
        let (depth, end) = self.descend::<G, WAY>(frame, tree, simulation, &mut state, grow, rng);
        let mut played = 0;
        if end == End::Leaf {
            played = simulation.run(frame.game, &mut state, rng, &mut self.shares);
        }
        self.back_up(tree, frame.settings.discount, played);
        if WAY == TRACED {
            simulation.observe(&self.shares);
            if let Some(learner) = &simulation.learner {
                self.spread(frame, tree, learner.trace());
            }
        }
        if end == End::Proven || end == End::Over && frame.settings.solver {
            self.conclude(tree);
        }
        (depth, end != End::Proven && frame.game.turn(&state) == Turn::Over)
    }

    /// Descends to where the tree ends, updating `state`; returns the number of steps. Edges are counted during backup,
    /// nodes and joint actions here.
    #[inline(always)]
    pub(super) fn descend<G: Game<Action = A>, const WAY: u8>(
        &mut self,
        frame: &Frame<'_, G>,
        tree: &mut Tree<G>,
        simulation: &mut Simulation<G>,
        state: &mut G::State,
        grow: bool,
        rng: &mut Rng,
    ) -> (u32, End) {
        let Frame { game, settings, .. } = *frame;
        let playouts_per_visit = if WAY == BATCHED { frame.playouts_per_visit } else { 1 };
        let root_visits = tree.nodes[ROOT as usize].visits;
        let mut at = ROOT;
        let mut depth = 0;
        // The player of the last action.
        let mut before = frame.searcher;
        // The AMAF statistics to use.
        let mut row = tree.nodes[ROOT as usize].row;
        self.path.clear();
        self.mark = self.mark.wrapping_add(1);
        loop {
            let node = &mut tree.nodes[at as usize];
            let (turn, node_visits) = (node.turn, node.visits);
            node.visits += playouts_per_visit;
            node.mark = self.mark;
            if WAY != PLAIN
                && let Some(rave) = settings.rave
                && node_visits > rave.reference
                && node.row != NONE
            {
                row = node.row;
            }
            let visits = (node_visits, root_visits);
            let link = match turn {
                Turn::Player(player) => {
                    let span = tree.span(at);
                    let index = match self.first {
                        Some(first) if depth == 0 => first as usize,
                        _ => pick::<G, WAY>(frame, tree, (at, span), player, visits, row, rng),
                    };
                    let edge = span.range().start + index;
                    self.take(at, edge, depth, frame.wants(player, before));
                    before = player;
                    let joint = [tree.edges[edge].action];
                    game.apply(state, &joint);
                    if WAY == TRACED {
                        simulation.note(turn, &joint, state);
                    }
                    Link::Edge(edge)
                }
                Turn::Chance => {
                    let span = tree.span(at);
                    let edges = tree.edges(span);
                    let index = match &settings.widening {
                        Some(widening) => widening.pick_outcome(edges, node_visits, rng),
                        None => rng.weighted(edges.iter().map(|edge| f64::from(edge.weight))),
                    };
                    let edge = span.range().start + index;
                    self.take(at, edge, depth, frame.searcher);
                    let joint = [tree.edges[edge].action];
                    game.apply(state, &joint);
                    if WAY == TRACED {
                        simulation.note(turn, &joint, state);
                    }
                    Link::Edge(edge)
                }
                Turn::Simultaneous(movers) => {
                    self.joint.clear();
                    let mut place = JointPlace::default();
                    for (rank, mover) in movers.enumerate() {
                        let span = tree.group(at, rank);
                        let index = pick::<G, WAY>(frame, tree, (at, span), mover, visits, row, rng);
                        let edge = span.range().start + index;
                        place.add(index, span);
                        self.take(at, edge, depth, frame.wants(mover, mover));
                        self.joint.push(tree.edges[edge].action);
                    }
                    game.apply(state, &self.joint);
                    if WAY == TRACED {
                        simulation.note(turn, &self.joint, state);
                    }
                    place.number().map_or(Link::Lost, |number| Link::Joint((at, number)))
                }
                Turn::Over => unreachable!("a node for a match that is over: {state:?}"),
            };
            depth += 1;
            let (visits, mut next) = link.visit(tree, playouts_per_visit);
            if next == NONE {
                if game.turn(state) == Turn::Over {
                    simulation.end(game, state, &mut self.shares);
                    if settings.solver {
                        let end = tree.proofs.proof_of(&self.shares);
                        link.lead_to(tree, PROVEN + end);
                    }
                    return (depth, End::Over);
                }
                if grow
                    && settings.first_visit == FirstVisit::Child
                    && let (Link::Edge(edge), Turn::Player(player)) = (link, game.turn(state))
                {
                    tree.edges[edge].child = tree.node_of(game, state, rng);
                    let wanted = frame.wants(player, before);
                    self.go_through::<G, WAY>(frame, tree, simulation, state, (edge, depth, wanted), rng);
                    if game.turn(state) == Turn::Over {
                        simulation.end(game, state, &mut self.shares);
                        return (depth + 1, End::Over);
                    }
                    return (depth + 1, End::Leaf);
                }
                if grow && visits > settings.threshold {
                    next = tree.node_of(game, state, rng);
                    link.lead_to(tree, next);
                }
            }
            if settings.solver
                && let Some(proof) = tree.proof(next)
            {
                self.shares.copy_from_slice(tree.proofs.shares(proof));
                return (depth, End::Proven);
            }
            // A node met twice on one path: a cycle, which the tree treats like a leaf.
            if next == NONE || tree.nodes[next as usize].mark == self.mark {
                return (depth, End::Leaf);
            }
            at = next;
        }
    }

    /// Takes a random edge of the new node below the last edge of the path, which is not counted then.
    fn go_through<G: Game<Action = A>, const WAY: u8>(
        &mut self,
        frame: &Frame<'_, G>,
        tree: &mut Tree<G>,
        simulation: &mut Simulation<G>,
        state: &mut G::State,
        (leaf, depth, wanted): (usize, u32, Player),
        rng: &mut Rng,
    ) {
        self.path.pop();
        let at = tree.edges[leaf].child;
        let range = tree.span(at).range();
        let edge = range.start + rng.below(range.len());
        self.take(at, edge, depth, wanted);
        let (turn, joint) = (tree.nodes[at as usize].turn, [tree.edges[edge].action]);
        frame.game.apply(state, &joint);
        if WAY == TRACED {
            simulation.note(turn, &joint, state);
        }
    }

    /// Propagates what was proven about the last edge up the path.
    pub(super) fn conclude<G: Game<Action = A>>(&self, tree: &mut Tree<G>) {
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

    /// Adds the shares to the edges of the path; `played` steps lie between the last of them and the end.
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
        // An edge's own step does not count: a win by this very step has the value 1.
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

    /// Adds the shares to the AMAF statistics of the nodes on the path.
    fn spread<G: Game<Action = A>>(&self, frame: &Frame<'_, G>, tree: &mut Tree<G>, trace: &Trace<A>) {
        let Some(rave) = frame.settings.rave else { return };
        let most = frame.settings.node_cap as usize * EDGES_PER_NODE;
        let mut last = NONE;
        for visit in &self.path {
            let node = &mut tree.nodes[visit.node as usize];
            // The movers of a joint move passed one node. GRAVE reads the root's statistics until a closer ancestor has
            // enough visits.
            if visit.node == last || visit.depth > 0 && !rave.keeps(node.visits) {
                continue;
            }
            last = visit.node;
            if node.row == NONE {
                node.row = tree.amaf.add_row(most);
            }
            if node.row == NONE {
                continue;
            }
            for choice in &trace.choices[trace.steps[visit.depth as usize].first as usize..] {
                let share = self.shares[frame.wants(choice.player, choice.player).index()] as f32;
                tree.amaf.add(node.row, choice.key, share, self.mark, most);
            }
        }
    }
}

/// The index of the edge that `mover` takes at a node, among its edges in a span. `visits` are the node's and the
/// root's; `row` is the AMAF statistics to use.
#[inline(always)]
fn pick<G: Game, const WAY: u8>(
    frame: &Frame<'_, G>,
    tree: &Tree<G>,
    (node, span): (u32, Span),
    mover: Player,
    visits: (u32, u32),
    row: u32,
    rng: &mut Rng,
) -> usize {
    let (mut edges, selection) = (tree.edges(span), &frame.settings.selection);
    if let Some(nodes) = frame.progressive {
        edges = &edges[..nodes.open(visits.0, edges.len(), node == ROOT)];
        let ordered = nodes == WidenedNodes::All || node == ROOT;
        if ordered && let Some(untried) = edges.iter().position(|edge| edge.visits == 0) {
            return untried;
        }
    }
    if frame.settings.first_visit == FirstVisit::Child {
        return selection.pick_by_edges(edges, visits.1, rng);
    }
    if WAY != PLAIN
        && let Some(rave) = frame.settings.rave
    {
        let amaf = |edge: &Edge<G::Action>| tree.amaf.get(row, choice_key(mover, &edge.action));
        let first_visits = if WAY == BATCHED { frame.playouts_per_visit } else { 1 };
        return selection.pick_mixed(edges, visits, rng, (rave.weight(visits.0), first_visits), amaf);
    }
    let taken = if WAY == BATCHED { visits.0 / frame.playouts_per_visit } else { visits.0 };
    match &frame.settings.widening {
        Some(widening) => widening.pick_action(selection, edges, visits, taken, rng),
        None => selection.pick(edges, visits.0, visits.1, taken, rng),
    }
}

/// The link from a node to its child.
#[derive(Clone, Copy)]
enum Link {
    Edge(usize),
    Joint((u32, u64)),
    /// A joint action whose number is too large to store.
    Lost,
}

impl Link {
    /// The number of earlier visits, and the child. Edges are counted during backup, joint actions here, each as
    /// `playouts_per_visit` visits.
    #[inline(always)]
    fn visit<G: Game>(self, tree: &mut Tree<G>, playouts_per_visit: u32) -> (u32, u32) {
        match self {
            Link::Edge(edge) => (tree.edges[edge].visits, tree.edges[edge].child),
            Link::Joint(key) => visit_joint(tree, key, playouts_per_visit),
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

/// Counts a joint action; returns the number of earlier visits, and the child.
fn visit_joint<G: Game>(tree: &mut Tree<G>, key: (u32, u64), playouts_per_visit: u32) -> (u32, u32) {
    let joint = tree.joints.entry(key).or_insert(Joint { visits: 0, child: NONE });
    joint.visits += playouts_per_visit;
    (joint.visits - playouts_per_visit, joint.child)
}
