//! Monte Carlo tree search with a table of joint actions at every node.
//!
//! A playout descends the tree by [`JointSelection`], adds a node, plays on by the policy and backs up the result of
//! each player to the root. The final mix is the equilibrium of the estimated table at the root, or the average
//! strategy.
//!
//! Options that make few playouts go further:
//! * positions of equal value share a node (`share`), by [`SolverHints::fingerprint`], also with the players exchanged;
//! * values that are cheap to see are used (`certain`), by [`SolverHints::bounds`];
//! * the value of a node may be that of its table instead of the mean of its playouts (`backup`);
//! * a learned value may take the place of playouts ([`JointTree::with_value`]);
//! * the root may be solved exactly (`endgame`); every examined position counts as a playout. If the root is too large,
//!   the tree takes the positions that were solved as exact.

use tesuji_core::{Evaluation, Knowledge, Rng, Turn};

use super::endgame::{LEAST_POSITIONS, NodeSolver, Share, has_value, is_solvable, solve_root};
use super::mixing::{Mixer, NashMethod};
use super::selection::JointSelection;
use super::settings::{JointBackup, TreeSettings};
use super::sides::{JointChoice, Sides, both};
use super::tree::{NONE, ROOT, Tree, seen};
use super::value_tree::ValueTree;
use crate::final_choice::{Tried, candidates, draw, forced};
use crate::pace::Pace;
use crate::simultaneous::Solution;
use crate::{Agent, Budget, Decision, Failure, FinalChoice, Meter, Seat, Simulation, Thought};

/// The agent `joint-tree`.
pub struct JointTree<G: Knowledge> {
    settings: TreeSettings,
    simulation: Simulation<G>,
    /// A learned value. With it, positions that cannot be solved are searched by a [`ValueTree`] instead of playouts.
    value: Option<Box<dyn Evaluation<G>>>,
}

/// A step of a playout within the tree.
struct Step {
    node: u32,
    /// `None` for a chance outcome.
    cell: Option<[usize; 2]>,
    /// Whether the players are exchanged after it.
    exchanged: bool,
}

/// Working data of one decision.
struct Work<G: Knowledge> {
    tree: Tree<G>,
    backup: JointBackup,
    mixer: Mixer,
    valuer: Mixer,
    path: Vec<Step>,
    shares: Vec<f64>,
    playouts: u64,
    /// Solves positions, if it is wanted.
    solver: Option<NodeSolver>,
    depth: u32,
}

impl<G: Knowledge> Work<G> {
    /// Playouts, and positions examined by the solver.
    fn spent(&self) -> u64 {
        self.playouts + self.solver.as_ref().map_or(0, NodeSolver::spent)
    }
}

impl<G: Knowledge> JointTree<G> {
    /// A search with these settings.
    pub fn new(settings: TreeSettings, simulation: Simulation<G>) -> JointTree<G> {
        JointTree { settings, simulation, value: None }
    }

    /// A search that evaluates positions by a learned value, whose values are shares, in games for two players with a
    /// constant sum.
    #[must_use]
    pub fn with_value(self, value: Box<dyn Evaluation<G>>) -> JointTree<G> {
        JointTree { value: Some(value), ..self }
    }

    /// One playout from the root.
    fn playout(&mut self, game: &G, work: &mut Work<G>, rng: &mut Rng) {
        let settings = &self.settings;
        work.playouts += 1;
        work.path.clear();
        let mut at = ROOT;
        let mut shares = loop {
            let tree = &mut work.tree;
            let node = &mut tree.nodes[at as usize];
            if let Some(exact) = node.exact {
                break exact;
            }
            let (table, visits) = (node.table, node.visits);
            let again = std::mem::replace(&mut node.mark, work.playouts) == work.playouts;
            let chance = node.turn == Turn::Chance;
            let grown = table != NONE || visits >= settings.threshold && tree.cells.len() < settings.cap || at == ROOT;
            if again || !chance && !grown {
                let mut state = node.state.clone();
                self.simulation.run(game, &mut state, rng, &mut work.shares);
                break both(&work.shares);
            }
            let (cell, (child, exchanged)) = if chance {
                (None, tree.outcome(game, at, rng))
            } else {
                if table == NONE {
                    if let Some(solver) = work.solver.as_mut().filter(|_| at != ROOT)
                        && let Some(value) = solver.value(game, &node.state, &mut tree.solved, work.playouts)
                    {
                        let first = game.spec().normalise(value);
                        node.exact = Some([first, 1.0 - first]);
                        break [first, 1.0 - first];
                    }
                    tree.expand(game, at);
                }
                let cell = tree.select(at, settings.selection, rng);
                (Some(cell), tree.child(game, at, cell))
            };
            work.path.push(Step { node: at, cell, exchanged });
            at = child;
        };
        work.depth = work.depth.max(work.path.len() as u32);
        let tree = &mut work.tree;
        note(tree, at, shares);
        let mut exact = tree.nodes[at as usize].exact.is_some();
        while let Some(step) = work.path.pop() {
            shares = seen(shares, step.exchanged);
            if let (true, Some(cell)) = (std::mem::take(&mut exact), step.cell) {
                tree.settle(step.node, cell, shares);
            }
            note(tree, step.node, shares);
            let Some(cell) = step.cell else { continue };
            tree.learn(step.node, cell, shares, settings.selection);
            refresh(tree, step.node, settings, work.backup, &mut work.mixer, &mut work.valuer);
            if let (JointBackup::Value, Some(value)) = (work.backup, tree.nodes[step.node as usize].value) {
                shares = value;
            }
        }
    }

