//! The agent kind `uct`: Monte Carlo tree search, with the presets of the papers.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};

use super::memberships::{FUZZY, NEIGHBOURS, PRUNE, fuzzy_judgement, fuzzy_source};
use super::networks::{network_contents, network_evaluation, network_source};
use super::parameters::{BUDGET, CHOICE_WORDS, DECAY, SIMULATION, batch, budget, joined, optional, simulation};
use super::requirements::{attacks, tactics};
use super::{AgentKind, Preset};
use crate::{
    Agent, BatchLearner, FinalChoice, FirstPlay, FirstVisit, NetworkPrior, Opponents, ParallelUct, Rave, RootHalving,
    Selection, Settings, TotalCount, Uct, WidenedNodes, Widening,
};

/// The kind `uct`.
pub struct UctKind;

impl AgentKind for UctKind {
    const NAME: &'static str = "uct";
    const SUMMARY: &'static str = "Monte Carlo tree search by upper confidence bounds (UCT), decoupled at joint moves";
    const HANDLES: Features = Features::OPEN;
    const PARAMETERS: &'static [Parameter] = &joined::<52>(&[
        &BUDGET,
        &[
            Parameter::new("c", "0.5", "exploration constant c in mean + c·√(ln N / n), or mean + c·P·√N / (1 + n)"),
            Parameter::new(
                "selection",
                "ucb1",
                "which action is tried: ucb1, or puct, by prior probabilities P from learned values (see net)",
            ),
            Parameter::new("softness", "0.1", "for puct: P is in proportion to exp(value / softness)"),
            Parameter::new(
                "halving",
                "0",
                "for puct: this many actions, the best by prior, share the root's playouts by sequential halving \
                    (Gumbel search); 0: all actions, by puct",
            ),
            Parameter::new("noise", "0", "for halving: scale of the Gumbel noise on the priors; 1 as published"),
            Parameter::new(
                "total",
                "node",
                "what N counts: visits of the node, or all playouts of the search (search)",
            ),
            Parameter::new(
                "first",
                "random",
                "untried actions: random or ordered (before all others), a score, membership (see fuzzy; paper 000, \
                    eq. 7), or net (their learned value, see net)",
            ),
            Parameter::new(
                "rave",
                "none",
                "mix in AMAF means of the node (rave) or of its nearest well-visited ancestor (grave)",
            ),
            Parameter::new("reference", "50", "for grave: visits beyond which an ancestor's AMAF means are used"),
            Parameter::new(
                "equivalence",
                "250",
                "for rave and grave: K in the weight √(K / (3N + K)) of the AMAF mean",
            ),
            Parameter::new(
                "widen-actions",
                "",
                "actions tried grow with visits to this power, such as 0.5; empty: all at once",
            ),
            Parameter::new(
                "widen-outcomes",
                "",
                "outcomes of chance tried grow with visits to this power; empty: all at once",
            ),
            Parameter::new("widen-factor", "2", "the factor before these powers"),
            Parameter::new(
                "opponents",
                "own",
                "which payoff the other players maximise: their own, the searcher's (searcher), or that of the player \
                    before at the first action after the turn passes (passing)",
            ),
            Parameter::new("threshold", "0", "a leaf is expanded when it is reached after more playouts than this"),
            Parameter::new(
                "leaf",
                "playout",
                "the first visit of a leaf: a playout from it, or one through a random action below it (child), which \
                    is not counted for the leaf",
            ),
            Parameter::new("discount", "1", "factor per step for a value's distance from the middle; 1: no discount"),
            Parameter::new(
                "choice",
                "auto",
                "the final action: visits, mean, robust, secure, mixed, sum (of shares); auto: visits, or mixed at a \
                    joint move",
            ),
            Parameter::new("reuse", "true", "keep the tree between the decisions of a match"),
            Parameter::new("transpositions", "false", "let equal states share a node"),
            Parameter::new(
                "solver",
                "false",
                "prove results where one player chooses at a time, and stop at a proven root",
            ),
            Parameter::new(
                "remember",
                "auto",
                "play the best line found in any playout: auto (where one player plays alone, without chance), true \
                    or false",
            ),
            Parameter::new(
                "widening",
                "false",
                "start with few actions of a node, attacks before others (paper 002, eq. 2): true, at the root only \
                    (root), or false",
            ),
            Parameter::new(
                "split",
                "false",
                "the budget is for a whole turn and is shared evenly by the pieces that act in it",
            ),
            Parameter::new("limit", "result", "a match ended by a turn limit counts by its result, or as even (even)"),
            FUZZY,
            NEIGHBOURS,
            PRUNE,
            Parameter::new("cap", "1000000", "the most nodes stored; beyond, the least visited are dropped"),
        ],
        &SIMULATION,
        &[
            Parameter::new("leaves", "", "in batches: leaves played out at once; empty: as many as keep the game busy"),
            Parameter::new("each", "8", "in batches: playouts from each leaf"),
            Parameter::new(
                "draws",
                "1",
                "in batches: playouts take the best of this many random actions, by mean result (MAST); see decay",
            ),
            Parameter::new("threads", "1", "threads; each grows a tree, and their statistics are added up in the end"),
        ],
    ]);
    const PRESETS: &'static [Preset] = UCT_PRESETS;

    fn build<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let threads = arguments.integer("threads", 1..=MOST_THREADS)?;
        if threads == 1 {
            return Ok(Box::new(search(arguments, game, 1)?));
        }
        let searches: Result<Vec<Uct<G>>, InputError> =
            (0..threads).map(|_| search(arguments, game, threads)).collect();
        Ok(Box::new(ParallelUct::new(searches?)))
    }

    fn contents<G: Game + Knowledge>(arguments: &Arguments, game: &G) -> Result<String, InputError> {
        let fuzzy = fuzzy_source(arguments, game)?.map_or(String::new(), |source| source.text().to_owned());
        let network = match (arguments.text("first"), arguments.text("selection")) {
            ("net", _) | (_, "puct") => network_source(arguments, game)?.text().to_owned(),
            _ => network_contents(arguments, game)?,
        };
        Ok(fuzzy + &network)
    }
}

