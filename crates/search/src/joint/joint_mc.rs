//! Monte Carlo search with one table of joint actions: the agents of paper 004 (§3, §6.1, table 1).
//!
//! | agent | allocation | second step | final choice |
//! | --- | --- | --- | --- |
//! | Monte Carlo | uniform | | best mean |
//! | SimpleUCB0.5 | own UCB1, the other plays by the playout policy | | most visits |
//! | SimpleUCB1 | each side by UCB1 of its own actions | | most visits |
//! | MSUCB1 | equilibrium of the UCB1 values of all joint actions, each tried once first | | equilibrium of the means |
//! | MSUCB1.5 | as MSUCB1 | own UCB1 | equilibrium of the means |
//!
//! UCB1 is X + c·√(2·ln N / n) (§6.4), where N counts all playouts and n those of the action or joint action.
//!
//! Deviations from the paper: the equilibrium is not recomputed for every playout but kept while it is known to be
//! within a tolerance (see `kept`). The paper computes it each time and calls its cost the method's weakness (§6.6.1,
//! §7). Steps of a single player are tables with one row or column.

use tesuji_core::{Game, Knowledge, Rng, Turn};

use super::arms::Arms;
use super::kept::KeptMix;
use super::mixing::{Mixer, NashMethod};
use super::second::Second;
use super::sides::{Draws, JointChoice, Sides, both, is_mover, scale};
use super::symmetry::{Image, Symmetry};
use crate::final_choice::{Tried, candidates, draw, forced};
use crate::pace::Pace;
use crate::{Agent, Budget, Decision, Failure, FinalChoice, Seat, Simulation, Thought};

/// Which joint action gets the next playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JointAllocation {
    /// Uniformly random.
    Uniform,
    /// The own action with the greatest bound; the opponent follows the playout policy.
    Own,
    /// The actions of both with the greatest bounds.
    Marginal,
    /// Drawn from an equilibrium of the bounds of all joint actions.
    Equilibrium,
}

/// The agent `joint-mc`.
pub struct JointMc<G: Game> {
    /// Which joint action gets the next playout.
    pub allocation: JointAllocation,
    /// The exploration constant.
    pub c: f64,
    /// How mixed strategies are computed.
    pub nash: NashMethod,
    /// The most that a player may gain by deviating from the mix in the table of estimates, before it is recomputed.
    pub tolerance: f64,
    /// Whether the second step is searched by own bounds (MSUCB1.5).
    pub second: bool,
    /// The utility of drawn playouts.
    pub draws: Draws,
    /// Where own actions are dropped that are symmetric images of others.
    pub symmetry: Symmetry,
    /// Which image of a chosen action is played.
    pub image: Image,
    /// How the final action is chosen.
    pub choice: JointChoice,
    /// How a state is evaluated.
    pub simulation: Simulation<G>,
    /// Its own budget; if it sets no limit, the seat's budget applies. Every playout counts as a node.
    pub budget: Budget,
}

/// What a player could gain by deviating from the final mix.
const FINAL_TOLERANCE: f64 = 0.002;

/// The statistics of one joint action.
#[derive(Clone, Copy, Default)]
struct Cell {
    visits: u64,
    totals: [f64; 2],
}

/// The statistics of one decision.
struct Root<A> {
    sides: Sides<A>,
    cells: Vec<Cell>,
    playouts: u64,
}

impl<A: Copy> Root<A> {
    fn place(&self, cell: [usize; 2]) -> usize {
        cell[0] * self.sides.count(1) + cell[1]
    }

    fn cell(&self, place: usize) -> [usize; 2] {
        [place / self.sides.count(1), place % self.sides.count(1)]
    }

    /// The mean of a joint action; an even share if it is unknown.
    fn mean(&self, place: usize) -> [f64; 2] {
        let cell = &self.cells[place];
        if cell.visits == 0 { [0.5; 2] } else { cell.totals.map(|total| total / cell.visits as f64) }
    }

    fn note(&mut self, cell: [usize; 2], shares: [f64; 2]) {
        self.playouts += 1;
        let place = self.place(cell);
        let known = &mut self.cells[place];
        known.visits += 1;
        known.totals.iter_mut().zip(shares).for_each(|(total, share)| *total += share);
    }

    /// The statistics of one side's actions, over all actions of the other.
    fn tried(&self, side: usize) -> Vec<Tried> {
        let mut tried = vec![Tried::default(); self.sides.count(side)];
        for (place, cell) in self.cells.iter().enumerate() {
            let action = &mut tried[self.cell(place)[side]];
            action.visits += cell.visits;
            action.total += cell.totals[side];
        }
        tried
    }
}

/// Working data of a search besides its statistics.
struct Work<G: Game> {
    /// Where players choose by the bounds of their own actions.
    arms: [Arms; 2],
    /// Where they draw from an equilibrium.
    kept: KeptMix,
    seconds: Vec<Option<Box<Second<G>>>>,
    joint: Vec<G::Action>,
    shares: Vec<f64>,
}