    /// The final mix of the player at the root, and its expected share.
    fn mix(&self, work: &Work<G>, own: usize) -> (Vec<f64>, Option<f64>) {
        let tree = &work.tree;
        let root = &tree.nodes[ROOT as usize];
        if root.table == NONE {
            return (Vec::new(), None);
        }
        let table = &tree.tables[root.table as usize];
        let arms = &tree.arms[table.arms(own)];
        let tried = tried(tree, own);
        let mix = match self.settings.choice {
            JointChoice::Mean => FinalChoice::Mean.policy(&tried),
            JointChoice::Visits => FinalChoice::Visits.policy(&tried),
            JointChoice::Average => match self.settings.selection {
                JointSelection::Decoupled { .. } => FinalChoice::Mixed.policy(&tried),
                JointSelection::Exp3 { exploration }
                | JointSelection::Regret { exploration }
                | JointSelection::RegretPlus { exploration, .. } => {
                    average(arms.iter().map(|arm| arm.sum), exploration)
                }
                JointSelection::Equilibrium { .. } => average(arms.iter().map(|arm| arm.sum), 0.0),
            },
            JointChoice::Equilibrium => {
                let mut mixer = Mixer::new(self.settings.nash, FINAL_TOLERANCE);
                let entries = [0, 1]
                    .map(|player| table.cells().map(move |place| cautious(tree, place, own, work.backup)[player]));
                mixer.refresh(table.counts[0], table.counts[1], entries);
                let hedge = self.hedge(work);
                let visited = FinalChoice::Mixed.policy(&tried);
                let shares = mixer.mixes()[own].iter().zip(&visited);
                let mixed = shares.map(|(share, visited)| (1.0 - hedge) * share + hedge * visited).collect();
                return (mixed, Some(mixer.values()[own]));
            }
        };
        // After few playouts small shares are accidents, as large ones are.
        let cautious = self.settings.hedge * (table.counts[0] + table.counts[1]) as f64;
        let visits = f64::from(root.visits.max(1));
        let mix = purified(mix, self.settings.purify * visits / (visits + cautious));
        let known = mix.iter().zip(&tried).filter(|(_, arm)| arm.visits > 0);
        let value = known.map(|(share, arm)| share * arm.mean()).sum();
        (mix, Some(value))
    }

    /// How much of the final strategy is in proportion to visits: the square of a/(a + n), for a root with n visits and
    /// a = [`TreeSettings::hedge`] times the number of both players' actions, as far as their results are not exact.
    ///
    /// The equilibrium of a table with few visits relies on accidents of its estimates; visits are cautious and spread.
    fn hedge(&self, work: &Work<G>) -> f64 {
        let root = &work.tree.nodes[ROOT as usize];
        let table = &work.tree.tables[root.table as usize];
        let open = table.cells().filter(|&place| !is_certain(&work.tree, place)).count() as f64;
        let actions = (table.counts[0] + table.counts[1]) as f64;
        let unsure = self.settings.hedge * actions * open / table.cells().len() as f64;
        if unsure > 0.0 { (unsure / (unsure + f64::from(root.visits))).powi(2) } else { 0.0 }
    }

    /// The statistics of the search so far.
    fn thought(&self, work: &Work<G>) -> Thought<G::Action> {
        Thought { depth: work.depth, nodes: work.tree.nodes.len() as u64, playouts: work.spent(), ..Thought::default() }
    }
}

/// What a player could gain by deviating from the final mix.
const FINAL_TOLERANCE: f64 = 1e-4;

/// For the final choice, each joint action counts as tried this many more times with the mean share of the worse of its
/// two actions: rarely tried actions must not look good.
const DOUBT: f64 = 1.0;

/// Whether the value of a cell is exact.
fn is_certain<G: Knowledge>(tree: &Tree<G>, place: usize) -> bool {
    tree.cells[place].child().is_some_and(|(child, _)| tree.nodes[child as usize].exact.is_some())
}

