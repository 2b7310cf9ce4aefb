//! Laws about batches of playouts.

use super::{Complete, Violation, require};
use crate::{BatchPlayouts, Horizon, OneByOne, Policy, Rng, Turn, Uniform};

/// The number of batched playouts that are compared with single playouts.
const BATCH_PLAYOUTS: u32 = 1_000;

/// Checks that a batch is reproducible, keeps starts and players apart, and has the same mean payoffs as single uniform
/// playouts.
pub(super) fn check_batch<G: Complete>(game: &G, rng: &mut Rng) -> Result<(), Violation> {
    let Some(mut batch) = game.batch() else { return Ok(()) };
    let start = game.start();
    let players = game.spec().players.len();
    require(batch.width() > 0, &start, &|| "a batch of no playouts".to_owned())?;
    let mut middle = game.start();
    let mut uniform = Uniform::default();
    let way = Horizon::steps(1 + rng.below(game.spec().max_steps.min(100)) as u32);
    uniform.play_out(game, &mut middle, rng, way);
    let mut end = middle.clone();
    uniform.play_out(game, &mut end, rng, Horizon::END);
    let starts = [start, end, middle];
    let seed = rng.bits();
    let mut run = |each: u32| {
        let mut totals = vec![0.0; starts.len() * players];
        let steps = batch.run(game, &starts, each, &mut Rng::new(seed), &mut totals);
        (totals, steps)
    };
    // Odd numbers leave lanes idle. A second call must not be affected by the first.
    let odd = run(7);
    run(1);
    require(odd == run(7), &starts[0], &|| "a batch does not repeat with its generator".to_owned())?;
    let (totals, _) = run(BATCH_PLAYOUTS);
    let mut single = OneByOne::default();
    let (least, greatest) = game.spec().payoffs;
    for (index, state) in starts.iter().enumerate() {
        let mut expected = vec![0.0; players];
        single.run(game, std::slice::from_ref(state), BATCH_PLAYOUTS, rng, &mut expected);
        // The difference of two means of this many playouts has a standard deviation of at most 0.023 of the payoff
        // range. Where the match is over there is no randomness.
        let room = if game.turn(state) == Turn::Over { 1e-9 } else { 0.15 };
        for (player, (total, expected)) in totals[index * players..].iter().zip(&expected).enumerate() {
            let difference = (total - expected) / f64::from(BATCH_PLAYOUTS);
            require(difference.abs() <= room * (greatest - least), state, &|| {
                format!("player {player} gets {difference} more in a batch than in playouts one by one")
            })?;
        }
    }
    Ok(())
}
