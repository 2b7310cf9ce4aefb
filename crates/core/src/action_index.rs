//! Numbers of actions, for learners and for programs that know actions by number.

use crate::{Actor, Game, Player};

/// A part of an action's number, such as the unit that acts or the cell it moves to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionField {
    /// What it is, in a word or two.
    pub name: &'static str,
    /// The number of its values: 0 to `size - 1`.
    pub size: u32,
}

impl ActionField {
    /// A field with this name and number of values.
    pub fn new(name: &'static str, size: usize) -> ActionField {
        ActionField { name, size: size as u32 }
    }
}

/// Numbers the actions of a game from 0, the same in every state and in every run.
///
/// All players share one range of numbers; the same number can be another action for another player. Outcomes of chance
/// have a range of their own. Not every number is legal somewhere.
///
/// A number is made of fields, like the digits of a number with mixed bases: the first field is the most significant
/// one. Most games have a single field. A game whose actions have parts (a unit, where it goes, what it attacks) names
/// them, so that a learner can predict each part.
///
/// ```
/// use tesuji_core::ActionField;
///
/// // What a chess-like game would say: 64 cells to start from, 64 to go to.
/// let fields = [ActionField::new("from", 64), ActionField::new("to", 64)];
/// assert_eq!(tesuji_core::field_values(&fields, 64 * 12 + 28), [12, 28]);
/// assert_eq!(tesuji_core::field_number(&fields, &[12, 28]), Some(64 * 12 + 28));
/// ```
pub trait ActionIndex<G: Game>: Send + Sync {
    /// The fields of a player's action: at least one, each with at least one value. Their product is the number of
    /// actions, at most 2³¹ − 1.
    fn fields(&self, game: &G) -> Vec<ActionField>;

    /// The number of different outcomes of chance; 0 in a game without chance.
    fn outcomes(&self, _game: &G) -> usize {
        0
    }

    /// The number of an action of a player or of an outcome of chance.
    fn number(&self, game: &G, actor: Actor, action: G::Action) -> u32;

    /// The action with a number; `None` if no action of `actor` has it. The action need not be legal anywhere.
    fn action(&self, game: &G, actor: Actor, number: u32) -> Option<G::Action>;

    /// The legal actions of a player, one of the movers, with their numbers in the same order. Replaces what both
    /// buffers held.
    fn legal(&self, game: &G, state: &G::State, player: Player, actions: &mut Vec<G::Action>, numbers: &mut Vec<u32>) {
        actions.clear();
        numbers.clear();
        game.legal(state, player, actions);
        numbers.extend(actions.iter().map(|&action| self.number(game, Actor::Player(player), action)));
    }
}

/// The number of different actions: the product of the fields' sizes.
pub fn action_count(fields: &[ActionField]) -> u64 {
    fields.iter().map(|field| u64::from(field.size)).product()
}

/// The values of the fields of a number.
pub fn field_values(fields: &[ActionField], number: u32) -> Vec<u32> {
    let mut rest = number;
    let mut values: Vec<u32> = fields
        .iter()
        .rev()
        .map(|field| {
            let value = rest % field.size;
            rest /= field.size;
            value
        })
        .collect();
    values.reverse();
    values
}

/// The number with these values of its fields; `None` if their count or a value does not fit.
pub fn field_number(fields: &[ActionField], values: &[u32]) -> Option<u32> {
    if fields.len() != values.len() {
        return None;
    }
    fields.iter().zip(values).try_fold(0u32, |number, (field, &value)| {
        if value < field.size { number.checked_mul(field.size)?.checked_add(value) } else { None }
    })
}
