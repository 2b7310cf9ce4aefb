//! The agents: the one list of kinds, with their presets, and how they are built for a game.

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Address, Arguments, Features, InputError, Parameter, Spec};
use tesuji_search::Agent;
use tesuji_search::kinds::{
    AgentKind, AttackSearchKind, BestActionKind, CfrKind, DlmcKind, EvolutionKind, ExpectimaxKind, FaultyKind,
    JointMcKind, JointTreeKind, LookAheadKind, McKind, NominateKind, Preset, RandomKind, SatisficingKind, UctKind,
};

use crate::games::{ParameterInfo, unknown};
use crate::outside::OutsideKind;
use crate::process::ProcessKind;

/// A kind of agent. Kinds of search know no text; those that speak to the world outside need a game's notation too.
pub(crate) trait Kind {
    /// The name before the parentheses.
    const NAME: &'static str;
    /// What it is, in a sentence.
    const SUMMARY: &'static str;
    /// What it can play.
    const HANDLES: Features;
    /// What may stand between the parentheses.
    const PARAMETERS: &'static [Parameter];
    /// Names for this kind with some of its arguments already given.
    const PRESETS: &'static [Preset] = &[];

    /// Makes the agent. `arguments` were bound to [`PARAMETERS`](Kind::PARAMETERS).
    fn build<G: Complete>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError>;

    /// What the agent's decisions depend on beside its address: the contents of files that its arguments name.
    fn contents<G: Complete>(_arguments: &Arguments, _game: &G) -> Result<String, InputError> {
        Ok(String::new())
    }
}

impl<K: AgentKind> Kind for K {
    const NAME: &'static str = <K as AgentKind>::NAME;
    const SUMMARY: &'static str = <K as AgentKind>::SUMMARY;
    const HANDLES: Features = <K as AgentKind>::HANDLES;
    const PARAMETERS: &'static [Parameter] = <K as AgentKind>::PARAMETERS;
    const PRESETS: &'static [Preset] = <K as AgentKind>::PRESETS;

    fn build<G: Complete>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        <K as AgentKind>::build(arguments, game)
    }

    fn contents<G: Complete>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        <K as AgentKind>::contents(arguments, game)
    }
}

/// Makes the views of the list: descriptions, and what is generic over the game.
macro_rules! kinds {
    ($($kind:ty),* $(,)?) => {
        fn kind_infos() -> Vec<AgentInfo> {
            vec![$(AgentInfo::of::<$kind>()),*]
        }

        fn build_kind<G: Complete>(address: &Address, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
            $(if address.name == <$kind as Kind>::NAME {
                let arguments = Arguments::bind(address, <$kind as Kind>::PARAMETERS)?;
                return <$kind as Kind>::build(&arguments, game);
            })*
            unreachable!("`agent_info` vouches for `{}`", address.name)
        }

        fn kind_contents<G: Complete>(address: &Address, game: &G) -> Result<String, InputError> {
            $(if address.name == <$kind as Kind>::NAME {
                return <$kind as Kind>::contents(&Arguments::bind(address, <$kind as Kind>::PARAMETERS)?, game);
            })*
            unreachable!("`agent_info` vouches for `{}`", address.name)
        }
    };
}

// Adding a kind of agent edits this list and no other; presets live beside the kinds.
kinds![
    RandomKind,
    McKind,
    UctKind,
    BestActionKind,
    AttackSearchKind,
    DlmcKind,
    SatisficingKind,
    EvolutionKind,
    LookAheadKind,
    ExpectimaxKind,
    NominateKind,
    JointMcKind,
    JointTreeKind,
    CfrKind,
    FaultyKind,
    ProcessKind,
    OutsideKind
];

