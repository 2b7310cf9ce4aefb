//! Laws about heuristics: policies play legal actions as they pick them; evaluations are finite and complete.

use super::{Complete, Violation, require};
use crate::{
    Actor, Evaluation, Game, Heuristics, Horizon, Player, Policy, Rng, Successor, Turn, Uniform, Visit, legal_actions,
};

/// Checks that policies play legal actions and play out as `pick` would, that evaluations are finite, and that every
/// listed name can be opened.
pub(super) fn check_heuristics<G: Complete>(
    game: &G,
    heuristics: &dyn Heuristics<G>,
    rng: &mut Rng,
) -> Result<(), Violation> {
    let start = game.start();
    for named in heuristics.policies(game) {
        let Some(mut policy) = heuristics.policy(game, named.name) else {
            return require(false, &start, &|| format!("the policy `{}` is listed but cannot be opened", named.name));
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
                    require(legal, &picked, &|| format!("the policy `{}` picks the illegal {action:?}", named.name))?;
                    joint.push(action);
                }
                game.apply(&mut picked, &joint);
            }
            require(picked == fast, &fast, &|| {
                format!("`play_out` of the policy `{}` and its `pick` lead to different states: {picked:?}", named.name)
            })?;
        }
    }
    require(heuristics.policy(game, "no such policy").is_none(), &start, &|| {
        "a policy opens under a name that is not listed".to_owned()
    })?;
    let customary = heuristics.customary_policy(game);
    let listed = |name: &str| heuristics.policies(game).iter().any(|named| named.name == name);
    require(customary.is_none_or(listed), &start, &|| format!("the customary policy {customary:?} is not listed"))?;
    for named in heuristics.evaluations(game) {
        let Some(evaluation) = heuristics.evaluation(game, named.name) else {
            return require(false, &start, &|| {
                format!("the evaluation `{}` is listed but cannot be opened", named.name)
            });
        };
        let mut uniform = Uniform::default();
        let mut state = game.start();
        for _ in 0..200 {
            for player in game.spec().seats() {
                let value = evaluation.value(game, &state, player);
                require(value.is_finite(), &state, &|| format!("the evaluation `{}` gives {value}", named.name))?;
                check_successors(game, &*evaluation, &state, player)?;
            }
            if uniform.play_out(game, &mut state, rng, Horizon::steps(1)) == 0 {
                break;
            }
        }
    }
    check_action_evaluations(game, heuristics, rng)
}

/// Checks along a random match that every evaluation of actions gives each action a finite value.
fn check_action_evaluations<G: Complete>(
    game: &G,
    heuristics: &dyn Heuristics<G>,
    rng: &mut Rng,
) -> Result<(), Violation> {
    let mut evaluations = Vec::new();
    for named in heuristics.action_evaluations(game) {
        let evaluation = heuristics.action_evaluation(game, named.name);
        require(evaluation.is_some(), &game.start(), &|| format!("`{}` is listed but cannot be opened", named.name))?;
        evaluations.extend(evaluation.map(|evaluation| (named.name, evaluation)));
    }
    let mut values = Vec::new();
    super::along_a_match(game, rng, |state, player, actions, _| {
        for (name, evaluation) in &evaluations {
            evaluation.values(game, state, player, actions, &mut values);
            let complete = values.len() == actions.len() && values.iter().all(|value| value.is_finite());
            require(complete, state, &|| format!("`{name}` judges {} actions: {values:?}", actions.len()))?;
        }
        Ok(())
    })
}

/// Checks that the values of successors equal those of single states, and that states that are over have their payoffs.
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
        return require(told.is_empty(), state, &|| "successors of actions though there are none".to_owned());
    }
    require(in_order && told.len() == actions.len(), state, &|| {
        format!("successors of {} of {} actions, or in another order", told.len(), actions.len())
    })?;
    for (wish, most) in [(Visit::NextAction, actions.len()), (Visit::Stop, 1)] {
        let mut visits = 0;
        evaluation.successors(game, state, &actions, player, &mut |successors| {
            visits += successors.states.len();
            wish
        });
        require(visits == most, state, &|| format!("{visits} states visited where {wish:?} was returned after each"))?;
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
            let value = if over { game.payoff(end, player) } else { evaluation.value_after(game, state, end, player) };
            Successor { probability: *probability, value, over }
        });
        let expected: Vec<Successor> = expected.collect();
        require(successors == expected, state, &|| {
            format!("successors of {action:?} are {successors:?}, one by one {expected:?}")
        })?;
    }
    Ok(())
}

fn play_with<G: Game>(game: &G, mut play_out: impl FnMut(&mut G::State, &mut Rng) -> u32, seed: u64) -> G::State {
    let mut state = game.start();
    play_out(&mut state, &mut Rng::new(seed));
    state
}
