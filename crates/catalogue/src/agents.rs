//! The agents of a catalogue: their descriptions, and how agents are built for games of one type.

use std::sync::Arc;

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Address, Arguments, ErrorKind, Features, Game, InputError, Parameter, Source, Spec, files};
use tesuji_play::{Agent, Budget};
use tesuji_play::{AgentKind, Preset, Trust, can_ever_play, refusal, refuse_features};

use crate::erased::{Erased, with_types};
use crate::games::{ParameterInfo, unknown};

/// Makes an agent for a game.
type Build<G> = fn(&Arguments, &G) -> Result<Box<dyn Agent<G>>, InputError>;

/// The functions of a kind for games of one type.
struct Functions<G: Game> {
    build: Build<G>,
    contents: fn(&Arguments, &G) -> Result<String, InputError>,
}

impl<G: Complete> Functions<G> {
    fn of<K: AgentKind>() -> Functions<G> {
        Functions { build: K::build::<G>, contents: K::contents::<G> }
    }
}

/// A kind of agent for games of one type.
pub struct KindFor<G: Game> {
    parameters: &'static [Parameter],
    functions: Compiled<G>,
}

/// What a kind is compiled for.
enum Compiled<G: Game> {
    /// Games of this type.
    Typed(Functions<G>),
    /// Games without types: agents that do not search.
    Erased(Functions<Erased>),
}

impl<G: Complete> KindFor<G> {
    /// The kind `K`.
    pub fn of<K: AgentKind>() -> KindFor<G> {
        // An agent that refuses every game of this type is not compiled for it.
        let functions = if const { !can_ever_play::<K, G>() } {
            Compiled::Typed(Functions { build: |_, game| Err(refusal::<K, G>(game)), contents: K::contents::<G> })
        } else if const { K::SEARCHES } {
            Compiled::Typed(Functions::of::<K>())
        } else {
            Compiled::Erased(Functions::of::<K>())
        };
        KindFor { parameters: K::PARAMETERS, functions }
    }

    fn build(&self, arguments: &Arguments, game: &Arc<G>) -> Result<Box<dyn Agent<G>>, InputError> {
        match &self.functions {
            Compiled::Typed(functions) => (functions.build)(arguments, game),
            Compiled::Erased(functions) => with_types(game, |erased| (functions.build)(arguments, erased)),
        }
    }

    fn contents(&self, arguments: &Arguments, game: &Arc<G>) -> Result<String, InputError> {
        match &self.functions {
            Compiled::Typed(functions) => (functions.contents)(arguments, game),
            Compiled::Erased(functions) => (functions.contents)(arguments, &Erased::of(game)),
        }
    }
}

/// A list of kinds of agents as a type: `()` is empty, `(K, Rest)` is `Rest` followed by the kind `K`.
///
/// It is a type because every kind is compiled for every game.
pub trait KindList {
    /// Appends descriptions of the kinds, each followed by its presets.
    fn describe(infos: &mut Vec<AgentInfo>);

    /// Appends the kinds as they are for games of type `G`.
    fn compile<G: Complete>(kinds: &mut Vec<KindFor<G>>);
}

impl KindList for () {
    fn describe(_: &mut Vec<AgentInfo>) {}

    fn compile<G: Complete>(_: &mut Vec<KindFor<G>>) {}
}

impl<K: AgentKind, Rest: KindList> KindList for (K, Rest) {
    fn describe(infos: &mut Vec<AgentInfo>) {
        Rest::describe(infos);
        AgentInfo::add::<K>(infos);
    }

    fn compile<G: Complete>(kinds: &mut Vec<KindFor<G>>) {
        Rest::compile(kinds);
        kinds.push(KindFor::of::<K>());
    }
}