/// The value of a cell of the root, from the cautious view of `own`.
fn cautious<G: Knowledge>(tree: &Tree<G>, place: usize, own: usize, backup: JointBackup) -> [f64; 2] {
    let cell = &tree.cells[place];
    let mut shares = tree.estimate(place, [0.0; 2], backup);
    if !is_certain(tree, place) {
        let table = &tree.tables[tree.nodes[ROOT as usize].table as usize];
        let [row, column] = table.cell(place);
        let mean = |side: usize, index: usize| {
            let arm = &tree.arms[table.arms(side).start + index];
            (arm.visits > 0).then(|| arm.total / f64::from(arm.visits))
        };
        let (mine, other) = if own == 0 { (mean(0, row), mean(1, column)) } else { (mean(1, column), mean(0, row)) };
        let doubt = mine.unwrap_or(0.0).min(other.map_or(1.0, |other| 1.0 - other));
        let visits = f64::from(cell.visits);
        shares[own] = (visits * shares[own] + DOUBT * doubt) / (visits + DOUBT);
    }
    shares
}

fn note<G: Knowledge>(tree: &mut Tree<G>, node: u32, shares: [f64; 2]) {
    let node = &mut tree.nodes[node as usize];
    node.visits += 1;
    node.totals[0] += shares[0];
    node.totals[1] += shares[1];
}

/// Recomputes the mixes and the value of a node, if it is due.
fn refresh<G: Knowledge>(
    tree: &mut Tree<G>,
    node: u32,
    settings: &TreeSettings,
    backup: JointBackup,
    mixer: &mut Mixer,
    valuer: &mut Mixer,
) {
    let equilibrium = matches!(settings.selection, JointSelection::Equilibrium { .. });
    if !equilibrium && backup == JointBackup::Mean {
        return;
    }
    let (visits, prior) = (tree.nodes[node as usize].visits, tree.nodes[node as usize].mean());
    let table = &mut tree.tables[tree.nodes[node as usize].table as usize];
    if visits < table.refresh_at {
        return;
    }
    table.refresh_at = visits + ((settings.refresh * f64::from(visits)) as u32).max(1);
    if let JointSelection::Equilibrium { c } = settings.selection {
        tree.mix(node, c, backup, mixer);
    }
    if backup == JointBackup::Value {
        let known = &*tree;
        let table = &known.tables[known.nodes[node as usize].table as usize];
        let worth = |player: usize| table.cells().map(move |place| known.estimate(place, prior, backup)[player]);
        valuer.refresh(table.counts[0], table.counts[1], [worth(0), worth(1)]);
        let first = valuer.values()[0].clamp(0.0, 1.0);
        tree.nodes[node as usize].value = Some([first, 1.0 - first]);
    }
}

/// A mix without the actions whose share is less than this fraction of the greatest.
fn purified(mut mix: Vec<f64>, fraction: f64) -> Vec<f64> {
    if fraction <= 0.0 {
        return mix;
    }
    let least = fraction * mix.iter().fold(0.0, |most: f64, share| most.max(*share));
    mix.iter_mut().filter(|share| **share < least).for_each(|share| *share = 0.0);
    let total: f64 = mix.iter().sum();
    mix.iter_mut().for_each(|share| *share /= total);
    mix
}

/// Normalised sums of strategies, without the uniform part that was only for exploration.
fn average(sums: impl Iterator<Item = f64> + Clone, exploration: f64) -> Vec<f64> {
    let total: f64 = sums.clone().sum();
    let count = sums.clone().count() as f64;
    if total <= 0.0 {
        return sums.map(|_| 1.0 / count).collect();
    }
    let plain: Vec<f64> = sums.map(|sum| (sum / total - exploration / count).max(0.0)).collect();
    let left: f64 = plain.iter().sum();
    if left > 0.0 { plain.iter().map(|share| share / left).collect() } else { vec![1.0 / count; plain.len()] }
}

fn tried<G: Knowledge>(tree: &Tree<G>, own: usize) -> Vec<Tried> {
    let table = &tree.tables[tree.nodes[ROOT as usize].table as usize];
    let tried = tree.arms[table.arms(own)].iter().map(|arm| Tried {
        visits: u64::from(arm.visits),
        total: arm.total,
        refuted: false,
        prior: None,
    });
    tried.collect()
}

impl<G: Knowledge> Agent<G> for JointTree<G> {
    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let mut actions = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut actions);
        if let [only] = actions[..] {
            return Ok(forced(only));
        }
        let sides = Sides::of(seat.game, seat.state);
        if self.settings.large == 0 || sides.count(0) * sides.count(1) <= self.settings.large {
            return self.search(seat, actions, budget, rng);
        }
        let given = self.settings.clone();
        self.settings = given.for_large();
        let decision = self.search(seat, actions, budget, rng);
        self.settings = given;
        decision
    }
}

