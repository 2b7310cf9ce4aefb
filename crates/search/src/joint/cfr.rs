//! Counterfactual regret minimisation on the game cut at a depth.
//!
//! * CFR+ (Tammelin 2014): every iteration traverses the whole cut game; regrets never fall below 0, the players update
//!   in turn, and the strategy of iteration t has weight t. The playouts of the leaves are made first, shared evenly.
//! * External sampling (Lanctot, Waugh, Zinkevich and Bowling 2009): the updating player considers all its actions; the
//!   other player and chance sample theirs.
//! * Outcome sampling (same paper): everybody samples; the updating player explores, and its result is divided by its
//!   probability. The mean share of each joint action serves as a baseline, which keeps the estimates unbiased and
//!   removes most of their variance (Schmid and others 2019).
//!
//! Beyond the cut, the value of a state is the mean of its playouts. The decision is the average strategy at the root.
//! Paper 004 (§7) names this family as the successor of its own approximation. In these games only the simultaneous
//! choice is hidden, so solving node by node (see [`JointTree`](super::JointTree)) searches deeper; this agent exists
//! for comparison.

use tesuji_core::{Knowledge, Rng};

use super::cut_game::{CutGame, Form, ROOT, Table};
use crate::final_choice::{Tried, candidates, draw, forced};
use crate::pace::Pace;
use crate::{Agent, Budget, Decision, Failure, Seat, Simulation, Thought};

/// How the cut game is traversed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CfrMethod {
    /// CFR+: iterations over the whole cut game.
    Plus {
        /// The number of iterations, unless time runs out.
        rounds: u32,
    },
    /// External sampling.
    External,
    /// Outcome sampling.
    Outcome {
        /// The fraction of uniform play in what the updating player samples.
        exploration: f64,
    },
}

/// The agent `cfr`.
pub struct Cfr<G: Knowledge> {
    /// How the cut game is traversed.
    pub method: CfrMethod,
    /// The number of choices before the cut. CFR+ cuts earlier if the budget has less than one playout for each leaf.
    pub depth: u32,
    /// How a state at the cut is evaluated.
    pub simulation: Simulation<G>,
    /// Its own budget; if it sets no limit, the seat's budget applies. Every sampled leaf counts as a playout.
    pub budget: Budget,
}

/// The most leaves of CFR+ if no number of playouts is given.
const MOST_LEAVES: usize = 20_000;

/// A run of one of the methods.
struct Run<'s, 'g, G: Knowledge> {
    cut: CutGame<'g, G>,
    simulation: &'s mut Simulation<G>,
    depth: u32,
    /// The number of playouts granted.
    granted: u64,
    playouts: u64,
    /// Buffers for strategies, reused to avoid allocations.
    spare: Vec<Vec<f64>>,
}

impl<G: Knowledge> Run<'_, '_, G> {
    /// The current strategy of a player: proportional to its positive regrets.
    fn strategy(&mut self, table: &Table<G::Action>, side: usize) -> Vec<f64> {
        let mut mix = self.spare.pop().unwrap_or_default();
        mix.clear();
        let regrets = &table.regrets[side];
        let sum: f64 = regrets.iter().map(|regret| regret.max(0.0)).sum();
        let even = 1.0 / regrets.len() as f64;
        mix.extend(regrets.iter().map(|regret| if sum > 0.0 { regret.max(0.0) / sum } else { even }));
        mix
    }

    /// One iteration of CFR+ below a node that the players reach with these probabilities: `side` updates, in iteration
    /// `round`.
    fn round(&mut self, node: usize, reach: [f64; 2], side: usize, round: f64) -> [f64; 2] {
        match std::mem::replace(&mut self.cut.nodes[node].form, Form::Leaf) {
            Form::Leaf => self.cut.worth(node),
            Form::Chance(children) => {
                let mut sum = [0.0; 2];
                for &(probability, child) in &children {
                    let value = self.round(child, reach.map(|reach| reach * probability), side, round);
                    (0..2).for_each(|player| sum[player] += probability * value[player]);
                }
                self.cut.nodes[node].form = Form::Chance(children);
                sum
            }
            Form::Joint(mut table) => {
                let mixes = [self.strategy(&table, 0), self.strategy(&table, 1)];
                let mut value = [0.0; 2];
                let mut own = self.spare.pop().unwrap_or_default();
                own.clear();
                own.resize(table.counts[side], 0.0);
                for row in 0..table.counts[0] {
                    for column in 0..table.counts[1] {
                        let child = self.cut.child(node, &mut table, [row, column]);
                        let (p, q) = (mixes[0][row], mixes[1][column]);
                        let shares = self.round(child, [reach[0] * p, reach[1] * q], side, round);
                        (0..2).for_each(|player| value[player] += p * q * shares[player]);
                        let (index, other) = if side == 0 { (row, q) } else { (column, p) };
                        own[index] += other * shares[side];
                    }
                }
                for index in 0..table.counts[side] {
                    let gain = reach[1 - side] * (own[index] - value[side]);
                    table.regrets[side][index] = (table.regrets[side][index] + gain).max(0.0);
                    table.sums[side][index] += round * reach[side] * mixes[side][index];
                    table.tried[side][index] = (round as u64, round * own[index]);
                }
                self.spare.push(own);
                self.spare.extend(mixes);
                self.cut.nodes[node].form = Form::Joint(table);
                value
            }
        }
    }

