//! Laws about sparse features of states.

use super::{Complete, Violation, require};
use crate::{Horizon, Policy, Rng, Turn, Uniform, ValueFeatures};

/// Checks along a random match that every state has at most the promised number of features, all of them inputs of the
/// set, that they depend on the state alone, and that every network can be opened.
pub(super) fn check_value_features<G: Complete>(
    game: &G,
    features: &dyn ValueFeatures<G>,
    rng: &mut Rng,
) -> Result<(), Violation> {
    let set = features.set(game);
    require(set == features.set(game) && set.inputs > 0, &game.start(), &|| format!("{set:?} is no set"))?;
    for named in features.networks(game) {
        require(features.network(game, named.name).is_some(), &game.start(), &|| {
            format!("the network `{}` is listed but cannot be opened", named.name)
        })?;
    }
    let (mut uniform, mut state) = (Uniform::default(), game.start());
    let (mut active, mut again) = (Vec::new(), Vec::new());
    loop {
        match game.turn(&state) {
            Turn::Over => return Ok(()),
            Turn::Chance if !features.covers_chance() => {}
            _ => {
                let viewer = features.viewer(game, &state);
                require(viewer.index() < game.spec().players.len(), &state, &|| format!("{viewer:?} is no player"))?;
                for player in game.spec().seats() {
                    active.clear();
                    again.clear();
                    features.active(game, &state, player, &mut active);
                    features.active(game, &state, player, &mut again);
                    require(active == again, &state, &|| "value features are not a function".to_owned())?;
                    require(active.len() <= set.most_active, &state, &|| {
                        format!("{} active features, at most {} were promised", active.len(), set.most_active)
                    })?;
                    let outside = active.iter().find(|&&index| index as usize >= set.inputs);
                    require(outside.is_none(), &state, &|| format!("feature {outside:?} of {} inputs", set.inputs))?;
                }
            }
        }
        uniform.play_out(game, &mut state, rng, Horizon::steps(1));
    }
}
