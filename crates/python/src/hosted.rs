//! Python objects as agents, and Python functions as evaluations and policies.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tesuji_arena::{HostedAgent, HostedKind, Player};
use tesuji_standard::{Advice, Advisor, GuidedKind, Question};

use crate::CATALOGUE;
use crate::error::OrRaise;
use crate::game::Game;
use crate::state::State;

/// Names of registered objects are never used twice.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The first exception that Python code raised while Tesuji called it.
#[derive(Default)]
pub(crate) struct Raised {
    exception: Mutex<Option<PyErr>>,
    /// Set with the exception: stops a run.
    stop: AtomicBool,
}

impl Raised {
    /// Keeps an exception; returns its text.
    fn keep(&self, py: Python<'_>, exception: PyErr) -> String {
        let text = exception.to_string();
        let mut kept = self.exception.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert_with(|| exception.clone_ref(py));
        self.stop.store(true, Ordering::Relaxed);
        text
    }

    /// The exception that was kept, once.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether an exception was raised.
    pub(crate) fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A Python object that chooses actions.
struct PythonAgent {
    object: Py<PyAny>,
    raised: Arc<Raised>,
    /// The games met so far, by address.
    games: Mutex<HashMap<String, Py<Game>>>,
}

impl PythonAgent {
    fn game(&self, py: Python<'_>, address: &str) -> PyResult<Py<Game>> {
        let known =
            self.games.lock().unwrap_or_else(PoisonError::into_inner).get(address).map(|game| game.clone_ref(py));
        if let Some(game) = known {
            return Ok(game);
        }
        let opened = Py::new(py, Game::new(CATALOGUE.open(address).or_raise()?))?;
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.insert(address.to_owned(), opened.clone_ref(py));
        Ok(opened)
    }

    fn ask(&self, py: Python<'_>, address: &str, state: &dyn Any, player: Player, seed: u64) -> PyResult<u32> {
        let game = self.game(py, address)?;
        let position = game.get().game.by_numbers().adopt(state).or_raise()?;
        let state = Bound::new(py, State::new(game, position))?;
        let object = self.object.bind(py);
        let choose = if object.hasattr("choose")? { object.getattr("choose")? } else { object.clone() };
        let answer = call(&choose, &state, player, seed)?;
        answer.extract::<u32>().map_err(|_| {
            let shown = answer.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string());
            crate::error::Error::new_err(format!("an agent must return the number of a legal action, not {shown}"))
        })
    }
}

/// Calls an agent with the state, and with the player and the seed if it takes them.
fn call<'py>(
    choose: &Bound<'py, PyAny>,
    state: &Bound<'py, State>,
    player: Player,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let py = choose.py();
    let helper = py.import("tesuji._agents")?.getattr("call_agent")?;
    helper.call1((choose, state, player.0, seed))
}

