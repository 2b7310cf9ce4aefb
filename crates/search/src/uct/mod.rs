//! UCT: Monte Carlo tree search for every class of game.
//!
//! Each playout descends the tree (`descent`) by the edge that `selection` picks at each node. Chance edges are drawn
//! by their probabilities. At a joint move each mover chooses by its own statistics, without seeing the others
//! (decoupled). A leaf that was visited often enough becomes a node (`tree`). From there the `Simulation` plays on, and
//! each player's share is added to the edges where that player chose. At the end `FinalChoice` picks the action.
//!
//! Decoupled UCT mixes where mixing is needed, but it is not proven to converge to an equilibrium, and its *value* of a
//! joint move can be wrong: all movers follow the same rule at the same time, so their choices are not independent (in
//! matching pennies the policy is uniform, yet a value of 3/4 instead of 1/2 was observed).
//!
//! Optional parts: AMAF statistics in the nodes (`amaf`), proofs (`proof`), the best line of a single player
//! (`best_line`), batched leaves (`batch`, `spread`), playouts that learn (`Learner`, in the `Simulation`), several
//! threads (`parallel`), sequential halving at the root (`halving`).
//!
//! A fuzzy evaluation of actions (`crate::fuzzy`) can prune bad actions where a node is expanded, and set the order in
//! which the rest is tried (paper 000, sections 7 and 8).
//!
//! Where equal states share a node (`transpositions`), statistics stay on the edges, so a mean never mixes different
//! choices. A path that returns to a node ends there with a playout.

mod amaf;
mod batch;
mod best_line;
mod descent;
mod halving;
mod parallel;
mod proof;
mod recycle;
mod report;
mod reuse;
mod selection;
mod settings;
#[cfg(test)]
mod tests;
mod split;
mod spread;
mod tree;
mod progressive;
mod widening;

use std::time::Duration;

use tesuji_core::{Attacks, Game, Rng, Tactics, Turn};

pub use amaf::Rave;
pub use halving::RootHalving;
pub use parallel::ParallelUct;
pub use progressive::WidenedNodes;
pub use selection::{FirstPlay, Selection, TotalCount};
pub use settings::{FirstVisit, Opponents, Settings};
pub use widening::Widening;

use crate::final_choice::{candidates, choose_instead, decide, forced};
use crate::pace::Pace;
use crate::standpoint::Standpoint;
use crate::{Agent, Budget, Candidate, Decision, Failure, FinalChoice, Learner, Seat, Simulation, Thought};
use crate::{FuzzyJudgement, NetworkPrior};
use batch::Gathered;
use best_line::BestLine;
use descent::{Descent, Frame, PLAIN, TRACED};
use halving::{Halving, spent};
use split::Split;
use tree::{ROOT, Tree};

/// The agent `uct`. A single legal action is played at once, without a search.
///
/// ```
/// use tesuji_core::tiny_games::Nim;
/// use tesuji_core::{Game, History, Player, Rng};
/// use tesuji_play::{Agent, Budget, Seat};
/// use tesuji_search::{Settings, Simulation, Uct};
///
/// let (game, history) = (Nim::new(7), History::default());
/// let mut agent = Uct::new(Settings::default(), Simulation::default());
/// let seat = Seat { game: &game, state: &game.start(), player: Player(0), history: &history, watcher: None };
/// let decision = agent.choose(seat, &Budget::playouts(2_000), &mut Rng::new(1)).unwrap();
/// // Of seven, take three: four are left, and the other cannot win.
/// assert_eq!(decision.action, 3);
/// ```
pub struct Uct<G: Game> {
    settings: Settings,
    simulation: Simulation<G>,
    tree: Tree<G>,
    standpoint: Option<Standpoint<G>>,
    /// The number of playouts that each visit in the tree stands for.
    playouts_per_visit: u32,
    best: Option<BestLine<G::Action>>,
    progressive: Option<WidenedNodes>,
    split: Option<Split<G>>,
    /// The halving of the decision that is being made.
    halving: Option<Halving>,
}

