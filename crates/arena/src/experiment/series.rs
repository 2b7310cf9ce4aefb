//! A series of matches between the agents at one table, as an experiment that no file describes.

use super::{Competitor, EnteredGame, Experiment, Labelled, MOST_PAIRS, Scale};
use crate::run::seat_plans;
use crate::{Budget, Catalogue, InputError};

impl EnteredGame {
    /// Opens a game under its address as label.
    pub fn open(catalogue: &Catalogue, address: &str) -> Result<EnteredGame, InputError> {
        let game = catalogue.open(address)?;
        Ok(EnteredGame::new(address.to_owned(), address.to_owned(), game))
    }
}

impl Experiment {
    /// A series of matches in one game between two agents, or between one agent for each player.
    ///
    /// Matches come in rounds: each agent takes each seat once, with the same dice. `matches` is rounded up to whole
    /// rounds. Equal agents are told apart by their labels.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use tesuji_arena::experiment::{EnteredGame, Experiment};
    /// use tesuji_arena::store::Store;
    /// use tesuji_arena::{Budget, RunPlan, run_experiment, summarise};
    ///
    /// let game = EnteredGame::open(&tesuji_standard::catalogue(), "tic-tac-toe")?;
    /// let agents = ["uct".to_owned(), "random".to_owned()];
    /// let experiment = Experiment::series(game, &agents, Budget::playouts(50), 20, 1)?;
    ///
    /// let mut store = Store::temporary()?;
    /// let (plan, stop) = (RunPlan { threads: 1, shard: None }, AtomicBool::new(false));
    /// let text = experiment.to_toml()?;
    /// let end = run_experiment(&experiment, ("series", &text), &mut store, plan, &stop, |_| ())?;
    /// let summary = summarise(&experiment, &store, end.run, false)?;
    /// assert_eq!(summary.matches, 20);
    /// assert!(summary.results[0].win_rate > Some(0.5));
    /// # Ok::<(), tesuji_arena::InputError>(())
    /// ```
    pub fn series(
        game: EnteredGame,
        agents: &[String],
        budget: Budget,
        matches: u64,
        seed: u64,
    ) -> Result<Experiment, InputError> {
        if matches == 0 {
            return Err(InputError::new("a series of 0 matches has no result").with_help("ask for at least one"));
        }
        agents.iter().try_for_each(|address| game.game.check_agent(address))?;
        let round = seat_plans(game.game.spec(), agents.len())?.len() as u64;
        let pairs = matches.div_ceil(round);
        if pairs > MOST_PAIRS {
            let most = MOST_PAIRS * round;
            return Err(InputError::new(format!("{matches} matches are too many")).with_help(format!("at most {most}")));
        }
        Ok(Experiment {
            title: format!("{} in {}", agents.join(" against "), game.label),
            about: String::new(),
            reproduces: None,
            pairings: vec![(0..agents.len()).collect()],
            agents: competitors(agents, budget),
            games: vec![game],
            pairs,
            seed,
            shared_dice: true,
            fixed_seats: false,
            core_hours: None,
            start: None,
            overtime: None,
            sprt: None,
            root_exploitability: None,
            exploitability: None,
            published: Vec::new(),
            scale: Scale::Full,
        })
    }

    /// The same series, but the agents keep the seats in which they are named: `matches` rounds of one match each.
    #[must_use]
    pub fn with_fixed_seats(self, matches: u64) -> Experiment {
        Experiment { fixed_seats: true, pairs: matches.min(MOST_PAIRS), ..self }
    }

    /// A round robin in one game: each agent meets each other one in `matches` matches, rounded up to whole rounds.
    ///
    /// ```
    /// use tesuji_arena::experiment::{EnteredGame, Experiment};
    /// use tesuji_arena::Budget;
    ///
    /// let game = EnteredGame::open(&tesuji_standard::catalogue(), "tic-tac-toe")?;
    /// let agents = ["uct", "mc", "random"].map(str::to_owned);
    /// let experiment = Experiment::round_robin(game, &agents, Budget::playouts(50), 20, 1)?;
    /// assert_eq!(experiment.pairings, [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), tesuji_arena::InputError>(())
    /// ```
    pub fn round_robin(
        game: EnteredGame,
        agents: &[String],
        budget: Budget,
        matches: u64,
        seed: u64,
    ) -> Result<Experiment, InputError> {
        let pairings: Vec<Vec<usize>> = (0..agents.len())
            .flat_map(|first| (first + 1..agents.len()).map(move |second| vec![first, second]))
            .collect();
        if pairings.is_empty() {
            return Err(InputError::new("a round robin needs at least two agents"));
        }
        // Each two agents are checked as a series of their own.
        let series = |pairing: &Vec<usize>| {
            let both: Vec<String> = pairing.iter().map(|&agent| agents[agent].clone()).collect();
            Experiment::series(game.clone(), &both, budget, matches, seed)
        };
        let mut series = pairings.iter().map(series).collect::<Result<Vec<_>, _>>()?;
        let title = format!("Ranking of {} in {}", agents.join(", "), game.label);
        Ok(Experiment { title, agents: competitors(agents, budget), pairings, ..series.swap_remove(0) })
    }
}

/// Agents under their addresses as labels; equal ones are numbered.
fn competitors(agents: &[String], budget: Budget) -> Vec<Competitor> {
    let competitor = |(place, address): (usize, &String)| {
        let before = agents[..place].iter().filter(|other| *other == address).count();
        let label = if before == 0 { address.clone() } else { format!("{address} ({})", before + 1) };
        Competitor { name: Labelled { label, address: address.clone() }, budget }
    };
    agents.iter().enumerate().map(competitor).collect()
}
