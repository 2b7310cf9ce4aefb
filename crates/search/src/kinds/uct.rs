//! `uct`.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::AgentKind;
use super::parameters::{
    CHOICE_WORDS, CHOICES, EVALUATION, HORIZON_STEPS, HORIZON_TURNS, NODES, PLAYOUT, PLAYOUTS, SCALE, TIME, budget,
    simulation,
};
use crate::{Agent, FirstPlay, Opponents, Selection, Settings, TotalCount, Uct};

/// The kind `uct`.
pub struct UctKind;

impl AgentKind for UctKind {
    const NAME: &'static str = "uct";
    const SUMMARY: &'static str = "Monte Carlo tree search by upper confidence bounds (UCT), decoupled at joint moves";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &[
        PLAYOUTS,
        NODES,
        TIME,
        Parameter::new("c", "0.5", "how much the unknown attracts, in mean + c·√(ln N / n)"),
        Parameter::new("total", "node", "what N counts: visits of the node, or all playouts of the search (search)"),
        Parameter::new("first", "random", "untried actions: random or ordered (before all others), or a score"),
        Parameter::new("opponents", "own", "whose payoff the others want: their own, or the searcher's (searcher)"),
        Parameter::new("threshold", "0", "a leaf gets children when it is reached and had more playouts than this"),
        Parameter::new("discount", "1", "what one step leaves of a value's distance from the middle; 1: all"),
        Parameter::new(
            "choice",
            "auto",
            "the final action: visits, mean, robust, secure, mixed; auto: visits, or mixed at a joint move",
        ),
        Parameter::new("reuse", "true", "keep the tree between the decisions of a match"),
        Parameter::new("transpositions", "false", "let equal states share a node"),
        Parameter::new(
            "solver",
            "false",
            "prove results where one player chooses at a time, and stop at a proven root",
        ),
        Parameter::new("cap", "1000000", "the most nodes held; beyond, the least visited are dropped"),
        PLAYOUT,
        HORIZON_STEPS,
        HORIZON_TURNS,
        EVALUATION,
        SCALE,
    ];

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let total = [TotalCount::Node, TotalCount::Search][arguments.choice("total", &["node", "search"])?];
        let first_play = match arguments.text("first") {
            "random" => FirstPlay::Random,
            "ordered" => FirstPlay::Ordered,
            _ => FirstPlay::Urgency(
                arguments
                    .number("first", -1e6..=1e6)
                    .map_err(|_| arguments.wrong("first", "random, ordered or a number"))?,
            ),
        };
        let choice = CHOICES.get(arguments.choice("choice", &CHOICE_WORDS)?).copied();
        let settings = Settings {
            budget: budget(arguments)?,
            selection: Selection::Ucb1 { c: arguments.number("c", 0.0..=1e6)?, total, first_play },
            opponents: [Opponents::Own, Opponents::Searcher][arguments.choice("opponents", &["own", "searcher"])?],
            threshold: arguments.integer("threshold", 0..=u64::from(u32::MAX))? as u32,
            discount: arguments.number("discount", 0.0..=1.0)?,
            choice,
            reuse: arguments.flag("reuse")?,
            transpositions: arguments.flag("transpositions")?,
            solver: arguments.flag("solver")?,
            node_cap: arguments.integer("cap", 1..=100_000_000)? as u32,
        };
        Ok(Box::new(Uct::new(settings, simulation(arguments, game)?)))
    }
}
