//! Exact solutions of two-player constant-sum games with simultaneous moves, by backward induction.
//!
//! The method follows Bošanský, Lisý, Lanctot, Čermák and Winands ("Algorithms for computing strategies in two-player
//! simultaneous move games", Artificial Intelligence 237, 2016):
//!
//! 1. *Bounds by serialising*: what a player can force when it must choose first and the other sees it is a lower bound
//!    on its value; alpha-beta search finds it (`bounds`). It is also what the player can force with a *pure* strategy
//!    chosen blind, which defines outcome classes ([`Forced::class`]).
//! 2. A matrix game must be solved only if the two players' bounds differ, and only as much of it as the *double
//!    oracle* needs: starting from a few actions, best responses to the restricted game's equilibrium are added until
//!    there is no better one (`oracle`). Children are known by bounds first, and by value only if that can matter.
//! 3. *Transpositions and symmetry*: positions are cached by
//!    [`SolverHints::fingerprint`](tesuji_core::SolverHints::fingerprint), which may be shared by many positions, also
//!    by those with the players exchanged.
//!
//! Values are fractions wherever these fit 128 bits ([`GameValue`]). Chance nodes and moves of a single player are
//! handled too. The state graph must have no cycle; this holds for every game whose states count their steps or use
//! something up.
//!
//! Deviation from the article: bounds are computed once for each state and threshold and cached, instead of being
//! passed down through the double oracle as a window. With the outcomes win, draw and loss few thresholds exist, and
//! the cache answers nearly all queries.

mod bounds;
mod certificate;
mod memory;
mod oracle;
mod game_value;

#[cfg(test)]
mod tests;

use tesuji_core::{ErrorKind, Game, InputError, Knowledge, Player, Players, Turn};

use crate::matrix::{MatrixSolver, PayoffMatrix};
pub use certificate::{Certificate, Claim, NoCertificate};
pub use game_value::GameValue;
use game_value::ValueId;
pub use memory::{Memory, bounds, candidates, fingerprint, hash};

/// What the players can force with pure strategies chosen blind, as payoffs of the first player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forced {
    /// The first player gets at least this.
    pub least: f64,
    /// The second player concedes at most this.
    pub most: f64,
}

impl Forced {
    /// The outcome class of a game of win, draw and loss, named by the letters of the two players, such as `V` and `H`.
    ///
    /// - A single letter: that player can force a win.
    /// - `D`: both can force a draw.
    /// - `VD`: V can force a draw and H cannot; `HD` the reverse.
    /// - `VHD`: neither can.
    pub fn class(&self, (loss, win): (f64, f64), [first, second]: [char; 2]) -> String {
        let draw = 0.5 * (loss + win);
        match (self.least, self.most) {
            (least, _) if least >= win => format!("{first}"),
            (_, most) if most <= loss => format!("{second}"),
            (least, most) if least >= draw && most <= draw => "D".to_owned(),
            (least, _) if least >= draw => format!("{first}D"),
            (_, most) if most <= draw => format!("{second}D"),
            _ => format!("{first}{second}D"),
        }
    }
}

/// The solution of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<A> {
    /// The first player's value under optimal play.
    pub game_value: GameValue,
    /// What the players can force with pure strategies.
    pub forced: Forced,
    /// An optimal mixed strategy of each player who moves: actions of positive probability, with the exact probability
    /// if known.
    pub strategies: [Vec<(A, GameValue)>; 2],
    /// The exploitability of the strategies: 0 except for rounding.
    pub gap: f64,
}

/// The limits of a solver.
#[derive(Default)]
pub struct Limits<'a> {
    /// The most positions in memory; [`Memory::most_within`] says how many fit.
    pub positions: usize,
    /// Called before every position with the number examined so far; the solver gives up when it returns false.
    pub go_on: Option<&'a mut dyn FnMut(u64) -> bool>,
}