impl<G: Knowledge> JointMc<G> {
    /// The joint action of the next playout. `None` for the other side: it follows the policy.
    fn next(&self, root: &Root<G::Action>, work: &mut Work<G>, own: usize, rng: &mut Rng) -> [Option<usize>; 2] {
        let sides = &root.sides;
        let scale = scale(self.c, root.playouts);
        match self.allocation {
            JointAllocation::Uniform => [0, 1].map(|side| Some(rng.below(sides.count(side)))),
            JointAllocation::Own => {
                let mut cell = [None; 2];
                cell[own] = Some(work.arms[own].greatest_bound(scale));
                if sides.actions[1 - own].is_empty() {
                    cell[1 - own] = Some(0);
                }
                cell
            }
            JointAllocation::Marginal => work.arms.each_mut().map(|arms| Some(arms.greatest_bound(scale))),
            JointAllocation::Equilibrium if root.playouts < root.cells.len() as u64 => {
                root.cell(root.playouts as usize).map(Some)
            }
            JointAllocation::Equilibrium => work.kept.draw(scale, rng).map(Some),
        }
    }

    /// Makes one playout and updates the statistics.
    fn playout(&mut self, seat: &Seat<'_, G>, root: &mut Root<G::Action>, work: &mut Work<G>, rng: &mut Rng) {
        let (game, own) = (seat.game, seat.player.index());
        let cell = match self.next(root, work, own, rng) {
            [Some(row), Some(column)] => [row, column],
            open => {
                // The opponent's action by the policy, and its index.
                let other = 1 - own;
                let player = tesuji_core::Player(other as u8);
                let picked = self.simulation.policy.pick(game, seat.state, player, rng);
                let place = root.sides.actions[other].iter().position(|&action| action == picked).unwrap_or(0);
                open.map(|chosen| chosen.unwrap_or(place))
            }
        };
        let place = root.place(cell);
        let mut second = None;
        let mut state;
        match work.seconds.get_mut(place) {
            Some(slot) => {
                let node = slot.get_or_insert_with(|| {
                    let mut next = seat.state.clone();
                    root.sides.joint(cell, &mut work.joint);
                    game.apply(&mut next, &work.joint);
                    Box::new(Second::new(game, next, seat.player))
                });
                let (next, arm) = node.step(self.c, game, &mut *self.simulation.policy, rng, &mut work.joint);
                (state, second) = (next, arm);
            }
            None => {
                state = seat.state.clone();
                root.sides.joint(cell, &mut work.joint);
                game.apply(&mut state, &work.joint);
            }
        }
        self.simulation.run(game, &mut state, rng, &mut work.shares);
        let mut shares = both(&work.shares);
        if game.turn(&state) == Turn::Over {
            self.draws.apply(own, &mut shares);
        }
        if let (Some(arm), Some(Some(node))) = (second, work.seconds.get_mut(place)) {
            node.note(arm, shares[own]);
        }
        root.note(cell, shares);
        match self.allocation {
            JointAllocation::Uniform => {}
            JointAllocation::Own | JointAllocation::Marginal => {
                (0..2).for_each(|side| work.arms[side].note(cell[side], shares[side]));
            }
            JointAllocation::Equilibrium => {
                work.kept.set(cell, root.mean(place), 1.0 / (root.cells[place].visits as f64).sqrt());
            }
        }
    }

    /// The final mix over the searched own actions, and its expected share.
    fn mix(&self, root: &Root<G::Action>, own: usize) -> (Vec<f64>, Option<f64>) {
        let arms = &root.tried(own);
        if root.playouts == 0 {
            return (FinalChoice::Visits.policy(arms), None);
        }
        let mix = match self.choice {
            JointChoice::Mean => FinalChoice::Mean.policy(arms),
            JointChoice::Visits => FinalChoice::Visits.policy(arms),
            JointChoice::Average => FinalChoice::Mixed.policy(arms),
            JointChoice::Equilibrium => {
                let mut mixer = Mixer::new(self.nash, FINAL_TOLERANCE);
                let means = |player: usize| (0..root.cells.len()).map(move |place| root.mean(place)[player]);
                mixer.refresh(root.sides.count(0), root.sides.count(1), [means(0), means(1)]);
                return (mixer.mixes()[own].to_vec(), Some(mixer.values()[own]));
            }
        };
        let known = mix.iter().zip(arms).filter(|(_, arm)| arm.visits > 0);
        let value = known.map(|(share, arm)| share * arm.mean()).sum();
        (mix, Some(value))
    }
}

/// Maps results for the searched actions back to all actions.
fn spread<T: Clone + Default>(kept: &[usize], count: usize, found: &[T]) -> Vec<T> {
    let mut all = vec![T::default(); count];
    for (&index, found) in kept.iter().zip(found) {
        all[index] = found.clone();
    }
    all
}

