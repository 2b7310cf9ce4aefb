//! Limits that ended searches although nobody asked for them: a default budget, a preset's own, or a setting.

use std::fmt;

use serde_json::{Value, json};
use tesuji_arena::experiment::Experiment;
use tesuji_arena::{Address, Budget, Catalogue, EndedBy, Limit};

/// A limit that ended searches of an agent, and where it comes from.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct UnaskedLimit {
    /// The agent's label.
    agent: String,
    /// The limit.
    limit: String,
    /// The number of searches that it ended.
    searches: u64,
    /// Where it comes from.
    origin: Origin,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// The default of `--budget`.
    Default,
    /// The preset's own budget.
    Preset,
    /// Other parameters of the agent.
    Settings,
    /// The budget of an experiment's seats, where the agent's own address asks for a depth.
    Seats,
}

/// Where the budget of the seats comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seats {
    /// The user gave none.
    Default,
    /// The user gave it with the command.
    Command,
    /// An experiment has it, for all agents alike.
    Experiment,
}

impl UnaskedLimit {
    pub(crate) fn json(&self) -> Value {
        let origin = match self.origin {
            Origin::Default => "default",
            Origin::Preset => "preset",
            Origin::Settings => "settings",
            Origin::Seats => "seats",
        };
        json!({ "agent": self.agent, "limit": self.limit, "searches": self.searches, "origin": origin })
    }
}

impl fmt::Display for UnaskedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnaskedLimit { agent, limit, searches, origin } = self;
        let name = agent.split('(').next().unwrap_or(agent);
        match origin {
            Origin::Default => {
                write!(f, "{agent}: {searches} searches ended by the default of {limit}; `--budget` sets another")
            }
            Origin::Preset => write!(
                f,
                "{agent}: {searches} searches ended by its own {limit}; `{name}(time=…)` or `{name}(playouts=…)` sets \
                 another budget"
            ),
            Origin::Settings => write!(f, "{agent}: {searches} searches ended by its own {limit}"),
            Origin::Seats => write!(
                f,
                "{agent}: {searches} searches ended by the experiment's {limit} before the agent's own depth; \
                 `{name}(playouts=…)` sets a budget of its own"
            ),
        }
    }
}

/// The limits that neither an agent's address nor, if the user gave one, the budget of the seats asks for.
pub(crate) fn unasked(
    catalogue: &Catalogue,
    experiment: &Experiment,
    limits: &[EndedBy],
    seats: Seats,
) -> Vec<UnaskedLimit> {
    let unasked = limits.iter().filter_map(|&EndedBy { agent, limit, searches }| {
        let name = &experiment.agents[agent].name;
        let address: Address = name.address.parse().ok()?;
        let preset = catalogue.agent(&address.name).is_ok_and(|info| info.sets_budget());
        let origin = origin(&address, preset, limit, seats)?;
        Some(UnaskedLimit { agent: name.label.clone(), limit: limit.to_string(), searches, origin })
    });
    unasked.collect()
}

/// Where a limit comes from; `None` if the user asked for it.
fn origin(address: &Address, preset: bool, limit: Limit, seats: Seats) -> Option<Origin> {
    let named = |wanted: &dyn Fn(&str) -> bool| {
        // The budget is the first of all parameters, so a value without a key is one.
        address.arguments.iter().any(|(key, _)| wanted(key.as_deref().unwrap_or(Budget::KEYS[0])))
    };
    match limit {
        Limit::Settings(names) => (!named(&|key| names.contains(key))).then_some(Origin::Settings),
        _ if named(&|key| Budget::KEYS.contains(&key)) => None,
        _ if preset => Some(Origin::Preset),
        _ if seats == Seats::Default => Some(Origin::Default),
        Limit::Playouts(_) if seats == Seats::Experiment && named(&|key| key == "depth") => Some(Origin::Seats),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_unasked_unless_the_address_or_the_seat_names_it() {
        let origin = |address: &str, preset, limit, seats| origin(&address.parse().unwrap(), preset, limit, seats);
        let playouts = Limit::Playouts(1000);
        assert_eq!(origin("expectimax(depth=5)", false, playouts, Seats::Default), Some(Origin::Default));
        assert_eq!(origin("expectimax(depth=5)", false, playouts, Seats::Command), None);
        assert_eq!(origin("expectimax(depth=5)", false, playouts, Seats::Experiment), Some(Origin::Seats));
        assert_eq!(origin("expectimax(depth=5,playouts=9)", false, playouts, Seats::Experiment), None);
        assert_eq!(origin("expectimax", false, playouts, Seats::Experiment), None);
        assert_eq!(origin("expectimax(1000)", false, playouts, Seats::Default), None);
        assert_eq!(origin("turn-uct-pw", true, playouts, Seats::Command), Some(Origin::Preset));
        assert_eq!(origin("turn-uct-pw(time=200ms)", true, playouts, Seats::Default), None);
        let own = Limit::Settings("samples and simulations");
        assert_eq!(origin("dlmc-halving(time=1s)", true, own, Seats::Command), Some(Origin::Settings));
        assert_eq!(origin("dlmc(samples=9)", false, own, Seats::Command), None);
    }
}
