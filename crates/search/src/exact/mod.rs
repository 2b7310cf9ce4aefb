//! Exact values of games in which one player acts at a time, with or without chance: the truth that agents are held to.
//!
//! The states that play can reach are written down once (`graph`), those that can come back to themselves are found
//! (`components`), and values are computed from the ends backwards, component by component: at once where play cannot go in
//! circles, by interval iteration where it can (`values`). Interval iteration pushes a lower and an upper bound of
//! each value together: one begins with endless play as the least the first player can get, the other as the greatest, so
//! what lies between them at the end is all that can be off (Haddad and Monmege, "Interval iteration algorithm for MDPs
//! and IMDPs", 2018). Where play can go on for ever and it matters who is taken to win then, the bounds stay apart; values
//! are then those with a draw after so many steps that more would change nothing.
//!
//! Covers two players whose payoffs add up to a constant, and games for one. Other games are solved by backward induction
//! (each takes what is best for itself, of equal ones the first) if play cannot go in circles.
//!
//! Rules that count steps only so that every match ends would make each position a different state at each step; such
//! counts are set back ([`Clock`](tesuji_core::Clock)), and what is solved is the game without that limit.

mod components;
mod fraction;
mod graph;
#[cfg(test)]
mod tests;
mod values;

use tesuji_core::{Features, InputError, Knowledge, Player, Turn};

use components::components;
use graph::Graph;

pub use fraction::Fraction;

/// A solved game: values of every state that play from the first can reach.
///
/// ```
#[doc = include_str!("../../doc/nim.txt")]
/// use tesuji_search::Solved;
///
/// let game = Nim::new();
/// let solved = Solved::new(&game, &game.start(), 1_000, 1e-9)?;
/// // The first player wins by taking three of seven.
/// let (action, value) = solved.best(&game, &game.start()).unwrap();
/// assert_eq!((action, value.value), (3, 1.0));
/// # Ok::<(), tesuji_core::InputError>(())
/// ```
pub struct Solved<G: Knowledge> {
    graph: Graph<G>,
    values: values::Values,
    /// Was a count of steps left out?
    pub clock_left_out: bool,
    /// Can play come back to a state it left?
    pub has_cycles: bool,
    /// Does it matter what endless play is worth? It counts as a draw then, and errors hold under that rule.
    pub endless: bool,
}

/// The value of a state: what the player gets under best play, on the scale of payoffs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// The value.
    pub value: f64,
    /// It is this far off at most, but for rounding.
    pub error: f64,
}

impl<G: Knowledge> Solved<G> {
    /// Solves `game` from `start`. Refuses a game of more than `most_states` states, and what the module does not cover.
    pub fn new(game: &G, start: &G::State, most_states: u64, tolerance: f64) -> Result<Solved<G>, InputError> {
        let spec = game.spec();
        if spec.features.contains(Features::SIMULTANEOUS) {
            return Err(InputError::new(format!(
                "players of `{}` act at once, which this solver cannot do",
                spec.name
            )));
        }
        let graph = Graph::explore(game, start, most_states)?;
        let order = components(&graph);
        let has_cycles = order.iter().any(|component| component.is_circle);
        let scalar =
            spec.players.len() == 1 || spec.players.len() == 2 && !spec.features.contains(Features::GENERAL_SUM);
        let values = if scalar {
            values::bounded(&graph, &order, tolerance)
        } else if !has_cycles {
            values::inducted(&graph, &order)
        } else {
            return Err(InputError::new(format!(
                "play of `{}` can go in circles, and payoffs do not add up to a constant: no value is defined",
                spec.name
            )));
        };
        let (clock_left_out, endless) = (graph.clock_left_out, values.endless);
        Ok(Solved { graph, values, clock_left_out, has_cycles, endless })
    }

    /// States held: those where a player chooses.
    pub fn states(&self) -> u64 {
        self.graph.len() as u64
    }

    /// What `player` gets from `state` on; `None` if play from the first state does not come there.
    pub fn value(&self, game: &G, state: &G::State, player: Player) -> Option<Value> {
        let distribution = self.graph.distribution(game, state)?;
        Some(self.on_payoff_scale(game, player, |dimension| self.values.mean(&distribution, dimension)))
    }

    /// The mover's actions in `state` with what each is worth to the mover, in the game's order; empty where nobody chooses.
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

    /// The best of [`actions`](Solved::actions); of equal ones the first.
    pub fn best(&self, game: &G, state: &G::State) -> Option<(G::Action, Value)> {
        let actions = self.actions(game, state)?;
        // A difference within rounding is none.
        let better = |one: &Value, two: &Value| one.value > two.value + 1e-12;
        actions.into_iter().reduce(|best, other| if better(&other.1, &best.1) { other } else { best })
    }

    /// The value of `state` for `player` as a fraction: where play cannot go in circles, payoffs and probabilities are
    /// plainly fractions, and the numbers do not outgrow 128 bits.
    pub fn fraction(&self, game: &G, state: &G::State, player: Player) -> Option<Fraction> {
        if self.has_cycles {
            return None;
        }
        fraction::value(&self.graph, game, state, player)
    }

    /// The value of a player from what is known of the dimensions.
    fn on_payoff_scale(&self, game: &G, player: Player, mean: impl Fn(usize) -> (f64, f64)) -> Value {
        let spec = game.spec();
        let (low, high) = self.values.of_player(player, mean);
        let error = (high - low) / 2.0 * (spec.payoffs.1 - spec.payoffs.0);
        Value { value: spec.denormalise(f64::midpoint(low, high)), error }
    }
}