impl<'a> Limits<'a> {
    /// A limit on positions only.
    pub fn positions(positions: usize) -> Limits<'a> {
        Limits { positions, go_on: None }
    }
}

/// Why a solver gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GaveUp {
    /// The caller stopped it.
    Stopped,
    /// It would need to store more positions than allowed.
    Memory,
    /// It has examined as many positions as allowed.
    Spent,
}

/// Checks that a game can be solved here.
pub fn check_solvable<G: Game>(game: &G) -> Result<(), InputError> {
    use tesuji_core::Features;
    let spec = game.spec();
    if spec.players.len() != 2 {
        return Err(InputError::new(format!(
            "`{}` has {} players; exact solutions are for two",
            spec.name,
            spec.players.len()
        ))
        .of_kind(ErrorKind::Refused));
    }
    if spec.features.contains(Features::GENERAL_SUM) {
        return Err(InputError::new(format!(
            "the payoffs of `{}` do not add up to a constant, so it has no value",
            spec.name
        ))
        .of_kind(ErrorKind::Refused)
        .with_help("`tesuji nash` finds the equilibria of a table of payoffs"));
    }
    Ok(())
}

/// Solves positions of one game, and caches all it met.
///
/// ```
/// # use tesuji_core::{Features, Game, Knowledge, Player, Players, Spec, Turn};
/// # struct RockPaperScissors(Spec);
/// # impl Game for RockPaperScissors {
/// #     type State = Option<[u8; 2]>;
/// #     type Action = u8;
/// #     fn spec(&self) -> &Spec { &self.0 }
/// #     fn start(&self) -> Option<[u8; 2]> { None }
/// #     fn turn(&self, state: &Option<[u8; 2]>) -> Turn {
/// #         if state.is_some() { Turn::Over } else { Turn::Simultaneous(Players::first(2)) }
/// #     }
/// #     fn legal(&self, _: &Option<[u8; 2]>, _: Player, out: &mut Vec<u8>) { out.extend(0..3); }
/// #     fn apply(&self, state: &mut Option<[u8; 2]>, joint: &[u8]) { *state = Some([joint[0], joint[1]]); }
/// #     fn payoff(&self, state: &Option<[u8; 2]>, player: Player) -> f64 {
/// #         let [one, two] = state.unwrap();
/// #         let first = [0.5, 1.0, 0.0][usize::from((one + 3 - two) % 3)];
/// #         if player == Player(0) { first } else { 1.0 - first }
/// #     }
/// # }
/// # impl Knowledge for RockPaperScissors {}
/// # let spec = Spec::new("rock-paper-scissors", &["one", "two"], Features::SIMULTANEOUS, 1);
/// use tesuji_solve::simultaneous::{ExactSolver, Limits, Memory};
///
/// let game = RockPaperScissors(spec);
/// let mut solver = ExactSolver::new(&game, Memory::new(), Limits::positions(1_000));
/// let solution = solver.solve(&game.start()).unwrap();
/// assert_eq!(solution.game_value.value, 0.5);
/// // Each of the three actions with a probability of 1/3.
/// let strategy = solution.strategies[0].iter();
/// let shares: Vec<String> = strategy.map(|(_, share)| share.exact.unwrap().to_string()).collect();
/// assert_eq!(shares, ["1/3", "1/3", "1/3"]);
/// ```
pub struct ExactSolver<'a, G: Knowledge> {
    game: &'a G,
    memory: Memory,
    limits: Limits<'a>,
    /// The sum of both payoffs.
    total: f64,
    /// The number of positions examined.
    nodes: u64,
    /// The number of positions that may be examined.
    allowance: u64,
    matrix_solver: MatrixSolver,
    matrix: PayoffMatrix,
    /// Unused buffers for lists of actions.
    spare: Vec<Vec<G::Action>>,
}

type Answer<T> = Result<T, GaveUp>;

