//! An experiment as the text of a TOML file.

use std::time::Duration;

use serde::Serialize;

use super::{Competitor, EarlyStop, EnteredGame, Experiment, Published, RootExploitability, StopModel};
use crate::statistics::EloScale;
use crate::{Budget, InputError};

#[derive(Serialize)]
struct File<'a> {
    title: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    about: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduces: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairings: Vec<Vec<&'a str>>,
    seed: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shared_dice: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    fixed_seats: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    core_hours: Option<f64>,
    pairs: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    overtime: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<WrittenBudget>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<WrittenSprt>,
    #[serde(rename = "root-exploitability", skip_serializing_if = "Option::is_none")]
    root_exploitability: Option<&'a RootExploitability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exploitability: Option<&'a RootExploitability>,
    games: Vec<WrittenGame<'a>>,
    agents: Vec<WrittenAgent<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    published: Vec<WrittenResult<'a>>,
}

#[derive(Serialize)]
struct WrittenGame<'a> {
    address: &'a str,
    label: &'a str,
}

#[derive(Serialize)]
struct WrittenAgent<'a> {
    address: &'a str,
    label: &'a str,
    budget: WrittenBudget,
}

#[derive(Serialize)]
struct WrittenBudget {
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
}

#[derive(Serialize)]
struct WrittenSprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: StopModel,
    normalised: bool,
}

#[derive(Serialize)]
struct WrittenResult<'a> {
    game: &'a str,
    first: &'a str,
    second: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draws: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    losses: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

impl Experiment {
    /// The experiment as the text of a file that [`read_experiment`](super::read_experiment) reads.
    ///
    /// The file holds the experiment at the scale it was read at.
    pub fn to_toml(&self) -> Result<String, InputError> {
        let label = |&agent: &usize| self.agents[agent].name.label.as_str();
        let file = File {
            title: &self.title,
            about: &self.about,
            reproduces: self.reproduces.as_deref(),
            pairings: self.pairings.iter().map(|agents| agents.iter().map(label).collect()).collect(),
            seed: self.seed,
            shared_dice: self.shared_dice,
            fixed_seats: self.fixed_seats,
            core_hours: self.core_hours,
            pairs: self.pairs,
            overtime: self.overtime.map(time),
            start: self.start.map(WrittenBudget::of),
            sprt: self.sprt.map(WrittenSprt::of),
            root_exploitability: self.root_exploitability.as_ref(),
            exploitability: self.exploitability.as_ref(),
            games: self.games.iter().map(WrittenGame::of).collect(),
            agents: self.agents.iter().map(WrittenAgent::of).collect(),
            published: self.published.iter().map(WrittenResult::of).collect(),
        };
        toml::to_string(&file)
            .map_err(|error| InputError::new(format!("this experiment cannot be written as a file: {error}")))
    }
}

/// A time in the largest unit that writes it exactly.
fn time(time: Duration) -> String {
    match time.as_micros() {
        micros if micros % 1_000_000 == 0 => format!("{}s", micros / 1_000_000),
        micros if micros % 1_000 == 0 => format!("{}ms", micros / 1_000),
        micros => format!("{micros}us"),
    }
}

impl<'a> WrittenGame<'a> {
    fn of(game: &'a EnteredGame) -> WrittenGame<'a> {
        WrittenGame { address: &game.address, label: &game.label }
    }
}

impl<'a> WrittenAgent<'a> {
    fn of(agent: &'a Competitor) -> WrittenAgent<'a> {
        let Competitor { name, budget } = agent;
        WrittenAgent { address: &name.address, label: &name.label, budget: WrittenBudget::of(*budget) }
    }
}

impl WrittenBudget {
    fn of(budget: Budget) -> WrittenBudget {
        WrittenBudget { playouts: budget.playouts, nodes: budget.nodes, time: budget.time.map(time) }
    }
}

impl WrittenSprt {
    fn of(EarlyStop { settings, model }: EarlyStop) -> WrittenSprt {
        WrittenSprt {
            elo0: settings.elo0,
            elo1: settings.elo1,
            alpha: settings.alpha,
            beta: settings.beta,
            model,
            normalised: settings.scale == EloScale::Normalised,
        }
    }
}

impl<'a> WrittenResult<'a> {
    fn of(result: &'a Published) -> WrittenResult<'a> {
        let counts = |place: usize| result.counts.map(|counts| counts[place]);
        WrittenResult {
            game: &result.game,
            first: &result.first,
            second: &result.second,
            wins: counts(0),
            draws: counts(1),
            losses: counts(2),
            win_rate: Some(result.win_rate),
            games: result.matches,
            note: &result.note,
        }
    }
}
