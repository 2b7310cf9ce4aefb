//! States.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tesuji_arena::{Actor, AnyPosition, Player, Rng, Turn};

use crate::error::{Error, OrRaise};
use crate::game::Game;

/// `State.current_player` at a chance node; OpenSpiel uses the same numbers.
pub(crate) const CHANCE: i32 = -1;
/// `State.current_player` where several players act at once.
pub(crate) const SIMULTANEOUS: i32 = -2;
/// `State.current_player` when the match is over.
pub(crate) const TERMINAL: i32 = -4;

/// A state of a match.
///
/// `Game.start` and `Game.state` make states; `apply` changes one in place; `clone` copies it.
///
/// >>> import tesuji
/// >>> state = tesuji.open("tic-tac-toe").start()
/// >>> state.apply(4)
/// >>> state.current_player(), state.to_text()
/// (1, '.../.x./...')
/// >>> state.action_to_string(0)
/// 'a1'
#[pyclass(module = "tesuji")]
pub(crate) struct State {
    pub(crate) game: Py<Game>,
    pub(crate) position: Box<dyn AnyPosition>,
}

impl State {
    pub(crate) fn new(game: Py<Game>, position: Box<dyn AnyPosition>) -> State {
        State { game, position }
    }

    /// The actor meant by an optional player: the one who acts if it is left out.
    fn actor(&self, player: Option<i32>) -> PyResult<Actor> {
        match (player, self.position.turn()) {
            (Some(CHANCE), _) | (None, Turn::Chance) => Ok(Actor::Chance),
            (Some(player), _) => {
                let player = usize::try_from(player).map_err(|_| {
                    Error::new_err(format!("there is no player {player}: expected a seat number or CHANCE"))
                })?;
                Ok(Actor::Player(self.game.get().player(player)?))
            }
            (None, Turn::Player(player)) => Ok(Actor::Player(player)),
            (None, Turn::Simultaneous(_)) => Err(Error::new_err("several players act at once: name the player")),
            (None, Turn::Over) => Ok(Actor::Player(Player(0))),
        }
    }

    /// The player whose view is meant: the one who acts, else the first.
    fn viewer(&self, player: Option<usize>) -> PyResult<Player> {
        match (player, self.position.turn()) {
            (Some(player), _) => self.game.get().player(player),
            (None, Turn::Player(player)) => Ok(player),
            (None, Turn::Simultaneous(_)) => Err(Error::new_err("several players act at once: name the player")),
            (None, Turn::Chance | Turn::Over) => Ok(Player(0)),
        }
    }

    /// The joint action that Python gave: a number, a sequence in player order, or a dictionary by player.
    fn joint(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        if let Ok(by_player) = action.cast::<PyDict>() {
            let movers = self.position.turn().movers();
            let mut joint = Vec::new();
            for player in movers {
                let item = by_player.get_item(player.0)?;
                let item = item.ok_or_else(|| Error::new_err(format!("no action for player {}", player.0)))?;
                joint.push(number(&item)?);
            }
            if by_player.len() != joint.len() {
                let message = format!("got {} action(s), expected {}", by_player.len(), joint.len());
                return Err(Error::new_err(message));
            }
            return Ok(joint);
        }
        match number(action) {
            Ok(single) => Ok(vec![single]),
            Err(error) => match action.try_iter() {
                Ok(items) => items.map(|item| number(&item?)).collect(),
                Err(_) => Err(error),
            },
        }
    }
}

