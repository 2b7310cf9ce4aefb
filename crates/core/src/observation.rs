//! Observations: what a player sees of a state, as a tensor of numbers.

use crate::{Game, Player};

/// The shape of a game's observations and the names of their planes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservationLayout {
    /// The names of the planes or features, in order: at least one, all different.
    pub names: Vec<String>,
    /// The rows and columns of a plane; `None` if each name is a single number.
    pub board: Option<(usize, usize)>,
}

impl ObservationLayout {
    /// Planes over a board.
    pub fn planes(
        names: impl IntoIterator<Item = impl Into<String>>,
        rows: usize,
        columns: usize,
    ) -> ObservationLayout {
        ObservationLayout { names: names.into_iter().map(Into::into).collect(), board: Some((rows, columns)) }
    }

    /// Single numbers.
    pub fn features(names: impl IntoIterator<Item = impl Into<String>>) -> ObservationLayout {
        ObservationLayout { names: names.into_iter().map(Into::into).collect(), board: None }
    }

    /// The shape of the tensor: `[planes, rows, columns]` or `[features]`.
    pub fn shape(&self) -> Vec<usize> {
        match self.board {
            Some((rows, columns)) => vec![self.names.len(), rows, columns],
            None => vec![self.names.len()],
        }
    }

    /// The number of values of the tensor.
    pub fn size(&self) -> usize {
        self.names.len() * self.board.map_or(1, |(rows, columns)| rows * columns)
    }
}

/// Describes a state to a player by a tensor of numbers, for learners.
///
/// The shape depends on the game and its parameters alone. Values are from −1 to 1. They describe the state from the
/// player's side: what belongs to the player comes first, so that one network can serve all seats.
///
/// A player sees nothing that is hidden from it. In a simultaneous step nobody has chosen yet, so nothing is hidden.
/// A state that stores choices which are not yet revealed names the states that look the same:
/// [`same_view`](Observation::same_view).
pub trait Observation<G: Game>: Send + Sync {
    /// The shape and the names.
    fn layout(&self, game: &G) -> ObservationLayout;

    /// Writes the observation into `out`, which has the layout's size and may contain anything. Overwrites every value
    /// and does not allocate.
    fn fill(&self, game: &G, state: &G::State, player: Player, out: &mut [f32]);

    /// Other states that `player` cannot tell from `state`; some of them if there are many. Empty if nothing is hidden.
    fn same_view(&self, _game: &G, _state: &G::State, _player: Player) -> Vec<G::State> {
        Vec::new()
    }
}

/// A buffer of planes, to write an observation plane by plane.
pub struct Planes<'a> {
    values: &'a mut [f32],
    cells: usize,
}

impl<'a> Planes<'a> {
    /// All planes of a buffer, set to 0. A plane has `cells` values.
    #[inline]
    pub fn new(values: &'a mut [f32], cells: usize) -> Planes<'a> {
        values.fill(0.0);
        Planes { values, cells }
    }

    /// Sets one cell of a plane.
    #[inline]
    pub fn set(&mut self, plane: usize, cell: usize, value: f32) {
        self.values[plane * self.cells + cell] = value;
    }

    /// Sets all cells of a plane.
    #[inline]
    pub fn fill(&mut self, plane: usize, value: f32) {
        self.values[plane * self.cells..][..self.cells].fill(value);
    }

    /// Sets all cells of a plane if a condition holds.
    #[inline]
    pub fn fill_if(&mut self, plane: usize, condition: bool) {
        if condition {
            self.fill(plane, 1.0);
        }
    }
}
