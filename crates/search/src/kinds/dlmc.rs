//! The agent kind `dlmc` (depth-limited Monte Carlo) and its presets.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::attack_search::{LENGTH, attack_search};
use super::networks::{NET, network_contents};
use super::parameters::{NODES, PLAYOUT, PLAYOUTS, TIME, policy};
use super::requirements::{
    END_BY_EVALUATION, JUDGEMENT, ROUTINE, SAMPLER, STATES, TURN_FEATURES, VALUE_SCALE, judgement,
};
use super::turn_agent::{DIVIDE, dividing_agent};
use super::{AgentKind, Preset};
use crate::{Adjustment, Agent, Dlmc, Judge, TurnAllocation};

/// The kind `dlmc`.
pub struct DlmcKind;

impl AgentKind for DlmcKind {
    const NAME: &'static str = "dlmc";
    const SUMMARY: &'static str =
        "Depth-limited Monte Carlo (paper 002, section 4.3): random whole turns, evaluated by short playouts";
    const HANDLES: Features = TURN_FEATURES;
    const NEEDS: Capabilities = Capabilities::HEURISTICS;
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("samples", "200", "whole turns drawn (m)"),
        Parameter::new("simulations", "100", "playouts for each of them (n)"),
        Parameter::new("turns", "2", "turns of a playout (d)"),
        Parameter::new("attack", "false", "compare the best turn of attack action search as well (section 5.1)"),
        Parameter::new("adjust", "0", "how many of the best turns are adjusted locally (j, section 5.2)"),
        Parameter::new("tail", "4", "the last actions of a turn that an adjustment replaces (k)"),
        Parameter::new(
            "allocation",
            "equal",
            "how playouts are shared among turns: `equal`, as in the paper, or `halving` (sequential halving)",
        ),
        DIVIDE,
        LENGTH,
        STATES,
        SAMPLER,
        PLAYOUT,
        JUDGEMENT,
        ROUTINE,
        VALUE_SCALE,
        END_BY_EVALUATION,
        NET,
    ];
    // Paper 002, table 2: samples and simulations, with d = 2, l = 4, j = 10, k = 4. `playouts` is their product.
    const PRESETS: &'static [Preset] = &[
        Preset {
            name: "dlmc-002",
            arguments: "playouts=20000,samples=200,simulations=100,turns=2",
            summary: "DLMC with the parameters of paper 002, table 2",
        },
        Preset {
            name: "dlmc-attack",
            arguments: "playouts=15100,samples=150,simulations=100,turns=2,attack=true,length=4",
            summary: "DLMC with attack action search (paper 002, section 5.1, method 1 of table 2)",
        },
        Preset {
            name: "dlmc-local",
            arguments: "playouts=16000,samples=150,simulations=100,turns=2,adjust=10,tail=4",
            summary: "DLMC with local adjustment (paper 002, section 5.2, method 2 of table 2)",
        },
        Preset {
            name: "dlmc-both",
            arguments: "playouts=11100,samples=100,simulations=100,turns=2,attack=true,length=4,adjust=10,tail=4",
            summary: "DLMC with attack action search and local adjustment (paper 002, section 6, method 1+2 of table \
                2)",
        },
        // Paper 000, section 5.1: m = 100, d = 3, 80 playouts per sample.
        Preset {
            name: "dlmc-000",
            arguments: "playouts=8000,samples=100,simulations=80,turns=3",
            summary: "DLMC with the parameters of paper 000, section 5.1",
        },
        // Our own: as many playouts as in table 2 for twenty times as many turns, chosen among three numbers
        // (experiments/results/002.md).
        Preset {
            name: "dlmc-halving",
            arguments: "playouts=11100,samples=2000,simulations=6,turns=2,attack=true,length=4,adjust=10,tail=4,\
                        allocation=halving,end=1000",
            summary: "dlmc-both with as many playouts for twenty times the turns, shared by sequential halving",
        },
        // Paper 002, section 8, suggests dividing large boards and combining the plans of the parts. Eight units:
        // chosen among 3 to 10 by short matches (experiments/results/tbs.md).
        Preset {
            name: "dlmc-divided",
            arguments: "samples=100,simulations=100,turns=2,attack=true,length=4,adjust=10,tail=4,divide=8,\
                allocation=halving,end=1000",
            summary: "dlmc-both for large maps: at most eight units of a local fight at a time, plans joined (paper \
                002, section 8)",
        },
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let number = |name: &str, least: u64| arguments.integer(name, least..=1_000_000);
        let adjusted = number("adjust", 0)? as usize;
        let add_attack_turn = arguments.flag("attack")?;
        let attacks = if add_attack_turn || adjusted > 0 { Some(attack_search(arguments, game)?) } else { None };
        let planner = Dlmc {
            samples: number("samples", 1)? as u32,
            simulations: number("simulations", 1)? as u32,
            sampler: policy(arguments, SAMPLER.name, game)?,
            judge: Judge {
                policy: policy(arguments, PLAYOUT.name, game)?,
                turns: number("turns", 0)? as u32,
                evaluation: judgement(arguments, game)?,
            },
            allocation: [TurnAllocation::Equal, TurnAllocation::Halving]
                [arguments.choice("allocation", &["equal", "halving"])?],
            attacks,
            add_attack_turn,
            adjustment: match adjusted {
                0 => None,
                turns => Some(Adjustment { turns, actions: number("tail", 1)? as usize }),
            },
        };
        dividing_agent(planner, arguments, game)
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}