    /// Visits a leaf by sampling: one more playout, then the mean of its playouts.
    fn leaf(&mut self, node: usize, rng: &mut Rng) -> [f64; 2] {
        if self.playouts < self.granted {
            self.playouts += 1;
            if !self.cut.is_over(node) {
                self.cut.play(node, self.simulation, rng);
            }
        }
        self.cut.worth(node)
    }

    /// One iteration of external sampling: the value for `side` below a node.
    fn external(&mut self, node: usize, side: usize, rng: &mut Rng) -> [f64; 2] {
        self.cut.open(node, self.depth);
        match std::mem::replace(&mut self.cut.nodes[node].form, Form::Leaf) {
            Form::Leaf => self.leaf(node, rng),
            Form::Chance(children) => {
                let child = children[rng.weighted(children.iter().map(|(probability, _)| *probability))].1;
                self.cut.nodes[node].form = Form::Chance(children);
                self.external(child, side, rng)
            }
            Form::Joint(mut table) => {
                let mixes = [self.strategy(&table, 0), self.strategy(&table, 1)];
                let other = rng.weighted(mixes[1 - side].iter().copied());
                let mut value = [0.0; 2];
                let mut own = self.spare.pop().unwrap_or_default();
                own.clear();
                for (index, &share) in mixes[side].iter().enumerate() {
                    let cell = if side == 0 { [index, other] } else { [other, index] };
                    let child = self.cut.child(node, &mut table, cell);
                    let shares = self.external(child, side, rng);
                    (0..2).for_each(|player| value[player] += share * shares[player]);
                    own.push(shares[side]);
                    let tried = &mut table.tried[side][index];
                    *tried = (tried.0 + 1, tried.1 + shares[side]);
                }
                for (index, brought) in own.iter().enumerate() {
                    table.regrets[side][index] += brought - value[side];
                }
                // The other player's strategy is averaged whenever it is met.
                for (sum, share) in table.sums[1 - side].iter_mut().zip(&mixes[1 - side]) {
                    *sum += share;
                }
                self.spare.push(own);
                self.spare.extend(mixes);
                self.cut.nodes[node].form = Form::Joint(table);
                value
            }
        }
    }

    /// One iteration of outcome sampling: an estimate of the value for `side` below a node that it reaches with
    /// probability `sampled` when exploring, and with probability `reach` by its strategy.
    fn outcome(
        &mut self,
        node: usize,
        side: usize,
        exploration: f64,
        [reach, sampled]: [f64; 2],
        rng: &mut Rng,
    ) -> [f64; 2] {
        self.cut.open(node, self.depth);
        match std::mem::replace(&mut self.cut.nodes[node].form, Form::Leaf) {
            Form::Leaf => self.leaf(node, rng),
            Form::Chance(children) => {
                let child = children[rng.weighted(children.iter().map(|(probability, _)| *probability))].1;
                self.cut.nodes[node].form = Form::Chance(children);
                self.outcome(child, side, exploration, [reach, sampled], rng)
            }
            Form::Joint(mut table) => {
                let mixes = [self.strategy(&table, 0), self.strategy(&table, 1)];
                let even = exploration / table.counts[side] as f64;
                let chance = |share: f64| (1.0 - exploration) * share + even;
                let chosen = rng.weighted(mixes[side].iter().map(|&share| chance(share)));
                let other = rng.weighted(mixes[1 - side].iter().copied());
                let cell = if side == 0 { [chosen, other] } else { [other, chosen] };
                let child = self.cut.child(node, &mut table, cell);
                let tries = chance(mixes[side][chosen]);
                let ways = [reach * mixes[side][chosen], sampled * tries];
                let shares = self.outcome(child, side, exploration, ways, rng);
                // The baseline: the mean share of each action so far.
                let baseline = |(tried, total): (u64, f64)| if tried > 0 { total / tried as f64 } else { 0.5 };
                let mut own = self.spare.pop().unwrap_or_default();
                own.clear();
                own.extend(table.tried[side].iter().map(|&tried| baseline(tried)));
                own[chosen] += (shares[side] - own[chosen]) / tries;
                let mean: f64 = own.iter().zip(&mixes[side]).map(|(brought, share)| brought * share).sum();
                for (index, brought) in own.iter().enumerate() {
                    table.regrets[side][index] += (brought - mean) / sampled;
                    table.sums[side][index] += reach / sampled * mixes[side][index];
                }
                let tried = &mut table.tried[side][chosen];
                *tried = (tried.0 + 1, tried.1 + shares[side].clamp(0.0, 1.0));
                let mut value = shares;
                value[side] = mean;
                self.spare.push(own);
                self.spare.extend(mixes);
                self.cut.nodes[node].form = Form::Joint(table);
                value
            }
        }
    }

