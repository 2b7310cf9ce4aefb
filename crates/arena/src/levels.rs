//! Opponents by strength, told in words: beginner, club, strong, champion.
//!
//! The levels of a game are the agents of an experiment in `experiments/levels`, by their labels: the experiment that
//! measures them also defines them. Each level plays the one below it, so its results say what a level is worth.

use serde::{Deserialize, Serialize};

use crate::library::{LibraryEntry, library};
use crate::{AnyGame, Catalogue};
use tesuji_core::Address;

/// The folder of the experiments that define levels.
const FOLDER: &str = "levels/";

/// The names of levels, the weakest first.
pub const LEVELS: [&str; 4] = ["beginner", "club", "strong", "champion"];

/// The game of rule sheets: one sheet says nothing of another.
const GDL: &str = "gdl";

/// The budgets of a level in games that have no experiment of their own, in playouts.
const USUAL: [u64; 4] = [20, 200, 2_000, 20_000];

/// An opponent of a certain strength.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Level {
    /// `beginner`, `club`, `strong` or `champion`.
    pub name: String,
    /// The agent's address.
    pub agent: String,
    /// What a decision may cost, as text such as `playouts=200`.
    pub budget: String,
}

/// The opponents of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Levels {
    /// The levels, the weakest first.
    pub levels: Vec<Level>,
    /// The experiment of the library that measures them; `None` if they were not measured for this game.
    pub measured: Option<String>,
}

#[derive(Deserialize)]
struct File {
    games: Vec<Entry>,
    agents: Vec<Entry>,
}

/// An address, or a table with an address: what levels need of an experiment's file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Text(String),
    Table { address: String, label: Option<String>, budget: Option<Written> },
}

#[derive(Deserialize)]
struct Written {
    playouts: Option<u64>,
    time: Option<String>,
}

impl Entry {
    fn address(&self) -> &str {
        match self {
            Entry::Text(address) | Entry::Table { address, .. } => address,
        }
    }
}

fn files() -> impl Iterator<Item = (LibraryEntry, File)> {
    let entries = library().into_iter().filter(|entry| entry.id.starts_with(FOLDER));
    entries.filter_map(|entry| {
        let source = entry.source().ok()?;
        let file = toml::from_str(source.text()).unwrap_or_else(|error| panic!("{}: {error}", source.name()));
        Some((entry, file))
    })
}

/// The games that have levels of their own, in the order of the library.
pub fn games_with_levels() -> Vec<String> {
    files().flat_map(|(_, file)| file.games.into_iter().map(|game| game.address().to_owned())).collect()
}

/// The opponents for a game at this address. Other parameters of a game that was measured have its levels too, but do
/// not count as measured.
pub fn levels(catalogue: &Catalogue, address: &str, game: &dyn AnyGame) -> Levels {
    let name = |address: &str| address.parse::<Address>().map(|address| address.name).unwrap_or_default();
    // Addresses with the same title name the same game: defaults that are written out do not count.
    let title = |address: &str| catalogue.title(address).ok();
    let (own_name, own_title) = (name(address), title(address));
    let files: Vec<_> = files().collect();
    let listing = |fits: &dyn Fn(&str) -> bool| {
        files.iter().find(|(_, file)| file.games.iter().any(|other| fits(other.address())))
    };
    let exact = listing(&|other| own_title.is_some() && title(other) == own_title);
    let near = || listing(&|other| name(other) == own_name).filter(|_| own_name != GDL);
    let defined = exact.or_else(near);
    if let Some((entry, file)) = defined {
        let levels: Vec<Level> = file.agents.iter().filter_map(level).collect();
        // Parameters of the game can rule an agent out.
        if levels.iter().all(|level| game.check_agent(&level.agent).is_ok()) {
            return Levels { levels, measured: exact.is_some().then(|| entry.id.clone()) };
        }
    }
    let able =
        ["joint-tree", "uct", "ismcts", "mc", "random"].into_iter().find(|agent| game.check_agent(agent).is_ok());
    let level = |(name, playouts): (&&str, u64)| Level {
        name: (*name).to_owned(),
        agent: able.unwrap_or("random").to_owned(),
        budget: format!("playouts={playouts}"),
    };
    Levels { levels: LEVELS.iter().zip(USUAL).map(level).collect(), measured: None }
}

fn level(agent: &Entry) -> Option<Level> {
    let Entry::Table { address, label: Some(label), budget } = agent else { return None };
    let budget = match budget {
        Some(Written { time: Some(time), .. }) => format!("time={time}"),
        Some(Written { playouts: Some(playouts), .. }) => format!("playouts={playouts}"),
        _ => String::new(),
    };
    LEVELS.contains(&label.as_str()).then(|| Level { name: label.clone(), agent: address.clone(), budget })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_game_has_four_levels_that_can_play_it() {
        let catalogue = tesuji_standard::catalogue();
        let games = games_with_levels();
        for game in ["pig", "goofspiel", "oshi-zumo", "rps-cards"] {
            assert!(games.iter().any(|listed| listed == game), "{game}: {games:?}");
        }
        for address in games {
            let game = catalogue.open(&address).unwrap_or_else(|error| panic!("{address}: {error}"));
            let found = levels(&catalogue, &address, game.as_ref());
            let names: Vec<&str> = found.levels.iter().map(|level| level.name.as_str()).collect();
            assert_eq!(names, LEVELS, "{address}");
            // The committed results have each level against the one below it.
            let measured = found.measured.unwrap_or_else(|| panic!("{address} is not measured"));
            let table = crate::committed_table(&measured).unwrap_or_else(|| panic!("{measured} was not played"));
            let own = |row: &&crate::CommittedRow| row.game.is_empty() || row.game == address;
            let met: Vec<_> =
                table.rows.iter().filter(own).map(|row| (row.first.as_str(), row.second.as_str())).collect();
            assert_eq!(met, [("club", "beginner"), ("strong", "club"), ("champion", "strong")], "{address}");
            for level in &found.levels {
                level.budget.parse::<crate::Budget>().unwrap_or_else(|error| panic!("{address}: {error}"));
            }
        }
    }

    #[test]
    fn games_without_an_experiment_have_levels_that_are_not_called_measured() {
        let catalogue = tesuji_standard::catalogue();
        for address in ["gdl(nim-3-4-5)", "goofspiel(3)", "tree", "gdl(peg-solitaire)"] {
            let game = catalogue.open(address).unwrap();
            let found = levels(&catalogue, address, game.as_ref());
            assert_eq!((found.levels.len(), found.measured), (4, None), "{address}");
            assert!(found.levels.iter().all(|level| game.check_agent(&level.agent).is_ok()), "{address}");
        }
    }
}
