//! Experiments are data: a TOML file names games, agents, budget, pairs and seed, and what was published about them.
//!
//! The smallest file:
//! ```toml
//! title = "UCT against flat Monte Carlo"
//! games = ["tic-tac-toe"]
//! agents = ["uct", "mc"]
//! seed = 1
//! pairs = 100
//! budget = { playouts = 200 }
//! ```
//! All agents meet all others in all games. `docs/experiments.md` describes every key.

mod written;
mod file;
mod schedule;
mod series;
mod write;

pub use file::{agents_named, read_experiment};
pub use schedule::{Measurement, Pairing, Unit};

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::identity::game_hash;
use crate::statistics::SprtSettings;
use crate::{AnyGame, Budget, InputError};

/// The greatest number of pairs in one pairing; more are taken to be a typing error.
const MOST_PAIRS: u64 = 10_000_000;

/// An experiment, read and checked: every game is open and every agent can play.
///
/// ```
/// use tesuji_arena::experiment::{Scale, read_experiment};
/// use tesuji_arena::Source;
///
/// let text = r#"
///     title = "UCT against flat Monte Carlo"
///     games = ["tic-tac-toe", "pig(20)"]
///     agents = ["uct", "mc", "random"]
///     seed = 1
///     pairs = 100
///     budget = { playouts = 200 }
/// "#;
/// let experiment = read_experiment(&tesuji_standard::catalogue(), &Source::new("small.toml", text), Scale::Full)?;
/// assert_eq!(experiment.pairings, [[0, 1], [0, 2], [1, 2]]);
/// assert_eq!(experiment.games[1].game.spec().players.len(), 2);
/// # Ok::<(), tesuji_arena::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What it is, in a line.
    pub title: String,
    /// More about it.
    pub about: String,
    /// Which published table it repeats, such as `002/table3`.
    pub reproduces: Option<String>,
    /// The games.
    pub games: Vec<EnteredGame>,
    /// The agents.
    pub agents: Vec<Competitor>,
    /// Which agents meet, as indices into `agents`: two of them, or one for each player of the games.
    pub pairings: Vec<Vec<usize>>,
    /// Pairs of matches for each game and pairing; 0 where only root exploitability is measured.
    pub pairs: u64,
    /// Fixes everything random.
    pub seed: u64,
    /// Whether the n-th pairs of all pairings have the same seed, and so the same dice.
    pub shared_dice: bool,
    /// Whether agents keep the seats of their pairing: a round is then one match instead of one for each seating. For
    /// one-sided positions, where only one side has a goal.
    pub fixed_seats: bool,
    /// What a full run costs, in hours of one core, as far as it is known; `None` at other scales.
    pub core_hours: Option<f64>,
    /// What every agent may spend before the first step of a match, the start clock; `None`: nothing.
    pub start: Option<Budget>,
    /// The longest a decision may take before it forfeits; only agents with a time budget have one.
    pub overtime: Option<Duration>,
    /// Ends a pairing early when the question is settled.
    pub sprt: Option<EarlyStop>,
    /// Measures the exploitability of every agent's decision in the first state of every game.
    pub root_exploitability: Option<RootExploitability>,
    /// Measures the exploitability of every agent's strategy in every whole game.
    pub exploitability: Option<RootExploitability>,
    /// What was published.
    pub published: Vec<Published>,
    /// The scale it was read at.
    pub scale: Scale,
}

impl Experiment {
    /// The labels of the agents whose decisions depend on a clock, and so on the machine.
    pub fn time_budgets(&self) -> Vec<&str> {
        let infos = self.games.first().map_or(&[][..], |entered| entered.game.agents());
        let preset = |name: &str| {
            let info = infos.iter().find(|info| info.name == name);
            let time = info.and_then(|info| info.parameters.iter().find(|parameter| parameter.name == "time"));
            time.is_some_and(|parameter| parameter.default.as_deref().is_some_and(|default| !default.is_empty()))
        };
        let timed = |agent: &&Competitor| {
            let address = &agent.name.address;
            let name = address.split('(').next().unwrap_or(address);
            agent.budget.time.is_some() || address.replace(' ', "").contains("time=") || preset(name.trim())
        };
        let start = self.start.is_some_and(|start| start.time.is_some());
        self.agents.iter().filter(|agent| start || timed(agent)).map(|agent| agent.name.label.as_str()).collect()
    }
}

/// How exploitability is measured, in the first state or in whole games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RootExploitability {
    /// Playouts a decision, a figure for each.
    pub playouts: Vec<u64>,
    /// In the first state: decisions for each figure and player. In whole games: searches for each state and player.
    pub repeats: u64,
}

/// A sequential test that ends a pairing early.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EarlyStop {
    /// The hypotheses and error rates.
    pub settings: SprtSettings,
    /// What counts as one observation.
    pub model: StopModel,
}

/// What counts as one observation of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopModel {
    /// Single matches, taken to be independent.
    Trinomial,
    /// Pairs of matches.
    #[default]
    Pentanomial,
}

/// How large an experiment is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// About a minute.
    Quick,
    /// As published.
    Full,
}

/// An address under the name that tables show.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Labelled {
    /// The name in tables; the address itself unless the file gives one.
    pub label: String,
    /// What opens it.
    pub address: String,
}

/// A game of an experiment, opened once for everything that is done with it.
#[derive(Clone, Debug, Serialize)]
pub struct EnteredGame {
    /// The name in tables; the address itself unless the file gives one.
    pub label: String,
    /// What opens it.
    pub address: String,
    /// The game.
    #[serde(skip)]
    pub game: Arc<dyn AnyGame>,
    /// The hash of its content, computed when it is first asked for.
    #[serde(skip)]
    hash: OnceLock<String>,
}

impl EnteredGame {
    /// An opened game under a label; `address` opens it again.
    pub fn new(label: String, address: String, game: Arc<dyn AnyGame>) -> EnteredGame {
        EnteredGame { label, address, game, hash: OnceLock::new() }
    }

    /// The hash of the game's content.
    pub(crate) fn content_hash(&self) -> Result<&str, InputError> {
        if let Some(hash) = self.hash.get() {
            return Ok(hash);
        }
        let hash = game_hash(self.game.as_ref())?;
        Ok(self.hash.get_or_init(|| hash))
    }
}

/// An agent with its budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Competitor {
    /// Name and address.
    pub name: Labelled,
    /// What a decision may cost.
    pub budget: Budget,
}

/// A published result of one pairing in one game, from the first agent's view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Published {
    /// The label of the game.
    pub game: String,
    /// The label of the first agent.
    pub first: String,
    /// The label of the second agent.
    pub second: String,
    /// Wins plus half the draws, per match.
    pub win_rate: f64,
    /// Matches played; `None` if not known.
    #[serde(rename = "games")]
    pub matches: Option<u64>,
    /// Wins, draws and losses, where they are known.
    pub counts: Option<[u64; 3]>,
    /// Where it stands, or what is uncertain about it.
    pub note: String,
}
