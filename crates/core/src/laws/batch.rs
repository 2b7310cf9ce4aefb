//! What holds of batches of playouts.

use super::{Complete, Violation, require};
use crate::{BatchPlayouts, Horizon, OneByOne, Policy, Rng, Turn, Uniform};

/// Playouts of a batch for the comparison with playouts one by one.
const BATCH_PLAYOUTS: u32 = 1_000;

/// A batch repeats with its generator, keeps starts and players apart, and pays on average what uniform playouts pay.
pub(super) fn check_batch<G: Complete>(game: &G, rng: &mut Rng) -> Result<(), Violation> {
    let Some(mut batch) = game.batch() else { return Ok(()) };
    let start = game.start();
    let players = game.spec().players.len();
    require(batch.width() > 0, &start, || "a batch of no playouts".to_owned())?;
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
    // Odd numbers leave lanes idle; a second call must not see what the first one left.
    let odd = run(7);
    run(1);
    require(odd == run(7), &starts[0], || "a batch does not repeat with its generator".to_owned())?;
    let (totals, _) = run(BATCH_PLAYOUTS);
    let mut single = OneByOne::default();
    let (least, greatest) = game.spec().payoffs;
    for (index, state) in starts.iter().enumerate() {
        let mut expected = vec![0.0; players];
        single.run(game, std::slice::from_ref(state), BATCH_PLAYOUTS, rng, &mut expected);
        // The difference of two means of so many playouts deviates by at most 0.023 of the payoff range (standard
        // deviation); nothing is left to chance where the match is over.
        let room = if game.turn(state) == Turn::Over { 1e-9 } else { 0.15 };
        for (player, (total, expected)) in totals[index * players..].iter().zip(&expected).enumerate() {
            let difference = (total - expected) / f64::from(BATCH_PLAYOUTS);
            require(difference.abs() <= room * (greatest - least), state, || {
                format!("player {player} gets {difference} more in a batch than in playouts one by one")
            })?;
        }
    }
    Ok(())
}
