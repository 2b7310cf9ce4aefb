//! The agent kind `self-taught`: learns the game on the start clock, and looks ahead.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use super::parameters::{BUDGET, budget, joined};
use super::requirements::lacks;
use super::uct::MOST_THREADS;
use crate::{Agent, Expectimax, Pruning, SelfTaught};

/// The kind `self-taught`.
pub struct SelfTaughtKind;

impl AgentKind for SelfTaughtKind {
    const NAME: &'static str = "self-taught";
    const SUMMARY: &'static str = "Trains a network by self-play on the start clock, and looks ahead with it";
    // Not more than two players with a constant sum, and no joint moves, whose look-ahead is another.
    const HANDLES: Features = Features::CHANCE.union(Features::MULTI_ACTION);
    const NEEDS: Capabilities = Capabilities::VALUE_FEATURES;
    const PARAMETERS: &'static [Parameter] = &joined::<9>(&[
        &BUDGET,
        &[
            Parameter::new("hidden", "64", "units of the network's first layer: a multiple of 32, at most 256"),
            Parameter::new("rate", "0.002", "the learning rate at the beginning; it falls to a twentieth"),
            Parameter::new("lambda", "0.7", "how much of a target comes from later in the match (λ), 0 to 1"),
            Parameter::new("round", "16", "matches of self-play between changes of the network"),
            Parameter::new("table", "262144", "entries of the transposition table, up to 16777216; 0: none"),
            Parameter::new("threads", "1", "threads of self-play; they do not change what is learned from a match"),
        ],
    ]);

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(self_taught(arguments, game)?))
    }
}

/// The agent with these arguments.
pub(super) fn self_taught<G: Knowledge>(arguments: &Arguments, game: &G) -> Result<SelfTaught<G>, InputError> {
    if game.value_features().is_none() {
        return Err(lacks(arguments, game.spec(), "features to learn from", Capabilities::VALUE_FEATURES));
    }
    let search = Expectimax {
        evaluation: None,
        scale: 1.0,
        depth: 999,
        pruning: Pruning::Star2,
        table: arguments.integer("table", 0..=1 << 24)? as usize,
        budget: budget(arguments)?,
        remembered: Default::default(),
    };
    let mut settings = tesuji_learn::Settings {
        hidden: arguments.integer("hidden", 32..=256)? as usize,
        rate: arguments.number("rate", 1e-7..=1.0)?,
        round: arguments.integer("round", 1..=100_000)? as usize,
        ..tesuji_learn::Settings::default()
    };
    settings.exploration.lambda = arguments.number("lambda", 0.0..=1.0)?;
    SelfTaught::new(search, settings, arguments.integer("threads", 1..=MOST_THREADS)? as usize, game)
}