impl<G: Game> Uct<G> {
    /// A search with these settings.
    pub fn new(settings: Settings, simulation: Simulation<G>) -> Uct<G> {
        let tree = Tree::new(settings.transpositions);
        Uct {
            settings,
            simulation,
            tree,
            standpoint: None,
            playouts_per_visit: 1,
            best: None,
            progressive: None,
            split: None,
            halving: None,
        }
    }

    /// The same search with progressive widening: such nodes start with few of their actions, attacks before others
    /// (paper 002, section 4.1.1).
    #[must_use]
    pub fn with_progressive_widening(mut self, attacks: &'static dyn Attacks<G>, nodes: WidenedNodes) -> Uct<G> {
        self.tree.attacks = Some(attacks);
        self.progressive = Some(nodes);
        self
    }

    /// The same search with a budget for a whole turn, shared evenly by its acting pieces (paper 002, section 4.1.3).
    #[must_use]
    pub fn with_split_budget(mut self, tactics: &'static dyn Tactics<G>) -> Uct<G> {
        self.split = Some(Split::new(tactics));
        self
    }

    /// The same search with a fuzzy evaluation of actions. It prunes some where a node is expanded, and is the
    /// first-play value of others if the settings say so ([`FirstPlay::Membership`]). It cannot be combined with
    /// proofs, since a pruned action might be better.
    #[must_use]
    pub fn with_fuzzy(mut self, fuzzy: FuzzyJudgement<G>) -> Uct<G> {
        self.tree.fuzzy = Some(fuzzy);
        self.settings.solver = false;
        self
    }

    /// The same search with a learned value for each action where a node is expanded: the first-play value if the
    /// settings say so ([`FirstPlay::Membership`]).
    #[must_use]
    pub fn with_prior(mut self, prior: NetworkPrior<G>) -> Uct<G> {
        self.tree.prior = Some(prior);
        self
    }

    /// Moves the root to the seat's state, with what is known about it, for a search whose leaves get
    /// `playouts_per_visit` playouts each.
    fn take_standpoint(&mut self, seat: &Seat<'_, G>, playouts_per_visit: u32, prepared: bool, rng: &mut Rng) {
        let before = self.standpoint.take();
        let known = before.as_ref().filter(|_| self.settings.reuse && self.playouts_per_visit == playouts_per_visit);
        match known.and_then(|before| self.tree.walk(before, seat)) {
            Some(node) => self.tree.retain(node, &|_| true),
            None => {
                self.tree.clear();
                self.tree.node_of(seat.game, seat.state, rng);
            }
        }
        self.best = match (self.best.take(), &before) {
            (Some(best), Some(before)) if before.leads_to(seat) => best.after(seat.history, before.steps),
            _ => None,
        };
        self.simulation.follow(seat, prepared);
        self.standpoint = Some(Standpoint::of(seat, prepared));
        self.playouts_per_visit = playouts_per_visit;
    }

    /// Whether the best line of a playout is kept.
    fn remembers(&self, game: &G) -> bool {
        self.settings.remember.unwrap_or(true) && best_line::repeats(game.spec())
    }

    /// Whether leaves are played out in batches. AMAF statistics then need batches that count actions, and payoffs of
    /// the player who took each.
    fn runs_in_batches(&mut self, budget: &Budget) -> bool {
        let Settings { rave, opponents, discount, halving, .. } = self.settings;
        self.simulation.runs_in_batches(budget)
            && (self.simulation.learns_in_batches()
                || self.simulation.learner.as_ref().is_none_or(Learner::only_traces))
            && discount == 1.0
            && halving.is_none()
            && (rave.is_none() || opponents == Opponents::Own && self.simulation.counts_actions())
            && (!self.simulation.learns_in_batches() || self.simulation.counts_actions())
    }

    /// Whether what is searched from `seat` now will be there at the next decision.
    fn keeps_its_tree(&self, seat: &Seat<'_, G>) -> bool {
        self.settings.reuse && seat.game.turn(seat.state) != Turn::Over
    }

