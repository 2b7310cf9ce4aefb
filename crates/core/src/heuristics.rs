//! Evaluations of states and actions, and playout policies, by name.

use crate::{Game, Named, Player, Policy};

/// A game's evaluations and playout policies, by name.
///
/// A list may be empty: a game can offer policies and no evaluation. A name that is listed can be opened.
pub trait Heuristics<G: Game>: Send + Sync {
    /// The evaluations of states on offer.
    fn evaluations(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The evaluation of states of that name.
    fn evaluation(&self, _game: &G, _name: &str) -> Option<Box<dyn Evaluation<G>>> {
        None
    }

    /// The playout policies on offer, beside the uniform one that every game has.
    fn policies(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The playout policy of that name.
    fn policy(&self, _game: &G, _name: &str) -> Option<Box<dyn Policy<G>>> {
        None
    }

    /// The name of the policy that the literature uses for playouts of this game, if it is not the uniform one.
    /// Agents and benches use it by default.
    fn customary_policy(&self, _game: &G) -> Option<&'static str> {
        None
    }

    /// The evaluations of actions on offer.
    fn action_evaluations(&self, _game: &G) -> &'static [Named] {
        &[]
    }

    /// The evaluation of actions of that name.
    fn action_evaluation(&self, _game: &G, _name: &str) -> Option<Box<dyn ActionEvaluation<G>>> {
        None
    }
}

/// An estimate of what a player will get.
pub trait Evaluation<G: Game>: Send + Sync {
    /// An estimate for `player`, on the scale of the evaluation itself: greater is better, finite always.
    fn value(&self, game: &G, state: &G::State, player: Player) -> f64;

    /// Tells `visit` what the states right behind each of `actions` are worth to `player`, action by action: where
    /// chance falls next, outcome by outcome, the likeliest first and equally likely ones in the game's order.
    /// `actions` are legal where one player chooses in `state`. `false`, and nothing visited: there is no faster way
    /// than state by state.
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

/// What [`Evaluation::successors`] has told of an action so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Successors<'a> {
    /// The place of the action among those asked for.
    pub action: usize,
    /// The states it can lead to, the last one being told just now.
    pub states: &'a [Successor],
    /// Are these all?
    pub complete: bool,
}

/// What to tell next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// The next state, of this action or, if it has no more, of the next.
    NextState,
    /// The next action: no more of this one.
    NextAction,
    /// Nothing.
    Stop,
}

/// A state that an action can lead to, as [`Evaluation::successors`] tells.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Successor {
    /// How likely it is.
    pub probability: f64,
    /// The player's payoff if the match is over there, else the evaluation's value.
    pub value: f64,
    /// Is the match over there?
    pub over: bool,
}

impl<G: Game, F: Fn(&G, &G::State, Player) -> f64 + Send + Sync> Evaluation<G> for F {
    fn value(&self, game: &G, state: &G::State, player: Player) -> f64 {
        self(game, state, player)
    }
}

/// A judgement of single actions, without looking further.
pub trait ActionEvaluation<G: Game>: Send + Sync {
    /// Writes the value of each of `actions`, legal actions of `player`, into `out`, which is cleared first: as many
    /// as there are actions, greater is better, finite always. A value belongs to its action and may be added to that
    /// of another.
    fn values(&self, game: &G, state: &G::State, player: Player, actions: &[G::Action], out: &mut Vec<f64>);
}
