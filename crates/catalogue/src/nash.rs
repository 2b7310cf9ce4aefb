//! Equilibria of tables of payoffs, from a file to text and numbers.

use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};
use tesuji_core::{InputError, Rng};
use tesuji_games::matrix::{Tables, tables};
use tesuji_solve::matrix::{
    BimatrixEquilibrium, Fraction, MatrixSolver, PayoffMatrix, exact_equilibrium, lemke_howson, support_count,
    support_equilibria,
};

use crate::solve::PlayerStrategy;

/// The equilibria of a table.
#[derive(Clone, Debug, Serialize)]
pub struct NashReport {
    /// What the game is called.
    pub game: String,
    /// The players' names.
    pub players: [String; 2],
    /// `zero-sum` (also where payoffs add up to another constant) or `bimatrix`.
    pub kind: &'static str,
    /// How the equilibria were found.
    pub method: &'static str,
    /// The first equilibrium; a zero-sum game needs no other.
    #[serde(flatten)]
    pub first: NashEquilibrium,
    /// All that were found.
    pub equilibria: Vec<NashEquilibrium>,
}

/// One equilibrium.
#[derive(Clone, Debug, Serialize)]
pub struct NashEquilibrium {
    /// What each player gets.
    pub values: [f64; 2],
    /// The same as fractions, where these are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<[String; 2]>,
    /// What each player does.
    #[serde(serialize_with = "by_player")]
    pub strategies: Vec<PlayerStrategy>,
    /// The same probabilities as fractions, where these are known; in the order of `strategies`.
    #[serde(skip)]
    pub fractions: Option<[Vec<String>; 2]>,
    /// What best answers gain: both players' gains together in a zero-sum game, else the greater one. 0 but for
    /// rounding.
    pub exploitability: f64,
}

fn by_player<S: Serializer>(strategies: &[PlayerStrategy], serializer: S) -> Result<S::Ok, S::Error> {
    crate::solve::by_player(strategies, serializer)
}

/// Above this many pairs of supports (about a second) paths are followed instead.
const MOST_SUPPORTS: f64 = 200_000.0;
/// Fractions take long in large tables.
const MOST_EXACT_ACTIONS: usize = 60;
/// Paths that are followed in large bimatrix games.
const MOST_PATHS: usize = 20;

/// Finds equilibria of a bundled table or of a file.
pub fn nash(name: &str) -> Result<NashReport, InputError> {
    let tables = tables(name)?;
    let [first, second] = [0, 1].map(|player| PayoffMatrix::from_rows(&tables.payoffs[player]));
    let wrong = |fault: tesuji_solve::matrix::MatrixFault| InputError::new(fault.to_string()).in_file(name);
    let (first, second) = (first.map_err(wrong)?, second.map_err(wrong)?);
    let (kind, method, equilibria) = match tables.constant_sum {
        Some(sum) => ("zero-sum", "linear programming", vec![zero_sum(&tables, &first, sum)]),
        None => {
            let (method, found) = bimatrix(&first, &second);
            let described = found.into_iter().map(|found| described(&tables, found)).collect();
            ("bimatrix", method, described)
        }
    };
    let Some(best) = equilibria.first().cloned() else {
        return Err(InputError::new(format!(
            "no equilibrium of `{}` was found: rounding spoilt every path",
            tables.title
        )));
    };
    Ok(NashReport { game: tables.title, players: tables.players, kind, method, first: best, equilibria })
}

fn zero_sum(tables: &Tables, matrix: &PayoffMatrix, sum: f64) -> NashEquilibrium {
    let mut solver = MatrixSolver::new();
    let found = solver.solve(matrix).clone();
    let entries: Option<Vec<Fraction>> = matrix.entries().iter().map(|&entry| Fraction::near(entry)).collect();
    let small = matrix.rows().max(matrix.columns()) <= MOST_EXACT_ACTIONS;
    let exact = entries
        .filter(|_| small)
        .and_then(|entries| exact_equilibrium(&mut solver, matrix.rows(), matrix.columns(), &entries));
    let texts = |mix: &[Fraction]| -> Vec<String> {
        mix.iter().filter(|share| !share.is_zero()).map(Fraction::to_string).collect()
    };
    match exact {
        Some(exact) => {
            let rest = Fraction::near(sum).and_then(|sum| sum.minus(&exact.value));
            let floats = |mix: &[Fraction]| -> Vec<f64> { mix.iter().map(|share| share.to_f64()).collect() };
            NashEquilibrium {
                values: [exact.value.to_f64(), sum - exact.value.to_f64()],
                exact: rest.map(|rest| [exact.value.to_string(), rest.to_string()]),
                strategies: strategies(tables, [&floats(&exact.rows), &floats(&exact.columns)]),
                fractions: Some([texts(&exact.rows), texts(&exact.columns)]),
                exploitability: 0.0,
            }
        }
        None => NashEquilibrium {
            values: [found.value, sum - found.value],
            exact: None,
            strategies: strategies(tables, [&found.rows, &found.columns]),
            fractions: None,
            exploitability: found.gap,
        },
    }
}

