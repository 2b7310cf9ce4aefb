//! Solves the root exactly before a search begins, as far as its share of the budget allows.
//!
//! Every position that the solver examines counts as a playout, so that a budget means the same with and without it.
//! What was solved before the share is used up stays: the tree takes these values as exact.

use std::time::Duration;

use tesuji_core::{Features, Knowledge, Player, Turn};

use super::sides::Sides;
use crate::Meter;
use crate::simultaneous::{ExactSolver, Limits, Memory, Solution};

/// The memory limit: room for 3.7 million positions.
const MOST_BYTES: usize = 256 << 20;

/// With fewer positions than this nothing is tried: they would be missing in the search. Chosen by NashConv of
/// Goofspiel with 4 and 5 cards and Oshi-Zumo with 8 coins, at 30 to 1,000 playouts.
pub(super) const LEAST_POSITIONS: u64 = 100;

/// The part of a limited time after which the solver must have learned something about a position after the root. If it
/// has not, the root is far too large, and the rest of the share is left to the search.
const TRIAL: f64 = 0.125;

/// Positions between two clock reads.
const CLOCK_EVERY: u64 = 16;

/// Whether positions of this game can be solved during a search: two players, a constant sum, and a game that knows
/// which positions have equal values. Such games use something up with each step, so play never repeats.
pub(super) fn is_solvable<G: Knowledge>(game: &G) -> bool {
    has_value(game) && game.solver_hints().is_some()
}

/// Whether the game has a value: two players and a constant sum.
pub(super) fn has_value<G: Knowledge>(game: &G) -> bool {
    game.spec().players.len() == 2 && !game.spec().features.contains(Features::GENERAL_SUM)
}

/// What the solver may spend.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// Positions.
    pub positions: u64,
    /// The time since the start of the decision.
    pub time: Option<Duration>,
}

/// What the solver found.
pub(super) struct Attempt<A> {
    /// The solution of the root, if the share sufficed.
    pub solution: Option<Solution<A>>,
    /// The positions examined.
    pub spent: u64,
    /// If the root is solved and only one player has a choice there: all its best actions. Where waiting is as good as
    /// anything else, a player who always took the first of them could wait until the end.
    pub best: Vec<A>,
    /// Everything that was learned.
    pub memory: Memory,
}

/// Tries to solve the root. `go_on` is called before each position with the number so far; `elapsed` reads the clock of
/// the decision.
pub(super) fn solve_root<G: Knowledge>(
    game: &G,
    state: &G::State,
    share: Share,
    mut go_on: impl FnMut(u64) -> bool,
    elapsed: impl Fn() -> Duration,
) -> Attempt<G::Action> {
    let (mut memory, mut spent) = (Memory::new(), 0);
    let parts: &[f64] = if share.time.is_some() { &[TRIAL, 1.0] } else { &[1.0] };
    for &part in parts {
        if spent > 0 && !has_learned(game, state, &memory) {
            break;
        }
        let most_time = share.time.map(|time| time.mul_f64(part));
        let before = spent;
        let mut within = |looked: u64| {
            let in_time = most_time.is_none_or(|most| !looked.is_multiple_of(CLOCK_EVERY) || elapsed() < most);
            in_time && go_on(before + looked)
        };
        let limits = Limits { positions: Memory::most_within(MOST_BYTES), go_on: Some(&mut within) };
        let mut solver = ExactSolver::new(game, memory, limits);
        solver.allow(((share.positions as f64 * part) as u64).saturating_sub(before));
        let solution = solver.solve(state).ok();
        let best = solution.as_ref().map_or(Vec::new(), |found| best_actions(game, state, &mut solver, found));
        spent += solver.nodes();
        memory = solver.into_memory();
        if solution.is_some() {
            return Attempt { solution, spent, best, memory };
        }
    }
    Attempt { solution: None, spent, best: Vec::new(), memory }
}

/// All best actions of a joint move in which only one player has a choice, as far as the solver may still search.
fn best_actions<G: Knowledge>(
    game: &G,
    state: &G::State,
    solver: &mut ExactSolver<'_, G>,
    solution: &Solution<G::Action>,
) -> Vec<G::Action> {
    let sides = Sides::of(game, state);
    let counts = [sides.count(0), sides.count(1)];
    if counts[0] > 1 && counts[1] > 1 {
        return Vec::new();
    }
    let (chooser, mut joint, mut best) = (usize::from(counts[0] == 1), Vec::new(), Vec::new());
    for (index, &action) in sides.actions[chooser].iter().enumerate() {
        sides.joint(if chooser == 0 { [index, 0] } else { [0, index] }, &mut joint);
        if solver.value_after(state, &joint).is_ok_and(|found| found.value == solution.game_value.value) {
            best.push(action);
        }
    }
    best
}

