//! Kinds of agents: what a name stands for, before any game is chosen.

use tesuji_core::laws::Complete;
use tesuji_core::{Address, Arguments, Capabilities, ErrorKind, Features, InputError, Knowledge, Parameter};

use crate::{Agent, Budget};

/// What an agent can access besides its own computation. A server that runs agents for strangers uses this to decide
/// which ones to allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trust {
    /// It computes, and reads at most the files that its parameters declare.
    #[default]
    Contained,
    /// It starts programs on this machine.
    StartsPrograms,
    /// It opens network connections: what it plays depends on somebody's server.
    Network,
    /// It stands for an external player and cannot be seated here.
    Outside,
}

/// A kind of agent: its name, its parameters, and how an agent is built.
///
/// A kind builds agents for every game. [`Complete`] gives access to the game's notation, which agents need that
/// communicate with external programs. An implementation that needs less may ask for less, such as `G: Game + Knowledge
/// + 'static`.
pub trait AgentKind {
    /// The name before the parentheses of an address.
    const NAME: &'static str;
    /// What it is, in one sentence.
    const SUMMARY: &'static str;
    /// The features that it handles.
    const HANDLES: Features;
    /// The features that a game must have. An agent for joint moves, for example, is not made for games without them.
    const REQUIRES: Features = Features::empty();
    /// The capabilities that a game must offer, whatever the arguments. Arguments may require more.
    const NEEDS: Capabilities = Capabilities::empty();
    /// Its parameters.
    const PARAMETERS: &'static [Parameter];
    /// Presets: names for this kind with some arguments already given.
    const PRESETS: &'static [Preset] = &[];
    /// What it can access besides its own computation.
    const TRUST: Trust = Trust::Contained;
    /// Whether its agents look at many states for a decision. Those that do not (they ask a program, for example) are
    /// compiled once, for a game without types, instead of once for each game.
    const SEARCHES: bool = true;

    /// Builds the agent. `arguments` were bound to [`PARAMETERS`](AgentKind::PARAMETERS).
    fn build<G: Complete>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError>;

    /// The contents of files and tables that the arguments name, on which decisions depend; empty if there are none.
    /// They are part of the identity of a run, so that a changed file is noticed.
    fn contents<G: Complete>(_arguments: &Arguments, _game: &G) -> Result<String, InputError> {
        Ok(String::new())
    }
}

/// Whether an agent of kind `K` can ever play a game of type `G`.
///
/// This is a constant. If it is false, the kind refuses every game of the type, and its code need not be compiled for
/// it:
///
/// ```
/// use tesuji_core::laws::Complete;
/// use tesuji_core::{Arguments, InputError};
/// use tesuji_play::{Agent, AgentKind, can_ever_play, refusal};
///
/// fn build<K: AgentKind, G: Complete>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
///     // The compiler drops the call, and with it the agent, where the condition is false.
///     if const { can_ever_play::<K, G>() } { K::build(arguments, game) } else { Err(refusal::<K, G>(game)) }
/// }
/// ```
pub const fn can_ever_play<K: AgentKind, G: Knowledge>() -> bool {
    K::HANDLES.contains(G::ALWAYS) && G::CLASS.contains(K::REQUIRES) && G::OFFERS.contains(K::NEEDS)
}

/// The error for a kind that can never play a game of this type: it names the features or capabilities in question.
pub fn refusal<K: AgentKind, G: Knowledge>(game: &G) -> InputError {
    let spec = game.spec();
    refuse_features(K::NAME, &spec.name, G::ALWAYS.difference(K::HANDLES), K::REQUIRES.difference(G::CLASS))
        .unwrap_or_else(|| refuse_capabilities(K::NAME, &spec.name, K::NEEDS.difference(G::OFFERS)))
}

/// The error for an agent that cannot play a game because of the game's features: those that the agent does not
/// handle, or those that it requires and the game lacks. `None` if there are none.
pub fn refuse_features(agent: &str, game: &str, unhandled: Features, lacking: Features) -> Option<InputError> {
    let reason = match (unhandled.is_empty(), lacking.is_empty()) {
        (false, _) => format!("it does not handle {unhandled}"),
        (true, false) => format!("it requires the feature {lacking}, which `{game}` does not have"),
        (true, true) => return None,
    };
    Some(refuse(agent, game, &reason))
}

fn refuse_capabilities(agent: &str, game: &str, missing: Capabilities) -> InputError {
    let names: Vec<String> = missing.names().into_iter().map(|name| format!("`{name}`")).collect();
    let word = if names.len() == 1 { "capability" } else { "capabilities" };
    refuse(agent, game, &format!("it needs the {word} {}, which `{game}` does not offer", names.join(" and ")))
}

fn refuse(agent: &str, game: &str, reason: &str) -> InputError {
    InputError::new(format!("`{agent}` cannot play `{game}`: {reason}"))
        .of_kind(ErrorKind::Refused)
        .with_help(format!("`tesuji agents --game \"{game}\"` lists the agents that can"))
}

/// A preset: a name for a kind with some arguments already given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The name before the parentheses of an address.
    pub name: &'static str,
    /// The arguments it gives, as written between the parentheses.
    pub arguments: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
}

impl Preset {
    /// Resolves `user`, an address with this preset's name, to an address of the kind `base` with `parameters`. The
    /// user's arguments override those of the preset, and any limit of a budget overrides all of the preset's.
    pub fn resolve(&self, user: &Address, base: &str, parameters: &[Parameter]) -> Result<Address, InputError> {
        let preset: Address = format!("{base}({})", self.arguments).parse()?;
        let mut names = parameters.iter().map(|parameter| parameter.name);
        let mut arguments = Vec::new();
        for (key, value) in &user.arguments {
            let key = match key {
                Some(key) => key.clone(),
                None => names.next().map(str::to_owned).ok_or_else(|| {
                    InputError::new(format!("too many arguments: `{value}` in `{user}`"))
                        .of_kind(ErrorKind::Parameter)
                        .with_help(format!("`{}` takes what `{base}` takes", self.name))
                })?,
            };
            arguments.push((Some(key), value.clone()));
        }
        let given = arguments.len();
        let limits = |key: &Option<String>| key.as_deref().is_some_and(|key| Budget::KEYS.contains(&key));
        let own_budget = arguments.iter().any(|(key, _)| limits(key));
        for (key, value) in preset.arguments {
            let overridden = own_budget && limits(&key) || arguments[..given].iter().any(|(name, _)| *name == key);
            if !overridden {
                arguments.push((key, value));
            }
        }
        Ok(Address { name: preset.name, arguments })
    }
}
