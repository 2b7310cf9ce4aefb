//! Laws about numbers of actions and about observations.

use std::collections::HashMap;

use super::{Complete, Violation, require};
use crate::{
    ActionIndex, Actor, Horizon, Observation, Policy, Rng, Turn, Uniform, action_count, field_number, field_values,
    legal_actions,
};

/// The most states of a match that are examined.
const MOST_STATES: u32 = 60;

/// Checks along a random match that every legal action has a number of its own within the range, and that numbers and
/// texts read back.
pub(super) fn check_numbers<G: Complete>(game: &G, index: &dyn ActionIndex<G>, rng: &mut Rng) -> Result<(), Violation> {
    let (fields, outcomes) = (index.fields(game), index.outcomes(game));
    let actions = action_count(&fields);
    let possible = !fields.is_empty() && actions > 0 && actions <= i32::MAX as u64 && outcomes <= i32::MAX as usize;
    require(possible && fields == index.fields(game), &game.start(), &|| format!("{fields:?} number no actions"))?;
    // A number means the same action in every state.
    let mut meant: HashMap<(Actor, u32), G::Action> = HashMap::new();
    let (mut legal, mut numbers) = (Vec::new(), Vec::new());
    each_state(game, rng, |state, _| {
        for actor in game.turn(state).actors() {
            let actions_here = legal_actions(game, state, actor);
            let range = if actor == Actor::Chance { outcomes as u64 } else { actions };
            let mut seen = HashMap::new();
            for &action in &actions_here {
                let number = index.number(game, actor, action);
                require(u64::from(number) < range, state, &|| {
                    format!("the number {number} of {action:?} is outside 0..{range}")
                })?;
                if let Some(other) = seen.insert(number, action) {
                    return require(false, state, &|| format!("{action:?} and {other:?} both have number {number}"));
                }
                let read = index.action(game, actor, number);
                require(read == Some(action), state, &|| {
                    format!("number {number} of {action:?} reads back as {read:?}")
                })?;
                let earlier = *meant.entry((actor, number)).or_insert(action);
                require(earlier == action, state, &|| {
                    format!("number {number} is {action:?} here and {earlier:?} elsewhere")
                })?;
                if actor != Actor::Chance {
                    let values = field_values(&fields, number);
                    require(field_number(&fields, &values) == Some(number), state, &|| {
                        format!("the fields {values:?} of number {number} read back as another number")
                    })?;
                }
            }
            if let Actor::Player(player) = actor {
                index.legal(game, state, player, &mut legal, &mut numbers);
                let same = legal == actions_here
                    && numbers.len() == legal.len()
                    && legal.iter().zip(&numbers).all(|(&action, &number)| index.number(game, actor, action) == number);
                require(same, state, &|| format!("the numbered actions {legal:?} are not the legal ones"))?;
            }
            let beyond = index.action(game, actor, range as u32);
            require(beyond.is_none(), state, &|| format!("number {range} is outside the range, but is {beyond:?}"))?;
        }
        Ok(())
    })
}

/// Checks along a random match that observations are complete, finite and functions of the state, and that nobody sees
/// what is hidden.
pub(super) fn check_observation<G: Complete>(
    game: &G,
    observation: &dyn Observation<G>,
    rng: &mut Rng,
) -> Result<(), Violation> {
    let layout = observation.layout(game);
    let start = game.start();
    let (size, shape) = (layout.size(), layout.shape());
    let fits = size > 0 && shape.iter().product::<usize>() == size && layout == observation.layout(game);
    require(fits, &start, &|| format!("{shape:?} is not the shape of an observation"))?;
    let mut names = layout.names.clone();
    names.sort_unstable();
    names.dedup();
    require(names.len() == layout.names.len(), &start, &|| "two planes have the same name".to_owned())?;
    let (mut one, mut two) = (vec![0.0; size], vec![0.0; size]);
    let check = |state: &G::State, one: &mut [f32], two: &mut [f32]| {
        for player in game.spec().seats() {
            // What was in the buffer before must not matter.
            one.fill(f32::NAN);
            two.fill(-1.0);
            observation.fill(game, state, player, one);
            observation.fill(game, &state.clone(), player, two);
            let wrong = one.iter().position(|value| !(-1.0..=1.0).contains(value));
            require(wrong.is_none(), state, &|| {
                format!("value {wrong:?} of the observation is not set, or not from -1 to 1")
            })?;
            require(one == two, state, &|| "equal states have different observations".to_owned())?;
            for twin in observation.same_view(game, state, player) {
                observation.fill(game, &twin, player, two);
                require(one == two, state, &|| format!("{player:?} sees what is hidden: another view in {twin:?}"))?;
            }
            if G::READS_STATES
                && let Ok(read) = game.parse_state(&game.state_text(state))
                && read == *state
            {
                observation.fill(game, &read, player, two);
                require(one == two, state, &|| "a state that was read back has another observation".to_owned())?;
            }
        }
        Ok(())
    };
    each_state(game, rng, |state, _| check(state, &mut one, &mut two))
}

/// Visits states of a random match, including the last one.
fn each_state<G: Complete>(
    game: &G,
    rng: &mut Rng,
    mut visit: impl FnMut(&G::State, &mut Rng) -> Result<(), Violation>,
) -> Result<(), Violation> {
    let (mut uniform, mut state) = (Uniform::default(), game.start());
    for _ in 0..MOST_STATES {
        visit(&state, rng)?;
        if game.turn(&state) == Turn::Over {
            return Ok(());
        }
        uniform.play_out(game, &mut state, rng, Horizon::steps(1));
    }
    uniform.play_out(game, &mut state, rng, Horizon::END);
    visit(&state, rng)
}