impl<'a, G: Knowledge> ExactSolver<'a, G> {
    /// A solver that continues with a `memory` from games of the same type.
    pub fn new(game: &'a G, memory: Memory, limits: Limits<'a>) -> ExactSolver<'a, G> {
        let (least, greatest) = game.spec().payoffs;
        ExactSolver {
            game,
            memory,
            limits,
            total: least + greatest,
            nodes: 0,
            allowance: u64::MAX,
            matrix_solver: MatrixSolver::new(),
            matrix: PayoffMatrix::filled(1, 1, 0.0),
            spare: Vec::new(),
        }
    }

    /// The number of positions examined so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Allows this many more positions, after which it gives up; what it has learned stays.
    pub fn allow(&mut self, positions: u64) {
        self.allowance = self.nodes.saturating_add(positions);
    }

    /// What was learned, for the next solver.
    pub fn into_memory(self) -> Memory {
        self.memory
    }

    /// The first player's value of a position.
    pub fn value(&mut self, state: &G::State) -> Result<GameValue, GaveUp> {
        let id = self.value_id(state)?;
        Ok(self.memory.values.get(id))
    }

    /// The value after the movers of `state` play `joint`.
    pub fn value_after(&mut self, state: &G::State, joint: &[G::Action]) -> Result<GameValue, GaveUp> {
        let mut next = state.clone();
        self.game.apply(&mut next, joint);
        self.value(&next)
    }

    /// What the players can force with pure strategies, exactly.
    pub fn forced(&mut self, state: &G::State) -> Result<Forced, GaveUp> {
        let (loss, win) = self.game.spec().payoffs;
        let least = self.force(state, 0, loss, win)?;
        let most = self.force(state, 1, least, win)?;
        Ok(Forced { least, most: most.max(least) })
    }

    /// Solves a position with optimal strategies.
    pub fn solve(&mut self, state: &G::State) -> Result<Solution<G::Action>, GaveUp> {
        let turn = self.game.turn(state);
        let game_value = self.value(state)?;
        let (forced, strategies, gap) = match turn {
            Turn::Simultaneous(_) => {
                let forced = self.forced(state)?;
                match self.forcing_actions(state, forced)? {
                    Some([first, second]) => {
                        (forced, [vec![(first, GameValue::ONE)], vec![(second, GameValue::ONE)]], 0.0)
                    }
                    None => {
                        let (strategies, gap) = self.strategies(state)?;
                        (forced, strategies, gap)
                    }
                }
            }
            _ => {
                let forced = self.forced(state)?;
                let mut strategies = [Vec::new(), Vec::new()];
                if let Turn::Player(mover) = turn {
                    let mut best: Option<(G::Action, f64)> = None;
                    for action in self.actions(state, mover) {
                        let value = self.value_after(state, &[action])?.value;
                        let better = |found: f64| if mover == Player(0) { value > found } else { value < found };
                        if best.is_none_or(|(_, found)| better(found)) {
                            best = Some((action, value));
                        }
                    }
                    strategies[mover.index()].extend(best.map(|(action, _)| (action, GameValue::ONE)));
                }
                (forced, strategies, 0.0)
            }
        };
        Ok(Solution { game_value, forced, strategies, gap })
    }

    fn actions(&self, state: &G::State, player: Player) -> Vec<G::Action> {
        let mut actions = Vec::new();
        candidates(self.game, state, player, &mut actions);
        actions
    }

    fn look(&mut self) -> Answer<()> {
        if self.nodes >= self.allowance {
            return Err(GaveUp::Spent);
        }
        if self.limits.go_on.as_mut().is_some_and(|go_on| !go_on(self.nodes)) {
            return Err(GaveUp::Stopped);
        }
        self.nodes += 1;
        if self.memory.len() >= self.limits.positions {
            return Err(GaveUp::Memory);
        }
        Ok(())
    }

    fn value_id(&mut self, state: &G::State) -> Answer<ValueId> {
        let turn = self.game.turn(state);
        if turn == Turn::Over {
            return Ok(self.memory.values.payoff(self.game.payoff(state, Player(0))));
        }
        let (low, high) = bounds(self.game, state);
        if low == high {
            return Ok(self.memory.values.payoff(low));
        }
        let place = self.memory.place(self.game, state);
        if let Some(id) = self.memory.value(place, self.total) {
            return Ok(id);
        }
        self.look()?;
        let id = match turn {
            Turn::Chance => self.mean_value(state)?,
            Turn::Player(mover) => self.best_value(state, mover)?,
            _ if place.even => self.memory.values.payoff(0.5 * self.total),
            Turn::Simultaneous(movers) => {
                debug_assert_eq!(movers, Players::BOTH);
                // Most positions are even or won by force: three cheap queries before any matrix.
                let draw = 0.5 * self.total;
                let (loss, win) = self.game.spec().payoffs;
                let holds = self.force(state, 0, draw.next_down(), draw)? >= draw;
                let held = self.force(state, 1, draw, draw.next_up())? <= draw;
                match (holds, held) {
                    (true, true) => self.memory.values.payoff(draw),
                    (true, false) => self.between(state, draw, win)?,
                    (false, true) => self.between(state, loss, draw)?,
                    (false, false) => self.between(state, loss, win)?,
                }
            }
            Turn::Over => unreachable!("answered above"),
        };
        self.memory.remember_value(place, id, self.total);
        Ok(id)
    }

    /// Bounds on a position's value without search: from the game's hints and the cache.
    fn glimpse(&mut self, state: &G::State) -> (f64, f64) {
        if self.game.turn(state) == Turn::Over {
            let payoff = self.game.payoff(state, Player(0));
            return (payoff, payoff);
        }
        let (low, high) = bounds(self.game, state);
        if low == high {
            return (low, high);
        }
        let place = self.memory.place(self.game, state);
        if let Some(id) = self.memory.value(place, self.total) {
            let value = self.memory.values.get(id).value;
            return (value, value);
        }
        let [first, second] = [0, 1].map(|side| self.memory.forced(place, side, self.total));
        (low.max(first[0]), high.min(second[1]))
    }

    /// The value of a joint move, given bounds on it.
    fn between(&mut self, state: &G::State, low: f64, high: f64) -> Answer<ValueId> {
        let least = self.force(state, 0, low, high)?.max(low);
        if least >= high {
            return Ok(self.memory.values.payoff(high));
        }
        let most = self.force(state, 1, least, high)?.min(high);
        if most <= least {
            return Ok(self.memory.values.payoff(least));
        }
        Ok(self.matrix_value(state)?.0)
    }

    fn mean_value(&mut self, state: &G::State) -> Answer<ValueId> {
        let mut outcomes = Vec::new();
        self.game.chance(state, &mut outcomes);
        let mut parts = Vec::with_capacity(outcomes.len());
        for (outcome, probability) in outcomes {
            let mut next = state.clone();
            self.game.apply(&mut next, &[outcome]);
            let id = self.value_id(&next)?;
            parts.push((probability, self.memory.values.get(id)));
        }
        Ok(self.memory.values.intern(GameValue::mean(&parts)))
    }

    fn best_value(&mut self, state: &G::State, mover: Player) -> Answer<ValueId> {
        let mut best: Option<ValueId> = None;
        for action in self.actions(state, mover) {
            let mut next = state.clone();
            self.game.apply(&mut next, &[action]);
            let id = self.value_id(&next)?;
            let order = |best| self.memory.values.get(id).compare(&self.memory.values.get(best));
            let better =
                best.is_none_or(|best| if mover == Player(0) { order(best).is_gt() } else { order(best).is_lt() });
            if better {
                best = Some(id);
            }
        }
        Ok(best.expect("a mover has a legal action"))
    }
}