/// What is known of an agent by its name.
#[derive(Clone, Debug, Serialize)]
pub struct AgentInfo {
    /// The name before the parentheses.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// The features it handles.
    #[serde(rename = "features", serialize_with = "feature_names")]
    pub handles: Features,
    /// What may stand between the parentheses, with a preset's own values as defaults.
    pub parameters: Vec<ParameterInfo>,
    /// The kind that a preset is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset_of: Option<&'static str>,
    #[serde(skip)]
    preset: Option<&'static Preset>,
    /// The presets of the kind.
    #[serde(skip)]
    presets: &'static [Preset],
    /// The parameters of the kind.
    #[serde(skip)]
    kind_parameters: &'static [Parameter],
}

fn feature_names<S: serde::Serializer>(features: &Features, serializer: S) -> Result<S::Ok, S::Error> {
    features.names().serialize(serializer)
}

impl AgentInfo {
    fn of<K: Kind>() -> AgentInfo {
        AgentInfo {
            name: K::NAME,
            summary: K::SUMMARY,
            handles: K::HANDLES,
            parameters: K::PARAMETERS.iter().map(ParameterInfo::from).collect(),
            preset_of: None,
            preset: None,
            presets: K::PRESETS,
            kind_parameters: K::PARAMETERS,
        }
    }
}

/// All agents: the kinds, each followed by its presets.
pub fn agent_infos() -> Vec<AgentInfo> {
    let mut infos = Vec::new();
    for kind in kind_infos() {
        let presets = kind.presets.iter().map(|preset| {
            let mut info = AgentInfo {
                name: preset.name,
                summary: preset.summary,
                preset_of: Some(kind.name),
                preset: Some(preset),
                ..kind.clone()
            };
            let own = Address { name: preset.name.to_owned(), arguments: Vec::new() };
            let resolved = resolve(&info, own).map_or(Vec::new(), |resolved| resolved.arguments);
            for (key, value) in resolved {
                let mut parameters = info.parameters.iter_mut();
                if let Some(parameter) = parameters.find(|parameter| Some(parameter.name) == key.as_deref()) {
                    parameter.default = Some(value);
                }
            }
            info
        });
        let presets: Vec<AgentInfo> = presets.collect();
        infos.push(kind);
        infos.extend(presets);
    }
    infos
}

/// The agent of that name.
pub fn agent_info(name: &str) -> Result<AgentInfo, InputError> {
    let mut infos = agent_infos();
    match infos.iter().position(|info| info.name == name) {
        Some(index) => Ok(infos.swap_remove(index)),
        None => {
            let names: Vec<&str> = infos.iter().map(|info| info.name).collect();
            Err(unknown("agent", name, &names, "`tesuji agents` lists them all"))
        }
    }
}

/// Builds the agent that `address` names for `game`, or refuses: unknown, wrongly parametrised, or unable to play it.
pub(crate) fn build<G: Complete>(address: &str, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
    let address: Address = address.parse()?;
    let info = agent_info(&address.name)?;
    refuse_missing(&info, game.spec())?;
    build_kind(&resolve(&info, address)?, game)
}

/// What the decisions of the agent that `address` names depend on beside its address: the contents of files.
pub(crate) fn contents<G: Complete>(address: &str, game: &G) -> Result<String, InputError> {
    let address: Address = address.parse()?;
    let info = agent_info(&address.name)?;
    kind_contents(&resolve(&info, address)?, game)
}

/// An agent plays a game if and only if it handles all of the game's features.
fn refuse_missing(info: &AgentInfo, spec: &Spec) -> Result<(), InputError> {
    let missing = spec.features - info.handles;
    if missing.is_empty() {
        return Ok(());
    }
    let game = &spec.name;
    Err(InputError::new(format!("`{}` cannot play `{game}`: it does not handle {missing}", info.name))
        .with_help(format!("`tesuji agents --game \"{game}\"` lists the agents that can")))
}

/// The address of the kind that stands behind `address`.
fn resolve(info: &AgentInfo, address: Address) -> Result<Address, InputError> {
    match info.preset {
        Some(preset) => preset.resolve(&address, info.preset_of.unwrap_or(info.name), info.kind_parameters),
        None => Ok(address),
    }
}
