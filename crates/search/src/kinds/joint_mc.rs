//! The agent kind `joint-mc` and the agents of paper 004.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::networks::network_contents;
use super::parameters::{BUDGET, PLAIN_SIMULATION, budget, joined, plain_simulation};
use super::{AgentKind, Preset};
use crate::Agent;
use crate::joint::{Draws, Image, JointAllocation, JointChoice, JointMc, NashMethod, Symmetry};

/// The features that searches of joint moves handle: one or two players.
pub(super) const JOINT_FEATURES: Features = Features::OPEN.difference(Features::MANY_PLAYERS);

pub(super) const NASH: Parameter = Parameter::new(
    "nash",
    "lp",
    "how mixed strategies are computed: paper (figure 3 of paper 004), lp (a linear program for each player) or \
        regret (matching+)",
);
pub(super) const TOLERANCE: Parameter = Parameter::new(
    "tolerance",
    "0.1",
    "mixed strategies are kept while no player can gain more than this in the table of estimates; 0: always recomputed",
);

pub(super) fn nash(arguments: &Arguments) -> Result<NashMethod, InputError> {
    let choice = arguments.choice(NASH.name, &["paper", "lp", "regret"])?;
    Ok([NashMethod::Figure3, NashMethod::Program, NashMethod::Regret][choice])
}

pub(super) fn choice(arguments: &Arguments) -> Result<JointChoice, InputError> {
    let choice = arguments.choice("choice", &["mean", "visits", "average", "equilibrium"])?;
    Ok([JointChoice::Mean, JointChoice::Visits, JointChoice::Average, JointChoice::Equilibrium][choice])
}

/// The kind `joint-mc`.
pub struct JointMcKind;

impl AgentKind for JointMcKind {
    const NAME: &'static str = "joint-mc";
    const SUMMARY: &'static str = "Monte Carlo on one table of joint actions (paper 004), for one or two players";
    const HANDLES: Features = JOINT_FEATURES;
    const REQUIRES: Features = Features::SIMULTANEOUS;
    const PARAMETERS: &'static [Parameter] = &joined::<19>(&[
        &BUDGET,
        &[
            Parameter::new(
                "allocation",
                "equilibrium",
                "which joint action is tried: uniform, own (own UCB1), marginal (UCB1 of each side) or equilibrium \
                    (of all UCB1)",
            ),
            Parameter::new("c", "0.5", "exploration constant c in mean + c·√(2·ln N / n)"),
            NASH,
            TOLERANCE,
            Parameter::new("second", "false", "search the second step by own UCB1 (MSUCB1.5)"),
            Parameter::new("draw", "0.5", "utility of a drawn playout, U(draw); a win is 1, a loss 0"),
            Parameter::new(
                "draws",
                "both",
                "for whom this utility holds: both, or own (the other player gets 1 minus \
                it)",
            ),
            Parameter::new(
                "symmetry",
                "off",
                "drop own first moves that mirror others: off, even (on boards symmetric for both players, as in \
                    paper 004) or first",
            ),
            Parameter::new(
                "choice",
                "equilibrium",
                "the final action: mean, visits, average (in proportion to visits) or equilibrium (of the means)",
            ),
        ],
        &PLAIN_SIMULATION,
        &[Parameter::new(
            "image",
            "first",
            "which of several mirrored first moves is played when one of them was searched: first or random",
        )],
    ]);
    // Paper 004, table 1 and §6.1: c = 0.5 (§6.2, §6.4), U(win, draw, loss) = (1, 0.5, 0) (§6.5). For all agents,
    // playouts drop moves that do not hinder the opponent, and first moves on square boards are reduced by symmetry
    // (§6.1). The number of playouts per move is 10,000, 20,000 or 100,000 depending on the experiment, so the seat
    // sets it.
    const PRESETS: &'static [Preset] = &[
        Preset {
            name: "sm-mc",
            arguments: "allocation=uniform,choice=mean,symmetry=even",
            summary: "Monte Carlo of paper 004: all joint actions equally likely, the best mean",
        },
        Preset {
            name: "simple-ucb-0.5",
            arguments: "allocation=own,c=0.5,choice=visits,symmetry=even",
            summary: "SimpleUCB0.5 of paper 004: own UCB1 only, the most visits",
        },
        Preset {
            name: "simple-ucb-1",
            arguments: "allocation=marginal,c=0.5,choice=visits,symmetry=even",
            summary: "SimpleUCB1 of paper 004: each side by its own UCB1, the most visits",
        },
        Preset {
            name: "msucb-1",
            arguments: "allocation=equilibrium,nash=paper,tolerance=0.02,c=0.5,choice=equilibrium,symmetry=even",
            summary: "MSUCB1 of paper 004: joint actions drawn from the equilibrium of their UCB1 values",
        },
        Preset {
            name: "msucb-1.5",
            arguments: "allocation=equilibrium,nash=paper,tolerance=0.02,c=0.5,second=true,choice=equilibrium,\
                symmetry=even",
            summary: "MSUCB1.5 of paper 004 (§6.3): MSUCB1 with own UCB1 in the second step",
        },
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let allocation = arguments.choice("allocation", &["uniform", "own", "marginal", "equilibrium"])?;
        let draw = arguments.number("draw", 0.0..=1.0)?;
        Ok(Box::new(JointMc {
            allocation: [
                JointAllocation::Uniform,
                JointAllocation::Own,
                JointAllocation::Marginal,
                JointAllocation::Equilibrium,
            ][allocation],
            c: arguments.number("c", 0.0..=1e6)?,
            nash: nash(arguments)?,
            tolerance: arguments.number(TOLERANCE.name, 0.0..=1.0)?,
            second: arguments.flag("second")?,
            draws: Draws { own: draw, other: [draw, 1.0 - draw][arguments.choice("draws", &["both", "own"])?] },
            symmetry: [Symmetry::Off, Symmetry::Even, Symmetry::First]
                [arguments.choice("symmetry", &["off", "even", "first"])?],
            image: [Image::First, Image::Random][arguments.choice("image", &["first", "random"])?],
            choice: choice(arguments)?,
            simulation: plain_simulation(arguments, game)?,
            budget: budget(arguments)?,
        }))
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        network_contents(arguments, game)
    }
}
