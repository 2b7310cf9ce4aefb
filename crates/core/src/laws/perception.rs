//! Laws about perception.

use super::{Complete, Violation, require};
use crate::{Features, Horizon, Perception, Policy, Rng, Turn, Uniform};

/// Random matches that are examined.
const MATCHES: usize = 10;
/// The most steps of a match that are examined.
const MOST_STEPS: usize = 60;

/// Checks along random matches that moments count up, and that percepts are functions of the state and equal exactly
/// where their texts are.
pub(super) fn check_perception<G: Complete>(
    game: &G,
    perception: &dyn Perception<G>,
    rng: &mut Rng,
) -> Result<(), Violation> {
    let start = game.start();
    require(game.spec().features.contains(Features::HIDDEN), &start, &|| {
        "perception without the feature hidden-information".to_owned()
    })?;
    require(perception.moment(game, &start) == 0, &start, &|| "the first moment is not 0".to_owned())?;
    let mut seen = Vec::new();
    for _ in 0..MATCHES {
        let mut state = game.start();
        for _ in 0..MOST_STEPS {
            let moment = perception.moment(game, &state);
            for player in game.spec().seats() {
                let (percept, texts) =
                    (perception.percept(game, &state, player), perception.texts(game, &state, player));
                let again = perception.percept(game, &state.clone(), player);
                require(percept == again, &state, &|| "equal states have different percepts".to_owned())?;
                require(moment > 0 || texts.is_empty(), &state, &|| format!("{texts:?} before the first step"))?;
                require(texts.is_sorted(), &state, &|| format!("{texts:?} are not sorted"))?;
                let told = (player, percept, texts);
                if !seen.contains(&told) {
                    seen.push(told);
                }
            }
            if game.turn(&state) == Turn::Over {
                break;
            }
            Uniform::default().play_out(game, &mut state, rng, Horizon::steps(1));
            let next = perception.moment(game, &state);
            require(next == moment || next == moment + 1, &state, &|| format!("moment {next} after {moment}"))?;
        }
    }
    for (index, (player, percept, texts)) in seen.iter().enumerate() {
        for (other, other_percept, other_texts) in &seen[..index] {
            let alike = player != other || (percept == other_percept) == (texts == other_texts);
            require(alike, &start, &|| format!("{percept:?} is {texts:?}, but {other_percept:?} is {other_texts:?}"))?;
        }
    }
    Ok(())
}
