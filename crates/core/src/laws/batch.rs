//! Laws about batches of playouts.

use std::collections::{HashMap, HashSet};

use super::{Complete, Violation, require};
use crate::{BatchPlayouts, CountingPlayouts, Horizon, OneByOne, Policy, Rng, TakenAction, Turn, Uniform};

/// The number of batched playouts that are compared with single playouts.
const BATCH_PLAYOUTS: u32 = 1_000;

/// Checks that a batch is reproducible, keeps starts and players apart, and has the same mean payoffs as single uniform
/// playouts. If it counts actions, checks that too.
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
    let counted = batch.counting().map(|counting| {
        let (mut taken, mut totals) = (Vec::new(), vec![0.0; starts.len() * players]);
        counting.run_counting(game, &starts, BATCH_PLAYOUTS, &mut Rng::new(seed), &mut totals, &mut taken);
        (taken, totals)
    });
    if let Some((taken, counted)) = &counted {
        require(totals == *counted, &starts[0], &|| "a batch pays otherwise when it counts actions".to_owned())?;
        require(taken.is_sorted_by_key(|taken| taken.start), &starts[0], &|| {
            "the actions of a batch are not in the order of its starts".to_owned()
        })?;
    }
    let mut single = OneByOne::default();
    let (least, greatest) = game.spec().payoffs;
    for (index, state) in starts.iter().enumerate() {
        let mut expected = vec![0.0; players];
        let alone = std::slice::from_ref(state);
        if let Some((taken, _)) = &counted {
            let mut singly = Vec::new();
            single.run_counting(game, alone, BATCH_PLAYOUTS, rng, &mut expected, &mut singly);
            let own: Vec<_> = taken.iter().filter(|taken| taken.start == index).copied().collect();
            check_counts(game, state, &own, &singly)?;
        } else {
            single.run(game, alone, BATCH_PLAYOUTS, rng, &mut expected);
        }
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

/// Checks the actions that a batch counted from `state` against those of single playouts.
fn check_counts<G: Complete>(
    game: &G,
    state: &G::State,
    taken: &[TakenAction<G::Action>],
    singly: &[TakenAction<G::Action>],
) -> Result<(), Violation> {
    let (least, greatest) = game.spec().payoffs;
    let playouts = f64::from(BATCH_PLAYOUTS);
    // The frequency of the action, and its part of the mean payoff above the least one, relative to the payoff range.
    let means = |taken: &TakenAction<G::Action>| {
        let (frequency, total) = (f64::from(taken.playouts) / playouts, taken.total / playouts);
        (frequency, (total - least * frequency) / (greatest - least))
    };
    let expected: HashMap<_, _> = singly.iter().map(|taken| ((taken.player, taken.action), means(taken))).collect();
    let mut listed = HashSet::new();
    for one in taken {
        let TakenAction { player, action, .. } = *one;
        let (frequency, payoff) = means(one);
        require(listed.insert((player, action)), state, &|| format!("a batch lists {action:?} twice"))?;
        require(frequency > 0.0 && frequency <= 1.0 && payoff >= -1e-9 && payoff <= frequency + 1e-9, state, &|| {
            format!("a batch of {playouts} counts {one:?}")
        })?;
        // The bound of `check_batch`: both are means of numbers from 0 to 1.
        let (usual, paid) = expected.get(&(player, action)).copied().unwrap_or_default();
        require((frequency - usual).abs() <= 0.15 && (payoff - paid).abs() <= 0.15, state, &|| {
            format!("a batch counts {one:?}, playouts one by one {usual} of the playouts, with the payoff {paid}")
        })?;
    }
    Ok(())
}
