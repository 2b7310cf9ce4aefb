//! Games and lists of games and agents.

use std::sync::Arc;

use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::json;
use tesuji_arena::{AnyGame, NumbersInfo, Player, Rng};

use crate::CATALOGUE;
use crate::error::OrRaise;
use crate::interrupt::interruptible;
use crate::json::to_python;
use crate::state::State;

/// A game with its parameters: the rules, immutable.
///
/// `open` makes one from an address. All states, agents and environments of a game share it.
///
/// >>> import tesuji
/// >>> game = tesuji.open("tubstap(map=six-arms)")
/// >>> game.players
/// ['red', 'blue']
/// >>> list(game.action_fields)
/// ['unit', 'destination', 'target']
#[pyclass(frozen, module = "tesuji", weakref)]
pub(crate) struct Game {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) numbers: Option<NumbersInfo>,
}

impl Game {
    pub(crate) fn new(game: Arc<dyn AnyGame>) -> Game {
        let numbers = game.by_numbers().numbers().ok();
        Game { game, numbers }
    }

    /// How the game numbers actions; raises for a game that does not.
    pub(crate) fn numbers(&self) -> PyResult<&NumbersInfo> {
        match &self.numbers {
            Some(numbers) => Ok(numbers),
            None => {
                self.game.by_numbers().numbers().or_raise()?;
                Err(crate::error::Error::new_err("this game does not number its actions"))
            }
        }
    }

    /// A player of this game.
    pub(crate) fn player(&self, player: usize) -> PyResult<Player> {
        let players = self.game.spec().players.len();
        if player < players {
            Ok(Player(player as u8))
        } else {
            Err(PyIndexError::new_err(format!("there is no player {player}: expected 0 to {}", players - 1)))
        }
    }
}

#[pymethods]
impl Game {
    /// The address that opens this game again.
    #[getter]
    fn name(&self) -> &str {
        &self.game.spec().name
    }

    /// The names of the players in seat order.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.game.spec().players.clone()
    }

    /// The number of players.
    #[getter]
    fn num_players(&self) -> usize {
        self.game.spec().players.len()
    }

    /// What is unusual about the game, such as `chance` or `simultaneous`.
    #[getter]
    fn features(&self) -> Vec<&'static str> {
        self.game.spec().features.names()
    }

    /// The least and the greatest payoff of a player.
    #[getter]
    fn payoffs(&self) -> (f64, f64) {
        self.game.spec().payoffs
    }

    /// The most steps of a match, including chance.
    #[getter]
    fn max_steps(&self) -> usize {
        self.game.spec().max_steps
    }

    /// What executes the rules: `native`, `network` or `interpreter`.
    #[getter]
    fn engine(&self) -> &'static str {
        self.game.engine()
    }

    /// The number of different actions: every action is below it.
    #[getter]
    fn num_actions(&self) -> PyResult<usize> {
        Ok(self.numbers()?.actions)
    }

    /// The number of different outcomes of chance.
    #[getter]
    fn num_outcomes(&self) -> PyResult<usize> {
        Ok(self.numbers()?.outcomes)
    }

    /// The parts of an action's number, the most significant first, with their sizes.
    #[getter]
    fn action_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        for field in &self.numbers()?.fields {
            fields.set_item(field.name, field.size)?;
        }
        Ok(fields)
    }

    /// The shape of an observation.
    #[getter]
    fn observation_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.numbers()?.shape)
    }

    /// The names of the planes or features of an observation.
    #[getter]
    fn observation_planes(&self) -> PyResult<Vec<String>> {
        Ok(self.numbers()?.planes.clone())
    }

    /// The parts of an action, by name.
    fn action_parts<'py>(&self, py: Python<'py>, action: u32) -> PyResult<Bound<'py, PyDict>> {
        let numbers = self.numbers()?;
        let Some(named) = numbers.parts(action) else {
            let message = format!("there is no action {action}: expected 0 to {}", numbers.actions - 1);
            return Err(PyIndexError::new_err(message));
        };
        let parts = PyDict::new(py);
        for (name, value) in named {
            parts.set_item(name, value)?;
        }
        Ok(parts)
    }

    /// The first state.
    fn start(slf: Bound<'_, Self>) -> PyResult<State> {
        let position = slf.get().game.by_numbers().position(None).or_raise()?;
        Ok(State::new(slf.unbind(), position))
    }

    /// The state that a text describes, as `State.to_text` writes it.
    fn state(slf: Bound<'_, Self>, text: &str) -> PyResult<State> {
        slf.get().numbers()?;
        let position = slf.get().game.by_numbers().position(Some(text)).or_raise()?;
        Ok(State::new(slf.unbind(), position))
    }

    /// The text that defines the rules, if they are data: a rule sheet or a map.
    #[getter]
    fn rules_text(&self) -> Option<String> {
        self.game.rules_text()
    }

    /// The agents that can play this game, by name, with a sentence each.
    fn able_agents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let agents = PyDict::new(py);
        for info in self.game.able_agents() {
            agents.set_item(info.name, info.summary)?;
        }
        Ok(agents)
    }

    /// Checks the laws that every game obeys by random play, and says what was covered.
    #[pyo3(signature = (seed=1))]
    fn check_laws<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Bound<'py, PyDict>> {
        let game = Arc::clone(&self.game);
        let report = interruptible(py, move |_| game.check_laws(seed).map_err(|violation| violation.to_string()))?;
        let report = report.map_err(crate::error::Error::new_err)?;
        let covered = PyDict::new(py);
        covered.set_item("matches", report.matches)?;
        covered.set_item("steps", report.steps)?;
        covered.set_item("states", report.states)?;
        Ok(covered)
    }

    fn __repr__(&self) -> String {
        format!("tesuji.open({:?})", self.game.spec().name)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| {
            let other = &other.get().game;
            Arc::ptr_eq(&self.game, other)
                || self.game.spec() == other.spec() && self.game.rules_text() == other.rules_text()
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.game.spec().name.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let open = slf.py().import("tesuji")?.getattr("open")?;
        Ok((open, (slf.get().game.spec().name.clone(),)))
    }
}

