//! Records refereed matches in the arena's store, as an experiment of two sides, so that reports, exports and replays
//! read them like any other.
//!
//! With more than two players the first is one side and the others together are the second, because results are always
//! from the first side's view. Every use starts a new run: matches with external peers cannot be repeated.

use std::path::Path;

use serde::Serialize;
use tesuji_arena::experiment::{Scale, Unit, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{Catalogue, InputError, PlayedMatch, Source, enter_run};

/// A side, as named in stores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The name shown in tables.
    pub label: String,
    /// Its agent's address; `None` for an external player.
    pub agent: Option<String>,
}

/// The plan of the matches.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The title, in one line.
    pub title: String,
    /// The name of the run.
    pub name: String,
    /// The game's address.
    pub game: String,
    /// The sides; results are from the view of the first.
    pub sides: Vec<Side>,
    /// The number of rounds: each plays all seatings once.
    pub rounds: u64,
    /// Seconds per decision.
    pub seconds: f64,
    /// The seed of all randomness.
    pub seed: u64,
}

#[derive(Serialize)]
struct Written {
    title: String,
    games: Vec<String>,
    seed: u64,
    pairs: u64,
    budget: WrittenBudget,
    agents: Vec<WrittenAgent>,
}

#[derive(Serialize)]
struct WrittenBudget {
    time: String,
}

#[derive(Serialize)]
struct WrittenAgent {
    address: String,
    label: String,
}

/// Writes matches to a store.
pub struct Recorder {
    store: Store,
    run: i64,
    seed: u64,
}

impl Recorder {
    /// Opens a store and starts a run in it.
    pub fn begin(catalogue: &Catalogue, path: &Path, contest: &Contest) -> Result<Recorder, InputError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| {
                InputError::new(format!("cannot create the folder: {error}")).in_file(folder.display())
            })?;
        }
        let mut store = Store::open(path)?;
        let mut seed = contest.seed;
        loop {
            let text = written(contest, seed)?;
            let experiment = read_experiment(catalogue, &Source::new(&contest.name, &text), Scale::Full)?;
            let run = enter_run(&experiment, &contest.name, &text, &mut store)?;
            let mut fresh = true;
            store.each_match(run, false, |_| {
                fresh = false;
                Ok(())
            })?;
            if fresh {
                return Ok(Recorder { store, run, seed });
            }
            seed += 1;
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// Stores a match at once: if the program is killed, no finished match is lost. `round` counts from 0.
    pub fn add(&mut self, round: u32, played: &PlayedMatch) -> Result<(), InputError> {
        self.store.add_match(self.run, Unit { pairing: 0, pair: round }, self.seed, played)?;
        self.store.commit()
    }
}

fn written(contest: &Contest, seed: u64) -> Result<String, InputError> {
    let outside = |name: &str| format!("outside(peer=\"{}\")", name.replace('"', "'"));
    let address = |side: &Side| side.agent.clone().unwrap_or_else(|| outside(&side.label));
    let mut sides = contest.sides.iter();
    let first = sides.next().map(|side| WrittenAgent { address: address(side), label: side.label.clone() });
    let others: Vec<&Side> = sides.collect();
    let second = match &others[..] {
        [] => WrittenAgent { address: outside("nobody"), label: "nobody".to_owned() },
        [side] => WrittenAgent { address: address(side), label: side.label.clone() },
        several => {
            let names: Vec<&str> = several.iter().map(|side| side.label.as_str()).collect();
            WrittenAgent { address: outside(&names.join(" and ")), label: names.join(" and ") }
        }
    };
    let mut agents: Vec<WrittenAgent> = first.into_iter().collect();
    agents.push(second);
    if agents.len() == 2 && agents[0].label == agents[1].label {
        agents[1].label.push_str(" (2)");
    }
    let file = Written {
        title: contest.title.clone(),
        games: vec![contest.game.clone()],
        seed,
        pairs: contest.rounds.max(1),
        budget: WrittenBudget { time: format!("{}s", contest.seconds.max(0.001)) },
        agents,
    };
    toml::to_string(&file).map_err(|error| InputError::new(format!("the contest cannot be written: {error}")))
}
