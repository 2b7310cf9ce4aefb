//! Matches, tournaments, experiments and solvers.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use tesuji_arena::experiment::{EnteredGame, Experiment, Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{AnyGame, InputError, RunPlan, SolvePlan, Source, run_experiment, summarise};

use crate::CATALOGUE;
use crate::agent::budget;
use crate::error::{Error, OrRaise};
use crate::game::Game;
use crate::hosted::{Raised, Registered};
use crate::interrupt::interruptible;
use crate::json::to_python;
use crate::state::State;

/// How a series is played.
struct Terms {
    file: (String, String),
    store: Option<PathBuf>,
    threads: usize,
}

/// Plays an experiment and sums it up. Ctrl-C and exceptions of Python agents stop it.
fn carry_out<'py>(
    py: Python<'py>,
    experiment: Experiment,
    terms: Terms,
    registered: Registered,
) -> PyResult<Bound<'py, PyAny>> {
    let raised = Arc::clone(&registered.raised);
    let played = interruptible(py, move |stop| play(&experiment, terms, stop, &raised))?;
    if let Some(exception) = registered.raised.take() {
        return Err(exception);
    }
    to_python(py, &played.or_raise()?)
}

fn play(experiment: &Experiment, terms: Terms, stop: &AtomicBool, raised: &Raised) -> Result<Value, InputError> {
    let mut store = terms.store.as_deref().map_or_else(Store::temporary, Store::open)?;
    let plan = RunPlan { threads: terms.threads, shard: None };
    let file = (terms.file.0.as_str(), terms.file.1.as_str());
    let end = run_experiment(experiment, file, &mut store, plan, stop, |_| {
        if raised.is_set() {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    let summary = summarise(experiment, &store, end.run, true)?;
    Ok(json!(summary))
}

/// The agents of a series: addresses, and Python objects that are registered under new ones. With each its label.
fn entrants(agents: &[Bound<'_, PyAny>], registered: &mut Registered) -> PyResult<Vec<(String, Option<String>)>> {
    let entrant = |agent: &Bound<'_, PyAny>| {
        if let Ok(address) = agent.extract::<String>() {
            return Ok((address, None));
        }
        if let Ok(native) = agent.cast::<crate::agent::Agent>() {
            let name: String = native.getattr("name")?.extract()?;
            return Ok((name, None));
        }
        if !agent.hasattr("choose")? && !agent.is_callable() {
            let kind = agent.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "an agent is an address, a function or an object with a method `choose`, not {kind}"
            )));
        }
        let name = match agent.getattr_opt("name")?.or(agent.getattr_opt("__name__")?) {
            Some(name) => name.extract().unwrap_or_else(|_| "python".to_owned()),
            None => agent.get_type().name()?.to_string(),
        };
        Ok((registered.add(agent.clone().unbind(), &name), Some(name)))
    };
    agents.iter().map(entrant).collect()
}

/// Gives agents the names that tables show.
fn label(experiment: &mut Experiment, entrants: &[(String, Option<String>)]) {
    for place in 0..entrants.len() {
        if let Some(name) = &entrants[place].1 {
            let same = |other: &&(String, Option<String>)| other.1.as_ref() == Some(name) || &other.0 == name;
            let before = entrants[..place].iter().filter(same).count();
            let label = if before == 0 { name.clone() } else { format!("{name} ({})", before + 1) };
            experiment.agents[place].name.label = label;
        }
    }
}

fn entered(game: &Bound<'_, PyAny>) -> PyResult<EnteredGame> {
    match game.cast::<Game>() {
        Ok(game) => {
            let opened = Arc::clone(&game.get().game);
            let name = opened.spec().name.clone();
            Ok(EnteredGame::new(name.clone(), name, opened))
        }
        Err(_) => match game.extract::<String>() {
            Ok(address) => EnteredGame::open(&CATALOGUE, &address).or_raise(),
            Err(_) => Err(PyTypeError::new_err("`game` must be a Game or an address")),
        },
    }
}

type Series = fn(EnteredGame, &[String], tesuji_arena::Budget, u64, u64) -> Result<Experiment, InputError>;