/// The most threads of one search: the trees of more would share too little memory.
pub(super) const MOST_THREADS: u64 = 64;

/// The settings of a search that shares its memory with others: `threads` in all. Compiled once for all games.
fn settings(arguments: &Arguments, threads: u64) -> Result<Settings, InputError> {
    let total = [TotalCount::Node, TotalCount::Search][arguments.choice("total", &["node", "search"])?];
    let first_play = match arguments.text("first") {
        "random" => FirstPlay::Random,
        "ordered" => FirstPlay::Ordered,
        "membership" | "net" => FirstPlay::Membership,
        _ => FirstPlay::Urgency(
            arguments
                .number("first", -1e6..=1e6)
                .map_err(|_| arguments.wrong("first", "random, ordered, membership, net or a number"))?,
        ),
    };
    let choice = FinalChoice::ALL.get(arguments.choice("choice", &CHOICE_WORDS)?).copied();
    let reference = arguments.integer("reference", 0..=u64::from(u32::MAX))? as u32;
    let equivalence = arguments.number("equivalence", 0.0..=1e9)?;
    let settings = Settings {
        budget: budget(arguments)?,
        selection: match arguments.choice("selection", &["ucb1", "puct"])? {
            0 => Selection::Ucb1 { c: arguments.number("c", 0.0..=1e6)?, total, first_play },
            _ => Selection::Puct { c: arguments.number("c", 0.0..=1e6)? },
        },
        halving: match arguments.integer("halving", 0..=1_000_000)? as u32 {
            0 => None,
            considered => Some(RootHalving { considered, noise: arguments.number("noise", 0.0..=100.0)? }),
        },
        rave: match arguments.choice("rave", &["none", "rave", "grave"])? {
            0 => None,
            1 => Some(Rave { reference: 0, equivalence }),
            _ => Some(Rave { reference, equivalence }),
        },
        widening: widening(arguments)?,
        opponents: [Opponents::Own, Opponents::Searcher, Opponents::Passing]
            [arguments.choice("opponents", &["own", "searcher", "passing"])?],
        threshold: arguments.integer("threshold", 0..=u64::from(u32::MAX))? as u32,
        first_visit: [FirstVisit::Playout, FirstVisit::Child][arguments.choice("leaf", &["playout", "child"])?],
        discount: arguments.number("discount", 0.0..=1.0)?,
        choice,
        reuse: arguments.flag("reuse")?,
        transpositions: arguments.flag("transpositions")?,
        solver: arguments.flag("solver")?,
        remember: [None, Some(true), Some(false)][arguments.choice("remember", &["auto", "true", "false"])?],
        node_cap: (arguments.integer("cap", 1..=100_000_000)? / threads).max(1) as u32,
    };
    let mixes_badly = settings.first_visit == FirstVisit::Child || settings.opponents == Opponents::Passing;
    if mixes_badly && settings.rave.is_some() {
        return Err(arguments.wrong("rave", "none beside `leaf=child` and `opponents=passing`"));
    }
    if settings.first_visit == FirstVisit::Child && settings.solver {
        return Err(arguments.wrong("solver", "false beside `leaf=child`"));
    }
    Ok(settings)
}

