//! Laws about batches of playouts.

use std::collections::{HashMap, HashSet};

use super::{Complete, Violation, require};
use crate::{BatchPlayouts, CountingPlayouts, Horizon, OneByOne, Policy, Rng, TakenAction, Turn, Uniform};

/// The number of batched playouts that are compared with single playouts.
const BATCH_PLAYOUTS: u32 = 1_000;
/// The number of those that prefer actions, and how many actions are drawn in them.
const PREFERRED_PLAYOUTS: u32 = 250;
const PREFERRED_DRAWS: u32 = 4;

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
    let mut single = OneByOne::default();
    let Some(counting) = batch.counting() else {
        for (state, totals) in starts.iter().zip(totals.chunks_exact(players)) {
            let mut expected = vec![0.0; players];
            single.run(game, std::slice::from_ref(state), BATCH_PLAYOUTS, rng, &mut expected);
            check_totals(game, state, BATCH_PLAYOUTS, totals, &expected)?;
        }
        return Ok(());
    };
    let uniform = counted(game, counting, &starts, BATCH_PLAYOUTS, seed);
    require(totals == uniform.0, &starts[0], &|| "a batch pays otherwise when it counts actions".to_owned())?;
    check_counted(game, &starts, BATCH_PLAYOUTS, &uniform, &mut single, rng)?;
    // The first action has no score, so it is preferred to all others.
    let first = uniform.1.first().map(|taken| (taken.player, taken.action));
    let mut scores: HashMap<_, f32> = HashMap::new();
    for taken in &uniform.1 {
        scores.insert((taken.player, taken.action), rng.unit() as f32);
    }
    let scores = scores.into_iter().filter(|&(action, _)| Some(action) != first);
    let scores: Vec<_> = scores.map(|((player, action), score)| (player, action, score)).collect();
    counting.prefer(game, PREFERRED_DRAWS, &scores);
    single.prefer(game, PREFERRED_DRAWS, &scores);
    let preferred = counted(game, counting, &starts, PREFERRED_PLAYOUTS, seed);
    check_counted(game, &starts, PREFERRED_PLAYOUTS, &preferred, &mut single, rng)?;
    counting.prefer(game, 1, &[]);
    let again = counted(game, counting, &starts, BATCH_PLAYOUTS, seed);
    require(again == uniform, &starts[0], &|| "a batch still prefers actions that it no longer should".to_owned())
}

/// The totals of counted playouts from all starts, and the actions.
type Counted<A> = (Vec<f64>, Vec<TakenAction<A>>);

fn counted<G: Complete>(
    game: &G,
    counting: &mut dyn CountingPlayouts<G>,
    starts: &[G::State],
    playouts: u32,
    seed: u64,
) -> Counted<G::Action> {
    let (mut taken, mut totals) = (Vec::new(), vec![0.0; starts.len() * game.spec().players.len()]);
    counting.run_counting(game, starts, playouts, &mut Rng::new(seed), &mut totals, &mut taken);
    (totals, taken)
}

/// Checks counted playouts against those of `single`.
fn check_counted<G: Complete>(
    game: &G,
    starts: &[G::State],
    playouts: u32,
    (totals, taken): &Counted<G::Action>,
    single: &mut OneByOne<G>,
    rng: &mut Rng,
) -> Result<(), Violation> {
    require(taken.is_sorted_by_key(|taken| taken.start), &starts[0], &|| {
        "the actions of a batch are not in the order of its starts".to_owned()
    })?;
    let players = game.spec().players.len();
    for (index, (state, totals)) in starts.iter().zip(totals.chunks_exact(players)).enumerate() {
        let (mut expected, mut singly) = (vec![0.0; players], Vec::new());
        single.run_counting(game, std::slice::from_ref(state), playouts, rng, &mut expected, &mut singly);
        let own: Vec<_> = taken.iter().filter(|taken| taken.start == index).copied().collect();
        check_counts(game, state, playouts, &own, &singly)?;
        check_totals(game, state, playouts, totals, &expected)?;
    }
    Ok(())
}

/// The greatest difference of two means of numbers from 0 to 1 over this many playouts each: six standard deviations.
fn room(playouts: u32) -> f64 {
    6.0 * (0.5 / f64::from(playouts)).sqrt()
}

/// Checks the payoffs of playouts from `state` against those of single playouts.
fn check_totals<G: Complete>(
    game: &G,
    state: &G::State,
    playouts: u32,
    totals: &[f64],
    expected: &[f64],
) -> Result<(), Violation> {
    let (least, greatest) = game.spec().payoffs;
    // Where the match is over there is no randomness.
    let room = if game.turn(state) == Turn::Over { 1e-9 } else { room(playouts) };
    for (player, (total, expected)) in totals.iter().zip(expected).enumerate() {
        let difference = (total - expected) / f64::from(playouts);
        require(difference.abs() <= room * (greatest - least), state, &|| {
            format!("player {player} gets {difference} more in a batch than in playouts one by one")
        })?;
    }
    Ok(())
}

/// Checks the actions that a batch counted from `state` against those of single playouts.
fn check_counts<G: Complete>(
    game: &G,
    state: &G::State,
    playouts: u32,
    taken: &[TakenAction<G::Action>],
    singly: &[TakenAction<G::Action>],
) -> Result<(), Violation> {
    let (least, greatest) = game.spec().payoffs;
    let (room, playouts) = (room(playouts), f64::from(playouts));
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
        let (usual, paid) = expected.get(&(player, action)).copied().unwrap_or_default();
        require((frequency - usual).abs() <= room && (payoff - paid).abs() <= room, state, &|| {
            format!("a batch counts {one:?}, playouts one by one {usual} of the playouts, with the payoff {paid}")
        })?;
    }
    Ok(())
}
