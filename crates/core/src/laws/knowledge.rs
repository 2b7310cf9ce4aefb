//! What holds of a game's knowledge: policies, evaluations, features of actions, batches of playouts.

use std::collections::BTreeSet;

use super::{Complete, Violation, require};
use crate::{
    Actor, BatchPlayouts, Evaluation, Game, Horizon, OneByOne, Player, Policy, Rng, Successor, Turn, Uniform, Visit,
    legal_actions,
};

/// What an evaluation tells of the states behind an action is what it tells of each, and ended ones have their payoffs.
fn check_successors<G: Complete>(
    game: &G,
    evaluation: &dyn Evaluation<G>,
    state: &G::State,
    player: Player,
) -> Result<(), Violation> {
    let Turn::Player(mover) = game.turn(state) else { return Ok(()) };
    let actions = legal_actions(game, state, Actor::Player(mover));
    let mut told: Vec<Vec<Successor>> = Vec::new();
    let mut in_order = true;
    let offered = evaluation.successors(game, state, &actions, player, &mut |successors| {
        in_order &= successors.action == told.len();
        if successors.complete {
            told.push(successors.states.to_vec());
        }
        Visit::NextState
    });
    if !offered {
        return require(told.is_empty(), state, || "successors of actions though there are none".to_owned());
    }
    require(in_order && told.len() == actions.len(), state, || {
        format!("successors of {} of {} actions, or in another order", told.len(), actions.len())
    })?;
    for (wish, most) in [(Visit::NextAction, actions.len()), (Visit::Stop, 1)] {
        let mut visits = 0;
        evaluation.successors(game, state, &actions, player, &mut |successors| {
            visits += successors.states.len();
            wish
        });
        require(visits == most, state, || format!("{visits} states told where {wish:?} was wished at each"))?;
    }
    for (&action, successors) in actions.iter().zip(told) {
        let mut next = state.clone();
        game.apply(&mut next, &[action]);
        let mut ends = vec![(next.clone(), 1.0)];
        if game.turn(&next) == Turn::Chance {
            let mut outcomes = Vec::new();
            game.chance(&next, &mut outcomes);
            outcomes.sort_by(|one, two| two.1.total_cmp(&one.1));
            let behind = |(outcome, probability): (G::Action, f64)| {
                let mut end = next.clone();
                game.apply(&mut end, &[outcome]);
                (end, probability)
            };
            ends = outcomes.into_iter().map(behind).collect();
        }
        let expected = ends.iter().map(|(end, probability)| {
            let over = game.turn(end) == Turn::Over;
            let value = if over { game.payoff(end, player) } else { evaluation.value(game, end, player) };
            Successor { probability: *probability, value, over }
        });
        let expected: Vec<Successor> = expected.collect();
        require(successors == expected, state, || {
            format!("successors of {action:?} are {successors:?}, one by one {expected:?}")
        })?;
    }
    Ok(())
}

/// Named policies play legally and as their `pick` would; evaluations are finite; action features are as many as named.
pub(super) fn check_knowledge<G: Complete>(game: &G, rng: &mut Rng) -> Result<(), Violation> {
    let start = game.start();
    for named in game.policies() {
        let Some(mut policy) = game.policy(named.name) else {
            return require(false, &start, || format!("the policy `{}` is named but not there", named.name));
        };
        for _ in 0..3 {
            let seed = rng.bits();
            let fast = play_with(game, |state, rng| policy.play_out(game, state, rng, Horizon::END), seed);
            let mut picked = game.start();
            let mut stepper = Rng::new(seed);
            while game.turn(&picked) != Turn::Over {
                let turn = game.turn(&picked);
                let mut joint = Vec::new();
                for actor in turn.actors() {
                    let action = match actor {
                        Actor::Player(player) => policy.pick(game, &picked, player, &mut stepper),
                        Actor::Chance => game.random_outcome(&picked, &mut stepper),
                    };
                    let legal = legal_actions(game, &picked, actor).contains(&action);
                    require(legal, &picked, || format!("the policy `{}` picks the illegal {action:?}", named.name))?;
                    joint.push(action);
                }
                game.apply(&mut picked, &joint);
            }
            require(picked == fast, &fast, || {
                format!("`play_out` of the policy `{}` ends elsewhere than its `pick`: {picked:?}", named.name)
            })?;
        }
    }
    require(game.policy("no such policy").is_none(), &start, || {
        "a policy answers to a name that is not its own".to_owned()
    })?;
    for named in game.evaluations() {
        let Some(evaluation) = game.evaluation(named.name) else {
            return require(false, &start, || format!("the evaluation `{}` is named but not there", named.name));
        };
        let mut uniform = Uniform::default();
        let mut state = game.start();
        for _ in 0..200 {
            for player in game.spec().seats() {
                let value = evaluation.value(game, &state, player);
                require(value.is_finite(), &state, || format!("the evaluation `{}` gives {value}", named.name))?;
                check_successors(game, &*evaluation, &state, player)?;
            }
            if uniform.play_out(game, &mut state, rng, Horizon::steps(1)) == 0 {
                break;
            }
        }
    }
    check_single_actions(game, rng)?;
    for named in game.membership_tables() {
        require(game.membership_table(named.name).is_some(), &start, || {
            format!("the table `{}` is named but not there", named.name)
        })?;
    }
    if let Turn::Player(player) = game.turn(&start) {
        for action in legal_actions(game, &start, Actor::Player(player)) {
            let mut features = Vec::new();
            game.action_features(&start, action, &mut features);
            require(features.len() == game.action_feature_names().len(), &start, || {
                format!("{action:?} has {} features, {} are named", features.len(), game.action_feature_names().len())
            })?;
            for (index, &value) in features.iter().enumerate() {
                let inside = match game.action_feature_range(index) {
                    Some((least, most)) => {
                        (f64::from(least)..=f64::from(most)).contains(&value) && value.fract() == 0.0
                    }
                    None => value.is_finite(),
                };
                require(inside, &start, || format!("feature {index} of {action:?} is {value}"))?;
            }
        }
    }
    Ok(())
}

