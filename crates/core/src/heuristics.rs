//! Evaluations of states and actions, and playout policies, by name.

use crate::{Game, Named, Player, Policy};

/// A game's evaluations and playout policies, by name.
///
/// A list may be empty: a game can offer policies but no evaluation. Every name that is listed can be opened.
pub trait Heuristics<G: Game>: Send + Sync {
    /// The names of the evaluations of states.
    fn evaluations(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The evaluation of states called `name`.
    fn evaluation(&self, _game: &G, _name: &str) -> Option<Box<dyn Evaluation<G>>> {
        None
    }

    /// The names of the playout policies, besides the uniform one that every game has.
    fn policies(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The playout policy called `name`.
    fn policy(&self, _game: &G, _name: &str) -> Option<Box<dyn Policy<G>>> {
        None
    }

    /// The policy that the literature uses for playouts of this game, if it is not the uniform one. Agents and
    /// benchmarks use it by default.
    fn customary_policy(&self, _game: &G) -> Option<&'static str> {
        None
    }

    /// The names of the evaluations of actions.
    fn action_evaluations(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The evaluation of actions called `name`.
    fn action_evaluation(&self, _game: &G, _name: &str) -> Option<Box<dyn ActionEvaluation<G>>> {
        None
    }
}

/// A heuristic evaluation of states: an estimate of what a player will get.
pub trait Evaluation<G: Game>: Send + Sync {
    /// The value of `state` for `player`, on the evaluation's own scale: greater is better, always finite.
    fn value(&self, game: &G, state: &G::State, player: Player) -> f64;

    /// The value of `state` for `player`, given the state `before` in which the last choice was made. It differs from
    /// [`value`](Evaluation::value) only in evaluations of what the last choice has changed.
    fn value_after(&self, game: &G, _before: &G::State, state: &G::State, player: Player) -> f64 {
        self.value(game, state, player)
    }

    /// Whether values are shares of the payoff range, from 0 (the least payoff) to 1 (the greatest): then a search uses
    /// them as they are, without a scale.
    fn is_share(&self) -> bool {
        false
    }

    /// Whether states in which chance acts next can be evaluated too.
    fn covers_chance(&self) -> bool {
        false
    }

    /// Evaluates the states that follow each of `actions` for `player`, and calls `visit` after each state.
    ///
    /// Actions are visited in order. If chance follows an action, its outcomes are visited by decreasing probability,
    /// ties in the game's order. `actions` must be legal in `state`, where one player chooses. Returns `false` without
    /// a visit if the game has no faster way than evaluating state by state. Values are those of
    /// [`value_after`](Evaluation::value_after) the choice in `state`.
    fn successors(
        &self,
        _game: &G,
        _state: &G::State,
        _actions: &[G::Action],
        _player: Player,
        _visit: &mut dyn FnMut(Successors<'_>) -> Visit,
    ) -> bool {
        false
    }
}

/// The successors of one action that [`Evaluation::successors`] has visited so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Successors<'a> {
    /// The index of the action in `actions`.
    pub action: usize,
    /// The states it can lead to, up to the one just visited.
    pub states: &'a [Successor],
    /// Whether these are all of them.
    pub complete: bool,
}

/// What [`Evaluation::successors`] should visit next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// The next state: of this action, or of the next action if this one has no more.
    NextState,
    /// The next action; skip the remaining states of this one.
    NextAction,
    /// Nothing: stop.
    Stop,
}

/// A state that an action can lead to, as visited by [`Evaluation::successors`].
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Successor {
    /// Its probability.
    pub probability: f64,
    /// The player's payoff if the match is over there, otherwise the evaluation's value.
    pub value: f64,
    /// Whether the match is over there.
    pub over: bool,
}

impl<G: Game, F: Fn(&G, &G::State, Player) -> f64 + Send + Sync> Evaluation<G> for F {
    fn value(&self, game: &G, state: &G::State, player: Player) -> f64 {
        self(game, state, player)
    }
}

/// A heuristic evaluation of single actions, without search.
pub trait ActionEvaluation<G: Game>: Send + Sync {
    /// Clears `out` and writes the value of each of `actions`, which are legal for `player`.
    ///
    /// Greater is better; values are always finite. The values of several actions may be added.
    fn values(&self, game: &G, state: &G::State, player: Player, actions: &[G::Action], out: &mut Vec<f64>);
}