    /// The decision where a single action is legal.
    fn without_search(&mut self, seat: &Seat<'_, G>, legal: &[G::Action]) -> Option<Decision<G::Action>> {
        let &[only] = legal else { return None };
        if let Some(split) = &mut self.split {
            split.note(seat);
        }
        Some(forced(only))
    }

    /// The budget of the decision, where the seat grants `budget`.
    fn share(&mut self, budget: &Budget, seat: &Seat<'_, G>) -> Budget {
        let budget = if self.settings.budget.is_limited() { self.settings.budget } else { *budget };
        self.split.as_mut().map_or(budget, |split| split.share(budget, seat))
    }

    /// How the action is chosen in the end.
    fn choice(&self, seat: &Seat<'_, G>) -> FinalChoice {
        self.settings.choice.unwrap_or(match seat.game.turn(seat.state) {
            Turn::Simultaneous(_) => FinalChoice::Mixed,
            _ => FinalChoice::Visits,
        })
    }

    /// Whether the root is proven.
    fn has_proof(&self) -> bool {
        self.tree.proof(ROOT).is_some()
    }

    /// Whether more search can find nothing better.
    fn knows_best(&self) -> bool {
        self.has_proof() || self.best.as_ref().is_some_and(|best| best.share >= 1.0)
    }

    /// Searches from `seat` until the budget is spent; `choice`, if there is one, is for reports only.
    fn search(
        &mut self,
        seat: &mut Seat<'_, G>,
        budget: &Budget,
        choice: Option<FinalChoice>,
        rng: &mut Rng,
    ) -> Thought<G::Action> {
        let mut pace = Pace::start(*budget);
        let remembers = self.remembers(seat.game);
        let in_batches = G::BATCHES && !remembers && self.runs_in_batches(budget);
        let traces = remembers || self.settings.rave.is_some() && !in_batches;
        match &self.simulation.learner {
            None if traces => self.simulation.learner = Some(Learner::tracing()),
            // Left from a decision whose playouts ran one by one.
            Some(learner) if in_batches && learner.only_traces() => self.simulation.learner = None,
            _ => {}
        }
        let playouts_per_visit = self.simulation.batch.as_ref().filter(|_| in_batches).map_or(1, |batch| batch.each);
        self.take_standpoint(seat, playouts_per_visit, choice.is_none(), rng);
        self.halving = match (self.settings.halving, seat.game.turn(seat.state)) {
            (Some(halving), Turn::Player(_)) if choice.is_some() => {
                Some(Halving::start(halving, self.tree.edges(self.tree.span(ROOT)), budget, rng))
            }
            _ => None,
        };
        let Uct { settings, simulation, tree, best, progressive, halving, .. } = self;
        let (spec, player) = (seat.game.spec(), seat.player);
        let frame = Frame {
            game: seat.game,
            root: seat.state,
            searcher: player,
            settings,
            progressive: *progressive,
            playouts_per_visit,
        };
        let mut descent = Descent::new(spec.players.len());
        let mut gathered = Gathered::default();
        let (mut playouts, mut nodes_made, mut depth) = (0u64, 0u64, 0);
        let think = |tree: &Tree<G>, playouts: u64, depth: u32, time: Duration| Thought {
            depth,
            nodes: tree.nodes.len() as u64,
            playouts,
            time,
            ..Thought::default()
        };
        while pace.allows(playouts, nodes_made, &mut seat.watcher, |time| {
            let thought = think(tree, playouts, depth, time);
            let Some(choice) = choice else { return thought };
            let (actions, tried) = tree.tried(player);
            let candidates = candidates(spec, &actions, &tried, &choice.policy(&tried));
            let line = tree.line(player, candidates[0].action);
            Thought { candidates, line, ..thought }
        }) && tree.nodes[ROOT as usize].visits < MOST_VISITS
            && tree.proof(ROOT).is_none()
            && best.as_ref().is_none_or(|best| best.share < 1.0)
        {
            if !tree.has_room(settings.node_cap) {
                tree.recycle(settings.node_cap);
            }
            let nodes = tree.nodes.len();
            if G::BATCHES && in_batches {
                let begun = pace.elapsed();
                // A batch that cannot finish in time is not started.
                if playouts > 0 && budget.time.is_some_and(|time| begun + gathered.duration > time) {
                    break;
                }
                let (made, reached) = gathered.run(&frame, tree, simulation, &mut descent, rng);
                gathered.duration = pace.elapsed() - begun;
                (playouts, depth) = (playouts + made, depth.max(reached));
                continue;
            }
            if let Some(halving) = halving {
                let edges = tree.edges(tree.span(ROOT));
                let spent = spent(budget, playouts, nodes_made, || pace.elapsed());
                let first = halving.next(spent, &|index| (edges[index].visits, edges[index].total));
                descent.first = Some(first as u32);
            }
            let grow = tree.has_room(settings.node_cap);
            let (reached, ended) = match simulation.learner {
                None => descent.run::<G, PLAIN>(&frame, tree, simulation, grow, rng),
                Some(_) => descent.run::<G, TRACED>(&frame, tree, simulation, grow, rng),
            };
            if remembers
                && ended
                && let Some(learner) = &simulation.learner
            {
                BestLine::improve(best, learner, descent.shares[player.index()]);
            }
            depth = depth.max(reached);
            nodes_made += (tree.nodes.len() - nodes) as u64;
            playouts += 1;
        }
        Thought { limit: pace.limit(), ..think(tree, playouts, depth, pace.elapsed()) }
    }
}