/// Along a random match: judgements of actions are complete and finite; the quiet policy attacks nobody; representatives are
/// legal actions of their piece; the parts of a state have the same player to act.
fn check_single_actions<G: Complete>(game: &G, rng: &mut Rng) -> Result<(), Violation> {
    let mut evaluations = Vec::new();
    for named in game.action_evaluations() {
        let evaluation = game.action_evaluation(named.name);
        require(evaluation.is_some(), &game.start(), || format!("`{}` is named but not there", named.name))?;
        evaluations.extend(evaluation.map(|evaluation| (named.name, evaluation)));
    }
    let mut quiet = match game.quiet_policy() {
        None => None,
        Some(name) => {
            let policy = game.policy(name);
            require(policy.is_some(), &game.start(), || format!("the quiet policy `{name}` is not there"))?;
            policy
        }
    };
    let (mut values, mut few) = (Vec::new(), Vec::new());
    let mut uniform = Uniform::default();
    let mut state = game.start();
    for _ in 0..60 {
        if let Turn::Player(player) = game.turn(&state) {
            let actions = legal_actions(game, &state, Actor::Player(player));
            for (name, evaluation) in &evaluations {
                evaluation.values(game, &state, player, &actions, &mut values);
                let complete = values.len() == actions.len() && values.iter().all(|value| value.is_finite());
                require(complete, &state, || format!("`{name}` judges {} actions: {values:?}", actions.len()))?;
            }
            if let Some(policy) = &mut quiet {
                let action = policy.pick(game, &state, player, rng);
                let calm = game.is_attack(&state, action) != Some(true);
                require(calm, &state, || format!("the quiet policy picks {action:?}"))?;
            }
            if let Some(piece) = game.piece(&state, actions[0]) {
                few.clear();
                let offered = game.representatives(&state, piece, &mut few);
                let own = |action: &G::Action| actions.contains(action) && game.piece(&state, *action) == Some(piece);
                require(offered != few.is_empty() && few.iter().all(own), &state, || {
                    format!("{few:?} do not stand for what piece {piece} can do")
                })?;
            }
            check_fights(game, &state, player, &actions)?;
        }
        if uniform.play_out(game, &mut state, rng, Horizon::steps(1)) == 0 {
            break;
        }
    }
    Ok(())
}

/// In each part of a state the same player acts, with some of its actions there; no piece acts in two parts, nor more than asked
/// for in one.
fn check_fights<G: Complete>(
    game: &G,
    state: &G::State,
    player: Player,
    actions: &[G::Action],
) -> Result<(), Violation> {
    for most in [1, 3, u32::MAX] {
        let mut seen = BTreeSet::new();
        for part in game.fights(state, most).into_iter().flatten() {
            require(game.turn(&part) == Turn::Player(player), state, || format!("another acts in the part {part:?}"))?;
            let local = legal_actions(game, &part, Actor::Player(player));
            let strange = local.iter().find(|action| !actions.contains(action));
            require(strange.is_none(), state, || format!("{strange:?} is legal in a part alone"))?;
            let pieces: BTreeSet<_> = local.iter().map(|&action| game.piece(&part, action)).collect();
            require(pieces.len() <= most as usize, state, || format!("{} pieces act in a part", pieces.len()))?;
            let twice = pieces.into_iter().find(|&piece| !seen.insert(piece));
            require(twice.is_none(), state, || format!("{twice:?} acts in two parts"))?;
        }
    }
    Ok(())
}

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

fn play_with<G: Game>(game: &G, mut play_out: impl FnMut(&mut G::State, &mut Rng) -> u32, seed: u64) -> G::State {
    let mut state = game.start();
    play_out(&mut state, &mut Rng::new(seed));
    state
}