impl<G: Knowledge> JointTree<G> {
    /// Searches for one of at least two actions.
    fn search(
        &mut self,
        mut seat: Seat<'_, G>,
        actions: Vec<G::Action>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let (game, own) = (seat.game, seat.player.index());
        let spec = game.spec();
        let settings = &self.settings;
        let budget = if settings.budget.is_limited() { settings.budget } else { *budget };
        let granted = [budget.playouts, budget.nodes].into_iter().flatten().min().unwrap_or(u64::MAX);
        let positions = (settings.solve * granted as f64) as u64;
        let solving = positions >= LEAST_POSITIONS && is_solvable(game);
        let mut work = Work {
            tree: Tree::new(game, seat.state, settings.share, settings.certain),
            backup: if has_value(game) { settings.backup } else { JointBackup::Mean },
            mixer: Mixer::new(settings.nash, settings.tolerance),
            valuer: Mixer::new(NashMethod::Program, settings.tolerance),
            path: Vec::new(),
            shares: vec![0.0; spec.players.len()],
            playouts: 0,
            solver: None,
            depth: 0,
        };
        let mut pace = Pace::start(budget);
        if solving {
            let share = Share { positions, time: budget.time.map(|time| time.mul_f64(settings.solve)) };
            let mut watcher = seat.watcher.take();
            let clock = Meter::start(budget);
            let go_on = |spent| {
                pace.allows(spent, spent, &mut watcher, |time| Thought { playouts: spent, time, ..Thought::default() })
            };
            let attempt = solve_root(game, seat.state, share, go_on, || clock.elapsed());
            seat.watcher = watcher;
            let solver = NodeSolver::new(settings.solve_nodes, granted, attempt.spent);
            work.solver = Some(solver.within(clock, budget.time));
            work.tree.solved = attempt.memory;
            if let Some(solution) = attempt.solution {
                let thought = Thought { time: pace.elapsed(), nodes: work.spent(), ..self.thought(&work) };
                return Ok(solved(&seat, &actions, &solution, &attempt.best, thought, rng));
            }
        }
        if let Some(value) = self.value.as_ref().filter(|_| has_value(game)) {
            let solved = std::mem::take(&mut work.tree.solved);
            let tree = ValueTree::new(game, &**value, solved, seat.state);
            return Ok(tree.decide(&mut seat, &actions, settings.careless, pace, work.spent(), rng));
        }
        let think = |this: &Self, work: &Work<G>| {
            let (mix, value) = this.mix(work, own);
            let tried = if mix.is_empty() { vec![Tried::default(); actions.len()] } else { tried(&work.tree, own) };
            let mix = if mix.is_empty() { FinalChoice::Visits.policy(&tried) } else { mix };
            (tried, mix, value)
        };
        while pace.allows(work.spent(), work.tree.nodes.len() as u64, &mut seat.watcher, |time| {
            let (tried, mix, _) = think(self, &work);
            Thought { candidates: candidates(spec, &actions, &tried, &mix), time, ..self.thought(&work) }
        }) {
            self.playout(game, &mut work, rng);
        }
        let (tried, mix, value) = think(self, &work);
        let mut thought = Thought { time: pace.elapsed(), limit: pace.limit(), ..self.thought(&work) };
        if let Some(table) = work.tree.tables.first() {
            for (place, cell) in work.tree.cells[table.cells()].iter().enumerate() {
                let mut joint = Vec::new();
                table.sides.joint([place / table.counts[1], place % table.counts[1]], &mut joint);
                thought.joint.push((joint, u64::from(cell.visits)));
            }
        }
        Ok(draw(spec, &actions, &tried, &mix, value, thought, rng))
    }
}

/// The decision if the root is solved: a draw from `best`, if it is not empty, or from the solution.
fn solved<G: Knowledge>(
    seat: &Seat<'_, G>,
    actions: &[G::Action],
    solution: &Solution<G::Action>,
    best: &[G::Action],
    thought: Thought<G::Action>,
    rng: &mut Rng,
) -> Decision<G::Action> {
    let own = seat.player.index();
    let share = |action: &G::Action| {
        let found = solution.strategies[own].iter().find(|(known, _)| known == action);
        found.map_or(0.0, |(_, share)| share.value)
    };
    let mut mix: Vec<f64> = match best {
        [] => actions.iter().map(share).collect(),
        best => actions.iter().map(|action| if best.contains(action) { 1.0 } else { 0.0 }).collect(),
    };
    let total: f64 = mix.iter().sum();
    mix.iter_mut().for_each(|share| *share /= total);
    let first = seat.game.spec().normalise(solution.game_value.value);
    let value = if own == 0 { first } else { 1.0 - first };
    draw(seat.game.spec(), actions, &vec![Tried::default(); actions.len()], &mix, Some(value), thought, rng)
}