/// The positions of one attempt at a node of the tree: 32 suffice for endgames of a few steps, and 256 take a
/// millisecond or two at most.
const ATTEMPT: std::ops::RangeInclusive<u64> = 32..=256;

/// After this many failures in a row, one of 2^10 nodes is still tried.
const MOST_FAILURES: u32 = 10;

/// Solves nodes of the tree while it grows, with a fraction of what the search has spent. After failures it skips more
/// and more nodes, so that it costs little where nothing can be solved.
pub(super) struct NodeSolver {
    /// The fraction of the effort that may go into solving.
    share: f64,
    /// The playouts and positions of the whole decision.
    granted: u64,
    spent: u64,
    failures: u32,
    skip: u64,
    /// Under a limit of time: the clock of the decision, the limit, and the time spent on solving.
    clock: Option<(Meter, Duration, Duration)>,
}

impl NodeSolver {
    /// A solver that may spend this fraction of all effort, and has spent some of it. The decision is granted so many
    /// playouts and positions.
    pub(super) fn new(share: f64, granted: u64, spent: u64) -> NodeSolver {
        NodeSolver { share, granted, spent, failures: 0, skip: 0, clock: None }
    }

    /// Under a limit of time, the fraction holds for the time too: a position can take as long as ten playouts. All
    /// time until now went into solving.
    pub(super) fn within(self, clock: Meter, limit: Option<Duration>) -> NodeSolver {
        let taken = clock.elapsed();
        NodeSolver { clock: limit.map(|limit| (clock, limit, taken)), ..self }
    }

    /// The positions examined.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Tries to find the value of a node, when the search has made this many playouts.
    pub(super) fn value<G: Knowledge>(
        &mut self,
        game: &G,
        state: &G::State,
        memory: &mut Memory,
        playouts: u64,
    ) -> Option<f64> {
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        // The share of all effort: s·(p + q) positions q beside p playouts.
        let wanted = (self.share / (1.0 - self.share).max(1e-9) * playouts as f64) as u64;
        let left = wanted.min(self.granted.saturating_sub(playouts)).saturating_sub(self.spent).min(*ATTEMPT.end());
        if left < *ATTEMPT.start() {
            return None;
        }
        let before = self.clock.as_ref().map(|(clock, ..)| clock.elapsed());
        if let (Some((_, _, taken)), Some(before)) = (&self.clock, before)
            && *taken > before.mul_f64(self.share)
        {
            return None;
        }
        let clock = self.clock.as_ref();
        let mut within = |looked: u64| {
            clock.is_none_or(|(clock, limit, _)| !looked.is_multiple_of(CLOCK_EVERY) || clock.elapsed() < *limit)
        };
        let limits = Limits { positions: Memory::most_within(MOST_BYTES), go_on: Some(&mut within) };
        let mut solver = ExactSolver::new(game, std::mem::take(memory), limits);
        solver.allow(left);
        let found = solver.value(state).ok();
        self.spent += solver.nodes();
        *memory = solver.into_memory();
        if let (Some((clock, _, taken)), Some(before)) = (&mut self.clock, before) {
            *taken += clock.elapsed().saturating_sub(before);
        }
        self.failures = if found.is_some() { 0 } else { (self.failures + 1).min(MOST_FAILURES) };
        self.skip = (1 << self.failures) - 1;
        found.map(|found| found.value)
    }
}