/// The description of an agent.
#[derive(Clone, Debug, Serialize)]
pub struct AgentInfo {
    /// The name before the parentheses.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// The features it handles.
    #[serde(rename = "features", serialize_with = "feature_names")]
    pub handles: Features,
    /// The features that a game must have.
    #[serde(skip_serializing_if = "Features::is_empty", serialize_with = "feature_names")]
    pub requires: Features,
    /// What may stand between the parentheses, with a preset's own values as defaults.
    pub parameters: Vec<ParameterInfo>,
    /// The kind that a preset is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset_of: Option<&'static str>,
    /// What it reaches beyond its own computation.
    #[serde(skip)]
    pub trust: Trust,
    #[serde(skip)]
    preset: Option<&'static Preset>,
    /// The place of its kind in the tables of all games.
    #[serde(skip)]
    kind: usize,
    /// The parameters of the kind.
    #[serde(skip)]
    kind_parameters: &'static [Parameter],
}

fn feature_names<S: serde::Serializer>(features: &Features, serializer: S) -> Result<S::Ok, S::Error> {
    features.names().serialize(serializer)
}

impl AgentInfo {
    /// Appends a kind and its presets.
    pub fn add<K: AgentKind>(infos: &mut Vec<AgentInfo>) {
        let kind = AgentInfo {
            name: K::NAME,
            summary: K::SUMMARY,
            handles: K::HANDLES,
            requires: K::REQUIRES,
            parameters: K::PARAMETERS.iter().map(ParameterInfo::from).collect(),
            preset_of: None,
            trust: K::TRUST,
            preset: None,
            kind: infos.last().map_or(0, |last| last.kind + 1),
            kind_parameters: K::PARAMETERS,
        };
        infos.push(kind.clone());
        infos.extend(K::PRESETS.iter().map(|preset| kind.preset(preset)));
    }

    /// Adds a preset that is defined elsewhere than its kind, behind the other presets of the kind.
    ///
    /// # Panics
    /// If there is no kind of that name.
    pub fn add_preset(infos: &mut Vec<AgentInfo>, kind: &str, preset: &'static Preset) {
        let is_kind = |info: &&AgentInfo| info.preset_of.is_none() && info.name == kind;
        let kind = infos.iter().find(is_kind).unwrap_or_else(|| panic!("no kind of agent is called `{kind}`"));
        let place = infos.iter().rposition(|info| info.kind == kind.kind).map_or(infos.len(), |last| last + 1);
        let info = kind.preset(preset);
        infos.insert(place, info);
    }

    /// A preset of this kind.
    fn preset(&self, preset: &'static Preset) -> AgentInfo {
        let mut info = AgentInfo {
            name: preset.name,
            summary: preset.summary,
            preset_of: Some(self.name),
            preset: Some(preset),
            ..self.clone()
        };
        let own = Address { name: preset.name.to_owned(), arguments: Vec::new() };
        let resolved = info.resolve(own).map_or(Vec::new(), |resolved| resolved.arguments);
        for (key, value) in resolved {
            let mut parameters = info.parameters.iter_mut();
            if let Some(parameter) = parameters.find(|parameter| Some(parameter.name) == key.as_deref()) {
                parameter.default = Some(value);
            }
        }
        info
    }

    /// Whether it is a preset with a budget of its own, which the seat's budget does not replace.
    pub fn sets_budget(&self) -> bool {
        let limits = self.parameters.iter().filter(|parameter| Budget::KEYS.contains(&parameter.name));
        limits.filter_map(|parameter| parameter.default.as_deref()).any(|default| !default.is_empty())
    }

    /// The address of the kind that stands behind `address`.
    fn resolve(&self, address: Address) -> Result<Address, InputError> {
        match self.preset {
            Some(preset) => preset.resolve(&address, self.preset_of.unwrap_or(self.name), self.kind_parameters),
            None => Ok(address),
        }
    }

    /// Refuses a game with features that the agent does not handle, or without features that it requires.
    fn refuse_missing(&self, spec: &Spec) -> Result<(), InputError> {
        let (unhandled, lacking) = (spec.features - self.handles, self.requires - spec.features);
        refuse_features(self.name, &spec.name, unhandled, lacking).map_or(Ok(()), Err)
    }
}

