//! Games given as an explicit tree in a text file: small, with known values, for tests of agents and for teaching.
//!
//! A state is the number of a node. The features of the game are derived from the tree.
//!
//! # The text
//! ```text
//! # Everything after a number sign is a comment.
//! players: row, column
//! value: 4/5, 1/5                        what each gets when all play well (optional)
//! best row: high 4/5, low 1/5            how to act at the start (optional, for each player)
//!
//! start: row & column                    several players at once, in the order of `players`
//!   high, left: chance                   a line below is one step: its name, then what follows
//!     3/4 hit: 1, 0                      an outcome has its probability before its name
//!     1/4 miss: 0, 1                     payoffs end the match, one for each player
//!   high, right: row                     one player chooses
//!     stay: 1, 0
//!     go: 0, 1
//!   low, left: 1, 0
//!   low, right: 0, 1
//! ```
//! Lines of one node have the same indentation, deeper than the node's own line. A joint move lists every combination
//! of actions. Numbers are decimals or fractions. Names may contain blanks, but none of `: , & / #`.

mod drawing;
mod notation;
mod numbers;
mod parse;
#[cfg(test)]
mod tests;

use tesuji_core::{
    ActionIndex, Arguments, Capabilities, Entry, ErrorKind, Features, Game, InputError, Knowledge, Observation,
    Parameter, Player, Players, Source, Spec, Turn, did_you_mean, files,
};

/// The catalogue entry of games written as trees.
pub const ENTRY: Entry<Tree> = Entry {
    name: "tree",
    title: "Game trees",
    summary: "A small game whose whole tree is written in a text, with its value if known",
    parameters: &[Parameter::new("file", "forced-win", "the name of a bundled tree, or the path of a file")
        .naming(BUNDLED, ".tree")],
    examples: &[
        "tree",
        "tree(saving-move)",
        "tree(chance-mean)",
        "tree(matching-pennies)",
        "tree(trust)",
        "tree(two-step-turn)",
        "tree(three-players)",
        "tree(alone)",
        "tree(duel)",
        "tree(saddle)",
        "tree(dilemma)",
    ],
    open: Tree::open,
};

/// The bundled trees: name and text.
pub(crate) const BUNDLED: &[(&str, &str)] = &[
    ("forced-win", include_str!("../../../../data/tree/forced-win.tree")),
    ("saving-move", include_str!("../../../../data/tree/saving-move.tree")),
    ("chance-mean", include_str!("../../../../data/tree/chance-mean.tree")),
    ("matching-pennies", include_str!("../../../../data/tree/matching-pennies.tree")),
    ("trust", include_str!("../../../../data/tree/trust.tree")),
    ("two-step-turn", include_str!("../../../../data/tree/two-step-turn.tree")),
    ("three-players", include_str!("../../../../data/tree/three-players.tree")),
    ("alone", include_str!("../../../../data/tree/alone.tree")),
    ("duel", include_str!("../../../../data/tree/duel.tree")),
    ("saddle", include_str!("../../../../data/tree/saddle.tree")),
    ("dilemma", include_str!("../../../../data/tree/dilemma.tree")),
];

/// The largest file accepted, some hundred thousand nodes; write a larger game as rules instead.
const LARGEST_FILE: u64 = 8 << 20;

/// A game given as an explicit tree.
#[derive(Debug)]
pub struct Tree {
    spec: Spec,
    /// The nodes. Parents stand before their children; the start is node 0.
    nodes: Vec<Node>,
    known: Known,
    /// The most actions of a player at a node, and the most outcomes of chance.
    widths: (usize, usize),
}

/// What the text states about the game's value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Known {
    /// Each player's payoff under optimal play, in seat order.
    pub value: Option<Vec<f64>>,
    /// Each player's optimal strategy at the start, as actions with probabilities, in seat order.
    pub best: Vec<Option<Vec<(Action, f64)>>>,
}

/// A position: the number of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State(u32);

/// The index of an action among those of its actor at a node.
pub type Action = u32;

#[derive(Clone, PartialEq, Debug)]
struct Node {
    parent: u32,
    /// The text of the step that leads here.
    label: String,
    kind: Kind,
}

#[derive(Clone, PartialEq, Debug)]
enum Kind {
    Choice {
        player: Player,
        actions: Vec<String>,
        children: Vec<u32>,
    },
    /// The actions by mover, and the children of all combinations, the last mover's action changing fastest.
    Joint {
        players: Players,
        actions: Vec<Vec<String>>,
        children: Vec<u32>,
    },
    Chance {
        outcomes: Vec<(String, f64)>,
        children: Vec<u32>,
    },
    End {
        payoffs: Vec<f64>,
    },
}

impl Kind {
    fn children(&self) -> &[u32] {
        match self {
            Kind::Choice { children, .. } | Kind::Joint { children, .. } | Kind::Chance { children, .. } => children,
            Kind::End { .. } => &[],
        }
    }
}

