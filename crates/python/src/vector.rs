//! Many matches in NumPy arrays.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use tesuji_arena::{AnyBatch, BatchArrays, BatchPlan};

use crate::error::{Error, OrRaise};
use crate::game::Game;

/// Many matches of one game, stepped together.
///
/// The arrays are made once and filled again by every step: copy what must last. A match that ends begins anew at once;
/// its payoffs are in `rewards`. Chance draws by itself.
///
/// A match has one row, which belongs to the player to move. In games with simultaneous moves it has a row for each
/// player, and all arrays have an axis for the player after that of the match. With `seat`, only that player's actions
/// are given; the others choose uniformly at random, and a match has one row.
///
/// >>> import tesuji
/// >>> env = tesuji.VectorEnv("connect-four", 8, seed=1)
/// >>> observations, rewards, dones, masks = env.step(env.sample())
/// >>> observations.shape, rewards.shape, dones.shape, masks.shape
/// ((8, 3, 6, 7), (8, 2), (8,), (8, 7))
#[pyclass(module = "tesuji")]
pub(crate) struct VectorEnv {
    game: Py<Game>,
    batch: Option<Box<dyn AnyBatch>>,
    count: usize,
    players_count: usize,
    actions: Py<PyArrayDyn<i64>>,
    masks: Option<Py<PyArrayDyn<bool>>>,
    observations: Option<Py<PyArrayDyn<f32>>>,
    final_observations: Option<Py<PyArrayDyn<f32>>>,
    rewards: Py<PyArrayDyn<f32>>,
    dones: Py<PyArrayDyn<bool>>,
    players: Py<PyArrayDyn<i32>>,
}

/// What `reset` returns: observations and masks.
type First = (Py<PyAny>, Py<PyAny>);
/// What `step` returns: observations, rewards, dones and masks.
type Next = (Py<PyAny>, Py<PyAny>, Py<PyAny>, Py<PyAny>);

fn zeros<T: Element>(py: Python<'_>, shape: Vec<usize>) -> Py<PyArrayDyn<T>> {
    PyArrayDyn::zeros(py, shape, false).unbind()
}

fn writer<'py, T: Element>(
    py: Python<'py>,
    array: &Py<PyArrayDyn<T>>,
    name: &str,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let writer = array.bind(py).try_readwrite();
    writer.map_err(|error| Error::new_err(format!("the array `{name}` of the environment cannot be written: {error}")))
}

fn slice<'a, T: Element>(array: &'a mut Option<PyReadwriteArrayDyn<'_, T>>) -> PyResult<&'a mut [T]> {
    match array {
        Some(array) => Ok(array.as_slice_mut()?),
        None => Ok(&mut []),
    }
}