/// The agent of that name among `infos`.
pub(crate) fn find<'a>(infos: &'a [AgentInfo], name: &str) -> Result<&'a AgentInfo, InputError> {
    infos.iter().find(|info| info.name == name).ok_or_else(|| {
        let names: Vec<&str> = infos.iter().map(|info| info.name).collect();
        unknown("agent", name, &names, "`tesuji agents` lists them all").of_kind(ErrorKind::UnknownAgent)
    })
}

/// Builds agents for games of type `G`.
pub(crate) trait Builder<G: Game>: Send + Sync {
    /// Descriptions of all agents, also of those that cannot play.
    fn infos(&self) -> &[AgentInfo];

    /// Builds the agent that `address` names for `game`, or refuses: unknown, unable to play it, or wrongly
    /// parametrised.
    fn build(&self, address: &str, game: &Arc<G>) -> Result<Box<dyn Agent<G>>, InputError>;

    /// Is the agent that `address` names another program, which may draw random numbers of its own, or none?
    fn is_outside(&self, address: &str) -> bool;

    /// What the decisions of the agent that `address` names depend on beside its address: the contents of files.
    fn contents(&self, address: &str, game: &Arc<G>) -> Result<String, InputError>;
}

/// The agents of a catalogue as they are for games of type `G`.
pub(crate) struct Agents<G: Game> {
    infos: Arc<[AgentInfo]>,
    kinds: Vec<KindFor<G>>,
}

impl<G: Complete> Agents<G> {
    /// The kinds that `infos` describes, in that order.
    pub(crate) fn new(infos: Arc<[AgentInfo]>, kinds: Vec<KindFor<G>>) -> Agents<G> {
        Agents { infos, kinds }
    }

    /// The kind of an agent, with the arguments of its address.
    fn bind(&self, info: &AgentInfo, address: Address) -> Result<(&KindFor<G>, Arguments), InputError> {
        let kind = &self.kinds[info.kind];
        Ok((kind, Arguments::bind(&info.resolve(address)?, kind.parameters)?.with_files(read_file)))
    }
}

impl<G: Complete> Builder<G> for Agents<G> {
    fn infos(&self) -> &[AgentInfo] {
        &self.infos
    }

    fn build(&self, address: &str, game: &Arc<G>) -> Result<Box<dyn Agent<G>>, InputError> {
        let address: Address = address.parse()?;
        let info = find(&self.infos, &address.name)?;
        info.refuse_missing(game.spec())?;
        let (kind, arguments) = self.bind(info, address)?;
        kind.build(&arguments, game)
    }

    fn is_outside(&self, address: &str) -> bool {
        let name = address.parse::<Address>().map(|address| address.name);
        name.is_ok_and(|name| find(&self.infos, &name).is_ok_and(|info| info.trust != Trust::Contained))
    }

    fn contents(&self, address: &str, game: &Arc<G>) -> Result<String, InputError> {
        let address: Address = address.parse()?;
        let (kind, arguments) = self.bind(find(&self.infos, &address.name)?, address)?;
        kind.contents(&arguments, game)
    }
}

/// The largest file that an argument of an agent names; a table of all vectors of TUBSTAP has a twentieth of it, the
/// largest network all of it.
const MOST_BYTES: u64 = 32 << 20;

/// Reads a text file that an argument of an agent names.
fn read_file(path: &str) -> Result<Source, InputError> {
    let wrong = |message: String| InputError::new(message).in_file(path);
    let unreadable = |error| wrong(format!("cannot read the file: {error}")).of_kind(ErrorKind::Unreadable);
    let length = files::length(path).map_err(unreadable)?;
    if length.is_none_or(|length| length > MOST_BYTES) {
        return Err(wrong("this is no table or network, or too large a one".to_owned()));
    }
    let text = files::read_to_string(path).map_err(unreadable)?;
    Ok(Source::new(path, text))
}