impl Tree {
    fn open(arguments: &Arguments) -> Result<Tree, InputError> {
        let file = arguments.text("file");
        let name = arguments.canonical();
        if let Some((bundled, text)) = BUNDLED.iter().find(|(bundled, _)| *bundled == file) {
            return Tree::read(name, &Source::new(format!("{bundled}.tree"), text));
        }
        if !file.contains(['/', '\\', '.']) {
            let names: Vec<&str> = BUNDLED.iter().map(|&(name, _)| name).collect();
            let hint = did_you_mean(file, names.iter().copied());
            return Err(InputError::new(format!("no bundled tree `{file}`{hint}"))
                .of_kind(ErrorKind::Unreadable)
                .with_help(format!("bundled: {}; or the path of a .tree file", names.join(", "))));
        }
        let wrong = |message: String| InputError::new(message).in_file(file);
        let unreadable = |error| wrong(format!("cannot be read: {error}")).of_kind(ErrorKind::Unreadable);
        let length = files::length(file).map_err(unreadable)?;
        if length.is_none_or(|length| length > LARGEST_FILE) {
            return Err(
                wrong(format!("expected a file of at most {} MiB", LARGEST_FILE >> 20)).of_kind(ErrorKind::TooLarge)
            );
        }
        let text = files::read_to_string(file).map_err(unreadable)?;
        Tree::read(name, &Source::new(file, text))
    }

    /// Parses a game from a text; `name` is the address that opens it again.
    pub fn read(name: impl Into<String>, source: &Source) -> Result<Tree, InputError> {
        let parse::Parsed { players, nodes, known } = parse::parse(source)?;
        let names: Vec<&str> = players.iter().map(String::as_str).collect();
        let (features, longest) = survey(&nodes, players.len());
        let mut spec = Spec::new(name, &names, features, longest);
        let payoffs = nodes.iter().flat_map(|node| match &node.kind {
            Kind::End { payoffs } => payoffs.as_slice(),
            _ => &[],
        });
        let (least, greatest) =
            payoffs.fold((f64::MAX, f64::MIN), |(low, high), &payoff| (low.min(payoff), high.max(payoff)));
        // A range must not be empty, even if everybody always gets the same.
        spec.payoffs = if least < greatest { (least, greatest) } else { (least - 0.5, greatest + 0.5) };
        let widths = numbers::widths(&nodes);
        Ok(Tree { spec, nodes, known, widths })
    }

    /// The known value of the game and optimal strategies at the start.
    pub fn known(&self) -> &Known {
        &self.known
    }

    fn node(&self, state: State) -> &Kind {
        &self.nodes[state.0 as usize].kind
    }
}

/// The features of the tree and its greatest depth.
fn survey(nodes: &[Node], players: usize) -> (Features, usize) {
    let mut features = Features::empty();
    features.set(Features::MANY_PLAYERS, players > 2);
    features.set(Features::GENERAL_SUM, players == 1);
    let mut sum: Option<f64> = None;
    let mut depths = vec![0usize; nodes.len()];
    // The player who alone chose before a node, if nobody else has chosen since.
    let mut owners: Vec<Option<Player>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let owner = match &node.kind {
            Kind::Choice { player, .. } => {
                if owners[index] == Some(*player) {
                    features |= Features::MULTI_ACTION;
                }
                Some(*player)
            }
            Kind::Joint { .. } => {
                features |= Features::SIMULTANEOUS;
                None
            }
            Kind::Chance { .. } => {
                features |= Features::CHANCE;
                owners[index]
            }
            Kind::End { payoffs } => {
                let total: f64 = payoffs.iter().sum();
                if (total - *sum.get_or_insert(total)).abs() > 1e-9 {
                    features |= Features::GENERAL_SUM;
                }
                None
            }
        };
        for &child in node.kind.children() {
            depths[child as usize] = depths[index] + 1;
            owners[child as usize] = owner;
        }
    }
    (features, depths.into_iter().max().unwrap_or(0))
}

impl Game for Tree {
    type State = State;
    type Action = Action;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        State(0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.node(*state) {
            Kind::Choice { player, .. } => Turn::Player(*player),
            Kind::Joint { players, .. } => Turn::Simultaneous(*players),
            Kind::Chance { .. } => Turn::Chance,
            Kind::End { .. } => Turn::Over,
        }
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<Action>) {
        match self.node(*state) {
            Kind::Choice { actions, .. } => out.extend(0..actions.len() as Action),
            Kind::Joint { players, actions, .. } => out.extend(0..actions[players.rank(player)].len() as Action),
            Kind::Chance { .. } | Kind::End { .. } => {}
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Action]) {
        let index = match self.node(*state) {
            Kind::Joint { actions, .. } => {
                actions.iter().zip(joint).fold(0, |index, (actions, &action)| index * actions.len() + action as usize)
            }
            _ => joint[0] as usize,
        };
        *state = State(self.node(*state).children()[index]);
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        match self.node(*state) {
            Kind::End { payoffs } => payoffs[player.index()],
            kind => unreachable!("a payoff at {kind:?}"),
        }
    }

    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        if let Kind::Chance { outcomes, .. } = self.node(*state) {
            out.extend(outcomes.iter().enumerate().map(|(index, (_, probability))| (index as Action, *probability)));
        }
    }
}

impl Knowledge for Tree {
    const OFFERS: Capabilities = Capabilities::NUMBERS;

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&numbers::Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&numbers::Numbers)
    }
}
