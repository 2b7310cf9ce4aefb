//! Agents and their decisions.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use tesuji_arena::{AnyAgent, Budget, NumberedDecision, Player, Rng, Turn};

use crate::error::{Error, OrRaise};
use crate::game::Game;
use crate::hosted::Advising;
use crate::interrupt::interruptible;
use crate::state::State;

/// The budget of a decision if nothing else is said, as on the command line.
const PLAYOUTS: u64 = 1_000;

/// How pickle makes an agent again: a function and its arguments.
type Recipe<'py> = (Bound<'py, PyAny>, (String, Py<Game>));

/// An agent for one game.
///
/// Every decision stands alone. One agent decides one thing at a time; two agents can search in two threads.
///
/// >>> import tesuji
/// >>> agent = tesuji.agent("uct", "tic-tac-toe")
/// >>> agent.choose(agent.game.state("xx./oo./..."), playouts=200, seed=1).text
/// 'c1'
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Agent {
    address: String,
    game: Py<Game>,
    /// The agent while it is idle, and the source of seeds.
    inner: Mutex<(Option<Box<dyn AnyAgent>>, Rng)>,
    advising: Option<Advising>,
}

/// Reads a budget: whole numbers, and a time in seconds.
pub(crate) fn budget(playouts: Option<u64>, nodes: Option<u64>, time: Option<f64>) -> PyResult<Budget> {
    let time = match time {
        None => None,
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| Error::new_err(format!("a time of {seconds}: expected seconds above 0")))?,
        ),
    };
    if playouts == Some(0) || nodes == Some(0) {
        return Err(Error::new_err("a budget of 0: expected a whole number above 0"));
    }
    let budget = Budget { playouts, nodes, time };
    Ok(if budget.is_limited() { budget } else { Budget::playouts(PLAYOUTS) })
}

#[pymethods]
impl Agent {
    /// The address of the agent.
    #[getter]
    fn name(&self) -> &str {
        &self.address
    }

    /// The game it plays.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Chooses an action.
    ///
    /// The budget is a number of playouts or nodes, or a time in seconds; 1000 playouts if none is given. An agent
    /// whose address has a budget uses that. With equal seeds and a budget in playouts, decisions are equal.
    #[pyo3(signature = (state, player=None, *, playouts=None, nodes=None, time=None, seed=None))]
    #[allow(clippy::too_many_arguments)]
    fn choose(
        &self,
        py: Python<'_>,
        state: PyRef<'_, State>,
        player: Option<usize>,
        playouts: Option<u64>,
        nodes: Option<u64>,
        time: Option<f64>,
        seed: Option<u64>,
    ) -> PyResult<Decision> {
        let budget = budget(playouts, nodes, time)?;
        let player = match (player, state.position.turn()) {
            (Some(player), _) => self.game.get().player(player)?,
            (None, Turn::Player(player)) => player,
            (None, Turn::Simultaneous(_)) => {
                return Err(Error::new_err("several players act at once: name the player"));
            }
            (None, Turn::Chance | Turn::Over) => Player(0),
        };
        let position = state.position.copy();
        drop(state);
        let (agent, seed) = {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let seed = seed.unwrap_or_else(|| inner.1.bits());
            (inner.0.take(), seed)
        };
        let Some(mut agent) = agent else {
            return Err(PyRuntimeError::new_err(
                "this agent is choosing in another thread: make an agent for each thread",
            ));
        };
        let done = interruptible(py, move |_| {
            let decision = agent.choose(&*position, player, &budget, &mut Rng::new(seed));
            (agent, decision)
        });
        let (agent, decision) = match done {
            Ok((agent, decision)) => (Some(agent), Ok(decision)),
            // It was interrupted or panicked: the next decision is made by a new agent.
            Err(error) => (self.game.get().game.by_numbers().numbered_agent(&self.address).ok(), Err(error)),
        };
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).0 = agent;
        if let Some(exception) = self.advising.as_ref().and_then(|advising| advising.raised.take()) {
            return Err(exception);
        }
        Ok(Decision { decision: decision?.or_raise()? })
    }

    fn __repr__(&self) -> String {
        format!("<Agent {} in {}>", self.address, self.game.get().game.spec().name)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Recipe<'py>> {
        let py = slf.py();
        if slf.get().advising.is_some() {
            return Err(PyTypeError::new_err("an agent with Python functions cannot be pickled: make it again"));
        }
        let agent = py.import("tesuji")?.getattr("agent")?;
        Ok((agent, (slf.get().address.clone(), slf.get().game.clone_ref(py))))
    }
}