/// Opens the game that an address names, such as `connect-four` or `tubstap(map=six-arms)`.
///
/// >>> import tesuji
/// >>> tesuji.open("connect-four(6,8)").num_actions
/// 8
#[pyfunction]
pub(crate) fn open(py: Python<'_>, address: String) -> PyResult<Game> {
    let opened = interruptible(py, move |_| CATALOGUE.open(&address))?;
    Ok(Game::new(opened.or_raise()?))
}

/// All games: name, summary, parameters and examples.
///
/// >>> import tesuji
/// >>> [game["name"] for game in tesuji.games()][:3]
/// ['tubstap', 'tubstap-random', 'dice7']
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &json!(CATALOGUE.games()))
}

/// All agents: name, summary, features and parameters.
///
/// >>> import tesuji
/// >>> "uct" in [agent["name"] for agent in tesuji.agents()]
/// True
#[pyfunction]
pub(crate) fn agents(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &json!(CATALOGUE.agents()))
}

/// Plays states out uniformly at random, `each` times; returns the mean payoffs by state and player, and the number of
/// steps.
///
/// >>> import tesuji
/// >>> start = tesuji.open("tic-tac-toe").start()
/// >>> means, steps = tesuji.playouts([start, start.child(4)], each=100, seed=1)
/// >>> means.shape
/// (2, 2)
#[pyfunction]
#[pyo3(signature = (states, each=1, seed=0))]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    states: Vec<PyRef<'py, State>>,
    each: u32,
    seed: u64,
) -> PyResult<(Bound<'py, PyArray2<f64>>, u64)> {
    let Some(first) = states.first() else {
        return Err(crate::error::Error::new_err("no states to play out: expected at least one"));
    };
    if each == 0 {
        return Err(crate::error::Error::new_err("0 playouts of each state: expected at least one"));
    }
    let game = Arc::clone(&first.game.get().game);
    let players = game.spec().players.len();
    let positions: Vec<_> = states.iter().map(|state| state.position.copy()).collect();
    let count = positions.len();
    let (totals, steps) = interruptible(py, move |_| {
        let mut totals = vec![0.0; count * players];
        let positions: Vec<_> = positions.iter().map(|position| &**position).collect();
        let steps = game.by_numbers().play_outs(&positions, each, &mut Rng::new(seed), &mut totals);
        steps.map(|steps| (totals, steps))
    })?
    .or_raise()?;
    let means = PyArray2::zeros(py, [count, players], false);
    {
        let mut writer = means.try_readwrite()?;
        for (mean, total) in writer.as_slice_mut()?.iter_mut().zip(totals) {
            *mean = total / f64::from(each);
        }
    }
    Ok((means, steps))
}
