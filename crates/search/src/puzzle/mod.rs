//! Puzzles: games for one player without chance, solved by search for a complete plan.
//!
//! A plan can be repeated, so only the best one counts: max over plans of the payoff at the end. Two searches share the
//! work equally until one of them finds the greatest possible payoff:
//!
//! - `breadth`: breadth-first search with a table of the positions met. It finds a shortest solution, and when it has
//!   seen everything, the best plan is proven best.
//! - `nested`: nested Monte Carlo search (Cazenave, "Nested Monte-Carlo Search", 2009), for puzzles too large for that.
//!   A search of level n plays a match in which it tries every action by a search of level n − 1, and follows the best
//!   sequence found; level 0 is a random playout.
//!
//! Rule sheets often count steps to end every match, so no state ever repeats. If the game describes its states by
//! features, `keys` finds those that depend only on the number of steps, and the breadth-first search ignores them at
//! first: a position that is reached again later is not searched again. If that is not enough to find the greatest
//! payoff, the search is repeated on exact states; only this second search proves anything. Positions are compared by
//! 64-bit hashes.
//!
//! The plan is kept for the whole match. Once it is proven, or has the greatest payoff, it is played without search.
//! Each expanded state and each random playout counts as a playout of the budget, each stored position as a node.

mod breadth;
mod keys;
mod nested;
#[cfg(test)]
mod tests;

use tesuji_core::{Features, Game, Rng, Spec, Turn, ValueFeatures};

use crate::final_choice::{Tried, candidates, forced};
use crate::pace::Pace;
use crate::standpoint::Standpoint;
use crate::{Agent, Budget, Candidate, Decision, Failure, Seat, Thought, Watcher};
use breadth::Breadth;
use keys::Keys;
use nested::Nested;

/// The settings of [`Puzzle`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuzzleSettings {
    /// Its own budget; if it sets no limit, the seat's budget applies.
    pub budget: Budget,
    /// The most positions that the breadth-first search stores; beyond, only the nested search continues.
    pub cap: usize,
    /// The highest level of the nested search.
    pub level: u32,
}

impl Default for PuzzleSettings {
    fn default() -> Self {
        PuzzleSettings { budget: Budget::default(), cap: 3_000_000, level: 3 }
    }
}

/// The agent `puzzle`: finds a plan for a game with one player and without chance.
///
/// ```
/// use tesuji_core::tiny_games::{Written, choice, over};
/// use tesuji_core::{Game, History, Player, Rng};
/// use tesuji_play::{Agent, Budget, Seat};
/// use tesuji_search::{Puzzle, PuzzleSettings};
///
/// let form = choice(0, [over([0.5]), choice(0, [over([0.0]), over([0.75])])]);
/// let (game, history) = (Written::new(1, (0.0, 1.0), form), History::default());
/// let mut agent = Puzzle::new(PuzzleSettings::default(), None);
/// let seat = Seat { game: &game, state: &game.start(), player: Player(0), history: &history, watcher: None };
/// let decision = agent.choose(seat, &Budget::playouts(100), &mut Rng::new(1)).unwrap();
/// assert_eq!((decision.action, decision.value), (1, Some(0.75)));
/// // It has seen everything, so no limit ended the search.
/// assert_eq!(decision.thought.limit, None);
/// ```
pub struct Puzzle<G: Game> {
    settings: PuzzleSettings,
    features: Option<&'static dyn ValueFeatures<G>>,
    standpoint: Option<Standpoint<G>>,
    plan: Plan<G::Action>,
    searches: Option<Searches<G>>,
}

/// The best plan found, from the current state on.
#[derive(Clone)]
struct Plan<A> {
    /// The share of the payoff range at its end; below 0 if there is no plan.
    share: f64,
    actions: Vec<A>,
    /// Whether no plan is better.
    proven: bool,
}

impl<A> Plan<A> {
    fn none() -> Plan<A> {
        Plan { share: -1.0, actions: Vec::new(), proven: false }
    }

    fn is_best(&self) -> bool {
        self.proven || self.share >= 1.0
    }
}

/// The searches from one state, which can be continued.
struct Searches<G: Game> {
    breadth: Breadth<G>,
    nested: Nested<G>,
}

/// What a search may spend, and what it has found.
struct Work<'a, 'w, G: Game> {
    game: &'a G,
    pace: Pace,
    watcher: &'a mut Option<&'w mut dyn Watcher<G::Action>>,
    /// The legal actions at the root.
    legal: &'a [G::Action],
    plan: &'a mut Plan<G::Action>,
    playouts: u64,
    nodes: u64,
    depth: u32,
    /// States generated: what the two searches share equally.
    generated: u64,
}

impl<G: Game> Work<'_, '_, G> {
    /// Whether there is a reason and a budget to continue.
    fn continues(&mut self) -> bool {
        let Work { game, pace, watcher, legal, plan, playouts, nodes, depth, .. } = self;
        !plan.is_best()
            && pace.allows(*playouts, *nodes, watcher, |time| Thought {
                candidates: report(game.spec(), legal, plan),
                line: plan.actions.iter().map(|&action| vec![action]).collect(),
                depth: *depth,
                nodes: *nodes,
                playouts: *playouts,
                time,
                ..Thought::default()
            })
    }