/// Makes an agent that plays `game`; `tesuji.agents()` lists them.
///
/// With `evaluation` or `policy`, the agent is a tree search guided by these functions, and the address must be
/// `guided`. They are called with many states at once:
///
/// - `evaluation(observations, players)` returns the payoff that each viewer can expect, an array of shape (n,);
/// - `policy(observations, masks, players)` returns the probability of each action, an array of shape (n, actions).
///
/// >>> import numpy, tesuji
/// >>> even = lambda observations, players: numpy.full(len(observations), 0.5)
/// >>> agent = tesuji.agent("guided", "tic-tac-toe", evaluation=even)
/// >>> agent.choose(agent.game.state("xx./oo./..."), playouts=200, seed=1).text
/// 'c1'
#[pyfunction]
#[pyo3(signature = (address, game, *, evaluation=None, policy=None, batch=16, seed=0))]
pub(crate) fn agent(
    py: Python<'_>,
    address: &str,
    game: Bound<'_, PyAny>,
    evaluation: Option<Py<PyAny>>,
    policy: Option<Py<PyAny>>,
    batch: usize,
    seed: u64,
) -> PyResult<Agent> {
    let game: Py<Game> = match game.cast::<Game>() {
        Ok(game) => game.clone().unbind(),
        Err(_) => match game.extract::<String>() {
            Ok(address) => Py::new(py, crate::game::open(py, address)?)?,
            Err(_) => return Err(PyTypeError::new_err("`game` must be a Game or an address")),
        },
    };
    game.get().numbers()?;
    let (address, advising) = if evaluation.is_some() || policy.is_some() {
        for function in [&evaluation, &policy].into_iter().flatten() {
            if !function.bind(py).is_callable() {
                return Err(PyTypeError::new_err("`evaluation` and `policy` must be functions"));
            }
        }
        if address != "guided" && !address.starts_with("guided(") {
            let message = format!("`{address}` takes no Python functions: the agent `guided` does");
            return Err(Error::new_err(message));
        }
        let advising = Advising::new(evaluation, policy);
        let given = address.strip_prefix("guided").unwrap_or("").trim_matches(['(', ')']);
        let more = if given.is_empty() { String::new() } else { format!(",{given}") };
        let batch = if given.contains("batch") { String::new() } else { format!(",batch={batch}") };
        (format!("guided(advisor={}{batch}{more})", advising.name), Some(advising))
    } else {
        (address.to_owned(), None)
    };
    let built = game.get().game.by_numbers().numbered_agent(&address).or_raise()?;
    Ok(Agent { address, game, inner: Mutex::new((Some(built), Rng::new(seed))), advising })
}

/// What an agent decided, with the statistics of its search.
///
/// >>> import tesuji
/// >>> decision = tesuji.agent("mc", "tic-tac-toe").choose(tesuji.open("tic-tac-toe").start(), playouts=90, seed=1)
/// >>> sum(decision.visits.values())
/// 90
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Decision {
    decision: NumberedDecision,
}

#[pymethods]
impl Decision {
    /// The chosen action.
    #[getter]
    fn action(&self) -> u32 {
        self.decision.action
    }

    /// The text of the chosen action.
    #[getter]
    fn text(&self) -> &str {
        &self.decision.text
    }

    /// The mixed strategy that the action was drawn from: probabilities by action.
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let policy = PyDict::new(py);
        for &(action, probability) in &self.decision.policy {
            policy.set_item(action, probability)?;
        }
        Ok(policy)
    }

    /// The payoff that the player can expect; None if the agent does not say.
    #[getter]
    fn value(&self) -> Option<f64> {
        self.decision.value
    }

    /// How often each action was tried.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let visits = PyDict::new(py);
        for candidate in &self.decision.candidates {
            visits.set_item(candidate.action, candidate.visits)?;
        }
        Ok(visits)
    }

    /// The legal actions with their statistics, best first: dictionaries with action, text, visits, value, prior and
    /// probability.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for candidate in &self.decision.candidates {
            let entry = PyDict::new(py);
            entry.set_item("action", candidate.action)?;
            entry.set_item("text", &candidate.text)?;
            entry.set_item("visits", candidate.visits)?;
            entry.set_item("value", candidate.value)?;
            entry.set_item("prior", candidate.prior)?;
            entry.set_item("probability", candidate.probability)?;
            list.append(entry)?;
        }
        Ok(list)
    }

    /// The principal variation: the expected actions from here on, a tuple for each step.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for joint in &self.decision.line {
            list.append(PyTuple::new(py, joint)?)?;
        }
        Ok(list)
    }

    /// The principal variation as text.
    #[getter]
    fn line_text(&self) -> Vec<Vec<String>> {
        self.decision.line_texts.clone()
    }

    /// The greatest depth reached, in steps.
    #[getter]
    fn depth(&self) -> u32 {
        self.decision.depth
    }

    /// Nodes of the tree.
    #[getter]
    fn nodes(&self) -> u64 {
        self.decision.nodes
    }

    /// Playouts, or leaves evaluated.
    #[getter]
    fn playouts(&self) -> u64 {
        self.decision.playouts
    }

    /// Seconds taken.
    #[getter]
    fn seconds(&self) -> f64 {
        self.decision.time.as_secs_f64()
    }

    fn __repr__(&self) -> String {
        let value = self.decision.value.map_or(String::new(), |value| format!(", value {value:.3}"));
        format!("<Decision {}: {}{value}>", self.decision.action, self.decision.text)
    }
}