fn bimatrix(first: &PayoffMatrix, second: &PayoffMatrix) -> (&'static str, Vec<BimatrixEquilibrium>) {
    if support_count(first.rows(), first.columns()) <= MOST_SUPPORTS {
        return ("all supports", support_equilibria(first, second));
    }
    let mut found: Vec<BimatrixEquilibrium> = Vec::new();
    for label in 0..(first.rows() + first.columns()).min(MOST_PATHS) {
        let near = |one: &[f64], two: &[f64]| one.iter().zip(two).all(|(a, b)| (a - b).abs() < 1e-6);
        let known = |new: &BimatrixEquilibrium| {
            found.iter().any(|old| near(&old.rows, &new.rows) && near(&old.columns, &new.columns))
        };
        if let Some(new) = lemke_howson(first, second, label).filter(|new| !known(new)) {
            found.push(new);
        }
    }
    ("Lemke and Howson's paths", found)
}

fn described(tables: &Tables, found: BimatrixEquilibrium) -> NashEquilibrium {
    let texts = |mix: &Vec<Fraction>| -> Vec<String> {
        mix.iter().filter(|share| !share.is_zero()).map(Fraction::to_string).collect()
    };
    NashEquilibrium {
        values: found.values,
        exact: None,
        strategies: strategies(tables, [&found.rows, &found.columns]),
        fractions: found.exact.as_ref().map(|[rows, columns]| [texts(rows), texts(columns)]),
        exploitability: found.regrets[0].max(found.regrets[1]),
    }
}

fn strategies(tables: &Tables, mixes: [&[f64]; 2]) -> Vec<PlayerStrategy> {
    let of = |side: usize| {
        let shares = tables.actions[side].iter().zip(mixes[side]).filter(|(_, share)| **share > 0.0);
        let actions = shares.map(|(action, share)| (action.clone(), *share)).collect();
        PlayerStrategy { player: tables.players[side].clone(), actions }
    };
    vec![of(0), of(1)]
}

/// How long random zero-sum tables of one size take.
#[derive(Clone, Debug, Serialize)]
pub struct NashBench {
    /// Actions of each player.
    pub size: usize,
    /// What the entries are: `uniform` between 0 and 1, or `win-draw-loss`.
    pub entries: &'static str,
    /// Tables solved.
    pub tables: u64,
    /// The median time for one: what other work on the machine adds to some of them does not show.
    pub microseconds: f64,
    /// The greatest gap of any solution.
    pub greatest_gap: f64,
}

/// Solves random tables of each size for `time`, on one thread.
pub fn bench_nash(sizes: &[usize], time: Duration) -> Vec<NashBench> {
    let mut results = Vec::new();
    for &size in sizes {
        for (kind, entries) in ["uniform", "win-draw-loss"].into_iter().enumerate() {
            let mut rng = Rng::new(1);
            let mut solver = MatrixSolver::new();
            let mut matrix = PayoffMatrix::filled(size, size, 0.0);
            let (mut times, mut taken, mut greatest_gap) = (Vec::new(), Duration::ZERO, 0.0f64);
            while taken < time || times.is_empty() {
                let entry = |_| if kind == 0 { rng.unit() } else { rng.below(3) as f64 * 0.5 };
                matrix.refill(size, size, (0..size * size).map(entry));
                let begun = Instant::now();
                greatest_gap = greatest_gap.max(solver.solve(&matrix).gap);
                times.push(begun.elapsed());
                taken += begun.elapsed();
            }
            times.sort_unstable();
            let microseconds = times[times.len() / 2].as_secs_f64() * 1e6;
            results.push(NashBench { size, entries, tables: times.len() as u64, microseconds, greatest_gap });
        }
    }
    results
}