impl VectorEnv {
    /// Calls `act` with the batch and all arrays, without the interpreter lock.
    fn with_arrays<T: Send>(
        &mut self,
        py: Python<'_>,
        act: impl FnOnce(&mut dyn AnyBatch, BatchArrays<'_>) -> T + Send,
    ) -> PyResult<T> {
        let VectorEnv { batch, masks, observations, final_observations, rewards, dones, players, .. } = self;
        let batch = batch.as_mut().ok_or_else(closed)?;
        let mut masks = masks.as_ref().map(|array| writer(py, array, "masks")).transpose()?;
        let mut observations = observations.as_ref().map(|array| writer(py, array, "observations")).transpose()?;
        let finals = final_observations.as_ref();
        let mut finals = finals.map(|array| writer(py, array, "final_observations")).transpose()?;
        let mut rewards = Some(writer(py, rewards, "rewards")?);
        let mut dones = Some(writer(py, dones, "dones")?);
        let mut players = Some(writer(py, players, "players")?);
        let arrays = BatchArrays {
            masks: slice(&mut masks)?,
            observations: slice(&mut observations)?,
            finals: slice(&mut finals)?,
            rewards: slice(&mut rewards)?,
            ended: slice(&mut dones)?,
            players: slice(&mut players)?,
        };
        Ok(py.detach(|| act(&mut **batch, arrays)))
    }

    fn rows(&self) -> PyResult<usize> {
        Ok(self.batch.as_ref().ok_or_else(closed)?.rows())
    }
}

fn closed() -> PyErr {
    PyRuntimeError::new_err("this environment is closed: make another one")
}

fn or_none<T>(py: Python<'_>, array: &Option<Py<PyArrayDyn<T>>>) -> Py<PyAny> {
    array.as_ref().map_or_else(|| py.None(), |array| array.clone_ref(py).into_any())
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game, n, *, seed=0, seat=None, observations=true, masks=true, final_observations=false))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: Bound<'_, PyAny>,
        n: usize,
        seed: u64,
        seat: Option<usize>,
        observations: bool,
        masks: bool,
        final_observations: bool,
    ) -> PyResult<VectorEnv> {
        let game: Py<Game> = match game.cast::<Game>() {
            Ok(game) => game.clone().unbind(),
            Err(_) => match game.extract::<String>() {
                Ok(address) => Py::new(py, crate::game::open(py, address)?)?,
                Err(_) => return Err(PyTypeError::new_err("`game` must be a Game or an address")),
            },
        };
        let seat = seat.map(|seat| game.get().player(seat)).transpose()?;
        let numbers = game.get().numbers()?.clone();
        let players_count = game.get().game.spec().players.len();
        // Arrays beyond this are a mistake, and must not take the machine down.
        const MOST_VALUES: usize = 1 << 32;
        let size: usize = numbers.shape.iter().product();
        let values = n.checked_mul(players_count).and_then(|rows| rows.checked_mul(size.max(numbers.actions)));
        if values.is_none_or(|values| values > MOST_VALUES) {
            let message = format!("{n} matches of `{}` do not fit in memory", game.get().game.spec().name);
            return Err(Error::new_err(message));
        }
        let batch = game.get().game.by_numbers().batch(BatchPlan { matches: n, seed, seat }).or_raise()?;
        let rows = if batch.rows() == 1 { vec![n] } else { vec![n, batch.rows()] };
        let shape = |last: &[usize]| [&rows, last].concat();
        let mut env = VectorEnv {
            actions: zeros(py, rows.clone()),
            masks: masks.then(|| zeros(py, shape(&[numbers.actions]))),
            observations: observations.then(|| zeros(py, shape(&numbers.shape))),
            final_observations: final_observations.then(|| zeros(py, shape(&numbers.shape))),
            rewards: zeros(py, vec![n, players_count]),
            dones: zeros(py, vec![n]),
            players: zeros(py, rows.clone()),
            count: n,
            players_count,
            batch: Some(batch),
            game,
        };
        env.reset(py, None)?;
        Ok(env)
    }

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Begins every match anew; a seed restarts everything random. Returns observations and masks.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<First> {
        self.with_arrays(py, |batch, arrays| batch.reset(seed, arrays))?;
        Ok((or_none(py, &self.observations), or_none(py, &self.masks)))
    }

    /// Makes one step in every match; returns observations, rewards, dones and masks.
    ///
    /// `actions` has an action for each row; those of players who do not act are ignored. If an action is not legal, no
    /// match changes.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Next> {
        let rows = self.rows()?;
        let expected = if rows == 1 { vec![self.count] } else { vec![self.count, rows] };
        let wrong = |what: String| {
            PyTypeError::new_err(format!("actions must be an array of whole numbers of shape {expected:?}: {what}"))
        };
        let array = match actions.cast::<PyArrayDyn<i64>>() {
            Ok(array) => array.clone(),
            Err(_) => {
                let numpy = py.import("numpy")?;
                let array = numpy.call_method1("asarray", (actions,)).map_err(|error| wrong(error.to_string()))?;
                let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
                if !["i", "u"].contains(&kind.as_str()) {
                    return Err(wrong(format!("got the type {}", array.getattr("dtype")?)));
                }
                let array = array.call_method1("astype", ("int64",))?;
                array.cast_into::<PyArrayDyn<i64>>().map_err(|error| wrong(error.to_string()))?
            }
        };
        if array.shape() != expected {
            return Err(Error::new_err(wrong(format!("got the shape {:?}", array.shape())).value(py).to_string()));
        }
        let reader = array.try_readonly()?;
        let copied: Vec<i64>;
        let actions = match reader.as_slice() {
            Ok(actions) => actions,
            Err(_) => {
                copied = reader.as_array().iter().copied().collect();
                &copied
            }
        };
        self.with_arrays(py, |batch, arrays| batch.step(actions, arrays))?.or_raise()?;
        Ok((
            or_none(py, &self.observations),
            self.rewards.clone_ref(py).into_any(),
            self.dones.clone_ref(py).into_any(),
            or_none(py, &self.masks),
        ))
    }

    /// Draws a uniformly random legal action for each row, into an array that is filled again by every call.
    fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyArrayDyn<i64>>> {
        let batch = self.batch.as_mut().ok_or_else(closed)?;
        let mut actions = writer(py, &self.actions, "actions")?;
        let actions = actions.as_slice_mut()?;
        py.detach(|| batch.sample(actions));
        Ok(self.actions.clone_ref(py))
    }

    /// Releases the matches. Every later call raises an exception.
    fn close(&mut self) {
        self.batch = None;
    }

    /// Whether the environment was closed.
    #[getter]
    fn closed(&self) -> bool {
        self.batch.is_none()
    }

    /// The number of matches.
    #[getter]
    fn num_envs(&self) -> usize {
        self.count
    }

    /// What each row's player sees; None if the environment was made without observations.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        or_none(py, &self.observations)
    }

    /// What each row's player saw at the end of a match that ended in the last step.
    #[getter]
    fn final_observations(&self, py: Python<'_>) -> Py<PyAny> {
        or_none(py, &self.final_observations)
    }

    /// The legal actions of each row; None if the environment was made without masks.
    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyAny> {
        or_none(py, &self.masks)
    }

    /// The payoffs of the matches that ended in the last step, by match and player.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArrayDyn<f32>> {
        self.rewards.clone_ref(py)
    }

    /// The matches that ended in the last step.
    #[getter]
    fn dones(&self, py: Python<'_>) -> Py<PyArrayDyn<bool>> {
        self.dones.clone_ref(py)
    }

    /// The player of each row; -1 for a player who does not act now.
    #[getter]
    fn players(&self, py: Python<'_>) -> Py<PyArrayDyn<i32>> {
        self.players.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        let name = &self.game.get().game.spec().name;
        format!("<VectorEnv of {} matches of {name} for {} player(s)>", self.count, self.players_count)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }
}
