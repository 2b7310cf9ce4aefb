//! UCT: Monte Carlo tree search for every class of game.
//!
//! Each playout walks down the tree (`descent`), taking at each node the edge that `selection` names; nature's edges are
//! drawn by their probabilities; at a joint move each mover chooses by its own statistics, blind to the others
//! (decoupled). A leaf that was visited often enough becomes a node (`tree`). From there the `Simulation` plays on, and
//! what each player got is added to the edges of those who chose, by player index. In the end `FinalChoice` picks.
//!
//! Decoupled UCT mixes where mixing is needed, but is not proven to reach an equilibrium, and its *value* of a joint move
//! can be off: all movers follow the same rule at the same time, so their choices are not independent (in matching pennies
//! the policy is even, yet a value of 3/4 instead of 1/2 was met).
//!
//! Where equal states share a node (`transpositions`), statistics stay on the edges, so a mean is never mixed from
//! different choices; and a way that comes back to a node it went through ends there with a playout.

mod descent;
mod proof;
mod recycle;
mod report;
mod reuse;
mod selection;
mod settings;
#[cfg(test)]
mod tests;
mod split;
mod tree;
mod widening;

use std::time::Duration;

use tesuji_core::{Game, Knowledge, Rng, Turn};

pub use recycle::EDGES_PER_NODE;
pub use selection::{FirstPlay, Selection, TotalCount};
pub use settings::{Opponents, Settings};

use crate::final_choice::{candidates, decide, forced};
use crate::pace::Pace;
use crate::{Agent, Budget, Decision, FinalChoice, Seat, Simulation, Thought};
use descent::{Descent, Frame};
use reuse::Standpoint;
use split::Split;
use tree::{ROOT, Tree};
use widening::Attacks;

/// The agent. A single legal action is played at once, without a search.
pub struct Uct<G: Game> {
    settings: Settings,
    simulation: Simulation<G>,
    tree: Tree<G>,
    standpoint: Option<Standpoint<G>>,
    split: Option<Split<G>>,
}

impl<G: Game> Uct<G> {
    /// A search of these parts, without knowledge: it neither widens nor splits, whatever the settings say.
    pub fn new(settings: Settings, simulation: Simulation<G>) -> Uct<G> {
        let settings = Settings { widening: false, split: false, ..settings };
        Uct { settings, simulation, tree: Tree::new(settings.transpositions, None), standpoint: None, split: None }
    }

    /// A search of these parts, with what the game knows of attacks and pieces.
    pub fn with_knowledge(settings: Settings, simulation: Simulation<G>) -> Uct<G>
    where
        G: Knowledge,
    {
        let attacks: Attacks<G> = |game, state, action| game.is_attack(state, action) == Some(true);
        let tree = Tree::new(settings.transpositions, settings.widening.then_some(attacks));
        let split = settings.split.then(Split::default);
        Uct { settings, tree, split, ..Uct::new(settings, simulation) }
    }

    /// Puts the root where the seat is, with what is known of it.
    fn take_standpoint(&mut self, seat: &Seat<'_, G>, rng: &mut Rng) {
        let known = self.standpoint.as_ref().filter(|_| self.settings.reuse);
        match known.and_then(|standpoint| standpoint.walk(&self.tree, seat)) {
            Some(node) => self.tree.retain(node, |_| true),
            None => {
                self.tree.clear();
                self.tree.node_of(seat.game, seat.state, rng);
            }
        }
        self.standpoint = Some(Standpoint::of(seat));
    }
}

impl<G: Game> Agent<G> for Uct<G> {
    fn begin(&mut self) {
        self.tree.clear();
        self.standpoint = None;
        self.split.iter_mut().for_each(Split::forget);
    }

    fn choose(&mut self, mut seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let mut legal = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut legal);
        if let [only] = legal[..] {
            if let Some(split) = &mut self.split {
                split.note(&seat);
            }
            return forced(only);
        }
        let budget = if self.settings.budget.is_limited() { self.settings.budget } else { *budget };
        let mut pace = Pace::start(self.split.as_mut().map_or(budget, |split| split.share(budget, &seat)));
        self.take_standpoint(&seat, rng);
        let Uct { settings, simulation, tree, .. } = self;
        let spec = seat.game.spec();
        let choice = settings.choice.unwrap_or(match seat.game.turn(seat.state) {
            Turn::Simultaneous(_) => FinalChoice::Mixed,
            _ => FinalChoice::Visits,
        });
        let player = seat.player;
        let frame = Frame { game: seat.game, root: seat.state, searcher: player, settings };
        let mut descent = Descent::new(spec.players.len());
        let (mut playouts, mut nodes_made, mut depth) = (0u64, 0u64, 0);
        let think = |tree: &Tree<G>, playouts: u64, depth: u32, time: Duration| Thought {
            depth,
            nodes: tree.nodes.len() as u64,
            playouts,
            time,
            ..Thought::default()
        };
        while pace.allows(playouts, nodes_made, &mut seat.watcher, |time| {
            let (actions, tried) = tree.tried(player);
            let candidates = candidates(spec, &actions, &tried, &choice.policy(&tried));
            let line = tree.line(player, candidates[0].action);
            Thought { candidates, line, ..think(tree, playouts, depth, time) }
        }) && tree.nodes[ROOT as usize].visits < u32::MAX
            && tree.proof(ROOT).is_none()
        {
            if !tree.has_room(settings.node_cap) {
                tree.recycle(settings.node_cap);
            }
            let nodes = tree.nodes.len();
            let grow = tree.has_room(settings.node_cap);
            depth = depth.max(descent.run(&frame, tree, simulation, grow, rng));
            nodes_made += (tree.nodes.len() - nodes) as u64;
            playouts += 1;
        }
        let (actions, tried) = tree.tried(player);
        let thought = think(tree, playouts, depth, pace.elapsed());
        let mut decision = decide(spec, choice, &actions, &tried, thought, rng);
        decision.thought.line = tree.line(player, decision.action);
        decision
    }
}