    /// The statistics of a player's actions at the root, and its average strategy.
    fn answer(&self, side: usize, count: usize) -> (Vec<Tried>, Vec<f64>) {
        let Some(table) = self.cut.root_table() else {
            return (vec![Tried::default(); count], vec![1.0 / count as f64; count]);
        };
        let tried =
            table.tried[side].iter().map(|&(visits, total)| Tried { visits, total, refuted: false, prior: None });
        let sum: f64 = table.sums[side].iter().sum();
        let share = |&part: &f64| if sum > 0.0 { part / sum } else { 1.0 / count as f64 };
        (tried.collect(), table.sums[side].iter().map(share).collect())
    }
}

impl<G: Knowledge> Agent<G> for Cfr<G> {
    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let own = seat.player.index();
        let mut actions = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut actions);
        if let [only] = actions[..] {
            return Ok(forced(only));
        }
        let spec = seat.game.spec();
        let budget = if self.budget.is_limited() { self.budget } else { *budget };
        let granted = [budget.playouts, budget.nodes].into_iter().flatten().min();
        let mut run = Run {
            cut: CutGame::new(seat.game, seat.state),
            simulation: &mut self.simulation,
            depth: self.depth,
            granted: granted.unwrap_or(u64::MAX),
            playouts: 0,
            spare: Vec::new(),
        };
        let mut pace = Pace::start(budget);
        let thought = |run: &Run<'_, '_, G>, time| Thought {
            depth: self.depth,
            nodes: run.cut.nodes.len() as u64,
            playouts: run.playouts,
            time,
            ..Thought::default()
        };
        let show = |run: &Run<'_, '_, G>, time| {
            let (tried, mix) = run.answer(own, actions.len());
            Thought { candidates: candidates(spec, &actions, &tried, &mix), ..thought(run, time) }
        };
        match self.method {
            CfrMethod::Plus { rounds } => {
                let most = granted.map_or(MOST_LEAVES, |granted| usize::try_from(granted).unwrap_or(usize::MAX));
                let leaves = run.cut.grow(self.depth, most);
                let open: Vec<usize> = leaves.into_iter().filter(|&leaf| !run.cut.is_over(leaf)).collect();
                // Half of a limited time goes into playouts; a number of playouts is used up.
                let half = budget.time.map(|time| time / 2);
                let mut next = 0;
                while !open.is_empty()
                    && (granted.is_some() || run.cut.playouts(open[next]) < PLAYOUTS_EACH)
                    && half.is_none_or(|half| pace.elapsed() < half)
                    && pace.allows(run.playouts, run.playouts, &mut seat.watcher, |time| show(&run, time))
                {
                    run.cut.play(open[next], run.simulation, rng);
                    run.playouts += 1;
                    next = (next + 1) % open.len();
                }
                for round in 1..=rounds {
                    for side in 0..2 {
                        run.round(ROOT, [1.0; 2], side, f64::from(round));
                    }
                    if budget.time.is_some_and(|time| pace.elapsed() >= time) {
                        break;
                    }
                }
            }
            method => {
                let mut side = own;
                while pace.allows(run.playouts, run.playouts, &mut seat.watcher, |time| show(&run, time)) {
                    match method {
                        CfrMethod::Outcome { exploration } => {
                            run.outcome(ROOT, side, exploration, [1.0; 2], rng);
                        }
                        _ => {
                            run.external(ROOT, side, rng);
                        }
                    }
                    side = 1 - side;
                }
            }
        }
        let (tried, mix) = run.answer(own, actions.len());
        let known = tried.iter().zip(&mix).filter(|(tried, _)| tried.visits > 0);
        let value = known.map(|(tried, share)| share * tried.mean()).sum();
        let thought = Thought { limit: pace.limit(), ..thought(&run, pace.elapsed()) };
        Ok(draw(spec, &actions, &tried, &mix, Some(value), thought, rng))
    }
}

/// Playouts from each leaf of CFR+ if only time is limited.
const PLAYOUTS_EACH: u32 = 1_000;
