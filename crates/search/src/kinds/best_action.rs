//! The agent kind `best-action` and its presets.

use tesuji_core::{Arguments, Capabilities, Features, Game, InputError, Knowledge, Parameter};

use super::parameters::{NODES, PLAYOUTS, TIME, budget, unknown};
use super::requirements::{TURN_FEATURES, first_if_auto, lacks};
use super::{AgentKind, Preset};
use crate::{Agent, BestAction};

/// The kind `best-action`.
pub struct BestActionKind;

impl AgentKind for BestActionKind {
    const NAME: &'static str = "best-action";
    const SUMMARY: &'static str =
        "The best action, or the first of the best two, by the game's evaluation of single actions";
    const HANDLES: Features = TURN_FEATURES;
    const NEEDS: Capabilities = Capabilities::HEURISTICS;
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("length", "1", "actions looked ahead within the turn: 1 or 2"),
        Parameter::new("judgement", "auto", "evaluates actions, by a name the game offers; auto: the first it offers"),
    ];
    const PRESETS: &'static [Preset] = &[
        // Paper 000, section 3.1: the platform's default agent.
        Preset { name: "best-single", arguments: "length=1", summary: "Best single action (paper 000, section 3.1)" },
        // Paper 000, section 3.2.
        Preset { name: "best-pair", arguments: "length=2", summary: "Action-pair evaluation (paper 000, section 3.2)" },
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let refusal = || lacks(arguments, game.spec(), "an evaluation of actions", Capabilities::HEURISTICS);
        let heuristics = game.heuristics().ok_or_else(refusal)?;
        let offered = heuristics.action_evaluations(game);
        let name = first_if_auto(arguments, "judgement", offered).ok_or_else(refusal)?;
        let found = heuristics.action_evaluation(game, name);
        let evaluation = found.ok_or_else(|| unknown(game.spec(), "judgement", name, &["auto"], offered))?;
        let pairs = arguments.integer("length", 1..=2)? == 2;
        Ok(Box::new(BestAction { evaluation, pairs, budget: budget(arguments)? }))
    }
}
