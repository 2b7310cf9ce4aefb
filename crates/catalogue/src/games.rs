//! The catalogue: the one list of games, and the one bridge from a run-time name to a compile-time type.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Address, Arguments, Entry, InputError, Parameter, nearest};
use tesuji_games as rules;

use crate::any_game::{AnyGame, Opened};

/// Every game of the catalogue. Adding a game edits this list and no other.
static GAMES: &[&(dyn GameLine + Sync)] = &[
    &rules::tubstap::ENTRY,
    &rules::tubstap::RANDOM_ENTRY,
    &rules::dice::ENTRY,
    &rules::einstein::ENTRY,
    &rules::pig::ENTRY,
    &rules::mineering::SYNC_TRIOMINEERING,
    &rules::mineering::SYNC_DOMINEERING,
    &rules::mineering::TRIOMINEERING,
    &rules::mineering::DOMINEERING,
    &rules::goofspiel::ENTRY,
    &rules::oshi_zumo::ENTRY,
    &rules::matrix::ENTRY,
    &rules::rps_cards::ENTRY,
    &rules::breakthrough::ENTRY,
    &rules::connect_four::ENTRY,
    &rules::tic_tac_toe::ENTRY,
    &rules::tree::ENTRY,
    &tesuji_gdl::ENTRY,
];

/// A line of the catalogue whatever its game's type.
trait GameLine {
    fn info(&self) -> GameInfo;
    fn open(&self, address: &Address) -> Result<Box<dyn AnyGame>, InputError>;
}

impl<G: Complete> GameLine for Entry<G> {
    fn info(&self) -> GameInfo {
        GameInfo {
            name: self.name,
            summary: self.summary,
            parameters: self.parameters.iter().map(ParameterInfo::from).collect(),
            examples: self.examples,
        }
    }

    fn open(&self, address: &Address) -> Result<Box<dyn AnyGame>, InputError> {
        let arguments = Arguments::bind(address, self.parameters)?;
        let begun = Instant::now();
        let game = (self.open)(&arguments)?;
        Ok(Box::new(Opened::new(Arc::new(game), begun.elapsed().as_secs_f64())))
    }
}

/// What the catalogue says of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameInfo {
    /// The name before the parentheses.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What may stand between the parentheses.
    pub parameters: Vec<ParameterInfo>,
    /// Addresses to try.
    pub examples: &'static [&'static str],
}

/// A parameter of a game or an agent.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterInfo {
    /// The key.
    pub name: &'static str,
    /// The default; absent if it must be given.
    pub default: Option<String>,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Where it names data: the names that come with the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bundled: Vec<&'static str>,
    /// Where it names data: how the names of files end that can stand there instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<&'static str>,
}

impl From<&Parameter> for ParameterInfo {
    fn from(parameter: &Parameter) -> Self {
        let default = parameter.default.map(str::to_owned);
        let bundled = parameter.data.iter().flat_map(|data| data.bundled).map(|(name, _)| *name).collect();
        let ending = parameter.data.map(|data| data.ending);
        ParameterInfo { name: parameter.name, default, summary: parameter.summary, bundled, ending }
    }
}

/// All games, in the catalogue's order.
pub fn game_infos() -> Vec<GameInfo> {
    GAMES.iter().map(|line| line.info()).collect()
}

/// Opens the game that `address` names.
pub fn open(address: &str) -> Result<Box<dyn AnyGame>, InputError> {
    let address: Address = address.parse()?;
    match GAMES.iter().find(|line| line.info().name == address.name) {
        Some(line) => line.open(&address),
        None => {
            let names: Vec<&str> = GAMES.iter().map(|line| line.info().name).collect();
            Err(unknown("game", &address.name, &names, "`tesuji games` lists them all"))
        }
    }
}

/// Opens the game that `address` names, on an engine of the user's choice where its rules are data. `lanes` is the network
/// engine; that many playouts run at once is asked of it later.
pub fn open_on(address: &str, engine: &str) -> Result<Box<dyn AnyGame>, InputError> {
    let engines = ["interpreter", "network", "lanes"];
    if !engines.contains(&engine) {
        return Err(unknown("engine", engine, &engines, "engines are interpreter, network and lanes"));
    }
    let mut parsed: Address = address.parse()?;
    if parsed.name != tesuji_gdl::ENTRY.name {
        return Err(InputError::new(format!("`{address}` is written in Rust and has no other engine than that"))
            .with_help("engines can be chosen for rule sheets: `gdl(FILE)`"));
    }
    parsed.arguments.retain(|(key, _)| key.as_deref() != Some("engine"));
    let engine = if engine == "lanes" { "network" } else { engine };
    parsed.arguments.push((Some("engine".to_owned()), engine.to_owned()));
    open(&parsed.to_string())
}

/// The error for a name that is not in a list.
pub fn unknown(what: &str, name: &str, names: &[&str], help: &str) -> InputError {
    let near = nearest(name, names.iter().copied(), 1);
    let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    InputError::new(format!("there is no {what} `{name}`{hint}")).with_help(help)
}
