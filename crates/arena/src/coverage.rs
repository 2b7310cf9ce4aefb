//! The simulation behind the interval over pairs: series whose true win rate is known.

use std::convert::Infallible;

use tesuji_core::{InputError, Rng, mix};

use crate::rounds::round_scores;
use crate::run::pair_points;
use crate::statistics::{self, Coverage, NoisyMatch, least_coverage};
use crate::{Budget, Catalogue, Entrant};

/// Games in which two uniformly random agents meet.
const PLAYED: [&str; 2] = ["tic-tac-toe", "pig"];

/// Pairs of matches that are played in each of these games. Series are drawn from them with replacement, so that their
/// mean is the true rate.
const POOL: u64 = 10_000;

/// An interval that covers more often than this is wider than it should be, if a narrower one is possible.
const TOO_SAFE: f64 = 0.99;

/// Simulates how often the interval over pairs contains the true win rate: in noisy matrix games, drawn from their
/// probabilities, and in matches of random agents, drawn from a pool that is played. Equal seeds give equal tables.
pub fn coverage_table(catalogue: &Catalogue, seed: u64, series: u64) -> Result<Vec<Coverage>, InputError> {
    let mut table = Vec::new();
    for (number, noisy) in (0..).zip(NoisyMatch::matrix_games()) {
        let mut rng = Rng::new(mix(seed, number));
        let draw = || Ok::<f64, Infallible>(noisy.pair(&mut rng));
        let Ok(mut rows) = statistics::coverage(&noisy.name, noisy.rate(), series, draw);
        for row in rows.iter_mut().filter(|row| row.coverage > TOO_SAFE) {
            row.least = least_coverage(&noisy, row.pairs);
        }
        table.extend(rows);
    }
    for address in PLAYED {
        let game = catalogue.open(address)?;
        let entrant = Entrant { address: "random".to_owned(), budget: Budget::default(), start: None, limit: None };
        let mut ring = game.ring(&[entrant.clone(), entrant])?;
        let seatings = ring.seatings().to_vec();
        let mut play = |pair| {
            let payoffs: Vec<Vec<f64>> =
                (0..seatings.len()).map(|seating| ring.play(seating, mix(seed, pair), false).payoffs).collect();
            pair_points(&round_scores(game.spec(), &seatings, &payoffs))
        };
        let pool: Vec<f64> = (1..=POOL).map(&mut play).collect();
        let mut rng = Rng::new(mix(seed, POOL));
        let draw = || Ok::<f64, Infallible>(pool[rng.below(pool.len())]);
        let rate = pool.iter().sum::<f64>() / (2 * POOL) as f64;
        let Ok(rows) = statistics::coverage(&format!("{address}, random agents"), rate, series, draw);
        table.extend(rows);
    }
    Ok(table)
}
