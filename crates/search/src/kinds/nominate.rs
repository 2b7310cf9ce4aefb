//! The agent kind `nominate`: several methods nominate, Monte Carlo decides.

use tesuji_core::laws::Complete;
use tesuji_core::{Address, Arguments, Features, InputError, Parameter, ReadFile};

use super::networks::network_contents;
use super::parameters::{BUDGET, SIMULATION, budget, joined, simulation, unknown_name};
use super::{AgentKind, ExpectimaxKind, LookAheadKind, McKind, Preset, RandomKind, UctKind};
use crate::{Agent, Nominate};

/// The kind `nominate`.
pub struct NominateKind;

impl AgentKind for NominateKind {
    const NAME: &'static str = "nominate";
    const SUMMARY: &'static str =
        "Several agents nominate an action each, flat Monte Carlo decides among them (paper 003 §6.4)";
    const HANDLES: Features =
        Features::CHANCE.union(Features::MULTI_ACTION).union(Features::GENERAL_SUM).union(Features::MANY_PLAYERS);
    const PARAMETERS: &'static [Parameter] = &joined::<20>(&[
        &BUDGET,
        &[Parameter::new(
            "nominators",
            "mc + random",
            "the nominating agents, separated by +: addresses of look-ahead, expectimax, uct, mc, random and their \
                presets",
        )
        .agents()],
        &SIMULATION,
    ]);
    // §6.4: one of the methods is typeA combined with others; Monte Carlo decides the rest.
    const PRESETS: &'static [Preset] = &[Preset {
        name: "nominate-types",
        arguments: "nominators=typeA + typeB + typeAB,playout=uniform",
        summary: "Paper 003 §6.4: the three look-aheads nominate, uniform playouts decide",
    }];

    fn build<G: Complete>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let parts = arguments.text("nominators").split('+').map(str::trim);
        let nominators = parts
            .map(|part| nominator(&part.parse()?, game, arguments.read_file()))
            .collect::<Result<Vec<_>, InputError>>()?;
        Ok(Box::new(Nominate { nominators, simulation: simulation(arguments, game)?, budget: budget(arguments)? }))
    }

    fn contents<G: Complete>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}

/// The agent that `address` names, of those that may nominate.
fn nominator<G: Complete>(address: &Address, game: &G, read_file: ReadFile) -> Result<Box<dyn Agent<G>>, InputError> {
    fn of<K: AgentKind, G: Complete>(
        address: &Address,
        game: &G,
        read_file: ReadFile,
        names: &mut Vec<&'static str>,
    ) -> Option<Result<Box<dyn Agent<G>>, InputError>> {
        let arguments = bound(address, (K::NAME, K::PRESETS, K::PARAMETERS), read_file, names)?;
        Some(arguments.and_then(|arguments| K::build(&arguments, game)))
    }
    let names = &mut Vec::new();
    None.or_else(|| of::<LookAheadKind, G>(address, game, read_file, names))
        .or_else(|| of::<ExpectimaxKind, G>(address, game, read_file, names))
        .or_else(|| of::<UctKind, G>(address, game, read_file, names))
        .or_else(|| of::<McKind, G>(address, game, read_file, names))
        .or_else(|| of::<RandomKind, G>(address, game, read_file, names))
        .unwrap_or_else(|| Err(unknown_name("nominators", &address.name, names)))
}

/// The arguments of `address` if it names this kind or one of its presets, whose names are added to `names`.
fn bound(
    address: &Address,
    (kind, presets, parameters): (&'static str, &'static [Preset], &'static [Parameter]),
    read_file: ReadFile,
    names: &mut Vec<&'static str>,
) -> Option<Result<Arguments, InputError>> {
    let preset = presets.iter().find(|preset| preset.name == address.name);
    names.push(kind);
    names.extend(presets.iter().map(|preset| preset.name));
    let resolved = match preset {
        Some(preset) => preset.resolve(address, kind, parameters),
        None if address.name == kind => Ok(address.clone()),
        None => return None,
    };
    Some(resolved.and_then(|address| Ok(Arguments::bind(&address, parameters)?.with_files(read_file))))
}