impl HostedAgent for PythonAgent {
    fn begin(&self) {
        Python::attach(|py| {
            let object = self.object.bind(py);
            let begun = match object.getattr_opt("begin") {
                Ok(Some(begin)) => begin.call0().map(drop),
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(exception) = begun {
                self.raised.keep(py, exception);
            }
        });
    }

    fn choose(&self, game: &str, state: &dyn Any, player: Player, seed: u64) -> Result<u32, String> {
        Python::attach(|py| {
            self.ask(py, game, state, player, seed).map_err(|exception| self.raised.keep(py, exception))
        })
    }
}

/// Python objects that are registered as agents; forgotten when this is dropped.
#[derive(Default)]
pub(crate) struct Registered {
    names: Vec<String>,
    /// What they raised.
    pub(crate) raised: Arc<Raised>,
}

impl Registered {
    /// Registers an object; returns its address.
    pub(crate) fn add(&mut self, object: Py<PyAny>, name: &str) -> String {
        let plain: String =
            name.chars().map(|c| if c.is_alphanumeric() || "_-.".contains(c) { c } else { '-' }).collect();
        let unique = format!("{plain}-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let agent = PythonAgent { object, raised: Arc::clone(&self.raised), games: Mutex::default() };
        HostedKind::agents().add(&unique, Arc::new(agent));
        let address = format!("hosted({unique})");
        self.names.push(unique);
        address
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.names.iter().for_each(|name| HostedKind::agents().remove(name));
    }
}

/// Python functions that evaluate states.
pub(crate) struct PythonAdvisor {
    evaluation: Option<Py<PyAny>>,
    policy: Option<Py<PyAny>>,
    raised: Arc<Raised>,
}

/// Functions that are registered as an advisor; forgotten when this is dropped.
pub(crate) struct Advising {
    pub(crate) name: String,
    pub(crate) raised: Arc<Raised>,
}

impl Advising {
    /// Registers an evaluation, a policy or both.
    pub(crate) fn new(evaluation: Option<Py<PyAny>>, policy: Option<Py<PyAny>>) -> Advising {
        let raised = Arc::new(Raised::default());
        let name = format!("python-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let advisor = PythonAdvisor { evaluation, policy, raised: Arc::clone(&raised) };
        GuidedKind::advisors().add(&name, Arc::new(advisor));
        Advising { name, raised }
    }
}

impl Drop for Advising {
    fn drop(&mut self) {
        GuidedKind::advisors().remove(&self.name);
    }
}

impl PythonAdvisor {
    fn answer(&self, py: Python<'_>, question: &Question<'_>) -> PyResult<Advice> {
        let shape = |last: &[usize]| -> Vec<usize> { [&[question.count], last].concat() };
        let observations = PyArray1::from_slice(py, question.observations).reshape(shape(question.shape))?;
        let players = PyArray1::from_slice(py, question.players);
        let mut advice = Advice::default();
        if let Some(evaluation) = &self.evaluation {
            let values = evaluation.bind(py).call1((&observations, &players))?;
            let values = floats(&values, "the evaluation", &[question.count])?;
            advice.values = values.into_iter().collect();
        }
        if let Some(policy) = &self.policy {
            let masks = PyArray1::from_slice(py, question.masks).reshape(shape(&[question.actions]))?;
            let priors = policy.bind(py).call1((&observations, &masks, &players))?;
            let priors = floats(&priors, "the policy", &[question.count, question.actions])?;
            advice.priors = priors.into_iter().map(|prior| prior as f32).collect();
        }
        Ok(advice)
    }
}

/// The numbers of an array that a function returned; raises if the shape or a value is wrong.
fn floats(returned: &Bound<'_, PyAny>, who: &str, expected: &[usize]) -> PyResult<Vec<f64>> {
    let py = returned.py();
    let wrong = |what: String| {
        crate::error::Error::new_err(format!(
            "{who} must return an array of finite numbers of shape {expected:?}: {what}"
        ))
    };
    let array = py.import("numpy")?.call_method1("asarray", (returned, "float64"));
    let array = array.map_err(|error| wrong(error.to_string()))?;
    let array = array.cast_into::<PyArrayDyn<f64>>().map_err(|error| wrong(error.to_string()))?;
    let given = array.shape().to_vec();
    if given != expected {
        return Err(wrong(format!("got the shape {given:?}")));
    }
    let values: Vec<f64> = array.try_readonly()?.as_array().iter().copied().collect();
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(wrong(format!("got {value}"))),
        None => Ok(values),
    }
}

impl Advisor for PythonAdvisor {
    fn gives_values(&self) -> bool {
        self.evaluation.is_some()
    }

    fn gives_priors(&self) -> bool {
        self.policy.is_some()
    }

    fn advise(&self, question: &Question<'_>) -> Result<Advice, String> {
        Python::attach(|py| self.answer(py, question).map_err(|exception| self.raised.keep(py, exception)))
    }
}