#[allow(clippy::too_many_arguments)]
fn series<'py>(
    game: &Bound<'py, PyAny>,
    agents: &[Bound<'py, PyAny>],
    make: Series,
    (playouts, nodes, time): (Option<u64>, Option<u64>, Option<f64>),
    matches: u64,
    seed: u64,
    threads: Option<usize>,
    store: Option<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut registered = Registered::default();
    let entrants = entrants(agents, &mut registered)?;
    let addresses: Vec<String> = entrants.iter().map(|(address, _)| address.clone()).collect();
    let budget = budget(playouts, nodes, time)?;
    let mut experiment = make(entered(game)?, &addresses, budget, matches, seed).or_raise()?;
    label(&mut experiment, &entrants);
    let text = if store.is_some() { experiment.to_toml().or_raise()? } else { String::new() };
    let threads = tesuji_arena::thread_count(threads).max(1);
    let terms = Terms { file: ("match.toml".to_owned(), text), store, threads };
    carry_out(game.py(), experiment, terms, registered)
}

/// Plays a series of matches; see `tesuji.match`.
#[pyfunction]
#[pyo3(signature = (game, agents, matches=100, *, playouts=None, nodes=None, time=None, seed=1, threads=None,
    store=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_match<'py>(
    game: Bound<'py, PyAny>,
    agents: Vec<Bound<'py, PyAny>>,
    matches: u64,
    playouts: Option<u64>,
    nodes: Option<u64>,
    time: Option<f64>,
    seed: u64,
    threads: Option<usize>,
    store: Option<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    series(&game, &agents, Experiment::series, (playouts, nodes, time), matches, seed, threads, store)
}

/// Plays a round robin; see `tesuji.tournament`.
#[pyfunction]
#[pyo3(signature = (game, agents, matches=100, *, playouts=None, nodes=None, time=None, seed=1, threads=None,
    store=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn tournament<'py>(
    game: Bound<'py, PyAny>,
    agents: Vec<Bound<'py, PyAny>>,
    matches: u64,
    playouts: Option<u64>,
    nodes: Option<u64>,
    time: Option<f64>,
    seed: u64,
    threads: Option<usize>,
    store: Option<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    series(&game, &agents, Experiment::round_robin, (playouts, nodes, time), matches, seed, threads, store)
}

/// Runs an experiment from the text of its file; see `tesuji.run`.
#[pyfunction]
#[pyo3(signature = (text, name="experiment.toml", *, scale="quick", threads=None, store=None))]
pub(crate) fn run<'py>(
    py: Python<'py>,
    text: String,
    name: &str,
    scale: &str,
    threads: Option<usize>,
    store: Option<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    let scale = match scale {
        "quick" => Scale::Quick,
        "full" => Scale::Full,
        other => return Err(Error::new_err(format!("no scale `{other}`: expected `quick` or `full`"))),
    };
    let source = Source::new(name, &text);
    let experiment = interruptible(py, move |_| read_experiment(&CATALOGUE, &source, scale))?.or_raise()?;
    let threads = tesuji_arena::thread_count(threads).max(1);
    let terms = Terms { file: (name.to_owned(), text), store, threads };
    carry_out(py, experiment, terms, Registered::default())
}

/// The value of a game under optimal play; see `tesuji.solve`.
#[pyfunction]
#[pyo3(signature = (game, *, nodes=10_000_000, tolerance=1e-9))]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    game: Bound<'py, PyAny>,
    nodes: u64,
    tolerance: f64,
) -> PyResult<Bound<'py, PyAny>> {
    if !(1e-15..=1.0).contains(&tolerance) {
        return Err(Error::new_err(format!("a tolerance of {tolerance}: expected 1e-15 to 1")));
    }
    let (opened, state): (Arc<dyn AnyGame>, Option<String>) = if let Ok(state) = game.cast::<State>() {
        let state = state.try_borrow()?;
        (Arc::clone(&state.game.get().game), Some(state.position.text()))
    } else if let Ok(game) = game.cast::<Game>() {
        (Arc::clone(&game.get().game), None)
    } else if let Ok(address) = game.extract::<String>() {
        (Arc::clone(&crate::game::open(py, address)?.game), None)
    } else {
        return Err(PyTypeError::new_err("`game` must be a Game, a State or an address"));
    };
    let solution = interruptible(py, move |stop| {
        let plan = SolvePlan { most_nodes: nodes, tolerance, stop: Some(stop) };
        opened.solve(state.as_deref(), &plan)
    })?;
    to_python(py, &json!(solution.or_raise()?))
}

/// Equilibria of a bundled table of payoffs or of a file; see `tesuji.nash`.
#[pyfunction]
pub(crate) fn nash(py: Python<'_>, name: String) -> PyResult<Bound<'_, PyAny>> {
    let report = interruptible(py, move |_| tesuji_arena::nash(&name))?;
    to_python(py, &json!(report.or_raise()?))
}