    /// The share of the player at the end of a match.
    fn share(&self, state: &G::State, player: tesuji_core::Player) -> f64 {
        self.game.spec().normalise(self.game.payoff(state, player))
    }

    /// Keeps a complete line if it is better than all before.
    fn offer(&mut self, share: f64, line: impl FnOnce() -> Vec<G::Action>) {
        if share > self.plan.share {
            *self.plan = Plan { share, actions: line(), proven: false };
        }
    }
}

/// Whether this is a puzzle: one player, no chance.
pub(crate) fn is_puzzle(spec: &Spec) -> bool {
    spec.players.len() == 1 && !spec.features.contains(Features::CHANCE)
}

impl<G: Game> Puzzle<G> {
    /// A solver. `features` describe states; without them positions that differ only in a step counter are different.
    pub fn new(settings: PuzzleSettings, features: Option<&'static dyn ValueFeatures<G>>) -> Puzzle<G> {
        Puzzle { settings, features, standpoint: None, plan: Plan::none(), searches: None }
    }

    /// Takes the seat's state as the root. Keeps the plan if the match followed it, and the searches if the root is the
    /// same.
    fn take_standpoint(&mut self, seat: &Seat<'_, G>, prepared: bool) {
        let before = self.standpoint.replace(Standpoint::of(seat, prepared));
        let Some(before) = before.filter(|before| before.leads_to(seat)) else {
            (self.plan, self.searches) = (Plan::none(), None);
            return;
        };
        let played = seat.history.len() - before.steps;
        if played == 0 {
            return;
        }
        self.searches = None;
        let follows = played < self.plan.actions.len()
            && (0..played).all(|index| seat.history.step(before.steps + index) == [self.plan.actions[index]]);
        if follows {
            self.plan.actions.drain(..played);
        } else {
            self.plan = Plan::none();
        }
    }

    /// Searches from `seat` until the best plan is known or the budget is spent.
    fn search(
        &mut self,
        seat: &mut Seat<'_, G>,
        legal: &[G::Action],
        budget: &Budget,
        rng: &mut Rng,
    ) -> Thought<G::Action> {
        let game = seat.game;
        let mut work = Work {
            game,
            pace: Pace::start(*budget),
            watcher: &mut seat.watcher,
            legal,
            plan: &mut self.plan,
            playouts: 0,
            nodes: 0,
            depth: 0,
            generated: 0,
        };
        let searches = self.searches.get_or_insert_with(|| Searches {
            breadth: Breadth::new(seat.state, Keys::learn(game, seat.state, seat.player, self.features, rng)),
            nested: Nested::new(seat.state),
        });
        // One random playout first, so that there is always a plan.
        searches.nested.run(&mut work, 0, rng);
        while work.continues() {
            let before = work.generated;
            searches.nested.next(&mut work, self.settings.level, rng);
            let share = work.generated - before;
            searches.breadth.run(&mut work, share, self.settings.cap);
        }
        let (depth, nodes, playouts) = (work.depth, work.nodes, work.playouts);
        // A search that ended because the plan is the best was not ended by a limit.
        let limit = work.pace.limit().filter(|_| !work.plan.is_best());
        Thought { depth, nodes, playouts, time: work.pace.elapsed(), limit, ..Thought::default() }
    }
}

/// The statistics of the legal actions: only the plan's action has a value.
fn report<A: Copy + PartialEq>(spec: &Spec, legal: &[A], plan: &Plan<A>) -> Vec<Candidate<A>> {
    let first = plan.actions.first();
    let planned = |action: &A| first == Some(action);
    let tried: Vec<Tried> = legal
        .iter()
        .map(|action| match planned(action) {
            true => Tried { visits: 1, total: plan.share, ..Tried::default() },
            false => Tried::default(),
        })
        .collect();
    let policy: Vec<f64> = legal.iter().map(|action| f64::from(u8::from(planned(action)))).collect();
    candidates(spec, legal, &tried, &policy)
}

impl<G: Game> Agent<G> for Puzzle<G> {
    fn begin(&mut self) {
        (self.standpoint, self.plan, self.searches) = (None, Plan::none(), None);
    }

    fn prepare(&mut self, mut seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        if let Turn::Player(player) = seat.game.turn(seat.state) {
            let mut legal = Vec::new();
            seat.game.legal(seat.state, player, &mut legal);
            self.take_standpoint(&seat, true);
            self.search(&mut seat, &legal, budget, rng);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let mut legal = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut legal);
        if let [only] = legal[..] {
            return Ok(forced(only));
        }
        self.take_standpoint(&seat, false);
        let budget = if self.settings.budget.is_limited() { self.settings.budget } else { *budget };
        let mut thought = match self.plan.is_best() {
            true => Thought::default(),
            false => self.search(&mut seat, &legal, &budget, rng),
        };
        let spec = seat.game.spec();
        // Without a plan the match cannot be followed to its end: not a puzzle after all.
        let action = self.plan.actions.first().copied().unwrap_or(legal[0]);
        thought.candidates = report(spec, &legal, &self.plan);
        thought.line = self.plan.actions.iter().map(|&action| vec![action]).collect();
        let value = (self.plan.share >= 0.0).then(|| spec.denormalise(self.plan.share));
        Ok(Decision { action, policy: vec![(action, 1.0)], value, thought })
    }
}
