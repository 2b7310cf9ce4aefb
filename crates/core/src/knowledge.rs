//! What a game knows about good play and about itself in numbers, offered to search and learners as optional
//! capabilities.

use std::fmt;

use crate::{
    ActionFeatures, ActionIndex, Attacks, Clock, Game, Heuristics, Observation, Perception, SolverHints, Tactics,
    ValueFeatures,
};

/// A name and the sentence that explains it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name as users write it.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
}

bitflags::bitflags! {
    /// The kinds of knowledge that a game may offer and an agent may need.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Capabilities: u16 {
        /// [`Knowledge::heuristics`].
        const HEURISTICS = 1;
        /// [`Knowledge::attacks`].
        const ATTACKS = 1 << 1;
        /// [`Knowledge::tactics`].
        const TACTICS = 1 << 2;
        /// [`Knowledge::clock`].
        const CLOCK = 1 << 3;
        /// [`Knowledge::solver_hints`].
        const SOLVER_HINTS = 1 << 4;
        /// [`Knowledge::action_features`].
        const ACTION_FEATURES = 1 << 5;
        /// [`Knowledge::value_features`].
        const VALUE_FEATURES = 1 << 6;
        /// [`Knowledge::action_index`].
        const ACTION_INDEX = 1 << 7;
        /// [`Knowledge::observation`].
        const OBSERVATION = 1 << 8;
        /// [`Knowledge::perception`].
        const PERCEPTION = 1 << 9;
        /// What programs need that know a game by numbers: [`Knowledge::action_index`] and
        /// [`Knowledge::observation`].
        const NUMBERS = Self::ACTION_INDEX.bits() | Self::OBSERVATION.bits();
    }
}

impl Capabilities {
    /// The capabilities that `game` offers.
    pub fn of<G: Knowledge>(game: &G) -> Capabilities {
        let offered = [
            (Capabilities::HEURISTICS, game.heuristics().is_some()),
            (Capabilities::ATTACKS, game.attacks().is_some()),
            (Capabilities::TACTICS, game.tactics().is_some()),
            (Capabilities::CLOCK, game.clock().is_some()),
            (Capabilities::SOLVER_HINTS, game.solver_hints().is_some()),
            (Capabilities::ACTION_FEATURES, game.action_features().is_some()),
            (Capabilities::VALUE_FEATURES, game.value_features().is_some()),
            (Capabilities::ACTION_INDEX, game.action_index().is_some()),
            (Capabilities::OBSERVATION, game.observation().is_some()),
            (Capabilities::PERCEPTION, game.perception().is_some()),
        ];
        offered.into_iter().filter(|(_, offers)| *offers).map(|(capability, _)| capability).collect()
    }

    /// The names of the capabilities in the set, in a fixed order: the names of the methods of [`Knowledge`].
    pub fn names(self) -> Vec<&'static str> {
        const NAMES: [(Capabilities, &str); 10] = [
            (Capabilities::HEURISTICS, "heuristics"),
            (Capabilities::ATTACKS, "attacks"),
            (Capabilities::TACTICS, "tactics"),
            (Capabilities::CLOCK, "clock"),
            (Capabilities::SOLVER_HINTS, "solver_hints"),
            (Capabilities::ACTION_FEATURES, "action_features"),
            (Capabilities::VALUE_FEATURES, "value_features"),
            (Capabilities::ACTION_INDEX, "action_index"),
            (Capabilities::OBSERVATION, "observation"),
            (Capabilities::PERCEPTION, "perception"),
        ];
        NAMES.iter().filter(|(capability, _)| self.contains(*capability)).map(|(_, name)| *name).collect()
    }
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(", "))
    }
}

/// What a game knows about good play, as optional capabilities that search can use.
///
/// Ideas made for one game reach general agents this way. A capability is an object without state of its own; its
/// methods take the game as an argument. When an agent is built, it takes the capabilities it needs, or refuses the
/// game.
///
/// ```
/// use tesuji_core::{Capabilities, Knowledge};
/// # use tesuji_core::{Game, Player, Spec, Turn};
/// # struct MyGame(Spec);
/// # impl Game for MyGame {
/// #     type State = u8;
/// #     type Action = u8;
/// #     fn spec(&self) -> &Spec { &self.0 }
/// #     fn start(&self) -> u8 { 0 }
/// #     fn turn(&self, _: &u8) -> Turn { Turn::Over }
/// #     fn legal(&self, _: &u8, _: Player, _: &mut Vec<u8>) {}
/// #     fn apply(&self, _: &mut u8, _: &[u8]) {}
/// #     fn payoff(&self, _: &u8, _: Player) -> f64 { 0.0 }
/// # }
/// use tesuji_core::{Evaluation, Heuristics, Named};
///
/// struct MyHeuristics;
///
/// impl Heuristics<MyGame> for MyHeuristics {
///     fn evaluations(&self, _: &MyGame) -> &'static [Named] {
///         &[Named { name: "material", summary: "own pieces less the other side's" }]
///     }
///
///     fn evaluation(&self, _: &MyGame, name: &str) -> Option<Box<dyn Evaluation<MyGame>>> {
///         let material = |_: &MyGame, state: &u8, _: Player| f64::from(*state);
///         (name == "material").then(|| Box::new(material) as Box<dyn Evaluation<MyGame>>)
///     }
/// }
///
/// impl Knowledge for MyGame {
///     const OFFERS: Capabilities = Capabilities::HEURISTICS;
///
///     fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
///         Some(&MyHeuristics)
///     }
/// }
///
/// // A game that knows nothing of good play: `impl Knowledge for MyGame {}`.
/// ```
pub trait Knowledge: Game + Sized {
    /// The capabilities that games of this type may offer; a single game may offer fewer. Agents that need others are
    /// not compiled for the type, so a capability outside this set is never used.
    const OFFERS: Capabilities = Capabilities::empty();

    /// Evaluations and playout policies.
    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        None
    }

    /// Which actions are attacks. A game that offers [`tactics`](Knowledge::tactics) must offer this too.
    fn attacks(&self) -> Option<&'static dyn Attacks<Self>> {
        self.tactics().map(|tactics| tactics as &'static dyn Attacks<Self>)
    }

    /// Tactics for turns of many actions.
    fn tactics(&self) -> Option<&'static dyn Tactics<Self>> {
        None
    }

    /// A step counter that solvers may ignore.
    fn clock(&self) -> Option<&'static dyn Clock<Self>> {
        None
    }

    /// Hints for exact solvers.
    fn solver_hints(&self) -> Option<&'static dyn SolverHints<Self>> {
        None
    }

    /// Features of actions.
    fn action_features(&self) -> Option<&'static dyn ActionFeatures<Self>> {
        None
    }

    /// Sparse features of states, for learned evaluations.
    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        None
    }

    /// Numbers of actions. Every game of the standard catalogue has them, except rule sheets on the interpreter.
    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        None
    }

    /// Observations of players. A game that numbers its actions offers them too.
    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        None
    }

    /// What players perceive. Offered exactly by games with [`Features::HIDDEN`](crate::Features::HIDDEN).
    fn perception(&self) -> Option<&'static dyn Perception<Self>> {
        None
    }
}