/// The actions of the seat's player.
fn legal<G: Game>(seat: &Seat<'_, G>) -> Vec<G::Action> {
    let mut legal = Vec::new();
    seat.game.legal(seat.state, seat.player, &mut legal);
    legal
}

/// Reports the legal actions that the search pruned, too.
fn report_the_rest<A: Copy + PartialEq>(mut legal: Vec<A>, searched: &[A], decision: &mut Decision<A>) {
    if searched.len() < legal.len() {
        legal.retain(|action| !searched.contains(action));
        let left_out = |action| Candidate { action, visits: 0, value: None, prior: None, probability: 0.0 };
        decision.thought.candidates.extend(legal.into_iter().map(left_out));
    }
}

/// Visits are counted in 32 bits; a batch may add some beyond this.
const MOST_VISITS: u32 = u32::MAX - (1 << 30);

impl<G: Game> Agent<G> for Uct<G> {
    fn begin(&mut self) {
        self.tree.clear();
        self.simulation.begin();
        self.standpoint = None;
        self.best = None;
        self.split.iter_mut().for_each(Split::forget);
    }

    /// Grows the tree from the current state, even if another player is to act. Without tree reuse it would be
    /// discarded, so nothing is done.
    fn prepare(&mut self, mut seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        if self.keeps_its_tree(&seat) {
            self.search(&mut seat, budget, None, rng);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let legal = legal(&seat);
        if let Some(decision) = self.without_search(&seat, &legal) {
            return Ok(decision);
        }
        let (budget, choice) = (self.share(budget, &seat), self.choice(&seat));
        let thought = self.search(&mut seat, &budget, Some(choice), rng);
        let (actions, tried) = self.tree.tried(seat.player);
        let spec = seat.game.spec();
        let mut decision = decide(spec, choice, &actions, &tried, thought, rng);
        if let Some(halving) = self.halving.take().filter(|_| !self.has_proof()) {
            let best = halving.best(&|index| (tried[index].visits as u32, tried[index].total));
            let value = (tried[best].visits > 0).then(|| spec.denormalise(tried[best].mean()));
            choose_instead(spec, (&actions, &tried), (actions[best], value), &mut decision);
        }
        decision.thought.line = self.tree.line(seat.player, decision.action);
        if let Some(best) = &self.best {
            best.replace(spec, &actions, &tried, &mut decision);
        }
        report_the_rest(legal, &actions, &mut decision);
        Ok(decision)
    }
}