/// Whether anything is known about a position after `state`.
fn has_learned<G: Knowledge>(game: &G, state: &G::State, memory: &Memory) -> bool {
    let movers = game.turn(state).movers();
    let legal = |player: u8| {
        let mut actions = Vec::new();
        if movers.contains(Player(player)) {
            game.legal(state, Player(player), &mut actions);
        }
        actions
    };
    let [first, second] = [legal(0), legal(1)];
    let (loss, win) = game.spec().payoffs;
    let narrowed = |joint: &[G::Action]| {
        let mut next = state.clone();
        game.apply(&mut next, joint);
        let (low, high) = memory.bounds(game, &next);
        game.turn(&next) != Turn::Over && (low > loss || high < win)
    };
    match (&first[..], &second[..]) {
        ([], actions) | (actions, []) => actions.iter().any(|&action| narrowed(&[action])),
        (rows, columns) => rows.iter().any(|&row| columns.iter().any(|&column| narrowed(&[row, column]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny_games::{Form, Written, over};
    use std::cell::Cell;
    use tesuji_core::{Game, Rng};

    /// Joint moves of two actions each, `depth` of them, with random results.
    fn deep(rng: &mut Rng, depth: u32) -> Form {
        if depth == 0 {
            let share = rng.unit();
            return over([share, 1.0 - share]);
        }
        Form::Joint(vec![2, 2], (0..4).map(|_| deep(rng, depth - 1)).collect())
    }

    #[test]
    fn a_limit_of_time_leaves_time_for_playouts_and_keeps_what_was_solved() {
        let game = Written::new(2, (0.0, 1.0), deep(&mut Rng::new(4), 5));
        let all = Share { positions: u64::MAX, time: None };
        let whole = solve_root(&game, &game.start(), all, |_| true, || Duration::ZERO);
        assert!(whole.solution.is_some());
        // The clock is read every sixteen positions: half of the work is done in this time.
        let limit = u32::try_from(whole.spent / 32).unwrap();
        let reads = Cell::new(0u32);
        let clock = || {
            reads.set(reads.get() + 1);
            Duration::from_millis(reads.get().into())
        };
        let share = Share { positions: u64::MAX, time: Some(Duration::from_millis(limit.into())) };
        let attempt = solve_root(&game, &game.start(), share, |_| true, clock);
        assert!(attempt.solution.is_none() && reads.get() <= limit + 2, "{} of {limit}", reads.get());
        assert!(attempt.spent > 0 && attempt.spent < whole.spent && !attempt.memory.is_empty());
        // What was kept agrees with the solution.
        for first in 0..2 {
            for second in 0..2 {
                let mut next = game.start();
                game.apply(&mut next, &[first, second]);
                let (low, high) = attempt.memory.bounds(&game, &next);
                let (least, most) = whole.memory.bounds(&game, &next);
                assert!(low <= most && least <= high, "{low} to {high}, {least} to {most}");
            }
        }
    }

    #[test]
    fn all_best_actions_of_a_lone_chooser_are_found() {
        let all = Share { positions: u64::MAX, time: None };
        let best = |counts: [u8; 2], shares: [f64; 4]| {
            let cells = shares.map(|share| Form::Joint(vec![1, 1], vec![over([share, 1.0 - share])]));
            let game = Written::new(2, (0.0, 1.0), Form::Joint(counts.to_vec(), Vec::from(cells)));
            solve_root(&game, &game.start(), all, |_| true, || Duration::ZERO).best
        };
        assert_eq!(best([4, 1], [0.5, 1.0, 0.0, 1.0]), [1, 3]);
        assert_eq!(best([1, 4], [0.5, 0.25, 0.25, 1.0]), [1, 2]);
        // Where both choose, the equilibrium decides.
        assert_eq!(best([2, 2], [0.5, 0.5, 0.5, 0.5]), []);
    }

    #[test]
    fn a_root_far_too_large_is_given_up_after_the_trial() {
        let game = Written::new(2, (0.0, 1.0), deep(&mut Rng::new(4), 7));
        let reads = Cell::new(0u32);
        let clock = || {
            reads.set(reads.get() + 1);
            Duration::from_millis(reads.get().into())
        };
        // An eighth of this time is over at the second read, after sixteen positions.
        let share = Share { positions: u64::MAX, time: Some(Duration::from_millis(16)) };
        let attempt = solve_root(&game, &game.start(), share, |_| true, clock);
        assert_eq!((attempt.solution.is_some(), attempt.spent), (false, 16));
    }

    #[test]
    fn nodes_are_skipped_after_failures() {
        let game = Written::new(2, (0.0, 1.0), deep(&mut Rng::new(4), 4));
        let (mut solver, mut memory) = (NodeSolver::new(0.5, u64::MAX, 0), Memory::new());
        assert_eq!(solver.value(&game, &game.start(), &mut memory, 31), None);
        assert_eq!(solver.spent(), 0);
        // 40 positions do not suffice; then one node is skipped, although there would be enough.
        assert_eq!(solver.value(&game, &game.start(), &mut memory, 40), None);
        assert_eq!(solver.spent(), 40);
        assert_eq!(solver.value(&game, &game.start(), &mut memory, 1_000_000), None);
        assert_eq!(solver.spent(), 40);
        // A few hundred at a time, with what is known already, at last they do.
        let tries = (0..10_000).find(|_| solver.value(&game, &game.start(), &mut memory, 1_000_000).is_some());
        assert!(tries.is_some());
        assert_eq!((solver.failures, solver.skip), (0, 0));
        // A budget of 100 of which 90 are used up leaves too little.
        let (mut solver, mut memory) = (NodeSolver::new(0.5, 100, 30), Memory::new());
        assert_eq!(solver.value(&game, &game.start(), &mut memory, 60), None);
        assert_eq!(solver.spent(), 30);
    }
}
