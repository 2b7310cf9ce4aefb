//! `uct`.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::parameters::{
    CHOICE_WORDS, CHOICES, EVALUATION, HORIZON_STEPS, HORIZON_TURNS, NODES, PLAYOUT, PLAYOUTS, SCALE, TIME, budget,
    simulation,
};
use super::requirements::{needs_attacks, needs_pieces};
use super::{AgentKind, Preset};
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
        Parameter::new(
            "widening",
            "false",
            "look at few actions of a node at first, attacks before others (paper 002, eq. 2)",
        ),
        Parameter::new(
            "split",
            "false",
            "the budget is for a whole turn and is shared evenly by the pieces that act in it",
        ),
        Parameter::new("cap", "1000000", "the most nodes held; beyond, the least visited are dropped"),
        PLAYOUT,
        HORIZON_STEPS,
        HORIZON_TURNS,
        EVALUATION,
        SCALE,
    ];
    const PRESETS: &'static [Preset] = &[
        // Paper 000, section 5.1: 2000 playouts, threshold 20, c = 0.15; section 4.2: the best mean is played. Its program counts N over
        // the whole search and lets the opponent's nodes take what is best for the one who searches.
        Preset {
            name: "unit-uct",
            arguments: "playouts=2000,c=0.15,total=search,opponents=searcher,threshold=20,choice=mean,reuse=false",
            summary: "Unit-action-tree UCT as the program of paper 000 searches (section 5)",
        },
        // The same with the two faults mended.
        Preset {
            name: "unit-uct-sound",
            arguments: "playouts=2000,c=0.15,total=node,opponents=own,threshold=20,choice=mean,reuse=false",
            summary: "Unit-action-tree UCT of paper 000 (section 5), every node counted and played for its own mover",
        },
        // Paper 000, section 7.2: 2000 playouts an action, threshold 10, c = 0.15.
        Preset {
            name: "unit-uct-10",
            arguments: "playouts=2000,c=0.15,total=search,opponents=searcher,threshold=10,choice=mean,reuse=false",
            summary: "Unit-action-tree UCT as the program of paper 000 searches (section 7, threshold 10)",
        },
        Preset {
            name: "unit-uct-10-sound",
            arguments: "playouts=2000,c=0.15,total=node,opponents=own,threshold=10,choice=mean,reuse=false",
            summary: "Unit-action-tree UCT of paper 000 (section 7, threshold 10), sound",
        },
        // Paper 002, section 4.1: UCB1 with the constant 2 under the root, playouts to the end, 6000 a turn (4.1.3), a search for each unit.
        Preset {
            name: "turn-uct",
            arguments: "playouts=6000,split=true,c=1.4142135623730951,reuse=false",
            summary: "UCT of paper 002 (section 4.1): 6000 playouts a turn, shared by its units",
        },
        // Section 4.1.1 and table 2.
        Preset {
            name: "turn-uct-pw",
            arguments: "playouts=6000,split=true,c=1.4142135623730951,reuse=false,widening=true",
            summary: "UCT with progressive widening of paper 002 (section 4.1.1): attacks first, few actions at first",
        },
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
            widening: arguments.flag("widening")?,
            split: arguments.flag("split")?,
            node_cap: arguments.integer("cap", 1..=100_000_000)? as u32,
        };
        if settings.widening {
            needs_attacks(arguments, game)?;
        }
        if settings.split {
            needs_pieces(arguments, game)?;
        }
        Ok(Box::new(Uct::with_knowledge(settings, simulation(arguments, game)?)))
    }
}
