//! Laws about single states: texts of actions and states parse back, random draws are fair, the picture fits.

use std::collections::HashSet;

use super::{Complete, Violation, require};
use crate::{Actor, Game, Rng, Turn, legal_actions};

/// Checks the laws about all actions of one state.
pub(super) fn examine_state<G: Complete>(
    game: &G,
    state: &G::State,
    turn: Turn,
    rng: &mut Rng,
) -> Result<(), Violation> {
    for actor in turn.actors() {
        let actions = legal_actions(game, state, actor);
        require(!actions.is_empty(), state, &|| format!("{actor:?} has no legal action"))?;
        require(actions == legal_actions(game, state, actor), state, &|| {
            format!("the actions of {actor:?} change order")
        })?;
        let distinct: HashSet<_> = actions.iter().collect();
        require(distinct.len() == actions.len(), state, &|| format!("{actor:?} has an action twice"))?;
        let mut seen = HashSet::new();
        for &action in &actions {
            let text = game.action_text(state, actor, action);
            let clean =
                text == text.trim() && !text.is_empty() && !text.starts_with('#') && !text.contains(['\t', '\n', '\r']);
            require(clean, state, &|| {
                format!("the action text `{text}` has blanks, tabs or line breaks at a wrong place")
            })?;
            match game.parse_action(state, actor, &text) {
                Ok(read) => {
                    require(read == action, state, &|| format!("`{text}` reads back as {read:?}, not {action:?}"))?
                }
                Err(error) => require(false, state, &|| format!("`{text}` does not read back: {error}"))?,
            }
            require(seen.insert(text.clone()), state, &|| format!("two actions of {actor:?} are written `{text}`"))?;
        }
        check_draws(game, state, actor, &actions, rng)?;
    }
    check_state_text(game, state)?;
    check_picture(game, state, turn)
}

pub(super) fn check_state_text<G: Complete>(game: &G, state: &G::State) -> Result<(), Violation> {
    let text = game.state_text(state);
    require(!text.contains('\n'), state, &|| format!("the state text has several lines: {text}"))?;
    match game.parse_state(&text) {
        read if !G::READS_STATES => {
            require(read.is_err(), state, &|| "states are read, yet `READS_STATES` is false".to_owned())
        }
        Ok(read) => require(read == *state, state, &|| format!("`{text}` reads back as {read:?}")),
        Err(error) => require(false, state, &|| format!("`{text}` does not read back: {error}")),
    }
}

/// Checks that `random_action` is uniform over the legal actions and that `random_outcome` follows `chance`.
fn check_draws<G: Game>(
    game: &G,
    state: &G::State,
    actor: Actor,
    actions: &[G::Action],
    rng: &mut Rng,
) -> Result<(), Violation> {
    let expected: Vec<f64> = match actor {
        Actor::Player(_) => vec![1.0 / actions.len() as f64; actions.len()],
        Actor::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            let total: f64 = outcomes.iter().map(|&(_, probability)| probability).sum();
            let positive = outcomes.iter().all(|&(_, probability)| probability > 0.0);
            require(positive && (total - 1.0).abs() < 1e-9, state, &|| format!("chance adds up to {total}"))?;
            outcomes.into_iter().map(|(_, probability)| probability).collect()
        }
    };
    let draws = (20 * actions.len()).min(2_000);
    let mut counts = vec![0u32; actions.len()];
    let mut scratch = Vec::new();
    for _ in 0..draws {
        let drawn = match actor {
            Actor::Player(player) => game.random_action(state, player, rng, &mut scratch),
            Actor::Chance => game.random_outcome(state, rng),
        };
        match actions.iter().position(|&action| action == drawn) {
            Some(index) => counts[index] += 1,
            None => return require(false, state, &|| format!("{actor:?} drew {drawn:?}, which is not legal")),
        }
    }
    let chi: f64 = counts
        .iter()
        .zip(&expected)
        .map(|(&count, share)| {
            let mean = share * draws as f64;
            (f64::from(count) - mean).powi(2) / mean
        })
        .sum();
    // Chi-square has mean n and variance 2n; a margin of eight standard deviations makes false alarms practically
    // impossible.
    let freedom = actions.len() as f64 - 1.0;
    require(chi <= freedom + 8.0 * (2.0 * freedom).sqrt() + 10.0, state, &|| {
        format!(
            "draws of {actor:?} do not follow their probabilities: chi-square {chi:.1} for {freedom} degrees of freedom"
        )
    })
}

pub(super) fn check_picture<G: Complete>(game: &G, state: &G::State, turn: Turn) -> Result<(), Violation> {
    let picture = game.draw(state);
    let mut ids = HashSet::new();
    for area in &picture.areas {
        require(ids.insert(area.id), state, &|| format!("two areas have the id {}", area.id))?;
        let inside = area.x >= 0.0
            && area.y >= 0.0
            && area.width > 0.0
            && area.height > 0.0
            && area.x + area.width <= picture.width + 1e-6
            && area.y + area.height <= picture.height + 1e-6;
        require(inside, state, &|| format!("the area {area:?} leaves the picture"))?;
        require(!area.label.is_empty(), state, &|| format!("the area {} has no label", area.id))?;
    }
    for actor in turn.actors() {
        let mut paths: Vec<Vec<u32>> =
            legal_actions(game, state, actor).into_iter().map(|action| game.clicks(state, actor, action)).collect();
        paths.sort();
        for path in &paths {
            let known = !path.is_empty() && path.iter().all(|id| ids.contains(id));
            require(known, state, &|| format!("clicks {path:?} of {actor:?} are not areas of the picture"))?;
        }
        // In sorted order, a path that is a prefix of others stands right before one of them.
        for pair in paths.windows(2) {
            require(!pair[1].starts_with(&pair[0]), state, &|| {
                format!("clicks {:?} and {:?} of {actor:?} cannot be told apart", pair[0], pair[1])
            })?;
        }
    }
    Ok(())
}
