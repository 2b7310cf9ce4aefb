//! Batched leaves, for games that run many playouts at once.
//!
//! The search descends the tree several times before any of the leaves is played out. Each descent counts its edges at
//! once as if they had brought nothing (a *virtual loss*), so that the next descent goes elsewhere; the results are
//! added after the playouts. Each leaf gets several playouts (`playouts_per_visit`), and all visits in the tree are
//! multiples of that number.
//!
//! With more leaves the statistics that guide a descent are older; with more playouts per leaf the tree is smaller. In
//! return a playout costs a fraction. Used if only time is limited.
//!
//! If the batch counts the actions that playouts take, they feed the AMAF statistics (`spread`), and make later
//! playouts prefer what paid (`BatchLearner`).
//!
//! Proofs (`proof`) need no playouts: a descent that ends at the end of the match or at a proven node is concluded at
//! once, before the rest of the batch descends.

use std::hash::Hash;
use std::time::Duration;

use tesuji_core::{Game, Player, Rng, TakenAction};

use super::descent::{BATCHED, Descent, End, Frame, Visit};
use super::spread::Spread;
use super::tree::{ROOT, Tree};
use crate::Simulation;
use crate::simulation::Batch;

/// Leaves collected for a batch, with their paths.
pub(super) struct Gathered<S, A> {
    states: Vec<S>,
    ways: Vec<Visit>,
    /// Where the path of each leaf ends.
    ends: Vec<usize>,
    pub totals: Vec<f64>,
    /// The actions of the playouts, for AMAF statistics.
    pub taken: Vec<TakenAction<A>>,
    spread: Spread,
    /// The duration of the last batch.
    pub duration: Duration,
}

impl<S, A> Default for Gathered<S, A> {
    fn default() -> Self {
        let (states, ways, ends, totals, taken) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Gathered { states, ways, ends, totals, taken, spread: Spread::default(), duration: Duration::ZERO }
    }
}

impl<S, A: Copy + Hash> Gathered<S, A> {
    /// Runs one batch of playouts; returns their number and the greatest depth reached in the tree.
    pub(super) fn run<G: Game<State = S, Action = A>>(
        &mut self,
        frame: &Frame<'_, G>,
        tree: &mut Tree<G>,
        simulation: &mut Simulation<G>,
        descent: &mut Descent<A>,
        rng: &mut Rng,
    ) -> (u64, u32)
    where
        S: Clone,
    {
        let Frame { game, settings, playouts_per_visit, .. } = *frame;
        let leaves = simulation.batch.as_ref().map_or(1, Batch::leaves);
        let (mut made, mut deepest) = (0u64, 0);
        self.states.clear();
        self.ways.clear();
        self.ends.clear();
        self.taken.clear();
        for _ in 0..leaves {
            let mut state = G::State::clone(frame.root);
            let grow = tree.has_room(settings.node_cap);
            let (depth, end) = descent.descend::<G, BATCHED>(frame, tree, simulation, &mut state, grow, rng);
            deepest = deepest.max(depth);
            made += 1;
            for visit in &descent.path {
                let edge = &mut tree.edges[visit.edge as usize];
                edge.visits += playouts_per_visit;
                if end != End::Leaf {
                    edge.total += f64::from(playouts_per_visit) * descent.shares[visit.player.index()];
                }
            }
            if let (Some(rave), true) = (settings.rave, end != End::Leaf) {
                let share = |player: Player| descent.shares[player.index()];
                self.spread.add(frame, rave, tree, &descent.path, share, &[]);
            }
            if end == End::Leaf {
                self.states.push(state);
                self.ways.extend_from_slice(&descent.path);
                self.ends.push(self.ways.len());
            } else if settings.solver {
                descent.conclude(tree);
                if tree.proof(ROOT).is_some() {
                    break;
                }
            }
        }
        let spec = game.spec();
        let players = spec.players.len();
        self.totals.clear();
        self.totals.resize(self.states.len() * players, 0.0);
        if let Some(batch) = simulation.batch.as_mut().filter(|_| !self.states.is_empty()) {
            let (states, totals) = (&self.states, &mut self.totals);
            let Batch { playouts, learner, .. } = batch;
            let counts = settings.rave.is_some() || learner.is_some();
            match counts.then(|| playouts.counting()).flatten() {
                None => playouts.run(game, states, playouts_per_visit, rng, totals),
                Some(counting) => {
                    if let Some(learner) = learner {
                        learner.guide(game, counting);
                    }
                    counting.run_counting(game, states, playouts_per_visit, rng, totals, &mut self.taken)
                }
            };
            if let Some(learner) = learner {
                learner.observe(game, &self.taken);
            }
        }
        let mut first = 0;
        let mut taken = &self.taken[..];
        for (leaf, (&end, totals)) in self.ends.iter().zip(self.totals.chunks_exact(players)).enumerate() {
            let mean = |player: Player| spec.normalise(totals[player.index()] / f64::from(playouts_per_visit));
            if let Some(rave) = settings.rave {
                let (own, rest) = taken.split_at(taken.partition_point(|taken| taken.start <= leaf));
                taken = rest;
                self.spread.add(frame, rave, tree, &self.ways[first..end], mean, own);
            }
            for visit in &self.ways[first..end] {
                // An edge that was proven in the meantime has its exact total already.
                if settings.solver && tree.proof(tree.edges[visit.edge as usize].child).is_some() {
                    continue;
                }
                tree.edges[visit.edge as usize].total += f64::from(playouts_per_visit) * mean(visit.player);
            }
            first = end;
        }
        (made * u64::from(playouts_per_visit), deepest)
    }
}
