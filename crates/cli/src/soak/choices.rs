//! Random games and agents whose results depend on nothing but the seed.

use tesuji_arena::{AgentInfo, AnyGame, Catalogue, Rng, Trust};

/// Agents that remember nothing between decisions, so that a resumed match continues as it would have.
const FORGETFUL: [&str; 2] = ["mc", "random"];
/// Fails on purpose.
const FAULTY: &str = "faulty";
/// Limits a decision by the clock.
const TIME: &str = "time";

/// One of `items`.
pub(super) fn one<'a, T>(rng: &mut Rng, items: &'a [T]) -> Option<&'a T> {
    (!items.is_empty()).then(|| &items[rng.below(items.len())])
}

/// A number from `least` to `most`.
pub(super) fn between(rng: &mut Rng, least: usize, most: usize) -> usize {
    least + rng.below(most - least + 1)
}

/// The default games: the first examples of all games that open without files.
pub(crate) fn examples(catalogue: &Catalogue) -> Vec<String> {
    catalogue.games().iter().flat_map(|info| info.examples).map(|&example| example.to_owned()).collect()
}

/// The agents that can play a game, stay inside the program and give equal decisions for equal seeds.
pub(super) fn repeatable_agents(game: &dyn AnyGame) -> Vec<&'static str> {
    let repeatable = |info: &AgentInfo| {
        let timed = |parameter: &tesuji_arena::ParameterInfo| {
            parameter.name == TIME && parameter.default.as_deref().is_some_and(|default| !default.is_empty())
        };
        info.trust == Trust::Contained && info.name != FAULTY && !info.parameters.iter().any(timed)
    };
    game.able_agents().iter().filter(|info| repeatable(info)).map(|info| info.name).collect()
}

/// An agent that plays a game and remembers nothing between decisions.
pub(super) fn forgetful_agent(game: &dyn AnyGame) -> Option<&'static str> {
    FORGETFUL.into_iter().find(|agent| game.check_agent(agent).is_ok())
}
