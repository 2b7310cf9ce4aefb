//! Texts of a tree: actions have the names of the file; a state is the path to it, `start / attack / flee`.

use tesuji_core::{Actor, InputError, Notation, Source};

use super::{Action, Kind, State, Tree};

/// The first word of every state.
const START: &str = "start";

impl Notation for Tree {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../../rules/tree.md"))
    }

    fn action_text(&self, state: &State, actor: Actor, action: Action) -> String {
        let name = match (self.node(*state), actor) {
            (Kind::Choice { actions, .. }, _) => actions.get(action as usize),
            (Kind::Joint { players, actions, .. }, Actor::Player(player)) => {
                actions[players.rank(player)].get(action as usize)
            }
            (Kind::Chance { outcomes, .. }, _) => outcomes.get(action as usize).map(|(name, _)| name),
            _ => None,
        };
        name.cloned().unwrap_or_else(|| format!("action {action}"))
    }

    /// The names of the steps from the start, separated by `/`.
    fn state_text(&self, state: &State) -> String {
        let mut labels = Vec::new();
        let mut index = state.0;
        while index != 0 {
            let node = &self.nodes[index as usize];
            labels.push(node.label.as_str());
            index = node.parent;
        }
        labels.push(START);
        labels.reverse();
        labels.join(" / ")
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let source = Source::new("state", text);
        let mut offset = 0;
        let mut state: Option<State> = None;
        for part in text.split('/') {
            let label = part.trim();
            state = Some(match state {
                None if label == START => State(0),
                None => {
                    return Err(InputError::new(format!("expected `{START}`, found `{label}`")).at(
                        &source,
                        0,
                        part.len(),
                    ));
                }
                Some(state) => {
                    let children = self.node(state).children();
                    let label_of = |&child: &u32| self.nodes[child as usize].label.as_str();
                    let child = children.iter().find(|child| label_of(child) == label).ok_or_else(|| {
                        let known: Vec<&str> = children.iter().map(label_of).collect();
                        let known =
                            if known.is_empty() { "nothing: the match is over".to_owned() } else { known.join("  ") };
                        InputError::new(format!("no step `{label}` here"))
                            .with_help(format!("what can follow: {known}"))
                            .at(&source, offset, part.len())
                    })?;
                    State(*child)
                }
            });
            offset += part.len() + 1;
        }
        state.ok_or_else(|| InputError::new(format!("expected `{START}`")))
    }

    fn board_text(&self, state: &State) -> String {
        format!("{}\n{}\n", self.state_text(state), self.headline(*state))
    }
}

impl Tree {
    /// Who acts, or the payoffs at the end.
    pub(super) fn headline(&self, state: State) -> String {
        match self.node(state) {
            Kind::Choice { player, .. } => format!("{} chooses", self.spec.players[player.index()]),
            Kind::Joint { players, .. } => {
                let names: Vec<&str> = players.map(|player| self.spec.players[player.index()].as_str()).collect();
                format!("{} choose at once", names.join(" and "))
            }
            Kind::Chance { .. } => "chance decides".to_owned(),
            Kind::End { payoffs } => {
                let shares = self.spec.players.iter().zip(payoffs);
                shares.map(|(name, payoff)| format!("{name} {}", short(*payoff))).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// A payoff with at most three decimals.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