impl<G: Knowledge> Agent<G> for JointMc<G> {
    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let own = seat.player.index();
        let mut sides = Sides::of(seat.game, seat.state);
        debug_assert!(is_mover(seat.game.turn(seat.state), seat.player));
        if let [only] = sides.actions[own][..] {
            return Ok(forced(only));
        }
        let actions = sides.actions[own].clone();
        let orbits = self.symmetry.orbits(&seat, &sides);
        let kept: Vec<usize> = orbits.iter().map(|orbit| orbit[0]).collect();
        sides.actions[own] = kept.iter().map(|&index| actions[index]).collect();
        let counts = [0, 1].map(|side| sides.count(side));
        let mut root = Root { sides, cells: vec![Cell::default(); counts[0] * counts[1]], playouts: 0 };
        let mut work = Work {
            arms: counts.map(Arms::new),
            kept: KeptMix::new(self.nash, self.tolerance, counts),
            seconds: (0..if self.second { root.cells.len() } else { 0 }).map(|_| None).collect(),
            joint: Vec::new(),
            shares: vec![0.0; seat.game.spec().players.len()],
        };
        let spec = seat.game.spec();
        let mut pace = Pace::start(if self.budget.is_limited() { self.budget } else { *budget });
        let depth = if self.second { 2 } else { 1 };
        let think = |playouts, time| Thought { depth, playouts, nodes: playouts, time, ..Thought::default() };
        while pace.allows(root.playouts, root.playouts, &mut seat.watcher, |time| {
            let (mix, _) = self.mix(&root, own);
            let tried = spread(&kept, actions.len(), &root.tried(own));
            let mix = self.image.spread(&orbits, actions.len(), &mix);
            Thought { candidates: candidates(spec, &actions, &tried, &mix), ..think(root.playouts, time) }
        }) {
            self.playout(&seat, &mut root, &mut work, rng);
        }
        let (mix, value) = self.mix(&root, own);
        let tried = spread(&kept, actions.len(), &root.tried(own));
        let mix = self.image.spread(&orbits, actions.len(), &mix);
        let mut thought = Thought { limit: pace.limit(), ..think(root.playouts, pace.elapsed()) };
        for (place, cell) in root.cells.iter().enumerate() {
            let mut joint = Vec::new();
            root.sides.joint(root.cell(place), &mut joint);
            thought.joint.push((joint, cell.visits));
        }
        Ok(draw(spec, &actions, &tried, &mix, value, thought, rng))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::PayoffMatrix;
    use crate::tiny_games::{Form, Written, chance, over};
    use tesuji_core::{Features, History};

    /// Six by seven noisy cells with random probabilities.
    fn noisy(seed: u64) -> Written {
        let mut rng = Rng::new(seed);
        let cells = (0..42).map(|_| {
            let p = rng.unit();
            chance([(p, over([1.0, 0.0])), (1.0 - p, over([0.0, 1.0]))])
        });
        let form = Form::Joint(vec![6, 7], cells.collect());
        Written::with_features(2, (0.0, 1.0), Features::SIMULTANEOUS | Features::CHANCE, form)
    }

    /// After every playout: what a player could gain by deviating from the current mix, in the current UCB1 values.
    #[test]
    fn the_mix_that_is_kept_stays_within_its_distance_of_a_new_one() {
        for (nash, stated) in [(NashMethod::Program, 0.1), (NashMethod::Figure3, 0.2), (NashMethod::Regret, 0.2)] {
            let game = noisy(3);
            let mut agent = JointMc {
                allocation: JointAllocation::Equilibrium,
                c: 0.5,
                nash,
                tolerance: 0.1,
                second: false,
                draws: Draws::EVEN,
                symmetry: Symmetry::Off,
                image: Image::First,
                choice: JointChoice::Equilibrium,
                simulation: Simulation::default(),
                budget: Budget::default(),
            };
            let (state, history) = (game.start(), History::default());
            let seat =
                Seat { game: &game, state: &state, player: tesuji_core::Player(0), history: &history, watcher: None };
            let mut root = Root { sides: Sides::of(&game, &state), cells: vec![Cell::default(); 42], playouts: 0 };
            let mut work = Work {
                arms: [6, 7].map(Arms::new),
                kept: KeptMix::new(nash, agent.tolerance, [6, 7]),
                seconds: Vec::new(),
                joint: Vec::new(),
                shares: vec![0.0; 2],
            };
            let mut rng = Rng::new(1);
            let mut worst = 0.0f64;
            for playout in 0..3000 {
                agent.playout(&seat, &mut root, &mut work, &mut rng);
                if playout < 200 {
                    continue;
                }
                let scale = scale(agent.c, root.playouts);
                let bound = |place: usize, player: usize| {
                    root.mean(place)[player] + scale / (root.cells[place].visits as f64).sqrt()
                };
                let table = |player: usize| {
                    let row = |row: usize| (0..7).map(|column| bound(7 * row + column, player)).collect();
                    PayoffMatrix::from_rows(&(0..6).map(row).collect::<Vec<Vec<f64>>>()).unwrap()
                };
                // As the next playout will draw from it.
                let mixer = work.kept.mixer(scale);
                worst = worst.max(mixer.distance([&table(0), &table(1)]));
            }
            let found = work.kept.found();
            assert!(worst <= stated, "{nash:?}: {worst}");
            assert!(found < 2000, "{nash:?}: found anew {found} times");
        }
    }
}