/// Refuses settings that do not go together; `fuzzy` says whether a fuzzy evaluation judges actions.
fn check(arguments: &Arguments, settings: &Settings, threads: u64, fuzzy: bool) -> Result<(), InputError> {
    let by_probability = matches!(settings.selection, Selection::Puct { .. });
    let by_network = asks_for_priors(arguments, settings);
    if by_probability && (settings.rave.is_some() || settings.widening.is_some()) {
        return Err(arguments.wrong("selection", "ucb1 beside `rave`, `widen-actions` and `widen-outcomes`"));
    }
    if settings.halving.is_some() && (!by_probability || threads > 1) {
        return Err(arguments.wrong("halving", "0, or `selection=puct` on one thread beside it"));
    }
    if by_probability && arguments.text("first") != "random" {
        return Err(
            arguments.wrong("first", "nothing beside `selection=puct`, which has its own rule for untried actions")
        );
    }
    if by_network && fuzzy {
        let asked = if by_probability { "selection" } else { "first" };
        return Err(arguments.wrong(asked, "a search without `fuzzy`, which has values of its own"));
    }
    if !fuzzy && arguments.text("first") == "membership" {
        return Err(arguments.wrong("first", "`fuzzy` beside it, which says what memberships are"));
    }
    if fuzzy && settings.solver {
        return Err(arguments.wrong("solver", "false where `fuzzy` may leave actions out"));
    }
    Ok(())
}

/// Whether actions have learned values or priors.
fn asks_for_priors(arguments: &Arguments, settings: &Settings) -> bool {
    arguments.text("first") == "net" || matches!(settings.selection, Selection::Puct { .. })
}

/// One search with the given arguments, which shares its memory with others: there are `threads` in all.
fn search<G: Game + Knowledge + 'static>(arguments: &Arguments, game: &G, threads: u64) -> Result<Uct<G>, InputError> {
    let settings = settings(arguments, threads)?;
    let widened = match (arguments.text("widening"), arguments.flag("widening")) {
        ("root", _) => Some((attacks(arguments, game)?, WidenedNodes::Root)),
        (_, Ok(true)) => Some((attacks(arguments, game)?, WidenedNodes::All)),
        (_, Ok(false)) => None,
        (_, Err(_)) => return Err(arguments.wrong("widening", "true, root or false")),
    };
    let split = if arguments.flag("split")? { Some(tactics(arguments, game)?) } else { None };
    let mut simulation = simulation(arguments, game)?;
    if arguments.choice("limit", &["result", "even"])? == 1 {
        (simulation.even_at_limit, simulation.batch) = (Some(tactics(arguments, game)?), None);
    }
    let leaves = optional(arguments, "leaves", |name| arguments.integer(name, 1..=1 << 20))?;
    let each = arguments.integer("each", 1..=1 << 20)? as u32;
    let draws = arguments.integer("draws", 1..=1_000)? as u32;
    let decay = arguments.number(DECAY.name, 0.0..=1.0)?;
    if draws > 1 {
        simulation.batch = batch(arguments, game, simulation.horizon)?;
    }
    if let Some(batch) = &mut simulation.batch {
        (batch.leaves, batch.each) = (leaves.map(|leaves| leaves as u32), each);
        batch.learner = (draws > 1).then(|| BatchLearner::new(draws, decay));
    }
    // AMAF settings are usually meant for visits of one playout, so batches with them must be asked for.
    if settings.rave.is_some() && leaves.is_none() {
        simulation.batch = None;
    }
    let fuzzy = fuzzy_judgement(arguments, game)?;
    check(arguments, &settings, threads, fuzzy.is_some())?;
    let (by_probability, by_network) =
        (matches!(settings.selection, Selection::Puct { .. }), asks_for_priors(arguments, &settings));
    let mut agent = Uct::new(settings, simulation);
    if let Some((attacks, nodes)) = widened {
        agent = agent.with_progressive_widening(attacks, nodes);
    }
    if let Some(tactics) = split {
        agent = agent.with_split_budget(tactics);
    }
    if by_network {
        let prior = NetworkPrior::new(network_evaluation(arguments, game)?);
        let softness = arguments.number("softness", 1e-3..=1e3)?;
        agent = agent.with_prior(if by_probability { prior.as_probabilities(softness) } else { prior });
    }
    if let Some(fuzzy) = fuzzy {
        agent = agent.with_fuzzy(fuzzy);
    }
    Ok(agent)
}

