//! The games of a catalogue: the list of standard games, and how an address becomes an opened game.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Address, Arguments, Entry, InputError, Names, Parameter, did_you_mean};
use tesuji_games as rules;
use tesuji_gdl::Gdl;

use crate::agents::{AgentInfo, Agents, KindFor, KindList};
use crate::any_game::{AnyGame, Opened};
use crate::playable::Playable;

/// Makes a function for each standard game that is compiled in this crate, with all standard kinds of agents, whoever adds
/// kinds of their own.
macro_rules! standard_games {
    ($($line:ident: $game:ty = $entry:path),* $(,)?) => {
        $(
            #[inline(never)]
            fn $line(infos: &Arc<[AgentInfo]>, extra: Vec<KindFor<$game>>) -> Arc<dyn GameLine> {
                line($entry, infos, extra)
            }
        )*

        /// The standard games, with the standard kinds of agents and those of `K`.
        pub(crate) fn standard_lines<K: KindList>(infos: &Arc<[AgentInfo]>) -> Vec<Arc<dyn GameLine>> {
            vec![$($line(infos, compiled::<K, $game>())),*]
        }
    };
}

// Adding a game edits this list and no other.
standard_games![
    tubstap: rules::tubstap::Tubstap = rules::tubstap::ENTRY,
    tubstap_random: rules::tubstap::Tubstap = rules::tubstap::RANDOM_ENTRY,
    dice: rules::dice::Dice = rules::dice::ENTRY,
    einstein: rules::einstein::Einstein = rules::einstein::ENTRY,
    pig: rules::pig::Pig = rules::pig::ENTRY,
    sync_triomineering: rules::mineering::Synchronized = rules::mineering::SYNC_TRIOMINEERING,
    sync_domineering: rules::mineering::Synchronized = rules::mineering::SYNC_DOMINEERING,
    triomineering: rules::mineering::Alternating = rules::mineering::TRIOMINEERING,
    domineering: rules::mineering::Alternating = rules::mineering::DOMINEERING,
    goofspiel: rules::goofspiel::Goofspiel = rules::goofspiel::ENTRY,
    oshi_zumo: rules::oshi_zumo::OshiZumo = rules::oshi_zumo::ENTRY,
    matrix: rules::matrix::Matrix = rules::matrix::ENTRY,
    rps_cards: rules::rps_cards::RpsCards = rules::rps_cards::ENTRY,
    breakthrough: rules::breakthrough::Breakthrough = rules::breakthrough::ENTRY,
    connect_four: rules::connect_four::ConnectFour = rules::connect_four::ENTRY,
    tic_tac_toe: rules::tic_tac_toe::TicTacToe = rules::tic_tac_toe::ENTRY,
    tree: rules::tree::Tree = rules::tree::ENTRY,
    gdl: Gdl = tesuji_gdl::ENTRY,
];

/// The kinds of `K` for games of type `G`.
pub(crate) fn compiled<K: KindList, G: Complete>() -> Vec<KindFor<G>> {
    let mut kinds = Vec::new();
    K::compile(&mut kinds);
    kinds
}

/// A line for a game, with the standard kinds of agents followed by `extra`.
pub(crate) fn line<G: Complete>(
    entry: Entry<G>,
    infos: &Arc<[AgentInfo]>,
    extra: Vec<KindFor<G>>,
) -> Arc<dyn GameLine> {
    Arc::new(Line { entry, agents: Arc::new(Agents::new(Arc::clone(infos), extra)) })
}

/// A game of a catalogue whatever its type.
pub(crate) trait GameLine: Any + Send + Sync {
    fn info(&self) -> GameInfo;
    fn open(&self, address: &Address) -> Result<Arc<dyn AnyGame>, InputError>;
}

/// A game of a catalogue, with the agents as they are for games of its type.
pub(crate) struct Line<G> {
    entry: Entry<G>,
    pub(crate) agents: Arc<Agents<G>>,
}

impl<G: Complete> GameLine for Line<G> {
    fn info(&self) -> GameInfo {
        GameInfo {
            name: self.entry.name,
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
        Ok(Arc::new(Opened::new(Playable::new(game, Arc::clone(&self.agents)), seconds)))
    }
}

/// The description of a game.
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