/// An action's number.
fn number(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    match value.extract::<i64>() {
        Ok(number) => u32::try_from(number)
            .map_err(|_| Error::new_err(format!("action {number} is not legal here: expected a number from 0"))),
        Err(_) => {
            let kind = value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
            Err(PyTypeError::new_err(format!("an action is a whole number, not {kind}")))
        }
    }
}

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The state that a text describes, as `to_text` writes it.
    #[staticmethod]
    fn from_text(game: Bound<'_, Game>, text: &str) -> PyResult<State> {
        let position = game.get().game.by_numbers().position(Some(text)).or_raise()?;
        Ok(State::new(game.unbind(), position))
    }

    /// Who acts: a seat number, or CHANCE (-1), SIMULTANEOUS (-2) or TERMINAL (-4).
    fn current_player(&self) -> i32 {
        match self.position.turn() {
            Turn::Player(player) => i32::from(player.0),
            Turn::Chance => CHANCE,
            Turn::Simultaneous(_) => SIMULTANEOUS,
            Turn::Over => TERMINAL,
        }
    }

    /// The players who act now: one, several, or none.
    fn movers(&self) -> Vec<usize> {
        self.position.turn().movers().map(Player::index).collect()
    }

    /// Whether the match is over.
    fn is_terminal(&self) -> bool {
        self.position.turn() == Turn::Over
    }

    /// Whether chance acts next.
    fn is_chance_node(&self) -> bool {
        self.position.turn() == Turn::Chance
    }

    /// The legal actions of a player, in ascending order; of the one who acts if none is named. Empty for a player who
    /// does not act now.
    #[pyo3(signature = (player=None))]
    fn legal_actions<'py>(&mut self, py: Python<'py>, player: Option<i32>) -> PyResult<Bound<'py, PyList>> {
        if player.is_none() && !matches!(self.position.turn(), Turn::Simultaneous(_)) {
            return PyList::new(py, self.position.legal_now());
        }
        let mut legal = self.position.legal(self.actor(player)?);
        legal.sort_unstable();
        PyList::new(py, legal)
    }

    /// The legal actions of a player as an array of truth values.
    #[pyo3(signature = (player=None))]
    fn legal_mask<'py>(&self, py: Python<'py>, player: Option<i32>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let numbers = self.game.get().numbers()?;
        let actor = self.actor(player)?;
        let count = if actor == Actor::Chance { numbers.outcomes } else { numbers.actions };
        let mut mask = vec![false; count];
        self.position.legal(actor).into_iter().for_each(|number| mask[number as usize] = true);
        Ok(PyArray1::from_vec(py, mask))
    }

    /// The outcomes of chance with their probabilities; empty where chance does not act.
    fn chance_outcomes(&self) -> Vec<(u32, f64)> {
        self.position.outcomes()
    }

    /// Plays one step: an action, or an outcome of chance. Where several players act at once, a sequence with an action
    /// for each of them in seat order, or a dictionary by player.
    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(single) = action.extract::<u32>() {
            return self.position.apply(&[single]).or_raise();
        }
        let joint = self.joint(action)?;
        self.position.apply(&joint).or_raise()
    }

    /// Plays one step and returns the legal actions of whoever acts next, a player or chance: `apply` and
    /// `legal_actions` in one call, for loops. Empty when the match is over, and where several players act at once.
    fn step<'py>(&mut self, py: Python<'py>, action: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        self.apply(action)?;
        PyList::new(py, self.position.legal_now())
    }

    /// A copy in which an action was applied.
    fn child(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<State> {
        let mut child = self.clone(py);
        child.apply(action)?;
        Ok(child)
    }

    /// Lets chance draw until a player acts or the match is over.
    #[pyo3(signature = (seed=0))]
    fn draw(&mut self, seed: u64) {
        self.position.draw(&mut Rng::new(seed));
    }

    /// Plays on uniformly at random to the end; returns the number of steps.
    #[pyo3(signature = (seed=0))]
    fn play_out(&mut self, py: Python<'_>, seed: u64) -> u32 {
        let position = &mut self.position;
        py.detach(|| position.play_out(&mut Rng::new(seed)))
    }

    /// The payoffs in seat order; zeros while the match continues.
    fn returns(&self) -> Vec<f64> {
        self.position.payoffs().unwrap_or_else(|| vec![0.0; self.position.spec().players.len()])
    }

    /// What a player sees, as an array of the game's `observation_shape`. With `out`, that array is filled instead of a
    /// new one.
    #[pyo3(signature = (player=None, out=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
        out: Option<Bound<'py, PyArrayDyn<f32>>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let shape = &self.game.get().numbers()?.shape;
        let player = self.viewer(player)?;
        let array = match out {
            Some(array) => array,
            None => PyArrayDyn::zeros(py, &shape[..], false),
        };
        {
            let mut writer = array.try_readwrite().map_err(|error| Error::new_err(format!("`out`: {error}")))?;
            let values = writer.as_slice_mut().map_err(|error| Error::new_err(format!("`out`: {error}")))?;
            let size: usize = shape.iter().product();
            if values.len() != size {
                let message = format!("`out` has {} values, expected the shape {shape:?}", values.len());
                return Err(Error::new_err(message));
            }
            self.position.observe(player, values);
        }
        Ok(array)
    }

    /// The text of a legal action, as records and the lab write it.
    #[pyo3(signature = (action, player=None))]
    fn action_to_string(&self, action: u32, player: Option<i32>) -> PyResult<String> {
        self.position.action_text(self.actor(player)?, action).or_raise()
    }

    /// The legal action that a text names.
    #[pyo3(signature = (text, player=None))]
    fn string_to_action(&self, text: &str, player: Option<i32>) -> PyResult<u32> {
        self.position.read_action(self.actor(player)?, text).or_raise()
    }

    /// The whole state on one line; `Game.state` reads it back.
    fn to_text(&self) -> String {
        self.position.text()
    }

    /// The board as an SVG picture.
    fn to_svg(&self) -> String {
        self.position.picture().svg()
    }

    fn _repr_svg_(&self) -> String {
        self.to_svg()
    }

    /// A copy.
    fn clone(&self, py: Python<'_>) -> State {
        State { game: self.game.clone_ref(py), position: self.position.copy() }
    }

    fn __copy__(&self, py: Python<'_>) -> State {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> State {
        self.clone(py)
    }

    fn __str__(&self) -> String {
        self.position.board_text()
    }

    fn __repr__(&self) -> String {
        format!("<State of {}: {}>", self.position.spec().name, self.position.text())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<State>().is_ok_and(|other| match other.try_borrow() {
            Ok(other) => self.position.equals(&*other.position),
            Err(_) => false,
        })
    }

    fn __hash__(&self) -> u64 {
        self.position.hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = slf.py().import("tesuji")?.getattr("_restore_state")?;
        let state = slf.borrow();
        Ok((restore, (state.position.spec().name.clone(), state.position.text())))
    }
}
