//! Exact values of games in which one player acts at a time, with or without chance: the reference for agents.
//!
//! The reachable states are found (`explore`) and stored once (`graph`), and their strongly connected components are
//! found (`components`). Values are computed backwards from the ends, component by component (`values`): directly where
//! play cannot return to a state, by interval iteration where it can. Interval iteration moves a lower and an upper
//! bound of each value together. One starts by counting endless play as the least payoff of the first player, the other
//! as the greatest, so the difference at the end bounds the error (Haddad and Monmege, "Interval iteration algorithm
//! for MDPs and IMDPs", 2018). If play can continue forever and its result matters, the bounds do not meet. The values
//! are then those with a draw after enough steps that more would change nothing.
//!
//! This covers two players whose payoffs have a constant sum, and games for one player. Other games are solved by
//! backward induction (each player maximises its own payoff; ties go to the first action) if play cannot return to a
//! state.
//!
//! Rules that count steps only to end every match would make each position a different state at each step. Such
//! counters are reset ([`Clock`](tesuji_core::Clock)), and the game is solved without that limit.

mod components;
mod explore;
mod fraction;
mod graph;
#[cfg(test)]
mod tests;
mod values;

use tesuji_core::{ErrorKind, Features, InputError, Knowledge, Player, Spec, Turn};

use components::{Component, components};
use explore::Explored;
use graph::Graph;
use values::Values;

pub use fraction::Fraction;

/// A solved game: the values of all states reachable from the start.
///
/// ```
/// use tesuji_core::Game;
/// use tesuji_core::tiny_games::Nim;
/// use tesuji_solve::Solved;
///
/// let game = Nim::new(7);
/// let solved = Solved::new(&game, &game.start(), 1_000, 1e-9)?;
/// // The first player wins by taking three of seven.
/// let (action, value) = solved.best(&game, &game.start()).unwrap();
/// assert_eq!((action, value.value), (3, 1.0));
/// # Ok::<(), tesuji_core::InputError>(())
/// ```
pub struct Solved<G: Knowledge> {
    explored: Explored<G>,
    values: Values,
    /// Whether a step counter was ignored.
    pub clock_left_out: bool,
    /// Whether play can return to a state.
    pub has_cycles: bool,
    /// Whether the value of endless play matters. It then counts as a draw, and errors hold under that rule.
    pub endless: bool,
}

/// The value of a state: the player's payoff under optimal play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// The value.
    pub value: f64,
    /// The greatest error, apart from rounding.
    pub error: f64,
}

impl<G: Knowledge> Solved<G> {
    /// Solves `game` from `start`. Refuses games with more than `most_states` states, and those the module does not
    /// cover.
    pub fn new(game: &G, start: &G::State, most_states: u64, tolerance: f64) -> Result<Solved<G>, InputError> {
        let spec = game.spec();
        if spec.features.contains(Features::SIMULTANEOUS) {
            return Err(refused(&format!("players of `{}` act at once, which this solver cannot do", spec.name)));
        }
        let explored = Explored::new(game, start, most_states)?;
        let order = components(&explored.graph);
        let has_cycles = order.iter().any(|component| component.is_circle);
        let values = compute(spec, &explored.graph, &order, tolerance)?;
        let (clock_left_out, endless) = (explored.clock_left_out, values.endless);
        Ok(Solved { explored, values, clock_left_out, has_cycles, endless })
    }

    /// The number of stored states: those where a player chooses.
    pub fn states(&self) -> u64 {
        self.explored.graph.len() as u64
    }

    /// The value of `state` for `player`; `None` if it is not reachable from the start.
    pub fn value(&self, game: &G, state: &G::State, player: Player) -> Option<Value> {
        let distribution = self.explored.distribution(game, state)?;
        Some(self.on_payoff_scale(game, player, |dimension| self.values.mean(&distribution, dimension)))
    }

    /// The mover's actions in `state` with their values for the mover, in the game's order; empty where nobody chooses.
    pub fn actions(&self, game: &G, state: &G::State) -> Option<Vec<(G::Action, Value)>> {
        let Turn::Player(mover) = game.turn(state) else { return Some(Vec::new()) };
        let mut legal = Vec::new();
        game.legal(state, mover, &mut legal);
        let worth = |action: G::Action| {
            let mut next = state.clone();
            game.apply(&mut next, &[action]);
            Some((action, self.value(game, &next, mover)?))
        };
        legal.into_iter().map(worth).collect()
    }

    /// The best of [`actions`](Solved::actions); ties go to the first.
    pub fn best(&self, game: &G, state: &G::State) -> Option<(G::Action, Value)> {
        let actions = self.actions(game, state)?;
        // Differences within rounding do not count.
        let better = |one: &Value, two: &Value| one.value > two.value + 1e-12;
        actions.into_iter().reduce(|best, other| if better(&other.1, &best.1) { other } else { best })
    }

    /// The value of `state` for `player` as a fraction: available if play cannot return to a state, payoffs and
    /// probabilities are simple fractions, and the numbers fit 128 bits.
    pub fn fraction(&self, game: &G, state: &G::State, player: Player) -> Option<Fraction> {
        if self.has_cycles {
            return None;
        }
        let distribution = self.explored.distribution(game, state)?;
        fraction::value(&self.explored.graph, distribution, player, game.spec().payoffs)
    }

    /// The value of a player, from the bounds of the dimensions.
    fn on_payoff_scale(&self, game: &G, player: Player, mean: impl Fn(usize) -> (f64, f64)) -> Value {
        let spec = game.spec();
        let (low, high) = self.values.of_player(player, mean);
        let error = (high - low) / 2.0 * (spec.payoffs.1 - spec.payoffs.0);
        Value { value: spec.denormalise(f64::midpoint(low, high)), error }
    }
}

/// The values of all states, by the method that fits the game.
fn compute(spec: &Spec, graph: &Graph, order: &[Component], tolerance: f64) -> Result<Values, InputError> {
    let has_cycles = order.iter().any(|component| component.is_circle);
    let scalar = spec.players.len() == 1 || spec.players.len() == 2 && !spec.features.contains(Features::GENERAL_SUM);
    if scalar {
        Ok(values::bounded(graph, order, tolerance))
    } else if !has_cycles {
        Ok(values::inducted(graph, order))
    } else {
        let message = "can go in circles, and payoffs do not add up to a constant: no value is defined";
        Err(refused(&format!("play of `{}` {message}", spec.name)))
    }
}

fn refused(message: &str) -> InputError {
    InputError::new(message).of_kind(ErrorKind::Refused)
}
