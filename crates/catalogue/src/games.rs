//! The games of a catalogue: the list of standard games, and how an address becomes an opened game.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tesuji_core::laws::{self, Complete, Report, Violation};
use tesuji_core::{Address, Arguments, Entry, InputError, Names, Parameter, did_you_mean};

use crate::agents::{AgentInfo, Agents, KindFor};
use crate::any_game::{AnyGame, Opened};
use crate::playable::Playable;

/// Passes the list of standard games to the macro `$callback`. **Adding a game edits this list and no other.**
///
/// Each row is a name, the type of the game, and its entry.
#[macro_export]
macro_rules! standard_games {
    ($callback:path) => {
        $callback! {
            tubstap: ::tesuji_games::tubstap::Tubstap = ::tesuji_games::tubstap::ENTRY,
            tubstap_random: ::tesuji_games::tubstap::Tubstap = ::tesuji_games::tubstap::RANDOM_ENTRY,
            dice: ::tesuji_games::dice::Dice = ::tesuji_games::dice::ENTRY,
            einstein: ::tesuji_games::einstein::Einstein = ::tesuji_games::einstein::ENTRY,
            pig: ::tesuji_games::pig::Pig = ::tesuji_games::pig::ENTRY,
            sync_triomineering: ::tesuji_games::mineering::Synchronized = ::tesuji_games::mineering::SYNC_TRIOMINEERING,
            sync_domineering: ::tesuji_games::mineering::Synchronized = ::tesuji_games::mineering::SYNC_DOMINEERING,
            triomineering: ::tesuji_games::mineering::Alternating = ::tesuji_games::mineering::TRIOMINEERING,
            domineering: ::tesuji_games::mineering::Alternating = ::tesuji_games::mineering::DOMINEERING,
            goofspiel: ::tesuji_games::goofspiel::Goofspiel = ::tesuji_games::goofspiel::ENTRY,
            oshi_zumo: ::tesuji_games::oshi_zumo::OshiZumo = ::tesuji_games::oshi_zumo::ENTRY,
            matrix: ::tesuji_games::matrix::Matrix = ::tesuji_games::matrix::ENTRY,
            rps_cards: ::tesuji_games::rps_cards::RpsCards = ::tesuji_games::rps_cards::ENTRY,
            breakthrough: ::tesuji_games::breakthrough::Breakthrough = ::tesuji_games::breakthrough::ENTRY,
            connect_four: ::tesuji_games::connect_four::ConnectFour = ::tesuji_games::connect_four::ENTRY,
            tic_tac_toe: ::tesuji_games::tic_tac_toe::TicTacToe = ::tesuji_games::tic_tac_toe::ENTRY,
            tree: ::tesuji_games::tree::Tree = ::tesuji_games::tree::ENTRY,
            gdl: ::tesuji_gdl::Gdl = ::tesuji_gdl::ENTRY,
        }
    };
}

/// Makes a module with a function for each standard game, which puts the game into a catalogue. Everything about the
/// game except its agents and its laws is compiled here, once.
macro_rules! lines {
    ($($line:ident: $game:ty = $entry:path),* $(,)?) => {
        /// The standard games, each as it is put into a catalogue: with descriptions of the agents, and the same agents
        /// as they are for this game.
        pub mod lines {
            use super::*;
            $(
                /// This game, in a catalogue with these agents; `check_laws` is [`tesuji_core::laws::check`] for it.
                #[inline(never)]
                pub fn $line(
                    infos: &Arc<[AgentInfo]>,
                    kinds: Vec<KindFor<$game>>,
                    check_laws: CheckLaws<$game>,
                ) -> Arc<dyn GameLine> {
                    with_laws($entry, infos, kinds, check_laws)
                }
            )*
        }
    };
}

standard_games!(lines);

/// A line for a game, with the kinds of agents that `infos` describes.
pub fn line<G: Complete>(entry: Entry<G>, infos: &Arc<[AgentInfo]>, kinds: Vec<KindFor<G>>) -> Arc<dyn GameLine> {
    with_laws(entry, infos, kinds, laws::check)
}

/// The check of the laws for games of one type.
pub type CheckLaws<G> = fn(&G, u64) -> Result<Report, Violation>;

fn with_laws<G: Complete>(
    entry: Entry<G>,
    infos: &Arc<[AgentInfo]>,
    kinds: Vec<KindFor<G>>,
    check_laws: CheckLaws<G>,
) -> Arc<dyn GameLine> {
    Arc::new(Line { entry, agents: Arc::new(Agents::new(Arc::clone(infos), kinds)), check_laws })
}

/// A game of a catalogue whatever its type.
pub trait GameLine: Any + Send + Sync {
    /// What the game is.
    fn info(&self) -> GameInfo;

    /// Opens the game of this address.
    fn open(&self, address: &Address) -> Result<Arc<dyn AnyGame>, InputError>;
}

/// A game of a catalogue, with the agents as they are for games of its type.
pub(crate) struct Line<G: Complete> {
    entry: Entry<G>,
    pub(crate) agents: Arc<Agents<G>>,
    pub(crate) check_laws: CheckLaws<G>,
}

impl<G: Complete> GameLine for Line<G> {
    fn info(&self) -> GameInfo {
        GameInfo {
            name: self.entry.name,
            title: self.entry.title,
            summary: self.entry.summary,
            parameters: self.entry.parameters.iter().map(ParameterInfo::from).collect(),
            examples: self.entry.examples,
        }
    }

    fn open(&self, address: &Address) -> Result<Arc<dyn AnyGame>, InputError> {
        let arguments = Arguments::bind(address, self.entry.parameters)?;
        let begun = Instant::now();
        let game = (self.entry.open)(&arguments)?;
        let seconds = begun.elapsed().as_secs_f64();
        Ok(Arc::new(Opened::new(Playable::new(game, self.agents.clone()), self.check_laws, seconds)))
    }
}

/// The description of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameInfo {
    /// The name before the parentheses.
    pub name: &'static str,
    /// What people call it, such as `Connect Four`.
    pub title: &'static str,
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
    /// What its text names beyond the address.
    #[serde(skip)]
    pub names: Names,
}

impl From<&Parameter> for ParameterInfo {
    fn from(parameter: &Parameter) -> Self {
        let data = match parameter.names {
            Names::Data(data) => Some(data),
            _ => None,
        };
        ParameterInfo {
            name: parameter.name,
            default: parameter.default.map(str::to_owned),
            summary: parameter.summary,
            bundled: data.iter().flat_map(|data| data.bundled).map(|(name, _)| *name).collect(),
            ending: data.map(|data| data.ending),
            names: parameter.names,
        }
    }
}

/// The error for a name that is not in a list.
pub fn unknown(what: &str, name: &str, names: &[&str], help: &str) -> InputError {
    let hint = did_you_mean(name, names.iter().copied());
    InputError::new(format!("there is no {what} `{name}`{hint}")).with_help(help)
}
