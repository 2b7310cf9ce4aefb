//! Games written as trees in numbers: the place of an action in its line, and the node.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Player};

use super::{Action, Kind, Node, State, Tree};

/// Both capabilities.
pub(super) struct Numbers;

/// The most actions of a player at a node (at least 1), and the most outcomes of chance.
pub(super) fn widths(nodes: &[Node]) -> (usize, usize) {
    let width = |kind: &Kind| match kind {
        Kind::Choice { actions, .. } => (actions.len(), 0),
        Kind::Joint { actions, .. } => (actions.iter().map(Vec::len).max().unwrap_or(0), 0),
        Kind::Chance { outcomes, .. } => (0, outcomes.len()),
        Kind::End { .. } => (0, 0),
    };
    nodes
        .iter()
        .map(|node| width(&node.kind))
        .fold((1, 0), |(most, outcomes), (actions, draws)| (most.max(actions), outcomes.max(draws)))
}

impl ActionIndex<Tree> for Numbers {
    /// The place of an action among those of its player at a node.
    fn fields(&self, game: &Tree) -> Vec<ActionField> {
        vec![ActionField::new("action", game.widths.0)]
    }

    fn outcomes(&self, game: &Tree) -> usize {
        game.widths.1
    }

    fn number(&self, _game: &Tree, _actor: Actor, action: Action) -> u32 {
        action
    }

    fn action(&self, game: &Tree, actor: Actor, number: u32) -> Option<Action> {
        let count = match actor {
            Actor::Player(_) => game.widths.0,
            Actor::Chance => game.widths.1,
        };
        ((number as usize) < count).then_some(number)
    }
}

impl Observation<Tree> for Numbers {
    /// One feature for each node, and one for each player, who looks.
    fn layout(&self, game: &Tree) -> ObservationLayout {
        let nodes = (0..game.nodes.len()).map(|node| format!("at node {node}"));
        let seats = game.spec.players.iter().map(|name| format!("{name} looks"));
        ObservationLayout::features(nodes.chain(seats))
    }

    fn fill(&self, game: &Tree, state: &State, player: Player, out: &mut [f32]) {
        out.fill(0.0);
        out[state.0 as usize] = 1.0;
        out[game.nodes.len() + player.index()] = 1.0;
    }
}
