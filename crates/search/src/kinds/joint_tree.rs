//! The agent kind `joint-tree`: MSUCT and simultaneous-move MCTS.

use tesuji_core::{Arguments, Features, Game, Horizon, InputError, Knowledge, Parameter};

use super::joint_mc::{JOINT_FEATURES, NASH, TOLERANCE, choice, nash};
use super::networks::{NET, network_contents, network_evaluation, network_source};
use super::parameters::{BUDGET, PLAIN_SIMULATION, budget, joined, plain_simulation, share_evaluation};
use super::{AgentKind, Preset};
use crate::Agent;
use crate::joint::{JointBackup, JointSelection, JointTree, TreeSettings};

/// The kind `joint-tree`.
pub struct JointTreeKind;

impl AgentKind for JointTreeKind {
    const NAME: &'static str = "joint-tree";
    const SUMMARY: &'static str =
        "Monte Carlo tree search with mixed strategies at every joint move, for one or two players";
    const HANDLES: Features = JOINT_FEATURES;
    const REQUIRES: Features = Features::SIMULTANEOUS;
    const PARAMETERS: &'static [Parameter] = &joined::<29>(&[
        &BUDGET,
        &[
            Parameter::new(
                "selection",
                "uct",
                "how a node chooses: uct (decoupled), exp3, regret, regret-plus or equilibrium (MSUCT)",
            ),
            Parameter::new("c", "0.5", "for uct and equilibrium: exploration constant c in mean + c·√(2·ln N / n)"),
            Parameter::new("exploration", "0.2", "for exp3, regret and regret-plus: the fraction of uniform play"),
            NASH,
            TOLERANCE,
            Parameter::new("backup", "value", "a node's value: mean (of its playouts) or value (of its table)"),
            Parameter::new(
                "refresh",
                "0.1",
                "mixed strategies and values of a node are recomputed when its visits have grown by this fraction",
            ),
            Parameter::new(
                "choice",
                "equilibrium",
                "the final action: mean, visits, average (strategy of the search) or equilibrium (of the estimates)",
            ),
            Parameter::new(
                "threshold",
                "1",
                "a node gets a table when it is reached after at least this many playouts",
            ),
            Parameter::new("share", "true", "let positions of equal value share a node"),
            Parameter::new("certain", "true", "use values that the game knows without search"),
            Parameter::new(
                "solve",
                "0",
                "the fraction of the budget that may go into solving the root exactly, and nodes of the tree; a \
                    position counts as a playout",
            ),
            Parameter::new("cap", "16000000", "the most joint actions stored, 16 bytes each"),
        ],
        &PLAIN_SIMULATION,
        // Chosen among 0 to 0.05 on Goofspiel with two and three cards, by `tesuji exploitability`.
        &[
            Parameter::new("near", "0.01", "for uct: draw among actions whose bounds are this close to the greatest"),
            Parameter::new(
                "hedge",
                "0",
                "for choice=equilibrium: after few playouts the final strategy is partly in proportion to visits; 0: \
                    never",
            ),
            Parameter::new(
                "shrink",
                "4",
                "for regret-plus: a joint action counts as tried this many more times, with the result that the means \
                    of its two actions predict",
            ),
            Parameter::new(
                "purify",
                "0",
                "for choice=average: actions whose share is less than this fraction of the greatest are not played",
            ),
            Parameter::new(
                "large",
                "0",
                "if the root has more joint actions than this: selection=regret-plus, backup=mean, choice=average, and \
                    half as much for solving nodes of the tree; 0: never",
            ),
            Parameter::new(
                "leaves",
                "playouts",
                "what new positions are worth: playouts (one each), evaluation (the game's own, if it offers one that \
                    is a share of the payoffs; else playouts), or network (all successors of a position by the game's \
                    network or by net, with tables solved at every node; playouts if there is none)",
            ),
            Parameter::new(
                "careless",
                "0",
                "for leaves=network: how often the other is assumed to choose at random, in the final strategy; 0: \
                    never, the equilibrium is played",
            ),
        ],
    ]);
    const PRESETS: &'static [Preset] = &[
        // Paper 004, §7: the tree grows by visits as in UCT, with the method of MSUCB at every node; c = 0.5 as there.
        Preset {
            name: "msuct",
            arguments: "selection=equilibrium,c=0.5,nash=lp,backup=mean,choice=equilibrium,share=false,certain=false",
            summary: "MSUCT, the plan of paper 004 (§7): MSUCB at every node of a growing tree",
        },
        // The three selections of Lanctot, Lisý and Winands 2013, without extensions.
        Preset {
            name: "sm-uct",
            arguments: "selection=uct,c=0.5,backup=mean,choice=average,share=false,certain=false",
            summary: "Decoupled UCT, drawn in proportion to visits",
        },
        Preset {
            name: "sm-exp3",
            arguments: "selection=exp3,exploration=0.2,backup=mean,choice=average,share=false,certain=false",
            summary: "Simultaneous-move MCTS by Exp3, the average strategy",
        },
        Preset {
            name: "sm-regret",
            arguments: "selection=regret,exploration=0.1,backup=mean,choice=average,share=false,certain=false",
            summary: "Simultaneous-move MCTS by regret matching, the average strategy",
        },
        // The best settings on boards with known values (docs/agents/simultaneous.md); `hedge` by NashConv of Goofspiel
        // with 4 and 5 cards and Oshi-Zumo with 8 coins at 30 to 1,000 playouts, as the mean of ten searches.
        // `exploration`, `shrink` and `purify` also by matches of Goofspiel with 8 and 9 cards, Oshi-Zumo with 30 coins
        // and boards of 6×9 and 7×7. `leaves=evaluation` is less exploitable in small Goofspiel, but with 13 cards it
        // won 49.5 % instead of 64.5 % against the lab's *club* (`levels/bids`, 100 matches), so it is not used.
        // `careless` was chosen among 0, 0.1, 0.2 and 0.35 by 200 to 300 matches each of Goofspiel with 13 cards, with
        // earlier networks, against `msuct` and `sm-regret` (seeds 5 to 10). Against `msuct`, 0.2 and 0.35 won 66.5 %,
        // and 0 won 54 to 55 %; against `sm-regret` no difference was seen. The value is between the two.
        Preset {
            name: "joint-best",
            arguments: "selection=uct,c=0.5,backup=value,choice=equilibrium,solve=0.5,hedge=1,large=64,exploration=0.1,\
                purify=0.25,leaves=network,careless=0.3",
            summary: "Exact where half the budget suffices; else by the game's network; else by playouts with solved \
                tables",
        },
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let c = arguments.number("c", 0.0..=1e6)?;
        let exploration = arguments.number("exploration", 1e-6..=1.0)?;
        let shrink = arguments.number("shrink", 0.0..=1e6)?;
        let selection = [
            JointSelection::Decoupled { c, near: arguments.number("near", 0.0..=1.0)? },
            JointSelection::Exp3 { exploration },
            JointSelection::Regret { exploration },
            JointSelection::RegretPlus { exploration, shrink },
            JointSelection::Equilibrium { c },
        ];
        let settings = TreeSettings {
            selection: selection
                [arguments.choice("selection", &["uct", "exp3", "regret", "regret-plus", "equilibrium"])?],
            nash: nash(arguments)?,
            tolerance: arguments.number(TOLERANCE.name, 0.0..=1.0)?,
            backup: [JointBackup::Mean, JointBackup::Value][arguments.choice("backup", &["mean", "value"])?],
            choice: choice(arguments)?,
            threshold: arguments.integer("threshold", 0..=u64::from(u32::MAX))? as u32,
            refresh: arguments.number("refresh", 0.0..=100.0)?,
            share: arguments.flag("share")?,
            certain: arguments.flag("certain")?,
            solve: arguments.number("solve", 0.0..=1.0)?,
            solve_nodes: arguments.number("solve", 0.0..=1.0)?,
            hedge: arguments.number("hedge", 0.0..=1e6)?,
            exploration,
            shrink,
            careless: arguments.number("careless", 0.0..=1.0)?,
            purify: arguments.number("purify", 0.0..=1.0)?,
            large: arguments.integer("large", 0..=1_000_000_000)? as usize,
            cap: arguments.integer("cap", 1..=1_000_000_000)? as usize,
            budget: budget(arguments)?,
        };
        let mut simulation = plain_simulation(arguments, game)?;
        let leaves = leaves(arguments)?;
        if leaves == Leaves::Evaluation
            && let Some(evaluation) = share_evaluation(game)
        {
            (simulation.evaluation, simulation.horizon) = (Some(evaluation), Horizon::steps(0));
        }
        let tree = JointTree::new(settings, simulation);
        Ok(Box::new(match leaves == Leaves::Network && has_network(arguments, game) {
            true => tree.with_value(network_evaluation(arguments, game)?),
            false => tree,
        }))
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        match leaves(arguments)? == Leaves::Network && has_network(arguments, game) {
            true => Ok(network_source(arguments, game)?.text().to_owned()),
            false => network_contents(arguments, game),
        }
    }
}

/// What new positions are worth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    Playouts,
    Evaluation,
    Network,
}

fn leaves(arguments: &Arguments) -> Result<Leaves, InputError> {
    let choice = arguments.choice("leaves", &["playouts", "evaluation", "network"])?;
    Ok([Leaves::Playouts, Leaves::Evaluation, Leaves::Network][choice])
}

/// Whether the arguments name a network, or the game comes with one.
fn has_network<G: Knowledge>(arguments: &Arguments, game: &G) -> bool {
    let offered = game.value_features().is_some_and(|features| !features.networks(game).is_empty());
    offered || !arguments.text(NET.name).is_empty()
}