/// The widening of nodes given by the arguments.
fn widening(arguments: &Arguments) -> Result<Option<Widening>, InputError> {
    let exponent = |name: &str| optional(arguments, name, |name| arguments.number(name, 0.0..=1.0));
    let factor = arguments.number("widen-factor", 1e-6..=1e6)?;
    let (actions, outcomes) = (exponent("widen-actions")?, exponent("widen-outcomes")?);
    if (actions.is_some() || outcomes.is_some()) && arguments.text("rave") != "none" {
        return Err(arguments.wrong("rave", "none where nodes widen"));
    }
    Ok((actions.is_some() || outcomes.is_some()).then_some(Widening { factor, actions, outcomes }))
}

/// The UCT searches of the papers.
const UCT_PRESETS: &[Preset] = &[
    // Couëtoux and others 2011 give exponents between 1/4 and 1/2 for both.
    Preset {
        name: "dpw",
        arguments: "widen-actions=0.5,widen-outcomes=0.5,widen-factor=2",
        summary: "UCT with double progressive widening: few actions and outcomes first, more with more visits",
    },
    // Silver and others 2017, with a network of values alone: they give the priors as well. Both numbers were set
    // before any match was played, and not tuned.
    Preset {
        name: "net-puct",
        arguments: "selection=puct,c=1,softness=0.1,evaluation=net,steps=0",
        summary: "PUCT with a learned network: it judges leaves without playouts, and gives the priors",
    },
    // Danihelka and others 2022: sixteen actions; no noise, as they play matches.
    Preset {
        name: "net-gumbel",
        arguments: "selection=puct,c=1,softness=0.1,evaluation=net,steps=0,halving=16",
        summary: "net-puct with sequential halving at the root, for small budgets (Gumbel search)",
    },
    // Paper 000, section 5.1: 2000 playouts, threshold 20, c = 0.15; section 4.2: the best mean is played. Its program
    // counts N over the whole search and makes the opponent's nodes maximise the searcher's payoff.
    Preset {
        name: "unit-uct",
        arguments: "playouts=2000,c=0.15,total=search,opponents=searcher,threshold=20,choice=mean,reuse=false",
        summary: "Unit-action-tree UCT as the program of paper 000 searches (section 5)",
    },
    // The same with both faults corrected.
    Preset {
        name: "unit-uct-sound",
        arguments: "playouts=2000,c=0.15,total=node,opponents=own,threshold=20,choice=mean,reuse=false",
        summary: "Unit-action-tree UCT of paper 000 (section 5), every node counted and played for its own mover",
    },
    // Paper 000, section 7.2: 2000 playouts per action, threshold 10, c = 0.15.
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
    // Paper 000, section 7.2: the same with actions below 0.75 pruned; section 7.1: 440 samples, k = 0.
    Preset {
        name: "unit-uct-prune",
        arguments: "playouts=2000,c=0.15,total=search,opponents=searcher,threshold=10,choice=mean,reuse=false,\
                    fuzzy=stand-in-440,prune=0.75",
        summary: "Unit-action-tree UCT of paper 000 with fuzzy pruning (section 7)",
    },
    Preset {
        name: "unit-uct-prune-sound",
        arguments: "playouts=2000,c=0.15,total=node,opponents=own,threshold=10,choice=mean,reuse=false,\
                    fuzzy=stand-in-440,prune=0.75",
        summary: "Unit-action-tree UCT of paper 000 with fuzzy pruning (section 7), sound",
    },
    // Section 7.5.
    Preset {
        name: "unit-uct-prune-shuffled",
        arguments: "playouts=2000,c=0.15,total=search,opponents=searcher,threshold=10,choice=mean,reuse=false,\
                    fuzzy=stand-in-440-shuffled,prune=0.75",
        summary: "The control of paper 000 (section 7.5): pruning by shuffled memberships",
    },
    // Section 8: equation 7, all else as in section 7.
    Preset {
        name: "unit-uct-first",
        arguments: "playouts=2000,c=0.15,total=search,opponents=searcher,threshold=10,choice=mean,reuse=false,\
                    fuzzy=stand-in-1246,first=membership",
        summary: "Unit-action-tree UCT of paper 000 with memberships as first UCB values (section 8)",
    },
    Preset {
        name: "unit-uct-first-sound",
        arguments: "playouts=2000,c=0.15,total=node,opponents=own,threshold=10,choice=mean,reuse=false,\
                    fuzzy=stand-in-1246,first=membership",
        summary: "Unit-action-tree UCT of paper 000 with memberships as first UCB values (section 8), sound",
    },
    // Paper 002, section 4.1: UCB1 with the constant 2 under the root, playouts to the end, 6000 per turn (4.1.3), one
    // search for each unit.
    Preset {
        name: "turn-uct",
        arguments: "playouts=6000,split=true,c=1.4142135623730951,reuse=false",
        summary: "UCT of paper 002 (section 4.1): 6000 playouts a turn, shared by its units",
    },
    // Section 4.1.1 and table 2. The paper does not say when a leaf is expanded. Equation 2 starts with two actions at
    // 40 visits and is undefined below 20: a leaf is expanded then. If nodes were expanded at once, they would have a
    // single action for their first 40 visits, and the tree would be one random line instead of playouts.
    Preset {
        name: "turn-uct-pw",
        arguments: "playouts=6000,split=true,c=1.4142135623730951,reuse=false,widening=true,threshold=40",
        summary: "UCT with progressive widening of paper 002 (section 4.1.1): attacks first, few actions at first",
    },
    // The UCT of a later program of the same line, which survives; the paper's text is silent on all that differs
    // from the two above. Its widening is the root's alone.
    Preset {
        name: "turn-uct-program",
        arguments: "playouts=6000,split=true,c=1.4142135623730951,reuse=false,leaf=child,opponents=passing,limit=even,\
                    playout=attack-first,choice=sum",
        summary: "UCT of paper 002 with the rules of the program that survives from its line",
    },
    Preset {
        name: "turn-uct-pw-program",
        arguments: "playouts=6000,split=true,c=1.4142135623730951,reuse=false,leaf=child,opponents=passing,limit=even,\
                    playout=attack-first,choice=sum,widening=root",
        summary: "turn-uct-program with progressive widening at the root, attacks first",
    },
    // The general game player of paper 001 and its proposals, with additions from the literature. The paper gives no
    // constant for UCT: `c` is this project's default. Its trees branch over joint moves, with a noop for players who
    // do not move; where one player moves at a time, as in its three games, that is the same tree. §2.2-2.4: UCT; the
    // tree is kept and the new state looked up in it (step 1), random playouts to the end (step 2), the first state
    // beyond the leaf becomes a node after each playout (step 3).
    Preset {
        name: "ggp-uct",
        arguments: "c=0.5,total=node,threshold=0,reuse=true,playout=uniform",
        summary: "The UCT player of paper 001: random playouts, one new node a playout, the tree kept between moves",
    },
    // Finnsson and Björnsson 2008. ε and decay are those of NST, for comparability.
    Preset {
        name: "ggp-mast",
        arguments: "c=0.5,reuse=true,playout=uniform,learn=mast,epsilon=0.4,decay=0.2",
        summary: "ggp-uct whose playouts prefer actions that paid in earlier playouts (MAST)",
    },
    // §4.1: runs of 1, 2 and 3, plain mean, ε-greedy. The paper gives no numbers: ε 0.4, 7 visits and decay 0.2 are
    // those of Sironi's tuned players; Tak and others have ε 0.1 to 0.2.
    Preset {
        name: "ggp-nst",
        arguments: "c=0.5,reuse=true,playout=uniform,learn=nst,grams=3,least=7,history=joint,epsilon=0.4,decay=0.2",
        summary: "ggp-uct whose playouts prefer sequences of actions that paid in earlier playouts (NST)",
    },
    // §5: pairs of consecutive states. The paper gives no numbers. An unseen pair has the middle value: most pairs are
    // unseen, and a higher value would leave playouts random.
    Preset {
        name: "ggp-bigram",
        arguments: "c=0.5,reuse=true,playout=uniform,learn=bigram,epsilon=0.4,unseen=0.5,decay=0.2",
        summary: "ggp-uct whose playouts prefer pairs of states that paid in earlier playouts (outlook of paper 001)",
    },
    // Cazenave 2015, with the constants of Sironi's players: reference 50, K 250, c 0.2.
    Preset {
        name: "ggp-grave",
        arguments: "c=0.2,rave=grave,reference=50,equivalence=250,reuse=true,playout=uniform",
        summary: "ggp-uct with GRAVE in the tree",
    },
    Preset {
        name: "ggp-nst-grave",
        arguments: "c=0.2,rave=grave,reference=50,equivalence=250,reuse=true,playout=uniform,learn=nst,grams=3,least=7,\
                    history=joint,epsilon=0.4,decay=0.2",
        summary: "GRAVE in the tree and NST in the playouts: ggp-grave and ggp-nst in one",
    },
];
