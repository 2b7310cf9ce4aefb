//! The agent kind `look-ahead` and the agents of paper 003.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::parameters::{BUDGET, budget, game_evaluation, joined};
use super::requirements::lacks;
use super::{AgentKind, Preset};
use crate::{Agent, Backup, LookAhead, Standard};

/// The kind `look-ahead`.
pub struct LookAheadKind;

impl AgentKind for LookAheadKind {
    const NAME: &'static str = "look-ahead";
    const SUMMARY: &'static str = "Paper 003: averages over dice and actions, pruned in stages; needs an evaluation";
    const HANDLES: Features =
        Features::CHANCE.union(Features::MULTI_ACTION).union(Features::GENERAL_SUM).union(Features::MANY_PLAYERS);
    const NEEDS: Capabilities = Capabilities::HEURISTICS;
    const PARAMETERS: &'static [Parameter] = &joined::<11>(&[
        &BUDGET,
        &[
            Parameter::new(
                "depth",
                "3",
                "search depth in choices, 1 to 99; stages are 1, 3, 5 … (2, 4 … to an even \
                depth)",
            ),
            Parameter::new(
                "evaluation",
                "",
                "evaluates the leaves, by a name the game offers; empty: the first it offers",
            ),
            Parameter::new(
                "standard",
                "mean",
                "what an action must reach to be searched deeper: mean (of its stage), off, or a value",
            ),
            Parameter::new(
                "backup",
                "mean",
                "how values are combined: mean, or sum (faces × value, as the paper writes it)",
            ),
            Parameter::new("faces", "6", "for backup=sum: faces of the die"),
            Parameter::new("end", "200", "value of a won match; a lost one has the negative value"),
            Parameter::new(
                "obvious",
                "0.5",
                "probability of an immediate win at which no search is needed, for either side; off: always search",
            ),
            Parameter::new("memory", "true", "search equal states once"),
        ],
    ]);
    // §4: the default depth is 3. Only the depth ends the search, so the seat's budget does not apply.
    const PRESETS: &'static [Preset] = &[
        Preset {
            name: "typeA",
            arguments: "depth=3,evaluation=typeA,playouts=1000000000000",
            summary: "Paper 003 §4: the look-ahead by own pieces; depth=5 is the 5-ply of §5.2.3",
        },
        Preset {
            name: "typeB",
            arguments: "depth=3,evaluation=typeB,playouts=1000000000000",
            summary: "Paper 003 §4: the look-ahead by both sides' pieces",
        },
        Preset {
            name: "typeAB",
            arguments: "depth=3,evaluation=typeAB,playouts=1000000000000",
            summary: "Paper 003 §4: type(A+B), typeB where one is behind and typeA elsewhere",
        },
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let Some(evaluation) = game_evaluation(arguments, game)? else {
            let refusal = lacks(arguments, game.spec(), "an evaluation of states", Capabilities::HEURISTICS);
            return Err(refusal.with_help("`expectimax` and `uct` need none"));
        };
        let standard = match arguments.text("standard") {
            "mean" => Standard::Mean,
            "off" => Standard::Off,
            _ => Standard::Value(
                arguments
                    .number("standard", -1e9..=1e9)
                    .map_err(|_| arguments.wrong("standard", "mean, off or a number"))?,
            ),
        };
        let faces = arguments.number("faces", 1.0..=1e6)?;
        Ok(Box::new(LookAhead {
            evaluation,
            depth: arguments.integer("depth", 1..=99)? as u32,
            standard,
            backup: [Backup::Mean, Backup::Sum { faces }][arguments.choice("backup", &["mean", "sum"])?],
            end: arguments.number("end", 1e-9..=1e9)?,
            obvious: match arguments.text("obvious") {
                "off" => None,
                _ => Some(
                    arguments
                        .number("obvious", 1e-9..=1.0)
                        .map_err(|_| arguments.wrong("obvious", "off or a chance above 0, up to 1"))?,
                ),
            },
            memory: arguments.flag("memory")?,
            budget: budget(arguments)?,
            remembered: Default::default(),
        }))
    }
}
